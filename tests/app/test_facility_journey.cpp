// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/cooling_workspace.h"
#include "app/studio/loop_balance_dialog.h"
#include "app/studio/studio_window.h"
#include "design/edits.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// A planner draws facility water for both loops of a hall, fails a dry cooler on its schematic, and balances racks.
class TestFacilityJourney : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;
  Id water_ = 0;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor(
        [&] {
          const auto& e = w.document().evaluation();
          return w.document().evaluationIsOfShown() && e->loops && !e->loops->behind();
        },
        30000);
  }
  bool opened(StudioWindow& w) {
    if (!show_window(w, 1600, 1000) || !w.openPath(sample_copy(folder_, "nvl72-16-racks")) || !settle(w)) return false;
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    return w.cooling()->isVisible() && settle(w);
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("COOLING_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(200);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }
  template <class W>
  static W* part(StudioWindow& w, const char* name) {
    return w.findChild<W*>(QLatin1String(name));
  }
  /// Two pipes between the units of both loops, and dry coolers in the yard.
  Edit facility_water(double each_kw) {
    Edit edit;
    edit.label = "Draw facility water";
    edit.apply = [this, each_kw](const Design& before) -> Edited {
      Made made = add_entity(before, &Design::loops,
                             CoolantLoop{.name = "Facility water", .supply_temperature = Temperature::from_celsius(36),
                                         .rise = kelvins_rise(8)});
      water_ = made.entities.at(0).id;
      Design d = std::move(made.design);
      for (const auto& [name, side, y] : {std::tuple{"Water out", PipeSide::supply, 4950.0}, {"Water back", PipeSide::return_, 5050.0}})
        d = add_entity(d, &Design::pipes,
                       Pipe{.name = name, .side = side, .hall = d.halls->front().id, .loop = water_,
                            .path = {{300.0, y}, {3300.0, y}}, .elevation = millimeters(side == PipeSide::supply ? 2500 : 2700),
                            .diameter = millimeters(202)})
                .design;
      for (int i = 0; i < 3; ++i)
        d = add_entity(d, &Design::cooling_units,
                       CoolingUnit{.name = "DC " + std::to_string(i + 1), .kind = CoolingUnitKind::dry_cooler, .loop = water_,
                                   .capacity = kilowatts(each_kw)})
                .design;
      return with_table(d, &Design::loops, [&](std::vector<CoolantLoop>& loops, Id&) {
        for (CoolantLoop& l : loops)
          if (l.id != water_) l.facility_loop = water_;
      });
    };
    return edit;
  }
  void choose(StudioWindow& w, const QString& loop) {
    auto* loops = part<QComboBox>(w, "cooling_loop");
    const int at = loops->findText(loop);
    QVERIFY(at >= 0);
    loops->setCurrentIndex(at);
    Q_EMIT loops->activated(at);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_dry_cooler_is_failed_and_racks_feel_it() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w));
    CoolingWorkspace& c = *w.cooling();
    QVERIFY(w.document().apply(facility_water(1100)));
    QVERIFY(settle(w));
    choose(w, QStringLiteral("Facility water"));
    const auto& picture = c.view()->picture();
    QVERIFY(picture.loop && picture.loop->facility);
    QCOMPARE(picture.loop->racks.size(), std::size_t{4}); // four distribution units
    QCOMPARE(picture.loop->units.size(), std::size_t{3});
    QVERIFY2(c.sentence().contains("every distribution unit gets the facility water", Qt::CaseInsensitive),
             qPrintable(c.sentence()));
    QVERIFY(!part<QPushButton>(w, "cooling_balance_button")->isEnabled());
    keep(w, "facility_healthy");
    // One of three: two carry it. All: nothing takes the heat of racks, and the sentence says of which loop and what to do.
    const auto cooler = [&](std::size_t i) {
      return c.view()->boxOf({"cooling_units", picture.loop->units[i].unit});
    };
    QTest::mouseClick(c.view(), Qt::LeftButton, {}, c.view()->boxRect(cooler(0).index).center().toPoint());
    QTest::keyClick(c.view(), Qt::Key_F);
    QCOMPARE(c.operation().units_out.size(), std::size_t{1});
    QVERIFY2(c.sentence().startsWith("DC 1 out"), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains("than its parts take") || c.sentence().contains("than their parts take"),
             qPrintable(c.sentence()));
    keep(w, "facility_cooler_out");
    for (std::size_t i = 1; i < 3; ++i)
      QTest::mouseDClick(c.view(), Qt::LeftButton, {}, c.view()->boxRect(cooler(i).index).center().toPoint());
    QCOMPARE(c.operation().units_out.size(), std::size_t{3});
    QVERIFY2(!c.sentence().isEmpty() && !c.sentence().contains("nan"), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains("16 racks lose their cooling: loop 'Loop 1'") && c.sentence().contains("; bring facility water to a unit"),
             qPrintable(c.sentence()));
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_all_button"), Qt::LeftButton);
    QVERIFY(is_healthy(c.operation()));
    // Every single failure, with what racks feel.
    QTest::mouseClick(part<QPushButton>(w, "cooling_sweep_button"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(c.settled() && part<QTableWidget>(w, "cooling_failures")->rowCount() > 8, 30000);
    c.cards()->setCurrentIndex(3);
    keep(w, "facility_failures");
    c.cards()->setCurrentIndex(2);
    keep(w, "facility_seconds");
    // The loop of racks is brought that water.
    choose(w, QStringLiteral("Loop 1"));
    QVERIFY(c.view()->picture().solution->units[0].facility_flow_m3_per_s > 0.0);
    QVERIFY(std::abs(c.view()->picture().solution->units[0].facility_c - 36.0) < 2.5);
  }

  /// What is failed on the page of facility water is felt on the page of the loop that hangs on it: banner, temperatures,
  /// countdown; it is restored there, and the single failures of the loop have it, too.
  void what_fails_upstream_is_felt_downstream() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w));
    CoolingWorkspace& c = *w.cooling();
    QVERIFY(w.document().apply(facility_water(1100)));
    QVERIFY(settle(w));
    choose(w, QStringLiteral("Loop 1"));
    const LoopSolution healthy = *c.view()->picture().solution;
    QVERIFY2(c.sentence().startsWith("Every rack gets what it needs"), qPrintable(c.sentence()));
    QVERIFY(!part<QPushButton>(w, "cooling_restore_all_button")->isEnabled());
    choose(w, QStringLiteral("Facility water"));
    const auto fail = [&](std::size_t i) {
      const auto box = c.view()->boxOf({"cooling_units", c.view()->picture().loop->units[i].unit});
      QTest::mouseClick(c.view(), Qt::LeftButton, {}, c.view()->boxRect(box.index).center().toPoint());
      QTest::keyClick(c.view(), Qt::Key_F);
    };
    fail(0);
    choose(w, QStringLiteral("Loop 1"));
    QVERIFY2(c.sentence().startsWith("DC 1 of Facility water out: "), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains("the warmest supply is "), qPrintable(c.sentence()));
    QVERIFY(is_healthy(c.operation())); // nothing of this loop
    keep(w, "felt_one_cooler");
    choose(w, QStringLiteral("Facility water"));
    fail(1);
    choose(w, QStringLiteral("Loop 1"));
    QVERIFY2(c.sentence().startsWith("DC 1 of Facility water, DC 2 of Facility water out: "), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains(" would have to pass on ") && c.sentence().contains("; the warmest supply is "), qPrintable(c.sentence()));
    const LoopSolution& felt = *c.view()->picture().solution;
    QVERIFY(felt.temperatures_known);
    QVERIFY(felt.units[0].facility_c > healthy.units[0].facility_c + 1.0);
    QVERIFY(felt.racks[0].supply_c > healthy.racks[0].supply_c + 1.0);
    QVERIFY2(!c.countdown().isEmpty(), qPrintable(c.countdown()));
    keep(w, "felt_two_coolers");
    // A second loop feels it likewise.
    choose(w, QStringLiteral("Loop 2"));
    QVERIFY2(c.sentence().startsWith("DC 1 of Facility water, DC 2 of Facility water out: "), qPrintable(c.sentence()));
    // All coolers: nothing takes the heat, and every second counts.
    choose(w, QStringLiteral("Facility water"));
    fail(2);
    choose(w, QStringLiteral("Loop 1"));
    QVERIFY2(c.sentence().contains("DC 1 of Facility water, DC 2 of Facility water, DC 3 of Facility water out: ", Qt::CaseInsensitive), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains("no facility water takes the heat of CDU 1A and CDU 1B"), qPrintable(c.sentence()));
    QVERIFY2(c.sentence().contains("bring facility water to a unit"), qPrintable(c.sentence()));
    QVERIFY2(c.countdown().contains("throttle in"), qPrintable(c.countdown()));
    keep(w, "felt_all_coolers");
    QVERIFY(part<QPushButton>(w, "cooling_restore_all_button")->isEnabled());
    QTest::mouseClick(part<QPushButton>(w, "cooling_restore_all_button"), Qt::LeftButton);
    QVERIFY2(c.sentence().startsWith("Every rack gets what it needs"), qPrintable(c.sentence()));
    QVERIFY(std::abs(c.view()->picture().solution->racks[0].supply_c - healthy.racks[0].supply_c) < 1e-9);
    // The sweep of the loop has it, and its row fails it.
    QTest::mouseClick(part<QPushButton>(w, "cooling_sweep_button"), Qt::LeftButton);
    auto* table = part<QTableWidget>(w, "cooling_failures");
    QTRY_VERIFY_WITH_TIMEOUT(c.settled() && table->rowCount() > 8, 30000);
    int row = -1;
    for (int r = 0; r < table->rowCount(); ++r)
      if (table->item(r, 0)->text().startsWith("Water out") && table->item(r, 0)->text().endsWith(" (Facility water)") &&
          table->item(r, 7)->text().contains("no facility water takes the heat of CDU 1A and CDU 1B"))
        row = r;
    QVERIFY(row >= 0);
    c.cards()->setCurrentIndex(3);
    table->setCurrentCell(row, 0);
    QVERIFY2(c.sentence().startsWith("Water out") && c.sentence().contains(" of Facility water out: "), qPrintable(c.sentence()));
    keep(w, "felt_failures");
    for (int r = 0; r < table->rowCount(); ++r) // another row: that alone
      if (table->item(r, 0)->text() == QLatin1String("CDU 1A")) row = r;
    table->setCurrentCell(row, 0);
    QVERIFY2(c.sentence().startsWith("CDU 1A out: "), qPrintable(c.sentence()));
    choose(w, QStringLiteral("Facility water"));
    QVERIFY(is_healthy(c.operation()));
  }

  void racks_are_balanced_in_one_step() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w));
    CoolingWorkspace& c = *w.cooling();
    const auto before = w.document().design().racks;
    const double speed = c.view()->picture().solution->speed;
    QTest::mouseClick(part<QPushButton>(w, "cooling_balance_button"), Qt::LeftButton);
    auto* dialog = w.findChild<LoopBalanceDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 30000);
    QVERIFY2(dialog->sentence().contains("instead of"), qPrintable(dialog->sentence()));
    QCOMPARE(dialog->findChild<QTableWidget*>()->rowCount(), 8);
    if (const QString folder = qEnvironmentVariable("COOLING_PICTURES"); !folder.isEmpty())
      dialog->grab().save(folder + QStringLiteral("/balance.png"));
    QPushButton* set = nullptr;
    for (QPushButton* b : dialog->findChildren<QPushButton*>())
      if (b->text() == QLatin1String("Set valves")) set = b;
    QVERIFY(set && set->isEnabled());
    QTest::mouseClick(set, Qt::LeftButton);
    QTRY_VERIFY(w.document().design().racks != before);
    QVERIFY(settle(w));
    double least = 1.0, most = 0.0;
    for (const Rack& r : *w.document().design().racks)
      if (r.loop == c.loop()) least = std::min(least, r.coolant_valve), most = std::max(most, r.coolant_valve);
    QVERIFY(least < 1.0 && most > 0.9);
    QVERIFY(c.view()->picture().solution->spread < 0.01);
    QVERIFY(c.view()->picture().solution->speed < speed + 1e-3);
    w.document().undoStack().undo();
    for (const Rack& r : *w.document().design().racks)
      QCOMPARE(r.coolant_valve, 1.0);
  }
};

QTEST_MAIN(TestFacilityJourney)
#include "test_facility_journey.moc"
