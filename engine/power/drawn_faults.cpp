// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/drawn_faults.h"

#include <cmath>
#include <limits>
#include <map>

#include "power/one_line_layout.h"

namespace hallwright {

std::vector<FaultPath> fault_paths(const Design& design, const OneLine& line) {
  constexpr double usual_impedance = 0.06; // distribution transformers, IEC 60076-5
  std::vector<FaultPath> out(line.elements().size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const OneLineElement& e = line.elements()[i];
    const PowerUnit* u = find(*design.power_units, e.id);
    FaultPath& p = out[i];
    p.voltage = e.output_voltage;
    const double va = std::isfinite(e.rating_va) ? e.rating_va : e.rating_w;
    const bool rated = std::isfinite(va) && va > 0.0;
    if (rated) p.rated = ApparentPower::from_volt_amperes(va);
    if (rated && p.voltage && p.voltage->volts() > 0.0) p.rated_current = line_current(*p.rated, *p.voltage);
    if (!u) continue;
    p.short_circuit_power = u->short_circuit_power;
    if (e.kind == PowerUnitKind::transformer) {
      p.impedance_voltage = u->impedance_voltage.value_or(usual_impedance);
      if (rated && u->load_loss) p.resistive_part = in_watts(*u->load_loss) / va;
    } else if (u->impedance_voltage) {
      p.impedance_voltage = *u->impedance_voltage; // subtransient reactance of a generator
    }
    if (u->length) {
      const double m = in_meters(*u->length);
      if (u->conductor_resistance) p.resistance = u->conductor_resistance->value() * m;
      if (u->conductor_reactance) p.reactance = u->conductor_reactance->value() * m;
    }
  }
  return out;
}

Table fault_table(const Design& design, const OneLine& line) {
  const std::vector<FaultPath> paths = fault_paths(design, line);
  const std::vector<FaultLevel> levels = fault_levels(line, paths);
  std::map<Id, const SelectivityHint*> hints;
  const std::vector<SelectivityHint> all = selectivity_hints(line, paths, levels);
  for (const SelectivityHint& h : all)
    hints.emplace(h.element, &h);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto amps_of = [&](const std::optional<Current>& c) { return c ? in_amperes(*c) : unknown; };
  Table t;
  t.id = "power.faults";
  t.title = "Short circuits";
  t.entity_table = "power_units";
  t.columns.reserve(7);
  auto& unit = t.add_words("unit", "Unit");
  auto& what = t.add_words("kind", "Kind");
  auto& current = t.add_numbers("current", "Short-circuit current", kind::current, "kA");
  auto& peak = t.add_numbers("peak", "Peak", kind::current, "kA");
  auto& battery = t.add_numbers("on_battery", "On battery", kind::current, "kA");
  auto& bound = t.add_words("bound", "Bound");
  auto& above = t.add_words("above", "The breaker above");
  for (const FaultLevel& level : levels) {
    unit.words.push_back(line.name(level.element));
    what.words.emplace_back(
        power_unit_words(line.elements()[static_cast<std::size_t>(line.index(level.element))].kind));
    current.numbers.push_back(amps_of(level.initial));
    peak.numbers.push_back(amps_of(level.peak));
    battery.numbers.push_back(amps_of(level.on_battery));
    const bool three =
        line.elements()[static_cast<std::size_t>(line.index(level.element))].system == ElectricalSystem::three_phase;
    bound.words.emplace_back(!three ? "no three phases: not worked out" : !level.initial ? "voltage or source not known" : level.at_most ? "at most" : "");
    const auto hint = hints.find(level.element);
    above.words.push_back(hint == hints.end() ? std::string() : hint->second->sentence);
    t.entities.push_back(level.element);
  }
  return t;
}

} // namespace hallwright
