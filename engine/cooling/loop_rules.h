// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "checks/finding.h"
#include "cooling/loop_failures.h"
#include "cooling/loop_transient.h"

/// Rules of drawn coolant loops, CLG-011 and on.
namespace hallwright {

/// A loop as the rules see it.
struct LoopLook {
  Shared<DrawnLoop> loop;
  std::optional<LoopSolution> steady;   ///< pumps as slow as racks allow; not set: `trouble`, or nothing to solve
  std::optional<LoopSolution> full;     ///< pumps at full speed
  std::optional<LoopFailures> failures; ///< of units, pumps and facility water
  std::string trouble;                  ///< the solver's sentence
};
struct LoopLooks {
  std::vector<LoopLook> loops;
};
/// Loops of a design with the heat and need of the racks that the table cooling.racks states.
[[nodiscard]] LoopLooks loop_looks(const Design& design, const Catalog& catalog, const Figures& figures);

[[nodiscard]] std::vector<Rule> drawn_loop_rules();

} // namespace hallwright
