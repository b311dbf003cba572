// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <map>

#include "cooling/loop_schematic.h"
#include "cooling/loop_solution.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

struct Segment {
  SchematicPoint a, b;
  std::size_t of = 0;
};
/// Sides of all stretches, each with its lesser end first.
std::vector<Segment> segments(const LoopSchematic& s) {
  std::vector<Segment> out;
  for (std::size_t i = 0; i < s.stretches.size(); ++i) {
    const auto& p = s.stretches[i].points;
    for (std::size_t k = 0; k + 1 < p.size(); ++k) {
      Segment g{p[k], p[k + 1], i};
      if (g.a.x > g.b.x || g.a.y > g.b.y) std::swap(g.a, g.b);
      out.push_back(g);
    }
  }
  return out;
}
/// Two lie on each other over a length.
bool on_each_other(const Segment& s, const Segment& t) {
  constexpr double least = 0.5;
  if (std::abs(s.a.y - s.b.y) < 1e-9 && std::abs(t.a.y - t.b.y) < 1e-9 && std::abs(s.a.y - t.a.y) < least)
    return std::min(s.b.x, t.b.x) - std::max(s.a.x, t.a.x) > least;
  if (std::abs(s.a.x - s.b.x) < 1e-9 && std::abs(t.a.x - t.b.x) < 1e-9 && std::abs(s.a.x - t.a.x) < least)
    return std::min(s.b.y, t.b.y) - std::max(s.a.y, t.a.y) > least;
  return false;
}
/// What is wrong with a drawing; empty: nothing.
QString faults(const LoopSchematic& s) {
  for (std::size_t i = 0; i < s.boxes.size(); ++i) {
    const SchematicBox& a = s.boxes[i];
    if (a.x < 0 || a.y < 0 || a.x + a.width > s.width || a.y + a.height > s.height)
      return QStringLiteral("box %1 is off the drawing: %2, %3 of %4 x %5")
          .arg(i)
          .arg(a.x)
          .arg(a.y)
          .arg(s.width)
          .arg(s.height);
    for (std::size_t k = i + 1; k < s.boxes.size(); ++k) {
      const SchematicBox& b = s.boxes[k];
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
        return QStringLiteral("boxes %1 and %2 overlap at %3, %4").arg(i).arg(k).arg(b.x).arg(b.y);
    }
  }
  const auto all = segments(s);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Segment& g = all[i];
    if (std::abs(g.a.x - g.b.x) > 1e-9 && std::abs(g.a.y - g.b.y) > 1e-9)
      return QStringLiteral("stretch %1 is neither level nor upright").arg(g.of);
    if (std::min(g.a.x, g.a.y) < 0 || g.b.x > s.width || g.b.y > s.height)
      return QStringLiteral("stretch %1 leaves the drawing: %2, %3").arg(g.of).arg(g.b.x).arg(g.b.y);
    for (std::size_t k = i + 1; k < all.size(); ++k)
      if (all[k].of != g.of && on_each_other(g, all[k]))
        return QStringLiteral("stretches %1 and %2 lie on each other at %3, %4")
            .arg(g.of)
            .arg(all[k].of)
            .arg(g.a.x)
            .arg(g.a.y);
    for (const SchematicBox& b : s.boxes)
      if (g.a.x < b.x + b.width - 0.5 && g.b.x > b.x + 0.5 && g.a.y < b.y + b.height - 0.5 && g.b.y > b.y + 0.5)
        return QStringLiteral("stretch %1 runs through a box at %2, %3").arg(g.of).arg(b.x).arg(b.y);
  }
  return {};
}
/// Largest imbalance of what flows into a point of the drawing, over the largest flow. Boxes take and give.
double imbalance(const LoopSchematic& s, const std::vector<double>& q) {
  std::map<std::pair<double, double>, double> sum;
  double most = 0;
  for (const SchematicStretch& t : s.stretches) {
    const double f = stretch_flow(t, q);
    most = std::max(most, std::abs(f));
    const bool to_box = t.box >= 0;
    // Of hoses and connections, the end at the box is that of the thing.
    const bool box_first = t.kind == StretchKind::hose ? t.side == PipeSide::return_ : t.side == PipeSide::supply;
    if (!to_box || !box_first) sum[{t.points.front().x, t.points.front().y}] -= f;
    if (!to_box || box_first) sum[{t.points.back().x, t.points.back().y}] += f;
  }
  double out = 0;
  for (const auto& [at, f] : sum)
    out = std::max(out, std::abs(f));
  return out / most;
}
std::vector<double> flows_of(const Shared<DrawnLoop>& loop) {
  LoopSolver solver;
  const auto s = solver.solve(loop);
  if (!s) throw std::runtime_error(s.error());
  return solver.state().flow_m3_per_s;
}
std::vector<std::size_t> rack_order(const LoopSchematic& s, std::size_t lane) {
  std::vector<std::pair<double, std::vector<std::size_t>>> boxes;
  for (const SchematicBox& b : s.boxes)
    if (b.kind == SchematicBoxKind::rack && b.lane == lane) boxes.push_back({b.x, b.members});
  std::sort(boxes.begin(), boxes.end());
  std::vector<std::size_t> out;
  for (const auto& [x, members] : boxes)
    out.insert(out.end(), members.begin(), members.end());
  return out;
}

