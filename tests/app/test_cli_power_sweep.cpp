// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "cli_process.h"

using namespace hallwright::test;

/// `power-sweep` through the real program.
class TestCliPowerSweep : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  static QString sample(const char* name) {
    return QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + QLatin1String(name) + QStringLiteral(".hall.json");
  }

private Q_SLOTS:
  void every_unit_fails_once_worst_first() {
    const Answer a = run_cli({"power-sweep", sample("superpod-h100-4su"), "--json"});
    QVERIFY2(a.code == 0, a.err.constData()); // 2N: nothing goes dark, nothing trips
    const QJsonObject o = a.json().object();
    QCOMPARE(o["units"].toInt(), 14);
    QCOMPARE(o["racks"].toInt(), 40);
    QVERIFY(o["survives_any_failure"].toBool() && o["survives_a_side"].toBool());
    const QJsonArray cases = o["single_failures"].toArray();
    QCOMPARE(cases.size(), 14);
    double before = -1e9;
    QSet<QString> out;
    for (const auto& c : cases) {
      const QJsonObject one = c.toObject();
      QCOMPARE(one["racks_dark"].toInt(), 0);
      QCOMPARE(one["out"].toArray().size(), 1);
      out << one["out"].toArray()[0].toObject()["name"].toString();
      const double headroom = one["worst"].toObject()["headroom"].toDouble();
      QVERIFY(headroom >= before);
      before = headroom;
    }
    QVERIFY(out.contains("UPS A") && out.contains("Busway B, R04") && out.size() == 14);
    // With one side out the other carries all of it: the ten racks of a row on their other busway.
    for (const auto& c : cases) {
      const QJsonObject one = c.toObject();
      if (one["out"].toArray()[0].toObject()["name"].toString() != "UPS A") continue;
      QCOMPARE(one["racks_on_one_feed"].toInt(), 40);
      QVERIFY(one["what"].toString().startsWith("With UPS A out"));
    }
  }

  void what_goes_dark_ends_with_one() {
    const Answer text = run_cli({"power-sweep", sample("llama3-405b-16k")});
    QCOMPARE(text.code, 1); // racks with one cord: a busway takes its 17 racks down
    QVERIFY(text.text().startsWith("In normal operation"));
    const Answer a = run_cli({"power-sweep", sample("llama3-405b-16k"), "--json"});
    QCOMPARE(a.code, 1);
    int busways = 0;
    for (const auto& c : a.json().object()["single_failures"].toArray()) {
      const QJsonObject one = c.toObject();
      if (!one["out"].toArray()[0].toObject()["name"].toString().startsWith("Busway")) continue;
      ++busways;
      QCOMPARE(one["racks_dark"].toInt(), 17);
      QCOMPARE(one["gpus_dark"].toInt() % 8, 0);
    }
    QCOMPARE(busways, 64);
  }

  void maintenance_and_failure() {
    const Answer a = run_cli({"power-sweep", sample("superpod-h100-4su"), "--pairs", "--json"});
    QCOMPARE(a.code, 1); // both UPS at once
    const QJsonArray pairs = a.json().object()["maintenance_and_failure"].toArray();
    bool both = false;
    for (const auto& c : pairs) {
      const QJsonArray out = c.toObject()["out"].toArray();
      QCOMPARE(out.size(), 2);
      if (out[0].toObject()["name"] == "UPS A" && out[1].toObject()["name"] == "UPS B") {
        both = true;
        QCOMPARE(c.toObject()["racks_dark"].toInt(), 40);
      }
    }
    QVERIFY(both);
  }

  void wrong_use_is_one_sentence() {
    const Answer nothing = run_cli({"power-sweep", sample("one-megawatt")});
    QCOMPARE(nothing.code, 3);
    QVERIFY(one_sentence(nothing.err) && nothing.err.contains("no power unit is drawn"));
    QCOMPARE(run_cli({"power-sweep"}).code, 2);
    QCOMPARE(run_cli({"power-sweep", folder_.filePath("none.hall")}).code, 3);
    // Fields are set as everywhere.
    const Answer set =
        run_cli({"power-sweep", sample("superpod-h100-4su"), "--set", "power_units.[UPS B].rating=100kW", "--json"});
    QCOMPARE(set.code, 1);
    QVERIFY(set.json().object()["normal"].toObject()["overloaded"].toArray().size() > 0);
  }
};

QTEST_GUILESS_MAIN(TestCliPowerSweep)
#include "test_cli_power_sweep.moc"
