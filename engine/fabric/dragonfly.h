// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "fabric/fabric.h"

/// Dragonfly networks: groups of switches joined all to all, and groups joined by global links.
namespace hallwright {

/// One plane. The global links of a group are numbered x from 0: link x leaves switch x mod `switches` at its global
/// port floor(x / switches), so that they spread evenly over the switches.
/// Source: a routers, p end points and h global ports carry up to a h + 1 groups and a p (a h + 1) end points; radix
/// p + a - 1 + h.
struct DragonflyShape {
  Count switches = 0;     ///< a, of a group
  Count end_points = 0;   ///< p, of a switch
  Count global_ports = 0; ///< h, of a switch
  Count groups = 0;
  Count unit_places = 0;     ///< node places of a group; all places where none are stated
  Count last_switches = 0;   ///< of the last group
  Count pair_links = 0;      ///< between two groups
  Count last_pair_links = 0; ///< between the last group and another
  Count extra_links = 0;     ///< of each group beyond those, to near neighbours on the ring of groups (uneven bundles)
  Count local_links = 0, global_links = 0; ///< over all groups

  [[nodiscard]] Count switches_of(Count group) const { return group + 1 < groups ? switches : last_switches; }
  [[nodiscard]] Count first_switch(Count group) const { return group * switches; }
  [[nodiscard]] Count all_switches() const { return (groups - 1) * switches + last_switches; }
};

/// Fills what the request leaves open: a = 2 p = 2 h where the radix allows.
tl::expected<DragonflyShape, std::string> dragonfly_shape(const FabricRequest& request);
/// What it counts, over all planes.
FabricCounts dragonfly_counts(const FabricRequest& request, const DragonflyShape& shape);

/// The far end of global link `x` of a group: another group and the number of the link there; group -1: not used.
struct GlobalEnd {
  Count group = -1, x = 0;
};
GlobalEnd far_end(const DragonflyShape& shape, Count group, Count x);

} // namespace hallwright
