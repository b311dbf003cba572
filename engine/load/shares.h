// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Small formulas by which the load stage splits and compares powers. Outside the stated ranges: not applicable.
namespace hallwright {

/// The formula for a place of use where every input that may be a lower bound (a load) makes the result grow: "at
/// least" is then carried on instead of becoming an estimate.
template <class R, class... A>
Formula<R, A...> growing(const Formula<R, A...>& formula) {
  Formula<R, A...> out = formula;
  out.monotone = Monotone::increasing;
  return out;
}

/// Power that stands in for something not yet described, as a share of another power.
/// @param power [W], zero or more
/// @param share [ratio], zero or more
/// @return [W], an estimate
/// @source planning share
extern const Formula<Power, Power, double> share_of_power;

/// Mean power of one of several.
/// @param power [W], zero or more
/// @param count [count], at least 1
/// @return [W]
/// @source ratio
extern const Formula<Power, Power, Count> power_of_one;

/// What is left of a power when a part of it is accounted for elsewhere; the part is not more than the whole.
/// @param whole [W], zero or more
/// @param part [W], zero or more
/// @return [W]
/// @source difference
extern const Formula<Power, Power, Power> remaining_power;

/// The larger of what is needed and what is drawn.
/// @param needed [W], zero or more
/// @param drawn [W], zero or more
/// @return [W]
/// @source comparison
extern const Formula<Power, Power, Power> larger_power;

/// Share of a power that another one is.
/// @param part [W], zero or more
/// @param whole [W], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Power, Power> power_share;

// Racks that are held to a power

/// The smaller of what is asked and what is allowed.
/// @param asked [W], zero or more
/// @param allowed [W], zero or more
/// @return [W]
/// @source comparison
extern const Formula<Power, Power, Power> smaller_power;

/// Share of what the racks of a row draw with idle accelerators that a cap of the row leaves them.
/// @param row_cap [W], above 0
/// @param least [W], by all racks of the row, above 0
/// @return [ratio], at most 1
/// @source proportional sharing
extern const Formula<double, Power, Power> row_cap_share;

/// Level to which the accelerators of a row are held, as a share of what they would draw without any cap: that at which
/// the row keeps to its cap.
/// @param row_cap [W], above 0
/// @param asked [W], by racks that are held to the level, and drawn by all others of the row, zero or more
/// @param accelerators_drawn [W], by all of the racks that are held to the level, before the cap of the row, zero or more
/// @param accelerators_uncapped [W], that the same would draw without any cap, above 0
/// @return [ratio], 0 to 1
/// @source max-min fair sharing (water filling; Bertsekas and Gallager, Data Networks, 6.5.2)
extern const Formula<double, Power, Power, Power, Power> row_accelerator_level;

/// What a rack draws whose accelerators are held to a level; none falls below idle.
/// @param asked [W], of the rack before its caps, zero or more
/// @param accelerators_drawn [W], by all of the rack before its caps, zero or more
/// @param accelerators_uncapped [W], that all of them would draw without any cap, zero or more
/// @param accelerators_idle [W], of the same, idle, zero or more
/// @param level [ratio], 0 to 1
/// @return [W], an estimate
/// @source sum of parts
extern const Formula<Power, Power, Power, Power, Power, double> rack_power_at_level;

/// What accelerators draw while what holds them draws `power`: as large a share of their limit as that is of its
/// nameplate, and at most their cap.
/// @param accelerators [count], zero or more
/// @param accelerator_power [W], limit of one, zero or more
/// @param power [W], of what holds them, at the basis of the design, zero or more
/// @param nameplate_power [W], of the same, above 0
/// @param power_cap [W], of one, zero or more; none can be held below what it draws idle
/// @param idle_share [ratio], of the limit of one, 0 to 1
/// @return [W], an estimate
/// @source product
extern const Formula<Power, Count, Power, Power, Power, Power, double> accelerators_power_drawn;

/// What a rack draws when its accelerators idle and all else in it works on: no cap holds it lower.
/// @param asked [W], of the rack, zero or more
/// @param accelerators_drawn [W], of all its accelerators, zero or more
/// @param accelerators_idle [W], of the same, idle, zero or more
/// @return [W], zero or more
/// @source sum of parts
extern const Formula<Power, Power, Power, Power> least_rack_power;

/// Power limit of an accelerator at which a rack keeps to its cap: its other devices draw on, and its accelerators share
/// what is left. Their mean power is taken to go with their limit.
/// @param accelerator_power [W], limit of one without any cap, zero or more
/// @param accelerators_drawn [W], by all of the rack before its cap, zero or more
/// @param asked [W], of the rack before its cap, zero or more
/// @param power [W], of the rack under its cap, zero or more
/// @param accelerators_uncapped [W], that all of them would draw without any cap, above 0
/// @return [W], an estimate
/// @source sum of parts
extern const Formula<Power, Power, Power, Power, Power, Power> accelerator_limit_in_rack;

/// Heat to liquid of a rack under a cap: what it draws less, its nodes draw less, and shed that much less.
/// @param heat [W], to liquid before the cap, zero or more
/// @param asked [W], of the rack before its cap, zero or more
/// @param power [W], of the rack under its cap, zero or more
/// @param node_power [W], of its nodes before the cap, above 0
/// @return [W], an estimate
/// @source energy balance
extern const Formula<Power, Power, Power, Power, Power> held_heat_to_liquid;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> load_share_formulas();

} // namespace hallwright
