// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/loop_solution.h"

/// Seconds that are left when flow, units, facility water or power are lost.
///
/// Lumps: of every rack the solid (dies, lids, plates) and the coolant in it; of the loop its supply and its return
/// side, each well mixed, with tanks where there are any. Facility water that fails takes no heat from that moment on.
///
///     Cs dTs/dt = P - UA(w) (Ts - Tc)                    w: flow over that of the steady state
///     Cc dTc/dt = UA(w) (Ts - Tc) - m c (Tc - Tp)
///     Cr dTr/dt = sum m c (Tc - Tr)
///     Cp dTp/dt = m c (Tx - Tp)
///     UA(w) = UA0 / (Rc + (1 - Rc) w^-n)
namespace hallwright {

/// Each an estimate of the catalog's assumptions (transient.*), for a rack of 121.5 kW to liquid, taken per watt.
struct TransientParameters {
  double solid_heat_capacity_s_per_k = 23e3 / 121.5e3; ///< J/K per W
  double solid_over_coolant_k = 15.0;                  ///< at full load
  double conduction_share = 0.5;                       ///< Rc: of the resistance that does not depend on flow
  double film_exponent = 0.6;                          ///< n
  double rack_volume_m3_per_w = 0.035 / 121.5e3;
  double coast_down_s = 0.6;   ///< tau of w = 1 / (1 + t / tau)
  double flow_floor = 0.02;    ///< share of flow that is left after a stop
  double warning_rise_k = 5.0; ///< of the solid above its steady state
  double throttle_rise_k = 10.0;
  double shutdown_rise_k = 20.0;
  /// Share of its power that a rack draws once it throttles; not set: it goes on in full, as a cautious count has it.
  std::optional<double> throttled_power_share;
  double generator_start_s = 10.0;  ///< power.generator_start_time
  double chiller_restart_s = 420.0; ///< cooling.chiller_restart_time
  friend bool operator==(const TransientParameters&, const TransientParameters&) = default;
};
[[nodiscard]] TransientParameters transient_parameters(const Catalog& catalog);
/// What keeps them from being used, one sentence each, naming field, value and what is allowed.
[[nodiscard]] std::vector<std::string> transient_problems(const TransientParameters& parameters);

/// What is lost at second 0.
struct CoolingLoss {
  std::string name;
  bool pumps_stop = false;
  bool facility_lost = false;
  /// Second from which the flows of `flow_after` are whole again, since what stopped runs again; not set: never.
  std::optional<double> flow_back_s;
  std::vector<double> flow_after; ///< of each rack, as a share of its steady flow, with the pumps that run on; empty: 1
  /// Heat that the exchangers pass on per kelvin between return and facility water, after the loss [W/K]; not set: as
  /// much as it takes to hold the supply.
  std::optional<double> exchange_w_per_k;
  std::optional<double> pumps_back_s, facility_back_s; ///< not set: never
};

struct RackTimes {
  Id rack = 0;
  std::optional<double> warning_s, throttle_s, shutdown_s; ///< not set: not reached
  double peak_rise_k = 0.0;                                ///< of the solid above its steady state
  /// Its supply is warmer than its parts take before anything is lost: the warning is over already, at second 0.
  bool too_warm_before = false;
};

struct TransientPoint {
  double time_s = 0.0;
  double hottest_rise_k = 0.0; ///< of the solids
  double supply_c = 0.0, return_c = 0.0;
  double flow_share = 0.0; ///< of the pumps
};

struct LoopTransient {
  std::vector<RackTimes> racks; ///< as `DrawnLoop::racks`; those without flow in the steady state have no times
  std::optional<double> first_warning_s, first_throttle_s, first_shutdown_s;
  std::size_t too_warm_before = 0; ///< racks
  Id first_rack = 0; ///< that throttles first; else the one with the highest peak
  double peak_rise_k = 0.0;
  std::vector<TransientPoint> course; ///< at most some 600 points
  double end_s = 0.0;
};

/// @param steady  the healthy state, with temperatures; its racks and units as those of the loop
/// @param horizon_s  above 0, at most 7,200
/// @return one sentence where there is no steady state to start from, or a parameter is out of range
[[nodiscard]] tl::expected<LoopTransient, std::string> loop_transient(const DrawnLoop& loop, const LoopSolution& steady,
                                                                      const CoolingLoss& loss,
                                                                      const TransientParameters& parameters,
                                                                      double horizon_s = 900.0);

/// All pumps stop, facility water runs on.
[[nodiscard]] CoolingLoss loss_of_pumps(std::optional<double> back_s = {});
/// Facility water stops (chillers, dry coolers or their pumps), the loop's pumps run on.
[[nodiscard]] CoolingLoss loss_of_facility(std::optional<double> back_s = {});
/// Utility power is lost: facility water comes back when generators run and chillers have restarted, the pumps with the
/// generators where no UPS feeds them.
/// @param chillers  false: dry coolers, back with the generators
[[nodiscard]] CoolingLoss loss_of_power(const TransientParameters& parameters, bool pumps_on_ups, bool chillers);
/// A unit stops, and the others run on at full speed: flows and exchangers from the solved failure.
[[nodiscard]] tl::expected<CoolingLoss, std::string> loss_of_unit(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                                  const LoopSolution& steady, Id unit);

/// Latest second at which pumps, or facility water, must be back so that no rack throttles.
struct LatestReturn {
  bool needed = false; ///< false: no rack throttles within the horizon anyway
  double within_s = 0.0;
};
[[nodiscard]] tl::expected<LatestReturn, std::string>
latest_pumps_return(const DrawnLoop& loop, const LoopSolution& steady, const TransientParameters& parameters);
[[nodiscard]] tl::expected<LatestReturn, std::string>
latest_facility_return(const DrawnLoop& loop, const LoopSolution& steady, const TransientParameters& parameters);

/// Smallest tank on the supply side with which no rack throttles where facility water is gone for a time.
/// @param gap_s  zero or more, at most 3,600
/// @return [m3]; 0: none is needed
[[nodiscard]] tl::expected<double, std::string> supply_tank_for_gap(const DrawnLoop& loop, const LoopSolution& steady,
                                                                    const TransientParameters& parameters,
                                                                    double gap_s);

/// What must act, in which order, within how many seconds.
struct CoolingResponse {
  std::string action;    ///< a sentence
  double within_s = 0.0; ///< after the loss
  bool met = false;      ///< by what the parameters say of generators and chillers
};
/// Of a loss of utility power. @param chillers  false: dry coolers reject the heat
[[nodiscard]] tl::expected<std::vector<CoolingResponse>, std::string>
power_loss_responses(const DrawnLoop& loop, const LoopSolution& steady, const TransientParameters& parameters,
                     bool pumps_on_ups, bool chillers);
/// The order in which things come back, as sentences.
[[nodiscard]] std::vector<std::string> restart_order(const DrawnLoop& loop, bool chillers);

} // namespace hallwright
