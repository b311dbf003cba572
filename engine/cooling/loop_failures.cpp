// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_failures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cooling/heat_without_way.h"
#include "cooling/loop_failure_cases.h"

namespace hallwright {
namespace {

/// Most units of which every half is tried: 8 over 4 are 70.
constexpr std::size_t most_units_for_every_half = 8;
constexpr double full_duty = 1.0 + 1e-6;

/// @param lost  racks without flow that had some
/// @param own  racks that the failure itself shuts off
double headroom_of(const LoopSummary& s, std::size_t lost, std::size_t own, const std::optional<RacksBehind>& behind) {
  if (behind && !behind->temperatures_known) return -1.0;
  if (!s.temperatures_known || lost > own || s.worst_rack == 0) return -1.0;
  double out = s.least_share - 1.0;
  if (s.largest_duty_share > 0.0) out = std::min(out, 1.0 - s.largest_duty_share);
  return out;
}
/// At least -1, 0 or more where it holds and 0 or less where it does not: facility water that runs short or coolers that
/// miss their supply may still be enough for racks, and enough flow may be too warm.
double told_headroom(double headroom, bool holds) {
  const double h = std::max(headroom, -1.0);
  return holds == (h > 0.0) ? h : holds ? 0.0 : std::min(h, 0.0);
}
bool enough(const LoopSummary& s, std::size_t lost, std::size_t own, const std::optional<RacksBehind>& behind) {
  // Facility water is there for racks: what they feel decides.
  if (behind) return s.temperatures_known && behind->temperatures_known && behind->warm_racks == 0;
  return s.temperatures_known && lost <= own && s.worst_rack != 0 && s.short_racks == 0 && s.warm_racks == 0 &&
         s.largest_duty_share <= full_duty;
}

} // namespace

tl::expected<LoopFailures, std::string> loop_failures(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                      const FailureSweep& sweep, const std::stop_token& stop,
                                                      const std::map<Id, FacilityWater>& facility_water) {
  LoopOperation healthy;
  healthy.speed = 1.0;
  healthy.duty_as_controlled = true;
  healthy.facility_water = facility_water;
  return loop_failure_cases(solver, loop, sweep, stop, std::move(healthy), {});
}

tl::expected<LoopFailures, std::string> loop_failure_cases(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                           const FailureSweep& sweep, const std::stop_token& stop,
                                                           LoopOperation healthy, const SolveFailure& solve_failure) {
  LoopFailures out;
  LoopFailure nothing_out;
  auto base = solver.summary(loop, healthy, !solve_failure);
  if (!base) return tl::unexpected(base.error());
  const SolverState rest = solver.state();
  if (solve_failure) {
    if (auto fine = solve_failure(healthy, nothing_out); !fine) return tl::unexpected(fine.error());
    *base = nothing_out.summary;
    solver.start_from(rest);
  }
  out.healthy = *base;
  out.n = enough(*base, 0, 0, nothing_out.behind) && base->dry_racks == 0;
  out.healthy_headroom = told_headroom(headroom_of(*base, 0, 0, nothing_out.behind), out.n);

  double loop_heat_w = 0.0;
  for (const LoopRack& r : loop->racks)
    loop_heat_w += r.heat_w;
  const auto judge = [&](LoopFailure& f, const LoopOperation& operation, std::size_t own) {
    f.solved = true;
    f.lost_racks = f.summary.dry_racks - std::min(f.summary.dry_racks, base->dry_racks);
    f.holds = enough(f.summary, f.lost_racks, own, f.behind);
    f.headroom = told_headroom(headroom_of(f.summary, f.lost_racks, own, f.behind), f.holds);
    if (!f.summary.temperatures_known && f.trouble.empty())
      f.trouble = why_coolant_boils(*loop, operation, f.summary.flow_m3_per_s, loop_heat_w);
  };
  const auto solve = [&](LoopFailure& f, const LoopOperation& operation, std::size_t own, bool temperatures) {
    solver.start_from(rest);
    tl::expected<void, std::string> fine;
    if (solve_failure) {
      fine = solve_failure(operation, f);
    } else if (auto s = solver.summary(loop, operation, temperatures)) {
      f.summary = *std::move(s);
    } else {
      fine = tl::unexpected(s.error());
    }
    if (!fine) {
      f.trouble = fine.error();
      f.headroom = -1.0;
      return;
    }
    judge(f, operation, own);
  };
  const auto add = [&](LoopFailureKind kind, EntityRef thing, std::string name) -> LoopFailure& {
    LoopFailure f;
    f.kind = kind;
    f.thing = std::move(thing);
    f.name = std::move(name);
    out.cases.push_back(std::move(f));
    return out.cases.back();
  };

  // Small changes first: they rest on the slopes of the healthy state.
  std::vector<LoopFailure> valves;
  if (sweep.rack_valves)
    for (std::size_t r = 0; r < loop->racks.size() && !stop.stop_requested(); ++r) {
      LoopFailure f;
      f.kind = LoopFailureKind::rack_valve;
      f.thing = {loop->branch_table(), loop->racks[r].rack};
      f.name = (loop->facility ? "facility valve of " : "valve of ") + loop->racks[r].name;
      if (solve_failure) { // warms what hangs on it, so that flows alone do not do
      } else if (auto s = solver.summary_without_rack(r)) {
        f.summary = *s;
        f.first_order = true;
        judge(f, healthy, 1);
      }
      valves.push_back(std::move(f));
    }
  if (sweep.units)
    for (const LoopUnit& u : loop->units) {
      if (stop.stop_requested()) return out;
      LoopOperation o = healthy;
      o.units_out = {u.unit};
      solve(add(LoopFailureKind::unit, {"cooling_units", u.unit}, u.name), o, 0, true);
    }
  if (sweep.pumps)
    for (const LoopUnit& u : loop->units) {
      if (stop.stop_requested()) return out;
      if (u.pumps.size() < 2) continue; // the same as the unit
      LoopOperation o = healthy;
      o.pumps_out = {{u.unit, 1}};
      solve(add(LoopFailureKind::pump, {"cooling_units", u.unit}, "a pump of " + u.name), o, 0, true);
    }
  if (sweep.sections)
    for (std::size_t s = 0; s < loop->sections.size(); ++s) {
      if (stop.stop_requested()) return out;
      if (loop->sections[s].links.empty()) continue;
      // A blind end that passes nothing: shutting it changes nothing.
      const bool stands = std::all_of(loop->sections[s].links.begin(), loop->sections[s].links.end(), [&](int link) {
        return std::abs(rest.flow_m3_per_s[link]) < 1e-9 * base->flow_m3_per_s;
      });
      if (stands) {
        LoopFailure& f = add(LoopFailureKind::section, {"pipes", loop->sections[s].pipe}, loop->sections[s].name);
        f.summary = *base;
        f.behind = nothing_out.behind;
        judge(f, healthy, 0);
        continue;
      }
      LoopOperation o = healthy;
      o.sections_shut = {s};
      solve(add(LoopFailureKind::section, {"pipes", loop->sections[s].pipe}, loop->sections[s].name), o, 0, true);
    }
  for (std::size_t r = 0; r < valves.size(); ++r) {
    if (stop.stop_requested()) return out;
    if (!valves[r].solved) {
      LoopOperation o = healthy;
      o.racks_shut = {loop->racks[r].rack};
      solve(valves[r], o, 1, false);
      // A loop of this rack alone has nothing left to be short.
      if (!solve_failure && valves[r].solved && valves[r].summary.worst_rack == 0 && valves[r].lost_racks <= 1) {
        valves[r].headroom = 0.0;
        valves[r].holds = true;
      }
    }
    out.cases.push_back(std::move(valves[r]));
  }
  // Where facility water is a solved loop, its own failures say what a unit without it does to the others.
  if (sweep.facility && healthy.facility_water.empty())
    for (const LoopUnit& u : loop->units) {
      if (stop.stop_requested()) return out;
      LoopOperation o = healthy;
      o.facility_out = {u.unit};
      solve(add(LoopFailureKind::facility, {"cooling_units", u.unit}, "facility water of " + u.name), o, 0, true);
    }

  out.n_plus_1 = out.n;
  for (const LoopFailure& f : out.cases)
    if ((f.kind == LoopFailureKind::unit || f.kind == LoopFailureKind::pump) && !f.holds) {
      if (out.n_plus_1 || out.n_plus_1_breaks.empty()) out.n_plus_1_breaks = f.name;
      out.n_plus_1 = false;
    }
  if (!sweep.units) out.n_plus_1 = false;

  if (sweep.halves && !loop->units.empty()) {
    const std::size_t units = loop->units.size(), half = (units + 1) / 2;
    out.every_half = units <= most_units_for_every_half;
    std::vector<std::vector<std::size_t>> tried;
    if (out.every_half) {
      for (std::uint32_t mask = 0; mask < (1U << units); ++mask) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < units; ++i)
          if (mask >> i & 1U) members.push_back(i);
        if (members.size() == half) tried.push_back(std::move(members));
      }
    } else
      for (std::size_t first = 0; first < units; ++first) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < half; ++i)
          members.push_back((first + i) % units);
        tried.push_back(std::move(members));
      }
    out.two_n = out.n && half < units;
    if (half == units) out.two_n_breaks = loop->units.front().name;
    // What does not bear the loss of one does not bear that of a half.
    if (sweep.units && !out.n_plus_1) {
      out.two_n = false;
      if (out.two_n_breaks.empty()) out.two_n_breaks = out.n_plus_1_breaks;
    }
    for (const auto& members : tried) {
      if (!out.two_n || stop.stop_requested()) break;
      LoopOperation o = healthy;
      LoopFailure f;
      for (const std::size_t i : members) {
        o.units_out.insert(loop->units[i].unit);
        f.name += (f.name.empty() ? "" : ", ") + loop->units[i].name;
      }
      solve(f, o, 0, true);
      ++out.halves;
      if (f.holds) continue;
      out.two_n = false;
      out.two_n_breaks = f.name;
    }
  }
  solver.start_from(rest);
  (void)solver.summary(loop, healthy, false);
  return out;
}

} // namespace hallwright
