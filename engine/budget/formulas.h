// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of money, schedule, quotas and delivery.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Delivery schedule

/// Duration of the longest path from order to a burned-in cluster; every chain starts at time zero.
/// @param transformer_delivery [s], zero or more
/// @param civil_works [s], zero or more
/// @param electrical_fit_out [s], zero or more
/// @param cooling_fit_out [s], zero or more
/// @param gpu_delivery [s], zero or more
/// @param cabling [s], zero or more
/// @param burn_in [s], zero or more
/// @param integrated_systems_test [s], zero or more
/// @return [s]
/// @source critical path method
extern const Formula<Time, Time, Time, Time, Time, Time, Time, Time, Time> build_schedule_duration;

/// Time by which GPUs may come later without delaying the cluster, or, below zero, by which they are late; both
/// dates count from one start.
/// @param facility_ready [s], zero or more
/// @param gpu_delivery [s], zero or more
/// @return [s]
/// @source critical path method
extern const Formula<Time, Time, Time> gpu_delivery_float;

// Cost of GPU time

/// Value of GPUs for a duration, idle in a delay or at risk.
/// @param gpus [count], zero or more
/// @param duration [s], zero or more
/// @param gpu_hour_price [USD/s], zero or more
/// @return [USD]
/// @source price times time
extern const Formula<Money, Count, Time, MoneyPerTime> gpu_time_cost;

// Cost of delay

/// Depreciation of one month in a straight line, without residual value.
/// @param capital_cost [USD], zero or more
/// @param life_months [count], at least 1
/// @return [USD]
/// @source straight-line depreciation
extern const Formula<Money, Money, Count> straight_line_depreciation_per_month;

// Generation change

/// Share of the old fleet capacity left while a block is drained; new GPUs already live count in old-GPU units.
/// @param fleet_gpus [count], at least 1
/// @param drained_gpus [count], zero or more
/// @param new_gpu_equivalents [ratio], zero or more
/// @return [ratio]
/// @source capacity arithmetic
extern const Formula<double, Count, Count, double> generation_change_capacity_trough;

// Cost per token

/// Tokens trained for one dollar; dense model, 6 FLOP per parameter and token, achieved model FLOP/s.
/// @param achieved_flops_per_gpu [FLOP/s], zero or more
/// @param parameters [count], at least 1
/// @param gpu_hour_price [USD/s], above 0
/// @return [1/USD], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<PerMoney, FlopRate, Count, MoneyPerTime> tokens_per_dollar;

// Network choice

/// Capital saved by a cheaper network.
/// @param capital_cost [USD], zero or more
/// @param network_cost_fraction [ratio], 0 to 1
/// @param network_discount [ratio], 0 to 1
/// @return [USD]
/// @source share of capital cost
extern const Formula<Money, Money, double, double> network_discount_saving;

/// Cluster slowdown whose value equals the saving in capital cost, to first order.
/// @param network_cost_fraction [ratio], 0 to 1
/// @param network_discount [ratio], 0 to 1
/// @return [ratio], an estimate
/// @source first-order value of capacity
extern const Formula<double, double, double> break_even_slowdown;

/// Fleet size, not rounded, at which a saving pays for extra staff; cost_per_gpu is cluster capital cost per GPU.
/// @param annual_staff_cost [USD], zero or more
/// @param service_years [count], zero or more
/// @param cost_per_gpu [USD], above 0
/// @param saving_fraction [ratio], above 0, at most 1
/// @return [ratio]
/// @source break-even arithmetic
extern const Formula<double, Money, Count, Money, double> break_even_fleet_gpus;

// Training cost

/// Cost of GPU time per trained token; dense model and peak.
/// @param parameters [count], zero or more
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @param model_flops_utilization [ratio], above 0
/// @param gpu_hour_price [USD/s], zero or more
/// @return [USD], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<Money, Count, FlopRate, double, MoneyPerTime> training_cost_per_token;

/// Cost of GPU time of a training; dense model and peak, no interruptions.
/// @param parameters [count], zero or more
/// @param tokens [count], zero or more
/// @param peak_flops_per_gpu [FLOP/s], above 0
/// @param model_flops_utilization [ratio], above 0
/// @param gpu_hour_price [USD/s], zero or more
/// @return [USD], an estimate
/// @source 6ND, Kaplan et al. 2020
extern const Formula<Money, Count, Count, FlopRate, double, MoneyPerTime> training_cost;

// Storage cost

/// Cost of stored data for one month, from the price per byte for one month.
/// @param capacity [B], zero or more
/// @param price_per_month [USD/B], zero or more
/// @return [USD]
/// @source price times amount
extern const Formula<Money, Bytes, MoneyPerInformation> storage_monthly_cost;

// Quota pooling

/// Capacity of a pooled quota over that of separate quotas; independent teams of equal demand, in GPUs.
/// @param teams [count], at least 1
/// @param mean_demand [ratio], zero or more
/// @param demand_standard_deviation [ratio], zero or more
/// @param deviations_covered [ratio], zero or more
/// @return [ratio], an estimate
/// @source square-root law of pooling
extern const Formula<double, Count, double, double, double> pooled_to_separate_capacity_ratio;

