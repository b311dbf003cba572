// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks on nodes and the bytes of communicators by tier, against figures worked by hand.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "fabric/communicators.h"

using namespace hallwright;

namespace {

/// 512 nodes, 32 a leaf group, 128 a pod, each a domain of its own.
std::vector<NodePlace> places_of(std::uint32_t nodes, std::uint32_t unit, std::uint32_t pod, std::uint32_t domain = 1) {
  std::vector<NodePlace> out;
  for (std::uint32_t n = 0; n < nodes; ++n)
    out.push_back({.domain = n / domain, .unit = n / unit, .pod = n / pod});
  return out;
}
bool near(double value, double expected, double share) {
  return std::abs(value - expected) <= share * std::abs(expected);
}
RankPlacement ordered(Count nodes, Count gpus) {
  return rank_placement(RankOrder::unit_order, nodes, nodes, gpus).value();
}

} // namespace

class TestRankPlacement : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// By hand: tensor 2, context 1, data 3, pipeline 2, twelve ranks; place 7 is rank 7 = 1 + 2 (0 + 3 x 1) in the first
  /// order, and tensor 1 of stage 1 of replica 1 in the second. Both ways lead back to `place_of`.
  void a_place_has_the_coordinates_of_its_rank() {
    const RankAxes axes{.tensor = 2, .context = 1, .data = 3, .pipeline = 2, .expert = 3};
    QCOMPARE(coordinates_at(axes, AxisOrder::data_before_pipeline, 7), (RankCoordinates{1, 0, 0, 1, 0}));
    QCOMPARE(coordinates_at(axes, AxisOrder::pipeline_before_data, 7), (RankCoordinates{1, 0, 1, 1, 1}));
    const RankAxes large{.tensor = 4, .context = 2, .data = 6, .pipeline = 5, .expert = 3};
    for (const AxisOrder order : {AxisOrder::data_before_pipeline, AxisOrder::pipeline_before_data}) {
      RankPlacement p = ordered(30, 8);
      p.axis_order = order;
      p.axes = large;
      for (Count rank = 0; rank < large.ranks(); ++rank) {
        const RankCoordinates c = coordinates_at(large, order, p.place_of(rank));
        QCOMPARE(c.tensor + 4 * (c.context + 2 * (c.data + 6 * c.pipeline)), rank);
      }
    }
  }

  void a_ring_in_order_hardly_crosses() {
    // 512 nodes in groups of 32: 16 of 512 hops, against 1 - 31/511 at random; in pods of 128: 4, against 1 - 127/511.
    const RingCrossing leaf = ring_crossing(512, 32), pod = ring_crossing(512, 128);
    QVERIFY(near(leaf.ordered, 0.03125, 1e-12) && near(leaf.random, 0.93933, 1e-5));
    QVERIFY(near(pod.ordered, 0.0078125, 1e-12) && near(pod.random, 0.75147, 1e-5));
    QCOMPARE(ring_crossing(8, 8).ordered, 0.0);
    // And so it is when the ring is laid out: eight rings, one a rail.
    const auto places = places_of(512, 32, 128);
    const CommunicatorTraffic data{.groups = {512, 8}, .bytes_per_call = 1e9, .calls_per_step = 1};
    const TierBytes in_order = tier_bytes(data, ordered(512, 8), places);
    QVERIFY(near(in_order.spine_share(), 0.03125, 1e-9));
    QVERIFY(near(in_order.core_share(), 0.0078125, 1e-9));
    double spine = 0, core = 0;
    for (Count seed = 1; seed <= 20; ++seed) {
      const auto t = tier_bytes(data, rank_placement(RankOrder::random, 512, 512, 8, seed).value(), places);
      spine += t.spine_share() / 20;
      core += t.core_share() / 20;
    }
    QVERIFY2(near(spine, 0.939, 0.01), qPrintable(QString::number(spine)));
    QVERIFY2(near(core, 0.751, 0.02), qPrintable(QString::number(core)));
  }

  void a_hierarchical_all_reduce_sends_its_part() {
    // n nodes of 8 GPUs, payload P: each NIC sends 2 (n - 1) / n P / 8, each GPU 2 x 7/8 P in its node.
    const auto places = places_of(16, 4, 16);
    const CommunicatorTraffic t{.groups = {128, 1}, .bytes_per_call = 8e9, .calls_per_step = 3};
    const TierBytes bytes = tier_bytes(t, ordered(16, 8), places);
    QVERIFY(near(bytes.network(), 3 * 128 * 2.0 * 15 / 16 * 1e9, 1e-12));
    QVERIFY(near(bytes.scale_up, 3 * 128 * 2.0 * 7 / 8 * 8e9, 1e-12));
    QCOMPARE(bytes.core, 0.0);
    const auto flows = network_flows(t, ordered(16, 8), places).value();
    QCOMPARE(flows.size(), std::size_t(128)); // each GPU to the next node on its rail
    double sum = 0;
    for (const NetworkFlow& f : flows) {
      QCOMPARE(f.from_link, f.to_link);
      sum += f.bytes;
    }
    QVERIFY(near(sum, bytes.network(), 1e-12));
  }

  void gpus_share_the_links_of_their_node() {
    // Two links a GPU: two flows of half the bytes each. One link for two GPUs: both use it.
    const auto places = places_of(2, 2, 2);
    const CommunicatorTraffic t{.groups = {2, 8}, .bytes_per_call = 1e9, .calls_per_step = 1};
    RankPlacement p = ordered(2, 8);
    p.links_per_node = 16;
    const auto twice = network_flows(t, p, places).value();
    QCOMPARE(twice.size(), std::size_t(32));
    QCOMPARE(twice[0].bytes, 0.5e9);
    QCOMPARE(int(std::max_element(twice.begin(), twice.end(),
                                  [](const auto& a, const auto& b) { return a.to_link < b.to_link; })
                     ->to_link),
             15);
    p.links_per_node = 4;
    const auto shared = network_flows(t, p, places).value();
    QCOMPARE(shared.size(), std::size_t(16));
    QCOMPARE(std::count_if(shared.begin(), shared.end(), [](const auto& f) { return f.from == 0 && f.to_link == 3; }),
             std::ptrdiff_t(2));
  }

  void an_all_to_all_leaves_its_group_in_proportion() {
    // E = 64 ranks on nodes of one GPU, e = 8 in a leaf group: (E - e) / (E - 1) leaves it.
    const CommunicatorTraffic t{
        .collective = Collective::all_to_all, .groups = {64, 1}, .bytes_per_call = 64e6, .calls_per_step = 1};
    const auto places = places_of(64, 8, 32);
    const TierBytes bytes = tier_bytes(t, ordered(64, 1), places);
    QVERIFY(near(bytes.spine_share(), 56.0 / 63, 1e-12));
    QVERIFY(near(bytes.core_share(), 32.0 / 63, 1e-12));
    QVERIFY(near(bytes.total(), 64 * 63 * 1e6, 1e-12));
    // Listed pair by pair it is the same.
    const auto flows = network_flows(t, ordered(64, 1), places).value();
    QCOMPARE(flows.size(), std::size_t(64 * 63));
    // Nodes of eight GPUs keep 7 of 63.
    const TierBytes eight = tier_bytes(t, ordered(8, 8), places_of(8, 4, 8));
    QVERIFY(near(eight.scale_up / eight.total(), 7.0 / 63, 1e-12));
    QVERIFY(!network_flows(t, ordered(64, 1), places, 1000));
  }

  void trees_cross_with_their_last_levels() {
    // 512 nodes in groups of 32: four of nine levels leave the group; halving they carry 15/16 of 511/512 of the
    // payload.
    const TreeCrossing t = tree_crossing(512, 32);
    QCOMPARE(t.levels, 9.0);
    QCOMPARE(t.crossing, 4.0);
    QVERIFY(near(t.halving_share, (15.0 / 16) / (511.0 / 512), 1e-12));
  }

  void a_job_has_its_communicators() {
    // Llama 3 405B: 126 layers of 16384, sequence 8192, TP 8, PP 16, DP 128, 2048 sequences a batch: 16 micro-batches.
    Job job; // stands at these values
    ModelPart model;
    model.id = "llama3-1-405b";
    model.layers = 126;
    model.hidden = 16384;
    model.parameters_total_billion = 405;
    const auto list = job_communicators(job, model).value();
    const auto named = [&](std::string_view name) -> const CommunicatorTraffic& {
      return *std::find_if(list.begin(), list.end(), [&](const auto& t) { return t.name == name; });
    };
    QCOMPARE(list.size(), std::size_t(4));
    QCOMPARE(named("Tensor").bytes_per_call, 8192.0 * 16384 * 2);
    QCOMPARE(named("Tensor").calls_per_step, 4.0 * 126 / 16 * 16);
    QCOMPARE(named("Tensor").groups.stride, Count(1));
    QCOMPARE(named("Data gradients").bytes_per_call, 405e9 / 128 * 4);
    QCOMPARE(named("Data gradients").groups.ranks, Count(128));
    QCOMPARE(named("Data gradients").groups.stride, Count(8));
    QCOMPARE(named("Data parameters").bytes_per_call, 405e9 / 128 * 2);
    QCOMPARE(named("Pipeline").groups.stride, Count(1024));
    QCOMPARE(named("Pipeline").calls_per_step, 32.0);
    // A tensor group of eight stays in its node; one of sixteen does not.
    const auto places = places_of(2048, 32, 2048);
    QCOMPARE(tier_bytes(named("Tensor"), ordered(2048, 8), places).network(), 0.0);
    job.tensor_parallel = 16;
    job.data_parallel = 64;
    QVERIFY(tier_bytes(job_communicators(job, model).value().front(), ordered(2048, 8), places).network() > 0);
    model.layers.reset();
    QVERIFY(QString::fromStdString(job_communicators(job, model).error()).contains("number of layers"));
    model.layers = 126;
    job.expert_parallel = 7;
    QVERIFY(QString::fromStdString(job_communicators(job, model).error()).contains("expert_parallel = 7"));
  }

  void full_recomputation_runs_the_forward_exchanges_again() {
    // 2 all-reduces of a layer forward and 2 backward, and 2 more for the second forward pass; keys and values 1 + 2 and
    // 1 more; experts 2 + 2 and 2 more. What the data axis exchanges once a step stays.
    Job job;
    job.context_parallel = 2;
    job.data_parallel = 64;
    job.expert_parallel = 4;
    ModelPart model;
    model.layers = 16, model.hidden = 1024, model.parameters_total_billion = 10, model.kv_heads = 8, model.head_dimension = 64;
    model.experts_routed = 8, model.experts_per_token = 2, model.moe_ffn_hidden = 2048;
    job.recompute = Recompute::selective;
    const auto before = job_communicators(job, model).value();
    job.recompute = Recompute::full;
    const auto after = job_communicators(job, model).value();
    QCOMPARE(after.size(), before.size());
    const double layers_and_batches = 16.0 / 16 * (2048.0 / 64); // layers of a stage x micro-batches
    std::map<std::string, std::pair<double, double>> calls;
    for (std::size_t i = 0; i < before.size(); ++i) {
      calls[before[i].name] = {before[i].calls_per_step / layers_and_batches, after[i].calls_per_step / layers_and_batches};
      QCOMPARE(after[i].bytes_per_call, before[i].bytes_per_call);
      QCOMPARE(after[i].groups, before[i].groups);
    }
    QCOMPARE(calls.at("Tensor"), std::pair(4.0, 6.0));
    QCOMPARE(calls.at("Context"), std::pair(3.0, 4.0));
    QCOMPARE(calls.at("Expert"), std::pair(4.0, 6.0));
    QCOMPARE(calls.at("Data gradients").first, calls.at("Data gradients").second);
    QCOMPARE(calls.at("Pipeline").first, calls.at("Pipeline").second);
    // Bytes: tokens 1 x 8192 / 2; keys and values of the whole sequence, 8 heads of 64 over 8 tensor ranks, 2 B each.
    const auto named = [&](std::string_view name) -> const CommunicatorTraffic& {
      return *std::find_if(after.begin(), after.end(), [&](const auto& t) { return t.name == name; });
    };
    QCOMPARE(named("Tensor").bytes_per_call, 4096.0 * 1024 * 2);
    QCOMPARE(named("Context").bytes_per_call, 2.0 * 8192 * 8 * 64 / 8 * 2);
    QCOMPARE(named("Context").groups, (RankGroups{2, 8}));
    QCOMPARE(named("Expert").bytes_per_call, 4096.0 * 1024 * 2 * 2 / 8);
    QCOMPARE(named("Expert").groups, (RankGroups{4, 8}));
    // Experts: 16 layers x 8 x 3 matrices of 1024 x 2048, over tensor, stages and expert ranks; in 32 copies.
    QCOMPARE(named("Expert data gradients").bytes_per_call, 16.0 * 8 * 3 * 1024 * 2048 / (8 * 16) / 4 * 4);
    QCOMPARE(named("Expert data gradients").groups, (RankGroups{32, 32}));
  }

  void copies_of_shards_sum_them() {
    // 128 data ranks of 405e9 / 128 parameters: spread over 16 ranks there are eight copies of each shard.
    Job job;
    job.shard_ranks = 16;
    QCOMPARE(job.sharding, Sharding::optimizer);
    job.sharding = Sharding::parameters; // else all ranks share it
    ModelPart model;
    model.layers = 126, model.hidden = 16384, model.parameters_total_billion = 405;
    const auto list = job_communicators(job, model).value();
    const auto named = [&](std::string_view name) -> const CommunicatorTraffic& {
      return *std::find_if(list.begin(), list.end(), [&](const auto& t) { return t.name == name; });
    };
    QCOMPARE(list.size(), std::size_t(5));
    QCOMPARE(named("Data gradients").groups, (RankGroups{16, 8}));
    QCOMPARE(named("Data gradients").bytes_per_call, 405e9 / 128 * 4);
    QCOMPARE(named("Data parameters").groups, (RankGroups{16, 8}));
    QCOMPARE(named("Data parameters").calls_per_step, 2.0);
    QCOMPARE(named("Data copies").groups, (RankGroups{8, 128}));
    QCOMPARE(named("Data copies").bytes_per_call, 405e9 / 128 / 16 * 4);
  }

  void interleaved_stages_come_round_again() {
    // Four stages of one rank in two chunks each: 4 x 2 - 1 = 7 boundaries, each passed forward and backward. A chain of
    // four has 3, twice; the last stage sends on to the first once.
    Job job;
    job.tensor_parallel = job.data_parallel = 1;
    job.pipeline_parallel = 4;
    job.virtual_stages = 2;
    job.global_batch_sequences = 3;
    job.sequence_length = 100;
    ModelPart model;
    model.layers = 8, model.hidden = 50, model.parameters_total_billion = 1, model.vocabulary = 1000;
    const auto list = job_communicators(job, model).value();
    QCOMPARE(list.size(), std::size_t(2));
    QCOMPARE(list[1].groups, (RankGroups{2, 3}));
    double bytes = 0;
    for (const CommunicatorTraffic& c : list)
      bytes += tier_bytes(c, ordered(4, 1), places_of(4, 4, 4)).total();
    QCOMPARE(bytes, 7.0 * 2 * 3 * (100 * 50 * 2)); // boundaries, both ways, micro-batches, activations
    // One matrix for both embeddings: its gradient is summed over first and last stage, 4 B a parameter.
    model.tied_embeddings = 1;
    job.tensor_parallel = 2;
    const auto tied = job_communicators(job, model).value();
    QCOMPARE(tied.back().name, std::string("Embedding"));
    QCOMPARE(tied.back().groups, (RankGroups{2, 6}));
    QCOMPARE(tied.back().bytes_per_call, 1000.0 * 50 / 2 * 4);
    QCOMPARE(tied.back().calls_per_step, 1.0);
    job.pipeline_parallel = 1; // the same rank has both ends
    const auto one_stage = job_communicators(job, model).value();
    for (const CommunicatorTraffic& c : one_stage)
      QVERIFY(c.name != "Embedding" && c.name != "Pipeline, last to first stage");
  }

  void the_order_of_axes_moves_ranks() {
    // Eight nodes of eight, four a leaf group; tensor 8, data 4, pipeline 2: a node is one pair of data and pipeline.
    // Data first: copies of a stage are nodes 1 to 4 and 5 to 8, its partner stage is four nodes on.
    // Pipeline first: node = pipeline + 2 x data, so that a ring of copies crosses at two of its four hops.
    const auto places = places_of(8, 4, 8);
    const RankAxes axes{.tensor = 8, .context = 1, .data = 4, .pipeline = 2, .expert = 1};
    RankPlacement data_first = ordered(8, 8), pipeline_first = ordered(8, 8);
    data_first.axes = pipeline_first.axes = axes;
    pipeline_first.axis_order = AxisOrder::pipeline_before_data;
    const CommunicatorTraffic data{.groups = {4, 8}, .bytes_per_call = 8e9, .calls_per_step = 1};
    const CommunicatorTraffic stages{
        .collective = Collective::send_receive, .groups = {2, 32}, .bytes_per_call = 1e9, .calls_per_step = 1};
    const double hop = 2.0 * 3 / 4 * 8e9; // of a ring of four
    const TierBytes a = tier_bytes(data, data_first, places), b = tier_bytes(data, pipeline_first, places);
    QCOMPARE(a.leaf, 64 * hop);
    QCOMPARE(a.spine, 0.0);
    QCOMPARE(b.leaf, 32 * hop);
    QCOMPARE(b.spine, 32 * hop);
    const TierBytes c = tier_bytes(stages, data_first, places), d = tier_bytes(stages, pipeline_first, places);
    QCOMPARE(c.spine, 32e9);
    QCOMPARE(c.leaf, 0.0);
    QCOMPARE(d.leaf, 32e9);
    QCOMPARE(d.spine, 0.0);
    // Every order fills every place once.
    for (const RankAxes& any : {axes, RankAxes{2, 3, 5, 7, 1}, RankAxes{1, 1, 1, 9, 1}, RankAxes{4, 1, 6, 1, 1}}) {
      RankPlacement p;
      p.axes = any;
      p.axis_order = AxisOrder::pipeline_before_data;
      std::vector<Count> taken(static_cast<std::size_t>(any.ranks()), 0);
      for (Count r = 0; r < any.ranks(); ++r)
        ++taken.at(static_cast<std::size_t>(p.place_of(r)));
      QVERIFY(std::all_of(taken.begin(), taken.end(), [](Count n) { return n == 1; }));
      QCOMPARE(p.place_of(any.ranks() + 3), any.ranks() + 3);
    }
  }

  void a_rank_has_its_gpu_and_its_ports() {
    // Four nodes with eight rails below eight leafs: rail r of node n ends at port n of leaf r, counted from 1.
    WiringRequest q;
    q.counts = {.nodes = 4, .links_per_node = 8, .radix = 64, .nodes_per_unit = 32};
    const Wiring w = wire(q).value();
    const RankAxes axes{.tensor = 8, .context = 1, .data = 2, .pipeline = 2, .expert = 2};
    RankPlacement p = ordered(4, 8);
    p.axes = axes;
    const auto map = rank_map(axes, p, w);
    QCOMPARE(map.size(), std::size_t(32));
    const RankPorts& r = map[11]; // tensor 3, data 1, stage 0
    QCOMPARE(std::tuple(r.tensor, r.context, r.data, r.pipeline, r.expert), std::tuple(Count(3), Count(0), Count(1), Count(0), Count(1)));
    QCOMPARE(r.node, 1u);
    QCOMPARE(r.gpu, 3u);
    QCOMPARE(r.links.size(), std::size_t(1));
    QCOMPARE(w.device_name(w.links[r.links[0]].far), std::string("leaf 4"));
    QCOMPARE(int(w.links[r.links[0]].far_port), 2);
    // With stages before copies it is the third node.
    p.axis_order = AxisOrder::pipeline_before_data;
    const RankPorts moved = rank_map(axes, p, w)[11];
    QCOMPARE(moved.node, 2u);
    QCOMPARE(int(w.links[moved.links.at(0)].far_port), 3);
    // Each link is some rank's, once.
    std::vector<int> used(w.links.size(), 0);
    const auto all = rank_map(axes, p, w);
    for (const RankPorts& each : all)
      for (const std::uint32_t l : each.links)
        ++used[l];
    for (std::size_t l = 0; l < used.size(); ++l)
      QCOMPARE(used[l], w.links[l].kind == LinkClass::node_leaf ? 1 : 0);
  }

  void stated_traffic_is_taken_as_stated() {
    Communicator c{.id = 7,
                   .name = "Experts",
                   .collective = Collective::all_to_all,
                   .ranks = 64,
                   .stride = 8,
                   .payload = gigabytes(2),
                   .calls_per_step = 12};
    const auto t = stated_communicators(std::span(&c, 1)).front();
    QCOMPARE(t.bytes_per_call, 2e9);
    QCOMPARE(t.groups.ranks, Count(64));
    QCOMPARE(t.communicator, Id(7));
  }

  void groups_that_pass_the_last_rank_are_left_out() {
    // 20 ranks in groups of 8: two groups; four ranks are in none.
    const CommunicatorTraffic t{
        .collective = Collective::send_receive, .groups = {8, 1}, .bytes_per_call = 1, .calls_per_step = 1};
    QCOMPARE(tier_bytes(t, ordered(20, 1), places_of(20, 20, 20)).total(), 14.0);
  }

  void orders_are_what_they_say() {
    const auto a = rank_placement(RankOrder::random, 100, 100, 8, 42).value();
    const auto b = rank_placement(RankOrder::random, 100, 100, 8, 42).value();
    const auto c = rank_placement(RankOrder::random, 100, 100, 8, 43).value();
    QVERIFY(a.node_order == b.node_order && a.node_order != c.node_order);
    auto sorted = a.node_order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> all(100);
    std::iota(all.begin(), all.end(), 0u);
    QVERIFY(sorted == all);
    const std::vector<std::uint32_t> racks{2, 0, 1};
    const auto r = rank_placement(RankOrder::rack_order, 2, 3, 4, 1, racks).value();
    QCOMPARE(r.ranks(), Count(8));
    QCOMPARE(r.node_of(0), 2u);
    QCOMPARE(r.node_of(7), 0u);
    QCOMPARE(r.gpu_of(7), 3u);
    const std::vector<std::uint32_t> twice{1, 1, 0};
    QVERIFY(
        QString::fromStdString(rank_placement(RankOrder::rack_order, 3, 3, 4, 1, twice).error()).contains("node 2"));
    QVERIFY(QString::fromStdString(rank_placement(RankOrder::unit_order, 4, 3, 8).error()).contains("1 to 3 nodes"));
    QVERIFY(!rank_placement(RankOrder::unit_order, 1, 1, 0));
  }

  void places_come_from_the_wiring() {
    WiringRequest q;
    q.counts = {.nodes = 64, .links_per_node = 8, .radix = 64, .nodes_per_unit = 32};
    const Wiring w = wire(q).value();
    const auto places = node_places(w, 2);
    QCOMPARE(places.size(), std::size_t(64));
    for (std::uint32_t n = 0; n < 64; ++n) {
      QCOMPARE(places[n].unit, n / 32);
      QCOMPARE(places[n].domain, n / 2);
      QCOMPARE(places[n].pod, 0u);
    }
  }
};

QTEST_APPLESS_MAIN(TestRankPlacement)
#include "test_rank_placement.moc"
