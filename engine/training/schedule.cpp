// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hallwright {

std::string_view schedule_word(PipelineSchedule s) {
  constexpr std::array<std::string_view, 6> words{"1F1B", "interleaved", "ZB-1P", "ZB-2P", "ZB-V", "GPipe"};
  return words[static_cast<std::size_t>(s)];
}

double pipeline_idle(PipelineSchedule s, int stages, int chunks, double forward, double backward_input,
                     double backward_weight) {
  const double p = stages - 1;
  const double whole = forward + backward_input + backward_weight;
  switch (s) {
  case PipelineSchedule::gpipe:
  case PipelineSchedule::one_f_one_b:
    return p * whole;
  case PipelineSchedule::interleaved:
    return p * whole / chunks;
  case PipelineSchedule::zero_bubble_1:
    return p * std::max(0.0, forward + backward_input - backward_weight);
  case PipelineSchedule::zero_bubble_2:
  case PipelineSchedule::zero_bubble_v:
    return p * std::max(0.0, forward + backward_input - 2.0 * backward_weight);
  }
  return 0.0;
}

double held_micro_batches(PipelineSchedule s, int stages, int chunks, int stage, int micro_batches) {
  const double m = micro_batches;
  switch (s) {
  case PipelineSchedule::gpipe:
    return m;
  case PipelineSchedule::one_f_one_b:
  case PipelineSchedule::zero_bubble_1:
    return std::min<double>(m, stages - stage);
  case PipelineSchedule::zero_bubble_2:
    return std::min<double>(m, 2.0 * stages - 1.0);
  case PipelineSchedule::zero_bubble_v:
    return std::min<double>(m, stages);
  case PipelineSchedule::interleaved: {
    // Chunks forward before the first backward of a stage: 2 (p - i - 1) + (v - 1) p + 1.
    const double warm_up = 2.0 * (stages - stage - 1) + (chunks - 1.0) * stages + 1.0;
    return std::min(m, warm_up / chunks);
  }
  }
  return m;
}

namespace {

struct Step {
  int chunk = 0, micro_batch = 0;
  bool forward = true;
};

/// Order of work of one stage.
std::vector<Step> order_of(PipelineSchedule s, int stage, int stages, int chunks, int micro_batches) {
  const int v = s == PipelineSchedule::interleaved ? chunks : 1;
  const int total = micro_batches * v;
  const auto nth = [&](int n, bool forward) {
    const int group = n / (stages * v), inside = n % (stages * v);
    int chunk = inside / stages;
    if (!forward) chunk = v - 1 - chunk;
    return v == 1 ? Step{0, n, forward} : Step{chunk, group * stages + inside % stages, forward};
  };
  int warm_up = total;
  if (s == PipelineSchedule::one_f_one_b) warm_up = std::min(total, stages - stage - 1);
  if (s == PipelineSchedule::interleaved) warm_up = std::min(total, 2 * (stages - stage - 1) + (v - 1) * stages);
  std::vector<Step> out;
  for (int i = 0; i < warm_up; ++i)
    out.push_back(nth(i, true));
  for (int i = warm_up; i < total; ++i) {
    out.push_back(nth(i, true));
    out.push_back(nth(i - warm_up, false));
  }
  for (int i = total - warm_up; i < total; ++i)
    out.push_back(nth(i, false));
  return out;
}

} // namespace

PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, double forward,
                               double backward, double transfer) {
  PipelineTimeline out;
  const int v = s == PipelineSchedule::interleaved ? chunks : 1;
  const bool known =
      s == PipelineSchedule::one_f_one_b || s == PipelineSchedule::gpipe || s == PipelineSchedule::interleaved;
  if (!known || stages < 1 || chunks < 1 || micro_batches < 1 || (v > 1 && micro_batches % stages != 0)) return out;
  const int depth = stages * v;
  const auto at = [&](int micro_batch, int link) { return static_cast<std::size_t>(micro_batch * depth + link); };
  std::vector<double> forward_end(static_cast<std::size_t>(micro_batches * depth), -1.0), backward_end = forward_end;
  std::vector<std::vector<Step>> order;
  std::vector<std::vector<PipelineSlot>> work(static_cast<std::size_t>(stages));
  for (int i = 0; i < stages; ++i)
    order.push_back(order_of(s, i, stages, chunks, micro_batches));
  std::vector<std::size_t> next(static_cast<std::size_t>(stages), 0);
  std::vector<double> free(static_cast<std::size_t>(stages), 0.0);
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < stages; ++i) {
      const auto row = static_cast<std::size_t>(i);
      while (next[row] < order[row].size()) {
        const Step step = order[row][next[row]];
        const int link = step.chunk * stages + i;
        double ready = 0.0;
        if (step.forward && link > 0)
          ready = forward_end[at(step.micro_batch, link - 1)];
        else if (!step.forward)
          ready =
              link + 1 < depth ? backward_end[at(step.micro_batch, link + 1)] : forward_end[at(step.micro_batch, link)];
        if (ready < 0.0) break;
        const bool sent = step.forward ? link > 0 : link + 1 < depth;
        const double begin = std::max(free[row], ready + (sent ? transfer : 0.0));
        const double end = begin + (step.forward ? forward : backward) / v;
        (step.forward ? forward_end : backward_end)[at(step.micro_batch, link)] = end;
        free[row] = end;
        work[row].push_back({.stage = i,
                             .chunk = step.chunk,
                             .micro_batch = step.micro_batch,
                             .work = step.forward ? PipelineWork::forward : PipelineWork::backward,
                             .begin = begin,
                             .end = end});
        out.span = std::max(out.span, end);
        ++next[row];
        moved = true;
      }
    }
  }
  for (const auto& row : work)
    out.entries.insert(out.entries.end(), row.begin(), row.end());
  return out;
}

} // namespace hallwright
