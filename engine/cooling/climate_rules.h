// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

/// Rules of heat rejection over the year, CLG-040 and on.
namespace hallwright {

[[nodiscard]] std::vector<Rule> climate_rules();

} // namespace hallwright
