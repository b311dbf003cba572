// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/fault_level.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace hallwright {
namespace {

/// Impedance over the square of the voltage [1/VA]: the same on both sides of a transformer.
using VoltFreeImpedance = std::complex<double>;

} // namespace

std::vector<FaultLevel> fault_levels(const OneLine& one_line, const std::vector<FaultPath>& paths,
                                     double voltage_factor) {
  const std::size_t n = one_line.elements().size();
  std::vector<FaultLevel> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i].element = one_line.elements()[i].id;
  if (paths.size() != n || one_line.order().empty()) return out;

  struct AtBus {
    VoltFreeImpedance z{};
    std::optional<LineToLineVoltage> voltage;
    std::optional<Current> battery;
    bool at_most = false, live = false;
  };
  std::vector<AtBus> at(one_line.buses().size());
  for (const std::uint32_t b : one_line.order()) {
    AtBus& here = at[b];
    // Members that hang on one bus above are side by side behind its impedance.
    std::map<std::int64_t, VoltFreeImpedance> side_by_side;
    std::map<std::int64_t, bool> open_end;
    for (const std::uint32_t m : one_line.buses()[b].members) {
      if (one_line.looped(m)) continue;
      const FaultPath& p = paths[m];
      const std::int32_t up = one_line.upstream(m);
      const std::int64_t above = up == OneLine::none
                                     ? -1 - static_cast<std::int64_t>(m)
                                     : static_cast<std::int64_t>(one_line.bus_of(static_cast<std::size_t>(up)));
      std::optional<LineToLineVoltage> voltage = p.voltage;
      if (above >= 0) {
        const AtBus& from = at[static_cast<std::size_t>(above)];
        if (!from.live) continue;
        if (!voltage) voltage = from.voltage;
        here.at_most = here.at_most || from.at_most;
        if (from.battery && !here.battery) here.battery = from.battery;
      }
      // Behind a rectifier its electronics limit the current, and one phase is another fault: neither is worked out.
      if (one_line.elements()[m].system != ElectricalSystem::three_phase) voltage.reset();
      here.live = true;
      if (!here.voltage) here.voltage = voltage;
      VoltFreeImpedance z{};
      const auto of_source = [&](double va) {
        const double angle = std::atan(p.source_x_over_r);
        return std::polar(1.0 / va, angle);
      };
      if (p.short_circuit_power && p.short_circuit_power->volt_amperes() > 0.0)
        z += of_source(p.short_circuit_power->volt_amperes());
      if (p.rated && p.rated->volt_amperes() > 0.0 && p.impedance_voltage > 0.0) {
        const double r = std::min(p.resistive_part, p.impedance_voltage);
        z += VoltFreeImpedance(r, std::sqrt(p.impedance_voltage * p.impedance_voltage - r * r)) /
             p.rated->volt_amperes();
      } else if (one_line.elements()[m].kind == PowerUnitKind::transformer ||
                 (above < 0 && !(p.short_circuit_power && p.short_circuit_power->volt_amperes() > 0.0))) {
        here.at_most = true;
      }
      if ((p.resistance > 0.0 || p.reactance > 0.0) && voltage && voltage->volts() > 0.0)
        z += VoltFreeImpedance(p.resistance, p.reactance) / (voltage->volts() * voltage->volts());
      if (p.inverter_share && p.rated && voltage && voltage->volts() > 0.0)
        here.battery = amperes(*p.inverter_share * in_amperes(line_current(*p.rated, *voltage)));
      auto [it, fresh] = side_by_side.try_emplace(above, VoltFreeImpedance{});
      if (std::abs(z) <= 0.0)
        open_end[above] = true; // nothing in the way
      else
        it->second += 1.0 / z;
    }
    VoltFreeImpedance admittance{};
    bool short_circuit_free = false;
    for (const auto& [above, sum] : side_by_side) {
      VoltFreeImpedance z = open_end[above] || std::abs(sum) <= 0.0 ? VoltFreeImpedance{} : 1.0 / sum;
      if (above >= 0) z += at[static_cast<std::size_t>(above)].z;
      if (std::abs(z) <= 0.0)
        short_circuit_free = true;
      else
        admittance += 1.0 / z;
    }
    here.z = short_circuit_free || std::abs(admittance) <= 0.0 ? VoltFreeImpedance{} : 1.0 / admittance;
    for (const std::uint32_t m : one_line.buses()[b].members) {
      FaultLevel& level = out[m];
      level.at_most = here.at_most;
      level.on_battery = here.battery;
      if (!here.live || !here.voltage || !(here.voltage->volts() > 0.0) || !(std::abs(here.z) > 0.0)) continue;
      const double initial = voltage_factor / (std::numbers::sqrt3 * here.voltage->volts() * std::abs(here.z));
      level.initial = amperes(initial);
      const double r = here.z.real(), x = here.z.imag();
      level.x_over_r = r > 0.0 ? x / r : 1e6;
      const double kappa = 1.02 + 0.98 * (x > 0.0 ? std::exp(-3.0 * r / x) : 0.0);
      level.peak = amperes(kappa * std::numbers::sqrt2 * initial);
    }
  }
  return out;
}

std::vector<SelectivityHint> selectivity_hints(const OneLine& one_line, const std::vector<FaultPath>& paths,
                                               const std::vector<FaultLevel>& levels) {
  std::vector<SelectivityHint> out;
  if (paths.size() != one_line.elements().size() || levels.size() != paths.size()) return out;
  constexpr double least_ratio = 1.6;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::int32_t up = one_line.upstream(i);
    if (up == OneLine::none) continue;
    const FaultPath &upper = paths[static_cast<std::size_t>(up)], &lower = paths[i];
    if (!upper.rated_current || !lower.rated_current || !(in_amperes(*lower.rated_current) > 0.0)) continue;
    SelectivityHint hint;
    hint.upstream = one_line.elements()[static_cast<std::size_t>(up)].id;
    hint.element = one_line.elements()[i].id;
    const std::string above = one_line.name(hint.upstream), below = one_line.name(hint.element);
    const double ratio = in_amperes(*upper.rated_current) / in_amperes(*lower.rated_current);
    const double pickup = in_amperes(*upper.rated_current) * upper.instantaneous_multiple;
    if (ratio < least_ratio) {
      hint.sentence = fmt::format("{} ({:.0f} A) is only {:.2f} times {} ({:.0f} A): an overload below may trip both; "
                                  "{:.1f} times is the rule of thumb",
                                  above, in_amperes(*upper.rated_current), ratio, below,
                                  in_amperes(*lower.rated_current), least_ratio);
    } else if (!levels[i].initial) {
      hint.sentence =
          fmt::format("The fault level at {} is not known: whether {} stays closed cannot be said", below, above);
    } else if (in_amperes(*levels[i].initial) > pickup && upper.delay_s <= lower.delay_s) {
      hint.sentence =
          fmt::format("A fault of {:.1f} kA at {} trips {} at once, too, which picks up at {:.1f} kA: give it "
                      "a short-time delay",
                      in_amperes(*levels[i].initial) / 1000.0, below, above, pickup / 1000.0);
    } else {
      hint.selective = true;
      hint.sentence = fmt::format("{} stays closed when {} clears a fault of {}{:.1f} kA", above, below,
                                  levels[i].at_most ? "at most " : "", in_amperes(*levels[i].initial) / 1000.0);
    }
    out.push_back(std::move(hint));
  }
  return out;
}

} // namespace hallwright
