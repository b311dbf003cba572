// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "training/step_model.h"

/// How far an estimate of a step time may be trusted: where the job lies among measured runs, and what it hangs on.
namespace hallwright {

/// Where a run lies among those that the constants were fitted to.
enum class CalibrationRegion : std::uint8_t { inside, between, outside };
std::string_view region_word(CalibrationRegion r); ///< "inside"

struct CalibrationPlace {
  CalibrationRegion region = CalibrationRegion::outside;
  std::vector<std::string> nearest; ///< ids of the nearest measured runs, up to three, nearest first
};
/// @param own_id a measured run that does not count (the run itself); may be empty
/// @param shape_open whether the shape of the model was guessed: then never inside
CalibrationPlace place_among_measured(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster,
                                      SoftwareStack stack, double gpus, std::string_view own_id, bool shape_open);
/// Half width of the 90 % interval, as a logarithm: the step lies between step x exp(-width) and step x exp(width).
double interval_width(const TrainingConstants& c, CalibrationRegion region, bool experts);

/// A part of a step with its words: "matrix products".
struct StepTerm {
  std::string_view words;
  double seconds = 0;
};
/// All parts of a step, in the order of `StepParts`.
std::vector<StepTerm> step_terms(const StepParts& parts);
/// The three that the estimate hangs on: "matrix products 62 %".
std::vector<std::string> largest_terms(const StepParts& parts);

} // namespace hallwright