// Fair share

/// Priority factor of fair-share scheduling: one half at use equal to quota.
/// @param usage_share [ratio], zero or more
/// @param quota_share [ratio], above 0
/// @return [ratio]
/// @source Slurm multifactor priority
extern const Formula<double, double, double> fair_share_factor;

/// Weight of past usage in fair-share scheduling.
/// @param elapsed_time [s], zero or more
/// @param half_life [s], above 0
/// @return [ratio]
/// @source exponential decay
extern const Formula<double, Time, Time> usage_decay_weight;

// Allocated versus utilized

/// Cost of GPU time that is allocated but not used.
/// @param gpus [count], zero or more
/// @param allocated_fraction [ratio], 0 to 1
/// @param utilized_fraction [ratio], 0 to 1
/// @param gpu_hour_price [USD/s], zero or more
/// @param duration [s], zero or more
/// @return [USD]
/// @source price times unused time
extern const Formula<Money, Count, double, double, MoneyPerTime, Time> unused_allocation_cost;

// Dominant-resource fairness

/// Whole tasks of the first user under dominant-resource fairness of two users and two resources; a tie goes to the
/// first user.
/// @param first_resource_capacity [ratio], above 0
/// @param second_resource_capacity [ratio], above 0
/// @param first_user_first_resource [ratio], zero or more
/// @param first_user_second_resource [ratio], zero or more
/// @param second_user_first_resource [ratio], zero or more
/// @param second_user_second_resource [ratio], zero or more
/// @return [count]
/// @source Ghodsi et al. 2011 (dominant resource fairness)
extern const Formula<Count, double, double, double, double, double, double> dominant_resource_fair_tasks_first_user;

/// Whole tasks of the second user under dominant-resource fairness of two users and two resources; a tie goes to
/// the first user.
/// @param first_resource_capacity [ratio], above 0
/// @param second_resource_capacity [ratio], above 0
/// @param first_user_first_resource [ratio], zero or more
/// @param first_user_second_resource [ratio], zero or more
/// @param second_user_first_resource [ratio], zero or more
/// @param second_user_second_resource [ratio], zero or more
/// @return [count]
/// @source Ghodsi et al. 2011 (dominant resource fairness)
extern const Formula<Count, double, double, double, double, double, double> dominant_resource_fair_tasks_second_user;

// Utilization

/// GPUs freed when the same work runs at a higher utilization, rounded down; below zero when it runs at a lower
/// one.
/// @param gpus [count], zero or more
/// @param present_utilization [ratio], 0 to 1
/// @param target_utilization [ratio], above 0, at most 1
/// @return [count]
/// @source same work on fewer GPUs
extern const Formula<Count, Count, double, double> gpus_freed_by_utilization;

// Further parts of the models

/// Annual payment for one dollar of capital over a number of years; without interest the years share it. Parts of a year
/// count as such: 1.5 years are one and a half payments.
/// @param interest_rate [ratio], zero or more
/// @param years [ratio], above 0
/// @return [ratio]
/// @source annuity
extern const Formula<double, double, double> capital_recovery_factor;

/// Annual cost of capital.
/// @param capital_cost [USD], zero or more
/// @param recovery_factor [ratio], zero or more
/// @return [USD]
/// @source annuity
extern const Formula<Money, Money, double> annual_capital_cost;

/// Cost of energy in a year of 8760 h.
/// @param mean_power [W], zero or more
/// @param energy_price [USD/J], zero or more
/// @return [USD]
/// @source power times time times price
extern const Formula<Money, Power, MoneyPerEnergy> annual_energy_cost;

/// Cost of a useful GPU-hour in a year of 8760 h.
/// @param annual_cost [USD], zero or more
/// @param gpus [count], at least 1
/// @param availability_share [ratio], above 0, at most 1
/// @param goodput [ratio], above 0, at most 1
/// @return [USD/s]
/// @source annual cost over useful time
extern const Formula<MoneyPerTime, Money, Count, double, double> cost_per_gpu_hour;

/// Cost of a trained token.
/// @param gpu_hour_cost [USD/s], zero or more
/// @param token_rate_per_gpu [1/s], above 0
/// @return [USD]
/// @source cost over output
extern const Formula<Money, MoneyPerTime, Frequency> cost_per_token;

/// Cost of one line of a bill of materials.
/// @param quantity [count], zero or more
/// @param unit_price [USD], zero or more
/// @return [USD]
/// @source price times amount
extern const Formula<Money, Count, Money> line_cost;

/// Capital cost over IT power.
/// @param capital_cost [USD], zero or more
/// @param it_power [W], above 0
/// @return [USD/W]
/// @source ratio
extern const Formula<MoneyPerPower, Money, Power> capital_cost_per_power;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> budget_formulas();

} // namespace hallwright
