// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "design/design.h"

/// At what voltage a drawn unit runs.
namespace hallwright {

/// What a unit gives at its output: a rectifier direct current, whatever is stated; every other kind what it states.
ElectricalSystem system_of(const PowerUnit& unit);

/// Where the voltage of a unit comes from. Nothing set: it is not known.
struct DrawnVoltage {
  std::optional<double> volts;      ///< between lines, between the two conductors of one phase, or between poles
  const PowerUnit* unit = nullptr;  ///< that states it: itself or one above it
  const PowerPart* part = nullptr;  ///< that is rated for it, where no unit states one
  explicit operator bool() const { return volts.has_value(); }
};
/// What is stated for a unit or for what feeds it, up to a transformer, a rectifier or another system; else what its
/// part, or a part above, is rated for: a busway for 600 V may run at 415 V.
DrawnVoltage drawn_voltage(const std::vector<PowerUnit>& units, const Catalog& catalog, const PowerUnit& unit);

/// A voltage or a system that the unit cannot have.
struct VoltageProblem {
  std::vector<Id> units;
  std::string sentence; ///< names the unit, the value and what is allowed
};
/// Direct current through a transformer or into a rectifier, or without a rectifier above; a voltage of its own on a unit
/// that changes none, beyond 5 % (400 V and 415 V are one system); a UPS outside 100 V to 24 kV; a busway above 1 kV
/// alternating or 1.5 kV direct; more than 1.1 times what a part is rated for.
/// @source IEC 60038 (10 % of supply tolerance), IEC 61439-1 (low voltage of busways); UPS: data sheets, medium-voltage
///         ones end at 24 kV
std::vector<VoltageProblem> voltage_problems(const std::vector<PowerUnit>& units, const Catalog& catalog);

} // namespace hallwright
