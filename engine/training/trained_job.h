// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/step_model_inputs.h"

namespace hallwright {

/// The training job of a design as the step-time and memory model take it: what the stage computes with, and what a
/// search of layouts starts from.
struct TrainedJob {
  ModelDimensions model;
  JobSplit split;
  ClusterRates cluster;
  SoftwareStack stack = SoftwareStack::nemo;
  double gpus = 0;           ///< that the design has
  double memory_bytes = 0;   ///< of one accelerator
  double step_factor = 1;    ///< measured over modelled step time of the user's own run; 1: not calibrated
  friend bool operator==(const TrainedJob&, const TrainedJob&) = default;
};

} // namespace hallwright
