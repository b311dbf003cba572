// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "fabric/network_rules.h"
#include "fabric/wiring_rules.h"
#include "ruled_hall.h"

/// Rules of ports, places and service: each where it stays silent and where it complains, with numbers worked by hand.
/// The quiet design is the published unit of 31 nodes: 8 leafs and 4 spines of 64 ports, 252 node cables and 4 of the
/// managers, 256 uplinks (NVIDIA DGX SuperPOD H100 reference architecture, one scalable unit).
using namespace hallwright;
using namespace hallwright::test;

namespace {

Design unit() { return hall_of(31, 6); }

/// Goal-sized designs without a drawing.
Design of_gpus(Count gpus) {
  Network n = compute_network();
  n.reserved_node_places = n.reserved_links = 0;
  Design d = hall_of(0, 0, {n});
  d.racks = share(std::vector<Rack>{});
  d.rack_items = share(std::vector<RackItem>{});
  Goal goal;
  goal.gpus = gpus;
  goal.node_part = "dgx-h100";
  d.goal = share(goal);
  return d;
}

Network management_network(Id id = 52) {
  Network n;
  n.id = id;
  n.name = "Management";
  n.kind = NetworkKind::out_of_band;
  n.switch_part = "sn2201";
  n.link_rate = gigabits_per_second(1);
  n.rails = false;
  n.nodes_per_unit = 1;
  n.bundles = BundleRule::uneven;
  return n;
}

Network storage_network() {
  Network n = compute_network();
  n.id = 51;
  n.name = "Storage";
  n.kind = NetworkKind::storage;
  n.rails = false;
  n.reserved_node_places = n.reserved_links = 0;
  n.nodes_per_unit = 16;
  n.node_optic_part = "mma4z00-ns400";
  return n;
}

} // namespace

