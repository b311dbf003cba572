// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/loop_results.h"

namespace hallwright {

/// Most facility water that the units of a loop get while something of the loop is out: control valves of those that
/// are left open, and the pumps of the facility water run at full speed. It enters as warm as in the steady state. The
/// facility side of what is out is counted as open, so that the others get rather more than this.
/// @param look  of a loop that hangs on facility water; of another: nothing
[[nodiscard]] std::map<Id, FacilityWater> facility_water_at_most(const LoopLooks& looks, const LoopLook& look);

/// Loops that hang on a loop of facility water and can be solved, in the order of the table.
[[nodiscard]] std::vector<Shared<DrawnLoop>> loops_that_hang_on(const LoopLooks& looks, const DrawnLoop& facility);

} // namespace hallwright
