// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "engine/load/small_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {
bool near_to(double got, double wanted, double relative = 1e-9) { return std::abs(got - wanted) <= relative * std::abs(wanted); }

/// The small hall with 32 nodes of eight links, one a rack, described networks, and the fabric stage run on them.
class WiredHall : public SmallHall {
public:
  WiredHall() {
    for (NodePart& n : catalog.nodes) n.compute_nics = 8;
    // 64 ports of 800 Gbit/s and no draw stated: 51.2 Tbit/s at 21 W each is 1075.2 W.
    SwitchPart silent = part<SwitchPart>("silent");
    silent.ports = 64;
    silent.port_rate = gigabits_per_second(800);
    silent.radix_at_link = 128;
    silent.link_rate = gigabits_per_second(400);
    keep(catalog.switches, silent);
    for (SwitchPart& s : catalog.switches)
      if (s.id == "leaf") {
        s.ports = s.radix_at_link = 64;
        s.port_rate = s.link_rate = gigabits_per_second(400);
      }
    keep(catalog.assumptions, default_value("power.switch_typical_w_per_tbit_s", 21, "W/(Tb/s)"));
    keep(catalog.assumptions, default_value("cabling.dress_per_end", 0.5, "m"));
    keep(catalog.assumptions, default_value("cabling.slack_fraction", 0.05));
    keep(catalog.assumptions, default_value("cabling.tray_height", 2.7, "m"));
    const Id nodes = rack_type("Node rack").id;
    item(nodes, RackItemKind::node, "dgx-h100", 1);
    add_racks(nodes, 32);
    fabric_rack = rack_type("Fabric rack").id;
  }
  void add_network(const std::string& switch_part) {
    Network n;
    n.id = fresh();
    n.name = "Network " + std::to_string(networks.size() + 1);
    n.switch_part = switch_part;
    networks.push_back(n);
  }
  /// Runs population, space, fabric and load.
  void run() {
    SmallHall::run();
    const Design& d = design;
    design.networks = share(networks);
    const auto plan = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, shared_catalog}, people);
    fabric_result = fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, shared_catalog}, people, plan);
    loads = load({d.project, d.goal, d.rack_types, d.rack_items, d.racks, d.storage, shared_catalog}, people, fabric_result);
    figures = Figures{};
    figures.add(people);
    figures.add(plan);
    figures.add(fabric_result);
    figures.add(loads);
  }
  std::vector<Network> networks;
  FabricResult fabric_result;
  Id fabric_rack = 0;
};
} // namespace

