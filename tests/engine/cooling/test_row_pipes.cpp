// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "cooling/loop_solution.h"
#include "cooling/row_pipes.h"
#include "engine/cooling/drawn_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// The hall as a design, its racks in no loop.
Design design_of(const DrawnHall& h) {
  Design d;
  d.cooling_plant = share(h.plant);
  d.loops = share(h.loops);
  d.cooling_units = share(h.units);
  auto racks = h.racks;
  for (Rack& r : racks)
    r.loop = 0;
  d.racks = share(std::move(racks));
  d.rack_types = share(h.types);
  d.pipes = share(h.pipes);
  d.next_id = 10000;
  return d;
}
DrawnLoopInputs inputs_of(const DrawnHall& h, const Design& d) {
  DrawnLoopInputs in = h.inputs();
  in.loops = d.loops;
  in.units = d.cooling_units;
  in.racks = d.racks;
  in.pipes = d.pipes;
  return in;
}
RowPipesWish wish_of(const DrawnHall& h, bool reverse = false) {
  RowPipesWish w;
  w.reverse_return = reverse;
  for (const Rack& r : h.racks) {
    w.racks.push_back(r.id);
    w.need_m3_per_s.push_back(153.0 / 60000.0);
  }
  return w;
}
/// Eight racks whose fronts look up, two units at their left.
DrawnHall row(double unit_y = 0.0) {
  DrawnHall h;
  for (int k = 0; k < 8; ++k)
    h.add_rack(3000.0 + k * 600.0, 0.0);
  h.add_unit(0.0, unit_y);
  h.add_unit(1000.0, unit_y);
  return h;
}
bool refuses(const tl::expected<RowPipes, std::string>& r, const char* words) {
  return !r && r.error().find(words) != std::string::npos;
}

} // namespace

