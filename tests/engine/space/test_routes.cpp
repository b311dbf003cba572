// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <rapidcheck.h>

#include "assumption_of.h"
#include "space/routes.h"
#include "space/space.h"

using namespace hallwright;
using test::assumption_of;

namespace {

Shared<Catalog> catalog() {
  static const Shared<Catalog> out = [] {
    Catalog c;
    NodePart node;
    node.id = "eight";
    node.name = "Eight-GPU node";
    node.compute_nics = 8;
    node.storage_nics = 2;
    c.nodes = {node};
    RackPart cabinet;
    cabinet.id = "cabinet";
    cabinet.name = "Cabinet";
    cabinet.width = millimeters(600);
    cabinet.depth = millimeters(1200);
    cabinet.height = millimeters(2300);
    c.racks = {cabinet};
    c.assumptions = {assumption_of("cabling.diameter_fibre", 3, "mm"),
                     assumption_of("cabling.tray_height", 2.7, "m"),
                     assumption_of("clearance.cold_aisle_minimum", 1.2, "m"),
                     assumption_of("clearance.hot_aisle", 1.2, "m"),
                     assumption_of("floor.rack_feet", 4, "1"),
                     assumption_of("floor.tilt_factor", 1.25, "1")};
    return share(std::move(c));
  }();
  return out;
}

constexpr Id hall_id = 5;

/// A rack whose footprint is centred here, mm.
Rack rack_at(Id id, double x, double y, Id type = 1) {
  Rack r;
  r.id = id;
  r.name = "R" + std::to_string(id);
  r.rack_type = type;
  r.hall = hall_id;
  r.x = millimeters(x - 300);
  r.y = millimeters(y - 600);
  return r;
}
Tray tray_of(Id id, std::vector<PlanPoint> path, double level = 2700, TrayKind use = TrayKind::fibre) {
  Tray t;
  t.id = id;
  t.name = "T" + std::to_string(id);
  t.hall = hall_id;
  t.kind = use;
  t.path = std::move(path);
  t.elevation = millimeters(level);
  return t;
}
Pipe pipe_of(Id id, std::vector<PlanPoint> path, PipeSide side, double level = 3000) {
  Pipe p;
  p.id = id;
  p.name = "P" + std::to_string(id);
  p.hall = hall_id;
  p.loop = 50;
  p.side = side;
  p.path = std::move(path);
  p.elevation = millimeters(level);
  return p;
}

/// Type 1: compute rack with four nodes; type 3: fabric rack.
Design hall_with(std::vector<Rack> racks, std::vector<Tray> trays = {}, std::vector<Pipe> pipes = {}) {
  Design d;
  Hall hall;
  hall.id = hall_id;
  hall.name = "Hall A";
  hall.outline = {{-50000, -50000}, {50000, -50000}, {50000, 50000}, {-50000, 50000}};
  d.halls = share(std::vector{hall});
  RackType compute, fabric;
  compute.id = 1;
  compute.name = "Compute";
  compute.rack_part = "cabinet";
  fabric.id = 3;
  fabric.name = "Fabric";
  fabric.role = RackRole::fabric;
  fabric.rack_part = "cabinet";
  d.rack_types = share(std::vector{compute, fabric});
  RackItem nodes;
  nodes.id = 11;
  nodes.rack_type = 1;
  nodes.part = "eight";
  nodes.count = 4;
  d.rack_items = share(std::vector{nodes});
  std::sort(racks.begin(), racks.end(), [](const Rack& a, const Rack& b) { return a.id < b.id; });
  d.racks = share(std::move(racks));
  d.trays = share(std::move(trays));
  d.pipes = share(std::move(pipes));
  return d;
}
RouteResult routes_of(const Design& d) {
  return routes({d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, d.trays, d.pipes, catalog()});
}
SpaceResult space_of(const Design& d) {
  return space(
      {d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, catalog()},
      PopulationResult{}, share(routes_of(d)));
}
std::vector<Finding> findings_of(const Design& d) {
  const SpaceResult s = space_of(d);
  Figures figures;
  figures.add(s);
  return run_rules({d, *catalog(), figures}, space_rules());
}
Count found(const Design& d, std::string_view code) {
  const auto findings = findings_of(d);
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
}
void near(double ours, double expected, double tolerance = 1e-6) {
  QVERIFY2(std::abs(ours - expected) <= tolerance,
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

/// Trays on a grid of whole metres, some joined and some not.
std::vector<Tray> drawn_trays() {
  std::vector<Tray> trays;
  const int n = *rc::gen::inRange(1, 9);
  for (int i = 0; i < n; ++i) {
    std::vector<PlanPoint> path{{*rc::gen::inRange(-10, 11) * 1000.0, *rc::gen::inRange(-10, 11) * 1000.0}};
    const int corners = *rc::gen::inRange(1, 4);
    for (int k = 0; k < corners; ++k) {
      PlanPoint next = path.back();
      const int step = *rc::gen::inRange(1, 12) * (*rc::gen::arbitrary<bool>() ? 1000 : -1000);
      (*rc::gen::arbitrary<bool>() ? next.x_mm : next.y_mm) += step;
      path.push_back(next);
    }
    trays.push_back(tray_of(100 + i, path, *rc::gen::element(2700.0, 2700.0, 2750.0, 3100.0)));
  }
  return trays;
}
std::vector<Rack> drawn_racks() {
  std::vector<Rack> racks;
  const int n = *rc::gen::inRange(2, 8);
  for (int i = 0; i < n; ++i)
    racks.push_back(rack_at(20 + i, *rc::gen::inRange(-12, 13) * 1000.0 + 300,
                            *rc::gen::inRange(-12, 13) * 1000.0 + 200, i == 0 ? 3 : 1));
  return racks;
}

} // namespace

class TestRoutes : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void straightTrayOverTwoRacks() {
    // 10 m apart under one tray at 2.7 m, ports at 1 m: 10 m along, 1.7 m up and 1.7 m down.
    const auto r =
        routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 10000, 0)}, {tray_of(101, {{-1000, 0}, {11000, 0}})}));
    const auto way = r.cables->route(21, 22);
    QVERIFY(way && way->routed);
    near(way->horizontal, 10000);
    near(way->vertical, 3400);
    QCOMPARE(way->legs.size(), 1u);
    QCOMPARE(way->legs[0].run, Id{101});
    near(way->legs[0].from, 1000);
    near(way->legs[0].to, 11000);
  }

  void heightOfTheRackUnitCounts() {
    // U 40: 80 + 39.5 x 44.45 = 1,835.775 mm; U 1: 102.225 mm. Up 864.225, down 2,597.775.
    const double first = rack_first_unit_mm(*catalog()); // it has no such assumption
    near(first, 80);
    near(rack_unit_height_mm(40, first), 1835.775);
    const auto r =
        routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 10000, 0)}, {tray_of(101, {{-1000, 0}, {11000, 0}})}));
    const auto way = r.cables->route(21, 22, rack_unit_height_mm(40, first), rack_unit_height_mm(1, first));
    near(way->vertical, 864.225 + 2597.775);
  }

  void branchesAndCornersByHand() {
    // A spine along y at x = 0 and a branch along x at y = 5 m that ends on the spine's edge (half of 300 mm).
    const auto r =
        routes_of(hall_with({rack_at(21, 8000, 5400), rack_at(22, 300, -4000)},
                            {tray_of(101, {{0, -6000}, {0, 6000}}), tray_of(102, {{150, 5000}, {9000, 5000}})}));
    const auto way = r.cables->route(21, 22);
    QVERIFY(way && way->routed);
    // Rack 21 stands 400 mm beside the branch: 400 + 7,850 along it + 150 to the spine's middle + 9,000 along + 300 to
    // the rack.
    near(way->horizontal, 400 + 7850 + 150 + 9000 + 300);
    near(way->vertical, 3400);
    QCOMPARE(way->legs.size(), 2u);
    QCOMPARE(way->legs[0].run, Id{102});
    QCOMPARE(way->legs[1].run, Id{101});
    near(way->legs[1].length(), 9000);
  }

  void levelsJoinWithinToleranceOnly() {
    const std::vector<Rack> racks{rack_at(21, -5000, 0), rack_at(22, 0, 5000)};
    const auto crossing = [&](double level) {
      return routes_of(
          hall_with(racks, {tray_of(101, {{-6000, 0}, {6000, 0}}), tray_of(102, {{0, -6000}, {0, 6000}}, level)}));
    };
    const auto joined = crossing(2800);
    const auto way = joined.cables->route(21, 22);
    QVERIFY(way->routed);
    near(way->horizontal, 10000);
    near(way->vertical, 1700 + 100 + 1800);
    QCOMPARE(joined.cables->graph().joint_count(), 1u);
    const auto apart = crossing(2801);
    QVERIFY(!apart.cables->route(21, 22)->routed);
    QCOMPARE(apart.cables->graph().joint_count(), 0u);
    QCOMPARE(apart.lone_trays, (std::vector<Id>{101, 102}));
  }

  void riserWhereEndsMeetInPlan() {
    // 2.7 m and 3.3 m: ends above each other make a riser of 0.6 m.
    const auto r = routes_of(hall_with({rack_at(21, -5000, 0), rack_at(22, 5000, 0)},
                                       {tray_of(101, {{-6000, 0}, {0, 0}}), tray_of(102, {{0, 0}, {6000, 0}}, 3300)}));
    QCOMPARE(r.cables->graph().riser_count(), 1u);
    const auto way = r.cables->route(21, 22);
    QVERIFY(way->routed);
    near(way->horizontal, 10000);
    near(way->vertical, 1700 + 600 + 2300);
  }

  void shorterOfTwoWays() {
    // A ring of 20 m x 4 m; from its west end to a place on the north side, 3 m is shorter than the other way round.
    const auto r =
        routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 3000, -2000)},
                            {tray_of(101, {{0, -2000}, {20000, -2000}, {20000, 2000}, {0, 2000}, {0, -2000}})}));
    near(r.cables->route(21, 22)->horizontal, 2000 + 3000);
  }

  void withoutTraysAnEstimateThatSaysSo() {
    const auto r = routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 3000, 4000, 3)}));
    const auto way = r.cables->route(21, 22);
    QVERIFY(!way->routed);
    QVERIFY(way->legs.empty());
    near(way->horizontal, 7000);
    near(way->vertical, 3400);
    QCOMPARE(r.reach[0].leaf.how, ReachKind::estimated);
    QCOMPARE(r.reach[0].leaf.target, Id{22});
    near(r.reach[0].leaf.length(), 10400);
    QCOMPARE(r.reach[1].leaf.how, ReachKind::none); // a fabric rack needs no leaf
  }

  void racksOfOtherHallsHaveNoRoute() {
    Rack other = rack_at(22, 3000, 0);
    other.hall = 6;
    const auto r = routes_of(hall_with({rack_at(21, 0, 0), other}));
    QVERIFY(!r.cables->route(21, 22));
    QVERIFY(std::isnan(r.cables->lengths(21, {22})[0]));
  }

  void farBesideATrayIsNotReached() {
    // 1.5 m beside the footprint (600 mm half depth): 2.1 m from the middle is reached, 2.101 m is not.
    for (const double y : {2100.0, 2101.0}) {
      const auto r =
          routes_of(hall_with({rack_at(21, 0, y), rack_at(22, 10000, 0)}, {tray_of(101, {{-1000, 0}, {11000, 0}})}));
      QCOMPARE(r.cables->route(21, 22)->routed, y == 2100.0);
    }
  }

  void powerTraysCarryNoData() {
    const auto r = routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 10000, 0)},
                                       {tray_of(101, {{-1000, 0}, {11000, 0}}, 2700, TrayKind::power)}));
    QVERIFY(!r.cables->route(21, 22)->routed);
  }

  void fillByHand() {
    // Two racks with 4 x 10 cables each to one fabric rack at the right end: 80 cables of 3 mm on the last stretch.
    Design d = hall_with({rack_at(21, 0, 0), rack_at(22, 4000, 0), rack_at(23, 10000, 0, 3)},
                         {tray_of(101, {{-1000, 0}, {11000, 0}})});
    const SpaceResult s = space_of(d);
    QCOMPARE(s.routes->tray_loads.size(), 1u);
    const TrayLoad& load = s.routes->tray_loads[0];
    QCOMPARE(load.cables, Count{80});
    near(load.area_mm2, 565.4866776461628, 1e-9); // 80 x pi x 9 / 4
    near(load.at_mm, 5000);
    near(load.mass_kg_m, 565.4866776461628e-6 * 1100, 1e-9);
    Figures figures;
    figures.add(s);
    const Figure* fill = figures.find("space.tray.101.fill");
    QVERIFY(fill);
    near(fill->value, 565.4866776461628 / 30000, 1e-12); // 300 x 100 mm
    QCOMPARE(fill->status, Status::ok);
    QCOMPARE(fill->completeness, Completeness::estimate);
    QCOMPARE(found(d, "SPC-040"), Count{0});
    auto trays = *d.trays;
    trays[0].width = millimeters(10);
    trays[0].height = millimeters(100);
    d.trays = share(trays);
    const auto findings = findings_of(d);
    const auto over =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "SPC-040"; });
    QVERIFY(over != findings.end()); // 57 % of 1,000 mm2
    QCOMPARE(over->remedies.size(), 1u);
    const Design wider = *over->remedies[0].edit.apply(d);
    QCOMPARE(found(wider, "SPC-040"), Count{0});
  }

  void cablesStayInTheirTray() {
    // A branch joins the main run 1.2 m before the leaf: leaving it there through the air would be as long. 40 cables of
    // the rack on the branch and 40 of each rack before it lie on the last stretch.
    const Design d = hall_with({rack_at(21, 3000, 5600), rack_at(22, 3000, 2600), rack_at(23, 4200, 2600, 3)},
                               {tray_of(101, {{1000, 2600}, {9000, 2600}}), tray_of(102, {{3300, 2600}, {3300, 5600}})});
    const SpaceResult s = space_of(d);
    QCOMPARE(s.routes->tray_loads.size(), 2u);
    QCOMPARE(s.routes->tray_loads[0].cables, Count{80});
    QCOMPARE(s.routes->tray_loads[1].cables, Count{40});
  }

  void givenCablesOnTheirStretch() {
    const auto r = routes_of(hall_with({rack_at(21, 0, 0), rack_at(22, 4000, 0), rack_at(23, 10000, 0)},
                                       {tray_of(101, {{-1000, 0}, {11000, 0}})}));
    // 10 of 8 mm from 21 to 22 and 5 of 8 mm from 22 to 23 share no stretch.
    const auto loads = r.cables->loads({{21, 22, 10, 8, 0.1, {}, {}}, {22, 23, 5, 8, 0.1, {}, {}}});
    QCOMPARE(loads[0].cables, Count{10});
    near(loads[0].area_mm2, 502.6548245743669, 1e-9);
    near(loads[0].mass_kg_m, 1.0, 1e-12);
    near(loads[0].at_mm, 1000);
  }

  void pipesToTheCduOnBothSides() {
    Design d = hall_with({rack_at(21, 0, 0), rack_at(22, 4000, 0)}, {},
                         {pipe_of(201, {{-1000, 0}, {12000, 0}}, PipeSide::supply),
                          pipe_of(202, {{-1000, 500}, {12000, 500}}, PipeSide::return_, 3200),
                          pipe_of(203, {{-1000, 20000}, {5000, 20000}}, PipeSide::return_)});
    auto racks = *d.racks;
    for (Rack& r : racks)
      r.loop = 50;
    d.racks = share(racks);
    CoolantLoop loop;
    loop.id = 50;
    d.loops = share(std::vector{loop});
    CoolingUnit cdu;
    cdu.id = 60;
    cdu.name = "CDU 1";
    cdu.hall = hall_id;
    cdu.loop = 50;
    cdu.width = millimeters(1000);
    cdu.depth = millimeters(1000);
    cdu.x = millimeters(9500);
    cdu.y = millimeters(-500);
    d.cooling_units = share(std::vector{cdu});
    const auto r = routes_of(d);
    QCOMPARE(r.reach[0].cdu_supply.how, ReachKind::routed);
    near(r.reach[0].cdu_supply.length(), 10000 + 2 * 2000);
    near(r.reach[0].cdu_return.length(), 10000 + 2 * 500 + 2 * 2200);
    QCOMPARE(r.reach[1].cdu_supply.target, Id{60});
    QCOMPARE(r.dead_pipes, (std::vector<Id>{203}));
    QCOMPARE(found(d, "SPC-044"), Count{1});
    // Facility water serves the CDUs of the loops that name it: none of its own is asked for.
    CoolantLoop racks_water;
    racks_water.id = 51;
    racks_water.facility_loop = 50;
    d.loops = share(std::vector{loop, racks_water});
    QCOMPARE(found(d, "SPC-044"), Count{0});
  }

  void buswayAboveTheRow() {
    Design d = hall_with({rack_at(21, 0, 0)});
    PowerUnit busway;
    busway.id = 70;
    busway.name = "Busway A";
    busway.kind = PowerUnitKind::busway;
    busway.hall = hall_id;
    busway.x = millimeters(-1000);
    busway.y = millimeters(700);
    busway.width = millimeters(6000);
    busway.depth = millimeters(200);
    busway.elevation = millimeters(2900);
    d.power_units = share(std::vector{busway});
    auto racks = *d.racks;
    racks[0].feed_a = 70;
    d.racks = share(racks);
    const auto r = routes_of(d);
    // 700 mm aside from the middle of the rack, from 2.9 m down to 2.3 m.
    near(r.reach[0].feed_a.horizontal, 700);
    near(r.reach[0].feed_a.vertical, 600);
    QCOMPARE(r.reach[0].feed_b.how, ReachKind::none);
  }

  void tableAndDistances() {
    const Design d =
        hall_with({rack_at(21, 0, 0), rack_at(22, 4000, 0), rack_at(23, 10000, 0, 3), rack_at(24, 0, 30000)},
                  {tray_of(101, {{-1000, 0}, {11000, 0}})});
    const SpaceResult s = space_of(d);
    Figures figures;
    figures.add(s);
    const Table* table = figures.table("space.reach");
    QVERIFY(table);
    QCOMPARE(table->row_count(), 4u);
    near(table->column("to_leaf")->numbers[0], 13.4);
    QCOMPARE(table->column("leaf_how")->words[0], std::string("routed"));
    QVERIFY(std::isnan(table->column("to_leaf")->numbers[2]));
    QCOMPARE(table->column("leaf_how")->words[3], std::string("estimated"));
    near(table->column("to_leaf")->numbers[3], 40 + 3.4);
    // (13.4 + 9.4 + 43.4) / 3
    near(in_meters(s.mean_rack_distance.value), 66.2 / 3, 1e-9);
    near(in_meters(s.longest_rack_distance.value), 43.4, 1e-9);
    const Figure* mean = figures.find("space.mean_rack_distance");
    QVERIFY(mean->source.find("2 of 3 compute racks along the trays") != std::string::npos);
    QCOMPARE(found(d, "SPC-042"), Count{1});
  }

  void trayRules() {
    QCOMPARE(
        found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}), tray_of(102, {{5000, -3000}, {5000, 3000}}, 3200)}),
              "SPC-041"),
        Count{2});
    QCOMPARE(
        found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}), tray_of(102, {{5000, -3000}, {5000, 3000}}, 2750)}),
              "SPC-041"),
        Count{0});
    QCOMPARE(found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}})}), "SPC-041"), Count{0}); // alone in the hall
    QCOMPARE(found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}, 4400)}), "SPC-043"),
             Count{0}); // 4.4 m + 0.1 m under 4.5 m
    QCOMPARE(found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}, 4401)}), "SPC-043"), Count{1});
    QCOMPARE(found(hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}, -300)}), "SPC-043"), Count{1}); // a slab
    // The remedy of a lone tray brings it to the level of the one that it crosses.
    const Design d =
        hall_with({}, {tray_of(101, {{0, 0}, {9000, 0}}), tray_of(102, {{5000, -3000}, {5000, 3000}}, 3200)});
    const auto findings = findings_of(d);
    const auto lone =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "SPC-041"; });
    QVERIFY(lone != findings.end() && lone->remedies.size() == 1);
    QCOMPARE(found(*lone->remedies[0].edit.apply(d), "SPC-041"), Count{0});
  }

  void movingTheHallChangesNothing() {
    QVERIFY(rc::check("moving", [] {
      const auto trays = drawn_trays();
      const auto racks = drawn_racks();
      const double dx = *rc::gen::inRange(-40, 41) * 125.0, dy = *rc::gen::inRange(-40, 41) * 125.0;
      auto moved_trays = trays;
      for (Tray& t : moved_trays)
        for (PlanPoint& p : t.path)
          p.x_mm += dx, p.y_mm += dy;
      auto moved_racks = racks;
      for (Rack& r : moved_racks)
        r.x += millimeters(dx), r.y += millimeters(dy);
      const auto a = routes_of(hall_with(racks, trays)), b = routes_of(hall_with(moved_racks, moved_trays));
      RC_ASSERT(a.cables->graph().joint_count() == b.cables->graph().joint_count());
      for (const Rack& from : racks)
        for (const Rack& to : racks) {
          const auto x = *a.cables->route(from.id, to.id), y = *b.cables->route(from.id, to.id);
          RC_ASSERT(x.routed == y.routed);
          RC_ASSERT(std::abs(x.length() - y.length()) < 1e-5);
        }
    }));
  }

  void reversedWaysAreEquallyLong() {
    QVERIFY(rc::check("reversing", [] {
      const auto racks = drawn_racks();
      const auto r = routes_of(hall_with(racks, drawn_trays()));
      for (const Rack& from : racks)
        for (const Rack& to : racks) {
          const auto x = *r.cables->route(from.id, to.id), y = *r.cables->route(to.id, from.id);
          RC_ASSERT(x.routed == y.routed);
          RC_ASSERT(std::abs(x.length() - y.length()) < 1e-6);
          RC_ASSERT(std::abs(x.horizontal - y.horizontal) < 1e-6 || std::abs(x.length() - y.length()) < 1e-6);
        }
    }));
  }

  void legsAddUpToTheHorizontalWay() {
    QVERIFY(rc::check("legs", [] {
      const auto racks = drawn_racks();
      const auto r = routes_of(hall_with(racks, drawn_trays()));
      for (const Rack& from : racks)
        for (const Rack& to : racks) {
          const auto way = *r.cables->route(from.id, to.id);
          double along = 0;
          for (const RouteLeg& leg : way.legs)
            along += leg.length();
          RC_ASSERT(along <= way.horizontal + 1e-6); // the rest is beside the trays
          if (way.routed)
            RC_ASSERT(way.horizontal - along <= 2 * (std::hypot(300, 600) + route_access_distance_mm) + 200 * 9);
        }
    }));
  }

  void anotherTrayNeverLengthensARoute() {
    QVERIFY(rc::check("adding", [] {
      auto trays = drawn_trays();
      const auto racks = drawn_racks();
      const auto before = routes_of(hall_with(racks, trays));
      auto more = drawn_trays();
      Tray added = more.front();
      added.id = 999;
      trays.push_back(added);
      const auto after = routes_of(hall_with(racks, trays));
      for (const Rack& from : racks)
        for (const Rack& to : racks) {
          const auto x = *before.cables->route(from.id, to.id), y = *after.cables->route(from.id, to.id);
          if (!x.routed) continue;
          RC_ASSERT(y.routed);
          RC_ASSERT(y.length() <= x.length() + 1e-6);
        }
    }));
  }

  void oneSearchGivesTheLengthsOfAll() {
    QVERIFY(rc::check("bulk", [] {
      const auto racks = drawn_racks();
      const auto r = routes_of(hall_with(racks, drawn_trays()));
      std::vector<Id> ids;
      for (const Rack& rack : racks)
        ids.push_back(rack.id);
      const auto lengths = r.cables->lengths(ids[0], ids);
      for (std::size_t i = 1; i < ids.size(); ++i)
        RC_ASSERT(std::abs(lengths[i] - r.cables->route(ids[0], ids[i])->length()) < 1e-6);
    }));
  }

  void tenThousandRacksAtOnce() {
    // 100 rows of 100 racks under 100 trays and two cross trays, 200 fabric racks.
    std::vector<Rack> racks;
    std::vector<Tray> trays;
    for (int row = 0; row < 100; ++row) {
      for (int i = 0; i < 100; ++i)
        racks.push_back(rack_at(1000 + row * 100 + i, 600.0 * i, 2400.0 * row, i == 49 || i == 50 ? 3 : 1));
      trays.push_back(tray_of(20000 + row, {{-1000, 2400.0 * row}, {61000, 2400.0 * row}}));
    }
    trays.push_back(tray_of(20100, {{-1000, -1000}, {-1000, 240000}}));
    trays.push_back(tray_of(20101, {{61000, -1000}, {61000, 240000}}));
    const Design d = hall_with(racks, trays);
    const auto r = routes_of(d);
    std::vector<Id> compute, fabric;
    for (const Rack& rack : racks)
      (rack.rack_type == 3 ? fabric : compute).push_back(rack.id);
    double total = 0;
    for (const Id leaf : fabric)
      for (const double length : r.cables->lengths(leaf, compute))
        total += length;
    QVERIFY(total > 0);
    QCOMPARE(r.reach[0].leaf.how, ReachKind::routed);
    near(r.reach[0].leaf.length(), 49 * 600.0 + 3400);
  }
};

QTEST_APPLESS_MAIN(TestRoutes)
#include "test_routes.moc"
