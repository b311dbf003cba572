// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  std::optional<Power> gpu_power_cap = {}; ///< of the job; not set: none
  Shared<std::vector<Row>> rows = {};      ///< power caps; null: none
  friend bool operator==(const LoadInputs&, const LoadInputs&) = default;
};

/// Racks of one type whose cages hold the same module watts over all networks, and that are held to the same power: they
/// draw the same.
struct RackClassLoad {
  Id rack_type = 0;
  Count racks = 0;           ///< in the drawing; 0: no rack of the type is drawn, its modules are a mean
  std::string key;           ///< in ids of figures: "rack_type.11", or "rack_type.11.like_rack.205" where the type has
                             ///< several classes (the first rack of the class stands for it)
  std::string name;          ///< of the type; where it has several classes, with the names of racks
  Traced<Count> racks_figure;
  Traced<Power> power;          ///< load.<key>.power, of one rack, caps applied
  Traced<Power> asked;     ///< load.<key>.asked, of one rack before caps; without a figure where none is set
  Traced<Power> gpu_limit; ///< load.<key>.gpu_limit: power limit at which the GPUs of one rack keep it to its cap; without
                           ///< a figure where no cap binds or it holds no GPUs
  Traced<Power> heat_to_liquid; ///< of one rack; one figure for all classes of a type that sheds alike
  Traced<Power> heat_to_air;    ///< of one rack
  bool own_liquid_heat = false; ///< other classes of the type shed another heat to liquid
};

/// The rack under a job whose GPUs a cap of it or of its row holds to least.
struct HeldRack {
  Id rack = 0;
  std::string name;
  Count alike = 0; ///< racks under the job that are held to as little, this one included
  Traced<Power> gpu_limit;
  Count of_job = 0; ///< racks under the job; 0: not asked for
  /// No rack waits for another: all of them are held to as little.
  [[nodiscard]] bool all_alike() const { return of_job > 0 && alike >= of_job; }
  friend bool operator==(const HeldRack&, const HeldRack&) = default;
};

/// The rack of a type that draws most.
struct RackTypeLoad {
  Id rack_type = 0;
  Traced<Power> power; ///< load.rack_type.<id>.power, of one rack; limit: that of the type
  Traced<Power> heat_to_liquid, heat_to_air;
};

struct LoadResult : StageResult {
  std::vector<RackTypeLoad> rack_types;     ///< by rack type id
  std::vector<RackClassLoad> rack_classes;  ///< by rack type, then by first rack; types that are gone come last
  std::vector<std::uint32_t> class_of_rack; ///< into `rack_classes`, in the order of the table of racks
  Traced<Power> nodes;      ///< load.nodes
  Traced<Power> switches;   ///< load.switches: all switches that the networks need, drawn or not
  Traced<Power> optics;     ///< load.optics: modules at both ends
  Traced<Power> storage;    ///< load.storage
  Traced<Power> other;      ///< load.other: management and what else is in racks
  Traced<Power> it;         ///< load.it
  Traced<Power> in_racks;   ///< load.in_racks: what all drawn racks draw
  Traced<Power> not_drawn;  ///< load.not_drawn: what is counted and stands in no drawn rack; both together are `it`
  Traced<Power> heat_to_liquid; ///< load.heat_to_liquid
  Traced<Power> heat_to_air;    ///< load.heat_to_air
  Traced<Power> it_per_gpu; ///< load.it_per_gpu
};

/// @param cabling  what modules and active cables draw, rack by rack and cage by cage; what is not wired, and all where
///                 this is null, is spread evenly from the counts of `fabric`
LoadResult load(const LoadInputs& inputs, const PopulationResult& population, const FabricResult& fabric,
                const CablingResult* cabling = nullptr);
/// @param of_job racks that hold GPUs of the job, by id; null: all
/// @return nothing where no cap binds
std::optional<HeldRack> slowest_held_rack(const LoadResult& load, const std::vector<Rack>& racks,
                                          const std::vector<Id>* of_job = nullptr);
std::vector<Rule> load_rules();

} // namespace hallwright
