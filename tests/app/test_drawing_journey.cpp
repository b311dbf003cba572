// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

#include "begin_new_design.h"
#include "window_bench.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/studio_window.h"
#include "project/project_file.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_model.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::test;

/// A planner's day at the plan, from nothing, with real mouse and keys: draw a hall, fill it with rows, dimension an
/// aisle, break its clearance and mend it.
class TestDrawingJourney : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  static void settle(StudioWindow& w) {
    QTest::qWait(30);
    for (int i = 0; i < 200; ++i) {
      const auto& e = w.document().evaluation();
      if (e && e->design.racks == w.document().shown().racks && e->design.halls == w.document().shown().halls) return;
      QTest::qWait(20);
    }
  }
  static double aisle_length(StudioWindow& w) {
    plan::PlanModel model;
    model.update(w.document().shown(), w.document().evaluation()->catalog, 0);
    return model.dimension(model.objects(PlanLayer::dimensions).front()).length;
  }
  static int findings(StudioWindow& w, const QString& words) {
    int n = 0;
    QTableWidget* table = w.checks()->table();
    for (int r = 0; r < table->rowCount(); ++r)
      for (int c = 0; c < table->columnCount(); ++c)
        if (table->item(r, c) && table->item(r, c)->text().contains(words, Qt::CaseInsensitive)) {
          ++n;
          break;
        }
    return n;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  /// Every kind of change by key, then all of it back and forth: the text form has the same bytes.
  void undo_and_redo_restore_every_byte() {
    StudioWindow w(catalog_);
    w.resize(1400, 900);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QTemporaryDir folder;
    QVERIFY(w.openPath(sample_copy(folder, "nvl72-16-racks")));
    settle(w);
    PlanView* plan = w.hall()->plan();
    const std::string before = design_text(w.document().design());
    const auto racks = [&](std::size_t first, std::size_t count) {
      std::vector<EntityRef> out;
      const auto& all = *w.document().design().racks;
      for (std::size_t i = first; i < std::min(all.size(), first + count); ++i) out.push_back({"racks", all[i].id});
      return out;
    };
    const auto key = [&](Qt::Key k, Qt::KeyboardModifiers m = {}) {
      plan->setFocus();
      QTest::keyClick(plan, k, m);
    };
    w.document().select(racks(0, 3));
    key(Qt::Key_Right);
    key(Qt::Key_Down, Qt::ShiftModifier);
    key(Qt::Key_Left, Qt::AltModifier);
    key(Qt::Key_R);
    w.document().select(racks(4, 2));
    QTest::keyClick(&w, Qt::Key_G, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_D, Qt::ControlModifier);
    w.document().select({{"trays", w.document().design().trays->front().id}, {"pipes", w.document().design().pipes->front().id}});
    key(Qt::Key_Up);
    key(Qt::Key_R);
    w.document().select(racks(0, 1));
    QTest::keyClick(&w, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_V, Qt::ControlModifier);
    w.document().select({{"containments", w.document().design().containments->front().id}});
    key(Qt::Key_Right, Qt::ShiftModifier);
    const int steps = w.document().undoStack().count();
    QVERIFY2(steps >= 8, qPrintable(QString::number(steps)));
    const std::string after = design_text(w.document().design());
    QVERIFY(after != before);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < steps; ++i) QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
      QCOMPARE(w.document().undoStack().index(), 0);
      QVERIFY(design_text(w.document().design()) == before);
      for (int i = 0; i < steps; ++i) QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
      QCOMPARE(w.document().undoStack().index(), steps);
      QVERIFY(design_text(w.document().design()) == after);
    }
    w.document().undoStack().setIndex(0);
    QVERIFY(w.document().undoStack().isClean());
  }

  void a_hall_from_nothing_is_filled_dimensioned_broken_and_mended() {
    StudioWindow w(catalog_);
    w.resize(1600, 1000);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    settle(w);
    PlanView* plan = w.hall()->plan();
    plan->setFocus();

    // H: corners by typed lengths. Letters of units are not taken for tools (M is the measure).
    QTest::keyClick(plan, Qt::Key_H);
    QCOMPARE(plan->tool(), PlanTool::hall_outline);
    const QPoint start = plan->viewportTransform().map(QPointF(0, 0)).toPoint();
    const QPoint begin =
        plan->viewport()->rect().contains(start) && start.x() > 40 && start.y() > 40 ? start : QPoint(120, 120);
    click_on_plan(plan, begin);
    const auto side = [&](const char* length, const char* angle) {
      move_on_plan(plan, begin + QPoint(60, 40));
      QTest::keyClicks(plan, QLatin1String(length));
      QTest::keyClick(plan, Qt::Key_Tab);
      QTest::keyClicks(plan, QLatin1String(angle));
      QTest::keyClick(plan, Qt::Key_Return);
    };
    side("18 m", "0");
    QCOMPARE(plan->tool(), PlanTool::hall_outline);
    side("12 m", "270");
    side("18 m", "180");
    QTest::keyClick(plan, Qt::Key_Return);
    settle(w);
    QCOMPARE(w.document().design().halls->size(), 1u);
    const auto outline = w.document().design().halls->front().outline;
    QCOMPARE(outline.size(), 4u);
    QCOMPARE(outline[1].x_mm - outline[0].x_mm, 18000.0);
    QCOMPARE(outline[2].y_mm - outline[1].y_mm, 12000.0);
    const QPointF o(outline[0].x_mm, outline[0].y_mm);

    // A rack type from Parts.
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

    // W: two rows of ten, numbered from 5, with a hot aisle of 1.2 m between them.
    plan->setFocus();
    plan->zoomToFit();
    QTest::keyClick(plan, Qt::Key_W);
    auto* rows = w.findChild<QSpinBox*>(QStringLiteral("row_count"));
    auto* number = w.findChild<QSpinBox*>(QStringLiteral("row_first_number"));
    QVERIFY(rows && number && rows->isVisible());
    rows->setValue(2);
    number->setValue(5); // it waits behind the button of the bar, see test_plan_room
    const QPoint first = plan_point(plan, o.x() + 3000, o.y() + 3000), last = plan_point(plan, o.x() + 9000, o.y() + 3000);
    move_on_plan(plan, first);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, first);
    for (int i = 1; i <= 8; ++i)
      move_on_plan(plan, first + (last - first) * i / 8, Qt::LeftButton);
    settle(w);
    QTest::qWait(60);
    move_on_plan(plan, last, Qt::LeftButton);
    settle(w);
    // The live words count and weigh: 20 racks of four DGX H100.
    bool told = false;
    for (const QLabel* l : w.hall()->findChildren<QLabel*>())
      told = told || (l->text().contains(QStringLiteral("20 racks")) && l->text().contains(QStringLiteral("kW")));
    QVERIFY2(told, qPrintable(w.findChild<QLabel*>(QStringLiteral("plan_hint"))->text()));
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, last);
    settle(w);
    QCOMPARE(w.document().design().racks->size(), 20u);
    QCOMPARE(w.document().design().racks->front().name, std::string("R01-05"));
    const double rack_depth =
        in_millimeters(rack_footprint(*catalog_, w.document().design().rack_types->front()).depth);

    // Shift+M: a dimension across the aisle, fixed to the two racks.
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(plan->tool(), PlanTool::dimension);
    plan->zoomTo({{"racks", (*w.document().design().racks)[8].id}, {"racks", (*w.document().design().racks)[19].id}});
    const Rack upper = (*w.document().design().racks)[9], lower = (*w.document().design().racks)[19];
    const double right = in_millimeters(upper.x) + 600, top = in_millimeters(upper.y) + rack_depth,
                 bottom = in_millimeters(lower.y);
    QCOMPARE(bottom - top, 1200.0);
    click_on_plan(plan, plan_point(plan, right, top));
    click_on_plan(plan, plan_point(plan, right, bottom));
    click_on_plan(plan, plan_point(plan, right + 900, (top + bottom) / 2));
    settle(w);
    QCOMPARE(w.document().design().dimensions->size(), 1u);
    QCOMPARE(w.document().design().dimensions->front().start, upper.id);
    QCOMPARE(w.document().design().dimensions->front().end, lower.id);
    QCOMPARE(aisle_length(w), 1200.0);

    // The inspector moves the lower row up by a typed difference: 1200 - 350 = 850 mm is too narrow for the hot aisle.
    QTest::keyClick(plan, Qt::Key_Escape);
    QTest::keyClick(plan, Qt::Key_Escape);
    std::vector<EntityRef> row;
    for (const Rack& r : *w.document().design().racks)
      if (r.row == lower.row) row.push_back({"racks", r.id});
    w.document().select(row);
    const int before = findings(w, QStringLiteral("aisle"));
    auto* y = w.inspector()->form()->findChild<QuantityEdit*>(QStringLiteral("field_y"));
    QVERIFY(y);
    y->setFocus();
    y->selectAll();
    QTest::keyClicks(y, QStringLiteral("-=350 mm"));
    QTest::keyClick(y, Qt::Key_Return);
    settle(w);
    QTest::qWait(50);
    QCOMPARE(aisle_length(w), 850.0);
    QVERIFY2(findings(w, QStringLiteral("aisle")) > before, "an aisle of 850 mm is told");

    // Undo mends it.
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    settle(w);
    QTest::qWait(50);
    QCOMPARE(aisle_length(w), 1200.0);
    QCOMPARE(findings(w, QStringLiteral("aisle")), before);
  }

  void several_values_are_changed_each_by_its_own() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    Design d;
    Hall hall;
    hall.name = "Hall A";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
    d = add_entity(d, &Design::halls, hall).design;
    for (double x : {1000.0, 4000.0}) {
      Structure s;
      s.name = "Column", s.hall = d.halls->front().id, s.x = millimeters(x), s.y = millimeters(2000);
      d = add_entity(d, &Design::structures, s).design;
    }
    w.document().reset(d);
    w.document().select({{"structures", (*d.structures)[0].id}, {"structures", (*d.structures)[1].id}});
    settle(w);
    auto* x = w.inspector()->form()->findChild<QuantityEdit*>(QStringLiteral("field_x"));
    QVERIFY(x);
    x->setFocus();
    QTest::keyClicks(x, QStringLiteral("+=24 in"));
    QTest::keyClick(x, Qt::Key_Return);
    // 24 in are 609.6 mm.
    QCOMPARE(in_millimeters((*w.document().design().structures)[0].x), 1609.6);
    QCOMPARE(in_millimeters((*w.document().design().structures)[1].x), 4609.6);
  }
};

QTEST_MAIN(TestDrawingJourney)
#include "test_drawing_journey.moc"
