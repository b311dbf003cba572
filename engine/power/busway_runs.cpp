// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/busway_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace hallwright {
namespace {

double assumed_share(const Catalog& catalog, const char* id, double otherwise) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value && *a->value > 0.0 ? *a->value : otherwise;
}

/// The drawn run of a busway: its longer side; 0: a feed box, as wide as deep [m].
double drawn_run(const PowerUnit& unit) {
  const double width = unit.width ? in_meters(*unit.width) : 0.0, depth = unit.depth ? in_meters(*unit.depth) : 0.0;
  return width > 1.5 * depth ? width : depth > 1.5 * width ? depth : 0.0;
}

/// Distance of a rack along a busway from where that begins, as drawn [m].
double place_along(const PowerUnit& unit, const Rack& rack) {
  if (rack.hall != unit.hall || unit.hall == 0) return 0.0;
  const double dx = in_meters(rack.x - unit.x), dy = in_meters(rack.y - unit.y);
  const double turn = in_degrees(unit.rotation) * std::numbers::pi / 180.0;
  const double across_width = std::abs(dx * std::cos(turn) + dy * std::sin(turn)),
               across_depth = std::abs(-dx * std::sin(turn) + dy * std::cos(turn));
  // Its longer side is its run; of a feed box the run goes where the rack is.
  if (drawn_run(unit) == 0.0) return std::max(across_width, across_depth);
  return unit.width && drawn_run(unit) == in_meters(*unit.width) ? across_width : across_depth;
}

/// Taps without a stated place, along the stated length of the conductors: their drawn places, drawn out to that length;
/// without places on the plan evenly spread, as the losses take them.
void along_stated_length(const PowerUnit& unit, std::vector<BuswayTap>& taps, const std::vector<std::size_t>& unstated) {
  if (!unit.length || unstated.empty()) return;
  const double length = in_meters(*unit.length);
  double run = drawn_run(unit), farthest = 0.0;
  for (const std::size_t i : unstated)
    farthest = std::max(farthest, in_meters(taps[i].position));
  if (run == 0.0) run = farthest;
  for (std::size_t k = 0; k < unstated.size(); ++k) {
    Length& at = taps[unstated[k]].position;
    at = meters(farthest > 0.0 ? std::min(length, in_meters(at) / run * length)
                               : length * static_cast<double>(k + 1) / static_cast<double>(unstated.size()));
  }
}

} // namespace

std::vector<DrawnBusway> drawn_busways(const Design& design, const OneLine& line, const Catalog& catalog) {
  std::map<Id, DrawnBusway> runs;
  std::map<Id, std::vector<std::size_t>> unstated; // taps by the unit, whose places come from the plan
  const std::vector<OneLineLoad>& loads = line.loads();
  for (const Rack& rack : *design.racks) {
    const auto load =
        std::lower_bound(loads.begin(), loads.end(), rack.id, [](const OneLineLoad& l, Id id) { return l.id < id; });
    if (load == loads.end() || load->id != rack.id) continue;
    const bool a = rack.feed_a != 0 && line.index(rack.feed_a) >= 0;
    const bool b = rack.feed_b != 0 && rack.feed_b != rack.feed_a && line.index(rack.feed_b) >= 0;
    const double share = a && b ? 0.5 : 1.0;
    for (const bool second : {false, true}) {
      if (second ? !b : !a) continue;
      const Id unit_id = second ? rack.feed_b : rack.feed_a;
      const PowerUnit* unit = find(*design.power_units, unit_id);
      if (!unit) continue;
      auto [at, fresh] = runs.try_emplace(unit_id);
      DrawnBusway& drawn = at->second;
      const OneLineElement& e = line.elements()[static_cast<std::size_t>(line.index(unit_id))];
      if (fresh) {
        drawn.unit = unit_id;
        drawn.side = unit->feed;
        drawn.run.id = unit_id;
        drawn.run.name = line.name(unit_id);
        drawn.run.continuous_load_factor = e.usable_share;
        drawn.run.neutral_share = unit->neutral_share;
        drawn.run.third_harmonic_share = unit->third_harmonic_share;
        if (unit->conductor_resistance)
          drawn.run.line.resistance = drawn.run.neutral.resistance = unit->conductor_resistance->value();
        if (unit->conductor_reactance)
          drawn.run.line.reactance = drawn.run.neutral.reactance = unit->conductor_reactance->value();
        drawn.run.system = e.system;
        const bool three = e.system == ElectricalSystem::three_phase;
        std::optional<double> between;
        if (three && e.output_voltage) between = e.output_voltage->volts();
        if (const auto& v = e.system == ElectricalSystem::direct_current ? e.direct_voltage : e.phase_voltage; !three && v)
          between = base_value(*v);
        if (!between) {
          drawn.missing =
              fmt::format("The voltage of {} is not known: set it on the unit or on a unit above it", drawn.run.name);
        } else {
          drawn.run.voltage = LineToLineVoltage::from_volts(*between);
          const PowerPart* part = catalog.find<PowerPart>(unit->part);
          const double volts_between = *between;
          const double va = std::isfinite(e.rating_va) ? e.rating_va : e.rating_w;
          if (!unit->rating && !unit->rating_apparent && part && part->rating_current)
            drawn.run.rating = *part->rating_current;
          else if (std::isfinite(va) && va > 0.0 && volts_between > 0.0)
            drawn.run.rating = amperes(va / ((three ? std::numbers::sqrt3 : 1.0) * volts_between));
        }
      }
      BuswayTap tap;
      tap.id = rack.id;
      tap.name = rack.name.empty() ? fmt::format("rack {}", rack.id) : rack.name;
      tap.load = {share * load->draw.real, e.system == ElectricalSystem::direct_current ? ReactivePower()
                                                                                        : share * load->draw.reactive};
      tap.phases = second ? rack.phases_b : rack.phases_a;
      tap.kept = rack.phases_kept;
      tap.both_cords = a && b;
      const std::optional<Length>& stated = second ? rack.tap_b : rack.tap_a;
      if (!stated) unstated[unit_id].push_back(drawn.taps.size());
      tap.position = stated ? *stated : meters(place_along(*unit, rack));
      const std::optional<Length>& whip = second ? rack.whip_b : rack.whip_a;
      tap.whip_length = whip ? *whip : meters(3.0);
      drawn.taps.push_back(std::move(tap));
    }
  }
  std::vector<DrawnBusway> out;
  for (auto& [id, drawn] : runs) {
    if (const PowerUnit* unit = find(*design.power_units, id)) along_stated_length(*unit, drawn.taps, unstated[id]);
    std::sort(drawn.taps.begin(), drawn.taps.end(), [](const BuswayTap& x, const BuswayTap& y) {
      return std::make_pair(in_meters(x.position), x.id) < std::make_pair(in_meters(y.position), y.id);
    });
    out.push_back(std::move(drawn));
  }
  return out;
}

