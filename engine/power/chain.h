// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the chain from the utility to the racks, as the power stage applies them. Outside the stated ranges:
/// not applicable.
namespace hallwright {

/// IT power that a utility feed carries at a power usage effectiveness.
/// @param utility_power [W], zero or more
/// @param power_usage_effectiveness [ratio], at least 1
/// @return [W], an estimate: the ratio is taken as constant
/// @source definition of the ratio
extern const Formula<Power, Power, double> it_power_capacity;

/// Power that passes a level of the chain for each watt of IT.
/// @param level_power [W], zero or more
/// @param it_power [W], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Power, Power> power_per_it_watt;

/// Load of a unit by the racks of one type that it carries. A rack on two live feeds counts half on each.
/// @param racks [ratio], zero or more; racks carried
/// @param rack_power [W], zero or more
/// @param power_per_it_watt [ratio], zero or more; losses and plant below the unit included
/// @return [W]
/// @source even split over live feeds
extern const Formula<Power, double, Power, double> racks_on_unit;

/// Continuous rating of a unit.
/// @param rating [W], zero or more
/// @param continuous_factor [ratio], above 0, at most 1
/// @return [W]
/// @source NEC 210.20, 215.3
extern const Formula<Power, Power, double> continuous_rating;

/// Real power of an apparent rating.
/// @param rating [VA], zero or more
/// @param power_factor [ratio], above 0, at most 1
/// @return [W]
/// @source definition of the power factor
extern const Formula<Power, ApparentPower, double> real_rating;

/// Real power of a three-phase current rating; the voltage is line to line.
/// @param rating [A], zero or more
/// @param line_voltage [V], zero or more
/// @param power_factor [ratio], above 0, at most 1
/// @return [W]
/// @source three-phase power
extern const Formula<Power, Current, Voltage, double> three_phase_rating;

/// Rating that a level needs: the load, twice for 2N. N+1 adds one module, whose size is not known before it is drawn.
/// @param load [W], zero or more
/// @param redundancy [count], 0 (N), 1 (N+1) or 2 (2N)
/// @return [W], an estimate
/// @source redundancy arithmetic
extern const Formula<Power, Power, Count> rating_needed;

/// Real power of a current rating between two conductors: one phase, or the poles of direct current.
/// @param rating [A], zero or more
/// @param voltage [V], zero or more; between the two conductors
/// @param power_factor [ratio], above 0, at most 1; 1 for direct current
/// @return [W]
/// @source P = U I cos phi
extern const Formula<Power, Current, Voltage, double> two_conductor_rating;

/// Efficiency of a level of the chain at what it delivers.
/// @param output_power [W], above 0
/// @param loss [W], zero or more
/// @return [ratio]
/// @source efficiency
extern const Formula<double, Power, Power> chain_efficiency;

/// Mean of several shares.
/// @param sum [ratio], zero or more
/// @param count [count], at least 1
/// @return [ratio]
/// @source mean
extern const Formula<double, double, Count> mean_share;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> power_chain_formulas();

} // namespace hallwright
