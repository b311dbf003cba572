// SPDX-License-Identifier: GPL-3.0-or-later
// Racks, trays and power units out of service: what is left of the sample projects, counted by hand, and laws.
#include <QtTest>

#include <rapidcheck.h>

#include <set>

#include "design/edits.h"
#include "engine/evaluation/generated_hall.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;
using test::must;

namespace {

const Shared<Catalog>& catalog() {
  static const Shared<Catalog> read = [] {
    auto c = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    if (!c) qFatal("%s", c.error().c_str());
    return share(*std::move(c));
  }();
  return read;
}
Design sample(const std::string& name) {
  auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/" + name + ".hall.json");
  if (!opened) qFatal("%s", opened.error().c_str());
  return opened->design;
}
/// 16 racks of 18 trays with four GPUs: 288 nodes with four rails; 64 leafs of 18 + 18 ports in four racks, 18 spines in
/// two, half of each in each of two rows; a fibre tray above each row and one across.
const Evaluation& nvl72() {
  static const Evaluation e = *evaluate(sample("nvl72-16-racks"), catalog());
  return e;
}
const Evaluation& superpod() {
  static const Evaluation e = *evaluate(sample("superpod-h100-4su"), catalog());
  return e;
}

template <class T>
Id id_of(const std::vector<T>& table, const std::string& name) {
  for (const T& t : table)
    if (t.name == name) return t.id;
  qFatal("nothing is named %s", name.c_str());
}
Design failing(const Design& d, const std::vector<Failure>& rows) {
  return must(with_table(d, &Design::failures, [&](std::vector<Failure>& table, Id& next) {
    for (Failure f : rows) {
      f.id = next++;
      table.push_back(std::move(f));
    }
  }));
}
Evaluation failed(const Evaluation& e, const std::vector<Id>& things, const std::string& element = {}) {
  std::vector<Failure> rows;
  for (const Id thing : things)
    rows.push_back({.thing = thing, .element = element});
  return *evaluate(failing(e.design, rows), e.shipped_catalog, &e);
}
Id rack(const Evaluation& e, const std::string& name) { return id_of(*e.design.racks, name); }
Id power(const Evaluation& e, const std::string& name) { return id_of(*e.design.power_units, name); }
Id tray(const Evaluation& e, const std::string& name) { return id_of(*e.design.trays, name); }
/// Of the network of this kind; null: it has lost nothing.
const NetworkLeft* left_of(const Evaluation& e, NetworkKind kind = NetworkKind::compute) {
  for (const NetworkLeft& l : e.traffic->left)
    if (find(*e.design.networks, l.network)->kind == kind) return &l;
  return nullptr;
}
const NetworkCabling& compute(const Evaluation& e) {
  for (const NetworkCabling& c : e.cabling->networks)
    if (c.kind == NetworkKind::compute) return c;
  qFatal("there is no compute network");
}
std::string finding(const Evaluation& e, std::string_view code) {
  std::string all;
  for (const Finding& f : e.findings)
    if (f.code == code) all += f.message + "\n";
  return all;
}
bool near(double a, double b) { return std::abs(a - b) <= 1e-12; }

#define LEFT(l, injection_share, bisection_share, gpus, nodes, links)                                                             \
  do {                                                                                                                            \
    QVERIFY(l);                                                                                                                   \
    QCOMPARE((l)->left.lost_links, Count(links));                                                                                 \
    QCOMPARE((l)->left.isolated_gpus, Count(gpus));                                                                               \
    QCOMPARE((l)->left.isolated_nodes, Count(nodes));                                                                             \
    QVERIFY2(near((l)->left.injection, injection_share), qPrintable(QString::number((l)->left.injection, 'g', 17)));              \
    QVERIFY2(near((l)->left.bisection.value_or(-1), bisection_share), qPrintable(QString::number(*(l)->left.bisection, 'g', 17))); \
  } while (false)

} // namespace

