// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of units with redundancy and of shares, as the cooling stage applies them. Outside the stated ranges: not
/// applicable. `redundancy` is 0 for N, 1 for N+1, 2 for 2N.
namespace hallwright {

/// Units with redundancy for the larger of two needs: n, n + 1 or 2 n; none where none is needed.
/// @param by_duty [count], zero or more
/// @param by_flow [count], zero or more
/// @param redundancy [count], 0 to 2
/// @return [count]
/// @source redundancy arithmetic
extern const Formula<Count, Count, Count, Count> units_with_redundancy;

/// The larger of two unit counts.
/// @param by_duty [count], zero or more
/// @param by_flow [count], zero or more
/// @return [count]
/// @source comparison
extern const Formula<Count, Count, Count> larger_count;

/// Racks times the flow of one.
/// @param racks [count], zero or more
/// @param flow [m3/s], zero or more
/// @return [m3/s]
/// @source sum of equal parts
extern const Formula<VolumeFlow, Count, VolumeFlow> racks_flow;

/// The larger of the flow that heat and rise ask for and the flow that a part asks for.
/// @param by_heat [m3/s], zero or more
/// @param by_part [m3/s], zero or more
/// @return [m3/s]
/// @source comparison
extern const Formula<VolumeFlow, VolumeFlow, VolumeFlow> larger_flow;

/// Share of a heat capacity that is free; below zero when overloaded.
/// @param heat [W], zero or more
/// @param capacity [W], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Power, Power> duty_headroom;

/// Share of a flow capacity that is free; below zero when overloaded.
/// @param flow [m3/s], zero or more
/// @param capacity [m3/s], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, VolumeFlow, VolumeFlow> flow_headroom;

/// The smaller of two headrooms.
/// @param first [ratio]
/// @param second [ratio]
/// @return [ratio]
/// @source comparison
extern const Formula<double, double, double> smaller_headroom;

/// Electrical power of plant as a share of the heat that it moves.
/// @param heat [W], zero or more
/// @param share [ratio], zero or more
/// @return [W], an estimate
/// @source planning share
extern const Formula<Power, Power, double> plant_power;

/// Electrical power of running units.
/// @param units [count], zero or more
/// @param power_each [W], zero or more
/// @return [W]
/// @source sum of equal parts
extern const Formula<Power, Count, Power> running_units_power;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> cooling_redundancy_formulas();

} // namespace hallwright
