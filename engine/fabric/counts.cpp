// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "fabric/counts_shape.h"
#include "ledger/formula_range.h"

namespace hallwright {

std::string number_of(Count n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

Count LeafShape::used(Count leaf, Count present) const {
  const Count unit = leaf / per_unit, in_lane = leaf % per_unit / lanes;
  const Count filled = std::clamp<Count>(present - unit * unit_places, 0, unit_places);
  return std::clamp<Count>(filled * links - in_lane * down, 0, down);
}

Count LeafShape::uplinks_for_used(Count used_links) const { return std::min(up, ceil_of(used_links * up, down)); }

Count LeafShape::built(Count leaf, Count spines) const {
  if (whole) return up;
  return std::min(up, std::max(spines, uplinks_for_used(used(leaf, places))));
}

Count LeafShape::built_before(Count leafs, Count spines) const {
  if (whole) return leafs * up;
  // Within a unit come full leafs, then one a lane that is partly filled.
  auto of_unit = [&](Count filled, Count first) {
    const Count full = filled * links / down * lanes, rest = filled * links % down;
    const Count partial_up = std::min(up, std::max(spines, uplinks_for_used(rest)));
    return std::min(first, full) * up + (rest > 0 ? std::clamp<Count>(first - full, 0, lanes) * partial_up : 0);
  };
  const Count full_units = std::min(leafs / per_unit, places / unit_places);
  return full_units * of_unit(unit_places, per_unit) +
         of_unit(std::min(unit_places, places - full_units * unit_places), leafs - full_units * per_unit);
}

Count LeafShape::lit() const {
  auto of_unit = [&](Count filled) {
    return lanes * (filled * links / down * up + uplinks_for_used(filled * links % down));
  };
  return nodes / unit_places * of_unit(unit_places) + of_unit(nodes % unit_places);
}

namespace {

using Refusal = tl::unexpected<std::string>;
Refusal refusal(std::string text) { return Refusal(std::move(text)); }

// What a request may hold; beyond these the products no longer fit, and no fabric is meant.
constexpr Count most_nodes = 100'000'000, most_links = 100'000, most_radix = 100'000, most_planes = 1024;

std::optional<std::string> wrong_request(const FabricRequest& q) {
  auto outside = [](std::string_view name, Count value, Count low, Count high) -> std::optional<std::string> {
    if (value >= low && value <= high) return std::nullopt;
    return fmt::format("{} must be {} to {}; it is {}", name, low, high, value);
  };
  if (q.nodes == 0) return "there are no nodes to connect";
  for (auto wrong :
       {outside("nodes", q.nodes, 1, most_nodes), outside("links_per_node", q.links_per_node, 1, most_links),
        outside("radix", q.radix, 1, most_radix), outside("nodes_per_unit", q.nodes_per_unit, 0, most_nodes),
        outside("leaf_down", q.leaf_down, 0, q.radix), outside("leaf_up", q.leaf_up, 0, q.radix),
        outside("planes", q.planes, 1, most_planes),
        outside("reserved_node_places", q.reserved_node_places, 0, most_nodes),
        outside("reserved_links", q.reserved_links, 0, most_nodes),
        outside("spine_radix", q.spine_radix, 0, most_radix), outside("core_radix", q.core_radix, 0, most_radix),
        outside("routers_per_group", q.routers_per_group, 0, most_radix),
        outside("endpoints_per_router", q.endpoints_per_router, 0, most_radix),
        outside("global_links_per_router", q.global_links_per_router, 0, most_radix),
        outside("uplink_ports", q.uplink_ports, 1, q.radix),
        outside("reserved_leaf_ports", q.reserved_leaf_ports, 0, q.radix - 1),
        outside("reserved_spine_ports", q.reserved_spine_ports, 0, most_radix)})
    if (wrong) return wrong;
  constexpr double most_taper = 1000.0;
  for (auto [name, value] :
       {std::pair("oversubscription", q.oversubscription), std::pair("core_oversubscription", q.core_oversubscription)})
    if (!(value >= 1.0 / most_taper && value <= most_taper))
      return fmt::format("{} must be {:g} to {:g}; it is {:g}", name, 1.0 / most_taper, most_taper, value);
  if (const Count taken = q.leaf_down + q.leaf_up * q.uplink_ports; taken > q.radix)
    return fmt::format("leaf_down + leaf_up must be at most the radix, {}; it is {}", q.radix, taken);
  if (const Count taken = q.leaf_down + q.leaf_up * q.uplink_ports + q.reserved_leaf_ports; taken > q.radix)
    return fmt::format("leaf_down + leaf_up + reserved_leaf_ports must be at most the radix, {}; it is {}", q.radix,
                       taken);
  return std::nullopt;
}

/// Uplinks that keep `down` links at or below an oversubscription.
Count uplinks_for(Count down, double taper, Count width = 1) {
  return static_cast<Count>(whole_at_least(static_cast<double>(down) / (taper * static_cast<double>(width))));
}
/// The most down ports that leave room for their uplinks on a switch.
Count down_ports(Count ports, double taper, Count width = 1) {
  Count down = static_cast<Count>(whole_at_most(static_cast<double>(ports) * taper / (1.0 + taper)));
  while (down > 0 && down + width * uplinks_for(down, taper, width) > ports)
    --down;
  return down;
}

Count spine_radix_of(const FabricRequest& q) { return q.spine_radix > 0 ? q.spine_radix : q.radix / q.uplink_ports; }
Count core_radix_of(const FabricRequest& q) { return q.core_radix > 0 ? q.core_radix : spine_radix_of(q); }

/// What all trees have in common: who is connected, and in which lanes.
LeafShape lanes_of(const FabricRequest& q) {
  LeafShape l;
  const bool one_link = q.rails || q.topology == Topology::rail_only;
  l.lanes = q.rails && q.topology == Topology::fat_tree ? q.links_per_node : 1;
  l.links = one_link ? 1 : q.links_per_node;
  l.nodes = q.nodes;
  l.places = q.nodes + q.reserved_node_places;
  l.uplink_ports = q.uplink_ports;
  l.whole = q.units == UnitRule::whole;
  return l;
}

/// Leafs of a tree, or why a leaf cannot be made.
tl::expected<LeafShape, std::string> leafs_of(const FabricRequest& q) {
  LeafShape l = lanes_of(q);
  const Count ports = q.radix - q.reserved_leaf_ports, width = q.uplink_ports;
  const double taper = q.leaf_down > 0 && q.leaf_up > 0
                           ? static_cast<double>(q.leaf_down) / static_cast<double>(q.leaf_up * width)
                           : q.oversubscription;
  if (q.leaf_down > 0) {
    l.down = q.leaf_down;
  } else if (q.leaf_up > 0) {
    l.down = std::min(ports - q.leaf_up * width,
                      static_cast<Count>(whole_at_most(static_cast<double>(q.leaf_up * width) * taper)));
  } else {
    l.down = down_ports(ports, taper, width);
    if (q.nodes_per_unit > 0 && l.down > 0) {
      // A leaf has no more down ports than its unit has links for it.
      const Count wanted = q.nodes_per_unit * l.links;
      l.down = ceil_of(wanted, ceil_of(wanted, l.down));
    }
  }
  if (l.down < 1)
    return refusal(fmt::format("a leaf of radix {} has no down port at oversubscription {:g}", q.radix, taper));
  l.up = q.leaf_up > 0 ? q.leaf_up : uplinks_for(l.down, taper, width);
  if (l.down + l.up * width > ports)
    return refusal(
        fmt::format("{} down ports need {} up ports at oversubscription {:g}, together more than the radix, {}", l.down,
                    l.up * width, taper, ports));

  // Without rails and stated units, nodes fill leaf after leaf, as one large unit.
  const bool packed = q.nodes_per_unit == 0 && !(q.rails && q.topology == Topology::fat_tree);
  l.unit_places = packed ? l.places : q.nodes_per_unit > 0 ? q.nodes_per_unit : l.down;
  l.stated_unit = packed ? 0 : l.unit_places;
  l.per_unit = ceil_of(l.unit_places * l.links, l.down) * l.lanes;
  const Count full_units = l.places / l.unit_places, rest = l.places % l.unit_places;
  l.units = ceil_of(l.places, l.unit_places);
  l.count = l.whole ? l.units * l.per_unit : full_units * l.per_unit + ceil_of(rest * l.links, l.down) * l.lanes;
  l.partial_unit = rest > 0;
  if (packed) {
    l.units = l.count;
    l.partial_unit = l.places * l.links % l.down != 0;
  }
  return l;
}

/// Spines above a number of leafs, and the words for their rule.
struct Spines {
  PodShape pod;
  std::string rule;
};

/// @param ports  down ports of a spine
/// @param least  of its spines at least so many
std::optional<Spines> spines_above(const LeafShape& l, Count first_leaf, Count leafs, Count ports, BundleRule bundles,
                                   Count least = 1) {
  if (leafs > ports) return std::nullopt; // each leaf reaches each spine
  const bool equal = bundles == BundleRule::equal;
  auto links_below = [&](Count spines) {
    return l.built_before(first_leaf + leafs, spines) - l.built_before(first_leaf, spines);
  };
  const Count asked = std::max<Count>(1, ceil_of(equal ? leafs * l.up : links_below(1), ports));
  Spines out;
  PodShape& pod = out.pod;
  pod.leafs = leafs;
  for (Count s = std::max(asked, least); s <= l.up; ++s) {
    if (equal && l.up % s != 0) continue;
    pod.spines = s;
    pod.links = links_below(s);
    pod.bundle = l.up % s == 0 ? l.up / s : 0;
    if (!equal && pod.bundle * leafs > ports) pod.bundle = 0; // only links that are lit fit
    pod.down_ports = pod.bundle > 0 ? pod.bundle * leafs : ceil_of(pod.links, s);
    if (pod.down_ports > ports) continue;
    if (!equal)
      out.rule = fmt::format("uneven bundles: spines {}, {} links over {} ports each", s, pod.links, ports);
    else if (s == asked)
      out.rule =
          fmt::format("equal bundles: spines {}, {} links over {} ports each, and {} divides the {} uplinks of a leaf",
                      s, pod.links, ports, s, l.up);
    else
      out.rule =
          fmt::format("equal bundles: spines {}, the smallest divisor of {} that is at least {}", s, l.up, asked);
    return out;
  }
  return std::nullopt;
}

std::vector<Count> divisors(Count of) {
  std::vector<Count> low, high;
  for (Count a = 1; a * a <= of; ++a) {
    if (of % a != 0) continue;
    low.push_back(a);
    if (a != of / a) high.push_back(of / a);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

Count smallest_divisor(Count of, Count least) {
  const auto all = divisors(of);
  const auto found = std::lower_bound(all.begin(), all.end(), least);
  return found == all.end() ? 0 : *found;
}

/// Spines and cores in as few groups as give each spine the same number of links to each core of its group.
void group_cores(PodShape& pod, Count cores) {
  pod.core_groups = 1;
  pod.core_copies = pod.core_links = 0;
  if (pod.uplinks() % cores != 0) return;
  for (const Count g : divisors(std::gcd(pod.spines, cores))) {
    if (pod.spine_up % (cores / g) != 0) continue;
    pod.core_groups = g;
    pod.core_copies = pod.spine_up / (cores / g);
    break;
  }
  pod.core_links = pod.uplinks() / cores;
}

tl::expected<FabricShape, std::string> one_tier(const FabricRequest& q) {
  FabricShape out;
  TreeShape t;
  t.leaf = lanes_of(q);
  t.trees = q.topology == Topology::rail_only ? q.links_per_node : 1;
  const bool by_rail = t.leaf.lanes * t.trees > 1;
  const Count per_switch = t.leaf.places * t.leaf.links, ports = q.radix - q.reserved_leaf_ports;
  if (per_switch > ports)
    return refusal(fmt::format("one tier of radix {} carries {}; {} are asked for", q.radix,
                               by_rail ? number_of(ports, "node") + " on each rail" : number_of(ports, "link"),
                               per_switch));
  t.leaf.down = per_switch;
  t.leaf.unit_places = t.leaf.stated_unit = t.leaf.places;
  t.leaf.units = 1;
  t.leaf.per_unit = t.leaf.count = t.leaf.lanes;
  t.leafs_per_pod = t.leaf.count;
  t.leaf_ports = q.radix;
  t.last.leafs = t.leaf.count;
  const Count switches = t.leaf.count * t.trees;
  if (const Count asked = q.nodes * q.links_per_node + q.reserved_links; asked > switches * q.radix)
    return refusal(fmt::format("one tier of radix {} carries {}; {} are asked for with the reserved links", q.radix,
                               number_of(switches * q.radix, "link"), asked));
  out.counts.rule =
      by_rail ? fmt::format("one tier: a switch for each of {} rails, no spine", switches) : "one tier: one switch";
  if (t.trees > 1) out.counts.rule = "rail-only, " + out.counts.rule;
  out.layout = t;
  return out;
}

tl::expected<FabricShape, std::string> two_tiers(const FabricRequest& q, TreeShape t) {
  const LeafShape& l = t.leaf;
  const Count ports = t.spine_ports - q.reserved_spine_ports;
  const auto spines = ports > 0 ? spines_above(l, 0, l.count, ports, q.bundles) : std::nullopt;
  if (!spines)
    return refusal(fmt::format("two tiers of radix {}{} carry {} ({} leafs); {} are asked for ({} leafs)", q.radix,
                               ports == q.radix ? "" : fmt::format(" below {} spine ports", std::max<Count>(0, ports)),
                               number_of(std::max<Count>(0, ports) * l.down, "link"), std::max<Count>(0, ports),
                               l.places * l.links * l.lanes, l.count));
  FabricShape out;
  t.tiers = 2;
  t.leafs_per_pod = l.count;
  t.last = spines->pod;
  out.counts.rule = spines->rule;
  out.counts.spine_down = ceil_of(t.last.links, t.last.spines);
  out.layout = t;
  return out;
}

/// The last pod below a number of cores: its spines, and what each has towards the cores.
struct LastPod {
  PodShape pod;
  Count asked_up = 0; ///< uplinks that its links would ask for
};

/// Three tiers: pods of equal build, and a last one that may be smaller but is reached by every core.
class PodPlan {
public:
  PodPlan(const FabricRequest& q, const TreeShape& t)
      : q_(q), l_(t.leaf), spine_down_(down_ports(t.spine_ports - q.reserved_spine_ports, q.core_oversubscription)),
        most_up_(t.spine_ports - q.reserved_spine_ports - spine_down_), core_ports_(t.core_ports) {}

  tl::expected<FabricShape, std::string> shape(TreeShape t) {
    if (spine_down_ < 1 || most_up_ < 1)
      return refusal(fmt::format("a spine of radix {} has no down port at core oversubscription {:g}", t.spine_ports,
                                 q_.core_oversubscription));
    // A pod: as many leafs as one link to each of its spines allows, in whole units where they fit.
    t.leafs_per_pod = l_.per_unit <= spine_down_ ? spine_down_ / l_.per_unit * l_.per_unit : spine_down_;
    t.pods = ceil_of(l_.count, t.leafs_per_pod);
    t.tiers = 3;
    first_leaf_of_last_ = (t.pods - 1) * t.leafs_per_pod;
    last_leafs_ = l_.count - first_leaf_of_last_;
    if (t.pods > core_ports_) return too_many(t);
    if (t.pods > 1) {
      LeafShape full = l_;
      full.whole = true;
      const auto first = spines_above(full, 0, t.leafs_per_pod, spine_down_, q_.bundles);
      if (!first) return no_spread();
      t.first = first->pod;
      t.first.spine_up = up_of(t.first);
      rule_ = first->rule;
    }
    const auto smallest = spines_above(l_, first_leaf_of_last_, last_leafs_, spine_down_, q_.bundles);
    if (!smallest) return no_spread();
    if (t.pods == 1) rule_ = smallest->rule;

    if (t.pods == 1)
      choose_for_single(t, smallest->pod);
    else if (q_.bundles == BundleRule::equal)
      choose_equal(t);
    else
      choose_uneven(t);
    if (t.cores == 0) return too_many(t);
    group_cores(t.first, t.pods > 1 ? t.cores : 1);
    group_cores(t.last, t.cores);
    if (q_.bundles == BundleRule::uneven && (t.last.core_links == 0 || (t.pods > 1 && t.first.core_links == 0)))
      t.first.core_links = t.first.core_copies = t.last.core_links = t.last.core_copies = 0;

    FabricShape out;
    out.counts.rule = rule_text(t);
    out.counts.spine_down = spine_down_;
    out.counts.spine_up = uplinks_for(spine_down_, q_.core_oversubscription);
    if (t.last.uplinks() > asked_of_last_)
      out.counts.notes.push_back(
          fmt::format("the last pod has {} uplinks where {} would carry its links, so that every core reaches it",
                      t.last.uplinks(), asked_of_last_));
    out.layout = t;
    return out;
  }

private:
  Refusal too_many(const TreeShape& t) const {
    return refusal(fmt::format("three tiers of radix {} carry {} in {} pods; {} are asked for", q_.radix,
                               number_of(core_ports_ * t.leafs_per_pod * l_.down, "link"), core_ports_,
                               l_.places * l_.links * l_.lanes));
  }
  Refusal no_spread() const {
    return refusal(fmt::format("{} uplinks of a leaf do not spread over spines with {}", l_.up,
                               number_of(spine_down_, "down port")));
  }
  /// Each spine has as many uplinks as the links from below that it carries ask for.
  Count up_of(const PodShape& pod) const {
    return std::min(most_up_,
                    uplinks_for(std::max<Count>(1, ceil_of(pod.links, pod.spines)), q_.core_oversubscription));
  }

  void choose_for_single(TreeShape& t, const PodShape& pod) {
    t.last = pod;
    t.last.spine_up = up_of(pod);
    asked_of_last_ = t.last.uplinks();
    asked_cores_ = ceil_of(t.last.uplinks(), core_ports_);
    t.cores = asked_cores_;
    if (q_.bundles == BundleRule::equal) {
      t.cores = smallest_divisor(t.last.uplinks(), asked_cores_);
    }
  }

  /// The fewest spines and uplinks of the last pod that every one of `cores` reaches.
  std::optional<LastPod> last_below(Count cores, Count most_links_of_core) const {
    for (Count least = 1; least <= l_.up;) {
      const auto spines = spines_above(l_, first_leaf_of_last_, last_leafs_, spine_down_, q_.bundles, least);
      if (!spines) return std::nullopt;
      LastPod last{spines->pod};
      const Count asked = up_of(last.pod), s = last.pod.spines;
      last.asked_up = asked * s;
      last.pod.spine_up = q_.bundles == BundleRule::equal ? round_up(asked, cores / std::gcd(cores, s))
                                                          : std::max(asked, ceil_of(cores, s));
      if (last.pod.spine_up <= most_up_ &&
          (most_links_of_core == 0 || last.pod.uplinks() / cores <= most_links_of_core))
        return last;
      least = s + 1;
    }
    return std::nullopt;
  }

  void choose_equal(TreeShape& t) {
    for (const Count cores : divisors(t.first.uplinks())) {
      if (t.cores > 0 && cores >= t.cores + t.last.spines) break;
      const Count each = t.first.uplinks() / cores;
      if ((t.pods - 1) * each + 1 > core_ports_) continue;
      const auto last = last_below(cores, std::min(each, core_ports_ - (t.pods - 1) * each));
      if (!last || (t.cores > 0 && cores + last->pod.spines >= t.cores + t.last.spines)) continue;
      t.cores = cores;
      t.last = last->pod;
      asked_of_last_ = last->asked_up;
    }
    asked_cores_ = ceil_of(t.core_cables(), core_ports_);
  }

  void choose_uneven(TreeShape& t) {
    const Count first = (t.pods - 1) * t.first.uplinks();
    for (Count cores = std::max<Count>(1, ceil_of(first + 1, core_ports_)); cores <= t.first.uplinks(); ++cores) {
      const auto last = last_below(cores, 0);
      if (!last || first + last->pod.uplinks() > cores * core_ports_) continue;
      t.cores = cores;
      t.last = last->pod;
      asked_of_last_ = last->asked_up;
      break;
    }
    asked_cores_ = ceil_of(t.core_cables(), core_ports_);
  }

  [[nodiscard]] std::string rule_text(const TreeShape& t) const {
    const Count of = t.pods > 1 ? t.first.uplinks() : t.last.uplinks();
    const std::string cores =
        q_.bundles == BundleRule::uneven ? fmt::format("{} links over {} ports each", t.core_cables(), core_ports_)
        : t.cores == asked_cores_ ? fmt::format("{} links over {} ports each, and {} divides the {} uplinks of a pod",
                                                t.core_cables(), core_ports_, t.cores, of)
        : t.cores == smallest_divisor(of, asked_cores_)
            ? fmt::format("the smallest divisor of {} that is at least {}", of, asked_cores_)
            : fmt::format("a divisor of {} of at least {} that reaches the last pod equally", of, asked_cores_);
    return fmt::format("{}; {} of up to {} leafs; cores {}, {}", rule_, number_of(t.pods, "pod"), t.leafs_per_pod,
                       t.cores, cores);
  }

  const FabricRequest& q_;
  const LeafShape& l_;
  Count spine_down_, most_up_, core_ports_;
  Count first_leaf_of_last_ = 0, last_leafs_ = 0, asked_of_last_ = 0, asked_cores_ = 0;
  std::string rule_;
};

/// Sums over trees and planes.
void count_tree(const FabricRequest& q, const TreeShape& t, FabricCounts& c) {
  const LeafShape& l = t.leaf;
  const Count times = t.trees * q.planes;
  c.tiers = t.tiers;
  c.units = l.units;
  c.leafs = l.count * times;
  c.leaf_down = l.down;
  c.leaf_up = l.up;
  c.nodes_per_unit = l.stated_unit;
  c.partial_unit = l.partial_unit;
  c.node_leaf_cables = (q.nodes * q.links_per_node + q.reserved_links) * q.planes;
  if (t.tiers > 1) {
    c.pods = t.pods;
    c.spines = t.spines() * times;
    c.cores = t.cores * times;
    Count built = t.last.links;
    if (t.pods > 1) built += l.built_before((t.pods - 1) * t.leafs_per_pod, t.first.spines);
    c.leaf_spine_cables = built * times;
    c.lit_leaf_spine_cables = std::min(built, l.lit()) * times;
    c.spine_core_cables = t.core_cables() * times;
    c.uneven = t.last.bundle == 0 || (t.pods > 1 && t.first.bundle == 0) ||
               (t.tiers == 3 && (t.last.core_links == 0 || (t.pods > 1 && t.first.core_links == 0)));
    c.oversubscription = static_cast<double>(l.down) / static_cast<double>(l.up * l.uplink_ports);
    if (t.tiers == 3) {
      const PodShape& pod = t.pods > 1 ? t.first : t.last;
      c.core_oversubscription = static_cast<double>(pod.links) / static_cast<double>(pod.uplinks());
    }
    if (l.partial_unit)
      c.notes.push_back(l.whole ? "the last unit is not full; its leafs and their uplinks are built whole"
                                : "the last unit is not full; only leafs and uplinks that carry links are built");
  }
  if (t.trees > 1)
    c.notes.push_back("rail-only: rails meet in the scale-up domains of the nodes, not in switches of this network");
  if (t.trees > 1 && t.tiers > 1)
    c.rule = fmt::format("rail-only, each of {} rails a tree of its own; {}", t.trees, c.rule);
  c.switch_ports_used = c.node_leaf_cables + c.leaf_spine_cables * (1 + l.uplink_ports) + 2 * c.spine_core_cables;
  c.switch_ports_idle =
      c.leafs * t.leaf_ports + c.spines * t.spine_ports + c.cores * t.core_ports - c.switch_ports_used;
}

tl::expected<FabricShape, std::string> tree_of_tiers(const FabricRequest& q, Tiers tiers) {
  if (tiers == Tiers::one) return one_tier(q);
  auto leafs = leafs_of(q);
  if (!leafs) return refusal(leafs.error());
  TreeShape t;
  t.leaf = *leafs;
  t.trees = q.topology == Topology::rail_only ? q.links_per_node : 1;
  t.leaf_ports = q.radix;
  t.spine_ports = spine_radix_of(q);
  t.core_ports = core_radix_of(q);
  if (const Count free = t.trees * t.leaf.count * (q.radix - t.leaf.up * q.uplink_ports),
      asked = q.nodes * q.links_per_node + q.reserved_links;
      asked > free)
    return refusal(fmt::format("the leafs have {} for nodes; {} are asked for with {} reserved",
                               number_of(free, "port"), asked, number_of(q.reserved_links, "link")));
  return tiers == Tiers::two ? two_tiers(q, t) : PodPlan(q, t).shape(t);
}

tl::expected<FabricShape, std::string> of_tiers(const FabricRequest& q, Tiers tiers) {
  FabricShape out;
  if (q.topology == Topology::dragonfly) {
    const auto d = dragonfly_shape(q);
    if (!d) return refusal(d.error());
    out.layout = *d;
    out.counts = dragonfly_counts(q, *d);
  } else {
    auto tree = tree_of_tiers(q, tiers);
    if (!tree) return tree;
    out = *std::move(tree);
    count_tree(q, std::get<TreeShape>(out.layout), out.counts);
  }
  out.counts.transceivers =
      2 * (out.counts.node_leaf_cables + out.counts.leaf_spine_cables + out.counts.spine_core_cables +
           out.counts.group_local_cables + out.counts.group_global_cables);
  if (q.planes > 1)
    out.counts.notes.push_back(fmt::format("{} planes; cables are counted in links of one plane", q.planes));
  return out;
}

/// The tiers that an open choice tries, in order.
std::vector<Tiers> choices_of(const FabricRequest& q) {
  if (q.topology == Topology::dragonfly) return {Tiers::one};
  if (q.tiers != Tiers::automatic) return {q.tiers};
  // One switch is enough where nothing asks for rails that meet; else the fewest tiers that reach.
  const bool one = (q.topology == Topology::rail_only || !q.rails) && q.leaf_down == 0 && q.leaf_up == 0;
  return one ? std::vector{Tiers::one, Tiers::two, Tiers::three} : std::vector{Tiers::two, Tiers::three};
}

tl::expected<FabricShape, std::string> shape_without_advice(const FabricRequest& q) {
  if (auto wrong = wrong_request(q)) return refusal(*wrong);
  std::string why;
  for (const Tiers tiers : choices_of(q)) {
    auto shape = of_tiers(q, tiers);
    if (shape) return shape;
    why = shape.error();
  }
  return refusal(why);
}

bool feasible(const FabricRequest& q) { return shape_without_advice(q).has_value(); }

/// The most of a count, below what is stated, with which the request is feasible.
std::optional<FabricRequest> most_of(FabricRequest q, Count FabricRequest::*field, Count low) {
  Count high = q.*field; // not feasible
  q.*field = low;
  if (!feasible(q)) return std::nullopt;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    q.*field = middle;
    (feasible(q) ? low : high) = middle;
  }
  q.*field = low;
  return q;
}

/// The smallest radix, doubled from the stated one, that carries the request; what was stated of its ports gives way.
std::optional<WayOut> larger_radix(const FabricRequest& q) {
  for (Count factor = 2; q.radix * factor <= most_radix; factor *= 2) {
    FabricRequest larger = q;
    larger.radix = q.radix * factor;
    larger.spine_radix = std::min(most_radix, q.spine_radix * factor);
    larger.core_radix = std::min(most_radix, q.core_radix * factor);
    larger.leaf_down = larger.leaf_up = 0;
    larger.routers_per_group = larger.endpoints_per_router = larger.global_links_per_router = 0;
    if (!feasible(larger)) continue;
    std::string words = fmt::format("radix {}", larger.radix);
    if (q.leaf_down + q.leaf_up > 0) words += " with ports of a leaf by its oversubscription";
    if (q.routers_per_group + q.endpoints_per_router + q.global_links_per_router > 0)
      words += " with balanced switches";
    if (q.spine_radix > 0) words += fmt::format(" and spines of {}", larger.spine_radix);
    if (q.core_radix > 0) words += fmt::format(" and cores of {}", larger.core_radix);
    return WayOut{std::move(words), larger};
  }
  return std::nullopt;
}

} // namespace

std::vector<WayOut> ways_out(const FabricRequest& q) {
  std::vector<WayOut> ways;
  if (wrong_request(q) || feasible(q)) return ways;
  const bool tree = q.topology != Topology::dragonfly;
  std::vector<WayOut> deeper; // more tiers, of a larger radix too where they need it
  if (tree && q.tiers != Tiers::automatic)
    for (const Tiers more : {Tiers::two, Tiers::three}) {
      if (more <= q.tiers) continue;
      FabricRequest tried = q;
      tried.tiers = more;
      const std::string words = more == Tiers::two ? "two tiers" : "three tiers";
      if (feasible(tried)) {
        ways.push_back({words, tried});
        break;
      }
      if (auto larger = larger_radix(tried)) deeper.push_back({words + " of " + larger->words, larger->request});
    }
  constexpr Count far_larger = 8;
  const auto larger = larger_radix(q);
  if (larger && (deeper.empty() || larger->request.radix <= far_larger * q.radix))
    ways.push_back(*larger);
  else if (ways.empty() && !deeper.empty())
    ways.push_back(deeper.back());
  if (!tree && q.nodes_per_unit > 0)
    if (FabricRequest packed = q; packed.nodes_per_unit = 0, feasible(packed))
      ways.insert(ways.begin(), {"groups filled by ports (nodes_per_unit 0)", packed});
  // Links that are reserved need places: their managers may stand where a unit still has some.
  if (q.reserved_links > 0) {
    const Count wanted = (q.reserved_links + q.links_per_node - 1) / q.links_per_node;
    if (FabricRequest placed = q; wanted > q.reserved_node_places) {
      placed.reserved_node_places = wanted;
      if (feasible(placed)) ways.insert(ways.begin(), {number_of(wanted, "reserved node place"), placed});
    }
  }
  if (ways.size() > 2) ways.resize(2);
  if (!ways.empty()) return ways;
  if (auto fewer = most_of(q, &FabricRequest::reserved_links, 0); fewer && q.reserved_links > 0)
    ways.push_back({number_of(fewer->reserved_links, "reserved link"), *fewer});
  else if (auto smaller = most_of(q, &FabricRequest::nodes, 1); smaller)
    ways.push_back({number_of(smaller->nodes, "node"), *smaller});
  return ways;
}

tl::expected<FabricShape, std::string> fabric_shape(const FabricRequest& q) {
  auto shape = shape_without_advice(q);
  if (shape || wrong_request(q)) return shape;
  const auto ways = ways_out(q);
  if (ways.empty()) return refusal(shape.error() + ": reduce the nodes or the links per node");
  return refusal(shape.error() + ": use " + ways[0].words + (ways.size() > 1 ? " or " + ways[1].words : ""));
}

tl::expected<FabricCounts, std::string> fabric_counts(const FabricRequest& q) {
  auto shape = fabric_shape(q);
  if (!shape) return refusal(std::move(shape.error()));
  return std::move(shape->counts);
}

} // namespace hallwright
