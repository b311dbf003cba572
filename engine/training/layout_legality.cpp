// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/layout_legality.h"

#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

bool goes_into(double part, double whole) { return part > 0 && std::fmod(whole, part) == 0.0; }

} // namespace

bool sequence_parallel_runs(const ModelDimensions& m, double sequence, double tp, double cp, bool sequence_parallel) {
  if (sequence_parallel) return tp > 1 && goes_into(tp * cp, sequence);
  return tp < 2 || m.experts < 1;
}

bool whole_chunks(double layers, double chunks) {
  return chunks <= layers + 2.0 && std::ceil(layers / chunks) * chunks - layers <= 3.0;
}

bool schedule_has_chunks(PipelineSchedule s, double pp, double vpp) {
  if (s == PipelineSchedule::interleaved) return pp > 1 && vpp > 1;
  if (s == PipelineSchedule::zero_bubble_v) return pp > 1 && vpp == 2;
  return vpp == 1;
}

bool schedule_runs(PipelineSchedule s, double pp, double micro_batches) {
  if (pp < 2) return s == PipelineSchedule::one_f_one_b;
  switch (s) {
  case PipelineSchedule::one_f_one_b:
  case PipelineSchedule::gpipe:
    return true;
  case PipelineSchedule::interleaved:
  case PipelineSchedule::zero_bubble_v:
    return goes_into(pp, micro_batches);
  case PipelineSchedule::zero_bubble_1:
    return micro_batches >= pp;
  case PipelineSchedule::zero_bubble_2:
    return micro_batches >= 2.0 * pp - 1.0;
  case PipelineSchedule::bidirectional:
    return goes_into(2.0, pp) && goes_into(2.0, micro_batches) && micro_batches >= 2.0 * pp;
  }
  return false;
}

std::string micro_batches_needed(PipelineSchedule s, double pp) {
  switch (s) {
  case PipelineSchedule::interleaved:
  case PipelineSchedule::zero_bubble_v:
    return fmt::format("a multiple of {:.0f}", pp);
  case PipelineSchedule::zero_bubble_1:
    return fmt::format("at least {:.0f}", pp);
  case PipelineSchedule::zero_bubble_2:
    return fmt::format("at least {:.0f}", 2.0 * pp - 1.0);
  case PipelineSchedule::bidirectional:
    return std::fmod(pp, 2.0) == 0.0 ? fmt::format("an even number of at least {:.0f}", 2.0 * pp)
                                     : std::string("an even number of stages, and twice as many");
  case PipelineSchedule::one_f_one_b:
  case PipelineSchedule::gpipe:
    break;
  }
  return "at least 1";
}

} // namespace hallwright
