// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "checks/finding.h"
#include "space/footprints.h"
#include "space/population.h"
#include "space/routes.h"

/// Floor load, clearances and distances of what is drawn.
namespace hallwright {

struct SpaceInputs {
  Shared<Site> site;
  Shared<std::vector<Hall>> halls;
  Shared<std::vector<Structure>> structures;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<std::vector<PowerUnit>> power_units;
  Shared<std::vector<CoolingUnit>> cooling_units;
  Shared<Catalog> catalog;
  Shared<std::vector<Zone>> zones = {}; ///< null: none, and so on
  Shared<std::vector<Containment>> containments = {};
  Shared<std::vector<Tray>> trays = {};
  Shared<std::vector<Pipe>> pipes = {};
  friend bool operator==(const SpaceInputs&, const SpaceInputs&) = default;
};

/// Where a rack stands, for the stages that need distances. Parallel to `Design::racks`.
struct RackPlace {
  Id rack = 0;
  Id rack_type = 0;
  Id hall = 0;
  double center_x_mm = 0, center_y_mm = 0;
  double floor_load_kg_m2 = 0; ///< NaN where the mass is not known
  bool outside = false;        ///< not wholly inside its hall's outline
  bool overlapping = false;    ///< shares floor with something else
  /// Equal where unknown floor loads count as equal.
  friend bool operator==(const RackPlace& a, const RackPlace& b) {
    const bool load = a.floor_load_kg_m2 == b.floor_load_kg_m2 ||
                      (a.floor_load_kg_m2 != a.floor_load_kg_m2 && b.floor_load_kg_m2 != b.floor_load_kg_m2);
    return load && a.rack == b.rack && a.rack_type == b.rack_type && a.hall == b.hall &&
           a.center_x_mm == b.center_x_mm && a.center_y_mm == b.center_y_mm && a.outside == b.outside &&
           a.overlapping == b.overlapping;
  }
};

struct SpaceResult : StageResult {
  std::vector<RackPlace> places;         ///< by rack id
  Traced<ArealDensity> worst_floor_load; ///< space.worst_floor_load, limit: the floor's rating
  Traced<Mass> worst_point_load;         ///< space.worst_point_load
  Traced<Mass> worst_rolling_load;       ///< space.worst_rolling_load: one caster on the way to its place
  Traced<Length> narrowest_aisle;        ///< space.narrowest_aisle: clear distance between facing rows
  Traced<Area> hall_area;                ///< space.hall_area
  Traced<Length>
      mean_rack_distance; ///< space.mean_rack_distance: compute rack to fabric rack, along trays or estimated
  Traced<Length> longest_rack_distance; ///< space.longest_rack_distance
  Shared<RouteResult> routes;           ///< lengths from rack to rack, CDU and busway; what the trays carry
};

/// @param stop when requested, the result is left unfinished and of no use; polled rack by rack
SpaceResult space(const SpaceInputs& inputs, const PopulationResult& population, const std::stop_token& stop = {});
/// The same with the routes along trays and pipes; without them every distance is estimated along x and y.
SpaceResult space(const SpaceInputs& inputs, const PopulationResult& population, const Shared<RouteResult>& routed,
                  const std::stop_token& stop = {});
std::vector<Rule> space_rules();

/// The formulas that the stage applies beyond those of `space/formulas.h`, with their types erased.
[[nodiscard]] std::vector<AnyFormula> space_stage_formulas();

} // namespace hallwright
