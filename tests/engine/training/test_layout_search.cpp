// SPDX-License-Identifier: GPL-3.0-or-later
// The search of layouts against brute force, by hand, and its properties.
#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <new>

#include <rapidcheck.h>

#include "training/job_inputs.h"
#include "training/layout_search.h"

using namespace hallwright;

namespace {
std::atomic<long> allocations{0};
}
// Counted: the inner loop of the search allocates nothing.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

const TrainingConstants& constants() {
  static const TrainingConstants c =
      training_constants(read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value()).value();
  return c;
}
const std::vector<PipelineSchedule> schedules{PipelineSchedule::one_f_one_b,   PipelineSchedule::interleaved,
                                              PipelineSchedule::zero_bubble_1, PipelineSchedule::zero_bubble_2,
                                              PipelineSchedule::zero_bubble_v, PipelineSchedule::gpipe,
                                              PipelineSchedule::bidirectional};

TrainedJob small_job(bool experts = false) {
  TrainedJob job;
  job.model = {.layers = 6,
               .hidden = 2048,
               .heads = 16,
               .kv_heads = 4,
               .head_dimension = 128,
               .ffn = 8192,
               .gated = true,
               .vocabulary = 32000};
  if (experts) {
    job.model.experts = 4;
    job.model.experts_per_token = 2;
    job.model.expert_ffn = 4096;
  }
  job.split = {.sequence = 4096, .global_batch = 8};
  job.cluster.scale_up_ranks = 4;
  job.gpus = 8;
  job.memory_bytes = 8e9;
  return job;
}

/// Every layout of a job, value by value, without the search's own lists.
std::vector<FoundLayout> all_legal(const TrainedJob& job, double most_experts) {
  std::vector<FoundLayout> out;
  const double n = job.gpus;
  JobSplit j = job.split;
  for (j.tp = 1; j.tp <= n; ++j.tp)
    for (j.cp = 1; j.tp * j.cp <= n; ++j.cp)
      for (j.pp = 1; j.tp * j.cp * j.pp <= n; ++j.pp)
        for (j.dp = 1; j.gpus() <= n; ++j.dp) {
          if (j.gpus() != n) continue;
          for (j.ep = 1; j.ep <= most_experts; ++j.ep)
            for (j.micro_batch = 1; j.micro_batch <= j.global_batch; ++j.micro_batch)
              for (j.vpp = 1; j.vpp <= 6; ++j.vpp)
                for (const PipelineSchedule s : schedules)
                  for (const bool sp : {false, true})
                    for (const Sharding sharding :
                         {Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::parameters}) {
                      // One rank has nobody to shard with: that is one layout, not four.
                      if (j.dp * j.cp < 2 && sharding != Sharding::none) continue;
                      for (j.shard_ranks = 0; j.shard_ranks <= n; ++j.shard_ranks) {
                        j.schedule = s;
                        j.sequence_parallel = sp;
                        j.sharding = sharding;
                        if (!layout_refusal(job.model, j, n).empty()) continue;
                        for (const Recompute r : {Recompute::none, Recompute::selective, Recompute::full}) {
                          j.recompute = r;
                          out.push_back(price_layout(job, constants(), j));
                        }
                      }
                    }
        }
  return out;
}

/// Points that no other beats in time and cost.
std::vector<FoundLayout> front_of(std::vector<FoundLayout> all, double FoundLayout::*cost) {
  std::sort(all.begin(), all.end(), [cost](const FoundLayout& a, const FoundLayout& b) {
    return std::pair(a.step_seconds, a.*cost) < std::pair(b.step_seconds, b.*cost);
  });
  std::vector<FoundLayout> out;
  double least = 1e300;
  for (const FoundLayout& f : all)
    if (f.*cost < least) {
      least = f.*cost;
      out.push_back(f);
    }
  return out;
}
bool same_points(const std::vector<FoundLayout>& a, const std::vector<FoundLayout>& b, double FoundLayout::*cost) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const FoundLayout& x, const FoundLayout& y) {
    return x.step_seconds == y.step_seconds && x.*cost == y.*cost;
  });
}

