// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage.h"

#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

const EntityRef storage_entity{"storage", 0};

/// Figure with a value, or null.
const Figure* known(const CheckContext& context, std::string_view id) {
  const Figure* f = context.figures.find(id);
  return f && f->has_value() ? f : nullptr;
}

Remedy set_storage_field(std::string label, std::string field, FieldValue value) {
  Remedy r;
  r.edit = {std::move(label), [field = std::move(field), value = std::move(value)](const Design& d) -> Edited {
              return set_field(d, storage_entity, field, value);
            }};
  return r;
}

bool storage_is_drawn(const CheckContext& context) {
  for (const RackItem& item : *context.design.rack_items) {
    if (item.kind != RackItemKind::storage) continue;
    for (const Rack& r : *context.design.racks)
      if (r.rack_type == item.rack_type) return true;
  }
  return false;
}

/// So many systems of the plan that `needed` fits into `present`, where the plan is what counts.
std::vector<Remedy> more_systems(const CheckContext& context, const Figure* needed, const Figure* present) {
  const Count systems = context.design.storage->systems;
  if (!needed || !present || present->value <= 0.0 || systems <= 0 || storage_is_drawn(context)) return {};
  const double wanted = std::ceil(systems * needed->value / present->value);
  if (!(wanted > static_cast<double>(systems)) || wanted > 1e6) return {};
  std::vector<Remedy> out{set_storage_field(fmt::format("Plan {:.0f} storage systems instead of {}", wanted, systems), "systems",
                                            FieldValue(static_cast<Count>(wanted)))};
  const StoragePart* part = context.catalog.find<StoragePart>(context.design.storage->system_part);
  if (part && part->price && (part->price_unit.empty() || part->price_unit == "USD"))
    out.front().cost_dollars = (wanted - static_cast<double>(systems)) * in_dollars(*part->price);
  if (const Assumption* lead = context.catalog.find<Assumption>("lead.storage"); lead && lead->value && lead->unit == "wk")
    out.front().lead_time_weeks = *lead->value;
  return out;
}

/// A time of writing that data are missing for: says what is missing, decides nothing. False where it is known.
bool write_time_undecided(const CheckContext& context, const Rule& rule, std::string_view question, std::vector<Finding>& findings) {
  const Figure* time = context.figures.find("storage.write_time");
  const Figure* rate = context.figures.find("storage.write_rate");
  if (!time || !rate) return false;
  const bool unknown = time->completeness == Completeness::unknown;
  // Over a rate of which only a part is known the true time may be shorter: a time within its limit is, one beyond may be.
  const bool at_most = rate->completeness == Completeness::lower_bound && time->has_value() && time->status == Status::over_limit;
  if (!unknown && !at_most) return false;
  const std::string& why = unknown ? time->reason : rate->reason;
  Finding f = finding_of(rule, fmt::format("{} cannot be decided{}{}", question, why.empty() ? "" : ": ", why), {storage_entity}, context, {time->id, rate->id});
  f.severity = Severity::warning;
  f.undecided = true;
  findings.push_back(std::move(f));
  return true;
}

void check_burst(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (write_time_undecided(context, rule, "Whether a checkpoint is written within its target", findings)) return;
  auto remedies = more_systems(context, known(context, "storage.burst_needed"), known(context, "storage.write_rate"));
  if (!context.design.storage->asynchronous) {
    Remedy overlapped = set_storage_field("Write checkpoints while the job runs", "asynchronous", FieldValue(true));
    overlapped.cost_dollars = 0.0;
    overlapped.lead_time_weeks = 0.0;
    remedies.push_back(std::move(overlapped));
  }
  check_limit(context, rule, "storage.write_time", {storage_entity}, std::move(remedies), findings);
}

void check_capacity(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  check_limit(context, rule, "storage.capacity_needed", {storage_entity},
              more_systems(context, known(context, "storage.capacity_needed"), known(context, "storage.capacity")), findings);
}

void check_described(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* rate = context.figures.find("storage.write_rate");
  if (!rate || rate->completeness != Completeness::not_applicable) return;
  const Figure* burst = known(context, "storage.burst_needed");
  findings.push_back(finding_of(rule,
                                burst ? fmt::format("No storage is described; the checkpoint target asks for a write rate of {}",
                                                    figure_text(*burst))
                                      : std::string("No storage is described"),
                                {storage_entity}, context, {"storage.write_rate", "storage.burst_needed"}));
}

