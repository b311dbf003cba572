// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/formulas.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {

// Number formats

constinit const Formula<double, Count, Count> ieee_format_largest_finite_value{
    .name = "ieee_format_largest_finite_value",
    .text = "(2 - 2 ^ -mantissa_bits) * 2 ^ (2 ^ (exponent_bits - 1) - 1)",
    .source = "IEEE 754 layout arithmetic",
    .parameters = {"exponent_bits", "mantissa_bits"},
    .function = [](Count exponent_bits, Count mantissa_bits) -> Result<double> {
      if (auto wrong = violated(
              {between("exponent_bits", exponent_bits, 1, 11), between("mantissa_bits", mantissa_bits, 0, 52)}))
        return *wrong;
      return std::ldexp(2.0 - std::ldexp(1.0, -static_cast<int>(mantissa_bits)), (1 << (exponent_bits - 1)) - 1);
    },
};

constinit const Formula<double, Count, Count> finite_only_format_largest_finite_value{
    .name = "finite_only_format_largest_finite_value",
    .text = "(2 - 2 * 2 ^ -mantissa_bits) * 2 ^ (2 ^ (exponent_bits - 1))",
    .source = "OCP 8-bit floating point layout, format arithmetic",
    .parameters = {"exponent_bits", "mantissa_bits"},
    .function = [](Count exponent_bits, Count mantissa_bits) -> Result<double> {
      if (auto wrong = violated(
              {between("exponent_bits", exponent_bits, 1, 10), between("mantissa_bits", mantissa_bits, 1, 52)}))
        return *wrong;
      return std::ldexp(2.0 - std::ldexp(2.0, -static_cast<int>(mantissa_bits)), 1 << (exponent_bits - 1));
    },
};

constinit const Formula<double, Count, Count> format_smallest_subnormal_value{
    .name = "format_smallest_subnormal_value",
    .text = "2 ^ (1 - (2 ^ (exponent_bits - 1) - 1) - mantissa_bits)",
    .source = "IEEE 754 layout arithmetic",
    .parameters = {"exponent_bits", "mantissa_bits"},
    .function = [](Count exponent_bits, Count mantissa_bits) -> Result<double> {
      if (auto wrong = violated(
              {between("exponent_bits", exponent_bits, 1, 11), between("mantissa_bits", mantissa_bits, 0, 52)}))
        return *wrong;
      return std::ldexp(1.0, 1 - ((1 << (exponent_bits - 1)) - 1) - static_cast<int>(mantissa_bits));
    },
    .monotone = Monotone::mixed,
};

// Accumulation error

constinit const Formula<double, Count, Count> accumulated_ones_stall_value{
    .name = "accumulated_ones_stall_value",
    .text = "min(terms, 2 ^ (mantissa_bits + 1))",
    .source = "round to nearest even",
    .parameters = {"terms", "mantissa_bits"},
    .function = [](Count terms, Count mantissa_bits) -> Result<double> {
      if (auto wrong = violated({not_negative("terms", terms), between("mantissa_bits", mantissa_bits, 0, 112)}))
        return *wrong;
      return std::min(static_cast<double>(terms), std::ldexp(1.0, static_cast<int>(mantissa_bits) + 1));
    },
};

// Step time breakdown

constinit const Formula<double, Time, Time, Time, Time, Time> unaccounted_step_fraction{
    .name = "unaccounted_step_fraction",
    .text = "1 - (compute_time + exposed_communication_time + loader_time + optimizer_time) / step_time",
    .source = "step time ledger",
    .parameters = {"step_time", "compute_time", "exposed_communication_time", "loader_time", "optimizer_time"},
    .function = [](Time step_time, Time compute_time, Time exposed_communication_time, Time loader_time,
                   Time optimizer_time) -> Result<double> {
      if (auto wrong =
              violated({above_zero("step_time", step_time), not_negative("compute_time", compute_time),
                        not_negative("exposed_communication_time", exposed_communication_time),
                        not_negative("loader_time", loader_time), not_negative("optimizer_time", optimizer_time)}))
        return *wrong;
      return 1.0 - (compute_time + exposed_communication_time + loader_time + optimizer_time) / step_time;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time> unexplained_step_fraction{
    .name = "unexplained_step_fraction",
    .text = "1 - predicted_step_time / measured_step_time",
    .source = "ratio of times",
    .parameters = {"predicted_step_time", "measured_step_time"},
    .function = [](Time predicted_step_time, Time measured_step_time) -> Result<double> {
      if (auto wrong = violated({not_negative("predicted_step_time", predicted_step_time),
                                 above_zero("measured_step_time", measured_step_time)}))
        return *wrong;
      return 1.0 - predicted_step_time / measured_step_time;
    },
    .monotone = Monotone::mixed,
};

// Gradient all-reduce

constinit const Formula<Bytes, Count, Bytes, Count> ring_all_reduce_bytes_per_rank{
    .name = "ring_all_reduce_bytes_per_rank",
    .text = "2 * (ranks - 1) / ranks * parameters * bytes_per_gradient",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"parameters", "bytes_per_gradient", "ranks"},
    .function = [](Count parameters, Bytes bytes_per_gradient, Count ranks) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("parameters", parameters),
                                 not_negative("bytes_per_gradient", bytes_per_gradient), at_least("ranks", ranks, 1)}))
        return *wrong;
      return 2.0 * (ranks - 1) / ranks * parameters * bytes_per_gradient;
    },
};

