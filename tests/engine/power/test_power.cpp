// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QtTest>

#include <rapidcheck.h>

#include "engine/power/powered_hall.h"
#include "power/feed_graph.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative = 1e-9) { return std::abs(got - wanted) <= relative * std::abs(wanted); }

/// A rack type that draws exactly this power, all of it to air.
Id air_rack_type(PoweredHall& hall, double kilowatts_each, const std::string& name = "Air rack") {
  NodePart n = part<NodePart>("load-bank-" + name);
  n.cooling = "air";
  n.accelerators = 8;
  n.power_maximum = kilowatts(kilowatts_each);
  keep(hall.catalog.nodes, n);
  const Id type = hall.rack_type(name).id;
  hall.item(type, RackItemKind::node, n.id, 1);
  return type;
}

/// No losses and no plant: the load of a unit is the load of its racks, so that published failover figures apply.
void without_losses(PoweredHall& hall) {
  hall.power_plant.transformer_efficiency = hall.power_plant.ups_efficiency = hall.power_plant.distribution_efficiency = 1.0;
  hall.power_plant.other_facility_power_share = 0.0;
  hall.power_plant.continuous_load_factor = 1.0;
  hall.cooling_plant.air_fan_power_share = hall.cooling_plant.heat_rejection_power_share = 0.0;
}

/// A and B: a UPS and a busway each.
struct TwoFeeds {
  Id ups_a = 0, ups_b = 0, bus_a = 0, bus_b = 0;
};
TwoFeeds two_feeds(PoweredHall& hall, Power ups_rating, Power bus_rating) {
  TwoFeeds f;
  f.ups_a = hall.power_unit("UPS A", PowerUnitKind::ups, ups_rating, 0, Feed::a);
  f.ups_b = hall.power_unit("UPS B", PowerUnitKind::ups, ups_rating, 0, Feed::b);
  f.bus_a = hall.power_unit("Busway A", PowerUnitKind::busway, bus_rating, f.ups_a, Feed::a);
  f.bus_b = hall.power_unit("Busway B", PowerUnitKind::busway, bus_rating, f.ups_b, Feed::b);
  return f;
}

struct PublishedCase {
  QString id, quantity;
  QMap<QString, double> inputs;
  double expected = 0, tolerance = 0;
};
/// Splits one line of a CSV file with quoted cells.
QStringList cells(const QString& line) {
  QStringList out{QString()};
  bool quoted = false;
  for (const QChar c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) out.append(QString());
    else out.last().append(c);
  }
  return out;
}
QMap<QString, PublishedCase> published_cases() {
  QFile file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/power/power_cases.csv"));
  QMap<QString, PublishedCase> out;
  if (!file.open(QIODevice::ReadOnly)) return out;
  const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
  for (int i = 1; i < lines.size(); ++i) {
    const QStringList c = cells(lines[i]);
    PublishedCase p;
    p.id = c[0];
    p.quantity = c[3];
    p.expected = c[4].toDouble();
    p.tolerance = qMax(c[6].toDouble(), 1e-9);
    for (const QString& pair : c[2].split(';')) p.inputs.insert(pair.section('=', 0, 0), pair.section('=', 1).toDouble());
    out.insert(p.id, p);
  }
  return out;
}

} // namespace

