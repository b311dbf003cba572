// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantity/field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace hallwright {
namespace {

tl::unexpected<std::string> refuse(const FieldInfo& field, std::string_view why) {
  return tl::make_unexpected(std::string(field.label.empty() ? field.name : field.label) + ": " + std::string(why));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

const Kind& kind_of(const FieldInfo& field) {
  if (field.kind != nullptr) return *field.kind;
  return field.type == FieldType::count ? kind::count : kind::ratio;
}

/// A limit with as many digits as it has, in the unit of the field.
std::string limit_text(const FieldInfo& field, double value) {
  if (kind_of(field).scale == Scale::count) return exact_number(value);
  NumberStyle style{.significant = 12, .group = "", .unit = field.unit};
  QuantityText text = format_quantity(value, kind_of(field), style);
  if (text.number.find_first_of(".") != std::string::npos && text.number.find('e') == std::string::npos) {
    text.number.erase(text.number.find_last_not_of('0') + 1);
    if (text.number.ends_with('.')) text.number.pop_back();
  }
  return text.joined();
}

std::string allowed_range(const FieldInfo& field) {
  const bool low = std::isfinite(field.minimum), high = std::isfinite(field.maximum);
  if (low && high) return limit_text(field, field.minimum) + " to " + limit_text(field, field.maximum) + " is allowed";
  if (low) return "at least " + limit_text(field, field.minimum) + " is allowed";
  if (high) return "at most " + limit_text(field, field.maximum) + " is allowed";
  return "any value is allowed";
}

std::string choices_of(const FieldInfo& field) {
  std::string out;
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    if (i > 0) out += i + 1 == field.choices.size() ? " or " : ", ";
    out += field.choices[i];
  }
  return out;
}

/// What unit conversion and the digits of `limit_text` take or add around a limit: -60 degC is read as 213.14999999999998 K, under a minimum of 213.15 K.
/// Counts are exact.
double dust_of(const FieldInfo& field, double limit) {
  return std::isfinite(limit) && kind_of(field).scale != Scale::count ? 8.0 * std::numeric_limits<double>::epsilon() * std::fabs(limit) : 0.0;
}

tl::expected<void, std::string> check_range(const FieldInfo& field, double value) {
  if (!std::isfinite(value)) return refuse(field, "the value is not a finite number; " + allowed_range(field));
  if (value < field.minimum - dust_of(field, field.minimum) || value > field.maximum + dust_of(field, field.maximum))
    return refuse(field, exact_field_text(field, FieldValue{value}) + " is out of range; " + allowed_range(field));
  return {};
}

tl::expected<void, std::string> check_text(const FieldInfo& field, const std::string& text) {
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20U && c != '\n' && c != '\t') || c == 0x7f)
      return refuse(field, "the text holds a control character; write it without");
  }
  return {};
}

tl::expected<FieldValue, std::string> checked(const FieldInfo& field, FieldValue value) {
  if (auto ok = check_field(field, value); !ok) return tl::make_unexpected(ok.error());
  return value;
}

} // namespace

tl::expected<void, std::string> check_field(const FieldInfo& field, const FieldValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    if (field.optional) return {};
    return refuse(field, "a value is needed");
  }
  switch (field.type) {
  case FieldType::number:
    if (const auto* number = std::get_if<double>(&value)) return check_range(field, *number);
    return refuse(field, "a number is needed");
  case FieldType::count:
    if (const auto* count = std::get_if<std::int64_t>(&value)) return check_range(field, static_cast<double>(*count));
    return refuse(field, "a whole number is needed");
  case FieldType::boolean:
    if (std::holds_alternative<bool>(value)) return {};
    return refuse(field, "yes or no is needed");
  case FieldType::reference:
    if (const auto* id = std::get_if<std::int64_t>(&value)) {
      if (*id >= 0) return {};
      return refuse(field, std::to_string(*id) + " is not the id of an entity; ids are 1 or more, 0 is none");
    }
    return refuse(field, "the id of an entity is needed");
  case FieldType::choice:
    if (const auto* word = std::get_if<std::string>(&value)) {
      if (std::find(field.choices.begin(), field.choices.end(), *word) != field.choices.end()) return {};
      return refuse(field, "'" + *word + "' is not a choice; write " + choices_of(field));
    }
    return refuse(field, "one of " + choices_of(field) + " is needed");
  case FieldType::text:
  case FieldType::part:
    if (const auto* text = std::get_if<std::string>(&value)) return check_text(field, *text);
    return refuse(field, field.type == FieldType::part ? "the id of a catalog part is needed" : "a text is needed");
  case FieldType::outline:
    if (const auto* text = std::get_if<std::string>(&value)) {
      const std::size_t least = field.minimum >= 2 ? static_cast<std::size_t>(field.minimum) : 3;
      if (auto outline = parse_outline(*text, least); !outline) return refuse(field, outline.error());
      return {};
    }
    return refuse(field, "an outline is needed");
  }
  return refuse(field, "the field has no type");
}

