// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "engine/power/powered_hall.h"
#include "engine/power/published_cases.h"
#include "power/one_line_tables.h"
#include "power/power_growth.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool equals(double got, double wanted, double relative = 1e-9) {
  return std::abs(got - wanted) <= relative * std::max(1e-12, std::abs(wanted));
}

OneLineElement element(Id id, const std::string& name, PowerUnitKind kind, double rating_kw, Id upstream = 0, Feed side = Feed::both) {
  OneLineElement e;
  e.id = id;
  e.name = name;
  e.kind = kind;
  e.rating_w = rating_kw * 1000.0;
  e.upstream = upstream;
  e.side = side;
  return e;
}
OneLineLoad rack_load(Id id, double kw, Id a, Id b = 0, Count gpus = 8) {
  OneLineLoad l;
  l.id = id;
  l.draw.real = kilowatts(kw);
  l.feed_a = a;
  l.feed_b = b;
  l.gpus = l.job_gpus = gpus;
  return l;
}
std::vector<OneLineLoad> racks(Count count, double kw, Id a, Id b = 0, Id first = 1000) {
  std::vector<OneLineLoad> out;
  for (Count k = 0; k < count; ++k) out.push_back(rack_load(first + k, kw, a, b));
  return out;
}
/// Two UPS and two busways, 10 racks of 140 kW on both.
OneLine two_sides(double ups_kw, double load_kw_each, double bus_kw = 1e6) {
  return OneLine({element(1, "UPS A", PowerUnitKind::ups, ups_kw, 0, Feed::a), element(2, "UPS B", PowerUnitKind::ups, ups_kw, 0, Feed::b),
                  element(3, "Busway A", PowerUnitKind::busway, bus_kw, 1, Feed::a), element(4, "Busway B", PowerUnitKind::busway, bus_kw, 2, Feed::b)},
                 racks(10, load_kw_each, 3, 4));
}
const ContingencyCase& case_of(const ContingencySweep& sweep, Id out) {
  for (const ContingencyCase& c : sweep.cases)
    if (c.out == std::vector<Id>{out}) return c;
  throw std::runtime_error("no such case");
}
double output_kw(const PowerFlow& flow, Id id) { return flow.output_watts(static_cast<std::size_t>(flow.one_line().index(id))) / 1000.0; }
bool tells(const OneLine& line, OneLineIssueKind kind, const std::string& words) {
  for (const OneLineIssue& issue : line.issues())
    if (issue.kind == kind && issue.sentence.find(words) != std::string::npos) return true;
  return false;
}
std::string issues_of(const OneLine& line) {
  std::string out;
  for (const OneLineIssue& issue : line.issues()) out += issue.sentence + "\n";
  return out;
}

using test::published;

/// A drawn one-line at random: sources, UPS (some on a bus, some with a second source), busways, racks on one or two.
struct RandomOneLine {
  std::vector<OneLineElement> elements;
  std::vector<OneLineLoad> loads;
};
RandomOneLine any_one_line(bool losses, bool seconds_too) {
  RandomOneLine out;
  const int sources = *rc::gen::inRange(1, 4), middle = *rc::gen::inRange(1, 6), ends = *rc::gen::inRange(1, 7);
  Id next = 1;
  const auto rating = [] { return *rc::gen::inRange(50, 2000) * 1.0; };
  for (int k = 0; k < sources; ++k) {
    out.elements.push_back(element(next, "S" + std::to_string(next), PowerUnitKind::transformer, rating() * 3));
    if (losses) out.elements.back().losses = *LossLaw::no_load_and_load(0.002, 0.011);
    ++next;
  }
  for (int k = 0; k < middle; ++k) {
    const Id up = *rc::gen::inRange<Id>(1, sources + 1);
    out.elements.push_back(element(next, "U" + std::to_string(next), PowerUnitKind::ups, rating(), up));
    OneLineElement& e = out.elements.back();
    if (losses) e.losses = *LossLaw::curve({{0.25, 0.97}, {0.5, 0.973}, {0.75, 0.97}, {1.0, 0.964}});
    if (*rc::gen::inRange(0, 4) == 0) e.bus = 1000;
    if (seconds_too && *rc::gen::inRange(0, 3) == 0) e.alternate = *rc::gen::inRange<Id>(1, sources + 1);
    ++next;
  }
  for (int k = 0; k < ends; ++k) {
    out.elements.push_back(element(next, "B" + std::to_string(next), PowerUnitKind::busway, rating(), *rc::gen::inRange<Id>(sources + 1, sources + middle + 1)));
    OneLineElement& e = out.elements.back();
    if (losses) e.losses = *LossLaw::constant(0.99);
    if (seconds_too && *rc::gen::inRange(0, 3) == 0) e.alternate = *rc::gen::inRange<Id>(sources + 1, sources + middle + 1);
    ++next;
  }
  const Id first_end = sources + middle + 1;
  const int count = *rc::gen::inRange(1, 40);
  for (int k = 0; k < count; ++k) {
    OneLineLoad l = rack_load(1000 + k, *rc::gen::inRange(1, 140), *rc::gen::inRange<Id>(first_end, next), 0);
    if (*rc::gen::inRange(0, 5) != 0) l.feed_b = *rc::gen::inRange<Id>(first_end, next);
    l.draw.reactive = ReactivePower::from_vars(*rc::gen::inRange(0, 30) * 1000.0);
    out.loads.push_back(l);
  }
  return out;
}

} // namespace

class TestOneLine : public QObject {
  Q_OBJECT
private Q_SLOTS:
  // --- types of power -------------------------------------------------------------------------------------------------

