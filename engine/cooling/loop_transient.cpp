// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_transient.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "cooling/loop_loss.h"
#include "cooling/loop_return.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

/// Shortest time that the coolant takes through a side [s]: bounds the steps where hardly any pipe is drawn.
constexpr double shortest_side_s = 0.05;
constexpr double longest_horizon = 7200.0;

/// Racks that warm alike: the same rise of their coolant and the same flow after the loss. Everything else goes with
/// their heat, so that they are one.
struct Alike {
  double heat_w = 0.0; ///< of all of them
  double flow = 0.0;   ///< steady, of all of them [m3/s]
  double after = 1.0;  ///< share of it with the pumps that run on
  std::vector<std::size_t> racks;
  double solid_c = 0.0, coolant_c = 0.0, solid_before_c = 0.0;
  double power_share = 1.0;
  double warm_before_k = 0.0; ///< of the supply, above what parts take: so much of the rises is used up
  double share_of_flow = -1.0, conductance = 0.0; ///< UA at that flow, kept while it stays
  RackTimes times;
};

double at_crossing(double before, double after, double limit, double start, double step) {
  return start + step * std::clamp((limit - before) / std::max(after - before, 1e-12), 0.0, 1.0);
}

} // namespace

TransientParameters transient_parameters(const Catalog& c) {
  TransientParameters p;
  constexpr double heat = 121.5e3; // of the rack that the assumptions speak of
  // 23 kJ/K: heat capacity has no kind of its own.
  if (const Assumption* a = c.find<Assumption>("transient.solid_heat_capacity"); a && a->value && a->unit == "kJ/K")
    p.solid_heat_capacity_s_per_k = *a->value * 1e3 / heat;
  p.solid_over_coolant_k =
      stated_value(c, "transient.solid_over_coolant", kind::temperature_difference, p.solid_over_coolant_k);
  p.conduction_share = stated_value(c, "transient.conduction_share", kind::ratio, p.conduction_share);
  p.film_exponent = stated_value(c, "transient.film_exponent", kind::ratio, p.film_exponent);
  p.rack_volume_m3_per_w = stated_value(c, "transient.volume_rack", kind::volume, p.rack_volume_m3_per_w * heat) / heat;
  p.coast_down_s = stated_value(c, "transient.coast_down_time", kind::time, p.coast_down_s);
  p.flow_floor = stated_value(c, "transient.flow_floor", kind::ratio, p.flow_floor);
  p.throttle_rise_k = stated_value(c, "transient.throttle_rise", kind::temperature_difference, p.throttle_rise_k);
  p.warning_rise_k = 0.5 * p.throttle_rise_k;
  p.shutdown_rise_k = stated_value(c, "transient.shutdown_rise", kind::temperature_difference, p.shutdown_rise_k);
  p.generator_start_s = stated_value(c, "power.generator_start_time", kind::time, p.generator_start_s);
  p.chiller_restart_s = stated_value(c, "cooling.chiller_restart_time", kind::time, p.chiller_restart_s);
  return p;
}

std::vector<std::string> transient_problems(const TransientParameters& p) {
  std::vector<std::string> out;
  const auto need = [&](bool fine, const char* what, double value, const char* allowed) {
    if (!fine || !std::isfinite(value)) out.push_back(fmt::format("The {} is {}; it must be {}", what, value, allowed));
  };
  need(p.solid_heat_capacity_s_per_k >= 0.01, "heat capacity of the solids per watt", p.solid_heat_capacity_s_per_k,
       "0.01 J/K or more");
  need(p.solid_over_coolant_k >= 0.5, "temperature of the solids above the coolant", p.solid_over_coolant_k,
       "0.5 K or more");
  need(p.conduction_share >= 0 && p.conduction_share <= 1, "conduction share", p.conduction_share, "0 to 1");
  need(p.film_exponent >= 0 && p.film_exponent <= 1, "film exponent", p.film_exponent, "0 to 1");
  need(p.rack_volume_m3_per_w >= 1e-8, "coolant volume of a rack per watt", p.rack_volume_m3_per_w, "1e-8 m3 or more");
  need(p.coast_down_s >= 0.05, "coast-down time", p.coast_down_s, "0.05 s or more");
  need(p.flow_floor >= 0 && p.flow_floor < 1, "flow floor", p.flow_floor, "0 or more and below 1");
  need(p.warning_rise_k > 0, "rise of the warning", p.warning_rise_k, "above 0 K");
  need(p.throttle_rise_k >= p.warning_rise_k, "rise at which racks throttle", p.throttle_rise_k,
       "no smaller than that of the warning");
  need(p.shutdown_rise_k >= p.throttle_rise_k, "rise at which racks shut down", p.shutdown_rise_k,
       "no smaller than that of throttling");
  if (p.throttled_power_share)
    need(*p.throttled_power_share >= 0 && *p.throttled_power_share <= 1, "power share of throttled racks",
         *p.throttled_power_share, "0 to 1");
  need(p.generator_start_s >= 0, "start time of the generators", p.generator_start_s, "0 s or more");
  need(p.chiller_restart_s >= 0, "restart time of the chillers", p.chiller_restart_s, "0 s or more");
  return out;
}

