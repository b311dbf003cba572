// SPDX-License-Identifier: GPL-3.0-or-later
// As-built against a plan: each kind of mistake made on purpose is found, told as the fewest moves, and nothing else
// is.
#include <QtTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "engine/fabric/as_built_fabric.h"
#include "fabric/as_built.h"
#include "project/durable_file.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

std::string told(const AsBuiltResult& r) {
  std::string out;
  for (const AsBuiltFinding& f : r.findings)
    out += fmt::format("{} | {} | {} | {} | {}\n", as_built_word(f.kind), f.where, f.far, f.found, f.move);
  return out;
}

/// The link of the plan between two ends.
std::size_t link_at(const PlannedFabric& plan, const std::string& device, PortKey port) {
  for (std::size_t i = 0; i < plan.links.size(); ++i)
    if ((plan.devices[plan.links[i].near].name == device && plan.links[i].near_port == port) ||
        (plan.devices[plan.links[i].far].name == device && plan.links[i].far_port == port))
      return i;
  qFatal("no link at %s", device.c_str());
}

FoundLinks read(const std::string& name) {
  const std::string path = std::string(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric_asbuilt/") + name;
  const auto text = read_whole_file(path);
  if (!text) qFatal("%s", text.error().c_str());
  const FoundSource source{*text, name};
  auto f = read_found_links({&source, 1});
  if (!f) qFatal("%s", f.error().c_str());
  return *std::move(f);
}

} // namespace

