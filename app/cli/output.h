// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "ledger/figures.h"

/// How answers are written: JSON, aligned text, CSV. Nothing here depends on the locale.
namespace hallwright::cli {

/// Objects keep the order in which their members were written.
using Json = nlohmann::ordered_json;

/// Writes to standard output; refuses when it cannot take the text (a full disk, a closed file).
void print(std::string_view text);
/// Indented JSON and a newline. Text that is not UTF-8 is written with replacement characters.
void print_json(const Json& json);

/// Writes a file whole or not at all, where a symbolic link leads; "-" is standard output. Refuses what is not a file, and
/// a file that the answer was read from: it would be lost.
/// @param read files that the command reads; empty names count for nothing
void write_answer(const std::string& file, std::string_view text, const std::vector<std::string>& read);

/// A number for JSON: null where it is not finite.
[[nodiscard]] Json number(double value);
/// Symbol of the base unit of a kind; "1" for pure numbers.
[[nodiscard]] std::string unit_of(const Kind* kind);

/// One figure: value and unit (null and the reason where there is none), standing, limit, formula and inputs.
[[nodiscard]] Json figure_json(const Figures& figures, const Figure& figure);
/// One table, column by column; unknown cells are null.
[[nodiscard]] Json table_json(const Table& table);

/// Value and unit as below, with the completeness in words: "at least 41 m", "not applicable: no racks".
[[nodiscard]] std::string full_text(const Figure& figure);
/// An amount for people in the unit that reads best: the number that reads back as the very same amount, or else twelve
/// digits.
[[nodiscard]] std::string full_text(double base_value, const Kind& kind);

/// Rows as columns of equal width, two spaces between; the last column is not padded. Widths count characters, not bytes.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent = {});

/// One cell of CSV text: quoted where needed; text that a spreadsheet would take for a formula gets an apostrophe.
[[nodiscard]] std::string csv_words(std::string_view text);
/// A table as CSV: base units in the header, numbers in full precision, unknown cells empty.
[[nodiscard]] std::string csv_of(const Table& table);

/// A sentence a line, each with `front` before it.
[[nodiscard]] std::string lines_of(const std::vector<std::string>& sentences, std::string_view front = {});

/// "the nearest name is ..." for a misspelled word, over all `names` (at least one).
[[nodiscard]] std::string nearest_sentence(std::string_view word, const std::vector<std::string>& names);

} // namespace hallwright::cli
