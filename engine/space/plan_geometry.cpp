// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/plan_geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hallwright {
namespace {

constexpr double touching = 0.5;     // mm: drawn positions carry rounding
constexpr double edge_tolerance = 1; // mm
constexpr double on_edge = 1e-3;     // mm: positions are whole micrometres

/// Half the extent of a thing along a unit vector.
double reach(const PlanThing& t, double x, double y) {
  return t.half_width * std::abs(t.axis_x * x + t.axis_y * y) + t.half_depth * std::abs(-t.axis_y * x + t.axis_x * y);
}

bool separated(const PlanThing& a, const PlanThing& b, double x, double y) {
  const double distance = std::abs((b.center_x - a.center_x) * x + (b.center_y - a.center_y) * y);
  return distance + touching >= reach(a, x, y) + reach(b, x, y);
}

/// Whether the line from (x0, y0) to (x1, y1) enters the open box of these half sides about the origin.
bool enters(double x0, double y0, double x1, double y1, double half_x, double half_y) {
  double from = 0.0, to = 1.0;
  const double dx = x1 - x0, dy = y1 - y0;
  auto clip = [&](double d, double start, double half) {
    if (d == 0.0) return std::abs(start) < half;
    double t0 = (-half - start) / d, t1 = (half - start) / d;
    if (t0 > t1) std::swap(t0, t1);
    from = std::max(from, t0);
    to = std::min(to, t1);
    return from < to;
  };
  return clip(dx, x0, half_x) && clip(dy, y0, half_y);
}

} // namespace

PlanThing plan_thing(Length x, Length y, Length width, Length depth, Angle rotation) {
  PlanThing t;
  t.half_width = in_millimeters(width) / 2.0;
  t.half_depth = in_millimeters(depth) / 2.0;
  t.center_x = in_millimeters(x) + t.half_width;
  t.center_y = in_millimeters(y) + t.half_depth;
  t.box = plan_box(x, y, width, depth, rotation);
  const double quarters = in_degrees(rotation) / 90.0;
  if (std::abs(quarters - std::round(quarters)) < 1e-9) {
    const int turn = static_cast<int>(std::fmod(std::fmod(std::round(quarters), 4.0) + 4.0, 4.0));
    if (turn % 2 == 1) std::swap(t.half_width, t.half_depth);
    constexpr double fronts[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    t.front_x = fronts[turn][0];
    t.front_y = fronts[turn][1];
  } else {
    const double radians = quarters * 1.5707963267948966;
    t.square_on = false;
    t.axis_x = std::cos(radians);
    t.axis_y = std::sin(radians);
    t.front_x = std::sin(radians);
    t.front_y = -std::cos(radians);
  }
  return t;
}

bool share_floor(const PlanThing& a, const PlanThing& b) {
  if (a.hall != b.hall) return false;
  if (a.square_on && b.square_on)
    return a.box.x0 + touching < b.box.x1 && b.box.x0 + touching < a.box.x1 && a.box.y0 + touching < b.box.y1 &&
           b.box.y0 + touching < a.box.y1;
  // Two rectangles are apart when a side of one of them is a line between them.
  return !separated(a, b, a.axis_x, a.axis_y) && !separated(a, b, -a.axis_y, a.axis_x) &&
         !separated(a, b, b.axis_x, b.axis_y) && !separated(a, b, -b.axis_y, b.axis_x);
}

double shared_depth(const PlanThing& a, const PlanThing& b) {
  if (a.hall != b.hall) return 0.0;
  double least = 1e18;
  for (const PlanThing* t : {&a, &b})
    for (const auto& [x, y] : {std::pair(t->axis_x, t->axis_y), std::pair(-t->axis_y, t->axis_x)}) {
      const double distance = std::abs((b.center_x - a.center_x) * x + (b.center_y - a.center_y) * y);
      least = std::min(least, reach(a, x, y) + reach(b, x, y) - distance);
    }
  return std::max(0.0, least);
}

bool point_in_outline(double x, double y, const std::vector<PlanPoint>& outline) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const PlanPoint &a = outline[i], &b = outline[j];
    const double dx = b.x_mm - a.x_mm, dy = b.y_mm - a.y_mm, length = dx * dx + dy * dy;
    const double k = length > 0 ? std::clamp(((x - a.x_mm) * dx + (y - a.y_mm) * dy) / length, 0.0, 1.0) : 0.0;
    const double off_x = a.x_mm + k * dx - x, off_y = a.y_mm + k * dy - y;
    if (off_x * off_x + off_y * off_y <= on_edge * on_edge) return true;
    if ((a.y_mm > y) != (b.y_mm > y) && x < dx * (y - a.y_mm) / dy + a.x_mm) inside = !inside;
  }
  return inside;
}

bool inside_outline(const PlanThing& t, const std::vector<PlanPoint>& outline) {
  return outline.size() >= 3 && point_in_outline(t.center_x, t.center_y, outline) &&
         !edge_runs_through(t, outline, edge_tolerance);
}

