// SPDX-License-Identifier: GPL-3.0-or-later
#include "reliability/operation_formulas.h"

#include <algorithm>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Count, Count, Count> nodes_of_job{
    .name = "nodes_of_job",
    .text = "ceil(gpus / gpus_per_node)",
    .source = "whole nodes",
    .parameters = {"gpus", "gpus_per_node"},
    .function = [](Count gpus, Count gpus_per_node) -> Result<Count> {
      if (auto wrong = violated({not_negative("gpus", gpus), at_least("gpus_per_node", gpus_per_node, 1)})) return *wrong;
      return gpus / gpus_per_node + (gpus % gpus_per_node != 0 ? 1 : 0);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Time> interval_after_write{
    .name = "interval_after_write",
    .text = "max(optimal_interval, write_time)",
    .source = "the larger of the two",
    .parameters = {"optimal_interval", "write_time"},
    .function = [](Time optimal_interval, Time write_time) -> Result<Time> {
      if (auto wrong = violated({not_negative("optimal_interval", optimal_interval), not_negative("write_time", write_time)}))
        return *wrong;
      return std::max(optimal_interval, write_time);
    },
};

constinit const Formula<double, Time, Time, Time> overhead_share_of_mean_time{
    .name = "overhead_share_of_mean_time",
    .text = "(write_time + restart_time) / mean_time_between_failures",
    .source = "ratio of times",
    .parameters = {"write_time", "restart_time", "mean_time_between_failures"},
    .function = [](Time write_time, Time restart_time, Time mean_time_between_failures) -> Result<double> {
      if (auto wrong = violated({not_negative("write_time", write_time), not_negative("restart_time", restart_time),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return (write_time + restart_time) / mean_time_between_failures;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, Time, Time> failure_free_goodput{
    .name = "failure_free_goodput",
    .text = "checkpoint_interval / (checkpoint_interval + write_time)",
    .source = "limit of Daly 2006 for an endless mean time between failures",
    .parameters = {"write_time", "checkpoint_interval"},
    .function = [](Time write_time, Time checkpoint_interval) -> Result<double> {
      if (auto wrong = violated({not_negative("write_time", write_time), above_zero("checkpoint_interval", checkpoint_interval)}))
        return *wrong;
      return static_cast<double>(checkpoint_interval / (checkpoint_interval + write_time));
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, double, double> goodput_lost_to_interval{
    .name = "goodput_lost_to_interval",
    .text = "max(0, best_goodput - goodput)",
    .source = "difference",
    .parameters = {"best_goodput", "goodput"},
    .function = [](double best_goodput, double goodput) -> Result<double> {
      if (auto wrong = violated({share("best_goodput", best_goodput), share("goodput", goodput)})) return *wrong;
      return std::max(0.0, best_goodput - goodput);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::percent,
};

constinit const Formula<double, Time, Time> expected_failures_in{
    .name = "expected_failures_in",
    .text = "duration / mean_time_between_failures",
    .source = "exponential failures",
    .parameters = {"duration", "mean_time_between_failures"},
    .function = [](Time duration, Time mean_time_between_failures) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("duration", duration), above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return duration / mean_time_between_failures;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> nodes_left_free{
    .name = "nodes_left_free",
    .text = "max(0, nodes - nodes_used)",
    .source = "count",
    .parameters = {"nodes", "nodes_used"},
    .function = [](Count nodes, Count nodes_used) -> Result<Count> {
      if (auto wrong = violated({not_negative("nodes", nodes), not_negative("nodes_used", nodes_used)})) return *wrong;
      return std::max(Count{0}, nodes - nodes_used);
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> reliability_stage_formulas() {
  return {any(nodes_of_job),         any(interval_after_write), any(overhead_share_of_mean_time), any(failure_free_goodput), any(goodput_lost_to_interval),
          any(expected_failures_in), any(nodes_left_free)};
}

} // namespace hallwright
