// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

using namespace hallwright::test;

/// `cooling-sweep` through the real program.
class TestCliCoolingSweep : public QObject {
  Q_OBJECT
  static QString sample(const char* name) {
    return QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + QLatin1String(name) + QStringLiteral(".hall.json");
  }

private Q_SLOTS:
  void every_single_failure_worst_first() {
    const Answer a = run_cli({"cooling-sweep", sample("nvl72-16-racks"), "--json"});
    QCOMPARE(a.code, 1); // the only supply pipe of a loop is a single point of failure
    const QJsonObject o = a.json().object();
    QCOMPARE(o["loops"].toArray().size(), 2);
    const QJsonArray cases = o["cases"].toArray();
    // Of each loop: 2 units, 2 pumps, 2 facility waters, 1 supply and 1 return section, 8 racks.
    QCOMPARE(cases.size(), 2 * (2 + 2 + 2 + 2 + 8));
    QMap<QString, int> kinds;
    double last = -2;
    for (const auto& c : cases) {
      const QJsonObject f = c.toObject();
      ++kinds[f["kind"].toString()];
      QVERIFY(f["headroom"].toDouble() >= last);
      last = f["headroom"].toDouble();
      if (f["kind"].toString() == QLatin1String("section")) {
        QVERIFY(!f["holds"].toBool());
        QCOMPARE(f["racks_lost"].toInt(), 8);
      }
      if (f["kind"].toString() == QLatin1String("rack_valve")) QVERIFY(f["racks_lost"].toInt() <= 1);
    }
    QCOMPARE(kinds["unit"], 4);
    QCOMPARE(kinds["section"], 4);
    QCOMPARE(kinds["rack_valve"], 16);
    QCOMPARE(cases.first().toObject()["headroom"].toDouble(), -1.0);
  }
  void text_names_loops_and_cases() {
    const Answer a = run_cli({"cooling-sweep", sample("nvl72-16-racks"), "--top", "3"});
    QCOMPARE(a.code, 1);
    QVERIFY(a.text().contains("Loop 1: 8 racks, 2 units"));
    QCOMPARE(a.text().count('\n'), 2 + 3);
  }
  void nothing_drawn_is_said() {
    const Answer a = run_cli({"cooling-sweep", sample("superpod-h100-4su")});
    QCOMPARE(a.code, 0);
    QVERIFY(a.text().contains("No coolant loop has drawn pipes"));
  }
  void no_project_is_wrong_use() {
    QCOMPARE(run_cli({"cooling-sweep"}).code, 2);
    QCOMPARE(run_cli({"cooling-sweep", "/nonexistent.hall"}).code, 3);
  }
};

QTEST_GUILESS_MAIN(TestCliCoolingSweep)
#include "test_cli_cooling_sweep.moc"
