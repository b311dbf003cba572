// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/starting_point.h"

#include <algorithm>
#include <cmath>

namespace hallwright {
namespace {

struct Candidate {
  const char* model;
  Count least_gpus;                     ///< from here on the first choice
  Count tensor, pipeline;
  Count batch;                          ///< sequences of 8,192 tokens
  double tokens;
};
constexpr Candidate candidates[] = {
    {"llama3-1-405b", 4096, 8, 14, 2048, 15.6e12}, // 126 layers: 14 even stages
    {"llama3-1-70b", 512, 8, 4, 1024, 15e12},
    {"llama3-1-8b", 1, 2, 1, 1024, 15e12},
    {"llama3-1-8b", 1, 1, 1, 1024, 15e12},
};

bool has_training_error(const Evaluation& e) {
  return std::any_of(e.findings.begin(), e.findings.end(), [](const Finding& f) {
    return f.code.rfind("TRN-", 0) == 0 && f.severity == Severity::error;
  });
}

/// Up to two digits that are not smaller.
double rounded_up(double value) {
  const double step = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return std::ceil(value / step - 1e-9) * step;
}

} // namespace

std::optional<Job> fitted_job(const Design& design, const Shared<Catalog>& catalog, const Evaluation* evaluation) {
  std::optional<Evaluation> own;
  if (evaluation == nullptr) {
    own = evaluate(design, catalog);
    evaluation = &*own;
  }
  const Figure* there = evaluation->figures.find("population.gpus");
  if (there == nullptr || !there->has_value() || there->value < 1) return std::nullopt;
  const auto gpus = static_cast<Count>(std::floor(there->value));
  for (const Candidate& c : candidates) {
    const Count replicas = gpus / (c.tensor * c.pipeline);
    if (gpus < c.least_gpus || replicas < 1) continue;
    Job job = *design.job;
    job.model_part = c.model;
    job.tokens = c.tokens;
    job.sequence_length = 8192;
    job.micro_batch = 1;
    job.tensor_parallel = c.tensor, job.pipeline_parallel = c.pipeline, job.data_parallel = replicas;
    job.virtual_stages = job.context_parallel = job.expert_parallel = 1;
    job.global_batch_sequences = replicas * std::max<Count>(1, (c.batch + replicas / 2) / replicas);
    Design trial = design;
    trial.job = share(job);
    if (const auto e = evaluate(trial, catalog, evaluation); e && !has_training_error(*e)) return job;
  }
  return std::nullopt;
}

Design starting_design(const StartingPoint& start, const Shared<Catalog>& catalog) {
  Design d;
  Project project;
  project.name = "New design";
  d.project = share(project);
  Job job = *d.job;
  job.model_part = "llama3-1-8b";
  job.tokens = 15e12;
  job.global_batch_sequences = 1024;
  job.tensor_parallel = 2, job.pipeline_parallel = 1, job.data_parallel = 4;
  d.job = share(job);
  if (start.known == StartingPoint::Known::nothing) {
    Site site = *d.site;
    site.utility_power.reset(); // nobody has named one
    d.site = share(site);
    return d;
  }
  Goal goal = *d.goal;
  goal.node_part = start.node_part;
  goal.gpus = start.known == StartingPoint::Known::gpus ? start.gpus : 0;
  d.goal = share(goal);
  Site site = *d.site;
  if (start.known == StartingPoint::Known::site_power) site.utility_power = start.site_power;
  d.site = share(site);
  auto e = evaluate(d, catalog);
  if (start.known == StartingPoint::Known::gpus && e) {
    // Enough for the chain as it is estimated, and for the PUE that the goal counts with.
    double needed = 0;
    if (const Figure* f = e->figures.find("power.facility"); f != nullptr && f->has_value()) needed = f->value;
    if (const Figure* f = e->figures.find("power.it"); f != nullptr && f->has_value())
      needed = std::max(needed, f->value * goal.assumed_power_usage_effectiveness);
    if (needed > 0) {
      site.utility_power = watts(rounded_up(needed));
      d.site = share(site);
      e = evaluate(d, catalog, &*e);
    }
  }
  if (const auto fitted = fitted_job(d, catalog, e ? &*e : nullptr)) d.job = share(*fitted);
  return d;
}

} // namespace hallwright