tl::expected<LoopTransient, std::string> loop_transient(const DrawnLoop& loop, const LoopSolution& steady,
                                                        const CoolingLoss& loss, const TransientParameters& p,
                                                        double horizon) {
  return loop_transient(loop, steady, OperationLoss{loss}, p, horizon);
}

tl::expected<LoopTransient, std::string> loop_transient(const DrawnLoop& loop, const LoopSolution& steady,
                                                        const OperationLoss& loss, const TransientParameters& p,
                                                        double horizon) {
  if (auto problems = transient_problems(p); !problems.empty()) return tl::unexpected(problems.front());
  if (!(horizon > 0.0 && horizon <= longest_horizon))
    return tl::unexpected(
        fmt::format("The horizon is {} s; it must be above 0, at most {:.0f}", horizon, longest_horizon));
  if (steady.racks.size() != loop.racks.size() || !steady.temperatures_known || !(steady.flow_m3_per_s > 0.0))
    return tl::unexpected("loop '" + loop.name + "' has no steady state to start from");
  if (!(loss.past_water_share >= 0.0 && loss.past_water_share < 1.0))
    return tl::unexpected(fmt::format("The share of the flow that meets no facility water is {}; it must be 0 or more "
                                      "and below 1",
                                      loss.past_water_share));
  if (!loss.flow_after.empty() && loss.flow_after.size() != loop.racks.size())
    return tl::unexpected(fmt::format("{} flows after the loss for {} racks of loop '{}'", loss.flow_after.size(),
                                      loop.racks.size(), loop.name));

  const double c = loop.density_kg_per_m3 * loop.specific_heat_j_per_kg_k; // J/(m3 K)
  std::map<std::tuple<long, long, long, long>, Alike> groups;
  double rack_flow = 0.0, supply_c = 0.0, return_c = 0.0;
  for (std::size_t i = 0; i < loop.racks.size(); ++i) {
    const RackFlow& f = steady.racks[i];
    const LoopRack& r = loop.racks[i];
    if (!f.flowing || !(r.heat_w > 0.0)) {
      if (f.flowing) {
        rack_flow += f.flow_m3_per_s;
        supply_c += f.flow_m3_per_s * f.supply_c;
        return_c += f.flow_m3_per_s * f.supply_c;
      }
      continue;
    }
    const double after = loss.flow_after.empty() ? 1.0 : std::max(loss.flow_after[i], 0.0);
    const double rise = f.return_c - f.supply_c;
    const double warm_before = r.warmest_supply_c ? std::max(f.supply_c - *r.warmest_supply_c, 0.0) : 0.0;
    Alike& g = groups[{std::lround(rise * 50.0), std::lround(after * 500.0), std::lround(f.supply_c * 50.0),
                       std::lround(warm_before * 50.0)}];
    if (g.racks.empty()) {
      g.warm_before_k = warm_before;
      if (warm_before >= p.throttle_rise_k) g.times.throttle_s = 0.0;
      if (warm_before >= p.shutdown_rise_k) g.times.shutdown_s = 0.0;
      g.after = after;
      g.coolant_c = f.return_c;
      g.solid_c = f.return_c + p.solid_over_coolant_k;
      g.solid_before_c = g.solid_c;
    }
    g.heat_w += r.heat_w;
    g.flow += f.flow_m3_per_s;
    g.racks.push_back(i);
    rack_flow += f.flow_m3_per_s;
    supply_c += f.flow_m3_per_s * f.supply_c;
    return_c += f.flow_m3_per_s * f.return_c;
  }
  LoopTransient out;
  out.racks.resize(loop.racks.size());
  for (std::size_t i = 0; i < out.racks.size(); ++i)
    out.racks[i].rack = loop.racks[i].rack;
  const auto too_warm = [&](std::size_t i) {
    const auto& warmest = loop.racks[i].warmest_supply_c;
    return steady.racks[i].flowing && warmest && steady.racks[i].supply_c > *warmest + 1e-6;
  };
  for (std::size_t i = 0; i < out.racks.size(); ++i)
    if (too_warm(i)) {
      out.racks[i].too_warm_before = true;
      ++out.too_warm_before;
    }
  if (groups.empty()) return out; // nothing sheds heat
  std::vector<Alike> alike;
  for (auto& [key, g] : groups)
    alike.push_back(std::move(g));
  // The steady state of each group is that of its mean flow, so that nothing moves before the loss.
  supply_c /= rack_flow;
  for (Alike& g : alike) {
    g.coolant_c = supply_c + g.heat_w / (c * g.flow);
    g.solid_before_c = g.solid_c = g.coolant_c + p.solid_over_coolant_k;
  }
  return_c = 0.0;
  for (const Alike& g : alike)
    return_c += g.flow * g.coolant_c;
  double heated = 0.0;
  for (const Alike& g : alike)
    heated += g.flow;
  return_c = (return_c + (rack_flow - heated) * supply_c) / rack_flow;

  const double least_volume = rack_flow * shortest_side_s;
  const double supply_volume = std::max(loop.supply_volume_m3 + loop.supply_tank_m3, least_volume);
  const double return_volume = std::max(loop.return_volume_m3 + loop.return_tank_m3, least_volume);
  const double supply0 = supply_c, facility = loss.facility_c.value_or(loop.facility_supply_c);
  const auto pumps_at = [&](double t) {
    if (!loss.pumps_stop) return 1.0;
    const auto stopping = [&](double s) { return std::max(1.0 / (1.0 + s / p.coast_down_s), p.flow_floor); };
    if (!loss.pumps_back_s || t <= *loss.pumps_back_s) return stopping(t);
    const double from = stopping(*loss.pumps_back_s);
    return 1.0 - (1.0 - from) * std::exp(-(t - *loss.pumps_back_s) / p.coast_down_s);
  };
  const auto cooled_at = [&](double t) {
    return !loss.facility_lost || (loss.facility_back_s && t >= *loss.facility_back_s);
  };
  // Flow of a group that changes with the loss goes over with the coast-down of what stops.
  const auto group_flow = [&](const Alike& g, double pumps, double t) {
    const auto going = [&](double s) { return g.after + (1.0 - g.after) * std::max(1.0 / (1.0 + s / p.coast_down_s), 0.0); };
    double settled = going(t);
    if (loss.flow_back_s && t > *loss.flow_back_s)
      settled = 1.0 - (1.0 - going(*loss.flow_back_s)) * std::exp(-(t - *loss.flow_back_s) / p.coast_down_s);
    const double floor = std::min(p.flow_floor, 1.0);
    return std::max(pumps * settled, g.after > 0.0 ? floor * std::min(g.after, 1.0) : 0.0);
  };

  // Explicit midpoint steps, short against every lump.
  double quickest = std::min(p.solid_heat_capacity_s_per_k * p.solid_over_coolant_k, p.coast_down_s);
  for (const Alike& g : alike) {
    const double capacity = p.rack_volume_m3_per_w * g.heat_w * c;
    quickest = std::min(quickest, capacity / (g.heat_w / p.solid_over_coolant_k + c * g.flow * std::max(g.after, 1.0)));
  }
  quickest = std::min({quickest, supply_volume / rack_flow, return_volume / rack_flow});
  const double short_step = std::clamp(0.05 * quickest, 1e-4, 0.02), long_step = std::clamp(0.1 * quickest, 1e-4, 0.1);

  const std::size_t n = alike.size();
  std::vector<double> solid_rate(n), coolant_rate(n), solid(n), coolant(n), before(n);
  double supply = supply_c, returned = return_c;
  struct Rates {
    double supply = 0.0, returned = 0.0;
  };
  const auto rates = [&](double t, const std::vector<double>& s, const std::vector<double>& k, double from, double to) {
    const double pumps = pumps_at(t);
    double flow = (rack_flow - heated) * pumps, warm = (rack_flow - heated) * pumps * (from - to);
    for (std::size_t i = 0; i < n; ++i) {
      Alike& g = alike[i];
      const double w = group_flow(g, pumps, t);
      if (std::abs(w - g.share_of_flow) > 1e-7) {
        g.share_of_flow = w;
        const double film = w > 0.0 ? std::pow(w, -p.film_exponent) : 1e12;
        g.conductance = g.heat_w / p.solid_over_coolant_k / (p.conduction_share + (1.0 - p.conduction_share) * film);
      }
      const double through = g.conductance * (s[i] - k[i]);
      const double m = g.flow * w;
      solid_rate[i] = (g.heat_w * g.power_share - through) / (p.solid_heat_capacity_s_per_k * g.heat_w);
      coolant_rate[i] = (through - c * m * (k[i] - from)) / (p.rack_volume_m3_per_w * g.heat_w * c);
      flow += m;
      warm += m * (k[i] - to);
    }
    double leaves = to;
    if (flow > 0.0 && cooled_at(t)) {
      leaves = std::min(to, supply0);
      const double met = flow * (1.0 - loss.past_water_share); // facility water
      if (loss.exchange_w_per_k) leaves = std::max(leaves, to - *loss.exchange_w_per_k * (to - facility) / (c * met));
      leaves += loss.past_water_share * (to - leaves);
    }
    return Rates{flow * (leaves - from) / supply_volume, warm / return_volume};
  };
  const auto keep = [&](double t) {
    double hottest = 0.0;
    for (const Alike& g : alike)
      hottest = std::max(hottest, g.solid_c - g.solid_before_c);
    out.course.push_back({t, hottest, supply, returned, pumps_at(t)});
  };
  keep(0.0);
  double next_kept = 0.0, t = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    solid[i] = alike[i].solid_c, coolant[i] = alike[i].coolant_c;
  std::vector<double> half_solid(n), half_coolant(n);
  while (t < horizon) {
    const auto since = [&](const std::optional<double>& back) { return back && t >= *back - 0.1 ? t - *back : 1e9; };
    const double since_back = std::min({since(loss.pumps_back_s), since(loss.flow_back_s), t});
    const double step = std::min(since_back < 60.0 ? short_step : long_step, horizon - t);
    const Rates first = rates(t, solid, coolant, supply, returned);
    for (std::size_t i = 0; i < n; ++i) {
      half_solid[i] = solid[i] + 0.5 * step * solid_rate[i];
      half_coolant[i] = coolant[i] + 0.5 * step * coolant_rate[i];
    }
    const Rates middle = rates(t + 0.5 * step, half_solid, half_coolant, supply + 0.5 * step * first.supply,
                               returned + 0.5 * step * first.returned);
    bool open = false;
    for (std::size_t i = 0; i < n; ++i) {
      Alike& g = alike[i];
      const double was = solid[i] - g.solid_before_c;
      solid[i] += step * solid_rate[i];
      coolant[i] += step * coolant_rate[i];
      g.solid_c = solid[i];
      const double rise = solid[i] - g.solid_before_c;
      g.times.peak_rise_k = std::max(g.times.peak_rise_k, rise);
      const auto cross = [&](std::optional<double>& when, double limit) {
        if (!when && rise >= limit) when = at_crossing(was, rise, limit, t, step);
      };
      cross(g.times.warning_s, p.warning_rise_k);
      cross(g.times.throttle_s, p.throttle_rise_k - g.warm_before_k);
      cross(g.times.shutdown_s, p.shutdown_rise_k - g.warm_before_k);
      if (p.throttled_power_share) g.power_share = g.times.throttle_s ? *p.throttled_power_share : 1.0;
      if (!g.times.shutdown_s) open = true;
    }
    supply += step * middle.supply;
    returned += step * middle.returned;
    t += step;
    if (t >= next_kept) {
      keep(t);
      next_kept = std::max(t * 1.01, t + horizon / 1e4); // closer where it is quick
      if (t > 1.0) next_kept = std::max(next_kept, t + 0.02 * t);
    }
    if (!open) break;
  }
  keep(t);
  out.end_s = t;
  for (const Alike& g : alike) {
    for (const std::size_t i : g.racks) {
      const RackTimes blank = out.racks[i];
      out.racks[i] = g.times;
      out.racks[i].rack = blank.rack;
      out.racks[i].too_warm_before = blank.too_warm_before;
      if (blank.too_warm_before) out.racks[i].warning_s = 0.0;
    }
    const auto earlier = [](std::optional<double>& first, const std::optional<double>& other) {
      if (other && (!first || *other < *first)) {
        first = other;
        return true;
      }
      return false;
    };
    earlier(out.first_warning_s, out.too_warm_before > 0 ? std::optional(0.0) : g.times.warning_s);
    earlier(out.first_shutdown_s, g.times.shutdown_s);
    const bool throttles_first = earlier(out.first_throttle_s, g.times.throttle_s);
    const bool hottest = g.times.peak_rise_k > out.peak_rise_k;
    if (throttles_first || (!out.first_throttle_s && hottest) || out.first_rack == 0)
      out.first_rack = loop.racks[g.racks.front()].rack;
    out.peak_rise_k = std::max(out.peak_rise_k, g.times.peak_rise_k);
  }
  return out;
}

