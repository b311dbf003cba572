// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "empty_hall.h"
#include "study/layout_proposals.h"

using namespace hallwright;
using test::empty_hall;

namespace {

LayoutWish wish_of(const Design& d, Count count) {
  LayoutWish w;
  w.rack_type = d.rack_types->front().id;
  w.hall = d.halls->front().id;
  w.count = count;
  return w;
}

} // namespace

class TestLayoutProposals : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog);
    catalog_ = share(*std::move(catalog));
  }

  void eachProposalIsAnotherLayoutWithTheSameHeadlines() {
    const Design d = empty_hall();
    const auto all = layout_proposals(d, catalog_, wish_of(d, 32), 4);
    QVERIFY2(all.has_value(), all ? "" : all.error().c_str());
    QVERIFY(all->proposals.size() >= 2);
    std::set<std::string> names;
    for (const LayoutProposal& p : all->proposals) {
      names.insert(p.name);
      QCOMPARE(p.outcome.racks, Count{32});
      QCOMPARE(p.headlines.size(), all->proposals.front().headlines.size());
      // 32 nodes a unit, four a rack: four pods of eight racks; eight rails a unit are eight leafs, one fabric rack a
      // pod.
      QCOMPARE(p.request.pod_racks, Count{8});
      QCOMPARE(p.outcome.fabric_racks, Count{4});
      // The edit makes what was evaluated.
      const auto made = p.edit.apply(d);
      QVERIFY(made.has_value());
      QCOMPARE(made->racks->size(), p.outcome.design.racks->size());
      for (std::size_t i = 0; i < made->racks->size(); ++i)
        QCOMPARE(in_meters((*made->racks)[i].x), in_meters((*p.outcome.design.racks)[i].x));
      QCOMPARE(p.evaluation->population->accelerators.value, Count{1024});
      // Busways carry their row with the other feed out, losses beneath them included.
      for (const PowerUnitLoad& l : p.evaluation->power->units)
        QVERIFY(l.failover_w <= l.rating_w * 0.8);
      for (const Finding& f : p.evaluation->findings)
        QVERIFY2(f.code != "SPC-003" && f.code != "SPC-004" && f.code != "SPC-005", f.message.c_str());
    }
    QCOMPARE(names.size(), all->proposals.size());
    // Best first.
    for (std::size_t i = 1; i < all->proposals.size(); ++i)
      QVERIFY(all->proposals[i - 1].findings.errors <= all->proposals[i].findings.errors);
    // Again, and the same comes out.
    const auto again = layout_proposals(d, catalog_, wish_of(d, 32), 4);
    for (std::size_t i = 0; i < all->proposals.size(); ++i)
      QCOMPARE(again->proposals[i].name, all->proposals[i].name);
  }

  void refusalNamesTheNumber() {
    const Design d = empty_hall();
    const auto all = layout_proposals(d, catalog_, wish_of(d, 4000), 3);
    QVERIFY(!all);
    QVERIFY2(all.error().find("do not fit") != std::string::npos, all.error().c_str());
  }

  void fillStopsAtTheFirstLimit() {
    const Design d = empty_hall();
    const EntityRef hall{"halls", d.halls->front().id};
    const auto by_area =
        fill_preview(d, catalog_, {.rack_type = d.rack_types->front().id, .where = hall, .longest_row = 30});
    QVERIFY(by_area.has_value());
    QCOMPARE(by_area->stopped_by, std::string("area"));
    QCOMPARE(by_area->placed, Count{116});
    QCOMPARE(by_area->edit.apply(d)->racks->size(), std::size_t(116));
    // A zone of 6 m x 6 m holds 30 racks; its 500 kW hold 12 of 40.8 kW.
    Design zoned = d;
    Zone zone;
    zone.name = "Zone 1";
    zone.hall = hall.id;
    zone.outline = {{3000, 3000}, {9000, 3000}, {9000, 9000}, {3000, 9000}};
    zone.power_limit = kilowatts(500);
    const Made made = add_entity(d, &Design::zones, zone);
    const auto by_power =
        fill_preview(made.design, catalog_, {.rack_type = d.rack_types->front().id, .where = made.entities.front()});
    QVERIFY(by_power.has_value());
    QCOMPARE(by_power->stopped_by, std::string("zone_power"));
    QVERIFY2(by_power->placed >= 11 && by_power->placed <= 12,
             by_power->sentence.c_str()); // optics add to the 40.8 kW of the nodes
    // Filled once, little is left the second time.
    const Design once = *by_power->edit.apply(made.design);
    const auto twice =
        fill_preview(once, catalog_, {.rack_type = d.rack_types->front().id, .where = made.entities.front()});
    QVERIFY(twice.has_value());
    QVERIFY(twice->placed <= 1);
    // A row is filled in its line.
    const EntityRef row{"rows", once.rows->front().id};
    const auto line = fill_preview(once, catalog_, {.rack_type = d.rack_types->front().id, .where = row});
    QVERIFY(line.has_value());
    QVERIFY(line->placed > 0);
    QCOMPARE(line->edit.apply(once)->racks->size(), once.racks->size() + static_cast<std::size_t>(line->placed));
    QVERIFY(!fill_preview(d, catalog_, {.rack_type = d.rack_types->front().id, .where = {"racks", 1}}));
  }

  void aFilledHallKeepsThePowerOfTheSite() {
    Design d = empty_hall();
    Site site = *d.site;
    site.utility_power = megawatts(1);
    d.site = share(site);
    const auto fill =
        fill_preview(d, catalog_, {.rack_type = d.rack_types->front().id, .where = {"halls", d.halls->front().id}});
    QVERIFY(fill.has_value());
    QCOMPARE(fill->stopped_by, std::string("site_power"));
    const Design filled = *fill->edit.apply(d);
    QCOMPARE(filled.racks->size(), static_cast<std::size_t>(fill->placed));
    const auto full = evaluate(filled, catalog_);
    QVERIFY(full->power->it.value <= full->power->it_capacity.value);
    // One more would be too many.
    Rack one_more = filled.racks->front();
    const auto over = evaluate(add_entity(filled, &Design::racks, one_more).design, catalog_);
    QVERIFY(over->power->it.value > over->power->it_capacity.value);
  }
};

QTEST_APPLESS_MAIN(TestLayoutProposals)
#include "test_layout_proposals.moc"
