// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QAbstractButton>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

#include "app/studio/layout_search_card.h"
#include "app/studio/studio_window.h"
#include "app/studio/training_workspace.h"
#include "training/axis_options.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/tile_words.h"
#include "widgets/training/axis_choices.h"
#include "widgets/training/figure_tiles.h"
#include "widgets/training/layout_scatter.h"
#include "widgets/training/pipeline_timeline.h"
#include "widgets/training/stage_memory_bars.h"
#include "widgets/training/step_waterfall.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// An architect lays out a training job, with real mouse and keys.
class TestTrainingJourney : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static double figure(StudioWindow& w, const char* id) {
    const SharedEvaluation& e = w.document().evaluation();
    const Figure* f = e ? e->figures.find(id) : nullptr;
    return f && f->has_value() ? f->value : std::nan("");
  }
  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000);
  }
  /// The Training workspace in front, the typed MFU of the sample taken back so that the model says the step.
  bool opened(StudioWindow& w, const char* sample, int width = 1600, int height = 1000) {
    if (!show_window(w, width, height) || !w.openPath(sample_copy(folder_, sample)) || !settle(w)) return false;
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    w.document().apply({"The model says", [](const Design& d) {
                          return set_field(d, {"job", 0}, "model_flops_utilization", FieldValue(std::monostate{}));
                        }});
    return settle(w) && w.training()->isVisible();
  }
  static void click(QWidget* widget, const QPointF& at) {
    QTest::mouseMove(widget, at.toPoint());
    QTest::mouseClick(widget, Qt::LeftButton, {}, at.toPoint());
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("TRAINING_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(200);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void another_value_of_an_axis_moves_step_memory_and_timeline() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    TrainingWorkspace& t = *w.training();
    QTRY_COMPARE(t.timeline()->stages(), 16);
    QCOMPARE(t.memory()->count(), 16);
    keep(w, "training_1600");
    const double before = figure(w, "training.step_time");
    QVERIFY(before > 0);
    // Eight stages by the mouse: the data-parallel ranks follow.
    auto* eight = t.axes()->button(QStringLiteral("pipeline_parallel"), 8);
    QVERIFY(eight && eight->isEnabled());
    QTest::mouseClick(eight, Qt::LeftButton);
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().job->pipeline_parallel, Count{8});
    QCOMPARE(w.document().design().job->data_parallel, Count{256});
    QVERIFY(figure(w, "training.step_time") != before);
    QTRY_COMPARE(t.timeline()->stages(), 8);
    QCOMPARE(t.memory()->count(), 8);
    QVERIFY(t.axes()->button(QStringLiteral("pipeline_parallel"), 8)->isChecked());
    // By keys from there to four, and back by undo.
    t.axes()->button(QStringLiteral("pipeline_parallel"), 8)->setFocus();
    QTest::keyClick(w.focusWidget(), Qt::Key_Left);
    QVERIFY(settle(w));
    const Count fewer = w.document().design().job->pipeline_parallel;
    QVERIFY(fewer < 8);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().job->pipeline_parallel, Count{16});
    QVERIFY(std::abs(figure(w, "training.step_time") - before) < 1e-12 * before);
    w.document().undoStack().setClean();
  }

  void a_bar_of_the_waterfall_is_explained() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    StepWaterfall* waterfall = w.training()->waterfall();
    QVERIFY(waterfall->count() > 5);
    // The parts add up to the step.
    const WaterfallPart& whole = waterfall->part(waterfall->count() - 1);
    QVERIFY(std::abs(whole.seconds - figure(w, "training.modelled_step_time")) < 1e-9 * whole.seconds);
    int row = -1;
    for (int i = 0; i < waterfall->count(); ++i)
      if (waterfall->part(i).figure == QLatin1String("training.step.tensor")) row = i;
    QVERIFY(row > 0);
    click(waterfall, waterfall->rowRect(row).center());
    QCOMPARE(w.explain()->figure(), QStringLiteral("training.step.tensor"));
    waterfall->setFocus();
    QTest::keyClick(waterfall, Qt::Key_End);
    QTest::keyClick(waterfall, Qt::Key_Return);
    QCOMPARE(w.explain()->figure(), QStringLiteral("training.modelled_step_time"));
    // Memory and the run open their figures too.
    click(w.training()->memory(), w.training()->memory()->barRect(0).center());
    QCOMPARE(w.explain()->figure(), QStringLiteral("training.memory_per_gpu"));
    FigureTiles* run = w.training()->run();
    for (int i = 0; i < run->count(); ++i) {
      if (!run->shown(i).figure.startsWith(QLatin1String("training."))) continue;
      QTest::mouseClick(run->tile(i), Qt::LeftButton);
      QCOMPARE(w.explain()->figure(), run->shown(i).figure);
    }
    w.document().undoStack().setClean();
  }

  void a_layout_that_was_found_is_previewed_applied_and_taken_back() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    LayoutSearchCard* card = w.training()->search();
    LayoutScatter* scatter = card->scatter();
    auto* button = w.findChild<QPushButton*>(QStringLiteral("layout_search"));
    QVERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(card->searching());
    QTRY_VERIFY_WITH_TIMEOUT(!card->searching(), 120000);
    QVERIFY(scatter->count() > 0 && !scatter->front().empty());
    keep(w, "training_found");
    const auto before = w.document().design().job;
    const double step = figure(w, "training.step_time");
    // The quickest of the front, if it is another one than the present.
    int dot = -1;
    for (const int i : scatter->front())
      if (dot < 0 || scatter->dot(i).seconds < scatter->dot(dot).seconds) dot = i;
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    page->ensureWidgetVisible(scatter);
    click(scatter, scatter->place(dot));
    const int previewed = scatter->previewed(); // it, or one that lies on the same spot
    QVERIFY(previewed >= 0);
    QVERIFY(w.document().previewing());
    QVERIFY(settle(w));
    // What the search said is what the design then says.
    const double found = scatter->dot(previewed).seconds;
    QVERIFY2(std::abs(figure(w, "training.step_time") - found) < 1e-6 * found,
             qPrintable(QStringLiteral("%1, found %2").arg(figure(w, "training.step_time")).arg(found)));
    QVERIFY2(std::abs(figure(w, "training.memory_per_gpu") - scatter->dot(previewed).memory) <
                 1e-6 * scatter->dot(previewed).memory,
             qPrintable(QStringLiteral("%1, found %2")
                            .arg(figure(w, "training.memory_per_gpu"))
                            .arg(scatter->dot(previewed).memory)));
    QVERIFY(w.document().design().job == before);
    keep(w, "training_preview");
    // Escape goes back; then applied by a double click.
    scatter->setFocus();
    QTest::keyClick(scatter, Qt::Key_Escape);
    QVERIFY(!w.document().previewing());
    QVERIFY(settle(w));
    QVERIFY(std::abs(figure(w, "training.step_time") - step) < 1e-12 * step);
    const int undo = w.document().undoStack().index();
    QTest::mouseDClick(scatter, Qt::LeftButton, {}, scatter->place(dot).toPoint());
    QVERIFY(settle(w));
    QVERIFY(!w.document().previewing());
    QCOMPARE(w.document().undoStack().index(), undo + 1);
    QVERIFY(std::abs(figure(w, "training.step_time") - found) < 1e-6 * found);
    keep(w, "training_applied");
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    QVERIFY(w.document().design().job == before);
    // Keys along the front preview as well, and another workspace ends it.
    scatter->setFocus();
    QTest::keyClick(scatter, Qt::Key_Home);
    QVERIFY(w.document().previewing());
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(!w.document().previewing());
    QVERIFY(w.document().design().job == before);
    w.document().undoStack().setClean();
  }

