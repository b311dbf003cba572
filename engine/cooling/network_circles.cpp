// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/network_circles.h"

#include <algorithm>

namespace hallwright {

std::vector<int> blocks_of(std::size_t nodes, const std::vector<CircleLink>& links) {
  std::vector<std::size_t> first(nodes + 1, 0);
  for (const CircleLink& l : links)
    if (!l.left_out) ++first[static_cast<std::size_t>(l.from) + 1], ++first[static_cast<std::size_t>(l.to) + 1];
  for (std::size_t n = 0; n < nodes; ++n)
    first[n + 1] += first[n];
  std::vector<int> at(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (!links[i].left_out)
      for (const int end : {links[i].from, links[i].to})
        at[next[static_cast<std::size_t>(end)]++] = static_cast<int>(i);
  next.assign(first.begin(), first.end() - 1);

  struct Step {
    int node, by; ///< link that led here
  };
  std::vector<int> out(links.size(), -1), met(nodes, 0), low(nodes, 0), open;
  std::vector<char> taken(links.size(), 0);
  std::vector<Step> way;
  int clock = 0, blocks = 0;
  for (std::size_t root = 0; root < nodes; ++root) {
    if (met[root]) continue;
    met[root] = low[root] = ++clock;
    way.push_back({static_cast<int>(root), -1});
    while (!way.empty()) {
      const Step here = way.back();
      const auto n = static_cast<std::size_t>(here.node);
      if (next[n] < first[n + 1]) {
        const int link = at[next[n]++];
        if (taken[static_cast<std::size_t>(link)]) continue;
        taken[static_cast<std::size_t>(link)] = 1;
        const CircleLink& l = links[static_cast<std::size_t>(link)];
        const auto far = static_cast<std::size_t>(l.from == here.node ? l.to : l.from);
        open.push_back(link);
        if (met[far]) {
          low[n] = std::min(low[n], met[far]);
          continue;
        }
        met[far] = low[far] = ++clock;
        way.push_back({static_cast<int>(far), link});
        continue;
      }
      way.pop_back();
      if (way.empty()) break;
      const auto up = static_cast<std::size_t>(way.back().node);
      low[up] = std::min(low[up], low[n]);
      if (low[n] < met[up]) continue;
      // What was met since the link that led here is a block.
      const bool circle = open.back() != here.by;
      for (bool last = false; !last; open.pop_back()) {
        last = open.back() == here.by;
        out[static_cast<std::size_t>(open.back())] = circle ? blocks : -1;
      }
      blocks += circle;
    }
  }
  return out;
}

} // namespace hallwright
