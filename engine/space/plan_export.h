// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "catalog/catalog.h"
#include "design/design.h"
#include "project/dxf_export.h"

/// The plan as a sheet for DXF.
namespace hallwright {

/// Everything that stands in `hall` (0: in all halls, at their `hall_places`), in millimetres with y up: the plan is
/// turned over, names stay upright. Power and cooling units that stand in no hall, such as a utility feed, are not on
/// it. One layer for each layer of the plan: HALL-OUTLINE, HALL-STRUCTURES, HALL-ZONES, HALL-RACKS, HALL-POWER,
/// HALL-COOLING, HALL-CONTAINMENT, HALL-TRAYS, HALL-PIPES-SUPPLY, -RETURN and -DRAIN, HALL-DIMENSIONS, HALL-NOTES;
/// names stand on a layer beside it (HALL-RACKS-NAMES), the fronts of racks on HALL-RACKS-FRONT. Footprints are closed
/// polylines. A footprint that nothing states is drawn with its stand-in and
/// "(size not stated)" behind the name. Guides and underlays are not part of the plan.
[[nodiscard]] DxfSheet plan_sheet(const Design& design, const Catalog& catalog, Id hall = 0);

/// Where the origin of each hall lies on a sheet of all halls. Halls that were drawn over each other (each at the
/// origin, or on several levels) stand beside each other, 4 m apart, as on the plan; others stay where they are.
[[nodiscard]] std::map<Id, PlanPoint> hall_places(const Design& design);

} // namespace hallwright
