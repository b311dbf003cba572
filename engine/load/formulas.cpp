// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/formulas.h"

#include <algorithm>
#include <numbers>

#include "ledger/formula_range.h"

namespace hallwright {

// Rack limits

constinit const Formula<Count, Power, Power, Power, Mass, Mass, Mass, Count> nodes_per_rack_limit{
    .name = "nodes_per_rack_limit",
    .text = "network_reach_satisfied * min(floor(rack_power_limit / node_power), floor(rack_heat_limit / node_power), "
            "floor((rack_weight_limit - empty_rack_weight) / node_weight))",
    .source = "rack limit arithmetic",
    .parameters = {"rack_power_limit", "rack_heat_limit", "node_power", "rack_weight_limit", "empty_rack_weight",
                   "node_weight", "network_reach_satisfied"},
    .function = [](Power rack_power_limit, Power rack_heat_limit, Power node_power, Mass rack_weight_limit,
                   Mass empty_rack_weight, Mass node_weight, Count network_reach_satisfied) -> Result<Count> {
      if (auto wrong = violated(
              {not_negative("rack_power_limit", rack_power_limit), not_negative("rack_heat_limit", rack_heat_limit),
               above_zero("node_power", node_power), not_negative("rack_weight_limit", rack_weight_limit),
               not_negative("empty_rack_weight", empty_rack_weight), above_zero("node_weight", node_weight),
               between("network_reach_satisfied", network_reach_satisfied, 0, 1)}))
        return *wrong;
      if (rack_weight_limit < empty_rack_weight)
        return not_applicable("rack_weight_limit must be at least the empty_rack_weight");
      const double by_power = whole_at_most(rack_power_limit / node_power);
      const double by_heat = whole_at_most(rack_heat_limit / node_power);
      const double by_weight = whole_at_most((rack_weight_limit - empty_rack_weight) / node_weight);
      return counted_whole(network_reach_satisfied * std::min({by_power, by_heat, by_weight}));
    },
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<Power, Power, Power, Count, Power, Power, double> power_under_cap{
    .name = "power_under_cap",
    .text = "max(0, power - accelerators * max(0, accelerator_power * min(1, power / nameplate_power) - max(power_cap, "
            "idle_share * accelerator_power)))",
    .source = "sum of parts",
    .parameters = {"power", "nameplate_power", "accelerators", "accelerator_power", "power_cap", "idle_share"},
    .function = [](Power power, Power nameplate_power, Count accelerators, Power accelerator_power, Power power_cap,
                   double idle_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), above_zero("nameplate_power", nameplate_power),
                                 not_negative("accelerators", accelerators),
                                 not_negative("accelerator_power", accelerator_power),
                                 not_negative("power_cap", power_cap), share("idle_share", idle_share)}))
        return *wrong;
      const double held = std::max(in_watts(power_cap), idle_share * in_watts(accelerator_power));
      const double drawn = in_watts(accelerator_power) * std::min(1.0, in_watts(power) / in_watts(nameplate_power));
      const double less = static_cast<double>(accelerators) * std::max(0.0, drawn - held);
      return watts(std::max(0.0, in_watts(power) - less));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> accelerators_of_parts{
    .name = "accelerators_of_parts",
    .text = "count * accelerators",
    .source = "product",
    .parameters = {"count", "accelerators"},
    .function = [](Count count, Count accelerators) -> Result<Count> {
      if (auto wrong = violated({not_negative("count", count), not_negative("accelerators", accelerators)}))
        return *wrong;
      return count * accelerators;
    },
};

constinit const Formula<Power, Count, Power> parts_power{
    .name = "parts_power",
    .text = "count * power_each",
    .source = "sum of equal parts",
    .parameters = {"count", "power_each"},
    .function = [](Count count, Power power_each) -> Result<Power> {
      if (auto wrong = violated({not_negative("count", count), not_negative("power_each", power_each)})) return *wrong;
      return count * power_each;
    },
};

constinit const Formula<Power, Power, double> heat_to_liquid{
    .name = "heat_to_liquid",
    .text = "power * liquid_share",
    .source = "energy balance",
    .parameters = {"power", "liquid_share"},
    .function = [](Power power, double liquid_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), share("liquid_share", liquid_share)})) return *wrong;
      return power * liquid_share;
    },
};

