// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/layout_search.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "training/layout_legality.h"
#include "training/memory_model.h"

namespace hallwright {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool divides(double part, double whole) { return std::fmod(whole, part) == 0.0; }

/// Divisors of a whole number up to `most`, ascending.
std::vector<double> divisors_up_to(double whole, double most) {
  std::vector<double> low, high;
  for (double d = 1; d <= whole / d; ++d) {
    if (!divides(d, whole)) continue;
    low.push_back(d);
    if (d * d < whole) high.push_back(whole / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  std::erase_if(low, [most](double d) { return d > most; });
  return low;
}
std::vector<double> or_free(std::vector<double> held, const std::vector<double>& free) {
  if (held.empty()) return free;
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}
template <class T>
std::vector<T> or_all(std::vector<T> held, std::initializer_list<T> all) {
  if (held.empty()) return all;
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

// --- what is legal, axis by axis; sentences do not name the value itself, so that neighbours can share one ------------

std::string tensor_problem(const ModelDimensions& m, double tp) {
  if (!divides(tp, m.heads)) return fmt::format("does not divide {:.0f} heads", m.heads);
  // With fewer key-value heads than ranks each rank keeps a copy.
  if (!m.latent && m.kv_heads > 0 && !divides(tp, m.kv_heads) && !divides(m.kv_heads, tp))
    return fmt::format("neither divides {:.0f} key-value heads nor is a multiple of them", m.kv_heads);
  return {};
}
std::string context_problem(double sequence, double cp) {
  return divides(cp, sequence) ? std::string() : fmt::format("does not divide a sequence of {:.0f} tokens", sequence);
}
std::string pipeline_problem(const ModelDimensions& m, double pp) {
  return pp <= m.layers ? std::string() : fmt::format("more stages than {:.0f} layers", m.layers);
}
std::string expert_problem(const ModelDimensions& m, double ep) {
  if (m.experts < 1) return ep > 1 ? "the model has no experts" : std::string();
  return divides(ep, m.experts) ? std::string() : fmt::format("does not divide {:.0f} experts", m.experts);
}
/// Expert-parallel groups lie inside the data-parallel and context-parallel ranks.
bool experts_placed(double ep, double cp, double dp) { return divides(ep, cp * dp); }
std::string batch_problem(double batch, double sequences) {
  return divides(sequences, batch) ? std::string() : fmt::format("does not divide the global batch of {:.0f}", batch);
}
/// Groups of ranks are for sharded parameters of dense layers: experts have groups of their own.
bool groups_run(const ModelDimensions& m, Sharding s, double ranks, double shard_ranks) {
  if (shard_ranks == 0) return true;
  return s == Sharding::parameters && m.experts < 1 && shard_ranks > 1 && shard_ranks < ranks && divides(shard_ranks, ranks);
}

const std::vector<PipelineSchedule> all_schedules{PipelineSchedule::one_f_one_b,   PipelineSchedule::interleaved,
                                                  PipelineSchedule::zero_bubble_1, PipelineSchedule::zero_bubble_2,
                                                  PipelineSchedule::zero_bubble_v, PipelineSchedule::gpipe,
                                                  PipelineSchedule::bidirectional};
constexpr std::size_t sharding_kinds = 5;
std::string_view sharding_kind_word(std::size_t kind) {
  constexpr std::array<std::string_view, sharding_kinds> words{
      "none", "optimizer", "gradients", "parameters", "parameters in groups"};
  return words[kind];
}

// --- the space, laid out ----------------------------------------------------------------------------------------------

struct StageChoice {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  double vpp = 1;
  bool whole = true; ///< chunks are equal
};
struct ShardChoice {
  Sharding sharding = Sharding::none;
  double ranks = 0;
  std::size_t kind = 0;
};
/// A way to put stages and replicas on the accelerators, for one tensor and context size.
struct Slot {
  double pp = 1, dp = 1;
  std::size_t pp_at = 0, dp_at = 0;
  const std::vector<StageChoice>* stages = nullptr;
  const std::vector<ShardChoice>* shards = nullptr;
};
/// Work of one thread at a time: one tensor, context and micro-batch size.
struct Unit {
  std::size_t tp_at = 0, cp_at = 0, mb_at = 0, slots = 0;
  double weight = 0;
};

class Plan {
public:
  Plan(const TrainedJob& job, const LayoutSpace& space) : job_(job), space_(space) {
    problem = wrong_input();
    if (!problem.empty()) return;
    const double there = space.gpus > 0 ? space.gpus : job.gpus;
    most = space.least_gpus > 0 ? there : largest_usable(there);
    least = space.least_gpus > 0 ? space.least_gpus : most;
    const bool exact = least == most;
    const ModelDimensions& m = job.model;
    const double batch = job.split.global_batch;
    tp = or_free(space.tensor_parallel, exact ? divisors_up_to(most, m.heads) : divisors_up_to(m.heads, most));
    cp = or_free(space.context_parallel,
                 exact ? divisors_up_to(most, job.split.sequence) : divisors_up_to(job.split.sequence, most));
    if (exact || !space.pipeline_parallel.empty()) {
      pp = or_free(space.pipeline_parallel, divisors_up_to(most, 2.0 * m.layers));
    } else {
      for (double p = 1; p <= m.layers; ++p)
        pp.push_back(p);
    }
    ep = or_free(space.expert_parallel, m.experts > 0 ? divisors_up_to(m.experts, most) : std::vector<double>{1.0});
    mb = or_free(space.micro_batch, divisors_up_to(batch, batch));
    recompute = or_all(space.recompute, {Recompute::none, Recompute::selective, Recompute::full});
    for (const double p : pp)
      stages_[p] = stage_choices(p);
    lay_out(exact);
  }

  std::string problem;
  double least = 0, most = 0;
  std::vector<double> tp, cp, pp, ep, mb, dp; ///< values, ascending
  std::vector<double> vpp;                    ///< of all choices, ascending
  std::vector<PipelineSchedule> schedules;    ///< of all choices
  std::array<bool, sharding_kinds> sharding_kind_there{};
  std::vector<Recompute> recompute;
  std::vector<std::vector<Slot>> slots; ///< legal by each axis alone; by tp, then cp
  std::vector<Unit> units;
  double weight = 0;
  std::uint64_t enumerated = 0;

  [[nodiscard]] std::vector<bool> sequence_parallel(double t) const {
    if (t < 2) return {false};
    return or_all(space_.sequence_parallel, {false, true});
  }

private:
  const TrainedJob& job_;
  const LayoutSpace& space_;
  std::map<double, std::vector<StageChoice>> stages_; ///< by pp
  std::map<double, std::vector<ShardChoice>> shards_; ///< by ranks

  [[nodiscard]] std::string wrong_input() const {
    const auto count = [](std::string_view what, double value) {
      return value >= 1 && value <= 1e9 && value == std::floor(value)
                 ? std::string()
                 : fmt::format("{} = {} must be a whole number from 1 to 1,000,000,000", what, value);
    };
    const ModelDimensions& m = job_.model;
    for (const auto& [what, value] : {std::pair("layers", m.layers),
                                      {"hidden", m.hidden},
                                      {"heads", m.heads},
                                      {"vocabulary", m.vocabulary},
                                      {"sequence", job_.split.sequence},
                                      {"global_batch", job_.split.global_batch},
                                      {"gpus", space_.gpus > 0 ? space_.gpus : job_.gpus}})
      if (std::string p = count(what, value); !p.empty()) return p;
    if (m.layers > 10'000) return fmt::format("layers = {} must be at most 10,000", m.layers);
    if (!(job_.memory_bytes > 0)) return fmt::format("the memory of an accelerator, {} B, must be above 0", job_.memory_bytes);
    if (!(space_.memory_share > 0 && space_.memory_share <= 1))
      return fmt::format("memory_share = {} must be above 0 and at most 1", space_.memory_share);
    if (space_.least_gpus > 0 && space_.least_gpus > (space_.gpus > 0 ? space_.gpus : job_.gpus))
      return fmt::format("least_gpus = {} is more than the {} GPUs", space_.least_gpus,
                         space_.gpus > 0 ? space_.gpus : job_.gpus);
    for (const auto* list : {&space_.tensor_parallel, &space_.context_parallel, &space_.expert_parallel,
                             &space_.pipeline_parallel, &space_.data_parallel, &space_.micro_batch, &space_.virtual_stages})
      for (const double v : *list)
        if (std::string p = count("an axis", v); !p.empty()) return p;
    return {};
  }

  /// The most accelerators that a legal layout uses; all of them when none is legal.
  [[nodiscard]] double largest_usable(double there) const {
    const ModelDimensions& m = job_.model;
    double best = 0;
    std::vector<double> stage_counts = space_.pipeline_parallel;
    for (const double t : or_free(space_.tensor_parallel, divisors_up_to(m.heads, there))) {
      if (!tensor_problem(m, t).empty()) continue;
      for (const double c : or_free(space_.context_parallel, divisors_up_to(job_.split.sequence, there / t))) {
        if (!context_problem(job_.split.sequence, c).empty()) continue;
        for (const double d :
             or_free(space_.data_parallel, divisors_up_to(job_.split.global_batch, there / (t * c)))) {
          if (!batch_problem(job_.split.global_batch, d).empty()) continue;
          const double room = std::floor(there / (t * c * d));
          if (room < 1) continue;
          if (space_.pipeline_parallel.empty()) stage_counts = {std::min(room, m.layers)};
          for (const double p : stage_counts)
            if (p <= room && p <= m.layers) best = std::max(best, t * c * d * p);
          if (best == there) return best;
        }
      }
    }
    return best > 0 ? best : there;
  }

  [[nodiscard]] std::vector<StageChoice> stage_choices(double p) const {
    const auto held = [](const auto& list, const auto& value) {
      return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    std::vector<StageChoice> out;
    if (p < 2) {
      if (held(space_.virtual_stages, 1.0)) out.push_back({});
      return out;
    }
    const double layers = job_.model.layers;
    for (const PipelineSchedule s : all_schedules) {
      if (!held(space_.schedules, s)) continue;
      const bool several = s == PipelineSchedule::interleaved;
      const double first = several || s == PipelineSchedule::zero_bubble_v ? 2 : 1;
      const double last = several ? std::max(1.0, std::floor((layers + 2.0) / p)) : first;
      for (double v = first; v <= last; ++v)
        if (held(space_.virtual_stages, v)) out.push_back({s, v, v < 2 || whole_chunks(layers, p * v)});
    }
    return out;
  }

  [[nodiscard]] std::vector<ShardChoice> shard_choices(double ranks) const {
    const std::vector<Sharding> kinds =
        or_all(space_.sharding, {Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::parameters});
    if (ranks < 2) return {{kinds.front(), 0.0, static_cast<std::size_t>(kinds.front())}};
    std::vector<ShardChoice> out;
    for (const Sharding s : kinds) {
      const auto kind = static_cast<std::size_t>(s);
      if (s < Sharding::parameters) {
        out.push_back({s, 0.0, kind});
        continue;
      }
      std::vector<double> groups{0.0};
      if (job_.model.experts < 1)
        for (const double d : divisors_up_to(ranks, ranks / 2))
          if (d > 1) groups.push_back(d);
      for (const double g : groups) {
        // All ranks may also be held by their number.
        const bool whole = g == 0.0;
        if (!space_.shard_ranks.empty() &&
            std::none_of(space_.shard_ranks.begin(), space_.shard_ranks.end(),
                         [&](double r) { return r == g || (whole && r == ranks); }))
          continue;
        out.push_back({s, g, whole ? kind : kind + 1});
      }
    }
    return out;
  }

  void lay_out(bool exact) {
    const ModelDimensions& m = job_.model;
    const double batch = job_.split.global_batch;
    const std::vector<double> free_dp = or_free(space_.data_parallel, divisors_up_to(batch, most));
    std::vector<std::pair<std::size_t, Slot>> made; // with the index of its tp and cp
    slots.resize(tp.size() * cp.size());
    for (std::size_t t = 0; t < tp.size(); ++t) {
      const double sp_values = static_cast<double>(sequence_parallel(tp[t]).size());
      for (std::size_t c = 0; c < cp.size(); ++c) {
        const bool outer =
            tensor_problem(m, tp[t]).empty() && context_problem(job_.split.sequence, cp[c]).empty();
        for (std::size_t p = 0; p < pp.size(); ++p) {
          std::vector<double> replicas;
          const double model_gpus = tp[t] * cp[c] * pp[p];
          if (exact) {
            const double d = most / model_gpus;
            if (d >= 1 && d == std::floor(d) &&
                (space_.data_parallel.empty() ||
                 std::find(space_.data_parallel.begin(), space_.data_parallel.end(), d) != space_.data_parallel.end()))
              replicas.push_back(d);
          } else {
            for (const double d : free_dp)
              if (model_gpus * d >= least && model_gpus * d <= most) replicas.push_back(d);
          }
          for (const double d : replicas) {
            const double ranks = d * cp[c];
            const auto [found, fresh] = shards_.try_emplace(ranks);
            if (fresh) found->second = shard_choices(ranks);
            const std::vector<StageChoice>& stages = stages_[pp[p]];
            enumerated += static_cast<std::uint64_t>(sp_values) * mb.size() * ep.size() * recompute.size() *
                          stages.size() * found->second.size();
            dp.push_back(d);
            if (!outer || !pipeline_problem(m, pp[p]).empty() || !batch_problem(batch, d).empty()) continue;
            made.emplace_back(t * cp.size() + c, Slot{pp[p], d, p, 0, &stages, &found->second});
          }
        }
      }
    }
    std::sort(dp.begin(), dp.end());
    dp.erase(std::unique(dp.begin(), dp.end()), dp.end());
    for (auto& [at, slot] : made) {
      slot.dp_at = static_cast<std::size_t>(std::lower_bound(dp.begin(), dp.end(), slot.dp) - dp.begin());
      slots[at].push_back(slot);
      for (const StageChoice& s : *slot.stages) {
        vpp.push_back(s.vpp);
        schedules.push_back(s.schedule);
      }
      for (const ShardChoice& s : *slot.shards)
        sharding_kind_there[s.kind] = true;
    }
    std::sort(vpp.begin(), vpp.end());
    vpp.erase(std::unique(vpp.begin(), vpp.end()), vpp.end());
    std::sort(schedules.begin(), schedules.end());
    schedules.erase(std::unique(schedules.begin(), schedules.end()), schedules.end());
    for (std::size_t t = 0; t < tp.size(); ++t)
      for (std::size_t c = 0; c < cp.size(); ++c)
        for (std::size_t b = 0; b < mb.size(); ++b) {
          Unit u{t, c, b, t * cp.size() + c, 0};
          for (const Slot& s : slots[u.slots])
            if (batch_problem(batch, s.dp * mb[b]).empty())
              u.weight += static_cast<double>(s.stages->size() * s.shards->size());
          if (u.weight > 0) units.push_back(u);
          weight += u.weight;
        }
    // Largest first, so that threads end together.
    std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.weight > b.weight; });
  }
};

// --- what is found ----------------------------------------------------------------------------------------------------

struct Tally {
  std::uint64_t legal = 0, fit = 0;
  double least_memory = infinity, best_step = infinity;
  void add(double memory) {
    ++legal;
    least_memory = std::min(least_memory, memory);
  }
  void add_fitting(double seconds) {
    ++fit;
    best_step = std::min(best_step, seconds);
  }
  void add(const Tally& t) {
    legal += t.legal;
    fit += t.fit;
    least_memory = std::min(least_memory, t.least_memory);
    best_step = std::min(best_step, t.best_step);
  }
};

auto split_order(const JobSplit& j) {
  return std::tuple(j.tp, j.cp, j.ep, j.pp, j.dp, j.micro_batch, j.vpp, j.schedule, j.recompute, j.sharding, j.shard_ranks,
                    j.sequence_parallel);
}

/// Points that no other beats in step time and cost at once, by step time; cost falls along it.
class Front {
public:
  explicit Front(double FoundLayout::*cost) : cost_(cost) { points.reserve(4096); }
  std::vector<FoundLayout> points;
  void add(const FoundLayout& c) {
    auto at = std::upper_bound(points.begin(), points.end(), c.step_seconds,
                               [](double s, const FoundLayout& p) { return s < p.step_seconds; });
    if (at != points.begin()) {
      FoundLayout& before = *std::prev(at);
      if (before.*cost_ < c.*cost_) return;
      if (before.*cost_ == c.*cost_) {
        if (before.step_seconds == c.step_seconds && comes_before(c, before)) before = c;
        return;
      }
      if (before.step_seconds == c.step_seconds) --at;
    }
    auto end = at;
    while (end != points.end() && (*end).*cost_ >= c.*cost_)
      ++end;
    if (at == end) {
      points.insert(at, c);
    } else {
      *at = c;
      points.erase(std::next(at), end);
    }
  }

private:
  double FoundLayout::*cost_;
};

constexpr int time_cells = 96, cells_an_octave = 16, memory_cells = 48;

/// What one thread found.
struct Findings {
  Findings(const Plan& plan, std::size_t best_count)
      : wanted(best_count), tp(plan.tp.size()), cp(plan.cp.size()), pp(plan.pp.size()), ep(plan.ep.size()),
        mb(plan.mb.size()), dp(plan.dp.size()), vpp(plan.vpp.size()), cells(time_cells * memory_cells) {
    best.reserve(best_count + 1);
  }
  std::size_t wanted;
  Tally all;
  std::vector<Tally> tp, cp, pp, ep, mb, dp, vpp;
  std::array<Tally, 2> sp;
  std::array<Tally, 8> schedule;
  std::array<Tally, 3> recompute;
  std::array<Tally, sharding_kinds> sharding;
  std::vector<FoundLayout> best;
  Front memory{&FoundLayout::memory_bytes}, exposed{&FoundLayout::exposed_seconds};
  std::vector<LayoutCell> cells;
  std::optional<FoundLayout> lightest; ///< of the legal ones, without its seconds

  void keep(const FoundLayout& c, std::size_t cell) {
    if (best.size() < wanted || comes_before(c, best.back())) {
      best.insert(std::upper_bound(best.begin(), best.end(), c, comes_before), c);
      if (best.size() > wanted) best.pop_back();
    }
    memory.add(c);
    exposed.add(c);
    LayoutCell& in = cells[cell];
    if (in.count == 0 || comes_before(c, in.layout)) in.layout = c;
    ++in.count;
  }
  void keep_light(const JobSplit& split, double bytes) {
    if (lightest && (bytes > lightest->memory_bytes ||
                     (bytes == lightest->memory_bytes && split_order(split) >= split_order(lightest->split))))
      return;
    lightest = FoundLayout{split, 0.0, bytes, 0.0};
  }
  void add(const Findings& o) {
    all.add(o.all);
    const auto each = [](auto& into, const auto& from) {
      for (std::size_t i = 0; i < into.size(); ++i)
        into[i].add(from[i]);
    };
    each(tp, o.tp), each(cp, o.cp), each(pp, o.pp), each(ep, o.ep), each(mb, o.mb), each(dp, o.dp), each(vpp, o.vpp);
    each(sp, o.sp), each(schedule, o.schedule), each(recompute, o.recompute), each(sharding, o.sharding);
    for (const FoundLayout& c : o.best)
      best.insert(std::upper_bound(best.begin(), best.end(), c, comes_before), c);
    if (best.size() > wanted) best.resize(wanted);
    for (const FoundLayout& c : o.memory.points)
      memory.add(c);
    for (const FoundLayout& c : o.exposed.points)
      exposed.add(c);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (o.cells[i].count == 0) continue;
      if (cells[i].count == 0 || comes_before(o.cells[i].layout, cells[i].layout)) cells[i].layout = o.cells[i].layout;
      cells[i].count += o.cells[i].count;
    }
    if (o.lightest) keep_light(o.lightest->split, o.lightest->memory_bytes);
  }
};

double exposed_of(const StepParts& p) { return p.tensor + p.context + p.expert + p.pipeline + p.data; }

/// Prices the layouts of units, one thread each.
class Pricer {
public:
  Pricer(const TrainedJob& job, const TrainingConstants& constants, const LayoutSpace& space, const Plan& plan,
         std::size_t best_count)
      : found(plan, best_count), job_(job), constants_(constants), stack_(constants.stacks[static_cast<std::size_t>(job.stack)]),
        plan_(plan), split_(job.split), model_(job.model, split_, job.cluster, constants, stack_),
        limit_(job.memory_bytes * space.memory_share) {
    split_.sequence_parallel = false;
    // Nothing is quicker than the peak allows: the left end of the grid.
    ideal_ = model_flops_per_step(job.model, job.split) /
             (plan.most * std::max(job.cluster.peak_tflops, job.cluster.half_peak_tflops) * 1e12) * job.step_factor;
  }

  Findings found;

  /// @return whether it was not stopped
  bool run(const Unit& u, const std::stop_token& stop) {
    split_.tp = plan_.tp[u.tp_at];
    split_.cp = plan_.cp[u.cp_at];
    split_.micro_batch = plan_.mb[u.mb_at];
    for (const bool sp : plan_.sequence_parallel(split_.tp)) {
      if (!sequence_parallel_runs(job_.model, split_.sequence, split_.tp, split_.cp, sp)) continue;
      split_.sequence_parallel = sp;
      for (std::size_t e = 0; e < plan_.ep.size(); ++e) {
        if (!expert_problem(job_.model, plan_.ep[e]).empty()) continue;
        split_.ep = plan_.ep[e];
        domain_ = 0;
        for (const Slot& slot : plan_.slots[u.slots]) {
          if (stop.stop_requested()) return false;
          if (!divides(slot.dp * split_.micro_batch, split_.global_batch) || !experts_placed(split_.ep, split_.cp, slot.dp))
            continue;
          const Tally of_slot = price(slot);
          found.all.add(of_slot);
          found.tp[u.tp_at].add(of_slot);
          found.cp[u.cp_at].add(of_slot);
          found.mb[u.mb_at].add(of_slot);
          found.ep[e].add(of_slot);
          found.sp[sp ? 1 : 0].add(of_slot);
          found.pp[slot.pp_at].add(of_slot);
          found.dp[slot.dp_at].add(of_slot);
        }
      }
    }
    return true;
  }

private:
  const TrainedJob& job_;
  const TrainingConstants& constants_;
  const StackConstants& stack_;
  const Plan& plan_;
  JobSplit split_;
  StepModel model_;
  double limit_, ideal_ = 1, domain_ = 0;
  std::array<MicroBatchSeconds, 2> each_;
  std::array<bool, 2> known_{};

  /// One micro-batch in the layers: the same for many layouts.
  const MicroBatchSeconds& micro_batch() {
    const std::size_t beside = split_.vpp > 1.5 || split_.schedule == PipelineSchedule::zero_bubble_v ||
                                       split_.schedule == PipelineSchedule::bidirectional
                                   ? 1
                                   : 0;
    const std::size_t at = job_.model.experts > 0 ? beside : 0;
    if (!known_[at]) {
      each_[at] = model_.micro_batch();
      known_[at] = true;
    }
    return each_[at];
  }

  Tally price(const Slot& slot) {
    Tally out;
    // Where stages lie before copies, the places of experts depend on how many stages there are.
    if (split_.axis_order == AxisOrder::pipeline_before_data && split_.pp != slot.pp) known_ = {};
    split_.pp = slot.pp;
    split_.dp = slot.dp;
    const double domain = std::min(job_.cluster.scale_up_ranks, split_.gpus());
    if (domain != domain_) known_ = {};
    domain_ = domain;
    model_.place();
    const double micro_batches = split_.micro_batches();
    for (const StageChoice& stage : *slot.stages) {
      if (!stage.whole || !schedule_runs(stage.schedule, slot.pp, micro_batches)) continue;
      split_.schedule = stage.schedule;
      split_.vpp = stage.vpp;
      const auto vpp_at =
          static_cast<std::size_t>(std::lower_bound(plan_.vpp.begin(), plan_.vpp.end(), stage.vpp) - plan_.vpp.begin());
      Tally of_stage;
      for (const Recompute r : plan_.recompute) {
        split_.recompute = r;
        Tally of_recompute;
        for (const ShardChoice& shard : *slot.shards) {
          split_.sharding = shard.sharding;
          split_.shard_ranks = shard.ranks;
          Tally& of_shard = found.sharding[shard.kind];
          const double bytes = heaviest_rank_memory(job_.model, split_, constants_, stack_).total();
          of_recompute.add(bytes);
          of_shard.add(bytes);
          if (bytes <= out.least_memory) found.keep_light(split_, bytes);
          if (!(bytes <= limit_)) continue;
          const StepParts parts = model_.step(micro_batch());
          const FoundLayout c{split_, parts.total() * job_.step_factor, bytes, exposed_of(parts) * job_.step_factor};
          of_recompute.add_fitting(c.step_seconds);
          of_shard.add_fitting(c.step_seconds);
          found.keep(c, cell_of(c));
        }
        found.recompute[static_cast<std::size_t>(r)].add(of_recompute);
        of_stage.add(of_recompute);
      }
      found.schedule[static_cast<std::size_t>(stage.schedule)].add(of_stage);
      found.vpp[vpp_at].add(of_stage);
      out.add(of_stage);
    }
    return out;
  }

  [[nodiscard]] std::size_t cell_of(const FoundLayout& c) const {
    const double octaves = std::log2(c.step_seconds / ideal_) * cells_an_octave;
    const int column = static_cast<int>(std::clamp(octaves, 0.0, time_cells - 1.0));
    const int row = static_cast<int>(std::clamp(c.memory_bytes / limit_ * memory_cells, 0.0, memory_cells - 1.0));
    return static_cast<std::size_t>(column * memory_cells + row);
  }
};

// --- reasons ----------------------------------------------------------------------------------------------------------

std::string count_words(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}
std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

std::string too_heavy(std::uint64_t legal, double least, double limit) {
  return fmt::format("{} of {} layout{} do{} not fit, least {} of {}", count_words(legal), count_words(legal),
                     legal == 1 ? "" : "s", legal == 1 ? "es" : "", gigabytes(least), gigabytes(limit));
}

/// Why no layout with the value is legal.
std::string never_legal(const TrainedJob& job, LayoutAxis a, double value) {
  const ModelDimensions& m = job.model;
  const double batch = job.split.global_batch;
  std::string out;
  switch (a) {
  case LayoutAxis::tensor_parallel:
    out = tensor_problem(m, value);
    break;
  case LayoutAxis::context_parallel:
    out = context_problem(job.split.sequence, value);
    break;
  case LayoutAxis::pipeline_parallel:
    out = pipeline_problem(m, value);
    break;
  case LayoutAxis::expert_parallel:
    out = expert_problem(m, value);
    if (out.empty()) out = "no legal layout has data-parallel and context-parallel ranks that it divides";
    break;
  case LayoutAxis::data_parallel:
    out = batch_problem(batch, value);
    break;
  case LayoutAxis::micro_batch:
    out = batch_problem(batch, value);
    if (out.empty())
      out = fmt::format("with any data-parallel size, dp x micro_batch does not divide the global batch of {:.0f}", batch);
    break;
  case LayoutAxis::virtual_stages:
    out = fmt::format("with any number of stages, {:.0f} layers make no whole chunks or micro-batches no whole rounds",
                      m.layers);
    break;
  case LayoutAxis::schedule:
    out = "no legal layout has the stages and micro-batches that it needs";
    break;
  case LayoutAxis::sequence_parallel:
    out = value > 0.5 ? fmt::format("the sequence of {:.0f} tokens does not divide over the tensor ranks", job.split.sequence)
                      : std::string("experts with tensor parallelism need it");
    break;
  default:
    break;
  }
  return out.empty() ? "no legal layout has it" : out;
}

} // namespace

std::string_view layout_axis_word(LayoutAxis a) {
  constexpr std::array<std::string_view, layout_axis_count> words{
      "tensor_parallel", "sequence_parallel", "context_parallel", "expert_parallel", "pipeline_parallel", "data_parallel",
      "micro_batch",     "schedule",          "virtual_stages",   "recompute",       "sharding",          "shard_ranks"};
  return words[static_cast<std::size_t>(a)];
}
std::string_view layout_axis_label(LayoutAxis a) {
  constexpr std::array<std::string_view, layout_axis_count> words{
      "TP", "Sequence parallel", "CP", "EP", "PP", "DP", "Micro-batch", "Schedule", "VPP", "Recompute", "Sharding",
      "Sharding groups"};
  return words[static_cast<std::size_t>(a)];
}

std::string axis_value(LayoutAxis a, const JobSplit& j) {
  switch (a) {
  case LayoutAxis::tensor_parallel:
    return fmt::format("{:.0f}", j.tp);
  case LayoutAxis::sequence_parallel:
    return j.sequence_parallel ? "yes" : "no";
  case LayoutAxis::context_parallel:
    return fmt::format("{:.0f}", j.cp);
  case LayoutAxis::expert_parallel:
    return fmt::format("{:.0f}", j.ep);
  case LayoutAxis::pipeline_parallel:
    return fmt::format("{:.0f}", j.pp);
  case LayoutAxis::data_parallel:
    return fmt::format("{:.0f}", j.dp);
  case LayoutAxis::micro_batch:
    return fmt::format("{:.0f}", j.micro_batch);
  case LayoutAxis::schedule:
    return std::string(schedule_word(j.schedule));
  case LayoutAxis::virtual_stages:
    return fmt::format("{:.0f}", j.vpp);
  case LayoutAxis::recompute:
    return std::string(ChoiceWords<Recompute>::words[static_cast<std::size_t>(j.recompute)]);
  case LayoutAxis::sharding:
    return std::string(ChoiceWords<Sharding>::words[static_cast<std::size_t>(j.sharding)]);
  case LayoutAxis::shard_ranks:
    return fmt::format("{:.0f}", j.shard_ranks);
  }
  return {};
}

tl::expected<LayoutSpace, std::string> hold_axis(LayoutSpace space, std::string_view axis, std::string_view values) {
  std::optional<LayoutAxis> which;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < layout_axis_count; ++i) {
    names.push_back(layout_axis_word(static_cast<LayoutAxis>(i)));
    if (names.back() == axis) which = static_cast<LayoutAxis>(i);
  }
  if (!which)
    return tl::make_unexpected(fmt::format("\"{}\" is no axis of a layout; there are {}", axis, fmt::join(names, ", ")));
  for (std::size_t at = 0; at <= values.size();) {
    const std::size_t comma = std::min(values.find(',', at), values.size());
    std::string_view word = values.substr(at, comma - at);
    at = comma + 1;
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    const auto refuse = [&](std::string_view allowed) {
      return tl::make_unexpected(fmt::format("{} = \"{}\" must be {}", axis, word, allowed));
    };
    const auto lower = [](std::string_view text) {
      std::string out(text);
      for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      return out;
    };
    const auto choose = [&](const auto& words, auto& into) {
      for (std::size_t i = 0; i < std::size(words); ++i)
        if (lower(words[i]) == lower(word)) {
          into.push_back(static_cast<typename std::decay_t<decltype(into)>::value_type>(i));
          return true;
        }
      return false;
    };
    if (*which == LayoutAxis::recompute) {
      if (!choose(ChoiceWords<Recompute>::words, space.recompute)) return refuse("none, selective or full");
      continue;
    }
    if (*which == LayoutAxis::sharding) {
      if (!choose(ChoiceWords<Sharding>::words, space.sharding))
        return refuse("none, optimizer, gradients or parameters");
      continue;
    }
    if (*which == LayoutAxis::sequence_parallel) {
      const std::string w = lower(word);
      if (w != "yes" && w != "no" && w != "true" && w != "false") return refuse("yes or no");
      space.sequence_parallel.push_back(w == "yes" || w == "true");
      continue;
    }
    if (*which == LayoutAxis::schedule) {
      std::vector<std::string> known;
      bool there = false;
      for (const PipelineSchedule s : all_schedules) {
        known.push_back(lower(schedule_word(s)));
        // ZB-1P and ZB-2P are also known as ZB-H1 and ZB-H2, DualPipe is bidirectional.
        const bool same = known.back() == lower(word) ||
                          (s == PipelineSchedule::zero_bubble_1 && lower(word) == "zb-h1") ||
                          (s == PipelineSchedule::zero_bubble_2 && lower(word) == "zb-h2") ||
                          (s == PipelineSchedule::bidirectional && lower(word) == "bidirectional");
        if (same) space.schedules.push_back(s);
        there = there || same;
      }
      if (!there) return refuse(fmt::format("one of {}", fmt::join(known, ", ")));
      continue;
    }
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
    const std::int64_t low = *which == LayoutAxis::shard_ranks ? 0 : 1;
    if (failed != std::errc() || end != word.data() + word.size() || number < low || number > 100'000'000)
      return refuse(fmt::format("a whole number from {} to 100,000,000", low));
    std::vector<double>* into = nullptr;
    switch (*which) {
    case LayoutAxis::tensor_parallel:
      into = &space.tensor_parallel;
      break;
    case LayoutAxis::context_parallel:
      into = &space.context_parallel;
      break;
    case LayoutAxis::expert_parallel:
      into = &space.expert_parallel;
      break;
    case LayoutAxis::pipeline_parallel:
      into = &space.pipeline_parallel;
      break;
    case LayoutAxis::data_parallel:
      into = &space.data_parallel;
      break;
    case LayoutAxis::micro_batch:
      into = &space.micro_batch;
      break;
    case LayoutAxis::virtual_stages:
      into = &space.virtual_stages;
      break;
    default:
      into = &space.shard_ranks;
    }
    into->push_back(static_cast<double>(number));
  }
  return space;
}

LayoutSpace held_at(LayoutSpace space, const JobSplit& j) {
  space.tensor_parallel = {j.tp};
  space.context_parallel = {j.cp};
  space.expert_parallel = {j.ep};
  space.pipeline_parallel = {j.pp};
  space.data_parallel = {j.dp};
  space.micro_batch = {j.micro_batch};
  space.virtual_stages = {j.vpp};
  space.shard_ranks = {j.shard_ranks};
  space.sequence_parallel = {j.sequence_parallel};
  space.schedules = {j.schedule};
  space.recompute = {j.recompute};
  space.sharding = {j.sharding};
  space.least_gpus = 0;
  space.gpus = j.gpus();
  return space;
}

LayoutSpace space_of_stack(SoftwareStack stack, LayoutSpace space) {
  const auto hold = [](auto& list, auto values) {
    if (list.empty()) list = std::move(values);
  };
  using S = PipelineSchedule;
  using Numbers = std::vector<double>;
  switch (stack) {
  case SoftwareStack::megatron_2020:
  case SoftwareStack::megatron_deepspeed:
    hold(space.context_parallel, Numbers{1});
    hold(space.expert_parallel, Numbers{1});
    [[fallthrough]];
  case SoftwareStack::nemo:
  case SoftwareStack::bridge_2025:
  case SoftwareStack::bridge_2026:
  case SoftwareStack::bridge_late:
    hold(space.schedules, stack == SoftwareStack::megatron_deepspeed ? std::vector{S::one_f_one_b}
                                                                     : std::vector{S::one_f_one_b, S::interleaved});
    break;
  case SoftwareStack::composer:
    hold(space.tensor_parallel, Numbers{1});
    hold(space.context_parallel, Numbers{1});
    [[fallthrough]];
  case SoftwareStack::fsdp_eager:
    hold(space.pipeline_parallel, Numbers{1});
    break;
  case SoftwareStack::torchtitan:
    hold(space.schedules, std::vector{S::one_f_one_b, S::interleaved, S::zero_bubble_v, S::gpipe});
    break;
  }
  return space;
}

bool comes_before(const FoundLayout& a, const FoundLayout& b) {
  if (a.step_seconds != b.step_seconds) return a.step_seconds < b.step_seconds;
  if (a.memory_bytes != b.memory_bytes) return a.memory_bytes < b.memory_bytes;
  if (a.exposed_seconds != b.exposed_seconds) return a.exposed_seconds < b.exposed_seconds;
  return split_order(a.split) < split_order(b.split);
}

FoundLayout price_layout(const TrainedJob& job, const TrainingConstants& constants, const JobSplit& split) {
  const StackConstants& stack = constants.stacks[static_cast<std::size_t>(job.stack)];
  const StepParts parts = step_time(job.model, split, job.cluster, constants, stack);
  return {split, parts.total() * job.step_factor, heaviest_rank_memory(job.model, split, constants, stack).total(),
          exposed_of(parts) * job.step_factor};
}

std::string layout_refusal(const ModelDimensions& m, const JobSplit& j, double gpus) {
  if (std::string p = split_problem(m, j, gpus); !p.empty()) return p;
  const auto named = [](std::string_view axis, double value, const std::string& problem) {
    return fmt::format("{} = {:.0f} {}", axis, value, problem);
  };
  if (std::string p = tensor_problem(m, j.tp); !p.empty()) return named("tp", j.tp, p);
  if (std::string p = context_problem(j.sequence, j.cp); !p.empty()) return named("cp", j.cp, p);
  if (!experts_placed(j.ep, j.cp, j.dp))
    return named("ep", j.ep, fmt::format("does not divide dp x cp = {:.0f} x {:.0f}", j.dp, j.cp));
  if (std::string p = batch_problem(j.global_batch, j.dp * j.micro_batch); !p.empty())
    return named("dp x micro_batch", j.dp * j.micro_batch, p);
  if (!sequence_parallel_runs(m, j.sequence, j.tp, j.cp, j.sequence_parallel)) {
    if (!j.sequence_parallel) return fmt::format("tp = {:.0f} with experts needs sequence parallelism", j.tp);
    return j.tp < 2 ? std::string("sequence parallelism needs tp of 2 or more")
                    : fmt::format("sequence parallelism: tp x cp = {:.0f} does not divide a sequence of {:.0f} tokens",
                                  j.tp * j.cp, j.sequence);
  }
  if (j.pp < 2 && j.schedule != PipelineSchedule::one_f_one_b)
    return fmt::format("schedule {} needs pp of 2 or more", schedule_word(j.schedule));
  if (!schedule_has_chunks(j.schedule, j.pp, j.vpp))
    return fmt::format("schedule {} needs vpp of {}; vpp is {:.0f}", schedule_word(j.schedule),
                       j.schedule == PipelineSchedule::interleaved     ? "2 or more"
                       : j.schedule == PipelineSchedule::zero_bubble_v ? "2"
                                                                       : "1",
                       j.vpp);
  if (j.vpp > 1 && !whole_chunks(m.layers, j.pp * j.vpp))
    return fmt::format("vpp = {:.0f} over {:.0f} stages cuts {:.0f} layers into no whole chunks", j.vpp, j.pp, m.layers);
  if (!schedule_runs(j.schedule, j.pp, j.micro_batches()))
    return fmt::format("schedule {} over {:.0f} stages does not run with {:.0f} micro-batches; {}", schedule_word(j.schedule),
                       j.pp, j.micro_batches(),
                       j.schedule == PipelineSchedule::zero_bubble_1
                           ? fmt::format("it needs at least {:.0f}", j.pp)
                       : j.schedule == PipelineSchedule::zero_bubble_2
                           ? fmt::format("it needs at least {:.0f}", 2.0 * j.pp - 1.0)
                       : j.schedule == PipelineSchedule::bidirectional
                           ? fmt::format("it needs even stages and an even number, at least {:.0f}", 2.0 * j.pp)
                           : fmt::format("it needs a multiple of {:.0f}", j.pp));
  if (!groups_run(m, j.sharding, j.dp * j.cp, j.shard_ranks))
    return fmt::format("shard_ranks = {:.0f} must be 0, or a divisor of dp x cp = {:.0f} between them, with the "
                       "parameters of a dense model sharded",
                       j.shard_ranks, j.dp * j.cp);
  return {};
}

std::vector<std::string> excluded_families(const LayoutSearchResult& r) {
  struct Group {
    LayoutAxis axis = LayoutAxis::tensor_parallel;
    std::string reason; ///< empty: too heavy
    std::vector<std::size_t> members;
    std::uint64_t legal = 0;
    double least = infinity;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < r.families.size(); ++i) {
    const LayoutFamily& f = r.families[i];
    if (f.fit > 0 || f.reason.empty()) continue;
    const std::string reason = f.legal > 0 ? std::string() : f.reason;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.axis == f.axis && g.reason == reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{f.axis, reason});
    group->members.push_back(i);
    group->legal += f.legal;
    if (f.legal > 0) group->least = std::min(group->least, f.least_memory_bytes);
  }
  std::vector<std::string> out;
  for (const Group& g : groups) {
    // Neighbours as "4 to 32".
    std::vector<std::string> values;
    for (std::size_t i = 0; i < g.members.size();) {
      std::size_t end = i + 1;
      while (end < g.members.size() && g.members[end] == g.members[end - 1] + 1)
        ++end;
      if (end - i > 2) {
        values.push_back(r.families[g.members[i]].value + " to " + r.families[g.members[end - 1]].value);
        i = end;
      } else {
        values.push_back(r.families[g.members[i++]].value);
      }
    }
    out.push_back(fmt::format("{} {}: {}", layout_axis_label(g.axis), fmt::join(values, ", "),
                              g.reason.empty() ? too_heavy(g.legal, g.least, r.memory_limit_bytes) : g.reason));
  }
  return out;
}

