// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "cooling/row_pipes.h"
#include "widgets/plan/plan_model.h"

/// What is laid along a row of racks by dragging along it: a busway with a tap at each rack, or coolant pipes.
namespace hallwright::plan {

/// Racks of one row that a drag passes over. Scene, millimetres.
struct RowRun {
  Id hall = 0;
  bool along_x = true;
  bool backwards = false;         ///< dragged towards the lesser side
  double first = 0, last = 0;     ///< along the row: outer sides of the racks, first < last
  double upper = 0, lower = 0;    ///< across it
  std::vector<Id> racks;          ///< in the order of the drag
  std::vector<double> middles;    ///< along the row, of each
  [[nodiscard]] QRectF box() const {
    return along_x ? QRectF(first, upper, last - first, lower - upper) : QRectF(upper, first, lower - upper, last - first);
  }
};

/// The racks between two points along the row next to the first one; nothing where no row stands within reach of it.
/// @param reach  from the racks to the first point, mm
std::optional<RowRun> row_run(const PlanModel& model, const QPointF& from, const QPointF& to, double reach);
/// All racks of the row next to a point, from the end that is nearer to it.
std::optional<RowRun> whole_row_run(const PlanModel& model, const QPointF& at, double reach);

/// A busway along a row, worked out on a design.
struct FeedRow {
  PowerUnit unit; ///< without an id
  bool second = false; ///< feeds the B side of the racks
  std::vector<Id> racks;
  std::vector<Length> taps;   ///< of each, from the fed end
  std::vector<Id> taken_from; ///< units that the racks hung on with this side, by id, each once
};

/// The busway that a drag lays, and what it hangs on.
///
/// Side: as wished, or the one that fewer racks have. Part and rating: as wished, or those of the last busway drawn.
/// Fed from: as wished, or the nearest unit of its side, distribution units before static switches, UPS, switchgear and
/// transformers. Busways of one row lie beside each other.
/// @param origin  scene place of the hall's origin
FeedRow feed_row(const Design& design, const Catalog& catalog, const RowRun& run, const QPointF& origin,
                 const RowFeedSettings& wish);
/// One step: the busway, the feeds of its racks and their taps. It refuses where a rack or the hall is gone by then.
Edit feed_row_edit(const FeedRow& feed);

/// Coolant that each rack of an evaluation needs, by id [m3/s]; racks without liquid-cooled heat are left out.
std::vector<std::pair<Id, double>> coolant_needs(const Evaluation& evaluation);
/// What pipes along a row are to be: `racks` and their needs, and how they are drawn.
RowPipesWish row_pipes_wish(const std::vector<Id>& racks, const std::vector<std::pair<Id, double>>& needs,
                            const RowPipeSettings& wish);

} // namespace hallwright::plan
