// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/formulas.h"

#include <cmath>

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {

// Coolant flow

constinit const Formula<VolumeFlow, Power, TempRise, Density, SpecificHeat> coolant_volume_flow{
    .name = "coolant_volume_flow",
    .text = "heat / (density * specific_heat * temperature_rise)",
    .source = "energy balance",
    .parameters = {"heat", "temperature_rise", "density", "specific_heat"},
    .function = [](Power heat, TempRise temperature_rise, Density density,
                   SpecificHeat specific_heat) -> Result<VolumeFlow> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("temperature_rise", temperature_rise),
                                 above_zero("density", density), above_zero("specific_heat", specific_heat)}))
        return *wrong;
      return heat / (density * specific_heat * temperature_rise);
    },
    .monotone = Monotone::mixed,
};

// Coolant distribution units

constinit const Formula<Count, Power, Power, Count> coolant_distribution_unit_count{
    .name = "coolant_distribution_unit_count",
    .text = "ceil(heat / unit_capacity) + redundant_units",
    .source = "capacity arithmetic",
    .parameters = {"heat", "unit_capacity", "redundant_units"},
    .function = [](Power heat, Power unit_capacity, Count redundant_units) -> Result<Count> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("unit_capacity", unit_capacity),
                                 not_negative("redundant_units", redundant_units)}))
        return *wrong;
      return counted_whole(whole_at_least(heat / unit_capacity) + redundant_units);
    },
    .monotone = Monotone::mixed,
};

// Loss of cooling

