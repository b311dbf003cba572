// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/edits.h"

/// Measured or typical weather of a year as the climate of a design.
///
/// Two forms are read. EPW, the weather format of EnergyPlus: a first line that begins with LOCATION, seven more lines of header, then a line an hour
/// (or a part of one) whose fields 7 to 10 are dry bulb [degC], dew point [degC], relative humidity [%] and pressure [Pa]; 99.9, 99.9, 999 and
/// 999999 stand for a missing value. CSV: a header with the unit in each name, "dry bulb [degC]" and "wet bulb [degC]" or "relative humidity [%]",
/// perhaps "pressure [hPa]"; a line an hour. Cells are apart by tabs, else semicolons (then a comma is a decimal mark), else commas.
namespace hallwright {

/// A year of weather in states of 1 K.
struct WeatherYear {
  std::string place; ///< as the file names it; may be empty
  std::vector<ClimateBin> states; ///< without ids, by dry bulb: a state at each whole degree, with the mean wet bulb of its hours
  std::size_t lines = 0;          ///< that were read
  double hours = 0.0;
  double lowest_c = 0.0, mean_c = 0.0, highest_c = 0.0; ///< dry bulb
  std::vector<std::string> notes; ///< what was assumed, columns that are not read
  /// "8,760 hours, -13.3 to 36.7 degC, mean 12.7 degC: 51 states of 1 K"
  [[nodiscard]] std::string summary() const;
};

/// Reads a file of either form. The year must be whole: 8,760 or 8,784 hours.
/// @return an error of a line for each of the first ten wrong cells, naming line, field, value and what is allowed
[[nodiscard]] tl::expected<WeatherYear, std::string> read_weather(std::string_view text);

/// The edit that puts the states in the place of the design's climate rows ("Climate of Golden").
[[nodiscard]] Edit weather_edit(const WeatherYear& year);

} // namespace hallwright
