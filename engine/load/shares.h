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

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> load_share_formulas();

} // namespace hallwright
