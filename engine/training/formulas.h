// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of number formats, model state, operations, parallelism, collectives and step time.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Number formats

/// Largest finite value of an IEEE-style floating point format (fp16, bf16, fp32, E5M2): the top exponent code is
/// reserved for infinity and NaN.
/// @param exponent_bits [count], 1 to 11
/// @param mantissa_bits [count], 0 to 52
/// @return [ratio]
/// @source IEEE 754 layout arithmetic
extern const Formula<double, Count, Count> ieee_format_largest_finite_value;

/// Largest finite value of a format without infinities (E4M3 "fn"): only the all-ones code is NaN.
/// @param exponent_bits [count], 1 to 10
/// @param mantissa_bits [count], 1 to 52
/// @return [ratio]
/// @source OCP 8-bit floating point layout, format arithmetic
extern const Formula<double, Count, Count> finite_only_format_largest_finite_value;

/// Smallest positive subnormal value of a floating point format; the stored mantissa bits count.
/// @param exponent_bits [count], 1 to 11
/// @param mantissa_bits [count], 0 to 52
/// @return [ratio]
/// @source IEEE 754 layout arithmetic
extern const Formula<double, Count, Count> format_smallest_subnormal_value;

// Accumulation error

/// Value at which a running sum of ones stops growing, rounding to nearest even; stored mantissa bits.
/// @param terms [count], zero or more
/// @param mantissa_bits [count], 0 to 112
/// @return [ratio]
/// @source round to nearest even
extern const Formula<double, Count, Count> accumulated_ones_stall_value;

// Step time breakdown

/// Share of a step that its measured parts do not explain; below zero when parts overlap.
/// @param step_time [s], above 0
/// @param compute_time [s], zero or more
/// @param exposed_communication_time [s], zero or more
/// @param loader_time [s], zero or more
/// @param optimizer_time [s], zero or more
/// @return [ratio]
/// @source step time ledger
extern const Formula<double, Time, Time, Time, Time, Time> unaccounted_step_fraction;

/// Share of the measured step that a prediction does not explain; below zero when the prediction is slower.
/// @param predicted_step_time [s], zero or more
/// @param measured_step_time [s], above 0
/// @return [ratio]
/// @source ratio of times
extern const Formula<double, Time, Time> unexplained_step_fraction;

// Gradient all-reduce

/// Bytes that each rank sends (and receives) in a ring all-reduce of the gradients.
/// @param parameters [count], zero or more
/// @param bytes_per_gradient [B], zero or more
/// @param ranks [count], at least 1
/// @return [B]
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Bytes, Count, Bytes, Count> ring_all_reduce_bytes_per_rank;

/// Ring all-reduce time in the limit of many ranks, without latency; one-way bandwidth.
/// @param parameters [count], zero or more
/// @param bytes_per_gradient [B], zero or more
/// @param bandwidth [B/s], above 0
/// @return [s], an estimate
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Time, Count, Bytes, DataRate> many_rank_ring_all_reduce_time;

/// Ring all-reduce time without latency; bandwidth should be one way (a two-way total gives half of the true time).
/// @param buffer [B], zero or more
/// @param ranks [count], at least 1
/// @param bandwidth [B/s], above 0
/// @return [s], an estimate
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Time, Bytes, Count, DataRate> ring_all_reduce_bandwidth_time;

/// Ring all-reduce time with a fixed latency per step; one-way bandwidth.
/// @param buffer [B], zero or more
/// @param ranks [count], at least 1
/// @param bandwidth [B/s], above 0
/// @param step_latency [s], zero or more
/// @return [s], an estimate
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Time, Bytes, Count, DataRate, Time> ring_all_reduce_time;

/// Buffer at which the latency part of ring_all_reduce_time equals its bandwidth part.
/// @param ranks [count], at least 1
/// @param step_latency [s], zero or more
/// @param bandwidth [B/s], zero or more
/// @return [B], an estimate
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Bytes, Count, Time, DataRate> ring_latency_bandwidth_crossover;

// Gradient accumulation

/// Mean bytes per micro-batch and rank with one all-reduce per accumulation_steps micro-batches.
/// @param parameters [count], zero or more
/// @param bytes_per_gradient [B], zero or more
/// @param ranks [count], at least 1
/// @param accumulation_steps [count], at least 1
/// @return [B]
/// @source ring all-reduce, Patarasuk and Yuan 2009
extern const Formula<Bytes, Count, Bytes, Count, Count> accumulated_all_reduce_bytes_per_micro_batch;

