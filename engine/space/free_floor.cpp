// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/free_floor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hallwright {
namespace {

constexpr double slack = 0.5; // mm: drawn positions carry rounding
constexpr double slice = 100; // mm: of turned things and slanting walls
constexpr double far = 1e5;   // mm: thickness of what lies outside
constexpr std::size_t most_cells = 750000;

/// Where the square's middle may be when it is at the gate.
PlanBox middles(const FloorGate& g, double side) {
  const double half = side / 2.0;
  if (!g.square_on)
    return {g.box.x0 - half - slack, g.box.y0 - half - slack, g.box.x1 + half + slack, g.box.y1 + half + slack};
  PlanBox b = g.box;
  if (g.face) {
    // Beside the face, within half a side and a step of it.
    constexpr double step = 300;
    if (g.normal_x > 0.5) return {b.x1, b.y0, b.x1 + half + step, b.y1};
    if (g.normal_x < -0.5) return {b.x0 - half - step, b.y0, b.x0, b.y1};
    if (g.normal_y > 0.5) return {b.x0, b.y1, b.x1, b.y1 + half + step};
    return {b.x0, b.y0 - half - step, b.x1, b.y0};
  }
  const bool along_y = std::abs(g.normal_y) > 0.5;
  const double room = std::max(0.0, half - slack);
  if (along_y) {
    b.x0 += room, b.x1 -= room;
    b.y0 -= half + 1, b.y1 += half + 1;
    if (b.x0 > b.x1) b.x0 = b.x1 = (b.x0 + b.x1) / 2;
  } else {
    b.y0 += room, b.y1 -= room;
    b.x0 -= half + 1, b.x1 += half + 1;
    if (b.y0 > b.y1) b.y0 = b.y1 = (b.y0 + b.y1) / 2;
  }
  return b;
}

void sort_out(std::vector<double>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end(), [](double a, double b) { return b - a < 1e-6; }), v.end());
}

/// Calls `f(from, to, crossings)` for bands of y from top to bottom. Between the heights of corners an outline is a few
/// straight lines; slanting ones in slices. Crossings: x at the middle of the band, and how far the line leans over it.
template <class F>
void for_each_slice(const std::vector<PlanPoint>& outline, F&& f) {
  std::vector<double> ys;
  for (const PlanPoint& p : outline)
    ys.push_back(p.y_mm);
  sort_out(ys);
  for (std::size_t k = 0; k + 1 < ys.size(); ++k) {
    bool slanting = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++)
      if (std::min(outline[i].y_mm, outline[j].y_mm) < ys[k + 1] &&
          std::max(outline[i].y_mm, outline[j].y_mm) > ys[k] && std::abs(outline[i].x_mm - outline[j].x_mm) > 1e-6)
        slanting = true;
    const auto parts = slanting ? std::clamp(static_cast<int>(std::ceil((ys[k + 1] - ys[k]) / slice)), 1, 400) : 1;
    for (int part = 0; part < parts; ++part) {
      const double from = ys[k] + (ys[k + 1] - ys[k]) * part / parts,
                   to = ys[k] + (ys[k + 1] - ys[k]) * (part + 1) / parts, mid = (from + to) / 2;
      std::vector<std::pair<double, double>> crossings;
      for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
        const PlanPoint &p = outline[i], &q = outline[j];
        if ((p.y_mm > mid) == (q.y_mm > mid)) continue;
        const double lean = (q.x_mm - p.x_mm) / (q.y_mm - p.y_mm);
        crossings.emplace_back(p.x_mm + lean * (mid - p.y_mm), std::abs(lean) * (to - from) / 2);
      }
      std::sort(crossings.begin(), crossings.end());
      f(from, to, crossings);
    }
  }
}

