// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "quantity/text.h"
#include "quantity/unit_words.h"

namespace hallwright {
namespace {

/// Units that are shown only where they are asked for.
bool plain(std::string_view symbol, const Kind& kind) {
  static constexpr std::array asked_for{std::string_view("in"), std::string_view("ft"), std::string_view("gal"),
      std::string_view("lb"), std::string_view("cm"), std::string_view("gpm"), std::string_view("psi"),
      std::string_view("degF"), std::string_view("bar"), std::string_view("ft2"), std::string_view("CFM"),
      std::string_view("t"), std::string_view("lb/ft2"), std::string_view("km"), std::string_view("wk"),
      std::string_view("L/s"), std::string_view("rad"), std::string_view("USD/MWh"), std::string_view("USD/h")};
  if (std::find(asked_for.begin(), asked_for.end(), symbol) != asked_for.end()) return false;
  if (&kind == &kind::volume_flow && symbol == "m3/h") return false;
  return !(kind.scale == Scale::point && symbol == "K"); // a temperature is shown in degC
}

/// The least number that is shown in this unit when the printer picks it.
double first_shown(const DisplayUnit& unit, const Kind& kind) {
  // Flows stay in L/min and m3/h, the words of the trade, far beyond one m3/s.
  if (&kind == &kind::volume_flow && unit.symbol == "m3/s") return 1e6 / 60000.0;
  if (&kind == &kind::airflow && unit.symbol == "m3/s") return 1e6 / 3600.0;
  return 1.0;
}

/// `value` to `significant` digits, as a number again.
double rounded(double value, int significant) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, significant - 1);
  double out = value;
  std::from_chars(text.data(), end.ptr, out);
  return out;
}

/// Exponent of ten of the first digit of a nonzero number.
int decimal_exponent(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::fabs(value), std::chars_format::scientific, 17);
  const std::string_view s(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  int exponent = 0;
  auto digits = s.substr(s.find('e') + 1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return exponent;
}

std::string fixed_text(double value, int decimals) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  return {text.data(), end.ptr};
}

/// Digits with the reader's mark and thousands apart, from 10 000 on.
std::string dressed(std::string digits, const NumberStyle& style) {
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) digits[point] = static_cast<char>(style.mark);
  if (style.group.empty() || digits.find('e') != std::string::npos) return digits;
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  std::size_t end = point == std::string::npos ? digits.size() : point;
  if (end - begin < 5) return digits;
  for (; end > begin + 3; end -= 3) digits.insert(end - 3, style.group);
  return digits;
}

/// `value` with `significant` digits; the digits are kept ("1.00"), never more than the number says.
std::string significant_text(double value, int significant) {
  if (value == 0.0) return "0";
  value = rounded(value, significant);
  const int exponent = decimal_exponent(value);
  if (exponent < -5 || exponent > 14) {
    std::array<char, 64> text{};
    // Powers of thousand, as in 15.6e12.
    const int thousands = exponent >= 0 ? exponent / 3 * 3 : -((-exponent + 2) / 3 * 3);
    const std::string mantissa = fixed_text(rounded(value / std::pow(10.0, thousands), significant),
                                            std::max(0, significant - 1 - (exponent - thousands)));
    const auto end = std::to_chars(text.data(), text.data() + text.size(), thousands);
    return mantissa + "e" + std::string(text.data(), end.ptr);
  }
  return fixed_text(value, std::max(0, significant - 1 - exponent));
}

std::string count_text(double value, int significant) {
  if (value == std::floor(value) && std::fabs(value) < 1e9) return fixed_text(value, 0);
  if (std::fabs(value) < 1e9) return significant_text(value, significant);
  value = rounded(value, significant);
  const int exponent = decimal_exponent(value), thousands = exponent / 3 * 3;
  return fixed_text(value / std::pow(10.0, thousands), std::max(0, significant - 1 - (exponent - thousands))) + "e" +
         std::to_string(thousands);
}

/// A share close to the whole must not read "100 %": digits are added until it differs from it.
std::string percent_text(double shown, int significant) {
  std::string text = significant_text(shown, significant);
  if (std::fabs(shown - 100.0) < 1e-7) return text;
  for (int more = 1; rounded(shown, significant) == 100.0 && more <= 8; ++more) text = significant_text(shown, ++significant);
  return text;
}

const DisplayUnit* find_unit(const Kind& kind, std::string_view symbol) {
  for (const DisplayUnit& u : kind.display) {
    if (u.symbol == symbol) return &u;
  }
  return nullptr;
}

