// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/loop_transient.h"

/// What is lost where things of a loop stop or are shut, as the transient wants it.
namespace hallwright {

/// @param operation  its speed does not matter: what is left runs at full speed
/// @return one sentence where what is left cannot be solved although something runs
[[nodiscard]] tl::expected<CoolingLoss, std::string> loss_of_operation(LoopSolver& solver,
                                                                       const Shared<DrawnLoop>& loop,
                                                                       const LoopSolution& steady,
                                                                       LoopOperation operation);

/// Utility power is lost, and the pumps of some units hang on no UPS: those stand until generators run, the others
/// carry what they can. Facility water as with `loss_of_power`.
/// @param without_ups  units; all or none: as `loss_of_power` has it
[[nodiscard]] tl::expected<CoolingLoss, std::string>
loss_of_power_as_fed(LoopSolver& solver, const Shared<DrawnLoop>& loop, const LoopSolution& steady,
                     const TransientParameters& parameters, const std::set<Id>& without_ups, bool chillers);

/// Whether nothing is shut, stopped or lost.
[[nodiscard]] bool is_healthy(const LoopOperation& operation);

/// Heat of a drawn loop on its way out, in watts: what each distribution unit passes on to the facility water, and what
/// is not carried away.
struct LoopHeat {
  std::vector<double> unit_w; ///< as `DrawnLoop::units`; what its exchanger takes, at most
  double racks_w = 0.0;       ///< to liquid, of the racks that are joined
  double not_carried_w = 0.0; ///< of racks without flow, and what exchangers are too small for
};
[[nodiscard]] LoopHeat loop_heat(const DrawnLoop& loop, const LoopSolution& solution);

} // namespace hallwright
