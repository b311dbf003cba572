// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "power/feed_graph.h"
#include "power/one_line_design.h"
#include "power/plant_loads.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

/// "A, B and 3 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t named = 4;
  std::string out;
  const std::size_t shown = names.size() <= named + 1 ? names.size() : named;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return shown < names.size() ? fmt::format("{} and {} more", out, names.size() - shown) : out;
}
/// A law with what conductors lose on top, by the square of the load.
/// @param share  their loss at the rating over that, 0 to 0.2
tl::expected<LossLaw, std::string> with_conductors(const LossLaw& law, double share, double rating_w) {
  const double none = law.loss(0.0, 0.0, rating_w) / rating_w, full = law.loss(rating_w, 1.0, rating_w) / rating_w;
  const auto alone = LossLaw::no_load_and_load(0.0, share); // refuses what cannot be
  if (!alone) return alone;
  if (law.at_no_load() || full == 0.0) return LossLaw::no_load_and_load(none, full - none + share);
  std::vector<EfficiencyPoint> points;
  for (int twentieth = 1; twentieth <= 20; ++twentieth) {
    const double at = 0.05 * twentieth;
    points.push_back({at, 1.0 / (1.0 + law.loss(at * rating_w, at, rating_w) / (at * rating_w) + share * at)});
  }
  return LossLaw::curve(std::move(points));
}
std::string_view one_or_more(std::size_t n, std::string_view one, std::string_view more) { return n == 1 ? one : more; }

} // namespace

