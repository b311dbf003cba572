// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <optional>
#include <tuple>

#include <rapidcheck.h>

#include "cooling/facility_loop.h"
#include "cooling/facility_water.h"
#include "cooling/loop_loss.h"
#include "cooling/loop_results.h"
#include "engine/cooling/watered_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// Least headroom and flow of facility water at full speed for a setting of the distribution units.
struct Felt {
  double headroom = 0.0, flow = 0.0, need = 0.0, speed = 0.0, least = 0.0;
  bool n = false;
};
Felt felt(WateredHall hall) {
  const LoopLooks looks = hall.looks();
  const LoopLook& water = looks.loops[1];
  Felt out;
  if (!water.steady || !water.outages || !water.outages->failures) return out;
  out.headroom = water.outages->failures->healthy_headroom;
  out.n = water.outages->failures->n;
  out.flow = water.full->flow_m3_per_s;
  for (const LoopRack& r : water.loop->racks)
    out.need += r.need_m3_per_s;
  out.speed = looks.loops[0].steady->speed;
  out.least = looks.loops[0].full->least_share;
  return out;
}

/// A hall whose facility water is drawn at random: mains as a tree or a ring, coolers of all kinds and strengths along
/// them, inside and outside, valves shut or throttled, pumps that run at a fixed speed or of very different heads.
struct RandomWater {
  WateredHall hall;
};
RandomWater random_water() {
  RandomWater out{WateredHall(0, *rc::gen::elementOf(std::vector<double>{5.0, 20.0, 29.0, 36.0}))};
  WateredHall& h = out.hall;
  const Id water = h.loops.back().id;
  const auto pipe = [&](const char* name, PipeSide side, std::vector<PlanPoint> path, double bore, double level) {
    h.add_pipe(name, side, std::move(path), bore, level);
    h.pipes.back().loop = water;
    const int valve = *rc::gen::inRange(0, 12);
    if (valve == 0) h.pipes.back().valve_open = 0.0;
    if (valve == 1) h.pipes.back().valve_open = 0.15;
  };
  const std::vector<double> bores{40.9, 77.9, 154.1, 202.7};
  const auto bore = [&] { return *rc::gen::elementOf(bores); };
  if (*rc::gen::inRange(0, 2)) { // cross pipes make rings with the two mains
    const int rungs = *rc::gen::inRange(1, 4);
    pipe("Second out", PipeSide::supply, {{-5000.0, -6000.0}, {-5000.0, 6000.0}}, bore(), 3000.0);
    pipe("Second back", PipeSide::return_, {{-5200.0, -6000.0}, {-5200.0, 6000.0}}, bore(), 3300.0);
    for (int i = 0; i < rungs; ++i) {
      const double y = -6000.0 + 12000.0 * i / std::max(1, rungs - 1);
      pipe("Rung out", PipeSide::supply, {{-1500.0, y}, {-5000.0, y}}, bore(), 3000.0);
      pipe("Rung back", PipeSide::return_, {{-1700.0, y}, {-5200.0, y}}, bore(), 3300.0);
    }
  }
  const int coolers = *rc::gen::inRange(1, 5);
  for (int i = 0; i < coolers; ++i) {
    const bool far = *rc::gen::inRange(0, 2);
    CoolingUnit& u = h.add_cooler(far ? -6500.0 : -3000.0, -5800.0 + 2500.0 * i,
                                  *rc::gen::elementOf(std::vector<CoolingUnitKind>{
                                      CoolingUnitKind::dry_cooler, CoolingUnitKind::chiller, CoolingUnitKind::cooling_tower}));
    u.capacity = kilowatts(*rc::gen::elementOf(std::vector<double>{300.0, 700.0, 1500.0}));
    u.pump_head = kilopascals(*rc::gen::elementOf(std::vector<double>{15.0, 60.0, 200.0, 400.0}));
    if (*rc::gen::inRange(0, 4) == 0) u.pump_speed = 0.8;
    u.pumps = *rc::gen::inRange(1, 4);
    if (*rc::gen::inRange(0, 5) == 0) u.hall = 0;
  }
  for (CoolingUnit& u : h.units)
    if (u.kind == CoolingUnitKind::cdu && *rc::gen::inRange(0, 4) == 0) u.pump_head = kilopascals(60);
  h.loops.back().balancing = *rc::gen::inRange(0, 3) == 0 ? FlowBalancing::pressure_independent : h.loops.back().balancing;
  h.loops.front().balancing = *rc::gen::inRange(0, 3) == 0 ? FlowBalancing::pressure_independent : h.loops.front().balancing;
  return out;
}

} // namespace

