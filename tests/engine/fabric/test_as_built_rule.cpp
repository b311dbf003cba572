// SPDX-License-Identifier: GPL-3.0-or-later
// The rule behind a real fabric, and its departures, with names and without.
#include <QtTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "catalog/csv.h"
#include "engine/fabric/as_built_fabric.h"
#include "fabric/as_built_rule.h"
#include "fabric/link_bisection.h"
#include "project/durable_file.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

std::string text_of(const std::string& name) {
  auto text = read_whole_file(std::string(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric_asbuilt/") + name);
  if (!text) qFatal("%s", text.error().c_str());
  return *std::move(text);
}

FoundLinks read(const std::string& text, const std::string& name = "dump") {
  const FoundSource source{text, name};
  auto f = read_found_links({&source, 1});
  if (!f) qFatal("%s", f.error().c_str());
  return *std::move(f);
}

std::string told(const AsBuiltResult& r) {
  std::string out;
  for (const AsBuiltFinding& f : r.findings)
    out += fmt::format("{} | {} | {} | {} | {}\n", as_built_word(f.kind), f.where, f.far, f.found, f.move);
  return out;
}

using Place = std::pair<std::string, std::string>; // kind, "switch:port"

/// Places that findings name, by kind: "LEAF-R04-K04:35".
std::multiset<Place> places_of(const AsBuiltResult& r) {
  std::multiset<Place> out;
  for (const AsBuiltFinding& f : r.findings) {
    std::string_view where = f.where;
    while (!where.empty()) {
      const auto comma = where.find(", ");
      out.emplace(as_built_word(f.kind), where.substr(0, comma));
      where = comma == std::string_view::npos ? std::string_view() : where.substr(comma + 2);
    }
  }
  return out;
}

/// What the findings file of the dump asks for, in our words. A row about boards stands for an exchange of nodes on the
/// second rail of the pair, where the row about the name says that it is; the partner of R04-K01:11 is port 14, where
/// the tray belongs that sits at 11.
std::multiset<Place> expected_places() {
  std::multiset<Place> out;
  const auto rows = read_csv(text_of("ndr_rail_fabric_racks1-4.findings.csv"));
  for (std::size_t i = 1; i < rows->size(); ++i) {
    const auto& c = (*rows)[i].cells;
    const std::string at = c[1] + ":" + c[2];
    if (c[0] == "crossed_within_pair") out.emplace("crossed_in_bundle", at);
    if (c[0] == "host_link_missing" || c[0] == "uplink_missing") out.emplace("missing", at);
    if (c[0] == "leaf_absent") out.emplace("absent_switch", c[1]);
    if (c[0] == "host_name_not_set") out.emplace("unnamed", at);
    if (c[0] == "board_guid_mismatch") out.emplace("exchanged_nodes", "LEAF-R02-K01:" + c[2]);
    if (c[0] == "host_on_unexpected_port" && c[1] == "LEAF-R04-K01") {
      out.emplace("exchanged_nodes", at);
      out.emplace("exchanged_nodes", "LEAF-R04-K01:14");
    }
  }
  return out;
}

std::string differences(const std::multiset<Place>& expected, const std::multiset<Place>& is) {
  std::string out;
  std::vector<Place> only;
  std::set_difference(expected.begin(), expected.end(), is.begin(), is.end(), std::back_inserter(only));
  for (const Place& p : only)
    out += "not found: " + p.first + " " + p.second + "\n";
  only.clear();
  std::set_difference(is.begin(), is.end(), expected.begin(), expected.end(), std::back_inserter(only));
  for (const Place& p : only)
    out += "false: " + p.first + " " + p.second + "\n";
  return out;
}

constexpr const char* rule = "leaf port = 33 + 2(s-1) + i, spine port = 8(c-1) + 2(r-1) + 1 + i, tray t -> leaf port t";

/// Blocks of the dump in another order.
std::string shuffled(const std::string& text, unsigned seed) {
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find("\n\n", at);
    end = end == std::string::npos ? text.size() : end;
    blocks.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  std::mt19937 random(seed);
  std::shuffle(blocks.begin(), blocks.end(), random);
  std::string out;
  for (const std::string& b : blocks)
    out += b + "\n\n";
  return out;
}

/// All names between quotes after "#" gone, as a fabric without node descriptions prints them.
std::string stripped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end;
    std::string line = text.substr(at, end - at);
    if (const auto hash = line.find('#'); hash != std::string::npos && hash > 0) {
      const auto first = line.find('"', hash), last = line.rfind('"');
      if (first != std::string::npos && last > first) line.erase(first + 1, last - first - 1);
    }
    out += line + "\n";
    at = end + 1;
  }
  return out;
}

} // namespace

