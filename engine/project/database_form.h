// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/design.h"
#include "project/migrations.h"

/// The `.hall` form: a SQLite database, made and read in memory.
///
/// One table a section or table of the design, `id INTEGER PRIMARY KEY` and a column a field. Numbers with a unit are
/// REAL in the base unit, which the column names (`x_m`, `utility_power_w`, `rate_b_per_s`); shares are plain numbers.
/// Texts, choices, parts and outlines (`outline_mm`) are TEXT, yes and no are 1 and 0, references are ids or NULL.
/// `meta` holds `format`, `next_id`, `program`, `saved_by`, `edit_count` and what a recovery file adds.
namespace hallwright {

/// "HALL" in the application id of the database header.
inline constexpr int hall_application_id = 0x48414C4C;

using Meta = std::map<std::string, std::string>;

/// The column of a field: its name, and its base unit in lower case ("rate" in B/s: "rate_b_per_s").
[[nodiscard]] std::string column_name(const FieldInfo& field);

/// The whole file. Equal designs and `meta` give equal bytes.
[[nodiscard]] tl::expected<std::string, std::string> write_database(const Design& design, const Meta& meta, int version);

struct ReadDatabase {
  Design design;
  Meta meta;
  int version = 0;                  ///< as the file has it
  std::vector<std::string> unknown; ///< tables and columns that this program does not know
  std::vector<std::string> missing; ///< columns that the file does not have yet; their fields took the default
};

/// Whether the content begins like a SQLite database.
[[nodiscard]] bool looks_like_database(std::string_view content);
/// The schema version in the header of a `.hall`; -1 for anything else.
[[nodiscard]] int database_version(std::string_view content);

/// Reads a file; `name` is what the sentences call it. Older versions are brought up to `schema` in memory.
[[nodiscard]] tl::expected<ReadDatabase, std::string> read_database(std::string content, const std::string& name, int schema,
                                                                    std::span<const Migration> migrations);

} // namespace hallwright
