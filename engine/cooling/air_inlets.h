// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "cooling/cooling.h"

/// Air at the inlets of racks: supply air and the share of hot air that returns to it, against what nodes take.
namespace hallwright {

/// What keeps hot air from the inlets of a rack.
enum class AirSeparation { open_room, cold_aisle, hot_aisle, chimney };
inline constexpr AirSeparation air_separations[] = {AirSeparation::open_room, AirSeparation::cold_aisle, AirSeparation::hot_aisle, AirSeparation::chimney};
/// "open_room", as ids of figures and of assumptions have it.
[[nodiscard]] std::string_view air_separation_key(AirSeparation separation);
/// "in the open room", "in a contained cold aisle"
[[nodiscard]] std::string_view air_separation_words(AirSeparation separation);

/// Air at the inlet of a rack of whose air a share has been through racks already.
/// @param supply [K], above 0
/// @param recirculated_share [ratio], zero or more: inlet rise over the rise across the rack
/// @param air_rise [K], zero or more
/// @return [K], an estimate
/// @source mixing of air streams
extern const Formula<Temperature, Temperature, double, TempRise> rack_inlet_temperature;

/// Writes cooling.inlet_air.<separation> and, for each rack type with heat to air, cooling.rack_type.<id>.inlet_air_maximum, and
/// the tables cooling.air_inlets and cooling.temperature_classes.
/// @param facility_water  warmest facility water with which every loop holds its supply; without a figure: no liquid heat
void air_inlet_figures(Ledger& ledger, const CoolingInputs& in, const LoadResult& load, const Traced<Temperature>& facility_water, std::vector<Table>& tables);

} // namespace hallwright
