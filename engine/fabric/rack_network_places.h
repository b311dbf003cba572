// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fabric/cabling.h"
#include "fabric/rank_placement.h"

/// What the networks and the job are to each drawn rack: its longest cable, its pods and rails, its ranks.
namespace hallwright {

/// The longest cable with an end in a rack.
struct RackLongestCable {
  Id rack = 0;
  double meters = 0.0; ///< as ordered; where no medium was found its way
  Id network = 0;
};
/// Over all networks, by rack id. Links of which an end is not drawn are left out: their length is assumed.
std::vector<RackLongestCable> longest_cables(std::span<const NetworkCabling> networks);

/// Pods or rails of a rack.
struct RackNumbers {
  Id rack = 0;
  std::vector<Count> numbers; ///< from 1, rising
};
struct NumbersByRack {
  std::string network;            ///< the compute network that they are of
  std::vector<RackNumbers> racks; ///< by rack id
  std::string nothing;            ///< a sentence: why there are none; empty where there are
};
/// Pods of the compute network: of the nodes, leafs and spines in each rack. Only a network with cores has pods.
NumbersByRack pods_by_rack(std::span<const NetworkCabling> networks);
/// Rails of the compute network: of the leafs in each rack, and where it holds none of the links of its nodes.
NumbersByRack rails_by_rack(std::span<const NetworkCabling> networks);

/// Neighbouring numbers from `first` to `last`.
struct NumberRun {
  Count first = 0, last = 0;
  friend bool operator==(const NumberRun&, const NumberRun&) = default;
};
/// @param numbers  rising
std::vector<NumberRun> runs_of(std::span<const Count> numbers);
/// "1-4, 7".
std::string runs_text(std::span<const Count> numbers);

/// Ranks of a job on some racks.
struct RanksOnRacks {
  std::vector<NumberRun> runs; ///< ranks, from 0
  Count ranks = 0;             ///< on these racks
  Count of = 0;                ///< of the job
  std::vector<Count> stages;   ///< pipeline stages, from 1, rising
};
/// @param racks any order; others than those of the network hold no rank
RanksOnRacks ranks_on_racks(const RankAxes& axes, const RankPlacement& placement, const DevicePlaces& places,
                            std::span<const Id> racks);

} // namespace hallwright
