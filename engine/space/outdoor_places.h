// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/entities.h"

/// Units that stand outside: they name no hall, and their position is measured from the origin of the site.
namespace hallwright {

/// Whether a unit of no hall is on the plan. One at the very origin has no place yet: a utility feed that is only a source.
template <class Unit>
[[nodiscard]] bool stands_outdoors(const Unit& unit) {
  return unit.hall == 0 && (unit.x != Length{} || unit.y != Length{});
}

/// What is customarily built for the open air.
[[nodiscard]] constexpr bool may_stand_outdoors(CoolingUnitKind kind) {
  return kind == CoolingUnitKind::dry_cooler || kind == CoolingUnitKind::chiller || kind == CoolingUnitKind::cooling_tower;
}
[[nodiscard]] constexpr bool may_stand_outdoors(PowerUnitKind kind) {
  return kind == PowerUnitKind::utility_feed || kind == PowerUnitKind::transformer || kind == PowerUnitKind::generator ||
         kind == PowerUnitKind::switchgear;
}

} // namespace hallwright
