// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "engine/power/published_cases.h"
#include "power/circuit_formulas.h"
#include "power/fault_level.h"
#include "power/phase_balance.h"
#include "power/ride_through.h"
#include "power/step_load_swing.h"

using namespace hallwright;

namespace {

bool equals(double got, double wanted, double relative = 1e-9) {
  return std::abs(got - wanted) <= relative * std::max(1e-12, std::abs(wanted));
}
BuswayTap tap(std::int64_t id, double va, TapPhases phases, double cosine = 1.0) {
  BuswayTap t;
  t.id = id;
  t.name = "R" + std::to_string(id);
  t.load = ComplexPower::of(watts(va * cosine), {cosine});
  t.phases = phases;
  return t;
}
BuswayRun run_at(double volts_between_lines) {
  BuswayRun r;
  r.name = "Busway A1";
  r.voltage = LineToLineVoltage::from_volts(volts_between_lines);
  return r;
}
double ampere_of(const PhaseCurrents& c, std::size_t line) { return in_amperes(c.line[line]); }
std::size_t count_of(const std::vector<PhaseProblem>& problems, PhaseProblemKind kind) {
  return static_cast<std::size_t>(std::count_if(problems.begin(), problems.end(), [&](const PhaseProblem& p) { return p.kind == kind; }));
}

using test::published;
bool is(const char* id, double got) {
  const auto cases = published();
  return cases.contains(id) && equals(got, cases[id].value, cases[id].tolerance);
}

/// 1000 racks of 100 kW, 10 s steps of which 2 s wait at 60 %, edges of 0.5 s: from 100 to 60 MW.
TrainingRhythm big_job() {
  TrainingRhythm r;
  r.racks = 1000;
  r.rack_power = kilowatts(100);
  r.communication_share = 0.6;
  r.idle_share = 0.2;
  r.step = seconds(10);
  r.exposed_communication = seconds(2);
  r.edge = seconds(0.5);
  return r;
}

} // namespace

class TestPhasesAndSwing : public QObject {
  Q_OBJECT
private Q_SLOTS:
  // --- phases ---------------------------------------------------------------------------------------------------------

