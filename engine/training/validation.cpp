// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/validation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "catalog/csv.h"
#include "training/training_runs_measured.h"

namespace hallwright {
namespace {

/// Sources weigh the same in sets of several.
ValidationSummary summary(std::string name, const std::vector<const ValidatedRun*>& runs) {
  ValidationSummary out;
  out.name = std::move(name);
  out.runs = runs.size();
  std::map<std::string_view, double> rows;
  for (const ValidatedRun* r : runs) ++rows[r->family];
  std::vector<std::pair<double, double>> sorted; // error, weight
  for (const ValidatedRun* r : runs) {
    const double w = 1.0 / rows[r->family] / static_cast<double>(rows.size());
    out.mean += w * std::abs(r->deviation);
    out.bias += w * r->deviation;
    out.in_interval += r->in_interval ? 1.0 / static_cast<double>(runs.size()) : 0.0;
    sorted.emplace_back(std::abs(r->deviation), w);
  }
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const auto& [share, w] : sorted) {
    if (sum < 0.5) out.median = share;
    if (sum < 0.9) out.p90 = share;
    sum += w;
  }
  return out;
}

} // namespace

tl::expected<TrainingValidation, std::vector<std::string>> validate_training_runs(std::string_view csv, const Catalog& catalog) {
  const auto constants = training_constants(catalog);
  if (!constants) return tl::make_unexpected(std::vector<std::string>{constants.error()});
  auto runs = read_training_runs(csv, catalog);
  if (!runs) return tl::make_unexpected(runs.error());
  const auto records = read_csv(csv);
  std::map<std::string, std::size_t, std::less<>> column;
  for (std::size_t i = 0; i < (*records)[0].cells.size(); ++i) column.emplace((*records)[0].cells[i], i);
  const auto cell = [&](std::size_t row, std::string_view name) {
    const auto at = column.find(name);
    const auto& cells = (*records)[row + 1].cells;
    return at == column.end() || at->second >= cells.size() ? std::string() : cells[at->second];
  };
  std::map<std::string_view, double> worked_out; // seconds of rows that state a rate only
  for (const MeasuredRun& k : measured_runs()) worked_out[k.id] = k.step_s;

  TrainingValidation out;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    TrainingRun& r = (*runs)[i];
    double measured = 0.0;
    const std::string stated = cell(i, "derived_step_s");
    std::from_chars(stated.data(), stated.data() + stated.size(), measured);
    if (const auto it = worked_out.find(r.id); measured <= 0.0 && it != worked_out.end()) measured = it->second;
    if (!r.missing.empty() || !r.illegal.empty() || measured <= 0.0 || r.shape_open || r.gpus <= 1.0) {
      ++out.not_scored;
      continue;
    }
    ValidatedRun v;
    v.prediction = predict_run(r, *constants);
    v.source = cell(i, "source");
    v.family = cell(i, "family");
    v.measured_s = measured;
    v.deviation = v.prediction.step_s / measured - 1.0;
    v.in_interval = measured >= v.prediction.low_s && measured <= v.prediction.high_s;
    v.run = std::move(r);
    out.runs.push_back(std::move(v));
  }
  std::vector<const ValidatedRun*> dense, experts;
  std::map<std::string, std::vector<const ValidatedRun*>> by_family;
  for (const ValidatedRun& v : out.runs) {
    (v.experts() ? experts : dense).push_back(&v);
    by_family[v.experts() ? v.family + ", experts" : v.family].push_back(&v);
  }
  if (!dense.empty()) out.summaries.push_back(summary("dense", dense));
  if (!experts.empty()) out.summaries.push_back(summary("experts", experts));
  for (const auto& [family, list] : by_family) out.summaries.push_back(summary(family, list));
  return out;
}

} // namespace hallwright
