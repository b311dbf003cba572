// SPDX-License-Identifier: GPL-3.0-or-later
// Step time: hand-worked products and properties that must hold for any job.
#include <QtTest>

#include "training/matrix_efficiency.h"
#include "training/number_formats.h"
#include "training/software_stack.h"
#include "training/step_model.h"

using namespace hallwright;

namespace {
const TrainingConstants& constants() {
  static const TrainingConstants c =
      training_constants(read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value()).value();
  return c;
}
const StackConstants& stack(SoftwareStack s) { return constants().stacks[static_cast<std::size_t>(s)]; }
const ModelDimensions gpt3{.layers = 96,
                           .hidden = 12288,
                           .heads = 96,
                           .kv_heads = 96,
                           .head_dimension = 128,
                           .ffn = 49152,
                           .vocabulary = 51200};
JobSplit usual() {
  return {.sequence = 2048,
          .global_batch = 1024,
          .micro_batch = 1,
          .tp = 4,
          .pp = 8,
          .vpp = 12,
          .dp = 16,
          .sequence_parallel = true,
          .sharding = Sharding::optimizer,
          .schedule = PipelineSchedule::interleaved};
}
double seconds(const JobSplit& j, const ClusterRates& c = {}, SoftwareStack s = SoftwareStack::nemo) {
  return step_time(gpt3, j, c, constants(), stack(s)).total();
}
StepParts parts_of(const JobSplit& j, const ClusterRates& c) {
  return step_time(gpt3, j, c, constants(), stack(SoftwareStack::nemo));
}
} // namespace

