// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_painter.h"

/// Valves of pipes and racks, as a piping drawing has them: two triangles, filled where they are shut.

namespace hallwright::plan {
namespace {

constexpr double half_length = 8, half_width = 5; // design pixels

/// @param along  unit vector of the run
/// @param room   across the thing that it stands in, whose own words have the middle; infinite: there are none
void paint_valve(const Canvas& c, const QPointF& at, const QPointF& along, double open, const QColor& tint,
                 double room = std::numeric_limits<double>::infinity()) {
  const double l = half_length * c.unit, w = half_width * c.unit;
  if (c.paper) c.grow(QRectF(at - QPointF(l, l), QSizeF(2 * l, 2 * l)));
  if (!c.painter) return;
  const QPointF n(-along.y(), along.x());
  const bool shut = open <= 0.0;
  const QColor ink = shut ? c.colors.red : tint;
  c.painter->setRenderHint(QPainter::Antialiasing, true);
  const auto half = [&](double way) {
    return QPolygonF{at, at + along * (way * l) + n * w, at + along * (way * l) - n * w};
  };
  for (const double way : {-1.0, 1.0})
    c.outline(half(way), c.pen(ink, 1.6), shut ? QBrush(ink) : QBrush(c.colors.floor));
  if (shut) {
    c.line(at - n * (w + 3 * c.unit), at + n * (w + 3 * c.unit), c.pen(ink, 2));
  } else if (open < 1.0) {
    c.outline(half(-1.0), c.pen(ink, 1.6), ink); // throttled: one of the two
  }
  if (c.pixels(1000) < valve_words_scale || open >= 1.0) return;
  const QString words = shut ? PlanView::tr("shut", "a valve on the plan") : screen_text(open, kind::percent, 2);
  const bool level = std::abs(along.x()) >= std::abs(along.y());
  const QFont f = c.font(9.5, shut);
  const WordSize size = c.size_of(words, f);
  const bool inside = std::isfinite(room);
  // In a rack only where they lie over neither its name nor the next rack; until then the symbol and the tip tell.
  if (inside && size.width + w + 8 * c.unit > room / 2) return;
  const QPointF inward = inside ? along * -(l + size.height) : QPointF();
  const QPointF corner = level ? at + QPointF(-size.width / 2 - 2 * c.unit, w + 3 * c.unit)
                               : at + inward + QPointF(w + 4 * c.unit, -size.height / 2);
  const QRectF card(corner, QSizeF(size.width + 4 * c.unit, size.height));
  QColor back = c.colors.floor;
  back.setAlpha(220);
  c.fill(card, back);
  c.text(card, Qt::AlignCenter | Qt::TextSingleLine, words, f, ink);
}

} // namespace

bool shows_valve(const Canvas& c) { return c.pixels(1000) >= valve_scale; }

std::optional<ValvePlace> pipe_valve_place(const PlanModel& model, const PlanObject& pipe, double scale) {
  const QPolygonF* path = model.points(PlanLayer::pipes, pipe);
  if (!path || path->size() < 2) return std::nullopt;
  const QPointF d = (*path)[1] - (*path)[0];
  const double length = std::hypot(d.x(), d.y());
  if (length <= 0) return std::nullopt;
  const QPointF u = d / length;
  // Clear of the end, where other runs join.
  return ValvePlace{(*path)[0] + u * std::min(length / 2, (half_length + 4) / scale), u};
}

void paint_pipe_valve(const Canvas& c, const Picture& p, const PlanObject& pipe) {
  const auto place = pipe_valve_place(*p.model, pipe, c.scale / c.unit);
  if (!place) return;
  const Pipe& t = (*p.model->design().pipes)[pipe.index];
  paint_valve(c, c.point(place->at), place->along, t.valve_open, pipe_color(c.colors, pipe.word));
}

void paint_valves(const Canvas& c, const Picture& p) {
  if (!shows_valve(c)) return;
  const auto& pipes = p.model->objects(PlanLayer::pipes);
  p.model->index(PlanLayer::pipes).visit(p.area, [&](std::uint32_t i) {
    const PlanObject& o = pipes[i];
    if (p.gone && p.gone->count(o.id)) return;
    if ((*p.model->design().pipes)[o.index].valve_open < 1.0) paint_pipe_valve(c, p, o);
  });
}

QPointF rack_valve_place(const PlanObject& rack, double scale) {
  // At the rear, where the hoses come in, clear of the name that stands there.
  return rack.from_own({rack.width / 2, rack.depth - std::min(rack.depth / 3, (half_length + 18) / scale)});
}

void paint_rack_valves(const Canvas& c, const Picture& p) {
  if (!shows_valve(c)) return;
  const auto& racks = p.model->objects(PlanLayer::racks);
  p.model->index(PlanLayer::racks).visit(p.area, [&](std::uint32_t i) {
    const PlanObject& o = racks[i];
    const Rack& r = (*p.model->design().racks)[o.index];
    if (r.coolant_valve >= 1.0 || (p.gone && p.gone->count(o.id))) return;
    const QPointF front = o.from_own({o.width / 2, 0}), rear = o.from_own({o.width / 2, o.depth});
    const QPointF d = rear - front;
    const double length = std::hypot(d.x(), d.y());
    if (length <= 0) return;
    paint_valve(c, c.point(rack_valve_place(o, c.scale / c.unit)), d / length, r.coolant_valve, c.colors.liquid, c.pixels(o.width));
  });
}

} // namespace hallwright::plan
