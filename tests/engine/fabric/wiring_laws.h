// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fabric/wiring.h"

namespace hallwright::test {

/// What is wrong with a wiring, or nothing: laws that hold for any network.
inline std::string broken_law(const Wiring& w) {
  const FabricRequest& q = w.request.counts;
  const FabricCounts& c = w.counts;
  auto told = [](const auto&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
  };
  const std::map<LinkClass, Count> counted = {{LinkClass::node_leaf, c.node_leaf_cables},
                                              {LinkClass::leaf_spine, c.leaf_spine_cables},
                                              {LinkClass::spine_core, c.spine_core_cables},
                                              {LinkClass::group_local, c.group_local_cables},
                                              {LinkClass::group_global, c.group_global_cables}};
  for (const auto& [kind, count] : counted) {
    if (static_cast<Count>(w.of_class(kind).size()) != count)
      return told(link_class_word(kind), " links: ", w.of_class(kind).size(), ", counted ", count);
    for (const WiredLink& link : w.of_class(kind))
      if (link.kind != kind) return "a link stands in another class";
  }
  std::map<DeviceKind, Count> devices;
  for (const WiredDevice& d : w.devices)
    ++devices[d.kind];
  if (devices[DeviceKind::node] != q.nodes || devices[DeviceKind::leaf] != c.leafs ||
      devices[DeviceKind::spine] != c.spines || devices[DeviceKind::core] != c.cores)
    return "devices differ from the counts";

  // Ports: once each, none beyond the part, those of nodes without gaps.
  const Count spine_radix = q.spine_radix ? q.spine_radix : q.radix / q.uplink_ports;
  const Count core_radix = q.core_radix ? q.core_radix : spine_radix;
  std::vector<std::vector<Count>> ports(w.devices.size());
  Count lit = 0;
  for (const WiredLink& link : w.links) {
    for (const auto& [device, port] : {std::pair(link.near, link.near_port), std::pair(link.far, link.far_port)}) {
      ports[device].push_back(port);
      const DeviceKind kind = w.devices[device].kind;
      const Count radix = kind == DeviceKind::leaf ? q.radix : kind == DeviceKind::spine ? spine_radix : core_radix;
      const bool uplink = kind == DeviceKind::leaf && link.kind == LinkClass::leaf_spine;
      if (port < 1 ||
          (kind != DeviceKind::node && kind != DeviceKind::manager && port + (uplink ? q.uplink_ports - 1 : 0) > radix))
        return told(w.device_name(device), " port ", port, " of ", radix);
      if (uplink)
        for (Count more = 1; more < q.uplink_ports; ++more)
          ports[device].push_back(port + more);
      if (kind != DeviceKind::node && kind != DeviceKind::manager && w.devices[device].plane != link.plane)
        return "a link joins two planes";
    }
    if (link.kind == LinkClass::leaf_spine && link.lit) ++lit;
  }
  if (lit != c.lit_leaf_spine_cables) return told("lit uplinks: ", lit, ", counted ", c.lit_leaf_spine_cables);
  std::map<DeviceKind, Count> most;
  for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
    std::sort(ports[d].begin(), ports[d].end());
    if (std::adjacent_find(ports[d].begin(), ports[d].end()) != ports[d].end())
      return told("a port of ", w.device_name(d), " twice");
    if (w.devices[d].kind == DeviceKind::node && (static_cast<Count>(ports[d].size()) != q.links_per_node * q.planes ||
                                                  ports[d].back() != q.links_per_node * q.planes))
      return told(w.device_name(d), " has ", ports[d].size(), " links");
    most[w.devices[d].kind] = std::max(most[w.devices[d].kind], static_cast<Count>(ports[d].size()));
    if (w.at_device(d).size() > ports[d].size()) return "the index has other links";
  }
  const Count usable = q.radix - q.reserved_leaf_ports;
  if (q.reserved_links == 0 && most[DeviceKind::leaf] > usable) return "a reserved leaf port is used";
  if (most[DeviceKind::spine] > spine_radix - q.reserved_spine_ports) return "a reserved spine port is used";

