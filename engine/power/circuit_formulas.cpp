// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/circuit_formulas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<ApparentPower, Current, Voltage, double> single_phase_circuit_capacity{
    .name = "single_phase_circuit_capacity",
    .text = "voltage * breaker_rating * continuous_factor",
    .source = "HP, Power basics for IT professionals, p. 22",
    .parameters = {"breaker_rating", "voltage", "continuous_factor"},
    .function = [](Current breaker_rating, Voltage voltage, double continuous_factor) -> Result<ApparentPower> {
      if (auto wrong = violated({not_negative("breaker_rating", breaker_rating), not_negative("voltage", voltage),
                                 positive_share("continuous_factor", continuous_factor)}))
        return *wrong;
      return ApparentPower::from_volt_amperes(in_watts(voltage * breaker_rating) * continuous_factor);
    },
};

constinit const Formula<ApparentPower, Current, Voltage, double> three_phase_circuit_capacity{
    .name = "three_phase_circuit_capacity",
    .text = "sqrt(3) * line_voltage * breaker_rating * continuous_factor",
    .source = "HP, Power basics for IT professionals, p. 22",
    .parameters = {"breaker_rating", "line_voltage", "continuous_factor"},
    .function = [](Current breaker_rating, Voltage line_voltage, double continuous_factor) -> Result<ApparentPower> {
      if (auto wrong =
              violated({not_negative("breaker_rating", breaker_rating), not_negative("line_voltage", line_voltage),
                        positive_share("continuous_factor", continuous_factor)}))
        return *wrong;
      return ApparentPower::from_volt_amperes(std::numbers::sqrt3 * in_watts(line_voltage * breaker_rating) *
                                              continuous_factor);
    },
};

constinit const Formula<ApparentPower, Current, Voltage, double> three_phase_circuit_capacity_to_neutral{
    .name = "three_phase_circuit_capacity_to_neutral",
    .text = "3 * neutral_voltage * breaker_rating * continuous_factor",
    .source = "HP, Power basics for IT professionals, p. 22",
    .parameters = {"breaker_rating", "neutral_voltage", "continuous_factor"},
    .function = [](Current breaker_rating, Voltage neutral_voltage, double continuous_factor) -> Result<ApparentPower> {
      if (auto wrong = violated({not_negative("breaker_rating", breaker_rating),
                                 not_negative("neutral_voltage", neutral_voltage),
                                 positive_share("continuous_factor", continuous_factor)}))
        return *wrong;
      return ApparentPower::from_volt_amperes(3.0 * in_watts(neutral_voltage * breaker_rating) * continuous_factor);
    },
};

constinit const Formula<Power, Power, Count> load_of_supply{
    .name = "load_of_supply",
    .text = "load / active_supplies",
    .source = "even split",
    .parameters = {"load", "active_supplies"},
    .function = [](Power load, Count active_supplies) -> Result<Power> {
      if (auto wrong = violated({not_negative("load", load), at_least("active_supplies", active_supplies, 1)}))
        return *wrong;
      return load / active_supplies;
    },
};

constinit const Formula<Power, Count, Power, Count> supply_shelf_capacity{
    .name = "supply_shelf_capacity",
    .text = "(supplies - reserve) * supply_power",
    .source = "sum without the reserve",
    .parameters = {"supplies", "supply_power", "reserve"},
    .function = [](Count supplies, Power supply_power, Count reserve) -> Result<Power> {
      if (auto wrong =
              violated({at_least("supplies", supplies, 1), not_negative("supply_power", supply_power),
                        between("reserve", reserve, 0, static_cast<double>(std::max<Count>(supplies, 0)))}))
        return *wrong;
      return (supplies - reserve) * supply_power;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Count, Power, Count> shelves_with_one_feed_lost{
    .name = "shelves_with_one_feed_lost",
    .text = "shelves * (feeds - 1) / feeds * shelf_power",
    .source = "sum over the feeds that are left",
    .parameters = {"shelves", "shelf_power", "feeds"},
    .function = [](Count shelves, Power shelf_power, Count feeds) -> Result<Power> {
      if (auto wrong = violated({at_least("shelves", shelves, 1), not_negative("shelf_power", shelf_power),
                                 at_least("feeds", feeds, 1)}))
        return *wrong;
      return static_cast<double>(shelves) * static_cast<double>(feeds - 1) / static_cast<double>(feeds) * shelf_power;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, ApparentPower, Count, ApparentPower> module_use{
    .name = "module_use",
    .text = "load / (modules * module_rating)",
    .source = "ratio",
    .parameters = {"load", "modules", "module_rating"},
    .function = [](ApparentPower load, Count modules, ApparentPower module_rating) -> Result<double> {
      if (auto wrong = violated({not_negative("load", load), at_least("modules", modules, 1),
                                 above_zero("module_rating", module_rating)}))
        return *wrong;
      return load / (static_cast<double>(modules) * module_rating);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<Current, Current, Current, Current> neutral_current{
    .name = "neutral_current",
    .text = "sqrt(first^2 + second^2 + third^2 - first second - second third - third first)",
    .source = "phasor sum of three currents 120 degrees apart",
    .parameters = {"first", "second", "third"},
    .function = [](Current first, Current second, Current third) -> Result<Current> {
      if (auto wrong =
              violated({not_negative("first", first), not_negative("second", second), not_negative("third", third)}))
        return *wrong;
      const double ab = in_amperes(first - second), bc = in_amperes(second - third), ca = in_amperes(third - first);
      return amperes(std::sqrt((ab * ab + bc * bc + ca * ca) / 2.0));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Current, ApparentPower, Voltage, double, double> transformer_fault_current{
    .name = "transformer_fault_current",
    .text = "voltage_factor * rating / (sqrt(3) * line_voltage * impedance_voltage)",
    .source = "IEC 60909-0; the source above the transformer is taken as stiff",
    .parameters = {"rating", "line_voltage", "impedance_voltage", "voltage_factor"},
    .function = [](ApparentPower rating, Voltage line_voltage, double impedance_voltage,
                   double voltage_factor) -> Result<Current> {
      if (auto wrong = violated({not_negative("rating", rating), above_zero("line_voltage", line_voltage),
                                 positive_share("impedance_voltage", impedance_voltage),
                                 Requirement{"voltage_factor", voltage_factor, "1", 0.0, 1.1, true, false}}))
        return *wrong;
      return amperes(voltage_factor * rating.volt_amperes() /
                     (std::numbers::sqrt3 * base_value(line_voltage) * impedance_voltage));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> circuit_formulas() {
  return {any(single_phase_circuit_capacity),
          any(three_phase_circuit_capacity),
          any(three_phase_circuit_capacity_to_neutral),
          any(load_of_supply),
          any(supply_shelf_capacity),
          any(shelves_with_one_feed_lost),
          any(module_use),
          any(neutral_current),
          any(transformer_fault_current)};
}

} // namespace hallwright
