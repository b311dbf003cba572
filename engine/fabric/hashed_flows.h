// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "quantity/quantity.h"

namespace hallwright {

/// Share of line rate of the slowest of the flows that a hash lays on the uplinks of a leaf, in the mean over draws (see
/// `hash_spread`), for `NetworkReach::slowest_flow`: of all of its node links, of half of them, a quarter, and so on.
/// @param down            links of nodes at a leaf; at least 1, else nothing collides
/// @param uplinks         equal paths up; below 2 nothing is chosen and nothing collides
/// @param flows_per_pair  each hashed by itself, at least 1
/// @param uplink_links    rate of an uplink over that of a node's link, at least 1
std::array<double, 8> slowest_hashed_flows(Count down, Count uplinks, Count flows_per_pair, double uplink_links = 1.0);

} // namespace hallwright
