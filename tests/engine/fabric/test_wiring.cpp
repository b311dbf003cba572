// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <map>
#include <tuple>

#include <rapidcheck.h>

#include "fabric/wiring.h"
#include "wiring_laws.h"

using namespace hallwright;
using hallwright::test::broken_law;

namespace {

/// A request of any kind; about half of them can be built.
WiringRequest any_wiring() {
  using rc::gen::element;
  using rc::gen::inRange;
  WiringRequest r;
  FabricRequest& q = r.counts;
  auto sometimes = [](Count low, Count high) -> Count { return *inRange(0, 4) == 0 ? *inRange(low, high + 1) : 0; };
  q.topology =
      *element(Topology::fat_tree, Topology::fat_tree, Topology::fat_tree, Topology::rail_only, Topology::dragonfly);
  q.radix = *element<Count>(4, 7, 8, 16, 24, 32, 36, 40, 64, 128);
  q.links_per_node = *inRange<Count>(1, 11);
  q.nodes = *inRange<Count>(1, *element<Count>(5, 40, 300, 1000));
  q.rails = *rc::gen::arbitrary<bool>();
  q.nodes_per_unit = *element<Count>(0, 0, 1, 4, 5, 16, 18, 32, 41, 72);
  q.oversubscription = *element(1.0, 1.0, 1.0, 1.5, 2.0, 3.0, 0.5);
  q.core_oversubscription = *element(1.0, 1.0, 2.0, 7.0, 0.7);
  q.planes = *element<Count>(1, 1, 1, 2, 3);
  q.units = *element(UnitRule::whole, UnitRule::lit);
  q.bundles = *element(BundleRule::equal, BundleRule::equal, BundleRule::uneven);
  q.tiers = *element(Tiers::automatic, Tiers::automatic, Tiers::one, Tiers::two, Tiers::three);
  q.leaf_down = sometimes(1, q.radix);
  q.leaf_up = sometimes(1, q.radix);
  q.spine_radix = sometimes(2, 80);
  q.core_radix = sometimes(2, 80);
  q.reserved_leaf_ports = sometimes(0, q.radix / 4);
  q.reserved_spine_ports = sometimes(0, 3);
  q.reserved_node_places = sometimes(0, 3);
  q.reserved_links = sometimes(0, 20);
  q.uplink_ports = *element<Count>(1, 1, 1, 2);
  q.routers_per_group = sometimes(0, 9);
  q.endpoints_per_router = sometimes(0, 5);
  q.global_links_per_router = sometimes(0, 5);
  r.leaf_cages.links_per_cage = *element<Count>(1, 1, 2);
  r.spine_cages.links_per_cage = *element<Count>(1, 1, 2);
  return r;
}

/// Eight racks of 18 trays with four rails: 18 of 64 ports down and 18 up.
WiringRequest eight_racks() {
  WiringRequest r;
  r.counts.nodes = 144;
  r.counts.links_per_node = 4;
  r.counts.nodes_per_unit = 18;
  r.counts.leaf_down = r.counts.leaf_up = 18;
  return r;
}

const PortRule* rule_of(const Wiring& w, LinkClass kind) {
  const auto found = std::find_if(w.rules.begin(), w.rules.end(), [&](const PortRule& r) { return r.kind == kind; });
  return found == w.rules.end() ? nullptr : &*found;
}

} // namespace

