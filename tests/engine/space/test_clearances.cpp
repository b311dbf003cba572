// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "small_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

PowerUnit unit_at(Id id, PowerUnitKind kind, double x, double y, double width, double depth,
                  double degrees_clockwise = 0) {
  PowerUnit u;
  u.id = id;
  u.name = "U" + std::to_string(id);
  u.kind = kind;
  u.hall = 5;
  u.x = millimeters(x);
  u.y = millimeters(y);
  u.width = millimeters(width);
  u.depth = millimeters(depth);
  u.rotation = degrees(degrees_clockwise);
  return u;
}
Design with_units(std::vector<PowerUnit> units, std::vector<Rack> racks = {}, std::vector<Structure> structures = {}) {
  Design d = hall_with(std::move(racks), std::move(structures));
  d.power_units = share(std::move(units));
  return d;
}
Containment containment_at(ContainmentKind kind, double x, double y, double width, double depth, double height = 2600) {
  Containment c;
  c.id = 90;
  c.name = "Containment";
  c.kind = kind;
  c.hall = 5;
  c.x = millimeters(x);
  c.y = millimeters(y);
  c.width = millimeters(width);
  c.depth = millimeters(depth);
  c.height = millimeters(height);
  return c;
}
/// Two rows of three racks; their fronts face each other over 1,200 mm, from y = 3200 to 4400.
std::vector<Rack> front_to_front() {
  std::vector<Rack> racks;
  for (int i = 0; i < 3; ++i) {
    racks.push_back(rack_at(100 + i, 5000 + 600 * i, 2000, 180, 1, 10));
    racks.push_back(rack_at(200 + i, 5000 + 600 * i, 4400, 0, 1, 20));
  }
  return racks;
}

} // namespace

class TestClearances : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void working_space_ahead_of_electrical_gear() {
    QCOMPARE(found(with_units({unit_at(50, PowerUnitKind::ups, 2000, 1067, 1200, 900)}), "SPC-012"), Count{0});
    const Design d = with_units({unit_at(50, PowerUnitKind::ups, 2000, 800, 1200, 900)});
    QVERIFY2(the(d, "SPC-012").message.find("800 mm deep, to the wall; at least 1067 mm") != std::string::npos,
             the(d, "SPC-012").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-012", 2), std::string()); // back, or round
    QCOMPARE(found(with_units({unit_at(50, PowerUnitKind::generator, 2000, 800, 1200, 900)}), "SPC-012"), Count{0});
    // Condition 3: gear on both sides of 1,100 mm asks for 1,219 mm on both.
    const auto facing = [](double gap) {
      return with_units({unit_at(50, PowerUnitKind::ups, 2000, 3000, 1200, 900, 180),
                         unit_at(51, PowerUnitKind::ups, 2000, 3900 + gap, 1200, 900)});
    };
    QCOMPARE(found(facing(1100), "SPC-012"), Count{2});
    QCOMPARE(found(facing(1219), "SPC-012"), Count{0});
    // A unit of 400 mm has 762 mm of width to keep free, its own in it: to the left of a column beside it there is room.
    const auto beside = [](double x) {
      return with_units({unit_at(50, PowerUnitKind::distribution, 2000, 3000, 400, 900)}, {},
                        {structure_at(60, StructureKind::column, x, 2300, 300, 300)});
    };
    QCOMPARE(found(beside(2500), "SPC-012"), Count{0});
    QCOMPARE(found(beside(2400), "SPC-012"), Count{0}); // from 1,638 to 2,400
    QCOMPARE(found(beside(2382), "SPC-012"), Count{1}); // ahead of the unit itself
  }

