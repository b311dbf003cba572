// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

#include "fabric/device_places.h"

using namespace hallwright;

namespace {

constexpr Id hall = 5;

/// A wiring without links: only its devices count here.
Wiring devices(Count nodes, Count nodes_per_unit, Count leafs_per_unit, Count spines, Count cores = 0,
               Count managers = 0) {
  Wiring w;
  const auto add = [&](DeviceKind kind, Count n, auto&& set) {
    for (Count i = 0; i < n; ++i) {
      WiredDevice d;
      d.kind = kind;
      d.index = static_cast<std::uint32_t>(i);
      set(d, i);
      w.devices.push_back(d);
    }
    return static_cast<std::uint32_t>(w.devices.size());
  };
  const Count units = (nodes + nodes_per_unit - 1) / nodes_per_unit;
  w.first_manager = add(DeviceKind::node, nodes,
                        [&](WiredDevice& d, Count i) { d.unit = static_cast<std::uint32_t>(i / nodes_per_unit); });
  w.first_leaf = add(DeviceKind::manager, managers, [](WiredDevice&, Count) {});
  w.first_spine = add(DeviceKind::leaf, units * leafs_per_unit,
                      [&](WiredDevice& d, Count i) { d.unit = static_cast<std::uint32_t>(i / leafs_per_unit); });
  w.first_core = add(DeviceKind::spine, spines, [](WiredDevice&, Count) {});
  add(DeviceKind::core, cores, [](WiredDevice&, Count) {});
  return w;
}

struct Drawing {
  std::vector<RackType> types;
  std::vector<RackItem> items;
  std::vector<Rack> racks;
  std::vector<NodePart> nodes;
  std::vector<SwitchPart> switches;

  Drawing() {
    NodePart node;
    node.id = "node";
    node.rack_units = 8.0;
    nodes = {node};
    SwitchPart sw;
    sw.id = "switch";
    sw.rack_units = 1.0;
    switches = {sw};
    for (Id id : {1, 2, 3}) {
      RackType t;
      t.id = id;
      t.width = millimeters(600);
      t.depth = millimeters(1200);
      t.role = id == 1 ? RackRole::compute : RackRole::fabric;
      types.push_back(t);
    }
    add_item(1, RackItemKind::node, "node", 4, 5);
    add_item(2, RackItemKind::network_switch, "switch", 2, 81);
  }
  RackItem& add_item(Id type, RackItemKind kind, std::string part, Count count, Count lowest) {
    RackItem i;
    i.id = 20 + static_cast<Id>(items.size());
    i.rack_type = type;
    i.kind = kind;
    i.part = std::move(part);
    i.count = count;
    i.lowest_half_unit = lowest;
    items.push_back(i);
    return items.back();
  }
  Rack& add_rack(Id id, Id type, double x, double y, Id row = 0) {
    Rack r;
    r.id = id;
    r.rack_type = type;
    r.hall = hall;
    r.row = row;
    r.x = millimeters(x);
    r.y = millimeters(y);
    racks.push_back(r);
    return racks.back();
  }
  PlaceInputs inputs() const {
    Catalog c;
    for (const auto& n : nodes)
      c.nodes.push_back(n);
    for (const auto& s : switches)
      c.switches.push_back(s);
    Assumption first;
    first.id = "space.rack_first_unit_height";
    first.value = 100;
    first.unit = "mm";
    c.assumptions = {first};
    auto sorted = racks;
    std::sort(sorted.begin(), sorted.end(), [](const Rack& a, const Rack& b) { return a.id < b.id; });
    return {share(types), share(items), share(sorted), share(std::move(c))};
  }
};

PlaceRequest request() {
  PlaceRequest q;
  q.network = 7;
  q.node_part = "node";
  q.leaf_part = q.spine_part = q.core_part = "switch";
  return q;
}

} // namespace

