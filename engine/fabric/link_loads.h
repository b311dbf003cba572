// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "design/entities.h"
#include "fabric/wiring.h"

/// Loads of links: flows between nodes laid on the paths of a wired network and shared by max-min fairness, the rates
/// that fair queues settle at in a fluid model. Rates are in GB/s one way; each link counts as two, up and down.
namespace hallwright {

// --- max-min fairness on any set of links ---------------------------------------------------------------------------

/// Flow f uses links `link[first[f]]` to `link[first[f + 1] - 1]`, each at most once.
struct FairShareProblem {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> link;
  std::vector<double> capacity; ///< by link, zero or more
};
/// Rate of each flow by progressive filling: rates rise together until a link is full, its flows stop, and so on. Flows
/// without links get `unlimited`.
/// @param stop when requested, an empty list comes back
std::vector<double> max_min_rates(const FairShareProblem& problem, double unlimited, const std::stop_token& stop = {});

// --- paths of a wired network ---------------------------------------------------------------------------------------

/// Traffic of one step between two nodes, by the n-th link of each to the network (counted from 0 in every plane);
/// with rails that is the rail. It spreads evenly over the planes.
struct NetworkFlow {
  std::uint32_t from = 0, to = 0;
  std::uint16_t from_link = 0, to_link = 0;
  double bytes = 0;
};

/// A link in one direction: 2 link + 0 from near to far (up), + 1 back (down).
using DirectedLink = std::uint32_t;

/// Where paths may go, made once from a wiring; keeps a reference to it.
class FabricPaths {
public:
  explicit FabricPaths(const Wiring& wiring);
  [[nodiscard]] const Wiring& wiring() const { return wiring_; }
  [[nodiscard]] std::uint32_t planes() const { return planes_; }
  /// Takes links out; `dead` has one entry a link. Empty: none.
  void take_out(std::vector<bool> dead) { dead_ = std::move(dead); }
  [[nodiscard]] bool alive(std::uint32_t link) const { return dead_.empty() || !dead_[link]; }

  /// Link of a node by its number in a plane; none: `no_link`.
  [[nodiscard]] std::uint32_t node_link(std::uint32_t node, std::uint32_t plane, std::uint32_t number) const;
  /// One path for the hash of a flow, shortest first, round what is dead. Empty: there is none.
  /// A path holds at most seven links.
  [[nodiscard]] std::span<const DirectedLink> path(const NetworkFlow& flow, std::uint32_t plane, std::uint64_t hash,
                                                   std::vector<DirectedLink>& into) const;
  /// Links up from a switch or node, as a range of link numbers.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> up_links(std::uint32_t device) const {
    return {up_first_[device], up_first_[device] + up_count_[device]};
  }
  /// Links down from a switch, by pod and number of the device below.
  [[nodiscard]] std::span<const std::uint32_t> down_links(std::uint32_t device) const {
    return std::span(down_link_).subspan(down_first_[device], down_first_[device + 1] - down_first_[device]);
  }
  static constexpr std::uint32_t no_link = 0xFFFFFFFFu;

private:
  [[nodiscard]] std::uint32_t pick_down(std::uint32_t from, std::uint32_t to, std::uint64_t hash) const;
  [[nodiscard]] bool climb(std::uint32_t leaf, std::uint32_t to, std::uint64_t hash,
                           std::vector<DirectedLink>& into) const;
  [[nodiscard]] bool dragonfly_path(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                                    std::vector<DirectedLink>& into) const;
  [[nodiscard]] bool local_hop(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                               std::vector<DirectedLink>& into) const;
  const Wiring& wiring_;
  std::uint32_t planes_ = 1, pods_ = 1;
  bool dragonfly_ = false;
  std::vector<bool> dead_;
  std::vector<std::uint32_t> up_first_, up_count_;      ///< by device; links stand in order of their near device
  std::vector<std::uint32_t> down_first_, down_link_;   ///< by device
  std::vector<std::uint32_t> far_, down_near_, pod_of_; ///< of a link, of an entry of `down_link_`, of a device
  std::vector<std::uint32_t> node_first_, node_link_;   ///< by node and plane
  std::vector<std::uint32_t> pod_first_;                ///< by core and pod: into its links down
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> local_, global_; ///< dragonfly
};

// --- loads ----------------------------------------------------------------------------------------------------------

struct LoadOptions {
  PathChoice choice = PathChoice::hashed;
  Count flows_per_pair = 1;                ///< 1 to 1024; each hashed alone, with its part of the bytes
  std::uint64_t seed = 1;                  ///< of the hash
  double link_gb_s = 50, uplink_gb_s = 50; ///< of a node's link, of a link between switches
};

/// How the rates of flows spread, as shares of the rate of a node's link.
struct ShareSpread {
  double mean = 0, slowest = 0, p1 = 0, p5 = 0, p50 = 0;
};
ShareSpread spread_of(std::vector<double> shares);

struct LinkLoads {
  std::vector<double> share;      ///< of each flow, over all planes; its slowest part counts. 0: no path
  std::vector<double> link_bytes; ///< by directed link
  ShareSpread spread;
  Count without_path = 0;                    ///< flows
  DirectedLink worst = FabricPaths::no_link; ///< that needs longest for its bytes
  double worst_bytes = 0, worst_s = 0;
  std::string worst_name; ///< "leaf 3 port 33 up to spine 1", empty when nothing flows
  bool stopped = false;
};
/// Lays all flows on their paths and shares the links. Hashed: one path a flow by its hash. Equal split: each flow
/// evenly over all uplinks; a bundle that is thinner than others holds its leaf back. Packet spray: where there is
/// room, which is the most that the wires allow.
/// @return the loads, or a sentence when an option or a flow is out of range
tl::expected<LinkLoads, std::string> link_loads(const FabricPaths& paths, std::span<const NetworkFlow> flows,
                                                const LoadOptions& options, const std::stop_token& stop = {});

/// "leaf 3 port 33 up to spine 1": the end that sends, its port, and where to.
std::string directed_link_name(const Wiring& wiring, DirectedLink link);

/// Hashed loads with several seeds: each figure's mean over them, and the worst seed.
struct SeedSpread {
  ShareSpread mean;
  double slowest_of_all = 1, longest_s = 0;
  Count seeds = 0;
};
tl::expected<SeedSpread, std::string> loads_over_seeds(const FabricPaths& paths, std::span<const NetworkFlow> flows,
                                                       LoadOptions options, Count seeds,
                                                       const std::stop_token& stop = {});

/// One switch whose flows are hashed on its uplinks, as often as `draws`: a flow gets 1 / (flows on its most loaded
/// link). Quick figures for a check; `link_loads` has the whole network.
/// @return mean flow, and the mean of the slowest flow of each draw
ShareSpread hash_spread(Count flows, Count uplinks, Count flows_per_pair, Count draws = 2000, std::uint64_t seed = 1);

// --- what a mistake costs -------------------------------------------------------------------------------------------

/// A copy in which two links of one class have exchanged their far ends, as two plugs that went the wrong way.
tl::expected<Wiring, std::string> with_crossed_cables(const Wiring& wiring, std::uint32_t link, std::uint32_t other);

/// Time that the bytes of a step take on the worst link, right and wrong.
struct StepPrice {
  double right_s = 0, wrong_s = 0;
  std::string right_worst, wrong_worst; ///< links
  [[nodiscard]] double extra_s() const { return wrong_s - right_s; }
};
StepPrice step_price(const LinkLoads& right, const LinkLoads& wrong);

} // namespace hallwright
