// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include <rapidcheck.h>

#include "engine/training/job_fixture.h"
#include "reliability/formulas.h"
#include "reliability/reliability.h"

using namespace hallwright;
using namespace hallwright::fixture;

namespace {

struct Setting {
  Operations operations;
  StoragePlan plan;
  Time stall = seconds(60), write_time = seconds(60);
  Count nodes = 2048;
  Job job = llama_job();
  std::vector<RackItem> items;
  std::vector<Rack> racks;
};

struct Outcome {
  PopulationResult population;
  TrainingResult training;
  StorageResult storage;
  ReliabilityResult reliability;
  Figures figures;
};

Outcome run(const Setting& s) {
  Outcome o;
  o.population = h100_cluster(s.nodes);
  o.training = train(s.job, o.population);
  Ledger ledger(Page::storage);
  o.storage.stall = ledger.measured<Time>("storage.stall", "Stall", s.stall, "test");
  o.storage.write_time = ledger.measured<Time>("storage.write_time", "Write time", s.write_time, "test");
  o.storage.page = ledger.finish_page();
  o.reliability = reliability({share(s.operations), share(s.plan), share(std::vector<RackType>{}), share(s.items), share(s.racks),
                               shipped_catalog()},
                              o.population, o.training, o.storage);
  o.figures.add(o.population);
  o.figures.add(o.training);
  o.figures.add(o.storage);
  o.figures.add(o.reliability);
  return o;
}

std::vector<Finding> findings_of(const Setting& s) {
  const Outcome o = run(s);
  Design d;
  d.job = share(s.job);
  d.storage = share(s.plan);
  d.operations = share(s.operations);
  return run_rules({d, *shipped_catalog(), o.figures}, reliability_rules());
}

std::size_t count_of(const std::vector<Finding>& findings, std::string_view code) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
}

double in_hours_of(const Traced<Time>& t) { return in_hours(t.value); }

} // namespace