CoolingLoss loss_of_pumps(std::optional<double> back_s) {
  CoolingLoss out;
  out.name = "all pumps stop";
  out.pumps_stop = true;
  out.pumps_back_s = back_s;
  return out;
}
CoolingLoss loss_of_facility(std::optional<double> back_s) {
  CoolingLoss out;
  out.name = "facility water is lost";
  out.facility_lost = true;
  out.facility_back_s = back_s;
  return out;
}
CoolingLoss loss_of_power(const TransientParameters& p, bool pumps_on_ups, bool chillers) {
  CoolingLoss out;
  out.name = pumps_on_ups ? "utility power is lost, pumps on UPS" : "utility power is lost, pumps not on UPS";
  out.pumps_stop = !pumps_on_ups;
  if (!pumps_on_ups) out.pumps_back_s = p.generator_start_s;
  out.facility_lost = true;
  out.facility_back_s = p.generator_start_s + (chillers ? p.chiller_restart_s : 0.0);
  return out;
}
tl::expected<CoolingLoss, std::string> loss_of_unit(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                    const LoopSolution& steady, Id unit) {
  const auto it =
      std::find_if(loop->units.begin(), loop->units.end(), [&](const LoopUnit& u) { return u.unit == unit; });
  if (it == loop->units.end())
    return tl::unexpected(fmt::format("loop '{}' has no joined unit with id {}", loop->name, unit));
  CoolingLoss out;
  out.name = it->name + " is lost";
  LoopOperation operation;
  operation.units_out = {unit};
  operation.speed = 1.0;
  const auto after = solver.solve(loop, operation);
  if (!after) {
    if (loop->units.size() > 1) return tl::unexpected(after.error());
    out.pumps_stop = true;
    return out;
  }
  if (!(after->flow_m3_per_s > 0.0)) {
    out.pumps_stop = true;
    return out;
  }
  double exchange = 0.0;
  for (std::size_t i = 0; i < after->units.size(); ++i) {
    const UnitWork& w = after->units[i];
    const LoopUnit& u = loop->units[i];
    if (!w.running) continue;
    if (!(u.capacity_w > 0.0)) { // not known: it holds its supply
      exchange = 0.0;
      break;
    }
    const double c = loop->density_kg_per_m3 * loop->specific_heat_j_per_kg_k;
    exchange += exchanger_heat_w(u, w.flow_m3_per_s, loop->facility_supply_c + 1.0, loop->facility_supply_c, c);
  }
  if (exchange > 0.0) out.exchange_w_per_k = exchange;
  out.flow_after.resize(loop->racks.size(), 0.0);
  for (std::size_t i = 0; i < loop->racks.size(); ++i) {
    const double before = steady.racks[i].flow_m3_per_s;
    // The control slows the pumps down again where more than the steady flow would run.
    out.flow_after[i] = before > 0.0 ? std::min(after->racks[i].flow_m3_per_s / before, 1.0) : 0.0;
  }
  return out;
}

