// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "fabric/as_built.h"
#include "fabric/cabling.h"

/// The networks of a design as the plan of an as-built comparison.
namespace hallwright {

struct NetworksPlan {
  PlannedFabric plan; ///< network after network, with racks and units of the devices
  FoundLinks found;   ///< what is to be compared: without the links of networks that were not asked for
  std::size_t left_out = 0; ///< links of other networks
};

/// The plan of the networks of which `found` names devices, with the name of the network in front ("Compute leaf 3") or
/// bare ("leaf 3": then of the one network that fits best). Where no name is known: the first wired network.
/// @param only a network by name; empty: all
/// @return an error that names the network and why it has no wiring, or that there is none
tl::expected<NetworksPlan, std::string> plan_of_networks(const CablingResult& cabling, const std::vector<Rack>& racks,
                                                         const FoundLinks& found, std::string_view only = {});

/// The same for a dump in which devices may also have the names that the files for NetBox give them.
tl::expected<NetworksPlan, std::string> plan_of_networks(const CablingResult& cabling, const Design& design,
                                                         const Catalog& catalog, const FoundLinks& found,
                                                         std::string_view only = {});

} // namespace hallwright
