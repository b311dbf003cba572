// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a rank against Korthikanti et al. 2022 (figures of its tables and text) and published parameter counts.
#include <QtTest>

#include "engine/training/job_fixture.h"
#include "fabric/communicators.h"
#include "training/job_inputs.h"
#include "training/memory_model.h"
#include "training/software_stack.h"

using namespace hallwright;

namespace {
ModelDimensions gpt(double layers, double hidden, double heads) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .kv_heads = heads,
          .head_dimension = hidden / heads,
          .ffn = 4 * hidden,
          .vocabulary = 51200,
          .tied_embeddings = true,
          .dropout = 1};
}
TrainingConstants bare() {
  TrainingConstants c;
  c.memory_context_gib = c.memory_slack = 0;
  return c;
}
constexpr double gib = 1073741824.0;
} // namespace

class TestMemoryModel : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Trainable parameters that the PEFT library prints for Llama 2 7B: 39,976,960 with rank 16 at every linear layer,
  /// 8,388,608 with rank 8 at queries, keys, values and output.
  void adapters_have_the_published_counts() {
    ModelDimensions m;
    m.layers = 32, m.hidden = 4096, m.heads = 32, m.kv_heads = 32, m.head_dimension = 128, m.ffn = 11008, m.gated = true, m.vocabulary = 32000;
    QCOMPARE(32 * m.adapter_parameters(16, true, false), 39'976'960.0);
    QCOMPARE(32 * m.adapter_parameters(8, false, false), 8'388'608.0);
    // What the traffic counts is the same, for every model of the catalog.
    for (const ModelPart& part : fixture::shipped_catalog()->models) {
      if (!missing_dimensions(part).empty()) continue;
      const ModelDimensions d = dimensions_of(part);
      const double with = d.expert_layers();
      for (const bool everywhere : {false, true}) {
        const double mine = (d.layers - with) * d.adapter_parameters(4, everywhere, false) + with * d.adapter_parameters(4, everywhere, true);
        QVERIFY2(std::abs(mine / adapter_parameters(part, 4, everywhere) - 1) < 1e-12, part.id.c_str());
      }
    }
  }

  /// LLaMA 65B in 4 bits with adapters is trained on one GPU of 48 GB (Dettmers et al. 2023); in 16 bits its
  /// weights alone are 130 GB, and all states of Adam more than 780 GB.
  void four_bit_weights_with_adapters_fit_one_gpu() {
    ModelDimensions m;
    m.layers = 80, m.hidden = 8192, m.heads = 64, m.kv_heads = 64, m.head_dimension = 128, m.ffn = 22016, m.gated = true, m.vocabulary = 32000;
    Job job;
    job.tensor_parallel = job.pipeline_parallel = job.data_parallel = 1;
    job.sequence_length = 512, job.micro_batch = 1, job.global_batch_sequences = 16;
    job.sharding = Sharding::none, job.recompute = Recompute::full;
    const auto constants = training_constants(*fixture::shipped_catalog()).value();
    const auto gigabytes = [&] { return rank_memory(m, split_of(job), constants, constants.stacks[static_cast<std::size_t>(job.software_stack)], 0).total() * 1e-9; };
    QVERIFY(gigabytes() > 780);
    job.trained_weights = TrainedWeights::lora, job.adapter_rank = 16;
    QVERIFY(gigabytes() > 130 && gigabytes() < 160);
    job.trained_weights = TrainedWeights::qlora;
    QVERIFY2(gigabytes() > 33.6 && gigabytes() < 48, qPrintable(QString::number(gigabytes())));
  }

  void parameters_as_published() {
    // GPT-3 175B: 174.6 billion, Brown et al. 2020, table D.1.
    QVERIFY(std::abs(gpt(96, 12288, 96).parameters(false) / 174.6e9 - 1) < 0.001);
    const ModelDimensions llama{.layers = 32,
                                .hidden = 4096,
                                .heads = 32,
                                .kv_heads = 8,
                                .head_dimension = 128,
                                .ffn = 14336,
                                .gated = true,
                                .vocabulary = 128256};
    QCOMPARE(llama.parameters(false), 8030261248.0); // its model card
    const ModelDimensions qwen{.layers = 48,
                               .hidden = 2048,
                               .heads = 32,
                               .kv_heads = 4,
                               .head_dimension = 128,
                               .gated = true,
                               .vocabulary = 151936,
                               .experts = 128,
                               .experts_per_token = 8,
                               .expert_ffn = 768};
    QVERIFY(std::abs(qwen.parameters(false) / 30.53e9 - 1) < 0.001); // its model card: 30.5 billion, 3.3 active
    QVERIFY(std::abs(qwen.parameters(true) / 3.35e9 - 1) < 0.01);
  }
  /// Korthikanti et al. 2022, figure 1: activations without recomputing, and with sequence parallelism and selective.
  void activations_as_published() {
    const StackConstants stored{.attention = AttentionKernel::stored};
    struct Row {
      double layers, hidden, heads, batch, micro, pp, vpp, none_gib, selective_gib;
    };
    for (const Row& r : {Row{48, 6144, 64, 4, 4, 1, 1, 59.25, 9.5625},
                         {96, 12288, 96, 64, 1, 8, 3, 66.84375, 12.3515625},
                         {105, 20480, 128, 280, 1, 35, 3, 114.0234375, 23.076171875},
                         {128, 25600, 160, 512, 1, 64, 1, 131.25, 26.5625}}) {
      JobSplit j{.sequence = 2048, .global_batch = r.batch, .micro_batch = r.micro, .tp = 8, .pp = r.pp, .vpp = r.vpp};
      j.schedule = r.vpp > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
      const ModelDimensions m = gpt(r.layers, r.hidden, r.heads);
      const double none = rank_memory(m, j, bare(), stored, 0).activations / gib;
      QVERIFY2(std::abs(none / r.none_gib - 1) < 0.01, qPrintable(QString("%1 %2").arg(none).arg(r.none_gib)));
      j.sequence_parallel = true;
      j.recompute = Recompute::selective;
      const double selective = rank_memory(m, j, bare(), stored, 0).activations / gib;
      QVERIFY2(std::abs(selective / r.selective_gib - 1) < 0.01,
               qPrintable(QString("%1 %2").arg(selective).arg(r.selective_gib)));
    }
  }
  void state_as_published() {
    // 18 bytes per parameter without a sharded optimizer; 175 billion over 64 GPUs: 45.56 GiB (same paper).
    const JobSplit j{.tp = 8, .pp = 8};
    const RankMemory r = rank_memory(gpt(96, 12288, 96), j, bare(), {}, 1);
    const double state = (r.weights + r.gradients + r.optimizer) / gib;
    QVERIFY2(std::abs(state / 45.5625 - 1) < 0.01, qPrintable(QString::number(state)));
    // A sharded optimizer: 6 + 12 / d bytes (Megatron-LM, docs on the distributed optimizer).
    JobSplit d = j;
    d.dp = 4;
    d.sharding = Sharding::optimizer;
    const RankMemory s = rank_memory(gpt(96, 12288, 96), d, bare(), {}, 1);
    QCOMPARE((s.weights + s.gradients + s.optimizer) / (r.weights + r.gradients + r.optimizer), 9.0 / 18.0);
  }
  /// Two stages on each rank, one from each end: twice the layers at half a byte, and both embeddings in 16 bits.
  void both_embeddings_of_a_bidirectional_schedule_stay_in_sixteen_bits() {
    const ModelDimensions m = gpt(8, 1024, 8);
    const JobSplit j{.pp = 4, .schedule = PipelineSchedule::bidirectional, .adapter_rank = 4, .frozen_bytes = 0.5};
    const double layer = 12.0 * 1024 * 1024 + 2.0 * 1024, embedding = 51200.0 * 1024;
    const double adapters = 2 * 2 * m.adapter_parameters(4, true, false);
    QCOMPARE(rank_memory(m, j, bare(), {}, 0).weights, 4 * layer * 0.5 + 2 * embedding * 2.0 + 2.0 * adapters);
  }

  void layers_of_stages_add_up() {
    for (const auto& [layers, stages] : {std::pair{126.0, 8.0}, {61.0, 16.0}, {80.0, 11.0}, {94.0, 4.0}, {7.0, 7.0}}) {
      double sum = 0;
      for (double s = 0; s < stages; ++s)
        sum += stage_layers(layers, stages, s);
      QCOMPARE(sum, layers);
    }
  }
};

QTEST_APPLESS_MAIN(TestMemoryModel)
#include "test_memory_model.moc"
