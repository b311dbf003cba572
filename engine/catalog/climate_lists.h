// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/parts.h"

/// The monthly lists of a climate: twelve numbers in degC, January first, with blanks between.
namespace hallwright {

using Months = std::array<double, 12>;

/// Hours of an ordinary and of a leap year.
inline constexpr double hours_of_year = 8760.0, hours_of_leap_year = 8784.0;

/// Lists of a climate as numbers [degC].
struct MonthlyClimate {
  Months highest{}, mean{}, lowest{}; ///< dry bulb over the hours of the typical year
  Months dew_point{};                 ///< mean
  std::array<Months, 4> dry{}, wet{}; ///< dry bulb exceeded on 0.4, 2, 5 and 10 % of a month's hours, and the mean wet bulb at it
};

/// What is wrong with one list.
struct ClimateListProblem {
  std::string_view column; ///< name of its field
  std::string cell;
  std::string what; ///< "holds 11 numbers; ..."
};

/// Reads the lists of `part`. Each holds twelve numbers from -90 to 60; in every month the lowest is at most the mean and the mean at most the
/// highest, the dew point is at most the mean, the dry bulbs fall from 0.4 to 10 % and are at least their wet bulbs, and the lowest is below the
/// dry bulb of 10 %.
/// @return every problem, in the order of the columns
[[nodiscard]] tl::expected<MonthlyClimate, std::vector<ClimateListProblem>> monthly_climate(const ClimatePart& part);

} // namespace hallwright
