// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QString>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_model.h"

/// Values of an evaluation that the plan shows on its racks.
namespace hallwright::plan {

/// What racks are coloured by: the amounts of one column of an evaluation's table.
struct OverlayValues {
  Overlay overlay = Overlay::none;
  QString title;             ///< "Rack power, kW"
  QString unit;
  bool available = false;    ///< there is such a table
  bool some_missing = false; ///< a rack without a value
  double low = 0, high = 0;  ///< in the display unit
  std::vector<double> shown; ///< by rack object, display unit; NaN: not known
  /// Of overlays of solved coolant loops: how warm each pipe is, 0 the coolest, 1 the warmest of them.
  std::unordered_map<Id, double> pipe_warmth;
  double coolest_c = 0, warmest_c = 0; ///< of pipes
  [[nodiscard]] double share(double value) const { return high > low ? (value - low) / (high - low) : 0.6; }
};
OverlayValues overlay_values(const PlanModel& model, const SharedEvaluation& evaluation, Overlay overlay);

/// Things that the evaluation finds outside their hall or standing in one place with another.
std::unordered_set<Id> misplaced(const SharedEvaluation& evaluation);

/// Colour of coolant in a pipe, from cool to warm.
QColor warmth_color(const PlanColors& colors, double share);

/// Card with the scale of an overlay, its upper right corner at `corner`; answers its rectangle.
QRectF paint_legend(const Canvas& canvas, const OverlayValues& overlay, const QPointF& corner);

} // namespace hallwright::plan
