// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view_private.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QLocale>
#include <QScrollBar>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
Canvas PlanView::Private::canvas(QPainter* painter) {
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

Picture PlanView::Private::picture(const QRectF& area) {
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

void PlanView::Private::make_items() {
  const auto add = [&](double z, std::function<void(QPainter*, const QRectF&)> paint) {
    auto* item = new LayerItem(std::move(paint)); // the scene owns it
    item->setZValue(z);
    scene.addItem(item);
    return item;
  };
  const PlanLayer order[] = {PlanLayer::underlay, PlanLayer::zones, PlanLayer::structure, PlanLayer::power,
                             PlanLayer::liquid,   PlanLayer::racks, PlanLayer::air,       PlanLayer::pipes,
                             PlanLayer::trays,    PlanLayer::notes, PlanLayer::dimensions};
  static_assert(std::size(order) == layer_count);
  for (int i = 0; i < static_cast<int>(layer_count); ++i) {
    const PlanLayer layer = order[i];
    layer_items[at(layer)] = add(i, [this, layer](QPainter* painter, const QRectF& area) {
      in_pixels(painter, [&](const Canvas& c) {
        const Picture p = picture(area);
        paint_layer(c, p, layer);
        if (layer == PlanLayer::racks) paint_dark(c, p);
        if (layer == PlanLayer::racks) paint_row_names(c, p);
        if (layer == PlanLayer::racks && visible[at(PlanLayer::zones)]) paint_zone_words(c, p);
        if (layer == PlanLayer::dimensions) paint_guides(c, p);
      });
    });
  }
  // Over trays and pipes, under notes.
  covered_item = add(8.5, [this](QPainter* painter, const QRectF& area) {
    in_pixels(painter, [&](const Canvas& c) {
      const Picture p = picture(area);
      if (visible[at(PlanLayer::racks)]) paint_covered_values(c, p);
      if (visible[at(PlanLayer::pipes)]) paint_valves(c, p);
      if (visible[at(PlanLayer::racks)]) paint_rack_valves(c, p);
    });
  });
  ghost_item = add(14, [this](QPainter* painter, const QRectF& area) {
    if (!old_places.empty()) in_pixels(painter, [&](const Canvas& c) { paint_ghosts(c, old_places, area, hidden); });
  });
  outline_item = add(15, [this](QPainter* painter, const QRectF& area) {
    in_pixels(painter, [&](const Canvas& c) {
      const Picture p = picture(area);
      paint_out_of_service(c, p);
      paint_hall_outlines(c, p);
      paint_dimensions(c, p);
      paint_locks(c, p);
    });
  });
  selection_item = add(20, [this](QPainter* painter, const QRectF& area) {
    in_pixels(painter, [&](const Canvas& c) { paint_selection(c, area); });
  });
  tool_item = add(
      30, [this](QPainter* painter, const QRectF&) { in_pixels(painter, [&](const Canvas& c) { paint_tool(c); }); });
}

/// Racks without power in the case that is looked at: a red cross on a red ground.
void PlanView::Private::paint_dark(const Canvas& c, const Picture& p) {
  if (dark.empty()) return;
  QColor ground = c.colors.red;
  ground.setAlpha(110);
  for (const PlanObject& o : model.objects(PlanLayer::racks)) {
    if (dark.count(o.id) == 0 || !o.box().intersects(p.area)) continue;
    const QPolygonF corners = c.polygon(o.corners());
    c.outline(corners, c.pen(c.colors.red, 1.6), ground);
    if (corners.size() < 4 || c.pixels(o.box().width()) < 6) continue;
    c.line(corners[0], corners[2], c.pen(c.colors.red, 1.6));
    c.line(corners[1], corners[3], c.pen(c.colors.red, 1.6));
  }
}

/// Units and pipes that are out in that case: crossed likewise, over everything that runs there.
void PlanView::Private::paint_out_of_service(const Canvas& c, const Picture& p) {
  QColor ground = c.colors.red;
  ground.setAlpha(90);
  for (const EntityRef& e : out_of_service) {
    PlanLayer layer = PlanLayer::power;
    const PlanObject* o = model.find(e, &layer);
    if (!o || !visible[at(layer)] || !o->box().adjusted(-100, -100, 100, 100).intersects(p.area)) continue;
    if (const QPolygonF* path = model.points(layer, *o)) {
      c.outline(c.polygon(*path), c.pen(c.colors.red, 2.4, Qt::DashLine), Qt::NoBrush, false);
      if (path->size() < 2) continue;
      const QPointF middle = c.point(((*path)[0] + (*path)[1]) / 2);
      for (const double way : {1.0, -1.0})
        c.line(middle - QPointF(7, 7 * way), middle + QPointF(7, 7 * way), c.pen(c.colors.red, 2.4));
      continue;
    }
    QPolygonF corners = c.polygon(o->corners());
    if (const QRectF r = corners.boundingRect(); std::min(r.width(), r.height()) < 8) {
      // A busway from afar is a line: the cross stands on its middle.
      c.outline(corners, c.pen(c.colors.red, 2), ground);
      for (const double way : {1.0, -1.0})
        c.line(r.center() - QPointF(6, 6 * way), r.center() + QPointF(6, 6 * way), c.pen(c.colors.red, 2));
      continue;
    }
    c.outline(corners, c.pen(c.colors.red, 1.6), ground);
    c.line(corners[0], corners[2], c.pen(c.colors.red, 1.6));
    c.line(corners[1], corners[3], c.pen(c.colors.red, 1.6));
  }
}

void PlanView::Private::paint_selected(const Canvas& c, const QRectF& area, const std::vector<EntityRef>& entities,
                                       const QColor& color) {
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
      if (layer == PlanLayer::trays || layer == PlanLayer::pipes) paint_run_words(c, picture(area), layer, *o);
      // Of what is selected also a valve that is wide open, so that it can be shut.
      if (layer == PlanLayer::pipes && shows_valve(c)) paint_pipe_valve(c, picture(area), *o);
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

void PlanView::Private::paint_frames(const Canvas& c, QList<QRectF>& rings, const QColor& color, double w) {
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

void PlanView::Private::paint_selection(const Canvas& c, const QRectF& area) {
  paint_selected(c, area, selected, c.colors.amber);
  if (gesture == Gesture::band) paint_selected(c, area, band_hits, mixed(c.colors.amber, c.colors.floor, 0.3));
  paint_groups(c);
  if (shows_handles()) paint_handles(c);
}

void PlanView::Private::paint_groups(const Canvas& c) const {
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
      c.text_at(r.bottomLeft() + QPointF(0, 2), Qt::AlignLeft | Qt::AlignTop, QString::fromStdString(g->name),
                c.font(10), mixed(c.colors.amber, c.colors.text, 0.3));
  }
}

void PlanView::Private::paint_handles(const Canvas& c) const {
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
      c.tile(QRectF(q - QPointF(4, 4), QSizeF(8, 8)), 1, QPen(c.colors.accent, 1.4),
             active ? c.colors.accent : c.colors.panel);
    }
  }
}

void PlanView::Private::tag(const Canvas& c, const QPointF& place, const QString& words) const {
  // What it belongs to may lie out of sight, as a typed length does.
  const QRect room = view.viewport()->rect();
  const QPointF at(std::clamp(place.x(), 0.0, static_cast<double>(room.width())),
                   std::clamp(place.y(), 0.0, static_cast<double>(room.height())));
  const QFont f = c.font(11.5, true);
  const QFontMetricsF m(f);
  QRectF card(at + QPointF(14, 14), QSizeF(m.horizontalAdvance(words) + 16, m.height() + 8));
  // In sight at the edges too: on the other side of the cursor.
  const QRectF sight = view.viewport()->rect();
  if (card.right() > sight.right() - 4) card.moveRight(at.x() - 14);
  if (card.bottom() > sight.bottom() - 4) card.moveBottom(at.y() - 14);
  c.tile(card, 3, QPen(Qt::NoPen), c.colors.dark ? QColor(0xe6, 0xeb, 0xf0) : QColor(0x1f, 0x2a, 0x37));
  c.text(card, Qt::AlignCenter | Qt::TextSingleLine, words, f,
         c.colors.dark ? QColor(0x16, 0x1b, 0x21) : QColor(0xff, 0xff, 0xff));
}

void PlanView::Private::paint_tool(const Canvas& c) {
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
      for (const QRectF& g : ghosts)
        p->drawRect(c.rect(g.translated(moved)));
    } else {
      const QRectF sight = view.viewport()->rect();
      QList<QRectF> frames;
      for (const QRectF& g : ghosts)
        if (const QRectF r = c.rect(g.translated(moved)); r.intersects(sight)) frames << r;
      if (!frames.isEmpty()) paint_frames(c, frames, c.colors.amber, 1);
    }
    const auto axis = [&](int i, double present) {
      const QString mark = move_is_typed() && i == move_axis ? QStringLiteral("|") : QString();
      return move_typed[i].isEmpty() ? length_text(present, 2) + mark : move_typed[i] + mark;
    };
    tag(c, c.point(cursor), QStringLiteral("%1 × %2").arg(axis(0, moved.x()), axis(1, moved.y())));
  }
  if (gesture == Gesture::row && row_plan) {
    c.fill(c.rect(row_band), wash);
    p->setPen(QPen(c.colors.accent, 1));
    p->setBrush(Qt::NoBrush);
    const auto type = row_rack();
    static const Catalog none;
    const Footprint f = type ? rack_footprint(catalog ? *catalog : none, *type) : Footprint{};
    const double w = in_millimeters(f.width), d = in_millimeters(f.depth);
    const HallShape* h = model.hall(row_plan->hall);
    const QPointF corner =
        QPointF(in_millimeters(row_plan->x), in_millimeters(row_plan->y)) + (h ? h->offset : QPointF());
    const double pitch = in_millimeters(row_plan->pitch);
    double across = 0;
    for (Count r = 0; r < row_plan->rows; ++r) {
      for (Count i = 0; i < row_plan->racks_per_row; ++i) {
        const double along = static_cast<double>(i) * pitch;
        const QRectF box = row_down ? QRectF(corner.x() + across, corner.y() + along, d, w)
                                    : QRectF(corner.x() + along, corner.y() + across, w, d);
        p->drawRect(c.rect(box));
      }
      across += d + (r % 2 == 0 ? row_settings.hot_aisle_mm : row_settings.cold_aisle_mm);
    }
    tag(c, c.point(cursor), row_words);
  }
  paint_along(c);
  if (placed && place_known && !along &&
      (tool == PlanTool::place || (drawing.manner() == PlanDrawing::Manner::block && !drawing.under_way()))) {
    QColor body = mixed(c.colors.floor, c.colors.accent, 0.22);
    body.setAlpha(210);
    c.fill(c.rect(place_box), body);
    p->setPen(QPen(c.colors.accent, 1.5, placed->known_size ? Qt::SolidLine : Qt::DashLine));
    p->setBrush(Qt::NoBrush);
    p->drawRect(c.rect(place_box));
    const QRectF r = c.rect(place_box);
    const int t = placed_turns;
    const QLineF front = t == 0   ? QLineF(r.topLeft(), r.topRight())
                         : t == 1 ? QLineF(r.topRight(), r.bottomRight())
                         : t == 2 ? QLineF(r.bottomLeft(), r.bottomRight())
                                  : QLineF(r.topLeft(), r.bottomLeft());
    p->setPen(QPen(c.colors.accent, 3));
    p->drawLine(front);
  }
  if (drawing.active())
    drawing.paint(c, cursor_known,
                  [this](const Canvas& canvas, const QPointF& at, const QString& words) { tag(canvas, at, words); });
  if (tool == PlanTool::measure) paint_measure(c);
  if (gesture == Gesture::handle && !held_words.isEmpty()) tag(c, c.point(cursor), held_words);
  if (gesture == Gesture::new_guide || gesture == Gesture::guide) {
    const QRectF sight = view.viewport()->rect();
    const QPen pen(c.colors.accent, 1);
    if (guide_upright)
      c.line({std::round(c.x(guide_at)), sight.top()}, {std::round(c.x(guide_at)), sight.bottom()}, pen);
    else
      c.line({sight.left(), std::round(c.y(guide_at))}, {sight.right(), std::round(c.y(guide_at))}, pen);
    tag(c, c.point(cursor), guide_words);
  }
  // Guides of what has been caught.
  p->setRenderHint(QPainter::Antialiasing, false);
  p->setPen(QPen(c.colors.accent, 1, Qt::DashLine));
  for (const QLineF& g : snap.guides)
    p->drawLine(c.point(g.p1()), c.point(g.p2()));
}

