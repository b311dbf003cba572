// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a rank against Korthikanti et al. 2022 (figures of its tables and text) and published parameter counts.
#include <QtTest>

#include "training/memory_model.h"

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
