// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/weather_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "catalog/climate_lists.h"
#include "catalog/moist_air.h"

namespace hallwright {
namespace {

constexpr double zero_celsius = 273.15;
constexpr std::size_t most_errors = 10;
constexpr std::size_t most_lines = 600000; // a year of minutes has 527,040

/// Lines of a text without their ends; a byte order mark is left out.
class Lines {
public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    const auto end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line, char apart) {
  std::vector<std::string_view> out;
  while (true) {
    const auto end = line.find(apart);
    out.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return out;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number_of(std::string_view cell, bool comma_mark) {
  std::string text(cell);
  if (comma_mark) std::replace(text.begin(), text.end(), ',', '.');
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// What a message quotes of a file: its first 60 characters.
std::string cut(std::string_view text, std::size_t most = 60) {
  std::size_t end = 0;
  for (std::size_t n = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U && n++ == most) break; // whole characters of UTF-8
  end = std::min(end, most * 4); // bytes that are no characters
  return end == text.size() ? std::string(text) : std::string(text.substr(0, end)) + "...";
}

/// One wrong cell a line of the answer.
class Errors {
public:
  void add(std::size_t line, std::string_view field, std::string_view value, std::string_view what) {
    if (++count_ <= most_errors) text_ += fmt::format("{}line {}, {}: '{}' {}", text_.empty() ? "" : "\n", line, cut(field), cut(value), what);
  }
  [[nodiscard]] bool any() const { return count_ > 0; }
  [[nodiscard]] std::string text() const { return count_ > most_errors ? fmt::format("{}\nand {} more", text_, count_ - most_errors) : text_; }

private:
  std::string text_;
  std::size_t count_ = 0;
};

struct Range {
  double low, high;
};
constexpr Range air_c{-90.0, 60.0}, pressure_pa{lowest_outdoor_pressure, 120000.0};

/// Hours gathered into states of 1 K.
class States {
public:
  void add(double dry_c, double wet_c, double hours) {
    One& s = states_[static_cast<int>(std::floor(dry_c + 0.5))];
    s.hours += hours;
    s.wet += hours * wet_c;
    hours_ += hours;
    sum_ += hours * dry_c;
    low_ = std::min(low_, dry_c);
    high_ = std::max(high_, dry_c);
  }
  void put_into(WeatherYear& year) const {
    for (const auto& [dry, s] : states_) {
      ClimateBin bin;
      bin.dry_bulb = Temperature::from_celsius(dry);
      // At the mean of a state's hours; at its own dry bulb, air of the upper half can be more than saturated.
      bin.wet_bulb = Temperature::from_celsius(std::min(s.wet / s.hours, static_cast<double>(dry)));
      bin.duration = hallwright::hours(s.hours);
      year.states.push_back(bin);
    }
    year.hours = hours_;
    year.lowest_c = low_;
    year.highest_c = high_;
    year.mean_c = hours_ > 0.0 ? sum_ / hours_ : 0.0;
  }
  [[nodiscard]] double hours() const { return hours_; }

private:
  struct One {
    double hours = 0.0, wet = 0.0;
  };
  std::map<int, One> states_;
  double hours_ = 0.0, sum_ = 0.0, low_ = 1e9, high_ = -1e9;
};

/// The hours of a year as the lines of an EPW file name them; years differ where a typical year is put together of months of several.
class HoursOfYear {
public:
  /// @param lines_an_hour 1 or more
  explicit HoursOfYear(std::size_t lines_an_hour) : lines_an_hour_(lines_an_hour), taken_(std::size_t{12} * 31 * 25) {}
  /// Whether the line's hour is one, and not more often in the file than it has lines; else an error.
  bool take(const std::vector<std::string_view>& cells, std::size_t line, Errors& errors) {
    struct Part {
      std::size_t at;
      std::string_view label;
      double low, high;
    };
    static constexpr std::array<Part, 3> parts{{{1, "field 2 (month)", 1.0, 12.0}, {2, "field 3 (day)", 1.0, 31.0}, {3, "field 4 (hour)", 0.0, 24.0}}};
    std::array<std::size_t, 3> of{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& p = parts[i];
      const auto number = number_of(cells[p.at], false);
      if (!number || *number < p.low || *number > p.high || *number != std::floor(*number)) {
        errors.add(line, p.label, cells[p.at], fmt::format("is out of range; a whole number from {} to {} is allowed", p.low, p.high));
        return false;
      }
      of[i] = static_cast<std::size_t>(*number);
    }
    Seen& seen = taken_[((of[0] - 1) * 31 + of[1] - 1) * 25 + of[2]];
    if (seen.lines == 0) seen.first = line;
    if (++seen.lines <= lines_an_hour_) return true;
    errors.add(line, "fields 2 to 4 (month, day, hour)", fmt::format("{},{},{}", of[0], of[1], of[2]),
               fmt::format("stands already on line {}; every hour of the year is there once", seen.first));
    return false;
  }

private:
  struct Seen {
    std::size_t lines = 0, first = 0;
  };
  std::size_t lines_an_hour_;
  std::vector<Seen> taken_;
};

tl::expected<WeatherYear, std::string> finished(WeatherYear year, const States& states, const Errors& errors) {
  if (errors.any()) return tl::make_unexpected(errors.text());
  const auto is = [&](double whole) { return std::abs(states.hours() - whole) < 0.5; };
  if (!is(hours_of_year) && !is(hours_of_leap_year))
    return tl::make_unexpected(fmt::format("the file holds {:.6g} hours in {} lines; a year has {:.0f}, a leap year {:.0f}", states.hours(), year.lines,
                                           hours_of_year, hours_of_leap_year));
  states.put_into(year);
  return year;
}

tl::expected<WeatherYear, std::string> read_epw(Lines lines) {
  WeatherYear year;
  double hours_a_line = 1.0;
  constexpr std::size_t header_lines = 8;
  for (std::size_t i = 0; i < header_lines; ++i) {
    const auto line = lines.next();
    if (!line) return tl::make_unexpected(fmt::format("the header of an EPW file has {} lines; this file ends after {}", header_lines, i));
    const auto cells = cells_of(*line, ',');
    if (cells.front() == "LOCATION") {
      for (std::size_t c = 1; c < std::min<std::size_t>(cells.size(), 4); ++c)
        if (!cells[c].empty() && cells[c] != "-") year.place += (year.place.empty() ? "" : ", ") + cut(cells[c]);
    } else if (cells.front() == "DATA PERIODS" && cells.size() > 2) {
      const auto periods = number_of(cells[1], false), each = number_of(cells[2], false);
      if (!periods || *periods != 1.0)
        return tl::make_unexpected(fmt::format("line {}, number of data periods: '{}'; one period, a whole year, can be read", lines.number(), cut(cells[1])));
      if (!each || *each < 1.0 || *each > 60.0 || *each != std::floor(*each))
        return tl::make_unexpected(fmt::format("line {}, records per hour: '{}'; a whole number from 1 to 60 is allowed", lines.number(), cut(cells[2])));
      hours_a_line = 1.0 / *each;
    }
  }
  Errors errors;
  States states;
  HoursOfYear hours_told(static_cast<std::size_t>(std::lround(1.0 / hours_a_line)));
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    if (++year.lines > most_lines) return tl::make_unexpected(fmt::format("the file has more than {} lines", most_lines));
    const auto cells = cells_of(*line, ',');
    if (cells.size() < 10) {
      errors.add(lines.number(), "the line as a whole", *line, fmt::format("has {} fields; dry bulb, dew point, relative humidity and pressure are fields 7 to 10", cells.size()));
      continue;
    }
    if (!hours_told.take(cells, lines.number(), errors)) continue;
    /// Nothing where it is missing; a wrong one is an error.
    bool wrong = false;
    const auto field = [&](std::size_t number, std::string_view name, double missing, Range allowed) -> std::optional<double> {
      const std::string_view cell = cells[number - 1];
      const auto value = number_of(cell, false);
      const std::string label = fmt::format("field {} ({})", number, name);
      if (!value) {
        errors.add(lines.number(), label, cell, "is not a number");
        wrong = true;
        return std::nullopt;
      }
      if (*value == missing) return std::nullopt;
      if (*value < allowed.low || *value > allowed.high) {
        errors.add(lines.number(), label, cell, fmt::format("is out of range; {} to {} is allowed", allowed.low, allowed.high));
        wrong = true;
        return std::nullopt;
      }
      return value;
    };
    const auto dry = field(7, "dry bulb, degC", 99.9, air_c);
    const auto dew = field(8, "dew point, degC", 99.9, air_c);
    const auto humidity = field(9, "relative humidity, %", 999.0, {0.0, 110.0});
    const auto pressure = field(10, "pressure, Pa", 999999.0, pressure_pa);
    if (wrong) continue;
    if (!dry) {
      errors.add(lines.number(), "field 7 (dry bulb, degC)", cells[6], "says that it is missing; every hour needs it");
      continue;
    }
    if (!pressure) {
      errors.add(lines.number(), "field 10 (pressure, Pa)", cells[9], "says that it is missing; every hour needs it");
      continue;
    }
    double wet = 0.0;
    if (dew) wet = wet_bulb_at_dew_point(*dry, *dew, *pressure);
    else if (humidity) wet = wet_bulb_at_relative_humidity(*dry, *humidity / 100.0, *pressure);
    else {
      errors.add(lines.number(), "field 8 (dew point, degC)", cells[7], "says that it is missing, and so does field 9 (relative humidity); every hour needs one of them");
      continue;
    }
    states.add(*dry, wet, hours_a_line);
  }
  return finished(std::move(year), states, errors);
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' || c == '-' ? ' ' : c;
  return out;
}

enum class Unit : std::uint8_t { celsius, fahrenheit, kelvin, percent, pascal, hectopascal, kilopascal };
struct Column {
  std::size_t at = 0;
  Unit unit = Unit::celsius;
  std::string title;
};

/// The unit between brackets at the end of a title: "dry bulb [degC]", "RH (%)".
std::string unit_of_title(const std::string& title) {
  const auto open = title.find_last_of("[(");
  if (open == std::string::npos) return {};
  const auto close = title.find_last_of("])");
  if (close == std::string::npos || close < open) return {};
  return title.substr(open + 1, close - open - 1);
}

tl::expected<WeatherYear, std::string> read_table(Lines lines) {
  const auto header = lines.next();
  if (!header || trimmed(*header).empty()) return tl::make_unexpected(std::string("line 1 is empty; it names the columns, such as \"dry bulb [degC],wet bulb [degC]\""));
  const char apart = header->find('\t') != std::string_view::npos ? '\t' : header->find(';') != std::string_view::npos ? ';' : ',';
  const bool comma_mark = apart != ',';
  WeatherYear year;
  std::optional<Column> dry, wet, humidity, pressure;
  std::string unread;
  const auto titles = cells_of(*header, apart);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const std::string title = lower(titles[i]), unit = unit_of_title(title), name(trimmed(title.substr(0, title.find_first_of("[("))));
    std::optional<Column>* into = name == "dry bulb" || name == "temperature" || name == "air temperature" || name == "dry bulb temperature" ? &dry
                                  : name == "wet bulb" || name == "wet bulb temperature"                                                   ? &wet
                                  : name == "relative humidity" || name == "rh" || name == "humidity"                                      ? &humidity
                                  : name == "pressure" || name == "station pressure"                                                       ? &pressure
                                                                                                                                            : nullptr;
    if (!into) {
      unread += (unread.empty() ? "" : ", ") + cut(titles[i]);
      continue;
    }
    if (*into) return tl::make_unexpected(fmt::format("line 1: '{}' and '{}' are one and the same column", cut((*into)->title), cut(titles[i])));
    const bool temperature = into == &dry || into == &wet;
    std::optional<Unit> known;
    if (temperature) {
      if (unit == "degc" || unit == "c" || unit == "\xC2\xB0" "c") known = Unit::celsius;
      else if (unit == "degf" || unit == "f" || unit == "\xC2\xB0" "f") known = Unit::fahrenheit;
      else if (unit == "k") known = Unit::kelvin;
    } else if (into == &humidity) {
      if (unit == "%") known = Unit::percent;
    } else if (unit == "pa") known = Unit::pascal;
    else if (unit == "hpa" || unit == "mbar") known = Unit::hectopascal;
    else if (unit == "kpa") known = Unit::kilopascal;
    if (!known)
      return tl::make_unexpected(fmt::format("line 1, '{}': {}; write {}", cut(titles[i]), unit.empty() ? "the unit is missing" : "the unit '" + cut(unit) + "' is not known",
                                             temperature ? "[degC], [degF] or [K]" : into == &humidity ? "[%]" : "[Pa], [hPa], [mbar] or [kPa]"));
    *into = Column{i, *known, std::string(titles[i])};
  }
  if (!dry) return tl::make_unexpected(std::string("line 1: there is no column \"dry bulb [degC]\""));
  if (!wet && !humidity) return tl::make_unexpected(std::string("line 1: there is no column \"wet bulb [degC]\" and none \"relative humidity [%]\"; one of them is needed"));
  if (!unread.empty()) year.notes.push_back("not read: " + cut(unread, 300));
  if (!wet && !pressure) year.notes.push_back("there is no column of pressure: that at sea level, 101,325 Pa, is taken");
  Errors errors;
  States states;
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    if (++year.lines > most_lines) return tl::make_unexpected(fmt::format("the file has more than {} lines", most_lines));
    const auto cells = cells_of(*line, apart);
    bool wrong = false;
    const auto value = [&](const Column& column, Range allowed, std::string_view in) {
      const std::string_view cell = column.at < cells.size() ? cells[column.at] : std::string_view();
      const auto number = number_of(cell, comma_mark);
      if (!number) {
        errors.add(lines.number(), column.title, cell, cell.empty() ? "is empty; every hour needs it" : "is not a number");
        wrong = true;
        return 0.0;
      }
      double v = *number;
      switch (column.unit) {
      case Unit::fahrenheit:
        v = (v - 32.0) / 1.8;
        break;
      case Unit::kelvin:
        v -= zero_celsius;
        break;
      case Unit::hectopascal:
        v *= 100.0;
        break;
      case Unit::kilopascal:
        v *= 1000.0;
        break;
      default:
        break;
      }
      if (v < allowed.low || v > allowed.high) {
        errors.add(lines.number(), column.title, cell, fmt::format("is out of range; {} to {} {} is allowed", allowed.low, allowed.high, in));
        wrong = true;
      }
      return v;
    };
    const double t = value(*dry, air_c, "degC");
    double w = 0.0;
    if (wet) {
      w = value(*wet, air_c, "degC");
      if (!wrong && w > t + 0.05) {
        errors.add(lines.number(), wet->title, wet->at < cells.size() ? cells[wet->at] : std::string_view(), fmt::format("is over the dry bulb, {:.4g} degC; it can be at most that", t));
        continue;
      }
      // Where no pressure is stated, that at which a wet bulb can be lowest.
      const bool told = pressure && pressure->at < cells.size() && !cells[pressure->at].empty();
      const double p = told ? value(*pressure, pressure_pa, "Pa") : lowest_outdoor_pressure;
      if (!wrong && drier_than_dry(t, w + 0.1, p)) {
        errors.add(lines.number(), wet->title, cells[wet->at],
                   fmt::format("is under the wet bulb of air without any vapour; at least {:.3g} degC is allowed at a dry bulb of {:.4g} degC{}", lowest_wet_bulb(t, p), t,
                               told ? fmt::format(" and {:.6g} Pa", p) : std::string()));
        continue;
      }
    } else {
      const double share = value(*humidity, {0.0, 110.0}, "%") / 100.0;
      const double p = pressure ? value(*pressure, pressure_pa, "Pa") : 101325.0;
      if (!wrong) w = wet_bulb_at_relative_humidity(t, share, p);
    }
    if (!wrong) states.add(t, std::min(w, t), 1.0);
  }
  return finished(std::move(year), states, errors);
}

} // namespace

std::string WeatherYear::summary() const {
  return fmt::format("{:.0f} hours, {:.1f} to {:.1f} degC, mean {:.1f} degC: {} of 1 K", hours, lowest_c, highest_c, mean_c,
                     states.size() == 1 ? std::string("1 state") : fmt::format("{} states", states.size()));
}

tl::expected<WeatherYear, std::string> read_weather(std::string_view text) {
  const Lines lines(text);
  Lines first = lines;
  const auto head = first.next();
  if (!head) return tl::make_unexpected(std::string("the file is empty"));
  if (text.find('\0') != std::string_view::npos) return tl::make_unexpected(std::string("the file is no text; an EPW or a CSV file can be read"));
  return head->starts_with("LOCATION,") ? read_epw(lines) : read_table(lines);
}

Edit weather_edit(const WeatherYear& year) {
  Edit out;
  out.label = year.place.empty() ? std::string("Climate of a weather file") : "Climate of " + year.place;
  out.apply = [states = year.states](const Design& design) -> Edited {
    return with_table(design, &Design::climate_bins, [&](std::vector<ClimateBin>& rows, Id& next) {
      rows = states;
      for (ClimateBin& row : rows) row.id = next++;
    });
  };
  return out;
}

} // namespace hallwright
