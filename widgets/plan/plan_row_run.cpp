// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_row_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "cooling/loop_inputs.h"
#include "cooling/loop_results.h"
#include "widgets/figure_text.h"

namespace hallwright::plan {
namespace {

constexpr double between_busways = 150; // mm of air
constexpr double busway_height = 150;   // mm, where no width is wished

double off_box(const QRectF& box, const QPointF& q) {
  const double dx = std::max({box.left() - q.x(), 0.0, q.x() - box.right()}),
               dy = std::max({box.top() - q.y(), 0.0, q.y() - box.bottom()});
  return std::hypot(dx, dy);
}

const RackLine* line_at(const PlanModel& model, const QPointF& at, double reach) {
  const RackLine* best = nullptr;
  double nearest = reach;
  for (const RackLine& l : model.lines())
    if (const double d = off_box(l.box(), at); d <= nearest && (!best || d < nearest)) nearest = d, best = &l;
  return best;
}

/// Racks of the strip of a line whose extent along it meets `low` to `high`.
std::optional<RowRun> run_in(const PlanModel& model, const RackLine& line, double low, double high, bool backwards) {
  RowRun run;
  run.hall = line.hall, run.along_x = line.along_x, run.backwards = backwards;
  const QRectF box = line.box();
  run.upper = line.along_x ? box.top() : box.left(), run.lower = line.along_x ? box.bottom() : box.right();
  struct Passed {
    double middle;
    Id id;
  };
  std::vector<Passed> passed;
  run.first = std::numeric_limits<double>::infinity(), run.last = -run.first;
  for (const PlanObject& o : model.objects(PlanLayer::racks)) {
    if (o.hall != line.hall || o.turns < 0 || (o.turns % 2 == 0) != line.along_x) continue;
    const double across = line.along_x ? o.center().y() : o.center().x();
    const double a = line.along_x ? o.x0 : o.y0, b = line.along_x ? o.x1 : o.y1;
    if (across < run.upper || across > run.lower || b < low || a > high) continue;
    passed.push_back({(a + b) / 2, o.id});
    run.first = std::min(run.first, a), run.last = std::max(run.last, b);
  }
  if (passed.empty()) return std::nullopt;
  std::sort(passed.begin(), passed.end(), [backwards](const Passed& a, const Passed& b) {
    return backwards ? a.middle > b.middle : a.middle < b.middle;
  });
  for (const Passed& p : passed) run.racks.push_back(p.id), run.middles.push_back(p.middle);
  return run;
}

/// How near the racks a kind of unit stands in the chain; -1: it feeds no busway.
int rank_above_busways(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::distribution:
    return 0;
  case PowerUnitKind::static_switch:
    return 1;
  case PowerUnitKind::ups:
  case PowerUnitKind::rectifier:
    return 2;
  case PowerUnitKind::switchgear:
    return 3;
  case PowerUnitKind::transformer:
    return 4;
  default:
    return -1;
  }
}

Id nearest_above(const Design& d, Feed side, Id hall, const QPointF& fed_end) {
  Id best = 0;
  std::tuple<int, int, double> least{2, 99, 0.0};
  for (const PowerUnit& u : *d.power_units) {
    const int rank = rank_above_busways(u.kind);
    if (rank < 0 || (u.feed != side && u.feed != Feed::both)) continue;
    const double off = u.hall == hall && hall != 0
                           ? std::hypot(in_millimeters(u.x) - fed_end.x(), in_millimeters(u.y) - fed_end.y())
                           : std::numeric_limits<double>::max();
    const std::tuple order{u.feed == side ? 0 : 1, rank, off};
    if (best == 0 || order < least) best = u.id, least = order;
  }
  return best;
}

} // namespace

std::optional<RowRun> row_run(const PlanModel& model, const QPointF& from, const QPointF& to, double reach) {
  const RackLine* line = line_at(model, from, reach);
  if (!line) return std::nullopt;
  const double a = line->along_x ? from.x() : from.y(), b = line->along_x ? to.x() : to.y();
  return run_in(model, *line, std::min(a, b), std::max(a, b), b < a);
}

