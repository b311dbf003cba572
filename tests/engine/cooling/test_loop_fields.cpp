// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "cooling/loop_loss.h"
#include "cooling/loop_solution.h"
#include "cooling/unit_feeds.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

/// Fields of loops, units, pipes and racks that a drawn loop takes into account, against hand calculation.
class TestLoopFields : public QObject {
  Q_OBJECT

  static DrawnHall row() {
    DrawnHall h;
    for (int k = 0; k < 8; ++k)
      h.add_rack(3000.0 + k * 600.0, 0.0);
    h.add_unit(0.0, 0.0);
    h.add_unit(1000.0, 0.0);
    h.add_pipe("supply", PipeSide::supply, {{300.0, 1400.0}, {7700.0, 1400.0}}, 154.1, 3000.0);
    h.add_pipe("return", PipeSide::return_, {{300.0, 1700.0}, {7700.0, 1700.0}}, 154.1, 3300.0);
    return h;
  }
  static LoopSolution solved(const Shared<DrawnLoop>& loop, double speed = 1.0) {
    LoopSolver solver;
    LoopOperation o;
    o.speed = speed;
    auto s = solver.solve(loop, o);
    if (!s) throw std::runtime_error(s.error());
    return *std::move(s);
  }
  static bool near_to(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::abs(b); }

private Q_SLOTS:
  /// Three pumps give 3,000 L/min at 300 kPa together: 1,000 L/min each, 4/3 of the head at no flow.
  void pumps_of_a_unit() {
    DrawnHall h = row();
    h.units[0].pumps = 3;
    h.units[0].pump_head = kilopascals(300);
    h.units[0].flow = liters_per_minute(3000);
    const auto loop = h.loop();
    const LoopUnit& u = loop->units[0];
    QCOMPARE(u.pumps.size(), std::size_t{3});
    QVERIFY(near_to(u.rated_flow_m3_per_s, 0.05));
    QVERIFY(near_to(u.rated_head_pa, 300e3));
    QVERIFY(!u.estimated);
    const PumpCurve& curve = loop->network.pump_curves[0].curve;
    const double head = 300e3 / (loop->density_kg_per_m3 * 9.80665);
    QVERIFY(near_to(pump_head(curve, 1.0, 0.0).head_m, head * 4 / 3, 1e-6));
    QVERIFY(near_to(pump_head(curve, 1.0, 0.05 / 3).head_m, head, 1e-6));
    QCOMPARE(loop->units[1].pumps.size(), std::size_t{2}); // the estimate
  }
  /// Pumps of a fixed speed stay there, whatever the control of the others or a sweep at full speed does: at half speed
  /// of all, flows of a loop are those that the solver gives at speed 0.5; at 100 % those of full speed.
  void pumps_of_a_fixed_speed() {
    LoopSolver solver;
    const LoopSolution half = solved(row().loop(), 0.5), full = solved(row().loop());
    DrawnHall h = row();
    h.units[0].pump_speed = h.units[1].pump_speed = 0.5;
    const auto controlled = solver.solve(h.loop(), {});
    QVERIFY(controlled);
    QVERIFY(near_to(controlled->flow_m3_per_s, half.flow_m3_per_s, 1e-6));
    QCOMPARE(controlled->speed, 0.5);
    QVERIFY(near_to(solved(h.loop()).flow_m3_per_s, half.flow_m3_per_s, 1e-6));
    h.units[0].pump_speed = h.units[1].pump_speed = 1.0;
    const auto whole = solver.solve(h.loop(), {});
    QVERIFY(whole && near_to(whole->flow_m3_per_s, full.flow_m3_per_s, 1e-6));
    // One fixed at 60 %, the other controlled: racks still get what they need.
    h.units[0].pump_speed = 0.6;
    h.units[1].pump_speed.reset();
    const auto mixed = solver.solve(h.loop(), {});
    QVERIFY(mixed && mixed->least_share > 0.999);
  }