  /// 100 kW at 0.8 is 75 kvar and 125 kVA; with 100 kW at 1 that is 200 kW, 75 kvar and 213.6 kVA, and not 225.
  void realReactiveAndApparent() {
    const ComplexPower lagging = ComplexPower::of(kilowatts(100), {0.8});
    QVERIFY(equals(lagging.reactive.vars(), 75e3));
    QVERIFY(equals(lagging.apparent().volt_amperes(), 125e3));
    const ComplexPower both = lagging + ComplexPower::of(kilowatts(100), {1.0});
    QVERIFY(equals(both.apparent().volt_amperes(), 213600.0936, 1e-8));
    QVERIFY(equals(both.factor().cosine, 200.0 / 213.6000936, 1e-8));
    static_assert(!std::is_convertible_v<ApparentPower, Power> && !std::is_convertible_v<ReactivePower, Power> &&
                  !std::is_convertible_v<LineToLineVoltage, LineToNeutralVoltage>);
  }
  /// PC-01: the same breaker by the voltage between lines and by that to neutral.
  void voltagesBetweenLinesAndToNeutral() {
    const auto cases = published();
    QVERIFY(equals(0.8 * three_phase_power(amperes(30), LineToLineVoltage::from_volts(208)).volt_amperes(), cases["PC-01d"].value, cases["PC-01d"].tolerance));
    QVERIFY(equals(three_phase_power(amperes(63), LineToNeutralVoltage::from_volts(230)).volt_amperes(), cases["PC-01g"].value, cases["PC-01g"].tolerance));
    QVERIFY(equals(LineToLineVoltage::from_volts(480).to_neutral().volts(), 277.128129, 1e-8));
    QVERIFY(equals(in_amperes(line_current(ApparentPower::from_volt_amperes(43470), LineToNeutralVoltage::from_volts(230))), 189));
    QVERIFY(equals(in_amperes(line_current(ApparentPower::from_volt_amperes(8646), LineToLineVoltage::from_volts(208))), 24, 1e-4));
  }

  // --- losses at the load that is carried -----------------------------------------------------------------------------

  /// Racks of 200 kW; busway 99 %: 202.02 in. UPS of 400 kW at 50.5 %: 0.973 - 0.003 * 0.00505 / 0.25 = 97.294 %, 207.639
  /// in. Transformer of 1000 kW: 2 + 10 * 0.207639^2 = 2.4311 kW, 210.070 in. 20 kW of plant more on the UPS makes 222.02.
  void handWorkedChain() {
    std::vector<OneLineElement> e{element(1, "Utility", PowerUnitKind::utility_feed, 5000), element(2, "Transformer", PowerUnitKind::transformer, 1000, 1),
                                  element(3, "UPS", PowerUnitKind::ups, 400, 2), element(4, "Busway", PowerUnitKind::busway, 500, 3)};
    e[1].losses = *LossLaw::no_load_and_load(0.002, 0.010);
    e[2].losses = *LossLaw::curve({{1.0, 0.964}, {0.25, 0.97}, {0.5, 0.973}, {0.75, 0.97}});
    e[3].losses = *LossLaw::constant(0.99);
    e[3].usable_share = 0.8;
    e[3].output_voltage = LineToLineVoltage::from_volts(400);
    const OneLine line(e, racks(2, 100, 4));
    PowerFlow flow(line);
    QVERIFY(equals(flow.input_watts(3), 202020.20202020202));
    QVERIFY(equals(flow.input_watts(2), 207639.0402923558));
    QVERIFY(equals(flow.loss_watts(1), 2431.1397105353056));
    QVERIFY(equals(flow.input_watts(0), 210070.1800028911));
    QVERIFY(equals(flow.headroom(3), 1 - 200.0 / 400.0));
    QVERIFY(equals(in_amperes(*flow.at(3).output_line_current), 200e3 / (std::sqrt(3.0) * 400)));
    QVERIFY(!flow.at(2).output_line_current);
    QVERIFY(equals(flow.totals().power_usage_effectiveness, 1.0503509));
    const OneLine cooled(e, racks(2, 100, 4), {}, {{"pumps", {watts(20e3), {}}, {{3, 0, 1.0}}}});
    QVERIFY(equals(output_kw(PowerFlow(cooled), 3), 222.02020202020202));
    // Nothing on it: the transformer alone draws.
    const OneLine idle(e, {});
    QVERIFY(equals(in_watts(PowerFlow(idle).totals().sources.real), 2000));
  }
  /// PC-05: 10 MW of IT through 99 %, 97 % and 99 %, 400 kW on the UPS and 1010 kW on the transformers.
  void publishedRollUp() {
    const auto cases = published();
    std::vector<OneLineElement> e{element(2, "Transformer", PowerUnitKind::transformer, 20000), element(3, "UPS", PowerUnitKind::ups, 14000, 2),
                                  element(4, "Distribution", PowerUnitKind::distribution, 20000, 3)};
    e[0].losses = *LossLaw::constant(0.99);
    e[1].losses = *LossLaw::constant(0.97);
    e[2].losses = *LossLaw::constant(0.99);
    const OneLine line(e, racks(100, 100, 4), {},
                       {{"pumps", {watts(400e3), {}}, {{3, 0, 1.0}}}, {"fans, heat rejection", {watts(1010e3), {}}, {{2, 0, 1.0}}}});
    const PowerFlow flow(line);
    QVERIFY(equals(output_kw(flow, 3), cases["PC-05a"].value, cases["PC-05a"].tolerance));
    QVERIFY(equals(in_kilowatts(flow.totals().sources.real), cases["PC-05b"].value, cases["PC-05b"].tolerance));
    QVERIFY(equals(flow.totals().power_usage_effectiveness, cases["PC-05c"].value, cases["PC-05c"].tolerance));
  }
  /// A transformer of 1000 kW with 2 kW at no load and 10 kW more at full load: PUE 1.012 at 1000 kW, 1.009 at 500 kW (2 +
  /// 2.5 kW), 1.021 at 100 kW (2 + 0.1 kW); without load 2 kW and no ratio.
  void partLoad() {
    std::vector<OneLineElement> e{element(1, "Transformer", PowerUnitKind::transformer, 1000)};
    e[0].losses = *LossLaw::no_load_and_load(0.002, 0.010);
    const OneLine line(e, racks(10, 100, 1));
    const double shares[] = {1.0, 0.5, 0.1, 0.0};
    const auto at = part_loads(line, shares);
    QVERIFY(equals(at[0].totals.power_usage_effectiveness, 1.012));
    QVERIFY(equals(at[1].totals.power_usage_effectiveness, 1.009));
    QVERIFY(equals(at[2].totals.power_usage_effectiveness, 1.021));
    QVERIFY(std::isnan(at[3].totals.power_usage_effectiveness) && equals(in_watts(at[3].totals.losses), 2000));
  }
  /// PC-06a: 120 kW on a busbar of 48 V are 2500 A; PC-06b: 800 V take a 14.8th of what 54 V take.
  void directCurrent() {
    const auto cases = published();
    const auto current = [](double volts_of_bus) {
      std::vector<OneLineElement> e{element(1, "Shelves", PowerUnitKind::distribution, 132)};
      e[0].direct_voltage = volts(volts_of_bus);
      const OneLine line(e, {rack_load(9, 120, 1)});
      return in_amperes(*PowerFlow(line).at(0).output_direct_current);
    };
    QVERIFY(equals(current(48), cases["PC-06a"].value, cases["PC-06a"].tolerance));
    QVERIFY(equals(current(54) / current(800), cases["PC-06b"].value, cases["PC-06b"].tolerance));
  }
  void lawsOfLoss() {
    QVERIFY(LossLaw::constant(0.0).error().find("0 %") != std::string::npos);
    QVERIFY(!LossLaw::constant(1.01) && !LossLaw::curve({}) && !LossLaw::curve({{0.5, 0.9}, {0.5, 0.9}}) && !LossLaw::no_load_and_load(-0.1, 0));
    QVERIFY(LossLaw::curve({{0.25, 0.5}, {0.26, 0.9}}).error().find("draws less") != std::string::npos);
    const LossLaw curve = *LossLaw::curve({{0.25, 0.97}, {0.5, 0.973}, {0.75, 0.97}, {1.0, 0.964}});
    QVERIFY(equals(curve.loss(100, 0.625, 160), 100 * (1 / 0.9715 - 1)));
    QVERIFY(equals(curve.loss(10, 0.1, 100), 10 * (1 / 0.97 - 1)));
    QVERIFY(equals(curve.loss(120, 1.2, 100), 120 * (1 / 0.9592 - 1)));
    // 630 kVA at full load: 1.65 kW + 1.206 % = 9.2478 kW (FF-186)
    QVERIFY(equals(LossLaw::no_load_and_load(1.65 / 630, 0.01206)->loss(630e3, 1, 630e3), 9247.8, 1e-9));
  }

