// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "training/layout_legality.h"
#include "training/matrix_efficiency.h"
#include "training/software_stack.h"

namespace hallwright {
namespace {

/// Forward and backward of a matrix product: inputs and weights each take one product backward.
struct ProductSeconds {
  double forward = 0, backward = 0;
};
/// @param sum_bytes passed per element of the gradient of weights when it is added to what is there
/// @param frozen    the second factor is not trained: backward takes one product
ProductSeconds product(const MatrixRates& r, double sum_bytes, double m, double n, double k, double count = 1,
                       bool frozen = false) {
  if (frozen) return {matrix_seconds(r, m, n, k, count), matrix_seconds(r, m, k, n, count)};
  MatrixRates weights = r;
  weights.result_bytes = std::max(r.result_bytes, sum_bytes);
  return {matrix_seconds(r, m, n, k, count),
          matrix_seconds(r, m, k, n, count) + matrix_seconds(weights, k, n, m, count)};
}

} // namespace

class StepModel::Sum {
public:
  Sum(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster, const TrainingConstants& c,
      const StackConstants& stack)
      : model(m), job(j), hall(cluster), constants(c), software(stack) {
    const auto f = static_cast<std::size_t>(cluster.family);
    const double clock = c.variant_clock[static_cast<std::size_t>(cluster.variant)] * cluster.clock;
    memory_rate = cluster.memory_gb_s * c.memory_share * 1e9;
    half = {.peak_tflops = cluster.half_peak_tflops,
            .share = c.half_share[f] * clock,
            .processors = c.processors[f],
            .tile_rows = 128,
            .tile_columns = cluster.family >= AcceleratorFamily::ampere ? 256.0 : 128.0,
            .ramp_k = c.ramp_k[f],
            .wave_weight = c.wave_weight,
            .memory_gb_s = cluster.memory_gb_s * c.memory_share,
            .operand_bytes = 2,
            .result_bytes = 2};
    linear = half;
    if (j.recipe >= PrecisionRecipe::fp8) {
      const bool four = j.recipe == PrecisionRecipe::nvfp4;
      linear.peak_tflops = cluster.peak_tflops;
      linear.share = (four                               ? c.fp4_share[f]
                      : j.recipe == PrecisionRecipe::fp8 ? c.fp8_share[f]
                                                         : c.mx_share[f]) *
                     clock;
      linear.operand_bytes = operand_bytes(j.recipe);
      linear.ramp_k = half.ramp_k * cluster.peak_tflops / cluster.half_peak_tflops; // a fill takes its time
    } else if (j.recipe <= PrecisionRecipe::tf32) {
      linear.peak_tflops = cluster.peak_tflops;
      linear.operand_bytes = linear.result_bytes = 4;
    }
    attention_rate = cluster.half_peak_tflops * 1e12 * c.attention_share[f] * clock;
    if (stack.attention == AttentionKernel::first_fused) attention_rate *= c.first_attention[f];
    if (stack.attention == AttentionKernel::second_fused) attention_rate *= c.second_attention[f];
    grace = cluster.variant == AcceleratorVariant::gb200 || cluster.variant == AcceleratorVariant::gb300;
    // Read and written in the format in which gradients are kept.
    accumulate_bytes = stack.accumulate_bytes * j.gradient_bytes / 4.0;
    // A sum in 16 bits has no copy in another format beside it: it and the new gradient are read, it is written.
    if (j.gradient_bytes <= 2.0) accumulate_bytes = std::min(accumulate_bytes, 6.0);
    sum_bytes = stack.sums_in_products ? accumulate_bytes : 0.0;
  }

