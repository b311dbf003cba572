// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/power_feeds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace hallwright {
namespace {

constexpr std::size_t no_unit = std::numeric_limits<std::size_t>::max();

bool on(const std::vector<std::size_t>& chain, std::size_t unit) {
  return std::find(chain.begin(), chain.end(), unit) != chain.end();
}

} // namespace

PowerFeeds::PowerFeeds(const std::vector<PowerUnit>& units, std::span<const Rack> racks, Redundancy redundancy)
    : units_(units) {
  chains_.resize(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i); at >= 0;
         at = index(units[static_cast<std::size_t>(at)].upstream)) {
      if (on(chains_[i], static_cast<std::size_t>(at))) {
        if (static_cast<std::size_t>(at) == i) looped_.push_back(units[i].id);
        break;
      }
      chains_[i].push_back(static_cast<std::size_t>(at));
    }
  }

  group_of_.assign(units.size(), no_unit);
  std::map<std::tuple<PowerUnitKind, Id, Feed>, std::vector<std::size_t>> buses;
  if (redundancy == Redundancy::n_plus_1) {
    for (std::size_t i = 0; i < units.size(); ++i)
      if (units[i].kind != PowerUnitKind::distribution && units[i].kind != PowerUnitKind::busway &&
          units[i].kind != PowerUnitKind::switchgear && units[i].kind != PowerUnitKind::static_switch)
        buses[{units[i].kind, units[i].upstream, units[i].feed}].push_back(i);
  }
  std::set<RackFeeds> pairs;
  if (!buses.empty())
    for (const Rack& rack : racks)
      if (const RackFeeds f = feeds_of(rack); f.a && f.b) pairs.insert(f);
  for (const auto& [key, members] : buses) {
    const bool apart = std::any_of(pairs.begin(), pairs.end(), [&](const RackFeeds& p) {
      // A on one member and B on another: they back each other up by wiring, not on a bus.
      std::size_t above_a = no_unit, above_b = no_unit;
      for (const std::size_t m : members) {
        if (on(chain(p.a), m)) above_a = m;
        if (on(chain(p.b), m)) above_b = m;
      }
      return above_a != no_unit && above_b != no_unit && above_a != above_b;
    });
    if (apart || members.size() < 2) continue;
    for (const std::size_t m : members)
      group_of_[m] = groups_.size();
    groups_.push_back(members);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (group_of_[i] != no_unit) continue;
    group_of_[i] = groups_.size();
    groups_.push_back({i});
  }
}

std::ptrdiff_t PowerFeeds::index(Id unit) const {
  if (unit == 0) return -1;
  const PowerUnit* u = find(units_, unit);
  return u ? u - units_.data() : -1;
}

RackFeeds PowerFeeds::feeds_of(const Rack& rack) const {
  RackFeeds out{index(rack.feed_a) >= 0 ? rack.feed_a : 0, index(rack.feed_b) >= 0 ? rack.feed_b : 0};
  if (out.a == out.b) out.b = 0;
  return out;
}

const std::vector<std::size_t>& PowerFeeds::chain(Id unit) const {
  const std::ptrdiff_t i = index(unit);
  return i < 0 ? none_ : chains_[static_cast<std::size_t>(i)];
}

std::vector<bool> PowerFeeds::dead(std::span<const Id> out) const {
  std::vector<bool> failed(units_.size(), false), down(units_.size(), false);
  for (const Id id : out)
    if (const std::ptrdiff_t i = index(id); i >= 0) failed[static_cast<std::size_t>(i)] = true;
  for (std::size_t i = 0; i < units_.size(); ++i)
    down[i] = std::any_of(chains_[i].begin(), chains_[i].end(), [&](std::size_t u) {
      const auto& bus = groups_[group_of_[u]];
      return std::all_of(bus.begin(), bus.end(), [&](std::size_t m) { return failed[m]; });
    });
  return down;
}

bool PowerFeeds::without_power(const Rack& rack, const std::vector<bool>& dead) const {
  const std::ptrdiff_t a = index(rack.feed_a), b = index(rack.feed_b);
  if (a < 0 && b < 0) return false;
  return (a < 0 || dead[static_cast<std::size_t>(a)]) && (b < 0 || dead[static_cast<std::size_t>(b)]);
}

bool PowerFeeds::feeds(Id unit, const Rack& rack) const {
  const std::ptrdiff_t i = index(unit);
  if (i < 0) return false;
  const auto above = [&](Id feed) {
    const auto& units = chain(feed);
    return std::any_of(units.begin(), units.end(),
                       [&](std::size_t u) { return group_of_[u] == group_of_[static_cast<std::size_t>(i)]; });
  };
  return above(rack.feed_a) || above(rack.feed_b);
}

std::vector<std::vector<std::size_t>> PowerFeeds::lost_with_each(std::span<const Rack> racks) const {
  std::vector<std::vector<std::size_t>> out(units_.size());
  for (std::size_t r = 0; r < racks.size(); ++r) {
    const RackFeeds f = feeds_of(racks[r]);
    if (!f.a && !f.b) continue;
    const auto& first = chain(f.a ? f.a : f.b);
    for (const std::size_t u : first)
      if (groups_[group_of_[u]].size() == 1 && (!f.a || !f.b || on(chain(f.b), u))) out[u].push_back(r);
  }
  return out;
}

} // namespace hallwright
