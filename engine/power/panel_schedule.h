// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/figure.h"
#include "power/busway_runs.h"

/// What electricians ask for on paper: circuits of each panel or busway, and all loads.
namespace hallwright {

/// "power.panel_schedule": a row for each tap, by unit and along it. Columns: panel, circuit (from 1 along the unit),
/// rack, cord (A or B), phases, position, power, apparent, current_l1 .. current_l3 and other_out (what the tap draws
/// with the other side out).
Table panel_schedule(const std::vector<DrawnBusway>& busways, const Design& design);
/// "power.load_list": a row for each rack, by id. Columns: rack, type, hall, power, power_factor, apparent, feed_a,
/// feed_b, gpus, inrush (apparent power when switched on).
Table load_list(const Design& design, const OneLine& line);

} // namespace hallwright
