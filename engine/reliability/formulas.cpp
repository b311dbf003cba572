// SPDX-License-Identifier: GPL-3.0-or-later
#include "reliability/formulas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

#include "ledger/formula_range.h"

namespace hallwright {
namespace {

namespace bm = boost::math;
/// Answers of the library as numbers: a failure is NaN, which the callers turn into a sentence.
using Quiet =
    bm::policies::policy<bm::policies::domain_error<bm::policies::ignore_error>,
                         bm::policies::pole_error<bm::policies::ignore_error>,
                         bm::policies::overflow_error<bm::policies::ignore_error>,
                         bm::policies::evaluation_error<bm::policies::ignore_error>,
                         bm::policies::rounding_error<bm::policies::ignore_error>, bm::policies::promote_double<false>>;

double normal_quantile(double p) { return -std::numbers::sqrt2 * bm::erfc_inv(2.0 * p, Quiet()); }

/// P(at least `k` events) when `mean` are expected.
double poisson_upper_tail(double mean, Count k) {
  if (k <= 0) return 1.0;
  if (mean <= 0.0) return 0.0;
  return bm::gamma_p(static_cast<double>(k), mean, Quiet());
}

/// Smallest k whose cumulative Poisson probability is at least `p`, with `p` below 1.
Result<Count> poisson_quantile(double p, double mean) {
  if (mean <= 0.0 || p <= 0.0) return Count{0};
  if (!(mean <= 1e12))
    return not_applicable("the expected number of failures must be at most 1e12 for a Poisson quantile");
  const auto enough = [&](double k) { return bm::gamma_q(k + 1.0, mean, Quiet()) >= p; };
  // The cumulative probability rises with k: bracket by the standard deviation, then halve.
  const double step = 1.0 + std::sqrt(mean);
  double high = std::ceil(mean);
  for (int steps = 0; !enough(high); ++steps) {
    // Far more deviations than any level below 1 needs that a double can tell from 1.
    if (steps > 200) return not_applicable("service_level must be further below 1 for a Poisson quantile");
    high += step;
  }
  double low = -1.0; // not enough
  if (high - step > 0.0 && !enough(std::floor(high - step))) low = std::floor(high - step);
  high = std::floor(high);
  if (!enough(high)) high += 1.0;
  while (high - low > 1.0) {
    const double middle = std::floor((low + high) / 2.0);
    (enough(middle) ? high : low) = middle;
  }
  return counted_whole(high);
}

/// P(at least `k` failures) in `n` independent trials of probability `p`, with 0 <= k <= n.
double binomial_upper_tail(Count n, Count k, double p) {
  if (k <= 0) return 1.0;
  return bm::ibeta(static_cast<double>(k), static_cast<double>(n) - static_cast<double>(k) + 1.0, p, Quiet());
}

/// Quantile of the beta distribution; 0 where its first shape is 0 (no failures seen).
double beta_quantile(double p, Count a, Count b) {
  if (a <= 0) return 0.0;
  // Halving the logarithm keeps the relative digits of small bounds and cannot leave the range.
  double low = -750.0, high = 0.0;
  for (int i = 0; i < 120; ++i) {
    const double middle = (low + high) / 2.0;
    const double below = bm::ibeta(static_cast<double>(a), static_cast<double>(b), std::exp(middle), Quiet());
    (below < p ? low : high) = middle;
  }
  return std::exp(high);
}

/// 1 + W0(-exp(-x - 1)) for x = write time over mean time between failures, zero or more.
double optimal_interval_over_mean_time(double x) {
  if (x <= 0.0) return 0.0;
  // Next to the branch point W0 loses digits; the series of Daly 2006 does not.
  if (x < 1e-6) return std::sqrt(2.0 * x) * (1.0 + std::sqrt(x / 2.0) / 3.0 + x / 18.0) - x;
  return 1.0 + bm::lambert_w0(-std::exp(-x - 1.0), Quiet());
}

} // namespace

// Spares

constinit const Formula<double, Count, double, Time> mean_units_in_repair{
    .name = "mean_units_in_repair",
    .text = "units * annual_failure_rate * turnaround_time / 365.25 d",
    .source = "Little's law",
    .parameters = {"units", "annual_failure_rate", "turnaround_time"},
    .function = [](Count units, double annual_failure_rate, Time turnaround_time) -> Result<double> {
      if (auto wrong = violated({not_negative("units", units), not_negative("annual_failure_rate", annual_failure_rate),
                                 not_negative("turnaround_time", turnaround_time)}))
        return *wrong;
      return units * annual_failure_rate * turnaround_time / years(1);
    },
};

constinit const Formula<Count, Count, double, Time, double> repair_pipeline_spares{
    .name = "repair_pipeline_spares",
    .text = "poisson_quantile(service_level, units * annual_failure_rate * lead_time / 365.25 d)",
    .source = "Poisson demand in the lead time (Palm 1938)",
    .parameters = {"units", "annual_failure_rate", "lead_time", "service_level"},
    .function = [](Count units, double annual_failure_rate, Time lead_time, double service_level) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("units", units), not_negative("annual_failure_rate", annual_failure_rate),
                        not_negative("lead_time", lead_time), share_below_one("service_level", service_level)}))
        return *wrong;
      return poisson_quantile(service_level, units * annual_failure_rate * lead_time / years(1));
    },
};

