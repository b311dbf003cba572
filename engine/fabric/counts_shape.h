// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>

#include <tl/expected.hpp>

#include "fabric/dragonfly.h"
#include "fabric/fabric.h"

/// The shape of a network: what `fabric_counts` counts and what `wire` lays out link by link, so that both agree.
namespace hallwright {

constexpr Count ceil_of(Count a, Count b) { return a / b + (a % b != 0); }
constexpr Count round_up(Count a, Count to) { return ceil_of(a, to) * to; }

/// Leafs of one tree. Each lane takes the same links of every node: a lane is a rail, or the only lane takes all links.
/// Leafs are numbered unit after unit; within a unit those of the first nodes come first, lane after lane.
struct LeafShape {
  Count down = 0, up = 0; ///< links of a leaf towards nodes and towards spines
  Count uplink_ports = 1; ///< ports that one uplink takes
  Count lanes = 1;
  Count links = 1;             ///< of a node, in each lane
  Count places = 0, nodes = 0; ///< places: nodes and what is reserved beside them
  Count unit_places = 1;       ///< of a full unit; all places where no unit is stated
  Count stated_unit = 0;       ///< nodes of a unit as stated or derived; 0: packed
  Count units = 0;
  Count per_unit = 0; ///< leafs of a full unit
  Count count = 0;    ///< built
  bool whole = true;  ///< the last unit is built whole
  bool partial_unit = false;

  /// Down links of a leaf when the first `present` places are filled.
  [[nodiscard]] Count used(Count leaf, Count present) const;
  /// Uplinks that `used` down links ask for.
  [[nodiscard]] Count uplinks_for_used(Count used_links) const;
  /// Uplinks of a leaf as built below `spines`: a leaf with any reaches every spine.
  [[nodiscard]] Count built(Count leaf, Count spines) const;
  /// Uplinks built at leafs 0 .. leafs - 1.
  [[nodiscard]] Count built_before(Count leafs, Count spines) const;
  /// Uplinks that links of nodes present ask for, over all leafs.
  [[nodiscard]] Count lit() const;
};

/// Leafs, and spines that each reach all of them.
struct PodShape {
  Count leafs = 0, spines = 0;
  Count bundle = 0;      ///< links between a leaf and a spine; 0: uneven
  Count links = 0;       ///< between them, as built
  Count down_ports = 0;  ///< highest down port of its spines
  Count spine_up = 0;    ///< links of each spine towards cores
  Count core_groups = 1; ///< spines and cores fall into as many groups; a spine reaches the cores of its own
  Count core_copies = 0; ///< links between a spine and a core of its group; 0: uneven
  Count core_links = 0;  ///< between each core and the pod; 0: uneven
  [[nodiscard]] Count uplinks() const { return spines * spine_up; }
};

/// A folded Clos. `trees` of them stand side by side in a plane: the rails of a rail-only network, else one.
struct TreeShape {
  Count tiers = 1;
  Count trees = 1;
  LeafShape leaf;
  Count leaf_ports = 0, spine_ports = 0, core_ports = 0; ///< of a switch; of spines and cores in uplinks
  Count pods = 1, leafs_per_pod = 0;
  PodShape first, last; ///< all pods but the last are like the first; a single pod is the last
  Count cores = 0;
  [[nodiscard]] const PodShape& pod(Count index) const { return index + 1 < pods ? first : last; }
  [[nodiscard]] Count spines() const { return (pods - 1) * first.spines + last.spines; }
  [[nodiscard]] Count core_cables() const { return (pods - 1) * first.uplinks() + last.uplinks(); }
};

struct FabricShape {
  FabricCounts counts;
  std::variant<TreeShape, DragonflyShape> layout;
};

/// The shape, or why it cannot be built and the next feasible design.
tl::expected<FabricShape, std::string> fabric_shape(const FabricRequest& request);

/// "2 links", "1 link".
std::string number_of(Count n, std::string_view one);

} // namespace hallwright
