// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

/// Positions that edits compute are kept in whole micrometres: the nearest double to the decimal number, so that text
/// shows whole millimetres as such. Never -0.
namespace hallwright {

/// @param value [m]
inline double whole_micrometers_in_m(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }
/// @param value [mm]
inline double whole_micrometers_in_mm(double value) { return std::round(value * 1e3) / 1e3 + 0.0; }

} // namespace hallwright
