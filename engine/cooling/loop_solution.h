// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/drawn_loops.h"
#include "cooling/pipe_network_solver.h"

/// A drawn coolant loop at work: flow of every rack against its need, pressures, temperatures, pumps at their working
/// point, duty of every unit against what its exchanger carries there.
///
/// Steady; heat of friction and losses of pipes to the room are left out, so that the heat of the racks is the duty of
/// the units.
namespace hallwright {

/// Facility water at a unit.
struct FacilityWater {
  double flow_m3_per_s = 0.0; ///< zero or more
  double entering_c = 0.0;
  double heat_capacity_j_per_m3_k = 0.0; ///< density times specific heat; 0: that of water at 40 degC
  friend bool operator==(const FacilityWater&, const FacilityWater&) = default;
};

/// What is shut, stopped or set. Things that the loop has not are left alone.
struct LoopOperation {
  std::set<Id> units_out;              ///< stopped and shut off
  std::map<Id, int> pumps_out;         ///< pumps of a unit that stand still
  std::set<Id> racks_shut;             ///< isolation valves of racks
  std::set<std::size_t> sections_shut; ///< of `DrawnLoop::sections`
  std::set<Id> facility_out;           ///< units without facility water; their pumps run on
  std::map<Id, FacilityWater> facility_water; ///< by unit; not there: its rated flow, as warm as the loop has it
  /// Speed of all pumps over that of their curve, above 0, at most 1.2; not set: the lowest, at most 1, at which every
  /// rack that can have coolant gets what it needs.
  std::optional<double> speed;
  /// With a speed: duties and temperatures of a summary are those at the flow to which a control slows the pumps where
  /// every rack has what it needs, all flows less by one factor. So a stronger pump does not take heat from exchangers.
  bool duty_as_controlled = false;
  friend bool operator==(const LoopOperation&, const LoopOperation&) = default;
};

struct RackFlow {
  Id rack = 0;
  double flow_m3_per_s = 0.0;
  double share = 0.0; ///< of its need
  bool flowing = false;
  double supply_c = 0.0, return_c = 0.0; ///< where it flows
  double hose_velocity_m_per_s = 0.0;
  double inlet_pressure_pa = 0.0; ///< gauge
  double drop_pa = 0.0;           ///< between its taps: hoses, couplings, manifold, plates
};

struct UnitWork {
  Id unit = 0;
  bool running = false;
  double flow_m3_per_s = 0.0, head_pa = 0.0;
  double curve_share = 0.0; ///< flow over that at which the curve has no head
  double return_c = 0.0, supply_c = 0.0;
  double duty_w = 0.0;
  double capacity_w = 0.0;   ///< what the exchanger passes on at this flow and return; 0: unknown
  double duty_share = 0.0;   ///< duty over that; 0 where unknown
  double pump_power_w = 0.0; ///< electrical
  double facility_flow_m3_per_s = 0.0, facility_c = 0.0; ///< of the water that enters it; of units of facility water 0
};

struct SectionFlow {
  double flow_m3_per_s = 0.0;     ///< largest in it
  double velocity_m_per_s = 0.0;  ///< likewise
  double gradient_pa_per_m = 0.0; ///< likewise
  double temperature_c = 0.0;     ///< where it flows; else 0
};

struct LoopSolution {
  std::vector<RackFlow> racks;       ///< as `DrawnLoop::racks`
  std::vector<UnitWork> units;       ///< as `DrawnLoop::units`
  std::vector<SectionFlow> sections; ///< as `DrawnLoop::sections`
  std::vector<double> node_c;        ///< where `node_flows`
  std::vector<char> node_flows;
  std::vector<double> node_pressure_pa; ///< gauge
  double speed = 1.0;
  double flow_m3_per_s = 0.0;      ///< of all racks
  double least_share = 0.0;        ///< of the worst rack that flows
  Id worst_rack = 0;               ///< 0: none flows
  std::size_t dry_racks = 0;       ///< racks without flow
  double spread = 0.0;             ///< (most - least) / mean of the shares of racks that flow
  double heat_w = 0.0;             ///< carried away from racks
  double heat_not_carried_w = 0.0; ///< of racks without flow
  double duty_w = 0.0;             ///< of all units
  double energy_error = 0.0;       ///< |heat - duty| over the heat
  double mass_error = 0.0;         ///< largest imbalance of a node over the largest flow
  double head_error_m = 0.0;
  bool temperatures_known = true; ///< false: the heat has nowhere to go, so no steady state exists
  double highest_pressure_pa = 0.0, lowest_pressure_pa = 0.0; ///< gauge
  double pump_power_w = 0.0;
  int steps = 0; ///< linear solves
};

/// What a sweep of failures keeps of a solution.
struct LoopSummary {
  double flow_m3_per_s = 0.0;
  double least_share = 0.0; ///< of the worst rack that flows
  Id worst_rack = 0;
  std::size_t short_racks = 0; ///< that flow with less than their need
  std::size_t dry_racks = 0;
  Id dry_rack = 0;                 ///< one of them
  double largest_duty_share = 0.0; ///< of units; 0 where temperatures were not asked for or capacities are unknown
  Id busiest_unit = 0;
  double hottest_supply_c = 0.0; ///< at a rack; likewise
  Id hottest_rack = 0;
  std::size_t warm_racks = 0; ///< whose supply is warmer than their parts take; where those do not say, by more than
                              ///< `supply_tolerance_k` warmer than the loop's supply; likewise
  std::vector<double> unit_duty_w; ///< as `DrawnLoop::units`; empty where temperatures were not asked for
  bool temperatures_known = true;
  int steps = 0;
};

/// A rack has what it needs from this share on.
constexpr double enough_share = 0.999;
/// Units hold their supply to this. Source: maker of CDUs, vendor document catalogue, public transcription
constexpr double supply_tolerance_k = 1.0;

/// Heat that a unit's exchanger passes on: counterflow, sized by the rating of the unit, with the film coefficients of
/// both sides over flow^0.8.
/// @param unit  capacity above 0
/// @param flow_m3_per_s  of the loop through it, zero or more
/// @param return_c, facility_c  entering temperatures
/// @param heat_capacity_j_per_m3_k  of the loop's coolant: density times specific heat
/// @param facility_w_per_k  capacity rate of the facility water through it (flow, density and specific heat multiplied),
/// zero or more; below 0: that of its rated flow
/// @return [W], zero or more
/// @source effectiveness and number of transfer units; rating of the part
[[nodiscard]] double exchanger_heat_w(const LoopUnit& unit, double flow_m3_per_s, double return_c, double facility_c,
                                      double heat_capacity_j_per_m3_k, double facility_w_per_k = -1.0);

/// Solves loops and keeps what the next solve can start from: prepared once a structure, warm after every change of
/// what is shut, stopped or set, and after changes of heat and need.
class LoopSolver {
public:
  LoopSolver();
  LoopSolver(LoopSolver&&) noexcept;
  LoopSolver& operator=(LoopSolver&&) noexcept;
  ~LoopSolver();

  /// @return one sentence where there is nothing to solve or no steady state
  [[nodiscard]] tl::expected<LoopSolution, std::string> solve(const Shared<DrawnLoop>& loop,
                                                              const LoopOperation& operation = {});
  /// The same without what only a reader needs. @param temperatures  false: flows alone
  [[nodiscard]] tl::expected<LoopSummary, std::string> summary(const Shared<DrawnLoop>& loop,
                                                               const LoopOperation& operation, bool temperatures);
  /// To first order what becomes of the racks' flows where the valve of one of them is shut; nothing where that is no
  /// small change. Rests on the last solution.
  [[nodiscard]] std::optional<LoopSummary> summary_without_rack(std::size_t rack);

  /// Where the last solution stands, and back to it.
  [[nodiscard]] SolverState state() const;
  void start_from(const SolverState& state);
  /// How often a network was prepared from nothing: a measure of what the cache spares.
  [[nodiscard]] std::size_t preparations() const;

private:
  class Work;
  std::unique_ptr<Work> work_;
};

} // namespace hallwright
