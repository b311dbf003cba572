// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/collective_time.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr double kib = 1024.0;
constexpr int ring_row = 0, tree_row = 1;

/// NCCL's own correction of tree rates at sizes from 64 B by powers of two (LL, LL128, Simple).
/// @source github.com/NVIDIA/nccl src/graph/tuning.cc, treeCorrectionFactor
constexpr double tree_correction[3][24] = {
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}};

/// What follows from the group once, for all algorithms.
struct Lay {
  double n, k, per_domain; ///< ranks, domains, ranks of a domain
  double levels;           ///< of a tree over the domains
  double nvlink, network;  ///< GB/s: a ring in the domain, all NICs of a domain's ranks
  double nic;              ///< GB/s of one rank
  double extra_hop_us;     ///< of the path beyond one leaf
  std::size_t generation, span;
  double channels;
};

Lay lay_of(const CollectiveGroup& g, const CollectiveConstants& c) {
  Lay l{};
  l.n = static_cast<double>(g.ranks);
  l.k = static_cast<double>(g.domains);
  l.per_domain = std::ceil(l.n / l.k);
  l.levels = std::ceil(std::log2(l.k));
  l.generation = std::min<std::size_t>(static_cast<std::size_t>(g.generation), 3);
  // A generation that the constants do not know is taken as the oldest: no reduction in switches, plain rates.
  if (g.generation == GpuGeneration::other) l.generation = 0;
  l.nvlink = g.scale_up_gb_s * c.nvlink_share[l.generation];
  l.nic = g.network_gb_s * c.nic_share;
  l.network = l.nic * l.per_domain;
  l.span = g.domains == 1 ? 0 : g.domains == 2 ? 1 : 2;
  l.channels = c.channels[l.generation];
  if (g.domains > 1)
    l.extra_hop_us = static_cast<double>(std::max<Count>(switches_on_path(g.tier) - 1, 0)) * c.switch_us +
                     g.path_m * c.delay_us_per_m;
  return l;
}

/// Steps of NCCL's ring: 2 (n - 1) for all-reduce, n - 1 for gather and scatter, n for broadcast.
double ring_steps(Collective c, double n) {
  return c == Collective::all_reduce ? 2 * (n - 1) : c == Collective::broadcast ? n : n - 1;
}

CollectiveTime ring(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c, const Lay& l,
                    CollectiveProtocol protocol) {
  const auto p = static_cast<std::size_t>(protocol);
  CollectiveTime t{.algorithm = CollectiveAlgorithm::ring, .protocol = protocol};
  const double steps = ring_steps(call.collective, l.n);
  const double inter = g.domains > 1 ? ring_steps(call.collective, l.k) : 0.0;
  double hop = c.nvlink_hop_us[ring_row][p], rate = l.nvlink;
  double net_hop = c.network_hop_us[ring_row][p];
  if (g.domains > 1) {
    // Each step posts network messages too; Simple posts three.
    hop = std::max(hop, c.post_us * (protocol == CollectiveProtocol::simple ? 3.0 : 1.0));
    if (g.transport == NetworkTransport::srd) net_hop = std::max(net_hop, c.srd_hop_us);
    net_hop += l.extra_hop_us;
    rate = l.per_domain > 1 ? std::min(l.nvlink, l.network) : l.network;
  }
  if (protocol == CollectiveProtocol::ll)
    rate = std::min(rate * c.ll_ring_share, c.ll_limit_gb_s[l.generation][l.span]);
  if (protocol == CollectiveProtocol::ll128) rate *= c.ll128_share;
  t.latency_us = c.base_us[ring_row][p];
  if (call.collective == Collective::broadcast) {
    // Chunks follow each other round the ring: the last rank waits for one chunk to pass all others.
    t.latency_us += (steps - inter) * hop + inter * net_hop;
    t.transfer_us = call.bytes / rate * 1e-3;
  } else {
    t.latency_us += (steps - inter) * hop + inter * net_hop;
    t.transfer_us = call.bytes * steps / l.n / rate * 1e-3;
  }
  const double passed = call.collective == Collective::broadcast ? 1.0 : steps / l.n;
  t.scale_up_bytes = call.bytes * passed;
  // Channels leave a domain by different NICs: each edge between domains is shared by the NICs of a domain.
  if (g.domains > 1) t.network_bytes = call.bytes * passed / l.per_domain;
  return t;
}

