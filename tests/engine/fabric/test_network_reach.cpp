// SPDX-License-Identifier: GPL-3.0-or-later
// What oversubscription and lost links cost a group of ranks: worked by hand, and against the streams of laid-out rings.
#include <QtTest>

#include <rapidcheck.h>

#include <cmath>

#include "fabric/communicators.h"
#include "fabric/hashed_flows.h"
#include "fabric/network_reach.h"
#include "fabric/traffic.h"

using namespace hallwright;

namespace {

bool near(double value, double expected) { return std::abs(value - expected) <= 1e-9 * std::abs(expected); }

/// 16 nodes of 8 GPUs on rails: units of 4 nodes, 8 leafs each, oversubscribed as stated.
Wiring wired(double oversubscription) {
  FabricRequest q;
  q.nodes = 16;
  q.links_per_node = 8;
  q.radix = 64;
  q.nodes_per_unit = 4;
  q.tiers = Tiers::two;
  q.oversubscription = oversubscription;
  q.leaf_down = 4;
  q.leaf_up = static_cast<Count>(4.0 / oversubscription);
  q.bundles = BundleRule::uneven;
  auto w = wire({.counts = q, .leaf_cages = {}, .spine_cages = {}, .core_cages = {}});
  if (!w) qFatal("%s", w.error().c_str());
  return *std::move(w);
}
JobNetwork job_on(const Wiring& w, Count ranks, const std::vector<bool>& dead = {}, RankOrder order = RankOrder::unit_order) {
  auto placement = rank_placement(order, (ranks + 7) / 8, w.first_manager, 8);
  if (!placement) qFatal("%s", placement.error().c_str());
  placement->links_per_node = 8;
  const auto all = rank_placement(order, w.first_manager, w.first_manager, 8);
  return job_network(w, *placement, node_places(w), all->node_order, ranks, dead);
}

} // namespace

