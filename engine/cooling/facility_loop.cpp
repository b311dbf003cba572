// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/facility_loop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cooling/heat_without_way.h"
#include "cooling/loop_failure_cases.h"

namespace hallwright {
namespace {

constexpr double control_margin = 1.05;     ///< of a unit's facility flow; project choice
constexpr double least_share_of_flow = 0.05; ///< of its rated flow: what a control valve still holds; project choice
constexpr int most_passes = 200;
/// A supply that is warmer by no more than this is none that is felt; project choice.
constexpr double felt_k = 0.05;

/// Where what hangs on it has no steady state, the water has none.
void forget_temperatures(LoopSolution& s) {
  s.temperatures_known = false;
  std::fill(s.node_c.begin(), s.node_c.end(), 0.0);
  std::fill(s.node_flows.begin(), s.node_flows.end(), 0);
  for (RackFlow& r : s.racks)
    r.supply_c = r.return_c = 0.0;
  for (UnitWork& u : s.units)
    u.return_c = u.supply_c = u.duty_w = u.duty_share = u.capacity_w = 0.0;
  for (SectionFlow& f : s.sections)
    f.temperature_c = 0.0;
  s.duty_w = s.energy_error = 0.0;
}

double heat_capacity_of(const DrawnLoop& loop) { return loop.density_kg_per_m3 * loop.specific_heat_j_per_kg_k; }

} // namespace

double facility_need_m3_per_s(const LoopUnit& unit, double flow, double return_c, double duty, double entering_c,
                              double heat_capacity, double facility_heat_capacity) {
  const double rated = unit.facility_flow_m3_per_s;
  if (!(duty > 0.0) || !(flow > 0.0)) return least_share_of_flow * rated;
  if (!(unit.capacity_w > 0.0)) return rated; // what it takes is not known
  const auto passes = [&](double facility_flow) {
    return exchanger_heat_w(unit, flow, return_c, entering_c, heat_capacity, facility_flow * facility_heat_capacity);
  };
  if (passes(rated) < duty) return rated;
  double low = 0.0, high = rated;
  for (int i = 0; i < 60 && high - low > 1e-9 * rated; ++i) {
    const double middle = 0.5 * (low + high);
    (passes(middle) < duty ? low : high) = middle;
  }
  return std::clamp(control_margin * high, least_share_of_flow * rated, rated);
}

RacksBehind racks_behind(const FacilityState& state, const std::vector<Shared<DrawnLoop>>& served) {
  RacksBehind out;
  for (std::size_t i = 0; i < served.size() && i < state.served.size(); ++i) {
    const LoopSolution& s = state.served[i];
    if (!s.temperatures_known) {
      if (out.temperatures_known) out.warm_racks = 0;
      out.temperatures_known = false;
      out.uncooled_loops.push_back(served[i]->loop);
      for (const LoopRack& r : served[i]->racks)
        out.warm_racks += r.heat_w > 0.0;
      continue;
    }
    const DrawnLoop& loop = *served[i];
    for (std::size_t r = 0; r < s.racks.size(); ++r) {
      const RackFlow& f = s.racks[r];
      if (!f.flowing) continue;
      if (f.supply_c > loop.racks[r].warmest_supply_c.value_or(loop.supply_c + supply_tolerance_k) + 1e-6)
        out.warm_racks += out.temperatures_known;
      if (out.hottest_rack == 0 || f.supply_c > out.hottest_supply_c + 1e-9) {
        out.hottest_supply_c = f.supply_c;
        out.hottest_rack = f.rack;
      }
    }
    for (const UnitWork& u : s.units)
      if (u.running && u.duty_share > out.largest_duty_share) {
        out.largest_duty_share = u.duty_share;
        out.busiest_unit = u.unit;
      }
  }
  out.temperatures_known = out.temperatures_known && state.temperatures_known;
  return out;
}

class FacilityCoupling::Work {
public:
  Work(Shared<DrawnLoop> facility, std::vector<Shared<DrawnLoop>> served)
      : facility_(std::move(facility)), served_(std::move(served)), served_solvers_(served_.size()) {}

