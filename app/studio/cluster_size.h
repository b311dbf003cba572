// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "evaluation/evaluation.h"

namespace hallwright {

/// "568 GPUs · 71 nodes · 18 racks drawn": the answer to "what fits". Empty where nothing is known yet.
QString cluster_size(const Evaluation& evaluation);

} // namespace hallwright
