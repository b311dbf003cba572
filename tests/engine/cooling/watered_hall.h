// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "cooling/loop_results.h"
#include "engine/cooling/drawn_hall.h"

namespace hallwright::test {

/// Twelve racks of 102 kW, two distribution units, and facility water from dry coolers outside of the rows.
struct WateredHall : DrawnHall {
  explicit WateredHall(int coolers = 2, double outdoor_c = 20.0) {
    grid(2, 6, 2, false);
    CoolantLoop water;
    water.id = fresh();
    water.name = "Facility water";
    water.supply_temperature = Temperature::from_celsius(30);
    water.rise = kelvins_rise(10);
    loops.push_back(water);
    loops.front().facility_loop = water.id;
    site.outdoor_design_temperature = Temperature::from_celsius(outdoor_c);
    for (const auto& [name, side, x, level] :
         {std::tuple{"Water out", PipeSide::supply, -1500.0, 3000.0}, {"Water back", PipeSide::return_, -1700.0, 3300.0}}) {
      add_pipe(name, side, {{x, -6000.0}, {x, 6000.0}}, 202.7, level);
      pipes.back().loop = water.id;
    }
    for (int i = 0; i < coolers; ++i)
      add_cooler(-3000.0, -5500.0 + 1500.0 * i);
  }
  CoolingUnit& add_cooler(double x_mm, double y_mm, CoolingUnitKind kind = CoolingUnitKind::dry_cooler) {
    add_unit(x_mm, y_mm);
    CoolingUnit& u = units.back();
    u.name = "DC " + std::to_string(++coolers_);
    u.kind = kind;
    u.part.clear();
    u.loop = loops.back().id;
    u.width = u.depth = millimeters(1000);
    u.capacity = kilowatts(1500);
    return u;
  }
  [[nodiscard]] DrawnLoopInputs all() const {
    DrawnLoopInputs in = inputs();
    in.site = share(site);
    return in;
  }
  [[nodiscard]] std::vector<DrawnLoop> drawn() const { return drawn_loops(all()); }
  [[nodiscard]] LoopLooks looks() const { return loops_at_work(all()); }
  Site site;

private:
  int coolers_ = 0;
};

} // namespace hallwright::test
