// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QString>

#include "catalog/catalog.h"
#include "design/edits.h"

namespace hallwright {

/// Things of the selection that stand on the plan or are drawn on it.
std::vector<EntityRef> on_plan(const std::vector<EntityRef>& selection);
/// "1 thing", "12 things": for labels of edits.
std::string things(std::size_t n);

/// How a field is compared with a value in "Find and select".
enum class Comparison { is, is_not, more, less, contains, not_set };

/// Entities of a table whose field compares so. Numbers read with their unit ("40 kW"), references and parts by name or
/// id.
/// @param problem set to what is wrong with the value and what is allowed
std::vector<EntityRef> matching(const Design& design, const std::string& table, const FieldInfo& field,
                                Comparison comparison, const QString& value, QString* problem = nullptr);

/// Valves of the coolant in a selection: those of pipes, and those of racks that are in a loop.
struct SelectedValves {
  std::vector<Id> pipes, racks;
  std::size_t shut = 0; ///< of them
  [[nodiscard]] std::size_t count() const { return pipes.size() + racks.size(); }
};
SelectedValves selected_valves(const Design& design, const std::vector<EntityRef>& selection);
/// Shuts them all, or opens them wide.
Edit valves_edit(const Design& design, const SelectedValves& valves, bool open);

/// Things of the same kind as those selected: racks of their types, units of their parts or kinds, runs and structures
/// of their kinds.
std::vector<EntityRef> same_type(const Design& design, const std::vector<EntityRef>& selection);

/// Repeats things along x, and in rows whose pitches alternate.
struct ArrayPlan {
  Count columns = 1, rows = 1;
  double pitch_x_mm = 600;
  double pitch_y_mm = 2400, second_pitch_y_mm = 2400; ///< row to row: the first, the second, the first again
  bool mirror_rows = false; ///< every second row is mirrored top to bottom: fronts face each other
};
/// So many things at once are shown while numbers are typed, and made by one edit of this kind.
inline constexpr Count most_at_once = 20000;
/// Things with the originals.
constexpr double things_in_array(std::size_t what, const ArrayPlan& plan) {
  return static_cast<double>(what) * static_cast<double>(plan.columns) * static_cast<double>(plan.rows);
}
/// One edit; it refuses more than `most_at_once` things. Its work grows with the things, not with rows times things.
Edit array_edit(const std::vector<EntityRef>& what, const ArrayPlan& plan, const Shared<Catalog>& catalog);

/// How far a copy goes to stand on free floor of the same hall, beside these things: single things in their line, whole
/// rows across an aisle; mm, right and down. Not set where no place is free nearby.
struct CopyPlace {
  double dx = 0, dy = 0;
};
std::optional<CopyPlace> place_beside(const Design& design, const Shared<Catalog>& catalog,
                                      const std::vector<EntityRef>& what);
/// The same for copies that are not part of `standing` yet: their own design holds them where they come from.
/// @param wished  where they should go; beside that when it is taken. Not set: where they come from, or beside.
std::optional<CopyPlace> place_of_copies(const Design& standing, const Design& design, const Shared<Catalog>& catalog,
                                         const std::vector<EntityRef>& what,
                                         const std::optional<CopyPlace>& wished = std::nullopt);
/// Where what the clipboard holds goes in a hall.
struct PastePlan {
  CopyPlace place;        ///< from where it was copied
  bool free = true;       ///< nothing stands there
  bool as_wished = false; ///< under the cursor
};
/// @param at    of the hall, mm: the middle of what is pasted, moved on by `snap`; not set: where it was copied from, or
///              beside that
/// @return not set where the text holds nothing that can be pasted
std::optional<PastePlan> plan_paste(const Design& design, const Shared<Catalog>& catalog, const std::string& text, Id hall,
                                    const std::optional<QPointF>& at,
                                    const std::function<QPointF(const QRectF&)>& snap);
/// Copies beside the originals, or a step to the right and down where no floor is free. Copies of racks that do not go
/// on their row stand in a row of their own, numbered like the first.
Edit duplicate_edit(const std::vector<EntityRef>& what, const Shared<Catalog>& catalog);
/// Rows of their own for racks just copied or pasted, where they stand apart from the racks of the row that they name.
/// @param originals  of which they are copies, where those are still there: their numbers within the row are kept
Design with_rows_of_their_own(const Design& design, const std::vector<EntityRef>& made,
                              const std::vector<EntityRef>& originals = {});

} // namespace hallwright
