// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/traffic.h"
#include "load/load.h"
#include "training/step_confidence.h"
#include "training/trained_job.h"

/// The training job: model shape, memory, step time by the step-time model or at a typed utilisation, validity of the
/// layout.
namespace hallwright {

struct TrainingInputs {
  Shared<Job> job;
  Shared<Catalog> catalog;
  friend bool operator==(const TrainingInputs&, const TrainingInputs&) = default;
};

/// Parameter counts of a model part, from its own dimensions.
struct ModelParameters {
  double total = 0, active = 0;
  double embedding = 0;       ///< input and output embedding together
  double per_dense_layer = 0, per_expert_layer = 0, per_expert_layer_active = 0;
};
tl::expected<ModelParameters, std::string> model_parameters(const ModelPart& model);

/// Whether the axes fit the model and the cluster; reasons and nearest valid values, one sentence each.
struct LayoutProblem {
  std::string axis;     ///< field name in the job: "tensor_parallel"
  std::string sentence; ///< "tensor_parallel = 6 does not divide 64 heads; use 1, 2, 4, 8, 16, 32 or 64"
  std::vector<Count> nearest_valid;
  bool note = false; ///< it works, at a cost that the sentence names (idle GPUs, copies, uneven stages)
  friend bool operator==(const LayoutProblem&, const LayoutProblem&) = default;
};
std::vector<LayoutProblem> layout_problems(const Job& job, const ModelPart& model, Count gpus, Count scale_up_domain);


struct TrainingResult : StageResult {
  Traced<double> parameters;        ///< training.parameters (kind count)
  Traced<double> active_parameters; ///< training.active_parameters
  Traced<Count> gpus_used;          ///< training.gpus_used: product of the axes; limit: population.gpus
  Traced<FlopRate> peak_per_gpu;    ///< training.peak_per_gpu: dense, in the job's format
  Traced<double> mfu;               ///< training.mfu: typed, or what the modelled step reaches; 6ND
  Traced<Time> modelled_step_time;  ///< training.modelled_step_time: the sum of training.step.<part>
  Traced<Time> step_time;           ///< training.step_time: modelled and calibrated, or at the typed utilisation
  Traced<Count> steps;              ///< training.steps
  Traced<Frequency> token_rate;     ///< training.token_rate
  Traced<Time> compute_time;        ///< training.compute_time: steps x step time, no stops
  Traced<Bytes> memory_per_gpu;     ///< training.memory_per_gpu; limit: accelerator memory
  Traced<Flop> flops;               ///< training.flops of the run
  Traced<double> bubble;            ///< training.bubble
  Traced<double> tokens;            ///< of the run, from the job (kind count)
  Traced<Count> vocabulary;         ///< of the model: what a token id must hold
  std::vector<RankMemory> stages;   ///< by pipeline stage, bytes of one GPU
  std::optional<TrainedJob> job;    ///< what the step-time model takes; none where something is missing or illegal
  StepParts parts;                  ///< of a step, where there is a job
  CalibrationPlace place;           ///< among measured runs, where there is a job
  std::vector<LayoutProblem> problems;
};

/// @param fabric  rates of the drawn networks; null: those of the accelerator's catalog row
/// @param network how the ranks of the job lie on the compute network, and what of it is out of service; null: nothing
///                narrows what the GPUs send
/// @param held    the rack of the job whose GPUs a cap holds to least: the others wait for it in every step; null: none
TrainingResult training(const TrainingInputs& inputs, const PopulationResult& population, const FabricResult* fabric = nullptr,
                        const JobNetwork* network = nullptr, const HeldRack* held = nullptr);
std::vector<Rule> training_rules();

} // namespace hallwright
