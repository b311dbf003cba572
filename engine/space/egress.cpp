// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catalog/traced_part.h"
#include "ledger/ledger.h"
#include "space/delivery_path.h"
#include "space/floor_gates.h"

namespace hallwright {
namespace {

struct Way {
  std::string_view kind; ///< "way out", "row", "dead end"
  std::int32_t hall = -1;
  std::string at, detail;
  double is = 0, needed = 0;
  std::vector<Id> racks; ///< first and last
};

/// Which ways are doors that lead out: to where no room is drawn, to a yard, or into a room out of which a door of its
/// own leads that one gets to from here.
/// @param door  clear width that makes a door a way out, and that is asked for on the way through a room [mm]
std::vector<char> doors_that_lead_out(const SpaceInputs& in, const FloorPlan& plan, const std::vector<WayIn>& ways,
                                      double door, const std::stop_token& stop) {
  std::vector<char> leads(ways.size(), 0);
  auto is_exit = [&](const WayIn& w) { return w.kind == StructureKind::door && w.gate.width + 0.5 >= door; };
  auto yard = [&](const WayIn& w) { return (*in.halls)[static_cast<std::size_t>(w.hall)].kind == RoomKind::yard; };
  for (std::size_t w = 0; w < ways.size(); ++w)
    leads[w] = is_exit(ways[w]) && (ways[w].from_outside || std::any_of(ways[w].beyond.begin(), ways[w].beyond.end(),
                                                                        [&](auto b) { return yard(ways[b]); }));
  // Room by room inwards.
  std::map<std::int32_t, FreeFloor> floors;
  for (bool changed = true; changed && !stop.stop_requested();) {
    changed = false;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (leads[w] || !is_exit(ways[w]) || stop.stop_requested()) continue;
      for (const std::uint32_t b : ways[w].beyond) {
        const std::int32_t room = ways[b].hall;
        std::vector<FloorGate> onwards;
        for (std::size_t o = 0; o < ways.size(); ++o)
          if (o != b && ways[o].hall == room && leads[o]) {
            // Not back through the door that one comes from.
            if (std::find(ways[o].beyond.begin(), ways[o].beyond.end(), w) != ways[o].beyond.end()) continue;
            onwards.push_back(ways[o].gate), onwards.back().width = FreeFloor::most;
          }
        if (onwards.empty()) continue;
        auto floor = floors.find(room);
        if (floor == floors.end()) floor = floors.emplace(room, free_floor(in, plan, room, 0, 0)).first;
        FloorGate here = ways[b].gate;
        here.width = FreeFloor::most;
        if (!floor->second.reached(door, onwards, {here}).front()) continue;
        leads[w] = 1;
        changed = true;
        break;
      }
    }
  }
  return leads;
}

/// Narrowest way from the floor before racks to a door that leads out. An aisle that is narrower itself is told
/// elsewhere.
/// @param door  clear width that makes a door a way out [mm]
void ways_out(const SpaceInputs& in, const FloorPlan& plan, const Faces& faces, double wide, double door,
              std::vector<Way>& rows, const std::stop_token& stop) {
  const std::vector<WayIn> ways = ways_in(in, plan);
  const std::vector<char> leads = doors_that_lead_out(in, plan, ways, door, stop);
  for (std::size_t h = 0; h < in.halls->size() && !stop.stop_requested(); ++h) {
    const auto hall = static_cast<std::int32_t>(h);
    std::vector<FloorGate> doors;
    double widest = 0;
    std::vector<std::string> shut; // wide enough, and no way out beyond
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const WayIn& w = ways[k];
      if (w.hall != hall || w.kind != StructureKind::door) continue;
      widest = std::max(widest, w.gate.width);
      if (w.gate.width + 0.5 < door) continue; // nobody is sent through it
      if (leads[k]) {
        doors.push_back(w.gate), doors.back().width = FreeFloor::most;
        continue;
      }
      std::string rooms;
      for (const std::uint32_t b : w.beyond) {
        const std::string& room = (*in.halls)[static_cast<std::size_t>(ways[b].hall)].name;
        rooms += (rooms.empty() ? "" : " and ") + room;
      }
      shut.push_back(plan.name(w.thing, *in.racks) + " leads into " + rooms);
    }
    if (doors.empty() && widest > 0) {
      Way row{"way out", hall, {}, "at its widest door", widest * 1e-3, door * 1e-3, {}};
      if (!shut.empty()) {
        row.kind = "no way out", row.is = 0;
        row.detail = fmt::format("{}, out of which no door leads", fmt::join(shut, ", "));
      }
      for (std::uint32_t i = 0; i < plan.racks; ++i)
        if (plan.things[i].hall == hall) row.racks.push_back((*in.racks)[i].id);
      row.at = fmt::format("{} rack{}", row.racks.size(), row.racks.size() == 1 ? "" : "s");
      if (!row.racks.empty()) rows.push_back(std::move(row));
    }
    if (doors.empty()) continue;
    std::map<double, std::vector<std::pair<std::uint32_t, bool>>> asked; // width, faces
    for (std::uint32_t i = 0; i < plan.racks; ++i) {
      if (plan.things[i].hall != hall) continue;
      for (const bool front : {true, false}) {
        const double clear = std::floor((front ? faces.front[i] : faces.rear[i]).clear + 0.5);
        // A person passes with 600 mm; below that the aisle itself is the finding. Widths of narrow aisles are taken
        // in steps of 10 mm: each is a search.
        if (clear >= 600) asked[clear >= wide ? wide : std::floor(clear / 10) * 10].emplace_back(i, front);
      }
    }
    if (asked.empty()) continue;
    const FreeFloor floor = free_floor(in, plan, hall, 0, 0);
    Way row{"way out", hall, {}, {}, wide * 1e-3, wide * 1e-3, {}};
    double narrowest = wide;
    bool any = false;
    for (const auto& [width, list] : asked) {
      if (stop.stop_requested()) return;
      std::vector<FloorGate> to;
      to.reserve(list.size());
      for (const auto& [i, front] : list)
        to.push_back(face_gate(plan.things[i], front));
      const auto r = floor.reached(width, doors, to);
      std::vector<FloorGate> kept;
      std::vector<Id> ids;
      for (std::size_t k = 0; k < r.size(); ++k)
        if (!r[k]) kept.push_back(to[k]), ids.push_back((*in.racks)[list[k].first].id);
      if (kept.empty()) continue;
      const double found = floor.widest(doors, kept, width);
      if (any && found >= narrowest) continue;
      any = true;
      narrowest = found;
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      row.at = fmt::format("{} rack{}", ids.size(), ids.size() == 1 ? "" : "s");
      row.racks = ids;
      row.needed = width * 1e-3;
      row.detail.clear();
      if (found >= FreeFloor::least) {
        const auto beyond = floor.reached(found + 1, doors, kept);
        const auto stuck = std::find(beyond.begin(), beyond.end(), 0);
        if (stuck != beyond.end())
          if (const auto place = floor.narrowest_place(
                  found, doors, kept[static_cast<std::size_t>(stuck - beyond.begin())], plan.things)) {
            auto who = [&](std::uint32_t t) {
              return t == FloorBlock::wall ? std::string("the wall") : plan.name(t, *in.racks);
            };
            row.detail = place->between == place->and_between
                             ? "at " + who(place->between)
                             : fmt::format("between {} and {}", who(place->between), who(place->and_between));
          }
      }
    }
    row.is = narrowest * 1e-3;
    rows.push_back(std::move(row));
  }
}

} // namespace

