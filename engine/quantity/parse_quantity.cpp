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

constexpr std::string_view thin_space = "\u2009"; // what the printer puts between thousands
constexpr int deepest_nesting = 64;
constexpr std::size_t longest_text = 1000;
constexpr double largest_whole = 9007199254740992.0; // 2^53: every whole number up to here is exact

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "a power", "an energy", "money".
std::string with_article(const Kind& kind) {
  for (std::string_view mass_noun : {"money", "memory", "floating point operations", "water use"}) {
    if (kind.name == mass_noun) return std::string(kind.name);
  }
  const bool vowel = std::string_view("aeiou").find(kind.name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(kind.name);
}

/// "W, kW, MW or GW".
std::string units_of(const Kind& kind) {
  std::string out;
  for (std::size_t i = 0; i < kind.display.size(); ++i) {
    if (i > 0) out += i + 1 == kind.display.size() ? " or " : ", ";
    out += kind.display[i].symbol;
  }
  return out;
}

/// An amount as one would write it, for "such as ...".
std::string example_of(const Kind& kind, std::string_view default_unit) {
  struct Example {
    const Kind* kind;
    std::string_view text;
  };
  static constexpr Example examples[] = {
      {&kind::ratio, "1.2"},           {&kind::percent, "90 %"},        {&kind::count, "8"},
      {&kind::length, "2.5 m"},        {&kind::area, "120 m2"},         {&kind::volume, "200 L"},
      {&kind::mass, "1200 kg"},        {&kind::time, "12 h"},           {&kind::current, "63 A"},
      {&kind::voltage, "400 V"},       {&kind::power, "120 kW"},        {&kind::apparent_power, "500 kVA"},
      {&kind::energy, "250 kWh"},      {&kind::pressure, "150 kPa"},    {&kind::force, "2 kN"},
      {&kind::temperature, "32 degC"}, {&kind::temperature_difference, "10 K"},
      {&kind::angle, "90 deg"},        {&kind::information, "400 GB"},  {&kind::memory, "80 GiB"},
      {&kind::network_rate, "400 Gb/s"}, {&kind::data_rate, "400 Gb/s or 50 GB/s"},
      {&kind::flop_rate, "989 TFLOP/s"}, {&kind::frequency, "24/d"},    {&kind::volume_flow, "480 L/min"},
      {&kind::airflow, "2000 m3/h"},   {&kind::money, "12000 USD"},     {&kind::money_per_energy, "0.08 USD/kWh"},
  };
  if (!default_unit.empty()) return "12 " + std::string(default_unit);
  for (const Example& e : examples) {
    if (e.kind == &kind) return std::string(e.text);
  }
  const DisplayUnit& unit = kind.display.front();
  return "12" + (unit.symbol.empty() ? std::string() : " " + std::string(unit.symbol));
}

/// The kind that an amount of this dimension most likely is, for "is an amount of data".
const Kind* likely_kind(const Exponents& exponents, PowerWord power) {
  if (exponents == kind::apparent_power.exponents && power == PowerWord::apparent) return &kind::apparent_power;
  if (exponents == kind::temperature.exponents) return &kind::temperature;
  for (const Kind* k : all_kinds()) {
    if (k->exponents == exponents) {
      if (k == &kind::network_rate) return &kind::data_rate;
      return k;
    }
  }
  return nullptr;
}

/// What the text means so far: `number` of `unit`.
struct Amount {
  double number = 1.0;
  UnitWord unit;
  bool bare = true;      ///< a number without any unit word
  bool unit_only = false; ///< a unit word without a number
  bool scaled_point = false; ///< a temperature that was multiplied, divided or raised

  [[nodiscard]] double base() const { return base_amount(number, unit, false); }
};

class Parser {
public:
  Parser(std::string_view text, DecimalMark mark, bool points) : text_(text), mark_(mark), points_(points) {}

  std::optional<Amount> parse() {
    auto amount = expression();
    if (!amount) return std::nullopt;
    skip_blanks();
    if (at_ < text_.size()) return fail(left_over());
    return amount;
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The unknown word that stopped the reading, if that was the reason.
  [[nodiscard]] std::string_view unknown_word() const { return unknown_; }

private:
  std::nullopt_t fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return std::nullopt;
  }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  bool take(std::string_view symbol) {
    if (!rest().starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  void skip_blanks() {
    for (;;) {
      if (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      else if (!take(thin_space)) return;
    }
  }
  [[nodiscard]] bool starts_number() const {
    const auto r = rest();
    if (r.empty()) return false;
    return is_digit(r[0]) || ((r[0] == '.' || r[0] == ',') && r.size() > 1 && is_digit(r[1]));
  }
  [[nodiscard]] bool starts_unit() const {
    const auto r = rest();
    if (r.empty()) return false;
    return is_letter(r[0]) || r[0] == '$' || r[0] == '%' || r[0] == '"' || r[0] == '\'' || r.starts_with("\u00B5") ||
           r.starts_with("\u03BC") || r.starts_with("°");
  }
  [[nodiscard]] std::string left_over() const {
    const auto r = rest();
    if (r.front() == ')') return "there is a ')' without its '('";
    if (starts_number()) return "two numbers stand side by side; write one number without spaces between its digits";
    if (r.starts_with("\u00A0") || r.starts_with("\u202F"))
      return "it holds a non-breaking space; write the number without spaces between its digits, and a plain space before the unit";
    std::size_t n = 1; // a whole UTF-8 character
    while (n < r.size() && (static_cast<unsigned char>(r[n]) & 0xC0U) == 0x80U) ++n;
    return quoted(r.substr(0, n)) + " cannot stand there";
  }

  std::optional<Amount> expression() {
    auto left = term();
    while (left) {
      skip_blanks();
      int sign = 0;
      if (take("+")) sign = 1;
      else if (take("-") || take("\u2212")) sign = -1;
      if (sign == 0) return left;
      auto right = term();
      if (!right) return std::nullopt;
      left = sum(*left, *right, sign);
    }
    return std::nullopt;
  }

  std::optional<Amount> sum(const Amount& a, const Amount& b, int sign) {
    if (a.unit.exponents != b.unit.exponents || a.unit.percent != b.unit.percent)
      return fail(sign > 0 ? "it adds amounts of different kinds" : "it subtracts amounts of different kinds");
    if (a.unit.power != b.unit.power && a.unit.power != PowerWord::none && b.unit.power != PowerWord::none)
      return fail("it mixes watts and volt-amperes");
    const bool point_a = a.unit.point != PointWord::none, point_b = b.unit.point != PointWord::none;
    Amount out = a;
    out.scaled_point = a.scaled_point || b.scaled_point;
    if (point_a && point_b) {
      if (sign > 0) return fail("temperatures cannot be added; add a difference in K");
      out.number = base_amount(a.number, a.unit, true) - base_amount(b.number, b.unit, true);
      out.unit = UnitWord{.exponents = a.unit.exponents};
      out.scaled_point = true; // a difference, no longer a point on the scale
      return out;
    }
    if (point_b) {
      if (sign < 0) return fail("a temperature cannot be subtracted from a difference");
      out = b;
      out.number = b.number + a.base() * b.unit.down / b.unit.up;
      return out;
    }
    if (point_a || (a.unit.up == b.unit.up && a.unit.down == b.unit.down)) {
      const double other = point_a ? b.base() * a.unit.down / a.unit.up : b.number;
      out.number = a.number + sign * other;
      return out;
    }
    out.number = a.base() + sign * b.base();
    out.unit.up = out.unit.down = 1.0;
    return out;
  }

  std::optional<Amount> term() {
    auto left = signed_product();
    while (left) {
      skip_blanks();
      int sign = 0;
      if (take("*") || take("\u00B7") || take("\u00D7")) sign = 1;
      else if (take("/")) sign = -1;
      if (sign == 0) return left;
      auto right = signed_product();
      if (!right) return std::nullopt;
      if (sign < 0 && right->number == 0.0) return fail("it divides by zero");
      left = product(*left, *right, sign);
    }
    return std::nullopt;
  }

  static Amount product(const Amount& a, const Amount& b, int sign) {
    Amount out;
    out.number = sign > 0 ? a.number * b.number : a.number / b.number;
    out.unit.up = a.unit.up * (sign > 0 ? b.unit.up : b.unit.down);
    out.unit.down = a.unit.down * (sign > 0 ? b.unit.down : b.unit.up);
    out.unit.exponents = combined(a.unit.exponents, b.unit.exponents, sign);
    // "96 %" of something is a number like any other; only a share itself stays a percent.
    out.unit.percent = out.unit.exponents == Exponents{} && (a.unit.percent || b.unit.percent);
    if (a.unit.power == PowerWord::apparent || b.unit.power == PowerWord::apparent) out.unit.power = PowerWord::apparent;
    else if (a.unit.power != PowerWord::none) out.unit.power = a.unit.power;
    else out.unit.power = b.unit.power;
    out.bare = a.bare && b.bare;
    out.unit_only = a.unit_only && b.unit_only;
    out.scaled_point = a.scaled_point || b.scaled_point || a.unit.point != PointWord::none || b.unit.point != PointWord::none;
    if (out.unit.up == out.unit.down) out.unit.up = out.unit.down = 1.0;
    return out;
  }

  std::optional<Amount> signed_product() {
    skip_blanks();
    if (take("-") || take("\u2212")) {
      if (++depth_ > deepest_nesting) return fail("it is nested too deeply");
      auto amount = signed_product();
      --depth_;
      if (amount) amount->number = -amount->number;
      return amount;
    }
    if (take("+")) {
      if (++depth_ > deepest_nesting) return fail("it is nested too deeply");
      auto amount = signed_product();
      --depth_;
      return amount;
    }
    return unit_product();
  }

  /// A number and the units that follow it, or units side by side ("kW h"): binds closer than * and /.
  std::optional<Amount> unit_product() {
    auto left = power();
    while (left) {
      const std::size_t before = at_;
      skip_blanks();
      if (starts_unit()) {
        auto right = power();
        if (!right) return std::nullopt;
        const bool point = left->bare && left->unit.exponents == Exponents{} && right->unit_only &&
                           right->unit.point != PointWord::none && !right->scaled_point;
        const PointWord word = right->unit.point;
        left = product(*left, *right, 1);
        if (point) {
          left->unit.point = word;
          left->scaled_point = false;
        }
      } else if (left->unit_only && left->unit.exponents == Exponents{.dollar = 1} && starts_number()) {
        auto right = power(); // "$ 12000"
        if (!right) return std::nullopt;
        left = product(*left, *right, 1);
      } else if (rest().starts_with("1/") && rest().size() > 2 && is_letter(rest()[2]) && before < at_ && left->bare) {
        ++at_; // "24 1/d", as the printer writes a rate, is 24/d
        return left;
      } else {
        at_ = before;
        return left;
      }
    }
    return std::nullopt;
  }

  std::optional<Amount> power() {
    auto base = primary();
    if (!base) return std::nullopt;
    int exponent = 1;
    const std::size_t before = at_;
    skip_blanks();
    if (take("^")) {
      skip_blanks();
      int sign = 1;
      if (take("-") || take("\u2212")) sign = -1;
      const auto r = rest();
      const auto [end, ec] = std::from_chars(r.data(), r.data() + r.size(), exponent);
      if (ec != std::errc() || exponent < 0 || exponent > 99) return fail("'^' needs a whole number up to 99 after it");
      at_ += static_cast<std::size_t>(end - r.data());
      exponent *= sign;
    } else {
      at_ = before;
      if (take("\u00B2")) exponent = 2;
      else if (take("\u00B3")) exponent = 3;
      else return base;
    }
    return raised(*base, exponent);
  }

  std::optional<Amount> raised(const Amount& base, int exponent) {
    if (exponent == 1) return base;
    if (exponent < 0 && base.number == 0.0) return fail("it divides by zero");
    if (exponent == 0) return Amount{};
    Amount out = base;
    for (int i = 1; i < std::abs(exponent); ++i) out = product(out, base, 1);
    if (exponent < 0) {
      Amount one;
      one.unit_only = out.unit_only;
      out = product(one, out, -1);
    }
    out.bare = base.bare;
    out.unit_only = base.unit_only;
    return out;
  }

  std::optional<Amount> primary() {
    skip_blanks();
    if (take("(")) {
      if (++depth_ > deepest_nesting) return fail("it is nested too deeply");
      auto inner = expression();
      if (!inner) return std::nullopt;
      --depth_;
      skip_blanks();
      if (!take(")")) return fail("a ')' is missing");
      return inner;
    }
    if (starts_number()) return number();
    if (starts_unit()) return unit();
    if (at_ >= text_.size()) return fail("it ends where a number or a unit is due");
    return fail(left_over());
  }

  std::optional<Amount> number() {
    const std::size_t begin = at_;
    std::string digits;
    int separators = 0;
    std::size_t before_separator = 0, after_separator = 0;
    char separator = 0;
    bool grouped = false;
    for (;;) {
      if (at_ < text_.size() && is_digit(text_[at_])) {
        digits += text_[at_++];
        ++(separators == 0 ? before_separator : after_separator);
      } else if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == ',')) {
        ++separators;
        separator = text_[at_++];
        digits += '.';
      } else if (separators == 0 && rest().starts_with(thin_space) && groups_from_here(before_separator, grouped)) {
        at_ += thin_space.size();
        grouped = true;
      } else {
        break;
      }
    }
    const auto typed = text_.substr(begin, at_ - begin);
    bool exponent = false;
    if (at_ + 1 < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t p = at_ + 1;
      if (text_[p] == '+' || text_[p] == '-') ++p;
      if (p < text_.size() && is_digit(text_[p])) {
        exponent = true;
        digits += 'e';
        for (std::size_t q = at_ + 1; q < p; ++q)
          if (text_[q] == '-') digits += '-';
        while (p < text_.size() && is_digit(text_[p])) digits += text_[p++];
        at_ = p;
      }
    }
    if (separators > 1) {
      return fail(quoted(typed) + " has more than one point or comma; write it without grouping, such as 1234.5");
    }
    const char own = static_cast<char>(mark_);
    if (separators == 1 && separator != own && !exponent && after_separator == 3 && before_separator >= 1 &&
        before_separator <= 3 && digits.front() != '0') {
      const std::string whole = digits.substr(0, before_separator), part = digits.substr(before_separator + 1);
      return fail(quoted(typed) + " could be " + whole + part + " or " + whole + own + part + "; write " + whole + part +
                  " or " + whole + own + part);
    }
    {
      // A digit after a blank is grouping that could as well be two numbers.
      std::size_t p = at_;
      bool blank = false;
      while (p < text_.size() && is_blank(text_[p])) {
        ++p;
        blank = true;
      }
      const auto after = text_.substr(p);
      const bool rate = after.size() > 2 && after.starts_with("1/") && is_letter(after[2]);
      if (blank && !after.empty() && is_digit(after.front()) && !rate)
        return fail("spaces between digits could group one number or part two; write the number without them, such as 16384");
      if (text_.substr(at_).starts_with("\u00A0") || text_.substr(at_).starts_with("\u202F")) return fail(left_over());
    }
    double value = 0.0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (ec == std::errc::result_out_of_range) return fail(quoted(text_.substr(begin, at_ - begin)) + " is beyond the range of numbers");
    if (ec != std::errc() || end != digits.data() + digits.size()) {
      // "5." ends in its mark; anything else is no number.
      if (ec != std::errc() || *end != '.' || end + 1 != digits.data() + digits.size())
        return fail(quoted(text_.substr(begin, at_ - begin)) + " is not a number");
    }
    Amount out;
    out.number = value;
    const std::size_t before = at_;
    skip_blanks();
    if (!take("%")) {
      at_ = before;
      return out;
    }
    // Shifted in the text, not divided: so every share has a percent that reads back as exactly it.
    out.number = hundredth(digits);
    out.unit.percent = true;
    out.bare = false;
    return out;
  }

  static double hundredth(std::string digits) {
    int exponent = -2;
    if (const std::size_t e = digits.find('e'); e != std::string::npos) {
      int own = 0;
      std::from_chars(digits.data() + e + 1, digits.data() + digits.size(), own);
      exponent += own;
      digits.resize(e);
    }
    digits += 'e' + std::to_string(exponent);
    double value = 0.0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }

  /// The printer's own grouping: thin spaces before groups of exactly three digits.
  [[nodiscard]] bool groups_from_here(std::size_t before, bool grouped) const {
    if (!grouped && (before < 1 || before > 3)) return false;
    const auto r = rest().substr(thin_space.size());
    if (r.size() < 3 || !is_digit(r[0]) || !is_digit(r[1]) || !is_digit(r[2])) return false;
    return r.size() == 3 || !is_digit(r[3]);
  }

  std::optional<Amount> unit() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'' || text_[at_] == '%')) {
      ++at_;
    } else {
      for (;;) {
        if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '$')) ++at_;
        else if (!take("\u00B5") && !take("\u03BC") && !take("°")) break;
      }
    }
    const auto word = text_.substr(begin, at_ - begin);
    std::optional<UnitWord> known = unit_word(word);
    if (!known && points_ && (word == "C" || word == "F")) known = unit_word(word == "C" ? "degC" : "degF");
    if (!known) {
      unknown_ = word;
      return fail(quoted(word) + " is not a unit that is known here");
    }
    Amount out;
    out.unit = *known;
    if (!points_) out.unit.point = PointWord::none; // where a difference is meant, degC is a kelvin
    out.bare = false;
    out.unit_only = true;
    if (at_ < text_.size() && text_[at_] >= '2' && text_[at_] <= '9' && is_letter(word.back()) &&
        (at_ + 1 >= text_.size() || !is_digit(text_[at_ + 1])))
      return raised(out, text_[at_++] - '0'); // "m2"
    return out;
  }

  std::string_view text_;
  DecimalMark mark_;
  bool points_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string problem_;
  std::string_view unknown_;
};

