// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/route_graph.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "space/plan_geometry.h"

namespace hallwright {
namespace {

/// Of two ways of one length the one that stays in its tray longer is taken: what hangs in the air counts a
/// millionth more. Stated lengths are the plain ones.
constexpr double open_air = 1.0 + 1e-6;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double grid_cell = 3000.0;
constexpr double same_cut = 1e-6; // mm: two cuts of a run that are one
constexpr double rounding = 1e-6; // mm: of metres that were typed in millimetres

struct Nearest {
  double along = 0; ///< from the start of the segment
  double distance = infinity;
};

Nearest nearest_on(double px, double py, double x0, double y0, double x1, double y1, double length) {
  const double dx = x1 - x0, dy = y1 - y0;
  double t = length > 0 ? ((px - x0) * dx + (py - y0) * dy) / (length * length) : 0.0;
  t = std::clamp(t, 0.0, 1.0);
  return {t * length, std::hypot(px - (x0 + t * dx), py - (y0 + t * dy))};
}

} // namespace

Route estimated_route(const RoutePlace& from, const RoutePlace& to, double level) {
  Route out;
  out.horizontal = std::abs(from.x - to.x) + std::abs(from.y - to.y);
  out.vertical = std::abs(level - from.height) + std::abs(level - to.height);
  return out;
}

RouteGraph::RouteGraph(std::vector<RouteRun> runs) {
  for (RouteRun& run : runs)
    if (run.path.size() >= 2) runs_.push_back(std::move(run));
  for (std::uint32_t r = 0; r < runs_.size(); ++r) {
    first_segment_.push_back(static_cast<std::uint32_t>(segments_.size()));
    double along = 0;
    const auto& path = runs_[r].path;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      Segment s{r, path[i].x_mm, path[i].y_mm, path[i + 1].x_mm, path[i + 1].y_mm, along, 0};
      s.length = std::hypot(s.x1 - s.x0, s.y1 - s.y0);
      along += s.length;
      segments_.push_back(s);
    }
    run_length_.push_back(along);
  }
  first_segment_.push_back(static_cast<std::uint32_t>(segments_.size()));
  joined_.assign(runs_.size(), false);

  std::vector<std::vector<double>> cuts(runs_.size());
  for (std::size_t r = 0; r < runs_.size(); ++r)
    cuts[r] = {0.0, run_length_[r]};
  join_runs(cuts);

  // Nodes are the cuts of a run in order; sections lie between them.
  std::vector<std::uint32_t> first_node;
  std::uint32_t nodes = 0;
  for (std::uint32_t r = 0; r < runs_.size(); ++r) {
    auto& c = cuts[r];
    std::sort(c.begin(), c.end());
    c.erase(std::unique(c.begin(), c.end(), [](double a, double b) { return b - a <= same_cut; }), c.end());
    if (c.size() == 1) c.push_back(c[0]); // a run without length still has two ends
    first_node.push_back(nodes);
    first_section_.push_back(static_cast<std::uint32_t>(sections_.size()));
    for (std::uint32_t i = 0; i + 1 < c.size(); ++i)
      sections_.push_back({r, nodes + i, nodes + i + 1, c[i], c[i + 1] - c[i]});
    nodes += static_cast<std::uint32_t>(c.size());
  }
  first_section_.push_back(static_cast<std::uint32_t>(sections_.size()));
  auto node_at = [&](std::uint32_t run, double along) {
    const auto& c = cuts[run];
    auto it = std::lower_bound(c.begin(), c.end(), along - same_cut);
    if (it == c.end()) --it;
    return first_node[run] + static_cast<std::uint32_t>(it - c.begin());
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> linked; // nodes of each link
  linked.reserve(links_.size());
  first_edge_.assign(nodes + 1, 0);
  for (const Section& s : sections_)
    ++first_edge_[s.a + 1], ++first_edge_[s.b + 1];
  for (const Link& l : links_) {
    linked.emplace_back(node_at(l.run_a, l.at_a), node_at(l.run_b, l.at_b));
    ++first_edge_[linked.back().first + 1], ++first_edge_[linked.back().second + 1];
  }
  std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
  edges_.resize(first_edge_.back());
  std::vector<std::uint32_t> next(first_edge_.begin(), first_edge_.end() - 1);
  for (std::uint32_t s = 0; s < sections_.size(); ++s) {
    const Section& e = sections_[s];
    edges_[next[e.a]++] = Edge{e.b, static_cast<std::int32_t>(s), e.length, 0};
    edges_[next[e.b]++] = Edge{e.a, static_cast<std::int32_t>(s), e.length, 0};
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& l = links_[i];
    const auto& [a, b] = linked[i];
    edges_[next[a]++] = Edge{b, -1, l.horizontal, l.vertical};
    edges_[next[b]++] = Edge{a, -1, l.horizontal, l.vertical};
  }
  part_.assign(nodes, 0xffffffff);
  std::uint32_t part = 0;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (part_[n] != 0xffffffff) continue;
    std::vector<std::uint32_t> open{n};
    part_[n] = part;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (std::uint32_t e = first_edge_[at]; e < first_edge_[at + 1]; ++e)
        if (part_[edges_[e].to] == 0xffffffff) part_[edges_[e].to] = part, open.push_back(edges_[e].to);
    }
    ++part;
  }
  make_grid();
}

