// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

#include <rapidcheck.h>

#include "assumption_of.h"
#include "space/auto_layout.h"
#include "space/plan_geometry.h"
#include "space/space.h"

using namespace hallwright;
using test::assumption_of;

namespace {

Shared<Catalog> catalog() {
  static const Shared<Catalog> out = [] {
    Catalog c;
    RackPart cabinet, wide;
    cabinet.id = "cabinet";
    cabinet.name = "Cabinet";
    cabinet.width = millimeters(600);
    cabinet.depth = millimeters(1200);
    cabinet.height = millimeters(2300);
    wide = cabinet;
    wide.id = "wide";
    wide.width = millimeters(800);
    wide.depth = millimeters(1000);
    c.racks = {cabinet, wide};
    CoolingPart cdu;
    cdu.id = "cdu";
    cdu.name = "CDU";
    cdu.kind = "cdu in-row";
    cdu.capacity = kilowatts(600);
    cdu.width = millimeters(900);
    cdu.depth = millimeters(1200);
    c.cooling = {cdu};
    c.assumptions = {assumption_of("cabling.tray_height", 2.7, "m"),
                     assumption_of("clearance.cdu_service", 0.914, "m"),
                     assumption_of("clearance.cold_aisle_minimum", 1.2, "m"),
                     assumption_of("clearance.egress_width", 1.2, "m"),
                     assumption_of("clearance.electrical_working_depth", 1.067, "m"),
                     assumption_of("clearance.exit_door", 0.8, "m"),
                     assumption_of("clearance.hot_aisle", 1.2, "m"),
                     assumption_of("floor.rack_feet", 4, "1"),
                     assumption_of("floor.tilt_factor", 1.25, "1")};
    return share(std::move(c));
  }();
  return out;
}

/// 20 m x 12 m, cold aisles of 1.2 m and hot aisles of 1.0 m; type 1: 600 x 1200 mm, type 2: fabric, 800 x 1000 mm.
Design hall_of(double width = 20000, double depth = 12000) {
  Design d;
  Hall hall;
  hall.id = 5;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {width, 0}, {width, depth}, {0, depth}};
  d.halls = share(std::vector{hall});
  RackType compute, fabric;
  compute.id = 1;
  compute.name = "Compute";
  compute.rack_part = "cabinet";
  fabric.id = 2;
  fabric.name = "Fabric";
  fabric.role = RackRole::fabric;
  fabric.rack_part = "wide";
  d.rack_types = share(std::vector{compute, fabric});
  d.next_id = 100;
  return d;
}
Design with_structures(Design d, std::vector<Structure> structures) {
  Id id = 50;
  for (Structure& s : structures)
    s.id = id++, s.hall = 5;
  d.structures = share(std::move(structures));
  return d;
}
Structure structure(StructureKind kind, double x, double y, double w, double depth) {
  Structure s;
  s.kind = kind;
  s.x = millimeters(x);
  s.y = millimeters(y);
  s.width = millimeters(w);
  s.depth = millimeters(depth);
  return s;
}
LayoutRequest request(Count count, Count longest_row = 30) {
  LayoutRequest q;
  q.rack_type = 1;
  q.hall = 5;
  q.count = count;
  q.longest_row = longest_row;
  return q;
}
Count capacity(const Design& d, const LayoutRequest& q) { return layout_capacity(d, *catalog(), q); }
LayoutOutcome laid_out(const Design& d, const LayoutRequest& q) {
  auto out = auto_layout(d, *catalog(), q);
  if (!out) qFatal("%s", out.error().c_str());
  return *std::move(out);
}

PlanThing thing_of(const Design& d, const Rack& r) {
  const Footprint f = rack_footprint(*catalog(), *find(*d.rack_types, r.rack_type));
  PlanThing t = plan_thing(r.x, r.y, f.width, f.depth, r.rotation);
  t.hall = 0;
  return t;
}
/// What the space stage finds wrong with floor, outline and aisles.
std::string wrong_with(const Design& d) {
  const SpaceResult s = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, share([&] {
                                 std::vector<PowerUnit> standing;
                                 for (const PowerUnit& u : *d.power_units)
                                   if (!u.elevation) standing.push_back(u);
                                 return standing;
                               }()),
                               d.cooling_units, catalog()},
                              PopulationResult{});
  Figures figures;
  figures.add(s);
  const Table* overlaps = figures.table("space.overlaps");
  if (overlaps->row_count() > 0)
    return overlaps->column("first")->words[0] + " overlaps " + overlaps->column("second")->words[0];
  for (const RackPlace& p : s.places)
    if (p.outside) return "rack " + std::to_string(p.rack) + " is outside";
  const Table* aisles = figures.table("space.aisles");
  for (std::size_t i = 0; i < aisles->row_count(); ++i)
    if (aisles->column("clear")->numbers[i] + 1e-6 < aisles->column("minimum")->numbers[i])
      return "aisle at " + aisles->column("at")->words[i] + " is " +
             std::to_string(aisles->column("clear")->numbers[i]);
  return {};
}

} // namespace

