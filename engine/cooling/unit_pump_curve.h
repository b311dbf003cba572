// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cooling/drawn_loops.h"

namespace hallwright {

/// Pressure rise that the pumps of a distribution unit give together.
struct UnitCurvePoint {
  double flow_m3_per_s = 0.0;
  double head_pa = 0.0;
};

/// From no flow to the flow at which no pressure is left.
/// @param unit  of `DrawnLoop::units`
/// @param running  pumps in parallel; 0 or fewer: an empty curve
/// @param speed  over that of their curve, above 0
/// @param points  2 or more
[[nodiscard]] std::vector<UnitCurvePoint> unit_pump_curve(const DrawnLoop& loop, std::size_t unit, int running,
                                                          double speed, int points = 48);

} // namespace hallwright
