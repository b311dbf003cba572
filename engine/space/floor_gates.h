// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "space/floor_plan.h"
#include "space/free_floor.h"
#include "space/hanging.h"

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

/// Where a door stands in its hall.
enum class DoorPlace : std::uint8_t {
  edge,   ///< at the edge of the hall, or within half a wall's thickness outside of it
  inside, ///< in the middle of the hall: an opening of a wall there
  away    ///< outside of the hall, at no edge of it
};
DoorPlace door_place(const PlanThing& door, const Hall& hall);

/// What is too low for a load: hanging things, and zones with a ceiling of their own.
struct TooLow {
  const std::vector<Hanging>* hanging = nullptr;
  double needed = 0; ///< mm: what leaves less height than this is in the way

  /// Indices of blocks: after the things of the plan the hanging things, then the zones.
  [[nodiscard]] static std::uint32_t hanging_block(const FloorPlan& plan, std::size_t i) {
    return static_cast<std::uint32_t>(plan.things.size() + i);
  }
  [[nodiscard]] std::uint32_t zone_block(const FloorPlan& plan, std::size_t z) const {
    return static_cast<std::uint32_t>(plan.things.size() + hanging->size() + z);
  }
  [[nodiscard]] bool in_the_way(const Hanging& h) const { return h.top > 0 && h.bottom < needed; }
  [[nodiscard]] bool in_the_way(const Zone& z) const {
    return z.ceiling_height && in_millimeters(*z.ceiling_height) < needed && z.outline.size() >= 3;
  }
};

/// The floor of a hall without what stands on it. Ramps that `carried` [kg] is too heavy for are in the way.
/// @param high doors inside the hall that are lower than this [mm] stay shut
FreeFloor free_floor(const SpaceInputs& inputs, const FloorPlan& plan, std::int32_t hall, double carried, double high,
                     const TooLow& too_low = {});

/// Where a load stands ahead of a rack's front or behind its rear.
FloorGate face_gate(const PlanThing& rack, bool front);

} // namespace hallwright
