// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QGraphicsView>
#include <QString>
#include <QStringList>

#include "widgets/field_form.h"

/// The hall plan: one item paints a layer, a grid index finds what is under the cursor, tools ask for edits.
namespace hallwright {

/// What the plan colours racks by.
/// Files of page settings hold the numbers: new ones come last.
enum class Overlay {
  none,
  power,
  flow,
  floor_load,
  pipeline_stage,
  data_rank,
  expert_rank,
  flow_share,
  return_temperature,
  headroom,       ///< of the units that feed a rack, in normal operation
  cable_length,   ///< the longest cable of a rack
  pod,            ///< of the compute network
  rail,           ///< likewise
  phase,          ///< of the taps of a rack
  failure_domain, ///< what takes a rack dark
  tensor_group,
  count_
};

enum class PlanTool {
  select,
  pan,
  place,
  row,
  hall_outline,
  measure,
  wall,
  column,
  door,
  ramp,
  lift,
  spreader,
  obstacle,
  no_go,
  dock,
  zone,
  zone_polygon,
  containment,
  tray,
  pipe,
  busway,
  note,
  label,
  dimension,
  feed_row, ///< a busway with taps, by dragging along a row of racks
  pipe_row  ///< coolant pipes, likewise
};

/// Drawing layers that can be hidden or locked. `air` is containment; guides belong to `dimensions`.
enum class PlanLayer { structure, racks, power, liquid, notes, zones, air, trays, pipes, dimensions, underlay };

/// How the plan writes lengths: 3.60 m, or 11 ft 9.73 in. Stored values do not change.
enum class LengthStyle { metric, imperial };

/// What the drawing tools make.
struct DrawSettings {
  double level_mm = 2700; ///< of trays, pipes and busways, above the floor; below 0: under a raised floor
  double size_mm = 300;   ///< width of a tray or busway, inner diameter of a pipe, thickness of a wall
  TrayKind tray = TrayKind::fibre;
  PipeSide side = PipeSide::supply;
  Id loop = 0;                                              ///< of a pipe
  ContainmentKind containment = ContainmentKind::hot_aisle; ///< of a rectangle; an aisle decides for itself
  double containment_height_mm = 2600;
  QString text;                ///< of a note or label
  double text_height_mm = 400; ///< of a label
};

/// What the row tool makes: shown while its band is dragged, or from the first click to the second.
struct RowToolSettings {
  Id rack_type = 0;
  QString rack_part; ///< without a rack type: rack of the catalog, of which the row makes a type
  double pitch_mm = 600;
  Count rows = 1;
  double cold_aisle_mm = 1200, hot_aisle_mm = 1200;
  QString first_row_name = QStringLiteral("R01");
  Count first_number = 1;  ///< of the first rack of each row
  bool count_back = false; ///< racks are numbered from the far end
  Id feed_a = 0, feed_b = 0, loop = 0;
};

/// The busway that is laid by dragging along a row.
struct RowFeedSettings {
  std::optional<Feed> side; ///< A or B; not set: the one that fewer of the racks have
  QString part;             ///< busway of the catalog; empty: as the last busway of the design
  Id upstream = 0;          ///< what feeds it; 0: the nearest unit of its side
  double width_mm = 150, level_mm = 2700;
};
/// The coolant pipes that are drawn by dragging along a row.
struct RowPipeSettings {
  bool reverse_return = false;
  std::optional<double> velocity_m_per_s; ///< in headers, at most; not set: the practice of the trade
  Id loop = 0;                            ///< 0: that of the racks, or of a unit nearby
};

/// The view. Units of the scene are millimetres.
///
/// Mouse: left selects or drags what is selected, on empty floor a rubber band (to the right contains, to the left
/// touches; Ctrl adds, Shift extends); middle button or Space pans; wheel zooms at the cursor; Alt suspends snapping.
/// Keys: arrows move by the grid, Shift ten times, Alt a tenth; R turns; Delete asks for deletion. Handles of one
/// selected thing reshape it, the round one turns the selection by steps of 15 degrees (Alt: any angle). A guide is
/// dragged out of a ruler, and back into it. While a tool draws, a typed length or angle binds the next point; while
/// something is dragged, a typed length is how far it goes (Tab: the other axis), and while a row is drawn, a typed
/// number is the count of its racks. A busway part that is dropped on a row of racks feeds all of it (Alt: it is put
/// there as a unit of its own). While dragging, `previewRequested` carries the edit so that every headline moves;
/// releasing sends `editRequested` once.
class PlanView : public QGraphicsView {
  Q_OBJECT
public:
  explicit PlanView(QWidget* parent = nullptr);
  ~PlanView() override;

