// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QGraphicsItem>
#include <QGraphicsScene>
#include <QStyleOptionGraphicsItem>
#include <QTimer>

#include "widgets/plan/plan_draw_edits.h"
#include "widgets/plan/plan_drawing.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/plan/plan_ghosts.h"
#include "widgets/plan/plan_handles.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_row_run.h"
#include "widgets/plan/plan_snap.h"
#include "widgets/plan/plan_view.h"

/// What the view holds: for its own files only. Painting is in `plan_view_paint.cpp`, what lies under the cursor in
/// `plan_view_find.cpp`, gestures in `plan_view_gestures.cpp`, the events in `plan_view.cpp`.
namespace hallwright {
namespace plan {

inline constexpr double room_around = 1e6; // mm of scene round the drawing, so that any place can be panned to
inline constexpr double least_scale = 0.002, most_scale = 2.0; // pixels a millimetre
inline constexpr int ruler_side = 20;                          // pixels
inline constexpr double snap_pixels = 9;                       // how near a thing must be to catch
inline constexpr std::int64_t most_racks_at_once = 20000;      // of the row tool
inline constexpr int preview_interval = 16;                    // ms: at most 60 previews a second

/// One layer of the scene: a single item that paints whatever of it is in sight.
class LayerItem final : public QGraphicsItem {
public:
  explicit LayerItem(std::function<void(QPainter*, const QRectF&)> paint) : paint_(std::move(paint)) {
    setFlag(ItemUsesExtendedStyleOption);
    setAcceptedMouseButtons(Qt::NoButton);
  }
  void setExtent(const QRectF& r) {
    if (r == extent_) return;
    prepareGeometryChange();
    extent_ = r;
  }
  [[nodiscard]] QRectF boundingRect() const override { return extent_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
    paint_(painter, option->exposedRect);
  }

private:
  std::function<void(QPainter*, const QRectF&)> paint_;
  QRectF extent_;
};

enum class Gesture { none, band, press_on_thing, drag, pan, row, draw, handle, new_guide, guide, along };

} // namespace plan

using namespace plan;

struct PlanView::Private {
  explicit Private(PlanView& v)
      : view(v),
        drawing(model, draw_settings,
                {[this](const Edit& edit) { commit_drawn(edit); }, [this] { view.setTool(PlanTool::select); },
                 [this](const QString& words) { hint(words); }, [this](const QPointF&, PlanTool) { commit_place(); }}) {
    visible.fill(true);
  }
  PlanView& view;
  QGraphicsScene scene;
  PlanModel model;
  Design design;
  Shared<Catalog> catalog;
  SharedEvaluation evaluation;
  std::optional<Design> before; ///< of which a preview is shown
  std::unique_ptr<PlanModel> before_model;
  std::vector<Ghost> old_places;
  void update_ghosts();
  Id hall = 0;
  bool touched = false; ///< the user chose what is in sight: do not fit again by itself
  bool fit_next = false; ///< another design comes: show all of it
  /// What is kept in sight while the room for the plan changes: as the user left it.
  QRectF kept;
  double kept_scale = 0;
  QSize room;            ///< of the viewport, after its last change
  QTransform shown_kept; ///< of the view, as it was left by the last change of room

  /// What was in sight: scale and the place in the middle.
  struct Sight {
    double scale = 0;
    QPointF middle;
  };
  std::vector<Sight> earlier, later;
  QElapsedTimer since_turn; ///< of the wheel: turns without a pause are one step

  Overlay overlay = Overlay::none;
  OverlayValues values;
  std::unordered_set<Id> wrong;
  std::unordered_set<Id> dark; ///< racks without power in a case that is looked at
  std::vector<EntityRef> out_of_service; ///< units and pipes that are out in it
  TileStore tiles;
  WordStore word_store;
  LabelStore labels;
  std::array<bool, layer_count> visible{}, hidden{}; ///< one the reverse of the other
  bool locked[layer_count] = {};
  double grid = 600;
  bool snapping = true;

  std::vector<EntityRef> selected; ///< sorted
  std::unordered_set<Id> selected_ids;

  PlanTool tool = PlanTool::select;
  RowToolSettings row_settings;
  QString placed_text;
  std::optional<PlacedPart> placed;
  int placed_turns = 0;