CollectiveTime tree(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c, const Lay& l,
                    CollectiveProtocol protocol) {
  const auto p = static_cast<std::size_t>(protocol);
  CollectiveTime t{.algorithm = CollectiveAlgorithm::tree, .protocol = protocol};
  double rate = l.nvlink, net_hop = c.network_hop_us[tree_row][p];
  if (g.domains > 1) {
    rate = l.per_domain > 1 ? std::min(l.nvlink, l.network) : l.network;
    if (g.transport == NetworkTransport::srd) net_hop = std::max(net_hop, c.srd_hop_us);
    net_hop += l.extra_hop_us;
  }
  rate = std::min(rate * c.tree_share, l.channels * c.tree_channel_gb_s[l.generation][l.span]);
  if (protocol == CollectiveProtocol::ll)
    rate = std::min(rate * c.ll_tree_share, c.ll_limit_gb_s[l.generation][l.span]);
  if (protocol == CollectiveProtocol::ll128) rate *= g.domains == 1 ? c.ll128_tree_one_share : c.ll128_share;
  const int size = std::clamp(static_cast<int>(std::log2(std::max(call.bytes / 64.0, 1.0))), 0, 23);
  rate *= 0.5 * tree_correction[p][size]; // up and down
  t.latency_us = c.base_us[tree_row][p] + 2 * ((l.per_domain - 1) * c.nvlink_hop_us[tree_row][p] + l.levels * net_hop);
  t.transfer_us = call.bytes / rate * 1e-3;
  t.scale_up_bytes = l.per_domain > 1 ? 2 * call.bytes : 0.0;
  if (g.domains > 1) t.network_bytes = 2 * call.bytes * (l.k - 1) / l.k / l.per_domain;
  return t;
}

/// Bytes of a chunk that NCCL gives one GPU and channel when switches reduce.
/// @source github.com/NVIDIA/nccl src/enqueue.cc
double nvls_chunk(double bytes, double places, Count domains) {
  double chunk = 128 * kib;
  const auto smaller = [&](double times, double least) {
    if (bytes < times * places * chunk && chunk > least) chunk = least;
  };
  if (domains == 1) {
    smaller(64, 64 * kib);
    smaller(8, 32 * kib);
    smaller(2, 16 * kib);
  } else {
    if (domains >= 4) chunk = 64 * kib;
    smaller(4, 64 * kib);
    smaller(1, 32 * kib);
  }
  return chunk;
}

/// Reduction in the switches of the scale-up domain; between domains by a tree, or in the network's switches.
CollectiveTime nvls(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c, const Lay& l,
                    bool network_reduces) {
  const bool across = g.domains > 1;
  CollectiveTime t{.algorithm = across && !network_reduces ? CollectiveAlgorithm::nvls_tree : CollectiveAlgorithm::nvls,
                   .protocol = CollectiveProtocol::simple};
  // A GPU sends what it has and receives what all have: gather and scatter move one half of an all-reduce.
  const bool reduces_all = call.collective == Collective::all_reduce;
  double rate = l.nvlink * c.nvls_efficiency[l.generation] * c.nvls_shape * c.nvls_gain;
  if (!reduces_all) rate = l.nvlink * c.nvls_efficiency[l.generation] * l.n / std::max(l.n - 1, 1.0);
  double levels = 0.0;
  t.latency_us = c.nvls_us;
  if (across) {
    levels = network_reduces ? 1.0 : l.levels;
    double hop = network_reduces ? c.nvls_network_hop_us : c.nvls_tree_network_hop_us;
    if (g.transport == NetworkTransport::srd) hop = std::max(hop, c.srd_hop_us);
    t.latency_us += (network_reduces ? 1.0 : 2.0 * levels) * (hop + l.extra_hop_us);
    // An inner node of the tree hears two children: it has half its NICs for each.
    rate = std::min(rate, l.network / (network_reduces || g.domains == 2 ? 1.0 : 2.0));
  }
  const double places = l.channels * l.per_domain;
  const double step = places * nvls_chunk(call.bytes, places, g.domains);
  const double sync = c.nvls_sync_us_per_gpu * l.per_domain;
  const double filling = std::min(step, call.bytes / 8.0); // a buffer has eight slots
  t.transfer_us = call.bytes / rate * 1e-3 + std::max(1.0, call.bytes / step) * sync;
  t.latency_us += (c.nvls_fill_steps + c.network_fill_steps * levels) * (filling / rate * 1e-3 + sync);
  if (across) t.latency_us += 2.0 * levels * filling / l.per_domain / l.nic * 1e-3;
  t.scale_up_bytes = call.bytes;
  if (across) t.network_bytes = (network_reduces ? 1.0 : 2.0 * (l.k - 1) / l.k) * call.bytes / l.per_domain;
  return t;
}

