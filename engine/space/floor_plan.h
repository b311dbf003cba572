// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "space/plan_geometry.h"
#include "space/space.h"

/// Everything that stands on the floor or hangs above it, as one list of rectangles: what loads, aisles and clearances
/// look at.
namespace hallwright {

/// Rows of a section, also where it is not given.
template <class E>
const std::vector<E>& rows_of(const Shared<std::vector<E>>& table) {
  static const std::vector<E> none;
  return table ? *table : none;
}

/// What a thing behind the racks is: one of these is set.
struct ThingSource {
  const PowerUnit* power = nullptr;
  const CoolingUnit* cooling = nullptr;
  const Structure* structure = nullptr;
};

/// Height of a busway whose part states none [mm]: a usual housing with its tap-off boxes. Project choice.
constexpr double unknown_busway_height = 200;

struct FloorPlan {
  std::vector<PlanThing> things;    ///< racks first, in their order; then plant, then structures
  std::vector<EntityRef> refs;      ///< of the things behind the racks
  std::vector<ThingSource> sources; ///< of the things behind the racks
  std::vector<std::string_view> names;
  std::size_t racks = 0;
  std::size_t first_structure = 0;               ///< index in `things`
  std::vector<float> bottom, top;                ///< mm above the floor, of each thing
  std::vector<bool> blocks_aisle;                ///< of each thing: a person cannot pass
  std::vector<std::int32_t> type_of;             ///< of each rack: index of its rack type, -1: none
  std::vector<RackRole> roles;                   ///< of each rack
  std::vector<Footprint> footprints;             ///< of each rack type
  std::vector<std::vector<Count>> racks_in_hall; ///< of each rack type; 0: outside of halls, then hall by hall
  std::vector<std::int32_t> zone_of;             ///< of each thing: index of the zone that its middle lies in, -1: none
  std::vector<bool> across_zone_edge;            ///< of each thing

  [[nodiscard]] EntityRef ref(std::uint32_t thing, const std::vector<Rack>& all) const {
    return thing < racks ? EntityRef{"racks", all[thing].id} : refs[thing - racks];
  }
  [[nodiscard]] ThingSource source(std::uint32_t thing) const {
    return thing < racks ? ThingSource{} : sources[thing - racks];
  }
  [[nodiscard]] bool is_structure(std::uint32_t thing, StructureKind kind) const {
    return thing >= first_structure && sources[thing - racks].structure->kind == kind;
  }
  /// Name of a thing, or "racks 12" where it has none.
  [[nodiscard]] std::string name(std::uint32_t thing, const std::vector<Rack>& all) const;
};
FloorPlan floor_plan(const SpaceInputs& inputs);

} // namespace hallwright
