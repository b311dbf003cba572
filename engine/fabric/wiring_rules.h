// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/cable_plan.h"
#include "fabric/device_places.h"
#include "fabric/wiring.h"

/// What rules ask of a wired network that no figure holds: looks at every link and place, done once a stage.
namespace hallwright {

/// What the loss of the worst leaf cuts off. GPUs share the links of their node evenly, as in `FailureStudy`.
struct LostLeaf {
  std::uint32_t leaf = 0; ///< device; of no meaning where nothing is cut off
  Count gpus = 0;         ///< whose links all end there
  Count nodes = 0;        ///< whose links all end there
};
LostLeaf worst_leaf(const Wiring& wiring, Count gpus_per_node);

/// Cages of a node that hold links of more than one plane. Ports count plane after plane; where a cage holds as many
/// links as there are planes, it holds one of each, as adapters made for planes have it.
Count cages_of_two_planes(Count links_per_node, Count planes, Count links_per_cage);

/// Cables with several links whose ends are plugged into more than one switch at one side. Ends in nodes do not count.
Count cables_to_two_switches(const Wiring& wiring, const CablePlan& plan);

/// Switches of one plane in one rack.
struct SwitchRack {
  Id rack = 0;
  std::uint16_t plane = 0; ///< from 0
  Count leafs = 0, spines = 0, cores = 0;
  friend bool operator==(const SwitchRack&, const SwitchRack&) = default;
};
/// By rack id and plane; switches that are not drawn are left out.
std::vector<SwitchRack> switch_racks(const Wiring& wiring, const DevicePlaces& places);

/// What a network has to change when one more unit is added after its last one is full.
struct Growth {
  std::string words;                 ///< "another unit of 32 nodes needs 8 spines instead of 4"; empty: nothing
  std::optional<Count> moved_cables; ///< live cables between switches that get another far end; not set: not counted
};
/// Growth of fat trees and trees of rails; others say nothing. Where S spines become T and bundles stay equal, each
/// leaf keeps S / T of its uplinks.
Growth growth_of(const FabricRequest& request, const FabricCounts& counts);

/// Changes of a network, in words, with which it can still be counted: "whole units", "equal bundles", "radix of the
/// part". Remedies that would only bring another refusal are not offered.
/// @param part_radix of the leaf part at the rate of the links; 0: not known
std::vector<std::string> changes_that_count(const FabricRequest& request, Count part_radix);

} // namespace hallwright