  // --- who takes over -------------------------------------------------------------------------------------------------

  /// PC-03: 1500 W on each side, 3000 W on the one that is left.
  void twoSides() {
    const auto cases = published();
    const OneLine line({element(1, "A", PowerUnitKind::busway, 10), element(2, "B", PowerUnitKind::busway, 10)}, {rack_load(9, 3, 1, 2)});
    PowerFlow flow(line);
    QVERIFY(equals(flow.output_watts(0), cases["PC-03e"].value / 2));
    const std::size_t out[] = {0};
    flow.solve(out);
    QVERIFY(equals(flow.output_watts(1), cases["PC-03e"].value));
    QVERIFY(!flow.live(0) && flow.output_watts(0) == 0.0);
  }
  /// PC-06d: eight shelves of 33 kW, four on each feed: 132 kW bear a rack of 132 kW and not one of 142 kW.
  void suppliesOnOneFeed() {
    for (const double kw : {132.0, 142.0}) {
      OneLineLoad load = rack_load(9, kw, 1, 2, 72);
      load.one_feed_capacity_w = published()["PC-06d"].value * 1000;
      const OneLine line({element(1, "A", PowerUnitKind::busway, 500), element(2, "B", PowerUnitKind::busway, 500)}, {load});
      const ContingencyCase c = PowerContingencies(line).with_out({1});
      QCOMPARE(c.racks_short, Count{kw > 132 ? 1 : 0});
      QCOMPARE(c.racks_dark, Count{0});
      QCOMPARE(c.racks_on_one_feed, Count{1});
    }
  }
  /// PC-04: 100 kVA on m modules of which one may fail.
  void modulesOnOneBus() {
    const auto cases = published();
    const std::pair<const char*, int> rows[] = {{"PC-04a", 2}, {"PC-04b", 3}, {"PC-04c", 4}, {"PC-04d", 5}};
    for (const auto& [id, modules] : rows) {
      std::vector<OneLineElement> e;
      for (int m = 1; m <= modules; ++m) {
        e.push_back(element(m, "UPS " + std::to_string(m), PowerUnitKind::ups, 100.0 / (modules - 1)));
        e.back().bus = 77;
      }
      e.push_back(element(50, "Panel", PowerUnitKind::distribution, 200, 1));
      const OneLine line(e, racks(10, 10, 50));
      const PowerContingencies contingencies(line);
      const auto sweep = contingencies.single_failures();
      const PowerFlow normal(line);
      QVERIFY2(equals(normal.load_share(0) * 100, cases[id].value, cases[id].tolerance), id);
      // The module that the panel is drawn on is out: the others carry on, all full.
      const PowerFlow one_out = contingencies.flow(case_of(sweep, 1));
      QVERIFY(equals(one_out.load_share(1), 1.0));
      QCOMPARE(case_of(sweep, 1).racks_dark, Count{0});
      QVERIFY(case_of(sweep, 1).overloaded.empty());
      // The panel itself is behind no other.
      QCOMPARE(case_of(sweep, 50).racks_dark, Count{10});
      QVERIFY(equals(case_of(sweep, 50).job_share_dark, 1.0));
    }
  }
  /// Four UPS of 500 kW to make three: six pairs of 250 kW. 375 kW each; with one out 500 kW on each of the three.
  void fourToMakeThree() {
    std::vector<OneLineElement> e;
    for (Id k = 1; k <= 4; ++k) e.push_back(element(k, "UPS " + std::to_string(k), PowerUnitKind::ups, 500));
    std::vector<OneLineLoad> loads;
    Id next = 100;
    for (Id a = 1; a <= 4; ++a)
      for (Id b = a + 1; b <= 4; ++b)
        for (int k = 0; k < 5; ++k) loads.push_back(rack_load(next++, 50, a, b));
    const OneLine line(e, loads);
    const PowerContingencies contingencies(line);
    const auto single = contingencies.single_failures();
    QVERIFY(equals(single.elements[0].normal_w, 375e3));
    QVERIFY(equals(single.elements[0].worst_w, 500e3));
    QVERIFY(std::abs(single.worst_headroom()) < 1e-9);
    const auto pairs = contingencies.maintenance_and_failure();
    const auto proven = proven_redundancy(contingencies, single, pairs);
    QVERIFY(proven.survives_any_failure && !proven.survives_maintenance);
    QCOMPARE(proven.proven, Redundancy::n_plus_1);
    // Two out: their common 5 racks go dark, each of the others carries 125 + 250 + 250 = 625 kW.
    QCOMPARE(pairs.cases.size(), std::size_t(6));
    QCOMPARE(pairs.cases.front().racks_dark, Count{5});
    QVERIFY(equals(pairs.cases.front().worst_load_w, 625e3));
  }
  /// Three blocks of 500 kW with 450 kW each, and a catcher of 500 kW behind transfer switches.
  void blocksWithCatcher() {
    std::vector<OneLineElement> e{element(9, "Catcher", PowerUnitKind::ups, 500)};
    std::vector<OneLineLoad> loads;
    for (Id k = 1; k <= 3; ++k) {
      e.push_back(element(k, "UPS " + std::to_string(k), PowerUnitKind::ups, 500));
      e.push_back(element(10 + k, "Distribution " + std::to_string(k), PowerUnitKind::distribution, 600, k));
      e.back().alternate = 9;
      for (const OneLineLoad& l : racks(9, 50, 10 + k, 0, 100 * k)) loads.push_back(l);
    }
    const OneLine line(e, loads);
    QVERIFY2(line.issues().empty(), issues_of(line).c_str());
    const PowerContingencies contingencies(line);
    const ContingencyCase one = contingencies.with_out({2});
    const PowerFlow flow = contingencies.flow(one);
    QVERIFY(equals(output_kw(flow, 9), 450));
    QVERIFY(flow.at(static_cast<std::size_t>(line.index(12))).on_alternate);
    QCOMPARE(flow.at(static_cast<std::size_t>(line.index(12))).fed_by, Id{9});
    QVERIFY(one.racks_dark == 0 && one.overloaded.empty());
    // Two blocks at once: 900 kW on the catcher, 180 %: it drops out and both blocks go dark.
    const ContingencyCase two = contingencies.with_out({1, 3});
    QCOMPARE(two.cascade.size(), std::size_t(1));
    QCOMPARE(two.cascade.front().element, Id{9});
    QVERIFY(equals(two.cascade.front().load_share, 1.8));
    QCOMPARE(two.racks_dark, Count{18});
    QVERIFY(equals(two.job_share_dark, 2.0 / 3.0));
    QVERIFY(contingencies.sentence(two).find("Catcher drops out at 180 %") != std::string::npos);
    QCOMPARE(contingencies.racks_dark(two).front(), Id{100});
    // The catcher itself in maintenance, then a block fails.
    QCOMPARE(contingencies.with_out({9, 1}).racks_dark, Count{9});
  }
  /// Three UPS "to make two" at 400, 400 and 200 kW of uneven pairs: 700 kW on one of 500 kW; above 125 % it trips, and
  /// so does the next.
  void unevenPairsTrip() {
    std::vector<OneLineElement> e;
    for (Id k = 1; k <= 3; ++k) e.push_back(element(k, "UPS " + std::to_string(k), PowerUnitKind::ups, 500));
    std::vector<OneLineLoad> loads = racks(60, 10, 1, 2, 100);
    for (const OneLineLoad& l : racks(20, 10, 1, 3, 200)) loads.push_back(l);
    for (const OneLineLoad& l : racks(20, 10, 2, 3, 300)) loads.push_back(l);
    for (OneLineElement& u : e) u.trip_share = 1.5;
    const OneLine borne(e, loads);
    const ContingencyCase c = PowerContingencies(borne).with_out({1});
    QCOMPARE(c.worst_element, Id{2});
    QVERIFY(equals(c.worst_headroom, 1 - 1.4));
    QCOMPARE(c.overloaded, std::vector<Id>{2});
    for (OneLineElement& u : e) u.trip_share = 1.25;
    const OneLine trips(e, loads);
    const ContingencyCase gone = PowerContingencies(trips).with_out({1});
    QCOMPARE(gone.cascade.front().element, Id{2});
    QCOMPARE(gone.racks_dark, Count{60}); // those on 1 and 2; UPS 3 bears the other 400 kW
    QCOMPARE(gone.cascade.size(), std::size_t(1));
    QVERIFY(equals(output_kw(PowerContingencies(trips).flow(gone), 3), 400));
    QCOMPARE(gone.worst_element, Id{2}); // as it tripped
    QVERIFY(equals(gone.worst_load_w, 700e3) && equals(gone.worst_headroom, 1 - 1.4));
  }
  /// Two trunks of 2000 A at 75.5 % each are not two paths: 151 % after one fails.
  void trunksThatShare() {
    const OneLine line = two_sides(1000, 151); // 755 kW each
    const auto sweep = PowerContingencies(line).single_failures();
    const ContingencyCase& c = case_of(sweep, 1);
    QCOMPARE(c.cascade.size(), std::size_t(1));
    QVERIFY(equals(c.cascade.front().load_share, 1.51));
    QCOMPARE(c.racks_dark, Count{10});
    QVERIFY(equals(sweep.elements[1].worst_headroom, 1 - 1.51));
    const auto proven = proven_redundancy(PowerContingencies(line), sweep, PowerContingencies(line).normal_only());
    QCOMPARE(proven.proven, Redundancy::n);
    QVERIFY(proven.why.find("UPS B") != std::string::npos || proven.why.find("UPS A") != std::string::npos);
    // With room for all it is 2N.
    const OneLine good = two_sides(2000, 151);
    const PowerContingencies contingencies(good);
    QCOMPARE(proven_redundancy(contingencies, contingencies.single_failures(), contingencies.maintenance_and_failure()).proven, Redundancy::two_n);
  }
  /// One utility feed above two sides: 2N of UPS and distribution, and not of the utility.
  void oneUtilityAboveTwoSides() {
    std::vector<OneLineElement> e{element(9, "Utility", PowerUnitKind::utility_feed, 5000)};
    const OneLine sides = two_sides(2000, 100);
    e.insert(e.end(), sides.elements().begin(), sides.elements().end());
    e[1].upstream = e[2].upstream = 9;
    const OneLine line(e, racks(10, 100, 3, 4));
    const PowerContingencies contingencies(line);
    const auto proven = proven_redundancy(contingencies, contingencies.single_failures(), contingencies.normal_only());
    QCOMPARE(proven.proven, Redundancy::two_n);
    QVERIFY(!proven.survives_any_failure && !proven.survives_maintenance);
    QVERIFY2(proven.why.find("With Utility out, 10 racks with 80 GPUs (100.0 % of the job's) go dark") == 0, proven.why.c_str());
  }
  /// Two switchboards tied to each other: each feeds the other's racks when its own source is gone; with both gone none.
  void tiedSwitchboards() {
    std::vector<OneLineElement> e{element(1, "Source 1", PowerUnitKind::utility_feed, 1000), element(2, "Source 2", PowerUnitKind::utility_feed, 1000),
                                  element(3, "Board 1", PowerUnitKind::distribution, 1000, 1), element(4, "Board 2", PowerUnitKind::distribution, 1000, 2)};
    e[2].alternate = 4;
    e[3].alternate = 3;
    std::vector<OneLineLoad> loads = racks(4, 100, 3, 0, 100);
    for (const OneLineLoad& l : racks(3, 100, 4, 0, 200)) loads.push_back(l);
    const OneLine line(e, loads);
    QVERIFY2(line.issues().empty(), issues_of(line).c_str());
    QVERIFY(line.order().empty());
    const PowerContingencies contingencies(line);
    const ContingencyCase one = contingencies.with_out({1});
    const PowerFlow flow = contingencies.flow(one);
    QVERIFY(equals(output_kw(flow, 4), 700));
    QVERIFY(equals(output_kw(flow, 3), 400));
    QVERIFY(equals(output_kw(flow, 2), 700));
    QCOMPARE(contingencies.with_out({1, 2}).racks_dark, Count{7});
    QCOMPARE(contingencies.with_out({3}).racks_dark, Count{4});
  }
  /// A generator behind the utility.
  void generatorTakesOver() {
    std::vector<OneLineElement> e{element(1, "Utility", PowerUnitKind::utility_feed, 1000), element(2, "Generator", PowerUnitKind::generator, 500),
                                  element(3, "Main board", PowerUnitKind::distribution, 2000, 1)};
    e[2].alternate = 2;
    const OneLine line(e, racks(5, 90, 3));
    const ContingencyCase c = PowerContingencies(line).with_out({1});
    QCOMPARE(c.worst_element, Id{2});
    QVERIFY(equals(c.worst_headroom, 0.1));
    QCOMPARE(PowerContingencies(line).with_out({1, 2}).racks_dark, Count{5});
  }

