// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "evaluation/evaluation.h"

/// What a new design begins with, and a training job that fits the GPUs that a design has.
namespace hallwright {

/// What is known before anything is drawn.
struct StartingPoint {
  enum class Known { nothing, site_power, gpus };
  Known known = Known::nothing;
  Power site_power = megawatts(1); ///< for `site_power`, above zero
  Count gpus = 1024;               ///< for `gpus`, at least 1
  std::string node_part = "dgx-h100"; ///< for both: node of the catalog to count with
};

/// A design with the goal, the site and the job of a starting point: nothing is drawn. With `gpus` the utility power
/// is what those draw, by the estimated chain or by the PUE of the goal, whichever is more, rounded up to two digits. With `nothing` the job is a small one, and asks for 8 GPUs.
Design starting_design(const StartingPoint& start, const Shared<Catalog>& catalog);

/// A job whose layout uses the GPUs of the design and has no error among the training rules: the largest dense Llama
/// 3.1 that is customary for so many (405B from 4,096 GPUs on, 70B from 512 on; project choices), in the layouts of its
/// report (arXiv:2407.21783), as many replicas as there are GPUs for, and a batch near the model's own in whole replicas.
/// The MFU and what else the job says stay as they are.
/// @return nothing when the design has no GPUs or none of the layouts fits
std::optional<Job> fitted_job(const Design& design, const Shared<Catalog>& catalog, const Evaluation* evaluation = nullptr);

} // namespace hallwright
