// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "power/one_line.h"

/// Prospective short-circuit current at each element of the one-line, and whether a fault below trips the breaker
/// above.
namespace hallwright {

/// What a short circuit meets in one element. What is not known is left out, which makes the current an upper bound.
struct FaultPath {
  std::optional<ApparentPower> short_circuit_power; ///< of a source at its terminals
  double source_x_over_r = 10.0;                    ///< of a source
  std::optional<ApparentPower> rated;               ///< of a transformer or generator
  double impedance_voltage = 0.0;           ///< of a transformer, 0 to 0.25; of a generator its subtransient reactance
  double resistive_part = 0.0;              ///< of that: load loss at the rating over the rating
  double resistance = 0.0, reactance = 0.0; ///< of a cable or busway over its length [Ohm]
  std::optional<LineToLineVoltage> voltage; ///< at its output; not set: that of what feeds it
  std::optional<double> inverter_share;     ///< of a UPS: current on battery over its rated one; not set: no inverter
  std::optional<Current> rated_current;     ///< of its breaker
  double instantaneous_multiple = 10.0;     ///< pickup of the breaker's instantaneous trip over its rating
  double delay_s = 0.0;                     ///< short-time delay of that trip; 0: none
};

/// At the output of an element, all in service.
struct FaultLevel {
  Id element = 0;
  std::optional<Current> initial;    ///< symmetrical, three-phase; not set: no voltage is known
  std::optional<Current> peak;       ///< of the first half wave
  std::optional<Current> on_battery; ///< below a UPS whose source is gone; breakers may not trip by it
  double x_over_r = 0.0;
  bool at_most = false; ///< the source or an impedance is not known: an upper bound
};

/// @param paths           in the order of the elements of the one-line
/// @param voltage_factor  1.05 at low voltage with a tolerance of 6 %, 1.1 above
/// @source IEC 60909-0: I = c V / (sqrt(3) Z); peak = (1.02 + 0.98 exp(-3 R/X)) sqrt(2) I. Units that run in parallel
///         count all; sources on one bus add up
std::vector<FaultLevel> fault_levels(const OneLine& one_line, const std::vector<FaultPath>& paths,
                                     double voltage_factor = 1.05);

/// Whether the breaker of an element and that of what feeds it go off one after the other.
struct SelectivityHint {
  Id upstream = 0, element = 0;
  bool selective = false;
  std::string sentence;
};
/// A hint and no study: breakers are selective where the upper one is rated at least 1.6 times the lower, and the fault
/// below stays under its instantaneous pickup or it waits longer.
/// @source ratio 1.6 of IEC 60269-1 for fuses, taken over as a rule of thumb; a study by the makers' curves decides
std::vector<SelectivityHint> selectivity_hints(const OneLine& one_line, const std::vector<FaultPath>& paths,
                                               const std::vector<FaultLevel>& levels);

} // namespace hallwright