  /// Takes up the axes of the split as they now stand.
  void place() {
    const JobSplit& j = job;
    tokens = j.micro_batch * j.sequence / j.cp;
    // Ranks of an axis that lie in one scale-up domain; axes are laid out tensor, context, data, pipeline.
    const double domain = std::max(1.0, std::min(hall.scale_up_ranks, j.gpus()));
    tp_near = std::min(j.tp, domain);
    cp_near = std::min(j.cp, std::max(1.0, std::floor(domain / j.tp)));
    dp_near = std::min(j.dp, std::max(1.0, std::floor(domain / (j.tp * j.cp))));
    ep_near = std::min(j.ep, domain);
    pp_near = j.tp * j.cp * j.dp * 2.0 <= domain;
    double data_stride = j.tp * j.cp, pipeline_stride = j.tp * j.cp * j.dp;
    if (j.axis_order == AxisOrder::pipeline_before_data && j.pp > 1.5) {
      pipeline_stride = j.tp * j.cp;
      data_stride = j.tp * j.cp * j.pp;
      dp_near = std::min(j.dp, std::max(1.0, std::floor(domain / data_stride)));
      if (j.ep > j.tp * j.cp)
        ep_near = std::min(j.ep, std::max(std::min(j.tp * j.cp, domain), std::floor(domain / j.pp)));
      pp_near = data_stride <= domain;
    }
    // What lies beyond a domain reaches over leafs and spines: members that do not share one, and how far apart they
    // are.
    const auto ring = [&](double ranks, double near, double stride) {
      return network_narrowing(hall.reach, GroupTraffic::ring, ranks / near, std::max(domain, stride * near));
    };
    tp_narrow = ring(j.tp, tp_near, 1.0);
    cp_narrow = ring(j.cp, cp_near, j.tp);
    // Copies of a stage: data and context ranks together; experts' copies lie further apart.
    const double copies = std::max(1.0, j.dp * j.cp), near = std::min(copies, dp_near * cp_near);
    copy_stride = j.axis_order == AxisOrder::pipeline_before_data && j.dp > 1.5
                                   ? std::max(domain, data_stride)
                                   : std::max(domain, j.tp * near);
    dp_narrow = network_narrowing(hall.reach, GroupTraffic::ring, copies / near, copy_stride);
    const double expert_stride =
        std::max(copy_stride, j.ep * (j.axis_order == AxisOrder::pipeline_before_data ? j.pp : 1.0));
    expert_copies_narrow = network_narrowing(hall.reach, GroupTraffic::ring,
                                             std::max(1.0, copies * j.tp / std::max(j.tp, j.ep)), expert_stride);
    ep_narrow = network_narrowing(
        hall.reach, GroupTraffic::all_pairs, j.ep / ep_near,
        std::max(domain, j.axis_order == AxisOrder::pipeline_before_data && j.ep > j.tp * j.cp ? data_stride : 1.0));
    pp_narrow = pp_near || j.pp < 1.5 ? 1.0 : shift_narrowing(hall.reach, pipeline_stride);
  }

  /// Copies of shards, `shard` ranks of a stage apart: how far is known when the sharding is, after the axes.
  [[nodiscard]] double copies_narrow(double copies, double shard) const {
    return network_narrowing(hall.reach, GroupTraffic::ring, copies, std::max(copy_stride, job.tp * shard));
  }

  /// Share of an exchange that the software hides.
  [[nodiscard]] double tp_hidden() const { return job.tensor_overlap ? software.tp_overlap : 0.0; }
  [[nodiscard]] double pp_hidden() const { return job.pipeline_overlap ? software.pp_overlap : 0.0; }
  [[nodiscard]] double dp_hidden() const { return job.data_overlap ? software.dp_overlap : 0.0; }

  /// All-gather or reduce-scatter of `bytes` over `n` ranks, `near` of them in a domain, in `calls` rings; the network
  /// carries what leaves a domain at its rate over `narrow`.
  [[nodiscard]] double gather(double bytes, double n, double near, double narrow, double calls = 1.0) const {
    if (n < 1.5) return 0.0;
    const double inside = std::max(hall.scale_up_gb_s, hall.network_gb_s) * constants.scale_up_share;
    double rate = inside, latency = constants.scale_up_us;
    if (n > near) {
      rate = std::min(inside, near * hall.network_gb_s * constants.network_share / narrow);
      latency += constants.network_us + constants.network_hop_us * (n / near - 1.0);
    }
    return bytes * (n - 1.0) / n / (rate * 1e9) + calls * latency * 1e-6;
  }

