// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "training/schedule.h"
#include "training/software_stack.h"
#include "training/step_model.h"
#include "training/trained_job.h"

/// The step of a job as its schedule plays, to be drawn.
namespace hallwright {

struct StepTimeline {
  std::shared_ptr<const PipelineTimeline> timeline; ///< seconds; null: `problem` says why
  double transfer = 0;  ///< seconds that an activation takes to the next stage and does not hide
  double gradients = 0; ///< exposed gradient and weight exchange after the pipeline has drained, seconds
  double optimizer = 0; ///< seconds
  double rest = 0;      ///< stragglers, data and logging, seconds
  std::string problem;
};
/// All stages take as long as the busiest one. A forward pass is a third of the model's work of a micro-batch, the
/// backward pass two thirds and what is computed again; zero-bubble schedules split the latter into halves.
/// @param factor measured over modelled step time, multiplies every time
StepTimeline step_timeline(const JobSplit& split, const StepParts& parts, double factor);

} // namespace hallwright
