// SPDX-License-Identifier: GPL-3.0-or-later
// Max-min fair loads against shares worked by hand, and the laws that define them.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <rapidcheck.h>

#include "fabric/communicators.h"
#include "fabric/link_loads.h"

using namespace hallwright;

namespace {

bool near(double value, double expected, double share) {
  return std::abs(value - expected) <= share * std::abs(expected);
}
/// Units of 4 nodes with two rails, leafs of 8 ports.
Wiring small_fabric(Count nodes, Count up = 4, Count planes = 1) {
  WiringRequest q;
  q.counts = {.nodes = nodes,
              .links_per_node = 2,
              .radix = 8,
              .nodes_per_unit = 4,
              .leaf_down = 4,
              .leaf_up = up,
              .planes = planes};
  return wire(q).value();
}
/// Every node of the first unit to its partner in the second, on one rail.
std::vector<NetworkFlow> across(double bytes = 1e9) {
  std::vector<NetworkFlow> out;
  for (std::uint32_t n = 0; n < 4; ++n)
    out.push_back({.from = n, .to = n + 4, .bytes = bytes});
  return out;
}
LinkLoads loads_of(const Wiring& w, const std::vector<NetworkFlow>& flows, const LoadOptions& o) {
  const FabricPaths paths(w);
  return link_loads(paths, flows, o).value();
}
std::vector<bool> links_of(const Wiring& w, std::uint32_t device) {
  std::vector<bool> out(w.links.size(), false);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = w.links[i].near == device || w.links[i].far == device;
  return out;
}

} // namespace

