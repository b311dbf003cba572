// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "fabric/link_medium.h"

using namespace hallwright;

namespace {

const Catalog& shipped() {
  static const Catalog catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
  return catalog;
}
CageEnd node_end(Count links, double link) {
  CageEnd e;
  e.word = "node";
  e.node = true;
  e.links = links;
  e.cage_gbit_s = link * static_cast<double>(links);
  return e;
}
CageEnd switch_end(const char* part, double link, Cages wired = {}, const char* word = "leaf") {
  return switch_cage(shipped().find<SwitchPart>(part), link, wired, link, word);
}
/// 400G nodes with single-port adapters on a QM9700.
MediumRequest ndr_node() {
  return {400, node_end(1, 400), switch_end("qm9700", 400), LinkMedium::automatic, {}, {}, {}, 0, CableLengths::stock};
}
MediumRequest ndr_uplink() {
  return {400, switch_end("qm9700", 400), switch_end("qm9700", 400, {}, "spine"), LinkMedium::automatic, {}, {}, {},
          0,   CableLengths::stock};
}
const LinkChoice& chosen(const MediumTable& t, CableShapes shapes, double metres) {
  return t.choices[t.pick(shapes, metres * 1e3).choice];
}
bool beyond(const MediumTable& t, CableShapes shapes, double metres) { return t.pick(shapes, metres * 1e3).beyond; }
constexpr CableShapes both{true, true}, only_fibre{}, split{false, true}, straight{true, false};

} // namespace

