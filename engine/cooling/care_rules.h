// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

/// Rules of filtration, water hammer, inlet air and drips, CLG-043 and on.
namespace hallwright {

[[nodiscard]] std::vector<Rule> care_rules();

} // namespace hallwright
