// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace hallwright {

/// One record of a CSV text and the line it starts on (from 1).
struct CsvRecord {
  std::size_t line = 1;
  std::vector<std::string> cells;
};

/// Reads RFC 4180 text: quotes, commas and newlines in quotes, a byte order mark, CRLF. Empty lines are skipped.
/// CRLF inside a quoted cell becomes a plain newline. An error names the line of a quote that does not close, or after
/// which text follows.
tl::expected<std::vector<CsvRecord>, std::string> read_csv(std::string_view text);

} // namespace hallwright
