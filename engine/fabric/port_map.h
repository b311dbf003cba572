// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/wiring.h"

/// Where ports of a switch lie, and the sums by which they follow from the place of a link.
namespace hallwright {

/// What a port follows from. All count from 0 and within the next larger thing: a leaf within its pod, a spine within
/// its pod, a node within its unit, a core within its plane; `copy` among equal links; `uplink` at its near switch.
enum class PlaceVariable : std::uint8_t {
  plane,
  unit,
  node,
  rail,
  leaf,
  spine,
  pod,
  core,
  copy,
  uplink,
  near_switch,
  far_switch
};
inline constexpr std::size_t place_variables = 12;
/// The letter of a variable in a printed rule: q u n r l s p k i j a b.
char place_letter(PlaceVariable variable);
/// "u unit, n node" of the letters that a rule uses.
std::string place_legend();

using Place = std::array<Count, place_variables>;

/// factor * (variable mod modulo); no modulo where it is 0.
struct PortTerm {
  PlaceVariable variable;
  Count factor = 1, modulo = 0;
};

/// port = first + floor((offset + sum of terms) / divisor)
class PortSum {
public:
  PortSum() = default;
  PortSum(Count first, std::vector<PortTerm> terms, Count divisor = 1, Count offset = 0)
      : first_(first), offset_(offset), divisor_(divisor), terms_(std::move(terms)) {}
  [[nodiscard]] Count value(const Place& place) const;
  [[nodiscard]] std::string text() const; ///< "33 + 2 s + i"

private:
  Count first_ = 1, offset_ = 0, divisor_ = 1;
  std::vector<PortTerm> terms_;
};

/// Ports of a switch: down links from 1, then up links from the start of a cage; from the middle where there is room.
struct PortLayout {
  Count down = 0;     ///< ports that down links take, from 1
  Count first_up = 0; ///< first port of the up links; 0: none
  Count up = 0;       ///< ports that up links take
  Count wasted = 0;   ///< ports of the last cage of down links that stay empty before up links begin
  Count ports = 0;    ///< of the switch
  Count links_per_cage = 1;
};

/// Lays out a switch, or says that its cages cannot keep down and up links apart.
/// @param what  "leaf", for the sentence
tl::expected<PortLayout, std::string> port_layout(std::string_view what, Count down, Count up, Count ports,
                                                  const Cages& cages);

/// Ports that further down links may take, best first: after the down links, then behind the up links.
std::vector<Count> spare_ports(const PortLayout& layout);

} // namespace hallwright
