// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "fabric/cable_plan.h"
#include "fabric/cable_plan_trays.h"
#include "fabric/device_places.h"
#include "fabric/fabric.h"
#include "fabric/wiring.h"
#include "fabric/wiring_rules.h"
#include "space/routes.h"

/// The stage after the counts: every network wired port by port and cabled through the hall.
namespace hallwright {

struct CablingInputs {
  Shared<std::vector<Network>> networks;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<StoragePlan> storage;
  Shared<Catalog> catalog;
  friend bool operator==(const CablingInputs&, const CablingInputs&) = default;
};

/// What rules ask of one network that takes a look at every link, and what each answer rests on.
struct NetworkFacts {
  bool counted = false; ///< `changes` and `growth` are known
  FabricRequest request;
  Count part_radix = 0;    ///< of the leaf part at the rate of the links; 0: not known
  std::string changes;     ///< that can be counted: "whole units, equal bundles"
  Growth growth;
  Count gpus_per_node = 0; ///< 0: not known, or no network that GPUs depend on
  LostLeaf lost;           ///< of the wiring
  Count cables_apart = 0;  ///< of the plan
  std::vector<SwitchRack> switch_racks; ///< of wiring and places
};

/// One network on the plan. Parts are shared with the last evaluation where nothing of them changed.
struct NetworkCabling {
  Id network = 0;
  std::string name;
  NetworkKind kind = NetworkKind::compute;
  std::string problem;                       ///< why it is not wired; empty when it is
  std::shared_ptr<const Wiring> wiring;      ///< null: not wired
  std::shared_ptr<const DevicePlaces> places;
  std::shared_ptr<const CablePlan> plan;
  CablePlanInputs plan_inputs;               ///< that the plan was made from
  NetworkFacts facts;
};

/// Figures per network as `cabling.network.<id>.cables` and so on. What is not wired falls back to the counts.
struct CablingResult : StageResult {
  std::vector<NetworkCabling> networks;     ///< by id
  std::shared_ptr<const TrayUsage> trays;   ///< what the cables of all networks put on trays; null: none are drawn
  Traced<Count> cables;                     ///< cabling.cables: assemblies
  Traced<Count> modules;                    ///< cabling.modules
  Traced<Power> optics_power;               ///< cabling.optics_power: modules and active cable ends
  Traced<Power> node_side_optics_power;     ///< cabling.node_side_optics_power: the part of it in nodes
  Traced<Length> ordered_length;            ///< cabling.ordered_length: of all cables, without spares
  Traced<Length> longest_cable;             ///< cabling.longest_cable
  Traced<Money> parts_cost;                 ///< cabling.parts_cost: switches, modules, cables, spares
  /// The network of this id, or null.
  [[nodiscard]] const NetworkCabling* find(Id network) const;
};

/// Wires and cables all networks. Wirings, places and plans of `previous` are kept where their inputs are the same, and
/// plans go on from it where only racks moved.
/// @param stop when requested, the result is left unfinished and of no use
CablingResult cabling(const CablingInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const SpaceResult& space,
                      const CablingResult* previous = nullptr, const std::stop_token& stop = {});


} // namespace hallwright