/// Line positions with a table for quick look-up.
struct Lines {
  std::vector<double> at;
  std::vector<std::uint32_t> bucket;
  double origin = 0, step = 100;
  void index() {
    origin = at.front();
    const double span = at.back() - origin;
    step = std::max(1.0, span / std::clamp(4.0 * static_cast<double>(at.size()), 64.0, 4096.0));
    bucket.assign(static_cast<std::size_t>(span / step) + 2, 0);
    std::size_t line = 0;
    for (std::size_t b = 0; b < bucket.size(); ++b) {
      const double v = origin + static_cast<double>(b) * step;
      while (line + 1 < at.size() && at[line + 1] <= v)
        ++line;
      bucket[b] = static_cast<std::uint32_t>(line);
    }
  }
  /// The last line at or before `v`; the first where `v` lies before all.
  [[nodiscard]] std::size_t before(double v) const {
    if (v <= origin) return 0;
    const auto b = std::min(bucket.size() - 1, static_cast<std::size_t>((v - origin) / step));
    std::size_t line = bucket[b];
    while (line + 1 < at.size() && at[line + 1] <= v)
      ++line;
    return line;
  }
};

} // namespace

struct FreeFloor::Cells {
  Lines x, y;
  std::vector<std::int32_t> taken; ///< 0: free; row by row
  [[nodiscard]] std::size_t nx() const { return x.at.size() - 1; }
  [[nodiscard]] std::size_t ny() const { return y.at.size() - 1; }
  static constexpr std::int32_t reached = -1; ///< free, and come to
  /// Calls `f(cell)` for the free cells that a box touches.
  template <class F>
  void touching(const PlanBox& b, F&& f) const {
    constexpr double touch = 1e-3; // mm: what only meets a cell's edge is not in it
    const std::size_t x0 = std::min(nx() - 1, x.before(b.x0 + touch)), y0 = std::min(ny() - 1, y.before(b.y0 + touch));
    const std::size_t x1 = std::clamp(x.before(b.x1 - touch), x0, nx() - 1);
    const std::size_t y1 = std::clamp(y.before(b.y1 - touch), y0, ny() - 1);
    for (std::size_t j = y0; j <= y1; ++j)
      for (std::size_t i = x0; i <= x1; ++i)
        if (taken[j * nx() + i] <= 0) f(j * nx() + i);
  }
  /// Free cells beside a free one. The outermost cells lie in the walls, so that there is always one beside.
  template <class F>
  void neighbours(std::size_t cell, F&& f) const {
    const std::size_t row = nx();
    for (const std::size_t next : {cell - 1, cell + 1, cell - row, cell + row})
      if (taken[next] <= 0) f(next);
  }
};

FreeFloor::FreeFloor(std::vector<FloorBlock> blocks, const std::vector<PlanPoint>& outline)
    : blocks_(std::move(blocks)) {
  if (outline.size() < 3) return;
  bounds_ = outline_box(outline);
  const PlanBox& b = bounds_;
  auto wall = [&](PlanBox box) { blocks_.push_back({box, FloorBlock::wall, FloorBlock::wall}); };
  wall({b.x0 - far, b.y0 - far, b.x0, b.y1 + far});
  wall({b.x1, b.y0 - far, b.x1 + far, b.y1 + far});
  wall({b.x0 - far, b.y0 - far, b.x1 + far, b.y0});
  wall({b.x0 - far, b.y1, b.x1 + far, b.y1 + far});
  for_each_slice(outline, [&](double from, double to, const std::vector<std::pair<double, double>>& crossings) {
    double open_from = b.x0;
    for (std::size_t c = 0; c <= crossings.size(); c += 2) {
      // Outside up to crossing c, inside from there to c + 1.
      const double until = c < crossings.size() ? crossings[c].first + crossings[c].second : b.x1;
      if (until - open_from > 1e-6) wall({open_from, from, until, to});
      if (c + 1 < crossings.size()) open_from = crossings[c + 1].first - crossings[c + 1].second;
    }
  });
  for (const FloorBlock& block : blocks_)
    x0_.push_back(block.box.x0), x1_.push_back(block.box.x1), y0_.push_back(block.box.y0), y1_.push_back(block.box.y1);
  for (std::vector<double>* sides : {&x0_, &x1_, &y0_, &y1_})
    std::sort(sides->begin(), sides->end());
}