class TestStepModel : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Weights that stay take no product for their gradient: a third of the work on weights is not done.
  void adapters_leave_the_gradients_of_weights_out() {
    JobSplit all = usual(), adapters = usual();
    adapters.adapter_rank = 16;
    const ClusterRates cluster;
    const StepParts a = parts_of(all, cluster), b = parts_of(adapters, cluster);
    QVERIFY2(b.matrix < 0.72 * a.matrix && b.matrix > 0.6 * a.matrix, qPrintable(QString::number(b.matrix / a.matrix)));
    QCOMPARE(a.attention, b.attention);
    QVERIFY(b.data < 0.05 * a.data && b.optimizer < 0.05 * a.optimizer);
    const double weights = model_flops_per_step(gpt3, adapters) / model_flops_per_step(gpt3, all);
    QVERIFY2(weights > 4.0 / 6 && weights < 0.7, qPrintable(QString::number(weights)));
  }

  /// Traffic that may not be hidden is waited for whole.
  void overlap_that_is_off_is_paid() {
    const ClusterRates cluster;
    JobSplit on = usual();
    for (bool JobSplit::* overlap : {&JobSplit::tensor_overlap, &JobSplit::pipeline_overlap, &JobSplit::data_overlap}) {
      JobSplit off = on;
      off.*overlap = false;
      QVERIFY(parts_of(off, cluster).total() >= parts_of(on, cluster).total());
    }
    JobSplit off = on;
    off.data_overlap = false;
    QVERIFY(parts_of(off, cluster).data > parts_of(on, cluster).data);
  }

  void a_product_by_hand() {
    // 128 x 256 tiles on 132 processors: 8448 x 8192 gives 66 x 32 = 2112 tiles, 16 whole waves, nothing lost.
    MatrixRates r;
    r.wave_weight = 1;
    QCOMPARE(tile_share(r, 8448, 8192), 1.0);
    // 2 m n k operations at 75 % of 989 TFLOP/s, k / (k + 300).
    const double expected = 2.0 * 8448 * 8192 * 8192 / (989e12 * 0.75 * 8192 / 8492);
    QVERIFY(std::abs(matrix_seconds(r, 8448, 8192, 8192) / expected - 1) < 1e-9);
    // One tile more makes a seventeenth wave; half-size tiles at 92 % lose less.
    QVERIFY(tile_share(r, 8448, 8193) < 1.0);
    // A single row passes its matrix through memory: 2 bytes each at 3000 GB/s.
    QVERIFY(matrix_seconds(r, 1, 8192, 8192) >= 2.0 * 8192 * 8192 / 3000e9);
  }
  /// IEEE 754-2008 binary16; OCP 8-bit Floating Point Specification 1.0, table 1; OCP Microscaling Formats 1.0: one
  /// scale byte for 32 elements. bfloat16 has 8 significant bits: half a step is 2^-8 of the value or less.
  void formats_as_standardised() {
    QCOMPARE(number_format(NumberFormat::fp16).largest, 65504.0);
    QCOMPARE(number_format(NumberFormat::fp8_e4m3).largest, 448.0);
    QCOMPARE(number_format(NumberFormat::mxfp8).bytes, 33.0 / 32.0);
    QCOMPARE(number_format(NumberFormat::bf16).lost_update_share(), 1.0 / 256.0);
    QCOMPARE(precision_recipe("fp8-mx"), PrecisionRecipe::mxfp8);
    QCOMPARE(precision_recipe("fp8-cs"), PrecisionRecipe::fp8);
    QCOMPARE(precision_recipe("16-bit mixed"), PrecisionRecipe::half);
    QVERIFY(!precision_recipe("int3"));
  }
  void flops_as_published() {
    // Llama 3 405B at 8192 tokens with causal attention halved: 2646 TFLOP/s at 1048 tokens/s, as Megatron-Bridge
    // prints it (NVIDIA-NeMo/Megatron-Bridge at 067f987df, docs/performance-summary-archive.md).
    const ModelDimensions llama{.layers = 126,
                                .hidden = 16384,
                                .heads = 128,
                                .kv_heads = 8,
                                .head_dimension = 128,
                                .ffn = 53248,
                                .gated = true,
                                .vocabulary = 128256};
    const JobSplit j{.sequence = 8192, .global_batch = 1};
    const double per_token = model_flops_per_step(llama, j) / 8192;
    QVERIFY2(std::abs(per_token * 1048 / 2646e12 - 1) < 0.005, qPrintable(QString::number(per_token)));
  }
  void more_is_never_slower() {
    const double base = seconds(usual());
    ClusterRates c;
    c.network_gb_s *= 2;
    QVERIFY(seconds(usual(), c) <= base);
    c = {};
    c.scale_up_gb_s *= 2;
    QVERIFY(seconds(usual(), c) <= base);
    c = {};
    c.memory_gb_s *= 2;
    QVERIFY(seconds(usual(), c) <= base);
    c = {};
    c.peak_tflops *= 2;
    c.half_peak_tflops *= 2;
    QVERIFY(seconds(usual(), c) < base);
  }
  void axes_of_one_have_no_traffic() {
    JobSplit j = usual();
    j.tp = 1;
    QCOMPARE(step_time(gpt3, j, {}, constants(), stack(SoftwareStack::nemo)).tensor, 0.0);
    j = usual();
    j.dp = 1;
    QCOMPARE(step_time(gpt3, j, {}, constants(), stack(SoftwareStack::nemo)).data, 0.0);
    j.pp = j.vpp = 1;
    const StepParts p = step_time(gpt3, j, {}, constants(), stack(SoftwareStack::nemo));
    QCOMPARE(p.bubble + p.pipeline, 0.0);
  }
  /// A step is a forward and twice that backward; Narayanan et al. 2021, 3.5, give a second forward a third.
  void a_full_second_forward_costs_up_to_a_third() {
    JobSplit j = usual();
    const double none = seconds(j);
    j.recompute = Recompute::full;
    QVERIFY(seconds(j) > 1.2 * none && seconds(j) < 1.4 * none);
  }
  void refusals_name_the_reason() {
    JobSplit j = usual();
    QVERIFY(split_problem(gpt3, j, 512).empty());
    j.tp = 5;
    j.dp = 16;
    QVERIFY(split_problem(gpt3, j, 640).find("does not divide 96 heads; nearest 4 or 6") != std::string::npos);
    QVERIFY(split_problem(gpt3, usual(), 500).find("512") != std::string::npos);
    j = usual();
    j.ep = 8;
    QVERIFY(split_problem(gpt3, j, 512).find("no experts") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestStepModel)
#include "test_step_model.moc"
