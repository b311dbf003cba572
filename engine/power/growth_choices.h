// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/load.h"
#include "power/power_growth.h"

/// Rack types of a design as racks that could be added, and what the next step of growth costs.
namespace hallwright {

struct GrowthRack {
  Id type = 0;
  std::string name;
  RackToAdd rack;
  std::string missing; ///< why its power is not known; empty: it is
};
/// By rack type id. A type draws what its racks draw at most; one that no rack is of draws its power limit.
std::vector<GrowthRack> rack_choices(const Design& design, const LoadResult& load, const Catalog& catalog);

/// What lets more racks fit when an element says no: more of its kind beside it.
struct GrowthStep {
  Id binding = 0; ///< element that says no; 0: nothing does, and there is no step
  PowerUnitKind kind = PowerUnitKind::utility_feed;
  Count units = 1;                             ///< one, or one on each side where 2N is claimed
  std::optional<Money> cost_low, cost_high;    ///< of all of them, without building and labour; not set: no price is known
  std::optional<double> weeks, weeks_low, weeks_high; ///< until they are there; not set: not known
  std::string sentence;                        ///< names what is not known
};
/// Prices of the part, else of the catalog's defaults; lead times of the catalog's defaults by kind.
GrowthStep next_growth_step(const Design& design, const OneLine& line, const PowerGrowth& growth, const Catalog& catalog);

} // namespace hallwright
