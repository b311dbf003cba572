// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/climate_lists.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr std::array<std::string_view, 12> month_names{"January", "February", "March",     "April",   "May",      "June",
                                                       "July",    "August",   "September", "October", "November", "December"};
constexpr double coldest_air = -90.0, hottest_air = 60.0; // as of the catalog's outdoor temperatures

/// One list; a problem is noted, and nothing is returned then.
std::optional<Months> months_of(std::string_view column, const std::string& cell, std::vector<ClimateListProblem>& problems) {
  const auto problem = [&](std::string what) {
    problems.push_back({column, cell, std::move(what)});
    return std::nullopt;
  };
  Months out{};
  std::size_t count = 0;
  std::string_view rest = cell;
  while (true) {
    const auto first = rest.find_first_not_of(' ');
    if (first == std::string_view::npos) break;
    rest.remove_prefix(first);
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    double number = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(number))
      return problem(fmt::format("holds '{}', which is not a number; write twelve numbers in degC, January first, with blanks between", word));
    if (number < coldest_air || number > hottest_air)
      return problem(fmt::format("holds {} degC; {} to {} degC are allowed", word, coldest_air, hottest_air));
    if (count < out.size()) out[count] = number;
    ++count;
  }
  if (count != out.size()) return problem(fmt::format("holds {} numbers; write twelve, in degC, January first, with blanks between", count));
  return out;
}

} // namespace

tl::expected<MonthlyClimate, std::vector<ClimateListProblem>> monthly_climate(const ClimatePart& part) {
  struct List {
    std::string_view column, words;
    const std::string* cell;
    Months* into;
    bool read = false;
  };
  MonthlyClimate out;
  std::array<List, 12> lists{{{"dry_bulb_highest_c", "the highest dry bulb", &part.dry_bulb_highest, &out.highest},
                              {"dry_bulb_mean_c", "the mean dry bulb", &part.dry_bulb_mean, &out.mean},
                              {"dry_bulb_lowest_c", "the lowest dry bulb", &part.dry_bulb_lowest, &out.lowest},
                              {"dew_point_mean_c", "the mean dew point", &part.dew_point_mean, &out.dew_point},
                              {"dry_bulb_month_0_4_c", "the dry bulb of 0.4 %", &part.dry_bulb_month_0_4, &out.dry[0]},
                              {"wet_bulb_month_0_4_c", "the wet bulb of 0.4 %", &part.wet_bulb_month_0_4, &out.wet[0]},
                              {"dry_bulb_month_2_c", "the dry bulb of 2 %", &part.dry_bulb_month_2, &out.dry[1]},
                              {"wet_bulb_month_2_c", "the wet bulb of 2 %", &part.wet_bulb_month_2, &out.wet[1]},
                              {"dry_bulb_month_5_c", "the dry bulb of 5 %", &part.dry_bulb_month_5, &out.dry[2]},
                              {"wet_bulb_month_5_c", "the wet bulb of 5 %", &part.wet_bulb_month_5, &out.wet[2]},
                              {"dry_bulb_month_10_c", "the dry bulb of 10 %", &part.dry_bulb_month_10, &out.dry[3]},
                              {"wet_bulb_month_10_c", "the wet bulb of 10 %", &part.wet_bulb_month_10, &out.wet[3]}}};
  std::vector<ClimateListProblem> problems;
  for (List& l : lists)
    if (const auto months = months_of(l.column, *l.cell, problems)) *l.into = *months, l.read = true;
  constexpr std::size_t highest = 0, mean = 1, lowest = 2, dew = 3, dry = 4, wet = 5; // places in `lists`; dry and wet bulbs take turns
  const auto at_most = [&](std::size_t low, std::size_t high, bool strictly = false) {
    if (!lists[low].read || !lists[high].read) return;
    for (std::size_t m = 0; m < out.mean.size(); ++m) {
      const double a = (*lists[low].into)[m], b = (*lists[high].into)[m];
      if (strictly ? a < b : a <= b) continue;
      problems.push_back({lists[low].column, *lists[low].cell,
                          fmt::format("states {} degC for {}, and {} of that month is {} degC ({}); {} must be {}", a, month_names[m], lists[high].words, b,
                                      lists[high].column, lists[low].words, strictly ? "lower" : "at most that")});
      return;
    }
  };
  at_most(lowest, mean);
  at_most(mean, highest);
  at_most(dew, mean);
  at_most(lowest, dry + 6, true);
  for (std::size_t i = 0; i < 4; ++i) {
    at_most(wet + 2 * i, dry + 2 * i);
    if (i > 0) at_most(dry + 2 * i, dry + 2 * (i - 1));
  }
  if (!problems.empty()) return tl::make_unexpected(std::move(problems));
  return out;
}

} // namespace hallwright
