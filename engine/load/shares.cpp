// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/shares.h"

#include <algorithm>

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Power, Power, double> share_of_power{
    .name = "share_of_power",
    .text = "power * share",
    .source = "planning share",
    .parameters = {"power", "share"},
    .function = [](Power power, double share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), not_negative("share", share)})) return *wrong;
      return power * share;
    },
    .estimate = true,
};

constinit const Formula<Power, Power, Count> power_of_one{
    .name = "power_of_one",
    .text = "power / count",
    .source = "ratio",
    .parameters = {"power", "count"},
    .function = [](Power power, Count count) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), at_least("count", count, 1)})) return *wrong;
      return power / count;
    },
};

constinit const Formula<Power, Power, Power> remaining_power{
    .name = "remaining_power",
    .text = "whole - part",
    .source = "difference",
    .parameters = {"whole", "part"},
    .function = [](Power whole, Power part) -> Result<Power> {
      if (auto wrong = violated({not_negative("whole", whole), not_negative("part", part)})) return *wrong;
      // Two sums of the same parts in another order differ in the last digits.
      if (part > whole * (1.0 + 1e-9))
        return not_applicable(
            fmt::format("part must be at most the whole, {:.6g} W; it is {:.6g} W", in_watts(whole), in_watts(part)));
      return std::max(Power{}, whole - part);
    },
};

constinit const Formula<Power, Power, Power> larger_power{
    .name = "larger_power",
    .text = "max(needed, drawn)",
    .source = "comparison",
    .parameters = {"needed", "drawn"},
    .function = [](Power needed, Power drawn) -> Result<Power> {
      if (auto wrong = violated({not_negative("needed", needed), not_negative("drawn", drawn)})) return *wrong;
      return std::max(needed, drawn);
    },
};

constinit const Formula<double, Power, Power> power_share{
    .name = "power_share",
    .text = "part / whole",
    .source = "ratio",
    .parameters = {"part", "whole"},
    .function = [](Power part, Power whole) -> Result<double> {
      if (auto wrong = violated({not_negative("part", part), above_zero("whole", whole)})) return *wrong;
      return part / whole;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> load_share_formulas() {
  return {any(share_of_power), any(power_of_one), any(remaining_power), any(larger_power), any(power_share)};
}

} // namespace hallwright
