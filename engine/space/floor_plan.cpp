// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/floor_plan.h"

#include <algorithm>

namespace hallwright {
namespace {

/// Whether a zone's floor carries less than another's; a rating that is stated goes before one that is not.
bool weaker(const Zone& a, const Zone& b) {
  if (a.floor_rating && b.floor_rating && *a.floor_rating != *b.floor_rating) return *a.floor_rating < *b.floor_rating;
  if (a.floor_rating.has_value() != b.floor_rating.has_value()) return a.floor_rating.has_value();
  if (a.point_load_rating && b.point_load_rating) return *a.point_load_rating < *b.point_load_rating;
  return a.point_load_rating.has_value() && !b.point_load_rating;
}

void mark_zones(const SpaceInputs& in, FloorPlan& plan) {
  plan.zone_of.assign(plan.things.size(), -1);
  plan.across_zone_edge.assign(plan.things.size(), false);
  const auto& zones = rows_of(in.zones);
  for (std::size_t z = 0; z < zones.size(); ++z) {
    if (zones[z].outline.size() < 3) continue;
    const Hall* hall = find(*in.halls, zones[z].hall);
    const auto index = hall ? static_cast<std::int32_t>(hall - in.halls->data()) : -1;
    const PlanBox box = outline_box(zones[z].outline);
    for (std::size_t i = 0; i < plan.things.size(); ++i) {
      const PlanThing& t = plan.things[i];
      if (t.hall != index || index < 0 || !t.box.overlaps(box)) continue;
      const bool middle = point_in_outline(t.center_x, t.center_y, zones[z].outline);
      // Where zones lie over each other, or meet under the middle, the weaker floor counts.
      if (middle && (plan.zone_of[i] < 0 || weaker(zones[z], zones[static_cast<std::size_t>(plan.zone_of[i])])))
        plan.zone_of[i] = static_cast<std::int32_t>(z);
      constexpr double touching = 2.0; // mm
      if (edge_runs_through(t, zones[z].outline, touching)) plan.across_zone_edge[i] = true;
    }
  }
}

} // namespace

std::string FloorPlan::name(std::uint32_t thing, const std::vector<Rack>& all) const {
  const std::string name = thing < racks ? all[thing].name : std::string(names[thing - racks]);
  if (!name.empty()) return name;
  const EntityRef of = ref(thing, all);
  return of.table + " " + std::to_string(of.id);
}

FloorPlan floor_plan(const SpaceInputs& in) {
  const Catalog& catalog = *in.catalog;
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  auto hall_index = [&](Id id) {
    const Hall* hall = find(halls, id);
    return hall ? static_cast<std::int32_t>(hall - halls.data()) : -1;
  };
  // The hall of the last thing is mostly that of the next.
  Id last_hall_id = 0;
  std::int32_t last_hall = -1;
  auto hall_of = [&](Id id) {
    if (id != last_hall_id) last_hall_id = id, last_hall = hall_index(id);
    return last_hall;
  };

  const auto& types = *in.rack_types;
  FloorPlan plan;
  auto& type_of = plan.type_of;
  auto& footprints = plan.footprints;
  auto& racks_in_hall = plan.racks_in_hall;
  auto& roles = plan.roles;
  type_of.assign(racks.size(), -1);
  racks_in_hall.assign(types.size(), std::vector<Count>(halls.size() + 1));
  plan.racks = racks.size();
  plan.things.reserve(racks.size() + in.structures->size() + in.power_units->size() + in.cooling_units->size());
  footprints.reserve(types.size());
  for (const RackType& type : types)
    footprints.push_back(rack_footprint(catalog, type));
  const Footprint nameless = rack_footprint(catalog, RackType{});
  roles.assign(racks.size(), RackRole::management);
  for (std::size_t i = 0; i < racks.size(); ++i) {
    const Rack& rack = racks[i];
    const RackType* type = find(types, rack.rack_type);
    const std::int32_t hall = hall_of(rack.hall);
    if (type) {
      type_of[i] = static_cast<std::int32_t>(type - types.data());
      roles[i] = type->role;
      ++racks_in_hall[static_cast<std::size_t>(type_of[i])][static_cast<std::size_t>(hall + 1)];
    }
    const Footprint& f = type ? footprints[static_cast<std::size_t>(type_of[i])] : nameless;
    plan.things.push_back(plan_thing(rack.x, rack.y, f.width, f.depth, rack.rotation));
    plan.things.back().hall = hall;
    plan.bottom.push_back(0.0F);
    plan.top.push_back(static_cast<float>(in_millimeters(f.height)));
  }
  constexpr float head_height = 2000; // mm: what hangs higher is walked under
  auto place = [&](std::string_view table, Id id, std::string_view name, Id hall, Length x, Length y, Length w,
                   Length d, Angle rotation, bool blocks, Length bottom, Length height, ThingSource source) {
    const std::int32_t index = hall_of(hall);
    if (index < 0) return; // not on the plan
    plan.things.push_back(plan_thing(x, y, w, d, rotation));
    plan.things.back().hall = index;
    plan.refs.push_back({std::string(table), id});
    plan.sources.push_back(source);
    plan.names.push_back(name);
    plan.bottom.push_back(static_cast<float>(in_millimeters(bottom)));
    plan.top.push_back(static_cast<float>(in_millimeters(bottom + height)));
    plan.blocks_aisle.push_back(blocks && plan.bottom.back() < head_height);
  };
  plan.blocks_aisle.assign(racks.size(), true);
  for (const PowerUnit& u : *in.power_units) {
    const Footprint f = power_unit_footprint(catalog, u);
    const PowerPart* part = catalog.find<PowerPart>(u.part);
    const Length height = u.elevation && !(part && part->height) ? millimeters(unknown_busway_height) : f.height;
    place("power_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true,
          u.elevation.value_or(Length{}), height, {&u, nullptr, nullptr});
  }
  for (const CoolingUnit& u : *in.cooling_units) {
    const Footprint f = cooling_unit_footprint(catalog, u);
    place("cooling_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true, Length{}, f.height,
          {nullptr, &u, nullptr});
  }
  plan.first_structure = plan.things.size();
  for (const Structure& s : *in.structures)
    place("structures", s.id, s.name, s.hall, s.x, s.y, s.width, s.depth, s.rotation,
          s.kind == StructureKind::column || s.kind == StructureKind::wall || s.kind == StructureKind::obstacle,
          Length{}, s.height.value_or(meters(100)), {nullptr, nullptr, &s});
  mark_zones(in, plan);
  return plan;
}

} // namespace hallwright
