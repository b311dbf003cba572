// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_set>

#include <QApplication>
#include <QElapsedTimer>
#include <QGestureEvent>
#include <QGraphicsItem>
#include <QHelpEvent>
#include <QLocale>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QPointer>
#include <QScrollBar>
#include <QStyleOptionGraphicsItem>
#include <QTimer>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_draw_edits.h"
#include "widgets/plan/plan_drawing.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/plan/plan_handles.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_snap.h"
#include "widgets/plan/plan_underlay.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

using namespace plan;

constexpr double room_around = 1e6;   // mm of scene round the drawing, so that any place can be panned to
constexpr double least_scale = 0.002, most_scale = 2.0; // pixels a millimetre
constexpr int ruler_side = 20;        // pixels
constexpr double snap_pixels = 9;     // how near a thing must be to catch
constexpr int preview_interval = 16;  // ms: at most 60 previews a second

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
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override { paint_(painter, option->exposedRect); }

private:
  std::function<void(QPainter*, const QRectF&)> paint_;
  QRectF extent_;
};

enum class Gesture { none, band, press_on_thing, drag, pan, row, draw, handle, new_guide, guide };

} // namespace

struct PlanView::Private {
  explicit Private(PlanView& v)
      : view(v), drawing(model, draw_settings,
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
  Id hall = 0;
  bool touched = false; ///< the user chose what is in sight: do not fit again by itself

  Overlay overlay = Overlay::none;
  OverlayValues values;
  std::unordered_set<Id> wrong;
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
  EntityRef press_hit;
  bool press_was_selected = false;

  // snapping
  Snap snap;
  SnapSettings snap_settings;

  // row, place, outline, measure
  QRectF row_band;
  Count row_count = 0;
  bool row_down = false;
  std::optional<RowPlan> row_plan;
  QString row_words; ///< "12 racks · 7.20 m"
  QRectF place_box;
  bool place_known = false;
  DrawSettings draw_settings;
  PlanDrawing drawing;
  Count row_first_id = 0; ///< ids from here on are of the row under way
  std::vector<QPointF> measured; ///< none, one or two points

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
  LayerItem* outline_item = nullptr;
  LayerItem* selection_item = nullptr;
  LayerItem* tool_item = nullptr;

  static std::size_t at(PlanLayer l) { return static_cast<std::size_t>(l); }
  [[nodiscard]] double scale() const { return view.transform().m11(); }

  // --- painting --------------------------------------------------------------------------------------------------------

  Canvas canvas(QPainter* painter) {
    Canvas c;
    c.painter = painter;
    const QTransform t = view.viewportTransform();
    c.scale = t.m11();
    c.origin = QPointF(t.dx(), t.dy());
    c.colors = PlanColors::screen();
    c.base_font = view.font();
    c.left_edge = ruler_side;
    c.words = &word_store;
    const double ratio = painter->device()->devicePixelRatioF();
    word_store.begin(c.base_font, ratio);
    tiles.begin(c.scale, ratio, c.colors.dark);
    return c;
  }
  Picture picture(const QRectF& area) {
    Picture p;
    p.model = &model;
    p.overlay = &values;
    p.misplaced = &wrong;
    p.grid_mm = grid;
    p.area = area;
    p.hidden = &hidden;
    p.tiles = &tiles;
    p.labels = &labels;
    return p;
  }
  template <class F>
  void in_pixels(QPainter* painter, F&& paint) {
    painter->save();
    painter->setWorldTransform(QTransform());
    paint(canvas(painter));
    painter->restore();
  }

  void make_items() {
    const auto add = [&](double z, std::function<void(QPainter*, const QRectF&)> paint) {
      auto* item = new LayerItem(std::move(paint)); // the scene owns it
      item->setZValue(z);
      scene.addItem(item);
      return item;
    };
    const PlanLayer order[] = {PlanLayer::underlay, PlanLayer::zones, PlanLayer::structure, PlanLayer::power, PlanLayer::liquid, PlanLayer::racks,
                               PlanLayer::air, PlanLayer::pipes, PlanLayer::trays, PlanLayer::notes, PlanLayer::dimensions};
    static_assert(std::size(order) == layer_count);
    for (int i = 0; i < static_cast<int>(layer_count); ++i) {
      const PlanLayer layer = order[i];
      layer_items[at(layer)] = add(i, [this, layer](QPainter* painter, const QRectF& area) {
        in_pixels(painter, [&](const Canvas& c) {
          const Picture p = picture(area);
          paint_layer(c, p, layer);
          if (layer == PlanLayer::racks) paint_row_names(c, p);
          if (layer == PlanLayer::racks && visible[at(PlanLayer::zones)]) paint_zone_words(c, p);
          if (layer == PlanLayer::dimensions) paint_guides(c, p);
        });
      });
    }
    outline_item = add(15, [this](QPainter* painter, const QRectF& area) {
      in_pixels(painter, [&](const Canvas& c) {
        const Picture p = picture(area);
        paint_hall_outlines(c, p);
        paint_dimensions(c, p);
        paint_locks(c, p);
      });
    });
    selection_item = add(20, [this](QPainter* painter, const QRectF& area) { in_pixels(painter, [&](const Canvas& c) { paint_selection(c, area); }); });
    tool_item = add(30, [this](QPainter* painter, const QRectF&) { in_pixels(painter, [&](const Canvas& c) { paint_tool(c); }); });
  }

  void paint_selected(const Canvas& c, const QRectF& area, const std::vector<EntityRef>& entities, const QColor& color) {
    QList<QRectF> rings;
    for (const EntityRef& e : entities) {
      if (e.table == "halls") {
        if (const HallShape* h = model.hall(e.id)) c.outline(c.polygon(h->outline), c.pen(color, 3));
        continue;
      }
      if (e.table == "guides") {
        const GuideLine* g = visible[at(PlanLayer::dimensions)] ? model.guide(e.id) : nullptr;
        const QRectF sight = view.viewport()->rect();
        if (g && g->upright) c.line({c.x(g->at), sight.top()}, {c.x(g->at), sight.bottom()}, c.pen(color, 2));
        if (g && !g->upright) c.line({sight.left(), c.y(g->at)}, {sight.right(), c.y(g->at)}, c.pen(color, 2));
        continue;
      }
      PlanLayer layer = PlanLayer::racks;
      const PlanObject* o = model.find(e, &layer);
      if (!o || !visible[at(layer)] || !o->box().adjusted(-100, -100, 100, 100).intersects(area)) continue;
      if (const QPolygonF* shape = model.points(layer, *o)) {
        c.outline(c.polygon(*shape), c.pen(color, 2), Qt::NoBrush, layer == PlanLayer::zones);
        continue;
      }
      if (layer == PlanLayer::dimensions) {
        const DimensionLine& d = model.dimension(*o);
        c.line(c.point(d.from), c.point(d.to), c.pen(color, 2.5));
        continue;
      }
      if (o->turns < 0) {
        c.outline(c.polygon(o->corners()), c.pen(color, 2));
        continue;
      }
      rings << c.rect(o->box());
    }
    if (rings.isEmpty() || !c.painter) return;
    paint_frames(c, rings, color);
  }

  /// Frames of many things, as four filled bars each: a stroke of 10,000 rectangles is slow. From afar a wash.
  static void paint_frames(const Canvas& c, QList<QRectF>& rings, const QColor& color, double w = 2) {
    const bool small = std::min(rings.front().width(), rings.front().height()) < 6;
    c.painter->setRenderHint(QPainter::Antialiasing, false);
    if (small) {
      QColor wash = color;
      wash.setAlpha(150);
      for (QRectF& r : rings) {
        r.setWidth(std::max(1.0, r.width()));
        r.setHeight(std::max(1.0, r.height()));
        c.painter->fillRect(r, wash);
      }
      return;
    }
    for (const QRectF& r : rings) {
      c.painter->fillRect(QRectF(r.left(), r.top(), r.width(), w), color);
      c.painter->fillRect(QRectF(r.left(), r.bottom() - w, r.width(), w), color);
      c.painter->fillRect(QRectF(r.left(), r.top(), w, r.height()), color);
      c.painter->fillRect(QRectF(r.right() - w, r.top(), w, r.height()), color);
    }
  }

  void paint_selection(const Canvas& c, const QRectF& area) {
    paint_selected(c, area, selected, c.colors.amber);
    if (gesture == Gesture::band) paint_selected(c, area, band_hits, mixed(c.colors.amber, c.colors.floor, 0.3));
    paint_groups(c);
    if (shows_handles()) paint_handles(c);
  }

  /// A frame round each group of which something is selected.
  void paint_groups(const Canvas& c) const {
    if (design.groups->empty() || selected.size() > 2000) return;
    std::map<Id, QRectF> boxes;
    for (const EntityRef& e : selected)
      if (const PlanObject* o = model.find(e); o && o->set) boxes[o->set] = QRectF();
    if (boxes.empty()) return;
    for (PlanLayer layer : all_layers)
      for (const PlanObject& o : model.objects(layer))
        if (o.set)
          if (const auto it = boxes.find(o.set); it != boxes.end()) it->second = it->second.united(o.box());
    for (const auto& [id, box] : boxes) {
      if (box.isNull()) continue;
      const QRectF r = c.rect(box).adjusted(-6, -6, 6, 6);
      c.outline(QPolygonF(r), c.pen(c.colors.amber, 1, Qt::DashDotLine));
      if (const Group* g = hallwright::find(*design.groups, id))
        c.text_at(r.bottomLeft() + QPointF(0, 2), Qt::AlignLeft | Qt::AlignTop, QString::fromStdString(g->name), c.font(10), mixed(c.colors.amber, c.colors.text, 0.3));
    }
  }

  [[nodiscard]] bool shows_handles() const {
    return tool == PlanTool::select && !selected.empty() && (gesture == Gesture::none || gesture == Gesture::handle || gesture == Gesture::press_on_thing);
  }
  [[nodiscard]] std::vector<Handle> present_handles() const {
    if (selected.size() > 400) return {};
    for (const EntityRef& e : selected) {
      PlanLayer layer = PlanLayer::structure;
      if (e.table != "halls" && !model.find(e, &layer)) continue;
      if (locked[at(layer)] || !visible[at(layer)]) return {};
    }
    return handles_of(model, selected, scale());
  }
  void paint_handles(const Canvas& c) const {
    QPainter* p = c.painter;
    for (const Handle& h : present_handles()) {
      const QPointF q = c.point(h.at);
      p->setRenderHint(QPainter::Antialiasing, true);
      if (h.kind == Handle::Kind::turn) {
        c.line(q + QPointF(0, 6), q + QPointF(0, 24), c.pen(c.colors.accent, 1));
        c.outline(QPolygonF(), QPen(Qt::NoPen));
        p->setPen(QPen(c.colors.accent, 1.5));
        p->setBrush(c.colors.panel);
        p->drawEllipse(q, 5, 5);
      } else if (h.kind == Handle::Kind::middle) {
        p->setPen(QPen(c.colors.accent, 1));
        p->setBrush(mixed(c.colors.panel, c.colors.accent, 0.25));
        p->drawEllipse(q, 3, 3);
      } else {
        const bool active = h.kind == Handle::Kind::corner && h.index == active_corner;
        c.tile(QRectF(q - QPointF(4, 4), QSizeF(8, 8)), 1, QPen(c.colors.accent, 1.4), active ? c.colors.accent : c.colors.panel);
      }
    }
  }

  void tag(const Canvas& c, const QPointF& at, const QString& words) const {
    const QFont f = c.font(11.5, true);
    const QFontMetricsF m(f);
    QRectF card(at + QPointF(14, 14), QSizeF(m.horizontalAdvance(words) + 16, m.height() + 8));
    // In sight at the edges too: on the other side of the cursor.
    const QRectF sight = view.viewport()->rect();
    if (card.right() > sight.right() - 4) card.moveRight(at.x() - 14);
    if (card.bottom() > sight.bottom() - 4) card.moveBottom(at.y() - 14);
    c.tile(card, 3, QPen(Qt::NoPen), c.colors.dark ? QColor(0xe6, 0xeb, 0xf0) : QColor(0x1f, 0x2a, 0x37));
    c.text(card, Qt::AlignCenter | Qt::TextSingleLine, words, f, c.colors.dark ? QColor(0x16, 0x1b, 0x21) : QColor(0xff, 0xff, 0xff));
  }

  void paint_tool(const Canvas& c) {
    QPainter* p = c.painter;
    p->setRenderHint(QPainter::Antialiasing, false);
    QColor wash = c.colors.accent;
    wash.setAlpha(36);
    if (gesture == Gesture::band) {
      const QColor ink = band_contains ? c.colors.accent : c.colors.green;
      QColor fill = ink;
      fill.setAlpha(30);
      const QRectF r = c.rect(band);
      c.fill(r, fill);
      p->setPen(QPen(ink, 1, band_contains ? Qt::SolidLine : Qt::DashLine));
      p->setBrush(Qt::NoBrush);
      p->drawRect(r);
    }
    if (gesture == Gesture::drag) {
      constexpr std::size_t most_dashed = 60; // dashes are slow, and of many nobody sees them
      if (ghosts.size() <= most_dashed) {
        p->setPen(QPen(c.colors.amber, 1, Qt::DashLine));
        p->setBrush(Qt::NoBrush);
        for (const QRectF& g : ghosts) p->drawRect(c.rect(g.translated(moved)));
      } else {
        const QRectF sight = view.viewport()->rect();
        QList<QRectF> frames;
        for (const QRectF& g : ghosts)
          if (const QRectF r = c.rect(g.translated(moved)); r.intersects(sight)) frames << r;
        if (!frames.isEmpty()) paint_frames(c, frames, c.colors.amber, 1);
      }
      tag(c, c.point(cursor), QStringLiteral("%1 × %2").arg(length_text(moved.x(), 2), length_text(moved.y(), 2)));
    }
    if (gesture == Gesture::row && row_plan) {
      c.fill(c.rect(row_band), wash);
      p->setPen(QPen(c.colors.accent, 1));
      p->setBrush(Qt::NoBrush);
      const RackType* type = hallwright::find(*design.rack_types, row_plan->rack_type);
      static const Catalog none;
      const Footprint f = type ? rack_footprint(catalog ? *catalog : none, *type) : Footprint{};
      const double w = in_millimeters(f.width), d = in_millimeters(f.depth);
      const HallShape* h = model.hall(row_plan->hall);
      const QPointF corner = QPointF(in_millimeters(row_plan->x), in_millimeters(row_plan->y)) + (h ? h->offset : QPointF());
      const double pitch = in_millimeters(row_plan->pitch);
      double across = 0;
      for (Count r = 0; r < row_plan->rows; ++r) {
        for (Count i = 0; i < row_plan->racks_per_row; ++i) {
          const double along = static_cast<double>(i) * pitch;
          const QRectF box = row_down ? QRectF(corner.x() + across, corner.y() + along, d, w) : QRectF(corner.x() + along, corner.y() + across, w, d);
          p->drawRect(c.rect(box));
        }
        across += d + (r % 2 == 0 ? row_settings.hot_aisle_mm : row_settings.cold_aisle_mm);
      }
      tag(c, c.point(cursor), row_words);
    }
    if (placed && place_known && (tool == PlanTool::place || (drawing.manner() == PlanDrawing::Manner::block && !drawing.under_way()))) {
      c.fill(c.rect(place_box), wash);
      p->setPen(QPen(c.colors.accent, 1.5, placed->known_size ? Qt::SolidLine : Qt::DashLine));
      p->setBrush(Qt::NoBrush);
      p->drawRect(c.rect(place_box));
      const QRectF r = c.rect(place_box);
      const int t = placed_turns;
      const QLineF front = t == 0 ? QLineF(r.topLeft(), r.topRight()) : t == 1 ? QLineF(r.topRight(), r.bottomRight())
                           : t == 2 ? QLineF(r.bottomLeft(), r.bottomRight()) : QLineF(r.topLeft(), r.bottomLeft());
      p->setPen(QPen(c.colors.accent, 3));
      p->drawLine(front);
    }
    if (drawing.active()) drawing.paint(c, cursor_known, [this](const Canvas& canvas, const QPointF& at, const QString& words) { tag(canvas, at, words); });
    if (tool == PlanTool::measure) paint_measure(c);
    if (gesture == Gesture::handle && !held_words.isEmpty()) tag(c, c.point(cursor), held_words);
    if (gesture == Gesture::new_guide || gesture == Gesture::guide) {
      const QRectF sight = view.viewport()->rect();
      const QPen pen(c.colors.accent, 1);
      if (guide_upright) c.line({std::round(c.x(guide_at)), sight.top()}, {std::round(c.x(guide_at)), sight.bottom()}, pen);
      else c.line({sight.left(), std::round(c.y(guide_at))}, {sight.right(), std::round(c.y(guide_at))}, pen);
      tag(c, c.point(cursor), guide_words);
    }
    // Guides of what has been caught.
    p->setRenderHint(QPainter::Antialiasing, false);
    p->setPen(QPen(c.colors.accent, 1, Qt::DashLine));
    for (const QLineF& g : snap.guides) p->drawLine(c.point(g.p1()), c.point(g.p2()));
  }

  /// Both families of units: a measure is read by either.
  [[nodiscard]] static QString measure_words(const QPointF& a, const QPointF& b) {
    const QPointF d = b - a;
    const auto both = [](double mm) {
      const QString metric = QLocale().toString(mm / 1000, 'f', 3) + QStringLiteral(" m"), feet = QLocale().toString(mm / 304.8, 'f', 2) + QStringLiteral(" ft");
      return length_style() == LengthStyle::metric ? QStringLiteral("%1 (%2)").arg(metric, feet) : QStringLiteral("%1 (%2)").arg(feet, metric);
    };
    double angle = std::atan2(-d.y(), d.x()) * 57.29577951308232;
    if (angle < -1e-9) angle += 360;
    return PlanView::tr("%1, dx %2, dy %3, angle %4°").arg(both(std::hypot(d.x(), d.y())), both(d.x()), both(d.y()), QLocale().toString(angle + 0.0, 'f', 1));
  }

  /// Free floor round a point, along x and along y: up to the next thing that stands there, or the edge of the hall.
  struct Clear {
    double left = 0, right = 0, top = 0, bottom = 0; ///< scene
    bool known = false;
  };
  [[nodiscard]] Clear clear_at(const QPointF& q) const {
    Clear out;
    const HallShape* h = model.hall_at(q);
    if (!h) return out;
    out = {-1e9, 1e9, -1e9, 1e9, true};
    const auto n = h->outline.size();
    for (qsizetype i = 0; i < n; ++i) {
      const QPointF a = h->outline[i], b = h->outline[(i + 1) % n];
      if ((a.y() > q.y()) != (b.y() > q.y())) {
        const double x = a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
        (x <= q.x() ? out.left : out.right) = x <= q.x() ? std::max(out.left, x) : std::min(out.right, x);
      }
      if ((a.x() > q.x()) != (b.x() > q.x())) {
        const double y = a.y() + (q.x() - a.x()) / (b.x() - a.x()) * (b.y() - a.y());
        (y <= q.y() ? out.top : out.bottom) = y <= q.y() ? std::max(out.top, y) : std::min(out.bottom, y);
      }
    }
    for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
      const auto& objects = model.objects(layer);
      const auto stands = [&](const PlanObject& o) {
        if (layer == PlanLayer::power) return !(*design.power_units)[o.index].elevation;
        if (layer != PlanLayer::structure) return true;
        const auto kind = static_cast<StructureKind>(o.word);
        return kind == StructureKind::column || kind == StructureKind::wall || kind == StructureKind::obstacle;
      };
      model.index(layer).visit(QRectF(QPointF(out.left, q.y()), QPointF(out.right, q.y())), [&](std::uint32_t i) {
        const PlanObject& o = objects[i];
        if (o.y0 >= q.y() || o.y1 <= q.y() || !stands(o)) return;
        if (o.x1 <= q.x()) out.left = std::max(out.left, o.x1);
        else if (o.x0 >= q.x()) out.right = std::min(out.right, o.x0);
        else out.known = false;
      });
      model.index(layer).visit(QRectF(QPointF(q.x(), out.top), QPointF(q.x(), out.bottom)), [&](std::uint32_t i) {
        const PlanObject& o = objects[i];
        if (o.x0 >= q.x() || o.x1 <= q.x() || !stands(o)) return;
        if (o.y1 <= q.y()) out.top = std::max(out.top, o.y1);
        else if (o.y0 >= q.y()) out.bottom = std::min(out.bottom, o.y0);
      });
    }
    return out;
  }

