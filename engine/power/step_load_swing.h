// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "quantity/quantity.h"

/// Power of a synchronous training job over time: all racks compute, wait and write checkpoints together, so the plant
/// sees their sum swing. What the swing is, whom it is too much for, and what smooths it at which price.
namespace hallwright {

/// A job's rhythm, in plain numbers.
struct TrainingRhythm {
  Count racks = 1;                  ///< at work in the job, 1 or more
  Power rack_power{};               ///< of one while it computes, above 0
  double communication_share = 0.6; ///< of that, while it waits for exposed communication; 0 to 1
  double idle_share = 0.23;         ///< of that, at a checkpoint stall; 0 to 1
  Time step{};                      ///< of one step, exposed communication included; above 0
  Time exposed_communication{};     ///< of a step, 0 to the step
  Time checkpoint_interval{};       ///< between the starts of two; 0: none are written
  Time checkpoint_stall{};          ///< in which training stands still, 0 to the interval
  Time edge = seconds(0.05);        ///< in which the power of a rack moves from one level to another, above 0
  Power steady{};                   ///< of all else on the same plant: other racks, cooling; 0 or more
};

struct TracePoint {
  Time at{};
  Power power{};
};

/// Power over one period, straight lines between points; the end is the beginning again.
struct PowerTrace {
  std::vector<TracePoint> points; ///< the first at 0, the last at the period
  Time period{};

  [[nodiscard]] Power at(Time time) const; ///< of any time, 0 or more
  [[nodiscard]] Power largest() const;
  [[nodiscard]] Power smallest() const;
  [[nodiscard]] Power mean() const;
  /// Largest change between two instants at most this far apart.
  [[nodiscard]] Power largest_change(Time within) const;
  /// Steepest slope [W/s], up or down.
  [[nodiscard]] double steepest() const;
};

/// Of one step after the other, without checkpoints. Or a sentence that names the field that is out of range.
tl::expected<PowerTrace, std::string> step_trace(const TrainingRhythm& rhythm);
/// Of one checkpoint interval: as many whole steps as fit beside the stall, then the stall. At most `most_steps` of
/// them are drawn (the first and the last ones), the rest as their mean.
tl::expected<PowerTrace, std::string> checkpoint_trace(const TrainingRhythm& rhythm, Count most_steps = 400);

/// What an element of the plant takes.
struct SwingLimit {
  std::string name;
  std::optional<Power> step;       ///< largest change at once, within `window`
  std::optional<double> ramp;      ///< steepest change over `window` [W/s]
  Time window = seconds(1);        ///< over which both are taken, above 0
  std::optional<Power> band_swing; ///< largest peak-to-peak swing of the steps between these frequencies
  Frequency band_low = per_second(0.1), band_high = per_second(2.5); ///< where generators and grids swing
};

struct SwingVerdict {
  std::string name;
  bool too_much = false;
  std::string sentence; ///< with the figures on both sides
};

struct StepLoadSwing {
  PowerTrace steps, checkpoints; ///< the second without points where none are written
  Power mean{}, largest{}, smallest{};
  Power step_swing{};       ///< peak to peak, of the steps
  Power checkpoint_swing{}; ///< from computing to the stall; 0: no checkpoints
  double steepest = 0.0;    ///< [W/s]
  Frequency step_frequency{};
  std::vector<SwingVerdict> verdicts; ///< in the order of the limits
};
tl::expected<StepLoadSwing, std::string> step_load_swing(const TrainingRhythm& rhythm,
                                                         const std::vector<SwingLimit>& limits);

/// A way to smooth, with its price.
struct SmoothingOption {
  std::string name;
  Power swing_after{}; ///< of the steps, peak to peak
  Power checkpoint_swing_after{};
  Power storage_power{};       ///< that a battery must deliver or take
  Energy storage_energy{};     ///< between its fullest and emptiest
  Power mean_extra{};          ///< mean power paid for it: losses, dummy work
  double cycles_per_day = 0.0; ///< of a battery, from full to empty
  std::string sentence;
};
/// Storage at the shelves that holds the power from the source at its mean over `horizon`.
/// @param round_trip_efficiency  above 0, at most 1
/// @param horizon_is_checkpoint  bridges stalls, too; otherwise only steps
tl::expected<SmoothingOption, std::string> battery_smoothing(const TrainingRhythm& rhythm, double round_trip_efficiency,
                                                             bool bridges_checkpoints);
/// Racks that wait do dummy work, so that none falls below a share of its power.
/// @param floor_share  0 to 1
tl::expected<SmoothingOption, std::string> floor_smoothing(const TrainingRhythm& rhythm, double floor_share);
/// Several jobs (or groups that need not wait for each other) of equal size, shifted against each other by equal parts
/// of the step. One synchronous job cannot be staggered against itself.
/// @param groups  1 or more
tl::expected<SmoothingOption, std::string> staggered_smoothing(const TrainingRhythm& rhythm, Count groups);

} // namespace hallwright
