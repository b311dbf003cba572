// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "design/entities.h"

namespace hallwright {

/// What the pumps of a distribution unit hang on when the utility is gone.
enum class PumpSupply : std::uint8_t {
  unknown, ///< no feed is named, or one that is gone
  ups,     ///< a UPS lies upstream of one of its feeds
  no_ups   ///< feeds are named, and none has a UPS upstream: the pumps stop until generators run
};

/// Follows upstream and second sources; a chain that closes on itself ends.
[[nodiscard]] PumpSupply pump_supply(const std::vector<PowerUnit>& power_units, const CoolingUnit& unit);

} // namespace hallwright
