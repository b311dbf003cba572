// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/moist_air.h"

#include <algorithm>
#include <cmath>

namespace hallwright {
namespace {

constexpr double molecular_ratio = 0.621945; // water over dry air

double humidity_of_vapour(double vapour_pressure, double pressure) {
  return molecular_ratio * vapour_pressure / std::max(pressure - vapour_pressure, 1.0);
}

/// Below zero where the wet bulb is lower than that of dry air.
double humidity_unbounded(double dry_bulb, double wet_bulb, double pressure) {
  const double saturated = humidity_of_vapour(saturation_pressure(wet_bulb), pressure);
  return wet_bulb >= 0.0
             ? ((2501.0 - 2.326 * wet_bulb) * saturated - 1.006 * (dry_bulb - wet_bulb)) / (2501.0 + 1.86 * dry_bulb - 4.186 * wet_bulb)
             : ((2830.0 - 0.24 * wet_bulb) * saturated - 1.006 * (dry_bulb - wet_bulb)) / (2830.0 + 1.86 * dry_bulb - 2.1 * wet_bulb);
}

/// The wet bulb at which air of this humidity saturates; humidity rises with the wet bulb, so halving finds it.
double wet_bulb_at_humidity(double dry_bulb, double humidity, double pressure) {
  double low = dry_bulb - 60.0, high = dry_bulb;
  while (high - low > 1e-5) {
    const double middle = 0.5 * (low + high);
    (humidity_unbounded(dry_bulb, middle, pressure) < humidity ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

} // namespace

double pressure_at_elevation(double elevation_m) { return 101325.0 * std::pow(1.0 - 2.25577e-5 * elevation_m, 5.2559); }

double saturation_pressure(double celsius) {
  const double t = celsius + 273.15;
  if (celsius < 0.0)
    return std::exp(-5.6745359e3 / t + 6.3925247 + t * (-9.6778430e-3 + t * (6.2215701e-7 + t * (2.0747825e-9 - t * 9.4840240e-13))) +
                    4.1635019 * std::log(t));
  return std::exp(-5.8002206e3 / t + 1.3914993 + t * (-4.8640239e-2 + t * (4.1764768e-5 - t * 1.4452093e-8)) + 6.5459673 * std::log(t));
}

double humidity_at_dew_point(double dew_point, double pressure) { return humidity_of_vapour(saturation_pressure(dew_point), pressure); }

double humidity_at_wet_bulb(double dry_bulb, double wet_bulb, double pressure) {
  return std::max(humidity_unbounded(dry_bulb, wet_bulb, pressure), 0.0);
}

double lowest_wet_bulb(double dry_bulb, double pressure) { return wet_bulb_at_humidity(dry_bulb, 0.0, pressure); }

bool drier_than_dry(double dry_bulb, double wet_bulb, double pressure) {
  // One look settles nearly all air; the halving is for what is left.
  return humidity_unbounded(dry_bulb, wet_bulb, pressure) < 0.0 && wet_bulb < lowest_wet_bulb(dry_bulb, pressure) - 1e-3;
}

double wet_bulb_at_dew_point(double dry_bulb, double dew_point, double pressure) {
  if (dew_point >= dry_bulb) return dry_bulb;
  return wet_bulb_at_humidity(dry_bulb, humidity_at_dew_point(dew_point, pressure), pressure);
}

double wet_bulb_at_relative_humidity(double dry_bulb, double relative_humidity, double pressure) {
  if (relative_humidity >= 1.0) return dry_bulb;
  return wet_bulb_at_humidity(dry_bulb, humidity_of_vapour(std::max(relative_humidity, 0.0) * saturation_pressure(dry_bulb), pressure), pressure);
}

} // namespace hallwright
