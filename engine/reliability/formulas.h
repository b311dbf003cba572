// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of failures, checkpoint intervals, goodput, spares and statistics.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Spares

/// Mean number of units in repair; the annual failure rate is failures of one unit in a Julian year.
/// @param units [count], zero or more
/// @param annual_failure_rate [ratio], zero or more
/// @param turnaround_time [s], zero or more
/// @return [ratio]
/// @source Little's law
extern const Formula<double, Count, double, Time> mean_units_in_repair;

/// Spare units that cover the failures of a lead time with the given probability.
/// @param units [count], zero or more
/// @param annual_failure_rate [ratio], zero or more
/// @param lead_time [s], zero or more
/// @param service_level [ratio], at least 0, below 1
/// @return [count]
/// @source Poisson demand in the lead time (Palm 1938)
extern const Formula<Count, Count, double, Time, double> repair_pipeline_spares;

/// Spare nodes that cover the failures of a replenishment time with the given probability; the rate is failures per
/// 1000 node-days.
/// @param nodes [count], zero or more
/// @param failures_per_1000_node_days [ratio], zero or more
/// @param replenishment_time [s], zero or more
/// @param service_level [ratio], at least 0, below 1
/// @return [count]
/// @source Poisson demand (Palm 1938)
extern const Formula<Count, Count, double, Time, double> restart_pool_spares;

/// Mean number of nodes in repair; the rate is failures per 1000 node-days.
/// @param nodes [count], zero or more
/// @param failures_per_1000_node_days [ratio], zero or more
/// @param repair_time [s], zero or more
/// @return [ratio]
/// @source Little's law
extern const Formula<double, Count, double, Time> mean_nodes_in_repair;

/// Repair pipeline, restart pool and correlated-failure buffer, each sized alone, then added.
/// @param nodes [count], zero or more
/// @param failures_per_1000_node_days [ratio], zero or more
/// @param repair_time [s], zero or more
/// @param replenishment_time [s], zero or more
/// @param service_level [ratio], at least 0, below 1
/// @param largest_failure_domain_nodes [count], zero or more
/// @return [count]
/// @source Poisson demand (Palm 1938), reserves added
extern const Formula<Count, Count, double, Time, Time, double, Count> total_spare_nodes;

// Defect rate test

/// Probability of at least this many failures in independent trials at the claimed failure probability.
/// @param trials [count], zero or more
/// @param failures [count], zero or more
/// @param failure_probability [ratio], 0 to 1
/// @return [ratio]
/// @source binomial distribution
extern const Formula<double, Count, Count, double> binomial_upper_tail_probability;

// Canary size

/// Nodes of each arm of a one-sided test of two means with equal known deviation; power is 1 minus the probability
/// of missing the effect.
/// @param significance [ratio], above 0, below 1
/// @param power [ratio], above 0, below 1
/// @param relative_standard_deviation [ratio], zero or more
/// @param relative_effect [ratio], above 0
/// @return [count]
/// @source normal approximation of the two-sample test
extern const Formula<Count, double, double, double, double> two_sample_nodes_per_arm;

/// Deviation of the canary mean from a known baseline, in standard errors.
/// @param nodes [count], zero or more
/// @param relative_standard_deviation [ratio], above 0
/// @param relative_effect [ratio], any sign
/// @return [ratio]
/// @source one-sample z test
extern const Formula<double, Count, double, double> canary_z_score;

// Health checks

/// Healthy nodes that health checks drain in a unit of time.
/// @param nodes [count], zero or more
/// @param check_rate [1/s], zero or more
/// @param false_positive_rate [ratio], 0 to 1
/// @return [1/s]
/// @source expected value
extern const Formula<Frequency, Count, Frequency, double> false_drain_rate;

/// Mean number of healthy nodes out of service through false positives.
/// @param nodes [count], zero or more
/// @param check_rate [1/s], zero or more
/// @param false_positive_rate [ratio], 0 to 1
/// @param time_out_of_service [s], zero or more
/// @return [ratio]
/// @source Little's law
extern const Formula<double, Count, Frequency, double, Time> mean_nodes_wrongly_drained;

