// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "engine/cooling/drawn_hall.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/loop_schematic_view.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/theme.h"

using namespace hallwright;
using namespace hallwright::test;

/// The schematic of a loop and its charts, with real mouse and keys.
class TestLoopSchematicView : public QObject {
  Q_OBJECT

  static loops::Picture picture_of(const Shared<DrawnLoop>& loop, const LoopOperation& operation = {}) {
    loops::Picture p;
    p.loop = loop;
    p.schematic = std::make_shared<const LoopSchematic>(loop_schematic(*loop));
    p.operation = operation;
    LoopSolver solver;
    p.healthy_flow = solver.solve(loop)->flow_m3_per_s;
    p.warmest_c = 50;
    if (auto s = solver.solve(loop, operation)) {
      p.solution = std::make_shared<const LoopSolution>(*std::move(s));
      p.link_flows = solver.state().flow_m3_per_s;
    }
    return p;
  }
  static DrawnHall hall(int rows, int racks, int units) {
    DrawnHall h;
    h.grid(rows, racks, units);
    return h;
  }
  static bool shown(QWidget& w, int width = 1200, int height = 700) {
    w.resize(width, height);
    w.show();
    return QTest::qWaitForWindowExposed(&w);
  }

private Q_SLOTS:
  void initTestCase() { apply_appearance(Appearance::light); }

  void words_lie_on_nothing() {
    for (const auto& [rows, racks, units] : {std::tuple(1, 8, 2), std::tuple(3, 8, 4), std::tuple(16, 32, 28)}) {
      loops::LoopSchematicView v;
      v.setPicture(picture_of(hall(rows, racks, units).loop()));
      QVERIFY(shown(v));
      for (const double zoom : {1.0, 1.7, 3.0}) {
        v.zoomBy(zoom);
        v.grab();
        const auto& labels = v.labels();
        for (std::size_t i = 0; i < labels.size(); ++i) {
          for (std::size_t k = i + 1; k < labels.size(); ++k)
            QVERIFY(!labels[i].intersects(labels[k]));
          for (int b = 0; b < static_cast<int>(v.picture().schematic->boxes.size()); ++b)
            QVERIFY(!labels[i].intersects(v.boxRect(b)));
        }
      }
    }
  }

