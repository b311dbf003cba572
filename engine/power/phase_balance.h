// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "design/entities.h"
#include "power/complex_power.h"

/// Racks on the taps of a busway by phase: current of each line and of the neutral, voltage at each tap, and a proposal
/// for who hangs on which phase with a bound on how far it is from the best.
namespace hallwright {

std::string_view tap_phases_word(TapPhases phases);
enum class TapKind : std::uint8_t { line_to_neutral, line_to_line, three_phase };
TapKind kind_of(TapPhases phases);

/// Resistance and reactance of a conductor per length [Ohm/m], at its working temperature.
struct LineImpedance {
  double resistance = 0.0, reactance = 0.0;
};

struct BuswayTap {
  std::int64_t id = 0; ///< of the rack
  std::string name;
  ComplexPower load; ///< on this tap
  TapPhases phases = TapPhases::three_phase;
  bool kept = false;       ///< a proposal leaves its phases alone
  bool both_cords = false; ///< the rack draws as much again on the other side: all of it here when that is out
  Length position{};       ///< from the end where the busway is fed
  Length whip_length{};
  LineImpedance whip;
};

struct BuswayRun {
  std::int64_t id = 0;
  std::string name;
  /// Of one phase or direct current: two conductors, whatever the taps say of phases; no neutral.
  ElectricalSystem system = ElectricalSystem::three_phase;
  LineToLineVoltage voltage = LineToLineVoltage::from_volts(400); ///< between lines, or between the two conductors
  std::optional<Current> rating;     ///< of each line
  double continuous_load_factor = 1; ///< of the rating, for long
  double neutral_share = 1.0;        ///< rating of the neutral over that of a line
  LineImpedance line, neutral;
  double third_harmonic_share = 0.0; ///< third-harmonic current over the fundamental, of loads to neutral; 0 to 1
};

/// What flows in the conductors of a busway at its fed end.
struct PhaseCurrents {
  std::array<Current, 3> line{}; ///< of two conductors the first two: there and back
  Current neutral{};       ///< the third harmonics of the three lines add up in it
  double unbalance = 0.0;  ///< largest distance of a line from the mean of the three, over the mean; 0 without load
  std::size_t fullest = 0; ///< line with the largest current, 0 to 2
};
/// Phasor sums at rated voltage; direct current is power over voltage. Loads between two lines count on both; loads of unlike power factors as they are.
PhaseCurrents phase_currents(const BuswayRun& run, const std::vector<BuswayTap>& taps);

/// The taps with the busway of the other side out: racks with two cords draw all of their power here. What overloads a
/// line then is told by `phase_problems`, as in normal operation.
std::vector<BuswayTap> with_other_side_out(std::vector<BuswayTap> taps);

/// Voltage lost on the way to a tap, as shares of the voltage that the tap stands between.
struct TapVoltage {
  std::int64_t id = 0;
  double busway_drop = 0.0, whip_drop = 0.0;
  [[nodiscard]] double drop() const { return busway_drop + whip_drop; }
};
/// Constant currents along line and neutral conductors, piece by piece between taps.
/// @source R I cos + X I sin by phasors; three-phase taps take the worst of their lines; two conductors lose it there
///         and back: 2 R I
std::vector<TapVoltage> tap_voltages(const BuswayRun& run, const std::vector<BuswayTap>& taps);

/// A proposal of phases.
struct PhaseProposal {
  std::vector<TapPhases> phases;    ///< in the order of the taps
  std::vector<std::size_t> changed; ///< taps that move
  PhaseCurrents before, after;
  Current least_possible{}; ///< no assignment has a largest line current below this
  bool best = false;        ///< proven: the largest line current is the least possible
  double gap = 0.0;         ///< at most this share above the best there can be; 0 without load
};
/// Largest load first onto the phases that then carry least, then single moves and swaps as long as the fullest line
/// gets lighter. Taps keep their kind (to neutral, between lines, three-phase); those that already stand best stay.
/// @source longest processing time first is within 4/3 - 1/9 of the best on three equal lines (Graham 1969); the bound
///         given is that of these very loads: the mean of the three lines, the largest load, and for loads to neutral
///         of one power factor the smallest k + 1 of the largest 3 k + 1
PhaseProposal propose_phases(const BuswayRun& run, const std::vector<BuswayTap>& taps);

/// What is wrong with a run, in sentences that name it and its taps.
enum class PhaseProblemKind : std::uint8_t { line_overload, neutral_overload, unbalance, voltage_drop, wrong_input };
struct PhaseProblem {
  PhaseProblemKind kind = PhaseProblemKind::line_overload;
  std::vector<std::int64_t> taps; ///< that the sentence is about
  std::string sentence;
};
/// @param unbalance_limit  of the mean, say 0.1
/// @param drop_limit       of the tap's voltage on busway and whip together, say 0.03
std::vector<PhaseProblem> phase_problems(const BuswayRun& run, const std::vector<BuswayTap>& taps,
                                         double unbalance_limit, double drop_limit);

/// Share of its rated current that a conductor carries at another ambient temperature.
/// @param ambient, rated_ambient  of the air round it
/// @param conductor               highest working temperature of its insulation: 70 C for PVC, 90 C for XLPE
/// @return 0 where the ambient is as hot as the conductor may get
/// @source sqrt((conductor - ambient) / (conductor - rated ambient)): NEC 310.14(B); rounded, table B.52.14 of IEC
///         60364-5-52
double ambient_derating(Temperature ambient, Temperature conductor,
                        Temperature rated_ambient = Temperature::from_celsius(30));
/// Share of its rated current that each of several loaded circuits side by side carries, bunched in air or in one tray.
/// Between the rows of the table the next larger number of circuits counts; beyond 20 that of 20.
/// @param circuits  1 or more
/// @source IEC 60364-5-52 table B.52.17, item 1
double grouping_derating(Count circuits);

} // namespace hallwright
