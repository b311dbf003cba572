// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/link_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "fabric/rank_placement.h"

namespace hallwright {
namespace {

std::uint64_t flow_hash(std::uint64_t seed, std::uint64_t flow, std::uint64_t part) {
  RepeatableRandom random(seed * 0xD1342543DE82EF95ull + flow * 0xA24BAED4963EE407ull + part * 0x9FB21C651E98DF25ull);
  return random.next();
}

/// What all links of a group carry together, for paths that split evenly or go where there is room.
struct Pool {
  double capacity = 0;             ///< of its live links
  std::vector<DirectedLink> links; ///< live
};

/// The pools of a network: links up from a leaf, down to a leaf, up out of a pod and down into one, by plane.
class Pools {
public:
  Pools(const FabricPaths& paths, const LoadOptions& options) : paths_(paths), options_(options) {}

  /// Resource numbers of a flow in a plane; empty without a path.
  bool route(const NetworkFlow& flow, std::uint32_t plane, std::vector<std::uint32_t>& into) {
    into.clear();
    const Wiring& w = paths_.wiring();
    const std::uint32_t first = paths_.node_link(flow.from, plane, flow.from_link);
    const std::uint32_t last = paths_.node_link(flow.to, plane, flow.to_link);
    if (first == FabricPaths::no_link || last == FabricPaths::no_link || !paths_.alive(first) || !paths_.alive(last))
      return false;
    into.push_back(single(2 * first));
    const std::uint32_t leaf = w.links[first].far, to = w.links[last].far;
    if (leaf != to) {
      const WiredDevice &a = w.devices[leaf], &b = w.devices[to];
      // The pools say nothing of which switches meet; one path proves that some do.
      const auto [known, made] = joined_.try_emplace(static_cast<std::uint64_t>(leaf) << 32 | to, true);
      if (made) known->second = !paths_.path(flow, plane, 1, proof_).empty();
      if (!known->second) return false;
      into.push_back(of(leaf_up, leaf));
      if (a.pod != b.pod && w.first_core < w.devices.size()) {
        into.push_back(of(pod_up, static_cast<std::size_t>(a.pod) * paths_.planes() + plane));
        into.push_back(of(pod_down, static_cast<std::size_t>(b.pod) * paths_.planes() + plane));
      }
      into.push_back(of(leaf_down, to));
    }
    into.push_back(single(2 * last + 1));
    return true;
  }
  [[nodiscard]] const std::vector<Pool>& all() const { return pools_; }

private:
  /// Where a pool begins and ends: links up from a leaf, down to it, up from the spines of a pod and plane, down to
  /// them.
  enum Kind : std::uint8_t { leaf_up, leaf_down, pod_up, pod_down };
  double rate_of(std::uint32_t link) const {
    return paths_.wiring().links[link].kind == LinkClass::node_leaf ? options_.link_gb_s : options_.uplink_gb_s;
  }
  std::uint32_t single(DirectedLink link) {
    if (single_.empty()) single_.assign(paths_.wiring().links.size() * 2, none);
    if (single_[link] == none) {
      single_[link] = static_cast<std::uint32_t>(pools_.size());
      pools_.push_back({rate_of(link / 2), {link}});
    }
    return single_[link];
  }
  std::uint32_t of(Kind kind, std::size_t place) {
    std::vector<std::uint32_t>& known = known_[kind];
    if (place >= known.size()) known.resize(std::max(place + 1, paths_.wiring().devices.size()), none);
    if (known[place] == none) {
      known[place] = static_cast<std::uint32_t>(pools_.size());
      pools_.push_back(make(kind, static_cast<std::uint32_t>(place)));
    }
    return known[place];
  }
  void add(Pool& pool, std::uint32_t link, bool downwards) const {
    if (!paths_.alive(link)) return;
    pool.capacity += rate_of(link);
    pool.links.push_back(2 * link + (downwards ? 1 : 0));
  }
  Pool make(Kind kind, std::uint32_t place) const {
    const Wiring& w = paths_.wiring();
    Pool pool;
    if (kind == leaf_up || kind == leaf_down) {
      for (auto [i, end] = paths_.up_links(place); i < end; ++i)
        add(pool, i, kind == leaf_down);
      if (kind == leaf_down && options_.choice == PathChoice::equal_split)
        pool.capacity = std::min(pool.capacity, even_capacity(place));
    } else {
      const std::uint32_t plane = place % paths_.planes(), pod = place / paths_.planes();
      for (std::uint32_t s = w.first_spine; s < w.first_core; ++s)
        if (w.devices[s].plane == plane && w.devices[s].pod == pod)
          for (auto [i, end] = paths_.up_links(s); i < end; ++i)
            add(pool, i, kind == pod_down);
    }
    return pool;
  }
  /// What reaches a leaf when every spine sends it the same share of what the spine receives: the thinnest bundle,
  /// against what its spine receives from the other leafs, is full first.
  double even_capacity(std::uint32_t leaf) const {
    const Wiring& w = paths_.wiring();
    std::map<std::uint32_t, std::pair<double, double>> spines; // bundle to this leaf, links of others
    for (auto [i, end] = paths_.up_links(leaf); i < end; ++i)
      if (paths_.alive(i)) spines[w.links[i].far].first += rate_of(i);
    double whole = 0.0;
    for (auto& [spine, sums] : spines) {
      for (std::uint32_t l : paths_.down_links(spine))
        if (paths_.alive(l) && w.links[l].near != leaf) sums.second += rate_of(l);
      whole += sums.second;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [spine, sums] : spines)
      if (sums.second > 0) least = std::min(least, sums.first * whole / sums.second);
    return least;
  }

