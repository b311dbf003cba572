// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "cooling/loop_solution.h"

namespace hallwright {

/// Why coolant of a loop at work would boil, which is no steady state: the loop, which of its units are out or have no
/// facility water, what those that are left take of the heat, and what to do about it.
/// @param flow_m3_per_s  of all racks of the loop; of facility water: of all facility sides
/// @param heat_w  that is to be taken
/// @return one sentence without its full stop: "loop 'Loop 1': CDU 1 has no facility water, ..., so that its coolant
/// would boil: no steady state exists; ..."
[[nodiscard]] std::string why_coolant_boils(const DrawnLoop& loop, const LoopOperation& operation, double flow_m3_per_s,
                                            double heat_w);

/// The same of a loop that hangs on facility water which has no steady state, or of which another loop has none.
/// @param cause  what `why_coolant_boils` said of that, or of this loop
[[nodiscard]] std::string boils_with_facility_water(const DrawnLoop& loop, const std::string& cause);

} // namespace hallwright
