// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "space/routes.h"

namespace hallwright {

/// Cables come onto a tray at a place along it, or leave it there: then all amounts are negative.
struct TrayStep {
  double at = 0;     ///< mm along the tray
  double area = 0;   ///< mm2
  double mass = 0;   ///< kg/m
  Count cables = 0;
};

/// The fullest place of a tray, and its heaviest.
/// @param steps  come back in their order along the tray
TrayLoad fullest(Id tray, std::vector<TrayStep>& steps);

} // namespace hallwright
