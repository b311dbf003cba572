// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "cooling/heat_flows.h"
#include "cooling/loop_loss.h"
#include "cooling/loop_sizing.h"
#include "cooling/unit_pump_curve.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

/// Sizing of units and pipes, pump curves, losses of what is out, and the way of the heat: against hand calculation.
class TestLoopSizing : public QObject {
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

private Q_SLOTS:
  /// 5 MW and 9,000 L/min: a unit of 2.3 MW and 3,400 L/min is wanted 2.17 -> 3 times by duty and 2.65 -> 3 times by
  /// flow; N+1 makes 4. One of 1 MW and 3,000 L/min: 5 by duty, 3 by flow, so duty binds and N+1 makes 6.
  void units_by_duty_and_by_flow() {
    Catalog c = DrawnHall().catalog;
    CoolingPart small = c.cooling.front();
    small.id = "cdu-1000";
    small.capacity = kilowatts(1000);
    small.secondary_flow = liters_per_minute(3000);
    small.price = dollars(50e3);
    c.cooling.push_back(small);
    LoopDemand d;
    d.heat_w = 5e6;
    d.flow_m3_per_s = 0.15;
    const auto s = loop_sizing(c, d);
    QVERIFY(s);
    QCOMPARE(s->units.size(), std::size_t{2});
    QCOMPARE(s->units[0].part, std::string("cdu-2300"));
    QCOMPARE(s->units[0].by_duty, Count{3});
    QCOMPARE(s->units[0].by_flow, Count{3});
    QCOMPARE(s->units[0].needed, Count{4});
    QVERIFY(std::abs(s->units[0].load_share - 9000.0 / (3 * 3400.0)) < 1e-9);
    QVERIFY(std::abs(s->units[0].floor_m - 4 * 0.9) < 1e-9);
    QVERIFY(!s->units[0].price_usd);
    QCOMPARE(s->units[1].by_duty, Count{5});
    QCOMPARE(s->units[1].by_flow, Count{3});
    QVERIFY(s->units[1].duty_binds);
    QCOMPARE(s->units[1].needed, Count{6});
    QVERIFY(std::abs(*s->units[1].price_usd - 300e3) < 1e-6);
    // 0.15 m3/s at 2.4 m/s: 282.1 mm, so DN300 (303.2 mm) at 2.0775 m/s.
    QCOMPARE(s->header_bore_m, 0.3032);
    QVERIFY(std::abs(s->header_velocity_m_per_s - 2.0775) < 1e-3);
    d.redundancy = Redundancy::two_n;
    QCOMPARE(loop_sizing(c, d)->units[0].needed, Count{6});
    d.flow_m3_per_s = 3.0;
    QVERIFY(!loop_sizing(c, d)->header_fits);
    d.velocity_m_per_s = 0.0;
    QVERIFY(!loop_sizing(c, d));
    d = {};
    QVERIFY(loop_sizing(c, d)->units.empty());
    d.heat_w = std::nan("");
    QVERIFY(!loop_sizing(c, d));
  }

  /// EPANET's curve through one point: 4/3 of its head at no flow, none at twice the flow. Two pumps give 3,400 L/min
  /// at 250 kPa together; at half speed a quarter of the head at half of the flow.
  void pump_curve_of_a_unit() {
    const auto loop = row().loop();
    const auto whole = unit_pump_curve(*loop, 0, 2, 1.0, 3);
    QCOMPARE(whole.size(), std::size_t{3});
    QVERIFY(std::abs(whole[0].head_pa - 250e3 * 4 / 3) < 1.0);
    QVERIFY(std::abs(whole[1].flow_m3_per_s * 60000 - 3400) < 0.1);
    QVERIFY(std::abs(whole[1].head_pa - 250e3) < 1.0);
    QVERIFY(whole[2].head_pa < 1.0);
    const auto half = unit_pump_curve(*loop, 0, 2, 0.5, 3);
    QVERIFY(std::abs(half[1].head_pa - 62.5e3) < 1.0);
    QVERIFY(std::abs(half[1].flow_m3_per_s * 60000 - 1700) < 0.1);
    QVERIFY(std::abs(unit_pump_curve(*loop, 0, 1, 1.0, 3)[1].flow_m3_per_s * 60000 - 1700) < 0.1);
    QVERIFY(unit_pump_curve(*loop, 0, 0, 1.0).empty());
    QVERIFY(unit_pump_curve(*loop, 9, 1, 1.0).empty());
  }