constinit const Formula<Time, Volume, Density, SpecificHeat, TempRise, Power> coolant_loop_heat_up_time{
    .name = "coolant_loop_heat_up_time",
    .text = "coolant_volume * density * specific_heat * allowed_temperature_rise / heat",
    .source = "energy balance of one lump",
    .parameters = {"coolant_volume", "density", "specific_heat", "allowed_temperature_rise", "heat"},
    .function = [](Volume coolant_volume, Density density, SpecificHeat specific_heat,
                   TempRise allowed_temperature_rise, Power heat) -> Result<Time> {
      if (auto wrong =
              violated({not_negative("coolant_volume", coolant_volume), above_zero("density", density),
                        above_zero("specific_heat", specific_heat),
                        not_negative("allowed_temperature_rise", allowed_temperature_rise), above_zero("heat", heat)}))
        return *wrong;
      return coolant_volume * density * specific_heat * allowed_temperature_rise / heat;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<Count, VolumeFlow, VolumeFlow, Count> cdu_count_by_flow{
    .name = "cdu_count_by_flow",
    .text = "ceil(flow / unit_flow) + redundant_units",
    .source = "capacity arithmetic",
    .parameters = {"flow", "unit_flow", "redundant_units"},
    .function = [](VolumeFlow flow, VolumeFlow unit_flow, Count redundant_units) -> Result<Count> {
      if (auto wrong = violated({not_negative("flow", flow), above_zero("unit_flow", unit_flow),
                                 not_negative("redundant_units", redundant_units)}))
        return *wrong;
      return counted_whole(whole_at_least(flow / unit_flow) + redundant_units);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<TempRise, Power, VolumeFlow, Density, SpecificHeat> coolant_temperature_rise{
    .name = "coolant_temperature_rise",
    .text = "heat / (density * specific_heat * flow)",
    .source = "energy balance",
    .parameters = {"heat", "flow", "density", "specific_heat"},
    .function = [](Power heat, VolumeFlow flow, Density density, SpecificHeat specific_heat) -> Result<TempRise> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("flow", flow), above_zero("density", density),
                                 above_zero("specific_heat", specific_heat)}))
        return *wrong;
      return heat / (density * specific_heat * flow);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Temperature, Temperature, Power, VolumeFlow, Density, SpecificHeat> coolant_return_temperature{
    .name = "coolant_return_temperature",
    .text = "supply + heat / (density * specific_heat * flow)",
    .source = "energy balance",
    .parameters = {"supply", "heat", "flow", "density", "specific_heat"},
    .function = [](Temperature supply, Power heat, VolumeFlow flow, Density density,
                   SpecificHeat specific_heat) -> Result<Temperature> {
      if (auto wrong = violated({above_zero("supply", supply), not_negative("heat", heat), above_zero("flow", flow),
                                 above_zero("density", density), above_zero("specific_heat", specific_heat)}))
        return *wrong;
      return supply + heat / (density * specific_heat * flow);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<VolumeFlow, Power, Temperature, Temperature, Density, SpecificHeat> flow_for_return_temperature{
    .name = "flow_for_return_temperature",
    .text = "heat / (density * specific_heat * (return_limit - supply))",
    .source = "energy balance",
    .parameters = {"heat", "supply", "return_limit", "density", "specific_heat"},
    .function = [](Power heat, Temperature supply, Temperature return_limit, Density density,
                   SpecificHeat specific_heat) -> Result<VolumeFlow> {
      if (auto wrong = violated({not_negative("heat", heat), above_zero("supply", supply),
                                 above_zero("return_limit", return_limit), above_zero("density", density),
                                 above_zero("specific_heat", specific_heat)}))
        return *wrong;
      if (return_limit <= supply)
        return not_applicable(fmt::format("return_limit must be above the supply, {:.4g} degC; it is {:.4g} degC",
                                          supply.celsius(), return_limit.celsius()));
      return heat / (density * specific_heat * (return_limit - supply));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Temperature, Temperature, TempRise, TempRise> supply_temperature_from_outdoor{
    .name = "supply_temperature_from_outdoor",
    .text = "outdoor + rejection_approach + exchanger_approach",
    .source = "temperature chain",
    .parameters = {"outdoor", "rejection_approach", "exchanger_approach"},
    .function = [](Temperature outdoor, TempRise rejection_approach,
                   TempRise exchanger_approach) -> Result<Temperature> {
      if (auto wrong = violated({above_zero("outdoor", outdoor), not_negative("rejection_approach", rejection_approach),
                                 not_negative("exchanger_approach", exchanger_approach)}))
        return *wrong;
      return outdoor + rejection_approach + exchanger_approach;
    },
    .estimate = true,
};

constinit const Formula<Pressure, Pressure, VolumeFlow, VolumeFlow, double> scaled_pressure_drop{
    .name = "scaled_pressure_drop",
    .text = "reference_drop * (flow / reference_flow) ^ exponent",
    .source = "power law of turbulent flow",
    .parameters = {"reference_drop", "flow", "reference_flow", "exponent"},
    .function = [](Pressure reference_drop, VolumeFlow flow, VolumeFlow reference_flow,
                   double exponent) -> Result<Pressure> {
      if (auto wrong =
              violated({not_negative("reference_drop", reference_drop), not_negative("flow", flow),
                        above_zero("reference_flow", reference_flow), between("exponent", exponent, 0.5, 2.5)}))
        return *wrong;
      return reference_drop * std::pow(static_cast<double>(flow / reference_flow), exponent);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, VolumeFlow, Pressure, double> pump_electrical_power{
    .name = "pump_electrical_power",
    .text = "flow * pressure_rise / efficiency",
    .source = "hydraulic power",
    .parameters = {"flow", "pressure_rise", "efficiency"},
    .function = [](VolumeFlow flow, Pressure pressure_rise, double efficiency) -> Result<Power> {
      if (auto wrong = violated({not_negative("flow", flow), not_negative("pressure_rise", pressure_rise),
                                 positive_share("efficiency", efficiency)}))
        return *wrong;
      return flow * pressure_rise / efficiency;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Volume, Power, Time, Density, SpecificHeat, TempRise> buffer_volume_for_gap{
    .name = "buffer_volume_for_gap",
    .text = "heat * gap / (density * specific_heat * allowed_rise)",
    .source = "energy balance of one lump",
    .parameters = {"heat", "gap", "density", "specific_heat", "allowed_rise"},
    .function = [](Power heat, Time gap, Density density, SpecificHeat specific_heat,
                   TempRise allowed_rise) -> Result<Volume> {
      if (auto wrong = violated({not_negative("heat", heat), not_negative("gap", gap), above_zero("density", density),
                                 above_zero("specific_heat", specific_heat), above_zero("allowed_rise", allowed_rise)}))
        return *wrong;
      return heat * gap / (density * specific_heat * allowed_rise);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> cooling_formulas() {
  return {
      any(coolant_volume_flow),         any(coolant_distribution_unit_count), any(coolant_loop_heat_up_time),
      any(cdu_count_by_flow),           any(coolant_temperature_rise),        any(coolant_return_temperature),
      any(flow_for_return_temperature), any(supply_temperature_from_outdoor), any(scaled_pressure_drop),
      any(pump_electrical_power),       any(buffer_volume_for_gap),
  };
}

} // namespace hallwright
