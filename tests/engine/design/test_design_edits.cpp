// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <set>

#include <rapidcheck.h>

#include "design/edits.h"

using namespace hallwright;

namespace {

Length mm(double v) { return meters(v / 1000.0); } // the nearest double, as typed text gives it

struct Sample {
  Design design;
  Id hall = 0, type = 0, busway_a = 0, busway_b = 0, ups = 0, loop = 0, row = 0;
  std::vector<Id> racks;

  template <class M, class E>
  Id add(M member, E entity) {
    Made made = add_entity(design, member, std::move(entity));
    design = made.design;
    return made.entities.at(0).id;
  }
};

/// A hall with a row of three racks 600 mm x 1200 mm, two busways behind a UPS and a loop.
Sample sample() {
  Sample s;
  s.hall = s.add(&Design::halls, Hall{.name = "Hall A", .outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}}});
  s.type = s.add(&Design::rack_types, RackType{.name = "DGX rack", .width = mm(600), .depth = mm(1200)});
  s.add(&Design::rack_items, RackItem{.rack_type = s.type, .part = "dgx-h100", .count = 4});
  s.ups = s.add(&Design::power_units, PowerUnit{.name = "UPS 1", .hall = s.hall});
  s.busway_a = s.add(&Design::power_units, PowerUnit{.name = "Busway A", .kind = PowerUnitKind::busway, .hall = s.hall, .upstream = s.ups});
  s.busway_b = s.add(&Design::power_units, PowerUnit{.name = "Busway B", .kind = PowerUnitKind::busway, .hall = s.hall});
  s.loop = s.add(&Design::loops, CoolantLoop{.name = "Loop 1"});
  s.row = s.add(&Design::rows, Row{.name = "R01", .hall = s.hall});
  for (int i = 0; i < 3; ++i)
    s.racks.push_back(s.add(&Design::racks, Rack{.name = "R01-0" + std::to_string(i + 1), .rack_type = s.type, .hall = s.hall, .row = s.row,
                                                 .x = mm(1000 + 600 * i), .y = mm(2000), .feed_a = s.busway_a, .feed_b = s.busway_b, .loop = s.loop}));
  return s;
}

std::vector<EntityRef> racks_of(const Sample& s) {
  std::vector<EntityRef> out;
  for (Id id : s.racks) out.push_back({"racks", id});
  return out;
}
const Rack& rack(const Design& d, Id id) { return *find(*d.racks, id); }
bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }
/// Equal in everything that a file holds.
bool equal(const Design& a, const Design& b) { return differences(a, b).empty(); }

} // namespace

