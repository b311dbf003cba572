// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/loop_solution.h"
#include "design/edits.h"

/// Static balancing of a drawn loop: how far the valve of each rack is opened so that every rack gets its need at the
/// lowest head of the pumps.
namespace hallwright {

struct RackBalance {
  Id rack = 0;
  double valve_before = 1.0, valve_after = 1.0; ///< share to which it is open; 0: shut, and left so
  double need_m3_per_s = 0.0;
  double flow_before_m3_per_s = 0.0, flow_after_m3_per_s = 0.0; ///< pumps as slow as racks allow
};

struct LoopBalance {
  Id loop = 0;
  std::vector<RackBalance> racks; ///< as `DrawnLoop::racks`
  double speed_before = 0.0, speed_after = 0.0;
  double flow_before_m3_per_s = 0.0, flow_after_m3_per_s = 0.0;
  double head_before_pa = 0.0, head_after_pa = 0.0;       ///< of the unit with the most
  double pump_power_before_w = 0.0, pump_power_after_w = 0.0;
  double spread_before = 0.0, spread_after = 0.0; ///< as `LoopSolution::spread`
  bool enough = true; ///< false: even so the worst rack gets less than its need, pumps at full speed
  /// Whether any valve changes.
  [[nodiscard]] bool changes() const;
};

/// Every valve is opened, then those of racks that get more than the worst one are closed by what they get too much,
/// until all get the same share of their need; one valve stays fully open. A valve that is open in part has the loss of
/// the open one over the square of its share, as drawn loops have it.
/// @param loop  as drawn @param racks  of the design: their valves as they are
/// @return one sentence where nothing can be solved, valves hold flows themselves, or nothing settles
[[nodiscard]] tl::expected<LoopBalance, std::string> balance_racks(const Shared<DrawnLoop>& loop,
                                                                   const std::vector<Rack>& racks,
                                                                   const LoopOperation& operation = {});

/// Sets the valves: one step.
[[nodiscard]] Edit balance_edit(const LoopBalance& balance, const std::string& loop_name);

} // namespace hallwright
