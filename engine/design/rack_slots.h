// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "design/design.h"

/// Where the content of a rack type stands between the rails. Heights are counted in half rack units from the floor;
/// numbering upwards or downwards is a matter of display only.
namespace hallwright {

/// Size of a part that is mounted in a rack, as its catalog row states it.
struct RackPartSize {
  bool found = false;              ///< the catalog has the part
  std::string name;                ///< of the part, or its id where the catalog does not have it
  std::optional<Count> half_units; ///< height, rounded up to whole half units
  std::optional<Length> width, depth;
};
/// @param kind  which list of the catalog the part comes from; `other` looks in all of them
RackPartSize rack_part_size(const Catalog& catalog, RackItemKind kind, std::string_view part);

/// Distance from unit to unit: 44.45 mm (EIA-310), or 48 mm for the open racks of the OCP (OU).
[[nodiscard]] Length rack_unit_pitch(const RackPart* cabinet);
/// Half units of a cabinet from its part; nothing where that is not known.
[[nodiscard]] std::optional<Count> cabinet_half_units(const Catalog& catalog, const RackType& type);

/// One part in its place.
struct RackSlot {
  Id item = 0;
  Count nth = 0;              ///< of the item's count: 0 is the lowest
  Count lowest_half_unit = 1; ///< from the floor
  Count half_units = 2;       ///< height; a stand-in of one unit where it is not known; 0: beside the rails
  bool height_known = true;
  RackMount mount = RackMount::full_depth;
  bool overlaps = false;  ///< shares a half unit of a face with another part
  bool overflows = false; ///< reaches above the cabinet's units
  [[nodiscard]] bool zero_u() const { return mount == RackMount::zero_u_left || mount == RackMount::zero_u_right; }
  [[nodiscard]] bool front() const { return mount == RackMount::full_depth || mount == RackMount::front; }
  [[nodiscard]] bool rear() const { return mount == RackMount::full_depth || mount == RackMount::rear; }
  [[nodiscard]] Count highest_half_unit() const { return lowest_half_unit + half_units - 1; }
};

/// All parts of a rack type, by item and from below.
struct RackSlots {
  Id rack_type = 0;
  std::optional<Count> cabinet; ///< half units of the cabinet; not set: not known
  std::vector<RackSlot> places;
  /// Pairs of places that share a half unit of a face, each once, the lower index first. Where the height of one is not
  /// known, only its lowest half unit counts.
  std::vector<std::pair<std::size_t, std::size_t>> overlaps;
  /// Highest half unit to draw: the cabinet's, else that of the highest part, at least `stand_in_half_units`.
  [[nodiscard]] Count height() const;
  /// Half units of one face that nothing takes, within the cabinet; nothing where the cabinet's are not known.
  [[nodiscard]] std::optional<Count> free_half_units(bool front) const;
  /// The longest run of half units that are free on both faces, as its lowest half unit and its length; length 0: none.
  [[nodiscard]] std::pair<Count, Count> largest_gap() const;
};
inline constexpr Count stand_in_half_units = 96; ///< 48 units, drawn where no cabinet says

RackSlots rack_slots(const Catalog& catalog, const RackType& type, const std::vector<RackItem>& items);

/// "U3", or "the upper half of U3".
std::string half_unit_text(Count half_unit);
/// "U3 to U10", "U3", "U3.5 to U5": what a part takes, from its lowest to its highest unit.
std::string half_unit_range(Count lowest, Count half_units);

} // namespace hallwright