// Pipeline traffic

/// Bytes over one pipeline stage boundary in one direction in a step; micro-batch of one sequence.
/// @param micro_batches [count], zero or more
/// @param sequence_length [count], zero or more
/// @param hidden_size [count], zero or more
/// @param bytes_per_activation [B], zero or more
/// @return [B]
/// @source Narayanan et al. 2021
extern const Formula<Bytes, Count, Count, Count, Bytes> pipeline_boundary_bytes_per_step;

// Model FLOPs utilization

/// Model FLOP/s over the dense peak of the GPUs; 6 FLOP per parameter and token, attention left out.
/// @param parameters [count], zero or more
/// @param token_rate [1/s], zero or more
/// @param gpus [count], at least 1
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @return [ratio], an estimate
/// @source Chowdhery et al. 2022 (PaLM), without attention
extern const Formula<double, Count, Frequency, Count, FlopRate> model_flops_utilization;

/// Utilization of the dense peak that a training duration implies.
/// @param training_flops [FLOP], zero or more
/// @param gpus [count], at least 1
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @param duration [s], above 0
/// @return [ratio]
/// @source operations over achieved rate
extern const Formula<double, Flop, Count, FlopRate, Time> implied_utilization_from_duration;

/// Utilization of the dense peak that a GPU time (GPUs times duration) implies.
/// @param training_flops [FLOP], zero or more
/// @param gpu_time [s], above 0
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @return [ratio]
/// @source operations over achieved rate
extern const Formula<double, Flop, Time, FlopRate> implied_utilization_from_gpu_time;

// ZeRO memory

/// Weights, gradients and Adam state per rank in mixed precision: stage 1 shards optimizer state, 2 also gradients,
/// 3 also weights.
/// @param parameters [count], zero or more
/// @param ranks [count], at least 1
/// @param sharding_stage [count], 0 to 3
/// @return [B]
/// @source Rajbhandari et al. 2020 (ZeRO)
extern const Formula<Bytes, Count, Count, Count> sharded_optimizer_bytes_per_rank;

// Pipeline bubble

/// Pipeline idle time over ideal compute time; equal stages, virtual_stages_per_gpu is 1 without interleaving.
/// @param pipeline_stages [count], at least 1
/// @param micro_batches [count], at least 1
/// @param virtual_stages_per_gpu [count], at least 1
/// @return [ratio]
/// @source Narayanan et al. 2021
extern const Formula<double, Count, Count, Count> pipeline_bubble_to_ideal_time_ratio;

/// Pipeline idle time over the whole step time; equal stages.
/// @param pipeline_stages [count], at least 1
/// @param micro_batches [count], at least 1
/// @param virtual_stages_per_gpu [count], at least 1
/// @return [ratio]
/// @source Narayanan et al. 2021
extern const Formula<double, Count, Count, Count> pipeline_bubble_fraction;

// Pipeline activation memory

/// Micro-batches whose activations the first stage of an all-forward, all-backward schedule holds: all of them,
/// whatever the number of stages.
/// @param pipeline_stages [count], at least 1
/// @param micro_batches [count], zero or more
/// @return [count]
/// @source Huang et al. 2019 (GPipe)
extern const Formula<Count, Count, Count> gpipe_in_flight_micro_batches;

/// Micro-batches whose activations the first stage of a 1F1B schedule without interleaving holds.
/// @param pipeline_stages [count], at least 1
/// @param micro_batches [count], zero or more
/// @return [count]
/// @source Narayanan et al. 2019 (PipeDream)
extern const Formula<Count, Count, Count> one_forward_one_backward_in_flight_micro_batches;

// Activation recomputation

/// Operations with activation recomputation over operations without.
/// @param forward_flops_per_parameter_token [FLOP], zero or more
/// @param backward_flops_per_parameter_token [FLOP], zero or more
/// @param recompute_flops_per_parameter_token [FLOP], zero or more
/// @return [ratio]
/// @source Chen et al. 2016
extern const Formula<double, Flop, Flop, Flop> recompute_flops_ratio;

// Activation memory

/// Activations of a transformer layer in 16 bits, attention matrix not stored, no parallel split.
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @param hidden_size [count], zero or more
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count> activation_bytes_per_layer;

