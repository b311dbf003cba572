// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/as_built_rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "fabric/as_built_names.h"
#include "project/found_links_table.h"

namespace hallwright {
namespace {

using as_built::NamePattern;
using as_built::Position;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Numbers of ports where a dump names them: "swp12" is 12 when all names of its kind hold one number.
class PortNumbers {
public:
  explicit PortNumbers(const FoundLinks& found) : numbers_(found.port_names.size(), -1) {
    for (std::size_t i = 1; i < found.port_names.size(); ++i) {
      const std::string& name = found.port_names[i];
      std::size_t begin = 0;
      while (begin < name.size() && !(name[begin] >= '0' && name[begin] <= '9'))
        ++begin;
      if (begin == name.size() || name.size() - begin > 5) continue;
      std::int32_t n = 0;
      bool whole = true;
      for (std::size_t k = begin; k < name.size(); ++k) {
        whole &= name[k] >= '0' && name[k] <= '9';
        n = n * 10 + (name[k] - '0');
      }
      if (whole) numbers_[i] = n;
    }
  }
  [[nodiscard]] std::int32_t operator()(PortKey port) const {
    return port & named_port ? numbers_[port & ~named_port] : static_cast<std::int32_t>(port);
  }

private:
  std::vector<std::int32_t> numbers_;
};

struct Between {
  std::uint32_t lower = 0, upper = 0; // devices
  std::int32_t lower_port = 0, upper_port = 0;
};

/// One side's ports as sums: which device each port leads to, by vote, and what follows.
struct Side {
  BundlePorts sum;
  int copies = 0;
  std::map<std::uint32_t, std::int32_t> index; // device -> index from 0
  bool fits = false;
};

template <class Map>
auto most_voted(const Map& votes) {
  return std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// Ports of the devices on one side lead to devices of the other. `base_one`: count from port 1 where that fits.
Side fit_side(const std::map<std::int32_t, std::map<std::uint32_t, int>>& votes, bool base_one) {
  Side out;
  std::map<std::uint32_t, std::vector<std::int32_t>> ports;
  for (const auto& [port, by] : votes) {
    int sum = 0;
    for (const auto& [device, n] : by)
      sum += n;
    const auto best = most_voted(by);
    if (best->second * 2 > sum) ports[best->first].push_back(port);
  }
  if (ports.empty()) return out;
  std::map<int, int> sizes;
  for (const auto& [device, list] : ports)
    ++sizes[static_cast<int>(list.size())];
  out.copies = most_voted(sizes)->first;
  std::map<std::int32_t, int> copy_steps, steps;
  std::vector<std::pair<std::int32_t, std::uint32_t>> starts;
  for (const auto& [device, list] : ports) {
    if (static_cast<int>(list.size()) == out.copies) {
      starts.emplace_back(list.front(), device);
      for (std::size_t i = 1; i < list.size(); ++i)
        ++copy_steps[list[i] - list[i - 1]];
    }
  }
  std::sort(starts.begin(), starts.end());
  out.sum.copy_stride = copy_steps.empty() ? 1 : most_voted(copy_steps)->first;
  for (std::size_t i = 1; i < starts.size(); ++i)
    ++steps[starts[i].first - starts[i - 1].first];
  out.sum.stride = steps.empty() ? out.copies : most_voted(steps)->first;
  if (out.sum.stride <= 0) return out;
  std::map<std::int32_t, int> residues;
  for (const auto& [start, device] : starts)
    ++residues[start % out.sum.stride];
  const std::int32_t residue = most_voted(residues)->first;
  out.sum.first = 0;
  for (const auto& [start, device] : starts)
    if (start % out.sum.stride == residue) {
      out.sum.first = start;
      break;
    }
  if (base_one && (out.sum.first - 1) % out.sum.stride == 0) out.sum.first = 1;
  // A device with some ports outvoted is placed by those that it has.
  std::size_t placed = 0;
  for (const auto& [device, list] : ports) {
    std::map<std::int32_t, int> at;
    for (std::int32_t port : list)
      for (int copy = 0; copy < out.copies; ++copy) {
        const std::int32_t rest = port - out.sum.first - out.sum.copy_stride * copy;
        if (rest >= 0 && rest % out.sum.stride == 0) ++at[rest / out.sum.stride];
      }
    if (at.empty()) continue;
    const auto best = most_voted(at);
    out.index[device] = best->first;
    placed += best->second * 2 >= static_cast<int>(list.size());
  }
  // No two devices at one index.
  std::set<std::int32_t> used;
  bool twice = false;
  for (const auto& [device, i] : out.index)
    twice |= !used.insert(i).second;
  out.fits = !twice && placed * 10 >= ports.size() * 8;
  return out;
}

/// A part of the network in which two tiers are joined, and its rule.
struct Fit {
  Side lower, upper;        // lower: ports of the lower tier, indexed by upper devices; upper the other way round
  std::vector<int> copy_of; // copy at the upper end for each at the lower end
  std::size_t obeying = 0, links = 0;
  bool ok = false;
};

Fit fit_part(const std::vector<Between>& links) {
  Fit out;
  out.links = links.size();
  std::map<std::int32_t, std::map<std::uint32_t, int>> lower, upper;
  std::set<std::uint32_t> lowers, uppers;
  for (const Between& b : links) {
    ++lower[b.lower_port][b.upper];
    ++upper[b.upper_port][b.lower];
    lowers.insert(b.lower);
    uppers.insert(b.upper);
  }
  if (links.size() < 8 || lowers.size() < 3 || uppers.size() < 3) return out;
  out.lower = fit_side(lower, false);
  out.upper = fit_side(upper, true);
  if (!out.lower.fits || !out.upper.fits || out.lower.copies != out.upper.copies) return out;
  const int copies = out.lower.copies;
  std::vector<std::map<int, int>> pairs(static_cast<std::size_t>(copies));
  const auto copy_at = [&](const Side& side, std::uint32_t device, std::int32_t port) {
    const auto at = side.index.find(device);
    if (at != side.index.end())
      for (int i = 0; i < copies; ++i)
        if (side.sum.port(at->second, i) == port) return i;
    return -1;
  };
  for (const Between& b : links) {
    const int i = copy_at(out.lower, b.upper, b.lower_port), j = copy_at(out.upper, b.lower, b.upper_port);
    if (i >= 0 && j >= 0) ++pairs[static_cast<std::size_t>(i)][j];
  }
  std::set<int> taken;
  for (int i = 0; i < copies; ++i) {
    if (pairs[static_cast<std::size_t>(i)].empty()) return out;
    out.copy_of.push_back(most_voted(pairs[static_cast<std::size_t>(i)])->first);
    if (!taken.insert(out.copy_of.back()).second) return out;
  }
  for (const Between& b : links) {
    const int i = copy_at(out.lower, b.upper, b.lower_port), j = copy_at(out.upper, b.lower, b.upper_port);
    out.obeying += i >= 0 && j >= 0 && out.copy_of[static_cast<std::size_t>(i)] == j;
  }
  const std::size_t asked = out.lower.index.size() * out.upper.index.size() * static_cast<std::size_t>(copies);
  out.ok = out.obeying * 4 >= links.size() * 3 && out.obeying * 10 >= asked * 6;
  return out;
}

/// Devices that hang together.
class JoinedDevices {
public:
  /// The device that stands for all that hang together with `d`.
  std::uint32_t root(std::uint32_t d) {
    parent_.emplace(d, d);
    while (parent_[d] != d)
      d = parent_[d] = parent_[parent_[d]];
    return d;
  }
  /// Joins both; what stood for those of `b` stands for all.
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t to = root(b);
    parent_[root(a)] = to;
  }

private:
  std::map<std::uint32_t, std::uint32_t> parent_;
};

class Inference {
public:
  explicit Inference(const FoundLinks& found) : found_(found), number_(found), tier_(found_tiers(found)) {}

