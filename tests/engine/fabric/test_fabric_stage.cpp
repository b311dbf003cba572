// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <rapidcheck.h>

#include "fabric/fabric.h"

using namespace hallwright;

namespace {

Assumption assumption_of(std::string id, double value, std::string unit) {
  Assumption a;
  a.id = std::move(id);
  a.name = a.id;
  a.value = value;
  a.unit = std::move(unit);
  a.source = "test";
  return a;
}

Catalog parts() {
  Catalog c;
  NodePart node;
  node.id = "eight";
  node.name = "Eight-GPU node";
  node.accelerator = "acc";
  node.accelerators = 8;
  node.compute_nics = 8;
  node.storage_nics = 2;
  c.nodes = {node};
  SwitchPart management, quantum, silent;
  management.id = "management";
  management.name = "Management switch";
  management.network_kind = "ethernet";
  management.ports = 48;
  management.port_rate = gigabits_per_second(1);
  management.power_typical = watts(80);
  management.price = dollars(6500);
  quantum.id = "quantum";
  quantum.name = "64-port switch";
  quantum.network_kind = "infiniband";
  quantum.ports = 64;
  quantum.port_rate = gigabits_per_second(400);
  quantum.radix_at_link = 64;
  quantum.link_rate = gigabits_per_second(400);
  quantum.power_maximum = watts(1720);
  quantum.power_typical = watts(747);
  quantum.price = dollars(38000);
  silent.id = "silent";
  silent.name = "Switch without a stated draw";
  silent.ports = 64;
  silent.port_rate = gigabits_per_second(800);
  silent.radix_at_link = 128;
  silent.link_rate = gigabits_per_second(400);
  c.switches = {management, quantum, silent};
  OpticPart single, twin;
  single.id = "single";
  single.name = "Single-port module";
  single.ports_per_module = 1;
  single.power = watts(8);
  twin.id = "twin";
  twin.name = "Twin-port module";
  twin.ports_per_module = 2;
  twin.power = watts(17);
  twin.price = dollars(1100);
  c.optics = {single, twin};
  CablePart fibre;
  fibre.id = "fibre";
  fibre.name = "Fibre";
  fibre.medium = "smf";
  fibre.price = dollars(90);
  c.cables = {fibre};
  StoragePart storage;
  storage.id = "appliance";
  storage.name = "Appliance";
  storage.ports = 8;
  StoragePart vague;
  vague.id = "vague";
  vague.name = "Vague storage";
  c.storage = {storage, vague};
  c.assumptions = {assumption_of("cabling.dress_per_end", 0.5, "m"), assumption_of("cabling.slack_fraction", 0.05, "1"),
                   assumption_of("cabling.tray_height", 2.7, "m"), assumption_of("floor.rack_feet", 4, "1"), assumption_of("floor.tilt_factor", 1.25, "1"),
                   assumption_of("power.switch_typical_w_per_tbit_s", 21, "W/(Tb/s)")};
  return c;
}

Network compute_network() {
  Network n;
  n.id = 50;
  n.name = "Compute";
  n.switch_part = "quantum";
  n.node_optic_part = n.leaf_optic_part = n.spine_optic_part = "twin";
  n.node_cable_part = n.spine_cable_part = "fibre";
  return n;
}

struct Evaluated {
  Design design;
  Shared<Catalog> catalog;
  PopulationResult population;
  SpaceResult space;
  FabricResult fabric;
  Figures figures;
  std::vector<Finding> findings;
};

/// `nodes` nodes, one a rack, 32 racks a row of 600 mm pitch, and these networks.
Evaluated evaluated(Count nodes, std::vector<Network> networks, StoragePlan storage = {}, std::vector<RackItem> more_items = {}) {
  Evaluated e;
  Design& d = e.design;
  e.catalog = share(parts());
  RackType type;
  type.id = 1;
  type.name = "Air";
  type.width = millimeters(600);
  type.depth = millimeters(1200);
  RackItem item;
  item.id = 2;
  item.rack_type = 1;
  item.part = "eight";
  item.count = 1;
  std::vector<Rack> racks;
  for (Count i = 0; i < nodes; ++i) {
    Rack r;
    r.id = 1000 + i;
    r.rack_type = 1;
    r.x = millimeters(600.0 * static_cast<double>(i % 32));
    r.y = millimeters(2400.0 * static_cast<double>(i / 32));
    racks.push_back(r);
  }
  more_items.insert(more_items.begin(), item);
  d.rack_types = share(std::vector{type});
  d.rack_items = share(std::move(more_items));
  d.racks = share(std::move(racks));
  d.networks = share(std::move(networks));
  d.storage = share(std::move(storage));
  e.population = population({d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, e.catalog});
  e.space = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, e.catalog}, e.population);
  e.fabric = fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, e.catalog}, e.population, e.space);
  e.figures.add(e.population);
  e.figures.add(e.space);
  e.figures.add(e.fabric);
  e.findings = run_rules({e.design, *e.catalog, e.figures}, fabric_rules());
  return e;
}
Count found(const Evaluated& e, std::string_view code) {
  return std::count_if(e.findings.begin(), e.findings.end(), [&](const Finding& f) { return f.code == code; });
}
void near(double ours, double expected) {
  QVERIFY2(std::abs(ours - expected) <= 1e-9 * std::abs(expected), qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

} // namespace

class TestFabricStage : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_unit_of_256_gpus() {
    const Evaluated e = evaluated(32, {compute_network()});
    const FabricResult& f = e.fabric;
    QVERIFY(!f.assumed);
    QCOMPARE(f.switches.value, Count{8 + 4});
    QCOMPARE(f.cables.value, Count{256 + 256});
    QCOMPARE(f.transceivers.value, Count{512}); // 128 twin modules at nodes, leafs down, leafs up and spines
    near(in_watts(f.optics_power.value), 512 * 17.0);
    near(in_watts(f.node_side_optics_power.value), 128 * 17.0);
    near(in_watts(f.switch_power.value), 12 * 747.0); // the maximum of 1720 W has modules in it
    near(in_dollars(f.parts_cost.value), 12 * 38000.0 + 512 * 1100.0 + 512 * 90.0);
    QVERIFY(f.parts_cost.completeness == Completeness::estimate);
    near(in_gigabits_per_second(f.injection_per_gpu.value), 400.0);
    // Racks stand in one row of 32 at 0.6 m: no fabric rack, so the middle of the row: mean of |i - 15.5| * 0.6 m is
    // 8 * 0.6 = 4.8 m; up and down 2 * 1.7 m; dress 2 * 0.5 m; 5 % slack: (4.8 + 3.4 + 1) * 1.05 = 9.66 m.
    near(in_meters(f.mean_cable_length.value), 9.66);
    QVERIFY(f.mean_cable_length.completeness == Completeness::estimate);
    const Table* cables = e.figures.table("fabric.cables");
    QVERIFY(cables);
    QCOMPARE(cables->row_count(), std::size_t{2});
    QCOMPARE(cables->column("medium")->words[0], std::string("smf"));
    QCOMPARE(e.figures.table("fabric.switches")->row_count(), std::size_t{2});
    // Every row leads to a figure that exists.
    for (const char* id : {"fabric.networks", "fabric.cables", "fabric.switches"})
      for (const std::string& figure : e.figures.table(id)->row_figures) QVERIFY2(e.figures.find(figure), figure.c_str());
  }

  void counts_explain_themselves_down_to_design_and_catalog() {
    const Evaluated e = evaluated(32, {compute_network()});
    bool radix = false, links = false, items = false, unit = false;
    for (const Derivation& d : derivation(e.figures, *e.figures.find("fabric.switches"))) {
      radix |= d.figure->origin == Origin::catalog && d.figure->part == "quantum";
      links |= d.figure->origin == Origin::catalog && d.figure->part == "eight" && d.role == "links_per_node";
      items |= d.figure->origin == Origin::design && d.figure->table == "rack_items";
      unit |= d.figure->origin == Origin::design && d.figure->table == "networks" && d.figure->field == "nodes_per_unit";
    }
    QVERIFY(radix && links && items && unit);
  }

  void single_port_modules_at_nodes() {
    Network n = compute_network();
    n.node_optic_part = "single";
    const Evaluated e = evaluated(32, {n});
    QCOMPARE(e.fabric.transceivers.value, Count{256 + 3 * 128});
    near(in_watts(e.fabric.node_side_optics_power.value), 256 * 8.0);
    // The single-port module has no price: the cost is a lower bound.
    QVERIFY(e.fabric.parts_cost.completeness == Completeness::lower_bound);
    // Half of the node links in copper: half of the modules at nodes and of those that face them.
    n.optical_share_of_node_links = 0.5;
    QCOMPARE(evaluated(32, {n}).fabric.transceivers.value, Count{128 + 64 + 2 * 128});
  }

  void without_parts_power_is_unknown_and_never_zero() {
    Network n = compute_network();
    n.node_optic_part = n.leaf_optic_part = n.spine_optic_part = "";
    n.switch_part = "";
    n.radix = 64;
    const Evaluated e = evaluated(32, {n});
    QCOMPARE(e.fabric.switches.value, Count{12});
    QCOMPARE(e.fabric.transceivers.value, Count{1024}); // single-port stand-in, both ends of 512 cables
    QVERIFY(e.fabric.transceivers.completeness == Completeness::estimate);
    QVERIFY(e.fabric.optics_power.completeness == Completeness::unknown);
    QVERIFY(e.fabric.switch_power.completeness == Completeness::unknown);
    QVERIFY(e.figures.find("fabric.optics_power")->reason.find("no module is chosen") != std::string::npos);
  }

  void a_switch_without_a_draw_is_estimated_by_capacity() {
    Network n = compute_network();
    n.switch_part = "silent";
    const Evaluated e = evaluated(32, {n});
    // 64 ports of 800 Gbit/s: 51.2 Tbit/s at 21 W each: 1075.2 W. Radix 128 at 400 Gbit/s: 8 leafs, 256 / 128 = 2 spines.
    QCOMPARE(e.fabric.switches.value, Count{10});
    near(in_watts(e.fabric.switch_power.value), 10 * 1075.2);
    QVERIFY(e.fabric.switch_power.completeness == Completeness::estimate);
  }

  void storage_and_out_of_band_count_their_ends() {
    Network storage = compute_network(), management = compute_network();
    storage.id = 51;
    storage.name = "Storage";
    storage.kind = NetworkKind::storage;
    storage.rails = false;
    storage.nodes_per_unit = 0;
    management.id = 52;
    management.name = "Management";
    management.kind = NetworkKind::out_of_band;
    management.switch_part = "management";
    management.rails = false;
    management.tiers = Tiers::automatic;
    StoragePlan plan;
    plan.system_part = "appliance";
    plan.systems = 2;
    const Evaluated e = evaluated(32, {compute_network(), storage, management}, plan);
    // 32 nodes and 2 * 8 ports / 2 links = 8 places; 40 * 2 = 80 links over leafs of 32: 3 leafs, 96 uplinks, 2 spines.
    QCOMPARE(e.figures.find("fabric.network.51.endpoints")->value, 40.0);
    QCOMPARE(e.figures.find("fabric.network.51.leafs")->value, 3.0);
    QCOMPARE(e.figures.find("fabric.network.51.spines")->value, 2.0);
    QVERIFY(e.figures.find("fabric.network.51.switches")->completeness == Completeness::exact);
    // 32 nodes and 12 + 5 switches: 49 ports, one more than a 48-port switch has.
    QCOMPARE(e.figures.find("fabric.network.52.endpoints")->value, 49.0);
    QVERIFY(e.figures.find("fabric.network.52.leafs")->value > 1.0);
    // Storage of which the ports are not known leaves "at least".
    plan.system_part = "vague";
    const Evaluated at_least = evaluated(32, {storage}, plan);
    QVERIFY(at_least.fabric.switches.completeness == Completeness::lower_bound);
  }

  void no_network_is_stood_in_for() {
    const Evaluated e = evaluated(32, {});
    QVERIFY(e.fabric.assumed);
    QVERIFY(e.fabric.switch_power.completeness == Completeness::not_applicable);
    QVERIFY(e.figures.find("fabric.switch_power")->reason.find("goal") != std::string::npos);
    QVERIFY(e.findings.empty());
  }

  void a_network_that_cannot_be_built_does_not_vanish_from_totals() {
    Network n = compute_network(), small = compute_network();
    n.tiers = Tiers::two;
    small.id = 51;
    small.name = "In-band";
    small.kind = NetworkKind::in_band;
    small.links_per_node = 1;
    const Evaluated e = evaluated(512, {n, small});
    QVERIFY(!e.fabric.networks[0].problem.empty());
    QVERIFY(e.fabric.switches.completeness == Completeness::lower_bound);
    QCOMPARE(found(e, "FAB-005"), Count{1});
    QVERIFY(e.findings[0].message.find("three tiers or radix 128") != std::string::npos);
    // The remedy is an edit that works.
    QCOMPARE(e.findings[0].remedies.size(), std::size_t{1});
    const Edited repaired = e.findings[0].remedies[0].edit.apply(e.design);
    QVERIFY2(repaired, repaired ? "" : repaired.error().c_str());
    QCOMPARE(found(evaluated(512, *repaired->networks), "FAB-005"), Count{0});
  }

  void no_nodes_is_not_applicable() {
    const Evaluated e = evaluated(0, {compute_network()});
    QVERIFY(e.fabric.switches.completeness == Completeness::not_applicable);
    QVERIFY(!e.figures.find("fabric.switches")->reason.empty());
    QCOMPARE(found(e, "FAB-005"), Count{0});
  }

  void rules_speak_and_stay_silent() {
    // A full unit leaves no place for fabric managers.
    QCOMPARE(found(evaluated(32, {compute_network()}), "FAB-023"), Count{1});
    Network reserved = compute_network();
    reserved.reserved_node_places = 1;
    reserved.reserved_links = 4;
    const Evaluated quiet = evaluated(31, {reserved});
    QCOMPARE(found(quiet, "FAB-023"), Count{0});
    QCOMPARE(quiet.fabric.cables.value, Count{252 + 256}); // as published for one unit of 31 nodes
    QCOMPARE(found(quiet, "FAB-004"), Count{0});
    QCOMPARE(found(quiet, "FAB-003"), Count{0});
    QCOMPARE(found(quiet, "FAB-024"), Count{0});

    Network tapered = reserved;
    tapered.oversubscription = 3.0;
    QCOMPARE(found(evaluated(31, {tapered}), "FAB-004"), Count{1});

    Network uneven = reserved; // 3 units: 24 * 32 / 64 = 12 spines do not divide 32 uplinks
    uneven.bundles = BundleRule::uneven;
    const Evaluated twelve = evaluated(95, {uneven});
    QCOMPARE(twelve.fabric.networks[0].spines.value, Count{12});
    QCOMPARE(found(twelve, "FAB-003"), Count{1});

    Network lit = reserved;
    lit.units = UnitRule::lit;
    QCOMPARE(found(evaluated(40, {lit}), "FAB-024"), Count{1});

    Network idle = reserved; // 18 + 18 of 64 leaf ports, as 18-node racks have it
    idle.nodes_per_unit = 18;
    QCOMPARE(found(evaluated(143, {idle}), "FAB-025"), Count{1});
    QCOMPARE(found(quiet, "FAB-025"), Count{0});
  }

  /// Only the tier that blocks is named; a leaf with more up links than down links is nothing to complain of.
  void oversubscription_names_the_tiers_above_one() {
    const auto said = [](double leaf, double spine, Tiers tiers) {
      Network n = compute_network();
      n.rails = false;
      n.nodes_per_unit = 2; // 16 links down
      n.tiers = tiers;
      n.oversubscription = leaf;
      n.core_oversubscription = spine;
      const Evaluated e = evaluated(256, {n});
      const auto f = std::find_if(e.findings.begin(), e.findings.end(), [](const Finding& x) { return x.code == "FAB-004"; });
      if (!e.fabric.switches.has_value()) return "cannot be built: " + e.fabric.networks[0].problem;
      return f == e.findings.end() ? std::string() : f->message;
    };
    QCOMPARE(said(0.5, 1, Tiers::three), std::string());
    QCOMPARE(said(1, 1, Tiers::three), std::string());
    QCOMPARE(said(0.5, 7, Tiers::three), std::string("Compute: 7 down links for each up link at the spine; traffic between pods may have to wait"));
    QCOMPARE(said(1, 7, Tiers::three), std::string("Compute: 7 down links for each up link at the spine; traffic between pods may have to wait"));
    const std::string both = said(2, 7, Tiers::three);
    QVERIFY2(both.starts_with("Compute: 2 down links for each up link at the leaf, and 7 at the spine; "), both.c_str());
    const std::string leaf = said(2, 1, Tiers::three);
    QVERIFY2(leaf == "Compute: 2 down links for each up link at the leaf; traffic between leafs may have to wait", leaf.c_str());
  }

  void drawn_switches_are_compared_with_needed_ones() {
    QCOMPARE(found(evaluated(32, {compute_network()}), "FAB-045"), Count{1});
    RackItem switches;
    switches.id = 3;
    switches.rack_type = 1;
    switches.kind = RackItemKind::network_switch;
    switches.part = "quantum";
    switches.count = 1; // 32 racks hold 32, 12 are needed
    const Evaluated e = evaluated(32, {compute_network()}, {}, {switches});
    QCOMPARE(found(e, "FAB-045"), Count{0});
    QCOMPARE(e.figures.find("fabric.switch_part.quantum.drawn")->value, 32.0);
    QCOMPARE(e.figures.find("fabric.switch_part.quantum.needed")->value, 12.0);
  }

  void planes_split_the_adapters() {
    Network n = compute_network();
    n.planes = 2;
    n.radix = 128;
    n.nodes_per_unit = 64;
    const Evaluated e = evaluated(64, {n});
    QCOMPARE(e.fabric.switches.value, Count{16 + 8}); // as published for one unit of 64 nodes with two planes
    QCOMPARE(e.fabric.cables.value, Count{2 * (512 + 512)});
    near(in_gigabits_per_second(e.fabric.injection_per_gpu.value), 800.0);
  }

  void laws_hold() {
    QVERIFY(rc::check("adding a node never lowers power or cost", [] {
      const Count nodes = *rc::gen::inRange<Count>(1, 300);
      const Evaluated few = evaluated(nodes, {compute_network()}), more = evaluated(nodes + *rc::gen::inRange<Count>(1, 60), {compute_network()});
      RC_ASSERT(more.fabric.switch_power.value >= few.fabric.switch_power.value);
      RC_ASSERT(more.fabric.optics_power.value >= few.fabric.optics_power.value);
      RC_ASSERT(more.fabric.parts_cost.value >= few.fabric.parts_cost.value);
      RC_ASSERT(few.fabric.node_side_optics_power.value <= few.fabric.optics_power.value);
    }));
  }
};

QTEST_APPLESS_MAIN(TestFabricStage)
#include "test_fabric_stage.moc"