  // --- what is drawn wrong --------------------------------------------------------------------------------------------

  void wrongDrawings() {
    std::vector<OneLineElement> e{element(1, "Ring 1", PowerUnitKind::distribution, 100, 2), element(2, "Ring 2", PowerUnitKind::distribution, 100, 1),
                                  element(3, "Own tail", PowerUnitKind::ups, 100, 3),         element(4, "UPS", PowerUnitKind::ups, 0),
                                  element(5, "Lost", PowerUnitKind::busway, 100, 77),         element(6, "Busway", PowerUnitKind::busway, 100, 4),
                                  element(7, "Spare", PowerUnitKind::busway, 100, 4),         element(4, "Twin", PowerUnitKind::ups, 100)};
    e[3].alternate = 6; // fed by itself
    e[4].alternate = 88;
    e[5].alternate = 4;
    std::vector<OneLineLoad> loads{rack_load(100, 10, 1), rack_load(101, 10, 0), rack_load(102, 10, 6, 6), rack_load(103, -5, 6), rack_load(104, 10, 55, 6)};
    const OneLine line(e, loads, {"R100", "R101", "R102", "R103", "R104"});
    QVERIFY2(tells(line, OneLineIssueKind::loop, "Ring 1 and Ring 2 feed each other in a circle"), issues_of(line).c_str());
    QVERIFY(tells(line, OneLineIssueKind::loop, "Own tail is fed from itself"));
    QVERIFY(tells(line, OneLineIssueKind::zero_rating, "The rating of UPS is 0 kW; it must be above 0"));
    QVERIFY(tells(line, OneLineIssueKind::missing_upstream, "Lost is fed from unit 77, which does not exist"));
    QVERIFY(tells(line, OneLineIssueKind::missing_alternate, "Lost has unit 88"));
    QVERIFY(tells(line, OneLineIssueKind::back_feed, "UPS has Busway as its second source, which it feeds itself"));
    QVERIFY(tells(line, OneLineIssueKind::double_connection, "Busway has UPS as its first and as its second source"));
    QVERIFY(tells(line, OneLineIssueKind::double_connection, "R102 has one unit as feed A and as feed B"));
    QVERIFY(tells(line, OneLineIssueKind::double_id, "Two elements have the number 4"));
    QVERIFY(tells(line, OneLineIssueKind::unfed_load, "R101 has no feed"));
    QVERIFY(tells(line, OneLineIssueKind::missing_feed, "R104 names a feed that does not exist"));
    QVERIFY(tells(line, OneLineIssueKind::wrong_load, "R103 has a power that is no number of 0 or more"));
    QVERIFY(tells(line, OneLineIssueKind::unconnected, "Own tail, Lost and Spare") || tells(line, OneLineIssueKind::unconnected, "Lost and Spare"));
    // What can be worked out still is: 20 kW on the busway, and nothing is no number.
    const PowerFlow flow(line);
    QVERIFY(equals(output_kw(flow, 6), 20));
    QVERIFY(equals(in_kilowatts(flow.totals().without_power), 20)); // the one in the circle and the one without a feed
    for (const ElementFlow& f : element_flows(flow)) QVERIFY(std::isfinite(in_watts(f.output.real)) && std::isfinite(in_watts(f.loss)));
    std::vector<OneLineElement> unlike{element(1, "UPS", PowerUnitKind::ups, 1), element(2, "Transformer", PowerUnitKind::transformer, 1)};
    unlike[0].bus = unlike[1].bus = 5;
    QVERIFY(tells(OneLine(unlike, {}), OneLineIssueKind::mixed_bus, "UPS and Transformer stand on one bus"));
    const OneLine nothing({}, {});
    QVERIFY(nothing.issues().empty() && PowerContingencies(nothing).single_failures().cases.empty());
    QVERIFY(std::isnan(PowerFlow(nothing).totals().power_usage_effectiveness));
  }

