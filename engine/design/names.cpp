// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/names.h"

#include <fmt/format.h>

namespace hallwright {

NumberedName numbered(std::string_view name) {
  constexpr std::size_t most_digits = 9; // longer runs of digits are serial numbers, of which the end counts
  std::size_t begin = name.size();
  while (begin > 0 && name.size() - begin < most_digits && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  NumberedName out{std::string(name.substr(0, begin)), 0, static_cast<int>(name.size() - begin)};
  for (const char c : name.substr(begin)) out.number = out.number * 10 + (c - '0');
  return out;
}

std::string written(const NumberedName& name) {
  return name.digits == 0 ? name.stem : fmt::format("{}{:0{}}", name.stem, name.number, name.digits);
}

std::string counted_up(std::string_view name, std::int64_t steps) {
  NumberedName n = numbered(name);
  if (n.digits == 0) {
    if (steps == 0) return std::string(name);
    n = {std::string(name) + (name.empty() ? "" : " "), 1, 1};
  }
  n.number += steps;
  return written(n);
}

std::string FreeNames::next(std::string_view stem) {
  NumberedName n = numbered(stem);
  if (n.digits == 0) n = {std::string(stem) + (stem.empty() ? "" : " "), is_taken(std::string(stem)) ? 2 : 1, 1};
  Run& run = runs_[fmt::format("{}\n{}", n.stem, n.digits)];
  const std::int64_t from = n.number;
  const bool in_run = run.to >= run.from && from >= run.from && from <= run.to + 1;
  if (in_run) n.number = run.to + 1;
  while (is_taken(written(n))) ++n.number;
  run = in_run ? Run{run.from, n.number} : Run{from, n.number};
  std::string out = written(n);
  taken_.insert(out);
  return out;
}

} // namespace hallwright
