// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/rank_placement.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace hallwright {

RankAxes axes_of(const Job& job) {
  return {.tensor = job.tensor_parallel,
          .context = job.context_parallel,
          .data = job.data_parallel,
          .pipeline = job.pipeline_parallel,
          .expert = job.expert_parallel};
}

RankCoordinates coordinates_at(const RankAxes& axes, AxisOrder order, Count place) {
  RankCoordinates out;
  out.tensor = place % axes.tensor;
  out.context = place / axes.tensor % axes.context;
  const Count outer = place / (axes.tensor * axes.context);
  if (order == AxisOrder::data_before_pipeline) {
    out.data = outer % axes.data;
    out.pipeline = outer / axes.data;
  } else {
    out.pipeline = outer % axes.pipeline;
    out.data = outer / axes.pipeline;
  }
  out.expert = (out.context + axes.context * out.data) % axes.expert;
  return out;
}

std::vector<NodePlace> node_places(const Wiring& wiring, Count nodes_per_domain) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t nodes = wiring.first_manager;
  std::vector<NodePlace> out(nodes);
  const auto per_domain = static_cast<std::uint32_t>(std::max<Count>(1, nodes_per_domain));
  for (std::uint32_t n = 0; n < nodes; ++n)
    out[n] = {.domain = n / per_domain, .unit = none, .pod = 0};
  // A leaf's unit tells who its neighbours are; without units the leaf itself does.
  bool units = false;
  for (const WiredDevice& d : wiring.devices)
    units = units || (d.kind == DeviceKind::leaf && d.unit > 0);
  for (const WiredLink& link : wiring.links) {
    if (link.kind != LinkClass::node_leaf || link.near >= nodes || out[link.near].unit != none) continue;
    const WiredDevice& leaf = wiring.devices[link.far];
    out[link.near].unit = units ? leaf.unit : wiring.devices[link.near].unit;
    out[link.near].pod = leaf.pod;
  }
  for (NodePlace& p : out)
    if (p.unit == none) p.unit = 0;
  return out;
}

std::vector<RankSeat> rank_seats(const RankPlacement& placement) {
  const auto ranks = static_cast<std::size_t>(placement.ranks());
  const auto each = static_cast<std::uint32_t>(placement.gpus_per_node);
  std::vector<RankSeat> out(ranks);
  if (placement.axis_order == AxisOrder::data_before_pipeline) { // ranks lie as they are counted
    std::size_t rank = 0;
    for (const std::uint32_t node : placement.node_order)
      for (std::uint32_t gpu = 0; gpu < each; ++gpu)
        out[rank++] = {node, gpu};
    return out;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank)
    out[rank] = {placement.node_of(static_cast<Count>(rank)), placement.gpu_of(static_cast<Count>(rank))};
  return out;
}

tl::expected<RankPlacement, std::string> rank_placement(RankOrder order, Count nodes, Count available,
                                                        Count gpus_per_node, Count seed,
                                                        std::span<const std::uint32_t> rack_order) {
  if (available < 1 || available > 100'000'000)
    return tl::make_unexpected(fmt::format("the network must have 1 to 100000000 nodes; it has {}", available));
  if (nodes < 1 || nodes > available)
    return tl::make_unexpected(fmt::format("the job must take 1 to {} nodes; it takes {}", available, nodes));
  if (gpus_per_node < 1 || gpus_per_node > 4096)
    return tl::make_unexpected(fmt::format("a node must have 1 to 4096 GPUs; it has {}", gpus_per_node));
  RankPlacement out;
  out.gpus_per_node = gpus_per_node;
  out.node_order.resize(static_cast<std::size_t>(available));
  std::iota(out.node_order.begin(), out.node_order.end(), 0u);
  if (order == RankOrder::rack_order) {
    std::vector<bool> seen(static_cast<std::size_t>(available), false);
    for (std::uint32_t n : rack_order) {
      if (n >= seen.size() || seen[n])
        return tl::make_unexpected(fmt::format("the order of racks must name each of {} nodes once; node {} is {}",
                                               available, n + 1, n >= seen.size() ? "not there" : "named twice"));
      seen[n] = true;
    }
    if (rack_order.size() != seen.size())
      return tl::make_unexpected(
          fmt::format("the order of racks must name all {} nodes; it names {}", available, rack_order.size()));
    out.node_order.assign(rack_order.begin(), rack_order.end());
  } else if (order == RankOrder::random) {
    RepeatableRandom random(static_cast<std::uint64_t>(seed));
    for (std::size_t i = out.node_order.size(); i > 1; --i)
      std::swap(out.node_order[i - 1], out.node_order[random.below(i)]);
  }
  out.node_order.resize(static_cast<std::size_t>(nodes));
  return out;
}

std::string_view axis_order_words(AxisOrder order) {
  return order == AxisOrder::data_before_pipeline ? "tensor, context, data, pipeline" : "tensor, context, pipeline, data";
}

std::vector<RankPorts> rank_map(const RankAxes& a, const RankPlacement& placement, const Wiring& wiring) {
  // Links of each node by plane, in the order of their ports.
  std::uint32_t planes = 0;
  for (const WiredLink& l : wiring.links)
    if (l.kind == LinkClass::node_leaf) planes = std::max<std::uint32_t>(planes, l.plane + 1u);
  std::vector<RankPorts> out;
  out.reserve(static_cast<std::size_t>(a.ranks()));
  std::vector<std::uint32_t> of_plane;
  const Count inner = a.tensor * a.context;
  for (Count rank = 0; rank < a.ranks() && placement.place_of(rank) < placement.ranks(); ++rank) {
    RankPorts& r = out.emplace_back();
    r.rank = rank;
    r.tensor = rank % a.tensor;
    r.context = rank / a.tensor % a.context;
    r.data = rank / inner % a.data;
    r.pipeline = rank / inner / a.data;
    r.expert = (r.context + a.context * r.data) % a.expert;
    r.node = placement.node_of(rank);
    r.gpu = placement.gpu_of(rank);
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
      of_plane.clear();
      for (const std::uint32_t l : wiring.at_device(r.node))
        if (wiring.links[l].near == r.node && wiring.links[l].plane == plane) of_plane.push_back(l);
      const auto links = static_cast<Count>(of_plane.size());
      if (links == 0) continue;
      const Count first = r.gpu * links / placement.gpus_per_node;
      const Count count = std::max<Count>(1, (r.gpu + 1) * links / placement.gpus_per_node - first);
      for (Count i = first; i < first + count; ++i)
        r.links.push_back(of_plane[static_cast<std::size_t>(i)]);
    }
  }
  return out;
}

} // namespace hallwright