tl::unexpected<std::string> refuse(std::string sentence) { return tl::make_unexpected(std::move(sentence)); }

/// A refusal of an amount that was read but is of another kind.
std::string wrong_kind(std::string_view text, const Amount& amount, const Kind& kind, std::string_view default_unit) {
  const std::string wanted = "; " + with_article(kind) + " such as " + example_of(kind, default_unit) + " is needed here";
  if (amount.unit.percent) return quoted(text) + " is a share" + wanted;
  if (amount.bare) return quoted(text) + " is a bare number" + wanted;
  if (const Kind* is = likely_kind(amount.unit.exponents, amount.unit.power)) {
    if (is->exponents == Exponents{}) return quoted(text) + " is a bare number" + wanted;
    return quoted(text) + " is " + with_article(*is) + wanted;
  }
  return quoted(text) + " is not " + with_article(kind) + wanted;
}

std::string unknown_unit(std::string_view text, std::string_view word, const Kind& kind) {
  const bool bytes = kind.exponents.byte != 0;
  if (bytes && (word == "k" || word == "K" || word == "M" || word == "G" || word == "T" || word == "P" || word == "E")) {
    const std::string prefix(word == "K" ? "k" : word), rate = kind.exponents.second != 0 ? "/s" : "";
    return quoted(text) + " does not say bits or bytes; write " + prefix + "b" + rate + " for bits or " + prefix + "B" + rate +
           " for bytes";
  }
  if (kind.exponents == Exponents{})
    return quoted(text) + ": '" + std::string(word) + "' is not a unit that is known here; " + with_article(kind) +
           " is written such as " + example_of(kind, {});
  return quoted(text) + ": '" + std::string(word) + "' is not a unit that is known here; " + with_article(kind) +
         " is written in " + units_of(kind);
}

} // namespace