void RouteGraph::join_runs(std::vector<std::vector<double>>& cuts) {
  auto link = [&](std::uint32_t a, double at_a, std::uint32_t b, double at_b, double horizontal, double vertical,
                  bool riser) {
    for (auto l = links_.rbegin(); l != links_.rend() && l->run_a == a && l->run_b == b; ++l)
      if (std::abs(l->at_a - at_a) <= same_cut && std::abs(l->at_b - at_b) <= same_cut) return;
    links_.push_back({a, b, at_a, at_b, horizontal, vertical});
    cuts[a].push_back(at_a);
    cuts[b].push_back(at_b);
    if (a != b) joined_[a] = joined_[b] = true;
    ++(riser ? risers_ : joints_);
  };
  const auto margin = [&](std::uint32_t run) { return std::max(route_meeting_distance_mm, runs_[run].half_width); };

  // Segments that come near each other, by a grid; in the order of drawing, which decides, not that of places.
  struct Meeting {
    std::uint32_t run_a, run_b, segment_a, segment_b;
    auto operator<=>(const Meeting&) const = default;
  };
  std::vector<Meeting> meetings;
  {
    std::map<Id, std::int32_t> halls;
    std::vector<PlanThing> boxes(segments_.size());
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      const Segment& s = segments_[i];
      const double by = margin(s.run);
      boxes[i].box = {std::min(s.x0, s.x1) - by, std::min(s.y0, s.y1) - by, std::max(s.x0, s.x1) + by,
                      std::max(s.y0, s.y1) + by};
      boxes[i].hall = halls.try_emplace(runs_[s.run].hall, static_cast<std::int32_t>(halls.size())).first->second;
    }
    const PlanGrid grid(boxes);
    std::vector<std::uint32_t> seen(segments_.size(), 0xffffffff); // by the segment that met it last
    for (std::uint32_t i = 0; i < segments_.size(); ++i)
      grid.near(boxes[i].hall, boxes[i].box, [&](std::uint32_t j) {
        const bool met = j < i || seen[j] == i || boxes[j].box.x0 > boxes[i].box.x1 ||
                         boxes[i].box.x0 > boxes[j].box.x1 || boxes[j].box.y0 > boxes[i].box.y1 ||
                         boxes[i].box.y0 > boxes[j].box.y1;
        if (met) return;
        seen[j] = i;
        meetings.push_back({segments_[i].run, segments_[j].run, i, j});
      });
  }
  std::sort(meetings.begin(), meetings.end());

  auto crossing = [&](std::uint32_t a, std::uint32_t i, std::uint32_t b, std::uint32_t j, double vertical) {
    if (a == b && j < i + 2) return; // the next one goes on from its corner
    const Segment &s = segments_[i], &t = segments_[j];
    const double sx = s.x1 - s.x0, sy = s.y1 - s.y0, tx = t.x1 - t.x0, ty = t.y1 - t.y0;
    const double cross = sx * ty - sy * tx;
    if (std::abs(cross) <= 1e-9 * s.length * t.length) return; // side by side: their corners decide
    const double u = ((t.x0 - s.x0) * ty - (t.y0 - s.y0) * tx) / cross;
    const double v = ((t.x0 - s.x0) * sy - (t.y0 - s.y0) * sx) / cross;
    if (u < 0 || u > 1 || v < 0 || v > 1) return;
    link(a, s.start + u * s.length, b, t.start + v * t.length, 0, vertical, false);
  };
  // Corners of `a` that lie on `b`: the nearest place of those segments of `b` that come near them.
  struct CornerOn {
    std::uint32_t corner, segment;
    auto operator<=>(const CornerOn&) const = default;
  };
  std::vector<CornerOn> near_corners;
  auto corners_on = [&](std::uint32_t a, std::uint32_t b, double vertical, bool swapped) {
    std::sort(near_corners.begin(), near_corners.end());
    near_corners.erase(std::unique(near_corners.begin(), near_corners.end()), near_corners.end());
    const double near = margin(b);
    const std::uint32_t first = first_segment_[a];
    for (std::size_t k = 0; k < near_corners.size();) {
      const std::uint32_t i = near_corners[k].corner;
      const PlanPoint& p = runs_[a].path[i];
      const double at_a = i == 0 ? 0.0 : segments_[first + i - 1].start + segments_[first + i - 1].length;
      Nearest best;
      for (; k < near_corners.size() && near_corners[k].corner == i; ++k) {
        const std::uint32_t s = near_corners[k].segment;
        const Segment& t = segments_[s];
        if (a == b && (s == first + i || s + 1 == first + i)) continue; // the corner's own sides
        const Nearest n = nearest_on(p.x_mm, p.y_mm, t.x0, t.y0, t.x1, t.y1, t.length);
        if (n.distance < best.distance) best = {t.start + n.along, n.distance};
      }
      if (best.distance > near) continue;
      if (a == b && std::abs(best.along - at_a) <= near) continue; // its own neighbourhood
      if (swapped)
        link(b, best.along, a, at_a, best.distance, vertical, false);
      else
        link(a, at_a, b, best.along, best.distance, vertical, false);
    }
  };
  // Both ends of a segment, for the other one.
  const auto ends = [&](std::uint32_t run, std::uint32_t segment, std::uint32_t other) {
    const std::uint32_t corner = segment - first_segment_[run];
    near_corners.push_back({corner, other});
    near_corners.push_back({corner + 1, other});
  };
  for (std::size_t m = 0; m < meetings.size();) {
    const std::uint32_t a = meetings[m].run_a, b = meetings[m].run_b;
    std::size_t end = m;
    while (end < meetings.size() && meetings[end].run_a == a && meetings[end].run_b == b)
      ++end;
    const double vertical = std::abs(runs_[a].level - runs_[b].level);
    if (vertical <= route_level_tolerance_mm + rounding) {
      for (std::size_t k = m; k < end; ++k)
        crossing(a, meetings[k].segment_a, b, meetings[k].segment_b, vertical);
      near_corners.clear();
      for (std::size_t k = m; k < end; ++k) {
        ends(a, meetings[k].segment_a, meetings[k].segment_b);
        if (a == b) ends(b, meetings[k].segment_b, meetings[k].segment_a);
      }
      corners_on(a, b, vertical, false);
      if (a != b) {
        near_corners.clear();
        for (std::size_t k = m; k < end; ++k)
          ends(b, meetings[k].segment_b, meetings[k].segment_a);
        corners_on(b, a, vertical, true);
      }
    } else {
      // A riser stands where ends of two levels lie above each other.
      const double near = std::max(margin(a), margin(b));
      for (const bool end_a : {false, true})
        for (const bool end_b : {false, true}) {
          const PlanPoint& p = end_a ? runs_[a].path.back() : runs_[a].path.front();
          const PlanPoint& q = end_b ? runs_[b].path.back() : runs_[b].path.front();
          const double gap = std::hypot(p.x_mm - q.x_mm, p.y_mm - q.y_mm);
          if (gap <= near) link(a, end_a ? run_length_[a] : 0.0, b, end_b ? run_length_[b] : 0.0, gap, vertical, true);
        }
    }
    m = end;
  }
}

