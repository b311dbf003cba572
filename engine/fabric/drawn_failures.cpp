// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/drawn_failures.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "design/power_feeds.h"

namespace hallwright {
namespace {

/// Tables whose things take something of a network with them, as a sentence names one of them.
constexpr std::pair<std::string_view, std::string_view> takers[] = {
    {"racks", "rack"}, {"rows", "row"}, {"halls", "hall"}, {"trays", "tray"}, {"power_units", "power unit"}};

std::string_view word_of(std::string_view table) {
  for (const auto& [of, word] : takers)
    if (of == table) return word;
  return {};
}

std::string racks_words(Count n) { return fmt::format("{} rack{}", n, n == 1 ? "" : "s"); }

/// Stretches of trays that the ways of a plan use.
class WaysOnTrays {
public:
  WaysOnTrays(const NetworkCabling& network, const TrayUsage* usage)
      : usage_(usage), routes_(network.plan_inputs.routes.get()), ways_(cable_ways(*network.plan)) {
    links_.resize(ways_.ways.size());
    for (std::uint32_t l = 0; l < ways_.of_link.size(); ++l)
      if (const std::uint32_t w = ways_.of_link[l]; w != CableWays::none && ways_.ways[w].routed) links_[w].push_back(l);
  }

  [[nodiscard]] std::size_t size() const { return ways_.ways.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& links(std::size_t way) const { return links_[way]; }

  /// Calls `use` with each stretch of a tray that a way takes.
  template <class F>
  void legs(std::size_t way, F&& use) const {
    const CableWays::Way& w = ways_.ways[way];
    if (!w.routed || links_[way].empty() || !routes_) return;
    if (const TrayUsage::Pair* p = pair_of(w)) {
      for (std::uint32_t i = p->first_leg; i < p->first_leg + p->legs; ++i)
        use(usage_->ways[i]);
      return;
    }
    const RoutePlace *from = routes_->rack(w.from), *to = routes_->rack(w.to);
    if (!from || !to) return;
    RoutePlace start = *from, end = *to;
    start.height = w.from_height_mm, end.height = w.to_height_mm;
    if (const auto route = routes_->graph().route(start, end))
      for (const RouteLeg& leg : route->legs)
        use(leg);
  }

private:
  [[nodiscard]] const TrayUsage::Pair* pair_of(const CableWays::Way& w) const {
    if (!usage_ || usage_->routes.get() != routes_) return nullptr;
    const auto key = [](const auto& p) { return std::tuple(p.to, p.to_height_mm, p.from, p.from_height_mm); };
    const auto at = std::lower_bound(usage_->pairs.begin(), usage_->pairs.end(), w,
                                     [&](const TrayUsage::Pair& p, const CableWays::Way& wanted) { return key(p) < key(wanted); });
    return at != usage_->pairs.end() && key(*at) == key(w) ? &*at : nullptr;
  }

  const TrayUsage* usage_;
  const CableRoutes* routes_;
  CableWays ways_;
  std::vector<std::vector<std::uint32_t>> links_; ///< of each way
};

/// Whether a leg lies in a stretch of its tray; touching its end is not lying in it.
bool lies_in(const RouteLeg& leg, double begin, double end) {
  constexpr double dust_mm = 1e-3;
  return std::min(leg.from, leg.to) < end - dust_mm && std::max(leg.from, leg.to) > begin + dust_mm;
}

} // namespace

bool takes_network_parts(std::string_view table) { return !word_of(table).empty(); }

std::string taken_thing_name(const Design& design, const EntityRef& thing) {
  const std::string_view word = word_of(thing.table);
  const std::string name = entity_name(design, thing);
  return word.empty() ? name : fmt::format("{} {}", word, name);
}

tl::expected<Count, std::string> section_of_element(std::string_view table, std::string_view element) {
  const auto begin = element.find_first_not_of(' ');
  if (begin == std::string_view::npos) return Count{0};
  element = element.substr(begin, element.find_last_not_of(' ') - begin + 1);
  const std::string shown(element.substr(0, 60));
  if (table != "trays")
    return tl::make_unexpected(
        fmt::format("\"{}\" names no part of it: leave the element empty; of trays \"section 2\" can be named", shown));
  std::string lower(element);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  constexpr std::string_view word = "section ";
  Count n = 0;
  if (lower.compare(0, word.size(), word) == 0) {
    const std::string_view number = std::string_view(lower).substr(lower.find_first_not_of(' ', word.size() - 1));
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), n);
    if (failed == std::errc() && end == number.data() + number.size() && n >= 1) return n;
  }
  return tl::make_unexpected(
      fmt::format("\"{}\" names no section of a tray; write \"section 2\", or nothing for all of it", shown));
}

