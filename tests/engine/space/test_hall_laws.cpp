// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include <rapidcheck.h>

#include "small_hall.h"
#include "space/auto_layout.h"
#include "space/plan_geometry.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool says(const Finding& f, std::string_view words) { return f.message.find(words) != std::string::npos; }

/// Hall A of 20 m x 10 m with a rack, and another room below it (y from 10.2 m on) with its own doors.
Design two_rooms(std::vector<Structure> doors, RoomKind kind = RoomKind::staging) {
  return with(hall_with({rack_at(100, 3000, 1500)}, std::move(doors)), &Design::halls, [&](auto& all) {
    Hall room;
    room.id = 6;
    room.name = "Room B";
    room.kind = kind;
    room.outline = {{0, 10200}, {20000, 10200}, {20000, 15000}, {0, 15000}};
    all.push_back(room);
  });
}
Structure in_room(Structure s) {
  s.hall = 6;
  return s;
}

PowerUnit gear_at(Id id, double x, double y, double width, double degrees_clockwise = 0) {
  PowerUnit u;
  u.id = id;
  u.name = "Gear " + std::to_string(id);
  u.kind = PowerUnitKind::distribution;
  u.hall = 5;
  u.x = millimeters(x), u.y = millimeters(y);
  u.width = millimeters(width), u.depth = millimeters(600);
  u.rotation = degrees(degrees_clockwise);
  return u;
}
Design with_gear(PowerUnit unit, std::vector<Structure> structures = {}) {
  Design d = hall_with({}, std::move(structures));
  d.power_units = share(std::vector{std::move(unit)});
  return d;
}
Zone zone_of(Id id, std::vector<PlanPoint> outline, double rating) {
  Zone z;
  z.id = id;
  z.name = "Zone " + std::to_string(id);
  z.hall = 5;
  z.outline = std::move(outline);
  z.floor_rating = kilograms_per_square_meter(rating);
  return z;
}
std::string zone_of_rack(const Design& d) {
  Figures figures;
  figures.add(space_of(d));
  return figures.table("space.racks")->column("zone")->words[0];
}

} // namespace

