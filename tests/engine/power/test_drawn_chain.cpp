// SPDX-License-Identifier: GPL-3.0-or-later
// The headline of the power stage against the drawn one-line: losses at load, plant on its feeds, direct current.
#include <QtTest>

#include <numbers>

#include <rapidcheck.h>

#include "engine/power/powered_hall.h"
#include "power/busway_runs.h"
#include "power/carried_load.h"
#include "power/growth_choices.h"
#include "power/one_line_design.h"
#include "power/one_line_edits.h"
#include "power/training_swing.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool about(double got, double wanted, double relative = 1e-9) {
  return std::abs(got - wanted) <= relative * std::max(1e-12, std::abs(wanted));
}

/// A rack type that draws exactly this power, all of it to air.
Id plain_rack_type(PoweredHall& hall, double kilowatts_each) {
  NodePart n = part<NodePart>("heater-" + std::to_string(kilowatts_each));
  n.cooling = "air";
  n.accelerators = 8;
  n.power_maximum = kilowatts(kilowatts_each);
  keep(hall.catalog.nodes, n);
  const Id type = hall.rack_type("Heater").id;
  hall.item(type, RackItemKind::node, n.id, 1);
  return type;
}
/// No cooling, no lighting: the chain alone.
void without_plant(PoweredHall& hall) {
  hall.power_plant.other_facility_power_share = 0.0;
  hall.cooling_plant.air_fan_power_share = hall.cooling_plant.heat_rejection_power_share = 0.0;
}
PowerUnit& unit(PoweredHall& hall, Id id) {
  for (PowerUnit& u : hall.power_units)
    if (u.id == id) return u;
  throw std::runtime_error("no such unit");
}
void power_factor(PoweredHall& hall, double cosine) {
  for (Assumption& a : hall.catalog.assumptions)
    if (a.id == "power.power_factor") a.value = cosine;
}
void all_open_down(const PoweredHall& hall) {
  for (const Figure* f : hall.figures.all()) {
    const std::string broken = broken_derivation(hall.figures, *f);
    QVERIFY2(broken.empty(), broken.c_str());
  }
}
/// Whether a figure rests on another, however far down.
bool rests_on(const PoweredHall& hall, const std::string& figure, const std::string& leaf) {
  std::set<std::string> seen;
  std::vector<const Figure*> ways{hall.figures.find(figure)};
  while (!ways.empty()) {
    const Figure* f = ways.back();
    ways.pop_back();
    if (!f || !seen.insert(f->id).second) continue;
    if (f->id == leaf) return true;
    for (const FigureRef& in : f->inputs)
      ways.push_back(hall.figures.at(in));
  }
  return false;
}
/// 200 kW on utility, transformer, UPS and busway of which each states its losses.
struct StatedChain {
  Id utility = 0, transformer = 0, ups = 0, busway = 0;
};
StatedChain stated_chain(PoweredHall& hall) {
  StatedChain c;
  c.utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(5000));
  c.transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, kilowatts(1000), c.utility);
  unit(hall, c.transformer).no_load_loss = kilowatts(2);
  unit(hall, c.transformer).load_loss = kilowatts(10);
  c.ups = hall.power_unit("UPS", PowerUnitKind::ups, kilowatts(400), c.transformer);
  PowerUnit& u = unit(hall, c.ups);
  u.efficiency_at_quarter = 0.97, u.efficiency_at_half = 0.973, u.efficiency_at_three_quarters = 0.97, u.efficiency_at_full = 0.964;
  c.busway = hall.power_unit("Busway", PowerUnitKind::busway, kilowatts(500), c.ups);
  unit(hall, c.busway).efficiency = 0.99;
  return c;
}
std::vector<Finding> one_line_findings(const PoweredHall& hall, const std::string& code) {
  return hall.SmallHall::findings(code, one_line_rules());
}

} // namespace

