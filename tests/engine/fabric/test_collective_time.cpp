// SPDX-License-Identifier: GPL-3.0-or-later
// Collective times against hand-worked steps of NCCL's published model, and against measured series.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catalog/csv.h"
#include "fabric/collective_time_table.h"

using namespace hallwright;

namespace {

const Catalog& shipped() {
  static const Catalog catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
  return catalog;
}
const CollectiveConstants& constants() {
  static const CollectiveConstants c = collective_constants(shipped()).value();
  return c;
}
std::string measured_text() {
  std::ifstream in(HALLWRIGHT_SOURCE_DIR "/tests/data/collectives/measured.csv");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
CollectiveTime of(Collective c, double bytes, const CollectiveGroup& group,
                  std::optional<CollectiveAlgorithm> algorithm = {}, std::optional<CollectiveProtocol> protocol = {}) {
  const auto t = collective_time({.collective = c, .bytes = bytes, .algorithm = algorithm, .protocol = protocol}, group,
                                 constants());
  return t ? *t : CollectiveTime{};
}
constexpr CollectiveGroup h100_node{.ranks = 8, .domains = 1, .scale_up_gb_s = 450, .network_gb_s = 50};
CollectiveGroup h100_nodes(Count nodes) {
  CollectiveGroup g = h100_node;
  g.ranks = 8 * nodes;
  g.domains = nodes;
  return g;
}
bool near(double value, double expected, double share) {
  return std::abs(value - expected) <= share * std::abs(expected);
}

/// Mean error of each series, from 1 MiB up and below.
struct Errors {
  double sum = 0;
  int rows = 0;
  [[nodiscard]] double mean() const { return rows > 0 ? sum / rows : 0.0; }
};
std::map<std::pair<std::string, bool>, Errors> errors_by_series() {
  std::map<std::pair<std::string, bool>, Errors> out;
  const auto table = predict_collectives(measured_text(), shipped());
  if (!table) return out;
  const auto records = read_csv(table->csv).value();
  std::map<std::string, std::size_t> column;
  for (std::size_t i = 0; i < records[0].cells.size(); ++i)
    column[records[0].cells[i]] = i;
  for (std::size_t r = 1; r < records.size(); ++r) {
    const auto& cells = records[r].cells;
    const std::string predicted = cells[column.at("predicted_time_us")];
    if (predicted.empty()) continue;
    const std::string id = cells[column.at("id")];
    const double measured = std::stod(cells[column.at("time_us")]), bytes = std::stod(cells[column.at("bytes")]);
    // The first sizes of that run were called first: 32 KiB took 6.3 ms, 64 KiB 3.2 and 128 KiB 0.56, each twice the size
    // in less time, until from 256 KiB on times grow with bytes. That is a program warming up, not a network.
    if (id.rfind("COL-SB-B200x4", 0) == 0 && bytes < 262144) continue;
    Errors& e = out[{id.substr(0, id.rfind('-')), bytes >= 1048576}];
    e.sum += std::abs(std::stod(predicted) / measured - 1.0);
    ++e.rows;
  }
  return out;
}

} // namespace

class TestCollectiveTime : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_ring_by_hand() {
    // 8 GPUs, Simple: 8.4 us and 14 steps of 3.4 us; each GPU passes on 14/8 of 1 GB at 18 x 20.6 = 370.8 GB/s.
    const auto t = of(Collective::all_reduce, 1e9, h100_node, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY2(near(t.latency_us, 8.4 + 14 * 3.4, 1e-9), qPrintable(QString::number(t.latency_us)));
    QVERIFY2(near(t.transfer_us, 1e9 * 14 / 8 / 370.8e3, 1e-6), qPrintable(QString::number(t.transfer_us)));
    // Two nodes: 30 steps, 2 of them over the network at 14 us; the others post three messages of 1 us, less than 3.4.
    const auto two =
        of(Collective::all_reduce, 1e9, h100_nodes(2), CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY2(near(two.latency_us, 8.4 + 28 * 3.4 + 2 * 14, 1e-9), qPrintable(QString::number(two.latency_us)));
    // All-gather: half the steps and half the bytes of an all-reduce.
    const auto gather =
        of(Collective::all_gather, 1e9, h100_node, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY(near(gather.latency_us, 8.4 + 7 * 3.4, 1e-9));
    QVERIFY(near(gather.transfer_us, t.transfer_us / 2, 1e-9));
  }

  void a_tree_by_hand() {
    // LL at 1 KiB on two nodes of 8: 6.8 us, then up and down 7 steps of 0.6 us and one of 5 us.
    const auto t = of(Collective::all_reduce, 1024, h100_nodes(2), CollectiveAlgorithm::tree, CollectiveProtocol::ll);
    QVERIFY2(near(t.latency_us, 6.8 + 2 * (7 * 0.6 + 5.0), 1e-9), qPrintable(QString::number(t.latency_us)));
    // 32 nodes have five levels.
    const auto wide =
        of(Collective::all_reduce, 1024, h100_nodes(32), CollectiveAlgorithm::tree, CollectiveProtocol::ll);
    QVERIFY(near(wide.latency_us, 6.8 + 2 * (7 * 0.6 + 5 * 5.0), 1e-9));
  }

  void bus_factors_as_nccl_tests_has_them() {
    QCOMPARE(bus_factor(Collective::all_reduce, 8), 1.75);
    QCOMPARE(bus_factor(Collective::all_gather, 4), 0.75);
    QCOMPARE(bus_factor(Collective::all_to_all, 2), 0.5);
    QCOMPARE(bus_factor(Collective::broadcast, 8), 1.0);
  }

  void what_maintainers_expect() {
    // nccl-tests issue 212: a ring on one H100 node reaches 370 GB/s, with reduction in switches 480.
    const auto ring =
        of(Collective::all_reduce, 16e9, h100_node, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY2(near(ring.bus_gb_s, 370, 0.02), qPrintable(QString::number(ring.bus_gb_s)));
    const auto nvls = of(Collective::all_reduce, 16e9, h100_node);
    QCOMPARE(nvls.algorithm, CollectiveAlgorithm::nvls);
    QVERIFY2(near(nvls.bus_gb_s, 480, 0.03), qPrintable(QString::number(nvls.bus_gb_s)));
    // nccl-tests issue 290: 46 to 48 GB/s on the wire of each 400 Gb/s NIC.
    const auto four =
        of(Collective::all_reduce, 64e9, h100_nodes(4), CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY2(four.bus_gb_s / 8 >= 46 && four.bus_gb_s / 8 <= 48, qPrintable(QString::number(four.bus_gb_s / 8)));
    // lixueduan.com: two GB200 trays, 811 GB/s at the peak.
    CollectiveGroup trays{
        .ranks = 8, .domains = 1, .scale_up_gb_s = 900, .network_gb_s = 0, .generation = GpuGeneration::blackwell};
    QVERIFY(near(of(Collective::all_reduce, 32e9, trays).bus_gb_s, 811, 0.05));
  }

  void wire_and_bus_are_different_numbers() {
    // Wire rate of a ring over k nodes of 8, per NIC: bytes 2 (n - 1) / n / 8 over the time.
    const auto t =
        of(Collective::all_reduce, 16e9, h100_nodes(4), CollectiveAlgorithm::ring, CollectiveProtocol::simple);
    QVERIFY(near(t.wire_gb_s, t.bus_gb_s / 8, 1e-9));
    QCOMPARE(of(Collective::all_reduce, 1e9, h100_node).wire_gb_s, 0.0);
  }

  void all_to_all_leaves_the_domain_in_proportion() {
    // 4 nodes of 8: 24 of 32 peers are outside; their share of 1 GB by the NIC at 0.955 of 50 GB/s.
    const auto t = of(Collective::all_to_all, 1e9, h100_nodes(4));
    QVERIFY(near(t.network_bytes, 0.75e9, 1e-9));
    QVERIFY(near(t.transfer_us, 0.75e9 / (0.955 * 50e3), 1e-9));
    // Within a node: 7 of 8 by NVLink.
    QVERIFY(near(of(Collective::all_to_all, 1e9, h100_node).transfer_us, 7.0 / 8 * 1e9 / 370.8e3, 1e-6));
  }

  void a_longer_path_takes_longer() {
    CollectiveGroup g = h100_nodes(16);
    const auto leaf = of(Collective::all_reduce, 1024, g, CollectiveAlgorithm::tree, CollectiveProtocol::ll);
    g.tier = PathTier::core;
    g.path_m = 100;
    const auto core = of(Collective::all_reduce, 1024, g, CollectiveAlgorithm::tree, CollectiveProtocol::ll);
    // Four switches more of 0.25 us and 100 m of 4.5 ns, four levels up and four down.
    QVERIFY(near(core.latency_us - leaf.latency_us, 8 * (4 * 0.25 + 0.45), 1e-6));
  }

  void times_grow_with_bytes_and_never_are_nothing() {
    for (const CollectiveGroup& g : {h100_node, h100_nodes(2), h100_nodes(64)})
      for (Collective c : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                           Collective::all_to_all, Collective::broadcast, Collective::send_receive}) {
        double last = 0;
        for (double bytes = 0; bytes < 1e12; bytes = bytes * 64 + 64) {
          const auto t = collective_time({.collective = c, .bytes = bytes}, g, constants());
          QVERIFY(t);
          QVERIFY(std::isfinite(t->total_us()) && t->total_us() > 0);
          QVERIFY2(t->total_us() >= last * 0.999, qPrintable(QString::number(bytes)));
          last = t->total_us();
        }
      }
  }

  void wrong_groups_are_refused_in_words() {
    const auto refusal = [](CollectiveGroup g, double bytes = 1) {
      const auto t = collective_time({.bytes = bytes}, g, constants());
      return t ? QString() : QString::fromStdString(t.error());
    };
    CollectiveGroup g = h100_node;
    g.ranks = 1;
    QCOMPARE(refusal(g), QStringLiteral("ranks must be 2 to 10000000; it is 1"));
    g = h100_nodes(2);
    g.network_gb_s = 0;
    QVERIFY(refusal(g).contains("network rate"));
    QVERIFY(refusal(h100_node, std::nan("")).contains("bytes"));
    QVERIFY(!collective_time({.bytes = 1, .algorithm = CollectiveAlgorithm::collnet_direct}, h100_node, constants()));
  }

  void measured_series_from_one_mebibyte_up() {
    // Numbers were fitted to one rack, P5, H100, one B200 node and the odd rows of four; two racks, H200 and the even
    // rows of four were kept out of that, though all were in view when the model was chosen.
    const auto errors = errors_by_series();
    const std::set<std::string> series{"COL-CW-SingleRack", "COL-AWS-P5",    "COL-AZ-H100", "COL-SB-B200x1",
                                       "COL-SB-B200x4",     "COL-CW-2Racks", "COL-AZ-H200"};
    std::set<std::string> seen;
    for (const auto& [key, e] : errors) {
      if (!key.second) continue;
      seen.insert(key.first);
      qInfo("%s, 1 MiB and above: %.1f %% of %d rows", key.first.c_str(), 100 * e.mean(), e.rows);
      QVERIFY2(e.mean() < 0.15, key.first.c_str());
    }
    QCOMPARE(seen, series);
  }

  void measured_series_below_one_mebibyte() {
    int seen = 0;
    for (const auto& [key, e] : errors_by_series()) {
      if (key.second) continue;
      ++seen;
      qInfo("%s, below 1 MiB: %.1f %% of %d rows", key.first.c_str(), 100 * e.mean(), e.rows);
      QVERIFY2(e.mean() < 0.30, key.first.c_str());
    }
    QCOMPARE(seen, 5);
  }

  void a_table_keeps_its_columns() {
    const auto table = predict_collectives("id,gpus,nodes,collective,bytes,intra_GBps_per_gpu,inter_GBps_per_gpu,note\n"
                                           "a,8,1,all_reduce,1024,450,,\"one, \"\"two\"\"\"\n"
                                           "b,8,1,all_reduce,,450,,\n",
                                           shipped());
    QVERIFY(table);
    QCOMPARE(table->predicted, Count(1));
    QCOMPARE(table->notes.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(table->notes[0]), QStringLiteral("line 3: no prediction, bytes is empty"));
    const auto rows = read_csv(table->csv).value();
    QCOMPARE(rows[0].cells.back(), std::string("predicted_time_us"));
    QCOMPARE(rows[1].cells[7], std::string("one, \"two\""));
    QVERIFY(std::stod(rows[1].cells[8]) > 10 && std::stod(rows[1].cells[8]) < 60);
    QCOMPARE(rows[2].cells[8], std::string());
  }

  void wrong_lines_are_refused_all_at_once() {
    const auto table = predict_collectives("gpus,nodes,collective,bytes,intra_GBps_per_gpu,inter_GBps_per_gpu\n"
                                           "8,1,all_reduce,many,450,\n"
                                           "8,9,all_reduce,1024,450,50\n"
                                           "2.5,1,all_reduce,1024,450,\n"
                                           "8,1,gossip,1024,450,\n"
                                           "8,1,all_reduce,1024,450,,extra\n",
                                           shipped());
    QVERIFY(!table);
    QCOMPARE(table.error().size(), std::size_t(5));
    QCOMPARE(QString::fromStdString(table.error()[0]), QStringLiteral("line 2: bytes \"many\" is not a number"));
    QVERIFY(QString::fromStdString(table.error()[1]).startsWith("line 3: nodes"));
    QVERIFY(QString::fromStdString(table.error()[2]).startsWith("line 4: gpus must be a whole number"));
    QVERIFY(QString::fromStdString(table.error()[3]).contains("gossip"));
    QVERIFY(!predict_collectives("", shipped()));
    QVERIFY(!predict_collectives("gpus,nodes\n8,1\n", shipped()));
  }

  void only_hardware_counts() {
    // The same hardware under another name and note: the same time.
    const char* head = "system,gpus,nodes,gpus_per_node,collective,bytes,intra_GBps_per_gpu,inter_GBps_per_gpu,note\n";
    const auto time_of = [&](const std::string& row) {
      const auto table = predict_collectives(head + row, shipped());
      return table ? std::stod(read_csv(table->csv).value()[1].cells.back()) : -1.0;
    };
    QCOMPARE(time_of("H100 somewhere,16,2,8,all_reduce,1048576,450,50,\n"),
             time_of("Elsewhere H100,16,2,8,all_reduce,1048576,450,50,a note\n"));
    // 18 trays of 4 are one NVL72 domain: no network is needed.
    QVERIFY(time_of("GB200 NVL72,72,18,4,all_reduce,1048576,900,,\n") > 0);
    // 36 trays are two.
    QCOMPARE(time_of("GB200 NVL72,144,36,4,all_reduce,1e9,900,50,\n"),
             time_of("GB200,144,36,4,all_reduce,1e9,900,50,\n"));
  }
};

QTEST_APPLESS_MAIN(TestCollectiveTime)
#include "test_collective_time.moc"
