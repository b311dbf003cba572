// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "cooling/loop_failures.h"
#include "cooling/loop_transient.h"
#include "load/load.h"

/// All drawn loops of a design at work: what the cooling stage publishes and its rules judge.
namespace hallwright {

/// A loop and what was found of it.
struct LoopLook {
  Shared<DrawnLoop> loop;
  std::optional<LoopSolution> steady;   ///< pumps as slow as racks allow; not set: `trouble`, or nothing to solve
  std::optional<LoopSolution> full;     ///< pumps at full speed
  std::optional<LoopFailures> failures; ///< of units, pumps and facility water, and of halves of the units
  std::optional<LoopTransient> pumps_stop, facility_lost; ///< without any coming back
  std::string trouble;                                    ///< the solver's sentence
};
struct LoopLooks {
  std::vector<LoopLook> loops; ///< as the table of loops
};

/// Heat to liquid and needed flow of each rack, in the order of the table: the flow that carries the heat at the rise
/// of its loop, or what its parts ask for where that is more. A rack whose heat is not known wants none.
[[nodiscard]] std::vector<RackCoolant> rack_coolant(const DrawnLoopInputs& inputs, const LoadResult& load);

/// @param previous  loops that are drawn as then, with the same racks, are taken from there
[[nodiscard]] LoopLooks loops_at_work(const DrawnLoopInputs& inputs, const LoopLooks* previous = nullptr,
                                      const std::stop_token& stop = {});

/// Tables of all loops: cooling.loop_racks, cooling.loop_units, cooling.loop_pipes, cooling.loop_failures,
/// cooling.loop_seconds, cooling.loop_notes. What is not known is not a number. Empty where no loop is solvable and
/// nothing is to be said.
[[nodiscard]] std::vector<Table> loop_tables(const LoopLooks& looks);

} // namespace hallwright
