// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes, water hammer, care of coolant and inlet air, by hand.
#include <QtTest>

#include <chrono>
#include <cmath>

#include "cooling/air_inlets.h"
#include "cooling/care_rules.h"
#include "cooling/coolant_care.h"
#include "cooling/loop_volumes.h"
#include "engine/cooling/cooled_hall.h"
#include "engine/cooling/watered_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative = 1e-6) {
  const bool near = std::abs(got - wanted) <= relative * std::abs(wanted);
  if (!near) qWarning("%.10g against %.10g", got, wanted);
  return near;
}

/// The shipped catalog's figures that these tests are about, written here.
void add_figures(Catalog& c) {
  for (auto [id, density, celsius] : {std::tuple{"pg25-20", 1020.2, 20.0}, {"pg25-50", 1005.0, 50.0}, {"pg25-60", 999.0, 60.0}}) {
    FluidPart f;
    f.id = id;
    f.name = "PG25";
    f.density = kilograms_per_cubic_meter(density);
    f.temperature = Temperature::from_celsius(celsius);
    keep(c.fluids, f);
  }
  keep(c.assumptions, default_value("cooling.fill_temperature", 20, "C"));
  keep(c.assumptions, default_value("cooling.hammer_wave_speed", 1300, "m/s"));
  keep(c.assumptions, default_value("cooling.rack_working_pressure_limit", 500, "kPa"));
  keep(c.assumptions, default_value("cooling.facility_pressure_rating", 1000, "kPa"));
  keep(c.assumptions, default_value("transient.volume_rack", 35, "L"));
}

/// A drawn hall through the figures of volumes.
struct Filled {
  explicit Filled(const WateredHall& hall) : Filled(hall, hall.all()) {}
  explicit Filled(const DrawnHall& hall) : Filled(hall, hall.inputs()) {}
  Filled(const DrawnHall& hall, DrawnLoopInputs read) {
    Catalog parts = hall.catalog;
    for (FluidPart& f : parts.fluids)
      if (f.id == "pg25-40") f.temperature = Temperature::from_celsius(40);
    add_figures(parts);
    catalog = share(std::move(parts));
    read.catalog = catalog;
    looks = loops_at_work(read);
    in.plant = read.plant;
    in.loops = read.loops;
    in.units = read.units;
    in.racks = read.racks;
    in.catalog = catalog;
    Ledger ledger{Page::cooling};
    LoopVolumeInputs of{in, {}, &looks};
    double heat = 0.0;
    for (const double h : hall.heats) heat += h;
    for (const CoolantLoop& l : *in.loops) {
      CareLoop c{&l, catalog->find<FluidPart>("pg25-40"), l.name, "cooling.loop." + std::to_string(l.id) + ".", {}, {}, {}};
      if (l.id == in.loops->front().id) {
        c.heat = ledger.constant<Power>(c.stem + "heat", "Heat", watts(heat), "test");
        c.supply = ledger.constant<Temperature>(c.stem + "supply", "Supply", Temperature::from_celsius(40), "test");
        c.returned = ledger.constant<Temperature>(c.stem + "return", "Return", Temperature::from_celsius(50), "test");
      }
      of.loops.push_back(c);
    }
    std::vector<Table> tables;
    const auto before = std::chrono::steady_clock::now();
    loop_volume_figures(ledger, of, tables);
    coolant_care(ledger, in, of.loops, &looks, tables);
    took_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count();
    StageResult result;
    result.page = ledger.finish_page();
    result.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
    figures.add(result);
    design.loops = in.loops;
    design.racks = in.racks;
    design.rack_types = read.rack_types;
    design.pipes = read.pipes;
    design.cooling_units = read.units;
  }
  [[nodiscard]] const Figure& of(std::size_t loop, const std::string& id) const {
    const Figure* f = figures.find("cooling.loop." + std::to_string((*in.loops)[loop].id) + "." + id);
    if (!f) throw std::runtime_error("no figure " + id);
    return *f;
  }
  [[nodiscard]] std::vector<Finding> findings(const std::string& code) const {
    std::vector<Finding> out;
    for (Finding& f : run_rules({design, *catalog, figures}, care_rules()))
      if (f.code == code) out.push_back(std::move(f));
    return out;
  }
  Shared<Catalog> catalog;
  CoolingInputs in;
  LoopLooks looks;
  Figures figures;
  Design design;
  double took_us = 0.0;
};

} // namespace