  tl::expected<InferredRule, std::string> run() {
    collect();
    if (leafs_.empty())
      return tl::make_unexpected(std::string("no rule can be inferred: no switch with hosts was found"));
    join_tiers();
    if (parts_.empty() && leafs_.size() < 3)
      return tl::make_unexpected(fmt::format("no rule can be inferred from {} switches and {} links: at least 3 leafs "
                                             "and 3 spines with 8 links between them are needed; give a plan",
                                             leafs_.size() + upper_count_, found_.links.size()));
    bool fitted = false;
    for (const Fit& f : parts_)
      fitted |= f.ok;
    if (!parts_.empty() && !fitted)
      return tl::make_unexpected(fmt::format("no rule can be inferred: fewer than 3 in 4 of the {} links between "
                                             "switches obey one sum over ports; give a plan",
                                             between_count_));
    order_leafs();
    group_leafs();
    node_ports();
    if (leafs_.size() >= 3 && ports_of_nodes_.empty() && !fitted)
      return tl::make_unexpected(
          std::string("no rule can be inferred: hosts sit on other ports at each leaf; give a plan"));
    learn_names();
    make_plan();
    write_line();
    return std::move(out_);
  }

private:
  // --- what is there --------------------------------------------------------------------------------------------
  void collect() {
    for (std::uint32_t d = 0; d < found_.devices.size(); ++d) {
      if (tier_[d] == 1) leafs_.push_back(d);
      if (tier_[d] >= 2) ++upper_count_;
    }
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      const FoundLink& l = found_.links[i];
      for (bool turn : {false, true}) {
        const std::uint32_t s = turn ? l.far : l.near, h = turn ? l.near : l.far;
        const PortKey p = turn ? l.far_port : l.near_port;
        if (tier_[s] >= 1 && tier_[h] == 0 && number_(p) > 0) host_at_[s].emplace(number_(p), std::pair(h, i));
        if (tier_[s] >= 1 && number_(p) >= 0) key_of_[tier_[s]].emplace(number_(p), p);
      }
    }
  }