OneLine::OneLine(std::vector<OneLineElement> elements, std::vector<OneLineLoad> loads,
                 std::vector<std::string> load_names, std::vector<PlantLoad> plant, std::vector<OneLineIssue> issues)
    : elements_(std::move(elements)), loads_(std::move(loads)), plant_(std::move(plant)), issues_(std::move(issues)) {
  std::stable_sort(elements_.begin(), elements_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::vector<Id> doubled;
  for (std::size_t i = 1; i < elements_.size();) {
    if (elements_[i].id != elements_[i - 1].id) {
      ++i;
      continue;
    }
    doubled.push_back(elements_[i].id);
    elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const Id id : doubled)
    tell(OneLineIssueKind::double_id, {id}, {},
         fmt::format("Two elements have the number {}; only the first, {}, counts", id, name(id)));
  if (load_names.size() != loads_.size()) load_names.clear();
  if (!std::is_sorted(loads_.begin(), loads_.end(), [](const auto& a, const auto& b) { return a.id < b.id; })) {
    std::vector<std::size_t> by_id(loads_.size());
    std::iota(by_id.begin(), by_id.end(), std::size_t{0});
    std::stable_sort(by_id.begin(), by_id.end(),
                     [&](std::size_t a, std::size_t b) { return loads_[a].id < loads_[b].id; });
    std::vector<OneLineLoad> sorted;
    std::vector<std::string> names;
    for (const std::size_t k : by_id) {
      sorted.push_back(loads_[k]);
      if (!load_names.empty()) names.push_back(std::move(load_names[k]));
    }
    loads_ = std::move(sorted);
    load_names = std::move(names);
  }
  connect();
  find_loops();
  find_back_feeds();
  order_buses();
  group_loads(load_names);
  connect_plant();
  tell_unconnected();
}

void OneLine::hang(std::vector<PlantLoad> plant) {
  plant_ = std::move(plant);
  connect_plant();
  std::erase_if(issues_, [](const OneLineIssue& issue) { return issue.kind == OneLineIssueKind::unconnected; });
  tell_unconnected();
}

void OneLine::connect_plant() {
  plant_taps_.clear();
  for (Bus& bus : buses_)
    bus.plant.clear();
  const auto bus_at = [&](Id element) {
    const std::ptrdiff_t i = element == 0 ? none : index(element);
    return i < 0 ? none : static_cast<std::int32_t>(bus_of_[static_cast<std::size_t>(i)]);
  };
  for (std::size_t k = 0; k < plant_.size(); ++k) {
    PlantLoad& load = plant_[k];
    if (!(in_watts(load.draw.real) >= 0.0) || !std::isfinite(in_watts(load.draw.real)) ||
        !std::isfinite(load.draw.reactive.vars()))
      load.draw = {};
    for (const PlantPoint& point : load.points) {
      PlantTap tap{static_cast<std::uint32_t>(k), point.share, bus_at(point.from), bus_at(point.else_from)};
      if (tap.from == none) std::swap(tap.from, tap.else_from);
      if (tap.from == none || !(tap.share > 0.0) || !std::isfinite(tap.share)) continue;
      const auto at = static_cast<std::uint32_t>(plant_taps_.size());
      buses_[static_cast<std::size_t>(tap.from)].plant.push_back(at);
      if (tap.else_from != none && tap.else_from != tap.from)
        buses_[static_cast<std::size_t>(tap.else_from)].plant.push_back(at);
      plant_taps_.push_back(tap);
    }
  }
}

std::ptrdiff_t OneLine::index(Id element) const {
  const auto it = std::lower_bound(elements_.begin(), elements_.end(), element,
                                   [](const OneLineElement& e, Id id) { return e.id < id; });
  return it != elements_.end() && it->id == element ? it - elements_.begin() : none;
}

std::string OneLine::name(Id element) const {
  const std::ptrdiff_t i = index(element);
  return i >= 0 && !elements_[static_cast<std::size_t>(i)].name.empty() ? elements_[static_cast<std::size_t>(i)].name
                                                                        : fmt::format("unit {}", element);
}

std::vector<std::size_t> OneLine::above(std::size_t element) const {
  std::vector<std::size_t> out;
  for (std::int32_t at = upstream_[element]; at != none && out.size() < elements_.size();
       at = upstream_[static_cast<std::size_t>(at)])
    out.push_back(static_cast<std::size_t>(at));
  return out;
}

void OneLine::tell(OneLineIssueKind kind, std::vector<Id> elements, std::vector<Id> loads, std::string sentence) {
  issues_.push_back({kind, std::move(elements), std::move(loads), std::move(sentence)});
}

void OneLine::connect() {
  const std::size_t n = elements_.size();
  upstream_.assign(n, none);
  alternate_.assign(n, none);
  for (std::size_t i = 0; i < n; ++i) {
    OneLineElement& e = elements_[i];
    if (e.upstream != 0) {
      upstream_[i] = static_cast<std::int32_t>(index(e.upstream));
      if (upstream_[i] == none)
        tell(OneLineIssueKind::missing_upstream, {e.id}, {},
             fmt::format("{} is fed from unit {}, which does not exist; name a drawn unit", name(e.id), e.upstream));
    }
    if (e.alternate != 0) {
      alternate_[i] = static_cast<std::int32_t>(index(e.alternate));
      if (alternate_[i] == none) {
        tell(OneLineIssueKind::missing_alternate, {e.id}, {},
             fmt::format("{} has unit {} as its second source, which does not exist; name a drawn unit", name(e.id),
                         e.alternate));
      } else if (e.alternate == e.upstream) {
        tell(OneLineIssueKind::double_connection, {e.id, e.upstream}, {},
             fmt::format("{} has {} as its first and as its second source: losing it loses both", name(e.id),
                         name(e.upstream)));
        alternate_[i] = none;
      }
    }
    for (double* rating : {&e.rating_w, &e.rating_va})
      if (*rating <= 0.0) {
        tell(OneLineIssueKind::zero_rating, {e.id}, {},
             fmt::format("The rating of {} is {} {}; it must be above 0", name(e.id), *rating / 1000.0,
                         rating == &e.rating_w ? "kW" : "kVA"));
      }
  }

  // Elements of one bus.
  bus_of_.assign(n, 0);
  std::map<Id, std::uint32_t> named;
  for (std::size_t i = 0; i < n; ++i) {
    const Id bus = elements_[i].bus;
    if (bus == 0) {
      bus_of_[i] = static_cast<std::uint32_t>(buses_.size());
      buses_.push_back({{static_cast<std::uint32_t>(i)}, {}, {}, {}, {}});
      continue;
    }
    const auto [it, fresh] = named.try_emplace(bus, static_cast<std::uint32_t>(buses_.size()));
    if (fresh) buses_.push_back({});
    bus_of_[i] = it->second;
    buses_[it->second].members.push_back(static_cast<std::uint32_t>(i));
  }
  weight_.assign(n, 1.0);
  for (const Bus& bus : buses_) {
    if (bus.members.size() < 2) continue;
    const OneLineElement& first = elements_[bus.members.front()];
    std::vector<Id> unlike;
    const auto rating_of = [&](std::uint32_t m) {
      const OneLineElement& e = elements_[m];
      return std::isfinite(e.rating_w) ? e.rating_w : e.rating_va;
    };
    bool rated = true;
    for (const std::uint32_t m : bus.members) {
      const OneLineElement& e = elements_[m];
      if (e.kind != first.kind ||
          (e.output_voltage && first.output_voltage && *e.output_voltage != *first.output_voltage))
        unlike.push_back(e.id);
      rated = rated && rating_of(m) > 0.0;
    }
    if (!unlike.empty()) {
      unlike.insert(unlike.begin(), first.id);
      std::vector<std::string> names;
      for (const Id id : unlike)
        names.push_back(name(id));
      tell(OneLineIssueKind::mixed_bus, unlike, {},
           fmt::format("{} stand on one bus, but differ in kind or in voltage: only like units run in parallel",
                       listed(names)));
    }
    if (rated)
      for (const std::uint32_t m : bus.members)
        weight_[m] = rating_of(m);
  }
}

void OneLine::find_loops() {
  const std::size_t n = elements_.size();
  looped_.assign(n, 0);
  // Buses that remain when those without anything left above, and then those without anything left below, are taken
  // away: the circles.
  std::vector<std::uint32_t> above_left(buses_.size(), 0), below_left(buses_.size(), 0);
  for (std::size_t i = 0; i < n; ++i)
    if (upstream_[i] != none) {
      ++above_left[bus_of_[i]];
      ++below_left[bus_of_[static_cast<std::size_t>(upstream_[i])]];
    }
  std::vector<std::vector<std::uint32_t>> children(buses_.size());
  for (std::size_t i = 0; i < n; ++i)
    if (upstream_[i] != none)
      children[bus_of_[static_cast<std::size_t>(upstream_[i])]].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::uint32_t> free;
  std::vector<char> gone(buses_.size(), 0);
  for (std::uint32_t b = 0; b < buses_.size(); ++b)
    if (above_left[b] == 0) free.push_back(b);
  for (std::size_t k = 0; k < free.size(); ++k) {
    gone[free[k]] = 1;
    for (const std::uint32_t child : children[free[k]])
      if (--above_left[bus_of_[child]] == 0) free.push_back(bus_of_[child]);
  }
  if (free.size() == buses_.size()) return;
  std::vector<std::uint32_t> bare;
  std::vector<char> reached(buses_.size(), 0);
  for (std::uint32_t b = 0; b < buses_.size(); ++b)
    if (!gone[b] && below_left[b] == 0) bare.push_back(b);
  for (std::size_t k = 0; k < bare.size(); ++k) {
    gone[bare[k]] = 1;
    for (const std::uint32_t m : buses_[bare[k]].members) {
      if (upstream_[m] == none) continue;
      const std::uint32_t up = bus_of_[static_cast<std::size_t>(upstream_[m])];
      if (--below_left[up] == 0 && !gone[up]) bare.push_back(up);
    }
  }
  // One sentence for each circle.
  for (std::uint32_t b = 0; b < buses_.size(); ++b) {
    if (gone[b] || reached[b]) continue;
    std::vector<std::uint32_t> at{b};
    reached[b] = 1;
    std::vector<Id> ids;
    for (std::size_t k = 0; k < at.size(); ++k)
      for (const std::uint32_t m : buses_[at[k]].members) {
        looped_[m] = 1;
        ids.push_back(elements_[m].id);
        if (upstream_[m] == none) continue;
        const std::uint32_t up = bus_of_[static_cast<std::size_t>(upstream_[m])];
        if (!gone[up] && !reached[up]) {
          reached[up] = 1;
          at.push_back(up);
        }
      }
    std::sort(ids.begin(), ids.end());
    std::vector<std::string> names;
    for (const Id id : ids)
      names.push_back(name(id));
    tell(OneLineIssueKind::loop, ids, {},
         fmt::format("{} {}: no source feeds {}", listed(names),
                     ids.size() == 1 ? "is fed from itself" : "feed each other in a circle",
                     one_or_more(ids.size(), "it", "them")));
  }
  for (std::size_t i = 0; i < n; ++i)
    if (looped_[i]) upstream_[i] = none;
}

void OneLine::find_back_feeds() {
  // A generator or a utility feed makes power; it takes none. Where its second source has it as its own, neither helps
  // the other.
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (alternate_[i] == none) continue;
    const bool source =
        elements_[i].kind == PowerUnitKind::generator || elements_[i].kind == PowerUnitKind::utility_feed;
    if (!source) continue;
    const auto from = static_cast<std::size_t>(alternate_[i]);
    const bool mutual = alternate_[from] == static_cast<std::int32_t>(i);
    tell(OneLineIssueKind::mutual_sources, {elements_[i].id, elements_[from].id}, {},
         mutual ? fmt::format("{} and {} are each other's second source: {} gives power and takes none. Set its second "
                              "source to none",
                              name(elements_[i].id), name(elements_[from].id), name(elements_[i].id))
                : fmt::format("{} has {} as its second source: a {} gives power and takes none. Set it to none",
                              name(elements_[i].id), name(elements_[from].id),
                              elements_[i].kind == PowerUnitKind::generator ? "generator" : "utility feed"));
    alternate_[i] = none;
  }
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (alternate_[i] == none) continue;
    const auto from = static_cast<std::size_t>(alternate_[i]);
    bool below = bus_of_[from] == bus_of_[i];
    for (const std::size_t u : above(from))
      below = below || bus_of_[u] == bus_of_[i];
    if (!below) continue;
    tell(
        OneLineIssueKind::back_feed, {elements_[i].id, elements_[from].id}, {},
        fmt::format("{} has {} as its second source, which it feeds itself: power would run backwards. A second source "
                    "stands beside or above it",
                    name(elements_[i].id), name(elements_[from].id)));
    alternate_[i] = none;
  }
}