  void paint_measure(const Canvas& c) {
    QPainter* p = c.painter;
    p->setRenderHint(QPainter::Antialiasing, true);
    if (measured.empty()) {
      if (!cursor_known) return;
      if (const Clear clear = clear_at(cursor); clear.known) {
        // The narrower way is the clear width.
        const bool across_x = clear.right - clear.left <= clear.bottom - clear.top;
        const QPointF a = across_x ? QPointF(clear.left, cursor.y()) : QPointF(cursor.x(), clear.top), b = across_x ? QPointF(clear.right, cursor.y()) : QPointF(cursor.x(), clear.bottom);
        const double length = across_x ? b.x() - a.x() : b.y() - a.y();
        paint_dimension(c, {a, b, a, b, length}, mixed(c.colors.accent, c.colors.canvas, 0.2), PlanView::tr("clear %1").arg(exact_length_text(length)));
      }
      const QPointF q = c.point(snapped_cursor());
      p->setPen(QPen(c.colors.accent, 1));
      p->drawLine(q - QPointF(6, 0), q + QPointF(6, 0));
      p->drawLine(q - QPointF(0, 6), q + QPointF(0, 6));
      return;
    }
    const QPointF a = measured[0], b = measured.size() > 1 ? measured[1] : snapped_cursor();
    const QPointF pa = c.point(a), pb = c.point(b);
    p->setPen(QPen(mixed(c.colors.accent, c.colors.canvas, 0.4), 1, Qt::DashLine));
    p->drawLine(pa, QPointF(pb.x(), pa.y()));
    p->drawLine(QPointF(pb.x(), pa.y()), pb);
    p->setPen(QPen(c.colors.accent, 1.6));
    p->drawLine(pa, pb);
    for (const QPointF& q : {pa, pb}) c.tile(QRectF(q - QPointF(3, 3), QSizeF(6, 6)), 3, QPen(c.colors.accent, 1.4), c.colors.panel);
    tag(c, pb, exact_length_text(std::hypot(b.x() - a.x(), b.y() - a.y())));
  }