constinit const Formula<Count, Count, double, Time, double> restart_pool_spares{
    .name = "restart_pool_spares",
    .text = "poisson_quantile(service_level, nodes * failures_per_1000_node_days * replenishment_time / 1000 d)",
    .source = "Poisson demand (Palm 1938)",
    .parameters = {"nodes", "failures_per_1000_node_days", "replenishment_time", "service_level"},
    .function = [](Count nodes, double failures_per_1000_node_days, Time replenishment_time,
                   double service_level) -> Result<Count> {
      if (auto wrong = violated({not_negative("nodes", nodes),
                                 not_negative("failures_per_1000_node_days", failures_per_1000_node_days),
                                 not_negative("replenishment_time", replenishment_time),
                                 share_below_one("service_level", service_level)}))
        return *wrong;
      return poisson_quantile(service_level, nodes * failures_per_1000_node_days * replenishment_time / days(1000));
    },
};

constinit const Formula<double, Count, double, Time> mean_nodes_in_repair{
    .name = "mean_nodes_in_repair",
    .text = "nodes * failures_per_1000_node_days * repair_time / 1000 d",
    .source = "Little's law",
    .parameters = {"nodes", "failures_per_1000_node_days", "repair_time"},
    .function = [](Count nodes, double failures_per_1000_node_days, Time repair_time) -> Result<double> {
      if (auto wrong = violated({not_negative("nodes", nodes),
                                 not_negative("failures_per_1000_node_days", failures_per_1000_node_days),
                                 not_negative("repair_time", repair_time)}))
        return *wrong;
      return nodes * failures_per_1000_node_days * repair_time / days(1000);
    },
};

constinit const Formula<Count, Count, double, Time, Time, double, Count> total_spare_nodes{
    .name = "total_spare_nodes",
    .text = "poisson_quantile(service_level, nodes * failures_per_1000_node_days * repair_time / 1000 d) + "
            "poisson_quantile(service_level, nodes * failures_per_1000_node_days * replenishment_time / 1000 d) + "
            "largest_failure_domain_nodes",
    .source = "Poisson demand (Palm 1938), reserves added",
    .parameters = {"nodes", "failures_per_1000_node_days", "repair_time", "replenishment_time", "service_level",
                   "largest_failure_domain_nodes"},
    .function = [](Count nodes, double failures_per_1000_node_days, Time repair_time, Time replenishment_time,
                   double service_level, Count largest_failure_domain_nodes) -> Result<Count> {
      if (auto wrong = violated(
              {not_negative("nodes", nodes), not_negative("failures_per_1000_node_days", failures_per_1000_node_days),
               not_negative("repair_time", repair_time), not_negative("replenishment_time", replenishment_time),
               share_below_one("service_level", service_level),
               not_negative("largest_failure_domain_nodes", largest_failure_domain_nodes)}))
        return *wrong;
      const auto pipeline =
          poisson_quantile(service_level, nodes * failures_per_1000_node_days * repair_time / days(1000));
      if (!pipeline) return tl::make_unexpected(pipeline.error());
      const auto pool =
          poisson_quantile(service_level, nodes * failures_per_1000_node_days * replenishment_time / days(1000));
      if (!pool) return tl::make_unexpected(pool.error());
      return counted_whole(1.0 * *pipeline + *pool + largest_failure_domain_nodes);
    },
};

// Defect rate test

constinit const Formula<double, Count, Count, double> binomial_upper_tail_probability{
    .name = "binomial_upper_tail_probability",
    .text = "sum over k = failures .. trials of binomial(trials, k) * failure_probability ^ k * (1 - "
            "failure_probability) ^ (trials - k)",
    .source = "binomial distribution",
    .parameters = {"trials", "failures", "failure_probability"},
    .function = [](Count trials, Count failures, double failure_probability) -> Result<double> {
      if (auto wrong = violated({not_negative("trials", trials), not_negative("failures", failures),
                                 share("failure_probability", failure_probability)}))
        return *wrong;
      if (failures > trials) return not_applicable("failures must be at most the number of trials");
      return binomial_upper_tail(trials, failures, failure_probability);
    },
    .monotone = Monotone::mixed,
};

// Canary size

