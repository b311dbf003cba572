// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage.h"

#include <limits>
#include <map>

#include <fmt/format.h>

#include "storage/checkpoint_formulas.h"
#include "storage/formulas.h"
#include "training/figure_values.h"

namespace hallwright {
namespace {

/// Systems of one part, drawn or planned.
struct StorageLine {
  const StoragePart* part = nullptr; ///< null: the catalog does not have it
  std::string id;
  Traced<Count> systems;
};

std::vector<StorageLine> lines_of(Ledger& ledger, const StorageInputs& inputs) {
  std::map<Id, Count> racks_of_type;
  for (const Rack& r : *inputs.racks) ++racks_of_type[r.rack_type];
  std::map<std::string, std::vector<Traced<Count>>> drawn; // by part id
  for (const RackItem& item : *inputs.rack_items) {
    if (item.kind != RackItemKind::storage) continue;
    const auto racks = racks_of_type.find(item.rack_type);
    if (racks == racks_of_type.end()) continue;
    const auto standing = ledger.counted(fmt::format("storage.item.{}.racks", item.id), "Racks with this storage", racks->second,
                                         "racks of the type that holds the item");
    drawn[item.part].push_back(ledger.derive(fmt::format("storage.item.{}.systems", item.id), "Storage systems drawn", systems_in_racks,
                                             standing, design_value<&RackItem::count>(ledger, "rack_items", item)));
  }
  std::vector<StorageLine> out;
  for (const auto& [part, counts] : drawn)
    out.push_back({inputs.catalog->find<StoragePart>(part), part,
                   ledger.sum<Count>(fmt::format("storage.system.{}.count", part), "Storage systems", counts)});
  if (!drawn.empty()) return out;
  const StoragePlan& plan = *inputs.plan;
  if (!plan.system_part.empty() && plan.systems > 0)
    out.push_back({inputs.catalog->find<StoragePart>(plan.system_part), plan.system_part,
                   design_value<&StoragePlan::systems>(ledger, "storage", plan)});
  return out;
}

/// What one kind of system adds; a part that the catalog lacks is unknown, never nothing.
struct TierFigures {
  Traced<DataRate> write, read;
  Traced<Bytes> capacity;
};

TierFigures tier_of(Ledger& ledger, const Catalog& catalog, const StorageLine& line) {
  TierFigures out;
  const auto id = [&](std::string_view what) { return fmt::format("storage.system.{}.{}", line.id, what); };
  if (!line.part) {
    const std::string why = fmt::format("the catalog has no storage part {}", line.id);
    out.write = ledger.absent<DataRate>(id("write_rate"), "Write rate", Completeness::unknown, why);
    out.read = ledger.absent<DataRate>(id("read_rate"), "Read rate", Completeness::unknown, why);
    out.capacity = ledger.absent<Bytes>(id("capacity"), "Capacity", Completeness::unknown, why);
    return out;
  }
  const StoragePart& part = *line.part;
  out.write = ledger.derive(id("write_rate"), part.name + ": write rate", rate_of_systems, line.systems,
                            part_value<&StoragePart::write_rate>(ledger, catalog, part));
  out.read = ledger.derive(id("read_rate"), part.name + ": read rate", rate_of_systems, line.systems,
                           part_value<&StoragePart::read_rate>(ledger, catalog, part));
  const bool usable = part.capacity_usable || !part.capacity_raw;
  out.capacity = ledger.derive(id("capacity"), part.name + ": capacity", capacity_of_systems, line.systems,
                               usable ? part_value<&StoragePart::capacity_usable>(ledger, catalog, part)
                                      : part_value<&StoragePart::capacity_raw>(ledger, catalog, part));
  if (!usable) out.capacity = ledger.assumed(out.capacity, "raw capacity: the catalog does not state what is usable");
  return out;
}

} // namespace

StorageResult storage(const StorageInputs& inputs, const TrainingResult& training, const PopulationResult&) {
  StorageResult out;
  Ledger ledger(Page::storage);
  const StoragePlan& plan = *inputs.plan;
  const Catalog& catalog = *inputs.catalog;

  out.checkpoint = ledger.derive("storage.checkpoint", "Checkpoint size", checkpoint_bytes, retyped<Count>(training.parameters),
                                 retyped<Bytes>(design_value<&StoragePlan::bytes_per_parameter>(ledger, "storage", plan)));
  const auto target = design_value<&StoragePlan::checkpoint_target>(ledger, "storage", plan); // "storage.checkpoint_target"
  out.burst_needed = ledger.derive("storage.burst_needed", "Write rate for the target", required_bandwidth, out.checkpoint, target);

  // The systems.
  const std::vector<StorageLine> lines = lines_of(ledger, inputs);
  Table tiers;
  tiers.id = "storage.tiers";
  tiers.title = "Storage systems";
  tiers.columns.reserve(5);
  auto& system = tiers.add_words("system", "System").words;
  auto& count = tiers.add_numbers("systems", "Systems", kind::count).numbers;
  auto& write = tiers.add_numbers("write_rate", "Write rate", kind::data_rate).numbers;
  auto& read = tiers.add_numbers("read_rate", "Read rate", kind::data_rate).numbers;
  auto& capacity = tiers.add_numbers("capacity", "Capacity", kind::information).numbers;
  std::vector<Traced<DataRate>> writes, reads;
  std::vector<Traced<Bytes>> capacities;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const StorageLine& line : lines) {
    const TierFigures tier = tier_of(ledger, catalog, line);
    writes.push_back(tier.write);
    reads.push_back(tier.read);
    capacities.push_back(tier.capacity);
    system.push_back(line.part ? line.part->name : line.id);
    count.push_back(static_cast<double>(line.systems.value_or(0)));
    write.push_back(tier.write.has_value() ? base_value(tier.write.value) : unknown);
    read.push_back(tier.read.has_value() ? base_value(tier.read.value) : unknown);
    capacity.push_back(tier.capacity.has_value() ? base_value(tier.capacity.value) : unknown);
    tiers.row_figures.push_back(fmt::format("storage.system.{}.write_rate", line.id));
  }
  // One system passes its figure on, unknown included; several make a total that is a lower bound where one is unknown.
  const auto total = [&]<class T>(std::string id, std::string label, const std::vector<Traced<T>>& parts) {
    if (parts.empty())
      return ledger.absent<T>(std::move(id), std::move(label), Completeness::not_applicable, "no storage is described");
    bool any_known = false;
    for (const auto& p : parts) any_known = any_known || p.has_value();
    if (parts.size() == 1 || !any_known) return ledger.as<T>(std::move(id), std::move(label), parts.front());
    return ledger.sum<T>(std::move(id), std::move(label), parts);
  };
  out.write_rate = total("storage.write_rate", "Write rate of all storage", writes);
  out.read_rate = total("storage.read_rate", "Read rate of all storage", reads);
  out.capacity = total("storage.capacity", "Capacity of all storage", capacities);