class TestDevicePlaces : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void nodesFillRacksRowByRowFromBelow() {
    Drawing d;
    d.add_rack(103, 1, 0, 0, 51);
    d.add_rack(101, 1, 600, 5000, 52);
    d.add_rack(102, 1, 600, 0, 51);
    d.add_rack(104, 1, 9000, 0); // without a row: last
    const Wiring w = devices(13, 4, 1, 0);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, request());
    const std::vector<Id> racks{102, 102, 102, 102, 103, 103, 103, 103, 101, 101, 101, 101, 104};
    for (std::uint32_t i = 0; i < 13; ++i)
      QCOMPARE(p.rack_of(i), racks[i]);
    // 8 U each from half unit 5 (U3): U3, U11, U19, U27; the middle of the first is 100 + 22.225 x (4 + 8) = 366.7 mm.
    QCOMPARE(p.unit_text(0), std::string("U3"));
    QCOMPARE(p.unit_text(1), std::string("U11"));
    QCOMPARE(p.unit_text(3), std::string("U27"));
    QVERIFY(std::abs(p.places[0].height_mm - 366.7) < 1e-9);
    QVERIFY(std::is_sorted(p.racks.begin(), p.racks.end(),
                           [](const DeviceRack& a, const DeviceRack& b) { return a.rack < b.rack; }));
  }

  void heightIsThatOfTheRackUnit() {
    Drawing d;
    d.items.clear();
    d.add_item(2, RackItemKind::network_switch, "switch", 1, 79); // U40
    d.add_rack(101, 2, 0, 0);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(devices(0, 1, 0, 1), request());
    QVERIFY(std::abs(p.places[0].height_mm - 1855.775) < 1e-9); // 100 + 39.5 x 44.45
  }

  void leafsStandNearTheirUnit() {
    Drawing d;
    d.add_rack(101, 1, 0, 0);
    d.add_rack(102, 1, 20000, 0);
    d.add_rack(111, 2, 19000, 0); // drawn first, but near the second unit
    d.add_rack(112, 2, 1000, 0);
    d.add_rack(113, 2, 40000, 0);
    const Wiring w = devices(8, 4, 2, 2);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, request());
    QCOMPARE(p.rack_of(w.first_leaf), Id{112});
    QCOMPARE(p.rack_of(w.first_leaf + 1), Id{112});
    QCOMPARE(p.rack_of(w.first_leaf + 2), Id{111});
    QCOMPARE(p.rack_of(w.first_spine), Id{113}); // the rest
    QCOMPARE(p.undrawn_count(), Count{0});
    QVERIFY(p.notes.empty());
  }

  void whatLacksIsCounted() {
    Drawing d;
    d.add_rack(101, 1, 0, 0);
    d.add_rack(111, 2, 1000, 0);
    const Wiring w = devices(6, 4, 2, 3, 0, 1);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, request());
    QCOMPARE(p.undrawn[static_cast<std::size_t>(DeviceKind::node)], Count{2});
    QCOMPARE(p.undrawn[static_cast<std::size_t>(DeviceKind::manager)], Count{1});
    QCOMPARE(p.undrawn[static_cast<std::size_t>(DeviceKind::leaf)], Count{2});
    QCOMPARE(p.undrawn[static_cast<std::size_t>(DeviceKind::spine)], Count{3});
    QVERIFY(std::find(p.notes.begin(), p.notes.end(), "2 of 4 leafs are not drawn") != p.notes.end());
    QVERIFY(!p.places[5].drawn());
    QCOMPARE(p.rack_of(5), Id{0});
  }

  void itemsOfATierOrNetworkHoldOnlySuch() {
    Drawing d;
    d.items.clear();
    d.add_item(2, RackItemKind::network_switch, "switch", 1, 1).tier = SwitchTier::spine;
    d.add_item(2, RackItemKind::network_switch, "switch", 1, 11).network = 8;
    d.add_item(2, RackItemKind::network_switch, "switch", 1, 21);
    d.add_item(2, RackItemKind::network_switch, "other", 1, 31);
    d.add_rack(111, 2, 0, 0);
    const Wiring w = devices(0, 1, 0, 3);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, request());
    QCOMPARE(p.undrawn_count(), Count{1});
    QCOMPARE(p.unit_text(0), std::string("U1")); // what names the tier comes first
    QCOMPARE(p.unit_text(1), std::string("U11"));
  }

  void aPlaceIsGivenOnce() {
    Drawing d;
    d.add_rack(111, 2, 0, 0);
    DrawnPlaces drawn(d.inputs());
    const Wiring one = devices(0, 1, 0, 1);
    const DevicePlaces a = drawn.place(one, request()), b = drawn.place(one, request()),
                       c = drawn.place(one, request());
    QVERIFY(a.places[0].drawn() && b.places[0].drawn());
    QVERIFY(a.places[0].half_unit != b.places[0].half_unit);
    QVERIFY(!c.places[0].drawn());
  }

  void spinesOfAPodStandNearIt() {
    Drawing d;
    d.add_rack(101, 1, 0, 0);
    d.add_rack(102, 1, 50000, 0);
    for (Id k = 0; k < 4; ++k)
      d.add_rack(111 + k, 2,
                 k % 2 == 0 ? 51000 + 600.0 * static_cast<double>(k) : 1000 + 600.0 * static_cast<double>(k), 0);
    d.add_rack(120, 2, 25000, 0);
    Wiring w = devices(8, 4, 2, 4, 2);
    for (std::uint32_t i = w.first_leaf; i < w.first_spine; ++i)
      w.devices[i].pod = w.devices[i].unit;
    for (std::uint32_t i = w.first_spine; i < w.first_core; ++i)
      w.devices[i].pod = (i - w.first_spine) / 2;
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, request());
    const auto x = [&](std::uint32_t device) { return p.racks[p.places[device].rack].x_mm; };
    QVERIFY(x(w.first_spine) < 10000 && x(w.first_spine + 1) < 10000);
    QVERIFY(x(w.first_spine + 2) > 40000 && x(w.first_spine + 3) > 40000);
    QCOMPARE(p.rack_of(w.first_core), Id{120});
  }

  /// Management ports: eight of a rack's four nodes, then the switches of other networks.
  void managementPorts() {
    Drawing d;
    SwitchPart other = d.switches[0];
    other.id = "management";
    d.switches.insert(d.switches.begin(), other);
    d.add_item(3, RackItemKind::network_switch, "management", 1, 1);
    d.add_rack(101, 1, 0, 0);
    d.add_rack(111, 2, 1000, 0);
    d.add_rack(112, 3, 2000, 0);
    PlaceRequest q = request();
    q.leaf_part = q.spine_part = q.core_part = "management";
    q.devices_per_node = 2;
    q.switches_as_nodes = true;
    const Wiring w = devices(10, 10, 1, 0);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, q);
    QCOMPARE(p.places[0], p.places[1]);
    QVERIFY(!(p.places[1] == p.places[2]));
    QCOMPARE(p.rack_of(7), Id{101});
    QCOMPARE(p.rack_of(8), Id{111});
    QCOMPARE(p.rack_of(9), Id{111});
    QCOMPARE(p.rack_of(w.first_leaf), Id{112});
  }

  /// Storage systems of four ports on a network of two links an end point: two end points each.
  void storageComesAfterTheNodes() {
    Drawing d;
    d.add_item(3, RackItemKind::storage, "store", 2, 1);
    d.add_rack(101, 1, 0, 0);
    d.add_rack(112, 3, 2000, 0);
    PlaceRequest q = request();
    q.storage_part = "store";
    q.places_per_storage = 2;
    const Wiring w = devices(9, 9, 0, 0);
    const DevicePlaces p = DrawnPlaces(d.inputs()).place(w, q);
    QCOMPARE(p.rack_of(3), Id{101});
    QCOMPARE(p.rack_of(4), Id{112});
    QCOMPARE(p.places[4], p.places[5]);
    QVERIFY(!(p.places[5] == p.places[6]));
    QVERIFY(p.places[7].drawn());
    QVERIFY(!p.places[8].drawn());
  }

  /// 12,288 nodes and 3,840 switches: each place is given once, and again the same way.
  void aHundredThousandGpus() {
    Drawing d;
    d.items.clear();
    d.add_item(1, RackItemKind::node, "node", 4, 5);
    d.add_item(2, RackItemKind::network_switch, "switch", 11, 31);
    for (Id i = 0; i < 3072 + 350; ++i)
      d.add_rack(1000 + i, i % 10 == 5 && i < 3500 ? 2 : 1, 600.0 * static_cast<double>(i % 40),
                 2700.0 * static_cast<double>(i / 40), 50 + i / 40);
    const Wiring w = devices(12000, 64, 8, 1536, 768);
    const PlaceInputs in = d.inputs();
    const DevicePlaces p = DrawnPlaces(in).place(w, request()), again = DrawnPlaces(in).place(w, request());
    QVERIFY(p == again);
    std::set<std::tuple<std::uint32_t, std::int32_t>> seen;
    for (const DevicePlace& place : p.places)
      if (place.drawn()) QVERIFY(seen.insert({place.rack, place.half_unit}).second);
    QBENCHMARK_ONCE { QVERIFY(DrawnPlaces(in).place(w, request()).places.size() == w.devices.size()); }
  }
};

QTEST_APPLESS_MAIN(TestDevicePlaces)
#include "test_device_places.moc"
