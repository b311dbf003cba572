// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cooling/drawn_loops.h"

/// Halls with coolant pipes, drawn row by row, for tests and measurements.
namespace hallwright::test {

/// One loop, drawn in place; `inputs()` is what the engine reads.
class DrawnHall {
public:
  DrawnHall() {
    FluidPart coolant;
    coolant.id = "pg25-40";
    coolant.name = "PG25";
    coolant.density = kilograms_per_cubic_meter(1010.6);
    coolant.specific_heat = joules_per_kilogram_kelvin(3958);
    coolant.viscosity = DynamicViscosity::from_value(1.394e-3);
    coolant.freezing = Temperature::from_celsius(-10.4);
    catalog.fluids.push_back(coolant);
    RackPart rack;
    rack.id = "rack-102";
    rack.name = "Rack of 102 kW";
    rack.width = millimeters(600);
    rack.depth = millimeters(1068);
    rack.height = millimeters(2236);
    rack.coolant_flow = liters_per_minute(153);
    rack.coolant_pressure_drop = kilopascals(90);
    rack.coolant_supply = Temperature::from_celsius(45);
    catalog.racks.push_back(rack);
    CoolingPart unit;
    unit.id = "cdu-2300";
    unit.kind = "cdu in-row";
    unit.capacity = kilowatts(2300);
    unit.approach = kelvins_rise(4);
    unit.secondary_flow = liters_per_minute(3400);
    unit.pump_head = kilopascals(250);
    unit.width = millimeters(900);
    unit.depth = millimeters(1200);
    unit.height = millimeters(2100);
    catalog.cooling.push_back(unit);
    plant.fluid_part = "pg25-40";
    plant.supply_temperature = Temperature::from_celsius(40);
    plant.supply_rise = kelvins_rise(10);
    RackType type;
    type.id = fresh();
    type.name = "Rack";
    type.rack_part = "rack-102";
    types.push_back(type);
    hall = fresh();
    CoolantLoop loop;
    loop.id = fresh();
    loop.name = "Loop 1";
    loops.push_back(loop);
  }
  Id fresh() { return next_++; }

  Id add_rack(double x_mm, double y_mm, double heat_w = 102e3) {
    Rack r;
    r.id = fresh();
    r.name = "R" + std::to_string(racks.size() + 1);
    r.rack_type = types.front().id;
    r.hall = hall;
    r.loop = loops.front().id;
    r.x = millimeters(x_mm);
    r.y = millimeters(y_mm);
    racks.push_back(r);
    heats.push_back(heat_w);
    return r.id;
  }
  Id add_unit(double x_mm, double y_mm) {
    CoolingUnit u;
    u.id = fresh();
    u.name = "CDU " + std::to_string(units.size() + 1);
    u.kind = CoolingUnitKind::cdu;
    u.part = "cdu-2300";
    u.hall = hall;
    u.loop = loops.front().id;
    u.x = millimeters(x_mm);
    u.y = millimeters(y_mm);
    units.push_back(u);
    return u.id;
  }
  Id add_pipe(const std::string& name, PipeSide side, std::vector<PlanPoint> path, double diameter_mm,
              double level_mm) {
    Pipe p;
    p.id = fresh();
    p.name = name;
    p.side = side;
    p.hall = hall;
    p.loop = loops.front().id;
    p.path = std::move(path);
    p.diameter = millimeters(diameter_mm);
    p.elevation = millimeters(level_mm);
    pipes.push_back(p);
    return p.id;
  }

  /// Rows of racks, each with a supply and a return pipe above it, between mains at both ends; units beside the mains.
  /// @param ring  false: mains on the left alone, rows end blind
  void grid(int rows, int racks_per_row, int unit_count, bool ring = true, double row_bore_mm = 202.7,
            double main_bore_mm = 303.2) {
    const double right = 3000.0 + racks_per_row * 600.0 + 1000.0, bottom = (rows - 1) * 3000.0 + 534.0;
    for (int r = 0; r < rows; ++r) {
      const double y = r * 3000.0, middle = y + 534.0;
      for (int k = 0; k < racks_per_row; ++k)
        add_rack(3000.0 + k * 600.0, y);
      const std::string name = "Row " + std::to_string(r + 1);
      add_pipe(name + " supply", PipeSide::supply, {{1000.0, middle}, {ring ? right : right - 1000.0, middle}},
               row_bore_mm, 3000.0);
      add_pipe(name + " return", PipeSide::return_,
               {{500.0, middle + 10.0}, {ring ? right + 500.0 : right - 1000.0, middle + 10.0}}, row_bore_mm, 3300.0);
    }
    const double top = -1500.0, end = bottom + 1500.0;
    add_pipe("Left supply", PipeSide::supply, {{1000.0, top}, {1000.0, end}}, main_bore_mm, 3000.0);
    add_pipe("Left return", PipeSide::return_, {{500.0, top}, {500.0, end}}, main_bore_mm, 3300.0);
    if (ring) {
      add_pipe("Right supply", PipeSide::supply, {{right, top}, {right, end}}, main_bore_mm, 3000.0);
      add_pipe("Right return", PipeSide::return_, {{right + 500.0, top}, {right + 500.0, end}}, main_bore_mm, 3300.0);
    }
    const int left_units = ring ? (unit_count + 1) / 2 : unit_count;
    for (int u = 0; u < unit_count; ++u) {
      const bool at_left = u < left_units;
      const int of_side = at_left ? left_units : unit_count - left_units, k = at_left ? u : u - left_units;
      const double y = top + (end - top) * (k + 0.5) / of_side;
      add_unit(at_left ? -600.0 : right + 700.0, y - 600.0);
    }
  }

  [[nodiscard]] DrawnLoopInputs inputs() const {
    DrawnLoopInputs in;
    in.plant = share(plant);
    in.loops = share(loops);
    in.units = share(units);
    in.racks = share(racks);
    in.rack_types = share(types);
    in.rack_items = share(std::vector<RackItem>{});
    in.pipes = share(pipes);
    in.catalog = share(catalog);
    for (const double heat : heats)
      in.coolant.push_back({heat, heat / (1010.6 * 3958.0 * in_kelvins(plant.supply_rise))});
    in.setups = setups;
    return in;
  }
  [[nodiscard]] Shared<DrawnLoop> loop() const { return share(drawn_loops(inputs()).front()); }

  CoolingPlant plant;
  std::vector<CoolantLoop> loops;
  std::vector<CoolingUnit> units;
  std::vector<Rack> racks;
  std::vector<double> heats; ///< of each rack [W]
  std::vector<RackType> types;
  std::vector<Pipe> pipes;
  std::map<Id, LoopSetup> setups;
  Catalog catalog;
  Id hall = 0;

private:
  Id next_ = 1;
};

} // namespace hallwright::test
