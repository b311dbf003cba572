// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "space/plan_geometry.h"
#include "space/space.h"

/// Everything that stands on the floor, as one list of rectangles: what loads, aisles and clearances look at.
namespace hallwright {

struct FloorPlan {
  std::vector<PlanThing> things; ///< racks first, in their order; then plant, then structures
  std::vector<EntityRef> refs;   ///< of the things behind the racks
  std::vector<std::string_view> names;
  std::size_t racks = 0;
  std::size_t first_structure = 0; ///< index in `things`
  std::vector<bool> blocks_aisle;  ///< of each thing
  std::vector<std::int32_t> type_of;              ///< of each rack: index of its rack type, -1: none
  std::vector<RackRole> roles;                    ///< of each rack
  std::vector<Footprint> footprints;              ///< of each rack type
  std::vector<std::vector<Count>> racks_in_hall;  ///< of each rack type; 0: outside of halls, then hall by hall

  [[nodiscard]] EntityRef ref(std::uint32_t thing, const std::vector<Rack>& all) const {
    return thing < racks ? EntityRef{"racks", all[thing].id} : refs[thing - racks];
  }
  /// Name of a thing, or "racks 12" where it has none.
  [[nodiscard]] std::string name(std::uint32_t thing, const std::vector<Rack>& all) const;
};
FloorPlan floor_plan(const SpaceInputs& inputs);

} // namespace hallwright
