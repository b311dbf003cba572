// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "power/one_line_layout.h"

using namespace hallwright;

namespace {

OneLineElement unit(Id id, PowerUnitKind kind, Id upstream = 0, Feed side = Feed::both, Id bus = 0,
                    double kw = 1000.0) {
  OneLineElement e;
  e.id = id;
  e.name = "Unit " + std::to_string(id);
  e.kind = kind;
  e.side = side;
  e.upstream = upstream;
  e.bus = bus;
  e.rating_w = kw * 1000.0;
  return e;
}
OneLineLoad rack(Id id, Id a, Id b = 0) {
  OneLineLoad l;
  l.id = id;
  l.draw.real = kilowatts(10);
  l.feed_a = a;
  l.feed_b = b;
  return l;
}
/// Utility, transformer, UPS and `busways` busways on each of two sides, `racks` racks on each pair of busways.
OneLine two_sides(int busways, int racks = 1) {
  std::vector<OneLineElement> units;
  for (const Feed side : {Feed::b, Feed::a}) { // B first: the order of ids does not decide the sides
    const Id base = side == Feed::a ? 200 : 100;
    units.push_back(unit(base + 1, PowerUnitKind::utility_feed, 0, side));
    units.push_back(unit(base + 2, PowerUnitKind::transformer, base + 1, side));
    units.push_back(unit(base + 3, PowerUnitKind::ups, base + 2, side));
    for (int k = 0; k < busways; ++k)
      units.push_back(unit(base + 10 + k, PowerUnitKind::busway, base + 3, side));
  }
  std::vector<OneLineLoad> loads;
  for (int k = 0; k < busways; ++k)
    for (int r = 0; r < racks; ++r)
      loads.push_back(rack(1000 + 100 * k + r, 210 + k, 110 + k));
  return {units, loads};
}
/// As the sample of 100,000 GPUs: two utilities, eight blocks of six transformers, ten UPS and 48 busways each.
OneLine large(int racks_each = 9) {
  std::vector<OneLineElement> units{unit(1, PowerUnitKind::utility_feed), unit(2, PowerUnitKind::utility_feed)};
  std::vector<OneLineLoad> loads;
  Id id = 10, rack_id = 100000;
  for (int block = 0; block < 8; ++block) {
    const Id transformer = id, ups = id + 6;
    for (int k = 0; k < 6; ++k)
      units.push_back(unit(id++, PowerUnitKind::transformer, 1 + block / 4, Feed::both, transformer));
    for (int k = 0; k < 10; ++k)
      units.push_back(unit(id++, PowerUnitKind::ups, transformer, Feed::both, ups));
    for (int k = 0; k < 48; ++k) {
      for (int r = 0; r < racks_each; ++r)
        loads.push_back(rack(rack_id++, id));
      units.push_back(unit(id++, PowerUnitKind::busway, ups));
    }
  }
  return {units, loads};
}

const OneLineSymbol& symbol_of(const OneLine& line, const OneLineLayout& l, Id id) {
  return l.symbols[l.symbol_of_element[static_cast<std::size_t>(line.index(id))]];
}

/// What is wrong with a diagram, whatever is drawn; empty: nothing.
std::string faults(const OneLine& line, const OneLineLayout& l) {
  const OneLineMeasures& m = l.measures;
  for (std::size_t i = 0; i < l.symbols.size(); ++i) {
    const OneLineSymbol& s = l.symbols[i];
    if (!(s.x - m.glyph_half >= 0 && s.x + m.words_width <= l.width && s.y >= 0 && s.y + m.symbol_height <= l.height))
      return "a symbol reaches beyond the diagram";
    for (std::size_t k = i + 1; k < l.symbols.size(); ++k)
      if (l.symbols[k].row == s.row && std::abs(l.symbols[k].x - s.x) < m.glyph_half + m.words_width)
        return "symbols lie on each other";
  }
  std::vector<int> seen(line.elements().size(), 0);
  for (const OneLineSymbol& s : l.symbols)
    for (const std::uint32_t e : s.elements)
      ++seen[e];
  for (const int n : seen)
    if (n != 1) return "an element is drawn " + std::to_string(n) + " times";
  for (std::size_t e = 0; e < line.elements().size(); ++e)
    if (const auto up = line.upstream(e);
        up != OneLine::none && line.bus_of(static_cast<std::size_t>(up)) != line.bus_of(e))
      if (l.symbols[l.symbol_of_element[e]].row <= l.symbols[l.symbol_of_element[static_cast<std::size_t>(up)]].row &&
          l.symbols[l.symbol_of_element[e]].elements.size() == 1)
        return "an element stands beside or above what feeds it";
  for (const OneLineWire& w : l.wires) {
    for (std::size_t k = 1; k < w.points.size(); ++k)
      if (w.points[k].x != w.points[k - 1].x && w.points[k].y != w.points[k - 1].y) return "a wire runs aslant";
    if (std::abs(w.points.back().x - l.symbols[w.to].x) > 12 || w.points.back().y != l.symbols[w.to].y)
      return "a wire does not end at its symbol";
    // Upright pieces run through no symbol but those of its ends.
    for (std::size_t k = 1; k < w.points.size(); ++k) {
      if (w.points[k].x != w.points[k - 1].x) continue;
      const auto [top, foot] = std::minmax(w.points[k].y, w.points[k - 1].y);
      for (std::size_t s = 0; s < l.symbols.size(); ++s) {
        const OneLineSymbol& o = l.symbols[s];
        if (s == w.to || s == w.from || w.points[k].x < o.x - m.glyph_half || w.points[k].x > o.x + m.words_width)
          continue;
        if (top < o.y + m.symbol_height - 1e-9 && foot > o.y + 1e-9) return "a wire runs through a symbol";
      }
    }
  }
  // Level pieces of unlike wires do not lie on each other.
  struct Level {
    double y, from, to;
    std::size_t wire;
  };
  std::vector<Level> levels;
  for (std::size_t i = 0; i < l.wires.size(); ++i)
    for (std::size_t k = 1; k < l.wires[i].points.size(); ++k) {
      const auto &p = l.wires[i].points[k - 1], &q = l.wires[i].points[k];
      if (p.y == q.y && p.x != q.x) levels.push_back({p.y, std::min(p.x, q.x), std::max(p.x, q.x), i});
    }
  for (const OneLineBar& b : l.bars)
    levels.push_back({b.y, b.from, b.to, l.wires.size()});
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (std::size_t k = i + 1; k < levels.size(); ++k)
      if ((levels[i].wire != levels[k].wire || levels[i].wire == l.wires.size()) &&
          std::abs(levels[i].y - levels[k].y) < 1.0 && levels[i].from < levels[k].to && levels[k].from < levels[i].to)
        return "level wires lie on each other";
  return {};
}

} // namespace

