// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/unit_feeds.h"

#include <set>

#include "design/access.h"

namespace hallwright {

PumpSupply pump_supply(const std::vector<PowerUnit>& power_units, const CoolingUnit& unit) {
  bool any = false;
  std::set<Id> seen;
  std::vector<Id> next;
  for (const Id feed : {unit.feed_a, unit.feed_b})
    if (feed != 0) next.push_back(feed);
  while (!next.empty()) {
    const Id id = next.back();
    next.pop_back();
    if (!seen.insert(id).second) continue;
    const PowerUnit* p = find(power_units, id);
    if (!p) continue;
    any = true;
    if (p->kind == PowerUnitKind::ups) return PumpSupply::ups;
    for (const Id up : {p->upstream, p->second_source})
      if (up != 0) next.push_back(up);
  }
  return any ? PumpSupply::no_ups : PumpSupply::unknown;
}

} // namespace hallwright
