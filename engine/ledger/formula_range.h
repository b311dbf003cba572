// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "ledger/formula.h"

/// What the functions of formulas share: ranges of parameters that answer in one sentence, whole numbers, and counts
/// beside quantities.
namespace hallwright {

/// One parameter, its value and the range that it must lie in. Made by the functions below.
struct Requirement {
  std::string_view parameter;
  double value = 0.0;    ///< in the base unit
  std::string_view unit; ///< symbol of the base unit; "1" for pure numbers
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  [[nodiscard]] bool met() const {
    return std::isfinite(value) && (low_open ? value > low : value >= low) &&
           (high_open ? value < high : value <= high);
  }
};

template <class T>
Requirement any_finite(std::string_view parameter, T value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {parameter, base_value(value), KindOf<T>::value.base_symbol, -infinity, infinity, false, false};
}
template <class T>
Requirement not_negative(std::string_view parameter, T value) {
  return {parameter, base_value(value), KindOf<T>::value.base_symbol};
}
template <class T>
Requirement above_zero(std::string_view parameter, T value) {
  return {.parameter = parameter, .value = base_value(value), .unit = KindOf<T>::value.base_symbol, .low_open = true};
}
template <class T>
Requirement at_least(std::string_view parameter, T value, double low) {
  return {.parameter = parameter, .value = base_value(value), .unit = KindOf<T>::value.base_symbol, .low = low};
}
/// Both ends belong to the range.
template <class T>
Requirement between(std::string_view parameter, T value, double low, double high) {
  return {parameter, base_value(value), KindOf<T>::value.base_symbol, low, high};
}
/// 0 to 1, both ends included.
inline Requirement share(std::string_view parameter, double value) { return between(parameter, value, 0.0, 1.0); }
/// Above 0, at most 1: a share that is divided by.
inline Requirement positive_share(std::string_view parameter, double value) {
  return {parameter, value, "1", 0.0, 1.0, true, false};
}
/// At least 0, below 1: a probability whose complement is divided by.
inline Requirement share_below_one(std::string_view parameter, double value) {
  return {parameter, value, "1", 0.0, 1.0, false, true};
}
/// Above 0 and below 1.
inline Requirement open_share(std::string_view parameter, double value) {
  return {parameter, value, "1", 0.0, 1.0, true, true};
}

/// A count times or under a quantity, in doubles (the library of units multiplies equal number types only).
template <class Dimension>
constexpr Q<Dimension> operator*(Count count, Q<Dimension> quantity) {
  return static_cast<double>(count) * quantity;
}
template <class Dimension>
constexpr Q<Dimension> operator*(Q<Dimension> quantity, Count count) {
  return quantity * static_cast<double>(count);
}
template <class Dimension>
constexpr Q<Dimension> operator/(Q<Dimension> quantity, Count count) {
  return quantity / static_cast<double>(count);
}

/// The first requirement that is not met, as "<parameter> must be ...; it is ..."; nothing when all are met.
[[nodiscard]] std::optional<tl::unexpected<NotApplicable>> violated(std::initializer_list<Requirement> requirements);

/// Largest whole number not above `x`, and smallest not below it. A quotient within 1e-12 (relative) of a whole
/// number is that number: 0.3 / 0.1 holds 3 times although the machine says 2.9999999999999996.
[[nodiscard]] double whole_at_most(double x);
[[nodiscard]] double whole_at_least(double x);

/// A whole number as a `Count`; not applicable when it does not fit 64 bits.
[[nodiscard]] Result<Count> counted_whole(double x);

} // namespace hallwright
