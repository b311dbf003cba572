// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/csv.h"

#include <fmt/format.h>

namespace hallwright {
namespace {
/// A carriage return that belongs to a line end.
bool before_line_feed(std::string_view text, std::size_t i) {
  return i < text.size() && text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n');
}
} // namespace

tl::expected<std::vector<CsvRecord>, std::string> read_csv(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<CsvRecord> out;
  std::size_t line = 1;
  std::size_t i = 0;
  while (i < text.size()) {
    CsvRecord record;
    record.line = line;
    bool done = false;
    while (!done) {
      std::string cell;
      if (i < text.size() && text[i] == '"') {
        const std::size_t opened = line;
        ++i;
        for (;;) {
          if (i >= text.size()) return tl::make_unexpected(fmt::format("line {}: a quote opens here and does not close", opened));
          if (text[i] == '"') {
            if (i + 1 < text.size() && text[i + 1] == '"') {
              cell += '"';
              i += 2;
              continue;
            }
            ++i;
            break;
          }
          if (text[i] == '\n') ++line;
          if (!before_line_feed(text, i)) cell += text[i];
          ++i;
        }
        if (before_line_feed(text, i)) ++i;
        if (i < text.size() && text[i] != ',' && text[i] != '\n')
          return tl::make_unexpected(fmt::format("line {}: text follows a closing quote; write a quote inside a cell twice", line));
      }
      while (i < text.size() && text[i] != ',' && text[i] != '\n') {
        if (!before_line_feed(text, i)) cell += text[i];
        ++i;
      }
      record.cells.push_back(std::move(cell));
      if (i >= text.size() || text[i] == '\n') {
        ++i;
        ++line;
        done = true;
      } else {
        ++i; // the comma
      }
    }
    if (record.cells.size() > 1 || !record.cells.front().empty()) out.push_back(std::move(record));
  }
  return out;
}

} // namespace hallwright