class TestFabricRules : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void at_least_thirty_rules_each_with_its_own_code() {
    const std::vector<Rule> rules = fabric_rules();
    QVERIFY(rules.size() >= 30);
    for (std::size_t i = 1; i < rules.size(); ++i)
      QVERIFY(rules[i - 1].code < rules[i].code);
    for (const Rule& r : rules)
      QVERIFY(r.check && r.help.find("Source of the limit: ") != std::string_view::npos);
  }

  void the_published_unit_has_no_errors() {
    const Ruled r = ruled(unit());
    QVERIFY2(r.errors() == 0, r.all().c_str());
    for (const char* code : {"FAB-001", "FAB-002", "FAB-003", "FAB-004", "FAB-005", "FAB-007", "FAB-023", "FAB-034",
                             "FAB-037", "FAB-045", "FAB-046", "FAB-047"})
      SILENT(r, code);
  }

  void fab_001_more_links_than_ports() {
    const Ruled many = ruled(with_network(unit(), compute_id, [](Network& n) { n.links_per_node = 16; }));
    SAYS(many, "FAB-001", "Compute: 16 links of a node are asked for; DGX H100 has ports for 8 at 400 Gbit/s");
    CLEARS(many, "FAB-001");
    // Two planes double them; ports of 400 Gbit/s split into two of 200 are enough again.
    const Design planes = with_network(unit(), compute_id, [](Network& n) { n.planes = 2; });
    SAYS(ruled(planes), "FAB-001", "16 links of a node are asked for, 8 in each of 2 planes");
    SILENT(ruled(with_network(planes, compute_id, [](Network& n) { n.link_rate = gigabits_per_second(200); })),
           "FAB-001");
    // 40 + 32 ports of a leaf that has 64.
    const Ruled leaf = ruled(with_network(unit(), compute_id, [](Network& n) {
      n.radix = 72;
      n.leaf_down = 40;
      n.leaf_up = 32;
    }));
    SAYS(leaf, "FAB-001", "a leaf takes 40 ports down, 32 up and 0 reserved, 72 in all; Quantum-2 QM9700 has 64");
  }

  void fab_002_radix_differs_from_the_part() {
    const Ruled beyond = ruled(with_network(unit(), compute_id, [](Network& n) { n.radix = 72; }));
    SAYS(beyond, "FAB-002", "a radix of 72 is stated; Quantum-2 QM9700 has 64 ports of 400 Gbit/s");
    QVERIFY(beyond.the("FAB-002").severity == Severity::error);
    CLEARS(beyond, "FAB-002");
    const Ruled fewer = ruled(with_network(unit(), compute_id, [](Network& n) { n.radix = 40; }));
    SAYS(fewer, "FAB-002", "24 ports of each switch stay unused");
    QVERIFY(fewer.the("FAB-002").severity == Severity::note);
    SILENT(ruled(with_network(unit(), compute_id, [](Network& n) { n.radix = 64; })), "FAB-002");
    // A port list of 62, as one library has it, does not divide by 32 cages.
    SAYS(ruled(with_part(unit(), "switch", "qm9700", "ports", "62")), "FAB-002", "has 62 ports in 32 cages");
  }

  void fab_007_planes_that_share_a_cage() {
    const Design planes = with_network(unit(), compute_id, [](Network& n) {
      n.planes = 2;
      n.links_per_node = 4;
    });
    // Twin cages hold one link of each plane: 4 cages of 31 nodes.
    SAYS(ruled(planes), "FAB-007", "124 cages of nodes hold links of two planes");
    SILENT(ruled(with_network(with_part(planes, "assumption", "fabric.node_cage_links.dgx-h100", "value", "1"),
                              compute_id, [](Network& n) { n.node_optic_part = "mma4z00-ns400"; })),
           "FAB-007");
    QCOMPARE(cages_of_two_planes(8, 1, 2), Count{0});
    QCOMPARE(cages_of_two_planes(8, 2, 1), Count{0});
    QCOMPARE(cages_of_two_planes(8, 2, 2), Count{8}); // made for planes: each cage holds one of both
    QCOMPARE(cages_of_two_planes(8, 2, 4), Count{0}); // ports 1-4, 5-8 | 9-12, 13-16
    QCOMPARE(cages_of_two_planes(3, 2, 4), Count{1}); // ports 1-4 hold 1-3 of the first and 4 of the second
  }

  void fab_026_growth_moves_live_cables() {
    // One unit has 4 spines, two have 8: each leaf keeps half of its uplinks, so 128 of 256 move.
    SAYS(ruled(unit()), "FAB-026",
         "another unit of 32 nodes needs 8 spines instead of 4; 128 live cables between switches then get another far "
         "end");
    // Three units ask for 12 spines, which do not divide 32 uplinks: 16 are built, enough for the fourth unit.
    SILENT(ruled(hall_of(95, 20)), "FAB-026");
    // From one switch to two tiers.
    Network small = compute_network();
    small.links_per_node = 1;
    small.rails = false;
    small.reserved_node_places = small.reserved_links = 0;
    SAYS(ruled(hall_of(40, 1, {small})), "FAB-026", "needs 2 tiers instead of 1");
    Network fits = small;
    SILENT(ruled(hall_of(20, 1, {fits})), "FAB-026"); // 20 of 32, then 64 of 64
  }

  void fab_034_subnet_beyond_its_addresses() {
    // 40,000 ports of nodes, 1,250 leafs and as many spines, 625 cores: 43,125. With 50,000 ports 53,907.
    SILENT(ruled(of_gpus(40000)), "FAB-034");
    const Ruled large = ruled(of_gpus(50000));
    SAYS(large, "FAB-034", "a subnet has 49151");
  }

  void fab_037_labels_that_cannot_be_told_apart() {
    Design twice = with(unit(), &Design::racks, [](std::vector<Rack>& racks) { racks[1].name = racks[0].name; });
    const Ruled racks = ruled(twice);
    SAYS(racks, "FAB-037", "2 racks are called \"R100\" in Hall A");
    QVERIFY(racks.the("FAB-037").severity == Severity::error);
    QCOMPARE(racks.the("FAB-037").entities.size(), std::size_t{2});
    CLEARS(racks, "FAB-037");
    Network other = storage_network();
    other.name = "Compute";
    const Ruled networks = ruled(hall_of(31, 6, {compute_network(), other}));
    SAYS(networks, "FAB-037", "2 networks are called \"Compute\"");
    CLEARS(networks, "FAB-037");
    const Ruled nameless = ruled(with(unit(), &Design::racks, [](std::vector<Rack>& all) { all[0].name.clear(); }));
    SAYS(nameless, "FAB-037", "1 network or rack without a name");
    QVERIFY(nameless.the("FAB-037").severity == Severity::warning);
  }

  void fab_019_redundant_switches_share_a_place() {
    // Six of twelve switches in each rack; the four spines fill up what is left, in one rack.
    const Design planes = with_network(hall_of(31, 12), compute_id, [](Network& n) {
      n.planes = 2;
      n.links_per_node = 4;
    });
    const Ruled r = ruled(planes);
    SAYS(r, "FAB-019", "switches of several planes");
    // The planes apart, each in a rack of its own feed: said by hand-made places below.
    Wiring w;
    for (const auto kind : {DeviceKind::leaf, DeviceKind::leaf, DeviceKind::spine, DeviceKind::spine}) {
      WiredDevice device;
      device.kind = kind;
      device.plane = static_cast<std::uint16_t>(w.devices.size() % 2);
      w.devices.push_back(device);
    }
    DevicePlaces places;
    places.racks = {{800, 5, 0, 0}, {801, 5, 0, 0}};
    places.places.resize(4);
    for (std::uint32_t i = 0; i < 4; ++i)
      places.places[i].rack = i % 2;
    const std::vector<SwitchRack> apart{{800, 0, 1, 1, 0}, {801, 1, 1, 1, 0}};
    QVERIFY(switch_racks(w, places) == apart);
    places.places[3].rack = DevicePlace::not_drawn;
    QCOMPARE(switch_racks(w, places)[1].spines, Count{0});
  }

  void fab_019_feeds_and_spines() {
    Design d = hall_of(31, 6);
    PowerUnit feed;
    feed.id = 70;
    feed.name = "PDU 1";
    feed.kind = PowerUnitKind::distribution;
    PowerUnit other = feed;
    other.id = 71;
    other.name = "PDU 2";
    d.power_units = share(std::vector{feed, other});
    d = with_network(std::move(d), compute_id, [](Network& n) {
      n.planes = 2;
      n.links_per_node = 4;
    });
    const auto fed = [&](Id first, Id second) {
      return ruled_places(with(d, &Design::racks,
                               [&](std::vector<Rack>& racks) {
                                 for (Rack& r : racks) {
                                   if (r.id == 800) r.feed_a = first;
                                   if (r.id == 801) r.feed_a = second;
                                 }
                               }),
                          {{800, 1, 4, 2}, {801, 2, 4, 2}});
    };
    SAYS(fed(70, 70), "FAB-019", "Compute: switches of 2 planes hang on PDU 1 alone");
    SILENT(fed(70, 71), "FAB-019");
    // All four spines in one rack.
    Design one = with_network(hall_of(31, 6), compute_id, [](Network&) {});
    SAYS(ruled_places(one, {{800, 1, 4, 4}, {801, 1, 4, 0}}), "FAB-019", "all 4 spines stand in one rack");
    SILENT(ruled_places(one, {{800, 1, 4, 2}, {801, 1, 4, 2}}), "FAB-019");
  }

  void fab_020_switch_draws_air_from_the_hot_aisle() {
    const Ruled wrong = ruled(with_part(unit(), "switch", "qm9700", "airflow", "rear to front"));
    SAYS(wrong, "FAB-020",
         "Quantum-2 QM9700 blows rear to front and is mounted with its front in the cold aisle in Fabric");
    CLEARS(wrong, "FAB-020");
    const Design forward = with_part(unit(), "switch", "qm9700", "airflow", "front to rear");
    SILENT(ruled(forward), "FAB-020");
    const Ruled rear = ruled(with(forward, &Design::rack_items, [](std::vector<RackItem>& items) {
      for (RackItem& i : items)
        if (i.kind == RackItemKind::network_switch) i.mount = RackMount::rear;
    }));
    SAYS(rear, "FAB-020", "is mounted at the rear");
    CLEARS(rear, "FAB-020");
  }

  void fab_028_management_ports_without_a_network() {
    const Ruled none = ruled(unit());
    SAYS(none, "FAB-028", "management ports of DGX H100 and others have no cable");
    CLEARS(none, "FAB-028");
    SILENT(ruled(hall_of(31, 6, {compute_network(), management_network()})), "FAB-028");
    // One switch for both planes.
    Network planes = compute_network();
    planes.planes = 2;
    planes.links_per_node = 4;
    planes.nodes_per_unit = 16;
    planes.reserved_node_places = planes.reserved_links = 0;
    const Ruled pair = ruled(hall_of(16, 6, {planes, management_network()}));
    SAYS(pair, "FAB-028", "one switch manages all 2 planes of Compute");
  }

  void fab_029_plant_without_management_ports() {
    // 31 ports of nodes and 12 of switches on one 48-port switch: 5 are idle.
    Design d = hall_of(31, 6, {compute_network(), management_network()});
    const auto with_plant = [&](int cdus) {
      std::vector<CoolingUnit> units;
      for (int i = 0; i < cdus; ++i) {
        CoolingUnit u;
        u.id = 300 + i;
        u.name = "CDU " + std::to_string(i);
        units.push_back(u);
      }
      PowerUnit ups, utility;
      ups.id = 400;
      utility.id = 401;
      utility.kind = PowerUnitKind::utility_feed; // has no port of ours
      Design out = d;
      out.cooling_units = share(units);
      out.power_units = share(std::vector{ups, utility});
      return ruled(out);
    };
    SILENT(with_plant(4), "FAB-029");
    SAYS(with_plant(5), "FAB-029",
         "1 power unit and 5 cooling units are drawn and report over a port each; the out-of-band network has 5 idle");
  }

  void fab_046_devices_without_a_drawn_place() {
    // Twelve switches are drawn, but kept for another network.
    Design d = with(unit(), &Design::rack_items, [](std::vector<RackItem>& items) {
      for (RackItem& i : items)
        if (i.kind == RackItemKind::network_switch) i.network = 999;
    });
    const Ruled kept = ruled(d);
    SAYS(kept, "FAB-046", "no drawn rack has a place for 8 of 8 leafs, 4 of 4 spines");
    // Too few are told by FAB-045 only.
    const Ruled few = ruled(hall_of(31, 5));
    QCOMPARE(few.found("FAB-045"), Count{1});
    SILENT(few, "FAB-046");
  }

  void fab_027_storage_network_below_the_burst() {
    const std::vector<LaterFigure> burst{{Page::storage, "storage.burst_needed", 3.0e12}};
    StoragePlan plan;
    plan.system_part = "wekapod-nitro-wps155-8"; // 16 ports of 400 Gbit/s: 800 GB/s each row
    plan.systems = 1;
    Design d = hall_of(31, 12, {compute_network(), storage_network()});
    d.storage = share(plan);
    // 31 nodes with two links of 50 GB/s carry 3,100 GB/s; the storage 800.
    SAYS(ruled(d, shipped_parts(), burst), "FAB-027",
         "Storage: the ports of the storage carry 800 GB/s; a checkpoint within its target asks for 3000 GB/s");
    plan.systems = 4;
    d.storage = share(plan);
    SILENT(ruled(d, shipped_parts(), burst), "FAB-027");
    SAYS(ruled(d, shipped_parts(), {{Page::storage, "storage.burst_needed", 3.15e12}}), "FAB-027",
         "the links of the nodes carry 3100 GB/s");
    d = hall_of(31, 12);
    d.storage = share(plan);
    SAYS(ruled(d, shipped_parts(), burst), "FAB-027", "No storage network is described");
    SILENT(ruled(unit(), shipped_parts(), burst), "FAB-027"); // no storage at all
  }

  void fab_030_one_fault_cuts_gpus_off() {
    // The leaf of a rail has one link of each of the 31 nodes, and each link serves one GPU.
    const Ruled rails = ruled(unit());
    SAYS(rails, "FAB-030", "losing leaf 1 cuts 31 GPUs off; their nodes keep other links");
    QVERIFY(rails.the("FAB-030").severity == Severity::note);
    // Without rails four nodes put all eight links on one leaf.
    Network flat = compute_network();
    flat.rails = false;
    flat.nodes_per_unit = 4;
    flat.reserved_node_places = flat.reserved_links = 0;
    const Ruled whole = ruled(hall_of(16, 6, {flat}));
    SAYS(whole, "FAB-030", "cuts 32 GPUs off, 4 nodes whole");
    QVERIFY(whole.the("FAB-030").severity == Severity::warning);
    SILENT(ruled(with_network(unit(), compute_id,
                              [](Network& n) {
                                n.planes = 2;
                                n.links_per_node = 4;
                              })),
           "FAB-030");
  }

  void fab_032_hashed_flows_collide() {
    // 32 flows on 32 uplinks: 0.29 over 2,000 draws (fabric.hashed_worst_share of the catalog); 0.65 in 16 parts.
    const Ruled hashed = ruled(unit());
    SAYS(hashed, "FAB-032", "of 32 flows hashed on 32 uplinks of a leaf the slowest gets 29 % of line rate");
    CLEARS(hashed, "FAB-032", 2);
    SILENT(ruled(with_network(unit(), compute_id, [](Network& n) { n.path_choice = PathChoice::packet_spray; })),
           "FAB-032");
    SILENT(ruled(with_network(unit(), compute_id, [](Network& n) { n.flows_per_pair = 16; })), "FAB-032");
  }

  void fab_035_groups_straddle_a_border() {
    const auto with_job = [](Design d, Count tensor, Count experts) {
      Job job;
      job.tensor_parallel = tensor;
      job.expert_parallel = experts;
      d.job = share(job);
      return d;
    };
    SILENT(ruled(with_job(unit(), 8, 1)), "FAB-035");
    SILENT(ruled(with_job(unit(), 1, 8)), "FAB-035"); // 8 GPUs, as the domain
    SAYS(ruled(with_job(unit(), 1, 64)), "FAB-035",
         "64 expert-parallel ranks of 1 GPU span 64 GPUs; a scale-up domain holds 8");
    // Units of 32 nodes hold 256 GPUs. Where leafs are not tapered a wider group is told of the domain only.
    const Ruled wide = ruled(with_job(unit(), 8, 64));
    QCOMPARE(wide.found("FAB-035"), Count{1});
    const Ruled tapered =
        ruled(with_job(with_network(unit(), compute_id, [](Network& n) { n.oversubscription = 3.0; }), 8, 64));
    QCOMPARE(tapered.found("FAB-035"), Count{2});
    SAYS(tapered, "FAB-035", "groups of 512 GPUs (expert and tensor parallel) are wider than a unit of 256");
  }

  void fab_039_spares_below_the_failures() {
    // 84 days of 0.63 % a year: 0.145 % of the modules. The default of 2 % is plenty.
    SILENT(ruled(unit()), "FAB-039");
    const Ruled none = ruled(with_network(unit(), compute_id, [](Network& n) { n.spare_share = 0.0; }));
    SAYS(none, "FAB-039", "within a lead time of 84 days there are 0 spares");
    // 384 modules at switches and, of the other part, 124 at nodes: 384 * 0.0063 * 84 / 365.25 = 0.556.
    SAYS(none, "FAB-039", "of which 0.556 fail");
    CLEARS(none, "FAB-039");
  }

  void fab_047_elements_are_out_of_service() {
    SILENT(ruled(unit()), "FAB-047");
    const auto failing = [](std::vector<std::string> elements) {
      Design d = unit();
      std::vector<Failure> all;
      for (std::string& e : elements) {
        Failure f;
        f.id = 600 + static_cast<Id>(all.size());
        f.network = compute_id;
        f.element = std::move(e);
        all.push_back(f);
      }
      d.failures = share(std::move(all));
      return ruled(d);
    };
    const Ruled fine =
        failing({"leaf 3", "Spine 4", "node 31", "plane 1", "link leaf 8 port 64", "module leaf 1 cage 32"});
    QCOMPARE(fine.found("FAB-047"), Count{1});
    SAYS(fine, "FAB-047",
         "6 elements are out of service: leaf 3 of Compute, Spine 4 of Compute, node 31 of Compute, plane 1 of Compute "
         "and 2 more");
    CLEARS(fine, "FAB-047");
    SAYS(failing({"leaf 9"}), "FAB-047", "leaf 9 does not exist; there are 1 to 8");
    SAYS(failing({"core 1"}), "FAB-047", "core 1: the network has none");
    SAYS(failing({"leaf 0"}), "FAB-047", "numbers begin at 1");
    SAYS(failing({"leaf x"}), "FAB-047", "leaf \"x\" is not a number");
    SAYS(failing({"link leaf 1 port 65"}), "FAB-047", "port 65 does not exist; there are 1 to 64");
    SAYS(failing({"switch 1"}), "FAB-047", "\"switch 1\" names nothing that can fail");
    SAYS(failing({""}), "FAB-047", "names nothing that can fail");
    const Ruled wrong = failing({"leaf 9", "spine 1"});
    QCOMPARE(wrong.found("FAB-047"), Count{2});
    QVERIFY(wrong.the("FAB-047").severity == Severity::error);
    CLEARS(wrong, "FAB-047");
    // The stage that wires the job knows each link, and what is left.
    Ruled wired = failing({"link leaf 1 port 64"});
    Table problems, left;
    problems.id = "traffic.failure_problems";
    problems.entities = {600};
    problems.add_words("sentence", "").words = {"Compute: leaf 1 has no link at port 64"};
    left.id = "traffic.failures";
    left.entities = {compute_id};
    left.add_numbers("injection", "", kind::percent).numbers = {0.875};
    const auto with_traffic = [&](std::vector<Table> tables) {
      LedgerPage page;
      page.page = Page::traffic;
      wired.figures.add(StageResult{seal(std::move(page)), share(std::move(tables))});
      wired.findings = run_rules({wired.design, *wired.catalog, wired.figures}, fabric_rules());
    };
    with_traffic({problems});
    SAYS(wired, "FAB-047", "leaf 1 has no link at port 64");
    QVERIFY(wired.the("FAB-047").severity == Severity::error);
    with_traffic({left});
    SAYS(wired, "FAB-047",
         "1 element is out of service: link leaf 1 port 64 of Compute; Compute keeps 87.5 % of its injection");
  }

