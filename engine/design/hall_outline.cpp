// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/hall_outline.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hallwright {
namespace {

constexpr double on_it = 1.0; // mm

/// Where a point of the old outline lies on the new one, of as many corners; nothing where it is on neither.
std::optional<PlanPoint> followed(const PlanPoint& p, const std::vector<PlanPoint>& old,
                                  const std::vector<PlanPoint>& now) {
  const std::size_t n = old.size();
  for (std::size_t i = 0; i < n; ++i)
    if (std::hypot(p.x_mm - old[i].x_mm, p.y_mm - old[i].y_mm) <= on_it) return now[i];
  for (std::size_t i = 0, j = n - 1; i < n; j = i++) {
    const PlanPoint &a = old[j], &b = old[i], &c = now[j], &d = now[i];
    const double ux = b.x_mm - a.x_mm, uy = b.y_mm - a.y_mm, length = std::hypot(ux, uy);
    if (length < on_it) continue;
    const double along = ((p.x_mm - a.x_mm) * ux + (p.y_mm - a.y_mm) * uy) / length;
    const double off = std::abs((p.x_mm - a.x_mm) * uy - (p.y_mm - a.y_mm) * ux) / length;
    if (off > on_it || along < 0 || along > length) continue;
    // The nearest place of the side as it is now.
    const double vx = d.x_mm - c.x_mm, vy = d.y_mm - c.y_mm, square = vx * vx + vy * vy;
    if (square < on_it * on_it) return c;
    const double t = std::clamp(((p.x_mm - c.x_mm) * vx + (p.y_mm - c.y_mm) * vy) / square, 0.0, 1.0);
    return PlanPoint{c.x_mm + t * vx, c.y_mm + t * vy};
  }
  return std::nullopt;
}

} // namespace

Edited with_hall_outline(const Design& design, Id hall, const std::string& outline) {
  const Hall* before = find(*design.halls, hall);
  const std::vector<PlanPoint> old = before ? before->outline : std::vector<PlanPoint>{};
  Edited out = set_field(design, {"halls", hall}, "outline", FieldValue(outline));
  if (!out) return out;
  const std::vector<PlanPoint> now = find(*out->halls, hall)->outline;
  if (old.size() != now.size() || old == now) return out;
  std::vector<Dimension> dimensions = *out->dimensions;
  bool moved = false;
  const auto follow = [&](Id thing, Length& x, Length& y) {
    if (thing != 0) return;
    const auto to = followed({in_millimeters(x), in_millimeters(y)}, old, now);
    if (!to || (to->x_mm == in_millimeters(x) && to->y_mm == in_millimeters(y))) return;
    x = millimeters(to->x_mm), y = millimeters(to->y_mm);
    moved = true;
  };
  for (Dimension& d : dimensions) {
    if (d.hall != hall) continue;
    follow(d.start, d.start_x, d.start_y);
    follow(d.end, d.end_x, d.end_y);
  }
  if (moved) out->dimensions = share(std::move(dimensions));
  return out;
}

} // namespace hallwright