  void paint_rulers(const Canvas& c) {
    QPainter* p = c.painter;
    const QRect v = view.viewport()->rect();
    p->setRenderHint(QPainter::Antialiasing, false);
    p->fillRect(QRect(0, 0, v.width(), ruler_side), c.colors.panel);
    p->fillRect(QRect(0, 0, ruler_side, v.height()), c.colors.panel);
    const bool feet = length_style() == LengthStyle::imperial;
    const double unit = feet ? 304.8 : 1000;
    static const double steps[] = {0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    double step = steps[std::size(steps) - 1] * unit;
    for (double s : steps)
      if (s * unit * c.scale >= 64) {
        step = s * unit;
        break;
      }
    const HallShape* h = model.halls().empty() ? nullptr : &model.halls().front();
    const QPointF zero = h ? h->offset : QPointF();
    const QFont f = c.font(9.5);
    const QColor tick = mixed(c.colors.quiet, c.colors.panel, 0.5);
    const int decimals = step < 0.0999 * unit ? 2 : step < 0.999 * unit ? 1 : 0;
    for (int axis = 0; axis < 2; ++axis) {
      const double from = axis == 0 ? c.origin.x() : c.origin.y();
      const double shift = axis == 0 ? zero.x() : zero.y();
      const double length = axis == 0 ? v.width() : v.height();
      const double minor = step / (step * c.scale > 100 ? 10 : 5);
      auto i = static_cast<long long>(std::floor((-from / c.scale - shift) / minor));
      for (;; ++i) {
        const double mm = static_cast<double>(i) * minor;
        const double px = std::round(from + (mm + shift) * c.scale);
        if (px > length) break;
        if (px < ruler_side) continue;
        const bool major = std::abs(mm / step - std::round(mm / step)) < 1e-6;
        const double tall = major ? 8 : 4;
        if (axis == 0)
          c.hairline(QPointF(px, ruler_side - tall), QPointF(px, ruler_side), tick);
        else
          c.hairline(QPointF(ruler_side - tall, px), QPointF(ruler_side, px), tick);
        if (!major) continue;
        const QString words = QLocale().toString(mm / unit, 'f', decimals);
        if (axis == 0) {
          c.text(QRectF(px + 3, 1, 60, 12), Qt::AlignLeft | Qt::AlignVCenter, words, f, c.colors.quiet);
        } else {
          c.text_turned(QRectF(1, px - 63, 12, 60), Qt::AlignLeft, words, f, c.colors.quiet);
        }
      }
    }
    if (cursor_known) {
      const QPointF q = c.point(cursor);
      p->setPen(QPen(c.colors.accent, 1));
      if (q.x() >= ruler_side) p->drawLine(QPointF(std::round(q.x()), 0), QPointF(std::round(q.x()), ruler_side - 1));
      if (q.y() >= ruler_side) p->drawLine(QPointF(0, std::round(q.y())), QPointF(ruler_side - 1, std::round(q.y())));
    }
    p->fillRect(QRect(0, 0, ruler_side, ruler_side), c.colors.panel);
    c.text(QRectF(0, 0, ruler_side, ruler_side), Qt::AlignCenter, feet ? QStringLiteral("ft") : QStringLiteral("m"), f, c.colors.quiet);
    p->setPen(QPen(c.colors.border, 0));
    p->drawLine(0, ruler_side, v.width(), ruler_side);
    p->drawLine(ruler_side, 0, ruler_side, v.height());
  }

  void redraw() { view.viewport()->update(); }

  // --- what is shown ---------------------------------------------------------------------------------------------------

  void refresh_model() {
    model.update(design, catalog, hall);
    update_values();
    const QRectF extent = model.extent();
    QRectF room = extent.isNull() ? QRectF(0, 0, 40000, 25000) : extent;
    room.adjust(-room_around, -room_around, room_around, room_around);
    // The room only grows, so that the view does not jump while something is dragged outwards.
    const QRectF present = scene.sceneRect();
    if (!present.contains(room.adjusted(room_around / 2, room_around / 2, -room_around / 2, -room_around / 2)) || present.isNull()) {
      scene.setSceneRect(room);
      for (LayerItem* item : layer_items) item->setExtent(room);
      for (LayerItem* item : {outline_item, selection_item, tool_item}) item->setExtent(room);
    }
    redraw();
  }

  std::uint64_t values_version = ~0ull;
  const void* values_evaluation = nullptr;
  Overlay values_overlay = Overlay::none;
  void update_values() {
    if (values_version == model.version(PlanLayer::racks) && values_evaluation == evaluation.get() && values_overlay == overlay) return;
    values_version = model.version(PlanLayer::racks), values_evaluation = evaluation.get(), values_overlay = overlay;
    values = overlay_values(model, evaluation, overlay);
  }

  void set_selected(std::vector<EntityRef> next, bool tell) {
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    if (next == selected) return;
    selected = std::move(next);
    active_corner = -1;
    selected_ids.clear();
    for (const EntityRef& e : selected) selected_ids.insert(e.id);
    redraw();
    if (tell) Q_EMIT view.selectionChanged(selected);
  }
  [[nodiscard]] bool is_selected(const EntityRef& e) const { return std::binary_search(selected.begin(), selected.end(), e); }

  void hint(const QString& words) {
    if (words == last_hint) return;
    last_hint = words;
    Q_EMIT view.hintChanged(words);
  }
  void tool_hint() {
    switch (tool) {
    case PlanTool::select: hint({}); break;
    case PlanTool::pan: hint(PlanView::tr("Drag to move the view. Esc ends.")); break;
    case PlanTool::place: hint(PlanView::tr("Click where it should stand. R turns it, Esc ends.")); break;
    case PlanTool::row:
      hint(hallwright::find(*design.rack_types, row_type()) ? PlanView::tr("Press where the first rack stands and drag along the row. Esc ends.") : PlanView::tr("Choose a rack type first."));
      break;
    case PlanTool::measure:
      if (measured.size() == 2)
        hint(measure_words(measured[0], measured[1]));
      else
        hint(measured.empty() ? PlanView::tr("Click the first point. Esc ends.") : PlanView::tr("Click the second point."));
      break;
    default: hint(drawing.hint()); break;
    }
  }
  [[nodiscard]] Id row_type() const {
    if (row_settings.rack_type == 0 && design.rack_types->size() == 1) return design.rack_types->front().id;
    return row_settings.rack_type;
  }

  // --- finding ---------------------------------------------------------------------------------------------------------

  static double distance_to(const QPointF& q, const QPointF& a, const QPointF& b) {
    const QPointF ab = b - a;
    const double length2 = QPointF::dotProduct(ab, ab);
    const double s = length2 > 0 ? std::clamp(QPointF::dotProduct(q - a, ab) / length2, 0.0, 1.0) : 0;
    const QPointF d = q - (a + s * ab);
    return std::hypot(d.x(), d.y());
  }
  static double distance_along(const QPointF& q, const QPolygonF& points, bool closed) {
    double best = 1e12;
    for (qsizetype i = 0; i + (closed ? 0 : 1) < points.size(); ++i) best = std::min(best, distance_to(q, points[i], points[(i + 1) % points.size()]));
    return best;
  }
  /// What is drawn by lines is hit at its lines: what stands under a run or in a zone stays in reach.
  [[nodiscard]] Id hit_drawn(PlanLayer layer, const QPointF& q) const {
    const double reach = 5 / scale();
    const auto& objects = model.objects(layer);
    Id found = 0;
    std::uint32_t best = 0;
    const double around = layer == PlanLayer::dimensions ? 20 / scale() : reach;
    model.index(layer).visit(QRectF(q - QPointF(around, around), QSizeF(2 * around, 2 * around)), [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      bool on = false;
      switch (layer) {
      case PlanLayer::notes: {
        QRectF box = o.box();
        box.setSize(box.size().expandedTo(QSizeF(12 / scale(), 12 / scale())));
        on = o.turns < 0 ? o.corners().containsPoint(q, Qt::OddEvenFill) : box.adjusted(-reach / 2, -reach / 2, reach / 2, reach / 2).contains(q);
        break;
      }
      case PlanLayer::dimensions: {
        const DimensionLine& d = model.dimension(o);
        on = distance_to(q, d.from, d.to) < reach;
        // Its words stand above the line, or left of an upright one.
        const QPointF middle = (d.from + d.to) / 2 - q;
        const bool upright = std::abs(d.from.x() - d.to.x()) < std::abs(d.from.y() - d.to.y());
        const double along = std::abs(upright ? middle.y() : middle.x()), off = upright ? middle.x() : middle.y();
        on = on || (along < 22 / scale() && off > 0 && off < 16 / scale());
        break;
      }
      case PlanLayer::trays:
      case PlanLayer::pipes: {
        const QPolygonF* path = model.points(layer, o);
        if (!path) break;
        const double d = distance_along(q, *path, false);
        on = d < reach || std::abs(d - o.width / 2) < reach || (o.width * scale() < 14 && d < o.width / 2);
        break;
      }
      case PlanLayer::zones: {
        const QPolygonF* shape = model.points(layer, o);
        on = shape && distance_along(q, *shape, true) < reach;
        break;
      }
      default: on = distance_along(q, o.corners(), true) < reach; break;
      }
      if (on && (!found || i > best)) best = i, found = o.id;
    });
    return found;
  }

  /// The uppermost thing under a point, and what else can be picked: hall outlines. Empty table: nothing.
  [[nodiscard]] EntityRef hit(const QPointF& q, bool even_locked_layers = false) const {
    const double slack = 3 / scale();
    for (PlanLayer layer : {PlanLayer::dimensions, PlanLayer::notes, PlanLayer::trays, PlanLayer::pipes}) {
      if (!visible[at(layer)] || (locked[at(layer)] && !even_locked_layers)) continue;
      if (const Id id = hit_drawn(layer, q)) return {table_of_layer(layer), id};
    }
    for (PlanLayer layer : {PlanLayer::racks, PlanLayer::liquid, PlanLayer::power, PlanLayer::structure}) {
      if (!visible[at(layer)] || (locked[at(layer)] && !even_locked_layers)) continue;
      const auto& objects = model.objects(layer);
      const bool thin = layer != PlanLayer::racks;
      const double reach = thin ? slack : 0;
      const QRectF around(q.x() - reach - 0.01, q.y() - reach - 0.01, 2 * reach + 0.02, 2 * reach + 0.02);
      std::uint32_t best = 0;
      bool found = false;
      model.index(layer).visit(around, [&](std::uint32_t i) {
        const PlanObject& o = objects[i];
        const QRectF box = o.box();
        if (!box.adjusted(-reach, -reach, reach, reach).contains(q)) return;
        if (o.turns < 0 && !o.corners().containsPoint(q, Qt::OddEvenFill)) return;
        if (!found || i > best) best = i, found = true;
      });
      if (found) return {table_of_layer(layer), objects[best].id};
    }
    for (PlanLayer layer : {PlanLayer::air, PlanLayer::zones}) {
      if (!visible[at(layer)] || (locked[at(layer)] && !even_locked_layers)) continue;
      if (const Id id = hit_drawn(layer, q)) return {table_of_layer(layer), id};
    }
    if (visible[at(PlanLayer::dimensions)] && (!locked[at(PlanLayer::dimensions)] || even_locked_layers))
      for (const GuideLine& g : model.guides())
        if (std::abs((g.upright ? q.x() : q.y()) - g.at) < 4 / scale()) return {"guides", g.id};
    if (locked[at(PlanLayer::structure)] && !even_locked_layers) return {};
    const double edge = 6 / scale();
    for (const HallShape& h : model.halls())
      for (int i = 0; i < h.outline.size(); ++i) {
        if (distance_to(q, h.outline[i], h.outline[(i + 1) % h.outline.size()]) < edge) return {"halls", h.id};
      }
    return {};
  }

  [[nodiscard]] bool movable(const EntityRef& e) const {
    if (e.table == "guides") {
      const GuideLine* g = model.guide(e.id);
      return g && !g->locked && !locked[at(PlanLayer::dimensions)];
    }
    PlanLayer layer = PlanLayer::racks;
    const PlanObject* o = model.find(e, &layer);
    return o && !o->locked && !locked[at(layer)];
  }
  /// With the rest of their groups.
  [[nodiscard]] std::vector<EntityRef> grouped(std::vector<EntityRef> what) const {
    return design.groups->empty() ? what : with_group_members(design, what);
  }
  [[nodiscard]] std::vector<EntityRef> movable_selection() const {
    std::vector<EntityRef> out;
    for (const EntityRef& e : selected)
      if (movable(e)) out.push_back(e);
    return out;
  }

  std::vector<EntityRef> band_entities() const {
    std::vector<EntityRef> out;
    for (PlanLayer layer : all_layers) {
      if (!visible[at(layer)] || locked[at(layer)] || layer == PlanLayer::underlay) continue;
      std::vector<EntityRef> part = in_band(model, layer, band, band_contains);
      out.insert(out.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
    return out;
  }

  // --- snapping --------------------------------------------------------------------------------------------------------

  [[nodiscard]] SnapSettings settings_at(const QPointF& q) const {
    SnapSettings s;
    s.grid_mm = grid;
    s.reach_mm = snap_pixels / scale();
    for (PlanLayer layer : all_layers) s.visible[at(layer)] = visible[at(layer)];
    if (const HallShape* h = model.hall_at(q)) {
      s.grid_origin = h->offset;
      if (h->tile > 0 && grid > 0) s.grid_mm = h->tile, s.grid_origin = h->tile_corner, s.tiles = true;
    }
    return s;
  }
  [[nodiscard]] static bool suspended(Qt::KeyboardModifiers m) { return m & Qt::AltModifier; }

  QPointF outline_point(const QPointF& q, Qt::KeyboardModifiers m) {
    QPointF p = q;
    const bool free = suspended(m);
    if (!free && snapping) {
      snap = snap_point(model, q, settings_at(q));
      p += QPointF(snap.dx, snap.dy);
    } else {
      snap = {};
    }
    if (drawing.active()) {
      // What binds the point may take it off what was caught.
      const QPointF bound = drawing.constrained(p, m & Qt::ShiftModifier);
      if (std::abs(bound.x() - p.x()) > 0.05 || std::abs(bound.y() - p.y()) > 0.05) snap.guides.clear();
      if (std::abs(bound.x() - p.x()) > 0.05) snap.x_words.clear();
      if (std::abs(bound.y() - p.y()) > 0.05) snap.y_words.clear();
      return bound;
    }
    return p;
  }

  // --- drawing, handles, guides ------------------------------------------------------------------------------------------

  void commit_drawn(const Edit& edit) {
    touched = true; // what was drawn here stays where it was drawn
    snap = {};
    Q_EMIT view.editRequested(edit, true);
  }

  [[nodiscard]] std::optional<Handle> handle_at(const QPoint& at) const {
    std::optional<Handle> best;
    double nearest = 8;
    for (const Handle& h : present_handles()) {
      const QPointF d = view.viewportTransform().map(h.at) - QPointF(at);
      // Corners lie above the middles of sides.
      const double distance = std::hypot(d.x(), d.y()) + (h.kind == Handle::Kind::middle ? 1.5 : 0);
      if (distance < nearest) nearest = distance, best = h;
    }
    return best;
  }

  void hold(const Handle& handle) {
    held = handle;
    held_edit.reset();
    held_words.clear();
    held_what = handle.kind == Handle::Kind::turn ? movable_selection() : selected;
    held_shape = shape_of(model, selected.front());
    if (const PlanObject* o = model.find(selected.front())) held_object = *o;
    QRectF box;
    for (const EntityRef& e : held_what)
      if (const PlanObject* o = model.find(e)) box = box.united(o->box());
    held_center = box.center();
    active_corner = handle.kind == Handle::Kind::corner ? handle.index : -1;
    gesture = Gesture::handle;
  }

  void handle_to(const QPointF& q, Qt::KeyboardModifiers m) {
    const EntityRef& entity = selected.front();
    if (held.kind == Handle::Kind::turn) {
      const QPointF from = held.at - held_center, to = q - held_center;
      if (std::hypot(to.x(), to.y()) * scale() < 4) return;
      double turn = (std::atan2(to.y(), to.x()) - std::atan2(from.y(), from.x())) * 57.29577951308232;
      constexpr double notch = 15;
      const double base = held_what.size() == 1 && held_object.points < 0 ? held_object.angle : 0;
      turn = suspended(m) ? std::round(turn * 10) / 10 : std::round((turn + base) / notch) * notch - base;
      turn = std::remainder(turn, 360.0);
      const double shown = std::fmod(base + turn + 720, 360.0);
      held_words = QLocale().toString(shown, 'f', std::abs(shown - std::round(shown)) < 0.05 ? 0 : 1) + QStringLiteral("°");
      snap = {};
      if (std::abs(turn) < 1e-9) held_edit = Edit{"", [](const Design& d) -> Edited { return d; }};
      else held_edit = turn_edit(design, catalog, held_what, turn);
    } else {
      QPointF p = q;
      snap = {};
      if (snapping && !suspended(m)) {
        SnapSettings s = settings_at(q);
        s.skip = entity.id;
        snap = snap_point(model, q, s);
        p += QPointF(snap.dx, snap.dy);
      }
      if (held.kind == Handle::Kind::side) {
        const NewBox box = dragged_box(model, held_object, held, p);
        held_words = QStringLiteral("%1 × %2").arg(exact_length_text(box.width), exact_length_text(box.depth));
        held_edit = resize_edit(design, entity, box);
      } else {
        QPolygonF shape = held_shape;
        const int i = held.kind == Handle::Kind::middle ? held.index + 1 : held.index;
        if (held.kind == Handle::Kind::middle) shape.insert(i, p);
        const auto n = static_cast<int>(shape.size());
        const bool closed = entity.table == "halls" || entity.table == "zones";
        const bool has_before = closed || i > 0, has_after = closed || i + 1 < n;
        const QPointF before = shape[(i + n - 1) % n], after = shape[(i + 1) % n];
        if (m & Qt::ShiftModifier) {
          // Right angles: on the axes of its neighbours.
          const QPointF beside = has_before ? before : after;
          (std::abs(p.x() - beside.x()) < std::abs(p.y() - beside.y()) ? p.rx() : p.ry()) = std::abs(p.x() - beside.x()) < std::abs(p.y() - beside.y()) ? beside.x() : beside.y();
        }
        shape[i] = p;
        QStringList sides;
        for (const auto& [present, other] : {std::pair{has_before, before}, std::pair{has_after, after}})
          if (present) sides << exact_length_text(std::hypot(p.x() - other.x(), p.y() - other.y()));
        held_words = sides.join(QStringLiteral(" · "));
        held_edit = points_edit(design, entity, shape.translated(-origin_of(entity)));
      }
    }
    hint(held_words);
    preview(*held_edit);
    redraw();
  }

  [[nodiscard]] QPointF origin_of(const EntityRef& e) const {
    if (e.table == "halls") return model.origin(e.id);
    const PlanObject* o = model.find(e);
    return o ? model.origin(o->hall) : QPointF();
  }

  void finish_handle() {
    gesture = Gesture::none;
    snap = {};
    held_words.clear();
    const bool changes = held_edit && !held_edit->label.empty();
    end_preview(!changes);
    if (changes) Q_EMIT view.editRequested(*held_edit, false);
    held_edit.reset();
    tool_hint();
    redraw();
  }

  /// Takes a corner out of the one selected thing; false when there is none to take.
  bool remove_corner(int index) {
    if (selected.size() != 1 || index < 0) return false;
    const EntityRef entity = selected.front();
    QPolygonF shape = shape_of(model, entity);
    if (index >= shape.size()) return false;
    const bool closed = entity.table == "halls" || entity.table == "zones";
    if (shape.size() <= (closed ? 3 : 2)) {
      hint(closed ? PlanView::tr("Three corners are the fewest that enclose a floor.") : PlanView::tr("A run needs at least two points."));
      return true;
    }
    shape.remove(index);
    active_corner = -1;
    Q_EMIT view.editRequested(points_edit(design, entity, shape.translated(-origin_of(entity))), false);
    return true;
  }

  void guide_to(const QPointF& q, Qt::KeyboardModifiers m) {
    guide_at = guide_upright ? q.x() : q.y();
    QString words;
    if (snapping && !suspended(m)) guide_at = snap_guide(model, q, guide_upright, settings_at(q), &words);
    snap = {};
    (guide_upright ? snap.x_words : snap.y_words) = words;
    const HallShape* h = model.hall_at(q);
    const QPointF origin = h ? h->offset : model.halls().empty() ? QPointF() : model.halls().front().offset;
    guide_words = exact_length_text(guide_at - (guide_upright ? origin.x() : origin.y()));
    const bool back = over_ruler(view.viewportTransform().map(q).toPoint());
    if (back) guide_words = gesture == Gesture::guide ? PlanView::tr("remove") : PlanView::tr("no guide");
    hint(words.isEmpty() ? guide_words : QStringLiteral("%1 · %2").arg(guide_words, words));
    redraw();
  }
  static bool over_ruler(const QPoint& at) { return at.x() < ruler_side || at.y() < ruler_side; }

  void finish_guide(const QPoint& at) {
    const bool fresh = gesture == Gesture::new_guide;
    gesture = Gesture::none;
    snap = {};
    const HallShape* h = nullptr;
    if (fresh) {
      h = model.hall_at(cursor);
      if (!h && !model.halls().empty()) h = &model.halls().front();
    }
    if (over_ruler(at)) {
      if (!fresh) Q_EMIT view.editRequested(remove_guide_edit(held_guide), false);
    } else if (fresh) {
      const QPointF origin = h ? h->offset : QPointF();
      Q_EMIT view.editRequested(guide_edit(h ? h->id : 0, guide_upright, guide_at - (guide_upright ? origin.x() : origin.y())), true);
    } else if (const GuideLine* g = model.guide(held_guide)) {
      const QPointF origin = model.origin(g->hall);
      Q_EMIT view.editRequested(move_guide_edit(held_guide, guide_at - (guide_upright ? origin.x() : origin.y())), false);
    }
    tool_hint();
    update_cursor();
    redraw();
  }
  QPointF snapped = QPointF();
  [[nodiscard]] QPointF snapped_cursor() const { return snapped; }

  void tell_cursor(const QPointF& q) {
    const HallShape* h = model.hall_at(q);
    const QPointF own = h ? q - h->offset : model.halls().size() == 1 ? q - model.halls().front().offset : q;
    Q_EMIT view.cursorMoved(own.x(), own.y(), snap.words());
  }

  // --- previews --------------------------------------------------------------------------------------------------------

  void preview(Edit edit) {
    pending = std::move(edit);
    if (!since_preview.isValid() || since_preview.elapsed() >= preview_interval)
      flush_preview();
    else if (!preview_timer.isActive())
      preview_timer.start(preview_interval - static_cast<int>(since_preview.elapsed()));
  }
  void flush_preview() {
    preview_timer.stop();
    if (!pending) return;
    const Edit edit = std::move(*pending);
    pending.reset();
    since_preview.start();
    previewed = true;
    Q_EMIT view.previewRequested(edit);
  }
  void end_preview(bool cancelled) {
    preview_timer.stop();
    pending.reset();
    if (cancelled && previewed) Q_EMIT view.previewCancelled();
    previewed = false;
  }

  // --- gestures --------------------------------------------------------------------------------------------------------

  void begin_drag() {
    moving = movable_selection();
    if (moving.empty()) {
      gesture = Gesture::none;
      hint(PlanView::tr("What is selected is locked. Unlock it in the inspector or in its layer."));
      return;
    }
    gesture = Gesture::drag;
    moving_ids.clear();
    moving_centers.clear();
    ghosts.clear();
    moving_box = {};
    moved = {};
    for (const EntityRef& e : moving) {
      moving_ids.insert(e.id);
      const PlanObject* o = model.find(e);
      if (!o) continue;
      moving_box = moving_box.united(o->box());
      moving_centers.emplace_back(e, o->center());
      if (ghosts.size() < 3000) ghosts.push_back(o->box());
    }
    view.viewport()->setCursor(Qt::SizeAllCursor);
  }

  [[nodiscard]] Edit drag_edit() const {
    if (moving.size() == 1 && moving.front().table == "dimensions") {
      // A dimension stays where it measures; its line moves.
      const Dimension* d = hallwright::find(*design.dimensions, moving.front().id);
      const PlanObject* o = model.find(moving.front());
      const double offset = d && o ? dimension_offset(*d, model.dimension(*o)) : 0;
      return {PlanView::tr("Move dimension").toStdString(),
              [ref = moving.front(), offset](const Design& design) -> Edited { return set_field(design, ref, "offset", FieldValue(offset / 1000.0)); }};
    }
    std::vector<std::pair<EntityRef, Id>> new_halls;
    if (model.halls().size() > 1)
      for (const auto& [e, center] : moving_centers) {
        const HallShape* to = model.hall_at(center + moved);
        const HallShape* from = model.hall_at(center);
        if (to && from && to != from && to->offset == from->offset) new_halls.emplace_back(e, to->id);
      }
    Edit edit = move_edit(moving, moved.x(), moved.y(), new_halls);
    edit.label = PlanView::tr("Move %1").arg(naming(design, moving)).toStdString();
    return edit;
  }

  [[nodiscard]] double dimension_offset(const Dimension& d, const DimensionLine& line) const {
    const QPointF at = cursor + QPointF(snap.dx, snap.dy);
    if (d.direction == DimensionDirection::along_x) return tidy(at.y() - line.start.y());
    if (d.direction == DimensionDirection::along_y) return tidy(line.start.x() - at.x());
    const QPointF u = (line.end - line.start) / std::max(1e-9, std::hypot((line.end - line.start).x(), (line.end - line.start).y()));
    return tidy(QPointF::dotProduct(at - line.start, QPointF(-u.y(), u.x())));
  }

  void drag_to(const QPointF& q, Qt::KeyboardModifiers m) {
    if (moving.size() == 1 && moving.front().table == "dimensions") {
      snap = {};
      if (snapping && !suspended(m)) {
        SnapSettings s = settings_at(q);
        s.visible[at(PlanLayer::dimensions)] = false; // its own line
        snap = snap_point(model, q, s);
      }
      cursor = q;
      moved = q - press;
      preview(drag_edit());
      redraw();
      return;
    }
    QPointF d = q - press;
    if (snapping && !suspended(m)) {
      // Near either axis of the press a move stays on that axis with Shift.
      if (m & Qt::ShiftModifier) (std::abs(d.x()) > std::abs(d.y()) ? d.ry() : d.rx()) = 0;
      snap = snap_box(model, moving_box.translated(d), moving_ids, settings_at(moving_box.translated(d).center()));
      if (m & Qt::ShiftModifier) (std::abs(d.x()) > std::abs(d.y()) ? snap.dy : snap.dx) = 0;
      d += QPointF(snap.dx, snap.dy);
    } else {
      snap = {};
    }
    d = QPointF(std::round(d.x() * 10) / 10, std::round(d.y() * 10) / 10); // a tenth of a millimetre
    if (d != moved) {
      moved = d;
      preview(drag_edit());
    }
    redraw();
  }

  void update_row(const QPointF& q, Qt::KeyboardModifiers m) {
    row_plan.reset();
    row_count = 0;
    const RackType* type = hallwright::find(*design.rack_types, row_type());
    if (!type) {
      hint(PlanView::tr("Choose a rack type first."));
      return;
    }
    const HallShape* h = model.hall_at(press);
    if (!h) {
      hint(PlanView::tr("Start the row inside a hall."));
      return;
    }
    static const Catalog none;
    const Footprint f = rack_footprint(catalog ? *catalog : none, *type);
    const double width = in_millimeters(f.width), depth = in_millimeters(f.depth);
    const double pitch = row_settings.pitch_mm > 0 ? row_settings.pitch_mm : width;
    QPointF from = press;
    if (snapping && !suspended(m)) {
      const Snap s = snap_point(model, press, settings_at(press));
      from += QPointF(s.dx, s.dy);
    }
    const QPointF d = q - from;
    row_down = std::abs(d.y()) > std::abs(d.x());
    const double reach = row_down ? d.y() : d.x();
    row_count = std::clamp<Count>(static_cast<Count>(std::llround(std::abs(reach) / pitch)), 1, 2000);
    if (reach < 0) (row_down ? from.ry() : from.rx()) -= pitch * static_cast<double>(row_count);
    RowPlan plan;
    plan.hall = h->id, plan.rack_type = type->id;
    plan.x = millimeters(from.x() - h->offset.x()), plan.y = millimeters(from.y() - h->offset.y());
    plan.racks_per_row = row_count, plan.rows = std::max<Count>(1, row_settings.rows);
    plan.pitch = millimeters(pitch), plan.row_depth = millimeters(depth);
    plan.cold_aisle = millimeters(row_settings.cold_aisle_mm), plan.hot_aisle = millimeters(row_settings.hot_aisle_mm);
    plan.first_row_name = row_settings.first_row_name.toStdString();
    plan.first_number = row_settings.first_number;
    plan.feed_a = row_settings.feed_a, plan.feed_b = row_settings.feed_b, plan.loop = row_settings.loop;
    const double along = pitch * static_cast<double>(row_count - 1) + width;
    double across = 0;
    for (Count r = 0; r < plan.rows; ++r) across += depth + (r + 1 == plan.rows ? 0 : r % 2 == 0 ? row_settings.hot_aisle_mm : row_settings.cold_aisle_mm);
    row_band = row_down ? QRectF(from, QSizeF(across, along)) : QRectF(from, QSizeF(along, across));
    row_plan = plan;
    const Count racks = row_count * plan.rows;
    const QString each = length_text(row_down ? row_band.height() : row_band.width(), 2);
    const QString racks_words = racks == 1 ? PlanView::tr("1 rack") : PlanView::tr("%1 racks").arg(QLocale().toString(static_cast<qlonglong>(racks)));
    row_lines = plan.rows > 1 ? PlanView::tr("%1 in %2 rows · %3").arg(racks_words).arg(plan.rows).arg(each) : QStringLiteral("%1 · %2").arg(racks_words, each);
    tell_row();
    preview(row_edit(plan, row_down, row_settings.count_back, width, depth));
  }
  QString row_lines; ///< "12 racks · 7.20 m"
  void tell_row() {
    row_words = row_lines;
    if (const QString power = row_power(); !power.isEmpty()) row_words += QStringLiteral(" · ") + power;
    hint(row_words);
  }
  /// What the racks under way draw, as the evaluation of the preview has it.
  [[nodiscard]] QString row_power() const {
    if (!evaluation || !row_plan) return {};
    const Table* table = evaluation->figures.table("load.racks");
    const TableColumn* column = table ? table->column("power") : nullptr;
    if (!column || !column->kind) return {};
    double sum = 0;
    Count racks = 0;
    for (auto it = std::lower_bound(table->entities.begin(), table->entities.end(), row_first_id); it != table->entities.end(); ++it) {
      const auto i = static_cast<std::size_t>(it - table->entities.begin());
      if (i >= column->numbers.size() || !std::isfinite(column->numbers[i])) return {};
      sum += column->numbers[i];
      ++racks;
    }
    // Of an older preview, with another number of racks: for each of them.
    if (racks == 0) return {};
    return screen_text(sum / static_cast<double>(racks) * static_cast<double>(row_count * row_plan->rows), *column->kind, 3, column->unit);
  }

  void finish_row() {
    gesture = Gesture::none;
    if (!row_plan) {
      end_preview(true);
      tool_hint();
      redraw();
      return;
    }
    const RackType* type = hallwright::find(*design.rack_types, row_plan->rack_type);
    static const Catalog none;
    const Footprint f = type ? rack_footprint(catalog ? *catalog : none, *type) : Footprint{};
    const Edit edit = row_edit(*row_plan, row_down, row_settings.count_back, in_millimeters(f.width), in_millimeters(f.depth));
    row_plan.reset();
    end_preview(false);
    Q_EMIT view.editRequested(edit, true);
    tool_hint();
    redraw();
  }

  /// Box of the part to place with its centre at the cursor, after snapping.
  void update_place(const QPointF& q, Qt::KeyboardModifiers m) {
    if (!placed) return;
    const bool across = placed_turns % 2;
    const QSizeF size(across ? placed->depth : placed->width, across ? placed->width : placed->depth);
    place_box = QRectF(q - QPointF(size.width() / 2, size.height() / 2), size);
    snap = {};
    if (snapping && !suspended(m)) {
      SnapSettings s = settings_at(q);
      s.reach_mm *= 1.6; // placing beside a neighbour is what is wanted most
      snap = snap_box(model, place_box, {}, s);
      place_box.translate(snap.dx, snap.dy);
    }
    place_known = true;
    redraw();
  }

  /// Row that a rack at this box would stand in: of a rack that touches it side by side.
  [[nodiscard]] Id row_beside(const QRectF& box) const {
    Id row = 0;
    const auto& racks = model.objects(PlanLayer::racks);
    model.index(PlanLayer::racks).visit(box.adjusted(-50, -50, 50, 50), [&](std::uint32_t i) {
      const PlanObject& o = racks[i];
      if (o.turns != placed_turns || !o.group) return;
      const bool in_line = o.turns % 2 == 0 ? std::abs(o.y0 - box.top()) < 20 : std::abs(o.x0 - box.left()) < 20;
      if (in_line && o.box().adjusted(-30, -30, 30, 30).intersects(box) && (row == 0 || o.group < row)) row = o.group;
    });
    return row;
  }

  bool commit_place() {
    if (!placed || !place_known) return false;
    const HallShape* h = model.hall_at(place_box.center());
    if (!h) {
      hint(PlanView::tr("Drop it inside a hall"));
      return false;
    }
    Place place;
    place.hall = h->id;
    place.x = place_box.left() - h->offset.x(), place.y = place_box.top() - h->offset.y();
    place.turns = placed_turns;
    if (placed->layer == PlanLayer::racks) place.row = row_beside(place_box);
    Q_EMIT view.editRequested(place_edit(*placed, place), true);
    return true;
  }

  /// Gives up what is under way; true when there was something.
  bool cancel() {
    const bool busy = gesture != Gesture::none;
    const bool had_preview = previewed || pending;
    gesture = Gesture::none;
    row_plan.reset();
    band_hits.clear();
    snap = {};
    moved = {};
    end_preview(true);
    held_edit.reset();
    held_words.clear();
    const bool had_points = drawing.cancel() || measured.size() == 1;
    if (measured.size() == 1) measured.clear();
    update_cursor();
    redraw();
    return busy || had_preview || had_points;
  }

  void update_cursor() {
    if (gesture == Gesture::pan)
      view.viewport()->setCursor(Qt::ClosedHandCursor);
    else if (gesture == Gesture::guide || gesture == Gesture::new_guide)
      view.viewport()->setCursor(guide_upright ? Qt::SplitHCursor : Qt::SplitVCursor);
    else if (space || tool == PlanTool::pan)
      view.viewport()->setCursor(Qt::OpenHandCursor);
    else if (tool != PlanTool::select)
      view.viewport()->setCursor(Qt::CrossCursor);
    else
      view.viewport()->setCursor(Qt::ArrowCursor);
  }

  // --- view ------------------------------------------------------------------------------------------------------------

  /// Shows `scene_point` at `view_point` with this scale.
  void show_at(double s, const QPointF& scene_point, const QPointF& view_point) {
    s = std::clamp(s, least_scale, most_scale);
    if (s != scale()) view.setTransform(QTransform::fromScale(s, s));
    const QPointF now = view.viewportTransform().map(scene_point);
    view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() + static_cast<int>(std::lround(now.x() - view_point.x())));
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + static_cast<int>(std::lround(now.y() - view_point.y())));
    redraw();
    Q_EMIT view.scaleChanged(view.scalePercent());
  }
  void show_rect(const QRectF& r, double margin_left, double margin_top, double margin_right, double margin_bottom, double largest_scale) {
    const QSizeF room(std::max(50.0, view.viewport()->width() - margin_left - margin_right), std::max(50.0, view.viewport()->height() - margin_top - margin_bottom));
    const double s = std::min({room.width() / std::max(1.0, r.width()), room.height() / std::max(1.0, r.height()), largest_scale});
    show_at(s, r.center(), QPointF(margin_left + room.width() / 2, margin_top + room.height() / 2));
  }
  void pan_by(const QPoint& d) {
    touched = true;
    view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() - d.x());
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() - d.y());
    redraw();
  }

  [[nodiscard]] QString tooltip(const EntityRef& e) const;
};

