// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "fabric/cable_plan.h"
#include "fabric/cable_plan_trays.h"

using namespace hallwright;

namespace {

constexpr Id hall = 5;

/// The shipped parts, with the lowest rack unit at 100 mm for figures that are easy by hand.
const Shared<Catalog>& shipped() {
  static const Shared<Catalog> catalog = [] {
    Catalog c = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
    for (Assumption& a : c.assumptions)
      if (a.id == "space.rack_first_unit_height") a.value = 100;
    return share(std::move(c));
  }();
  return catalog;
}

/// Nodes in racks of type 1, four from U3 on; switches in racks of type 2, from U41 on.
struct DrawnHall {
  Design design;
  std::vector<Rack> racks;
  std::vector<Tray> trays;
  std::vector<RackType> types;
  std::vector<RackItem> items;
  std::string switch_part = "qm9700";
  Count switches_per_rack = 4;

  explicit DrawnHall(std::string part = "qm9700", Count per_rack = 4)
      : switch_part(std::move(part)), switches_per_rack(per_rack) {
    for (Id id : {1, 2, 3}) {
      RackType t;
      t.id = id;
      t.width = millimeters(600);
      t.depth = millimeters(1200);
      t.role = id == 1 ? RackRole::compute : RackRole::fabric;
      types.push_back(t);
    }
    item(1, RackItemKind::node, "dgx-h100", 4, 5);
    item(2, RackItemKind::network_switch, switch_part, switches_per_rack, 81);
    item(3, RackItemKind::node, "dgx-h100", 1, 5); // a node and its switch in one rack
    item(3, RackItemKind::network_switch, switch_part, 1, 81);
  }
  void item(Id type, RackItemKind kind, std::string part, Count count, Count lowest) {
    RackItem i;
    i.id = 20 + static_cast<Id>(items.size());
    i.rack_type = type;
    i.kind = kind;
    i.part = std::move(part);
    i.count = count;
    i.lowest_half_unit = lowest;
    items.push_back(i);
  }
  /// A rack whose footprint is centred here.
  void rack(Id id, Id type, double x, double y) {
    Rack r;
    r.id = id;
    r.rack_type = type;
    r.hall = hall;
    r.x = millimeters(x - 300);
    r.y = millimeters(y - 600);
    racks.push_back(r);
  }
  void tray(Id id, std::vector<PlanPoint> path, double level = 2700) {
    Tray t;
    t.id = id;
    t.hall = hall;
    t.path = std::move(path);
    t.elevation = millimeters(level);
    trays.push_back(t);
  }
  void build() {
    design.rack_types = share(types);
    design.rack_items = share(items);
    design.racks = share(racks);
    design.trays = share(trays);
  }
};

struct Planned {
  std::shared_ptr<const Wiring> wiring;
  std::shared_ptr<const DevicePlaces> places;
  RouteResult routes;
  CablePlanInputs inputs;
  CablePlan plan;
};

Planned planned(DrawnHall h, std::shared_ptr<const Wiring> wiring, Network n = {}, const CablePlan* previous = nullptr,
                Shared<Catalog> catalog = shipped(), Shared<CableRoutes> keep_routes = nullptr) {
  h.build();
  const Design& d = h.design;
  Planned p;
  p.wiring = std::move(wiring);
  p.routes = routes({d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, d.trays, d.pipes, catalog});
  if (n.id == 0) n.id = 7;
  if (n.switch_part.empty()) n.switch_part = h.switch_part;
  DrawnPlaces drawn({d.rack_types, d.rack_items, d.racks, catalog});
  PlaceRequest q;
  q.network = n.id;
  q.leaf_part = q.spine_part = q.core_part = n.switch_part;
  p.places = std::make_shared<const DevicePlaces>(drawn.place(*p.wiring, q));
  p.inputs = {n, p.wiring, p.places, keep_routes ? keep_routes : p.routes.cables, catalog, "dgx-h100", 30000.0};
  p.plan = cable_plan(p.inputs, previous);
  return p;
}

struct Joined {
  std::uint32_t node;
  std::uint16_t node_port;
  std::uint32_t leaf;
  std::uint16_t leaf_port;
};
/// Nodes and leafs with these links.
std::shared_ptr<const Wiring> wired(std::uint32_t nodes, std::uint32_t leafs, const std::vector<Joined>& links,
                                    Cages cages = {32, 2}) {
  Wiring w;
  w.request.leaf_cages = w.request.spine_cages = w.request.core_cages = cages;
  for (std::uint32_t i = 0; i < nodes + leafs; ++i) {
    WiredDevice d;
    d.kind = i < nodes ? DeviceKind::node : DeviceKind::leaf;
    d.index = i < nodes ? i : i - nodes;
    w.devices.push_back(d);
  }
  w.first_manager = w.first_leaf = nodes;
  w.first_spine = w.first_core = nodes + leafs;
  for (const Joined& j : links) {
    WiredLink l;
    l.near = j.node;
    l.near_port = j.node_port;
    l.far = nodes + j.leaf;
    l.far_port = j.leaf_port;
    w.links.push_back(l);
  }
  const auto n = static_cast<std::uint32_t>(w.links.size());
  w.first_of_class = {0, n, n, n, n, n};
  w.index_links();
  return std::make_shared<const Wiring>(std::move(w));
}
/// Two switches of two tiers, joined by links on these ports of both.
std::shared_ptr<const Wiring> uplinks(const std::vector<std::uint16_t>& ports, Cages cages = {32, 2}) {
  Wiring w;
  w.request.leaf_cages = w.request.spine_cages = w.request.core_cages = cages;
  w.devices.resize(2);
  w.devices[0].kind = DeviceKind::leaf;
  w.devices[1].kind = DeviceKind::spine;
  w.first_spine = 1;
  w.first_core = 2;
  for (const std::uint16_t port : ports) {
    WiredLink l;
    l.near = 0, l.far = 1, l.near_port = l.far_port = port, l.kind = LinkClass::leaf_spine;
    w.links.push_back(l);
  }
  const auto n = static_cast<std::uint32_t>(ports.size());
  w.first_of_class = {0, 0, n, n, n, n};
  w.index_links();
  return std::make_shared<const Wiring>(std::move(w));
}
std::shared_ptr<const Wiring> h100_unit(Count nodes = 32) {
  WiringRequest q;
  q.counts.nodes = nodes;
  q.counts.links_per_node = 8;
  q.counts.radix = 64;
  q.counts.nodes_per_unit = 32;
  q.counts.tiers = Tiers::two;
  q.leaf_cages = q.spine_cages = q.core_cages = {32, 2};
  return std::make_shared<const Wiring>(wire(q).value());
}
Network optical(LinkMedium medium = LinkMedium::multimode) {
  Network n;
  n.node_medium = n.uplink_medium = medium;
  return n;
}
Count modules(const CablePlan& p, DeviceKind in) {
  Count n = 0;
  for (const ModuleRow& row : p.modules)
    if (row.in == in) n += row.modules;
  return n;
}
bool has_problem(const CablePlan& p, CableProblem::Kind kind) {
  return std::any_of(p.problems.begin(), p.problems.end(), [&](const CableProblem& x) { return x.kind == kind; });
}
void near(double ours, double expected, double tolerance = 1e-6) {
  QVERIFY2(std::abs(ours - expected) <= tolerance,
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}
/// Two plans of one wiring are the same in every table.
void same(const CablePlan& a, const CablePlan& b) {
  QVERIFY(a.links == b.links);
  QVERIFY(a.cables == b.cables);
  QVERIFY(a.modules == b.modules);
  QVERIFY(a.media == b.media);
  QVERIFY(a.lengths == b.lengths);
  QVERIFY(a.racks == b.racks);
  QVERIFY(a.problems == b.problems);
  QVERIFY(a.notes == b.notes);
  QCOMPARE(a.worst_skew_ns, b.worst_skew_ns);
}

} // namespace

class TestCablePlan : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// A node in U3 to U10, its middle 100 + 6 x 44.45 = 366.7 mm; a switch in U41, 100 + 40.5 x 44.45 = 1,900.225 mm; a
  /// tray at 2.7 m, 10 m along it. (10,000 + 2,333.3 + 799.775 + 2 x 500) x 1.05 = 14,839.72875 mm: 15 m to order.
  void oneCableAlongATray() {
    DrawnHall h;
    h.rack(101, 1, 0, 0);
    h.rack(111, 2, 10000, 0);
    h.tray(201, {{-1000, 0}, {11000, 0}});
    const Planned p = planned(h, wired(1, 1, {{0, 1, 0, 1}}), optical());
    near(p.plan.links[0].routed_mm, 14839.72875);
    QVERIFY(p.plan.links[0].how == LengthKind::routed);
    QCOMPARE(p.plan.links[0].ordered_mm, 15000u);
    QCOMPARE(p.plan.cables.size(), 1u);
    near(p.plan.cables[0].ordered_m - p.plan.cables[0].routed_m, 0.160271, 1e-6);
    // Cut to length: the next tenth of a metre.
    Network cut = optical();
    cut.cable_lengths = CableLengths::cut;
    QCOMPARE(planned(h, wired(1, 1, {{0, 1, 0, 1}}), cut).plan.links[0].ordered_mm, 14900u);
  }

