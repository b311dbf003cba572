// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of what racks draw and shed.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Rack limits

/// Nodes that fit a rack by power, by heat and by weight; all node power becomes heat, and the weight limit
/// includes the empty rack.
/// @param rack_power_limit [W], zero or more
/// @param rack_heat_limit [W], zero or more
/// @param node_power [W], above 0
/// @param rack_weight_limit [kg], zero or more
/// @param empty_rack_weight [kg], zero or more
/// @param node_weight [kg], above 0
/// @param network_reach_satisfied [count], 0 to 1
/// @return [count]
/// @source rack limit arithmetic
extern const Formula<Count, Power, Power, Power, Mass, Mass, Mass, Count> nodes_per_rack_limit;

// Further parts of the models

/// Power of something with accelerators that are held to a power: each draws less by what it drew above the cap.
/// Accelerators are taken to draw as large a share of their limit as the whole does of its nameplate.
/// @param power [W], at the basis of the design, zero or more
/// @param nameplate_power [W], of the same, above 0
/// @param accelerators [count], in it, zero or more
/// @param accelerator_power [W], limit of one, zero or more
/// @param power_cap [W], of one, zero or more; none can be held below what it draws idle
/// @param idle_share [ratio], of the limit of one, 0 to 1
/// @return [W], zero or more
/// @source sum of parts
extern const Formula<Power, Power, Power, Count, Power, Power, double> power_under_cap;

/// Accelerators in equal parts.
/// @param count [count], zero or more
/// @param accelerators [count], in each, zero or more
/// @return [count]
/// @source product
extern const Formula<Count, Count, Count> accelerators_of_parts;

/// Power of equal parts.
/// @param count [count], zero or more
/// @param power_each [W], zero or more
/// @return [W]
/// @source sum of equal parts
extern const Formula<Power, Count, Power> parts_power;

/// Heat into liquid; all electrical power becomes heat.
/// @param power [W], zero or more
/// @param liquid_share [ratio], 0 to 1
/// @return [W]
/// @source energy balance
extern const Formula<Power, Power, double> heat_to_liquid;

/// Heat into the air of the hall: what the liquid does not take.
/// @param power [W], zero or more
/// @param liquid_share [ratio], 0 to 1
/// @return [W]
/// @source energy balance
extern const Formula<Power, Power, double> heat_to_air;

/// Air flow that carries away heat, with air of 1.18 kg/m3 and 1006 J/(kg K).
/// @param heat [W], zero or more
/// @param rise [K], above 0
/// @return [m3/s]
/// @source energy balance; dry air near 25 degC at sea level
extern const Formula<VolumeFlow, Power, TempRise> airflow;

/// Rise of the air that carries away heat, with air of 1.18 kg/m3 and 1006 J/(kg K).
/// @param heat [W], zero or more
/// @param flow [m3/s], above 0
/// @return [K]
/// @source energy balance; dry air near 25 degC at sea level
extern const Formula<TempRise, Power, VolumeFlow> air_temperature_rise;

/// Line current of a balanced three-phase load; the voltage is line to line.
/// @param power [W], zero or more
/// @param line_voltage [V], above 0
/// @param power_factor [ratio], above 0, at most 1
/// @return [A]
/// @source three-phase power
extern const Formula<Current, Power, Voltage, double> three_phase_line_current;

/// Current of a load between two conductors.
/// @param power [W], zero or more
/// @param voltage [V], above 0
/// @param power_factor [ratio], above 0, at most 1
/// @return [A]
/// @source single-phase power
extern const Formula<Current, Power, Voltage, double> single_phase_current;

/// Current of the line that two line-to-line loads share, at equal power factor.
/// @param first [A], zero or more
/// @param second [A], zero or more
/// @return [A]
/// @source phasor sum of line-to-line loads
extern const Formula<Current, Current, Current> line_current_of_two_phase_loads;

/// Continuous current that a breaker may carry: 0.8 of its rating, or 1.0 when it is rated for 100 %.
/// @param rating [A], zero or more
/// @param continuous_factor [ratio], above 0, at most 1
/// @return [A]
/// @source NEC 210.20, 215.3
extern const Formula<Current, Current, double> continuous_current_limit;

/// Power over floor area.
/// @param power [W], zero or more
/// @param area [m2], above 0
/// @return [W/m2]
/// @source ratio
extern const Formula<PowerPerArea, Power, Area> power_density;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> load_formulas();

} // namespace hallwright
