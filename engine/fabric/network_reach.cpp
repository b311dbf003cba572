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

double narrowed(const NetworkReach& reach, double above_leafs, double above_spines) {
  const double leaf = above_leafs * reach.leaf_oversubscription;
  const double core = above_spines * reach.leaf_oversubscription * reach.core_oversubscription;
  return std::max({1.0, 1.0 / reach.injection_left, leaf, core});
}

} // namespace

double network_narrowing(const NetworkReach& reach, GroupTraffic traffic, double members, double stride) {
  if (members < 1.5) return 1.0;
  return narrowed(reach, leaving(reach.unit_gpus, traffic, members, stride),
                  leaving(reach.pod_gpus, traffic, members, stride));
}

double shift_narrowing(const NetworkReach& reach, double stride) {
  const auto crossing = [stride](double gpus) { return gpus > 0.0 ? std::min(1.0, stride / gpus) : 0.0; };
  return narrowed(reach, crossing(reach.unit_gpus), crossing(reach.pod_gpus));
}

} // namespace hallwright