  // --- room for more --------------------------------------------------------------------------------------------------

  /// A busway of 100 kW used to 80 % on a UPS of 1000 kW, three racks of 10 kW on it: five more, the busway says no.
  void roomOnOneBusway() {
    std::vector<OneLineElement> e{element(1, "UPS", PowerUnitKind::ups, 1000), element(2, "Busway", PowerUnitKind::busway, 100, 1)};
    e[1].usable_share = 0.8;
    const OneLine line(e, racks(3, 10, 2));
    const auto growth = power_growth(line, {{kilowatts(10), {}}});
    QVERIFY(growth);
    QCOMPARE(growth->racks, Count{5});
    QCOMPARE(growth->binding, Id{2});
    QCOMPARE(*growth->first_no, PowerUnitKind::busway);
    QCOMPARE(growth->levels[0].racks, Count{97});
    QCOMPARE(growth->levels[1].racks, Count{5});
    // UPS: 1000 = 30 used + 50 free + 920 stranded
    QVERIFY(equals(in_kilowatts(growth->levels[0].stranded), 920));
    QVERIFY(equals(growth->levels[0].stranded_share, 0.92));
    QVERIFY(growth->sentence.find("5 more racks of 10.0 kW fit; then Busway says no") != std::string::npos);
    QVERIFY(power_growth(line, {{kilowatts(0), {}}}).error().find("above 0 W") != std::string::npos);
  }
  /// 2N: UPS of 500 kW with 300 kW on both sides together: 20 more racks of 10 kW, for one side bears all.
  void roomUnderFailures() {
    const OneLine line = two_sides(500, 30);
    const auto growth = power_growth(line, {{kilowatts(10), {}}});
    QVERIFY(growth);
    QCOMPARE(growth->racks, Count{20});
    QVERIFY(growth->binding == 1 || growth->binding == 2);
    QVERIFY(growth->binding_with_out != 0);
    RackToAdd unguarded{{kilowatts(10), {}}};
    unguarded.through_failures = false;
    QCOMPARE(power_growth(line, unguarded)->racks, Count{70}); // 1000 kW in all
    // UPS: of 1000 usable 300 are used, 300 reserved for the other side, and the racks take 200 on each at worst.
    QVERIFY(equals(in_kilowatts(growth->levels[0].used), 300));
    QVERIFY(equals(in_kilowatts(growth->levels[0].reserved), 300));
    QVERIFY(equals(in_kilowatts(growth->levels[0].free), 400));
    QVERIFY(std::abs(in_kilowatts(growth->levels[0].stranded)) < 1e-6);
  }
  /// Racks of 40 kW (60 kW of inrush) in steps of 150 kW: two at a time; the first ones named before the others.
  void afterABlackout() {
    std::vector<OneLineElement> e{element(1, "Utility", PowerUnitKind::utility_feed, 1000), element(2, "Transformer", PowerUnitKind::transformer, 1000, 1),
                                  element(3, "Busway", PowerUnitKind::busway, 500, 2)};
    e[1].output_voltage = LineToLineVoltage::from_volts(400);
    e[1].input_voltage = LineToLineVoltage::from_volts(20000);
    const OneLine line(e, racks(5, 40, 3));
    RestorationPlan plan;
    plan.largest_step = kilowatts(150);
    plan.first_racks = {1004};
    const auto back = restoration(line, plan);
    QVERIFY(back && back->refused.empty());
    QCOMPARE(back->steps.size(), std::size_t(3 + 1 + 2));
    QCOMPARE(back->steps[3].racks, std::vector<Id>{1004});
    QCOMPARE(back->steps[4].racks, (std::vector<Id>{1000, 1001}));
    QVERIFY(equals(in_kilowatts(back->steps.back().after), 200));
    QVERIFY(equals(in_amperes(back->steps[1].inrush), 8 * std::sqrt(2.0) * 1e6 / (std::sqrt(3.0) * 20000))); // 326.6 A
    QVERIFY(equals(in_seconds(back->duration), 25));
    plan.largest_step = kilowatts(50);
    QCOMPARE(restoration(line, plan)->refused.size(), std::size_t(5));
    plan.largest_step = {};
    QVERIFY(!restoration(line, plan));
  }

