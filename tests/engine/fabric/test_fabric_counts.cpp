// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fstream>
#include <map>
#include <sstream>

#include <rapidcheck.h>

#include "catalog/csv.h"
#include "wiring_laws.h"

using namespace hallwright;

namespace {

using Published = std::map<std::string, std::string>;
std::vector<Published> published_rows() {
  std::ifstream in(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric/fabric_counts.csv");
  std::ostringstream text;
  text << in.rdbuf();
  const auto records = read_csv(text.str()).value();
  std::vector<Published> out;
  for (std::size_t r = 1; r < records.size(); ++r)
    for (std::size_t c = 0; c < records[0].cells.size(); ++c) {
      if (c == 0) out.emplace_back();
      out.back()[records[0].cells[c]] = c < records[r].cells.size() ? records[r].cells[c] : std::string();
    }
  return out;
}
Count number(const Published& row, const std::string& column) {
  const auto it = row.find(column);
  return it == row.end() || it->second.empty() ? 0 : std::stoll(it->second);
}

/// What a row counts in other units than links, states in its note only, or leaves open and any network of its kind
/// has.
struct Reading {
  Count radix = 0;        ///< stated in the note or implied by the leaf ports
  Count port_factor = 1;  ///< links in one port as the row counts ports
  Count cable_factor = 1; ///< links in one leaf-spine cable as the row counts cables
  Count node_factor = 1;  ///< links in one node cable
  Count reserved_places = 0, reserved_links = 0;
  UnitRule units = UnitRule::whole;
  Count spine_radix = 0, core_radix = 0;
  Count nodes = 0, leaf_down = 0, leaf_up = 0;
  double taper = 1.0, core_taper = 1.0;
  bool other_units = false; ///< what the row calls a unit shares no leaf
};
const std::map<std::string, Reading> readings = {
    // One node place a fabric is given to fabric managers, whose cables are 4 (note of the rows).
    {"FC-H100-1", {.reserved_places = 1, .reserved_links = 4}},
    {"FC-H100-2", {.reserved_places = 1, .reserved_links = 4}},
    {"FC-H100-4", {.reserved_places = 1, .reserved_links = 4}},
    // Two planes of 400 Gbit/s; the rows count 800 Gbit/s cables and cages, two links each.
    {"FC-B300SX-1", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-B300SX-3", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    {"FC-B300SX-5", {.port_factor = 2, .cable_factor = 2, .node_factor = 2}},
    // 64 cages of 800 Gbit/s, 400 Gbit/s to nodes, leaf to spine counted in 800 Gbit/s (note of the row).
    {"FC-ASTER-1", {.port_factor = 2, .cable_factor = 2}},
    // The last leaf is partly filled and its uplinks were counted as they are (note of the row).
    {"FC-IBDM-128", {.units = UnitRule::lit}},
    // A k-ary n-tree builds as many top switches as switches of other levels and uses half their 8 ports (its note).
    {"FC-IBDM-4A3", {.core_radix = 4}},
    // Its unit is eight racks; leafs are shared by the 18 trays of one.
    {"FC-GB200-1", {.other_units = true}},
    // The row states no radix and no leaf ports, and its two sources disagree on the segments (15 or 8). What it
    // states,
    // cables of nodes and segments of 128 nodes, follows with any switch that carries 128 nodes of a rail; its two
    // links
    // a GPU go to two planes.
    {"FC-HPN-2", {.radix = 256}},
    // The row states no radix and no leaf ports, but both tapers: 1:2 at the leaf, 7:1 towards the cores.
    {"FC-META-1", {.radix = 128, .taper = 0.5, .core_taper = 7.0}},
    // Two leafs and two spines with two links between each: 4 uplinks a leaf and 4 ports a spine in use; nodes are
    // open.
    {"FC-JVD-2", {.radix = 8, .spine_radix = 4, .nodes = 8, .leaf_down = 4, .leaf_up = 4}},
    // 4 down and 4 up ports: switches of 8.
    {"FC-SIMGRID-1", {.radix = 8}},
    // The spine radix of the row is empty; leafs have 64 ports.
    {"FC-SHKE-1", {.radix = 64}},
    // 72 GPUs, one link each to each of 18 switch chips: 72 ports a chip.
    {"FC-NVL72-1", {.radix = 72}},
};

FabricRequest request_of(const Published& row, const Reading& reading) {
  FabricRequest q;
  q.nodes = reading.nodes > 0 ? reading.nodes : number(row, "nodes");
  q.planes = std::max<Count>(1, number(row, "planes"));
  q.links_per_node = std::max<Count>(1, number(row, "gpus_per_node")) * std::max<Count>(1, number(row, "nics_per_gpu"));
  // The adapters of NVL72 are spread over its planes; those of the others are split into planes.
  if (row.at("network") == "nvlink" || row.at("id") == "FC-HPN-2") q.links_per_node /= q.planes;
  q.radix = (reading.radix ? reading.radix : number(row, "leaf_radix")) * reading.port_factor;
  q.rails = row.at("rail_optimised") == "yes";
  q.tiers = static_cast<Tiers>(number(row, "tiers"));
  if (const std::string& ports = row.at("leaf_down_up"); !ports.empty()) {
    q.leaf_down = std::stoll(ports) * reading.port_factor;
    q.leaf_up = std::stoll(ports.substr(ports.find('/') + 1)) * reading.port_factor;
  }
  if (reading.leaf_down > 0) {
    q.leaf_down = reading.leaf_down;
    q.leaf_up = reading.leaf_up;
  } else if (q.leaf_down == 0 && q.tiers != Tiers::one) {
    q.nodes_per_unit = number(row, "nodes_per_su");
  }
  q.spine_radix = reading.spine_radix;
  q.core_radix = reading.core_radix;
  q.oversubscription = reading.taper;
  q.core_oversubscription = reading.core_taper;
  q.units = reading.units;
  q.reserved_node_places = reading.reserved_places;
  q.reserved_links = reading.reserved_links;
  return q;
}

/// A request of which the law tests draw many.
FabricRequest any_request(bool lit) {
  FabricRequest q;
  q.radix = *rc::gen::element<Count>(8, 16, 32, 36, 40, 64, 128, 144);
  q.links_per_node = *rc::gen::inRange<Count>(1, 10);
  q.rails = *rc::gen::arbitrary<bool>();
  q.nodes = *rc::gen::inRange<Count>(1, 3000);
  q.nodes_per_unit = *rc::gen::element<Count>(0, 0, 4, 16, 18, 32, 72);
  q.oversubscription = *rc::gen::element(1.0, 1.0, 1.5, 2.0, 3.0);
  q.planes = *rc::gen::inRange<Count>(1, 4);
  q.units = lit ? UnitRule::lit : UnitRule::whole;
  q.bundles = *rc::gen::element(BundleRule::equal, BundleRule::equal, BundleRule::uneven);
  return q;
}

} // namespace

class TestFabricCounts : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_published_row_is_reproduced_data() {
    QTest::addColumn<int>("index");
    const auto rows = published_rows();
    QVERIFY2(rows.size() >= 25, "the published designs are missing");
    for (std::size_t i = 0; i < rows.size(); ++i)
      QTest::newRow(rows[i].at("id").c_str()) << static_cast<int>(i);
  }
  void every_published_row_is_reproduced() {
    QFETCH(int, index);
    const Published row = published_rows()[static_cast<std::size_t>(index)];
    const std::string id = row.at("id");
    const auto found = readings.find(id);
    const Reading reading = found == readings.end() ? Reading{} : found->second;
    FabricRequest q = request_of(row, reading);
    auto counts = fabric_counts(q);
    QVERIFY2(counts, counts ? "" : counts.error().c_str());
    auto same = [&](Count ours, const std::string& column, Count factor = 1) {
      if (row.at(column).empty()) return;
      QVERIFY2(
          ours == number(row, column) * factor,
          (column + ": ours " + std::to_string(ours) + ", published " + row.at(column) + "; " + counts->rule).c_str());
    };
    same(counts->tiers, "tiers");
    same(counts->leafs, "leafs");
    same(counts->spines, "spines");
    same(counts->spines, "spine_by_rule");
    same(counts->node_leaf_cables, "node_leaf_cables", reading.node_factor);
    same(counts->leaf_spine_cables, "leaf_spine_cables", reading.cable_factor);
    same(counts->spine_core_cables, "spine_core_cables", reading.cable_factor);
    same(counts->cores, "cores");
    if (!reading.other_units) same(counts->units, "su");

    WiringRequest request;
    request.counts = q;
    const auto wired = wire(request);
    QVERIFY2(wired, wired ? "" : wired.error().c_str());
    QCOMPARE(test::broken_law(*wired), std::string());
    for (const PortRule& rule : wired->rules)
      if (!reading.reserved_links) QCOMPARE(rule.departures, Count{0});

    if (q.tiers == Tiers::one) return; // automatic tiers would not choose a bare rail for it
    q.tiers = Tiers::automatic;
    auto automatic = fabric_counts(q);
    QVERIFY(automatic);
    QCOMPARE(automatic->tiers, counts->tiers);
    QCOMPARE(automatic->spines, counts->spines);
  }

  void a_source_against_its_own_arithmetic() {
    // B300 XDR, 18 units of 72 nodes: the table says 9,216 GPUs, 1,296 nodes and 10,368 cables. 1,296 * 8 = 10,368,
    // which is also the two-tier limit 144 * 72; the number of GPUs belongs to 16 units.
    FabricRequest q;
    q.nodes = 1296;
    q.radix = 144;
    q.nodes_per_unit = 72;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->tiers, Count{2});
    QCOMPARE(counts->units, Count{18});
    QCOMPARE(counts->node_leaf_cables, Count{10368});
    QVERIFY(counts->node_leaf_cables != Count{9216});
    q.nodes = 16 * 72;
    QCOMPARE(fabric_counts(q)->node_leaf_cables, Count{9216});
  }

