// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cooling/cooled_hall.h"
#include "power/power.h"

namespace hallwright::test {

/// The small hall with cooling and power run on it.
class PoweredHall : public CooledHall {
public:
  /// Runs population, load, cooling and power.
  void run() {
    CooledHall::run();
    supply = power({design.power_plant, design.site, design.goal, design.power_units, design.racks, design.rack_types, shared_catalog, design.rack_items, design.cooling_units}, loads, cool);
    figures.add(supply);
  }
  [[nodiscard]] std::vector<Finding> findings(const std::string& code) const { return SmallHall::findings(code, power_rules()); }
  /// Load [W] of a power unit with all in service, and the worst with another one out.
  [[nodiscard]] double normal_watts(Id unit) const { return unit_load(unit).normal_w; }
  [[nodiscard]] double worst_watts(Id unit) const { return unit_load(unit).failover_w; }

  PowerResult supply;

private:
  [[nodiscard]] const PowerUnitLoad& unit_load(Id unit) const {
    for (const PowerUnitLoad& u : supply.units)
      if (u.unit == unit) return u;
    throw std::runtime_error("no such unit");
  }
};

} // namespace hallwright::test