  /// PC-02: nine servers between lines of 208 V, balanced and on two banks alone.
  void loadsBetweenLines() {
    BuswayRun unit = run_at(208);
    unit.rating = amperes(30);
    unit.continuous_load_factor = 0.8;
    const std::vector<BuswayTap> balanced{tap(1, 2060, TapPhases::l1_l2), tap(2, 2060, TapPhases::l2_l3), tap(3, 2060, TapPhases::l3_l1)};
    const PhaseCurrents even = phase_currents(unit, balanced);
    for (std::size_t k = 0; k < 3; ++k) QVERIFY(is("PC-02a", ampere_of(even, k)));
    QVERIFY(in_amperes(even.neutral) < 1e-9 && even.unbalance < 1e-9);
    QVERIFY(phase_problems(unit, balanced, 0.1, 0.03).empty());
    const std::vector<BuswayTap> two{tap(1, 3090, TapPhases::l1_l2), tap(2, 3090, TapPhases::l2_l3)};
    const PhaseCurrents uneven = phase_currents(unit, two);
    QVERIFY(is("PC-02b", ampere_of(uneven, 1)));
    QVERIFY(is("PC-02c", ampere_of(uneven, 0)) && is("PC-02c", ampere_of(uneven, 2)));
    QCOMPARE(uneven.fullest, std::size_t(1));
    // PC-02d: the total of 6180 VA is below 8646 VA, and line 2 is above 24 A.
    const auto problems = phase_problems(unit, two, 1.0, 0.03);
    QCOMPARE(count_of(problems, PhaseProblemKind::line_overload), std::size_t(1));
    QVERIFY2(problems.front().sentence.find("Line 2 of Busway A1 carries 25.7 A; 24.0 A is allowed") == 0, problems.front().sentence.c_str());
    QCOMPARE(problems.front().taps, (std::vector<std::int64_t>{1, 2}));
  }
  /// 23 kW between L1 and neutral of 400/230: 100 A in the line and in the neutral. With L2, too: 100 A in the neutral,
  /// and with all three none. A third harmonic of 30 % leaves 90 A there.
  void neutral() {
    BuswayRun r = run_at(230 * std::sqrt(3.0));
    std::vector<BuswayTap> taps{tap(1, 23000, TapPhases::l1_n)};
    QVERIFY(equals(in_amperes(phase_currents(r, taps).neutral), 100));
    QVERIFY(equals(phase_currents(r, taps).unbalance, 2.0));
    taps.push_back(tap(2, 23000, TapPhases::l2_n));
    QVERIFY(equals(in_amperes(phase_currents(r, taps).neutral), 100));
    taps.push_back(tap(3, 23000, TapPhases::l3_n));
    QVERIFY(in_amperes(phase_currents(r, taps).neutral) < 1e-9);
    r.third_harmonic_share = 0.3;
    QVERIFY(equals(in_amperes(phase_currents(r, taps).neutral), 90));
    // 100, 60 and 20 A: sqrt(100^2 + 60^2 + 20^2 - 6000 - 1200 - 2000) = 69.28 A
    r.third_harmonic_share = 0.0;
    const std::vector<BuswayTap> three{tap(1, 23000, TapPhases::l1_n), tap(2, 13800, TapPhases::l2_n), tap(3, 4600, TapPhases::l3_n)};
    QVERIFY(equals(in_amperes(phase_currents(r, three).neutral), 69.2820323, 1e-8));
    QVERIFY(equals(in_amperes(*neutral_current.function(amperes(100), amperes(60), amperes(20))), 69.2820323, 1e-8));
    r.rating = amperes(100);
    r.neutral_share = 0.5;
    QCOMPARE(count_of(phase_problems(r, three, 10, 1), PhaseProblemKind::neutral_overload), std::size_t(1));
  }
  /// 69 kW at 0.8 in three phases of 400 V: 86.25 kVA, 124.5 A in each line, whatever stands beside it between lines.
  void threePhaseTap() {
    const BuswayRun r = run_at(400);
    const PhaseCurrents c = phase_currents(r, {tap(1, 86250, TapPhases::three_phase, 0.8)});
    for (std::size_t k = 0; k < 3; ++k) QVERIFY(equals(ampere_of(c, k), 86250 / (std::sqrt(3.0) * 400)));
  }
  /// One line at 60 A of 100 A in normal operation carries 110 A with the other side out: 50 A of two cords doubled.
  void onePhaseWithTheOtherSideOut() {
    BuswayRun r = run_at(230 * std::sqrt(3.0));
    r.rating = amperes(100);
    std::vector<BuswayTap> taps{tap(1, 11500, TapPhases::l1_n), tap(2, 2300, TapPhases::l1_n), tap(3, 13800, TapPhases::l2_n), tap(4, 13800, TapPhases::l3_n)};
    taps[0].both_cords = true;
    QVERIFY(phase_problems(r, taps, 0.1, 1).empty());
    const auto out = phase_problems(r, with_other_side_out(taps), 10, 1);
    QCOMPARE(out.size(), std::size_t(1));
    QVERIFY2(out.front().sentence.find("Line 1 of Busway A1 carries 110.0 A; 100.0 A is allowed") == 0, out.front().sentence.c_str());
  }
  /// 7, 6, 5, 4, 3, 3, 2 kW all on L1: 30 in all, 10 on each line is possible (7 + 3, 6 + 4, 5 + 3 + 2).
  void proposal() {
    BuswayRun r = run_at(400);
    std::vector<BuswayTap> taps;
    for (const double kw : {7, 6, 5, 4, 3, 3, 2}) taps.push_back(tap(static_cast<std::int64_t>(taps.size() + 1), kw * 1000, TapPhases::l1_n));
    const PhaseProposal p = propose_phases(r, taps);
    QVERIFY(p.best && p.gap <= 1e-9);
    for (std::size_t k = 0; k < 3; ++k) QVERIFY(equals(ampere_of(p.after, k), 10000 / r.voltage.to_neutral().volts()));
    QVERIFY(!p.changed.empty() && equals(in_amperes(p.before.line[0]), 30000 / r.voltage.to_neutral().volts()));
    // What is kept stays, and what is best already is left alone.
    taps[0].kept = taps[1].kept = true;
    const PhaseProposal kept = propose_phases(r, taps);
    QVERIFY(kept.phases[0] == TapPhases::l1_n && kept.phases[1] == TapPhases::l1_n);
    QVERIFY(kept.best); // 13 on L1 is the least there can be
    for (std::size_t i = 0; i < taps.size(); ++i) taps[i].phases = p.phases[i];
    QVERIFY(propose_phases(r, taps).changed.empty());
    // Four equal loads on three lines: two share one, and that is proven best.
    std::vector<BuswayTap> four;
    for (int k = 0; k < 4; ++k) four.push_back(tap(k + 1, 5000, TapPhases::l2_n));
    const PhaseProposal f = propose_phases(r, four);
    QVERIFY(f.best && equals(in_amperes(f.after.line[f.after.fullest]), 10000 / r.voltage.to_neutral().volts()));
    // Three equal loads between lines: one on each bank.
    const PhaseProposal banks = propose_phases(run_at(208), {tap(1, 2060, TapPhases::l1_l2), tap(2, 2060, TapPhases::l1_l2), tap(3, 2060, TapPhases::l1_l2)});
    QVERIFY(banks.after.unbalance < 1e-9 && is("PC-02a", ampere_of(banks.after, 0)));
  }
  void proposalsAreWithinTheirBound() {
    QVERIFY(rc::check("a proposal is never worse than what was there, and within 4/3 - 1/9 of the best for loads to neutral", [] {
      const int n = *rc::gen::inRange(1, 9);
      std::vector<BuswayTap> taps;
      std::vector<double> loads;
      for (int k = 0; k < n; ++k) {
        loads.push_back(*rc::gen::inRange(1, 100) * 100.0);
        taps.push_back(tap(k + 1, loads.back(), *rc::gen::element(TapPhases::l1_n, TapPhases::l2_n, TapPhases::l3_n)));
      }
      const BuswayRun r = run_at(400);
      const PhaseProposal p = propose_phases(r, taps);
      double best = 1e18; // of all assignments
      int all = 1;
      for (int k = 0; k < n; ++k) all *= 3;
      for (int code = 0; code < all; ++code) {
        double line[3] = {0, 0, 0};
        for (int k = 0, c = code; k < n; ++k, c /= 3) line[c % 3] += loads[static_cast<std::size_t>(k)];
        best = std::min(best, std::max({line[0], line[1], line[2]}));
      }
      best /= r.voltage.to_neutral().volts();
      const double top = in_amperes(p.after.line[p.after.fullest]);
      RC_ASSERT(top <= in_amperes(p.before.line[p.before.fullest]) * (1 + 1e-9));
      RC_ASSERT(top >= best * (1 - 1e-9));
      RC_ASSERT(top <= best * (4.0 / 3.0 - 1.0 / 9.0 + 1e-9));
      RC_ASSERT(in_amperes(p.least_possible) <= best * (1 + 1e-9));
      if (p.best) RC_ASSERT(equals(top, best));
    }));
    QVERIFY(rc::check("the order of taps changes no current", [] {
      std::vector<BuswayTap> taps;
      const int n = *rc::gen::inRange(1, 12);
      for (int k = 0; k < n; ++k)
        taps.push_back(tap(k + 1, *rc::gen::inRange(0, 9000), static_cast<TapPhases>(*rc::gen::inRange(0, 7)), *rc::gen::element(0.8, 0.95, 1.0)));
      const BuswayRun r = run_at(415);
      const PhaseCurrents a = phase_currents(r, taps);
      std::reverse(taps.begin(), taps.end());
      const PhaseCurrents b = phase_currents(r, taps);
      for (std::size_t k = 0; k < 3; ++k) RC_ASSERT(std::abs(in_amperes(a.line[k] - b.line[k])) < 1e-9);
      RC_ASSERT(std::abs(in_amperes(a.neutral - b.neutral)) < 1e-9);
    }));
  }
  /// 100 A at 0.9 in three phases over 50 m of 0.208 + j 0.080 Ohm/km at 400 V: 0.48079 %; by phasors of complex numbers in
  /// another language 0.004807900. A whip of 10 m of the same adds a fifth.
  void voltageDrop() {
    BuswayRun r = run_at(400);
    r.line = {0.208e-3, 0.080e-3};
    BuswayTap t = tap(1, std::sqrt(3.0) * 400 * 100, TapPhases::three_phase, 0.9);
    t.position = meters(50);
    QVERIFY(equals(tap_voltages(r, {t}).front().busway_drop, 0.004807900285817457, 1e-9));
    t.whip_length = meters(10);
    t.whip = r.line;
    QVERIFY(equals(tap_voltages(r, {t}).front().whip_drop, 0.004807900285817457 / 5, 1e-4));
    // Two such taps, at 25 m and 50 m: 200 A on the first half and 100 A on the second.
    BuswayTap near = t, far = t;
    near.position = meters(25);
    near.whip_length = far.whip_length = {};
    const auto both = tap_voltages(r, {far, near});
    QVERIFY(equals(both[0].busway_drop, 0.0048079 * 1.5, 1e-4));
    QVERIFY(equals(both[1].busway_drop, 0.0048079, 1e-4));
    const auto problems = phase_problems(r, {far, near}, 0.1, 0.006);
    QCOMPARE(count_of(problems, PhaseProblemKind::voltage_drop), std::size_t(1));
    QVERIFY(problems.front().sentence.find("0.72 % of its voltage") != std::string::npos);
    // A load to neutral pays for the way there and back: 10 A, 1 m of 1 mOhm/m each way at 230 V: 20 mV.
    BuswayRun plain = run_at(230 * std::sqrt(3.0));
    plain.line = plain.neutral = {1e-3, 0};
    BuswayTap single = tap(1, 2300, TapPhases::l1_n);
    single.position = meters(1);
    QVERIFY(equals(tap_voltages(plain, {single}).front().drop(), 0.02 / 230, 1e-6));
    single.phases = TapPhases::l1_l2;
    QVERIFY(equals(tap_voltages(plain, {single}).front().drop(), 2 * 2300.0 / 398.3717 * 1e-3 / 398.3717, 1e-5));
  }
  /// IEC 60364-5-52, tables B.52.14 (PVC and XLPE) and B.52.17.
  void derating() {
    const auto share = [](double ambient, double conductor) {
      return std::round(100 * ambient_derating(Temperature::from_celsius(ambient), Temperature::from_celsius(conductor))) / 100;
    };
    for (const auto& [ambient, pvc, xlpe] : {std::tuple{10, 1.22, 1.15}, {20, 1.12, 1.08}, {30, 1.00, 1.00}, {40, 0.87, 0.91}, {50, 0.71, 0.82}, {60, 0.50, 0.71}}) {
      QVERIFY(std::abs(share(ambient, 70) - pvc) < 1e-9);
      QVERIFY(std::abs(share(ambient, 90) - xlpe) < 0.0101);
    }
    QCOMPARE(share(80, 70), 0.0);
    QCOMPARE(grouping_derating(1), 1.0);
    QCOMPARE(grouping_derating(3), 0.70);
    QCOMPARE(grouping_derating(10), 0.45);
    QCOMPARE(grouping_derating(100), 0.38);
  }
  void wrongRuns() {
    BuswayRun r = run_at(0);
    QVERIFY(phase_problems(r, {tap(1, 10, TapPhases::l1_n)}, 0.1, 0.03).front().sentence.find("must be above 0") != std::string::npos);
    QCOMPARE(in_amperes(phase_currents(r, {tap(1, 10, TapPhases::l1_n)}).line[0]), 0.0);
    r = run_at(400);
    r.rating = amperes(0);
    BuswayTap t = tap(7, 10, TapPhases::three_phase);
    t.whip_length = meters(-1);
    QCOMPARE(count_of(phase_problems(r, {t}, 0.1, 0.03), PhaseProblemKind::wrong_input), std::size_t(2));
    QVERIFY(propose_phases(r, {}).best && propose_phases(r, {}).gap == 0.0);
  }

