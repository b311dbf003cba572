// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "training/memory_model.h"
#include "training/software_stack.h"
#include "training/step_model_inputs.h"

/// Seconds of a training step from the shapes of the model, the split of the job and the rates of the cluster. Closed
/// form, plain numbers, no allocation in `step_time`. Every result is an estimate.
namespace hallwright {

/// Where a step goes, seconds on the busiest pipeline stage; the parts add up to the total.
struct StepParts {
  double matrix = 0;    ///< products of layers, without the second forward
  double attention = 0; ///< scores and their weighted sum
  double passes = 0;    ///< norms, activations, residuals, turning to 8 bits: at memory rate
  double experts = 0;   ///< router, permutation, host work of layers with experts
  double recompute = 0; ///< the second forward
  double logits = 0;    ///< output layer, loss and embedding
  double launch = 0;    ///< the GPU waits for its host
  double tensor = 0, context = 0, expert = 0, pipeline = 0, data = 0; ///< exposed communication by axis
  double bubble = 0;                                                  ///< the pipeline fills and drains
  double optimizer = 0;
  double stragglers = 0;
  double other = 0; ///< data, logging, norms of a step
  [[nodiscard]] double total() const {
    return matrix + attention + passes + experts + recompute + logits + launch + tensor + context + expert + pipeline +
           data + bubble + optimizer + stragglers + other;
  }
};

/// Operations of a step that the model needs: causal attention halved, no recompute (the convention of MFU here).
double model_flops_per_step(const ModelDimensions& m, const JobSplit& j);

/// Time of a step of a legal split (see split_problem).
StepParts step_time(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster,
                    const TrainingConstants& c, const StackConstants& stack);

/// Why a split cannot be run, with the nearest legal values; empty when it can.
std::string split_problem(const ModelDimensions& m, const JobSplit& j, double gpus);

} // namespace hallwright
