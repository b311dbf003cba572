// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "space/aisles.h"
#include "space/floor_load.h"
#include "space/rack_runs.h"

/// The way in for each rack as it is delivered, and the way out for people.
///
/// Model: a square as wide as the lesser side of the crate, with some play, is pushed along x and y (`FreeFloor`). All
/// other racks stand already. It comes in by a dock, or, where no dock is drawn on the site, by any door that leads out
/// of the rooms that are drawn; it passes doors between rooms, and lifts between levels, that are wide and high enough
/// and carry it; ramps that do not carry it are in its way. So is what leaves less height than the crate and the same
/// play: zones with a low ceiling, trays, pipes, busways, the roofs of containments. It has arrived when it is beside
/// the front or the rear of its place. Turning a long crate round a corner is not decided.
namespace hallwright {

struct DeliveryResult {
  Table table;               ///< "space.delivery": a row for each rack type in each hall
  std::vector<double> width; ///< of each rack: 1 reached, 0 not, NaN: not decided
};
/// Adds the figures "space.rack_type.<id>.crate_width", "space.rack_type.<id>.hall.<id>.delivery_width" and
/// "space.delivery_width"; `stop` is polled between searches.
DeliveryResult delivery(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const FloorLoads& loads,
                        const std::stop_token& stop);

/// Ways out, rows and dead ends: the table "space.egress" with figures "space.egress_width", "space.longest_row" and
/// "space.longest_dead_end".
Table egress(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const Faces& faces,
             const Outlook& outlook, const std::stop_token& stop);

[[nodiscard]] std::vector<AnyFormula> delivery_formulas();

} // namespace hallwright
