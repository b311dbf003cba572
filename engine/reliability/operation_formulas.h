// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the reliability stage beside `reliability/formulas.h`.
namespace hallwright {

/// Nodes that a job occupies, rounded up.
/// @param gpus [count], zero or more
/// @param gpus_per_node [count], at least 1
/// @return [count]
/// @source whole nodes
extern const Formula<Count, Count, Count> nodes_of_job;

/// Interval that begins no earlier than the last write has ended, for writes that overlap with the job.
/// @param optimal_interval, write_time [s], zero or more
/// @return [s]
/// @source the larger of the two
extern const Formula<Time, Time, Time> interval_after_write;

/// What a checkpoint and a restart take, as a share of the mean time between failures: above a tenth first-order forms
/// fail and small changes of either cost much.
/// @param write_time, restart_time [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [ratio]
/// @source ratio of times
extern const Formula<double, Time, Time, Time> overhead_share_of_mean_time;

/// Goodput where nothing fails: checkpoints alone take time.
/// @param write_time [s], zero or more: stop of the job per checkpoint
/// @param checkpoint_interval [s], above 0
/// @return [share], above 0, at most 1
/// @source limit of exact_checkpoint_goodput (Daly 2006) for an endless mean time between failures
extern const Formula<double, Time, Time> failure_free_goodput;

/// Goodput that a better interval would give back.
/// @param best_goodput, goodput [ratio], 0 to 1
/// @return [ratio], zero or more
/// @source difference
extern const Formula<double, double, double> goodput_lost_to_interval;

/// Failures expected in a duration.
/// @param duration [s], zero or more
/// @param mean_time_between_failures [s], above 0
/// @return [ratio]
/// @source exponential failures
extern const Formula<double, Time, Time> expected_failures_in;

/// Nodes that stand in the cluster and are not part of the job; none when the job takes more than there are.
/// @param nodes, nodes_used [count], zero or more
/// @return [count]
/// @source count
extern const Formula<Count, Count, Count> nodes_left_free;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> reliability_stage_formulas();

} // namespace hallwright