class TestLinkLoads : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void shares_by_hand() {
    // Flow 1 on link A (10), flow 2 on A and B (4), flow 3 on B: B gives 2 and 2, what is left of A is 8.
    FairShareProblem p;
    p.capacity = {10, 4};
    p.link = {0, 0, 1, 1};
    p.first = {0, 1, 3, 4};
    const auto r = max_min_rates(p, 99);
    QCOMPARE(r[0], 8.0);
    QCOMPARE(r[1], 2.0);
    QCOMPARE(r[2], 2.0);
    // A flow that uses nothing is not limited; on a link that carries nothing it stands still.
    p.capacity = {0, 4};
    p.link = {0, 1};
    p.first = {0, 1, 1, 2};
    const auto s = max_min_rates(p, 99);
    QCOMPARE(s[0], 0.0);
    QCOMPARE(s[1], 99.0);
    QCOMPARE(s[2], 4.0);
  }

  void every_flow_has_a_full_link_where_none_is_faster() {
    // What max-min fairness means (Bertsekas and Gallager, Data Networks, 6.5.2), for any links and flows.
    QVERIFY(rc::check("max-min", [] {
      FairShareProblem p;
      const int links = *rc::gen::inRange(1, 12), flows = *rc::gen::inRange(1, 40);
      for (int l = 0; l < links; ++l)
        p.capacity.push_back(*rc::gen::inRange(1, 100));
      for (int f = 0; f < flows; ++f) {
        auto used = *rc::gen::unique<std::vector<int>>(*rc::gen::inRange<std::size_t>(1, links + 1),
                                                       rc::gen::inRange(0, links));
        for (int l : used)
          p.link.push_back(static_cast<std::uint32_t>(l));
        p.first.push_back(static_cast<std::uint32_t>(p.link.size()));
      }
      const auto rate = max_min_rates(p, 1e9);
      std::vector<double> sum(p.capacity.size(), 0), most(p.capacity.size(), 0);
      for (std::size_t f = 0; f < rate.size(); ++f)
        for (auto i = p.first[f]; i < p.first[f + 1]; ++i) {
          sum[p.link[i]] += rate[f];
          most[p.link[i]] = std::max(most[p.link[i]], rate[f]);
        }
      for (std::size_t l = 0; l < sum.size(); ++l)
        RC_ASSERT(sum[l] <= p.capacity[l] * (1 + 1e-9));
      for (std::size_t f = 0; f < rate.size(); ++f) {
        bool held = false;
        for (auto i = p.first[f]; i < p.first[f + 1]; ++i)
          held =
              held || (sum[p.link[i]] >= p.capacity[p.link[i]] * (1 - 1e-9) && most[p.link[i]] <= rate[f] * (1 + 1e-9));
        RC_ASSERT(held);
      }
    }));
  }

  void hashing_of_32_flows_on_32_uplinks() {
    // Simulated in the research notes with 2,000 draws: mean 0.64, slowest 0.29; split in 4 0.47, in 16 0.65.
    const ShareSpread one = hash_spread(32, 32, 1);
    QVERIFY2(std::abs(one.mean - 0.64) < 0.01, qPrintable(QString::number(one.mean)));
    QVERIFY2(std::abs(one.slowest - 0.29) < 0.01, qPrintable(QString::number(one.slowest)));
    QVERIFY(std::abs(hash_spread(32, 32, 4).slowest - 0.47) < 0.01);
    QVERIFY(std::abs(hash_spread(32, 32, 16).slowest - 0.65) < 0.01);
    QCOMPARE(hash_spread(1, 1, 1).slowest, 1.0);
  }

  void paths_have_the_length_that_the_tiers_say() {
    const Wiring w = small_fabric(8);
    const FabricPaths paths(w);
    std::vector<DirectedLink> into;
    // One leaf: up and down. Two leafs: over a spine. To the other rail of the same node's unit: over a spine too.
    QCOMPARE(paths.path({.from = 0, .to = 1}, 0, 5, into).size(), std::size_t(2));
    QCOMPARE(paths.path({.from = 0, .to = 5}, 0, 5, into).size(), std::size_t(4));
    QCOMPARE(paths.path({.from = 0, .to = 1, .from_link = 0, .to_link = 1}, 0, 5, into).size(), std::size_t(4));
    // The path holds together from end to end.
    for (std::uint64_t hash = 1; hash < 50; ++hash) {
      const auto p = paths.path({.from = 0, .to = 5}, 0, hash * 0x9E3779B97F4A7C15ull, into);
      std::uint32_t at = 0;
      for (DirectedLink l : p) {
        const WiredLink& link = w.links[l / 2];
        QCOMPARE(l % 2 ? link.far : link.near, at);
        at = l % 2 ? link.near : link.far;
      }
      QCOMPARE(at, 5u);
    }
    QVERIFY(paths.path({.from = 0, .to = 1, .from_link = 9}, 0, 5, into).empty());
  }

  void a_fabric_that_does_not_block_gives_all_to_sprayed_flows() {
    const Wiring w = small_fabric(8);
    for (PathChoice c : {PathChoice::packet_spray, PathChoice::equal_split}) {
      const LinkLoads l = loads_of(w, across(), {.choice = c});
      for (double s : l.share)
        QVERIFY(near(s, 1.0, 1e-9));
      QCOMPARE(l.without_path, Count(0));
      // 1 GB from each node by its link at 50 GB/s.
      QVERIFY(near(l.worst_s, 0.02, 1e-9));
    }
    const LinkLoads hashed = loads_of(w, across(), {});
    QVERIFY(hashed.spread.slowest <= 1.0 + 1e-9 && hashed.spread.slowest >= 0.25 - 1e-9);
    // Bytes are kept: what goes up from the nodes comes down to the others.
    double up = 0, down = 0;
    for (std::size_t i = 0; i < w.links.size(); ++i)
      if (w.links[i].kind == LinkClass::node_leaf) {
        up += hashed.link_bytes[2 * i];
        down += hashed.link_bytes[2 * i + 1];
      }
    QCOMPARE(up, 4e9);
    QCOMPARE(down, 4e9);
  }

  void tapered_uplinks_give_their_share() {
    // Four nodes over two uplinks: one half each.
    const Wiring w = small_fabric(8, 2);
    for (PathChoice c : {PathChoice::packet_spray, PathChoice::equal_split})
      for (double s : loads_of(w, across(), {.choice = c}).share)
        QVERIFY(near(s, 0.5, 1e-9));
    // Faster uplinks make up for it.
    for (double s : loads_of(w, across(), {.choice = PathChoice::packet_spray, .uplink_gb_s = 100}).share)
      QVERIFY(near(s, 1.0, 1e-9));
  }

  void a_dragonfly_needs_one_global_hop() {
    // Four switches a group, two end points and two global links each: nine groups of eight end points.
    WiringRequest q;
    q.counts = {.nodes = 72, .links_per_node = 1, .radix = 8, .rails = false};
    q.counts.topology = Topology::dragonfly;
    q.counts.routers_per_group = 4;
    q.counts.endpoints_per_router = q.counts.global_links_per_router = 2;
    const Wiring w = wire(q).value();
    QCOMPARE(w.counts.groups, Count(9));
    const FabricPaths paths(w);
    std::vector<DirectedLink> into;
    for (std::uint32_t a = 0; a < 72; ++a)
      for (std::uint32_t b = 0; b < 72; ++b) {
        if (a == b) continue;
        const auto p = paths.path({.from = a, .to = b}, 0, a * 977 + b, into);
        QVERIFY(p.size() >= 2 && p.size() <= 5);
        std::uint32_t at = a;
        int global = 0;
        for (DirectedLink l : p) {
          const WiredLink& link = w.links[l / 2];
          QCOMPARE(l % 2 ? link.far : link.near, at);
          at = l % 2 ? link.near : link.far;
          global += link.kind == LinkClass::group_global;
        }
        QCOMPARE(at, b);
        QCOMPARE(global, a / 8 == b / 8 ? 0 : 1);
      }
  }

  void planes_carry_equal_parts() {
    const Wiring w = small_fabric(8, 4, 2);
    const LinkLoads l = loads_of(w, across(), {.choice = PathChoice::packet_spray});
    for (double s : l.share)
      QVERIFY(near(s, 1.0, 1e-9));
    // Half of 1 GB by each plane.
    QVERIFY(near(l.worst_bytes, 0.5e9, 1e-9));
  }

  void a_lost_spine_leaves_the_others() {
    const Wiring w = small_fabric(8);
    QCOMPARE(w.counts.spines, Count(2));
    FabricPaths paths(w);
    paths.take_out(links_of(w, w.first_spine));
    const auto spray = link_loads(paths, across(), {.choice = PathChoice::packet_spray}).value();
    for (double s : spray.share)
      QVERIFY(near(s, 0.5, 1e-9));
    // Hashed flows go round it.
    const auto hashed = link_loads(paths, across(), {}).value();
    QCOMPARE(hashed.without_path, Count(0));
    for (std::size_t i = 0; i < w.links.size(); ++i)
      if (w.links[i].far == w.first_spine) QCOMPARE(hashed.link_bytes[2 * i], 0.0);
    // Without its leaf a node has no path.
    paths.take_out(links_of(w, w.first_leaf));
    QVERIFY(link_loads(paths, across(), {}).value().without_path > 0);
  }

  void equal_split_suffers_where_a_bundle_is_thin() {
    // Leafs have two links to each of two spines. One of the links to the receiving leaf is lost: its spine still gets
    // one half of the traffic and passes on only one link's worth, so two links' worth arrive; spray brings three.
    const Wiring w = small_fabric(8);
    FabricPaths paths(w);
    const std::uint32_t to = w.links[paths.node_link(4, 0, 0)].far;
    std::vector<bool> dead(w.links.size(), false);
    for (std::size_t i = 0; i < dead.size(); ++i)
      if (w.links[i].kind == LinkClass::leaf_spine && w.links[i].near == to) {
        dead[i] = true;
        break;
      }
    paths.take_out(dead);
    const auto spray = link_loads(paths, across(), {.choice = PathChoice::packet_spray}).value();
    const auto even = link_loads(paths, across(), {.choice = PathChoice::equal_split}).value();
    for (double s : spray.share)
      QVERIFY2(near(s, 0.75, 1e-9), qPrintable(QString::number(s)));
    for (double s : even.share)
      QVERIFY2(near(s, 0.5, 1e-9), qPrintable(QString::number(s)));
  }

  void a_crossed_cable_has_its_price() {
    // Two nodes side by side on rail 1, one uplink a leaf at half rate. With the two rails of node 2 crossed, their
    // traffic climbs: 50 GB take 1 s right and 2 s wrong.
    const Wiring w = small_fabric(8, 1);
    const std::vector<NetworkFlow> flows{{.from = 0, .to = 1, .bytes = 50e9}};
    const LoadOptions o{.link_gb_s = 50, .uplink_gb_s = 25};
    const FabricPaths paths(w);
    const Wiring crossed = with_crossed_cables(w, paths.node_link(1, 0, 0), paths.node_link(1, 0, 1)).value();
    const StepPrice price = step_price(loads_of(w, flows, o), loads_of(crossed, flows, o));
    QVERIFY(near(price.right_s, 1.0, 1e-9));
    QVERIFY(near(price.wrong_s, 2.0, 1e-9));
    QVERIFY(near(price.extra_s(), 1.0, 1e-9));
    QVERIFY2(price.wrong_worst.find("spine") != std::string::npos, price.wrong_worst.c_str());
    QVERIFY(!with_crossed_cables(w, 0, 0));
    QVERIFY(!with_crossed_cables(w, 0, static_cast<std::uint32_t>(w.links.size() - 1)));
  }

  void a_wrong_order_of_ranks_has_its_price() {
    // Rings of 8 nodes in two units, one uplink a leaf. In order one hop each way crosses; alternating, all eight do,
    // and four of them share an uplink.
    const Wiring w = small_fabric(8, 1);
    const auto places = node_places(w);
    const CommunicatorTraffic ring{.groups = {8, 2}, .bytes_per_call = 8.0 / 14 * 50e9, .calls_per_step = 1};
    const auto seconds = [&](std::vector<std::uint32_t> order) {
      const RankPlacement p{.gpus_per_node = 2, .node_order = std::move(order)};
      return loads_of(w, network_flows(ring, p, places).value(), {}).worst_s;
    };
    QVERIFY(near(seconds({0, 1, 2, 3, 4, 5, 6, 7}), 1.0, 1e-9));
    QVERIFY(near(seconds({0, 4, 1, 5, 2, 6, 3, 7}), 4.0, 1e-9));
  }

  void wrong_options_are_refused_in_words() {
    const Wiring w = small_fabric(8);
    const FabricPaths paths(w);
    QVERIFY(QString::fromStdString(link_loads(paths, across(), {.flows_per_pair = 0}).error()).contains("1 to 1024"));
    QVERIFY(!link_loads(paths, across(), {.link_gb_s = 0}));
    QVERIFY(!link_loads(paths, std::vector<NetworkFlow>{{.from = 0, .to = 800}}, {}));
    QVERIFY(!loads_over_seeds(paths, across(), {}, 0));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(link_loads(paths, across(), {}, stop.get_token())->stopped);
    QCOMPARE(loads_over_seeds(paths, across(), {}, 8)->seeds, Count(8));
  }

  void a_hundred_thousand_flows_at_once() {
    WiringRequest q;
    q.counts = {.nodes = 12288, .links_per_node = 8, .radix = 128, .tiers = Tiers::three, .nodes_per_unit = 64};
    const Wiring w = wire(q).value();
    QCOMPARE(w.links.size(), std::size_t(294912));
    const auto places = node_places(w);
    const FabricPaths paths(w);
    const CommunicatorTraffic data{.groups = {12288, 8}, .bytes_per_call = 1e9, .calls_per_step = 1};
    for (RankOrder order : {RankOrder::unit_order, RankOrder::random}) {
      const auto flows = network_flows(data, rank_placement(order, 12288, 12288, 8, 1).value(), places).value();
      QCOMPARE(flows.size(), std::size_t(98304));
      const auto loads = link_loads(paths, flows, {}).value();
      QCOMPARE(loads.without_path, Count(0));
      QVERIFY(loads.spread.slowest > 0.0 && loads.spread.mean <= 1.0 + 1e-9);
    }
  }
};

QTEST_APPLESS_MAIN(TestLinkLoads)
#include "test_link_loads.moc"
