// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QAbstractButton>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/layout_search_card.h"
#include "app/studio/studio_window.h"
#include "app/studio/training_workspace.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
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
    w.document().apply({"The model says", [](const Design& d) { return set_field(d, {"job", 0}, "model_flops_utilization", FieldValue(std::monostate{})); }});
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
    auto* run = w.findChild<FigureTiles*>(QStringLiteral("training_run"));
    QTest::mouseClick(run->tile(1), Qt::LeftButton);
    QCOMPARE(w.explain()->figure(), QStringLiteral("training.steps"));
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
    QVERIFY2(std::abs(figure(w, "training.memory_per_gpu") - scatter->dot(previewed).memory) < 1e-6 * scatter->dot(previewed).memory,
             qPrintable(QStringLiteral("%1, found %2").arg(figure(w, "training.memory_per_gpu")).arg(scatter->dot(previewed).memory)));
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
    QTest::keyClicks(edit, QLocale::c().toString(measured, 'f', 3).replace(QLatin1Char('.'), QLocale().decimalPoint()) + QStringLiteral(" s"));
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
    w.document().apply({"Tensor 3", [](const Design& d) { return set_field(d, {"job", 0}, "tensor_parallel", FieldValue(std::int64_t{3})); }});
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
    QVERIFY2(page->widget()->minimumSizeHint().width() <= page->viewport()->width(),
             qPrintable(QStringLiteral("%1 of %2").arg(page->widget()->minimumSizeHint().width()).arg(page->viewport()->width())));
    QVERIFY(page->widget()->width() <= page->viewport()->width());
    // Cards do not lie on each other, and each has the height that its contents ask for.
    QList<QFrame*> cards;
    for (QFrame* f : page->widget()->findChildren<QFrame*>(QStringLiteral("card")))
      if (f->isVisible()) cards << f;
    QVERIFY(cards.size() >= 8);
    for (QFrame* a : cards) {
      QVERIFY2(a->height() >= a->minimumSizeHint().height(), qPrintable(QStringLiteral("%1 of %2").arg(a->height()).arg(a->minimumSizeHint().height())));
      for (QFrame* b : cards)
        QVERIFY(a == b || !a->geometry().intersects(b->geometry()));
    }
    for (QLabel* l : page->widget()->findChildren<QLabel*>()) {
      if (!l->isVisible() || !l->wordWrap() || l->text().isEmpty()) continue;
      QVERIFY2(l->height() >= l->heightForWidth(l->width()) - 1, qPrintable(l->text()));
    }
    keep(w, qPrintable(QStringLiteral("training_%1x%2%3").arg(size.width()).arg(size.height()).arg(dark ? "_dark" : "")));
    page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum());
    keep(w, qPrintable(QStringLiteral("training_%1x%2%3_end").arg(size.width()).arg(size.height()).arg(dark ? "_dark" : "")));
    apply_appearance(Appearance::light);
    w.document().undoStack().setClean();
  }

  void without_a_model_the_page_says_what_to_do() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    w.document().apply({"No model", [](const Design& d) { return set_field(d, {"job", 0}, "model_part", FieldValue(std::string())); }});
    QVERIFY(settle(w));
    QVERIFY(!w.training()->axes()->isVisible());
    bool told = false;
    for (const QLabel* l : w.training()->findChildren<QLabel*>()) told = told || (l->isVisible() && l->text().startsWith(QStringLiteral("Choose a model")));
    QVERIFY(told);
    QVERIFY(!w.training()->waterfall()->accessibleDescription().isEmpty());
    QVERIFY(!w.findChild<QPushButton*>(QStringLiteral("layout_search"))->isEnabled());
    keep(w, "training_no_model");
    w.document().undoStack().setClean();
  }
};

QTEST_MAIN(TestTrainingJourney)
#include "test_training_journey.moc"
