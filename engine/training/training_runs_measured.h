// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "training/software_stack.h"
#include "training/step_model_inputs.h"

namespace hallwright {

/// A published run that the constants were fitted to: enough to say how near a job is, and its seconds.
struct MeasuredRun {
  std::string_view id;
  AcceleratorFamily family;
  PrecisionRecipe recipe;
  SoftwareStack stack;
  double gpus, hidden, layers, experts, sequence, tp, pp, step_s;
};
/// @source resources/validation/training_runs.csv, which names the publication of each
std::span<const MeasuredRun> measured_runs();

} // namespace hallwright