// --- tooltips ----------------------------------------------------------------------------------------------------------

namespace {

void tip_line(QString& out, const QString& label, const QString& value) {
  if (!value.isEmpty()) out += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(label.toHtmlEscaped(), value.toHtmlEscaped());
}

/// Cell of a table for an entity as words with its unit, empty where there is none.
QString cell(const Figures& figures, const char* table_id, const char* column_id, Id entity) {
  const Table* table = figures.table(table_id);
  if (!table) return {};
  const TableColumn* column = table->column(column_id);
  if (!column || !column->kind) return {};
  const auto it = std::lower_bound(table->entities.begin(), table->entities.end(), entity);
  if (it == table->entities.end() || *it != entity) return {};
  const auto row = static_cast<std::size_t>(it - table->entities.begin());
  if (row >= column->numbers.size() || !std::isfinite(column->numbers[row])) return PlanView::tr("not known");
  return screen_text(column->numbers[row], *column->kind, 3, column->unit);
}

} // namespace

QString PlanView::Private::tooltip(const EntityRef& e) const {
  if (e.table.empty()) return {};
  QString rows;
  const auto named = [&](const char* table, Id id) { return id ? to_qstring(entity_name(design, {table, id})) : QString(); };
  PlanLayer layer = PlanLayer::racks;
  const PlanObject* o = model.find(e, &layer);
  if (e.table == "halls") {
    if (const HallShape* h = model.hall(e.id)) tip_line(rows, tr("Size"), QStringLiteral("%1 × %2").arg(length_text(h->box.width()), length_text(h->box.height())));
  } else if (o && e.table == "racks") {
    const Rack& r = (*design.racks)[o->index];
    tip_line(rows, tr("Type"), named("rack_types", r.rack_type));
    if (evaluation) {
      tip_line(rows, tr("Power"), cell(evaluation->figures, "load.racks", "power", r.id));
      tip_line(rows, tr("Floor load"), cell(evaluation->figures, "space.racks", "floor_load", r.id));
      tip_line(rows, tr("Coolant"), cell(evaluation->figures, "cooling.racks", "flow", r.id));
    }
    const QString a = named("power_units", r.feed_a), b = named("power_units", r.feed_b);
    tip_line(rows, tr("Feeds"), a.isEmpty() && b.isEmpty() ? tr("none") : QStringLiteral("A: %1  B: %2").arg(a.isEmpty() ? tr("none") : a, b.isEmpty() ? tr("none") : b));
    tip_line(rows, tr("Loop"), r.loop ? named("loops", r.loop) : tr("none"));
    if (!o->known_size) tip_line(rows, tr("Size"), tr("not known: drawn with a stand-in"));
  } else if (o && layer != PlanLayer::notes) {
    tip_line(rows, tr("Kind"), layer_object_kind(layer, o->word));
    if (layer == PlanLayer::power) {
      const PowerUnit& u = (*design.power_units)[o->index];
      if (u.rating)
        for (const FieldInfo& f : table_fields("power_units"))
          if (f.name == "rating")
            if (auto v = get_field(design, e, "rating")) tip_line(rows, tr("Rating"), screen_field(f, *v));
      tip_line(rows, tr("Fed by"), named("power_units", u.upstream));
    }
    if (layer == PlanLayer::liquid) tip_line(rows, tr("Loop"), named("loops", (*design.cooling_units)[o->index].loop));
    if (layer == PlanLayer::trays || layer == PlanLayer::pipes) {
      const QPolygonF* path = model.points(layer, *o);
      double run = 0;
      for (qsizetype i = 0; path && i + 1 < path->size(); ++i) run += std::hypot((*path)[i + 1].x() - (*path)[i].x(), (*path)[i + 1].y() - (*path)[i].y());
      tip_line(rows, tr("Length"), length_text(run, 2));
      const Length level = layer == PlanLayer::trays ? (*design.trays)[o->index].elevation : (*design.pipes)[o->index].elevation;
      tip_line(rows, layer == PlanLayer::trays ? tr("Width") : tr("Inner diameter"), size_text(o->width));
      tip_line(rows, tr("Level"), level_text(in_millimeters(level)));
      if (layer == PlanLayer::pipes) tip_line(rows, tr("Loop"), named("loops", (*design.pipes)[o->index].loop));
    } else if (layer == PlanLayer::dimensions) {
      const Dimension& d = (*design.dimensions)[o->index];
      tip_line(rows, tr("Length"), exact_length_text(model.dimension(*o).length));
      const auto fixed = [&](Id thing) { return thing ? to_qstring(entity_name(design, {table_of(design, thing), thing})) : tr("the floor"); };
      tip_line(rows, tr("From"), fixed(d.start));
      tip_line(rows, tr("To"), fixed(d.end));
    } else {
      tip_line(rows, tr("Size"), o->known_size ? QStringLiteral("%1 × %2").arg(length_text(o->width, 2), length_text(o->depth, 2)) : tr("not known: drawn with a stand-in"));
    }
    if (layer == PlanLayer::zones)
      for (const FieldInfo& f : table_fields("zones"))
        if (f.type == FieldType::number)
          if (auto v = get_field(design, e, f.name); v && !std::holds_alternative<std::monostate>(*v)) tip_line(rows, to_qstring(f.label), screen_field(f, *v));
    if (layer == PlanLayer::air) tip_line(rows, tr("Height"), length_text(in_millimeters((*design.containments)[o->index].height), 2));
  } else if (e.table == "guides") {
    if (const Guide* g = hallwright::find(*design.guides, e.id)) tip_line(rows, g->axis == GuideAxis::x ? tr("At x") : tr("At y"), exact_length_text(in_millimeters(g->position)));
  }
  if (o && o->set) tip_line(rows, tr("Group"), named("groups", o->set));
  if (o && o->locked) tip_line(rows, tr("Locked"), tr("yes"));
  if (wrong.count(e.id)) tip_line(rows, tr("Place"), tr("outside its hall, or on top of another thing"));
  const QString name = e.table == "dimensions" ? tr("Dimension") : e.table == "guides" ? tr("Guide") : layer == PlanLayer::notes && o ? QString::fromStdString(model.name(layer, *o)) : to_qstring(entity_name(design, e));
  return QStringLiteral("<b>%1</b><table>%2</table>").arg(name.toHtmlEscaped(), rows);
}