void RouteGraph::make_grid() {
  std::map<Id, std::vector<std::uint32_t>> by_hall;
  for (std::uint32_t s = 0; s < segments_.size(); ++s)
    by_hall[runs_[segments_[s].run].hall].push_back(s);
  for (const auto& [hall, members] : by_hall) {
    HallGrid g;
    g.hall = hall;
    double x1 = -infinity, y1 = -infinity;
    g.x0 = g.y0 = infinity;
    for (std::uint32_t s : members) {
      const Segment& t = segments_[s];
      g.x0 = std::min({g.x0, t.x0, t.x1}), g.y0 = std::min({g.y0, t.y0, t.y1});
      x1 = std::max({x1, t.x0, t.x1}), y1 = std::max({y1, t.y0, t.y1});
    }
    // At most about a million cells, however large the drawing is.
    const double area_cell = std::max(grid_cell, std::sqrt((x1 - g.x0 + 1) * (y1 - g.y0 + 1) / 1e6));
    const bool coarse = area_cell > grid_cell;
    g.columns = coarse ? 1 : static_cast<std::int64_t>((x1 - g.x0) / grid_cell) + 1;
    g.lines = coarse ? 1 : static_cast<std::int64_t>((y1 - g.y0) / grid_cell) + 1;
    g.cells.resize(static_cast<std::size_t>(g.columns * g.lines));
    for (std::uint32_t s : members) {
      const Segment& t = segments_[s];
      const auto column = [&](double x) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>((x - g.x0) / grid_cell), 0, g.columns - 1);
      };
      const auto line = [&](double y) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>((y - g.y0) / grid_cell), 0, g.lines - 1);
      };
      for (std::int64_t y = line(std::min(t.y0, t.y1)); y <= line(std::max(t.y0, t.y1)); ++y)
        for (std::int64_t x = column(std::min(t.x0, t.x1)); x <= column(std::max(t.x0, t.x1)); ++x)
          g.cells[static_cast<std::size_t>(y * g.columns + x)].push_back(s);
    }
    grids_.push_back(std::move(g));
  }
}