Edit spread_over_phases(const Design& design, const DrawnBusway& busway, const PhaseProposal& proposal) {
  static_cast<void>(design);
  std::map<Id, TapPhases> wanted;
  for (const std::size_t i : proposal.changed)
    wanted[busway.taps[i].id] = proposal.phases[i];
  Edit edit;
  edit.label = fmt::format("Spread {} {} over the phases of {}", wanted.size(), wanted.size() == 1 ? "rack" : "racks",
                           busway.run.name);
  edit.apply = [wanted, unit = busway.unit](const Design& d) -> Edited {
    return with_table(d, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (Rack& r : racks) {
        const auto at = wanted.find(r.id);
        if (at == wanted.end() || r.phases_kept) continue;
        if (r.feed_a == unit)
          r.phases_a = at->second;
        else if (r.feed_b == unit)
          r.phases_b = at->second;
      }
    });
  };
  return edit;
}

Edit set_tap_phases(const Design& design, Id rack, Id busway, TapPhases phases) {
  const Rack* r = find(*design.racks, rack);
  const std::string name = r && !r->name.empty() ? r->name : fmt::format("rack {}", rack);
  Edit edit;
  edit.label = fmt::format("Tap of {} on {}", name, tap_phases_word(phases));
  edit.apply = [rack, busway, phases, name](const Design& d) -> Edited {
    const Rack* now = find(*d.racks, rack);
    if (!now) return tl::make_unexpected(name + " is not in the design any more");
    if (now->feed_a != busway && now->feed_b != busway)
      return tl::make_unexpected(name + " does not hang on this busway any more");
    return with_table(d, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (Rack& x : racks)
        if (x.id == rack) (x.feed_a == busway ? x.phases_a : x.phases_b) = phases;
    });
  };
  return edit;
}

std::vector<BuswayProblem> busway_problems(const std::vector<DrawnBusway>& busways, const Catalog& catalog) {
  const double unbalance = assumed_share(catalog, "power.phase_unbalance_limit", 0.1),
               drop = assumed_share(catalog, "power.voltage_drop_branch_limit", 0.03);
  std::vector<BuswayProblem> out;
  for (const DrawnBusway& b : busways) {
    if (!b.missing.empty()) continue;
    for (PhaseProblem& p : phase_problems(b.run, b.taps, unbalance, drop))
      out.push_back({b.unit, std::move(p)});
  }
  return out;
}

} // namespace hallwright
