// SPDX-License-Identifier: GPL-3.0-or-later
// Values that an axis of a layout may take, what follows from a choice, the step as a timeline, and calibration.
#include <QtTest>

#include "job_fixture.h"
#include "training/axis_options.h"
#include "training/calibration.h"
#include "training/step_timeline.h"

using namespace hallwright;

class TestAxisOptions : public QObject {
  Q_OBJECT

  static const ModelPart& llama() { return *fixture::shipped_catalog()->find<ModelPart>("llama3-1-405b"); }
  static const AxisOption* option(const std::vector<AxisOption>& list, Count value) {
    for (const AxisOption& o : list)
      if (o.value == value) return &o;
    return nullptr;
  }

private Q_SLOTS:
  void tensor_ranks_divide_the_heads_and_stay_in_the_domain() {
    // Llama 3 405B has 128 heads and 8 key-value heads; a node has 8 GPUs.
    const auto list = axis_options(fixture::llama_job(), llama(), "tensor_parallel", 16384, 8);
    for (const Count v : {1, 2, 4, 8}) {
      const AxisOption* o = option(list, v);
      QVERIFY2(o && o->reason.empty(), qPrintable(QString::number(v)));
    }
    const AxisOption* sixteen = option(list, 16);
    QVERIFY(sixteen && sixteen->reason.empty());
    QVERIFY2(sixteen->note.find("16") != std::string::npos, sixteen->note.c_str());
    QVERIFY(std::is_sorted(list.begin(), list.end(), [](const AxisOption& a, const AxisOption& b) { return a.value < b.value; }));
  }

  void data_ranks_follow_the_other_axes() {
    // 16,384 GPUs: 8 x 16 leaves 128; 4 x 16 leaves 256; 8 x 16 x 2 leaves 64.
    const Job job = fixture::llama_job();
    QCOMPARE(with_axis(job, llama(), "tensor_parallel", 4, 16384).data_parallel, Count{256});
    QCOMPARE(with_axis(job, llama(), "context_parallel", 2, 16384).data_parallel, Count{64});
    QCOMPARE(with_axis(job, llama(), "data_parallel", 32, 16384).data_parallel, Count{32});
    QCOMPARE(with_axis(job, llama(), "tensor_parallel", 4, 0).data_parallel, Count{128}); // the cluster is not known
    // 12 stages leave 170.67 replicas; the batch of 2,048 has 128 as its largest divisor below.
    QCOMPARE(with_axis(job, llama(), "pipeline_parallel", 12, 16384).data_parallel, Count{128});
    // A micro-batch of 32 sequences leaves 64 ranks of the batch.
    QCOMPARE(with_axis(job, llama(), "micro_batch", 32, 16384).data_parallel, Count{64});
  }

  void chunks_and_expert_ranks_stay_possible() {
    Job job = fixture::llama_job();
    job.virtual_stages = 7;
    // 126 layers over 63 stages hold two chunks each; one stage holds one.
    QCOMPARE(with_axis(job, llama(), "pipeline_parallel", 63, 16384).virtual_stages, Count{2});
    QCOMPARE(with_axis(job, llama(), "pipeline_parallel", 1, 16384).virtual_stages, Count{1});
    const ModelPart* moe = fixture::shipped_catalog()->find<ModelPart>("deepseek-v3");
    QVERIFY(moe);
    job.pipeline_parallel = 16, job.tensor_parallel = 1, job.data_parallel = 128, job.expert_parallel = 64, job.virtual_stages = 1;
    // 256 experts; 48 ranks of data hold 16 of expert ranks at most: 48 = 16 x 3.
    QCOMPARE(with_axis(job, *moe, "data_parallel", 48, 2048).expert_parallel, Count{16});
  }

