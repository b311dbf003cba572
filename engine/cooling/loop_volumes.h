// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "cooling/cooling.h"

/// Volumes of drawn coolant loops (fill, glycol, expansion, drain-down, leak zones) and the pressure of a valve that shuts.
namespace hallwright {

/// What the cooling stage knows of a loop.
struct CareLoop {
  const CoolantLoop* loop = nullptr;   ///< null: racks on no loop
  const FluidPart* fluid = nullptr;    ///< null: the catalog has it not
  std::string name, stem;              ///< "cooling.loop.12."
  Traced<Power> heat;                  ///< of its racks; of no figure: a loop without racks
  Traced<Temperature> supply, returned; ///< likewise
};

struct LoopVolumeInputs {
  const CoolingInputs& in;
  std::vector<CareLoop> loops;    ///< with heat, or drawn
  const LoopLooks* looks = nullptr; ///< null: no pipe is drawn
};

/// Density between two temperatures, straight.
/// @param colder_density [kg/m3], above 0
/// @param colder [K], above 0
/// @param warmer_density [kg/m3], above 0
/// @param warmer [K], above `colder`
/// @param temperature [K], above 0; beyond both the nearer density holds
/// @return [kg/m3]
/// @source straight line between rows of a table
extern const Formula<Density, Density, Temperature, Density, Temperature, Temperature> density_between;

/// Coolant in racks, in proportion to their heat.
/// @param heat [W], zero or more
/// @param reference_volume [m3], zero or more
/// @param reference_heat [W], above 0
/// @return [m3], an estimate
/// @source proportion
extern const Formula<Volume, Power, Volume, Power> rack_coolant_volume;

/// Glycol in a fill.
/// @param fill [m3], zero or more
/// @param glycol_share [ratio], 0 to 1, by volume
/// @return [m3]
/// @source definition of the share
extern const Formula<Volume, Volume, double> glycol_volume;

/// Growth of a fill that warms as a whole: what the expansion vessel must take up at least.
/// @param fill [m3], zero or more
/// @param cold_density [kg/m3], above 0
/// @param warm_density [kg/m3], above 0, at most `cold_density`
/// @return [m3]
/// @source conservation of mass
extern const Formula<Volume, Volume, Density, Density> expansion_volume;

/// Pressure rise where a flow is stopped at once.
/// @param density [kg/m3], above 0
/// @param wave_speed [m/s], above 0
/// @param velocity [m/s], zero or more
/// @return [Pa], an estimate
/// @source Joukowsky 1898
extern const Formula<Pressure, Density, Velocity, Velocity> sudden_closure_rise;

/// Pressure rise that is left below a limit.
/// @param pressure_limit [Pa], above 0
/// @param highest_pressure [Pa], below `pressure_limit`
/// @return [Pa]
/// @source difference
extern const Formula<Pressure, Pressure, Pressure> pressure_room;

/// Shortest time in which a valve may close: the wave's way there and back, and the slow closure whose rise stays in the room.
/// @param density [kg/m3], above 0
/// @param length [m], zero or more; of the pipe upstream of the valve
/// @param velocity [m/s], zero or more
/// @param room [Pa], above 0
/// @param wave_speed [m/s], above 0
/// @return [s], an estimate; 0: a valve may shut at once
/// @source Joukowsky 1898; Michaud 1878 for closures slower than 2 L / a
extern const Formula<Time, Density, Length, Velocity, Pressure, Velocity> shortest_closing_time;

[[nodiscard]] std::vector<AnyFormula> loop_volume_formulas();

/// Share of glycol by volume that the name of a fluid part states: "PG25", "EG 30"; 0 for water; not set: it states none.
[[nodiscard]] std::optional<double> glycol_share_of(const FluidPart& fluid);

/// Writes cooling.fill_volume and, for each loop, fill_volume, glycol_volume, expansion_volume, drain_down_volume,
/// sudden_closure_rise and shortest_closing_time, and the tables cooling.volumes, cooling.leak_zones, cooling.water_hammer.
/// What the inside of distribution units holds is on no data sheet that was read: fills are lower bounds and say so.
void loop_volume_figures(Ledger& ledger, const LoopVolumeInputs& inputs, std::vector<Table>& tables);

} // namespace hallwright
