// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/figure.h"
#include "power/fault_level.h"

/// Short circuits on the one-line of a design.
namespace hallwright {

/// What a short circuit meets in each element, in the order of the one-line: what units state, a transformer's
/// impedance voltage taken as 6 % where it states none. Breakers are rated at the current of their units.
std::vector<FaultPath> fault_paths(const Design& design, const OneLine& line);

/// "power.faults": a row for each unit, by id. Columns: unit, kind, current (initial, symmetrical), peak, on_battery,
/// bound ("at most" where a source or an impedance is not known), above (whether the breaker above stays closed).
Table fault_table(const Design& design, const OneLine& line);

} // namespace hallwright
