// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/floor_gates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hallwright {
namespace {

constexpr double wall_thickness = 1200; // mm: rooms on either side of a door lie as close as this

PlanBox grown(PlanBox b, double by) { return {b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by}; }

PlanThing grown(PlanThing t, double by) {
  t.half_width += by, t.half_depth += by;
  t.box = grown(t.box, by);
  return t;
}

} // namespace

FloorGate face_gate(const PlanThing& rack, bool front) {
  FloorGate g;
  g.box = rack.box;
  g.normal_x = front ? rack.front_x : -rack.front_x;
  g.normal_y = front ? rack.front_y : -rack.front_y;
  g.square_on = rack.square_on;
  g.face = true;
  return g;
}

DoorPlace door_place(const PlanThing& door, const Hall& hall) {
  constexpr double inwards = 50, outwards = wall_thickness / 2;
  if (edge_runs_through(grown(door, inwards), hall.outline, 1)) return DoorPlace::edge;
  if (point_in_outline(door.center_x, door.center_y, hall.outline)) return DoorPlace::inside;
  return edge_runs_through(grown(door, outwards), hall.outline, 1) ? DoorPlace::edge : DoorPlace::away;
}

std::vector<WayIn> ways_in(const SpaceInputs& in, const FloorPlan& plan) {
  std::vector<WayIn> out;
  for (std::uint32_t i = static_cast<std::uint32_t>(plan.first_structure); i < plan.things.size(); ++i) {
    const Structure& s = *plan.source(i).structure;
    if (s.kind != StructureKind::door && s.kind != StructureKind::dock && s.kind != StructureKind::lift) continue;
    const PlanThing& t = plan.things[i];
    const Hall& hall = (*in.halls)[static_cast<std::size_t>(t.hall)];
    WayIn w;
    w.thing = i;
    w.kind = s.kind;
    w.hall = t.hall;
    w.gate.box = t.box;
    w.gate.normal_x = t.front_x;
    w.gate.normal_y = t.front_y;
    w.gate.square_on = t.square_on;
    w.gate.width = in_millimeters(s.kind == StructureKind::lift ? std::min(s.width, s.depth) : s.width);
    w.height = in_millimeters(s.height.value_or(hall.ceiling_height));
    w.carries = s.load_rating ? in_kilograms(*s.load_rating) : std::numeric_limits<double>::infinity();
    // A door in the middle of a hall is an opening of a wall there, and leads nowhere else.
    if (s.kind == StructureKind::door && door_place(t, hall) != DoorPlace::edge) continue;
    w.from_outside = s.kind == StructureKind::dock || s.kind == StructureKind::door;
    out.push_back(std::move(w));
  }
  // Doors that lie in one place join their halls; a door beside another hall leads into it there.
  const std::size_t drawn = out.size();
  for (std::size_t a = 0; a < drawn; ++a) {
    if (out[a].kind == StructureKind::dock) continue;
    const Hall& here = (*in.halls)[static_cast<std::size_t>(out[a].hall)];
    if (out[a].kind == StructureKind::lift) {
      for (std::size_t b = 0; b < drawn; ++b)
        if (b != a && out[b].kind == StructureKind::lift &&
            (*in.halls)[static_cast<std::size_t>(out[b].hall)].level != here.level &&
            out[a].gate.box.overlaps(out[b].gate.box))
          out[a].beyond.push_back(static_cast<std::uint32_t>(b));
      continue;
    }
    for (std::size_t h = 0; h < in.halls->size(); ++h) {
      const Hall& other = (*in.halls)[h];
      if (static_cast<std::int32_t>(h) == out[a].hall || other.level != here.level || other.outline.size() < 3)
        continue;
      PlanBox reach = out[a].gate.box;
      const bool along_y = std::abs(out[a].gate.normal_y) > 0.5;
      (along_y ? reach.y0 : reach.x0) -= wall_thickness;
      (along_y ? reach.y1 : reach.x1) += wall_thickness;
      if (!outline_box(other.outline).overlaps(reach)) continue;
      if (other.kind != RoomKind::yard) out[a].from_outside = false;
      // The same opening seen from the other hall, at the edge of that hall.
      WayIn there = out[a];
      there.hall = static_cast<std::int32_t>(h);
      // At the edge of that hall, 100 mm deep.
      const PlanBox edge = outline_box(other.outline);
      const double cx = (out[a].gate.box.x0 + out[a].gate.box.x1) / 2,
                   cy = (out[a].gate.box.y0 + out[a].gate.box.y1) / 2;
      constexpr double deep = 100;
      PlanBox at{std::max(reach.x0, edge.x0), std::max(reach.y0, edge.y0), std::min(reach.x1, edge.x1),
                 std::min(reach.y1, edge.y1)};
      if (along_y)
        ((at.y0 + at.y1) / 2 > cy ? at.y1 : at.y0) = (at.y0 + at.y1) / 2 > cy ? at.y0 + deep : at.y1 - deep;
      else
        ((at.x0 + at.x1) / 2 > cx ? at.x1 : at.x0) = (at.x0 + at.x1) / 2 > cx ? at.x0 + deep : at.x1 - deep;
      there.gate.box = at;
      there.beyond = {static_cast<std::uint32_t>(a)};
      out[a].beyond.push_back(static_cast<std::uint32_t>(out.size()));
      out.push_back(std::move(there));
    }
  }
  return out;
}

