// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "cooling/loop_balance.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

class TestLoopBalance : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Fed from one end, with thin rows and racks of two heats: after balancing every rack gets its need, one valve is
  /// fully open, and the pumps run slower.
  void everyRackGetsItsNeed_data() {
    QTest::addColumn<bool>("ring");
    QTest::addColumn<double>("bore_mm");
    QTest::newRow("one end, thin") << false << 102.3;
    QTest::newRow("one end, wide") << false << 202.7;
    QTest::newRow("ring") << true << 102.3;
  }
  void everyRackGetsItsNeed() {
    QFETCH(bool, ring);
    QFETCH(double, bore_mm);
    DrawnHall hall;
    hall.grid(2, 10, 2, ring, bore_mm);
    for (std::size_t i = 0; i < hall.heats.size(); i += 3)
      hall.heats[i] = 60e3;
    hall.racks[4].coolant_valve = 0.3; // set by hand before
    hall.racks[7].coolant_valve = 0.0; // shut, and stays so
    const auto balance = balance_racks(hall.loop(), hall.racks);
    QVERIFY2(balance.has_value(), balance ? "" : balance.error().c_str());
    QVERIFY(balance->changes());
    QVERIFY(balance->spread_before > balance->spread_after);
    QVERIFY(balance->speed_after <= balance->speed_before);
    QVERIFY(balance->head_after_pa < balance->head_before_pa);
    QVERIFY(balance->pump_power_after_w < balance->pump_power_before_w);
    QVERIFY(balance->enough);
    // On the design itself.
    Design d;
    d.racks = share(hall.racks);
    const Edited after = balance_edit(*balance, "Loop 1").apply(d);
    QVERIFY(after.has_value());
    hall.racks = *after->racks;
    LoopSolver solver;
    const auto s = solver.solve(hall.loop());
    QVERIFY(s.has_value());
    double most_open = 0.0;
    for (std::size_t i = 0; i < s->racks.size(); ++i) {
      if (i == 7) {
        QCOMPARE(hall.racks[i].coolant_valve, 0.0);
        QVERIFY(!s->racks[i].flowing);
        continue;
      }
      QVERIFY2(std::abs(s->racks[i].share - 1.0) < 0.01, (hall.racks[i].name + " " + std::to_string(s->racks[i].share)).c_str());
      QVERIFY(std::abs(s->racks[i].flow_m3_per_s - balance->racks[i].flow_after_m3_per_s) <
              1e-3 * balance->racks[i].need_m3_per_s);
      most_open = std::max(most_open, hall.racks[i].coolant_valve);
    }
    QVERIFY(most_open > 0.9);
    // Once more changes next to nothing.
    const auto again = balance_racks(hall.loop(), hall.racks);
    QVERIFY(again.has_value());
    for (std::size_t i = 0; i < again->racks.size(); ++i)
      QVERIFY(std::abs(again->racks[i].flow_after_m3_per_s - balance->racks[i].flow_after_m3_per_s) <
              0.01 * balance->racks[i].need_m3_per_s);
  }

  /// Two racks with hoses alike: what the nearer one has too much is what its valve takes. By hand: at its need the
  /// valve's loss is the difference of the pressures between the pipes, over the dynamic pressure in the hose.
  void aValveTakesWhatIsTooMuch() {
    DrawnHall hall;
    hall.grid(1, 10, 1, false, 77.9);
    const auto balance = balance_racks(hall.loop(), hall.racks);
    QVERIFY2(balance.has_value(), balance ? "" : balance.error().c_str());
    for (std::size_t i = 0; i < hall.racks.size(); ++i)
      hall.racks[i].coolant_valve = balance->racks[i].valve_after;
    LoopSolver solver;
    const auto loop = hall.loop();
    const auto s = solver.solve(loop);
    const RackFlow &first = s->racks.front(), &last = s->racks.back();
    QVERIFY(balance->racks.back().valve_after > 0.95);
    QVERIFY(balance->racks.front().valve_after < 0.5);
    const double area = std::acos(-1.0) / 4 * loop->racks[0].hose_bore_m * loop->racks[0].hose_bore_m;
    const double v = first.flow_m3_per_s / area, share = balance->racks.front().valve_after;
    const double valve = (0.1 / (share * share) - 0.1) * 0.5 * 1010.6 * v * v;
    QVERIFY2(std::abs(valve - (first.drop_pa - last.drop_pa)) < 0.02 * first.drop_pa,
             (std::to_string(valve) + " " + std::to_string(first.drop_pa - last.drop_pa)).c_str());
  }

  void whatCannotBeBalancedIsSaid() {
    DrawnHall hall;
    hall.grid(1, 6, 1, false);
    hall.setups[hall.loops[0].id].pressure_independent_valves = true;
    const auto held = balance_racks(hall.loop(), hall.racks);
    QVERIFY(!held && held.error().find("hold each rack to its need") != std::string::npos);
    QVERIFY(!balance_racks(nullptr, hall.racks));
  }
};

QTEST_APPLESS_MAIN(TestLoopBalance)
#include "test_loop_balance.moc"
