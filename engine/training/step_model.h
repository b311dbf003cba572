// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "training/memory_model.h"
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
  double other = 0;   ///< data, logging, norms of a step
  double offload = 0; ///< to the host and back, what no work hides
  [[nodiscard]] double total() const {
    return matrix + attention + passes + experts + recompute + logits + launch + tensor + context + expert + pipeline +
           data + bubble + optimizer + stragglers + other + offload;
  }
};

/// Seconds of one layer and micro-batch, one direction.
struct LayerSeconds {
  double matrix = 0, attention = 0, passes = 0, experts = 0, launch = 0, tensor = 0, context = 0, expert = 0;
  [[nodiscard]] double total() const {
    return matrix + attention + passes + experts + launch + tensor + context + expert;
  }
};
/// One micro-batch in a mean layer, and in the output layer and loss (both directions), seconds.
struct MicroBatchSeconds {
  LayerSeconds forward, backward;
  double output = 0;
};

/// The step in two parts, so that a search computes the first once for many layouts. `step_time` is both of them.
class StepModel {
public:
  /// All arguments must outlive this. The axes of `split` may change between calls (then `place`); its sequence, recipe
  /// and hottest expert may not.
  StepModel(const ModelDimensions& m, const JobSplit& split, const ClusterRates& cluster, const TrainingConstants& c,
            const StackConstants& stack);
  ~StepModel();
  StepModel(const StepModel&) = delete;
  StepModel& operator=(const StepModel&) = delete;

  /// Takes up the axes of the split as they now stand. Allocates nothing, as both calls below.
  void place();
  /// The same for all layouts with equal micro_batch, tp, cp, ep and sequence_parallel, with as many accelerators in a
  /// scale-up domain, and of which all or none compute another micro-batch beside the exchange of experts (vpp above 1,
  /// ZB-V, bidirectional).
  [[nodiscard]] MicroBatchSeconds micro_batch() const;
  [[nodiscard]] StepParts step(const MicroBatchSeconds& each) const;

  class Sum; ///< the model itself

private:
  std::unique_ptr<Sum> sum_;
};

/// Operations of a step that the model needs: causal attention halved, no recompute (the convention of MFU here).
double model_flops_per_step(const ModelDimensions& m, const JobSplit& j);

/// Time of a step of a legal split (see split_problem).
StepParts step_time(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster,
                    const TrainingConstants& c, const StackConstants& stack);

/// Why a split cannot be run, with the nearest legal values; empty when it can.
std::string split_problem(const ModelDimensions& m, const JobSplit& j, double gpus);

} // namespace hallwright
