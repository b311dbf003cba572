// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cooling/pipe_network_solver.h"

/// Temperatures along a solved pipe network: heat is carried by the flow, mixed at nodes, picked up and given off in
/// links.
///
/// Steady; one density and specific heat for the whole network, so that heat balances exactly; conduction along pipes
/// and the heat of friction are left out.
namespace hallwright {

/// What a link does to the coolant that flows through it.
struct LinkHeat {
  enum class Kind {
    none,
    heat,   ///< takes up `heat_w` (negative: gives it off): racks
    outlet, ///< leaves at `temperature_c`, whatever that takes: a distribution unit that holds its supply
    loss    ///< exchanges with surroundings at `temperature_c` over `conductance_w_per_k`: pipes, coils
  };
  Kind kind = Kind::none;
  double heat_w = 0.0;
  double temperature_c = 0.0;
  double conductance_w_per_k = 0.0; ///< UA, zero or more
  friend bool operator==(const LinkHeat&, const LinkHeat&) = default;
};

struct HeatInputs {
  std::vector<LinkHeat> links; ///< one a link
  std::vector<double>
      node_temperature_c; ///< one a node: of what enters there from outside (reservoirs, negative demands)
  double density_kg_per_m3 = 998.2;
  double specific_heat_j_per_kg_k = 4182.0;
};

struct NetworkTemperatures {
  std::vector<double> node_c;   ///< mixed temperature of a node
  std::vector<char> node_known; ///< 0: nothing flows there
  std::vector<double> inlet_c;  ///< of a link, in the direction of its flow
  std::vector<double> outlet_c;
  std::vector<char> link_known; ///< 0: nothing flows there
  std::vector<double> heat_w;   ///< taken up in a link; negative: given off
  double picked_up_w = 0.0;     ///< sum of positive link heats
  double given_off_w = 0.0;     ///< sum of negative link heats, as a positive number
  double carried_out_w = 0.0;   ///< by what leaves the network less what enters it, from 0 degC on
  double energy_error = 0.0;    ///< |picked up - given off - carried out| over the largest of them
};

/// @return an error of one sentence: heat in a link without flow, or a loop that takes heat up and never gives it off
[[nodiscard]] tl::expected<NetworkTemperatures, std::string>
network_temperatures(const PipeNetwork& network, const NetworkSolution& flows, const HeatInputs& inputs);

} // namespace hallwright
