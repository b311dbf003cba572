// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_set>
#include <vector>

#include <QLineF>
#include <QString>

#include "widgets/plan/plan_model.h"

/// What a moving rectangle or point catches on. Millimetres of the scene.
namespace hallwright::plan {

enum class SnapKind {
  none,
  grid,
  tile,
  edge,
  corner,
  center,
  row,
  aisle,
  spacing,
  guide,
  dimension,
  wall,
  column_line,
  path,
  underlay
};

struct SnapSettings {
  double grid_mm = 600;  ///< zero or less: no grid
  double reach_mm = 200; ///< how near a thing must be to catch
  QPointF grid_origin;
  bool tiles = false; ///< the grid is that of the raised floor
  Id skip = 0;        ///< a thing or hall that does not catch, as it is being reshaped
  bool visible[layer_count] = {true, true, true, true, true, true, true, true, true, true, true};
};

struct Snap {
  double dx = 0, dy = 0; ///< to be added to the moving rectangle
  SnapKind x_kind = SnapKind::none, y_kind = SnapKind::none;
  QString x_words, y_words; ///< what was caught, named: "edge of R01-03"
  std::vector<QLineF> guides;
  /// "corner of R01-03"; "edge of R01-03, grid 600 mm".
  [[nodiscard]] QString words() const;
};

/// Snap of a rectangle among the things of `model` that are not in `moving`. Things win over the grid.
Snap snap_box(const PlanModel& model, const QRectF& box, const std::unordered_set<Id>& moving,
              const SnapSettings& settings);
/// Snap of a point: corners, edges and centres of halls and things, ends of runs and dimensions, guides, then the grid.
Snap snap_point(const PlanModel& model, const QPointF& point, const SnapSettings& settings);
/// Snap of a guide on its way: edges and centres across its axis, then the grid. Answers the place.
double snap_guide(const PlanModel& model, const QPointF& point, bool upright, const SnapSettings& settings,
                  QString* words);

} // namespace hallwright::plan