/// Reduction in the switches of the network alone: each GPU hands its share to the tree of switches.
CollectiveTime collnet(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c,
                       const Lay& l) {
  CollectiveTime t{.algorithm = CollectiveAlgorithm::collnet_direct, .protocol = CollectiveProtocol::simple};
  // Within the domain a reduce-scatter and an all-gather, between domains up and down once.
  const double inside = l.per_domain > 1 ? l.nvlink * l.per_domain / (2.0 * (l.per_domain - 1)) : l.network;
  const double rate =
      std::min(inside, l.network) * (g.generation == GpuGeneration::hopper || g.generation == GpuGeneration::blackwell
                                         ? 0.85 // NCCL's own factor from Hopper on
                                         : 1.0);
  t.latency_us = 2.0 * std::min(1.0, l.per_domain - 1) * c.collnet_hop_us + (l.per_domain - 1) * 0.4 +
                 c.collnet_network_hop_us + l.extra_hop_us;
  t.transfer_us = call.bytes / rate * 1e-3;
  t.scale_up_bytes = l.per_domain > 1 ? 2.0 * (l.per_domain - 1) / l.per_domain * call.bytes : 0.0;
  t.network_bytes = call.bytes / l.per_domain;
  return t;
}

/// All-to-all and send-receive: messages between pairs, in the domain and outside it at the same time.
CollectiveTime pairs(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c, const Lay& l) {
  CollectiveTime t{.algorithm = CollectiveAlgorithm::point_to_point, .protocol = CollectiveProtocol::simple};
  constexpr std::size_t simple = 2;
  double net_hop = c.network_hop_us[ring_row][simple];
  if (g.transport == NetworkTransport::srd) net_hop = std::max(net_hop, c.srd_hop_us);
  net_hop += l.extra_hop_us;
  t.latency_us = c.base_us[ring_row][simple] + (g.domains > 1 ? net_hop : c.nvlink_hop_us[ring_row][simple]);
  double inside = 0.0, outside = 0.0;
  if (call.collective == Collective::send_receive) {
    (g.domains > 1 ? outside : inside) = call.bytes;
  } else {
    inside = call.bytes * (l.per_domain - 1) / l.n;
    outside = call.bytes * (l.n - l.per_domain) / l.n;
    // Every peer beyond the domain is a message to post.
    if (g.domains > 1) t.latency_us += (l.n - l.per_domain) * c.post_us;
  }
  t.transfer_us = std::max(inside > 0 ? inside / l.nvlink * 1e-3 : 0.0, outside > 0 ? outside / l.nic * 1e-3 : 0.0);
  t.scale_up_bytes = inside;
  t.network_bytes = outside;
  return t;
}

tl::expected<void, std::string> checked(const CollectiveCall& call, const CollectiveGroup& g) {
  const auto wrong = [](std::string sentence) { return tl::make_unexpected(std::move(sentence)); };
  if (g.ranks < 2 || g.ranks > 10'000'000) return wrong(fmt::format("ranks must be 2 to 10000000; it is {}", g.ranks));
  if (g.domains < 1 || g.domains > g.ranks)
    return wrong(fmt::format("domains must be 1 to the number of ranks, {}; it is {}", g.ranks, g.domains));
  if (!(call.bytes >= 0.0 && call.bytes <= 1e18))
    return wrong(fmt::format("bytes must be 0 to 1e18; it is {:g}", call.bytes));
  if (g.ranks > g.domains && !(g.scale_up_gb_s > 0.0 && g.scale_up_gb_s <= 1e6))
    return wrong(fmt::format("the scale-up rate must be above 0 and at most 1e6 GB/s where a domain holds several "
                             "ranks; it is {:g}",
                             g.scale_up_gb_s));
  if (g.domains > 1 && !(g.network_gb_s > 0.0 && g.network_gb_s <= 1e6))
    return wrong(
        fmt::format("the network rate must be above 0 and at most 1e6 GB/s where ranks lie in several domains; "
                    "it is {:g}",
                    g.network_gb_s));
  if (!(g.path_m >= 0.0 && g.path_m <= 1e5))
    return wrong(fmt::format("the path must be 0 to 100000 m long; it is {:g}", g.path_m));
  return {};
}

} // namespace

