// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "design/access.h"

/// Edits: pure functions from a design to a new one. A refusal is one sentence that the user can act on.
namespace hallwright {

using Edited = tl::expected<Design, std::string>;

/// An edit with its label ("Move 12 racks"), as remedies and the undo list hold it.
struct Edit {
  std::string label;
  std::function<Edited(const Design&)> apply;
};

/// Result of an edit that makes entities: the new design and the new ids.
struct Made {
  Design design;
  std::vector<EntityRef> entities;
};
using Making = tl::expected<Made, std::string>;

/// A copy of one table in which `change` has edited the vector; ids stay sorted.
template <class E, class F>
Design with_table(const Design& design, Shared<std::vector<E>> Design::*table, F&& change) {
  Design out = design;
  std::vector<E> copy = *(design.*table);
  change(copy, out.next_id);
  out.*table = share(std::move(copy));
  return out;
}

/// Adds one entity with the next id.
template <class E>
Made add_entity(const Design& design, Shared<std::vector<E>> Design::*table, E entity);

/// A name not yet used in the table: "Rack 7", "R03-12" and so on, from a stem.
std::string free_name(const Design& design, std::string_view table, std::string_view stem);

/// Moves everything that stands on the plan or runs over it. Locked ones refuse; dimensions between things follow them.
Edited move_by(const Design& design, const std::vector<EntityRef>& what, Length dx, Length dy);
/// Turns each about the common centre, clockwise. Footprints come from `sizes` (see `space/footprints.h`).
struct FootprintSize {
  Length width, depth;
};
using FootprintSizes = std::map<EntityRef, FootprintSize>;
Edited rotate_by(const Design& design, const std::vector<EntityRef>& what, Angle angle, const FootprintSizes& sizes);

enum class AlignEdge { left, right, top, bottom, center_x, center_y };
Edited align(const Design& design, const std::vector<EntityRef>& what, AlignEdge edge, const FootprintSizes& sizes);
enum class DistributeAxis { x, y };
Edited distribute(const Design& design, const std::vector<EntityRef>& what, DistributeAxis axis, const FootprintSizes& sizes);

/// Puts each at this gap from the one before it; the first one stays. Below 0 they overlap.
Edited space_evenly(const Design& design, const std::vector<EntityRef>& what, DistributeAxis axis, Length gap,
                    const FootprintSizes& sizes);
/// Mirrors about the middle of all, left to right or top to bottom; fronts and door leaves are mirrored too.
enum class MirrorAxis { left_to_right, top_to_bottom };
Edited mirror(const Design& design, const std::vector<EntityRef>& what, MirrorAxis axis, const FootprintSizes& sizes);

/// Makes a group of what stands on the plan; things leave the groups that they were in. Refuses fewer than two.
Making group(const Design& design, const std::vector<EntityRef>& what);
/// Dissolves every group of these things.
Edited ungroup(const Design& design, const std::vector<EntityRef>& what);
/// These and all others of their groups, each once, in table order.
std::vector<EntityRef> with_group_members(const Design& design, const std::vector<EntityRef>& what);
/// Locks or unlocks; leaves out what cannot be locked.
Edited set_locked(const Design& design, const std::vector<EntityRef>& what, bool locked);

/// Copies with new ids and free names, moved by (dx, dy).
Making duplicate(const Design& design, const std::vector<EntityRef>& what, Length dx, Length dy);
/// Rows by columns of copies. `count_x`, `count_y` include the original; an empty step axis is 1.
struct ArraySteps {
  Count count_x = 1, count_y = 1;
  Length pitch_x{}, pitch_y{};
};
Making array(const Design& design, const std::vector<EntityRef>& what, const ArraySteps& steps);

/// A row of racks: what the row tool previews and makes.
struct RowPlan {
  Id hall = 0;
  Id rack_type = 0;
  Length x{}, y{};              ///< upper left corner of the first rack
  Count racks_per_row = 10;
  Count rows = 1;
  Length pitch = millimeters(600);  ///< rack to rack, along x
  Length row_depth = millimeters(1200);
  Length cold_aisle = millimeters(1200), hot_aisle = millimeters(1200); ///< alternate between rows
  std::string first_row_name = "R01"; ///< trailing digits count up
  Count first_number = 1;
  Id feed_a = 0, feed_b = 0, loop = 0;
};
Making place_rows(const Design& design, const RowPlan& plan);

/// What deleting would disconnect: one line each ("Rack R01-03 loses its A feed").
std::vector<std::string> what_deleting_disconnects(const Design& design, const std::vector<EntityRef>& what);
/// Deletes, clears references to what is gone, and takes along what cannot live without it (items of a rack type,
/// content of a hall, changes of a scenario).
Edited remove(const Design& design, const std::vector<EntityRef>& what);

/// The clipboard: entities with what they own, as text that pastes into any project.
std::string copy_text(const Design& design, const std::vector<EntityRef>& what);
/// Pastes with new ids; rack types that are equal in name and content are used, others are made.
Making paste_text(const Design& design, const std::string& text, Id hall, Length dx, Length dy);

template <class E>
Made add_entity(const Design& design, Shared<std::vector<E>> Design::*table, E entity) {
  Made out{design, {}};
  entity.id = out.design.next_id++;
  std::vector<E> copy = *(design.*table);
  const Id id = entity.id;
  copy.push_back(std::move(entity));
  out.design.*table = share(std::move(copy));
  for_each_table([&](std::string_view word, auto member) {
    if constexpr (std::is_same_v<decltype(member), Shared<std::vector<E>> Design::*>) {
      if (member == table) out.entities.push_back({std::string(word), id});
    }
  });
  return out;
}

} // namespace hallwright