constinit const Formula<Time, Count, Bytes, DataRate> many_rank_ring_all_reduce_time{
    .name = "many_rank_ring_all_reduce_time",
    .text = "2 * parameters * bytes_per_gradient / bandwidth",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"parameters", "bytes_per_gradient", "bandwidth"},
    .function = [](Count parameters, Bytes bytes_per_gradient, DataRate bandwidth) -> Result<Time> {
      if (auto wrong =
              violated({not_negative("parameters", parameters), not_negative("bytes_per_gradient", bytes_per_gradient),
                        above_zero("bandwidth", bandwidth)}))
        return *wrong;
      return 2.0 * parameters * bytes_per_gradient / bandwidth;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate> ring_all_reduce_bandwidth_time{
    .name = "ring_all_reduce_bandwidth_time",
    .text = "2 * (ranks - 1) / ranks * buffer / bandwidth",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"buffer", "ranks", "bandwidth"},
    .function = [](Bytes buffer, Count ranks, DataRate bandwidth) -> Result<Time> {
      if (auto wrong = violated(
              {not_negative("buffer", buffer), at_least("ranks", ranks, 1), above_zero("bandwidth", bandwidth)}))
        return *wrong;
      return 2.0 * (ranks - 1) / ranks * buffer / bandwidth;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate, Time> ring_all_reduce_time{
    .name = "ring_all_reduce_time",
    .text = "2 * (ranks - 1) * (step_latency + buffer / (ranks * bandwidth))",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"buffer", "ranks", "bandwidth", "step_latency"},
    .function = [](Bytes buffer, Count ranks, DataRate bandwidth, Time step_latency) -> Result<Time> {
      if (auto wrong = violated({not_negative("buffer", buffer), at_least("ranks", ranks, 1),
                                 above_zero("bandwidth", bandwidth), not_negative("step_latency", step_latency)}))
        return *wrong;
      return 2.0 * (ranks - 1) * (step_latency + buffer / (1.0 * ranks * bandwidth));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Time, DataRate> ring_latency_bandwidth_crossover{
    .name = "ring_latency_bandwidth_crossover",
    .text = "ranks * step_latency * bandwidth",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"ranks", "step_latency", "bandwidth"},
    .function = [](Count ranks, Time step_latency, DataRate bandwidth) -> Result<Bytes> {
      if (auto wrong = violated({at_least("ranks", ranks, 1), not_negative("step_latency", step_latency),
                                 not_negative("bandwidth", bandwidth)}))
        return *wrong;
      return 1.0 * ranks * step_latency * bandwidth;
    },
    .estimate = true,
};

// Gradient accumulation

constinit const Formula<Bytes, Count, Bytes, Count, Count> accumulated_all_reduce_bytes_per_micro_batch{
    .name = "accumulated_all_reduce_bytes_per_micro_batch",
    .text = "2 * (ranks - 1) / ranks * parameters * bytes_per_gradient / accumulation_steps",
    .source = "ring all-reduce, Patarasuk and Yuan 2009",
    .parameters = {"parameters", "bytes_per_gradient", "ranks", "accumulation_steps"},
    .function = [](Count parameters, Bytes bytes_per_gradient, Count ranks, Count accumulation_steps) -> Result<Bytes> {
      if (auto wrong =
              violated({not_negative("parameters", parameters), not_negative("bytes_per_gradient", bytes_per_gradient),
                        at_least("ranks", ranks, 1), at_least("accumulation_steps", accumulation_steps, 1)}))
        return *wrong;
      return 2.0 * (ranks - 1) / ranks * parameters * bytes_per_gradient / accumulation_steps;
    },
    .monotone = Monotone::mixed,
};

// Pipeline traffic

constinit const Formula<Bytes, Count, Count, Count, Bytes> pipeline_boundary_bytes_per_step{
    .name = "pipeline_boundary_bytes_per_step",
    .text = "micro_batches * sequence_length * hidden_size * bytes_per_activation",
    .source = "Narayanan et al. 2021",
    .parameters = {"micro_batches", "sequence_length", "hidden_size", "bytes_per_activation"},
    .function = [](Count micro_batches, Count sequence_length, Count hidden_size,
                   Bytes bytes_per_activation) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("micro_batches", micro_batches), not_negative("sequence_length", sequence_length),
               not_negative("hidden_size", hidden_size), not_negative("bytes_per_activation", bytes_per_activation)}))
        return *wrong;
      return 1.0 * micro_batches * sequence_length * hidden_size * bytes_per_activation;
    },
};

// Model FLOPs utilization

constinit const Formula<double, Count, Frequency, Count, FlopRate> model_flops_utilization{
    .name = "model_flops_utilization",
    .text = "6 FLOP * parameters * token_rate / (gpus * peak_flops_per_gpu)",
    .source = "Chowdhery et al. 2022 (PaLM), without attention",
    .parameters = {"parameters", "token_rate", "gpus", "peak_flops_per_gpu"},
    .function = [](Count parameters, Frequency token_rate, Count gpus, FlopRate peak_flops_per_gpu) -> Result<double> {
      if (auto wrong = violated({not_negative("parameters", parameters), not_negative("token_rate", token_rate),
                                 at_least("gpus", gpus, 1), above_zero("peak_flops_per_gpu", peak_flops_per_gpu)}))
        return *wrong;
      return flop(6) * parameters * token_rate / (1.0 * gpus * peak_flops_per_gpu);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Flop, Count, FlopRate, Time> implied_utilization_from_duration{
    .name = "implied_utilization_from_duration",
    .text = "training_flops / (gpus * peak_flops_per_gpu * duration)",
    .source = "operations over achieved rate",
    .parameters = {"training_flops", "gpus", "peak_flops_per_gpu", "duration"},
    .function = [](Flop training_flops, Count gpus, FlopRate peak_flops_per_gpu, Time duration) -> Result<double> {
      if (auto wrong =
              violated({not_negative("training_flops", training_flops), at_least("gpus", gpus, 1),
                        above_zero("peak_flops_per_gpu", peak_flops_per_gpu), above_zero("duration", duration)}))
        return *wrong;
      return training_flops / (1.0 * gpus * peak_flops_per_gpu * duration);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Flop, Time, FlopRate> implied_utilization_from_gpu_time{
    .name = "implied_utilization_from_gpu_time",
    .text = "training_flops / (gpu_time * peak_flops_per_gpu)",
    .source = "operations over achieved rate",
    .parameters = {"training_flops", "gpu_time", "peak_flops_per_gpu"},
    .function = [](Flop training_flops, Time gpu_time, FlopRate peak_flops_per_gpu) -> Result<double> {
      if (auto wrong = violated({not_negative("training_flops", training_flops), above_zero("gpu_time", gpu_time),
                                 above_zero("peak_flops_per_gpu", peak_flops_per_gpu)}))
        return *wrong;
      return training_flops / (gpu_time * peak_flops_per_gpu);
    },
    .monotone = Monotone::mixed,
};

// ZeRO memory

constinit const Formula<Bytes, Count, Count, Count> sharded_optimizer_bytes_per_rank{
    .name = "sharded_optimizer_bytes_per_rank",
    .text = "parameters * (2 B / (ranks if sharding_stage >= 3 else 1) + 2 B / (ranks if sharding_stage >= 2 else 1) + "
            "12 B / (ranks if sharding_stage >= 1 else 1))",
    .source = "Rajbhandari et al. 2020 (ZeRO)",
    .parameters = {"parameters", "ranks", "sharding_stage"},
    .function = [](Count parameters, Count ranks, Count sharding_stage) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("parameters", parameters), at_least("ranks", ranks, 1),
                                 between("sharding_stage", sharding_stage, 0, 3)}))
        return *wrong;
      const auto shards = [&](Count stage) { return sharding_stage >= stage ? static_cast<double>(ranks) : 1.0; };
      return 1.0 * parameters * (bytes(2) / shards(3) + bytes(2) / shards(2) + bytes(12) / shards(1));
    },
    .monotone = Monotone::mixed,
};

// Pipeline bubble

