// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cooling/loop_solution.h"

/// Every single failure of a drawn loop, each solved from the healthy state with the pumps that are left at full speed.
/// Duties and temperatures are those at the flow to which a control slows the pumps where every rack has what it needs:
/// all flows less by one factor (flow goes with speed).
namespace hallwright {

enum class LoopFailureKind : std::uint8_t {
  unit,       ///< a distribution unit stops and is shut off
  pump,       ///< one of a unit's pumps stands
  section,    ///< a stretch of pipe between two joints is shut off, with what hangs on it
  rack_valve, ///< a rack is shut off
  facility    ///< a unit's facility water is gone; its pumps run on
};

/// What racks feel of a failure of facility water, over all loops that name it.
struct RacksBehind {
  std::size_t warm_racks = 0;      ///< as in `LoopSummary`
  double hottest_supply_c = 0.0;   ///< at a rack; 0 where no rack flows
  Id hottest_rack = 0;             ///< 0: none flows
  double largest_duty_share = 0.0; ///< of distribution units at the facility water that they still get
  Id busiest_unit = 0;
  bool temperatures_known = true;  ///< false: nothing takes the heat of racks of `uncooled_loops`
  std::vector<Id> uncooled_loops;  ///< loops that have no steady state, in the order of the table
  friend bool operator==(const RacksBehind&, const RacksBehind&) = default;
};

struct LoopFailure {
  /// Loop of facility water that `thing` belongs to, where its failure is felt in this loop; 0: `thing` is of this loop.
  Id of_loop = 0;
  LoopFailureKind kind = LoopFailureKind::unit;
  EntityRef thing;
  std::string name; ///< "CDU 1A", "a pump of CDU 1A", "Loop 1 supply, section 2", "valve of R01-03"
  bool solved = false;
  std::string trouble;      ///< why not, or why there is no steady state
  bool first_order = false; ///< a rack's small share of the flow, shut off: by the slopes of the healthy state
  LoopSummary summary;
  std::optional<RacksBehind> behind; ///< of a loop of facility water
  std::size_t lost_racks = 0; ///< that have no flow and had some
  /// The least of: share of its need that the worst rack gets, less 1; 1 less the largest duty share of a unit. -1
  /// where racks that the failure does not itself shut off lose all flow, or nothing takes the heat.
  double headroom = 0.0;
  bool holds = false; ///< nothing short, nothing overloaded, nothing too warm, and no rack lost but a rack shut off
};

struct LoopFailures {
  LoopSummary healthy; ///< all running at full speed
  double healthy_headroom = 0.0;
  std::vector<LoopFailure> cases;            ///< by kind, then in the order of the loop
  bool n = false;                            ///< holds with all running
  bool n_plus_1 = false;                     ///< holds with any one unit out, and any one pump
  bool two_n = false;                        ///< holds with every tested half of the units out
  std::string n_plus_1_breaks, two_n_breaks; ///< name of the first failure that does not hold; empty: none
  std::size_t halves = 0;                    ///< tested
  bool every_half = false;                   ///< false: neighbouring ones only, since there are too many
};

struct FailureSweep {
  bool units = true, pumps = true, sections = true, rack_valves = true, facility = true;
  bool halves = true; ///< 2N: half of the units out, rounded up
};

/// @param solver  may hold an earlier solution of the loop; is left at the healthy state at full speed
/// @param facility_water  at its units, as in `LoopOperation`
/// @return one sentence where the healthy state cannot be solved. A failure that cannot is a case with its sentence.
[[nodiscard]] tl::expected<LoopFailures, std::string> loop_failures(LoopSolver& solver, const Shared<DrawnLoop>& loop,
                                                                    const FailureSweep& sweep = {},
                                                                    const std::stop_token& stop = {},
                                                                    const std::map<Id, FacilityWater>& facility_water =
                                                                        {});

} // namespace hallwright