/// Share of alarms that are true.
/// @param base_rate [ratio], 0 to 1
/// @param true_positive_rate [ratio], 0 to 1
/// @param false_positive_rate [ratio], 0 to 1
/// @return [ratio]
/// @source Bayes' rule
extern const Formula<double, double, double, double> detector_precision;

// Intermittent faults

/// Posterior mean of a failure probability with a uniform prior.
/// @param failures [count], zero or more
/// @param passes [count], zero or more
/// @return [ratio]
/// @source Laplace rule of succession
extern const Formula<double, Count, Count> laplace_failure_probability;

/// One-sided exact lower confidence bound on a failure probability: where at least this many failures have chance 1
/// - confidence.
/// @param failures [count], zero or more
/// @param tests [count], at least 1
/// @param confidence [ratio], above 0, below 1
/// @return [ratio]
/// @source Clopper and Pearson 1934
extern const Formula<double, Count, Count, double> clopper_pearson_lower_bound;

/// Passes in a row after which the failure probability is below the given one at this confidence.
/// @param failure_probability [ratio], above 0, below 1
/// @param confidence [ratio], at least 0, below 1
/// @return [count]
/// @source geometric distribution
extern const Formula<Count, double, double> consecutive_passes_needed;

// Failure excess test

/// Probability of at least this many events when so many are expected.
/// @param expected_events [ratio], zero or more
/// @param observed_events [count], zero or more
/// @return [ratio]
/// @source Poisson distribution
extern const Formula<double, double, Count> poisson_upper_tail_probability;

// Failure rate

/// Mean time between interruptions over an observed duration.
/// @param duration [s], zero or more
/// @param interruptions [count], at least 1
/// @return [s]
/// @source observed mean
extern const Formula<Time, Time, Count> mean_time_between_interruptions;

/// Expected interruptions of another run, proportional to GPUs and time; not rounded.
/// @param reference_interruptions [count], zero or more
/// @param reference_gpus [count], at least 1
/// @param reference_duration [s], above 0
/// @param gpus [count], zero or more
/// @param duration [s], zero or more
/// @return [ratio], an estimate
/// @source failures proportional to GPU time
extern const Formula<double, Count, Count, Time, Count, Time> scaled_interruptions;

/// Failures per GPU time.
/// @param interruptions [count], zero or more
/// @param gpus [count], at least 1
/// @param duration [s], above 0
/// @return [1/s]
/// @source observed rate
extern const Formula<Frequency, Count, Count, Time> failures_per_gpu_time;

/// Mean time between events of another number of GPUs, with a rate proportional to GPUs.
/// @param reference_events [count], at least 1
/// @param reference_gpus [count], at least 1
/// @param reference_duration [s], above 0
/// @param gpus [count], at least 1
/// @return [s], an estimate
/// @source failures proportional to GPU time
extern const Formula<Time, Count, Count, Time, Count> scaled_mean_time_between_failures;

/// Mean time between failures of a job that any node failure stops; the rate is failures per 1000 node-days.
/// @param gpus [count], at least 1
/// @param gpus_per_node [count], at least 1
/// @param failures_per_1000_node_days [ratio], above 0
/// @return [s]
/// @source series system of exponential parts
extern const Formula<Time, Count, Count, double> node_series_mean_time_between_failures;

/// Annual failure rate from replacements over an observed GPU time (Julian year).
/// @param events [count], zero or more
/// @param replaced_fraction [ratio], 0 to 1
/// @param gpus [count], at least 1
/// @param duration [s], above 0
/// @return [ratio]
/// @source observed rate
extern const Formula<double, Count, double, Count, Time> replacement_annual_failure_rate;

// Checkpoint interval

/// First-order interval between blocking checkpoint writes.
/// @param write_time [s], zero or more
/// @param mean_time_between_failures [s], zero or more
/// @return [s], an estimate
/// @source Young 1974
extern const Formula<Time, Time, Time> young_checkpoint_interval;