  // The burst.
  out.write_time = ledger.derive("storage.write_time", "Checkpoint write time", transfer_time, out.checkpoint, out.write_rate);
  ledger.limit(out.write_time, target, LimitSense::at_most, 0.9);
  if (plan.asynchronous) {
    out.stall = ledger.derive("storage.stall", "Stop of the job per checkpoint: copy to host memory", host_copy_time, out.checkpoint,
                              training.gpus_used, design_value<&StoragePlan::host_copy_rate_per_gpu>(ledger, "storage", plan));
  } else if (out.write_time.has_value()) {
    out.stall = ledger.as<Time>("storage.stall", "Stop of the job per checkpoint: the whole write", out.write_time);
  } else if (out.checkpoint.has_value()) {
    out.stall = ledger.assumed(ledger.as<Time>("storage.stall", "Stop of the job per checkpoint: the target", target),
                               "the write rate is not known: the target is taken as met");
  } else {
    out.stall = ledger.as<Time>("storage.stall", "Stop of the job per checkpoint", out.write_time);
  }

  // What is kept.
  const auto kept = ledger.derive("storage.kept_checkpoints", "Checkpoints kept", kept_checkpoint_bytes, out.checkpoint,
                                  design_value<&StoragePlan::checkpoints_kept>(ledger, "storage", plan));
  const auto content = ledger.sum<Bytes>("storage.content", "Dataset and checkpoints kept",
                                         {design_value<&StoragePlan::dataset>(ledger, "storage", plan), kept});
  Formula with_fill_limit = capacity_with_fill_limit; // more content, more capacity: the share that may be filled is stated
  with_fill_limit.monotone = Monotone::increasing;
  out.capacity_needed = ledger.derive("storage.capacity_needed", "Capacity needed", with_fill_limit, content,
                                      assumption<double>(ledger, catalog, "storage.usable_fraction"));
  ledger.limit(out.capacity_needed, out.capacity, LimitSense::at_most, 0.9);

  // The data set.
  const auto token_bytes =
      training.vocabulary.has_value()
          ? ledger.derive("storage.token_id", "Bytes of a token id", token_id_bytes, training.vocabulary)
          : assumption<Bytes>(ledger, catalog, "storage.bytes_per_token_id");
  out.dataset_read =
      ledger.derive("storage.dataset_read", "Reading of the data set", token_stream_bandwidth, training.token_rate, token_bytes);
  ledger.limit(out.dataset_read, out.read_rate, LimitSense::at_most, 0.9);

  std::vector<Table> tables;
  if (!lines.empty()) tables.push_back(std::move(tiers));
  out.page = ledger.finish_page();
  out.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  return out;
}

} // namespace hallwright
