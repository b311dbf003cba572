// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <map>

#include "fabric/dragonfly.h"
#include "wiring_laws.h"

using namespace hallwright;

namespace {

FabricRequest dragonfly(Count nodes, Count radix = 64) {
  FabricRequest q;
  q.topology = Topology::dragonfly;
  q.nodes = nodes;
  q.radix = radix;
  q.rails = false;
  return q;
}

} // namespace

class TestDragonfly : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// A group of a typical 64-port machine: 32 switches with 16 end points and 16 global ports, 512 end points, 31 ports
  /// of each switch within the group, 496 cables.
  void a_group_of_a_real_machine() {
    const auto d = dragonfly_shape(dragonfly(64));
    QVERIFY2(d, d ? "" : d.error().c_str());
    QCOMPARE(d->switches, Count{32});
    QCOMPARE(d->end_points, Count{16});
    QCOMPARE(d->global_ports, Count{16});
    QCOMPARE(d->groups, Count{1});
    const auto counts = fabric_counts(dragonfly(64));
    QVERIFY(counts);
    QCOMPARE(counts->group_local_cables, Count{496});
    QCOMPARE(counts->group_global_cables, Count{0});
    QCOMPARE(counts->node_leaf_cables, Count{512});
  }

  void the_largest_one_joins_each_two_groups_once() {
    // a = 4, p = 2, h = 2: 9 groups, 72 end points, 36 global links, radix 7.
    FabricRequest q = dragonfly(72, 7);
    q.links_per_node = 1;
    const auto counts = fabric_counts(q);
    QVERIFY2(counts, counts ? "" : counts.error().c_str());
    QCOMPARE(counts->groups, Count{9});
    QCOMPARE(counts->leafs, Count{36});
    QCOMPARE(counts->group_local_cables, Count{9 * 6});
    QCOMPARE(counts->group_global_cables, Count{36});
    QCOMPARE(counts->switch_ports_idle, Count{0});
    QCOMPARE(counts->oversubscription, 1.0);
    WiringRequest request;
    request.counts = q;
    const auto w = wire(request);
    QVERIFY(w);
    QCOMPARE(test::broken_law(*w), std::string());
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    for (const WiredLink& link : w->of_class(LinkClass::group_global))
      ++pairs[{w->devices[link.near].unit, w->devices[link.far].unit}];
    QCOMPARE(pairs.size(), std::size_t{36});
    for (const PortRule& rule : w->rules)
      QCOMPARE(rule.departures, Count{0});

    q.nodes = 73; // a p (a h + 1) = 72
    const auto refused = fabric_counts(q);
    QVERIFY(!refused);
    QCOMPARE(
        refused.error(),
        std::string("a dragonfly with groups of 4 switches and 2 global links a switch carries 9 groups and 72 end "
                    "points; 73 are asked for in 10 groups: use radix 14"));
    const auto ways = ways_out(q);
    QCOMPARE(ways.size(), std::size_t{1});
    QVERIFY(fabric_counts(ways[0].request));
  }

  void global_links_spread_over_the_switches_of_a_group() {
    // Eight groups of 512 global ports: 73 links between each two, one port of each group is left; over 32 switches.
    WiringRequest request;
    request.counts = dragonfly(512);
    auto w = wire(request);
    QVERIFY(w);
    QCOMPARE(w->counts.group_global_cables, Count{73 * 28});
    std::map<std::uint32_t, int> of_switch;
    for (const WiredLink& link : w->of_class(LinkClass::group_global))
      ++of_switch[link.near], ++of_switch[link.far];
    QCOMPARE(of_switch.size(), std::size_t{256});
    for (const auto& [device, links] : of_switch)
      QVERIFY(links == 15 || links == 16);
    // Uneven bundles use the port that is left: eight groups, four more links.
    request.counts.bundles = BundleRule::uneven;
    w = wire(request);
    QVERIFY(w);
    QCOMPARE(test::broken_law(*w), std::string());
    QCOMPARE(w->counts.group_global_cables, Count{73 * 28 + 4});
    QCOMPARE(w->counts.oversubscription, 1.0);
  }

  void a_last_group_may_be_small() {
    // 520 nodes: eight groups of 64 and 8 nodes more, 64 links on 4 switches; 64 global ports reach 8 groups 8 times.
    WiringRequest request;
    request.counts = dragonfly(520);
    request.counts.units = UnitRule::lit;
    const auto w = wire(request);
    QVERIFY(w);
    QCOMPARE(test::broken_law(*w), std::string());
    QCOMPARE(w->counts.leafs, Count{8 * 32 + 4});
    QCOMPARE(w->counts.group_global_cables, Count{64 * 28 + 8 * 8}); // 512 / 8 between two full groups
  }

  void stated_switches_are_kept() {
    FabricRequest q = dragonfly(96);
    q.routers_per_group = 16;
    q.endpoints_per_router = 8;
    q.global_links_per_router = 4;
    auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leaf_down, Count{8});
    QCOMPARE(counts->leaf_up, Count{15 + 4});
    QCOMPARE(counts->groups, Count{6}); // 768 end points in groups of 128
    q.nodes_per_unit = 12;              // nodes of a group: 96 of its 128 end points
    counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->groups, Count{8});
    q.nodes_per_unit = 17;
    QVERIFY(QString::fromStdString(fabric_counts(q).error()).contains("a group has 128 end points"));
    q.nodes_per_unit = 0;
    q.radix = 20;
    QVERIFY(QString::fromStdString(fabric_counts(q).error()).contains("needs 27 ports"));
  }

  void kinds_of_links_keep_to_their_cages() {
    // 16 end points, 31 links in the group, 16 global ones: with two links a cage they begin at ports 1, 17 and 49.
    WiringRequest request;
    request.counts = dragonfly(128);
    request.leaf_cages = {32, 2};
    const auto w = wire(request);
    QVERIFY2(w, w ? "" : w.error().c_str());
    QCOMPARE(test::broken_law(*w), std::string());
    int first_global = 64;
    for (const WiredLink& link : w->of_class(LinkClass::group_global))
      first_global = std::min<int>(first_global, link.near_port);
    QCOMPARE(first_global, 49);
  }
};

QTEST_APPLESS_MAIN(TestDragonfly)
#include "test_dragonfly.moc"
