// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/traffic.h"
#include "training/step_confidence.h"
#include "training/trained_job.h"
#include "training/training.h"

/// The step-time and memory model as figures: every part of a step and of the memory of a GPU with what it rests on.
namespace hallwright {

struct StepFigureInputs {
  Ledger& ledger;
  const Catalog& catalog;
  const Job& job;
  const ModelPart* model;         ///< null: none
  const Accelerator* accelerator; ///< null: there are no GPUs
  const PopulationResult& population;
  const FabricResult* fabric; ///< null: rates of the accelerator's row
  const JobNetwork* network;  ///< how the job lies on it; null: nothing narrows
  const HeldRack* held;           ///< the rack that a cap holds to least; null: none
  const Traced<FlopRate>& peak;
  const Traced<Count>& gpus; ///< product of the axes
  const std::vector<ModelInput>& dimensions; ///< figures of the model's dimensions
  const std::vector<LayoutProblem>& problems;
};

struct StepFigures {
  std::optional<TrainedJob> job;
  StepParts parts;
  CalibrationPlace place;
  Traced<Time> step_time; ///< training.modelled_step_time, the sum of training.step.<part>
  std::optional<Traced<double>> bubble; ///< training.bubble, share of the modelled step; none: there is no step, or another
  Traced<Bytes> memory;   ///< training.memory_per_gpu, the sum of training.memory.<part>
  std::vector<RankMemory> stages;
  std::vector<Table> tables; ///< training.step, training.memory
};

StepFigures step_figures(const StepFigureInputs& inputs);

} // namespace hallwright