  void service_depth_of_racks() {
    const auto behind = [](double room) {
      return hall_with({rack_at(100, 5000, 10000 - 1200 - room)});
    }; // rear to the wall at y = 10 m
    QCOMPARE(found(behind(762), "SPC-013"), Count{0});
    QVERIFY2(the(behind(500), "SPC-013").message.find("762 mm") != std::string::npos &&
                 the(behind(500), "SPC-013").message.find("R100 has 500 mm") != std::string::npos,
             the(behind(500), "SPC-013").message.c_str());
    QCOMPARE(remedies_clear(behind(500), "SPC-013"), std::string());
    // The rack type says otherwise.
    Design d = with(behind(1000), &Design::rack_types, [](auto& t) { t[0].rear_service = millimeters(1100); });
    QCOMPARE(found(d, "SPC-013"), Count{1});
    const auto s = space_of(behind(500));
    QVERIFY(std::abs((*s.tables)[0].column("rear_clear")->numbers[0] - 0.5) < 1e-9);
    QVERIFY(std::abs((*s.tables)[0].column("front_clear")->numbers[0] - 3.0) < 1e-9); // open floor counts up to 3 m
  }

  void service_depth_of_cdus() {
    const auto at = [](double y) {
      Design d = hall_with({});
      CoolingUnit cdu;
      cdu.id = 80;
      cdu.name = "CDU 1";
      cdu.part = "cdu";
      cdu.hall = 5;
      cdu.x = millimeters(9000);
      cdu.y = millimeters(y);
      d.cooling_units = share(std::vector{cdu});
      return d;
    };
    QCOMPARE(found(at(914), "SPC-014"), Count{0});
    QCOMPARE(found(at(900), "SPC-014"), Count{1});
    QCOMPARE(remedies_clear(at(600), "SPC-014"), std::string());
    QCOMPARE(found(at(10000 - 1200 - 600), "SPC-014"), Count{1}); // behind it
  }

