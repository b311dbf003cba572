// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/redundancy.h"

#include <algorithm>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Count, Count, Count, Count> units_with_redundancy{
    .name = "units_with_redundancy",
    .text = "n = max(by_duty, by_flow); n (N), n + 1 (N+1) or 2 * n (2N)",
    .source = "redundancy arithmetic",
    .parameters = {"by_duty", "by_flow", "redundancy"},
    .function = [](Count by_duty, Count by_flow, Count redundancy) -> Result<Count> {
      if (auto wrong = violated({not_negative("by_duty", by_duty), not_negative("by_flow", by_flow),
                                 between("redundancy", redundancy, 0, 2)}))
        return *wrong;
      const Count n = std::max(by_duty, by_flow);
      if (n == 0) return Count{0};
      return counted_whole(redundancy == 2 ? 2.0 * static_cast<double>(n) : static_cast<double>(n + redundancy));
    },
};

constinit const Formula<Count, Count, Count> larger_count{
    .name = "larger_count",
    .text = "max(by_duty, by_flow)",
    .source = "comparison",
    .parameters = {"by_duty", "by_flow"},
    .function = [](Count by_duty, Count by_flow) -> Result<Count> {
      if (auto wrong = violated({not_negative("by_duty", by_duty), not_negative("by_flow", by_flow)})) return *wrong;
      return std::max(by_duty, by_flow);
    },
};

constinit const Formula<VolumeFlow, Count, VolumeFlow> racks_flow{
    .name = "racks_flow",
    .text = "racks * flow",
    .source = "sum of equal parts",
    .parameters = {"racks", "flow"},
    .function = [](Count racks, VolumeFlow flow) -> Result<VolumeFlow> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("flow", flow)})) return *wrong;
      return racks * flow;
    },
};

constinit const Formula<VolumeFlow, VolumeFlow, VolumeFlow> larger_flow{
    .name = "larger_flow",
    .text = "max(by_heat, by_part)",
    .source = "comparison",
    .parameters = {"by_heat", "by_part"},
    .function = [](VolumeFlow by_heat, VolumeFlow by_part) -> Result<VolumeFlow> {
      if (auto wrong = violated({not_negative("by_heat", by_heat), not_negative("by_part", by_part)})) return *wrong;
      return std::max(by_heat, by_part);
    },
};

constinit const Formula<double, Power, Power> duty_headroom{
    .name = "duty_headroom",
    .text = "1 - heat / capacity",
    .source = "ratio",
    .parameters = {"heat", "capacity"},
    .function = [](Power heat, Power capacity) -> Result<double> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("capacity", capacity)})) return *wrong;
      return 1.0 - heat / capacity;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, VolumeFlow, VolumeFlow> flow_headroom{
    .name = "flow_headroom",
    .text = "1 - flow / capacity",
    .source = "ratio",
    .parameters = {"flow", "capacity"},
    .function = [](VolumeFlow flow, VolumeFlow capacity) -> Result<double> {
      if (auto wrong = violated({not_negative("flow", flow), above_zero("capacity", capacity)})) return *wrong;
      return 1.0 - flow / capacity;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, double, double> smaller_headroom{
    .name = "smaller_headroom",
    .text = "min(first, second)",
    .source = "comparison",
    .parameters = {"first", "second"},
    .function = [](double first, double second) -> Result<double> {
      if (auto wrong = violated({any_finite("first", first), any_finite("second", second)})) return *wrong;
      return std::min(first, second);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<Power, Power, double> plant_power{
    .name = "plant_power",
    .text = "heat * share",
    .source = "planning share",
    .parameters = {"heat", "share"},
    .function = [](Power heat, double share) -> Result<Power> {
      if (auto wrong = violated({not_negative("heat", heat), not_negative("share", share)})) return *wrong;
      return heat * share;
    },
    .estimate = true,
};

constinit const Formula<Power, Count, Power> running_units_power{
    .name = "running_units_power",
    .text = "units * power_each",
    .source = "sum of equal parts",
    .parameters = {"units", "power_each"},
    .function = [](Count units, Power power_each) -> Result<Power> {
      if (auto wrong = violated({not_negative("units", units), not_negative("power_each", power_each)})) return *wrong;
      return units * power_each;
    },
};

std::vector<AnyFormula> cooling_redundancy_formulas() {
  return {any(units_with_redundancy), any(larger_count),  any(racks_flow),
          any(larger_flow),           any(duty_headroom), any(flow_headroom),
          any(smaller_headroom),      any(plant_power),   any(running_units_power)};
}

} // namespace hallwright
