// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "training/job_inputs.h"
#include "training/layout_legality.h"
#include "training/memory_model.h"
#include "training/model_formulas.h"

namespace hallwright {
namespace {

/// Divisors of `n` up to `most`, ascending.
std::vector<Count> divisors(Count n, Count most) {
  std::vector<Count> low, high;
  for (Count d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d != n / d) high.push_back(n / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  low.erase(std::remove_if(low.begin(), low.end(), [&](Count d) { return d > most; }), low.end());
  return low;
}

/// The values next to `wanted`, below first.
std::vector<Count> nearest(const std::vector<Count>& allowed, Count wanted) {
  std::vector<Count> out;
  auto above = std::upper_bound(allowed.begin(), allowed.end(), wanted);
  if (above != allowed.begin()) out.push_back(*std::prev(above));
  if (above != allowed.end()) out.push_back(*above);
  return out;
}

/// "1, 2, 4 or 8"; long lists only around the wanted value.
std::string choice_words(const std::vector<Count>& allowed, Count wanted) {
  constexpr std::size_t readable = 12;
  const std::vector<Count> shown = allowed.size() <= readable ? allowed : nearest(allowed, wanted);
  if (shown.size() < 2) return fmt::format("{}", fmt::join(shown, ""));
  return fmt::format("{} or {}", fmt::join(shown.begin(), std::prev(shown.end()), ", "), shown.back());
}

constexpr Count most_gpus = 100'000'000; ///< beyond any cluster: products of larger axes are refused before they overflow

} // namespace

std::vector<LayoutProblem> layout_problems(const Job& job, const ModelPart& model, Count gpus, Count scale_up_domain) {
  std::vector<LayoutProblem> out;
  const auto report = [&](std::string_view axis, std::string sentence, std::vector<Count> valid, bool note = false) {
    out.push_back({std::string(axis), std::move(sentence), std::move(valid), note});
  };

  struct Axis {
    std::string_view name;
    Count value;
  };
  const std::array<Axis, 9> axes{{{"tensor_parallel", job.tensor_parallel},
                                  {"pipeline_parallel", job.pipeline_parallel},
                                  {"virtual_stages", job.virtual_stages},
                                  {"context_parallel", job.context_parallel},
                                  {"expert_parallel", job.expert_parallel},
                                  {"data_parallel", job.data_parallel},
                                  {"micro_batch", job.micro_batch},
                                  {"global_batch_sequences", job.global_batch_sequences},
                                  {"sequence_length", job.sequence_length}}};
  for (const Axis& a : axes)
    if (a.value < 1 || a.value > most_gpus)
      report(a.name, fmt::format("{} = {} must be from 1 to {}", a.name, a.value, most_gpus), {1});
  if (!out.empty()) return out;

  const Count t = job.tensor_parallel, p = job.pipeline_parallel, c = job.context_parallel, e = job.expert_parallel,
              d = job.data_parallel, b = job.micro_batch, v = job.virtual_stages;

  // Tensor parallelism splits heads; with fewer key-value heads than ranks each rank keeps a copy.
  if (model.attention_heads) {
    const Count heads = *model.attention_heads;
    if (heads % t != 0) {
      const auto allowed = divisors(heads, heads);
      report("tensor_parallel",
             fmt::format("tensor_parallel = {} does not divide {} heads; use {}", t, heads, choice_words(allowed, t)),
             nearest(allowed, t));
    } else if (model.attention != "MLA" && model.kv_heads && *model.kv_heads % t != 0) {
      const Count kv = *model.kv_heads;
      if (t % kv == 0) {
        report("tensor_parallel",
               fmt::format("tensor_parallel = {} is more than the {} key-value heads; each is kept {} times", t, kv, t / kv),
               {kv}, true);
      } else {
        std::vector<Count> allowed;
        for (Count x : divisors(heads, heads))
          if (kv % x == 0 || x % kv == 0) allowed.push_back(x);
        report("tensor_parallel",
               fmt::format("tensor_parallel = {} neither divides the {} key-value heads nor is a multiple of them; use {}", t, kv,
                           choice_words(allowed, t)),
               nearest(allowed, t));
      }
    }
  }
  if (scale_up_domain > 0 && t > scale_up_domain) {
    std::vector<Count> allowed = model.attention_heads ? divisors(*model.attention_heads, scale_up_domain)
                                                       : divisors(scale_up_domain, scale_up_domain);
    report("tensor_parallel",
           fmt::format("tensor_parallel = {} leaves the scale-up domain of {} GPUs: its all-reduce crosses the scale-out network "
                       "in every layer; use at most {}",
                       t, scale_up_domain, allowed.back()),
           {allowed.back()}, true);
  }

  if (model.layers) {
    const Count layers = *model.layers;
    // Chunks: the embedding and the output layer may each stand for a layer (Llama 3 takes one off both ends).
    if (p > layers || v > (layers + 2) / p) {
      if (p > layers) {
        report("pipeline_parallel", fmt::format("pipeline_parallel = {} is more than the {} layers; use at most {}", p, layers, layers),
               {layers});
      } else {
        report("virtual_stages",
               fmt::format("pipeline_parallel = {} times virtual_stages = {} is more than the {} layers; use at most {} virtual stages", p,
                           v, layers, (layers + 2) / p),
               {(layers + 2) / p});
      }
    } else if (layers % p != 0) {
      const auto of = [&](Count stage) { return static_cast<Count>(stage_layers(1.0 * layers, 1.0 * p, 1.0 * stage)); };
      const Count full = of(0);
      Count fullest = 0;
      for (Count stage = 0; stage < p; ++stage) fullest += of(stage) == full ? 1 : 0;
      report("pipeline_parallel",
             fmt::format("{} layers over pipeline_parallel = {} are uneven: {} {} {} layers and the last {}; the pace is that of the fullest stage",
                         layers, p, fullest, fullest == 1 ? "stage holds" : "stages hold", full, of(p - 1)),
             nearest(divisors(layers, layers), p), true);
    }
  }
  const JobSplit split = split_of(job);
  const ModelDimensions dimensions = dimensions_of(model);
  const auto real = [](Count x) { return static_cast<double>(x); };
  const std::string_view order = ChoiceWords<PipelineOrder>::words[static_cast<std::size_t>(job.pipeline_order)];
  if (p > 1) {
    if (!schedule_has_chunks(split.schedule, real(p), real(v)))
      report("virtual_stages",
             job.pipeline_order == PipelineOrder::zero_bubble_v
                 ? fmt::format("the pipeline schedule {} takes two chunks a stage, virtual_stages = {}; use 2", order, v)
                 : fmt::format("the pipeline schedule {} takes one chunk a stage, virtual_stages = {}; use 1", order, v),
             {job.pipeline_order == PipelineOrder::zero_bubble_v ? Count{2} : Count{1}});
    else if (v > 1 && model.layers && v <= (*model.layers + 2) / p && !whole_chunks(real(*model.layers), real(p * v))) {
      std::vector<Count> allowed;
      for (Count x = 1; x <= (*model.layers + 2) / p; ++x)
        if (x == 1 || whole_chunks(real(*model.layers), real(p * x))) allowed.push_back(x);
      report("virtual_stages",
             fmt::format("{} layers do not fall into pipeline_parallel = {} times virtual_stages = {} equal chunks; use {} virtual stages",
                         *model.layers, p, v, choice_words(allowed, v)),
             nearest(allowed, v));
    }
    // Interleaving is told with the batch below.
    if (split.schedule != PipelineSchedule::interleaved && d * b > 0 && job.global_batch_sequences % (d * b) == 0) {
      const Count m = job.global_batch_sequences / (d * b);
      if (!schedule_runs(split.schedule, real(p), real(m)))
        report("pipeline_order",
               fmt::format("the pipeline schedule {} needs {} micro-batches, {} are there; use plain order or a larger batch", order,
                           micro_batches_needed(split.schedule, real(p)), m),
               {});
    }
  }
  if (t > 1 && !sequence_parallel_runs(dimensions, real(job.sequence_length), real(t), real(c), job.sequence_parallel))
    report("sequence_parallel",
           job.sequence_parallel
               ? fmt::format("tensor_parallel x context_parallel = {} x {} does not divide sequence_length = {}, as sequence parallelism needs; "
                             "turn it off or use another length",
                             t, c, job.sequence_length)
               : std::string("routed experts with tensor_parallel of 2 or more need sequence parallelism; turn it on"),
           {});
  if (v > 1 && p == 1)
    report("virtual_stages", fmt::format("virtual_stages = {} has no effect with one pipeline stage; use 1", v), {1}, true);

  const Count experts = model.experts_routed.value_or(0);
  if (experts == 0) {
    if (e > 1)
      report("expert_parallel",
             fmt::format("expert_parallel = {} has no effect: {} is dense; use 1", e, model.name.empty() ? "the model" : model.name), {1},
             true);
  } else {
    std::vector<Count> allowed;
    for (Count x : divisors(experts, experts))
      if (d * c % x == 0) allowed.push_back(x);
    if (experts % e != 0 || d * c % e != 0) {
      const std::string why = experts % e != 0
                                  ? fmt::format("does not divide {} experts", experts)
                                  : fmt::format("does not divide data_parallel x context_parallel = {} x {}", d, c);
      report("expert_parallel", fmt::format("expert_parallel = {} {}; use {}", e, why, choice_words(allowed, e)), nearest(allowed, e));
    }
  }

  if (d * b > job.global_batch_sequences || job.global_batch_sequences % (d * b) != 0) {
    const Count whole = job.global_batch_sequences / (d * b);
    std::vector<Count> allowed;
    if (whole > 0) allowed.push_back(whole * d * b);
    allowed.push_back((whole + 1) * d * b);
    report("global_batch_sequences",
           fmt::format("global_batch_sequences = {} is not a multiple of data_parallel x micro_batch = {} x {}; use {}",
                       job.global_batch_sequences, d, b, choice_words(allowed, job.global_batch_sequences)),
           allowed);
  } else if (v > 1 && p > 1) {
    const Count m = job.global_batch_sequences / (d * b);
    if (m % p != 0) {
      const Count whole = m / p;
      std::vector<Count> allowed;
      if (whole > 0) allowed.push_back(whole * p * d * b);
      allowed.push_back((whole + 1) * p * d * b);
      report("global_batch_sequences",
             fmt::format("interleaving needs a multiple of pipeline_parallel = {} micro-batches, {} are there; use "
                         "global_batch_sequences = {}",
                         p, m, choice_words(allowed, job.global_batch_sequences)),
             allowed);
    }
  }

  if (job.sequence_length % c != 0) {
    const auto allowed = divisors(job.sequence_length, job.sequence_length);
    report("context_parallel",
           fmt::format("context_parallel = {} does not divide sequence_length = {}; use {}", c, job.sequence_length,
                       choice_words(nearest(allowed, c), c)),
           nearest(allowed, c));
  }

  if (model.vocabulary) {
    const auto padded = padded_vocabulary_size.function(*model.vocabulary, t);
    if (padded && *model.vocabulary % t != 0)
      report("tensor_parallel",
             fmt::format("the vocabulary of {} is padded to {} so that tensor_parallel = {} divides it", *model.vocabulary, *padded, t), {},
             true);
  }

  if (gpus > 0) {
    const double product = 1.0 * t * p * c * d;
    const Count replica = 1.0 * t * p * c <= most_gpus ? t * p * c : 0;
    if (product > 1.0 * gpus || product < 1.0 * gpus) {
      std::vector<Count> allowed;
      const Count most = replica > 0 ? gpus / replica : 0;
      // The largest data-parallel size that fits and also divides the batch comes first.
      // No divisor of the batch is larger than the batch itself.
      for (Count x = std::min(most, std::max<Count>(1, job.global_batch_sequences / std::max<Count>(1, b))); x >= 1; --x) {
        if (job.global_batch_sequences % (x * b) == 0) {
          allowed.push_back(x);
          break;
        }
      }
      if (most >= 1 && allowed.empty()) allowed.push_back(most);
      const std::string sum = fmt::format("tensor_parallel x pipeline_parallel x context_parallel x data_parallel = {} x {} x {} x {} = {:.0f}",
                                          t, p, c, d, product);
      if (product > 1.0 * gpus) {
        report("data_parallel",
               most >= 1 ? fmt::format("{} GPUs, but {} are there; use data_parallel = {}", sum, gpus, choice_words(allowed, d))
                         : fmt::format("{} GPUs, but {} are there, fewer than one replica of {:.0f} needs; lower tensor_parallel or "
                                       "pipeline_parallel",
                                       sum, gpus, 1.0 * t * p * c),
               allowed);
      } else {
        // What stands there already is no way out.
        allowed.erase(std::remove(allowed.begin(), allowed.end(), d), allowed.end());
        report("data_parallel", fmt::format("{} GPUs: {:.0f} of {} GPUs idle", sum, gpus - product, gpus), allowed, true);
      }
    }
  }
  return out;
}

} // namespace hallwright
