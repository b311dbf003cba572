// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/floor_plan.h"

namespace hallwright {

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
  for (const RackType& type : types) footprints.push_back(rack_footprint(catalog, type));
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
  }
  auto place = [&](std::string_view table, Id id, std::string_view name, Id hall, Length x, Length y, Length w, Length d,
                   Angle rotation, bool blocks) {
    const std::int32_t index = hall_of(hall);
    if (index < 0) return; // not on the plan
    plan.things.push_back(plan_thing(x, y, w, d, rotation));
    plan.things.back().hall = index;
    plan.refs.push_back({std::string(table), id});
    plan.names.push_back(name);
    plan.blocks_aisle.push_back(blocks);
  };
  plan.blocks_aisle.assign(racks.size(), true);
  for (const PowerUnit& u : *in.power_units) {
    const Footprint f = power_unit_footprint(catalog, u);
    place("power_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true);
  }
  for (const CoolingUnit& u : *in.cooling_units) {
    const Footprint f = cooling_unit_footprint(catalog, u);
    place("cooling_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true);
  }
  plan.first_structure = plan.things.size();
  for (const Structure& s : *in.structures)
    place("structures", s.id, s.name, s.hall, s.x, s.y, s.width, s.depth, s.rotation,
          s.kind == StructureKind::column || s.kind == StructureKind::wall || s.kind == StructureKind::obstacle);
  return plan;
}

} // namespace hallwright
