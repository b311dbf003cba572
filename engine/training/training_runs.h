// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/catalog.h"
#include "training/software_stack.h"
#include "training/step_confidence.h"

/// Predicted step times beside a table of training runs, for `hallwright-cli train`, for the harness and for fitting.
namespace hallwright {

/// One line of a table as the model takes it. What the line leaves open is taken from the catalog's model of the name,
/// from the usual practice of the software, or chosen (`assumed` names it); what is measured is never read.
struct TrainingRun {
  std::string id, model, accelerator;
  ModelDimensions dimensions;
  ClusterRates cluster;
  JobSplit split;
  SoftwareStack stack = SoftwareStack::nemo;
  double gpus = 0;
  bool micro_batch_open = false, recompute_open = false, shape_open = false;
  std::vector<std::string> assumed;
  std::string missing; ///< what a prediction lacks; empty when there is one
  std::string illegal; ///< why the split cannot be run
};

struct RunPrediction {
  StepParts parts;
  JobSplit split;                           ///< with what was open chosen
  double step_s = 0, low_s = 0, high_s = 0; ///< 90 %
  double tflops_per_gpu = 0, mfu = 0;       ///< model FLOPs, causal attention halved
  RankMemory memory;
  bool fits = true;
  std::string made_room; ///< how activations that would not fit are taken to; empty where they fit
  CalibrationRegion region = CalibrationRegion::outside;
  std::vector<std::string> nearest;       ///< ids of the nearest measured runs, up to three
  std::vector<std::string> largest_terms; ///< the three that the estimate hangs on: "matrix products 62 %"
};

/// Reads CSV with the columns of the table. Refused, all problems at once: what is no text; a name that stands twice in
/// the header, or is that of an added column; a header without any column that is read; lines longer than the header;
/// and each value that is out of its range, with its line, column and what is allowed.
tl::expected<std::vector<TrainingRun>, std::vector<std::string>> read_training_runs(std::string_view csv,
                                                                                    const Catalog& catalog);
/// Prediction of a run that misses nothing and is legal.
RunPrediction predict_run(const TrainingRun& run, const TrainingConstants& constants);

struct TrainingTable {
  std::string csv;
  std::size_t predicted = 0, does_not_fit = 0, illegal = 0, not_enough = 0;
  std::vector<std::string> not_read; ///< columns of the input that no prediction looks at
};
/// Every column of the input, then predicted_step_s, predicted_low_s, predicted_high_s, predicted_tflops_per_gpu,
/// predicted_mfu, predicted_memory_gib, status, region. As JSON: an array of objects with these and the parts. Every number is finite
/// and above 0; where the model gives none, the status is "illegal" and says which.
tl::expected<TrainingTable, std::vector<std::string>> predict_training_runs(std::string_view csv,
                                                                            const Catalog& catalog, bool json = false);

} // namespace hallwright
