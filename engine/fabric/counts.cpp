// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "fabric/fabric.h"
#include "ledger/formula_range.h"

namespace hallwright {
namespace {

constexpr Count ceil_of(Count a, Count b) { return a / b + (a % b != 0); }

// What a request may hold; beyond these the products no longer fit, and no fabric is meant.
constexpr Count most_nodes = 100'000'000, most_links = 100'000, most_radix = 100'000, most_planes = 1024;

std::string plural(Count n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::optional<std::string> wrong_request(const FabricRequest& q) {
  auto outside = [](std::string_view name, Count value, Count low, Count high) -> std::optional<std::string> {
    if (value >= low && value <= high) return std::nullopt;
    return fmt::format("{} must be {} to {}; it is {}", name, low, high, value);
  };
  if (q.nodes == 0) return "there are no nodes to connect";
  for (auto wrong : {outside("nodes", q.nodes, 1, most_nodes), outside("links_per_node", q.links_per_node, 1, most_links),
                     outside("radix", q.radix, 1, most_radix), outside("nodes_per_unit", q.nodes_per_unit, 0, most_nodes),
                     outside("leaf_down", q.leaf_down, 0, q.radix), outside("leaf_up", q.leaf_up, 0, q.radix),
                     outside("planes", q.planes, 1, most_planes),
                     outside("reserved_node_places", q.reserved_node_places, 0, most_nodes),
                     outside("reserved_links", q.reserved_links, 0, most_nodes)})
    if (wrong) return wrong;
  constexpr double most_taper = 1000.0;
  for (auto [name, value] : {std::pair("oversubscription", q.oversubscription), std::pair("core_oversubscription", q.core_oversubscription)})
    if (!(value >= 1.0 / most_taper && value <= most_taper))
      return fmt::format("{} must be {:g} to {:g}; it is {:g}", name, 1.0 / most_taper, most_taper, value);
  if (q.leaf_down + q.leaf_up > q.radix)
    return fmt::format("leaf_down + leaf_up must be at most the radix, {}; it is {}", q.radix, q.leaf_down + q.leaf_up);
  return std::nullopt;
}

/// Uplinks that keep `down` links at or below an oversubscription.
Count uplinks_for(Count down, double taper) {
  return static_cast<Count>(whole_at_least(static_cast<double>(down) / taper));
}
/// The most down ports that leave room for their uplinks on a switch.
Count down_ports(Count radix, double taper) {
  Count down = static_cast<Count>(whole_at_most(static_cast<double>(radix) * taper / (1.0 + taper)));
  while (down > 0 && down + uplinks_for(down, taper) > radix) --down;
  return down;
}

/// Leafs of a plane, full ones and the partly filled ones of the last unit.
struct Leafs {
  Count down = 0, up = 0; ///< ports of a leaf
  Count per_unit = 1;
  Count nodes_per_unit = 0;
  Count units = 0;
  Count count = 0;         ///< built
  Count built_uplinks = 0; ///< over all leafs
  Count lit_uplinks = 0;   ///< that carry links of nodes and of reserved places
  Count partial = 0;       ///< how many leafs of the count have fewer than `up` uplinks built
  Count partial_up = 0;    ///< the most uplinks among those
  bool partial_unit = false;
};

/// Uplinks that `used` down links need.
Count uplinks_of(const Leafs& l, Count used) { return std::min(l.up, ceil_of(used * l.up, l.down)); }

/// Spreads `ports` over as many leafs as they fill and counts what is built and what is lit.
void add_ports(Leafs& l, const FabricRequest& q, Count ports, Count leafs_when_whole, Count times) {
  const Count full = ports / l.down, rest = ports % l.down;
  const Count with_links = full + (rest > 0);
  const Count lit = full * l.up + (rest > 0 ? uplinks_of(l, rest) : 0);
  l.lit_uplinks += times * lit;
  if (q.units == UnitRule::whole) {
    l.count += times * leafs_when_whole;
    l.built_uplinks += times * leafs_when_whole * l.up;
  } else {
    l.count += times * with_links;
    l.built_uplinks += times * lit;
    if (rest > 0 && uplinks_of(l, rest) < l.up) {
      l.partial += times;
      l.partial_up = std::max(l.partial_up, uplinks_of(l, rest));
    }
  }
}

/// Leafs of a plane, or why a leaf cannot be made.
tl::expected<Leafs, std::string> leafs_of(const FabricRequest& q) {
  Leafs l;
  const double taper = q.leaf_down > 0 && q.leaf_up > 0 ? static_cast<double>(q.leaf_down) / static_cast<double>(q.leaf_up)
                                                        : q.oversubscription;
  if (q.leaf_down > 0) {
    l.down = q.leaf_down;
  } else if (q.leaf_up > 0) {
    l.down = std::min(q.radix - q.leaf_up, static_cast<Count>(whole_at_most(static_cast<double>(q.leaf_up) * taper)));
  } else {
    l.down = down_ports(q.radix, taper);
    if (q.nodes_per_unit > 0 && l.down > 0) {
      // A leaf has no more down ports than its unit has links for it.
      const Count ports = q.rails ? q.nodes_per_unit : q.nodes_per_unit * q.links_per_node;
      l.down = ceil_of(ports, ceil_of(ports, l.down));
    }
  }
  if (l.down < 1) return tl::make_unexpected(fmt::format("a leaf of radix {} has no down port at oversubscription {:g}", q.radix, taper));
  l.up = q.leaf_up > 0 ? q.leaf_up : uplinks_for(l.down, taper);
  if (l.down + l.up > q.radix)
    return tl::make_unexpected(fmt::format("{} down ports need {} up ports at oversubscription {:g}, together more than the radix, {}",
                                           l.down, l.up, taper, q.radix));

  const Count places = q.nodes + q.reserved_node_places;
  if (q.rails) {
    l.nodes_per_unit = q.nodes_per_unit > 0 ? q.nodes_per_unit : l.down;
    const Count leafs_per_rail = ceil_of(l.nodes_per_unit, l.down);
    l.per_unit = leafs_per_rail * q.links_per_node;
    l.units = ceil_of(places, l.nodes_per_unit);
    const Count full_units = places / l.nodes_per_unit, rest = places % l.nodes_per_unit;
    // Every rail of a unit is alike: count one and multiply.
    add_ports(l, q, l.nodes_per_unit, leafs_per_rail, full_units * q.links_per_node);
    if (rest > 0) add_ports(l, q, rest, leafs_per_rail, q.links_per_node);
    l.partial_unit = rest > 0;
  } else if (q.nodes_per_unit > 0) {
    l.nodes_per_unit = q.nodes_per_unit;
    const Count ports = q.nodes_per_unit * q.links_per_node;
    l.per_unit = ceil_of(ports, l.down);
    l.units = ceil_of(places, l.nodes_per_unit);
    const Count full_units = places / l.nodes_per_unit, rest = places % l.nodes_per_unit;
    add_ports(l, q, ports, l.per_unit, full_units);
    if (rest > 0) add_ports(l, q, rest * q.links_per_node, l.per_unit, 1);
    l.partial_unit = rest > 0;
  } else {
    // No unit is stated: nodes fill leaf after leaf.
    const Count ports = places * q.links_per_node;
    l.per_unit = 1;
    l.units = ceil_of(ports, l.down);
    add_ports(l, q, ports, l.units, 1);
    l.partial_unit = ports % l.down != 0;
  }
  return l;
}

/// Switches of the tier above a group of leafs: a number, and the words for its rule.
struct Spines {
  Count count = 0;
  bool uneven = false;
  std::string rule;
};
/// @param ports  down ports of a spine
std::optional<Spines> spines_above(const Leafs& l, Count leafs, Count partial, Count links, Count ports, BundleRule bundles) {
  Spines out;
  const Count needed = std::max<Count>(1, ceil_of(links, ports));
  if (bundles == BundleRule::uneven) {
    // Each leaf reaches each spine at least once, so there are no more spines than uplinks, nor leafs than ports.
    if (needed > l.up || leafs > ports) return std::nullopt;
    out.count = needed;
    out.uneven = l.up % needed != 0;
    out.rule = fmt::format("uneven bundles: spines {}, {} links over {} ports each", needed, links, ports);
    return out;
  }
  for (Count s = needed; s <= l.up; ++s) {
    if (l.up % s != 0) continue;
    if ((leafs - partial) * (l.up / s) + partial * ceil_of(l.partial_up, s) > ports) continue;
    out.count = s;
    out.rule = s == needed ? fmt::format("equal bundles: spines {}, {} links over {} ports each, and {} divides the {} uplinks of a leaf", s,
                                         links, ports, s, l.up)
                           : fmt::format("equal bundles: spines {}, the smallest divisor of {} that is at least {}", s, l.up, needed);
    return out;
  }
  return std::nullopt;
}

Count smallest_divisor_at_least(Count of, Count least) {
  Count best = 0;
  for (Count a = 1; a * a <= of; ++a) {
    if (of % a != 0) continue;
    for (Count d : {a, of / a})
      if (d >= least && (best == 0 || d < best)) best = d;
  }
  return best;
}

void one_plane_to_all(FabricCounts& c, const FabricRequest& q) {
  for (Count* n : {&c.leafs, &c.spines, &c.cores, &c.node_leaf_cables, &c.leaf_spine_cables, &c.spine_core_cables, &c.lit_leaf_spine_cables})
    *n *= q.planes;
  const Count cables = c.node_leaf_cables + c.leaf_spine_cables + c.spine_core_cables;
  c.transceivers = 2 * cables;
  c.switch_ports_used = c.node_leaf_cables + 2 * c.leaf_spine_cables + 2 * c.spine_core_cables;
  c.switch_ports_idle = (c.leafs + c.spines + c.cores) * q.radix - c.switch_ports_used;
  if (q.planes > 1) c.notes.push_back(fmt::format("{} planes; cables are counted in links of one plane", q.planes));
}

tl::expected<FabricCounts, std::string> one_tier(const FabricRequest& q) {
  FabricCounts c;
  c.tiers = 1;
  const Count places = q.nodes + q.reserved_node_places;
  const Count per_switch = q.rails ? places : places * q.links_per_node;
  if (per_switch > q.radix)
    return tl::make_unexpected(fmt::format("one tier of radix {} carries {}; {} are asked for", q.radix,
                                           q.rails ? plural(q.radix, "node") + " on each rail" : plural(q.radix, "link"), per_switch));
  c.units = 1;
  c.leafs = q.rails ? q.links_per_node : 1;
  c.node_leaf_cables = q.nodes * q.links_per_node + q.reserved_links;
  c.leaf_down = per_switch;
  c.nodes_per_unit = places;
  if (c.node_leaf_cables > c.leafs * q.radix)
    return tl::make_unexpected(fmt::format("one tier of radix {} carries {}; {} are asked for with the reserved links", q.radix,
                                           plural(c.leafs * q.radix, "link"), c.node_leaf_cables));
  c.rule = q.rails ? fmt::format("one tier: a switch for each of {} rails, no spine", q.links_per_node) : "one tier: one switch";
  one_plane_to_all(c, q);
  return c;
}

FabricCounts start(const FabricRequest& q, const Leafs& l, Count tiers) {
  FabricCounts c;
  c.tiers = tiers;
  c.units = l.units;
  c.leafs = l.count;
  c.leaf_down = l.down;
  c.leaf_up = l.up;
  c.nodes_per_unit = l.nodes_per_unit;
  c.partial_unit = l.partial_unit;
  c.node_leaf_cables = q.nodes * q.links_per_node + q.reserved_links;
  c.leaf_spine_cables = l.built_uplinks;
  c.oversubscription = static_cast<double>(l.down) / static_cast<double>(l.up);
  // Links of reserved places carry no node: only what nodes need is lit.
  FabricRequest nodes_only = q;
  nodes_only.reserved_node_places = 0;
  if (auto lit = leafs_of(nodes_only)) c.lit_leaf_spine_cables = lit->lit_uplinks;
  if (l.partial_unit)
    c.notes.push_back(q.units == UnitRule::whole ? "the last unit is not full; its leafs and their uplinks are built whole"
                                                 : "the last unit is not full; only leafs and uplinks that carry links are built");
  return c;
}

tl::expected<FabricCounts, std::string> two_tiers(const FabricRequest& q, const Leafs& l) {
  const auto spines = spines_above(l, l.count, l.partial, l.built_uplinks, q.radix, q.bundles);
  if (!spines)
    return tl::make_unexpected(fmt::format("two tiers of radix {} carry {} ({} leafs); {} are asked for ({} leafs)", q.radix,
                                           plural(q.radix * l.down, "link"), q.radix,
                                           (q.nodes + q.reserved_node_places) * q.links_per_node, l.count));
  FabricCounts c = start(q, l, 2);
  c.spines = spines->count;
  c.uneven = spines->uneven;
  c.rule = spines->rule;
  c.spine_down = ceil_of(l.built_uplinks, spines->count);
  one_plane_to_all(c, q);
  return c;
}

tl::expected<FabricCounts, std::string> three_tiers(const FabricRequest& q, const Leafs& l) {
  const Count spine_down = down_ports(q.radix, q.core_oversubscription);
  if (spine_down < 1) return tl::make_unexpected(fmt::format("a spine of radix {} has no down port at core oversubscription {:g}", q.radix, q.core_oversubscription));
  // A pod: as many leafs as one link to each of its spines allows, in whole units where they fit.
  const Count leafs_per_pod = l.per_unit <= spine_down ? spine_down / l.per_unit * l.per_unit : spine_down;
  const Count full_pods = l.count / leafs_per_pod, rest = l.count % leafs_per_pod;
  const Count pods = full_pods + (rest > 0);

  // Partly filled leafs stand in the last unit: the last pod has them, as far as it holds them.
  const Count last_leafs = rest > 0 ? rest : leafs_per_pod;
  const Count like_first = pods - 1;
  const Count last_partial = std::min(l.partial, last_leafs);
  const Count first_links = leafs_per_pod * l.up;
  const Count left_over = l.built_uplinks - std::min(l.built_uplinks, like_first * first_links);
  const Count last_links = l.partial > last_leafs ? last_leafs * l.up : std::min(left_over, last_leafs * l.up);

  std::optional<Spines> first = spines_above(l, leafs_per_pod, 0, first_links, spine_down, q.bundles);
  std::optional<Spines> last = spines_above(l, last_leafs, last_partial, std::max<Count>(1, last_links), spine_down, q.bundles);
  if (!first || !last)
    return tl::make_unexpected(fmt::format("{} uplinks of a leaf do not spread over spines of radix {}", l.up, q.radix));

  FabricCounts c = start(q, l, 3);
  c.pods = pods;
  c.spines = like_first * first->count + last->count;
  c.uneven = last->uneven || (like_first > 0 && first->uneven);
  c.spine_down = spine_down;
  c.spine_up = uplinks_for(spine_down, q.core_oversubscription);
  // Each spine of a pod has as many uplinks as the links from below that it carries ask for.
  auto pod_uplinks = [&](Count links, Count spines) { return spines * uplinks_for(ceil_of(links, spines), q.core_oversubscription); };
  const Count first_up = pod_uplinks(first_links, first->count), last_up = pod_uplinks(last_links, last->count);
  c.spine_core_cables = like_first * first_up + last_up;
  const Count needed = std::max<Count>(1, ceil_of(c.spine_core_cables, q.radix));
  const Count cores = q.bundles == BundleRule::equal ? smallest_divisor_at_least(first_up, needed) : needed;
  if (cores == 0 || pods > q.radix)
    return tl::make_unexpected(fmt::format("three tiers of radix {} carry {} in {} pods; {} are asked for", q.radix,
                                           plural(q.radix * leafs_per_pod * l.down, "link"), q.radix,
                                           (q.nodes + q.reserved_node_places) * q.links_per_node));
  c.cores = cores;
  if (first_up % cores != 0 || last_up % cores != 0) {
    c.uneven = true;
    c.notes.push_back(fmt::format("the {} uplinks of {} do not spread evenly over {} cores", last_up % cores != 0 ? last_up : first_up,
                                  last_up % cores != 0 ? "the last pod" : "a pod", cores));
  }
  c.rule = fmt::format("{}; {} of up to {} leafs; cores {}, {}", like_first > 0 ? first->rule : last->rule, plural(pods, "pod"), leafs_per_pod, cores,
                       q.bundles == BundleRule::uneven ? fmt::format("{} links over {} ports each", c.spine_core_cables, q.radix)
                       : cores == needed               ? fmt::format("{} links over {} ports each, and {} divides the {} uplinks of a pod",
                                                                     c.spine_core_cables, q.radix, cores, first_up)
                                                       : fmt::format("the smallest divisor of {} that is at least {}", first_up, needed));
  one_plane_to_all(c, q);
  return c;
}

tl::expected<FabricCounts, std::string> of_tiers(const FabricRequest& q, Tiers tiers) {
  if (tiers == Tiers::one) return one_tier(q);
  auto leafs = leafs_of(q);
  if (!leafs) return tl::make_unexpected(leafs.error());
  if (const Count free = leafs->count * (q.radix - leafs->up), asked = q.nodes * q.links_per_node + q.reserved_links; asked > free)
    return tl::make_unexpected(fmt::format("the leafs have {} for nodes; {} are asked for with {} reserved", plural(free, "port"), asked,
                                           plural(q.reserved_links, "link")));
  return tiers == Tiers::two ? two_tiers(q, *leafs) : three_tiers(q, *leafs);
}

/// The nearest design that can be built: more tiers of this radix, or these tiers of a larger radix.
std::string way_out(const FabricRequest& q, Tiers refused) {
  std::vector<std::string> ways;
  for (Tiers more : {Tiers::two, Tiers::three}) {
    if (more <= refused || !of_tiers(q, more)) continue;
    ways.push_back(more == Tiers::two ? "two tiers" : "three tiers");
    break;
  }
  for (Count factor = 2; factor <= 1024 && q.radix * factor <= most_radix; factor *= 2) {
    FabricRequest larger = q;
    larger.radix = q.radix * factor;
    larger.leaf_down = larger.leaf_up = 0;
    if (!of_tiers(larger, refused)) continue;
    ways.push_back(fmt::format("radix {}", larger.radix));
    break;
  }
  if (ways.empty()) return "reduce the nodes or the links per node";
  return "use " + ways[0] + (ways.size() > 1 ? " or " + ways[1] : "");
}

} // namespace

tl::expected<FabricCounts, std::string> fabric_counts(const FabricRequest& q) {
  if (auto wrong = wrong_request(q)) return tl::make_unexpected(*wrong);
  if (q.tiers == Tiers::automatic) {
    // One switch is enough where nothing asks for rails; else the fewest tiers that reach.
    if (!q.rails && q.leaf_down == 0 && q.leaf_up == 0)
      if (auto one = one_tier(q)) return one;
    if (auto two = of_tiers(q, Tiers::two)) return two;
    if (auto three = of_tiers(q, Tiers::three)) return three;
  }
  const Tiers last = q.tiers == Tiers::automatic ? Tiers::three : q.tiers;
  auto counts = of_tiers(q, last);
  if (counts) return counts;
  return tl::make_unexpected(counts.error() + ": " + way_out(q, last));
}

} // namespace hallwright