  void everything_fits_and_is_hit() {
    loops::LoopSchematicView v;
    v.setPicture(picture_of(hall(3, 8, 4).loop()));
    QVERIFY(shown(v));
    QVERIFY(v.fitted());
    for (int b = 0; b < static_cast<int>(v.picture().schematic->boxes.size()); ++b) {
      QVERIFY(QRectF(v.rect()).contains(v.boxRect(b)));
      QCOMPARE(v.at(v.boxRect(b).center()), (loops::Thing{loops::ThingKind::box, b}));
    }
    // Zoomed in by the wheel, and back by Home.
    QWheelEvent in(QPointF(300, 300), v.mapToGlobal(QPointF(300, 300)), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
    QApplication::sendEvent(&v, &in);
    QVERIFY(!v.fitted());
    QTest::keyClick(&v, Qt::Key_Home);
    QVERIFY(v.fitted());
  }

  void mouse_and_keys_choose_and_fail() {
    loops::LoopSchematicView v;
    v.setPicture(picture_of(hall(2, 6, 2).loop()));
    QVERIFY(shown(v));
    QSignalSpy chosen(&v, &loops::LoopSchematicView::selectionChanged),
        failed(&v, &loops::LoopSchematicView::failRequested);
    const loops::Thing rack = v.boxOf({"racks", v.picture().loop->racks[2].rack});
    QTest::mouseClick(&v, Qt::LeftButton, {}, v.boxRect(rack.index).center().toPoint());
    QCOMPARE(v.selection(), rack);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(v.entities(rack).front().id, v.picture().loop->racks[2].rack);
    QTest::keyClick(&v, Qt::Key_Right);
    QCOMPARE(v.entities(v.selection()).front().id, v.picture().loop->racks[3].rack);
    QTest::keyClick(&v, Qt::Key_Left);
    QCOMPARE(v.selection(), rack);
    QTest::keyClick(&v, Qt::Key_F);
    QCOMPARE(failed.size(), 1);
    QTest::mouseDClick(&v, Qt::LeftButton, {}, v.boxRect(rack.index).center().toPoint());
    QCOMPARE(failed.size(), 2);
    QVERIFY(v.accessibleDescription().contains("R3"));
    QTest::keyClick(&v, Qt::Key_Escape);
    QVERIFY(v.selection().empty());
  }

  /// A double click beside the symbols is of the unit, on one of them of that pump; R restores.
  void a_pump_is_hit_by_its_symbol() {
    loops::LoopSchematicView v;
    const auto loop = hall(1, 8, 2).loop();
    v.setPicture(picture_of(loop));
    QVERIFY(shown(v));
    QSignalSpy whole(&v, &loops::LoopSchematicView::failRequested), pump(&v, &loops::LoopSchematicView::pumpRequested),
        back(&v, &loops::LoopSchematicView::restoreRequested);
    const loops::Thing unit = v.boxOf({"cooling_units", loop->units[0].unit});
    QVERIFY(v.pumpAt(unit.index, 0));
    QTest::mouseDClick(&v, Qt::LeftButton, {}, v.pumpAt(unit.index, 0)->first.toPoint());
    QCOMPARE(pump.size(), 1);
    QVERIFY(pump.front()[1].toBool());
    QCOMPARE(whole.size(), 0);
    LoopOperation o;
    o.pumps_out[loop->units[0].unit] = 1;
    v.setPicture(picture_of(loop, o));
    const std::size_t last = loop->units[0].pumps.size() - 1;
    QVERIFY(v.pumpStands(unit.index, last));
    QTest::mouseDClick(&v, Qt::LeftButton, {}, v.pumpAt(unit.index, last)->first.toPoint());
    QVERIFY(!pump.back()[1].toBool());
    QTest::mouseDClick(&v, Qt::LeftButton, {}, (v.boxRect(unit.index).bottomRight() - QPointF(4, 4)).toPoint());
    QCOMPARE(whole.size(), 1);
    QTest::keyClick(&v, Qt::Key_R);
    QCOMPARE(back.size(), 1);
    QVERIFY2(v.words(unit).contains("that its exchanger carries at this flow"), qPrintable(v.words(unit)));
  }

  /// 102 kW at 10 K and 1010.6 x 3958 J/(m3 K) are 153 L/min.
  void words_tell_flow_against_need() {
    loops::LoopSchematicView v;
    v.setPicture(picture_of(hall(2, 6, 2).loop()));
    const QString words = v.words(v.boxOf({"racks", v.picture().loop->racks[0].rack}));
    QVERIFY2(words.contains("of 153 L/min needed"), qPrintable(words));
    QVERIFY(words.contains("102 kW to liquid"));
    LoopOperation o;
    o.racks_shut = {v.picture().loop->racks[0].rack};
    v.setPicture(picture_of(v.picture().loop, o));
    QVERIFY(v.words(v.boxOf({"racks", v.picture().loop->racks[0].rack})).contains("No coolant flows"));
  }

  void racks_are_sorted_by_their_share() {
    loops::RackFlowBars bars;
    bars.setRacks({{"A", 0.002, 0.002, true}, {"B", 0.001, 0.002, true}, {"C", 0, 0.002, false}});
    QCOMPARE(bars.order(), (std::vector<int>{2, 1, 0}));
    QVERIFY(shown(bars, 400, 240));
    QSignalSpy chosen(&bars, &loops::RackFlowBars::rackActivated);
    QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.barRect(1).center().toPoint());
    QCOMPARE(chosen.front().front().toInt(), 1);
    QVERIFY(bars.textAt(bars.barRect(1).center()).contains("50"));
  }

  void curves_are_read_between_their_points() {
    const loops::ChartLine line{"x", Qt::black, {{0, 0}, {10, 20}, {20, 20}}, false};
    QCOMPARE(*loops::line_at(line, 5), 10.0);
    QCOMPARE(*loops::line_at(line, 15), 20.0);
    QVERIFY(!loops::line_at(line, 21));
  }

  void an_empty_view_says_why() {
    loops::LoopSchematicView v;
    v.setEmptyText("nothing here");
    QVERIFY(shown(v, 300, 200));
    v.grab();
    QVERIFY(v.at({10, 10}).empty());
    QCOMPARE(v.accessibleDescription(), QStringLiteral("nothing here"));
  }
};

QTEST_MAIN(TestLoopSchematicView)
#include "test_loop_schematic_view.moc"