class TestNetworkReach : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_ring_sends_one_member_in_as_many_up() {
    // 256 GPUs under a set of leafs, members 8 GPUs apart: 32 together, so a leaf sends 1/32 of what it carries up. Seven
    // to one hurts nobody; 64 to one does, twice.
    NetworkReach r{.unit_gpus = 256, .leaf_oversubscription = 7};
    QCOMPARE(network_narrowing(r, GroupTraffic::ring, 128, 8), 1.0);
    r.leaf_oversubscription = 64;
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 128, 8), 2.0));
    // Members further apart than a unit is wide: all of it goes up.
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 128, 1024), 64.0));
    // A group that stays below its leafs pays nothing.
    QCOMPARE(network_narrowing(r, GroupTraffic::ring, 32, 8), 1.0);
  }

  void all_pairs_send_most_of_it_up() {
    // 8 members, 4 of them together: of 7 partners 4 are elsewhere, at four to one 16/7 of the time.
    const NetworkReach r{.unit_gpus = 32, .leaf_oversubscription = 4};
    QVERIFY(near(network_narrowing(r, GroupTraffic::all_pairs, 8, 8), 16.0 / 7.0));
  }

  void a_shift_leaves_the_unit_by_as_much_as_it_is_long() {
    const NetworkReach r{.unit_gpus = 256, .leaf_oversubscription = 4};
    QVERIFY(near(shift_narrowing(r, 128), 2.0)); // half of the unit sends to the next one
    QVERIFY(near(shift_narrowing(r, 1024), 4.0));
    QCOMPARE(shift_narrowing(r, 32), 1.0);
  }

  void spines_narrow_on_top_of_leafs() {
    const NetworkReach r{.unit_gpus = 64, .pod_gpus = 512, .leaf_oversubscription = 2, .core_oversubscription = 3};
    // All pairs over 16 members 64 apart: leafs pass all of it at 2, spines 8/15 of it at 6.
    QVERIFY(near(network_narrowing(r, GroupTraffic::all_pairs, 16, 64), 48.0 / 15.0));
  }

  /// Two flows on two uplinks share one in half of the draws: the slowest has 3/4 of line rate in the mean. One flow never
  /// collides. Twice as fast an uplink carries both.
  void hashed_flows_by_hand() {
    const auto two = slowest_hashed_flows(2, 2, 1);
    QVERIFY(std::abs(two[0] - 0.75) < 0.04);
    QCOMPARE(two[1], 1.0);
    QCOMPARE(slowest_hashed_flows(2, 2, 1, 2.0)[0], 1.0);
    QCOMPARE(slowest_hashed_flows(32, 1, 1)[0], 1.0); // nothing is chosen
    const auto many = slowest_hashed_flows(32, 32, 1), parts = slowest_hashed_flows(32, 32, 16);
    QVERIFY(std::abs(many[0] - 0.29) < 0.03); // about 3.5 flows on the fullest of 32 links
    QVERIFY(parts[0] > many[0]);
    for (std::size_t i = 1; i < many.size(); ++i) QVERIFY(many[i] >= many[i - 1]);
  }

  void hashed_flows_narrow_what_climbs() {
    NetworkReach r{.unit_gpus = 32, .leaf_oversubscription = 1};
    r.slowest_flow = {0.25, 0.5, 0.8, 1, 1, 1, 1, 1};
    // Members as far apart as a unit is wide: all flows climb, the slowest has a quarter of line rate.
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 4, 32), 4.0));
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 4, 16), 2.0));  // one of two climbs
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 8, 8), 1.25)); // one of four
    QCOMPARE(network_narrowing(r, GroupTraffic::ring, 4, 8), 1.0);       // all below one leaf
    // Four flows each: of the three times above even filling a half is left.
    QVERIFY(near(network_narrowing(r, GroupTraffic::all_pairs, 5, 32), 1.0 + 3.0 / 2.0));
    QVERIFY(near(shift_narrowing(r, 16), 2.0));
    // What oversubscription takes anyway is not taken twice.
    r.leaf_oversubscription = 6;
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 4, 32), 6.0));
  }

  void lost_links_slow_every_exchange() {
    const NetworkReach r{.injection_left = 0.5};
    QVERIFY(near(network_narrowing(r, GroupTraffic::ring, 4, 8), 2.0));
    QVERIFY(near(shift_narrowing(r, 8), 2.0));
    QCOMPARE(network_narrowing(r, GroupTraffic::ring, 1, 8), 1.0);
  }

  void the_share_is_that_of_rings_laid_out() {
    // The streams of the same rings by tier, counted member by member.
    for (const Count stride : {8, 16, 32})
      for (const Count unit : {4, 8}) {
        std::vector<NodePlace> places;
        for (std::uint32_t n = 0; n < 64; ++n) places.push_back({.domain = n, .unit = n / static_cast<std::uint32_t>(unit), .pod = 0});
        const Count members = 512 / stride;
        const TierBytes bytes = tier_bytes({.groups = {members, stride}, .bytes_per_call = 1e9, .calls_per_step = 1},
                                           rank_placement(RankOrder::unit_order, 64, 64, 8).value(), places);
        const double narrow = network_narrowing({.unit_gpus = static_cast<double>(unit * 8), .leaf_oversubscription = 1000}, GroupTraffic::ring,
                                                static_cast<double>(members), static_cast<double>(stride));
        QVERIFY2(std::abs(narrow / 1000 - bytes.spine_share()) < 1e-9, qPrintable(QStringLiteral("stride %1, unit %2").arg(stride).arg(unit)));
      }
  }

  void the_network_of_a_job_is_counted_from_its_links() {
    const Wiring even = wired(1), two = wired(2);
    // Four units of 32 GPUs; each leaf joins four nodes.
    QVERIFY(near(job_on(even, 128).reach.unit_gpus, 32));
    QCOMPARE(job_on(even, 128).reach.leaf_oversubscription, 1.0);
    QVERIFY(near(job_on(two, 128).reach.leaf_oversubscription, 2.0));
    // A job of one unit sees the same network, and never leaves its unit.
    QCOMPARE(job_on(two, 32).reach, job_on(two, 128).reach);
    QCOMPARE(network_narrowing(job_on(two, 32).reach, GroupTraffic::ring, 4, 8), 1.0);
    // At random, neighbours share a unit 3 times in 15.
    double runs = 0;
    for (Count seed = 1; seed <= 40; ++seed) {
      auto p = rank_placement(RankOrder::random, 16, 16, 8, seed).value();
      runs += 128 / job_network(two, p, node_places(two), p.node_order, 128, {}).reach.unit_gpus / 40;
    }
    QVERIFY2(std::abs(runs - (1 + 15 * 0.8)) < 0.7, qPrintable(QString::number(runs)));
  }

  void what_is_out_of_service_is_counted() {
    const Wiring w = wired(2); // leafs of 4 down and 2 up
    std::vector<bool> dead(w.links.size(), false);
    const auto first_leaf = w.at_device(w.first_leaf);
    std::uint32_t up = 0;
    for (const std::uint32_t l : first_leaf)
      if (w.links[l].kind == LinkClass::leaf_spine) up = l;
    dead[up] = true;
    const JobNetwork one_up = job_on(w, 128, dead);
    QVERIFY(near(one_up.reach.leaf_oversubscription, 4.0)); // 4 links below, one left above
    QCOMPARE(one_up.cut_off_gpus, Count{0});
    // The whole leaf: one GPU of each of its four nodes has its only link there.
    for (const std::uint32_t l : first_leaf) dead[l] = true;
    QCOMPARE(job_on(w, 128, dead).cut_off_gpus, Count{4});
    // A job that needs three of the four nodes loses three.
    QCOMPARE(job_on(w, 24, dead).cut_off_gpus, Count{3});
  }

  void more_network_never_narrows() {
    QVERIFY(rc::check("narrowing", [] {
      NetworkReach r;
      r.unit_gpus = *rc::gen::inRange(1, 2000);
      r.pod_gpus = r.unit_gpus * *rc::gen::inRange(1, 16);
      r.leaf_oversubscription = *rc::gen::inRange(1, 100) / 10.0 + 0.1;
      r.core_oversubscription = *rc::gen::inRange(1, 100) / 10.0 + 0.1;
      r.injection_left = *rc::gen::inRange(1, 100) / 100.0;
      const double members = *rc::gen::inRange(1, 4096), stride = *rc::gen::inRange(1, 4096);
      for (const GroupTraffic t : {GroupTraffic::ring, GroupTraffic::all_pairs}) {
        const double before = network_narrowing(r, t, members, stride);
        RC_ASSERT(std::isfinite(before) && before >= 1.0);
        for (double NetworkReach::* more : {&NetworkReach::leaf_oversubscription, &NetworkReach::core_oversubscription}) {
          NetworkReach better = r;
          better.*more *= 0.5;
          RC_ASSERT(network_narrowing(better, t, members, stride) <= before * (1 + 1e-12));
        }
        NetworkReach healed = r;
        healed.injection_left = 1.0;
        RC_ASSERT(network_narrowing(healed, t, members, stride) <= before * (1 + 1e-12));
      }
    }));
  }
};

QTEST_APPLESS_MAIN(TestNetworkReach)
#include "test_network_reach.moc"
