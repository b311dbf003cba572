// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// What the commands share that write a table again with predictions beside its columns.
namespace hallwright::cli {

/// The text of `table`. Refuses when it cannot be read, and when `out` is that file itself or none that can be written.
[[nodiscard]] std::string table_text(const std::string& table, const std::string& out);

/// Writes the table with its predictions to `out`; refuses when it cannot.
void write_table(const std::string& out, const std::string& text);

} // namespace hallwright::cli
