// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantity/field_maker.h"

/// Options that fields of several entities share: what stands on a plan. For the lists in `fields_*.cpp`.
namespace hallwright {

inline constexpr double plan_limit = 10000.0; ///< [m] farthest position either way: a large campus
inline constexpr double full_turn = 360.0 * 0.017453292519943295; ///< [rad]

inline constexpr FieldOptions position_x{.minimum = -plan_limit, .maximum = plan_limit,
                                         .help = "Distance of the upper left corner of the unrotated footprint from the hall's origin, "
                                                 "to the right. -10 km to 10 km.",
                                         .unit = "mm"};
inline constexpr FieldOptions position_y{.minimum = -plan_limit, .maximum = plan_limit,
                                         .help = "Distance of the upper left corner of the unrotated footprint from the hall's origin, "
                                                 "downwards. -10 km to 10 km.",
                                         .unit = "mm"};
inline constexpr FieldOptions turn{.minimum = -full_turn, .maximum = full_turn,
                                   .help = "Clockwise turn about the centre of the footprint; at 0 the front faces up the page. -360 to "
                                           "360 degrees.",
                                   .unit = "deg"};
inline constexpr FieldOptions lock{.help = "Locked things refuse to be moved, turned and aligned until they are unlocked."};
inline constexpr FieldOptions group_of{.help = "Group that it is selected and moved with; none for a single thing.", .reference = "groups"};
inline constexpr FieldOptions elevation_of{.minimum = -5.0, .maximum = 50.0,
                                           .help = "Height above the floor, -5 to 50 m; below 0 is under a raised floor.",
                                           .unit = "mm"};
inline constexpr FieldOptions hall_of{.help = "Hall in which it stands; its position is measured from that hall's origin. None for what "
                                              "stands outside.",
                                      .reference = "halls"};

} // namespace hallwright
