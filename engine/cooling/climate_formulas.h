// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of heat rejection over a year. Outside the stated ranges: not applicable.
namespace hallwright {

/// Warmest facility water that still serves what an exchanger supplies.
/// @param supply [K], above 0: coolant of racks, or supply air
/// @param approach [K], zero or more: of the exchanger
/// @return [K]
/// @source definition of the approach
extern const Formula<Temperature, Temperature, TempRise> facility_water_supply;

/// Facility water back from an exchanger whose two flows have one heat capacity: it warms as the coolant cools.
/// @param facility_supply [K], above 0
/// @param supply [K], above 0: of the coolant
/// @param coolant_return [K], at least the supply
/// @return [K], an estimate
/// @source energy balance of equal heat capacity rates
extern const Formula<Temperature, Temperature, Temperature, Temperature> facility_water_return;

/// Energy of a mean power.
/// @param mean_power [W], zero or more
/// @param duration [s], zero or more
/// @return [J]
/// @source power times time
extern const Formula<Energy, Power, Time> energy_of_mean_power;

/// Water that carries heat away over a time.
/// @param heat [W], zero or more
/// @param water_per_heat [m3/J], zero or more
/// @param duration [s], zero or more
/// @return [m3], an estimate
/// @source heat times time times water per heat
extern const Formula<Volume, Power, VolumePerEnergy, Time> water_of_heat;

/// Water usage effectiveness: water of the site over the energy of its IT in the same time.
/// @param water [m3], zero or more
/// @param it_power [W], above 0: mean
/// @param duration [s], above 0
/// @return [m3/J]
/// @source ISO/IEC 30134-9
extern const Formula<VolumePerEnergy, Volume, Power, Time> water_usage_effectiveness;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> climate_formulas();

} // namespace hallwright
