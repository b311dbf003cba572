// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_confidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "training/software_stack.h"
#include "training/training_runs_measured.h"

namespace hallwright {
namespace {

/// What distance counts: doublings of GPUs, sequence, width and depth.
double distance(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster, SoftwareStack stack, double gpus,
                const MeasuredRun& k) {
  const auto apart = [](double a, double b) { return std::abs(std::log2(std::max(1.0, a) / std::max(1.0, b))); };
  double d = 0.5 * apart(gpus, k.gpus) + apart(j.sequence, k.sequence) + apart(m.hidden, k.hidden) + 0.5 * apart(m.layers, k.layers) +
             0.5 * apart(j.tp, k.tp) + 0.5 * apart(j.pp, k.pp);
  if ((m.experts > 0) != (k.experts > 0)) d += 6.0;
  if (cluster.family != k.family) d += 6.0;
  if (j.recipe != k.recipe) d += 2.0;
  if (stack != k.stack) d += 1.0;
  return d;
}

} // namespace

std::string_view region_word(CalibrationRegion r) {
  constexpr std::array<std::string_view, 3> words{"inside", "between", "outside"};
  return words[static_cast<std::size_t>(r)];
}

CalibrationPlace place_among_measured(const ModelDimensions& m, const JobSplit& j, const ClusterRates& cluster, SoftwareStack stack,
                                      double gpus, std::string_view own_id, bool shape_open) {
  CalibrationPlace out;
  std::array<std::pair<double, const MeasuredRun*>, 3> best;
  best.fill({1e9, nullptr});
  bool known_rate = false;
  double low[3] = {1e9, 1e9, 1e9}, high[3] = {0, 0, 0};
  for (const MeasuredRun& k : measured_runs()) {
    if (!own_id.empty() && own_id == k.id) continue;
    const double d = distance(m, j, cluster, stack, gpus, k);
    if (d < best[2].first) {
      best[2] = {d, &k};
      std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    if (k.family != cluster.family || k.recipe != j.recipe || (k.experts > 0) != (m.experts > 0)) continue;
    known_rate = true;
    const double values[3] = {k.gpus, k.sequence, k.hidden};
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], values[i]);
      high[i] = std::max(high[i], values[i]);
    }
  }
  const bool near_gpus = gpus >= low[0] && gpus <= high[0];
  const bool near_sequence = j.sequence >= low[1] && j.sequence <= high[1];
  const bool near_hidden = m.hidden >= low[2] && m.hidden <= high[2];
  out.region = best[0].first < 1.5 && !shape_open                          ? CalibrationRegion::inside
               : known_rate && near_gpus && near_sequence && near_hidden ? CalibrationRegion::between
                                                                          : CalibrationRegion::outside;
  for (const auto& [d, k] : best)
    if (k) out.nearest.emplace_back(k->id);
  return out;
}

double interval_width(const TrainingConstants& c, CalibrationRegion region, bool experts) {
  const double width = region == CalibrationRegion::inside    ? c.interval_inside
                       : region == CalibrationRegion::between ? c.interval_between
                                                              : c.interval_outside;
  return experts ? width * c.interval_experts : width;
}

std::vector<StepTerm> step_terms(const StepParts& p) {
  return {{"matrix products", p.matrix},
          {"attention", p.attention},
          {"passes over memory", p.passes},
          {"router and permutation", p.experts},
          {"recompute", p.recompute},
          {"output layer and loss", p.logits},
          {"launch", p.launch},
          {"tensor-parallel traffic", p.tensor},
          {"context-parallel traffic", p.context},
          {"expert exchange", p.expert},
          {"pipeline traffic", p.pipeline},
          {"data-parallel traffic", p.data},
          {"pipeline bubble", p.bubble},
          {"optimizer", p.optimizer},
          {"stragglers", p.stragglers},
          {"data and logging", p.other},
          {"offload traffic", p.offload}};
}

std::vector<std::string> largest_terms(const StepParts& p) {
  std::vector<StepTerm> terms = step_terms(p);
  std::stable_sort(terms.begin(), terms.end(), [](const StepTerm& a, const StepTerm& b) { return a.seconds > b.seconds; });
  const double total = p.total();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < 3; ++i) out.push_back(fmt::format("{} {:.0f} %", terms[i].words, 100.0 * terms[i].seconds / total));
  return out;
}

} // namespace hallwright
