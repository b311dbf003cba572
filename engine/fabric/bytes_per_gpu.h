// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fabric/communicators.h"

namespace hallwright {

/// Bytes of one step that a GPU of the job sends in the mean, by the highest tier that they climb to.
/// @param all    over all ranks: every byte counts once, where it is sent
/// @param ranks  of the job; none: nothing is sent
inline TierBytes bytes_per_gpu(const TierBytes& all, Count ranks) {
  if (ranks < 1) return {};
  const auto n = static_cast<double>(ranks);
  return {all.scale_up / n, all.leaf / n, all.spine / n, all.core / n};
}

} // namespace hallwright
