// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/as_built_networks.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "fabric/faceplate_ports.h"
#include "fabric/netbox_devices.h"

namespace hallwright {
namespace {

std::string prefix_of(const NetworkCabling& n) { return n.name + " "; }

/// Names of the devices of a network, comparable.
std::set<std::string> names_of(const NetworkCabling& n, const std::string& prefix) {
  std::set<std::string> out;
  for (std::uint32_t d = 0; d < n.wiring->devices.size(); ++d)
    out.insert(comparable_name(prefix + n.wiring->device_name(d)));
  return out;
}

void add_network(PlannedFabric& plan, const NetworkCabling& n, const std::string& prefix,
                 const std::map<Id, std::string>& racks) {
  PlannedFabric own = planned_fabric(*n.wiring, prefix);
  const auto first = static_cast<std::uint32_t>(plan.devices.size());
  for (std::uint32_t d = 0; d < own.devices.size(); ++d) {
    PlannedDevice& device = own.devices[d];
    if (n.places && d < n.places->places.size()) {
      if (const auto rack = racks.find(n.places->rack_of(d)); rack != racks.end()) device.rack = rack->second;
      device.unit_place = n.places->unit_text(d);
      if (device.unit_place.starts_with('U')) device.unit_place.erase(0, 1);
    }
    plan.devices.push_back(std::move(device));
  }
  for (PlannedLink l : own.links) {
    l.near += first;
    l.far += first;
    plan.links.push_back(l);
  }
}

} // namespace

tl::expected<NetworksPlan, std::string> plan_of_networks(const CablingResult& cabling, const std::vector<Rack>& racks,
                                                         const FoundLinks& found, std::string_view only) {
  std::set<std::string> told;
  for (const FoundDevice& d : found.devices)
    if (!says_nothing(d.name)) told.insert(comparable_name(d.name));
  const auto known = [&](const std::set<std::string>& names) {
    return std::count_if(names.begin(), names.end(), [&](const std::string& name) { return told.contains(name); });
  };
  const NetworkCabling *first = nullptr, *bare = nullptr;
  std::vector<const NetworkCabling*> prefixed;
  std::ptrdiff_t bare_hits = 0, prefixed_hits = 0;
  std::string why;
  std::set<std::string> ours, others; // names with the network in front
  for (const NetworkCabling& n : cabling.networks) {
    const bool asked = only.empty() || n.name == only;
    if (!n.wiring) {
      if (asked) why = fmt::format("{}: {}", n.name, n.problem);
      continue;
    }
    std::set<std::string> names = names_of(n, prefix_of(n));
    const auto hits = known(names);
    (asked ? ours : others).merge(names);
    if (!asked) continue;
    if (!first) first = &n;
    if (hits > 0) prefixed.push_back(&n);
    prefixed_hits = std::max(prefixed_hits, hits);
    if (const auto own = known(names_of(n, {})); own > bare_hits) bare = &n, bare_hits = own;
  }
  if (!first)
    return tl::make_unexpected(why.empty() ? std::string("there is no network to compare with")
                                           : "no network is wired: " + why);
  std::map<Id, std::string> rack_names;
  for (const Rack& r : racks)
    rack_names[r.id] = r.name;
  NetworksPlan out;
  out.found = found;
  if (bare && bare_hits > prefixed_hits) {
    add_network(out.plan, *bare, {}, rack_names);
    return out;
  }
  if (prefixed.empty()) prefixed.push_back(first);
  for (const NetworkCabling* n : prefixed)
    add_network(out.plan, *n, prefix_of(*n), rack_names);
  std::vector<bool> foreign(found.devices.size(), false);
  for (std::size_t d = 0; d < foreign.size(); ++d) {
    const std::string name = comparable_name(found.devices[d].name);
    foreign[d] = others.contains(name) && !ours.contains(name);
  }
  for (auto* links : {&out.found.links, &out.found.dark})
    out.left_out += std::erase_if(*links, [&](const FoundLink& l) {
      return (l.near < foreign.size() && foreign[l.near]) || (l.far < foreign.size() && foreign[l.far]);
    });
  return out;
}

tl::expected<NetworksPlan, std::string> plan_of_networks(const CablingResult& cabling, const Design& design,
                                                         const Catalog& catalog, const FoundLinks& found,
                                                         std::string_view only) {
  return plan_of_networks(cabling, *design.racks, with_network_names(found, cabling, NetboxDevices(design, catalog)),
                          only);
}

} // namespace hallwright