std::vector<FailedThing> failed_things(const Design& d) {
  std::vector<FailedThing> out;
  std::vector<Id> units_out;
  for (const Failure& f : *d.failures) {
    if (f.thing == 0) continue;
    FailedThing& t = out.emplace_back();
    t.failure = f.id;
    t.thing = f.thing;
    const std::string table = table_of(d, f.thing);
    if (table.empty()) {
      t.problem = fmt::format("thing {} is not in the design", f.thing);
      t.name = fmt::format("thing {}", f.thing);
      continue;
    }
    t.name = taken_thing_name(d, {table, f.thing});
    const auto section = section_of_element(table, f.element);
    if (!section) {
      t.problem = section.error();
      continue;
    }
    if (table == "racks") {
      t.racks = {f.thing};
    } else if (table == "rows" || table == "halls") {
      for (const Rack& r : *d.racks)
        if ((table == "rows" ? r.row : r.hall) == f.thing) t.racks.push_back(r.id);
      if (t.racks.empty()) t.note = "no rack stands in it";
    } else if (table == "trays") {
      const Tray* tray = find(*d.trays, f.thing);
      if (tray && tray->kind == TrayKind::power) {
        t.note = "a tray for power: no cable of a network lies in it";
      } else {
        t.tray = f.thing;
        t.section = *section;
        if (t.section > 0) t.name += fmt::format(" section {}", t.section);
      }
    } else if (table == "power_units") {
      units_out.push_back(f.thing);
    } else {
      t.note = "nothing of a network hangs on it";
    }
  }
  if (!units_out.empty()) {
    const PowerFeeds feeds(*d.power_units, *d.racks, d.power_plant->redundancy);
    const std::vector<bool> dead = feeds.dead(units_out);
    for (FailedThing& t : out) {
      if (std::find(units_out.begin(), units_out.end(), t.thing) == units_out.end()) continue;
      for (const Rack& r : *d.racks)
        if (feeds.feeds(t.thing, r)) {
          if (feeds.without_power(r, dead))
            t.racks.push_back(r.id);
          else
            ++t.racks_kept;
        }
      if (t.racks.empty())
        t.note = t.racks_kept > 0 ? fmt::format("{} below it live on another feed or the rest of its bus", racks_words(t.racks_kept))
                                  : std::string("no rack is fed by it");
    }
  }
  for (FailedThing& t : out)
    std::sort(t.racks.begin(), t.racks.end());
  return out;
}

tl::expected<LostParts, std::string> lost_with(const FailedThing& thing, const NetworkCabling& network, const TrayUsage* usage) {
  LostParts out;
  out.name = thing.name;
  if (!network.wiring || !thing.problem.empty()) return out;
  if (!thing.racks.empty() && network.places) {
    const DevicePlaces& places = *network.places;
    for (std::uint32_t d = 0; d < places.places.size(); ++d)
      if (const Id rack = places.rack_of(d); rack != 0 && std::binary_search(thing.racks.begin(), thing.racks.end(), rack))
        out.devices.push_back(d);
  }
  if (thing.tray != 0 && network.plan && network.plan_inputs.routes) {
    double begin = 0, end = std::numeric_limits<double>::infinity();
    if (thing.section > 0) {
      const auto sections = network.plan_inputs.routes->graph().sections_of(thing.tray);
      const auto n = static_cast<Count>(sections.size());
      if (thing.section > n)
        return tl::make_unexpected(fmt::format("{} does not exist; its tray has {} between joints with others", thing.name,
                                               n == 1 ? std::string("1 section") : fmt::format("{} sections", n)));
      std::tie(begin, end) = sections[static_cast<std::size_t>(thing.section) - 1];
    }
    const WaysOnTrays ways(network, usage);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      bool hit = false;
      ways.legs(w, [&](const RouteLeg& leg) { hit = hit || (leg.run == thing.tray && lies_in(leg, begin, end)); });
      if (hit) out.links.insert(out.links.end(), ways.links(w).begin(), ways.links(w).end());
    }
    std::sort(out.links.begin(), out.links.end());
  }
  return out;
}