class TestDrawnChain : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Racks of 200 kW; busway 99 %: 202.0202 in. UPS of 400 kW at 50.5 %: 0.973 - 0.003 x 0.00505 / 0.25 = 97.294 %,
  /// 207.6390 in. Transformer of 1000 kW: 2 + 10 x 0.207639^2 = 2.43114 kW, 210.07018 in. PUE 1.0503509.
  void headlineIsTheDrawnFlow() {
    PoweredHall hall;
    without_plant(hall);
    hall.power_plant.redundancy = Redundancy::n;
    const StatedChain c = stated_chain(hall);
    hall.add_racks(plain_rack_type(hall, 100), 2, c.busway);
    hall.run();
    QCOMPARE(hall.supply.basis, ChainBasis::drawn);
    QVERIFY(about(in_watts(hall.supply.facility.value), 210070.1800028911));
    QVERIFY(about(hall.supply.power_usage_effectiveness.value, 1.0503509000144555));
    QVERIFY(about(hall.figure("power.loss.distribution").value, 2020.2020202020203));
    QVERIFY(about(hall.figure("power.loss.ups").value, 5618.838272153780));
    QVERIFY(about(hall.figure("power.loss.transformer").value, 2431.1397105353056));
    QVERIFY(about(hall.figure("power.efficiency.ups").value, 202020.20202020202 / 207639.0402923558));
    QVERIFY(about(hall.figure("power.flow.source_power").value, in_watts(hall.supply.facility.value)));
    // The load of each unit down to racks, plant and losses is that of the flow.
    const std::string transformer = "power.unit." + std::to_string(c.transformer);
    QVERIFY(about(hall.figure(transformer + ".load").value, 207639.0402923558));
    QVERIFY(about(hall.figure(transformer + ".load.losses").value, 7639.0402923558));
    QVERIFY(about(hall.supply.worst_headroom.value, 1 - 202.02020202020202 / 400));
    QVERIFY(about(hall.figure("power.headroom_worst").value, hall.figure("power.contingency.headroom").value));
    const std::string ups = "design.power_units." + std::to_string(c.ups) + ".";
    for (const std::string& leaf : {ups + "efficiency_at_half", ups + "rating", "design.power_units." + std::to_string(c.transformer) + ".no_load_loss",
                                    "design.power_units." + std::to_string(c.transformer) + ".load_loss",
                                    "design.power_units." + std::to_string(c.busway) + ".efficiency"})
      for (const char* figure : {"power.facility", "power.pue", "power.losses"})
        QVERIFY2(rests_on(hall, figure, leaf), (std::string(figure) + " does not rest on " + leaf).c_str());
    all_open_down(hall);
    // Half the load: the fixed loss of the transformer weighs more.
    PoweredHall half;
    without_plant(half);
    const StatedChain h = stated_chain(half);
    half.add_racks(plain_rack_type(half, 100), 1, h.busway);
    half.run();
    // UPS at 25.25 %: 97.003 %, 104.131 in; 2 + 10 x 0.104131^2 = 2.10843.
    const double in = 101010.10101010101 / (0.97 + 0.003 * (0.25252525252525254 - 0.25) / 0.25);
    QVERIFY(about(in_watts(half.supply.facility.value), in + 2000 + 10000 * std::pow(in / 1e6, 2)));
  }

  /// 100 kW on a drawn UPS and busway and 50 kW on nothing, with 99 % of distribution and transformers and 97 % of UPS
  /// everywhere: 150 / 0.99 / 0.97 / 0.99, and the words say what is assumed.
  void whatIsNotDrawnIsAssumed() {
    PoweredHall hall;
    without_plant(hall);
    hall.power_plant.redundancy = Redundancy::n;
    hall.power_plant.distribution_efficiency = hall.power_plant.transformer_efficiency = 0.99;
    hall.power_plant.ups_efficiency = 0.97;
    const Id ups = hall.power_unit("UPS", PowerUnitKind::ups, kilowatts(400));
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, kilowatts(500), ups);
    const Id type = plain_rack_type(hall, 10);
    hall.add_racks(type, 10, bus);
    hall.add_racks(type, 5);
    hall.run();
    QCOMPARE(hall.supply.basis, ChainBasis::partly_drawn);
    QVERIFY(about(in_kilowatts(hall.supply.facility.value), 150 / 0.99 / 0.97 / 0.99));
    QVERIFY(about(hall.figure("power.assumed.it").value, 50e3));
    QVERIFY(about(hall.figure("power.ups_output").value, 150e3 / 0.99));
    QVERIFY(about(hall.figure("power.loss.ups").value, 150e3 / 0.99 * (1 / 0.97 - 1)));
    const std::string why = hall.figure("power.facility").reason;
    QVERIFY2(why.find("50.0 kW of IT on no drawn unit") != std::string::npos && why.find("transformers above units that end there") != std::string::npos, why.c_str());
    all_open_down(hall);
    // Busways that end there have UPS and transformers assumed above them; without any unit all is assumed.
    unit(hall, bus).upstream = 0;
    hall.run();
    QVERIFY(about(in_kilowatts(hall.supply.facility.value), 150 / 0.99 / 0.97 / 0.99));
    all_open_down(hall);
    for (Rack& r : hall.racks) r.feed_a = 0;
    hall.run();
    QCOMPARE(hall.supply.basis, ChainBasis::assumed);
    QVERIFY(about(in_kilowatts(hall.supply.facility.value), 150 / 0.99 / 0.97 / 0.99));
    QVERIFY(hall.figure("power.facility").reason.find("no drawn unit feeds a rack") != std::string::npos);
    all_open_down(hall);
  }

  /// 1 MW of racks and 75 kW of fans on a board that a transformer feeds and a generator behind the UPS' transfer: the
  /// fans stay on the board, whoever feeds it. Without losses 1.075 MW from the utility, then from the generator.
  void plantStaysWhenTheGeneratorTakesOver() {
    PoweredHall hall;
    hall.power_plant.redundancy = Redundancy::n;
    hall.power_plant.other_facility_power_share = 0.0;
    hall.power_plant.transformer_efficiency = hall.power_plant.ups_efficiency = hall.power_plant.distribution_efficiency = 1.0;
    hall.cooling_plant.air_fan_power_share = 0.075;
    hall.cooling_plant.heat_rejection_power_share = 0.0;
    const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(3));
    const Id transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, megawatts(2), utility);
    const Id generator = hall.power_unit("Generator", PowerUnitKind::generator, megawatts(2));
    const Id ups = hall.power_unit("UPS", PowerUnitKind::ups, megawatts(2), transformer);
    unit(hall, ups).second_source = generator;
    hall.add_racks(plain_rack_type(hall, 10), 100, hall.power_unit("Busway", PowerUnitKind::busway, megawatts(2), ups));
    hall.run();
    QVERIFY(about(in_kilowatts(hall.cool.fan_power.value), 75));
    QCOMPARE(hall.supply.basis, ChainBasis::drawn);
    QVERIFY(about(in_kilowatts(hall.supply.facility.value), 1075));
    QVERIFY(about(hall.normal_watts(transformer), 1075e3));
    QVERIFY(about(hall.worst_watts(generator), 1075e3)); // not 1000: 75 kW do not vanish
    const PowerContingencies& c = hall.supply.one_line->contingencies;
    for (const Id out : {utility, transformer}) {
      const FlowTotals t = c.flow(c.with_out({out})).totals();
      QVERIFY(about(in_kilowatts(t.plant), 75) && about(in_kilowatts(t.sources.real), 1075));
    }
    // The board goes with its UPS' supply alone: the UPS out leaves the fans running.
    QVERIFY(about(in_kilowatts(c.flow(c.with_out({ups})).totals().sources.real), 75));
    QCOMPARE(in_watts(c.with_out({ups}).plant_dark), 0.0);
    QVERIFY(about(in_kilowatts(c.with_out({utility, generator}).plant_dark), 75));
  }

  /// Two CDUs of 30 and 10 kW of capacity share 40 kW of pumps by that: 30 kW on panels A and B, half each, all of it on
  /// the one that is left; 10 kW without feeds hang on the UPS of the racks.
  void unitsOfThePlantHangOnTheirFeeds() {
    std::vector<PowerUnit> units(5);
    const PowerUnitKind kinds[] = {PowerUnitKind::transformer, PowerUnitKind::ups, PowerUnitKind::distribution, PowerUnitKind::distribution, PowerUnitKind::busway};
    const Id above[] = {0, 1, 1, 1, 2};
    for (std::size_t i = 0; i < 5; ++i) {
      units[i].id = static_cast<Id>(i + 1);
      units[i].kind = kinds[i];
      units[i].upstream = above[i];
      units[i].rating = kilowatts(1000);
      units[i].efficiency = 1.0;
    }
    std::vector<Rack> racks(1);
    racks[0].id = 9;
    racks[0].feed_a = 5;
    std::vector<CoolingUnit> cooling(2);
    cooling[0].id = 20, cooling[1].id = 21;
    cooling[0].capacity = kilowatts(30), cooling[1].capacity = kilowatts(10);
    cooling[0].feed_a = 3, cooling[0].feed_b = 4;
    const PowerPlant plant;
    const Catalog catalog;
    const std::vector<double> draws{100e3};
    OneLineSource source{.units = units, .racks = racks, .plant = plant, .catalog = catalog, .rack_watts = draws};
    source.cdu_watts = 40e3;
    source.cooling_units = &cooling;
    const OneLine line = one_line_of(source);
    PowerFlow flow(line);
    const auto kw = [&](Id id) { return flow.output_watts(static_cast<std::size_t>(line.index(id))) / 1000.0; };
    QVERIFY(about(kw(3), 15) && about(kw(4), 15));
    QVERIFY(about(kw(2), 110));
    QVERIFY(about(kw(1), 140));
    const std::size_t panel_a[] = {2};
    flow.solve(panel_a);
    QVERIFY(about(kw(3) + 1, 1) && about(kw(4), 30) && about(kw(1), 140));
    const std::size_t both[] = {2, 3};
    flow.solve(both);
    QVERIFY(about(in_kilowatts(flow.totals().plant_without_power), 30) && about(kw(1), 110));
  }

  /// A busway of 1200 A that may run at 600 V carries 1200 A at 415 V: sqrt(3) x 415 x 1200 x 0.98 = 845.3 kW, not
  /// 1222 kW, and for long 960 A.
  void amperesCountAtTheDrawnVoltage() {
    PoweredHall hall;
    without_plant(hall);
    PowerPart p = part<PowerPart>("run-1200");
    p.rating_current = amperes(1200);
    p.voltage = volts(600);
    p.phases = 3;
    keep(hall.catalog.power, p);
    power_factor(hall, 0.98);
    const Id ups = hall.power_unit("UPS", PowerUnitKind::ups, megawatts(2));
    unit(hall, ups).voltage = volts(415);
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, std::nullopt, ups);
    unit(hall, bus).part = "run-1200";
    hall.add_racks(plain_rack_type(hall, 100), 8, bus);
    hall.run();
    const auto rating = [&] {
      for (const PowerUnitLoad& u : hall.supply.units)
        if (u.unit == bus) return u.rating_w;
      return 0.0;
    };
    const double at_415 = std::sqrt(3.0) * 415 * 1200 * 0.98;
    QVERIFY(about(rating(), at_415));
    // 800 kW are 1136 A: more than 960 A for long.
    const auto over = hall.findings("PWR-002");
    QCOMPARE(over.size(), std::size_t(1));
    QVERIFY(rests_on(hall, "power.unit." + std::to_string(bus) + ".headroom", "design.power_units." + std::to_string(ups) + ".voltage"));
    unit(hall, ups).voltage.reset();
    hall.run();
    QVERIFY(about(rating(), at_415 * 600 / 415)); // no voltage is drawn: that of the part
    QVERIFY(hall.findings("PWR-002").empty());
    all_open_down(hall);
  }

  /// Ten racks of 120 kW, 3 m apart on 30 m of conductors with 20 uOhm/m. At 800 V between poles: 1.2 MW / 800 V =
  /// 1500 A, 150 A a rack; at 415 V, 0.98: 1.2 MW / (sqrt(3) x 415 x 0.98) = 1703.5 A in each of three lines. Evenly
  /// spread racks lose a third of I^2 R: 2 x 1500^2 x 0.6 mOhm / 3 = 900 W against 3 x 1703.5^2 x 0.6 mOhm / 3 = 1741 W,
  /// 48 % less, as FF-197 says of copper (45 % less). Drop at the end: 2 x 20e-6 x 3 x 150 x (1 + ... + 10) = 0.99 V.
  void directCurrentChain() {
    double copper[2] = {}, current[2] = {};
    for (const bool direct : {true, false}) {
      PoweredHall hall;
      without_plant(hall);
      hall.power_plant.redundancy = Redundancy::n;
      power_factor(hall, 0.98);
      const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(3));
      const Id transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, megawatts(2), utility);
      unit(hall, transformer).voltage = volts(415);
      unit(hall, transformer).efficiency = 0.99;
      const Id gear = hall.power_unit("Switchgear", PowerUnitKind::switchgear, megawatts(2), transformer);
      const Id above = direct ? hall.power_unit("Rectifier", PowerUnitKind::rectifier, megawatts(2), gear)
                              : hall.power_unit("UPS", PowerUnitKind::ups, megawatts(2), gear);
      unit(hall, above).efficiency = 0.975;
      if (direct) unit(hall, above).voltage = volts(800);
      const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(2), above);
      PowerUnit& run = unit(hall, bus);
      run.length = meters(30);
      run.conductor_resistance = ResistancePerLength::from_value(20e-6);
      if (direct) run.system = ElectricalSystem::direct_current;
      hall.add_racks(plain_rack_type(hall, 120), 10, bus);
      for (std::size_t k = 0; k < 10; ++k) hall.racks[k].tap_a = meters(3.0 * static_cast<double>(k + 1));
      hall.run();
      QCOMPARE(hall.supply.basis, ChainBasis::drawn);
      const OneLine& line = hall.supply.one_line->line;
      QVERIFY2(line.issues().empty(), line.issues().empty() ? "" : line.issues().front().sentence.c_str());
      const PowerFlow flow(line);
      const auto at = [&](Id id) { return flow.at(static_cast<std::size_t>(line.index(id))); };
      const ElementFlow busway = at(bus), source = at(above);
      if (direct) {
        current[0] = in_amperes(*busway.output_direct_current);
        QVERIFY(about(current[0], 1500) && !busway.output_line_current);
        QCOMPARE(busway.output.reactive.vars(), 0.0);
        QVERIFY(about(in_watts(source.input.real), (1.2e6 + 900) / 0.975));
        // The rectifier draws from three lines at 415 V with 0.99.
        QVERIFY(about(in_amperes(*source.input_line_current), (1.2e6 + 900) / 0.975 / 0.99 / (std::sqrt(3.0) * 415)));
        QVERIFY(about(in_watts(hall.supply.facility.value), (1.2e6 + 900) / 0.975 / 0.99));
        QVERIFY(about(hall.figure("power.efficiency.rectifier").value, 0.975));
        QVERIFY(rests_on(hall, "power.facility", "design.power_units." + std::to_string(bus) + ".conductor_resistance"));
        const auto runs = drawn_busways(hall.design, line, hall.catalog);
        QCOMPARE(runs.size(), std::size_t(1));
        QVERIFY2(runs.front().missing.empty(), runs.front().missing.c_str());
        const auto drops = tap_voltages(runs.front().run, runs.front().taps);
        QVERIFY(about(drops.back().drop(), 0.99 / 800));
        QVERIFY(about(in_amperes(phase_currents(runs.front().run, {runs.front().taps.front()}).line[0]), 150)); // PC-06: P / V
      } else {
        current[1] = in_amperes(*busway.output_line_current);
        QVERIFY(about(current[1], 1.2e6 / (std::sqrt(3.0) * 415 * 0.98)));
      }
      copper[direct ? 0 : 1] = in_watts(busway.loss);
      all_open_down(hall);
    }
    QVERIFY(about(copper[0], 900));
    QVERIFY(about(copper[1], 3 * current[1] * current[1] * 0.6e-3 / 3));
    QVERIFY(about(1 - copper[0] / copper[1], 0.48, 0.01));
  }
  /// Six racks of 42 kW at 800 V (52.5 A each) on a feed box, 0.7 m apart up to 4.2 m; conductors of 10 mOhm/m. Drawn out to
  /// 30 m they stand 5 m apart, and the last loses 2 x 10 mOhm/m x 5 m x 52.5 A x (6+5+4+3+2+1) = 110.25 V; to 4.2 m 0.7 m
  /// apart, 15.435 V. Without places on the plan they are evenly spread over the length.
  void tapsLieAlongTheStatedLength() {
    for (const int way : {0, 1, 2, 3}) {
      PoweredHall hall;
      without_plant(hall);
      const Id rectifier = hall.power_unit("Rectifier", PowerUnitKind::rectifier, megawatts(2));
      unit(hall, rectifier).voltage = volts(800);
      const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(2), rectifier);
      PowerUnit& run = unit(hall, bus);
      run.system = ElectricalSystem::direct_current;
      run.conductor_resistance = ResistancePerLength::from_value(10e-3);
      hall.add_racks(plain_rack_type(hall, 42), 6, bus);
      run.x = run.y = meters(0);
      run.hall = 1;
      run.width = run.depth = millimeters(600);
      for (std::size_t k = 0; k < 6; ++k) {
        hall.racks[k].hall = way == 3 ? 2 : 1;
        hall.racks[k].x = meters(0.7 * static_cast<double>(k + 1));
        hall.racks[k].y = meters(0);
      }
      if (way > 0) run.length = meters(30);
      if (way == 2) run.width = meters(4.2);
      hall.run();
      const auto runs = drawn_busways(hall.design, hall.supply.one_line->line, hall.catalog);
      QCOMPARE(runs.size(), std::size_t(1));
      for (std::size_t k = 0; k < 6; ++k)
        QVERIFY(about(in_meters(runs.front().taps[k].position), (way == 0 ? 0.7 : 5.0) * static_cast<double>(k + 1)));
      const auto drops = tap_voltages(runs.front().run, runs.front().taps);
      QVERIFY(about(drops.back().drop() * 800, way == 0 ? 15.435 : 110.25));
    }
  }
  /// 100 m of 20 uOhm/m behind a unit at 415 V, rated 800 kVA: I = 1112.97 A, 3 I^2 x 2 mOhm = 7432.14 W at the rating, a
  /// quarter of it at half of that, on top of what the unit loses itself. 1 km of 1 mOhm/m cannot be.
  void conductorsOfEveryKindLose() {
    for (const PowerUnitKind kind : {PowerUnitKind::ups, PowerUnitKind::rectifier, PowerUnitKind::transformer,
                                     PowerUnitKind::switchgear, PowerUnitKind::static_switch}) {
      double lost[2] = {};
      for (const bool conductors : {false, true}) {
        PoweredHall hall;
        without_plant(hall);
        power_factor(hall, 1.0);
        hall.power_plant.redundancy = Redundancy::n;
        const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(3));
        const Id id = hall.power_unit("U1", kind, kilowatts(800), utility);
        unit(hall, id).voltage = volts(415);
        hall.add_racks(plain_rack_type(hall, 100), 4, id);
        if (conductors) {
          unit(hall, id).length = meters(100);
          unit(hall, id).conductor_resistance = ResistancePerLength::from_value(20e-6);
        }
        hall.run();
        const PowerFlow flow(hall.supply.one_line->line);
        lost[conductors ? 1 : 0] = flow.loss_watts(static_cast<std::size_t>(hall.supply.one_line->line.index(id)));
        QVERIFY(one_line_findings(hall, "PWR-029").empty());
        all_open_down(hall);
        if (!conductors) continue;
        QVERIFY(rests_on(hall, "power.flow.losses", "design.power_units." + std::to_string(id) + ".conductor_resistance"));
        unit(hall, id).length = meters(1000);
        unit(hall, id).conductor_resistance = ResistancePerLength::from_value(1e-3);
        hall.run();
        const auto told = one_line_findings(hall, "PWR-029");
        QCOMPARE(told.size(), std::size_t(1));
        QVERIFY2(told.front().message.find("The conductors of U1 would lose ") == 0, told.front().message.c_str());
      }
      const double ohms = 2e-3, three = 3 * std::pow(400e3 / (std::sqrt(3.0) * 415), 2) * ohms,
                   direct = 2 * std::pow(400e3 / 415, 2) * ohms;
      QVERIFY2(about(lost[1] - lost[0], kind == PowerUnitKind::rectifier ? direct : three, 1e-6),
               std::to_string(lost[1] - lost[0]).c_str());
    }
  }
  /// 3 kW between a line and the neutral at 230 V, 0.98: 13.31 A there and back; 40 m of 4 mOhm/m lose 2 R I cos.
  void onePhase() {
    BuswayRun run;
    run.system = ElectricalSystem::single_phase;
    run.voltage = LineToLineVoltage::from_volts(230);
    run.line.resistance = 4e-3;
    run.rating = amperes(16);
    run.continuous_load_factor = 0.8;
    BuswayTap tap;
    tap.load = ComplexPower::of(kilowatts(3), PowerFactor{0.98});
    tap.position = meters(40);
    const double amps = 3000 / 0.98 / 230;
    QVERIFY(about(in_amperes(phase_currents(run, {tap}).line[0]), amps));
    const double r = 2 * 40 * 4e-3, real = 230 - r * amps * 0.98, cross = r * amps * std::sqrt(1 - 0.98 * 0.98);
    QVERIFY(about(tap_voltages(run, {tap}).front().drop(), 1 - std::hypot(real, cross) / 230));
    const auto problems = phase_problems(run, {tap}, 0.1, 0.03);
    QCOMPARE(problems.size(), std::size_t(1)); // 13.3 of 12.8 A; the drop of 1.8 % is below 3 %
    QCOMPARE(problems.front().kind, PhaseProblemKind::line_overload);
  }

  // --- what is refused ------------------------------------------------------------------------------------------------

  /// UPS B in parallel with the transformer that feeds it, with a UPS of the other kind of side, or with a generator: it
  /// counts as apart, and its racks stay fed. Only the finding tells.
  void anUnlikeParallelChangesNothing() {
    for (const int wrong : {0, 1, 2, 3}) {
      PoweredHall hall;
      without_plant(hall);
      hall.power_plant.redundancy = Redundancy::n;
      const StatedChain c = stated_chain(hall);
      const Id generator = hall.power_unit("G1", PowerUnitKind::generator, megawatts(2));
      const Id first = hall.power_unit("Busway 2", PowerUnitKind::busway, kilowatts(500), c.busway);
      unit(hall, c.busway).feed = Feed::b;
      hall.add_racks(plain_rack_type(hall, 100), 2, 0, first);
      hall.run();
      const double right = in_watts(hall.supply.facility.value);
      QCOMPARE(hall.supply.basis, ChainBasis::drawn);
      if (wrong == 0) unit(hall, c.ups).parallel_with = c.transformer;
      if (wrong == 1) unit(hall, c.transformer).parallel_with = c.ups;
      if (wrong == 2) unit(hall, c.ups).parallel_with = generator;
      if (wrong == 3) unit(hall, first).parallel_with = c.busway;
      hall.run();
      QCOMPARE(hall.supply.basis, ChainBasis::drawn);
      QVERIFY(about(in_watts(hall.supply.facility.value), right));
      QCOMPARE(hall.supply.one_line->single.normal.racks_dark, Count{0});
      QVERIFY(one_line_findings(hall, "PWR-031").empty());
      const auto told = one_line_findings(hall, "PWR-020");
      QCOMPARE(told.size(), std::size_t(1));
      QCOMPARE(told.front().severity, Severity::error);
      QVERIFY2(told.front().message.find("It counts as apart") != std::string::npos, told.front().message.c_str());
    }
  }
  /// Side A runs in a circle. Racks with both cords stand on one feed; when side B does, too, they are dark, and the
  /// facility is not "as drawn".
  void racksOnDeadUnitsAreDark() {
    for (const int dead_sides : {0, 1, 2}) {
      for (const bool both_cords : {true, false}) {
        PoweredHall hall;
        without_plant(hall);
        hall.power_plant.redundancy = Redundancy::n;
        std::vector<Id> transformers, buses;
        for (const Feed side : {Feed::a, Feed::b}) {
          const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(5), 0, side);
          transformers.push_back(hall.power_unit("Transformer", PowerUnitKind::transformer, megawatts(1), utility, side));
          const Id ups = hall.power_unit("UPS", PowerUnitKind::ups, megawatts(1), transformers.back(), side);
          buses.push_back(hall.power_unit(side == Feed::a ? "Busway A" : "Busway B", PowerUnitKind::busway, megawatts(1), ups, side));
          if (static_cast<int>(buses.size()) <= dead_sides) unit(hall, transformers.back()).upstream = ups;
        }
        hall.add_racks(plain_rack_type(hall, 50), 6, buses[0], both_cords ? buses[1] : 0);
        const Count dark = dead_sides == 2 || (dead_sides == 1 && !both_cords) ? 6 : 0;
        hall.run();
        const ContingencyCase& normal = hall.supply.one_line->single.normal;
        QCOMPARE(normal.racks_dark, dark);
        QCOMPARE(normal.gpus_dark, 8 * dark);
        QCOMPARE(normal.racks_on_one_feed, Count{dead_sides == 1 && both_cords ? 6 : 0});
        QVERIFY(about(in_watts(normal.dark), dark * 50e3) || dark == 0);
        QCOMPARE(hall.supply.one_line->contingencies.racks_dark(normal).size(), static_cast<std::size_t>(dark));
        const auto told = one_line_findings(hall, "PWR-031");
        QCOMPARE(told.size(), std::size_t(dark > 0 ? 1 : 0));
        const std::string label = hall.figure("power.facility").label;
        if (dark == 0) {
          QVERIFY2(label.find("as drawn") != std::string::npos, label.c_str());
          continue;
        }
        QCOMPARE(told.front().severity, Severity::error);
        QVERIFY2(told.front().message.find("6 racks with 48 GPUs are dark in normal operation: no source reaches Busway A") == 0,
                 told.front().message.c_str());
        QVERIFY2(label.find("as drawn") == std::string::npos, label.c_str());
        const std::string why = hall.figure("power.facility").reason;
        QVERIFY2(why.find("6 racks hang on drawn units without power: a chain of transformers") == 0, why.c_str());
        QVERIFY(hall.supply.one_line->contingencies.sentence(normal).find("In normal operation, 6 racks with 48 GPUs") == 0);
        QCOMPARE(hall.supply.drawn.redundancy.value, Count{0});
      }
    }
  }

  /// Each wrong voltage and system is one error that names the unit, the value and what is allowed; right ones are none.
  void voltagesThatCannotBeAreTold() {
    PoweredHall hall;
    PowerPart busway_part = part<PowerPart>("busway-600");
    busway_part.voltage = volts(600);
    busway_part.rating_current = amperes(1200);
    keep(hall.catalog.power, busway_part);
    const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(5));
    const Id transformer = hall.power_unit("T1", PowerUnitKind::transformer, megawatts(2), utility);
    const Id ups = hall.power_unit("U1", PowerUnitKind::ups, megawatts(1), transformer);
    const Id bus = hall.power_unit("X1", PowerUnitKind::busway, megawatts(1), ups);
    unit(hall, transformer).voltage = volts(415);
    unit(hall, bus).part = "busway-600";
    hall.add_racks(plain_rack_type(hall, 10), 5, bus);
    const auto errors = [&] {
      hall.run();
      std::vector<std::string> out;
      for (const Finding& f : one_line_findings(hall, "PWR-020"))
        if (f.severity == Severity::error) out.push_back(f.message);
      return out;
    };
    const auto told = [&](const std::string& words) {
      for (const std::string& e : errors())
        if (e.find(words) != std::string::npos) return true;
      return false;
    };
    QVERIFY(errors().empty());
    unit(hall, bus).voltage = volts(400); // the other name of the system
    QVERIFY(errors().empty());
    // A distribution unit may have a transformer of its own.
    unit(hall, bus).kind = PowerUnitKind::distribution;
    unit(hall, bus).voltage = volts(208);
    QVERIFY(!told("and U1 feeds it at"));
    for (const PowerUnitKind kind : {PowerUnitKind::busway, PowerUnitKind::switchgear, PowerUnitKind::static_switch}) {
      unit(hall, bus).kind = kind;
      unit(hall, bus).voltage = volts(500e3);
      QVERIFY(told("The voltage of X1 is 500 kV, and U1 feeds it at 415 V: a "));
      QVERIFY(told("X1 runs at 500 kV, and its part busway-600 is rated for 600 V: up to 1.1 times that are allowed"));
      unit(hall, bus).voltage = volts(208);
      QVERIFY(told("The voltage of X1 is 208 V, and U1 feeds it at 415 V: a "));
      unit(hall, bus).voltage = volts(240);
      unit(hall, bus).system = ElectricalSystem::single_phase; // line to neutral
      QVERIFY(errors().empty());
      unit(hall, bus).system = ElectricalSystem::three_phase;
      unit(hall, bus).voltage.reset();
    }
    unit(hall, bus).kind = PowerUnitKind::busway;
    unit(hall, ups).voltage = volts(12);
    QVERIFY(told("The voltage of U1 is 12 V: 100 V to 24 kV are allowed for a UPS"));
    unit(hall, ups).voltage = volts(480); // a double conversion can
    QVERIFY(errors().empty());
    unit(hall, ups).voltage.reset();
    unit(hall, bus).part.clear();

    unit(hall, transformer).system = ElectricalSystem::direct_current;
    QVERIFY(told("T1 is a transformer and has direct current as its system"));
    unit(hall, transformer).system = ElectricalSystem::three_phase;
    unit(hall, bus).system = ElectricalSystem::direct_current;
    QVERIFY(told("X1 (busway) has direct current as its system and is fed from U1, which gives alternating current"));
    unit(hall, ups).kind = PowerUnitKind::rectifier;
    unit(hall, ups).voltage = volts(800);
    QVERIFY(errors().empty());
    unit(hall, ups).system = ElectricalSystem::single_phase;
    QVERIFY(told("U1 is a rectifier and has single-phase as its system"));
    unit(hall, ups).system = ElectricalSystem::direct_current;
    unit(hall, bus).kind = PowerUnitKind::rectifier;
    QVERIFY(told("X1 is a rectifier and is fed from U1, which gives direct current"));
    unit(hall, bus).kind = PowerUnitKind::transformer;
    QVERIFY(told("X1 is a transformer and has direct current as its system"));
    unit(hall, bus).system = ElectricalSystem::three_phase;
    QVERIFY(told("X1 gives alternating current and is fed from U1, which gives direct current"));
  }
  /// A note, and no more of it once the switch has where to go.
  void aStaticSwitchHasTwoSources() {
    PoweredHall hall;
    const Id a = hall.power_unit("Utility A", PowerUnitKind::utility_feed, megawatts(5));
    const Id b = hall.power_unit("Utility B", PowerUnitKind::utility_feed, megawatts(5));
    const Id sts = hall.power_unit("STS", PowerUnitKind::static_switch, megawatts(1), a);
    hall.add_racks(plain_rack_type(hall, 10), 5, sts);
    hall.run();
    const auto told = one_line_findings(hall, "PWR-020");
    QCOMPARE(told.size(), std::size_t(1));
    QCOMPARE(told.front().severity, Severity::note);
    QVERIFY(told.front().message.find("STS is a static switch without a second source") == 0);
    unit(hall, sts).second_source = b;
    hall.run();
    QVERIFY(one_line_findings(hall, "PWR-020").empty());
  }

  void wrongDrawingsAreTold() {
    PoweredHall hall;
    const Id utility = hall.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(5));
    const Id transformer = hall.power_unit("T1", PowerUnitKind::transformer, megawatts(2), utility);
    const Id generator = hall.power_unit("G1", PowerUnitKind::generator, megawatts(2));
    const Id a = hall.power_unit("UPS A", PowerUnitKind::ups, megawatts(1), transformer, Feed::a);
    const Id b = hall.power_unit("UPS B", PowerUnitKind::ups, megawatts(1), transformer, Feed::b);
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(1), a, Feed::a);
    hall.add_racks(plain_rack_type(hall, 10), 5, bus, b);
    const auto told = [&](const std::string& code, const std::string& words) {
      hall.run();
      for (const Finding& f : one_line_findings(hall, code))
        if (f.message.find(words) != std::string::npos) return true;
      return false;
    };
    hall.run();
    QVERIFY(one_line_findings(hall, "PWR-020").empty() && one_line_findings(hall, "PWR-029").empty());
    unit(hall, a).parallel_with = a;
    QVERIFY(told("PWR-020", "UPS A runs in parallel with itself"));
    unit(hall, a).parallel_with = b;
    QVERIFY(told("PWR-020", "UPS A of side A runs in parallel with UPS B of side B"));
    unit(hall, a).parallel_with = 0;
    unit(hall, transformer).second_source = generator;
    unit(hall, generator).second_source = transformer;
    QVERIFY(told("PWR-020", "G1 and T1 are each other's second source"));
    unit(hall, generator).second_source = 0;
    unit(hall, transformer).no_load_loss = megawatts(3);
    QVERIFY(told("PWR-029", "The no-load loss of T1 is 3000 kW at a rating of 2000 kW; 0 to 100 % of the rating is allowed"));
    unit(hall, transformer).rating.reset();
    QVERIFY(told("PWR-029", "T1 states its losses by load, and no rating is known"));
    unit(hall, transformer).rating = megawatts(2);
    unit(hall, transformer).no_load_loss.reset();
    unit(hall, a).efficiency_at_quarter = 0.2;
    unit(hall, a).efficiency_at_half = 0.9;
    QVERIFY(told("PWR-029", "UPS A: By the efficiency curve a load of 50 % draws less than one of 25 %"));
    unit(hall, a).efficiency_at_quarter.reset();
    unit(hall, a).efficiency_at_half.reset();
    unit(hall, b).kind = PowerUnitKind::rectifier;
    unit(hall, bus).upstream = b;
    QVERIFY(told("PWR-020", "Busway gives alternating current and is fed from UPS B, which gives direct current"));
    unit(hall, bus).system = ElectricalSystem::direct_current;
    hall.run();
    for (const Finding& f : one_line_findings(hall, "PWR-020")) QVERIFY2(false, f.message.c_str());
  }

  /// A generator that starts in 10 s and a battery of 1 s: told; not where a static switch has another utility feed.
  void aStaticSwitchAsksNoBattery() {
    PoweredHall hall;
    const Id first = hall.power_unit("Utility 1", PowerUnitKind::utility_feed, megawatts(5));
    const Id second = hall.power_unit("Utility 2", PowerUnitKind::utility_feed, megawatts(5));
    const Id generator = hall.power_unit("Generator", PowerUnitKind::generator, megawatts(5));
    const Id board = hall.power_unit("Switchgear", PowerUnitKind::switchgear, megawatts(5), first);
    unit(hall, board).second_source = generator;
    const Id transfer = hall.power_unit("Static switch", PowerUnitKind::static_switch, megawatts(5), board);
    const Id ups = hall.power_unit("UPS", PowerUnitKind::ups, megawatts(1), transfer);
    unit(hall, ups).battery_time = seconds(1);
    hall.add_racks(plain_rack_type(hall, 10), 50, ups);
    hall.run();
    QCOMPARE(one_line_findings(hall, "PWR-025").size(), std::size_t(1));
    unit(hall, transfer).second_source = second;
    hall.run();
    QVERIFY(one_line_findings(hall, "PWR-025").empty());
    const PowerContingencies& c = hall.supply.one_line->contingencies;
    QCOMPARE(c.with_out({board}).racks_dark, Count{0});
    QVERIFY(c.flow(c.with_out({board})).on_alternate(static_cast<std::size_t>(hall.supply.one_line->line.index(transfer))));
  }

  /// Ten racks of 100 kW at the end of two busways of 400 V, 90 m of 60 uOhm/m: 1.7 % in normal operation, twice that and
  /// more than 3 % when all of the power comes from one side.
  void voltageDropWithTheOtherSideOut() {
    PoweredHall hall;
    without_plant(hall);
    hall.power_plant.redundancy = Redundancy::two_n;
    std::vector<Id> buses;
    for (const Feed side : {Feed::a, Feed::b}) {
      const Id ups = hall.power_unit(side == Feed::a ? "UPS A" : "UPS B", PowerUnitKind::ups, megawatts(2), 0, side);
      unit(hall, ups).voltage = volts(400);
      buses.push_back(hall.power_unit(side == Feed::a ? "Busway A" : "Busway B", PowerUnitKind::busway, megawatts(2), ups, side));
      unit(hall, buses.back()).conductor_resistance = ResistancePerLength::from_value(60e-6);
      unit(hall, buses.back()).length = meters(90);
    }
    hall.add_racks(plain_rack_type(hall, 100), 10, buses[0], buses[1]);
    for (Rack& r : hall.racks) r.tap_a = r.tap_b = meters(90);
    hall.run();
    // All at the end: 500 kW at 400 V are 722 A (power factor 1), 5.4 mOhm x 722 = 3.9 V of 230.9 V, 1.69 %; 3.38 % alone.
    const auto found = one_line_findings(hall, "PWR-028");
    QCOMPARE(found.size(), std::size_t(2));
    QVERIFY2(found.front().message.find("With the other side out, ") == 0 && found.front().message.find("3.38 %") != std::string::npos &&
                 found.front().message.find("so for 9 more") != std::string::npos,
             found.front().message.c_str());
  }

  /// Nodes of 1 MW that fall to 23 % at a checkpoint: 770 kW within the minute.
  void theUtilityFollowsSoFast() {
    TrainingRhythm r;
    r.rack_power = megawatts(1);
    r.step = seconds(10);
    r.exposed_communication = seconds(1);
    r.checkpoint_interval = minutes(30);
    r.checkpoint_stall = minutes(2);
    const auto swing = step_load_swing(r, {utility_swing_limit(kilowatts(500)), utility_swing_limit(kilowatts(800))});
    QVERIFY(swing);
    QVERIFY(swing->verdicts[0].too_much && !swing->verdicts[1].too_much);
    QVERIFY2(swing->verdicts[0].sentence.find("changes by 770 kW within 60 s") != std::string::npos, swing->verdicts[0].sentence.c_str());
  }

  /// Two more UPS under 2N: twice the band of the catalog, and its lead time. Plant grows with the racks.
  void theNextStepHasAPriceAndATime() {
    PoweredHall hall;
    without_plant(hall);
    hall.power_plant.redundancy = Redundancy::two_n;
    Assumption price = default_value("price.ups_module", 325000);
    price.unit = "USD", price.low = 150000, price.high = 500000;
    keep(hall.catalog.assumptions, price);
    Assumption lead = default_value("lead.ups", 30);
    lead.unit = "wk", lead.low = 20, lead.high = 40;
    keep(hall.catalog.assumptions, lead);
    const Id a = hall.power_unit("UPS A", PowerUnitKind::ups, kilowatts(500), 0, Feed::a), b = hall.power_unit("UPS B", PowerUnitKind::ups, kilowatts(500), 0, Feed::b);
    hall.add_racks(plain_rack_type(hall, 10), 30, a, b);
    hall.run();
    const OneLine& line = hall.supply.one_line->line;
    const auto growth = power_growth(line, {{kilowatts(10), {}}});
    QVERIFY(growth);
    QCOMPARE(growth->racks, Count{20});
    const GrowthStep step = next_growth_step(hall.design, line, *growth, hall.catalog);
    QCOMPARE(step.units, Count{2});
    QVERIFY(about(in_dollars(*step.cost_low), 300000) && about(in_dollars(*step.cost_high), 1000000));
    QVERIFY(about(*step.weeks, 30));
    QVERIFY2(step.sentence.find("two more UPS like UPS ") != std::string::npos && step.sentence.find(", one on each side") != std::string::npos && step.sentence.find("30 weeks (20 to 40)") != std::string::npos, step.sentence.c_str());
    // 7.5 % of fans behind transformers of 1075 kW: 100 racks of 10 kW and no more.
    PoweredHall cooled;
    cooled.power_plant.redundancy = Redundancy::n;
    cooled.power_plant.other_facility_power_share = 0.0;
    cooled.cooling_plant.air_fan_power_share = 0.075;
    cooled.cooling_plant.heat_rejection_power_share = 0.0;
    const Id t = cooled.power_unit("T", PowerUnitKind::transformer, kilowatts(1075.001));
    const Id u = cooled.power_unit("UPS", PowerUnitKind::ups, megawatts(5), t);
    unit(cooled, u).efficiency = 1.0;
    cooled.add_racks(plain_rack_type(cooled, 10), 40, u);
    cooled.run();
    QCOMPARE(power_growth(cooled.supply.one_line->line, {{kilowatts(10), {}}})->racks, Count{60});
  }
  /// What is added below a rectifier gets direct current.
  void unitsBelowARectifier() {
    PoweredHall hall;
    const Id rectifier = hall.power_unit("Rectifier", PowerUnitKind::rectifier, megawatts(1));
    hall.run();
    const auto made = add_unit_below(hall.design, rectifier, PowerUnitKind::busway).apply(hall.design);
    QVERIFY(made);
    QCOMPARE(made->power_units->back().system, ElectricalSystem::direct_current);
  }

  // --- laws -----------------------------------------------------------------------------------------------------------

  void laws() {
    QVERIFY(rc::check("sources deliver IT, plant and losses, in normal operation and after any failure; what has no power is told; loads open down", [] {
      std::vector<OneLineElement> e;
      const auto add = [&](PowerUnitKind kind, Id up) {
        OneLineElement x;
        x.id = static_cast<Id>(e.size() + 1);
        x.kind = kind;
        x.upstream = up;
        x.rating_w = *rc::gen::inRange(200, 4000) * 1000.0;
        x.trip_share = 1e9;
        if (kind == PowerUnitKind::transformer) x.losses = *LossLaw::no_load_and_load(0.002, 0.011);
        if (kind == PowerUnitKind::ups) x.losses = *LossLaw::curve({{0.25, 0.97}, {0.5, 0.973}, {0.75, 0.97}, {1.0, 0.964}});
        if (kind == PowerUnitKind::busway) x.losses = *LossLaw::constant(0.99);
        e.push_back(x);
        return x.id;
      };
      const int sides = *rc::gen::inRange(1, 4);
      std::vector<Id> ends, middle;
      for (int k = 0; k < sides; ++k) {
        const Id t = add(PowerUnitKind::transformer, add(PowerUnitKind::utility_feed, 0));
        const Id g = *rc::gen::inRange(0, 2) ? add(PowerUnitKind::generator, 0) : 0;
        for (int m = *rc::gen::inRange(1, 4); m > 0; --m) {
          const Id u = add(PowerUnitKind::ups, t);
          if (*rc::gen::inRange(0, 2)) e.back().alternate = g;
          if (*rc::gen::inRange(0, 3) == 0) e.back().bus = 100 + k;
          middle.push_back(u);
          ends.push_back(add(PowerUnitKind::busway, u));
        }
      }
      const auto any_of = [](const std::vector<Id>& ids) { return ids[*rc::gen::inRange<std::size_t>(0, ids.size())]; };
      std::vector<OneLineLoad> loads;
      for (int k = *rc::gen::inRange(1, 30); k > 0; --k) {
        OneLineLoad l;
        l.id = 1000 + k;
        l.draw = {kilowatts(*rc::gen::inRange(1, 140)), ReactivePower::from_vars(*rc::gen::inRange(0, 9) * 1000.0)};
        l.feed_a = any_of(ends);
        if (*rc::gen::inRange(0, 3)) l.feed_b = any_of(ends);
        loads.push_back(l);
      }
      std::vector<PlantLoad> plant;
      double all_plant = 0.0;
      for (int k = *rc::gen::inRange(0, 5); k > 0; --k) {
        PlantLoad p{"plant", {kilowatts(*rc::gen::inRange(1, 90)), ReactivePower::from_vars(5000)}, {}};
        for (int m = *rc::gen::inRange(1, 4); m > 0; --m) {
          p.points.push_back({*rc::gen::inRange<Id>(1, static_cast<Id>(e.size()) + 1), 0, *rc::gen::inRange(1, 5) * 1.0});
          if (*rc::gen::inRange(0, 2)) p.points.back().else_from = *rc::gen::inRange<Id>(1, static_cast<Id>(e.size()) + 1);
        }
        all_plant += in_watts(p.draw.real);
        plant.push_back(p);
      }
      const OneLine line(e, loads, {}, plant);
      std::vector<std::map<std::uint32_t, Count>> classes(line.groups().size());
      for (std::size_t g = 0; g < classes.size(); ++g) classes[g][static_cast<std::uint32_t>(g)] = 1; // one "rack" of all its power
      double all_it = 0.0;
      for (const OneLineLoad& l : line.loads()) all_it += in_watts(l.draw.real);
      PowerFlow flow(line);
      for (std::size_t out = 0; out <= e.size(); ++out) {
        const std::size_t failed[] = {out == 0 ? std::size_t{0} : out - 1};
        flow.solve(std::span<const std::size_t>(failed, out == 0 ? 0 : 1));
        const FlowTotals t = flow.totals();
        RC_ASSERT(about(in_watts(t.sources.real), in_watts(t.it) + in_watts(t.plant) + in_watts(t.losses)));
        RC_ASSERT(about(in_watts(t.it) + in_watts(t.without_power), all_it));
        RC_ASSERT(about(in_watts(t.plant) + in_watts(t.plant_without_power) + 1.0, all_plant + 1.0));
        for (std::size_t i = 0; i < e.size(); ++i) {
          const CarriedLoad c = carried_load(flow, i, classes);
          double racks = 0.0;
          for (const auto& [group, share] : c.racks) racks += share * flow.group_watts(group);
          RC_ASSERT(about(racks + c.plant_w + c.losses_w + 1.0, flow.output_watts(i) + 1.0, 1e-8));
        }
      }
    }));
  }
};

QTEST_APPLESS_MAIN(TestDrawnChain)
#include "test_drawn_chain.moc"
