// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "power/power_flow.h"

/// What an element carries, by where it goes: racks, plant and the losses beneath it.
namespace hallwright {

struct CarriedLoad {
  std::map<std::uint32_t, double> racks; ///< of each class; one on two live feeds counts half on each
  double plant_w = 0.0;                  ///< cooling and other plant on it and beneath it
  double losses_w = 0.0;                 ///< of the elements beneath it, by their part of it
};
/// In the state that is solved. Racks times their power, plant and losses together are the output of the element.
/// @param classes_of_group  how many racks of each class a load group has, in the order of the groups
CarriedLoad carried_load(const PowerFlow& flow, std::size_t element,
                         const std::vector<std::map<std::uint32_t, Count>>& classes_of_group);

} // namespace hallwright