  /// Without trays: 6 m along x, 4 m along y, up to 2.7 m and down: the same sum, told as an estimate.
  void withoutTraysItIsAnEstimate() {
    DrawnHall h;
    h.rack(101, 1, 0, 0);
    h.rack(111, 2, 6000, 4000);
    const Planned p = planned(h, wired(1, 1, {{0, 1, 0, 1}}), optical());
    near(p.plan.links[0].routed_mm, 14839.72875);
    QVERIFY(p.plan.links[0].how == LengthKind::estimated);
    QCOMPARE(p.plan.estimated_links, Count{1});
    QVERIFY(std::any_of(p.plan.notes.begin(), p.plan.notes.end(),
                        [](const std::string& s) { return s.find("estimated") != std::string::npos; }));
  }

  void withoutARackTheStandInCounts() {
    DrawnHall h;
    h.rack(101, 1, 0, 0);
    const Planned p = planned(h, wired(1, 1, {{0, 1, 0, 1}}), optical());
    near(p.plan.links[0].routed_mm, 31000 * 1.05); // 30 m and dress
    QVERIFY(p.plan.links[0].how == LengthKind::assumed);
    QCOMPARE(p.plan.assumed_links, Count{1});
    QCOMPARE(p.plan.racks[0].rack, Id{0}); // the switch's module stands nowhere
    QCOMPARE(p.plan.racks[0].modules, Count{1});
  }