class TestLoad : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Eight H100 of 700 W held to 500 W: 10.2 kW - 8 x 200 W = 8.6 kW. At the measured 8.4 kW a GPU is taken to draw
  /// 700 x 8.4 / 10.2 = 576.5 W: 8.4 kW - 8 x 76.5 W = 7.788 kW. A cap above what they draw changes nothing.
  void gpusUnderACap() {
    for (const auto& [basis, cap, kilowatts_each] :
         {std::tuple{PowerBasis::nameplate, 500.0, 8.6}, {PowerBasis::measured, 500.0, 8.4 - 8 * (0.7 * 8.4 / 10.2 - 0.5)},
          {PowerBasis::nameplate, 700.0, 10.2}, {PowerBasis::measured, 600.0, 8.4}}) {
      SmallHall hall;
      Accelerator h100 = part<Accelerator>("h100");
      h100.power = watts(700);
      keep(hall.catalog.accelerators, h100);
      hall.project.power_basis = basis;
      hall.gpu_power_cap = watts(cap);
      const Id type = hall.rack_type("DGX rack").id;
      hall.item(type, RackItemKind::node, "dgx-h100", 2);
      hall.add_racks(type, 3);
      hall.run();
      QVERIFY2(near_to(in_kilowatts(hall.loads.it.value), 6 * kilowatts_each), qPrintable(QString::number(in_kilowatts(hall.loads.it.value))));
      QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_air.value), 6 * kilowatts_each));
    }
  }

  /// 31 nodes x 10.2 kW = 316.2 kW; all of it to air.
  void thirtyOneNodes() {
    SmallHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(type, 31);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 316.2));
    QVERIFY(near_to(in_kilowatts(hall.loads.nodes.value), 316.2));
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_air.value), 316.2));
    QCOMPARE(in_kilowatts(hall.loads.heat_to_liquid.value), 0.0);
    // 316.2 kW / 248 GPUs = 1.275 kW
    QVERIFY(near_to(in_kilowatts(hall.loads.it_per_gpu.value), 1.275));
    QCOMPARE(hall.loads.it.completeness, Completeness::estimate); // network and storage shares are assumptions
  }

  /// Switches and modules: 20 switches of 1720 W, drawn or not; modules at both ends.
  /// 31 x 10.2 + 20 x 1.72 + 9.0 = 359.6 kW
  void networkIsCountedDrawnOrNot() {
    SmallHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    const Id fabric_type = hall.rack_type("Fabric rack").id;
    hall.item(fabric_type, RackItemKind::network_switch, "leaf", 4);
    hall.add_racks(type, 31);
    hall.network = {20, watts(34400), watts(9000), watts(3100)};
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 359.6));
    hall.add_racks(fabric_type, 2); // 8 of the 20 stand in racks now: the total stays
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 359.6));
    // Node side: 3100 W over 31 nodes is 100 W each. Switch side: 5900 W over 20 switches is 295 W each.
    QVERIFY(near_to(hall.figure("load.rack_type." + std::to_string(type) + ".power").value, 10300));
    // A switch with its modules counted apart draws 747 W; its nameplate of 1720 W is that of filled cages.
    QVERIFY(near_to(hall.figure("load.rack_type." + std::to_string(fabric_type) + ".power").value, 4 * (747 + 295)));
    QCOMPARE(hall.loads.it.completeness, Completeness::estimate); // storage is still a planning share
    QCOMPARE(hall.findings("LOD-003").size(), std::size_t(0));    // no network in the design's table: nothing to point at
    // More switches drawn than needed (48 x 747 W = 35.856 kW against 34.4 kW) draw what is drawn.
    hall.add_racks(fabric_type, 10);
    hall.run();
    QVERIFY(near_to(hall.loads.switches.value / watts(1), 35856));
  }

  /// Racks of one type whose cages hold different modules: three node racks with 96, 96 and 48 W, two fabric racks of two
  /// switches with 400 and 200 W, a spine with modules of 30 W that no rack holds.
  void racksOfATypeDrawWhatTheirOwnCagesHold() {
    SmallHall hall;
    RackType& node_type = hall.rack_type("Node rack");
    node_type.power_limit = watts(10290);
    const Id nodes = node_type.id;
    hall.item(nodes, RackItemKind::node, "dgx-h100", 1);
    const Id fabric = hall.rack_type("Fabric rack").id;
    hall.item(fabric, RackItemKind::network_switch, "leaf", 2);
    hall.add_racks(nodes, 3);
    hall.add_racks(fabric, 2);
    const auto id = [&](std::size_t rack) { return hall.racks[rack].id; };
    hall.network = {5, watts(3735), watts(870), watts(240)};
    const auto of_rack = [](Id rack, double node_w, double switch_w) {
      RackCableLoad l;
      l.rack = rack;
      l.node_module_w = node_w;
      l.switch_module_w = switch_w;
      return l;
    };
    hall.wired = WiredAmounts{4, 1, 0, 1,
                              {of_rack(0, 0, 30), of_rack(id(0), 96, 0), of_rack(id(1), 96, 0), of_rack(id(2), 48, 0),
                               of_rack(id(3), 0, 400), of_rack(id(4), 0, 200)}};
    hall.run();
    const Table* racks = hall.figures.table("load.racks");
    const double wanted[] = {10296, 10296, 10248, 2 * 747 + 400, 2 * 747 + 200};
    for (std::size_t i = 0; i < 5; ++i) {
      QVERIFY2(near_to(racks->column("power")->numbers[i], wanted[i]), std::to_string(i).c_str());
      const Figure& own = hall.figure(racks->row_figures[i]); // a row opens the figure of its own value
      QVERIFY(near_to(own.value, wanted[i]));
      QVERIFY(own.label.find(hall.racks[i].name) != std::string::npos);
      QVERIFY(near_to(racks->column("heat_to_air")->numbers[i], wanted[i]));
    }
    QCOMPARE(racks->row_figures[0], racks->row_figures[1]);
    QCOMPARE(hall.loads.rack_classes.size(), std::size_t(4));
    // The type stands for its highest, and that is what its limit judges.
    const Figure& highest = hall.figure("load.rack_type." + std::to_string(nodes) + ".power");
    QVERIFY(near_to(highest.value, 10296));
    QCOMPARE(hall.findings("LOD-001").size(), std::size_t(1));
    QVERIFY(hall.findings("LOD-001")[0].message.find(hall.racks[0].name) != std::string::npos);
    // 10,296 x 2 + 10,248 + 1,894 + 1,694 = 34,428 W in racks; a switch of 747 W and its 30 W in none; 35,205 W in all:
    // 3 x 10,200 of nodes, 5 x 747 of switches, 870 of modules.
    QVERIFY(near_to(in_watts(hall.loads.in_racks.value), 34428));
    QVERIFY(near_to(in_watts(hall.loads.not_drawn.value), 777));
    QVERIFY(near_to(in_watts(hall.loads.it.value), 35205));
    QVERIFY(near_to(in_watts(hall.loads.switches.value), 3735));
    // A third fabric rack with nothing in its cages: its second switch is one more than the networks need.
    hall.add_racks(fabric, 1);
    hall.wired->undrawn_spines = 0;
    hall.wired->racks.erase(hall.wired->racks.begin());
    hall.wired->racks.push_back(of_rack(id(5), 0, 30));
    hall.run();
    QVERIFY(near_to(in_watts(hall.loads.in_racks.value), 34428 + 2 * 747 + 30));
    QCOMPARE(in_watts(hall.loads.not_drawn.value), 0.0);
    QVERIFY(near_to(in_watts(hall.loads.it.value), 34428 + 2 * 747 + 30));
    QVERIFY(near_to(hall.figure("load.switches_beyond_need").value, 747));
    QVERIFY2(hall.figure("load.switches").label.find("1 more than") != std::string::npos, hall.figure("load.switches").label.c_str());
    for (const Figure* f : hall.figures.all()) QVERIFY2(broken_derivation(hall.figures, *f).empty(), f->id.c_str());
  }

  /// Ends whose power nobody states make their racks "at least", and the highest of the type with them.
  void anEndWithoutAStatedPowerIsALowerBoundOfItsRack() {
    SmallHall hall;
    const Id nodes = hall.rack_type("Node rack").id;
    hall.item(nodes, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(nodes, 2);
    RackCableLoad first, second;
    first.rack = hall.racks[0].id;
    first.node_module_w = 96;
    second.rack = hall.racks[1].id;
    second.node_module_w = 48;
    second.without_power = 4;
    hall.network = {1, watts(747), watts(144), watts(144)};
    hall.wired = WiredAmounts{1, 0, 1, 0, {first, second}};
    hall.run();
    const Table* racks = hall.figures.table("load.racks");
    QCOMPARE(hall.figure(racks->row_figures[0]).completeness, Completeness::exact);
    QCOMPARE(hall.figure(racks->row_figures[1]).completeness, Completeness::lower_bound);
    const Figure& highest = hall.figure("load.rack_type." + std::to_string(nodes) + ".power");
    QVERIFY(near_to(highest.value, 10296));
    QCOMPARE(highest.completeness, Completeness::lower_bound);
  }

  /// One switch draws in its rack what the fabric counts for it, whatever the catalog states and on every basis.
  void aSwitchWithoutAStatedDrawIsEstimatedAsInTheFabric() {
    for (const PowerBasis basis : {PowerBasis::nameplate, PowerBasis::typical, PowerBasis::measured}) {
      WiredHall hall;
      hall.project.power_basis = basis;
      hall.add_network("silent");
      hall.item(hall.fabric_rack, RackItemKind::network_switch, "silent", 5);
      hall.add_racks(hall.fabric_rack, 2); // 10 switches: 8 leafs and 256 / 128 = 2 spines
      hall.run();
      QCOMPARE(hall.fabric_result.switches.value, Count{10});
      const Figure& here = hall.figure("load.part.switch.silent.power");
      const Figure& there = hall.figure("fabric.network." + std::to_string(hall.networks[0].id) + ".switch_power_each");
      QVERIFY(near_to(here.value, 1075.2));
      QCOMPARE(here.value, there.value);
      QCOMPARE(here.completeness, Completeness::estimate);
      QCOMPARE(QString::fromStdString(here.reason), QStringLiteral("no power for silent: estimated from its capacity"));
      // A rack with five of them is an estimate, no lower bound; so are all ten, drawn and needed.
      const Figure& switches = hall.figure("load.rack_type." + std::to_string(hall.fabric_rack) + ".switches");
      QVERIFY(near_to(switches.value, 5376));
      QCOMPARE(switches.completeness, Completeness::estimate);
      QVERIFY(near_to(in_watts(hall.loads.switches.value), 10752));
      QCOMPARE(hall.loads.switches.completeness, Completeness::estimate);
      QVERIFY(hall.findings("LOD-003").empty());
      for (const Finding& f : hall.findings("LOD-002")) QVERIFY(f.message.find("silent") == std::string::npos || !f.undecided);
      for (const Figure* f : hall.figures.all()) QVERIFY2(broken_derivation(hall.figures, *f).empty(), f->id.c_str());
    }
    // Without ports there is nothing to estimate from: unknown, and the part is named.
    WiredHall hall;
    for (SwitchPart& s : hall.catalog.switches)
      if (s.id == "silent") s.ports.reset();
    hall.item(hall.fabric_rack, RackItemKind::network_switch, "silent", 1);
    hall.add_racks(hall.fabric_rack, 1);
    hall.run();
    QCOMPARE(hall.figure("load.part.switch.silent.power").completeness, Completeness::unknown);
    QVERIFY(hall.figure("load.part.switch.silent.power").reason.find("silent") != std::string::npos);
  }

  /// Needed minus drawn, by part, never less than none.
  void onlySwitchesThatAreNotDrawnAreReported() {
    const auto reported = [](const std::string& part, Count drawn) {
      WiredHall hall;
      hall.add_network(part);
      if (drawn > 0) {
        hall.item(hall.fabric_rack, RackItemKind::network_switch, part, 1);
        hall.add_racks(hall.fabric_rack, drawn);
      }
      hall.run();
      return hall.findings("LOD-003");
    };
    for (const char* part : {"leaf", "silent"}) {
      const Count needed = std::string(part) == "leaf" ? 12 : 10; // radix 64: 8 leafs and 4 spines; radix 128: 8 and 2
      for (const Count drawn : {Count{0}, Count{4}, needed - 1}) {
        const auto found = reported(part, drawn);
        QCOMPARE(found.size(), std::size_t{1});
        const QString wanted = QString("%1 of %2 switches that the networks need %3 in no rack (%1 %4)").arg(needed - drawn).arg(needed)
                                   .arg(needed - drawn == 1 ? "stands" : "stand").arg(part);
        QVERIFY2(QString::fromStdString(found[0].message).startsWith(wanted), found[0].message.c_str());
      }
      for (const Count drawn : {needed, needed + 7}) QVERIFY(reported(part, drawn).empty());
    }
    // Spare switches of one part fill no place of another.
    WiredHall hall;
    hall.add_network("silent");
    hall.add_network("leaf");
    hall.item(hall.fabric_rack, RackItemKind::network_switch, "silent", 30);
    hall.add_racks(hall.fabric_rack, 1);
    hall.run();
    const auto found = hall.findings("LOD-003");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found[0].message.starts_with("12 of 22 switches"), found[0].message.c_str());
    QCOMPARE(found[0].entities, (std::vector<EntityRef>{{"networks", hall.networks[1].id}}));
  }

  /// Shares of the goal stand in until networks and storage are described: 102 kW x 1.10 = 112.2 kW.
  void goalSharesUntilDescribed() {
    SmallHall hall;
    hall.goal.network_power_share = 0.06;
    hall.goal.storage_power_share = 0.04;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(type, 10);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 112.2));
    QCOMPARE(hall.loads.it.completeness, Completeness::estimate);
    // 2 systems of 6.4 kW replace the share: 102 + 6.12 + 12.8 = 120.92 kW
    hall.storage.system_part = "store";
    hall.storage.systems = 2;
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 120.92));
  }

  /// Before anything is drawn: 32 GPUs are 4 nodes, 40.8 kW.
  void goalAlone() {
    SmallHall hall;
    hall.goal.gpus = 32;
    hall.goal.node_part = "dgx-h100";
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 40.8));
    QCOMPARE(hall.loads.it.completeness, Completeness::estimate);
    QVERIFY(near_to(hall.loads.heat_to_air.value / hall.loads.it.value, 1.0));
  }

  void nothingDrawnIsNotApplicable() {
    SmallHall hall;
    hall.run();
    QCOMPARE(hall.loads.it.completeness, Completeness::not_applicable);
    QCOMPARE(hall.loads.heat_to_liquid.completeness, Completeness::not_applicable);
    QCOMPARE(hall.loads.it_per_gpu.completeness, Completeness::not_applicable);
  }

  void measuredBasis() {
    SmallHall hall;
    hall.project.power_basis = PowerBasis::measured;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    hall.item(type, RackItemKind::node, "liquid-node", 1);
    hall.add_racks(type, 1);
    hall.run();
    // 8.4 measured; the liquid node states only its nameplate of 10 kW
    QVERIFY(near_to(in_kilowatts(hall.loads.nodes.value), 18.4));
    QCOMPARE(hall.figure("load.part.node.dgx-h100.power").completeness, Completeness::exact);
    const Figure& fallback = hall.figure("load.part.node.liquid-node.power");
    QCOMPARE(fallback.completeness, Completeness::estimate);
    QCOMPARE(QString::fromStdString(fallback.reason), QStringLiteral("no measured power for liquid-node: nameplate used"));
    QCOMPARE(hall.findings("LOD-002").size(), std::size_t(1));
    QVERIFY(!hall.findings("LOD-002").front().undecided);
  }

  /// Nameplate is wanted and missing, a measured value alone is known: at least that.
  void onlyALowerBasisIsALowerBound() {
    SmallHall hall;
    hall.catalog.nodes[0].power_maximum.reset(); // dgx-h100 keeps 8.4 kW measured
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 2);
    hall.add_racks(type, 1);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 16.8));
    QCOMPARE(hall.loads.it.completeness, Completeness::lower_bound);
    QVERIFY(hall.loads.it.reason && hall.loads.it.reason->find("at least its measured power") != std::string::npos);
  }

  void unknownPowerIsALowerBoundThatNamesThePart() {
    SmallHall hall;
    RackType& type = hall.rack_type("Mixed");
    type.power_limit = kilowatts(40);
    const Id id = type.id;
    hall.item(id, RackItemKind::node, "dgx-h100", 2);
    hall.item(id, RackItemKind::node, "unrated-node", 1);
    hall.add_racks(id, 3);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 61.2)); // 3 x 2 x 10.2
    QCOMPARE(hall.loads.it.completeness, Completeness::lower_bound);
    QVERIFY(hall.loads.it.reason->find("unrated-node") != std::string::npos);
    const auto limit = hall.findings("LOD-001");
    QCOMPARE(limit.size(), std::size_t(1));
    QVERIFY(limit.front().undecided);
    QVERIFY(hall.findings("LOD-002").front().undecided);
  }

  /// A rack PDU passes power on: its own loss belongs to the power chain, and nothing is missing from the rack's.
  void whatPassesPowerOnDrawsNone() {
    SmallHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 1);
    hall.item(type, RackItemKind::other, "ups-1000", 2);
    hall.add_racks(type, 31);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.nodes.value), 316.2));
    QVERIFY(near_to(hall.figure("load.rack_type." + std::to_string(type) + ".power").value, 10200));
    QCOMPARE(hall.figure("load.rack_type." + std::to_string(type) + ".power").completeness, Completeness::exact);
  }

  /// One finding names the item, the part and the nearest ids, and a slip of the hand is mended at once.
  void aPartThatTheCatalogLacks() {
    SmallHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h10", 4);
    hall.item(type, RackItemKind::network_switch, "banana", 1);
    hall.item(type, RackItemKind::other, "ups-1000", 1);
    hall.add_racks(type, 1);
    hall.run();
    const auto found = hall.findings("LOD-005");
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].severity, Severity::error);
    QCOMPARE(found[0].entities, (std::vector<EntityRef>{{"rack_items", hall.rack_items[0].id}}));
    QVERIFY2(found[0].message.find("DGX rack") != std::string::npos && found[0].message.find("4 x node") != std::string::npos &&
                 found[0].message.find("\"dgx-h10\"") != std::string::npos && found[0].message.find("Nearest in the catalog: dgx-h100") != std::string::npos,
             found[0].message.c_str());
    QVERIFY2(found[1].message.find("\"banana\"") != std::string::npos && found[1].message.find("leaf") != std::string::npos, found[1].message.c_str());
    QVERIFY(found[1].remedies.empty()); // "leaf" is no slip of "banana"
    QVERIFY(hall.findings("LOD-002").empty()); // told once
    const auto after = found[0].remedies.at(0).edit.apply(hall.design);
    QVERIFY(after);
    hall.rack_items = *after->rack_items;
    hall.run();
    QCOMPARE(hall.findings("LOD-005").size(), std::size_t(1));
    QVERIFY(near_to(in_kilowatts(hall.loads.nodes.value), 40.8));
  }

  void rackLimit() {
    SmallHall hall;
    RackType& type = hall.rack_type("DGX rack");
    type.power_limit = kilowatts(40);
    const Id id = type.id;
    hall.item(id, RackItemKind::node, "dgx-h100", 4); // 40.8 kW
    hall.add_racks(id, 1);
    hall.run();
    const auto over = hall.findings("LOD-001");
    QCOMPARE(over.size(), std::size_t(1));
    QCOMPARE(over.front().severity, Severity::error);
    hall.rack_types[0].power_limit = kilowatts(60);
    hall.run();
    QVERIFY(hall.findings("LOD-001").empty());
  }

  /// Three racks of 40.8 kW in a zone of 100 kW, and one beside it.
  void zoneLimit() {
    SmallHall hall;
    const Id id = hall.rack_type("DGX rack").id;
    hall.item(id, RackItemKind::node, "dgx-h100", 4);
    hall.add_racks(id, 4);
    for (std::size_t i = 0; i < 4; ++i) hall.racks[i].x = meters(i < 3 ? 1.0 + 0.6 * static_cast<double>(i) : 20.0), hall.racks[i].hall = 900;
    Zone zone{.id = 901, .name = "Lease", .hall = 900, .outline = {{0, -1000}, {10000, -1000}, {10000, 5000}, {0, 5000}}};
    for (const double limit : {100.0, 122.5}) {
      hall.run();
      zone.power_limit = kilowatts(limit);
      hall.design.halls = share(std::vector{Hall{.id = 900, .name = "H", .outline = {{0, 0}, {30000, 0}, {30000, 9000}}}});
      hall.design.zones = share(std::vector{zone});
      const auto found = hall.findings("LOD-004");
      QCOMPARE(found.size(), std::size_t(limit < 120 ? 1 : 0));
      if (!found.empty())
        QVERIFY2(found.front().message.find("3 racks") != std::string::npos && found.front().message.find("122.4 kW") != std::string::npos &&
                     found.front().message.find("100") != std::string::npos, found.front().message.c_str());
    }
  }

  /// The power of an integrated rack is its part's; trays inside do not add.
  void integratedRack() {
    SmallHall hall;
    const Id type = hall.rack_type("NVL72", "nvl72").id;
    hall.item(type, RackItemKind::node, "tray", 18);
    hall.item(type, RackItemKind::network_switch, "leaf", 9);
    hall.add_racks(type, 2);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 264)); // 2 x 132 (high)
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_liquid.value), 224.4)); // x 0.85
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_air.value), 39.6));
    hall.project.power_basis = PowerBasis::typical;
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 240)); // 2 x 120 (nominal)
  }

  void ownShareOfTheRackTypeWins() {
    SmallHall hall;
    RackType& type = hall.rack_type("Rear door rack");
    type.liquid_heat_share = 0.7;
    const Id id = type.id;
    hall.item(id, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(id, 10);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_liquid.value), 71.4)); // 102 x 0.7
  }

  void tablesHaveARowPerRack() {
    SmallHall hall;
    RackType& type = hall.rack_type("DGX rack");
    type.power_limit = kilowatts(20.4);
    const Id id = type.id;
    hall.item(id, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(id, 5);
    hall.run();
    const Table* racks = hall.figures.table("load.racks");
    QVERIFY(racks);
    QCOMPARE(racks->row_count(), std::size_t(5));
    QCOMPARE(racks->entities.size(), std::size_t(5));
    QVERIFY(near_to(racks->column("power")->numbers[3], 10200));
    QVERIFY(near_to(racks->column("limit_share")->numbers[3], 0.5));
    QVERIFY(hall.figures.find(racks->row_figures[0]));
  }

  void everythingReachesItsSources() {
    SmallHall hall;
    const Id type = hall.rack_type("DGX rack").id;
    hall.item(type, RackItemKind::node, "dgx-h100", 4);
    hall.add_racks(type, 3);
    hall.run();
    for (const Figure* f : hall.figures.all()) {
      const std::string broken = broken_derivation(hall.figures, *f);
      QVERIFY2(broken.empty(), broken.c_str());
    }
    bool catalog = false, design = false;
    for (const Derivation& d : derivation(hall.figures, hall.figure("load.it"))) {
      catalog = catalog || d.figure->id == "catalog.node.dgx-h100.power_max_w";
      design = design || d.figure->origin == Origin::design;
    }
    QVERIFY(catalog && design);
  }

  void laws() {
    QVERIFY(rc::check("k times the racks draw k times the power, and all of it becomes heat", [] {
      const auto racks = *rc::gen::inRange<Count>(1, 40);
      const auto k = *rc::gen::inRange<Count>(1, 6);
      const auto liquid_nodes = *rc::gen::inRange<Count>(0, 9);
      const auto air_nodes = *rc::gen::inRange<Count>(0, 9);
      RC_PRE(liquid_nodes + air_nodes > 0);
      auto of = [&](Count count) {
        SmallHall hall;
        hall.goal.network_power_share = 0.06;
        const Id type = hall.rack_type("Rack").id;
        if (liquid_nodes) hall.item(type, RackItemKind::node, "liquid-node", liquid_nodes);
        if (air_nodes) hall.item(type, RackItemKind::node, "dgx-h100", air_nodes);
        hall.add_racks(type, count);
        hall.run();
        return hall.loads;
      };
      const LoadResult one = of(racks), many = of(racks * k);
      RC_ASSERT(near_to(in_watts(many.it.value), static_cast<double>(k) * in_watts(one.it.value)));
      RC_ASSERT(near_to(in_watts(many.heat_to_liquid.value) + in_watts(many.heat_to_air.value), in_watts(many.it.value)));
    }));
  }
};

QTEST_APPLESS_MAIN(TestLoad)
#include "test_load.moc"