class TestFacilityFailures : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Whatever is drawn, every single failure has flows that balance, or says which loop has no steady state, and what to
  /// do about it.
  void everyFailureHasAnAnswer() {
    std::size_t cases = 0, named = 0;
    QVERIFY(rc::check("every single failure of facility water", [&] {
      const RandomWater w = random_water();
      const LoopLooks looks = loops_at_work(w.hall.all(), nullptr, {}, LoopDepth::working);
      const LoopLook& water = looks.loops[1];
      if (!water.loop->solvable()) return; // what is missing is a finding of its drawing
      if (!water.steady) RC_FAIL(water.trouble);
      const auto hang = loops_that_hang_on(looks, *water.loop);
      FacilityCoupling coupling(water.loop, hang);
      auto f = coupling.failures();
      if (!f) RC_FAIL(f.error());
      const auto answered = [&](const LoopFailure& c) {
        ++cases;
        if (!c.solved) RC_FAIL(c.name + ": " + c.trouble);
        RC_ASSERT(std::isfinite(c.headroom) && std::isfinite(c.summary.least_share) && std::isfinite(c.summary.hottest_supply_c));
        if (c.summary.temperatures_known && (!c.behind || c.behind->temperatures_known)) return;
        ++named;
        RC_ASSERT(c.trouble.find("loop '") == 0);
        RC_ASSERT(c.trouble.find("no steady state exists; ") != std::string::npos);
        RC_ASSERT(!c.holds);
      };
      for (const LoopFailure& c : f->cases)
        answered(c);
      for (std::size_t i = 0; i < hang.size(); ++i) {
        const auto felt = coupling.failures_felt(i);
        if (!felt) RC_FAIL(felt.error());
        for (const LoopFailure& c : *felt) {
          RC_ASSERT(c.of_loop == water.loop->loop);
          answered(c);
        }
      }
      // Of some stretch of pipe: what flows in flows out, and heads agree with what flows.
      LoopOperation shut;
      shut.sections_shut.insert(static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(water.loop->sections.size()))));
      const auto state = coupling.solve(shut);
      if (!state) RC_FAIL(state.error());
      if (state->water.flow_m3_per_s > 0.0) RC_ASSERT(state->water.mass_error < 1e-6);
      RC_ASSERT(state->water.head_error_m < 1e-3);
    }));
    QVERIFY(cases > 100 && named > 10);
  }

  /// Loops of racks with shut sections likewise: dead-ended pumps stand, the others go on.
  void dead_ends_stop_their_pumps() {
    // Two units on one main: with the stretch between them and the racks shut on the return alone, the left unit has no
    // way back. The other works as if the first were not there.
    DrawnHall hall;
    hall.grid(2, 4, 2, false);
    const auto loop = hall.loop();
    LoopSolver solver;
    std::size_t stopped = 0;
    for (std::size_t s = 0; s < loop->sections.size(); ++s) {
      LoopOperation o;
      o.speed = 1.0;
      o.sections_shut = {s};
      const auto with = solver.solve(loop, o);
      QVERIFY2(with, with ? "" : with.error().c_str());
      for (std::size_t u = 0; u < loop->units.size(); ++u) {
        if (with->units[u].running) continue;
        ++stopped;
        QCOMPARE(with->units[u].flow_m3_per_s, 0.0);
        o.units_out = {loop->units[u].unit};
        const auto without = LoopSolver().solve(loop, o);
        QVERIFY(without.has_value());
        for (std::size_t r = 0; r < loop->racks.size(); ++r)
          QVERIFY(std::abs(without->racks[r].flow_m3_per_s - with->racks[r].flow_m3_per_s) <= 1e-6 * (1e-6 + without->racks[r].flow_m3_per_s));
        o.units_out.clear();
      }
    }
    QVERIFY(stopped > 0);
  }

  /// A cooler that the others cannot stand in for is felt by the loop that hangs on the water, as warm as the facility's
  /// own failure tells; one that they can is not.
  void failuresOfFacilityWaterAreFelt() {
    const auto felt_of = [](double capacity_kw, double outdoor_c) {
      WateredHall hall(2, outdoor_c);
      for (CoolingUnit& u : hall.units)
        if (u.kind == CoolingUnitKind::dry_cooler) u.capacity = kilowatts(capacity_kw);
      const LoopLooks looks = hall.looks();
      FacilityCoupling coupling(looks.loops[1].loop, loops_that_hang_on(looks, *looks.loops[1].loop));
      const LoopFailures own = *coupling.failures();
      std::vector<LoopFailure> felt = *coupling.failures_felt(0);
      return std::pair{own, felt};
    };
    const auto [own, felt] = felt_of(700, 27);
    for (const char* name : {"DC 1", "DC 2"}) {
      const auto a = std::find_if(own.cases.begin(), own.cases.end(), [&](const LoopFailure& c) { return c.name == name; });
      const auto b = std::find_if(felt.begin(), felt.end(), [&](const LoopFailure& c) { return c.name == std::string(name) + " (Facility water)"; });
      QVERIFY(a != own.cases.end() && b != felt.end());
      QVERIFY(a->behind->temperatures_known && b->summary.temperatures_known);
      QVERIFY(b->kind == LoopFailureKind::unit && b->thing == a->thing);
      QVERIFY2(std::abs(a->behind->hottest_supply_c - b->summary.hottest_supply_c) < 0.05,
               (std::to_string(a->behind->hottest_supply_c) + " and " + std::to_string(b->summary.hottest_supply_c)).c_str());
      QVERIFY(!b->holds && !a->holds && b->summary.warm_racks == a->behind->warm_racks);
    }
    // Nor do the two ever disagree.
    for (const double kw : {400.0, 600.0, 800.0, 1100.0})
      for (const double outdoor_c : {20.0, 30.0, 36.0}) {
        const auto [facility, here] = felt_of(kw, outdoor_c);
        for (const LoopFailure& b : here)
          for (const LoopFailure& a : facility.cases)
            if (a.name + " (Facility water)" == b.name) {
              QVERIFY2(a.holds == b.holds, (b.name + std::to_string(kw) + " " + std::to_string(outdoor_c)).c_str());
              QVERIFY(b.holds ? b.headroom >= 0.0 : b.headroom <= 0.0);
            }
      }
    const auto [spare, quiet] = felt_of(1500, 20);
    for (const LoopFailure& c : quiet)
      if (c.kind == LoopFailureKind::unit)
        QVERIFY2(false, (c.name + ": " + std::to_string(c.headroom) + ", " + std::to_string(c.summary.hottest_supply_c)).c_str());
    // A main that is shut leaves no water: which loop, what is missing, what to do.
    const auto main = std::find_if(quiet.begin(), quiet.end(), [](const LoopFailure& c) { return !c.summary.temperatures_known; });
    QVERIFY(main != quiet.end() && main->kind == LoopFailureKind::section);
    QCOMPARE(main->trouble, std::string("loop 'Loop 1': no facility water takes the heat of CDU 1 and CDU 2, so that nothing takes its 1224 kW of "
                                        "heat and its coolant would boil: no steady state exists; bring facility water to a unit, or stop the racks"));
  }

  /// Facility water that is left after a failure is what the seconds count with: as much as before moves nothing, none is
  /// its loss, and in between the supply ends where the steady state of the failure has it.
  void secondsAfterAFailureOfFacilityWater() {
    WateredHall hall(2, 24.0);
    const LoopLooks looks = hall.looks();
    const LoopLook& racks = looks.loops[0];
    LoopSolver solver;
    const auto run = [&](double flow_share, double warmer_k) {
      LoopOperation o;
      o.facility_water = racks.facility_water;
      for (auto& [unit, w] : o.facility_water)
        w.flow_m3_per_s *= flow_share, w.entering_c += warmer_k;
      const auto loss = loss_of_operation(solver, racks.loop, *racks.steady, o);
      if (!loss) qFatal("%s", loss.error().c_str());
      auto course = loop_transient(*racks.loop, *racks.steady, *loss, looks.parameters, 7200.0);
      if (!course) qFatal("%s", course.error().c_str());
      auto steady = solver.solve(racks.loop, o);
      return std::tuple{*loss, *course, steady ? std::optional(*steady) : std::nullopt};
    };
    const auto [same, still, s0] = run(1.0, 0.0);
    QVERIFY(!same.facility_lost && still.peak_rise_k < 0.2 && !still.first_warning_s);
    const auto [none, boiling, s1] = run(0.0, 0.0);
    QVERIFY(none.facility_lost && boiling.first_shutdown_s);
    const auto known = loop_transient(*racks.loop, *racks.steady, loss_of_facility(), looks.parameters, 900.0);
    QVERIFY(std::abs(*known->first_shutdown_s - *boiling.first_shutdown_s) < 0.5);
    double last = 0.0;
    for (const double warmer : {2.0, 6.0, 12.0}) {
      const auto [loss, course, steady] = run(1.0, warmer);
      QVERIFY(steady && steady->temperatures_known);
      const double ends = course.course.back().supply_c;
      QVERIFY2(std::abs(ends - steady->racks[0].supply_c) < 0.5, (std::to_string(ends) + " and " + std::to_string(steady->racks[0].supply_c)).c_str());
      QVERIFY(ends > last);
      last = ends;
    }
  }

  /// Distribution units' pumps move their own loops: the flow of facility water at full speed is set by its own pumps,
  /// pipes and valves alone, whatever the head and speed of those. What a unit needs of it follows what its exchanger has
  /// to pass on; equal units under control need the same whatever their pumps can.
  void pumpsOfTheLoopMoveNoFacilityWater() {
    std::optional<Felt> first;
    for (const double head_kpa : {200.0, 250.0, 400.0, 800.0}) {
      WateredHall hall(2, 22.0);
      for (CoolingUnit& u : hall.units)
        if (u.kind == CoolingUnitKind::cdu) u.pump_head = kilopascals(head_kpa);
      const Felt f = felt(hall);
      QVERIFY(f.least >= 1.0);
      if (!first) first = f;
      QVERIFY(std::abs(f.flow / first->flow - 1.0) < 1e-9);
      QVERIFY(std::abs(f.need / first->need - 1.0) < 1e-3);
      QVERIFY(std::abs(f.headroom - first->headroom) < 1e-3);
    }
    // Of one unit alone: it moves more of the coolant and takes more of the heat, so that it needs more facility water,
    // and the other less; the water that flows is the same.
    WateredHall uneven(2, 22.0);
    uneven.units.front().pump_head = kilopascals(320);
    const LoopLooks a = WateredHall(2, 22.0).looks(), b = uneven.looks();
    const LoopRack &before = a.loops[1].loop->racks[0], &after = b.loops[1].loop->racks[0];
    QVERIFY(b.loops[0].steady->units[0].duty_w > 1.02 * a.loops[0].steady->units[0].duty_w);
    QVERIFY(after.need_m3_per_s > 1.02 * before.need_m3_per_s);
    QVERIFY(std::abs(b.loops[1].full->flow_m3_per_s / a.loops[1].full->flow_m3_per_s - 1.0) < 1e-9);
  }
};

QTEST_APPLESS_MAIN(TestFacilityFailures)
#include "test_facility_failures.moc"
