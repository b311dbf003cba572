// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "training/software_stack.h"
#include "training/step_model.h"

/// Fits the constants of the step-time model to measured runs: smooth absolute errors of log(step time), each source
/// weighted by the root of its rows so that none dominates, drawn towards what data sheets, papers and kernel
/// benchmarks suggest. Gauss-Newton with damping.
namespace hallwright::constant_fit {

/// Where a constant starts and how far it may stray before the fit pays: one `spread` costs as much as a run that is
/// off by a tenth. `linear`: shares from zero; else the spread is of the logarithm.
struct Prior {
  std::string_view id;
  double value, spread, low, high;
  bool linear;
};
/// Constants that are not here are set in the catalog with their own source.
inline const std::vector<Prior>& priors() {
  static const std::vector<Prior> list{
      {"training.matrix_share_half_volta", .72, .12, .3, .95, false},
      {"training.matrix_share_half_ampere", .75, .1, .3, .95, false},
      {"training.matrix_share_half_hopper", .70, .1, .3, .95, false},
      {"training.matrix_share_half_blackwell", .70, .1, .3, .95, false},
      {"training.matrix_share_fp8_hopper", .62, .12, .3, .95, false},
      {"training.matrix_share_fp8_blackwell", .65, .12, .3, .95, false},
      {"training.matrix_share_mxfp8_blackwell", .62, .12, .3, .95, false},
      {"training.matrix_share_fp4_blackwell", .5, .2, .2, .95, false},
      {"training.clock_b300", 1, .06, .7, 1.2, false},
      {"training.clock_gb200", 1, .06, .7, 1.2, false},
      {"training.clock_gb300", 1.05, .06, .7, 1.2, false},
      {"training.ramp_k_volta", 130, .4, 10, 2000, false},
      {"training.ramp_k_ampere", 180, .4, 10, 2000, false},
      {"training.ramp_k_hopper", 300, .4, 10, 2000, false},
      {"training.ramp_k_blackwell", 450, .4, 10, 2000, false},
      {"training.attention_share_ampere", .5, .15, .1, .9, false},
      {"training.attention_share_hopper", .5, .15, .1, .9, false},
      {"training.attention_share_blackwell", .5, .15, .1, .9, false},
      {"training.attention_first_ampere", .6, .3, .1, 1, false},
      {"training.attention_first_hopper", .35, .3, .1, 1, false},
      {"training.wave_weight", .7, .25, 0, 1, true},
      {"training.memory_share", .82, .08, .5, .95, false},
      {"training.score_bytes", 11, .25, 2, 40, false},
      {"training.quantise_bytes", 4, .3, 1, 20, false},
      {"training.scale_up_share", .75, .12, .3, .95, false},
      {"training.scale_up_call", 10, .4, 1, 100, false},
      {"training.network_share", .8, .12, .3, .95, false},
      {"training.network_call", 20, .4, 2, 200, false},
      {"training.network_hop", 4, .4, .5, 40, false},
      {"training.all_to_all_share", .6, .3, .1, 1, false},
      {"training.all_to_all_late", .8, .3, .1, 1.2, false},
      {"training.optimizer_bytes", 30, .25, 10, 100, false},
      {"training.tensor_host", .25, .15, 0, 1, true},
      {"training.grace_host", .8, .3, .2, 2, false},
      {"training.straggler", .004, .003, 0, .02, true},
      {"training.elementwise_2020", 1.3, .3, .3, 4, false},
      {"training.elementwise_eager", 2, .35, .3, 4, false},
      {"training.elementwise_fused", .9, .3, .3, 4, false},
      // About a hundred calls of unfused eager programs, ten microseconds each.
      {"training.launch_2020", 1000, .4, 20, 3000, false},
      {"training.launch", 200, .4, 20, 3000, false},
      {"training.launch_graphs", 150, .4, 20, 3000, false},
      {"training.expert_host_2025", 2000, .7, 50, 20000, false},
      {"training.expert_host_2026", 2000, .7, 50, 20000, false},
      {"training.expert_host_late", 500, .7, 50, 20000, false},
      {"training.tp_overlap", .5, .2, 0, .95, true},
      {"training.pp_overlap", .5, .25, 0, .95, true},
      {"training.dp_overlap", .75, .15, 0, .98, true},
      {"training.ep_overlap", .5, .25, 0, .95, true},
      {"training.expert_passes", 4, .4, 1, 30, false},
      {"training.expert_passes_2025", 4, .4, 1, 30, false},
      {"training.expert_passes_late", 3, .4, 1, 30, false},
      {"training.grouped_half", .75, .2, .2, 1, false},
      {"training.grouped", .65, .2, .2, 1, false},
      {"training.grouped_2025", .65, .2, .2, 1, false},
      {"training.grouped_late", .8, .2, .2, 1, false},
      {"training.step", 10000, .5, 100, 200000, false},
      {"training.logit_bytes_plain", 40, .25, 10, 80, false},
      {"training.logit_bytes_fused", 18, .25, 6, 60, false},
      // BF16_Optimizer of DeepSpeed: autograd adds to what was zeroed (6), a 32-bit copy (6) is added to the sum (12), zeroed (2).
      {"training.accumulate_bytes_deepspeed", 26, .25, 1, 60, false},
  };
  return list;
}

/// A measured run. `source`: the publication; `part`: a model of it where it is the only source of its kind, else the
/// source.
struct Run {
  std::string id, source, part;
  ModelDimensions model;
  ClusterRates cluster;
  JobSplit split;
  SoftwareStack stack = SoftwareStack::nemo;
  bool micro_batch_open = false;
  bool stated = true; ///< seconds are of the table, not worked out from a rate
  double measured_s = 0;
};

/// What is left out at a time: whole sources, those of one program and authors together; of the one source with models
/// with experts, one model at a time as well.
inline std::vector<std::set<std::string>> folds(const std::vector<Run>& runs) {
  std::vector<std::set<std::string>> out{{"narayanan2021", "megatron2020", "korthikanti2022"},
                                         {"mcore_h100"},
                                         {"dgxc_gpt3"},
                                         {"nemo2407"},
                                         {"mosaic_mpt"},
                                         {"bloom"},
                                         {"vtrain_multi", "vtrain_single"},
                                         {"mbridge"}};
  std::set<std::string> parts;
  for (const Run& k : runs)
    if (k.part != k.source) parts.insert(k.part);
  for (const std::string& p : parts)
    out.push_back({p});
  return out;
}
inline std::string fold_name(const std::set<std::string>& fold) {
  std::string name;
  for (const std::string& s : fold)
    name += (name.empty() ? "" : "+") + s;
  return name;
}

inline double seconds(const Run& k, const TrainingConstants& c) {
  const StackConstants& s = c.stacks[static_cast<std::size_t>(k.stack)];
  JobSplit j = k.split;
  if (!k.micro_batch_open) return step_time(k.model, j, k.cluster, c, s).total();
  double best = 1e99;
  for (const double b : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    j.micro_batch = b;
    if (j.micro_batches() < 1 || j.micro_batches() != std::floor(j.micro_batches())) continue;
    if (b > 1 && heaviest_rank_memory(k.model, j, c, s).total() > k.cluster.memory_gib * 1073741824.0) continue;
    best = std::min(best, step_time(k.model, j, k.cluster, c, s).total());
  }
  return best;
}

class Fit {
public:
  /// @param start what is not fitted; @param without sources and parts that are left out
  Fit(const std::vector<Run>& runs, const TrainingConstants& start, const std::set<std::string>& without)
      : constants(start) {
    std::map<std::string, double> rows;
    for (const Run& k : runs)
      if (!without.count(k.source) && !without.count(k.part)) {
        used.push_back(&k);
        ++rows[k.source];
      }
    for (const Run* k : used)
      weights.push_back((k->stated ? 1.0 : 0.6) / std::sqrt(rows[k->source]));
    for (TrainingConstant& k : training_constant_list(constants))
      for (const Prior& p : priors())
        if (k.id == p.id) free.push_back({p, k.places});
    for (Free& f : free)
      f.set(f.prior.value);
  }
  Fit(const Fit&) = delete;
  Fit& operator=(const Fit&) = delete;

