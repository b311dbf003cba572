// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_formulas.h"
#include "training/training.h"

#include <fmt/format.h>

#include "training/formulas.h"

namespace hallwright {
namespace {

tl::unexpected<std::string> missing(const ModelPart& model, std::string_view what) {
  return tl::make_unexpected(fmt::format("{}: {} is not in the catalog", model.name, what));
}

} // namespace

tl::expected<ModelParameters, std::string> model_parameters(const ModelPart& m) {
  if (!m.layers) return missing(m, "the number of layers");
  if (!m.hidden) return missing(m, "the hidden size");
  if (!m.attention_heads) return missing(m, "the number of attention heads");
  if (!m.ffn_gated) return missing(m, "whether its feed-forward part is gated");
  if (!m.vocabulary) return missing(m, "the vocabulary");
  const Count layers = *m.layers, hidden = *m.hidden, heads = *m.attention_heads;

  Result<Count> attention;
  if (m.attention == "MLA") {
    if (!m.kv_lora_rank || !m.qk_nope_head_dimension || !m.qk_rope_head_dimension || !m.v_head_dimension)
      return missing(m, "a dimension of its latent attention");
    attention = latent_attention_parameters_per_layer.function(hidden, heads, m.q_lora_rank.value_or(0), *m.kv_lora_rank,
                                                               *m.qk_nope_head_dimension, *m.qk_rope_head_dimension,
                                                               *m.v_head_dimension);
  } else {
    const Result<Count> head = m.head_dimension ? Result<Count>(*m.head_dimension)
                                                : head_dimension_from_hidden_size.function(hidden, heads);
    if (!head) return tl::make_unexpected(fmt::format("{}: {}", m.name, head.error().reason));
    attention = attention_parameters_per_layer.function(hidden, heads, m.kv_heads.value_or(heads), *head);
  }
  if (!attention) return tl::make_unexpected(fmt::format("{}: {}", m.name, attention.error().reason));

  const bool experts = m.experts_routed.value_or(0) > 0;
  const Count matrices = *m.ffn_gated ? 3 : 2;
  const Count first_dense = m.first_dense_layers.value_or(0), every = m.moe_every_n_layers.value_or(1);
  Count expert_layers = 0;
  Count expert = 0, expert_active = 0;
  if (experts) {
    if (!m.moe_ffn_hidden) return missing(m, "the size of an expert");
    if (!m.experts_per_token) return missing(m, "the number of experts per token");
    const auto count = expert_layer_count.function(layers, first_dense, every);
    const auto all = expert_parameters_per_layer.function(hidden, *m.moe_ffn_hidden, matrices, *m.experts_routed,
                                                          m.experts_shared.value_or(0));
    const auto active = active_expert_parameters_per_layer.function(hidden, *m.moe_ffn_hidden, matrices, *m.experts_per_token,
                                                                    m.experts_shared.value_or(0), *m.experts_routed);
    for (const auto* r : {&count, &all, &active})
      if (!*r) return tl::make_unexpected(fmt::format("{}: {}", m.name, r->error().reason));
    expert_layers = *count;
    expert = *all;
    expert_active = *active;
  }
  Count feed_forward = 0;
  if (expert_layers < layers) {
    if (!m.ffn_hidden) return missing(m, "the feed-forward size");
    const auto r = feed_forward_parameters_per_layer.function(hidden, *m.ffn_hidden, matrices);
    if (!r) return tl::make_unexpected(fmt::format("{}: {}", m.name, r.error().reason));
    feed_forward = *r;
  }
  const auto norms = norm_parameters_per_layer.function(hidden);
  const auto embedding = embedding_parameters.function(*m.vocabulary, hidden, m.tied_embeddings.value_or(0));
  for (const auto* r : {&norms, &embedding})
    if (!*r) return tl::make_unexpected(fmt::format("{}: {}", m.name, r->error().reason));
  const auto total = mixed_model_parameters.function(layers, expert_layers, *attention, feed_forward, expert, *norms, *embedding, hidden);
  const auto active =
      mixed_model_parameters.function(layers, expert_layers, *attention, feed_forward, expert_active, *norms, *embedding, hidden);
  for (const auto* r : {&total, &active})
    if (!*r) return tl::make_unexpected(fmt::format("{}: {}", m.name, r->error().reason));

  ModelParameters out;
  out.total = static_cast<double>(*total);
  out.active = static_cast<double>(*active);
  out.embedding = static_cast<double>(*embedding);
  out.per_dense_layer = static_cast<double>(*attention + feed_forward + *norms);
  if (experts) {
    out.per_expert_layer = static_cast<double>(*attention + expert + *norms);
    out.per_expert_layer_active = static_cast<double>(*attention + expert_active + *norms);
  }
  return out;
}

} // namespace hallwright
