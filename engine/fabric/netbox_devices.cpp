// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/netbox_devices.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "design/rack_slots.h"
#include "fabric/faceplate_ports.h"
#include "project/netbox_csv.h"

namespace hallwright {
namespace {

char kind_letter(NetworkKind kind) {
  switch (kind) {
  case NetworkKind::compute:
    return 'c';
  case NetworkKind::storage:
    return 's';
  case NetworkKind::in_band:
    return 'i';
  case NetworkKind::out_of_band:
    return 'm';
  case NetworkKind::scale_up:
    return 'u';
  }
  return 'n';
}

bool is_switch(DeviceKind kind) {
  return kind == DeviceKind::leaf || kind == DeviceKind::spine || kind == DeviceKind::core;
}

/// A device of a network by its name in NetBox.
struct Known {
  const NetworkCabling* network = nullptr;
  std::uint32_t device = 0;
  Count shift = 0, ports = 0;
  std::string tag;
};

/// Highest port that links use, by device.
std::vector<Count> ports_used(const Wiring& wiring) {
  std::vector<Count> out(wiring.devices.size(), 0);
  for (const WiredLink& l : wiring.links) {
    out[l.near] = std::max<Count>(out[l.near], l.near_port);
    out[l.far] = std::max<Count>(out[l.far], l.far_port);
  }
  return out;
}

/// The links of a dump, end by end under the names of the networks.
class Renaming {
public:
  Renaming(FoundLinks& found, const CablingResult& cabling, const NetboxDevices& devices) : found_(found) {
    const auto tags = network_tags(cabling);
    for (const NetworkCabling& n : cabling.networks) {
      if (!n.wiring) continue;
      const auto ends = devices.of(n);
      const auto ports = ports_used(*n.wiring);
      for (std::uint32_t d = 0; d < ends.size(); ++d)
        if (!ends[d].device.empty())
          known_[comparable_name(ends[d].device)].push_back({&n, d, ends[d].shift, ports[d], tags.at(n.network)});
    }
  }

  void run() {
    const std::size_t told = found_.devices.size();
    std::vector<const std::vector<Known>*> of(told, nullptr);
    bool any = false;
    for (std::size_t d = 0; d < told; ++d)
      if (const auto at = known_.find(comparable_name(found_.devices[d].name)); at != known_.end())
        of[d] = &at->second, any = true;
    if (!any) return;
    const auto at = [&](std::uint32_t device) { return device < told ? of[device] : nullptr; };
    for (auto* links : {&found_.links, &found_.dark})
      for (FoundLink& l : *links) {
        const Known* near = the_switch(at(l.near));
        const Known* far = the_switch(at(l.far));
        const std::uint32_t near_device = l.near;
        rename(l.near, l.near_port, at(l.near), near, far);
        rename(l.far, l.far_port, at(l.far), far, near_device < told ? near : nullptr);
      }
  }

private:
  /// The switch of this name. It may also be an end point of a management network.
  static const Known* the_switch(const std::vector<Known>* all) {
    if (!all) return nullptr;
    for (const Known& k : *all)
      if (is_switch(k.network->wiring->devices[k.device].kind)) return &k;
    return nullptr;
  }
  void rename(std::uint32_t& device, PortKey& port, const std::vector<Known>* all, const Known* as_switch,
              const Known* far_switch) {
    if (!all) return;
    if (as_switch && (!far_switch || far_switch->network == as_switch->network)) {
      device = device_of(*as_switch, device);
      return;
    }
    const std::string text = found_.port_text(port);
    for (const Known& k : *all) {
      std::string_view digits = text;
      if (digits.starts_with(k.tag))
        digits.remove_prefix(k.tag.size());
      else if (!far_switch || far_switch->network != k.network)
        continue;
      Count number = 0;
      const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (failed != std::errc() || end != digits.data() + digits.size()) continue;
      if (number <= k.shift || number > k.shift + std::max<Count>(k.ports, 1)) continue;
      device = device_of(k, device);
      port = static_cast<PortKey>(number - k.shift);
      return;
    }
    if (as_switch) device = device_of(*as_switch, device);
  }
  std::uint32_t device_of(const Known& k, std::uint32_t like) {
    const auto next = static_cast<std::uint32_t>(found_.devices.size());
    const auto [at, fresh] = made_.try_emplace({k.network, k.device}, next);
    if (fresh) {
      FoundDevice device = found_.devices[like];
      device.name = fmt::format("{} {}", k.network->name, k.network->wiring->device_name(k.device));
      device.guid = device.system = 0;
      device.kind = is_switch(k.network->wiring->devices[k.device].kind) ? FoundKind::network_switch : FoundKind::host;
      found_.devices.push_back(std::move(device));
    }
    return at->second;
  }