  // --- faults ---------------------------------------------------------------------------------------------------------

  /// 630 kVA of 6 % at 400 V on a stiff source: 15.155 kA (times 1.05). 1000 kVA of 6 % with 1.2 % resistive behind 500 MVA
  /// of X/R 10: 24.448 kA, peak 53.822 kA; after 20 m of 0.208 + j 0.080 Ohm/km: 18.843 kA. Two such transformers side by
  /// side on one source: less than twice.
  void faultLevels() {
    QVERIFY(equals(in_amperes(*transformer_fault_current.function(ApparentPower::from_volt_amperes(630e3), volts(400), 0.06, 1.0)), 15155.4446, 1e-8));
    std::vector<OneLineElement> e(4);
    const char* names[] = {"Utility", "Transformer", "Board", "Busway"};
    const PowerUnitKind kinds[] = {PowerUnitKind::utility_feed, PowerUnitKind::transformer, PowerUnitKind::distribution, PowerUnitKind::busway};
    for (std::size_t k = 0; k < 4; ++k) {
      e[k].id = static_cast<Id>(k + 1);
      e[k].name = names[k];
      e[k].kind = kinds[k];
      e[k].upstream = static_cast<Id>(k);
    }
    const OneLine line(e, {});
    std::vector<FaultPath> paths(4);
    paths[0].short_circuit_power = ApparentPower::from_volt_amperes(500e6);
    paths[0].voltage = LineToLineVoltage::from_volts(20000);
    paths[1].rated = ApparentPower::from_volt_amperes(1e6);
    paths[1].impedance_voltage = 0.06;
    paths[1].resistive_part = 0.012;
    paths[1].voltage = LineToLineVoltage::from_volts(400);
    paths[2].rated_current = amperes(1600);
    paths[3].rated_current = amperes(400);
    paths[3].resistance = 0.02 * 0.208;
    paths[3].reactance = 0.02 * 0.080;
    auto levels = fault_levels(line, paths);
    QVERIFY(equals(in_amperes(*levels[0].initial), 1.05 * 500e6 / (std::sqrt(3.0) * 20000)));
    QVERIFY(equals(in_amperes(*levels[1].initial), 24448.20842146659));
    QVERIFY(equals(in_amperes(*levels[1].peak), 53822.308479404994));
    QVERIFY(equals(in_amperes(*levels[3].initial), 18843.490178480763));
    QVERIFY(!levels[3].at_most);
    auto hints = selectivity_hints(line, paths, levels);
    QCOMPARE(hints.size(), std::size_t(1));
    QVERIFY2(!hints[0].selective && hints[0].sentence.find("trips Board at once") != std::string::npos, hints[0].sentence.c_str()); // 18.8 above 16 kA
    paths[2].delay_s = 0.3;
    QVERIFY(selectivity_hints(line, paths, levels)[0].selective);
    paths[3].rated_current = amperes(1250);
    QVERIFY(selectivity_hints(line, paths, levels)[0].sentence.find("only 1.28 times") != std::string::npos);
    paths[0].short_circuit_power.reset(); // not known: an upper bound
    levels = fault_levels(line, paths);
    QVERIFY(levels[1].at_most && equals(in_amperes(*levels[1].initial), 1.05 * 1e6 / (std::sqrt(3.0) * 400 * 0.06)));
    QVERIFY(!levels[0].initial); // nothing limits it
  }
  void transformersSideBySide() {
    std::vector<OneLineElement> e(3);
    for (std::size_t k = 0; k < 3; ++k) e[k].id = static_cast<Id>(k + 1);
    e[1].kind = e[2].kind = PowerUnitKind::transformer;
    e[1].upstream = e[2].upstream = 1;
    e[1].bus = e[2].bus = 9;
    const OneLine line(e, {});
    std::vector<FaultPath> paths(3);
    paths[0].short_circuit_power = ApparentPower::from_volt_amperes(100e6);
    paths[0].source_x_over_r = 1e9;
    for (std::size_t k = 1; k < 3; ++k) {
      paths[k].rated = ApparentPower::from_volt_amperes(1e6);
      paths[k].impedance_voltage = 0.06;
      paths[k].voltage = LineToLineVoltage::from_volts(400);
    }
    // 1/100 + 0.06/2 = 0.04 per MVA: 25 MVA
    QVERIFY(equals(in_amperes(*fault_levels(line, paths, 1.0)[1].initial), 25e6 / (std::sqrt(3.0) * 400), 1e-8));
    paths[1].inverter_share = 2.0; // of 1443 A
    QVERIFY(equals(in_amperes(*fault_levels(line, paths, 1.0)[2].on_battery), 2e6 / (std::sqrt(3.0) * 400), 1e-8));
  }

