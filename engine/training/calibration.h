// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/edits.h"

namespace hallwright {

/// Holds the job of a design to a step time that was measured on a run of it: sets its factor to measured over modelled
/// time, and lets the model say the step time again where a utilisation was typed. Refuses times that are not above zero
/// and factors that the field does not allow.
/// @param measured_seconds, modelled_seconds of one step
Edit calibration_edit(double measured_seconds, double modelled_seconds);

} // namespace hallwright
