// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
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
#include "widgets/plan/plan_edits.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_snap.h"
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

enum class Gesture { none, band, press_on_thing, drag, pan, row, outline_press, outline_rectangle };

} // namespace

struct PlanView::Private {
  explicit Private(PlanView& v) : view(v) {}
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
  bool visible[layer_count] = {true, true, true, true, true};
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
  std::vector<QPointF> corners;
  std::vector<QPointF> measured; ///< none, one or two points

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
    const PlanLayer order[] = {PlanLayer::structure, PlanLayer::power, PlanLayer::liquid, PlanLayer::racks, PlanLayer::notes};
    for (int i = 0; i < 5; ++i) {
      const PlanLayer layer = order[i];
      layer_items[at(layer)] = add(i, [this, layer](QPainter* painter, const QRectF& area) {
        in_pixels(painter, [&](const Canvas& c) {
          const Picture p = picture(area);
          paint_layer(c, p, layer);
          if (layer == PlanLayer::racks) paint_row_names(c, p);
        });
      });
    }
    outline_item = add(10, [this](QPainter* painter, const QRectF& area) {
      in_pixels(painter, [&](const Canvas& c) {
        const Picture p = picture(area);
        paint_hall_outlines(c, p);
        paint_dimensions(c, p);
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
      PlanLayer layer = PlanLayer::racks;
      const PlanObject* o = model.find(e, &layer);
      if (!o || !visible[at(layer)] || !o->box().adjusted(-100, -100, 100, 100).intersects(area)) continue;
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
      tag(c, c.point(cursor), QStringLiteral("%1 × %2 m").arg(QLocale().toString(moved.x() / 1000, 'f', 2), QLocale().toString(moved.y() / 1000, 'f', 2)));
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
    if (tool == PlanTool::place && placed && place_known) {
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
    if (tool == PlanTool::hall_outline) paint_outline(c, wash);
    if (tool == PlanTool::measure) paint_measure(c);
    // Guides of what has been caught.
    p->setRenderHint(QPainter::Antialiasing, false);
    p->setPen(QPen(c.colors.accent, 1, Qt::DashLine));
    for (const QLineF& g : snap.guides) p->drawLine(c.point(g.p1()), c.point(g.p2()));
  }

  void paint_outline(const Canvas& c, const QColor& wash) {
    QPainter* p = c.painter;
    if (gesture == Gesture::outline_rectangle) {
      const QRectF r = QRectF(corners.front(), snapped_cursor()).normalized();
      c.fill(c.rect(r), wash);
      p->setPen(QPen(c.colors.accent, 2));
      p->setBrush(Qt::NoBrush);
      p->drawRect(c.rect(r));
      tag(c, c.point(cursor), QStringLiteral("%1 × %2").arg(length_text(r.width(), 2), length_text(r.height(), 2)));
      return;
    }
    if (!corners.empty()) {
      QPolygonF line;
      for (const QPointF& q : corners) line << c.point(q);
      const QPointF next = snapped_cursor();
      line << c.point(next);
      p->setRenderHint(QPainter::Antialiasing, true);
      QPolygonF area = line;
      c.outline(area, QPen(Qt::NoPen), wash);
      c.outline(line, c.pen(c.colors.accent, 2), Qt::NoBrush, false);
      for (const QPointF& q : corners) c.tile(QRectF(c.point(q) - QPointF(3, 3), QSizeF(6, 6)), 1, QPen(c.colors.accent, 1), c.colors.panel);
      tag(c, c.point(cursor), length_text(std::hypot(next.x() - corners.back().x(), next.y() - corners.back().y()), 2));
    } else if (cursor_known) {
      const QPointF q = c.point(snapped_cursor());
      p->setPen(QPen(c.colors.accent, 1));
      p->drawLine(q - QPointF(6, 0), q + QPointF(6, 0));
      p->drawLine(q - QPointF(0, 6), q + QPointF(0, 6));
    }
  }

  [[nodiscard]] static QString measure_words(const QPointF& a, const QPointF& b) {
    const QPointF d = b - a;
    const auto feet = [](double mm) { return QLocale().toString(mm / 304.8, 'f', 2) + QStringLiteral(" ft"); };
    const double reach = std::hypot(d.x(), d.y());
    return PlanView::tr("%1 (%2), dx %3 (%4), dy %5 (%6)").arg(length_text(reach, 3), feet(reach), length_text(d.x(), 3), feet(d.x()), length_text(d.y(), 3), feet(d.y()));
  }

  void paint_measure(const Canvas& c) {
    QPainter* p = c.painter;
    p->setRenderHint(QPainter::Antialiasing, true);
    if (measured.empty()) {
      if (!cursor_known) return;
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
    tag(c, pb, length_text(std::hypot(b.x() - a.x(), b.y() - a.y()), 3));
  }

  void paint_rulers(const Canvas& c) {
    QPainter* p = c.painter;
    const QRect v = view.viewport()->rect();
    p->setRenderHint(QPainter::Antialiasing, false);
    p->fillRect(QRect(0, 0, v.width(), ruler_side), c.colors.panel);
    p->fillRect(QRect(0, 0, ruler_side, v.height()), c.colors.panel);
    static const double steps[] = {10, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000};
    double step = steps[std::size(steps) - 1];
    for (double s : steps)
      if (s * c.scale >= 64) {
        step = s;
        break;
      }
    const HallShape* h = model.halls().empty() ? nullptr : &model.halls().front();
    const QPointF zero = h ? h->offset : QPointF();
    const QFont f = c.font(9.5);
    const QColor tick = mixed(c.colors.quiet, c.colors.panel, 0.5);
    const int decimals = step < 100 ? 2 : step < 1000 ? 1 : 0;
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
        const QString words = QLocale().toString(mm / 1000, 'f', decimals);
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
    c.text(QRectF(0, 0, ruler_side, ruler_side), Qt::AlignCenter, QStringLiteral("m"), f, c.colors.quiet);
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
    case PlanTool::hall_outline:
      hint(corners.empty() ? PlanView::tr("Click the corners of the hall, or drag a rectangle. Esc ends.")
                           : PlanView::tr("Click the next corner; Enter, a double click or the first corner closes. Alt draws at any angle."));
      break;
    case PlanTool::measure:
      if (measured.size() == 2)
        hint(measure_words(measured[0], measured[1]));
      else
        hint(measured.empty() ? PlanView::tr("Click the first point. Esc ends.") : PlanView::tr("Click the second point."));
      break;
    }
  }
  [[nodiscard]] Id row_type() const {
    if (row_settings.rack_type == 0 && design.rack_types->size() == 1) return design.rack_types->front().id;
    return row_settings.rack_type;
  }

  // --- finding ---------------------------------------------------------------------------------------------------------

  /// The uppermost thing under a point, and what else can be picked: hall outlines. Empty table: nothing.
  [[nodiscard]] EntityRef hit(const QPointF& q, bool even_locked_layers = false) const {
    const double slack = 3 / scale();
    for (PlanLayer layer : {PlanLayer::notes, PlanLayer::racks, PlanLayer::liquid, PlanLayer::power, PlanLayer::structure}) {
      if (!visible[at(layer)] || (locked[at(layer)] && !even_locked_layers)) continue;
      const auto& objects = model.objects(layer);
      const bool thin = layer != PlanLayer::racks;
      const double reach = thin ? slack : 0;
      const QRectF around(q.x() - reach - 0.01, q.y() - reach - 0.01, 2 * reach + 0.02, 2 * reach + 0.02);
      std::uint32_t best = 0;
      bool found = false;
      model.index(layer).visit(around, [&](std::uint32_t i) {
        const PlanObject& o = objects[i];
        QRectF box = o.box();
        if (layer == PlanLayer::notes) box.setSize(box.size().expandedTo(QSizeF(12 / scale(), 12 / scale())));
        if (!box.adjusted(-reach, -reach, reach, reach).contains(q)) return;
        if (o.turns < 0 && !o.corners().containsPoint(q, Qt::OddEvenFill)) return;
        if (!found || i > best) best = i, found = true;
      });
      if (found) return {table_of_layer(layer), objects[best].id};
    }
    if (locked[at(PlanLayer::structure)] && !even_locked_layers) return {};
    const double edge = 6 / scale();
    for (const HallShape& h : model.halls())
      for (int i = 0; i < h.outline.size(); ++i) {
        const QPointF a = h.outline[i], b = h.outline[(i + 1) % h.outline.size()], ab = b - a;
        const double length2 = QPointF::dotProduct(ab, ab);
        const double s = length2 > 0 ? std::clamp(QPointF::dotProduct(q - a, ab) / length2, 0.0, 1.0) : 0;
        const QPointF d = q - (a + s * ab);
        if (std::hypot(d.x(), d.y()) < edge) return {"halls", h.id};
      }
    return {};
  }

  [[nodiscard]] bool movable(const EntityRef& e) const {
    PlanLayer layer = PlanLayer::racks;
    const PlanObject* o = model.find(e, &layer);
    return o && !o->locked && !locked[at(layer)];
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
      if (!visible[at(layer)] || locked[at(layer)]) continue;
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
    if (const HallShape* h = model.hall_at(q)) s.grid_origin = h->offset;
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
    // Right angles unless suspended.
    if (tool == PlanTool::hall_outline && gesture != Gesture::outline_rectangle && !corners.empty() && !free) {
      const QPointF d = p - corners.back();
      if (std::abs(d.x()) > std::abs(d.y()))
        p.setY(corners.back().y());
      else
        p.setX(corners.back().x());
    }
    return p;
  }
  QPointF snapped = QPointF();
  [[nodiscard]] QPointF snapped_cursor() const { return snapped; }

  void tell_cursor(const QPointF& q) {
    const HallShape* h = model.hall_at(q);
    const QPointF own = h ? q - h->offset : model.halls().size() == 1 ? q - model.halls().front().offset : q;
    Q_EMIT view.cursorMoved(own.x(), own.y(), snap.words(grid));
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

  void drag_to(const QPointF& q, Qt::KeyboardModifiers m) {
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
    plan.feed_a = row_settings.feed_a, plan.feed_b = row_settings.feed_b, plan.loop = row_settings.loop;
    const double along = pitch * static_cast<double>(row_count - 1) + width;
    double across = 0;
    for (Count r = 0; r < plan.rows; ++r) across += depth + (r + 1 == plan.rows ? 0 : r % 2 == 0 ? row_settings.hot_aisle_mm : row_settings.cold_aisle_mm);
    row_band = row_down ? QRectF(from, QSizeF(across, along)) : QRectF(from, QSizeF(along, across));
    row_plan = plan;
    const Count racks = row_count * plan.rows;
    const QString each = length_text(row_down ? row_band.height() : row_band.width(), 2);
    const QString racks_words = racks == 1 ? PlanView::tr("1 rack") : PlanView::tr("%1 racks").arg(QLocale().toString(static_cast<qlonglong>(racks)));
    row_words = plan.rows > 1 ? PlanView::tr("%1 in %2 rows · %3").arg(racks_words).arg(plan.rows).arg(each) : QStringLiteral("%1 · %2").arg(racks_words, each);
    hint(row_words);
    preview(row_edit(plan, row_down, width, depth));
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
    const Edit edit = row_edit(*row_plan, row_down, in_millimeters(f.width), in_millimeters(f.depth));
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

  void close_outline() {
    // Corners on a straight line and the same corner twice say nothing.
    std::vector<QPointF> list;
    for (const QPointF& q : corners)
      if (list.empty() || std::hypot(q.x() - list.back().x(), q.y() - list.back().y()) > 1) list.push_back(q);
    while (list.size() > 1 && std::hypot(list.front().x() - list.back().x(), list.front().y() - list.back().y()) <= 1) list.pop_back();
    double area = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const QPointF& a = list[i];
      const QPointF& b = list[(i + 1) % list.size()];
      area += a.x() * b.y() - b.x() * a.y();
    }
    if (list.size() < 3 || std::abs(area) < 2e6) {
      hint(PlanView::tr("A hall needs at least three corners that enclose a floor."));
      return;
    }
    std::vector<PlanPoint> outline;
    for (const QPointF& q : list) outline.push_back({std::round(q.x() * 10) / 10, std::round(q.y() * 10) / 10});
    corners.clear();
    gesture = Gesture::none;
    snap = {};
    touched = true; // what was drawn here stays where it was drawn
    Q_EMIT view.editRequested(hall_edit(outline), true);
    view.setTool(PlanTool::select);
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
    const bool had_points = !corners.empty() || measured.size() == 1;
    corners.clear();
    if (measured.size() == 1) measured.clear();
    update_cursor();
    redraw();
    return busy || had_preview || had_points;
  }

  void update_cursor() {
    if (gesture == Gesture::pan)
      view.viewport()->setCursor(Qt::ClosedHandCursor);
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
    tip_line(rows, tr("Size"), o->known_size ? QStringLiteral("%1 × %2").arg(length_text(o->width, 2), length_text(o->depth, 2)) : tr("not known: drawn with a stand-in"));
  }
  if (o && o->locked) tip_line(rows, tr("Locked"), tr("yes"));
  if (wrong.count(e.id)) tip_line(rows, tr("Place"), tr("outside its hall, or on top of another thing"));
  const QString name = layer == PlanLayer::notes && o ? QString::fromStdString(model.name(layer, *o)) : to_qstring(entity_name(design, e));
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

void PlanView::setLayerVisible(PlanLayer layer, bool visible) {
  d_->visible[Private::at(layer)] = visible;
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
    if (d_->visible[Private::at(PlanLayer::racks)]) paint_aisles(c, p);
  });
}

void PlanView::drawForeground(QPainter* painter, const QRectF&) {
  d_->in_pixels(painter, [&](const Canvas& c) {
    const QRectF v = viewport()->rect();
    if (d_->model.empty() && d_->corners.empty() && d_->gesture == Gesture::none) {
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
  switch (d_->tool) {
  case PlanTool::select: {
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
      d_->set_selected(std::move(next), true);
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
    d_->update_row(at, event->modifiers());
    d_->redraw();
    return;
  case PlanTool::hall_outline: {
    d_->snapped = d_->outline_point(at, event->modifiers());
    if (d_->corners.size() >= 3) {
      const QPointF gap = viewportTransform().map(d_->corners.front()) - event->position();
      const QPointF caught = viewportTransform().map(d_->corners.front()) - viewportTransform().map(d_->snapped);
      if (std::hypot(gap.x(), gap.y()) < 10 || std::hypot(caught.x(), caught.y()) < 2) {
        d_->close_outline();
        return;
      }
    }
    d_->corners.push_back(d_->snapped);
    d_->gesture = d_->corners.size() == 1 ? Gesture::outline_press : Gesture::none;
    d_->tool_hint();
    d_->redraw();
    return;
  }
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
  case Gesture::outline_press:
    if (far && event->buttons() & Qt::LeftButton) d_->gesture = Gesture::outline_rectangle;
    break;
  case Gesture::outline_rectangle:
  case Gesture::none: break;
  }
  if (d_->gesture != Gesture::drag) d_->snap = {};
  if (d_->tool == PlanTool::place) d_->update_place(at, event->modifiers());
  if (d_->tool == PlanTool::hall_outline || d_->tool == PlanTool::measure) d_->snapped = d_->outline_point(at, event->modifiers());
  if (d_->tool == PlanTool::row && d_->gesture == Gesture::none && d_->snapping && !Private::suspended(event->modifiers())) d_->snap = snap_point(d_->model, at, d_->settings_at(at));
  if (d_->tool == PlanTool::select && d_->gesture == Gesture::none && !d_->space) {
    const EntityRef under = d_->hit(at);
    viewport()->setCursor(!under.table.empty() && d_->is_selected(under) && d_->movable(under) ? Qt::SizeAllCursor : Qt::ArrowCursor);
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
      d_->set_selected({d_->press_hit}, true);
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
    std::vector<EntityRef> hits = drawn ? d_->band_entities() : std::vector<EntityRef>{};
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
  case Gesture::outline_rectangle: {
    const QPointF a = d_->corners.front(), b = d_->outline_point(at, event->modifiers());
    const QRectF r = QRectF(a, b).normalized();
    if (r.width() < 1 || r.height() < 1) {
      d_->corners.clear();
      d_->gesture = Gesture::none;
      break;
    }
    d_->corners = {r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()};
    d_->close_outline();
    break;
  }
  case Gesture::outline_press: d_->gesture = Gesture::none; break;
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
  if (d_->tool == PlanTool::hall_outline) {
    if (d_->corners.size() >= 3) d_->close_outline();
    return;
  }
  if (d_->tool != PlanTool::select) {
    mousePressEvent(event);
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
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (d_->tool == PlanTool::hall_outline && !d_->corners.empty()) {
      d_->close_outline();
      return;
    }
    break;
  case Qt::Key_Backspace:
    if (d_->tool == PlanTool::hall_outline && !d_->corners.empty()) {
      d_->corners.pop_back();
      d_->tool_hint();
      d_->redraw();
      return;
    }
    [[fallthrough]];
  case Qt::Key_Delete:
    if (!d_->selected.empty()) Q_EMIT deleteRequested();
    return;
  case Qt::Key_Left: nudge(-1, 0); return;
  case Qt::Key_Right: nudge(1, 0); return;
  case Qt::Key_Up: nudge(0, -1); return;
  case Qt::Key_Down: nudge(0, 1); return;
  case Qt::Key_R: {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) break;
    if (d_->tool == PlanTool::place) {
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
