// SPDX-License-Identifier: GPL-3.0-or-later
// Manners of the workspaces beside each other: what is in sight stays, keys go where they are typed, rows are inspected.
#include <QtTest>
#include <QtWidgets>

#include "app/studio/cooling_workspace.h"
#include "app/studio/cooling_year_page.h"
#include "app/studio/density_dialog.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/power_workspace.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/wrapped_text.h"
#include "window_bench.h"
#include "widgets/figure_table.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::test;

class TestWorkspaces : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  void open(StudioWindow& w, const char* project, int width, int height) {
    QVERIFY(show_window(w, width, height));
    QVERIFY(w.openPath(sample_copy(folder_, project)));
    QVERIFY(QTest::qWaitFor([&] { return w.document().evaluation() != nullptr; }, 60000));
    QTest::qWait(50);
  }
  static void chord(StudioWindow& w, int workspace) {
    QTest::keyClick(&w, static_cast<Qt::Key>(Qt::Key_0 + workspace), Qt::ControlModifier);
    QTest::qWait(20);
  }
  /// What is in sight, mm.
  static QRectF sight(const PlanView* plan) {
    return plan->viewportTransform().inverted().mapRect(QRectF(plan->viewport()->rect()));
  }
  static void wheel(PlanView* plan, int turns) {
    const QPointF at = QRectF(plan->viewport()->rect()).center();
    for (int i = 0; i < std::abs(turns); ++i) {
      QWheelEvent e(at, plan->viewport()->mapToGlobal(at), {}, {0, turns > 0 ? 120 : -120}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
      QApplication::sendEvent(plan->viewport(), &e);
    }
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
    QSettings().clear();
  }

  void the_plan_is_as_it_was_left_whatever_workspace_was_between() {
    for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)}) {
      StudioWindow w(catalog_);
      open(w, "nvl72-16-racks", size.width(), size.height());
      PlanView* plan = w.hall()->plan();
      wheel(plan, 6);
      // Panned with the middle button, too.
      const QPoint middle = plan->viewport()->rect().center();
      QTest::mousePress(plan->viewport(), Qt::MiddleButton, {}, middle);
      move_on_plan(plan, middle + QPoint(70, 40), Qt::MiddleButton);
      QTest::mouseRelease(plan->viewport(), Qt::MiddleButton, {}, middle + QPoint(70, 40));
      const double scale = plan->scalePercent();
      const QRectF before = sight(plan);
      for (int workspace = 2; workspace <= 9; ++workspace) {
        chord(w, workspace);
        QVERIFY(!plan->isVisible());
        chord(w, 1);
        QVERIFY(plan->isVisible());
        QVERIFY2(std::abs(plan->scalePercent() - scale) < 1e-6, qPrintable(QString::number(workspace)));
        const QRectF now = sight(plan);
        const double pixel = 1000.0 / scale; // of the plan, mm: 100 % is 10 mm a pixel
        QVERIFY2(std::abs(now.left() - before.left()) <= 1.01 * pixel && std::abs(now.top() - before.top()) <= 1.01 * pixel,
                 qPrintable(QStringLiteral("workspace %1: %2 %3, then %4 %5").arg(workspace).arg(before.left()).arg(before.top()).arg(now.left()).arg(now.top())));
      }
    }
  }

  void the_hall_that_is_shown_stays_shown_when_it_gets_another_name() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    QComboBox* list = nullptr;
    for (QComboBox* c : w.hall()->findChildren<QComboBox*>())
      if (c->accessibleName() == QStringLiteral("Hall shown")) list = c;
    QVERIFY(list);
    const Id second = (*w.document().design().halls)[1].id;
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(w.hall()->plan()->hall(), second);
    w.document().apply({"Rename", [second](const Design& d) { return set_field(d, {"halls", second}, "name", FieldValue(std::string("Room E"))); }});
    QTest::qWait(20);
    QCOMPARE(w.hall()->plan()->hall(), second);
    QCOMPARE(list->currentText(), QStringLiteral("Room E"));
  }

  void letters_go_to_a_list_or_field_and_choose_tools_on_the_plan_only() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    PlanView* plan = w.hall()->plan();
    // Coming to the plan gives it the keys.
    chord(w, 3);
    chord(w, 1);
    QVERIFY(plan->hasFocus());
    QTest::keyClick(plan, Qt::Key_W);
    QCOMPARE(plan->tool(), PlanTool::row);
    // Every list of the bar, closed with the focus and open.
    int tried = 0;
    for (QComboBox* c : w.hall()->findChildren<QComboBox*>()) {
      if (!c->isVisible() || c->count() < 2) continue;
      ++tried;
      plan->setTool(PlanTool::row);
      c->setFocus(Qt::TabFocusReason);
      for (const Qt::Key k : {Qt::Key_H, Qt::Key_L, Qt::Key_V, Qt::Key_O}) {
        QTest::keyClick(c, k);
        QCOMPARE(plan->tool(), PlanTool::row);
      }
      c->showPopup();
      for (const Qt::Key k : {Qt::Key_H, Qt::Key_L, Qt::Key_V, Qt::Key_O}) {
        QTest::keyClick(c->view(), k);
        QCOMPARE(plan->tool(), PlanTool::row);
      }
      c->hidePopup();
    }
    QVERIFY(tried >= 2);
    for (QWidget* field : w.hall()->findChildren<QSpinBox*>()) {
      if (!field->isVisible()) continue;
      field->setFocus(Qt::TabFocusReason);
      QTest::keyClick(field, Qt::Key_H);
      QCOMPARE(plan->tool(), PlanTool::row);
    }
    // A list chosen from with the mouse leaves the keys to the plan.
    plan->setFocus();
    auto* overlay = w.hall()->findChild<QComboBox*>(QStringLiteral("overlay"));
    QTest::mouseClick(overlay, Qt::LeftButton, {}, overlay->rect().center());
    QTest::keyClick(overlay->view(), Qt::Key_Down);
    QTest::keyClick(overlay->view(), Qt::Key_Return);
    QVERIFY(plan->hasFocus());
    QTest::keyClick(plan, Qt::Key_V);
    QCOMPARE(plan->tool(), PlanTool::select);
    // In another workspace letters choose no tool of the plan.
    chord(w, 3);
    for (QComboBox* c : w.findChildren<QComboBox*>()) {
      if (!c->isVisible() || c->count() < 2) continue;
      c->setFocus(Qt::TabFocusReason);
      QTest::keyClick(c, Qt::Key_W);
      QCOMPARE(plan->tool(), PlanTool::select);
    }
  }

  void a_row_is_inspected_with_its_racks() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    auto* inspector = w.findChild<InspectorPanel*>();
    FieldForm* form = inspector->rowForm();
    QVERIFY(!form->isVisible());
    // One click on the row in the outline.
    auto* tree = w.findChild<QTreeWidget*>(QStringLiteral("outline_tree"));
    const auto found = tree->findItems(QStringLiteral("Row R02 (12)"), Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(found.size(), 1);
    tree->scrollToItem(found.front());
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(found.front()).center());
    QCOMPARE(w.document().selection().size(), 12u);
    QVERIFY(form->isVisible());
    QVERIFY(form->mapTo(inspector, QPoint()).y() < inspector->form()->mapTo(inspector, QPoint()).y()); // the row is meant
    const Id row = form->entities().front().id;
    QCOMPARE(QString::fromStdString(hallwright::find(*w.document().design().rows, row)->name), QStringLiteral("R02"));
    auto* cap = qobject_cast<QuantityEdit*>(form->editor(QStringLiteral("power_cap")));
    QVERIFY(cap);
    cap->setFocus();
    QTest::keyClicks(cap, QStringLiteral("0.8 MW"));
    QTest::keyClick(cap, Qt::Key_Return);
    QTest::qWait(20);
    QCOMPARE(in_watts(*hallwright::find(*w.document().design().rows, row)->power_cap), 800000.0);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!hallwright::find(*w.document().design().rows, row)->power_cap);
    // One rack of it: its own fields first, then those of its row.
    const Rack* rack = nullptr;
    for (const Rack& r : *w.document().design().racks)
      if (r.row == row) rack = &r;
    w.document().select({{"racks", rack->id}});
    QTest::qWait(20);
    QCOMPARE(form->entities().size(), 1u);
    QVERIFY(form->mapTo(inspector, QPoint()).y() > inspector->form()->mapTo(inspector, QPoint()).y());
    // Something else: no row.
    w.document().select({{"power_units", w.document().design().power_units->front().id}});
    QVERIFY(!form->isVisible());
    QVERIFY(form->entities().empty());
  }

  void the_density_of_a_row_is_asked_from_the_plan_and_fits_800_pixels() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    // The row of the selected rack is the one that is asked about; the menu of the right button opens it.
    const Rack* rack = nullptr;
    const auto& rows = *w.document().design().rows;
    for (const Rack& r : *w.document().design().racks)
      if (r.row == rows.back().id) rack = &r;
    PlanView* plan = w.hall()->plan();
    w.document().select({{"racks", rack->id}});
    bool offered = false;
    QTimer::singleShot(200, &w, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      for (QAction* a : menu->actions())
        if (a == w.power()->densityCommand()) {
          offered = true;
          menu->setActiveAction(a);
          QTest::keyClick(menu, Qt::Key_Return);
          return;
        }
      menu->close();
    });
    Q_EMIT plan->contextMenuRequested(plan->mapToGlobal(plan->rect().center()));
    QVERIFY(offered);
    DensityDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = w.findChild<DensityDialog*>()) != nullptr);
    QCOMPARE(dialog->findChild<QComboBox*>("density_row")->currentText(), QString::fromStdString(rows.back().name));
    dialog->resize(800, 600);
    auto* power = dialog->findChild<QLineEdit*>("density_power");
    auto* steps = dialog->findChild<QTableWidget*>("density_steps");
    QTest::keyClicks(power, "250");
    QTest::keyClick(power, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->busy() && steps->rowCount() > 0, 30000);
    QTest::qWait(50);
    QVERIFY(steps->horizontalHeader()->length() <= steps->viewport()->width());
    QVERIFY(!steps->horizontalScrollBar()->isVisible());
    // Each cell has the lines that its words need.
    for (int r = 0; r < steps->rowCount(); ++r)
      for (int c = 0; c < steps->columnCount(); ++c) {
        const QString words = steps->item(r, c)->text();
        const QRect need = steps->fontMetrics().boundingRect(QRect(0, 0, steps->columnWidth(c) - 6, 10000), Qt::TextWordWrap, words);
        QVERIFY2(need.height() <= steps->rowHeight(r) + 2, qPrintable(words));
      }
    // Without a row there is nothing to ask about.
    QTest::keyClick(dialog, Qt::Key_Escape);
    w.document().select({{"power_units", w.document().design().power_units->front().id}});
    bool absent = false;
    QTimer::singleShot(200, &w, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      absent = !menu->actions().contains(w.power()->densityCommand());
      menu->close();
    });
    Q_EMIT plan->contextMenuRequested(plan->mapToGlobal(plan->rect().center()));
    QVERIFY(absent);
  }

  void a_refused_weather_file_is_told_in_a_dialog_with_its_row_and_reason() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    const auto bins = w.document().design().climate_bins;
    const QString path = folder_.filePath(QStringLiteral("wrong.csv"));
    QFile f(path);
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write("dry bulb [degC],wet bulb [degC]\n12,5\n12,13\n");
    f.close();
    w.cooling()->year()->importWeather(path);
    auto* box = w.findChild<QMessageBox*>(QStringLiteral("weather_refused"));
    QVERIFY(box && box->isVisible());
    for (const char* part : {"wrong.csv", "line 3", "13", "wet bulb"})
      QVERIFY2(box->text().contains(QLatin1String(part)), qPrintable(box->text()));
    QVERIFY2(!box->text().contains(QStringLiteral("degC")), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!w.findChild<QMessageBox*>(QStringLiteral("weather_refused")));
    QCOMPARE(w.document().design().climate_bins, bins);
    // One that is not there, too.
    w.cooling()->year()->importWeather(folder_.filePath(QStringLiteral("none.csv")));
    box = w.findChild<QMessageBox*>(QStringLiteral("weather_refused"));
    QVERIFY(box && box->text().contains(QStringLiteral("none.csv")));
    QTest::keyClick(box, Qt::Key_Escape);
  }

  void busways_are_told_apart_at_1366() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    chord(w, 2);
    auto* pages = w.findChild<QTabWidget*>(QStringLiteral("power_pages"));
    pages->setCurrentIndex(PowerWorkspace::busway_page);
    auto* busways = w.findChild<QTableWidget*>(QStringLiteral("power_busways"));
    QTRY_VERIFY(busways->rowCount() > 1);
    QTest::qWait(50);
    QSet<QString> shown;
    const QFontMetrics m(busways->font());
    for (int r = 0; r < busways->rowCount(); ++r) {
      shown << m.elidedText(busways->item(r, 0)->text(), busways->textElideMode(), busways->columnWidth(0) - 8);
      QCOMPARE(busways->item(r, 0)->toolTip(), busways->item(r, 0)->text());
    }
    QCOMPARE(shown.size(), busways->rowCount());
    // The sweep shows rows, and its filter stands beside the title.
    pages->setCurrentIndex(0);
    QTest::qWait(50);
    auto* sweep = w.findChild<FigureTable*>(QStringLiteral("power_sweep"));
    QVERIFY(sweep->view()->viewport()->height() >= sweep->view()->rowHeight(0));
    QCOMPARE(sweep->view()->textElideMode(), Qt::ElideMiddle);
  }

  void a_name_that_is_cut_keeps_its_end() {
    const QFontMetricsF m(QApplication::font());
    const double room = m.horizontalAdvance(QStringLiteral("Busway A, R01"));
    QSet<QString> shown;
    for (const char* name : {"Busway A, R01 left", "Busway A, R01 right", "Busway A, R02 left", "Busway A, R02 right"}) {
      const QString cut = elided_name(QLatin1String(name), m, room);
      QVERIFY2(m.horizontalAdvance(cut) <= room, qPrintable(cut));
      QVERIFY2(cut.startsWith(QStringLiteral("Bu")) && cut.endsWith(QLatin1String(name).right(5).toString().trimmed()), qPrintable(cut));
      shown << cut;
    }
    QCOMPARE(shown.size(), 4);
    QCOMPARE(elided_name(QStringLiteral("UPS 1"), m, room), QStringLiteral("UPS 1"));
  }

  void bars_of_few_racks_fill_their_chart() {
    for (const int racks : {1, 3, 8, 40}) {
      loops::RackFlowBars bars;
      bars.resize(900, 260);
      std::vector<loops::RackBar> list;
      for (int i = 0; i < racks; ++i) {
        loops::RackBar r;
        r.name = QStringLiteral("R%1").arg(i), r.flow_m3_per_s = 0.002, r.need_m3_per_s = 0.002, r.flowing = true;
        list.push_back(r);
      }
      bars.setRacks(list);
      // The axis begins right of the words at the left and ends 12 px before the edge: bars lie evenly over it.
      const QRectF first = bars.barRect(0), last = bars.barRect(racks - 1);
      const double middle = (first.left() + last.right()) / 2;
      QVERIFY2(std::abs(middle - (900 - 12 + first.left() - (900 - 12 - last.right())) / 2) < 1.0, qPrintable(QString::number(racks)));
      if (racks > 1) QVERIFY(last.right() > 900 - 12 - 900.0 / racks);
      QVERIFY(first.width() <= 90.5);
    }
  }

  void the_field_of_a_note_closes_by_escape_or_a_press_anywhere_else() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1366, 768);
    PlanView* plan = w.hall()->plan();
    const auto field = [&]() -> QLineEdit* {
      for (auto* f : plan->viewport()->findChildren<QLineEdit*>(QStringLiteral("note_field")))
        if (f->isVisible()) return f;
      return nullptr;
    };
    const auto write = [&](int at) {
      plan->setFocus();
      QTest::keyClick(plan, Qt::Key_N);
      click_on_plan(plan, plan_point(plan, 2000 + at * 900, 9800));
      return field();
    };
    // Escape while something else has the keys.
    QVERIFY(write(0));
    w.findChild<QLineEdit*>(QStringLiteral("parts_search"))->setFocus(Qt::PopupFocusReason);
    if (QLineEdit* f = field()) {
      QTest::keyClick(w.findChild<QLineEdit*>(QStringLiteral("parts_search")), Qt::Key_Escape);
      QVERIFY(!f->isVisible());
    }
    QVERIFY(!field());
    // A press on something that takes no focus keeps what is written.
    QLineEdit* f = write(1);
    QVERIFY(f);
    QTest::keyClicks(f, QStringLiteral("crane here"));
    QTest::mouseClick(w.statusBar(), Qt::LeftButton);
    QVERIFY(!field());
    QVERIFY(std::any_of(w.document().design().notes->begin(), w.document().design().notes->end(),
                        [](const Note& n) { return n.text == "crane here"; }));
    // Escape in it leaves the note as it was.
    f = write(2);
    QVERIFY(f);
    const std::size_t notes = w.document().design().notes->size();
    const std::string before = w.document().design().notes->back().text;
    QTest::keyClicks(f, QStringLiteral("not this"));
    QTest::keyClick(f, Qt::Key_Escape);
    QVERIFY(!field());
    QCOMPARE(w.document().design().notes->size(), notes);
    QCOMPARE(w.document().design().notes->back().text, before);
  }
};

QTEST_MAIN(TestWorkspaces)
#include "test_workspaces.moc"
