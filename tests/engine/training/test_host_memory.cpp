// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of states, what lies in the host's memory, and clocks under a power cap, by hand.
#include <QtTest>

#include "engine/training/job_fixture.h"
#include "checks/finding.h"
#include "ledger/figures.h"
#include "training/model_formulas.h"
#include "training/software_stack.h"
#include "training/step_model.h"

using namespace hallwright;

namespace {
bool near_to(double got, double wanted, double relative = 1e-9) { return std::abs(got - wanted) <= relative * std::abs(wanted); }

struct Trained {
  Figures figures;
  TrainingResult result;
  explicit Trained(const Job& job, Count nodes = 2048) {
    const PopulationResult cluster = fixture::h100_cluster(nodes);
    result = training({share(job), fixture::shipped_catalog()}, cluster);
    figures.add(cluster);
    figures.add(result);
  }
};

Job modelled() {
  Job job = fixture::llama_job();
  job.model_flops_utilization.reset();
  return job;
}
} // namespace

class TestHostMemory : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 16 bytes a parameter beside the weights: 4 of the gradient, 4 of the master weight, 2 x 4 of the moments. In 16
  /// bits each is half; DeepSeek-V3 (2024, 3.3.2) keeps moments in BF16, gradients and master weights in FP32.
  void formats_change_the_bytes_of_states() {
    Job job = modelled();
    job.sharding = Sharding::none;
    const RankMemory plain = Trained(job).result.stages.at(1);
    QVERIFY(near_to(plain.optimizer / plain.gradients, 3.0)); // 12 over 4
    job.moment_format = StateFormat::bf16;
    QVERIFY(near_to(Trained(job).result.stages.at(1).optimizer / plain.optimizer, 8.0 / 12.0));
    job.master_format = StateFormat::bf16;
    QVERIFY(near_to(Trained(job).result.stages.at(1).optimizer / plain.optimizer, 6.0 / 12.0));
    job.moment_format = StateFormat::fp8;
    QVERIFY(near_to(Trained(job).result.stages.at(1).optimizer / plain.optimizer, 4.0 / 12.0));
    job.gradient_format = StateFormat::bf16;
    const RankMemory small = Trained(job).result.stages.at(1);
    QVERIFY(near_to(small.gradients / plain.gradients, 0.5));
    QCOMPARE(small.weights, plain.weights);
    QCOMPARE(small.activations, plain.activations);
  }

  /// Smaller states pass faster, wider gradients travel longer; 32 bits stated are what is taken anyway.
  void formats_change_the_step_the_right_way() {
    const Job job = modelled();
    const StepParts plain = Trained(job).result.parts;
    Job stated = job;
    stated.master_format = stated.moment_format = StateFormat::fp32;
    QCOMPARE(Trained(stated).result.parts.total(), plain.total());
    Job small = job;
    small.moment_format = StateFormat::bf16;
    QVERIFY(Trained(small).result.parts.optimizer < plain.optimizer);
    Job wide = job, narrow = job;
    wide.gradient_format = StateFormat::fp32;
    narrow.gradient_format = StateFormat::bf16;
    QVERIFY(Trained(wide).result.parts.data > Trained(narrow).result.parts.data);
  }

  /// What leaves the GPU lies in the host; nothing is lost. Two layers of a stage stay: stage 2 of 16 has eight of 126.
  void offload_moves_bytes_and_loses_none() {
    Job job = modelled();
    const RankMemory plain = Trained(job).result.stages.at(1);
    QCOMPARE(plain.host, 0.0);
    job.offload = Offload::optimizer;
    const RankMemory states = Trained(job).result.stages.at(1);
    QVERIFY(near_to(states.optimizer + states.host, plain.optimizer));
    QVERIFY(near_to(states.optimizer, plain.optimizer * 2.0 / 8.0));
    QCOMPARE(states.activations, plain.activations);
    job.offload = Offload::activations;
    const RankMemory acts = Trained(job).result.stages.at(1);
    QVERIFY(near_to(acts.activations + acts.host, plain.activations));
    QVERIFY(acts.activations < plain.activations / 8.0);
    QCOMPARE(acts.optimizer, plain.optimizer);
    job.offload = Offload::optimizer_and_activations;
    const RankMemory both = Trained(job).result.stages.at(1);
    QVERIFY(near_to(both.host, states.host + acts.host));
  }

  /// States of 12 bytes a parameter cross the link each way at once. On one stage with the optimizer over 128 ranks:
  /// parameters of the rank / 128 x 12 bytes over 25 GB/s; twice the rate, half the time.
  void states_cross_the_link_once_a_step() {
    Job job = modelled();
    job.offload = Offload::optimizer;
    const StepParts parts = Trained(job).result.parts;
    const auto trained = Trained(job).result;
    const double last = rank_parameters(trained.job->model, trained.job->split, 15).dense;
    const double first = rank_parameters(trained.job->model, trained.job->split, 0).dense;
    const double by_hand_last = last / 128 * 12 / 25e9, by_hand_first = first / 128 * 12 / 25e9;
    QVERIFY2(near_to(parts.offload, by_hand_first) || near_to(parts.offload, by_hand_last), qPrintable(QString::number(parts.offload)));
    job.offload_rate = gigabytes_per_second(50);
    QVERIFY(near_to(Trained(job).result.parts.offload, parts.offload / 2));
    // A GPU's share of the host's memory is a limit: 2 TB of a DGX H100 over eight GPUs.
    const Trained again(job);
    QVERIFY(again.figures.find("training.host_memory"));
    const Figure* there = again.figures.find("training.host_memory_there");
    QVERIFY(there && near_to(there->value, 2048e9 / 8));
  }

  /// Activations hide behind a layer's work while the link is quick enough; over a slow one they are waited for.
  void activations_hide_behind_work() {
    Job job = modelled();
    job.offload = Offload::activations;
    job.offload_rate = gigabytes_per_second(1000);
    QCOMPARE(Trained(job).result.parts.offload, 0.0);
    job.offload_rate = gigabytes_per_second(1);
    const double slow = Trained(job).result.parts.offload;
    job.offload_rate = gigabytes_per_second(2);
    QVERIFY(slow > 0 && Trained(job).result.parts.offload < slow);
  }

  /// 700 W with 15.7 % idle is 109.9 W; 590.1 W go with the cube of the clock. At 400 W: (290.1 / 590.1)^(1/3) = 0.7892.
  void the_clock_goes_with_the_cube_root_of_power() {
    const auto at = [](double cap) { return clock_under_power_cap.function(watts(cap), watts(700), 0.157); };
    QVERIFY(near_to(*at(400), 0.78924, 1e-4));
    QCOMPARE(*at(700), 1.0);
    QCOMPARE(*at(1000), 1.0);
    QVERIFY(!at(109));
    QVERIFY(!at(0));
  }

  /// The stage that keeps most in the host is told, not the one that is fullest on the GPU.
  void the_fullest_host_is_told() {
    Job job = modelled();
    job.offload = Offload::activations;
    const Trained t(job);
    double most = 0;
    for (const RankMemory& r : t.result.stages) most = std::max(most, r.host);
    QVERIFY(near_to(t.figures.find("training.host_memory")->value, most));
    QVERIFY(most > t.result.stages.back().host);
  }

  /// A cap below the idle 109.9 W of an H100, and states that no node has the memory for, are errors that are told.
  void what_cannot_be_is_found() {
    const auto codes = [](const Job& job) {
      const Trained t(job);
      Design design;
      design.job = share(job);
      std::set<std::string> out;
      for (const Finding& f : run_rules({design, *fixture::shipped_catalog(), t.figures}, training_rules()))
        if (f.severity == Severity::error) out.insert(f.code);
      return out;
    };
    Job job = modelled();
    QVERIFY(!codes(job).contains("TRN-009") && !codes(job).contains("TRN-010"));
    job.gpu_power_cap = watts(100);
    QVERIFY(codes(job).contains("TRN-010"));
    job.gpu_power_cap = watts(300);
    job.offload = Offload::activations;
    job.recompute = Recompute::none;
    job.sequence_length = 131072;
    QVERIFY(codes(job).contains("TRN-009"));
  }

  /// Products slow down by the clock, passes over memory do not; a cap at or above the limit changes nothing.
  void a_cap_slows_products_alone() {
    const Job job = modelled();
    const StepParts plain = Trained(job).result.parts;
    Job capped = job;
    capped.gpu_power_cap = watts(400);
    const StepParts slow = Trained(capped).result.parts;
    QVERIFY(slow.attention > plain.attention / 0.78924 * (1 - 1e-4));
    QVERIFY(slow.matrix > plain.matrix * 1.15 && slow.matrix < plain.matrix / 0.78924 * (1 + 1e-4));
    QCOMPARE(slow.optimizer, plain.optimizer);
    capped.gpu_power_cap = watts(700);
    QCOMPARE(Trained(capped).result.parts.total(), plain.total());
    capped.gpu_power_cap = watts(100);
    QVERIFY(!Trained(capped).result.job);
  }
};

QTEST_GUILESS_MAIN(TestHostMemory)
#include "test_host_memory.moc"
