// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "design/edits.h"
#include "design/rack_slots.h"

/// Edits of what stands in a rack type, and of which type a rack has. Every rack of a type changes with it.
namespace hallwright {

/// Where in a rack a part is put.
struct RackSpot {
  Count lowest_half_unit = 1; ///< from the floor, 1 to 400
  RackMount mount = RackMount::full_depth;
};

/// Why `count` parts of this height cannot stand there, as one sentence; nothing where they can. Slots for which
/// `leaves` answers yes are taken for gone. Parts beside the rails go anywhere.
/// @param half_units  of one part; a stand-in of 2 where it is not known
std::optional<std::string> rack_place_refusal(const Design& design, const Catalog& catalog, Id rack_type,
                                              const std::string& part_name, Count half_units, Count count,
                                              const RackSpot& place,
                                              const std::function<bool(const RackSlot&)>& leaves = {});

/// The lowest place with enough free half units on the faces that `mount` takes; nothing where there is none.
std::optional<RackSpot> first_free_place(const Design& design, const Catalog& catalog, Id rack_type, Count half_units,
                                         RackMount mount, const std::function<bool(const RackSlot&)>& leaves = {});

/// Puts one part into a rack type. Refuses a place that is taken or that reaches above the cabinet's units.
Making place_in_rack(const Design& design, const Catalog& catalog, Id rack_type, RackItemKind kind,
                     const std::string& part, const RackSpot& place);
/// Moves an item with all of its count; the lowest comes to stand at `place`.
Edited move_in_rack(const Design& design, const Catalog& catalog, Id item, const RackSpot& place);
/// Moves one of an item's count (`nth` 0: the lowest); it becomes an item of its own, the others stay where they are.
Making move_one_in_rack(const Design& design, const Catalog& catalog, Id item, Count nth, const RackSpot& place);
/// Makes one of an item's count an item of its own, in its place. Refuses an item of one.
Making split_off(const Design& design, const Catalog& catalog, Id item, Count nth);
/// Takes out an item, or one of its count; the others stay where they are.
Edited remove_from_rack(const Design& design, const Catalog& catalog, Id item, std::optional<Count> nth = {});
/// Sets how many stand one above the other, 1 to 1000; more go on top, where there must be room.
Edited set_rack_item_count(const Design& design, const Catalog& catalog, Id item, Count count);

/// A copy of a rack type with its content, under a new name that no rack type has.
Making make_rack_template(const Design& design, Id rack_type, const std::string& name);
/// Gives these racks another type. Refuses when none of them would change.
Edited assign_rack_type(const Design& design, const std::vector<Id>& racks, Id rack_type);
/// Gives one rack a copy of its type, so that changes concern it alone. Refuses where no other rack has the type.
Making change_this_rack_only(const Design& design, Id rack);

/// How many racks have this type.
Count racks_of_type(const Design& design, Id rack_type);

} // namespace hallwright
