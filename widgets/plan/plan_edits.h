// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include <QPointF>
#include <QRectF>
#include <QString>

#include "widgets/plan/plan_model.h"

/// Edits that the tools of the plan ask for.
namespace hallwright::plan {

/// What is to be placed, read from the text of a dragged part.
/// A rack of the catalog and the trays that it brings (`compute_trays_of`): what a rack type is made of.
struct CatalogRack {
  std::string part; ///< empty: none
  std::string name, tray; ///< of the rack type; node part of its trays, or empty
  Count trays = 0;
};
CatalogRack catalog_rack(const std::string& part, const Catalog& catalog);

struct PlacedPart {
  PlanLayer layer = PlanLayer::racks;
  std::string word; ///< kind of structure, power or cooling unit
  std::string part; ///< catalog part, or empty
  CatalogRack rack; ///< of the catalog, where no rack type of the design is meant
  Id rack_type = 0;
  double width = 600, depth = 1200; ///< unrotated
  bool known_size = true;
  bool outdoors = false; ///< may stand outside of every hall
};
/// "rack_types/12", "cooling/cdu/<part>", "power/ups/<part>", "structure/column"; nothing when the text names no part.
std::optional<PlacedPart> read_part(const QString& text, const Design& design, const Shared<Catalog>& catalog);

/// Where it goes: upper left corner of the turned box, in the coordinates of its hall.
struct Place {
  Id hall = 0; ///< 0: outside, from the origin of the site
  double x = 0, y = 0;
  int turns = 0;
  Id row = 0; ///< for racks: row to join
};
Edit place_edit(const PlacedPart& part, const Place& place);

/// A row along x or down the plan (`down`), its first rack at the plan's corner. `count_back`: numbered from the far
/// end.
/// @param rack without a rack type in the plan: rack of the catalog, of which a type is made
Edit row_edit(const RowPlan& plan, bool down, bool count_back, double rack_width, double rack_depth,
              const CatalogRack& rack = {});

/// The rack type of a rack of the catalog: one that is as the catalog has it, or a new one added to the design.
Id rack_type_of_part(Design& design, const CatalogRack& rack);

/// A hall with this outline in its own coordinates.
Edit hall_edit(const std::vector<PlanPoint>& outline);

/// Moves, and gives things to the hall in which they land.
Edit move_edit(const std::vector<EntityRef>& what, double dx, double dy,
               const std::vector<std::pair<EntityRef, Id>>& new_halls);

/// "12 racks", "Rack 7", "5 things".
QString naming(const Design& design, const std::vector<EntityRef>& what);

} // namespace hallwright::plan
