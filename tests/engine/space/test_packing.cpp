// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "assumption_of.h"
#include "space/packing.h"

using namespace hallwright;
using test::assumption_of;

namespace {

/// A cabinet of 42 units and 140 kg, a node of 8 units, 130 kg and 10.2 kW cooled by air, one of 1.5 units, a switch of
/// 1 unit.
Catalog catalog() {
  Catalog c;
  NodePart eight, flat;
  eight.id = "eight";
  eight.name = "Eight";
  eight.rack_units = 8;
  eight.mass = kilograms(130);
  eight.power_maximum = kilowatts(10.2);
  eight.power_typical = kilowatts(7.7);
  eight.cooling = "air";
  flat.id = "flat";
  flat.name = "Flat";
  flat.rack_units = 1.5;
  flat.power_maximum = kilowatts(5);
  flat.mass = kilograms(30);
  flat.cooling = "liquid";
  flat.liquid_heat_share = 0.8;
  c.nodes = {eight, flat};
  RackPart cabinet;
  cabinet.id = "cabinet";
  cabinet.name = "Cabinet";
  cabinet.rack_units = 42;
  cabinet.width = millimeters(600);
  cabinet.depth = millimeters(1200);
  cabinet.empty_mass = kilograms(140);
  c.racks = {cabinet};
  SwitchPart sw;
  sw.id = "switch";
  sw.name = "Switch";
  sw.rack_units = 1;
  sw.mass = kilograms(15);
  sw.power_maximum = kilowatts(1.5);
  sw.power_typical = kilowatts(1.0);
  c.switches = {sw};
  c.assumptions = {assumption_of("air.rack_limit", 41, "kW"), assumption_of("clearance.cold_aisle_minimum", 1.2, "m"),
                   assumption_of("clearance.hot_aisle", 1.2, "m"), assumption_of("floor.rack_feet", 4, "1"), assumption_of("floor.structural_bay", 2.4, "m"),
                   assumption_of("floor.tilt_factor", 1.25, "1")};
  return c;
}

Design design_with(std::vector<RackItem> items = {}) {
  Design d;
  RackType type;
  type.id = 1;
  type.name = "Rack";
  type.rack_part = "cabinet";
  d.rack_types = share(std::vector{type});
  Id id = 10;
  for (RackItem& item : items)
    item.id = id++, item.rack_type = 1;
  d.rack_items = share(std::move(items));
  return d;
}
RackItem switches(Count count, Count lowest_half_unit, RackMount mount = RackMount::full_depth) {
  RackItem item;
  item.kind = RackItemKind::network_switch;
  item.part = "switch";
  item.count = count;
  item.lowest_half_unit = lowest_half_unit;
  item.mount = mount;
  return item;
}
Packing pack(const Design& d, const PackingRequest& request) {
  const auto p = packing(d, catalog(), request);
  if (!p) qFatal("%s", p.error().c_str());
  return *p;
}
const PackingLimit& limit_of(const Packing& p, std::string_view id) {
  return *std::find_if(p.limits.begin(), p.limits.end(), [&](const PackingLimit& l) { return l.id == id; });
}
Count nodes_by(const Packing& p, std::string_view id) { return limit_of(p, id).nodes.value; }

} // namespace