  /// Needs and first heats, from the loops at work with as much water as they are rated for.
  tl::expected<void, std::string> find_needs() {
    if (found_) return {};
    DrawnLoop with = *facility_;
    for (std::size_t i = 0; i < served_.size(); ++i) {
      const DrawnLoop& loop = *served_[i];
      auto s = served_solvers_[i].solve(served_[i]);
      if (!s) return tl::unexpected(s.error());
      for (LoopRack& side : with.racks) {
        if (side.of_loop != loop.loop) continue;
        side.heat_w = 0.0;
        side.need_m3_per_s = least_share_of_flow * side.rated_flow_m3_per_s;
        for (std::size_t u = 0; u < loop.units.size(); ++u) {
          if (loop.units[u].unit != side.rack) continue;
          const UnitWork& w = s->units[u];
          if (!w.running || !s->temperatures_known) continue;
          side.heat_w = std::max(w.duty_w, 0.0);
          const double wanted = heat_capacity_of(loop) * w.flow_m3_per_s * std::max(0.0, w.return_c - loop.supply_c);
          side.need_m3_per_s = facility_need_m3_per_s(loop.units[u], w.flow_m3_per_s, w.return_c, wanted,
                                                      facility_->supply_c, heat_capacity_of(loop),
                                                      heat_capacity_of(*facility_));
        }
      }
    }
    // Sides of units that move nothing in their own loops, or whose loops cannot be solved.
    for (LoopRack& side : with.racks)
      if (!(side.need_m3_per_s > 0.0)) side.need_m3_per_s = least_share_of_flow * side.rated_flow_m3_per_s;
    for (LoopRack& side : with.racks)
      if (std::none_of(served_.begin(), served_.end(), [&](const auto& l) { return l->loop == side.of_loop; })) {
        side.heat_w = 0.0;
        side.need_m3_per_s = least_share_of_flow * side.rated_flow_m3_per_s;
      }
    needed_ = share(std::move(with));
    found_ = true;
    return {};
  }

  tl::expected<FacilityState, std::string> solve(const LoopOperation& operation) {
    if (auto fine = find_needs(); !fine) return tl::unexpected(fine.error());
    FacilityState out;
    out.facility = needed_;
    out.served.resize(served_.size());
    double total = 0.0;
    for (const LoopRack& side : needed_->racks)
      total += side.heat_w;
    for (out.passes = 1; out.passes <= most_passes; ++out.passes) {
      auto water = solver_.solve(out.facility, operation);
      if (!water) return tl::unexpected(water.error());
      out.water = *std::move(water);
      out.temperatures_known = out.water.temperatures_known;
      if (!out.temperatures_known) {
        double heat = 0.0;
        for (const LoopRack& side : out.facility->racks)
          heat += side.heat_w;
        out.trouble = why_coolant_boils(*out.facility, operation, out.water.flow_m3_per_s, heat);
        break;
      }
      bool boils = false;
      out.trouble.clear();
      out.facility_water.assign(served_.size(), {});
      DrawnLoop next = *out.facility;
      double moved = 0.0;
      for (std::size_t i = 0; i < served_.size(); ++i) {
        LoopOperation o;
        // A unit that no facility water reaches has none.
        for (const LoopUnit& u : served_[i]->units)
          o.facility_water[u.unit] = {0.0, facility_->supply_c, heat_capacity_of(*facility_)};
        for (std::size_t r = 0; r < next.racks.size(); ++r)
          if (next.racks[r].of_loop == served_[i]->loop) {
            const RackFlow& f = out.water.racks[r];
            o.facility_water[f.rack] = {f.flowing ? f.flow_m3_per_s : 0.0,
                                        f.flowing ? f.supply_c : facility_->supply_c, heat_capacity_of(*facility_)};
          }
        auto s = served_solvers_[i].solve(served_[i], o);
        if (!s) return tl::unexpected(s.error());
        out.served[i] = *std::move(s);
        out.facility_water[i] = std::move(o.facility_water);
        if (!out.served[i].temperatures_known) {
          out.temperatures_known = false;
          if (out.trouble.empty()) {
            LoopOperation brought;
            brought.facility_water = out.facility_water[i];
            out.trouble = why_coolant_boils(*served_[i], brought, out.served[i].flow_m3_per_s, out.served[i].heat_w);
          }
          // Without any facility water its heat is no matter of the others; with some it is, and none of them has a state.
          boils = boils || std::any_of(out.facility_water[i].begin(), out.facility_water[i].end(),
                                       [](const auto& w) { return w.second.flow_m3_per_s > 0.0; });
        }
        for (LoopRack& side : next.racks) {
          if (side.of_loop != served_[i]->loop) continue;
          double duty = 0.0;
          if (out.served[i].temperatures_known)
            for (const UnitWork& w : out.served[i].units)
              if (w.unit == side.rack && w.running) duty = std::max(w.duty_w, 0.0);
          moved = std::max(moved, std::abs(duty - side.heat_w));
          side.heat_w = duty;
        }
      }
      if (boils) {
        out.water.temperatures_known = false;
        break;
      }
      if (moved <= 1e-9 * total) return out;
      out.facility = share(std::move(next));
    }
    if (!out.water.temperatures_known) { // no facility water takes the heat: nothing of temperatures is known behind it
      out.temperatures_known = false;
      forget_temperatures(out.water);
      out.facility_water.clear();
      for (std::size_t i = 0; i < served_.size(); ++i) {
        LoopOperation o;
        for (const LoopUnit& u : served_[i]->units)
          o.facility_water[u.unit] = {0.0, facility_->supply_c, heat_capacity_of(*facility_)};
        auto s = served_solvers_[i].solve(served_[i], o);
        if (!s) return tl::unexpected(s.error());
        out.served[i] = *std::move(s);
        out.facility_water.push_back(std::move(o.facility_water));
      }
      return out;
    }
    return tl::unexpected(fmt::format("loop '{}': heat and temperatures of the loops that hang on it do not settle",
                                      facility_->name));
  }

