// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "space/floor_plan.h"

/// What hangs above the floor or lies under it: trays, pipes, busways, and the containments of aisles.
namespace hallwright {

enum class HangingKind : std::uint8_t { tray, pipe, busway, containment };

/// Heights are millimetres above the floor. A pipe is as thick as its inner diameter: its wall is not in the drawing.
struct Hanging {
  HangingKind kind = HangingKind::tray;
  EntityRef ref;
  std::string name; ///< "tray 12" where it has none
  std::int32_t hall = -1;
  double bottom = 0, top = 0;
  std::vector<PlanThing> parts; ///< stretches of a run, else one
  bool power = false;           ///< a tray for power cables
  PipeSide side = PipeSide::supply;
  Id loop = 0;       ///< of a pipe; 0: of any
  bool known = true; ///< false: the part states no height, and a stand-in counts
  bool locked = false;
  std::uint32_t thing = 0xffffffff; ///< of a busway: index in the plan
};
/// All of a drawing that lie in a hall: trays, pipes, busways, containments, each in the order of their table.
std::vector<Hanging> hanging_things(const SpaceInputs& inputs, const FloorPlan& plan);

/// Whether two are joined where they meet: trays of one use, pipes of one side and loop.
bool joined_where_they_meet(const Hanging& a, const Hanging& b);

} // namespace hallwright
