// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

using namespace hallwright::test;

namespace {

/// What a row of the table states in its note only, or counts in other units than links.
struct Reading {
  int radix = 0;                         ///< of switches, where the row names none
  int port_factor = 1;                   ///< links in one port as the row counts ports
  int cable_factor = 1, node_factor = 1; ///< links in one cable as the row counts cables
  QStringList options;
};
const QMap<QString, Reading> readings = {
    {"FC-H100-1", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}}, // fabric managers, see the notes
    {"FC-H100-2", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}},
    {"FC-H100-4", {.options = {"--reserved-places", "1", "--reserved-links", "4"}}},
    {"FC-B300SX-1",
     {.port_factor = 2, .cable_factor = 2, .node_factor = 2}}, // counted in 800 Gbit/s cables of two links
    {"FC-B300SX-3", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-B300SX-5", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-ASTER-1", {.port_factor = 2, .cable_factor = 2}},
    {"FC-IBDM-128", {.options = {"--lit"}}}, // the last leaf is partly filled and its uplinks were counted as they are
    {"FC-IBDM-4A3", {.options = {"--core-radix", "4"}}}, // top switches use half of their 8 ports (its note)
    {"FC-SIMGRID-1", {.radix = 8}},                      // 4 ports down and 4 up
    {"FC-NVL72-1", {.radix = 72}},                       // 72 GPUs, one link each to each of 18 chips
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
    arguments << "--radix"
              << QString::number((reading.radix ? reading.radix : count("leaf_radix")) * reading.port_factor);
    if (row["rail_optimised"] == "yes") arguments << "--rails";
    if (!row["tiers"].isEmpty()) arguments << "--tiers" << row["tiers"];
    if (!row["leaf_down_up"].isEmpty()) {
      const QStringList ports = row["leaf_down_up"].split('/');
      arguments
          << "--leaf-ports"
          << QString("%1/%2").arg(ports[0].toInt() * reading.port_factor).arg(ports[1].toInt() * reading.port_factor);
    }
    arguments << reading.options;
    const Answer answer = run_cli(arguments);
    QVERIFY2(answer.code == 0, answer.err);
    const QJsonObject json = answer.json().object();
    const auto same = [&](const char* key, const char* column, int factor = 1) {
      if (row[column].isEmpty()) return;
      QVERIFY2(json[key].toInt() == count(column) * factor, qPrintable(QString("%1: ours %2, published %3; %4")
                                                                           .arg(key)
                                                                           .arg(json[key].toInt())
                                                                           .arg(row[column], json["rule"].toString())));
    };
    same("tiers", "tiers");
    same("leafs", "leafs");
    same("spines", "spines");
    same("spines", "spine_by_rule");
    same("node_leaf_cables", "node_leaf_cables", reading.node_factor);
    same("leaf_spine_cables", "leaf_spine_cables", reading.cable_factor);
    same("spine_core_cables", "spine_core_cables", reading.cable_factor);
    same("cores", "cores");
  }

  void the_json_has_exactly_the_promised_keys_in_order() {
    const Answer answer = run_cli({"fabric", "--nodes", "128", "--gpus-per-node", "8", "--rails", "--json"});
    QCOMPARE(answer.code, 0);
    const QStringList keys{"leafs",
                           "spines",
                           "cores",
                           "node_leaf_cables",
                           "leaf_spine_cables",
                           "spine_core_cables",
                           "transceivers",
                           "switch_ports_used",
                           "rule",
                           "tiers",
                           "oversubscription",
                           "notes"};
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

  void a_dragonfly_names_its_groups() {
    // 64 ports: groups of 32 switches with 16 end points and 16 global ports; 512 nodes of 8 links are eight groups of
    // 512; 496 cables in each; floor(512 / 7) = 73 between each two of 28 pairs.
    const Answer answer =
        run_cli({"fabric", "--nodes", "512", "--gpus-per-node", "8", "--topology", "dragonfly", "--json"});
    QVERIFY2(answer.code == 0, answer.err);
    const QJsonObject json = answer.json().object();
    QCOMPARE(json["groups"].toInt(), 8);
    QCOMPARE(json["leafs"].toInt(), 256);
    QCOMPARE(json["group_local_cables"].toInt(), 8 * 496);
    QCOMPARE(json["group_global_cables"].toInt(), 28 * 73);
    QCOMPARE(json["transceivers"].toInt(), 2 * (4096 + 8 * 496 + 28 * 73));
    const Answer stated =
        run_cli({"fabric", "--nodes", "72", "--gpus-per-node", "1", "--topology", "dragonfly", "--radix", "8",
                 "--switches-per-group", "4", "--end-points", "2", "--global-links", "2", "--json"});
    QVERIFY2(stated.code == 0, stated.err);
    QCOMPARE(stated.json().object()["groups"].toInt(), 9); // a h + 1
  }

  void rails_alone_and_other_radix() {
    const Answer rails =
        run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "8", "--topology", "rail-only", "--json"});
    QCOMPARE(rails.code, 0);
    QCOMPARE(rails.json().object()["leafs"].toInt(), 8);
    QCOMPARE(rails.json().object()["spines"].toInt(), 0);
    // 16 leafs with 32 uplinks: 512 links fill four 128-port spines
    const Answer spines =
        run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "8", "--rails", "--spine-radix", "128", "--json"});
    QCOMPARE(spines.json().object()["spines"].toInt(), 4);
    const Answer kept =
        run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "8", "--rails", "--reserved-leaf-ports", "4", "--json"});
    QCOMPARE(kept.json().object()["leafs"].toInt(), 24); // 30 down ports: three units
    // 400 Gbit/s to nodes, uplinks of 800: 64 down ports and 32 uplinks of two
    const Answer faster = run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "4", "--rails", "--radix", "128",
                                   "--uplink-ports", "2", "--json"});
    QCOMPARE(faster.json().object()["leaf_spine_cables"].toInt(), 128);
  }

  void the_port_map_is_one_line_a_class() {
    // The rule of a real fabric of eight racks: leaf port = 33 + 2(s-1) + i, spine port = 8(c-1) + 2(r-1) + 1 + i.
    const QStringList racks{"fabric", "--nodes",      "144",   "--gpus-per-node", "4",         "--nodes-per-unit",
                            "18",     "--leaf-ports", "18/18", "--rails",         "--port-map"};
    const Answer answer = run_cli(racks + QStringList{"--json"});
    QVERIFY2(answer.code == 0, answer.err);
    const QJsonArray map = answer.json().object()["port_map"].toArray();
    QCOMPARE(map.size(), 2);
    QCOMPARE(map[1].toObject()["class"].toString(), QString("leaf-spine"));
    QCOMPARE(map[1].toObject()["rule"].toString(), QString("leaf port = 33 + 2 s + i; spine port = 1 + 8 u + 2 r + i"));
    QCOMPARE(map[1].toObject()["links"].toInt(), 576);
    QCOMPARE(map[1].toObject()["departures"].toInt(), 0);
    const Answer text = run_cli(racks);
    QVERIFY(text.text().contains("33 + 2 s + i"));
    const Answer odd = run_cli({"fabric", "--nodes", "33", "--gpus-per-node", "8", "--nodes-per-unit", "33",
                                "--leaf-ports", "33/31", "--rails", "--port-map", "--links-per-cage", "2"});
    QCOMPARE(odd.code, 2);
    QVERIFY2(QString::fromUtf8(odd.err).contains("cages of their own"), odd.err);
  }

  void text_names_every_count() {
    const Answer answer = run_cli({"fabric", "--nodes", "128", "--gpus-per-node", "8", "--rails"});
    QCOMPARE(answer.code, 0);
    for (const char* label : {"leafs", "spines", "node to leaf cables", "transceivers", "rule"})
      QVERIFY2(answer.text().contains(label), label);
  }

  void a_refusal_is_one_sentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
      QTest::newRow(name) << arguments << QString(says);
    };
    row("no nodes named", {"--gpus-per-node", "8"}, "--nodes");
    row("no nodes", {"--nodes", "0", "--gpus-per-node", "8"}, "--nodes");
    row("a broken number", {"--nodes", "12.5", "--gpus-per-node", "8"}, "--nodes");
    row("beyond all ranges", {"--nodes", "9999999999999", "--gpus-per-node", "8"}, "--nodes");
    row("tiers of another kind", {"--nodes", "8", "--gpus-per-node", "8", "--tiers", "four"}, "--tiers");
    row("one number of leaf ports", {"--nodes", "8", "--gpus-per-node", "8", "--leaf-ports", "32"}, "DOWN/UP");
    row("more than two tiers carry", {"--nodes", "4096", "--gpus-per-node", "8", "--rails", "--tiers", "2"},
        "two tiers");
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
