// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include "widgets/plan/plan_model.h"

/// Edits of the drawing tools and handles. Points and rectangles are in the coordinates of their hall, millimetres.
namespace hallwright::plan {

/// Tenths of a millimetre: as fine as a drawing gets.
double tidy(double mm);
std::vector<PlanPoint> plan_points(const QPolygonF& points);

/// A structure that covers a rectangle.
Edit structure_edit(StructureKind kind, Id hall, const QRectF& box);
/// A wall of this thickness whose middle runs from `a` to `b`.
Edit wall_edit(Id hall, const QPointF& a, const QPointF& b, double thickness);
/// A busway whose middle runs from `a` to `b`, at a height above the floor.
Edit busway_edit(Id hall, const QPointF& a, const QPointF& b, double width, double elevation);
Edit zone_edit(Id hall, const QPolygonF& outline);
Edit containment_edit(Id hall, const QRectF& box, ContainmentKind kind, double height);
Edit tray_edit(Id hall, const QPolygonF& path, const DrawSettings& settings);
Edit pipe_edit(Id hall, const QPolygonF& path, const DrawSettings& settings);
Edit note_edit(Id hall, const QPointF& at, NoteKind kind, const QString& text, double text_height);
Edit dimension_edit(const Dimension& dimension);
Edit guide_edit(Id hall, bool upright, double at);
Edit move_guide_edit(Id guide, double at);
Edit remove_guide_edit(Id guide);

/// The end of a dimension: the thing that has a corner, edge or centre at this place, and the point in its own
/// footprint; or no thing and the point on the floor of `hall`.
struct FixedPoint {
  Id thing = 0;
  QPointF own;
};
FixedPoint fixed_point(const PlanModel& model, const QPointF& scene, Id hall);

/// New corners of a hall or zone, or a new path of a run.
Edit points_edit(const Design& design, const EntityRef& entity, const QPolygonF& points);
/// New size and place of a structure, containment or unit.
struct NewBox {
  double x = 0, y = 0, width = 0, depth = 0; ///< as the fields of the entity
};
Edit resize_edit(const Design& design, const EntityRef& entity, const NewBox& box);
Edit turn_edit(const Design& design, const Shared<Catalog>& catalog, const std::vector<EntityRef>& what,
               double degrees);

} // namespace hallwright::plan
