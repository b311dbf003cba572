// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "cooling/loop_failures.h"

namespace hallwright {

/// Solves one failure: fills its summary, and what racks feel of it where the loop is one of facility water.
using SolveFailure = std::function<tl::expected<void, std::string>(const LoopOperation&, LoopFailure&)>;

/// `loop_failures` with cases that are solved otherwise than by the loop alone.
/// @param healthy  what all cases have in common: speed, facility water
/// @param solve  not set: by the loop alone
[[nodiscard]] tl::expected<LoopFailures, std::string> loop_failure_cases(LoopSolver& solver,
                                                                         const Shared<DrawnLoop>& loop,
                                                                         const FailureSweep& sweep,
                                                                         const std::stop_token& stop,
                                                                         LoopOperation healthy, const SolveFailure& solve);

} // namespace hallwright