void OneLine::order_buses() {
  const std::size_t n = elements_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (const std::int32_t from : {upstream_[i], alternate_[i]})
      if (from != none) {
        auto& children = buses_[bus_of_[static_cast<std::size_t>(from)]].children;
        if (children.empty() || children.back() != i) children.push_back(static_cast<std::uint32_t>(i));
      }
  std::vector<std::uint32_t> open(buses_.size(), 0);
  const auto sources = [&](std::size_t i, auto&& each) {
    const std::int32_t up = upstream_[i], alt = alternate_[i];
    if (up != none) each(bus_of_[static_cast<std::size_t>(up)]);
    if (alt != none && (up == none || bus_of_[static_cast<std::size_t>(alt)] != bus_of_[static_cast<std::size_t>(up)]))
      each(bus_of_[static_cast<std::size_t>(alt)]);
  };
  for (std::size_t i = 0; i < n; ++i)
    sources(i, [&](std::uint32_t) { ++open[bus_of_[i]]; });
  for (std::uint32_t b = 0; b < buses_.size(); ++b)
    if (open[b] == 0) order_.push_back(b);
  for (std::size_t k = 0; k < order_.size(); ++k)
    for (const std::uint32_t child : buses_[order_[k]].children)
      if (--open[bus_of_[child]] == 0) order_.push_back(bus_of_[child]);
  if (order_.size() != buses_.size()) order_.clear();
}

