// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "load/load.h"
#include "power/power_growth.h"

/// Rack types of a design as racks that could be added.
namespace hallwright {

struct RackChoice {
  Id type = 0;
  std::string name;
  RackToAdd rack;
  std::string missing; ///< why its power is not known; empty: it is
};
/// By rack type id. A type draws what its racks draw at most; one that no rack is of draws its power limit.
std::vector<RackChoice> rack_choices(const Design& design, const LoadResult& load, const Catalog& catalog);

} // namespace hallwright