  TrainingConstants constants;

  void run(int rounds) {
    std::vector<double> residuals;
    double cost = objective(&residuals), damping = 0.3;
    const std::size_t n = free.size();
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::vector<double>> slope(n, std::vector<double>(used.size()));
      std::vector<double> at(n);
      for (std::size_t i = 0; i < n; ++i) {
        const double old = free[i].get();
        at[i] = free[i].scale(old);
        double h = 0.05 * free[i].prior.spread;
        if (free[i].unscale(at[i] + h) > free[i].prior.high) h = -h;
        free[i].set(free[i].unscale(at[i] + h));
        for (std::size_t q = 0; q < used.size(); ++q)
          slope[i][q] = (residual(q) - residuals[q]) / h;
        free[i].set(old);
      }
      std::vector<std::vector<double>> normal(n, std::vector<double>(n));
      std::vector<double> right(n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t q = 0; q < used.size(); ++q) {
          const double w = weights[q] * robust_weight(residuals[q]) / (noise * noise);
          right[i] -= w * slope[i][q] * residuals[q];
          for (std::size_t k = 0; k <= i; ++k)
            normal[i][k] += w * slope[i][q] * slope[k][q];
        }
        const double stiffness = prior_weight / (free[i].prior.spread * free[i].prior.spread);
        normal[i][i] += stiffness;
        right[i] -= stiffness * (at[i] - free[i].scale(free[i].prior.value));
      }
      bool better = false;
      double next = cost;
      for (int attempt = 0; attempt < 5 && !better; ++attempt) {
        std::vector<std::vector<double>> damped = normal;
        for (std::size_t i = 0; i < n; ++i)
          damped[i][i] *= 1.0 + damping;
        const std::vector<double> step = solve(std::move(damped), right);
        for (std::size_t i = 0; i < n; ++i) {
          const double most = 1.5 * free[i].prior.spread;
          free[i].set(free[i].unscale(at[i] + std::clamp(step[i], -most, most)));
        }
        std::vector<double> moved;
        next = objective(&moved);
        better = next < cost;
        if (better) {
          residuals = std::move(moved);
          damping = std::max(1e-3, damping / 4);
        } else {
          for (std::size_t i = 0; i < n; ++i)
            free[i].set(free[i].unscale(at[i]));
          damping *= 5;
        }
      }
      if (!better || cost - next < 2e-3) break;
      cost = next;
    }
  }

