// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "fabric/cabling.h"

/// What each rack draws and sheds: watts, heat to liquid and to air.
namespace hallwright {

struct LoadInputs {
  Shared<Project> project; ///< power basis
  Shared<Goal> goal;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<StoragePlan> storage;
  Shared<Catalog> catalog;
  friend bool operator==(const LoadInputs&, const LoadInputs&) = default;
};

/// Load of one rack of a type: every rack of the type draws the same at this depth.
struct RackTypeLoad {
  Id rack_type = 0;
  Traced<Power> power;           ///< load.rack_type.<id>.power, of one rack
  Traced<Power> heat_to_liquid, heat_to_air;
};

struct LoadResult : StageResult {
  std::vector<RackTypeLoad> rack_types; ///< by rack type id
  Traced<Power> nodes;      ///< load.nodes
  Traced<Power> switches;   ///< load.switches: all switches that the networks need, drawn or not
  Traced<Power> optics;     ///< load.optics: modules at both ends
  Traced<Power> storage;    ///< load.storage
  Traced<Power> other;      ///< load.other: management and what else is in racks
  Traced<Power> it;         ///< load.it
  Traced<Power> heat_to_liquid; ///< load.heat_to_liquid
  Traced<Power> heat_to_air;    ///< load.heat_to_air
  Traced<Power> it_per_gpu; ///< load.it_per_gpu
};

/// @param cabling  what modules and active cables draw, counted cage by cage; null: the counts of `fabric` stand in
LoadResult load(const LoadInputs& inputs, const PopulationResult& population, const FabricResult& fabric,
                const CablingResult* cabling = nullptr);
std::vector<Rule> load_rules();

} // namespace hallwright
