// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "design/edits.h"
#include "space/footprints.h"

/// Places racks in a hall by rule: rows that face alternately, aisles, pods kept together, columns and clearances
/// avoided, with leafs, CDUs and busways. All it makes are ordinary entities, as if drawn by hand. Same design and
/// request, same answer.
namespace hallwright {

enum class RowDirection : std::uint8_t { along_x, along_y };
/// Where the fabric racks of a pod stand.
enum class LeafPlace : std::uint8_t { middle, row_start };
enum class CduPlace : std::uint8_t { none, row_ends, perimeter };

struct LayoutRequest {
  Id rack_type = 0;
  Count count = 0;             ///< racks of the type, 1 to 20,000
  bool as_many_as_fit = false; ///< up to `count`, instead of refusing
  Id hall = 0;
  Id zone = 0;                      ///< not 0: inside this zone of the hall
  std::optional<PlanBox> rectangle; ///< inside this rectangle of the hall
  bool replace =
      false; ///< first take away what stands wholly in that part of the hall and is not locked: racks, CDUs, busways

  RowDirection direction = RowDirection::along_x;
  std::optional<Length> cold_aisle, hot_aisle; ///< not set: the hall's minimum; narrower than that is refused
  Count longest_row = 20;                      ///< racks side by side before a cross aisle
  Count pod_racks = 0;                         ///< racks of a pod, kept together; 0: no pods
  bool whole_pods = false;                     ///< a pod that fits into one row is not spread over two

  Count fabric_racks_per_pod = 0; ///< 0: none (without pods: of the whole layout)
  Id fabric_rack_type = 0;        ///< needed where there are fabric racks
  LeafPlace leafs = LeafPlace::middle;

  CduPlace cdus = CduPlace::none;
  std::string cdu_part;
  Power liquid_heat_per_rack{}; ///< what the CDUs are sized for
  Redundancy cdu_redundancy = Redundancy::n_plus_1;
  Count least_cdus = 0; ///< with the spare ones; for where flow asks for more than duty does
  Id loop = 0;          ///< coolant loop of the racks where no CDUs are placed

  bool busways = false; ///< an A and a B busway above each row; else racks take the feeds that are drawn
  Power power_per_rack{}, power_per_fabric_rack{}; ///< what the busways are rated for; 0: no rating is entered
  double power_margin = 1.0; ///< at least 1; what a feed carries over what its racks draw: losses beneath it
  double continuous_load_factor = 0.8;
};

/// What a layout made.
struct LayoutOutcome {
  Design design;
  std::vector<EntityRef> entities; ///< racks first
  Count racks = 0, fabric_racks = 0, rows = 0, pods = 0, cdus = 0, busways = 0, removed = 0;
  std::vector<std::string> notes; ///< what could not be done as wished, one sentence each
};

/// @return the layout, or one sentence with the number that does fit
tl::expected<LayoutOutcome, std::string> auto_layout(const Design& design, const Catalog& catalog,
                                                     const LayoutRequest& request);

/// The most racks that a request can place, whatever its count; 0 where it is refused for another reason.
Count layout_capacity(const Design& design, const Catalog& catalog, const LayoutRequest& request);

/// The same as an edit ("Lay out 32 racks"); the catalog is held.
Edit layout_edit(const Design& design, const Shared<Catalog>& catalog, const LayoutRequest& request);

/// Racks of a type put at both ends of a row that is drawn, as far as floor is free: to the end of the row's line, at
/// most `count`. They take the row's first rack's feeds and loop.
struct RowFill {
  Design design;
  std::vector<EntityRef> entities;
};
tl::expected<RowFill, std::string> fill_row(const Design& design, const Catalog& catalog, Id row, Id rack_type,
                                            Count count);

} // namespace hallwright