/// Activations of a layer per GPU, with the sequence split over context_parallel GPUs.
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @param hidden_size [count], zero or more
/// @param context_parallel [count], at least 1
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count, Count> context_parallel_activation_bytes_per_layer;

/// Activations of all layers, as activation_bytes_per_layer times layers.
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @param hidden_size [count], zero or more
/// @param layers [count], zero or more
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count, Count> activation_bytes_all_layers;

/// The part of a layer that a fused attention kernel does not store: scores, softmax and dropout mask.
/// @param attention_heads [count], zero or more
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count> attention_score_bytes_per_layer;

/// Activations kept under full recomputation: the 16-bit input of each layer only.
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @param hidden_size [count], zero or more
/// @param layers [count], zero or more
/// @return [B], an estimate
/// @source Korthikanti et al. 2022
extern const Formula<Bytes, Count, Count, Count, Count> full_recompute_activation_bytes;

// Expert all-to-all

/// Bytes of one dispatch of one layer: every token is sent once per chosen expert, copies to one node are not
/// merged.
/// @param tokens [count], zero or more
/// @param experts_per_token [count], zero or more
/// @param hidden_size [count], zero or more
/// @param bytes_per_activation [B], zero or more
/// @return [B]
/// @source expert all-to-all arithmetic
extern const Formula<Bytes, Count, Count, Count, Bytes> expert_dispatch_bytes;

/// Upper bound of the bytes of one dispatch when routing is limited to a number of nodes, one copy per node.
/// @param tokens [count], zero or more
/// @param nodes_per_token_limit [count], zero or more
/// @param hidden_size [count], zero or more
/// @param bytes_per_activation [B], zero or more
/// @return [B]
/// @source node-limited routing, DeepSeek-V3 2024
extern const Formula<Bytes, Count, Count, Count, Bytes> node_limited_expert_dispatch_bytes;

// Parallel layout

/// GPUs of a parallel layout.
/// @param tensor_parallel [count], at least 1
/// @param pipeline_parallel [count], at least 1
/// @param context_parallel [count], at least 1
/// @param data_parallel [count], at least 1
/// @return [count]
/// @source Narayanan et al. 2021
extern const Formula<Count, Count, Count, Count, Count> parallel_gpu_count;

/// Weights of one GPU in an even split.
/// @param parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param tensor_parallel [count], at least 1
/// @param pipeline_parallel [count], at least 1
/// @return [B]
/// @source even split
extern const Formula<Bytes, Count, Bytes, Count, Count> weight_bytes_per_gpu;

/// Weights (2 B), fp32 gradients (4 B) and sharded optimizer state (12 B) of one GPU.
/// @param parameters [count], zero or more
/// @param tensor_parallel [count], at least 1
/// @param pipeline_parallel [count], at least 1
/// @param data_parallel [count], at least 1
/// @return [B]
/// @source Megatron-LM distributed optimizer
extern const Formula<Bytes, Count, Count, Count, Count> training_state_bytes_per_gpu;

// Lost weight updates

/// Largest weight, at the bottom of its binade, that an added update still changes.
/// @param update [ratio], zero or more
/// @param mantissa_bits [count], 0 to 112
/// @return [ratio]
/// @source half a unit in the last place
extern const Formula<double, double, Count> largest_weight_an_update_changes;

// Communication overlap

/// Fewest tokens per GPU and step at which the backward pass (4 FLOP per parameter and token) covers a 16-bit
/// gradient ring all-reduce over many ranks (4 B per parameter), one way.
/// @param achieved_flops_per_gpu [FLOP/s], zero or more
/// @param bandwidth [B/s], above 0
/// @return [ratio], an estimate
/// @source compute and communication balance
extern const Formula<double, FlopRate, DataRate> overlap_tokens_per_gpu;

/// Line rate per GPU that hides the gradient all-reduce behind the backward pass: the inverse of
/// overlap_tokens_per_gpu.
/// @param achieved_flops_per_gpu [FLOP/s], zero or more
/// @param tokens_per_gpu [count], at least 1
/// @return [B/s, shown as bit/s], an estimate
/// @source compute and communication balance
extern const Formula<DataRate, FlopRate, Count> overlap_line_rate_per_gpu;

// Training time

/// Training time of a dense model without interruptions; dense peak, attention left out.
/// @param parameters [count], zero or more
/// @param tokens [count], zero or more
/// @param gpus [count], at least 1
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @param model_flops_utilization [ratio], above 0
/// @return [s], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<Time, Count, Count, Count, FlopRate, double> training_time_from_tokens;