namespace {

void list_families(LayoutSearchResult& out, const TrainedJob& job, const Plan& plan, const Findings& found) {
  const auto add = [&](LayoutAxis a, std::string value, double number, const Tally& t) {
    LayoutFamily f{a, std::move(value), t.legal, t.fit, t.legal > 0 ? t.least_memory : 0.0, t.fit > 0 ? t.best_step : 0.0, {}};
    if (t.fit == 0 && out.complete)
      f.reason = t.legal > 0 ? too_heavy(t.legal, t.least_memory, out.memory_limit_bytes) : never_legal(job, a, number);
    out.families.push_back(std::move(f));
  };
  const auto numbers = [&](LayoutAxis a, const std::vector<double>& values, const std::vector<Tally>& tallies) {
    for (std::size_t i = 0; i < values.size(); ++i)
      add(a, fmt::format("{:.0f}", values[i]), values[i], tallies[i]);
  };
  numbers(LayoutAxis::tensor_parallel, plan.tp, found.tp);
  std::array<bool, 2> sp_there{};
  for (const double t : plan.tp)
    for (const bool sp : plan.sequence_parallel(t))
      sp_there[sp ? 1 : 0] = true;
  for (const int sp : {0, 1})
    if (sp_there[static_cast<std::size_t>(sp)])
      add(LayoutAxis::sequence_parallel, sp ? "yes" : "no", sp, found.sp[static_cast<std::size_t>(sp)]);
  numbers(LayoutAxis::context_parallel, plan.cp, found.cp);
  numbers(LayoutAxis::expert_parallel, plan.ep, found.ep);
  numbers(LayoutAxis::pipeline_parallel, plan.pp, found.pp);
  numbers(LayoutAxis::data_parallel, plan.dp, found.dp);
  numbers(LayoutAxis::micro_batch, plan.mb, found.mb);
  for (const PipelineSchedule s : plan.schedules)
    add(LayoutAxis::schedule, std::string(schedule_word(s)), 0, found.schedule[static_cast<std::size_t>(s)]);
  numbers(LayoutAxis::virtual_stages, plan.vpp, found.vpp);
  for (const Recompute r : plan.recompute)
    add(LayoutAxis::recompute, std::string(ChoiceWords<Recompute>::words[static_cast<std::size_t>(r)]), 0,
        found.recompute[static_cast<std::size_t>(r)]);
  for (std::size_t k = 0; k < sharding_kinds; ++k)
    if (plan.sharding_kind_there[k]) add(LayoutAxis::sharding, std::string(sharding_kind_word(k)), 0, found.sharding[k]);
}

/// A good answer within milliseconds: usual choices only, then savings of memory.
std::optional<FoundLayout> coarse_answer(const TrainedJob& job, const TrainingConstants& constants, const LayoutSpace& space,
                                         const Plan& whole, const std::stop_token& stop) {
  const auto some = [](const std::vector<double>& values, std::initializer_list<double> wanted) {
    std::vector<double> out;
    for (const double w : wanted)
      if (std::find(values.begin(), values.end(), w) != values.end()) out.push_back(w);
    if (out.empty() && !values.empty()) out.push_back(values.front());
    return out;
  };
  const bool experts = job.model.experts > 0;
  for (const bool saving : {false, true}) {
    LayoutSpace few = space;
    few.gpus = whole.most;
    few.least_gpus = 0;
    if (few.context_parallel.empty()) few.context_parallel = saving ? some(whole.cp, {1, 4, 16}) : some(whole.cp, {1});
    if (few.micro_batch.empty()) few.micro_batch = experts || saving ? some(whole.mb, {1}) : some(whole.mb, {1, 2});
    if (few.sequence_parallel.empty()) few.sequence_parallel = {true};
    if (few.sharding.empty()) few.sharding = {saving ? Sharding::parameters : Sharding::optimizer};
    if (few.shard_ranks.empty()) few.shard_ranks = {0};
    if (few.recompute.empty() && saving) few.recompute = {Recompute::full};
    if (few.schedules.empty())
      few.schedules = experts || saving ? std::vector{PipelineSchedule::one_f_one_b}
                                        : std::vector{PipelineSchedule::one_f_one_b, PipelineSchedule::interleaved};
    const Plan plan(job, few);
    Pricer pricer(job, constants, few, plan, 1);
    for (const Unit& u : plan.units)
      if (!pricer.run(u, stop)) break;
    if (!pricer.found.best.empty()) return pricer.found.best.front();
  }
  return std::nullopt;
}

} // namespace

