// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSplitter>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "begin_new_design.h"
#include "window_bench.h"
#include "app/studio/exports.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/studio_window.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::test;

/// A journey per kind of user through the real window, with real mouse and key events.
class TestJourneys : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static double figure(StudioWindow& w, const char* id) {
    const auto& e = w.document().evaluation();
    const Figure* f = e ? e->figures.find(id) : nullptr;
    return f && f->has_value() ? f->value : std::nan("");
  }

  static void settle(StudioWindow& w) {
    QSignalSpy spy(&w.document(), &Document::evaluated);
    QTest::qWait(30);
    for (int i = 0; i < 100; ++i) {
      const auto& e = w.document().evaluation();
      if (e && e->design.racks == w.document().shown().racks && e->design.job == w.document().shown().job && e->design.site == w.document().shown().site &&
          e->design.networks == w.document().shown().networks && e->design.halls == w.document().shown().halls)
        return;
      QTest::qWait(20);
    }
  }

  static void drag(PlanView* plan, QPointF from_mm, QPointF to_mm, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    const QPoint a = plan->mapFromScene(from_mm), b = plan->mapFromScene(to_mm);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, keys, a);
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(plan->viewport(), a + (b - a) * i / 10, 8);
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, keys, b);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_planner_draws_a_hall_and_rows_of_racks() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    settle(w);
    PlanView* plan = w.hall()->plan();
    QVERIFY(plan->isVisible());

    // H, then a rectangle by dragging: a hall.
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_H);
    QCOMPARE(plan->tool(), PlanTool::hall_outline);
    const QPointF corner = plan->mapToScene(QPoint(80, 80));
    drag(plan, corner, corner + QPointF(24000, 12000));
    settle(w);
    QCOMPARE(w.document().design().halls->size(), std::size_t{1});
    QVERIFY(figure(w, "space.hall_area") > 100.0);

    // A rack type from Parts, by the keyboard.
    QTreeWidget* parts = w.parts()->tree();
    QTreeWidgetItem* make = nullptr;
    for (QTreeWidgetItemIterator it(parts); *it; ++it)
      if ((*it)->text(0).startsWith(QStringLiteral("New rack type"))) make = *it;
    QVERIFY(make);
    parts->setCurrentItem(make);
    parts->setFocus();
    QTest::keyClick(parts, Qt::Key_Return);
    auto* ask = w.findChild<QDialog*>(QStringLiteral("rack_type_dialog"));
    QVERIFY(ask);
    QTest::keyClick(ask->focusWidget() ? ask->focusWidget() : ask, Qt::Key_Return);
    w.activateWindow(); // as a window manager does
    QVERIFY(QTest::qWaitForWindowActive(&w));
    settle(w);
    QVERIFY(w.document().design().rack_items->empty()); // it starts empty
    RackItem nodes;
    nodes.rack_type = w.document().design().rack_types->front().id, nodes.part = "dgx-h100", nodes.count = 4;
    w.document().apply(
        {"Fill", [nodes](const Design& d) -> Edited { return add_entity(d, &Design::rack_items, nodes).design; }});
    settle(w);
    QCOMPARE(w.document().design().rack_types->size(), std::size_t{1});

    // W: a row of racks by dragging; the headlines move while dragging, one undo step at the end.
    w.hall()->setTool(PlanTool::row);
    const double before_it = figure(w, "power.it");
    const int steps = w.document().undoStack().count();
    plan->zoomToFit();
    const QRectF hall = PlanView::planExtent(w.document().design(), catalog_, 0);
    const QPointF from = hall.topLeft() + QPointF(3000, 3000);
    const QPoint a = plan->mapFromScene(from), b = plan->mapFromScene(from + QPointF(9600, 0));
    QTest::mousePress(plan->viewport(), Qt::LeftButton, Qt::NoModifier, a);
    for (int i = 1; i <= 12; ++i) QTest::mouseMove(plan->viewport(), a + (b - a) * i / 12, 10);
    settle(w);
    QVERIFY(w.document().previewing());
    QVERIFY2(figure(w, "power.it") > 0.0, "the headline follows the drag");
    QCOMPARE(w.document().undoStack().count(), steps);
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, Qt::NoModifier, b);
    settle(w);
    QCOMPARE(w.document().undoStack().count(), steps + 1);
    const auto racks = w.document().design().racks->size();
    QVERIFY2(racks >= 14 && racks <= 18, qPrintable(QString::number(racks)));
    // Four DGX H100 of 10.2 kW nameplate in each rack, and optics none: at least 40.8 kW a rack.
    QVERIFY(figure(w, "load.nodes") >= static_cast<double>(racks) * 40.8e3 - 1.0);
    Q_UNUSED(before_it);

    // Select all, move by an arrow key, undo brings it back.
    w.hall()->setTool(PlanTool::select);
    QTest::keyClick(plan, Qt::Key_A, Qt::ControlModifier);
    const double x = in_millimeters(w.document().design().racks->front().x);
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_Right);
    settle(w);
    QVERIFY(in_millimeters(w.document().design().racks->front().x) > x);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    settle(w);
    QCOMPARE(in_millimeters(w.document().design().racks->front().x), x);

    // Everything back to the beginning, and forth again.
    while (w.document().undoStack().canUndo()) w.document().undoStack().undo();
    QCOMPARE(w.document().design().halls->size(), std::size_t{0});
    while (w.document().undoStack().canRedo()) w.document().undoStack().redo();
    QCOMPARE(w.document().design().racks->size(), racks);
    w.document().undoStack().setClean();
  }

  void an_architect_opens_a_number_down_to_its_sources_and_changes_an_input_there() {
    const QString path = sample_copy(folder_, "superpod-h100-4su");
    QVERIFY(!path.isEmpty());
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(path));
    settle(w);
    QVERIFY(figure(w, "population.gpus") == 1016.0);

    // Ctrl+4: the fabric; the strip's cable tile opens Explain.
    w.showWorkspace(3);
    QTest::mouseClick(w.headlines()->tile(4), Qt::LeftButton, Qt::NoModifier, QPoint(20, 20));
    QCOMPARE(w.explain()->figure(), QStringLiteral("cabling.cables"));
    QVERIFY(w.explain()->tree()->topLevelItemCount() == 1);
    QVERIFY(w.explain()->tree()->topLevelItem(0)->childCount() > 0);
    // Down to leaves: only design fields and catalog fields with sources.
    const auto& e = w.document().evaluation();
    for (const Derivation& d : derivation(e->figures, *e->figures.find("fabric.cables")))
      if (d.figure->inputs.empty()) QVERIFY2(!d.figure->source.empty(), d.figure->id.c_str());

    // An input of the design is edited where it stands.
    QTest::mouseClick(w.headlines()->tile(7), Qt::LeftButton, Qt::NoModifier, QPoint(20, 20));
    const double days = figure(w, "reliability.wall_time");
    w.explain()->showFigure(QStringLiteral("training.tokens"));
    QTreeWidget* tree = w.explain()->tree();
    QTreeWidgetItem* input = nullptr;
    for (QTreeWidgetItemIterator it(tree); *it; ++it)
      if ((*it)->flags() & Qt::ItemIsEditable) input = *it;
    QVERIFY(input);
    tree->editItem(input, 0);
    auto* editor = tree->findChild<QuantityEdit*>(QStringLiteral("explain_editor"));
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("30e12"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle(w);
    QTest::qWait(100);
    QCOMPARE(w.document().design().job->tokens, 30e12);
    QVERIFY(figure(w, "reliability.wall_time") > days);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    settle(w);
    QCOMPARE(figure(w, "reliability.wall_time"), days);
    w.document().undoStack().setClean();
  }

  void a_manager_drags_a_slider_and_prints_a_page() {
    const QString path = sample_copy(folder_, "llama3-405b-16k");
    QVERIFY(!path.isEmpty());
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(path));
    settle(w);
    const double days = figure(w, "reliability.wall_time");
    QVERIFY(days > 0);
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(tabs->count() - 1).center());
    auto* slider = w.findChild<QSlider*>(QStringLiteral("what_if_0"));
    QVERIFY(slider && slider->isVisible());
    slider->setFocus();
    for (int i = 0; i < 20; ++i) QTest::keyClick(slider, Qt::Key_Left); // fewer tokens
    settle(w);
    QVERIFY(w.document().previewing());
    QVERIFY2(figure(w, "reliability.wall_time") < days, "the headline follows the slider");
    QCOMPARE(w.document().undoStack().count(), 0);
    auto* apply = w.findChild<QPushButton*>(QStringLiteral("what_if_apply"));
    QTest::mouseClick(apply, Qt::LeftButton);
    settle(w);
    QCOMPARE(w.document().undoStack().count(), 1);
    QVERIFY(!w.document().previewing());

    const QString pdf = folder_.filePath(QStringLiteral("summary.pdf"));
    QCOMPARE(write_report_pdf(pdf, w.document().evaluation()), QString());
    QFile file(pdf);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("%PDF"));
    QVERIFY(QFileInfo(pdf).size() > 10000);

    // Saved as a project file, opened again: the same figures.
    const QString saved = folder_.filePath(QStringLiteral("kept.hall"));
    const double after = figure(w, "reliability.wall_time");
    QVERIFY(w.saveTo(saved));
    QVERIFY(w.openPath(saved));
    settle(w);
    QCOMPARE(figure(w, "reliability.wall_time"), after);
    w.document().undoStack().setClean();
  }

  void bad_input_is_refused_where_it_is_typed() {
    const QString path = sample_copy(folder_, "superpod-h100-4su");
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(path));
    settle(w);
    const Id rack = w.document().design().racks->front().id;
    w.document().select({{"racks", rack}});
    auto* edit = qobject_cast<QuantityEdit*>(w.inspector()->form()->editor(QStringLiteral("x")));
    QVERIFY(edit);
    const int steps = w.document().undoStack().count();
    for (const char* bad : {"12 kW", "1,234.5", "abc", "1e99 m"}) {
      edit->setFocus();
      edit->selectAll();
      QTest::keyClicks(edit, QLatin1String(bad));
      QTest::keyClick(edit, Qt::Key_Return);
      QVERIFY2(!edit->problem().isEmpty(), bad);
      QTest::keyClick(edit, Qt::Key_Escape);
      QVERIFY(edit->problem().isEmpty());
    }
    QCOMPARE(w.document().undoStack().count(), steps);
    edit->setFocus();
    edit->selectAll();
    const double x = in_millimeters(w.document().design().racks->front().x);
    QTest::keyClicks(edit, QStringLiteral("+=600 mm"));
    QTest::keyClick(edit, Qt::Key_Return);
    settle(w);
    QCOMPARE(in_millimeters(w.document().design().racks->front().x), x + 600.0);
    w.document().undoStack().setClean();
  }

  void every_workspace_shows_something() {
    const QString path = sample_copy(folder_, "superpod-h100-4su");
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(path));
    settle(w);
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    QCOMPARE(tabs->count(), 9);
    for (int i = 0; i < tabs->count(); ++i) {
      QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(i).center());
      QTest::qWait(30);
      QCOMPARE(tabs->currentIndex(), i);
      // Every editor that can be focused has a name for screen readers.
      for (QLineEdit* edit : w.findChildren<QLineEdit*>())
        if (edit->isVisible() && edit->focusPolicy() != Qt::NoFocus && !edit->parent()->inherits("QAbstractSpinBox") && !edit->parent()->inherits("QComboBox"))
          QVERIFY2(!edit->accessibleName().isEmpty(), qPrintable(edit->objectName()));
    }
    w.document().undoStack().setClean();
  }
};

QTEST_MAIN(TestJourneys)
#include "test_journeys.moc"