  [[nodiscard]] ProductSeconds weight_product(const MatrixRates& r, double m, double n, double k,
                                              double count = 1.0) const {
    return product(r, sum_bytes, m, n, k, count, job.trains_adapters());
  }

  [[nodiscard]] LayerSeconds layer(bool experts, bool backward) const {
    LayerSeconds out;
    const double h = model.hidden, t = job.tp;
    const auto add = [&](const ProductSeconds& p) { out.matrix += backward ? p.backward : p.forward; };
    if (model.latent) {
      const double down = model.kv_rank + model.rope_dimension;
      if (model.q_rank > 0) {
        add(weight_product(linear, tokens, model.q_rank, h));
        add(weight_product(linear, tokens, model.query_width() / t, model.q_rank));
      } else {
        add(weight_product(linear, tokens, model.query_width() / t, h));
      }
      add(weight_product(linear, tokens, down, h));
      add(weight_product(linear, tokens, model.heads * (model.nope_dimension + model.v_dimension) / t, model.kv_rank));
    } else {
      add(weight_product(linear, tokens, (model.heads + 2.0 * model.kv_heads) * model.head_dimension / t, h));
    }
    add(weight_product(linear, tokens, h, model.value_width() / t));
    const double inputs = model.gated ? 2.0 : 1.0;
    if (!experts) {
      add(weight_product(linear, tokens, inputs * model.ffn / t, h));
      add(weight_product(linear, tokens, h, model.ffn / t));
    } else {
      const double local = tokens / t; // sequence parallelism deals tokens to tensor ranks before they are routed
      if (model.experts_shared > 0) {
        add(weight_product(linear, tokens, inputs * model.expert_ffn * model.experts_shared / t, h));
        add(weight_product(linear, tokens, h, model.expert_ffn * model.experts_shared / t));
      }
      add(weight_product(half, local, model.experts, h));
      const double near = model.experts / job.ep;
      const double rows = local * model.experts_per_token / near * job.hot_expert;
      MatrixRates grouped = linear;
      grouped.share *= job.recipe >= PrecisionRecipe::fp8 ? software.grouped_share : software.grouped_half_share;
      const double merged = software.merges_groups ? near : 1.0, calls = near / merged;
      const auto group = [&](double n, double k) {
        const ProductSeconds p = weight_product(grouped, rows, n, k, merged);
        add({p.forward * calls, p.backward * calls});
      };
      group(inputs * model.expert_ffn, h);
      group(h, model.expert_ffn);
      const double dispatched = local * model.experts_per_token * job.hot_expert;
      // Permute, activation between the products, combine.
      out.experts += software.expert_passes * dispatched * (h + inputs * model.expert_ffn) * 2.0 *
                     (backward ? 1.5 : 1.0) / memory_rate;
      // Dispatch and combine: a token goes once to each rank that holds experts of it, and once over the network to
      // each domain.
      const double k = model.experts_per_token;
      const auto places = [k](double n) { return n * (1.0 - std::pow(1.0 - 1.0 / n, k)) / k; };
      const double bytes = dispatched * h * 2.0 * places(job.ep);
      double exchange = 0.0;
      if (job.ep > 1.5) {
        const double inside = std::max(hall.scale_up_gb_s, hall.network_gb_s) * constants.scale_up_share;
        const double far = std::max(0.0, 1.0 - ep_near / job.ep), near_share = (ep_near - 1.0) / ep_near;
        const double far_bytes = dispatched * h * 2.0 * places(std::max(1.0, job.ep / ep_near));
        const double rate = software.all_to_all_share * 1e9;
        exchange = std::max(bytes * near_share / (inside * rate),
                            far_bytes * far * ep_narrow / (hall.network_gb_s * constants.network_share * rate));
        exchange += (constants.scale_up_us + (far > 0 ? constants.network_us : 0.0)) * 1e-6;
      }
      // Another micro-batch computes beside it where the schedule interleaves or runs both ways.
      const bool beside = job.vpp > 1.5 || job.schedule == PipelineSchedule::zero_bubble_v ||
                          job.schedule == PipelineSchedule::bidirectional;
      out.expert += 2.0 * exchange * (beside ? 1.0 - software.ep_overlap : 1.0);
    }
    attention(out, backward);
    const double whole = job.sequence_parallel ? t : 1.0;
    // Two norms (read, write), two residual additions with what goes before them (two reads, a write), one inner
    // activation, position rotation: 16-bit elements.
    const double inner = experts ? model.experts_shared * model.expert_ffn : model.ffn;
    const double width = 10.0 * h / whole + (2.0 * inner * (inputs + 1.0) / 2.0 + 2.0 * model.query_width()) / t;
    out.passes += software.elementwise * tokens * width * 2.0 * (backward ? 1.5 : 1.0) / memory_rate;
    if (job.recipe >= PrecisionRecipe::fp8) {
      double elements = tokens * (2.0 * h / whole + (model.value_width() + inner) / t);
      if (experts) elements += tokens / t * model.experts_per_token * (h + model.expert_ffn) * job.hot_expert;
      out.passes += elements * constants.quantise_bytes / memory_rate;
    }
    // Two all-reduces a direction; with sequence parallelism a gather and a scatter each, and inputs gathered again.
    if (t > 1.5) {
      const double once = gather(tokens * h * 2.0, t, tp_near, tp_narrow);
      const double calls = backward && job.sequence_parallel ? 5.0 : 4.0;
      out.tensor += calls * once * (1.0 - tp_hidden());
    }
    if (job.cp > 1.5) {
      // Keys and values go round a ring beside the attention of each block.
      const double kv = model.latent ? 2.0 * model.query_width() : 2.0 * model.kv_heads * model.head_dimension;
      const double ring = gather(tokens * job.cp * kv / t * 2.0, job.cp, cp_near, cp_narrow) * (backward ? 2.0 : 1.0);
      out.context += std::max(0.15 * ring, ring - out.attention);
    }
    if (job.trains_adapters()) {
      // Adapters: short products that pass their inputs, and outputs that are read, added to and written.
      const double ends = model.adapter_parameters(1.0, job.adapters_in_feed_forward, experts) / t;
      out.passes += tokens * ends * 2.0 * 1.5 * (backward ? 2.0 : 1.0) / memory_rate;
      // Weights of 4 bits are turned to 16 before each product: read, written, and read again by it.
      if (job.frozen_bytes < 1.0) {
        const double weights =
            (experts ? model.attention_parameters() + model.experts_shared * model.expert_parameters()
                     : model.attention_parameters() + model.ffn_parameters()) /
                t +
            (experts ? model.experts * model.expert_parameters() / std::max(job.ep, job.ep < 1.5 ? t : 1.0) : 0.0);
        out.passes += weights * (job.frozen_bytes + 2.0) / memory_rate;
      }
    }
    const double busy = out.matrix + out.attention + out.passes + out.experts + out.tensor + out.context + out.expert;
    // Sequence parallelism gathers and scatters at each end of a block, and overlaps in pieces: more calls in a layer.
    double host = software.launch_us + (experts ? software.expert_layer_us : 0.0);
    if (job.sequence_parallel) host *= 1.0 + constants.tensor_host;
    if (grace) host *= constants.grace_host;
    out.launch += std::max(0.0, host * 1e-6 * (backward ? 1.5 : 1.0) - busy);
    return out;
  }

