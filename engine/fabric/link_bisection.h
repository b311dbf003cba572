// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

/// Which part of a slow network is the odd one: rails are compared, then switches, nodes and ports.
namespace hallwright {

/// One measured value of a link, or of a whole rail.
struct LinkCounter {
  std::string rail, device, node, port; ///< empty: not told
  double value = 0.0;
  std::size_t line = 0;
};

struct LinkCounters {
  std::string column; ///< header of the value: "Gb/s"
  std::vector<LinkCounter> rows;
};

/// Reads a CSV with a heading. Columns, in any order: rail; switch (or leaf, device); node (or host); port; and one
/// column of numbers: `counter` by name, else "value", else the last column. An error names the line.
tl::expected<LinkCounters, std::string> read_link_counters(std::string_view text, std::string_view file,
                                                           std::string_view counter = {});

/// One comparison: groups of rows by one column.
struct BisectionStep {
  std::string level;       ///< "rail", "switch", "node", "port"
  std::size_t groups = 0;  ///< compared; fewer than three cannot tell an odd one
  std::string odd;         ///< the group farthest from the others
  double odd_value = 0.0;  ///< mean of its rows
  double usual = 0.0;      ///< median over all groups
  double spread = 0.0;     ///< what groups usually differ from the median (median of deviations)
  bool stands_out = false; ///< differs by over 2 % of the usual value and by over 5 times the spread
  std::string sentence;    ///< with the numbers
};

struct Bisection {
  std::vector<BisectionStep> steps; ///< always four
  std::string conclusion;
};

/// In four steps: an odd rail narrows what is looked at, then an odd switch, an odd node, an odd port. A level at which
/// nobody stands out narrows nothing.
Bisection bisect(const LinkCounters& counters);

} // namespace hallwright