private:
  /// A search that has ended, its chart in sight.
  bool searched(StudioWindow& w) {
    LayoutSearchCard* card = w.training()->search();
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("layout_search")), Qt::LeftButton);
    if (!QTest::qWaitFor([&] { return !card->searching(); }, 120000) || card->scatter()->count() == 0) return false;
    w.findChild<QScrollArea*>(QStringLiteral("training_scroll"))->ensureWidgetVisible(card->scatter());
    return true;
  }
  /// Dots in sight that stand for another layout than the present one, far apart from each other.
  static std::vector<int> dots_in_sight(StudioWindow& w, std::size_t most) {
    LayoutScatter* scatter = w.training()->search()->scatter();
    const QRegion seen = scatter->visibleRegion();
    std::vector<int> out;
    for (const int i : scatter->front()) {
      const QPoint at = scatter->place(i).toPoint();
      const bool apart = std::all_of(out.begin(), out.end(),
                                     [&](int o) { return (scatter->place(o).toPoint() - at).manhattanLength() > 24; });
      if (out.size() < most && apart && seen.contains(at) && scatter->dotAt(QPointF(at)) == i) out.push_back(i);
    }
    return out;
  }
  static bool laid_out_as(const Job& job, const JobSplit& s) {
    const auto is = [](Count a, double b) { return static_cast<double>(a) == b; };
    return is(job.tensor_parallel, s.tp) && is(job.pipeline_parallel, s.pp) && is(job.virtual_stages, s.vpp) &&
           is(job.context_parallel, s.cp) && is(job.expert_parallel, s.ep) && is(job.data_parallel, s.dp) &&
           is(job.micro_batch, s.micro_batch) && job.recompute == s.recompute && job.sharding == s.sharding;
  }
  static QLabel* words(StudioWindow& w, const char* which) {
    for (QLabel* l : w.training()->findChildren<QLabel*>())
      if (l->property("words").toString() == QLatin1String(which)) return l;
    return nullptr;
  }