// --- the view ----------------------------------------------------------------------------------------------------------

PlanView::PlanView(QWidget* parent) : QGraphicsView(parent), d_(std::make_unique<Private>(*this)) {
  setObjectName(QStringLiteral("plan"));
  setAccessibleName(tr("Hall plan"));
  setAccessibleDescription(tr("What stands on the plan is also listed in the outline."));
  setScene(&d_->scene);
  d_->make_items();
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setTransformationAnchor(QGraphicsView::NoAnchor);
  setResizeAnchor(QGraphicsView::NoAnchor);
  setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
  setFocusPolicy(Qt::StrongFocus);
  setAcceptDrops(true);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // the background is painted whole
  viewport()->grabGesture(Qt::PinchGesture);
  setMinimumSize(160, 120);
  d_->preview_timer.setSingleShot(true);
  connect(&d_->preview_timer, &QTimer::timeout, this, [this] { d_->flush_preview(); });
  connect(&UnderlayFiles::shared(), &UnderlayFiles::changed, this, [this] { d_->redraw(); });
  d_->refresh_model();
  setTransform(QTransform::fromScale(0.03, 0.03));
}

PlanView::~PlanView() = default;

void PlanView::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool was_empty = d_->model.empty();
  d_->design = design;
  d_->catalog = catalog;
  d_->refresh_model();
  if (was_empty && !d_->model.empty() && !d_->touched && isVisible() && d_->gesture == Gesture::none) zoomToFit();
}