  /// Parts between two neighbouring tiers, each with its own vote.
  void join_tiers() {
    for (int low : {1, 2}) {
      JoinedDevices joined;
      std::vector<Between> all;
      for (const FoundLink& l : found_.links) {
        const bool turn = tier_[l.near] == low + 1 && tier_[l.far] == low;
        if (!turn && !(tier_[l.near] == low && tier_[l.far] == low + 1)) continue;
        Between b{turn ? l.far : l.near, turn ? l.near : l.far, number_(turn ? l.far_port : l.near_port),
                  number_(turn ? l.near_port : l.far_port)};
        if (b.lower_port < 0 || b.upper_port < 0) continue;
        all.push_back(b);
        joined.join(b.lower, b.upper);
      }
      std::map<std::uint32_t, std::vector<Between>> by_part;
      for (const Between& b : all)
        by_part[joined.root(b.lower)].push_back(b);
      between_count_ += all.size();
      for (const auto& [r, links] : by_part) {
        Fit f = fit_part(links);
        if (links.size() < 8) continue;
        parts_.push_back(std::move(f));
        part_tier_.push_back(low);
      }
    }
  }

  void order_leafs() {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].ok && part_tier_[p] == 1)
        for (const auto& [leaf, i] : parts_[p].upper.index) {
          leaf_index_[leaf] = i;
          leaf_part_[leaf] = p;
        }
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].ok && part_tier_[p] == 1) pod_of_part_.emplace(p, static_cast<std::int32_t>(pod_of_part_.size()));
  }
  [[nodiscard]] std::int32_t pod_count() const { return static_cast<std::int32_t>(pod_of_part_.size()); }
  /// Parts of leafs and spines are pods; racks count on through them.
  [[nodiscard]] std::int32_t pod_of(std::uint32_t leaf) const { return pod_of_part_.at(leaf_part_.at(leaf)); }

  // --- which leafs share nodes ----------------------------------------------------------------------------------
  void group_leafs() {
    JoinedDevices joined;
    // By names: a node's adapters sit on the leafs of its rails.
    std::map<std::string, std::vector<std::uint32_t>> leafs_of_name;
    std::map<std::uint32_t, std::vector<std::uint32_t>> leafs_of_system;
    std::map<std::uint32_t, std::vector<std::uint32_t>> leafs_of_device;
    for (std::uint32_t leaf : leafs_)
      for (const auto& [port, at] : host_at_[leaf]) {
        const FoundDevice& h = found_.devices[at.first];
        if (!says_nothing(h.name))
          leafs_of_name[h.name].push_back(leaf);
        else
          leafs_of_device[at.first].push_back(leaf);
      }
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> shared;
    const auto count_pairs = [&](std::vector<std::uint32_t>& leafs) {
      std::sort(leafs.begin(), leafs.end());
      leafs.erase(std::unique(leafs.begin(), leafs.end()), leafs.end());
      if (leafs.size() > 64) return;
      for (std::size_t a = 0; a < leafs.size(); ++a)
        for (std::size_t b = a + 1; b < leafs.size(); ++b)
          ++shared[{leafs[a], leafs[b]}];
    };
    for (auto& [name, leafs] : leafs_of_name)
      count_pairs(leafs);
    for (auto& [device, leafs] : leafs_of_device)
      count_pairs(leafs);
    const auto hosts = [&](std::uint32_t leaf) { return static_cast<int>(host_at_[leaf].size()); };
    bool by_name = false;
    for (const auto& [pair, n] : shared)
      if (n >= 3 && n * 4 >= std::min(hosts(pair.first), hosts(pair.second))) {
        joined.join(pair.first, pair.second);
        by_name = true;
      }
    if (!by_name) group_by_identity(joined);
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t leaf : leafs_)
      groups[joined.root(leaf)].push_back(leaf);
    std::size_t most = 0;
    for (const auto& [r, g] : groups)
      most = std::max(most, g.size());
    rails_ = most >= 2 ? static_cast<int>(most) : 0;
    if (rails_ && !place_in_groups(groups)) rails_ = 0;
    if (rails_ && !by_name) widen_by_lids();
    if (!rails_) {
      // Each leaf for itself: its index is its rack.
      racks_ = 0;
      for (const auto& [leaf, i] : leaf_index_)
        racks_ = std::max(racks_, i + 1);
      std::int32_t next = pod_count() * racks_;
      for (std::uint32_t leaf : leafs_) {
        const auto at = leaf_index_.find(leaf);
        position_[leaf] = {at != leaf_index_.end() ? at->second + pod_of(leaf) * racks_ : next++, 0};
      }
    }
  }

  /// Adapters of one board have identities a small constant step apart, at the same port of two leafs.
  void group_by_identity(JoinedDevices& joined) {
    for (std::size_t a = 0; a < leafs_.size(); ++a)
      for (std::size_t b = a + 1; b < leafs_.size(); ++b) {
        std::map<std::int64_t, int> steps;
        int both = 0;
        for (const auto& [port, at] : host_at_[leafs_[a]]) {
          const auto other = host_at_[leafs_[b]].find(port);
          if (other == host_at_[leafs_[b]].end()) continue;
          const std::uint64_t x = found_.devices[at.first].guid, y = found_.devices[other->second.first].guid;
          if (!x || !y) continue;
          ++both;
          const auto step = static_cast<std::int64_t>(y - x);
          if (step != 0 && std::abs(step) <= 64) ++steps[step];
        }
        if (both >= 3 && !steps.empty() && most_voted(steps)->second * 10 >= both * 6)
          joined.join(leafs_[a], leafs_[b]);
      }
  }

  /// Rack and rail of each leaf. Leafs of a rack are neighbours in order, or stand as far apart as there are racks.
  bool place_in_groups(const std::map<std::uint32_t, std::vector<std::uint32_t>>& groups) {
    if (leaf_index_.size() != leafs_.size()) return place_without_order(groups);
    const std::int32_t g = rails_;
    bool neighbours = true, apart = true;
    std::int32_t highest = 0;
    for (const auto& [leaf, i] : leaf_index_)
      highest = std::max(highest, i);
    const std::int32_t racks = (highest + g) / g;
    for (const auto& [r, leafs] : groups) {
      for (std::uint32_t leaf : leafs) {
        if (leaf_part_[leaf] != leaf_part_[leafs.front()]) return false;
        neighbours &= leaf_index_[leaf] / g == leaf_index_[leafs.front()] / g;
        apart &= leaf_index_[leaf] % racks == leaf_index_[leafs.front()] % racks;
      }
    }
    if (!neighbours && !apart) return false;
    rails_apart_ = !neighbours;
    for (const auto& [leaf, i] : leaf_index_) {
      position_[leaf] = neighbours ? std::pair(i / g, i % g) : std::pair(i % racks, i / racks);
      position_[leaf].first += pod_of(leaf) * racks;
    }
    racks_ = racks;
    return true;
  }
  /// Without spines (rail-only) rails are told apart by the adapters' names, else by the order of the dump.
  bool place_without_order(const std::map<std::uint32_t, std::vector<std::uint32_t>>& groups) {
    std::int32_t rack = 0;
    for (const auto& [r, leafs] : groups) {
      std::vector<std::pair<std::string, std::uint32_t>> by_adapter;
      for (std::uint32_t leaf : leafs) {
        std::map<std::string, int> votes;
        for (const auto& [port, at] : host_at_[leaf])
          ++votes[found_.devices[at.first].adapter];
        by_adapter.emplace_back(votes.empty() ? std::string() : most_voted(votes)->first, leaf);
      }
      std::sort(by_adapter.begin(), by_adapter.end());
      for (std::size_t i = 0; i < by_adapter.size(); ++i)
        position_[by_adapter[i].second] = {rack, static_cast<std::int32_t>(i)};
      ++rack;
    }
    racks_ = rack;
    return true;
  }

  /// Without names boards tell only which leafs share a board. Adapters of a node that came up together have near LIDs:
  /// where leafs that follow each other are near in LIDs, they share nodes; where a rack ends, the LIDs jump.
  void widen_by_lids() {
    if (rails_apart_ || leaf_index_.size() != leafs_.size() || pod_count() > 1) return;
    std::map<std::int32_t, std::uint32_t> by_index;
    for (const auto& [leaf, i] : leaf_index_)
      by_index[i] = leaf;
    std::map<std::int32_t, double> jump; // between index - 1 and index
    for (auto a = by_index.begin(); a != by_index.end(); ++a) {
      const auto b = std::next(a);
      if (b == by_index.end() || b->first != a->first + 1) continue;
      std::vector<double> gaps;
      for (const auto& [port, at] : host_at_[a->second]) {
        const auto other = host_at_[b->second].find(port);
        if (other == host_at_[b->second].end()) continue;
        const double x = found_.devices[at.first].lid, y = found_.devices[other->second.first].lid;
        if (x > 0 && y > 0) gaps.push_back(std::abs(x - y));
      }
      if (gaps.size() < 3) continue;
      std::sort(gaps.begin(), gaps.end());
      jump[b->first] = std::log(1.0 + gaps[gaps.size() / 2]);
    }
    const std::int32_t board = rails_;
    std::int32_t best = board;
    double best_step = std::log(3.0);
    for (std::int32_t g = board; g <= 16; g += board) {
      double at = 0.0, inside = 0.0;
      int n_at = 0, n_inside = 0;
      for (const auto& [i, gap] : jump) {
        if (i % g == 0)
          at += gap, ++n_at;
        else
          inside += gap, ++n_inside;
      }
      if (n_at < 2 || n_inside < 2) continue;
      const double step = at / n_at - inside / n_inside;
      if (step > best_step) best_step = step, best = g;
    }
    if (best == board) return;
    rails_ = best;
    std::int32_t highest = 0;
    for (const auto& [leaf, i] : leaf_index_) {
      highest = std::max(highest, i);
      position_[leaf] = {i / best, i % best};
    }
    racks_ = highest / best + 1;
    out_.notes.push_back(fmt::format(
        "hosts have no names: that {} leafs share their nodes is concluded from identities and LIDs, an estimate",
        best));
  }

  // --- ports of nodes -------------------------------------------------------------------------------------------
  void node_ports() {
    std::map<std::int32_t, std::size_t> used;
    for (std::uint32_t leaf : leafs_)
      for (const auto& [port, at] : host_at_[leaf])
        ++used[port];
    for (const auto& [port, n] : used)
      if (n * 2 >= leafs_.size() && (n >= 2 || leafs_.size() == 1)) ports_of_nodes_.push_back(port);
    // Most hosts must sit on these, else there is no rule for nodes.
    std::size_t on = 0, sum = 0;
    for (const auto& [port, n] : used) {
      sum += n;
      if (std::binary_search(ports_of_nodes_.begin(), ports_of_nodes_.end(), port)) on += n;
    }
    if (on * 4 < sum * 3 || leafs_.size() < 3) ports_of_nodes_.clear();
  }

  // --- names ----------------------------------------------------------------------------------------------------
  [[nodiscard]] Position position_of(std::int32_t rack, std::int32_t rail) const {
    return {rack + 1, rails_ ? rail + 1 : 0, 0, 0};
  }

  void learn_names() {
    std::vector<std::pair<std::string, Position>> leafs, spines, nodes;
    for (const auto& [leaf, at] : position_)
      if (!says_nothing(found_.devices[leaf].name))
        leafs.emplace_back(found_.devices[leaf].name, position_of(at.first, at.second));
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].ok && part_tier_[p] == 1)
        for (const auto& [spine, i] : parts_[p].lower.index)
          if (!says_nothing(found_.devices[spine].name))
            spines.emplace_back(found_.devices[spine].name, Position{0, 0, 0, i + 1});
    for (const auto& [leaf, at] : position_)
      for (std::size_t t = 0; t < ports_of_nodes_.size(); ++t) {
        const auto host = host_at_[leaf].find(ports_of_nodes_[t]);
        if (host == host_at_[leaf].end() || says_nothing(found_.devices[host->second.first].name)) continue;
        nodes.emplace_back(found_.devices[host->second.first].name,
                           Position{at.first + 1, 0, static_cast<std::int32_t>(t) + 1, 0});
      }
    const auto trays = static_cast<std::int32_t>(ports_of_nodes_.size());
    leaf_names_.learn(leafs, trays, std::max(1, rails_));
    spine_names_.learn(spines, trays, std::max(1, rails_));
    node_names_.learn(nodes, trays, std::max(1, rails_));
  }

  // --- the plan -------------------------------------------------------------------------------------------------
  std::uint32_t add_device(std::string name, DeviceKind kind, std::uint32_t found) {
    PlannedDevice d;
    d.name = std::move(name);
    d.kind = kind;
    d.found = found;
    out_.plan.devices.push_back(std::move(d));
    return static_cast<std::uint32_t>(out_.plan.devices.size() - 1);
  }
  std::uint32_t device_of(std::uint32_t found, DeviceKind kind) {
    const auto [at, made] = device_of_.emplace(found, 0);
    if (made) at->second = add_device(found_.device_text(found), kind, found);
    return at->second;
  }
  PortKey key_of(int tier, std::int32_t number) {
    const auto& keys = key_of_[tier];
    if (const auto there = keys.find(number); there != keys.end()) return there->second;
    return number > 0 ? static_cast<PortKey>(number) : 0;
  }
  void add_link(std::uint32_t near, PortKey near_port, std::uint32_t far, PortKey far_port, LinkClass kind,
                std::int16_t rail = -1) {
    PlannedLink l;
    l.near = near;
    l.far = far;
    l.near_port = near_port;
    l.far_port = far_port;
    l.kind = kind;
    l.rail = rail;
    out_.plan.links.push_back(l);
    used_.insert({near, near_port});
    used_.insert({far, far_port});
  }

  void make_plan() {
    out_.plan.port_names = found_.port_names;
    out_.rails = rails_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> leaf_at; // rack and rail -> planned device
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].ok) continue;
      const int low = part_tier_[p];
      out_.obeying += parts_[p].obeying;
      out_.considered += parts_[p].links;
      const auto lowers = devices_by_index(parts_[p].upper, p, true, low),
                 uppers = devices_by_index(parts_[p].lower, p, false, low);
      for (const auto& [l, lower] : lowers)
        for (const auto& [u, upper] : uppers)
          for (int i = 0; i < parts_[p].lower.copies; ++i)
            add_link(lower, key_of(low, parts_[p].lower.sum.port(u, i)), upper,
                     key_of(low + 1, parts_[p].upper.sum.port(l, parts_[p].copy_of[static_cast<std::size_t>(i)])),
                     low == 1 ? LinkClass::leaf_spine : LinkClass::spine_core);
    }
    for (const auto& [leaf, at] : position_)
      leaf_at[{at.first, at.second}] = device_of(leaf, DeviceKind::leaf);
    for (const auto& [at, device] : absent_leafs_)
      leaf_at[at] = device;
    add_nodes(leaf_at);
    add_the_rest();
  }

  /// Devices of one side by index; between the first and the last, rounded to whole racks, absent ones get a name too.
  std::map<std::int32_t, std::uint32_t> devices_by_index(const Side& side, std::size_t part, bool lower, int low) {
    std::map<std::int32_t, std::uint32_t> out;
    const DeviceKind kind =
        lower ? (low == 1 ? DeviceKind::leaf : DeviceKind::spine) : (low == 1 ? DeviceKind::spine : DeviceKind::core);
    std::int32_t first = std::numeric_limits<std::int32_t>::max(), last = 0;
    for (const auto& [device, i] : side.index) {
      out[i] = device_of(device, kind);
      first = std::min(first, i);
      last = std::max(last, i);
    }
    const bool leafs = lower && low == 1;
    if (leafs && rails_ && !rails_apart_) {
      first = first / rails_ * rails_;
      last = last / rails_ * rails_ + rails_ - 1;
    }
    if (static_cast<std::size_t>(last - first) > side.index.size() * 2 + 16) return out; // no gaps of that size
    for (std::int32_t i = first; i <= last; ++i) {
      if (out.contains(i)) continue;
      std::string name = fmt::format("{} {}", device_word(kind), i + 1);
      if (leafs) {
        auto at = rails_ ? (rails_apart_ ? std::pair(i % racks_, i / racks_) : std::pair(i / rails_, i % rails_))
                         : std::pair(i, 0);
        at.first += pod_of_part_[part] * racks_;
        if (leaf_names_.known()) name = leaf_names_.name(position_of(at.first, at.second));
        out[i] = add_device(name, kind, no_device);
        absent_leafs_[at] = out[i];
      } else {
        if (!lower && low == 1 && spine_names_.known()) name = spine_names_.name({0, 0, 0, i + 1});
        out[i] = add_device(name, kind, no_device);
      }
    }
    return out;
  }

  void add_nodes(const std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>& leaf_at) {
    std::map<std::int32_t, std::map<std::int32_t, std::uint32_t>> racks; // rack -> rail -> planned leaf
    for (const auto& [at, device] : leaf_at)
      racks[at.first][at.second] = device;
    std::map<std::uint32_t, std::uint32_t> found_of; // planned leaf -> found
    for (const auto& [leaf, at] : position_)
      found_of[leaf_at.at({at.first, at.second})] = leaf;
    const std::size_t trays = ports_of_nodes_.size();
    std::set<std::string> pattern_names;
    if (node_names_.known())
      for (const auto& [rack, rails] : racks)
        for (std::size_t t = 0; t < trays; ++t)
          pattern_names.insert(node_names_.name({rack + 1, 0, static_cast<std::int32_t>(t) + 1, 0}));
    std::set<std::string> used_names;
    for (const auto& [rack, rails] : racks) {
      // A rack that is filled to some tray only is not full; single dark trays are missing.
      std::size_t filled = 0;
      for (std::size_t t = 0; t < trays; ++t)
        for (const auto& [rail, device] : rails)
          if (const auto leaf = found_of.find(device);
              leaf != found_of.end() && host_at_[leaf->second].contains(ports_of_nodes_[t]))
            filled = t + 1;
      std::size_t expected = trays;
      if (trays - filled > std::max<std::size_t>(2, trays / 4)) {
        expected = filled;
        out_.notes.push_back(fmt::format("{} {} is filled to its tray {} of {}; the rest counts as not installed",
                                         rails_ ? "rack" : "leaf", rack + 1, filled, trays));
      }
      for (std::size_t t = 0; t < expected; ++t) {
        std::map<std::string, int> names;
        for (const auto& [rail, device] : rails) {
          const auto leaf = found_of.find(device);
          if (leaf == found_of.end()) continue;
          const auto host = host_at_[leaf->second].find(ports_of_nodes_[t]);
          if (host != host_at_[leaf->second].end() && !says_nothing(found_.devices[host->second.first].name))
            ++names[found_.devices[host->second.first].name];
        }
        const std::string most = names.empty() ? std::string() : most_voted(names)->first;
        std::string name =
            node_names_.known() ? node_names_.name({rack + 1, 0, static_cast<std::int32_t>(t) + 1, 0}) : most;
        if (node_names_.known() && !most.empty() && !pattern_names.contains(most) && most_voted(names)->second > 1)
          name = most; // a name of its own
        if (name.empty() || !used_names.insert(name).second) {
          name = rails_ ? fmt::format("tray {} of rack {}", t + 1, rack + 1)
                        : fmt::format("tray {} of {}", t + 1, out_.plan.devices[rails.begin()->second].name);
          used_names.insert(name);
        }
        const std::uint32_t node = add_device(name, DeviceKind::node, no_device);
        node_of_name_.emplace(lower(name), node);
        for (const auto& [rail, device] : rails)
          add_link(node, static_cast<PortKey>(rail + 1), device, key_of(1, ports_of_nodes_[t]), LinkClass::node_leaf,
                   static_cast<std::int16_t>(rails_ ? rail : 0));
      }
    }
  }

  /// What no rule covers is taken as it is, where it takes no port that a rule gave away.
  void add_the_rest() {
    std::size_t taken = 0;
    for (const FoundLink& l : found_.links) {
      const int a = std::abs(tier_[l.near]), b = std::abs(tier_[l.far]); // what leads to no host counts as a leaf
      const bool turn = a > b;
      const std::uint32_t low = turn ? l.far : l.near, high = turn ? l.near : l.far;
      const PortKey low_port = turn ? l.far_port : l.near_port, high_port = turn ? l.near_port : l.far_port;
      if (std::min(a, b) == 0) {
        const auto known = device_of_.find(high);
        if (known != device_of_.end() && used_.contains({known->second, high_port})) continue;
        const FoundDevice& h = found_.devices[low];
        if (!says_nothing(h.name) && node_of_name_.contains(lower(h.name)))
          continue; // a node that a rule puts elsewhere
        const std::uint32_t device = device_of(high, std::max(a, b) >= 2 ? DeviceKind::spine : DeviceKind::leaf);
        const std::uint32_t node = add_device(found_.device_text(low), DeviceKind::node, no_device);
        add_link(node, 1, device, high_port, LinkClass::node_leaf, 0);
        ++taken;
        continue;
      }
      const DeviceKind kinds[4] = {DeviceKind::node, DeviceKind::leaf, DeviceKind::spine, DeviceKind::core};
      const auto kind_of = [&](int tier) { return kinds[std::clamp(tier, 0, 3)]; };
      const auto free_end = [&](std::uint32_t device, PortKey port) {
        const auto known = device_of_.find(device);
        return known == device_of_.end() || !used_.contains({known->second, port});
      };
      const bool fitted = leaf_index_.contains(low) && b != a && std::abs(a - b) == 1 && std::min(a, b) == 1;
      if (fitted || !free_end(low, low_port) || !free_end(high, high_port)) continue;
      add_link(device_of(low, kind_of(std::min(a, b))), low_port, device_of(high, kind_of(std::max(a, b))), high_port,
               a == b                ? LinkClass::group_local
               : std::min(a, b) == 1 ? LinkClass::leaf_spine
                                     : LinkClass::spine_core);
      ++taken;
    }
    if (taken) out_.notes.push_back(fmt::format("{} links are covered by no rule and taken as they are", taken));
  }

  // --- the line -------------------------------------------------------------------------------------------------
  static std::string times(std::int32_t factor, const std::string& what) {
    return factor == 1 ? what : fmt::format("{}{}", factor, what);
  }

  void write_line() {
    std::vector<std::string> lines;
    std::set<std::string> seen;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].ok) continue;
      const bool low = part_tier_[p] == 1;
      const BundlePorts &a = parts_[p].lower.sum, &b = parts_[p].upper.sum;
      const bool copies = parts_[p].lower.copies > 1;
      const auto copy = [&](std::int32_t stride) { return copies ? " + " + times(stride, "i") : std::string(); };
      std::string text = fmt::format("{} = {} + {}{}", low ? "leaf port" : "spine port up", a.first,
                                     times(a.stride, low ? "(s-1)" : "(k-1)"), copy(a.copy_stride));
      std::string up;
      if (low && rails_ && !rails_apart_)
        up = fmt::format("{} + {} + {}", times(b.stride * rails_, "(c-1)"), times(b.stride, "(r-1)"), b.first);
      else if (low && rails_)
        up = fmt::format("{} + {} + {}", times(b.stride, "(c-1)"), times(b.stride * racks_, "(r-1)"), b.first);
      else
        up = fmt::format("{} + {}", times(b.stride, low ? "(l-1)" : "(s-1)"), b.first);
      bool straight = true;
      for (int i = 0; i < parts_[p].lower.copies; ++i)
        straight &= parts_[p].copy_of[static_cast<std::size_t>(i)] == i;
      if (straight)
        up += copy(b.copy_stride);
      else
        up += fmt::format(" + {}", times(b.copy_stride, fmt::format("({}-i)", parts_[p].lower.copies - 1)));
      text += fmt::format(", {} = {}", low ? "spine port" : "core port", up);
      if (seen.insert(text).second) lines.push_back(text);
    }
    if (!ports_of_nodes_.empty()) {
      const std::int32_t first = ports_of_nodes_.front();
      std::map<std::int32_t, int> steps;
      for (std::size_t i = 1; i < ports_of_nodes_.size(); ++i)
        ++steps[ports_of_nodes_[i] - ports_of_nodes_[i - 1]];
      const std::int32_t step = steps.empty() ? 1 : most_voted(steps)->first;
      if (steps.size() <= 1) {
        const std::int32_t constant = first - step;
        lines.push_back(
            fmt::format("tray t -> leaf port {}{}", constant ? fmt::format("{} + ", constant) : "", times(step, "t")));
      } else {
        lines.push_back(
            fmt::format("trays on {} leaf ports from {} to {}", ports_of_nodes_.size(), first, ports_of_nodes_.back()));
      }
    }
    for (const std::string& l : lines)
      out_.line += (out_.line.empty() ? "" : ", ") + l;
  }

  const FoundLinks& found_;
  PortNumbers number_;
  std::vector<int> tier_;
  InferredRule out_;
  std::vector<std::uint32_t> leafs_;
  std::size_t upper_count_ = 0, between_count_ = 0;
  std::map<std::uint32_t, std::map<std::int32_t, std::pair<std::uint32_t, std::uint32_t>>>
      host_at_; // switch -> port -> host, link
  std::map<int, std::map<std::int32_t, PortKey>> key_of_;
  std::vector<Fit> parts_;
  std::vector<int> part_tier_;
  std::map<std::uint32_t, std::int32_t> leaf_index_;
  std::map<std::uint32_t, std::size_t> leaf_part_;
  std::map<std::size_t, std::int32_t> pod_of_part_;
  std::map<std::uint32_t, std::pair<std::int32_t, std::int32_t>> position_; // leaf -> rack and rail, from 0
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> absent_leafs_;
  int rails_ = 0;
  bool rails_apart_ = false;
  std::int32_t racks_ = 1;
  std::vector<std::int32_t> ports_of_nodes_;
  NamePattern leaf_names_, spine_names_, node_names_;
  std::map<std::uint32_t, std::uint32_t> device_of_;
  std::map<std::string, std::uint32_t> node_of_name_;
  std::set<std::pair<std::uint32_t, PortKey>> used_;
};

} // namespace

