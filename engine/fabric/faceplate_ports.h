// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fabric/as_built.h"

/// Port names as faceplates and switch operating systems write them, as numbers of a plan.
namespace hallwright {

/// "17/2" and "swp17s1" are the second link of cage 17, "swp17" its only one (cages from 1; "s" counts from 0, as Cumulus
/// Linux names the parts of a split port). Nothing where the name has another form or a part that the cage does not have.
/// @param links_per_cage links that one cage carries, at least 1
std::optional<Count> port_of_name(std::string_view name, Count links_per_cage);

/// A device's name for comparing: without regard to case, blanks and underscores as hyphens.
std::string comparable_name(std::string_view name);

/// The found links with such names read as numbers, at switches whose name is in the plan and whose cages it knows.
/// A plan that names its ports itself is left to compare by name.
FoundLinks with_port_numbers(FoundLinks found, const PlannedFabric& plan);

} // namespace hallwright
