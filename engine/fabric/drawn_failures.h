// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/access.h"
#include "design/design.h"
#include "fabric/cabling.h"
#include "fabric/fabric_failures.h"

/// Drawn things out of service, and what each takes of the networks: a rack what stands in it, a row or hall its racks,
/// a stretch of tray the cables that lie in it, a power unit the racks that nothing else feeds.
namespace hallwright {

/// One row of `Design::failures` that names a drawn thing, by what of the drawing goes with it.
struct FailedThing {
  Id failure = 0;
  Id thing = 0;
  std::string name;         ///< "rack R07", "tray T1 section 2", "power unit UPS A"
  std::vector<Id> racks;    ///< that go with it, ascending
  Count racks_kept = 0;     ///< of a power unit: racks below it that another feed keeps going
  Id tray = 0;              ///< whose cables go with it; 0: none
  Count section = 0;        ///< of the tray, from 1; 0: all of it
  std::string note;         ///< why it takes nothing, where nothing of a network hangs on it
  std::string problem;      ///< why its words say nothing; empty where they do
  friend bool operator==(const FailedThing&, const FailedThing&) = default;
};

/// Whether things of this table take parts of networks with them: racks, rows, halls, trays, power units.
bool takes_network_parts(std::string_view table);
/// "rack R07", "power unit UPS A"; of other things their name.
std::string taken_thing_name(const Design& design, const EntityRef& thing);

/// The drawn things that a design has out of service, in the order of its table. A rack stands without power when all
/// of its feeds do, whichever failures take them; it goes with each failed unit above it. Where several units share a
/// bus (N+1), the rest of the bus carries on.
std::vector<FailedThing> failed_things(const Design& design);

/// Whether `element` names a part of this kind of thing: a tray takes "section 2" or nothing, all others nothing.
/// @return the number of the section, 0 where there is none, or a sentence
tl::expected<Count, std::string> section_of_element(std::string_view table, std::string_view element);

/// What a thing takes of one network; nothing where none of it hangs on the thing.
/// @param usage  ways of cables that are known; null: each is searched
/// @return the parts, or a sentence when the tray has no such section
tl::expected<LostParts, std::string> lost_with(const FailedThing& thing, const NetworkCabling& network, const TrayUsage* usage);

/// Every rack that holds devices of a network, every section of a tray that holds cables of it, and every power unit,
/// each alone, for `FailureStudy::all_single`.
/// @param stop when requested, the list is left unfinished and of no use
std::vector<LossGroup> single_losses(const Design& design, const NetworkCabling& network, const TrayUsage* usage,
                                     const std::stop_token& stop = {});

} // namespace hallwright