FreeFloor free_floor(const SpaceInputs& in, const FloorPlan& plan, std::int32_t hall, double carried, double high,
                     const TooLow& too_low) {
  std::vector<std::uint32_t> which;
  std::vector<PlanBox> openings;
  std::vector<std::uint32_t> walls;
  for (std::uint32_t i = 0; i < plan.things.size(); ++i) {
    if (plan.things[i].hall != hall) continue;
    if (i >= plan.first_structure) {
      const Structure& s = *plan.source(i).structure;
      if (s.kind == StructureKind::door) {
        if (!s.height || in_millimeters(*s.height) >= high - 0.5) openings.push_back(plan.things[i].box);
        continue;
      }
      if (s.kind == StructureKind::wall) {
        walls.push_back(i);
        continue;
      }
      const bool too_weak = s.kind == StructureKind::ramp && s.load_rating && in_kilograms(*s.load_rating) < carried;
      if (!plan.blocks_aisle[i] && !too_weak) continue;
    } else if (!plan.blocks_aisle[i]) {
      continue;
    }
    which.push_back(i);
  }
  std::vector<FloorBlock> blocks = floor_blocks(plan.things, which);
  for (const FloorBlock& wall : floor_blocks(plan.things, walls))
    for (const PlanBox& part : without(wall.box, openings))
      blocks.push_back({part, wall.first, wall.last});
  if (too_low.hanging) {
    for (std::size_t i = 0; i < too_low.hanging->size(); ++i) {
      const Hanging& h = (*too_low.hanging)[i];
      if (h.hall != hall || !too_low.in_the_way(h)) continue;
      const std::uint32_t who = TooLow::hanging_block(plan, i);
      std::vector<std::uint32_t> parts(h.parts.size());
      std::iota(parts.begin(), parts.end(), 0U);
      for (const FloorBlock& b : floor_blocks(h.parts, parts))
        blocks.push_back({b.box, who, who});
    }
    const auto& zones = rows_of(in.zones);
    for (std::size_t z = 0; z < zones.size(); ++z)
      if (zones[z].hall == (*in.halls)[static_cast<std::size_t>(hall)].id && too_low.in_the_way(zones[z]))
        for (const PlanBox& b : boxes_of_inside(zones[z].outline))
          blocks.push_back({b, too_low.zone_block(plan, z), too_low.zone_block(plan, z)});
  }
  return {std::move(blocks), (*in.halls)[static_cast<std::size_t>(hall)].outline};
}

} // namespace hallwright