FreeFloor::Cells FreeFloor::cells(double side) const {
  const double half = std::max(0.0, (side - slack) / 2.0);
  Cells out;
  // Where the cuts become too many they are moved outwards to a coarser grid: less is free then, never more.
  for (double coarse = 0;; coarse = coarse == 0 ? 10 : coarse * 2) {
    auto low = [&](double v) { return coarse == 0 ? v - half : std::floor((v - half) / coarse) * coarse; };
    auto high = [&](double v) { return coarse == 0 ? v + half : std::ceil((v + half) / coarse) * coarse; };
    out.x.at.clear();
    out.y.at.clear();
    const PlanBox hall{bounds_.x0 - 1, bounds_.y0 - 1, bounds_.x1 + 1, bounds_.y1 + 1};
    auto within = [](double v, double from, double to) { return std::clamp(v, from, to); };
    // Sides move outwards in their order: two ascending lists make one.
    auto lines = [&](std::vector<double>& at, const std::vector<double>& lows, const std::vector<double>& highs,
                     double from, double to) {
      at.reserve(lows.size() + highs.size() + 2);
      auto put = [&](double v) {
        v = within(v, from, to);
        if (v - at.back() >= 1e-6) at.push_back(v);
      };
      at.push_back(from);
      for (std::size_t l = 0, h = 0; l < lows.size() || h < highs.size();) {
        const double next_low = l < lows.size() ? low(lows[l]) : 1e18,
                     next_high = h < highs.size() ? high(highs[h]) : 1e18;
        if (next_low <= next_high)
          put(next_low), ++l;
        else
          put(next_high), ++h;
      }
      put(to);
      if (at.back() < to) at.back() = to;
    };
    lines(out.x.at, x0_, x1_, hall.x0, hall.x1);
    lines(out.y.at, y0_, y1_, hall.y0, hall.y1);
    if (out.x.at.size() * out.y.at.size() > most_cells && coarse < 500) continue;
    out.x.index();
    out.y.index();
    const std::size_t nx = out.nx(), ny = out.ny();
    // Corners of each block's change of "taken", summed up along both directions.
    std::vector<std::int32_t> change((nx + 1) * (ny + 1), 0);
    for (const FloorBlock& b : blocks_) {
      const double x0 = within(low(b.box.x0), hall.x0, hall.x1), x1 = within(high(b.box.x1), hall.x0, hall.x1);
      const double y0 = within(low(b.box.y0), hall.y0, hall.y1), y1 = within(high(b.box.y1), hall.y0, hall.y1);
      if (x1 - x0 < 1e-6 || y1 - y0 < 1e-6) continue;
      auto line = [](const Lines& lines, double v) {
        std::size_t k = lines.before(v + 1e-7);
        if (k + 1 < lines.at.size() && lines.at[k + 1] - v < 1e-6) ++k;
        return k;
      };
      const std::size_t i0 = line(out.x, x0), i1 = line(out.x, x1), j0 = line(out.y, y0), j1 = line(out.y, y1);
      ++change[j0 * (nx + 1) + i0];
      --change[j0 * (nx + 1) + i1];
      --change[j1 * (nx + 1) + i0];
      ++change[j1 * (nx + 1) + i1];
    }
    out.taken.resize(nx * ny);
    std::vector<std::int32_t> above(nx, 0);
    for (std::size_t j = 0; j < ny; ++j) {
      std::int32_t run = 0;
      for (std::size_t i = 0; i < nx; ++i) {
        run += change[j * (nx + 1) + i];
        above[i] += run;
        out.taken[j * nx + i] = above[i];
      }
    }
    return out;
  }
}

std::vector<char> FreeFloor::reached(double side, const std::vector<FloorGate>& from,
                                     const std::vector<FloorGate>& to) const {
  std::vector<char> out(to.size(), 0);
  if (from.empty() || to.empty() || blocks_.empty()) return out;
  Cells c = cells(side);
  std::vector<std::uint32_t> open;
  auto visit = [&](std::size_t cell) {
    if (c.taken[cell] == Cells::reached) return;
    c.taken[cell] = Cells::reached;
    open.push_back(static_cast<std::uint32_t>(cell));
  };
  for (const FloorGate& g : from)
    if (g.width + slack >= side) c.touching(middles(g, side), visit);
  while (!open.empty()) {
    const std::uint32_t cell = open.back();
    open.pop_back();
    c.neighbours(cell, visit);
  }
  for (std::size_t t = 0; t < to.size(); ++t) {
    if (!to[t].face && to[t].square_on && to[t].width + slack < side) continue;
    c.touching(middles(to[t], side), [&](std::size_t cell) { out[t] |= c.taken[cell] == Cells::reached; });
  }
  return out;
}

