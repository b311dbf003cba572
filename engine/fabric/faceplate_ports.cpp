// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/faceplate_ports.h"

#include <charconv>
#include <unordered_map>

namespace hallwright {
namespace {

/// Takes a number from the front.
std::optional<Count> number_from(std::string_view& text) {
  Count value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || value < 0 || value > 100'000) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

} // namespace

std::string comparable_name(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '_' ? '-' : c;
  return out;
}

std::optional<Count> port_of_name(std::string_view name, Count links_per_cage) {
  if (links_per_cage < 1) return std::nullopt;
  const bool swp = name.starts_with("swp");
  if (swp) name.remove_prefix(3);
  const auto cage = number_from(name);
  if (!cage || *cage < 1) return std::nullopt;
  if (name.empty()) {
    if (!swp || links_per_cage != 1) return std::nullopt; // the number of a port, or of a cage with several: not told
    return *cage;
  }
  if (name.front() != (swp ? 's' : '/')) return std::nullopt;
  name.remove_prefix(1);
  auto part = number_from(name);
  if (!part || !name.empty()) return std::nullopt;
  if (!swp) --*part;
  if (*part < 0 || *part >= links_per_cage) return std::nullopt;
  return (*cage - 1) * links_per_cage + *part + 1;
}

FoundLinks with_port_numbers(FoundLinks found, const PlannedFabric& plan) {
  if (plan.port_names.size() > 1 || found.port_names.size() <= 1) return found;
  std::unordered_map<std::string, Count> planned; // links per cage, by name
  for (const PlannedDevice& d : plan.devices)
    if (d.links_per_cage > 0) planned.emplace(comparable_name(d.name), d.links_per_cage);
  if (planned.empty()) return found;
  std::vector<Count> per_cage(found.devices.size(), 0);
  for (std::size_t d = 0; d < found.devices.size(); ++d)
    if (const auto it = planned.find(comparable_name(found.devices[d].name)); it != planned.end()) per_cage[d] = it->second;
  const auto number = [&](std::uint32_t device, PortKey& port) {
    if (device >= per_cage.size() || per_cage[device] == 0 || !(port & named_port)) return;
    if (const auto n = port_of_name(found.port_names[port & ~named_port], per_cage[device]))
      port = static_cast<PortKey>(*n);
  };
  for (auto* links : {&found.links, &found.dark})
    for (FoundLink& l : *links) {
      number(l.near, l.near_port);
      number(l.far, l.far_port);
    }
  return found;
}

} // namespace hallwright