constinit const Formula<Power, Power, double> heat_to_air{
    .name = "heat_to_air",
    .text = "power * (1 - liquid_share)",
    .source = "energy balance",
    .parameters = {"power", "liquid_share"},
    .function = [](Power power, double liquid_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), share("liquid_share", liquid_share)})) return *wrong;
      return power * (1.0 - liquid_share);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<VolumeFlow, Power, TempRise> airflow{
    .name = "airflow",
    .text = "heat / (1.18 kg/m3 * 1006 J/(kg K) * rise)",
    .source = "energy balance; dry air near 25 degC at sea level",
    .parameters = {"heat", "rise"},
    .function = [](Power heat, TempRise rise) -> Result<VolumeFlow> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("rise", rise)})) return *wrong;
      return heat / (kilograms_per_cubic_meter(1.18) * joules_per_kilogram_kelvin(1006) * rise);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::airflow,
};

constinit const Formula<TempRise, Power, VolumeFlow> air_temperature_rise{
    .name = "air_temperature_rise",
    .text = "heat / (1.18 kg/m3 * 1006 J/(kg K) * flow)",
    .source = "energy balance; dry air near 25 degC at sea level",
    .parameters = {"heat", "flow"},
    .function = [](Power heat, VolumeFlow flow) -> Result<TempRise> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("flow", flow)})) return *wrong;
      return heat / (kilograms_per_cubic_meter(1.18) * joules_per_kilogram_kelvin(1006) * flow);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Current, Power, Voltage, double> three_phase_line_current{
    .name = "three_phase_line_current",
    .text = "power / (sqrt(3) * line_voltage * power_factor)",
    .source = "three-phase power",
    .parameters = {"power", "line_voltage", "power_factor"},
    .function = [](Power power, Voltage line_voltage, double power_factor) -> Result<Current> {
      if (auto wrong = violated({not_negative("power", power), above_zero("line_voltage", line_voltage),
                                 positive_share("power_factor", power_factor)}))
        return *wrong;
      return power / (std::numbers::sqrt3 * line_voltage * power_factor);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Current, Power, Voltage, double> single_phase_current{
    .name = "single_phase_current",
    .text = "power / (voltage * power_factor)",
    .source = "single-phase power",
    .parameters = {"power", "voltage", "power_factor"},
    .function = [](Power power, Voltage voltage, double power_factor) -> Result<Current> {
      if (auto wrong = violated({not_negative("power", power), above_zero("voltage", voltage),
                                 positive_share("power_factor", power_factor)}))
        return *wrong;
      return power / (voltage * power_factor);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Current, Current, Current> line_current_of_two_phase_loads{
    .name = "line_current_of_two_phase_loads",
    .text = "sqrt(first ^ 2 + second ^ 2 + first * second)",
    .source = "phasor sum of line-to-line loads",
    .parameters = {"first", "second"},
    .function = [](Current first, Current second) -> Result<Current> {
      if (auto wrong = violated({not_negative("first", first), not_negative("second", second)})) return *wrong;
      return sqrt(first * first + second * second + first * second);
    },
};

constinit const Formula<Current, Current, double> continuous_current_limit{
    .name = "continuous_current_limit",
    .text = "rating * continuous_factor",
    .source = "NEC 210.20, 215.3",
    .parameters = {"rating", "continuous_factor"},
    .function = [](Current rating, double continuous_factor) -> Result<Current> {
      if (auto wrong =
              violated({not_negative("rating", rating), positive_share("continuous_factor", continuous_factor)}))
        return *wrong;
      return rating * continuous_factor;
    },
};

constinit const Formula<PowerPerArea, Power, Area> power_density{
    .name = "power_density",
    .text = "power / area",
    .source = "ratio",
    .parameters = {"power", "area"},
    .function = [](Power power, Area area) -> Result<PowerPerArea> {
      if (auto wrong = violated({not_negative("power", power), above_zero("area", area)})) return *wrong;
      return power / area;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> load_formulas() {
  return {
      any(nodes_per_rack_limit),
      any(power_under_cap),
      any(accelerators_of_parts),
      any(parts_power),
      any(heat_to_liquid),
      any(heat_to_air),
      any(airflow),
      any(air_temperature_rise, {nullptr, &kind::airflow}),
      any(three_phase_line_current),
      any(single_phase_current),
      any(line_current_of_two_phase_loads),
      any(continuous_current_limit),
      any(power_density),
  };
}

} // namespace hallwright
