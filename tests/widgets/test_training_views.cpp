// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "widgets/theme.h"
#include "widgets/training/axis_choices.h"
#include "widgets/training/layout_scatter.h"
#include "widgets/training/pipeline_timeline.h"
#include "widgets/training/stage_memory_bars.h"
#include "widgets/training/step_waterfall.h"

using namespace hallwright;

/// The views of a training job, in a window with real keys and clicks.
class TestTrainingViews : public QObject {
  Q_OBJECT

  static WaterfallPart part(const char* name, double seconds, double until, StepWork work = StepWork::computing) {
    return {QLatin1String(name), QString::number(seconds) + QStringLiteral(" s"), {}, QStringLiteral("training.step.") + QLatin1String(name),
            seconds, until, work};
  }
  static std::vector<WaterfallPart> parts() {
    return {part("ideal", 2, 2, StepWork::useful), part("matrix", 1, 3), part("tensor", 0.5, 3.5, StepWork::communication),
            part("other", 0, 3.5)};
  }
  static bool shown(QWidget& w, int width, int height) {
    w.resize(width, height);
    w.show();
    return QTest::qWaitForWindowExposed(&w);
  }
  static QPoint at(const QPointF& p) { return p.toPoint(); }

  static bool has_color(const QImage& image, const QPointF& where, const QColor& color) {
    const double r = image.devicePixelRatio();
    const QColor c = image.pixelColor((where * r).toPoint());
    return std::abs(c.red() - color.red()) < 3 && std::abs(c.green() - color.green()) < 3 && std::abs(c.blue() - color.blue()) < 3;
  }
  static void wheel(QWidget& w, const QPointF& at, int turned, Qt::KeyboardModifiers keys) {
    QWheelEvent e(at, w.mapToGlobal(at), {}, QPoint(0, turned), Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&w, &e);
  }
  /// The picture of a widget, kept in the folder that TRAINING_PICTURES names.
  static void keep(QWidget& w, const char* name) {
    const QString folder = qEnvironmentVariable("TRAINING_PICTURES");
    if (!folder.isEmpty()) w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }

private Q_SLOTS:
  void initTestCase() { apply_appearance(Appearance::light); }

  void marks_of_an_axis_are_round_and_inside() {
    QCOMPARE(axis_marks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    const auto between = axis_marks(0.9, 2.1, 6);
    QCOMPARE(between.size(), std::size_t{6});
    for (std::size_t i = 0; i < between.size(); ++i)
      QVERIFY(std::abs(between[i] - (1.0 + 0.2 * static_cast<double>(i))) < 1e-12);
    QCOMPARE(logarithmic_marks(3, 120), (std::vector<double>{5, 10, 20, 50, 100}));
    QVERIFY(axis_marks(1, 1, 5).empty());
    QVERIFY(axis_marks(0, std::nan(""), 5).empty());
    QVERIFY(logarithmic_marks(0, 5).empty());
    const auto marks = axis_marks(0, 1, 5);
    QCOMPARE(mark_text(0.2, marks), QLocale().toString(0.2, 'f', 1));
    QCOMPARE(mark_text(0.0, marks), QLocale().toString(0.0, 'f', 1));
  }

  void bars_of_the_waterfall_stand_where_the_one_before_ends() {
    StepWaterfall w;
    QVERIFY(shown(w, 640, 320));
    w.setParts(parts(), QStringLiteral("step"), QStringLiteral("3.5 s"), QStringLiteral("training.step_time"));
    QCOMPARE(w.count(), 5);
    QVERIFY(std::abs(w.barRect(0).right() - w.barRect(1).left()) < 0.01);
    QVERIFY(std::abs(w.barRect(1).right() - w.barRect(2).left()) < 0.01);
    // 2 s are four times 0.5 s; the whole is as long as all together.
    QVERIFY(std::abs(w.barRect(0).width() - 4 * w.barRect(2).width()) < 0.01);
    QVERIFY(std::abs(w.barRect(4).width() - w.barRect(2).right() + w.barRect(0).left()) < 0.01);
    const QImage image = w.grab().toImage();
    QVERIFY(has_color(image, w.barRect(2).center(), step_work_color(StepWork::communication)));
    keep(w, "waterfall");
    // All of it is read out.
    QVERIFY(w.accessibleDescription().contains(QStringLiteral("tensor: 0.5 s")));
    QVERIFY(w.textAt(w.barRect(1).center()).startsWith(QStringLiteral("matrix: 1 s")));
  }

  void a_bar_of_the_waterfall_opens_its_figure_by_click_and_by_keys() {
    StepWaterfall w;
    QVERIFY(shown(w, 640, 320));
    w.setParts(parts(), QStringLiteral("step"), QStringLiteral("3.5 s"), QStringLiteral("training.step_time"));
    QSignalSpy spy(&w, &StepWaterfall::figureActivated);
    QTest::mouseClick(&w, Qt::LeftButton, {}, at(w.rowRect(2).center()));
    QCOMPARE(spy.takeFirst().at(0).toString(), QStringLiteral("training.step.tensor"));
    w.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&w, Qt::Key_Up);
    QTest::keyClick(&w, Qt::Key_Return);
    QCOMPARE(spy.takeFirst().at(0).toString(), QStringLiteral("training.step.matrix"));
    QTest::keyClick(&w, Qt::Key_End);
    QTest::keyClick(&w, Qt::Key_Enter);
    QCOMPARE(spy.takeFirst().at(0).toString(), QStringLiteral("training.step_time"));
    QTest::keyClick(&w, Qt::Key_Down);
    QCOMPARE(w.currentRow(), 4);
    w.clear();
    QTest::keyClick(&w, Qt::Key_Return);
    QTest::mouseClick(&w, Qt::LeftButton, {}, QPoint(100, 100));
    QVERIFY(spy.isEmpty());
  }