class TestReliabilityStage : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void meanTimeOfPublishedClusters_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("hours");
    QTest::addColumn<double>("tolerance");
    // Kokolis et al. 2024, RSC-1: 6.50 per 1000 node-days; published 1.8 h at 16,384 GPUs and 0.23 h at 131,072.
    QTest::newRow("RSC-1, 16,384 GPUs") << 2048 << 6.5 << 1.8 << 0.005;
    QTest::newRow("RSC-1, 131,072 GPUs") << 16384 << 6.5 << 0.23 << 0.025;
    // Llama 3: 419 stops in 54 days on 16,384 GPUs is one in 3.093 h, 3.79 per 1000 node-days.
    QTest::newRow("Llama 3") << 2048 << 3.79 << 54 * 24 / 419.0 << 0.001;
  }
  void meanTimeOfPublishedClusters() {
    QFETCH(int, nodes);
    QFETCH(double, rate);
    QFETCH(double, hours);
    QFETCH(double, tolerance);
    Setting s;
    s.nodes = nodes;
    s.job.data_parallel = nodes / 16; // TP 8, PP 16
    s.operations.node_failures_per_1000_node_days = rate;
    s.operations.user_failure_rate = per_second(0);
    QVERIFY(near(in_hours_of(run(s).reliability.mean_time_between_failures), hours, tolerance));
  }
  void userFailuresJoinThoseOfNodes() {
    // 2048 x 3.8 / 1000 per day = 0.324267 per hour, and 0.02 per hour: 2.90473 h.
    QVERIFY(near(in_hours_of(run({}).reliability.mean_time_between_failures), 2.9047250, 1e-6));
    // A job on half of the nodes: 1 / (0.162133 + 0.02) = 5.49048 h. Nodes that it does not use do not stop it.
    Setting s;
    s.job.data_parallel = 64;
    QVERIFY(near(in_hours_of(run(s).reliability.mean_time_between_failures), 5.4904832, 1e-6));
  }
  void intervalAndGoodputOfPublishedFormulas_data() {
    QTest::addColumn<double>("hours"); // mean time between failures
    QTest::addColumn<double>("stall");
    QTest::addColumn<double>("restart");
    QTest::addColumn<double>("interval"); // 0: optimum
    QTest::addColumn<double>("wantedInterval");
    QTest::addColumn<double>("goodput");
    QTest::addColumn<double>("tolerance");
    // Goodput columns: Monte Carlo of the renewal process, three digits.
    QTest::newRow("Llama 3 class at 1156 s") << 3.093 << 60. << 300. << 1156. << 1156. << 0.877 << 0.002;
    QTest::newRow("Llama 3 class at 300 s") << 3.093 << 60. << 300. << 300. << 300. << 0.798 << 0.001;
    QTest::newRow("100,000 class at 277 s") << 0.23 << 60. << 300. << 277. << 277. << 0.466 << 0.006;
    // Daly's series gives 3266.3 s at d = 600 s, M = 3.093 h; the exact minimiser 3266.8 s.
    QTest::newRow("optimum at 600 s") << 3.093 << 600. << 300. << 0. << 3266.8 << -1. << 0.;
  }
  void intervalAndGoodputOfPublishedFormulas() {
    QFETCH(double, hours);
    QFETCH(double, stall);
    QFETCH(double, restart);
    QFETCH(double, interval);
    QFETCH(double, wantedInterval);
    QFETCH(double, goodput);
    QFETCH(double, tolerance);
    Setting s;
    s.operations.user_failure_rate = per_second(0);
    s.operations.node_failures_per_1000_node_days = 24000.0 / 2048 / hours;
    s.operations.detection_time = seconds(restart);
    s.operations.rescheduling_time = s.operations.reload_time = seconds(0);
    s.stall = seconds(stall);
    if (interval > 0) s.plan.checkpoint_interval = seconds(interval);
    const auto r = run(s).reliability;
    QVERIFY(near(in_seconds(r.checkpoint_interval.value), wantedInterval, 1e-4));
    if (goodput > 0) QVERIFY(near(r.goodput.value, goodput, tolerance));
  }
  void defaultRunByHand() {
    // M = 10,457.0 s, stall 60 s: t = M (1 + W0(-exp(-60 / M - 1))) = 1080.56 s. Restart 60 + 240 + 120 = 420 s:
    // goodput t / (M e^(R/M) (e^((t + 60)/M) - 1)) = 0.861366.
    const auto o = run({});
    QVERIFY(near(in_seconds(o.reliability.checkpoint_interval.value), 1080.559164, 1e-6));
    QVERIFY(near(o.reliability.goodput.value, 0.8613660714, 1e-8));
    QVERIFY(near(in_days(o.reliability.wall_time.value), in_days(o.training.compute_time.value) / 0.8613660714, 1e-8));
    // 71.4 d / 0.8614 = 82.9 d = 1989.5 h, over 2.9047 h: 685 failures.
    QVERIFY(near(o.reliability.expected_failures.value, 684.9, 0.001));
  }
  void overlappedWritesDoNotOverlapEachOther() {
    Setting s;
    s.plan.asynchronous = true;
    s.stall = seconds(0.02);
    s.write_time = seconds(64.9);
    // The optimum for 0.02 s lies near sqrt(2 x 0.02 x 10457) = 20.4 s, before the last write has ended.
    const auto r = run(s).reliability;
    QCOMPARE(in_seconds(r.checkpoint_interval.value), 64.9);
    s.write_time = seconds(5);
    QVERIFY(near(in_seconds(run(s).reliability.checkpoint_interval.value), 20.45, 0.002));
  }
  void aFailureFallsBackToTheCheckpointThatIsWhole() {
    // Daly 2006 with the write beside the training: a failure loses what was done since the whole checkpoint was begun,
    // which is a write older than the last one. M 10,457.0 s, restart 420 s, write 988 s, stop 0.051 s.
    Setting s;
    s.plan.asynchronous = true;
    s.stall = seconds(0.051);
    s.write_time = seconds(988);
    const double m = 10456.97, lost = 420 + 988, interval = 988; // the optimum of 33 s lies before the write has ended
    const auto exact = [&](double t) { return t / (m * std::exp(lost / m) * (std::exp((t + 0.051) / m) - 1)); };
    QVERIFY(near(run(s).reliability.goodput.value, exact(interval), 1e-5));
    // An interval that cannot be kept is not better than the write allows.
    s.plan.checkpoint_interval = seconds(30);
    QVERIFY(near(run(s).reliability.goodput.value, exact(interval), 1e-5));
    s.plan.checkpoint_interval = seconds(2000);
    QVERIFY(near(run(s).reliability.goodput.value, exact(2000), 1e-5));
    // A synchronous write is a stop, and nothing is begun before it.
    s.plan.asynchronous = false;
    s.plan.checkpoint_interval = seconds(2000);
    QVERIFY(run(s).reliability.goodput.value > exact(2000));
  }
  void sparesInThreeReserves() {
    Setting s;
    s.operations.largest_failure_domain_nodes = 32;
    auto r = run(s).reliability;
    // Poisson, 95 %: 2048 x 3.8 / 1000 x 14 d = 108.95 -> 126; x 1 d = 7.78 -> 13; and 32 of one switch.
    QCOMPARE(r.repair_spares.value, 126);
    QCOMPARE(r.restart_spares.value, 13);
    QCOMPARE(r.domain_spares.value, 32);
    QCOMPARE(r.spare_nodes.value, 171);
    QCOMPARE(r.spare_nodes.value, total_spare_nodes.function(2048, 3.8, days(14), hours(24), 0.95, 32).value());
    // 16,384 x 4 % x 84 d / 365.25 d = 150.7 -> 171.
    QCOMPARE(r.spare_gpus.value, 171);
    // The worked example: 10,240 GPUs, 6.11 % a year, 30 d, 95 %: 63.
    s.nodes = 1280;
    s.operations.annual_gpu_replacement_rate = 0.0611;
    s.operations.part_lead_time = days(30);
    QCOMPARE(run(s).reliability.spare_gpus.value, 63);
    // The pool of a published simulation: 1,280 nodes, 2 per 1000 node-days, 14 d: 46.
    s.operations.node_failures_per_1000_node_days = 2;
    QCOMPARE(run(s).reliability.repair_spares.value, 46);
  }
  void domainComesFromTheDrawing() {
    Setting s;
    s.operations.largest_failure_domain_nodes = 0;
    QCOMPARE(run(s).reliability.domain_spares.completeness, Completeness::not_applicable);
    RackItem four;
    four.id = 1;
    four.rack_type = 7;
    four.part = "dgx-h100";
    four.count = 4;
    RackItem two = four;
    two.id = 2;
    two.rack_type = 8;
    two.count = 2;
    s.items = {four, two};
    for (Id id = 20; id < 26; ++id) {
      Rack r;
      r.id = id;
      r.rack_type = id < 23 ? 7 : 8;
      r.loop = 90;
      r.feed_a = 91;
      r.feed_b = id == 20 ? 0 : 92; // one rack hangs on one feed
      s.racks.push_back(r);
    }
    const auto r = run(s).reliability;
    QCOMPARE(r.domain_spares.value, 4); // the fullest rack
    const auto domains =
        std::find_if(r.tables->begin(), r.tables->end(), [](const Table& t) { return t.id == "reliability.domains"; });
    QVERIFY(domains != r.tables->end());
    QCOMPARE(domains->column("nodes")->numbers, (std::vector<double>{4, 18, 4})); // rack, loop of 3 x 4 + 3 x 2, single feed
  }
  void curveHasItsTopAtTheOptimum() {
    const auto r = run({}).reliability;
    const auto curve =
        std::find_if(r.tables->begin(), r.tables->end(), [](const Table& t) { return t.id == "reliability.interval"; });
    QVERIFY(curve != r.tables->end());
    const auto& interval = curve->column("interval")->numbers;
    const auto& goodput = curve->column("goodput")->numbers;
    QCOMPARE(interval.size(), std::size_t{30});
    const auto top = std::max_element(goodput.begin(), goodput.end());
    const double at = interval[static_cast<std::size_t>(top - goodput.begin())];
    QVERIFY(std::abs(std::log(at / 1080.56)) <= std::log(100.0) / 29 / 2 * 1.01); // one of the two nearest points
    QVERIFY(*top <= r.goodput.value);
  }
  void nothingToComputeSaysWhy() {
    Setting s;
    s.nodes = 0;
    const auto r = run(s).reliability;
    QCOMPARE(r.mean_time_between_failures.completeness, Completeness::not_applicable);
    QCOMPARE(r.goodput.completeness, Completeness::not_applicable);
    QCOMPARE(r.wall_time.completeness, Completeness::not_applicable);
    s = {};
    s.operations.node_failures_per_1000_node_days = 0;
    s.operations.user_failure_rate = per_second(0);
    const auto never = run(s).reliability; // nothing ever fails: no mean time, and no infinity
    QCOMPARE(never.mean_time_between_failures.completeness, Completeness::not_applicable);
    QCOMPARE(never.spare_nodes.value, 0);
  }
  void everyFigureRestsOnSources() {
    Setting s;
    s.plan.checkpoint_interval = minutes(30);
    const auto o = run(s);
    QVERIFY(rests_on_sources(o.figures, *o.reliability.page));
  }
  void rulesStaySilentAndComplain() {
    Setting good;
    good.stall = seconds(0.59); // a published overlapped save
    good.write_time = seconds(51);
    good.plan.asynchronous = true;
    good.operations.detection_time = seconds(10);
    good.operations.rescheduling_time = seconds(50);
    good.operations.reload_time = seconds(60);
    auto found = findings_of(good);
    QCOMPARE(count_of(found, "REL-001"), std::size_t{0});
    QCOMPARE(count_of(found, "REL-002"), std::size_t{0});
    QCOMPARE(count_of(found, "REL-003"), std::size_t{0});
    QCOMPARE(count_of(found, "REL-004"), std::size_t{1}); // every node works: no hot spare

    found = findings_of({});
    QCOMPARE(count_of(found, "REL-001"), std::size_t{1}); // 0.861 of 0.9
    QCOMPARE(count_of(found, "REL-002"), std::size_t{0}); // 480 s of 10,457 s

    Setting slow;
    slow.stall = seconds(900);
    QCOMPARE(count_of(findings_of(slow), "REL-002"), std::size_t{1}); // 1320 s of 10,457 s

    Setting rare;
    rare.plan.checkpoint_interval = hours(2);
    found = findings_of(rare);
    QCOMPARE(count_of(found, "REL-003"), std::size_t{1});
    const auto interval = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "REL-003"; });
    Design d;
    d.storage = share(rare.plan);
    const Edited cleared = interval->remedies.front().edit.apply(d);
    QVERIFY2(cleared.has_value(), cleared ? "" : cleared.error().c_str());
    QVERIFY(!cleared->storage->checkpoint_interval);

    Setting spare;
    spare.nodes = 2048 + 13;
    spare.operations.largest_failure_domain_nodes = 0;
    QCOMPARE(count_of(findings_of(spare), "REL-004"), std::size_t{0});
    spare.nodes = 2048 + 12;
    QCOMPARE(count_of(findings_of(spare), "REL-004"), std::size_t{1});
  }
  void laws() {
    QVERIFY(rc::check("goodput lies between nothing and everything, and fewer failures give more of it", [] {
      Setting s;
      s.stall = seconds(*rc::gen::inRange(1, 1000));
      s.operations.node_failures_per_1000_node_days = *rc::gen::inRange(1, 2000) / 100.0;
      if (*rc::gen::arbitrary<bool>()) s.plan.checkpoint_interval = seconds(*rc::gen::inRange(60, 20000));
      const auto often = run(s).reliability;
      RC_ASSERT(often.goodput.value > 0.0);
      RC_ASSERT(often.goodput.value < 1.0);
      s.operations.node_failures_per_1000_node_days *= 0.7;
      const auto rarer = run(s).reliability;
      RC_ASSERT(rarer.mean_time_between_failures.value > often.mean_time_between_failures.value);
      RC_ASSERT(rarer.goodput.value > often.goodput.value);
      RC_ASSERT(rarer.wall_time.value < often.wall_time.value);
    }));
    QVERIFY(rc::check("no interval beats the optimum", [] {
      Setting s;
      s.stall = seconds(*rc::gen::inRange(1, 1000));
      const double best = run(s).reliability.goodput.value;
      s.plan.checkpoint_interval = seconds(*rc::gen::inRange(10, 50000));
      RC_ASSERT(run(s).reliability.goodput.value <= best * (1 + 1e-12));
    }));
  }
};

QTEST_APPLESS_MAIN(TestReliabilityStage)
#include "test_reliability_stage.moc"
