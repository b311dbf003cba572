// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "cli_process.h"

using namespace hallwright::test;

class TestCliCollectives : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void predictions_stand_beside_every_measured_row() {
    QTemporaryDir folder;
    const QString cases = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/collectives/measured.csv");
    const QString out = folder.filePath("out.csv");
    const Answer a = run_cli({"collectives", cases, "--out", out});
    QCOMPARE(a.code, 0);
    const auto before = csv_file(cases), after = csv_file(out);
    QCOMPARE(after.size(), before.size());
    int predicted = 0;
    for (int i = 0; i < after.size(); ++i) {
      for (auto it = before[i].begin(); it != before[i].end(); ++it)
        QCOMPARE(after[i][it.key()], it.value());
      const QString time = after[i]["predicted_time_us"];
      if (after[i]["record_type"] != "measured") QCOMPARE(time, QString());
      if (!time.isEmpty()) {
        ++predicted;
        QVERIFY(time.toDouble() > 0);
      }
    }
    QCOMPARE(predicted, 124);
    QVERIFY(a.err.contains("bytes is empty"));
  }

  void bad_rows_are_refused_and_nothing_is_written() {
    QTemporaryDir folder;
    QFile cases(folder.filePath("cases.csv"));
    QVERIFY(cases.open(QIODevice::WriteOnly));
    cases.write("gpus,nodes,collective,bytes,intra_GBps_per_gpu,inter_GBps_per_gpu\n8,1,all_reduce,-5,450,\n");
    cases.close();
    const QString out = folder.filePath("out.csv");
    const Answer a = run_cli({"collectives", cases.fileName(), "--out", out});
    QCOMPARE(a.code, 3);
    QVERIFY(one_sentence(a.err));
    QVERIFY2(a.err.contains("line 2: bytes -5"), a.err.constData());
    QVERIFY(!QFile::exists(out));
    QCOMPARE(run_cli({"collectives", cases.fileName(), "--out", cases.fileName()}).code, 2);
    QCOMPARE(run_cli({"collectives", folder.filePath("none.csv"), "--out", out}).code, 3);
    QCOMPARE(run_cli({"collectives", cases.fileName()}).code, 2);
  }
};

QTEST_GUILESS_MAIN(TestCliCollectives)
#include "test_cli_collectives.moc"