  tl::expected<LoopFailures, std::string> failures(const FailureSweep& sweep, const std::stop_token& stop) {
    if (auto fine = find_needs(); !fine) return tl::unexpected(fine.error());
    auto healthy_state = solve({});
    if (!healthy_state) return tl::unexpected(healthy_state.error());
    const Shared<DrawnLoop> loop = healthy_state->facility;
    LoopSolver sweeper;
    const SolveFailure solve_failure = [&](const LoopOperation& at_full,
                                           LoopFailure& f) -> tl::expected<void, std::string> {
      LoopOperation operation = at_full;
      operation.duty_as_controlled = false;
      auto flows = sweeper.summary(loop, operation, false);
      if (!flows) return tl::unexpected(flows.error());
      f.summary = *std::move(flows);
      operation.speed.reset();
      auto state = solve(operation);
      if (!state) return tl::unexpected(state.error());
      f.behind = racks_behind(*state, served_);
      f.summary.temperatures_known = state->temperatures_known;
      f.trouble = state->trouble;
      if (!state->temperatures_known) return {};
      for (std::size_t i = 0; i < state->water.units.size(); ++i)
        if (const UnitWork& u = state->water.units[i]; u.running && u.duty_share > f.summary.largest_duty_share) {
          f.summary.largest_duty_share = u.duty_share;
          f.summary.busiest_unit = u.unit;
        }
      return {};
    };
    LoopOperation healthy;
    healthy.speed = 1.0;
    FailureSweep of_water = sweep;
    of_water.facility = false; // its units reject to the air
    return loop_failure_cases(sweeper, loop, of_water, stop, healthy, solve_failure);
  }

