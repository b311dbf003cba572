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
#include "app/studio/failure_bar.h"
#include "app/studio/row_pipes_dialog.h"
#include "app/studio/studio_window.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/theme.h"
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
    QTest::keyClick(c.view(), Qt::Key_F); // the rest of it too
    QCOMPARE(c.operation().units_out.size(), std::size_t{1});
    QTest::keyClick(c.view(), Qt::Key_R); // restores all of it
    QVERIFY(is_healthy(c.operation()));
    // A double click on the symbol of a pump is that pump's, there and back.
    const loops::Thing first = unit(w, "CDU 1A");
    const Id id = c.view()->entities(first).front().id;
    const auto all = c.view()->picture().loop->units[0].pumps.size();
    QVERIFY(c.view()->pumpAt(first.index, all - 1));
    const auto double_click = [&](std::size_t pump) {
      QTest::mouseDClick(c.view(), Qt::LeftButton, {}, c.view()->pumpAt(first.index, pump)->first.toPoint());
    };
    double_click(0);
    QVERIFY(c.operation().units_out.empty());
    QCOMPARE(c.operation().pumps_out.at(id), 1);
    QVERIFY(c.view()->pumpStands(first.index, all - 1));
    double_click(all - 1);
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

  /// Half of the flow of two equal units passes by without facility water: with the rise R of the racks over a mix of
  /// (supply + return) / 2 the supply settles R above its set point. R is 11.7 K in the sample.
  void facility_water_of_one_unit_warms_the_mix() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    const LoopSolution healthy = *c.view()->picture().solution;
    click_box(w, unit(w, "CDU 1A"));
    part<QAction>(w, "cooling_fail_facility")->trigger();
    const LoopSolution steady = *c.view()->picture().solution;
    const double warmer = steady.racks[0].supply_c - healthy.racks[0].supply_c;
    QVERIFY2(std::abs(warmer - 11.7) < 0.2, qPrintable(QString::number(warmer)));
    // The racks throttle at 10 K, and the supply ends where the steady state has it.
    QVERIFY2(c.countdown().contains("throttle in"), qPrintable(c.countdown()));
    const auto chart = part<loops::LineChart>(w, "loss_seconds");
    LoopSolver solver;
    const auto loop = c.view()->picture().loop;
    const auto loss = loss_of_operation(solver, loop, healthy, c.operation());
    QVERIFY(loss && std::abs(loss->past_water_share - 0.5) < 0.01);
    const auto run = loop_transient(*loop, healthy, *loss, TransientParameters{}, 1800.0);
    QVERIFY(run && std::abs(run->course.back().supply_c - steady.racks[0].supply_c) < 0.1);
    QVERIFY(std::abs(run->course.back().return_c - steady.racks[0].return_c) < 0.15);
    QVERIFY(chart != nullptr);
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_all_button"), Qt::LeftButton);
    QVERIFY(is_healthy(c.operation()));
  }

  /// Throttle after 5.7 s without pumps: the words beside it are of that choice, and the schematic shows what is
  /// played.
  void the_played_loss_is_seen() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    c.cards()->setCurrentIndex(2);
    auto* losses = part<QComboBox>(w, "cooling_loss");
    const auto choose = [&](const QString& words) {
      const int at = losses->findText(words);
      losses->setCurrentIndex(at);
      Q_EMIT losses->activated(at);
    };
    const auto* told = part<QLabel>(w, "cooling_responses");
    choose("Utility power is lost, pumps on UPS");
    QTRY_VERIFY(told->text().contains("pumps on UPS: what must act"));
    choose("Utility power is lost, pumps not on UPS");
    QTRY_VERIFY2(told->text().contains("pumps not on UPS: what must act"), qPrintable(told->text()));
    QVERIFY(!told->text().contains("pumps on UPS:"));
    choose("All pumps stop");
    QTRY_VERIFY2(told->text().contains("All pumps stop: what must act"), qPrintable(told->text()));
    // At second 0 the pumps stand already; nothing is warm.
    QTest::mouseClick(part<QToolButton>(w, "cooling_again_button"), Qt::LeftButton);
    QVERIFY(c.playing());
    const loops::Thing first = unit(w, "CDU 1A");
    QVERIFY(c.view()->pumpStands(first.index, 0));
    const auto alarms = [&]() -> const std::vector<loops::RackAlarm>& { return c.view()->picture().alarms; };
    QVERIFY(std::all_of(alarms().begin(), alarms().end(), [](auto a) { return a == loops::RackAlarm::none; }));
    const double before = c.view()->picture().solution->racks[0].return_c;
    QTest::mouseClick(part<QToolButton>(w, "cooling_fast_button"), Qt::LeftButton);
    QTest::mouseClick(part<QToolButton>(w, "cooling_play_button"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!alarms().empty() && alarms()[0] >= loops::RackAlarm::throttle, 20000);
    QVERIFY(c.clockSeconds() > 5.0);
    QVERIFY2(c.sentence().contains("All pumps stop, after"), qPrintable(c.sentence()));
    QVERIFY(c.view()->picture().solution->racks[0].return_c >= before);
    QVERIFY(c.view()->picture().solution->racks[0].share < 0.2);
    keep(w, "cooling_played");
    // Restored: the steady state again.
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_all_button"), Qt::LeftButton);
    QVERIFY(!c.playing() && alarms().empty());
    QVERIFY(!c.view()->pumpStands(first.index, 0));
    QVERIFY2(c.sentence().contains("every rack gets what it needs", Qt::CaseInsensitive), qPrintable(c.sentence()));
  }

  void what_is_out_in_power_is_told() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    CoolingWorkspace& c = *w.cooling();
    QVERIFY(!c.sentence().contains("feeds of the CDUs"));
    auto* bar = w.findChild<FailureBar*>();
    QVERIFY(bar);
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!c.isVisible());
    bar->tell(QStringLiteral("Both utilities are out."));
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    QVERIFY2(c.sentence().contains("feeds of the CDUs are not stated: their pumps are taken as running"),
             qPrintable(c.sentence()));
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
    // Each row that does not hold says why, and names do not take the room of the rest.
    bool warm = false;
    for (int r = 0; r < table->rowCount(); ++r) {
      const bool breaks = table->item(r, 0)->foreground().color() == theme().red;
      QCOMPARE(!table->item(r, 7)->text().isEmpty(), breaks);
      warm = warm || table->item(r, 7)->text().contains(QStringLiteral("8 racks with too warm coolant, "));
    }
    QVERIFY(warm);
    QVERIFY(table->columnWidth(0) < table->viewport()->width() / 3);
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
