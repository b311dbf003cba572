// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "cooling/loop_results.h"
#include "engine/cooling/drawn_hall.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;
using namespace hallwright::test;

class TestLoopResults : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Heat and need of racks are those that the cooling stage publishes: one truth in two places.
  void racksWantWhatTheStageSays_data() {
    QTest::addColumn<QString>("project");
    for (const char* name : {"nvl72-16-racks", "superpod-h100-4su", "llama3-405b-16k"})
      QTest::newRow(name) << QString(name);
  }
  void racksWantWhatTheStageSays() {
    QFETCH(QString, project);
    const Shared<Catalog> parts = share(*read_catalog_file(HALLWRIGHT_CATALOG_FILE));
    const auto read = open_project(HALLWRIGHT_SOURCE_DIR "/projects/" + project.toStdString() + ".hall.json");
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    const Evaluation e = *evaluate(read->design, parts);
    const Design& d = e.design;
    const DrawnLoopInputs in{d.cooling_plant, d.loops, d.cooling_units, d.racks, d.rack_types,
                             d.rack_items,    d.pipes, parts,           {},      {}};
    const std::vector<RackCoolant> wanted = rack_coolant(in, *e.load);
    QCOMPARE(wanted.size(), d.racks->size());
    const Table* racks = e.figures.table("cooling.racks");
    std::size_t some = 0;
    for (const RackCoolant& c : wanted)
      some += c.need_m3_per_s > 0.0;
    QCOMPARE(some, racks ? racks->entities.size() : std::size_t(0));
    for (std::size_t row = 0; racks && row < racks->entities.size(); ++row) {
      const auto at = std::lower_bound(d.racks->begin(), d.racks->end(), racks->entities[row],
                                       [](const Rack& r, Id id) { return r.id < id; });
      const RackCoolant& c = wanted[static_cast<std::size_t>(at - d.racks->begin())];
      QVERIFY(std::abs(c.heat_w - racks->column("heat_to_liquid")->numbers[row]) <= 1e-9 * c.heat_w);
      QVERIFY(std::abs(c.need_m3_per_s - racks->column("flow")->numbers[row]) <= 1e-9 * c.need_m3_per_s);
    }
  }

  void tablesHoldWhatWasFound() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    const LoopLooks looks = loops_at_work(hall.inputs());
    const auto tables = loop_tables(looks);
    const auto table = [&](const std::string& id) -> const Table& {
      const auto it = std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.id == id; });
      if (it == tables.end()) throw std::runtime_error("no table " + id);
      return *it;
    };
    QCOMPARE(table("cooling.loop_racks").row_count(), std::size_t(12));
    QCOMPARE(table("cooling.loop_units").row_count(), std::size_t(2));
    QCOMPARE(table("cooling.loop_seconds").row_count(), std::size_t(12));
    // Two units, their pumps, their facility water.
    QCOMPARE(table("cooling.loop_failures").row_count(), std::size_t(6));
    QVERIFY(table("cooling.loop_notes").row_count() >= 2);
    double sum = 0.0;
    for (const double duty : table("cooling.loop_units").column("duty")->numbers)
      sum += duty;
    QVERIFY(std::abs(sum - 12 * 102e3) < 1.0);
    for (const double share : table("cooling.loop_racks").column("share_at_full_speed")->numbers)
      QVERIFY(share > 1.0);
    for (const Table& t : tables)
      for (const TableColumn& c : t.columns)
        QCOMPARE(c.words.size() + c.numbers.size(), t.row_count());
    QVERIFY(loop_tables(loops_at_work(DrawnHall().inputs())).empty());
  }

  /// What is drawn as before is not solved again.
  void loopsThatStayAreTaken() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    const LoopLooks before = loops_at_work(hall.inputs());
    const LoopLooks same = loops_at_work(hall.inputs(), &before);
    QVERIFY(same.loops[0].loop == before.loops[0].loop);
    hall.heats[0] = 50e3;
    const LoopLooks other = loops_at_work(hall.inputs(), &before);
    QVERIFY(other.loops[0].loop != before.loops[0].loop);
    QVERIFY(other.loops[0].steady->heat_w < before.loops[0].steady->heat_w);
  }
};

QTEST_APPLESS_MAIN(TestLoopResults)
#include "test_loop_results.moc"