void compare_with_brute_force(const TrainedJob& job, double most_experts) {
  std::vector<FoundLayout> all = all_legal(job, most_experts);
  const LayoutSearchResult r = search_layouts(job, constants());
  QVERIFY(r.complete);
  QCOMPARE(r.legal, static_cast<std::uint64_t>(all.size()));
  std::erase_if(all, [&](const FoundLayout& f) { return f.memory_bytes > job.memory_bytes; });
  QCOMPARE(r.fit, static_cast<std::uint64_t>(all.size()));
  QVERIFY(r.fit > 100 && r.fit < r.legal && r.legal < r.enumerated);
  std::sort(all.begin(), all.end(), comes_before);
  for (std::size_t i = 0; i < r.best.size(); ++i)
    QVERIFY2(r.best[i] == all[i], qPrintable(QString("place %1").arg(i)));
  QVERIFY(same_points(r.memory_front, front_of(all, &FoundLayout::memory_bytes), &FoundLayout::memory_bytes));
  QVERIFY(same_points(r.exposed_front, front_of(all, &FoundLayout::exposed_seconds), &FoundLayout::exposed_seconds));
  // The families count each layout once an axis, and the grid holds every one that fits.
  std::map<LayoutAxis, std::uint64_t> legal, fit;
  for (const LayoutFamily& f : r.families) {
    legal[f.axis] += f.legal;
    fit[f.axis] += f.fit;
    QCOMPARE(f.reason.empty(), f.fit > 0);
  }
  for (const auto& [axis, count] : legal) {
    QVERIFY2(count == r.legal, std::string(layout_axis_word(axis)).c_str());
    QCOMPARE(fit[axis], r.fit);
  }
  std::uint64_t shown = 0;
  for (const LayoutCell& c : r.cloud)
    shown += c.count;
  QCOMPARE(shown, r.fit);
}

/// A job of random size; most are searched in some milliseconds.
rc::Gen<TrainedJob> any_job() {
  return rc::gen::exec([] {
    const auto one_of = [](std::initializer_list<double> values) { return *rc::gen::elementOf(std::vector<double>(values)); };
    TrainedJob job;
    job.model.layers = one_of({4, 12, 18, 24});
    job.model.heads = one_of({8, 12, 24});
    job.model.kv_heads = job.model.heads / one_of({1, 4});
    job.model.head_dimension = one_of({64, 128});
    job.model.hidden = job.model.heads * job.model.head_dimension;
    job.model.ffn = 4 * job.model.hidden;
    job.model.gated = *rc::gen::arbitrary<bool>();
    job.model.vocabulary = one_of({32000, 128256});
    if (*rc::gen::arbitrary<bool>()) {
      job.model.experts = one_of({4, 8});
      job.model.experts_per_token = 2;
      job.model.expert_ffn = job.model.hidden;
    }
    job.split = {.sequence = one_of({1024, 4096}), .global_batch = one_of({6, 8, 12})};
    job.split.recipe = *rc::gen::element(PrecisionRecipe::half, PrecisionRecipe::fp8);
    job.split.hot_expert = one_of({1, 1.3});
    job.cluster.scale_up_ranks = one_of({2, 4, 8, 72});
    job.stack = *rc::gen::element(SoftwareStack::megatron_2020, SoftwareStack::nemo, SoftwareStack::torchtitan,
                                  SoftwareStack::bridge_late, SoftwareStack::megatron_deepspeed);
    job.gpus = one_of({1, 6, 8, 12, 16});
    job.memory_bytes = one_of({4e9, 10e9, 40e9});
    job.step_factor = one_of({1, 1.07});
    return job;
  });
}
bool holds(const char* name, const std::function<void()>& property) {
  return rc::check(name, property);
}

} // namespace

