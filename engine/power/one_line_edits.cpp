// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line_edits.h"

#include <algorithm>

#include <fmt/format.h>

#include "power/drawn_voltage.h"
#include "power/one_line_layout.h"

namespace hallwright {
namespace {

std::string unit_title(const Design& design, Id unit) {
  const PowerUnit* u = find(*design.power_units, unit);
  return u && !u->name.empty() ? u->name : fmt::format("unit {}", unit);
}
tl::unexpected<std::string> refused(std::string sentence) { return tl::make_unexpected(std::move(sentence)); }

} // namespace

bool feeds(const Design& design, Id unit, Id other) {
  std::size_t steps = 0;
  for (const PowerUnit* u = find(*design.power_units, other); u && steps <= design.power_units->size(); ++steps) {
    if (u->id == unit) return true;
    u = find(*design.power_units, u->upstream);
  }
  return false;
}

Edit add_generator_for(const Design& design, Id unit) {
  Edit edit;
  edit.label = fmt::format("Add generator for {}", unit_title(design, unit));
  edit.apply = [unit](const Design& d) -> Edited {
    const PowerUnit* u = find(*d.power_units, unit);
    if (!u) return refused("The unit that the generator is to stand by for is not in the design any more");
    if (u->kind == PowerUnitKind::utility_feed || u->kind == PowerUnitKind::generator)
      return refused(
          fmt::format("{} is a source itself; a generator stands by for a transformer, a UPS, a distribution "
                      "unit or a busway",
                      unit_title(d, unit)));
    if (u->second_source != 0)
      return refused(fmt::format("{} has {} as its second source already; set that to none first", unit_title(d, unit),
                                 unit_title(d, u->second_source)));
    PowerUnit made;
    const PowerUnit* like = nullptr;
    for (const PowerUnit& g : *d.power_units)
      if (g.kind == PowerUnitKind::generator) like = &g;
    if (like)
      made = *like;
    else
      made.rating = u->rating;
    made.id = 0;
    made.kind = PowerUnitKind::generator;
    made.feed = u->feed;
    made.name = free_name(d, "power_units", like ? like->name : "Generator 1");
    made.upstream = made.second_source = 0;
    made.hall = made.group = 0;
    made.locked = false;
    made.x = made.y = Length{};
    auto added = add_entity(d, &Design::power_units, std::move(made));
    return with_table(added.design, &Design::power_units, [&](std::vector<PowerUnit>& units, Id&) {
      for (PowerUnit& x : units)
        if (x.id == unit) x.second_source = units.back().id;
    });
  };
  return edit;
}

Edit add_unit_below(const Design& design, Id parent, PowerUnitKind kind) {
  const std::string what(power_unit_words(kind));
  Edit edit;
  edit.label = parent == 0 ? "Add " + what : fmt::format("Add {} below {}", what, unit_title(design, parent));
  edit.apply = [parent, kind, what](const Design& d) -> Edited {
    const PowerUnit* above = find(*d.power_units, parent);
    if (parent != 0 && !above) return refused("The unit that is to feed the new one is not in the design any more");
    PowerUnit unit;
    std::string stem = what;
    stem[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(stem[0])));
    const PowerUnit* like = nullptr;
    for (const PowerUnit& u : *d.power_units)
      if (u.kind == kind && u.upstream == parent) like = &u;
    if (like) {
      unit = *like;
      stem = like->name;
    } else if (above) {
      unit.feed = above->feed;
      unit.rating = above->rating;
      unit.system = system_of(*above); // behind a rectifier direct current goes on
    }
    if (kind == PowerUnitKind::rectifier) unit.system = ElectricalSystem::direct_current;
    unit.id = 0;
    unit.kind = kind;
    unit.name = free_name(d, "power_units", like ? stem : stem + " 1");
    unit.upstream = parent;
    unit.hall = 0;
    unit.group = 0;
    unit.locked = false;
    unit.x = unit.y = Length{};
    return add_entity(d, &Design::power_units, std::move(unit)).design;
  };
  return edit;
}

Edit feed_unit_from(const Design& design, Id unit, Id upstream) {
  Edit edit;
  edit.label = fmt::format("Feed {} from {}", unit_title(design, unit), unit_title(design, upstream));
  edit.apply = [unit, upstream](const Design& d) -> Edited {
    const PowerUnit *u = find(*d.power_units, unit), *up = find(*d.power_units, upstream);
    if (!u || !up) return refused("One of the two units is not in the design any more");
    if (feeds(d, unit, upstream))
      return refused(fmt::format("{} is fed from {}: feeding that from it would run in a circle. Choose a unit that "
                                 "does not hang on it",
                                 unit_title(d, upstream), unit_title(d, unit)));
    return with_table(d, &Design::power_units, [&](std::vector<PowerUnit>& units, Id&) {
      for (PowerUnit& x : units) {
        if (x.id != unit) continue;
        x.upstream = upstream;
        if (x.second_source == upstream) x.second_source = 0;
        if (up->feed != Feed::both) x.feed = up->feed;
      }
    });
  };
  return edit;
}

Edit stand_by_for(const Design& design, Id unit, Id source) {
  Edit edit;
  edit.label = fmt::format("Let {} stand by for {}", unit_title(design, source), unit_title(design, unit));
  edit.apply = [unit, source](const Design& d) -> Edited {
    const PowerUnit *u = find(*d.power_units, unit), *s = find(*d.power_units, source);
    if (!u || !s) return refused("One of the two units is not in the design any more");
    if (u->upstream == source)
      return refused(fmt::format("{} feeds {} already; its second source is another unit", unit_title(d, source),
                                 unit_title(d, unit)));
    if (feeds(d, unit, source))
      return refused(fmt::format("{} is fed from {}: it cannot stand by for it. A second source stands beside or above",
                                 unit_title(d, source), unit_title(d, unit)));
    return with_table(d, &Design::power_units, [&](std::vector<PowerUnit>& units, Id&) {
      for (PowerUnit& x : units)
        if (x.id == unit) x.second_source = source;
    });
  };
  return edit;
}

Edit move_racks_to(const Design& design, const std::vector<Id>& racks, Id from, Id to) {
  Edit edit;
  edit.label =
      fmt::format("Move {} {} to {}", racks.size(), racks.size() == 1 ? "rack" : "racks", unit_title(design, to));
  edit.apply = [racks, from, to](const Design& d) -> Edited {
    if (!find(*d.power_units, to)) return refused("The unit that is to feed the racks is not in the design any more");
    const std::vector<Id> sorted = [&] {
      std::vector<Id> out = racks;
      std::sort(out.begin(), out.end());
      return out;
    }();
    for (const Rack& r : *d.racks) {
      if (!std::binary_search(sorted.begin(), sorted.end(), r.id)) continue;
      if (r.locked) return refused(fmt::format("{} is locked: unlock it first", r.name));
      if ((r.feed_a == from && r.feed_b == to) || (r.feed_b == from && r.feed_a == to))
        return refused(fmt::format("{} hangs on {} with its other cord already: losing it would lose both", r.name,
                                   unit_title(d, to)));
    }
    return with_table(d, &Design::racks, [&](std::vector<Rack>& all, Id&) {
      for (Rack& r : all) {
        if (!std::binary_search(sorted.begin(), sorted.end(), r.id)) continue;
        if (r.feed_a == from) {
          r.feed_a = to;
          r.tap_a.reset();
        } else if (r.feed_b == from) {
          r.feed_b = to;
          r.tap_b.reset();
        }
      }
    });
  };
  return edit;
}

} // namespace hallwright
