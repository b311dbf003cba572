// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline schedules against published bubble formulas, and the timelines that they give when played.
#include <QtTest>

#include "training/schedule.h"

using namespace hallwright;

class TestSchedule : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void idle_time_as_published() {
    // Narayanan et al. 2021: (p - 1)(tf + tb), over v when interleaved.
    QCOMPARE(pipeline_idle(PipelineSchedule::one_f_one_b, 8, 1, 1, 1, 1), 21.0);
    QCOMPARE(pipeline_idle(PipelineSchedule::interleaved, 8, 4, 1, 1, 1), 21.0 / 4);
    // Qi et al. 2024: ZB-H1 (p - 1)(tf + tb - tw), a third of 1F1B with equal parts; ZB-H2 none.
    QCOMPARE(pipeline_idle(PipelineSchedule::zero_bubble_1, 8, 1, 1, 1, 1), 7.0);
    QCOMPARE(pipeline_idle(PipelineSchedule::zero_bubble_2, 8, 1, 1, 1, 1), 0.0);
  }
  void held_micro_batches_as_published() {
    QCOMPARE(held_micro_batches(PipelineSchedule::one_f_one_b, 8, 1, 0, 64), 8.0);
    QCOMPARE(held_micro_batches(PipelineSchedule::one_f_one_b, 8, 1, 7, 64), 1.0);
    QCOMPARE(held_micro_batches(PipelineSchedule::one_f_one_b, 8, 1, 0, 2), 2.0);
    // Korthikanti et al. 2022: p (1 + (p - 1) / (p v)).
    QCOMPARE(held_micro_batches(PipelineSchedule::interleaved, 8, 3, 0, 64), 8.0 * (1.0 + 7.0 / 24.0));
  }
  void a_timeline_is_as_long_as_its_formula() {
    for (const auto& [p, v, m] : {std::array{4, 1, 8}, {8, 1, 8}, {4, 2, 8}, {8, 3, 16}, {2, 4, 6}}) {
      const auto kind = v > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
      const PipelineTimeline t = play_schedule(kind, p, v, m, 1.0, 2.0, 0.0);
      const double expected = 3.0 * m + pipeline_idle(kind, p, v, 1.0, 1.0, 1.0);
      QVERIFY2(std::abs(t.span - expected) < 1e-9,
               qPrintable(QString("p %1 v %2 m %3: %4, not %5").arg(p).arg(v).arg(m).arg(t.span).arg(expected)));
      QCOMPARE(t.entries.size(), static_cast<std::size_t>(2 * p * v * m));
    }
    QVERIFY(play_schedule(PipelineSchedule::interleaved, 4, 2, 6, 1, 2, 0).entries.empty());
    QVERIFY(play_schedule(PipelineSchedule::one_f_one_b, 4, 1, 8, 1, 2, 0.1).span > 24.0 + 9.0);
  }

  /// DeepSeek-V3 technical report 2024, table 2: bubble (PP - 1)(F + B), (PP - 1)(F + B - 2 W) and
  /// (PP / 2 - 1)(F&B + B - 3 W); activations PP, PP and PP + 1.
  void a_table_of_bubbles_as_published() {
    for (const int p : {2, 8, 16})
      for (const auto& [f, i, w] : {std::array{1.0, 1.0, 1.0}, {1.0, 1.0, 0.5}, {2.0, 2.5, 1.5}}) {
        const double b = i + w;
        QCOMPARE(pipeline_idle(PipelineSchedule::one_f_one_b, p, 1, f, i, w), (p - 1) * (f + b));
        QCOMPARE(pipeline_idle(PipelineSchedule::zero_bubble_1, p, 1, f, i, w), (p - 1) * (f + b - 2 * w));
        QCOMPARE(pipeline_idle(PipelineSchedule::bidirectional, p, 1, f, i, w), (p / 2.0 - 1) * (f + b + b - 3 * w));
      }
    QCOMPARE(held_micro_batches(PipelineSchedule::bidirectional, 16, 1, 0, 64), 17.0);
    QCOMPARE(held_micro_batches(PipelineSchedule::zero_bubble_1, 16, 1, 0, 64), 16.0);
    QCOMPARE(schedule_word(PipelineSchedule::bidirectional), std::string_view("DualPipe"));
  }
  /// The timeline of each idles as long as its formula: Qi et al. 2024, table 2, for any weight part up to the input
  /// part; ZB-V without a bubble where all three are equal; DeepSeek's table 2 where forward and input are equal.
  void split_backwards_idle_as_published() {
    struct Case {
      PipelineSchedule schedule;
      std::vector<PipelineTimes> times;
    };
    const std::vector<PipelineTimes> any{{1, 1, 1}, {1, 1.1, 0.9}, {1, 1.2, 0.8}, {1, 1, 0.5}, {2, 3, 2}};
    for (const auto& [kind, all] : {Case{PipelineSchedule::zero_bubble_1, any},
                                    {PipelineSchedule::zero_bubble_2, any},
                                    {PipelineSchedule::zero_bubble_v, {{1, 1, 1}, {3, 3, 3}}},
                                    {PipelineSchedule::bidirectional, {{1, 1, 1}, {1, 1, 0.5}, {2, 2, 1.5}}}})
      for (const PipelineTimes& t : all)
        for (const int p : {2, 4, 8, 16})
          for (const int m : {2 * p, 3 * p, 4 * p + 2}) {
            const PipelineTimeline line = play_schedule(kind, p, 1, m, t);
            const double expected = pipeline_idle(kind, p, 1, t.forward, t.backward_input, t.backward_weight);
            QVERIFY2(!line.entries.empty() && std::abs(line.longest_idle() - expected) < 1e-9,
                     qPrintable(QString("%1 p %2 m %3: %4, not %5")
                                    .arg(QString::fromUtf8(schedule_word(kind).data()))
                                    .arg(p)
                                    .arg(m)
                                    .arg(line.longest_idle())
                                    .arg(expected)));
          }
    // 1F1B has three times the bubble of ZB-H1 when the parts are equal.
    QCOMPARE(play_schedule(PipelineSchedule::one_f_one_b, 8, 1, 32, {}).longest_idle(),
             3 * play_schedule(PipelineSchedule::zero_bubble_1, 8, 1, 32, {}).longest_idle());
  }
  /// Whatever the schedule: every micro-batch goes forward and backward once through every chunk, in order, no stage does
  /// two things at once (but the pair of a bidirectional one), and no more is held than published.
  void every_timeline_is_one_that_could_run() {
    using S = PipelineSchedule;
    for (const S s : {S::one_f_one_b, S::interleaved, S::zero_bubble_1, S::zero_bubble_2, S::zero_bubble_v, S::gpipe,
                      S::bidirectional})
      for (const auto& [p, m] : {std::array{2, 4}, {4, 8}, {4, 20}, {8, 16}, {6, 12}, {1, 3}, {4, 4}}) {
        const int v = s == S::interleaved || s == S::zero_bubble_v ? 2 : 1;
        const PipelineTimes times{1, 1.3, 0.7, 0.05, 0};
        const PipelineTimeline line = play_schedule(s, p, v, m, times);
        const bool both_ways = s == S::bidirectional;
        if (both_ways && (p % 2 != 0 || m < 2 * p)) {
          QVERIFY(line.entries.empty());
          continue;
        }
        std::map<std::tuple<int, int, int>, std::array<int, 3>> seen; // forward, input, weight
        std::map<std::tuple<int, int, int>, double> forward_end, input_begin, input_end;
        for (const PipelineSlot& e : line.entries) {
          const auto key = std::tuple(e.stage, e.chunk, e.micro_batch);
          auto& n = seen[key];
          if (e.work == PipelineWork::forward) ++n[0], forward_end[key] = e.end;
          if (e.work == PipelineWork::backward || e.work == PipelineWork::backward_input)
            ++n[1], input_begin[key] = e.begin, input_end[key] = e.end;
          if (e.work == PipelineWork::backward || e.work == PipelineWork::backward_weight) ++n[2];
          if (e.work == PipelineWork::backward_weight) QVERIFY(e.begin >= input_end[key] - 1e-9);
        }
        const int chunks = both_ways ? 2 : v;
        QCOMPARE(seen.size(), static_cast<std::size_t>(p * chunks * (both_ways ? m / 2 : m)));
        for (const auto& [key, n] : seen) {
          QVERIFY((n == std::array{1, 1, 1}));
          QVERIFY(input_begin[key] >= forward_end[key] - 1e-9);
        }
        int held = 0, most = 0, stage = -1;
        double until = 0, last_begin = -1;
        for (const PipelineSlot& e : line.entries) {
          if (e.stage != stage) held = 0, until = 0, last_begin = -1, stage = e.stage;
          QVERIFY(e.begin >= until - 1e-9 || (both_ways && e.begin == last_begin));
          until = std::max(until, e.end);
          last_begin = e.begin;
          if (e.work == PipelineWork::forward) most = std::max(most, ++held);
          // A micro-batch is let go when the part for weights is done.
          if (e.work == PipelineWork::backward || e.work == PipelineWork::backward_weight) --held;
        }
        QCOMPARE(held, 0);
        double published = 0;
        for (int i = 0; i < p; ++i)
          published = std::max(published, held_micro_batches(s, p, v, i, m));
        QVERIFY2(most <= published * v + 1e-9, qPrintable(QString("%1 p %2 m %3: %4 of %5")
                                                              .arg(QString::fromUtf8(schedule_word(s).data()))
                                                              .arg(p)
                                                              .arg(m)
                                                              .arg(most)
                                                              .arg(published * v)));
      }
  }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "test_schedule.moc"