bool edge_runs_through(const PlanThing& t, const std::vector<PlanPoint>& outline, double inwards) {
  const double half_x = t.half_width - inwards, half_y = t.half_depth - inwards;
  if (outline.empty() || half_x <= 0.0 || half_y <= 0.0) return false;
  auto local = [&](const PlanPoint& p) {
    const double dx = p.x_mm - t.center_x, dy = p.y_mm - t.center_y;
    return std::pair(dx * t.axis_x + dy * t.axis_y, -dx * t.axis_y + dy * t.axis_x);
  };
  auto [x0, y0] = local(outline.back());
  for (const PlanPoint& p : outline) {
    const auto [x1, y1] = local(p);
    if (enters(x0, y0, x1, y1, half_x, half_y)) return true;
    x0 = x1;
    y0 = y1;
  }
  return false;
}

PlanBox outline_box(const std::vector<PlanPoint>& outline) {
  if (outline.empty()) return {};
  PlanBox b{outline[0].x_mm, outline[0].y_mm, outline[0].x_mm, outline[0].y_mm};
  for (const PlanPoint& p : outline) {
    b.x0 = std::min(b.x0, p.x_mm), b.x1 = std::max(b.x1, p.x_mm);
    b.y0 = std::min(b.y0, p.y_mm), b.y1 = std::max(b.y1, p.y_mm);
  }
  return b;
}

std::vector<PlanThing> run_stretches(const std::vector<PlanPoint>& path, double width, std::int32_t hall) {
  std::vector<PlanThing> out;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double dx = path[i].x_mm - path[i - 1].x_mm, dy = path[i].y_mm - path[i - 1].y_mm,
                 length = std::hypot(dx, dy);
    if (length <= 0) continue;
    PlanThing t;
    t.center_x = (path[i].x_mm + path[i - 1].x_mm) / 2, t.center_y = (path[i].y_mm + path[i - 1].y_mm) / 2;
    t.half_width = length / 2, t.half_depth = width / 2;
    t.axis_x = dx / length, t.axis_y = dy / length;
    t.square_on = dx == 0 || dy == 0;
    if (t.square_on) {
      if (dx == 0) std::swap(t.half_width, t.half_depth);
      t.axis_x = 1, t.axis_y = 0;
    }
    const double ex = t.half_width * std::abs(t.axis_x) + t.half_depth * std::abs(t.axis_y),
                 ey = t.half_width * std::abs(t.axis_y) + t.half_depth * std::abs(t.axis_x);
    t.box = {t.center_x - ex, t.center_y - ey, t.center_x + ex, t.center_y + ey};
    t.hall = hall;
    out.push_back(t);
  }
  return out;
}

double outline_area(const std::vector<PlanPoint>& outline) {
  double twice = 0.0;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++)
    twice += outline[j].x_mm * outline[i].y_mm - outline[i].x_mm * outline[j].y_mm;
  return std::abs(twice) / 2.0;
}

std::int64_t PlanGrid::cell_of(double v) {
  // Drawings reach some kilometres; what lies beyond shares the outermost cells.
  constexpr double most = 1e12;
  return static_cast<std::int64_t>(std::floor(std::clamp(v, -most, most) / cell));
}

PlanGrid::PlanGrid(const std::vector<PlanThing>& things) : things_(things) {
  const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, 4 * things.size()));
  shift_ = 64 - std::countr_zero(slots);
  heads_.assign(slots, none);
  entries_.reserve(4 * things.size());
  for (std::uint32_t i = 0; i < things.size(); ++i) {
    const PlanBox& box = things[i].box;
    const std::int64_t x0 = cell_of(box.x0), x1 = cell_of(box.x1), y0 = cell_of(box.y0), y1 = cell_of(box.y1);
    if (x1 - x0 >= most_cells || y1 - y0 >= most_cells || (x1 - x0 + 1) * (y1 - y0 + 1) > most_cells) {
      wide_.push_back(i);
      continue;
    }
    for (std::int64_t y = y0; y <= y1; ++y)
      for (std::int64_t x = x0; x <= x1; ++x) {
        std::uint32_t& head = heads_[slot(x, y)];
        entries_.push_back({x, y, i, head});
        head = static_cast<std::uint32_t>(entries_.size() - 1);
      }
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> PlanGrid::sharing(const std::stop_token& stop) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  auto meet = [&](std::uint32_t a, std::uint32_t b) {
    if (share_floor(things_[a], things_[b])) out.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (stop.stop_requested()) return {};
    for (std::uint32_t other = entries_[e].next; other != none; other = entries_[other].next)
      if (entries_[other].x == entries_[e].x && entries_[other].y == entries_[e].y)
        meet(entries_[e].thing, entries_[other].thing);
  }
  for (std::size_t w = 0; w < wide_.size(); ++w) {
    if (stop.stop_requested()) return {};
    for (std::uint32_t i = 0; i < things_.size(); ++i)
      if (i != wide_[w] && things_[i].box.overlaps(things_[wide_[w]].box)) meet(wide_[w], i);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

} // namespace hallwright
