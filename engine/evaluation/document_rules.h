// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

namespace hallwright {

/// Rules of the document itself: replaced catalog values and parts that the catalog lacks (CAT), published figures
/// (PUB) and scenarios (SCN). The findings of CAT-001 are made by
/// `evaluate`, which applies the replacements; its rule here carries the help.
std::vector<Rule> document_rules();

} // namespace hallwright
