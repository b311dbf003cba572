// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "fabric/cable_plan.h"

/// What the cables of all networks put on each tray, kept so that a moved rack costs only the trays that it touches.
namespace hallwright {

struct TrayUsage {
  /// Cables from one height of a rack to one height of another.
  struct Pair {
    Id from = 0, to = 0;
    double from_height_mm = 0, to_height_mm = 0;
    Count cables = 0;
    double area_mm2 = 0, mass_kg_m = 0;
    std::uint32_t first_leg = 0, legs = 0; ///< into `ways`
  };
  Shared<CableRoutes> routes;
  std::vector<Pair> pairs; ///< by rack and height of the far end, then of the near end
  std::vector<RouteLeg> ways;
  std::vector<TrayLoad> loads; ///< by tray id; those of `CableRoutes::loads`
};

/// Usage of the trays by these plans; null plans are left out. Where `previous` is of the same trays, ways between
/// racks that have not moved are taken from it, and so are trays whose cables are the same.
/// @param stop when requested, the result is left unfinished and of no use
std::shared_ptr<const TrayUsage> tray_usage(const Shared<CableRoutes>& routes,
                                            const std::vector<const CablePlan*>& plans, const Catalog& catalog,
                                            const TrayUsage* previous = nullptr, const std::stop_token& stop = {});

} // namespace hallwright
