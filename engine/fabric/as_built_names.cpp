// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/as_built_names.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hallwright::as_built {
namespace {

struct Parts {
  std::vector<std::string> texts;
  std::vector<std::int32_t> numbers;
  std::vector<int> widths;
};

Parts parts_of(std::string_view name) {
  Parts out;
  out.texts.emplace_back();
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9')
      ++end;
    if (end == i || end - i > 6) {
      const std::size_t stop = std::max(end, i + 1);
      out.texts.back() += name.substr(i, stop - i);
      i = stop;
      continue;
    }
    std::int32_t n = 0;
    for (std::size_t k = i; k < end; ++k)
      n = n * 10 + (name[k] - '0');
    out.numbers.push_back(n);
    out.widths.push_back(static_cast<int>(end - i));
    out.texts.emplace_back();
    i = end;
  }
  return out;
}

} // namespace

void NamePattern::learn(const std::vector<std::pair<std::string, Position>>& named, std::int32_t trays,
                        std::int32_t rails) {
  known_ = false;
  std::map<std::vector<std::string>, std::vector<std::pair<Parts, Position>>> by_text;
  for (const auto& [name, at] : named) {
    Parts p = parts_of(name);
    auto key = p.texts;
    by_text[std::move(key)].emplace_back(std::move(p), at);
  }
  const auto best = std::max_element(by_text.begin(), by_text.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (best == by_text.end() || best->second.size() < 3 || best->second.size() * 3 < named.size() * 2) return;
  const auto& rows = best->second;
  texts_ = best->first;
  fields_.clear();
  for (std::size_t f = 0; f + 1 < texts_.size(); ++f) {
    Field chosen;
    std::size_t chosen_votes = 0;
    // Simple sums first: a constant, one number, numbers that count through the racks.
    const std::array<Field, 7> forms{{{},
                                      {.of_rack = 1},
                                      {.of_rail = 1},
                                      {.of_tray = 1},
                                      {.of_spine = 1},
                                      {.of_rack = trays, .of_tray = 1},
                                      {.of_rack = rails, .of_rail = 1}}};
    for (const Field& form : forms) {
      std::map<std::int32_t, std::size_t> constants;
      for (const auto& [parts, at] : rows)
        ++constants[parts.numbers[f] - value(form, at)];
      for (const auto& [constant, votes] : constants)
        if (votes > chosen_votes) {
          chosen_votes = votes;
          chosen = form;
          chosen.constant = constant;
        }
    }
    if (chosen_votes * 3 < rows.size() * 2) return;
    int narrowest = 99;
    bool zeros = false;
    for (const auto& [parts, at] : rows) {
      narrowest = std::min(narrowest, parts.widths[f]);
      zeros |= parts.widths[f] > static_cast<int>(std::to_string(parts.numbers[f]).size());
    }
    chosen.width = zeros ? narrowest : 1;
    fields_.push_back(chosen);
  }
  std::size_t right = 0;
  known_ = true;
  for (const auto& [n, at] : named)
    right += name(at) == n;
  known_ = right * 3 >= named.size() * 2;
}

std::string NamePattern::name(const Position& at) const {
  std::string out = texts_.front();
  for (std::size_t f = 0; f < fields_.size(); ++f)
    out += fmt::format("{:0{}}", value(fields_[f], at), fields_[f].width) + texts_[f + 1];
  return out;
}

} // namespace hallwright::as_built
