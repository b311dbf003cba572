// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/design.h"

/// What both file forms have in common: a design as tables of records, and the strict way back.
namespace hallwright {

struct StoredRecord {
  Id id = 0;    ///< 0 in sections with one entity
  int line = 0; ///< in the text form; 0 where there are no lines
  std::vector<FieldValue> values; ///< one a field, in field order
};

struct StoredTable {
  std::string_view word;
  bool single = false; ///< a section with one entity
  std::vector<FieldInfo> fields;
  std::vector<FieldValue> defaults; ///< of an entity that nobody has touched
  std::vector<StoredRecord> records;
};

/// All sections and tables in file order, without records.
[[nodiscard]] std::vector<StoredTable> table_layout();
/// The same with the records of a design.
[[nodiscard]] std::vector<StoredTable> stored_tables(const Design& design);

/// Sentences about what is wrong with a file, at most twenty.
class Complaints {
public:
  explicit Complaints(std::string name) : name_(std::move(name)) {}
  /// `line` 0: without one.
  void add(int line, const std::string& sentence);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// One a line.
  [[nodiscard]] std::string text() const;

private:
  std::string name_;
  std::vector<std::string> sentences_;
  std::size_t count_ = 0;
};

/// "racks 12", or "site" for a section.
[[nodiscard]] std::string record_name(const StoredTable& table, Id id);

/// Makes the design. Complains of ids twice or missing, values of the wrong type or out of range, references to nothing.
/// `next_id` not set: one more than the largest id. Nothing when there is a complaint.
[[nodiscard]] std::optional<Design> design_of(std::vector<StoredTable>& tables, std::optional<Id> next_id, Complaints& complaints);

/// Whether a file of the one would hold the same as a file of the other: all fields, ids and the next fresh id.
[[nodiscard]] bool same_design(const Design& a, const Design& b);

} // namespace hallwright