class TestWiring : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void laws_hold_for_any_network() {
    QVERIFY(rc::check("what is wired obeys the laws; what is refused names a design that can be built", [] {
      const WiringRequest request = any_wiring();
      const auto w = wire(request);
      if (w) {
        const std::string broken = broken_law(*w);
        if (!broken.empty()) RC_FAIL(broken + "; " + w->counts.rule);
        RC_ASSERT(w->counts.leafs == fabric_counts(request.counts)->leafs);
        return;
      }
      const auto counts = fabric_counts(request.counts);
      if (counts) {
        RC_ASSERT(w.error().find("cages") != std::string::npos);
        return;
      }
      const auto ways = ways_out(request.counts);
      RC_ASSERT(ways.empty() == (counts.error().find("must be") != std::string::npos));
      for (const WayOut& way : ways) {
        RC_ASSERT(fabric_counts(way.request).has_value());
        RC_ASSERT(counts.error().find(way.words) != std::string::npos);
        // What carries the nodes by a larger design still carries all of them.
        RC_ASSERT(way.request.nodes <= request.counts.nodes);
      }
    }));
  }

  /// The map of a real fabric of eight racks, recovered from its discovery dump (31 leafs, 9 spines, 1,114 links):
  /// leaf port = 33 + 2 (s - 1) + i, spine port = 8 (c - 1) + 2 (r - 1) + 1 + i, tray t on leaf port t.
  void the_map_of_a_real_fabric_comes_out() {
    const auto w = wire(eight_racks());
    QVERIFY2(w, w ? "" : w.error().c_str());
    QCOMPARE(w->counts.spines, Count{9});
    QCOMPARE(w->of_class(LinkClass::node_leaf).size(), std::size_t{576});
    QCOMPARE(w->of_class(LinkClass::leaf_spine).size(), std::size_t{576});
    std::map<std::pair<std::uint32_t, int>, std::pair<std::uint32_t, int>> uplinks;
    for (const WiredLink& link : w->of_class(LinkClass::leaf_spine))
      uplinks[{link.near, link.near_port}] = {link.far, link.far_port};
    for (std::uint32_t c = 1; c <= 8; ++c)
      for (std::uint32_t r = 1; r <= 4; ++r) {
        const std::uint32_t leaf = w->first_leaf + 4 * (c - 1) + r - 1;
        QCOMPARE(w->devices[leaf].unit, c - 1);
        QCOMPARE(w->devices[leaf].rail, static_cast<std::uint16_t>(r - 1));
        for (int s = 1; s <= 9; ++s)
          for (int i = 0; i < 2; ++i) {
            const auto end = uplinks.at({leaf, 33 + 2 * (s - 1) + i});
            QCOMPARE(end.first, w->first_spine + static_cast<std::uint32_t>(s) - 1);
            QCOMPARE(end.second, static_cast<int>(8 * (c - 1) + 2 * (r - 1) + 1) + i);
          }
      }
    for (const WiredLink& link : w->of_class(LinkClass::node_leaf)) {
      QCOMPARE(static_cast<std::uint32_t>(link.far_port), link.near % 18 + 1);
      QCOMPARE(link.far, w->first_leaf + 4 * (link.near / 18) + link.rail);
      QCOMPARE(link.near_port, static_cast<std::uint16_t>(link.rail + 1));
    }
    const PortRule* up = rule_of(*w, LinkClass::leaf_spine);
    QVERIFY(up);
    QCOMPARE(up->line, std::string("leaf port = 33 + 2 s + i; spine port = 1 + 8 u + 2 r + i"));
    QCOMPARE(up->links, Count{576});
    QCOMPARE(up->departures, Count{0});
    const PortRule* down = rule_of(*w, LinkClass::node_leaf);
    QVERIFY(down);
    QCOMPARE(down->line, std::string("leaf port = 1 + n; node port = 1 + r; leaf = 1 + 4 u + r"));
  }

  void fabric_managers_beside_the_nodes_take_spare_ports() {
    WiringRequest r = eight_racks();
    r.counts.reserved_links = 2; // the dump has two links of managers: 540 trays + 2
    const auto w = wire(r);
    QVERIFY2(w, w ? "" : w.error().c_str());
    QCOMPARE(broken_law(*w), std::string());
    const auto links = w->of_class(LinkClass::node_leaf);
    QCOMPARE(links.size(), std::size_t{578});
    QCOMPARE(w->first_leaf - w->first_manager, 1u);
    for (std::size_t i = 576; i < 578; ++i) {
      QCOMPARE(links[i].near, w->first_manager);
      QCOMPARE(links[i].near_port, static_cast<std::uint16_t>(i - 575));
      QCOMPARE(links[i].far_port, std::uint16_t{19}); // beside the 18 trays
    }
    QCOMPARE(rule_of(*w, LinkClass::node_leaf)->departures, Count{2});
  }

  void a_reserved_place_is_the_last_of_its_unit() {
    WiringRequest r; // 127 nodes and one place for managers in four units of 32
    r.counts.nodes = 127;
    r.counts.reserved_node_places = 1;
    r.counts.reserved_links = 4;
    const auto w = wire(r);
    QVERIFY(w);
    QCOMPARE(broken_law(*w), std::string());
    QCOMPARE(w->of_class(LinkClass::node_leaf).size(), std::size_t{1020});
    for (const WiredLink& link : w->of_class(LinkClass::node_leaf).subspan(1016)) {
      QVERIFY(w->devices[link.near].kind == DeviceKind::manager);
      QCOMPARE(link.far_port, std::uint16_t{32});
      QCOMPARE(w->devices[link.far].unit, 3u);
    }
    // 31 of 32 uplinks of the last unit's leafs carry links of nodes.
    Count dark = 0;
    for (const WiredLink& link : w->of_class(LinkClass::leaf_spine))
      dark += !link.lit;
    QCOMPARE(dark, Count{8});
  }

  void every_core_reaches_every_pod_as_often() {
    // 24 pods of 4,096 uplinks on 128-port cores: 768 by division, where a plain assignment runs into itself; 1,024 by
    // equal bundles, 4 links to each pod.
    WiringRequest r;
    r.counts.nodes = 12288;
    r.counts.radix = 128;
    r.counts.nodes_per_unit = 64;
    r.counts.tiers = Tiers::three;
    r.leaf_cages = r.spine_cages = r.core_cages = {64, 2};
    const auto equal = wire(r);
    QVERIFY2(equal, equal ? "" : equal.error().c_str());
    QCOMPARE(equal->links.size(), std::size_t{3 * 98304});
    QCOMPARE(equal->counts.cores, Count{1024});
    QCOMPARE(broken_law(*equal), std::string());
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    for (const WiredLink& link : equal->of_class(LinkClass::spine_core))
      ++pairs[{link.far, equal->devices[link.near].pod}];
    QCOMPARE(pairs.size(), std::size_t{24 * 1024});
    for (const auto& [pair, links] : pairs)
      QCOMPARE(links, 4);
    for (const PortRule& rule : equal->rules)
      QCOMPARE(rule.departures, Count{0});
    r.counts.bundles = BundleRule::uneven;
    const auto uneven = wire(r);
    QVERIFY(uneven);
    QCOMPARE(uneven->counts.cores, Count{768});
    QCOMPARE(broken_law(*uneven), std::string());
  }

  void a_last_pod_that_is_smaller_is_reached_by_every_core() {
    // 520 nodes: four full pods of 32 leafs and 8 leafs more, 256 uplinks; cores: 4 * 1024 + 256 links over 64 ports
    // ask for 68, and 128 is the next divisor of 1024: 8 links to each full pod, 2 to the last.
    WiringRequest r;
    r.counts.nodes = 520;
    const auto w = wire(r);
    QVERIFY(w);
    QCOMPARE(w->counts.cores, Count{128});
    QCOMPARE(broken_law(*w), std::string());
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    for (const WiredLink& link : w->of_class(LinkClass::spine_core))
      ++pairs[{link.far, w->devices[link.near].pod}];
    QCOMPARE(pairs.size(), std::size_t{5 * 128});
    for (const auto& [pair, links] : pairs)
      QCOMPARE(links, pair.second == 4 ? 2 : 8);
  }

  void cages_are_of_one_kind() {
    WiringRequest r; // 31 ports down end in half a cage; the uplinks begin with the next
    r.counts.nodes = 31;
    r.counts.leaf_down = 31;
    r.counts.leaf_up = 32;
    r.counts.nodes_per_unit = 31;
    r.leaf_cages = {32, 2};
    const auto w = wire(r);
    QVERIFY2(w, w ? "" : w.error().c_str());
    QCOMPARE(broken_law(*w), std::string());
    QVERIFY(std::any_of(w->counts.notes.begin(), w->counts.notes.end(), [](const std::string& note) {
      return note.find("1 port of each leaf stays empty") != std::string::npos;
    }));
    r.counts.leaf_up = 33;
    const auto refused = wire(r);
    QVERIFY(!refused);
    QCOMPARE(refused.error(),
             std::string("the cages of a leaf carry 2 links each; 31 links down and 33 up do not keep to cages of "
                         "their own within 64 ports: use leaf ports 31/32"));
    r.counts.leaf_up = 32;
    QVERIFY(wire(r));
    r.leaf_cages = {30, 2};
    QVERIFY(QString::fromStdString(wire(r).error()).contains("30 cages"));
    QCOMPARE(w->request.leaf_cages.port_name(33), std::string("17/1"));
    QCOMPARE((Cages{64, 1}.port_name(33)), std::string("33"));
  }

  void links_lie_class_after_class_and_are_found_by_device() {
    WiringRequest r;
    r.counts.nodes = 64;
    r.counts.planes = 2;
    const auto w = wire(r);
    QVERIFY(w);
    QCOMPARE(w->device_name(w->first_leaf + 2), std::string("leaf 3"));
    QCOMPARE(w->device_name(0), std::string("node 1"));
    QCOMPARE(w->first_of_class.size(), std::size_t{6});
    QCOMPARE(w->at_device(0).size(), std::size_t{16});
    QCOMPARE(w->at_device(w->first_leaf).size(), std::size_t{64});
    QCOMPARE(w->at_device(w->first_spine).size(), std::size_t{64});
    for (std::uint32_t d = 0; d < w->devices.size(); ++d) {
      int last = 0;
      for (const std::uint32_t i : w->at_device(d)) {
        const WiredLink& link = w->links[i];
        QVERIFY(link.near == d || link.far == d);
        const int port = link.near == d ? link.near_port : link.far_port;
        QVERIFY(port > last);
        last = port;
      }
    }
    for (std::size_t i = 1; i < w->links.size(); ++i) {
      const WiredLink &a = w->links[i - 1], &b = w->links[i];
      QVERIFY(std::tuple(a.kind, a.near, a.near_port) < std::tuple(b.kind, b.near, b.near_port));
    }
    QVERIFY(w->of_class(LinkClass::group_global).empty());
  }

  void a_stop_ends_the_work_with_a_word() {
    std::stop_source source;
    source.request_stop();
    const auto w = wire(eight_racks(), source.get_token());
    QVERIFY(!w);
    QCOMPARE(w.error(), std::string("stopped"));
  }

  void what_cannot_be_listed_is_refused() {
    WiringRequest r;
    r.counts.nodes = 10'000'000;
    r.counts.radix = 4096;
    const auto w = wire(r);
    QVERIFY(!w);
    QVERIFY2(w.error().find("lists up to 20000000 links") != std::string::npos, w.error().c_str());
  }
};

QTEST_APPLESS_MAIN(TestWiring)
#include "test_wiring.moc"
