// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/phase_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "checks/told_apart.h"

namespace hallwright {
namespace {

using Phasor = std::complex<double>;
using LineCurrents = std::array<Phasor, 3>;

constexpr double third_of_turn = 2.0 * std::numbers::pi / 3.0;

/// Voltage of a line to neutral, as a phasor of unit length.
Phasor line_direction(std::size_t line) { return std::polar(1.0, -third_of_turn * static_cast<double>(line)); }
std::size_t first_line(TapPhases p) {
  switch (p) {
  case TapPhases::l1_n:
  case TapPhases::l1_l2:
  case TapPhases::three_phase:
    return 0;
  case TapPhases::l2_n:
  case TapPhases::l2_l3:
    return 1;
  case TapPhases::l3_n:
  case TapPhases::l3_l1:
    return 2;
  }
  return 0;
}

/// Currents that a load draws from the lines [A].
LineCurrents currents_of(const ComplexPower& load, TapPhases phases, LineToLineVoltage voltage) {
  LineCurrents out{};
  const double to_neutral = voltage.to_neutral().volts();
  if (!(to_neutral > 0.0)) return out;
  const Phasor conjugate(in_watts(load.real), -load.reactive.vars()); // S* = V* I
  const std::size_t a = first_line(phases), b = (a + 1) % 3;
  switch (kind_of(phases)) {
  case TapKind::line_to_neutral:
    out[a] = conjugate / (to_neutral * std::conj(line_direction(a)));
    break;
  case TapKind::line_to_line: {
    const Phasor between = to_neutral * (line_direction(a) - line_direction(b));
    const Phasor current = conjugate / std::conj(between);
    out[a] = current;
    out[b] = -current;
    break;
  }
  case TapKind::three_phase:
    for (std::size_t k = 0; k < 3; ++k)
      out[k] = conjugate / (3.0 * to_neutral * std::conj(line_direction(k)));
    break;
  }
  return out;
}
void add(LineCurrents& sum, const LineCurrents& more, double sign = 1.0) {
  for (std::size_t k = 0; k < 3; ++k)
    sum[k] += sign * more[k];
}
double largest(const LineCurrents& c) { return std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}); }
double squares(const LineCurrents& c) { return std::norm(c[0]) + std::norm(c[1]) + std::norm(c[2]); }

constexpr TapPhases to_neutral_choices[] = {TapPhases::l1_n, TapPhases::l2_n, TapPhases::l3_n};
constexpr TapPhases between_choices[] = {TapPhases::l1_l2, TapPhases::l2_l3, TapPhases::l3_l1};
const TapPhases* choices(TapKind kind) {
  return kind == TapKind::line_to_neutral ? to_neutral_choices : between_choices;
}

bool two_conductors(const BuswayRun& run) { return run.system != ElectricalSystem::three_phase; }
/// Current of a load between two conductors [A]; direct current has no reactive part.
Phasor two_conductor_current(const BuswayRun& run, const ComplexPower& load) {
  if (!(run.voltage.volts() > 0.0)) return {};
  const double vars = run.system == ElectricalSystem::direct_current ? 0.0 : load.reactive.vars();
  return Phasor(in_watts(load.real), -vars) / run.voltage.volts();
}

std::string amperes_text(Current c) { return fmt::format("{:.1f} A", in_amperes(c)); }
/// "Line 2 of Busway A1 carries 25.7 A; 24.0 A is allowed"
std::string over_words(const std::string& what, Current carried, Current allowed) {
  const NumberPair amperes = told_apart(in_amperes(carried), in_amperes(allowed), 1);
  return fmt::format("{} {} A; {} A is allowed", what, amperes.value, amperes.limit);
}

} // namespace

std::string_view tap_phases_word(TapPhases phases) {
  constexpr std::string_view words[] = {"L1-N", "L2-N", "L3-N", "L1-L2", "L2-L3", "L3-L1", "L1-L2-L3"};
  return words[static_cast<std::size_t>(phases)];
}

TapKind kind_of(TapPhases phases) {
  switch (phases) {
  case TapPhases::l1_n:
  case TapPhases::l2_n:
  case TapPhases::l3_n:
    return TapKind::line_to_neutral;
  case TapPhases::l1_l2:
  case TapPhases::l2_l3:
  case TapPhases::l3_l1:
    return TapKind::line_to_line;
  case TapPhases::three_phase:
    break;
  }
  return TapKind::three_phase;
}