  tl::expected<std::vector<LoopFailure>, std::string> failures_felt(std::size_t at, const std::stop_token& stop) {
    if (at >= served_.size())
      return tl::unexpected(fmt::format("Loop {} of {} that hang on loop '{}' is asked for", at, served_.size(), facility_->name));
    if (auto fine = find_needs(); !fine) return tl::unexpected(fine.error());
    const DrawnLoop& loop = *served_[at];
    LoopSolver sweeper, felt_solver;
    const SolveFailure solve_failure = [&](const LoopOperation& at_full,
                                           LoopFailure& f) -> tl::expected<void, std::string> {
      LoopOperation operation = at_full;
      operation.speed.reset();
      auto known = std::find_if(water_left_.begin(), water_left_.end(), [&](const WaterLeft& w) { return w.operation == operation; });
      if (known == water_left_.end()) {
        auto state = solve(operation);
        known = water_left_.insert(known, state ? WaterLeft{operation, std::move(state->facility_water), {},
                                                            state->water.temperatures_known ? std::string() : state->trouble}
                                                : WaterLeft{operation, {}, state.error(), {}});
      }
      const WaterLeft& left = *known;
      if (!left.trouble.empty()) return tl::unexpected(left.trouble);
      LoopOperation felt;
      felt.speed = 1.0;
      felt.duty_as_controlled = true;
      felt.facility_water = left.of_served[at];
      auto s = felt_solver.summary(served_[at], felt, true);
      if (!s) return tl::unexpected(s.error());
      f.summary = *std::move(s);
      // Judged as failures of facility water are: by what racks of this loop feel.
      f.behind = RacksBehind{f.summary.warm_racks,         f.summary.hottest_supply_c, f.summary.hottest_rack,
                             f.summary.largest_duty_share, f.summary.busiest_unit,     f.summary.temperatures_known, {}};
      if (f.summary.temperatures_known) return {};
      double heat = 0.0;
      for (const LoopRack& r : loop.racks)
        heat += r.heat_w;
      f.trouble = left.cause.empty() ? why_coolant_boils(loop, felt, f.summary.flow_m3_per_s, heat)
                                     : boils_with_facility_water(loop, left.cause);
      return {};
    };
    FailureSweep of_water;
    of_water.facility = of_water.halves = false;
    LoopOperation healthy;
    healthy.speed = 1.0;
    auto all = loop_failure_cases(sweeper, needed_, of_water, stop, healthy, solve_failure);
    if (!all) return tl::unexpected(all.error());
    std::vector<LoopFailure> out;
    for (LoopFailure& f : all->cases) {
      const bool felt = !f.solved || !f.holds || f.summary.hottest_supply_c > all->healthy.hottest_supply_c + felt_k;
      if (!felt) continue;
      f.behind.reset(); // the summary is that of the racks themselves
      f.of_loop = facility_->loop;
      f.name += fmt::format(" ({})", facility_->name);
      out.push_back(std::move(f));
    }
    return out;
  }

  /// What facility water is left with a failure, for each loop that hangs on it; or why there is no answer.
  struct WaterLeft {
    LoopOperation operation;
    std::vector<std::map<Id, FacilityWater>> of_served;
    std::string trouble;
    std::string cause; ///< why the water has no steady state; empty: it has one
  };
  std::vector<WaterLeft> water_left_; ///< of the failures that were asked for
  Shared<DrawnLoop> facility_, needed_;
  std::vector<Shared<DrawnLoop>> served_;
  LoopSolver solver_;
  std::vector<LoopSolver> served_solvers_;
  bool found_ = false;
};

FacilityCoupling::FacilityCoupling(Shared<DrawnLoop> facility, std::vector<Shared<DrawnLoop>> served)
    : work_(std::make_unique<Work>(std::move(facility), std::move(served))) {}
FacilityCoupling::FacilityCoupling(FacilityCoupling&&) noexcept = default;
FacilityCoupling& FacilityCoupling::operator=(FacilityCoupling&&) noexcept = default;
FacilityCoupling::~FacilityCoupling() = default;

tl::expected<FacilityState, std::string> FacilityCoupling::settle() { return work_->solve({}); }
tl::expected<FacilityState, std::string> FacilityCoupling::solve(const LoopOperation& facility) {
  return work_->solve(facility);
}
tl::expected<LoopSolution, std::string> FacilityCoupling::at_full_speed() {
  auto healthy = work_->solve({});
  if (!healthy) return tl::unexpected(healthy.error());
  LoopSolver solver;
  LoopOperation full;
  full.speed = 1.0;
  return solver.solve(healthy->facility, full);
}
tl::expected<LoopFailures, std::string> FacilityCoupling::failures(const FailureSweep& sweep,
                                                                   const std::stop_token& stop) {
  return work_->failures(sweep, stop);
}

tl::expected<std::vector<LoopFailure>, std::string> FacilityCoupling::failures_felt(std::size_t served,
                                                                                   const std::stop_token& stop) {
  return work_->failures_felt(served, stop);
}

} // namespace hallwright
