// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/rack_network_places.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace hallwright {

namespace {

/// The compute network where it is wired and placed, else null with the reason.
const NetworkCabling* compute_network(std::span<const NetworkCabling> networks, std::string& nothing) {
  nothing = "There is no compute network.";
  for (const NetworkCabling& n : networks) {
    if (n.kind != NetworkKind::compute) continue;
    if (n.wiring && n.places) {
      nothing.clear();
      return &n;
    }
    nothing = n.name + " is not wired" + (n.problem.empty() ? std::string(".") : ": " + n.problem);
  }
  return nullptr;
}

NumbersByRack told(const NetworkCabling& network, const std::map<Id, std::set<Count>>& racks) {
  NumbersByRack out{network.name};
  for (const auto& [rack, numbers] : racks) out.racks.push_back({rack, {numbers.begin(), numbers.end()}});
  if (out.racks.empty()) out.nothing = "No device of " + network.name + " stands in a drawn rack.";
  return out;
}

} // namespace

std::vector<RackLongestCable> longest_cables(std::span<const NetworkCabling> networks) {
  std::unordered_map<Id, RackLongestCable> longest;
  for (const NetworkCabling& n : networks) {
    if (!n.wiring || !n.places || !n.plan) continue;
    const std::size_t links = std::min(n.wiring->links.size(), n.plan->links.size());
    std::vector<double> mm(n.places->racks.size(), -1.0);
    for (std::size_t l = 0; l < links; ++l) {
      const LinkCable& c = n.plan->links[l];
      if (c.how == LengthKind::assumed) continue;
      const double length = c.ordered_mm > 0 ? static_cast<double>(c.ordered_mm) : c.routed_mm;
      for (const std::uint32_t device : {n.wiring->links[l].near, n.wiring->links[l].far})
        if (const DevicePlace& place = n.places->places[device]; place.drawn())
          mm[place.rack] = std::max(mm[place.rack], length);
    }
    for (std::size_t r = 0; r < mm.size(); ++r) {
      if (mm[r] < 0) continue;
      RackLongestCable& of = longest.try_emplace(n.places->racks[r].rack, RackLongestCable{n.places->racks[r].rack, -1.0}).first->second;
      if (mm[r] / 1000.0 > of.meters) of.meters = mm[r] / 1000.0, of.network = n.network;
    }
  }
  std::vector<RackLongestCable> out;
  out.reserve(longest.size());
  for (const auto& [rack, of] : longest) out.push_back(of);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.rack < b.rack; });
  return out;
}

NumbersByRack pods_by_rack(std::span<const NetworkCabling> networks) {
  NumbersByRack out;
  const NetworkCabling* n = compute_network(networks, out.nothing);
  if (!n) return out;
  const Wiring& wiring = *n->wiring;
  if (wiring.counts.cores == 0) {
    out.network = n->name;
    out.nothing = n->name + " has no core switches, so it has no pods.";
    return out;
  }
  std::map<Id, std::set<Count>> racks;
  const std::vector<NodePlace> nodes = node_places(wiring);
  for (std::uint32_t d = 0; d < wiring.devices.size(); ++d) {
    const WiredDevice& device = wiring.devices[d];
    const Id rack = n->places->rack_of(d);
    if (rack == 0) continue;
    if (device.kind == DeviceKind::node && d < nodes.size()) racks[rack].insert(nodes[d].pod + 1);
    if (device.kind == DeviceKind::leaf || device.kind == DeviceKind::spine) racks[rack].insert(device.pod + 1);
  }
  return told(*n, racks);
}

NumbersByRack rails_by_rack(std::span<const NetworkCabling> networks) {
  NumbersByRack out;
  const NetworkCabling* n = compute_network(networks, out.nothing);
  if (!n) return out;
  const Wiring& wiring = *n->wiring;
  if (!wiring.request.counts.rails || wiring.request.counts.topology != Topology::fat_tree) {
    out.network = n->name;
    out.nothing = n->name + " has no rails: links of a node go to leafs without regard to its GPUs.";
    return out;
  }
  std::map<Id, std::set<Count>> racks, of_nodes;
  for (std::uint32_t d = 0; d < wiring.devices.size(); ++d)
    if (wiring.devices[d].kind == DeviceKind::leaf)
      if (const Id rack = n->places->rack_of(d)) racks[rack].insert(wiring.devices[d].rail + 1);
  for (const WiredLink& link : wiring.of_class(LinkClass::node_leaf))
    if (wiring.devices[link.near].kind == DeviceKind::node)
      if (const Id rack = n->places->rack_of(link.near); rack != 0 && !racks.count(rack))
        of_nodes[rack].insert(link.rail + 1);
  racks.merge(of_nodes);
  return told(*n, racks);
}

std::vector<NumberRun> runs_of(std::span<const Count> numbers) {
  std::vector<NumberRun> out;
  for (const Count n : numbers)
    if (!out.empty() && out.back().last + 1 == n) out.back().last = n;
    else out.push_back({n, n});
  return out;
}

std::string runs_text(std::span<const Count> numbers) {
  std::string out;
  for (const NumberRun& run : runs_of(numbers)) {
    if (!out.empty()) out += ", ";
    out += std::to_string(run.first);
    if (run.last > run.first) out += "-" + std::to_string(run.last);
  }
  return out;
}

RanksOnRacks ranks_on_racks(const RankAxes& axes, const RankPlacement& placement, const DevicePlaces& places,
                            std::span<const Id> racks) {
  RanksOnRacks out;
  out.of = axes.ranks();
  const std::set<Id> wanted(racks.begin(), racks.end());
  std::set<Count> stages;
  std::vector<Count> ranks;
  const Count gpus = std::max<Count>(1, placement.gpus_per_node);
  const Count places_there = std::min(axes.ranks(), placement.ranks());
  for (Count begin = 0; begin < places_there; begin += gpus) {
    const std::uint32_t node = placement.node_order[static_cast<std::size_t>(begin / gpus)];
    if (node >= places.places.size() || !wanted.count(places.rack_of(node))) continue;
    for (Count place = begin; place < std::min(begin + gpus, places_there); ++place) {
      const RankCoordinates at = coordinates_at(axes, placement.axis_order, place);
      ranks.push_back(at.tensor + axes.tensor * (at.context + axes.context * (at.data + axes.data * at.pipeline)));
      stages.insert(at.pipeline + 1);
    }
  }
  std::sort(ranks.begin(), ranks.end());
  out.ranks = static_cast<Count>(ranks.size());
  out.runs = runs_of(ranks);
  out.stages.assign(stages.begin(), stages.end());
  return out;
}

} // namespace hallwright
