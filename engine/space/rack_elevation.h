// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"
#include "design/rack_slots.h"
#include "space/rack_mass.h"
#include "space/space.h"

/// Rack elevations as figures: units taken and free, centre of gravity, depths and ports of each rack type.
/// Where each part stands is in `design/rack_slots.h`; what a rack draws and sheds is told by `load`.
namespace hallwright {

/// Adds, for each rack type of the design:
///
///     space.rack_type.<id>.taken_front, .taken_rear    rack units; a lower bound where a height is not known
///     space.rack_type.<id>.free_front, .free_rear      of the cabinet's units
///     space.rack_type.<id>.centre_of_gravity_height    above the floor, limit: half of the height
///     space.rack_type.<id>.centre_of_gravity_depth     from the front, where all depths are known
///     space.rack_type.<id>.mounting_depth              between the rails with room for doors and cables
///     space.rack_type.<id>.ports.<network>             of its nodes and storage
///     space.rack_type.<id>.switch_ports.<kind>         of its switches
///
/// the limit of space.rack_type.<id>.content_mass, and the tables space.rack_types, space.rack_items and
/// space.rack_overlaps.
/// @param masses  of the rack types, in their order
void add_rack_elevations(Ledger& ledger, const SpaceInputs& in, const std::vector<RackMass>& masses,
                         std::vector<Table>& tables);

/// The formulas applied here and for the masses, with their types erased.
[[nodiscard]] std::vector<AnyFormula> rack_elevation_formulas();

/// Rules of what stands in racks: SPC-030 and following.
void add_rack_rules(std::vector<Rule>& rules);

} // namespace hallwright
