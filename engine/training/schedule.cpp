// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace hallwright {

std::string_view schedule_word(PipelineSchedule s) {
  constexpr std::array<std::string_view, 7> words{"1F1B", "interleaved", "ZB-1P", "ZB-2P", "ZB-V", "GPipe", "DualPipe"};
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
  case PipelineSchedule::bidirectional: {
    const double backward = backward_input + backward_weight;
    return std::max(0.0, stages / 2.0 - 1.0) * std::max(0.0, forward + 2.0 * backward - 3.0 * backward_weight);
  }
  }
  return 0.0;
}

double held_micro_batches(PipelineSchedule s, int stages, int chunks, int stage, double micro_batches) {
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
  case PipelineSchedule::bidirectional:
    return std::min<double>(m, stages + 1.0);
  case PipelineSchedule::interleaved: {
    // Chunks forward before the first backward of a stage: 2 (p - i - 1) + (v - 1) p + 1.
    const double warm_up = 2.0 * (stages - stage - 1) + (chunks - 1.0) * stages + 1.0;
    return std::min(m, warm_up / chunks);
  }
  }
  return m;
}

double PipelineTimeline::longest_idle() const {
  double longest = 0.0;
  for (std::size_t i = 0; i < entries.size();) {
    double idle = 0.0, until = entries[i].begin;
    const int stage = entries[i].stage;
    for (; i < entries.size() && entries[i].stage == stage; ++i) {
      idle += std::max(0.0, entries[i].begin - until);
      until = std::max(until, entries[i].end);
    }
    longest = std::max(longest, idle);
  }
  return longest;
}

