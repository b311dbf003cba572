// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/chain.h"

#include <cmath>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Power, Power, double> it_power_capacity{
    .name = "it_power_capacity",
    .text = "utility_power / power_usage_effectiveness",
    .source = "definition of the ratio",
    .parameters = {"utility_power", "power_usage_effectiveness"},
    .function = [](Power utility_power, double power_usage_effectiveness) -> Result<Power> {
      if (auto wrong = violated({not_negative("utility_power", utility_power),
                                 at_least("power_usage_effectiveness", power_usage_effectiveness, 1)}))
        return *wrong;
      return utility_power / power_usage_effectiveness;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Power, Power> power_per_it_watt{
    .name = "power_per_it_watt",
    .text = "level_power / it_power",
    .source = "ratio",
    .parameters = {"level_power", "it_power"},
    .function = [](Power level_power, Power it_power) -> Result<double> {
      if (auto wrong = violated({not_negative("level_power", level_power), above_zero("it_power", it_power)}))
        return *wrong;
      return level_power / it_power;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, double, Power, double> racks_on_unit{
    .name = "racks_on_unit",
    .text = "racks * rack_power * power_per_it_watt",
    .source = "even split over live feeds",
    .parameters = {"racks", "rack_power", "power_per_it_watt"},
    .function = [](double racks, Power rack_power, double power_per_it_watt) -> Result<Power> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("rack_power", rack_power),
                                 not_negative("power_per_it_watt", power_per_it_watt)}))
        return *wrong;
      return racks * rack_power * power_per_it_watt;
    },
};

constinit const Formula<Power, Power, double> continuous_rating{
    .name = "continuous_rating",
    .text = "rating * continuous_factor",
    .source = "NEC 210.20, 215.3",
    .parameters = {"rating", "continuous_factor"},
    .function = [](Power rating, double continuous_factor) -> Result<Power> {
      if (auto wrong =
              violated({not_negative("rating", rating), positive_share("continuous_factor", continuous_factor)}))
        return *wrong;
      return rating * continuous_factor;
    },
};

constinit const Formula<Power, ApparentPower, double> real_rating{
    .name = "real_rating",
    .text = "rating * power_factor",
    .source = "definition of the power factor",
    .parameters = {"rating", "power_factor"},
    .function = [](ApparentPower rating, double power_factor) -> Result<Power> {
      if (auto wrong = violated({not_negative("rating", rating), positive_share("power_factor", power_factor)}))
        return *wrong;
      return real_power(rating, PowerFactor{power_factor});
    },
};

constinit const Formula<Power, Current, Voltage, double> three_phase_rating{
    .name = "three_phase_rating",
    .text = "sqrt(3) * line_voltage * rating * power_factor",
    .source = "three-phase power",
    .parameters = {"rating", "line_voltage", "power_factor"},
    .function = [](Current rating, Voltage line_voltage, double power_factor) -> Result<Power> {
      if (auto wrong = violated({not_negative("rating", rating), not_negative("line_voltage", line_voltage),
                                 positive_share("power_factor", power_factor)}))
        return *wrong;
      return Power(std::sqrt(3.0) * line_voltage * rating * power_factor);
    },
};

constinit const Formula<Power, Power, Count> rating_needed{
    .name = "rating_needed",
    .text = "load (N; N+1 adds one module) or 2 * load (2N)",
    .source = "redundancy arithmetic",
    .parameters = {"load", "redundancy"},
    .function = [](Power load, Count redundancy) -> Result<Power> {
      if (auto wrong = violated({not_negative("load", load), between("redundancy", redundancy, 0, 2)})) return *wrong;
      return redundancy == 2 ? 2.0 * load : load;
    },
    .estimate = true,
};

constinit const Formula<double, double, Count> mean_share{
    .name = "mean_share",
    .text = "sum / count",
    .source = "mean",
    .parameters = {"sum", "count"},
    .function = [](double sum, Count count) -> Result<double> {
      if (auto wrong = violated({not_negative("sum", sum), at_least("count", count, 1)})) return *wrong;
      return sum / static_cast<double>(count);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<Power, Current, Voltage, double> two_conductor_rating{
    .name = "two_conductor_rating",
    .text = "voltage * rating * power_factor",
    .source = "P = U I cos phi",
    .parameters = {"rating", "voltage", "power_factor"},
    .function = [](Current rating, Voltage voltage, double power_factor) -> Result<Power> {
      if (auto wrong = violated({not_negative("rating", rating), not_negative("voltage", voltage),
                                 positive_share("power_factor", power_factor)}))
        return *wrong;
      return Power(voltage * rating * power_factor);
    },
};

constinit const Formula<double, Power, Power> chain_efficiency{
    .name = "chain_efficiency",
    .text = "output_power / (output_power + loss)",
    .source = "efficiency",
    .parameters = {"output_power", "loss"},
    .function = [](Power output_power, Power loss) -> Result<double> {
      if (auto wrong = violated({above_zero("output_power", output_power), not_negative("loss", loss)})) return *wrong;
      return output_power / (output_power + loss);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

std::vector<AnyFormula> power_chain_formulas() {
  return {any(it_power_capacity), any(power_per_it_watt),  any(racks_on_unit), any(continuous_rating),
          any(real_rating),       any(three_phase_rating), any(rating_needed), any(two_conductor_rating),
          any(chain_efficiency),  any(mean_share)};
}

} // namespace hallwright