/// A row of eight racks with one header a side and two units at its left end.
DrawnHall row_of_eight(bool reverse_return) {
  DrawnHall h;
  for (int k = 0; k < 8; ++k)
    h.add_rack(3000.0 + k * 600.0, 0.0);
  h.add_unit(0.0, 0.0);
  h.add_unit(1000.0, 0.0);
  h.add_pipe("supply", PipeSide::supply, {{300.0, 400.0}, {7700.0, 400.0}}, 154.1, 3000.0);
  if (reverse_return)
    h.add_pipe("return", PipeSide::return_,
               {{3200.0, 700.0}, {7800.0, 700.0}, {7800.0, 2900.0}, {300.0, 2900.0}, {300.0, 1300.0}}, 154.1, 3300.0);
  else
    h.add_pipe("return", PipeSide::return_, {{300.0, 700.0}, {7700.0, 700.0}}, 154.1, 3300.0);
  return h;
}

} // namespace

class TestLoopSchematic : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void nothing_to_solve_is_empty() {
    DrawnHall h;
    h.add_rack(0, 0);
    QVERIFY(loop_schematic(*h.loop()).empty());
  }
  void racks_stand_in_the_order_of_their_header() {
    const auto loop = row_of_eight(false).loop();
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    QCOMPARE(s.lanes, std::size_t{1});
    QCOMPARE(rack_order(s, 0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    // Units left of all racks, supply above them and return below.
    double rightmost_unit = 0, leftmost_rack = 1e9, top = 1e9, foot = 0;
    for (const SchematicBox& b : s.boxes) {
      if (b.kind == SchematicBoxKind::unit)
        rightmost_unit = std::max(rightmost_unit, b.x + b.width);
      else {
        leftmost_rack = std::min(leftmost_rack, b.x);
        top = std::min(top, b.y);
        foot = std::max(foot, b.y + b.height);
      }
    }
    QVERIFY(rightmost_unit < leftmost_rack);
    for (const SchematicStretch& t : s.stretches)
      if (t.kind == StretchKind::header)
        for (const SchematicPoint& p : t.points)
          QVERIFY(t.side == PipeSide::supply ? p.y < top : p.y > foot);
    // All eight rack flows leave through the first stretch behind the units.
    const auto q = flows_of(loop);
    QVERIFY2(imbalance(s, q) < 1e-8, qPrintable(QString::number(imbalance(s, q))));
    double sum = 0, most = 0;
    for (const LoopRack& r : loop->racks)
      sum += q[r.plates];
    for (const SchematicStretch& t : s.stretches)
      if (t.kind == StretchKind::header && t.side == PipeSide::supply) most = std::max(most, stretch_flow(t, q));
    QVERIFY(std::abs(most - sum) < 1e-9 * sum);
  }
  void a_row_drawn_from_its_far_end_has_its_units_at_the_left() {
    DrawnHall h = row_of_eight(false);
    std::reverse(h.pipes[0].path.begin(), h.pipes[0].path.end());
    const LoopSchematic s = loop_schematic(*h.loop());
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    QCOMPARE(rack_order(s, 0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  }
  void a_reverse_return_comes_back_on_a_level_of_its_own() {
    const auto loop = row_of_eight(true).loop();
    QCOMPARE(loop->racks.size(), std::size_t{8});
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    std::set<double> levels;
    for (const SchematicStretch& t : s.stretches)
      if (t.kind == StretchKind::header && t.side == PipeSide::return_) levels.insert(t.points.back().y);
    QCOMPARE(levels.size(), std::size_t{2});
    QVERIFY(imbalance(s, flows_of(loop)) < 1e-8);
  }
  void mains_stand_at_both_sides_of_their_rows() {
    DrawnHall h;
    h.grid(3, 6, 4);
    const auto loop = h.loop();
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    QCOMPARE(s.lanes, std::size_t{3});
    QCOMPARE(rack_order(s, 0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(rack_order(s, 2), (std::vector<std::size_t>{12, 13, 14, 15, 16, 17}));
    std::size_t left = 0, right = 0;
    for (const SchematicBox& b : s.boxes)
      if (b.kind == SchematicBoxKind::unit) (b.x < s.width / 2 ? left : right) += 1;
    QCOMPARE(left, std::size_t{2});
    QCOMPARE(right, std::size_t{2});
    QCOMPARE(s.dots.size(), std::size_t{12}); // three rows, two sides, two ends
    QVERIFY2(imbalance(s, flows_of(loop)) < 1e-8, qPrintable(QString::number(imbalance(s, flows_of(loop)))));
  }
  void blind_rows_hang_on_mains_at_the_left() {
    DrawnHall h;
    h.grid(4, 5, 3, false);
    const auto loop = h.loop();
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    QCOMPARE(s.dots.size(), std::size_t{8});
    for (const SchematicBox& b : s.boxes)
      QCOMPARE(b.kind == SchematicBoxKind::unit, b.x < 150.0);
    QVERIFY(imbalance(s, flows_of(loop)) < 1e-8);
  }
  void a_ring_is_unrolled_from_its_unit() {
    DrawnHall h;
    for (int k = 0; k < 6; ++k)
      h.add_rack(3000.0 + k * 600.0, 0.0), h.add_rack(3000.0 + k * 600.0, 6000.0);
    h.add_unit(800.0, 3000.0);
    const std::vector<PlanPoint> around{{1500, 3600}, {1500, 1300}, {7500, 1300},
                                        {7500, 5800}, {1500, 5800}, {1500, 3600}};
    h.add_pipe("supply ring", PipeSide::supply, around, 154.1, 3000.0);
    std::vector<PlanPoint> inner = around;
    for (PlanPoint& p : inner)
      p.x_mm += p.x_mm < 4000 ? 300 : -300, p.y_mm += p.y_mm < 3000 ? 200 : p.y_mm > 5000 ? -200 : 0;
    h.add_pipe("return ring", PipeSide::return_, inner, 154.1, 3300.0);
    const auto loop = h.loop();
    QCOMPARE(loop->racks.size(), std::size_t{12});
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    QCOMPARE(s.lanes, std::size_t{1});
    const auto order = rack_order(s, 0);
    // Along the ring: one row as drawn, the other one backwards (or the whole the other way round).
    std::vector<std::size_t> wanted{0, 2, 4, 6, 8, 10, 11, 9, 7, 5, 3, 1};
    if (order.front() != wanted.front()) std::reverse(wanted.begin(), wanted.end());
    QCOMPARE(order, wanted);
    QVERIFY(imbalance(s, flows_of(loop)) < 1e-8);
  }
  void equal_neighbours_share_a_box_in_large_halls() {
    DrawnHall h;
    h.grid(16, 32, 28);
    const auto loop = h.loop();
    QCOMPARE(loop->racks.size(), std::size_t{512});
    const LoopSchematic s = loop_schematic(*loop);
    QVERIFY2(faults(s).isEmpty(), qPrintable(faults(s)));
    std::size_t boxes = 0, racks = 0;
    for (const SchematicBox& b : s.boxes)
      if (b.kind == SchematicBoxKind::rack) ++boxes, racks += b.members.size();
    QCOMPARE(racks, std::size_t{512});
    QVERIFY2(boxes <= 80, qPrintable(QString::number(boxes))); // 9 a box, four boxes in each of 16 rows
    QVERIFY(imbalance(s, flows_of(loop)) < 1e-8);
  }
  void the_same_loop_gives_the_same_picture() {
    DrawnHall h;
    h.grid(5, 9, 6);
    QVERIFY(loop_schematic(*h.loop()) == loop_schematic(*h.loop()));
  }
};

QTEST_APPLESS_MAIN(TestLoopSchematic)
#include "test_loop_schematic.moc"
