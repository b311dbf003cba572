// SPDX-License-Identifier: GPL-3.0-or-later
// Which racks stand without power, against one-lines drawn and followed by hand.
#include <QtTest>

#include "design/power_feeds.h"

using namespace hallwright;

namespace {

PowerUnit unit(Id id, PowerUnitKind kind, Id upstream = 0, Feed feed = Feed::both) {
  PowerUnit u;
  u.id = id;
  u.name = "Unit " + std::to_string(id);
  u.kind = kind;
  u.upstream = upstream;
  u.feed = feed;
  return u;
}
Rack rack(Id id, Id a, Id b) {
  Rack r;
  r.id = id;
  r.feed_a = a;
  r.feed_b = b;
  return r;
}
/// Ids of the racks without power with these units out.
std::vector<Id> dark(const std::vector<PowerUnit>& units, const std::vector<Rack>& racks, std::vector<Id> out,
                     Redundancy redundancy = Redundancy::two_n) {
  const PowerFeeds feeds(units, racks, redundancy);
  const std::vector<bool> dead = feeds.dead(out);
  std::vector<Id> ids;
  for (const Rack& r : racks)
    if (feeds.without_power(r, dead)) ids.push_back(r.id);
  return ids;
}
using Ids = std::vector<Id>;

/// 1 transformer above both UPS 2 and 3; busways 4 and 5 below UPS 2, 6 below UPS 3.
const std::vector<PowerUnit>& two_sides() {
  static const std::vector<PowerUnit> units{unit(1, PowerUnitKind::transformer),    unit(2, PowerUnitKind::ups, 1, Feed::a),
                                            unit(3, PowerUnitKind::ups, 1, Feed::b), unit(4, PowerUnitKind::busway, 2, Feed::a),
                                            unit(5, PowerUnitKind::busway, 2, Feed::a), unit(6, PowerUnitKind::busway, 3, Feed::b)};
  return units;
}

} // namespace

class TestPowerFeeds : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_rack_with_two_feeds_lives_on_the_other() {
    const std::vector<Rack> racks{rack(11, 4, 6), rack(12, 5, 6), rack(13, 4, 0), rack(14, 0, 6), rack(15, 0, 0), rack(16, 4, 4)};
    QCOMPARE(dark(two_sides(), racks, {}), Ids{});
    QCOMPARE(dark(two_sides(), racks, {4}), (Ids{13, 16}));
    QCOMPARE(dark(two_sides(), racks, {2}), (Ids{13, 16}));
    QCOMPARE(dark(two_sides(), racks, {3}), (Ids{14}));
    QCOMPARE(dark(two_sides(), racks, {4, 6}), (Ids{11, 13, 14, 16}));
    QCOMPARE(dark(two_sides(), racks, {5, 3}), (Ids{12, 14}));
    // What stands above both sides takes all that is fed.
    QCOMPARE(dark(two_sides(), racks, {1}), (Ids{11, 12, 13, 14, 16}));
    // A feed that names nothing drawn is none.
    QCOMPARE(dark(two_sides(), {rack(11, 99, 4)}, {4}), (Ids{11}));
    QCOMPARE(dark(two_sides(), {rack(11, 99, 98)}, {1}), Ids{});
  }

  void the_rest_of_a_bus_carries_on() {
    const std::vector<PowerUnit> units{unit(1, PowerUnitKind::utility_feed), unit(2, PowerUnitKind::ups, 1),
                                       unit(3, PowerUnitKind::ups, 1), unit(4, PowerUnitKind::busway, 2)};
    const std::vector<Rack> racks{rack(11, 4, 0)};
    QCOMPARE(dark(units, racks, {2}, Redundancy::n_plus_1), Ids{});
    QCOMPARE(dark(units, racks, {3}, Redundancy::n_plus_1), Ids{});
    QCOMPARE(dark(units, racks, {2, 3}, Redundancy::n_plus_1), (Ids{11}));
    QCOMPARE(dark(units, racks, {4}, Redundancy::n_plus_1), (Ids{11}));
    QCOMPARE(dark(units, racks, {2}, Redundancy::two_n), (Ids{11}));
    // Racks with A and B on two of them part the bus: each feeds its own.
    const std::vector<PowerUnit> parted{units[0], units[1], units[2], units[3], unit(5, PowerUnitKind::busway, 3)};
    QCOMPARE(dark(parted, {rack(11, 4, 5), rack(12, 4, 0)}, {2}, Redundancy::n_plus_1), (Ids{12}));
  }

  void a_loop_of_units_ends() {
    const std::vector<PowerUnit> units{unit(1, PowerUnitKind::ups, 2), unit(2, PowerUnitKind::ups, 1), unit(3, PowerUnitKind::busway, 1)};
    const PowerFeeds feeds(units, {}, Redundancy::n);
    QCOMPARE(feeds.looped(), (Ids{1, 2}));
    QCOMPARE(dark(units, {rack(11, 3, 0)}, {2}), (Ids{11}));
  }

  void laws() {
    QVERIFY(rc::check("each unit alone takes what it takes; more units out never leave more racks", [] {
      const auto redundancy = *rc::gen::element(Redundancy::n, Redundancy::n_plus_1, Redundancy::two_n);
      std::vector<PowerUnit> units;
      const Id count = *rc::gen::inRange<Id>(1, 9);
      for (Id id = 1; id <= count; ++id)
        units.push_back(unit(id, *rc::gen::element(PowerUnitKind::ups, PowerUnitKind::busway), *rc::gen::inRange<Id>(0, count + 1)));
      std::vector<Rack> racks;
      for (Id r = 0; r < *rc::gen::inRange<Id>(0, 12); ++r)
        racks.push_back(rack(100 + r, *rc::gen::inRange<Id>(0, count + 2), *rc::gen::inRange<Id>(0, count + 2)));
      const PowerFeeds feeds(units, racks, redundancy);
      const auto each = feeds.lost_with_each(racks);
      for (std::size_t u = 0; u < units.size(); ++u) {
        const Ids alone = dark(units, racks, {units[u].id}, redundancy);
        Ids told;
        for (const std::size_t r : each[u])
          told.push_back(racks[r].id);
        RC_ASSERT(told == alone);
        for (const Id id : alone)
          RC_ASSERT(feeds.feeds(units[u].id, *find(racks, id)));
      }
      Ids out;
      std::size_t before = 0;
      for (const PowerUnit& u : units) {
        out.push_back(u.id);
        const std::size_t now = dark(units, racks, out, redundancy).size();
        RC_ASSERT(now >= before);
        before = now;
      }
    }));
  }
};

QTEST_APPLESS_MAIN(TestPowerFeeds)
#include "test_power_feeds.moc"
