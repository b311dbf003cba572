// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_timeline.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {
constexpr double most_pieces = 4e6; ///< of a timeline: 32 bytes each
}

StepTimeline step_timeline(const JobSplit& split, const StepParts& parts, double factor) {
  StepTimeline out;
  const double m = split.micro_batches(), stages = std::max(1.0, split.pp);
  const double chunks = split.schedule == PipelineSchedule::interleaved ? std::max(1.0, split.vpp) : 1.0;
  out.gradients = parts.data * factor;
  out.optimizer = parts.optimizer * factor;
  out.rest = (parts.stragglers + parts.other + parts.offload) * factor;
  if (!(m >= 1) || !std::isfinite(m)) {
    out.problem = "a step holds no micro-batch";
    return out;
  }
  if (const double pieces = 3.0 * m * stages * chunks; pieces > most_pieces) {
    out.problem = fmt::format("{:.0f} stages x {:.0f} chunks x {:.0f} micro-batches are more than a timeline shows", stages, chunks, m);
    return out;
  }
  const double again = parts.recompute / m;
  const double work = (parts.matrix + parts.attention + parts.passes + parts.experts + parts.logits + parts.launch + parts.tensor +
                       parts.context + parts.expert) /
                      m;
  out.transfer = stages > 1.5 ? parts.pipeline / (2.0 * m * std::max(1.0, split.vpp)) * factor : 0.0;
  auto played = play_schedule(split.schedule, static_cast<int>(stages), static_cast<int>(chunks), static_cast<int>(std::lround(m)),
                              work / 3.0 * factor, (work * 2.0 / 3.0 + again) * factor, out.transfer);
  if (played.entries.empty()) {
    out.problem = fmt::format("{} with {:.0f} stages, {:.0f} chunks and {:.0f} micro-batches cannot be played", schedule_word(split.schedule),
                              stages, chunks, m);
    return out;
  }
  out.timeline = std::make_shared<const PipelineTimeline>(std::move(played));
  return out;
}

} // namespace hallwright