constinit const Formula<double, Count, Count, Count> pipeline_bubble_to_ideal_time_ratio{
    .name = "pipeline_bubble_to_ideal_time_ratio",
    .text = "(pipeline_stages - 1) / (micro_batches * virtual_stages_per_gpu)",
    .source = "Narayanan et al. 2021",
    .parameters = {"pipeline_stages", "micro_batches", "virtual_stages_per_gpu"},
    .function = [](Count pipeline_stages, Count micro_batches, Count virtual_stages_per_gpu) -> Result<double> {
      if (auto wrong =
              violated({at_least("pipeline_stages", pipeline_stages, 1), at_least("micro_batches", micro_batches, 1),
                        at_least("virtual_stages_per_gpu", virtual_stages_per_gpu, 1)}))
        return *wrong;
      return (pipeline_stages - 1.0) / (1.0 * micro_batches * virtual_stages_per_gpu);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, Count, Count> pipeline_bubble_fraction{
    .name = "pipeline_bubble_fraction",
    .text = "(pipeline_stages - 1) / (micro_batches * virtual_stages_per_gpu + pipeline_stages - 1)",
    .source = "Narayanan et al. 2021",
    .parameters = {"pipeline_stages", "micro_batches", "virtual_stages_per_gpu"},
    .function = [](Count pipeline_stages, Count micro_batches, Count virtual_stages_per_gpu) -> Result<double> {
      if (auto wrong =
              violated({at_least("pipeline_stages", pipeline_stages, 1), at_least("micro_batches", micro_batches, 1),
                        at_least("virtual_stages_per_gpu", virtual_stages_per_gpu, 1)}))
        return *wrong;
      return (pipeline_stages - 1.0) / (1.0 * micro_batches * virtual_stages_per_gpu + pipeline_stages - 1.0);
    },
    .monotone = Monotone::mixed,
};

// Pipeline activation memory

constinit const Formula<Count, Count, Count> gpipe_in_flight_micro_batches{
    .name = "gpipe_in_flight_micro_batches",
    .text = "micro_batches",
    .source = "Huang et al. 2019 (GPipe)",
    .parameters = {"pipeline_stages", "micro_batches"},
    .function = [](Count pipeline_stages, Count micro_batches) -> Result<Count> {
      if (auto wrong =
              violated({at_least("pipeline_stages", pipeline_stages, 1), not_negative("micro_batches", micro_batches)}))
        return *wrong;
      return counted_whole(static_cast<double>(micro_batches));
    },
};

constinit const Formula<Count, Count, Count> one_forward_one_backward_in_flight_micro_batches{
    .name = "one_forward_one_backward_in_flight_micro_batches",
    .text = "min(pipeline_stages, micro_batches)",
    .source = "Narayanan et al. 2019 (PipeDream)",
    .parameters = {"pipeline_stages", "micro_batches"},
    .function = [](Count pipeline_stages, Count micro_batches) -> Result<Count> {
      if (auto wrong =
              violated({at_least("pipeline_stages", pipeline_stages, 1), not_negative("micro_batches", micro_batches)}))
        return *wrong;
      return counted_whole(static_cast<double>(std::min(pipeline_stages, micro_batches)));
    },
};

// Activation recomputation

constinit const Formula<double, Flop, Flop, Flop> recompute_flops_ratio{
    .name = "recompute_flops_ratio",
    .text = "(forward_flops_per_parameter_token + backward_flops_per_parameter_token + "
            "recompute_flops_per_parameter_token) / (forward_flops_per_parameter_token + "
            "backward_flops_per_parameter_token)",
    .source = "Chen et al. 2016",
    .parameters = {"forward_flops_per_parameter_token", "backward_flops_per_parameter_token",
                   "recompute_flops_per_parameter_token"},
    .function = [](Flop forward_flops_per_parameter_token, Flop backward_flops_per_parameter_token,
                   Flop recompute_flops_per_parameter_token) -> Result<double> {
      if (auto wrong =
              violated({not_negative("forward_flops_per_parameter_token", forward_flops_per_parameter_token),
                        not_negative("backward_flops_per_parameter_token", backward_flops_per_parameter_token),
                        not_negative("recompute_flops_per_parameter_token", recompute_flops_per_parameter_token)}))
        return *wrong;
      const Flop plain = forward_flops_per_parameter_token + backward_flops_per_parameter_token;
      if (base_value(plain) <= 0.0)
        return not_applicable(
            "forward_flops_per_parameter_token plus backward_flops_per_parameter_token must be above 0; it is 0 FLOP");
      return (plain + recompute_flops_per_parameter_token) / plain;
    },
    .monotone = Monotone::mixed,
};

// Activation memory

constinit const Formula<Bytes, Count, Count, Count> activation_bytes_per_layer{
    .name = "activation_bytes_per_layer",
    .text = "34 B * sequence_length * micro_batch_size * hidden_size",
    .source = "Korthikanti et al. 2022",
    .parameters = {"sequence_length", "micro_batch_size", "hidden_size"},
    .function = [](Count sequence_length, Count micro_batch_size, Count hidden_size) -> Result<Bytes> {
      if (auto wrong =
              violated({not_negative("sequence_length", sequence_length),
                        not_negative("micro_batch_size", micro_batch_size), not_negative("hidden_size", hidden_size)}))
        return *wrong;
      return bytes(34) * sequence_length * micro_batch_size * hidden_size;
    },
    .estimate = true,
};

constinit const Formula<Bytes, Count, Count, Count, Count> context_parallel_activation_bytes_per_layer{
    .name = "context_parallel_activation_bytes_per_layer",
    .text = "34 B * sequence_length * micro_batch_size * hidden_size / context_parallel",
    .source = "Korthikanti et al. 2022",
    .parameters = {"sequence_length", "micro_batch_size", "hidden_size", "context_parallel"},
    .function = [](Count sequence_length, Count micro_batch_size, Count hidden_size,
                   Count context_parallel) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("sequence_length", sequence_length), not_negative("micro_batch_size", micro_batch_size),
               not_negative("hidden_size", hidden_size), at_least("context_parallel", context_parallel, 1)}))
        return *wrong;
      return bytes(34) * sequence_length * micro_batch_size * hidden_size / context_parallel;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Count, Count, Count> activation_bytes_all_layers{
    .name = "activation_bytes_all_layers",
    .text = "34 B * sequence_length * micro_batch_size * hidden_size * layers",
    .source = "Korthikanti et al. 2022",
    .parameters = {"sequence_length", "micro_batch_size", "hidden_size", "layers"},
    .function = [](Count sequence_length, Count micro_batch_size, Count hidden_size, Count layers) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("sequence_length", sequence_length),
                                 not_negative("micro_batch_size", micro_batch_size),
                                 not_negative("hidden_size", hidden_size), not_negative("layers", layers)}))
        return *wrong;
      return bytes(34) * sequence_length * micro_batch_size * hidden_size * layers;
    },
    .estimate = true,
};

constinit const Formula<Bytes, Count, Count, Count> attention_score_bytes_per_layer{
    .name = "attention_score_bytes_per_layer",
    .text = "5 B * attention_heads * sequence_length ^ 2 * micro_batch_size",
    .source = "Korthikanti et al. 2022",
    .parameters = {"attention_heads", "sequence_length", "micro_batch_size"},
    .function = [](Count attention_heads, Count sequence_length, Count micro_batch_size) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("attention_heads", attention_heads),
                                 not_negative("sequence_length", sequence_length),
                                 not_negative("micro_batch_size", micro_batch_size)}))
        return *wrong;
      return bytes(5) * attention_heads * sequence_length * sequence_length * micro_batch_size;
    },
    .estimate = true,
};

constinit const Formula<Bytes, Count, Count, Count, Count> full_recompute_activation_bytes{
    .name = "full_recompute_activation_bytes",
    .text = "2 B * sequence_length * micro_batch_size * hidden_size * layers",
    .source = "Korthikanti et al. 2022",
    .parameters = {"sequence_length", "micro_batch_size", "hidden_size", "layers"},
    .function = [](Count sequence_length, Count micro_batch_size, Count hidden_size, Count layers) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("sequence_length", sequence_length),
                                 not_negative("micro_batch_size", micro_batch_size),
                                 not_negative("hidden_size", hidden_size), not_negative("layers", layers)}))
        return *wrong;
      return bytes(2) * sequence_length * micro_batch_size * hidden_size * layers;
    },
    .estimate = true,
};

// Expert all-to-all

constinit const Formula<Bytes, Count, Count, Count, Bytes> expert_dispatch_bytes{
    .name = "expert_dispatch_bytes",
    .text = "tokens * experts_per_token * hidden_size * bytes_per_activation",
    .source = "expert all-to-all arithmetic",
    .parameters = {"tokens", "experts_per_token", "hidden_size", "bytes_per_activation"},
    .function = [](Count tokens, Count experts_per_token, Count hidden_size,
                   Bytes bytes_per_activation) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("tokens", tokens), not_negative("experts_per_token", experts_per_token),
                                 not_negative("hidden_size", hidden_size),
                                 not_negative("bytes_per_activation", bytes_per_activation)}))
        return *wrong;
      return 1.0 * tokens * experts_per_token * hidden_size * bytes_per_activation;
    },
};

