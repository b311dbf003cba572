// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "design/design.h"

namespace hallwright {

/// The design without those of `groups` that have fewer than two members left: one thing is no group. The member that is
/// left belongs to none. Ids that are no groups are passed over.
Design without_small_groups(Design design, const std::vector<Id>& groups);

} // namespace hallwright