std::vector<int> found_tiers(const FoundLinks& found) {
  const std::size_t n = found.devices.size();
  std::vector<std::uint32_t> degree(n, 0);
  for (const FoundLink& l : found.links)
    ++degree[l.near], ++degree[l.far];
  std::vector<FoundKind> kind(n);
  // Where a format tells no kinds, words in names do; words for hosts ("node9") count beside words for switches only.
  std::vector<FoundKind> by_word(n, FoundKind::unknown);
  bool word_switch = false;
  for (std::size_t d = 0; d < n; ++d) {
    kind[d] = found.devices[d].kind;
    if (kind[d] != FoundKind::unknown) continue;
    const std::string name = lower(found.devices[d].name);
    for (std::string_view word : {"leaf", "spine", "core", "switch", "tor"})
      if (name.find(word) != std::string::npos) by_word[d] = FoundKind::network_switch;
    for (std::string_view word : {"node", "host", "server", "gpu", "manager", "storage"})
      if (by_word[d] == FoundKind::unknown && name.find(word) != std::string::npos) by_word[d] = FoundKind::host;
    word_switch |= by_word[d] == FoundKind::network_switch;
  }
  bool any_host = false, any_switch = false;
  for (std::size_t d = 0; d < n; ++d) {
    if (kind[d] == FoundKind::unknown && word_switch) kind[d] = by_word[d];
    any_host |= kind[d] == FoundKind::host;
    any_switch |= kind[d] == FoundKind::network_switch;
  }
  // Who is left unknown is a host when all around it have more links, and no host is among them.
  std::vector<std::uint32_t> least(n, std::numeric_limits<std::uint32_t>::max());
  std::vector<char> beside_host(n, 0);
  for (const FoundLink& l : found.links) {
    least[l.near] = std::min(least[l.near], degree[l.far]);
    least[l.far] = std::min(least[l.far], degree[l.near]);
    beside_host[l.near] |= kind[l.far] == FoundKind::host;
    beside_host[l.far] |= kind[l.near] == FoundKind::host;
  }
  for (std::size_t d = 0; d < n; ++d)
    if (kind[d] == FoundKind::unknown)
      kind[d] = !any_host && degree[d] > 0 && least[d] > degree[d] && !beside_host[d]   ? FoundKind::host
                : any_host && any_switch && !beside_host[d] && least[d] > 2 * degree[d] ? FoundKind::host
                                                                                        : FoundKind::network_switch;
  // Two hosts that are joined: one of them is none.
  for (const FoundLink& l : found.links)
    if (kind[l.near] == FoundKind::host && kind[l.far] == FoundKind::host)
      for (const std::uint32_t d : {l.near, l.far})
        if (found.devices[d].kind == FoundKind::unknown && degree[d] >= degree[d == l.near ? l.far : l.near])
          kind[d] = FoundKind::network_switch;
  std::vector<std::uint32_t> hosts(n, 0);
  std::vector<std::vector<std::uint32_t>> peers(n);
  for (const FoundLink& l : found.links) {
    peers[l.near].push_back(l.far);
    peers[l.far].push_back(l.near);
    hosts[l.near] += kind[l.far] == FoundKind::host;
    hosts[l.far] += kind[l.near] == FoundKind::host;
  }
  std::vector<std::uint32_t> counts;
  for (std::size_t d = 0; d < n; ++d)
    if (kind[d] != FoundKind::host && hosts[d]) counts.push_back(hosts[d]);
  std::sort(counts.begin(), counts.end());
  const std::uint32_t usual = counts.empty() ? 0 : counts[counts.size() / 2];
  std::vector<int> tier(n, -1);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t d = 0; d < n; ++d) {
    if (kind[d] == FoundKind::host) tier[d] = 0;
    // A single manager on a spine makes no leaf of it.
    else if (hosts[d] * 4 >= usual && hosts[d] > 0)
      tier[d] = 1, queue.push_back(d);
  }
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (std::uint32_t p : peers[queue[at]])
      if (tier[p] < 0) {
        tier[p] = tier[queue[at]] + 1;
        queue.push_back(p);
      }
  return tier;
}

tl::expected<InferredRule, std::string> infer_rule(const FoundLinks& found) { return Inference(found).run(); }

AsBuiltResult compare_with_rule(const FoundLinks& found) {
  auto rule = infer_rule(found);
  if (!rule) {
    AsBuiltResult out = compare_as_built(planned_fabric(found), found);
    // The dump beside itself: what it tells of rates and names stands, that it is as planned does not.
    out.planned = out.matched = 0;
    out.notes.push_back("nothing was compared: there is no plan, and no rule was found in the links: " + rule.error());
    return out;
  }
  AsBuiltResult out = compare_as_built(rule->plan, found);
  out.rule = rule->line;
  out.notes.insert(out.notes.end(), rule->notes.begin(), rule->notes.end());
  return out;
}

} // namespace hallwright