void check_drain(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const StoragePlan& plan = *context.design.storage;
  if (const Figure* time = context.figures.find("storage.write_time");
      plan.checkpoint_interval && time && time->completeness == Completeness::unknown) {
    write_time_undecided(context, rule, "Whether a checkpoint is written before the next one begins", findings);
    return;
  }
  const Figure* write = known(context, "storage.write_time");
  if (!write || !plan.checkpoint_interval || base_value(*plan.checkpoint_interval) >= write->value) return;
  Finding f = finding_of(rule,
                         fmt::format("A checkpoint takes {} to write, longer than the interval of {}: the next one would begin before "
                                     "the last has ended",
                                     figure_text(*write), format_quantity(base_value(*plan.checkpoint_interval), kind::time).joined()),
                         {storage_entity}, context, {"storage.write_time"});
  f.remedies.push_back(set_storage_field("Let the optimum set the checkpoint interval", "checkpoint_interval", FieldValue{}));
  f.remedies.back().cost_dollars = 0.0;
  f.remedies.back().lead_time_weeks = 0.0;
  findings.push_back(std::move(f));
}

void check_read(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  check_limit(context, rule, "storage.dataset_read", {storage_entity},
              more_systems(context, known(context, "storage.dataset_read"), known(context, "storage.read_rate")), findings);
}

/// STO-006
void check_entered(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const StoragePlan& plan = *context.design.storage;
  if (plan.system_part.empty() || !storage_is_drawn(context)) return;
  const Figure* drawn = context.figures.find("storage.system." + plan.system_part + ".count");
  const double there = drawn && drawn->has_value() ? drawn->value : 0.0;
  if (there == static_cast<double>(plan.systems)) return;
  const StoragePart* part = context.catalog.find<StoragePart>(plan.system_part);
  Finding f = finding_of(rule,
                         fmt::format("{} storage system{} {} {} entered, {:.0f} drawn: the storage network has places for those that "
                                     "are entered; rates, capacity and power are those of the drawn",
                                     plan.systems, plan.systems == 1 ? "" : "s", part ? part->name : plan.system_part,
                                     plan.systems == 1 ? "is" : "are", there),
                         {storage_entity}, context, drawn ? std::vector<std::string>{drawn->id} : std::vector<std::string>{});
  if (there >= 1.0) {
    f.remedies.push_back(set_storage_field(fmt::format("Enter the {:.0f} that {} drawn", there, there == 1.0 ? "is" : "are"), "systems",
                                           FieldValue(static_cast<Count>(there))));
    f.remedies.back().cost_dollars = 0.0;
    f.remedies.back().lead_time_weeks = 0.0;
  }
  findings.push_back(std::move(f));
}

} // namespace

std::vector<Rule> storage_rules() {
  return {
      {"STO-001", Severity::warning, "A checkpoint is written within its target",
       "The size of a checkpoint over the write rate of all storage is compared with the longest acceptable write: a slow one stops the job, or "
       "leaves more work to lose. Without a write rate this is not decided. Source of the limit: the checkpoint target of the storage plan.",
       check_burst},
      {"STO-002", Severity::warning, "Dataset and checkpoints fit",
       "The dataset and the checkpoints kept, over the share of capacity that may be filled, are compared with the capacity of all storage: "
       "file systems slow down when they are full. Source of the limit: catalog assumption storage.usable_fraction and the capacity of the parts.",
       check_capacity},
      {"STO-003", Severity::note, "Storage is described",
       "Without a storage system the write time of a checkpoint is not known; its target stands in, and goodput rests on it. Source of the "
       "limit: project choice; a plan or a drawn system answers it.",
       check_described},
      {"STO-004", Severity::warning, "A checkpoint is written before the next one begins",
       "The interval must be at least the time of a write, also when the write overlaps with the job: otherwise writes pile up. Source of the "
       "limit: the checkpoint interval of the storage plan.",
       check_drain},
      {"STO-005", Severity::warning, "Storage reads the dataset as fast as the job eats it",
       "Tokens per second times the bytes of a token id are compared with the read rate of all storage: below it GPUs wait for data. Source of "
       "the limit: read rates of the storage parts in the catalog.",
       check_read},
      {"STO-006", Severity::warning, "As many storage systems are drawn as are entered",
       "The storage plan enters a number of systems, and racks hold another number of them: the network is planned for one and everything "
       "else counts the other. Source of the limit: the storage plan and the drawing, which must tell the same.",
       check_entered},
  };
}

} // namespace hallwright
