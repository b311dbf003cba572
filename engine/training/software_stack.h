// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/catalog.h"
#include "design/entities.h"

/// Constants of the step-time model, from rows `training.*` of the catalog. Each has a meaning and was fitted to
/// published runs or stated by a source; none belongs to a single run or source.
namespace hallwright {

std::string_view stack_word(SoftwareStack s); ///< "megatron_2020"

/// What a stack does with attention scores. First fused kernels: FlashAttention 1 and Triton; second:
/// FlashAttention 2; present: cuDNN and FlashAttention 3.
enum class AttentionKernel : std::uint8_t { stored, first_fused, second_fused, present };

/// Constants that differ by stack. Most are shared by the stacks of a generation (see `training_constant_list`).
struct StackConstants {
  AttentionKernel attention = AttentionKernel::present;
  double elementwise = 1;     ///< passes over memory beside matrix products, 1: every operation alone, fused norms
  double launch_us = 0;       ///< of the host for a layer forward; backward half as much again
  double expert_layer_us = 0; ///< of the host, more for a layer with experts, forward
  double tp_overlap = 0, pp_overlap = 0, dp_overlap = 0; ///< share of communication that hides
  double ep_overlap = 0;                                 ///< the same, where the schedule interleaves
  double gradient_bytes = 2;                             ///< of a gradient on the wire before a sharded optimizer
  double boundary_copies = 0;       ///< whole activations that a stage keeps of each micro-batch in flight at its ends
  double all_to_all_share = 0.5;    ///< rate of the exchange of experts over that of other collectives
  double expert_passes = 0;         ///< over dispatched tokens in memory: permute, pad, activation
  double step_us = 0;               ///< of a step: data, logging, norm of gradients
  double logit_bytes = 20;          ///< passed per logit by softmax and loss, both directions
  double accumulate_bytes = 8;      ///< passed per parameter and micro-batch to sum gradients
  bool shards_master = false;       ///< fully sharded weights are the 32-bit master, without a copy in 16 bits
  bool merges_groups = false;       ///< products of all experts of a rank run as one
  bool recomputes_products = false; ///< selective recomputing takes every second product, not the core of attention
  bool sums_in_products = true;     ///< the product that makes a gradient adds it to the sum
  /// Rate of grouped products of experts over one product of the size, in 16 bits and in fewer.
  double grouped_half_share = 0.6, grouped_share = 0.6;

  [[nodiscard]] bool stores_scores() const { return attention == AttentionKernel::stored; }
};

struct TrainingConstants {
  // Share of the dense peak that a large product sustains, by family (Volta to Blackwell, other).
  std::array<double, 5> half_share{}, fp8_share{}, mx_share{}, fp4_share{};
  std::array<double, 4> variant_clock{};   ///< first, B300, GB200, GB300
  std::array<double, 5> attention_share{}; ///< of the 16-bit peak, present kernels, forward, long sequences
  /// Rate of older fused kernels over present ones, by family.
  std::array<double, 5> first_attention{1, 1, 1, 1, 1}, second_attention{1, 1, 1, 1, 1};
  std::array<double, 5> ramp_k{}, processors{};
  double wave_weight = 0.5;
  double memory_share = 0.85;
  double score_bytes = 11;   ///< passed per stored score, forward
  double quantise_bytes = 4; ///< passed per element that is turned to 8 bits or fewer
  double scale_up_share = 0.75, scale_up_us = 10;
  double network_share = 0.8, network_us = 20, network_hop_us = 4;
  double optimizer_bytes = 30; ///< passed per parameter
  double tensor_host = 0.2;    ///< more host time of a layer with tensor parallelism
  double grace_host = 1;       ///< host time in GB200 and GB300 systems over that beside x86 processors
  double straggler = 0.004;    ///< per doubling of the nodes
  double optimizer_state_bytes = 12;
  double memory_context_gib = 1, memory_slack = 0.03;
  // 90 % interval: spread of log(measured / model) by region.
  double interval_inside = 0.15, interval_between = 0.2, interval_outside = 0.35, interval_experts = 1.5;
  std::array<StackConstants, stack_count> stacks{};
};

/// One constant: its catalog id, unit, and where it goes: one place, or one in each stack that shares it. For
/// loading, for fitting and for the list in the help.
struct TrainingConstant {
  std::string id, name, unit;
  std::vector<double*> places;
};
std::vector<TrainingConstant> training_constant_list(TrainingConstants& c);

/// What is a fact of each program rather than a figure: kernels of attention, formats on the wire, overlap that it
/// does not have.
void set_stack_facts(TrainingConstants& c);

/// @return the constants, or a sentence that names the row that is missing or in a wrong unit
tl::expected<TrainingConstants, std::string> training_constants(const Catalog& catalog);

} // namespace hallwright