  void facility_supply_and_tanks() {
    DrawnHall h = row();
    h.loops[0].facility_supply = Temperature::from_celsius(31);
    h.loops[0].supply_tank = cubic_meters(2);
    h.loops[0].return_tank = cubic_meters(1);
    const auto loop = h.loop();
    QVERIFY(near_to(loop->facility_supply_c, 31));
    QVERIFY(!loop->facility_supply_estimated);
    QVERIFY(near_to(loop->supply_tank_m3, 2));
    QVERIFY(near_to(loop->return_tank_m3, 1));
    QVERIFY(row().loop()->facility_supply_estimated);
  }
  /// Held to its need: 102 kW at 10 K and 1010.6 x 3958 J/(m3 K) are 0.00255 m3/s, 153.0 L/min.
  void balanced_racks_get_their_need() {
    DrawnHall h = row();
    h.loops[0].balancing = FlowBalancing::pressure_independent;
    const auto loop = h.loop();
    for (const LoopRack& r : loop->racks)
      QVERIFY(r.valve >= 0);
    const double need = 102e3 / (1010.6 * 3958 * 10);
    for (const RackFlow& r : solved(loop).racks)
      QVERIFY(near_to(r.flow_m3_per_s, need, 1e-4));
  }
  void a_loop_of_another_fluid() {
    DrawnHall h = row();
    FluidPart water;
    water.id = "water-40";
    water.name = "Water";
    water.density = kilograms_per_cubic_meter(992.2);
    water.specific_heat = joules_per_kilogram_kelvin(4179);
    water.viscosity = DynamicViscosity::from_value(0.653e-3);
    water.freezing = Temperature::from_celsius(0);
    h.catalog.fluids.push_back(water);
    h.loops[0].fluid_part = "water-40";
    const auto loop = h.loop();
    QVERIFY(near_to(loop->density_kg_per_m3, 992.2));
    QVERIFY(near_to(loop->network.viscosity_m2_per_s, 0.653e-3 / 992.2));
    h.loops[0].fluid_part = "oil";
    const auto none = h.loop();
    QVERIFY(!none->solvable());
    QCOMPARE(none->problems.front().entities.front().table, std::string("loops"));
    QVERIFY(none->problems.front().sentence.find("'oil'") != std::string::npos);
  }
  /// 50 kPa more at rest are 50 kPa more everywhere.
  void fill_pressure_lifts_all_pressures() {
    DrawnHall h = row();
    const LoopSolution plain = solved(h.loop());
    h.loops[0].fill_pressure = kilopascals(100);
    const LoopSolution filled = solved(h.loop());
    QVERIFY(std::abs(filled.lowest_pressure_pa - plain.lowest_pressure_pa - 50e3) < 1.0);
    QVERIFY(std::abs(filled.highest_pressure_pa - plain.highest_pressure_pa - 50e3) < 1.0);
  }
  void walls_and_hoses() {
    DrawnHall h = row();
    h.pipes[0].roughness = Length::from_value(1.5e-6);
    h.racks[2].hose_diameter = millimeters(25);
    const auto loop = h.loop();
    QVERIFY(near_to(loop->network.links[loop->sections[0].links[0]].roughness, 1.5e-6));
    QVERIFY(near_to(loop->network.links[loop->sections[1].links[0]].roughness, 45e-6));
    QVERIFY(near_to(loop->racks[2].hose_bore_m, 0.025));
    QVERIFY(near_to(loop->network.links[loop->racks[2].supply_hose].diameter_m, 0.025));
    // A smooth pipe and a thin hose: more for the others, less for that rack.
    const LoopSolution s = solved(loop), plain = solved(row().loop());
    QVERIFY(s.racks[2].flow_m3_per_s < plain.racks[2].flow_m3_per_s);
    QVERIFY(s.racks[7].flow_m3_per_s > plain.racks[7].flow_m3_per_s);
  }
  /// A ball valve of K 0.1 that is half open has K 0.1 / 0.25 = 0.4, 0.3 more than open.
  void valves_of_racks() {
    DrawnHall h = row();
    const auto open = h.loop();
    h.racks[1].coolant_valve = 0.5;
    h.racks[5].coolant_valve = 0.0;
    const auto loop = h.loop();
    const auto loss = [](const Shared<DrawnLoop>& l, std::size_t r) {
      return l->network.links[l->racks[r].return_hose].minor_loss;
    };
    QVERIFY(std::abs(loss(loop, 1) - loss(open, 1) - 0.3) < 1e-12);
    QVERIFY(near_to(loss(loop, 2), loss(open, 2)));
    const LoopSolution s = solved(loop);
    QCOMPARE(s.dry_racks, std::size_t{1});
    QVERIFY(!s.racks[5].flowing);
    QVERIFY(s.racks[1].flow_m3_per_s < s.racks[2].flow_m3_per_s);
  }
  /// The valve stands at the first corner: of the second of two supply pipes, between units and racks.
  void valves_of_pipes() {
    DrawnHall h = row();
    h.pipes[0].path = {{300.0, 1400.0}, {2200.0, 1400.0}};
    const Id second =
        h.add_pipe("supply to racks", PipeSide::supply, {{2200.0, 1400.0}, {7700.0, 1400.0}}, 154.1, 3000.0);
    const auto first_link = [&](const Shared<DrawnLoop>& l) -> const NetworkLink& {
      for (const LoopSection& s : l->sections)
        if (s.pipe == second) return l->network.links[s.links.front()];
      throw std::runtime_error("no section");
    };
    const auto open = h.loop();
    QCOMPARE(solved(open).dry_racks, std::size_t{0});
    h.pipes[2].valve_open = 0.5; // K 0.1 / 0.25
    const auto half = h.loop();
    QVERIFY(std::abs(first_link(half).minor_loss - first_link(open).minor_loss - 0.4) < 1e-12);
    QVERIFY(solved(half).flow_m3_per_s < solved(open).flow_m3_per_s);
    h.pipes[2].valve_open = 0.0;
    const auto shut = h.loop();
    QCOMPARE(first_link(shut).status, LinkStatus::closed);
    LoopSolver solver;
    const auto s = solver.solve(shut);
    if (s)
      QCOMPARE(s->dry_racks, std::size_t{8});
    else
      QVERIFY(!s.error().empty());
  }
  void pumps_on_ups_or_not() {
    std::vector<PowerUnit> power(5);
    for (std::size_t i = 0; i < power.size(); ++i)
      power[i].id = static_cast<Id>(i + 1), power[i].kind = PowerUnitKind::distribution;
    power[0].kind = PowerUnitKind::utility_feed;
    power[1].kind = PowerUnitKind::ups, power[1].upstream = 1;
    power[2].upstream = 2; // behind the UPS
    power[3].upstream = 1; // beside it
    power[4].upstream = 5; // closes on itself
    const auto fed = [&](Id a, Id b) {
      CoolingUnit u;
      u.feed_a = a, u.feed_b = b;
      return pump_supply(power, u);
    };
    QCOMPARE(fed(0, 0), PumpSupply::unknown);
    QCOMPARE(fed(99, 0), PumpSupply::unknown);
    QCOMPARE(fed(3, 0), PumpSupply::ups);
    QCOMPARE(fed(4, 0), PumpSupply::no_ups);
    QCOMPARE(fed(4, 3), PumpSupply::ups);
    QCOMPARE(fed(5, 0), PumpSupply::no_ups);
    power[3].second_source = 3;
    QCOMPARE(fed(4, 0), PumpSupply::ups);
  }
  /// All on UPS, or none: as the loss of power has it. One of two: the rest carries what one unit carries.
  void power_lost_as_fed() {
    const auto loop = row().loop();
    LoopSolver solver;
    const LoopSolution steady = *solver.solve(loop);
    const TransientParameters p;
    const Id a = loop->units[0].unit, b = loop->units[1].unit;
    const auto none = loss_of_power_as_fed(solver, loop, steady, p, {}, false);
    QVERIFY(none && !none->pumps_stop && none->facility_lost);
    QCOMPARE(*none->facility_back_s, 10.0);
    const auto all = loss_of_power_as_fed(solver, loop, steady, p, {a, b}, true);
    QVERIFY(all && all->pumps_stop);
    QCOMPARE(*all->pumps_back_s, 10.0);
    QCOMPARE(*all->facility_back_s, 430.0);
    const auto one = loss_of_power_as_fed(solver, loop, steady, p, {a}, false);
    const auto unit = loss_of_unit(solver, loop, steady, a);
    QVERIFY(one && unit && !one->pumps_stop && one->facility_lost);
    for (std::size_t i = 0; i < one->flow_after.size(); ++i)
      QVERIFY(std::abs(one->flow_after[i] - unit->flow_after[i]) < 1e-3);
  }
};

QTEST_APPLESS_MAIN(TestLoopFields)
#include "test_loop_fields.moc"