/// Training time of a number of operations without interruptions; dense peak.
/// @param training_flops [FLOP], zero or more
/// @param gpus [count], at least 1
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @param model_flops_utilization [ratio], above 0
/// @return [s], an estimate
/// @source operations over achieved rate
extern const Formula<Time, Flop, Count, FlopRate, double> training_time;

// Key-value cache

/// Keys and values of one token in all layers; multi-head or grouped-query attention.
/// @param layers [count], zero or more
/// @param kv_heads [count], zero or more
/// @param head_dimension [count], zero or more
/// @param bytes_per_element [B], zero or more
/// @return [B]
/// @source attention arithmetic
extern const Formula<Bytes, Count, Count, Count, Bytes> kv_cache_bytes_per_token;

/// Cache of one token under multi-head latent attention: one compressed vector and the decoupled rotary key.
/// @param layers [count], zero or more
/// @param latent_dimension [count], zero or more
/// @param rotary_dimension [count], zero or more
/// @param bytes_per_element [B], zero or more
/// @return [B]
/// @source DeepSeek-V2 2024
extern const Formula<Bytes, Count, Count, Count, Bytes> latent_cache_bytes_per_token;

/// Multi-head cache over latent cache; equal layers and element size.
/// @param kv_heads [count], zero or more
/// @param head_dimension [count], zero or more
/// @param latent_dimension [count], zero or more
/// @param rotary_dimension [count], zero or more
/// @return [ratio]
/// @source DeepSeek-V2 2024
extern const Formula<double, Count, Count, Count, Count> multi_head_to_latent_cache_ratio;

// Training compute

/// Operations of the training of a dense model: 2 FLOP forward and 4 backward per parameter and token, attention
/// left out.
/// @param parameters [count], zero or more
/// @param tokens [count], zero or more
/// @return [FLOP], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<Flop, Count, Count> training_flops;

// Dataset read

/// Tokens per second of a dense model; 6 FLOP per parameter and token, dense peak.
/// @param gpus [count], zero or more
/// @param peak_flops_per_gpu [FLOP/s], zero or more
/// @param model_flops_utilization [ratio], zero or more
/// @param parameters [count], at least 1
/// @return [1/s], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<Frequency, Count, FlopRate, double, Count> training_token_rate;

// Model state

/// Nodes whose GPU memory holds the training state; state only, no activations.
/// @param parameters [count], zero or more
/// @param bytes_per_parameter [B], zero or more
/// @param node_memory [B], above 0
/// @return [count], an estimate
/// @source state over memory
extern const Formula<Count, Count, Bytes, Bytes> nodes_for_training_state;

// Tensor parallelism

/// Communication over compute of tensor parallelism: four ring all-reduces per layer, micro-batch of one sequence,
/// no overlap, no latency.
/// @param sequence_length [count], at least 1
/// @param hidden_size [count], zero or more
/// @param layers [count], zero or more
/// @param tensor_parallel [count], at least 1
/// @param bandwidth [B/s], above 0
/// @param parameters [count], at least 1
/// @param achieved_flops_per_gpu [FLOP/s], above 0
/// @param bytes_per_activation [B], zero or more
/// @return [ratio], an estimate
/// @source Narayanan et al. 2021; Shoeybi et al. 2019
extern const Formula<double, Count, Count, Count, Count, DataRate, Count, FlopRate, Bytes>
    tensor_parallel_communication_to_compute_ratio;

// Expert imbalance

/// Load of a hot expert over the mean load.
/// @param hot_token_share [ratio], 0 to 1
/// @param hot_experts [count], at least 1
/// @param experts [count], at least 1
/// @return [ratio]
/// @source ratio of shares
extern const Formula<double, double, Count, Count> expert_load_factor;

/// Share of all tokens dropped at the hot experts, whose capacity is capacity_factor times the mean load; the other
/// experts drop none.
/// @param hot_token_share [ratio], 0 to 1
/// @param hot_experts [count], at least 1
/// @param experts [count], at least 1
/// @param capacity_factor [ratio], zero or more
/// @return [ratio]
/// @source Fedus et al. 2021 (capacity factor)
extern const Formula<double, double, Count, Count, double> expert_dropped_token_fraction;

// Quantized weights

