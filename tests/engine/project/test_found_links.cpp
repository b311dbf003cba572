// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of found links: real dumps, the grammars with their traps, and files that are broken.
#include <QtTest>

#include <random>
#include <set>

#include "project/durable_file.h"
#include "project/found_links.h"

using namespace hallwright;

namespace {

std::string dump(const std::string& name) {
  auto text = read_whole_file(std::string(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric_asbuilt/") + name);
  if (!text) qFatal("%s", text.error().c_str());
  return *std::move(text);
}

FoundLinks read(const std::string& text, const std::string& name = "dump",
                FoundFormat format = FoundFormat::automatic) {
  const FoundSource source{text, name};
  auto found = read_found_links({&source, 1}, format);
  if (!found) qFatal("%s", found.error().c_str());
  return *std::move(found);
}

std::string refusal(const std::string& text, FoundFormat format = FoundFormat::automatic) {
  const FoundSource source{text, "dump"};
  const auto found = read_found_links({&source, 1}, format);
  return found ? std::string() : found.error();
}

/// "leaf:1 - host mlx5_0:1", the ends in the order of the text.
std::set<std::string> links_of(const FoundLinks& f) {
  std::set<std::string> out;
  for (const FoundLink& l : f.links) {
    const auto end = [&](std::uint32_t d, PortKey p) {
      return f.device_text(d) + (f.devices[d].adapter.empty() ? "" : " " + f.devices[d].adapter) + ":" + f.port_text(p);
    };
    const std::string a = end(l.near, l.near_port), b = end(l.far, l.far_port);
    out.insert(std::min(a, b) + " - " + std::max(a, b));
  }
  return out;
}

const FoundDevice& device(const FoundLinks& f, const std::string& name) {
  for (const FoundDevice& d : f.devices)
    if (d.name == name) return d;
  qFatal("no device %s", name.c_str());
}

} // namespace

class TestFoundLinks : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Counted with grep in the file: 508 lines of leaf and spine ports to each other (254 links), 258 lines of tray
  /// adapters, 15 aggregation nodes; SOURCES.csv says what it is.
  void the_real_dump() {
    const std::string text = dump("ndr_rail_fabric_racks1-4.ibnetdiscover");
    const FoundLinks f = read(text);
    QCOMPARE(f.formats.front(), FoundFormat::ibnetdiscover);
    QCOMPARE(f.links.size(), std::size_t{254 + 258});
    QCOMPARE(f.aggregation_links, std::size_t{15});
    for (const FoundLink& l : f.links) {
      QVERIFY(l.both_ends);
      QCOMPARE(int(l.lanes), 4);
      QCOMPARE(l.lane_gbps, 100.0F);
    }
    const FoundDevice& leaf = device(f, "LEAF-R04-K04");
    QCOMPARE(leaf.guid, 0x2c5eab0301f01b40ULL);
    QCOMPARE(leaf.lid, 73U);
    QCOMPARE(leaf.ports, 65U);
    QCOMPARE(leaf.line, 10U);
    QVERIFY(links_of(f).contains("LEAF-R04-K04:35 - SPINE-02:32"));
    QVERIFY(links_of(f).contains("LEAF-R04-K04:1 - rk04-tray01 mlx5_5:1"));
  }

  /// The aggregation node is known by where it sits, not by its name alone.
  void the_aggregation_node_without_its_name() {
    std::string text = dump("ndr_rail_fabric_racks1-4.ibnetdiscover");
    for (std::size_t at = 0; (at = text.find("Mellanox Technologies Aggregation Node", at)) != std::string::npos;)
      text.erase(at, 38);
    const FoundLinks f = read(text);
    QCOMPARE(f.links.size(), std::size_t{512});
    QCOMPARE(f.aggregation_links, std::size_t{15});
  }

  void ibnetdiscover_with_everything_a_name_can_hold() {
    const FoundLinks f =
        read("vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x9010\nswitchguid=0x9010(9010)\n"
             "Switch\t64 \"S-0000000000009010\"\t\t# \"MF0;leaf,1: a:MQM9700/U1\" enhanced port 0 lid 9 lmc 0\n"
             "[1][ext 7]\t\"H-0000000000000020\"[1](20) \t\t# \"host \"\"x\"\" mlx5_0\" lid 7 4xNDR s=100 w=4\n"
             "[2]\t\"H-0000000000000030\"[2](31)[ext 3] \t\t# \"  \" lid 8 2xHDR\n"
             "[3]\t\"R-0000000000000040\"[1]\t\t# \"router\" lid 5 4xNDR\n\n"
             "Ca\t2 \"H-0000000000000030\"\t\t# \"\"\n"
             "[2](31) \t\"S-0000000000009010\"[2]\t\t# lid 8 lmc 0 \"MF0;leaf,1: a:MQM9700/U1\" lid 9 2xHDR\n");
    QCOMPARE(f.links.size(), std::size_t{3});
    const FoundDevice& leaf = device(f, "leaf,1: a");
    QCOMPARE(leaf.kind, FoundKind::network_switch);
    QCOMPARE(leaf.system, 0x9010ULL);
    QVERIFY(links_of(f).contains("host \"\"x\"\" mlx5_0:1 - leaf,1: a:1"));
    QVERIFY(links_of(f).contains("H-0000000000000030:2 - leaf,1: a:2"));
    QVERIFY(f.links[1].both_ends);
    QCOMPARE(int(f.links[1].lanes), 2);
    QCOMPARE(f.links[1].lane_gbps, 50.0F);
    QCOMPARE(device(f, "router").kind, FoundKind::router);
  }

  void a_list_of_ports() {
    const FoundLinks f = read(dump("ibnetdiscover_p_edr.txt"));
    QCOMPARE(f.links.size(), std::size_t{4}); // three of them are told from both ends
    QCOMPARE(f.dark.size(), std::size_t{2});
    const auto links = links_of(f);
    QVERIFY(links.contains("host-a1 HCA-1:1 - isl1-lvl1-sw1:10"));
    QVERIFY(links.contains("isl1-lvl1-sw1:1 - isl1-lvl2-sw1:1"));
    QCOMPARE(device(f, "isl4-lvl1-sw1").lid, 2052U);
    QCOMPARE(f.dark[0].lane_gbps, 0.0F); // ???
    QCOMPARE(f.dark[1].lane_gbps, 2.5F);
    QCOMPARE(f.device_text(f.dark[1].near), std::string("isl7-lvl2-sw1"));
  }

  void a_net_file_of_ibsim() {
    const FoundLinks f = read("Switch 8 \"sw1\"\n[1] \"host1\"[1] w=4x\n[2] \"sw2\"[2]\n\nHca 1 \"host1\"\n[1] "
                              "\"sw1\"[1]\n\nSwitch 8 \"sw2\"\n[2] \"sw1\"[2]\ninclude other.net\n");
    QCOMPARE(f.links.size(), std::size_t{2});
    QVERIFY(links_of(f).contains("host1:1 - sw1:1"));
    QCOMPARE(f.notes.size(), std::size_t{1});
  }

  void iblinkinfo_by_device_and_by_line() {
    const std::string blocks =
        "CA: node-01 mlx5_0:\n"
        "      0x0000000000000020      7    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>       9    1[  ] "
        "\"MF0;leaf-1:MQM9700/U1\" ( )\n"
        "Switch: 0x0000000000009010 MF0;leaf-1:MQM9700/U1:\n"
        "           9    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>       7    1[  ] \"node-01 mlx5_0\" ( )\n"
        "           9    2[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
        "           9    3[  ] ==( 2X      53.125 Gbps Active/  LinkUp)==>      11   33[  ] \"MF0;spine-1:MQM9700/U1\" "
        "( Could be 4X / 106.25 Gbps)\n";
    const std::string lines =
        "0x0000000000009010 \"     MF0;leaf-1:MQM9700/U1\"      9    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>  "
        "0x0000000000000020      7    1[  ] \"node-01 mlx5_0\" ( )\n"
        "0x0000000000009010 \"     MF0;leaf-1:MQM9700/U1\"      9    2[  ] ==( Down/ Polling)==>             [  ] \"\" "
        "( )\n"
        "0x0000000000009010 \"     MF0;leaf-1:MQM9700/U1\"      9    3[  ] ==( 2X 53.125 Gbps Active/  LinkUp)==>  "
        "0x0000000000000030     11   33[  ] \"MF0;spine-1:MQM9700/U1\" ( Could be 4X / 106.25 Gbps)\n";
    for (const std::string& text : {blocks, lines}) {
      const FoundLinks f = read(text);
      QCOMPARE(f.formats.front(), FoundFormat::iblinkinfo);
      QCOMPARE(f.links.size(), std::size_t{2});
      QVERIFY(links_of(f).contains("leaf-1:1 - node-01 mlx5_0:1"));
      QVERIFY(links_of(f).contains("leaf-1:3 - spine-1:33"));
      QCOMPARE(f.dark.size(), std::size_t{1});
      QCOMPARE(f.dark[0].near_port, 2U);
      QCOMPARE(device(f, "leaf-1").guid, 0x9010ULL);
      const FoundLink& slow = f.links[1];
      QCOMPARE(int(slow.lanes), 2);
      QCOMPARE(slow.lane_gbps, 50.0F); // 53.125 on the wire
      QCOMPARE(f.messages[slow.message], std::string("Could be 4X / 106.25 Gbps"));
    }
  }

  void lldp_in_all_its_shapes_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("list of objects")
        << R"({"lldp":{"interface":[{"eth4":{"chassis":{"leaf-03":{"id":{"type":"mac","value":"02:00:00:00:00:03"}}},
            "port":{"id":{"type":"ifname","value":"swp17s0"},"descr":"swp17s0","ttl":"120"}}}]}})";
    QTest::newRow("one object")
        << R"({"lldp":{"interface":{"eth4":{"chassis":{"leaf-03":{"id":{"type":"mac","value":"02:00:00:00:00:03"},
            "capability":[{"type":"Bridge","enabled":true}]}},"port":{"id":{"type":"ifname","value":"swp17s0"}}}}}})";
    QTest::newRow("json0")
        << R"({"lldp":[{"interface":[{"name":"eth4","via":"LLDP",
            "chassis":[{"id":[{"type":"mac","value":"02:00:00:00:00:03"}],"name":[{"value":"leaf-03"}]}],
            "port":[{"id":[{"type":"ifname","value":"swp17s0"}],"descr":[{"value":"swp17s0"}]}]}]}]})";
  }
  void lldp_in_all_its_shapes() {
    QFETCH(QString, text);
    const FoundLinks f = read(text.toStdString(), "racks/node-07.json");
    QCOMPARE(f.formats.front(), FoundFormat::lldp_json);
    QCOMPARE(links_of(f), (std::set<std::string>{"leaf-03:swp17s0 - node-07:eth4"}));
  }

  /// A chassis without a name has no level for it; a port named by a MAC is an identity and no name of a port.
  void lldp_without_names() {
    const FoundLinks f = read(R"({"lldp":{"interface":[
        {"swp1":{"chassis":{"id":{"type":"mac","value":"02:00:00:00:00:11"}},
            "port":{"id":{"type":"mac","value":"02:00:00:00:00:12"},"descr":"eth0"}}},
        {"swp2":{"chassis":{"id":{"type":"mac","value":"02:00:00:00:00:21"}},
            "port":{"id":{"type":"ifname","value":"eth1"}}}},
        {"swp3":{}}]}})",
                              "leaf.json");
    QCOMPARE(f.links.size(), std::size_t{2});
    QCOMPARE(f.devices[f.links[0].far].guid, 0x020000000012ULL);
    QCOMPARE(f.links[0].far_port, 0U);
    QCOMPARE(f.devices[f.links[0].far].adapter, std::string("eth0"));
    QCOMPARE(f.devices[f.links[1].far].guid, 0x020000000021ULL);
    QCOMPARE(f.port_text(f.links[1].far_port), std::string("eth1"));
  }

  /// Both ends of a link in two files are one link.
  void two_files_join() {
    const std::string a =
        R"({"lldp":{"interface":{"swp1":{"chassis":{"spine-1":{"id":{"type":"mac","value":"02:00:00:00:00:01"}}},
            "port":{"id":{"type":"ifname","value":"swp9"}}}}}})";
    const std::string b =
        R"({"lldp":{"interface":{"swp9":{"chassis":{"leaf-1":{"id":{"type":"mac","value":"02:00:00:00:00:02"}}},
            "port":{"id":{"type":"ifname","value":"swp1"}}}}}})";
    const std::vector<FoundSource> sources{{a, "leaf-1.json"}, {b, "spine-1.json"}};
    const auto f = read_found_links(sources);
    QVERIFY(f.has_value());
    QCOMPARE(f->links.size(), std::size_t{1});
    QVERIFY(f->links[0].both_ends);
  }

  void eos_tables_and_json() {
    const FoundLinks table = read(dump("eos_show_lldp_neighbors.txt"), "sw1.txt");
    QCOMPARE(table.formats.front(), FoundFormat::neighbours);
    QCOMPARE(table.links.size(), std::size_t{4});
    QVERIFY(links_of(table).contains("host-104.example.net:Ethernet3/2 - sw1:Et3/1"));
    QVERIFY(links_of(table).contains("dc1-rack11-tor1:1/1 - sw1:Ma1/1"));
    QVERIFY(table.links[0].far != table.links[1].far); // two hosts that both call themselves localhost
    const FoundLinks json = read(
        R"({"tablesLastChangeTime":1,"lldpNeighbors":[{"port":"Ethernet1",
            "neighborDevice":"a-very-long-name-of-a-switch.example.net","neighborPort":"Ethernet49/1","ttl":120}]})",
        "sw1.json");
    QCOMPARE(links_of(json),
             (std::set<std::string>{"a-very-long-name-of-a-switch.example.net:Ethernet49/1 - sw1:Ethernet1"}));
    const FoundLinks wrapped = read("Port          Neighbor Device ID       Neighbor Port ID    TTL\n"
                                    "Et1           a-very-long-name-of-a-switch.example.net\n"
                                    "                                       Ethernet49/1        120\n",
                                    "sw1.txt");
    QCOMPARE(links_of(wrapped),
             (std::set<std::string>{"a-very-long-name-of-a-switch.example.net:Ethernet49/1 - sw1:Et1"}));
  }

  void sonic_and_nxos() {
    const FoundLinks sonic = read("admin@leaf-9:~$ show lldp table\n"
                                  "Capability codes: (R) Router, (B) Bridge, (O) Other\n"
                                  "LocalPort    RemoteDevice    RemotePortID       Capability    RemotePortDescr\n"
                                  "-----------  --------------  -----------------  ------------  ---------------\n"
                                  "Ethernet0    spine 1         Ethernet8          BR            to leaf 9\n"
                                  "Ethernet0    other           02:00:00:00:00:31  B             eth0\n"
                                  "Ethernet4    node-3          02:00:00:00:00:33                eth0\n"
                                  "--------------------------------------------------\n"
                                  "Total entries displayed:  3\n",
                                  "x.txt");
    QCOMPARE(sonic.links.size(), std::size_t{3});
    QVERIFY(links_of(sonic).contains("leaf-9:Ethernet0 - spine 1:Ethernet8"));
    QCOMPARE(device(sonic, "node-3").guid, 0x020000000033ULL);
    QCOMPARE(device(sonic, "spine 1").kind, FoundKind::network_switch);
    const FoundLinks nxos =
        read("leaf-2# show lldp neighbors\nCapability codes:\n  (R) Router, (B) Bridge, (T) Telephone\n"
             "Device ID            Local Intf      Hold-time  Capability  Port ID\n"
             "spine-1              Eth1/49         120        BR          Ethernet1/2\n"
             "a-long-name-of-a-spine.example.net\n"
             "                     Eth1/50         120        BR          Ethernet1/3\n"
             "node-4               Eth1/1          120                    0200.0000.0044\n"
             "Total entries displayed: 3\n",
             "x.txt");
    QCOMPARE(nxos.links.size(), std::size_t{3});
    QVERIFY(links_of(nxos).contains("leaf-2:Eth1/49 - spine-1:Ethernet1/2"));
    QVERIFY(links_of(nxos).contains("a-long-name-of-a-spine.example.net:Ethernet1/3 - leaf-2:Eth1/50"));
    QCOMPARE(device(nxos, "node-4").guid, 0x020000000044ULL);
  }

  void ptm_topo_csv_netq() {
    const FoundLinks ptm = read(dump("ptm_topology_sample.dot"));
    QCOMPARE(ptm.formats.front(), FoundFormat::ptm);
    QCOMPARE(links_of(ptm), (std::set<std::string>{"switch1:swp1 - switch2:swp41", "switch1:swp2 - switch2:swp42",
                                                   "switch1:swp3 - switch2:swp43", "switch1:swp4 - switch2:swp44"}));
    const FoundLinks roles =
        read("graph G { leaf-1 [role=\"leaf\"]; node1 [role=\"host\"]\n leaf-1:swp1 -- node1:eth0 /* c */ }");
    QCOMPARE(device(roles, "node1").kind, FoundKind::host);
    QCOMPARE(links_of(roles), (std::set<std::string>{"leaf-1:swp1 - node1:eth0"}));
    QCOMPARE(read(dump("ibdm_32node_planned.topo")).links.size(), std::size_t{64}); // SOURCES.csv
    QCOMPARE(read(dump("ibdm_32node_partial.topo")).links.size(), std::size_t{62});
    QCOMPARE(read(dump("ibdm_4ary3tree.topo")).links.size(), std::size_t{192});
    QVERIFY(links_of(read(dump("ibdm_32node_planned.topo"))).contains("L1_2:M/P7 - SW_L2_4:7"));
    const FoundLinks avd = read(dump("avd_dual_dc_topology.csv"));
    QCOMPARE(avd.links.size(), std::size_t{46});
    QCOMPARE(device(avd, "dc1-spine1").kind, FoundKind::network_switch);
    QCOMPARE(device(avd, "dc1-leaf1-server1").kind, FoundKind::host);
    const FoundLinks netbox =
        read("side_a_site,side_a_device,side_a_power_panel,side_a_type,side_a_name,side_b_site,side_b_device,side_b_"
             "power_panel,side_b_type,side_b_name,type,status,label\n"
             "s,leaf-1,,dcim.interface,Ethernet1/1,s,\"node \"\"1\"\"\",,dcim.interface,eth0,smf-os2,connected,C-1\n");
    QCOMPARE(links_of(netbox), (std::set<std::string>{"leaf-1:Ethernet1/1 - node \"1\":eth0"}));
    QCOMPARE(netbox.messages[netbox.links[0].label], std::string("C-1"));
    const FoundLinks own =
        read("cable;near rack;near U;near device;near port;far rack;far U;far device;far port;rail;label\n"
             "1;R01;41;leaf 1;3;R02;18;node 7;2;4;R01-41:3/R02-18:2\n");
    QCOMPARE(device(own, "leaf 1").rack, std::string("R01"));
    QCOMPARE(device(own, "node 7").unit_place, std::string("18"));
    QCOMPARE(int(own.links[0].rail), 3);
    QCOMPARE(own.messages[own.links[0].label], std::string("R01-41:3/R02-18:2"));
    QCOMPARE(read(dump("netq_topology_graph.json")).links.size(), std::size_t{79});
  }

  // --- broken files -------------------------------------------------------------------------------------------
  void broken_files_are_refused_with_their_line_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("starts");
    const QByteArray block = "Switch\t64 \"S-0000000000009010\"\t\t# \"MF0;l:M/U1\" enhanced port 0 lid 9 lmc 0\n";
    QTest::newRow("empty") << QByteArray() << "dump line 1: the file is empty";
    QTest::newRow("zero byte") << QByteArray("vendid=0x2c9\nab\0c", 17) << "dump line 2: a zero byte";
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE"
                                          "v\1e\1",
                                          6)
                            << "dump line 1: the file is UTF-16";
    QTest::newRow("no format") << QByteArray("hello\nworld\n") << "dump line 1: \"hello\" begins no known format";
    QTest::newRow("port outside a block")
        << QByteArray("vendid=0x2c9\n\n[1]\t\"S-0000000000009010\"[1]\n") << "dump line 3: ";
    QTest::newRow("cut within a name") << block + "[1]\t\"H-0000000000000020\"[1](20) \t\t# \"ho"
                                       << "dump line 2: ";
    QTest::newRow("cut within an id") << block + "[1]\t\"H-00000000000"
                                      << "dump line 2: ";
    QTest::newRow("port above the device's") << block + "[65]\t\"H-0000000000000020\"[1]\t\t# \"h\" lid 1 4xNDR\n"
                                             << "dump line 2: ";
    QTest::newRow("port that no number holds") << block + "[99999999999999999999]\t\"H-0000000000000020\"[1]\n"
                                               << "dump line 2: ";
    QTest::newRow("guid that is none") << QByteArray("vendid=0x2c9\nsysimgguid=0xZZ\n") << "dump line 2: ";
    QTest::newRow("list cut off") << QByteArray("CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719\n")
                                  << "dump line 1: ";
    QTest::newRow("arrow cut off") << QByteArray("CA: node:\n 7 1[ ] ==( 4X 106.25 Gbps Active/ Li") << "dump line 2: ";
    QTest::newRow("JSON cut off") << QByteArray("{\"lldp\":{\"interface\":\n{\"eth0\":") << "dump line 2: ";
    QTest::newRow("JSON too deep") << QByteArray(100'000, '[').prepend("{\"lldp\":") << "dump line 1: nested deeper";
    QTest::newRow("JSON of something else") << QByteArray("{\"a\":1,\"b\":2}") << "dump line 1: the JSON has none of";
    QTest::newRow("dot not closed") << QByteArray("graph G {\n\"a\":\"1\" -- \"b\":\"2\"\n") << "dump line ";
    QTest::newRow("dot without ports") << QByteArray("graph G {\n\"a\" -- \"b\"\n}") << "dump line 2: ";
    QTest::newRow("topo cut off") << QByteArray("SW S1\n   P1 -4x-5G-> SW S2\n") << "dump line 2: ";
    QTest::newRow("csv without a device")
        << QByteArray("near_device,near_port,far_device,far_port\na,1,b,2\n,1,b,3\n") << "dump line 3: ";
    QTest::newRow("csv quote") << QByteArray("near_device,near_port,far_device,far_port\na,1,\"b,2\n")
                               << "dump line 2: ";
    QTest::newRow("table row") << QByteArray(
                                      "Device ID            Local Intf      Hold-time  Capability  Port ID\nalone\n")
                               << "dump line 2: ";
  }
  void broken_files_are_refused_with_their_line() {
    QFETCH(QByteArray, text);
    QFETCH(QString, starts);
    const QString said = QString::fromStdString(refusal(text.toStdString()));
    QVERIFY2(said.startsWith(starts), qPrintable(said));
  }

  /// Bytes changed, cut and doubled at random: never a crash, and a refusal names a line.
  void noise_never_crashes() {
    std::mt19937 random(20261130);
    std::vector<std::string> seeds;
    for (const char* name : {"ibnetdiscover_p_edr.txt", "ptm_topology_sample.dot", "ibdm_32node_planned.topo",
                             "avd_dual_dc_topology.csv", "eos_show_lldp_neighbors.txt", "netq_topology_graph.json"})
      seeds.push_back(dump(name));
    seeds.push_back(dump("ndr_rail_fabric_racks1-4.ibnetdiscover").substr(0, 8'000));
    const FoundFormat formats[] = {
        FoundFormat::automatic,  FoundFormat::ibnetdiscover, FoundFormat::iblinkinfo, FoundFormat::lldp_json,
        FoundFormat::neighbours, FoundFormat::ptm,           FoundFormat::topo,       FoundFormat::csv};
    int refused = 0;
    for (int round = 0; round < 4'000; ++round) {
      std::string text = seeds[random() % seeds.size()];
      if (text.size() > 9'000) text.resize(9'000);
      for (unsigned edits = random() % 6; edits-- > 0 && !text.empty();) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, 1 + random() % 40);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
          break;
        default:
          text.resize(at);
        }
      }
      const std::string said = refusal(text, formats[random() % 8]);
      if (said.empty()) continue;
      ++refused;
      QVERIFY2(said.starts_with("dump line "), said.c_str());
    }
    QVERIFY(refused > 1'000);
  }

  /// Twenty megabytes at once: every link of each copy is found.
  void aLargeDump() {
    const std::string one = dump("ndr_rail_fabric_racks1-4.ibnetdiscover");
    std::string text;
    while (text.size() < 20'000'000) { // other identities each time
      std::string copy = one;
      const std::string mark = QString::number(text.size() / one.size() % 256, 16).rightJustified(2, '0').toStdString();
      for (std::size_t at = 0; (at = copy.find("-2c5eab03", at)) != std::string::npos; at += 5)
        copy.replace(at + 1, 2, mark);
      for (std::size_t at = 0; (at = copy.find("-e09d7303", at)) != std::string::npos; at += 5)
        copy.replace(at + 1, 2, mark);
      text += copy;
    }
    const FoundLinks f = read(text);
    QVERIFY(f.links.size() >= read(one).links.size() * std::min<std::size_t>(256, text.size() / one.size()));
  }
};

QTEST_APPLESS_MAIN(TestFoundLinks)
#include "test_found_links.moc"