PhaseCurrents phase_currents(const BuswayRun& run, const std::vector<BuswayTap>& taps) {
  if (two_conductors(run)) {
    Phasor all{};
    for (const BuswayTap& tap : taps)
      all += two_conductor_current(run, tap.load);
    PhaseCurrents out;
    out.line[0] = out.line[1] = amperes(std::abs(all));
    return out;
  }
  LineCurrents sum{};
  Phasor neutral{};
  double harmonic = 0.0;
  for (const BuswayTap& tap : taps) {
    const LineCurrents c = currents_of(tap.load, tap.phases, run.voltage);
    add(sum, c);
    if (kind_of(tap.phases) != TapKind::line_to_line) // what stands between lines sends nothing through the neutral
      for (const Phasor& p : c)
        harmonic += run.third_harmonic_share * std::abs(p);
  }
  for (const Phasor& p : sum)
    neutral += p;
  PhaseCurrents out;
  double mean = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    out.line[k] = amperes(std::abs(sum[k]));
    mean += std::abs(sum[k]) / 3.0;
    if (out.line[k] > out.line[out.fullest]) out.fullest = k;
  }
  for (std::size_t k = 0; k < 3 && mean > 0.0; ++k)
    out.unbalance = std::max(out.unbalance, std::abs(in_amperes(out.line[k]) - mean) / mean);
  out.neutral = amperes(std::hypot(std::abs(neutral), harmonic));
  return out;
}

std::vector<BuswayTap> with_other_side_out(std::vector<BuswayTap> taps) {
  for (BuswayTap& tap : taps)
    if (tap.both_cords) tap.load = 2.0 * tap.load;
  return taps;
}

std::vector<TapVoltage> tap_voltages(const BuswayRun& run, const std::vector<BuswayTap>& taps) {
  const double volts = run.voltage.to_neutral().volts();
  std::vector<TapVoltage> out(taps.size());
  std::vector<std::size_t> along(taps.size());
  std::iota(along.begin(), along.end(), std::size_t{0});
  std::stable_sort(along.begin(), along.end(),
                   [&](std::size_t a, std::size_t b) { return taps[a].position < taps[b].position; });
  if (two_conductors(run)) {
    Phasor beyond{}, lost{};
    for (const BuswayTap& tap : taps)
      beyond += two_conductor_current(run, tap.load);
    const double full = run.voltage.volts();
    const bool direct = run.system == ElectricalSystem::direct_current; // steady current meets resistance alone
    const Phasor z(run.line.resistance, direct ? 0.0 : run.line.reactance);
    double at = 0.0;
    for (const std::size_t i : along) {
      const double piece = std::max(0.0, in_meters(taps[i].position) - at);
      at = std::max(at, in_meters(taps[i].position));
      lost += 2.0 * piece * z * beyond;
      const Phasor own = two_conductor_current(run, taps[i].load);
      beyond -= own;
      out[i].id = taps[i].id;
      if (!(full > 0.0)) continue;
      const Phasor whip = 2.0 * in_meters(taps[i].whip_length) *
                          Phasor(taps[i].whip.resistance, direct ? 0.0 : taps[i].whip.reactance) * own;
      const auto drop = [&](const Phasor& less) { return less.real() >= full ? 1.0 : (full - std::abs(full - less)) / full; };
      out[i].busway_drop = drop(lost);
      out[i].whip_drop = drop(lost + whip) - out[i].busway_drop;
    }
    return out;
  }
  std::vector<LineCurrents> currents;
  LineCurrents beyond{};
  for (const BuswayTap& tap : taps) {
    currents.push_back(currents_of(tap.load, tap.phases, run.voltage));
    add(beyond, currents.back());
  }
  const Phasor z_line(run.line.resistance, run.line.reactance),
      z_neutral(run.neutral.resistance, run.neutral.reactance);
  LineCurrents lost{}; // voltage of each line to neutral that is lost so far
  double at = 0.0;
  for (const std::size_t i : along) {
    const double piece = std::max(0.0, in_meters(taps[i].position) - at);
    at = std::max(at, in_meters(taps[i].position));
    const Phasor back = beyond[0] + beyond[1] + beyond[2];
    for (std::size_t k = 0; k < 3; ++k)
      lost[k] += piece * (z_line * beyond[k] + z_neutral * back);
    add(beyond, currents[i], -1.0);
    TapVoltage& v = out[i];
    v.id = taps[i].id;
    if (!(volts > 0.0)) continue;
    const Phasor z_whip = in_meters(taps[i].whip_length) * Phasor(taps[i].whip.resistance, taps[i].whip.reactance);
    const std::size_t a = first_line(taps[i].phases), b = (a + 1) % 3;
    const auto drop = [](const Phasor& full, const Phasor& less) {
      // More than all of it cannot be lost: beyond, the sum of phasors would grow again.
      if ((std::conj(full) * less).real() >= std::norm(full)) return 1.0;
      return (std::abs(full) - std::abs(full - less)) / std::abs(full);
    };
    switch (kind_of(taps[i].phases)) {
    case TapKind::line_to_neutral: {
      const Phasor full = volts * line_direction(a);
      v.busway_drop = drop(full, lost[a]);
      v.whip_drop = drop(full, lost[a] + 2.0 * z_whip * currents[i][a]) - v.busway_drop;
      break;
    }
    case TapKind::line_to_line: {
      const Phasor full = volts * (line_direction(a) - line_direction(b));
      v.busway_drop = drop(full, lost[a] - lost[b]);
      v.whip_drop = drop(full, lost[a] - lost[b] + 2.0 * z_whip * currents[i][a]) - v.busway_drop;
      break;
    }
    case TapKind::three_phase:
      for (std::size_t k = 0; k < 3; ++k) {
        const Phasor full = volts * line_direction(k);
        const double busway = drop(full, lost[k]), all = drop(full, lost[k] + z_whip * currents[i][k]);
        if (k == 0 || all > v.drop()) {
          v.busway_drop = busway;
          v.whip_drop = all - busway;
        }
      }
      break;
    }
  }
  return out;
}

