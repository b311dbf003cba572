// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_ghosts.h"

#include <algorithm>
#include <cmath>

namespace hallwright::plan {
namespace {

constexpr std::array<PlanLayer, 8> drawn_layers{PlanLayer::structure, PlanLayer::racks, PlanLayer::power,
                                                PlanLayer::liquid,    PlanLayer::zones, PlanLayer::air,
                                                PlanLayer::trays,     PlanLayer::pipes};

bool same_place(const PlanModel& a, const PlanObject& x, const PlanModel& b, const PlanObject& y, PlanLayer layer) {
  constexpr double hair = 0.05; // mm
  const auto near = [](double p, double q) { return std::abs(p - q) < hair; };
  if (x.hall != y.hall || std::abs(std::remainder(x.angle - y.angle, 360.0)) > 0.01) return false;
  const QPolygonF *points = a.points(layer, x), *others = b.points(layer, y);
  if (!points != !others) return false;
  if (!points) return near(x.x0, y.x0) && near(x.y0, y.y0) && near(x.x1, y.x1) && near(x.y1, y.y1);
  return near(x.width, y.width) && points->size() == others->size() &&
         std::equal(points->begin(), points->end(), others->begin(),
                    [&](const QPointF& p, const QPointF& q) { return near(p.x(), q.x()) && near(p.y(), q.y()); });
}

void paint_arrow(const Canvas& c, const QPointF& from, const QPointF& to, const QPen& pen) {
  const QPointF way = to - from;
  const double length = std::hypot(way.x(), way.y());
  if (length < 14 * c.unit) return; // the outlines tell enough
  c.line(from, to, pen);
  const QPointF u = way / length, side(-u.y(), u.x());
  const double head = 7 * c.unit;
  for (const double s : {1.0, -1.0}) c.line(to, to - u * head + side * (s * head * 0.5), pen);
}

} // namespace

std::vector<Ghost> ghosts_between(const PlanModel& before, const PlanModel& now) {
  std::vector<Ghost> out;
  for (const PlanLayer layer : drawn_layers)
    for (const PlanObject& o : before.objects(layer)) {
      const PlanObject* kept = now.find(layer, o.id);
      if (kept && same_place(before, o, now, *kept, layer)) continue;
      Ghost g;
      g.layer = layer;
      g.gone = !kept;
      const QPolygonF* points = before.points(layer, o);
      g.outline = points ? *points : o.corners();
      g.closed = !points || layer == PlanLayer::zones;
      if (kept) g.from = o.center(), g.to = kept->center();
      out.push_back(std::move(g));
    }
  return out;
}

void paint_ghosts(const Canvas& c, const std::vector<Ghost>& ghosts, const QRectF& sight,
                  const std::array<bool, layer_count>& hidden) {
  constexpr std::size_t most_dashed = 200; // dashes are slow, and of so many nobody sees them
  const bool dashed = ghosts.size() <= most_dashed;
  const QColor ink = mixed(c.colors.text, c.colors.canvas, 0.35);
  const QPen pen = c.pen(ink, 1.4, dashed ? Qt::DashLine : Qt::SolidLine), thin = c.pen(ink, 1);
  c.painter->setRenderHint(QPainter::Antialiasing, dashed);
  for (const Ghost& g : ghosts) {
    if (hidden[static_cast<std::size_t>(g.layer)]) continue;
    const QRectF box = g.outline.boundingRect();
    if (!box.adjusted(-100, -100, 100, 100).intersects(sight) && (g.gone || !sight.contains(g.to))) continue;
    const QPolygonF shape = c.polygon(g.outline);
    c.outline(shape, pen, Qt::NoBrush, g.closed); // nothing veils what stands there now
    if (!dashed) continue;
    if (g.gone && g.closed && shape.size() == 4) {
      c.line(shape[0], shape[2], thin);
      c.line(shape[1], shape[3], thin);
    }
    if (!g.gone) paint_arrow(c, c.point(g.from), c.point(g.to), thin);
  }
}

} // namespace hallwright::plan
