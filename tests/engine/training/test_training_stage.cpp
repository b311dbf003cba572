// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <numeric>

#include <rapidcheck.h>

#include "design/access.h"
#include "engine/training/job_fixture.h"
#include "training/formulas.h"
#include "training/model_formulas.h"

using namespace hallwright;
using namespace hallwright::fixture;

namespace {

bool holds(bool passed) { return passed; }

/// Job of GPT-3 175B on 64 GPUs as Korthikanti et al. 2022 run it: t 8, p 8, micro-batch 1, batch 64, 2048 tokens.
Job gpt3_job() {
  Job job = llama_job();
  job.model_part = "gpt3-175b";
  job.sequence_length = 2048;
  job.global_batch_sequences = 64;
  job.pipeline_parallel = 8;
  job.data_parallel = 1;
  return job;
}

Design design_of(const Job& job) {
  Design d;
  d.job = share(job);
  return d;
}

std::vector<Finding> findings_of(const Job& job, const PopulationResult& population) {
  const TrainingResult r = train(job, population);
  Figures figures;
  figures.add(population);
  figures.add(r);
  const Design d = design_of(job);
  return run_rules({d, *shipped_catalog(), figures}, training_rules());
}

std::size_t count_of(const std::vector<Finding>& findings, std::string_view code) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
}

} // namespace

