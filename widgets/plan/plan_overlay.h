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
  QString words;             ///< "Rack power"
  QString title;             ///< "Rack power, kW"
  QString unit;
  bool available = false;    ///< there is such a table
  bool some_missing = false; ///< a rack without a value
  double low = 0, high = 0;  ///< in the display unit
  std::vector<double> shown; ///< by rack object, display unit, or index of its category; NaN: not known
  QString nothing;           ///< a sentence where the design has nothing to show
  /// Of overlays that name and do not measure: what there is, in the order of the legend, each with a mark for its racks.
  std::vector<QString> categories, marks;
  std::vector<QString> remarks; ///< by rack object, what its value is of: "Busway 1A"; may be empty
  /// Of overlays of solved coolant loops: how warm each pipe is, 0 the coolest, 1 the warmest of them.
  std::unordered_map<Id, double> pipe_warmth;
  double coolest_c = 0, warmest_c = 0; ///< of pipes
  [[nodiscard]] bool derived() const { return overlay >= Overlay::headroom; } ///< told by tooltips of racks
  /// Of a rack object: "12 % (Busway 1A)", "Pod 3"; empty where it has none.
  [[nodiscard]] QString words_of(std::size_t rack) const;
  [[nodiscard]] QString number(double value) const; ///< counts are whole
  [[nodiscard]] double share(double value) const { return high > low ? (value - low) / (high - low) : 0.6; }
};
OverlayValues overlay_values(const PlanModel& model, const SharedEvaluation& evaluation, Overlay overlay);

/// Things that the evaluation finds outside their hall or standing in one place with another.
std::unordered_set<Id> misplaced(const SharedEvaluation& evaluation);

/// Fill of racks of a category: few, told apart without colour vision; they come again, and marks tell those apart.
constexpr std::size_t category_colors = 7;
QColor category_color(const PlanColors& colors, std::size_t category);

/// Colour of coolant in a pipe, from cool to warm.
QColor warmth_color(const PlanColors& colors, double share);

/// Card with the scale of an overlay, its upper right corner at `corner`; answers its rectangle.
QRectF paint_legend(const Canvas& canvas, const OverlayValues& overlay, const QPointF& corner);

} // namespace hallwright::plan
