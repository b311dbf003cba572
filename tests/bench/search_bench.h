// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "training/layout_search.h"

/// Measures of the search of parallel layouts. Times of the processor, so that a busy machine changes little; those of
/// the clock stand beside them.
namespace hallwright::bench {

/// GPT-3 175B on 4,096 A100 of 80 GB, batch 1,536.
inline TrainedJob gpt3_on_4096() {
  TrainedJob job;
  job.model = {.layers = 96,
               .hidden = 12288,
               .heads = 96,
               .kv_heads = 96,
               .head_dimension = 128,
               .ffn = 49152,
               .vocabulary = 51200};
  job.split = {.sequence = 2048, .global_batch = 1536};
  job.cluster = {.family = AcceleratorFamily::ampere,
                 .peak_tflops = 312,
                 .half_peak_tflops = 312,
                 .memory_gb_s = 2039,
                 .memory_gib = 80,
                 .scale_up_gb_s = 300,
                 .scale_up_ranks = 8,
                 .network_gb_s = 25};
  job.gpus = 4096;
  job.memory_bytes = 80.0 * 1073741824.0;
  return job;
}

struct SearchTimes {
  std::uint64_t enumerated = 0, legal = 0, fit = 0;
  double evaluation_us = 0; ///< of one core
  double first_ms = 0;      ///< until the first good answer
  double whole_s = 0;       ///< of each of the threads
  double whole_clock_s = 0, stop_clock_ms = 0;
  double first_step_s = 0, best_step_s = 0;
};
inline SearchTimes search_times(const Catalog& catalog, int threads) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
  const auto processor_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const TrainingConstants constants = training_constants(catalog).value();
  const TrainedJob job = gpt3_on_4096();
  SearchTimes out;
  const auto start = Clock::now();
  const double start_s = processor_s();
  const LayoutSearchResult all = search_layouts(
      job, constants, {}, {},
      [&](const LayoutProgress& p) {
        if (out.first_ms > 0.0 || !p.best) return;
        out.first_ms = 1e3 * (processor_s() - start_s);
        out.first_step_s = p.best->step_seconds;
      },
      {.threads = threads});
  const double used_s = processor_s() - start_s;
  out.whole_s = used_s / threads;
  out.whole_clock_s = since(start);
  if (!all.complete || all.best.empty()) throw std::runtime_error("the search found nothing");
  out.enumerated = all.enumerated;
  out.legal = all.legal;
  out.fit = all.fit;
  out.best_step_s = all.best.front().step_seconds;
  out.evaluation_us = 1e6 * used_s / static_cast<double>(all.legal);

  std::stop_source source;
  Clock::time_point asked;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = Clock::now();
    source.request_stop();
  });
  const LayoutSearchResult part = search_layouts(job, constants, {}, source.get_token(), {}, {.threads = threads});
  stopper.join();
  out.stop_clock_ms = part.complete ? 0.0 : 1e3 * since(asked);
  return out;
}

} // namespace hallwright::bench
