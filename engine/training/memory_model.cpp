// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/memory_model.h"

#include <algorithm>
#include <cmath>

#include "training/software_stack.h"

namespace hallwright {

double ModelDimensions::expert_layers() const {
  return experts > 0 ? std::max(0.0, std::floor((layers - first_dense_layers) / std::max(1.0, expert_layer_spacing)))
                     : 0.0;
}
double ModelDimensions::query_width() const {
  return latent ? heads * (nope_dimension + rope_dimension) : heads * head_dimension;
}
double ModelDimensions::value_width() const { return latent ? heads * v_dimension : heads * head_dimension; }
double ModelDimensions::attention_parameters() const {
  if (!latent) return hidden * head_dimension * (2.0 * heads + 2.0 * kv_heads);
  const double queries = q_rank > 0 ? hidden * q_rank + q_rank * query_width() : hidden * query_width();
  return queries + hidden * (kv_rank + rope_dimension) + kv_rank * heads * (nope_dimension + v_dimension) +
         value_width() * hidden;
}
double ModelDimensions::ffn_parameters() const { return hidden * ffn * (gated ? 3.0 : 2.0); }
double ModelDimensions::expert_parameters() const { return hidden * expert_ffn * (gated ? 3.0 : 2.0); }
double ModelDimensions::layer_parameters(bool with_experts, bool active_only) const {
  const double norms = 2.0 * hidden;
  if (!with_experts) return attention_parameters() + ffn_parameters() + norms;
  return attention_parameters() + norms + hidden * experts +
         expert_parameters() * (experts_shared + (active_only ? experts_per_token : experts));
}
double ModelDimensions::attended_keys(double sequence) const {
  const double seen = sequence / 2.0, inside = window > 0 ? std::min(seen, window) : seen;
  return seen * (1.0 - windowed_share) + inside * windowed_share;
}
double ModelDimensions::adapter_parameters(double rank, bool in_feed_forward, bool with_experts) const {
  double ends = value_width() + hidden; // of the output projection
  if (latent) {
    ends += q_rank > 0 ? hidden + 2.0 * q_rank + query_width() : hidden + query_width();
    ends += hidden + kv_rank + rope_dimension + kv_rank + heads * (nope_dimension + v_dimension);
  } else {
    ends += 3.0 * hidden + (heads + 2.0 * kv_heads) * head_dimension;
  }
  if (in_feed_forward) {
    const double inner = with_experts ? experts_shared * expert_ffn : ffn;
    if (inner > 0) ends += (gated ? 3.0 : 2.0) * (hidden + inner);
  }
  return rank * ends;
}
double ModelDimensions::parameters(bool active_only) const {
  const double with = expert_layers();
  return with * layer_parameters(true, active_only) + (layers - with) * layer_parameters(false, active_only) +
         hidden * vocabulary * (tied_embeddings ? 1.0 : 2.0) + hidden;
}

double stage_layers(double layers, double stages, double stage) {
  const double most = std::ceil(layers / stages - 1e-9);
  const double last = layers - most * (stages - 1.0);
  if (last >= 0.0) return stage + 1.0 < stages ? most : last;
  const double few = std::floor(layers / stages);
  return stage < layers - few * stages ? few + 1.0 : few;
}

double layer_activation_bytes(const ModelDimensions& m, const JobSplit& j, const StackConstants& stack, bool experts,
                              Recompute recompute) {
  const double tokens = j.micro_batch * j.sequence / j.cp, h = m.hidden;
  const double whole = j.sequence_parallel ? j.tp : 1.0;
  if (recompute == Recompute::full) return 2.0 * tokens * h / whole;
  if (recompute == Recompute::selective && stack.recomputes_products && !experts) {
    // The input, and what is kept of products 1, 3, 5 and 7 of a layer and of attention: queries, values, scores' sum,
    // half of the inner values, the output.
    const double values = m.latent ? m.value_width() : m.kv_heads * m.head_dimension;
    return 2.0 * tokens * (2.0 * h / whole + (m.query_width() + values + m.value_width() + m.ffn) / j.tp);
  }
  // Selective on fused attention: what is cheap to make again is not kept. The activation function's inputs stay, of
  // latent attention the latents, of dispatched tokens their inputs (DeepSeek-V3 2024, 3.2.3).
  const bool again = recompute == Recompute::selective && !stack.stores_scores();
  // A product of 8 bits keeps its input in 8 bits.
  const double input = j.recipe >= PrecisionRecipe::fp8 ? 1.0 : 2.0;
  double replicated = 4.0 * h + 2.0 * input * h + 2.0 * h * m.dropout;
  double split = 2.0 * m.query_width() + 2.0 * (m.latent ? m.query_width() : m.kv_heads * m.head_dimension) +
                 2.0 * (m.latent ? m.value_width() : m.kv_heads * m.head_dimension) + input * m.value_width();
  if (again && m.latent) {
    replicated += 2.0 * (m.q_rank > 0 ? m.q_rank : m.query_width() / j.tp) + 2.0 * (m.kv_rank + m.rope_dimension);
    split = input * m.value_width();
  }
  const double inner = (m.gated ? 4.0 : 2.0) + (again ? 0.0 : input);
  // Inputs of an expert's activation function are kept in the format of its products (DeepSeek-V3 2024, 3.3.3).
  const double expert_inner = again ? (m.gated ? 2.0 : 1.0) * input : inner;
  double routed = 0.0;
  if (!experts) {
    split += inner * m.ffn;
  } else {
    split += expert_inner * m.expert_ffn * m.experts_shared;
    // Dispatched tokens: their input, their inner values, their output before it is weighed. Expert parallelism does
    // not divide them.
    routed = m.experts_per_token * ((again ? input : input + 2.0) * h + expert_inner * m.expert_ffn) * j.hot_expert;
  }
  double bytes = tokens * (replicated / whole + split / j.tp + routed / j.tp);
  if (stack.stores_scores() && recompute == Recompute::none)
    bytes += j.micro_batch * 5.0 * m.heads * j.sequence * j.sequence / (j.tp * j.cp);
  return bytes;
}

RankParameters rank_parameters(const ModelDimensions& m, const JobSplit& j, double stage) {
  RankParameters out;
  const double layers = stage_layers(m.layers, j.pp, stage);
  double with = m.expert_layers() * layers / m.layers;
  if (m.first_dense_layers > 0 && m.experts > 0 && j.pp > 1)
    with = stage < 1 ? std::max(0.0, layers - m.first_dense_layers) : layers;
  out.dense = (layers - with) * (m.attention_parameters() + m.ffn_parameters()) / j.tp + 2.0 * layers * m.hidden;
  out.dense += with * (m.attention_parameters() + m.experts_shared * m.expert_parameters()) / j.tp;
  out.dense += with * m.hidden * m.experts;
  out.experts = with * m.experts * m.expert_parameters() / j.ep;
  // With one stage per tensor group, experts also lie over the tensor ranks: ep counts tensor and data ranks together.
  if (j.ep < 1.5) out.experts /= j.tp;
  const double embedding = m.vocabulary * m.hidden / j.tp;
  const double matrices =
      j.pp < 1.5 ? (m.tied_embeddings ? 1.0 : 2.0) : (stage < 0.5 || stage + 1.5 > j.pp ? 1.0 : 0.0);
  out.dense += matrices * embedding;
  return out;
}

double rank_adapter_parameters(const ModelDimensions& m, const JobSplit& j, double stage) {
  if (!j.trains_adapters()) return 0.0;
  const double layers = stage_layers(m.layers, j.pp, stage), with = m.expert_layers() * layers / m.layers;
  return ((layers - with) * m.adapter_parameters(j.adapter_rank, j.adapters_in_feed_forward, false) +
          with * m.adapter_parameters(j.adapter_rank, j.adapters_in_feed_forward, true)) /
         j.tp;
}

RankMemory rank_memory(const ModelDimensions& m, const JobSplit& j, const TrainingConstants& c,
                       const StackConstants& stack, double stage) {
  RankMemory out;
  RankParameters p = rank_parameters(m, j, stage);
  // A bidirectional schedule keeps two stages on each rank, one from each end (DeepSeek-V3 2024, table 2).
  const double stages = j.schedule == PipelineSchedule::bidirectional && j.pp > 1.5 ? 2.0 : 1.0;
  p.dense *= stages;
  p.experts *= stages;
  const double ranks = j.shard_ranks > 0 ? j.shard_ranks : j.dp * j.cp;
  const double expert_ranks = std::max(1.0, j.dp * j.cp * j.tp / std::max(1.0, j.ep < 1.5 ? j.tp : j.ep));
  if (j.trains_adapters()) {
    // Weights that stay are kept once, in their own format; embeddings are not turned to 4 bits.
    const double embedding = stages * m.vocabulary * m.hidden / j.tp *
                             (j.pp < 1.5                          ? (m.tied_embeddings ? 1.0 : 2.0)
                              : stage < 0.5 || stage + 1.5 > j.pp ? 1.0
                                                                  : 0.0);
    const double stay = std::max(0.0, p.dense - embedding) + p.experts;
    const double shards = j.sharding == Sharding::parameters ? ranks : 1.0;
    out.weights = (j.frozen_bytes * stay + 2.0 * embedding) / shards;
    p = {.dense = stages * rank_adapter_parameters(m, j, stage), .experts = 0.0};
  }
  const double all = p.dense + p.experts;
  const double sharded = p.dense / ranks + p.experts / expert_ranks;
  const double layers = stage_layers(m.layers, j.pp, stage), with = m.expert_layers() * layers / m.layers;
  // PyTorch shards the 32-bit master alone; weights of 16 bits are there while a layer is gathered.
  if (j.sharding != Sharding::parameters)
    out.weights += 2.0 * all;
  else if (!stack.shards_master)
    out.weights += 2.0 * sharded;
  // FP8 keeps a copy of the weights in its own format, and Blackwell's scales of it in both directions.
  if (j.recipe >= PrecisionRecipe::fp8 && j.sharding != Sharding::parameters) out.weights += 1.0 * all;
  out.gradients = j.gradient_bytes * (j.sharding >= Sharding::gradients ? sharded : all);
  out.optimizer = (c.optimizer_state_bytes - j.state_bytes_less) * (j.sharding == Sharding::none ? all : sharded);
  if (j.offloads_optimizer) {
    const double kept = std::min(out.optimizer, out.optimizer * layers_beside_host / std::max(1.0, layers));
    out.host += out.optimizer - kept;
    out.optimizer = kept;
  }
  const double held = held_micro_batches(j.pp > 1.5 ? j.schedule : PipelineSchedule::one_f_one_b,
                                         static_cast<int>(j.pp), static_cast<int>(j.vpp), static_cast<int>(stage),
                                         std::max(1.0, j.micro_batches()));
  const double dense_bytes = layer_activation_bytes(m, j, stack, false, j.recompute);
  const double expert_bytes = with > 0 ? layer_activation_bytes(m, j, stack, true, j.recompute) : 0.0;
  out.activations = held * ((layers - with) * dense_bytes + with * expert_bytes);
  if (j.offloads_activations) {
    const double kept = std::min(out.activations, layers_beside_host * std::max(dense_bytes, expert_bytes));
    out.host += out.activations - kept;
    out.activations = kept;
  }
  if (j.pp > 1.5) out.activations += stack.boundary_copies * held * 2.0 * j.micro_batch * j.sequence / j.cp * m.hidden;
  if (j.recompute == Recompute::full) out.activations += layer_activation_bytes(m, j, stack, with > 0, Recompute::none);
  const double tokens = j.micro_batch * j.sequence / j.cp;
  // Logits in 16 bits, their float copy, the gradient in place of it.
  if (stage + 1.5 > j.pp) out.logits = tokens * m.vocabulary / j.tp * 6.0;
  if (j.sharding == Sharding::parameters && ranks > 1.5)
    out.buffers = 2.0 * 2.0 * m.layer_parameters(with > 0, false) / (j.tp * std::max(1.0, with > 0 ? j.ep : 1.0));
  out.slack = c.memory_context_gib * 1073741824.0 + c.memory_slack * out.total();
  return out;
}

RankMemory heaviest_rank_memory(const ModelDimensions& m, const JobSplit& j, const TrainingConstants& c,
                                const StackConstants& stack, double* stage) {
  const RankMemory first = rank_memory(m, j, c, stack, 0.0);
  if (stage) *stage = 0.0;
  if (j.pp < 1.5) return first;
  const RankMemory last = rank_memory(m, j, c, stack, j.pp - 1.0);
  if (last.total() <= first.total()) return first;
  if (stage) *stage = j.pp - 1.0;
  return last;
}

} // namespace hallwright
