// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "study/density_upgrade.h"

using namespace hallwright;

/// A row of four racks of 40.8 kW (four DGX H100 of 10.2 kW each) on two busways of 200 kW; expected amounts are worked
/// by hand from these ratings.
class TestDensityUpgrade : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  struct Hall4 {
    Design design;
    Id row = 0, type = 0, busway_a = 0, busway_b = 0;
  };
  template <class E>
  static Id add(Design& d, Shared<std::vector<E>> Design::*table, E e) {
    Made made = add_entity(d, table, std::move(e));
    d = std::move(made.design);
    return made.entities.front().id;
  }
  /// @param liquid  share of heat to liquid; with any, one CDU of 200 kW carries it
  static Hall4 hall(double liquid = 0.0, bool both_feeds = true) {
    Hall4 h;
    Design& d = h.design;
    Site site;
    site.utility_power = megawatts(2);
    d.site = share(site);
    CoolingPlant cooling;
    cooling.redundancy = Redundancy::n;
    d.cooling_plant = share(cooling);
    hallwright::Hall room;
    room.name = "Hall";
    room.outline = {{0, 0}, {12000, 0}, {12000, 8000}, {0, 8000}};
    const Id hall_id = add(d, &Design::halls, room);
    RackType type;
    type.name = "DGX rack", type.rack_part = "generic-48u-600x1200", type.liquid_heat_share = liquid, type.mass = kilograms(1000);
    h.type = add(d, &Design::rack_types, type);
    RackItem item;
    item.rack_type = h.type, item.part = "dgx-h100", item.count = 4;
    add(d, &Design::rack_items, item);
    const auto unit = [&](const char* name, PowerUnitKind kind, Feed side, double kw, Id upstream) {
      PowerUnit u;
      u.name = name, u.kind = kind, u.feed = side, u.rating = kilowatts(kw), u.upstream = upstream, u.hall = hall_id;
      u.efficiency = 1.0, u.continuous_load_factor = 1.0;
      return add(d, &Design::power_units, u);
    };
    const Id ups_a = unit("UPS A", PowerUnitKind::ups, Feed::a, 1000, 0), ups_b = unit("UPS B", PowerUnitKind::ups, Feed::b, 1000, 0);
    h.busway_a = unit("Busway A", PowerUnitKind::busway, Feed::a, 200, ups_a);
    h.busway_b = unit("Busway B", PowerUnitKind::busway, Feed::b, 200, ups_b);
    Id loop = 0;
    if (liquid > 0.0) {
      CoolantLoop l;
      l.name = "Loop 1";
      loop = add(d, &Design::loops, l);
      CoolingUnit cdu;
      cdu.name = "CDU 1", cdu.kind = CoolingUnitKind::cdu, cdu.loop = loop, cdu.capacity = kilowatts(200), cdu.hall = hall_id;
      add(d, &Design::cooling_units, cdu);
    }
    CoolingUnit wall;
    wall.name = "Fan wall", wall.kind = CoolingUnitKind::fan_wall, wall.capacity = kilowatts(300), wall.hall = hall_id;
    add(d, &Design::cooling_units, wall);
    hallwright::Row row;
    row.name = "R01", row.hall = hall_id;
    h.row = add(d, &Design::rows, row);
    for (int i = 0; i < 4; ++i) {
      Rack r;
      r.name = "R01-" + std::to_string(i + 1), r.rack_type = h.type, r.hall = hall_id, r.row = h.row, r.loop = loop;
      r.x = millimeters(2000 + 600 * i), r.y = millimeters(3000);
      r.feed_a = h.busway_a;
      if (both_feeds) r.feed_b = h.busway_b;
      add(d, &Design::racks, r);
    }
    return h;
  }
  DensityUpgrade upgraded(const Hall4& h, DensityWish wish) const {
    const auto e = evaluate(h.design, catalog_);
    wish.row = h.row;
    auto answer = density_upgrade(*e, wish);
    if (!answer) qFatal("%s", answer.error().c_str());
    return std::move(*answer);
  }
  static const DensityStep* step(const DensityUpgrade& u, const std::string& subject) {
    for (const DensityStep& s : u.steps)
      if (s.subject == subject) return &s;
    return nullptr;
  }
  static bool near(double a, double b, double share = 1e-5) { return std::abs(a - b) <= share * std::abs(b); }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = share(std::move(*catalog));
  }

  void busways_say_no_first() {
    DensityWish wish;
    wish.power = kilowatts(60);
    const DensityUpgrade u = upgraded(hall(), wish);
    QCOMPARE(u.racks, Count(4));
    QVERIFY(near(in_watts(u.now), 40.8e3) && near(in_watts(u.wanted), 60e3));
    for (const char* name : {"Busway A", "Busway B"}) {
      const DensityStep* s = step(u, name);
      QVERIFY2(s, name);
      // With the other busway out one carries all four: 4 x 40.8 = 163.2 kW now, 4 x 60 = 240 kW then, of 200 kW.
      QVERIFY(s->decided && s->needed);
      QVERIFY2(near(s->now, 163.2e3) && near(s->wanted, 240e3) && near(s->allowed, 200e3), s->why.c_str());
      QCOMPARE(s->count, Count(1)); // two busways of 200 kW carry 240 kW
      QVERIFY(s->live);             // the other side carries 163.2 kW of 200 kW meanwhile
      QVERIFY2(s->live_words.find("4 racks run") != std::string::npos, s->live_words.c_str());
      QVERIFY(!s->cost_low && !s->weeks); // the unit names no part
    }
    const DensityStep* ups = step(u, "UPS A");
    QVERIFY(ups && ups->decided && !ups->needed && near(ups->wanted, 240e3, 0.05));
    const DensityStep* air = step(u, "Air units, for the heat that stays in air");
    // Beside the racks the switches that the nodes need and nobody drew: they stay what they are.
    QVERIFY(air && air->decided && !air->needed && near(air->wanted - air->now, 4 * 19.2e3) && air->wanted >= 240e3 * (1 - 1e-9));
    QVERIFY(near(air->allowed, 300e3));
    QVERIFY(u.cost_at_least && u.weeks_at_least && u.stops == 0);
    // 200 kW / 4 racks: 50 kW each, found from below within half a thousandth.
    QVERIFY2(u.farthest && near(in_watts(*u.farthest), 50e3, 1e-3) && in_watts(*u.farthest) <= 50e3 * (1 + 1e-6), u.farthest_words.c_str());
    QVERIFY2(u.farthest_words.find("Busway") != std::string::npos, u.farthest_words.c_str());
    const DensityStep* floor = step(u, "Floor under the racks");
    QVERIFY(floor && floor->decided && floor->now == floor->wanted);
  }

  void less_power_needs_nothing() {
    DensityWish wish;
    wish.power = kilowatts(20);
    const DensityUpgrade u = upgraded(hall(), wish);
    QVERIFY(near(in_watts(u.wanted), 20e3));
    QVERIFY(near(step(u, "Busway A")->wanted, 80e3));
    for (const DensityStep& s : u.steps)
      QVERIFY2(!s.needed, s.subject.c_str());
    QVERIFY(!u.weeks && in_dollars(u.cost_high) == 0.0 && !u.cost_at_least);
  }

  void what_is_over_its_limit_already_goes_back() {
    Hall4 h = hall();
    h.design = with_table(h.design, &Design::power_units, [&](std::vector<PowerUnit>& units, Id&) {
      for (PowerUnit& u : units)
        if (u.kind == PowerUnitKind::busway) u.rating = kilowatts(100);
    });
    DensityWish wish;
    wish.power = kilowatts(45);
    const DensityUpgrade u = upgraded(h, wish);
    QVERIFY(step(u, "Busway A")->needed && !step(u, "Busway A")->live); // 163.2 kW of 100 kW with the other side out
    QVERIFY2(u.farthest && near(in_watts(*u.farthest), 25e3, 1e-3), u.farthest_words.c_str()); // 100 kW / 4
  }

  void one_path_is_not_live() {
    DensityWish wish;
    wish.power = kilowatts(60), wish.farthest = false;
    const DensityUpgrade u = upgraded(hall(0.0, false), wish);
    const DensityStep* s = step(u, "Busway A");
    QVERIFY(s && s->needed && !s->live);
    QVERIFY2(s->live_words.find("4 racks go dark") != std::string::npos, s->live_words.c_str());
    QVERIFY(u.stops == 1 && !u.farthest);
  }

  void distribution_units_by_duty() {
    DensityWish wish;
    wish.power = kilowatts(60);
    const DensityUpgrade u = upgraded(hall(0.9), wish);
    const DensityStep* duty = step(u, "CDUs of Loop 1, by duty");
    // 4 x 40.8 x 0.9 = 146.88 kW now, 4 x 60 x 0.9 = 216 kW then, of 200 kW with N.
    QVERIFY(duty && duty->decided && duty->needed);
    QVERIFY(near(duty->now, 146.88e3) && near(duty->wanted, 216e3) && near(duty->allowed, 200e3));
    QCOMPARE(duty->count, Count(1));
    // 110 USD/kW (75 to 153) x 200 kW; 28 weeks: price.cdu_per_kw and lead.cdu of the catalog.
    QVERIFY(near(in_dollars(*duty->cost_low), 15000) && near(in_dollars(*duty->cost_high), 30600));
    QCOMPARE(*duty->weeks, 28.0);
    QVERIFY(!duty->live);
    const DensityStep* flow = step(u, "CDUs of Loop 1, by flow");
    QVERIFY(flow && !flow->decided); // it names no part
    const DensityStep* air = step(u, "Air units, for the heat that stays in air");
    QVERIFY(air && near(air->wanted - air->now, 4 * 1.92e3));
    QVERIFY(u.undecided > 0);
    // More to liquid leaves less to air, and less to liquid more.
    wish.liquid_share = 0.5, wish.farthest = false;
    const DensityUpgrade half = upgraded(hall(0.9), wish);
    QVERIFY(near(step(half, "CDUs of Loop 1, by duty")->wanted, 120e3) && !step(half, "CDUs of Loop 1, by duty")->needed);
    const DensityStep* more = step(half, "Air units, for the heat that stays in air");
    QVERIFY(near(more->wanted - more->now, 4 * (30e3 - 4.08e3)));
  }

  void spares_are_kept() {
    Hall4 h = hall(0.9);
    CoolingPlant cooling = *h.design.cooling_plant;
    cooling.redundancy = Redundancy::n_plus_1;
    h.design.cooling_plant = share(cooling);
    CoolingUnit second = h.design.cooling_units->front();
    second.name = "CDU 2";
    add(h.design, &Design::cooling_units, second);
    DensityWish wish;
    wish.power = kilowatts(100), wish.farthest = false;
    const DensityUpgrade u = upgraded(h, wish);
    const DensityStep* duty = step(u, "CDUs of Loop 1, by duty");
    QVERIFY(duty && duty->needed && near(duty->allowed, 200e3) && near(duty->wanted, 360e3));
    QCOMPARE(duty->count, Count(1)); // three, of which two carry 400 kW
    const DensityStep* air = step(u, "Air units, for the heat that stays in air");
    QVERIFY(air && air->needed && air->allowed == 0.0); // the only one counts as out
    QVERIFY(air->live);
  }

  void another_rack_type_weighs_more() {
    Hall4 h = hall();
    RackType heavy = *find(*h.design.rack_types, h.type);
    heavy.name = "Heavy rack", heavy.mass = kilograms(3000);
    const Id type = add(h.design, &Design::rack_types, heavy);
    RackItem item;
    item.rack_type = type, item.part = "dgx-h100", item.count = 3;
    add(h.design, &Design::rack_items, item);
    Site site = *h.design.site;
    site.floor_rating = kilograms_per_square_meter(1000);
    h.design.site = share(site);
    DensityWish wish;
    wish.rack_type = type, wish.farthest = false;
    const DensityUpgrade u = upgraded(h, wish);
    QVERIFY(near(in_watts(u.wanted), 30.6e3)); // three of 10.2 kW
    const DensityStep* floor = step(u, "Floor under the racks");
    QVERIFY(floor && floor->decided && near(floor->wanted, 3.0 * floor->now));
    QCOMPARE(floor->needed, floor->wanted > 1000.0);
    wish.power = kilowatts(45);
    QVERIFY(near(step(upgraded(h, wish), "Busway A")->wanted, 180e3));
  }

  void integrated_racks_and_caps() {
    Hall4 h = hall();
    h.design = with_table(h.design, &Design::rack_types, [&](std::vector<RackType>& types, Id&) { types.front().rack_part = "gb200-nvl72"; });
    h.design = with_table(h.design, &Design::racks, [&](std::vector<Rack>& racks, Id&) { for (Rack& r : racks) r.power_cap = kilowatts(20); });
    DensityWish wish;
    wish.power = kilowatts(150), wish.farthest = false;
    const DensityUpgrade u = upgraded(h, wish);
    QVERIFY(near(in_watts(u.wanted), 150e3));
    QVERIFY(near(step(u, "Busway A")->wanted, 600e3));
    QCOMPARE(step(u, "Busway A")->count, Count(2));
  }

  void wishes_that_cannot_be_followed() {
    const Hall4 h = hall();
    const auto e = evaluate(h.design, catalog_);
    DensityWish wish;
    wish.power = kilowatts(60);
    QVERIFY(!density_upgrade(*e, wish)); // no row
    wish.row = h.row, wish.power = watts(0);
    auto answer = density_upgrade(*e, wish);
    QVERIFY(!answer && answer.error().find("above 0") != std::string::npos);
    wish.power = watts(std::numeric_limits<double>::quiet_NaN());
    QVERIFY(!density_upgrade(*e, wish));
    wish.power.reset();
    QVERIFY(!density_upgrade(*e, wish));
    wish.power = kilowatts(60), wish.liquid_share = 1.5;
    answer = density_upgrade(*e, wish);
    QVERIFY(!answer && answer.error().find("0 to 1") != std::string::npos);
    wish.liquid_share.reset(), wish.rack_type = 99999;
    QVERIFY(!density_upgrade(*e, wish));
    wish.rack_type = 0;
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!density_upgrade(*e, wish, stop.get_token()));
  }
};

QTEST_GUILESS_MAIN(TestDensityUpgrade)
#include "test_density_upgrade.moc"