void PlanView::setEvaluation(const SharedEvaluation& evaluation) {
  if (evaluation == d_->evaluation) return;
  d_->evaluation = evaluation;
  d_->wrong = misplaced(evaluation);
  d_->update_values();
  if (d_->gesture == Gesture::row && d_->row_plan) d_->tell_row();
  d_->redraw();
}

void PlanView::setHall(Id hall) {
  if (hall == d_->hall) return;
  d_->hall = hall;
  d_->refresh_model();
}
Id PlanView::hall() const { return d_->hall; }

void PlanView::setSelection(const std::vector<EntityRef>& selection) { d_->set_selected(selection, false); }
std::vector<EntityRef> PlanView::selection() const { return d_->selected; }

void PlanView::setTool(PlanTool tool) {
  if (tool != d_->tool) {
    d_->cancel();
    d_->tool = tool;
    d_->measured.clear();
    d_->place_known = false;
    if (tool != PlanTool::place) d_->placed.reset(), d_->placed_text.clear(), d_->placed_turns = 0;
    d_->drawing.start(tool);
    if (const auto kind = structure_of(tool)) {
      // A click puts one of customary size, as if it came from Parts.
      PlacedPart part;
      part.layer = PlanLayer::structure;
      part.word = std::string(ChoiceWords<StructureKind>::words[static_cast<std::size_t>(*kind)]);
      customary_size(*kind, part.width, part.depth);
      d_->placed = part;
      if (d_->cursor_known) d_->update_place(d_->cursor, {});
    }
    d_->update_cursor();
    d_->tool_hint();
    Q_EMIT toolChanged(tool);
  } else {
    d_->tool_hint();
  }
  d_->redraw();
}
PlanTool PlanView::tool() const { return d_->tool; }
void PlanView::setRowSettings(const RowToolSettings& settings) {
  d_->row_settings = settings;
  if (d_->tool == PlanTool::row && d_->gesture == Gesture::none) d_->tool_hint();
}

void PlanView::setDrawSettings(const DrawSettings& settings) {
  d_->draw_settings = settings;
  d_->redraw();
}

void PlanView::setLengthStyle(LengthStyle style) { set_length_style(style); }
LengthStyle PlanView::lengthStyle() { return length_style(); }

void PlanView::setPlacedPart(const QString& part) {
  setTool(PlanTool::place);
  d_->placed_text = part;
  d_->placed = read_part(part, d_->design, d_->catalog);
  d_->placed_turns = 0;
  if (!d_->placed) d_->hint(tr("This part cannot be placed on the plan."));
  if (d_->cursor_known && d_->placed) d_->update_place(d_->cursor, {});
}

void PlanView::setOverlay(Overlay overlay) {
  d_->overlay = overlay;
  d_->update_values();
  d_->redraw();
}
Overlay PlanView::overlay() const { return d_->overlay; }

bool PlanView::layerVisible(PlanLayer layer) const { return d_->visible[Private::at(layer)]; }
void PlanView::setLayerVisible(PlanLayer layer, bool visible) {
  d_->visible[Private::at(layer)] = visible;
  d_->hidden[Private::at(layer)] = !visible;
  d_->layer_items[Private::at(layer)]->setVisible(visible);
  d_->redraw();
}
void PlanView::setLayerLocked(PlanLayer layer, bool locked) { d_->locked[Private::at(layer)] = locked; }
void PlanView::setGrid(double spacing_mm) {
  d_->grid = spacing_mm;
  d_->redraw();
}
void PlanView::setSnapping(bool on) { d_->snapping = on; }

void PlanView::zoomToFit() {
  const QRectF extent = d_->model.extent();
  if (extent.isNull()) {
    d_->show_rect(QRectF(0, 0, 30000, 18000), ruler_side + 40, ruler_side + 40, 40, 40, 0.2);
    return;
  }
  // Room for row names, dimensions and, when it is shown, the legend.
  const double top = ruler_side + (d_->overlay == Overlay::none ? 34 : 88);
  d_->show_rect(extent, ruler_side + 44, top, 70, 52, 0.2);
  d_->touched = false;
}

