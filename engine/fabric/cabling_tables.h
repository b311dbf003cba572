// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "fabric/cabling.h"

/// Tables of the cabling stage: port rules, lengths, media, assemblies, modules, problems, places, and what rules read.
namespace hallwright {

/// @param cabling        with wirings, plans and facts of all networks
/// @param gpus_per_node  of the main node; 0: not known
std::vector<Table> cabling_tables(const CablingResult& cabling, const FabricResult& fabric, const Catalog& catalog,
                                  Count gpus_per_node);

} // namespace hallwright
