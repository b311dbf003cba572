// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "training/schedule.h"
#include "training/step_model_inputs.h"

/// What a layout needs beyond axes that divide: equal chunks, enough micro-batches, tokens that can be dealt. One place
/// for the checks of a job and for the search over layouts.
namespace hallwright {

/// Whether tokens are dealt to tensor ranks in whole ones; routed experts with tensor ranks need it.
bool sequence_parallel_runs(const ModelDimensions& m, double sequence, double tp, double cp, bool sequence_parallel);
/// Equal chunks, but for three layers: the embedding, the loss and a head for a second token may each stand for one.
/// @source Llama 3 405B (126 layers in 128 chunks), DeepSeek-V3 (61 in 16 stages)
bool whole_chunks(double layers, double chunks);
/// Whether a schedule takes `vpp` chunks of layers a stage: interleaved two or more, zero-bubble V two, the others one.
bool schedule_has_chunks(PipelineSchedule s, double pp, double vpp);
/// Enough micro-batches for the schedule, in whole rounds where stages hold several chunks.
/// @source Narayanan et al. 2021; Qi et al. 2024; DeepSeek-V3 2024 (DualPipe)
bool schedule_runs(PipelineSchedule s, double pp, double micro_batches);
/// The fewest micro-batches that it runs with and that `schedule_runs` asks for, in words: "a multiple of 8".
std::string micro_batches_needed(PipelineSchedule s, double pp);

} // namespace hallwright
