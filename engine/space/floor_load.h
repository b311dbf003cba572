// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "space/aisles.h"
#include "space/floor_plan.h"
#include "space/rack_mass.h"

/// What racks and plant weigh and how they press on the floor: spread over footprint and aisles, on one foot, and on
/// one caster on the way in.
namespace hallwright {

/// What is known of a rack type that stands in the drawing.
struct TypeOnFloor {
  const RackType* type = nullptr;
  std::size_t type_index = 0; ///< in the list of rack types
  Footprint footprint;
  Traced<Mass> mass;
  Traced<Mass> point_load; ///< of one foot on a floor that is not level; also of one caster on the move
  Traced<Length> width, depth;
};
/// A floor with ratings of its own: outside of halls (0), each hall, then each zone.
struct FloorArea {
  const Hall* hall = nullptr;
  const Zone* zone = nullptr;
  std::string stem, name; ///< "hall.5", "zone.12"; for people
};
/// Loads of one rack type on one floor.
struct TypeOnArea {
  std::size_t type = 0; ///< index of `FloorLoads::on_floor`
  std::size_t area = 0;
  Traced<ArealDensity> floor_load, footprint_load; ///< of the rack with the least floor round it
  Traced<Mass> point_load;
  bool on_bare_floor = false; ///< at least one rack of the type has no plate under it
};
struct FloorLoads {
  std::vector<TypeOnFloor> on_floor;
  std::vector<FloorArea> areas;
  std::vector<TypeOnArea> on_area;
  // Of each rack; NaN where the mass is not known in full.
  std::vector<double> floor_load, point_load; ///< kg/m2, kg
  std::vector<std::uint32_t> figure;          ///< index of `figures`
  std::vector<std::string> figures;           ///< ids of the figures that explain a rack's floor load; 0: none
  std::vector<std::int32_t> floor_index;      ///< rack type: index of `on_floor`, -1: none stands
  Table plant;                                ///< "space.plant": masses and loads of power and cooling units
};

/// Half of the floor before and behind a thing [mm], together with its depth at most `bay`; walls end the floor.
double aisle_share_mm(const Face& front, const Face& rear, double depth, double bay);

/// Figures of load; `masses` are those of the rack types, in their order. Sets the worst loads of `out`.
FloorLoads floor_loads(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const Faces& faces,
                       const std::vector<RackMass>& masses, SpaceResult& out);

/// The formulas that it applies, with their types erased.
[[nodiscard]] std::vector<AnyFormula> floor_load_formulas();

} // namespace hallwright
