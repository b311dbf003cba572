// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_snap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QLocale>

namespace hallwright::plan {
namespace {

constexpr double neighbourhood = 7000; // mm round the moving box in which neighbours count
constexpr std::size_t most_neighbours = 600;

/// One axis of a rectangle.
struct Side {
  double low = 0, high = 0;
  [[nodiscard]] double size() const { return high - low; }
};
Side side(const QRectF& r, bool x) { return x ? Side{r.left(), r.right()} : Side{r.top(), r.bottom()}; }

struct Best {
  double shift = 0;
  double distance = std::numeric_limits<double>::infinity();
  SnapKind kind = SnapKind::none;
  QLineF guide;
  QLineF second_guide;
};

void offer(Best& best, double shift, SnapKind kind, double reach, double preference, const QLineF& guide, const QLineF& second = {}) {
  const double distance = std::abs(shift) + preference;
  if (std::abs(shift) > reach || distance >= best.distance) return;
  best = {shift, distance, kind, guide, second};
}

/// Guide across an axis at `at`, over both rectangles.
QLineF across(bool x, double at, const QRectF& a, const QRectF& b) {
  const QRectF u = a.united(b);
  return x ? QLineF(at, u.top() - 300, at, u.bottom() + 300) : QLineF(u.left() - 300, at, u.right() + 300, at);
}

double grid_shift(double value, double origin, double step) { return std::round((value - origin) / step) * step + origin - value; }

} // namespace

QString snap_word(SnapKind kind, double grid_mm) {
  switch (kind) {
  case SnapKind::none: return {};
  case SnapKind::grid:
    return PlanView::tr("grid %1").arg(grid_mm >= 1000 ? QLocale().toString(grid_mm / 1000.0, 'g', 4) + QStringLiteral(" m")
                                                       : QLocale().toString(grid_mm, 'g', 4) + QStringLiteral(" mm"));
  case SnapKind::edge: return PlanView::tr("edge");
  case SnapKind::row: return PlanView::tr("row line");
  case SnapKind::aisle: return PlanView::tr("aisle");
  case SnapKind::spacing: return PlanView::tr("equal spacing");
  }
  return {};
}

QString Snap::words(double grid_mm) const {
  QStringList out;
  for (SnapKind k : {x_kind, y_kind})
    if (const QString w = snap_word(k, grid_mm); !w.isEmpty() && !out.contains(w)) out << w;
  return out.join(QStringLiteral(", "));
}

Snap snap_box(const PlanModel& model, const QRectF& box, const std::unordered_set<Id>& moving, const SnapSettings& settings) {
  Best best[2];
  const double reach = settings.reach_mm;
  std::vector<QRectF> near;
  const QRectF around = box.adjusted(-neighbourhood, -neighbourhood, neighbourhood, neighbourhood);
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
    const auto& objects = model.objects(layer);
    model.index(layer).visit(around, [&](std::uint32_t i) {
      if (near.size() < most_neighbours && !moving.count(objects[i].id) && objects[i].box().intersects(around)) near.push_back(objects[i].box());
    });
  }
  std::sort(near.begin(), near.end(), [](const QRectF& a, const QRectF& b) {
    return std::tuple(a.left(), a.top(), a.right(), a.bottom()) < std::tuple(b.left(), b.top(), b.right(), b.bottom());
  });
  for (int axis = 0; axis < 2; ++axis) {
    const bool x = axis == 0;
    const Side m = side(box, x);
    const Side m_other = side(box, !x);
    Best& b = best[axis];
    std::vector<Side> in_line; // neighbours that share the other axis, for equal spacing
    for (const QRectF& n : near) {
      const Side s = side(n, x), o = side(n, !x);
      const bool beside = std::min(o.high, m_other.high) - std::max(o.low, m_other.low) > -reach;
      // Touching a neighbour beside; lining up with one elsewhere.
      if (beside) {
        offer(b, s.high - m.low, SnapKind::edge, reach, 0, across(x, s.high, n, box));
        offer(b, s.low - m.high, SnapKind::edge, reach, 0, across(x, s.low, n, box));
        if (std::min(o.high, m_other.high) - std::max(o.low, m_other.low) > 0.5 * std::min(o.size(), m_other.size())) in_line.push_back(s);
      }
      offer(b, s.low - m.low, SnapKind::edge, reach, 5, across(x, s.low, n, box));
      offer(b, s.high - m.high, SnapKind::edge, reach, 5, across(x, s.high, n, box));
    }
    if (in_line.size() >= 2) {
      std::sort(in_line.begin(), in_line.end(), [](const Side& p, const Side& q) { return p.low < q.low; });
      const double level = x ? box.center().y() : box.center().x();
      const auto along = [&](double from, double to) { return x ? QLineF(from, level, to, level) : QLineF(level, from, level, to); };
      const Side *left = nullptr, *left2 = nullptr, *right = nullptr, *right2 = nullptr;
      for (const Side& s : in_line) {
        if (s.high <= m.low + reach) left2 = left, left = &s;
        if (s.low >= m.high - reach) {
          if (!right)
            right = &s;
          else if (!right2)
            right2 = &s;
        }
      }
      constexpr double touching = 1;
      if (left && left2 && left->low - left2->high > touching) {
        const double gap = left->low - left2->high;
        offer(b, left->high + gap - m.low, SnapKind::spacing, reach, 2, along(left2->high, left->low), along(left->high, left->high + gap));
      }
      if (right && right2 && right2->low - right->high > touching) {
        const double gap = right2->low - right->high;
        offer(b, right->low - gap - m.high, SnapKind::spacing, reach, 2, along(right->low - gap, right->low), along(right->high, right2->low));
      }
      if (left && right && right->low - left->high > m.size() + touching) {
        const double gap = (right->low - left->high - m.size()) / 2;
        offer(b, left->high + gap - m.low, SnapKind::spacing, reach, 2, along(left->high, left->high + gap), along(right->low - gap, right->low));
      }
    }
    for (const RackLine& l : model.lines()) {
      if (l.along_x == x || l.count < 2) continue; // a line along x fixes y
      const QRectF lb = l.box();
      if (!lb.adjusted(-neighbourhood, -neighbourhood, neighbourhood, neighbourhood).intersects(box)) continue;
      if (l.count <= static_cast<int>(moving.size())) {
        // A line of nothing but what moves is no line to catch on.
        const auto& o = model.objects(PlanLayer::racks)[l.first];
        if (moving.count(o.id)) continue;
      }
      const Side s = side(lb, x);
      offer(b, s.low - m.low, SnapKind::row, reach, -1, across(x, s.low, lb, box));
      offer(b, s.high - m.high, SnapKind::row, reach, -1, across(x, s.high, lb, box));
      const HallShape* hall = model.hall(l.hall);
      if (!hall) continue;
      const Side o = side(lb, !x);
      if (std::min(o.high, m_other.high) < std::max(o.low, m_other.low)) continue;
      const int front_high = x ? 1 : 2;
      const double beyond_high = l.turns == front_high ? hall->cold_minimum : hall->hot_minimum;
      const double beyond_low = l.turns == front_high ? hall->hot_minimum : hall->cold_minimum;
      offer(b, s.high + beyond_high - m.low, SnapKind::aisle, reach, 1, across(x, s.high + beyond_high, lb, box));
      offer(b, s.low - beyond_low - m.high, SnapKind::aisle, reach, 1, across(x, s.low - beyond_low, lb, box));
    }
    if (b.kind == SnapKind::none && settings.grid_mm > 0) {
      b.shift = grid_shift(m.low, x ? settings.grid_origin.x() : settings.grid_origin.y(), settings.grid_mm);
      b.kind = SnapKind::grid;
    }
  }
  Snap out;
  out.dx = best[0].shift, out.dy = best[1].shift;
  out.x_kind = best[0].kind, out.y_kind = best[1].kind;
  for (const Best& b : best)
    if (b.kind != SnapKind::none && b.kind != SnapKind::grid) {
      out.guides.push_back(b.guide);
      if (!b.second_guide.isNull()) out.guides.push_back(b.second_guide);
    }
  return out;
}