class TestDrawnFailures : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_rack_takes_what_stands_in_it() {
    QCOMPARE(compute(nvl72()).wiring->links.size(), std::size_t(288 * 4 + 64 * 18));
    QCOMPARE(compute(nvl72()).places->undrawn_count(), Count(0));
    // A rack of nodes: 18 of 288, with 4 links each. A half has one of its eight units less.
    const Evaluation nodes = failed(nvl72(), {rack(nvl72(), "R01-01")});
    LEFT(left_of(nodes), 15.0 / 16, 7.0 / 8, 72, 18, 72);
    QCOMPARE(left_of(nodes)->lost.front().name, std::string("rack R01-01"));
    // A rack of 9 of the 18 spines: every leaf keeps half of its uplinks.
    const Evaluation spines = failed(nvl72(), {rack(nvl72(), "R01-06")});
    LEFT(left_of(spines), 1.0, 0.5, 0, 0, 9 * 64);
    // A rack of 16 leafs with 18 nodes and 18 spines each: those of the four racks beside it.
    const Evaluation leafs = failed(nvl72(), {rack(nvl72(), "R01-05")});
    LEFT(left_of(leafs), 0.75, 0.5, 4 * 72, 72, 16 * 36);
    for (const double rail : left_of(leafs)->left.rail_injection)
      QVERIFY(near(rail, 0.75));
    // A rack of another network takes nothing of this one, and that is said.
    const Evaluation none = failed(nvl72(), {rack(nvl72(), "R02-08")});
    QVERIFY(!left_of(none));
    QCOMPARE(none.traffic->things.size(), std::size_t{1});
    QVERIFY(!none.traffic->things.front().thing.note.empty());
  }

  void every_network_loses_its_share() {
    // Four nodes with eight links each to compute; to storage, as many of each node as its wiring has.
    const Evaluation e = failed(superpod(), {rack(superpod(), "R01-01")});
    const NetworkLeft* of = left_of(e);
    QVERIFY(of);
    QCOMPARE(of->left.isolated_gpus, Count(32));
    QVERIFY(near(of->left.injection, 1.0 - 32.0 / (127 * 8)));
    const NetworkLeft* storage = left_of(e, NetworkKind::storage);
    QVERIFY(storage);
    QVERIFY(storage->left.injection < 1.0);
    QVERIFY(finding(e, "FAB-047").find("rack R01-01") != std::string::npos || finding(e, "FAB-047").find("R01-01") != std::string::npos);
    QVERIFY(finding(e, "FAB-047").find("32 GPUs are cut off") != std::string::npos);
    const Figure* figure = e.figures.find("traffic.network." + std::to_string(of->network) + ".isolated_gpus");
    QVERIFY(figure);
    QCOMPARE(figure->value, 32.0);
  }

  void a_row_takes_its_racks() {
    const Evaluation row = failed(nvl72(), {id_of(*nvl72().design.rows, nvl72().design.rows->front().name)});
    LEFT(left_of(row), 0.5, 0.0, 576, 144, 144 * 4 + 32 * 18 + 32 * 9);
  }

  void a_tray_takes_the_cables_in_it() {
    // Across: each of 64 leafs has nine spines in the other row.
    const Evaluation cross = failed(nvl72(), {tray(nvl72(), "Fibre cross")});
    LEFT(left_of(cross), 1.0, 0.0, 0, 0, 64 * 9);
    // Above row 1: its 144 nodes, and first leafs to the spines beside them, 16 x 9. The racks of spines and of the second
    // leafs stand at the cross tray, which takes all other uplinks.
    const Evaluation row = failed(nvl72(), {tray(nvl72(), "Fibre R01")});
    LEFT(left_of(row), 0.5, 0.0, 576, 144, 144 * 4 + 16 * 9);
    // It is cut in two where the cross tray meets it. Beyond: the four last racks of nodes to the second leafs.
    const Evaluation beyond = failed(nvl72(), {tray(nvl72(), "Fibre R01")}, "section 2");
    LEFT(left_of(beyond), 0.75, 0.5, 288, 72, 4 * 72);
    // Before: the four first racks of nodes to the first leafs, and these to the spines beside them.
    const Evaluation before = failed(nvl72(), {tray(nvl72(), "Fibre R01")}, " Section 1 ");
    LEFT(left_of(before), 0.75, 0.5, 288, 72, 4 * 72 + 16 * 9);
    QCOMPARE(left_of(before)->lost.front().name, std::string("tray Fibre R01 section 1"));
  }

  void a_power_unit_takes_what_it_alone_feeds() {
    // Every rack has A and B: one side out takes nothing.
    for (const char* one : {"UPS A1", "Busway B, R02 right", "Utility A", "Transformer B"}) {
      const Evaluation e = failed(nvl72(), {power(nvl72(), one)});
      QVERIFY2(!left_of(e), one);
      QCOMPARE(e.traffic->things.front().thing.racks.size(), std::size_t{0});
      QVERIFY(finding(e, "FAB-047").find("another feed") != std::string::npos);
    }
    QCOMPARE(failed(nvl72(), {power(nvl72(), "UPS A1")}).traffic->things.front().thing.racks_kept, Count(12));
    QCOMPARE(failed(nvl72(), {power(nvl72(), "Utility A")}).traffic->things.front().thing.racks_kept, Count(24));
    // Both UPS of row 1: its twelve racks.
    const Evaluation ups = failed(nvl72(), {power(nvl72(), "UPS A1"), power(nvl72(), "UPS B1")});
    QCOMPARE(ups.traffic->things.size(), std::size_t{2});
    for (const ThingLeft& t : ups.traffic->things)
      QCOMPARE(t.thing.racks.size(), std::size_t{12});
    LEFT(left_of(ups), 0.5, 0.0, 576, 144, 144 * 4 + 32 * 18 + 32 * 9);
    // A UPS of side A and the busway of side B of the left half: six racks, with four of nodes, 16 leafs, 9 spines.
    const Evaluation half = failed(nvl72(), {power(nvl72(), "UPS A1"), power(nvl72(), "Busway B, R01 left")});
    QVERIFY(left_of(half));
    QCOMPARE(half.traffic->things.back().thing.racks.size(), std::size_t{6});
    QCOMPARE(left_of(half)->left.isolated_nodes, Count(72));
    QCOMPARE(left_of(half)->left.lost_links, Count(72 * 4 + 16 * 18 + 48 * 9));
    // Two units of two rows: every rack keeps one of its feeds.
    QVERIFY(!left_of(failed(nvl72(), {power(nvl72(), "UPS A1"), power(nvl72(), "UPS B2")})));
    // A rack of one cord goes with it.
    Design one_cord = must(set_field(nvl72().design, {"racks", rack(nvl72(), "R01-01")}, "feed_b", FieldValue(Id{0})));
    const Evaluation base = *evaluate(one_cord, catalog(), &nvl72());
    const Evaluation cord = failed(base, {power(nvl72(), "UPS A1")});
    QVERIFY(left_of(cord));
    QCOMPARE(left_of(cord)->left.isolated_nodes, Count(18));
    QCOMPARE(cord.traffic->things.front().thing.racks_kept, Count(11));
  }

  void what_takes_nothing_and_what_names_nothing_is_said() {
    const Id cdu = nvl72().design.cooling_units->front().id;
    const Evaluation cooling = failed(nvl72(), {cdu});
    QVERIFY(!left_of(cooling));
    QVERIFY(finding(cooling, "FAB-047").find("nothing of a network hangs on it") != std::string::npos);
    const auto wrong = [](const Evaluation& e, const char* words) {
      const std::string said = finding(e, "FAB-047");
      QVERIFY2(said.find(words) != std::string::npos, said.c_str());
      QVERIFY(std::any_of(e.findings.begin(), e.findings.end(),
                          [](const Finding& f) { return f.code == "FAB-047" && f.severity == Severity::error && !f.remedies.empty(); }));
      QVERIFY(!left_of(e));
    };
    wrong(failed(nvl72(), {tray(nvl72(), "Fibre R01")}, "section 3"), "has 2 sections");
    wrong(failed(nvl72(), {tray(nvl72(), "Fibre R01")}, "section 0"), "names no section of a tray");
    wrong(failed(nvl72(), {tray(nvl72(), "Fibre R01")}, "half"), "names no section of a tray");
    wrong(failed(nvl72(), {rack(nvl72(), "R01-01")}, "leaf 3"), "leave the element empty");
  }

  void single_failures_have_classes_for_what_is_drawn() {
    const NetworkCabling& c = compute(nvl72());
    const auto groups = single_losses(nvl72().design, c, nvl72().cabling->trays.get());
    std::map<std::string, Count> members;
    std::map<std::string, std::vector<const FailureClass*>> classes;
    const auto all = FailureStudy(*c.wiring, 4).all_single({}, groups);
    for (const FailureClass& f : all) {
      members[f.kind] += f.members;
      classes[f.kind].push_back(&f);
    }
    // 16 racks of nodes, four of leafs, two of spines; five sections of three trays; sixteen power units.
    QCOMPARE(members["rack"], Count(22));
    QCOMPARE(members["tray section"], Count(5));
    QCOMPARE(members["power unit"], Count(16));
    // Each looks like the others of its sort.
    QCOMPARE(classes["rack"].size(), std::size_t{3});
    QCOMPARE(classes["power unit"].size(), std::size_t{1});
    QCOMPARE(classes["power unit"].front()->left.isolated_gpus, Count(0));
    QCOMPARE(classes["tray section"].size(), std::size_t{3});
    // Nothing that was there before is left out.
    QCOMPARE(members["leaf"], Count(64));
    QCOMPARE(members["link node-leaf"], Count(1152));
  }

  void classes_say_what_each_thing_alone_would_do() {
    for (const Evaluation* e : {&nvl72(), &superpod()}) {
      const NetworkCabling& c = compute(*e);
      const auto groups = single_losses(e->design, c, e->cabling->trays.get());
      const FailureStudy study(*c.wiring, e->population->accelerators_per_node.value);
      using Told = std::tuple<std::string, Count, Count, Count, double>;
      std::multiset<Told> alone, classed;
      const auto told = [](const std::string& kind, const WhatIsLeft& l) {
        return Told{kind, l.isolated_gpus, l.isolated_nodes, l.lost_links, std::round(l.injection * 1e9)};
      };
      for (const LossGroup& g : groups)
        alone.insert(told(g.kind, study.after(g.lost)));
      for (const FailureClass& f : study.all_single({}, groups))
        if (f.kind == "rack" || f.kind == "tray section" || f.kind == "power unit")
          for (Count m = 0; m < f.members; ++m)
            classed.insert(told(f.kind, f.left));
      QVERIFY(!alone.empty());
      QVERIFY(alone == classed);
    }
  }

  void laws() {
    const Evaluation& e = nvl72();
    std::vector<Id> things;
    for (const Rack& r : *e.design.racks)
      things.push_back(r.id);
    for (const PowerUnit& u : *e.design.power_units)
      things.push_back(u.id);
    for (const Tray& t : *e.design.trays)
      things.push_back(t.id);
    QVERIFY(rc::check("failing more never leaves more, and a warm answer is a cold one", [&] {
      const auto picked = *rc::gen::container<std::vector<Id>>(*rc::gen::inRange<std::size_t>(0, 6), rc::gen::elementOf(things));
      Evaluation before = e;
      std::vector<Id> out;
      for (const Id thing : picked) {
        out.push_back(thing);
        std::vector<Failure> rows;
        for (const Id t : out)
          rows.push_back({.thing = t});
        Evaluation now = *evaluate(failing(e.design, rows), e.shipped_catalog, &before);
        const NetworkLeft *a = left_of(before), *b = left_of(now);
        if (a) {
          RC_ASSERT(b != nullptr);
          RC_ASSERT(b->left.injection <= a->left.injection + 1e-12);
          RC_ASSERT(b->left.bisection.value_or(0) <= a->left.bisection.value_or(0) + 1e-12);
          RC_ASSERT(b->left.isolated_gpus >= a->left.isolated_gpus);
          RC_ASSERT(b->left.lost_links >= a->left.lost_links);
          for (std::size_t l = 0; l < a->dead.size(); ++l)
            RC_ASSERT(!a->dead[l] || b->dead[l]);
        }
        before = std::move(now);
      }
      // From nothing it is the same.
      std::vector<Failure> rows;
      for (const Id t : out)
        rows.push_back({.thing = t});
      const Evaluation cold = *evaluate(failing(e.design, rows), e.shipped_catalog);
      const NetworkLeft *a = left_of(before), *b = left_of(cold);
      RC_ASSERT((a == nullptr) == (b == nullptr));
      if (a) RC_ASSERT(a->dead == b->dead && a->left.isolated_gpus == b->left.isolated_gpus);
    }));
    QVERIFY(rc::check("a rack is all its nodes and switches", [&] {
      const Rack& r = *rc::gen::elementOf(*e.design.racks);
      const NetworkCabling& c = compute(e);
      std::vector<Failure> rows;
      for (std::uint32_t d = 0; d < c.places->places.size(); ++d)
        if (c.places->rack_of(d) == r.id) rows.push_back({.network = c.network, .element = c.wiring->device_name(d)});
      const Evaluation whole = failed(e, {r.id}), parts = *evaluate(failing(e.design, rows), e.shipped_catalog, &e);
      const NetworkLeft *a = left_of(whole), *b = left_of(parts);
      RC_ASSERT((a == nullptr) == (b == nullptr));
      if (a) {
        RC_ASSERT(a->dead == b->dead);
        RC_ASSERT(a->left.injection == b->left.injection && a->left.isolated_gpus == b->left.isolated_gpus &&
                  a->left.bisection == b->left.bisection && a->left.rail_injection == b->left.rail_injection);
      }
    }));
  }

  void nothing_drawn_out_of_service_asks_nothing_of_the_drawing() {
    // The stage rests while racks get other feeds, and does not where a failed unit feeds them.
    const Id id = rack(nvl72(), "R01-01");
    const Design other = must(set_field(nvl72().design, {"racks", id}, "feed_b", FieldValue(Id{0})));
    const Evaluation moved = *evaluate(other, catalog(), &nvl72());
    QVERIFY(moved.traffic == nvl72().traffic);
    QVERIFY(moved.failed_things == nvl72().failed_things);
    const Evaluation out = failed(nvl72(), {power(nvl72(), "UPS A1")});
    const Evaluation changed = *evaluate(must(set_field(out.design, {"racks", id}, "feed_b", FieldValue(Id{0}))), catalog(), &out);
    QVERIFY(changed.traffic != out.traffic);
    QVERIFY(left_of(changed));
    // And failing a thing that takes nothing changes no figure.
    for (const Figure& f : nvl72().figures.page(Page::traffic)->figures) {
      const Figure* now = out.figures.find(f.id);
      QVERIFY(now && now->value == f.value);
    }
  }
};

QTEST_GUILESS_MAIN(TestDrawnFailures)
#include "test_drawn_failures.moc"