PhaseProposal propose_phases(const BuswayRun& run, const std::vector<BuswayTap>& taps) {
  PhaseProposal out;
  out.before = phase_currents(run, taps);
  for (const BuswayTap& tap : taps)
    out.phases.push_back(tap.phases);
  if (two_conductors(run)) { // there is nothing to choose
    out.after = out.before;
    out.least_possible = out.before.line[0];
    out.best = true;
    return out;
  }

  // Currents of each tap in each of its places.
  const auto in_place = [&](std::size_t i, TapPhases p) { return currents_of(taps[i].load, p, run.voltage); };
  LineCurrents all{};
  std::vector<std::size_t> movable;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    if (!taps[i].kept && kind_of(taps[i].phases) != TapKind::three_phase && in_watts(taps[i].load.real) > 0.0)
      movable.push_back(i);
    else
      add(all, in_place(i, taps[i].phases));
  }
  const auto va = [&](std::size_t i) { return taps[i].load.apparent().volt_amperes(); };
  std::stable_sort(movable.begin(), movable.end(), [&](std::size_t a, std::size_t b) { return va(a) > va(b); });
  const LineCurrents fixed = all;

  std::vector<TapPhases> placed = out.phases;
  for (const std::size_t i : movable) {
    const TapPhases* choice = choices(kind_of(taps[i].phases));
    double least = std::numeric_limits<double>::infinity(), least_squares = least;
    for (std::size_t k = 0; k < 3; ++k) {
      LineCurrents with = all;
      add(with, in_place(i, choice[k]));
      const double top = largest(with), sq = squares(with);
      if (top < least * (1.0 - 1e-12) || (top <= least * (1.0 + 1e-12) && sq < least_squares * (1.0 - 1e-12))) {
        least = top;
        least_squares = sq;
        placed[i] = choice[k];
      }
    }
    add(all, in_place(i, placed[i]));
  }
  // Moves and swaps; each must lighten the fullest line, so this ends. Few passes do.
  const auto better = [](const LineCurrents& a, const LineCurrents& b) {
    return largest(a) < largest(b) * (1.0 - 1e-9);
  };
  constexpr std::size_t most_swapped = 200;
  for (int pass = 0; pass < 50; ++pass) {
    bool moved = false;
    for (const std::size_t i : movable) {
      const TapPhases* choice = choices(kind_of(taps[i].phases));
      for (std::size_t k = 0; k < 3; ++k) {
        if (choice[k] == placed[i]) continue;
        LineCurrents with = all;
        add(with, in_place(i, placed[i]), -1.0);
        add(with, in_place(i, choice[k]));
        if (!better(with, all)) continue;
        all = with;
        placed[i] = choice[k];
        moved = true;
      }
    }
    for (std::size_t x = 0; x < movable.size() && movable.size() <= most_swapped; ++x)
      for (std::size_t y = x + 1; y < movable.size(); ++y) {
        const std::size_t i = movable[x], j = movable[y];
        if (placed[i] == placed[j] || kind_of(placed[i]) != kind_of(placed[j])) continue;
        LineCurrents with = all;
        add(with, in_place(i, placed[i]), -1.0);
        add(with, in_place(j, placed[j]), -1.0);
        add(with, in_place(i, placed[j]));
        add(with, in_place(j, placed[i]));
        if (!better(with, all)) continue;
        all = with;
        std::swap(placed[i], placed[j]);
        moved = true;
      }
    if (!moved) break;
  }
  // What is there already is kept when nothing is gained.
  LineCurrents now{};
  for (std::size_t i = 0; i < taps.size(); ++i)
    add(now, in_place(i, taps[i].phases));
  if (better(all, now)) {
    out.phases = placed;
    for (std::size_t i = 0; i < taps.size(); ++i)
      if (placed[i] != taps[i].phases) out.changed.push_back(i);
  }
  std::vector<BuswayTap> after = taps;
  for (std::size_t i = 0; i < taps.size(); ++i)
    after[i].phases = out.phases[i];
  out.after = phase_currents(run, after);

  // The least that the fullest line carries in any assignment.
  const double volts = run.voltage.to_neutral().volts();
  ComplexPower total;
  for (const BuswayTap& tap : taps)
    total += tap.load;
  double bound = volts > 0.0 ? total.apparent().volt_amperes() / (3.0 * volts) : 0.0;
  bool one_factor = true; // of all that draws something
  double tangent = std::numeric_limits<double>::quiet_NaN();
  const auto all_are = [&](TapKind kind) {
    return std::all_of(taps.begin(), taps.end(), [&](const BuswayTap& t) {
      return kind_of(t.phases) == kind || t.load.apparent().volt_amperes() == 0.0;
    });
  };
  for (const BuswayTap& tap : taps) {
    if (in_watts(tap.load.real) <= 0.0) continue;
    const double own = tap.load.reactive.vars() / in_watts(tap.load.real);
    if (std::isnan(tangent)) tangent = own;
    one_factor = one_factor && std::abs(own - tangent) < 1e-9;
  }
  if (one_factor && volts > 0.0 && all_are(TapKind::line_to_neutral)) {
    std::vector<double> loads;
    for (std::size_t i = 0; i < taps.size(); ++i)
      loads.push_back(va(i) / volts);
    std::sort(loads.rbegin(), loads.rend());
    for (std::size_t k = 0; 3 * k < loads.size(); ++k) { // of the largest 3k + 1 some line has k + 1
      double smallest = 0.0;
      for (std::size_t m = 2 * k; m <= 3 * k; ++m)
        smallest += loads[m];
      bound = std::max(bound, smallest);
    }
    // What is kept on a line stays there.
    bound = std::max(bound, largest(fixed));
  } else if (one_factor && volts > 0.0 && !movable.empty() && all_are(TapKind::line_to_line)) {
    bound = std::max(bound, va(movable.front()) / run.voltage.volts());
  }
  out.least_possible = amperes(std::min(bound, in_amperes(out.after.line[out.after.fullest])));
  const double top = in_amperes(out.after.line[out.after.fullest]);
  out.gap = bound > 0.0 ? std::max(0.0, top / bound - 1.0) : 0.0;
  out.best = out.gap <= 1e-9;
  return out;
}

