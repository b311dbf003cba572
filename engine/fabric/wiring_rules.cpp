// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/wiring_rules.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

namespace hallwright {

LostLeaf worst_leaf(const Wiring& w, Count gpus_per_node) {
  LostLeaf out;
  // A leaf belongs to one plane: with several planes another one is left.
  if (gpus_per_node < 1 || w.request.counts.planes != 1) return out;
  constexpr std::uint32_t none = 0xffffffff, several = 0xfffffffe;
  std::vector<Count> gpus(w.devices.size()), nodes(w.devices.size());
  std::vector<std::uint32_t> leaf_of; // of each GPU of a node
  const auto links = w.of_class(LinkClass::node_leaf);
  for (std::size_t i = 0; i < links.size();) {
    std::size_t end = i;
    while (end < links.size() && links[end].near == links[i].near)
      ++end;
    if (w.devices[links[i].near].kind == DeviceKind::node) {
      const auto of = static_cast<Count>(end - i);
      bool whole = true;
      for (std::size_t k = i; k < end; ++k)
        whole = whole && links[k].far == links[i].far;
      if (whole) ++nodes[links[i].far];
      leaf_of.assign(static_cast<std::size_t>(gpus_per_node), none);
      for (Count k = 0; k < of; ++k) {
        // Link k serves GPUs k * gpus / of up to the next one's first, and at least one.
        const Count first = k * gpus_per_node / of, next = std::max(first + 1, (k + 1) * gpus_per_node / of);
        const std::uint32_t at = links[i + static_cast<std::size_t>(k)].far;
        for (Count g = first; g < std::min(next, gpus_per_node); ++g) {
          std::uint32_t& leaf = leaf_of[static_cast<std::size_t>(g)];
          leaf = leaf == none || leaf == at ? at : several;
        }
      }
      for (const std::uint32_t leaf : leaf_of)
        if (leaf < several) ++gpus[leaf];
    }
    i = end;
  }
  for (std::uint32_t d = w.first_leaf; d < w.first_spine && d < w.devices.size(); ++d)
    if (gpus[d] > out.gpus) out = {d, gpus[d], nodes[d]};
  return out;
}

Count cages_of_two_planes(Count links_per_node, Count planes, Count links_per_cage) {
  if (planes < 2 || links_per_cage < 2 || links_per_node < 1) return 0;
  if (links_per_cage == planes) return links_per_node;
  Count shared = 0;
  const Count ports = links_per_node * planes;
  for (Count first = 0; first < ports; first += links_per_cage) {
    const Count last = std::min(first + links_per_cage, ports) - 1;
    shared += first / links_per_node != last / links_per_node;
  }
  return shared;
}

Count cables_to_two_switches(const Wiring& w, const CablePlan& plan) {
  const bool any_split = std::any_of(plan.choices.begin(), plan.choices.end(), [](const LinkChoice& c) {
    return c.shape == CableShape::split || c.split_near || c.split_far;
  });
  if (!any_split) return 0;
  std::unordered_set<std::uint32_t> apart;
  for (std::uint32_t i = 0; i < plan.links.size(); ++i) {
    const std::uint32_t first = plan.links[i].cable;
    if (first == i || first >= w.links.size()) continue;
    const WiredLink &a = w.links[first], &b = w.links[i];
    const DeviceKind near = w.devices[a.near].kind;
    const bool near_apart = a.near != b.near && near != DeviceKind::node && near != DeviceKind::manager;
    if (near_apart || a.far != b.far) apart.insert(first);
  }
  return static_cast<Count>(apart.size());
}

std::vector<SwitchRack> switch_racks(const Wiring& w, const DevicePlaces& places) {
  std::map<std::pair<Id, std::uint16_t>, SwitchRack> racks;
  for (std::uint32_t d = w.first_leaf; d < w.devices.size() && d < places.places.size(); ++d) {
    const Id rack = places.rack_of(d);
    if (rack == 0) continue;
    const WiredDevice& device = w.devices[d];
    SwitchRack& row = racks[{rack, device.plane}];
    row.rack = rack;
    row.plane = device.plane;
    if (device.kind == DeviceKind::leaf)
      ++row.leafs;
    else if (device.kind == DeviceKind::spine)
      ++row.spines;
    else
      ++row.cores;
  }
  std::vector<SwitchRack> out;
  out.reserve(racks.size());
  for (const auto& [key, row] : racks)
    out.push_back(row);
  return out;
}

Growth growth_of(const FabricRequest& q, const FabricCounts& now) {
  Growth out;
  if (q.topology == Topology::dragonfly || q.nodes < 1 || now.leaf_down < 1) return out;
  Count unit = now.nodes_per_unit;
  if (unit < 1)
    unit = std::max<Count>(1, q.rails ? now.leaf_down : now.leaf_down / std::max<Count>(1, q.links_per_node));
  const Count places = q.nodes + q.reserved_node_places;
  FabricRequest next = q;
  next.nodes = (places + unit - 1) / unit * unit + unit - q.reserved_node_places;
  const std::string another = fmt::format("another unit of {} node{}", unit, unit == 1 ? "" : "s");
  const auto then = fabric_counts(next);
  if (!then) {
    out.words = fmt::format("{} cannot be added: {}", another, then.error());
    return out;
  }
  if (then->tiers != now.tiers) {
    out.words =
        fmt::format("{} needs {} tiers instead of {}; every uplink is wired anew", another, then->tiers, now.tiers);
    return out;
  }
  // Cables that exist and whose far switch changes, with bundles spread evenly before and after.
  const auto moved = [](Count cables, Count before, Count after) {
    return before < after ? static_cast<Count>(static_cast<double>(cables) * static_cast<double>(after - before) /
                                                   static_cast<double>(after) +
                                               0.5)
                          : Count{0};
  };
  std::string what;
  Count cables = 0;
  // Below cores the spines of a full pod stay as they are; only new pods bring new ones.
  if (now.tiers == 2 && then->spines > now.spines) {
    what = fmt::format("{} spines instead of {}", then->spines, now.spines);
    cables = moved(now.leaf_spine_cables, now.spines, then->spines);
  }
  if (now.tiers == 3 && then->cores > now.cores) {
    what = fmt::format("{} cores instead of {}", then->cores, now.cores);
    cables = moved(now.spine_core_cables, now.cores, then->cores);
  }
  if (what.empty()) return out;
  out.words = fmt::format("{} needs {}", another, what);
  out.moved_cables = cables;
  return out;
}

std::vector<std::string> changes_that_count(const FabricRequest& q, Count part_radix) {
  std::vector<std::string> out;
  const auto try_out = [&](const char* words, auto&& change) {
    FabricRequest changed = q;
    change(changed);
    if (fabric_counts(changed)) out.emplace_back(words);
  };
  try_out("whole units", [](FabricRequest& r) { r.units = UnitRule::whole; });
  try_out("equal bundles", [](FabricRequest& r) { r.bundles = BundleRule::equal; });
  if (part_radix > 0) try_out("radix of the part", [&](FabricRequest& r) { r.radix = part_radix; });
  return out;
}

} // namespace hallwright
