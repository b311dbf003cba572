// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/flop_conventions.h"

#include <algorithm>

#include "training/step_model.h"

namespace hallwright {

double hardware_flops_per_step(const ModelDimensions& m, const JobSplit& j) {
  const double model = model_flops_per_step(m, j), tokens = j.global_batch * j.sequence;
  if (j.recompute == Recompute::full) {
    JobSplit every = j; // the forward pass is a third of the work on a model whose every weight is trained
    every.adapter_rank = 0;
    return model + (model_flops_per_step(m, every) - 6.0 * tokens * m.hidden * m.vocabulary) / 3.0;
  }
  if (j.recompute == Recompute::none) return model;
  return model + 2.0 * tokens * m.layers * (m.query_width() + m.value_width()) * m.attended_keys(j.sequence);
}

} // namespace hallwright