  void rails_alone_need_no_spine_until_a_switch_is_full() {
    // Eight rails of 64 nodes on 64-port switches: eight switches, each a rail of its own.
    FabricRequest q;
    q.topology = Topology::rail_only;
    q.nodes = 64;
    auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->tiers, Count{1});
    QCOMPARE(counts->leafs, Count{8});
    QCOMPARE(counts->spines + counts->cores, Count{0});
    QCOMPARE(counts->node_leaf_cables, Count{512});
    // Of two tiers each rail is a tree: 4 leafs of 32 nodes, 128 uplinks on 2 spines.
    q.nodes = 128;
    counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->tiers, Count{2});
    QCOMPARE(counts->leafs, Count{8 * 4});
    QCOMPARE(counts->spines, Count{8 * 2});
    QCOMPARE(counts->leaf_spine_cables, Count{8 * 128});
    q.tiers = Tiers::one;
    const auto refused = fabric_counts(q);
    QVERIFY(!refused);
    QCOMPARE(refused.error(),
             std::string(
                 "one tier of radix 64 carries 64 nodes on each rail; 128 are asked for: use two tiers or radix 128"));
  }

  void spines_and_cores_of_other_radix() {
    // 16 leafs with 32 uplinks: 512 links on 128-port spines fill 4, on 64-port spines 8.
    FabricRequest q;
    q.nodes = 64;
    q.spine_radix = 128;
    auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->spines, Count{4});
    QCOMPARE(counts->switch_ports_idle, Count{0}); // 16 * 64 + 4 * 128 ports, 512 + 2 * 512 in use
    // Four ports of each spine are kept: 512 / 124 = 4.1, and the next divisor of 32 is 8.
    q.reserved_spine_ports = 4;
    counts = fabric_counts(q);
    QCOMPARE(counts->spines, Count{8});
    // Four ports of each leaf are kept: 30 down and 30 up; 64 nodes are three units of 30.
    q = {};
    q.nodes = 64;
    q.reserved_leaf_ports = 4;
    counts = fabric_counts(q);
    QCOMPARE(counts->leaf_down, Count{30});
    QCOMPARE(counts->leaf_up, Count{30});
    QCOMPARE(counts->leafs, Count{24});
  }

  void uplinks_of_twice_the_rate() {
    // 64 cages of 800 Gbit/s, 400 Gbit/s to 64 nodes a rail: 64 down links in 32 cages, 32 uplinks of 800 Gbit/s in the
    // others; four leafs, 128 uplinks, two 64-port spines, as published with 64-port counting.
    FabricRequest q;
    q.nodes = 64;
    q.links_per_node = 4;
    q.radix = 128;
    q.uplink_ports = 2;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leafs, Count{4});
    QCOMPARE(counts->leaf_up, Count{32});
    QCOMPARE(counts->leaf_spine_cables, Count{128});
    QCOMPARE(counts->spines, Count{2});
    QCOMPARE(counts->oversubscription, 1.0);
  }

  void tapers_of_both_tiers() {
    // Leafs 2:1 on 64 ports: 42 down, 21 up. Spines 3:1: 48 down, 16 up.
    FabricRequest q;
    q.nodes = 2000;
    q.oversubscription = 2.0;
    q.core_oversubscription = 3.0;
    q.tiers = Tiers::three;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leaf_down, Count{42});
    QCOMPARE(counts->leaf_up, Count{21});
    QCOMPARE(counts->spine_down, Count{48});
    QCOMPARE(counts->spine_up, Count{16});
    QCOMPARE(counts->oversubscription, 2.0);
    QCOMPARE(counts->core_oversubscription, 3.0);
  }

  void the_rule_says_which_divisor_it_took() {
    // Four units of 72 nodes on 144-port switches: 32 leafs * 72 = 2304 links / 144 = 16, which does not divide 72.
    FabricRequest q;
    q.nodes = 288;
    q.radix = 144;
    q.nodes_per_unit = 72;
    auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->spines, Count{18});
    QCOMPARE(counts->rule, std::string("equal bundles: spines 18, the smallest divisor of 72 that is at least 16"));
    q.bundles = BundleRule::uneven;
    counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->spines, Count{16});
    QVERIFY(counts->uneven);
  }

  void uneven_bundles_reproduce_a_generator_of_2004() {
    // 105 leafs with 48 uplinks on 144 ports: 105 * 48 / 144 = 35 spines; 35 does not divide 48.
    FabricRequest q;
    q.nodes = 105 * 96;
    q.links_per_node = 1;
    q.rails = false;
    q.radix = 144;
    q.leaf_down = 96;
    q.leaf_up = 48;
    q.bundles = BundleRule::uneven;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leafs, Count{105});
    QCOMPARE(counts->spines, Count{35});
    QVERIFY(counts->uneven);
    QCOMPARE(counts->oversubscription, 2.0);
  }

  void equal_bundles_hold_at_the_cores_too() {
    // 24 pods of 64 leafs with 64 uplinks: 24 * 4096 = 98304 links / 128 = 768, which does not divide 4096: 1024.
    FabricRequest q;
    q.nodes = 24 * 64 * 64 / 8;
    q.radix = 128;
    q.nodes_per_unit = 64;
    q.tiers = Tiers::three;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leafs, Count{1536});
    QCOMPARE(counts->pods, Count{24});
    QCOMPARE(counts->spines, Count{1536});
    QCOMPARE(counts->spine_core_cables, Count{98304});
    QCOMPARE(counts->cores, Count{1024});
  }

  void a_refusal_names_the_next_design() {
    FabricRequest q; // 512 nodes of 8 links: 4096 links, 128 leafs of 32 down ports; 64-port spines reach 64 leafs
    q.nodes = 512;
    q.nodes_per_unit = 32;
    q.tiers = Tiers::two;
    const auto counts = fabric_counts(q);
    QVERIFY(!counts);
    QCOMPARE(counts.error(),
             std::string("two tiers of radix 64 carry 2048 links (64 leafs); 4096 are asked for (128 leafs): "
                         "use three tiers or radix 128"));
    q.tiers = Tiers::automatic;
    QCOMPARE(fabric_counts(q)->tiers, Count{3});
    q.nodes = 8193; // three tiers of radix 64 carry 64^3 / 4 = 65536 links
    q.tiers = Tiers::automatic;
    const auto too_many = fabric_counts(q);
    QVERIFY(!too_many);
    QVERIFY2(too_many.error().find("65536 links") != std::string::npos &&
                 too_many.error().find("radix 128") != std::string::npos,
             too_many.error().c_str());
    q.nodes = 8192;
    QVERIFY(fabric_counts(q));
  }

  void bad_requests_are_refused_in_a_sentence_data() {
    QTest::addColumn<int>("field");
    QTest::addColumn<QString>("word");
    QTest::newRow("no nodes") << 0 << "no nodes";
    QTest::newRow("negative nodes") << 1 << "nodes must be";
    QTest::newRow("no radix") << 2 << "radix must be";
    QTest::newRow("no planes") << 3 << "planes must be";
    QTest::newRow("no oversubscription") << 4 << "oversubscription must be";
    QTest::newRow("more leaf ports than radix") << 5 << "at most the radix, 64; it is 80";
    QTest::newRow("more reserved links than ports") << 6 << "ports for nodes";
    QTest::newRow("oversubscription not a number") << 7 << "oversubscription must be";
  }
  void bad_requests_are_refused_in_a_sentence() {
    QFETCH(int, field);
    QFETCH(QString, word);
    FabricRequest q;
    q.nodes = 32;
    switch (field) {
    case 0:
      q.nodes = 0;
      break;
    case 1:
      q.nodes = -5;
      break;
    case 2:
      q.radix = 0;
      break;
    case 3:
      q.planes = 0;
      break;
    case 4:
      q.oversubscription = 0.0;
      break;
    case 5:
      q.leaf_down = 40, q.leaf_up = 40;
      break;
    case 6:
      q.reserved_links = 1000;
      break;
    case 7:
      q.oversubscription = std::nan("");
      break;
    }
    const auto counts = fabric_counts(q);
    QVERIFY(!counts);
    QVERIFY2(QString::fromStdString(counts.error()).contains(word), counts.error().c_str());
  }

  void one_switch_is_enough_for_a_small_network() {
    FabricRequest q;
    q.nodes = 40;
    q.links_per_node = 1;
    q.rails = false;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->tiers, Count{1});
    QCOMPARE(counts->leafs, Count{1});
    QCOMPARE(counts->spines, Count{0});
    QCOMPARE(counts->switch_ports_idle, Count{24}); // 64 - 40
  }

  void lit_links_are_those_of_nodes_present() {
    // 31 nodes and one reserved place in a unit of 32: 8 leafs with 32 uplinks built, 31 lit each.
    FabricRequest q;
    q.nodes = 31;
    q.reserved_node_places = 1;
    q.reserved_links = 4;
    const auto counts = fabric_counts(q);
    QVERIFY(counts);
    QCOMPARE(counts->leaf_spine_cables, Count{256});
    QCOMPARE(counts->lit_leaf_spine_cables, Count{248});
    QCOMPARE(counts->transceivers, Count{2 * (252 + 256)});
    QVERIFY(!counts->partial_unit);
  }

  void laws_hold_for_any_request() {
    QVERIFY(rc::check("k times the units, k times the leafs", [] {
      FabricRequest q = any_request(false);
      q.rails = true;
      q.nodes_per_unit = *rc::gen::element<Count>(4, 16, 32);
      q.nodes = q.nodes_per_unit;
      q.tiers = Tiers::three;
      const auto one = fabric_counts(q);
      const Count k = *rc::gen::inRange<Count>(2, 9);
      q.nodes *= k;
      const auto many = fabric_counts(q);
      RC_PRE(one.has_value() && many.has_value());
      RC_ASSERT(many->leafs == k * one->leafs);
      RC_ASSERT(many->node_leaf_cables == k * one->node_leaf_cables);
      RC_ASSERT(many->leaf_spine_cables == k * one->leaf_spine_cables);
    }));
    QVERIFY(rc::check("spines divide the uplinks of a leaf when bundles are equal", [] {
      FabricRequest q = any_request(false);
      q.bundles = BundleRule::equal;
      q.tiers = Tiers::two;
      const auto c = fabric_counts(q);
      RC_PRE(c.has_value());
      RC_ASSERT(c->leaf_up % (c->spines / q.planes) == 0);
      // Every bundle fits the ports of a spine.
      RC_ASSERT(c->leafs / q.planes * (c->leaf_up / (c->spines / q.planes)) <= q.radix);
    }));
    QVERIFY(rc::check("no more ports in use than there are", [] {
      const FabricRequest q = any_request(*rc::gen::arbitrary<bool>());
      const auto c = fabric_counts(q);
      RC_PRE(c.has_value());
      RC_ASSERT(c->switch_ports_idle >= 0);
      RC_ASSERT(c->switch_ports_used + c->switch_ports_idle == (c->leafs + c->spines + c->cores) * q.radix);
      RC_ASSERT(c->node_leaf_cables <= c->leafs * q.radix);
      RC_ASSERT(c->leaf_spine_cables + c->spine_core_cables <= c->spines * q.radix || c->tiers == 1);
      RC_ASSERT(c->spine_core_cables <= c->cores * q.radix);
      RC_ASSERT(c->lit_leaf_spine_cables <= c->leaf_spine_cables);
    }));
    QVERIFY(rc::check("more nodes never need fewer switches", [] {
      FabricRequest q = any_request(*rc::gen::arbitrary<bool>());
      const auto few = fabric_counts(q);
      q.nodes += *rc::gen::inRange<Count>(1, 500);
      const auto more = fabric_counts(q);
      RC_PRE(few.has_value() && more.has_value());
      RC_ASSERT(more->leafs + more->spines + more->cores >= few->leafs + few->spines + few->cores);
      RC_ASSERT(more->leafs >= few->leafs);
    }));
    QVERIFY(rc::check("p planes need p times one plane", [] {
      FabricRequest q = any_request(*rc::gen::arbitrary<bool>());
      const Count planes = q.planes;
      const auto all = fabric_counts(q);
      q.planes = 1;
      const auto one = fabric_counts(q);
      RC_ASSERT(all.has_value() == one.has_value());
      RC_PRE(one.has_value());
      RC_ASSERT(all->leafs == planes * one->leafs);
      RC_ASSERT(all->transceivers == planes * one->transceivers);
    }));
    QVERIFY(rc::check("any numbers at all give counts or a sentence", [] {
      FabricRequest q;
      q.nodes = *rc::gen::arbitrary<Count>();
      q.links_per_node = *rc::gen::arbitrary<Count>();
      q.radix = *rc::gen::inRange<Count>(-3, 300);
      q.nodes_per_unit = *rc::gen::inRange<Count>(-3, 300);
      q.leaf_down = *rc::gen::inRange<Count>(-3, 100);
      q.leaf_up = *rc::gen::inRange<Count>(-3, 100);
      q.planes = *rc::gen::inRange<Count>(-3, 100);
      q.oversubscription = *rc::gen::arbitrary<double>();
      q.reserved_links = *rc::gen::arbitrary<Count>();
      const auto c = fabric_counts(q);
      if (!c)
        RC_ASSERT(c.error().size() > 10);
      else
        RC_ASSERT(c->leafs > 0);
    }));
  }
};

QTEST_APPLESS_MAIN(TestFabricCounts)
#include "test_fabric_counts.moc"
