// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include <QString>

#include "widgets/figure_text.h"

/// Words and numbers of the cooling workspace that its cards share.
namespace hallwright::cooling_words {

inline constexpr double liters_per_minute_each = 60000.0; ///< L/min in one m3/s

inline QString litres(double flow) { return screen_text(flow, kind::volume_flow, 3, "L/min"); }
inline QString percent_words(double share) { return screen_number(std::round(share * 100.0), 'f', 0) + QStringLiteral(" %"); }
inline QString seconds_words(double s) {
  return s < 99.95 ? screen_number(s, 'f', 1) + QStringLiteral(" s")
                   : screen_number(std::round(s), 'f', 0) + QStringLiteral(" s");
}
/// Losses of the chooser that are no unit's: by the data of its entries.
enum class LossChoice { schematic = -1, pumps = -2, facility = -3, power_on_ups = -4, power = -5, power_as_fed = -6 };

} // namespace hallwright::cooling_words