class TestLinkMedium : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void cagesOfSwitches() {
    // QM9700: 32 cages of 64 ports of 400: two links, eight lanes of 100.
    const CageEnd qm = switch_end("qm9700", 400);
    QCOMPARE(qm.links, Count{2});
    QCOMPARE(qm.cage_gbit_s, 800.0);
    QCOMPARE(qm.lane_gbit_s, 100.0);
    // Quantum-X800: 72 cages of 1.6T, lanes of 200.
    const CageEnd q3400 = switch_end("q3400-ra", 800);
    QCOMPARE(q3400.links, Count{2});
    QCOMPARE(q3400.lane_gbit_s, 200.0);
    // SN5600 at 400: two to a cage; at 800 one; at 200 four.
    QCOMPARE(switch_end("sn5600", 400).links, Count{2});
    QCOMPARE(switch_end("sn5600", 800).links, Count{1});
    QCOMPARE(switch_end("sn5600", 200).links, Count{4});
    // A wiring that uses each 800G cage for one 400G link only.
    QCOMPARE(switch_end("sn5600", 400, {64, 1}).links, Count{1});
  }

  void cagesOfNodes() {
    // DGX H100: 4 twin cages for 8 adapters; a DGX B300 states 800G adapters: two planes of 400 share one.
    QCOMPARE(node_cage(shipped(), "dgx-h100", NetworkKind::compute, 400, {}).links, Count{2});
    QCOMPARE(node_cage(shipped(), "dgx-h100", NetworkKind::storage, 400, {}).links, Count{1});
    QCOMPARE(node_cage(shipped(), "dgx-b200", NetworkKind::compute, 400, {}).links, Count{1});
    QCOMPARE(node_cage(shipped(), "dgx-b300-psu", NetworkKind::compute, 400, {}, 2).links, Count{2});
    QCOMPARE(node_cage(shipped(), "dgx-b300-psu", NetworkKind::compute, 800, {}, 1).links, Count{1});
    QCOMPARE(node_cage(shipped(), "no-such-node", NetworkKind::compute, 400, "mma4z00-ns-flt").links, Count{2});
    QCOMPARE(node_cage(shipped(), "no-such-node", NetworkKind::compute, 400, {}).links, Count{1});
  }

  /// NVIDIA 100G lanes: splitter copper to 3 m, active copper 3 to 5 m, multimode to 50 m, then single mode.
  void nodesAt100GLanes() {
    const MediumTable t = medium_table(shipped(), ndr_node());
    QVERIFY2(t.problem.empty(), t.problem.c_str());
    const LinkChoice& dac = chosen(t, split, 2.4);
    QVERIFY(dac.medium == LinkMedium::passive_copper && dac.shape == CableShape::split);
    QCOMPARE(dac.cable, std::string("dac-800-2x400"));
    QCOMPARE(dac.ordered_mm(2400), 2500u);
    QVERIFY(chosen(t, split, 3.0).medium == LinkMedium::passive_copper);
    QVERIFY(chosen(t, split, 3.1).medium == LinkMedium::active_copper);
    QCOMPARE(chosen(t, split, 3.1).ordered_mm(3100), 4000u);
    QVERIFY(chosen(t, split, 5.0).medium == LinkMedium::active_copper);
    QVERIFY(chosen(t, split, 5.1).medium != LinkMedium::active_copper);
    // Cages that reach several far ones cannot take a cable with plugs.
    QVERIFY(chosen(t, only_fibre, 2.0).shape == CableShape::fibre);
    // Fibre: a 100 m module at the node end limits to 100 m.
    QVERIFY(chosen(t, split, 90.0).medium == LinkMedium::single_mode);
    QVERIFY(!beyond(t, split, 100.0));
    QVERIFY(beyond(t, split, 100.1));
  }

  void uplinksAt100GLanes() {
    const MediumTable t = medium_table(shipped(), ndr_uplink());
    // A straight twin cable needs both links of a cage to end in one other cage.
    QVERIFY(chosen(t, straight, 2.0).medium == LinkMedium::passive_copper);
    QCOMPARE(chosen(t, straight, 2.0).links_per_cable, Count{2});
    QVERIFY(chosen(t, straight, 2.1).medium == LinkMedium::active_copper);
    QVERIFY(chosen(t, only_fibre, 2.0).medium == LinkMedium::multimode);
    QVERIFY(chosen(t, only_fibre, 50.0).medium == LinkMedium::multimode);
    const LinkChoice& dr = chosen(t, only_fibre, 50.1);
    QVERIFY(dr.medium == LinkMedium::single_mode);
    QCOMPARE(dr.near_optic, std::string("mms4x00-ns"));
    QCOMPARE(chosen(t, only_fibre, 100.1).near_optic, std::string("mms4x00-nm"));
    QCOMPARE(chosen(t, only_fibre, 500.0).near_optic, std::string("mms4x00-nm"));
    const LinkChoice& fr = chosen(t, only_fibre, 500.1);
    QCOMPARE(fr.near_optic, std::string("mms4x50-nm"));
    QCOMPARE(fr.cable, std::string("smf-lc-400"));
    QVERIFY(!beyond(t, only_fibre, 2000.0));
    QVERIFY(beyond(t, only_fibre, 2000.1));
  }

  /// XDR: neither passive copper nor multimode; active copper to 3 m (2 m split), single mode to 500 m.
  void lanesOf200G() {
    MediumRequest q{
        800, switch_end("q3400-ra", 800), switch_end("q3400-ra", 800, {}, "spine"), LinkMedium::automatic, {}, {}, {},
        0,   CableLengths::stock};
    MediumTable t = medium_table(shipped(), q);
    for (const LinkChoice& c : t.choices)
      QVERIFY(c.medium == LinkMedium::active_copper || c.medium == LinkMedium::single_mode);
    QVERIFY(chosen(t, straight, 3.0).medium == LinkMedium::active_copper);
    QCOMPARE(chosen(t, only_fibre, 3.0).near_optic, std::string("mms4a00-xm"));
    QVERIFY(!beyond(t, only_fibre, 500.0));
    q.medium = LinkMedium::passive_copper;
    t = medium_table(shipped(), q);
    QVERIFY(t.choices.empty());
    QVERIFY2(t.problem.find("passive copper") != std::string::npos, t.problem.c_str());
    q.medium = LinkMedium::multimode;
    QVERIFY(medium_table(shipped(), q).choices.empty());
    // 800G adapters: one module of four lanes.
    q = {800, node_end(1, 800), switch_end("q3400-ra", 800), LinkMedium::automatic, {}, {}, {}, 0, CableLengths::stock};
    t = medium_table(shipped(), q);
    QCOMPARE(chosen(t, split, 2.0).cable, std::string("acc-1600-2x800"));
    QCOMPARE(chosen(t, split, 2.1).near_optic, std::string("mms4a20-xm800"));
  }

  void statedMediumIsKeptAndRefusedBeyondItsReach() {
    MediumRequest q = ndr_uplink();
    q.medium = LinkMedium::multimode;
    const MediumTable t = medium_table(shipped(), q);
    QVERIFY(!beyond(t, both, 50.0));
    QVERIFY(beyond(t, both, 60.0));
    const LinkChoice& c = chosen(t, both, 60.0);
    QVERIFY(c.medium == LinkMedium::multimode);
    QCOMPARE(c.limit_mm, 50000.0);
    QVERIFY2(c.limit_reason.find("50 m") != std::string::npos, c.limit_reason.c_str());
  }

  void namedPartsAreUsed() {
    MediumRequest q = ndr_uplink();
    q.near_optic = q.far_optic = "mms4x00-nm";
    q.cable = "smf-mpo-400";
    const MediumTable t = medium_table(shipped(), q);
    QCOMPARE(t.choices.size(), 1u);
    QVERIFY(t.choices[0].problems.empty());
    QCOMPARE(chosen(t, both, 4.0).near_optic, std::string("mms4x00-nm"));
    QCOMPARE(chosen(t, both, 4.0).ordered_mm(4000), 5000u);
    // One named end: the other is chosen to fit it, and copper is not looked for.
    q = ndr_node();
    q.far_optic = "mma4z00-ns";
    const MediumTable one = medium_table(shipped(), q);
    QVERIFY(chosen(one, both, 2.0).medium == LinkMedium::multimode);
    QCOMPARE(chosen(one, both, 2.0).near_optic, std::string("mma1z00-ns400"));
  }

  void namedPartsThatDoNotFit() {
    const auto problem_of = [](const MediumRequest& q) {
      const MediumTable t = medium_table(shipped(), q);
      return t.choices.empty() ? t.problem : t.choices[0].problems.empty() ? std::string() : t.choices[0].problems[0];
    };
    // Multimode against single mode.
    MediumRequest q = ndr_uplink();
    q.near_optic = "mma4z00-ns";
    q.far_optic = "mms4x00-ns";
    QVERIFY(problem_of(q).find("mmf") != std::string::npos);
    // A finned plug at an adapter, a flat one in an air-cooled switch.
    q = ndr_node();
    q.near = node_end(2, 400);
    q.near_optic = q.far_optic = "mma4z00-ns";
    QVERIFY2(problem_of(q).find("flat-top") != std::string::npos, problem_of(q).c_str());
    q.near_optic = "mma4z00-ns-flt";
    QVERIFY2(problem_of(q).empty(), problem_of(q).c_str());
    q.far_optic = "mma4z00-ns-flt";
    QVERIFY(problem_of(q).find("finned") != std::string::npos);
    // A single-port module in a twin cage; 100G lanes in a switch of 200G lanes.
    q = ndr_uplink();
    q.near_optic = q.far_optic = "mms4x00-ns400";
    QVERIFY(!problem_of(q).empty());
    q = {800,
         switch_end("q3400-ra", 800),
         switch_end("q3400-ra", 800),
         LinkMedium::automatic,
         "mms4x00-ns",
         "mms4x00-ns",
         {},
         0,
         CableLengths::stock};
    const MediumTable slow = medium_table(shipped(), q);
    QVERIFY(!slow.choices.empty());
    QVERIFY(std::any_of(slow.choices[0].problems.begin(), slow.choices[0].problems.end(),
                        [](const std::string& p) { return p.find("do not shift down") != std::string::npos; }));
    q.cable = "no-such-cable";
    QVERIFY(problem_of(q).find("no-such-cable") != std::string::npos);
  }

  /// 800G links on 100G lanes run over both sockets of a twin module: one link, two fibre cables, one module an end.
  void oneLinkOverTwoSockets() {
    const MediumRequest q{
        800, switch_end("sn5600", 800), switch_end("sn5600", 800, {}, "spine"), LinkMedium::automatic, {}, {}, {},
        0,   CableLengths::stock};
    const MediumTable t = medium_table(shipped(), q);
    const LinkChoice& c = chosen(t, only_fibre, 40.0);
    QCOMPARE(c.cables_per_link, Count{2});
    QCOMPARE(c.near_links, Count{1});
  }

  /// NVIDIA's 200G form: a twin module makes four links of 200 over two splitters, a 400G module at each adapter runs
  /// at 200; splitters reach 50 m whatever the module, active copper with four ends 5 m.
  void splitters() {
    MediumRequest q{200, node_end(1, 200),   switch_end("qm9700", 200, {32, 4}), LinkMedium::automatic, {}, {}, {},
                    0,   CableLengths::stock};
    q.near.cage_gbit_s = 400; // an adapter of 400
    const MediumTable t = medium_table(shipped(), q);
    QVERIFY2(!t.choices.empty(), t.problem.c_str());
    QCOMPARE(chosen(t, split, 4.5).cable, std::string("acc-800-4x200"));
    const LinkChoice& c = chosen(t, split, 40.0);
    QVERIFY(c.shape == CableShape::fibre && c.split_far && !c.split_near);
    QCOMPARE(c.links_per_cable, Count{2});
    QCOMPARE(c.far_links, Count{4});
    QCOMPARE(c.near_links, Count{1});
    QVERIFY(!beyond(t, split, 50.0));
    QVERIFY(beyond(t, split, 50.1));
    // FR4 cannot be split.
    q.near_optic = "mms4x00-ns400";
    q.far_optic = "mms4x50-nm";
    QVERIFY(beyond(medium_table(shipped(), q), split, 1.0));
  }

  void panelsShortenAndThenBreakTheReach() {
    MediumRequest q = ndr_uplink();
    q.medium = LinkMedium::single_mode;
    q.panels = 2;
    QVERIFY(!beyond(medium_table(shipped(), q), both, 500.0));
    q.panels =
        3; // 2.1 dB of joints against 1.6 dB of the 500 m module and 2.2... of FR4 over LC: 1.5 dB and 0.3 dB left
    const MediumTable t = medium_table(shipped(), q);
    for (const LinkChoice& c : t.choices)
      if (!c.channel.lc) QCOMPARE(c.limit_mm, 0.0);
    // FR4: budget 4 x 0.25 + 2 x 0.4 = 1.8 dB; six LC joints take 1.5; 0.3 dB are 750 m.
    QVERIFY(!beyond(t, both, 750.0));
    QVERIFY(beyond(t, both, 750.2));
    // Copper passes no panel.
    q.medium = LinkMedium::automatic;
    q.panels = 1;
    QVERIFY(chosen(medium_table(shipped(), q), straight, 1.0).shape == CableShape::fibre);
  }

  void lengthsToOrder() {
    MediumRequest q = ndr_uplink();
    q.near_optic = q.far_optic = "mms4x00-nm";
    const MediumTable stock = medium_table(shipped(), q);
    const LinkChoice& s = chosen(stock, both, 20.0);
    QCOMPARE(s.ordered_mm(100), 3000u);
    QCOMPARE(s.ordered_mm(20000), 20000u);
    QCOMPARE(s.ordered_mm(20000.1), 30000u);
    QCOMPARE(s.ordered_mm(100001), 110000u); // beyond the longest in stock: steps of 10 m
    QCOMPARE(s.ordered_mm(499000), 500000u);
    q.lengths = CableLengths::cut;
    const MediumTable cut = medium_table(shipped(), q);
    const LinkChoice& c = chosen(cut, both, 20.0);
    QCOMPARE(c.ordered_mm(20000), 20000u);
    QCOMPARE(c.ordered_mm(20000.1), 20100u);
    // Copper is sold in lengths even where fibre is cut.
    q = ndr_node();
    q.lengths = CableLengths::cut;
    const MediumTable node = medium_table(shipped(), q);
    QCOMPARE(chosen(node, split, 2.1).ordered_mm(2100), 2500u);
  }

  /// Prices by hand: multimode 2 x 462 + 120 + 4.5 L, single mode 2 x 550 + 90 + 2 L: single mode is cheaper beyond
  /// (1190 - 1044) / 2.5 = 58.4 m, which multimode does not reach; so multimode wins wherever it reaches. With dearer
  /// multimode fibre the change comes earlier.
  void theCheapestThatReaches() {
    MediumRequest q = ndr_uplink();
    q.lengths = CableLengths::cut;
    QVERIFY(chosen(medium_table(shipped(), q), only_fibre, 49.9).medium == LinkMedium::multimode);
    Catalog c = shipped();
    for (CablePart& part : c.cables)
      if (part.id == "mmf-mpo-400") part.price_per_length = MoneyPerLength::from_value(12.0);
    // 1044 + 12 L = 1190 + 2 L at 14.6 m.
    const MediumTable t = medium_table(c, q);
    QVERIFY(chosen(t, only_fibre, 14.5).medium == LinkMedium::multimode);
    QVERIFY(chosen(t, only_fibre, 14.7).medium == LinkMedium::single_mode);
  }

  void managementPorts() {
    CageEnd port;
    port.word = "node";
    port.node = true;
    port.cage_gbit_s = 1;
    const MediumRequest q{1, port, switch_end("sn2201", 1), LinkMedium::automatic, {}, {}, {}, 0, CableLengths::stock};
    const MediumTable t = medium_table(shipped(), q);
    QCOMPARE(chosen(t, straight, 40.0).cable, std::string("cat6-1g"));
    QCOMPARE(chosen(t, straight, 40.0).ordered_mm(40000), 50000u);
    QVERIFY(!beyond(t, straight, 100.0));
    QVERIFY(beyond(t, straight, 100.1));
  }

  void nothingFitsIsASentence() {
    const MediumRequest q{
        25, node_end(1, 25),    switch_end("cisco-93240yc-fx2", 25), LinkMedium::automatic, {}, {}, {},
        0,  CableLengths::stock};
    const MediumTable t = medium_table(shipped(), q);
    QVERIFY(t.choices.empty());
    QVERIFY2(t.problem.find("25 Gbit/s") != std::string::npos, t.problem.c_str());
    MediumRequest nothing = ndr_node();
    nothing.link_gbit_s = 0;
    QVERIFY(!medium_table(shipped(), nothing).problem.empty());
  }
};

QTEST_APPLESS_MAIN(TestLinkMedium)
#include "test_link_medium.moc"
