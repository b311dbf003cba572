// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/link_bisection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "catalog/csv.h"

namespace hallwright {
namespace {

std::string lower_of(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t'))
    out.pop_back();
  return out;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

struct Level {
  std::string_view name;
  std::string LinkCounter::*member;
};
constexpr std::array<Level, 4> levels{{{"rail", &LinkCounter::rail},
                                       {"switch", &LinkCounter::device},
                                       {"node", &LinkCounter::node},
                                       {"port", &LinkCounter::port}}};

/// A port alone says nothing: it is one with its switch, else its node.
std::string group_of(const LinkCounter& row, const Level& level) {
  const std::string& own = row.*level.member;
  if (level.name != "port" || own.empty()) return own;
  if (!row.device.empty()) return row.device + ":" + own;
  return row.node.empty() ? own : row.node + ":" + own;
}

} // namespace

tl::expected<LinkCounters, std::string> read_link_counters(std::string_view text, std::string_view file,
                                                           std::string_view counter) {
  const auto records = read_csv(text);
  if (!records) return tl::make_unexpected(fmt::format("{}: {}", file, records.error()));
  if (records->size() < 2)
    return tl::make_unexpected(fmt::format("{} line 1: a heading and at least one row are needed", file));
  constexpr std::size_t none = ~std::size_t{0};
  std::array<std::size_t, 4> column{none, none, none, none};
  std::size_t value = none;
  const auto& head = records->front().cells;
  std::string all;
  for (std::size_t c = 0; c < head.size(); ++c) {
    const std::string h = lower_of(head[c]);
    all += (all.empty() ? "" : ", ") + h;
    if (!counter.empty() && h == lower_of(counter))
      value = c;
    else if (h == "rail")
      column[0] = c;
    else if (h == "switch" || h == "leaf" || h == "device")
      column[1] = c;
    else if (h == "node" || h == "host" || h == "far" || h == "far_device")
      column[2] = c;
    else if (h == "port")
      column[3] = c;
    else if (counter.empty() && h == "value")
      value = c;
  }
  if (!counter.empty() && value == none)
    return tl::make_unexpected(fmt::format("{} line 1: no column {} among {}", file, counter, all));
  if (value == none) value = head.size() - 1;
  if (std::find(column.begin(), column.end(), value) != column.end())
    return tl::make_unexpected(fmt::format("{} line 1: no column of numbers among {}; call it value", file, all));
  if (std::all_of(column.begin(), column.end(), [](std::size_t c) { return c == none; }))
    return tl::make_unexpected(fmt::format("{} line 1: none of rail, switch, node, port among {}", file, all));
  LinkCounters out;
  out.column = head[value];
  for (std::size_t r = 1; r < records->size(); ++r) {
    const CsvRecord& record = (*records)[r];
    LinkCounter row;
    row.line = record.line;
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (column[l] < record.cells.size()) row.*levels[l].member = record.cells[column[l]];
    const std::string text_value = value < record.cells.size() ? record.cells[value] : std::string();
    const auto [end, failed] = std::from_chars(text_value.data(), text_value.data() + text_value.size(), row.value);
    if (failed != std::errc() || end != text_value.data() + text_value.size() || !std::isfinite(row.value))
      return tl::make_unexpected(fmt::format("{} line {}: {} \"{}\" is not a number with a decimal point", file,
                                             record.line, out.column, text_value));
    out.rows.push_back(std::move(row));
  }
  return out;
}

Bisection bisect(const LinkCounters& counters) {
  Bisection out;
  std::vector<const LinkCounter*> rows;
  for (const LinkCounter& r : counters.rows)
    rows.push_back(&r);
  std::string narrowed, odd_name;
  double odd_value = 0.0, odd_usual = 0.0;
  for (const Level& level : levels) {
    BisectionStep step;
    step.level = level.name;
    std::map<std::string, std::pair<double, std::size_t>> groups;
    for (const LinkCounter* r : rows)
      if (const std::string g = group_of(*r, level); !g.empty()) {
        groups[g].first += r->value;
        ++groups[g].second;
      }
    step.groups = groups.size();
    if (groups.empty()) {
      step.sentence = fmt::format("no {} is told", level.name);
      out.steps.push_back(std::move(step));
      continue;
    }
    std::vector<double> means, deviations;
    for (const auto& [name, g] : groups)
      means.push_back(g.first / static_cast<double>(g.second));
    step.usual = median(means);
    for (double m : means)
      deviations.push_back(std::abs(m - step.usual));
    step.spread = median(deviations);
    double farthest = -1.0;
    for (const auto& [name, g] : groups) {
      const double mean = g.first / static_cast<double>(g.second);
      if (std::abs(mean - step.usual) > farthest) {
        farthest = std::abs(mean - step.usual);
        step.odd = name;
        step.odd_value = mean;
      }
    }
    step.stands_out = groups.size() >= 3 && farthest > 0.02 * std::abs(step.usual) && farthest > 5.0 * step.spread;
    const std::string where = narrowed.empty() ? std::string() : fmt::format(" of {}", narrowed);
    const std::string by =
        step.usual != 0.0 ? fmt::format(" ({:+.1f} %)", 100.0 * (step.odd_value / step.usual - 1.0)) : std::string();
    if (groups.size() < 3)
      step.sentence = fmt::format("{} {}{} cannot tell an odd one: at least 3 are needed", groups.size(),
                                  groups.size() == 1       ? std::string(level.name)
                                  : level.name == "switch" ? "switches"
                                                           : fmt::format("{}s", level.name),
                                  where);
    else if (step.stands_out)
      step.sentence = fmt::format("{} {}{} stands out of {}: {:.6g} where {:.6g} is usual{}", level.name, step.odd,
                                  where, groups.size(), step.odd_value, step.usual, by);
    else
      step.sentence =
          fmt::format("the {} {}{}{} agree: farthest is {} with {:.6g} where {:.6g} is usual{}", groups.size(),
                      level.name, level.name == "switch" ? "es" : "s", where, step.odd, step.odd_value, step.usual, by);
    if (step.stands_out) {
      std::erase_if(rows, [&](const LinkCounter* r) { return group_of(*r, level) != step.odd; });
      narrowed = fmt::format("{} {}", level.name, step.odd);
      odd_name = narrowed;
      odd_value = step.odd_value;
      odd_usual = step.usual;
    }
    out.steps.push_back(std::move(step));
  }
  if (odd_name.empty())
    out.conclusion = "nothing stands out: the network is even in this counter";
  else
    out.conclusion = fmt::format("{}: {:.6g} where {:.6g} is usual", odd_name, odd_value, odd_usual);
  return out;
}

} // namespace hallwright