std::vector<PhaseProblem> phase_problems(const BuswayRun& run, const std::vector<BuswayTap>& taps,
                                         double unbalance_limit, double drop_limit) {
  std::vector<PhaseProblem> out;
  if (!(run.voltage.volts() > 0.0)) {
    out.push_back({PhaseProblemKind::wrong_input,
                   {},
                   fmt::format("The voltage of {} between lines is {:.6g} V; it must be above 0", run.name,
                               run.voltage.volts())});
    return out;
  }
  if (run.rating && !(in_amperes(*run.rating) > 0.0))
    out.push_back({PhaseProblemKind::wrong_input,
                   {},
                   fmt::format("The rating of {} is {:.6g} A; it must be above 0", run.name, in_amperes(*run.rating))});
  for (const BuswayTap& tap : taps) {
    if (tap.position < Length{} || tap.whip_length < Length{})
      out.push_back(
          {PhaseProblemKind::wrong_input,
           {tap.id},
           fmt::format("{} on {}: positions and whip lengths must be 0 m or more; they are {:.6g} m and {:.6g} m",
                       tap.name, run.name, in_meters(tap.position), in_meters(tap.whip_length))});
  }
  const PhaseCurrents c = phase_currents(run, taps);
  if (run.rating && in_amperes(*run.rating) > 0.0) {
    const Current usable = run.continuous_load_factor * *run.rating;
    double mean = 0.0;
    for (const Current& line : c.line)
      mean += in_amperes(line) / 3.0;
    if (two_conductors(run) && c.line[0] > usable * (1.0 + 1e-9)) {
      std::vector<std::int64_t> on;
      for (const BuswayTap& tap : taps)
        on.push_back(tap.id);
      out.push_back({PhaseProblemKind::line_overload, std::move(on),
                     over_words(fmt::format("The conductors of {} carry", run.name), c.line[0], usable)});
    }
    for (std::size_t k = 0; k < 3 && !two_conductors(run); ++k) {
      if (!(c.line[k] > usable * (1.0 + 1e-9))) continue;
      std::vector<std::int64_t> on;
      for (const BuswayTap& tap : taps)
        if (std::abs(currents_of(tap.load, tap.phases, run.voltage)[k]) > 0.0) on.push_back(tap.id);
      out.push_back(
          {PhaseProblemKind::line_overload, std::move(on),
           fmt::format("{}{}", over_words(fmt::format("Line {} of {} carries", k + 1, run.name), c.line[k], usable),
                       mean <= in_amperes(usable) ? fmt::format(". Spread evenly, each line would carry {:.1f} A", mean)
                                                  : std::string())});
    }
    const Current neutral = run.neutral_share * usable;
    if (c.neutral > neutral * (1.0 + 1e-9))
      out.push_back({PhaseProblemKind::neutral_overload,
                     {},
                     over_words(fmt::format("The neutral of {} carries", run.name), c.neutral, neutral)});
  }
  if (c.unbalance > unbalance_limit * (1.0 + 1e-9)) {
    const NumberPair percent = told_apart(c.unbalance * 100.0, unbalance_limit * 100.0, 0);
    out.push_back({PhaseProblemKind::unbalance,
                   {},
                   fmt::format("The lines of {} carry {}, {} and {}: {} % from their mean; {} % is allowed", run.name,
                               amperes_text(c.line[0]), amperes_text(c.line[1]), amperes_text(c.line[2]), percent.value,
                               percent.limit)});
  }
  const auto voltages = tap_voltages(run, taps);
  for (std::size_t i = 0; i < taps.size(); ++i)
    if (voltages[i].drop() > drop_limit * (1.0 + 1e-9)) {
      const NumberPair percent = told_apart(voltages[i].drop() * 100.0, drop_limit * 100.0, 2);
      out.push_back(
          {PhaseProblemKind::voltage_drop,
           {taps[i].id},
           fmt::format("{} loses {} % of its voltage on {} ({:.2f} % on the busway, {:.2f} % on its whip of "
                       "{:.1f} m); {} % is allowed",
                       taps[i].name, percent.value, run.name, voltages[i].busway_drop * 100.0,
                       voltages[i].whip_drop * 100.0, in_meters(taps[i].whip_length), percent.limit)});
    }
  return out;
}

double ambient_derating(Temperature ambient, Temperature conductor, Temperature rated_ambient) {
  const double room = in_kelvins(conductor - ambient), rated = in_kelvins(conductor - rated_ambient);
  return room > 0.0 && rated > 0.0 ? std::sqrt(room / rated) : 0.0;
}

double grouping_derating(Count circuits) {
  constexpr std::pair<Count, double> rows[] = {{1, 1.00}, {2, 0.80}, {3, 0.70}, {4, 0.65},  {5, 0.60},  {6, 0.57},
                                               {7, 0.54}, {8, 0.52}, {9, 0.50}, {12, 0.45}, {16, 0.41}, {20, 0.38}};
  for (const auto& [most, share] : rows)
    if (circuits <= most) return share;
  return 0.38;
}

} // namespace hallwright