class TestOneLineLayout : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void side_a_stands_left_and_racks_hang_between() {
    const OneLine line = two_sides(2, 6);
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    QCOMPARE(l.rows.size(), std::size_t{5}); // utility, transformer, UPS, busways, racks
    QCOMPARE(l.rows[0].title, std::string("Utility feeds"));
    QCOMPARE(l.rows[4].title, std::string("Racks"));
    for (const Id b : {101, 102, 103, 110, 111})
      for (const Id a : {201, 202, 203, 210, 211})
        QVERIFY2(symbol_of(line, l, a).x < symbol_of(line, l, b).x, "side A is left");
    // Six racks on one pair of busways are one symbol with a cord from each side.
    QCOMPARE(l.symbols.size(), std::size_t{10 + 2});
    int cords_a = 0, cords_b = 0;
    for (const OneLineWire& w : l.wires) {
      cords_a += w.kind == OneLineWireKind::cord_a;
      cords_b += w.kind == OneLineWireKind::cord_b;
      if (w.kind == OneLineWireKind::cord_a) QCOMPARE(w.side, Feed::a);
      if (w.kind == OneLineWireKind::cord_b) QCOMPARE(w.side, Feed::b);
    }
    QCOMPARE(cords_a, 2);
    QCOMPARE(cords_b, 2);
    // A UPS stands in the middle above its two busways, on a bar that reaches both.
    QCOMPARE(symbol_of(line, l, 203).x, (symbol_of(line, l, 210).x + symbol_of(line, l, 211).x) / 2);
    // Along the topology.
    const std::size_t ups = l.symbol_of_element[static_cast<std::size_t>(line.index(203))];
    QCOMPARE(l.below(ups).size(), std::size_t{2});
    QCOMPARE(l.above(ups), std::vector<std::size_t>{l.symbol_of_element[static_cast<std::size_t>(line.index(202))]});
  }

  void what_shares_a_bus_stands_under_one_bar() {
    std::vector<OneLineElement> units{unit(1, PowerUnitKind::transformer)};
    for (Id id = 2; id <= 4; ++id)
      units.push_back(unit(id, PowerUnitKind::ups, 1, Feed::both, 2));
    units.push_back(unit(5, PowerUnitKind::busway, 2));
    const OneLine line(units, {rack(100, 5)});
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    const OneLineBar* bar = nullptr;
    for (const OneLineBar& b : l.bars)
      if (b.symbols.size() == 3) bar = &b;
    QVERIFY(bar);
    QCOMPARE(bar->from, symbol_of(line, l, 2).x);
    QCOMPARE(bar->to, symbol_of(line, l, 4).x);
    QVERIFY(bar->y > symbol_of(line, l, 2).y + l.measures.symbol_height && bar->y < symbol_of(line, l, 5).y);
    QCOMPARE(bar->stubs.size(), std::size_t{3});
    // All three feed what hangs on the bar.
    for (const Id id : {2, 3, 4})
      QCOMPARE(l.below(l.symbol_of_element[static_cast<std::size_t>(line.index(id))]),
               std::vector<std::size_t>{l.symbol_of_element[static_cast<std::size_t>(line.index(5))]});
  }

  void equals_fold_and_open() {
    const OneLine line = large();
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    // 2 utilities, then a symbol for six transformers, ten UPS, 48 busways and their 432 racks in each of 8 blocks.
    QCOMPARE(l.symbols.size(), std::size_t{2 + 8 * 4});
    QVERIFY2(l.width < 9 * l.measures.pitch, "eight columns");
    const OneLineSymbol& busways = symbol_of(line, l, 10 + 16);
    QCOMPARE(busways.elements.size(), std::size_t{48});
    QVERIFY(busways.folded && busways.fold != 0);
    QCOMPARE(symbol_of(line, l, 10).elements.size(), std::size_t{6});
    // One fold opened: 48 busways apart, each with its racks; all else as before and in the same order.
    OneLineFolding folding;
    folding.opened.insert(busways.fold);
    const OneLineLayout open = lay_out(line, folding);
    QCOMPARE(faults(line, open), std::string());
    QCOMPARE(open.symbols.size(), l.symbols.size() + 2 * 47);
    QVERIFY(!symbol_of(line, open, 10 + 16).folded);
    QCOMPARE(symbol_of(line, open, 10 + 16).fold, busways.fold);
    QCOMPARE(symbol_of(line, open, 10 + 64 + 16).elements.size(), std::size_t{48});
    folding.none = true;
    const OneLineLayout all = lay_out(line, folding);
    QCOMPARE(all.symbols.size(), std::size_t{514 + 384});
    QCOMPARE(faults(line, all), std::string());
  }

  void equal_branches_fold_as_a_whole_with_their_generators() {
    // 20 UPS, each with its own busway below and its own generator as second source.
    std::vector<OneLineElement> units{unit(1, PowerUnitKind::utility_feed)};
    std::vector<OneLineLoad> loads;
    for (Id k = 0; k < 20; ++k) {
      units.push_back(unit(100 + k, PowerUnitKind::ups, 1));
      units.back().alternate = 300 + k;
      units.push_back(unit(200 + k, PowerUnitKind::busway, 100 + k));
      units.push_back(unit(300 + k, PowerUnitKind::generator));
      loads.push_back(rack(1000 + k, 200 + k));
    }
    const OneLine line(units, loads);
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    QCOMPARE(l.symbols.size(), std::size_t{5});
    QCOMPARE(symbol_of(line, l, 107).elements.size(), std::size_t{20});
    QCOMPARE(symbol_of(line, l, 307).elements.size(), std::size_t{20});
    QCOMPARE(symbol_of(line, l, 307).row, std::size_t{0}); // with the utility
    int dashed = 0;
    for (const OneLineWire& w : l.wires)
      dashed += w.kind == OneLineWireKind::second_source;
    QCOMPARE(dashed, 1);
    // One with another rating does not fold with the rest.
    units[1].rating_w *= 2;
    const OneLine other(units, loads);
    const OneLineLayout two = lay_out(other);
    QCOMPARE(symbol_of(other, two, 100).elements.size(), std::size_t{1});
    QCOMPARE(symbol_of(other, two, 101).elements.size(), std::size_t{19});
  }

  void second_sources_are_dashed_wires_that_meet_no_symbol() {
    // A catcher UPS behind three blocks, and a generator behind the transformer.
    std::vector<OneLineElement> units{unit(1, PowerUnitKind::utility_feed), unit(2, PowerUnitKind::generator),
                                      unit(3, PowerUnitKind::transformer, 1)};
    units[2].alternate = 2;
    for (Id k = 0; k < 4; ++k)
      units.push_back(unit(10 + k, PowerUnitKind::ups, 3));
    for (Id k = 0; k < 3; ++k) {
      units.push_back(unit(20 + k, PowerUnitKind::distribution, 10 + k));
      units.back().alternate = 13;
      units.push_back(unit(30 + k, PowerUnitKind::busway, 20 + k));
    }
    const OneLine line(units, {rack(100, 30), rack(101, 31), rack(102, 32)});
    QVERIFY(line.issues().empty());
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    int dashed = 0;
    for (const OneLineWire& w : l.wires)
      dashed += w.kind == OneLineWireKind::second_source;
    QCOMPARE(dashed, 4);
    const std::size_t pdu = l.symbol_of_element[static_cast<std::size_t>(line.index(21))];
    QCOMPARE(l.above(pdu), (std::vector<std::size_t>{l.symbol_of_element[static_cast<std::size_t>(line.index(11))],
                                                     l.symbol_of_element[static_cast<std::size_t>(line.index(13))]}));
  }

  void levels_may_be_missing_or_out_of_order() {
    // A transformer below a UPS, a panel below a panel, a UPS without anything above, racks on a UPS and on nothing.
    const OneLine line({unit(1, PowerUnitKind::utility_feed), unit(2, PowerUnitKind::ups, 1),
                        unit(3, PowerUnitKind::transformer, 2), unit(4, PowerUnitKind::distribution, 3),
                        unit(5, PowerUnitKind::distribution, 4), unit(6, PowerUnitKind::ups),
                        unit(7, PowerUnitKind::busway, 99)},
                       {rack(100, 5), rack(101, 6), rack(102, 0), rack(103, 5, 6), rack(104, 7)});
    const OneLineLayout l = lay_out(line);
    QCOMPARE(faults(line, l), std::string());
    QVERIFY(symbol_of(line, l, 3).row > symbol_of(line, l, 2).row);
    QVERIFY(symbol_of(line, l, 5).row > symbol_of(line, l, 4).row);
    // A circle is drawn, too, without its closing wire.
    const OneLine circle({unit(1, PowerUnitKind::ups, 2), unit(2, PowerUnitKind::ups, 1)}, {rack(100, 1)});
    QCOMPARE(faults(circle, lay_out(circle)), std::string());
    QCOMPARE(lay_out(OneLine({}, {})).symbols.size(), std::size_t{0});
  }

  void a_small_edit_moves_only_what_stands_right_of_it() {
    const OneLine before = two_sides(3), after = [] {
      std::vector<OneLineElement> units = two_sides(3).elements();
      units.push_back(unit(500, PowerUnitKind::busway, 103, Feed::b));
      return OneLine(units, two_sides(3).loads());
    }();
    const OneLineLayout a = lay_out(before), b = lay_out(after);
    for (const Id id : {201, 202, 203, 210, 211, 212, 110, 111, 112}) {
      QCOMPARE(symbol_of(after, b, id).x, symbol_of(before, a, id).x);
      QCOMPARE(symbol_of(after, b, id).row, symbol_of(before, a, id).row);
    }
  }

  void any_drawing_is_laid_out_without_overlaps_and_twice_alike() {
    QVERIFY(rc::check([] {
      const int n = *rc::gen::inRange(1, 40);
      std::vector<OneLineElement> units;
      for (Id id = 1; id <= n; ++id) {
        const Id up = *rc::gen::inRange<Id>(0, n + 2), second = *rc::gen::inRange<Id>(0, 3 * n);
        units.push_back(unit(id, static_cast<PowerUnitKind>(*rc::gen::inRange(0, 9)), up,
                             static_cast<Feed>(*rc::gen::inRange(0, 3)), *rc::gen::inRange<Id>(0, 5),
                             100.0 * *rc::gen::inRange(1, 3)));
        if (second <= n) units.back().alternate = second;
      }
      std::vector<OneLineLoad> loads;
      const int racks = *rc::gen::inRange(0, 30);
      for (Id k = 0; k < racks; ++k)
        loads.push_back(rack(1000 + k, *rc::gen::inRange<Id>(0, n + 1), *rc::gen::inRange<Id>(0, n + 1)));
      const OneLine line(units, loads);
      OneLineFolding folding;
      folding.most_columns = *rc::gen::element<std::size_t>(1, 6, 12);
      folding.none = *rc::gen::arbitrary<bool>();
      const OneLineLayout l = lay_out(line, folding);
      const OneLineLayout again = lay_out(line, folding);
      RC_ASSERT(l.symbols.size() == again.symbols.size());
      for (std::size_t i = 0; i < l.symbols.size(); ++i)
        RC_ASSERT(l.symbols[i].x == again.symbols[i].x && l.symbols[i].elements == again.symbols[i].elements);
      for (std::size_t i = 0; i < l.symbols.size(); ++i)
        for (std::size_t k = i + 1; k < l.symbols.size() && l.symbols[k].row == l.symbols[i].row; ++k)
          RC_ASSERT(std::abs(l.symbols[k].x - l.symbols[i].x) > l.measures.words_width);
      std::vector<int> seen(line.elements().size(), 0);
      for (const OneLineSymbol& s : l.symbols)
        for (const std::uint32_t e : s.elements)
          ++seen[e];
      for (const int times : seen)
        RC_ASSERT(times == 1);
      for (const OneLineWire& w : l.wires)
        for (const OneLinePoint& p : w.points)
          RC_ASSERT(p.x >= 0 && p.x <= l.width && p.y >= 0 && p.y <= l.height);
    }));
  }
};

QTEST_APPLESS_MAIN(TestOneLineLayout)
#include "test_one_line_layout.moc"