  const FabricPaths& paths_;
  const LoadOptions& options_;
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::vector<std::uint32_t> single_;   ///< pool of a directed link
  std::vector<std::uint32_t> known_[4]; ///< pool by kind and place
  std::vector<Pool> pools_;
  std::unordered_map<std::uint64_t, bool> joined_; ///< whether a pair of leafs meets
  std::vector<DirectedLink> proof_;
};

tl::expected<void, std::string> checked(const FabricPaths& paths, std::span<const NetworkFlow> flows,
                                        const LoadOptions& o) {
  if (o.flows_per_pair < 1 || o.flows_per_pair > 1024)
    return tl::make_unexpected(fmt::format("flows per pair must be 1 to 1024; it is {}", o.flows_per_pair));
  for (const auto& [name, rate] :
       {std::pair("the rate of node links", o.link_gb_s), std::pair("the rate of uplinks", o.uplink_gb_s)})
    if (!(rate > 0.0 && rate <= 1e6))
      return tl::make_unexpected(fmt::format("{} must be above 0 and at most 1e6 GB/s; it is {:g}", name, rate));
  if (flows.size() > 200'000'000 / static_cast<std::size_t>(o.flows_per_pair) / paths.planes())
    return tl::make_unexpected(fmt::format("{} flows with {} parts each are more than 200 million", flows.size(),
                                           o.flows_per_pair * static_cast<Count>(paths.planes())));
  for (const NetworkFlow& f : flows)
    if (f.from >= paths.wiring().first_leaf || f.to >= paths.wiring().first_leaf || !(f.bytes >= 0.0 && f.bytes < 1e24))
      return tl::make_unexpected(fmt::format("a flow from node {} to node {} of {:g} bytes; there are {} nodes",
                                             f.from + 1, f.to + 1, f.bytes, paths.wiring().first_leaf));
  return {};
}

void find_worst(LinkLoads& out, const Wiring& wiring, const LoadOptions& o) {
  for (DirectedLink l = 0; l < out.link_bytes.size(); ++l) {
    const double rate = wiring.links[l / 2].kind == LinkClass::node_leaf ? o.link_gb_s : o.uplink_gb_s;
    const double seconds = out.link_bytes[l] / (rate * 1e9);
    if (seconds <= out.worst_s) continue;
    out.worst = l;
    out.worst_s = seconds;
    out.worst_bytes = out.link_bytes[l];
  }
  if (out.worst != FabricPaths::no_link) out.worst_name = directed_link_name(wiring, out.worst);
}

} // namespace

ShareSpread spread_of(std::vector<double> shares) {
  ShareSpread s;
  if (shares.empty()) return s;
  std::sort(shares.begin(), shares.end());
  const auto at = [&](double p) {
    return shares[static_cast<std::size_t>(p * static_cast<double>(shares.size() - 1))];
  };
  s.mean = std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
  s.slowest = shares.front();
  s.p1 = at(0.01);
  s.p5 = at(0.05);
  s.p50 = at(0.5);
  return s;
}

std::string directed_link_name(const Wiring& wiring, DirectedLink link) {
  const WiredLink& l = wiring.links[link / 2];
  const bool back = link % 2 != 0;
  const bool level = l.kind == LinkClass::group_local || l.kind == LinkClass::group_global;
  return fmt::format("{} port {} {} {}", wiring.device_name(back ? l.far : l.near), back ? l.far_port : l.near_port,
                     level  ? "to"
                     : back ? "down to"
                            : "up to",
                     wiring.device_name(back ? l.near : l.far));
}

tl::expected<LinkLoads, std::string> link_loads(const FabricPaths& paths, std::span<const NetworkFlow> flows,
                                                const LoadOptions& o, const std::stop_token& stop) {
  if (auto ok = checked(paths, flows, o); !ok) return tl::make_unexpected(ok.error());
  const Wiring& wiring = paths.wiring();
  LinkLoads out;
  out.link_bytes.assign(wiring.links.size() * 2, 0.0);
  out.share.assign(flows.size(), 0.0);
  const std::uint32_t planes = paths.planes();
  // A dragonfly has no two-sided pools; there equal split and spray are many hashed parts.
  const bool level =
      !wiring.of_class(LinkClass::group_local).empty() || !wiring.of_class(LinkClass::group_global).empty();
  const bool hashed = o.choice == PathChoice::hashed || level;
  const auto parts =
      static_cast<std::uint32_t>(!hashed                          ? 1
                                 : o.choice == PathChoice::hashed ? o.flows_per_pair
                                                                  : std::max<Count>(64, o.flows_per_pair));
  // Flows of one node follow each other: what they touch is near.
  std::vector<std::uint32_t> order(flows.size());
  {
    std::vector<std::uint32_t> at(wiring.first_leaf + std::size_t{1}, 0);
    for (const NetworkFlow& f : flows)
      ++at[f.from + 1];
    for (std::size_t n = 1; n < at.size(); ++n)
      at[n] += at[n - 1];
    for (std::uint32_t f = 0; f < flows.size(); ++f)
      order[at[flows[f].from]++] = f;
  }
  FairShareProblem problem;
  problem.first.reserve(flows.size() * planes * parts + 1);
  std::vector<std::uint32_t> route;
  if (hashed) {
    problem.link.reserve(flows.size() * planes * parts * 6);
    problem.capacity.resize(out.link_bytes.size());
    for (std::size_t l = 0; l < out.link_bytes.size(); ++l)
      problem.capacity[l] = wiring.links[l / 2].kind == LinkClass::node_leaf ? o.link_gb_s : o.uplink_gb_s;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if ((i & 0xFFF) == 0 && stop.stop_requested()) {
        out.stopped = true;
        return out;
      }
      const std::size_t f = order[i];
      for (std::uint32_t plane = 0; plane < planes; ++plane)
        for (std::uint32_t part = 0; part < parts; ++part) {
          for (DirectedLink l : paths.path(flows[f], plane, flow_hash(o.seed, f, plane * 4096 + part), route)) {
            problem.link.push_back(l);
            out.link_bytes[l] += flows[f].bytes / planes / parts;
          }
          problem.first.push_back(static_cast<std::uint32_t>(problem.link.size()));
        }
    }
  } else {
    Pools pools(paths, o);
    std::vector<double> pool_bytes;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if ((i & 0xFFF) == 0 && stop.stop_requested()) {
        out.stopped = true;
        return out;
      }
      const std::size_t f = order[i];
      for (std::uint32_t plane = 0; plane < planes; ++plane) {
        if (pools.route(flows[f], plane, route)) {
          pool_bytes.resize(pools.all().size(), 0.0);
          for (std::uint32_t r : route) {
            problem.link.push_back(r);
            pool_bytes[r] += flows[f].bytes / planes;
          }
        }
        problem.first.push_back(static_cast<std::uint32_t>(problem.link.size()));
      }
    }
    pool_bytes.resize(pools.all().size(), 0.0);
    for (std::size_t p = 0; p < pools.all().size(); ++p) {
      const Pool& pool = pools.all()[p];
      problem.capacity.push_back(pool.capacity);
      for (DirectedLink l : pool.links)
        out.link_bytes[l] += pool_bytes[p] / static_cast<double>(pool.links.size());
    }
  }
  const std::vector<double> rates = max_min_rates(problem, 0.0, stop);
  if (rates.size() + 1 != problem.first.size()) {
    out.stopped = true;
    return out;
  }
  // A pair is done when the slowest of its equal parts is.
  const std::size_t per_flow = static_cast<std::size_t>(planes) * parts;
  for (std::size_t n = 0; n < order.size(); ++n) {
    double slowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = n * per_flow; i < (n + 1) * per_flow; ++i)
      slowest = std::min(slowest, rates[i]);
    double& share = out.share[order[n]];
    share = slowest * static_cast<double>(parts) / o.link_gb_s;
    if (share <= 0.0) ++out.without_path;
  }
  out.spread = spread_of(out.share);
  find_worst(out, wiring, o);
  return out;
}