  // --- in a design ----------------------------------------------------------------------------------------------------

  void rulesOfADesign() {
    PoweredHall hall;
    hall.power_plant.redundancy = Redundancy::two_n;
    NodePart n = part<NodePart>("ten-kilowatts");
    n.accelerators = 8;
    n.cooling = "air";
    n.power_maximum = kilowatts(10);
    keep(hall.catalog.nodes, n);
    const Id type = hall.rack_type("Ten").id;
    hall.item(type, RackItemKind::node, n.id, 1);
    const Id ups_a = hall.power_unit("UPS A", PowerUnitKind::ups, kilowatts(200), 0, Feed::a), ups_b = hall.power_unit("UPS B", PowerUnitKind::ups, kilowatts(200), 0, Feed::b);
    const Id bus_a = hall.power_unit("Busway A", PowerUnitKind::busway, kilowatts(400), ups_a, Feed::a), bus_b = hall.power_unit("Busway B", PowerUnitKind::busway, kilowatts(400), ups_b, Feed::b);
    hall.add_racks(type, 10, bus_a, bus_b);
    const auto found = [&](const std::string& code) { return hall.SmallHall::findings(code, one_line_rules()); };
    hall.run();
    for (const Rule& rule : one_line_rules())
      if (rule.code != "PWR-018") QVERIFY2(found(std::string(rule.code)).empty(), rule.code.data());
    const auto pairs = found("PWR-018"); // one of each side: all dark, which 2N leaves open
    QCOMPARE(pairs.size(), std::size_t(1));
    QCOMPARE(pairs.front().severity, Severity::note);
    QVERIFY2(pairs.front().message.find("4 of 4 pairs of units") == 0, pairs.front().message.c_str());
    hall.add_racks(type, 3, bus_a); // on one side only
    hall.run();
    const auto dark = found("PWR-016");
    QCOMPARE(dark.size(), std::size_t(1));
    QVERIFY2(dark.front().message.find("3 racks with 24 GPUs go dark when UPS A or Busway A fails; 2N is claimed") != std::string::npos, dark.front().message.c_str());
    QCOMPARE(found("PWR-021").size(), std::size_t(1));
    hall.add_racks(type, 20, bus_a, bus_b); // 330 kW on 200 kW
    hall.run();
    const auto trips = found("PWR-017");
    QVERIFY(!trips.empty());
    QVERIFY2(trips.front().message.find("trips") != std::string::npos && trips.front().message.find("dark") != std::string::npos, trips.front().message.c_str());
    hall.power_units[0].rating = kilowatts(0);
    hall.run();
    QCOMPARE(found("PWR-019").size(), std::size_t(1));
    // N+1 speaks of modules: the busway of the racks is noted once.
    hall.power_units[0].rating = hall.power_units[1].rating = kilowatts(900);
    hall.power_units[1].upstream = 0;
    hall.power_units[1].feed = Feed::a;
    hall.power_plant.redundancy = Redundancy::n_plus_1;
    hall.racks.clear();
    hall.add_racks(type, 5, bus_a);
    hall.run();
    const auto behind = found("PWR-016");
    QCOMPARE(behind.size(), std::size_t(1));
    QCOMPARE(behind.front().severity, Severity::note);
    QVERIFY2(behind.front().message.find("5 racks with 40 GPUs go dark when Busway A fails: N+1 stops above it") == 0, behind.front().message.c_str());
    QVERIFY(found("PWR-021").empty());
  }
  /// The one-line of a design adds up to its load stage.
  void oneLineOfADesign() {
    PoweredHall hall;
    hall.power_plant.redundancy = Redundancy::n_plus_1;
    const Id transformer = hall.power_unit("T", PowerUnitKind::transformer, kilowatts(2000));
    Id first = 0;
    for (int k = 0; k < 3; ++k) {
      const Id u = hall.power_unit("UPS " + std::to_string(k), PowerUnitKind::ups, kilowatts(300), transformer);
      if (!first) first = u;
    }
    const Id panel = hall.power_unit("Panel", PowerUnitKind::distribution, kilowatts(1000), first);
    const Id type = hall.rack_type("Rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 4);
    hall.add_racks(type, 10, panel);
    hall.run();
    const std::vector<double> drawn(10, 40800.0);
    const OneLine line = one_line_of({hall.power_units, hall.racks, hall.power_plant, hall.catalog, drawn});
    const PowerFlow flow(line);
    QVERIFY(equals(in_kilowatts(flow.totals().it), 408));
    QVERIFY(equals(output_kw(flow, first), 408 / 0.99 / 3));
    QCOMPARE(PowerContingencies(line).with_out({first}).racks_dark, Count{0});
  }

  /// What is shown is what the graph says, worst first.
  void tablesAndFigures() {
    const OneLineStudy study(two_sides(1000, 151));
    Ledger ledger{Page::power};
    const OneLineFigures figures = one_line_figures(ledger, study, {});
    QVERIFY(equals(in_kilowatts(figures.source_power.value), 1510));
    QVERIFY(equals(figures.worst_headroom.value, 1 - 1.51));
    QCOMPARE(figures.racks_dark.value, Count{10});
    QCOMPARE(figures.gpus_dark.value, Count{80});
    QCOMPARE(figures.redundancy.value, Count{0});
    QVERIFY(equals(figures.power_usage_effectiveness.value, 1.0));
    const Table flow = one_line_flow_table(study), cases = contingency_table(study), worst = worst_loads_table(study);
    QCOMPARE(flow.entities, (std::vector<Id>{1, 2, 3, 4}));
    QVERIFY(equals(flow.column("output")->numbers[0], 755e3));
    QVERIFY(std::isnan(flow.column("line_current")->numbers[0])); // no voltage is known
    QCOMPARE(flow.column("fed_by")->words[2], std::string("UPS A"));
    QCOMPARE(cases.row_count(), std::size_t(4));
    QVERIFY(cases.column("what")->words[0].find("drops out at 151 %") != std::string::npos);
    QVERIFY(equals(worst.column("headroom")->numbers[1], 1 - 1.51));
    QCOMPARE(worst.column("with_out")->words[1], std::string("UPS A"));
    const OneLineStudy empty{OneLine({}, {})};
    Ledger nothing{Page::power};
    const OneLineFigures none = one_line_figures(nothing, empty, {});
    QCOMPARE(none.power_usage_effectiveness.completeness, Completeness::not_applicable);
    QCOMPARE(none.worst_headroom.completeness, Completeness::unknown);
  }

  // --- laws -----------------------------------------------------------------------------------------------------------

  void laws() {
    QVERIFY(rc::check("what goes in is what comes out and what is lost, at every element and in all; no loss is below zero", [] {
      const RandomOneLine r = any_one_line(true, true);
      const OneLine line(r.elements, r.loads);
      PowerFlow flow(line);
      const std::size_t out = *rc::gen::inRange<std::size_t>(0, r.elements.size());
      for (int state = 0; state < 2; ++state) {
        std::vector<double> below(line.buses().size(), 0.0), at(line.buses().size(), 0.0);
        for (std::size_t i = 0; i < line.elements().size(); ++i) {
          const ElementFlow f = flow.at(i);
          RC_ASSERT(in_watts(f.loss) >= 0.0);
          RC_ASSERT(equals(in_watts(f.input.real), in_watts(f.output.real) + in_watts(f.loss)));
          RC_ASSERT(f.live || in_watts(f.input.real) == 0.0);
          at[line.bus_of(i)] += in_watts(f.output.real);
          if (f.fed_by != 0) below[line.bus_of(static_cast<std::size_t>(line.index(f.fed_by)))] += in_watts(f.input.real);
        }
        // A and B of a rack count once.
        for (std::size_t g = 0; g < line.groups().size(); ++g) {
          const int live = flow.live_feeds(g);
          for (const std::int32_t e : {line.groups()[g].a, line.groups()[g].b})
            if (e != OneLine::none && flow.live(line.buses()[line.bus_of(static_cast<std::size_t>(e))].members.front()) && live > 0)
              below[line.bus_of(static_cast<std::size_t>(e))] += flow.group_watts(g) / live;
        }
        for (std::size_t b = 0; b < at.size(); ++b) RC_ASSERT(equals(at[b], below[b]) || (at[b] < 1e-6 && below[b] < 1e-6) || line.buses()[b].members.size() > 1);
        const FlowTotals t = flow.totals();
        RC_ASSERT(equals(in_watts(t.sources.real), in_watts(t.it) + in_watts(t.losses) + in_watts(t.plant)));
        double all = 0.0;
        for (const OneLineLoad& l : r.loads) all += in_watts(l.draw.real);
        RC_ASSERT(equals(in_watts(t.it) + in_watts(t.without_power), all));
        const std::size_t failed[] = {out};
        flow.solve(failed);
      }
    }));
    QVERIFY(rc::check("a failure takes load from what stands above it alone; no element has more headroom at its worst than in normal operation", [] {
      RandomOneLine r = any_one_line(false, false);
      for (OneLineElement& e : r.elements) e.trip_share = 1e9;
      const OneLine line(r.elements, r.loads);
      const PowerContingencies contingencies(line);
      const auto sweep = contingencies.single_failures();
      RC_ASSERT(sweep.cases.size() == r.elements.size());
      const PowerFlow normal(line);
      for (const ContingencyCase& c : sweep.cases) {
        const PowerFlow flow = contingencies.flow(c);
        std::vector<char> relieved(line.elements().size(), 0); // above something without power, by any unit of a bus
        std::vector<std::size_t> at;
        const auto rise = [&](std::size_t i) {
          for (const std::uint32_t m : line.buses()[line.bus_of(i)].members) {
            if (const std::int32_t up = line.upstream(m); up != OneLine::none && !relieved[static_cast<std::size_t>(up)]) {
              for (const std::uint32_t mate : line.buses()[line.bus_of(static_cast<std::size_t>(up))].members) relieved[mate] = 1;
              at.push_back(static_cast<std::size_t>(up));
            }
          }
        };
        for (std::size_t i = 0; i < line.elements().size(); ++i)
          if (!flow.live(i)) rise(i);
        while (!at.empty()) {
          const std::size_t i = at.back();
          at.pop_back();
          rise(i);
        }
        for (std::size_t i = 0; i < line.elements().size(); ++i)
          if (flow.live(i) && !relieved[i]) RC_ASSERT(flow.output_watts(i) >= normal.output_watts(i) * (1 - 1e-9));
      }
      for (std::size_t i = 0; i < sweep.elements.size(); ++i) {
        RC_ASSERT(sweep.elements[i].worst_w >= sweep.elements[i].normal_w);
        RC_ASSERT(!(sweep.elements[i].worst_headroom > normal.headroom(i) + 1e-12));
      }
      RC_ASSERT(!(sweep.worst_headroom() > sweep.normal.worst_headroom + 1e-12));
    }));
    QVERIFY(rc::check("the order of elements and loads makes no difference", [] {
      const RandomOneLine r = any_one_line(true, true);
      RandomOneLine turned = r;
      std::reverse(turned.elements.begin(), turned.elements.end());
      std::reverse(turned.loads.begin(), turned.loads.end());
      const OneLine one(r.elements, r.loads), other(turned.elements, turned.loads);
      const auto a = PowerContingencies(one).single_failures(), b = PowerContingencies(other).single_failures();
      RC_ASSERT(a.cases.size() == b.cases.size());
      for (std::size_t k = 0; k < a.cases.size(); ++k) {
        RC_ASSERT(a.cases[k].out == b.cases[k].out);
        RC_ASSERT(a.cases[k].racks_dark == b.cases[k].racks_dark && a.cases[k].gpus_dark == b.cases[k].gpus_dark);
        RC_ASSERT(a.cases[k].cascade.size() == b.cases[k].cascade.size());
        RC_ASSERT(a.cases[k].worst_element == b.cases[k].worst_element);
      }
    }));
    QVERIFY(rc::check("one load changed is the same as all summed anew", [] {
      RandomOneLine r = any_one_line(true, true);
      const OneLine line(r.elements, r.loads);
      PowerFlow flow(line);
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, r.loads.size());
      const ComplexPower draw{kilowatts(*rc::gen::inRange(0, 300)), ReactivePower::from_vars(1000)};
      flow.change_load(at, draw);
      r.loads[at].draw = draw;
      const OneLine anew(r.elements, r.loads);
      const PowerFlow whole(anew);
      for (std::size_t i = 0; i < r.elements.size(); ++i) {
        RC_ASSERT(flow.output_watts(i) == whole.output_watts(i));
        RC_ASSERT(flow.input_watts(i) == whole.input_watts(i));
      }
    }));
    QVERIFY(rc::check("pairs left out as independent do no more than the two alone", [] {
      const RandomOneLine r = any_one_line(false, true);
      const OneLine line(r.elements, r.loads);
      const PowerContingencies contingencies(line);
      const auto pairs = contingencies.maintenance_and_failure();
      std::set<std::vector<Id>> told;
      for (const ContingencyCase& c : pairs.cases) told.insert(c.out);
      const auto single = contingencies.single_failures();
      for (std::size_t i = 0; i < r.elements.size(); ++i)
        for (std::size_t k = i + 1; k < r.elements.size(); ++k) {
          const std::vector<Id> out{line.elements()[i].id, line.elements()[k].id};
          if (told.count(out)) continue;
          const ContingencyCase c = contingencies.with_out(out);
          RC_ASSERT(c.cascade.size() <= single.cases[i].cascade.size() + single.cases[k].cascade.size());
          RC_ASSERT(c.racks_dark <= single.cases[i].racks_dark + single.cases[k].racks_dark);
          for (const Id over : c.overloaded)
            RC_ASSERT(std::count(single.cases[i].overloaded.begin(), single.cases[i].overloaded.end(), over) +
                          std::count(single.cases[k].overloaded.begin(), single.cases[k].overloaded.end(), over) +
                          std::count(single.normal.overloaded.begin(), single.normal.overloaded.end(), over) >
                      0);
        }
    }));
    QVERIFY(rc::check("racks that fit overload nothing, and one more does", [] {
      RandomOneLine r = any_one_line(true, false);
      for (OneLineElement& e : r.elements) {
        e.rating_w *= 20;
        e.trip_share = 1e9;
      }
      const OneLine line(r.elements, r.loads);
      const double kw = *rc::gen::inRange(5, 150);
      const auto growth = power_growth(line, {{kilowatts(kw), {}}});
      RC_ASSERT(growth.has_value());
      const auto filled = [&](std::size_t one_more) {
        std::vector<OneLineLoad> loads = r.loads;
        for (std::size_t k = 0; k < growth->feeds.size(); ++k) {
          const FeedRoom& room = growth->feeds[k];
          loads.push_back(rack_load(5000 + static_cast<Id>(k), kw * static_cast<double>(room.racks + (k == one_more ? 1 : 0)), room.feed_a, room.feed_b));
        }
        return loads;
      };
      const auto overloaded = [](const ContingencySweep& sweep, Id out) { return out ? case_of(sweep, out).overloaded : sweep.normal.overloaded; };
      const auto before = PowerContingencies(line).single_failures();
      const OneLine full(r.elements, filled(growth->feeds.size()));
      const auto after = PowerContingencies(full).single_failures();
      for (const ContingencyCase& c : after.cases)
        for (const Id over : c.overloaded) {
          const auto was = overloaded(before, c.out.front());
          RC_ASSERT(std::count(was.begin(), was.end(), over) == 1); // racks that fit overload nothing
        }
      for (std::size_t k = 0; k < growth->feeds.size(); ++k) {
        const OneLine beyond(r.elements, filled(k));
        const auto says_no = overloaded(PowerContingencies(beyond).single_failures(), growth->feeds[k].with_out);
        RC_ASSERT(std::count(says_no.begin(), says_no.end(), growth->feeds[k].says_no) == 1);
      }
      for (const LevelRoom& level : growth->levels) RC_ASSERT(level.racks < 0 || level.racks >= growth->racks);
    }));
  }
};

QTEST_APPLESS_MAIN(TestOneLine)
#include "test_one_line.moc"
