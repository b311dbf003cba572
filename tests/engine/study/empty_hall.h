// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/edits.h"

namespace hallwright::test {

/// A hall of 20 m x 12 m, racks of four DGX H100, a compute network of units of 32 nodes, and nothing placed.
inline Design empty_hall() {
  Design d;
  Hall hall;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {20000, 0}, {20000, 12000}, {0, 12000}};
  d = add_entity(d, &Design::halls, hall).design;
  RackType type;
  type.name = "DGX rack";
  type.rack_part = "generic-48u-600x1200";
  Made made = add_entity(d, &Design::rack_types, type);
  RackItem item;
  item.rack_type = made.entities.front().id;
  item.part = "dgx-h100";
  item.count = 4;
  d = add_entity(made.design, &Design::rack_items, item).design;
  Network network;
  network.name = "Compute";
  network.switch_part = "qm9700";
  d = add_entity(d, &Design::networks, network).design;
  Site site;
  site.utility_power = megawatts(20);
  d.site = share(site);
  return d;
}

} // namespace hallwright::test
