// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "design/edits.h"
#include "power/one_line.h"
#include "power/phase_balance.h"

/// The busways and panels of a design with the racks on their taps, as the study of phases takes them.
namespace hallwright {

struct DrawnBusway {
  Id unit = 0;
  Feed side = Feed::both;
  BuswayRun run;
  std::vector<BuswayTap> taps; ///< along the busway, then by id
  std::string missing;         ///< why no currents can be told; empty: they can
};

/// Every unit that racks hang on, by id. A rack with cords on two units draws half of its power on each.
///
/// Places of taps that are not stated come from the plan: the distance of the rack from the corner where the unit was
/// put down, along its longer side (of a feed box the farther one). Racks in other halls stand at the fed end. Where the
/// unit states the length of its conductors the taps lie along that: the drawn run (of a feed box as far as its farthest
/// rack) is drawn out to it; racks without a place on it are evenly spread, in the order of the table.
std::vector<DrawnBusway> drawn_busways(const Design& design, const OneLine& line, const Catalog& catalog);

/// Racks on the taps of a busway stand between the phases of a proposal. @param taps  in the order of the proposal
Edit spread_over_phases(const Design& design, const DrawnBusway& busway, const PhaseProposal& proposal);
/// One rack's tap on a busway.
Edit set_tap_phases(const Design& design, Id rack, Id busway, TapPhases phases);

/// What is wrong with the drawn busways by the limits of the catalog, in their order.
struct BuswayProblem {
  Id unit = 0;
  PhaseProblem problem;
};
std::vector<BuswayProblem> busway_problems(const std::vector<DrawnBusway>& busways, const Catalog& catalog);

} // namespace hallwright
