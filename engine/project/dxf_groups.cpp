// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/dxf_groups.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

/// What kind of value a group code carries (DXF reference, group code ranges).
enum class Carries { text, real, whole };
Carries carries(int code) {
  auto in = [code](int low, int high) { return code >= low && code <= high; };
  if (in(10, 59) || in(110, 149) || in(210, 239) || in(460, 469)) return Carries::real;
  if (in(60, 79) || in(90, 99) || in(170, 179) || in(270, 289) || in(370, 389) || in(400, 409)) return Carries::whole;
  return Carries::text;
}

bool parse_real(std::string_view word, double& out) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc{} && end == word.data() + word.size();
}
bool parse_whole(std::string_view word, long& out) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc{} && end == word.data() + word.size();
}

/// What stands in a line, short enough for a sentence.
std::string shown(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 40))
    out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E ? '?' : c;
  return text.size() > 40 ? out + "..." : out;
}

} // namespace

std::string_view dxf_word(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && blank(value.front()))
    value.remove_prefix(1);
  while (!value.empty() && blank(value.back()))
    value.remove_suffix(1);
  return value;
}

double dxf_real(std::string_view value) {
  double out = 0.0;
  return parse_real(dxf_word(value), out) && std::isfinite(out) ? out : 0.0;
}

long dxf_whole(std::string_view value) {
  long out = 0;
  if (parse_whole(dxf_word(value), out)) return out;
  double real = 0.0; // some programs write flags as 0.0
  return parse_real(dxf_word(value), real) && std::abs(real) < 1e9 ? static_cast<long>(real) : 0;
}

tl::expected<std::vector<DxfGroup>, std::string> read_dxf_groups(std::string_view text, const std::string& file) {
  auto refused = [&](std::size_t line, const std::string& what) {
    return tl::make_unexpected(fmt::format("{}, line {}: {}", file, line, what));
  };
  if (text.size() > dxf_largest_file)
    return tl::make_unexpected(fmt::format("{}: {} bytes; at most {} are read", file, text.size(), dxf_largest_file));
  if (text.starts_with("AutoCAD Binary DXF"))
    return refused(1, "this is a binary DXF; an ASCII DXF is expected (save it as one)");
  if (text.size() >= 6 && text.starts_with("AC10") && text[4] >= '0' && text[4] <= '9')
    return refused(1, fmt::format("this is a DWG ({}); an ASCII DXF is expected (save it as one)", text.substr(0, 6)));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return refused(1, "the file is empty; group code 0 and SECTION are expected");
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    std::size_t line = 1;
    for (char c : text.substr(0, zero))
      line += c == '\n' ? 1 : 0;
    return refused(line, "a zero byte stands in the file; an ASCII DXF is expected");
  }

  std::vector<DxfGroup> groups;
  groups.reserve(text.size() / 16);
  std::size_t at = 0, line = 0;
  auto next_line = [&](std::string_view& out) {
    if (at >= text.size()) return false;
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    out = text.substr(at, end - at);
    if (!out.empty() && out.back() == '\r') out.remove_suffix(1);
    at = end + 1;
    ++line;
    return true;
  };

  std::string section; // empty: between sections
  std::size_t section_line = 0;
  bool named = true, entities = false, ended = false;
  std::string_view code_line, value;
  while (!ended && next_line(code_line)) {
    if (dxf_word(code_line).empty() &&
        text.find_first_not_of(" \t\r\n", std::min(at, text.size())) == std::string_view::npos)
      break; // blank end
    long code = 0;
    if (!parse_whole(dxf_word(code_line), code) || code < -5 || code > 1071)
      return refused(
          line, fmt::format("'{}' is not a group code; a whole number from 0 to 1071 is expected", shown(code_line)));
    if (!next_line(value))
      return refused(line, fmt::format("the file ends after group code {}; its value is expected", code));
    if (code == 999) continue;
    const std::string_view word = dxf_word(value);
    if (groups.empty() && (code != 0 || word != "SECTION"))
      return refused(line, fmt::format("the first group is {} '{}'; 0 'SECTION' is expected", code, shown(value)));
    if (code == 0) {
      if (!named)
        return refused(line,
                       fmt::format("'{}' stands where the name of a section (group code 2) is expected", shown(word)));
      if (word == "SECTION") {
        if (!section.empty())
          return refused(line, fmt::format("a section begins within {}, which began in line {}; 0 'ENDSEC' is expected",
                                           section, section_line));
        named = false;
        section_line = line;
      } else if (word == "ENDSEC") {
        if (section.empty()) return refused(line, "ENDSEC stands outside a section; SECTION or EOF is expected");
        section.clear();
      } else if (word == "EOF") {
        if (!section.empty())
          return refused(line,
                         fmt::format("the file ends within section {}, which began in line {}; 0 'ENDSEC' is expected",
                                     section, section_line));
        ended = true;
      } else if (section.empty()) {
        return refused(line, fmt::format("'{}' stands outside a section; SECTION or EOF is expected", shown(word)));
      }
    } else if (!named) {
      if (code != 2 || word.empty())
        return refused(
            line, fmt::format("group code {} stands where the name of a section (group code 2) is expected", code));
      section = word;
      named = true;
      entities = entities || section == "ENTITIES";
    } else if (section.empty()) {
      return refused(line, fmt::format("group code {} stands outside a section; 0 'SECTION' is expected", code));
    } else if (section == "ENTITIES" || section == "BLOCKS") {
      if (carries(static_cast<int>(code)) == Carries::real) {
        double number = 0.0;
        if (!parse_real(word, number))
          return refused(
              line, fmt::format("'{}' under group code {} is not a number; digits with a decimal point are expected",
                                shown(value), code));
        if (!std::isfinite(number))
          return refused(
              line, fmt::format("'{}' under group code {} is not finite; a number is expected", shown(value), code));
        if (std::abs(number) > dxf_largest_coordinate)
          return refused(line, fmt::format("{} under group code {} is out of range; -1e12 to 1e12 is expected",
                                           shown(word), code));
      } else if (carries(static_cast<int>(code)) == Carries::whole) {
        long number = 0;
        double real = 0.0;
        if (!parse_whole(word, number) && !(parse_real(word, real) && std::isfinite(real) && std::abs(real) < 1e15))
          return refused(line, fmt::format("'{}' under group code {} is not a whole number", shown(value), code));
      }
    }
    groups.push_back({static_cast<int>(code), value, line});
  }
  if (!ended && (!section.empty() || !named))
    return refused(line, fmt::format("the file ends within section {}, which began in line {}: it is cut off; 0 "
                                     "'ENDSEC' and 0 'EOF' are expected",
                                     section, section_line));
  if (!entities) return refused(line, "the file has no section ENTITIES; one is expected");
  return groups;
}

} // namespace hallwright