  Gesture gesture = Gesture::none;
  QPoint press_view, last_view;
  QPointF press, cursor; ///< scene
  bool cursor_known = false;
  Qt::KeyboardModifiers press_modifiers;
  bool space = false;
  bool pan_moved = false;

  // rubber band
  QRectF band;
  bool band_contains = true;
  std::vector<EntityRef> band_hits;

  // dragging
  std::vector<EntityRef> moving;
  std::unordered_set<Id> moving_ids;
  QRectF moving_box; ///< at press
  QPointF moved;     ///< so far, after snapping
  std::vector<QRectF> ghosts;
  std::vector<std::pair<EntityRef, QPointF>> moving_centers;
  std::map<EntityRef, Id> moving_outdoors; ///< what may stand outside, and the hall that it is dragged from
  EntityRef press_hit;
  std::vector<EntityRef> press_hits; ///< all that lie there
  bool press_was_selected = false;
  QString move_typed[2];      ///< how far along x and y, when that is typed
  int move_axis = 0;          ///< the one that is typed
  double move_sign[2] = {1, 1}; ///< which way the cursor went when typing began

  // snapping
  Snap snap;
  SnapSettings snap_settings;

  // row, place, outline, measure
  QRectF row_band;
  Count row_count = 0;
  bool row_down = false;
  std::optional<RowPlan> row_plan;
  bool row_anchored = false; ///< begun by a click: the next one ends it
  QString row_typed;         ///< count of racks
  QString row_words; ///< "12 racks · 7.20 m"
  QRectF place_box;
  bool place_known = false;
  DrawSettings draw_settings;
  PlanDrawing drawing;
  Count row_first_id = 0;        ///< ids from here on are of the row under way
  std::vector<QPointF> measured; ///< none, one or two points

  // along a row: the tools that feed and pipe it, and a busway part over a row
  RowFeedSettings feed_settings;
  RowPipeSettings pipe_settings;
  std::optional<RowRun> along;       ///< under way, or under the cursor
  Design along_base;                 ///< before its previews
  std::vector<std::pair<Id, double>> along_needs; ///< coolant of each rack [m3/s]
  std::optional<Edit> along_edit;
  QString along_words, along_problem;
  QList<QPointF> along_taps;         ///< scene
  QRectF along_run;                  ///< the busway that would be laid, scene

  // handles and guides
  Handle held;
  QPolygonF held_shape;
  PlanObject held_object;
  std::vector<EntityRef> held_what;
  QPointF held_center;
  std::optional<Edit> held_edit;
  QString held_words;
  int active_corner = -1; ///< of the one thing selected: Delete takes it away
  Id held_guide = 0;
  bool guide_upright = true;
  double guide_at = 0;
  QString guide_words;

  // previews
  QTimer preview_timer;
  QElapsedTimer since_preview;
  std::optional<Edit> pending;
  bool previewed = false;
  QString last_hint;

  LayerItem* layer_items[layer_count] = {};
  LayerItem* ghost_item = nullptr;
  LayerItem* outline_item = nullptr;
  LayerItem* covered_item = nullptr; ///< values of racks under trays and pipes
  LayerItem* selection_item = nullptr;
  LayerItem* tool_item = nullptr;

  static std::size_t at(PlanLayer l) { return static_cast<std::size_t>(l); }
  [[nodiscard]] double scale() const { return view.transform().m11(); }

  // --- painting
  // --------------------------------------------------------------------------------------------------------

  Canvas canvas(QPainter* painter);
  Picture picture(const QRectF& area);
  template <class F>
  void in_pixels(QPainter* painter, F&& paint) {
    painter->save();
    painter->setWorldTransform(QTransform());
    paint(canvas(painter));
    painter->restore();
  }

  void make_items();

  void paint_dark(const Canvas& c, const Picture& p);
  void paint_out_of_service(const Canvas& c, const Picture& p);
  void paint_selected(const Canvas& c, const QRectF& area, const std::vector<EntityRef>& entities, const QColor& color);

  /// Frames of many things, as four filled bars each: a stroke of 10,000 rectangles is slow. From afar a wash.
  static void paint_frames(const Canvas& c, QList<QRectF>& rings, const QColor& color, double w = 2);

  void paint_selection(const Canvas& c, const QRectF& area);

