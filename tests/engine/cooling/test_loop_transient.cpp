// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "cooling/loop_failures.h"
#include "cooling/loop_transient.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// The rack of the reference: 121.5 kW to PG25 of 40 degC at 119 L/min; 40 L on each side.
/// Source of the seconds: an explicit integration of the same equations with steps of 5 ms, written apart from this
/// code, rounded to a tenth below 30 s and to a second above.
struct Reference {
  DrawnLoop loop;
  LoopSolution steady;
  TransientParameters parameters;
  Reference() {
    loop.loop = 1;
    loop.name = "Loop";
    loop.density_kg_per_m3 = 1010.6;
    loop.specific_heat_j_per_kg_k = 3958.0;
    loop.supply_c = 40.0;
    loop.facility_supply_c = 36.0;
    loop.supply_volume_m3 = loop.return_volume_m3 = 0.040;
    LoopRack rack;
    rack.rack = 7;
    rack.heat_w = 121.5e3;
    rack.need_m3_per_s = 119.0 / 60000.0;
    loop.racks.push_back(rack);
    RackFlow flow;
    flow.rack = 7;
    flow.flow_m3_per_s = rack.need_m3_per_s;
    flow.share = 1.0;
    flow.flowing = true;
    flow.supply_c = 40.0;
    flow.return_c = 40.0 + rack.heat_w / (1010.6 * 3958.0 * rack.need_m3_per_s);
    steady.racks.push_back(flow);
    steady.flow_m3_per_s = rack.need_m3_per_s;
  }
  [[nodiscard]] LoopTransient run(const CoolingLoss& loss) const {
    auto out = loop_transient(loop, steady, loss, parameters);
    if (!out) throw std::runtime_error(out.error());
    return *out;
  }
};

} // namespace

