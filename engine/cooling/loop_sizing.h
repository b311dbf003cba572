// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/drawn_loops.h"

/// How many of which distribution unit a loop takes, and which pipes.
namespace hallwright {

struct LoopDemand {
  double heat_w = 0.0;        ///< to liquid, zero or more
  double flow_m3_per_s = 0.0; ///< that the racks need, zero or more
  Redundancy redundancy = Redundancy::n_plus_1;
  std::string fluid_part;        ///< for the friction in pipes; empty: not looked at
  double velocity_m_per_s = 2.4; ///< of coolant in headers and connections, at most; above 0, at most 10
};

/// One part of the catalog for that demand.
struct UnitChoice {
  std::string part, name;
  Count by_duty = 0, by_flow = 0; ///< without spares; 0: the part does not say
  Count needed = 0;               ///< the larger, with spares
  bool duty_binds = true;         ///< else flow
  bool head_known = false;
  double load_share = 0.0;         ///< of the binding rating of each, spares out
  double floor_m = 0.0;            ///< widths side by side; 0: not known
  double connection_bore_m = 0.0;  ///< of one unit at its share of the flow, spares out
  std::optional<double> price_usd; ///< of all
};

struct LoopSizing {
  std::vector<UnitChoice> units;                             ///< the fewest first, then by load
  double header_bore_m = 0.0, header_velocity_m_per_s = 0.0; ///< one header for all
  bool header_fits = true;                                   ///< false: faster than asked for even in the largest bore
};

/// @return one sentence where a number is out of its range
[[nodiscard]] tl::expected<LoopSizing, std::string> loop_sizing(const Catalog& catalog, const LoopDemand& demand);

} // namespace hallwright
