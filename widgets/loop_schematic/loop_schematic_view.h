// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QImage>
#include <QWidget>

#include "cooling/loop_schematic.h"
#include "cooling/loop_solution.h"
#include "widgets/plan/plan_canvas.h"

namespace hallwright::loops {

/// How far a rack has come after a loss, by the rise of its cold plates.
enum class RackAlarm : std::uint8_t { none, warning, throttle, trip };

/// A loop, where it stands on the drawing, and how it works with what is out.
struct Picture {
  Shared<DrawnLoop> loop;
  std::shared_ptr<const LoopSchematic> schematic;
  std::shared_ptr<const LoopSolution> solution; ///< null: there is no steady state
  std::vector<double> link_flows;               ///< of the network's links [m3/s]; empty: nothing flows
  LoopOperation operation;
  double healthy_flow = 0; ///< of the whole loop [m3/s], for the widths of pipes
  double warmest_c = 0;    ///< end of the scale of temperatures
  /// Of an instant after a loss, as the racks of the loop; empty: a steady state is shown.
  std::vector<RackAlarm> alarms;
};

enum class ThingKind : std::uint8_t { none, box, stretch };
/// What is pointed at or chosen: a box or a stretch of the schematic.
struct Thing {
  ThingKind kind = ThingKind::none;
  int index = -1;
  [[nodiscard]] bool empty() const { return kind == ThingKind::none; }
  friend bool operator==(const Thing&, const Thing&) = default;
};

/// Colour of coolant: cool to warm, told apart by every kind of sight.
QColor coolant_color(double share);

/// A coolant loop as a schematic with flow, pressure and temperature. Pipes are as wide as what flows through them and
/// coloured by temperature; units show their pumps and the duty of their exchanger, racks their flow against the need.
///
/// The wheel zooms at the cursor, dragging pans. A click selects; a double click or F asks to fail or restore, a double
/// click on the symbol of a pump that one pump, R to restore. Keys: arrows go to what is next in that direction, plus
/// and minus zoom, Home fits, Escape selects nothing.
class LoopSchematicView : public QWidget {
  Q_OBJECT
public:
  explicit LoopSchematicView(QWidget* parent = nullptr);
  void setPicture(const Picture& picture);
  [[nodiscard]] const Picture& picture() const { return picture_; }
  void setEmptyText(const QString& text);
  void setSelection(const Thing& thing);
  [[nodiscard]] const Thing& selection() const { return selected_; }
  /// Selected elsewhere: lit.
  void setLit(const std::vector<EntityRef>& entities);

  void fit();
  void zoomBy(double factor);
  [[nodiscard]] bool fitted() const { return fitted_; }

  [[nodiscard]] QRectF boxRect(int box) const;
  [[nodiscard]] QPointF stretchMiddle(int stretch) const;
  [[nodiscard]] Thing at(const QPointF& pixel) const;
  /// Symbol of a pump: its centre and radius; null where the unit is drawn too small for them.
  [[nodiscard]] std::optional<std::pair<QPointF, double>> pumpAt(int box, std::size_t pump) const;
  [[nodiscard]] bool pumpStands(int box, std::size_t pump) const;
  [[nodiscard]] Thing boxOf(const EntityRef& entity) const; ///< of a rack or a unit
  [[nodiscard]] QString words(const Thing& thing) const;    ///< several lines
  [[nodiscard]] std::vector<EntityRef> entities(const Thing& thing) const;
  /// Words that stand on pipes at the present zoom.
  [[nodiscard]] const std::vector<QRectF>& labels() const { return labels_; }
  [[nodiscard]] QImage image();

  [[nodiscard]] QSize sizeHint() const override { return {900, 420}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {260, 200}; }

Q_SIGNALS:
  void selectionChanged(); ///< by mouse or key
  void failRequested(const hallwright::loops::Thing& thing);
  /// One pump of a unit; those that stand are the last of its symbols.
  void pumpRequested(const hallwright::loops::Thing& unit, bool fail);
  void restoreRequested(const hallwright::loops::Thing& thing);
  void menuRequested(const QPoint& global);

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  using Canvas = plan::Canvas;
  [[nodiscard]] bool shows() const;
  [[nodiscard]] bool of_water() const { return picture_.loop && picture_.loop->facility; }
  [[nodiscard]] QPointF point(const SchematicPoint& p) const {
    return {offset_.x() + p.x * sx_, offset_.y() + p.y * sy_};
  }
  [[nodiscard]] double foot() const; ///< height of the legend
  void clamp_camera();
  void zoom_at(const QPointF& pixel, double factor);
  void choose(const Thing& thing);
  void step(int dx, int dy);
  void tell_accessible();
  void paint(QPainter& painter);
  void paint_stretch(const Canvas& c, int index) const;
  void paint_labels(const Canvas& c);
  void paint_unit(const Canvas& c, int index) const;
  void paint_rack(const Canvas& c, int index) const;
  void paint_legend(const Canvas& c) const;
  [[nodiscard]] int standing_pumps(const LoopUnit& unit) const;
  [[nodiscard]] std::optional<std::size_t> pump_under(int box, const QPointF& pixel) const;
  [[nodiscard]] RackAlarm alarm_of(const SchematicBox& box) const;
  [[nodiscard]] double flow_of(int stretch) const;
  [[nodiscard]] std::optional<double> temperature_of(int stretch) const;
  [[nodiscard]] std::optional<double> pressure_of(int stretch) const;
  [[nodiscard]] bool shut(int stretch) const;
  [[nodiscard]] double width_of(double flow) const;
  [[nodiscard]] QColor color_of(double celsius) const;
  [[nodiscard]] bool flows(double flow) const;

  Picture picture_;
  QString empty_;
  Thing selected_, hovered_;
  std::set<Id> lit_racks_, lit_units_, lit_pipes_, lit_sides_; ///< sides: of facility water, by unit
  double sx_ = 1, sy_ = 1;
  QPointF offset_;
  bool fitted_ = true;
  mutable plan::WordStore words_;
  std::vector<QRectF> labels_;
  QPointF pressed_, last_;
  bool pressing_ = false, panning_ = false;
};

} // namespace hallwright::loops
