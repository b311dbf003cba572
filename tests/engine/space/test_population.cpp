// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include <rapidcheck.h>

#include "space/population.h"

using namespace hallwright;

namespace {

Shared<Catalog> catalog() {
  Catalog c;
  NodePart gpu_node;
  gpu_node.id = "eight";
  gpu_node.name = "Eight-GPU node";
  gpu_node.source = "test";
  gpu_node.accelerator = "acc";
  gpu_node.accelerators = 8;
  gpu_node.power_maximum = watts(10200);
  gpu_node.power_measured = watts(8400);
  NodePart login;
  login.id = "login";
  login.name = "Login node";
  NodePart tray = gpu_node;
  tray.id = "tray";
  tray.name = "Compute tray";
  tray.accelerators = 4;
  NodePart vague;
  vague.id = "vague";
  vague.name = "Vague node";
  vague.accelerator = "acc";
  c.nodes = {gpu_node, login, tray, vague};
  return share(std::move(c));
}

PopulationInputs inputs(const Design& d) { return {d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, catalog()}; }

/// Racks of types 1 (four nodes of eight GPUs) and 2 (18 trays of four), with ids from 100.
Design drawn(Count of_type_1, Count of_type_2) {
  Design d;
  RackType air, nvl;
  air.id = 1;
  air.name = "Air";
  nvl.id = 2;
  nvl.name = "NVL72";
  RackItem nodes, trays;
  nodes.id = 11;
  nodes.rack_type = 1;
  nodes.part = "eight";
  nodes.count = 4;
  trays.id = 12;
  trays.rack_type = 2;
  trays.part = "tray";
  trays.count = 18;
  std::vector<Rack> racks;
  for (Count i = 0; i < of_type_1 + of_type_2; ++i) {
    Rack r;
    r.id = 100 + i;
    r.rack_type = i < of_type_1 ? 1 : 2;
    racks.push_back(r);
  }
  d.rack_types = share(std::vector{air, nvl});
  d.rack_items = share(std::vector{nodes, trays});
  d.racks = share(std::move(racks));
  return d;
}

Design with_goal(Count gpus) {
  Design d;
  Goal goal;
  goal.gpus = gpus;
  goal.node_part = "eight";
  goal.nodes_per_rack = 4;
  d.goal = share(goal);
  Site site;
  site.utility_power = megawatts(10);
  d.site = share(site);
  return d;
}

} // namespace