class TestCoolantCare : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void formulas_by_hand() {
    // Halfway between 20 and 60 degC.
    auto d = density_between.function(kilograms_per_cubic_meter(1020), Temperature::from_celsius(20), kilograms_per_cubic_meter(1000), Temperature::from_celsius(60),
                                      Temperature::from_celsius(40));
    QVERIFY(near_to(base_value(*d), 1010.0));
    // 1000 L from 1020 to 1000 kg/m3: 2 % more.
    QVERIFY(near_to(base_value(*expansion_volume.function(liters(1000), kilograms_per_cubic_meter(1020), kilograms_per_cubic_meter(1000))), 0.020));
    QVERIFY(!expansion_volume.function(liters(1000), kilograms_per_cubic_meter(1000), kilograms_per_cubic_meter(1020)).has_value());
    // Water, 1000 kg/m3 at 1300 m/s and 2 m/s: 2.6 MPa.
    const Density water = kilograms_per_cubic_meter(1000);
    const auto speed = [](double v) { return Velocity::from_value(v); };
    QVERIFY(near_to(base_value(*sudden_closure_rise.function(water, speed(1300), speed(2))), 2.6e6));
    // 65 m of it and 260 kPa to spare: 2 * 1000 * 65 * 2 / 260e3 = 1 s; the wave is back after 0.1 s.
    QVERIFY(near_to(base_value(*shortest_closing_time.function(water, meters(65), speed(2), kilopascals(260), speed(1300))), 1.0));
    // 2.6 MPa to spare: any valve may shut at once.
    QCOMPARE(base_value(*shortest_closing_time.function(water, meters(65), speed(2), kilopascals(2600), speed(1300))), 0.0);
    QVERIFY(!pressure_room.function(kilopascals(500), kilopascals(500)).has_value());
    // 24 degC and 0.25 of 12 K.
    QVERIFY(near_to(rack_inlet_temperature.function(Temperature::from_celsius(24), 0.25, kelvins_rise(12))->celsius(), 27.0));
    // 243 kW is twice the rack that holds 35 L.
    QVERIFY(near_to(base_value(*rack_coolant_volume.function(kilowatts(243), liters(35), kilowatts(121.5))), 0.070));
  }

  void glycol_is_read_from_the_name() {
    FluidPart f;
    const auto share_of = [&](const char* name) { return f.name = name, glycol_share_of(f); };
    QCOMPARE(*share_of("PG25, 25 vol% propylene glycol in water"), 0.25);
    QCOMPARE(*share_of("Dow LC 25 (inhibited PG25)"), 0.25);
    QCOMPARE(*share_of("EG 30"), 0.30);
    QCOMPARE(*share_of("Water"), 0.0);
    QVERIFY(!share_of("Some oil"));
    QVERIFY(!share_of("Propylene glycol and water"));
    QVERIFY(!share_of("PG999"));
  }

  /// Two rows of six racks of 102 kW on a comb. Headers of 202.7 and mains of 303.2 mm as drawn, then racks and what is added.
  void a_drawn_loop_by_hand() {
    DrawnHall hall;
    hall.grid(2, 6, 2, false);
    const Filled f(hall);
    double pipes = 0.0;
    for (const Pipe& p : hall.pipes) {
      double length = 0.0;
      for (std::size_t i = 0; i + 1 < p.path.size(); ++i)
        length += std::hypot(p.path[i + 1].x_mm - p.path[i].x_mm, p.path[i + 1].y_mm - p.path[i].y_mm) * 1e-3;
      pipes += 3.14159265358979 / 4.0 * std::pow(in_meters(p.diameter), 2) * length;
    }
    const double hoses = f.of(0, "pipe_volume").value - pipes; // and connections of two units
    QVERIFY2(hoses > 0.0 && hoses < 0.4 * pipes, qPrintable(QString::number(hoses)));
    QVERIFY(near_to(f.of(0, "rack_volume").value, 12 * 102.0 / 121.5 * 0.035));
    const Figure& fill = f.of(0, "fill_volume");
    QCOMPARE(fill.completeness, Completeness::lower_bound);
    QVERIFY(fill.reason.find("distribution units state no volume") != std::string::npos);
    QVERIFY(near_to(fill.value, f.of(0, "pipe_volume").value + f.of(0, "rack_volume").value));
    QVERIFY(near_to(f.of(0, "glycol_volume").value, 0.25 * fill.value));
    QCOMPARE(f.of(0, "glycol_volume").completeness, Completeness::lower_bound);
    // 1020.2 kg/m3 at 20 degC, 1005 kg/m3 at 50 degC.
    QVERIFY(near_to(f.of(0, "expansion_volume").value, fill.value * (1020.2 / 1005.0 - 1.0)));
    QVERIFY(near_to(f.figures.find("cooling.fill_volume")->value, fill.value));
    // Drain-down: no section holds more than the longest pipe.
    double longest = 0.0;
    for (const LoopSection& s : f.looks.loops.front().loop->sections)
      longest = std::max(longest, 3.14159265358979 / 4.0 * s.diameter_m * s.diameter_m * (s.to_mm - s.from_mm) * 1e-3);
    QVERIFY(near_to(f.of(0, "drain_down_volume").value, longest));
    // One zone with both units, and all that is drawn in it.
    const Table* zones = f.figures.table("cooling.leak_zones");
    QVERIFY(zones && zones->row_count() == 1);
    QCOMPARE(zones->columns[0].words[0], std::string("CDU 1, CDU 2"));
    QCOMPARE(zones->column("racks")->numbers[0], 12.0);
    QVERIFY(near_to(zones->column("pipes")->numbers[0], f.of(0, "pipe_volume").value));
    QCOMPARE(f.figures.table("cooling.volumes")->row_count(), std::size_t(1));
    qInfo("volumes and care of 12 racks: %.0f us", Filled(hall).took_us);
  }

  void a_shut_valve_ends_a_zone() {
    DrawnHall hall;
    hall.grid(2, 6, 2, false);
    // Both pipes of row 2 are shut where they leave the mains, so its six racks are out of the zone of the units.
    for (Pipe& p : hall.pipes)
      if (p.name.starts_with("Row 2")) p.valve_open = 0.0;
    const Filled f(hall);
    const Table* zones = f.figures.table("cooling.leak_zones");
    QVERIFY(zones);
    QCOMPARE(zones->row_count(), std::size_t(1));
    QCOMPARE(zones->column("racks")->numbers[0], 6.0);
    // 3.3 m of supply and return of 202.7 mm each behind the first rack, 0.213 m3, and hoses of six racks.
    const double left_out = f.of(0, "pipe_volume").value - zones->column("pipes")->numbers[0];
    QVERIFY2(left_out > 0.2 && left_out < 0.4, qPrintable(QString::number(left_out)));
  }

  void hammer_of_a_drawn_loop() {
    DrawnHall hall;
    hall.grid(2, 6, 2, false);
    const Filled f(hall);
    const LoopSolution& s = *f.looks.loops.front().steady;
    double v = 0.0;
    for (const SectionFlow& x : s.sections) v = std::max(v, x.velocity_m_per_s);
    QVERIFY(near_to(f.of(0, "sudden_closure_rise").value, 1010.6 * 1300.0 * v));
    const double room = 500e3 - s.highest_pressure_pa, way = f.of(0, "longest_way").value;
    // Farthest rack: 8 to 12 m along the row, up to 3 m of the main, hoses and the connection of a unit.
    QVERIFY2(way > 6.0 && way < 25.0, qPrintable(QString::number(way)));
    QVERIFY(near_to(f.of(0, "shortest_closing_time").value, std::max(2.0 * way / 1300.0, 2.0 * 1010.6 * way * v / room)));
    const auto found = f.findings("CLG-044");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(found[0].message.find("must take at least") != std::string::npos);
    QCOMPARE(found[0].severity, Severity::note);
  }

  void facility_water_has_its_own() {
    const Filled f{WateredHall()};
    QVERIFY(f.of(1, "fill_volume").value > 0.0);
    QCOMPARE(f.of(1, "fill_volume").completeness, Completeness::lower_bound);
    QVERIFY(f.of(1, "expansion_volume").has_value());
    QVERIFY(f.of(1, "warmest_return").value > 273.15 + 30.0);
    QVERIFY(near_to(f.figures.find("cooling.fill_volume")->value, f.of(0, "fill_volume").value + f.of(1, "fill_volume").value));
    // Its limit is that of its pipes.
    QVERIFY(near_to(f.of(1, "pressure_room").value, 1e6 - f.of(1, "highest_pressure").value));
  }

  void one_temperature_gives_no_expansion() {
    DrawnHall hall;
    hall.grid(1, 4, 1, false);
    hall.catalog.fluids.front().name = "PG25 of one row";
    const Filled f(hall);
    QVERIFY(!f.of(0, "expansion_volume").has_value());
    QVERIFY(f.of(0, "expansion_volume").reason.find("fewer than two temperatures") != std::string::npos);
    QVERIFY(std::isnan(f.figures.table("cooling.volumes")->column("expansion")->numbers[0]));
  }

  void drips_are_told_with_metres_of_tray() {
    DrawnHall hall;
    hall.grid(1, 4, 1, false);
    const Filled f(hall);
    // Both headers pass over four racks of 600 mm.
    auto found = f.findings("CLG-046");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].entities.size(), std::size_t(4));
    QVERIFY2(found[0].message.find("above 4 racks") != std::string::npos && found[0].message.find("under 4.8 m") != std::string::npos, found[0].message.c_str());
    QCOMPARE(found[0].severity, Severity::note);
    DrawnHall low;
    low.grid(1, 4, 1, false);
    for (Pipe& p : low.pipes) p.elevation = millimeters(-300);
    QVERIFY(Filled(low).findings("CLG-046").empty());
  }

  /// DGX racks in the open room: 24 degC and 5/12 of 12 K, 29 degC; their nodes take 27. Contained it is 25 degC.
  void inlet_air_against_what_nodes_take() {
    CooledHall hall;
    for (NodePart& n : hall.catalog.nodes)
      if (n.id == "dgx-h100") n.inlet_air_maximum = Temperature::from_celsius(27);
    for (const char* key : {"open_room", "cold_aisle", "hot_aisle", "chimney"})
      keep(hall.catalog.assumptions, default_value(std::string("air.recirculation_") + key, key == std::string("open_room") ? 5.0 / 12.0 : 1.0 / 12.0));
    keep(hall.catalog.assumptions, default_value("air.supply_temperature", 24, "C"));
    keep(hall.catalog.assumptions, default_value("air.inlet_recommended_maximum", 27, "C"));
    keep(hall.catalog.assumptions, default_value("air.inlet_allowable_maximum", 32, "C"));
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 4);
    hall.add_racks(type, 3);
    hall.run();
    QVERIFY(near_to(hall.figures.find("cooling.inlet_air.open_room")->value, 273.15 + 29.0));
    QVERIFY(near_to(hall.figures.find("cooling.inlet_air.hot_aisle")->value, 273.15 + 25.0));
    QCOMPARE(hall.figures.table("cooling.air_inlets")->column("holds")->words[0], std::string("contained alone"));
    const Table* classes = hall.figures.table("cooling.temperature_classes");
    QCOMPARE(classes->column("within")->words[0], std::string("contained alone")); // recommended
    QCOMPARE(classes->column("within")->words[1], std::string("yes"));             // A1
    auto found = hall.findings("CLG-045");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found[0].message.find("3 racks of type DGX rack get air of 29 degC at the inlet in the open room; it takes at most 27 degC") != std::string::npos, found[0].message.c_str());
    // The remedy: 2 K colder.
    QCOMPARE(found[0].remedies.size(), std::size_t(1));
    const auto cured = found[0].remedies[0].edit.apply(hall.design);
    QVERIFY(cured.has_value());
    QVERIFY(near_to(cured->cooling_plant->air_supply_temperature->celsius(), 22.0));
    hall.cooling_plant = *cured->cooling_plant;
    hall.run();
    QVERIFY(hall.findings("CLG-045").empty());
    // Or a contained aisle at them.
    hall.cooling_plant.air_supply_temperature.reset();
    hall.run();
    Containment aisle;
    aisle.id = 5000;
    aisle.kind = ContainmentKind::hot_aisle;
    aisle.y = millimeters(1200);
    hall.design.containments = share(std::vector<Containment>{aisle});
    QVERIFY(hall.findings("CLG-045").empty());
  }

  void filtration_is_told_once() {
    CooledHall hall;
    const Id type = hall.rack_type("Liquid").id;
    hall.item(type, RackItemKind::node, "liquid-node", 8);
    hall.add_racks(type, 5);
    hall.run();
    QVERIFY(hall.findings("CLG-043").empty()); // the catalog of the test has no limit
    Assumption mesh = default_value("cooling.secondary_filtration", 50, "um");
    mesh.low = 25.0;
    mesh.high = 50.0;
    keep(hall.catalog.assumptions, mesh);
    hall.run();
    const auto found = hall.findings("CLG-043");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found[0].message.find("larger than 50 um (makers ask for 25 to 50)") != std::string::npos, found[0].message.c_str());
  }

  void the_shipped_limits() {
    const Catalog catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
    CoolingInputs in;
    in.catalog = share(catalog);
    Ledger ledger{Page::cooling};
    CoolantLoop loop;
    loop.id = 7;
    std::vector<CareLoop> loops{{&loop, catalog.find<FluidPart>("pg25-40"), "Loop 1", "cooling.loop.7.", ledger.constant<Power>("cooling.loop.7.heat", "Heat", kilowatts(100), "test"), {}, {}}};
    std::vector<Table> tables;
    coolant_care(ledger, in, loops, nullptr, tables);
    QCOMPARE(tables.size(), std::size_t(1));
    const Table& t = tables.front();
    const auto row = [&](const std::string& what) {
      const auto& words = t.column("what")->words;
      return static_cast<std::size_t>(std::find(words.begin(), words.end(), what) - words.begin());
    };
    QCOMPARE(t.column("high")->numbers.at(row("Chloride of dilution water")), 25.0);
    QCOMPARE(t.column("unit")->words.at(row("Chloride of dilution water")), std::string("mg/L"));
    QCOMPARE(t.column("low")->numbers.at(row("pH of dilution water")), 5.0);
    QCOMPARE(t.column("high")->numbers.at(row("pH of dilution water")), 9.0);
    QCOMPARE(t.column("low")->numbers.at(row("Propylene glycol by volume")), 0.25);
    QCOMPARE(t.column("interval")->words.at(row("Bacteria")), std::string("every 30 d"));
    QCOMPARE(t.column("fluid")->words.at(row("Strainer, particle size")), std::string("facility water"));
    for (const std::string& id : t.row_figures) QVERIFY(id.starts_with("catalog.assumption."));
  }
};

QTEST_APPLESS_MAIN(TestCoolantCare)
#include "test_coolant_care.moc"
