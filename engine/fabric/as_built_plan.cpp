// SPDX-License-Identifier: GPL-3.0-or-later
// Plans to compare with: from a wired network, and from links that were read from a file.
#include <algorithm>
#include <map>

#include "fabric/as_built.h"
#include "fabric/as_built_rule.h"
#include "project/found_links_table.h"

namespace hallwright {

PlannedFabric planned_fabric(const Wiring& wiring, std::string_view prefix) {
  PlannedFabric out;
  const bool planes = wiring.request.counts.planes > 1, rails = wiring.request.counts.rails;
  out.devices.reserve(wiring.devices.size());
  for (std::uint32_t d = 0; d < wiring.devices.size(); ++d) {
    const WiredDevice& w = wiring.devices[d];
    PlannedDevice p;
    p.name = std::string(prefix) + wiring.device_name(d);
    p.kind = w.kind;
    const bool is_switch = w.kind != DeviceKind::node && w.kind != DeviceKind::manager;
    if (is_switch && planes) p.plane = w.plane;
    if (w.kind == DeviceKind::leaf && rails) p.rail = w.rail;
    if (is_switch) {
      const WiringRequest& q = wiring.request;
      const Cages& cages = w.kind == DeviceKind::leaf ? q.leaf_cages : w.kind == DeviceKind::spine ? q.spine_cages : q.core_cages;
      p.links_per_cage = cages.cages > 0 ? cages.links_per_cage : 0;
    }
    out.devices.push_back(std::move(p));
  }
  out.links.reserve(wiring.links.size());
  for (const WiredLink& w : wiring.links) {
    PlannedLink l;
    l.near = w.near;
    l.far = w.far;
    l.near_port = w.near_port;
    l.far_port = w.far_port;
    l.kind = w.kind;
    l.rail = rails && w.kind == LinkClass::node_leaf ? static_cast<std::int16_t>(w.rail) : std::int16_t{-1};
    l.plane = planes ? static_cast<std::int16_t>(w.plane) : std::int16_t{-1};
    l.lit = w.lit;
    out.links.push_back(l);
  }
  return out;
}

PlannedFabric planned_fabric(const FoundLinks& file) {
  PlannedFabric out;
  std::vector<int> tiers = found_tiers(file);
  for (int& t : tiers)
    t = std::abs(t); // a switch from which nothing leads to a host counts as a leaf
  out.port_names = file.port_names;
  out.labels = file.messages;
  std::vector<std::uint32_t> planned(file.devices.size());
  std::vector<PortKey> adapter(file.devices.size(), 0); // adapters of one node are its ports
  std::map<std::string, std::uint32_t> node_of_name;
  std::map<std::string, PortKey> adapter_ports;
  for (std::uint32_t d = 0; d < file.devices.size(); ++d) {
    const FoundDevice& f = file.devices[d];
    planned[d] = static_cast<std::uint32_t>(out.devices.size());
    if (tiers[d] == 0 && !f.adapter.empty() && !says_nothing(f.name)) {
      const auto [port, new_port] =
          adapter_ports.emplace(f.adapter, static_cast<PortKey>(out.port_names.size()) | named_port);
      if (new_port) out.port_names.push_back(f.adapter);
      adapter[d] = port->second;
      const auto [node, new_node] = node_of_name.emplace(f.name, planned[d]);
      planned[d] = node->second;
      if (!new_node) continue;
    }
    PlannedDevice p;
    p.name = file.device_text(d);
    p.rack = f.rack;
    p.unit_place = f.unit_place;
    p.kind = tiers[d] == 0   ? DeviceKind::node
             : tiers[d] == 2 ? DeviceKind::spine
             : tiers[d] == 3 ? DeviceKind::core
                             : DeviceKind::leaf;
    out.devices.push_back(std::move(p));
  }
  for (const FoundLink& f : file.links) {
    PlannedLink l;
    const bool turn = tiers[f.near] > tiers[f.far];
    const std::uint32_t near = turn ? f.far : f.near, far = turn ? f.near : f.far;
    l.near = planned[near];
    l.far = planned[far];
    l.near_port = adapter[near] ? adapter[near] : turn ? f.far_port : f.near_port;
    l.far_port = turn ? f.near_port : f.far_port;
    const int low = std::min(tiers[f.near], tiers[f.far]), high = std::max(tiers[f.near], tiers[f.far]);
    l.kind = low == 0      ? LinkClass::node_leaf
             : low == high ? LinkClass::group_local
             : high <= 2   ? LinkClass::leaf_spine
                           : LinkClass::spine_core;
    l.rail = f.rail;
    l.plane = f.plane;
    l.lanes = f.lanes;
    l.lane_gbps = f.lane_gbps;
    l.label = f.label;
    out.links.push_back(l);
  }
  // Planes that a list does not tell are parts of the switches that no switch joins, where every part has two tiers.
  std::vector<std::uint32_t> part(file.devices.size());
  for (std::uint32_t d = 0; d < part.size(); ++d)
    part[d] = d;
  const auto root = [&](std::uint32_t d) {
    while (part[d] != d)
      d = part[d] = part[part[d]];
    return d;
  };
  bool told = false;
  for (const PlannedLink& l : out.links) {
    told |= l.plane >= 0;
  }
  for (const FoundLink& f : file.links)
    if (tiers[f.near] > 0 && tiers[f.far] > 0) part[root(f.near)] = root(f.far);
  std::map<std::uint32_t, std::pair<int, std::size_t>> parts; // root -> plane, switches
  for (std::uint32_t d = 0; d < part.size(); ++d)
    if (tiers[d] > 0) ++parts[root(d)].second;
  bool alone = false;
  int next = 0;
  for (auto& [r, p] : parts) {
    p.first = next++;
    alone |= p.second < 2;
  }
  if (!told && parts.size() > 1 && parts.size() <= 16 && !alone)
    for (std::uint32_t d = 0; d < part.size(); ++d)
      if (tiers[d] > 0) out.devices[planned[d]].plane = parts[root(d)].first;
  return out;
}

} // namespace hallwright