class TestRowPipes : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 8 racks at 153 L/min are 1224 L/min = 0.0204 m3/s: at 2.4 m/s 0.0085 m2, a bore of 104.03 mm, so DN150 (154.1 mm),
  /// in which they run at 0.0204 / 0.018651 = 1.0938 m/s.
  void headers_are_sized_from_flow_and_velocity() {
    const DrawnHall h = row();
    RowPipesWish w = wish_of(h);
    w.velocity_m_per_s = 2.4;
    const auto made = row_pipes(design_of(h), h.catalog, w);
    QVERIFY2(made, made ? "" : made.error().c_str());
    QCOMPARE(made->bore_m, 0.1541);
    QVERIFY(std::abs(made->flow_m3_per_s - 0.0204) < 1e-9);
    QVERIFY(std::abs(made->velocity_m_per_s - 1.0938) < 1e-3);
    QCOMPARE(made->pipes.size(), std::size_t{2}); // the units stand at the headers
    w.velocity_m_per_s = 1.0;                     // 161.2 mm: the next is DN200
    QCOMPARE(row_pipes(design_of(h), h.catalog, w)->bore_m, 0.2027);
  }
  /// 1,041 L/min of PG25 in 102.3 mm: 2.111 m/s, Re 156,600, relative roughness 4.4e-4, f 0.0190 (Moody), 418 Pa/m: too
  /// much, so 154.1 mm. 60 L/min in 40.9 mm: 0.761 m/s; 110 L/min there 1.395 m/s: above 1.2 m/s, so 52.5 mm (0.847
  /// m/s).
  void bores_keep_to_friction() {
    const DrawnHall h = row();
    const FluidPart* pg25 = &h.catalog.fluids.front();
    QCOMPARE(header_bore_for(h.catalog, nullptr, 1041.0 / 60000, 2.4), 0.1023);
    QCOMPARE(header_bore_for(h.catalog, pg25, 1041.0 / 60000, 2.4), 0.1541);
    QCOMPARE(header_bore_for(h.catalog, pg25, 60.0 / 60000, 2.4), 0.0409);
    QCOMPARE(header_bore_for(h.catalog, pg25, 110.0 / 60000, 2.4), 0.0525);
    QCOMPARE(header_bore_for(h.catalog, pg25, 100.0, 2.4), 0.5747);
  }
  void the_row_is_joined_and_solved() {
    for (const bool reverse : {false, true}) {
      const DrawnHall h = row();
      const Design before = design_of(h);
      const auto made = row_pipes(before, h.catalog, wish_of(h, reverse));
      QVERIFY2(made, made ? "" : made.error().c_str());
      const Edited after = row_pipes_edit(*made).apply(before);
      QVERIFY2(after, after ? "" : after.error().c_str());
      for (const Rack& r : *after->racks)
        QCOMPARE(r.loop, h.loops.front().id); // that of the units
      const auto loop = share(drawn_loops(inputs_of(h, *after)).front());
      QVERIFY(loop->problems.empty());
      QCOMPARE(loop->racks.size(), std::size_t{8});
      QCOMPARE(loop->units.size(), std::size_t{2});
      LoopSolver solver;
      const auto s = solver.solve(loop);
      QVERIFY2(s, s ? "" : s.error().c_str());
      QCOMPARE(s->dry_racks, std::size_t{0});
      // The same way for every rack: flows differ less with a reverse return.
      LoopOperation full;
      full.speed = 1.0;
      if (reverse)
        QVERIFY(solver.solve(loop, full)->spread < spread_direct_);
      else
        spread_direct_ = solver.solve(loop, full)->spread;
    }
  }
  void units_off_the_row_get_branches() {
    const DrawnHall h = row(5000.0);
    const Design before = design_of(h);
    const auto made = row_pipes(before, h.catalog, wish_of(h));
    QVERIFY2(made, made ? "" : made.error().c_str());
    QCOMPARE(made->pipes.size(), std::size_t{6});
    const Edited after = row_pipes_edit(*made).apply(before);
    const auto loop = share(drawn_loops(inputs_of(h, *after)).front());
    QVERIFY(loop->problems.empty());
    QCOMPARE(loop->units.size(), std::size_t{2});
    LoopSolver solver;
    QVERIFY(solver.solve(loop).has_value());
  }
  void a_row_that_runs_down_the_plan() {
    DrawnHall h;
    for (int k = 0; k < 6; ++k)
      h.add_rack(0.0, 3000.0 + k * 600.0);
    for (Rack& r : h.racks)
      r.rotation = degrees(90);
    h.add_unit(0.0, 0.0);
    const Design before = design_of(h);
    const auto made = row_pipes(before, h.catalog, wish_of(h));
    QVERIFY2(made, made ? "" : made.error().c_str());
    for (const PlanPoint& p : made->pipes.front().path)
      QCOMPARE(p.x_mm, made->pipes.front().path.front().x_mm);
    const Edited after = row_pipes_edit(*made).apply(before);
    const auto loop = drawn_loops(inputs_of(h, *after)).front();
    QVERIFY(loop.problems.empty());
    QCOMPARE(loop.racks.size(), std::size_t{6});
  }
  void a_loop_is_made_where_there_is_none() {
    DrawnHall h = row();
    h.loops.clear();
    for (CoolingUnit& u : h.units)
      u.loop = 0;
    const Design before = design_of(h);
    const auto made = row_pipes(before, h.catalog, wish_of(h));
    QVERIFY2(made, made ? "" : made.error().c_str());
    const Edited after = row_pipes_edit(*made).apply(before);
    QCOMPARE(after->loops->size(), std::size_t{1});
    QCOMPARE(after->racks->front().loop, after->loops->front().id);
    QCOMPARE(after->cooling_units->front().loop, after->loops->front().id);
    QCOMPARE(after->pipes->front().loop, after->loops->front().id);
  }
  void what_cannot_be_joined_is_said() {
    DrawnHall h = row();
    RowPipesWish w = wish_of(h);
    w.velocity_m_per_s = 0.0;
    QVERIFY(refuses(row_pipes(design_of(h), h.catalog, w), "must be above 0"));
    w = wish_of(h);
    w.need_m3_per_s.assign(w.racks.size(), 0.0);
    QVERIFY(refuses(row_pipes(design_of(h), h.catalog, w), "heat that goes to liquid"));
    w = wish_of(h);
    w.need_m3_per_s.assign(w.racks.size(), 1.0); // 8 m3/s
    QVERIFY(refuses(row_pipes(design_of(h), h.catalog, w), "split the row"));
    DrawnHall none = row();
    none.units.clear();
    QVERIFY(refuses(row_pipes(design_of(none), none.catalog, wish_of(none)), "No distribution unit"));
    DrawnHall both = row();
    both.add_unit(9000.0, 0.0);
    QVERIFY(refuses(row_pipes(design_of(both), both.catalog, wish_of(both, true)), "both ends"));
    DrawnHall twice = row();
    const Design d =
        *row_pipes_edit(*row_pipes(design_of(twice), twice.catalog, wish_of(twice))).apply(design_of(twice));
    QVERIFY(refuses(row_pipes(d, twice.catalog, wish_of(twice)), "already runs along"));
  }
  void a_row_is_found_by_one_of_its_racks() {
    DrawnHall h;
    h.add_rack(1200, 0), h.add_rack(0, 0), h.add_rack(600, 0), h.add_rack(0, 3000);
    const Design d = design_of(h);
    QCOMPARE(racks_of_row(d, h.racks[0].id), (std::vector<Id>{h.racks[1].id, h.racks[2].id, h.racks[0].id}));
    QCOMPARE(racks_of_row(d, h.racks[3].id), (std::vector<Id>{h.racks[3].id}));
    QVERIFY(racks_of_row(d, 999).empty());
  }

private:
  double spread_direct_ = 0;
};

QTEST_APPLESS_MAIN(TestRowPipes)
#include "test_row_pipes.moc"