/// Higher-order compute time between checkpoint writes; the mean time between failures once a write takes twice as
/// long.
/// @param write_time [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [s], an estimate
/// @source Daly 2006
extern const Formula<Time, Time, Time> daly_checkpoint_interval;

/// Compute time between writes that loses least under exponential failures, which may also strike during a write.
/// @param write_time [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [s]
/// @source exact minimiser, Lambert W; the model of Daly 2006
extern const Formula<Time, Time, Time> exact_checkpoint_interval;

/// Share of time lost to writes and rework, to first order; restart time left out.
/// @param write_time [s], zero or more
/// @param checkpoint_interval [s], above 0
/// @param mean_time_between_failures [s], above 0
/// @return [ratio], an estimate
/// @source Young 1974
extern const Formula<double, Time, Time, Time> checkpoint_loss_fraction;

/// checkpoint_loss_fraction at the Young interval.
/// @param write_time [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [ratio], an estimate
/// @source Young 1974
extern const Formula<double, Time, Time> minimum_checkpoint_loss_fraction;

// Node loss

/// Share of the GPUs that a lost node idles: its whole pipeline replica.
/// @param tensor_parallel [count], at least 1
/// @param pipeline_parallel [count], at least 1
/// @param gpus [count], at least 1
/// @return [ratio]
/// @source replica arithmetic
extern const Formula<double, Count, Count, Count> lost_replica_gpu_fraction;

// Lost GPU time

/// GPU time lost while all GPUs wait (restart, timeout, link flap).
/// @param gpus [count], zero or more
/// @param duration [s], zero or more
/// @return [s]
/// @source sum over GPUs
extern const Formula<Time, Count, Time> lost_gpu_time;

// Stragglers

/// GPU equivalents lost by a synchronous job paced by its slowest GPU.
/// @param gpus [count], zero or more
/// @param slowest_relative_speed [ratio], 0 to 1
/// @return [ratio]
/// @source synchronous pace
extern const Formula<double, Count, double> straggler_gpu_equivalents_lost;

/// Expected maximum of normal samples, in standard deviations above the mean.
/// @param samples [count], at least 1
/// @return [ratio], an estimate
/// @source Blom 1958
extern const Formula<double, Count> expected_maximum_of_normals;

// Restart and flap loss

/// Share of time lost to events (restarts, link flaps) that do not overlap.
/// @param event_rate [1/s], zero or more
/// @param stall_per_event [s], zero or more
/// @return [ratio], an estimate
/// @source expected value
extern const Formula<double, Frequency, Time> event_stall_fraction;

// Recovery time

/// Time that one failure costs; on average half an interval of work is done again.
/// @param detection_time [s], zero or more
/// @param rescheduling_time [s], zero or more
/// @param reload_time [s], zero or more
/// @param checkpoint_interval [s], zero or more
/// @return [s], an estimate
/// @source sum of the parts of a recovery
extern const Formula<Time, Time, Time, Time, Time> recovery_time_per_failure;

/// Share of time lost to recovery, to first order.
/// @param recovery_time [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [ratio], an estimate
/// @source first-order loss
extern const Formula<double, Time, Time> recovery_time_fraction;

// Goodput

/// Published first-order estimate of goodput; queueing left out.
/// @param nodes [count], zero or more
/// @param failures_per_1000_node_days [ratio], zero or more
/// @param restart_time [s], zero or more
/// @param write_time [s], zero or more
/// @param checkpoint_interval [s], above 0
/// @return [ratio], an estimate
/// @source Kokolis et al. 2024 (Revisiting Reliability)
extern const Formula<double, Count, double, Time, Time, Time> estimated_effective_training_time_ratio;

/// Goodput under exponential failures that may strike during a write and a restart.
/// @param write_time [s], zero or more
/// @param restart_time [s], zero or more
/// @param checkpoint_interval [s], above 0
/// @param mean_time_between_failures [s], above 0
/// @return [ratio]
/// @source Daly 2006
extern const Formula<double, Time, Time, Time, Time> exact_checkpoint_goodput;

