// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the training stage beside `training/formulas.h`: shapes of models, layers of pipeline stages, memory of
/// one GPU of a stage, step time at an assumed utilisation.
namespace hallwright {

// Shapes

/// Size of an attention head where the model does not state it.
/// @param hidden_size [count], zero or more
/// @param attention_heads [count], at least 1
/// @return [count]
/// @source usual transformer shape
extern const Formula<Count, Count, Count> head_dimension_from_hidden_size;

/// Weights of multi-head latent attention in a layer: compressed queries, the shared latent of keys and values with
/// its rotary key, their expansions, and the output. A query rank of zero: queries are not compressed.
/// @param hidden_size, attention_heads, query_rank, latent_dimension, head_dimension (without rotary part),
///        rotary_dimension, value_dimension [count], zero or more
/// @return [count]
/// @source DeepSeek-V2 2024, section 2.1 (norms of the latents left out)
extern const Formula<Count, Count, Count, Count, Count, Count, Count, Count> latent_attention_parameters_per_layer;

/// Layers with experts: from the first dense ones on, every n-th layer counted from the start of the model.
/// @param layers, first_dense_layers [count], zero or more
/// @param every [count], at least 1
/// @return [count]
/// @source DeepSeek-V3 2024; Llama 4 interleaves dense and expert layers
extern const Formula<Count, Count, Count, Count> expert_layer_count;

/// Weights of a model of dense and expert layers, its embeddings and its final norm. For the active weights give the
/// active weights of an expert layer.
/// @param layers, expert_layers, attention_parameters, feed_forward_parameters, expert_parameters, norm_parameters,
///        embedding_weights, hidden_size [count], zero or more
/// @return [count]
/// @source transformer arithmetic, Narayanan et al. 2021 (appendix); biases and position embeddings left out
extern const Formula<Count, Count, Count, Count, Count, Count, Count, Count, Count> mixed_model_parameters;

/// Parameters from a count in billions as published.
/// @param billions [ratio], zero or more
/// @return [count], an estimate: published counts are rounded
/// @source model cards
extern const Formula<Count, double> published_parameters;

/// Vocabulary as the program pads it, so that each tensor-parallel rank holds a multiple of 128 rows.
/// @param vocabulary_size [count], zero or more
/// @param tensor_parallel [count], at least 1
/// @return [count]
/// @source Megatron-LM, make-vocab-size-divisible-by 128
extern const Formula<Count, Count, Count> padded_vocabulary_size;

/// Matrices of the feed-forward part: up and down, and a gate where there is one.
/// @param gated [count], 0 to 1
/// @return [count]
/// @source transformer arithmetic
extern const Formula<Count, Count> feed_forward_matrices;

/// Width of queries, keys or values: heads times head size.
/// @param heads, head_dimension [count], zero or more
/// @return [count]
/// @source transformer arithmetic
extern const Formula<Count, Count, Count> attention_width;

/// Mean width of the expanded queries, keys, values and outputs of latent attention, rounded up.
/// @param attention_heads, head_dimension, rotary_dimension, value_dimension [count], zero or more
/// @return [count]
/// @source DeepSeek-V2 2024, section 2.1
extern const Formula<Count, Count, Count, Count, Count> latent_attention_width;

/// Weights of a number of experts of one layer, without router.
/// @param hidden_size, expert_size, experts [count], zero or more
/// @param matrices [count], 2 to 3
/// @return [count]
/// @source mixture-of-experts arithmetic
extern const Formula<Count, Count, Count, Count, Count> expert_weights_per_layer;

/// Weights of the router of one layer.
/// @param hidden_size, experts [count], zero or more
/// @return [count]
/// @source mixture-of-experts arithmetic
extern const Formula<Count, Count, Count> router_parameters_per_layer;

// Pipeline stages

/// Embedding matrices of one stage: input on the first, output on the last; tied ones are one matrix with one stage
/// and a copy at both ends with more.
/// @param pipeline_stages [count], at least 1
/// @param stage [count], 1 to pipeline_stages
/// @param tied [count], 0 to 1
/// @return [count]
/// @source Megatron-LM
extern const Formula<Count, Count, Count, Count> embedding_matrices_of_stage;

/// Layers of one stage: the first `layers mod stages` stages hold one more than the others, so the sum is `layers`.
/// @param layers [count], zero or more
/// @param pipeline_stages [count], at least 1
/// @param stage [count], 1 to pipeline_stages
/// @return [count]
/// @source whole layers, shared out from the front
extern const Formula<Count, Count, Count, Count> layers_of_stage;

/// Expert layers of one stage, layers shared out as in layers_of_stage.
/// @param layers, first_dense_layers [count], zero or more
/// @param every [count], at least 1
/// @param pipeline_stages [count], at least 1
/// @param stage [count], 1 to pipeline_stages
/// @return [count]
/// @source whole layers, shared out from the front
extern const Formula<Count, Count, Count, Count, Count, Count> expert_layers_of_stage;

/// Micro-batches whose activations one stage of a 1F1B schedule holds at once.
/// @param pipeline_stages [count], at least 1
/// @param stage [count], 1 to pipeline_stages
/// @param micro_batches [count], zero or more
/// @return [count]
/// @source Narayanan et al. 2019 (PipeDream)
extern const Formula<Count, Count, Count, Count> micro_batches_in_flight;

/// Growth of held activations through interleaving; 1 without.
/// @param pipeline_stages, virtual_stages_per_gpu [count], at least 1
/// @return [ratio]
/// @source Korthikanti et al. 2022
extern const Formula<double, Count, Count> interleaving_activation_factor;

// Memory of one GPU

/// Weights that one GPU of a stage holds, without routed experts. Split over tensor-parallel ranks: attention,
/// feed-forward, shared experts, embeddings. Replicated: norms and routers.
/// @param stage_layers, stage_expert_layers, attention_parameters, feed_forward_parameters, shared_expert_parameters,
///        router_parameters, norm_parameters, embedding_matrices, padded_vocabulary, hidden_size [count], zero or more
/// @param tensor_parallel [count], at least 1
/// @return [count], rounded up
/// @source Shoeybi et al. 2019 (Megatron-LM)
extern const Formula<Count, Count, Count, Count, Count, Count, Count, Count, Count, Count, Count, Count>
    stage_dense_parameters_per_gpu;

/// Weights of routed experts that one GPU of a stage holds: experts over expert-parallel ranks, each expert over
/// tensor-parallel ranks.
/// @param stage_expert_layers, routed_expert_parameters (of one layer) [count], zero or more
/// @param expert_parallel, tensor_parallel [count], at least 1
/// @return [count], rounded up
/// @source Megatron-LM expert parallelism
extern const Formula<Count, Count, Count, Count, Count> stage_expert_parameters_per_gpu;

/// Ranks over which the state of routed experts is sharded: copies of one expert.
/// @param data_parallel, context_parallel, expert_parallel [count], at least 1
/// @return [count], at least 1
/// @source Megatron-LM expert data parallelism
extern const Formula<Count, Count, Count, Count> expert_sharding_ranks;

/// Ranks over which dense state is sharded.
/// @param data_parallel, context_parallel [count], at least 1
/// @return [count]
/// @source Megatron-LM distributed optimizer
extern const Formula<Count, Count, Count> dense_sharding_ranks;

/// State that every GPU keeps whole.
/// @param dense_parameters, expert_parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @return [B]
/// @source Rajbhandari et al. 2020 (ZeRO)
extern const Formula<Bytes, Count, Count, Bytes> replicated_state_bytes;

/// State that is sharded over the copies of each weight.
/// @param dense_parameters, expert_parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param dense_ranks, expert_ranks [count], at least 1
/// @return [B]
/// @source Rajbhandari et al. 2020 (ZeRO)
extern const Formula<Bytes, Count, Count, Bytes, Count, Count> sharded_state_bytes;

/// Weights under parameter sharding: the shard, and two layers gathered (the present and the next).
/// @param dense_parameters, expert_parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param dense_ranks, expert_ranks [count], at least 1
/// @param stage_layers [count], zero or more
/// @return [B], an estimate
/// @source Rajbhandari et al. 2020 (ZeRO); prefetch of one layer
extern const Formula<Bytes, Count, Count, Bytes, Count, Count, Count> gathered_weight_bytes;

/// Activations of one token in one dense layer in 16 bits, attention scores not stored, before any split: norms 4h,
/// query-key-value input 2h, queries 2q, keys and values 4k, output input 2q, feed-forward input 2h, two inner values
/// of the feed-forward part 4f (a fused gate keeps gate and up), and dropout masks 2h: models with a gate train without
/// dropout. With multi-head attention and f = 4h, not gated: 34 h.
/// @param hidden_size, attention_width (heads x head), kv_width (kv heads x head), feed_forward_size [count], zero or more
/// @param matrices [count], 2 to 3: 3 when gated
/// @return [B], an estimate
/// @source Korthikanti et al. 2022; Megatron-LM theoretical memory usage (18 + 4 f / h)
extern const Formula<Bytes, Count, Count, Count, Count, Count> dense_layer_activation_bytes_per_token;

/// The same of an expert layer: the feed-forward terms once per chosen expert and shared expert; balanced routing.
/// @param hidden_size, attention_width, kv_width, expert_size, experts_per_token, shared_experts [count], zero or more
/// @param matrices [count], 2 to 3
/// @return [B], an estimate
/// @source Korthikanti et al. 2022, carried over to experts
extern const Formula<Bytes, Count, Count, Count, Count, Count, Count, Count> expert_layer_activation_bytes_per_token;

/// Attention scores, softmax and dropout mask of one token in one layer.
/// @param attention_heads, sequence_length [count], zero or more
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count> score_bytes_per_token;

/// Activations that a stage keeps on one GPU without recomputation of whole layers; sequence split over
/// tensor-parallel and context-parallel ranks.
/// @param dense_layer_bytes, expert_layer_bytes, score_bytes [B] of a token, zero or more
/// @param stage_layers, stage_expert_layers, tokens (of a micro-batch), in_flight [count], zero or more
/// @param interleaving_factor [ratio], zero or more
/// @param tensor_parallel, context_parallel [count], at least 1
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Bytes, Bytes, Bytes, Count, Count, Count, Count, double, Count, Count> kept_activation_bytes;

/// Activations under full recomputation: the 16-bit input of each layer, and one layer while it is computed again.
/// @param dense_layer_bytes, expert_layer_bytes [B] of a token, zero or more
/// @param hidden_size, stage_layers, stage_expert_layers, tokens, in_flight [count], zero or more
/// @param interleaving_factor [ratio], zero or more
/// @param tensor_parallel, context_parallel [count], at least 1
/// @return [B], an estimate
/// @source Chen et al. 2016; Korthikanti et al. 2022
extern const Formula<Bytes, Bytes, Bytes, Count, Count, Count, Count, Count, double, Count, Count> recomputed_activation_bytes;

/// Logits in 32 bits and the input of the output head of one micro-batch; zero before the last stage.
/// @param hidden_size, padded_vocabulary, tokens [count], zero or more
/// @param tensor_parallel, context_parallel, pipeline_stages [count], at least 1
/// @param stage [count], 1 to pipeline_stages
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count, Count, Count, Count, Count> logit_bytes;

// Time

/// Time of a step from the tokens of a step.
/// @param tokens_in_step [count], zero or more
/// @param token_rate [1/s], above 0
/// @return [s], an estimate
/// @source tokens over rate
extern const Formula<Time, Count, Frequency> step_time_at_token_rate;

/// Tokens per second from the time of a step.
/// @param tokens_in_step [count], zero or more
/// @param step_time [s], above 0
/// @return [1/s], an estimate
/// @source tokens over time
extern const Formula<Frequency, Count, Time> token_rate_at_step_time;

/// Step time of the model times what a run of the user's own took over what the model said of it.
/// @param modelled_step_time [s], zero or more
/// @param factor [ratio], above 0
/// @return [s], an estimate
/// @source ratio of times
extern const Formula<Time, Time, double> calibrated_step_time;

/// Time of the operations of a step at the dense peak.
/// @param step_flops [FLOP], zero or more
/// @param gpus [count], at least 1
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @return [s]
/// @source operations over rate
extern const Formula<Time, Flop, Count, FlopRate> ideal_step_time;

/// What products and attention of a step take beyond their operations at the dense peak.
/// @param matrix_time, attention_time, output_time, ideal_time [s], zero or more
/// @return [s], an estimate
/// @source difference of times
extern const Formula<Time, Time, Time, Time, Time> time_below_peak;

/// Bytes that programs see of a memory whose stacks hold powers of two and whose data sheet says GB for GiB.
/// @param rated_memory [B], zero or more
/// @return [B]
/// @source nvidia-smi: 81,920 MiB on A100 of 80 GB, 81,559 on H100 of 80 GB, 183,359 on B200 of 180 GB
extern const Formula<Bytes, Bytes> binary_memory;

/// Clock of an accelerator that is held to a power, over that without: its power beside the idle one goes with the
/// cube of the clock, as the voltage goes with it.
/// @param power_cap [W], above idle_share x power_limit
/// @param power_limit [W], above 0
/// @param idle_share [ratio], of the limit, 0 to 1
/// @return [ratio], at most 1
/// @source dynamic power of CMOS: capacitance x voltage^2 x frequency, voltage in step with frequency. A first order: a
///         part that does not reach its limit without a cap loses less
extern const Formula<double, Power, Power, double> clock_under_power_cap;

/// What each of several shares of a memory.
/// @param memory [B], zero or more
/// @param count [count], above 0
/// @return [B]
/// @source ratio
extern const Formula<Bytes, Bytes, Count> memory_of_one;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> training_stage_formulas();

} // namespace hallwright
