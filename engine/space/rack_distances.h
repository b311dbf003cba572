// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "space/floor_plan.h"

/// How far compute racks stand from the fabric.
namespace hallwright {

/// Sets the mean and the longest distance of `out`.
void add_distances(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, SpaceResult& out);

[[nodiscard]] std::vector<AnyFormula> rack_distance_formulas();

} // namespace hallwright
