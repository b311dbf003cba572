// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/drawn_voltage.h"

namespace hallwright {

ElectricalSystem system_of(const PowerUnit& unit) {
  return unit.kind == PowerUnitKind::rectifier ? ElectricalSystem::direct_current : unit.system;
}

DrawnVoltage drawn_voltage(const std::vector<PowerUnit>& units, const Catalog& catalog, const PowerUnit& unit) {
  for (const bool stated : {true, false}) {
    const PowerUnit* u = &unit;
    for (std::size_t steps = 0; u && steps <= units.size(); ++steps) {
      if (stated && u->voltage) return {base_value(*u->voltage), u, nullptr};
      if (!stated)
        if (const PowerPart* part = catalog.find<PowerPart>(u->part); part && part->voltage)
          return {base_value(*part->voltage), nullptr, part};
      if (u->kind == PowerUnitKind::transformer || u->kind == PowerUnitKind::rectifier) break;
      u = find(units, u->upstream);
      if (u && system_of(*u) != system_of(unit)) break;
    }
  }
  return {};
}

} // namespace hallwright
