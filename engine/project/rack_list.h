// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "design/edits.h"

/// Racks as a list: pasted from a spreadsheet, and copied into one.
///
/// The first line names the columns, in any order: name, type, x, y, rotation, row, hall, feed A, feed B, loop. A unit
/// stands in the header ("x [mm]") or in the cell ("0.6 m"); without one x and y are in millimetres, rotation in
/// degrees. Cells are apart by tabs, else semicolons, else commas.
namespace hallwright {

/// One cell, or a whole line, that is refused.
struct RackCellError {
  std::size_t line = 0; ///< of the text, from 1
  std::string rack;     ///< name that stands in the line; may be empty
  std::string column;   ///< as in the header; empty: the line as a whole
  std::string value;    ///< what stands there
  std::string what;     ///< what is wrong and what is allowed
  /// "line 4, rack R01-03, column x [mm]: 'six' is not a number; ..."
  [[nodiscard]] std::string sentence() const;
};

/// What one line does.
struct RackListRow {
  enum class What : std::uint8_t { added, changed, unchanged, refused } what = What::refused;
  std::size_t line = 0;
  std::string name;
  Id rack = 0;                                            ///< the rack that is changed; 0: a new one
  std::vector<std::pair<std::string, FieldValue>> fields; ///< of `racks`, only what differs
  std::string new_row;                                    ///< name of a row that is made for it, in `new_row_hall`
  Id new_row_hall = 0;
};

/// A list that was read against a design: the preview, and what the edit does.
struct RackList {
  std::vector<RackListRow> rows;
  std::vector<RackCellError> errors;
  std::vector<std::string> unknown_types; ///< named in the list and not in the design, each once
  std::vector<std::string> new_rows;      ///< rows that would be made
  std::vector<std::string> notes; ///< columns that are not read, units that were assumed, places that were made up
  std::size_t added = 0, changed = 0, unchanged = 0, refused = 0;
  /// "12 new, 3 changed, 1 refused".
  [[nodiscard]] std::string summary() const;
};

struct RackListOptions {
  DecimalMark mark = DecimalMark::point; ///< of the locale in which the list was typed
  Id hall = 0;                           ///< where a line names no hall; 0: the only hall
};

/// Most lines that are read.
inline constexpr std::size_t rack_list_most_lines = 100000;

/// Reads a list. An error says that it is no list at all (no header, no line); what is wrong with single cells stands
/// in `errors`, and their lines are refused while the others can be taken. A rack of the design is the one of the same
/// name (in the named hall); empty cells leave it as it is, "-" takes a row, feed or loop away. A new rack needs name,
/// type, x and y. Rows that do not exist are made; types, halls, feeds and loops are not.
[[nodiscard]] tl::expected<RackList, std::string> read_rack_list(std::string_view text, const Design& design,
                                                                 const RackListOptions& options = {});

/// The edit of all lines that are not refused ("Add 12 racks, change 3"). Refuses when the design has no longer what
/// the list was read against.
[[nodiscard]] Edit rack_list_edit(const RackList& list);

/// Racks as lines apart by tabs, units in the header; `read_rack_list` with the same mark reads back the very same
/// racks.
/// @param racks ids; empty: all
[[nodiscard]] std::string racks_as_list(const Design& design, const std::vector<Id>& racks = {},
                                        DecimalMark mark = DecimalMark::point);

/// A table of words before it is understood, for lists of other makes (NetBox). `columns` are the names above.
struct RackTable {
  std::vector<std::string> columns;
  std::vector<std::string> titles; ///< the columns as the user's file names them, for errors; empty: `columns`
  struct Line {
    std::size_t line = 0;
    std::vector<std::string> cells;
  };
  std::vector<Line> lines;
};
[[nodiscard]] tl::expected<RackList, std::string> read_rack_table(const RackTable& table, const Design& design,
                                                                  const RackListOptions& options = {});

/// A word as a cell that no spreadsheet takes for a formula (=, +, -, @ at its start): an apostrophe is put before it,
/// and before words that begin with apostrophes and then such a sign, so that `unguarded_cell` gives the very word.
[[nodiscard]] std::string guarded_cell(std::string_view word);
[[nodiscard]] std::string unguarded_cell(std::string_view cell);

/// Splits text into records of cells: quotes and line ends in quotes as in RFC 4180; lines end with LF, CR LF or CR. An
/// error names the line.
[[nodiscard]] tl::expected<std::vector<RackTable::Line>, std::string> read_delimited(std::string_view text,
                                                                                     char delimiter);

} // namespace hallwright