Table egress(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Faces& faces, const Outlook& outlook,
             const std::stop_token& stop) {
  Table table;
  table.id = "space.egress";
  table.title = "Ways out, rows and dead ends";
  std::vector<Way> rows;
  const auto wide = assumption<Length>(ledger, *in.catalog, "clearance.egress_width");
  const auto passage = assumption<Length>(ledger, *in.catalog, "clearance.accessible_route");
  const auto row_limit = assumption<Count>(ledger, *in.catalog, "space.row_length_limit");
  const auto end_limit = assumption<Count>(ledger, *in.catalog, "space.dead_end_limit");
  const auto door = assumption<Length>(ledger, *in.catalog, "clearance.exit_door");
  if (wide.has_value() && door.has_value())
    ways_out(in, plan, faces, in_millimeters(wide.value), in_millimeters(door.value), rows, stop);
  const Way* narrowest = nullptr;
  for (const Way& r : rows)
    if (!narrowest || r.is - r.needed < narrowest->is - narrowest->needed) narrowest = &r;
  if (narrowest) {
    const auto figure = ledger.measured<Length>(
        "space.egress_width", "Narrowest way out", meters(narrowest->is),
        fmt::format("from the fronts and rears of racks in {} to a door, up to the width that is asked for{}{}",
                    (*in.halls)[static_cast<std::size_t>(narrowest->hall)].name, narrowest->detail.empty() ? "" : "; ",
                    narrowest->detail),
        &kind::length, true);
    if (narrowest->is + 1e-9 < narrowest->needed)
      ledger.limit(figure, narrowest->needed < in_meters(door.value) + 1e-9 ? door : wide, LimitSense::at_least, 1.0);
  } else {
    ledger.absent<Length>("space.egress_width", "Narrowest way out",
                          plan.racks == 0 ? Completeness::not_applicable : Completeness::unknown,
                          plan.racks == 0 ? "no racks are drawn" : "no hall with racks has a door in the drawing");
  }
  Count longest = 0, longest_end = 0;
  std::string longest_at = "no rack stands in a row", end_at = "no aisle is closed at one end";
  if (passage.has_value()) {
    const auto runs = rack_runs(plan, outlook, in_millimeters(passage.value) - 0.5);
    auto name = [&](std::uint32_t i) { return plan.name(i, *in.racks); };
    for (const RackRun& run : runs) {
      const auto n = static_cast<Count>(run.racks.size());
      if (n > longest)
        longest = n,
        longest_at = fmt::format("{} to {} in the drawing, without a passage of {:.0f} mm", name(run.racks.front()),
                                 name(run.racks.back()), in_millimeters(passage.value));
      if (row_limit.has_value() && n > row_limit.value) {
        Way r{"row",
              run.hall,
              name(run.racks.front()),
              name(run.racks.back()),
              static_cast<double>(n),
              static_cast<double>(row_limit.value),
              {}};
        for (const std::uint32_t i : run.racks)
          r.racks.push_back((*in.racks)[i].id);
        rows.push_back(std::move(r));
      }
    }
    for (const DeadEnd& end : dead_ends(plan, faces, runs)) {
      const RackRun& run = runs[end.run];
      if (end.racks > longest_end)
        longest_end = end.racks, end_at = fmt::format("{} {} to {} in the drawing", end.front ? "ahead of" : "behind",
                                                      name(run.racks.front()), name(run.racks.back()));
      if (end_limit.has_value() && end.racks > end_limit.value) {
        Way r{"dead end",
              run.hall,
              name(run.racks.front()),
              fmt::format("{} {} to {}", end.front ? "ahead of" : "behind", name(run.racks.front()),
                          name(run.racks.back())),
              static_cast<double>(end.racks),
              static_cast<double>(end_limit.value),
              {}};
        const std::uint32_t closed = end.low ? run.racks.front() : run.racks.back();
        r.racks = {(*in.racks)[closed].id, (*in.racks)[end.low ? run.racks.back() : run.racks.front()].id};
        rows.push_back(std::move(r));
      }
    }
  }
  if (plan.racks > 0) {
    const auto figure = ledger.counted("space.longest_row", "Most racks in a row", longest, longest_at);
    ledger.limit(figure, row_limit, LimitSense::at_most, 1.0);
    const auto end = ledger.counted("space.longest_dead_end", "Most racks along a dead end", longest_end, end_at);
    ledger.limit(end, end_limit, LimitSense::at_most, 1.0);
  }
  std::vector<std::string> kinds, halls, at, details, racks;
  std::vector<double> is, needed, hall_ids;
  for (const Way& r : rows) {
    const Hall& hall = (*in.halls)[static_cast<std::size_t>(r.hall)];
    kinds.emplace_back(r.kind);
    halls.push_back(hall.name);
    hall_ids.push_back(static_cast<double>(hall.id));
    at.push_back(r.at);
    details.push_back(r.detail);
    is.push_back(r.is);
    needed.push_back(r.needed);
    std::string list;
    for (const Id id : r.racks)
      list += (list.empty() ? "" : " ") + std::to_string(id);
    racks.push_back(std::move(list));
  }
  table.add_words("kind", "What").words = std::move(kinds);
  table.add_words("hall", "Hall").words = std::move(halls);
  table.add_words("at", "At").words = std::move(at);
  table.add_words("detail", "To, or where").words = std::move(details);
  auto& is_column = table.add_numbers("is", "Is", kind::ratio);
  is_column.numbers = std::move(is);
  is_column.formula = "metres for a way out, racks for rows and dead ends";
  table.add_numbers("needed", "Limit", kind::ratio).numbers = std::move(needed);
  table.add_words("racks", "Ids of racks").words = std::move(racks);
  table.add_numbers("hall_id", "Id of the hall", kind::count).numbers = std::move(hall_ids);
  return table;
}

} // namespace hallwright
