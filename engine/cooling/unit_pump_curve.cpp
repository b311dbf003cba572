// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/unit_pump_curve.h"

#include <algorithm>

namespace hallwright {

std::vector<UnitCurvePoint> unit_pump_curve(const DrawnLoop& loop, std::size_t unit, int running, double speed,
                                            int points) {
  std::vector<UnitCurvePoint> out;
  if (unit >= loop.units.size() || loop.units[unit].pumps.empty() || running <= 0 || !(speed > 0.0) || points < 2)
    return out;
  const NetworkLink& pump = loop.network.links[static_cast<std::size_t>(loop.units[unit].pumps.front())];
  if (pump.curve < 0) return out;
  const PumpCurve& curve = loop.network.pump_curves[static_cast<std::size_t>(pump.curve)].curve;
  const double end = pump_end_flow_m3_per_s(curve, speed);
  const double weight = loop.density_kg_per_m3 * 9.80665;
  for (int i = 0; i < points && end > 0.0; ++i) {
    const double of_one = end * i / (points - 1);
    out.push_back({of_one * running, std::max(0.0, pump_head(curve, speed, of_one).head_m * weight)});
  }
  return out;
}

} // namespace hallwright