constinit const Formula<Bytes, Count, Count, Count, Bytes> node_limited_expert_dispatch_bytes{
    .name = "node_limited_expert_dispatch_bytes",
    .text = "tokens * nodes_per_token_limit * hidden_size * bytes_per_activation",
    .source = "node-limited routing, DeepSeek-V3 2024",
    .parameters = {"tokens", "nodes_per_token_limit", "hidden_size", "bytes_per_activation"},
    .function = [](Count tokens, Count nodes_per_token_limit, Count hidden_size,
                   Bytes bytes_per_activation) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("tokens", tokens), not_negative("nodes_per_token_limit", nodes_per_token_limit),
               not_negative("hidden_size", hidden_size), not_negative("bytes_per_activation", bytes_per_activation)}))
        return *wrong;
      return 1.0 * tokens * nodes_per_token_limit * hidden_size * bytes_per_activation;
    },
};

// Parallel layout

constinit const Formula<Count, Count, Count, Count, Count> parallel_gpu_count{
    .name = "parallel_gpu_count",
    .text = "tensor_parallel * pipeline_parallel * context_parallel * data_parallel",
    .source = "Narayanan et al. 2021",
    .parameters = {"tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel"},
    .function = [](Count tensor_parallel, Count pipeline_parallel, Count context_parallel,
                   Count data_parallel) -> Result<Count> {
      if (auto wrong = violated(
              {at_least("tensor_parallel", tensor_parallel, 1), at_least("pipeline_parallel", pipeline_parallel, 1),
               at_least("context_parallel", context_parallel, 1), at_least("data_parallel", data_parallel, 1)}))
        return *wrong;
      return counted_whole(1.0 * tensor_parallel * pipeline_parallel * context_parallel * data_parallel);
    },
};

constinit const Formula<Bytes, Count, Bytes, Count, Count> weight_bytes_per_gpu{
    .name = "weight_bytes_per_gpu",
    .text = "parameters * bytes_per_parameter / (tensor_parallel * pipeline_parallel)",
    .source = "even split",
    .parameters = {"parameters", "bytes_per_parameter", "tensor_parallel", "pipeline_parallel"},
    .function = [](Count parameters, Bytes bytes_per_parameter, Count tensor_parallel,
                   Count pipeline_parallel) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("parameters", parameters), not_negative("bytes_per_parameter", bytes_per_parameter),
               at_least("tensor_parallel", tensor_parallel, 1), at_least("pipeline_parallel", pipeline_parallel, 1)}))
        return *wrong;
      return 1.0 * parameters * bytes_per_parameter / (1.0 * tensor_parallel * pipeline_parallel);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Count, Count, Count, Count> training_state_bytes_per_gpu{
    .name = "training_state_bytes_per_gpu",
    .text = "parameters * (2 B + 4 B) / (tensor_parallel * pipeline_parallel) + parameters * 12 B / (tensor_parallel * "
            "pipeline_parallel * data_parallel)",
    .source = "Megatron-LM distributed optimizer",
    .parameters = {"parameters", "tensor_parallel", "pipeline_parallel", "data_parallel"},
    .function = [](Count parameters, Count tensor_parallel, Count pipeline_parallel,
                   Count data_parallel) -> Result<Bytes> {
      if (auto wrong = violated(
              {not_negative("parameters", parameters), at_least("tensor_parallel", tensor_parallel, 1),
               at_least("pipeline_parallel", pipeline_parallel, 1), at_least("data_parallel", data_parallel, 1)}))
        return *wrong;
      const double parameters_per_gpu = parameters / (1.0 * tensor_parallel * pipeline_parallel);
      return parameters_per_gpu * (bytes(2) + bytes(4)) + parameters_per_gpu * bytes(12) / data_parallel;
    },
    .monotone = Monotone::mixed,
};

// Lost weight updates

constinit const Formula<double, double, Count> largest_weight_an_update_changes{
    .name = "largest_weight_an_update_changes",
    .text = "update * 2 ^ (mantissa_bits + 1)",
    .source = "half a unit in the last place",
    .parameters = {"update", "mantissa_bits"},
    .function = [](double update, Count mantissa_bits) -> Result<double> {
      if (auto wrong = violated({not_negative("update", update), between("mantissa_bits", mantissa_bits, 0, 112)}))
        return *wrong;
      return update * std::ldexp(1.0, static_cast<int>(mantissa_bits) + 1);
    },
};

// Communication overlap

constinit const Formula<double, FlopRate, DataRate> overlap_tokens_per_gpu{
    .name = "overlap_tokens_per_gpu",
    .text = "(achieved_flops_per_gpu / 4 FLOP) / (bandwidth / 4 B)",
    .source = "compute and communication balance",
    .parameters = {"achieved_flops_per_gpu", "bandwidth"},
    .function = [](FlopRate achieved_flops_per_gpu, DataRate bandwidth) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("achieved_flops_per_gpu", achieved_flops_per_gpu), above_zero("bandwidth", bandwidth)}))
        return *wrong;
      return (achieved_flops_per_gpu / flop(4)) / (bandwidth / bytes(4));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<DataRate, FlopRate, Count> overlap_line_rate_per_gpu{
    .name = "overlap_line_rate_per_gpu",
    .text = "8 bit/B * 4 B * achieved_flops_per_gpu / (4 FLOP * tokens_per_gpu)",
    .source = "compute and communication balance",
    .parameters = {"achieved_flops_per_gpu", "tokens_per_gpu"},
    .function = [](FlopRate achieved_flops_per_gpu, Count tokens_per_gpu) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("achieved_flops_per_gpu", achieved_flops_per_gpu),
                                 at_least("tokens_per_gpu", tokens_per_gpu, 1)}))
        return *wrong;
      return bytes(4) * achieved_flops_per_gpu / (flop(4) * tokens_per_gpu);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
    .result_kind = &kind::network_rate,
};

// Training time

