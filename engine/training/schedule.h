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
  gpipe
};
std::string_view schedule_word(PipelineSchedule s);

/// Idle time of one rank in a step, in units of `forward`, `backward_input` and `backward_weight` of a whole stage and
/// micro-batch.
/// @param stages, chunks, at least 1
/// @source Narayanan et al. 2021 (2.2); Qi et al. 2024, zero bubble pipeline parallelism (table 2)
double pipeline_idle(PipelineSchedule s, int stages, int chunks, double forward, double backward_input,
                     double backward_weight);

/// Micro-batches whose activations stage `stage` (from 0) holds at the peak, in whole-stage units.
/// @source Narayanan et al. 2021; Korthikanti et al. 2022: interleaving holds 1 + (p - 1) / (p v) times as many
double held_micro_batches(PipelineSchedule s, int stages, int chunks, int stage, int micro_batches);

enum class PipelineWork : std::uint8_t { forward, backward, backward_input, backward_weight };
struct PipelineSlot {
  int stage = 0, chunk = 0, micro_batch = 0;
  PipelineWork work = PipelineWork::forward;
  double begin = 0, end = 0;
};
struct PipelineTimeline {
  std::vector<PipelineSlot> entries; ///< by stage, then by time
  double span = 0;
};
/// Plays a schedule: each stage does its work in the order of the schedule as soon as what it needs is there. Plain,
/// interleaved (micro-batches must be a multiple of the stages) and GPipe; backward takes input and weight together.
/// An empty timeline for other schedules, and for counts that the schedule cannot do.
PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, double forward,
                               double backward, double transfer);

} // namespace hallwright
