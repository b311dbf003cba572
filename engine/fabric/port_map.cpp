// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/port_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "fabric/counts_shape.h"

namespace hallwright {
namespace {

constexpr std::string_view letters = "qunrlspkijab";

} // namespace

char place_letter(PlaceVariable variable) { return letters[static_cast<std::size_t>(variable)]; }

std::string place_legend() {
  return "letters count from 0, ports and devices from 1: q plane, u unit, n node of the unit, r rail or link of the "
         "node, l leaf of the pod, s spine of "
         "the pod, "
         "p pod, k core, i copy, j uplink of the switch or link of the unit, a and b the switches or groups at both "
         "ends";
}

Count PortSum::value(const Place& place) const {
  Count sum = offset_;
  for (const PortTerm& term : terms_) {
    const Count v = place[static_cast<std::size_t>(term.variable)];
    sum += term.factor * (term.modulo > 0 ? v % term.modulo : v);
  }
  return first_ + (divisor_ > 1 ? sum / divisor_ : sum);
}

std::string PortSum::text() const {
  std::string sum = offset_ != 0 && divisor_ > 1 ? std::to_string(offset_) : std::string();
  for (const PortTerm& term : terms_) {
    if (term.factor == 0 || term.modulo == 1) continue;
    std::string factor = term.factor == 1 ? std::string() : fmt::format("{} ", term.factor);
    const char letter = place_letter(term.variable);
    const std::string variable =
        term.modulo > 0 ? fmt::format("({} mod {})", letter, term.modulo) : std::string(1, letter);
    sum += (sum.empty() ? "" : " + ") + factor + variable;
  }
  const Count first = first_ + (divisor_ > 1 ? 0 : offset_);
  if (sum.empty()) return std::to_string(first);
  return divisor_ > 1 ? fmt::format("{} + floor(({}) / {})", first, sum, divisor_) : fmt::format("{} + {}", first, sum);
}

tl::expected<PortLayout, std::string> port_layout(std::string_view what, Count down, Count up, Count ports,
                                                  const Cages& cages) {
  PortLayout out;
  out.links_per_cage = std::max<Count>(1, cages.links_per_cage);
  out.down = down;
  out.up = up;
  out.ports = cages.cages > 0 ? std::min(ports, cages.cages * out.links_per_cage) : ports;
  if (down + up > out.ports)
    return tl::make_unexpected(fmt::format("a {} needs {}; its part has {} of {}", what, number_of(down + up, "port"),
                                           number_of(cages.cages, "cage"), number_of(out.links_per_cage, "link")));
  if (up == 0) return out;
  const Count least = round_up(down, out.links_per_cage), middle = round_up(ports / 2, out.links_per_cage);
  const bool upper_half = least <= middle && middle + up <= out.ports;
  const Count before = upper_half ? middle : least;
  if (before + up > out.ports)
    return tl::make_unexpected(fmt::format(
        "the cages of a {} carry {} each; {} down and {} up do not keep to cages of their own within {} ports", what,
        number_of(out.links_per_cage, "link"), number_of(down, "link"), up, out.ports));
  out.first_up = before + 1;
  out.wasted = before - down < out.links_per_cage ? before - down : 0;
  return out;
}

std::vector<Count> spare_ports(const PortLayout& layout) {
  std::vector<Count> out;
  const Count end = layout.first_up > 0 ? layout.first_up - 1 : layout.ports;
  for (Count port = layout.down + 1; port <= end; ++port)
    out.push_back(port);
  if (layout.first_up == 0) return out;
  for (Count port = round_up(layout.first_up + layout.up - 1, layout.links_per_cage) + 1; port <= layout.ports; ++port)
    out.push_back(port);
  return out;
}

} // namespace hallwright
