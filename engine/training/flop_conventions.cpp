// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/flop_conventions.h"

#include <algorithm>

#include "training/step_model.h"

namespace hallwright {

double hardware_flops_per_step(const ModelDimensions& m, const JobSplit& j) {
  const double model = model_flops_per_step(m, j), tokens = j.global_batch * j.sequence;
  if (j.recompute == Recompute::full) return model + (model - 6.0 * tokens * m.hidden * m.vocabulary) / 3.0;
  if (j.recompute == Recompute::none) return model;
  const double seen = j.sequence / 2.0, window = m.window > 0 ? std::min(seen, m.window) : seen;
  const double keys = seen * (1.0 - m.windowed_share) + window * m.windowed_share;
  return model + 2.0 * tokens * m.layers * (m.query_width() + m.value_width()) * keys;
}

} // namespace hallwright
