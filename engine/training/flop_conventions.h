// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/step_model_inputs.h"

/// Operations of a step by the conventions in use: compare seconds, and utilizations of one convention only.
namespace hallwright {

/// Operations that the hardware does: those of the model (causal attention halved) and the second forward that
/// recomputation asks for. The scores that fused attention computes again in its backward pass are left out, as all
/// conventions do.
/// @source Narayanan et al. 2021 (appendix); Korthikanti et al. 2022: hardware FLOPs utilization
double hardware_flops_per_step(const ModelDimensions& m, const JobSplit& j);

} // namespace hallwright