Snap snap_point(const PlanModel& model, const QPointF& point, const SnapSettings& settings) {
  Best best[2];
  const double reach = settings.reach_mm;
  const QRectF around(point - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
  const auto edges = [&](const QRectF& r) {
    for (int axis = 0; axis < 2; ++axis) {
      const bool x = axis == 0;
      const double at = x ? point.x() : point.y();
      const Side s = side(r, x);
      for (double e : {s.low, s.high}) offer(best[axis], e - at, SnapKind::edge, reach, 0, across(x, e, r, around));
    }
  };
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
    const auto& objects = model.objects(layer);
    model.index(layer).visit(around, [&](std::uint32_t i) {
      if (objects[i].box().adjusted(-1, -1, 1, 1).intersects(around)) edges(objects[i].box());
    });
  }
  for (const HallShape& h : model.halls())
    for (const QPointF& corner : h.outline) {
      offer(best[0], corner.x() - point.x(), SnapKind::edge, reach, 0, across(true, corner.x(), h.box, around));
      offer(best[1], corner.y() - point.y(), SnapKind::edge, reach, 0, across(false, corner.y(), h.box, around));
    }
  for (int axis = 0; axis < 2; ++axis)
    if (best[axis].kind == SnapKind::none && settings.grid_mm > 0) {
      best[axis].shift = axis == 0 ? grid_shift(point.x(), settings.grid_origin.x(), settings.grid_mm) : grid_shift(point.y(), settings.grid_origin.y(), settings.grid_mm);
      best[axis].kind = SnapKind::grid;
    }
  Snap out;
  out.dx = best[0].shift, out.dy = best[1].shift, out.x_kind = best[0].kind, out.y_kind = best[1].kind;
  for (const Best& b : best)
    if (b.kind == SnapKind::edge) out.guides.push_back(b.guide);
  return out;
}

} // namespace hallwright::plan