  void withinOneRack() {
    DrawnHall h;
    h.rack(101, 3, 0, 0);
    h.tray(201, {{-1000, 0}, {11000, 0}});
    const Planned p = planned(h, wired(1, 1, {{0, 1, 0, 1}}), optical());
    near(p.plan.links[0].routed_mm, (1900.225 - 366.7 + 1000) * 1.05);
    QVERIFY(p.plan.links[0].how == LengthKind::within_rack);
  }

  /// Every length against the door for routes, one link at a time, in drawings with trays above and below the ports.
  void lengthsAreThoseOfTheRoutes() {
    std::mt19937 random(4);
    const auto within = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int round = 0; round < 40; ++round) {
      DrawnHall h;
      for (Id i = 0; i < 4; ++i)
        h.rack(101 + i, 1, within(-10, 10) * 1000.0, within(-10, 10) * 1000.0);
      for (Id i = 0; i < 2; ++i)
        h.rack(111 + i, 2, within(-10, 10) * 1000.0, within(-10, 10) * 1000.0);
      const int trays = within(0, 6);
      for (int i = 0; i < trays; ++i) {
        const double level = std::array{2700.0, 2700.0, -300.0, 1200.0}[static_cast<std::size_t>(within(0, 3))];
        const double y = within(-10, 10) * 1000.0;
        if (within(0, 1) == 0)
          h.tray(201 + i, {{-12000, y}, {12000, y}}, level);
        else
          h.tray(201 + i, {{y, -12000}, {y, 12000}}, level);
      }
      std::vector<Joined> links;
      for (std::uint32_t n = 0; n < 16; ++n)
        for (std::uint16_t r = 0; r < 8; ++r)
          links.push_back({n, static_cast<std::uint16_t>(r + 1), r, static_cast<std::uint16_t>(n + 1)});
      const Planned p = planned(h, wired(16, 8, links), optical());
      for (std::size_t i = 0; i < links.size(); ++i) {
        const WiredLink& l = p.wiring->links[i];
        const auto way = p.routes.cables->route(p.places->rack_of(l.near), p.places->rack_of(l.far),
                                                p.places->places[l.near].height_mm, p.places->places[l.far].height_mm);
        QVERIFY(way.has_value());
        near(p.plan.links[i].routed_mm, (way->length() + 1000) * 1.05, 1e-6);
        QCOMPARE(p.plan.links[i].how == LengthKind::routed, way->routed);
      }
    }
  }

  /// Research: a 256-GPU H100 unit, all optical: 128 twin modules at nodes, 128 at leafs towards them, 128 at leafs
  /// upwards, 128 at spines: 512 twin modules for 512 links, each with a fibre of its own.
  void aUnitOfH100() {
    const Planned p = planned(DrawnHall(), h100_unit(), optical());
    QCOMPARE(p.plan.links.size(), 512u);
    QCOMPARE(modules(p.plan, DeviceKind::node), Count{128});
    QCOMPARE(modules(p.plan, DeviceKind::leaf), Count{256});
    QCOMPARE(modules(p.plan, DeviceKind::spine), Count{128});
    Count cables = 0, links = 0, spares = 0;
    for (const CableRow& row : p.plan.cables)
      cables += row.cables, links += row.links, spares += row.spares;
    QCOMPARE(cables, Count{512});
    QCOMPARE(links, Count{512});
    QCOMPARE(spares, Count{11}); // 2 % of 512 of one length is 10.24
    for (const ModuleRow& row : p.plan.modules) {
      QCOMPARE(row.idle_links, Count{0});
      QCOMPARE(row.part, std::string(row.in == DeviceKind::node ? "mma4z00-ns-flt" : "mma4z00-ns"));
    }
    // 15 W each: 128 in nodes, 384 in switches.
    QCOMPARE(p.plan.racks.size(), 1u);
    near(p.plan.racks[0].node_module_w, 1920);
    near(p.plan.racks[0].switch_module_w, 5760);
    // Spares of modules: 2 % of 384 is 7.68, of 128 is 2.56.
    Count spare_modules = 0;
    for (const ModuleRow& row : p.plan.modules)
      spare_modules += row.spares;
    QCOMPARE(spare_modules, Count{8 + 3});
    QVERIFY(p.plan.problems.empty());
  }

  /// Nodes with single-port adapters: 256 modules there.
  void singlePortNodes() {
    Planned p = planned(DrawnHall(), h100_unit(), optical());
    p.inputs.node_part = "dgx-b200"; // no twin cages known
    const CablePlan plan = cable_plan(p.inputs);
    QCOMPARE(modules(plan, DeviceKind::node), Count{256});
    QCOMPARE(modules(plan, DeviceKind::leaf), Count{256});
  }

  /// An odd port still takes a module.
  void anOddPortBurnsAModule() {
    Network n = optical();
    n.node_optic_part = "mma4z00-ns400";
    n.leaf_optic_part = "mma4z00-ns";
    Planned p = planned(DrawnHall(), wired(3, 1, {{0, 1, 0, 1}, {1, 1, 0, 2}, {2, 1, 0, 3}}), n);
    p.inputs.node_part = "dgx-b200";
    const CablePlan plan = cable_plan(p.inputs);
    QCOMPARE(modules(plan, DeviceKind::leaf), Count{2});
    QCOMPARE(modules(plan, DeviceKind::node), Count{3});
    for (const ModuleRow& row : plan.modules)
      QCOMPARE(row.idle_links, Count{row.in == DeviceKind::leaf ? 1 : 0});
  }

  /// Four links of 200 in one twin cage: one module, two splitters, four modules at the nodes.
  void splittersOfOneCage() {
    Network n = optical(LinkMedium::single_mode);
    n.link_rate = gigabits_per_second(200);
    Planned p = planned(DrawnHall(), wired(4, 1, {{0, 1, 0, 1}, {1, 1, 0, 2}, {2, 1, 0, 3}, {3, 1, 0, 4}}, {32, 4}), n);
    p.inputs.node_part = "dgx-b200"; // adapters of 400
    const CablePlan plan = cable_plan(p.inputs);
    QVERIFY(plan.problems.empty());
    QCOMPARE(modules(plan, DeviceKind::leaf), Count{1});
    QCOMPARE(modules(plan, DeviceKind::node), Count{4});
    QCOMPARE(plan.cables.size(), 1u);
    QCOMPARE(plan.cables[0].links, Count{4});
    QCOMPARE(plan.cables[0].cables, Count{2});
    QCOMPARE(plan.cables[0].part, std::string("smf-mpo-split-400"));
    QCOMPARE(plan.links[1].cable, 0u);
    QCOMPARE(plan.links[3].cable, 2u);
  }

  /// A cage that is not full may have splitters with idle legs: three links of 200 take two splitters all the same, and
  /// so do two that lie under different sockets; two under one socket take one.
  void splittersWithIdleLegs() {
    Network n = optical(LinkMedium::single_mode);
    n.link_rate = gigabits_per_second(200);
    struct Case {
      std::vector<Joined> links;
      Count cables, idle;
    };
    for (const Case& c : {Case{{{0, 1, 0, 1}, {1, 1, 0, 2}, {2, 1, 0, 3}}, 2, 1}, Case{{{0, 1, 0, 1}, {1, 1, 0, 3}}, 2, 2},
                          Case{{{0, 1, 0, 1}, {1, 1, 0, 2}}, 1, 2}, Case{{{0, 1, 0, 4}}, 1, 3},
                          // five links: four in the first cage, one in the second
                          Case{{{0, 1, 0, 1}, {1, 1, 0, 2}, {2, 1, 0, 3}, {3, 1, 0, 4}, {4, 1, 0, 5}}, 3, 3}}) {
      const auto nodes = static_cast<std::uint32_t>(c.links.size());
      Planned p = planned(DrawnHall(), wired(nodes, 1, c.links, {32, 4}), n);
      p.inputs.node_part = "dgx-b200";
      const CablePlan plan = cable_plan(p.inputs);
      QVERIFY(plan.problems.empty());
      QCOMPARE(modules(plan, DeviceKind::leaf), Count{nodes > 4 ? 2 : 1});
      QCOMPARE(modules(plan, DeviceKind::node), Count{nodes});
      QCOMPARE(plan.cables.size(), 1u);
      QCOMPARE(plan.cables[0].links, Count{nodes});
      QCOMPARE(plan.cables[0].cables, c.cables);
      for (const ModuleRow& row : plan.modules)
        if (row.in == DeviceKind::leaf) QCOMPARE(row.idle_links, c.idle);
    }
  }

  /// Split copper in one rack: three adapters at two twin cages of the leaf are two cables, of which one has an idle leg.
  /// Middles 366.7, 722.3 and 1,077.9 mm, the switch at 1,900.225 mm; with 1,000 mm dress and 5 %: 2,660.2, 2,286.8 and
  /// 1,913.4 mm. The first cable is as long as its longer leg.
  void splitCopperWithAnIdleLeg() {
    DrawnHall h("qm9700", 1);
    h.item(3, RackItemKind::node, "dgx-h100", 2, 21);
    h.rack(113, 3, 0, 0);
    Network n = optical(LinkMedium::passive_copper);
    Planned p = planned(h, wired(3, 1, {{0, 1, 0, 1}, {1, 1, 0, 2}, {2, 1, 0, 3}}), n);
    p.inputs.node_part = "dgx-b200";
    const CablePlan plan = cable_plan(p.inputs);
    QVERIFY(plan.problems.empty());
    QVERIFY(plan.modules.empty());
    Count links = 0, cables = 0;
    double routed = 0;
    for (const CableRow& row : plan.cables) {
      QCOMPARE(row.part, std::string("dac-800-2x400"));
      links += row.links, cables += row.cables, routed += row.routed_m;
    }
    QCOMPARE(links, Count{3});
    QCOMPARE(cables, Count{2});
    near(routed, 1.05e-3 * (1900.225 - 366.7 + 1000 + 1900.225 - 1077.9 + 1000), 1e-5);
    QCOMPARE(plan.links[0].ordered_mm, 3000u);
    QCOMPARE(plan.links[1].ordered_mm, 3000u);
    QCOMPARE(plan.links[2].ordered_mm, 2000u);
    // Five ends with plugs.
    QCOMPARE(plan.racks.size(), std::size_t{1});
    near(plan.racks[0].cable_end_w, 5 * 0.1);
  }

  /// Two links of one cage to one cage of a neighbour: one twin copper cable where it reaches, no module.
  void twinCopperBetweenNeighbours() {
    DrawnHall h("qm9700", 1);
    h.rack(111, 2, 0, 0);
    h.rack(112, 2, 600, 0);
    h.tray(201, {{-1000, 0}, {1000, 0}}, 2000);
    // 600 + 2 x 99.775 + 1,000 dress, 5 %: 1,889.5 mm.
    const Planned p = planned(h, uplinks({33, 34}));
    near(p.plan.links[0].routed_mm, (600 + 2 * (2000 - 1900.225) + 1000) * 1.05);
    QCOMPARE(p.plan.cables.size(), 1u);
    QCOMPARE(p.plan.cables[0].part, std::string("dac-800"));
    QCOMPARE(p.plan.cables[0].ordered_mm, 2000u);
    QCOMPARE(p.plan.cables[0].cables, Count{1});
    QVERIFY(p.plan.modules.empty());
    QCOMPARE(p.plan.racks.size(), 2u);
    near(p.plan.racks[0].cable_end_w, 0.1);
    // One link of each cage to another cage: fibre.
    const Planned apart = planned(h, uplinks({33, 35, 37}));
    QVERIFY(apart.plan.choice_of(0)->shape == CableShape::straight); // alone in its cages: a twin cable, half used
    // Panels rule copper out.
    Network panels;
    panels.patch_panels = 2;
    const Planned patched = planned(h, uplinks({33, 34}), panels);
    QVERIFY(patched.plan.choice_of(0)->shape == CableShape::fibre);
    QCOMPARE(patched.plan.cables[0].pieces, Count{6}); // two ways of three cords
    near(patched.plan.media[0].loss.loss_db, 4 * 0.35 + 0.003 * 3.0);
  }

  void beyondReachIsTold() {
    DrawnHall h;
    h.rack(101, 1, 0, 0);
    h.rack(111, 2, 60000, 0);
    h.tray(201, {{-1000, 0}, {61000, 0}});
    const Planned p = planned(h, wired(1, 1, {{0, 1, 0, 1}}), optical());
    QVERIFY(p.plan.links[0].beyond);
    QVERIFY(has_problem(p.plan, CableProblem::Kind::beyond_reach));
    QVERIFY2(p.plan.problems[0].sentence.find("50 m") != std::string::npos, p.plan.problems[0].sentence.c_str());
    // Chosen freely, single mode reaches.
    const Planned free = planned(h, wired(1, 1, {{0, 1, 0, 1}}));
    QVERIFY(!free.plan.links[0].beyond);
    QVERIFY(free.plan.choice_of(0)->medium == LinkMedium::single_mode);
    QVERIFY(free.plan.problems.empty());
  }

  void partsThatDoNotFitAreTold() {
    Network n;
    n.node_optic_part = n.leaf_optic_part = "mma4z00-ns"; // finned plugs at the node
    n.node_cable_part = "mmf-mpo-400";
    const Planned p = planned(DrawnHall(), wired(1, 1, {{0, 1, 0, 1}}), n);
    QVERIFY(has_problem(p.plan, CableProblem::Kind::parts));
    Network none;
    none.link_rate = gigabits_per_second(25);
    none.switch_part = "cisco-93240yc-fx2";
    const Planned nothing = planned(DrawnHall(), wired(1, 1, {{0, 1, 0, 1}}, {}), none);
    QVERIFY(has_problem(nothing.plan, CableProblem::Kind::no_medium));
    QCOMPARE(nothing.plan.links[0].ordered_mm, 0u);
    QVERIFY(nothing.plan.links[0].routed_mm > 0);
  }

  /// 4.5 ns/m between the fibres of one module: racks 10 m apart behind one cage, 15 m and 30 m ordered are 67.5 ns.
  void skewOfAModule() {
    DrawnHall h;
    h.rack(101, 3, 8000, 0);
    h.rack(102, 3, 18000, 0);
    h.rack(90, 2, 0, 0);
    h.tray(201, {{-1000, 0}, {19000, 0}});
    Network n = optical();
    n.node_optic_part = "mma4z00-ns400";
    Planned p = planned(h, wired(2, 1, {{0, 1, 0, 1}, {1, 1, 0, 2}}), n);
    const std::uint32_t a = p.plan.links[0].ordered_mm, b = p.plan.links[1].ordered_mm;
    QVERIFY(a != b);
    near(p.plan.worst_skew_ns, std::abs(static_cast<double>(a) - static_cast<double>(b)) * 1e-3 * 4.5);
  }

  /// 1,697 fibres of 3 mm take 39.98 % of a tray of 300 x 100 mm, 238 copper cables of 8 mm 39.88 %.
  void trayFill_data() {
    QTest::addColumn<int>("cables");
    QTest::addColumn<QString>("part");
    QTest::addColumn<double>("share");
    QTest::newRow("fibre of 3 mm") << 1697 << "mmf-mpo-400" << 0.399846;
    QTest::newRow("copper of 8 mm") << 238 << "copper" << 0.398773;
  }
  void trayFill() {
    QFETCH(int, cables);
    QFETCH(QString, part);
    QFETCH(double, share);
    Catalog c = *shipped();
    CablePart copper;
    copper.id = "copper";
    copper.name = "Copper";
    copper.medium = "dac";
    copper.rate = gigabits_per_second(400);
    copper.length_maximum = meters(40);
    copper.diameter = millimeters(8);
    copper.far_ends = 1;
    c.cables.insert(std::lower_bound(c.cables.begin(), c.cables.end(), copper,
                                     [](const auto& a, const auto& b) { return a.id < b.id; }),
                    copper);
    DrawnHall h;
    h.items[0].count = cables;
    h.items[0].mount = RackMount::zero_u_left; // all at one height
    h.rack(101, 1, 0, 0);
    h.rack(111, 2, 10000, 0);
    h.tray(201, {{-1000, 0}, {11000, 0}});
    std::vector<Joined> links;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(cables); ++i)
      links.push_back({i, 1, 0, static_cast<std::uint16_t>(i + 1)});
    Network n;
    n.node_cable_part = part.toStdString();
    Planned p = planned(h, wired(static_cast<std::uint32_t>(cables), 1, links, {static_cast<Count>(cables), 1}), n,
                        nullptr, share_of(c));
    const auto loads = p.inputs.routes->loads(tray_demands(p.plan, c));
    QCOMPARE(loads.size(), 1u);
    QCOMPARE(loads[0].cables, Count{cables});
    near(loads[0].area_mm2 / (300.0 * 100.0), share, 1e-5);
    // Two networks over one tray: the sum.
    QCOMPARE(tray_usage(p.inputs.routes, {&p.plan, &p.plan}, c)->loads[0].cables, Count{2 * cables});
  }

  /// After any change the update is what a plan from nothing is.
  void anUpdateIsWhatAFreshPlanIs() {
    std::mt19937 random(11);
    const auto within = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const auto wiring = h100_unit(31);
    DrawnHall h("qm9700", 4);
    for (Id i = 0; i < 8; ++i)
      h.rack(101 + i, 1, 700.0 * static_cast<double>(i), 0);
    for (Id i = 0; i < 3; ++i)
      h.rack(121 + i, 2, 700.0 * static_cast<double>(i) + 6500, 3000);
    for (int i = 0; i < 2; ++i)
      h.tray(201 + i, {{-2000, 3000.0 * i}, {20000, 3000.0 * i}});
    h.tray(210, {{-1500, -1000}, {-1500, 60000}});
    Network n;
    Planned last = planned(h, wiring, n);
    auto usage = tray_usage(last.inputs.routes, {&last.plan}, *shipped());
    for (int round = 0; round < 60; ++round) {
      Rack& r = h.racks[static_cast<std::size_t>(within(0, static_cast<int>(h.racks.size()) - 1))];
      switch (within(0, 6)) {
      case 0:
        r.x = millimeters(in_millimeters(r.x) + within(-3, 3) * 10);
        break;
      case 1:
        r.y = millimeters(within(0, 60) * 1000);
        break;
      case 2:
        h.tray(300 + round, {{-2000, within(1, 30) * 2000.0}, {20000, within(1, 30) * 2000.0}},
               within(0, 1) == 0 ? 2700 : 1500);
        break;
      case 3:
        n.patch_panels = within(0, 2);
        break;
      case 4:
        n.cable_lengths = within(0, 1) == 0 ? CableLengths::cut : CableLengths::stock;
        break;
      case 5:
        r.x = millimeters(within(0, 30) * 600), n.spare_share = within(0, 5) / 100.0;
        break;
      default:
        h.rack(400 + round, within(1, 2), within(0, 20) * 1000.0, within(0, 20) * 1000.0);
        break;
      }
      std::sort(h.racks.begin(), h.racks.end(), [](const Rack& a, const Rack& b) { return a.id < b.id; });
      Planned now = planned(h, wiring, n, &last.plan);
      same(now.plan, cable_plan(now.inputs));
      // Another stand-in concerns only links with an end that is not drawn.
      CablePlanInputs other = now.inputs;
      other.stand_in_mm += 1000.0 * (round + 1);
      same(cable_plan(other, &now.plan), cable_plan(other));
      // Trays: kept usage against the door for routes.
      usage = tray_usage(now.inputs.routes, {&now.plan, nullptr}, *shipped(), usage.get());
      const auto loads = now.inputs.routes->loads(tray_demands(now.plan, *shipped()));
      QCOMPARE(usage->loads.size(), loads.size());
      for (std::size_t i = 0; i < loads.size(); ++i) {
        QCOMPARE(usage->loads[i].tray, loads[i].tray);
        QCOMPARE(usage->loads[i].cables, loads[i].cables);
        near(usage->loads[i].area_mm2, loads[i].area_mm2, 1e-6);
        near(usage->loads[i].mass_kg_m, loads[i].mass_kg_m, 1e-9);
      }
      last = std::move(now);
    }
  }

  void sumsHold() {
    DrawnHall h;
    for (Id i = 0; i < 8; ++i)
      h.rack(101 + i, 1, 700.0 * static_cast<double>(i), 0);
    for (Id i = 0; i < 3; ++i)
      h.rack(121 + i, 2, 700.0 * static_cast<double>(i), 3000);
    const Planned p = planned(h, h100_unit());
    Count links = 0, by_class = 0, by_medium = 0, in_racks = 0, of_parts = 0;
    double watts_of_racks = 0, watts_of_parts = 0;
    for (const CableRow& row : p.plan.cables)
      links += row.links;
    for (const LengthRow& row : p.plan.lengths)
      by_class += row.links;
    for (const MediumRow& row : p.plan.media)
      by_medium += row.links;
    for (const RackCableLoad& r : p.plan.racks)
      in_racks += r.modules, watts_of_racks += r.node_module_w + r.switch_module_w;
    for (const ModuleRow& row : p.plan.modules)
      of_parts += row.modules, watts_of_parts += row.power_w.value_or(0);
    QCOMPARE(links, Count{512});
    QCOMPARE(by_class, Count{512});
    QCOMPARE(by_medium, Count{512});
    QCOMPARE(in_racks, of_parts);
    near(watts_of_racks, watts_of_parts);
    for (const LinkCable& c : p.plan.links)
      QVERIFY(c.beyond || c.ordered_mm + 1e-3 >= c.routed_mm);
  }

  void aStopEndsIt() {
    std::stop_source stop;
    stop.request_stop();
    const Planned p = planned(DrawnHall(), h100_unit());
    QVERIFY(!cable_plan(p.inputs, nullptr, stop.get_token()).state);
  }

private:
  static Shared<Catalog> share_of(const Catalog& c) { return share(Catalog(c)); }
};

QTEST_APPLESS_MAIN(TestCablePlan)
#include "test_cable_plan.moc"