  void attention(LayerSeconds& out, bool backward) const {
    const double s = job.sequence, width = (model.query_width() + model.value_width()) / 2.0;
    const double per_key = 4.0 * tokens * width / job.tp; // both products, a key each
    if (!software.stores_scores()) {
      const double seen = s / 2.0;
      // Kernels walk blocks of 128 keys: a window ends inside one.
      const double window = model.window > 0 ? std::min(seen, model.window + 128.0) : seen;
      const double keys = seen * (1.0 - model.windowed_share) + window * model.windowed_share;
      // Short sequences leave processors idle; small heads leave the products short.
      const double head = width / model.heads;
      const double reach = head / (head + 64.0) * 1.5 * s / (s + 512.0);
      out.attention += per_key * keys * (backward ? 2.5 : 1.0) / (attention_rate * reach);
      return;
    }
    const double rows = job.micro_batch * model.heads / job.tp;
    const double head = model.head_dimension;
    const ProductSeconds scores = product(half, 0.0, s, s, head, rows), sum = product(half, 0.0, s, head, s, rows);
    out.attention += backward ? scores.backward + sum.backward : scores.forward + sum.forward;
    out.attention += rows * s * s / job.cp * constants.score_bytes * (backward ? 1.5 : 1.0) / memory_rate;
  }

