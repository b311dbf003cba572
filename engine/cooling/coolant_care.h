// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cooling/loop_volumes.h"

/// Treated-water chemistry and filtration as a checklist with numbers and intervals.
namespace hallwright {

/// Fluids that are cared for alike.
enum class CoolantCareKind { glycol_mixture, treated_water, facility_water };

/// Writes the limits that apply as figures of the catalog and the table cooling.care, one row a limit and kind of fluid.
/// @param loops  loops with heat to liquid, and those of facility water
void coolant_care(Ledger& ledger, const CoolingInputs& in, const std::vector<CareLoop>& loops, const LoopLooks* looks, std::vector<Table>& tables);

} // namespace hallwright