class TestPacking : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyLimitByHand() {
    PackingRequest q{.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(35)};
    const Packing p = pack(design_with(), q);
    QCOMPARE(nodes_by(p, "units"), Count{5}); // 42 / 8
    QCOMPARE(nodes_by(p, "power"), Count{3}); // 35 / 10.2
    // 1221 x 0.6 x (1.2 + 0.6 + 0.6) = 1758.24 kg; (1758.24 - 140) / 130 = 12.4
    QCOMPARE(nodes_by(p, "floor"), Count{12});
    QCOMPARE(nodes_by(p, "point_load"), Count{15}); // 680 x 4 / 1.25 = 2176 kg; (2176 - 140) / 130 = 15.7
    QCOMPARE(limit_of(p, "liquid").nodes.completeness, Completeness::not_applicable);
    QCOMPARE(nodes_by(p, "air"), Count{4}); // 41 / 10.2
    QCOMPARE(p.nodes.value, Count{3});
    QCOMPARE(p.binding, std::string("power"));
    const Figure* figure = p.page->find("packing.power");
    QVERIFY(figure);
    QCOMPARE(figure->inputs.size(), 3u);
    QVERIFY(p.missing.empty());
  }

  void theFloorOfTheHallCounts() {
    // A tile that takes 200 kg a foot carries 4 x 200 / 1.25 = 640 kg: (640 - 140) / 130 is 3. Over aisles of 6 m a floor
    // of 400 kg/m2 carries no more than a bay of 2.4 m: 400 x 0.6 x 2.4 = 576 kg, again 3.
    Design d = design_with();
    Hall hall;
    hall.id = 5;
    hall.name = "H";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 20000}, {0, 20000}};
    hall.tile_point_load = kilograms(200);
    hall.floor_rating = kilograms_per_square_meter(400);
    hall.cold_aisle_minimum = hall.hot_aisle_minimum = meters(6);
    d.halls = share(std::vector{hall});
    const Packing p = pack(d, {.node_part = "eight", .rack_type = 1, .hall = 5});
    QCOMPARE(nodes_by(p, "point_load"), Count{3});
    QCOMPARE(nodes_by(p, "floor"), Count{3});
  }

  void theOtherContentTakesItsShare() {
    // Two switches at the bottom: 40 units left; 35 - 3 = 32 kW left.
    const Packing p =
        pack(design_with({switches(2, 1)}), {.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(35)});
    QCOMPARE(nodes_by(p, "units"), Count{5});
    QCOMPARE(nodes_by(p, "power"), Count{3});
    QCOMPARE(pack(design_with({switches(4, 1)}), {.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(35)})
                 .nodes.value,
             Count{2}); // 29 / 10.2
  }

  void theOthersCountAtTheBasisOfTheProject() {
    PackingRequest q{.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(25.4)};
    Design d = design_with({switches(2, 1)});
    QCOMPARE(nodes_by(pack(d, q), "power"), Count{2}); // nameplate: (25.4 - 2 x 1.5) / 10.2 = 2.2
    Project typical = *d.project;
    typical.power_basis = PowerBasis::typical;
    d.project = share(typical);
    QCOMPARE(nodes_by(pack(d, q), "power"), Count{3}); // (25.4 - 2 x 1.0) / 7.7 = 3.04; with nameplate switches 2.9
    // What the catalog does not state at that basis stands in, and is said: a switch has no measured power.
    typical.power_basis = PowerBasis::measured;
    d.project = share(typical);
    QCOMPARE(nodes_by(pack(d, q), "power"), Count{3});
    Figures figures;
    figures.add(pack(d, q));
    const Figure* item = figures.find("packing.item.10.power");
    QVERIFY(item && item->value == 2000.0);
    QVERIFY(item->completeness == Completeness::estimate);
  }

  void halfUnitsAndSplitStretches() {
    // 1.5 units are three half units: 84 / 3 = 28. A switch in half units 40 and 41 leaves 39 and 43: 13 + 14.
    QCOMPARE(nodes_by(pack(design_with(), {.node_part = "flat", .rack_type = 1}), "units"), Count{28});
    const Design split = design_with({switches(1, 40)});
    QCOMPARE(*free_units(catalog(), (*split.rack_types)[0], *split.rack_items, RackMount::full_depth),
             (std::vector<FreeUnits>{{1, 39}, {42, 43}}));
    QCOMPARE(nodes_by(pack(split, {.node_part = "flat", .rack_type = 1}), "units"), Count{27});
  }

  void mountsShareTheDepth() {
    // Switches at the rear leave the front free, and nothing of full depth beside them.
    const Design d = design_with({switches(2, 1, RackMount::rear)});
    QCOMPARE(nodes_by(pack(d, {.node_part = "flat", .rack_type = 1, .mount = RackMount::front}), "units"), Count{28});
    QCOMPARE(nodes_by(pack(d, {.node_part = "flat", .rack_type = 1, .mount = RackMount::full_depth}), "units"),
             Count{26}); // 80 / 3
    // Beside the rails nothing is taken.
    QCOMPARE(
        nodes_by(pack(design_with({switches(2, 1, RackMount::zero_u_left)}), {.node_part = "eight", .rack_type = 1}),
                 "units"),
        Count{5});
    // Items that were drawn onto each other stand one above the other.
    QCOMPARE(
        nodes_by(pack(design_with({switches(2, 1), switches(2, 1)}), {.node_part = "flat", .rack_type = 1}), "units"),
        Count{25}); // 76 / 3
  }

  void heatToLiquidAndAir() {
    const Packing p =
        pack(design_with(),
             {.node_part = "flat", .rack_type = 1, .liquid_limit = kilowatts(100), .air_limit = kilowatts(10)});
    QCOMPARE(nodes_by(p, "liquid"), Count{25}); // 100 / 4
    QCOMPARE(nodes_by(p, "air"), Count{10});    // 10 / 1
    QCOMPARE(p.binding, std::string("air"));
  }

  void whatIsNotKnownIsSaid() {
    Catalog c = catalog();
    NodePart vague;
    vague.id = "vague";
    vague.name = "Vague";
    vague.rack_units = 4;
    c.nodes.push_back(vague);
    const auto p = packing(design_with(), c, {.node_part = "vague", .rack_type = 1, .feed_limit = kilowatts(35)});
    QVERIFY(p);
    QCOMPARE(p->nodes.value, Count{10});
    QCOMPARE(p->binding, std::string("units"));
    QVERIFY(!p->missing.empty());
    QCOMPARE(p->nodes.completeness, Completeness::estimate);
    QVERIFY(!packing(design_with(), c, {.node_part = "no such", .rack_type = 1}));
    QVERIFY(!packing(design_with(), c, {.node_part = "eight", .rack_type = 99}));
  }

  void wholeQuotientsHold() {
    // 30.6 kW hold three nodes of 10.2 kW although the machine divides to 2.9999999999999996.
    QCOMPARE(
        nodes_by(pack(design_with(), {.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(30.6)}), "power"),
        Count{3});
    QCOMPARE(nodes_by(pack(design_with(), {.node_part = "eight", .rack_type = 1, .feed_limit = kilowatts(1)}), "power"),
             Count{0});
  }
};

QTEST_APPLESS_MAIN(TestPacking)
#include "test_packing.moc"
