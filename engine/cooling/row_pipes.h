// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/drawn_loops.h"
#include "design/edits.h"

/// Coolant pipes along a row of racks to the distribution units of its loop: headers behind the racks, sized from the
/// flow and a velocity, and the loop of the racks set.
namespace hallwright {

struct RowPipesWish {
  std::vector<Id> racks;       ///< of one hall, about in one line
  Id loop = 0;                 ///< 0: that of the racks, or of a unit nearby; a new one where neither has any
  bool reverse_return = false; ///< the return runs with the supply before it turns back: the same way for every rack
  /// Of the coolant in headers, at most [m/s], above 0; not set: cooling.pipe_velocity_practice
  std::optional<double> velocity_m_per_s;
  std::vector<double> need_m3_per_s; ///< one a rack of `racks`; 0: unknown or none
};

/// What would be drawn.
struct RowPipes {
  Id loop = 0; ///< 0: a new one
  std::string loop_name;
  std::vector<Pipe> pipes; ///< without ids
  std::vector<Id> racks;   ///< whose loop is set
  std::vector<Id> units;   ///< that are joined; those of no loop get this one
  double flow_m3_per_s = 0.0;
  double bore_m = 0.0; ///< of the headers
  double velocity_m_per_s = 0.0;
  std::string sentence; ///< what is made, with its figures
};

/// @return one sentence where the row cannot be joined: what is missing, and what to do
[[nodiscard]] tl::expected<RowPipes, std::string> row_pipes(const Design& design, const Catalog& catalog,
                                                            const RowPipesWish& wish);

/// Draws them: an undoable edit. It refuses where the racks or the loop are gone by then.
[[nodiscard]] Edit row_pipes_edit(const RowPipes& pipes);

/// The smallest standard bore in which a flow stays at or below a velocity and within what CLG-022 allows: 1.2 m/s up
/// to DN50, 400 Pa/m above it. The largest where none does.
/// @param fluid  of the coolant; null, or without density and viscosity: friction is not looked at
/// @source ASHRAE practice; cooling.pipe_velocity_limit_small, cooling.pipe_friction_limit_large
[[nodiscard]] double header_bore_for(const Catalog& catalog, const FluidPart* fluid, double flow_m3_per_s,
                                     double velocity_m_per_s);

/// Racks of the row of a rack, by place along it: those of its row, or those in line with it where it is in none.
[[nodiscard]] std::vector<Id> racks_of_row(const Design& design, Id rack);

} // namespace hallwright
