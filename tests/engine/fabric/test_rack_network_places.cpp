// SPDX-License-Identifier: GPL-3.0-or-later
// What networks and the job are to each rack, against figures worked by hand.
#include <QtTest>

#include <cmath>
#include <map>
#include <set>

#include "engine/fabric/ruled_hall.h"
#include "fabric/bytes_per_gpu.h"
#include "fabric/rack_network_places.h"

using namespace hallwright;
using namespace hallwright::test;

class TestRackNetworkPlaces : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void numbers_in_runs() {
    QCOMPARE(runs_text(std::vector<Count>{1, 2, 3, 7, 9, 10}), std::string("1-3, 7, 9-10"));
    QCOMPARE(runs_text(std::vector<Count>{}), std::string());
  }

  /// 32 nodes of eight links on 8 leafs, one a rail and no spine, all in one rack of eight switches: it has all rails, and
  /// racks of nodes have the rails of their links, which are all, too.
  void rails_of_racks() {
    const Ruled r = ruled(hall_of(32, 8));
    const NumbersByRack rails = rails_by_rack(r.cabling.networks);
    QVERIFY2(rails.nothing.empty(), rails.nothing.c_str());
    std::map<Id, std::string> by_rack;
    std::set<Count> of_leafs;
    for (const RackNumbers& n : rails.racks) {
      by_rack[n.rack] = runs_text(n.numbers);
      if (n.rack >= 800) of_leafs.insert(n.numbers.begin(), n.numbers.end());
    }
    QCOMPARE(by_rack[100], std::string("1-8"));
    QCOMPARE(by_rack[107], std::string("1-8"));
    QCOMPARE(of_leafs, (std::set<Count>{1, 2, 3, 4, 5, 6, 7, 8}));
  }
  void a_network_without_rails_or_cores_says_so() {
    Network n = compute_network();
    n.rails = false;
    const Ruled r = ruled(hall_of(32, 8, {n}));
    const NumbersByRack rails = rails_by_rack(r.cabling.networks), pods = pods_by_rack(r.cabling.networks);
    QVERIFY(rails.racks.empty() && rails.nothing.find("Compute has no rails") == 0);
    QVERIFY(pods.racks.empty() && pods.nothing.find("Compute has no core switches") == 0);
    QCOMPARE(pods_by_rack({}).nothing, std::string("There is no compute network."));
  }

  /// Rack 100 is the farthest from the fabric rack in the first row, rack 107 the nearest: 7 racks of 0.6 m are 4.2 m less
  /// of way. The fabric rack has the longest cable of all; the second one holds nothing of the network.
  void the_longest_cable_of_a_rack() {
    const Ruled r = ruled(hall_of(32, 8));
    std::map<Id, double> meters;
    for (const RackLongestCable& c : longest_cables(r.cabling.networks)) {
      meters[c.rack] = c.meters;
      QCOMPARE(c.network, compute_id);
    }
    QCOMPARE(meters.size(), std::size_t{9});
    double most = 0;
    for (const auto& [rack, m] : meters) most = std::max(most, m);
    QCOMPARE(std::max(meters[800], meters[801]), most);
    QCOMPARE(meters[100], most);
    QVERIFY2(meters[107] < meters[100], qPrintable(QStringLiteral("%1 m, %2 m").arg(meters[107]).arg(meters[100])));
    // Ordered lengths are whole steps above the way; the way between the corners of the row is 9 x 0.6 m at least.
    QVERIFY(meters[100] > 10 * 0.6);
    QVERIFY(longest_cables({}).empty());
  }

  /// By hand: tensor 8, data 2, pipeline 2 on four nodes of eight GPUs, two nodes a rack. Data before pipeline: the first
  /// rack has ranks 0 to 15, stage 1. Pipeline before data: its second node has stage 2 of replica 1, ranks 16 to 23.
  void ranks_of_a_rack() {
    const RankAxes axes{.tensor = 8, .context = 1, .data = 2, .pipeline = 2, .expert = 1};
    RankPlacement placement = rank_placement(RankOrder::unit_order, 4, 4, 8).value();
    placement.axes = axes;
    DevicePlaces places;
    places.racks = {{.rack = 70}, {.rack = 71}};
    for (std::uint32_t n = 0; n < 4; ++n) places.places.push_back({.rack = n / 2});
    const std::vector<Id> first{70}, both{71, 70}, other{99};
    RanksOnRacks held = ranks_on_racks(axes, placement, places, first);
    QCOMPARE(held.runs, (std::vector<NumberRun>{{0, 15}}));
    QCOMPARE(held.stages, std::vector<Count>{1});
    QCOMPARE(held.ranks, Count{16});
    QCOMPARE(held.of, Count{32});
    held = ranks_on_racks(axes, placement, places, both);
    QCOMPARE(held.runs, (std::vector<NumberRun>{{0, 31}}));
    QCOMPARE(held.stages, (std::vector<Count>{1, 2}));
    QVERIFY(ranks_on_racks(axes, placement, places, other).runs.empty());
    placement.axis_order = AxisOrder::pipeline_before_data;
    held = ranks_on_racks(axes, placement, places, first);
    QCOMPARE(held.runs, (std::vector<NumberRun>{{0, 7}, {16, 23}}));
    QCOMPARE(held.stages, (std::vector<Count>{1, 2}));
  }

  /// A ring all-reduce of 1 GB over four nodes of one GPU: each sends 2 x 3/4 GB.
  void bytes_of_one_gpu() {
    const TierBytes each = bytes_per_gpu({.scale_up = 0, .leaf = 4.5e9, .spine = 1.5e9, .core = 0}, 4);
    QCOMPARE(each.total(), 1.5e9);
    QCOMPARE(bytes_per_gpu({.leaf = 1}, 0).total(), 0.0);
  }
};

QTEST_GUILESS_MAIN(TestRackNetworkPlaces)
#include "test_rack_network_places.moc"