  /// Three UPS of 500 kW at 400 kW with 300, 300 and 60 s at their rating: 375, 375 and 75 s. Generators of 1.6 MW take 400 kW
  /// at once: the weakest at 10 s, the others at 15 and 20 s. With a start of 80 s the weakest is down by then.
  void batteriesUntilGenerators() {
    std::vector<OneLineElement> e(3);
    std::vector<OneLineLoad> loads(3);
    for (std::size_t k = 0; k < 3; ++k) {
      e[k].id = static_cast<Id>(k + 1);
      e[k].name = "UPS " + std::to_string(k + 1);
      e[k].kind = PowerUnitKind::ups;
      e[k].rating_w = 500e3;
      loads[k].id = static_cast<Id>(10 + k);
      loads[k].draw.real = kilowatts(400);
      loads[k].feed_a = e[k].id;
    }
    const OneLine line(e, loads);
    const PowerFlow flow(line);
    StandbySource standby;
    standby.rating = kilowatts(1600);
    const std::vector<UpsBattery> batteries{{1, seconds(300), 1.0}, {2, seconds(300), 1.0}, {3, seconds(60), 1.0}};
    auto out = ride_through(flow, batteries, standby);
    QVERIFY(out && out->generators_carry_all);
    QCOMPARE(out->ups.front().ups, Id{3});
    QVERIFY(equals(in_seconds(out->ups.front().battery), 75) && equals(in_seconds(out->ups.front().needed), 10));
    QVERIFY(equals(in_seconds(out->ups.back().battery), 375) && equals(in_seconds(out->ups.back().needed), 20));
    standby.start = seconds(80);
    out = ride_through(flow, batteries, standby);
    QVERIFY(!out->ups[0].bridged && out->ups[1].bridged);
    QVERIFY2(out->sentence.find("UPS 3 runs 75 s on its battery at 400 kW; the generators carry it after 80 s") == 0, out->sentence.c_str());
    standby.rating = kilowatts(1000); // carry two of the three
    out = ride_through(flow, batteries, standby);
    QVERIFY(!out->generators_carry_all && out->ups[2].sentence.find("never carry it") != std::string::npos);
    QVERIFY(equals(in_seconds(battery_run_time(seconds(300), 0.5, 1.2)), 300 * std::pow(2.0, 1.2)));
    QVERIFY(ride_through(flow, {{9, seconds(1), 1.0}}, standby).error().find("unit 9, which does not exist") != std::string::npos);
    standby.rating = {};
    QVERIFY(!ride_through(flow, batteries, standby));
  }

