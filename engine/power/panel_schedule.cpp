// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/panel_schedule.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace hallwright {
namespace {

/// Without the dust that sums leave in the last digits: 12 significant digits, 1.1 for 1.0999999999999999.
double without_dust(double number) {
  if (!std::isfinite(number)) return number;
  return std::strtod(fmt::format("{:.12g}", number).c_str(), nullptr);
}
void dust(Table& t) {
  for (TableColumn& c : t.columns)
    for (double& number : c.numbers)
      number = without_dust(number);
}

} // namespace

Table panel_schedule(const std::vector<DrawnBusway>& busways, const Design& design) {
  Table t;
  t.id = "power.panel_schedule";
  t.title = "Panel schedule";
  t.entity_table = "racks";
  t.columns.reserve(12);
  auto& panel = t.add_words("panel", "Panel or busway");
  auto& circuit = t.add_numbers("circuit", "Circuit", kind::count);
  auto& rack = t.add_words("rack", "Rack");
  auto& cord = t.add_words("cord", "Cord");
  auto& phases = t.add_words("phases", "Phases");
  auto& position = t.add_numbers("position", "From the fed end", kind::length, "m");
  auto& power = t.add_numbers("power", "Power", kind::power, "kW");
  auto& apparent = t.add_numbers("apparent", "Apparent power", kind::apparent_power, "kVA");
  auto& l1 = t.add_numbers("current_l1", "L1", kind::current, "A");
  auto& l2 = t.add_numbers("current_l2", "L2", kind::current, "A");
  auto& l3 = t.add_numbers("current_l3", "L3", kind::current, "A");
  auto& other = t.add_numbers("other_out", "Power, other side out", kind::power, "kW");
  for (const DrawnBusway& b : busways) {
    Count number = 0;
    for (const BuswayTap& tap : b.taps) {
      const Rack* r = find(*design.racks, tap.id);
      panel.words.push_back(b.run.name);
      circuit.numbers.push_back(static_cast<double>(++number));
      rack.words.push_back(tap.name);
      cord.words.push_back(r && r->feed_a == b.unit ? "A" : "B");
      phases.words.emplace_back(b.run.system == ElectricalSystem::direct_current ? "+ -"
                                : b.run.system == ElectricalSystem::single_phase ? "one phase"
                                                                                 : tap_phases_word(tap.phases));
      position.numbers.push_back(in_meters(tap.position));
      power.numbers.push_back(in_watts(tap.load.real));
      apparent.numbers.push_back(tap.load.apparent().volt_amperes());
      const double unknown = std::numeric_limits<double>::quiet_NaN();
      double lines[3] = {unknown, unknown, unknown};
      if (b.missing.empty()) {
        const PhaseCurrents c = phase_currents(b.run, {tap});
        for (std::size_t k = 0; k < (b.run.system == ElectricalSystem::three_phase ? 3u : 2u); ++k)
          lines[k] = in_amperes(c.line[k]);
      }
      l1.numbers.push_back(lines[0]);
      l2.numbers.push_back(lines[1]);
      l3.numbers.push_back(lines[2]);
      other.numbers.push_back((tap.both_cords ? 2.0 : 1.0) * in_watts(tap.load.real));
      t.entities.push_back(tap.id);
    }
  }
  dust(t);
  return t;
}

Table load_list(const Design& design, const OneLine& line) {
  Table t;
  t.id = "power.load_list";
  t.title = "Load list";
  t.entity_table = "racks";
  t.columns.reserve(10);
  auto& rack = t.add_words("rack", "Rack");
  auto& type = t.add_words("type", "Type");
  auto& hall = t.add_words("hall", "Hall");
  auto& power = t.add_numbers("power", "Power", kind::power, "kW");
  auto& factor = t.add_numbers("power_factor", "Power factor", kind::ratio);
  auto& apparent = t.add_numbers("apparent", "Apparent power", kind::apparent_power, "kVA");
  auto& feed_a = t.add_words("feed_a", "Feed A");
  auto& feed_b = t.add_words("feed_b", "Feed B");
  auto& gpus = t.add_numbers("gpus", "GPUs", kind::count);
  auto& inrush = t.add_numbers("inrush", "Apparent power when switched on", kind::apparent_power, "kVA");
  std::map<Id, const RackType*> types;
  for (const RackType& x : *design.rack_types)
    types.emplace(x.id, &x);
  std::map<Id, std::string> halls;
  for (const Hall& h : *design.halls)
    halls.emplace(h.id, h.name);
  const auto unit_name = [&](Id id) { return id == 0 || line.index(id) < 0 ? std::string() : line.name(id); };
  for (const OneLineLoad& load : line.loads()) {
    const Rack* r = find(*design.racks, load.id);
    if (!r) continue;
    const auto of = types.find(r->rack_type);
    rack.words.push_back(r->name);
    type.words.push_back(of == types.end() ? std::string() : of->second->name);
    hall.words.push_back(halls.count(r->hall) ? halls[r->hall] : std::string());
    power.numbers.push_back(in_watts(load.draw.real));
    factor.numbers.push_back(load.draw.factor().cosine);
    apparent.numbers.push_back(load.draw.apparent().volt_amperes());
    feed_a.words.push_back(unit_name(load.feed_a));
    feed_b.words.push_back(unit_name(load.feed_b));
    gpus.numbers.push_back(static_cast<double>(load.gpus));
    inrush.numbers.push_back(load.draw.apparent().volt_amperes() * (of == types.end() ? 1.0 : of->second->inrush));
    t.entities.push_back(load.id);
  }
  dust(t);
  return t;
}

} // namespace hallwright