namespace {

/// Latest of the seconds within which something must be back; `loss_with` is given the second.
template <class LossWith>
tl::expected<LatestReturn, std::string> latest_return(const DrawnLoop& loop, const LoopSolution& steady,
                                                      const TransientParameters& parameters,
                                                      const std::stop_token& stop, LossWith loss_with) {
  constexpr double horizon = 1800.0;
  auto never = loop_transient(loop, steady, loss_with(std::nullopt), parameters, horizon);
  if (!never) return tl::unexpected(never.error());
  LatestReturn out;
  if (!never->first_throttle_s) return out;
  out.needed = true;
  double low = 0.0, high = *never->first_throttle_s;
  const double after = 60.0 + 2.0 * high; // what comes back late still passes its peak
  for (int i = 0; i < 16 && high - low > 1e-3 * high; ++i) {
    if (stop.stop_requested()) return tl::unexpected(std::string("stopped"));
    const double middle = 0.5 * (low + high);
    const auto run = loop_transient(loop, steady, loss_with(std::optional(middle)), parameters,
                                    std::min(middle + after, longest_horizon));
    if (!run) return tl::unexpected(run.error());
    (run->first_throttle_s ? high : low) = middle;
  }
  out.within_s = low;
  return out;
}

} // namespace

tl::expected<LatestReturn, std::string> latest_pumps_return(const DrawnLoop& loop, const LoopSolution& steady,
                                                            const TransientParameters& parameters) {
  return latest_pumps_return(loop, steady, parameters, std::stop_token{});
}
tl::expected<LatestReturn, std::string> latest_facility_return(const DrawnLoop& loop, const LoopSolution& steady,
                                                               const TransientParameters& parameters) {
  return latest_facility_return(loop, steady, parameters, std::stop_token{});
}
tl::expected<LatestReturn, std::string> latest_pumps_return(const DrawnLoop& loop, const LoopSolution& steady,
                                                            const TransientParameters& parameters,
                                                            const std::stop_token& stop) {
  return latest_return(loop, steady, parameters, stop, [](std::optional<double> back) { return loss_of_pumps(back); });
}
tl::expected<LatestReturn, std::string> latest_facility_return(const DrawnLoop& loop, const LoopSolution& steady,
                                                               const TransientParameters& parameters,
                                                               const std::stop_token& stop) {
  return latest_return(loop, steady, parameters, stop, [](std::optional<double> back) { return loss_of_facility(back); });
}