constinit const Formula<Time, Count, Count, Count, FlopRate, double> training_time_from_tokens{
    .name = "training_time_from_tokens",
    .text = "6 FLOP * parameters * tokens / (gpus * peak_flops_per_gpu * model_flops_utilization)",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"parameters", "tokens", "gpus", "peak_flops_per_gpu", "model_flops_utilization"},
    .function = [](Count parameters, Count tokens, Count gpus, FlopRate peak_flops_per_gpu,
                   double model_flops_utilization) -> Result<Time> {
      if (auto wrong = violated({not_negative("parameters", parameters), not_negative("tokens", tokens),
                                 at_least("gpus", gpus, 1), above_zero("peak_flops_per_gpu", peak_flops_per_gpu),
                                 above_zero("model_flops_utilization", model_flops_utilization)}))
        return *wrong;
      return flop(6) * parameters * tokens / (1.0 * gpus * peak_flops_per_gpu * model_flops_utilization);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Flop, Count, FlopRate, double> training_time{
    .name = "training_time",
    .text = "training_flops / (gpus * peak_flops_per_gpu * model_flops_utilization)",
    .source = "operations over achieved rate",
    .parameters = {"training_flops", "gpus", "peak_flops_per_gpu", "model_flops_utilization"},
    .function = [](Flop training_flops, Count gpus, FlopRate peak_flops_per_gpu,
                   double model_flops_utilization) -> Result<Time> {
      if (auto wrong = violated({not_negative("training_flops", training_flops), at_least("gpus", gpus, 1),
                                 above_zero("peak_flops_per_gpu", peak_flops_per_gpu),
                                 above_zero("model_flops_utilization", model_flops_utilization)}))
        return *wrong;
      return training_flops / (1.0 * gpus * peak_flops_per_gpu * model_flops_utilization);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Key-value cache

constinit const Formula<Bytes, Count, Count, Count, Bytes> kv_cache_bytes_per_token{
    .name = "kv_cache_bytes_per_token",
    .text = "2 * layers * kv_heads * head_dimension * bytes_per_element",
    .source = "attention arithmetic",
    .parameters = {"layers", "kv_heads", "head_dimension", "bytes_per_element"},
    .function = [](Count layers, Count kv_heads, Count head_dimension, Bytes bytes_per_element) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("layers", layers), not_negative("kv_heads", kv_heads),
                                 not_negative("head_dimension", head_dimension),
                                 not_negative("bytes_per_element", bytes_per_element)}))
        return *wrong;
      return 2.0 * layers * kv_heads * head_dimension * bytes_per_element;
    },
};

constinit const Formula<Bytes, Count, Count, Count, Bytes> latent_cache_bytes_per_token{
    .name = "latent_cache_bytes_per_token",
    .text = "layers * (latent_dimension + rotary_dimension) * bytes_per_element",
    .source = "DeepSeek-V2 2024",
    .parameters = {"layers", "latent_dimension", "rotary_dimension", "bytes_per_element"},
    .function = [](Count layers, Count latent_dimension, Count rotary_dimension,
                   Bytes bytes_per_element) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("layers", layers), not_negative("latent_dimension", latent_dimension),
                                 not_negative("rotary_dimension", rotary_dimension),
                                 not_negative("bytes_per_element", bytes_per_element)}))
        return *wrong;
      return 1.0 * layers * (1.0 * latent_dimension + rotary_dimension) * bytes_per_element;
    },
};

constinit const Formula<double, Count, Count, Count, Count> multi_head_to_latent_cache_ratio{
    .name = "multi_head_to_latent_cache_ratio",
    .text = "2 * kv_heads * head_dimension / (latent_dimension + rotary_dimension)",
    .source = "DeepSeek-V2 2024",
    .parameters = {"kv_heads", "head_dimension", "latent_dimension", "rotary_dimension"},
    .function = [](Count kv_heads, Count head_dimension, Count latent_dimension,
                   Count rotary_dimension) -> Result<double> {
      if (auto wrong = violated({not_negative("kv_heads", kv_heads), not_negative("head_dimension", head_dimension),
                                 not_negative("latent_dimension", latent_dimension),
                                 not_negative("rotary_dimension", rotary_dimension)}))
        return *wrong;
      if (1.0 * latent_dimension + rotary_dimension < 1.0)
        return not_applicable("latent_dimension plus rotary_dimension must be at least 1; it is 0");
      return 2.0 * kv_heads * head_dimension / (1.0 * latent_dimension + rotary_dimension);
    },
    .monotone = Monotone::mixed,
};

// Training compute

constinit const Formula<Flop, Count, Count> training_flops{
    .name = "training_flops",
    .text = "6 FLOP * parameters * tokens",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"parameters", "tokens"},
    .function = [](Count parameters, Count tokens) -> Result<Flop> {
      if (auto wrong = violated({not_negative("parameters", parameters), not_negative("tokens", tokens)}))
        return *wrong;
      return flop(6) * parameters * tokens;
    },
    .estimate = true,
};

// Dataset read

