// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "cooling/pump_curve.h"

/// A network of pipes, pumps and valves, in SI units: what `PipeNetworkSolver` solves.
namespace hallwright {

enum class NodeKind {
  junction,  ///< flow in equals flow out plus demand; the head is sought
  reservoir, ///< fixed head: a pressure point, an expansion vessel
  tank       ///< fixed head at its level now
};

struct NetworkNode {
  std::string id;
  NodeKind kind = NodeKind::junction;
  double elevation_m = 0.0;
  double demand_m3_per_s = 0.0; ///< taken out; negative is put in; junctions only
  double head_m = 0.0;          ///< elevation plus pressure head; reservoirs and tanks only
  friend bool operator==(const NetworkNode&, const NetworkNode&) = default;
};

enum class LinkKind {
  pipe,
  check_valve_pipe,    ///< a pipe that no flow runs back through
  pump,                ///< lifts from `from` to `to`, no reverse flow; without a curve it is an open pipe
  throttle,            ///< TCV: loss coefficient `setting` at the diameter; cold plates, exchangers, strainers, hoses
  positional,          ///< PCV: `setting` is the open share; coefficient minor_loss / share^2 (linear Cv)
  general,             ///< GPV: loss over flow from `curve`, the same in both directions
  flow_control,        ///< FCV: at most `setting` [m3/s]
  pressure_reducing,   ///< PRV: at most the pressure head `setting` [m] at its end, no reverse flow
  pressure_sustaining, ///< PSV: at least the pressure head `setting` [m] at its start, no reverse flow
  pressure_breaker     ///< PBV: loss `setting` [m] along the flow from start to end
};

/// "pipe", "pump", "TCV" and so on, as tables name them.
[[nodiscard]] const char* link_kind_word(LinkKind kind);

enum class LinkStatus {
  active, ///< works by its kind
  open,   ///< valves: fully open, whatever their setting
  closed
};

struct NetworkLink {
  std::string id;
  LinkKind kind = LinkKind::pipe;
  int from = -1, to = -1;  ///< indices of nodes
  double length_m = 0.0;   ///< pipes
  double diameter_m = 0.0; ///< pipes and valves
  double roughness = 0.0;  ///< pipes: [m], or the coefficient C with Hazen-Williams
  double minor_loss = 0.0; ///< coefficient K of h = K V^2 / (2 g); of a valve: where it is fully open
  double setting = 0.0;    ///< by kind; pumps: relative speed
  int curve = -1;          ///< general: of loss_curves; pump: of pump_curves
  LinkStatus status = LinkStatus::active;
  double viscosity_m2_per_s = 0.0; ///< of the coolant in it; 0: the network's
  friend bool operator==(const NetworkLink&, const NetworkLink&) = default;
};

/// Loss over flow, straight between points and beyond the last.
struct LossCurve {
  std::string id;
  std::vector<FlowHead> points; ///< flows rise, losses do not fall
  friend bool operator==(const LossCurve&, const LossCurve&) = default;
};

struct NamedPumpCurve {
  std::string id;
  PumpCurve curve;
  friend bool operator==(const NamedPumpCurve&, const NamedPumpCurve&) = default;
};

enum class LossFormula { darcy_weisbach, hazen_williams };

struct PipeNetwork {
  std::vector<NetworkNode> nodes;
  std::vector<NetworkLink> links;
  std::vector<NamedPumpCurve> pump_curves;
  std::vector<LossCurve> loss_curves;
  LossFormula formula = LossFormula::darcy_weisbach;
  double viscosity_m2_per_s = 1.004e-6; ///< kinematic; water at 20 degC
  double density_kg_per_m3 = 998.2;     ///< turns heads into pressures; heads and flows do not depend on it
  friend bool operator==(const PipeNetwork&, const PipeNetwork&) = default;
};

/// Loss coefficient K at a diameter of a valve or coupling with a flow coefficient Cv [US gal/min at 1 psi of water].
/// @param cv above 0
/// @param diameter_m above 0
/// @return K of h = K V^2 / (2 g), for every fluid
/// @source definition of Cv; psi and US gallon exactly, water of 999.0 kg/m3 (60 degF)
[[nodiscard]] double loss_coefficient_of_cv(double cv, double diameter_m);

/// Everything that keeps the network from being solved, one sentence each, naming element, value and what is allowed.
[[nodiscard]] std::vector<std::string> network_problems(const PipeNetwork& network);

} // namespace hallwright
