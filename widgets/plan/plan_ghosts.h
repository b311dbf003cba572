// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_model.h"

/// Old places of what a preview moves, reshapes or takes away: outlines beside the new ones.
namespace hallwright::plan {

struct Ghost {
  PlanLayer layer = PlanLayer::racks;
  QPolygonF outline; ///< scene
  bool closed = true; ///< a run is not
  bool gone = false;  ///< it is not there any more
  QPointF from, to;   ///< old and new middle, where it moves
};

/// What stands in `before` and not in the same place and size in `now`.
std::vector<Ghost> ghosts_between(const PlanModel& before, const PlanModel& now);

/// Dashed outlines, an arrow to the new place; what goes is crossed out. Of very many only the frames.
/// @param hidden  by layer
void paint_ghosts(const Canvas& canvas, const std::vector<Ghost>& ghosts, const QRectF& sight,
                  const std::array<bool, layer_count>& hidden);

} // namespace hallwright::plan
