// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "ledger/formula.h"

/// Every formula of the engine in one list, and the calculation of one by name from typed text: what the formula
/// worksheet and the command line use.
namespace hallwright {

/// Every formula, rooms from the ground up, each room in the order of its header. Names are unique.
[[nodiscard]] const std::vector<AnyFormula>& all_formulas();

/// The formula with exactly this name, or null.
[[nodiscard]] const AnyFormula* find_formula(std::string_view name);

/// The result of a formula that was calculated from text.
struct CalcAnswer {
  double value = 0.0;                  ///< in the base unit of `kind`; finite
  const Kind* kind = nullptr;          ///< kind of the result
  const AnyFormula* formula = nullptr; ///< an entry of `all_formulas()`
};

/// Calculates the formula `name` from pairs of parameter name and text with unit ("heat", "120 kW").
///
/// The text of a list parameter holds its values between commas, each with its unit ("370 GB/s, 372 GB/s"); in other
/// parameters a comma is a decimal mark. Counts must be whole.
/// @return the answer, or one sentence: an unknown formula, an unknown, repeated or missing parameter, text that is
///         not an amount of the parameter's kind, or why the formula is not applicable to the values
[[nodiscard]] tl::expected<CalcAnswer, std::string>
calculate(std::string_view name, const std::vector<std::pair<std::string, std::string>>& arguments);

} // namespace hallwright
