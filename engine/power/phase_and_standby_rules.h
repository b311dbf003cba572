// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

/// Rules that ask for fields of the one-line which most designs leave open: second sources, battery times, phases of
/// taps, impedances. They are silent where nothing is stated.
namespace hallwright {

std::vector<Rule> phase_and_standby_rules();

} // namespace hallwright