void OneLine::group_loads(const std::vector<std::string>& load_names) {
  const auto load_name = [&](std::size_t i) {
    return load_names.empty() || load_names[i].empty() ? fmt::format("rack {}", loads_[i].id) : load_names[i];
  };
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> of_feeds;
  group_of_.resize(loads_.size());
  std::vector<std::size_t> missing, unfed, doubled, wrong;
  std::pair<Id, Id> last_feeds{-1, -1};
  std::uint32_t last_group = 0;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    OneLineLoad& load = loads_[i];
    const double w = in_watts(load.draw.real), vars = load.draw.reactive.vars();
    if (!std::isfinite(w) || w < 0.0 || !std::isfinite(vars)) {
      wrong.push_back(i);
      load.draw = {};
    }
    if (load.gpus < load.job_gpus) load.job_gpus = load.gpus;
    job_gpus_ += load.job_gpus;
    const std::pair<Id, Id> feeds{load.feed_a, load.feed_b};
    std::int32_t a = none, b = none;
    if (feeds == last_feeds && i != 0) {
      a = groups_[last_group].a;
      b = groups_[last_group].b;
    } else {
      a = load.feed_a == 0 ? none : static_cast<std::int32_t>(index(load.feed_a));
      b = load.feed_b == 0 ? none : static_cast<std::int32_t>(index(load.feed_b));
    }
    if ((load.feed_a != 0 && index(load.feed_a) < 0) || (load.feed_b != 0 && index(load.feed_b) < 0))
      missing.push_back(i);
    if (load.feed_a != 0 && load.feed_a == load.feed_b) {
      doubled.push_back(i);
      b = none;
    }
    if (a == none) std::swap(a, b);
    if (a == none) unfed.push_back(i);
    const auto [it, fresh] = of_feeds.try_emplace({a, b}, static_cast<std::uint32_t>(groups_.size()));
    if (fresh) {
      groups_.push_back({});
      groups_.back().a = a;
      groups_.back().b = b;
      if (a != none) buses_[bus_of_[static_cast<std::size_t>(a)]].groups_a.push_back(it->second);
      if (b != none) buses_[bus_of_[static_cast<std::size_t>(b)]].groups_b.push_back(it->second);
    }
    LoadGroup& group = groups_[it->second];
    group.members.push_back(static_cast<std::uint32_t>(i));
    ++group.racks;
    group.gpus += load.gpus;
    group.job_gpus += load.job_gpus;
    if (in_watts(load.draw.real) > load.one_feed_capacity_w * (1.0 + 1e-9)) ++group.short_on_one;
    group_of_[i] = it->second;
    last_feeds = feeds;
    last_group = it->second;
  }
  const auto tell_loads = [&](OneLineIssueKind kind, const std::vector<std::size_t>& which, std::string_view one,
                              std::string_view more) {
    if (which.empty()) return;
    std::vector<Id> ids;
    std::vector<std::string> names;
    for (const std::size_t i : which) {
      ids.push_back(loads_[i].id);
      if (names.size() < 5) names.push_back(load_name(i));
    }
    std::string who = listed(names);
    if (which.size() > names.size()) {
      names.pop_back();
      who = fmt::format("{} and {} more", listed(names), which.size() - names.size());
    }
    tell(kind, {}, std::move(ids), fmt::format("{} {}", who, one_or_more(which.size(), one, more)));
  };
  tell_loads(OneLineIssueKind::wrong_load, wrong, "has a power that is no number of 0 or more; it counts as nothing",
             "have a power that is no number of 0 or more; they count as nothing");
  tell_loads(OneLineIssueKind::missing_feed, missing, "names a feed that does not exist; it counts as none",
             "name a feed that does not exist; it counts as none");
  tell_loads(OneLineIssueKind::unfed_load, unfed, "has no feed: no drawn unit carries it",
             "have no feed: no drawn unit carries them");
  tell_loads(OneLineIssueKind::double_connection, doubled, "has one unit as feed A and as feed B: losing it loses both",
             "have one unit as feed A and as feed B: losing it loses both");
}