/// Bytes of quantized weights with their scales.
/// @param parameters [count], zero or more
/// @param weight_bits_per_parameter [B, shown as bit], zero or more
/// @param scale_bits_per_parameter [B, shown as bit], zero or more
/// @return [B]
/// @source bits per parameter
extern const Formula<Bytes, Count, Bytes, Bytes> quantized_weight_bytes;

/// Scale bits per parameter of double quantization: an 8-bit scale per block, one 32-bit scale per outer_block_size
/// blocks.
/// @param block_size [count], at least 1
/// @param outer_block_size [count], at least 1
/// @return [B, shown as bit]
/// @source Dettmers et al. 2023 (QLoRA)
extern const Formula<Bytes, Count, Count> double_quantization_scale_bits_per_parameter;

// Further parts of the models

/// Weights of the attention of a layer: query, key, value and output projections, without biases.
/// @param hidden_size [count], zero or more
/// @param attention_heads [count], zero or more
/// @param kv_heads [count], zero or more
/// @param head_dimension [count], zero or more
/// @return [count]
/// @source transformer arithmetic, Narayanan et al. 2021 (appendix)
extern const Formula<Count, Count, Count, Count, Count> attention_parameters_per_layer;

/// Weights of the feed-forward part of a layer: 2 matrices, or 3 when gated, without biases.
/// @param hidden_size [count], zero or more
/// @param feed_forward_size [count], zero or more
/// @param matrices [count], 2 to 3
/// @return [count]
/// @source transformer arithmetic, Narayanan et al. 2021 (appendix)
extern const Formula<Count, Count, Count, Count> feed_forward_parameters_per_layer;

/// Weights of the experts and the router of a mixture-of-experts layer.
/// @param hidden_size [count], zero or more
/// @param expert_size [count], zero or more
/// @param matrices [count], 2 to 3
/// @param experts [count], zero or more
/// @param shared_experts [count], zero or more
/// @return [count]
/// @source mixture-of-experts arithmetic, DeepSeek-V3 2024
extern const Formula<Count, Count, Count, Count, Count, Count> expert_parameters_per_layer;

/// Weights of a mixture-of-experts layer that one token passes: its routed and shared experts and the router.
/// @param hidden_size [count], zero or more
/// @param expert_size [count], zero or more
/// @param matrices [count], 2 to 3
/// @param experts_per_token [count], zero or more
/// @param shared_experts [count], zero or more
/// @param experts [count], zero or more
/// @return [count]
/// @source mixture-of-experts arithmetic, DeepSeek-V3 2024
extern const Formula<Count, Count, Count, Count, Count, Count, Count> active_expert_parameters_per_layer;

/// Weights of the two scale-only norms of a layer.
/// @param hidden_size [count], zero or more
/// @return [count]
/// @source transformer arithmetic
extern const Formula<Count, Count> norm_parameters_per_layer;

/// Weights of the input embedding and the output head; tied is 1 when both are one matrix.
/// @param vocabulary_size [count], zero or more
/// @param hidden_size [count], zero or more
/// @param tied [count], 0 to 1
/// @return [count]
/// @source transformer arithmetic
extern const Formula<Count, Count, Count, Count> embedding_parameters;

/// Weights of a model of equal layers, its embeddings and its final norm.
/// @param layers [count], zero or more
/// @param attention_parameters [count], zero or more
/// @param feed_forward_parameters [count], zero or more
/// @param norm_parameters [count], zero or more
/// @param embedding_weights [count], zero or more
/// @param hidden_size [count], zero or more
/// @return [count]
/// @source transformer arithmetic
extern const Formula<Count, Count, Count, Count, Count, Count, Count> layered_model_parameters;

/// Forward operations of attention scores and values of one layer; score_share is 1/2 for causal kernels, 1 for
/// dense attention.
/// @param sequence_length [count], zero or more
/// @param micro_batch_size [count], zero or more
/// @param attention_heads [count], zero or more
/// @param head_dimension [count], zero or more
/// @param score_share [ratio], 0 to 1
/// @return [FLOP]
/// @source transformer arithmetic, Narayanan et al. 2021 (appendix)
extern const Formula<Flop, Count, Count, Count, Count, double> attention_score_flops_per_layer;

/// Forward operations of weights that every token passes once: one multiply and one add per weight.
/// @param parameters [count], zero or more
/// @param tokens [count], zero or more
/// @return [FLOP]
/// @source matrix product
extern const Formula<Flop, Count, Count> matrix_flops_forward;

