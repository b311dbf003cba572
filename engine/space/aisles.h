// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <stop_token>
#include <tuple>

#include "space/floor_plan.h"

/// Aisles: the clear floor straight ahead of the fronts and rears of racks.
namespace hallwright {

enum class AisleKind : std::uint8_t { cold, hot, mixed, cold_to_obstacle, hot_to_obstacle };
constexpr bool needs_cold_width(AisleKind k) { return k != AisleKind::hot && k != AisleKind::hot_to_obstacle; }

struct Aisle {
  double clear = 0; ///< mm, the narrowest place
  Count racks = 0;  ///< faces that look into it
  std::uint32_t rack = 0, other = 0; ///< things at the narrowest place
};
using AisleKey = std::tuple<std::int32_t, AisleKind, Id, Id>; ///< hall, kind, lower and higher row (or the other thing)
using Aisles = std::map<AisleKey, Aisle>;

/// Aisles between racks and whatever stands within 3 m of their faces. Incomplete when `stop` is requested.
Aisles aisles_of(const FloorPlan& plan, const PlanGrid& grid, const std::vector<Rack>& racks, const std::stop_token& stop);

/// The table "space.aisles"; sets the narrowest aisle of `out`.
Table aisle_table(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const Aisles& aisles, SpaceResult& out);

} // namespace hallwright