class TestLayoutSearch : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void as_brute_force_finds_it() { compare_with_brute_force(small_job(), 1); }
  void as_brute_force_finds_it_with_experts() {
    TrainedJob job = small_job(true);
    job.memory_bytes = 11e9;
    compare_with_brute_force(job, 4);
  }

  /// Two accelerators, two heads, two layers, batch 2: TP 2 and PP 2 take micro-batches of 1 and 2, DP 2 of 1 alone.
  void by_hand() {
    TrainedJob job;
    job.model = {.layers = 2,
                 .hidden = 4096,
                 .heads = 2,
                 .kv_heads = 2,
                 .head_dimension = 2048,
                 .ffn = 16384,
                 .vocabulary = 32000};
    job.split = {.sequence = 128, .global_batch = 2};
    job.gpus = 2;
    job.memory_bytes = 10e9;
    LayoutSpace space;
    space.context_parallel = {1};
    space.sequence_parallel = {false};
    space.schedules = {PipelineSchedule::one_f_one_b};
    space.recompute = {Recompute::none};
    space.sharding = {Sharding::none};
    const LayoutSearchResult r = search_layouts(job, constants(), space);
    QCOMPARE(r.enumerated, std::uint64_t(6));
    QCOMPARE(r.legal, std::uint64_t(5));
    QCOMPARE(r.fit, std::uint64_t(4));
    QCOMPARE(r.best.size(), std::size_t(4));
    // DP 2 holds all: 2 x (4 + 8) x 4096^2 of layers, 2 x 32000 x 4096 of embeddings, five norms of 4096; 18 bytes each.
    const double parameters = 2.0 * 12 * 4096 * 4096 + 2.0 * 32000 * 4096;
    for (const LayoutFamily& f : r.families)
      if (f.axis == LayoutAxis::data_parallel && f.value == "2") {
        QCOMPARE(f.legal, std::uint64_t(1));
        // Context and slack of the allocator come on top, activations of 128 tokens are small.
        QVERIFY(f.least_memory_bytes > 18 * parameters && f.least_memory_bytes < 18 * parameters * 1.05 + 2.2e9);
        QVERIFY2(f.reason.rfind("1 of 1 layout does not fit, least 1", 0) == 0 &&
                     f.reason.find(" GB of 10.0 GB") != std::string::npos,
                 f.reason.c_str());
      }
    QVERIFY(std::any_of(r.best.begin(), r.best.end(), [](const FoundLayout& f) { return f.split.tp == 2; }));
    QVERIFY(std::any_of(r.best.begin(), r.best.end(), [](const FoundLayout& f) { return f.split.pp == 2; }));
  }

  /// Narayanan et al. 2021, 2.2: interleaving needs whole rounds of micro-batches. Qi et al. 2024: ZB-H2 has 2 p - 1
  /// micro-batches under way.
  void legal_as_published() {
    const ModelDimensions gpt3{.layers = 96,
                               .hidden = 12288,
                               .heads = 96,
                               .kv_heads = 96,
                               .head_dimension = 128,
                               .ffn = 49152,
                               .vocabulary = 51200};
    JobSplit j{.sequence = 2048, .global_batch = 1536, .micro_batch = 1, .tp = 8, .pp = 8, .dp = 8};
    QCOMPARE(layout_refusal(gpt3, j, 512), std::string());
    const auto says = [&](const ModelDimensions& m, const JobSplit& split, const char* words) {
      const std::string got = layout_refusal(m, split, split.gpus());
      const bool there = got.find(words) != std::string::npos;
      if (!there) qWarning("\"%s\" does not say \"%s\"", got.c_str(), words);
      return there;
    };
    JobSplit k = j;
    k.tp = 64;
    QVERIFY(says(gpt3, k, "does not divide 96 heads"));
    k = j;
    k.pp = 128;
    QVERIFY(says(gpt3, k, "96 layers"));
    k = j;
    k.schedule = PipelineSchedule::interleaved;
    QVERIFY(says(gpt3, k, "needs vpp of 2 or more"));
    k.vpp = 5;
    QVERIFY(says(gpt3, k, "no whole chunks"));
    k.vpp = 6;
    QCOMPARE(layout_refusal(gpt3, k, 512), std::string());
    k.global_batch = 96; // 12 micro-batches over 8 stages
    QVERIFY(says(gpt3, k, "needs a multiple of 8"));
    k = j;
    k.schedule = PipelineSchedule::zero_bubble_2;
    k.global_batch = 112; // 14
    QVERIFY(says(gpt3, k, "needs at least 15"));
    k.global_batch = 120;
    QCOMPARE(layout_refusal(gpt3, k, 512), std::string());
    // DeepSeek-V3 2024: DualPipe asks for stages and micro-batches that are multiples of two; its program for twice as
    // many micro-batches as stages.
    k.schedule = PipelineSchedule::bidirectional;
    QVERIFY(says(gpt3, k, "at least 16"));
    k.global_batch = 128;
    QCOMPARE(layout_refusal(gpt3, k, 512), std::string());
    k.global_batch = 136; // 17
    QVERIFY(says(gpt3, k, "even"));
    k = j;
    k.micro_batch = 5;
    QVERIFY(says(gpt3, k, "does not divide the global batch of 1536"));
    k = j;
    k.shard_ranks = 4;
    QVERIFY(says(gpt3, k, "shard_ranks = 4"));
    k.sharding = Sharding::parameters;
    QCOMPARE(layout_refusal(gpt3, k, 512), std::string());
    k = j;
    k.cp = 3;
    QVERIFY(says(gpt3, k, "does not divide a sequence of 2048 tokens"));
    // Llama 3 405B: 8 key-value heads; 126 layers over 16 stages, the embedding and the loss standing for a layer each.
    ModelDimensions llama = gpt3;
    llama.layers = 126;
    llama.heads = 128;
    llama.kv_heads = 8;
    k = j;
    k.tp = 16;
    QCOMPARE(layout_refusal(llama, k, k.gpus()), std::string());
    llama.kv_heads = 12;
    QVERIFY(says(llama, k, "12 key-value heads"));
    llama.kv_heads = 8;
    k.pp = 16;
    k.vpp = 4;
    k.schedule = PipelineSchedule::interleaved;
    QCOMPARE(layout_refusal(llama, k, k.gpus()), std::string());
  }

  void excluded_families_have_reasons() {
    TrainedJob job = small_job();
    job.gpus = 32;
    job.model.heads = 24;
    job.model.kv_heads = 24;
    job.model.layers = 12;
    job.split.global_batch = 64;
    job.memory_bytes = 3.5e9;
    const LayoutSearchResult r = search_layouts(job, constants());
    const std::vector<std::string> why = excluded_families(r);
    const auto has = [&](const std::string& begin, const std::string& end) {
      return std::any_of(why.begin(), why.end(), [&](const std::string& s) {
        return s.rfind(begin, 0) == 0 && s.find(end) != std::string::npos;
      });
    };
    QVERIFY(has("TP 16: does not divide 24 heads", ""));
    QVERIFY(has("PP 16: more stages than 12 layers", ""));
    QVERIFY(has("Micro-batch ", " of 3.5 GB"));
    QVERIFY(r.fit > 0);
    // Nothing fits: the lightest is there, and no best.
    job.memory_bytes = 1e9;
    const LayoutSearchResult none = search_layouts(job, constants());
    QVERIFY(none.complete && none.fit == 0 && none.best.empty() && none.memory_front.empty());
    QVERIFY(none.nearest_miss && none.nearest_miss->memory_bytes > 1e9);
    QVERIFY(none.nearest_miss->step_seconds > 0);
    QCOMPARE(*none.nearest_miss, price_layout(job, constants(), none.nearest_miss->split));
  }

  void the_same_on_any_number_of_threads() {
    for (const bool experts : {false, true}) {
      TrainedJob job = small_job(experts);
      job.gpus = 64;
      job.split.global_batch = 64;
      const LayoutSearchResult one = search_layouts(job, constants(), {}, {}, {}, {.threads = 1});
      QVERIFY(one.fit > 1000);
      for (const int threads : {2, 3, 5})
        QVERIFY(one == search_layouts(job, constants(), {}, {}, {}, {.threads = threads}));
      QVERIFY(one == search_layouts(job, constants(), {}, {}, [](const LayoutProgress&) {}));
    }
  }

  /// On a network that narrows, with groups of shards, in either order of axes: each layout costs what the model says
  /// alone, whatever was priced before it.
  void a_layout_does_not_remember_the_one_before() {
    for (const AxisOrder order : {AxisOrder::data_before_pipeline, AxisOrder::pipeline_before_data})
      for (const bool experts : {false, true}) {
        TrainedJob job = small_job(experts);
        job.gpus = 64;
        job.split.global_batch = 64;
        job.split.axis_order = order;
        job.cluster.scale_up_ranks = 2;
        job.cluster.reach = {.unit_gpus = 8, .pod_gpus = 32, .leaf_oversubscription = 3, .core_oversubscription = 4};
        const LayoutSearchResult one = search_layouts(job, constants(), {}, {}, {}, {.threads = 1, .best = 2000});
        QVERIFY(one.best.size() > 50);
        for (const FoundLayout& f : one.best) QCOMPARE(f, price_layout(job, constants(), f.split));
        for (const int threads : {2, 3}) QVERIFY(one == search_layouts(job, constants(), {}, {}, {}, {.threads = threads, .best = 2000}));
      }
  }

  /// Lists are made before, and results after: layouts priced cost no allocation.
  void the_inner_loop_allocates_nothing() {
    TrainedJob job = small_job();
    job.gpus = 256;
    job.split.global_batch = 256;
    constants();
    const long before = allocations;
    const LayoutSearchResult r = search_layouts(job, constants());
    const long made = allocations - before;
    QVERIFY(r.legal > 20'000);
    QVERIFY2(made < static_cast<long>(r.legal / 20), qPrintable(QString("%1 for %2").arg(made).arg(r.legal)));
  }

  void a_stopped_search_says_so_and_keeps_what_it_has() {
    TrainedJob job = small_job();
    job.gpus = 256;
    job.split.global_batch = 256;
    std::stop_source before;
    before.request_stop();
    const LayoutSearchResult nothing = search_layouts(job, constants(), {}, before.get_token());
    QVERIFY(!nothing.complete && nothing.legal == 0 && nothing.best.empty());
    std::stop_source source;
    std::optional<FoundLayout> early;
    const LayoutSearchResult some = search_layouts(job, constants(), {}, source.get_token(), [&](const LayoutProgress& p) {
      if (!early) early = p.best;
      source.request_stop();
    });
    QVERIFY(!some.complete);
    QVERIFY(early.has_value());
    QVERIFY(!some.best.empty());
    QVERIFY(!comes_before(*early, some.best.front()));
    QCOMPARE(some.best.front(), price_layout(job, constants(), some.best.front().split));
    for (const LayoutFamily& f : some.families)
      QVERIFY(f.reason.empty()); // not known yet
  }

  void progress_rises_and_ends_at_one() {
    TrainedJob job = small_job();
    job.gpus = 64;
    job.split.global_batch = 64;
    std::vector<LayoutProgress> told;
    const LayoutSearchResult r =
        search_layouts(job, constants(), {}, {}, [&](const LayoutProgress& p) { told.push_back(p); });
    QVERIFY(told.size() >= 2);
    QCOMPARE(told.front().share, 0.0);
    QVERIFY(told.front().best.has_value());
    QCOMPARE(told.back().share, 1.0);
    QCOMPARE(told.back().best, r.best.front());
    for (std::size_t i = 1; i < told.size(); ++i) {
      QVERIFY(told[i].share >= told[i - 1].share);
      QVERIFY(!comes_before(*told[i - 1].best, *told[i].best));
    }
  }

  void every_answer_is_legal_fits_and_is_priced_as_the_model_prices_it() {
    QVERIFY(holds("answers", [] {
      const TrainedJob job = *any_job();
      const LayoutSearchResult r = search_layouts(job, constants(), {}, {}, {}, {.threads = 2, .best = 5});
      RC_ASSERT(r.complete);
      RC_ASSERT(r.problem.empty());
      std::vector<FoundLayout> answers = r.best;
      answers.insert(answers.end(), r.memory_front.begin(), r.memory_front.end());
      answers.insert(answers.end(), r.exposed_front.begin(), r.exposed_front.end());
      for (const LayoutCell& c : r.cloud)
        answers.push_back(c.layout);
      RC_ASSERT(answers.empty() == (r.fit == 0));
      for (const FoundLayout& f : answers) {
        RC_ASSERT(layout_refusal(job.model, f.split, r.gpus) == "");
        RC_ASSERT(f.memory_bytes <= job.memory_bytes);
        RC_ASSERT(f == price_layout(job, constants(), f.split));
        RC_ASSERT(std::isfinite(f.step_seconds) && f.step_seconds > 0);
      }
      for (const auto* front : {&r.memory_front, &r.exposed_front})
        for (const FoundLayout& a : *front)
          for (const LayoutCell& c : r.cloud) {
            const double mine = front == &r.memory_front ? a.memory_bytes : a.exposed_seconds;
            const double other = front == &r.memory_front ? c.layout.memory_bytes : c.layout.exposed_seconds;
            RC_ASSERT(!(c.layout.step_seconds < a.step_seconds && other <= mine));
            RC_ASSERT(!(c.layout.step_seconds <= a.step_seconds && other < mine));
          }
    }));
  }

  void held_at_the_winner_the_winner_wins() {
    QVERIFY(holds("winner", [] {
      const TrainedJob job = *any_job();
      const LayoutSearchResult r = search_layouts(job, constants());
      RC_PRE(r.fit > 0);
      const LayoutSearchResult again = search_layouts(job, constants(), held_at({}, r.best.front().split));
      RC_ASSERT(again.legal == 1u);
      RC_ASSERT(again.best.front() == r.best.front());
    }));
  }

  void more_memory_is_never_slower() {
    QVERIFY(holds("memory", [] {
      TrainedJob job = *any_job();
      const LayoutSearchResult r = search_layouts(job, constants());
      RC_PRE(r.fit > 0);
      job.memory_bytes *= 1.5;
      const LayoutSearchResult more = search_layouts(job, constants());
      RC_ASSERT(more.fit >= r.fit);
      RC_ASSERT(more.legal == r.legal);
      RC_ASSERT(more.best.front().step_seconds <= r.best.front().step_seconds);
      LayoutSpace half;
      half.memory_share = 1 / 1.5;
      RC_ASSERT(search_layouts(job, constants(), half).best.front().step_seconds >= more.best.front().step_seconds);
    }));
  }

  /// 4,100 accelerators: 41 and 25 divide neither heads nor batch. Most of what can be used is used, or what is asked for.
  void accelerators_that_no_layout_can_use_stay_idle() {
    TrainedJob job = small_job();
    job.gpus = 11;
    const LayoutSearchResult r = search_layouts(job, constants());
    QCOMPARE(r.gpus, 10.0); // PP 5 x TP 2
    QVERIFY(r.legal > 0);
    LayoutSpace range;
    range.least_gpus = 8;
    const LayoutSearchResult wide = search_layouts(job, constants(), range);
    QVERIFY(wide.legal > r.legal);
    QVERIFY(!comes_before(r.best.front(), wide.best.front()));
    for (const FoundLayout& f : wide.best)
      QVERIFY(f.split.gpus() >= 8 && f.split.gpus() <= 11);
    range.gpus = 8;
    const LayoutSearchResult eight = search_layouts(job, constants(), range);
    job.gpus = 8;
    QCOMPARE(eight.best.front(), search_layouts(job, constants()).best.front());
  }

  void axes_are_held_by_words() {
    auto space = hold_axis({}, "tensor_parallel", "2, 4");
    QVERIFY(space.has_value());
    space = hold_axis(*space, "sharding", "Optimizer");
    space = hold_axis(*space, "recompute", "none");
    space = hold_axis(*space, "schedule", "1f1b,zb-h1");
    space = hold_axis(*space, "sequence_parallel", "no");
    const LayoutSearchResult r = search_layouts(small_job(), constants(), *space);
    QVERIFY(r.fit > 0);
    for (const FoundLayout& f : r.best) {
      QVERIFY(f.split.tp == 2 || f.split.tp == 4);
      QVERIFY(f.split.dp * f.split.cp < 2 || f.split.sharding == Sharding::optimizer);
      QVERIFY(f.split.schedule == PipelineSchedule::one_f_one_b || f.split.schedule == PipelineSchedule::zero_bubble_1);
      QVERIFY(!f.split.sequence_parallel);
    }
    QVERIFY(hold_axis({}, "tensor", "2").error().find("tensor_parallel, sequence_parallel") != std::string::npos);
    for (const char* wrong : {"0", "-2", "x", "2.5", "", "2,,4", "1e9"})
      QVERIFY(hold_axis({}, "tensor_parallel", wrong).error().find("a whole number from 1") != std::string::npos);
    QVERIFY(hold_axis({}, "recompute", "some").error().find("none, selective or full") != std::string::npos);
    QVERIFY(hold_axis({}, "schedule", "zigzag").error().find("zb-v") != std::string::npos);
  }

  void what_a_program_does_not_have_is_not_tried() {
    const TrainedJob job = small_job();
    for (const FoundLayout& f : search_layouts(job, constants(), space_of_stack(SoftwareStack::nemo)).best)
      QVERIFY(f.split.schedule == PipelineSchedule::one_f_one_b || f.split.schedule == PipelineSchedule::interleaved);
    for (const FoundLayout& f : search_layouts(job, constants(), space_of_stack(SoftwareStack::composer)).best)
      QVERIFY(f.split.pp == 1 && f.split.tp == 1);
    // What the user holds stays.
    LayoutSpace own;
    own.schedules = {PipelineSchedule::zero_bubble_1};
    QVERIFY(space_of_stack(SoftwareStack::nemo, own).schedules == own.schedules);
  }

  void wrong_jobs_are_named() {
    TrainedJob job = small_job();
    job.model.layers = 0;
    QVERIFY(search_layouts(job, constants()).problem.find("layers = 0") != std::string::npos);
    job = small_job();
    job.gpus = 0;
    QVERIFY(search_layouts(job, constants()).problem.find("gpus = 0") != std::string::npos);
    job = small_job();
    job.memory_bytes = std::nan("");
    QVERIFY(!search_layouts(job, constants()).problem.empty());
    LayoutSpace space;
    space.memory_share = 1.5;
    QVERIFY(search_layouts(small_job(), constants(), space).problem.find("memory_share = 1.5") != std::string::npos);
    space = {};
    space.tensor_parallel = {7}; // does not divide 16 heads
    const LayoutSearchResult r = search_layouts(small_job(), constants(), space);
    QVERIFY(r.problem.empty() && r.complete && r.legal == 0);
    const std::vector<std::string> why = excluded_families(r);
    QVERIFY(!why.empty() && why.front().rfind("TP 7: does not divide 16 heads", 0) == 0);
  }

  void a_layout_is_applied_to_the_job() {
    JobSplit j{.micro_batch = 2, .tp = 4, .cp = 2, .pp = 8, .vpp = 3, .ep = 2, .dp = 16};
    j.sharding = Sharding::parameters;
    j.recompute = Recompute::full;
    j.schedule = PipelineSchedule::interleaved;
    j.sequence_parallel = true;
    const Edited d = layout_edit(j).apply(Design());
    QVERIFY2(d.has_value(), d ? "" : d.error().c_str());
    const Job& job = *d->job;
    QCOMPARE(job.tensor_parallel, Count(4));
    QCOMPARE(job.context_parallel, Count(2));
    QCOMPARE(job.pipeline_parallel, Count(8));
    QCOMPARE(job.virtual_stages, Count(3));
    QCOMPARE(job.expert_parallel, Count(2));
    QCOMPARE(job.data_parallel, Count(16));
    QCOMPARE(job.micro_batch, Count(2));
    QVERIFY(job.sharding == Sharding::parameters && job.recompute == Recompute::full);
    QVERIFY(job.sequence_parallel && job.pipeline_order == PipelineOrder::plain);
  }
  /// What a job is split into is what it was given, for the best of every job.
  void an_applied_layout_is_the_one_that_was_found() {
    QVERIFY(holds("applied", [] {
      const TrainedJob job = *any_job();
      const LayoutSearchResult r = search_layouts(job, constants());
      for (const auto* list : {&r.best, &r.memory_front})
        for (const FoundLayout& f : *list) {
          const Edited d = layout_edit(f.split).apply(Design());
          RC_ASSERT(d.has_value());
          JobSplit got = split_of(*d->job);
          got.sequence = f.split.sequence;
          got.global_batch = f.split.global_batch;
          got.recipe = f.split.recipe;
          got.hot_expert = f.split.hot_expert;
          RC_ASSERT(got == f.split);
        }
    }));
  }
};

QTEST_APPLESS_MAIN(TestLayoutSearch)
#include "test_layout_search.moc"
