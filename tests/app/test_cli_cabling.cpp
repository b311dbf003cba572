// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QTemporaryDir>

using namespace hallwright::test;

namespace {

const QString sample = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/superpod-h100-4su.hall.json");

} // namespace

/// `cabling` through the real program, and `as-built` on what it wrote.
class TestCliCabling : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void what_is_written_reads_back_as_planned() {
    QTemporaryDir folder;
    const Answer all = run_cli({"evaluate", sample, "--json"});
    QVERIFY2(all.code == 0 || all.code == 1, all.err);
    const Answer schedule = run_cli({"cabling", sample, "--csv", "-"});
    QVERIFY2(schedule.code == 0, schedule.err);
    const auto rows = csv_rows(schedule.out);
    QVERIFY(!rows.isEmpty());
    const QString network = rows[0]["network"];
    int links = 0;
    for (const auto& row : rows)
      links += row["network"] == network;
    for (const char* format : {"schedule", "netbox", "topo", "ptm"}) {
      const QString file = folder.filePath(QStringLiteral("cables.") + format);
      const Answer written = run_cli({"cabling", sample, "--csv", file, "--format", format, "--network", network});
      QVERIFY2(written.code == 0, written.err);
      const Answer compared = run_cli({"as-built", sample, file, "--network", network, "--json"});
      QVERIFY2(compared.code == 0, compared.out.left(2000) + compared.err);
      const QJsonObject told = compared.json().object();
      QCOMPARE(told["links"].toInt(), links);
      QCOMPARE(told["matched"].toInt(), links);
      QVERIFY(told["findings"].toArray().isEmpty());
    }
  }

  void all_networks_at_once_are_read_back() {
    const QTemporaryDir folder;
    for (const char* format : {"schedule", "netbox", "topo", "ptm"}) {
      const QString file = folder.filePath(QStringLiteral("all.") + format);
      const Answer written = run_cli({"cabling", sample, "--csv", file, "--format", format});
      QVERIFY2(written.code == 0, written.err);
      const Answer compared = run_cli({"as-built", sample, file, "--json"});
      QVERIFY2(compared.code == 0, compared.out.left(2000) + compared.err);
      const QJsonObject told = compared.json().object();
      QCOMPARE(told["links"].toInt(), 2602); // 1,020 + 1,024 of the compute and 270 + 288 of the storage network
      QCOMPARE(told["planned"].toInt(), told["links"].toInt());
      QCOMPARE(told["matched"].toInt(), told["links"].toInt());
      QVERIFY(told["findings"].toArray().isEmpty());
    }
  }

  /// Ranks of the sample: tensor 8 fills a node, rail r of a node ends at leaf r of its unit.
  void ranks_have_their_gpus_and_ports() {
    const Answer written = run_cli({"ranks", sample, "--csv", "-"});
    QVERIFY2(written.code == 0, written.err);
    const auto rows = csv_rows(written.out);
    QVERIFY(rows.size() > 16);
    const auto row = rows[9];
    QCOMPARE(row["rank"], QStringLiteral("9"));
    QCOMPARE(row["tensor"], QStringLiteral("1"));
    QCOMPARE(row["node"], QStringLiteral("node 2"));
    QCOMPARE(row["gpu"], QStringLiteral("1"));
    QCOMPARE(row["rack"], QStringLiteral("R01-01"));
    QCOMPARE(row["leaf_ports"], QStringLiteral("leaf 2 port 2"));
    // Another order of axes fills the same GPUs with other ranks.
    const Answer other = run_cli({"ranks", sample, "--csv", "-", "--axes", "pipeline-data"});
    QVERIFY2(other.code == 0, other.err);
    const auto moved = csv_rows(other.out);
    QCOMPARE(moved.size(), rows.size());
    QStringList here, there;
    for (int i = 0; i < rows.size(); ++i)
      here << rows[i]["leaf_ports"], there << moved[i]["leaf_ports"];
    here.sort(), there.sort();
    QCOMPARE(here, there);
    QCOMPARE(run_cli({"ranks", sample, "--csv", "-", "--axes", "tensor"}).code, 2);
    QCOMPARE(run_cli({"ranks", sample, "--csv", "-", "--order", "size"}).code, 2);
  }

  void names_of_ports_are_read_back() {
    const QTemporaryDir folder;
    const QString two_links_a_cage = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/nvl72-16-racks.hall.json");
    for (const QString& project : {sample, two_links_a_cage})
      for (const char* format : {"netbox", "ptm"})
        for (const char* names : {"faceplate", "swp"}) {
          const QString file = folder.filePath(QStringLiteral("named.") + format);
          const Answer written =
              run_cli({"cabling", project, "--csv", file, "--format", format, "--port-names", names});
          QVERIFY2(written.code == 0, written.err);
          const Answer compared = run_cli({"as-built", project, file, "--json"});
          QVERIFY2(compared.code == 0, compared.out.left(2000) + compared.err);
          const QJsonObject told = compared.json().object();
          QVERIFY(told["links"].toInt() > 1000);
          QCOMPARE(told["matched"].toInt(), told["links"].toInt());
        }
  }

  void other_lists_have_their_columns() {
    for (const auto& [format, column] :
         {std::pair{"pull", "way"}, {"ports", "far_faceplate"}, {"tests", "budget_db"}}) {
      const Answer a = run_cli({"cabling", sample, "--csv", "-", "--format", format});
      QVERIFY2(a.code == 0, a.err);
      const auto rows = csv_rows(a.out);
      QVERIFY(!rows.isEmpty());
      QVERIFY2(rows[0].contains(column), format);
    }
  }

  void wrong_use_is_told() {
    Answer a = run_cli({"cabling", sample, "--csv", "-", "--format", "xls"});
    QCOMPARE(a.code, 2);
    QVERIFY(one_sentence(a.err) && a.err.contains("schedule, netbox, topo, ptm, pull, ports, tests"));
    a = run_cli({"cabling", sample, "--csv", "-", "--network", "Computer"});
    QCOMPARE(a.code, 2);
    QVERIFY(one_sentence(a.err) && a.err.contains("no network of this name"));
    a = run_cli({"cabling", sample, "--csv", "-", "--port-names", "swp"});
    QCOMPARE(a.code, 2);
    QVERIFY(one_sentence(a.err) && a.err.contains("netbox and ptm"));
    a = run_cli({"cabling", sample, "--csv", "/nonexistent/cables.csv"});
    QCOMPARE(a.code, 3);
    QVERIFY(one_sentence(a.err) && a.err.contains("/nonexistent/cables.csv is not written"));
    a = run_cli({"cabling", sample});
    QCOMPARE(a.code, 2);
  }
};

QTEST_GUILESS_MAIN(TestCliCabling)
#include "test_cli_cabling.moc"
