// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "small_hall.h"
#include "space/hanging.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

Tray tray_of(Id id, std::vector<PlanPoint> path, double level, TrayKind kind = TrayKind::fibre) {
  Tray t;
  t.id = id;
  t.name = "Tray " + std::to_string(id);
  t.kind = kind;
  t.hall = 5;
  t.path = std::move(path);
  t.elevation = millimeters(level); // 300 mm wide, 100 mm high
  return t;
}
Pipe pipe_of(Id id, std::vector<PlanPoint> path, double level, PipeSide side = PipeSide::supply) {
  Pipe p;
  p.id = id;
  p.name = "Pipe " + std::to_string(id);
  p.side = side;
  p.hall = 5;
  p.path = std::move(path);
  p.elevation = millimeters(level); // its middle; 100 mm inner diameter
  return p;
}
PowerUnit busway_of(Id id, double x, double y, double width, double depth, double level) {
  PowerUnit u;
  u.id = id;
  u.name = "Busway " + std::to_string(id);
  u.kind = PowerUnitKind::busway;
  u.hall = 5;
  u.x = millimeters(x), u.y = millimeters(y);
  u.width = millimeters(width), u.depth = millimeters(depth);
  u.elevation = millimeters(level);
  return u;
}
Containment aisle_of(Id id, double x, double y, double width, double depth, double height) {
  Containment c;
  c.id = id;
  c.name = "Aisle " + std::to_string(id);
  c.hall = 5;
  c.x = millimeters(x), c.y = millimeters(y);
  c.width = millimeters(width), c.depth = millimeters(depth);
  c.height = millimeters(height);
  return c;
}
Design hung(std::vector<Tray> trays, std::vector<Pipe> pipes = {}, std::vector<PowerUnit> units = {},
            std::vector<Structure> structures = {}) {
  Design d = hall_with({}, std::move(structures));
  d.trays = share(std::move(trays));
  d.pipes = share(std::move(pipes));
  d.power_units = share(std::move(units));
  return d;
}
const std::vector<PlanPoint> along_x{{1000, 5000}, {19000, 5000}}, along_y{{10000, 1000}, {10000, 9000}};
bool says(const Finding& f, std::string_view words) { return f.message.find(words) != std::string::npos; }

} // namespace

class TestHanging : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void trays_of_one_use_meet_and_others_collide() {
    // Two fibre trays at one level are one tray where they cross; copper lies with fibre.
    QCOMPARE(found(hung({tray_of(1, along_x, 2700), tray_of(2, along_y, 2700)}), "SPC-047"), Count{0});
    QCOMPARE(found(hung({tray_of(1, along_x, 2700), tray_of(2, along_y, 2700, TrayKind::copper)}), "SPC-047"),
             Count{0});
    // Power cables do not. 2,700 to 2,800 and 2,740 to 2,840 share 60 mm; from 2,800 on they share nothing.
    const Design d = hung({tray_of(1, along_x, 2700), tray_of(2, along_y, 2740, TrayKind::power)});
    QVERIFY2(says(the(d, "SPC-047"), "share 60 mm of height"), the(d, "SPC-047").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-047"), std::string());
    QCOMPARE(found(hung({tray_of(1, along_x, 2700), tray_of(2, along_y, 2800, TrayKind::power)}), "SPC-047"),
             Count{0});
    // Beside each other: no crossing. 5,150 is where the first one ends.
    QCOMPARE(found(hung({tray_of(1, along_x, 2700), tray_of(2, {{1000, 5300}, {9000, 5300}}, 2700, TrayKind::power)}),
                   "SPC-047"),
             Count{0});
  }

