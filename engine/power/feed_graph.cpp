// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/feed_graph.h"

#include "power/phase_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace hallwright {
namespace {

constexpr std::size_t no_unit = std::numeric_limits<std::size_t>::max();

bool on_chain(const std::vector<std::size_t>& chain, std::size_t unit) {
  return std::find(chain.begin(), chain.end(), unit) != chain.end();
}

} // namespace

UnitRating unit_rating(const Catalog& catalog, const PowerUnit& unit, double power_factor, std::optional<double> volts) {
  const bool direct = system_of(unit) == ElectricalSystem::direct_current;
  const double factor = direct ? 1.0 : power_factor;
  if (unit.rating_apparent) {
    const double watts = unit.rating_apparent->volt_amperes() * factor;
    if (!unit.rating || watts < in_watts(*unit.rating)) return {RatingSource::unit_apparent, watts};
  }
  if (unit.rating) return {RatingSource::unit, in_watts(*unit.rating)};
  const PowerPart* part = catalog.find<PowerPart>(unit.part);
  if (part && part->rating) return {RatingSource::part, in_watts(*part->rating)};
  if (part && part->rating_apparent)
    return {RatingSource::part_apparent, part->rating_apparent->volt_amperes() * factor};
  if (part && part->rating_current && volts) {
    const double va = *volts * in_amperes(*part->rating_current);
    if (system_of(unit) != ElectricalSystem::three_phase) return {RatingSource::part_current, va * factor};
    if (part->phases && *part->phases == 3) return {RatingSource::part_current, std::sqrt(3.0) * va * factor};
  }
  return {RatingSource::none, std::numeric_limits<double>::quiet_NaN()};
}

int place_in_chain(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
    return 0;
  case PowerUnitKind::generator:
    return 1;
  case PowerUnitKind::transformer:
    return 2;
  case PowerUnitKind::switchgear:
    return 3;
  case PowerUnitKind::ups:
    return 4;
  case PowerUnitKind::rectifier:
    return 5;
  case PowerUnitKind::static_switch:
    return 6;
  case PowerUnitKind::distribution:
    return 7;
  case PowerUnitKind::busway:
    return 8;
  }
  return 9;
}

double continuous_share(PowerUnitKind kind, double continuous_load_factor) {
  return kind == PowerUnitKind::switchgear || kind == PowerUnitKind::distribution || kind == PowerUnitKind::busway
             ? continuous_load_factor
             : 1.0;
}

double conductor_derating(const PowerUnit& unit) {
  double out = 1.0;
  if (unit.ambient) out *= std::min(1.0, ambient_derating(*unit.ambient, Temperature::from_celsius(90)));
  if (unit.grouped_circuits > 1) out *= grouping_derating(unit.grouped_circuits);
  return out;
}

double usable_share_of(const PowerUnit& unit, double continuous_load_factor) {
  return unit.continuous_load_factor.value_or(continuous_share(unit.kind, continuous_load_factor)) * conductor_derating(unit);
}

FeedGraph::FeedGraph(const std::vector<PowerUnit>& units, const std::vector<Rack>& racks, Redundancy redundancy,
                     const std::function<double(const PowerUnit&)>& rating_watts,
                     const std::vector<std::uint32_t>& class_of_rack)
    : units_(units), feeds_(units, racks, redundancy) {
  // Racks with equal feeds that draw the same are one entry.
  std::map<std::tuple<Id, Id, std::uint32_t>, Count> counts;
  std::map<std::pair<Id, Id>, std::vector<Id>> dual;
  for (std::size_t i = 0; i < racks.size(); ++i) {
    const Rack& rack = racks[i];
    const auto [a, b] = feeds_.feeds_of(rack);
    if (a != 0 && rack.feed_a == rack.feed_b) dual[{a, a}].push_back(rack.id);
    ++counts[{a, b, class_of_rack.empty() ? 0 : class_of_rack[i]}];
    if (a && b) dual[{a, b}].push_back(rack.id);
  }
  for (const auto& [key, racks_of_pair] : counts)
    pairs_.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), racks_of_pair});
  for (const auto& [feeds, ids] : dual) {
    const auto& other = chain(feeds.second);
    for (const std::size_t unit : chain(feeds.first)) {
      if (!on_chain(other, unit)) continue;
      auto& list = shared_[units[unit].id];
      list.insert(list.end(), ids.begin(), ids.end());
      break; // the lowest one tells it; all above it are shared too
    }
  }
  for (auto& [unit, ids] : shared_)
    std::sort(ids.begin(), ids.end());

  weights_.assign(units.size(), 1.0);
  for (const auto& members : feeds_.groups()) {
    std::vector<double> ratings;
    for (const std::size_t m : members)
      ratings.push_back(rating_watts(units[m]));
    if (!std::all_of(ratings.begin(), ratings.end(), [](double r) { return std::isfinite(r) && r > 0.0; })) continue;
    for (std::size_t k = 0; k < members.size(); ++k)
      weights_[members[k]] = ratings[k];
  }
}