std::vector<RouteGraph::Access> RouteGraph::accesses(const RoutePlace& place) const {
  std::vector<Access> out;
  const auto grid = std::lower_bound(grids_.begin(), grids_.end(), place.hall,
                                     [](const HallGrid& g, Id hall) { return g.hall < hall; });
  if (grid == grids_.end() || grid->hall != place.hall) return out;
  struct Candidate {
    std::uint32_t run;
    double along, distance;
  };
  std::vector<Candidate> near;
  const double reach_x = place.half_x + route_access_distance_mm, reach_y = place.half_y + route_access_distance_mm;
  const auto column = [&](double x) { return static_cast<std::int64_t>(std::floor((x - grid->x0) / grid_cell)); };
  const auto line = [&](double y) { return static_cast<std::int64_t>(std::floor((y - grid->y0) / grid_cell)); };
  const bool one_cell = grid->columns == 1 && grid->lines == 1;
  const std::int64_t c0 = one_cell ? 0 : std::max<std::int64_t>(0, column(place.x - reach_x)),
                     c1 = one_cell ? 0 : std::min(grid->columns - 1, column(place.x + reach_x));
  const std::int64_t l0 = one_cell ? 0 : std::max<std::int64_t>(0, line(place.y - reach_y)),
                     l1 = one_cell ? 0 : std::min(grid->lines - 1, line(place.y + reach_y));
  for (std::int64_t l = l0; l <= l1; ++l)
    for (std::int64_t c = c0; c <= c1; ++c)
      for (std::uint32_t s : grid->cells[static_cast<std::size_t>(l * grid->columns + c)]) {
        const Segment& t = segments_[s];
        const Nearest n = nearest_on(place.x, place.y, t.x0, t.y0, t.x1, t.y1, t.length);
        const double share = t.length > 0 ? n.along / t.length : 0.0;
        const double dx = std::max(0.0, std::abs(t.x0 + share * (t.x1 - t.x0) - place.x) - place.half_x);
        const double dy = std::max(0.0, std::abs(t.y0 + share * (t.y1 - t.y0) - place.y) - place.half_y);
        if (std::hypot(dx, dy) <= route_access_distance_mm + rounding)
          near.push_back({t.run, t.start + n.along, n.distance});
      }
  std::sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.run, a.distance, a.along) < std::tuple(b.run, b.distance, b.along);
  });
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0 && near[i].run == near[i - 1].run) continue; // the nearest point of each run
    const auto begin = sections_.begin() + first_section_[near[i].run],
               end = sections_.begin() + first_section_[near[i].run + 1];
    auto section =
        std::upper_bound(begin, end, near[i].along, [](double along, const Section& s) { return along < s.start; });
    if (section != begin) --section;
    out.push_back({static_cast<std::uint32_t>(section - sections_.begin()),
                   std::clamp(near[i].along - section->start, 0.0, section->length), near[i].distance,
                   std::abs(runs_[near[i].run].level - place.height)});
  }
  return out;
}

