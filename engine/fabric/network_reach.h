// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

/// How much slower the ranks of a job exchange data than the links of their nodes allow, because groups reach beyond
/// their leafs: oversubscription, and links that are out of service.
namespace hallwright {

/// The compute network under a job, as its ranks lie on it.
struct NetworkReach {
  double unit_gpus = 0; ///< GPUs that follow each other in rank order under the same leafs, in the mean; 0: all of them
  double pod_gpus = 0;  ///< the same below the same spines; 0: all of them
  double leaf_oversubscription =
      1.0; ///< worst leaf: rate of its nodes' links over that of its links up in service
  double core_oversubscription = 1.0; ///< worst spine: links down over links up in service
  double injection_left = 1.0;        ///< of the links of the GPU that lost most, above 0 to 1
  /// Share of line rate of the slowest of the flows that a hash lays on the uplinks of a leaf, in the mean over draws:
  /// where all of its nodes send up at once, where half of them do, a quarter, and so on. Above 0; 1: none collide.
  std::array<double, 8> slowest_flow{1, 1, 1, 1, 1, 1, 1, 1};
  friend bool operator==(const NetworkReach&, const NetworkReach&) = default;
};

enum class GroupTraffic {
  ring,     ///< each member sends to the next
  all_pairs ///< each member sends to every other
};

/// Times that an exchange takes what it would on full links: at least 1.
///
/// Members lie `stride` GPUs apart in rank order. Of their traffic a share climbs above the leafs (a ring: one member
/// in as many as lie under one set of leafs; all to all: what goes to members elsewhere), and a leaf passes that share
/// at its oversubscription, or, where flows are hashed, no faster than the slowest of them; the many flows of an exchange
/// of all with all fill links more evenly, by the root of their number. First-order: groups that begin in the middle of
/// a unit, and collisions above the spines, are left out.
/// @param members of the group that do not share a scale-up domain; one: nothing is sent
/// @param stride  at least 1
/// @source bytes over the narrowest of the links that they share
[[nodiscard]] double network_narrowing(const NetworkReach& reach, GroupTraffic traffic, double members, double stride);

/// The same where every rank sends to one that lies `stride` GPUs further on.
[[nodiscard]] double shift_narrowing(const NetworkReach& reach, double stride);

} // namespace hallwright
