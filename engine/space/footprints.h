// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/catalog.h"
#include "design/edits.h"

/// Sizes of things on the plan: from the entity where it says, else from its part, else a stated stand-in.
namespace hallwright {

struct Footprint {
  Length width{}, depth{}, height{};
  bool known = true; ///< false: neither entity nor part says; drawn dashed with a stand-in of 600 x 1200 mm
};
Footprint rack_footprint(const Catalog& catalog, const RackType& type);
Footprint power_unit_footprint(const Catalog& catalog, const PowerUnit& unit);
Footprint cooling_unit_footprint(const Catalog& catalog, const CoolingUnit& unit);
/// Sizes of all of these (racks, power_units, cooling_units, structures), for the edits that turn or align.
FootprintSizes footprint_sizes(const Design& design, const Catalog& catalog, const std::vector<EntityRef>& what);

/// An upright or turned rectangle on the plan, millimetres.
struct PlanBox {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  [[nodiscard]] bool overlaps(const PlanBox& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
};
/// Bounding box of a w x d rectangle at (x, y) turned clockwise about its centre.
PlanBox plan_box(Length x, Length y, Length width, Length depth, Angle rotation);

} // namespace hallwright
