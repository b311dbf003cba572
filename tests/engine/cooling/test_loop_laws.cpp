// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "catalog/catalog.h"
#include "cooling/coolant.h"
#include "cooling/loop_failures.h"
#include "cooling/loop_loss.h"
#include "cooling/loop_rules.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

void change_unit(DrawnHall& hall, const std::function<void(CoolingPart&)>& change) {
  CoolingPart part = hall.catalog.cooling.front();
  hall.catalog.cooling.clear();
  change(part);
  hall.catalog.cooling.push_back(part);
}
LoopFailures failures_of(const DrawnHall& hall) {
  LoopSolver solver;
  FailureSweep sweep;
  sweep.rack_valves = false;
  auto f = loop_failures(solver, hall.loop(), sweep);
  if (!f) throw std::runtime_error(f.error());
  return *f;
}
LoopSolution solved(const Shared<DrawnLoop>& loop, const LoopOperation& operation = {}) {
  LoopSolver solver;
  auto s = solver.solve(loop, operation);
  if (!s) throw std::runtime_error(s.error());
  return *s;
}

} // namespace

/// Laws that hold of every loop, whatever its numbers.
class TestLoopLaws : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// A stronger pump, or a larger exchanger, never lowers the room that is left in any failure.
  void moreNeverLeavesLess_data() {
    QTest::addColumn<bool>("ring");
    QTest::addColumn<double>("heat_kw");
    for (const bool ring : {false, true})
      for (const double heat : {60.0, 102.0, 160.0, 230.0})
        QTest::addRow("%s, %.0f kW", ring ? "ring" : "one end", heat) << ring << heat;
  }
  void moreNeverLeavesLess() {
    QFETCH(bool, ring);
    QFETCH(double, heat_kw);
    const auto hall_with = [&](double head_kpa, double capacity_kw) {
      DrawnHall hall;
      hall.grid(2, 8, 3, ring);
      for (double& q : hall.heats)
        q = heat_kw * 1e3;
      change_unit(hall, [&](CoolingPart& p) {
        p.pump_head = kilopascals(head_kpa);
        p.capacity = kilowatts(capacity_kw);
      });
      return hall;
    };
    const auto no_worse = [](const LoopFailures& less, const LoopFailures& more, const std::string& what) {
      QCOMPARE(less.cases.size(), more.cases.size());
      for (std::size_t i = 0; i < less.cases.size(); ++i) {
        const double lost = less.cases[i].headroom - more.cases[i].headroom;
        QVERIFY2(lost < 2e-3, (what + ", " + less.cases[i].name + ": " + std::to_string(less.cases[i].headroom) + " to " +
                               std::to_string(more.cases[i].headroom))
                                  .c_str());
      }
      QVERIFY(more.healthy_headroom > less.healthy_headroom - 2e-3);
      QVERIFY(!less.n_plus_1 || more.n_plus_1);
    };
    LoopFailures last = failures_of(hall_with(120, 1500));
    for (const double head : {160.0, 250.0, 400.0, 700.0}) {
      LoopFailures stronger = failures_of(hall_with(head, 1500));
      no_worse(last, stronger, "head " + std::to_string(head));
      last = std::move(stronger);
    }
    last = failures_of(hall_with(250, 900));
    for (const double capacity : {1200.0, 1800.0, 3000.0}) {
      LoopFailures larger = failures_of(hall_with(250, capacity));
      no_worse(last, larger, "capacity " + std::to_string(capacity));
      last = std::move(larger);
    }
  }

  /// What no coolant runs through has no friction, and a valve that is shut in part is no friction along the pipe.
  void valvesAreNoFriction() {
    for (const double open : {0.0, 0.02, 0.2}) {
      DrawnHall hall;
      hall.grid(2, 6, 2);
      const LoopSolution plain = solved(hall.loop());
      double most = 0.0;
      for (const SectionFlow& f : plain.sections)
        most = std::max(most, f.gradient_pa_per_m);
      for (Pipe& p : hall.pipes)
        if (p.name == "Right supply") p.valve_open = open;
      const auto loop = hall.loop();
      const LoopSolution s = solved(loop);
      for (std::size_t i = 0; i < s.sections.size(); ++i) {
        // Darcy-Weisbach with a friction factor of 0.008 to 0.1.
        const double v = s.sections[i].velocity_m_per_s, d = loop->sections[i].diameter_m;
        const double dynamic = 0.5 * 1010.6 * v * v / d;
        QVERIFY2(s.sections[i].gradient_pa_per_m <= 0.1 * dynamic + 1e-3, loop->sections[i].name.c_str());
        if (v > 0.1) QVERIFY(s.sections[i].gradient_pa_per_m >= 0.008 * dynamic);
      }
    }
  }

  /// A speed that is fixed at exactly 1 is fixed; the same solver goes from fixed to controlled and back.
  void aFixedSpeedIsAField() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    const auto controlled = hall.loop();
    for (CoolingUnit& u : hall.units)
      u.pump_speed = 1.0;
    const auto fixed = hall.loop();
    QVERIFY(!controlled->units[0].fixed_speed && *fixed->units[0].fixed_speed == 1.0);
    LoopSolver solver;
    const double slow = solver.solve(controlled)->speed;
    QVERIFY(slow < 0.95);
    const auto at_full = solver.solve(fixed);
    QCOMPARE(at_full->speed, 1.0);
    LoopOperation full;
    full.speed = 1.0;
    QVERIFY(std::abs(at_full->flow_m3_per_s / solved(controlled, full).flow_m3_per_s - 1.0) < 1e-6);
    QVERIFY(std::abs(solver.solve(controlled)->speed - slow) < 1e-3);
  }

  /// Facility water so warm that the supply passes what parts take: the warning is over before anything is lost.
  void tooWarmBeforeAnythingIsLost() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    hall.setups[hall.loops[0].id].facility_supply_c = 47.0;
    const auto loop = hall.loop();
    const LoopSolution s = solved(loop);
    QVERIFY(s.racks[0].supply_c > 45.0);
    const auto t = loop_transient(*loop, s, loss_of_facility(), {});
    QVERIFY(t.has_value());
    QCOMPARE(t->too_warm_before, loop->racks.size());
    QCOMPARE(*t->first_warning_s, 0.0);
    for (const RackTimes& r : t->racks)
      QVERIFY(r.too_warm_before && *r.warning_s == 0.0);
    // Throttling 10 K and shutdown 20 K above what racks take: what is used up before shortens the seconds, to none.
    double last_throttle = 1e9, last_shutdown = 1e9;
    for (const double facility_c : {36.0, 44.0, 47.0, 50.0, 54.0, 58.0, 66.0}) {
      hall.setups[hall.loops[0].id].facility_supply_c = facility_c;
      const auto warm = hall.loop();
      const LoopSolution w = solved(warm);
      if (!w.temperatures_known) continue;
      const double beyond = w.racks[0].supply_c - 45.0;
      for (const OperationLoss& loss : {OperationLoss{loss_of_facility()}, OperationLoss{loss_of_pumps()}}) {
        const auto r = loop_transient(*warm, w, loss, {});
        QVERIFY(r.has_value() && r->first_throttle_s && r->first_shutdown_s);
        if (beyond > 10.1) QCOMPARE(*r->first_throttle_s, 0.0);
        if (beyond > 20.1) QCOMPARE(*r->first_shutdown_s, 0.0);
        if (beyond < 9.9) QVERIFY(*r->first_throttle_s > 0.0);
        QVERIFY(*r->first_shutdown_s >= *r->first_throttle_s);
        if (!loss.facility_lost) continue;
        QVERIFY(*r->first_throttle_s <= last_throttle + 0.5 && *r->first_shutdown_s <= last_shutdown + 0.5);
        last_throttle = *r->first_throttle_s;
        last_shutdown = *r->first_shutdown_s;
      }
      const auto back = latest_facility_return(*warm, w, {});
      QVERIFY(back.has_value());
      if (beyond > 10.1) QVERIFY(back->needed && back->within_s == 0.0);
      if (beyond > 10.1) QVERIFY(!supply_tank_for_gap(*warm, w, {}, 60.0));
    }
    QCOMPARE(last_throttle, 0.0);
    hall.setups[hall.loops[0].id].facility_supply_c = 36.0;
    const auto cool = loop_transient(*hall.loop(), solved(hall.loop()), loss_of_facility(), {});
    QCOMPARE(cool->too_warm_before, std::size_t(0));
    QVERIFY(*cool->first_warning_s > 1.0);
  }

  /// Of two units one hangs on a UPS. When generators run the other pumps again, and all is as it was.
  void pumpsWithoutUpsComeBack() {
    DrawnHall hall;
    hall.grid(2, 8, 2);
    change_unit(hall, [](CoolingPart& p) {
      p.secondary_flow = liters_per_minute(1400);
      p.pump_head = kilopascals(150);
    });
    const auto loop = hall.loop();
    const LoopSolution steady = solved(loop);
    LoopSolver solver;
    const TransientParameters p;
    const auto loss = loss_of_power_as_fed(solver, loop, steady, p, {loop->units[0].unit}, false);
    QVERIFY(loss.has_value());
    QCOMPARE(*loss->flow_back_s, p.generator_start_s);
    QVERIFY(*std::min_element(loss->flow_after.begin(), loss->flow_after.end()) < 0.9);
    const auto t = loop_transient(*loop, steady, *loss, p, 600.0);
    QVERIFY(t.has_value());
    QVERIFY2(std::abs(t->course.back().hottest_rise_k) < 0.05, std::to_string(t->course.back().hottest_rise_k).c_str());
    OperationLoss kept = *loss; // as if they never came back: the plates stay warmer
    kept.flow_back_s.reset();
    const auto stays = loop_transient(*loop, steady, kept, p, 600.0);
    QVERIFY(stays->course.back().hottest_rise_k > 0.5);
  }

  /// Between rows of the catalog within 2 % of the correlation that they come from (Melinder 2010).
  void viscosityGoesWithTemperature() {
    const auto parts = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(parts.has_value());
    const FluidPart* pg25 = parts->find<FluidPart>("pg25-40");
    QVERIFY(pg25);
    for (const double celsius : {12.0, 25.0, 35.0, 40.0, 45.0, 49.0}) {
      const double by_fit =
          coolant_properties(Antifreeze::propylene_glycol, pg25_mass_fraction, celsius)->dynamic_viscosity_pa_s;
      QVERIFY2(std::abs(viscosity_at(*parts, *pg25, celsius) / by_fit - 1.0) < 0.02, std::to_string(celsius).c_str());
    }
    QCOMPARE(viscosity_at(*parts, *pg25, 40.0), base_value(*pg25->viscosity));
    QCOMPARE(viscosity_at(*parts, *pg25, 95.0), base_value(*parts->find<FluidPart>("pg25-50")->viscosity));
    if (const FluidPart* lone = parts->find<FluidPart>("dow-lc25-40"))
      QCOMPARE(viscosity_at(*parts, *lone, 20.0), base_value(*lone->viscosity));
  }
};

QTEST_APPLESS_MAIN(TestLoopLaws)
#include "test_loop_laws.moc"