double FreeFloor::widest(const std::vector<FloorGate>& from, const std::vector<FloorGate>& to, double at_most) const {
  auto passes = [&](double side) {
    const auto r = reached(side, from, to);
    return std::all_of(r.begin(), r.end(), [](char c) { return c != 0; });
  };
  if (!passes(least)) return 0;
  if (passes(at_most)) return at_most;
  double low = least, high = at_most; // passes, does not
  while (high - low > 1.0) {
    const double middle = std::floor((low + high) / 2.0);
    (passes(middle) ? low : high) = middle;
  }
  return low;
}

std::optional<NarrowPlace> FreeFloor::narrowest_place(double side, const std::vector<FloorGate>& from,
                                                      const FloorGate& to, const std::vector<PlanThing>& things) const {
  if (blocks_.empty()) return std::nullopt;
  const Cells c = cells(side);
  constexpr std::uint32_t unseen = 0xffffffff, start = 0xfffffffe;
  std::vector<std::uint32_t> came(c.taken.size(), unseen);
  std::vector<std::uint32_t> queue;
  for (const FloorGate& g : from)
    if (g.width + slack >= side)
      c.touching(middles(g, side), [&](std::size_t cell) {
        if (came[cell] == unseen) came[cell] = start, queue.push_back(static_cast<std::uint32_t>(cell));
      });
  for (std::size_t head = 0; head < queue.size(); ++head)
    c.neighbours(queue[head], [&](std::size_t next) {
      if (came[next] == unseen) came[next] = queue[head], queue.push_back(static_cast<std::uint32_t>(next));
    });
  std::uint32_t cell = unseen;
  c.touching(middles(to, side), [&](std::size_t at) {
    if (cell == unseen && came[at] != unseen) cell = static_cast<std::uint32_t>(at);
  });
  if (cell == unseen) return std::nullopt;
  auto distance = [](const PlanBox& b, double x, double y) {
    return std::max({b.x0 - x, x - b.x1, b.y0 - y, y - b.y1});
  };
  // The narrowest cells of the way, and which things leave so little room there: the nearest on two sides, if there is
  // such a cell.
  double narrowest = std::numeric_limits<double>::infinity();
  struct Place {
    double x, y, nearest;
  };
  std::vector<Place> way;
  for (; cell != start; cell = came[cell]) {
    const std::size_t i = cell % c.nx(), j = cell / c.nx();
    Place p{(c.x.at[i] + c.x.at[i + 1]) / 2, (c.y.at[j] + c.y.at[j + 1]) / 2, std::numeric_limits<double>::infinity()};
    for (const FloorBlock& b : blocks_)
      p.nearest = std::min(p.nearest, distance(b.box, p.x, p.y));
    narrowest = std::min(narrowest, p.nearest);
    way.push_back(p);
  }
  NarrowPlace best;
  bool found = false;
  for (const Place& p : way) {
    if (p.nearest > narrowest + 1.5) continue;
    std::vector<std::pair<double, std::uint32_t>> beside;
    bool between_two = false;
    const FloorBlock* first = nullptr;
    for (const FloorBlock& b : blocks_) {
      const double d = distance(b.box, p.x, p.y);
      if (d > narrowest + 3.0) continue;
      std::uint32_t who = b.first;
      if (b.first != b.last) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::uint32_t t = b.first; t <= b.last; ++t)
          if (const double e = distance(things[t].box, p.x, p.y); e < nearest) nearest = e, who = t;
      }
      beside.emplace_back(std::round(d), who); // equal distances in the order of the things
      // On the other side of the place, not beside the first one.
      if (first && ((first->box.x1 <= p.x) != (b.box.x1 <= p.x) || (first->box.y1 <= p.y) != (b.box.y1 <= p.y)))
        between_two = true;
      if (!first) first = &b;
    }
    if (found && !between_two) continue;
    std::sort(beside.begin(), beside.end());
    best = {p.x, p.y, beside.empty() ? FloorBlock::wall : beside[0].second, FloorBlock::wall};
    best.and_between = best.between;
    for (const auto& [d, who] : beside)
      if (who != best.between) {
        best.and_between = who;
        break;
      }
    found = true;
    if (between_two) break;
  }
  return best;
}

