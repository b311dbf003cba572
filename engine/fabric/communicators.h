// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/parts.h"
#include "fabric/link_loads.h"
#include "fabric/rank_placement.h"

/// Who talks to whom in a training step: the communicators of the job and those that a user states, the bytes that
/// they move on each tier, and their flows for the loads of links.
namespace hallwright {

/// Groups of ranks that call one collective: members of a group are `stride` apart; a group begins at every rank r
/// with r / stride divisible by `ranks`. Groups that would pass the last rank are left out.
struct RankGroups {
  Count ranks = 1, stride = 1;
  friend bool operator==(const RankGroups&, const RankGroups&) = default;
};

struct CommunicatorTraffic {
  std::string name;    ///< "Tensor", "Data", or as stated
  Id communicator = 0; ///< of a stated one
  Collective collective = Collective::all_reduce;
  RankGroups groups;
  double bytes_per_call = 0; ///< as `CollectiveCall::bytes` counts them
  double calls_per_step = 0;
  std::string counted; ///< how bytes and calls come about, one line
  friend bool operator==(const CommunicatorTraffic&, const CommunicatorTraffic&) = default;
};

/// Weights of low-rank adapters of a model: rank x (inputs + outputs) of each product that carries one; routed experts
/// and embeddings carry none. @source Hu et al. 2021 (LoRA)
double adapter_parameters(const ModelPart& model, double rank, bool in_feed_forward);

/// Communicators of a job with its model: tensor, context, expert, data, pipeline; axes of one rank are left out. Under
/// interleaved stages the last stage sends to the first, too; a model whose embeddings are one matrix sums its gradient
/// over the first and last stage. Full recomputation runs the forward exchanges of a layer once more.
/// First-order: activations in 2 bytes a value, gradients reduced in 4, parameters gathered in 2; the layers of a
/// stage are the mean.
/// @source Korthikanti et al., Reducing Activation Recomputation (2022); Narayanan et al., Efficient Large-Scale
///         Language Model Training (2021); Megatron-LM
/// @return the list, or a sentence that names what of the model is unknown or which axis does not fit
tl::expected<std::vector<CommunicatorTraffic>, std::string> job_communicators(const Job& job, const ModelPart& model);
/// Those that a design states.
std::vector<CommunicatorTraffic> stated_communicators(std::span<const Communicator> communicators);

/// Bytes of one step over all ranks, by the highest tier that they climb to.
struct TierBytes {
  double scale_up = 0, leaf = 0, spine = 0, core = 0;
  [[nodiscard]] double network() const { return leaf + spine + core; }
  [[nodiscard]] double total() const { return scale_up + network(); }
  /// Share of what leaves the scale-up domains; 0 when nothing does.
  [[nodiscard]] double spine_share() const { return network() > 0 ? (spine + core) / network() : 0.0; }
  [[nodiscard]] double core_share() const { return network() > 0 ? core / network() : 0.0; }
};
/// Collectives run within domains first, then between them, each GPU by its own rail; a group with one rank in a domain
/// is a ring in rank order.
TierBytes tier_bytes(const CommunicatorTraffic& traffic, const RankPlacement& placement,
                     std::span<const NodePlace> places, const std::stop_token& stop = {});
/// The same where several communicators run on one placement.
/// @param seats  `rank_seats` of the placement
TierBytes tier_bytes(const CommunicatorTraffic& traffic, const RankPlacement& placement, std::span<const RankSeat> seats,
                     std::span<const NodePlace> places, const std::stop_token& stop = {});

/// Network flows of one step; what stays within a domain is left out.
/// @param most  flows that may come of it; more is refused (an all-to-all over many ranks)
tl::expected<std::vector<NetworkFlow>, std::string>
network_flows(const CommunicatorTraffic& traffic, const RankPlacement& placement, std::span<const NodePlace> places,
              std::size_t most = 20'000'000, const std::stop_token& stop = {});

/// Share of ring hops that cross a boundary of `size` nodes, for `nodes` in order and in random order.
struct RingCrossing {
  double ordered = 0, random = 0;
};
/// @source ring of n nodes in order: n / m of n hops; at random: 1 - (m - 1) / (n - 1)
RingCrossing ring_crossing(Count nodes, Count size);

/// Levels of a tree or of halving and doubling over n nodes that leave a group of m: log2(n / m) of log2 n; with
/// halving the largest payload crosses first, with doubling last.
struct TreeCrossing {
  double levels = 0, crossing = 0;
  double halving_share = 0; ///< of all bytes that cross, payload halved at each level, boundary levels first
};
TreeCrossing tree_crossing(Count nodes, Count size);

} // namespace hallwright
