// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "quantity/text.h"
#include "quantity/unit_words.h"

namespace hallwright {
namespace {

constexpr std::string_view thin_space = "\u2009";
constexpr int deepest_nesting = 64;
constexpr std::size_t longest_text = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// "a power", "an energy", "money".
std::string with_article(const Kind& kind) {
  if (&kind == &kind::money || &kind == &kind::memory || &kind == &kind::flop || &kind == &kind::water_use_kind())
    return std::string(kind.name);
  const bool vowel = std::string_view("aeiou").find(kind.name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(kind.name);
}

} // namespace
} // namespace hallwright
