// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/wiring.h"

/// What a network still carries when parts of it are lost, and every single failure by classes of alike parts.
namespace hallwright {

/// Devices and links that are lost together: a link, the links of a module, a switch, a plane, what stands in a rack or
/// runs along a tray.
struct LostParts {
  std::string name;
  std::vector<std::uint32_t> devices; ///< into `Wiring::devices`
  std::vector<std::uint32_t> links;   ///< into `Wiring::links`
  friend bool operator==(const LostParts&, const LostParts&) = default;
};

/// Reads "leaf 3", "spine 2", "core 1", "node 7", "plane 2", "link leaf 3 port 12", "module leaf 3 cage 4"; numbers
/// from 1, words in any case. The error names the word or number and what is allowed.
tl::expected<LostParts, std::string> lost_parts(const Wiring& wiring, std::string_view element);

struct WhatIsLeft {
  double injection = 1.0;                ///< of the links of nodes
  std::optional<double> bisection = 1.0; ///< of what one half of the nodes sends the other; none: nothing ever could
  std::vector<double> rail_injection;    ///< by rail; without rails by the number of a link at its node
  Count isolated_gpus = 0;               ///< without any link that still leads to other nodes
  Count isolated_nodes = 0;              ///< whose GPUs are all isolated
  Count lost_links = 0;
};

/// Parts that one thing beside the network takes with it: what stands in a rack, what one power unit alone feeds.
struct LossGroup {
  std::string kind; ///< "rack", "tray section", "power unit"
  LostParts lost;   ///< may be empty: the network lives on without a loss
};

/// Alike parts, and what the loss of one of them leaves.
struct FailureClass {
  std::string kind; ///< "leaf", "spine", "core", "node", "plane", "link node-leaf", "module leaf down" ..., or of a group
  Count members = 0;
  LostParts example; ///< the first of them
  WhatIsLeft left;
};

/// A wired network with its whole strength; keeps a reference to the wiring.
class FailureStudy {
public:
  /// @param gpus_per_node that share the links of a node evenly, 1 to 4096; more than links: several use one link
  FailureStudy(const Wiring& wiring, Count gpus_per_node);

  /// Bisection is estimated tier by tier: the halves are the lower and upper half of pods, else of units, else of
  /// nodes; what crosses is the least of what the nodes of each half inject, what their leafs send up and, at the top,
  /// what each switch can take from one half and give to the other.
  [[nodiscard]] WhatIsLeft after(const LostParts& lost) const;
  /// Marks of the links that are lost, for `FabricPaths::take_out`.
  [[nodiscard]] std::vector<bool> dead_links(const LostParts& lost) const;
  /// Every single link, module, node, switch and plane, and each of `groups`, once for each class of alike ones, worst
  /// first. Alike is what looks the same from everywhere within four links; groups of one kind are alike when what they
  /// take, and what is left beside it, looks the same in both halves. Half-empty when stopped.
  [[nodiscard]] std::vector<FailureClass> all_single(const std::stop_token& stop = {}, std::span<const LossGroup> groups = {}) const;

private:
  /// What a group takes, as a number that is the same for alike groups.
  [[nodiscard]] std::uint64_t look_of(const LostParts& lost, const std::vector<std::uint64_t>& colour, std::vector<std::uint32_t>& count,
                                      std::vector<std::uint8_t>& dead) const;
  struct Strength {
    std::vector<double> rail;
    double injection = 0, bisection = 0;
    Count isolated_gpus = 0, isolated_nodes = 0;
  };
  [[nodiscard]] Strength strength(const std::vector<bool>& dead) const;
  [[nodiscard]] double bisection(const std::vector<bool>& dead) const;
  const Wiring& wiring_;
  Count gpus_per_node_ = 8;
  std::vector<std::uint32_t> first_, at_; ///< links at a device
  std::vector<std::uint8_t> half_;        ///< of a node or switch: 0 or 1
  bool top_is_core_ = false, has_uplinks_ = false, dragonfly_ = false;
  bool by_pod_ = false;                   ///< spines have a half, too
  std::uint32_t planes_ = 1, rails_ = 1;
  Strength whole_;
};

} // namespace hallwright