private:
  struct RackRow {
    Id rack;
    double plane, leafs, spines;
  };
  /// As `ruled`, with a hand-made table of where switches stand.
  static Ruled ruled_places(const Design& d, const std::vector<RackRow>& rows) {
    Ruled r = ruled(d);
    std::vector<Table> tables;
    for (const Table* t : r.figures.tables())
      if (t->id.rfind("cabling.", 0) == 0 && t->id != "cabling.switch_racks") tables.push_back(*t);
    Table t;
    t.id = "cabling.switch_racks";
    std::vector<double> id, plane, leafs, spines;
    for (const RackRow& row : rows) {
      t.entities.push_back(row.rack);
      id.push_back(static_cast<double>(compute_id));
      plane.push_back(row.plane);
      leafs.push_back(row.leafs);
      spines.push_back(row.spines);
    }
    t.add_numbers("network_id", "", kind::count).numbers = id;
    t.add_numbers("plane", "", kind::count).numbers = plane;
    t.add_numbers("leafs", "", kind::count).numbers = leafs;
    t.add_numbers("spines", "", kind::count).numbers = spines;
    tables.push_back(std::move(t));
    r.figures.add(StageResult{r.cabling.page, share(std::move(tables))});
    r.findings = run_rules({r.design, *r.catalog, r.figures}, fabric_rules());
    return r;
  }
};

QTEST_APPLESS_MAIN(TestFabricRules)
#include "test_fabric_rules.moc"
