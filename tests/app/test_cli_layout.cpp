// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "cli_process.h"

using namespace hallwright::test;

/// `layout` and `pack` through the real program.
class TestCliLayout : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  static QString sample(const char* name) {
    return QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + QLatin1String(name) + QStringLiteral(".hall.json");
  }

private Q_SLOTS:
  void proposalsAndTheirFigures() {
    const Answer a = run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "8",
                              "--hall", "Data hall", "--replace", "--proposals", "2", "--json"});
    QVERIFY2(a.code == 0, a.err.constData());
    const QJsonArray proposals = a.json().object()["proposals"].toArray();
    QVERIFY(proposals.size() >= 1 && proposals.size() <= 2);
    for (const auto& p : proposals) {
      QCOMPARE(p.toObject()["racks"].toInt(), 8);
      QVERIFY(p.toObject()["rows"].toInt() >= 1);
      const QJsonObject figures = p.toObject()["figures"].toObject();
      QVERIFY(figures["space.mean_rack_distance"].toObject()["value"].toDouble() > 0);
      QCOMPARE(figures["space.mean_rack_distance"].toObject()["unit"].toString(), QStringLiteral("m"));
    }
  }

  void writesTheChosenOne() {
    const QString out = folder_.filePath("laid-out.hall.json");
    const Answer a = run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "12",
                              "--hall", "Data hall", "--replace", "--no-leafs", "--out", out});
    QVERIFY2(a.code == 0, a.err.constData());
    const Answer e = run_cli({"evaluate", out, "--figure", "population.racks", "--json"});
    QVERIFY2(e.code == 0 || e.code == 1, e.err.constData());
    QCOMPARE(e.json().object()["figures"].toObject()["population.racks"].toObject()["value"].toDouble(), 12.0);
    QVERIFY(!run_cli({"check", out}).text().contains("stand in one place"));
  }

  void saysHowManyFit() {
    const Answer a = run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "5000",
                              "--hall", "Data hall", "--replace"});
    QCOMPARE(a.code, 1);
    QVERIFY(a.err.contains("do not fit"));
    QVERIFY(QRegularExpression("\\d+ do").match(QString::fromUtf8(a.err)).hasMatch());
  }

  void wrongUseIsOneSentence() {
    const Answer hall = run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "8"});
    QCOMPARE(hall.code, 2);
    QVERIFY(hall.err.contains("--hall"));
    const Answer type = run_cli(
        {"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H10", "--count", "8", "--hall", "Data hall"});
    QCOMPARE(type.code, 2);
    QVERIFY(type.err.contains("4 x DGX H100"));
    QCOMPARE(run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "0", "--hall",
                      "Data hall"})
                 .code,
             2);
    QCOMPARE(run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "8", "--hall",
                      "Data hall", "--rectangle", "0,0,5"})
                 .code,
             2);
    QCOMPARE(run_cli({"layout", sample("superpod-h100-4su"), "--rack-type", "4 x DGX H100", "--count", "8", "--hall",
                      "Data hall", "--out", "x.txt"})
                 .code,
             2);
  }

  void packingNamesWhatBinds() {
    // A cabinet of 48 units holds six nodes of 8; 45 kW of one feed hold four of 10.2 kW; 41 kW of heat to air as well
    // four.
    const Answer a = run_cli({"pack", sample("superpod-h100-4su"), "--node", "dgx-h100", "--rack-type", "4 x DGX H100",
                              "--feed", "25 kW", "--hall", "Data hall", "--json"});
    QVERIFY2(a.code == 0, a.err.constData());
    const QJsonObject o = a.json().object();
    QCOMPARE(o["nodes"].toInt(), 2); // 25 / 10.2
    QCOMPARE(o["binding"].toString(), QStringLiteral("power"));
    QCOMPARE(o["limits"].toArray().size(), 7);
    const Answer text = run_cli({"pack", sample("superpod-h100-4su"), "--node", "dgx-h100", "--rack-type",
                                 "4 x DGX H100", "--feed", "25 kW", "--hall", "Data hall"});
    QVERIFY(text.text().startsWith("2 nodes of dgx-h100"));
    const Answer wrong =
        run_cli({"pack", sample("superpod-h100-4su"), "--node", "dgx-h10", "--rack-type", "4 x DGX H100"});
    QCOMPARE(wrong.code, 2);
    QVERIFY(wrong.err.contains("dgx-h100"));
    QCOMPARE(run_cli({"pack", sample("superpod-h100-4su"), "--node", "dgx-h100", "--rack-type", "4 x DGX H100",
                      "--feed", "25"})
                 .code,
             2);
  }
};

QTEST_GUILESS_MAIN(TestCliLayout)
#include "test_cli_layout.moc"
