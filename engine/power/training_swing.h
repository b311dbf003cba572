// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <tl/expected.hpp>

#include "checks/finding.h"
#include "power/power_flow.h"
#include "power/step_load_swing.h"

/// The swing of the design's own training job against the plant that feeds it.
namespace hallwright {

/// The rhythm of the job by the figures of an evaluation: all compute nodes as one, everything else steady. Or why
/// there is none.
tl::expected<TrainingRhythm, std::string> training_rhythm(const Figures& figures, const Catalog& catalog);

/// What the utility takes within a minute by its contract. @param ramp  PowerPlant::utility_ramp
SwingLimit utility_swing_limit(Power ramp);

/// What the drawn plant takes at once: generators together their step share, UPS in normal operation what they have
/// left above the mean load, the utility its agreed ramp.
std::vector<SwingLimit> swing_limits(const Design& design, const OneLine& line, const PowerFlow& normal);

/// Shares of a period at which the power is at least this: the load-duration curve of a trace.
struct LoadDuration {
  double share = 0.0; ///< of the time, 0 to 1
  Power power{};
};
/// From the largest power (share 0) to the smallest (share 1). @param points  2 or more
std::vector<LoadDuration> load_duration(const PowerTrace& trace, std::size_t points = 200);

} // namespace hallwright