tl::expected<double, std::string> supply_tank_for_gap(const DrawnLoop& loop, const LoopSolution& steady,
                                                      const TransientParameters& parameters, double gap) {
  return supply_tank_for_gap(loop, steady, parameters, gap, std::stop_token{});
}
tl::expected<double, std::string> supply_tank_for_gap(const DrawnLoop& loop, const LoopSolution& steady,
                                                      const TransientParameters& parameters, double gap,
                                                      const std::stop_token& stop) {
  if (!(gap >= 0.0 && gap <= 3600.0)) return tl::unexpected(fmt::format("The gap is {} s; it must be 0 to 3600", gap));
  DrawnLoop with;
  with = loop;
  const auto throttles = [&](double tank) -> tl::expected<bool, std::string> {
    with.supply_tank_m3 = tank;
    const auto run =
        loop_transient(with, steady, loss_of_facility(gap), parameters, std::min(gap + 300.0, longest_horizon));
    if (!run) return tl::unexpected(run.error());
    if (run->first_throttle_s == 0.0) return tl::unexpected("racks of loop '" + loop.name + "' throttle before anything is lost: no tank helps");
    return run->first_throttle_s.has_value();
  };
  auto at_all = throttles(0.0);
  if (!at_all) return tl::unexpected(at_all.error());
  if (!*at_all) return 0.0;
  // A side that is mixed through warms as 1 - exp: it takes more than the plain heat over the allowed rise.
  double low = 0.0, high = steady.flow_m3_per_s * std::max(gap, 1.0);
  for (int i = 0; i < 24; ++i) {
    auto still = throttles(high);
    if (!still) return tl::unexpected(still.error());
    if (!*still) break;
    low = high;
    high *= 2.0;
  }
  while (high - low > 1e-3 * high) {
    if (stop.stop_requested()) return tl::unexpected(std::string("stopped"));
    const double middle = 0.5 * (low + high);
    auto still = throttles(middle);
    if (!still) return tl::unexpected(still.error());
    (*still ? low : high) = middle;
  }
  return high;
}