  void every_offered_value_that_is_legal_can_run() {
    for (const char* id : {"llama3-1-405b", "deepseek-v3"}) {
      const ModelPart* model = fixture::shipped_catalog()->find<ModelPart>(id);
      Job job = fixture::llama_job();
      job.model_part = id;
      job.virtual_stages = 2;
      for (const std::string_view axis : layout_axes()) {
        const auto list = axis_options(job, *model, axis, 16384, 8);
        QVERIFY(!list.empty() && list.size() <= 10);
        int present = 0;
        for (const AxisOption& o : list) {
          const Job tried = with_axis(job, *model, axis, o.value, 16384);
          bool wrong = false;
          for (const LayoutProblem& p : layout_problems(tried, *model, 16384, 8)) wrong = wrong || !p.note;
          if (tried.data_parallel != job.data_parallel || axis == "data_parallel") QCOMPARE(wrong, !o.reason.empty());
          const auto now = get_field(Design{.job = share(Job(job))}, {"job", 0}, axis);
          present += now && std::get<std::int64_t>(*now) == o.value ? 1 : 0;
        }
        QCOMPARE(present, 1);
      }
    }
    QVERIFY(axis_options(fixture::llama_job(), llama(), "sideways", 16384, 8).empty());
  }

  void the_plainest_layout_runs() {
    const Job plain = plainest_layout(fixture::llama_job(), llama(), 16384);
    QCOMPARE(plain.tensor_parallel * plain.pipeline_parallel * plain.context_parallel * plain.micro_batch, Count{1});
    QCOMPARE(plain.data_parallel, Count{2048}); // as many as the batch has sequences
    for (const LayoutProblem& p : layout_problems(plain, llama(), 16384, 8)) QVERIFY2(p.note, p.sentence.c_str());
  }

  void a_choice_is_one_edit_and_the_others_follow() {
    Design d;
    d.job = share(fixture::llama_job());
    const Edited out = axis_edit("tensor_parallel", 4, llama(), 16384).apply(d);
    QVERIFY(out);
    QCOMPARE(out->job->tensor_parallel, Count{4});
    QCOMPARE(out->job->data_parallel, Count{256});
    QCOMPARE(out->job->pipeline_parallel, Count{16});
  }

  void a_measured_step_sets_the_factor_and_takes_a_typed_utilisation_back() {
    Design d;
    d.job = share(fixture::llama_job());
    const Edited out = calibration_edit(6.6, 6.0).apply(d);
    QVERIFY(out);
    QVERIFY(std::abs(out->job->step_time_factor - 1.1) < 1e-12);
    QVERIFY(!out->job->model_flops_utilization);
    for (const auto& [measured, modelled] : {std::pair{0.0, 6.0}, {-1.0, 6.0}, {std::nan(""), 6.0}, {6.0, 0.0}, {61.0, 6.0}, {0.5, 6.0}}) {
      const Edited refused = calibration_edit(measured, modelled).apply(d);
      QVERIFY(!refused);
      QVERIFY(refused.error().find("step") != std::string::npos);
    }
  }

  void the_timeline_of_a_step_is_as_long_as_its_work_and_its_bubble() {
    JobSplit split;
    split.pp = 4, split.dp = 2, split.global_batch = 16, split.micro_batch = 1; // 8 micro-batches
    StepParts parts;
    parts.matrix = 20, parts.attention = 4, parts.data = 0.5, parts.optimizer = 0.25, parts.stragglers = 0.125;
    // 24 s of work are 3 s a micro-batch; 1F1B adds three of them: 33 s.
    const StepTimeline t = step_timeline(split, parts, 1.0);
    QVERIFY2(t.timeline, t.problem.c_str());
    QVERIFY(std::abs(t.timeline->span - 33.0) < 1e-9);
    QCOMPARE(t.gradients, 0.5);
    QCOMPARE(t.optimizer, 0.25);
    QCOMPARE(t.rest, 0.125);
    QVERIFY(std::abs(step_timeline(split, parts, 1.1).timeline->span - 36.3) < 1e-9);
    split.global_batch = 1;
    QVERIFY(!step_timeline(split, parts, 1.0).timeline);
    QVERIFY(!step_timeline(split, parts, 1.0).problem.empty());
    split.global_batch = 1e12;
    QVERIFY(!step_timeline(split, parts, 1.0).problem.empty());
  }
};

QTEST_APPLESS_MAIN(TestAxisOptions)
#include "test_axis_options.moc"
