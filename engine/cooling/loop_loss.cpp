// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_loss.h"

#include <algorithm>

#include <fmt/format.h>

namespace hallwright {
namespace {

double facility_w_per_k(const FacilityWater& water) {
  constexpr double of_water_at_40_c = 992.5 * 4178.0; // J/(m3 K)
  return water.flow_m3_per_s * (water.heat_capacity_j_per_m3_k > 0.0 ? water.heat_capacity_j_per_m3_k : of_water_at_40_c);
}

} // namespace

bool is_healthy(const LoopOperation& o) {
  return o.units_out.empty() && o.racks_shut.empty() && o.sections_shut.empty() && o.facility_out.empty() &&
         std::all_of(o.pumps_out.begin(), o.pumps_out.end(), [](const auto& p) { return p.second <= 0; });
}

tl::expected<OperationLoss, std::string> loss_of_operation(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                           const LoopSolution& steady, LoopOperation operation) {
  if (!loop || steady.racks.size() != loop->racks.size())
    return tl::unexpected(std::string("The steady state is of another loop"));
  OperationLoss out;
  out.name = "what is out";
  std::size_t with_water = 0, pumping = 0;
  const auto waterless = [&](Id unit) {
    const auto water = operation.facility_water.find(unit);
    return operation.facility_out.count(unit) > 0 ||
           (water != operation.facility_water.end() && !(water->second.flow_m3_per_s > 0.0));
  };
  for (const LoopUnit& u : loop->units) {
    const auto stopped = operation.pumps_out.find(u.unit);
    const bool runs = operation.units_out.count(u.unit) == 0 &&
                      (stopped == operation.pumps_out.end() || stopped->second < static_cast<int>(u.pumps.size()));
    pumping += runs;
    with_water += runs && !waterless(u.unit);
  }
  if (pumping == 0) {
    out.pumps_stop = true;
    return out;
  }
  if (with_water == 0) out.facility_lost = true;
  const bool mixes = with_water > 0 && with_water < pumping;
  operation.speed = mixes || !operation.facility_water.empty() ? std::nullopt : std::optional(1.0);
  const auto after = solver.solve(loop, operation);
  if (!after) return tl::unexpected(after.error());
  if (!(after->flow_m3_per_s > 0.0)) {
    out.pumps_stop = true;
    return out;
  }
  double exchange = 0.0, times_water_c = 0.0, cooled = 0.0, pumped = 0.0;
  bool capacities_known = true;
  const double c = loop->density_kg_per_m3 * loop->specific_heat_j_per_kg_k;
  for (std::size_t i = 0; i < after->units.size(); ++i) {
    const UnitWork& w = after->units[i];
    const LoopUnit& u = loop->units[i];
    if (!w.running) continue;
    pumped += w.flow_m3_per_s;
    if (waterless(u.unit)) continue;
    cooled += w.flow_m3_per_s;
    capacities_known = capacities_known && u.capacity_w > 0.0; // not known: it holds its supply
    if (!capacities_known) continue;
    const auto water = operation.facility_water.find(u.unit);
    const bool stated = water != operation.facility_water.end();
    const double water_c = stated ? water->second.entering_c : loop->facility_supply_c;
    const double a_kelvin = exchanger_heat_w(u, w.flow_m3_per_s, water_c + 1.0, water_c, c,
                                             stated ? facility_w_per_k(water->second) : -1.0);
    exchange += a_kelvin;
    times_water_c += a_kelvin * water_c;
  }
  if (exchange > 0.0 && capacities_known && !out.facility_lost) out.exchange_w_per_k = exchange;
  if (out.exchange_w_per_k && !operation.facility_water.empty()) out.facility_c = times_water_c / exchange;
  if (mixes && pumped > 0.0) out.past_water_share = std::clamp(1.0 - cooled / pumped, 0.0, 1.0);
  out.flow_after.resize(loop->racks.size(), 0.0);
  for (std::size_t i = 0; i < loop->racks.size(); ++i) {
    const double before = steady.racks[i].flow_m3_per_s;
    // The control slows the pumps down again where more than the steady flow would run.
    out.flow_after[i] = before > 0.0 ? std::min(after->racks[i].flow_m3_per_s / before, 1.0) : 0.0;
  }
  return out;
}

tl::expected<OperationLoss, std::string> loss_of_power_as_fed(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                              const LoopSolution& steady,
                                                              const TransientParameters& parameters,
                                                              const std::set<Id>& without_ups, bool chillers) {
  LoopOperation operation;
  if (loop)
    for (const LoopUnit& u : loop->units)
      if (without_ups.count(u.unit)) operation.units_out.insert(u.unit);
  if (!loop || operation.units_out.empty()) return OperationLoss{loss_of_power(parameters, true, chillers)};
  if (operation.units_out.size() == loop->units.size())
    return OperationLoss{loss_of_power(parameters, false, chillers)};
  auto out = loss_of_operation(solver, loop, steady, operation);
  if (!out) return out;
  const CoolingLoss power = loss_of_power(parameters, true, chillers);
  out->name = "utility power is lost, some pumps on UPS";
  out->facility_lost = true;
  out->facility_back_s = power.facility_back_s;
  out->flow_back_s = parameters.generator_start_s; // the pumps that hang on no UPS run again with the generators
  out->exchange_w_per_k.reset();
  return out;
}

LoopHeat loop_heat(const DrawnLoop& loop, const LoopSolution& s) {
  LoopHeat out;
  for (const LoopRack& r : loop.racks)
    out.racks_w += r.heat_w;
  double carried = 0.0;
  for (const UnitWork& u : s.units) {
    const double duty = s.temperatures_known && u.running ? std::max(u.duty_w, 0.0) : 0.0;
    out.unit_w.push_back(u.capacity_w > 0.0 ? std::min(duty, u.capacity_w) : duty);
    carried += out.unit_w.back();
  }
  out.not_carried_w = std::max(0.0, out.racks_w - carried);
  if (out.not_carried_w < 1e-6 * out.racks_w) out.not_carried_w = 0.0;
  return out;
}

} // namespace hallwright