  void a_door_swings_freely() {
    // A door of 1 m in the wall below, swinging into the hall; left: the hinge is at its right end, (10000, 9900).
    Structure door = structure_at(60, StructureKind::door, 9000, 9900, 1000, 100);
    const auto obstacle = structure_at(61, StructureKind::obstacle, 9050, 8950, 100, 100);
    door.swing = DoorSwing::left; // nearest corner (9150, 9050): 1,202 mm from the hinge
    QCOMPARE(found(hall_with({}, {door, obstacle}), "SPC-015"), Count{0});
    door.swing = DoorSwing::right; // from (9000, 9900) to (9050, 9050): 851 mm
    const Design d = hall_with({}, {door, obstacle});
    QVERIFY2(the(d, "SPC-015").message.find("turns through 1000 mm; S61 is in its way at 851 mm") != std::string::npos,
             the(d, "SPC-015").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-015"), std::string());
    door.swing = DoorSwing::sliding;
    QCOMPARE(found(hall_with({}, {door, obstacle}), "SPC-015"), Count{0});
    door.swing = DoorSwing::both; // leaves of 500 mm
    QCOMPARE(found(hall_with({}, {door, obstacle}), "SPC-015"), Count{0});
    // A rack can be moved out of the way.
    door.swing = DoorSwing::left;
    QCOMPARE(remedies_clear(hall_with({rack_at(100, 9200, 8300)}, {door}), "SPC-015", 2), std::string());
  }

  void floor_at_a_door_is_free() {
    const Structure door = structure_at(60, StructureKind::door, 9000, 9900, 1000, 100);
    QCOMPARE(found(hall_with({rack_at(100, 9200, 7500)}, {door}), "SPC-016"), Count{0}); // 9900 - 8700 = 1200
    const Design d = hall_with({rack_at(100, 9200, 7600)}, {door});
    QVERIFY2(the(d, "SPC-016").message.find("R100 stands 1100 mm from S60") != std::string::npos,
             the(d, "SPC-016").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-016"), std::string());
  }

  void nothing_stands_where_it_must_not() {
    const auto area = structure_at(60, StructureKind::no_go, 5400, 1000, 2000, 2000);
    QCOMPARE(found(hall_with({rack_at(100, 4800, 1000)}, {area}), "SPC-011"), Count{0}); // touches
    const Design d = hall_with({rack_at(100, 5000, 1000)}, {area});
    QVERIFY2(the(d, "SPC-011").message.find("200 mm into S60") != std::string::npos, the(d, "SPC-011").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-011"), std::string());
    QCOMPARE(found(d, "SPC-004"), Count{0});
  }

  void moves_out_of_each_others_place() {
    const Design d = hall_with({rack_at(100, 5000, 3000), rack_at(101, 5300, 3000)});
    QCOMPARE(found(d, "SPC-004"), Count{1});
    QCOMPARE(remedies_clear(d, "SPC-004"), std::string());
    QCOMPARE(remedies_clear(hall_with({rack_at(100, -200, 3000)}), "SPC-003"), std::string());
    // A busway of 300 mm at 2.6 m hangs above a rack of 2 m; at 1.9 m it does not.
    PowerUnit busway = unit_at(50, PowerUnitKind::busway, 4000, 3500, 6000, 300);
    busway.elevation = meters(2.6);
    QCOMPARE(found(with_units({busway}, {rack_at(100, 5000, 3000)}), "SPC-004"), Count{0});
    busway.elevation = meters(1.9);
    QCOMPARE(found(with_units({busway}, {rack_at(100, 5000, 3000)}), "SPC-004"), Count{1});
  }

  void aisles_are_widened() {
    auto racks = front_to_front();
    for (Rack& r : racks)
      if (r.row == 20) r.y = millimeters(4300);
    const Design d = hall_with(racks);
    QVERIFY2(the(d, "SPC-005").message.find("1100 mm") != std::string::npos, the(d, "SPC-005").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-005", 2), std::string());
  }

  void rears_do_not_blow_at_fronts() {
    const auto same_way = [](double gap) {
      std::vector<Rack> racks;
      for (int i = 0; i < 3; ++i) {
        racks.push_back(rack_at(100 + i, 5000 + 600 * i, 2000, 0, 1, 10));
        racks.push_back(rack_at(200 + i, 5000 + 600 * i, 3200 + gap, 0, 1, 20));
      }
      return hall_with(racks);
    };
    QCOMPARE(found(same_way(2400), "SPC-017"), Count{0});
    QCOMPARE(found(hall_with(front_to_front()), "SPC-017"), Count{0});
    const Design d = same_way(1500);
    QCOMPARE(found(d, "SPC-017"), Count{1});
    QVERIFY2(the(d, "SPC-017").message.find("over 1500 mm") != std::string::npos, the(d, "SPC-017").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-017", 2), std::string());
  }

  void turning_a_row_round_does_not_come_back_mirrored() {
    // One row drawn in two lines, as it is after a copy: only the line that blows, or the one that draws, is turned.
    const auto lines = [](int count, Id rows) {
      std::vector<Rack> racks;
      for (int line = 0; line < count; ++line)
        for (int i = 0; i < 3; ++i)
          racks.push_back(rack_at(100 + 10 * line + i, 5000 + 600 * i, 500 + 2400 * line, 0, 1, 10 + line % rows));
      return hall_with(racks);
    };
    const auto turns = [](const Finding& f) {
      std::vector<Remedy> out;
      for (const Remedy& r : f.remedies)
        if (r.edit.label.find("round") != std::string::npos) out.push_back(r);
      return out;
    };
    const Design two = lines(2, 1);
    QCOMPARE(found(two, "SPC-017"), Count{1});
    const auto offered = turns(the(two, "SPC-017"));
    QCOMPARE(offered.size(), std::size_t{2});
    QCOMPARE(offered[0].edit.label, std::string("Turn the 3 racks of the row of R100 round, front to front"));
    QCOMPARE(offered[1].edit.label, std::string("Turn the 3 racks of the row of R110 round, rear to rear"));
    for (const Remedy& r : offered) {
      const Edited after = r.edit.apply(two);
      QVERIFY(after.has_value());
      QCOMPARE(found(*after, "SPC-017"), Count{0});
    }
    // Rows behind each other: a turn never brings a rear before a front that was not there, so that applying one after
    // the other comes to an end.
    for (const Id rows : {Id{1}, Id{4}}) {
      Design d = lines(4, rows);
      int steps = 0;
      while (found(d, "SPC-017") > 0) {
        QVERIFY2(++steps <= 3, "the remedies go round in a circle");
        bool helped = false;
        for (const Finding& f : findings_of(d)) {
          if (f.code != "SPC-017" || turns(f).empty()) continue;
          const Edited after = turns(f)[0].edit.apply(d);
          QVERIFY(after.has_value());
          d = *after;
          helped = true;
          break;
        }
        QVERIFY2(helped, "no turn is offered");
      }
    }
  }

  void containment_is_of_the_right_kind() {
    const auto with_containment = [](ContainmentKind kind, std::vector<Rack> racks) {
      Design d = hall_with(std::move(racks));
      d.containments = share(std::vector{containment_at(kind, 5000, 3200, 1800, 1200)});
      return d;
    };
    QCOMPARE(found(with_containment(ContainmentKind::cold_aisle, front_to_front()), "SPC-018"), Count{0});
    const Design wrong = with_containment(ContainmentKind::hot_aisle, front_to_front());
    QVERIFY2(the(wrong, "SPC-018").message.find("6 of 6 racks") != std::string::npos,
             the(wrong, "SPC-018").message.c_str());
    QCOMPARE(remedies_clear(wrong, "SPC-018"), std::string());
    auto racks = front_to_front();
    racks[2].rotation = degrees(0); // one of the six turned: its rear in the cold aisle
    const Design mixed = with_containment(ContainmentKind::cold_aisle, racks);
    QVERIFY2(the(mixed, "SPC-018").message.find("1 of 6 racks") != std::string::npos,
             the(mixed, "SPC-018").message.c_str());
    QCOMPARE(remedies_clear(mixed, "SPC-018"), std::string());
  }

  void containment_that_crosses_racks_is_found() {
    const auto at = [](double y, double depth, ContainmentKind kind = ContainmentKind::cold_aisle) {
      Design d = hall_with(front_to_front());
      d.containments = share(std::vector{containment_at(kind, 5000, y, 1800, depth)});
      return d;
    };
    QCOMPARE(found(at(3200, 1200), "SPC-045"), Count{0}); // from face to face
    QCOMPARE(found(at(3195, 1210), "SPC-045"), Count{0}); // 5 mm on either side are drawing
    QCOMPARE(found(at(3194, 1200), "SPC-045"), Count{1});
    QCOMPARE(found(at(2700, 1200, ContainmentKind::chimney), "SPC-045"), Count{0}); // stands on racks
    // From 2700 to 3900: 500 mm over the three racks that end at 3200; 700 mm are left of it.
    const Finding f = the(at(2700, 1200), "SPC-045");
    QVERIFY2(f.message.find("across 3 racks in Hall A, 500 mm into R10") != std::string::npos, f.message.c_str());
    QCOMPARE(f.entities.size(), std::size_t{4});
    QCOMPARE(remedies_clear(at(2700, 1200), "SPC-045"), std::string());
    const Edited cut = f.remedies[0].edit.apply(at(2700, 1200));
    QVERIFY(cut.has_value());
    QVERIFY(std::abs(in_millimeters((*cut->containments)[0].y) - 3200) < 1e-6);
    QVERIFY(std::abs(in_millimeters((*cut->containments)[0].depth) - 700) < 1e-6);
    // 500 mm are too narrow to walk in: no remedy.
    QVERIFY(the(at(2500, 1200), "SPC-045").remedies.empty());
  }

  void containment_goes_with_its_racks() {
    // The upper row's rears have 500 mm to the wall; 762 mm are asked for, so 262 mm are to be found. All that stands
    // beside and behind goes down: both rows when the aisle goes along, with the containment between them.
    const auto upper = [](double gap) {
      std::vector<Rack> racks;
      for (int i = 0; i < 3; ++i) {
        racks.push_back(rack_at(100 + i, 5000 + 600 * i, 500, 180, 1, 10));
        racks.push_back(rack_at(200 + i, 5000 + 600 * i, 1700 + gap, 0, 1, 20));
      }
      Design d = hall_with(racks);
      d.containments = share(std::vector{containment_at(ContainmentKind::cold_aisle, 5000, 1700, 1800, gap)});
      return d;
    };
    const Design tight = upper(1200);
    const Finding f = the(tight, "SPC-013");
    QVERIFY(!f.remedies.empty());
    bool followed = false;
    for (const Remedy& r : f.remedies) {
      const Edited after = r.edit.apply(tight);
      QVERIFY2(after.has_value(), r.edit.label.c_str());
      QCOMPARE(found(*after, "SPC-045"), Count{0});
      QCOMPARE(found(*after, "SPC-013"), Count{0});
      const Containment& c = (*after->containments)[0];
      const Rack *one = find(*after->racks, 100), *other = find(*after->racks, 200);
      // From face to face, as before.
      QVERIFY(std::abs(in_millimeters(c.y) - (in_millimeters(one->y) + 1200)) < 1e-6);
      QVERIFY(std::abs(in_millimeters(c.y + c.depth) - in_millimeters(other->y)) < 1e-6);
      followed = followed || std::abs(in_millimeters(c.y) - 1700) > 1;
    }
    QVERIFY(followed);
    // Locked, it stays; what would move racks into it is not offered.
    const Design fixed = with(tight, &Design::containments, [](auto& all) { all[0].locked = true; });
    for (const Remedy& r : the(fixed, "SPC-013").remedies) {
      const Edited after = r.edit.apply(fixed);
      QVERIFY(after.has_value());
      QCOMPARE(found(*after, "SPC-045"), Count{0});
    }
  }

  void containment_is_drawn_to_the_racks_that_leave() {
    // Fronts face each other over 1,000 mm; 1,200 mm are asked for. One row goes back by 200 mm, the other stays.
    std::vector<Rack> racks;
    for (int i = 0; i < 3; ++i) {
      racks.push_back(rack_at(100 + i, 5000 + 600 * i, 2000, 180, 1, 10));
      racks.push_back(rack_at(200 + i, 5000 + 600 * i, 4200, 0, 1, 20));
    }
    Design d = with(hall_with(racks), &Design::halls, [](auto& h) { h[0].cold_aisle_minimum = millimeters(1200); });
    for (const double turn : {0.0, 90.0, 180.0}) {
      // The box from 5000, 3200 to 6800, 4200, drawn upright or turned about its middle.
      Containment c = containment_at(ContainmentKind::cold_aisle, 5000, 3200, 1800, 1000);
      if (turn == 90.0) {
        c = containment_at(ContainmentKind::cold_aisle, 5400, 2800, 1000, 1800);
      }
      c.rotation = degrees(turn);
      d.containments = share(std::vector{c});
      QCOMPARE(found(d, "SPC-045"), Count{0});
      const Finding f = the(d, "SPC-005");
      QVERIFY(!f.remedies.empty());
      for (const Remedy& r : f.remedies) {
        QVERIFY2(r.edit.label.find("containment with it") != std::string::npos, r.edit.label.c_str());
        const Edited after = r.edit.apply(d);
        QVERIFY2(after.has_value(), r.edit.label.c_str());
        QCOMPARE(found(*after, "SPC-005"), Count{0});
        QCOMPARE(found(*after, "SPC-045"), Count{0});
        const Containment& fitted = (*after->containments)[0];
        QVERIFY(std::abs(in_millimeters(turn == 90.0 ? fitted.width : fitted.depth) - 1200) < 1e-6);
        QVERIFY(std::abs(in_millimeters(turn == 90.0 ? fitted.depth : fitted.width) - 1800) < 1e-6);
      }
    }
  }

  void containment_fits_between_racks_and_ceiling() {
    const auto high = [](double height, double ceiling) {
      Design d = with(hall_with(front_to_front()), &Design::halls,
                      [&](auto& h) { h[0].ceiling_height = millimeters(ceiling); });
      d.containments = share(std::vector{containment_at(ContainmentKind::cold_aisle, 5000, 3200, 1800, 1200, height)});
      return d;
    };
    QCOMPARE(found(high(2600, 4500), "SPC-019"), Count{0});
    QCOMPARE(found(high(2600, 2600), "SPC-019"), Count{0});
    QCOMPARE(remedies_clear(high(2700, 2600), "SPC-019"), std::string());
    QCOMPARE(remedies_clear(high(1800, 4500), "SPC-019"), std::string()); // racks are 2 m high
    QCOMPARE(found(high(2000, 4500), "SPC-019"), Count{0});
  }

  void halls_are_high_enough() {
    const auto high = [](double ceiling) {
      return with(hall_with({rack_at(100, 5000, 3000)}), &Design::halls,
                  [&](auto& h) { h[0].ceiling_height = millimeters(ceiling); });
    };
    QCOMPARE(found(high(3650), "SPC-020"), Count{0});
    QVERIFY2(the(high(3600), "SPC-020").message.find("3.60 m high; at least 3.65 m") != std::string::npos,
             the(high(3600), "SPC-020").message.c_str());
  }

  void trays_hang_high_enough() {
    const auto tray = [](double level, std::vector<PlanPoint> path) {
      Design d = hall_with({rack_at(100, 5000, 3000), rack_at(101, 5600, 3000)});
      Tray t;
      t.id = 70;
      t.name = "Tray";
      t.hall = 5;
      t.path = std::move(path);
      t.elevation = millimeters(level);
      d.trays = share(std::vector{t});
      return d;
    };
    const std::vector<PlanPoint> through{{1000, 3600}, {9000, 3600}}, over{{5100, 3600}, {6100, 3600}};
    QCOMPARE(found(tray(2400, through), "SPC-021"), Count{0});
    QVERIFY2(the(tray(2200, through), "SPC-021").message.find("2200 mm above the walkway") != std::string::npos,
             the(tray(2200, through), "SPC-021").message.c_str());
    QCOMPARE(remedies_clear(tray(2200, through), "SPC-021"), std::string());
    QCOMPARE(found(tray(2100, over), "SPC-021"), Count{0}); // over racks of 2 m only
    QCOMPARE(found(tray(1900, over), "SPC-021"), Count{1});
    QCOMPARE(remedies_clear(tray(1900, over), "SPC-021"), std::string());
    QCOMPARE(found(tray(-300, through), "SPC-021"), Count{0}); // under the floor
  }

  void water_stays_below_live_bars() {
    const auto pipe = [](double level) {
      PowerUnit busway = unit_at(50, PowerUnitKind::busway, 4000, 3500, 6000, 300);
      busway.elevation = meters(2.8);
      Design d = with_units({busway});
      Pipe p;
      p.id = 71;
      p.name = "Pipe";
      p.hall = 5;
      p.path = {{6000, 1000}, {6000, 8000}};
      p.elevation = millimeters(level);
      p.diameter = millimeters(100);
      d.pipes = share(std::vector{p});
      return d;
    };
    QCOMPARE(found(pipe(2500), "SPC-022"), Count{0});
    QVERIFY2(the(pipe(3400), "SPC-022").message.find("600 mm above") != std::string::npos,
             the(pipe(3400), "SPC-022").message.c_str());
    QCOMPARE(remedies_clear(pipe(2900), "SPC-022"), std::string());
  }

  void columns_leave_a_passage() {
    const auto column = [](double y) {
      return hall_with(front_to_front(), {structure_at(60, StructureKind::column, 5300, y, 400, 200)});
    };
    const Design d = column(3700); // 500 mm on either side, in an aisle of 1,200 mm
    QVERIFY2(the(d, "SPC-026").message.find("passage beside it is 500 mm") != std::string::npos,
             the(d, "SPC-026").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-026"), std::string());
    QCOMPARE(found(column(3210), "SPC-026"), Count{0}); // 990 mm are left beside it
  }

  void racks_stand_on_one_floor() {
    const auto edge = [](double x) {
      Design d = hall_with({rack_at(100, 5000, 3000)});
      Zone z;
      z.id = 60;
      z.name = "Zone";
      z.hall = 5;
      z.outline = {{x, 1000}, {x + 6000, 1000}, {x + 6000, 8000}, {x, 8000}};
      d.zones = share(std::vector{z});
      return d;
    };
    QCOMPARE(found(edge(4500), "SPC-029"), Count{0});
    QCOMPARE(found(edge(5600), "SPC-029"), Count{0});
    QCOMPARE(found(edge(5200), "SPC-029"), Count{1});
    QCOMPARE(remedies_clear(edge(5200), "SPC-029"), std::string());
  }
};

QTEST_APPLESS_MAIN(TestClearances)
#include "test_clearances.moc"