constinit const Formula<Frequency, Count, FlopRate, double, Count> training_token_rate{
    .name = "training_token_rate",
    .text = "gpus * peak_flops_per_gpu * model_flops_utilization / (6 FLOP * parameters)",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"gpus", "peak_flops_per_gpu", "model_flops_utilization", "parameters"},
    .function = [](Count gpus, FlopRate peak_flops_per_gpu, double model_flops_utilization,
                   Count parameters) -> Result<Frequency> {
      if (auto wrong = violated({not_negative("gpus", gpus), not_negative("peak_flops_per_gpu", peak_flops_per_gpu),
                                 not_negative("model_flops_utilization", model_flops_utilization),
                                 at_least("parameters", parameters, 1)}))
        return *wrong;
      return 1.0 * gpus * peak_flops_per_gpu * model_flops_utilization / (flop(6) * parameters);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Model state

constinit const Formula<Count, Count, Bytes, Bytes> nodes_for_training_state{
    .name = "nodes_for_training_state",
    .text = "ceil(parameters * bytes_per_parameter / node_memory)",
    .source = "state over memory",
    .parameters = {"parameters", "bytes_per_parameter", "node_memory"},
    .function = [](Count parameters, Bytes bytes_per_parameter, Bytes node_memory) -> Result<Count> {
      if (auto wrong = violated({not_negative("parameters", parameters),
                                 not_negative("bytes_per_parameter", bytes_per_parameter),
                                 above_zero("node_memory", node_memory)}))
        return *wrong;
      return counted_whole(whole_at_least(1.0 * parameters * bytes_per_parameter / node_memory));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Tensor parallelism

constinit const Formula<double, Count, Count, Count, Count, DataRate, Count, FlopRate, Bytes>
    tensor_parallel_communication_to_compute_ratio{
        .name = "tensor_parallel_communication_to_compute_ratio",
        .text = "(layers * 4 * 2 * (tensor_parallel - 1) / tensor_parallel * sequence_length * hidden_size * "
                "bytes_per_activation / bandwidth) / (6 FLOP * parameters * sequence_length / (tensor_parallel * "
                "achieved_flops_per_gpu))",
        .source = "Narayanan et al. 2021; Shoeybi et al. 2019",
        .parameters = {"sequence_length", "hidden_size", "layers", "tensor_parallel", "bandwidth", "parameters",
                       "achieved_flops_per_gpu", "bytes_per_activation"},
        .function = [](Count sequence_length, Count hidden_size, Count layers, Count tensor_parallel,
                       DataRate bandwidth, Count parameters, FlopRate achieved_flops_per_gpu,
                       Bytes bytes_per_activation) -> Result<double> {
          if (auto wrong =
                  violated({at_least("sequence_length", sequence_length, 1), not_negative("hidden_size", hidden_size),
                            not_negative("layers", layers), at_least("tensor_parallel", tensor_parallel, 1),
                            above_zero("bandwidth", bandwidth), at_least("parameters", parameters, 1),
                            above_zero("achieved_flops_per_gpu", achieved_flops_per_gpu),
                            not_negative("bytes_per_activation", bytes_per_activation)}))
            return *wrong;
          const Time communication = 4.0 * 2.0 * layers * (tensor_parallel - 1.0) / tensor_parallel * sequence_length *
                                     hidden_size * bytes_per_activation / bandwidth;
          const Time compute =
              flop(6) * parameters * sequence_length / (1.0 * tensor_parallel * achieved_flops_per_gpu);
          return communication / compute;
        },
        .estimate = true,
        .monotone = Monotone::mixed,
    };

// Expert imbalance

constinit const Formula<double, double, Count, Count> expert_load_factor{
    .name = "expert_load_factor",
    .text = "hot_token_share / (hot_experts / experts)",
    .source = "ratio of shares",
    .parameters = {"hot_token_share", "hot_experts", "experts"},
    .function = [](double hot_token_share, Count hot_experts, Count experts) -> Result<double> {
      if (auto wrong = violated({share("hot_token_share", hot_token_share), at_least("hot_experts", hot_experts, 1),
                                 at_least("experts", experts, 1)}))
        return *wrong;
      if (hot_experts > experts) return not_applicable("hot_experts must be at most the number of experts");
      return hot_token_share / (1.0 * hot_experts / experts);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, double, Count, Count, double> expert_dropped_token_fraction{
    .name = "expert_dropped_token_fraction",
    .text = "max(0, hot_token_share * (1 - capacity_factor / (hot_token_share / (hot_experts / experts))))",
    .source = "Fedus et al. 2021 (capacity factor)",
    .parameters = {"hot_token_share", "hot_experts", "experts", "capacity_factor"},
    .function = [](double hot_token_share, Count hot_experts, Count experts, double capacity_factor) -> Result<double> {
      if (auto wrong = violated({share("hot_token_share", hot_token_share), at_least("hot_experts", hot_experts, 1),
                                 at_least("experts", experts, 1), not_negative("capacity_factor", capacity_factor)}))
        return *wrong;
      if (hot_experts > experts) return not_applicable("hot_experts must be at most the number of experts");
      // The definition multiplied out: defined for a hot share of zero, too.
      return std::max(0.0, hot_token_share - capacity_factor * hot_experts / experts);
    },
    .monotone = Monotone::mixed,
};

// Quantized weights

constinit const Formula<Bytes, Count, Bytes, Bytes> quantized_weight_bytes{
    .name = "quantized_weight_bytes",
    .text = "parameters * (weight_bits_per_parameter + scale_bits_per_parameter) / 8 bit/B",
    .source = "bits per parameter",
    .parameters = {"parameters", "weight_bits_per_parameter", "scale_bits_per_parameter"},
    .function = [](Count parameters, Bytes weight_bits_per_parameter, Bytes scale_bits_per_parameter) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("parameters", parameters),
                                 not_negative("weight_bits_per_parameter", weight_bits_per_parameter),
                                 not_negative("scale_bits_per_parameter", scale_bits_per_parameter)}))
        return *wrong;
      return 1.0 * parameters * (weight_bits_per_parameter + scale_bits_per_parameter);
    },
};

constinit const Formula<Bytes, Count, Count> double_quantization_scale_bits_per_parameter{
    .name = "double_quantization_scale_bits_per_parameter",
    .text = "8 bit / block_size + 32 bit / (block_size * outer_block_size)",
    .source = "Dettmers et al. 2023 (QLoRA)",
    .parameters = {"block_size", "outer_block_size"},
    .function = [](Count block_size, Count outer_block_size) -> Result<Bytes> {
      if (auto wrong =
              violated({at_least("block_size", block_size, 1), at_least("outer_block_size", outer_block_size, 1)}))
        return *wrong;
      return bits(8) / block_size + bits(32) / (1.0 * block_size * outer_block_size);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::bit_information,
};

// Further parts of the models

constinit const Formula<Count, Count, Count, Count, Count> attention_parameters_per_layer{
    .name = "attention_parameters_per_layer",
    .text = "2 * hidden_size * head_dimension * (attention_heads + kv_heads)",
    .source = "transformer arithmetic, Narayanan et al. 2021 (appendix)",
    .parameters = {"hidden_size", "attention_heads", "kv_heads", "head_dimension"},
    .function = [](Count hidden_size, Count attention_heads, Count kv_heads, Count head_dimension) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("hidden_size", hidden_size), not_negative("attention_heads", attention_heads),
                        not_negative("kv_heads", kv_heads), not_negative("head_dimension", head_dimension)}))
        return *wrong;
      return counted_whole(2.0 * hidden_size * head_dimension * (1.0 * attention_heads + kv_heads));
    },
};

constinit const Formula<Count, Count, Count, Count> feed_forward_parameters_per_layer{
    .name = "feed_forward_parameters_per_layer",
    .text = "matrices * hidden_size * feed_forward_size",
    .source = "transformer arithmetic, Narayanan et al. 2021 (appendix)",
    .parameters = {"hidden_size", "feed_forward_size", "matrices"},
    .function = [](Count hidden_size, Count feed_forward_size, Count matrices) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("hidden_size", hidden_size), not_negative("feed_forward_size", feed_forward_size),
                        between("matrices", matrices, 2, 3)}))
        return *wrong;
      return counted_whole(1.0 * matrices * hidden_size * feed_forward_size);
    },
};

constinit const Formula<Count, Count, Count, Count, Count, Count> expert_parameters_per_layer{
    .name = "expert_parameters_per_layer",
    .text = "matrices * hidden_size * expert_size * (experts + shared_experts) + hidden_size * experts",
    .source = "mixture-of-experts arithmetic, DeepSeek-V3 2024",
    .parameters = {"hidden_size", "expert_size", "matrices", "experts", "shared_experts"},
    .function = [](Count hidden_size, Count expert_size, Count matrices, Count experts,
                   Count shared_experts) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size), not_negative("expert_size", expert_size),
                                 between("matrices", matrices, 2, 3), not_negative("experts", experts),
                                 not_negative("shared_experts", shared_experts)}))
        return *wrong;
      return counted_whole(1.0 * matrices * hidden_size * expert_size * (1.0 * experts + shared_experts) +
                           1.0 * hidden_size * experts);
    },
};

constinit const Formula<Count, Count, Count, Count, Count, Count, Count> active_expert_parameters_per_layer{
    .name = "active_expert_parameters_per_layer",
    .text = "matrices * hidden_size * expert_size * (experts_per_token + shared_experts) + hidden_size * experts",
    .source = "mixture-of-experts arithmetic, DeepSeek-V3 2024",
    .parameters = {"hidden_size", "expert_size", "matrices", "experts_per_token", "shared_experts", "experts"},
    .function = [](Count hidden_size, Count expert_size, Count matrices, Count experts_per_token, Count shared_experts,
                   Count experts) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("hidden_size", hidden_size), not_negative("expert_size", expert_size),
                        between("matrices", matrices, 2, 3), not_negative("experts_per_token", experts_per_token),
                        not_negative("shared_experts", shared_experts), not_negative("experts", experts)}))
        return *wrong;
      if (experts_per_token > experts) return not_applicable("experts_per_token must be at most the number of experts");
      return counted_whole(1.0 * matrices * hidden_size * expert_size * (1.0 * experts_per_token + shared_experts) +
                           1.0 * hidden_size * experts);
    },
};

constinit const Formula<Count, Count> norm_parameters_per_layer{
    .name = "norm_parameters_per_layer",
    .text = "2 * hidden_size",
    .source = "transformer arithmetic",
    .parameters = {"hidden_size"},
    .function = [](Count hidden_size) -> Result<Count> {
      if (auto wrong = violated({not_negative("hidden_size", hidden_size)})) return *wrong;
      return counted_whole(2.0 * hidden_size);
    },
};