  /// A frame round each group of which something is selected.
  void paint_groups(const Canvas& c) const;

  [[nodiscard]] bool shows_handles() const;
  [[nodiscard]] std::vector<Handle> present_handles() const;
  void paint_handles(const Canvas& c) const;

  void tag(const Canvas& c, const QPointF& at, const QString& words) const;

  void paint_tool(const Canvas& c);

  /// Both families of units: a measure is read by either.
  [[nodiscard]] static QString measure_words(const QPointF& a, const QPointF& b);

  /// Free floor round a point, along x and along y: up to the next thing that stands there, or the edge of the hall.
  struct Clear {
    double left = 0, right = 0, top = 0, bottom = 0; ///< scene
    bool known = false;
  };
  [[nodiscard]] Clear clear_at(const QPointF& q) const;

  void paint_measure(const Canvas& c);

  void paint_rulers(const Canvas& c);

  void redraw() { view.viewport()->update(); }

  // --- what is shown
  // ---------------------------------------------------------------------------------------------------

  void refresh_model();

  std::uint64_t values_version = ~0ull;
  const void* values_evaluation = nullptr;
  Overlay values_overlay = Overlay::none;
  void update_values();

  void set_selected(std::vector<EntityRef> next, bool tell);
  [[nodiscard]] bool is_selected(const EntityRef& e) const {
    return std::binary_search(selected.begin(), selected.end(), e);
  }

  void hint(const QString& words);
  void tool_hint();
  [[nodiscard]] Id row_type() const;
  /// The rack type of the row, also one that it is about to make; not set: none is chosen.
  [[nodiscard]] std::optional<RackType> row_rack() const;

  // --- finding
  // ---------------------------------------------------------------------------------------------------------

  static double distance_to(const QPointF& q, const QPointF& a, const QPointF& b);
  static double distance_along(const QPointF& q, const QPolygonF& points, bool closed);
  /// What is drawn by lines is hit at its lines: what stands under a run or in a zone stays in reach.
  [[nodiscard]] Id hit_drawn(PlanLayer layer, const QPointF& q) const;

  /// The uppermost thing under a point, and what else can be picked: hall outlines. Empty table: nothing.
  /// What a press there takes: of all that lie there what is selected, else the uppermost.
  [[nodiscard]] EntityRef taken_at(const QPointF& q) const;
  /// Selects the next of the things that lie under the last click.
  void select_next_here();
  bool clicked_here = false; ///< nothing but a click since: Tab goes on to the next thing there
  [[nodiscard]] EntityRef hit(const QPointF& q, bool even_locked_layers = false) const;
  /// All that can be picked at a point, the one that a click takes first: things, then what runs over them.
  [[nodiscard]] std::vector<EntityRef> hits(const QPointF& q, bool even_locked_layers = false) const;

  [[nodiscard]] bool movable(const EntityRef& e) const;
  /// With the rest of their groups.
  [[nodiscard]] std::vector<EntityRef> grouped(std::vector<EntityRef> what) const;
  [[nodiscard]] std::vector<EntityRef> movable_selection() const;

  std::vector<EntityRef> band_entities() const;

  // --- snapping
  // --------------------------------------------------------------------------------------------------------

  [[nodiscard]] SnapSettings settings_at(const QPointF& q) const;
  [[nodiscard]] static bool suspended(Qt::KeyboardModifiers m) { return m & Qt::AltModifier; }

  QPointF outline_point(const QPointF& q, Qt::KeyboardModifiers m);

  // --- drawing, handles, guides
  // ------------------------------------------------------------------------------------------

  void commit_drawn(const Edit& edit);

  [[nodiscard]] std::optional<Handle> handle_at(const QPoint& at) const;

  void hold(const Handle& handle);

  void handle_to(const QPointF& q, Qt::KeyboardModifiers m);

  [[nodiscard]] QPointF origin_of(const EntityRef& e) const;

  void finish_handle();

  /// Takes a corner out of the one selected thing; false when there is none to take.
  bool remove_corner(int index);

  void guide_to(const QPointF& q, Qt::KeyboardModifiers m);
  static bool over_ruler(const QPoint& at) { return at.x() < ruler_side || at.y() < ruler_side; }

  void finish_guide(const QPoint& at);
  QPointF snapped = QPointF();
  [[nodiscard]] QPointF snapped_cursor() const { return snapped; }

