// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <rapidcheck.h>

#include "design/edits.h"

using namespace hallwright;

/// Edits of what is drawn by points, mirror, equal gaps, groups and locks. Expected places are worked by hand.
namespace {

Length mm(double v) { return meters(v / 1000.0); }

struct Drawing {
  Design design;
  Id hall = 0, type = 0;

  template <class M, class E>
  Id add(M member, E entity) {
    Made made = add_entity(design, member, std::move(entity));
    design = made.design;
    return made.entities.at(0).id;
  }
};

Drawing drawing() {
  Drawing d;
  d.hall = d.add(&Design::halls, Hall{.name = "Hall A", .outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}}});
  d.type = d.add(&Design::rack_types, RackType{.name = "Rack", .width = mm(600), .depth = mm(1200)});
  return d;
}
Id rack_at(Drawing& d, double x, double y, double turn = 0) {
  return d.add(&Design::racks, Rack{.name = "R" + std::to_string(d.design.next_id), .rack_type = d.type, .hall = d.hall, .x = mm(x), .y = mm(y), .rotation = degrees(turn)});
}
bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }
#define VERIFY_AT(rack, left, upper)                                                                                   \
  QCOMPARE(in_millimeters((rack)->x), double(left));                                                                   \
  QCOMPARE(in_millimeters((rack)->y), double(upper))

} // namespace

