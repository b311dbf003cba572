// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the power envelope, the chain and its losses.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// GPU count from the power envelope

/// GPUs that a utility feed can carry in whole nodes; the IT power of a GPU is all-in (its share of node, network
/// and storage).
/// @param utility_power [W], zero or more
/// @param power_usage_effectiveness [ratio], at least 1
/// @param it_power_per_gpu [W], above 0
/// @param gpus_per_node [count], at least 1
/// @return [count]
/// @source power envelope arithmetic
extern const Formula<Count, Power, double, Power, Count> utility_power_gpu_limit;

/// GPUs that a facility feed can carry in whole nodes; network and storage are fractions of node power.
/// @param facility_power [W], zero or more
/// @param power_usage_effectiveness [ratio], at least 1
/// @param node_power [W], above 0
/// @param gpus_per_node [count], at least 1
/// @param network_power_fraction [ratio], zero or more
/// @param storage_power_fraction [ratio], zero or more
/// @return [count]
/// @source power envelope arithmetic
extern const Formula<Count, Power, double, Power, Count, double, double> facility_power_gpu_limit;

// Density upgrade

/// Extra feed at the utility for denser racks; below zero when the new racks draw less.
/// @param racks [count], zero or more
/// @param old_rack_power [W], zero or more
/// @param new_rack_power [W], zero or more
/// @param power_usage_effectiveness [ratio], at least 1
/// @return [W]
/// @source difference of rack powers
extern const Formula<Power, Count, Power, Power, double> density_upgrade_extra_power;

// Facility feed

/// Facility feed for nodes, with network and storage as a fraction of node power.
/// @param nodes [count], zero or more
/// @param node_power [W], zero or more
/// @param other_it_power_fraction [ratio], zero or more
/// @param power_usage_effectiveness [ratio], at least 1
/// @return [W]
/// @source sum of loads times PUE
extern const Formula<Power, Count, Power, double, double> facility_power;

// Further parts of the models

/// Facility power over IT power, at one instant.
/// @param facility_power [W], zero or more
/// @param it_power [W], above 0
/// @return [ratio]
/// @source The Green Grid, ISO/IEC 30134-2
extern const Formula<double, Power, Power> power_usage_effectiveness;

/// Power into a stage of the chain that delivers an output.
/// @param output_power [W], zero or more
/// @param efficiency [ratio], above 0, at most 1
/// @return [W]
/// @source efficiency
extern const Formula<Power, Power, double> chain_input_power;

/// Heat of a stage of the chain that delivers an output.
/// @param output_power [W], zero or more
/// @param efficiency [ratio], above 0, at most 1
/// @return [W]
/// @source efficiency
extern const Formula<Power, Power, double> chain_loss;

/// Share of a rating that is free; below zero when overloaded.
/// @param load [W], zero or more
/// @param rating [W], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Power, Power> headroom_share;

/// Share of a rating that is used.
/// @param load [W], zero or more
/// @param rating [W], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Power, Power> load_share;

/// Load on each surviving feed when a load splits evenly over live feeds.
/// @param load [W], zero or more
/// @param feeds [count], at least 1
/// @param lost_feeds [count], zero or more
/// @return [W]
/// @source even split over live cords
extern const Formula<Power, Power, Count, Count> feed_load_after_loss;

/// Loss of a transformer at a fraction of its rating.
/// @param no_load_loss [W], zero or more
/// @param load_loss_at_rating [W], zero or more
/// @param load_fraction [ratio], zero or more
/// @return [W]
/// @source IEC 60076: no-load loss plus load loss by the square of the load
extern const Formula<Power, Power, Power, double> transformer_loss;

/// Current of a direct current load.
/// @param power [W], zero or more
/// @param voltage [V], above 0
/// @return [A]
/// @source P = U I
extern const Formula<Current, Power, Voltage> direct_current;

/// Energy drawn in a duration.
/// @param mean_power [W], zero or more
/// @param duration [s], zero or more
/// @return [J]
/// @source power times time
extern const Formula<Energy, Power, Time> energy_drawn;

/// Time for which stored energy carries a load.
/// @param usable_energy [J], zero or more
/// @param load [W], above 0
/// @return [s]
/// @source energy over power
extern const Formula<Time, Energy, Power> storage_ride_through;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> power_formulas();

} // namespace hallwright