namespace {
std::string text_of(const FieldInfo& field, const FieldValue& value, const NumberStyle& style) {
  if (std::holds_alternative<std::monostate>(value)) return {};
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) return format_quantity(*number, kind_of(field), style).joined();
  const auto whole = std::get<std::int64_t>(value);
  if (field.type == FieldType::reference) return whole == 0 ? std::string() : std::to_string(whole);
  if (style.significant == 0) return std::to_string(whole);
  return format_quantity(static_cast<double>(whole), kind_of(field), style).joined();
}
} // namespace

namespace {
/// The digits of "2.000" or "2,000": nobody writes three decimals of a count, whatever the mark. Else empty.
std::string digits_of_grouped(std::string_view words) {
  const std::size_t mark = words.find_first_of(".,");
  if (mark == std::string_view::npos || mark == 0 || mark > 3 || words.size() != mark + 4) return {};
  std::string digits(words.substr(0, mark));
  digits += words.substr(mark + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::all_of(digits.begin(), digits.end(), is_digit) && digits.front() != '0' ? digits : std::string();
}
} // namespace

std::string field_text(const FieldInfo& field, const FieldValue& value, DecimalMark mark) {
  return text_of(field, value, NumberStyle{.significant = 3, .mark = mark, .unit = field.unit});
}

std::string exact_field_text(const FieldInfo& field, const FieldValue& value) {
  return text_of(field, value, NumberStyle{.significant = 0, .group = "", .unit = field.unit});
}

tl::expected<FieldValue, std::string> parse_field(const FieldInfo& field, std::string_view text, DecimalMark mark) {
  return parse_field_edit(field, text, std::monostate{}, mark);
}

tl::expected<FieldValue, std::string> parse_field_edit(const FieldInfo& field, std::string_view text, const FieldValue& present,
                                                       DecimalMark mark) {
  const std::string_view words = trimmed(text);
  if (words.empty() && field.optional) return FieldValue{std::monostate{}};
  switch (field.type) {
  case FieldType::number:
  case FieldType::count: {
    if (const std::string whole = field.type == FieldType::count ? digits_of_grouped(words) : std::string(); !whole.empty())
      return refuse(field, "'" + std::string(words) + "' could be " + whole + " or " +
                               std::string(words.substr(0, words.find_first_of(".,"))) +
                               "; write a whole number without grouping");
    double now = std::nan("");
    if (const auto* number = std::get_if<double>(&present)) now = *number;
    if (const auto* count = std::get_if<std::int64_t>(&present)) now = static_cast<double>(*count);
    const auto amount = parse_edit(words, now, kind_of(field), mark, field.unit);
    if (!amount) return refuse(field, amount.error());
    if (field.type == FieldType::number) return checked(field, *amount);
    if (*amount != std::floor(*amount) || std::fabs(*amount) > 9007199254740992.0)
      return refuse(field, "'" + std::string(words) + "' is not a whole number that can be counted");
    return checked(field, static_cast<std::int64_t>(*amount));
  }
  case FieldType::boolean:
    for (std::string_view yes : {"yes", "true", "on", "1"})
      if (words == yes) return FieldValue{true};
    for (std::string_view no : {"no", "false", "off", "0"})
      if (words == no) return FieldValue{false};
    return refuse(field, "'" + std::string(words) + "' is neither yes nor no");
  case FieldType::reference: {
    std::int64_t id = 0;
    const std::string_view digits = words.starts_with('#') ? words.substr(1) : words;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (ec != std::errc() || end != digits.data() + digits.size() || digits.empty())
      return refuse(field, "'" + std::string(words) + "' is not the id of an entity, such as 12");
    return checked(field, id);
  }
  case FieldType::choice:
  case FieldType::outline: return checked(field, std::string(words));
  case FieldType::part: return checked(field, std::string(words));
  case FieldType::text: return checked(field, std::string(text)); // names are kept exactly
  }
  return refuse(field, "the field has no type");
}

std::string outline_text(const std::vector<PlanPoint>& outline) {
  std::string out;
  for (const PlanPoint& p : outline) {
    if (!out.empty()) out += ' ';
    out += exact_number(p.x_mm) + "," + exact_number(p.y_mm);
  }
  return out;
}

namespace {

constexpr double farthest_corner = 10e6; // mm: as far as anything may stand on the plan

std::string corner_text(const PlanPoint& p) { return exact_number(p.x_mm) + "," + exact_number(p.y_mm); }

/// Above 0 where c lies to one side of the line from a to b, below 0 on the other.
double side(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c) {
  return (b.x_mm - a.x_mm) * (c.y_mm - a.y_mm) - (b.y_mm - a.y_mm) * (c.x_mm - a.x_mm);
}

/// Whether the sides ab and cd cross, each at an inner point of the other.
bool cross(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c, const PlanPoint& d) {
  const auto opposite = [](double s, double t) { return (s > 0 && t < 0) || (s < 0 && t > 0); };
  return opposite(side(a, b, c), side(a, b, d)) && opposite(side(c, d, a), side(c, d, b));
}

/// What is wrong with corners that each are fine; empty: nothing.
std::string shape_fault(const std::vector<PlanPoint>& corners, bool polygon) {
  const std::size_t n = corners.size();
  for (std::size_t i = polygon ? 0 : 1; i < n; ++i) {
    if (corners[i] == corners[(i + n - 1) % n]) return "the corner " + corner_text(corners[i]) + " stands there twice in a row; leave one out";
  }
  if (!polygon) return {};
  double twice_area = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const PlanPoint &p = corners[i], &q = corners[(i + 1) % n];
    twice_area += p.x_mm * q.y_mm - q.x_mm * p.y_mm;
    for (std::size_t j = i + 2; j < n; ++j) {
      const PlanPoint &r = corners[j], &s = corners[(j + 1) % n];
      if ((j + 1) % n != i && cross(p, q, r, s))
        return "the side from " + corner_text(p) + " to " + corner_text(q) + " crosses the one from " + corner_text(r) + " to " + corner_text(s) +
               "; sides may only meet at corners";
    }
  }
  if (std::fabs(twice_area) < 2.0) return "the corners enclose less than 1 mm2; they lie on one line";
  return {};
}

} // namespace