/// Goodput from the time that a run spent on everything else.
/// @param wall_time [s], above 0
/// @param checkpoint_time [s], zero or more
/// @param restart_time [s], zero or more
/// @param rework_time [s], zero or more
/// @param idle_time [s], zero or more
/// @return [ratio]
/// @source time ledger
extern const Formula<double, Time, Time, Time, Time, Time> goodput_from_time_ledger;

// Service objectives

/// Time in a window that an objective leaves for outages.
/// @param objective [ratio], 0 to 1
/// @param window [s], zero or more
/// @return [s]
/// @source service objective arithmetic
extern const Formula<Time, double, Time> error_budget;

// Silent data corruption

/// Overhead of running one step in this many again on other ranks.
/// @param steps_per_recheck [count], at least 1
/// @return [ratio]
/// @source share of repeated steps
extern const Formula<double, Count> sampled_recheck_overhead;

// Repeat failures

/// Chance that a healthy node has at least this many failures in the window at the fleet rate.
/// @param failures_per_1000_node_days [ratio], zero or more
/// @param window [s], zero or more
/// @param failures [count], zero or more
/// @return [ratio]
/// @source Poisson distribution
extern const Formula<double, double, Time, Count> repeat_failure_probability;

// Heartbeats

/// Rate of false alarms when heartbeats are missed independently; every period starts a possible run.
/// @param ranks [count], zero or more
/// @param heartbeat_period [s], above 0
/// @param miss_probability [ratio], 0 to 1
/// @param consecutive_misses [count], at least 1
/// @return [1/s], an estimate
/// @source independent misses
extern const Formula<Frequency, Count, Time, double, Count> heartbeat_false_alarm_rate;

/// Fewest consecutive misses that keep false alarms below the budget.
/// @param ranks [count], zero or more
/// @param heartbeat_period [s], above 0
/// @param miss_probability [ratio], at least 0, below 1
/// @param false_alarm_budget [1/s], above 0
/// @return [count]
/// @source independent misses
extern const Formula<Count, Count, Time, double, Frequency> heartbeat_misses_for_alarm_budget;

// Further parts of the models

/// Failures per time of equal units (Julian year).
/// @param units [count], zero or more
/// @param annual_failure_rate [ratio], zero or more
/// @return [1/s]
/// @source sum of rates
extern const Formula<Frequency, Count, double> part_failure_rate;

/// Failures per time of nodes.
/// @param nodes [count], zero or more
/// @param failures_per_1000_node_days [ratio], zero or more
/// @return [1/s]
/// @source sum of rates
extern const Formula<Frequency, Count, double> node_failure_rate;

/// Mean time between failures of a rate.
/// @param failure_rate [1/s], above 0
/// @return [s]
/// @source exponential failures
extern const Formula<Time, Frequency> mean_time_between_failures_of_rate;

/// Mean time between failures of a job when failures that do not grow with size (code, data, users) join those of
/// the parts.
/// @param mean_time_between_failures [s], above 0
/// @param user_failure_rate [1/s], zero or more
/// @return [s]
/// @source series system of exponential parts
extern const Formula<Time, Time, Frequency> series_mean_time_between_failures;

/// Goodput when independent losses multiply.
/// @param checkpoint_goodput [ratio], 0 to 1
/// @param straggler_efficiency [ratio], 0 to 1
/// @param availability_share [ratio], 0 to 1
/// @return [ratio], an estimate
/// @source independent losses
extern const Formula<double, double, double, double> goodput_product;

/// Share of time that a unit is in service.
/// @param mean_time_between_failures [s], above 0
/// @param repair_time [s], zero or more
/// @return [ratio]
/// @source alternating renewal process
extern const Formula<double, Time, Time> steady_state_availability;

/// Wall time of a training from its time without interruptions.
/// @param compute_time [s], zero or more
/// @param goodput [ratio], above 0, at most 1
/// @return [s]
/// @source goodput
extern const Formula<Time, Time, double> wall_time_from_compute_time;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> reliability_formulas();

} // namespace hallwright