std::vector<FloorBlock> floor_blocks(const std::vector<PlanThing>& things, const std::vector<std::uint32_t>& which) {
  std::vector<FloorBlock> out;
  out.reserve(which.size());
  for (const std::uint32_t i : which) {
    const PlanThing& t = things[i];
    if (!t.square_on) {
      // Slices across the longer side, each by its bounding box.
      const bool along = t.half_width >= t.half_depth;
      const double half = along ? t.half_width : t.half_depth, across = along ? t.half_depth : t.half_width;
      const double ax = along ? t.axis_x : -t.axis_y, ay = along ? t.axis_y : t.axis_x;
      const int parts = std::clamp(static_cast<int>(std::ceil(2 * half / slice)), 1, 400);
      for (int p = 0; p < parts; ++p) {
        const double mid = -half + 2 * half * (p + 0.5) / parts, reach = half / parts;
        const double x = t.center_x + ax * mid, y = t.center_y + ay * mid;
        const double wide = reach * std::abs(ax) + across * std::abs(ay),
                     deep = reach * std::abs(ay) + across * std::abs(ax);
        out.push_back({{x - wide, y - deep, x + wide, y + deep}, i, i});
      }
      continue;
    }
    if (!out.empty() && out.back().last + 1 == i && things[out.back().last].square_on) {
      PlanBox& b = out.back().box;
      auto same = [](double p, double q) { return std::abs(p - q) < slack; };
      auto close = [](double p, double q) { return std::abs(p - q) < FreeFloor::least - 1; };
      if (same(b.y0, t.box.y0) && same(b.y1, t.box.y1) && (close(b.x1, t.box.x0) || close(b.x0, t.box.x1))) {
        b.x0 = std::min(b.x0, t.box.x0), b.x1 = std::max(b.x1, t.box.x1);
        out.back().last = i;
        continue;
      }
      if (same(b.x0, t.box.x0) && same(b.x1, t.box.x1) && (close(b.y1, t.box.y0) || close(b.y0, t.box.y1))) {
        b.y0 = std::min(b.y0, t.box.y0), b.y1 = std::max(b.y1, t.box.y1);
        out.back().last = i;
        continue;
      }
    }
    out.push_back({t.box, i, i});
  }
  return out;
}

std::vector<PlanBox> boxes_of_inside(const std::vector<PlanPoint>& outline) {
  std::vector<PlanBox> out;
  if (outline.size() < 3) return out;
  for_each_slice(outline, [&](double from, double to, const std::vector<std::pair<double, double>>& crossings) {
    for (std::size_t c = 0; c + 1 < crossings.size(); c += 2)
      out.push_back(
          {crossings[c].first - crossings[c].second, from, crossings[c + 1].first + crossings[c + 1].second, to});
  });
  return out;
}

std::vector<PlanBox> without(const PlanBox& box, const std::vector<PlanBox>& openings) {
  std::vector<PlanBox> parts{box};
  for (const PlanBox& o : openings) {
    std::vector<PlanBox> rest;
    for (const PlanBox& p : parts) {
      if (!p.overlaps(o)) {
        rest.push_back(p);
        continue;
      }
      const double x0 = std::max(p.x0, o.x0), x1 = std::min(p.x1, o.x1);
      if (p.x0 < x0) rest.push_back({p.x0, p.y0, x0, p.y1});
      if (x1 < p.x1) rest.push_back({x1, p.y0, p.x1, p.y1});
      if (p.y0 < o.y0) rest.push_back({x0, p.y0, x1, o.y0});
      if (o.y1 < p.y1) rest.push_back({x0, o.y1, x1, p.y1});
    }
    parts = std::move(rest);
  }
  return parts;
}

} // namespace hallwright