tl::expected<std::vector<PlanPoint>, std::string> parse_outline(std::string_view text, std::size_t least_corners) {
  std::vector<PlanPoint> out;
  std::string_view rest = trimmed(text);
  const auto bad = [](std::string_view corner) {
    return tl::make_unexpected("'" + std::string(corner) + "' is not a corner; write x,y in millimetres, such as 36000,16000");
  };
  while (!rest.empty()) {
    const std::string_view corner = rest.substr(0, rest.find_first_of(" \t\r\n;"));
    rest = trimmed(rest.substr(std::min(rest.size(), corner.size() + 1)));
    PlanPoint p;
    const char* end = corner.data() + corner.size();
    const auto x = std::from_chars(corner.data(), end, p.x_mm);
    if (x.ec != std::errc() || x.ptr == end || *x.ptr != ',') return bad(corner);
    const auto y = std::from_chars(x.ptr + 1, end, p.y_mm);
    if (y.ec != std::errc() || y.ptr != end || !std::isfinite(p.x_mm) || !std::isfinite(p.y_mm)) return bad(corner);
    if (std::fabs(p.x_mm) > farthest_corner || std::fabs(p.y_mm) > farthest_corner)
      return tl::make_unexpected("the corner '" + std::string(corner) + "' is out of range; -10000000 mm to 10000000 mm is allowed");
    out.push_back(p);
  }
  const bool polygon = least_corners >= 3;
  if (out.size() < least_corners)
    return tl::make_unexpected(polygon ? "an outline of " + std::to_string(out.size()) + " corners encloses nothing; at least 3 are needed"
                                       : "a path of " + std::to_string(out.size()) + " points leads nowhere; at least 2 are needed");
  if (std::string fault = shape_fault(out, polygon); !fault.empty()) return tl::make_unexpected(std::move(fault));
  return out;
}

} // namespace hallwright
