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
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "test_schedule.moc"
