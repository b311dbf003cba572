// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_formulas.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {
namespace {

/// Layers with experts among the first `layers`.
Count expert_layers_up_to(Count layers, Count first_dense_layers, Count every) {
  if (layers <= first_dense_layers) return 0;
  return layers / every - first_dense_layers / every;
}

} // namespace

constinit const Formula<Count, Count, Count> head_dimension_from_hidden_size{
    .name = "head_dimension_from_hidden_size",
    .text = "hidden_size / attention_heads",
    .source = "usual transformer shape",
    .parameters = {"hidden_size", "attention_heads"},
    .function = [](Count hidden_size, Count attention_heads) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), at_least("attention_heads",
              attention_heads, 1)})) return *wrong;
      if (hidden_size % attention_heads != 0)
        return not_applicable(
            fmt::format("attention_heads = {} does not divide hidden_size = {}", attention_heads, hidden_size));
      return hidden_size / attention_heads;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count, Count, Count, Count> latent_attention_parameters_per_layer{
    .name = "latent_attention_parameters_per_layer",
    .text = "hidden_size * query_rank + query_rank * attention_heads * (head_dimension + "
            "rotary_dimension) + hidden_size * (latent_dimension + rotary_dimension) + latent_dimension * "
            "attention_heads * (head_dimension + value_dimension) + attention_heads * value_dimension * "
            "hidden_size",
    .source = "DeepSeek-V2 2024, section 2.1",
    .parameters = {"hidden_size", "attention_heads", "query_rank", "latent_dimension", "head_dimension",
            "rotary_dimension", "value_dimension"},
    .function = [](Count hidden_size, Count attention_heads, Count query_rank, Count latent_dimension, Count
                       head_dimension, Count rotary_dimension, Count value_dimension) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("attention_heads",
              attention_heads), not_negative("query_rank", query_rank), not_negative("latent_dimension",
              latent_dimension), not_negative("head_dimension", head_dimension), not_negative("rotary_dimension",
              rotary_dimension), not_negative("value_dimension", value_dimension)})) return *wrong;
      const double h = hidden_size, a = attention_heads, width = 1.0 * head_dimension + rotary_dimension;
      const double queries = query_rank > 0 ? h * query_rank + query_rank * a * width : h * a * width;
      return counted_whole(queries + h * (1.0 * latent_dimension + rotary_dimension) +
                           latent_dimension * a * (1.0 * head_dimension + value_dimension) + a * value_dimension * h);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> expert_layer_count{
    .name = "expert_layer_count",
    .text = "number of layers i in first_dense_layers + 1 .. layers with i mod every = 0",
    .source = "DeepSeek-V3 2024; Llama 4",
    .parameters = {"layers", "first_dense_layers", "every"},
    .function = [](Count layers, Count first_dense_layers, Count every) -> Result<Count> {
      if (auto wrong = violated({not_negative("layers", layers), not_negative("first_dense_layers",
              first_dense_layers), at_least("every", every, 1)})) return *wrong;
      return expert_layers_up_to(layers, first_dense_layers, every);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count, Count, Count, Count, Count> mixed_model_parameters{
    .name = "mixed_model_parameters",
    .text = "layers * (attention_parameters + norm_parameters) + (layers - expert_layers) * "
            "feed_forward_parameters + expert_layers * expert_parameters + embedding_weights + "
            "hidden_size",
    .source = "transformer arithmetic, Narayanan et al. 2021 (appendix)",
    .parameters = {"layers", "expert_layers", "attention_parameters", "feed_forward_parameters",
            "expert_parameters", "norm_parameters", "embedding_weights", "hidden_size"},
    .function = [](Count layers, Count expert_layers, Count attention_parameters, Count feed_forward_parameters,
                       Count expert_parameters, Count norm_parameters, Count embedding_weights, Count hidden_size) -> Result<Count> {
      if (auto wrong = violated({not_negative("layers", layers), not_negative("expert_layers", expert_layers),
              not_negative("attention_parameters", attention_parameters), not_negative("feed_forward_parameters",
              feed_forward_parameters), not_negative("expert_parameters", expert_parameters),
              not_negative("norm_parameters", norm_parameters), not_negative("embedding_weights", embedding_weights),
              not_negative("hidden_size", hidden_size)})) return *wrong;
      if (expert_layers > layers) return not_applicable("expert_layers must be at most layers");
      return counted_whole(1.0 * layers * (1.0 * attention_parameters + norm_parameters) +
                           (1.0 * layers - expert_layers) * feed_forward_parameters + 1.0 * expert_layers * expert_parameters +
                           1.0 * embedding_weights + hidden_size);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, double> published_parameters{
    .name = "published_parameters",
    .text = "billions * 1e9",
    .source = "model cards",
    .parameters = {"billions"},
    .function = [](double billions) -> Result<Count> {
      if (auto wrong = violated({not_negative("billions", billions)})) return *wrong;
      return counted_whole(std::round(billions * 1e9));
    },
    .estimate = true,
};

constinit const Formula<Count, Count, Count> padded_vocabulary_size{
    .name = "padded_vocabulary_size",
    .text = "128 * tensor_parallel * ceil(vocabulary_size / (128 * tensor_parallel))",
    .source = "Megatron-LM, make-vocab-size-divisible-by 128",
    .parameters = {"vocabulary_size", "tensor_parallel"},
    .function = [](Count vocabulary_size, Count tensor_parallel) -> Result<Count> {
      if (auto wrong = violated({not_negative("vocabulary_size", vocabulary_size), at_least("tensor_parallel",
              tensor_parallel, 1)})) return *wrong;
      const double unit = 128.0 * tensor_parallel;
      return counted_whole(unit * whole_at_least(vocabulary_size / unit));
    },
};

constinit const Formula<Count, Count> feed_forward_matrices{
    .name = "feed_forward_matrices",
    .text = "2 + gated",
    .source = "transformer arithmetic",
    .parameters = {"gated"},
    .function = [](Count gated) -> Result<Count> {
      if (auto wrong = violated({between("gated", gated, 0, 1)})) return *wrong;
      return 2 + gated;
    },
};

constinit const Formula<Count, Count, Count> attention_width{
    .name = "attention_width",
    .text = "heads * head_dimension",
    .source = "transformer arithmetic",
    .parameters = {"heads", "head_dimension"},
    .function = [](Count heads, Count head_dimension) -> Result<Count> {
      if (auto wrong = violated({not_negative("heads", heads), not_negative("head_dimension", head_dimension)})) return *wrong;
      return counted_whole(1.0 * heads * head_dimension);
    },
};

constinit const Formula<Count, Count, Count, Count, Count> latent_attention_width{
    .name = "latent_attention_width",
    .text = "ceil(attention_heads * (head_dimension + rotary_dimension + value_dimension) / 2)",
    .source = "DeepSeek-V2 2024, section 2.1",
    .parameters = {"attention_heads", "head_dimension", "rotary_dimension", "value_dimension"},
    .function = [](Count attention_heads, Count head_dimension, Count rotary_dimension, Count value_dimension) -> Result<Count> {
      if (auto wrong = violated({not_negative("attention_heads", attention_heads), not_negative("head_dimension", head_dimension),
                                 not_negative("rotary_dimension", rotary_dimension),
                                 not_negative("value_dimension", value_dimension)}))
        return *wrong;
      return counted_whole(whole_at_least(0.5 * attention_heads * (1.0 * head_dimension + rotary_dimension + value_dimension)));
    },
};

constinit const Formula<Count, Count, Count, Count, Count> expert_weights_per_layer{
    .name = "expert_weights_per_layer",
    .text = "matrices * hidden_size * expert_size * experts",
    .source = "mixture-of-experts arithmetic",
    .parameters = {"hidden_size", "expert_size", "matrices", "experts"},
    .function = [](Count hidden_size, Count expert_size, Count matrices, Count experts) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("expert_size", expert_size),
                                 between("matrices", matrices, 2, 3), not_negative("experts", experts)}))
        return *wrong;
      return counted_whole(1.0 * matrices * hidden_size * expert_size * experts);
    },
};

