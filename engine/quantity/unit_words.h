// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quantity/kind.h"

/// The unit words that the parser knows: symbols, metric and binary prefixes, everyday aliases.
namespace hallwright {

/// Which words of a unit with the same dimension differ in meaning.
enum class PowerWord : std::uint8_t { none, real, apparent };
/// A unit that also names a point on the temperature scale.
enum class PointWord : std::uint8_t { none, celsius, fahrenheit };

/// A unit as a fraction, so that "9 mm" is 9 / 1000, correctly rounded: base units in one = `up / down`.
struct UnitWord {
  double up = 1.0, down = 1.0;
  Exponents exponents;
  PowerWord power = PowerWord::none;
  PointWord point = PointWord::none;
  bool percent = false;
};

/// The unit of one word ("MW", "Gbps", "lbs", "%"), or nothing when the word is unknown. Case matters.
[[nodiscard]] std::optional<UnitWord> unit_word(std::string_view word);

/// Product of two dimensions (`sign` 1) or their ratio (`sign` -1).
[[nodiscard]] Exponents combined(const Exponents& a, const Exponents& b, int sign);

/// Reads a whole unit ("J/(kg K)", "1/y", "L/min") as one fraction; nothing when it is not a unit.
[[nodiscard]] std::optional<UnitWord> unit_expression(std::string_view text);

/// What `number` of `unit` is in base units; `as_point` adds the zero of a temperature scale.
[[nodiscard]] double base_amount(double number, const UnitWord& unit, bool as_point);

} // namespace hallwright
