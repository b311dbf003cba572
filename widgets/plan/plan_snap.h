// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_set>
#include <vector>

#include <QLineF>
#include <QString>

#include "widgets/plan/plan_model.h"

/// What a moving rectangle or point catches on. Millimetres of the scene.
namespace hallwright::plan {

enum class SnapKind { none, grid, edge, row, aisle, spacing };
/// "grid", "edge", "row line", "aisle", "equal spacing" in the language of the screen.
QString snap_word(SnapKind kind, double grid_mm);

struct SnapSettings {
  double grid_mm = 600;  ///< zero or less: no grid
  double reach_mm = 200; ///< how near a thing must be to catch
  QPointF grid_origin;
};

struct Snap {
  double dx = 0, dy = 0; ///< to be added to the moving rectangle
  SnapKind x_kind = SnapKind::none, y_kind = SnapKind::none;
  std::vector<QLineF> guides;
  [[nodiscard]] QString words(double grid_mm) const;
};

/// Snap of a rectangle among the things of `model` that are not in `moving`. Things win over the grid.
Snap snap_box(const PlanModel& model, const QRectF& box, const std::unordered_set<Id>& moving, const SnapSettings& settings);
/// Snap of a point: corners and edges of halls and things, then the grid.
Snap snap_point(const PlanModel& model, const QPointF& point, const SnapSettings& settings);

} // namespace hallwright::plan