constinit const Formula<Count, Count, Count> router_parameters_per_layer{
    .name = "router_parameters_per_layer",
    .text = "hidden_size * experts",
    .source = "mixture-of-experts arithmetic",
    .parameters = {"hidden_size", "experts"},
    .function = [](Count hidden_size, Count experts) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("experts", experts)})) return *wrong;
      return counted_whole(1.0 * hidden_size * experts);
    },
};

constinit const Formula<Count, Count, Count, Count> embedding_matrices_of_stage{
    .name = "embedding_matrices_of_stage",
    .text = "(1 on the first stage) + (1 on the last stage, but not when tied on one stage)",
    .source = "Megatron-LM",
    .parameters = {"pipeline_stages", "stage", "tied"},
    .function = [](Count pipeline_stages, Count stage, Count tied) -> Result<Count> {
      if (auto wrong = violated({at_least("pipeline_stages", pipeline_stages, 1),
                                 between("stage", stage, 1, static_cast<double>(pipeline_stages)), between("tied", tied, 0, 1)}))
        return *wrong;
      const bool output_matrix = stage == pipeline_stages && (pipeline_stages > 1 || tied == 0);
      return Count{stage == 1} + Count{output_matrix};
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> layers_of_stage{
    .name = "layers_of_stage",
    .text = "floor(layers / pipeline_stages) + (1 where stage <= layers mod pipeline_stages)",
    .source = "whole layers, shared out from the front",
    .parameters = {"layers", "pipeline_stages", "stage"},
    .function = [](Count layers, Count pipeline_stages, Count stage) -> Result<Count> {
      if (auto wrong = violated({not_negative("layers", layers), at_least("pipeline_stages", pipeline_stages, 1),
              between("stage", stage, 1, static_cast<double>(pipeline_stages))})) return *wrong;
      return layers / pipeline_stages + (stage <= layers % pipeline_stages ? 1 : 0);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count, Count> expert_layers_of_stage{
    .name = "expert_layers_of_stage",
    .text = "number of expert layers among the layers of the stage",
    .source = "whole layers, shared out from the front",
    .parameters = {"layers", "first_dense_layers", "every", "pipeline_stages", "stage"},
    .function = [](Count layers, Count first_dense_layers, Count every, Count pipeline_stages, Count stage) ->
                       Result<Count> {
      if (auto wrong = violated({not_negative("layers", layers), not_negative("first_dense_layers",
              first_dense_layers), at_least("every", every, 1), at_least("pipeline_stages", pipeline_stages, 1),
              between("stage", stage, 1, static_cast<double>(pipeline_stages))})) return *wrong;
      const Count whole = layers / pipeline_stages, more = layers % pipeline_stages;
      const auto end = [&](Count s) { return s * whole + std::min(s, more); };
      return expert_layers_up_to(end(stage), first_dense_layers, every) -
             expert_layers_up_to(end(stage - 1), first_dense_layers, every);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> micro_batches_in_flight{
    .name = "micro_batches_in_flight",
    .text = "min(micro_batches, pipeline_stages - stage + 1)",
    .source = "Narayanan et al. 2019 (PipeDream)",
    .parameters = {"pipeline_stages", "stage", "micro_batches"},
    .function = [](Count pipeline_stages, Count stage, Count micro_batches) -> Result<Count> {
      if (auto wrong = violated({at_least("pipeline_stages", pipeline_stages, 1), between("stage", stage, 1,
              static_cast<double>(pipeline_stages)), not_negative("micro_batches", micro_batches)})) return *wrong;
      return std::min(micro_batches, pipeline_stages - stage + 1);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, Count> interleaving_activation_factor{
    .name = "interleaving_activation_factor",
    .text = "1 + (pipeline_stages - 1) / (pipeline_stages * virtual_stages_per_gpu); 1 without interleaving",
    .source = "Korthikanti et al. 2022",
    .parameters = {"pipeline_stages", "virtual_stages_per_gpu"},
    .function = [](Count pipeline_stages, Count virtual_stages_per_gpu) -> Result<double> {
      if (auto wrong = violated({at_least("pipeline_stages", pipeline_stages, 1),
              at_least("virtual_stages_per_gpu", virtual_stages_per_gpu, 1)})) return *wrong;
      if (virtual_stages_per_gpu == 1) return 1.0;
      return 1.0 + (pipeline_stages - 1.0) / (1.0 * pipeline_stages * virtual_stages_per_gpu);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count, Count, Count, Count, Count, Count, Count, Count>
        stage_dense_parameters_per_gpu{
    .name = "stage_dense_parameters_per_gpu",
    .text = "ceil((stage_layers * attention_parameters + (stage_layers - stage_expert_layers) * "
            "feed_forward_parameters + stage_expert_layers * shared_expert_parameters + "
            "embedding_matrices * padded_vocabulary * hidden_size) / tensor_parallel) + stage_layers * "
            "norm_parameters + stage_expert_layers * router_parameters",
    .source = "Shoeybi et al. 2019 (Megatron-LM)",
    .parameters = {"stage_layers", "stage_expert_layers", "attention_parameters", "feed_forward_parameters",
            "shared_expert_parameters", "router_parameters", "norm_parameters", "embedding_matrices",
            "padded_vocabulary", "hidden_size", "tensor_parallel"},
    .function = [](Count stage_layers, Count stage_expert_layers, Count attention_parameters, Count
                       feed_forward_parameters, Count shared_expert_parameters, Count router_parameters, Count norm_parameters, Count
                       embedding_matrices, Count padded_vocabulary, Count hidden_size, Count tensor_parallel) -> Result<Count> {
      if (auto wrong = violated({not_negative("stage_layers", stage_layers), not_negative("stage_expert_layers",
              stage_expert_layers), not_negative("attention_parameters", attention_parameters),
              not_negative("feed_forward_parameters", feed_forward_parameters), not_negative("shared_expert_parameters",
              shared_expert_parameters), not_negative("router_parameters", router_parameters),
              not_negative("norm_parameters", norm_parameters), not_negative("embedding_matrices", embedding_matrices),
              not_negative("padded_vocabulary", padded_vocabulary), not_negative("hidden_size", hidden_size),
              at_least("tensor_parallel", tensor_parallel, 1)})) return *wrong;
      if (stage_expert_layers > stage_layers) return not_applicable("stage_expert_layers must be at most stage_layers");
      const double split = 1.0 * stage_layers * attention_parameters +
                           (1.0 * stage_layers - stage_expert_layers) * feed_forward_parameters +
                           1.0 * stage_expert_layers * shared_expert_parameters +
                           1.0 * embedding_matrices * padded_vocabulary * hidden_size;
      return counted_whole(whole_at_least(split / tensor_parallel) + 1.0 * stage_layers * norm_parameters +
                           1.0 * stage_expert_layers * router_parameters);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count> stage_expert_parameters_per_gpu{
    .name = "stage_expert_parameters_per_gpu",
    .text = "ceil(stage_expert_layers * routed_expert_parameters / (expert_parallel * tensor_parallel))",
    .source = "Megatron-LM expert parallelism",
    .parameters = {"stage_expert_layers", "routed_expert_parameters", "expert_parallel", "tensor_parallel"},
    .function = [](Count stage_expert_layers, Count routed_expert_parameters, Count expert_parallel, Count
                       tensor_parallel) -> Result<Count> {
      if (auto wrong = violated({not_negative("stage_expert_layers", stage_expert_layers),
              not_negative("routed_expert_parameters", routed_expert_parameters), at_least("expert_parallel",
              expert_parallel, 1), at_least("tensor_parallel", tensor_parallel, 1)})) return *wrong;
      return counted_whole(whole_at_least(1.0 * stage_expert_layers * routed_expert_parameters / (1.0 *
              expert_parallel * tensor_parallel)));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count> expert_sharding_ranks{
    .name = "expert_sharding_ranks",
    .text = "max(1, floor(data_parallel * context_parallel / expert_parallel))",
    .source = "Megatron-LM expert data parallelism",
    .parameters = {"data_parallel", "context_parallel", "expert_parallel"},
    .function = [](Count data_parallel, Count context_parallel, Count expert_parallel) -> Result<Count> {
      if (auto wrong = violated({at_least("data_parallel", data_parallel, 1), at_least("context_parallel",
              context_parallel, 1), at_least("expert_parallel", expert_parallel, 1)})) return *wrong;
      return counted_whole(std::max(1.0, whole_at_most(1.0 * data_parallel * context_parallel / expert_parallel)));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> dense_sharding_ranks{
    .name = "dense_sharding_ranks",
    .text = "data_parallel * context_parallel",
    .source = "Megatron-LM distributed optimizer",
    .parameters = {"data_parallel", "context_parallel"},
    .function = [](Count data_parallel, Count context_parallel) -> Result<Count> {
      if (auto wrong = violated({at_least("data_parallel", data_parallel, 1), at_least("context_parallel",
              context_parallel, 1)})) return *wrong;
      return counted_whole(1.0 * data_parallel * context_parallel);
    },
};

constinit const Formula<Bytes, Count, Count, Bytes> replicated_state_bytes{
    .name = "replicated_state_bytes",
    .text = "(dense_parameters + expert_parameters) * bytes_per_parameter",
    .source = "Rajbhandari et al. 2020 (ZeRO)",
    .parameters = {"dense_parameters", "expert_parameters", "bytes_per_parameter"},
    .function = [](Count dense_parameters, Count expert_parameters, Bytes bytes_per_parameter) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("dense_parameters", dense_parameters),
              not_negative("expert_parameters", expert_parameters), not_negative("bytes_per_parameter",
              bytes_per_parameter)})) return *wrong;
      return (1.0 * dense_parameters + expert_parameters) * bytes_per_parameter;
    },
};

constinit const Formula<Bytes, Count, Count, Bytes, Count, Count> sharded_state_bytes{
    .name = "sharded_state_bytes",
    .text = "(dense_parameters / dense_ranks + expert_parameters / expert_ranks) * bytes_per_parameter",
    .source = "Rajbhandari et al. 2020 (ZeRO)",
    .parameters = {"dense_parameters", "expert_parameters", "bytes_per_parameter", "dense_ranks", "expert_ranks"},
    .function = [](Count dense_parameters, Count expert_parameters, Bytes bytes_per_parameter, Count dense_ranks,
                       Count expert_ranks) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("dense_parameters", dense_parameters),
              not_negative("expert_parameters", expert_parameters), not_negative("bytes_per_parameter",
              bytes_per_parameter), at_least("dense_ranks", dense_ranks, 1), at_least("expert_ranks", expert_ranks, 1)}))
              return *wrong;
      return (1.0 * dense_parameters / dense_ranks + 1.0 * expert_parameters / expert_ranks) * bytes_per_parameter;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Count, Bytes, Count, Count, Count> gathered_weight_bytes{
    .name = "gathered_weight_bytes",
    .text = "(dense_parameters / dense_ranks + expert_parameters / expert_ranks + min(2, stage_layers) / "
            "stage_layers * (dense_parameters + expert_parameters)) * bytes_per_parameter",
    .source = "Rajbhandari et al. 2020 (ZeRO); prefetch of one layer",
    .parameters = {"dense_parameters", "expert_parameters", "bytes_per_parameter", "dense_ranks",
            "expert_ranks", "stage_layers"},
    .function = [](Count dense_parameters, Count expert_parameters, Bytes bytes_per_parameter, Count dense_ranks,
                       Count expert_ranks, Count stage_layers) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("dense_parameters", dense_parameters),
              not_negative("expert_parameters", expert_parameters), not_negative("bytes_per_parameter",
              bytes_per_parameter), at_least("dense_ranks", dense_ranks, 1), at_least("expert_ranks", expert_ranks, 1),
              not_negative("stage_layers", stage_layers)})) return *wrong;
      const double window = stage_layers > 0 ? std::min(2.0, 1.0 * stage_layers) / stage_layers : 1.0;
      const double whole = 1.0 * dense_parameters + expert_parameters;
      const double shard = 1.0 * dense_parameters / dense_ranks + 1.0 * expert_parameters / expert_ranks;
      // With one rank the shard is everything: nothing is gathered.
      return std::min(whole, shard + window * whole) * bytes_per_parameter;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Count, Count, Count, Count> dense_layer_activation_bytes_per_token{
    .name = "dense_layer_activation_bytes_per_token",
    .text = "1 B * ((8, or 10 with dropout where matrices = 2) * hidden_size + 4 * attention_width + 4 * kv_width + "
            "4 * feed_forward_size)",
    .source = "Korthikanti et al. 2022",
    .parameters = {"hidden_size", "attention_width", "kv_width", "feed_forward_size", "matrices"},
    .function = [](Count hidden_size, Count attention_width, Count kv_width, Count feed_forward_size, Count
                       matrices) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("attention_width",
              attention_width), not_negative("kv_width", kv_width), not_negative("feed_forward_size", feed_forward_size),
              between("matrices", matrices, 2, 3)})) return *wrong;
      const double of_hidden = matrices == 2 ? 10.0 : 8.0;
      return bytes(of_hidden * hidden_size + 4.0 * attention_width + 4.0 * kv_width + 4.0 * feed_forward_size);
    },
    .estimate = true,
};

constinit const Formula<Bytes, Count, Count, Count, Count, Count, Count, Count> expert_layer_activation_bytes_per_token{
    .name = "expert_layer_activation_bytes_per_token",
    .text = "1 B * ((8, or 10 with dropout where matrices = 2) * hidden_size + 4 * attention_width + 4 * kv_width + "
            "2 * hidden_size * experts_per_token + 4 * expert_size * (experts_per_token + shared_experts))",
    .source = "Korthikanti et al. 2022, carried over to experts",
    .parameters = {"hidden_size", "attention_width", "kv_width", "expert_size", "experts_per_token",
            "shared_experts", "matrices"},
    .function = [](Count hidden_size, Count attention_width, Count kv_width, Count expert_size, Count
                       experts_per_token, Count shared_experts, Count matrices) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("attention_width",
              attention_width), not_negative("kv_width", kv_width), not_negative("expert_size", expert_size),
              not_negative("experts_per_token", experts_per_token), not_negative("shared_experts", shared_experts),
              between("matrices", matrices, 2, 3)})) return *wrong;
      const double of_hidden = matrices == 2 ? 10.0 : 8.0;
      return bytes(of_hidden * hidden_size + 4.0 * attention_width + 4.0 * kv_width + 2.0 * hidden_size * experts_per_token +
                   4.0 * expert_size * (1.0 * experts_per_token + shared_experts));
    },
    .estimate = true,
};