  /// Shows a design (the document's, or a preview of it) with the newest evaluation for overlays and tooltips.
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  void setEvaluation(const SharedEvaluation& evaluation);
  /// What is shown is a preview of a change of this design: old places of what moves or goes are outlined. Null: it is
  /// none, or a gesture of this view, which shows its own.
  void setBefore(const Design* before);
  [[nodiscard]] std::size_t ghosts() const; ///< old places that are outlined
  [[nodiscard]] bool gestureUnderWay() const;
  void setHall(Id hall); ///< 0: all halls beside each other as placed
  [[nodiscard]] Id hall() const;

  void setSelection(const std::vector<EntityRef>& selection);
  [[nodiscard]] std::vector<EntityRef> selection() const;

  void setTool(PlanTool tool);
  [[nodiscard]] PlanTool tool() const;
  void setRowSettings(const RowToolSettings& settings);
  void setDrawSettings(const DrawSettings& settings);
  void setRowFeedSettings(const RowFeedSettings& settings);
  void setRowPipeSettings(const RowPipeSettings& settings);
  /// How every plan writes lengths, on the screen and on paper.
  static void setLengthStyle(LengthStyle style);
  [[nodiscard]] static LengthStyle lengthStyle();
  /// Part to place with the next click, as `part_mime_type` text.
  void setPlacedPart(const QString& part);

  void setOverlay(Overlay overlay);
  [[nodiscard]] Overlay overlay() const;
  /// What overlays are called in menus, in the order of `Overlay`: "By role", "Rack power" ...
  [[nodiscard]] static QStringList overlayNames();
  /// Their words on the command line, likewise: "none", "power" ...
  [[nodiscard]] static QStringList overlayWords();
  /// Racks without power with units out that somebody asked for: crossed in red over any overlay. Not part of the design.
  void setDarkRacks(const std::vector<Id>& racks);
  [[nodiscard]] std::size_t darkRacks() const;
  /// Units of power and cooling, and pipes, that are out in a case that somebody looks at: crossed in red likewise.
  void setOutOfService(const std::vector<EntityRef>& things);
  [[nodiscard]] const std::vector<EntityRef>& outOfService() const;
  void setLayerVisible(PlanLayer layer, bool visible);
  [[nodiscard]] bool layerVisible(PlanLayer layer) const;
  void setLayerLocked(PlanLayer layer, bool locked);
  void setGrid(double spacing_mm); ///< 600 by default
  void setSnapping(bool on);
  /// What moving things and points catch on: "grid 600 mm, walls, racks"; "off".
  [[nodiscard]] QString snapModes() const;

  /// Where something pasted goes: under the cursor, while that is over a hall.
  struct PasteTarget {
    Id hall = 0;
    QPointF at; ///< in the hall, mm
  };
  [[nodiscard]] std::optional<PasteTarget> pasteTarget() const;
  /// How far a box (of a hall, mm) is moved by what it catches there, as a part that is placed.
  [[nodiscard]] QPointF snapShift(Id hall, const QRectF& box) const;

  void zoomToFit();
  void zoomToSelection();
  void zoomBy(double factor);
  void zoomTo(const std::vector<EntityRef>& entities);
  /// Back to what was in sight before the last zoom, jump or pan, and forth again.
  void previousView();
  void nextView();
  void forgetViews(); ///< another design is shown from now on
  void fitNext();     ///< the next design is another one: all of it is shown
  [[nodiscard]] double scalePercent() const; ///< 100: one logical pixel is 10 mm

  /// Paints the whole plan of a hall with title, scale bar and legend into a rectangle of a painter (PDF, SVG, PNG).
  static void paintPlan(QPainter& painter, const QRectF& target, const Design& design, const Shared<Catalog>& catalog,
                        const SharedEvaluation& evaluation, Overlay overlay, Id hall);
  /// Extent of everything drawn, millimetres.
  static QRectF planExtent(const Design& design, const Shared<Catalog>& catalog, Id hall);

Q_SIGNALS:
  void selectionChanged(const std::vector<hallwright::EntityRef>& selection);
  /// A gesture is under way: show this edit of the document's design without committing.
  void previewRequested(const hallwright::Edit& edit);
  /// The gesture was given up (Esc): forget the preview.
  void previewCancelled();
  /// One gesture is done: commit as one undo step. `select_new` asks to select what it made.
  void editRequested(const hallwright::Edit& edit, bool select_new);
  void deleteRequested();
  void cursorMoved(double x_mm, double y_mm, const QString& snap);
  void hintChanged(const QString& hint); ///< what the tool does next, live count and power of the row tool
  void scaleChanged(double percent);
  void snapModesChanged();
  void toolChanged(hallwright::PlanTool tool);
  void contextMenuRequested(const QPoint& global);

protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  bool viewportEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  struct Private;
  std::unique_ptr<Private> d_;
};

} // namespace hallwright