RouteTree RouteGraph::tree(const std::vector<RoutePlace>& sources, const std::vector<RoutePlace>* only) const {
  RouteTree out;
  out.graph_ = this;
  out.at_.resize(part_.size());
  using Open = std::tuple<double, std::uint32_t>; // length, node
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  auto offer = [&](std::uint32_t node, const RouteTree::At& at) {
    RouteTree::At& present = out.at_[node];
    if (!(at.total < present.total)) return;
    present = at;
    open.emplace(at.total, node);
  };
  for (std::uint32_t i = 0; i < sources.size(); ++i)
    for (const Access& access : accesses(sources[i])) {
      const Section& s = sections_[access.section];
      out.entries_.push_back({access.section, access.along, access.horizontal, access.vertical, i});
      const double drop = access.horizontal * open_air + access.vertical;
      offer(s.a, {drop + access.along, access.horizontal + access.along, access.vertical, i, RouteTree::none,
                  static_cast<std::int32_t>(access.section), access.along});
      offer(s.b, {drop + s.length - access.along, access.horizontal + s.length - access.along, access.vertical, i,
                  RouteTree::none, static_cast<std::int32_t>(access.section), access.along});
    }
  // Ends of the sections that the asked places reach, in parts that a source reaches.
  std::vector<char> wanted;
  std::size_t left = 0;
  if (only) {
    std::set<std::uint32_t> parts;
    for (const RouteTree::Entry& e : out.entries_)
      parts.insert(part_of_section(e.section));
    wanted.assign(part_.size(), 0);
    for (const RoutePlace& place : *only)
      for (const Access& access : accesses(place))
        for (const std::uint32_t node : {sections_[access.section].a, sections_[access.section].b})
          if (!wanted[node] && parts.count(part_[node]) > 0) wanted[node] = 1, ++left;
  }
  while (!open.empty() && (!only || left > 0)) {
    const auto [total, node] = open.top();
    open.pop();
    const RouteTree::At at = out.at_[node];
    if (total > at.total) continue;
    if (only && wanted[node]) wanted[node] = 0, --left;
    for (std::uint32_t e = first_edge_[node]; e < first_edge_[node + 1]; ++e) {
      const Edge& edge = edges_[e];
      offer(edge.to, {total + edge.horizontal + edge.vertical, at.horizontal + edge.horizontal,
                      at.vertical + edge.vertical, at.source, node, edge.section, 0});
    }
  }
  std::stable_sort(out.entries_.begin(), out.entries_.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.section, a.along, a.source) < std::tuple(b.section, b.along, b.source);
  });
  return out;
}

