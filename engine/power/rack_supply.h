// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "design/entities.h"
#include "power/one_line_rules.h"

/// How each rack hangs on the power side: room left on its feeds, phases, and what takes it dark.
namespace hallwright {

/// Room left on the units that feed a rack.
struct RackSupply {
  Id rack = 0;
  double headroom = std::numeric_limits<double>::quiet_NaN(); ///< share of what a unit may carry for long, in normal
                                                              ///< operation; the smaller of its feeds; NaN: not known
  Id tightest = 0;                                            ///< the unit that has it; 0: not known
};
/// Racks of the one-line that have a feed, by id.
std::vector<RackSupply> rack_supplies(const OneLineStudy& study);

/// Racks that go dark together.
struct RackFailureDomain {
  Id rack = 0;
  Id unit = 0;               ///< whose loss alone takes it dark, with the fewest other racks; 0: no single loss does
  Id feed_a = 0, feed_b = 0; ///< where no single loss does: the pair that has to be lost; an undrawn side is 0
};
/// Racks that have power in normal operation, by id. Of units that take equally many racks dark that which feeds the
/// rack directly, else the first by id. What drops out because of a loss counts with it.
std::vector<RackFailureDomain> rack_failure_domains(const OneLineStudy& study);
/// "UPS A", "Busway 1A + Busway 1B".
std::string failure_domain_name(const RackFailureDomain& domain, const OneLine& line);

/// Conductors that the taps of a rack stand between.
struct RackPhases {
  std::string words; ///< "L1-N", "three phases", "A L1-N, B L2-N", "one phase", "direct current"; empty: no feed
  std::string mark;  ///< in short, as on drawings: "L1", "3~", "L1/L2", "1~", "DC"
};
/// What its feeds are decides: on one of one phase or direct current the phases of a tap say nothing.
RackPhases rack_phases(const Rack& rack, const OneLine& line);

} // namespace hallwright