  void losses_are_those_of_what_is_out() {
    const auto loop = row().loop();
    LoopSolver solver;
    const LoopSolution steady = *solver.solve(loop);
    LoopOperation o;
    QVERIFY(is_healthy(o));
    o.pumps_out[loop->units[0].unit] = 0;
    QVERIFY(is_healthy(o));
    // A unit: the same as the loss of that unit.
    o = {};
    o.units_out = {loop->units[0].unit};
    QVERIFY(!is_healthy(o));
    const auto mine = loss_of_operation(solver, loop, steady, o);
    const auto known = loss_of_unit(solver, loop, steady, loop->units[0].unit);
    QVERIFY(mine && known);
    QVERIFY(!mine->pumps_stop);
    for (std::size_t i = 0; i < known->flow_after.size(); ++i)
      QVERIFY(std::abs(mine->flow_after[i] - known->flow_after[i]) < 1e-3);
    QVERIFY(std::abs(*mine->exchange_w_per_k / *known->exchange_w_per_k - 1) < 1e-3);
    // All pumps: none runs. All facility water: none of it.
    o = {};
    for (const LoopUnit& u : loop->units)
      o.pumps_out[u.unit] = static_cast<int>(u.pumps.size());
    QVERIFY(loss_of_operation(solver, loop, steady, o)->pumps_stop);
    o = {};
    for (const LoopUnit& u : loop->units)
      o.facility_out.insert(u.unit);
    const auto dry = loss_of_operation(solver, loop, steady, o);
    QVERIFY(dry && dry->facility_lost && !dry->pumps_stop);
  }

  /// 8 racks of 102 kW: 816 kW through two units into the water; 200 kW more liquid without pipes, 100 kW of air.
  void heat_goes_somewhere() {
    LoopLooks looks;
    LoopLook l;
    l.loop = row().loop();
    LoopSolver solver;
    l.steady = *solver.solve(l.loop);
    looks.loops.push_back(l);
    const HeatFlows f = heat_flows(1016e3, 100e3, &looks);
    const auto watts = [&](const char* name) {
      for (const HeatNode& n : f.nodes)
        if (n.name == name) return n.watts;
      return 0.0;
    };
    QVERIFY(std::abs(watts("Chips and electronics") - 1116e3) < 1);
    QVERIFY(std::abs(watts("CDU 1") + watts("CDU 2") - 816e3) < 10);
    QVERIFY(std::abs(watts("Loops without pipes") - 200e3) < 10);
    QVERIFY(std::abs(watts("Room units") - 100e3) < 1);
    QVERIFY(std::abs(watts("Sky") - 1116e3) < 20);
    QCOMPARE(watts("Not carried away"), 0.0);
    // What enters a node leaves it.
    for (std::size_t n = 0; n < f.nodes.size(); ++n) {
      double in = 0, out = 0;
      for (const HeatLink& k : f.links)
        in += k.to == n ? k.watts : 0, out += k.from == n ? k.watts : 0;
      if (f.nodes[n].column > 0) QVERIFY(std::abs(in - f.nodes[n].watts) < 1);
      if (f.nodes[n].column < 4 && !f.nodes[n].lost) QVERIFY(std::abs(out - f.nodes[n].watts) < 20);
    }
    // Nothing runs: the heat stays.
    const HeatFlows dead = heat_flows(816e3, 0.0, &looks, l.loop->loop, nullptr);
    const auto stays = std::find_if(dead.nodes.begin(), dead.nodes.end(), [](const HeatNode& n) { return n.lost; });
    QVERIFY(stays != dead.nodes.end());
    QVERIFY(std::abs(stays->watts - 816e3) < 1);
    QVERIFY(heat_flows(0, 0, nullptr).empty());
  }
};

QTEST_APPLESS_MAIN(TestLoopSizing)
#include "test_loop_sizing.moc"
