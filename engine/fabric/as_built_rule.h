// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/as_built.h"

/// The rule after which a network was wired, guessed from the network itself.
///
/// Which switches are leafs and spines follows from the graph; on each side every port votes for the switch behind it,
/// and the votes are read as sums over switch and copy. What most links obey is the rule; the rest are departures.
namespace hallwright {

/// port = first + stride * (index - 1) + copy_stride * copy, copies from 0.
struct BundlePorts {
  std::int32_t first = 1, stride = 1, copy_stride = 1;
  [[nodiscard]] std::int32_t port(std::int32_t index_from_0, std::int32_t copy) const {
    return first + stride * index_from_0 + copy_stride * copy;
  }
};

struct InferredRule {
  std::string line;   ///< "leaf port = 33 + 2(s-1) + i, spine port = 8(c-1) + 2(r-1) + 1 + i, tray t -> leaf port t"
  PlannedFabric plan; ///< what the rule asks for, with the found devices in their places
  std::size_t obeying = 0, considered = 0; ///< links between switches
  int rails = 0;                           ///< leafs that share nodes; 0: not known
  std::vector<std::string> notes;
};

/// Rank of each device: 0 a host, 1 a leaf, 2 a spine, 3 a core; -1 where nothing leads to a host.
std::vector<int> found_tiers(const FoundLinks& found);

/// Infers the rule, or says why there is none: then nothing can be said about departures.
tl::expected<InferredRule, std::string> infer_rule(const FoundLinks& found);

/// Infers and compares. Where no rule can be inferred, `rule` is empty, a note says why, and only names and rates are
/// looked at.
AsBuiltResult compare_with_rule(const FoundLinks& found);

} // namespace hallwright
