// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "power/power_contingencies.h"

/// How many more racks the drawn one-line carries, which level says no first, and what of each level can never be used.
namespace hallwright {

/// A rack to add.
struct RackToAdd {
  ComplexPower draw;
  double one_feed_capacity_w = std::numeric_limits<double>::quiet_NaN(); ///< as of a load of the one-line
  bool through_failures = true; ///< each element must bear it with any one other out, too
};

/// Room on one pair of feeds.
struct FeedRoom {
  Id feed_a = 0, feed_b = 0;
  Count racks = 0; ///< that fit, after those of the pairs before it
  /// The element that the next rack would overload by most, as a share of what it may carry; 0: nothing says no.
  Id says_no = 0;
  Id with_out = 0; ///< in the case with this one out; 0: in normal operation
};

/// Room on all elements of one kind.
struct LevelRoom {
  PowerUnitKind kind = PowerUnitKind::utility_feed;
  Count elements = 0, unrated = 0;
  Count racks = 0;             ///< that fit if this level alone could say no
  Power usable{};              ///< of all its rated elements
  Power used{};                ///< in normal operation
  Power reserved{};            ///< kept free for failures of others: worst load less normal load
  Power free{};                ///< that the racks which fit take, reserve included
  Power stranded{};            ///< the rest: other levels say no first
  double stranded_share = 0.0; ///< of usable
  Power over{};                ///< by which elements are overloaded at worst, in all
};

struct PowerGrowth {
  Count racks = 0;                       ///< that fit on all pairs of feeds
  std::vector<FeedRoom> feeds;           ///< in the order in which they are filled
  std::vector<LevelRoom> levels;         ///< from the sources down, drawn kinds alone
  std::optional<PowerUnitKind> first_no; ///< level of `binding`; without one that with least room where any is rated
  Id binding = 0, binding_with_out = 0;  ///< of the last pair that still took a rack, else of the first
  bool complete = true;                  ///< false: stopped
  std::string sentence;
};

/// Racks that fit on the pairs of feeds that racks have now (all pairs of a level's busways and distribution units
/// where none has), filled one pair after the other, those with most room first.
/// @param pairs  pairs to fill; empty: as said
tl::expected<PowerGrowth, std::string> power_growth(const OneLine& one_line, const RackToAdd& rack,
                                                    std::vector<std::pair<Id, Id>> pairs = {},
                                                    const std::stop_token& stop = {});

/// One step of bringing the plant back after a blackout.
struct RestorationStep {
  std::string what;      ///< "Close Transformer A1", "Start 12 racks on Busway A3"
  Id element = 0;        ///< closed, or that the racks hang on
  std::vector<Id> racks; ///< started
  Power step{};          ///< added to the source
  Current inrush{};      ///< peak of the magnetising or charging current; 0: none is known
  Power after{};         ///< on all sources together
  Time at{};             ///< from the moment the source is back
};
/// How the plant is brought back.
struct RestorationPlan {
  Power largest_step{};            ///< that the source takes at once, above 0: for generators a quarter of their rating
  Time pause = seconds(5);         ///< between steps, 0 or more: the source settles
  Time cooling_lead = seconds(60); ///< coolant flows for so long before racks start, 0 or more
  double transformer_inrush = 8.0; ///< peak over rated current peak, 0 to 20
  double rack_inrush = 1.5;        ///< of a rack's supplies over its running power, 1 to 10
  std::vector<Id> first_racks;     ///< management, fabric and storage racks, before the others
};
struct Restoration {
  std::vector<RestorationStep> steps;
  Power largest_step{};
  Time duration{};
  std::vector<std::string> refused; ///< what cannot be brought back within the largest step, and why
};
/// Sources, then each level down, transformers one at a time; cooling with its element; then racks in blocks that keep
/// to the largest step, those named first before the others.
/// @source order: usual practice; inrush of 8 to 12 times the rated peak for transformers
tl::expected<Restoration, std::string> restoration(const OneLine& one_line, const RestorationPlan& plan);

} // namespace hallwright