class TestLoopTransient : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void secondsOfTheReference_data() {
    QTest::addColumn<QString>("event");
    QTest::addColumn<double>("plus5");
    QTest::addColumn<double>("plus10");
    QTest::addColumn<double>("plus12");
    QTest::addColumn<double>("plus20");
    QTest::newRow("pumps stop") << "pumps" << 3.3 << 5.7 << 6.7 << 10.5;
    QTest::newRow("pumps stop, coast-down of 3 s") << "tau" << 6.7 << 11.3 << 13.2 << 20.6;
    QTest::newRow("pumps stop, a tenth of the flow is left") << "floor" << 3.3 << 5.7 << 6.8 << 12.4;
    QTest::newRow("pumps stop, light plates") << "light" << 2.3 << 4.0 << 4.7 << 7.5;
    QTest::newRow("pumps stop, heavy plates") << "heavy" << 4.7 << 8.0 << 9.3 << 14.6;
    QTest::newRow("facility water lost") << "facility" << 26.0 << 44.0 << 51.0 << 82.0;
    QTest::newRow("facility water lost, 200 L on the return side") << "return200" << 26.0 << 47.0 << 58.0 << 126.0;
    QTest::newRow("facility water lost, 100 L on the supply side") << "supply100" << 49.0 << 85.0 << 99.0 << 158.0;
    QTest::newRow("facility water lost, 200 L on the supply side") << "supply200" << 69.0 << 121.0 << 142.0 << 227.0;
  }
  void secondsOfTheReference() {
    QFETCH(QString, event);
    QFETCH(double, plus5);
    QFETCH(double, plus10);
    QFETCH(double, plus12);
    QFETCH(double, plus20);
    Reference r;
    bool pumps = true;
    if (event == "tau") r.parameters.coast_down_s = 3.0;
    if (event == "floor") r.parameters.flow_floor = 0.1;
    if (event == "light") r.parameters.solid_heat_capacity_s_per_k = 12e3 / 121.5e3;
    if (event == "heavy") r.parameters.solid_heat_capacity_s_per_k = 40e3 / 121.5e3;
    if (event == "facility" || event.startsWith("return") || event.startsWith("supply")) pumps = false;
    if (event == "return200") r.loop.return_tank_m3 = 0.2;
    if (event == "supply100") r.loop.supply_tank_m3 = 0.1;
    if (event == "supply200") r.loop.supply_tank_m3 = 0.2;
    const CoolingLoss loss = pumps ? loss_of_pumps() : loss_of_facility();
    const auto near = [&](const char* what, const std::optional<double>& got, double wanted) {
      const double rounding = wanted < 25.0 ? 0.05 : 0.5;
      QVERIFY2(got && std::abs(*got - wanted) <= rounding + 0.02 * wanted,
               qPrintable(QString("%1: %2 s, wanted %3 s").arg(what).arg(got.value_or(-1)).arg(wanted)));
    };
    const LoopTransient first = r.run(loss);
    near("+5 K", first.racks[0].warning_s, plus5);
    near("+10 K", first.racks[0].throttle_s, plus10);
    near("+20 K", first.racks[0].shutdown_s, plus20);
    r.parameters.throttle_rise_k = 12.0;
    near("+12 K", r.run(loss).racks[0].throttle_s, plus12);
    QVERIFY(first.course.size() > 20 && first.course.size() < 1200);
    for (const TransientPoint& p : first.course)
      QVERIFY(std::isfinite(p.hottest_rise_k) && std::isfinite(p.supply_c) && std::isfinite(p.return_c));
  }

  /// Pumps that are back after 5 s: past the warning, never at +10 K.
  void pumpsThatComeBackInTime() {
    const Reference r;
    const LoopTransient run = r.run(loss_of_pumps(5.0));
    QVERIFY(run.racks[0].warning_s && std::abs(*run.racks[0].warning_s - 3.3) < 0.12);
    QVERIFY(!run.racks[0].throttle_s);
    QVERIFY(run.peak_rise_k > 5.0 && run.peak_rise_k < 10.0);
  }

  /// Without any flow, and plates that pass heat on freely, solid and coolant warm as one: dT/dt = P / (Cs + Cc).
  /// 23 kJ/K and 35 L of PG25 (1010.6 x 3958 x 0.035 = 139,998 J/K) at 121.5 kW: 10 K take 13.42 s.
  void adiabaticHeating() {
    Reference r;
    r.parameters.flow_floor = 0.0;
    r.parameters.coast_down_s = 0.05;
    r.parameters.conduction_share = 1.0;
    r.parameters.solid_over_coolant_k = 0.5;
    const LoopTransient run = r.run(loss_of_pumps());
    const double twenty = *run.racks[0].shutdown_s, ten = *run.racks[0].throttle_s;
    // Between the two the flow is gone but for tau / t of it, which takes less than 1 %.
    QVERIFY2(std::abs((twenty - ten) - 13.415) < 0.02 * 13.415, qPrintable(QString::number(twenty - ten)));
  }

  void nothingMovesWithoutALoss() {
    const Reference r;
    CoolingLoss none;
    const LoopTransient run = r.run(none);
    QVERIFY(run.peak_rise_k < 1e-6);
    QVERIFY(!run.first_warning_s);
    QVERIFY(std::abs(run.course.back().supply_c - 40.0) < 1e-6);
  }

  void latestReturnIsTheLastThatHolds() {
    const Reference r;
    const auto pumps = latest_pumps_return(r.loop, r.steady, r.parameters);
    QVERIFY(pumps && pumps->needed);
    QVERIFY(pumps->within_s > 4.0 && pumps->within_s < 5.7);
    QVERIFY(!r.run(loss_of_pumps(pumps->within_s)).first_throttle_s);
    QVERIFY(r.run(loss_of_pumps(pumps->within_s * 1.05)).first_throttle_s);
    const auto facility = latest_facility_return(r.loop, r.steady, r.parameters);
    QVERIFY(facility && facility->needed && facility->within_s < 44.5 && facility->within_s > 15.0);
    QVERIFY(!r.run(loss_of_facility(facility->within_s)).first_throttle_s);
  }

  /// Well-mixed sides take more than heat over allowed rise: 121.5 kW for 60 s and 10 K ask for 182.3 L by that.
  void tankForAGap() {
    Reference r;
    const auto tank = supply_tank_for_gap(r.loop, r.steady, r.parameters, 60.0);
    QVERIFY(tank && *tank > 0.02 && *tank < 0.4);
    r.loop.supply_tank_m3 = *tank;
    QVERIFY(!r.run(loss_of_facility(60.0)).first_throttle_s);
    r.loop.supply_tank_m3 = *tank * 0.9;
    QVERIFY(r.run(loss_of_facility(60.0)).first_throttle_s);
    QCOMPARE(*supply_tank_for_gap(r.loop, r.steady, r.parameters, 0.0), 0.0);
    QVERIFY(!supply_tank_for_gap(r.loop, r.steady, r.parameters, -1.0));
  }

  void responsesSayWhatActsAndInWhichOrder() {
    const Reference r;
    const auto with_ups = power_loss_responses(r.loop, r.steady, r.parameters, true, true);
    QVERIFY(with_ups && with_ups->size() >= 2);
    QVERIFY(with_ups->front().met);
    QVERIFY(with_ups->front().action.find("UPS") != std::string::npos);
    QVERIFY(std::is_sorted(with_ups->begin(), with_ups->end(),
                           [](const auto& a, const auto& b) { return a.within_s < b.within_s; }));
    // Generators of 10 s are too late for pumps, and chillers of 430 s for the racks: a tank is named.
    const auto without = power_loss_responses(r.loop, r.steady, r.parameters, false, true);
    QVERIFY(without && !without->front().met);
    QVERIFY(without->front().action.find("need a UPS") != std::string::npos);
    QVERIFY(std::any_of(without->begin(), without->end(),
                        [](const auto& a) { return a.action.find("tank of") != std::string::npos; }));
    // Dry coolers are back with the generators.
    const auto dry = power_loss_responses(r.loop, r.steady, r.parameters, true, false);
    QVERIFY(dry && std::all_of(dry->begin(), dry->end(), [](const auto& a) { return a.met; }));
    QCOMPARE(restart_order(r.loop, true).size(), std::size_t(4));
  }

  void wrongParametersAreNamed() {
    Reference r;
    r.parameters.flow_floor = 1.5;
    auto run = loop_transient(r.loop, r.steady, loss_of_pumps(), r.parameters);
    QVERIFY(!run && run.error().find("flow floor is 1.5") != std::string::npos);
    r.parameters.flow_floor = std::nan("");
    QVERIFY(!loop_transient(r.loop, r.steady, loss_of_pumps(), r.parameters));
    r.parameters = {};
    QVERIFY(!loop_transient(r.loop, r.steady, loss_of_pumps(), r.parameters, -1.0));
    r.steady.temperatures_known = false;
    QVERIFY(!loop_transient(r.loop, r.steady, loss_of_pumps(), r.parameters));
  }

  /// One of four units lost: the others carry on, racks warm a little; of one unit alone everything stops.
  void aUnitIsLost() {
    DrawnHall hall;
    hall.grid(2, 8, 4);
    LoopSolver solver;
    const auto loop = hall.loop();
    const auto steady = solver.solve(loop);
    QVERIFY2(steady.has_value(), steady ? "" : steady.error().c_str());
    const auto loss = loss_of_unit(solver, loop, *steady, hall.units[0].id);
    QVERIFY(loss && !loss->pumps_stop);
    const auto run = loop_transient(*loop, *steady, *loss, TransientParameters{});
    QVERIFY(run && run->racks.size() == 16);
    QVERIFY(!run->first_shutdown_s);
    DrawnHall lone;
    lone.grid(1, 4, 1, false);
    const auto one = lone.loop();
    const auto healthy = solver.solve(one);
    QVERIFY2(healthy.has_value(), healthy ? "" : healthy.error().c_str());
    const auto all = loss_of_unit(solver, one, *healthy, lone.units[0].id);
    QVERIFY2(all && all->pumps_stop, all ? "" : all.error().c_str());
    const auto stopped = loop_transient(*one, *healthy, *all, TransientParameters{});
    QVERIFY(stopped && stopped->first_throttle_s && *stopped->first_throttle_s < 10.0);
    for (const RackTimes& t : stopped->racks)
      QVERIFY(t.warning_s && t.throttle_s && t.shutdown_s && *t.warning_s < *t.throttle_s);
    QVERIFY(!loss_of_unit(solver, one, *healthy, 9999));
  }
};

QTEST_APPLESS_MAIN(TestLoopTransient)
#include "test_loop_transient.moc"
