// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace hallwright {

/// Two ends of a link, as numbers of nodes.
struct CircleLink {
  int from = 0, to = 0;
  bool left_out = false; ///< shut, or beside another that stands for it
};

/// Which links of a closed network can carry flow: only those on a circle, since what flows in must flow out.
/// @param nodes  count; ends of links are below it
/// @return by link the number of its block, all links of which lie on circles with each other; -1 where it is left out
/// or the only way between two parts
/// @source blocks of a graph by depth-first search, Hopcroft and Tarjan 1973
[[nodiscard]] std::vector<int> blocks_of(std::size_t nodes, const std::vector<CircleLink>& links);

} // namespace hallwright
