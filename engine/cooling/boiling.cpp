// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/boiling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hallwright {

double water_boils_c(double absolute_pa) {
  constexpr double n1 = 0.11670521452767e4, n2 = -0.72421316703206e6, n3 = -0.17073846940092e2, n4 = 0.12020824702470e5,
                   n5 = -0.32325550322333e7, n6 = 0.14915108613530e2, n7 = -0.48232657361591e4, n8 = 0.40511340542057e6,
                   n9 = -0.23855557567849, n10 = 0.65017534844798e3;
  const double megapascals = std::clamp(absolute_pa, 611.213, 22.064e6) * 1e-6;
  const double b = std::pow(megapascals, 0.25);
  const double e = b * b + n3 * b + n6, f = n1 * b * b + n4 * b + n7, g = n2 * b * b + n5 * b + n8;
  const double d = 2.0 * g / (-f - std::sqrt(f * f - 4.0 * e * g));
  return 0.5 * (n10 + d - std::sqrt((n10 + d) * (n10 + d) - 4.0 * (n9 + n10 * d))) - 273.15;
}

double boils_at_c(const DrawnLoop& loop, const LoopSolution& solution, int node) {
  const bool known = node >= 0 && static_cast<std::size_t>(node) < solution.node_pressure_pa.size();
  return water_boils_c(loop.atmosphere_pa + (known ? solution.node_pressure_pa[static_cast<std::size_t>(node)] : 0.0));
}

double boils_at_units_c(const DrawnLoop& loop) {
  constexpr double standard_gravity = 9.80665;
  double least = std::numeric_limits<double>::infinity();
  for (const LoopUnit& u : loop.units) {
    const NetworkNode& vessel = loop.network.nodes[static_cast<std::size_t>(loop.network.links[static_cast<std::size_t>(u.anchor)].from)];
    const double above_m = vessel.head_m - loop.network.nodes[static_cast<std::size_t>(u.returned)].elevation_m;
    least = std::min(least, loop.atmosphere_pa + above_m * loop.density_kg_per_m3 * standard_gravity);
  }
  return water_boils_c(std::isfinite(least) ? least : loop.atmosphere_pa);
}

} // namespace hallwright