  // --- circuits and supplies ------------------------------------------------------------------------------------------

  void publishedCircuits() {
    QVERIFY(is("PC-01a", single_phase_circuit_capacity.function(amperes(20), volts(120), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01b", single_phase_circuit_capacity.function(amperes(30), volts(240), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01c", three_phase_circuit_capacity.function(amperes(20), volts(208), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01d", three_phase_circuit_capacity.function(amperes(30), volts(208), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01e", three_phase_circuit_capacity.function(amperes(60), volts(208), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01f", three_phase_circuit_capacity.function(amperes(60), volts(415), 0.8)->volt_amperes()));
    QVERIFY(is("PC-01g", three_phase_circuit_capacity_to_neutral.function(amperes(63), volts(230), 1.0)->volt_amperes()));
    QVERIFY(is("PC-03a", in_watts(*load_of_supply.function(watts(3000), 6))));
    QVERIFY(is("PC-03b", in_watts(*load_of_supply.function(watts(3000), 3))));
    QVERIFY(is("PC-03c", in_watts(*load_of_supply.function(watts(3000), 3) - *load_of_supply.function(watts(3000), 6))));
    QVERIFY(is("PC-04b", 100 * *module_use.function(ApparentPower::from_volt_amperes(100e3), 3, ApparentPower::from_volt_amperes(50e3))));
    QVERIFY(is("PC-06c", in_kilowatts(*supply_shelf_capacity.function(6, kilowatts(5.5), 1))));
    QVERIFY(is("PC-06d", in_kilowatts(*shelves_with_one_feed_lost.function(8, kilowatts(33), 2))));
    QVERIFY(!supply_shelf_capacity.function(6, kilowatts(5.5), 7) && !three_phase_circuit_capacity.function(amperes(20), volts(208), 0.0));
    QVERIFY(load_of_supply.function(watts(1), 0).error().reason.find("active_supplies") != std::string::npos);
    QCOMPARE(circuit_formulas().size(), std::size_t(9));
  }

  // --- swing of training ----------------------------------------------------------------------------------------------

  /// 8 s at 100 MW, 2 s of which 1 s at 60 MW and two edges of 0.5 s at 80 MW on the mean: (800 + 60 + 80) / 10 = 94 MW.
  void stepsOfAJob() {
    const auto swing = step_load_swing(big_job(), {});
    QVERIFY(swing);
    QVERIFY(equals(in_megawatts(swing->mean), 94));
    QVERIFY(equals(in_megawatts(swing->step_swing), 40));
    QVERIFY(equals(swing->steepest, 80e6)); // 40 MW in 0.5 s
    QVERIFY(equals(in_megawatts(swing->steps.at(seconds(8.25))), 80));
    QVERIFY(equals(in_megawatts(swing->steps.at(seconds(129))), 60));
    QVERIFY(equals(in_megawatts(swing->steps.largest_change(seconds(0.25))), 20));
    QVERIFY(equals(in_megawatts(swing->steps.largest_change(seconds(0.5))), 40));
    QVERIFY(equals(in_megawatts(swing->steps.largest_change(seconds(60))), 40));
    // With a checkpoint each 110 s that stalls 10 s: 10 steps of 940 MJ, 9 s at 20 MW and two edges of 0.5 s at 60 MW.
    TrainingRhythm r = big_job();
    r.checkpoint_interval = seconds(110);
    r.checkpoint_stall = seconds(10);
    const auto written = step_load_swing(r, {});
    QVERIFY(equals(in_megawatts(written->mean), 9640.0 / 110));
    QVERIFY(equals(in_megawatts(written->checkpoint_swing), 80));
    QVERIFY(equals(in_megawatts(written->smallest), 20));
    // Many steps are drawn as their mean in the middle: the same energy.
    r.checkpoint_interval = seconds(36010);
    QVERIFY(equals(in_megawatts(checkpoint_trace(r, 20)->mean()), (3600 * 940 + 240) / 36010.0));
    QVERIFY(equals(in_megawatts(checkpoint_trace(r, 10000)->mean()), (3600 * 940 + 240) / 36010.0));
  }
  void limitsOfThePlant() {
    SwingLimit generator, utility, grid, none;
    generator.name = "Generator 1";
    generator.step = megawatts(25);
    utility.name = "Utility";
    utility.ramp = 50e6 / 60; // 50 MW a minute
    utility.window = seconds(60);
    grid.name = "Grid";
    grid.band_swing = megawatts(10);
    none.name = "UPS";
    TrainingRhythm r = big_job();
    const auto v = step_load_swing(r, {generator, utility, grid, none})->verdicts;
    QVERIFY2(v[0].too_much && v[0].sentence.find("40.0 MW within 1 s; Generator 1 takes 25.0 MW") != std::string::npos, v[0].sentence.c_str());
    QVERIFY2(!v[1].too_much, v[1].sentence.c_str()); // 40 MW within a minute
    QVERIFY2(v[2].too_much && v[2].sentence.find("at 0.1 Hz") != std::string::npos, v[2].sentence.c_str());
    QVERIFY(!v[3].too_much && v[3].sentence == "UPS states no limit");
    r.step = seconds(0.2); // 5 Hz: outside the band
    r.exposed_communication = seconds(0.04);
    r.edge = seconds(0.01);
    QVERIFY(!step_load_swing(r, {grid})->verdicts[0].too_much);
  }
  /// The mean is 94 MW: a battery gives 6 MW for 8 s and less on the edges (0.075 s of each, down to 0): 48.45 MJ.
  void waysToSmooth() {
    const auto battery = battery_smoothing(big_job(), 0.9, false);
    QVERIFY(battery);
    QVERIFY(equals(in_megawatts(battery->storage_power), 34));
    const double through = 6e6 * 8 + 2 * 0.5 * 6e6 * 0.075;
    QVERIFY(equals(base_value(battery->storage_energy), through));
    QVERIFY(equals(in_watts(battery->mean_extra), through * (1 / 0.9 - 1) / 10));
    QVERIFY(equals(battery->cycles_per_day, 8640));
    QVERIFY(equals(in_watts(battery->swing_after), 0, 1e-9));
    // A floor of 90 % leaves 10 MW: 100 MW for 8 s, 90 MW for 1 s and 95 MW for 1 s instead of 940 MJ.
    const auto floor = floor_smoothing(big_job(), 0.9);
    QVERIFY(equals(in_megawatts(floor->swing_after), 10));
    QVERIFY(equals(in_megawatts(floor->mean_extra), (100 * 8 + 90 + 95 - 940) / 10.0));
    QVERIFY(equals(in_watts(floor_smoothing(big_job(), 0.0)->mean_extra), 0.0));
    // Five groups shifted by 2 s: one of the five waits at any time.
    const auto groups = staggered_smoothing(big_job(), 5);
    QVERIFY2(in_megawatts(groups->swing_after) < 40.0 / 5 + 1e-9, groups->sentence.c_str());
    QVERIFY(equals(in_megawatts(staggered_smoothing(big_job(), 1)->swing_after), 40));
    // FF-199: 65 J a GPU are 4.68 kJ a rack of 72: 33 ms at 142 kW.
    QVERIFY(equals(72 * 65 / 142e3, 0.033, 0.01));
  }
  void wrongRhythms() {
    const auto says = [](auto change, const char* words) {
      TrainingRhythm r = big_job();
      change(r);
      const auto t = step_load_swing(r, {});
      return !t && t.error().find(words) != std::string::npos;
    };
    QVERIFY(says([](TrainingRhythm& r) { r.racks = 0; }, "1 or more; it is 0"));
    QVERIFY(says([](TrainingRhythm& r) { r.rack_power = {}; }, "above 0 W"));
    QVERIFY(says([](TrainingRhythm& r) { r.communication_share = 1.2; }, "0 to 100 %; it is 120 %"));
    QVERIFY(says([](TrainingRhythm& r) { r.step = {}; }, "above 0 s"));
    QVERIFY(says([](TrainingRhythm& r) { r.exposed_communication = seconds(11); }, "0 s to the step of 10 s"));
    QVERIFY(says([](TrainingRhythm& r) { r.checkpoint_stall = seconds(1); }, "checkpoint stall"));
    QVERIFY(says([](TrainingRhythm& r) { r.edge = {}; }, "edge"));
    QVERIFY(!battery_smoothing(big_job(), 0, false) && !floor_smoothing(big_job(), 2) && !staggered_smoothing(big_job(), 0));
  }
  void lawsOfSwing() {
    QVERIFY(rc::check("the mean lies between the extremes, and racks scale all alike", [] {
      TrainingRhythm r = big_job();
      r.step = seconds(*rc::gen::inRange(1, 300) / 10.0);
      r.exposed_communication = *rc::gen::inRange(0, 11) / 10.0 * r.step;
      r.edge = seconds(*rc::gen::inRange(1, 100) / 100.0);
      r.communication_share = *rc::gen::inRange(0, 11) / 10.0;
      const auto one = step_load_swing(r, {});
      RC_ASSERT(one.has_value());
      RC_ASSERT(one->mean <= one->largest * (1 + 1e-12) && one->mean >= one->smallest * (1 - 1e-12));
      RC_ASSERT(one->steps.largest_change(r.step) <= one->step_swing * (1 + 1e-12));
      r.racks *= 3;
      const auto three = step_load_swing(r, {});
      RC_ASSERT(equals(in_watts(three->mean), 3 * in_watts(one->mean)));
      RC_ASSERT(equals(in_watts(three->step_swing), 3 * in_watts(one->step_swing)));
      const Count groups = *rc::gen::inRange<Count>(1, 9);
      RC_ASSERT(staggered_smoothing(r, groups)->swing_after <= three->step_swing * (1 + 1e-9));
    }));
  }
};

QTEST_APPLESS_MAIN(TestPhasesAndSwing)
#include "test_phases_and_swing.moc"
