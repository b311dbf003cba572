// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

namespace hallwright {

/// Adds the rules of trays and pipes, SPC-040 and on.
void add_tray_rules(std::vector<Rule>& rules);

} // namespace hallwright
