// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "small_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

void near(double ours, double expected, double share = 1e-9) {
  QVERIFY2(std::abs(ours - expected) <= share * std::abs(expected),
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

/// Two heavy racks front to front over 1,200 mm: behind A the wall at 2,000 mm, behind B open floor.
Design two_heavy() { return hall_with({rack_at(100, 5000, 2000, 180, 2), rack_at(101, 5000, 4400, 0, 2)}); }
Design with_site(Design d, Mass point, std::optional<Mass> rolling = {}) {
  Site site = *d.site;
  site.point_load_rating = point;
  site.rolling_load_rating = rolling;
  d.site = share(site);
  return d;
}
Zone zone_of(Id id, std::vector<PlanPoint> outline) {
  Zone z;
  z.id = id;
  z.name = "Zone";
  z.hall = 5;
  z.outline = std::move(outline);
  return z;
}
bool any_error(const Design& d, std::string_view code) {
  const auto findings = findings_of(d);
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.code == code && f.severity == Severity::error; });
}

} // namespace

class TestFloorLoad : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aisles_as_drawn_carry_with_the_rack() {
    const auto s = space_of(two_heavy());
    // A: half of 1.2 m and of 2.0 m is 1.6 m: 1360 / (0.6 x 2.8) = 809.52 kg/m2.
    near(s.places[0].floor_load_kg_m2, 1360 / (0.6 * 2.8));
    // B: half of 1.2 m and of 3 m is 2.1 m, more than the bay of 3.0 m leaves beside 1.2 m: 1360 / (0.6 x 3.0) = 755.56
    // kg/m2.
    near(s.places[1].floor_load_kg_m2, 1360 / (0.6 * 3.0));
    near(figure_of(s, "space.worst_floor_load").value, 809.5238, 1e-6);
    near(figure_of(s, "space.hall.5.worst_footprint_load").value, 1888.8889, 1e-7);
    // The table opens to the figure of each.
    const Table& racks = (*s.tables)[0];
    near(figure_of(s, racks.row_figures[0]).value, 809.5238, 1e-6);
    near(figure_of(s, racks.row_figures[1]).value, 755.5556, 1e-6);
  }

  void a_zone_has_ratings_of_its_own() {
    Design d = two_heavy();
    Zone z = zone_of(60, {{4000, 4200}, {8000, 4200}, {8000, 8000}, {4000, 8000}});
    z.floor_rating = kilograms_per_square_meter(700);
    d.zones = share(std::vector{z});
    const Finding f = the(d, "SPC-001");
    QVERIFY2(f.message.find("756 kg") != std::string::npos && f.message.find("700 kg") != std::string::npos,
             f.message.c_str());
    QCOMPARE(f.entities[0], (EntityRef{"zones", 60}));
    QCOMPARE(found(d, "SPC-001"), Count{1});
    z.floor_rating = kilograms_per_square_meter(900);
    d.zones = share(std::vector{z});
    QCOMPARE(found(d, "SPC-001"), Count{0});
    // A foot of 425 kg on a zone that carries 400 kg.
    z.point_load_rating = kilograms(400);
    d.zones = share(std::vector{z});
    QCOMPARE(found(d, "SPC-002"), Count{1});
  }

  void where_zones_overlap_the_weaker_floor_counts() {
    const std::vector<PlanPoint> floor{{4000, 4200}, {8000, 4200}, {8000, 8000}, {4000, 8000}};
    for (const bool weak_first : {true, false}) {
      Design d = two_heavy();
      Zone weak = zone_of(60, floor), strong = zone_of(61, floor);
      if (!weak_first) std::swap(weak.id, strong.id);
      weak.floor_rating = kilograms_per_square_meter(700);
      strong.floor_rating = kilograms_per_square_meter(5000);
      d.zones = share(weak_first ? std::vector{weak, strong} : std::vector{strong, weak});
      QCOMPARE(found(d, "SPC-001"), Count{1});
      QCOMPARE(the(d, "SPC-001").entities[0], (EntityRef{"zones", weak.id}));
    }
  }

  void counted_content_can_be_taken_out() {
    // 655.89 kg over 0.6 x 3.0 m is 364.4 kg/m2; a floor of 320 kg/m2 asks for 576 kg: one node of 130.45 kg less.
    Design d = with(hall_with({rack_at(100, 5000, 4000)}), &Design::halls,
                    [](auto& h) { h[0].floor_rating = kilograms_per_square_meter(320); });
    QVERIFY(any_error(d, "SPC-001"));
    const Finding f = the(d, "SPC-001");
    QCOMPARE(f.remedies.size(), std::size_t{1});
    QVERIFY2(f.remedies[0].edit.label.find("Take 1 of 4") != std::string::npos, f.remedies[0].edit.label.c_str());
    QVERIFY(!any_error(*f.remedies[0].edit.apply(d), "SPC-001"));
  }

  void feet_and_tiles_decide_the_point_load() {
    near(figure_of(space_of(two_heavy()), "space.rack_type.2.hall.5.point_load").value, 425.0);
    Design d = with(two_heavy(), &Design::rack_types, [](auto& t) { t[1].feet = 6; });
    near(figure_of(space_of(d), "space.rack_type.2.hall.5.point_load").value, 283.3333, 1e-6);
    d = with(two_heavy(), &Design::halls, [](auto& h) { h[0].tile_point_load = kilograms(420); });
    QVERIFY(any_error(d, "SPC-002"));
    d = with(d, &Design::halls, [](auto& h) { h[0].tile_point_load = kilograms(480); });
    QCOMPARE(found(d, "SPC-002"), Count{0});
  }

  void a_plate_spreads_the_load_of_the_feet() {
    // On tiles of 600 mm: 1360 x 1.25 x 0.36 / (2 x 0.6 x 1.5) = 340 kg.
    Design d = with_site(two_heavy(), kilograms(400));
    QVERIFY(any_error(d, "SPC-002"));
    d.structures = share(std::vector{structure_at(70, StructureKind::spreader, 5000, 1850, 600, 1500),
                                     structure_at(71, StructureKind::spreader, 5000, 4250, 600, 1500)});
    const auto s = space_of(d);
    near(figure_of(s, "space.spreader.70.point_load").value, 340.0);
    QVERIFY(!any_error(d, "SPC-002"));
    QCOMPARE(found(d, "SPC-004"), Count{0}); // a plate lies under the rack
    near((*s.tables)[0].column("point_load")->numbers[0], 340.0);
    // A plate beside the rack does not carry it.
    d = with(d, &Design::structures, [](auto& all) { all[0].x = millimeters(5300); });
    QVERIFY(any_error(d, "SPC-002"));
    QVERIFY(!space_of(d).page->find("space.spreader.70.point_load"));
  }

  void plates_are_the_remedy() {
    const Design d = with_site(two_heavy(), kilograms(400));
    const Finding f = the(d, "SPC-002");
    QCOMPARE(f.remedies.size(), std::size_t{2});
    // 1360 x 1.25 x 0.36 / (2 x 0.9 x 400 x 0.6) = 1.417 m, rounded up to 1.45 m.
    QVERIFY2(f.remedies[0].edit.label.find("2 spreader plates of 600 x 1450 mm") != std::string::npos,
             f.remedies[0].edit.label.c_str());
    QVERIFY2(f.remedies[1].edit.label.find("6 feet") != std::string::npos, f.remedies[1].edit.label.c_str());
    QCOMPARE(remedies_clear(d, "SPC-002", 2), std::string());
    const Design after = *f.remedies[0].edit.apply(d);
    near(figure_of(space_of(after), "space.worst_point_load").value, 1360 * 1.25 * 0.36 / (2 * 0.6 * 1.45));
  }

  void a_plate_carries_no_more_than_it_can() {
    Design d = two_heavy();
    Structure plate = structure_at(70, StructureKind::spreader, 5000, 1850, 600, 1500);
    plate.load_rating = kilograms(1000);
    d.structures = share(std::vector{plate});
    QVERIFY(any_error(d, "SPC-050"));
    QCOMPARE(remedies_clear(d, "SPC-050"), std::string());
    d = with(d, &Design::structures, [](auto& s) { s[0].load_rating = kilograms(2000); });
    QCOMPARE(found(d, "SPC-050"), Count{0});
  }

  void casters_on_the_move_have_a_rating_of_their_own() {
    QCOMPARE(found(two_heavy(), "SPC-007"), Count{0});
    Design d = with_site(two_heavy(), kilograms(680), kilograms(400));
    QVERIFY(any_error(d, "SPC-007"));
    QVERIFY2(the(d, "SPC-007").message.find("425 kg") != std::string::npos, the(d, "SPC-007").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-007"), std::string());
    near(figure_of(space_of(d), "space.worst_rolling_load").value, 425.0);
    d = with(d, &Design::halls, [](auto& h) { h[0].tile_rolling_load = kilograms(500); });
    QCOMPARE(found(d, "SPC-007"), Count{0});
  }

  void plant_is_held_to_the_same_floor() {
    Design d = hall_with({});
    CoolingUnit cdu;
    cdu.id = 80;
    cdu.name = "CDU 1";
    cdu.part = "cdu";
    cdu.hall = 5;
    cdu.x = millimeters(9000);
    cdu.y = millimeters(4000);
    d.cooling_units = share(std::vector{cdu});
    const auto s = space_of(d);
    near(figure_of(s, "space.cooling_units.80.point_load").value, 968.75);             // 3100 / 4 x 1.25, over 680
    near(figure_of(s, "space.cooling_units.80.floor_load").value, 3100 / (0.9 * 3.0)); // 1148 of 1221: near
    QVERIFY(any_error(d, "SPC-008"));
    QCOMPARE(found(d, "SPC-009"), Count{0});
    QCOMPARE(found(with_site(d, kilograms(1200)), "SPC-008"), Count{1}); // the note on the uniform load
    QVERIFY(!any_error(with_site(d, kilograms(1200)), "SPC-008"));
    d = with(d, &Design::cooling_units,
             [](auto& u) { u[0].part.clear(), u[0].width = millimeters(900), u[0].depth = millimeters(1200); });
    QCOMPARE(found(d, "SPC-008"), Count{0});
    QVERIFY(the(d, "SPC-009").undecided);
  }

  void unknown_mass_is_a_lower_bound() {
    Design d = with(hall_with({rack_at(100, 5000, 4000)}), &Design::rack_items, [](auto& i) { i[0].part = "vague"; });
    for (const char* id : {"space.worst_floor_load", "space.worst_point_load", "space.worst_rolling_load"})
      QVERIFY2(figure_of(space_of(d), id).status == Status::undecided, id);
    for (const char* code : {"SPC-001", "SPC-002", "SPC-007"})
      QVERIFY2(the(d, code).undecided, code);
    // What is known is over the rating already: decided.
    QVERIFY(any_error(with_site(d, kilograms(30)), "SPC-002"));
  }

  void anchorage_from_category_c_on() {
    auto in_category = [](SeismicCategory c) {
      Design d = two_heavy();
      Site site = *d.site;
      site.seismic_category = c;
      d.site = share(site);
      return d;
    };
    QCOMPARE(found(in_category(SeismicCategory::not_stated), "SPC-010"), Count{0});
    QCOMPARE(found(in_category(SeismicCategory::b), "SPC-010"), Count{0});
    QCOMPARE(found(in_category(SeismicCategory::c), "SPC-010"), Count{1});
    const Finding f = the(in_category(SeismicCategory::f), "SPC-010");
    QVERIFY(f.severity == Severity::note && f.message.find("category F: 2 racks") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestFloorLoad)
#include "test_floor_load.moc"
