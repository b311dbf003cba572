// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power.h"
namespace hallwright {
std::vector<Rule> power_rules() { return {}; }
} // namespace hallwright