  FoundLinks& found_;
  std::map<std::string, std::vector<Known>> known_;
  std::map<std::pair<const NetworkCabling*, std::uint32_t>, std::uint32_t> made_;
};

} // namespace

std::map<Id, std::string> network_tags(const CablingResult& cabling) {
  std::map<Id, std::string> out;
  std::map<NetworkKind, int> of_kind;
  for (const NetworkCabling& c : cabling.networks) {
    const int nth = ++of_kind[c.kind];
    out[c.network] = std::string(1, kind_letter(c.kind)) + (nth > 1 ? fmt::format("{}.", nth) : std::string());
  }
  return out;
}

NetboxDevices::NetboxDevices(const Design& design, const Catalog& catalog) {
  std::map<std::pair<Id, Count>, Count> half_units; // of an item's nth part, from below
  for (const RackType& type : *design.rack_types)
    for (const RackSlot& slot : rack_slots(catalog, type, *design.rack_items).places)
      half_units[{slot.item, slot.nth}] = slot.zero_u() ? 0 : slot.lowest_half_unit;
  for (NetboxDevice& d : netbox_devices(design, catalog)) {
    const RackItem* item = find(*design.rack_items, d.item);
    const auto half_unit = half_units.find({d.item, d.nth});
    if (!item || item->kind == RackItemKind::other || half_unit == half_units.end()) continue;
    at_[{d.rack, half_unit->second}].push_back({item->kind == RackItemKind::network_switch, std::move(d.name)});
  }
}

std::vector<NetboxEnd> NetboxDevices::of(const NetworkCabling& network) const {
  if (!network.wiring || !network.places) return {};
  const Wiring& w = *network.wiring;
  std::vector<NetboxEnd> out(w.devices.size());
  const auto ports = ports_used(w);
  std::map<std::tuple<Id, Count, bool>, std::vector<std::uint32_t>> together; // end points at one place
  for (std::uint32_t d = 0; d < out.size() && d < network.places->places.size(); ++d)
    if (network.places->places[d].drawn())
      together[{network.places->rack_of(d), network.places->places[d].half_unit, is_switch(w.devices[d].kind)}]
          .push_back(d);
  for (const auto& [place, devices] : together) {
    const auto& [rack, half_unit, switches] = place;
    const auto at = at_.find({rack, half_unit});
    if (at == at_.end()) continue;
    std::vector<const Candidate*> candidates;
    for (const Candidate& c : at->second)
      if (c.is_switch == switches) candidates.push_back(&c);
    if (candidates.empty()) // switches have management ports, and are end points of that network
      for (const Candidate& c : at->second)
        candidates.push_back(&c);
    Count most = 1;
    for (const std::uint32_t d : devices)
      most = std::max(most, ports[d]);
    std::map<std::size_t, Count> taken;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const std::size_t c = std::min(candidates.size() - 1, i * candidates.size() / devices.size());
      out[devices[i]] = {candidates[c]->name, switches ? 0 : most * taken[c]++};
    }
  }
  return out;
}

std::string netbox_node_port(const std::string& tag, Count port, const NetboxEnd& end) {
  return fmt::format("{}{}", tag, port + end.shift);
}

FoundLinks with_network_names(FoundLinks found, const CablingResult& cabling, const NetboxDevices& devices) {
  Renaming(found, cabling, devices).run();
  return found;
}

} // namespace hallwright
