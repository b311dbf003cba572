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

// Racks that are held to a power

constinit const Formula<Power, Power, Power> smaller_power{
    .name = "smaller_power",
    .text = "min(asked, allowed)",
    .source = "comparison",
    .parameters = {"asked", "allowed"},
    .function = [](Power asked, Power allowed) -> Result<Power> {
      if (auto wrong = violated({not_negative("asked", asked), not_negative("allowed", allowed)})) return *wrong;
      return std::min(asked, allowed);
    },
};

constinit const Formula<double, Power, Power> row_cap_share{
    .name = "row_cap_share",
    .text = "min(1, row_cap / least)",
    .source = "proportional sharing",
    .parameters = {"row_cap", "least"},
    .function = [](Power row_cap, Power least) -> Result<double> {
      if (auto wrong = violated({above_zero("row_cap", row_cap), above_zero("least", least)})) return *wrong;
      return std::min<double>(1.0, row_cap / least);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, Power, Power, Power, Power> row_accelerator_level{
    .name = "row_accelerator_level",
    .text = "min(1, max(0, row_cap + accelerators_drawn - asked) / accelerators_uncapped)",
    .source = "max-min fair sharing",
    .parameters = {"row_cap", "asked", "accelerators_drawn", "accelerators_uncapped"},
    .function = [](Power row_cap, Power asked, Power accelerators_drawn, Power accelerators_uncapped) -> Result<double> {
      if (auto wrong = violated({above_zero("row_cap", row_cap), not_negative("asked", asked), not_negative("accelerators_drawn", accelerators_drawn),
                                 above_zero("accelerators_uncapped", accelerators_uncapped)}))
        return *wrong;
      return std::min<double>(1.0, std::max(Power{}, row_cap + accelerators_drawn - asked) / accelerators_uncapped);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<Power, Power, Power, Power, Power, double> rack_power_at_level{
    .name = "rack_power_at_level",
    .text = "max(0, asked - max(0, accelerators_drawn - max(accelerators_idle, level * accelerators_uncapped)))",
    .source = "sum of parts",
    .parameters = {"asked", "accelerators_drawn", "accelerators_uncapped", "accelerators_idle", "level"},
    .function = [](Power asked, Power accelerators_drawn, Power accelerators_uncapped, Power accelerators_idle, double level) -> Result<Power> {
      if (auto wrong = violated({not_negative("asked", asked), not_negative("accelerators_drawn", accelerators_drawn),
                                 not_negative("accelerators_uncapped", accelerators_uncapped), not_negative("accelerators_idle", accelerators_idle),
                                 share("level", level)}))
        return *wrong;
      const Power kept = std::max(accelerators_idle, accelerators_uncapped * level);
      return std::max(Power{}, asked - std::max(Power{}, accelerators_drawn - kept));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Count, Power, Power, Power, Power, double> accelerators_power_drawn{
    .name = "accelerators_power_drawn",
    .text = "accelerators * min(accelerator_power * min(1, power / nameplate_power), max(power_cap, idle_share * "
            "accelerator_power))",
    .source = "product",
    .parameters = {"accelerators", "accelerator_power", "power", "nameplate_power", "power_cap", "idle_share"},
    .function = [](Count accelerators, Power accelerator_power, Power power, Power nameplate_power, Power power_cap,
                   double idle_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("accelerators", accelerators),
                                 not_negative("accelerator_power", accelerator_power), not_negative("power", power),
                                 above_zero("nameplate_power", nameplate_power), not_negative("power_cap", power_cap),
                                 share("idle_share", idle_share)}))
        return *wrong;
      const double drawn = in_watts(accelerator_power) * std::min<double>(1.0, power / nameplate_power);
      const double held = std::max(in_watts(power_cap), idle_share * in_watts(accelerator_power));
      return watts(static_cast<double>(accelerators) * std::min(drawn, held));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, Power, Power> least_rack_power{
    .name = "least_rack_power",
    .text = "max(0, asked - max(0, accelerators_drawn - accelerators_idle))",
    .source = "sum of parts",
    .parameters = {"asked", "accelerators_drawn", "accelerators_idle"},
    .function = [](Power asked, Power accelerators_drawn, Power accelerators_idle) -> Result<Power> {
      if (auto wrong =
              violated({not_negative("asked", asked), not_negative("accelerators_drawn", accelerators_drawn),
                        not_negative("accelerators_idle", accelerators_idle)}))
        return *wrong;
      return std::max(Power{}, asked - std::max(Power{}, accelerators_drawn - accelerators_idle));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, Power, Power, Power, Power> accelerator_limit_in_rack{
    .name = "accelerator_limit_in_rack",
    .text = "accelerator_power * min(1, max(0, accelerators_drawn - max(0, asked - power)) / accelerators_uncapped)",
    .source = "sum of parts",
    .parameters = {"accelerator_power", "accelerators_drawn", "asked", "power", "accelerators_uncapped"},
    .function = [](Power accelerator_power, Power accelerators_drawn, Power asked, Power power,
                   Power accelerators_uncapped) -> Result<Power> {
      if (auto wrong = violated({not_negative("accelerator_power", accelerator_power),
                                 not_negative("accelerators_drawn", accelerators_drawn), not_negative("asked", asked),
                                 not_negative("power", power),
                                 above_zero("accelerators_uncapped", accelerators_uncapped)}))
        return *wrong;
      const Power left = std::max(Power{}, accelerators_drawn - std::max(Power{}, asked - power));
      return accelerator_power * std::min<double>(1.0, left / accelerators_uncapped);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, Power, Power, Power> held_heat_to_liquid{
    .name = "held_heat_to_liquid",
    .text = "max(0, heat - max(0, asked - power) * min(1, heat / node_power))",
    .source = "energy balance",
    .parameters = {"heat", "asked", "power", "node_power"},
    .function = [](Power heat, Power asked, Power power, Power node_power) -> Result<Power> {
      if (auto wrong = violated({not_negative("heat", heat), not_negative("asked", asked),
                                 not_negative("power", power), above_zero("node_power", node_power)}))
        return *wrong;
      const Power less = std::max(Power{}, asked - power);
      return std::clamp(heat - less * std::min<double>(1.0, heat / node_power), Power{}, power);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> load_share_formulas() {
  return {any(share_of_power),
          any(power_of_one),
          any(remaining_power),
          any(larger_power),
          any(power_share),
          any(smaller_power),
          any(row_cap_share),
          any(row_accelerator_level),
          any(rack_power_at_level),
          any(accelerators_power_drawn),
          any(least_rack_power),
          any(accelerator_limit_in_rack),
          any(held_heat_to_liquid)};
}

} // namespace hallwright