std::vector<LossGroup> single_losses(const Design& d, const NetworkCabling& network, const TrayUsage* usage, const std::stop_token& stop) {
  std::vector<LossGroup> out;
  if (!network.wiring || !network.places) return out;
  const DevicePlaces& places = *network.places;
  std::map<Id, std::vector<std::uint32_t>> in_rack;
  for (std::uint32_t device = 0; device < places.places.size(); ++device)
    if (const Id rack = places.rack_of(device)) in_rack[rack].push_back(device);
  for (const auto& [id, devices] : in_rack)
    if (const Rack* rack = find(*d.racks, id)) out.push_back({"rack", {"rack " + rack->name, devices, {}}});

  if (network.plan && network.plan_inputs.routes && !d.trays->empty()) {
    struct Section {
      Id tray = 0;
      double begin = 0, end = 0;
      std::size_t number = 0;
      std::vector<std::uint32_t> links;
    };
    std::vector<Section> sections; // by tray id, then along it
    for (const Tray& tray : *d.trays) {
      const auto along = network.plan_inputs.routes->graph().sections_of(tray.id);
      for (std::size_t i = 0; i < along.size(); ++i)
        sections.push_back({tray.id, along[i].first, along[i].second, i + 1, {}});
    }
    std::stable_sort(sections.begin(), sections.end(), [](const Section& a, const Section& b) { return a.tray < b.tray; });
    const WaysOnTrays ways(network, usage);
    std::vector<std::size_t> hit;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if ((w & 0xFF) == 0 && stop.stop_requested()) return out;
      hit.clear();
      ways.legs(w, [&](const RouteLeg& leg) {
        auto at = std::lower_bound(sections.begin(), sections.end(), leg.run, [](const Section& s, Id run) { return s.tray < run; });
        for (; at != sections.end() && at->tray == leg.run; ++at)
          if (lies_in(leg, at->begin, at->end)) hit.push_back(static_cast<std::size_t>(at - sections.begin()));
      });
      std::sort(hit.begin(), hit.end());
      hit.erase(std::unique(hit.begin(), hit.end()), hit.end());
      for (const std::size_t s : hit)
        sections[s].links.insert(sections[s].links.end(), ways.links(w).begin(), ways.links(w).end());
    }
    for (Section& s : sections) {
      if (s.links.empty()) continue;
      std::sort(s.links.begin(), s.links.end());
      const bool whole = std::count_if(sections.begin(), sections.end(), [&](const Section& o) { return o.tray == s.tray; }) == 1;
      std::string name = "tray " + entity_name(d, {"trays", s.tray});
      if (!whole) name += fmt::format(" section {}", s.number);
      out.push_back({"tray section", {std::move(name), {}, std::move(s.links)}});
    }
  }

  if (!d.power_units->empty()) {
    const PowerFeeds feeds(*d.power_units, *d.racks, d.power_plant->redundancy);
    const auto lost = feeds.lost_with_each(*d.racks);
    for (std::size_t u = 0; u < lost.size(); ++u) {
      LossGroup group{"power unit", {"power unit " + (*d.power_units)[u].name, {}, {}}};
      for (const std::size_t r : lost[u])
        if (const auto at = in_rack.find((*d.racks)[r].id); at != in_rack.end())
          group.lost.devices.insert(group.lost.devices.end(), at->second.begin(), at->second.end());
      out.push_back(std::move(group));
    }
  }
  return out;
}

} // namespace hallwright
