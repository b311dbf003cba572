// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/catalog.h"
#include "project/netbox_device_type.h"

/// NetBox types as parts of the user's catalog: what would change is known before anything is written.
namespace hallwright {

/// One field of a part that an import sets.
struct PartFieldChange {
  std::string field, label;  ///< "weight_kg", "Mass"
  std::string before, after; ///< text with unit; `before` is empty for a new part and for what was unknown
};

/// What importing one type would do.
struct PartImport {
  enum class Outcome : std::uint8_t { added, changed, identical, rejected } outcome = Outcome::rejected;
  std::string file;
  std::string kind;     ///< of the part: "node", "switch", "rack", "power", "cooling"
  std::string why_kind; ///< "48 ports of 25 Gb/s or more"
  std::string id, name; ///< of the part; an existing part keeps its own
  std::string reason;   ///< why it is rejected
  std::vector<PartFieldChange> changes;
  std::vector<std::string> rejected_fields; ///< "power_max_w: 18000 W is the sum of 6 supplies, not a draw"
  std::vector<std::string> still_needed;    ///< fields that the engine computes with and nobody has stated yet
  std::vector<std::string> warnings;        ///< of the file
  /// The whole part, field by field: an existing part with what the file states on top of it.
  std::vector<std::pair<std::string, FieldValue>> values;
};
/// "new", "changed", "identical", "rejected".
[[nodiscard]] std::string_view outcome_word(PartImport::Outcome outcome);

/// Compares a type with the catalog. A part is the same when maker and model agree, whatever its slug.
/// @param as_of       date of the import, "2026-05-31", for the row's source
/// @param wanted_kind kind of part; empty: judged by what the type has
[[nodiscard]] PartImport plan_part_import(const NetboxType& type, const Catalog& present, const std::string& as_of,
                                          std::string_view wanted_kind = {});

/// The text of a user's catalog file (CSV, possibly empty) with the rows of these imports added or replaced by id;
/// other rows and columns stay as they are. An error names the line of a file that is not readable.
[[nodiscard]] tl::expected<std::string, std::string> with_imported_rows(std::string_view csv, std::string_view kind,
                                                                        const std::vector<const PartImport*>& imports);

/// Writes what is new and changed into a user's catalog folder; all files or none. The result is read back with the
/// shipped catalog beneath before anything is replaced.
/// @return names of the files that were written, or what is wrong
[[nodiscard]] tl::expected<std::vector<std::string>, std::string>
write_part_imports(const std::string& folder, const Catalog& shipped, const std::vector<PartImport>& imports);

} // namespace hallwright