class TestTrainingStage : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// DeepSeek-V3, 2505.09343, table 1: 70.272 KB a token against 516.096 KB of Llama 3.1 405B and 327.680 KB of Qwen 2.5 72B.
  void theCacheOfATokenIsAsPublished() {
    for (const auto& [model, kilobytes] : std::vector<std::pair<std::string, double>>{
             {"deepseek-v3", 70.272}, {"llama3-1-405b", 516.096}, {"qwen2-5-72b", 327.680}}) {
      Job job = llama_job();
      job.model_part = model;
      QVERIFY2(std::abs(figure(train(job, h100_cluster(2048)), "training.kv_cache_per_token").value / (kilobytes * 1000) - 1) < 1e-6, model.c_str());
    }
  }

  /// What the search over layouts holds illegal is no layout of a job either; the reason is told.
  void layoutsThatCannotRunAreTold() {
    const ModelPart& gpt3 = *shipped_catalog()->find<ModelPart>("gpt3-175b"); // 96 layers
    const auto axes_of = [](const std::vector<LayoutProblem>& problems) {
      QStringList out;
      for (const LayoutProblem& p : problems)
        if (!p.note) out << QString::fromStdString(p.axis);
      return out;
    };
    Job job = gpt3_job();
    QVERIFY(axes_of(layout_problems(job, gpt3, 64, 8)).isEmpty());
    job.virtual_stages = 7; // 96 layers over 8 x 7 = 56 chunks: 112 places
    QCOMPARE(axes_of(layout_problems(job, gpt3, 64, 8)), QStringList{"virtual_stages"});
    job.virtual_stages = 6; // 48 chunks of two
    QVERIFY(axes_of(layout_problems(job, gpt3, 64, 8)).isEmpty());
    job.pipeline_order = PipelineOrder::zero_bubble_v; // takes two chunks
    QCOMPARE(axes_of(layout_problems(job, gpt3, 64, 8)), QStringList{"virtual_stages"});
    job.virtual_stages = 2;
    QVERIFY(axes_of(layout_problems(job, gpt3, 64, 8)).isEmpty());
    job.virtual_stages = 1;
    job.pipeline_order = PipelineOrder::zero_bubble_2; // 2 x 8 - 1 micro-batches at least
    job.global_batch_sequences = 14;
    QCOMPARE(axes_of(layout_problems(job, gpt3, 64, 8)), QStringList{"pipeline_order"});
    job.global_batch_sequences = 15;
    QVERIFY(axes_of(layout_problems(job, gpt3, 64, 8)).isEmpty());
    job = gpt3_job();
    job.pipeline_order = PipelineOrder::bidirectional; // an even number of stages
    job.pipeline_parallel = 3;
    QCOMPARE(axes_of(layout_problems(job, gpt3, 24, 8)), QStringList{"pipeline_order"});
    // Routed experts with tensor ranks need sequence parallelism.
    const ModelPart& mixtral = *shipped_catalog()->find<ModelPart>("mixtral-8x7b");
    job = gpt3_job();
    job.tensor_parallel = 2;
    job.pipeline_parallel = 4;
    job.sequence_parallel = false;
    QVERIFY(axes_of(layout_problems(job, mixtral, 8, 8)).contains("sequence_parallel"));
    job.sequence_parallel = true;
    QVERIFY(!axes_of(layout_problems(job, mixtral, 8, 8)).contains("sequence_parallel"));
  }

  /// The bubble is what the schedule of the step leaves idle, whatever the order.
  void theBubbleIsThatOfTheStep() {
    const PopulationResult eight = h100_cluster(8);
    double last = 1;
    for (const PipelineOrder order : {PipelineOrder::plain, PipelineOrder::zero_bubble_1, PipelineOrder::zero_bubble_2}) {
      Job job = gpt3_job();
      job.model_flops_utilization.reset();
      job.pipeline_order = order;
      const TrainingResult r = train(job, eight);
      QVERIFY(r.job.has_value());
      QVERIFY(near(r.bubble.value, r.parts.bubble / r.parts.total(), 1e-12));
      QVERIFY(r.bubble.value < last); // each leaves less idle than the one before (Qi et al. 2024)
      last = r.bubble.value;
    }
  }

  void llama3TakesTheDaysThatItsUtilisationSays_data() {
    QTest::addColumn<double>("mfu");
    QTest::addColumn<double>("days");
    // 6 x 405,853,388,800 x 15.6e12 = 3.798788e25 FLOP; 16,384 x 989e12 = 1.620378e19 FLOP/s.
    QTest::newRow("38 %") << 0.38 << 3.79878772e25 / (1.6203776e19 * 0.38) / 86400; // 71.4 d
    QTest::newRow("43 %") << 0.43 << 3.79878772e25 / (1.6203776e19 * 0.43) / 86400; // 63.1 d
  }
  void llama3TakesTheDaysThatItsUtilisationSays() {
    QFETCH(double, mfu);
    QFETCH(double, days);
    Job job = llama_job();
    job.model_flops_utilization = mfu;
    const auto r = train(job, h100_cluster(2048));
    QVERIFY(near(in_days(r.compute_time.value), days, 1e-5)); // whole steps: the last one is rounded up
    QCOMPARE(r.gpus_used.value, 16384);
    QCOMPARE(r.compute_time.completeness, Completeness::estimate);
    // Published: 30.84 million GPU-hours for all phases of the model; the main phase at 38 % stays below.
    if (mfu == 0.38) QVERIFY(near(in_days(r.compute_time.value) * 24 * 16384, 28.08e6, 0.01));
  }
  void llama3StepsAndOperations() {
    const auto r = train(llama_job(), h100_cluster(2048));
    QVERIFY(near(base_value(r.flops.value), 3.79878772e25, 1e-8)); // published: 3.8e25
    QCOMPARE(figure(r, "training.tokens_per_step").value, 16777216.0); // 2048 x 8192
    QCOMPARE(r.steps.value, 929833);                                   // 15.6e12 / 16777216 = 929,832.5
    // 16777216 x 6 x 405853388800 / (16384 x 989e12 x 0.38) = 6.6350 s
    QVERIFY(near(in_seconds(r.step_time.value), 6.6350, 1e-4));
    QVERIFY(near(base_value(r.token_rate.value), 16777216 / 6.6350, 1e-4));
    QVERIFY(near(r.bubble.value, 15.0 / 31.0, 1e-12)); // p 16, m 16: (p - 1) / (m + p - 1)
    QCOMPARE(figure(r, "training.mfu").kind, &kind::percent);
  }
  void llama3FitsItsMemoryAsItDid() {
    // First stage: 8 of 126 layers and the input embedding, over 8 tensor-parallel ranks.
    // (8 x 3,187,671,040 + 128,256 x 16,384) / 8 + 8 x 32,768 = 3,450,601,472 parameters.
    // Weights x 2 = 6,901,202,944; gradients x 4 = 13,802,405,888; optimizer x 12 / 128 = 323,493,888.
    // A token in a layer: 8 x 16384 + 4 x 16384 + 4 x 1024 + 4 x 53248 = 413,696 B; 8 layers, 16 in flight, 8192 tokens,
    // over 8 ranks: 54,223,962,112 B. Context 1.5 GiB and slack of 5 %.
    const auto r = train(llama_job(), h100_cluster(2048));
    QCOMPARE(r.stages.size(), std::size_t{16});
    QCOMPARE(r.stages[0].weights, 6901202944.0);
    QCOMPARE(r.stages[0].gradients, 13802405888.0);
    QCOMPARE(r.stages[0].optimizer, 323493888.0);
    QCOMPARE(r.stages[0].activations, 54223962112.0);
    QCOMPARE(r.stages[0].logits, 0.0);
    QCOMPARE(r.stages[0].buffers, 0.0);
    const double live = 6901202944.0 + 13802405888.0 + 323493888.0 + 54223962112.0;
    QVERIFY(near(base_value(r.memory_per_gpu.value), 1.08 * live + 1.5 * 1073741824.0, 1e-12));
    QCOMPARE(figure(r, "training.memory_per_gpu").status, Status::near_limit); // 77.2 of 80 GiB: it ran
    // Last stage: 6 layers, the output embedding, one micro-batch in flight; logits 16 bits and a copy in 32.
    QCOMPARE(r.stages[15].logits, 6.0 * 8192 * 128256 / 8);
    QCOMPARE(r.stages[15].activations, 413696.0 * 8192 * 6 / 8);
  }
  void noLayerIsLost_data() {
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("stages");
    QTest::newRow("30 over 4") << 30 << 4;
    QTest::newRow("61 over 16") << 61 << 16;
    QTest::newRow("126 over 16") << 126 << 16;
    QTest::newRow("5 over 5") << 5 << 5;
    QTest::newRow("7 over 1") << 7 << 1;
  }
  void noLayerIsLost() {
    QFETCH(int, layers);
    QFETCH(int, stages);
    Count sum = 0, experts = 0, last = layers;
    for (Count s = 1; s <= stages; ++s) {
      const Count here = layers_of_stage.function(layers, stages, s).value();
      QVERIFY(here <= last); // from the front
      last = here;
      sum += here;
      experts += expert_layers_of_stage.function(layers, 3, 1, stages, s).value();
    }
    QCOMPARE(sum, Count{layers});
    QCOMPARE(experts, Count{std::max(0, layers - 3)});
  }
  void gpt3ActivationsOfTheSequenceParallelPaper() {
    // Korthikanti et al. 2022: 34 s b h / t bytes a layer with selective recomputation; the first stage holds 12 layers
    // of 8 micro-batches: 34 x 2048 x 12288 x 96 / 8 = 10,267,656,192 B.
    // Kernels of that year: scores are stored, masks of dropout kept.
    Job job = gpt3_job();
    job.software_stack = SoftwareStack::megatron_2020;
    const auto selective = train(job, h100_cluster(8));
    QCOMPARE(selective.stages[0].activations, 10267656192.0);
    // Without: 5 a s / h = 80 on top of 34. The paper: selective recomputation saves 70 % of the activations of GPT-3.
    job.recompute = Recompute::none;
    const auto none = train(job, h100_cluster(8));
    QVERIFY(near(none.stages[0].activations, 10267656192.0 * 114 / 34, 1e-12));
    QVERIFY(near(1 - selective.stages[0].activations / none.stages[0].activations, 0.70, 0.01));
    // And 65 % of MT-NLG 530B: 128 heads, 20,480 wide.
    const double scores = base_value(score_bytes_per_token.function(128, 2048).value());
    const double rest = base_value(dense_layer_activation_bytes_per_token.function(20480, 20480, 20480, 81920, 2).value());
    QVERIFY(near(scores / (scores + rest), 0.65, 0.01));
    // Full recomputation keeps 2 s b h a layer, split with the sequence, and works on one layer at a time,
    // whose scores are there meanwhile: 2048 x 12288 / 8 x (2 x 12 x 8 + 34 + 80) B.
    job.recompute = Recompute::full;
    QCOMPARE(train(job, h100_cluster(8)).stages[0].activations, 2048.0 * 12288 / 8 * (2 * 12 * 8 + 34 + 80));
  }
  void stateIsEighteenBytesAParameterUnsharded() {
    Job job = gpt3_job();
    job.sharding = Sharding::none;
    const auto r = train(job, h100_cluster(8));
    for (const RankMemory& s : r.stages) {
      QVERIFY(near(s.gradients, 2 * s.weights, 1e-15));
      QVERIFY(near(s.optimizer, 6 * s.weights, 1e-15));
    }
    // One rank has nothing to share: sharding changes nothing, and divides by nothing.
    for (Sharding sharding : {Sharding::optimizer, Sharding::gradients, Sharding::parameters}) {
      job.sharding = sharding;
      const auto sharded = train(job, h100_cluster(8));
      QCOMPARE(base_value(sharded.memory_per_gpu.value), base_value(r.memory_per_gpu.value));
    }
  }
  void eachStageOfShardingTakesLess() {
    Job job = llama_job();
    double before = 1e30;
    for (Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::parameters}) {
      job.sharding = sharding;
      const double now = base_value(train(job, h100_cluster(2048)).memory_per_gpu.value);
      QVERIFY(now < before);
      before = now;
    }
  }
  void expertsAreSplitOverExpertParallelRanks() {
    Job job = llama_job();
    job.model_part = "deepseek-v3";
    job.sequence_length = 4096;
    job.tensor_parallel = 1;
    job.pipeline_parallel = 16;
    job.data_parallel = 128;
    job.sharding = Sharding::none;
    job.expert_parallel = 1;
    const auto whole = train(job, h100_cluster(256));
    job.expert_parallel = 64;
    const auto split = train(job, h100_cluster(256));
    // 61 layers over 16 stages: the second stage has 4 expert layers of 256 x 3 x 7168 x 2048 = 11,274,289,152.
    const double routed = 4 * 256.0 * 3 * 7168 * 2048;
    QVERIFY(near(whole.stages[1].weights - split.stages[1].weights, 2 * routed * (1 - 1.0 / 64), 1e-12));
    QCOMPARE(whole.stages[1].activations, split.stages[1].activations); // expert parallelism does not divide these
  }
  void interleavingKeepsMoreActivations() {
    Job job = llama_job();
    job.virtual_stages = 2;
    job.global_batch_sequences = 4096; // 32 micro-batches
    const auto r = train(job, h100_cluster(2048));
    QVERIFY(near(r.stages[0].activations, 54223962112.0 * (1 + 15.0 / 32), 1e-12)); // 1 + (p - 1) / (p v)
    QVERIFY(near(r.bubble.value, 7.5 / (32 + 7.5), 1e-12));                         // (p - 1) / v over m + it
    // No more than there are: 16 micro-batches.
    job.global_batch_sequences = 2048;
    QVERIFY(near(train(job, h100_cluster(2048)).stages[0].activations, 54223962112.0, 1e-12));
  }

  // The step-time model on the job.

  void theModelSpeaksWhereNoUtilisationIsTyped() {
    // Llama 3 405B, 16,384 H100, 8k tokens: published 400 TFLOP/s a GPU, 41 % (Grattafiori et al. 2024, table 4): a step of
    // 16.8 M tokens took 6.0 to 6.5 s by 6ND and attention. The 90 % interval holds it.
    Job job = llama_job();
    job.model_flops_utilization.reset();
    job.virtual_stages = 8;
    job.recompute = Recompute::none;
    const auto r = train(job, h100_cluster(2048));
    QVERIFY(r.job.has_value());
    const double published = 6.0 * 405853388800.0 * 16777216 / (16384 * 400e12);
    QVERIFY2(figure(r, "training.step_time_low").value < published * 1.04 && figure(r, "training.step_time_high").value > published,
             qPrintable(QString::number(in_seconds(r.step_time.value))));
    // The parts are the step, and the utilisation is that of the step.
    double sum = 0;
    for (const Figure& f : r.page->figures)
      if (f.id.rfind("training.step.", 0) == 0 && f.id != "training.step.ideal" && f.id != "training.step.below_peak") sum += f.value;
    QVERIFY(near(sum, in_seconds(r.modelled_step_time.value), 1e-12));
    QCOMPARE(base_value(r.step_time.value), base_value(r.modelled_step_time.value));
    QVERIFY(near(r.mfu.value, 6.0 * 405853388800.0 * 16777216 / (16384 * 989e12) / in_seconds(r.step_time.value), 1e-4));
    QCOMPARE(figure(r, "training.step_time").completeness, Completeness::estimate);
    // The waterfall ends at the step.
    const auto table = std::find_if(r.tables->begin(), r.tables->end(), [](const Table& t) { return t.id == "training.step"; });
    QVERIFY(table != r.tables->end());
    QVERIFY(near(table->column("until")->numbers.back(), in_seconds(r.modelled_step_time.value), 1e-12));
    // The same job typed at the utilisation that came out takes the same time.
    Job typed = job;
    typed.model_flops_utilization = r.mfu.value;
    QVERIFY(near(base_value(train(typed, h100_cluster(2048)).step_time.value), base_value(r.step_time.value), 1e-9));
  }
  void aCalibrationMultipliesEveryLayout() {
    Job job = llama_job();
    job.model_flops_utilization.reset();
    const double one = base_value(train(job, h100_cluster(2048)).step_time.value);
    job.step_time_factor = 1.25;
    const auto r = train(job, h100_cluster(2048));
    QVERIFY(near(base_value(r.step_time.value), 1.25 * one, 1e-12));
    QVERIFY(near(base_value(r.modelled_step_time.value), one, 1e-12));
    QVERIFY(r.job->step_factor == 1.25);
  }
  void axesOfOneHaveNoTraffic() {
    Job job = llama_job();
    job.model_part = "llama3-8b";
    job.model_flops_utilization.reset();
    job.tensor_parallel = job.pipeline_parallel = job.context_parallel = job.data_parallel = 1;
    job.global_batch_sequences = 8;
    const auto r = train(job, h100_cluster(1));
    for (const char* id : {"training.step.tensor", "training.step.pipeline", "training.step.context", "training.step.data",
                           "training.step.expert", "training.step.bubble"})
      QVERIFY2(!r.page->find(id), id);
    job.data_parallel = 8;
    QVERIFY(train(job, h100_cluster(1)).page->find("training.step.data"));
  }
  void aLayoutThatCannotRunHasNoStep() {
    Job job = llama_job();
    job.model_flops_utilization.reset();
    job.tensor_parallel = 6;
    const auto r = train(job, h100_cluster(2048));
    QCOMPARE(r.step_time.completeness, Completeness::not_applicable);
    QVERIFY(figure(r, "training.step_time").reason.find("does not divide 128 heads") != std::string::npos);
    QVERIFY(!r.job.has_value());
    QVERIFY(r.memory_per_gpu.has_value()); // memory needs no legal batch
    job = llama_job();
    job.model_flops_utilization.reset();
    job.model_part = "nemotron4-340b";
    QCOMPARE(train(job, h100_cluster(2048)).step_time.completeness, Completeness::unknown);
    job = llama_job();
    job.model_flops_utilization.reset();
    QCOMPARE(train(job, h100_cluster(0)).step_time.completeness, Completeness::not_applicable);
  }

  void nothingToComputeSaysWhy() {
    const auto empty = train(llama_job(), h100_cluster(0));
    QCOMPARE(empty.peak_per_gpu.completeness, Completeness::not_applicable);
    QCOMPARE(empty.compute_time.completeness, Completeness::not_applicable);
    QVERIFY(figure(empty, "training.compute_time").reason.find("no GPUs") != std::string::npos);
    QVERIFY(empty.parameters.has_value());
    Job job = llama_job();
    job.model_part = "";
    const auto no_model = train(job, h100_cluster(2048));
    QCOMPARE(no_model.parameters.completeness, Completeness::not_applicable);
    QCOMPARE(no_model.memory_per_gpu.completeness, Completeness::not_applicable);
    QVERIFY(no_model.problems.empty());
    // A published count stands in where dimensions are missing; memory says what is missing.
    job.model_part = "nemotron4-340b";
    const auto published = train(job, h100_cluster(2048));
    QCOMPARE(published.parameters.value, 340e9);
    QCOMPARE(published.parameters.completeness, Completeness::estimate);
    QCOMPARE(published.memory_per_gpu.completeness, Completeness::unknown);
    QVERIFY(published.stages.empty());
    // A format that the GPU does not have.
    job = llama_job();
    job.precision = Precision::fp4;
    QCOMPARE(train(job, h100_cluster(2048)).peak_per_gpu.completeness, Completeness::unknown);
  }
  void everyFigureRestsOnSources() {
    const auto population = h100_cluster(2048);
    for (const char* model : {"llama3-1-405b", "deepseek-v3", "llama4-maverick", "nemotron4-340b"}) {
      Job job = llama_job();
      job.model_part = model;
      const auto r = train(job, population);
      Figures figures;
      figures.add(population);
      figures.add(r);
      QVERIFY(rests_on_sources(figures, *r.page));
      // The page and the function that stands alone count the same model.
      if (const auto p = model_parameters(*shipped_catalog()->find<ModelPart>(model))) {
        QCOMPARE(r.parameters.value, p->total);
        QCOMPARE(r.active_parameters.value, p->active);
      }
    }
  }

  void layoutsThatDoNotFit_data() {
    QTest::addColumn<QString>("axis");
    QTest::addColumn<Job>("job");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QVector<qint64>>("valid");
    Job job = llama_job();
    job.tensor_parallel = 6;
    QTest::newRow("6 does not divide 128 heads") << "tensor_parallel" << job << "use 1, 2, 4, 8, 16, 32, 64 or 128" << QVector<qint64>{4, 8};
    job = llama_job();
    job.tensor_parallel = 0;
    QTest::newRow("zero") << "tensor_parallel" << job << "must be from 1" << QVector<qint64>{1};
    job = llama_job();
    job.pipeline_parallel = 127;
    QTest::newRow("more stages than layers") << "pipeline_parallel" << job << "126 layers" << QVector<qint64>{126};
    job = llama_job();
    job.virtual_stages = 9;
    QTest::newRow("more virtual stages than layers") << "virtual_stages" << job << "at most 8" << QVector<qint64>{8};
    job = llama_job();
    job.micro_batch = 3;
    QTest::newRow("batch not whole") << "global_batch_sequences" << job << "128 x 3; use 1920 or 2304" << QVector<qint64>{1920, 2304};
    job = llama_job();
    job.context_parallel = 3;
    QTest::newRow("sequence not whole") << "context_parallel" << job << "use 2 or 4" << QVector<qint64>{2, 4};
    job = llama_job();
    job.model_part = "deepseek-v3";
    job.expert_parallel = 24;
    QTest::newRow("experts not whole") << "expert_parallel" << job << "does not divide 256 experts" << QVector<qint64>{16, 32};
    job = llama_job();
    job.data_parallel = 130;
    // 16,384 / (8 x 16) = 128, which also divides the batch of 2048.
    QTest::newRow("more GPUs than there are") << "data_parallel" << job << "use data_parallel = 128" << QVector<qint64>{128};
  }
  void layoutsThatDoNotFit() {
    QFETCH(QString, axis);
    QFETCH(Job, job);
    QFETCH(QString, words);
    QFETCH(QVector<qint64>, valid);
    const auto problems = layout_problems(job, *shipped_catalog()->find<ModelPart>(job.model_part), 16384, 8);
    const auto found = std::find_if(problems.begin(), problems.end(),
                                    [&](const LayoutProblem& p) { return p.axis == axis.toStdString() && !p.note; });
    QVERIFY(found != problems.end());
    QVERIFY2(QString::fromStdString(found->sentence).contains(words), found->sentence.c_str());
    QCOMPARE(QVector<qint64>(found->nearest_valid.begin(), found->nearest_valid.end()), valid);
  }
  void layoutsThatWorkAtACost() {
    const ModelPart& llama = *shipped_catalog()->find<ModelPart>("llama3-1-405b");
    const auto notes = [&](const Job& job, std::string_view words) {
      const auto all = layout_problems(job, llama, 16384, 8);
      return std::count_if(all.begin(), all.end(),
                           [&](const LayoutProblem& p) { return p.note && p.sentence.find(words) != std::string::npos; });
    };
    Job job = llama_job();
    QCOMPARE(notes(job, "15 stages hold 8 layers and the last 6"), 1);
    QCOMPARE(notes(job, "idle"), 0);
    job.data_parallel = 64;
    QCOMPARE(notes(job, "8192 of 16384 GPUs idle"), 1);
    job = llama_job();
    job.expert_parallel = 4;
    QCOMPARE(notes(job, "is dense; use 1"), 1);
    job = llama_job();
    job.tensor_parallel = 16;
    QCOMPARE(notes(job, "each is kept 2 times"), 1);
    QCOMPARE(notes(job, "scale-up domain of 8"), 1);
    job = llama_job();
    job.pipeline_parallel = 1;
    job.virtual_stages = 2;
    QCOMPARE(notes(job, "no effect with one pipeline stage"), 1);
  }
  void rulesStaySilentAndComplain() {
    const auto population = h100_cluster(2048);
    auto found = findings_of(llama_job(), population);
    QCOMPARE(count_of(found, "TRN-001"), std::size_t{0});
    QCOMPARE(count_of(found, "TRN-002"), std::size_t{0});
    QCOMPARE(count_of(found, "TRN-003"), std::size_t{0});
    QCOMPARE(count_of(found, "TRN-004"), std::size_t{1}); // 75.3 of 80 GB
    QCOMPARE(count_of(found, "TRN-005"), std::size_t{0});
    QCOMPARE(count_of(found, "TRN-006"), std::size_t{1}); // uneven stages

    Job job = llama_job();
    job.sharding = Sharding::none; // 12 B of optimizer state for each of 3.45 billion parameters: 41 GB more
    found = findings_of(job, population);
    QCOMPARE(count_of(found, "TRN-003"), std::size_t{1});
    const auto memory = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "TRN-003"; });
    QCOMPARE(memory->severity, Severity::error);
    QVERIFY(memory->remedies.size() >= 2);
    // The remedy does what it says, and helps.
    const Edited edited = memory->remedies.front().edit.apply(design_of(job));
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().c_str());
    QCOMPARE(edited->job->sharding, Sharding::optimizer);
    QCOMPARE(count_of(findings_of(*edited->job, population), "TRN-003"), std::size_t{0});

    job = llama_job();
    job.data_parallel = 256;
    found = findings_of(job, population);
    QCOMPARE(count_of(found, "TRN-001"), std::size_t{1});
    QCOMPARE(found.front().severity, Severity::error);
    const Edited fewer = found.front().remedies.front().edit.apply(design_of(job));
    QVERIFY(fewer.has_value());
    QCOMPARE(fewer->job->data_parallel, 128);
    job.data_parallel = 64;
    found = findings_of(job, population);
    QCOMPARE(count_of(found, "TRN-001"), std::size_t{1});
    QCOMPARE(std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "TRN-001"; })->severity, Severity::note);

    job = llama_job();
    job.tensor_parallel = 16;
    job.data_parallel = 64;
    QCOMPARE(count_of(findings_of(job, population), "TRN-005"), std::size_t{1});
    job.tensor_parallel = 6;
    QVERIFY(count_of(findings_of(job, population), "TRN-002") >= 1);
  }

  void aBatchBeyondThePublishedOnesIsNoted() {
    // The largest published batch: 15,360 x 4,096 = 62,914,560 tokens (DeepSeek-V3 2024).
    const auto population = h100_cluster(2048);
    Job job = llama_job();
    QCOMPARE(count_of(findings_of(job, population), "TRN-007"), std::size_t{0}); // 16.8 million
    job.global_batch_sequences = 7680;                                          // 62,914,560 tokens, no more
    QCOMPARE(count_of(findings_of(job, population), "TRN-007"), std::size_t{0});
    job.global_batch_sequences = 16384;
    const auto found = findings_of(job, population);
    QCOMPARE(count_of(found, "TRN-007"), std::size_t{1});
    const auto note = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "TRN-007"; });
    QVERIFY2(note->message.find("134 million tokens, more than the 62.9 million") != std::string::npos, note->message.c_str());
    QCOMPARE(note->remedies.size(), std::size_t{1});
    const Edited smaller = note->remedies.front().edit.apply(design_of(job));
    QCOMPARE(smaller->job->global_batch_sequences, Count{7680});
    QCOMPARE(count_of(findings_of(*smaller->job, population), "TRN-007"), std::size_t{0});
  }

  void aJobFarFromMeasuredOnesIsNoted() {
    const auto population = h100_cluster(2048);
    Job job = llama_job();
    QCOMPARE(count_of(findings_of(job, population), "TRN-008"), std::size_t{0}); // a typed utilisation is no estimate of ours
    job.model_flops_utilization.reset();
    QCOMPARE(count_of(findings_of(job, population), "TRN-008"), std::size_t{1}); // no published run in the fit has 16,384 GPUs
    job.step_time_factor = 1.1;
    QCOMPARE(count_of(findings_of(job, population), "TRN-008"), std::size_t{0}); // a run of one's own
    // GPT-3 175B on 512 H100, tensor 4, pipeline 8: such runs were measured (dgxc_gpt3).
    Job near_one = llama_job();
    near_one.model_part = "gpt3-175b";
    near_one.model_flops_utilization.reset();
    near_one.sequence_length = 2048;
    near_one.tensor_parallel = 4;
    near_one.pipeline_parallel = 8;
    near_one.data_parallel = 16;
    near_one.global_batch_sequences = 2048;
    QCOMPARE(count_of(findings_of(near_one, h100_cluster(64)), "TRN-008"), std::size_t{0});
  }

  /// A value that is set already is no way out, on any axis.
  void noRemedyIsWhatIsSetAlready() {
    const ModelPart& llama = *shipped_catalog()->find<ModelPart>("llama3-1-405b");
    // 240 GPUs in replicas of 8 x 1: 30 of them hold 240, of 243 three idle; the batch of 60 is divided by 30.
    Job job = llama_job();
    job.pipeline_parallel = 1;
    job.data_parallel = 30;
    job.global_batch_sequences = 60;
    const auto problems = layout_problems(job, llama, 243, 8);
    const auto idle = std::find_if(problems.begin(), problems.end(), [](const LayoutProblem& p) { return p.axis == "data_parallel"; });
    QVERIFY(idle != problems.end());
    QVERIFY2(idle->sentence.find("3 of 243 GPUs idle") != std::string::npos, idle->sentence.c_str());
    QVERIFY(idle->nearest_valid.empty());
    job.data_parallel = 20; // 160 of 243: 30 is the way out
    const auto fewer = layout_problems(job, llama, 243, 8);
    const auto more = std::find_if(fewer.begin(), fewer.end(), [](const LayoutProblem& p) { return p.axis == "data_parallel"; });
    QCOMPARE(more->nearest_valid, std::vector<Count>{30});

    const auto population = h100_cluster(2048);
    for (const Count tensor : {1, 3, 8, 16, 64})
      for (const Count pipeline : {1, 7, 16, 127})
        for (const Count replicas : {1, 30, 64, 128, 500})
          for (const Count batch : {60, 1001, 2048}) {
            Job tried = llama_job();
            tried.tensor_parallel = tensor;
            tried.pipeline_parallel = pipeline;
            tried.virtual_stages = 1 + replicas % 3;
            tried.data_parallel = replicas;
            tried.global_batch_sequences = batch;
            for (const Finding& f : findings_of(tried, population))
              for (const Remedy& r : f.remedies) {
                const Edited edited = r.edit.apply(design_of(tried));
                QVERIFY2(edited.has_value(), edited ? "" : edited.error().c_str());
                QVERIFY2(!differences(design_of(tried), *edited).empty(), (f.code + ": " + r.edit.label).c_str());
              }
          }
    // One replica has nobody to share its state with.
    Job alone = llama_job();
    alone.data_parallel = 1;
    alone.sharding = Sharding::none;
    const auto found = findings_of(alone, population);
    const auto memory = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "TRN-003"; });
    QVERIFY(memory != found.end());
    for (const Remedy& r : memory->remedies) QVERIFY2(r.edit.label.find("Shard") == std::string::npos, r.edit.label.c_str());
  }

  /// (16 - 1) / (16 + 16 - 1) = 0.48387: 16 stages, 2048 / 128 = 16 micro-batches.
  void theBubbleReadsAsPercent() {
    const auto r = train(llama_job(), h100_cluster(2048));
    const Figure& bubble = figure(r, "training.bubble");
    QVERIFY(near(bubble.value, 0.4838709677, 1e-9));
    QVERIFY2(QString::fromStdString(figure_text(bubble)).simplified() == QStringLiteral("48.4 %"), figure_text(bubble).c_str());
    QVERIFY(bubble.kind == &kind::percent);
    QCOMPARE(bubble.formula, pipeline_bubble_fraction.name);
    QVERIFY(pipeline_bubble_fraction.result_kind != &kind::percent); // the formula alone stays a plain ratio
  }

  void laws() {
    const auto population = h100_cluster(2048);
    const auto pick = [](std::initializer_list<Count> values) { return rc::gen::elementOf(std::vector<Count>(values)); };
    QVERIFY(holds(rc::check("one replica, one stage or one rank never divides by nothing, and the total is the sum of its parts", [&] {
      Job job = llama_job();
      job.model_part = *rc::gen::elementOf(std::vector<std::string>{"llama3-8b", "deepseek-v3", "llama4-maverick", "gpt3-175b"});
      job.tensor_parallel = *pick({1, 2, 8});
      job.pipeline_parallel = *pick({1, 2, 5, 16});
      job.data_parallel = *pick({1, 2, 128});
      job.context_parallel = *pick({1, 2});
      job.expert_parallel = *pick({1, 8});
      job.virtual_stages = *pick({1, 2});
      job.sharding = *rc::gen::element(Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::parameters);
      job.recompute = *rc::gen::element(Recompute::none, Recompute::selective, Recompute::full);
      const auto r = train(job, population);
      for (const Figure& f : r.page->figures) RC_ASSERT(std::isfinite(f.value));
      RC_ASSERT(r.stages.size() == static_cast<std::size_t>(job.pipeline_parallel));
      for (const RankMemory& s : r.stages) {
        for (double part : {s.weights, s.gradients, s.optimizer, s.activations, s.logits}) {
          RC_ASSERT(part >= 0.0);
          RC_ASSERT(s.total() >= part);
        }
        RC_ASSERT(base_value(r.memory_per_gpu.value) >= s.total() * (1 - 1e-12));
      }
    })));
    QVERIFY(holds(rc::check("more tokens take more time", [&] {
      Job job = llama_job();
      job.tokens = *rc::gen::inRange<std::int64_t>(1'000'000'000, 20'000'000'000'000);
      const auto few = train(job, population);
      job.tokens *= 1.5;
      const auto many = train(job, population);
      RC_ASSERT(many.compute_time.value > few.compute_time.value);
      RC_ASSERT(many.flops.value > few.flops.value);
    })));
    QVERIFY(holds(rc::check("a layout with no problem has whole micro-batches and no more GPUs than there are", [&] {
      Job job = llama_job();
      job.tensor_parallel = *rc::gen::inRange<Count>(1, 20);
      job.pipeline_parallel = *rc::gen::inRange<Count>(1, 130);
      job.data_parallel = *rc::gen::inRange<Count>(1, 200);
      job.micro_batch = *rc::gen::inRange<Count>(1, 5);
      const auto problems = layout_problems(job, *shipped_catalog()->find<ModelPart>(job.model_part), 16384, 8);
      const bool clean = std::all_of(problems.begin(), problems.end(), [](const LayoutProblem& p) { return p.note; });
      if (clean) {
        RC_ASSERT(job.tensor_parallel * job.pipeline_parallel * job.data_parallel <= 16384);
        RC_ASSERT(job.global_batch_sequences % (job.data_parallel * job.micro_batch) == 0);
        RC_ASSERT(128 % job.tensor_parallel == 0);
      }
      for (const LayoutProblem& p : problems) RC_ASSERT(!p.sentence.empty());
    })));
  }
};

QTEST_APPLESS_MAIN(TestTrainingStage)
#include "test_training_stage.moc"