  // Tiers: every leaf reaches every spine of its pod, every spine of equal bundles equally; every core every pod.
  std::map<std::pair<Count, Count>, Count> pairs, core_pods;
  std::map<Count, std::set<Count>> cores_of_spine;
  std::map<std::pair<Count, Count>, std::pair<Count, Count>> pod_sizes;
  auto tree_of = [&](const WiredDevice& d) {
    return std::pair<Count, Count>(q.topology == Topology::rail_only ? d.plane * 100000 + d.rail : d.plane, d.pod);
  };
  for (const WiredDevice& d : w.devices) {
    if (d.kind == DeviceKind::leaf) ++pod_sizes[tree_of(d)].first;
    if (d.kind == DeviceKind::spine) ++pod_sizes[tree_of(d)].second;
  }
  for (const WiredLink& link : w.of_class(LinkClass::leaf_spine)) {
    ++pairs[{link.near, link.far}];
    if (tree_of(w.devices[link.near]) != tree_of(w.devices[link.far]))
      return "a leaf reaches a spine of another pod, rail or plane";
  }
  if (c.tiers > 1) {
    std::size_t expected = 0;
    for (const auto& [tree, size] : pod_sizes)
      expected += static_cast<std::size_t>(size.first * size.second);
    if (pairs.size() != expected) return told("leaf and spine pairs: ", pairs.size(), " of ", expected);
    if (q.bundles == BundleRule::equal && q.units == UnitRule::whole) {
      std::map<std::pair<Count, Count>, Count> bundle;
      for (const auto& [pair, links] : pairs) {
        Count& known = bundle[tree_of(w.devices[static_cast<std::size_t>(pair.first)])];
        if (known != 0 && known != links) return "bundles of a pod differ";
        known = links;
      }
    }
  }
  if (c.tiers == 3) {
    for (const WiredLink& link : w.of_class(LinkClass::spine_core)) {
      ++core_pods[{link.far, w.devices[link.near].pod}];
      cores_of_spine[link.near].insert(link.far);
      if (q.topology == Topology::rail_only && w.devices[link.near].rail != w.devices[link.far].rail)
        return "a core serves two rails";
    }
    if (static_cast<Count>(core_pods.size()) != c.cores * c.pods)
      return told("a core does not reach every pod: ", core_pods.size(), " of ", c.cores * c.pods);
    if (q.bundles == BundleRule::equal) {
      std::map<Count, Count> of_pod;
      for (const auto& [pair, links] : core_pods) {
        Count& known = of_pod[pair.second];
        if (known != 0 && known != links) return "cores reach a pod unequally";
        known = links;
      }
    }
  }

  // Rails: link r of a node on the leaf of rail r in its unit.
  for (const WiredLink& link : w.of_class(LinkClass::node_leaf)) {
    const WiredDevice &node = w.devices[link.near], &leaf = w.devices[link.far];
    if (node.kind != DeviceKind::node || leaf.kind != DeviceKind::leaf) continue;
    if (q.topology == Topology::dragonfly) continue;
    if ((q.rails || q.topology == Topology::rail_only) && link.rail != leaf.rail)
      return told("rail ", link.rail, " on a leaf of rail ", leaf.rail);
    if (q.rails && q.topology == Topology::fat_tree && node.unit != leaf.unit)
      return "a node on a leaf of another unit";
    if (q.rails && (link.near_port - 1) % q.links_per_node != link.rail) return "node ports do not follow rails";
  }

  // Cages: no cage carries links of two directions.
  auto one_kind = [&](DeviceKind kind, const Cages& cages) {
    if (cages.links_per_cage < 2) return true;
    for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
      if (w.devices[d].kind != kind) continue;
      std::map<Count, LinkClass> of_cage;
      for (const std::uint32_t i : w.at_device(d)) {
        const WiredLink& link = w.links[i];
        const Count cage = cages.cage_of(link.near == d ? link.near_port : link.far_port);
        if (!of_cage.emplace(cage, link.kind).second && of_cage[cage] != link.kind) return false;
      }
    }
    return true;
  };
  if (!one_kind(DeviceKind::leaf, w.request.leaf_cages)) return "a cage of a leaf is shared by two kinds";
  if (!one_kind(DeviceKind::spine, w.request.spine_cages)) return "a cage of a spine is shared by two kinds";

  // Dragonfly: all to all in a group, all to all between groups.
  if (q.topology == Topology::dragonfly) {
    std::set<std::pair<Count, Count>> local, global;
    for (const WiredLink& link : w.of_class(LinkClass::group_local)) {
      if (w.devices[link.near].unit != w.devices[link.far].unit) return "a local link leaves its group";
      if (!local.insert({link.near, link.far}).second) return "two switches of a group joined twice";
    }
    for (const WiredLink& link : w.of_class(LinkClass::group_global)) {
      const Count a = w.devices[link.near].unit, b = w.devices[link.far].unit;
      if (a >= b) return "a global link stays in its group";
      global.insert({link.plane * 1000000 + a, b});
    }
    if (static_cast<Count>(global.size()) != q.planes * (c.groups * (c.groups - 1) / 2))
      return "two groups are not joined";
  }
  for (const PortRule& rule : w.rules)
    if (rule.links + rule.departures != static_cast<Count>(w.of_class(rule.kind).size())) return "a rule forgets links";
  return {};
}

} // namespace hallwright::test
