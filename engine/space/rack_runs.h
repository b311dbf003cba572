// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "space/aisles.h"

/// Racks that stand side by side without a passage between them, and the aisles along them that lead nowhere.
namespace hallwright {

struct RackRun {
  std::int32_t hall = -1;
  bool along_x = true;                          ///< runs along x, else along y
  std::vector<std::uint32_t> racks;             ///< from low to high coordinates
  bool low_closed = false, high_closed = false; ///< no passage beyond that end
};
/// Runs of racks that stand square on, by hall and place. @param passage least width of a passage [mm]
std::vector<RackRun> rack_runs(const FloorPlan& plan, const Outlook& outlook, double passage);

/// An aisle along a run with one end closed.
struct DeadEnd {
  std::size_t run = 0;
  bool front = true; ///< ahead of the run's first rack's front, else behind its rear
  bool low = true;   ///< the closed end
  Count racks = 0;   ///< along it, on the longer side
};
/// A door at the closed end opens it.
std::vector<DeadEnd> dead_ends(const FloorPlan& plan, const Faces& faces, const std::vector<RackRun>& runs);

} // namespace hallwright
