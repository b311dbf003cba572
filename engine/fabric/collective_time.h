// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/catalog.h"
#include "design/entities.h"

/// How long one collective call takes: NCCL's published cost model (latency of an algorithm and protocol plus bytes
/// over its bandwidth, the fastest of all), with the filling of chunk pipelines and the cost of a call beside it.
///
/// Every result is an estimate: a first-order model of a quiet machine. Times are in microseconds, rates in GB/s
/// (1e9 bytes per second) one way, sizes in bytes.
namespace hallwright {

enum class GpuGeneration : std::uint8_t { volta, ampere, hopper, blackwell, other };
enum class CollectiveAlgorithm : std::uint8_t { ring, tree, nvls, nvls_tree, collnet_direct, point_to_point };
enum class CollectiveProtocol : std::uint8_t { ll, ll128, simple };
/// RDMA with ordered delivery (InfiniBand, RoCE) or SRD, which delivers out of order (EFA): no LL128, longer hops.
enum class NetworkTransport : std::uint8_t { rdma, srd };
/// How far apart the ranks are: the highest tier that their traffic climbs to.
enum class PathTier : std::uint8_t { same_node, same_domain, same_leaf, spine, core };

std::string_view algorithm_word(CollectiveAlgorithm a); ///< "ring", "NVLS tree"
std::string_view protocol_word(CollectiveProtocol p);   ///< "LL", "LL128", "Simple"
std::string_view path_tier_word(PathTier t);            ///< "same leaf"
/// Switches that a message passes between two NICs: 0, 0, 1, 3, 5.
Count switches_on_path(PathTier t);

/// Constants of the model, from rows `collective.*` of the catalog: most are NCCL's own, the others say that they are
/// fitted, and what they mean.
struct CollectiveConstants {
  // By protocol (LL, LL128, Simple); first index 0: ring, 1: tree.
  std::array<std::array<double, 3>, 2> base_us{}, nvlink_hop_us{}, network_hop_us{};
  double nvls_us = 0, nvls_network_hop_us = 0, nvls_tree_network_hop_us = 0;
  double collnet_hop_us = 0, collnet_network_hop_us = 0;
  // By generation (Volta to Blackwell).
  std::array<double, 4> nvlink_share{};                 ///< of the line rate that a ring gets
  std::array<std::array<double, 3>, 4> ll_limit_gb_s{}; ///< on one, two, more domains
  std::array<std::array<double, 3>, 4> tree_channel_gb_s{};
  std::array<double, 4> nvls_efficiency{}; ///< 0: none
  std::array<double, 4> channels{};
  double nvls_shape = 0; ///< algorithm rate over bus rate
  double ll_ring_share = 0, ll_tree_share = 0, ll128_share = 0, ll128_tree_one_share = 0, tree_share = 0;
  double post_us = 0;   ///< of one network message at the host
  double nic_share = 0; ///< of the line rate of a NIC that payload gets
  // Fitted to measured series, each with a meaning.
  double call_us = 0;              ///< launch and end of a call
  double framework_us = 0;         ///< more when a framework calls it
  double framework_network_us = 0; ///< and when its ranks on several domains start behind a barrier
  double nvls_gain = 0;            ///< rate of in-switch reduction over NCCL's own estimate
  double nvls_sync_us_per_gpu = 0; ///< of each chunk step: all GPUs of a domain must have arrived
  double nvls_fill_steps = 0;      ///< chunk steps to fill the pipeline in a domain
  double network_fill_steps = 0;   ///< more for each level of the tree between domains
  double srd_hop_us = 0;
  double switch_us = 0; ///< a switch beyond the first on a path
  double delay_us_per_m = 0;
};
/// @return the constants, or a sentence that names the row that is missing
tl::expected<CollectiveConstants, std::string> collective_constants(const Catalog& catalog);

/// The ranks that call together, and what joins them. Ranks are spread evenly over their scale-up domains.
struct CollectiveGroup {
  Count ranks = 8;
  Count domains = 1;          ///< scale-up domains that they lie in
  double scale_up_gb_s = 450; ///< line rate of a GPU into its domain; 0: none
  double network_gb_s = 50;   ///< line rate of a GPU's NICs together; needed with more than one domain
  GpuGeneration generation = GpuGeneration::hopper;
  NetworkTransport transport = NetworkTransport::rdma;
  PathTier tier = PathTier::same_leaf; ///< of ranks in different domains
  double path_m = 0;                   ///< cable between the farthest ranks, one way; 0: not counted
  bool switch_reduction = false;       ///< network switches reduce too (CollNet, NVLS between domains)
  bool framework = false;              ///< called by a training framework, each call alone
};

/// `bytes`: at each rank for all-reduce, broadcast and send-receive; the whole result for all-gather, the whole input
/// for reduce-scatter and all-to-all, as nccl-tests counts them.
struct CollectiveCall {
  Collective collective = Collective::all_reduce;
  double bytes = 0;
  std::optional<CollectiveAlgorithm> algorithm; ///< not set: the fastest
  std::optional<CollectiveProtocol> protocol;
};

struct CollectiveTime {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
  double software_us = 0; ///< of the call
  double latency_us = 0;  ///< hops and the filling of pipelines
  double transfer_us = 0; ///< bytes over the rate
  [[nodiscard]] double total_us() const { return software_us + latency_us + transfer_us; }
  double bus_gb_s = 0;                          ///< bytes over total time, times the collective's bus factor
  double wire_gb_s = 0;                         ///< what each rank's NICs send meanwhile; 0 in one domain
  double network_bytes = 0, scale_up_bytes = 0; ///< that a rank sends
};

/// Bus factor of nccl-tests: 2 (n - 1) / n for all-reduce, (n - 1) / n for gather, scatter and all-to-all, else 1.
double bus_factor(Collective c, Count ranks);
/// Every algorithm and protocol that can run, fastest first. Errors name the field, the value and what is allowed.
tl::expected<std::vector<CollectiveTime>, std::string>
collective_choices(const CollectiveCall& call, const CollectiveGroup& group, const CollectiveConstants& constants);
/// The fastest of them.
tl::expected<CollectiveTime, std::string> collective_time(const CollectiveCall& call, const CollectiveGroup& group,
                                                          const CollectiveConstants& constants);

} // namespace hallwright