namespace {

struct Step {
  PipelineWork work = PipelineWork::forward;
  int chunk = 0, micro_batch = 0;
};
/// What a stage begins at once: one step, or a forward beside a backward.
struct Turn {
  Step first;
  std::optional<Step> beside;
};
using Turns = std::vector<Turn>;

/// Where a chunk of a stage stands on its way, and which way: bidirectional has one from each end.
struct Route {
  int way = 0, link = 0;
};

constexpr auto forward = PipelineWork::forward, backward = PipelineWork::backward,
               input = PipelineWork::backward_input, weight = PipelineWork::backward_weight;

/// Plain, interleaved and GPipe.
Turns plain_order(PipelineSchedule s, int stage, int stages, int chunks, int micro_batches) {
  const int v = s == PipelineSchedule::interleaved ? chunks : 1;
  const int total = micro_batches * v;
  const auto nth = [&](int n, PipelineWork work) {
    const int group = n / (stages * v), inside = n % (stages * v);
    int chunk = inside / stages;
    if (work == backward) chunk = v - 1 - chunk;
    return Turn{v == 1 ? Step{work, 0, n} : Step{work, chunk, group * stages + inside % stages}, {}};
  };
  int warm_up = total;
  if (s == PipelineSchedule::one_f_one_b) warm_up = std::min(total, stages - stage - 1);
  if (s == PipelineSchedule::interleaved) warm_up = std::min(total, 2 * (stages - stage - 1) + (v - 1) * stages);
  Turns out;
  for (int i = 0; i < warm_up; ++i)
    out.push_back(nth(i, forward));
  for (int i = warm_up; i < total; ++i) {
    out.push_back(nth(i, forward));
    out.push_back(nth(i - warm_up, backward));
  }
  for (int i = total - warm_up; i < total; ++i)
    out.push_back(nth(i, backward));
  return out;
}

/// ZB-H1 (`depth` 1) and ZB-H2 (`depth` 2): later stages put weights off for as many micro-batches as earlier ones
/// began with more, so that all hold equally many.
Turns handcrafted_order(int depth, int stage, int stages, int micro_batches) {
  Turns out;
  const int warm_up = std::min(micro_batches, depth * (stages - stage - 1)), delay = depth * stage;
  int next_forward = 0, next_weight = 0;
  for (; next_forward < warm_up; ++next_forward)
    out.push_back({{forward, 0, next_forward}, {}});
  for (int i = 0; i < micro_batches; ++i) {
    if (next_forward < micro_batches) out.push_back({{forward, 0, next_forward++}, {}});
    out.push_back({{input, 0, i}, {}});
    if (i >= delay) out.push_back({{weight, 0, next_weight++}, {}});
  }
  while (next_weight < micro_batches)
    out.push_back({{weight, 0, next_weight++}, {}});
  return out;
}

/// ZB-V: chunk 0 on the way down, chunk 1 on the way back.
Turns v_order(int stage, int stages, int micro_batches) {
  // Counted as if there were enough to fill the pipeline; what is not there is left out.
  const int enough = std::max(2 * stages - 1, micro_batches);
  Turns out;
  std::array<int, 2> forwards{}, inputs{}, weights{};
  const auto add = [&](PipelineWork work, int chunk, std::array<int, 2>& next) {
    const int n = next[static_cast<std::size_t>(chunk)]++;
    if (n < micro_batches) out.push_back({{work, chunk, n}, {}});
  };
  const auto both = [&](int chunk) {
    add(input, chunk, inputs);
    add(weight, chunk, weights);
  };
  for (int i = 0; i < 2 * (stages - stage) - 1; ++i)
    add(forward, 0, forwards);
  for (int i = 0; i < stage; ++i) {
    add(forward, 1, forwards);
    add(forward, 0, forwards);
  }
  for (int i = 0; i < stages - stage; ++i) {
    add(forward, 1, forwards);
    both(1);
  }
  while (forwards[1] < forwards[0] || forwards[0] < enough) {
    if (forwards[0] < enough) add(forward, 0, forwards);
    both(0);
    add(forward, 1, forwards);
    both(1);
  }
  for (int i = 0; i < stage; ++i) {
    add(input, 0, inputs);
    add(input, 1, inputs);
  }
  for (int i = 0; i < stages - stage; ++i)
    both(0);
  for (const int chunk : {1, 0})
    while (weights[static_cast<std::size_t>(chunk)] < inputs[static_cast<std::size_t>(chunk)])
      add(weight, chunk, weights);
  return out;
}

/// DualPipe: half of the micro-batches from either end; chunk d of a stage lies on way d.
Turns bidirectional_order(int stage, int stages, int micro_batches) {
  const int half = stages / 2, rank = std::min(stage, stages - 1 - stage), of_way = micro_batches / 2;
  const bool second_half = stage >= half;
  Turns out;
  std::array<int, 2> forwards{}, backwards{};
  std::vector<Step> put_off;
  // Phase 0 comes from the nearer end.
  const auto chunk_of = [&](int phase) { return phase ^ (second_half ? 1 : 0); };
  const auto next_forward = [&](int phase) {
    return Step{forward, chunk_of(phase), forwards[static_cast<std::size_t>(phase)]++};
  };
  const auto next_backward = [&](int phase, bool split = false) {
    const Step step{split ? input : backward, chunk_of(phase), backwards[static_cast<std::size_t>(phase)]++};
    if (split) put_off.push_back({weight, step.chunk, step.micro_batch});
    return step;
  };
  std::size_t next_weight = 0;
  const auto alone = [&](Step step) { out.push_back({step, {}}); };
  const auto weights = [&] { alone(put_off[next_weight++]); };
  const auto beside = [&](int forward_phase, int backward_phase) {
    const Step f = next_forward(forward_phase);
    out.push_back({f, next_backward(backward_phase)});
  };
  for (int i = 0; i < 2 * (half - rank - 1); ++i)
    alone(next_forward(0));
  for (int i = 0; i < rank + 1; ++i) {
    alone(next_forward(0));
    alone(next_forward(1));
  }
  for (int i = 0; i < half - rank - 1; ++i) {
    alone(next_backward(1, true));
    weights();
    alone(next_forward(1));
  }
  for (int i = 0; i < of_way - stages + rank + 1; ++i) {
    if (i == 0 && rank == half - 1) {
      alone(next_forward(0));
      alone(next_backward(1));
    } else {
      beside(0, 1);
    }
    beside(1, 0);
  }
  for (int i = 0; i < half - rank - 1; ++i) {
    alone(next_backward(1));
    beside(1, 0);
  }
  bool split = false;
  for (int i = 0; i < rank + 1; ++i) {
    const bool middle = i == (rank + 1) / 2;
    if (middle && rank % 2 == 1) split = true;
    alone(next_backward(1, split));
    if (middle && rank % 2 == 0) split = true;
    alone(next_backward(0, split));
  }
  for (int i = 0; i < half - rank - 1; ++i) {
    weights();
    alone(next_backward(0, true));
  }
  while (next_weight < put_off.size())
    weights();
  return out;
}

Turns order_of(PipelineSchedule s, int stage, int stages, int chunks, int micro_batches) {
  switch (s) {
  case PipelineSchedule::zero_bubble_1:
    return handcrafted_order(1, stage, stages, micro_batches);
  case PipelineSchedule::zero_bubble_2:
    return handcrafted_order(2, stage, stages, micro_batches);
  case PipelineSchedule::zero_bubble_v:
    return v_order(stage, stages, micro_batches);
  case PipelineSchedule::bidirectional:
    return bidirectional_order(stage, stages, micro_batches);
  default:
    return plain_order(s, stage, stages, chunks, micro_batches);
  }
}

} // namespace

PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, const PipelineTimes& times) {
  PipelineTimeline out;
  if (stages < 1 || chunks < 1 || micro_batches < 1) return out;
  const bool two_ways = s == PipelineSchedule::bidirectional, turns_back = s == PipelineSchedule::zero_bubble_v;
  const int v = s == PipelineSchedule::interleaved ? chunks : turns_back ? 2 : 1;
  if (s == PipelineSchedule::interleaved && v > 1 && micro_batches % stages != 0) return out;
  if (two_ways && (stages % 2 != 0 || micro_batches % 2 != 0 || micro_batches < 2 * stages)) return out;
  const int depth = stages * v, of_way = two_ways ? micro_batches / 2 : micro_batches;
  const auto route = [&](int stage, int chunk) {
    if (two_ways) return Route{chunk, chunk == 0 ? stage : stages - 1 - stage};
    if (turns_back) return Route{0, chunk == 0 ? stage : depth - 1 - stage};
    return Route{0, chunk * stages + stage};
  };
  const auto stage_at = [&](Route r) {
    if (two_ways) return r.way == 0 ? r.link : stages - 1 - r.link;
    if (turns_back) return r.link < stages ? r.link : depth - 1 - r.link;
    return r.link % stages;
  };
  const auto at = [&](Route r, int micro_batch) {
    return static_cast<std::size_t>((r.way * of_way + micro_batch) * depth + r.link);
  };
  std::vector<double> forward_end(static_cast<std::size_t>((two_ways ? 2 : 1) * of_way * depth), -1.0),
      backward_end = forward_end;
  /// When what a step needs is there; below 0: not yet known.
  const auto ready_at = [&](int stage, const Step& step) {
    const Route r = route(stage, step.chunk);
    const double own = forward_end[at(r, step.micro_batch)];
    if (step.work == weight) return backward_end[at(r, step.micro_batch)];
    if (step.work != forward && own < 0.0) return -1.0;
    Route from = r;
    from.link += step.work == forward ? -1 : 1;
    if (from.link < 0) return 0.0;
    if (from.link >= depth) return own;
    const double there = (step.work == forward ? forward_end : backward_end)[at(from, step.micro_batch)];
    if (there < 0.0) return there;
    return std::max(step.work == forward ? 0.0 : own, there + (stage_at(from) != stage ? times.transfer : 0.0));
  };
  const auto length = [&](const Step& step) {
    const double whole = step.work == forward    ? times.forward
                         : step.work == input    ? times.backward_input
                         : step.work == weight   ? times.backward_weight
                                                 : times.backward_input + times.backward_weight;
    return whole / v;
  };
  std::vector<Turns> order;
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
        const Turn& turn = order[row][next[row]];
        double ready = ready_at(i, turn.first), lasts = length(turn.first);
        if (ready < 0.0) break;
        if (turn.beside) {
          const double other = ready_at(i, *turn.beside);
          if (other < 0.0) break;
          ready = std::max(ready, other);
          lasts = times.together > 0.0 ? times.together : lasts + length(*turn.beside);
        }
        const double begin = std::max(free[row], ready), end = begin + lasts;
        free[row] = end;
        out.span = std::max(out.span, end);
        const auto done = [&](const Step& step) {
          const Route r = route(i, step.chunk);
          if (step.work == forward)
            forward_end[at(r, step.micro_batch)] = end;
          else if (step.work != weight)
            backward_end[at(r, step.micro_batch)] = end;
          work[row].push_back({i, step.chunk, step.micro_batch, step.work, begin, end});
        };
        done(turn.first);
        if (turn.beside) done(*turn.beside);
        ++next[row];
        moved = true;
      }
    }
  }
  for (const auto& row : work)
    out.entries.insert(out.entries.end(), row.begin(), row.end());
  return out;
}

PipelineTimeline play_schedule(PipelineSchedule s, int stages, int chunks, int micro_batches, double forward,
                               double backward, double transfer) {
  return play_schedule(s, stages, chunks, micro_batches, {forward, backward / 2.0, backward / 2.0, transfer});
}

} // namespace hallwright
