// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks/told_apart.h"

#include <fmt/format.h>

namespace hallwright {

NumberPair told_apart(double value, double limit, int decimals) {
  constexpr int most = 9;
  NumberPair out;
  for (int digits = decimals; digits <= most; ++digits) {
    NumberPair more{fmt::format("{:.{}f}", value, digits), fmt::format("{:.{}f}", limit, digits)};
    const bool apart = more.value != more.limit;
    if (digits == decimals || apart) out = std::move(more);
    if (apart || value == limit) break;
  }
  return out;
}

} // namespace hallwright