void OneLine::tell_unconnected() {
  if (loads_.empty()) return;
  std::vector<Id> ids;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Bus& bus = buses_[bus_of_[i]];
    if (!bus.children.empty() || !bus.groups_a.empty() || !bus.groups_b.empty() || !bus.plant.empty())
      continue;
    ids.push_back(elements_[i].id);
    names.push_back(name(elements_[i].id));
  }
  if (ids.empty()) return;
  std::string sentence = fmt::format("{} {}: no unit and no rack hangs on {}", listed(names),
                                     one_or_more(ids.size(), "is connected to nothing", "are connected to nothing"),
                                     one_or_more(ids.size(), "it", "them"));
  tell(OneLineIssueKind::unconnected, std::move(ids), {}, std::move(sentence));
}

double default_trip_share(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
  case PowerUnitKind::transformer:
    return 1.20;
  case PowerUnitKind::generator:
    return 1.10;
  case PowerUnitKind::ups:
  case PowerUnitKind::static_switch:
  case PowerUnitKind::rectifier:
    return 1.25;
  case PowerUnitKind::switchgear:
  case PowerUnitKind::distribution:
  case PowerUnitKind::busway:
    return 1.30;
  }
  return 1.25;
}

OneLine one_line_of(const OneLineSource& source) { return one_line_of(source, {}); }