RouteTree::Best RouteTree::best(const RoutePlace& place) const {
  Best out;
  for (const RouteGraph::Access& access : graph_->accesses(place)) {
    const RouteGraph::Section& s = graph_->sections_[access.section];
    const double drop = access.horizontal * open_air + access.vertical;
    const auto over_node = [&](std::uint32_t node, double along) {
      const At& at = at_[node];
      const double total = at.total + along + drop;
      if (total < out.total)
        out = {
            total,  at.horizontal + along + access.horizontal, at.vertical + access.vertical, at.source, access, node,
            nullptr};
    };
    over_node(s.a, access.along);
    over_node(s.b, s.length - access.along);
    // A source on the same section is reached without passing a junction.
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), access.section,
                                  [](const Entry& e, std::uint32_t section) { return e.section < section; });
    for (; entry != entries_.end() && entry->section == access.section; ++entry) {
      const double along = std::abs(entry->along - access.along);
      const double total = entry->horizontal * open_air + entry->vertical + along + drop;
      if (total < out.total)
        out = {total,
               entry->horizontal + along + access.horizontal,
               entry->vertical + access.vertical,
               entry->source,
               access,
               none,
               &*entry};
    }
  }
  return out;
}

std::optional<RouteTree::Reach> RouteTree::reach(const RoutePlace& place) const {
  const Best b = best(place);
  if (b.source == none) return std::nullopt;
  return Reach{b.source, b.horizontal, b.vertical};
}

std::optional<Route> RouteTree::route(const RoutePlace& place) const {
  const Best b = best(place);
  if (b.source == none) return std::nullopt;
  Route out;
  out.routed = true;
  out.horizontal = b.horizontal;
  out.vertical = b.vertical;
  const auto& sections = graph_->sections_;
  // From the end backwards; then turned round, and legs of one run that go on are joined.
  std::vector<RouteLeg> back;
  auto walk = [&](std::uint32_t section, double from, double to) { // along the section, in the direction of travel
    const auto& s = sections[section];
    if (from != to) back.push_back({graph_->runs_[s.run].id, s.start + from, s.start + to});
  };
  auto end_along = [&](std::uint32_t section, std::uint32_t node) {
    return sections[section].a == node ? 0.0 : sections[section].length;
  };
  if (b.entry) {
    walk(b.access.section, b.entry->along, b.access.along);
  } else {
    walk(b.access.section, end_along(b.access.section, b.from), b.access.along);
    for (std::uint32_t node = b.from; node != none;) {
      const At& at = at_[node];
      if (at.section >= 0) {
        const auto section = static_cast<std::uint32_t>(at.section);
        const double end = end_along(section, node);
        if (at.from == none)
          walk(section, at.entered, end);
        else
          walk(section, sections[section].a == node ? sections[section].length : 0.0, end);
      }
      node = at.from;
    }
  }
  for (auto leg = back.rbegin(); leg != back.rend(); ++leg) {
    if (!out.legs.empty() && out.legs.back().run == leg->run && std::abs(out.legs.back().to - leg->from) <= same_cut &&
        (out.legs.back().to > out.legs.back().from) == (leg->to > leg->from))
      out.legs.back().to = leg->to;
    else
      out.legs.push_back(*leg);
  }
  return out;
}

std::vector<std::pair<double, double>> RouteGraph::sections_of(Id run) const {
  std::vector<std::pair<double, double>> out;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (runs_[r].id == run)
      for (std::uint32_t s = first_section_[r]; s < first_section_[r + 1]; ++s)
        out.emplace_back(sections_[s].start, sections_[s].start + sections_[s].length);
  return out;
}

std::optional<Route> RouteGraph::route(const RoutePlace& from, const RoutePlace& to) const {
  return tree({from}).route(to);
}

} // namespace hallwright