std::optional<RowRun> whole_row_run(const PlanModel& model, const QPointF& at, double reach) {
  const RackLine* line = line_at(model, at, reach);
  if (!line) return std::nullopt;
  const double x = line->along_x ? at.x() : at.y(), low = line->along_x ? line->x0 : line->y0,
               high = line->along_x ? line->x1 : line->y1;
  return run_in(model, *line, low, high, x - low > high - x);
}

FeedRow feed_row(const Design& d, const Catalog& catalog, const RowRun& run, const QPointF& origin,
                 const RowFeedSettings& wish) {
  FeedRow out;
  out.racks = run.racks;
  // The side that is missing.
  std::size_t without_a = 0, without_b = 0;
  for (const Id id : run.racks)
    if (const Rack* r = find(*d.racks, id)) without_a += r->feed_a == 0, without_b += r->feed_b == 0;
  out.second = wish.side ? *wish.side == Feed::b : without_b > without_a;
  const Feed side = out.second ? Feed::b : Feed::a;
  for (const Id id : run.racks)
    if (const Rack* r = find(*d.racks, id))
      if (const Id before = out.second ? r->feed_b : r->feed_a; before != 0) out.taken_from.push_back(before);
  std::sort(out.taken_from.begin(), out.taken_from.end());
  out.taken_from.erase(std::unique(out.taken_from.begin(), out.taken_from.end()), out.taken_from.end());

  // As the last busway is, or of the wished part.
  PowerUnit& u = out.unit;
  for (const PowerUnit& other : *d.power_units)
    if (other.kind == PowerUnitKind::busway && (wish.part.isEmpty() || other.part == wish.part.toStdString())) u = other;
  if (u.id == 0) u.part = wish.part.toStdString();
  u.id = 0;
  u.kind = PowerUnitKind::busway;
  u.group = u.second_source = u.parallel_with = 0;
  u.locked = false;
  u.length.reset();
  u.hall = run.hall;
  u.feed = side;
  const double length = run.last - run.first, wide = wish.width_mm > 0 ? wish.width_mm : busway_height;
  u.width = millimeters(length), u.depth = millimeters(wide);
  u.elevation = millimeters(wish.level_mm);
  u.rotation = degrees(run.along_x ? (run.backwards ? 180 : 0) : (run.backwards ? 270 : 90));
  const double start = run.backwards ? run.last : run.first;
  for (const double middle : run.middles) out.taps.push_back(millimeters(std::abs(middle - start)));

  // Above the racks, A before B, beside what hangs there.
  const double depth = run.lower - run.upper, step = wide + between_busways;
  std::vector<double> places{run.upper + depth * (out.second ? 2 : 1) / 3};
  for (int i = 1; i <= 8; ++i)
    for (const double way : {1.0, -1.0}) places.push_back(places.front() + way * (out.second ? 1 : -1) * i * step);
  const double middle_along = (run.first + run.last) / 2;
  const auto put = [&](double across) {
    const QPointF middle = (run.along_x ? QPointF(middle_along, across) : QPointF(across, middle_along)) - origin;
    u.x = millimeters(std::round((middle.x() - length / 2) * 10) / 10);
    u.y = millimeters(std::round((middle.y() - wide / 2) * 10) / 10);
  };
  const auto is_free = [&] {
    const PlanBox own = plan_box(u.x, u.y, *u.width, *u.depth, u.rotation);
    return std::none_of(d.power_units->begin(), d.power_units->end(), [&](const PowerUnit& other) {
      if (other.hall != run.hall || !other.elevation) return false;
      const Footprint f = power_unit_footprint(catalog, other);
      const PlanBox box = plan_box(other.x, other.y, f.width, f.depth, other.rotation);
      return own.x0 < box.x1 - 1 && box.x0 < own.x1 - 1 && own.y0 < box.y1 - 1 && box.y0 < own.y1 - 1;
    });
  };
  for (const double at : places) {
    put(at);
    if (is_free()) break;
    if (at == places.back()) put(places.front()); // crowded: where it belongs, and the checks say so
  }
  const QPointF fed_end =
      (run.along_x ? QPointF(start, places.front()) : QPointF(places.front(), start)) - origin;
  u.upstream = wish.upstream != 0 && find(*d.power_units, wish.upstream) ? wish.upstream
                                                                         : nearest_above(d, side, run.hall, fed_end);
  std::string name = std::string("Busway ") + (out.second ? "B" : "A");
  const Rack* one = run.racks.empty() ? nullptr : find(*d.racks, run.racks.front());
  if (const Row* row = one ? find(*d.rows, one->row) : nullptr; row && !row->name.empty()) name += ", " + row->name;
  const bool taken = std::any_of(d.power_units->begin(), d.power_units->end(),
                                 [&](const PowerUnit& other) { return other.name == name; });
  u.name = taken ? free_name(d, "power_units", name + ", 2") : name;
  return out;
}

