// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/growth_choices.h"

#include <algorithm>
#include <cmath>

namespace hallwright {

std::vector<RackChoice> rack_choices(const Design& design, const LoadResult& load, const Catalog& catalog) {
  const Assumption* usual = catalog.find<Assumption>("power.power_factor");
  std::vector<RackChoice> out;
  for (const RackType& type : *design.rack_types) {
    RackChoice choice;
    choice.type = type.id;
    choice.name = type.name;
    double w = 0.0;
    for (const RackClassLoad& c : load.rack_classes)
      if (c.rack_type == type.id) w = std::max(w, in_watts(c.power.value_or(Power{})));
    if (!(w > 0.0) && type.power_limit) w = in_watts(*type.power_limit);
    if (!(w > 0.0))
      choice.missing =
          "Nothing says what a " + type.name + " draws: put nodes or switches into it, or set its power limit";
    double factor = type.power_factor.value_or(usual && usual->value ? *usual->value : 1.0);
    if (!(factor > 0.0 && factor <= 1.0)) factor = 1.0;
    choice.rack.draw = ComplexPower::of(watts(w), PowerFactor{factor});
    if (type.supply_capacity_one_feed) choice.rack.one_feed_capacity_w = in_watts(*type.supply_capacity_one_feed);
    out.push_back(std::move(choice));
  }
  return out;
}

} // namespace hallwright
