// SPDX-License-Identifier: GPL-3.0-or-later
// Manners of the workspaces beside each other: what is in sight stays, keys go where they are typed, rows are inspected.
#include <QtTest>
#include <QtWidgets>

#include "app/studio/hall_workspace.h"
#include "window_bench.h"
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
};

QTEST_MAIN(TestWorkspaces)
#include "test_workspaces.moc"
