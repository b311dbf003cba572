// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "design/design.h"

/// Who feeds whom, as the one-line is drawn: what stands above each unit, which units share a bus, and which racks
/// stand without power when units are out.
namespace hallwright {

/// Feeds A and B of a rack by what is drawn: a feed that names no drawn unit is 0; where A and B name the same unit, it
/// is A and there is no B.
struct RackFeeds {
  Id a = 0, b = 0;
  friend auto operator<=>(const RackFeeds&, const RackFeeds&) = default;
};

/// Keeps references to the units.
class PowerFeeds {
public:
  PowerFeeds(const std::vector<PowerUnit>& units, std::span<const Rack> racks, Redundancy redundancy);

  /// Index of the unit in the table, or -1.
  [[nodiscard]] std::ptrdiff_t index(Id unit) const;
  [[nodiscard]] RackFeeds feeds_of(const Rack& rack) const;
  /// The unit and all above it, from the unit upwards; a loop of upstream links ends where it would begin again.
  [[nodiscard]] const std::vector<std::size_t>& chain(Id unit) const;
  /// Units that are reached again by following their upstream links.
  [[nodiscard]] const std::vector<Id>& looped() const { return looped_; }
  /// Units that share one bus: same kind, same feed, same upstream, under N+1, unless racks take A and B from two of
  /// them. Every unit is in one group; most are alone in it.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }
  [[nodiscard]] std::size_t group_of(std::size_t unit) const { return group_of_[unit]; }

  /// Which units are without power with these out: themselves, and all below one that is out with its whole bus. The
  /// rest of a bus carries on; whether it can bear the load is another question.
  [[nodiscard]] std::vector<bool> dead(std::span<const Id> out) const;
  /// Whether all feeds of a rack are dead. A rack without a drawn feed hangs on none.
  [[nodiscard]] bool without_power(const Rack& rack, const std::vector<bool>& dead) const;
  /// Whether a unit stands above a feed of this rack.
  [[nodiscard]] bool feeds(Id unit, const Rack& rack) const;
  /// For each unit, the indices of the racks that stand without power where it alone is out.
  [[nodiscard]] std::vector<std::vector<std::size_t>> lost_with_each(std::span<const Rack> racks) const;

private:
  const std::vector<PowerUnit>& units_;
  std::vector<std::vector<std::size_t>> chains_; ///< parallel to the units
  std::vector<std::size_t> none_;
  std::vector<Id> looped_;
  std::vector<std::size_t> group_of_;
  std::vector<std::vector<std::size_t>> groups_;
};

} // namespace hallwright
