// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"
#include "cooling/loop_results.h"

/// Rules of drawn coolant loops, CLG-011 and on. They look at the LoopLooks that `CheckContext::looks` holds; where it
/// holds none, at `loop_looks`.
namespace hallwright {

/// Loops of a design with the heat and need of the racks that the table cooling.racks states.
[[nodiscard]] LoopLooks loop_looks(const Design& design, const Catalog& catalog, const Figures& figures);

/// Whether a loop is solved together with the loop of facility water that it names.
[[nodiscard]] bool facility_water_is_solved(const CheckContext& context, Id loop);

[[nodiscard]] std::vector<Rule> drawn_loop_rules();

} // namespace hallwright
