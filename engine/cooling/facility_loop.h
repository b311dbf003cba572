// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/loop_failures.h"

/// A loop of facility water and the loops whose distribution units hang on it, solved together.
///
/// Each unit's facility flow and the temperature at which it enters decide what its exchanger passes on; what it passes
/// on is the heat that the facility water carries to dry coolers, chillers and towers. Flows do not depend on
/// temperatures, so that every network is solved once, and heat is carried round until nothing moves.
namespace hallwright {

/// Flow of facility water that a distribution unit needs to hold its supply, with a margin of 5 % for its control valve;
/// at least a twentieth of its rated flow, at most all of it.
/// @param flow_m3_per_s  of its loop through it
/// @param return_c  of its loop
/// @param duty_w  what it takes to hold the supply
/// @param entering_c  of the facility water
/// @param heat_capacity_j_per_m3_k  of the loop's coolant, and of the facility water: density times specific heat
/// @source effectiveness and number of transfer units, as `exchanger_heat_w`
[[nodiscard]] double facility_need_m3_per_s(const LoopUnit& unit, double flow_m3_per_s, double return_c, double duty_w,
                                            double entering_c, double heat_capacity_j_per_m3_k,
                                            double facility_heat_capacity_j_per_m3_k);

/// Facility water and the loops that name it, at work together.
struct FacilityState {
  Shared<DrawnLoop> facility; ///< with what each facility side needs, and the heat that it takes
  LoopSolution water;         ///< of the facility loop
  std::vector<LoopSolution> served;                        ///< of the loops that name it
  std::vector<std::map<Id, FacilityWater>> facility_water; ///< of each of them, by unit
  bool temperatures_known = true; ///< false: nothing takes the heat, of the facility water or of a loop
  std::string trouble;            ///< then why, and of which loop
  int passes = 0;
};

class FacilityCoupling {
public:
  /// @param facility  of facility water, solvable
  /// @param served  loops that name it, each solvable, in the order of the table
  FacilityCoupling(Shared<DrawnLoop> facility, std::vector<Shared<DrawnLoop>> served);
  FacilityCoupling(FacilityCoupling&&) noexcept;
  FacilityCoupling& operator=(FacilityCoupling&&) noexcept;
  ~FacilityCoupling();

  /// Everything running, pumps as slow as needs allow: also what each facility side needs. To be called before the rest.
  /// @return one sentence where a network cannot be solved, or heat and temperatures do not settle
  [[nodiscard]] tl::expected<FacilityState, std::string> settle();
  /// With something of the facility loop out; its pumps as slow as needs allow, at most at full speed.
  [[nodiscard]] tl::expected<FacilityState, std::string> solve(const LoopOperation& facility);
  /// With all pumps of the facility loop at full speed.
  [[nodiscard]] tl::expected<LoopSolution, std::string> at_full_speed();
  /// Single failures of the facility loop, each with what racks feel of it: it holds where no rack gets warmer coolant
  /// than its parts take. The room of a failure is that of flows and of the units of facility water.
  [[nodiscard]] tl::expected<LoopFailures, std::string> failures(const FailureSweep& sweep = {},
                                                                 const std::stop_token& stop = {});
  /// Single failures of the facility loop as one of the loops that hang on it feels them: its racks, pumps at full speed,
  /// with the facility water that is left. A failure holds where none of them gets warmer coolant than its parts take, as
  /// with `failures`. Told are those with which racks get warmer coolant, and those without an answer. Facility water is solved once for all of the loops.
  /// @param served  which of the loops, below their count
  [[nodiscard]] tl::expected<std::vector<LoopFailure>, std::string> failures_felt(std::size_t served,
                                                                                 const std::stop_token& stop = {});

private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// What racks of the loops that hang on facility water feel.
/// Where a loop has no steady state, `warm_racks` are those whose loops have none: they lose their cooling.
[[nodiscard]] RacksBehind racks_behind(const FacilityState& state, const std::vector<Shared<DrawnLoop>>& served);

} // namespace hallwright