std::optional<UnitWord> unit_expression(std::string_view text) {
  Parser parser(trimmed(text), DecimalMark::point, true);
  const auto amount = parser.parse();
  if (!amount || amount->number != 1.0) return std::nullopt;
  return amount->unit;
}

tl::expected<double, std::string> parse_quantity(std::string_view text, const Kind& kind, DecimalMark mark,
                                                 std::string_view default_unit) {
  text = trimmed(text);
  if (kind.scale != Scale::quantity && kind.scale != Scale::point) default_unit = {};
  if (text.empty())
    return refuse("nothing was entered; " + with_article(kind) + " such as " + example_of(kind, default_unit) + " is needed here");
  if (text.size() > longest_text) return refuse("the text is too long for an amount (over 1000 characters)");

  Parser parser(text, mark, kind.scale == Scale::point);
  auto amount = parser.parse();
  if (!amount) {
    if (!parser.unknown_word().empty()) return refuse(unknown_unit(text, parser.unknown_word(), kind));
    return refuse(quoted(text) + " cannot be read: " + parser.problem());
  }
  if (amount->unit_only) return refuse(quoted(text) + " is a unit without a number; write such as " + example_of(kind, default_unit));

  if (amount->bare && !amount->unit.percent && kind.exponents != Exponents{}) {
    if (default_unit.empty())
      return refuse(quoted(text) + " has no unit; write it in " + units_of(kind) + ", such as " + example_of(kind, {}));
    const auto unit = unit_expression(default_unit);
    if (!unit) return refuse(quoted(text) + " has no unit; write it in " + units_of(kind));
    const double number = amount->base();
    amount->number = number;
    amount->unit = *unit;
    amount->bare = false;
  }
  if (amount->unit.exponents != kind.exponents) return refuse(wrong_kind(text, *amount, kind, default_unit));
  if (&kind == &kind::apparent_power && amount->unit.power == PowerWord::real)
    return refuse(quoted(text) + " is a power in watts; an apparent power such as 500 kVA is needed here");
  if (&kind != &kind::apparent_power && amount->unit.power == PowerWord::apparent)
    return refuse(quoted(text) + " is in volt-amperes (apparent power); " + with_article(kind) + " such as " +
                  example_of(kind, default_unit) + " is needed here");

  const bool point = kind.scale == Scale::point;
  if (point && amount->scaled_point)
    return refuse(quoted(text) + " is a temperature difference, not a temperature; write such as " + example_of(kind, {}));
  double value = base_amount(amount->number, amount->unit, point);
  if (!std::isfinite(value)) return refuse(quoted(text) + " is not a finite number");
  if (point && value < 0.0) return refuse(quoted(text) + " is below absolute zero (0 K, -273.15 degC)");
  if (kind.scale == Scale::percent && !amount->unit.percent && std::fabs(value) > 1.0) {
    return refuse(quoted(text) + " could be " + exact_number(value) + " % or a factor of " + exact_number(value) + "; write " +
                  exact_number(value) + " % or a share from 0 to 1");
  }
  if (kind.scale == Scale::count) {
    if (amount->unit.percent) return refuse(wrong_kind(text, *amount, kind, default_unit));
    if (value != std::floor(value)) return refuse(quoted(text) + " is not a whole number; a count such as 8 is needed here");
    if (std::fabs(value) > largest_whole)
      return refuse(quoted(text) + " is too large to be counted exactly; at most 9007199254740992 is allowed");
  }
  return value == 0.0 ? 0.0 : value; // no negative zero
}