class TestHallLaws : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void an_exit_leads_to_the_outside() {
    const auto between = structure_at(60, StructureKind::door, 9000, 9900, 1600, 100);
    const auto out_of_b = in_room(structure_at(61, StructureKind::door, 3000, 14900, 1600, 100));
    // The room behind the door has no door of its own: nobody gets out.
    const Finding f = the(two_rooms({between}), "SPC-023");
    QVERIFY2(says(f, "No door of Hall A leads out for the 1 rack in it: S60 leads into Room B, out of which no door "
                     "leads"),
             f.message.c_str());
    QCOMPARE(found(two_rooms({between, out_of_b}), "SPC-023"), Count{0});
    // A wall across the room cuts that way off; a wall with a gap of 800 mm does not.
    auto wall = in_room(structure_at(62, StructureKind::wall, 7000, 10200, 100, 4800));
    QCOMPARE(found(two_rooms({between, out_of_b, wall}), "SPC-023"), Count{1});
    wall.depth = millimeters(4000);
    QCOMPARE(found(two_rooms({between, out_of_b, wall}), "SPC-023"), Count{0});
    wall.depth = millimeters(4001);
    QCOMPARE(found(two_rooms({between, out_of_b, wall}), "SPC-023"), Count{1});
    // A door of 700 mm is none, a yard is outside, and a door of the hall itself is enough.
    auto narrow = out_of_b;
    narrow.width = millimeters(700);
    QCOMPARE(found(two_rooms({between, narrow}), "SPC-023"), Count{1});
    QCOMPARE(found(two_rooms({between}, RoomKind::yard), "SPC-023"), Count{0});
    QCOMPARE(found(two_rooms({between, structure_at(63, StructureKind::door, 9000, 0, 1600, 100)}), "SPC-023"),
             Count{0});
  }

  void a_door_stands_in_a_wall() {
    auto door = [](double y) { return structure_at(60, StructureKind::door, 9000, y, 1600, 100); };
    QCOMPARE(found(hall_with({}, {door(9900)}), "SPC-046"), Count{0});  // on the edge, inside of it
    QCOMPARE(found(hall_with({}, {door(10100)}), "SPC-046"), Count{0}); // in the wall of 300 mm beyond it
    const Finding inside = the(hall_with({}, {door(5000)}), "SPC-046");
    QVERIFY2(says(inside, "S60 stands in the middle of Hall A, in no wall"), inside.message.c_str());
    QVERIFY(says(the(hall_with({}, {door(12000)}), "SPC-046"), "stands outside of Hall A"));
    QCOMPARE(found(hall_with({}, {door(5000), structure_at(61, StructureKind::wall, 0, 5000, 20000, 100)}), "SPC-046"),
             Count{0});
    // It is no way out either.
    QCOMPARE(found(hall_with({rack_at(100, 3000, 1500)}, {door(12000)}), "SPC-028"), Count{1});
  }

  void working_width_need_not_be_centred() {
    // NEC 110.26(A)(2): 762 mm or the gear's width, whichever is greater. Gear of 500 mm at x 5,000; a column whose side
    // is 100 mm beside it, 300 mm ahead of its front. About the middle, 131 mm on either side are asked for.
    const auto column = [](double x) { return structure_at(50, StructureKind::column, x, 4300, 400, 400); };
    const PowerUnit gear = gear_at(40, 5000, 5000, 500);
    QCOMPARE(found(with_gear(gear, {column(5600)}), "SPC-012"), Count{0});
    // From both sides, 550 mm apart: 762 mm do not fit.
    auto other = column(4550);
    other.id = 51; // ends at 4,950
    const Finding f = the(with_gear(gear, {column(5600), other}), "SPC-012");
    QVERIFY2(says(f, "is 300 mm deep"), f.message.c_str());
    // 4,832 to 5,600 are 768 mm.
    other.x = millimeters(4432);
    QCOMPARE(found(with_gear(gear, {column(5600), other}), "SPC-012"), Count{0});
    // Ahead of the gear itself nothing may stand.
    QCOMPARE(found(with_gear(gear, {column(5450)}), "SPC-012"), Count{1});
    // Gear wider than 762 mm needs its own width, and none beside it.
    const PowerUnit wide = gear_at(40, 5000, 5000, 1200);
    QCOMPARE(found(with_gear(wide, {column(6200)}), "SPC-012"), Count{0});
    QCOMPARE(found(with_gear(wide, {column(6150)}), "SPC-012"), Count{1});
    // Turned by quarters it is the same.
    QCOMPARE(found(with_gear(gear_at(40, 5000, 5000, 500, 180),
                             {structure_at(50, StructureKind::column, 5600, 5900, 400, 400)}),
                   "SPC-012"),
             Count{0});
    // In the corner of the hall the width lies on the one side that is free.
    QCOMPARE(found(with_gear(gear_at(40, 0, 5000, 500), {column(800)}), "SPC-012"), Count{0});
    QCOMPARE(found(with_gear(gear_at(40, 0, 5000, 500), {column(700)}), "SPC-012"), Count{1});
  }

  void gear_in_the_hall_and_racks_in_its_room() {
    // 1,067 mm are asked for in any room: a rack 1,000 mm ahead of a distribution unit in a data hall is too near.
    Design d = hall_with({rack_at(100, 5000, 2800)});
    d.power_units = share(std::vector{gear_at(40, 5000, 5000, 600)});
    QVERIFY2(says(the(d, "SPC-012"), "is 1000 mm deep"), the(d, "SPC-012").message.c_str());
    d.power_units = share(std::vector{gear_at(40, 5000, 5067, 600)});
    QCOMPARE(found(d, "SPC-012"), Count{0});
    QCOMPARE(found(d, "SPC-035"), Count{0});
    for (const auto& [kind, expected] :
         {std::pair(RoomKind::electrical, 1), std::pair(RoomKind::mechanical, 1), std::pair(RoomKind::office, 1),
          std::pair(RoomKind::yard, 1), std::pair(RoomKind::storage, 0), std::pair(RoomKind::staging, 0)}) {
      const Design room = with(d, &Design::halls, [&](auto& all) { all[0].kind = kind; });
      QCOMPARE(found(room, "SPC-035"), Count{expected});
    }
    const Design room = with(d, &Design::halls, [](auto& all) { all[0].kind = RoomKind::electrical; });
    QVERIFY2(says(the(room, "SPC-035"), "1 rack stands in Hall A, which is an electrical room"),
             the(room, "SPC-035").message.c_str());
  }

  void fronts_towards_a_wall_keep_the_cold_aisle() {
    // 1,200 mm are the minimum of a cold aisle.
    QCOMPARE(found(hall_with({rack_at(100, 5000, 1200)}), "SPC-005"), Count{0});
    const Design d = hall_with({rack_at(100, 5000, 1150)});
    const Finding f = the(d, "SPC-005");
    QVERIFY2(says(f, "The aisle (front to a wall) between R100 and the wall in Hall A is 1150 mm wide; at least 1200"),
             f.message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-005"), std::string());
    QCOMPARE(base_value(space_of(d).narrowest_aisle.value), 1.15);
    // Rears are held to the service depth alone: 762 mm.
    const Design rear = hall_with({rack_at(100, 5000, 1000, 180)});
    QCOMPARE(found(rear, "SPC-005"), Count{0});
    QCOMPARE(found(rear, "SPC-013"), Count{0});
    // The figure of narrow aisles does not speak of a wall that is far enough away.
    QVERIFY(!space_of(hall_with({rack_at(100, 5000, 1500)})).narrowest_aisle.has_value());
  }

  void beside_a_column_its_passage_counts() {
    // Two rows front to front over 1,500 mm with a column of 400 mm between: 550 mm on either side.
    std::vector<Rack> racks{rack_at(100, 5000, 2000, 180, 1, 10), rack_at(200, 5000, 4700, 0, 1, 20)};
    const Design d = hall_with(racks, {structure_at(50, StructureKind::column, 5100, 3750, 400, 400)});
    QCOMPARE(found(d, "SPC-026"), Count{1});
    QVERIFY(found(d, "SPC-005") > 0);
    for (const Remedy& r : the(d, "SPC-026").remedies) {
      const Edited after = r.edit.apply(d);
      QVERIFY(after.has_value());
      QCOMPARE(found(*after, "SPC-026"), Count{0});
      QCOMPARE(found(*after, "SPC-005"), Count{0});
    }
    QVERIFY(!the(d, "SPC-026").remedies.empty());
  }

  void each_dead_end_is_told_in_its_own_words() {
    // A row of twelve against the wall: ahead of it and behind it stand rows that close the aisles.
    std::vector<Rack> racks;
    for (int i = 0; i < 12; ++i) {
      racks.push_back(rack_at(100 + i, 600 * i, 2800, 0, 1, 10));
      racks.push_back(rack_at(200 + i, 600 * i, 400, 180, 1, 20));
      racks.push_back(rack_at(300 + i, 600 * i, 5200, 180, 1, 30));
    }
    const auto all = findings_of(hall_with(racks));
    std::set<std::string> texts;
    Count n = 0;
    for (const Finding& f : all)
      if (f.code == "SPC-025") texts.insert(f.message), ++n;
    QVERIFY(n >= 2);
    QCOMPARE(static_cast<Count>(texts.size()), n);
    QVERIFY(std::any_of(texts.begin(), texts.end(),
                        [](const std::string& t) { return t.find("The aisle ahead of R") != std::string::npos; }));
    QVERIFY(std::any_of(texts.begin(), texts.end(),
                        [](const std::string& t) { return t.find("The aisle behind R") != std::string::npos; }));
  }

  void a_rack_on_the_edge_of_two_zones() {
    // Its middle lies at (3,300, 2,100), on the edge of both: the weaker floor counts, from whichever side.
    const auto left = std::vector<PlanPoint>{{0, 0}, {3300, 0}, {3300, 10000}, {0, 10000}},
               right = std::vector<PlanPoint>{{3300, 0}, {20000, 0}, {20000, 10000}, {3300, 10000}};
    for (const bool weak_left : {true, false}) {
      Design d = hall_with({rack_at(100, 3000, 1500)});
      d.zones = share(std::vector{zone_of(70, left, weak_left ? 800 : 1500), zone_of(71, right, weak_left ? 1500 : 800)});
      QCOMPARE(zone_of_rack(d), std::string(weak_left ? "Zone 70" : "Zone 71"));
      // Mirrored left to right about x = 3,300 the floor under it is the same.
      Design mirrored = d;
      mirrored.halls = share(std::vector{[&] {
        Hall h = (*d.halls)[0];
        h.outline = {{-13400, 0}, {6600, 0}, {6600, 10000}, {-13400, 10000}};
        return h;
      }()});
      mirrored = with(mirrored, &Design::zones, [](auto& all) {
        for (auto& z : all)
          for (auto& p : z.outline)
            p.x_mm = 6600 - p.x_mm;
      });
      QCOMPARE(zone_of_rack(mirrored), zone_of_rack(d));
      QCOMPARE(found(mirrored, "SPC-029"), found(d, "SPC-029"));
    }
    // One zone alone, of which the middle lies on the edge.
    for (const bool one_left : {true, false}) {
      Design d = hall_with({rack_at(100, 3000, 1500)});
      d.zones = share(std::vector{zone_of(70, one_left ? left : right, 800)});
      QCOMPARE(zone_of_rack(d), std::string("Zone 70"));
    }
  }

  void points_and_outlines() {
    const std::vector<PlanPoint> square{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}};
    for (const auto& [x, y] : {std::pair(500.0, 500.0), std::pair(0.0, 500.0), std::pair(1000.0, 500.0),
                               std::pair(500.0, 0.0), std::pair(500.0, 1000.0), std::pair(0.0, 0.0),
                               std::pair(1000.0, 1000.0), std::pair(1000.0005, 500.0)})
      QVERIFY(point_in_outline(x, y, square));
    for (const auto& [x, y] : {std::pair(-1.0, 500.0), std::pair(1000.1, 500.0), std::pair(500.0, -0.1)})
      QVERIFY(!point_in_outline(x, y, square));
    QVERIFY(!point_in_outline(0, 0, {}));
  }

  void a_turned_hall_takes_as_many_racks() {
    QVERIFY(rc::check("turned by quarters and mirrored, rows in both directions", [] {
      auto at = [](int from, int to) { return 100.0 * *rc::gen::inRange(from / 100, to / 100); };
      Design d = hall_with({});
      const double w = at(6000, 22000), h = at(6000, 16000);
      const std::vector<PlanPoint> outline{{0, 0}, {w, 0}, {w, h / 2}, {w * 0.7, h}, {0, h}};
      std::vector<Structure> structures;
      const int columns = *rc::gen::inRange(0, 4);
      for (int i = 0; i < columns; ++i)
        structures.push_back(structure_at(50 + i, StructureKind::column, at(0, 15000), at(0, 9000), 400, 600));
      LayoutRequest q;
      q.rack_type = 1;
      q.hall = 5;
      q.count = 500;
      q.longest_row = *rc::gen::inRange<Count>(3, 12);
      auto capacity = [&](int quarters, bool mirrored, bool along_x) {
        auto turn = [&](double& x, double& y) {
          if (mirrored) x = -x;
          for (int k = 0; k < quarters; ++k) {
            const double was = x;
            x = -y, y = was;
          }
        };
        Design t = with(d, &Design::halls, [&](auto& all) {
          all[0].outline = outline;
          for (auto& p : all[0].outline)
            turn(p.x_mm, p.y_mm);
        });
        std::vector<Structure> moved = structures;
        for (Structure& s : moved) {
          double x = in_millimeters(s.x) + 200, y = in_millimeters(s.y) + 300;
          turn(x, y);
          s.x = millimeters(x - 200), s.y = millimeters(y - 300);
          s.rotation = degrees(90.0 * quarters);
        }
        t.structures = share(std::move(moved));
        LayoutRequest request = q;
        request.direction = along_x != (quarters % 2 == 1) ? RowDirection::along_x : RowDirection::along_y;
        return layout_capacity(t, *small_catalog(), request);
      };
      for (const bool along_x : {true, false}) {
        const Count as_drawn = capacity(0, false, along_x);
        for (int quarters = 0; quarters < 4; ++quarters)
          for (const bool mirrored : {false, true})
            RC_ASSERT(capacity(quarters, mirrored, along_x) == as_drawn);
      }
    }));
  }

  void a_mirrored_layout_stands_in_the_hall() {
    // Rows fit better from the far end here: whatever frame is used, racks stand inside, apart and with their aisles.
    Design d = with(hall_with({}), &Design::halls, [](auto& all) {
      all[0].outline = {{0, 0}, {12000, 0}, {12000, 3000}, {20000, 3000}, {20000, 10000}, {0, 10000}};
    });
    LayoutRequest q;
    q.rack_type = 1;
    q.hall = 5;
    q.busways = true;
    for (const RowDirection direction : {RowDirection::along_x, RowDirection::along_y}) {
      q.direction = direction;
      q.count = layout_capacity(d, *small_catalog(), q);
      QVERIFY(q.count > 0);
      const auto made = auto_layout(d, *small_catalog(), q);
      QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
      QCOMPARE(made->racks, q.count);
      for (const char* code : {"SPC-003", "SPC-004", "SPC-005", "SPC-013", "SPC-017"})
        QCOMPARE(found(made->design, code), Count{0});
      // Each busway hangs above racks of its feed.
      for (const PowerUnit& u : *made->design.power_units) {
        const PlanThing busway = plan_thing(u.x, u.y, *u.width, *u.depth, u.rotation);
        Count below = 0;
        for (const Rack& r : *made->design.racks) {
          const bool fed = r.feed_a == u.id || r.feed_b == u.id;
          const bool under = share_floor(
              busway, plan_thing(r.x, r.y, millimeters(600), millimeters(1200), r.rotation));
          QCOMPARE(under, fed);
          below += under;
        }
        QVERIFY(below > 0);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestHallLaws)
#include "test_hall_laws.moc"