class TestAsBuilt : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void as_planned_is_silent() {
    for (const Shape& s :
         {Shape{}, Shape{.racks = 2, .rails = 8, .trays = 32, .spines = 16, .bundle = 1, .planes = 2}}) {
      const PlannedFabric plan = planned(s);
      FoundLinks f = found(plan);
      std::mt19937 random(7);
      std::shuffle(f.links.begin(), f.links.end(), random);
      const AsBuiltResult r = compare_as_built(plan, f);
      QVERIFY2(r.findings.empty(), told(r).c_str());
      QCOMPARE(r.matched, plan.links.size());
      QCOMPARE(r.links, plan.links.size());
      QCOMPARE(r.plug_moves, std::size_t{0});
    }
  }

  void each_mistake_alone_data() {
    QTest::addColumn<int>("mistake");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("moves");
    QTest::addColumn<QString>("where");
    QTest::newRow("two plugs of a bundle") << 0 << "crossed_in_bundle" << 2 << "LEAF-P1-R02-K03:35, LEAF-P1-R02-K03:36";
    QTest::newRow("two nodes on a rail") << 1 << "exchanged_nodes" << 2 << "LEAF-P1-R02-K03:5, LEAF-P1-R02-K03:6";
    QTest::newRow("two rails of a node") << 2 << "exchanged_rails" << 2 << "rk03-tray05:2, rk03-tray05:3";
    QTest::newRow("one leaf, two spines") << 3 << "exchanged_switches" << 2 << "LEAF-P1-R02-K03:35, LEAF-P1-R02-K03:37";
    QTest::newRow("three nodes in a ring")
        << 4 << "exchanged_nodes" << 3 << "LEAF-P1-R02-K03:5, LEAF-P1-R02-K03:6, LEAF-P1-R02-K03:7";
    QTest::newRow("a plug in a port that is not planned") << 5 << "crossed_in_bundle" << 1 << "LEAF-P1-R02-K03:30";
    QTest::newRow("a cable that is missing") << 6 << "missing" << 0 << "LEAF-P1-R02-K03:5";
    QTest::newRow("a cable that nobody planned") << 7 << "extra" << 0 << "LEAF-P1-R02-K03:63";
    QTest::newRow("half the lanes") << 8 << "degraded" << 0 << "LEAF-P1-R02-K03:35";
    QTest::newRow("an adapter without a name") << 9 << "unnamed" << 0 << "LEAF-P1-R02-K03:5";
    QTest::newRow("an adapter with another's name") << 10 << "unnamed" << 0 << "LEAF-P1-R02-K03:5";
    QTest::newRow("a switch that is not there") << 11 << "absent_switch" << 0 << "LEAF-P1-R02-K03";
    QTest::newRow("a switch without a name") << 12 << "unnamed" << 0 << "";
  }
  void each_mistake_alone() {
    QFETCH(int, mistake);
    const PlannedFabric plan = planned({});
    FoundLinks f = found(plan);
    const std::string leaf = "LEAF-P1-R02-K03";
    const std::size_t up = link_at(plan, leaf, 35), second = link_at(plan, leaf, 36), other = link_at(plan, leaf, 37);
    const std::size_t tray5 = link_at(plan, leaf, 5), tray6 = link_at(plan, leaf, 6), tray7 = link_at(plan, leaf, 7);
    const std::size_t tray5_rail3 = link_at(plan, "LEAF-P1-R03-K03", 5);
    const std::uint32_t leaf_device = f.links[tray5].far;
    switch (mistake) {
    case 0:
      exchange_far(f, up, second);
      break;
    case 1:
      exchange_far(f, tray5, tray6);
      break;
    case 2:
      exchange_far(f, tray5, tray5_rail3);
      break;
    case 3:
      exchange_far(f, up, other);
      break;
    case 4:
      exchange_far(f, tray5, tray6);
      exchange_far(f, tray6, tray7);
      break;
    case 5:
      f.links[tray5].far_port = 30;
      break;
    case 6:
      f.links.erase(f.links.begin() + static_cast<std::ptrdiff_t>(tray5));
      break;
    case 7: {
      FoundDevice d;
      d.name = "stranger";
      d.kind = FoundKind::host;
      d.guid = 0x1234;
      FoundLink l = f.links[tray5];
      l.near = static_cast<std::uint32_t>(f.devices.size());
      l.far_port = 63;
      f.devices.push_back(d);
      f.links.push_back(l);
      break;
    }
    case 8:
      f.links[up].lanes = 2;
      break;
    case 9:
      f.devices[f.links[tray5].near].name = "MT4129 ConnectX7   Mellanox Technologies";
      f.devices[f.links[tray5].near].adapter.clear();
      break;
    case 10:
      f.devices[f.links[tray5].near].name = "rk03-tray06";
      break;
    case 11:
      std::erase_if(f.links, [&](const FoundLink& l) { return l.near == leaf_device || l.far == leaf_device; });
      break;
    case 12:
      f.devices[leaf_device].name.clear();
      break;
    }
    const AsBuiltResult r = compare_as_built(plan, f);
    QFETCH(QString, kind);
    QFETCH(QString, where);
    QFETCH(int, moves);
    QVERIFY2(r.findings.size() == 1, told(r).c_str());
    QCOMPARE(QString::fromUtf8(as_built_word(r.findings[0].kind).data()), kind);
    if (!where.isEmpty()) QCOMPARE(QString::fromStdString(r.findings[0].where), where);
    QCOMPARE(r.plug_moves, static_cast<std::size_t>(moves));
    if (moves == 2) {
      QVERIFY2(r.findings[0].move.starts_with("exchange the plugs in "), r.findings[0].move.c_str());
      QVERIFY2(r.findings[0].move.find("(rack ") != std::string::npos &&
                   r.findings[0].move.find("labels C") != std::string::npos,
               r.findings[0].move.c_str());
    }
  }

  void wrong_plane() {
    const PlannedFabric plan = planned({.racks = 3, .rails = 4, .trays = 8, .spines = 4, .bundle = 2, .planes = 2});
    FoundLinks f = found(plan);
    exchange_far(f, link_at(plan, leaf_name(0, 1, 2), 3), link_at(plan, leaf_name(1, 1, 2), 3));
    exchange_far(f, link_at(plan, leaf_name(0, 0, 0), 33), link_at(plan, leaf_name(1, 0, 0), 33));
    const AsBuiltResult r = compare_as_built(plan, f);
    QVERIFY2(r.findings.size() == 2 && r.count(AsBuiltKind::wrong_plane) == 2, told(r).c_str());
    QCOMPARE(r.plug_moves, std::size_t{4});
  }

  /// All names of adapters gone: identities alone find an exchange of nodes and one of rails on a board.
  void identities_without_names() {
    const PlannedFabric plan = planned({});
    FoundLinks f = found(plan);
    exchange_far(f, link_at(plan, leaf_name(0, 2, 1), 5), link_at(plan, leaf_name(0, 2, 1), 9));
    exchange_far(f, link_at(plan, leaf_name(0, 1, 2), 4), link_at(plan, leaf_name(0, 1, 3), 4));
    for (FoundDevice& d : f.devices)
      if (d.kind == FoundKind::host) d.name.clear(), d.adapter.clear();
    const AsBuiltResult r = compare_as_built(plan, f);
    QVERIFY2(r.count(AsBuiltKind::exchanged_nodes) == 1 && r.count(AsBuiltKind::exchanged_rails) == 1 &&
                 r.count(AsBuiltKind::unnamed) == 1 && r.findings.size() == 3,
             told(r).c_str());
    QCOMPARE(r.plug_moves, std::size_t{4});
  }

  /// A node renamed to its neighbour on one adapter is no exchange where the board says that nothing was moved; an
  /// exchange with the names gone wrong as well is still found.
  void identity_wins_over_names() {
    const PlannedFabric plan = planned({});
    FoundLinks f = found(plan);
    const std::size_t a = link_at(plan, leaf_name(0, 2, 1), 5), b = link_at(plan, leaf_name(0, 2, 1), 6);
    std::swap(f.devices[f.links[a].near].name, f.devices[f.links[b].near].name);
    AsBuiltResult r = compare_as_built(plan, f);
    QVERIFY2(r.findings.size() == 2 && r.count(AsBuiltKind::unnamed) == 2, told(r).c_str());
    exchange_far(f, a, b);
    r = compare_as_built(plan, f);
    QVERIFY2(r.count(AsBuiltKind::exchanged_nodes) == 1 && r.findings.size() == 1, told(r).c_str());
  }

  /// Plan and dump use other names throughout: devices are placed by their ports, and a mistake is still found.
  void other_names_throughout() {
    const PlannedFabric plan = planned({});
    FoundLinks f = found(plan);
    for (FoundDevice& d : f.devices)
      d.name = d.kind == FoundKind::host ? "h" + d.name : "site-" + std::to_string(d.guid % 100'000);
    exchange_far(f, link_at(plan, leaf_name(0, 2, 1), 35), link_at(plan, leaf_name(0, 2, 1), 36));
    exchange_far(f, link_at(plan, leaf_name(0, 2, 1), 5), link_at(plan, leaf_name(0, 2, 1), 6));
    const AsBuiltResult r = compare_as_built(plan, f);
    QCOMPARE(r.count(AsBuiltKind::crossed_in_bundle), std::size_t{1});
    QCOMPARE(r.count(AsBuiltKind::exchanged_nodes), std::size_t{1});
    QCOMPARE(r.count(AsBuiltKind::missing) + r.count(AsBuiltKind::extra), std::size_t{0});
  }

  /// Any number of far plugs permuted: plugs to move are those that changed their place, and doing the moves gives the
  /// plan.
  void moves_undo_any_permutation() {
    std::mt19937 random(20261129);
    const PlannedFabric plan = planned({.racks = 2, .rails = 4, .trays = 10, .spines = 3, .bundle = 2, .down = 16});
    for (int round = 0; round < 60; ++round) {
      FoundLinks f = found(plan);
      // Uplinks only: at switches a name cannot hide a place.
      std::vector<std::size_t> up;
      for (std::size_t i = 0; i < plan.links.size(); ++i)
        if (plan.links[i].kind == LinkClass::leaf_spine) up.push_back(i);
      for (unsigned n = 1 + random() % 8; n-- > 0;)
        exchange_far(f, up[random() % up.size()], up[random() % up.size()]);
      std::size_t moved = 0;
      const FoundLinks right = found(plan);
      for (std::size_t i : up)
        moved += f.links[i].far != right.links[i].far || f.links[i].far_port != right.links[i].far_port;
      const AsBuiltResult r = compare_as_built(plan, f);
      QCOMPARE(r.plug_moves, moved);
      QCOMPARE(r.matched, plan.links.size() - moved);
      std::map<std::string, std::string> go;
      for (const AsBuiltFinding& x : r.findings)
        for (const PlugMove& m : x.moves) {
          QVERIFY(!m.from.empty() && !m.to.empty());
          QVERIFY(go.emplace(m.from, m.to).second);
        }
      std::map<std::string, std::pair<std::string, PortKey>> socket;
      for (const PlannedLink& l : plan.links)
        for (const auto& [d, p] : {std::pair(l.near, l.near_port), std::pair(l.far, l.far_port)})
          socket[plan.end_text(d, p)] = {plan.devices[d].name, p};
      for (FoundLink& l : f.links)
        for (auto [d, p] : {std::pair(&l.near, &l.near_port), std::pair(&l.far, &l.far_port)}) {
          const auto move = go.find(f.devices[*d].name + ":" + std::to_string(*p));
          if (move == go.end() || f.devices[*d].kind == FoundKind::host) continue;
          const auto& [name, port] = socket.at(move->second);
          *p = port;
          *d = static_cast<std::uint32_t>(
              std::find_if(f.devices.begin(), f.devices.end(), [&](const FoundDevice& x) { return x.name == name; }) -
              f.devices.begin());
        }
      const AsBuiltResult after = compare_as_built(plan, f);
      QVERIFY2(after.findings.empty(), told(after).c_str());
    }
  }

  /// ibutils' own pair of files (SOURCES.csv): two links are missing in the second.
  void ibdm_pair() {
    const AsBuiltResult r =
        compare_as_built(planned_fabric(read("ibdm_32node_planned.topo")), read("ibdm_32node_partial.topo"));
    QVERIFY2(r.findings.size() == 2 && r.count(AsBuiltKind::missing) == 2, told(r).c_str());
    QCOMPARE(r.findings[0].where, std::string("SW_L2_4:7"));
    QCOMPARE(r.findings[0].far, std::string("L1_2:M/P7"));
    QCOMPARE(r.findings[1].where, std::string("SW_L2_4:8"));
  }

  void a_file_against_itself() {
    for (const char* name : {"ibdm_32node_planned.topo", "ibdm_4ary3tree.topo", "avd_dual_dc_topology.csv",
                             "netq_topology_graph.json", "ptm_topology_sample.dot", "ibnetdiscover_p_edr.txt"}) {
      const FoundLinks f = read(name);
      const AsBuiltResult r = compare_as_built(planned_fabric(f), f);
      QVERIFY2(r.findings.empty(), (std::string(name) + "\n" + told(r)).c_str());
      QCOMPARE(r.matched, f.links.size());
    }
  }

  /// "Et1/2" of a table is "Ethernet1/2" of a plan.
  void short_names_of_ports() {
    const std::string plan_text = "near_device,near_port,far_device,far_port\nleaf-1,Ethernet1/"
                                  "2,spine-1,Ethernet9\nleaf-1,Ethernet1/3,spine-2,Ethernet9\n";
    const std::string table = "Device ID            Local Intf      Hold-time  Capability  Port ID\n"
                              "spine-1.example.net  Eth1/2          120        BR          Ethernet9\nspine-2          "
                              "    Eth1/3          120        BR          Ethernet9\n";
    const FoundSource p{plan_text, "plan.csv"}, t{table, "leaf-1.txt"};
    const AsBuiltResult r = compare_as_built(planned_fabric(*read_found_links({&p, 1})), *read_found_links({&t, 1}));
    QVERIFY2(r.findings.empty(), told(r).c_str());
    QCOMPARE(r.matched, std::size_t{2});
  }
};

QTEST_APPLESS_MAIN(TestAsBuilt)
#include "test_as_built.moc"
