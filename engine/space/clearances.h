// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "space/aisles.h"

/// Free space that things ask for: working space, service depth, door swings, heights.
namespace hallwright {

/// What is compared in the rows of "space.clearances". `is` below `needed` is too little, unless said otherwise.
enum class ClearanceKind : std::uint8_t {
  working_depth, ///< ahead of electrical gear, over the greater of the unit's and the code's width
  cdu_front,
  cdu_rear,            ///< service depth of a CDU
  door_swing,          ///< how far the leaf turns freely: radius to the thing in its way
  door_front,          ///< free floor on either side of a door
  no_go,               ///< shared floor: `is` is the depth of the intrusion, `needed` 0; more is worse
  containment_ceiling, ///< height up to the ceiling that is left above the containment
  containment_rack,    ///< height of the containment over the tallest rack beside it
  hall_height,         ///< clear height of a hall or zone
  walkway_height,      ///< clear height below what hangs over a walkway
  over_rack,           ///< height of what hangs above the rack that it crosses
  pipe_over_busway,    ///< height of a busway above the water pipe that crosses it; below 0: the pipe lies above
  column_aisle,        ///< widest passage beside a column in an aisle
  wrong_containment,   ///< faces of the wrong kind inside; `is` counts them, `needed` 0; more is worse
  zone_edge,           ///< a rack across the edge of a zone
  containment_crosses, ///< rack in a containment: `is` is how far, in metres, `needed` 0; more is worse
  hanging_crosses,     ///< two hanging things in one place: `is` is the height that they share, `needed` the upper edge
                       ///< of the other
  hanging_through,     ///< a tray or pipe through a column or wall; `is` and `needed` 0
  hanging_outside      ///< a tray or pipe beyond the outline of its hall; `is` and `needed` 0
};
constexpr double containment_play = 5.0 + 1e-6; ///< mm that a containment may reach into a rack, with dust of positions
std::string_view clearance_word(ClearanceKind kind);

/// Figures "space.rack_type.<id>.front_clear" and ".rear_clear": the least free depth ahead of and behind racks of a
/// type, up to 3 m, with the depth that service needs as limit.
void rack_service(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const Faces& faces);

/// The table "space.clearances" and the worst figure of each kind ("space.least.<kind>") with its limit.
Table clearances(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const PlanGrid& grid,
                 const Outlook& outlook, const Faces& faces,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& sharing, const std::stop_token& stop);

} // namespace hallwright