  void pipes_of_two_sides_collide() {
    // Middles 60 mm apart with radii of 50 mm: 40 mm are shared.
    const Design d = hung({}, {pipe_of(1, along_x, 3000), pipe_of(2, along_y, 3060, PipeSide::return_)});
    QVERIFY2(says(the(d, "SPC-047"), "share 40 mm"), the(d, "SPC-047").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-047"), std::string());
    QCOMPARE(found(hung({}, {pipe_of(1, along_x, 3000), pipe_of(2, along_y, 3100, PipeSide::return_)}), "SPC-047"),
             Count{0});
    QCOMPARE(found(hung({}, {pipe_of(1, along_x, 3000), pipe_of(2, along_y, 3060)}), "SPC-047"), Count{0});
  }

  void a_busway_and_a_tray() {
    // No part states a height: 200 mm, from 2,750 to 2,950; the tray ends at 2,800.
    const Design d = hung({tray_of(1, along_y, 2700)}, {}, {busway_of(2, 2000, 4900, 16000, 200, 2750)});
    QVERIFY2(says(the(d, "SPC-047"), "share 50 mm"), the(d, "SPC-047").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-047"), std::string());
    QCOMPARE(found(hung({tray_of(1, along_y, 2700)}, {}, {busway_of(2, 2000, 4900, 16000, 200, 2800)}), "SPC-047"),
             Count{0});
    QCOMPARE(found(hung({tray_of(1, along_y, 2950)}, {}, {busway_of(2, 2000, 4900, 16000, 200, 2750)}), "SPC-047"),
             Count{0});
  }

  void containments_let_pass_what_stays_inside() {
    Design d = hung({tray_of(1, along_y, 2450)});
    d.containments = share(std::vector{aisle_of(7, 4000, 4000, 12000, 1200, 2600)});
    QVERIFY2(says(the(d, "SPC-047"), "runs through the walls of Aisle 7 in Hall A, 100 mm below its upper edge"),
             the(d, "SPC-047").message.c_str());
    QCOMPARE(remedies_clear(d, "SPC-047"), std::string());
    d.trays = share(std::vector{tray_of(1, along_y, 2600)}); // on its roof
    QCOMPARE(found(d, "SPC-047"), Count{0});
    d.trays = share(std::vector{tray_of(1, {{5000, 4600}, {15000, 4600}}, 2450)}); // in it all along
    QCOMPARE(found(d, "SPC-047"), Count{0});
  }

  void columns_walls_and_the_edge() {
    const auto column = structure_at(50, StructureKind::column, 9800, 4800, 400, 400);
    const auto wall = structure_at(51, StructureKind::wall, 9900, 0, 200, 10000);
    const Finding hit = the(hung({tray_of(1, along_x, 2700)}, {}, {}, {column}), "SPC-048");
    QCOMPARE(hit.severity, Severity::error);
    QVERIFY2(says(hit, "Tray 1 runs through S50"), hit.message.c_str());
    const Finding opening = the(hung({}, {pipe_of(1, along_x, 3000)}, {}, {wall}), "SPC-048");
    QCOMPARE(opening.severity, Severity::note);
    QVERIFY2(says(opening, "Pipe 1 goes through S51"), opening.message.c_str());
    // Beside the column: its side is at 5,200, the tray's at 5,250.
    QCOMPARE(found(hung({tray_of(1, {{1000, 5400}, {19000, 5400}}, 2700)}, {}, {}, {column}), "SPC-048"), Count{0});
    // A wall of 2.5 m height is passed above.
    auto low = wall;
    low.height = millimeters(2500);
    QCOMPARE(found(hung({tray_of(1, along_x, 2700)}, {}, {}, {low}), "SPC-048"), Count{0});
    low.height = millimeters(2750);
    const Design through = hung({tray_of(1, along_x, 2700)}, {}, {}, {low});
    QCOMPARE(remedies_clear(through, "SPC-048"), std::string());
    // Beyond the hall: with half of its width at y = 100 mm, and with its end.
    QCOMPARE(found(hung({tray_of(1, {{1000, 150}, {19000, 150}}, 2700)}), "SPC-049"), Count{0});
    QVERIFY(says(the(hung({tray_of(1, {{1000, 100}, {19000, 100}}, 2700)}), "SPC-049"), "beyond the outline of Hall A"));
    QCOMPARE(found(hung({}, {pipe_of(1, {{1000, 5000}, {20500, 5000}}, 3000)}), "SPC-049"), Count{1});
    QCOMPARE(found(hung({}, {pipe_of(1, {{1000, 5000}, {20000, 5000}}, 3000)}), "SPC-049"), Count{0});
    // Facility water leaves the hall for the coolers outside.
    Pipe out = pipe_of(1, {{1000, 5000}, {26000, 5000}}, 3000);
    out.loop = 77;
    Design water = hung({}, {out});
    CoolantLoop facility;
    facility.id = 77;
    water.loops = share(std::vector<CoolantLoop>{facility});
    QCOMPARE(found(water, "SPC-049"), Count{1});
    CoolingUnit cooler;
    cooler.id = 78;
    cooler.loop = 77;
    cooler.kind = CoolingUnitKind::dry_cooler;
    water.cooling_units = share(std::vector<CoolingUnit>{cooler});
    QCOMPARE(found(water, "SPC-049"), Count{0});
  }

  void a_crate_does_not_pass_below_what_hangs_low() {
    // Rack 2,000 mm, packing 200, play 100: 2,300 mm are needed. The tray crosses the hall between door and rack.
    const auto door = structure_at(60, StructureKind::door, 16000, 9900, 1600, 100);
    const std::vector<PlanPoint> across{{150, 6000}, {19850, 6000}};
    auto with_tray = [&](double level) {
      Design d = hall_with({rack_at(100, 3000, 1500)}, {door});
      d.trays = share(std::vector{tray_of(1, across, level)});
      return d;
    };
    QCOMPARE(found(with_tray(2300), "SPC-027"), Count{0});
    const Design low = with_tray(2250);
    const Finding f = the(low, "SPC-027");
    QVERIFY2(says(f, "Tray 1 hangs at 2250 mm and the crate needs 2300 mm"), f.message.c_str());
    QVERIFY2(says(f, "no dock is drawn"), f.message.c_str());
    // A busway, a pipe and the roof of a containment do the same; a way round them is enough.
    Design busway = hall_with({rack_at(100, 3000, 1500)}, {door});
    busway.power_units = share(std::vector{busway_of(2, 0, 5900, 20000, 200, 2200)});
    QVERIFY2(says(the(busway, "SPC-027"), "Busway 2 hangs at 2200 mm"), the(busway, "SPC-027").message.c_str());
    busway.power_units = share(std::vector{busway_of(2, 0, 5900, 18000, 200, 2200)});
    QCOMPARE(found(busway, "SPC-027"), Count{0});
    Design aisle = hall_with({rack_at(100, 3000, 1500)}, {door});
    aisle.containments = share(std::vector{aisle_of(7, 0, 5000, 20000, 1200, 2299)});
    QCOMPARE(found(aisle, "SPC-027"), Count{1});
    aisle.containments = share(std::vector{aisle_of(7, 0, 5000, 20000, 1200, 2300)});
    QCOMPARE(found(aisle, "SPC-027"), Count{0});
  }

  void a_low_ceiling_is_in_the_way_of_a_crate() {
    const auto door = structure_at(60, StructureKind::door, 16000, 9900, 1600, 100);
    Design d = hall_with({rack_at(100, 3000, 1500)}, {door});
    Zone z;
    z.id = 70;
    z.name = "Soffit";
    z.hall = 5;
    z.outline = {{0, 5000}, {20000, 5000}, {20000, 6000}, {0, 6000}};
    z.ceiling_height = millimeters(2250);
    d.zones = share(std::vector{z});
    QVERIFY2(says(the(d, "SPC-027"), "the ceiling of Soffit is at 2250 mm and the crate needs 2300 mm"),
             the(d, "SPC-027").message.c_str());
    // A gap of 1,000 mm beside it lets the crate of 900 mm (600 + 200 + 100) through, one of 850 mm does not.
    z.outline[1].x_mm = z.outline[2].x_mm = 19000;
    d.zones = share(std::vector{z});
    QCOMPARE(found(d, "SPC-027"), Count{0});
    z.outline[1].x_mm = z.outline[2].x_mm = 19150;
    d.zones = share(std::vector{z});
    const Finding f = the(d, "SPC-027");
    QVERIFY2(says(f, "is 850 mm wide"), f.message.c_str());
    QVERIFY2(says(f, "Soffit with its ceiling at 2250 mm"), f.message.c_str());
    z.ceiling_height = millimeters(2300);
    d.zones = share(std::vector{z});
    QCOMPARE(found(d, "SPC-027"), Count{0});
    // The ceiling of the whole hall.
    Design hall = with(hall_with({rack_at(100, 3000, 1500)}, {door}), &Design::halls,
                       [](auto& all) { all[0].ceiling_height = millimeters(2290); });
    QVERIFY2(says(the(hall, "SPC-027"), "its ceiling is at 2290 mm and the crate needs 2300 mm"),
             the(hall, "SPC-027").message.c_str());
  }

  void ratings_of_ramps_and_docks_are_told() {
    auto ramp = structure_at(62, StructureKind::ramp, 0, 5000, 20000, 1000);
    ramp.load_rating = kilograms(1000);
    auto dock = structure_at(61, StructureKind::dock, 16000, 9500, 2000, 500);
    // Heavy racks of 1,360 kg; the ramp lies all across.
    const Finding f = the(hall_with({rack_at(100, 3000, 1500, 0, 2)}, {dock, ramp}), "SPC-027");
    QVERIFY2(says(f, "S62 carries 1000 kg and the rack weighs 1360 kg"), f.message.c_str());
    QVERIFY2(!says(f, "no dock is drawn"), f.message.c_str());
    QCOMPARE(found(hall_with({rack_at(100, 3000, 1500, 0, 1)}, {dock, ramp}), "SPC-027"), Count{0}); // 656 kg
    dock.load_rating = kilograms(900);
    const Finding weak = the(hall_with({rack_at(100, 3000, 1500, 0, 2)}, {dock}), "SPC-027");
    QVERIFY2(says(weak, "S61 carries 900 kg and the rack weighs 1360 kg"), weak.message.c_str());
  }

  void busways_and_trays_go_with_the_racks_below() {
    // Two rows front to front over 1,100 mm; below 1,200 the aisle is too narrow. The busway hangs over the second row.
    std::vector<Rack> racks;
    for (int i = 0; i < 3; ++i) {
      racks.push_back(rack_at(100 + i, 5000 + 600 * i, 2000, 180, 1, 10));
      racks.push_back(rack_at(200 + i, 5000 + 600 * i, 4300, 0, 1, 20));
    }
    Design d = hall_with(racks);
    d.power_units = share(std::vector{busway_of(2, 5000, 4600, 1800, 200, 2700)});
    d.trays = share(std::vector{tray_of(1, {{5000, 5200}, {12000, 5200}}, 3000),
                                tray_of(3, {{12000, 5200}, {12000, 9000}}, 3000)}); // joined to one that stays
    const Finding f = the(d, "SPC-005");
    bool seen = false;
    for (const Remedy& r : f.remedies) {
      const Edited after = r.edit.apply(d);
      QVERIFY2(after.has_value(), after ? "" : after.error().c_str());
      const double row = in_millimeters(find(*after->racks, 200)->y) - 4300,
                   busway = in_millimeters(find(*after->power_units, 2)->y) - 4600;
      QCOMPARE(busway, row); // with its racks, or both stay
      QCOMPARE((*after->trays)[0].path[0].y_mm, 5200.0);
      if (row == 0) continue;
      seen = true;
      QCOMPARE(row, 100.0);
      QVERIFY2(r.edit.label.find("Busway 2 with it") != std::string::npos, r.edit.label.c_str());
      QVERIFY2(r.edit.label.find("Tray 1 stays") != std::string::npos, r.edit.label.c_str());
    }
    QVERIFY(seen);
    // Without the second tray the first one goes along.
    d.trays = share(std::vector{tray_of(1, {{5000, 5200}, {12000, 5200}}, 3000)});
    seen = false;
    for (const Remedy& r : the(d, "SPC-005").remedies)
      if (const Edited after = r.edit.apply(d); after && find(*after->racks, 200)->y != find(*d.racks, 200)->y) {
        seen = true;
        QCOMPARE((*after->trays)[0].path[0].y_mm, 5300.0);
      }
    QVERIFY(seen);
    // What is locked stays, and is named.
    d = with(d, &Design::power_units, [](auto& all) { all[0].locked = true; });
    for (const Remedy& r : the(d, "SPC-005").remedies)
      if (r.edit.label.find("Move R200") == 0)
        QVERIFY2(r.edit.label.find("Busway 2 stays") != std::string::npos, r.edit.label.c_str());
  }
};

QTEST_APPLESS_MAIN(TestHanging)
#include "test_hanging.moc"