private:
  static constexpr double noise = 0.1, prior_weight = 0.6, cap = 4.0, corner = 0.5;

  struct Free {
    Prior prior;
    std::vector<double*> places;
    [[nodiscard]] double get() const { return *places.front(); }
    void set(double v) const {
      for (double* p : places)
        *p = std::clamp(v, prior.low, prior.high);
    }
    [[nodiscard]] double scale(double v) const { return prior.linear ? v : std::log(v); }
    [[nodiscard]] double unscale(double v) const { return prior.linear ? v : std::exp(v); }
  };

  [[nodiscard]] double residual(std::size_t q) const {
    return std::log(seconds(*used[q], constants) / used[q]->measured_s);
  }
  // Absolute error beyond half the noise; beyond four times the noise a run is taken to have a fault of its own.
  static double robust_cost(double r) {
    const double a = std::abs(r) / noise;
    return a <= cap ? std::hypot(a, corner) - corner : std::hypot(cap, corner) - corner + 3.6 * std::log(a / cap);
  }
  static double robust_weight(double r) {
    const double a = std::abs(r) / noise;
    return a <= cap ? 1.0 / std::hypot(a, corner) : 3.6 / (a * a);
  }
  double objective(std::vector<double>* residuals) const {
    double sum = 0;
    residuals->clear();
    for (std::size_t q = 0; q < used.size(); ++q) {
      residuals->push_back(residual(q));
      sum += weights[q] * robust_cost(residuals->back());
    }
    for (const Free& f : free) {
      const double z = (f.scale(f.get()) - f.scale(f.prior.value)) / f.prior.spread;
      sum += 0.5 * prior_weight * z * z;
    }
    return sum;
  }
  /// Cholesky; the matrix is positive definite for its priors.
  static std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> x) {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k)
        a[i][i] -= a[i][k] * a[i][k];
      a[i][i] = std::sqrt(std::max(a[i][i], 1e-12));
      for (std::size_t j = i + 1; j < n; ++j) {
        for (std::size_t k = 0; k < i; ++k)
          a[j][i] -= a[j][k] * a[i][k];
        a[j][i] /= a[i][i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k)
        x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k)
        x[i] -= a[k][i] * x[k];
      x[i] /= a[i][i];
    }
    return x;
  }

  std::vector<const Run*> used;
  std::vector<double> weights;
  std::vector<Free> free;
};

} // namespace hallwright::constant_fit
