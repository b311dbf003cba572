// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "design/entities.h"
#include "fabric/network_reach.h"
#include "training/number_formats.h"
#include "training/schedule.h"

/// What the step-time and memory model take: plain numbers with the unit in the name, so that a search can hold many.
namespace hallwright {

/// A model by its dimensions. Zero experts: dense.
struct ModelDimensions {
  double layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dimension = 0;
  double ffn = 0; ///< width of a dense feed-forward part
  bool gated = false;
  double vocabulary = 0;
  bool tied_embeddings = false;
  double experts = 0, experts_per_token = 0, experts_shared = 0, expert_ffn = 0;
  double first_dense_layers = 0, expert_layer_spacing = 1;
  // Latent attention; a rank of zero: not compressed.
  bool latent = false;
  double q_rank = 0, kv_rank = 0, nope_dimension = 0, rope_dimension = 0, v_dimension = 0;
  double window = 0, windowed_share = 0; ///< tokens, and share of the layers that see only them
  double dropout = 0;                    ///< 1: masks are kept (models of 2019 to 2022)

  [[nodiscard]] double expert_layers() const;
  [[nodiscard]] double query_width() const; ///< heads x head, also the width of scores
  [[nodiscard]] double value_width() const; ///< heads x head of values
  [[nodiscard]] double attention_parameters() const, ffn_parameters() const, expert_parameters() const; ///< of a layer
  [[nodiscard]] double layer_parameters(bool with_experts, bool active_only) const;
  /// Keys that a token sees in the mean over a causal sequence and the layers, windows counted.
  [[nodiscard]] double attended_keys(double sequence) const;
  /// Weights of the low-rank adapters of a layer: rank x (inputs + outputs) of each product that carries one; routed
  /// experts carry none. @source Hu et al. 2021 (LoRA)
  [[nodiscard]] double adapter_parameters(double rank, bool in_feed_forward, bool with_experts) const;
  [[nodiscard]] double parameters(bool active_only) const;
  friend bool operator==(const ModelDimensions&, const ModelDimensions&) = default;
};

enum class AcceleratorFamily : std::uint8_t { volta, ampere, hopper, blackwell, other };
/// Parts of one family with another power or memory than the first.
enum class AcceleratorVariant : std::uint8_t { first, b300, gb200, gb300 };

/// The accelerator and what joins it, from the catalog or the drawn cluster.
struct ClusterRates {
  AcceleratorFamily family = AcceleratorFamily::hopper;
  AcceleratorVariant variant = AcceleratorVariant::first;
  double peak_tflops = 989;      ///< dense in the recipe of the job
  double half_peak_tflops = 989; ///< dense, 16 bit
  double memory_gb_s = 3350, memory_gib = 80;
  double scale_up_gb_s = 450; ///< one way; 0: none
  double scale_up_ranks = 8;  ///< accelerators in a domain
  double network_gb_s = 50;   ///< of the NICs of one accelerator, one way
  double hop_us = 5;          ///< of one network step
  NetworkReach reach;         ///< how far the network carries that rate
  double clock = 1;           ///< of products and attention under a power cap, over that without
  friend bool operator==(const ClusterRates&, const ClusterRates&) = default;
};

/// A job and how it is split.
struct JobSplit {
  double sequence = 2048, global_batch = 1024, micro_batch = 1;
  double tp = 1, cp = 1, pp = 1, vpp = 1, ep = 1, dp = 1;
  bool sequence_parallel = false;
  Sharding sharding = Sharding::none;
  double shard_ranks = 0; ///< that parameters are sharded over; 0: all data-parallel ranks
  Recompute recompute = Recompute::none;
  PrecisionRecipe recipe = PrecisionRecipe::half;
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  double hot_expert = 1; ///< load of the fullest expert-parallel rank over the mean
  AxisOrder axis_order = AxisOrder::data_before_pipeline;
  bool tensor_overlap = true, pipeline_overlap = true, data_overlap = true; ///< where the stack can
  double adapter_rank = 0;             ///< inner width of trained low-rank adapters; 0: every weight is trained
  bool adapters_in_feed_forward = true; ///< else in attention only
  double frozen_bytes = 2;             ///< of a weight that is not trained
  double gradient_bytes = 4;           ///< of a gradient until the optimizer has used it
  double wire_gradient_bytes = 0;      ///< of one that is exchanged; 0: the stack's
  double state_bytes_less = 0;         ///< of master weight and moments, than the constants say (32 bits each)
  bool offloads_optimizer = false, offloads_activations = false; ///< to the host's memory
  double host_gb_s = 25;               ///< between an accelerator and its host, each way

  [[nodiscard]] double gpus() const { return tp * cp * pp * dp; }
  [[nodiscard]] double micro_batches() const { return global_batch / (dp * micro_batch); }
  [[nodiscard]] bool trains_adapters() const { return adapter_rank > 0; }
  friend bool operator==(const JobSplit&, const JobSplit&) = default;
};

} // namespace hallwright
