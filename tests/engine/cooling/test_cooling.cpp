// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "engine/cooling/cooled_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {
bool near_to(double got, double wanted, double relative = 1e-9) { return std::abs(got - wanted) <= relative * std::abs(wanted); }

/// Racks of 100 kW, 90 kW of it to liquid (10 liquid nodes).
Id liquid_rack_type(CooledHall& hall) {
  const Id type = hall.rack_type("Liquid rack").id;
  hall.item(type, RackItemKind::node, "liquid-node", 10);
  return type;
}
/// A rack type that sheds exactly `kilowatts_each` to liquid: one integrated rack, all of it liquid.
Id heat_rack_type(CooledHall& hall, double kilowatts_each) {
  hall.catalog.racks.clear();
  RackPart p = part<RackPart>("heater");
  p.kind = "integrated rack";
  p.power_high = kilowatts(kilowatts_each);
  p.liquid_share = 1.0;
  keep(hall.catalog.racks, p);
  return hall.rack_type("Heater", "heater").id;
}
} // namespace

class TestCooling : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 120 kW at 10 K, water of 998 kg/m3 and 4182 J/(kg K):
  /// 120000 / (998 x 4182 x 10) = 2.8752e-3 m3/s = 172.5 L/min
  void flowOfOneRack() {
    CooledHall hall;
    const Id type = heat_rack_type(hall, 120);
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(type, 1, 0, 0, loop);
    hall.run();
    QVERIFY(near_to(in_liters_per_minute(hall.cool.flow.value), 172.5, 2e-4));
    // The return is the supply of 35 degC plus the 10 K.
    QVERIFY(std::abs(hall.figure("cooling.loop." + std::to_string(loop) + ".return_temperature").value - (273.15 + 45)) < 1e-6);
    // A loop with a rise of its own: 20 K halves the flow.
    hall.loops[0].rise = kelvins_rise(20);
    hall.run();
    QVERIFY(near_to(in_liters_per_minute(hall.cool.flow.value), 86.26, 2e-4));
  }

  /// Racks with a liquid share of their own shed what their own cages draw: half of 10,400 and of 10,800 W, so 10.6 kW,
  /// at 10 K in water of 998 kg/m3 and 4182 J/(kg K): 10600 / 41736360 m3/s = 15.24 L/min.
  void racksShedWhatTheirOwnCagesDraw() {
    CooledHall hall;
    RackType& type = hall.rack_type("Rear door rack");
    type.liquid_heat_share = 0.5;
    const Id id = type.id;
    hall.item(id, RackItemKind::node, "dgx-h100", 1);
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(id, 2, 0, 0, loop);
    hall.network = {1, watts(747), watts(800), watts(800)};
    RackCableLoad first, second;
    first.rack = hall.racks[0].id;
    first.node_module_w = 200;
    second.rack = hall.racks[1].id;
    second.node_module_w = 600;
    hall.wired = WiredAmounts{1, 0, 1, 0, {first, second}};
    hall.run();
    const Table* racks = hall.figures.table("cooling.racks");
    QVERIFY(near_to(racks->column("heat_to_liquid")->numbers[0], 5200));
    QVERIFY(near_to(racks->column("heat_to_liquid")->numbers[1], 5400));
    for (std::size_t i = 0; i < 2; ++i)
      QVERIFY(near_to(hall.figure(racks->row_figures[i]).value, racks->column("flow")->numbers[i]));
    QVERIFY(near_to(hall.figure("cooling.loop." + std::to_string(loop) + ".heat").value, 10600));
    QVERIFY(near_to(in_liters_per_minute(hall.cool.flow.value), 10600.0 / 41736360 * 60000));
    QVERIFY(near_to(in_watts(hall.loads.heat_to_liquid.value), 10600));
  }

  /// One CDU of 1,300 kW under N+1: it counts as out of service, and the sentence says so. 10 racks x 90 kW are 900 kW;
  /// 1,300 kW carry them, so N+1 asks for two.
  void oneCduUnderNPlusOneIsNone() {
    CooledHall hall;
    hall.cooling_plant.redundancy = Redundancy::n_plus_1;
    const Id type = liquid_rack_type(hall);
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(type, 10, 0, 0, loop);
    hall.cooling_unit("CDU 1", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.run();
    const auto found = hall.findings("CLG-002");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().severity, Severity::error);
    const std::string& words = found.front().message;
    QVERIFY2(words.find("900 kW") != std::string::npos && words.find("N+1 counts CDU 1 (1.30 MW), the only CDU there, as out of service") != std::string::npos &&
                 words.ends_with("one more is needed"), words.c_str());
    QVERIFY2(found.front().remedies.front().edit.label.starts_with("Add one more CDU"), found.front().remedies.front().edit.label.c_str());
    QCOMPARE(hall.cool.cdu_headroom.completeness, Completeness::not_applicable);
    QVERIFY(hall.cool.cdu_headroom.reason->find("out of service") != std::string::npos);
    const Figure& flow = hall.figure("cooling.flow");
    QCOMPARE(flow.status, Status::over_limit);
    QVERIFY(hall.figures.at(flow.limit)->label.find("the only one out") != std::string::npos);
    // The second one takes all of it.
    hall.cooling_unit("CDU 2", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.run();
    QVERIFY(hall.findings("CLG-002").empty());
    QVERIFY(near_to(hall.cool.cdu_headroom.value, 1 - 900.0 / 1300.0));
  }

  /// A loop whose only CDU is the spare is worse than any other.
  void theLoopWithNothingLeftIsTheWorst() {
    CooledHall hall;
    hall.cooling_plant.redundancy = Redundancy::n_plus_1;
    const Id type = liquid_rack_type(hall);
    const Id one = hall.loop("One CDU"), two = hall.loop("Two CDUs");
    hall.add_racks(type, 2, 0, 0, one);
    hall.add_racks(type, 2, 0, 0, two);
    for (const Id loop : {one, two, two}) hall.cooling_unit("CDU", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.run();
    QVERIFY(!hall.cool.cdu_headroom.has_value());
    QVERIFY(hall.figure("cooling.cdu_headroom").label.find("One CDU") != std::string::npos);
  }

  void theSupplyIsCalledATemperature() {
    CooledHall hall;
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(liquid_rack_type(hall), 1, 0, 0, loop);
    hall.run();
    const Figure& supply = hall.figure("cooling.supply_temperature");
    QVERIFY(std::abs(supply.value - (273.15 + 35)) < 1e-6);
    QVERIFY2(supply.label.starts_with("Coolant supply temperature of TCS 1"), supply.label.c_str());
  }

  void unitsThatServeNothingAndHeatThatNoneTakes() {
    CooledHall hall;
    const Id type = hall.rack_type("Air rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 4);
    hall.add_racks(type, 2);
    hall.run();
    QVERIFY(hall.findings("CLG-009").empty());
    QVERIFY(hall.findings("CLG-010").empty()); // no cooling is drawn yet
    hall.cooling_unit("CDU 1", CoolingUnitKind::cdu, "cdu-1300", hall.loop("TCS 1"));
    hall.run();
    QCOMPARE(hall.findings("CLG-009").size(), std::size_t(1));
    QVERIFY2(hall.findings("CLG-009")[0].message.starts_with("CDU 1 cools nothing"), hall.findings("CLG-009")[0].message.c_str());
    // 2 x 4 x 10.2 kW
    QCOMPARE(hall.findings("CLG-010").size(), std::size_t(1));
    QVERIFY2(hall.findings("CLG-010")[0].message.starts_with("81.6 kW"), hall.findings("CLG-010")[0].message.c_str());
    hall.cooling_unit("CRAH 1", CoolingUnitKind::crah, "crah-200");
    hall.run();
    QVERIFY(hall.findings("CLG-010").empty());
    const auto alone = hall.findings("CLG-005");
    QCOMPARE(alone.size(), std::size_t(hall.cooling_plant.redundancy == Redundancy::n ? 0 : 1));
  }

  /// Where nothing of a total is known, sentences say so; none speaks of "at least 0".
  void nothingKnownIsNoZero() {
    CooledHall hall;
    hall.cooling_plant.redundancy = Redundancy::n;
    hall.cooling_plant.fluid_part = "soup";
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(liquid_rack_type(hall), 2, 0, 0, loop);
    hall.cooling_unit("CDU 1", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.cooling_unit("CRAH 1", CoolingUnitKind::crah, "gone");
    hall.run();
    const auto flow = hall.findings("CLG-002"), air = hall.findings("CLG-005");
    QCOMPARE(flow.size(), std::size_t(1));
    QVERIFY2(flow.front().message.find("Coolant flow, TCS 1 (not known)") != std::string::npos &&
                 flow.front().message.find("soup") != std::string::npos, flow.front().message.c_str());
    QCOMPARE(air.size(), std::size_t(1));
    QVERIFY2(air.front().message.find("what is allowed (Capacity of the drawn air units) is not known") != std::string::npos &&
                 air.front().message.find("gone") != std::string::npos, air.front().message.c_str());
    // A second unit of 200 kW: 2 x 10 kW of air heat are allowed, whatever the first one adds.
    hall.cooling_unit("CRAH 2", CoolingUnitKind::crah, "crah-200");
    hall.run();
    QVERIFY(hall.findings("CLG-005").empty() || hall.findings("CLG-005").front().message.find("at most at least") == std::string::npos);
  }

  /// A part that is in no catalog leaves the heat to liquid open: no sentence about "at least 0 W".
  void heatOfAnUnknownPartIsUndecided() {
    CooledHall hall;
    const Id type = hall.rack_type("Rack").id;
    hall.item(type, RackItemKind::node, "banana", 4);
    hall.add_racks(type, 2);
    hall.run();
    const auto open = hall.findings("CLG-001");
    QCOMPARE(open.size(), std::size_t(1));
    QVERIFY(open.front().undecided);
    QVERIFY2(open.front().message.find("at least 0 W") == std::string::npos && open.front().message.find("banana") != std::string::npos,
             open.front().message.c_str());
  }

  void partThatAsksForMoreFlowWins() {
    CooledHall hall;
    const Id type = heat_rack_type(hall, 120);
    hall.catalog.racks[0].coolant_flow = liters_per_minute(200); // more than 172.5
    hall.add_racks(type, 3);
    hall.run();
    QVERIFY(near_to(in_liters_per_minute(hall.cool.flow.value), 600));
    hall.catalog.racks[0].coolant_flow = liters_per_minute(100); // less: the heat decides
    hall.run();
    QVERIFY(near_to(in_liters_per_minute(hall.cool.flow.value), 3 * 172.511, 2e-4));
  }

  /// 8000 kW over units of 1300 kW: 6.15, so 7, and 8 with N+1.
  void cduCounts_data() {
    QTest::addColumn<int>("redundancy");
    QTest::addColumn<int>("needed");
    QTest::newRow("N needs 7") << static_cast<int>(Redundancy::n) << 7;
    QTest::newRow("N+1 needs 8") << static_cast<int>(Redundancy::n_plus_1) << 8;
    QTest::newRow("2N needs 14") << static_cast<int>(Redundancy::two_n) << 14;
  }
  void cduCounts() {
    QFETCH(int, redundancy);
    QFETCH(int, needed);
    CooledHall hall;
    const Id type = heat_rack_type(hall, 100);
    for (CoolingPart& p : hall.catalog.cooling)
      if (p.id == "cdu-1300") p.secondary_flow = liters_per_minute(1e6);
    hall.cooling_plant.redundancy = static_cast<Redundancy>(redundancy);
    hall.add_racks(type, 80);
    hall.run();
    QCOMPARE(hall.cool.cdus_by_duty.value, Count{7});
    QCOMPARE(hall.cool.cdus_needed.value, Count{needed});
    QCOMPARE(QString::fromStdString(hall.cool.binding_limit), QStringLiteral("duty"));
  }

  /// 8000 kW at 10 K is 11 501 L/min; units of 1200 L/min: 9.58, so 10 by flow against 7 by duty.
  void flowBinds() {
    CooledHall hall;
    const Id type = heat_rack_type(hall, 100);
    for (CoolingPart& p : hall.catalog.cooling)
      if (p.id == "cdu-1300") p.secondary_flow = liters_per_minute(1200);
    hall.add_racks(type, 80);
    hall.run();
    QCOMPARE(hall.cool.cdus_by_duty.value, Count{7});
    QCOMPARE(hall.cool.cdus_by_flow.value, Count{10});
    QCOMPARE(hall.cool.cdus_needed.value, Count{11});
    QCOMPARE(QString::fromStdString(hall.cool.binding_limit), QStringLiteral("flow"));
    QCOMPARE(hall.findings("CLG-003").size(), std::size_t(1));
  }

  /// 8 units of 1300 kW, one out: 9100 kW against 8000 kW: headroom 1 - 8000/9100 = 0.12088.
  void headroomWithOneOut() {
    CooledHall hall;
    const Id type = heat_rack_type(hall, 100);
    const Id loop = hall.loop("TCS 1");
    for (int k = 0; k < 8; ++k) hall.cooling_unit("CDU " + std::to_string(k + 1), CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.add_racks(type, 80, 0, 0, loop);
    hall.run();
    QVERIFY(near_to(hall.cool.cdu_headroom.value, 0.120879, 1e-5));
    QVERIFY(hall.findings("CLG-001").empty());
    QVERIFY(hall.findings("CLG-002").empty());
    // 85 racks: 8500 of 9100 kW, 6.6 % of margin: a warning. 95 racks: over: an error with a remedy.
    hall.add_racks(type, 5, 0, 0, loop);
    hall.run();
    QCOMPARE(hall.findings("CLG-002").size(), std::size_t(1));
    QCOMPARE(hall.findings("CLG-002").front().severity, Severity::warning);
    hall.add_racks(type, 10, 0, 0, loop);
    hall.run();
    const auto over = hall.findings("CLG-002");
    QCOMPARE(over.size(), std::size_t(1));
    QCOMPARE(over.front().severity, Severity::error);
    QCOMPARE(over.front().remedies.size(), std::size_t(1));
    const Remedy& remedy = over.front().remedies.front();
    QCOMPARE(*remedy.cost_dollars, 150000.0);
    QCOMPARE(*remedy.lead_time_weeks, 28.0);
    const auto after = remedy.edit.apply(hall.design);
    QVERIFY(after);
    QCOMPARE(after->cooling_units->size(), std::size_t(9));
    QCOMPARE(after->cooling_units->back().loop, loop);
    hall.cooling_units = *after->cooling_units; // 9 units, one out: 10 400 kW carry 9500
    hall.run();
    QVERIFY(near_to(hall.cool.cdu_headroom.value, 1 - 9500.0 / 10400.0, 1e-9));
  }

  /// A single unit under N+1 leaves nothing: an error, and no headroom of minus infinity.
  void oneUnitIsNoRedundancy() {
    CooledHall hall;
    const Id type = heat_rack_type(hall, 100);
    hall.cooling_unit("CDU 1", CoolingUnitKind::cdu, "cdu-1300");
    hall.add_racks(type, 2);
    hall.run();
    QVERIFY(!hall.cool.cdu_headroom.has_value());
    const auto over = hall.findings("CLG-002");
    QCOMPARE(over.size(), std::size_t(1));
    QCOMPARE(over.front().severity, Severity::error);
  }

  void heatWithoutCdu() {
    CooledHall hall;
    const Id type = liquid_rack_type(hall);
    hall.add_racks(type, 2);
    hall.run();
    QCOMPARE(hall.findings("CLG-001").size(), std::size_t(1));
    QCOMPARE(hall.cool.cdu_headroom.completeness, Completeness::unknown);
  }

  void racksOnNoLoop() {
    CooledHall hall;
    const Id type = liquid_rack_type(hall);
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(type, 3, 0, 0, loop);
    hall.add_racks(type, 2);
    hall.run();
    const auto loose = hall.findings("CLG-006");
    QCOMPARE(loose.size(), std::size_t(1));
    QCOMPARE(loose.front().entities.size(), std::size_t(2));
    const auto after = loose.front().remedies.front().edit.apply(hall.design);
    QVERIFY(after);
    hall.racks = *after->racks;
    hall.run();
    QVERIFY(hall.findings("CLG-006").empty());
  }

  void supplyWarmerThanTheNodesTake() {
    CooledHall hall;
    const Id type = liquid_rack_type(hall); // 45 degC
    hall.add_racks(type, 1);
    hall.cooling_plant.supply_temperature = Temperature::from_celsius(30);
    hall.run();
    QVERIFY(hall.findings("CLG-004").empty());
    hall.cooling_plant.supply_temperature = Temperature::from_celsius(47);
    hall.run();
    QCOMPARE(hall.findings("CLG-004").size(), std::size_t(1));
    QCOMPARE(hall.figure("cooling.supply_temperature").status, Status::over_limit);
  }

  /// 102 kW to air at 12 K: 102000 / (1.18 x 1006 x 12) = 7.1604 m3/s; 2 CRAHs of 200 kW, one out: 1 - 102/200.
  void airSide() {
    CooledHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(type, 10);
    hall.run();
    QVERIFY(near_to(base_value(hall.cool.airflow.value), 7.1604, 1e-4));
    QCOMPARE(hall.cool.air_headroom.completeness, Completeness::unknown);
    QCOMPARE(QString::fromStdString(*hall.cool.air_headroom.reason), QStringLiteral("no air units are drawn"));
    QCOMPARE(hall.cool.flow.completeness, Completeness::not_applicable);
    QCOMPARE(QString::fromStdString(*hall.cool.flow.reason), QStringLiteral("no heat goes to liquid"));
    hall.cooling_unit("CRAH 1", CoolingUnitKind::crah, "crah-200");
    hall.cooling_unit("CRAH 2", CoolingUnitKind::crah, "crah-200");
    hall.run();
    QVERIFY(near_to(hall.cool.air_headroom.value, 0.49));
    QVERIFY(hall.findings("CLG-005").empty());
    hall.add_racks(type, 12); // 224.4 kW: both carry it, one does not
    hall.run();
    QCOMPARE(hall.findings("CLG-005").size(), std::size_t(1));
    QCOMPARE(hall.findings("CLG-005").front().severity, Severity::warning);
    hall.add_racks(type, 20); // 428.4 kW
    hall.run();
    QCOMPARE(hall.findings("CLG-005").front().severity, Severity::error);
  }

  /// 1000 kW, 900 to liquid, 100 to air: one CDU at work draws 20 kW; fans 5 %: 5 kW; rejection 4 % of 1000: 40 kW.
  void electricalPower() {
    CooledHall hall;
    const Id type = liquid_rack_type(hall);
    hall.add_racks(type, 10);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.cool.cdu_power.value), 20));
    QVERIFY(near_to(in_kilowatts(hall.cool.fan_power.value), 5));
    QVERIFY(near_to(in_kilowatts(hall.cool.heat_rejection_power.value), 40));
    QVERIFY(near_to(in_kilowatts(hall.cool.electrical_power.value), 65));
    QCOMPARE(hall.cool.electrical_power.completeness, Completeness::estimate);
    hall.cooling_plant.air_fan_power_share = 0.1;
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.cool.electrical_power.value), 70));
  }

  void unknownShareMakesFlowALowerBound() {
    CooledHall hall;
    NodePart vague = part<NodePart>("vague");
    vague.cooling = "liquid";
    vague.power_maximum = kilowatts(10);
    keep(hall.catalog.nodes, vague);
    const Id known = liquid_rack_type(hall);
    const Id type = hall.rack_type("Vague rack").id;
    hall.item(type, RackItemKind::node, "vague", 10);
    const Id loop = hall.loop("TCS 1");
    for (int k = 0; k < 3; ++k) hall.cooling_unit("CDU", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.add_racks(known, 10, 0, 0, loop);
    hall.add_racks(type, 1, 0, 0, loop);
    hall.run();
    QCOMPARE(hall.cool.flow.completeness, Completeness::lower_bound);
    const auto undecided = hall.findings("CLG-002");
    QCOMPARE(undecided.size(), std::size_t(1));
    QVERIFY(undecided.front().undecided);
  }

  void aFluidThatDoesNotExistIsNamed() {
    CooledHall hall;
    hall.cooling_plant.fluid_part = "mercury";
    const Id type = liquid_rack_type(hall);
    hall.add_racks(type, 1);
    hall.run();
    QVERIFY(!hall.cool.cdus_by_flow.has_value() || hall.cool.cdus_by_flow.completeness == Completeness::lower_bound);
    QVERIFY(hall.cool.flow.reason && hall.cool.flow.reason->find("mercury") != std::string::npos);
  }

  void everythingReachesItsSources() {
    CooledHall hall;
    const Id loop = hall.loop("TCS 1");
    hall.cooling_unit("CDU 1", CoolingUnitKind::cdu, "cdu-1300", loop);
    hall.cooling_unit("CDU 2", CoolingUnitKind::cdu, "cdu-1300", loop);
    const Id type = liquid_rack_type(hall);
    hall.add_racks(type, 3, 0, 0, loop);
    hall.run();
    for (const Figure* f : hall.figures.all()) {
      const std::string broken = broken_derivation(hall.figures, *f);
      QVERIFY2(broken.empty(), broken.c_str());
    }
    for (const char* id : {"cooling.loops", "cooling.racks", "cooling.units"}) QVERIFY(hall.figures.table(id));
    QCOMPARE(hall.figures.table("cooling.racks")->row_count(), std::size_t(3));
    for (const std::string& id : hall.figures.table("cooling.racks")->row_figures) QVERIFY(hall.figures.find(id));
  }

  void laws() {
    QVERIFY(rc::check("adding a rack never raises CDU or air headroom", [] {
      const auto racks = *rc::gen::inRange<Count>(1, 60);
      const auto more = *rc::gen::inRange<Count>(1, 10);
      const auto units = *rc::gen::inRange<int>(2, 6);
      auto headrooms = [&](Count count) {
        CooledHall hall;
        const Id type = liquid_rack_type(hall);
        for (int k = 0; k < units; ++k) hall.cooling_unit("CDU", CoolingUnitKind::cdu, "cdu-1300");
        for (int k = 0; k < units; ++k) hall.cooling_unit("CRAH", CoolingUnitKind::crah, "crah-200");
        hall.add_racks(type, count);
        hall.run();
        return std::pair(hall.cool.cdu_headroom.value, hall.cool.air_headroom.value);
      };
      const auto before = headrooms(racks), after = headrooms(racks + more);
      RC_ASSERT(after.first < before.first);
      RC_ASSERT(after.second < before.second);
    }));
  }
};

QTEST_APPLESS_MAIN(TestCooling)
#include "test_cooling.moc"
