// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

using namespace hallwright::test;

/// `density` through the real program.
class TestCliDensity : public QObject {
  Q_OBJECT
  static QString sample(const char* name) {
    return QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + QLatin1String(name) + QStringLiteral(".hall.json");
  }
  static QJsonObject step(const QJsonObject& answer, const QString& subject) {
    for (const auto& s : answer["steps"].toArray())
      if (s.toObject()["subject"].toString() == subject) return s.toObject();
    return {};
  }

private Q_SLOTS:
  void a_row_at_a_wanted_power() {
    const Answer a = run_cli({"density", sample("superpod-h100-4su"), "--row", "R04", "--power", "60kW", "--json"});
    QVERIFY2(a.code == 1, a.err.constData());
    const QJsonObject o = a.json().object();
    QCOMPARE(o["racks"].toInt(), 8);
    QVERIFY(std::abs(o["wanted"].toDouble() - 60e3) < 0.1);
    // The rack types are fed for 50 kW: that says no first, and the row goes to it.
    const QJsonObject feed = step(o, "Feed of each 4 x DGX H100");
    QVERIFY(feed["needed"].toBool() && feed["allowed"].toDouble() == 50e3);
    QVERIFY(o["farthest"].toDouble() <= 50e3 + 1e-3 && o["farthest"].toDouble() > 49.9e3);
    // A busway carries eight racks more than before with the other side out.
    const QJsonObject busway = step(o, "Busway A, R04");
    QVERIFY(busway["decided"].toBool() && !busway["needed"].toBool());
    QVERIFY(busway["wanted"].toDouble() > 8 * 60e3 && busway["wanted"].toDouble() < busway["allowed"].toDouble());
  }
  void text_and_csv() {
    const Answer text = run_cli({"density", sample("nvl72-16-racks"), "--row", "R01", "--power", "180kW"});
    QCOMPARE(text.code, 1);
    QVERIFY2(text.text().contains("8 racks from 120.6 kW to 180 kW each"), text.out.constData());
    QVERIFY(text.text().contains("live: ") && text.text().contains("with a stop: "));
    const Answer csv = run_cli({"density", sample("nvl72-16-racks"), "--row", "R01", "--power", "180kW", "--csv"});
    QCOMPARE(csv.code, 1);
    QVERIFY2(csv.text().contains("UPS A1") && csv.text().contains("Reach"), csv.out.constData());
  }
  void wrong_use_is_one_sentence() {
    const Answer row = run_cli({"density", sample("superpod-h100-4su"), "--row", "R99", "--power", "60kW"});
    QCOMPARE(row.code, 2);
    QVERIFY2(one_sentence(row.err) && row.err.contains("R99"), row.err.constData());
    QCOMPARE(run_cli({"density", sample("superpod-h100-4su"), "--row", "R04"}).code, 2);
    QCOMPARE(run_cli({"density", sample("superpod-h100-4su"), "--row", "R04", "--power", "60 apples"}).code, 2);
    const Answer zero = run_cli({"density", sample("superpod-h100-4su"), "--row", "R04", "--power", "0kW"});
    QCOMPARE(zero.code, 3);
    QVERIFY2(one_sentence(zero.err) && zero.err.contains("above 0"), zero.err.constData());
  }
};

QTEST_GUILESS_MAIN(TestCliDensity)
#include "test_cli_density.moc"
