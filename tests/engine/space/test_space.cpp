// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <rapidcheck.h>

#include "small_hall.h"
#include "space/plan_geometry.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

void near(double ours, double expected, double share = 1e-9) {
  QVERIFY2(std::abs(ours - expected) <= share * std::abs(expected),
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

} // namespace

class TestSpace : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void mass_and_loads_of_a_cabinet() {
    const auto s = space_of(hall_with({rack_at(100, 0, 0)}));
    // 134.09 + 4 * 130.45 = 655.89 kg.
    near(s.page->find("space.rack_type.1.mass")->value, 655.89);
    near(in_kilograms(s.worst_point_load.value), 655.89 / 4 * 1.25); // 204.97 kg
    // Its front is at the wall, behind it lies open floor: half of 3 m, 1.5 m, with 1.2 m of depth within the bay of 3
    // m.
    near(base_value(s.worst_floor_load.value), 655.89 / (0.6 * (1.2 + 1.5))); // 404.87 kg/m2
    near(s.page->find("space.hall.5.worst_footprint_load")->value, 655.89 / 0.72);
    QVERIFY(s.page->find("space.worst_floor_load")->status == Status::ok);
    near(in_square_meters(s.hall_area.value), 200.0);
    QCOMPARE(s.places.size(), std::size_t{1});
    near(s.places[0].center_y_mm, 600.0);
    near(s.places[0].floor_load_kg_m2, 655.89 / 1.62);
  }

  void a_heavy_rack_passes_by_the_foot_and_fails_by_the_floor() {
    // The case of the uniform load class: 1,360 kg on 0.72 m2 is 1,889 kg/m2, over 1,221, yet 340 kg a foot (425 with
    // tilt) of 680. With half of 3 m behind it, it is 1360 / 1.62 = 839.5 kg/m2.
    Design d = hall_with({rack_at(100, 0, 0, 0, 2)});
    auto s = space_of(d);
    near(s.page->find("space.hall.5.worst_footprint_load")->value, 1888.89, 1e-5);
    near(base_value(s.worst_floor_load.value), 839.506, 1e-6);
    near(in_kilograms(s.worst_point_load.value), 425.0);
    QCOMPARE(found(findings_of(d), "SPC-001"), Count{0});
    // A floor of 800 kg/m2 does not carry it.
    auto halls = *d.halls;
    halls[0].floor_rating = kilograms_per_square_meter(800);
    d.halls = share(halls);
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-001"), Count{1});
    QCOMPARE(findings[0].severity, Severity::error);
    QVERIFY2(findings[0].message.find("840 kg") != std::string::npos &&
                 findings[0].message.find("footprint alone") != std::string::npos,
             findings[0].message.c_str());
    // Feet of 400 kg do not carry it either.
    Site site;
    site.point_load_rating = kilograms(400);
    d.site = share(site);
    QCOMPARE(found(findings_of(d), "SPC-002"), Count{1});
  }

  void an_unknown_mass_is_never_green() {
    Design d = hall_with({rack_at(100, 0, 0)});
    auto items = *d.rack_items;
    items[0].part = "vague";
    d.rack_items = share(items);
    const auto s = space_of(d);
    QVERIFY(s.worst_floor_load.completeness == Completeness::lower_bound);
    QVERIFY(s.page->find("space.worst_floor_load")->status == Status::undecided);
    QVERIFY(std::isnan(s.places[0].floor_load_kg_m2));
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-001"), Count{1});
    QVERIFY(std::all_of(findings.begin(), findings.end(), [](const Finding& f) {
      return f.undecided || f.code == "SPC-013" || f.code == "SPC-005";
    })); // its front is at the wall
  }

  void a_rack_of_unknown_size_is_told() {
    const Design d = hall_with({rack_at(100, 0, 0, 0, 4)});
    const auto s = space_of(d);
    QVERIFY(s.page->find("space.worst_floor_load")->status == Status::undecided);
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-006"), Count{1});
    QVERIFY(!rack_footprint(*small_catalog(), (*d.rack_types)[3]).known);
  }

  void aisles_are_measured_between_facing_sides() {
    // Fronts of the first two rows face each other over 1200 mm; rears of the second and third over 900 mm.
    std::vector<Rack> racks;
    for (int i = 0; i < 5; ++i) {
      racks.push_back(rack_at(100 + i, 1000 + 600 * i, 0, 180));
      racks.push_back(rack_at(200 + i, 1000 + 600 * i, 2400, 0));
      racks.push_back(rack_at(300 + i, 1000 + 600 * i, 4500, 180));
    }
    std::sort(racks.begin(), racks.end(), [](const Rack& a, const Rack& b) { return a.id < b.id; });
    for (Rack& r : racks)
      r.row = r.id / 100;
    const Design d = hall_with(racks);
    const auto s = space_of(d);
    near(in_meters(s.narrowest_aisle.value), 0.9);
    Figures figures;
    figures.add(s);
    const Table* aisles = figures.table("space.aisles");
    QVERIFY(aisles);
    QCOMPARE(aisles->row_count(), std::size_t{2});
    QCOMPARE(aisles->column("kind")->words[0], std::string("cold: front to front"));
    near(aisles->column("clear")->numbers[0], 1.2);
    QCOMPARE(aisles->column("faces")->numbers[0], 10.0);
    QCOMPARE(aisles->column("kind")->words[1], std::string("hot: rear to rear"));
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-005"), Count{1});
    QVERIFY2(findings[0].message.find("900 mm") != std::string::npos &&
                 findings[0].message.find("1000 mm") != std::string::npos,
             findings[0].message.c_str());
    QCOMPARE(found(findings, "SPC-004"), Count{0});
  }

  void overlaps_and_racks_outside_are_found() {
    Design d = hall_with({rack_at(100, 0, 0), rack_at(101, 300, 0), rack_at(102, 5000, 0), rack_at(103, -100, 5000),
                          rack_at(104, 19400, 8800)});
    Structure column;
    column.id = 500;
    column.name = "C1";
    column.hall = 5;
    column.x = millimeters(5500);
    column.y = millimeters(1100);
    d.structures = share(std::vector{column});
    const auto s = space_of(d);
    QVERIFY(s.places[0].overlapping && s.places[1].overlapping && s.places[2].overlapping);
    QVERIFY(!s.places[3].overlapping && s.places[3].outside);
    QVERIFY(!s.places[4].outside); // in the very corner
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-003"), Count{1});
    QCOMPARE(found(findings, "SPC-004"), Count{2});
  }

  /// A rack that names no hall, or one that is gone, is on no plan: told, and mended by naming the only hall.
  void a_rack_in_no_hall_is_told() {
    Design d = hall_with({rack_at(100, 0, 0), rack_at(101, 3000, 0), rack_at(102, 6000, 0)});
    QCOMPARE(found(findings_of(d), "SPC-051"), Count{0});
    auto racks = *d.racks;
    racks[0].hall = 0;
    racks[2].hall = 999;
    d.racks = share(racks);
    const auto findings = findings_of(d);
    const auto told =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "SPC-051"; });
    QVERIFY(told != findings.end());
    QCOMPARE(told->entities, (std::vector<EntityRef>{{"racks", 100}, {"racks", 102}}));
    QVERIFY2(told->message.starts_with("2 racks stand in no hall"), told->message.c_str());
    const auto after = told->remedies.at(0).edit.apply(d);
    QVERIFY(after);
    QCOMPARE(found(findings_of(*after), "SPC-051"), Count{0});
    QCOMPARE((*after->racks)[2].hall, Id{5});
  }

  void a_rack_in_the_notch_of_an_outline_is_outside() {
    Design d = hall_with({rack_at(100, 2000, 0)});
    auto halls = *d.halls;
    // A slot of 100 mm reaches into the rack from above; all four corners of the rack are inside.
    halls[0].outline = {{0, 0}, {2250, 0}, {2250, 800}, {2350, 800}, {2350, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
    d.halls = share(halls);
    QVERIFY(space_of(d).places[0].outside);
    near(in_square_meters(space_of(d).hall_area.value), 200.0 - 0.08);
  }

  void distances_lead_over_the_tray() {
    // Centres (300, 600) and (6300, 3600): 6 m + 3 m along the axes, and 2 * (2.7 - 1.0) m up and down.
    const auto s = space_of(hall_with({rack_at(100, 0, 0), rack_at(101, 6000, 3000, 0, 3)}));
    near(in_meters(s.mean_rack_distance.value), 9.0 + 3.4);
    near(in_meters(s.longest_rack_distance.value), 12.4);
    QVERIFY(s.mean_rack_distance.completeness == Completeness::estimate);
    // Without a fabric rack: to the middle of the compute racks, (3300, 600), 3 m from each.
    const auto centre = space_of(hall_with({rack_at(100, 0, 0), rack_at(101, 6000, 0)}));
    near(in_meters(centre.mean_rack_distance.value), 3.0 + 3.4);
    QVERIFY(centre.page->find("space.mean_plan_distance")->source.find("middle") != std::string::npos);
  }

  void nothing_drawn_is_not_applicable() {
    const auto s = space_of(Design{});
    for (const char* id : {"space.worst_floor_load", "space.worst_point_load", "space.narrowest_aisle",
                           "space.hall_area", "space.mean_rack_distance"}) {
      const Figure* f = s.page->find(id);
      QVERIFY2(f && f->completeness == Completeness::not_applicable && !f->reason.empty(), id);
    }
    QVERIFY(findings_of(Design{}).empty());
  }

  void turned_boxes() {
    const PlanBox quarter = plan_box(millimeters(0), millimeters(0), millimeters(600), millimeters(1200), degrees(90));
    near(quarter.x0, -300); // about the centre (300, 600)
    near(quarter.x1, 900);
    near(quarter.y0, 300);
    const PlanBox eighth = plan_box(millimeters(0), millimeters(0), millimeters(1000), millimeters(1000), degrees(45));
    near(eighth.x1 - eighth.x0, 1000 * std::sqrt(2.0));
  }

  void the_grid_finds_what_comparing_all_pairs_finds() {
    QVERIFY(rc::check("pairs that share floor", [] {
      const auto n = *rc::gen::inRange<std::size_t>(2, 60);
      std::vector<PlanThing> things;
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = *rc::gen::element(0.0, 0.0, 90.0, 180.0, 30.0, 45.0);
        const double size = *rc::gen::element(600.0, 800.0, 1200.0, 60000.0);
        things.push_back(plan_thing(millimeters(*rc::gen::inRange(-9000, 9000)),
                                    millimeters(*rc::gen::inRange(-9000, 9000)), millimeters(size), millimeters(1200),
                                    degrees(angle)));
        things.back().hall = *rc::gen::inRange(0, 2);
      }
      std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = i + 1; j < n; ++j)
          if (share_floor(things[i], things[j])) all.emplace_back(i, j);
      RC_ASSERT(PlanGrid(things).sharing() == all);
    }));
  }

  void ten_thousand_racks_are_fast() {
    // 100 rows of 100 racks, fronts to fronts and rears to rears, with one fabric rack a row.
    std::vector<Rack> racks;
    double y = 1000;
    for (int row = 0; row < 100; ++row) {
      for (int i = 0; i < 100; ++i) {
        racks.push_back(rack_at(1000 + row * 100 + i, 1000 + 600 * i, y, row % 2 ? 0 : 180, i == 50 ? 3 : 1));
        racks.back().row = 10 + row;
      }
      y += 1200 + (row % 2 ? 1000 : 1200);
    }
    Design d = hall_with(racks);
    auto halls = *d.halls;
    halls[0].outline = {{0, 0}, {63000, 0}, {63000, y + 1000}, {0, y + 1000}};
    d.halls = share(halls);
    // A door of the hall, so that ways in and out are searched too.
    d.structures = share(std::vector{structure_at(500, StructureKind::door, 30000, y + 900, 1600, 100)});
    const SpaceInputs in = space_inputs(d);
    const auto routed = share(routes(
        {in.rack_types, in.rack_items, in.racks, in.power_units, in.cooling_units, in.trays, in.pipes, in.catalog}));
    double best = 1e9;
    for (int run = 0; run < 7; ++run) {
      QElapsedTimer timer;
      timer.start();
      const auto s = space(in, PopulationResult{}, routed);
      best = std::min(best, timer.nsecsElapsed() * 1e-6);
      QCOMPARE(s.places.size(), std::size_t{10000});
      near(in_meters(s.narrowest_aisle.value), 1.0);
    }
    qInfo("space() of 10,000 racks: %.1f ms", best);
    const auto findings = findings_of(d);
    QCOMPARE(found(findings, "SPC-024"), Count{100}); // rows of 100 racks
    // What stands in racks is another test's subject.
    QVERIFY(std::all_of(findings.begin(), findings.end(),
                        [](const Finding& f) { return f.code == "SPC-024" || f.code >= "SPC-030"; }));
  }
};

QTEST_APPLESS_MAIN(TestSpace)
#include "test_space.moc"
