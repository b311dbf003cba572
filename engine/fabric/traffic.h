// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "fabric/cabling.h"
#include "fabric/communicators.h"
#include "fabric/drawn_failures.h"
#include "fabric/fabric_failures.h"
#include "fabric/network_reach.h"

/// The stage that lays the job on the wired compute network: bytes of a step by tier, what the rank order is worth, and
/// what the networks still carry with the elements that are out of service.
namespace hallwright {

struct TrafficInputs {
  Shared<Job> job;
  Shared<std::vector<Communicator>> communicators;
  Shared<std::vector<Failure>> failures;
  Shared<std::vector<Network>> networks;
  Shared<Catalog> catalog; ///< models
  friend bool operator==(const TrafficInputs&, const TrafficInputs&) = default;
};

/// What is left of one network.
struct NetworkLeft {
  Id network = 0;
  std::string name;
  std::vector<LostParts> lost;       ///< one for each failure that takes something of it
  std::vector<Id> failures;          ///< the rows of these
  std::vector<bool> dead;            ///< by link; empty: none
  WhatIsLeft left;
};
/// What a drawn thing that is out of service takes of all networks.
struct ThingLeft {
  FailedThing thing;
  Count devices = 0, links = 0; ///< lost with it, each network's own; links of lost devices included
};
/// A failure whose words say nothing.
struct FailureProblem {
  Id failure = 0;
  std::string sentence;
};

/// The job on the network in one order of nodes and of axes.
struct RankOrderTraffic {
  RankOrder order = RankOrder::unit_order;
  AxisOrder axes = AxisOrder::data_before_pipeline;
  std::shared_ptr<const RankPlacement> placement; ///< null: there is none
  std::vector<TierBytes> bytes;                   ///< of a step, for each communicator
  std::string problem;                            ///< why there is no placement
};

/// The compute network as the ranks of the job lie on it, with what is out of service.
struct JobNetwork {
  NetworkReach reach;
  Count cut_off_gpus = 0; ///< of the job, without a link that leads to the others
  std::string out_of_service; ///< "leaf 3", "2 elements and things"; empty: nothing
  /// traffic.unit_gpus, traffic.pod_gpus, traffic.leaf_oversubscription, traffic.core_oversubscription,
  /// traffic.injection_left: those of `reach` that a job on this network has.
  std::vector<std::pair<std::string, Traced<double>>> figures;
  friend bool operator==(const JobNetwork& a, const JobNetwork& b) {
    return a.reach == b.reach && a.cut_off_gpus == b.cut_off_gpus && a.out_of_service == b.out_of_service &&
           std::equal(a.figures.begin(), a.figures.end(), b.figures.begin(), b.figures.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && x.second.figure == y.second.figure; });
  }
};
/// Counts a placed job's network.
/// @param places of all nodes; `dead` by link, empty: nothing is out of service
/// @param order  all nodes of the network in the job's order of ranks: how far groups reach does not depend on the layout
JobNetwork job_network(const Wiring& wiring, const RankPlacement& placement, std::span<const NodePlace> places,
                       std::span<const std::uint32_t> order, Count ranks, const std::vector<bool>& dead);

struct TrafficResult : StageResult {
  std::vector<CommunicatorTraffic> communicators; ///< of the job, then stated ones
  std::vector<TierBytes> bytes;                   ///< of a step, for each of them
  std::optional<RankPlacement> placement;         ///< on the compute network; none: the reason is told by the figures
  std::vector<NodePlace> places;                  ///< of its nodes
  std::optional<JobNetwork> network;              ///< where there is a placement
  std::vector<NetworkLeft> left;                  ///< networks with something out of service, by id
  std::vector<ThingLeft> things;                  ///< drawn things out of service, as the design names them
  std::vector<FailureProblem> problems;
  std::vector<RankOrderTraffic> orders; ///< every order of nodes, and that of the job with pipeline before data
  // What `places` and the orders of nodes were made from.
  std::shared_ptr<const Wiring> wiring;
  std::shared_ptr<const DevicePlaces> drawn;
  std::vector<std::uint32_t> by_rack; ///< nodes in the order of their racks
  Count nodes_per_domain = 1;
  Traced<Bytes> scale_up, leaf, spine, core; ///< traffic.scale_up ... bytes of a step over all ranks
  Traced<double> spine_share;                ///< traffic.spine_share: of the bytes that leave scale-up domains
};

/// Bytes by tier of `previous` are kept for orders of ranks that are as they were.
/// @param things `failed_things` of the design
/// @param stop when requested, the result is left unfinished and of no use
TrafficResult traffic(const TrafficInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const CablingResult& cabling,
                      const std::vector<FailedThing>& things = {}, const TrafficResult* previous = nullptr, const std::stop_token& stop = {});

/// Nodes in the order in which their racks stand: hall by hall, row of the plan by row, then from below in a rack.
std::vector<std::uint32_t> nodes_by_rack(const Wiring& wiring, const DevicePlaces& places);

} // namespace hallwright
