// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QDateTime>
#include <QHash>
#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include "design/edits.h"
#include "project/dxf_drawing.h"
#include "widgets/plan/plan_painter.h"

/// Drawings and pictures under the plan: read in the background, painted from what is in sight alone.
namespace hallwright::plan {

/// A part of a drawing as it is painted: a run of points in drawing units.
struct UnderlayPiece {
  std::uint32_t first = 0, count = 0; ///< in `UnderlayFile::points`
  std::uint32_t layer = 0;
  std::int16_t colour = 256;
  bool closed = false, filled = false;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};
/// Neighbouring pieces with the box round them.
struct UnderlayBlock {
  std::uint32_t first = 0, count = 0, points = 0;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// What a file holds, or why it cannot be shown. Never changed once it is there.
struct UnderlayFile {
  enum class State { reading, ready, missing, broken };
  State state = State::reading;
  QString path;
  QString problem; ///< a sentence, for missing and broken ones
  QDateTime modified;
  std::shared_ptr<const Drawing> drawing;
  std::vector<DrawingPoint> points;
  std::vector<UnderlayPiece> pieces; ///< neighbours beside each other
  std::vector<UnderlayBlock> blocks;
  std::vector<QImage> levels; ///< a picture, and each time half of it

  [[nodiscard]] bool is_picture() const { return !levels.empty(); }
  /// Extent in drawing units, y up; of a picture its pixels, y down. Nothing drawn: empty.
  [[nodiscard]] QRectF extent() const;
};
using SharedUnderlayFile = std::shared_ptr<const UnderlayFile>;

/// Reads a file here and now. What can be read: ASCII DXF, and the pictures that Qt reads (PNG, JPEG, BMP and others).
SharedUnderlayFile read_underlay(const QString& path, UnderlayKind kind);
/// Endings of files that can be read, for dialogs: "*.dxf *.png *.jpg".
QString underlay_endings();
/// By the ending of the name.
UnderlayKind underlay_kind(const QString& path);

/// Where an underlay lies: its own coordinates (drawing units, y up; or pixels, y down) on the scene and back.
struct UnderlayPlace {
  UnderlayPlace(const Underlay& underlay, const QPointF& hall_offset);
  [[nodiscard]] QPointF scene(double x, double y) const;
  [[nodiscard]] QPointF own(const QPointF& scene) const;
  [[nodiscard]] QRectF own_area(const QRectF& scene) const; ///< box round the turned rectangle

  QPointF origin;
  double unit = 1; ///< mm
  double cosine = 1, sine = 0;
  double up = 1; ///< -1: y runs up
};

/// All underlay files of the program, each read once until it changes on disk.
class UnderlayFiles : public QObject {
  Q_OBJECT
public:
  static UnderlayFiles& shared();
  /// Folder of the project, from which relative names are meant.
  void setFolder(const QString& folder);
  [[nodiscard]] QString folder() const { return folder_; }
  /// Where a file is looked for.
  [[nodiscard]] QString path(const std::string& file) const;
  /// The name that a project keeps: relative when the file lies in the project's folder or below it.
  [[nodiscard]] QString kept_name(const QString& path) const;
  /// What is known of it; starts reading when it was never read, or has changed. `wait`: reads here and now.
  SharedUnderlayFile file(const Underlay& underlay, bool wait = false);

  /// A painted drawing of which there is much in sight.
  struct Snapshot {
    QImage image;
    QRectF scene;
    double scale = 0;
    QString key;
  };
  /// The newest snapshot of an underlay, whatever it shows; asks for the one that is wanted when it is another.
  Snapshot snapshot(Id underlay, const QString& key, const QRectF& scene, double scale, double ratio,
                    std::function<void(QPainter&, const Canvas&)> paint, const Canvas& like);
  /// Until nothing is being read or painted (tests, printing).
  void settle();

Q_SIGNALS:
  /// Something was read or painted: show the plan anew.
  void changed();
  void fileRead();

private:
  UnderlayFiles();
  ~UnderlayFiles() override;
  struct Known {
    SharedUnderlayFile file;
    qint64 looked = 0; ///< ms: when it was last compared with the disk
    bool reading = false;
  };
  QString folder_;
  QHash<QString, Known> files_;
  QHash<Id, Snapshot> snapshots_;
  QHash<Id, QString> painting_; ///< what is being painted
  QThreadPool readers_, painters_;
};

/// Paints every visible underlay of the halls of the picture's model.
void paint_underlays(const Canvas& canvas, const Picture& picture);

/// The end of a line of a visible underlay that lies nearest to a point of the scene, within `reach` mm.
std::optional<QPointF> underlay_end(const PlanModel& model, const QPointF& scene, double reach);

/// The box round every visible underlay whose file has been read, in the scene; empty: there is none.
QRectF underlays_extent(const PlanModel& model);

/// Names of layers that are not shown, one a line, and back.
std::set<std::string> hidden_layers(const Underlay& underlay);
std::string hidden_layers_text(const std::set<std::string>& names);

/// Makes a length on the underlay true: `factor` is true over shown; `fixed` (of its hall) stays where it is.
Edit scale_underlay_edit(Id underlay, const PlanPoint& fixed, double factor);
Edit move_underlay_edit(Id underlay, double dx_mm, double dy_mm);
/// Any other change, as one step: "Hide an underlay".
Edit change_underlay_edit(Id underlay, const std::string& label, std::function<void(Underlay&)> change);

} // namespace hallwright::plan
