// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include "app/studio/cooling_workspace.h"
#include "app/studio/failure_bar.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/plan_selection.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// Rows of the shipped designs fed and piped with the mouse; what fails elsewhere is seen on the plan.
class TestRowGestures : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000);
  }
  bool opened(StudioWindow& w, const char* sample) {
    if (!show_window(w, 1600, 1000) || !w.openPath(sample_copy(folder_, sample)) || !settle(w)) return false;
    QTest::qWait(50);
    w.hall()->plan()->zoomToFit();
    return true;
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("ROW_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(300);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }
  static const Rack& rack(const Design& d, const char* name) {
    return *std::find_if(d.racks->begin(), d.racks->end(), [&](const Rack& r) { return r.name == name; });
  }
  static QPoint middle_of(StudioWindow& w, const Rack& r) {
    PlanView* plan = w.hall()->plan();
    return plan_point(plan, in_millimeters(r.x) + 300, in_millimeters(r.y) + 534);
  }
  static QAction* action(StudioWindow& w, const QString& text) {
    for (QAction* a : w.findChildren<QAction*>())
      if (QString(a->text()).remove(QLatin1Char('&')) == text) return a;
    return nullptr;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_row_gets_a_busway() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_B, Qt::ShiftModifier);
    QCOMPARE(plan->tool(), PlanTool::feed_row);
    auto* side = w.findChild<QComboBox*>(QStringLiteral("feed_side"));
    QVERIFY(side && side->isVisible());
    const Design before = w.document().design();
    const int steps = w.document().undoStack().count();
    const QPoint from = middle_of(w, rack(before, "R01-01")), to = middle_of(w, rack(before, "R01-04"));
    move_on_plan(plan, from);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 6; ++i) move_on_plan(plan, from + (to - from) * i / 6, Qt::LeftButton);
    // The preview is in every figure: the busway carries the four racks.
    QTRY_VERIFY(w.document().previewing() && w.document().evaluationIsOfShown());
    move_on_plan(plan, to, Qt::LeftButton);
    keep(w, "feeding");
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, to);
    QVERIFY(settle(w));
    const Design& d = w.document().design();
    QCOMPARE(w.document().undoStack().count(), steps + 1);
    QCOMPARE(d.power_units->size(), before.power_units->size() + 1);
    const PowerUnit& u = d.power_units->back();
    QCOMPARE(u.part, std::string("starline-series-s-1200")); // as the last busway is
    QCOMPARE(rack(d, "R01-01").feed_a, u.id);
    QCOMPARE(rack(d, "R01-04").feed_a, u.id);
    QVERIFY(u.upstream != 0);
    // What the one-line makes of it: the load of four racks.
    const Table* flow = w.document().evaluation()->figures.table("power.flow");
    QVERIFY(flow && std::find(flow->entities.begin(), flow->entities.end(), u.id) != flow->entities.end());
    keep(w, "fed");
    w.document().undoStack().undo();
    QCOMPARE(w.document().design().power_units->size(), before.power_units->size());
    QCOMPARE(rack(w.document().design(), "R01-01").feed_a, rack(before, "R01-01").feed_a);
  }

  void a_row_gets_pipes() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    // The pipes that it has go first.
    std::vector<EntityRef> pipes;
    for (const Pipe& p : *w.document().design().pipes) pipes.push_back({"pipes", p.id});
    QVERIFY(!pipes.empty());
    w.document().apply({"Remove pipes", [pipes](const Design& d) { return remove(d, pipes); }});
    QVERIFY(settle(w));
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_I, Qt::ShiftModifier);
    QCOMPARE(plan->tool(), PlanTool::pipe_row);
    auto* back = w.findChild<QComboBox*>(QStringLiteral("pipes_return"));
    QVERIFY(back && back->isVisible());
    const Design before = w.document().design();
    const int steps = w.document().undoStack().count();
    const QPoint from = middle_of(w, rack(before, "R01-01")), to = middle_of(w, rack(before, "R01-08"));
    move_on_plan(plan, from);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 6; ++i) move_on_plan(plan, from + (to - from) * i / 6, Qt::LeftButton);
    QTRY_VERIFY(w.document().previewing());
    QTest::qWait(60);
    keep(w, "piping");
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, to);
    QVERIFY(settle(w));
    QCOMPARE(w.document().undoStack().count(), steps + 1);
    const Design& d = w.document().design();
    QVERIFY(d.pipes->size() >= 2);
    // Direct return by default: two straight headers of one bore, as the engine sizes them.
    const Pipe& supply = d.pipes->front();
    QCOMPARE(supply.side, PipeSide::supply);
    QCOMPARE(supply.path.size(), std::size_t{2});
    QCOMPARE(supply.loop, rack(d, "R01-01").loop);
    keep(w, "piped");
    w.document().undoStack().undo();
    QVERIFY(w.document().design().pipes->empty());
  }

  void a_valve_is_shut_and_opened() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    const Id pipe = w.document().design().pipes->front().id;
    const auto open_share = [&] { return find(*w.document().design().pipes, pipe)->valve_open; };
    w.document().select({{"pipes", pipe}});
    const int steps = w.document().undoStack().count();
    QAction* shut = action(w, QStringLiteral("Shut valve"));
    QAction* open = action(w, QStringLiteral("Open valve"));
    QVERIFY(shut && open);
    shut->trigger();
    QCOMPARE(open_share(), 0.0);
    QCOMPARE(w.document().undoStack().count(), steps + 1);
    QVERIFY(settle(w));
    keep(w, "valve_shut");
    // On the plan's menu stands what can be done with it.
    PlanView* plan = w.hall()->plan();
    QStringList offered;
    QTimer::singleShot(300, &w, [&] {
      if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
        for (QAction* a : menu->actions()) offered << QString(a->text()).remove(QLatin1Char('&'));
        menu->close();
      }
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(10, 10), plan->viewport()->mapToGlobal(QPoint(10, 10)));
    QApplication::sendEvent(plan->viewport(), &event);
    QVERIFY2(offered.contains(QStringLiteral("Open valve")), qPrintable(offered.join(QLatin1Char('|'))));
    QVERIFY(!offered.contains(QStringLiteral("Shut valve")));
    open->trigger();
    QCOMPARE(open_share(), 1.0);
    // Of racks that are in a loop likewise, all at once.
    const Rack& one = rack(w.document().design(), "R01-01");
    const Rack& two = rack(w.document().design(), "R01-02");
    w.document().select({{"racks", one.id}, {"racks", two.id}});
    shut->trigger();
    QCOMPARE(rack(w.document().design(), "R01-01").coolant_valve, 0.0);
    QCOMPARE(rack(w.document().design(), "R01-02").coolant_valve, 0.0);
    QCOMPARE(w.document().undoStack().count(), steps + 3);
    QVERIFY(settle(w));
    keep(w, "rack_valves_shut");
  }

  void what_fails_elsewhere_is_crossed_out_here() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    PlanView* plan = w.hall()->plan();
    QVERIFY(plan->outOfService().empty());
    // A distribution unit of coolant, in Cooling.
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    QTRY_VERIFY(w.cooling()->isVisible());
    QVERIFY(settle(w));
    Id cdu = 0;
    for (const CoolingUnit& u : *w.document().design().cooling_units)
      if (u.name == "CDU 1A") cdu = u.id;
    auto* view = w.cooling()->view();
    const auto box = view->boxOf({"cooling_units", cdu});
    QVERIFY(!box.empty());
    QTest::mouseClick(view, Qt::LeftButton, {}, view->boxRect(box.index).center().toPoint());
    QTest::keyClick(view, Qt::Key_F);
    QCOMPARE(plan->outOfService(), (std::vector<EntityRef>{{"cooling_units", cdu}}));
    QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
    QTRY_VERIFY(plan->isVisible());
    const QList<FailureBar*> bars = w.findChildren<FailureBar*>();
    QCOMPARE(bars.size(), 2);
    QVERIFY(bars[1]->isVisible() && bars[1]->text().contains(QStringLiteral("CDU 1A")));
    QVERIFY(!bars[0]->isVisible());
    keep(w, "cdu_out");
    // A power unit, in Power, beside it.
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QTRY_VERIFY(w.power()->isVisible());
    QVERIFY(settle(w));
    const Id unit = w.document().design().power_units->back().id;
    w.power()->view()->setOut({unit});
    QVERIFY(std::count(plan->outOfService().begin(), plan->outOfService().end(), EntityRef{"power_units", unit}) == 1);
    QVERIFY(std::count(plan->outOfService().begin(), plan->outOfService().end(), EntityRef{"cooling_units", cdu}) == 1);
    QTest::mouseClick(bars[1]->findChild<QPushButton*>(QStringLiteral("failure_restore")), Qt::LeftButton);
    QCOMPARE(plan->outOfService(), (std::vector<EntityRef>{{"power_units", unit}}));
    w.power()->restoreAll();
    QVERIFY(plan->outOfService().empty());
  }
};

QTEST_MAIN(TestRowGestures)
#include "test_row_gestures.moc"
