// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cooling/loop_transient.h"

/// What is lost where things of a loop stop or are shut, as the transient wants it.
namespace hallwright {

/// A loss after which some units pump on without facility water: their coolant passes on as warm as it came, and mixes
/// with that of the units which have water.
struct OperationLoss : CoolingLoss {
  double past_water_share = 0.0; ///< of the flow of all units, 0 to 1; all of it is `facility_lost`
  /// Facility water at the units after the loss, mixed by what their exchangers pass on a kelvin; not set: as warm as the
  /// loop has it. It is taken as that warm from second 0, sooner than it comes.
  std::optional<double> facility_c;
};

/// @param operation  of facility water that it states for a unit the flow and temperature are taken; with none of it the
/// unit has no facility water. Its speed does not matter: what is left runs at full speed; at the speed that the racks need where
/// units pump on without facility water, or with other water than before, so that the transient ends at the steady state of the operation
/// @return one sentence where what is left cannot be solved although something runs
[[nodiscard]] tl::expected<OperationLoss, std::string> loss_of_operation(LoopSolver& solver,
                                                                         const Shared<DrawnLoop>& loop,
                                                                         const LoopSolution& steady,
                                                                         LoopOperation operation);

/// As `loop_transient` of a loss, with the mix of coolant that has met facility water and coolant that has not.
[[nodiscard]] tl::expected<LoopTransient, std::string> loop_transient(const DrawnLoop& loop, const LoopSolution& steady,
                                                                      const OperationLoss& loss,
                                                                      const TransientParameters& parameters,
                                                                      double horizon_s = 900.0);

/// Utility power is lost, and the pumps of some units hang on no UPS: those stand until generators run, the others
/// carry what they can until then. Facility water as with `loss_of_power`.
/// @param without_ups  units; all or none: as `loss_of_power` has it
[[nodiscard]] tl::expected<OperationLoss, std::string>
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
