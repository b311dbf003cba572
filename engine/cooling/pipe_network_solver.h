// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/pipe_friction.h"
#include "cooling/pipe_network.h"

/// Steady flows and heads of a pipe network.
///
/// Global gradient method: Newton on flows and heads together, one sparse symmetric factorisation a step, with the true
/// slope of the friction factor. Laws are monotone, so the work that the steps reduce is convex: a step that would
/// overshoot is shortened, and pumps, check valves and flow limits settle without guessing. It ends when flows stand
/// still *and* the heads of every link agree. The pattern and its order are worked out once; a solve after a change
/// starts from the last flows.
namespace hallwright {

struct SolverOptions {
  FrictionLaw law = FrictionLaw::colebrook_white;
  double gravity_m_per_s2 = 9.80665;
  /// EPANET's rounded minor-loss constant 0.02517 (0.012 % below 8 / (pi^2 g)) instead of the exact one.
  bool rounded_minor_loss = false;
  double flow_accuracy = 1e-7; ///< sum of changes over sum of flows at the last step; what remains is its square
  double head_accuracy_m = 1e-7;
  int most_steps = 200;
  /// Turbulent friction is worked out anew where the Reynolds number has moved by more than this share; between, it goes
  /// as a power of it. 0.001 is within 1e-8 of the law, 0.005 within 3e-7.
  double friction_reach = 1e-3;

  /// g = 32.2 ft/s2 and the rounded constant, as EPANET has them.
  [[nodiscard]] static SolverOptions epanet(FrictionLaw law = FrictionLaw::swamee_jain) {
    SolverOptions out;
    out.law = law;
    out.gravity_m_per_s2 = 32.2 * 0.3048;
    out.rounded_minor_loss = true;
    return out;
  }
};

/// How a link came to rest.
enum class LinkState {
  flowing,
  closed,    ///< by its status
  held_shut, ///< a check valve or pump that would run backwards
  limiting,  ///< a control valve that holds its setting
  standing   ///< open, in a part that is cut off from every pressure point
};

struct NetworkSolution {
  std::vector<double> flow_m3_per_s; ///< a link; positive from its start to its end
  std::vector<double> head_m;        ///< a node; 0 where unknown
  std::vector<char> head_known;      ///< 0: cut off from every pressure point
  std::vector<LinkState> state;
  int steps = 0;             ///< linear solves of this answer
  double mass_error = 0.0;   ///< largest imbalance of a node over the largest flow
  double head_error_m = 0.0; ///< largest disagreement of a link's loss with the heads of its ends
  std::vector<std::string>
      notes; ///< what a reader should know: shut pumps, parts that are cut off, pumps off their curve
};

/// What one link does at its flow.
struct LinkReport {
  double velocity_m_per_s = 0.0; ///< 0 for pumps and general valves without a diameter
  double head_loss_m = 0.0;      ///< start minus end; negative for pumps and reverse flow
  double reynolds = 0.0;         ///< pipes that flow; else 0
  double friction_factor = 0.0;  ///< of Darcy and Weisbach; pipes that flow; else 0
};

/// Flows, heads and states of valves of an answer, to start from again.
struct SolverState {
  std::vector<double> flow_m3_per_s; ///< a link
  std::vector<double> head_m;        ///< a node
  std::vector<char> held_shut;       ///< a link
  std::vector<char> regulators;      ///< a link: what its pressure valve does
};

class PipeNetworkSolver {
public:
  /// Refuses with every problem of the network, one sentence each.
  [[nodiscard]] static tl::expected<PipeNetworkSolver, std::vector<std::string>>
  prepare(PipeNetwork network, const SolverOptions& options = {});
  PipeNetworkSolver(PipeNetworkSolver&&) noexcept;
  PipeNetworkSolver& operator=(PipeNetworkSolver&&) noexcept;
  ~PipeNetworkSolver();

  [[nodiscard]] const PipeNetwork& network() const;

  /// Changes of single links; the next solve starts from the last answer. Values outside what `network_problems` allows
  /// are an error of the caller and refused with its sentence.
  tl::expected<void, std::string> set_status(int link, LinkStatus status);
  tl::expected<void, std::string> set_setting(int link, double setting);
  tl::expected<void, std::string> set_minor_loss(int link, double coefficient);
  tl::expected<void, std::string> set_demand(int node, double demand_m3_per_s);
  tl::expected<void, std::string> set_head(int node, double head_m);
  /// Viscosity of the coolant in a link [m2/s], above 0.
  tl::expected<void, std::string> set_viscosity(int link, double viscosity_m2_per_s);

  /// Accuracies of the options, for the solves to come. @param flow_accuracy, head_accuracy_m  above 0
  void set_accuracy(double flow_accuracy, double head_accuracy_m);

  /// Forgets the last answer: the next solve starts from nothing.
  void forget();
  /// Where the last answer came to rest.
  [[nodiscard]] SolverState state() const;
  /// The next solve starts there. A state of a network with other counts of links or nodes is left alone.
  void start_from(const SolverState& state);

  /// Solves; the error is one sentence that names the element.
  tl::expected<void, std::string> solve();

  /// The last answer.
  [[nodiscard]] const NetworkSolution& solution() const;
  [[nodiscard]] LinkReport link_report(int link) const;
  /// How the flows of `links` change, to first order, where one more link is closed: one back substitution on the
  /// slopes of the last step. Nothing where the link is the only way to a part of the network, where it passes nothing,
  /// or where a pressure valve holds a head. [m3/s]
  [[nodiscard]] std::optional<std::vector<double>> first_order_closure(int link, std::span<const int> links);

private:
  class Core;
  explicit PipeNetworkSolver(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

} // namespace hallwright
