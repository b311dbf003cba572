// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "space/floor_plan.h"
#include "space/free_floor.h"

/// Doors, docks and lifts as openings of the floor, and what is in the way on it.
namespace hallwright {

/// An opening: where it leads decides whether it is a way in.
struct WayIn {
  std::uint32_t thing = 0; ///< in the plan
  StructureKind kind = StructureKind::door;
  std::int32_t hall = -1;
  FloorGate gate;
  double height = 0;                 ///< mm, clear
  double carries = 0;                ///< kg; infinite where nothing limits it
  bool from_outside = false;         ///< a dock, or a door that leads to no room that is drawn
  std::vector<std::uint32_t> beyond; ///< ways of other halls that this one is the other side of
};
std::vector<WayIn> ways_in(const SpaceInputs& inputs, const FloorPlan& plan);

/// The floor of a hall without what stands on it. Ramps that `carried` [kg] is too heavy for are in the way.
/// @param high doors inside the hall that are lower than this [mm] stay shut
FreeFloor free_floor(const SpaceInputs& inputs, const FloorPlan& plan, std::int32_t hall, double carried, double high);

/// Where a load stands ahead of a rack's front or behind its rear.
FloorGate face_gate(const PlanThing& rack, bool front);

} // namespace hallwright
