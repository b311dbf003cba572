// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "checks/finding.h"
#include "space/space.h"

/// Scale-out networks: how many switches, cables and modules, at which tiers, under which rule.
namespace hallwright {

/// What one network asks for, as plain numbers: also the input of `hallwright-cli fabric`.
struct FabricRequest {
  Count nodes = 0;
  Count links_per_node = 8; ///< ports of a node on this network (GPUs x NICs per GPU), per plane
  Count radix = 64;         ///< ports of a switch, counted in links
  bool rails = true;        ///< link r of every node goes to the leaf of rail r of its unit
  Tiers tiers = Tiers::automatic;
  Count nodes_per_unit = 0; ///< 0: as many as the down ports of a leaf carry
  Count leaf_down = 0, leaf_up = 0; ///< 0: from radix and oversubscription
  double oversubscription = 1.0, core_oversubscription = 1.0;
  Count planes = 1;
  BundleRule bundles = BundleRule::equal;
  UnitRule units = UnitRule::whole;
  Count reserved_node_places = 0;
  Count reserved_links = 0; ///< cables of the reserved places (fabric managers)
  Topology topology = Topology::fat_tree;
  Count spine_radix = 0, core_radix = 0; ///< ports counted in links; 0: as the tier below
  Count routers_per_group = 0, endpoints_per_router = 0, global_links_per_router = 0; ///< dragonfly; 0: balanced
  Count reserved_leaf_ports = 0, reserved_spine_ports = 0; ///< of each switch, never used by links of nodes or spines
  Count uplink_ports = 1; ///< ports of a leaf that one uplink takes (2: 800G uplinks above 400G links); spines and
                          ///< cores are counted in uplinks
  friend bool operator==(const FabricRequest&, const FabricRequest&) = default;
};

/// What it needs. Counts are over all planes.
struct FabricCounts {
  Count tiers = 0;
  Count units = 0;
  Count leafs = 0, spines = 0, cores = 0;
  Count node_leaf_cables = 0, leaf_spine_cables = 0, spine_core_cables = 0; ///< built
  Count lit_leaf_spine_cables = 0; ///< those that carry links of nodes present
  Count transceivers = 0;          ///< single-port modules, both ends of all cables (optical links all)
  Count switch_ports_used = 0, switch_ports_idle = 0;
  Count leaf_down = 0, leaf_up = 0; ///< ports of a leaf
  Count nodes_per_unit = 0;         ///< as stated or as derived; 0: nodes are packed by ports
  Count spine_down = 0, spine_up = 0; ///< ports of a spine
  Count pods = 1;                   ///< of a plane: groups of leafs and spines below the cores
  Count groups = 0;                 ///< of a dragonfly; its switches are counted as leafs
  Count group_local_cables = 0, group_global_cables = 0; ///< of a dragonfly: within groups and between them
  bool partial_unit = false;        ///< the last unit is not full
  bool uneven = false;              ///< some uplinks do not spread evenly over the tier above
  double oversubscription = 1.0;   ///< as built, at the leaf; of a dragonfly end points over global links of a group
  double core_oversubscription = 1.0; ///< as built, at the spine; 1 without cores
  std::string rule;                ///< "equal bundles: spines 18, the smallest divisor of 72 that is at least 16"
  std::vector<std::string> notes;
};

/// Counts, or why it can't be built and the next feasible design.
tl::expected<FabricCounts, std::string> fabric_counts(const FabricRequest& request);

/// A change that makes a refused request feasible.
struct WayOut {
  std::string words; ///< "three tiers", "radix 128"
  FabricRequest request;
};
/// The nearest designs that can be built, as `fabric_counts` names them: at most two; none where the request is out of
/// range rather than out of reach.
std::vector<WayOut> ways_out(const FabricRequest& refused);

struct FabricInputs {
  Shared<std::vector<Network>> networks;
  Shared<std::vector<RackItem>> rack_items;
  Shared<Project> project; ///< power basis
  Shared<StoragePlan> storage;
  Shared<Goal> goal;
  Shared<Catalog> catalog;
  friend bool operator==(const FabricInputs&, const FabricInputs&) = default;
};

struct NetworkResult {
  Id network = 0;
  std::string name;
  NetworkKind kind = NetworkKind::compute;
  FabricRequest request; ///< what the counts were made from; what `wire` takes
  FabricCounts counts;
  std::string problem; ///< why there are no counts; empty when there are
  Traced<Count> leafs, spines, cores;           ///< fabric.network.<id>.leafs ...
  Traced<Count> switches, cables, transceivers; ///< fabric.network.<id>.switches ...
  Traced<Power> switch_power, optics_power;     ///< all switches without modules; all modules at both ends
  Traced<Power> node_side_optics_power;         ///< the part of optics_power that sits in nodes
  Traced<Money> switch_cost;                    ///< fabric.network.<id>.switches.cost
  Count ports_per_node = 0;                     ///< of a node on this network
};

struct FabricResult : StageResult {
  std::vector<NetworkResult> networks; ///< by id
  Traced<Count> switches;      ///< fabric.switches
  Traced<Count> cables;        ///< fabric.cables
  Traced<Count> transceivers;  ///< fabric.transceivers
  Traced<Power> switch_power;  ///< fabric.switch_power
  Traced<Power> optics_power;  ///< fabric.optics_power
  Traced<Power> node_side_optics_power; ///< fabric.node_side_optics_power
  Traced<Length> mean_cable_length;     ///< fabric.mean_cable_length (estimate, from the plan where racks are drawn)
  Traced<Money> parts_cost;             ///< fabric.parts_cost: switches, modules, cables
  Traced<DataRate> injection_per_gpu;   ///< fabric.injection_per_gpu: compute network, one way
  Traced<Count> scale_up_domain_gpus;   ///< fabric.scale_up_domain_gpus
  Traced<Count> scale_up_domains;       ///< fabric.scale_up_domains
  Traced<DataRate> scale_up_rate_per_gpu; ///< fabric.scale_up_rate_per_gpu: one way
  bool assumed = false; ///< no network described: the goal's share stands in
};

FabricResult fabric(const FabricInputs& inputs, const PopulationResult& population, const SpaceResult& space);
std::vector<Rule> fabric_rules();

/// The formulas that the stage applies beyond those of `fabric/formulas.h`, with their types erased.
[[nodiscard]] std::vector<AnyFormula> fabric_stage_formulas();

} // namespace hallwright
