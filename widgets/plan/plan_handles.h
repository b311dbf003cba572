// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include "widgets/plan/plan_draw_edits.h"

/// What is taken hold of to reshape the selection: corners, middles of sides, sides of a box, and the turning handle.
namespace hallwright::plan {

struct Handle {
  enum class Kind {
    corner, ///< of a polygon or path: `index`
    middle, ///< of the side that begins at `index`: dragging puts a corner there
    side,   ///< of a box: `along`, `across` are -1, 0 or 1 in its own frame
    turn    ///< turns the selection
  } kind = Kind::corner;
  int index = 0, along = 0, across = 0;
  QPointF at; ///< scene
};

/// Handles of a selection: corners and sides for one thing that is drawn by size or points, turning for what stands on
/// the plan. @param scale pixels a millimetre, for the distance of the turning handle
std::vector<Handle> handles_of(const PlanModel& model, const std::vector<EntityRef>& selection, double scale);

/// Corners or path of one thing that is drawn by points (halls, zones, trays, pipes), scene; empty: it is not.
QPolygonF shape_of(const PlanModel& model, const EntityRef& entity);

/// The box of a thing with one side or corner dragged to `to` (scene); the opposite side stays. Sizes of at least 1 mm.
NewBox dragged_box(const PlanModel& model, const PlanObject& object, const Handle& handle, const QPointF& to);

} // namespace hallwright::plan
