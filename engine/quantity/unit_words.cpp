// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantity/unit_words.h"

namespace hallwright {
namespace {

enum Prefixes : std::uint8_t { no_prefix = 0, large = 1, small = 2, binary = 4, centi = 8 };

struct Row {
  std::string_view symbol;
  double up, down;
  Exponents exponents;
  std::uint8_t prefixes = no_prefix;
  PowerWord power = PowerWord::none;
  PointWord point = PointWord::none;
  bool percent = false;
};

constexpr Exponents power_exponents{.meter = 2, .kilogram = 1, .second = -3};
constexpr Exponents energy_exponents{.meter = 2, .kilogram = 1, .second = -2};
constexpr Exponents pressure_exponents{.meter = -1, .kilogram = 1, .second = -2};
constexpr Exponents flow_exponents{.meter = 3, .second = -1};
constexpr Exponents rate_exponents{.second = -1, .byte = 1};

// Inch, foot, pound and US gallon are exact by definition (international yard and pound agreement of 1959;
// 1 gal = 231 in3). psi = lbf/in2 with g = 9.80665 m/s2. The year is the Julian year of 365.25 d.
constexpr Row rows[] = {
    {"m", 1, 1, {.meter = 1}, large | small | centi},
    {"in", 254, 10000, {.meter = 1}},
    {"inch", 254, 10000, {.meter = 1}},
    {"inches", 254, 10000, {.meter = 1}},
    {"\"", 254, 10000, {.meter = 1}},
    {"ft", 3048, 10000, {.meter = 1}},
    {"'", 3048, 10000, {.meter = 1}},
    {"L", 1, 1000, {.meter = 3}, small},
    {"l", 1, 1000, {.meter = 3}, small},
    {"gal", 3785411784.0, 1e12, {.meter = 3}},
    {"kg", 1, 1, {.kilogram = 1}},
    {"g", 1, 1000, {.kilogram = 1}, small},
    {"t", 1000, 1, {.kilogram = 1}},
    {"lb", 45359237, 1e8, {.kilogram = 1}},
    {"lbs", 45359237, 1e8, {.kilogram = 1}},
    {"s", 1, 1, {.second = 1}, small},
    {"sec", 1, 1, {.second = 1}},
    {"min", 60, 1, {.second = 1}},
    {"minute", 60, 1, {.second = 1}},
    {"minutes", 60, 1, {.second = 1}},
    {"h", 3600, 1, {.second = 1}},
    {"hr", 3600, 1, {.second = 1}},
    {"hour", 3600, 1, {.second = 1}},
    {"hours", 3600, 1, {.second = 1}},
    {"d", 86400, 1, {.second = 1}},
    {"day", 86400, 1, {.second = 1}},
    {"days", 86400, 1, {.second = 1}},
    {"wk", 604800, 1, {.second = 1}},
    {"week", 604800, 1, {.second = 1}},
    {"weeks", 604800, 1, {.second = 1}},
    {"y", 31557600, 1, {.second = 1}},
    {"yr", 31557600, 1, {.second = 1}},
    {"year", 31557600, 1, {.second = 1}},
    {"years", 31557600, 1, {.second = 1}},
    {"Hz", 1, 1, {.second = -1}, large},
    {"A", 1, 1, {.ampere = 1}, large | small},
    {"V", 1, 1, {.meter = 2, .kilogram = 1, .second = -3, .ampere = -1}, large | small},
    {"Ohm", 1, 1, {.meter = 2, .kilogram = 1, .second = -3, .ampere = -2}, large | small},
    {"ohm", 1, 1, {.meter = 2, .kilogram = 1, .second = -3, .ampere = -2}, large | small},
    {"W", 1, 1, power_exponents, large | small, PowerWord::real},
    {"VA", 1, 1, power_exponents, large, PowerWord::apparent},
    {"J", 1, 1, energy_exponents, large | small},
    {"Wh", 3600, 1, energy_exponents, large},
    {"Pa", 1, 1, pressure_exponents, large | small},
    {"bar", 1e5, 1, pressure_exponents, small},
    {"psi", 6894.757293168361, 1, pressure_exponents},
    {"N", 1, 1, {.meter = 1, .kilogram = 1, .second = -2}, large | small},
    {"K", 1, 1, {.kelvin = 1}, small},
    {"degC", 1, 1, {.kelvin = 1}, no_prefix, PowerWord::none, PointWord::celsius},
    {"°C", 1, 1, {.kelvin = 1}, no_prefix, PowerWord::none, PointWord::celsius},
    {"degF", 5, 9, {.kelvin = 1}, no_prefix, PowerWord::none, PointWord::fahrenheit},
    {"°F", 5, 9, {.kelvin = 1}, no_prefix, PowerWord::none, PointWord::fahrenheit},
    {"rad", 1, 1, {.radian = 1}, small},
    {"deg", 0.017453292519943295, 1, {.radian = 1}},
    {"°", 0.017453292519943295, 1, {.radian = 1}},
    {"B", 1, 1, {.byte = 1}, large | binary},
    {"bit", 1, 8, {.byte = 1}, large | binary},
    {"b", 1, 8, {.byte = 1}, large | binary},
    {"bps", 1, 8, rate_exponents, large},
    {"Bps", 1, 1, rate_exponents, large},
    {"FLOP", 1, 1, {.flop = 1}, large},
    {"FLOPS", 1, 1, {.second = -1, .flop = 1}, large},
    {"USD", 1, 1, {.dollar = 1}, large},
    {"$", 1, 1, {.dollar = 1}, large},
    {"LPM", 1, 60000, flow_exponents},
    {"lpm", 1, 60000, flow_exponents},
    {"gpm", 3785411784.0, 60e12, flow_exponents},
    {"GPM", 3785411784.0, 60e12, flow_exponents},
    {"CFM", 28316846592.0, 60e12, flow_exponents},
    {"cfm", 28316846592.0, 60e12, flow_exponents},
    {"%", 1, 100, {}, no_prefix, PowerWord::none, PointWord::none, true},
};

struct PrefixRow {
  std::string_view symbol;
  double up, down;
  std::uint8_t group;
};
constexpr PrefixRow prefixes[] = {
    {"Ki", 1024.0, 1, binary},           {"Mi", 1048576.0, 1, binary},          {"Gi", 1073741824.0, 1, binary},
    {"Ti", 1099511627776.0, 1, binary},  {"Pi", 1125899906842624.0, 1, binary}, {"Ei", 1152921504606846976.0, 1, binary},
    {"k", 1e3, 1, large},                {"M", 1e6, 1, large},                  {"G", 1e9, 1, large},
    {"T", 1e12, 1, large},               {"P", 1e15, 1, large},                 {"E", 1e18, 1, large},
    {"Z", 1e21, 1, large},               {"Y", 1e24, 1, large},                 {"c", 1, 100, centi},
    {"m", 1, 1e3, small},                {"u", 1, 1e6, small},                  {"\u00B5", 1, 1e6, small},
    {"\u03BC", 1, 1e6, small},           {"n", 1, 1e9, small},                  {"p", 1, 1e12, small},
};

const Row* row_of(std::string_view symbol) {
  for (const Row& r : rows) {
    if (r.symbol == symbol) return &r;
  }
  return nullptr;
}

UnitWord unit_of(const Row& r, double up, double down) {
  return {r.up * up, r.down * down, r.exponents, r.power, r.point, r.percent};
}

} // namespace

std::optional<UnitWord> unit_word(std::string_view word) {
  if (const Row* r = row_of(word)) return unit_of(*r, 1.0, 1.0);
  for (const PrefixRow& p : prefixes) {
    if (!word.starts_with(p.symbol)) continue;
    const Row* r = row_of(word.substr(p.symbol.size()));
    if (r != nullptr && (r->prefixes & p.group) != 0) return unit_of(*r, p.up, p.down);
  }
  return std::nullopt;
}

Exponents combined(const Exponents& a, const Exponents& b, int sign) {
  Exponents out;
  for (auto member : {&Exponents::meter, &Exponents::kilogram, &Exponents::second, &Exponents::ampere, &Exponents::kelvin,
                      &Exponents::radian, &Exponents::byte, &Exponents::flop, &Exponents::dollar}) {
    const int sum = a.*member + sign * b.*member;
    // Clamped rather than wrapped: nothing real has such a dimension, and it must not look like one that is.
    out.*member = static_cast<std::int8_t>(sum > 100 ? 100 : sum < -100 ? -100 : sum);
  }
  return out;
}

double base_amount(double number, const UnitWord& unit, bool as_point) {
  if (as_point && unit.point == PointWord::celsius) return number + 273.15;
  if (as_point && unit.point == PointWord::fahrenheit) return (number + 459.67) * 5.0 / 9.0;
  return number * unit.up / unit.down;
}

} // namespace hallwright
