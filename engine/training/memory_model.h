// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/step_model_inputs.h"

/// Memory of one accelerator of a pipeline stage: closed form, no allocation. Every result is an estimate.
namespace hallwright {

struct StackConstants;
struct TrainingConstants;

/// Layers of pipeline stage `stage` (from 0): equal ones, or one more on the first and what is left on the last.
double stage_layers(double layers, double stages, double stage);

struct RankMemory {
  double weights = 0, gradients = 0, optimizer = 0, activations = 0, logits = 0, buffers = 0, slack = 0; ///< bytes
  double host = 0; ///< bytes in the host's memory instead; not in the total
  [[nodiscard]] double total() const {
    return weights + gradients + optimizer + activations + logits + buffers + slack;
  }
};

/// Bytes that one layer keeps of one micro-batch, one rank.
/// @source Korthikanti et al. 2022 (s b h (10 + 24/t + 5 a s / (h t)), all over t with sequence parallelism)
double layer_activation_bytes(const ModelDimensions& m, const JobSplit& j, const StackConstants& stack, bool experts,
                              Recompute recompute);

/// Parameters on one rank of a stage: dense ones and routed experts.
struct RankParameters {
  double dense = 0, experts = 0;
};
RankParameters rank_parameters(const ModelDimensions& m, const JobSplit& j, double stage);

/// Weights of the trained adapters of a rank in a stage; 0 where every weight is trained.
double rank_adapter_parameters(const ModelDimensions& m, const JobSplit& j, double stage);

/// Layers whose activations stay on the accelerator while those of others lie in the host's memory: the one at work
/// and the one on its way.
constexpr double layers_beside_host = 2.0;

/// Memory of a rank of `stage` (from 0). What is offloaded leaves two layers of it behind, as buffers.
RankMemory rank_memory(const ModelDimensions& m, const JobSplit& j, const TrainingConstants& c,
                       const StackConstants& stack, double stage);
/// The heavier of the first and the last stage, and which.
RankMemory heaviest_rank_memory(const ModelDimensions& m, const JobSplit& j, const TrainingConstants& c,
                                const StackConstants& stack, double* stage = nullptr);

} // namespace hallwright
