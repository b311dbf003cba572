// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/dragonfly.h"

#include <algorithm>

#include <fmt/format.h>

#include "fabric/counts_shape.h"

namespace hallwright {
namespace {

tl::unexpected<std::string> refusal(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

/// End points and global ports of a switch and switches of a group: as stated, the rest balanced.
void fill_switch(const FabricRequest& q, DragonflyShape& d) {
  const Count ports = q.radix - q.reserved_leaf_ports;
  d.switches = q.routers_per_group;
  d.end_points = q.endpoints_per_router;
  d.global_ports = q.global_links_per_router;
  if (d.end_points == 0 && d.global_ports == 0)
    d.end_points = d.global_ports = std::max<Count>(1, d.switches > 0 ? (ports - d.switches + 1) / 2 : (ports + 1) / 4);
  const Count free = d.switches > 0 ? ports - d.switches + 1 - d.end_points - d.global_ports : ports;
  if (d.end_points == 0) d.end_points = std::max<Count>(1, std::min(d.global_ports, free));
  if (d.global_ports == 0) d.global_ports = std::max<Count>(1, std::min(d.end_points, free));
  if (d.switches == 0)
    d.switches = std::max<Count>(
        1, std::min(2 * std::max(d.end_points, d.global_ports), ports - d.end_points - d.global_ports + 1));
}

} // namespace

tl::expected<DragonflyShape, std::string> dragonfly_shape(const FabricRequest& q) {
  DragonflyShape d;
  fill_switch(q, d);
  const Count a = d.switches, p = d.end_points, h = d.global_ports;
  if (const Count ports = p + a - 1 + h + q.reserved_leaf_ports; ports > q.radix)
    return refusal(
        fmt::format("a switch with {}, {} to its group and {} needs {} ports with those reserved; the radix is {}",
                    number_of(p, "end point"), number_of(a - 1, "link"), number_of(h, "global link"), ports, q.radix));
  const Count places = q.nodes + q.reserved_node_places, of_group = a * p;
  const bool packed = q.nodes_per_unit == 0;
  if (!packed && q.nodes_per_unit * q.links_per_node > of_group)
    return refusal(fmt::format("a group has {}; {} of {} ask for {}", number_of(of_group, "end point"),
                               number_of(q.nodes_per_unit, "node"), number_of(q.links_per_node, "link"),
                               q.nodes_per_unit * q.links_per_node));
  d.unit_places = packed ? places : q.nodes_per_unit;
  d.groups = packed ? ceil_of(places * q.links_per_node, of_group) : ceil_of(places, q.nodes_per_unit);
  const Count most_groups = a * h + 1;
  if (d.groups > most_groups)
    return refusal(
        fmt::format("a dragonfly with groups of {} and {} a switch carries {} and {}; {} are asked for in {}",
                    a == 1 ? "1 switch" : fmt::format("{} switches", a), number_of(h, "global link"),
                    number_of(most_groups, "group"), number_of(most_groups * of_group, "end point"),
                    places * q.links_per_node, number_of(d.groups, "group")));

  const Count others = d.groups - 1;
  d.pair_links = others > 0 ? a * h / others : 0;
  d.last_switches = a;
  if (q.units == UnitRule::lit) {
    // The last group has the switches that carry links, and enough to reach every other group.
    const Count links = packed ? places * q.links_per_node - others * of_group
                               : (places - others * q.nodes_per_unit) * q.links_per_node;
    d.last_switches = std::min(a, std::max({Count{1}, ceil_of(links, p), ceil_of(others, h)}));
  }
  d.last_pair_links = others > 0 ? std::min(d.pair_links, d.last_switches * h / others) : 0;
  if (q.bundles == BundleRule::uneven && others > 1 && d.last_switches == a) {
    d.extra_links = a * h - d.pair_links * others;
    if (d.extra_links % 2 == 1 && d.groups % 2 == 1) --d.extra_links;
  }
  d.local_links = others * (a * (a - 1) / 2) + d.last_switches * (d.last_switches - 1) / 2;
  d.global_links = others > 0 ? d.pair_links * (others * (others - 1) / 2) + d.last_pair_links * others +
                                    d.groups * d.extra_links / 2
                              : 0;
  if (const Count free = d.all_switches() * (q.radix - (a - 1) - h),
      asked = q.nodes * q.links_per_node + q.reserved_links;
      asked > free)
    return refusal(fmt::format("the switches have {} for nodes; {} are asked for with {} reserved",
                               number_of(free, "port"), asked, number_of(q.reserved_links, "link")));
  return d;
}

FabricCounts dragonfly_counts(const FabricRequest& q, const DragonflyShape& d) {
  FabricCounts c;
  c.tiers = 1;
  c.groups = c.units = d.groups;
  c.leafs = d.all_switches() * q.planes;
  c.leaf_down = d.end_points;
  c.leaf_up = d.switches - 1 + d.global_ports;
  c.nodes_per_unit = q.nodes_per_unit;
  c.node_leaf_cables = (q.nodes * q.links_per_node + q.reserved_links) * q.planes;
  c.group_local_cables = d.local_links * q.planes;
  c.group_global_cables = d.global_links * q.planes;
  c.switch_ports_used = c.node_leaf_cables + 2 * (c.group_local_cables + c.group_global_cables);
  c.switch_ports_idle = c.leafs * q.radix - c.switch_ports_used;
  c.uneven = d.extra_links > 0 || d.last_pair_links < d.pair_links;
  const Count places = q.nodes + q.reserved_node_places;
  c.partial_unit = q.nodes_per_unit > 0 ? places % q.nodes_per_unit != 0
                                        : places * q.links_per_node % (d.switches * d.end_points) != 0;
  const Count global_ends = d.pair_links * (d.groups - 1) + d.extra_links;
  const double below = static_cast<double>(d.switches * d.end_points);
  if (global_ends > 0)
    c.oversubscription = below / static_cast<double>(global_ends);
  else if (d.switches > 1)
    c.oversubscription = static_cast<double>(d.end_points) / static_cast<double>(d.switches - 1);
  c.rule = fmt::format(
      "dragonfly: groups of {} switches with {} and {} each; {}{}", d.switches, number_of(d.end_points, "end point"),
      number_of(d.global_ports, "global link"), number_of(d.groups, "group"),
      d.groups > 1 ? fmt::format(", {} between each two", number_of(d.pair_links, "link")) : std::string());
  if (d.extra_links > 0)
    c.rule += fmt::format(" and {} more of each group to its neighbours on the ring (uneven bundles)", d.extra_links);
  else if (const Count idle = d.switches * d.global_ports - global_ends; idle > 0 && d.groups > 1)
    c.notes.push_back(fmt::format("{} of each group stay idle under equal bundles", number_of(idle, "global port")));
  if (d.last_pair_links < d.pair_links)
    c.notes.push_back(fmt::format("the last group has {} switches and {} to each other group", d.last_switches,
                                  number_of(d.last_pair_links, "link")));
  if (q.rails && q.links_per_node > 1)
    c.notes.push_back("rails play no part in a dragonfly: the links of a node fill switch after switch");
  return c;
}

GlobalEnd far_end(const DragonflyShape& d, Count group, Count x) {
  const Count others = d.groups - 1;
  if (others == 0) return {};
  const Count regular = d.pair_links * others;
  if (x < regular) {
    const Count copy = x / others, peer = x % others, far = peer < group ? peer : peer + 1;
    if ((far == others || group == others) && copy >= d.last_pair_links) return {};
    return {far, copy * others + (group < far ? group : group - 1)};
  }
  const Count slot = x - regular;
  if (slot >= d.extra_links) return {};
  if (slot == d.extra_links - 1 && d.extra_links % 2 == 1) return {(group + d.groups / 2) % d.groups, x};
  const Count step = slot / 2 + 1;
  return slot % 2 == 0 ? GlobalEnd{(group + step) % d.groups, x + 1}
                       : GlobalEnd{(group + d.groups - step) % d.groups, x - 1};
}

} // namespace hallwright
