// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/drawn_loops.h"

namespace hallwright {

/// What drawn loops read of a design; what each rack wants (`DrawnLoopInputs::coolant`) is for the caller to add.
inline DrawnLoopInputs loop_inputs(const Design& d, const Shared<Catalog>& catalog) {
  return {d.cooling_plant, d.loops, d.cooling_units, d.racks, d.rack_types, d.rack_items, d.pipes, catalog, {}, {}, d.site};
}

} // namespace hallwright