Edit feed_row_edit(const FeedRow& feed) {
  const auto n = static_cast<int>(feed.racks.size());
  Edit edit;
  edit.label = (n == 1 ? PlanView::tr("Feed 1 rack from %1").arg(to_qstring(feed.unit.name))
                       : PlanView::tr("Feed %1 racks from %2").arg(n).arg(to_qstring(feed.unit.name)))
                   .toStdString();
  edit.apply = [feed](const Design& d) -> Edited {
    if (!find(*d.halls, feed.unit.hall))
      return tl::make_unexpected(PlanView::tr("The hall of this row is gone").toStdString());
    for (const Id id : feed.racks)
      if (!find(*d.racks, id))
        return tl::make_unexpected(PlanView::tr("A rack of this row is gone, so it is not fed").toStdString());
    PowerUnit unit = feed.unit;
    if (!find(*d.power_units, unit.upstream)) unit.upstream = 0;
    const Made made = add_entity(d, &Design::power_units, std::move(unit));
    const Id busway = made.entities.front().id;
    return with_table(made.design, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (std::size_t i = 0; i < feed.racks.size(); ++i) {
        Rack& r = racks[static_cast<std::size_t>(find(racks, feed.racks[i]) - racks.data())];
        (feed.second ? r.feed_b : r.feed_a) = busway;
        (feed.second ? r.tap_b : r.tap_a) = feed.taps[i];
      }
    });
  };
  return edit;
}

std::vector<std::pair<Id, double>> coolant_needs(const Evaluation& evaluation) {
  std::vector<std::pair<Id, double>> out;
  if (!evaluation.load) return out;
  const DrawnLoopInputs in = loop_inputs(evaluation.design, evaluation.catalog);
  const auto coolant = rack_coolant(in, *evaluation.load);
  for (std::size_t i = 0; i < coolant.size() && i < evaluation.design.racks->size(); ++i)
    if (coolant[i].need_m3_per_s > 0.0) out.emplace_back((*evaluation.design.racks)[i].id, coolant[i].need_m3_per_s);
  std::sort(out.begin(), out.end());
  return out;
}

RowPipesWish row_pipes_wish(const std::vector<Id>& racks, const std::vector<std::pair<Id, double>>& needs,
                            const RowPipeSettings& wish) {
  RowPipesWish out;
  out.racks = racks;
  out.loop = wish.loop;
  out.reverse_return = wish.reverse_return;
  out.velocity_m_per_s = wish.velocity_m_per_s;
  for (const Id id : racks) {
    const auto it = std::lower_bound(needs.begin(), needs.end(), std::pair(id, -1.0));
    out.need_m3_per_s.push_back(it != needs.end() && it->first == id ? it->second : 0.0);
  }
  return out;
}

} // namespace hallwright::plan