  [[nodiscard]] ProductSeconds output_layer() const {
    ProductSeconds p = weight_product(half, tokens, model.vocabulary / job.tp, model.hidden);
    // Logits in 16 bits, softmax in 32: written, read for the largest, the sum and the loss; once more backward.
    const double passes = tokens * model.vocabulary / job.tp / memory_rate;
    p.forward += passes * 0.6 * software.logit_bytes;
    p.backward += passes * 0.4 * software.logit_bytes;
    return p;
  }

  [[nodiscard]] MicroBatchSeconds micro_batch() const {
    MicroBatchSeconds out;
    LayerSeconds &forward = out.forward, &backward = out.backward;
    const double with_share = model.expert_layers() / model.layers;
    const auto mix = [&](bool experts, double share) {
      if (share <= 0.0) return;
      const LayerSeconds f = layer(experts, false), b = layer(experts, true);
      const auto weigh = [share](LayerSeconds& into, const LayerSeconds& from) {
        into.matrix += share * from.matrix;
        into.attention += share * from.attention;
        into.passes += share * from.passes;
        into.experts += share * from.experts;
        into.launch += share * from.launch;
        into.tensor += share * from.tensor;
        into.context += share * from.context;
        into.expert += share * from.expert;
      };
      weigh(forward, f);
      weigh(backward, b);
    };
    mix(false, 1.0 - with_share);
    mix(true, with_share);
    const ProductSeconds output = output_layer();
    out.output = output.forward + output.backward;
    return out;
  }

