// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/edits.h"

/// The outline of a hall, and what is fixed to its walls.
namespace hallwright {

/// Gives a hall another outline. Ends of dimensions that stand on a corner or a side of it, and on nothing else, go
/// with that corner or side; where corners are added or taken away they stay on the floor.
/// @param outline  "x,y x,y ..." in millimetres; refused as `set_field` refuses it
Edited with_hall_outline(const Design& design, Id hall, const std::string& outline);

} // namespace hallwright