constinit const Formula<Count, Count, Count, Count> embedding_parameters{
    .name = "embedding_parameters",
    .text = "(2 - tied) * vocabulary_size * hidden_size",
    .source = "transformer arithmetic",
    .parameters = {"vocabulary_size", "hidden_size", "tied"},
    .function = [](Count vocabulary_size, Count hidden_size, Count tied) -> Result<Count> {
      if (auto wrong = violated({not_negative("vocabulary_size", vocabulary_size),
                                 not_negative("hidden_size", hidden_size), between("tied", tied, 0, 1)}))
        return *wrong;
      return counted_whole((2.0 - tied) * vocabulary_size * hidden_size);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count, Count, Count> layered_model_parameters{
    .name = "layered_model_parameters",
    .text =
        "layers * (attention_parameters + feed_forward_parameters + norm_parameters) + embedding_weights + hidden_size",
    .source = "transformer arithmetic",
    .parameters = {"layers", "attention_parameters", "feed_forward_parameters", "norm_parameters", "embedding_weights",
                   "hidden_size"},
    .function = [](Count layers, Count attention_parameters, Count feed_forward_parameters, Count norm_parameters,
                   Count embedding_weights, Count hidden_size) -> Result<Count> {
      if (auto wrong = violated(
              {not_negative("layers", layers), not_negative("attention_parameters", attention_parameters),
               not_negative("feed_forward_parameters", feed_forward_parameters),
               not_negative("norm_parameters", norm_parameters), not_negative("embedding_weights", embedding_weights),
               not_negative("hidden_size", hidden_size)}))
        return *wrong;
      return counted_whole(layers * (1.0 * attention_parameters + feed_forward_parameters + norm_parameters) +
                           embedding_weights + hidden_size);
    },
};

constinit const Formula<Flop, Count, Count, Count, Count, double> attention_score_flops_per_layer{
    .name = "attention_score_flops_per_layer",
    .text = "4 FLOP * sequence_length ^ 2 * micro_batch_size * attention_heads * head_dimension * score_share",
    .source = "transformer arithmetic, Narayanan et al. 2021 (appendix)",
    .parameters = {"sequence_length", "micro_batch_size", "attention_heads", "head_dimension", "score_share"},
    .function = [](Count sequence_length, Count micro_batch_size, Count attention_heads, Count head_dimension,
                   double score_share) -> Result<Flop> {
      if (auto wrong = violated({not_negative("sequence_length", sequence_length),
                                 not_negative("micro_batch_size", micro_batch_size),
                                 not_negative("attention_heads", attention_heads),
                                 not_negative("head_dimension", head_dimension), share("score_share", score_share)}))
        return *wrong;
      return flop(4) * sequence_length * sequence_length * micro_batch_size * attention_heads * head_dimension *
             score_share;
    },
};

constinit const Formula<Flop, Count, Count> matrix_flops_forward{
    .name = "matrix_flops_forward",
    .text = "2 FLOP * parameters * tokens",
    .source = "matrix product",
    .parameters = {"parameters", "tokens"},
    .function = [](Count parameters, Count tokens) -> Result<Flop> {
      if (auto wrong = violated({not_negative("parameters", parameters), not_negative("tokens", tokens)}))
        return *wrong;
      return flop(2) * parameters * tokens;
    },
};

constinit const Formula<Count, Count, Count> tokens_per_step{
    .name = "tokens_per_step",
    .text = "sequences_per_step * sequence_length",
    .source = "batch arithmetic",
    .parameters = {"sequences_per_step", "sequence_length"},
    .function = [](Count sequences_per_step, Count sequence_length) -> Result<Count> {
      if (auto wrong = violated({not_negative("sequences_per_step", sequences_per_step),
                                 not_negative("sequence_length", sequence_length)}))
        return *wrong;
      return counted_whole(1.0 * sequences_per_step * sequence_length);
    },
};

constinit const Formula<Count, Count, Count, Count> micro_batches_per_step{
    .name = "micro_batches_per_step",
    .text = "sequences_per_step / (data_parallel * micro_batch_size)",
    .source = "batch arithmetic",
    .parameters = {"sequences_per_step", "data_parallel", "micro_batch_size"},
    .function = [](Count sequences_per_step, Count data_parallel, Count micro_batch_size) -> Result<Count> {
      if (auto wrong = violated({at_least("sequences_per_step", sequences_per_step, 1),
                                 at_least("data_parallel", data_parallel, 1),
                                 at_least("micro_batch_size", micro_batch_size, 1)}))
        return *wrong;
      const double sequences_at_once = 1.0 * data_parallel * micro_batch_size;
      if (std::fmod(static_cast<double>(sequences_per_step), sequences_at_once) != 0.0)
        return not_applicable(
            fmt::format("sequences_per_step must be a multiple of data_parallel * micro_batch_size = {:.0f}; it is {}",
                        sequences_at_once, sequences_per_step));
      return counted_whole(sequences_per_step / sequences_at_once);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count, Count, Count> data_parallel_size{
    .name = "data_parallel_size",
    .text = "gpus / (tensor_parallel * pipeline_parallel * context_parallel)",
    .source = "Narayanan et al. 2021",
    .parameters = {"gpus", "tensor_parallel", "pipeline_parallel", "context_parallel"},
    .function = [](Count gpus, Count tensor_parallel, Count pipeline_parallel,
                   Count context_parallel) -> Result<Count> {
      if (auto wrong = violated({at_least("gpus", gpus, 1), at_least("tensor_parallel", tensor_parallel, 1),
                                 at_least("pipeline_parallel", pipeline_parallel, 1),
                                 at_least("context_parallel", context_parallel, 1)}))
        return *wrong;
      const double replica = 1.0 * tensor_parallel * pipeline_parallel * context_parallel;
      if (std::fmod(gpus, replica) != 0.0)
        return not_applicable(
            fmt::format("gpus must be a multiple of the {:.0f} GPUs of a replica; it is {}", replica, gpus));
      return counted_whole(gpus / replica);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> step_count{
    .name = "step_count",
    .text = "ceil(tokens / tokens_in_step)",
    .source = "batch arithmetic",
    .parameters = {"tokens", "tokens_in_step"},
    .function = [](Count tokens, Count tokens_in_step) -> Result<Count> {
      if (auto wrong = violated({not_negative("tokens", tokens), at_least("tokens_in_step", tokens_in_step, 1)}))
        return *wrong;
      return counted_whole(whole_at_least(1.0 * tokens / tokens_in_step));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Count, Count, Time> training_time_from_step{
    .name = "training_time_from_step",
    .text = "ceil(tokens / tokens_in_step) * step_time",
    .source = "steps times step time",
    .parameters = {"tokens", "tokens_in_step", "step_time"},
    .function = [](Count tokens, Count tokens_in_step, Time step_time) -> Result<Time> {
      if (auto wrong = violated({not_negative("tokens", tokens), at_least("tokens_in_step", tokens_in_step, 1),
                                 not_negative("step_time", step_time)}))
        return *wrong;
      return whole_at_least(1.0 * tokens / tokens_in_step) * step_time;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Time, Time, Time, Time> step_time_sum{
    .name = "step_time_sum",
    .text = "compute_time + exposed_communication_time + bubble_time + loader_time + optimizer_time",
    .source = "step time ledger",
    .parameters = {"compute_time", "exposed_communication_time", "bubble_time", "loader_time", "optimizer_time"},
    .function = [](Time compute_time, Time exposed_communication_time, Time bubble_time, Time loader_time,
                   Time optimizer_time) -> Result<Time> {
      if (auto wrong = violated({not_negative("compute_time", compute_time),
                                 not_negative("exposed_communication_time", exposed_communication_time),
                                 not_negative("bubble_time", bubble_time), not_negative("loader_time", loader_time),
                                 not_negative("optimizer_time", optimizer_time)}))
        return *wrong;
      return compute_time + exposed_communication_time + bubble_time + loader_time + optimizer_time;
    },
};

constinit const Formula<FlopRate, Flop, Count, Time> achieved_flops_per_gpu{
    .name = "achieved_flops_per_gpu",
    .text = "step_flops / (gpus * step_time)",
    .source = "operations over time",
    .parameters = {"step_flops", "gpus", "step_time"},
    .function = [](Flop step_flops, Count gpus, Time step_time) -> Result<FlopRate> {
      if (auto wrong = violated(
              {not_negative("step_flops", step_flops), at_least("gpus", gpus, 1), above_zero("step_time", step_time)}))
        return *wrong;
      return step_flops / (1.0 * gpus * step_time);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Time, double> exposed_time{
    .name = "exposed_time",
    .text = "max(0, communication_time - overlap_share * hiding_time)",
    .source = "overlap model",
    .parameters = {"communication_time", "hiding_time", "overlap_share"},
    .function = [](Time communication_time, Time hiding_time, double overlap_share) -> Result<Time> {
      if (auto wrong = violated({not_negative("communication_time", communication_time),
                                 not_negative("hiding_time", hiding_time), share("overlap_share", overlap_share)}))
        return *wrong;
      return std::max(seconds(0), communication_time - overlap_share * hiding_time);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate, Time> tree_all_reduce_time{
    .name = "tree_all_reduce_time",
    .text = "2 * log2(ranks) * step_latency + 2 * buffer / bandwidth; 0 for one rank",
    .source = "double binary tree, Sanders et al. 2009",
    .parameters = {"buffer", "ranks", "bandwidth", "step_latency"},
    .function = [](Bytes buffer, Count ranks, DataRate bandwidth, Time step_latency) -> Result<Time> {
      if (auto wrong = violated({not_negative("buffer", buffer), at_least("ranks", ranks, 1),
                                 above_zero("bandwidth", bandwidth), not_negative("step_latency", step_latency)}))
        return *wrong;
      if (ranks == 1) return seconds(0);
      return 2.0 * std::log2(static_cast<double>(ranks)) * step_latency + 2.0 * buffer / bandwidth;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate, Time> all_gather_time{
    .name = "all_gather_time",
    .text = "(ranks - 1) * (step_latency + buffer / (ranks * bandwidth))",
    .source = "latency-bandwidth model, Thakur et al. 2005",
    .parameters = {"buffer", "ranks", "bandwidth", "step_latency"},
    .function = [](Bytes buffer, Count ranks, DataRate bandwidth, Time step_latency) -> Result<Time> {
      if (auto wrong = violated({not_negative("buffer", buffer), at_least("ranks", ranks, 1),
                                 above_zero("bandwidth", bandwidth), not_negative("step_latency", step_latency)}))
        return *wrong;
      return (ranks - 1.0) * (step_latency + buffer / (1.0 * ranks * bandwidth));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Bytes, Count, DataRate, Time> all_to_all_time{
    .name = "all_to_all_time",
    .text = "(ranks - 1) * (step_latency + bytes_per_rank / (ranks * bandwidth))",
    .source = "latency-bandwidth model, Thakur et al. 2005",
    .parameters = {"bytes_per_rank", "ranks", "bandwidth", "step_latency"},
    .function = [](Bytes bytes_per_rank, Count ranks, DataRate bandwidth, Time step_latency) -> Result<Time> {
      if (auto wrong = violated({not_negative("bytes_per_rank", bytes_per_rank), at_least("ranks", ranks, 1),
                                 above_zero("bandwidth", bandwidth), not_negative("step_latency", step_latency)}))
        return *wrong;
      return (ranks - 1.0) * (step_latency + bytes_per_rank / (1.0 * ranks * bandwidth));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Bytes, Bytes, Count, Count> hierarchical_all_reduce_bytes_per_nic{
    .name = "hierarchical_all_reduce_bytes_per_nic",
    .text = "2 * (nodes - 1) / nodes * payload / gpus_per_node",
    .source = "hierarchical all-reduce: reduce-scatter in the node, exchange of shards, gather",
    .parameters = {"payload", "nodes", "gpus_per_node"},
    .function = [](Bytes payload, Count nodes, Count gpus_per_node) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("payload", payload), at_least("nodes", nodes, 1),
                                 at_least("gpus_per_node", gpus_per_node, 1)}))
        return *wrong;
      return 2.0 * (nodes - 1.0) / nodes * payload / gpus_per_node;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> training_formulas() {
  return {
      any(ieee_format_largest_finite_value),
      any(finite_only_format_largest_finite_value),
      any(format_smallest_subnormal_value),
      any(accumulated_ones_stall_value),
      any(unaccounted_step_fraction),
      any(unexplained_step_fraction),
      any(ring_all_reduce_bytes_per_rank),
      any(many_rank_ring_all_reduce_time),
      any(ring_all_reduce_bandwidth_time),
      any(ring_all_reduce_time),
      any(ring_latency_bandwidth_crossover),
      any(accumulated_all_reduce_bytes_per_micro_batch),
      any(pipeline_boundary_bytes_per_step),
      any(model_flops_utilization),
      any(implied_utilization_from_duration),
      any(implied_utilization_from_gpu_time),
      any(sharded_optimizer_bytes_per_rank),
      any(pipeline_bubble_to_ideal_time_ratio),
      any(pipeline_bubble_fraction),
      any(gpipe_in_flight_micro_batches),
      any(one_forward_one_backward_in_flight_micro_batches),
      any(recompute_flops_ratio),
      any(activation_bytes_per_layer),
      any(context_parallel_activation_bytes_per_layer),
      any(activation_bytes_all_layers),
      any(attention_score_bytes_per_layer),
      any(full_recompute_activation_bytes),
      any(expert_dispatch_bytes),
      any(node_limited_expert_dispatch_bytes),
      any(parallel_gpu_count),
      any(weight_bytes_per_gpu),
      any(training_state_bytes_per_gpu),
      any(largest_weight_an_update_changes),
      any(overlap_tokens_per_gpu),
      any(overlap_line_rate_per_gpu),
      any(training_time_from_tokens),
      any(training_time),
      any(kv_cache_bytes_per_token),
      any(latent_cache_bytes_per_token),
      any(multi_head_to_latent_cache_ratio),
      any(training_flops),
      any(training_token_rate),
      any(nodes_for_training_state),
      any(tensor_parallel_communication_to_compute_ratio),
      any(expert_load_factor),
      any(expert_dropped_token_fraction),
      any(quantized_weight_bytes, {nullptr, &kind::bit_information, &kind::bit_information}),
      any(double_quantization_scale_bits_per_parameter),
      any(attention_parameters_per_layer),
      any(feed_forward_parameters_per_layer),
      any(expert_parameters_per_layer),
      any(active_expert_parameters_per_layer),
      any(norm_parameters_per_layer),
      any(embedding_parameters),
      any(layered_model_parameters),
      any(attention_score_flops_per_layer),
      any(matrix_flops_forward),
      any(tokens_per_step),
      any(micro_batches_per_step),
      any(data_parallel_size),
      any(step_count),
      any(training_time_from_step),
      any(step_time_sum),
      any(achieved_flops_per_gpu),
      any(exposed_time),
      any(tree_all_reduce_time),
      any(all_gather_time),
      any(all_to_all_time),
      any(hierarchical_all_reduce_bytes_per_nic),
  };
}

} // namespace hallwright
