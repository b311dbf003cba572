// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/rack_trays.h"

#include <charconv>
#include <string>
#include <string_view>

namespace hallwright {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// 72 of "NVL72"; 0: not such a rack.
Count accelerators_of_kind(std::string_view kind) {
  constexpr std::string_view front = "NVL";
  if (!kind.starts_with(front)) return 0;
  kind.remove_prefix(front.size());
  Count out = 0;
  const auto [end, failed] = std::from_chars(kind.data(), kind.data() + kind.size(), out);
  return failed == std::errc() && end == kind.data() + kind.size() ? out : 0;
}

} // namespace

std::optional<RackTrays> compute_trays_of(const RackPart& rack, const Catalog& catalog) {
  const Count all = accelerators_of_kind(rack.kind), trays = rack.compute_trays.value_or(0);
  if (all <= 0 || trays <= 0 || all % trays != 0) return std::nullopt;
  const std::string name = lower(rack.name);
  const NodePart* found = nullptr;
  for (const NodePart& node : catalog.of<NodePart>()) {
    if (node.accelerators.value_or(0) != all / trays || node.rack_units.value_or(0) != 1.0) continue;
    const std::string family = lower(node.accelerator.substr(0, node.accelerator.find('-')));
    if (family.empty() || name.find(family) == std::string::npos) continue;
    if (!found || (found->vendor != rack.vendor && node.vendor == rack.vendor)) found = &node;
  }
  if (!found) return std::nullopt;
  return RackTrays{found, trays};
}

} // namespace hallwright