class TestAutoLayout : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void countsByHand() {
    // Along x: 17.6 m between ways of 1.2 m hold 29 racks; rows at 1.2, 3.4, 5.8 and 8.0 m, a fifth lacks its hot
    // aisle.
    QCOMPARE(capacity(hall_of(), request(1)), Count{116});
    // Rows of at most 20: 12.0 m, a way of 1.2 m, and 4.4 m with seven more.
    QCOMPARE(capacity(hall_of(), request(1, 20)), Count{108});
    // Along y: 9.6 m hold 16 racks; eight rows, the last one's front 1.6 m before the wall.
    LayoutRequest along_y = request(1);
    along_y.direction = RowDirection::along_y;
    QCOMPARE(capacity(hall_of(), along_y), Count{128});
    // Wider aisles: 1.5 m and 1.8 m leave three rows (1.5, 4.5, 7.2 + 1.2, then 10.2 does not fit).
    LayoutRequest roomy = request(1);
    roomy.cold_aisle = meters(1.5);
    roomy.hot_aisle = meters(1.8);
    QCOMPARE(capacity(hall_of(), roomy), Count{87});
  }

  void columnsAndDoorsAreAvoided() {
    // A column in the first row parts it: 4.8 m hold 8, 12.3 m hold 20.
    const Design in_row = with_structures(hall_of(), {structure(StructureKind::column, 6000, 1500, 500, 500)});
    QCOMPARE(capacity(in_row, request(1)), Count{115});
    QCOMPARE(wrong_with(laid_out(in_row, request(115)).design), std::string());
    // One in the cold aisle between the second and the third row would part both (114). Counted from the lower wall, rows
    // stand at y = 9.6, 7.4, 5.0 and 2.8 m: it stands in the third one and parts that alone.
    const Design in_aisle = with_structures(hall_of(), {structure(StructureKind::column, 6000, 5000, 500, 500)});
    QCOMPARE(capacity(in_aisle, request(1)), Count{115});
    QCOMPARE(wrong_with(laid_out(in_aisle, request(114)).design), std::string());
    QCOMPARE(wrong_with(laid_out(in_aisle, request(115)).design), std::string());
    // A door of 1 m in the upper wall keeps 1.2 m clear before it: 7.8 m hold 13, 8.8 m hold 14.
    // Rows that are counted from the lower wall stay clear of it; with a door there too they do not.
    const Design door = with_structures(hall_of(), {structure(StructureKind::door, 9000, 0, 1000, 200)});
    QCOMPARE(capacity(door, request(1)), Count{116});
    QCOMPARE(wrong_with(laid_out(door, request(116)).design), std::string());
    const Design doors = with_structures(hall_of(), {structure(StructureKind::door, 9000, 0, 1000, 200),
                                                     structure(StructureKind::door, 9000, 11800, 1000, 200)});
    QCOMPARE(capacity(doors, request(1)), Count{114});
    // A no-go area takes floor from footprints, not from aisles.
    const Design no_go = with_structures(hall_of(), {structure(StructureKind::no_go, 6000, 2500, 500, 800)});
    QCOMPARE(capacity(no_go, request(1)), Count{116});
  }

  void refusesWithTheNumberThatFits() {
    const auto refused = auto_layout(hall_of(), *catalog(), request(117));
    QVERIFY(!refused);
    QVERIFY2(refused.error().find("ask for at most 116") != std::string::npos, refused.error().c_str());
    LayoutRequest most = request(5000);
    most.as_many_as_fit = true;
    QCOMPARE(laid_out(hall_of(), most).racks, Count{116});
    LayoutRequest narrow = request(10);
    narrow.cold_aisle = meters(1.0);
    QVERIFY(auto_layout(hall_of(), *catalog(), narrow).error().find("1200 mm") != std::string::npos);
    QVERIFY(!auto_layout(hall_of(2000, 2000), *catalog(), request(1)));
    QVERIFY(!auto_layout(hall_of(), *catalog(), request(0)));
    LayoutRequest nothing = request(1);
    nothing.rack_type = 77;
    QVERIFY(auto_layout(hall_of(), *catalog(), nothing).error().find("77") != std::string::npos);
  }

  void rowsFaceAlternately() {
    const LayoutOutcome out = laid_out(hall_of(), request(116));
    QCOMPARE(out.rows, Count{4});
    QCOMPARE(wrong_with(out.design), std::string());
    for (const Rack& r : *out.design.racks) {
      const double y = in_millimeters(r.y);
      QCOMPARE(in_degrees(r.rotation), (std::abs(y - 1200) < 1 || std::abs(y - 5800) < 1) ? 0.0 : 180.0);
    }
    QCOMPARE((*out.design.racks)[0].name, std::string("R01-01"));
    QCOMPARE((*out.design.rows)[3].name, std::string("R04"));
    LayoutRequest along_y = request(128);
    along_y.direction = RowDirection::along_y;
    QCOMPARE(wrong_with(laid_out(hall_of(), along_y).design), std::string());
  }

  void leafsStandInTheMiddleOfTheirPod() {
    LayoutRequest q = request(16);
    q.pod_racks = 8;
    q.fabric_racks_per_pod = 1;
    q.fabric_rack_type = 2;
    const LayoutOutcome out = laid_out(hall_of(), q);
    QCOMPARE(out.racks, Count{16});
    QCOMPARE(out.fabric_racks, Count{2});
    QCOMPARE(out.pods, Count{2});
    std::vector<std::pair<double, Id>> row;
    for (const Rack& r : *out.design.racks)
      row.emplace_back(in_millimeters(r.x), r.rack_type);
    std::sort(row.begin(), row.end());
    std::string order;
    for (const auto& [x, type] : row)
      order += type == 2 ? 'F' : 'c';
    QCOMPARE(order, std::string("ccccFccccccccFcccc"));
    // 16 x 600 + 2 x 800 from 1.2 m.
    QCOMPARE(row.front().first, 1200.0);
    QCOMPARE(row.back().first, 1200.0 + 15 * 600 + 2 * 800);
    // Fronts stand in one line although the fabric racks are 200 mm less deep.
    for (const Rack& r : *out.design.racks)
      QCOMPARE(in_millimeters(r.y), 1200.0);
    q.leafs = LeafPlace::row_start;
    row.clear();
    for (const Rack& r : *laid_out(hall_of(), q).design.racks)
      row.emplace_back(in_millimeters(r.x), r.rack_type);
    std::sort(row.begin(), row.end());
    QCOMPARE(row.front().second, Id{2});
  }

  void wholePodsAreNotSpreadOverRows() {
    LayoutRequest q = request(40);
    q.pod_racks = 20;
    const auto rows_of = [](const LayoutOutcome& out) {
      std::map<Id, Count> count;
      for (const Rack& r : *out.design.racks)
        ++count[r.row];
      std::multiset<Count> sizes;
      for (const auto& [row, n] : count)
        sizes.insert(n);
      return sizes;
    };
    QCOMPARE(rows_of(laid_out(hall_of(), q)), (std::multiset<Count>{11, 29}));
    q.whole_pods = true;
    QCOMPARE(rows_of(laid_out(hall_of(), q)), (std::multiset<Count>{20, 20}));
  }

  void cdusByDutyPlusOne() {
    // 8 racks of 100 kW on CDUs of 600 kW: two carry it, one is spare.
    LayoutRequest q = request(8, 6);
    q.cdus = CduPlace::row_ends;
    q.cdu_part = "cdu";
    q.liquid_heat_per_rack = kilowatts(100);
    const LayoutOutcome out = laid_out(hall_of(), q);
    QCOMPARE(out.racks, Count{8});
    QCOMPARE(out.cdus, Count{3});
    QCOMPARE(wrong_with(out.design), std::string());
    QCOMPARE(out.design.loops->size(), 1u);
    for (const Rack& r : *out.design.racks)
      QCOMPARE(r.loop, (*out.design.loops)[0].id);
    for (const CoolingUnit& u : *out.design.cooling_units)
      QCOMPARE(u.loop, (*out.design.loops)[0].id);
    q.cdus = CduPlace::perimeter;
    const LayoutOutcome edge = laid_out(hall_of(), q);
    QCOMPARE(edge.cdus, Count{3});
    QCOMPARE(wrong_with(edge.design), std::string());
    for (const CoolingUnit& u : *edge.design.cooling_units)
      QCOMPARE(in_millimeters(u.y), 914.0);
    // 914 mm behind the CDUs, 1200 mm of CDU, 1200 mm of cold aisle.
    for (const Rack& r : *edge.design.racks)
      QVERIFY(in_millimeters(r.y) >= 914 + 1200 + 1200 - 1e-6);
  }

  void feedsAreBalanced() {
    Design d = hall_of();
    std::vector<PowerUnit> units;
    for (const Id id : {60, 61, 62, 63}) {
      PowerUnit u;
      u.id = id;
      u.name = "PDU " + std::to_string(id);
      u.kind = PowerUnitKind::distribution;
      u.feed = id < 62 ? Feed::a : Feed::b;
      units.push_back(u);
    }
    d.power_units = share(units);
    std::map<Id, Count> carried;
    for (const Rack& r : *laid_out(d, request(40)).design.racks)
      ++carried[r.feed_a], ++carried[r.feed_b];
    QCOMPARE(carried, (std::map<Id, Count>{{60, 20}, {61, 20}, {62, 20}, {63, 20}}));
    // Busways: one of each feed a row, rated for the row at 80 %, on distribution units in turn.
    LayoutRequest q = request(58);
    q.busways = true;
    q.power_per_rack = kilowatts(40);
    const LayoutOutcome out = laid_out(d, q);
    QCOMPARE(out.busways, Count{4});
    std::map<Id, Count> busways;
    for (const PowerUnit& u : *out.design.power_units) {
      if (u.kind != PowerUnitKind::busway) continue;
      ++busways[u.upstream];
      QCOMPARE(in_kilowatts(*u.rating), 1450.0); // 29 x 40 / 0.8
      QVERIFY(u.elevation && in_millimeters(*u.elevation) >= 2600);
      QCOMPARE(in_millimeters(*u.width), 29 * 600.0);
    }
    QCOMPARE(busways, (std::map<Id, Count>{{60, 1}, {61, 1}, {62, 1}, {63, 1}}));
    for (const Rack& r : *out.design.racks) {
      QCOMPARE(find(*out.design.power_units, r.feed_a)->feed, Feed::a);
      QCOMPARE(find(*out.design.power_units, r.feed_b)->feed, Feed::b);
    }
  }

  void lockedThingsAndEverythingOutsideStay() {
    Design d = laid_out(hall_of(), request(116)).design;
    auto racks = *d.racks;
    racks[40].locked = true;
    d.racks = share(racks);
    const Rack kept = racks[40];
    LayoutRequest q = request(10);
    q.rectangle = PlanBox{0, 0, 10000, 12000};
    q.replace = true;
    const LayoutOutcome out = laid_out(d, q);
    QVERIFY(out.removed > 0);
    const Rack* after = find(*out.design.racks, kept.id);
    QVERIFY(after && in_millimeters(after->x) == in_millimeters(kept.x));
    for (const Rack& r : racks) {
      const PlanThing t = thing_of(d, r);
      if (t.box.x1 <= 10000) continue;
      const Rack* there = find(*out.design.racks, r.id);
      QVERIFY(there && in_millimeters(there->x) == in_millimeters(r.x));
    }
    QCOMPARE(wrong_with(out.design), std::string());
    QCOMPARE(out.design.racks->size(), racks.size() - static_cast<std::size_t>(out.removed) + 10);
  }

  void zonesBound() {
    Design d = hall_of();
    Zone zone;
    zone.id = 70;
    zone.name = "Zone 1";
    zone.hall = 5;
    zone.outline = {{3000, 3000}, {9000, 3000}, {9000, 9000}, {3000, 9000}};
    d.zones = share(std::vector{zone});
    LayoutRequest q = request(5000);
    q.as_many_as_fit = true;
    q.zone = 70;
    // 6 m hold ten racks; rows at 3.0, 5.2 and 7.6 m end before 9 m.
    const LayoutOutcome out = laid_out(d, q);
    QCOMPARE(out.racks, Count{30});
    for (const Rack& r : *out.design.racks)
      QVERIFY(inside_outline(thing_of(out.design, r), zone.outline));
  }

  void aHallThatIsNoRectangle() {
    Design d = hall_of();
    auto halls = *d.halls;
    halls[0].outline = {{0, 0}, {20000, 0}, {20000, 5000}, {10000, 5000}, {10000, 12000}, {0, 12000}};
    d.halls = share(halls);
    LayoutRequest q = request(5000);
    q.as_many_as_fit = true;
    const LayoutOutcome out = laid_out(d, q);
    QCOMPARE(wrong_with(out.design), std::string());
    // The first row runs through (its rear has 1 m); the second lacks its cold aisle right of 10 m: 1.2 to 10 m hold
    // 14; the two below keep 1.2 m from the wall at 10 m: 1.2 to 8.8 m hold 12.
    QCOMPARE(out.racks, Count{29 + 14 + 2 * 12});
  }

  void fillsARow() {
    LayoutRequest q = request(10);
    const Design d = laid_out(hall_of(), q).design;
    const Id row = (*d.rows)[0].id;
    const auto all = fill_row(d, *catalog(), row, 1, 1000);
    QVERIFY(all);
    QCOMPARE(all->entities.size(), 19u); // 29 in the line
    QCOMPARE(wrong_with(all->design), std::string());
    QCOMPARE((*all->design.racks).back().name, std::string("R01-29"));
    QCOMPARE(fill_row(d, *catalog(), row, 1, 4)->entities.size(), 4u);
    QVERIFY(!fill_row(d, *catalog(), 12345, 1, 4));
  }

  void sameRequestSameBytes() {
    LayoutRequest q = request(60);
    q.pod_racks = 16;
    q.fabric_racks_per_pod = 2;
    q.fabric_rack_type = 2;
    const LayoutOutcome a = laid_out(hall_of(), q), b = laid_out(hall_of(), q);
    QCOMPARE(a.design.racks->size(), b.design.racks->size());
    for (std::size_t i = 0; i < a.design.racks->size(); ++i) {
      const Rack &x = (*a.design.racks)[i], &y = (*b.design.racks)[i];
      QVERIFY(x.id == y.id && x.name == y.name && in_meters(x.x) == in_meters(y.x) &&
              in_meters(x.y) == in_meters(y.y) && x.row == y.row);
    }
  }

  void neverInTheWayOfAnything() {
    QVERIFY(rc::check("layouts", [] {
      const double width = *rc::gen::inRange(6, 30) * 1000.0, depth = *rc::gen::inRange(6, 30) * 1000.0;
      std::vector<Structure> structures;
      const int n = *rc::gen::inRange(0, 6);
      for (int i = 0; i < n; ++i)
        structures.push_back(structure(*rc::gen::element(StructureKind::column, StructureKind::obstacle,
                                                         StructureKind::no_go, StructureKind::door),
                                       *rc::gen::inRange(0, 20) * 500.0, *rc::gen::inRange(0, 20) * 500.0,
                                       *rc::gen::element(400.0, 900.0), *rc::gen::element(400.0, 1000.0)));
      Design d = with_structures(hall_of(width, depth), structures);
      LayoutRequest q = request(*rc::gen::inRange(1, 60), *rc::gen::inRange(3, 25));
      q.as_many_as_fit = true;
      q.direction = *rc::gen::element(RowDirection::along_x, RowDirection::along_y);
      q.pod_racks = *rc::gen::inRange(0, 12);
      q.whole_pods = *rc::gen::arbitrary<bool>();
      q.fabric_racks_per_pod = *rc::gen::inRange(0, 3);
      q.fabric_rack_type = 2;
      q.leafs = *rc::gen::element(LeafPlace::middle, LeafPlace::row_start);
      q.cdus = *rc::gen::element(CduPlace::none, CduPlace::row_ends, CduPlace::perimeter);
      q.cdu_part = "cdu";
      q.liquid_heat_per_rack = kilowatts(120);
      q.busways = *rc::gen::arbitrary<bool>();
      const auto out = auto_layout(d, *catalog(), q);
      RC_PRE(out.has_value());
      const std::string wrong = wrong_with(out->design);
      if (!wrong.empty()) RC_FAIL(wrong);
      RC_ASSERT(out->racks >= 1 && out->racks <= q.count);
      const Count needed = q.cdus == CduPlace::none ? 0 : (out->racks * 120 + 599) / 600 + 1;
      RC_ASSERT(out->cdus == needed);
    }));
  }
};

QTEST_APPLESS_MAIN(TestAutoLayout)
#include "test_auto_layout.moc"