tl::expected<SeedSpread, std::string> loads_over_seeds(const FabricPaths& paths, std::span<const NetworkFlow> flows,
                                                       LoadOptions options, Count seeds, const std::stop_token& stop) {
  if (seeds < 1 || seeds > 10'000) return tl::make_unexpected(fmt::format("seeds must be 1 to 10000; it is {}", seeds));
  SeedSpread out;
  for (Count s = 0; s < seeds && !stop.stop_requested(); ++s, ++options.seed) {
    const auto loads = link_loads(paths, flows, options, stop);
    if (!loads) return tl::make_unexpected(loads.error());
    if (loads->stopped) break;
    const double n = static_cast<double>(++out.seeds);
    const auto into = [n](double& mean, double value) { mean += (value - mean) / n; };
    into(out.mean.mean, loads->spread.mean);
    into(out.mean.slowest, loads->spread.slowest);
    into(out.mean.p1, loads->spread.p1);
    into(out.mean.p5, loads->spread.p5);
    into(out.mean.p50, loads->spread.p50);
    out.slowest_of_all = std::min(out.slowest_of_all, loads->spread.slowest);
    out.longest_s = std::max(out.longest_s, loads->worst_s);
  }
  return out;
}

ShareSpread hash_spread(Count flows, Count uplinks, Count flows_per_pair, Count draws, std::uint64_t seed) {
  ShareSpread sum;
  if (flows < 1 || uplinks < 1 || flows_per_pair < 1 || draws < 1) return sum;
  RepeatableRandom random(seed);
  std::vector<Count> load(static_cast<std::size_t>(uplinks));
  std::vector<std::uint32_t> link(static_cast<std::size_t>(flows * flows_per_pair));
  std::vector<double> shares(static_cast<std::size_t>(flows));
  for (Count d = 0; d < draws; ++d) {
    std::fill(load.begin(), load.end(), 0);
    for (std::uint32_t& l : link) {
      l = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(uplinks)));
      ++load[l];
    }
    for (std::size_t f = 0; f < shares.size(); ++f) {
      Count most = 1;
      for (std::size_t p = 0; p < static_cast<std::size_t>(flows_per_pair); ++p)
        most = std::max(most, load[link[f * static_cast<std::size_t>(flows_per_pair) + p]]);
      shares[f] = std::min(1.0, static_cast<double>(flows_per_pair) / static_cast<double>(most));
    }
    const ShareSpread s = spread_of(shares);
    sum.mean += s.mean;
    sum.slowest += s.slowest;
    sum.p1 += s.p1;
    sum.p5 += s.p5;
    sum.p50 += s.p50;
  }
  const double n = static_cast<double>(draws);
  return {.mean = sum.mean / n, .slowest = sum.slowest / n, .p1 = sum.p1 / n, .p5 = sum.p5 / n, .p50 = sum.p50 / n};
}

tl::expected<Wiring, std::string> with_crossed_cables(const Wiring& wiring, std::uint32_t link, std::uint32_t other) {
  if (link >= wiring.links.size() || other >= wiring.links.size() || link == other)
    return tl::make_unexpected(fmt::format("two different links from 0 to {} must cross; they are {} and {}",
                                           wiring.links.empty() ? 0 : wiring.links.size() - 1, link, other));
  if (wiring.links[link].kind != wiring.links[other].kind)
    return tl::make_unexpected(fmt::format("only links of one class can cross; these are {} and {}",
                                           link_class_word(wiring.links[link].kind),
                                           link_class_word(wiring.links[other].kind)));
  Wiring out = wiring;
  std::swap(out.links[link].far, out.links[other].far);
  std::swap(out.links[link].far_port, out.links[other].far_port);
  out.index_links();
  return out;
}

StepPrice step_price(const LinkLoads& right, const LinkLoads& wrong) {
  return {.right_s = right.worst_s,
          .wrong_s = wrong.worst_s,
          .right_worst = right.worst_name,
          .wrong_worst = wrong.worst_name};
}

} // namespace hallwright