void PlanView::zoomToSelection() { zoomTo(d_->selected); }

void PlanView::zoomTo(const std::vector<EntityRef>& entities) {
  QRectF box;
  const auto add_rack = [&](const PlanObject* o) {
    if (o) box = box.united(o->box());
  };
  for (const EntityRef& e : entities) {
    if (e.table == "halls") {
      if (const HallShape* h = d_->model.hall(e.id)) box = box.united(h->box);
    } else if (e.table == "rows" || e.table == "rack_types") {
      for (const PlanObject& o : d_->model.objects(PlanLayer::racks))
        if ((e.table == "rows" ? o.group : o.type) == e.id) add_rack(&o);
    } else {
      add_rack(d_->model.find(e));
    }
  }
  if (box.isNull()) return;
  const double around = std::max(1500.0, 0.15 * std::max(box.width(), box.height()));
  d_->show_rect(box.adjusted(-around, -around, around, around), ruler_side + 10, ruler_side + 10, 10, 10, 0.12);
  d_->touched = true;
}

void PlanView::zoomBy(double factor) {
  const QPointF middle = QRectF(viewport()->rect()).center();
  const QPointF at = viewportTransform().inverted().map(middle);
  d_->touched = true;
  d_->show_at(d_->scale() * factor, at, middle);
}

double PlanView::scalePercent() const { return transform().m11() * 1000.0; }

// --- painting ----------------------------------------------------------------------------------------------------------

void PlanView::drawBackground(QPainter* painter, const QRectF& rect) {
  d_->in_pixels(painter, [&](const Canvas& c) {
    painter->fillRect(viewport()->rect(), c.colors.canvas);
    const Picture p = d_->picture(rect);
    paint_floor(c, p);
    paint_grid(c, p);
    if (d_->grid > 0) paint_tiles(c, p);
    if (d_->visible[Private::at(PlanLayer::racks)]) paint_aisles(c, p);
  });
}

void PlanView::drawForeground(QPainter* painter, const QRectF&) {
  d_->in_pixels(painter, [&](const Canvas& c) {
    const QRectF v = viewport()->rect();
    if (d_->model.empty() && !d_->drawing.under_way() && d_->gesture == Gesture::none) {
      const QString words = tr("Draw the hall outline (H), or drag a rack from Parts");
      c.text(v, Qt::AlignCenter | Qt::TextWordWrap, words, c.font(14), c.colors.quiet);
    }
    paint_legend(c, d_->values, QPointF(v.right() - 12, ruler_side + 10));
    d_->paint_rulers(c);
  });
}

void PlanView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  if (!d_->touched && !d_->model.empty()) zoomToFit();
}

// --- mouse -------------------------------------------------------------------------------------------------------------

void PlanView::mousePressEvent(QMouseEvent* event) {
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->press_view = d_->last_view = event->position().toPoint();
  d_->cursor = at;
  d_->cursor_known = true;
  QToolTip::hideText();
  const bool pans = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (d_->space || d_->tool == PlanTool::pan));
  if (pans) {
    if (d_->gesture != Gesture::none) return; // one gesture at a time
    d_->gesture = Gesture::pan;
    d_->update_cursor();
    event->accept();
    return;
  }
  if (event->button() != Qt::LeftButton) {
    event->accept();
    return;
  }
  event->accept();
  d_->press = at;
  d_->press_modifiers = event->modifiers();
  if (Private::over_ruler(d_->press_view) && (d_->press_view.x() > ruler_side || d_->press_view.y() > ruler_side) && !d_->drawing.under_way()) {
    d_->guide_upright = d_->press_view.x() < ruler_side;
    d_->gesture = Gesture::new_guide;
    d_->held_guide = 0;
    d_->guide_to(at, event->modifiers());
    d_->update_cursor();
    return;
  }
  switch (d_->tool) {
  case PlanTool::select: {
    if (!(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)))
      if (const auto handle = d_->handle_at(d_->press_view)) {
        d_->hold(*handle);
        d_->redraw();
        return;
      }
    d_->press_hit = d_->hit(at);
    d_->press_was_selected = !d_->press_hit.table.empty() && d_->is_selected(d_->press_hit);
    if (d_->press_hit.table.empty()) {
      d_->gesture = Gesture::band;
      d_->band = QRectF(at, at);
      d_->band_hits.clear();
      d_->band_contains = true;
      return;
    }
    d_->gesture = Gesture::press_on_thing;
    const bool adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (!d_->press_was_selected) {
      std::vector<EntityRef> next = adds ? d_->selected : std::vector<EntityRef>{};
      next.push_back(d_->press_hit);
      d_->set_selected(d_->grouped(std::move(next)), true);
    }
    return;
  }
  case PlanTool::place: {
    d_->update_place(at, event->modifiers());
    if (d_->commit_place()) {
      if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        d_->tool_hint();
      else
        setTool(PlanTool::select);
    }
    return;
  }
  case PlanTool::row:
    d_->gesture = Gesture::row;
    d_->row_first_id = d_->design.next_id;
    d_->update_row(at, event->modifiers());
    d_->redraw();
    return;
  case PlanTool::measure: {
    const QPointF q = d_->outline_point(at, event->modifiers());
    d_->snapped = q;
    if (d_->measured.size() != 1) d_->measured.clear();
    d_->measured.push_back(q);
    d_->tool_hint();
    d_->redraw();
    return;
  }
  case PlanTool::pan: return;
  default: {
    if (!d_->drawing.active()) return;
    if (d_->placed) d_->update_place(at, event->modifiers());
    d_->snapped = d_->outline_point(at, event->modifiers());
    d_->drawing.move(d_->snapped, event->modifiers() & Qt::ShiftModifier);
    bool close_by = false;
    if (d_->drawing.under_way()) {
      const QPointF first = viewportTransform().map(d_->drawing.points().front());
      const QPointF gap = first - event->position(), caught = first - viewportTransform().map(d_->snapped);
      close_by = std::hypot(gap.x(), gap.y()) < 10 || std::hypot(caught.x(), caught.y()) < 2;
    }
    d_->gesture = Gesture::draw;
    d_->drawing.press(d_->snapped, close_by);
    if (d_->drawing.active()) d_->tool_hint();
    d_->redraw();
    return;
  }
  }
}

void PlanView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = viewportTransform().inverted().map(event->position());
  const QPoint view_at = event->position().toPoint();
  d_->cursor = at;
  d_->cursor_known = true;
  event->accept();
  const bool far = (view_at - d_->press_view).manhattanLength() >= QApplication::startDragDistance();
  switch (d_->gesture) {
  case Gesture::pan:
    d_->pan_by(view_at - d_->last_view);
    d_->last_view = view_at;
    return;
  case Gesture::press_on_thing:
    if (far) {
      // Pressing one of several and dragging moves them all; Ctrl took it out only on release.
      if (d_->press_hit.table == "guides" && d_->selected.size() == 1) {
        if (const GuideLine* g = d_->model.guide(d_->press_hit.id); g && d_->movable(d_->press_hit)) {
          d_->held_guide = g->id, d_->guide_upright = g->upright;
          d_->gesture = Gesture::guide;
          d_->update_cursor();
          d_->guide_to(at, event->modifiers());
          break;
        }
      }
      d_->begin_drag();
      if (d_->gesture == Gesture::drag) d_->drag_to(at, event->modifiers());
    }
    break;
  case Gesture::drag: d_->drag_to(at, event->modifiers()); break;
  case Gesture::band:
    if (far || !d_->band.isNull()) {
      d_->band_contains = at.x() >= d_->press.x();
      d_->band = QRectF(d_->press, at).normalized();
      d_->band_hits = d_->band_entities();
      const auto n = static_cast<qlonglong>(d_->band_hits.size());
      d_->hint(d_->band_contains ? tr("%1 inside the band").arg(n) : tr("%1 touched by the band").arg(n));
    }
    break;
  case Gesture::row: d_->update_row(at, event->modifiers()); break;
  case Gesture::handle: d_->handle_to(at, event->modifiers()); break;
  case Gesture::new_guide:
  case Gesture::guide: d_->guide_to(at, event->modifiers()); break;
  case Gesture::draw:
  case Gesture::none: break;
  }
  const bool keeps_snap = d_->gesture == Gesture::drag || d_->gesture == Gesture::handle || d_->gesture == Gesture::new_guide || d_->gesture == Gesture::guide;
  if (!keeps_snap) d_->snap = {};
  if (d_->tool == PlanTool::place || (d_->placed && !d_->drawing.under_way())) d_->update_place(at, event->modifiers());
  if (!keeps_snap && (d_->drawing.active() || d_->tool == PlanTool::measure)) {
    const Snap of_block = d_->snap;
    d_->snapped = d_->outline_point(at, event->modifiers());
    if (d_->placed && !d_->drawing.under_way()) d_->snap = of_block; // the block is what catches
    d_->drawing.move(d_->snapped, event->modifiers() & Qt::ShiftModifier);
    if (d_->gesture == Gesture::draw && far && event->buttons() & Qt::LeftButton) d_->drawing.drag(d_->snapped);
    if (d_->drawing.active()) d_->tool_hint();
  }
  if (d_->tool == PlanTool::measure && d_->measured.empty())
    if (const Private::Clear clear = d_->clear_at(at); clear.known)
      d_->hint(tr("Clear width %1 across, %2 down. Click the first point; Esc ends.").arg(exact_length_text(clear.right - clear.left), exact_length_text(clear.bottom - clear.top)));
  if (d_->tool == PlanTool::row && d_->gesture == Gesture::none && d_->snapping && !Private::suspended(event->modifiers())) d_->snap = snap_point(d_->model, at, d_->settings_at(at));
  if (d_->tool == PlanTool::select && d_->gesture == Gesture::none && !d_->space) {
    const auto handle = d_->handle_at(view_at);
    const EntityRef under = handle ? EntityRef{} : d_->hit(at);
    if (handle) viewport()->setCursor(handle->kind == Handle::Kind::turn ? Qt::PointingHandCursor : Qt::CrossCursor);
    else viewport()->setCursor(!under.table.empty() && d_->is_selected(under) && d_->movable(under) ? Qt::SizeAllCursor : Qt::ArrowCursor);
  }
  d_->tell_cursor(at);
  d_->redraw();
}