  void tell_cursor(const QPointF& q);

  // --- previews
  // --------------------------------------------------------------------------------------------------------

  void preview(Edit edit);
  void flush_preview();
  void end_preview(bool cancelled);

  // --- gestures
  // --------------------------------------------------------------------------------------------------------

  void begin_drag();

  [[nodiscard]] Edit drag_edit() const;

  [[nodiscard]] double dimension_offset(const Dimension& d, const DimensionLine& line) const;

  void drag_to(const QPointF& q, Qt::KeyboardModifiers m);

  void update_row(const QPointF& q, Qt::KeyboardModifiers m);
  QString row_lines; ///< "12 racks · 7.20 m"
  void tell_row();
  /// What the racks under way draw, as the evaluation of the preview has it.
  [[nodiscard]] QString row_power() const;

  void finish_row();

  /// Whether what is held lays something along rows: a tool, or a busway part over a row.
  [[nodiscard]] bool lays_along(Qt::KeyboardModifiers m) const;
  /// How far from a row it is still meant, mm.
  [[nodiscard]] double row_reach() const { return std::max(300.0, 12 / scale()); }
  /// The row under the cursor, while nothing is pressed.
  void hover_along(const QPointF& q, Qt::KeyboardModifiers m);
  void begin_along(const QPointF& q);
  /// @param whole  all racks of the row, not only those from the press to `q`
  void update_along(const QPointF& q, bool whole);
  void finish_along();
  void forget_along();
  /// What racks of the run draw together, and the rating of the busway that would feed them.
  [[nodiscard]] QString feed_words(const FeedRow& feed) const;
  void paint_along(const Canvas& c) const;
  /// The count of racks, as typed; false: not for the row tool.
  bool row_key(QKeyEvent* event);

  /// What is typed while something is dragged; false: not for the drag.
  bool move_key(QKeyEvent* event);
  [[nodiscard]] bool move_is_typed() const { return !move_typed[0].isEmpty() || !move_typed[1].isEmpty(); }
  /// As typed, against the way of the cursor with a minus; not set, with the problem: it is no length.
  [[nodiscard]] std::optional<QPointF> typed_move(QString* problem = nullptr) const;
  void finish_drag(Qt::KeyboardModifiers m);
  /// Whether a key is typing for a gesture, so that it must not be a shortcut.
  [[nodiscard]] bool typing_wants(const QKeyEvent* event) const;

  /// Opens a field over a note or label, in which its text is written.
  void write_note(Id note);
  void close_note(bool keep); ///< with what is written, or as it was
  void end_stale_note();
  QPointer<QLineEdit> note_field;

  /// Box of the part to place with its centre at the cursor, after snapping.
  void update_place(const QPointF& q, Qt::KeyboardModifiers m);

  /// Row that a rack at this box would stand in: of a rack that touches it side by side.
  [[nodiscard]] Id row_beside(const QRectF& box) const;

  bool commit_place();
  [[nodiscard]] bool goes_outdoors() const;
  [[nodiscard]] QString nowhere() const; ///< why the part is not placed there

  /// Whether something is held with the button or drawn point by point, so that keys belong to it.
  [[nodiscard]] bool holds() const;
  /// Gives up what is under way; true when there was something.
  bool cancel();
  /// The same for all of it, where the view is hidden or loses the keys: what is shown goes back to what is kept.
  void give_up();

  void update_cursor();

  // --- view
  // ------------------------------------------------------------------------------------------------------------

  /// Shows `scene_point` at `view_point` with this scale.
  void show_at(double s, const QPointF& scene_point, const QPointF& view_point);
  void show_rect(const QRectF& r, double margin_left, double margin_top, double margin_right, double margin_bottom,
                 double largest_scale);
  void pan_by(const QPoint& d);
  [[nodiscard]] Sight sight() const;
  /// Keeps what is in sight as the earlier view, before it changes; `goes_on`: unless that was done a moment ago.
  void keep_sight(bool goes_on = false);
  void go_to_sight(std::vector<Sight>& from, std::vector<Sight>& to, const QString& none);
  /// Shows everything, with room for names, dimensions and the legend.
  void fit();

  [[nodiscard]] QString tooltip(const EntityRef& e) const;
};

} // namespace hallwright