class TestPower : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// What is stated for a unit binds in every view of it. A busway of 100 kW: 80 kW by the plant's 0.8, 100 kW with a
  /// factor of its own of 1. At 80 kVA and a power factor of 1 it carries 80 kW, usable 64 kW. In air of 60 degC
  /// conductors for 90 degC carry sqrt(30 / 60) = 0.7071 of it: 56.57 kW; beside another circuit 0.8 of 80: 64 kW.
  void limitsOfTheUnitItselfBind() {
    const auto headroom = [](auto&& change) {
      PoweredHall hall;
      without_losses(hall);
      hall.power_plant.redundancy = Redundancy::n;
      hall.power_plant.continuous_load_factor = 0.8;
      const Id type = air_rack_type(hall, 10);
      const TwoFeeds f = two_feeds(hall, kilowatts(1000), kilowatts(100));
      hall.add_racks(type, 1, f.bus_a);
      for (PowerUnit& u : hall.power_units)
        if (u.id == f.bus_a) change(u);
      hall.run();
      const double load = hall.figure("power.unit." + std::to_string(f.bus_a) + ".load").value;
      const double left = hall.figure("power.unit." + std::to_string(f.bus_a) + ".headroom").value;
      return load / (1.0 - left) * 1e-3; // usable, kW
    };
    QVERIFY(near_to(headroom([](PowerUnit&) {}), 80));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.continuous_load_factor = 1.0; }), 100));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.rating_apparent = ApparentPower::from_volt_amperes(80e3); }), 64));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.rating_apparent = ApparentPower::from_volt_amperes(800e3); }), 80));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.ambient = Temperature::from_celsius(60); }), 80 * std::sqrt(0.5)));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.ambient = Temperature::from_celsius(20); }), 80));
    QVERIFY(near_to(headroom([](PowerUnit& u) { u.grouped_circuits = 2; }), 64));
  }

  /// Two racks of one type with modules of 100 and 300 W in their own cages, each on a busway of its own, and one without
  /// modules on both: 10,100 + 5,000 W and 10,300 + 5,000 W, and with the other busway out 10,100 + 10,000 W.
  void unitsCarryWhatTheirOwnRacksDraw() {
    PoweredHall hall;
    without_losses(hall);
    hall.power_plant.redundancy = Redundancy::two_n;
    const Id type = air_rack_type(hall, 10);
    const TwoFeeds f = two_feeds(hall, kilowatts(50), kilowatts(10.2));
    hall.add_racks(type, 1, f.bus_a);
    hall.add_racks(type, 1, f.bus_b);
    hall.add_racks(type, 1, f.bus_a, f.bus_b);
    hall.network = {1, watts(747), watts(400), watts(400)};
    RackCableLoad first, second;
    first.rack = hall.racks[0].id;
    first.node_module_w = 100;
    second.rack = hall.racks[1].id;
    second.node_module_w = 300;
    hall.wired = WiredAmounts{1, 0, 1, 0, {first, second}};
    hall.run();
    QVERIFY(near_to(hall.normal_watts(f.bus_a), 10100 + 5000));
    QVERIFY(near_to(hall.normal_watts(f.bus_b), 10300 + 5000));
    QVERIFY(near_to(hall.worst_watts(f.bus_a), 10100 + 10000));
    // The explained figure is that of the table.
    QVERIFY(near_to(hall.figure("power.unit." + std::to_string(f.bus_b) + ".load").value, 15300));
    QCOMPARE(hall.findings("PWR-002").size(), std::size_t(2));
    for (const Figure* figure : hall.figures.all())
      QVERIFY2(broken_derivation(hall.figures, *figure).empty(), figure->id.c_str());
  }

  // --- published cases ------------------------------------------------------------------------------------------------

  void branchCircuits() {
    const auto cases = published_cases();
    int seen = 0;
    for (const QString& id : {QStringLiteral("PC-01c"), QStringLiteral("PC-01d"), QStringLiteral("PC-01e"), QStringLiteral("PC-01f")}) {
      QVERIFY(cases.contains(id));
      const PublishedCase& p = cases[id];
      PoweredHall hall;
      PowerPart circuit = part<PowerPart>("circuit");
      circuit.rating_current = amperes(p.inputs["breaker_A"]);
      circuit.voltage = volts(p.inputs["voltage_ll"]);
      circuit.phases = 3;
      keep(hall.catalog.power, circuit);
      hall.power_plant.continuous_load_factor = p.inputs["continuous_factor"];
      const Id unit = hall.power_unit("Circuit", PowerUnitKind::distribution, std::nullopt);
      hall.power_units.back().part = "circuit";
      hall.add_racks(air_rack_type(hall, 1), 1, unit);
      hall.run();
      QVERIFY2(near_to(hall.figure("power.unit." + std::to_string(unit) + ".continuous_rating").value, p.expected, p.tolerance), qPrintable(id));
      ++seen;
    }
    QCOMPARE(seen, 4);
  }

  /// PC-03: 3000 W on two units: 1500 W each, 3000 W on the survivor.
  void twoNFailover() {
    const auto cases = published_cases();
    PoweredHall hall;
    without_losses(hall);
    const auto feeds = two_feeds(hall, kilowatts(10), kilowatts(10));
    hall.add_racks(air_rack_type(hall, cases["PC-03e"].inputs["load_W"] / 1000), 1, feeds.bus_a, feeds.bus_b);
    hall.run();
    QVERIFY(near_to(hall.worst_watts(feeds.bus_a), cases["PC-03e"].expected));
    QVERIFY(near_to(hall.normal_watts(feeds.bus_a), cases["PC-03e"].expected / 2));
    // Six supplies: a survivor's share over its three connections is 1000 W, twice the 500 W that one loses.
    QVERIFY(near_to(hall.worst_watts(feeds.bus_b) / 3 - hall.normal_watts(feeds.bus_b) / 3, cases["PC-03d"].expected));
  }

  /// PC-04: a load on m modules of which m - 1 carry it: 50, 66.7, 75, 80 % in the normal state.
  void nPlusOneModules() {
    const auto cases = published_cases();
    int seen = 0;
    for (const PublishedCase& p : cases) {
      if (!p.id.startsWith("PC-04")) continue;
      PoweredHall hall;
      without_losses(hall);
      hall.power_plant.redundancy = Redundancy::n_plus_1;
      const int modules = static_cast<int>(p.inputs["modules"]);
      const double module_kilowatts = p.inputs["module_kVA"];
      const Id transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, kilowatts(1000));
      std::vector<Id> ups;
      for (int m = 0; m < modules; ++m) ups.push_back(hall.power_unit("UPS " + std::to_string(m + 1), PowerUnitKind::ups, kilowatts(module_kilowatts), transformer));
      const Id panel = hall.power_unit("Panel", PowerUnitKind::distribution, kilowatts(1000), ups.front());
      hall.add_racks(air_rack_type(hall, p.inputs["load_kVA"] / 10), 10, panel);
      hall.run();
      for (const Id u : ups) {
        QVERIFY2(near_to(hall.normal_watts(u) / (module_kilowatts * 1000) * 100, p.expected, p.tolerance), qPrintable(p.id));
        // One out: the rest runs full.
        QVERIFY(near_to(hall.worst_watts(u), p.inputs["load_kVA"] * 1000 / (modules - 1)));
      }
      ++seen;
    }
    QCOMPARE(seen, 4);
  }

  /// PC-05: 10 MW of IT, 400 kW of CDU pumps on the UPS, 900 kW of other cooling, 110 kW of the rest.
  void chainAndPue() {
    const auto cases = published_cases();
    PoweredHall hall;
    hall.catalog.racks.clear();
    RackPart heater = part<RackPart>("heater");
    heater.power_high = kilowatts(100);
    heater.liquid_share = 1.0;
    keep(hall.catalog.racks, heater);
    for (CoolingPart& p : hall.catalog.cooling)
      if (p.id == "cdu-1300") {
        p.capacity = kilowatts(2500); // 4 at work
        p.secondary_flow = liters_per_minute(1e6);
        p.power_draw = kilowatts(100);
      }
    hall.power_plant.transformer_efficiency = 0.99;
    hall.power_plant.ups_efficiency = 0.97;
    hall.power_plant.distribution_efficiency = 0.99;
    hall.power_plant.other_facility_power_share = 0.011;
    hall.cooling_plant.heat_rejection_power_share = 0.09;
    hall.add_racks(hall.rack_type("Heater", "heater").id, 100);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.cool.cdu_power.value), 400));
    QVERIFY(near_to(hall.figure("power.ups_output").value / 1000, cases["PC-05a"].expected, cases["PC-05a"].tolerance));
    QVERIFY(near_to(in_kilowatts(hall.supply.facility.value), cases["PC-05b"].expected, cases["PC-05b"].tolerance));
    QVERIFY(near_to(hall.supply.power_usage_effectiveness.value, cases["PC-05c"].expected, cases["PC-05c"].tolerance));
    QVERIFY(near_to(1 / hall.supply.power_usage_effectiveness.value, cases["PC-05d"].expected, cases["PC-05d"].tolerance));
    // Losses: 101.01 (1 % of distribution) + 324.78 (3 % of the UPS) + 119.55 (1 % of the transformer) = 545.34 kW
    QVERIFY(near_to(in_kilowatts(hall.supply.losses.value), 545.34, 1e-4));
    // 20 MW / 1.19553 = 16 729 kW
    QVERIFY(near_to(in_kilowatts(hall.supply.it_capacity.value), 16729, 1e-4));
    QVERIFY(near_to(hall.supply.utility_headroom.value, 1 - 11955.34 / 20000, 1e-4));
  }

  /// K11: A and B together count once.
  void twoFeedsCountOnce() {
    const auto cases = published_cases();
    PoweredHall hall;
    without_losses(hall);
    const auto feeds = two_feeds(hall, kilowatts(1200), kilowatts(1200));
    hall.add_racks(air_rack_type(hall, 10), 100, feeds.bus_a, feeds.bus_b);
    hall.run();
    for (const Id unit : {feeds.ups_a, feeds.ups_b, feeds.bus_a, feeds.bus_b}) {
      QVERIFY(near_to(hall.normal_watts(unit) / 1000, cases["K11-normal"].expected));
      QVERIFY(near_to(hall.worst_watts(unit) / 1000, cases["K11-failover"].expected));
    }
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), cases["K11-total"].expected));
    QVERIFY(near_to(hall.supply.worst_headroom.value, 1 - 1000.0 / 1200.0));
    QVERIFY(hall.figure("power.headroom_worst").label.find("UPS A with UPS B out") != std::string::npos);
    QCOMPARE(hall.supply.worst_unit, feeds.ups_a);
  }

  /// A common transformer above both feeds carries every rack once, also when one side is out.
  void commonUpstreamCarriesOnce() {
    PoweredHall hall;
    without_losses(hall);
    const Id transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, kilowatts(2000));
    const auto feeds = two_feeds(hall, kilowatts(1200), kilowatts(1200));
    for (PowerUnit& u : hall.power_units)
      if (u.kind == PowerUnitKind::ups) u.upstream = transformer;
    hall.add_racks(air_rack_type(hall, 10), 100, feeds.bus_a, feeds.bus_b);
    hall.run();
    QVERIFY(near_to(hall.normal_watts(transformer), 1e6));
    QVERIFY(near_to(hall.worst_watts(transformer), 1e6));
    const auto shared = hall.findings("PWR-006");
    QCOMPARE(shared.size(), std::size_t(1));
    QCOMPARE(shared.front().severity, Severity::error);
    QCOMPARE(shared.front().entities.front().id, transformer);
  }

  /// Three UPS "to make two" with uneven pairs: 1 carries with 2 and 3, and the survivors are not equal.
  /// Pairs 1-2: 60 racks, 1-3: 20, 2-3: 20 of 10 kW. Normal: 400, 400, 200. With 1 out: 2 carries 400 + 300 = 700.
  void unevenPairs() {
    PoweredHall hall;
    without_losses(hall);
    hall.power_plant.redundancy = Redundancy::n_plus_1; // wired apart, so they are no common bus
    const Id type = air_rack_type(hall, 10);
    Id ups[3], bus[3];
    for (int k = 0; k < 3; ++k) {
      ups[k] = hall.power_unit("UPS " + std::to_string(k + 1), PowerUnitKind::ups, kilowatts(500));
      bus[k] = hall.power_unit("Busway " + std::to_string(k + 1), PowerUnitKind::busway, kilowatts(1000), ups[k]);
    }
    hall.add_racks(type, 60, bus[0], bus[1]);
    hall.add_racks(type, 20, bus[0], bus[2]);
    hall.add_racks(type, 20, bus[1], bus[2]);
    hall.run();
    QVERIFY(near_to(hall.normal_watts(ups[0]), 400e3));
    QVERIFY(near_to(hall.normal_watts(ups[2]), 200e3));
    QVERIFY(near_to(hall.worst_watts(ups[1]), 700e3));
    QVERIFY(near_to(hall.supply.worst_headroom.value, 1 - 700.0 / 500.0));
    const auto over = hall.findings("PWR-004");
    QCOMPARE(over.size(), std::size_t(2)); // 1 and 2 at 140 %; 3 carries at most 300 kW
    QVERIFY(over.front().message.find("700 kW") != std::string::npos);
  }

  // --- rules ----------------------------------------------------------------------------------------------------------

  void overloadedBuswayAndItsRemedy() {
    PoweredHall hall;
    without_losses(hall);
    hall.power_plant.redundancy = Redundancy::n;
    hall.power_plant.continuous_load_factor = 0.8; // 800 kW of 1000
    const Id bus_1 = hall.power_unit("Busway 1", PowerUnitKind::busway, kilowatts(1000));
    const Id bus_2 = hall.power_unit("Busway 2", PowerUnitKind::busway, kilowatts(1000));
    const Id type = air_rack_type(hall, 10);
    hall.add_racks(type, 90, bus_1);
    hall.add_racks(type, 10, bus_2);
    hall.run();
    const auto over = hall.findings("PWR-002");
    QCOMPARE(over.size(), std::size_t(1));
    QCOMPARE(over.front().remedies.size(), std::size_t(1));
    const auto after = over.front().remedies.front().edit.apply(hall.design);
    QVERIFY(after);
    hall.racks = *after->racks;
    hall.run();
    QVERIFY(near_to(hall.normal_watts(bus_1), 800e3)); // ten racks moved
    QVERIFY(near_to(hall.normal_watts(bus_2), 200e3));
    QVERIFY(hall.findings("PWR-002").empty());
  }

  void oneFeedUnderTwoN() {
    PoweredHall hall;
    const auto feeds = two_feeds(hall, megawatts(2), megawatts(2));
    const Id type = air_rack_type(hall, 10);
    hall.add_racks(type, 4, feeds.bus_a, feeds.bus_b);
    hall.add_racks(type, 3, feeds.bus_a);
    hall.add_racks(type, 2, 0, feeds.bus_b);
    hall.add_racks(type, 1);
    hall.run();
    const auto single = hall.findings("PWR-005");
    QCOMPARE(single.size(), std::size_t(1));
    QCOMPARE(single.front().entities.size(), std::size_t(5));
    const auto after = single.front().remedies.front().edit.apply(hall.design);
    QVERIFY(after);
    hall.racks = *after->racks;
    hall.run();
    QVERIFY(hall.findings("PWR-005").empty());
    QCOMPARE(hall.findings("PWR-007").front().entities.size(), std::size_t(1)); // the one without any feed
    QVERIFY(near_to(hall.figure("power.unfed").value, 10e3));
  }

  /// 16 racks without feeds and a UPS that feeds nothing: both are told, whatever kind of unit is drawn.
  void racksAndUnitsThatNothingJoins() {
    PoweredHall hall;
    const Id type = air_rack_type(hall, 10);
    hall.add_racks(type, 16);
    hall.run();
    QVERIFY(hall.findings("PWR-007").empty()); // no unit is drawn yet
    const Id ups = hall.power_unit("UPS A", PowerUnitKind::ups, megawatts(1));
    hall.run();
    const auto unfed = hall.findings("PWR-007");
    QCOMPARE(unfed.size(), std::size_t(1));
    QCOMPARE(unfed.front().severity, Severity::warning);
    QVERIFY2(unfed.front().message.find("16 racks") != std::string::npos && unfed.front().message.find("160 kW") != std::string::npos,
             unfed.front().message.c_str());
    const auto idle = hall.findings("PWR-012");
    QCOMPARE(idle.size(), std::size_t(1));
    QCOMPARE(idle.front().severity, Severity::note);
    QVERIFY(idle.front().message.starts_with("UPS A feeds nothing"));
    // By way of a busway it feeds them; a generator stands by.
    hall.power_unit("Generator", PowerUnitKind::generator, megawatts(1));
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(1), ups);
    for (Rack& r : hall.racks) r.feed_a = bus;
    hall.run();
    QVERIFY(hall.findings("PWR-007").empty());
    QVERIFY(hall.findings("PWR-012").empty());
  }

  /// A feed that is gone counts as none, whatever redundancy is claimed.
  void feedsThatAreGone() {
    PoweredHall hall;
    hall.power_plant.redundancy = Redundancy::n;
    const Id type = air_rack_type(hall, 10);
    const TwoFeeds f = two_feeds(hall, megawatts(1), megawatts(1));
    hall.add_racks(type, 2, f.bus_a, f.bus_b);
    hall.run();
    QVERIFY(hall.findings("PWR-014").empty());
    hall.racks[1].feed_b = 999;
    hall.run();
    const auto gone = hall.findings("PWR-014");
    QCOMPARE(gone.size(), std::size_t(1));
    QCOMPARE(gone.front().entities, (std::vector<EntityRef>{{"racks", hall.racks[1].id}}));
    QVERIFY(near_to(hall.normal_watts(f.bus_a), 15e3)); // what it hands to the racks; it takes in its loss, too
  }

  void unitsThatHangOnNothing() {
    PoweredHall hall;
    const Id type = air_rack_type(hall, 10);
    const TwoFeeds f = two_feeds(hall, megawatts(1), megawatts(1));
    hall.add_racks(type, 4, f.bus_a, f.bus_b);
    hall.run();
    QVERIFY(hall.findings("PWR-013").empty()); // the UPS are the highest that is drawn
    const Id transformer = hall.power_unit("Transformer", PowerUnitKind::transformer, megawatts(2));
    hall.power_units[0].upstream = transformer;
    hall.run();
    const auto open = hall.findings("PWR-013");
    QCOMPARE(open.size(), std::size_t(1));
    QCOMPARE(open.front().entities, (std::vector<EntityRef>{{"power_units", f.ups_b}}));
    QVERIFY2(open.front().message.starts_with("UPS B names no unit upstream") && open.front().message.find("transformer") != std::string::npos,
             open.front().message.c_str());
    hall.power_units[1].upstream = 999;
    hall.run();
    const auto gone = hall.findings("PWR-013");
    QCOMPARE(gone.size(), std::size_t(1));
    QVERIFY2(gone.front().message.find("unit 999") != std::string::npos, gone.front().message.c_str());
    hall.power_units[1].upstream = transformer;
    hall.run();
    QVERIFY(hall.findings("PWR-013").empty());
  }

  void circleOfUpstreamLinks() {
    PoweredHall hall;
    const Id first = hall.power_unit("UPS 1", PowerUnitKind::ups, megawatts(1));
    const Id second = hall.power_unit("UPS 2", PowerUnitKind::ups, megawatts(1), first);
    hall.power_units[0].upstream = second;
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(1), second);
    hall.add_racks(air_rack_type(hall, 10), 3, bus);
    hall.run();
    const auto circle = hall.findings("PWR-009");
    QCOMPARE(circle.size(), std::size_t(1));
    QCOMPARE(circle.front().entities.size(), std::size_t(2));
  }

  void unknownRatingIsUndecided() {
    PoweredHall hall;
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, std::nullopt);
    hall.add_racks(air_rack_type(hall, 10), 3, bus);
    hall.run();
    QCOMPARE(hall.findings("PWR-010").size(), std::size_t(1));
    QVERIFY(hall.findings("PWR-010").front().undecided);
    QVERIFY(std::isnan(hall.supply.units.front().rating_w));
  }

  void unknownLoadIsUndecided() {
    PoweredHall hall;
    const Id bus = hall.power_unit("Busway", PowerUnitKind::busway, megawatts(1));
    const Id type = hall.rack_type("Dark rack").id;
    hall.item(type, RackItemKind::node, "unrated-node", 4);
    hall.add_racks(type, 3, bus);
    hall.add_racks(air_rack_type(hall, 10), 3, bus);
    hall.run();
    QCOMPARE(hall.supply.facility.completeness, Completeness::lower_bound);
    QCOMPARE(hall.figure("power.facility").status, Status::undecided);
    QVERIFY(hall.findings("PWR-001").front().undecided);
    QVERIFY(hall.findings("PWR-011").front().undecided);
    QCOMPARE(hall.figure("power.unit." + std::to_string(bus) + ".load").completeness, Completeness::lower_bound);
  }

  void facilityAboveTheUtility() {
    PoweredHall hall;
    hall.site.utility_power = megawatts(1);
    hall.add_racks(air_rack_type(hall, 10), 95);
    hall.run();
    QCOMPARE(hall.findings("PWR-001").size(), std::size_t(1));
    QCOMPARE(hall.findings("PWR-001").front().severity, Severity::error);
    QVERIFY(hall.supply.worst_headroom.value < 0);
    QCOMPARE(hall.supply.worst_unit, Id{0});
    QCOMPARE(hall.figure("power.it").status, Status::over_limit);
  }

  void nothingToFeed() {
    PoweredHall hall;
    hall.power_unit("UPS", PowerUnitKind::ups, megawatts(1));
    hall.run();
    QCOMPARE(hall.supply.power_usage_effectiveness.completeness, Completeness::not_applicable);
    QCOMPARE(hall.supply.worst_headroom.completeness, Completeness::not_applicable);
    QVERIFY(near_to(in_megawatts(hall.supply.it_capacity.value), 20 / 1.25)); // at the assumed ratio
    QCOMPARE(hall.supply.units.size(), std::size_t(1));
  }

  void everythingReachesItsSources() {
    PoweredHall hall;
    const auto feeds = two_feeds(hall, megawatts(2), megawatts(2));
    hall.add_racks(air_rack_type(hall, 10), 4, feeds.bus_a, feeds.bus_b);
    hall.run();
    for (const Figure* f : hall.figures.all()) {
      const std::string broken = broken_derivation(hall.figures, *f);
      QVERIFY2(broken.empty(), broken.c_str());
    }
    const Table* units = hall.figures.table("power.units");
    QVERIFY(units && hall.figures.table("power.levels"));
    // The explained load of a unit is the one in the table.
    for (std::size_t i = 0; i < units->row_count(); ++i)
      QVERIFY(near_to(hall.figure(units->row_figures[i]).value, units->column("load_worst")->numbers[i]));
  }

  // --- laws -----------------------------------------------------------------------------------------------------------

  void laws() {
    QVERIFY(rc::check("adding a rack never raises headroom; PUE is at least 1; a level carries the IT load once", [] {
      const auto racks = *rc::gen::inRange<Count>(1, 80);
      const auto more = *rc::gen::inRange<Count>(1, 20);
      const auto redundancy = *rc::gen::element(Redundancy::n, Redundancy::n_plus_1, Redundancy::two_n);
      const auto seed = *rc::gen::inRange<unsigned>(0, 1000);
      auto of = [&](Count count) {
        PoweredHall hall;
        hall.power_plant.redundancy = redundancy;
        std::vector<Id> ups, buses;
        for (int k = 0; k < 4; ++k) ups.push_back(hall.power_unit("UPS " + std::to_string(k), PowerUnitKind::ups, kilowatts(500), 0, k % 2 ? Feed::b : Feed::a));
        for (int k = 0; k < 6; ++k) buses.push_back(hall.power_unit("Busway " + std::to_string(k), PowerUnitKind::busway, kilowatts(400), ups[static_cast<std::size_t>(k) % 4]));
        const Id type = air_rack_type(hall, 10);
        unsigned state = seed;
        for (Count r = 0; r < count; ++r) {
          state = state * 1103515245u + 12345u;
          const Id a = buses[(state >> 16) % 6];
          const Id b = (state >> 20) % 7 == 6 ? 0 : buses[(state >> 20) % 7];
          hall.add_racks(type, 1, a, b);
        }
        hall.run();
        double on_ups = 0;
        for (const Id u : ups) on_ups += hall.normal_watts(u);
        RC_ASSERT(near_to(on_ups, hall.figure("power.ups_output").value));
        RC_ASSERT(hall.supply.power_usage_effectiveness.value >= 1.0);
        for (const PowerUnitLoad& u : hall.supply.units) RC_ASSERT(u.failover_w >= u.normal_w * (1 - 1e-12));
        const FeedGraph graph(hall.power_units, hall.racks, redundancy, [](const PowerUnit&) { return 500e3; });
        return std::tuple(graph.group_size(0), graph.group_size(1), hall.supply.worst_headroom.value);
      };
      const auto [bus_a, bus_b, headroom] = of(racks);
      const auto [more_bus_a, more_bus_b, more_headroom] = of(racks + more);
      // Under N+1 a rack with A and B on two units of one bus parts the bus: what backs up what is another question then.
      RC_PRE(bus_a == more_bus_a && bus_b == more_bus_b);
      RC_ASSERT(more_headroom <= headroom + 1e-12);
    }));
    QVERIFY(rc::check("a failure moves racks, it makes none: what survives plus what is lost is what was carried", [] {
      std::vector<PowerUnit> units(6);
      for (std::size_t i = 0; i < 6; ++i) {
        units[i].id = static_cast<Id>(i + 1);
        units[i].kind = i < 2 ? PowerUnitKind::ups : PowerUnitKind::busway;
        units[i].upstream = i < 2 ? 0 : static_cast<Id>(i % 2 + 1);
      }
      std::vector<Rack> racks(static_cast<std::size_t>(*rc::gen::inRange(1, 60)));
      for (std::size_t i = 0; i < racks.size(); ++i) {
        racks[i].id = static_cast<Id>(100 + i);
        racks[i].rack_type = 1;
        racks[i].feed_a = *rc::gen::inRange<Id>(0, 7);
        racks[i].feed_b = *rc::gen::inRange<Id>(0, 7);
      }
      const FeedGraph graph(units, racks, Redundancy::two_n, [](const PowerUnit&) { return 1e6; });
      const auto loads = graph.loads([](std::uint32_t) { return 1.0; });
      for (std::size_t u = 0; u < units.size(); ++u) {
        const auto carried = graph.racks_carried(u, loads[u].worst_out);
        const double replayed = carried.empty() ? 0.0 : carried.begin()->second;
        RC_ASSERT(std::abs(replayed - loads[u].worst) < 1e-9);
        const auto normal = graph.racks_carried(u, 0);
        RC_ASSERT(std::abs((normal.empty() ? 0.0 : normal.begin()->second) - loads[u].normal) < 1e-9);
        for (std::size_t x = 0; x < units.size(); ++x) {
          if (x == u) continue;
          const auto with = graph.racks_carried(u, units[x].id);
          RC_ASSERT((with.empty() ? 0.0 : with.begin()->second) <= loads[u].worst + 1e-9); // no failure is worse than the named one
        }
      }
    }));
  }
};

QTEST_APPLESS_MAIN(TestPower)
#include "test_power.moc"
