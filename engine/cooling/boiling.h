// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/loop_solution.h"

/// When coolant boils: water at the pressure where it is. Glycol raises it by a kelvin or two, which is left out.
namespace hallwright {

/// Temperature at which water boils.
/// @param absolute_pa  below 611.2 Pa, the triple point: that of there; above 22.064 MPa, the critical point: that of there
/// @return [degC], within 0.01 K
/// @source IAPWS-IF97, region 4, backward equation T(p)
[[nodiscard]] double water_boils_c(double absolute_pa);

/// Temperature at which coolant boils at a node of a solved loop, by its gauge pressure over the atmosphere of the loop (ISO 2533: 81 kPa at 1,800 m,
/// where water boils at 94 degC); of a node whose pressure is not known, that of the atmosphere.
[[nodiscard]] double boils_at_c(const DrawnLoop& loop, const LoopSolution& solution, int node);

/// The same at the units of a loop, where it comes back: at their return, which the expansion vessel holds.
/// @param loop  with units
[[nodiscard]] double boils_at_units_c(const DrawnLoop& loop);

} // namespace hallwright