LayoutSearchResult search_layouts(const TrainedJob& job, const TrainingConstants& constants, const LayoutSpace& space,
                                  const std::stop_token& stop, const std::function<void(const LayoutProgress&)>& progress,
                                  const SearchEffort& effort) {
  LayoutSearchResult out;
  const Plan plan(job, space);
  out.problem = plan.problem;
  if (!out.problem.empty()) return out;
  out.gpus = plan.most;
  out.memory_limit_bytes = job.memory_bytes * space.memory_share;
  out.enumerated = plan.enumerated;

  std::mutex guard;
  std::optional<FoundLayout> best; // so far, under the guard
  if (progress && !plan.units.empty()) {
    best = coarse_answer(job, constants, space, plan, stop);
    progress({0.0, best});
  }

  const std::size_t wanted = std::max<std::size_t>(1, effort.best);
  const auto threads = static_cast<std::size_t>(
      std::clamp(effort.threads, 1, static_cast<int>(std::max<std::size_t>(1, std::min<std::size_t>(plan.units.size(), 64)))));
  std::vector<std::unique_ptr<Pricer>> pricers;
  for (std::size_t i = 0; i < threads; ++i)
    pricers.push_back(std::make_unique<Pricer>(job, constants, space, plan, wanted));
  std::atomic<std::size_t> next{0};
  std::atomic<double> done{0.0};
  std::atomic<bool> stopped{false};
  const auto work = [&](Pricer& pricer, bool tells) {
    auto told = std::chrono::steady_clock::now();
    for (std::size_t at = next++; at < plan.units.size(); at = next++) {
      if (!pricer.run(plan.units[at], stop)) {
        stopped = true;
        return;
      }
      done.fetch_add(plan.units[at].weight);
      if (!progress) continue;
      std::optional<FoundLayout> shown;
      {
        const std::lock_guard lock(guard);
        if (!pricer.found.best.empty() && (!best || comes_before(pricer.found.best.front(), *best)))
          best = pricer.found.best.front();
        shown = best;
      }
      const auto now = std::chrono::steady_clock::now();
      if (!tells || now - told < std::chrono::milliseconds(30)) continue;
      told = now;
      progress({done / plan.weight, shown});
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
      others.emplace_back([&, i] { work(*pricers[i], false); });
    work(*pricers[0], true);
  }
  Findings& all = pricers.front()->found;
  for (std::size_t i = 1; i < threads; ++i)
    all.add(pricers[i]->found);
  out.complete = !stopped;
  // What is known early is not lost.
  if (stopped && best && std::find(all.best.begin(), all.best.end(), *best) == all.best.end()) {
    all.best.insert(std::upper_bound(all.best.begin(), all.best.end(), *best, comes_before), *best);
    all.memory.add(*best);
    all.exposed.add(*best);
  }
  out.legal = all.all.legal;
  out.fit = all.all.fit;
  out.best = std::move(all.best);
  out.memory_front = std::move(all.memory.points);
  out.exposed_front = std::move(all.exposed.points);
  for (const LayoutCell& c : all.cells)
    if (c.count > 0) out.cloud.push_back(c);
  if (out.fit == 0 && all.lightest) out.nearest_miss = price_layout(job, constants, all.lightest->split);
  list_families(out, job, plan, all);
  if (progress && out.complete)
    progress({1.0, out.best.empty() ? std::optional<FoundLayout>() : std::optional(out.best.front())});
  return out;
}

Edit layout_edit(const JobSplit& split) {
  return {fmt::format("Layout TP {:.0f}, PP {:.0f}, DP {:.0f}", split.tp, split.pp, split.dp), [split](const Design& d) -> Edited {
            const auto count = [](double value) { return FieldValue(static_cast<Count>(value)); };
            const auto word = [](std::string_view w) { return FieldValue(std::string(w)); };
            const PipelineOrder order = split.schedule == PipelineSchedule::gpipe           ? PipelineOrder::gpipe
                                        : split.schedule == PipelineSchedule::zero_bubble_1 ? PipelineOrder::zero_bubble_1
                                        : split.schedule == PipelineSchedule::zero_bubble_2 ? PipelineOrder::zero_bubble_2
                                        : split.schedule == PipelineSchedule::zero_bubble_v ? PipelineOrder::zero_bubble_v
                                        : split.schedule == PipelineSchedule::bidirectional ? PipelineOrder::bidirectional
                                                                                            : PipelineOrder::plain;
            const std::vector<std::pair<std::string_view, FieldValue>> fields{
                {"tensor_parallel", count(split.tp)},
                {"context_parallel", count(split.cp)},
                {"expert_parallel", count(split.ep)},
                {"pipeline_parallel", count(split.pp)},
                {"virtual_stages", count(split.vpp)},
                {"data_parallel", count(split.dp)},
                {"micro_batch", count(split.micro_batch)},
                {"recompute", word(axis_value(LayoutAxis::recompute, split))},
                {"sharding", word(axis_value(LayoutAxis::sharding, split))},
                {"shard_ranks", count(split.shard_ranks)},
                {"sequence_parallel", FieldValue(split.sequence_parallel)},
                {"pipeline_order", word(ChoiceWords<PipelineOrder>::words[static_cast<std::size_t>(order)])},
            };
            Edited out = d;
            for (const auto& [field, value] : fields) {
              out = set_field(*out, EntityRef{"job", 0}, field, value);
              if (!out) return out;
            }
            return out;
          }};
}

} // namespace hallwright
