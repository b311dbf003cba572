// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/training.h"

/// Checkpoint bursts against the storage that is there; dataset and its reading.
namespace hallwright {

struct StorageInputs {
  Shared<StoragePlan> plan;
  Shared<std::vector<RackItem>> rack_items; ///< drawn storage
  Shared<std::vector<Rack>> racks;
  Shared<Catalog> catalog;
  friend bool operator==(const StorageInputs&, const StorageInputs&) = default;
};

struct StorageResult : StageResult {
  Traced<Bytes> checkpoint;      ///< storage.checkpoint
  Traced<DataRate> write_rate;   ///< storage.write_rate: of all systems
  Traced<DataRate> read_rate;    ///< storage.read_rate
  Traced<DataRate> burst_needed; ///< storage.burst_needed: checkpoint within the target
  Traced<Time> write_time;       ///< storage.write_time; limit: storage.checkpoint_target
  Traced<Time> stall;            ///< storage.stall: what stops the job per checkpoint
  Traced<Bytes> capacity;        ///< storage.capacity
  Traced<Bytes> capacity_needed; ///< storage.capacity_needed: dataset and checkpoints kept
  Traced<DataRate> dataset_read; ///< storage.dataset_read
};

StorageResult storage(const StorageInputs& inputs, const TrainingResult& training, const PopulationResult& population);
std::vector<Rule> storage_rules();

} // namespace hallwright