class TestDesignEdits : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void moving_changes_positions_and_nothing_else() {
    const Sample s = sample();
    const auto moved = move_by(s.design, racks_of(s), mm(600), mm(-250));
    QVERIFY(moved.has_value());
    QCOMPARE(in_meters(rack(*moved, s.racks[1]).x), 2.2); // 1600 + 600
    QCOMPARE(in_meters(rack(*moved, s.racks[1]).y), 1.75);
    QCOMPARE(in_meters(rack(s.design, s.racks[1]).x), 1.6); // the old design is as it was
    QVERIFY(moved->halls == s.design.halls && moved->power_units == s.design.power_units && moved->rows == s.design.rows);
    QCOMPARE(differences(s.design, *moved).size(), std::size_t(6));
    const auto back = move_by(*moved, racks_of(s), mm(-600), mm(250));
    QVERIFY(equal(s.design, *back));
    QVERIFY(move_by(s.design, racks_of(s), mm(0), mm(0))->racks == s.design.racks);
  }

  void whole_millimetres_stay_tidy() {
    Sample s = sample();
    Design d = s.design;
    for (int i = 0; i < 1000; ++i) d = move_by(d, {{"racks", s.racks[0]}}, mm(0.1), mm(0)).value(); // 0.1 is no binary number
    QCOMPARE(in_meters(rack(d, s.racks[0]).x), 1.1); // 1000 mm + 1000 x 0.1 mm, exactly
    for (const FieldInfo& f : table_fields("racks"))
      if (f.name == "x") QCOMPARE(exact_field_text(f, *get_field(d, {"racks", s.racks[0]}, "x")), std::string("1100 mm"));
  }

  void refusals_of_moving() {
    Sample s = sample();
    const Design locked = set_field(s.design, {"racks", s.racks[1]}, "locked", FieldValue(true)).value();
    const auto refused = move_by(locked, racks_of(s), mm(1), mm(0));
    QVERIFY(!refused.has_value() && has(refused.error(), "R01-02") && has(refused.error(), "locked"));
    QVERIFY(!rotate_by(locked, racks_of(s), degrees(90), {}).has_value());
    QVERIFY(!align(locked, racks_of(s), AlignEdge::left, {}).has_value());
    QVERIFY(has(move_by(s.design, {{"rows", s.row}}, mm(1), mm(0)).error(), "R01"));
    QVERIFY(!move_by(s.design, {{"racks", 999}}, mm(1), mm(0)).has_value());
    QVERIFY(!move_by(s.design, {{"site", 0}}, mm(1), mm(0)).has_value());
    QVERIFY(!move_by(s.design, racks_of(s), meters(20000), mm(0)).has_value()); // 20 km
    QVERIFY(!move_by(s.design, racks_of(s), meters(std::nan("")), mm(0)).has_value());
  }

  void a_single_thing_turns_on_its_spot() {
    const Sample s = sample();
    const auto turned = rotate_by(s.design, {{"racks", s.racks[0]}}, degrees(30), {});
    QCOMPARE(in_degrees(rack(*turned, s.racks[0]).rotation), 30.0);
    QVERIFY(rack(*turned, s.racks[0]).x == rack(s.design, s.racks[0]).x && rack(*turned, s.racks[0]).y == rack(s.design, s.racks[0]).y);
  }

  void a_row_turns_about_its_centre() {
    const Sample s = sample();
    // Row: x 1000..2800, y 2000..3200; centre (1900, 2600). Footprint centres x 1300, 1900, 2500. A quarter turn clockwise
    // takes the left one to the top: its centre goes to (1900, 2000), its unrotated corner to (1600, 1400).
    const auto turned = rotate_by(s.design, racks_of(s), degrees(90), {});
    QVERIFY(turned.has_value());
    QCOMPARE(in_meters(rack(*turned, s.racks[0]).x), 1.6);
    QCOMPARE(in_meters(rack(*turned, s.racks[0]).y), 1.4);
    QCOMPARE(in_meters(rack(*turned, s.racks[1]).x), 1.6);
    QCOMPARE(in_meters(rack(*turned, s.racks[1]).y), 2.0);
    QCOMPARE(in_meters(rack(*turned, s.racks[2]).y), 2.6);
    QCOMPARE(in_degrees(rack(*turned, s.racks[2]).rotation), 90.0);
  }

  void four_quarter_turns_are_none() {
    QVERIFY(rc::check("four quarter turns are none, and 30 degrees there and back", [] {
      Sample s = sample();
      std::vector<EntityRef> what = racks_of(s);
      const auto extra = *rc::gen::inRange(0, 8);
      for (int i = 0; i < extra; ++i)
        what.push_back({"structures", s.add(&Design::structures, Structure{.hall = s.hall, .x = mm(*rc::gen::inRange(-5000, 5000)), .y = mm(*rc::gen::inRange(-5000, 5000)),
                                                                           .width = mm(*rc::gen::inRange(1, 900)), .depth = mm(*rc::gen::inRange(1, 900))})});
      Design d = s.design;
      for (int i = 0; i < 4; ++i) d = rotate_by(d, what, degrees(90), {}).value();
      RC_ASSERT(equal(d, s.design));
      d = rotate_by(rotate_by(s.design, what, degrees(30), {}).value(), what, degrees(-30), {}).value();
      for (const EntityRef& ref : what)
        for (const char* axis : {"x", "y"})
          RC_ASSERT(std::fabs(std::get<double>(*get_field(d, ref, axis)) - std::get<double>(*get_field(s.design, ref, axis))) < 5e-6);
    }));
  }

  void aligning_uses_rotated_footprints() {
    Sample s = sample();
    // Turned a quarter, 600 x 1200 about its centre (1300, 2600) covers x 700..1900, y 2300..2900.
    Design d = set_field(s.design, {"racks", s.racks[0]}, "rotation", FieldValue(base_value(degrees(90)))).value();
    const FootprintSizes sizes{{{"racks", s.racks[0]}, {mm(600), mm(1200)}}, {{"racks", s.racks[1]}, {mm(600), mm(1200)}}, {{"racks", s.racks[2]}, {mm(600), mm(1200)}}};
    const Design left = align(d, racks_of(s), AlignEdge::left, sizes).value();
    QCOMPARE(in_meters(rack(left, s.racks[0]).x), 1.0); // it is the leftmost and stays
    QCOMPARE(in_meters(rack(left, s.racks[1]).x), 0.7);
    QCOMPARE(in_meters(rack(left, s.racks[2]).x), 0.7);
    const Design bottom = align(d, racks_of(s), AlignEdge::bottom, sizes).value();
    QCOMPARE(in_meters(rack(bottom, s.racks[0]).y), 2.3); // lower edge 2900 -> 3200
    QCOMPARE(in_meters(rack(bottom, s.racks[1]).y), 2.0);
    const Design center = align(s.design, racks_of(s), AlignEdge::center_x, sizes).value();
    for (Id id : s.racks) QCOMPARE(in_meters(rack(center, id).x), 1.6); // centre of 1000..2800 is 1900
    QVERIFY(!align(d, {{"racks", s.racks[0]}}, AlignEdge::left, sizes).has_value());
  }

  void distributing_leaves_equal_gaps() {
    Sample s = sample();
    Design d = set_field(s.design, {"racks", s.racks[2]}, "x", FieldValue(5.0)).value();
    d = set_field(d, {"racks", s.racks[1]}, "x", FieldValue(1.1)).value();
    // 1000..5600 is 4600; three widths of 600 leave 2800, two gaps of 1400: the middle one starts at 1600 + 1400.
    const Design out = distribute(d, racks_of(s), DistributeAxis::x, {}).value();
    QCOMPARE(in_meters(rack(out, s.racks[0]).x), 1.0);
    QCOMPARE(in_meters(rack(out, s.racks[1]).x), 3.0);
    QCOMPARE(in_meters(rack(out, s.racks[2]).x), 5.0);
    QVERIFY(!distribute(d, {{"racks", s.racks[0]}, {"racks", s.racks[1]}}, DistributeAxis::x, {}).has_value());
  }

  void free_names_count_up() {
    const Sample s = sample();
    QCOMPARE(free_name(s.design, "racks", "R01-01"), std::string("R01-04"));
    QCOMPARE(free_name(s.design, "racks", "R02-01"), std::string("R02-01"));
    QCOMPARE(free_name(s.design, "racks", "Rack"), std::string("Rack 1"));
    QCOMPARE(free_name(s.design, "halls", "Hall A"), std::string("Hall A 2"));
    QCOMPARE(free_name(s.design, "power_units", "UPS 1"), std::string("UPS 2"));
    const auto nine = set_field(s.design, {"rows", s.row}, "name", FieldValue(std::string("R09"))).value();
    QCOMPARE(free_name(nine, "rows", "R09"), std::string("R10"));
    const auto full = set_field(s.design, {"rows", s.row}, "name", FieldValue(std::string("R99"))).value();
    QCOMPARE(free_name(full, "rows", "R99"), std::string("R100"));
  }

  void duplicates_have_new_ids_free_names_and_the_same_feeds() {
    const Sample s = sample();
    const auto made = duplicate(s.design, racks_of(s), mm(0), mm(2400));
    QVERIFY(made.has_value());
    QCOMPARE(made->entities.size(), std::size_t(3));
    QCOMPARE(made->design.racks->size(), std::size_t(6));
    const Rack& copy = rack(made->design, made->entities[0].id);
    QCOMPARE(copy.name, std::string("R01-04"));
    QCOMPARE(in_meters(copy.y), 4.4);
    QVERIFY(copy.feed_a == s.busway_a && copy.feed_b == s.busway_b && copy.loop == s.loop && copy.row == s.row);
    for (Id id : s.racks) QVERIFY(rack(made->design, id).name == rack(s.design, id).name && rack(made->design, id).y == rack(s.design, id).y);
    QVERIFY(made->design.power_units == s.design.power_units);
    QVERIFY(validate(made->design).empty());
  }

  void references_inside_a_copy_lead_to_the_copies() {
    const Sample s = sample();
    const auto made = duplicate(s.design, {{"power_units", s.ups}, {"power_units", s.busway_a}, {"racks", s.racks[0]}}, mm(100), mm(0));
    QVERIFY(made.has_value());
    const PowerUnit& busway = made->design.power_units->back();
    QCOMPARE(busway.name, std::string("Busway A 2"));
    const PowerUnit& ups = (*made->design.power_units)[made->design.power_units->size() - 2];
    QCOMPARE(ups.name, std::string("UPS 2"));
    QCOMPARE(busway.upstream, ups.id);
    const Rack& copy = made->design.racks->back();
    QCOMPARE(copy.feed_a, busway.id);
    QCOMPARE(copy.feed_b, s.busway_b); // not copied: kept
    QCOMPARE(find(*made->design.power_units, s.busway_a)->upstream, s.ups); // originals keep theirs
  }

  void a_hall_is_copied_with_its_content_in_place() {
    const Sample s = sample();
    const auto made = duplicate(s.design, {{"halls", s.hall}}, mm(500), mm(500));
    QCOMPARE(made->design.halls->size(), std::size_t(2));
    QCOMPARE(made->design.racks->size(), std::size_t(6));
    QCOMPARE(made->design.power_units->size(), std::size_t(6));
    const Rack& copy = made->design.racks->back();
    QCOMPARE(copy.hall, made->design.halls->back().id);
    QCOMPARE(copy.row, made->design.rows->back().id);
    QCOMPARE(in_meters(copy.x), in_meters(rack(s.design, s.racks[2]).x)); // counted from the new hall's own origin
    QVERIFY(validate(made->design).empty());
  }

  void arrays() {
    const Sample s = sample();
    const auto made = array(s.design, {{"racks", s.racks[0]}}, {.count_x = 4, .count_y = 3, .pitch_x = mm(600), .pitch_y = mm(2400)});
    QVERIFY(made.has_value());
    QCOMPARE(made->entities.size(), std::size_t(11)); // 4 x 3 with the original
    std::set<std::pair<long, long>> places;
    for (const EntityRef& ref : made->entities) {
      const Rack& r = rack(made->design, ref.id);
      places.emplace(std::lround(in_millimeters(r.x)), std::lround(in_millimeters(r.y)));
    }
    QCOMPARE(places.size(), std::size_t(11));
    QVERIFY(places.contains({2800, 6800})); // 1000 + 3 x 600, 2000 + 2 x 2400
    QVERIFY(!places.contains({1000, 2000}));
    QVERIFY(array(s.design, racks_of(s), {})->entities.empty()); // 1 x 1 is only the original
    QVERIFY(!array(s.design, racks_of(s), {.count_x = 0}).has_value());
    QVERIFY(!array(s.design, racks_of(s), {.count_x = 3}).has_value()); // no pitch
    QVERIFY(has(array(s.design, racks_of(s), {.count_x = 1000, .count_y = 1000, .pitch_x = mm(1), .pitch_y = mm(1)}).error(), "200000"));
    QCOMPARE(array(s.design, {{"racks", s.racks[0]}}, {.count_x = 200000, .pitch_x = mm(1)})->entities.size(), std::size_t(199999));
  }

  void rows_of_racks() {
    Sample s = sample();
    RowPlan plan{.hall = s.hall, .rack_type = s.type, .x = mm(1200), .y = mm(600), .racks_per_row = 12, .rows = 4, .pitch = mm(600),
                 .row_depth = mm(1200), .cold_aisle = mm(1800), .hot_aisle = mm(1200), .first_row_name = "R09", .feed_a = s.busway_a, .loop = s.loop};
    const auto made = place_rows(s.design, plan);
    QVERIFY(made.has_value());
    QCOMPARE(made->design.racks->size(), std::size_t(3 + 48));
    QCOMPARE(made->design.rows->size(), std::size_t(5));
    // Rows face up, down, up, down; hot, cold, hot between: y = 600, +1200+1200 = 3000, +1200+1800 = 6000, +2400 = 8400.
    const double y[] = {0.6, 3.0, 6.0, 8.4}, turn[] = {0, 180, 0, 180};
    const char* name[] = {"R09", "R10", "R11", "R12"};
    for (std::size_t r = 0; r < 4; ++r) {
      QCOMPARE((*made->design.rows)[1 + r].name, std::string(name[r]));
      for (std::size_t k = 0; k < 12; ++k) {
        const Rack& it = (*made->design.racks)[3 + 12 * r + k];
        QCOMPARE(in_meters(it.y), y[r]);
        QCOMPARE(in_degrees(it.rotation), turn[r]);
        QCOMPARE(it.row, (*made->design.rows)[1 + r].id);
      }
    }
    const Rack& last = made->design.racks->back();
    QCOMPARE(last.name, std::string("R12-12"));
    QCOMPARE(in_meters(last.x), 7.8); // 1200 + 11 x 600
    QVERIFY(last.feed_a == s.busway_a && last.feed_b == 0 && last.loop == s.loop && last.hall == s.hall);
    QVERIFY(validate(made->design).empty());
    plan.first_row_name = "R01"; // in use: the next ones are taken
    plan.rows = 2;
    QCOMPARE(place_rows(s.design, plan)->design.rows->back().name, std::string("R03"));
    for (auto spoil : std::vector<std::function<void(RowPlan&)>>{[](RowPlan& p) { p.rows = 0; }, [](RowPlan& p) { p.racks_per_row = -1; }, [](RowPlan& p) { p.hall = 0; },
                                                                 [](RowPlan& p) { p.rack_type = 999; }, [](RowPlan& p) { p.pitch = mm(0); }, [](RowPlan& p) { p.cold_aisle = mm(-1); },
                                                                 [](RowPlan& p) { p.feed_b = 999; }, [](RowPlan& p) { p.x = meters(9999); }, [](RowPlan& p) { p.rows = p.racks_per_row = 10000; }}) {
      RowPlan bad = plan;
      spoil(bad);
      QVERIFY(!place_rows(s.design, bad).has_value());
    }
  }

  void deleting_disconnects_and_says_so() {
    const Sample s = sample();
    const auto lines = what_deleting_disconnects(s.design, {{"power_units", s.busway_a}, {"loops", s.loop}});
    QCOMPARE(lines.size(), std::size_t(6)); // three racks lose a feed and a loop
    QVERIFY(std::find(lines.begin(), lines.end(), "Rack R01-03 loses its A feed") != lines.end());
    QVERIFY(std::find(lines.begin(), lines.end(), "Rack R01-01 loses its coolant loop") != lines.end());
    const Design out = remove(s.design, {{"power_units", s.busway_a}, {"loops", s.loop}}).value();
    for (Id id : s.racks) QVERIFY(rack(out, id).feed_a == 0 && rack(out, id).feed_b == s.busway_b && rack(out, id).loop == 0);
    QVERIFY(validate(out).empty());
    QVERIFY(out.halls == s.design.halls && out.rows == s.design.rows);
    QCOMPARE(find(*remove(s.design, {{"power_units", s.ups}})->power_units, s.busway_a)->upstream, Id(0));
    QCOMPARE(rack(*remove(s.design, {{"rows", s.row}}), s.racks[0]).row, Id(0));
    QVERIFY(what_deleting_disconnects(s.design, racks_of(s)).empty());
    QVERIFY(!remove(s.design, {{"racks", 999}}).has_value() && !remove(s.design, {{"job", 0}}).has_value());
  }

  void deleting_takes_along_what_cannot_live_alone() {
    Sample s = sample();
    s.add(&Design::waivers, Waiver{.rule = "PWR-004", .entities = "racks:9", .reason = "accepted"});
    const Id note = s.add(&Design::notes, Note{.text = "keep clear", .hall = s.hall});
    const Id scenario = s.add(&Design::scenarios, Scenario{.name = "S"});
    s.add(&Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = "racks.[R01-02].x", .value = "0 mm"});
    const Id other_change = s.add(&Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = "site.utility_power", .value = "2 MW"});
    const auto lines = what_deleting_disconnects(s.design, {{"rack_types", s.type}});
    QVERIFY(std::find(lines.begin(), lines.end(), "Rack R01-02 is deleted with rack type DGX rack") != lines.end());
    const Design typeless = remove(s.design, {{"rack_types", s.type}}).value();
    QVERIFY(typeless.racks->empty() && typeless.rack_items->empty() && typeless.rows->size() == 1);
    QCOMPARE(entity_ids(typeless, "scenario_changes"), std::vector<Id>{other_change}); // the other one moved a rack that is gone
    const Design empty = remove(s.design, {{"halls", s.hall}}).value();
    QVERIFY(empty.halls->empty() && empty.racks->empty() && empty.rows->empty() && empty.power_units->empty());
    QVERIFY(empty.rack_types == s.design.rack_types && empty.waivers == s.design.waivers);
    QCOMPARE(find(*empty.notes, note)->hall, Id(0)); // the text is kept
    QVERIFY(validate(empty).empty());
    QVERIFY(remove(s.design, {{"scenarios", scenario}})->scenario_changes->empty());
    QCOMPARE(empty.next_id, s.design.next_id); // ids are never used again
  }

  void the_clipboard_pastes_into_any_project() {
    const Sample s = sample();
    const std::string text = copy_text(s.design, racks_of(s));
    QVERIFY(has(text, "hallwright-clipboard"));
    // Into the same project: the same rack type, feeds and loop.
    const auto here = paste_text(s.design, text, s.hall, mm(0), mm(3000));
    QVERIFY(here.has_value());
    QCOMPARE(here->entities.size(), std::size_t(3));
    QVERIFY(here->design.rack_types == s.design.rack_types);
    const Rack& copy = rack(here->design, here->entities[0].id);
    QVERIFY(copy.name == "R01-04" && copy.feed_a == s.busway_a && copy.loop == s.loop && copy.rack_type == s.type && in_meters(copy.y) == 5.0);
    for (Id id : s.racks) QVERIFY(differences(s.design, here->design).size() == 3 && rack(here->design, id).name == rack(s.design, id).name);
    // Into another one: the type comes along, feeds that are not there are none, even where the id is in use.
    Sample other;
    const Id hall = other.add(&Design::halls, Hall{.name = "Far", .outline = {{0, 0}, {1000, 0}, {1000, 1000}}});
    for (int i = 0; i < 12; ++i) other.add(&Design::power_units, PowerUnit{.name = "X"});
    const auto there = paste_text(other.design, text, hall, mm(0), mm(0));
    QVERIFY(there.has_value());
    QVERIFY(validate(there->design).empty());
    QCOMPARE(there->design.rack_types->size(), std::size_t(1));
    QCOMPARE(there->design.rack_items->size(), std::size_t(1));
    QCOMPARE(there->design.rack_items->front().rack_type, there->design.rack_types->front().id);
    const Rack& far = there->design.racks->front();
    QVERIFY(far.hall == hall && far.feed_a == 0 && far.loop == 0 && far.row == 0 && far.rack_type == there->design.rack_types->front().id);
    QCOMPARE(far.name, std::string("R01-01"));
    // A second paste finds the type that the first one made.
    QCOMPARE(paste_text(there->design, text, hall, mm(0), mm(0))->design.rack_types->size(), std::size_t(1));
    // A type of the same name with other content is another type.
    const Design changed = set_field(there->design, {"rack_items", there->design.rack_items->front().id}, "count", FieldValue(Id(8))).value();
    const auto again = paste_text(changed, text, hall, mm(0), mm(0));
    QCOMPARE(again->design.rack_types->size(), std::size_t(2));
    QCOMPARE(again->design.rack_types->back().name, std::string("DGX rack 2"));
  }

  void other_text_is_refused() {
    const Sample s = sample();
    const std::string good = copy_text(s.design, racks_of(s));
    const auto with = [&](std::string from, const std::string& to) {
      std::string out = good;
      const auto at = out.find(from);
      return at == std::string::npos ? std::string("not found") : out.replace(at, from.size(), to);
    };
    QVERIFY(paste_text(s.design, good, s.hall, mm(0), mm(0)).has_value());
    for (const std::string& bad : {std::string(), std::string("hello"), std::string("[1,2]"), std::string("{\"format\":5}"), with("\"version\": 1", "\"version\": 2"),
                                   with("\"racks\"", "\"rocks\""), with("\"1000 mm\"", "\"1000 kW\""), with("\"1000 mm\"", "\"90 km\""), with("\"rotation\"", "\"rotatoin\""),
                                   good.substr(0, good.size() / 2)}) {
      const auto refused = paste_text(s.design, bad, s.hall, mm(0), mm(0));
      QVERIFY2(!refused.has_value(), bad.c_str());
      QVERIFY(!refused.error().empty());
    }
    QVERIFY(!paste_text(s.design, good, 999, mm(0), mm(0)).has_value());
    QVERIFY(!paste_text(s.design, good, s.ups, mm(0), mm(0)).has_value()); // no hall
  }

  void any_sequence_of_edits_keeps_the_document_whole() {
    QVERIFY(rc::check("random edits", [] {
      Sample s = sample();
      Design d = s.design;
      std::vector<Design> held{d};
      std::vector<std::string> texts{copy_text(d, {})};
      const auto snapshot = [](const Design& x) {
        std::vector<EntityRef> all;
        for (auto word : table_words())
          for (Id id : entity_ids(x, word)) all.push_back({std::string(word), id});
        return copy_text(x, all);
      };
      texts[0] = snapshot(d);
      const int steps = *rc::gen::inRange(1, 15);
      for (int i = 0; i < steps; ++i) {
        std::vector<EntityRef> what;
        for (auto word : table_words())
          for (Id id : entity_ids(d, word))
            if (*rc::gen::inRange(0, 4) == 0) what.push_back({std::string(word), id});
        std::vector<EntityRef> standing;
        std::copy_if(what.begin(), what.end(), std::back_inserter(standing), [](const EntityRef& r) { return r.table == "racks" || r.table == "power_units"; });
        const Length dx = mm(*rc::gen::inRange(-500, 500)), dy = mm(*rc::gen::inRange(-500, 500));
        Edited next = d;
        switch (*rc::gen::inRange(0, 7)) {
        case 0: next = move_by(d, standing, dx, dy); break;
        case 1: next = rotate_by(d, standing, degrees(*rc::gen::inRange(-360, 360)), {}); break;
        case 2:
        case 3: {
          const auto made = duplicate(d, what, dx, dy);
          RC_ASSERT(made.has_value());
          // Nothing that existed has changed: only additions.
          for (const Difference& difference : differences(d, made->design)) RC_ASSERT(difference.what == Difference::What::added);
          RC_ASSERT(differences(d, made->design).size() == made->entities.size());
          next = made->design;
          break;
        }
        case 4: {
          const auto made = paste_text(d, copy_text(d, what), d.halls->empty() ? 0 : d.halls->front().id, dx, dy);
          RC_ASSERT(made.has_value());
          for (const Difference& difference : differences(d, made->design)) RC_ASSERT(difference.what == Difference::What::added);
          next = made->design;
          break;
        }
        case 5: next = remove(d, what); break;
        default:
          if (!d.halls->empty() && !d.rack_types->empty())
            next = place_rows(d, {.hall = d.halls->front().id, .rack_type = d.rack_types->front().id, .racks_per_row = 3, .rows = 2})->design;
        }
        RC_ASSERT(next.has_value());
        d = *next;
        const auto broken = validate(d); // ids sorted, unique, references, ranges
        if (!broken.empty()) RC_LOG() << broken.front();
        RC_ASSERT(broken.empty());
        RC_ASSERT(d.next_id >= held.back().next_id);
        if (d.racks->size() > 200) break;
        held.push_back(d);
        texts.push_back(snapshot(d));
      }
      // Undo is to hold the old design: every one of them is as it was.
      for (std::size_t i = 0; i < held.size(); ++i) RC_ASSERT(snapshot(held[i]) == texts[i]);
    }));
  }

  void moving_2000_of_10000_racks_is_fast() {
    Sample s = sample();
    const Design d = place_rows(s.design, {.hall = s.hall, .rack_type = s.type, .racks_per_row = 100, .rows = 100})->design;
    std::vector<EntityRef> what;
    for (std::size_t i = 0; i < 10000; i += 5) what.push_back({"racks", (*d.racks)[i].id});
    QCOMPARE(what.size(), std::size_t(2000));
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
      QElapsedTimer timer;
      timer.start();
      const auto moved = move_by(d, what, mm(600), mm(0));
      best = std::min(best, static_cast<double>(timer.nsecsElapsed()) * 1e-6);
      QVERIFY(moved.has_value());
    }
    qInfo("moving 2000 of 10000 racks: %.2f ms", best);
  }
};

QTEST_APPLESS_MAIN(TestDesignEdits)
#include "test_design_edits.moc"
