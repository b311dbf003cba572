// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/hashed_flows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fabric/link_loads.h"

namespace hallwright {

std::array<double, 8> slowest_hashed_flows(Count down, Count uplinks, Count flows_per_pair, double uplink_links) {
  std::array<double, 8> out{1, 1, 1, 1, 1, 1, 1, 1};
  if (down < 1 || uplinks < 2 || flows_per_pair < 1) return out;
  // Kept, since every edit of a job comes with the same leaf.
  thread_local std::map<std::tuple<Count, Count, Count, double>, std::array<double, 8>> known;
  const std::tuple key{down, uplinks, flows_per_pair, uplink_links};
  if (const auto at = known.find(key); at != known.end()) return at->second;
  if (known.size() > 1024) known.clear();
  Count flows = down;
  for (double& share : out) {
    const Count draws = std::clamp<Count>(50000 / (flows * flows_per_pair), 20, 400);
    share = std::min(1.0, uplink_links * hash_spread(flows, uplinks, flows_per_pair, draws).slowest);
    if (flows == 1) break;
    flows = (flows + 1) / 2;
  }
  // More flows on the same uplinks: the slowest is not faster, also where the draws say so.
  for (std::size_t i = out.size() - 1; i-- > 0;)
    out[i] = std::min(out[i], out[i + 1]);
  known.emplace(key, out);
  return out;
}

} // namespace hallwright