constinit const Formula<Bytes, Count, Count> score_bytes_per_token{
    .name = "score_bytes_per_token",
    .text = "5 B * attention_heads * sequence_length",
    .source = "Korthikanti et al. 2022",
    .parameters = {"attention_heads", "sequence_length"},
    .function = [](Count attention_heads, Count sequence_length) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("attention_heads", attention_heads), not_negative("sequence_length",
              sequence_length)})) return *wrong;
      return bytes(5.0 * attention_heads * sequence_length);
    },
    .estimate = true,
};

constinit const Formula<Bytes, Bytes, Bytes, Bytes, Count, Count, Count, Count, double, Count, Count>
        kept_activation_bytes{
    .name = "kept_activation_bytes",
    .text = "tokens * in_flight * interleaving_factor * ((stage_layers - stage_expert_layers) * "
            "dense_layer_bytes + stage_expert_layers * expert_layer_bytes + stage_layers * score_bytes) / "
            "(tensor_parallel * context_parallel)",
    .source = "Korthikanti et al. 2022",
    .parameters = {"dense_layer_bytes", "expert_layer_bytes", "score_bytes", "stage_layers",
            "stage_expert_layers", "tokens", "in_flight", "interleaving_factor", "tensor_parallel", "context_parallel"},
    .function = [](Bytes dense_layer_bytes, Bytes expert_layer_bytes, Bytes score_bytes, Count stage_layers, Count
                       stage_expert_layers, Count tokens, Count in_flight, double interleaving_factor, Count tensor_parallel, Count
                       context_parallel) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("dense_layer_bytes", dense_layer_bytes),
              not_negative("expert_layer_bytes", expert_layer_bytes), not_negative("score_bytes", score_bytes),
              not_negative("stage_layers", stage_layers), not_negative("stage_expert_layers", stage_expert_layers),
              not_negative("tokens", tokens), not_negative("in_flight", in_flight), not_negative("interleaving_factor",
              interleaving_factor), at_least("tensor_parallel", tensor_parallel, 1), at_least("context_parallel",
              context_parallel, 1)})) return *wrong;
      if (stage_expert_layers > stage_layers) return not_applicable("stage_expert_layers must be at most stage_layers");
      const Bytes token = (stage_layers - stage_expert_layers) * dense_layer_bytes + stage_expert_layers * expert_layer_bytes +
                          stage_layers * score_bytes;
      return 1.0 * tokens * in_flight * interleaving_factor / (1.0 * tensor_parallel * context_parallel) * token;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Bytes, Bytes, Count, Count, Count, Count, Count, double, Count, Count>
        recomputed_activation_bytes{
    .name = "recomputed_activation_bytes",
    .text = "tokens * (in_flight * interleaving_factor * stage_layers * 2 B * hidden_size + "
            "max(dense_layer_bytes, expert_layer_bytes of the layers present)) / (tensor_parallel * "
            "context_parallel)",
    .source = "Chen et al. 2016; Korthikanti et al. 2022",
    .parameters = {"dense_layer_bytes", "expert_layer_bytes", "hidden_size", "stage_layers",
            "stage_expert_layers", "tokens", "in_flight", "interleaving_factor", "tensor_parallel", "context_parallel"},
    .function = [](Bytes dense_layer_bytes, Bytes expert_layer_bytes, Count hidden_size, Count stage_layers, Count
                       stage_expert_layers, Count tokens, Count in_flight, double interleaving_factor, Count tensor_parallel, Count
                       context_parallel) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("dense_layer_bytes", dense_layer_bytes),
              not_negative("expert_layer_bytes", expert_layer_bytes), not_negative("hidden_size", hidden_size),
              not_negative("stage_layers", stage_layers), not_negative("stage_expert_layers", stage_expert_layers),
              not_negative("tokens", tokens), not_negative("in_flight", in_flight), not_negative("interleaving_factor",
              interleaving_factor), at_least("tensor_parallel", tensor_parallel, 1), at_least("context_parallel",
              context_parallel, 1)})) return *wrong;
      if (stage_expert_layers > stage_layers) return not_applicable("stage_expert_layers must be at most stage_layers");
      Bytes live{};
      if (stage_layers > stage_expert_layers) live = dense_layer_bytes;
      if (stage_expert_layers > 0) live = std::max(live, expert_layer_bytes);
      const Bytes inputs = 1.0 * in_flight * interleaving_factor * stage_layers * hidden_size * bytes(2);
      return 1.0 * tokens / (1.0 * tensor_parallel * context_parallel) * (inputs + live);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Count, Count, Count, Count, Count, Count> logit_bytes{
    .name = "logit_bytes",
    .text = "4 B * tokens * (padded_vocabulary + hidden_size) / (tensor_parallel * context_parallel) where stage = "
            "pipeline_stages, else 0 B",
    .source = "Korthikanti et al. 2022",
    .parameters = {"hidden_size", "padded_vocabulary", "tokens", "tensor_parallel", "context_parallel", "pipeline_stages", "stage"},
    .function = [](Count hidden_size, Count padded_vocabulary, Count tokens, Count tensor_parallel, Count context_parallel,
                   Count pipeline_stages, Count stage) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("padded_vocabulary", padded_vocabulary),
                                 not_negative("tokens", tokens), at_least("tensor_parallel", tensor_parallel, 1),
                                 at_least("context_parallel", context_parallel, 1), at_least("pipeline_stages", pipeline_stages, 1),
                                 between("stage", stage, 1, static_cast<double>(pipeline_stages))}))
        return *wrong;
      if (stage < pipeline_stages) return bytes(0);
      return bytes(4.0 * tokens * (1.0 * padded_vocabulary + hidden_size) / (1.0 * tensor_parallel * context_parallel));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Count, Frequency> step_time_at_token_rate{
    .name = "step_time_at_token_rate",
    .text = "tokens_in_step / token_rate",
    .source = "tokens over rate",
    .parameters = {"tokens_in_step", "token_rate"},
    .function = [](Count tokens_in_step, Frequency token_rate) -> Result<Time> {
      if (auto wrong = violated({not_negative("tokens_in_step", tokens_in_step), above_zero("token_rate",
              token_rate)})) return *wrong;
      return static_cast<double>(tokens_in_step) / token_rate;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Frequency, Count, Time> token_rate_at_step_time{
    .name = "token_rate_at_step_time",
    .text = "tokens_in_step / step_time",
    .source = "tokens over time",
    .parameters = {"tokens_in_step", "step_time"},
    .function = [](Count tokens_in_step, Time step_time) -> Result<Frequency> {
      if (auto wrong = violated({not_negative("tokens_in_step", tokens_in_step), above_zero("step_time", step_time)})) return *wrong;
      return static_cast<double>(tokens_in_step) / step_time;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, double> calibrated_step_time{
    .name = "calibrated_step_time",
    .text = "modelled_step_time * factor",
    .source = "ratio of times",
    .parameters = {"modelled_step_time", "factor"},
    .function = [](Time modelled_step_time, double factor) -> Result<Time> {
      if (auto wrong = violated({not_negative("modelled_step_time", modelled_step_time), above_zero("factor", factor)})) return *wrong;
      return modelled_step_time * factor;
    },
    .estimate = true,
};

constinit const Formula<double, Power, Power, double> clock_under_power_cap{
    .name = "clock_under_power_cap",
    .text = "min(1, ((power_cap - idle_share * power_limit) / (power_limit * (1 - idle_share))) ^ (1/3))",
    .source = "dynamic power of CMOS: capacitance x voltage^2 x frequency, voltage in step with frequency",
    .parameters = {"power_cap", "power_limit", "idle_share"},
    .function = [](Power power_cap, Power power_limit, double idle_share) -> Result<double> {
      if (auto wrong = violated({above_zero("power_limit", power_limit), share("idle_share", idle_share)})) return *wrong;
      const double idle = in_watts(power_limit) * idle_share, room = in_watts(power_limit) - idle;
      if (!(in_watts(power_cap) > idle) || !(room > 0.0))
        return not_applicable(fmt::format("the power cap must be above the {:.0f} W that the accelerator draws idle", idle));
      return std::min(1.0, std::cbrt((in_watts(power_cap) - idle) / room));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<Bytes, Bytes, Count> memory_of_one{
    .name = "memory_of_one",
    .text = "memory / count",
    .source = "ratio",
    .parameters = {"memory", "count"},
    .function = [](Bytes memory, Count count) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("memory", memory), above_zero("count", count)})) return *wrong;
      return memory / static_cast<double>(count);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::memory,
};

constinit const Formula<Time, Flop, Count, FlopRate> ideal_step_time{
    .name = "ideal_step_time",
    .text = "step_flops / (gpus * peak_flops_per_gpu)",
    .source = "operations over rate",
    .parameters = {"step_flops", "gpus", "peak_flops_per_gpu"},
    .function = [](Flop step_flops, Count gpus, FlopRate peak_flops_per_gpu) -> Result<Time> {
      if (auto wrong = violated({not_negative("step_flops", step_flops), at_least("gpus", gpus, 1),
                                 above_zero("peak_flops_per_gpu", peak_flops_per_gpu)}))
        return *wrong;
      return step_flops / (static_cast<double>(gpus) * peak_flops_per_gpu);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Time, Time, Time> time_below_peak{
    .name = "time_below_peak",
    .text = "matrix_time + attention_time + output_time - ideal_time",
    .source = "difference of times",
    .parameters = {"matrix_time", "attention_time", "output_time", "ideal_time"},
    .function = [](Time matrix_time, Time attention_time, Time output_time, Time ideal_time) -> Result<Time> {
      if (auto wrong = violated({not_negative("matrix_time", matrix_time), not_negative("attention_time", attention_time),
                                 not_negative("output_time", output_time), not_negative("ideal_time", ideal_time)}))
        return *wrong;
      return matrix_time + attention_time + output_time - ideal_time;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Bytes> binary_memory{
    .name = "binary_memory",
    .text = "rated_memory * 1.073741824",
    .source = "nvidia-smi: 81,920 MiB on A100 of 80 GB, 183,359 MiB on B200",
    .parameters = {"rated_memory"},
    .function = [](Bytes rated_memory) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("rated_memory", rated_memory)})) return *wrong;
      return rated_memory * 1.073741824;
    },
};

std::vector<AnyFormula> training_stage_formulas() {
  return {any(head_dimension_from_hidden_size),
          any(latent_attention_parameters_per_layer),
          any(expert_layer_count),
          any(mixed_model_parameters),
          any(published_parameters),
          any(padded_vocabulary_size),
          any(feed_forward_matrices),
          any(attention_width),
          any(latent_attention_width),
          any(expert_weights_per_layer),
          any(router_parameters_per_layer),
          any(embedding_matrices_of_stage),
          any(layers_of_stage),
          any(expert_layers_of_stage),
          any(micro_batches_in_flight),
          any(interleaving_activation_factor),
          any(stage_dense_parameters_per_gpu),
          any(stage_expert_parameters_per_gpu),
          any(expert_sharding_ranks),
          any(dense_sharding_ranks),
          any(replicated_state_bytes),
          any(sharded_state_bytes),
          any(gathered_weight_bytes),
          any(dense_layer_activation_bytes_per_token),
          any(expert_layer_activation_bytes_per_token),
          any(score_bytes_per_token),
          any(kept_activation_bytes),
          any(recomputed_activation_bytes),
          any(logit_bytes),
          any(step_time_at_token_rate),
          any(token_rate_at_step_time),
          any(calibrated_step_time),
          any(ideal_step_time),
          any(time_below_peak),
          any(binary_memory),
          any(clock_under_power_cap),
          any(memory_of_one)};
}

} // namespace hallwright