void PlanView::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->cursor = at;
  if (d_->gesture == Gesture::pan) {
    d_->gesture = Gesture::none;
    d_->update_cursor();
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  switch (d_->gesture) {
  case Gesture::press_on_thing: {
    d_->gesture = Gesture::none;
    if (d_->press_modifiers & Qt::ControlModifier) {
      if (d_->press_was_selected) {
        std::vector<EntityRef> next = d_->selected;
        std::erase(next, d_->press_hit);
        d_->set_selected(std::move(next), true);
      }
    } else if (!(d_->press_modifiers & Qt::ShiftModifier)) {
      // A click takes the group; a second one the thing itself.
      const std::vector<EntityRef> group = d_->grouped({d_->press_hit});
      d_->set_selected(group.size() > 1 && d_->press_was_selected && d_->selected.size() == group.size() ? std::vector<EntityRef>{d_->press_hit} : group, true);
    }
    break;
  }
  case Gesture::drag: {
    d_->drag_to(at, event->modifiers());
    d_->gesture = Gesture::none;
    const bool moved = !d_->moved.isNull();
    const Edit edit = d_->drag_edit();
    d_->snap = {};
    d_->moved = {};
    d_->ghosts.clear();
    d_->end_preview(!moved);
    d_->update_cursor();
    if (moved) Q_EMIT editRequested(edit, false);
    break;
  }
  case Gesture::band: {
    d_->gesture = Gesture::none;
    const bool drawn = !d_->band.isNull();
    std::vector<EntityRef> hits = drawn ? d_->grouped(d_->band_entities()) : std::vector<EntityRef>{};
    d_->band_hits.clear();
    d_->band = {};
    if (d_->press_modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
      // Both keep what is selected; nothing is taken out by an empty band.
      std::vector<EntityRef> next = d_->selected;
      next.insert(next.end(), hits.begin(), hits.end());
      d_->set_selected(std::move(next), true);
    } else {
      d_->set_selected(std::move(hits), true);
    }
    d_->tool_hint();
    break;
  }
  case Gesture::row:
    d_->update_row(at, event->modifiers());
    d_->finish_row();
    break;
  case Gesture::draw:
    d_->gesture = Gesture::none;
    d_->snapped = d_->outline_point(at, event->modifiers());
    d_->drawing.release(d_->snapped);
    if (d_->drawing.active()) d_->tool_hint();
    break;
  case Gesture::handle:
    if ((d_->last_view - d_->press_view).isNull() && (event->position().toPoint() - d_->press_view).manhattanLength() < QApplication::startDragDistance()) {
      d_->gesture = Gesture::none; // a click only chooses the corner
      d_->end_preview(true);
      d_->held_edit.reset();
      if (d_->active_corner >= 0) d_->hint(tr("Delete takes this corner away."));
      break;
    }
    d_->handle_to(at, event->modifiers());
    d_->finish_handle();
    break;
  case Gesture::new_guide:
  case Gesture::guide:
    d_->guide_to(at, event->modifiers());
    d_->finish_guide(event->position().toPoint());
    break;
  case Gesture::pan:
  case Gesture::none: break;
  }
  d_->redraw();
}

void PlanView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || d_->space) {
    mousePressEvent(event);
    return;
  }
  event->accept();
  if (d_->drawing.active()) {
    using Manner = PlanDrawing::Manner;
    const Manner manner = d_->drawing.manner();
    if (manner == Manner::polygon || manner == Manner::path || manner == Manner::chain) {
      d_->drawing.double_click();
      d_->gesture = Gesture::none;
      if (d_->drawing.active()) d_->tool_hint();
      d_->redraw();
    } else {
      mousePressEvent(event);
    }
    return;
  }
  if (d_->tool != PlanTool::select) {
    mousePressEvent(event);
    return;
  }
  if (const auto handle = d_->handle_at(event->position().toPoint()); handle && handle->kind == Handle::Kind::corner) {
    d_->remove_corner(handle->index);
    return;
  }
  const QPointF at = viewportTransform().inverted().map(event->position());
  const EntityRef under = d_->hit(at);
  if (under.table != "racks") return;
  const PlanObject* rack = d_->model.find(PlanLayer::racks, under.id);
  if (!rack) return;
  std::vector<EntityRef> row;
  const RackLine* line = nullptr;
  if (!rack->group)
    for (const RackLine& l : d_->model.lines())
      if (l.hall == rack->hall && l.turns == rack->turns && l.box().adjusted(-1, -1, 1, 1).contains(rack->box())) line = &l;
  for (const PlanObject& o : d_->model.objects(PlanLayer::racks)) {
    const bool same = rack->group ? o.group == rack->group
                                  : line && o.hall == rack->hall && o.turns == rack->turns && line->box().adjusted(-1, -1, 1, 1).contains(o.box());
    if (same) row.push_back({"racks", o.id});
  }
  if (row.empty()) row.push_back(under);
  if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) row.insert(row.end(), d_->selected.begin(), d_->selected.end());
  d_->gesture = Gesture::none;
  d_->set_selected(std::move(row), true);
}

void PlanView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const bool touchpad = !event->pixelDelta().isNull() &&
                        (event->phase() != Qt::NoScrollPhase || (event->pointingDevice() && event->pointingDevice()->type() == QInputDevice::DeviceType::TouchPad));
  if (touchpad && !(event->modifiers() & Qt::ControlModifier)) {
    d_->pan_by(event->pixelDelta());
    return;
  }
  // Alt turns the wheel sideways on some desktops.
  const int turn = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
  if (turn == 0) return;
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->touched = true;
  d_->show_at(d_->scale() * std::pow(1.2, turn / 120.0), at, event->position());
}

// --- keys --------------------------------------------------------------------------------------------------------------

void PlanView::keyPressEvent(QKeyEvent* event) {
  const auto nudge = [&](double x, double y) {
    const std::vector<EntityRef> what = d_->movable_selection();
    if (what.empty()) {
      if (!d_->selected.empty()) d_->hint(tr("What is selected is locked. Unlock it in the inspector or in its layer."));
      return;
    }
    double step = d_->grid > 0 ? d_->grid : 100;
    if (event->modifiers() & Qt::ShiftModifier) step *= 10;
    if (event->modifiers() & Qt::AltModifier) step /= 10;
    Edit edit = move_edit(what, x * step, y * step, {});
    // The document joins steps of this name without a pause, so that it is not translated.
    edit.label = "Nudge " + naming(d_->design, what).toStdString();
    Q_EMIT editRequested(edit, false);
  };
  event->accept();
  if (d_->drawing.active() && event->key() != Qt::Key_Escape && d_->drawing.key(event)) {
    if (d_->drawing.active()) {
      // The point under the cursor follows what is typed.
      d_->snapped = d_->outline_point(d_->cursor, {});
      d_->drawing.move(d_->snapped, false);
    }
    d_->redraw();
    return;
  }
  switch (event->key()) {
  case Qt::Key_Space:
    if (!event->isAutoRepeat()) {
      d_->space = true;
      d_->update_cursor();
    }
    return;
  case Qt::Key_Escape:
    if (d_->cancel()) {
      d_->tool_hint();
      return;
    }
    if (d_->tool != PlanTool::select)
      setTool(PlanTool::select);
    else
      d_->set_selected({}, true);
    return;
  case Qt::Key_Backspace:
  case Qt::Key_Delete:
    if (d_->active_corner >= 0 && d_->remove_corner(d_->active_corner)) return;
    if (!d_->selected.empty()) Q_EMIT deleteRequested();
    return;
  case Qt::Key_Left: nudge(-1, 0); return;
  case Qt::Key_Right: nudge(1, 0); return;
  case Qt::Key_Up: nudge(0, -1); return;
  case Qt::Key_Down: nudge(0, 1); return;
  case Qt::Key_R: {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) break;
    if (d_->placed) {
      d_->placed_turns = (d_->placed_turns + (event->modifiers() & Qt::ShiftModifier ? 3 : 1)) % 4;
      d_->update_place(d_->cursor, {});
      return;
    }
    const std::vector<EntityRef> what = d_->movable_selection();
    if (what.empty()) return;
    static const Catalog none;
    const FootprintSizes sizes = footprint_sizes(d_->design, d_->catalog ? *d_->catalog : none, what);
    const double turn = event->modifiers() & Qt::ShiftModifier ? -90 : 90;
    Edit edit;
    edit.label = tr("Rotate %1").arg(naming(d_->design, what)).toStdString();
    edit.apply = [what, sizes, turn](const Design& design) { return rotate_by(design, what, degrees(turn), sizes); };
    Q_EMIT editRequested(edit, false);
    return;
  }
  default: break;
  }
  event->ignore();
}

void PlanView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    d_->space = false;
    d_->update_cursor();
    event->accept();
    return;
  }
  QGraphicsView::keyReleaseEvent(event);
}

void PlanView::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
  if (d_->gesture != Gesture::none) return;
  QPoint global = event->globalPos();
  if (event->reason() == QContextMenuEvent::Mouse) {
    const EntityRef under = d_->hit(viewportTransform().inverted().map(QPointF(event->pos())));
    if (!under.table.empty() && !d_->is_selected(under)) d_->set_selected({under}, true);
  } else {
    QRectF box;
    for (const EntityRef& e : d_->selected)
      if (const PlanObject* o = d_->model.find(e)) box = box.united(o->box());
    const QRect sight = viewport()->rect();
    QPoint at = box.isNull() ? sight.center() : viewportTransform().map(box.center()).toPoint();
    at = {std::clamp(at.x(), sight.left(), sight.right()), std::clamp(at.y(), sight.top(), sight.bottom())};
    global = viewport()->mapToGlobal(at);
  }
  Q_EMIT contextMenuRequested(global);
}

// --- drag and drop -----------------------------------------------------------------------------------------------------

void PlanView::dragEnterEvent(QDragEnterEvent* event) {
  const QByteArray part = event->mimeData()->data(QLatin1String(part_mime_type));
  if (part.isEmpty() || !read_part(QString::fromUtf8(part), d_->design, d_->catalog)) {
    event->ignore();
    return;
  }
  setPlacedPart(QString::fromUtf8(part));
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void PlanView::dragMoveEvent(QDragMoveEvent* event) {
  if (!d_->placed) {
    event->ignore();
    return;
  }
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->cursor = at;
  d_->cursor_known = true;
  d_->update_place(at, event->modifiers());
  d_->hint(d_->model.hall_at(d_->place_box.center()) ? tr("Release to place it here. Alt suspends snapping.") : tr("Drop it inside a hall"));
  d_->tell_cursor(at);
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void PlanView::dragLeaveEvent(QDragLeaveEvent* event) {
  setTool(PlanTool::select);
  event->accept();
}

void PlanView::dropEvent(QDropEvent* event) {
  const QString part = QString::fromUtf8(event->mimeData()->data(QLatin1String(part_mime_type)));
  if (part.isEmpty()) {
    event->ignore();
    return;
  }
  if (d_->placed_text != part) setPlacedPart(part);
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->update_place(at, event->modifiers());
  const bool done = d_->commit_place();
  setTool(PlanTool::select);
  if (!done) d_->hint(tr("Drop it inside a hall"));
  event->setDropAction(done ? Qt::CopyAction : Qt::IgnoreAction);
  event->accept();
  setFocus(Qt::OtherFocusReason);
}

// --- the rest ----------------------------------------------------------------------------------------------------------

bool PlanView::event(QEvent* event) {
  // Letters of a typed length are not shortcuts, and Tab goes on to the angle.
  if (event->type() == QEvent::ShortcutOverride && d_->drawing.wants(static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) && d_->drawing.under_way()) {
      keyPressEvent(key);
      return true;
    }
  }
  return QGraphicsView::event(event);
}

bool PlanView::viewportEvent(QEvent* event) {
  switch (event->type()) {
  case QEvent::ToolTip: {
    auto* help = static_cast<QHelpEvent*>(event);
    const EntityRef under = d_->gesture == Gesture::none ? d_->hit(viewportTransform().inverted().map(QPointF(help->pos())), true) : EntityRef{};
    const QString words = d_->tooltip(under);
    if (words.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), words, viewport());
    return true;
  }
  case QEvent::Leave:
    if (d_->gesture == Gesture::none) {
      d_->cursor_known = false;
      d_->place_known = false;
      d_->snap = {};
      d_->redraw();
    }
    break;
  case QEvent::Gesture: {
    auto* gestures = static_cast<QGestureEvent*>(event);
    if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
      const QPointF middle = viewport()->mapFromGlobal(pinch->centerPoint().toPoint());
      const QPointF at = viewportTransform().inverted().map(middle);
      d_->touched = true;
      d_->show_at(d_->scale() * pinch->scaleFactor(), at, middle);
      gestures->accept(pinch);
      return true;
    }
    break;
  }
  case QEvent::NativeGesture: {
    auto* native = static_cast<QNativeGestureEvent*>(event);
    if (native->gestureType() == Qt::ZoomNativeGesture) {
      const QPointF at = viewportTransform().inverted().map(native->position());
      d_->touched = true;
      d_->show_at(d_->scale() * (1 + native->value()), at, native->position());
      return true;
    }
    break;
  }
  default: break;
  }
  return QGraphicsView::viewportEvent(event);
}

} // namespace hallwright
