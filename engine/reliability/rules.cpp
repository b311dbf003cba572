// SPDX-License-Identifier: GPL-3.0-or-later
#include "reliability/reliability.h"

#include <fmt/format.h>

namespace hallwright {
namespace {

const EntityRef operations_entity{"operations", 0};
const EntityRef storage_entity{"storage", 0};

Remedy clear_interval() {
  Remedy r;
  r.edit = {"Let the optimum set the checkpoint interval",
            [](const Design& d) -> Edited { return set_field(d, storage_entity, "checkpoint_interval", FieldValue{}); }};
  r.cost_dollars = 0.0;
  r.lead_time_weeks = 0.0;
  return r;
}

void check_goodput(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::vector<Remedy> remedies;
  if (context.design.storage->checkpoint_interval) remedies.push_back(clear_interval());
  if (!context.design.storage->asynchronous) {
    Remedy r;
    r.edit = {"Write checkpoints while the job runs",
              [](const Design& d) -> Edited { return set_field(d, storage_entity, "asynchronous", FieldValue(true)); }};
    r.cost_dollars = 0.0;
    r.lead_time_weeks = 0.0;
    remedies.push_back(std::move(r));
  }
  check_limit(context, rule, "reliability.goodput", {operations_entity}, std::move(remedies), findings);
}

void check_overhead(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  check_limit(context, rule, "reliability.overhead_share", {operations_entity}, {}, findings);
}

void check_interval(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (!context.design.storage->checkpoint_interval) return;
  check_limit(context, rule, "reliability.interval_loss", {storage_entity}, {clear_interval()}, findings);
}

void check_spares(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* free = context.figures.find("reliability.free_nodes");
  const Figure* hot = context.figures.find("reliability.hot_spares");
  if (!free || !hot || !free->has_value() || !hot->has_value() || free->status != Status::over_limit) return;
  findings.push_back(finding_of(rule,
                                fmt::format("The job leaves {} nodes free; {} hot spares would carry it over the failures of a "
                                            "replenishment time and the loss of the largest domain",
                                            figure_text(*free), figure_text(*hot)),
                                {operations_entity}, context, {free->id, hot->id, "reliability.spare_nodes"}));
}

} // namespace

std::vector<Rule> reliability_rules() {
  return {
      {"REL-001", Severity::warning, "Goodput reaches its target",
       "The share of time that goes into steps that count, from the exact form for exponential failures, is compared with the target: the rest is "
       "paid for and lost. Source of the limit: catalog assumption reliability.goodput_target.",
       check_goodput},
      {"REL-002", Severity::warning, "Checkpoints and restarts are short against failures",
       "When the stop for a checkpoint and the time of a restart exceed a tenth of the mean time between failures, goodput falls steeply "
       "and depends on both. Source of the limit: where first-order forms part from the exact form for exponential failures.",
       check_overhead},
      {"REL-003", Severity::warning, "The checkpoint interval is near its optimum",
       "Goodput at the interval that is set is compared with goodput at the exact optimum; a loss above one part in a hundred is reported, "
       "since another interval costs nothing. Source of the limit: project choice.",
       check_interval},
      {"REL-004", Severity::note, "Hot spares stand ready",
       "Nodes that are not part of the job are compared with the restart pool and the largest shared domain. Without them a failed node "
       "stops the job until it is repaired. Source of the limit: repair times and domains of the operations plan.",
       check_spares},
  };
}

} // namespace hallwright
