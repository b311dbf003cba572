// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace hallwright {

/// Two numbers for one sentence that compares them.
struct NumberPair {
  std::string value, limit;
};
/// With `decimals` after the point, or as many more (up to 9) as it takes to tell them apart: "1200.4" over "1200.0", never
/// "1200" over "1200". Numbers that are the same read the same.
[[nodiscard]] NumberPair told_apart(double value, double limit, int decimals);

} // namespace hallwright