class TestAsBuiltRule : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_finding_and_no_other() {
    const std::string text = text_of("ndr_rail_fabric_racks1-4.ibnetdiscover");
    for (const std::string& t : {text, shuffled(text, 1), shuffled(text, 2)}) {
      const AsBuiltResult r = compare_with_rule(read(t));
      QCOMPARE(r.rule, std::string(rule));
      QCOMPARE(r.links, std::size_t{512});
      const std::string wrong = differences(expected_places(), places_of(r));
      QVERIFY2(wrong.empty(), (wrong + told(r)).c_str());
      QCOMPARE(r.matched, std::size_t{512 - 4 - 4}); // two crossed pairs, two exchanged pairs of trays
      QCOMPARE(r.plug_moves, std::size_t{8});
    }
  }

  /// Without any name the same ports are told, of switches that are known by identity. What cannot be known is said:
  /// on which of two rails the trays are exchanged.
  void without_names() {
    const std::string text = text_of("ndr_rail_fabric_racks1-4.ibnetdiscover");
    const FoundLinks named = read(text);
    std::map<std::string, std::string> name_of{{"leaf 3", "LEAF-R03-K01"}}; // the absent one is told by its number
    for (std::uint32_t d = 0; d < named.devices.size(); ++d) {
      FoundLinks nameless = named;
      nameless.devices[d].name.clear();
      if (named.devices[d].kind == FoundKind::network_switch) name_of[nameless.device_text(d)] = named.devices[d].name;
    }
    std::multiset<Place> expected = expected_places();
    std::erase_if(expected, [](const Place& p) { return p.first == "unnamed"; });
    for (const std::string& t : {text, shuffled(text, 3)}) {
      const std::string bare = stripped(t);
      QVERIFY(bare.find("LEAF") == std::string::npos && bare.find("tray") == std::string::npos &&
              bare.find("SPINE") == std::string::npos);
      const AsBuiltResult r = compare_with_rule(read(bare));
      QCOMPARE(r.rule, std::string(rule));
      std::multiset<Place> is;
      std::size_t unnamed = 0;
      for (const auto& [kind, where] : places_of(r)) {
        if (kind == "unnamed") {
          ++unnamed;
          continue;
        }
        const auto colon = where.rfind(':');
        const std::string device = where.substr(0, colon);
        is.emplace(kind, (name_of.contains(device) ? name_of[device] : device) +
                             (colon == std::string::npos ? "" : where.substr(colon)));
      }
      const std::string wrong = differences(expected, is);
      QVERIFY2(wrong.empty(), (wrong + told(r)).c_str());
      QCOMPARE(unnamed, std::size_t{2}); // one for all adapters, one for all switches
      const auto either = std::count_if(r.findings.begin(), r.findings.end(), [](const AsBuiltFinding& f) {
        return f.move.find("or the same exchange on") != std::string::npos;
      });
      QCOMPARE(either, 1);
    }
  }

  /// Each switch left out in turn: it is told as absent (but the first spine, before which nothing shows), and no
  /// exchange is made up.
  void any_switch_may_be_away() {
    const FoundLinks whole = read(text_of("ndr_rail_fabric_racks1-4.ibnetdiscover"));
    const std::multiset<Place> all = expected_places();
    for (bool names : {true, false})
      for (std::uint32_t away = 0; away < whole.devices.size(); ++away) {
        if (whole.devices[away].kind != FoundKind::network_switch) continue;
        FoundLinks f = whole;
        std::erase_if(f.links, [&](const FoundLink& l) { return l.near == away || l.far == away; });
        if (!names)
          for (FoundDevice& d : f.devices)
            d.name.clear(), d.adapter.clear();
        const AsBuiltResult r = compare_with_rule(f);
        const std::string name = whole.devices[away].name;
        const bool edge = name == "SPINE-01" || name == "SPINE-09";
        QCOMPARE(r.count(AsBuiltKind::absent_switch), std::size_t{edge ? 1U : 2U});
        QVERIFY2(r.count(AsBuiltKind::crossed_in_bundle) <= 2 && r.count(AsBuiltKind::exchanged_nodes) <= 2,
                 (name + "\n" + told(r)).c_str());
        QCOMPARE(r.count(AsBuiltKind::exchanged_rails) + r.count(AsBuiltKind::exchanged_switches) +
                     r.count(AsBuiltKind::extra) + r.count(AsBuiltKind::wrong_plane),
                 std::size_t{0});
        if (names)
          for (const Place& p : places_of(r))
            if (p.first.starts_with("exchanged") || p.first.starts_with("crossed"))
              QVERIFY2(all.contains(p), (name + " " + p.second).c_str());
      }
  }

  void other_dumps_give_no_false_finding() {
    for (const char* name :
         {"avd_dual_dc_topology.csv", "ibdm_32node_planned.topo", "ibdm_32node_partial.topo", "ibdm_4ary3tree.topo",
          "ibnetdiscover_p_edr.txt", "netq_topology_graph.json", "ptm_topology_sample.dot"}) {
      const AsBuiltResult r = compare_with_rule(read(text_of(name), name));
      QVERIFY2(r.findings.empty(), (std::string(name) + "\n" + told(r)).c_str());
      if (r.rule.empty()) QVERIFY(!r.notes.empty());
    }
    const AsBuiltResult tree = compare_with_rule(read(text_of("ibdm_4ary3tree.topo")));
    QVERIFY2(tree.rule.starts_with("leaf port = 5 + (s-1), spine port = "), tree.rule.c_str()); // P5..P8 go up
    QCOMPARE(tree.matched, std::size_t{192});
  }

  /// Fabrics of other shapes, with mistakes put in at random: all are found and no other.
  void made_fabrics_data() {
    QTest::addColumn<int>("racks");
    QTest::addColumn<int>("rails");
    QTest::addColumn<int>("trays");
    QTest::addColumn<int>("spines");
    QTest::addColumn<int>("bundle");
    QTest::newRow("8 racks of 18 trays") << 8 << 4 << 18 << 9 << 2;
    QTest::newRow("units of 32 nodes, 8 rails") << 4 << 8 << 32 << 16 << 2;
    QTest::newRow("one link per spine") << 4 << 8 << 32 << 32 << 1;
    QTest::newRow("bundles of four") << 6 << 2 << 16 << 4 << 4;
  }
  void made_fabrics() {
    QFETCH(int, racks);
    QFETCH(int, rails);
    QFETCH(int, trays);
    QFETCH(int, spines);
    QFETCH(int, bundle);
    const PlannedFabric plan =
        planned({.racks = racks, .rails = rails, .trays = trays, .spines = spines, .bundle = bundle});
    std::mt19937 random(99);
    for (int round = 0; round < 6; ++round) {
      FoundLinks f = found(plan);
      std::size_t nodes = 0, exchanged_rails = 0, crossed = 0;
      std::set<std::size_t> touched;
      const auto at = [&](const std::string& device, int port) {
        for (std::size_t i = 0; i < plan.links.size(); ++i)
          if ((plan.devices[plan.links[i].near].name == device &&
               plan.links[i].near_port == static_cast<PortKey>(port)) ||
              (plan.devices[plan.links[i].far].name == device && plan.links[i].far_port == static_cast<PortKey>(port)))
            return i;
        qFatal("no link");
      };
      const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
      const auto exchange = [&](std::size_t a, std::size_t b, std::size_t& count) {
        if (a == b || touched.contains(a) || touched.contains(b)) return;
        touched.insert({a, b});
        exchange_far(f, a, b);
        ++count;
      };
      for (int n = 0; n < 3; ++n) {
        const int c = pick(racks), r = pick(rails), t = pick(trays - 1) + 1;
        exchange(at(leaf_name(0, c, r), t), at(leaf_name(0, c, r), t + 1), nodes);
      }
      {
        const int c = pick(racks), t = pick(trays) + 1;
        exchange(at(leaf_name(0, c, 0), t), at(leaf_name(0, c, 1), t), exchanged_rails);
      }
      if (bundle > 1)
        for (int n = 0; n < 3; ++n) {
          const std::string leaf = leaf_name(0, pick(racks), pick(rails));
          const int s = pick(spines);
          exchange(at(leaf, 33 + bundle * s), at(leaf, 33 + bundle * s + 1), crossed);
        }
      std::vector<std::size_t> gone;
      for (int n = 0; n < 10; ++n)
        if (const std::size_t i = random() % plan.links.size(); touched.insert(i).second) gone.push_back(i);
      std::sort(gone.rbegin(), gone.rend());
      for (std::size_t i : gone)
        f.links.erase(f.links.begin() + static_cast<std::ptrdiff_t>(i));
      std::shuffle(f.links.begin(), f.links.end(), random);
      const AsBuiltResult r = compare_with_rule(f);
      QVERIFY(r.rule.find(
                  fmt::format("leaf port = 33 + {}(s-1)", bundle > 1 ? std::to_string(bundle) : std::string())) == 0);
      QCOMPARE(r.count(AsBuiltKind::missing), gone.size());
      QCOMPARE(r.count(AsBuiltKind::crossed_in_bundle), crossed);
      QVERIFY2(r.count(AsBuiltKind::exchanged_nodes) <= nodes &&
                   r.plug_moves == 2 * (nodes + exchanged_rails + crossed),
               told(r).c_str());
      QVERIFY2(r.findings.size() == gone.size() + r.count(AsBuiltKind::crossed_in_bundle) +
                                        r.count(AsBuiltKind::exchanged_nodes) + r.count(AsBuiltKind::exchanged_rails),
               told(r).c_str());
    }
  }

  void bisection_in_four_steps() {
    std::string csv = "rail,switch,node,port,value\n";
    for (int rail = 1; rail <= 4; ++rail)
      for (int rack = 1; rack <= 4; ++rack)
        for (int t = 1; t <= 16; ++t) {
          double v = 384.0 + (rail * 7 + rack * 3 + t * 5) % 4 * 0.2;
          if (rail == 3 && rack == 2) v -= 60.0;          // a slow leaf makes its rail slow
          if (rail == 3 && rack == 2 && t == 7) v -= 250; // and one port of it is slower still
          csv += fmt::format("{},L{}-{},n{}-{},{},{}\n", rail, rail, rack, rack, t, t, v);
        }
    const auto counters = read_link_counters(csv, "rates.csv");
    QVERIFY(counters.has_value());
    const Bisection b = bisect(*counters);
    QCOMPARE(b.steps.size(), std::size_t{4});
    QCOMPARE(b.steps[0].odd, std::string("3"));
    QVERIFY(b.steps[0].stands_out);
    QCOMPARE(b.steps[1].odd, std::string("L3-2"));
    QCOMPARE(b.steps[2].odd, std::string("n2-7"));
    QVERIFY2(b.conclusion.find("n2-7: 74.") != std::string::npos, b.conclusion.c_str()); // 384.x - 60 - 250
    // Hand-worked: rail means 384.3 and 384.3 - (16 * 60 + 250) / 64 = 365.4.
    QVERIFY(std::abs(b.steps[0].odd_value - 365.4) < 0.1);
    const auto even = read_link_counters("rail,value\n1,10\n2,10\n3,10.1\n4,10\n", "r.csv");
    QCOMPARE(bisect(*even).conclusion, std::string("nothing stands out: the network is even in this counter"));
    QVERIFY(!read_link_counters("rail,value\n1,ten\n", "r.csv"));
    QCOMPARE(read_link_counters("rail,value\n1,ten\n", "r.csv").error(),
             std::string("r.csv line 2: value \"ten\" is not a number with a decimal point"));
    QVERIFY(read_link_counters("colour,value\nred,1\n", "r.csv").error().starts_with("r.csv line 1: "));
  }
};

QTEST_APPLESS_MAIN(TestAsBuiltRule)
#include "test_as_built_rule.moc"
