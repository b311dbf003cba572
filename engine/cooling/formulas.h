// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of coolant, distribution units and loss of flow.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Coolant flow

/// Coolant flow that carries away heat at a temperature rise; sensible heat only, constant properties.
/// @param heat [W], zero or more
/// @param temperature_rise [K], above 0
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @return [m3/s]
/// @source energy balance
extern const Formula<VolumeFlow, Power, TempRise, Density, SpecificHeat> coolant_volume_flow;

// Coolant distribution units

/// Coolant distribution units for a heat, with redundant units on top (1 is N+1).
/// @param heat [W], zero or more
/// @param unit_capacity [W], above 0
/// @param redundant_units [count], zero or more
/// @return [count]
/// @source capacity arithmetic
extern const Formula<Count, Power, Power, Count> coolant_distribution_unit_count;

// Loss of cooling

/// Time in which a loop without any heat sink warms by the allowed rise; one lumped volume, only the coolant stores
/// heat.
/// @param coolant_volume [m3], zero or more
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @param allowed_temperature_rise [K], zero or more
/// @param heat [W], above 0
/// @return [s], an estimate
/// @source energy balance of one lump
extern const Formula<Time, Volume, Density, SpecificHeat, TempRise, Power> coolant_loop_heat_up_time;

// Further parts of the models

/// Coolant distribution units for a flow, with redundant units on top.
/// @param flow [m3/s], zero or more
/// @param unit_flow [m3/s], above 0
/// @param redundant_units [count], zero or more
/// @return [count]
/// @source capacity arithmetic
extern const Formula<Count, VolumeFlow, VolumeFlow, Count> cdu_count_by_flow;

/// Rise of a coolant that carries away heat.
/// @param heat [W], zero or more
/// @param flow [m3/s], above 0
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @return [K]
/// @source energy balance
extern const Formula<TempRise, Power, VolumeFlow, Density, SpecificHeat> coolant_temperature_rise;

/// Return temperature of a coolant that carries away heat.
/// @param supply [K], above 0
/// @param heat [W], zero or more
/// @param flow [m3/s], above 0
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @return [K]
/// @source energy balance
extern const Formula<Temperature, Temperature, Power, VolumeFlow, Density, SpecificHeat> coolant_return_temperature;

/// Flow that keeps the return at or below a temperature, as rack flow tables state it.
/// @param heat [W], zero or more
/// @param supply [K], above 0
/// @param return_limit [K], above 0
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @return [m3/s]
/// @source energy balance
extern const Formula<VolumeFlow, Power, Temperature, Temperature, Density, SpecificHeat> flow_for_return_temperature;

/// Coolant supply that an outdoor temperature allows, through heat rejection and the exchanger of a distribution
/// unit.
/// @param outdoor [K], above 0
/// @param rejection_approach [K], zero or more
/// @param exchanger_approach [K], zero or more
/// @return [K], an estimate
/// @source temperature chain
extern const Formula<Temperature, Temperature, TempRise, TempRise> supply_temperature_from_outdoor;

/// Pressure drop at another flow by a power law (1.893 fits a published rack table; 2 is fully turbulent); good for
/// about 0.3 to 1 of the reference flow.
/// @param reference_drop [Pa], zero or more
/// @param flow [m3/s], zero or more
/// @param reference_flow [m3/s], above 0
/// @param exponent [ratio], 0.5 to 2.5
/// @return [Pa], an estimate
/// @source power law of turbulent flow
extern const Formula<Pressure, Pressure, VolumeFlow, VolumeFlow, double> scaled_pressure_drop;

/// Electrical power of a pump; the efficiency covers pump, motor and drive.
/// @param flow [m3/s], zero or more
/// @param pressure_rise [Pa], zero or more
/// @param efficiency [ratio], above 0, at most 1
/// @return [W]
/// @source hydraulic power
extern const Formula<Power, VolumeFlow, Pressure, double> pump_electrical_power;

/// Supply-side buffer that bridges a gap in heat rejection.
/// @param heat [W], zero or more
/// @param gap [s], zero or more
/// @param density [kg/m3], above 0
/// @param specific_heat [J/(kg K)], above 0
/// @param allowed_rise [K], above 0
/// @return [m3], an estimate
/// @source energy balance of one lump
extern const Formula<Volume, Power, Time, Density, SpecificHeat, TempRise> buffer_volume_for_gap;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> cooling_formulas();

} // namespace hallwright
