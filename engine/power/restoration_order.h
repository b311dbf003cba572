// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ledger/figure.h"
#include "power/power_growth.h"

/// The way back after a blackout, for a drawn design.
namespace hallwright {

/// What the design says of it: generators take their step share at once (without any, the sources their rating), racks
/// of management, fabric and storage start first, racks draw the largest inrush of their types.
RestorationPlan restoration_plan(const Design& design, const OneLine& line);

/// "power.restoration": a row for each step, in their order. Columns: number, at, what, racks, step, inrush, after.
Table restoration_table(const Restoration& restoration);

} // namespace hallwright
