// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

#include "cooling/loop_failures.h"
#include "cooling/loop_transient.h"
#include "load/load.h"

/// All drawn loops of a design at work: what the cooling stage publishes and its rules judge.
namespace hallwright {

/// What of a loop takes too long for an edit: its failures, and the seconds after a loss.
struct LoopOutages {
  std::optional<LoopFailures> failures; ///< of units, pumps and facility water, and of halves of the units
  std::optional<LoopTransient> pumps_stop, facility_lost; ///< without any coming back
  std::optional<LatestReturn> pumps_back, facility_back;  ///< latest second at which they must be back
  double gap_s = 0.0; ///< without facility water after a loss of power: generators, chillers where any are drawn
  std::optional<double> tank_for_gap_m3; ///< on the supply side, with which no rack throttles; not set: none is needed
                                         ///< or none helps
};

/// How much is found of loops.
enum class LoopDepth : std::uint8_t {
  working, ///< loops at work; outages are those of last time, and told to be behind where the loop has changed
  whole    ///< outages, too
};

/// A loop and what was found of it.
struct LoopLook {
  Shared<DrawnLoop> loop;
  std::map<Id, FacilityWater> facility_water; ///< by unit: what the named loop of facility water brings it
  Shared<LoopOutages> outages;                ///< null: nothing to solve, or not told yet
  /// `outages` are of the loop as it was last time, or are not there yet: they are being found.
  bool outages_behind = false;
  std::optional<LoopSolution> steady;   ///< pumps as slow as racks allow; not set: `trouble`, or nothing to solve
  std::optional<LoopSolution> full;     ///< pumps at full speed
  std::string trouble;                  ///< the solver's sentence
};
struct LoopLooks {
  std::vector<LoopLook> loops; ///< as the table of loops
  TransientParameters parameters; ///< with which the seconds were found
  [[nodiscard]] bool behind() const {
    return std::any_of(loops.begin(), loops.end(), [](const LoopLook& l) { return l.outages_behind; });
  }
};

/// Heat to liquid and needed flow of each rack, in the order of the table: the flow that carries the heat at the rise
/// of its loop, or what its parts ask for where that is more. A rack whose heat is not known wants none.
[[nodiscard]] std::vector<RackCoolant> rack_coolant(const DrawnLoopInputs& inputs, const LoadResult& load);

/// @param previous  loops that are drawn as then, with the same racks, are taken from there, and others start from there
/// @param depth  what is asked for changes nothing of what is found
[[nodiscard]] LoopLooks loops_at_work(const DrawnLoopInputs& inputs, const LoopLooks* previous = nullptr,
                                      const std::stop_token& stop = {}, LoopDepth depth = LoopDepth::whole);

/// Tables of all loops: cooling.loop_racks, cooling.loop_units, cooling.loop_pipes, cooling.loop_failures,
/// cooling.loop_seconds, cooling.loop_notes. What is not known is not a number. Empty where no loop is solvable and
/// nothing is to be said.
[[nodiscard]] std::vector<Table> loop_tables(const LoopLooks& looks);

} // namespace hallwright