  void memory_over_the_limit_is_red_at_its_top() {
    StageMemoryBars w;
    QVERIFY(shown(w, 420, 300));
    w.setStages({QStringLiteral("weights"), QStringLiteral("activations")},
                {{QStringLiteral("1"), {}, {40, 60}}, {QStringLiteral("2"), {}, {40, 30}}}, QStringLiteral("GiB"), 80, QStringLiteral("GPU"));
    const QRectF over = w.barRect(0), within = w.barRect(1);
    QVERIFY(std::abs(over.height() / within.height() - 100.0 / 70.0) < 0.01);
    const QImage image = w.grab().toImage();
    QVERIFY(has_color(image, QPointF(over.center().x(), over.top() + 4), theme().red));
    QVERIFY(!has_color(image, QPointF(within.center().x(), within.top() + 4), theme().red));
    QVERIFY(w.textAt(over.center()).contains(QStringLiteral("100 GiB")));
    QSignalSpy spy(&w, &StageMemoryBars::stageActivated);
    QTest::mouseClick(&w, Qt::LeftButton, {}, at(within.center()));
    QCOMPARE(spy.takeFirst().at(0).toInt(), 1);
    w.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&w, Qt::Key_Left);
    QTest::keyClick(&w, Qt::Key_Return);
    QCOMPARE(spy.takeFirst().at(0).toInt(), 0);
    // The legend goes on in further lines where it is narrow.
    const double one = w.legendHeight();
    w.resize(150, 300);
    QVERIFY(w.legendHeight() > one);
    keep(w, "memory_narrow");
  }

  void the_timeline_shows_what_the_schedule_plays() {
    // Plain 1F1B of 4 stages and 8 micro-batches, forward 1 s, backward 2 s: (m + p - 1) x 3 s = 33 s.
    auto t = std::make_shared<PipelineTimeline>(play_schedule(PipelineSchedule::one_f_one_b, 4, 1, 8, 1.0, 2.0, 0.0));
    PipelineTimelineView w;
    QVERIFY(shown(w, 700, 320));
    w.setTimeline(t, 0, {{QStringLiteral("optimizer"), 33, 35, StepWork::optimizer}});
    QCOMPARE(w.stages(), 4);
    QVERIFY(std::abs(w.span() - 35) < 1e-9);
    const QImage image = w.grab().toImage();
    keep(w, "timeline_1f1b");
    int forward = 0, backward = 0;
    for (std::size_t i = 0; i < t->entries.size(); ++i) {
      const QRectF r = w.slotRect(i);
      const bool is_forward = t->entries[i].work == PipelineWork::forward;
      (is_forward ? forward : backward)++;
      const QColor color = step_work_color(is_forward ? StepWork::computing : StepWork::second_computing);
      QVERIFY(has_color(image, QPointF(r.left() + 3, r.top() + 3), color));
      QCOMPARE(w.slotAt(r.center()).value_or(9999), i);
    }
    QCOMPARE(forward, 32);
    QCOMPARE(backward, 32);
    // The last stage waits for three forwards.
    const QRectF p = w.plot();
    QVERIFY(w.textAt(QPointF(p.left() + p.width() * 1.0 / 35, p.bottom() - p.height() / 8)).contains(QStringLiteral("idle")));
    QVERIFY(w.textAt(QPointF(p.left() + p.width() * 34.0 / 35, p.center().y())).contains(QStringLiteral("optimizer")));
    const QString first = w.textAt(w.slotRect(0).center());
    QVERIFY2(first.contains(QStringLiteral("Stage 1, micro-batch 1")) && first.contains(QStringLiteral("forward")), qPrintable(first));
  }

  void the_timeline_zooms_pans_and_goes_back() {
    auto t = std::make_shared<PipelineTimeline>(play_schedule(PipelineSchedule::interleaved, 4, 2, 8, 1.0, 2.0, 0.01));
    PipelineTimelineView w;
    QVERIFY(shown(w, 700, 320));
    w.setTimeline(t, 0.01, {});
    const QPointF middle = w.plot().center();
    const double under = w.from() + (w.until() - w.from()) * 0.5, whole = w.until() - w.from();
    wheel(w, middle, 240, Qt::ControlModifier);
    QVERIFY(w.until() - w.from() < whole * 0.8);
    QVERIFY(std::abs((w.from() + w.until()) / 2 - under) < 1e-9); // what was under the cursor stays there
    const double left = w.from(), wide = w.until() - w.from();
    wheel(w, middle, -120, Qt::ShiftModifier);
    QVERIFY(w.from() > left);
    QVERIFY(std::abs(w.until() - w.from() - wide) < 1e-9);
    // Dragged by the mouse: what was grabbed stays under the cursor.
    const double before = w.from();
    QTest::mousePress(&w, Qt::LeftButton, {}, at(middle));
    for (int dx = 5; dx <= 40; dx += 5) {
      QMouseEvent move(QEvent::MouseMove, middle + QPointF(dx, 0), w.mapToGlobal(middle + QPointF(dx, 0)), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&w, &move);
    }
    QTest::mouseRelease(&w, Qt::LeftButton, {}, at(middle + QPointF(40, 0)));
    QVERIFY(std::abs(before - w.from() - 40 / w.plot().width() * wide) < wide * 0.01);
    // A plain wheel is left to the page.
    const double still = w.from();
    wheel(w, middle, 120, {});
    QCOMPARE(w.from(), still);
    w.setFocus();
    QTest::keyClick(&w, Qt::Key_Plus);
    QVERIFY(w.until() - w.from() < wide);
    QTest::keyClick(&w, Qt::Key_0);
    QCOMPARE(w.from(), 0.0);
    QCOMPARE(w.until(), w.span());
    // Arrows go through the work of a stage and to its neighbours, and what is read out follows.
    QTest::keyClick(&w, Qt::Key_Home);
    QTest::keyClick(&w, Qt::Key_Right);
    const std::size_t here = w.current().value();
    const PipelineSlot second = t->entries[here];
    QVERIFY(here > 0 && t->entries[here - 1].stage == second.stage && second.begin >= t->entries[here - 1].end);
    QVERIFY(second.stage < 3);
    QTest::keyClick(&w, Qt::Key_Down);
    QVERIFY(w.accessibleDescription().contains(QStringLiteral("Stage %1").arg(second.stage + 2)));
    // New numbers of the same design keep the part that is looked at.
    QTest::keyClick(&w, Qt::Key_Plus);
    const double share = w.from() / w.span();
    auto slower = std::make_shared<PipelineTimeline>(play_schedule(PipelineSchedule::interleaved, 4, 2, 8, 2.0, 4.0, 0.02));
    w.setTimeline(slower, 0.02, {});
    QVERIFY(std::abs(w.from() / w.span() - share) < 1e-9);
    keep(w, "timeline_zoomed");
  }

  void a_timeline_of_half_a_million_pieces_is_mixed_by_share() {
    auto t = std::make_shared<PipelineTimeline>(play_schedule(PipelineSchedule::interleaved, 64, 8, 512, 1.0, 2.0, 0.0));
    QCOMPARE(t->entries.size(), std::size_t{64 * 8 * 512 * 2});
    PipelineTimelineView w;
    QVERIFY(shown(w, 900, 400));
    w.setTimeline(t, 0, {});
    const QImage image = w.grab().toImage();
    keep(w, "timeline_large");
    // In the steady middle a third of the time is forward, two thirds backward; chunks of either shade come alike.
    const auto shade = [](StepWork work) { return mixed_color(step_work_color(work), theme().panel, 0.11); };
    const QColor wanted = mixed_color(shade(StepWork::computing), shade(StepWork::second_computing), 2.0 / 3.0);
    const QPointF c = w.plot().center();
    double r = 0, g = 0, b = 0;
    const double ratio = image.devicePixelRatio();
    for (int i = -40; i < 40; ++i) {
      const QColor seen = image.pixelColor(((c + QPointF(i, 0)) * ratio).toPoint());
      r += seen.red() / 80.0, g += seen.green() / 80.0, b += seen.blue() / 80.0;
    }
    QVERIFY2(std::abs(r - wanted.red()) < 8 && std::abs(g - wanted.green()) < 8 && std::abs(b - wanted.blue()) < 8,
             qPrintable(QStringLiteral("%1 %2 %3 for %4").arg(r).arg(g).arg(b).arg(wanted.name())));
    // From far in it is told apart again.
    for (int i = 0; i < 40; ++i)
      wheel(w, c, 240, Qt::ControlModifier);
    const QString words = w.textAt(c);
    QVERIFY2(words.contains(QStringLiteral("micro-batch")) || words.contains(QStringLiteral("idle")), qPrintable(words));
    QVERIFY(w.until() - w.from() < w.span() / 1000);
    w.grab();
    w.clear();
    w.setEmptyText(QStringLiteral("Nothing yet."));
    QTest::keyClick(&w, Qt::Key_Right);
    wheel(w, c, 240, Qt::ControlModifier);
    QCOMPARE(w.accessibleDescription(), QStringLiteral("Nothing yet."));
  }

  void work_side_by_side_shares_the_row_of_its_stage() {
    auto t = std::make_shared<PipelineTimeline>();
    t->entries = {{.stage = 0, .chunk = 0, .micro_batch = 0, .work = PipelineWork::forward, .begin = 0, .end = 2},
                  {.stage = 0, .chunk = 0, .micro_batch = 1, .work = PipelineWork::forward, .begin = 2, .end = 4},
                  {.stage = 0, .chunk = 1, .micro_batch = 0, .work = PipelineWork::backward, .begin = 2, .end = 4}};
    t->span = 4;
    PipelineTimelineView w;
    QVERIFY(shown(w, 500, 200));
    w.setTimeline(t, 0, {});
    QVERIFY(std::abs(w.slotRect(0).height() - 2 * w.slotRect(1).height()) < 1e-9);
    QVERIFY(std::abs(w.slotRect(1).bottom() - w.slotRect(2).top()) < 1e-9);
    const QImage image = w.grab().toImage();
    QVERIFY(has_color(image, w.slotRect(1).topLeft() + QPointF(6, 6), step_work_color(StepWork::computing)));
    QVERIFY(has_color(image, w.slotRect(2).bottomLeft() + QPointF(6, -6), mixed_color(step_work_color(StepWork::second_computing), theme().panel, 0.22)));
    for (std::size_t i = 0; i < 3; ++i)
      QCOMPARE(w.slotAt(w.slotRect(i).center()).value_or(99), i);
  }

  static std::vector<LayoutDot> dots() {
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    return {{20 * gib, 9, QStringLiteral("A"), {}}, {40 * gib, 7, QStringLiteral("B"), {}}, {60 * gib, 6, QStringLiteral("C"), {}},
            {60 * gib, 8.5, QStringLiteral("D"), {}}, {30 * gib, 9.5, QStringLiteral("E"), {}}};
  }

  void a_click_previews_a_layout_and_a_double_click_applies_it() {
    LayoutScatter w;
    QVERIFY(shown(w, 560, 360));
    w.setDots(dots(), {2, 0, 1}, 80 * 1024.0 * 1024.0 * 1024.0);
    w.setPresent({50 * 1024.0 * 1024.0 * 1024.0, 8, QStringLiteral("TP 8"), {}});
    QCOMPARE(w.front(), (std::vector<int>{0, 1, 2}));
    // More memory is further right, more time further up.
    QVERIFY(w.place(0).x() < w.place(1).x() && w.place(1).x() < w.place(2).x());
    QVERIFY(w.place(3).y() < w.place(2).y());
    keep(w, "scatter");
    QSignalSpy preview(&w, &LayoutScatter::previewRequested), apply(&w, &LayoutScatter::applyRequested),
        ended(&w, &LayoutScatter::previewEnded);
    QTest::mouseMove(&w, at(w.place(3)));
    QTRY_COMPARE(w.hovered(), 3);
    QVERIFY(w.textAt(w.place(3)).startsWith(QStringLiteral("D\n")));
    QTest::mouseClick(&w, Qt::LeftButton, {}, at(w.place(3)));
    QCOMPARE(preview.takeFirst().at(0).toInt(), 3);
    QCOMPARE(w.previewed(), 3);
    QVERIFY(apply.isEmpty());
    QTest::mouseDClick(&w, Qt::LeftButton, {}, at(w.place(1)));
    QCOMPARE(apply.takeFirst().at(0).toInt(), 1);
    // Beside every dot nothing happens.
    preview.clear();
    QTest::mouseClick(&w, Qt::LeftButton, {}, at((w.place(0) + w.place(2)) / 2 - QPointF(0, 40)));
    QVERIFY(preview.isEmpty());
    QVERIFY(ended.isEmpty());
  }

  void keys_go_along_the_front() {
    LayoutScatter w;
    QVERIFY(shown(w, 560, 360));
    w.setDots(dots(), {0, 1, 2}, std::nan(""));
    w.setPresent({50 * 1024.0 * 1024.0 * 1024.0, 8, QStringLiteral("TP 8"), {}});
    QSignalSpy preview(&w, &LayoutScatter::previewRequested), apply(&w, &LayoutScatter::applyRequested),
        ended(&w, &LayoutScatter::previewEnded);
    w.setFocus();
    QTest::keyClick(&w, Qt::Key_Right); // from the present 50 GiB to the next heavier one
    QCOMPARE(preview.takeFirst().at(0).toInt(), 2);
    QTest::keyClick(&w, Qt::Key_Left);
    QCOMPARE(preview.takeFirst().at(0).toInt(), 1);
    QTest::keyClick(&w, Qt::Key_Home);
    QCOMPARE(preview.takeFirst().at(0).toInt(), 0);
    QTest::keyClick(&w, Qt::Key_Left); // there is no further one
    QCOMPARE(preview.takeFirst().at(0).toInt(), 0);
    QTest::keyClick(&w, Qt::Key_Return);
    QCOMPARE(apply.takeFirst().at(0).toInt(), 0);
    QTest::keyClick(&w, Qt::Key_Escape);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(w.previewed(), -1);
    QTest::keyClick(&w, Qt::Key_Return); // nothing is previewed any more
    QVERIFY(apply.isEmpty());
    // Thousands of them.
    std::vector<LayoutDot> many;
    for (int i = 0; i < 6000; ++i)
      many.push_back({(10.0 + (i * 37 % 700) / 10.0) * 1e9, 3.0 + (i * 53 % 900) / 100.0, QString::number(i), {}});
    w.setDots(many, {}, std::nan(""));
    keep(w, "scatter_many");
    QTest::keyClick(&w, Qt::Key_Right); // no front
    QCOMPARE(w.previewed(), -1);
  }

  static std::vector<AxisLine> axes() {
    AxisLine tensor{QStringLiteral("tensor_parallel"), QStringLiteral("Tensor"), {}, {}, 4, QStringLiteral("16 leaves the 8-GPU domain")};
    tensor.values = {{1, {}, {}}, {2, {}, {}}, {3, QStringLiteral("3 does not divide 64 heads"), {}}, {4, {}, {}}, {8, {}, {}}};
    AxisLine expert{QStringLiteral("expert_parallel"), QStringLiteral("Expert"), {}, {{1, {}, {}}}, 1, QStringLiteral("model is dense")};
    return {tensor, expert};
  }

  void only_legal_values_of_an_axis_can_be_chosen() {
    AxisChoices w;
    w.setLines(axes());
    QVERIFY(shown(w, 360, 160));
    keep(w, "axes");
    QSignalSpy spy(&w, &AxisChoices::valueChosen);
    const auto button = [&](int v) { return w.button(QStringLiteral("tensor_parallel"), v); };
    QVERIFY(button(4)->isChecked());
    QVERIFY(!button(3)->isEnabled());
    QCOMPARE(button(3)->toolTip(), QStringLiteral("3 does not divide 64 heads"));
    QTest::mouseClick(button(3), Qt::LeftButton);
    QVERIFY(spy.isEmpty());
    QTest::mouseClick(button(8), Qt::LeftButton);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.at(0).at(0).toString(), QStringLiteral("tensor_parallel"));
    QCOMPARE(spy.takeFirst().at(1).toLongLong(), 8);
    QCOMPARE(w.words(QStringLiteral("expert_parallel")), QStringLiteral("model is dense"));
  }

  void arrows_move_between_legal_values_and_axes() {
    AxisChoices w;
    w.setLines(axes());
    QVERIFY(shown(w, 360, 160));
    QSignalSpy spy(&w, &AxisChoices::valueChosen);
    w.button(QStringLiteral("tensor_parallel"), 4)->setFocus();
    QTest::keyClick(w.focusWidget(), Qt::Key_Left); // past 3, which is not legal
    QCOMPARE(spy.takeFirst().at(1).toLongLong(), 2);
    // The design has the new value: the button that has the focus keeps it.
    auto lines = axes();
    lines[0].chosen = 2;
    lines[0].values.push_back({16, QStringLiteral("too many"), {}});
    w.setLines(lines);
    QCOMPARE(w.focusWidget()->objectName(), QStringLiteral("axis_tensor_parallel_2"));
    QTest::keyClick(w.focusWidget(), Qt::Key_Left);
    QCOMPARE(spy.takeFirst().at(1).toLongLong(), 1);
    QTest::keyClick(w.focusWidget(), Qt::Key_Left); // there is none below
    QVERIFY(spy.isEmpty());
    QTest::keyClick(w.focusWidget(), Qt::Key_Down);
    QCOMPARE(w.focusWidget()->objectName(), QStringLiteral("axis_expert_parallel_1"));
    QTest::keyClick(w.focusWidget(), Qt::Key_Up);
    QVERIFY(w.focusWidget()->objectName().startsWith(QStringLiteral("axis_tensor_parallel")));
  }

  void a_chosen_value_that_is_not_legal_is_shown_as_a_problem() {
    AxisChoices w;
    auto lines = axes();
    lines[0].chosen = 3;
    lines[0].words = QStringLiteral("3 does not divide 64 heads");
    lines[0].problem = true;
    w.setLines(lines);
    QVERIFY(shown(w, 360, 160));
    auto* three = w.button(QStringLiteral("tensor_parallel"), 3);
    QVERIFY(three->isEnabled() && three->isChecked());
    QVERIFY(three->property("problem").toBool());
    QSignalSpy spy(&w, &AxisChoices::valueChosen);
    three->setFocus();
    QTest::keyClick(w.focusWidget(), Qt::Key_Right);
    QCOMPARE(spy.takeFirst().at(1).toLongLong(), 4);
  }

  void every_chart_says_what_to_do_while_it_is_empty_and_is_drawn_in_both_appearances() {
    StepWaterfall waterfall;
    StageMemoryBars bars;
    LayoutScatter scatter;
    PipelineTimelineView timeline;
    for (PaintedChart* chart : {static_cast<PaintedChart*>(&waterfall), static_cast<PaintedChart*>(&bars), static_cast<PaintedChart*>(&scatter),
                                static_cast<PaintedChart*>(&timeline)}) {
      chart->setEmptyText(QStringLiteral("Choose a model."));
      QCOMPARE(chart->accessibleDescription(), QStringLiteral("Choose a model."));
      QVERIFY(shown(*chart, 300, 200));
      QVERIFY(!chart->accessibleName().isEmpty());
      QCOMPARE(chart->textAt({150, 100}), QString());
      QVERIFY(!chart->grab().isNull());
    }
    for (const Appearance look : {Appearance::dark, Appearance::light}) {
      apply_appearance(look);
      waterfall.setParts(parts(), QStringLiteral("step"), QStringLiteral("3.5 s"), {});
      QVERIFY(has_color(waterfall.grab().toImage(), waterfall.barRect(1).center(), step_work_color(StepWork::computing)));
      keep(waterfall, look == Appearance::dark ? "waterfall_dark" : "waterfall_light");
    }
    // In a sliver nothing breaks.
    for (QWidget* chart : {static_cast<QWidget*>(&waterfall), static_cast<QWidget*>(&bars), static_cast<QWidget*>(&scatter),
                           static_cast<QWidget*>(&timeline)}) {
      chart->resize(12, 9);
      QVERIFY(!chart->grab().isNull());
    }
  }
};

QTEST_MAIN(TestTrainingViews)
#include "test_training_views.moc"
