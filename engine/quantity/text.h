// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "quantity/kind.h"

/// The one parser and the one printer of numbers with units. No Boost header.
namespace hallwright {

/// What separates the whole part from the fraction where the text was typed or is shown.
enum class DecimalMark : char { point = '.', comma = ',' };

/// Reads unit-aware text as an amount of `kind`, in its base unit.
///
/// Accepts numbers, units, `+ - * / ^` and brackets: `2*1.2 MW`, `480 L/min`, `24 in`, `90 %`.
/// Point and comma are both accepted as decimal mark; text that could be read as grouping
/// ("1.234" typed under a comma locale, "1,234" under a point locale, "1 234") is refused.
/// A bare number is taken in the base unit only for ratios and counts; `default_unit`, when not
/// empty, is the unit of a bare number (a field that shows millimetres reads 600 as 600 mm).
/// @return amount in the base unit of `kind`, or one sentence: what was typed, what is wrong, what is allowed
[[nodiscard]] tl::expected<double, std::string> parse_quantity(std::string_view text, const Kind& kind,
                                                               DecimalMark mark = DecimalMark::point,
                                                               std::string_view default_unit = {});

/// Splits a field expression that starts with `+=`, `-=`, `*=` or `/=` and applies it to `present`.
/// Text without such a prefix is parsed as by `parse_quantity`.
[[nodiscard]] tl::expected<double, std::string> parse_edit(std::string_view text, double present, const Kind& kind,
                                                           DecimalMark mark = DecimalMark::point,
                                                           std::string_view default_unit = {});

struct NumberStyle {
  int significant = 3;                     ///< significant digits; 0 prints the shortest text that reads back equal
  DecimalMark mark = DecimalMark::point;
  std::string_view group = "\u2009";       ///< between thousands; empty in files
  std::string_view unit;                   ///< a display unit by symbol; empty picks one by size
};

/// A number and its unit, apart, for right-aligned columns. Never prints NaN or infinity ("not applicable").
struct QuantityText {
  std::string number;
  std::string unit;
  [[nodiscard]] std::string joined() const { return unit.empty() ? number : number + (unit == "%" ? "\u2009" : " ") + unit; }
};
[[nodiscard]] QuantityText format_quantity(double base_value, const Kind& kind, const NumberStyle& style = {});

/// Full precision in the base unit, locale-free: what files, CSV and JSON hold ("21300000").
[[nodiscard]] std::string exact_number(double value);

/// Picks the display unit that suits `base_value` (for charts and tables that share one unit in a column).
[[nodiscard]] const DisplayUnit& suited_unit(double base_value, const Kind& kind);

} // namespace hallwright