class TestPopulation : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void counts_what_is_drawn() {
    const auto p = population(inputs(drawn(3, 2)));
    QVERIFY(p.drawn);
    QCOMPARE(p.racks.value, Count{5});
    QCOMPARE(p.compute_racks.value, Count{5});
    QCOMPARE(p.nodes.value, Count{3 * 4 + 2 * 18});         // 48
    QCOMPARE(p.accelerators.value, Count{3 * 32 + 2 * 72}); // 240
    QCOMPARE(p.main_node_part, std::string("tray"));        // 144 of them against 96
    QCOMPARE(p.main_accelerator_part, std::string("acc"));
    QCOMPARE(p.accelerators_per_node.value, Count{4});
    QVERIFY(p.accelerators.completeness == Completeness::exact);
    QCOMPARE(p.rack_types.size(), std::size_t{2});
    QCOMPARE(p.node_kinds[0].nodes.value, Count{12});
    QCOMPARE(p.page->find("population.node.tray.accelerators")->value, 144.0);
    QCOMPARE(p.page->find("population.rack_type.2.racks")->value, 2.0);
  }

  void explanation_reaches_design_and_catalog() {
    const auto p = population(inputs(drawn(3, 2)));
    Figures figures;
    figures.add(p);
    bool design = false, part = false, counted = false;
    for (const Derivation& d : derivation(figures, *figures.find("population.gpus"))) {
      design |= d.figure->origin == Origin::design && d.figure->table == "rack_items" && d.figure->field == "count";
      part |= d.figure->origin == Origin::catalog && d.figure->part == "tray" && d.figure->field.find("accelerators") == 0;
      counted |= d.figure->origin == Origin::counted && d.figure->id == "population.rack_type.1.racks";
    }
    QVERIFY(design);
    QVERIFY(part);
    QVERIFY(counted);
  }

  void the_goal_stands_in_for_racks() {
    const auto p = population(inputs(with_goal(1000)));
    QVERIFY(!p.drawn);
    QCOMPARE(p.nodes.value, Count{125}); // 1000 / 8
    QCOMPARE(p.accelerators.value, Count{1000});
    QCOMPARE(p.racks.value, Count{32}); // ceil(125 / 4)
    for (const auto& figure : {p.nodes, p.accelerators, p.racks, p.compute_racks}) QVERIFY(figure.completeness == Completeness::estimate);
    QVERIFY(p.page->find("population.nodes")->reason.find("goal") != std::string::npos);
  }

  void without_a_number_the_site_decides() {
    // 10 MW / 1.25 = 8 MW; a node draws 10.2 kW and 10 % more for network and storage: 8000 / 11.22 = 713.01.
    auto p = population(inputs(with_goal(0)));
    QCOMPARE(p.nodes.value, Count{713});
    QCOMPARE(p.accelerators.value, Count{5704});
    QCOMPARE(p.racks.value, Count{179});
    QVERIFY(p.nodes.completeness == Completeness::estimate);
    // Typical power is not known; the measured 8.4 kW stands in: 8000 / 9.24 = 865.8.
    Design d = with_goal(0);
    Project typical;
    typical.power_basis = PowerBasis::typical;
    d.project = share(typical);
    p = population(inputs(d));
    QCOMPARE(p.nodes.value, Count{865});
    const Figure* power = p.page->find("population.node_power");
    QVERIFY(power && power->completeness == Completeness::estimate);
    QVERIFY2(power->reason.find("typical") != std::string::npos && power->reason.find("measured") != std::string::npos, power->reason.c_str());
  }

  void nothing_at_all_is_said_to_be_nothing() {
    const auto p = population(inputs(Design{}));
    QVERIFY(!p.drawn);
    const Figure* gpus = p.page->find("population.gpus");
    QVERIFY(gpus->completeness == Completeness::not_applicable);
    QCOMPARE(gpus->reason, std::string("no racks are drawn and no goal is set"));
    QVERIFY(p.main_node_part.empty());
  }

  void a_goal_with_an_unknown_node_says_which() {
    Design d = with_goal(8);
    Goal goal = *d.goal;
    goal.node_part = "no-such";
    d.goal = share(goal);
    const auto p = population(inputs(d));
    QVERIFY(!p.nodes.has_value());
    QVERIFY(p.page->find("population.nodes")->reason.find("no-such") != std::string::npos);
  }

  void unknown_accelerators_leave_a_lower_bound() {
    Design d = drawn(3, 0);
    auto items = *d.rack_items;
    items[1].rack_type = 1;
    items[1].part = "vague";
    d.rack_items = share(items);
    auto p = population(inputs(d));
    QVERIFY(p.accelerators.completeness == Completeness::lower_bound);
    QCOMPARE(p.accelerators.value, Count{96});
    QCOMPARE(p.nodes.value, Count{3 * 4 + 3 * 18});
    // Nodes without accelerators add none, and that is exact.
    items[1].part = "login";
    d.rack_items = share(items);
    p = population(inputs(d));
    QVERIFY(p.accelerators.completeness == Completeness::exact);
    QCOMPARE(p.accelerators.value, Count{96});
  }

  void fabric_racks_are_no_nodes() {
    Design d = with_goal(64);
    RackType leafs;
    leafs.id = 1;
    leafs.name = "Leafs";
    leafs.role = RackRole::fabric;
    Rack rack;
    rack.id = 2;
    rack.rack_type = 1;
    d.rack_types = share(std::vector{leafs});
    d.racks = share(std::vector{rack});
    const auto p = population(inputs(d));
    QVERIFY(!p.drawn);
    QCOMPARE(p.nodes.value, Count{8});
    QCOMPARE(p.compute_racks.value, Count{2});
    QCOMPARE(p.racks.value, Count{3});
  }

  void laws_hold() {
    QVERIFY(rc::check("n racks hold n times what one holds", [] {
      const Count n = *rc::gen::inRange<Count>(1, 2000), m = *rc::gen::inRange<Count>(0, 2000);
      const auto p = population(inputs(drawn(n, m)));
      RC_ASSERT(p.nodes.value == n * 4 + m * 18);
      RC_ASSERT(p.accelerators.value == n * 32 + m * 72);
    }));
    QVERIFY(rc::check("the order in which racks were drawn is irrelevant", [] {
      Design d = drawn(*rc::gen::inRange<Count>(1, 40), *rc::gen::inRange<Count>(1, 40));
      const auto before = population(inputs(d));
      auto racks = *d.racks;
      const auto kinds = *rc::gen::container<std::vector<std::uint32_t>>(racks.size(), rc::gen::arbitrary<std::uint32_t>());
      std::vector<std::size_t> order(racks.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::sort(order.begin(), order.end(), [&](auto a, auto b) { return std::pair(kinds[a], a) < std::pair(kinds[b], b); });
      for (std::size_t i = 0; i < order.size(); ++i) racks[i].rack_type = (*d.racks)[order[i]].rack_type;
      d.racks = share(racks);
      const auto after = population(inputs(d));
      RC_ASSERT(*before.page == *after.page);
    }));
  }
};

QTEST_APPLESS_MAIN(TestPopulation)
#include "test_population.moc"
