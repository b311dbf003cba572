// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "cooling/facility_loop.h"
#include "cooling/loop_results.h"
#include "engine/cooling/watered_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

std::string all_problems(const std::vector<DrawnLoop>& loops) {
  std::string out;
  for (const DrawnLoop& l : loops)
    for (const LoopProblem& p : l.problems)
      out += p.sentence + "\n";
  return out;
}
bool has(const DrawnLoop& loop, LoopProblemKind kind) {
  return std::any_of(loop.problems.begin(), loop.problems.end(), [&](const LoopProblem& p) { return p.kind == kind; });
}

/// Counterflow of equal capacity rates has NTU / (1 + NTU).
LoopUnit balanced_unit() {
  LoopUnit u;
  u.capacity_w = 1e6;
  u.approach_k = 5.0;
  u.rated_flow_m3_per_s = 1e6 / (992.5 * 4178.0 * 10.0); // 10 K of rise
  u.facility_flow_m3_per_s = u.rated_flow_m3_per_s;
  return u;
}

} // namespace

class TestFacilityLoop : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// At its rating: 10 K over 15 K is an effectiveness of 2/3, two transfer units. With half of the facility water the
  /// films have UA 2 / (1 + 0.5^-0.8) = 0.7297 of theirs, against C of half: NTU 2.9187, ratio 0.5, effectiveness 0.8694,
  /// so 0.8694 x 50 kW/K x 15 K = 652.0 kW.
  void anExchangerWithLessWater() {
    const LoopUnit u = balanced_unit();
    const double c = 992.5 * 4178.0, rated = c * u.facility_flow_m3_per_s;
    QVERIFY(std::abs(exchanger_heat_w(u, u.rated_flow_m3_per_s, 40.0, 25.0, c) - 1e6) < 1.0);
    QVERIFY(std::abs(exchanger_heat_w(u, u.rated_flow_m3_per_s, 40.0, 25.0, c, rated) - 1e6) < 1.0);
    const double ua = 2.0 / (1.0 + std::pow(0.5, -0.8)) * 2.0 * rated, least = 0.5 * rated;
    const double e = std::exp(-ua / least * 0.5), by_hand = (1 - e) / (1 - 0.5 * e) * least * 15.0;
    QVERIFY(std::abs(by_hand - 652e3) < 3e3);
    QVERIFY(std::abs(exchanger_heat_w(u, u.rated_flow_m3_per_s, 40.0, 25.0, c, least) - by_hand) < 1.0);
    QCOMPARE(exchanger_heat_w(u, u.rated_flow_m3_per_s, 40.0, 25.0, c, 0.0), 0.0);
  }
  /// What a unit needs is what it passes its duty with, and 5 % more; its rated flow where that is not enough.
  void whatAUnitNeeds() {
    const LoopUnit u = balanced_unit();
    const double c = 992.5 * 4178.0;
    const double need = facility_need_m3_per_s(u, u.rated_flow_m3_per_s, 36.0, 6e5, 25.0, c, c);
    QVERIFY(need > 0.05 * u.facility_flow_m3_per_s && need < u.facility_flow_m3_per_s);
    QVERIFY(std::abs(exchanger_heat_w(u, u.rated_flow_m3_per_s, 36.0, 25.0, c, need / 1.05 * c) - 6e5) < 10.0);
    QCOMPARE(facility_need_m3_per_s(u, u.rated_flow_m3_per_s, 40.0, 2e6, 25.0, c, c), u.facility_flow_m3_per_s);
    QCOMPARE(facility_need_m3_per_s(u, u.rated_flow_m3_per_s, 40.0, 0.0, 25.0, c, c), 0.05 * u.facility_flow_m3_per_s);
  }

  void drawnAsALoopOfItsOwn() {
    const WateredHall hall;
    const auto drawn = hall.drawn();
    QVERIFY2(all_problems(drawn).empty(), all_problems(drawn).c_str());
    QCOMPARE(drawn.size(), std::size_t(2));
    QVERIFY(!drawn[0].facility && drawn[1].facility);
    QCOMPARE(drawn[0].facility_loop, drawn[1].loop);
    QCOMPARE(drawn[0].facility_supply_c, 30.0);
    QCOMPARE(drawn[1].racks.size(), std::size_t(2)); // two units' facility sides
    QCOMPARE(drawn[1].units.size(), std::size_t(2));
    QCOMPARE(drawn[1].racks[0].rack, drawn[0].units[0].unit);
    QCOMPARE(drawn[1].racks[0].rated_drop_pa, 70e3);
    QCOMPARE(*drawn[1].units[0].sink_c, 20.0);
    QCOMPARE(std::string(drawn[1].branch_table()), std::string("cooling_units"));
  }

  /// Heat of racks is the duty of units is the heat that dry coolers reject.
  void heatGoesAllTheWay() {
    const LoopLooks looks = WateredHall().looks();
    const LoopLook &hall = looks.loops[0], &water = looks.loops[1];
    QVERIFY2(hall.steady && water.steady, (hall.trouble + water.trouble).c_str());
    const double heat = 12 * 102e3;
    QVERIFY(std::abs(hall.steady->duty_w / heat - 1.0) < 1e-6);
    QVERIFY(std::abs(water.steady->heat_w / heat - 1.0) < 1e-6);
    QVERIFY(std::abs(water.steady->duty_w / heat - 1.0) < 1e-6);
    QVERIFY(hall.steady->mass_error < 1e-9 && water.steady->mass_error < 1e-9);
    QVERIFY(water.steady->energy_error < 1e-6);
    for (std::size_t i = 0; i < 2; ++i) {
      const UnitWork& u = hall.steady->units[i];
      QVERIFY(std::abs(u.supply_c - 40.0) < 1e-6);
      QVERIFY(std::abs(u.facility_c - 30.0) < 1e-6);
      // Leaves as much warmer as its duty says.
      const RackFlow& side = water.steady->racks[i];
      const double rise = u.duty_w / (1010.6 * 3958.0 * side.flow_m3_per_s);
      QVERIFY(std::abs(side.return_c - side.supply_c - rise) < 1e-6);
      QVERIFY(side.share > 0.999);
    }
    QVERIFY(water.outages && water.outages->failures && !water.outages->failures->cases.empty());
    for (const Table& t : loop_tables(looks))
      if (t.id == "cooling.facility_sides") QCOMPARE(t.row_count(), std::size_t(2));
  }

  /// Two dry coolers on one loop are N+1 where one carries all; where each carries half, a cooler out is felt by racks.
  void aDryCoolerThatFails() {
    const auto holds = [](double capacity_kw, double outdoor_c) {
      WateredHall hall(2, outdoor_c);
      for (CoolingUnit& u : hall.units)
        if (u.kind == CoolingUnitKind::dry_cooler) u.capacity = kilowatts(capacity_kw);
      const LoopLooks looks = hall.looks();
      const LoopFailures& f = *looks.loops[1].outages->failures;
      const auto out = std::find_if(f.cases.begin(), f.cases.end(),
                                    [](const LoopFailure& c) { return c.kind == LoopFailureKind::unit; });
      return std::tuple{f.n, out->holds, out->behind.value_or(RacksBehind{})};
    };
    const auto [fine, spare, quiet] = holds(1500, 24);
    QVERIFY(fine && spare);
    QCOMPARE(quiet.warm_racks, std::size_t(0));
    // 24 degC outside: 6 K of approach, and half of the coolers that the heat takes. Racks take 45 degC.
    const auto [still, none, felt] = holds(500, 29);
    (void)still;
    QVERIFY(!none);
    QVERIFY(felt.warm_racks > 0 && felt.hottest_supply_c > 45.0);
  }

  /// Warmer facility water is warmer supply: the drier the exchanger, the more.
  void hotDaysReachRacks() {
    double last = 0.0;
    for (const double outdoor : {20.0, 28.0, 36.0, 44.0}) {
      const LoopLooks looks = WateredHall(2, outdoor).looks();
      QVERIFY(looks.loops[0].steady->temperatures_known);
      const double supply = looks.loops[0].steady->units[0].supply_c;
      QVERIFY(supply >= last - 1e-9);
      last = supply;
      QVERIFY(std::abs(looks.loops[1].steady->duty_w / (12 * 102e3) - 1.0) < 1e-6);
    }
    QVERIFY(last > 44.0);
  }

  void whatCannotBeIsSaid() {
    WateredHall self;
    self.loops[1].facility_loop = self.loops[1].id;
    QVERIFY(has(self.drawn()[1], LoopProblemKind::facility_circle));
    WateredHall circle;
    circle.loops[1].facility_loop = circle.loops[0].id;
    const auto both = circle.drawn();
    QVERIFY(has(both[0], LoopProblemKind::facility_circle) && has(both[1], LoopProblemKind::facility_circle));
    QVERIFY(both[0].problems[0].sentence.find("'Loop 1' -> 'Facility water' -> 'Loop 1'") != std::string::npos);
    QVERIFY(both[0].solvable()); // as with facility water that is as cold as it is wanted
    WateredHall gone;
    gone.loops[0].facility_loop = 9999;
    QVERIFY(has(gone.drawn()[0], LoopProblemKind::facility_unknown));
    WateredHall racks;
    racks.racks[3].loop = racks.loops[1].id;
    QVERIFY(has(racks.drawn()[1], LoopProblemKind::facility_with_rack));
    WateredHall none(0);
    QVERIFY(has(none.drawn()[1], LoopProblemKind::no_unit));
    QCOMPARE(none.drawn()[0].facility_loop, Id(0));
    WateredHall far;
    for (Pipe& p : far.pipes)
      if (p.name == "Water out") p.path = {{-20000.0, -6000.0}, {-20000.0, 6000.0}};
    QVERIFY(has(far.drawn()[1], LoopProblemKind::rack_off_pipe));
    WateredHall three;
    CoolantLoop beyond;
    beyond.id = three.fresh();
    beyond.name = "Beyond";
    three.loops.push_back(beyond);
    three.loops[1].facility_loop = beyond.id;
    QVERIFY(has(three.drawn()[0], LoopProblemKind::facility_circle));
  }

  /// A cooler outside of every hall is joined to the first corner of its loop.
  void coolersOutside() {
    WateredHall hall;
    for (CoolingUnit& u : hall.units)
      if (u.kind == CoolingUnitKind::dry_cooler) u.hall = 0;
    const auto drawn = hall.drawn();
    QVERIFY2(all_problems(drawn).empty(), all_problems(drawn).c_str());
    QCOMPARE(drawn[1].units.size(), std::size_t(2));
    const PipeNetwork& n = drawn[1].network;
    QVERIFY(std::abs(n.links[drawn[1].units[0].connections[0]].length_m - 30.0) < 1e-9);
    QVERIFY(hall.looks().loops[1].steady.has_value());
  }

  /// A chiller takes its rating and no more: with less than the heat there is no steady state, and that is said.
  void chillersTakeTheirRating() {
    WateredHall hall(0, 40.0);
    hall.add_cooler(-3000.0, -5500.0, CoolingUnitKind::chiller).capacity = kilowatts(1300);
    LoopLooks looks = hall.looks();
    QVERIFY(std::abs(looks.loops[1].steady->units[0].supply_c - 30.0) < 1e-6);
    hall.units.back().capacity = kilowatts(1000);
    looks = hall.looks();
    QVERIFY(!looks.loops[1].steady->temperatures_known);
    QVERIFY(!looks.loops[0].trouble.empty());
  }

  /// The same figures in one go and in two; an edit leaves outages behind and tells so.
  void outagesBesideTheEdit() {
    WateredHall hall;
    const LoopLooks whole = hall.looks();
    const LoopLooks quick = loops_at_work(hall.all(), nullptr, {}, LoopDepth::working);
    QVERIFY(!whole.behind() && quick.behind());
    QVERIFY(!quick.loops[0].outages);
    const LoopLooks later = loops_at_work(hall.all(), &quick);
    QVERIFY(!later.behind());
    for (std::size_t i = 0; i < 2; ++i) {
      QVERIFY(later.loops[i].loop == quick.loops[i].loop);
      const auto &a = whole.loops[i].outages->failures->cases, &b = later.loops[i].outages->failures->cases;
      QCOMPARE(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k)
        QCOMPARE(a[k].headroom, b[k].headroom);
    }
    const LoopLooks again = loops_at_work(hall.all(), &later);
    QVERIFY(again.loops[0].outages == later.loops[0].outages && again.loops[1].outages == later.loops[1].outages);
    hall.heats[0] = 60e3;
    const LoopLooks edited = loops_at_work(hall.all(), &later, {}, LoopDepth::working);
    QVERIFY(edited.loops[0].outages == later.loops[0].outages && edited.loops[0].outages_behind);
    QVERIFY(edited.loops[1].outages_behind);
  }
};

QTEST_APPLESS_MAIN(TestFacilityLoop)
#include "test_facility_loop.moc"