std::string_view algorithm_word(CollectiveAlgorithm a) {
  constexpr std::string_view words[] = {"ring", "tree", "NVLS", "NVLS tree", "CollNet direct", "point to point"};
  return words[static_cast<std::size_t>(a)];
}
std::string_view protocol_word(CollectiveProtocol p) {
  constexpr std::string_view words[] = {"LL", "LL128", "Simple"};
  return words[static_cast<std::size_t>(p)];
}
std::string_view path_tier_word(PathTier t) {
  constexpr std::string_view words[] = {"same node", "same domain", "same leaf", "spine", "core"};
  return words[static_cast<std::size_t>(t)];
}
Count switches_on_path(PathTier t) {
  constexpr Count switches[] = {0, 0, 1, 3, 5};
  return switches[static_cast<std::size_t>(t)];
}

double bus_factor(Collective c, Count ranks) {
  const auto n = static_cast<double>(ranks);
  switch (c) {
  case Collective::all_reduce:
    return 2.0 * (n - 1) / n;
  case Collective::all_gather:
  case Collective::reduce_scatter:
  case Collective::all_to_all:
    return (n - 1) / n;
  default:
    return 1.0;
  }
}

tl::expected<std::vector<CollectiveTime>, std::string>
collective_choices(const CollectiveCall& call, const CollectiveGroup& g, const CollectiveConstants& c) {
  if (auto ok = checked(call, g); !ok) return tl::make_unexpected(ok.error());
  const Lay l = lay_of(g, c);
  const bool across = g.domains > 1;
  std::vector<CollectiveTime> out;
  if (call.collective == Collective::all_to_all || call.collective == Collective::send_receive) {
    out.push_back(pairs(call, g, c, l));
  } else {
    for (auto p : {CollectiveProtocol::ll, CollectiveProtocol::ll128, CollectiveProtocol::simple}) {
      // LL128 relies on 128 bytes that arrive as they were sent; SRD does not promise that.
      if (p == CollectiveProtocol::ll128 && across && g.transport == NetworkTransport::srd) continue;
      out.push_back(ring(call, g, c, l, p));
      if (call.collective == Collective::all_reduce) out.push_back(tree(call, g, c, l, p));
    }
    const bool switches_reduce = g.generation != GpuGeneration::other && c.nvls_efficiency[l.generation] > 0.0 &&
                                 l.per_domain >= 3 && g.scale_up_gb_s > 0.0;
    if (call.collective == Collective::all_reduce) {
      if (switches_reduce) out.push_back(nvls(call, g, c, l, false));
      if (across && g.switch_reduction) {
        if (switches_reduce) out.push_back(nvls(call, g, c, l, true));
        out.push_back(collnet(call, g, c, l));
      }
    } else if (switches_reduce && !across && call.collective != Collective::broadcast) {
      out.push_back(nvls(call, g, c, l, false));
    }
  }
  const double software = c.call_us + (g.framework ? c.framework_us + (across ? c.framework_network_us : 0.0) : 0.0);
  std::erase_if(out, [&](const CollectiveTime& t) {
    return (call.algorithm && t.algorithm != *call.algorithm) || (call.protocol && t.protocol != *call.protocol);
  });
  if (out.empty())
    return tl::make_unexpected(
        fmt::format("{}{}{} cannot run {} on {} ranks in {} domains",
                    call.algorithm ? algorithm_word(*call.algorithm) : std::string_view("no algorithm"),
                    call.protocol ? " " : "", call.protocol ? protocol_word(*call.protocol) : std::string_view(),
                    ChoiceWords<Collective>::words[static_cast<std::size_t>(call.collective)], g.ranks, g.domains));
  for (CollectiveTime& t : out) {
    t.software_us = software;
    t.bus_gb_s = call.bytes / t.total_us() * 1e-3 * bus_factor(call.collective, g.ranks);
    t.wire_gb_s = t.network_bytes / t.total_us() * 1e-3;
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const CollectiveTime& a, const CollectiveTime& b) { return a.total_us() < b.total_us(); });
  return out;
}

tl::expected<CollectiveTime, std::string> collective_time(const CollectiveCall& call, const CollectiveGroup& group,
                                                          const CollectiveConstants& constants) {
  auto choices = collective_choices(call, group, constants);
  if (!choices) return tl::make_unexpected(choices.error());
  return choices->front();
}

} // namespace hallwright