tl::expected<std::vector<CoolingResponse>, std::string> power_loss_responses(const DrawnLoop& loop,
                                                                             const LoopSolution& steady,
                                                                             const TransientParameters& p,
                                                                             bool pumps_on_ups, bool chillers) {
  std::vector<CoolingResponse> out;
  const auto pumps = latest_pumps_return(loop, steady, p);
  if (!pumps) return tl::unexpected(pumps.error());
  if (pumps->needed) {
    const bool by_generator = p.generator_start_s <= pumps->within_s;
    out.push_back(
        {fmt::format("Pumps of {} run again within {:.1f} s: {}", loop.name, pumps->within_s,
                     pumps_on_ups   ? "the UPS carries them without a break"
                     : by_generator ? fmt::format("generators take over after {:.0f} s", p.generator_start_s)
                                    : fmt::format("generators take {:.0f} s, so they need a UPS", p.generator_start_s)),
         pumps->within_s, pumps_on_ups || by_generator});
  }
  const auto facility = latest_facility_return(loop, steady, p);
  if (!facility) return tl::unexpected(facility.error());
  if (facility->needed) {
    const double back = p.generator_start_s + (chillers ? p.chiller_restart_s : 0.0);
    const bool met = back <= facility->within_s;
    std::string how;
    if (met) {
      how = fmt::format("{} are back after {:.0f} s", chillers ? "chillers" : "dry coolers", back);
    } else {
      const auto tank = supply_tank_for_gap(loop, steady, p, back);
      how = fmt::format("{} take {:.0f} s", chillers ? "chillers" : "dry coolers", back);
      if (tank) how += fmt::format("; a tank of {:.2f} m3 on the supply side bridges that", *tank);
    }
    out.push_back({fmt::format("Facility water of {} flows and takes heat within {:.1f} s: {}", loop.name,
                               facility->within_s, how),
                   facility->within_s, met});
  }
  const CoolingLoss loss = loss_of_power(p, pumps_on_ups, chillers);
  const auto run = loop_transient(loop, steady, loss, p, std::min(*loss.facility_back_s + 300.0, longest_horizon));
  if (!run) return tl::unexpected(run.error());
  if (run->first_shutdown_s)
    out.push_back(
        {fmt::format("Racks of {} shut down by themselves {:.1f} s after the loss unless the above acts: stop "
                     "jobs before",
                     loop.name, *run->first_shutdown_s),
         *run->first_shutdown_s, false});
  std::stable_sort(out.begin(), out.end(),
                   [](const CoolingResponse& a, const CoolingResponse& b) { return a.within_s < b.within_s; });
  return out;
}

std::vector<std::string> restart_order(const DrawnLoop& loop, bool chillers) {
  std::vector<std::string> out;
  std::size_t pumps = 0;
  for (const LoopUnit& u : loop.units)
    pumps += u.pumps.size();
  out.push_back(fmt::format("Start the {} pumps of {}, one unit after another, and wait for flow at every rack", pumps,
                            loop.name));
  out.push_back("Start the pumps of the facility water and wait for flow at every unit");
  out.push_back(chillers ? "Start chillers with their condenser side, one after another, until the supply is held"
                         : "Start the fans of the dry coolers until the supply is held");
  out.push_back("Release the racks row by row once their supply is back at its set point");
  return out;
}

} // namespace hallwright
