// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "cooling/loop_transient.h"

/// The searches of cooling/loop_transient.h, each of many runs, that can be stopped: between two runs.
namespace hallwright {

[[nodiscard]] tl::expected<LatestReturn, std::string> latest_pumps_return(const DrawnLoop& loop,
                                                                          const LoopSolution& steady,
                                                                          const TransientParameters& parameters,
                                                                          const std::stop_token& stop);
[[nodiscard]] tl::expected<LatestReturn, std::string> latest_facility_return(const DrawnLoop& loop,
                                                                             const LoopSolution& steady,
                                                                             const TransientParameters& parameters,
                                                                             const std::stop_token& stop);
[[nodiscard]] tl::expected<double, std::string> supply_tank_for_gap(const DrawnLoop& loop, const LoopSolution& steady,
                                                                    const TransientParameters& parameters,
                                                                    double gap_s, const std::stop_token& stop);

} // namespace hallwright