double FeedGraph::member_share(std::size_t unit, std::size_t out) const {
  const auto& members = bus(unit);
  if (members.size() == 1) return 1.0;
  double all = 0.0;
  for (const std::size_t m : members)
    if (m != out) all += weights_[m];
  return unit == out ? 0.0 : weights_[unit] / all;
}

std::vector<UnitCarries> FeedGraph::loads(const std::function<double(std::uint32_t)>& rack_watts) const {
  const std::size_t n = units_.size();
  std::vector<double> watts_of(pairs_.size()); // of all racks of a pair
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    watts_of[k] = static_cast<double>(pairs_[k].racks) * rack_watts(pairs_[k].rack_class);

  // Load of each group with all in service. A common ancestor of both feeds gets both halves: the rack counts once.
  std::vector<double> normal(feeds_.groups().size(), 0.0);
  auto spread = [&](std::vector<double>& load, const std::vector<std::size_t>& chain, double watts) {
    for (const std::size_t unit : chain)
      load[feeds_.group_of(unit)] += watts;
  };
  struct Shift {
    const FeedPair* pair;
    bool to_b; ///< the load moves to feed B
  };
  std::vector<std::vector<Shift>> shifts(n); // by the unit that is out
  for (const FeedPair& p : pairs_) {
    const double watts = watts_of[static_cast<std::size_t>(&p - pairs_.data())];
    const auto& a = chain(p.feed_a);
    const auto& b = chain(p.feed_b);
    if (p.feed_a && p.feed_b) {
      spread(normal, a, watts / 2);
      spread(normal, b, watts / 2);
      for (const std::size_t unit : a)
        if (!on_chain(b, unit)) shifts[unit].push_back({&p, true});
      for (const std::size_t unit : b)
        if (!on_chain(a, unit)) shifts[unit].push_back({&p, false});
    } else {
      spread(normal, p.feed_a ? a : b, watts);
    }
  }

  std::vector<UnitCarries> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i].normal = out[i].worst = normal[feeds_.group_of(i)] * member_share(i, no_unit);
  auto take = [&](std::size_t unit, double watts, std::size_t failed) {
    // The first of equal cases is named, whatever the rounding of sums.
    if (watts <= out[unit].worst * (1.0 + 1e-12)) return;
    out[unit].worst = watts;
    out[unit].worst_out = units_[failed].id;
  };
  std::vector<double> change(feeds_.groups().size(), 0.0);
  std::vector<std::size_t> touched;
  for (std::size_t failed = 0; failed < n; ++failed) {
    const std::size_t group = feeds_.group_of(failed);
    if (feeds_.groups()[group].size() > 1) {
      // The rest of the bus carries on.
      for (const std::size_t m : feeds_.groups()[group])
        if (m != failed) take(m, normal[group] * member_share(m, failed), failed);
      continue;
    }
    touched.clear();
    auto add = [&](const std::vector<std::size_t>& chain, double watts) {
      for (const std::size_t unit : chain) {
        change[feeds_.group_of(unit)] += watts;
        touched.push_back(feeds_.group_of(unit));
      }
    };
    for (const Shift& s : shifts[failed]) {
      const double half = watts_of[static_cast<std::size_t>(s.pair - pairs_.data())] / 2;
      add(chain(s.to_b ? s.pair->feed_b : s.pair->feed_a), half);
      add(chain(s.to_b ? s.pair->feed_a : s.pair->feed_b), -half);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::size_t g : touched) {
      if (change[g] > 0.0)
        for (const std::size_t m : feeds_.groups()[g])
          take(m, (normal[g] + change[g]) * member_share(m, no_unit), failed);
      change[g] = 0.0;
    }
  }
  return out;
}

std::map<std::uint32_t, double> FeedGraph::racks_carried(std::size_t unit, Id out) const {
  const std::ptrdiff_t out_index = index(out);
  const std::size_t failed = out_index < 0 ? no_unit : static_cast<std::size_t>(out_index);
  const std::size_t group = feeds_.group_of(unit);
  // A member of a bus that is out takes nothing down with it.
  const bool takes_down = failed != no_unit && bus(failed).size() == 1;
  auto reaches = [&](const std::vector<std::size_t>& chain) {
    return std::any_of(chain.begin(), chain.end(), [&](std::size_t u) { return feeds_.group_of(u) == group; });
  };
  std::map<std::uint32_t, double> racks;
  for (const FeedPair& p : pairs_) {
    const auto& a = chain(p.feed_a);
    const auto& b = chain(p.feed_b);
    const bool a_live = p.feed_a && !(takes_down && on_chain(a, failed)),
               b_live = p.feed_b && !(takes_down && on_chain(b, failed));
    const double each = a_live && b_live ? 0.5 : 1.0;
    const double share = (a_live && reaches(a) ? each : 0.0) + (b_live && reaches(b) ? each : 0.0);
    if (share > 0.0) racks[p.rack_class] += share * static_cast<double>(p.racks);
  }
  const double member = member_share(unit, failed != no_unit && feeds_.group_of(failed) == group ? failed : no_unit);
  for (auto& [rack_class, count] : racks)
    count *= member;
  return racks;
}

} // namespace hallwright