class TestDrawingEdits : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void paths_and_zones_move_with_things() {
    Drawing d = drawing();
    const Id tray = d.add(&Design::trays, Tray{.name = "T1", .hall = d.hall, .path = {{1000, 2000}, {9000, 2000}, {9000, 5000}}});
    const Id zone = d.add(&Design::zones, Zone{.name = "Z", .hall = d.hall, .outline = {{0, 0}, {4000, 0}, {4000, 3000}}});
    const Id rack = rack_at(d, 500, 700);
    const auto moved = move_by(d.design, {{"trays", tray}, {"zones", zone}, {"racks", rack}}, mm(250), mm(-100));
    QVERIFY2(moved, moved ? "" : moved.error().c_str());
    QCOMPARE(outline_text(find(*moved->trays, tray)->path), std::string("1250,1900 9250,1900 9250,4900"));
    QCOMPARE(outline_text(find(*moved->zones, zone)->outline), std::string("250,-100 4250,-100 4250,2900"));
    VERIFY_AT(find(*moved->racks, rack), 750, 600);
    QVERIFY(moved->notes == d.design.notes); // untouched tables stay shared
  }
  void a_quarter_turn_of_a_path() {
    Drawing d = drawing();
    // Box 1000..9000 x 2000..5000, its middle at 5000, 3500. Clockwise with y downwards: (dx, dy) becomes (-dy, dx).
    const Id tray = d.add(&Design::trays, Tray{.hall = d.hall, .path = {{1000, 2000}, {9000, 2000}, {9000, 5000}}});
    const auto turned = rotate_by(d.design, {{"trays", tray}}, degrees(90), {});
    QVERIFY2(turned, turned ? "" : turned.error().c_str());
    QCOMPARE(outline_text(find(*turned->trays, tray)->path), std::string("6500,-500 6500,7500 3500,7500"));
  }
  void a_dimension_between_things_follows_and_a_free_end_moves() {
    Drawing d = drawing();
    const Id a = rack_at(d, 0, 0), b = rack_at(d, 3000, 0);
    const Id both = d.add(&Design::dimensions, Dimension{.hall = d.hall, .start = a, .start_x = mm(600), .end = b});
    const Id half = d.add(&Design::dimensions, Dimension{.hall = d.hall, .start = a, .end_x = mm(5000), .end_y = mm(40)});
    const auto moved = move_by(d.design, {{"dimensions", both}, {"dimensions", half}, {"racks", a}}, mm(100), mm(0));
    QVERIFY2(moved, moved ? "" : moved.error().c_str());
    QCOMPARE(in_millimeters(find(*moved->dimensions, both)->start_x), 600.0);
    QCOMPARE(in_millimeters(find(*moved->dimensions, half)->start_x), 0.0);
    QCOMPARE(in_millimeters(find(*moved->dimensions, half)->end_x), 5100.0);
    // It cannot live without what it is fixed to, and says so.
    QCOMPARE(what_deleting_disconnects(d.design, {{"racks", a}}).size(), std::size_t(2));
    const auto gone = remove(d.design, {{"racks", b}});
    QVERIFY(gone && gone->dimensions->size() == 1 && gone->dimensions->front().id == half);
    // A copy of all leads to the copied racks.
    const auto copy = duplicate(d.design, {{"racks", a}, {"racks", b}, {"dimensions", both}}, mm(0), mm(2000));
    QVERIFY(copy);
    const Dimension& fresh = copy->design.dimensions->back();
    QVERIFY(fresh.start != a && fresh.end != b);
    QCOMPARE(in_millimeters(find(*copy->design.racks, fresh.start)->y), 2000.0);
  }
  void mirror_turns_fronts_and_doors() {
    Drawing d = drawing();
    // 600 x 1200 racks at x 0 (front up) and 2000, turned 90: its box is 1200 x 600 about (2300, 600): 1700..2900.
    const Id a = rack_at(d, 0, 0), b = rack_at(d, 2000, 0, 90);
    const Id door = d.add(&Design::structures, Structure{.kind = StructureKind::door, .hall = d.hall, .x = mm(500), .y = mm(3000), .width = mm(1000), .depth = mm(100)});
    const std::vector<EntityRef> all{{"racks", a}, {"racks", b}, {"structures", door}};
    const auto m = mirror(d.design, all, MirrorAxis::left_to_right, {});
    QVERIFY2(m, m ? "" : m.error().c_str());
    // All lies within 0..2900: x becomes 2900 - x. Rack a: middle 300 -> 2600; b: 2300 -> 600; door: 1000 -> 1900.
    VERIFY_AT(find(*m->racks, a), 2300, 0);
    VERIFY_AT(find(*m->racks, b), 300, 0);
    QCOMPARE(in_degrees(find(*m->racks, a)->rotation), 0.0);
    QCOMPARE(in_degrees(find(*m->racks, b)->rotation), 270.0);
    QCOMPARE(in_millimeters(find(*m->structures, door)->x), 1400.0);
    QVERIFY(find(*m->structures, door)->swing == DoorSwing::right);
    const auto v = mirror(d.design, {{"racks", a}}, MirrorAxis::top_to_bottom, {});
    QCOMPARE(in_degrees(find(*v->racks, a)->rotation), 180.0);
    VERIFY_AT(find(*v->racks, a), 0, 0);
  }
  void mirrored_twice_is_as_before() {
    QVERIFY(rc::check("mirror is its own inverse", [] {
      Drawing d = drawing();
      std::vector<EntityRef> all;
      for (int i = *rc::gen::inRange(1, 6); i > 0; --i)
        all.push_back({"racks", rack_at(d, *rc::gen::inRange(0, 20000), *rc::gen::inRange(0, 10000), 90.0 * *rc::gen::inRange(0, 4))});
      all.push_back({"trays", d.add(&Design::trays, Tray{.hall = d.hall, .path = {{0, 10}, {700, 10}, {700, 900}}})});
      const MirrorAxis axis = *rc::gen::element(MirrorAxis::left_to_right, MirrorAxis::top_to_bottom);
      const auto once = mirror(d.design, all, axis, {});
      RC_ASSERT(once.has_value());
      const auto twice = mirror(*once, all, axis, {});
      RC_ASSERT(twice.has_value());
      RC_ASSERT(differences(d.design, *twice).empty());
    }));
  }
  void equal_gaps() {
    Drawing d = drawing();
    const Id a = rack_at(d, 100, 0), b = rack_at(d, 5000, 40), c = rack_at(d, 900, 0, 90); // c: 600..1800
    const auto s = space_evenly(d.design, {{"racks", b}, {"racks", a}, {"racks", c}}, DistributeAxis::x, mm(50), {});
    QVERIFY2(s, s ? "" : s.error().c_str());
    VERIFY_AT(find(*s->racks, a), 100, 0);    // 100..700
    VERIFY_AT(find(*s->racks, c), 1050, 0);   // 750..1950
    VERIFY_AT(find(*s->racks, b), 2000, 40);  // 2000..2600
    QVERIFY(has(space_evenly(d.design, {{"racks", a}}, DistributeAxis::x, mm(50), {}).error(), "at least 2"));
    QVERIFY(has(space_evenly(d.design, {{"racks", a}, {"racks", b}}, DistributeAxis::x, meters(2e7), {}).error(), "out of range"));
  }
  void groups() {
    Drawing d = drawing();
    const Id a = rack_at(d, 0, 0), b = rack_at(d, 600, 0), c = rack_at(d, 1200, 0);
    const auto g = group(d.design, {{"racks", a}, {"racks", b}});
    QVERIFY2(g, g ? "" : g.error().c_str());
    const Id id = g->entities.front().id;
    QCOMPARE(find(*g->design.racks, b)->group, id);
    QCOMPARE(with_group_members(g->design, {{"racks", a}, {"racks", c}}).size(), std::size_t(3));
    // A copy is a group of its own.
    const auto copy = duplicate(g->design, {{"racks", a}, {"racks", b}}, mm(0), mm(3000));
    QVERIFY(copy && copy->design.groups->size() == 2);
    QVERIFY(copy->design.racks->back().group != id && copy->design.racks->back().group != 0);
    // Through the clipboard into another project too.
    const auto pasted = paste_text(d.design, copy_text(g->design, {{"racks", a}, {"racks", b}}), d.hall, mm(0), mm(5000));
    QVERIFY2(pasted, pasted ? "" : pasted.error().c_str());
    QVERIFY(pasted->design.groups->size() == 1 && pasted->design.racks->back().group == pasted->design.groups->front().id);
    // Grouping one of them anew takes it out; a group without members goes.
    const auto again = group(g->design, {{"racks", a}, {"racks", b}, {"racks", c}});
    QVERIFY(again && again->design.groups->size() == 1);
    const auto none = ungroup(g->design, {{"racks", a}});
    QVERIFY(none && none->groups->empty() && find(*none->racks, b)->group == 0);
    // One thing is no group: when the other one is deleted, when another group takes it, when one is copied alone.
    const auto left = remove(g->design, {{"racks", a}});
    QVERIFY(left && left->groups->empty() && find(*left->racks, b)->group == 0);
    const auto taken = group(g->design, {{"racks", b}, {"racks", c}});
    QVERIFY(taken && taken->design.groups->size() == 1 && find(*taken->design.racks, a)->group == 0);
    const auto alone = duplicate(g->design, {{"racks", a}}, mm(0), mm(3000));
    QVERIFY(alone && alone->design.groups->size() == 1 && alone->design.racks->back().group == 0);
    QCOMPARE(alone->entities.size(), std::size_t(1));
    QCOMPARE(find(*alone->design.racks, a)->group, id);
    const auto pasted_alone = paste_text(d.design, copy_text(g->design, {{"racks", a}}), d.hall, mm(0), mm(5000));
    QVERIFY(pasted_alone && pasted_alone->design.groups->empty() && pasted_alone->design.racks->back().group == 0);
    // Of three, two stay a group.
    const auto three = group(d.design, {{"racks", a}, {"racks", b}, {"racks", c}});
    const auto two = remove(three->design, {{"racks", c}});
    QVERIFY(two && two->groups->size() == 1 && find(*two->racks, a)->group == find(*two->racks, b)->group);
    QVERIFY(has(ungroup(d.design, {{"racks", a}}).error(), "in a group"));
    QVERIFY(has(group(d.design, {{"racks", a}}).error(), "at least 2"));
    QVERIFY(has(group(d.design, {{"racks", a}, {"halls", d.hall}}).error(), "Hall Hall A cannot be in a group"));
  }
  void what_goes_along_names_its_cause() {
    Drawing d = drawing();
    const Id rack = rack_at(d, 0, 0), other = rack_at(d, 600, 0);
    Dimension line{.hall = d.hall};
    line.start = rack, line.end = other;
    d.add(&Design::dimensions, line);
    const auto lost = what_deleting_disconnects(d.design, {{"racks", rack}});
    QCOMPARE(lost.size(), std::size_t(1));
    QVERIFY2(has(lost.front(), "is deleted with rack " + find(*d.design.racks, rack)->name), lost.front().c_str());
  }
  void locked_things_refuse() {
    Drawing d = drawing();
    const Id tray = d.add(&Design::trays, Tray{.name = "T1", .hall = d.hall, .path = {{0, 0}, {10, 0}}});
    const Id rack = rack_at(d, 0, 0);
    const auto locked = set_locked(d.design, {{"trays", tray}, {"racks", rack}}, true);
    QVERIFY(locked);
    QVERIFY(has(move_by(*locked, {{"trays", tray}}, mm(1), mm(0)).error(), "Tray T1 is locked"));
    QVERIFY(has(mirror(*locked, {{"racks", rack}}, MirrorAxis::left_to_right, {}).error(), "is locked"));
    QVERIFY(move_by(*set_locked(*locked, {{"trays", tray}}, false), {{"trays", tray}}, mm(1), mm(0)));
  }
};

QTEST_APPLESS_MAIN(TestDrawingEdits)
#include "test_drawing_edits.moc"
