// SPDX-License-Identifier: GPL-3.0-or-later
// How racks hang on the power side, against figures worked by hand.
#include <QtTest>

#include <cmath>

#include "power/rack_supply.h"

using namespace hallwright;

namespace {

OneLineElement element(Id id, const char* name, PowerUnitKind kind, double rating_kw, Id upstream = 0) {
  OneLineElement e;
  e.id = id;
  e.name = name;
  e.kind = kind;
  e.rating_w = rating_kw * 1000.0;
  e.upstream = upstream;
  e.losses = *LossLaw::constant(1.0);
  return e;
}
OneLineLoad load(Id id, double kw, Id a, Id b = 0) {
  OneLineLoad l;
  l.id = id;
  l.draw.real = kilowatts(kw);
  l.feed_a = a;
  l.feed_b = b;
  return l;
}
/// Two utilities, a busway below each; A bears 100 kW and B 50 kW, four fifths of it for long. Racks 10 and 11 hang on
/// both, 12 on A alone, 13 on nothing.
OneLine two_sides(bool one_utility = false) {
  std::vector<OneLineElement> e{element(1, "Utility A", PowerUnitKind::utility_feed, 1000),
                                element(2, "Utility B", PowerUnitKind::utility_feed, 1000),
                                element(3, "Busway A", PowerUnitKind::busway, 100, 1),
                                element(4, "Busway B", PowerUnitKind::busway, 50, one_utility ? 1 : 2)};
  e[2].usable_share = e[3].usable_share = 0.8;
  if (one_utility) e.erase(e.begin() + 1);
  return OneLine(e, {load(10, 10, 3, 4), load(11, 10, 3, 4), load(12, 10, 3), load(13, 10, 0)});
}

} // namespace

class TestRackSupply : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// A carries 5 + 5 + 10 = 20 of 80 kW, B 5 + 5 = 10 of 40 kW: three quarters left on both. With 20 kW on rack 10, A
  /// carries 25 of 80 kW (68.75 % left) and B 15 of 40 kW (62.5 %).
  void a_rack_has_the_room_of_its_fuller_feed() {
    const OneLineStudy even(two_sides());
    const auto racks = rack_supplies(even);
    QCOMPARE(racks.size(), std::size_t{3});
    for (const RackSupply& r : racks) QVERIFY(std::abs(r.headroom - 0.75) < 1e-12);
    std::vector<OneLineLoad> loads = even.line.loads();
    loads[0].draw.real = kilowatts(20);
    const OneLineStudy uneven(OneLine(even.line.elements(), loads));
    const auto changed = rack_supplies(uneven);
    QCOMPARE(changed[0].rack, Id{10});
    QVERIFY(std::abs(changed[0].headroom - 0.625) < 1e-12);
    QCOMPARE(changed[0].tightest, Id{4});
    QCOMPARE(changed[2].rack, Id{12});
    QVERIFY(std::abs(changed[2].headroom - 0.6875) < 1e-12);
    QCOMPARE(changed[2].tightest, Id{3});
  }

  void a_feed_without_a_rating_has_no_headroom() {
    std::vector<OneLineElement> e = two_sides().elements();
    e[2].rating_w = std::nan("");
    const OneLineStudy study(OneLine(e, {load(10, 10, 3), load(11, 10, 3, 4)}));
    const auto racks = rack_supplies(study);
    QVERIFY(std::isnan(racks[0].headroom) && racks[0].tightest == 0);
    QCOMPARE(racks[1].tightest, Id{4}); // the one that is known
  }

  /// Racks on two sides need both to be lost; one cord alone goes with its busway, and not with the utility above that,
  /// which takes as many; one without feeds has no domain.
  void what_takes_a_rack_dark() {
    const OneLineStudy study(two_sides());
    const auto racks = rack_failure_domains(study);
    QCOMPARE(racks.size(), std::size_t{3});
    QCOMPARE(racks[0].unit, Id{0});
    QCOMPARE(failure_domain_name(racks[0], study.line), std::string("Busway A + Busway B"));
    QCOMPARE(failure_domain_name(racks[1], study.line), std::string("Busway A + Busway B"));
    QCOMPARE(racks[2].unit, Id{3});
    QCOMPARE(failure_domain_name(racks[2], study.line), std::string("Busway A"));
  }
  void both_sides_of_one_source_go_with_it() {
    const OneLineStudy study(two_sides(true));
    const auto racks = rack_failure_domains(study);
    QCOMPARE(failure_domain_name(racks[0], study.line), std::string("Utility A"));
    QCOMPARE(failure_domain_name(racks[2], study.line), std::string("Busway A"));
  }
  /// Each busway bears 50 kW and trips at 62.5 kW; 80 kW of dual-corded racks is 40 each, and all of it on the one left.
  void what_drops_out_after_it_counts() {
    const OneLineStudy study(OneLine({element(1, "A", PowerUnitKind::busway, 50), element(2, "B", PowerUnitKind::busway, 50)},
                                     {load(10, 80, 1, 2)}));
    const auto racks = rack_failure_domains(study);
    QCOMPARE(racks[0].unit, Id{1});
  }

  void phases_are_those_of_the_taps() {
    std::vector<OneLineElement> e = two_sides().elements();
    const auto words = [&](TapPhases a, TapPhases b, Id feed_a = 3, Id feed_b = 4) {
      Rack r;
      r.feed_a = feed_a, r.feed_b = feed_b, r.phases_a = a, r.phases_b = b;
      const RackPhases p = rack_phases(r, OneLine(e, {}));
      return p.words + "|" + p.mark;
    };
    QCOMPARE(words(TapPhases::three_phase, TapPhases::three_phase), std::string("three phases|3~"));
    QCOMPARE(words(TapPhases::l2_n, TapPhases::l2_n), std::string("L2-N|L2"));
    QCOMPARE(words(TapPhases::l1_l2, TapPhases::l1_l2), std::string("L1-L2|L1L2"));
    QCOMPARE(words(TapPhases::l1_n, TapPhases::l3_n), std::string("A L1-N, B L3-N|L1/L3"));
    QCOMPARE(words(TapPhases::l1_n, TapPhases::l3_n, 0), std::string("L3-N|L3"));
    QCOMPARE(words(TapPhases::l1_n, TapPhases::l3_n, 3, 0), std::string("L1-N|L1"));
    QCOMPARE(words(TapPhases::l1_n, TapPhases::l3_n, 0, 0), std::string("|"));
    e[2].system = ElectricalSystem::direct_current;
    e[3].system = ElectricalSystem::single_phase;
    QCOMPARE(words(TapPhases::l1_n, TapPhases::l1_n), std::string("A direct current, B one phase|DC/1~"));
  }
};

QTEST_GUILESS_MAIN(TestRackSupply)
#include "test_rack_supply.moc"