tl::expected<double, std::string> parse_edit(std::string_view text, double present, const Kind& kind, DecimalMark mark,
                                             std::string_view default_unit) {
  text = trimmed(text);
  const bool edit = text.size() >= 2 && text[1] == '=' && std::string_view("+-*/").find(text[0]) != std::string_view::npos;
  if (!edit) return parse_quantity(text, kind, mark, default_unit);
  const char sign = text[0];
  const auto rest = text.substr(2);
  if (!std::isfinite(present)) return refuse(quoted(text) + " changes the present value, but none is set");

  double value = 0.0;
  if (sign == '+' || sign == '-') {
    const Kind& step_kind = kind.scale == Scale::point ? kind::temperature_difference : kind;
    const auto step = parse_quantity(rest, step_kind, mark, default_unit);
    if (!step) return step;
    value = sign == '+' ? present + *step : present - *step;
  } else {
    if (kind.scale == Scale::point)
      return refuse(quoted(text) + " would multiply a temperature; add or subtract a difference, such as += 5 K");
    const auto factor = parse_quantity(rest, kind::ratio, mark);
    if (!factor) return factor;
    if (sign == '/' && *factor == 0.0) return refuse(quoted(text) + " divides by zero");
    value = sign == '*' ? present * *factor : present / *factor;
  }
  if (!std::isfinite(value)) return refuse(quoted(text) + " does not give a finite number");
  if (kind.scale == Scale::point && value < 0.0) return refuse(quoted(text) + " goes below absolute zero (0 K, -273.15 degC)");
  if (kind.scale == Scale::count && (value != std::floor(value) || std::fabs(value) > largest_whole))
    return refuse(quoted(text) + " gives " + exact_number(value) + ", which is not a whole number that can be counted");
  return value;
}

} // namespace hallwright
