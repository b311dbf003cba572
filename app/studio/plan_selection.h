// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

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
/// One edit; `sizes` of `what` are needed for mirroring.
Edit array_edit(const std::vector<EntityRef>& what, const ArrayPlan& plan, const Shared<Catalog>& catalog);

} // namespace hallwright
