// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "power/power_contingencies.h"
#include "power/power_growth.h"
#include "project/project_file.h"

/// Measures of the one-line of a sample, with racks of 20 kW.
namespace hallwright::bench {

struct PowerTimes {
  std::size_t units = 0, racks = 0, pairs = 0, independent = 0;
  double base_ms = 0.0;   ///< one-line made from the design, and its flow
  double change_ms = 0.0; ///< one rack draws something else
  double single_ms = 0.0; ///< every unit out in turn
  double pairs_ms = 0.0;  ///< every unit in maintenance and another one out
  double growth_ms = 0.0; ///< how many more racks fit, by level
};

inline PowerTimes power_times(const Design& design, const Catalog& catalog) {
  const std::vector<double> rack_watts(design.racks->size(), 20e3);
  const std::vector<Count> gpus(design.racks->size(), 16);
  const OneLineSource source{*design.power_units, *design.racks, *design.power_plant, catalog, rack_watts, gpus};
  const auto best_of = [](int times, auto&& work) {
    double best = 1e18;
    for (int k = 0; k < times; ++k) {
      const auto begin = std::chrono::steady_clock::now();
      work();
      best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
  };
  PowerTimes t;
  t.units = design.power_units->size();
  t.racks = design.racks->size();
  t.base_ms = best_of(20, [&] {
    const OneLine line = one_line_of(source);
    const PowerFlow flow(line);
  });
  const OneLine line = one_line_of(source);
  PowerFlow flow(line);
  double kw = 20.0;
  t.change_ms = best_of(20, [&] { flow.change_load(0, {kilowatts(kw += 1.0), {}}); });
  const PowerContingencies contingencies(line);
  ContingencySweep sweep;
  t.single_ms = best_of(5, [&] { sweep = contingencies.single_failures(); });
  t.pairs_ms = best_of(2, [&] { sweep = contingencies.maintenance_and_failure(); });
  t.pairs = sweep.cases.size();
  t.independent = sweep.independent;
  t.growth_ms = best_of(1, [&] { (void)power_growth(line, {{kilowatts(20), {}}}); });
  return t;
}

} // namespace hallwright::bench
