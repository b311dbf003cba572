// SPDX-License-Identifier: GPL-3.0-or-later
#include "reliability/reliability.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "reliability/formulas.h"
#include "reliability/operation_formulas.h"
#include "training/figure_values.h"

namespace hallwright {
namespace {

/// Nodes that one shared thing takes along when it fails.
struct Domain {
  std::string kind; ///< "rack", "coolant loop", "single feed"
  Id id = 0;
  Count nodes = 0;
};

/// Largest domain of each kind in the drawing. A rack with two feeds survives the loss of one.
std::vector<Domain> drawn_domains(const ReliabilityInputs& inputs) {
  std::map<Id, Count> nodes_of_type;
  for (const RackItem& item : *inputs.rack_items)
    if (item.kind == RackItemKind::node) nodes_of_type[item.rack_type] += item.count;
  std::map<Id, Count> loops, feeds;
  Domain rack{"rack", 0, 0};
  for (const Rack& r : *inputs.racks) {
    const auto held = nodes_of_type.find(r.rack_type);
    if (held == nodes_of_type.end() || held->second <= 0) continue;
    if (held->second > rack.nodes) rack = {"rack", r.id, held->second};
    if (r.loop) loops[r.loop] += held->second;
    const bool both = r.feed_a != 0 && r.feed_b != 0 && r.feed_a != r.feed_b;
    const Id only = r.feed_a ? r.feed_a : r.feed_b;
    if (!both && only) feeds[only] += held->second;
  }
  std::vector<Domain> out;
  if (rack.nodes > 0) out.push_back(rack);
  const auto largest = [&](std::string kind, const std::map<Id, Count>& domains) {
    Domain d{std::move(kind), 0, 0};
    for (const auto& [id, nodes] : domains)
      if (nodes > d.nodes) d = {d.kind, id, nodes};
    if (d.nodes > 0) out.push_back(d);
  };
  largest("coolant loop", loops);
  largest("single feed", feeds);
  return out;
}

Table spares_table(const std::vector<std::pair<std::string, Traced<Count>>>& rows, const std::vector<std::string>& covers,
                   const std::vector<std::string>& figures) {
  Table t;
  t.id = "reliability.spares";
  t.title = "Spares in three reserves";
  t.columns.reserve(3);
  auto& reserve = t.add_words("reserve", "Reserve").words;
  auto& cover = t.add_words("covers", "What it covers").words;
  auto& count = t.add_numbers("count", "Count", kind::count).numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    reserve.push_back(rows[i].first);
    cover.push_back(covers[i]);
    count.push_back(rows[i].second.has_value() ? static_cast<double>(rows[i].second.value) : std::nan(""));
    t.row_figures.push_back(figures[i]);
  }
  return t;
}

/// Goodput against the interval, evenly spaced in its logarithm from a tenth to ten times the optimum.
Table interval_table(Time stall, Time restart, Time best, Time mean_time) {
  Table t;
  t.id = "reliability.interval";
  t.title = "Goodput against checkpoint interval";
  t.columns.reserve(2);
  auto& interval = t.add_numbers("interval", "Checkpoint interval", kind::time).numbers;
  auto& goodput = t.add_numbers("goodput", "Goodput", kind::percent).numbers;
  constexpr int points = 30;
  for (int i = 0; i < points; ++i) {
    const Time each = std::pow(10.0, -1.0 + 2.0 * i / (points - 1)) * best;
    const auto g = exact_checkpoint_goodput.function(stall, restart, each, mean_time);
    if (!g || !std::isfinite(*g)) continue;
    interval.push_back(base_value(each));
    goodput.push_back(*g);
  }
  return t;
}

constexpr double largest_overhead_share = 0.1;
constexpr double tolerable_interval_loss = 0.01;

} // namespace

