// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantity/table_number.h"

#include <array>
#include <charconv>
#include <cmath>

#include "quantity/text.h"

namespace hallwright {

std::string table_number(double value) {
  if (!std::isfinite(value)) return {};
  constexpr double exact_whole = 9007199254740992.0; // 2^53
  constexpr int digits = 12;
  if (std::fabs(value) <= exact_whole && value == std::floor(value)) return exact_number(value);
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
  double rounded = value;
  std::from_chars(text.data(), end.ptr, rounded);
  return exact_number(rounded);
}

} // namespace hallwright
