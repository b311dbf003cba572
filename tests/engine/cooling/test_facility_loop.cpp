// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "cooling/boiling.h"
#include "cooling/facility_loop.h"
#include "cooling/facility_water.h"
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

/// Antoine's equation of water in mmHg and degC, 1 to 100 and 99 to 374 degC (Dean, Lange's Handbook of Chemistry).
double vapour_pressure_pa(double celsius) {
  return 133.322 * std::pow(10.0, celsius < 99.5 ? 8.07131 - 1730.63 / (233.426 + celsius)
                                                 : 8.14019 - 1810.94 / (244.485 + celsius));
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
    const auto pipe_to = [](const DrawnLoop& l, std::size_t unit, std::size_t side) {
      return l.network.links[l.units[unit].connections[side]].length_m;
    };
    // Their middles at -2,500 mm and -5,000 or -3,500 mm; the supply begins at -1,500, the return at -1,700, both at -6,000.
    const double supply[] = {std::hypot(1.0, 1.0), std::hypot(1.0, 2.5)}, back[] = {std::hypot(0.8, 1.0), std::hypot(0.8, 2.5)};
    for (std::size_t i = 0; i < 2; ++i) {
      const double a = pipe_to(drawn[1], i, 0), b = pipe_to(drawn[1], i, 1);
      QVERIFY2((std::abs(a - supply[i]) < 1e-6 && std::abs(b - back[i]) < 1e-6) ||
                   (std::abs(a - back[i]) < 1e-6 && std::abs(b - supply[i]) < 1e-6),
               std::to_string(a).c_str());
    }
    QVERIFY(hall.looks().loops[1].steady.has_value());
    // The farther away, the more pipe, and the less flow at full speed.
    double last_length = 0.0, last_flow = 1e9;
    for (const double km : {0.02, 0.2, 2.0, 10.0}) {
      WateredHall far;
      for (CoolingUnit& u : far.units)
        if (u.kind == CoolingUnitKind::dry_cooler) {
          u.hall = 0;
          u.x = millimeters(-1500.0 - km * 1e6);
          u.y = millimeters(-6000.0);
        }
      const LoopLooks looks = far.looks();
      const LoopLook& water = looks.loops[1];
      const double length = pipe_to(*water.loop, 0, 0);
      QVERIFY(std::abs(length - km * 1e3) < 2.0 && length > last_length);
      last_length = length;
      if (!water.full) continue;
      QVERIFY(water.full->flow_m3_per_s < last_flow);
      last_flow = water.full->flow_m3_per_s;
    }
  }

  /// ISO 2533: 1,829 m up (Golden, Colorado) the air has 81.2 kPa, at which water boils at 93.9 degC (steam tables); at sea level 101.3 kPa and 100 degC.
  void coolantBoilsUnderTheAirOfTheSite() {
    WateredHall hall;
    QCOMPARE(hall.drawn()[0].atmosphere_pa, 101325.0);
    const double at_the_sea = boils_at_units_c(hall.drawn()[0]);
    ClimatePart golden;
    golden.id = "golden";
    golden.elevation = meters(1829);
    hall.catalog.climates.push_back(golden);
    hall.site.climate_part = "golden";
    const DrawnLoop high = hall.drawn()[0];
    QVERIFY2(std::abs(high.atmosphere_pa - 81.2e3) < 300.0, std::to_string(high.atmosphere_pa).c_str());
    QVERIFY(std::abs(water_boils_c(high.atmosphere_pa) - 93.9) < 0.15);
    QVERIFY(boils_at_units_c(high) < at_the_sea - 1.0);
  }

  /// Whatever fails, what holds has no negative headroom, what does not has none, and none is below -1. Racks that lose
  /// all facility water are counted.
  void holdsAndHeadroomAgree() {
    std::size_t losses = 0;
    for (const double head_kpa : {20.0, 50.0, 80.0, 300.0})
      for (const double supply_c : {5.0, 30.0})
        for (const double outdoor_c : {20.0, 34.0}) {
          WateredHall hall(2, outdoor_c);
          hall.loops[1].supply_temperature = Temperature::from_celsius(supply_c);
          for (CoolingUnit& u : hall.units)
            if (u.kind == CoolingUnitKind::dry_cooler) u.pump_head = kilopascals(head_kpa);
          const LoopLooks looks = hall.looks();
          if (!looks.loops[1].steady) continue;
          auto f = FacilityCoupling(looks.loops[1].loop, loops_that_hang_on(looks, *looks.loops[1].loop)).failures();
          QVERIFY(f.has_value());
          QVERIFY(f->n ? f->healthy_headroom >= 0.0 : f->healthy_headroom <= 0.0);
          f->cases.insert(f->cases.end(), looks.loops[0].outages->failures->cases.begin(),
                          looks.loops[0].outages->failures->cases.end());
          for (const LoopFailure& c : f->cases) {
            QVERIFY(c.headroom >= -1.0);
            QVERIFY2(c.holds ? c.headroom >= 0.0 : c.headroom <= 0.0, c.name.c_str());
            if (!c.behind || c.summary.dry_racks < 2) continue;
            ++losses; // both distribution units without water: all twelve racks
            QVERIFY(!c.behind->temperatures_known);
            QCOMPARE(c.behind->warm_racks, std::size_t(12));
          }
        }
    QVERIFY(losses > 0);
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

  /// Heat rejection that is far too small is an error of its loop, and nothing that hangs on it holds anything.
  void tooLittleHeatRejectionHoldsNothing() {
    for (const CoolingUnitKind kind : {CoolingUnitKind::chiller, CoolingUnitKind::dry_cooler, CoolingUnitKind::cooling_tower})
      // Coolers take more than their rating where the water is hotter: 3 x 20 kW at 16 K would need 20 + 326 degC.
      for (const double kw : {0.001, kind == CoolingUnitKind::chiller ? 100.0 : 20.0}) {
        WateredHall hall(0);
        for (int i = 0; i < 3; ++i)
          hall.add_cooler(-3000.0, -5500.0 + 1500.0 * i, kind).capacity = kilowatts(kw);
        const LoopLooks looks = hall.looks();
        const LoopLook &racks = looks.loops[0], &water = looks.loops[1];
        QVERIFY(racks.steady && water.steady);
        QVERIFY(!racks.steady->temperatures_known && !water.steady->temperatures_known);
        // Three of them against 12 x 102 kW.
        if (kw >= 1.0)
          QVERIFY2(water.trouble.find(kw == 100.0 ? "is 300 kW, and the heat is 1224 kW"
                                                  : "is 60 kW, and the heat is 1224 kW") != std::string::npos,
                   water.trouble.c_str());
        QVERIFY(racks.trouble.find("would boil") != std::string::npos);
        for (const LoopLook* l : {&racks, &water}) {
          const LoopFailures& f = *l->outages->failures;
          QVERIFY(!f.n && !f.n_plus_1 && !f.two_n);
          QCOMPARE(f.healthy_headroom, -1.0);
          for (const LoopFailure& c : f.cases)
            QVERIFY(!c.holds && c.headroom <= 0.0 && c.headroom >= -1.0);
        }
      }
  }

  /// However little or much water its pumps move, and whatever the heat: no coolant beyond its boiling, and the heat
  /// that racks shed is that of units and of coolers, or no temperature is told at all.
  void noCoolantBeyondItsBoiling() {
    int told = 0, unknown = 0;
    for (const double flow_l_per_min : {0.06, 20.0, 200.0, 800.0, 2000.0, 1e5})
      for (const double kw : {1.0, 900.0, 1500.0}) {
        WateredHall hall(2);
        for (CoolingUnit& u : hall.units)
          if (u.kind == CoolingUnitKind::dry_cooler) {
            u.capacity = kilowatts(kw);
            u.flow = cubic_meters_per_second(flow_l_per_min / 60000.0);
          }
        const LoopLooks looks = hall.looks();
        double duty[2] = {0, 0};
        for (std::size_t i = 0; i < 2; ++i) {
          const LoopLook& l = looks.loops[i];
          if (!l.steady) continue;
          // What comes back to units is liquid where it does: its vapour pressure (Antoine's equation, 99 to 374 degC) is
          // below the pressure there.
          double highest = 0.0;
          for (std::size_t u = 0; u < l.steady->units.size(); ++u) {
            const double here = l.steady->node_pressure_pa[l.loop->units[u].returned] + 101325.0;
            QVERIFY(vapour_pressure_pa(l.steady->units[u].return_c) < here * 1.01);
            QVERIFY(l.steady->units[u].supply_c <= l.steady->units[u].return_c);
          }
          for (const double p : l.steady->node_pressure_pa)
            highest = std::max(highest, p + 101325.0);
          for (const SectionFlow& s : l.steady->sections)
            QVERIFY(vapour_pressure_pa(s.temperature_c) < highest * 1.01);
          duty[i] = l.steady->duty_w;
          QCOMPARE(l.steady->temperatures_known, l.trouble.empty());
          if (l.outages && l.outages->failures)
            for (const LoopFailure& f : l.outages->failures->cases)
              QVERIFY(f.summary.hottest_supply_c < 150.0 && (!f.behind || f.behind->hottest_supply_c < 150.0));
        }
        if (looks.loops[0].steady && looks.loops[0].steady->temperatures_known) {
          ++told;
          QVERIFY(std::abs(duty[0] / duty[1] - 1.0) < 1e-6);
        } else
          ++unknown;
      }
    QVERIFY(told > 0 && unknown > 0);
  }

  /// Saturation of IAPWS-IF97's own table of the backward equation, and of steam tables; by Antoine within 1 %.
  void waterBoilsAtItsPressure() {
    QVERIFY(std::abs(water_boils_c(0.1e6) + 273.15 - 372.755919) < 1e-5);
    QVERIFY(std::abs(water_boils_c(1e6) + 273.15 - 453.035632) < 1e-5);
    QVERIFY(std::abs(water_boils_c(10e6) + 273.15 - 584.149488) < 1e-5);
    QVERIFY(std::abs(water_boils_c(101325.0) - 99.974) < 1e-3);
    QVERIFY(std::abs(water_boils_c(0.0) - 0.01) < 0.01 && std::abs(water_boils_c(1e12) - 373.946) < 0.01);
    for (double kpa = 2.0; kpa < 1000.0; kpa *= 1.3)
      QVERIFY(std::abs(vapour_pressure_pa(water_boils_c(kpa * 1e3)) / (kpa * 1e3) - 1.0) < 0.01);
  }

  /// The more the loop is filled to, the hotter its coolant may come back: a return of some 105 degC boils at the pressure
  /// of the air and is liquid at 150 kPa above it.
  void fillPressureKeepsCoolantLiquid() {
    const auto known_at = [](double fill_kpa) {
      WateredHall hall(2, 20.0);
      hall.loops[0].fill_pressure = kilopascals(fill_kpa);
      hall.loops[1].fill_pressure = kilopascals(fill_kpa);
      for (CoolingUnit& u : hall.units)
        if (u.kind == CoolingUnitKind::dry_cooler) u.capacity = kilowatts(91); // returns some 106 degC
      const LoopLooks looks = hall.looks();
      if (!looks.loops[0].steady || !looks.loops[0].steady->temperatures_known) return 0.0;
      return looks.loops[0].steady->units[0].return_c;
    };
    double from = 0.0; // fill at which there is a steady state
    for (const double fill : {-60.0, -30.0, 0.0, 30.0, 60.0, 120.0, 250.0, 500.0}) {
      const double returned = known_at(fill);
      if (from == 0.0 && returned > 0.0) from = fill + 1000.0;
      QVERIFY2(from == 0.0 || returned > 0.0, std::to_string(fill).c_str()); // more pressure never takes it away
      if (returned > 0.0) QVERIFY2(returned > 101.0 && returned < 125.0, std::to_string(returned).c_str());
    }
    QVERIFY2(from > 1000.0 - 60.0 && from <= 1000.0 + 120.0, std::to_string(from).c_str());
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
