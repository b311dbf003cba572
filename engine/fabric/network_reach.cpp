// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/network_reach.h"

#include <algorithm>
#include <cmath>

namespace hallwright {
namespace {

/// Share of the traffic of a group that leaves places of `gpus` GPUs each.
double leaving(double gpus, GroupTraffic traffic, double members, double stride) {
  if (gpus <= 0.0) return 0.0;
  const double together = std::clamp(std::floor(gpus / stride), 1.0, members);
  if (together >= members) return 0.0;
  return traffic == GroupTraffic::ring ? 1.0 / together : 1.0 - (together - 1.0) / (members - 1.0);
}

/// Times that the slowest of hashed flows takes on the uplinks of a leaf, where a share of its nodes sends up at once.
double collided(const NetworkReach& reach, double above_leafs) {
  const auto& slowest = reach.slowest_flow;
  if (!(above_leafs > 0.0) || slowest.front() >= 1.0) return 1.0;
  const double place = std::clamp(-std::log2(above_leafs), 0.0, static_cast<double>(slowest.size() - 1));
  const auto at = std::min(static_cast<std::size_t>(place), slowest.size() - 2);
  const double between = place - static_cast<double>(at);
  return (1.0 - between) / slowest[at] + between / slowest[at + 1];
}

/// @param flows of one sender that climb at once, each hashed by itself, at least 1: with more of them links fill more
///              evenly, and what the fullest has above the mean falls with the root of their number
double narrowed(const NetworkReach& reach, double above_leafs, double above_spines, double flows) {
  const double leaf = std::max(1.0, above_leafs * reach.leaf_oversubscription);
  const double core = above_spines * reach.leaf_oversubscription * reach.core_oversubscription;
  const double hashed = leaf + std::max(0.0, collided(reach, above_leafs) - leaf) / std::sqrt(flows);
  return std::max({1.0 / reach.injection_left, hashed, core});
}

} // namespace

double network_narrowing(const NetworkReach& reach, GroupTraffic traffic, double members, double stride) {
  if (members < 1.5) return 1.0;
  const double above = leaving(reach.unit_gpus, traffic, members, stride);
  return narrowed(reach, above, leaving(reach.pod_gpus, traffic, members, stride),
                  traffic == GroupTraffic::ring ? 1.0 : std::max(1.0, above * (members - 1.0)));
}

double shift_narrowing(const NetworkReach& reach, double stride) {
  const auto crossing = [stride](double gpus) { return gpus > 0.0 ? std::min(1.0, stride / gpus) : 0.0; };
  return narrowed(reach, crossing(reach.unit_gpus), crossing(reach.pod_gpus), 1.0);
}

} // namespace hallwright
