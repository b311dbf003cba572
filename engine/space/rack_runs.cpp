// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rack_runs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hallwright {
namespace {

constexpr double one_line = 299.5; // mm: middles of racks in one row lie as close to its line as this

/// Whether no passage lies beyond this end: through things that stand close by, to a wall or a structure.
bool closed_beyond(const FloorPlan& plan, const Outlook& outlook, std::uint32_t from, double dx, double dy,
                   double passage) {
  for (int steps = 0; steps < 50; ++steps) {
    const Face face = outlook.look(from, dx, dy);
    if (face.clear >= passage) return false;
    if (face.other >= Face::wall || face.other >= plan.first_structure) return true;
    from = face.other;
    if (!plan.things[from].square_on) return true;
  }
  return true;
}

/// Whether one comes from a rack to another through things that leave no passage between them.
bool leads_to(const FloorPlan& plan, const Outlook& outlook, std::uint32_t from, std::uint32_t to, double dx, double dy,
              double passage) {
  for (int steps = 0; from != to && steps < 50; ++steps) {
    const Face face = outlook.look(from, dx, dy);
    if (face.clear >= passage || face.other >= plan.first_structure || !plan.things[face.other].square_on) return false;
    from = face.other;
  }
  return from == to;
}

} // namespace

std::vector<RackRun> rack_runs(const FloorPlan& plan, const Outlook& outlook, double passage) {
  struct Place {
    std::int32_t hall;
    bool along_x;
    double line, at;
    std::uint32_t rack;
  };
  std::vector<Place> places;
  places.reserve(plan.racks);
  for (std::uint32_t i = 0; i < plan.racks; ++i) {
    const PlanThing& t = plan.things[i];
    if (t.hall < 0 || !t.square_on) continue;
    const bool along_x = t.front_x == 0;
    auto clean = [](double v) { return std::round(v * 1e3) * 1e-3; }; // positions carry dust
    places.push_back(
        {t.hall, along_x, clean(along_x ? t.center_y : t.center_x), clean(along_x ? t.center_x : t.center_y), i});
  }
  auto by_line = [](const Place& a, const Place& b) {
    return std::tuple(a.hall, a.along_x, a.line, a.at, a.rack) < std::tuple(b.hall, b.along_x, b.line, b.at, b.rack);
  };
  if (!std::is_sorted(places.begin(), places.end(), by_line)) std::sort(places.begin(), places.end(), by_line);
  std::vector<RackRun> out;
  for (std::size_t p = 0; p < places.size();) {
    std::size_t end = p + 1;
    while (end < places.size() && places[end].hall == places[p].hall && places[end].along_x == places[p].along_x &&
           places[end].line - places[end - 1].line < one_line)
      ++end;
    std::sort(places.begin() + static_cast<std::ptrdiff_t>(p), places.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Place& a, const Place& b) { return std::pair(a.at, a.rack) < std::pair(b.at, b.rack); });
    for (std::size_t k = p; k < end; ++k) {
      const PlanThing& t = plan.things[places[k].rack];
      bool joined = false;
      if (k > p) {
        const PlanThing& before = plan.things[places[k - 1].rack];
        const bool along_x = places[k].along_x;
        const double gap = along_x ? t.box.x0 - before.box.x1 : t.box.y0 - before.box.y1;
        joined = gap < passage;
        // What stands between closes the gap when it leaves no passage on either side.
        if (!joined && gap < 20000) {
          const double dx = along_x ? 1 : 0, dy = along_x ? 0 : 1;
          joined = leads_to(plan, outlook, places[k - 1].rack, places[k].rack, dx, dy, passage) &&
                   leads_to(plan, outlook, places[k].rack, places[k - 1].rack, -dx, -dy, passage);
        }
      }
      if (!joined) {
        out.emplace_back();
        out.back().hall = places[k].hall;
        out.back().along_x = places[k].along_x;
      }
      out.back().racks.push_back(places[k].rack);
    }
    p = end;
  }
  for (RackRun& run : out) {
    const double dx = run.along_x ? 1 : 0, dy = run.along_x ? 0 : 1;
    run.low_closed = closed_beyond(plan, outlook, run.racks.front(), -dx, -dy, passage);
    run.high_closed = closed_beyond(plan, outlook, run.racks.back(), dx, dy, passage);
  }
  return out;
}

std::vector<DeadEnd> dead_ends(const FloorPlan& plan, const Faces& faces, const std::vector<RackRun>& runs) {
  std::vector<std::uint32_t> run_of(plan.racks, 0xffffffff);
  for (std::uint32_t r = 0; r < runs.size(); ++r)
    for (const std::uint32_t i : runs[r].racks)
      run_of[i] = r;
  auto door_at = [&](const PlanBox& box, std::int32_t hall) {
    for (std::size_t s = plan.first_structure; s < plan.things.size(); ++s)
      if (plan.things[s].hall == hall && plan.is_structure(static_cast<std::uint32_t>(s), StructureKind::door) &&
          plan.things[s].box.overlaps(box))
        return true;
    return false;
  };
  // Which of two rows tells of their aisle does not hang on the side that one counts from.
  auto first_of = [](const RackRun& run) { return *std::min_element(run.racks.begin(), run.racks.end()); };
  std::vector<DeadEnd> out;
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    const RackRun& run = runs[r];
    if (run.low_closed == run.high_closed) continue; // open, or no way in at all: the way out tells of that
    const bool low = run.low_closed;
    const std::uint32_t end_rack = low ? run.racks.front() : run.racks.back();
    for (const bool front : {true, false}) {
      const Face& face = front ? faces.front[end_rack] : faces.rear[end_rack];
      if (face.other == Face::open) continue;
      Count along = static_cast<Count>(run.racks.size());
      if (face.other < plan.racks) {
        const std::uint32_t other = run_of[face.other];
        if (other == 0xffffffff || other == r) continue;
        const RackRun& o = runs[other];
        if (o.along_x != run.along_x || !(low ? o.low_closed : o.high_closed) || (low ? o.high_closed : o.low_closed))
          continue;
        const auto theirs = static_cast<Count>(o.racks.size());
        if (theirs > along || (theirs == along && first_of(o) < first_of(run))) continue; // told from the other side
        along = std::max(along, theirs);
      }
      const PlanThing& t = plan.things[end_rack];
      const double dx = front ? t.front_x : -t.front_x, dy = front ? t.front_y : -t.front_y;
      PlanBox aisle = t.box; // the aisle's end and some floor beyond
      constexpr double beyond = 1500;
      (dx > 0 ? aisle.x1 : dx < 0 ? aisle.x0 : dy > 0 ? aisle.y1 : aisle.y0) += (dx + dy) * face.clear;
      (dx > 0   ? aisle.x0
       : dx < 0 ? aisle.x1
       : dy > 0 ? aisle.y0
                : aisle.y1) = dx > 0   ? t.box.x1
                              : dx < 0 ? t.box.x0
                              : dy > 0 ? t.box.y1
                                       : t.box.y0;
      if (run.along_x)
        (low ? aisle.x0 : aisle.x1) += low ? -beyond : beyond;
      else
        (low ? aisle.y0 : aisle.y1) += low ? -beyond : beyond;
      if (door_at(aisle, run.hall)) continue;
      out.push_back({r, front, low, along});
    }
  }
  return out;
}

} // namespace hallwright
