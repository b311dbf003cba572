// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "design/design.h"

/// The `.hall.json` form: for review and version control.
///
///     {
///     "format": "hallwright-design",
///     "version": 1,
///     "next_id": 14,
///     "site": {"name": "Delta", "utility_power": "10 MW", ...},
///     "racks": [
///       {"id": 12, "name": "R01-01", "rack_type": 3, "x": "600 mm", ...}
///     ]
///     }
///
/// A section or an entity a line, in file order and by id. Numbers with a unit and percentages are text in the field's
/// preferred unit where that reads back as the very same number, else in the base unit; pure numbers, counts and
/// ids of references (0: none) are JSON numbers. What is optional and not set is left out.
/// By hand, more is allowed: any unit of the kind, tables and fields left out (they take their defaults), entities in any
/// order, no `next_id`. What is not allowed: unknown tables and fields, a key twice, a number without its unit.
namespace hallwright {

/// The whole text with a newline at its end. Equal designs give equal bytes.
[[nodiscard]] std::string write_text(const Design& design, int version);

struct ReadText {
  Design design;
  int version = 0;
  std::vector<std::string> unknown; ///< tables and fields that this program does not know (newer versions only)
};
/// Reads a text; `name` is what the sentences call it, `schema` the version that this program knows.
[[nodiscard]] tl::expected<ReadText, std::string> read_text(std::string_view text, const std::string& name, int schema);

} // namespace hallwright
