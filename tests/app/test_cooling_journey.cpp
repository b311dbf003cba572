// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/studio/cooling_workspace.h"
#include "app/studio/row_pipes_dialog.h"
#include "app/studio/studio_window.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// A planner fails parts of a coolant loop and reads how many seconds are left, with real mouse and keys.
class TestCoolingJourney : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000);
  }
  bool opened(StudioWindow& w, const char* sample, int width = 1600, int height = 1000) {
    if (!show_window(w, width, height) || !w.openPath(sample_copy(folder_, sample)) || !settle(w)) return false;
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    return w.cooling()->isVisible() && settle(w);
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("COOLING_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(200);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }
  static loops::Thing unit(StudioWindow& w, const char* name) {
    for (const CoolingUnit& u : *w.document().design().cooling_units)
      if (u.name == name) return w.cooling()->view()->boxOf({"cooling_units", u.id});
    return {};
  }
  static Id rack(StudioWindow& w, const char* name) {
    for (const Rack& r : *w.document().design().racks)
      if (r.name == name) return r.id;
    return 0;
  }
  static void click_box(StudioWindow& w, const loops::Thing& t) {
    auto* view = w.cooling()->view();
    QTest::mouseClick(view, Qt::LeftButton, {}, view->boxRect(t.index).center().toPoint());
  }
  template <class W>
  static W* part(StudioWindow& w, const char* name) {
    return w.findChild<W*>(QLatin1String(name));
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_unit_is_failed_and_restored() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    QCOMPARE(part<QComboBox>(w, "cooling_loop")->count(), 2);
    const auto& picture = c.view()->picture();
    QVERIFY(picture.schematic);
    const auto racks = std::count_if(picture.schematic->boxes.begin(), picture.schematic->boxes.end(),
                                     [](const SchematicBox& b) { return b.kind == SchematicBoxKind::rack; });
    QCOMPARE(racks, 8);
    QVERIFY2(c.sentence().contains("every rack gets what it needs", Qt::CaseInsensitive), qPrintable(c.sentence()));
    QTRY_VERIFY(!c.view()->labels().empty()); // once it is painted
    keep(w, "cooling_healthy");
    if (qEnvironmentVariableIsSet("COOLING_SIZES"))
      for (QWidget* x : c.findChildren<QWidget*>())
        if (x->minimumSizeHint().height() > 150 || x->minimumHeight() > 150)
          qDebug() << x->metaObject()->className() << x->objectName() << x->minimumSizeHint() << x->minimumSize()
                   << x->size();
    const quint64 revision = w.document().revision();
    // By mouse and key.
    const loops::Thing first = unit(w, "CDU 1A");
    QVERIFY(!first.empty());
    const double before = picture.solution->flow_m3_per_s;
    click_box(w, first);
    QCOMPARE(w.document().selection().size(), std::size_t{1});
    QCOMPARE(w.document().selection().front().table, std::string("cooling_units"));
    QTest::keyClick(c.view(), Qt::Key_F);
    QCOMPARE(c.operation().units_out.size(), std::size_t{1});
    QVERIFY2(c.sentence().startsWith("CDU 1A out"), qPrintable(c.sentence()));
    // The other unit carries all.
    const LoopSolution& s = *c.view()->picture().solution;
    QVERIFY(!s.units[0].running);
    QVERIFY(std::abs(s.units[1].flow_m3_per_s - s.flow_m3_per_s) < 1e-6 * before);
    QVERIFY(part<QLabel>(w, "cooling_countdown")->isVisible());
    QVERIFY(!c.countdown().isEmpty());
    keep(w, "cooling_unit_out");
    // The second one too: nothing flows, and seconds are left.
    const loops::Thing second = unit(w, "CDU 1B");
    QTest::mouseDClick(c.view(), Qt::LeftButton, {}, c.view()->boxRect(second.index).center().toPoint());
    QCOMPARE(c.operation().units_out.size(), std::size_t{2});
    QVERIFY2(c.sentence().contains("no coolant flows"), qPrintable(c.sentence()));
    QVERIFY2(c.countdown().contains("throttle in"), qPrintable(c.countdown()));
    keep(w, "cooling_all_out");
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_all_button"), Qt::LeftButton);
    QVERIFY(is_healthy(c.operation()));
    QVERIFY(std::abs(c.view()->picture().solution->flow_m3_per_s - before) < 1e-6 * before);
    // The design was never touched.
    QCOMPARE(w.document().revision(), revision);
    QVERIFY(!w.document().undoStack().canUndo());
  }

  void pumps_facility_water_racks_and_pipes_fail_too() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    click_box(w, unit(w, "CDU 1A"));
    const auto command = [&](const char* name) { part<QAction>(w, name)->trigger(); };
    command("cooling_fail_pump");
    QCOMPARE(c.operation().pumps_out.begin()->second, 1);
    QVERIFY(c.sentence().contains("pump of CDU 1A"));
    command("cooling_fail_facility");
    QCOMPARE(c.operation().facility_out.size(), std::size_t{1});
    QTest::keyClick(c.view(), Qt::Key_F); // restores all of it
    QVERIFY(is_healthy(c.operation()));
    const loops::Thing r = c.view()->boxOf({"racks", rack(w, "R01-03")});
    click_box(w, r);
    QTest::mouseClick(part<QPushButton>(w, "cooling_fail_button"), Qt::LeftButton);
    QCOMPARE(c.operation().racks_shut.size(), std::size_t{1});
    QCOMPARE(c.view()->picture().solution->dry_racks, std::size_t{1});
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_button"), Qt::LeftButton);
    QVERIFY(is_healthy(c.operation()));
    // Upwards from a rack lies the supply pipe: the only one, so that nothing flows without it.
    QTest::keyClick(c.view(), Qt::Key_Up);
    QCOMPARE(c.view()->selection().kind, loops::ThingKind::stretch);
    QCOMPARE(w.document().selection().front().table, std::string("pipes"));
    QTest::keyClick(c.view(), Qt::Key_F);
    QCOMPARE(c.operation().sections_shut.size(), std::size_t{1});
    QVERIFY2(c.sentence().contains("no coolant flows"), qPrintable(c.sentence()));
  }

  void the_clock_counts_down() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    c.cards()->setCurrentIndex(2);
    auto* losses = part<QComboBox>(w, "cooling_loss");
    losses->setCurrentIndex(1);
    Q_EMIT losses->activated(1);
    auto* chart = part<loops::LineChart>(w, "loss_seconds");
    QCOMPARE(chart->levels().size(), std::size_t{3}); // warning, throttle, trip
    QTRY_VERIFY(part<QLabel>(w, "cooling_responses")->text().contains("Restart"));
    keep(w, "cooling_seconds");
    // Facility water: slow enough to be stopped before it is over.
    losses->setCurrentIndex(2);
    Q_EMIT losses->activated(2);
    auto* play = part<QToolButton>(w, "cooling_play_button");
    QTest::mouseClick(play, Qt::LeftButton);
    QTRY_VERIFY(c.clockSeconds() > 0.2);
    QTest::mouseClick(play, Qt::LeftButton);
    const double held = c.clockSeconds();
    QTest::qWait(120);
    QCOMPARE(c.clockSeconds(), held);
    QTest::mouseClick(part<QToolButton>(w, "cooling_fast_button"), Qt::LeftButton);
    QTest::mouseClick(play, Qt::LeftButton);
    QTRY_VERIFY(c.clockSeconds() > held + 1.0);
    QTest::mouseClick(part<QToolButton>(w, "cooling_again_button"), Qt::LeftButton);
    QVERIFY(c.clockSeconds() < 1.0);
  }

  void single_failures_are_shown_one_by_one() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    c.cards()->setCurrentIndex(3);
    auto* table = part<QTableWidget>(w, "cooling_failures");
    // 2 units, a pump of each, their facility water, a supply and a return pipe, 8 racks.
    QTRY_COMPARE(table->rowCount(), 2 + 2 + 2 + 2 + 8);
    QTRY_VERIFY(c.settled());
    keep(w, "cooling_failures");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(0, 0)).center());
    QVERIFY(!is_healthy(c.operation()));
    QCOMPARE(table->item(0, 2)->text(), QStringLiteral("none"));
  }

  void selection_is_shared() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    const Id first = c.loop(), other = rack(w, "R02-01");
    w.document().select({{"racks", other}});
    QVERIFY(c.loop() != first);
    QCOMPARE(c.view()->selection(), c.view()->boxOf({"racks", other}));
    auto* bars = w.findChild<loops::RackFlowBars*>();
    QTest::mouseClick(bars, Qt::LeftButton, {}, bars->barRect(3).center().toPoint());
    QCOMPARE(w.document().selection().size(), std::size_t{1});
    QVERIFY(w.document().selection().front().id != other);
  }

  void pipes_are_drawn_along_a_row() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    w.document().apply({"No pipes", [](const Design& d) -> Edited {
                          std::vector<EntityRef> all;
                          for (const Pipe& p : *d.pipes)
                            all.push_back({"pipes", p.id});
                          return remove(d, all);
                        }});
    QVERIFY(settle(w));
    auto* button = part<QPushButton>(w, "cooling_draw_pipes");
    QTRY_VERIFY(button->isVisible());
    keep(w, "cooling_empty");
    QTest::mouseClick(button, Qt::LeftButton);
    RowPipesDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = w.findChild<RowPipesDialog*>()) != nullptr);
    QVERIFY2(dialog->sentence().contains("8 racks"), qPrintable(dialog->sentence()));
    QVERIFY(w.document().previewing());
    // Both units stand at one end: a reverse return is possible.
    auto* back = dialog->findChild<QComboBox*>(QStringLiteral("row_pipes_return"));
    back->setCurrentIndex(1);
    QVERIFY2(dialog->sentence().contains("reverse"), qPrintable(dialog->sentence()));
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(!w.document().previewing());
    QVERIFY(settle(w));
    QVERIFY(!w.document().design().pipes->empty());
    QTRY_VERIFY(c.view()->picture().solution != nullptr);
    QTRY_COMPARE(c.view()->picture().loop->racks.size(), std::size_t{8});
    keep(w, "cooling_drawn");
    w.document().undoStack().undo();
    QVERIFY(w.document().design().pipes->empty());
  }
};

QTEST_MAIN(TestCoolingJourney)
#include "test_cooling_journey.moc"
