// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/storage.h"

/// Failures, checkpoint interval, goodput, days on the wall, spares in three reserves.
namespace hallwright {

struct ReliabilityInputs {
  Shared<Operations> operations;
  Shared<StoragePlan> storage; ///< interval, where it is set
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<Catalog> catalog;
  friend bool operator==(const ReliabilityInputs&, const ReliabilityInputs&) = default;
};

struct ReliabilityResult : StageResult {
  Traced<Time> mean_time_between_failures; ///< reliability.mtbf
  Traced<Time> checkpoint_interval;        ///< reliability.checkpoint_interval: set, or the exact optimum
  Traced<double> goodput;                  ///< reliability.goodput: exact exponential form
  Traced<Time> wall_time;                  ///< reliability.wall_time: compute time over goodput
  Traced<Count> repair_spares, restart_spares, domain_spares; ///< reliability.repair_spares ...
  Traced<Count> spare_nodes;               ///< reliability.spare_nodes
  Traced<Count> spare_gpus;                ///< reliability.spare_gpus: parts for the repair pipeline
  Traced<double> expected_failures;        ///< reliability.expected_failures during the run
};

ReliabilityResult reliability(const ReliabilityInputs& inputs, const PopulationResult& population, const TrainingResult& training,
                              const StorageResult& storage);
std::vector<Rule> reliability_rules();

} // namespace hallwright