ReliabilityResult reliability(const ReliabilityInputs& inputs, const PopulationResult& population, const TrainingResult& training,
                              const StorageResult& storage) {
  ReliabilityResult out;
  Ledger ledger(Page::reliability);
  const Operations& operations = *inputs.operations;
  const Catalog& catalog = *inputs.catalog;
  std::vector<Table> tables;
  const auto node_rate = design_value<&Operations::node_failures_per_1000_node_days>(ledger, "operations", operations);
  const auto service = design_value<&Operations::service_level>(ledger, "operations", operations);
  const auto replenishment = design_value<&Operations::replenishment_time>(ledger, "operations", operations);

  // Failures: nodes in series, and what does not grow with size.
  Traced<Count> job_nodes;
  if (population.accelerators.has_value() && population.accelerators.value > 0) {
    job_nodes = ledger.derive("reliability.job_nodes", "Nodes of the job", nodes_of_job, training.gpus_used, population.accelerators_per_node);
  } else {
    job_nodes = ledger.absent<Count>("reliability.job_nodes", "Nodes of the job", Completeness::not_applicable, "there are no GPUs");
  }
  const auto part_rate = ledger.derive("reliability.node_failure_rate", "Failures of the nodes of the job", node_failure_rate, job_nodes, node_rate);
  const auto user_rate = design_value<&Operations::user_failure_rate>(ledger, "operations", operations);
  bool no_failures = false; // both rates are entered as 0: the limit in which nothing fails
  if (part_rate.has_value()) {
    const auto rate = ledger.sum<Frequency>("reliability.failure_rate", "Failures of the job", {part_rate, user_rate});
    out.mean_time_between_failures =
        ledger.derive("reliability.mtbf", "Mean time between failures of the job", mean_time_between_failures_of_rate, rate);
    no_failures = rate.completeness == Completeness::exact && base_value(rate.value) == 0.0;
  } else {
    out.mean_time_between_failures = ledger.as<Time>("reliability.mtbf", "Mean time between failures of the job", retyped<Time>(part_rate));
  }

  // The interval and what it leaves.
  const auto restart = ledger.sum<Time>("reliability.restart_time", "Detection, rescheduling and reload",
                                        {design_value<&Operations::detection_time>(ledger, "operations", operations),
                                         design_value<&Operations::rescheduling_time>(ledger, "operations", operations),
                                         design_value<&Operations::reload_time>(ledger, "operations", operations)});
  auto best_interval = ledger.derive("reliability.optimal_interval", "Interval that loses least", exact_checkpoint_interval, storage.stall,
                                     out.mean_time_between_failures);
  if (inputs.storage->asynchronous && storage.write_time.has_value())
    best_interval = ledger.derive("reliability.optimal_interval_after_write", "Interval that loses least, after the last write",
                                  interval_after_write, best_interval, storage.write_time);
  if (inputs.storage->checkpoint_interval) {
    out.checkpoint_interval = ledger.as<Time>("reliability.checkpoint_interval", "Checkpoint interval, as set",
                                              design_value<&StoragePlan::checkpoint_interval>(ledger, "storage", *inputs.storage));
  } else {
    out.checkpoint_interval = ledger.as<Time>("reliability.checkpoint_interval", "Checkpoint interval, optimum", best_interval);
  }
  // Beside the training a checkpoint is whole only when its write has ended: until then a failure falls back to the one
  // before, and the next one waits.
  Traced<Time> recovery = restart, interval = out.checkpoint_interval;
  if (inputs.storage->asynchronous) {
    recovery = ledger.sum<Time>("reliability.recovery_time", "Restart, and the work since the checkpoint that is whole was begun",
                                {restart, storage.write_time});
    if (inputs.storage->checkpoint_interval && storage.write_time.has_value())
      interval = ledger.derive("reliability.interval_in_effect", "Checkpoint interval, after the last write", interval_after_write,
                               out.checkpoint_interval, storage.write_time);
  }
  Traced<double> under_failures;
  if (!no_failures) {
    Formula in_percent = exact_checkpoint_goodput;
    in_percent.result_kind = &kind::percent;
    under_failures = ledger.derive("reliability.checkpoint_goodput", "Goodput under checkpoints and failures", in_percent, storage.stall,
                                   recovery, interval, out.mean_time_between_failures);
  } else if (inputs.storage->checkpoint_interval) {
    under_failures = ledger.derive("reliability.checkpoint_goodput", "Goodput under checkpoints, without failures", failure_free_goodput,
                                   storage.stall, interval);
  } else {
    under_failures = ledger.constant<double>("reliability.checkpoint_goodput", "Goodput without failures", 1.0,
                                             "nothing fails, so that no checkpoint is needed and none is counted", &kind::percent);
  }
  out.goodput = ledger.as<double>("reliability.goodput", "Goodput", under_failures, &kind::percent);
  ledger.limit(out.goodput, assumption<double>(ledger, catalog, "reliability.goodput_target"), LimitSense::at_least, 1.0);
  out.wall_time = ledger.derive("reliability.wall_time", "Time on the wall", wall_time_from_compute_time, training.compute_time, out.goodput);
  if (no_failures)
    out.expected_failures = ledger.measured<double>("reliability.expected_failures", "Failures expected in the run", 0.0,
                                                    "both failure rates are entered as 0");
  else
    out.expected_failures = ledger.derive("reliability.expected_failures", "Failures expected in the run", expected_failures_in,
                                          out.wall_time, out.mean_time_between_failures);

  const auto overhead = ledger.derive("reliability.overhead_share", "Checkpoint and restart, share of the mean time between failures",
                                      overhead_share_of_mean_time, storage.stall, recovery, out.mean_time_between_failures);
  ledger.limit(overhead,
               ledger.constant<double>("reliability.overhead_limit", "Overhead beyond which first-order forms fail", largest_overhead_share,
                                       "first-order forms against the exact form: they part above a tenth", &kind::percent),
               LimitSense::at_most, 1.0);
  if (inputs.storage->checkpoint_interval) {
    const auto best = ledger.derive("reliability.best_goodput", "Goodput at the optimum", exact_checkpoint_goodput, storage.stall, recovery,
                                    best_interval, out.mean_time_between_failures);
    const auto lost =
        ledger.derive("reliability.interval_loss", "Goodput lost to the interval that is set", goodput_lost_to_interval, best, out.goodput);
    ledger.limit(lost,
                 ledger.constant<double>("reliability.interval_loss_limit", "Loss worth a change of the interval", tolerable_interval_loss,
                                         "choice of the method: one part in a hundred", &kind::percent),
                 LimitSense::at_most, 1.0);
  }
  if (best_interval.has_value() && storage.stall.has_value() && best_interval.value > seconds(0))
    tables.push_back(interval_table(storage.stall.value, recovery.value, best_interval.value, out.mean_time_between_failures.value));

  // Spares: nodes in repair, nodes for the next restart, the largest domain that may go at once.
  const auto repair_time = design_value<&Operations::repair_time>(ledger, "operations", operations);
  out.repair_spares = ledger.derive("reliability.repair_spares", "Nodes for the repair pipeline", restart_pool_spares, population.nodes,
                                    node_rate, repair_time, service);
  out.restart_spares = ledger.derive("reliability.restart_spares", "Nodes for the restart pool", restart_pool_spares, population.nodes,
                                     node_rate, replenishment, service);
  const std::vector<Domain> domains = drawn_domains(inputs);
  std::string domain_words = "the largest shared domain, as set";
  if (operations.largest_failure_domain_nodes > 0) {
    out.domain_spares = ledger.as<Count>("reliability.domain_spares", "Nodes for the largest shared domain",
                                         design_value<&Operations::largest_failure_domain_nodes>(ledger, "operations", operations));
  } else if (!domains.empty() && domains.front().kind == "rack") {
    domain_words = "one rack, the largest in the drawing";
    out.domain_spares = ledger.counted("reliability.domain_spares", "Nodes for the largest shared domain", domains.front().nodes,
                                       "nodes of the fullest rack; loops and single feeds are listed, not held in reserve");
  } else {
    domain_words = "nothing is drawn yet";
    out.domain_spares = ledger.absent<Count>("reliability.domain_spares", "Nodes for the largest shared domain",
                                             Completeness::not_applicable, "no rack with nodes is drawn");
  }
  out.spare_nodes = ledger.sum<Count>("reliability.spare_nodes", "Spare nodes", {out.repair_spares, out.restart_spares, out.domain_spares});
  out.spare_gpus = ledger.derive("reliability.spare_gpus", "Spare GPUs for the repair pipeline", repair_pipeline_spares,
                                 population.accelerators,
                                 design_value<&Operations::annual_gpu_replacement_rate>(ledger, "operations", operations),
                                 design_value<&Operations::part_lead_time>(ledger, "operations", operations), service);
  const auto hot = ledger.sum<Count>("reliability.hot_spares", "Hot spare nodes: restart pool and largest domain",
                                     {out.restart_spares, out.domain_spares});
  if (job_nodes.has_value()) {
    const auto free = ledger.derive("reliability.free_nodes", "Nodes that the job leaves free", nodes_left_free, population.nodes, job_nodes);
    ledger.limit(free, hot, LimitSense::at_least, 1.0);
  }

  tables.push_back(spares_table({{"repair pipeline", out.repair_spares},
                                 {"restart pool", out.restart_spares},
                                 {"largest domain", out.domain_spares},
                                 {"spare nodes", out.spare_nodes},
                                 {"spare GPUs", out.spare_gpus}},
                                {"nodes that are in repair", "nodes that fail before the pool is refilled", domain_words,
                                 "the three reserves", "GPUs bought ahead of their lead time"},
                                {"reliability.repair_spares", "reliability.restart_spares", "reliability.domain_spares",
                                 "reliability.spare_nodes", "reliability.spare_gpus"}));
  if (!domains.empty()) {
    Table t;
    t.id = "reliability.domains";
    t.title = "Largest shared domains in the drawing";
    t.columns.reserve(2);
    auto& kinds = t.add_words("domain", "Shared by").words;
    auto& nodes = t.add_numbers("nodes", "Nodes", kind::count).numbers;
    for (const Domain& d : domains) {
      kinds.push_back(d.kind);
      nodes.push_back(static_cast<double>(d.nodes));
      t.entities.push_back(d.id);
    }
    tables.push_back(std::move(t));
  }

  out.page = ledger.finish_page();
  out.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  return out;
}

} // namespace hallwright