void PlanView::Private::paint_measure(const Canvas& c) {
  QPainter* p = c.painter;
  p->setRenderHint(QPainter::Antialiasing, true);
  if (measured.empty()) {
    if (!cursor_known) return;
    if (const Clear clear = clear_at(cursor); clear.known) {
      // The narrower way is the clear width.
      const bool across_x = clear.right - clear.left <= clear.bottom - clear.top;
      const QPointF a = across_x ? QPointF(clear.left, cursor.y()) : QPointF(cursor.x(), clear.top),
                    b = across_x ? QPointF(clear.right, cursor.y()) : QPointF(cursor.x(), clear.bottom);
      const double length = across_x ? b.x() - a.x() : b.y() - a.y();
      paint_dimension(c, {a, b, a, b, length}, mixed(c.colors.accent, c.colors.canvas, 0.2),
                      PlanView::tr("clear %1").arg(exact_length_text(length)));
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
  for (const QPointF& q : {pa, pb})
    c.tile(QRectF(q - QPointF(3, 3), QSizeF(6, 6)), 3, QPen(c.colors.accent, 1.4), c.colors.panel);
  tag(c, pb, exact_length_text(std::hypot(b.x() - a.x(), b.y() - a.y())));
}

void PlanView::Private::paint_rulers(const Canvas& c) {
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
      const QString words = screen_number(mm / unit, 'f', decimals);
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
  c.text(QRectF(0, 0, ruler_side, ruler_side), Qt::AlignCenter, feet ? QStringLiteral("ft") : QStringLiteral("m"), f,
         c.colors.quiet);
  p->setPen(QPen(c.colors.border, 0));
  p->drawLine(0, ruler_side, v.width(), ruler_side);
  p->drawLine(ruler_side, 0, ruler_side, v.height());
}

} // namespace hallwright