/// The shortest number that reads back as exactly `base` in this unit.
std::optional<std::string> exact_in(double base, const UnitWord& unit, bool point) {
  double shown = base * unit.down / unit.up;
  if (point && unit.point == PointWord::celsius) shown = base - 273.15;
  if (point && unit.point == PointWord::fahrenheit) shown = base * 9.0 / 5.0 - 459.67;
  if (!std::isfinite(shown)) return std::nullopt;
  const double inf = HUGE_VAL;
  const double near[] = {rounded(shown, 14), rounded(shown, 15), rounded(shown, 16), shown, std::nextafter(shown, inf),
                         std::nextafter(shown, -inf), std::nextafter(std::nextafter(shown, inf), inf),
                         std::nextafter(std::nextafter(shown, -inf), -inf)};
  for (double candidate : near) {
    if (base_amount(candidate, unit, point) == base) return exact_number(candidate);
  }
  return std::nullopt;
}

/// A share in percent: the decimal point moves in the text, so nothing is rounded.
std::string exact_percent(double share) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::fabs(share), std::chars_format::scientific);
  const std::string_view s(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  std::string digits(s.substr(0, s.find('e')));
  if (digits.size() > 1) digits.erase(1, 1);
  int whole = share == 0.0 ? 1 : decimal_exponent(share) + 3; // digits before the point
  std::string out = share < 0.0 ? "-" : "";
  if (whole < -6 || whole > 24) return out + digits + "e" + std::to_string(whole - static_cast<int>(digits.size()));
  for (; whole < 1; ++whole) digits.insert(0, "0");
  while (static_cast<int>(digits.size()) < whole) digits += '0';
  if (static_cast<int>(digits.size()) > whole) digits.insert(static_cast<std::size_t>(whole), ".");
  return out + digits;
}

QuantityText exact_text(double base, const Kind& kind, const NumberStyle& style) {
  const bool point = kind.scale == Scale::point;
  const std::string_view wanted = style.unit.empty() ? suited_unit(base, kind).symbol : style.unit;
  if (wanted == "%" && kind.exponents == Exponents{}) return {dressed(exact_percent(base), style), "%"};
  if (wanted.empty()) return {dressed(exact_number(base), style), ""};
  const auto unit = unit_expression(wanted);
  if (unit && unit->exponents == kind.exponents) {
    if (auto number = exact_in(base, *unit, point)) return {dressed(*std::move(number), style), std::string(wanted)};
  }
  // No number of that unit gives the very same amount: the base unit does.
  return {dressed(exact_number(base), style), kind.base_symbol == "1" ? "" : std::string(kind.base_symbol)};
}

} // namespace

std::string exact_number(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0.0) return "0";
  std::array<char, 400> text{};
  const double size = std::fabs(value);
  const auto format = size >= 1e-6 && size < 1e21 ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format);
  return {text.data(), end.ptr};
}

const DisplayUnit& suited_unit(double base_value, const Kind& kind) {
  const DisplayUnit *best = nullptr, *one = nullptr;
  const double size = std::fabs(base_value);
  for (const DisplayUnit& u : kind.display) {
    if (!plain(u.symbol, kind)) continue;
    // 999.96 kW would read "1000 kW" in three digits, so it belongs to the megawatts.
    if (best == nullptr || size >= u.factor * first_shown(u, kind) * (1.0 - 5e-4)) best = &u;
    if (u.factor == 1.0) one = &u;
  }
  if (size == 0.0 && one != nullptr && first_shown(*one, kind) == 1.0) return *one;
  return best != nullptr ? *best : kind.display.front();
}

QuantityText format_quantity(double base_value, const Kind& kind, const NumberStyle& style) {
  if (!std::isfinite(base_value)) return {"not applicable", ""};
  if (style.significant <= 0) return exact_text(base_value, kind, style);
  const int significant = std::min(style.significant, 17);

  const DisplayUnit* unit = style.unit.empty() ? nullptr : find_unit(kind, style.unit);
  DisplayUnit other;
  if (unit == nullptr && !style.unit.empty()) {
    const auto word = unit_expression(style.unit);
    if (word && word->exponents == kind.exponents) {
      other = {style.unit, word->up / word->down};
      unit = &other;
    }
  }
  if (unit == nullptr) unit = &suited_unit(base_value, kind);
  const double shown = (base_value - unit->offset) / unit->factor;

  std::string number;
  if (kind.scale == Scale::count) number = count_text(shown, significant);
  else if (kind.scale == Scale::percent) number = percent_text(shown, significant);
  else number = significant_text(shown, significant);
  return {dressed(std::move(number), style), std::string(unit->symbol)};
}

} // namespace hallwright