  [[nodiscard]] StepParts step(const MicroBatchSeconds& each) const {
    StepParts out;
    const double m = job.micro_batches();
    const bool full = job.recompute == Recompute::full;
    const double layers_first = stage_layers(model.layers, job.pp, 0.0);
    const double layers_last = job.pp > 1.5 ? stage_layers(model.layers, job.pp, job.pp - 1.0) : layers_first;
    const LayerSeconds &forward = each.forward, &backward = each.backward;
    double again = 0.0;
    if (full) again = forward.total();
    // Selective: the core of attention, or every second product and what stands between them.
    if (job.recompute == Recompute::selective)
      again = software.recomputes_products ? 0.5 * forward.matrix + forward.passes : forward.attention;
    const double layer_seconds = forward.total() + backward.total() + again;
    const double output_seconds = each.output;
    const double first = layers_first * layer_seconds, last = layers_last * layer_seconds + output_seconds;
    const bool last_rules = last > first;
    const double layers = last_rules ? layers_last : layers_first;
    const double busiest = std::max(first, last);

    out.matrix = m * layers * (forward.matrix + backward.matrix);
    out.attention = m * layers * (forward.attention + backward.attention);
    out.passes = m * layers * (forward.passes + backward.passes);
    out.experts = m * layers * (forward.experts + backward.experts);
    out.launch = m * layers * (forward.launch + backward.launch);
    out.tensor = m * layers * (forward.tensor + backward.tensor);
    out.context = m * layers * (forward.context + backward.context);
    out.expert = m * layers * (forward.expert + backward.expert);
    out.recompute = m * layers * again;
    if (last_rules || job.pp < 1.5) out.logits = m * output_seconds;

    double transfer = 0.0;
    if (job.pp > 1.5) {
      // Each tensor rank sends its part; without sequence parallelism the receivers gather the whole.
      const double bytes = tokens * model.hidden * 2.0 / job.tp;
      const double rate = (pp_near ? hall.scale_up_gb_s * constants.scale_up_share
                                   : hall.network_gb_s * constants.network_share / pp_narrow) *
                          1e9;
      transfer = bytes / rate + (pp_near ? constants.scale_up_us : constants.network_us) * 1e-6;
      if (!job.sequence_parallel) transfer += gather(bytes * job.tp, job.tp, tp_near, tp_narrow);
      out.pipeline = 2.0 * m * job.vpp * transfer * (1.0 - pp_hidden());
      // The other stages' work that the busiest one waits for, and the transfers between them.
      const double others = std::max(0.0, model.layers * layer_seconds + output_seconds - busiest);
      const double share =
          job.schedule == PipelineSchedule::one_f_one_b || job.schedule == PipelineSchedule::interleaved ||
                  job.schedule == PipelineSchedule::gpipe
              ? 1.0
              : pipeline_idle(job.schedule, static_cast<int>(job.pp), 1, 1.0, 1.0, 1.0) /
                    pipeline_idle(PipelineSchedule::one_f_one_b, static_cast<int>(job.pp), 1, 1.0, 1.0, 1.0);
      out.bubble = others / job.vpp * share + 2.0 * (job.pp - 1.0) * transfer;
    }

    // Trained by this rank, and gathered where parameters are sharded.
    const RankParameters whole = rank_parameters(model, job, last_rules ? job.pp - 1.0 : 0.0);
    const RankParameters mine =
        job.trains_adapters()
            ? RankParameters{.dense = rank_adapter_parameters(model, job, last_rules ? job.pp - 1.0 : 0.0)}
            : whole;
    const double parameters = mine.dense + mine.experts;
    const double gathered =
        job.trains_adapters() ? (whole.dense + whole.experts) * job.frozen_bytes + parameters * 2.0 : parameters * 2.0;
    const double ranks = job.dp * job.cp;
    const double gradient_wire = job.wire_gradient_bytes > 0 ? job.wire_gradient_bytes : software.gradient_bytes;
    if (ranks > 1.5) {
      const double forward_seconds = layers * forward.total(), backward_seconds = layers * (backward.total() + again);
      const auto exposed = [&](double communication, double beside) {
        return communication - dp_hidden() * std::min(communication, beside);
      };
      const double near = std::min(ranks, dp_near * cp_near);
      if (job.sharding == Sharding::parameters || (job.sharding == Sharding::gradients && dp_hidden() > 0)) {
        const double shard = job.shard_ranks > 0 ? job.shard_ranks : ranks;
        const double shard_near = std::min(near, shard);
        const double fetch = gather(gathered, shard, shard_near, dp_narrow, layers);
        const double scatter = gather(parameters * gradient_wire, shard, shard_near, dp_narrow, layers);
        const double again_fetch = job.sharding == Sharding::parameters ? fetch : 0.0;
        out.data = m * (exposed(fetch, forward_seconds) + exposed(again_fetch + scatter, backward_seconds));
        if (shard < ranks)
          out.data += 2.0 * gather(parameters / shard * gradient_wire, ranks / shard, 1.0, copies_narrow(ranks / shard, shard));
      } else {
        const double expert_ranks = std::max(1.0, ranks * job.tp / std::max(job.tp, job.ep));
        const double expert_near =
            std::max(1.0, std::min(expert_ranks, std::floor(near * job.tp / std::max(job.tp, job.ep))));
        const auto both = [&](double bytes) {
          return gather(mine.dense * bytes, ranks, near, dp_narrow) +
                 gather(mine.experts * bytes, expert_ranks, expert_near, expert_copies_narrow);
        };
        // An all-reduce is a scatter and a gather of gradients; a sharded optimizer gathers weights instead.
        out.data = exposed(both(job.sharding == Sharding::none && job.wire_gradient_bytes <= 0 ? 2.0 : gradient_wire), backward_seconds);
        out.data += exposed(both(job.sharding == Sharding::none && job.wire_gradient_bytes > 0 ? gradient_wire : 2.0), forward_seconds);
      }
    }
    if (!software.sums_in_products) out.passes += m * parameters * accumulate_bytes / memory_rate;
    const double expert_owners = std::max(1.0, ranks * job.tp / std::max(job.tp, job.ep));
    const double owned =
        job.sharding == Sharding::none ? parameters : mine.dense / ranks + mine.experts / expert_owners;
    // States are read and written once, gradients read.
    const double passed = constants.optimizer_bytes - 2.0 * job.state_bytes_less - (4.0 - job.gradient_bytes);
    out.optimizer = (owned * std::max(0.0, passed) + parameters * 6.0) / memory_rate;
    const double host_rate = job.host_gb_s * 1e9;
    if (job.offloads_optimizer) // states come and go at once, beside nothing else
      out.offload += owned * (constants.optimizer_state_bytes - job.state_bytes_less) / host_rate;
    if (job.offloads_activations) {
      // A layer's activations leave beside its forward pass and come back beside its backward pass.
      const double with_share = model.expert_layers() / model.layers;
      const double bytes = (1.0 - with_share) * layer_activation_bytes(model, job, software, false, job.recompute) +
                           (with_share > 0 ? with_share * layer_activation_bytes(model, job, software, true, job.recompute) : 0.0);
      const double way = bytes / host_rate;
      out.offload += m * layers * (std::max(0.0, way - forward.total()) + std::max(0.0, way - backward.total() - again));
    }
    out.other = software.step_us * 1e-6;
    const double nodes = std::max(1.0, job.gpus() / std::max(1.0, std::min(8.0, hall.scale_up_ranks)));
    out.stragglers = out.total() * constants.straggler * std::log2(nodes);
    return out;
  }

private:
  const ModelDimensions& model;
  const JobSplit& job;
  const ClusterRates& hall;
  const TrainingConstants& constants;
  const StackConstants& software;
  MatrixRates half, linear;
  double memory_rate = 0, attention_rate = 0, tokens = 0, accumulate_bytes = 0, sum_bytes = 0;
  double tp_near = 1, cp_near = 1, dp_near = 1, ep_near = 1;
  double tp_narrow = 1, cp_narrow = 1, dp_narrow = 1, copy_stride = 1, expert_copies_narrow = 1, ep_narrow = 1,
         pp_narrow = 1;
  bool pp_near = false, grace = false;
};

StepModel::StepModel(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster,
                     const TrainingConstants& c, const StackConstants& stack)
    : sum_(std::make_unique<Sum>(m, j, cluster, c, stack)) {
  place();
}
StepModel::~StepModel() = default;
void StepModel::place() { sum_->place(); }
MicroBatchSeconds StepModel::micro_batch() const { return sum_->micro_batch(); }
StepParts StepModel::step(const MicroBatchSeconds& each) const { return sum_->step(each); }

namespace {

/// Divisors of `whole` next to `value`, as a list of words.
std::string nearest_divisors(double whole, double value) {
  double below = 1, above = 0;
  for (double d = 1; d <= whole && d <= 65536; ++d)
    if (std::fmod(whole, d) == 0.0) {
      if (d <= value) below = d;
      if (d >= value && above == 0) above = d;
    }
  return above > 0 && above != below ? fmt::format("{:.0f} or {:.0f}", below, above) : fmt::format("{:.0f}", below);
}

} // namespace

double model_flops_per_step(const ModelDimensions& m, const JobSplit& j) {
  const double with = m.expert_layers();
  const double norms = 2.0 * m.hidden;
  const double weights = with * (m.layer_parameters(true, true) - norms) +
                         (m.layers - with) * (m.layer_parameters(false, true) - norms) + m.hidden * m.vocabulary;
  const double attention = m.layers * (m.query_width() + m.value_width()) * m.attended_keys(j.sequence),
               tokens = j.global_batch * j.sequence;
  if (!j.trains_adapters()) return 6.0 * (weights + attention) * tokens;
  // Weights that stay take no product for their gradient.
  const double adapters = (m.layers - with) * m.adapter_parameters(j.adapter_rank, j.adapters_in_feed_forward, false) +
                          with * m.adapter_parameters(j.adapter_rank, j.adapters_in_feed_forward, true);
  return (4.0 * weights + 6.0 * (adapters + attention)) * tokens;
}

StepParts step_time(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster,
                    const TrainingConstants& c, const StackConstants& stack) {
  StepModel::Sum sum(m, j, cluster, c, stack);
  sum.place();
  return sum.step(sum.micro_batch());
}

std::string split_problem(const ModelDimensions& m, const JobSplit& j, double gpus) {
  const auto divides = [](double part, double whole) { return std::fmod(whole, part) == 0.0; };
  if (j.gpus() != gpus)
    return fmt::format("tp x cp x pp x dp = {:.0f} x {:.0f} x {:.0f} x {:.0f} = {:.0f}, but n_gpus is {:.0f}", j.tp,
                       j.cp, j.pp, j.dp, j.gpus(), gpus);
  if (m.heads > 0 && !divides(j.tp, m.heads))
    return fmt::format("tp = {:.0f} does not divide {:.0f} heads; nearest {}", j.tp, m.heads,
                       nearest_divisors(m.heads, j.tp));
  if (m.heads > 0 && m.kv_heads > 0 && !divides(m.kv_heads, m.heads))
    return fmt::format("{:.0f} key-value heads do not divide {:.0f} heads; nearest {}", m.kv_heads, m.heads,
                       nearest_divisors(m.heads, m.kv_heads));
  if (m.experts > 0 && m.experts_per_token > m.experts)
    return fmt::format("topk = {:.0f} is more than {:.0f} experts; at most {:.0f}", m.experts_per_token, m.experts, m.experts);
  if (!divides(j.cp, j.sequence))
    return fmt::format("cp = {:.0f} does not divide a sequence of {:.0f} tokens; nearest {}", j.cp, j.sequence,
                       nearest_divisors(j.sequence, j.cp));
  if (j.pp > m.layers)
    return fmt::format("pp = {:.0f} is more than {:.0f} layers; at most {:.0f}", j.pp, m.layers, m.layers);
  if (j.vpp > 1 && j.pp < 2) return fmt::format("vpp = {:.0f} needs pp of 2 or more; pp is 1", j.vpp);
  if (j.pp * j.vpp > m.layers + 2)
    return fmt::format("pp x vpp = {:.0f} chunks are more than {:.0f} layers; vpp at most {:.0f}", j.pp * j.vpp,
                       m.layers, std::max(1.0, std::floor(m.layers / j.pp)));
  if (j.vpp > 1 && !whole_chunks(m.layers, j.pp * j.vpp))
    return fmt::format("pp x vpp = {:.0f} x {:.0f} are no whole chunks of {:.0f} layers; vpp = 1 always runs", j.pp, j.vpp, m.layers);
  if (j.ep > 1 && m.experts <= 0) return fmt::format("ep = {:.0f}, but the model has no experts; use 1", j.ep);
  if (j.ep > 1 && !divides(j.ep, m.experts))
    return fmt::format("ep = {:.0f} does not divide {:.0f} experts; nearest {}", j.ep, m.experts,
                       nearest_divisors(m.experts, j.ep));
  if (j.ep > 1 && !divides(j.ep, j.tp * j.cp * j.dp))
    return fmt::format("ep = {:.0f} does not divide tp x cp x dp = {:.0f}; nearest {}", j.ep, j.tp * j.cp * j.dp,
                       nearest_divisors(j.tp * j.cp * j.dp, j.ep));
  if (j.micro_batches() < 1.0)
    return fmt::format("dp x micro_batch = {:.0f} sequences are more than the global batch of {:.0f}",
                       j.dp * j.micro_batch, j.global_batch);
  if (!divides(j.dp * j.micro_batch, j.global_batch))
    return fmt::format("dp x micro_batch = {:.0f} does not divide the global batch of {:.0f}; {:.0f} or {:.0f} would do",
                       j.dp * j.micro_batch, j.global_batch, std::floor(j.micro_batches()) * j.dp * j.micro_batch,
                       std::ceil(j.micro_batches()) * j.dp * j.micro_batch);
  return {};
}

} // namespace hallwright
