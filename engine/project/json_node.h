// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

/// JSON that remembers where in the file each part stood and in which order, keys twice included.
namespace hallwright {

struct JsonNode {
  enum class Kind : std::uint8_t { null, boolean, integer, number, text, array, object } kind = Kind::null;
  int line = 0; ///< from 1
  bool yes = false;
  std::int64_t integer = 0;
  double number = 0.0; ///< of an integer too
  std::string text;    ///< of a number: as it was written
  std::vector<JsonNode> items;
  std::vector<std::pair<std::string, JsonNode>> members;
};

struct JsonFault {
  int line = 0;
  std::string what;
};
[[nodiscard]] tl::expected<JsonNode, JsonFault> parse_json(std::string_view text);

/// A text in quotation marks, escaped as JSON wants it; everything that is not ASCII stays as it is.
[[nodiscard]] std::string json_quoted(std::string_view text);

} // namespace hallwright
