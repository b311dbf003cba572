// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

using namespace hallwright::test;

namespace {

/// What a row of the table states in its note only, or counts in other units than links.
struct Reading {
  int radix = 0;       ///< of switches, where the row names none
  int port_factor = 1; ///< links in one port as the row counts ports
  int cable_factor = 1, node_factor = 1; ///< links in one cable as the row counts cables
  QStringList options;
};
const QMap<QString, Reading> readings = {
    {"FC-H100-1", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}}, // fabric managers, see the notes
    {"FC-H100-2", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}},
    {"FC-H100-4", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}},
    {"FC-B300SX-1", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}}, // counted in 800 Gbit/s cables of two links
    {"FC-B300SX-3", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-B300SX-5", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-ASTER-1", {.port_factor = 2, .cable_factor = 2}},
    {"FC-IBDM-128", {.options = {"--lit"}}}, // the last leaf is partly filled and its uplinks were counted as they are
    {"FC-SIMGRID-1", {.radix = 8}},          // 4 ports down and 4 up
    {"FC-NVL72-1", {.radix = 72}},           // 72 GPUs, one link each to each of 18 chips
};
/// Rows that state too little to be counted.
const QSet<QString> left_out = {"FC-RUBIN8-1", "FC-HPN-2", "FC-META-1", "FC-JVD-2"};

} // namespace

/// `fabric` through the real program, over the table of published designs.
class TestCliFabric : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_published_row_data() {
    QTest::addColumn<int>("index");
    const auto rows = csv_file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric/fabric_counts.csv"));
    QVERIFY(rows.size() >= 25);
    for (int i = 0; i < rows.size(); ++i)
      if (!left_out.contains(rows[i]["id"])) QTest::newRow(qPrintable(rows[i]["id"])) << i;
  }
  void every_published_row() {
    QFETCH(int, index);
    const auto row = csv_file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric/fabric_counts.csv"))[index];
    const Reading reading = readings.value(row["id"]);
    const auto count = [&](const char* column) { return row[column].toInt(); };
    const int planes = std::max(1, count("planes"));
    int nics = std::max(1, count("nics_per_gpu"));
    if (row["network"] == "nvlink") nics /= planes; // its links are spread over the planes
    QStringList arguments{"fabric", "--json", "--nodes", row["nodes"]};
    arguments << "--gpus-per-node" << QString::number(std::max(1, count("gpus_per_node")));
    arguments << "--nics-per-gpu" << QString::number(nics) << "--planes" << QString::number(planes);
    arguments << "--radix" << QString::number((reading.radix ? reading.radix : count("leaf_radix")) * reading.port_factor);
    if (row["rail_optimised"] == "yes") arguments << "--rails";
    if (!row["tiers"].isEmpty()) arguments << "--tiers" << row["tiers"];
    if (!row["leaf_down_up"].isEmpty()) {
      const QStringList ports = row["leaf_down_up"].split('/');
      arguments << "--leaf-ports" << QString("%1/%2").arg(ports[0].toInt() * reading.port_factor).arg(ports[1].toInt() * reading.port_factor);
    }
    arguments << reading.options;
    const Answer answer = run_cli(arguments);
    QVERIFY2(answer.code == 0, answer.err);
    const QJsonObject json = answer.json().object();
    const auto same = [&](const char* key, const char* column, int factor = 1) {
      if (row[column].isEmpty()) return;
      QVERIFY2(json[key].toInt() == count(column) * factor,
               qPrintable(QString("%1: ours %2, published %3; %4").arg(key).arg(json[key].toInt()).arg(row[column], json["rule"].toString())));
    };
    same("tiers", "tiers");
    same("leafs", "leafs");
    same("spines", "spines");
    same("spines", "spine_by_rule");
    same("node_leaf_cables", "node_leaf_cables", reading.node_factor);
    same("leaf_spine_cables", "leaf_spine_cables", reading.cable_factor);
    same("spine_core_cables", "spine_core_cables", reading.cable_factor);
    // A k-ary n-tree builds as many top switches as others and uses half of their ports: 8 of 16 are filled.
    if (row["id"] == "FC-IBDM-4A3") QCOMPARE(json["cores"].toInt() * 2, count("cores"));
    else same("cores", "cores");
  }

  void the_json_has_exactly_the_promised_keys_in_order() {
    const Answer answer = run_cli({"fabric", "--nodes", "128", "--gpus-per-node", "8", "--rails", "--json"});
    QCOMPARE(answer.code, 0);
    const QStringList keys{"leafs",        "spines",           "cores", "node_leaf_cables", "leaf_spine_cables", "spine_core_cables",
                           "transceivers", "switch_ports_used", "rule",  "tiers",            "oversubscription",  "notes"};
    QCOMPARE(answer.json().object().keys().size(), keys.size());
    qsizetype last = -1;
    for (const QString& key : keys) {
      const qsizetype at = answer.out.indexOf(("\n  \"" + key + "\":").toUtf8());
      QVERIFY2(at > last, qPrintable(key));
      last = at;
    }
    const QJsonObject json = answer.json().object();
    QVERIFY(json["rule"].isString() && json["notes"].isArray() && json["oversubscription"].isDouble());
    // 128 nodes of 8 links on 64-port switches: 1,024 links on 32 leafs, 16 spines, two modules a cable
    QCOMPARE(json["leafs"].toInt(), 32);
    QCOMPARE(json["spines"].toInt(), 16);
    QCOMPARE(json["transceivers"].toInt(), 4096);
    QCOMPARE(json["tiers"].toInt(), 2);
  }

  void text_names_every_count() {
    const Answer answer = run_cli({"fabric", "--nodes", "128", "--gpus-per-node", "8", "--rails"});
    QCOMPARE(answer.code, 0);
    for (const char* label : {"leafs", "spines", "node to leaf cables", "transceivers", "rule"}) QVERIFY2(answer.text().contains(label), label);
  }

  void a_refusal_is_one_sentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) { QTest::newRow(name) << arguments << QString(says); };
    row("no nodes named", {"--gpus-per-node", "8"}, "--nodes");
    row("no nodes", {"--nodes", "0", "--gpus-per-node", "8"}, "--nodes");
    row("a broken number", {"--nodes", "12.5", "--gpus-per-node", "8"}, "--nodes");
    row("beyond all ranges", {"--nodes", "9999999999999", "--gpus-per-node", "8"}, "--nodes");
    row("tiers of another kind", {"--nodes", "8", "--gpus-per-node", "8", "--tiers", "four"}, "--tiers");
    row("one number of leaf ports", {"--nodes", "8", "--gpus-per-node", "8", "--leaf-ports", "32"}, "DOWN/UP");
    row("more than two tiers carry", {"--nodes", "4096", "--gpus-per-node", "8", "--rails", "--tiers", "2"}, "two tiers");
    row("an unknown option", {"--nodes", "8", "--gpus-per-node", "8", "--spines", "4"}, "--spines");
    row("a negative share", {"--nodes", "8", "--gpus-per-node", "8", "--oversubscription", "-1"}, "--oversubscription");
    row("no finite share", {"--nodes", "8", "--gpus-per-node", "8", "--oversubscription", "nan"}, "--oversubscription");
  }
  void a_refusal_is_one_sentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Answer answer = run_cli(QStringList{"fabric"} + arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY2(one_sentence(answer.err), answer.err);
    QVERIFY2(QString::fromUtf8(answer.err).contains(says), answer.err);
    QVERIFY(answer.out.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestCliFabric)
#include "test_cli_fabric.moc"
