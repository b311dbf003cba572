// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/cooling.h"
#include "engine/load/small_hall.h"

namespace hallwright::test {

/// The small hall with the cooling stage run on it.
class CooledHall : public SmallHall {
public:
  /// Runs population, load and cooling.
  void run() {
    SmallHall::run();
    design.climate_bins = share(climate_bins);
    cool = cooling({design.cooling_plant, design.site, design.loops, design.cooling_units, design.racks, design.rack_types, design.rack_items, shared_catalog, design.climate_bins}, loads);
    figures.add(cool);
  }
  [[nodiscard]] std::vector<Finding> findings(const std::string& code) const { return SmallHall::findings(code, cooling_rules()); }

  std::vector<ClimateBin> climate_bins;
  CoolingResult cool;
};

} // namespace hallwright::test
