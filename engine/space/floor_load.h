// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "space/floor_plan.h"
#include "space/rack_mass.h"

/// What racks weigh and how they press on the floor.
namespace hallwright {

/// What is known of a rack type that stands in the drawing.
struct TypeOnFloor {
  const RackType* type = nullptr;
  std::size_t type_index = 0; ///< in the list of rack types
  Footprint footprint;
  Traced<Mass> mass;
  Traced<Mass> point_load;
  Traced<Length> width, depth;
};
/// Loads of one rack type in one hall.
struct TypeInHall {
  std::size_t type = 0; ///< index of `FloorLoads::on_floor`
  std::int32_t hall = -1;
  Traced<ArealDensity> floor_load, footprint_load;
};
struct FloorLoads {
  std::vector<TypeOnFloor> on_floor;
  std::vector<TypeInHall> in_hall;
  std::vector<std::int32_t> load_of; ///< type * (halls + 1) + hall + 1: index of `in_hall`, -1: none
};

/// Figures of mass and load; sets the worst loads of `out`.
FloorLoads floor_loads(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const std::vector<RackMass>& masses,
                       SpaceResult& out);

/// The formulas that it applies, with their types erased.
[[nodiscard]] std::vector<AnyFormula> floor_load_formulas();

} // namespace hallwright
