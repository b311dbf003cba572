// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "design/design.h"
#include "design/power_feeds.h"
#include "power/drawn_voltage.h"

/// The one-line as drawn: which unit feeds which, what stands above each rack's A and B feed, and what each unit
/// carries with all units in service or with one of them out.
namespace hallwright {

/// Racks that draw the same on one pair of feeds. A feed that names no drawn unit is 0; a rack whose A and B name the
/// same unit has one feed.
struct FeedPair {
  Id feed_a = 0, feed_b = 0;
  std::uint32_t rack_class = 0;
  Count racks = 0;
  friend auto operator<=>(const FeedPair&, const FeedPair&) = default;
};

/// Where the rating of a unit comes from.
enum class RatingSource : std::uint8_t { none, unit, unit_apparent, part, part_apparent, part_current };
struct UnitRating {
  RatingSource source = RatingSource::none;
  double watts = 0.0; ///< NaN where the source is `none`
};
/// Rating of a unit: its own in kW or, where that is tighter or alone, in kVA with `power_factor`; else its part's in
/// kW, else in kVA or in amperes with `power_factor`. Amperes count at the voltage at which the unit is drawn, not at
/// that which its part is built for; direct current has no power factor.
/// @param volts  at which it is drawn; not set: not known, and amperes tell nothing
UnitRating unit_rating(const Catalog& catalog, const PowerUnit& unit, double power_factor, std::optional<double> volts);

/// Place of a kind on the way from the sources to the racks: 0 for utility feeds to 8 for busways.
int place_in_chain(PowerUnitKind kind);
inline constexpr std::size_t places_in_chain = 9;
/// Share of the rating that a unit may carry for long: the plant's factor for switchgear, distribution and busways, whose
/// breakers trip under lasting load, else 1.
double continuous_share(PowerUnitKind kind, double continuous_load_factor);
/// What the conductors of a unit carry in warm air and beside others, over their rating; 1 where the unit states neither.
/// @source ambient_derating with insulation for 90 degC, grouping_derating
double conductor_derating(const PowerUnit& unit);
/// Share of its rating that a unit may carry for long: its own continuous load factor, else `continuous_share`, and its
/// derating.
double usable_share_of(const PowerUnit& unit, double continuous_load_factor);

/// Load of one unit, counted in IT watts beneath it (each rack once).
struct UnitCarries {
  double normal = 0.0;  ///< all units in service
  double worst = 0.0;   ///< largest with one other unit out
  Id worst_out = 0;     ///< the unit that is out then; 0: the normal state is the worst
};

class FeedGraph {
public:
  /// @param class_of_rack  which racks draw the same, in the order of `racks`; empty: all of them
  FeedGraph(const std::vector<PowerUnit>& units, const std::vector<Rack>& racks, Redundancy redundancy,
            const std::function<double(const PowerUnit&)>& rating_watts,
            const std::vector<std::uint32_t>& class_of_rack = {});

  [[nodiscard]] const std::vector<FeedPair>& pairs() const { return pairs_; }
  /// The unit and all above it, from the feed upwards; a loop of upstream links ends where it would begin again.
  [[nodiscard]] const std::vector<std::size_t>& chain(Id unit) const { return feeds_.chain(unit); }
  /// Units that are reached again by following their upstream links.
  [[nodiscard]] const std::vector<Id>& looped() const { return feeds_.looped(); }
  /// Units that stand above both feeds of a dual-corded rack, with the racks concerned.
  [[nodiscard]] const std::map<Id, std::vector<Id>>& shared_by_both_feeds() const { return shared_; }
  /// Units that share one bus: same kind, same feed, same upstream, under N+1, unless racks take A and B from two of
  /// them. One group's load is spread over its members by rating.
  [[nodiscard]] std::size_t group_size(std::size_t unit) const { return bus(unit).size(); }
  /// Loads of all units, in the order of the table. `rack_watts` gives the power of one rack of a class.
  [[nodiscard]] std::vector<UnitCarries> loads(const std::function<double(std::uint32_t rack_class)>& rack_watts) const;
  /// How many racks of each class a unit carries (a rack on two live feeds counts half) with `out` out of service.
  [[nodiscard]] std::map<std::uint32_t, double> racks_carried(std::size_t unit, Id out) const;
  /// Index of the unit in the table, or -1.
  [[nodiscard]] std::ptrdiff_t index(Id unit) const { return feeds_.index(unit); }

private:
  [[nodiscard]] const std::vector<std::size_t>& bus(std::size_t unit) const { return feeds_.groups()[feeds_.group_of(unit)]; }
  [[nodiscard]] double member_share(std::size_t unit, std::size_t out) const; ///< of its group's load
  const std::vector<PowerUnit>& units_;
  PowerFeeds feeds_;
  std::vector<FeedPair> pairs_;
  std::map<Id, std::vector<Id>> shared_;
  std::vector<double> weights_; ///< ratings, or 1 where one of a group is not known
};

} // namespace hallwright