OneLine one_line_of(const OneLineSource& source, const std::vector<RackType>& rack_types) {
  const auto number = [&](const char* id) {
    const Assumption* a = source.catalog.find<Assumption>(id);
    return a && a->value ? *a->value : unknown_number;
  };
  const double factor = number("power.power_factor");
  const PowerFactor rack_factor{factor > 0.0 && factor <= 1.0 ? factor : 1.0};

  // The shape of a UPS curve, and what a transformer loses.
  std::vector<EfficiencyPoint> curve;
  if (source.ups_curve) {
    curve = *source.ups_curve;
  } else {
    for (const auto& [share, id] : {std::pair{0.25, "efficiency.ups_at_25_pct"},
                                    {0.5, "efficiency.ups_at_50_pct"},
                                    {0.75, "efficiency.ups_at_75_pct"},
                                    {1.0, "efficiency.ups_at_100_pct"}})
      if (const double e = number(id); e > 0.0 && e <= 1.0) curve.push_back({share, e});
  }
  const double no_load = number("power.transformer_no_load_loss_fraction"),
               at_rating = number("power.transformer_load_loss_fraction");
  const auto constant = [](double efficiency) {
    const auto law = LossLaw::constant(efficiency);
    return law ? *law : LossLaw();
  };
  const auto scaled_curve = [&](double best) -> LossLaw {
    if (curve.empty()) return constant(best);
    double top = 0.0;
    for (const EfficiencyPoint& p : curve)
      top = std::max(top, p.efficiency);
    const double scale = top < 1.0 ? (1.0 / best - 1.0) / (1.0 / top - 1.0) : 1.0;
    std::vector<EfficiencyPoint> points = curve;
    for (EfficiencyPoint& p : points)
      p.efficiency = 1.0 / (1.0 + scale * (1.0 / p.efficiency - 1.0));
    const auto law = LossLaw::curve(std::move(points));
    return law ? *law : constant(best);
  };

  const PowerFeeds feeds(source.units, source.racks, source.plant.redundancy);
  // Buses: what the plan's redundancy puts together, and what is drawn in parallel. Each is named by its smallest id.
  std::vector<std::size_t> bus(source.units.size());
  for (std::size_t i = 0; i < bus.size(); ++i)
    bus[i] = feeds.groups()[feeds.group_of(i)].front();
  const auto bus_top = [&](std::size_t i) {
    while (bus[i] != i) i = bus[i];
    return i;
  };
  std::vector<OneLineIssue> issues;
  const auto title = [](const PowerUnit& u) { return u.name.empty() ? fmt::format("unit {}", u.id) : u.name; };
  const auto kind_words = [](PowerUnitKind k) { return ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(k)]; };
  /// Whether a unit feeds another, directly or by way of others, in normal operation.
  const auto stands_above = [&](const PowerUnit& above, const PowerUnit& below) {
    const PowerUnit* at = find(source.units, below.upstream);
    for (std::size_t steps = 0; at && steps < source.units.size(); ++steps, at = find(source.units, at->upstream))
      if (at->id == above.id) return true;
    return false;
  };
  for (std::size_t i = 0; i < bus.size(); ++i) {
    const PowerUnit& u = source.units[i];
    if (u.parallel_with == 0) continue;
    const std::ptrdiff_t with = feeds.index(u.parallel_with);
    const auto refuse = [&](const std::string& why) {
      std::vector<Id> ids{u.id};
      if (with >= 0 && u.parallel_with != u.id) ids.push_back(u.parallel_with);
      std::sort(ids.begin(), ids.end());
      issues.push_back({OneLineIssueKind::parallel, std::move(ids), {}, why});
    };
    if (u.parallel_with == u.id) {
      refuse(fmt::format("{} runs in parallel with itself; name another unit of its kind, or none", title(u)));
    } else if (with < 0) {
      refuse(fmt::format("{} runs in parallel with unit {}, which does not exist; name a drawn unit of its kind, or none",
                         title(u), u.parallel_with));
    } else if (const PowerUnit& other = source.units[static_cast<std::size_t>(with)];
               u.feed != Feed::both && other.feed != Feed::both && u.feed != other.feed) {
      refuse(fmt::format("{} of side {} runs in parallel with {} of side {}: one bus would join the sides, and a fault on "
                         "it takes both. It counts as apart; only units of one side run in parallel",
                         title(u), u.feed == Feed::a ? 'A' : 'B', title(other), other.feed == Feed::a ? 'A' : 'B'));
    } else if (other.kind != u.kind) {
      refuse(fmt::format("{} ({}) runs in parallel with {} ({}): only units of one kind run in parallel. It counts as "
                         "apart; name a unit of its kind, or none",
                         title(u), kind_words(u.kind), title(other), kind_words(other.kind)));
    } else if (stands_above(other, u) || stands_above(u, other)) {
      refuse(fmt::format("{} runs in parallel with {}, and one of them feeds the other: power would run in a circle. It "
                         "counts as apart; name a unit beside it, or none",
                         title(u), title(other)));
    } else {
      const std::size_t a = bus_top(i), b = bus_top(static_cast<std::size_t>(with));
      bus[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::size_t> on_bus(bus.size(), 0);
  for (std::size_t i = 0; i < bus.size(); ++i)
    ++on_bus[bus_top(i)];
  std::set<Id> with_racks;
  for (const Rack& r : source.racks)
    with_racks.insert({r.feed_a, r.feed_b});
  std::vector<OneLineElement> elements;
  elements.reserve(source.units.size());
  for (std::size_t i = 0; i < source.units.size(); ++i) {
    const PowerUnit& u = source.units[i];
    const PowerPart* part = source.catalog.find<PowerPart>(u.part);
    OneLineElement e;
    e.id = u.id;
    e.name = u.name;
    e.kind = u.kind;
    e.side = u.feed;
    e.upstream = u.upstream;
    e.alternate = u.second_source;
    if (const std::size_t top = bus_top(i); on_bus[top] > 1) e.bus = source.units[top].id;
    const DrawnVoltage voltage = drawn_voltage(source.units, source.catalog, u);
    e.system = system_of(u);
    const bool direct = e.system == ElectricalSystem::direct_current;
    const UnitRating rating = unit_rating(source.catalog, u, rack_factor.cosine, voltage.volts);
    if (!direct && (rating.source == RatingSource::part_apparent || rating.source == RatingSource::part_current))
      e.rating_va = rating.watts / rack_factor.cosine;
    else
      e.rating_w = rating.watts;
    if (u.rating_apparent && !direct) {
      e.rating_va = u.rating_apparent->volt_amperes();
      e.rating_w = u.rating ? in_watts(*u.rating) : unknown_number;
    }
    e.usable_share = usable_share_of(u, source.plant.continuous_load_factor);
    e.trip_share = u.trip_share.value_or(default_trip_share(u.kind));
    if (voltage) {
      if (e.system == ElectricalSystem::three_phase)
        e.output_voltage = LineToLineVoltage::from_volts(*voltage.volts);
      else
        (direct ? e.direct_voltage : e.phase_voltage) = volts(*voltage.volts);
    }
    const PowerUnit* up = find(source.units, u.upstream);
    if (up)
      if (const DrawnVoltage v = drawn_voltage(source.units, source.catalog, *up)) {
        if (system_of(*up) == ElectricalSystem::three_phase)
          e.input_voltage = LineToLineVoltage::from_volts(*v.volts);
        else
          (system_of(*up) == ElectricalSystem::direct_current ? e.input_direct_voltage : e.input_phase_voltage) =
              volts(*v.volts);
      }
    for (const Id from : {u.upstream, u.second_source})
      if (const PowerUnit* above = find(source.units, from);
          above && above->id != u.id && system_of(*above) == ElectricalSystem::direct_current && !direct)
        issues.push_back({OneLineIssueKind::wrong_system,
                          {u.id, above->id},
                          {},
                          fmt::format("{} gives alternating current and is fed from {}, which gives direct current; what "
                                      "hangs on a rectifier has direct current as its system",
                                      title(u), title(*above))});
    std::optional<double> own = u.efficiency;
    const std::optional<double> of_part =
        part && part->efficiency_rated ? std::optional<double>(*part->efficiency_rated) : std::nullopt;
    if (!own && of_part && u.kind != PowerUnitKind::ups) own = of_part;
    const double whole = std::isfinite(e.rating_w) ? e.rating_w : e.rating_va;
    const auto wrong_losses = [&](const std::string& why) {
      issues.push_back({OneLineIssueKind::wrong_losses, {u.id}, {}, why});
    };
    const bool rated = std::isfinite(whole) && whole > 0.0;
    std::vector<EfficiencyPoint> own_curve;
    for (const auto& [share, efficiency] : {std::pair{0.25, u.efficiency_at_quarter},
                                            {0.5, u.efficiency_at_half},
                                            {0.75, u.efficiency_at_three_quarters},
                                            {1.0, u.efficiency_at_full}})
      if (efficiency) own_curve.push_back({share, *efficiency});
    switch (u.kind) {
    case PowerUnitKind::ups:
      if (!own && !of_part) own = source.plant.ups_efficiency;
      if (own || !rated || curve.empty())
        e.losses = constant(own.value_or(of_part.value_or(number("efficiency.ups"))));
      else
        e.losses =
            of_part ? scaled_curve(*of_part) : LossLaw::curve(curve).value_or(constant(number("efficiency.ups")));
      e.input_power_factor = PowerFactor{0.99};
      break;
    case PowerUnitKind::transformer:
      if (!own) own = source.plant.transformer_efficiency;
      if (!own && rated && std::isfinite(no_load) && std::isfinite(at_rating))
        e.losses = LossLaw::no_load_and_load(no_load, at_rating).value_or(LossLaw());
      else
        e.losses = constant(own.value_or(number("efficiency.transformer")));
      if (rated && (u.no_load_loss || u.load_loss)) {
        const auto law = LossLaw::no_load_and_load(u.no_load_loss ? in_watts(*u.no_load_loss) / whole : std::max(0.0, no_load),
                                                   u.load_loss ? in_watts(*u.load_loss) / whole : std::max(0.0, at_rating));
        if (law) e.losses = *law;
        for (const auto& [name, loss] : {std::pair("no-load loss", u.no_load_loss), {"load loss", u.load_loss}})
          if (loss && !(in_watts(*loss) >= 0.0 && in_watts(*loss) <= whole))
            wrong_losses(fmt::format("The {} of {} is {:.6g} kW at a rating of {:.6g} k{}; 0 to 100 % of the rating is "
                                     "allowed. The losses of the catalog count until then",
                                     name, title(u), in_kilowatts(*loss), whole / 1000.0,
                                     std::isfinite(e.rating_w) ? "W" : "VA"));
      }
      e.no_load_reactive_share = rated ? 0.01 : 0.0;
      e.reactance_share = rated ? u.impedance_voltage.value_or(0.06) : 0.0;
      break;
    case PowerUnitKind::distribution:
    case PowerUnitKind::busway: {
      // The plant's and the catalog's efficiency stands for the whole way from the UPS to the racks: it counts once.
      const bool below_distribution =
          up && (up->kind == PowerUnitKind::distribution || up->kind == PowerUnitKind::busway);
      if (!own && !below_distribution)
        own = source.plant.distribution_efficiency.value_or(number("efficiency.distribution"));
      if (own) e.losses = constant(*own);
      // What its conductors lose, where they are stated and its efficiency is not: I^2 R in three lines, or there and
      // back. Racks along a run leave it one after the other: evenly spread they lose a third of what one at its end does.
      if (!u.efficiency && u.conductor_resistance && u.length && voltage && *voltage.volts > 0.0 && rated) {
        const bool three = e.system == ElectricalSystem::three_phase;
        // A rating in kW is that of racks at their power factor: the current is larger by it.
        const double va = direct || !std::isfinite(e.rating_w) ? whole : whole / rack_factor.cosine;
        const double amps = va / (three ? std::sqrt(3.0) * *voltage.volts : *voltage.volts);
        const double ohms = u.conductor_resistance->value() * in_meters(*u.length);
        const double loss = (three ? 3.0 : 2.0) * amps * amps * ohms * (with_racks.count(u.id) ? 1.0 / 3.0 : 1.0);
        if (const auto law = LossLaw::no_load_and_load(0.0, loss / whole))
          e.losses = *law;
        else
          wrong_losses(fmt::format("The conductors of {} would lose {:.6g} kW at a rating of {:.6g} kW: check their "
                                   "resistance ({:.6g} Ohm/km), its length and its voltage",
                                   title(u), loss / 1000.0, whole / 1000.0, u.conductor_resistance->value() * 1000.0));
      }
      break;
    }
    case PowerUnitKind::static_switch:
      e.losses = constant(own.value_or(number("efficiency.static_switch")));
      break;
    case PowerUnitKind::rectifier:
      e.losses = constant(own.value_or(number("efficiency.rectifier")));
      e.input_power_factor = PowerFactor{0.99}; // controlled, as the input of a UPS
      break;
    case PowerUnitKind::utility_feed:
    case PowerUnitKind::generator:
    case PowerUnitKind::switchgear:
      if (own) e.losses = constant(*own);
      break;
    }
    if (!rated && (!own_curve.empty() || (u.kind == PowerUnitKind::transformer && (u.no_load_loss || u.load_loss))))
      wrong_losses(fmt::format("{} states its losses by load, and no rating is known that the load is a share of: set its "
                               "rating. The losses of the catalog count until then",
                               title(u)));
    if (!own_curve.empty() && rated) {
      if (auto law = LossLaw::curve(std::move(own_curve)))
        e.losses = *law;
      else
        wrong_losses(fmt::format("{}: {} The efficiency of the catalog counts until then", title(u), law.error()));
    }
    // Conductors of what is no run of racks: all of the current over all of their length, on top of its own losses.
    if (u.kind != PowerUnitKind::distribution && u.kind != PowerUnitKind::busway && u.conductor_resistance && u.length &&
        voltage && *voltage.volts > 0.0 && rated) {
      const bool three = e.system == ElectricalSystem::three_phase;
      const double va = direct || !std::isfinite(e.rating_w) ? whole : whole / rack_factor.cosine;
      const double amps = va / (three ? std::sqrt(3.0) * *voltage.volts : *voltage.volts);
      const double loss = (three ? 3.0 : 2.0) * amps * amps * u.conductor_resistance->value() * in_meters(*u.length);
      if (auto law = with_conductors(e.losses, loss / whole, whole))
        e.losses = std::move(*law);
      else
        wrong_losses(fmt::format("The conductors of {} would lose {:.6g} kW at a rating of {:.6g} kW: check their "
                                 "resistance ({:.6g} Ohm/km), its length ({:.6g} m) and its voltage; up to 20 % is allowed",
                                 title(u), loss / 1000.0, whole / 1000.0, u.conductor_resistance->value() * 1000.0,
                                 in_meters(*u.length)));
    }
    elements.push_back(std::move(e));
  }

  std::vector<OneLineLoad> loads(source.racks.size());
  std::vector<std::string> names(source.racks.size());
  std::map<Id, const RackType*> types;
  for (const RackType& t : rack_types)
    types.emplace(t.id, &t);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Rack& rack = source.racks[i];
    OneLineLoad& load = loads[i];
    load.id = rack.id;
    const double w = i < source.rack_watts.size() ? source.rack_watts[i] : 0.0;
    const auto type = types.find(rack.rack_type);
    const double cosine = type != types.end() && type->second->power_factor ? *type->second->power_factor : rack_factor.cosine;
    if (std::isfinite(w)) load.draw = ComplexPower::of(watts(w), PowerFactor{cosine > 0.0 && cosine <= 1.0 ? cosine : 1.0});
    if (type != types.end() && type->second->supply_capacity_one_feed)
      load.one_feed_capacity_w = in_watts(*type->second->supply_capacity_one_feed);
    load.feed_a = rack.feed_a;
    load.feed_b = rack.feed_b;
    load.gpus = i < source.rack_gpus.size() ? source.rack_gpus[i] : 0;
    load.job_gpus = i < source.rack_job_gpus.size() ? source.rack_job_gpus[i] : load.gpus;
    names[i] = rack.name;
  }
  for (VoltageProblem& p : voltage_problems(source.units, source.catalog))
    issues.push_back({OneLineIssueKind::wrong_system, std::move(p.units), {}, std::move(p.sentence)});
  OneLine line(std::move(elements), std::move(loads), std::move(names), {}, std::move(issues));
  hang_plant(line, source);
  return line;
}

} // namespace hallwright
