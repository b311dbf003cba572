// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Moist air: the wet bulb of outdoor air from what weather data state. Temperatures in degC, pressures in Pa, humidity in kg water per kg dry air.
/// Source: ASHRAE Handbook, Fundamentals, psychrometrics (Hyland and Wexler 1983), from -60 to 80 degC.
namespace hallwright {

/// Pressure of the standard atmosphere. @param elevation_m -450 to 11,000
[[nodiscard]] double pressure_at_elevation(double elevation_m);
/// Vapour pressure over ice below 0 degC, over water above. @param celsius -100 to 200
[[nodiscard]] double saturation_pressure(double celsius);
/// Humidity of air whose vapour saturates at `dew_point`. @param pressure above the vapour pressure
[[nodiscard]] double humidity_at_dew_point(double dew_point, double pressure);
/// Humidity of air of a dry and a wet bulb; zero where the wet bulb is lower than that of dry air.
[[nodiscard]] double humidity_at_wet_bulb(double dry_bulb, double wet_bulb, double pressure);
/// Lowest pressure of outdoor air that weather may state: that of the highest mountain, less the weather.
inline constexpr double lowest_outdoor_pressure = 31000.0;
/// Wet bulb of air without any vapour, which is the lowest that air of this dry bulb can have; thinner air has a lower one. @param dry_bulb -90 to 60
[[nodiscard]] double lowest_wet_bulb(double dry_bulb, double pressure);
/// Whether a wet bulb is lower than that, by more than a dust.
[[nodiscard]] bool drier_than_dry(double dry_bulb, double wet_bulb, double pressure);
/// Wet bulb of air of a dew point; within 1e-4 K. A dew point above the dry bulb counts as saturated.
[[nodiscard]] double wet_bulb_at_dew_point(double dry_bulb, double dew_point, double pressure);
/// Wet bulb of air of a relative humidity. @param relative_humidity 0 to 1
[[nodiscard]] double wet_bulb_at_relative_humidity(double dry_bulb, double relative_humidity, double pressure);

} // namespace hallwright
