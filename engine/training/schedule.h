// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// Pipeline schedules: idle time, activations that are held, and the timeline itself.
namespace hallwright {

enum class PipelineSchedule : std::uint8_t {
  one_f_one_b,
  interleaved,
  zero_bubble_1,
  zero_bubble_2,
  zero_bubble_v,
  gpipe,
  bidirectional, ///< DualPipe
};
std::string_view schedule_word(PipelineSchedule s);

/// Idle time of one rank in a step, in units of `forward`, `backward_input` and `backward_weight` of a whole stage and
/// micro-batch.
/// @param stages, chunks, at least 1
/// @source Narayanan et al. 2021 (2.2); Qi et al. 2024, zero bubble pipeline parallelism (table 2); DeepSeek-V3
///   technical report 2024, table 2: (p / 2 - 1)(F&B + B - 3 W), here with F&B = F + B
double pipeline_idle(PipelineSchedule s, int stages, int chunks, double forward, double backward_input,
                     double backward_weight);

/// Micro-batches whose activations stage `stage` (from 0) holds at the peak, in whole-stage units.
/// @source Narayanan et al. 2021; Korthikanti et al. 2022: interleaving holds 1 + (p - 1) / (p v) times as many;
///   DeepSeek-V3 technical report 2024, table 2: p + 1 under DualPipe
double held_micro_batches(PipelineSchedule s, int stages, int chunks, int stage, double micro_batches);

enum class PipelineWork : std::uint8_t { forward, backward, backward_input, backward_weight };
struct PipelineSlot {
  int stage = 0;
  int chunk = 0; ///< of the stage, from 0; of a bidirectional schedule: the direction, 0 from the first stage
  int micro_batch = 0;
  PipelineWork work = PipelineWork::forward;
  double begin = 0, end = 0;
};
struct PipelineTimeline {
  std::vector<PipelineSlot> entries; ///< by stage, then by time
  double span = 0;
  /// Longest idle time of a stage between its first and its last work.
  [[nodiscard]] double longest_idle() const;
};
/// Times of a whole stage and micro-batch, and of handing it to the next stage.
struct PipelineTimes {
  double forward = 1, backward_input = 1, backward_weight = 1, transfer = 0;
  double together = 0; ///< a forward and a whole backward side by side, for bidirectional; 0: as one after the other
};
/// Plays a schedule: each stage does its work in the order of the schedule as soon as what it needs is there. Plain,
/// interleaved and GPipe take both parts of a backward together; the others take the part for weights when it fills a
/// gap. Bidirectional runs a forward and a backward side by side: two entries of the same time.
/// @return an empty timeline for counts that the schedule cannot do: interleaved takes whole rounds of micro-batches,
///   bidirectional even stages and an even number of micro-batches, at least two a stage
/// @source Qi et al. 2024 (ZB-H1 and ZB-H2, figures 2 and 3; ZB-V as PyTorch's ScheduleZBVZeroBubble orders it);
///   deepseek-ai/DualPipe, dualpipe.py
PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, const PipelineTimes& times);
/// The same with `backward` in equal parts for inputs and weights.
PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, double forward,
                               double backward, double transfer);

} // namespace hallwright
