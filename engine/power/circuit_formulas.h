// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of circuits, supplies and faults for use alone. Outside the ranges stated with its parameters a formula is
/// not applicable and names the parameter.
namespace hallwright {

/// Apparent power that a circuit between two conductors carries for long.
/// @param breaker_rating [A], zero or more
/// @param voltage [V], zero or more; between the two conductors
/// @param continuous_factor [ratio], above 0, at most 1: 0.8 under NEC for standard breakers, else 1
/// @return [VA]
/// @source V I; HP, Power basics for IT professionals, p. 22
extern const Formula<ApparentPower, Current, Voltage, double> single_phase_circuit_capacity;

/// Apparent power that a three-phase circuit carries for long; the voltage is line to line.
/// @param breaker_rating [A], zero or more
/// @param line_voltage [V], zero or more; between two lines
/// @param continuous_factor [ratio], above 0, at most 1
/// @return [VA]
/// @source sqrt(3) V I; HP, Power basics for IT professionals, p. 22
extern const Formula<ApparentPower, Current, Voltage, double> three_phase_circuit_capacity;

/// As above; the voltage is line to neutral.
/// @param breaker_rating [A], zero or more
/// @param neutral_voltage [V], zero or more; between a line and the neutral
/// @param continuous_factor [ratio], above 0, at most 1
/// @return [VA]
/// @source 3 V I; HP, Power basics for IT professionals, p. 22
extern const Formula<ApparentPower, Current, Voltage, double> three_phase_circuit_capacity_to_neutral;

/// Load of each connection of a device with several supplies.
/// @param load [W], zero or more
/// @param active_supplies [count], at least 1; those that share the load: all, or half of them for a reserve
/// @return [W]
/// @source even split
extern const Formula<Power, Power, Count> load_of_supply;

/// Power of a shelf of supplies with some of them in reserve.
/// @param supplies [count], at least 1
/// @param supply_power [W], zero or more
/// @param reserve [count], zero or more, at most the supplies
/// @return [W]
/// @source sum without the reserve
extern const Formula<Power, Count, Power, Count> supply_shelf_capacity;

/// Power of shelves that are spread evenly over feeds, with one feed lost.
/// @param shelves [count], at least 1
/// @param shelf_power [W], zero or more
/// @param feeds [count], at least 1
/// @return [W]
/// @source sum over the feeds that are left
extern const Formula<Power, Count, Power, Count> shelves_with_one_feed_lost;

/// Use of modules that share a load.
/// @param load [VA], zero or more
/// @param modules [count], at least 1
/// @param module_rating [VA], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, ApparentPower, Count, ApparentPower> module_use;

/// Current in the neutral of three loads to neutral of one power factor.
/// @param first [A], zero or more
/// @param second [A], zero or more
/// @param third [A], zero or more
/// @return [A]
/// @source phasor sum of three currents 120 degrees apart
extern const Formula<Current, Current, Current, Current> neutral_current;

/// Short-circuit current behind a transformer on a stiff source.
/// @param rating [VA], zero or more
/// @param line_voltage [V], above 0; of the secondary, line to line
/// @param impedance_voltage [ratio], above 0, at most 1
/// @param voltage_factor [ratio], above 0, at most 1.1; 1.05 for the largest current at low voltage
/// @return [A]
/// @source IEC 60909-0: c S / (sqrt(3) V u_k)
extern const Formula<Current, ApparentPower, Voltage, double, double> transformer_fault_current;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> circuit_formulas();

} // namespace hallwright