/// Tokens of one optimizer step.
/// @param sequences_per_step [count], zero or more
/// @param sequence_length [count], zero or more
/// @return [count]
/// @source batch arithmetic
extern const Formula<Count, Count, Count> tokens_per_step;

/// Micro-batches of one replica in a step; the batch must divide evenly.
/// @param sequences_per_step [count], at least 1
/// @param data_parallel [count], at least 1
/// @param micro_batch_size [count], at least 1
/// @return [count]
/// @source batch arithmetic
extern const Formula<Count, Count, Count, Count> micro_batches_per_step;

/// Replicas that a number of GPUs holds; the layout must divide it evenly.
/// @param gpus [count], at least 1
/// @param tensor_parallel [count], at least 1
/// @param pipeline_parallel [count], at least 1
/// @param context_parallel [count], at least 1
/// @return [count]
/// @source Narayanan et al. 2021
extern const Formula<Count, Count, Count, Count, Count> data_parallel_size;

/// Optimizer steps that train a number of tokens, rounded up.
/// @param tokens [count], zero or more
/// @param tokens_in_step [count], at least 1
/// @return [count]
/// @source batch arithmetic
extern const Formula<Count, Count, Count> step_count;

/// Training time without interruptions from the step time; steps rounded up.
/// @param tokens [count], zero or more
/// @param tokens_in_step [count], at least 1
/// @param step_time [s], zero or more
/// @return [s]
/// @source steps times step time
extern const Formula<Time, Count, Count, Time> training_time_from_step;

/// Step time as the sum of its parts that do not overlap.
/// @param compute_time [s], zero or more
/// @param exposed_communication_time [s], zero or more
/// @param bubble_time [s], zero or more
/// @param loader_time [s], zero or more
/// @param optimizer_time [s], zero or more
/// @return [s]
/// @source step time ledger
extern const Formula<Time, Time, Time, Time, Time, Time> step_time_sum;

/// Model operations per second and GPU.
/// @param step_flops [FLOP], zero or more
/// @param gpus [count], at least 1
/// @param step_time [s], above 0
/// @return [FLOP/s]
/// @source operations over time
extern const Formula<FlopRate, Flop, Count, Time> achieved_flops_per_gpu;

/// Communication that is not hidden behind computation, of which a share can hide it.
/// @param communication_time [s], zero or more
/// @param hiding_time [s], zero or more
/// @param overlap_share [ratio], 0 to 1
/// @return [s], an estimate
/// @source overlap model
extern const Formula<Time, Time, Time, double> exposed_time;

/// All-reduce along a pipelined tree: latency by the logarithm of the ranks; one-way bandwidth.
/// @param buffer [B], zero or more
/// @param ranks [count], at least 1
/// @param bandwidth [B/s], above 0
/// @param step_latency [s], zero or more
/// @return [s], an estimate
/// @source double binary tree, Sanders et al. 2009
extern const Formula<Time, Bytes, Count, DataRate, Time> tree_all_reduce_time;

/// Ring all-gather or reduce-scatter of a whole buffer; one-way bandwidth.
/// @param buffer [B], zero or more
/// @param ranks [count], at least 1
/// @param bandwidth [B/s], above 0
/// @param step_latency [s], zero or more
/// @return [s], an estimate
/// @source latency-bandwidth model, Thakur et al. 2005
extern const Formula<Time, Bytes, Count, DataRate, Time> all_gather_time;

/// Pairwise all-to-all exchange of the bytes that one rank holds for all; one-way bandwidth.
/// @param bytes_per_rank [B], zero or more
/// @param ranks [count], at least 1
/// @param bandwidth [B/s], above 0
/// @param step_latency [s], zero or more
/// @return [s], an estimate
/// @source latency-bandwidth model, Thakur et al. 2005
extern const Formula<Time, Bytes, Count, DataRate, Time> all_to_all_time;

/// Bytes that each adapter sends in an all-reduce that first reduces inside the node, one adapter per GPU.
/// @param payload [B], zero or more
/// @param nodes [count], at least 1
/// @param gpus_per_node [count], at least 1
/// @return [B]
/// @source hierarchical all-reduce: reduce-scatter in the node, exchange of shards, gather
extern const Formula<Bytes, Bytes, Count, Count> hierarchical_all_reduce_bytes_per_nic;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> training_formulas();

} // namespace hallwright
