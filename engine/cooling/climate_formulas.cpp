// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/climate_formulas.h"

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Temperature, Temperature, TempRise> facility_water_supply{
    .name = "facility_water_supply",
    .text = "supply - approach",
    .source = "definition of the approach",
    .parameters = {"supply", "approach"},
    .function = [](Temperature supply, TempRise approach) -> Result<Temperature> {
      if (auto wrong = violated({above_zero("supply", supply), not_negative("approach", approach)})) return *wrong;
      if (in_kelvins(approach) >= supply.kelvin())
        return not_applicable(fmt::format("the approach must be less than the supply above absolute zero, {:.6g} K; it is {:.6g} K", supply.kelvin(),
                                          in_kelvins(approach)));
      return supply - approach;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Temperature, Temperature, Temperature, Temperature> facility_water_return{
    .name = "facility_water_return",
    .text = "facility_supply + (coolant_return - supply)",
    .source = "energy balance of equal heat capacity rates",
    .parameters = {"facility_supply", "supply", "coolant_return"},
    .function = [](Temperature facility_supply, Temperature supply, Temperature coolant_return) -> Result<Temperature> {
      if (auto wrong = violated({above_zero("facility_supply", facility_supply), above_zero("supply", supply),
                                 at_least("coolant_return", coolant_return, supply.kelvin())}))
        return *wrong;
      return facility_supply + (coolant_return - supply);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Energy, Power, Time> energy_of_mean_power{
    .name = "energy_of_mean_power",
    .text = "mean_power * duration",
    .source = "power times time",
    .parameters = {"mean_power", "duration"},
    .function = [](Power mean_power, Time duration) -> Result<Energy> {
      if (auto wrong = violated({not_negative("mean_power", mean_power), not_negative("duration", duration)})) return *wrong;
      return mean_power * duration;
    },
};

constinit const Formula<Volume, Power, VolumePerEnergy, Time> water_of_heat{
    .name = "water_of_heat",
    .text = "heat * water_per_heat * duration",
    .source = "heat times time times water per heat",
    .parameters = {"heat", "water_per_heat", "duration"},
    .function = [](Power heat, VolumePerEnergy water_per_heat, Time duration) -> Result<Volume> {
      if (auto wrong = violated({not_negative("heat", heat), not_negative("water_per_heat", water_per_heat), not_negative("duration", duration)}))
        return *wrong;
      return heat * duration * water_per_heat;
    },
    .estimate = true,
};

constinit const Formula<VolumePerEnergy, Volume, Power, Time> water_usage_effectiveness{
    .name = "water_usage_effectiveness",
    .text = "water / (it_power * duration)",
    .source = "ISO/IEC 30134-9",
    .parameters = {"water", "it_power", "duration"},
    .function = [](Volume water, Power it_power, Time duration) -> Result<VolumePerEnergy> {
      if (auto wrong = violated({not_negative("water", water), above_zero("it_power", it_power), above_zero("duration", duration)})) return *wrong;
      return water / (it_power * duration);
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> climate_formulas() {
  return {any(facility_water_supply), any(facility_water_return), any(energy_of_mean_power), any(water_of_heat), any(water_usage_effectiveness)};
}

} // namespace hallwright
