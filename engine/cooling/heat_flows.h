// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "cooling/loop_results.h"

/// The way of the heat from chips to the sky: to liquid and to air, through loops and units, into facility water.
namespace hallwright {

struct HeatNode {
  int column = 0; ///< 0: where it arises; 4: the sky
  std::string name;
  double watts = 0.0;
  EntityRef entity;  ///< id 0: none
  bool lost = false; ///< heat that nothing carries away
};
struct HeatLink {
  std::size_t from = 0, to = 0; ///< nodes
  double watts = 0.0;
};
struct HeatFlows {
  std::vector<HeatNode> nodes;
  std::vector<HeatLink> links;
  [[nodiscard]] bool empty() const { return links.empty(); }
};

/// @param liquid_w, air_w  heat of the whole design, zero or more
/// @param looks  drawn loops; heat of racks in none of them goes to "liquid, not drawn". May be null
/// @param of  a loop whose solution is `at_work` instead of its steady one; 0: none
[[nodiscard]] HeatFlows heat_flows(double liquid_w, double air_w, const LoopLooks* looks, Id of = 0,
                                   const LoopSolution* at_work = nullptr);

} // namespace hallwright
