// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/drawn_voltage.h"

#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

std::string title(const PowerUnit& u) { return u.name.empty() ? fmt::format("unit {}", u.id) : u.name; }
std::string kind_words(const PowerUnit& u) {
  return std::string(ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(u.kind)]);
}
std::string volts_words(double volts) {
  return std::abs(volts) >= 1000.0 ? fmt::format("{:.6g} kV", volts / 1000.0) : fmt::format("{:.6g} V", volts);
}
/// Hands on the voltage that it gets. Distribution units do not count: many have a transformer of their own.
bool changes_no_voltage(PowerUnitKind kind) {
  return kind == PowerUnitKind::switchgear || kind == PowerUnitKind::static_switch || kind == PowerUnitKind::busway;
}
constexpr double one_system = 0.05, supply_tolerance = 1.1;

} // namespace

ElectricalSystem system_of(const PowerUnit& unit) {
  return unit.kind == PowerUnitKind::rectifier ? ElectricalSystem::direct_current : unit.system;
}

DrawnVoltage drawn_voltage(const std::vector<PowerUnit>& units, const Catalog& catalog, const PowerUnit& unit) {
  for (const bool stated : {true, false}) {
    const PowerUnit* u = &unit;
    for (std::size_t steps = 0; u && steps <= units.size(); ++steps) {
      if (stated && u->voltage) return {base_value(*u->voltage), u, nullptr};
      if (!stated)
        if (const PowerPart* part = catalog.find<PowerPart>(u->part); part && part->voltage)
          return {base_value(*part->voltage), nullptr, part};
      if (u->kind == PowerUnitKind::transformer || u->kind == PowerUnitKind::rectifier) break;
      u = find(units, u->upstream);
      if (u && system_of(*u) != system_of(unit)) break;
    }
  }
  return {};
}

std::vector<VoltageProblem> voltage_problems(const std::vector<PowerUnit>& units, const Catalog& catalog) {
  std::vector<VoltageProblem> out;
  for (const PowerUnit& u : units) {
    const ElectricalSystem system = system_of(u);
    const bool direct = system == ElectricalSystem::direct_current;
    const bool source = u.kind == PowerUnitKind::utility_feed || u.kind == PowerUnitKind::generator;
    if (u.kind == PowerUnitKind::transformer && direct)
      out.push_back({{u.id},
                     fmt::format("{} is a transformer and has direct current as its system: a transformer passes "
                                 "alternating current alone. Set three-phase or single-phase, or draw a rectifier",
                                 title(u))});
    if (u.kind == PowerUnitKind::rectifier && u.system == ElectricalSystem::single_phase)
      out.push_back({{u.id},
                     fmt::format("{} is a rectifier and has single-phase as its system: a rectifier gives direct current, "
                                 "and that counts. Set direct current",
                                 title(u))});
    for (const Id from : {u.upstream, u.second_source}) {
      const PowerUnit* above = from == u.id ? nullptr : find(units, from);
      if (!above || source) continue;
      const ElectricalSystem given = system_of(*above);
      if (u.kind == PowerUnitKind::rectifier) {
        if (given == ElectricalSystem::direct_current)
          out.push_back({{u.id, above->id},
                         fmt::format("{} is a rectifier and is fed from {}, which gives direct current: a rectifier takes "
                                     "alternating current, three-phase or single-phase",
                                     title(u), title(*above))});
        continue;
      }
      if (direct && u.kind != PowerUnitKind::transformer && given != ElectricalSystem::direct_current)
        out.push_back({{u.id, above->id},
                       fmt::format("{} ({}) has direct current as its system and is fed from {}, which gives alternating "
                                   "current; only a rectifier makes direct current of it",
                                   title(u), kind_words(u), title(*above))});
      if (!u.voltage || !changes_no_voltage(u.kind)) continue;
      const DrawnVoltage of_above = drawn_voltage(units, catalog, *above);
      if (!of_above.unit) continue; // what a part is rated for is no statement of what it runs at
      const double own = base_value(*u.voltage), gets = *of_above.volts;
      const auto near = [&](double v) { return std::abs(own - v) <= one_system * v; };
      const bool phase_of_three =
          system == ElectricalSystem::single_phase && given == ElectricalSystem::three_phase && near(gets / std::sqrt(3.0));
      const bool alike = direct == (given == ElectricalSystem::direct_current);
      if (alike && !near(gets) && !phase_of_three)
        out.push_back({{u.id, above->id},
                       fmt::format("The voltage of {} is {}, and {} feeds it at {}: a {} changes no voltage. Allowed is "
                                   "that of what feeds it, within 5 %{}; draw a transformer or a rectifier between them to "
                                   "change it",
                                   title(u), volts_words(own), title(*above), volts_words(gets), kind_words(u),
                                   system == ElectricalSystem::single_phase && given == ElectricalSystem::three_phase
                                       ? ", or a line to its neutral"
                                       : "")});
    }
    const auto outside = [&](double least, double most, const char* what) {
      const double own = base_value(*u.voltage);
      if (own < least || own > most)
        out.push_back({{u.id},
                       fmt::format("The voltage of {} is {}: {} {} are allowed for {}", title(u), volts_words(own),
                                   least > 0.0 ? volts_words(least) + " to" : std::string("up to"), volts_words(most), what)});
    };
    if (u.voltage && u.kind == PowerUnitKind::ups) outside(100.0, 24e3, "a UPS");
    if (u.voltage && u.kind == PowerUnitKind::busway)
      outside(0.0, direct ? 1500.0 : 1000.0, direct ? "a busway on direct current" : "a busway");
    const PowerPart* part = catalog.find<PowerPart>(u.part);
    if (const DrawnVoltage runs = drawn_voltage(units, catalog, u);
        part && part->voltage && runs.unit && *runs.volts > supply_tolerance * base_value(*part->voltage))
      out.push_back({{u.id},
                     fmt::format("{} runs at {}, and its part {} is rated for {}: up to 1.1 times that are allowed",
                                 title(u), volts_words(*runs.volts), part->id, volts_words(base_value(*part->voltage)))});
  }
  return out;
}

} // namespace hallwright
