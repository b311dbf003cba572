// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "power/power_flow.h"

/// Whether batteries carry each UPS from the loss of the utility until generators have taken over its load.
namespace hallwright {

/// The battery of one UPS.
struct UpsBattery {
  Id ups = 0;
  Time at_rating{};      ///< for which it carries the rating of its UPS, 0 or more
  double exponent = 1.0; ///< of the load in the run time, 1 to 1.5: 1 for lithium, about 1.2 for lead
};
/// What stands by.
struct StandbySource {
  Power rating{};                      ///< of all generators together, above 0
  Time start = seconds(10);            ///< until they run and the transfer switches are over, 0 or more
  double step_share = 0.25;            ///< of the rating, that they accept at once; above 0, at most 1
  Time step_pause = seconds(5);        ///< between two steps, 0 or more
  std::optional<std::vector<Id>> ups;  ///< that they can feed; not set: all
  std::string name = "the generators"; ///< in sentences; one: its name
};

struct UpsRideThrough {
  Id ups = 0;
  Power load{};   ///< on its output
  Time battery{}; ///< run time at that load
  Time needed{};  ///< until the generators carry it
  bool bridged = false;
  std::string sentence;
};
struct RideThrough {
  std::vector<UpsRideThrough> ups;  ///< in the order in which generators take them: shortest battery first
  bool generators_carry_all = true; ///< the rating is at least the sum of the inputs
  std::string sentence;             ///< of the worst of it
};

/// Run time of a battery at a load, from that at the rating.
/// @param load_share  above 0
/// @source Peukert's law: t = t_rating / load_share^exponent; with exponent 1 constant energy
Time battery_run_time(Time at_rating, double load_share, double exponent);

/// Generators take the UPS one after the other, those with the shortest battery first, in steps that they accept. The
/// input of a UPS at its present load is what they take; charging of batteries is left out.
/// @param flow  of normal operation; UPS without a battery in the list bridge nothing
tl::expected<RideThrough, std::string> ride_through(const PowerFlow& flow, const std::vector<UpsBattery>& batteries,
                                                    const StandbySource& standby);

} // namespace hallwright