constinit const Formula<Count, double, double, double, double> two_sample_nodes_per_arm{
    .name = "two_sample_nodes_per_arm",
    .text = "ceil(2 * ((normal_quantile(1 - significance) + normal_quantile(power)) * relative_standard_deviation / "
            "relative_effect) ^ 2)",
    .source = "normal approximation of the two-sample test",
    .parameters = {"significance", "power", "relative_standard_deviation", "relative_effect"},
    .function = [](double significance, double power, double relative_standard_deviation,
                   double relative_effect) -> Result<Count> {
      if (auto wrong = violated({open_share("significance", significance), open_share("power", power),
                                 not_negative("relative_standard_deviation", relative_standard_deviation),
                                 above_zero("relative_effect", relative_effect)}))
        return *wrong;
      const double deviates = (normal_quantile(1.0 - significance) + normal_quantile(power)) *
                              relative_standard_deviation / relative_effect;
      return counted_whole(whole_at_least(2.0 * deviates * deviates));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, double, double> canary_z_score{
    .name = "canary_z_score",
    .text = "relative_effect * sqrt(nodes) / relative_standard_deviation",
    .source = "one-sample z test",
    .parameters = {"nodes", "relative_standard_deviation", "relative_effect"},
    .function = [](Count nodes, double relative_standard_deviation, double relative_effect) -> Result<double> {
      if (auto wrong = violated({not_negative("nodes", nodes),
                                 above_zero("relative_standard_deviation", relative_standard_deviation),
                                 any_finite("relative_effect", relative_effect)}))
        return *wrong;
      return relative_effect * std::sqrt(static_cast<double>(nodes)) / relative_standard_deviation;
    },
    .monotone = Monotone::mixed,
};

// Health checks

constinit const Formula<Frequency, Count, Frequency, double> false_drain_rate{
    .name = "false_drain_rate",
    .text = "nodes * check_rate * false_positive_rate",
    .source = "expected value",
    .parameters = {"nodes", "check_rate", "false_positive_rate"},
    .function = [](Count nodes, Frequency check_rate, double false_positive_rate) -> Result<Frequency> {
      if (auto wrong = violated({not_negative("nodes", nodes), not_negative("check_rate", check_rate),
                                 share("false_positive_rate", false_positive_rate)}))
        return *wrong;
      return nodes * check_rate * false_positive_rate;
    },
};

constinit const Formula<double, Count, Frequency, double, Time> mean_nodes_wrongly_drained{
    .name = "mean_nodes_wrongly_drained",
    .text = "nodes * check_rate * false_positive_rate * time_out_of_service",
    .source = "Little's law",
    .parameters = {"nodes", "check_rate", "false_positive_rate", "time_out_of_service"},
    .function = [](Count nodes, Frequency check_rate, double false_positive_rate,
                   Time time_out_of_service) -> Result<double> {
      if (auto wrong = violated({not_negative("nodes", nodes), not_negative("check_rate", check_rate),
                                 share("false_positive_rate", false_positive_rate),
                                 not_negative("time_out_of_service", time_out_of_service)}))
        return *wrong;
      return nodes * check_rate * false_positive_rate * time_out_of_service;
    },
};

constinit const Formula<double, double, double, double> detector_precision{
    .name = "detector_precision",
    .text = "true_positive_rate * base_rate / (true_positive_rate * base_rate + false_positive_rate * (1 - base_rate))",
    .source = "Bayes' rule",
    .parameters = {"base_rate", "true_positive_rate", "false_positive_rate"},
    .function = [](double base_rate, double true_positive_rate, double false_positive_rate) -> Result<double> {
      if (auto wrong = violated({share("base_rate", base_rate), share("true_positive_rate", true_positive_rate),
                                 share("false_positive_rate", false_positive_rate)}))
        return *wrong;
      const double alarms = true_positive_rate * base_rate + false_positive_rate * (1.0 - base_rate);
      if (alarms <= 0.0)
        return not_applicable(
            "some alarms must be possible; base_rate, true_positive_rate and false_positive_rate give none");
      return true_positive_rate * base_rate / alarms;
    },
    .monotone = Monotone::mixed,
};

// Intermittent faults

constinit const Formula<double, Count, Count> laplace_failure_probability{
    .name = "laplace_failure_probability",
    .text = "(failures + 1) / (failures + passes + 2)",
    .source = "Laplace rule of succession",
    .parameters = {"failures", "passes"},
    .function = [](Count failures, Count passes) -> Result<double> {
      if (auto wrong = violated({not_negative("failures", failures), not_negative("passes", passes)})) return *wrong;
      return (failures + 1.0) / (1.0 * failures + passes + 2.0);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, Count, double> clopper_pearson_lower_bound{
    .name = "clopper_pearson_lower_bound",
    .text = "beta_quantile(1 - confidence, failures, tests - failures + 1)",
    .source = "Clopper and Pearson 1934",
    .parameters = {"failures", "tests", "confidence"},
    .function = [](Count failures, Count tests, double confidence) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("failures", failures), at_least("tests", tests, 1), open_share("confidence", confidence)}))
        return *wrong;
      if (failures > tests) return not_applicable("failures must be at most the number of tests");
      return beta_quantile(1.0 - confidence, failures, tests - failures + 1);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, double, double> consecutive_passes_needed{
    .name = "consecutive_passes_needed",
    .text = "ceil(ln(1 - confidence) / ln(1 - failure_probability))",
    .source = "geometric distribution",
    .parameters = {"failure_probability", "confidence"},
    .function = [](double failure_probability, double confidence) -> Result<Count> {
      if (auto wrong = violated(
              {open_share("failure_probability", failure_probability), share_below_one("confidence", confidence)}))
        return *wrong;
      return counted_whole(whole_at_least(std::log1p(-confidence) / std::log1p(-failure_probability)));
    },
    .monotone = Monotone::mixed,
};

// Failure excess test

constinit const Formula<double, double, Count> poisson_upper_tail_probability{
    .name = "poisson_upper_tail_probability",
    .text = "1 - sum over k = 0 .. observed_events - 1 of exp(-expected_events) * expected_events ^ k / factorial(k)",
    .source = "Poisson distribution",
    .parameters = {"expected_events", "observed_events"},
    .function = [](double expected_events, Count observed_events) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("expected_events", expected_events), not_negative("observed_events", observed_events)}))
        return *wrong;
      return poisson_upper_tail(expected_events, observed_events);
    },
    .monotone = Monotone::mixed,
};

