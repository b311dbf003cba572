// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "training/training_runs.h"

/// Step times of published runs beside those of the model, for the page that shows them all and for its test.
namespace hallwright {

/// A published run and what the model says of it.
struct ValidatedRun {
  TrainingRun run;
  RunPrediction prediction;
  std::string source;      ///< the publication
  std::string family;      ///< short name of the source: runs of one count together
  double measured_s = 0;   ///< seconds of a step, worked out from the run's own tokens and rates
  double deviation = 0;    ///< ours over measured less one
  bool in_interval = false;
  [[nodiscard]] bool experts() const { return run.dimensions.experts > 0; }
};

/// How far a set of runs is off.
struct ValidationSummary {
  std::string name; ///< "dense", "experts", or a family
  std::size_t runs = 0;
  double mean = 0, median = 0, p90 = 0; ///< of the absolute deviation
  double bias = 0;                      ///< mean deviation
  double in_interval = 0;               ///< share of runs that the 90 % interval holds
};

struct TrainingValidation {
  std::vector<ValidatedRun> runs;
  /// Dense and experts, where every source counts the same however many runs it has; then each source.
  std::vector<ValidationSummary> summaries;
  std::size_t not_scored = 0; ///< runs that state too little, have one GPU, or whose shape is not published
};

/// Runs of a table with the columns of resources/validation/training_runs.csv.
tl::expected<TrainingValidation, std::vector<std::string>> validate_training_runs(std::string_view csv, const Catalog& catalog);

} // namespace hallwright