private Q_SLOTS:
  void a_click_moves_nothing_and_a_double_click_applies_what_it_hit_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("three columns") << QSize(1920, 1080);
    QTest::newRow("two columns") << QSize(1366, 900);
    QTest::newRow("one column") << QSize(900, 760);
  }
  void a_click_moves_nothing_and_a_double_click_applies_what_it_hit() {
    QFETCH(QSize, size);
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", size.width(), size.height()));
    QTRY_VERIFY(w.training()->timeline()->stages() > 0);
    QVERIFY(searched(w));
    LayoutSearchCard* card = w.training()->search();
    LayoutScatter* scatter = card->scatter();
    const std::vector<int> dots = dots_in_sight(w, 4);
    QVERIFY2(dots.size() >= 2, qPrintable(QString::number(dots.size())));
    const auto present = w.document().design().job;
    for (const int dot : dots) {
      const QPoint corner = scatter->mapToGlobal(QPoint()),
                   on_window = scatter->mapTo(&w, scatter->place(dot).toPoint());
      const QSize chart = scatter->size();
      const QPointF place = scatter->place(dot);
      // Through the window, as the mouse comes: it lands on what is there.
      QTest::mouseClick(w.windowHandle(), Qt::LeftButton, {}, on_window);
      QCOMPARE(scatter->previewed(), dot);
      QVERIFY(card->readout().contains(scatter->dot(dot).name));
      QVERIFY(card->readout().contains(layout_name(card->layouts()[static_cast<std::size_t>(dot)])));
      QVERIFY(settle(w));
      QTRY_COMPARE(w.training()->timeline()->stages(),
                   static_cast<int>(card->layouts()[static_cast<std::size_t>(dot)].pp));
      QCOMPARE(scatter->mapToGlobal(QPoint()), corner);
      QCOMPARE(scatter->size(), chart);
      QCOMPARE(scatter->place(dot), place);
      QVERIFY(card->readout().contains(scatter->dot(dot).name));
      QVERIFY(w.document().design().job == present);
    }
    keep(w, qPrintable(QStringLiteral("training_preview_%1").arg(size.width())));
    const QPoint corner = scatter->mapToGlobal(QPoint());
    for (const int dot : dots) {
      const JobSplit wanted = card->layouts()[static_cast<std::size_t>(dot)];
      const int undo = w.document().undoStack().index();
      QTest::mouseDClick(w.windowHandle(), Qt::LeftButton, {}, scatter->mapTo(&w, scatter->place(dot).toPoint()));
      QVERIFY(settle(w));
      QVERIFY(!w.document().previewing());
      QCOMPARE(w.document().undoStack().index(), undo + 1);
      QVERIFY2(laid_out_as(*w.document().design().job, wanted), qPrintable(layout_name(wanted)));
      QVERIFY(!scatter->outdated()); // another layout of the same job
      QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
      QVERIFY(settle(w));
      QVERIFY(w.document().design().job == present);
      QCOMPARE(scatter->mapToGlobal(QPoint()), corner);
    }
    w.document().undoStack().setClean();
  }

  void a_double_click_means_its_first_press_even_where_the_chart_moved() {
    QWidget around;
    around.resize(700, 600);
    LayoutScatter scatter(&around);
    scatter.setGeometry(20, 200, 600, 300);
    constexpr double gib = 1024.0 * 1024.0 * 1024.0;
    scatter.setDots({{20 * gib, 9, QStringLiteral("A"), {}},
                     {40 * gib, 7, QStringLiteral("B"), {}},
                     {60 * gib, 6, QStringLiteral("C"), {}}},
                    {0, 1, 2});
    around.show();
    QVERIFY(QTest::qWaitForWindowExposed(&around));
    std::vector<int> applied;
    connect(&scatter, &LayoutScatter::previewRequested, &scatter, [&] { scatter.move(20, 170); });
    connect(&scatter, &LayoutScatter::applyRequested, &scatter, [&](int dot) { applied.push_back(dot); });
    for (int dot = 0; dot < 3; ++dot) {
      scatter.move(20, 200);
      applied.clear();
      QTest::mouseDClick(around.windowHandle(), Qt::LeftButton, {},
                         scatter.mapTo(&around, scatter.place(dot).toPoint()));
      QCOMPARE(applied, std::vector<int>{dot});
    }
    // What replaced the dots between the presses is not meant.
    scatter.move(20, 200);
    applied.clear();
    disconnect(&scatter, &LayoutScatter::previewRequested, nullptr, nullptr);
    connect(&scatter, &LayoutScatter::previewRequested, &scatter, [&] {
      scatter.setDots({{20 * gib, 9, QStringLiteral("D"), {}}, {40 * gib, 7, QStringLiteral("E"), {}}}, {0, 1});
    });
    QTest::mouseDClick(around.windowHandle(), Qt::LeftButton, {}, scatter.mapTo(&around, scatter.place(1).toPoint()));
    QVERIFY(applied.empty());
  }

  void what_was_found_for_another_job_or_project_is_not_offered() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1920, 1080));
    QVERIFY(searched(w));
    LayoutSearchCard* card = w.training()->search();
    LayoutScatter* scatter = card->scatter();
    auto* button = w.findChild<QPushButton*>(QStringLiteral("layout_search"));
    // Every input that a search takes as it is; at once, before the evaluation is there.
    const std::vector<std::pair<std::string, FieldValue>> inputs{
        {"sequence_length", std::int64_t{4096}},       {"global_batch_sequences", std::int64_t{4096}},
        {"software_stack", std::string("torchtitan")}, {"tensor_overlap", false},
        {"trained_weights", std::string("lora")},      {"precision", std::string("fp8")}};
    for (const auto& [field, value] : inputs) {
      const std::vector<int> dots = dots_in_sight(w, 1);
      QVERIFY2(!dots.empty(), field.c_str());
      w.document().apply({"Another job", [&](const Design& d) { return set_field(d, {"job", 0}, field, value); }});
      QVERIFY2(scatter->outdated(), field.c_str());
      const auto job = w.document().design().job;
      for (int late = 0; late < 2; ++late) {
        QTest::mouseClick(scatter, Qt::LeftButton, {}, scatter->place(dots[0]).toPoint());
        QTest::mouseDClick(scatter, Qt::LeftButton, {}, scatter->place(dots[0]).toPoint());
        scatter->setFocus();
        QTest::keyClick(scatter, Qt::Key_Home);
        QTest::keyClick(scatter, Qt::Key_Return);
        QVERIFY2(!w.document().previewing() && w.document().design().job == job, field.c_str());
        QVERIFY(settle(w));
        QVERIFY2(scatter->outdated(), field.c_str());
      }
      QCOMPARE(button->text(), QStringLiteral("Search again"));
      QVERIFY(card->readout().contains(QStringLiteral("Search again")));
      if (field == "sequence_length") keep(w, "training_outdated");
      QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
      QVERIFY(settle(w));
      QVERIFY2(!scatter->outdated(), field.c_str());
      QCOMPARE(button->text(), QStringLiteral("Search"));
    }
    // What a search does not hang on changes nothing.
    w.document().apply({"Longer", [](const Design& d) {
                          return set_field(d, {"job", 0}, "tokens", FieldValue(1e12));
                        }});
    QVERIFY(settle(w));
    QVERIFY(!scatter->outdated());
    // Another project: nothing of the old one is left, and a search under way does not come back.
    w.document().undoStack().setClean();
    QVERIFY(w.openPath(sample_copy(folder_, "deepseek-v3-2048-h800")));
    QCOMPARE(scatter->count(), 0);
    QVERIFY(card->layouts().empty());
    QVERIFY(settle(w));
    QCOMPARE(scatter->count(), 0);
    QVERIFY(!words(w, "quickest")->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    w.document().undoStack().setClean();
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    QVERIFY(!card->searching());
    QVERIFY(settle(w));
    QTest::qWait(300); // an answer that is dropped gives no sign
    QCOMPARE(scatter->count(), 0);
    w.document().undoStack().setClean();
  }

  void only_schedules_of_the_software_are_searched_and_what_differs_is_named() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1920, 1080));
    LayoutSearchCard* card = w.training()->search();
    for (const SoftwareStack stack : {SoftwareStack::nemo, SoftwareStack::torchtitan, SoftwareStack::fsdp_eager}) {
      w.document().apply({"Software", [&](const Design& d) {
                            return set_field(d, {"job", 0}, "software_stack",
                                             FieldValue(std::string(
                                                 ChoiceWords<SoftwareStack>::words[static_cast<std::size_t>(stack)])));
                          }});
      QVERIFY(settle(w));
      QVERIFY(searched(w));
      const LayoutSpace space = space_of_stack(stack);
      QCOMPARE(card->schedules().size(), space.schedules.size());
      const SharedEvaluation& e = w.document().evaluation();
      const std::optional<JobSplit> present = e->training->job ? std::optional(e->training->job->split) : std::nullopt;
      double best = 1e300;
      for (int i = 0; i < card->scatter()->count(); ++i) {
        const JobSplit& s = card->layouts()[static_cast<std::size_t>(i)];
        if (s.pp > 1 && !space.schedules.empty())
          QVERIFY(std::find(space.schedules.begin(), space.schedules.end(), s.schedule) != space.schedules.end());
        if (!space.pipeline_parallel.empty()) QCOMPARE(s.pp, space.pipeline_parallel.front());
        const QString name = card->scatter()->dot(i).name;
        QCOMPARE(name, layout_name_beside(s, present));
        if (present && s.micro_batch != present->micro_batch) QVERIFY(name.contains(QStringLiteral("micro-batch")));
        if (present && s.pp > 1 && s.schedule != present->schedule)
          QVERIFY(name.contains(QString::fromStdString(axis_value(LayoutAxis::schedule, s))));
        best = std::min(best, card->scatter()->dot(i).seconds);
      }
      const QString said = words(w, "quickest")->text();
      QVERIFY(said.contains(QStringLiteral("Quickest")));
      if (figure(w, "training.step_time") < best * (1 - 1e-6))
        QVERIFY2(said.contains(QStringLiteral("The present layout")), qPrintable(said));
    }
    w.document().undoStack().setClean();
  }

  void the_run_stands_at_the_top_in_large_figures() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k", 1920, 1080));
    TrainingWorkspace& t = *w.training();
    QTRY_VERIFY(t.timeline()->stages() > 0);
    keep(w, "training_run");
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    QCOMPARE(page->verticalScrollBar()->value(), 0);
    const int seen = page->viewport()->height();
    const auto top = [&](QWidget* x) { return x->mapTo(page->viewport(), QPoint()).y(); };
    for (QWidget* whole :
         {static_cast<QWidget*>(t.run()), static_cast<QWidget*>(t.axes()), static_cast<QWidget*>(t.waterfall())})
      QVERIFY2(top(whole) >= 0 && top(whole) + whole->height() <= seen, qPrintable(QStringLiteral("%1: %2 + %3 of %4")
                                                                                       .arg(whole->objectName())
                                                                                       .arg(top(whole))
                                                                                       .arg(whole->height())
                                                                                       .arg(seen)));
    for (QWidget* begun : {static_cast<QWidget*>(t.memory()), static_cast<QWidget*>(t.timeline())})
      QVERIFY2(top(begun) + begun->fontMetrics().height() * 4 <= seen,
               qPrintable(QStringLiteral("%1: %2 of %3").arg(begun->objectName()).arg(top(begun)).arg(seen)));
    QVERIFY(t.run()->mapTo(page, QPoint()).x() > t.axes()->mapTo(page, QPoint()).x() + t.axes()->width());
    QStringList titles;
    for (int i = 0; i < t.run()->count(); ++i) {
      const FigureTile tile = t.run()->shown(i);
      titles << tile.title;
      QVERIFY2(!tile.value.contains(QLatin1String("e1")) && !tile.remark.contains(QLatin1String("e1")),
               qPrintable(tile.value + tile.remark));
      if (tile.value == QStringLiteral("\u2013"))
        QVERIFY2(!tile.remark.isEmpty(), qPrintable(tile.title)); // a dash says why
    }
    for (const char* wanted :
         {"Step time", "Tokens a second", "Days of the run", "MFU (6ND)", "Energy of the run", "Cost of the run"})
      QVERIFY2(titles.contains(QLatin1String(wanted)), wanted);
    const FigureTile rate = t.run()->shown(static_cast<int>(titles.indexOf(QStringLiteral("Tokens a second"))));
    QVERIFY2(rate.value.endsWith(QStringLiteral(" M/s")), qPrintable(rate.value));
    QVERIFY2(rate.remark.contains(QStringLiteral(" T tokens")), qPrintable(rate.remark));
    w.document().undoStack().setClean();
  }

  void axes_stand_in_one_rhythm_and_a_reason_stands_once() {
    for (const char* sample : {"llama3-405b-16k", "deepseek-v3-2048-h800", "superpod-h100-4su"}) {
      StudioWindow w(catalog_);
      QVERIFY(opened(w, sample, 1920, 1080));
      AxisChoices* axes = w.training()->axes();
      QTRY_VERIFY(axes->height() > 0);
      QTest::qWait(50);
      QStringList said;
      int rhythm = 0;
      for (std::size_t i = 0; i < axes->lines().size(); ++i) {
        const AxisLine& line = axes->lines()[i];
        QString bare = line.words;
        bare.remove(QRegularExpression(QStringLiteral("[0-9]+")));
        QVERIFY2(bare.isEmpty() || !said.contains(bare), qPrintable(line.words));
        said << bare;
        const auto place = [&](std::size_t at, bool last) {
          const AxisLine& l = axes->lines()[at];
          return axes->button(l.id, last ? l.values.back().value : l.values.front().value)->geometry();
        };
        const QRect first = place(i, false), last = place(i, true);
        // One line of buttons and at most one of words: the next axis is as far away as everywhere.
        bool one = first.top() == last.top();
        for (QLabel* l : axes->findChildren<QLabel*>())
          if (l->isVisible() && l->text() == line.words && l->height() > l->fontMetrics().height() * 3 / 2) one = false;
        if (i + 1 >= axes->lines().size()) continue;
        const int step = place(i + 1, false).top() - first.top();
        QVERIFY(step > first.height());
        if (!one) continue;
        if (rhythm == 0) rhythm = step;
        QVERIFY2(std::abs(step - rhythm) <= 1,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(line.label).arg(step).arg(rhythm)));
      }
      // Names of fields are for files.
      for (const QWidget* x : w.training()->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(x);
        for (const QString& text : {label ? label->text() : QString(), x->toolTip(), x->accessibleDescription()})
          for (const FieldInfo& f : table_fields("job"))
            if (f.name.find('_') != std::string_view::npos && axes->isAncestorOf(x))
              QVERIFY2(!text.contains(to_qstring(f.name)), qPrintable(text));
      }
      w.document().undoStack().setClean();
    }
  }

  void one_stage_is_no_broad_band_and_colours_of_the_legend_differ() {
    PipelineTimelineView view;
    view.resize(700, 320);
    for (const Appearance look : {Appearance::light, Appearance::dark}) {
      apply_appearance(look);
      for (const int stages : {1, 4}) {
        auto t = std::make_shared<PipelineTimeline>(play_schedule(
            stages > 1 ? PipelineSchedule::zero_bubble_1 : PipelineSchedule::one_f_one_b, stages, 1, 8, 1.0, 2.0, 0.1));
        view.setTimeline(t, 0.1,
                         {{QStringLiteral("gradients"), 40, 42, StepWork::communication},
                          {QStringLiteral("optimizer"), 42, 43, StepWork::optimizer},
                          {QStringLiteral("stragglers, data"), 43, 44, StepWork::waiting}});
        QVERIFY(view.slotRect(0).height() <= 2.5 * view.fontMetrics().height());
        const auto legend = view.legendEntries();
        QCOMPARE(legend.size(), std::size_t(stages > 1 ? 8 : 6));
        for (std::size_t i = 0; i < legend.size(); ++i)
          for (std::size_t k = 0; k < i; ++k) {
            const QColor a = legend[i].color, b = legend[k].color;
            const int far =
                std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
            QVERIFY2(far >= 40,
                     qPrintable(QStringLiteral("%1 and %2: %3").arg(legend[i].name, legend[k].name).arg(far)));
          }
      }
    }
    apply_appearance(Appearance::light);
  }

  /// Sliders try tokens, replicas and MFU; nothing is kept until Apply. 2e12 tokens a tenth more; 480 sequences divide
  /// over 32 replicas after 30.
  void what_if_tries_and_keeps_nothing_until_applied() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1920, 1080));
    const double days = figure(w, "training.compute_time"), mfu = figure(w, "training.mfu");
    auto* tokens = w.findChild<QSlider*>(QStringLiteral("training_what_if_0"));
    auto* replicas = w.findChild<QSlider*>(QStringLiteral("training_what_if_1"));
    auto* share = w.findChild<QSlider*>(QStringLiteral("training_what_if_2"));
    QVERIFY(tokens && replicas && share && tokens->isVisible() && share->isEnabled());
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    page->ensureWidgetVisible(share);
    tokens->setFocus();
    const int place = tokens->mapTo(&w, QPoint()).y();
    QTest::keyClick(tokens, Qt::Key_PageUp);
    QVERIFY(w.document().previewing() && settle(w));
    // It stays under the pointer, which was in its middle.
    QVERIFY(std::abs(tokens->mapTo(&w, QPoint()).y() - place) < tokens->height() / 2);
    QVERIFY(std::abs(figure(w, "training.compute_time") / days - 1.1) < 0.001);
    QCOMPARE(w.document().design().job->tokens, 2e12);
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("training_what_if_reset")), Qt::LeftButton);
    QVERIFY(!w.document().previewing() && settle(w));
    QCOMPARE(figure(w, "training.compute_time"), days);

    replicas->setFocus();
    QTest::keyClick(replicas, Qt::Key_Right);
    QVERIFY(settle(w));
    QCOMPARE(w.document().shown().job->data_parallel, Count{32});
    // 32 x 8 x 4 = 1,024 GPUs where 1,016 are drawn: the tile of the step says so.
    for (const HeadlineTile& tile : headline_tiles())
      if (tile.figure == "training.step_time") QCOMPARE(tile_state(*w.document().evaluation(), tile).level, TileLevel::error);
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("training_what_if_reset")), Qt::LeftButton);

    // The MFU begins at what the model says, though none is typed: half of it, a slower run.
    share->setFocus();
    QTest::keyClick(share, Qt::Key_Home);
    QVERIFY(settle(w));
    QVERIFY2(std::abs(figure(w, "training.mfu") / mfu - 0.5) < 0.001,
             qPrintable(QStringLiteral("%1 of %2").arg(figure(w, "training.mfu")).arg(mfu)));
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("training_what_if_apply")), Qt::LeftButton);
    QVERIFY(settle(w) && !w.document().previewing());
    QVERIFY(std::abs(*w.document().design().job->model_flops_utilization / mfu - 0.5) < 0.001);
    keep(w, "what_if");
    w.document().undoStack().setClean();
  }

  void every_field_of_the_job_stands_in_its_group() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1920, 1080));
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    const auto editor = [&](std::string_view field) {
      return page->findChild<QWidget*>(QStringLiteral("field_") + to_qstring(field));
    };
    for (const FieldInfo& f : table_fields("job")) {
      const auto& axes = layout_axes();
      if (std::find(axes.begin(), axes.end(), f.name) != axes.end()) continue; // chosen in the card of the layout
      QVERIFY2(editor(f.name) && editor(f.name)->isVisible(), std::string(f.name).c_str());
      QVERIFY2(editor(f.name)->height() >= editor(f.name)->minimumSizeHint().height(), std::string(f.name).c_str());
    }
    QVERIFY(!editor("adapter_rank")->isEnabled());
    w.document().apply({"LoRA", [](const Design& d) {
                          return set_field(d, {"job", 0}, "trained_weights", FieldValue(std::string("lora")));
                        }});
    QVERIFY(settle(w));
    QVERIFY(editor("adapter_rank")->isEnabled() && editor("adapter_targets")->isEnabled());
    page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum());
    keep(w, "training_fields");
    w.document().undoStack().setClean();
  }

  void without_gpus_the_page_says_what_to_do_next() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1920, 1080));
    w.document().reset(Design{});
    QVERIFY(settle(w));
    TrainingWorkspace& t = *w.training();
    for (PaintedChart* chart : {static_cast<PaintedChart*>(t.waterfall()), static_cast<PaintedChart*>(t.timeline()),
                                static_cast<PaintedChart*>(t.search()->scatter())})
      QVERIFY2(chart->accessibleDescription().startsWith(QStringLiteral("There are no GPUs")) &&
                   chart->accessibleDescription().contains(QStringLiteral("goal")),
               qPrintable(chart->accessibleDescription()));
    auto* goal = t.findChild<QWidget*>(QStringLiteral("training_goal"));
    QVERIFY(goal && goal->isVisible() && goal->findChild<QWidget*>(QStringLiteral("field_node_part")));
    // Titles stand at the top of their cards.
    for (QLabel* l : t.findChildren<QLabel*>(QStringLiteral("title"))) {
      if (!l->isVisible() || l->parentWidget()->objectName() != QLatin1String("card")) continue;
      QVERIFY2(l->y() <= 4 * spacing_unit, qPrintable(QStringLiteral("%1 at %2").arg(l->text()).arg(l->y())));
    }
    keep(w, "training_no_gpus");
    // A goal is a cluster to lay the job on.
    w.document().apply(
        {"Goal", [](const Design& d) {
           Edited out = set_field(d, {"goal", 0}, "gpus", FieldValue(std::int64_t{16384}));
           return out ? set_field(*out, {"goal", 0}, "node_part", FieldValue(std::string("dgx-h100"))) : out;
         }});
    QVERIFY(settle(w));
    if (figure(w, "population.gpus") > 0) QVERIFY(!goal->isVisible());
    w.document().undoStack().setClean();
  }

  void a_search_is_cancelled() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    LayoutSearchCard* card = w.training()->search();
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("layout_search")), Qt::LeftButton);
    auto* cancel = w.findChild<QPushButton*>(QStringLiteral("layout_search_cancel"));
    if (cancel->isVisible()) QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!card->searching(), 120000);
    QVERIFY(w.findChild<QPushButton*>(QStringLiteral("layout_search"))->isVisible());
    w.document().undoStack().setClean();
  }

  void the_model_is_held_to_a_measured_step() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    const double modelled = figure(w, "training.modelled_step_time");
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    auto* button = w.findChild<QPushButton*>(QStringLiteral("training_calibrate"));
    page->ensureWidgetVisible(button);
    QTest::mouseClick(button, Qt::LeftButton);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("calibrate_dialog"));
    QVERIFY(dialog && dialog->isVisible());
    auto* edit = dialog->findChild<QLineEdit*>(QStringLiteral("measured_step"));
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    // What cannot be is said, and the dialog stays.
    for (const QString& wrong : {QStringLiteral("abc"), QStringLiteral("0 s"), QStringLiteral("900 h")}) {
      edit->selectAll();
      QTest::keyClicks(edit, wrong);
      QTest::mouseClick(ok, Qt::LeftButton);
      auto* problem = dialog->findChild<QLabel*>(QStringLiteral("problem"));
      QVERIFY2(problem->isVisible() && !problem->text().isEmpty(), qPrintable(wrong));
    }
    edit->selectAll();
    const double measured = std::round(modelled * 1100) / 1000.0;
    QTest::keyClicks(edit, QLocale::c().toString(measured, 'f', 3).replace(QLatin1Char('.'), QLocale().decimalPoint()) +
                               QStringLiteral(" s"));
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(settle(w));
    QVERIFY(std::abs(w.document().design().job->step_time_factor - measured / modelled) < 1e-9);
    QVERIFY(std::abs(figure(w, "training.step_time") - measured) < 1e-9 * measured);
    w.activateWindow(); // the dialog had the keys
    QTRY_VERIFY(w.isActiveWindow());
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().job->step_time_factor, 1.0);
    w.document().undoStack().setClean();
  }

  void a_layout_that_cannot_run_says_why_and_is_mended_here() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    w.document().apply({"Tensor 3", [](const Design& d) {
                          return set_field(d, {"job", 0}, "tensor_parallel", FieldValue(std::int64_t{3}));
                        }});
    QVERIFY(settle(w));
    TrainingWorkspace& t = *w.training();
    auto* three = t.axes()->button(QStringLiteral("tensor_parallel"), 3);
    QVERIFY(three && three->isChecked());
    QVERIFY2(t.axes()->words(QStringLiteral("tensor_parallel")).contains(QStringLiteral("3 does not divide")),
             qPrintable(t.axes()->words(QStringLiteral("tensor_parallel"))));
    QCOMPARE(t.waterfall()->count(), 0);
    QVERIFY(t.waterfall()->accessibleDescription().contains(QStringLiteral("cannot run")));
    keep(w, "training_illegal");
    // A search starts from what can run.
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("layout_search")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!t.search()->searching(), 120000);
    QVERIFY(t.search()->scatter()->count() > 0);
    QTest::mouseClick(t.axes()->button(QStringLiteral("tensor_parallel"), 8), Qt::LeftButton);
    QVERIFY(settle(w));
    QVERIFY(t.waterfall()->count() > 5);
    w.document().undoStack().setClean();
  }

  void the_page_stands_in_as_many_columns_as_have_room_and_nothing_is_cut_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    QTest::newRow("1920 x 1080") << QSize(1920, 1080) << false;
    QTest::newRow("1600 x 1000 dark") << QSize(1600, 1000) << true;
    QTest::newRow("1366 x 768") << QSize(1366, 768) << false;
    QTest::newRow("900 x 600") << QSize(900, 600) << false;
  }
  void the_page_stands_in_as_many_columns_as_have_room_and_nothing_is_cut() {
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    apply_appearance(dark ? Appearance::dark : Appearance::light);
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k", size.width(), size.height()));
    QTRY_VERIFY(w.training()->timeline()->stages() > 0);
    QTest::qWait(100);
    auto* page = w.findChild<QScrollArea*>(QStringLiteral("training_scroll"));
    QVERIFY2(
        page->widget()->minimumSizeHint().width() <= page->viewport()->width(),
        qPrintable(
            QStringLiteral("%1 of %2").arg(page->widget()->minimumSizeHint().width()).arg(page->viewport()->width())));
    QVERIFY(page->widget()->width() <= page->viewport()->width());
    // Cards do not lie on each other, and each has the height that its contents ask for.
    QList<QFrame*> cards;
    for (QFrame* f : page->widget()->findChildren<QFrame*>(QStringLiteral("card")))
      if (f->isVisible()) cards << f;
    QVERIFY(cards.size() >= 8);
    for (QFrame* a : cards) {
      QVERIFY2(a->height() >= a->minimumSizeHint().height(),
               qPrintable(QStringLiteral("%1 of %2").arg(a->height()).arg(a->minimumSizeHint().height())));
      for (QFrame* b : cards)
        QVERIFY(a == b || !a->geometry().intersects(b->geometry()));
    }
    for (QLabel* l : page->widget()->findChildren<QLabel*>()) {
      if (!l->isVisible() || !l->wordWrap() || l->text().isEmpty()) continue;
      QVERIFY2(l->height() >= l->heightForWidth(l->width()) - 1, qPrintable(l->text()));
    }
    keep(w,
         qPrintable(QStringLiteral("training_%1x%2%3").arg(size.width()).arg(size.height()).arg(dark ? "_dark" : "")));
    page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum());
    keep(w, qPrintable(
                QStringLiteral("training_%1x%2%3_end").arg(size.width()).arg(size.height()).arg(dark ? "_dark" : "")));
    apply_appearance(Appearance::light);
    w.document().undoStack().setClean();
  }

  void without_a_model_the_page_says_what_to_do() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    w.document().apply({"No model", [](const Design& d) {
                          return set_field(d, {"job", 0}, "model_part", FieldValue(std::string()));
                        }});
    QVERIFY(settle(w));
    QVERIFY(!w.training()->axes()->isVisible());
    bool told = false;
    for (const QLabel* l : w.training()->findChildren<QLabel*>())
      told = told || (l->isVisible() && l->text().startsWith(QStringLiteral("Choose a model")));
    QVERIFY(told);
    QVERIFY(!w.training()->waterfall()->accessibleDescription().isEmpty());
    QVERIFY(!w.findChild<QPushButton*>(QStringLiteral("layout_search"))->isEnabled());
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("training_choose_model")), Qt::LeftButton);
    QVERIFY(w.focusWidget() && w.focusWidget()->objectName() == QLatin1String("field_model_part"));
    QVERIFY(!w.focusWidget()->visibleRegion().isEmpty());
    keep(w, "training_no_model");
    w.document().undoStack().setClean();
  }
};

QTEST_MAIN(TestTrainingJourney)
#include "test_training_journey.moc"