// Failure rate

constinit const Formula<Time, Time, Count> mean_time_between_interruptions{
    .name = "mean_time_between_interruptions",
    .text = "duration / interruptions",
    .source = "observed mean",
    .parameters = {"duration", "interruptions"},
    .function = [](Time duration, Count interruptions) -> Result<Time> {
      if (auto wrong = violated({not_negative("duration", duration), at_least("interruptions", interruptions, 1)}))
        return *wrong;
      return duration / interruptions;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, Count, Time, Count, Time> scaled_interruptions{
    .name = "scaled_interruptions",
    .text = "reference_interruptions * (gpus / reference_gpus) * (duration / reference_duration)",
    .source = "failures proportional to GPU time",
    .parameters = {"reference_interruptions", "reference_gpus", "reference_duration", "gpus", "duration"},
    .function = [](Count reference_interruptions, Count reference_gpus, Time reference_duration, Count gpus,
                   Time duration) -> Result<double> {
      if (auto wrong = violated({not_negative("reference_interruptions", reference_interruptions),
                                 at_least("reference_gpus", reference_gpus, 1),
                                 above_zero("reference_duration", reference_duration), not_negative("gpus", gpus),
                                 not_negative("duration", duration)}))
        return *wrong;
      return reference_interruptions * (1.0 * gpus / reference_gpus) *
             static_cast<double>(duration / reference_duration);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Frequency, Count, Count, Time> failures_per_gpu_time{
    .name = "failures_per_gpu_time",
    .text = "interruptions / (gpus * duration)",
    .source = "observed rate",
    .parameters = {"interruptions", "gpus", "duration"},
    .function = [](Count interruptions, Count gpus, Time duration) -> Result<Frequency> {
      if (auto wrong = violated({not_negative("interruptions", interruptions), at_least("gpus", gpus, 1),
                                 above_zero("duration", duration)}))
        return *wrong;
      return 1.0 * interruptions / (1.0 * gpus * duration);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Count, Count, Time, Count> scaled_mean_time_between_failures{
    .name = "scaled_mean_time_between_failures",
    .text = "reference_duration * reference_gpus / (reference_events * gpus)",
    .source = "failures proportional to GPU time",
    .parameters = {"reference_events", "reference_gpus", "reference_duration", "gpus"},
    .function = [](Count reference_events, Count reference_gpus, Time reference_duration, Count gpus) -> Result<Time> {
      if (auto wrong = violated({at_least("reference_events", reference_events, 1),
                                 at_least("reference_gpus", reference_gpus, 1),
                                 above_zero("reference_duration", reference_duration), at_least("gpus", gpus, 1)}))
        return *wrong;
      return reference_duration * reference_gpus / (1.0 * reference_events * gpus);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Count, Count, double> node_series_mean_time_between_failures{
    .name = "node_series_mean_time_between_failures",
    .text = "1000 d / (failures_per_1000_node_days * gpus / gpus_per_node)",
    .source = "series system of exponential parts",
    .parameters = {"gpus", "gpus_per_node", "failures_per_1000_node_days"},
    .function = [](Count gpus, Count gpus_per_node, double failures_per_1000_node_days) -> Result<Time> {
      if (auto wrong = violated({at_least("gpus", gpus, 1), at_least("gpus_per_node", gpus_per_node, 1),
                                 above_zero("failures_per_1000_node_days", failures_per_1000_node_days)}))
        return *wrong;
      return days(1000) / (failures_per_1000_node_days * gpus / gpus_per_node);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count, double, Count, Time> replacement_annual_failure_rate{
    .name = "replacement_annual_failure_rate",
    .text = "events * replaced_fraction / (gpus * duration / 365.25 d)",
    .source = "observed rate",
    .parameters = {"events", "replaced_fraction", "gpus", "duration"},
    .function = [](Count events, double replaced_fraction, Count gpus, Time duration) -> Result<double> {
      if (auto wrong = violated({not_negative("events", events), share("replaced_fraction", replaced_fraction),
                                 at_least("gpus", gpus, 1), above_zero("duration", duration)}))
        return *wrong;
      return events * replaced_fraction / (gpus * static_cast<double>(duration / years(1)));
    },
    .monotone = Monotone::mixed,
};

// Checkpoint interval

constinit const Formula<Time, Time, Time> young_checkpoint_interval{
    .name = "young_checkpoint_interval",
    .text = "sqrt(2 * write_time * mean_time_between_failures)",
    .source = "Young 1974",
    .parameters = {"write_time", "mean_time_between_failures"},
    .function = [](Time write_time, Time mean_time_between_failures) -> Result<Time> {
      if (auto wrong = violated({not_negative("write_time", write_time),
                                 not_negative("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return sqrt(2.0 * write_time * mean_time_between_failures);
    },
    .estimate = true,
};

constinit const Formula<Time, Time, Time> daly_checkpoint_interval{
    .name = "daly_checkpoint_interval",
    .text = "sqrt(2 * write_time * mean_time_between_failures) * (1 + sqrt(write_time / (2 * "
            "mean_time_between_failures)) / 3 + write_time / (18 * mean_time_between_failures)) - write_time if "
            "write_time < 2 * mean_time_between_failures else mean_time_between_failures",
    .source = "Daly 2006",
    .parameters = {"write_time", "mean_time_between_failures"},
    .function = [](Time write_time, Time mean_time_between_failures) -> Result<Time> {
      if (auto wrong = violated({not_negative("write_time", write_time),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      if (write_time >= 2.0 * mean_time_between_failures) return mean_time_between_failures;
      const double half_ratio = write_time / (2.0 * mean_time_between_failures);
      return sqrt(2.0 * write_time * mean_time_between_failures) *
                 (1.0 + std::sqrt(half_ratio) / 3.0 + half_ratio / 9.0) -
             write_time;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Time> exact_checkpoint_interval{
    .name = "exact_checkpoint_interval",
    .text = "mean_time_between_failures * (1 + lambert_w0(-exp(-write_time / mean_time_between_failures - 1)))",
    .source = "exact minimiser, Lambert W; the model of Daly 2006",
    .parameters = {"write_time", "mean_time_between_failures"},
    .function = [](Time write_time, Time mean_time_between_failures) -> Result<Time> {
      if (auto wrong = violated({not_negative("write_time", write_time),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      const double x = write_time / mean_time_between_failures;
      return mean_time_between_failures * optimal_interval_over_mean_time(x);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time, Time> checkpoint_loss_fraction{
    .name = "checkpoint_loss_fraction",
    .text = "write_time / checkpoint_interval + checkpoint_interval / (2 * mean_time_between_failures)",
    .source = "Young 1974",
    .parameters = {"write_time", "checkpoint_interval", "mean_time_between_failures"},
    .function = [](Time write_time, Time checkpoint_interval, Time mean_time_between_failures) -> Result<double> {
      if (auto wrong =
              violated({not_negative("write_time", write_time), above_zero("checkpoint_interval", checkpoint_interval),
                        above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return write_time / checkpoint_interval + checkpoint_interval / (2.0 * mean_time_between_failures);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time> minimum_checkpoint_loss_fraction{
    .name = "minimum_checkpoint_loss_fraction",
    .text = "sqrt(2 * write_time / mean_time_between_failures)",
    .source = "Young 1974",
    .parameters = {"write_time", "mean_time_between_failures"},
    .function = [](Time write_time, Time mean_time_between_failures) -> Result<double> {
      if (auto wrong = violated({not_negative("write_time", write_time),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return std::sqrt(2.0 * static_cast<double>(write_time / mean_time_between_failures));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Node loss

constinit const Formula<double, Count, Count, Count> lost_replica_gpu_fraction{
    .name = "lost_replica_gpu_fraction",
    .text = "tensor_parallel * pipeline_parallel / gpus",
    .source = "replica arithmetic",
    .parameters = {"tensor_parallel", "pipeline_parallel", "gpus"},
    .function = [](Count tensor_parallel, Count pipeline_parallel, Count gpus) -> Result<double> {
      if (auto wrong = violated({at_least("tensor_parallel", tensor_parallel, 1),
                                 at_least("pipeline_parallel", pipeline_parallel, 1), at_least("gpus", gpus, 1)}))
        return *wrong;
      return 1.0 * tensor_parallel * pipeline_parallel / gpus;
    },
    .monotone = Monotone::mixed,
};

// Lost GPU time

constinit const Formula<Time, Count, Time> lost_gpu_time{
    .name = "lost_gpu_time",
    .text = "gpus * duration",
    .source = "sum over GPUs",
    .parameters = {"gpus", "duration"},
    .function = [](Count gpus, Time duration) -> Result<Time> {
      if (auto wrong = violated({not_negative("gpus", gpus), not_negative("duration", duration)})) return *wrong;
      return gpus * duration;
    },
};

// Stragglers

constinit const Formula<double, Count, double> straggler_gpu_equivalents_lost{
    .name = "straggler_gpu_equivalents_lost",
    .text = "gpus * (1 - slowest_relative_speed)",
    .source = "synchronous pace",
    .parameters = {"gpus", "slowest_relative_speed"},
    .function = [](Count gpus, double slowest_relative_speed) -> Result<double> {
      if (auto wrong = violated({not_negative("gpus", gpus), share("slowest_relative_speed", slowest_relative_speed)}))
        return *wrong;
      return gpus * (1.0 - slowest_relative_speed);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Count> expected_maximum_of_normals{
    .name = "expected_maximum_of_normals",
    .text = "normal_quantile((samples - 0.375) / (samples + 0.25))",
    .source = "Blom 1958",
    .parameters = {"samples"},
    .function = [](Count samples) -> Result<double> {
      if (auto wrong = violated({at_least("samples", samples, 1)})) return *wrong;
      return normal_quantile((samples - 0.375) / (samples + 0.25));
    },
    .estimate = true,
};

// Restart and flap loss

constinit const Formula<double, Frequency, Time> event_stall_fraction{
    .name = "event_stall_fraction",
    .text = "event_rate * stall_per_event",
    .source = "expected value",
    .parameters = {"event_rate", "stall_per_event"},
    .function = [](Frequency event_rate, Time stall_per_event) -> Result<double> {
      if (auto wrong =
              violated({not_negative("event_rate", event_rate), not_negative("stall_per_event", stall_per_event)}))
        return *wrong;
      return event_rate * stall_per_event;
    },
    .estimate = true,
};

// Recovery time

constinit const Formula<Time, Time, Time, Time, Time> recovery_time_per_failure{
    .name = "recovery_time_per_failure",
    .text = "detection_time + rescheduling_time + reload_time + checkpoint_interval / 2",
    .source = "sum of the parts of a recovery",
    .parameters = {"detection_time", "rescheduling_time", "reload_time", "checkpoint_interval"},
    .function = [](Time detection_time, Time rescheduling_time, Time reload_time,
                   Time checkpoint_interval) -> Result<Time> {
      if (auto wrong = violated(
              {not_negative("detection_time", detection_time), not_negative("rescheduling_time", rescheduling_time),
               not_negative("reload_time", reload_time), not_negative("checkpoint_interval", checkpoint_interval)}))
        return *wrong;
      return detection_time + rescheduling_time + reload_time + checkpoint_interval / 2.0;
    },
    .estimate = true,
};

constinit const Formula<double, Time, Time> recovery_time_fraction{
    .name = "recovery_time_fraction",
    .text = "recovery_time / mean_time_between_failures",
    .source = "first-order loss",
    .parameters = {"recovery_time", "mean_time_between_failures"},
    .function = [](Time recovery_time, Time mean_time_between_failures) -> Result<double> {
      if (auto wrong = violated({not_negative("recovery_time", recovery_time),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      return recovery_time / mean_time_between_failures;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Goodput

constinit const Formula<double, Count, double, Time, Time, Time> estimated_effective_training_time_ratio{
    .name = "estimated_effective_training_time_ratio",
    .text = "(1 - nodes * failures_per_1000_node_days * (restart_time + checkpoint_interval / 2) / 1000 d) / (1 + "
            "write_time / checkpoint_interval)",
    .source = "Kokolis et al. 2024 (Revisiting Reliability)",
    .parameters = {"nodes", "failures_per_1000_node_days", "restart_time", "write_time", "checkpoint_interval"},
    .function = [](Count nodes, double failures_per_1000_node_days, Time restart_time, Time write_time,
                   Time checkpoint_interval) -> Result<double> {
      if (auto wrong = violated({not_negative("nodes", nodes),
                                 not_negative("failures_per_1000_node_days", failures_per_1000_node_days),
                                 not_negative("restart_time", restart_time), not_negative("write_time", write_time),
                                 above_zero("checkpoint_interval", checkpoint_interval)}))
        return *wrong;
      const double lost_to_failures = nodes * failures_per_1000_node_days *
                                      static_cast<double>((restart_time + checkpoint_interval / 2.0) / days(1000));
      if (lost_to_failures > 1.0)
        return not_applicable(
            "failures must cost less than the whole time for this first-order estimate; use exact_checkpoint_goodput");
      return (1.0 - lost_to_failures) / (1.0 + static_cast<double>(write_time / checkpoint_interval));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time, Time, Time> exact_checkpoint_goodput{
    .name = "exact_checkpoint_goodput",
    .text = "checkpoint_interval / (mean_time_between_failures * exp(restart_time / mean_time_between_failures) * "
            "(exp((checkpoint_interval + write_time) / mean_time_between_failures) - 1))",
    .source = "Daly 2006",
    .parameters = {"write_time", "restart_time", "checkpoint_interval", "mean_time_between_failures"},
    .function = [](Time write_time, Time restart_time, Time checkpoint_interval,
                   Time mean_time_between_failures) -> Result<double> {
      if (auto wrong = violated({not_negative("write_time", write_time), not_negative("restart_time", restart_time),
                                 above_zero("checkpoint_interval", checkpoint_interval),
                                 above_zero("mean_time_between_failures", mean_time_between_failures)}))
        return *wrong;
      const double growth = std::exp(static_cast<double>(restart_time / mean_time_between_failures));
      const double attempts =
          std::expm1(static_cast<double>((checkpoint_interval + write_time) / mean_time_between_failures));
      return checkpoint_interval / mean_time_between_failures / (growth * attempts);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time, Time, Time, Time> goodput_from_time_ledger{
    .name = "goodput_from_time_ledger",
    .text = "(wall_time - checkpoint_time - restart_time - rework_time - idle_time) / wall_time",
    .source = "time ledger",
    .parameters = {"wall_time", "checkpoint_time", "restart_time", "rework_time", "idle_time"},
    .function = [](Time wall_time, Time checkpoint_time, Time restart_time, Time rework_time,
                   Time idle_time) -> Result<double> {
      if (auto wrong = violated({above_zero("wall_time", wall_time), not_negative("checkpoint_time", checkpoint_time),
                                 not_negative("restart_time", restart_time), not_negative("rework_time", rework_time),
                                 not_negative("idle_time", idle_time)}))
        return *wrong;
      const Time useful = wall_time - checkpoint_time - restart_time - rework_time - idle_time;
      if (base_value(useful) < 0.0)
        return not_applicable("checkpoint, restart, rework and idle time together must be at most the wall_time");
      return useful / wall_time;
    },
    .monotone = Monotone::mixed,
};

// Service objectives

constinit const Formula<Time, double, Time> error_budget{
    .name = "error_budget",
    .text = "(1 - objective) * window",
    .source = "service objective arithmetic",
    .parameters = {"objective", "window"},
    .function = [](double objective, Time window) -> Result<Time> {
      if (auto wrong = violated({share("objective", objective), not_negative("window", window)})) return *wrong;
      return (1.0 - objective) * window;
    },
    .monotone = Monotone::mixed,
};

// Silent data corruption

constinit const Formula<double, Count> sampled_recheck_overhead{
    .name = "sampled_recheck_overhead",
    .text = "1 / steps_per_recheck",
    .source = "share of repeated steps",
    .parameters = {"steps_per_recheck"},
    .function = [](Count steps_per_recheck) -> Result<double> {
      if (auto wrong = violated({at_least("steps_per_recheck", steps_per_recheck, 1)})) return *wrong;
      return 1.0 / steps_per_recheck;
    },
    .monotone = Monotone::mixed,
};

// Repeat failures

constinit const Formula<double, double, Time, Count> repeat_failure_probability{
    .name = "repeat_failure_probability",
    .text = "1 - sum over k = 0 .. failures - 1 of exp(-mean) * mean ^ k / factorial(k), mean = "
            "failures_per_1000_node_days * window / 1000 d",
    .source = "Poisson distribution",
    .parameters = {"failures_per_1000_node_days", "window", "failures"},
    .function = [](double failures_per_1000_node_days, Time window, Count failures) -> Result<double> {
      if (auto wrong = violated({not_negative("failures_per_1000_node_days", failures_per_1000_node_days),
                                 not_negative("window", window), not_negative("failures", failures)}))
        return *wrong;
      return poisson_upper_tail(failures_per_1000_node_days * (window / days(1000)), failures);
    },
    .monotone = Monotone::mixed,
};

// Heartbeats

constinit const Formula<Frequency, Count, Time, double, Count> heartbeat_false_alarm_rate{
    .name = "heartbeat_false_alarm_rate",
    .text = "ranks / heartbeat_period * miss_probability ^ consecutive_misses",
    .source = "independent misses",
    .parameters = {"ranks", "heartbeat_period", "miss_probability", "consecutive_misses"},
    .function = [](Count ranks, Time heartbeat_period, double miss_probability,
                   Count consecutive_misses) -> Result<Frequency> {
      if (auto wrong = violated({not_negative("ranks", ranks), above_zero("heartbeat_period", heartbeat_period),
                                 share("miss_probability", miss_probability),
                                 at_least("consecutive_misses", consecutive_misses, 1)}))
        return *wrong;
      return 1.0 * ranks / heartbeat_period * std::pow(miss_probability, static_cast<double>(consecutive_misses));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Time, double, Frequency> heartbeat_misses_for_alarm_budget{
    .name = "heartbeat_misses_for_alarm_budget",
    .text = "smallest integer k >= 1 with ranks / heartbeat_period * miss_probability ^ k < false_alarm_budget",
    .source = "independent misses",
    .parameters = {"ranks", "heartbeat_period", "miss_probability", "false_alarm_budget"},
    .function = [](Count ranks, Time heartbeat_period, double miss_probability,
                   Frequency false_alarm_budget) -> Result<Count> {
      if (auto wrong = violated({not_negative("ranks", ranks), above_zero("heartbeat_period", heartbeat_period),
                                 share_below_one("miss_probability", miss_probability),
                                 above_zero("false_alarm_budget", false_alarm_budget)}))
        return *wrong;
      const double ratio = false_alarm_budget * heartbeat_period / std::max(1.0, static_cast<double>(ranks));
      const auto within = [&](double k) { return ranks == 0 || std::pow(miss_probability, k) < ratio; };
      if (within(1.0)) return Count{1};
      double k = std::max(1.0, std::floor(std::log(ratio) / std::log(miss_probability)) - 1.0);
      if (!(k < 9.0e15))
        return not_applicable("miss_probability is too close to 1 for any number of misses to meet the budget");
      while (!within(k))
        k += 1.0;
      while (k > 1.0 && within(k - 1.0))
        k -= 1.0;
      return counted_whole(k);
    },
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<Frequency, Count, double> part_failure_rate{
    .name = "part_failure_rate",
    .text = "units * annual_failure_rate / 365.25 d",
    .source = "sum of rates",
    .parameters = {"units", "annual_failure_rate"},
    .function = [](Count units, double annual_failure_rate) -> Result<Frequency> {
      if (auto wrong =
              violated({not_negative("units", units), not_negative("annual_failure_rate", annual_failure_rate)}))
        return *wrong;
      return 1.0 * units * annual_failure_rate / years(1);
    },
};

constinit const Formula<Frequency, Count, double> node_failure_rate{
    .name = "node_failure_rate",
    .text = "nodes * failures_per_1000_node_days / 1000 d",
    .source = "sum of rates",
    .parameters = {"nodes", "failures_per_1000_node_days"},
    .function = [](Count nodes, double failures_per_1000_node_days) -> Result<Frequency> {
      if (auto wrong = violated(
              {not_negative("nodes", nodes), not_negative("failures_per_1000_node_days", failures_per_1000_node_days)}))
        return *wrong;
      return 1.0 * nodes * failures_per_1000_node_days / days(1000);
    },
};

constinit const Formula<Time, Frequency> mean_time_between_failures_of_rate{
    .name = "mean_time_between_failures_of_rate",
    .text = "1 / failure_rate",
    .source = "exponential failures",
    .parameters = {"failure_rate"},
    .function = [](Frequency failure_rate) -> Result<Time> {
      if (auto wrong = violated({above_zero("failure_rate", failure_rate)})) return *wrong;
      return 1.0 / failure_rate;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, Frequency> series_mean_time_between_failures{
    .name = "series_mean_time_between_failures",
    .text = "1 / (1 / mean_time_between_failures + user_failure_rate)",
    .source = "series system of exponential parts",
    .parameters = {"mean_time_between_failures", "user_failure_rate"},
    .function = [](Time mean_time_between_failures, Frequency user_failure_rate) -> Result<Time> {
      if (auto wrong = violated({above_zero("mean_time_between_failures", mean_time_between_failures),
                                 not_negative("user_failure_rate", user_failure_rate)}))
        return *wrong;
      return 1.0 / (1.0 / mean_time_between_failures + user_failure_rate);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, double, double, double> goodput_product{
    .name = "goodput_product",
    .text = "checkpoint_goodput * straggler_efficiency * availability_share",
    .source = "independent losses",
    .parameters = {"checkpoint_goodput", "straggler_efficiency", "availability_share"},
    .function = [](double checkpoint_goodput, double straggler_efficiency,
                   double availability_share) -> Result<double> {
      if (auto wrong = violated({share("checkpoint_goodput", checkpoint_goodput),
                                 share("straggler_efficiency", straggler_efficiency),
                                 share("availability_share", availability_share)}))
        return *wrong;
      return checkpoint_goodput * straggler_efficiency * availability_share;
    },
    .estimate = true,
};

constinit const Formula<double, Time, Time> steady_state_availability{
    .name = "steady_state_availability",
    .text = "mean_time_between_failures / (mean_time_between_failures + repair_time)",
    .source = "alternating renewal process",
    .parameters = {"mean_time_between_failures", "repair_time"},
    .function = [](Time mean_time_between_failures, Time repair_time) -> Result<double> {
      if (auto wrong = violated({above_zero("mean_time_between_failures", mean_time_between_failures),
                                 not_negative("repair_time", repair_time)}))
        return *wrong;
      return mean_time_between_failures / (mean_time_between_failures + repair_time);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Time, double> wall_time_from_compute_time{
    .name = "wall_time_from_compute_time",
    .text = "compute_time / goodput",
    .source = "goodput",
    .parameters = {"compute_time", "goodput"},
    .function = [](Time compute_time, double goodput) -> Result<Time> {
      if (auto wrong = violated({not_negative("compute_time", compute_time), positive_share("goodput", goodput)}))
        return *wrong;
      return compute_time / goodput;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> reliability_formulas() {
  return {
      any(mean_units_in_repair),
      any(repair_pipeline_spares),
      any(restart_pool_spares),
      any(mean_nodes_in_repair),
      any(total_spare_nodes),
      any(binomial_upper_tail_probability),
      any(two_sample_nodes_per_arm),
      any(canary_z_score),
      any(false_drain_rate),
      any(mean_nodes_wrongly_drained),
      any(detector_precision),
      any(laplace_failure_probability),
      any(clopper_pearson_lower_bound),
      any(consecutive_passes_needed),
      any(poisson_upper_tail_probability),
      any(mean_time_between_interruptions),
      any(scaled_interruptions),
      any(failures_per_gpu_time),
      any(scaled_mean_time_between_failures),
      any(node_series_mean_time_between_failures),
      any(replacement_annual_failure_rate),
      any(young_checkpoint_interval),
      any(daly_checkpoint_interval),
      any(exact_checkpoint_interval),
      any(checkpoint_loss_fraction),
      any(minimum_checkpoint_loss_fraction),
      any(lost_replica_gpu_fraction),
      any(lost_gpu_time),
      any(straggler_gpu_equivalents_lost),
      any(expected_maximum_of_normals),
      any(event_stall_fraction),
      any(recovery_time_per_failure),
      any(recovery_time_fraction),
      any(estimated_effective_training_time_ratio),
      any(exact_checkpoint_goodput),
      any(goodput_from_time_ledger),
      any(error_budget),
      any(sampled_recheck_overhead),
      any(repeat_failure_probability),
      any(heartbeat_false_alarm_rate),
      any(heartbeat_misses_for_alarm_budget),
      any(part_failure_rate),
      any(node_failure_rate),
      any(mean_time_between_failures_of_rate),
      any(series_mean_time_between_failures),
      any(goodput_product),
      any(steady_state_availability),
      any(wall_time_from_compute_time),
  };
}

} // namespace hallwright
