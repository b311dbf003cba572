// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/entities.h"
#include "fabric/wiring.h"

/// Where the ranks of a job lie: on which node and GPU, under which leaf, in which pod and scale-up domain.
namespace hallwright {

/// Axes of a job. The rank runs over tensor fastest, then context, data, pipeline:
/// rank = t + tensor (c + context (d + data p)). Expert groups are neighbours on the axes context and data.
struct RankAxes {
  Count tensor = 1, context = 1, data = 1, pipeline = 1, expert = 1;
  [[nodiscard]] Count ranks() const { return tensor * context * data * pipeline; }
  friend bool operator==(const RankAxes&, const RankAxes&) = default;
};
RankAxes axes_of(const Job& job);

std::string_view axis_order_words(AxisOrder order); ///< "tensor, context, data, pipeline"

/// A rank on each axis, from 0; `expert` is its place in its expert group.
struct RankCoordinates {
  Count tensor = 0, context = 0, data = 0, pipeline = 0, expert = 0;
  friend bool operator==(const RankCoordinates&, const RankCoordinates&) = default;
};
/// Which rank lies at a place among the GPUs of a job, in rank order.
/// @param place 0 to axes.ranks() - 1
RankCoordinates coordinates_at(const RankAxes& axes, AxisOrder order, Count place);

/// Where a node stands in the network.
struct NodePlace {
  std::uint32_t domain = 0; ///< scale-up domain
  std::uint32_t unit = 0;   ///< nodes of a unit share their leafs
  std::uint32_t pod = 0;    ///< below cores
  friend bool operator==(const NodePlace&, const NodePlace&) = default;
};
/// Places of all nodes of a wired network, as its links run; where a node has leafs in several units (no rails, packed
/// by ports), the leaf of its first link counts.
/// @param nodes_per_domain nodes that share a scale-up domain, at least 1, neighbours by number
std::vector<NodePlace> node_places(const Wiring& wiring, Count nodes_per_domain = 1);

/// Ranks on nodes: the rank at place i is GPU i % gpus_per_node of node `node_order[i / gpus_per_node]`.
struct RankPlacement {
  Count gpus_per_node = 8;
  std::vector<std::uint32_t> node_order;
  Count links_per_node = 0; ///< of a node to one plane of the network, shared evenly by its GPUs; 0: one a GPU
  AxisOrder axis_order = AxisOrder::data_before_pipeline;
  RankAxes axes; ///< of the job; needed where pipeline comes before data
  /// Where a rank lies among all GPUs of the job; ranks beyond the axes lie where they are.
  [[nodiscard]] Count place_of(Count rank) const {
    if (axis_order == AxisOrder::data_before_pipeline || rank >= axes.ranks()) return rank;
    const Count inner = axes.tensor * axes.context, outer = rank / inner;
    return rank % inner + inner * (outer / axes.data + axes.pipeline * (outer % axes.data));
  }
  [[nodiscard]] std::uint32_t node_of(Count rank) const {
    return node_order[static_cast<std::size_t>(place_of(rank) / gpus_per_node)];
  }
  [[nodiscard]] std::uint32_t gpu_of(Count rank) const { return static_cast<std::uint32_t>(place_of(rank) % gpus_per_node); }
  [[nodiscard]] Count ranks() const { return gpus_per_node * static_cast<Count>(node_order.size()); }
  friend bool operator==(const RankPlacement&, const RankPlacement&) = default;
};

/// Node and GPU within it of one rank.
struct RankSeat {
  std::uint32_t node = 0, gpu = 0;
};
/// Of every rank of a placement.
std::vector<RankSeat> rank_seats(const RankPlacement& placement);

/// Nodes in the order of their units (by number), in the order of racks, or shuffled; the first `nodes` of it.
/// @param nodes       that the job takes; 1 to `available`
/// @param available   nodes of the network
/// @param rack_order  nodes in the order of the racks that hold them; needed for that order, each node once
/// @param seed        of the random order: the same seed gives the same order on every machine
/// @return the placement, or a sentence that names the value and what is allowed
tl::expected<RankPlacement, std::string> rank_placement(RankOrder order, Count nodes, Count available,
                                                        Count gpus_per_node, Count seed = 1,
                                                        std::span<const std::uint32_t> rack_order = {});

/// One rank with its coordinates, its GPU and the ports that this GPU has.
struct RankPorts {
  Count rank = 0;
  Count tensor = 0, context = 0, data = 0, pipeline = 0; ///< coordinates, from 0
  Count expert = 0;                                      ///< place in its expert group, from 0
  std::uint32_t node = 0, gpu = 0;                       ///< from 0
  std::vector<std::uint32_t> links; ///< node links of this GPU, into `Wiring::links`: all planes
};
/// Where the ranks of a job lie, in the order of ranks. GPUs share the links of their node evenly, as in flows.
std::vector<RankPorts> rank_map(const RankAxes& axes, const RankPlacement& placement, const Wiring& wiring);

/// Random numbers that are the same on every machine (splitmix64).
class RepeatableRandom {
public:
  explicit RepeatableRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// 0 to below - 1, each equally likely.
  std::uint64_t below(std::uint64_t limit) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * limit) >> 64);
  }

private:
  std::uint64_t state_;
};

} // namespace hallwright
