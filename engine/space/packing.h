// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/traced_part.h"
#include "design/design.h"
#include "ledger/figures.h"

/// How many nodes of a part fit in a rack, by units, power, floor and heat, and which of them binds.
namespace hallwright {

struct PackingRequest {
  std::string node_part;
  Id rack_type = 0; ///< what else it holds stays in it; nodes of `node_part` that it holds already do not count
  RackMount mount = RackMount::full_depth; ///< full depth needs both sides of its units, front or rear one of them
  Id hall = 0; ///< whose floor rating and aisles count; 0: the site's rating and the catalog's aisles
  std::optional<Power> feed_limit;   ///< not set: the rack type's
  std::optional<Power> liquid_limit; ///< heat that the loop takes from one rack; not set: no limit
  std::optional<Power> air_limit;    ///< heat that the room takes from one rack; not set: the catalog's practical limit
};

/// What one limit allows.
struct PackingLimit {
  std::string id;      ///< "units", "power", "floor", "point_load", "cabinet_load", "liquid", "air"
  std::string name;    ///< "rack units"
  Traced<Count> nodes; ///< packing.<id>; not applicable where nothing limits, unknown where a figure is missing
};

/// Figures of one packing, on a page of their own.
struct Packing : StageResult {
  std::vector<PackingLimit> limits; ///< in the order above
  Traced<Count> nodes;              ///< packing.nodes: the least of those that are known
  std::string binding;              ///< id of the limit that allows least; empty: none is known
  std::vector<std::string>
      missing; ///< limits that cannot be decided, as sentences: with one of them `nodes` may be too many
};

/// @return the packing, or a sentence that names the rack type or part that does not exist
tl::expected<Packing, std::string> packing(const Design& design, const Catalog& catalog, const PackingRequest& request);

/// Free stretches of a rack's units in half units, lowest first, for things of this mount; what stands there already is
/// placed at its lowest unit, or where that is taken at the lowest free place.
struct FreeUnits {
  Count first = 1; ///< lowest half unit, from 1
  Count length = 0;
  friend bool operator==(const FreeUnits&, const FreeUnits&) = default;
};
/// @return nothing where the height of the rack is not known
std::optional<std::vector<FreeUnits>> free_units(const Catalog& catalog, const RackType& type,
                                                 const std::vector<RackItem>& items, RackMount mount);

/// The formulas applied here, with their types erased.
[[nodiscard]] std::vector<AnyFormula> packing_formulas();

} // namespace hallwright
