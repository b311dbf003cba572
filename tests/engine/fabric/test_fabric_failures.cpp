// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of a network after failures, against shares worked by hand.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "fabric/fabric_failures.h"

using namespace hallwright;

namespace {

bool near(double value, double expected) { return std::abs(value - expected) <= 1e-12; }
/// Four units of 32 nodes with eight rails: 32 leafs of 32 + 32 ports, 16 spines, two links a cage.
const Wiring& four_units() {
  static const Wiring w = [] {
    WiringRequest q;
    q.counts = {.nodes = 128, .links_per_node = 8, .radix = 64, .nodes_per_unit = 32};
    q.leaf_cages = q.spine_cages = {32, 2};
    return wire(q).value();
  }();
  return w;
}
WhatIsLeft left_of(const FailureStudy& study, const Wiring& w, std::string_view element) {
  return study.after(lost_parts(w, element).value());
}
QString refusal(const Wiring& w, std::string_view element) {
  const auto lost = lost_parts(w, element);
  return lost ? QString() : QString::fromStdString(lost.error());
}

} // namespace

class TestFabricFailures : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_spine_takes_its_share_of_the_middle() {
    const Wiring& w = four_units();
    QCOMPARE(w.counts.spines, Count(16));
    const FailureStudy study(w, 8);
    const WhatIsLeft left = left_of(study, w, "spine 2");
    QVERIFY(near(left.injection, 1.0));
    QVERIFY(near(*left.bisection, 15.0 / 16));
    QCOMPARE(left.isolated_gpus, Count(0));
    QCOMPARE(left.lost_links, Count(64));
  }

  void a_leaf_takes_a_rail_of_a_unit() {
    const Wiring& w = four_units();
    const WhatIsLeft left = left_of(FailureStudy(w, 8), w, "leaf 3");
    QVERIFY(near(left.injection, 31.0 / 32));
    QVERIFY(near(*left.bisection, 15.0 / 16)); // one of the 16 leafs of a half
    QCOMPARE(left.isolated_gpus, Count(32));
    QCOMPARE(left.isolated_nodes, Count(0));
    // One rail has three of four units left, the others all.
    auto rails = left.rail_injection;
    std::sort(rails.begin(), rails.end());
    QVERIFY(near(rails.front(), 0.75) && near(rails[1], 1.0));
  }

  void nodes_links_and_modules() {
    const Wiring& w = four_units();
    const FailureStudy study(w, 8);
    const WhatIsLeft node = left_of(study, w, "node 7");
    QCOMPARE(node.isolated_gpus, Count(8));
    QCOMPARE(node.isolated_nodes, Count(1));
    QVERIFY(near(node.injection, 127.0 / 128));
    const WhatIsLeft link = left_of(study, w, "link leaf 3 port 12");
    QCOMPARE(link.lost_links, Count(1));
    QCOMPARE(link.isolated_gpus, Count(1));
    QVERIFY(near(link.injection, 1023.0 / 1024));
    // A module at the leaf carries two nodes' links, one further up two uplinks.
    QCOMPARE(left_of(study, w, "module leaf 3 cage 4").isolated_gpus, Count(2));
    const WhatIsLeft up = left_of(study, w, "module leaf 3 cage 20");
    QCOMPARE(up.isolated_gpus, Count(0));
    QCOMPARE(up.lost_links, Count(2));
    QVERIFY(near(*up.bisection, 510.0 / 512)); // of the 512 uplinks of a half
    // Four GPUs that share a link are lost with it.
    QCOMPARE(FailureStudy(w, 32).after(lost_parts(w, "link leaf 1 port 1").value()).isolated_gpus, Count(4));
    // A GPU with two links keeps one.
    QCOMPARE(FailureStudy(w, 4).after(lost_parts(w, "link leaf 1 port 1").value()).isolated_gpus, Count(0));
  }

  void parts_that_are_lost_together() {
    // All leafs of a unit, as of a rack: its 32 nodes are cut off.
    const Wiring& w = four_units();
    LostParts rack{.name = "rack", .devices = {}, .links = {}};
    for (std::uint32_t d = w.first_leaf; d < w.first_spine; ++d)
      if (w.devices[d].unit == 0) rack.devices.push_back(d);
    const WhatIsLeft left = FailureStudy(w, 8).after(rack);
    QCOMPARE(left.isolated_nodes, Count(32));
    QVERIFY(near(left.injection, 0.75));
    QVERIFY(near(*left.bisection, 0.5));
    for (double r : left.rail_injection)
      QVERIFY(near(r, 0.75));
    // All spines: every node stands alone as far as other units are concerned.
    LostParts spines{.name = "spines", .devices = {}, .links = {}};
    for (std::uint32_t d = w.first_spine; d < w.first_core; ++d)
      spines.devices.push_back(d);
    const WhatIsLeft none = FailureStudy(w, 8).after(spines);
    QVERIFY(near(*none.bisection, 0.0));
    QCOMPARE(none.isolated_nodes, Count(128));
  }

  void a_plane_is_a_share_of_everything() {
    WiringRequest q;
    q.counts = {.nodes = 64, .links_per_node = 8, .radix = 64, .nodes_per_unit = 32, .planes = 2};
    const Wiring w = wire(q).value();
    const WhatIsLeft left = left_of(FailureStudy(w, 8), w, "Plane 2");
    QVERIFY(near(left.injection, 0.5));
    QVERIFY(near(*left.bisection, 0.5));
    QCOMPARE(left.isolated_gpus, Count(0));
    // A leaf of one plane isolates nobody either.
    QCOMPARE(left_of(FailureStudy(w, 8), w, "leaf 1").isolated_gpus, Count(0));
  }

  void three_tiers_lose_cores_and_pods() {
    WiringRequest q;
    q.counts = {.nodes = 512, .links_per_node = 8, .radix = 64, .tiers = Tiers::three, .nodes_per_unit = 32};
    const Wiring w = wire(q).value();
    const FailureStudy study(w, 8);
    QVERIFY(near(*left_of(study, w, "core 1").bisection, 1.0 - 1.0 / static_cast<double>(w.counts.cores)));
    // A spine is one of those of its half.
    QVERIFY(near(*left_of(study, w, "spine 1").bisection, 1.0 - 2.0 / static_cast<double>(w.counts.spines)));
  }

  void words_that_name_nothing_are_refused() {
    const Wiring& w = four_units();
    QCOMPARE(refusal(w, "leaf 40"), QStringLiteral("leaf 40 does not exist; there are 1 to 32"));
    QCOMPARE(refusal(w, "core 1"), QStringLiteral("core 1: this network has none"));
    QCOMPARE(refusal(w, "leaf x"), QStringLiteral("leaf \"x\" is not a number from 1 to 32"));
    QCOMPARE(refusal(w, "plane 2"), QStringLiteral("plane 2 does not exist; there are 1 to 1"));
    QVERIFY(refusal(w, "").contains("names nothing that can fail"));
    QVERIFY(refusal(w, "switch 3").contains("link leaf 3 port 12"));
    QVERIFY(refusal(w, "leaf -1").contains("is not a number"));
    QVERIFY(refusal(w, "link leaf 3 port 65").contains("port 65"));
    QVERIFY(refusal(w, "link router 3 port 5").contains("router"));
    QVERIFY(refusal(w, "module node 3 cage 1").contains("not known"));
    QCOMPARE(refusal(w, "  LINK  Leaf 3 PORT 12 "), QString());
  }

  void every_single_failure_of_a_regular_fabric_has_one_class() {
    const Wiring& w = four_units();
    std::map<std::string, Count> members;
    for (const FailureClass& c : FailureStudy(w, 8).all_single()) {
      QVERIFY2(members.count(c.kind) == 0, c.kind.c_str());
      members[c.kind] = c.members;
    }
    const std::map<std::string, Count> expected{{"leaf", 32},
                                                {"spine", 16},
                                                {"node", 128},
                                                {"link node-leaf", 1024},
                                                {"link leaf-spine", 1024},
                                                {"module leaf down", 512},
                                                {"module leaf up", 512},
                                                {"module spine down", 512}};
    QVERIFY(members == expected);
  }

  void classes_cover_what_each_failure_alone_would_do() {
    // Seven nodes in units of four: the last unit is not full. Each switch and node alone, against its classes.
    WiringRequest q;
    q.counts = {.nodes = 7, .links_per_node = 2, .radix = 8, .nodes_per_unit = 4};
    const Wiring w = wire(q).value();
    const FailureStudy study(w, 2);
    const auto classes = study.all_single();
    Count devices = 0, links = 0;
    for (const FailureClass& c : classes) {
      if (c.kind.rfind("link", 0) == 0)
        links += c.members;
      else if (c.kind.rfind("module", 0) != 0)
        devices += c.members;
    }
    QCOMPARE(devices, static_cast<Count>(w.devices.size()));
    QCOMPARE(links, static_cast<Count>(w.links.size()));
    std::multimap<Count, int> alone, classed;
    for (std::uint32_t d = 0; d < w.devices.size(); ++d)
      alone.emplace(study.after({.name = {}, .devices = {d}, .links = {}}).isolated_gpus, 0);
    for (const FailureClass& c : classes)
      if (!c.example.devices.empty())
        for (Count m = 0; m < c.members; ++m)
          classed.emplace(c.left.isolated_gpus, 0);
    QVERIFY(alone == classed);
  }

  void worst_first_and_it_stops_when_told() {
    const Wiring& w = four_units();
    const auto classes = FailureStudy(w, 8).all_single();
    QCOMPARE(classes.front().kind, std::string("leaf"));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(FailureStudy(w, 8).all_single(stop.get_token()).empty());
  }

  void a_hundred_thousand_gpus_in_one_sweep() {
    WiringRequest q;
    q.counts = {.nodes = 12288, .links_per_node = 8, .radix = 128, .tiers = Tiers::three, .nodes_per_unit = 64};
    q.leaf_cages = q.spine_cages = q.core_cages = {64, 2};
    const Wiring w = wire(q).value();
    const auto classes = FailureStudy(w, 8).all_single();
    // Work is by classes of alike parts: few, however many parts there are.
    QVERIFY(classes.size() >= 8 && classes.size() < 40);
  }
};

QTEST_APPLESS_MAIN(TestFabricFailures)
#include "test_fabric_failures.moc"
