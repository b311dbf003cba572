// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_snap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_underlay.h"

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

/// What was caught on one axis. The name is made up at the end: most offers lose.
struct Best {
  double shift = 0;
  double distance = std::numeric_limits<double>::infinity();
  SnapKind kind = SnapKind::none;
  QLineF guide;
  QLineF second_guide;
  PlanLayer layer = PlanLayer::racks;
  const PlanObject* object = nullptr;
  Id other = 0;      ///< hall or row
  double amount = 0; ///< of a gap, an aisle, a guide's place
};

void offer(Best& best, double shift, SnapKind kind, double reach, double preference, const QLineF& guide,
           const QLineF& second = {}, PlanLayer layer = PlanLayer::racks, const PlanObject* object = nullptr,
           Id other = 0, double amount = 0) {
  const double distance = std::abs(shift) + preference;
  if (std::abs(shift) > reach || distance >= best.distance) return;
  best = {shift, distance, kind, guide, second, layer, object, other, amount};
}

QString size_words(double mm) {
  if (length_style() == LengthStyle::metric && std::abs(mm) < 1000) return size_text(mm);
  return length_text(mm, 2);
}

QString words_of(const PlanModel& model, const Best& b, const SnapSettings& settings) {
  const auto thing = [&]() -> QString {
    if (b.object) return QString::fromStdString(model.name(b.layer, *b.object));
    if (const HallShape* h = model.hall(b.other)) return QString::fromStdString(h->name);
    return {};
  };
  switch (b.kind) {
  case SnapKind::none:
    return {};
  case SnapKind::grid:
    return PlanView::tr("grid %1").arg(size_words(settings.grid_mm));
  case SnapKind::tile:
    return PlanView::tr("tile %1").arg(size_words(settings.grid_mm));
  case SnapKind::edge:
    return PlanView::tr("edge of %1").arg(thing());
  case SnapKind::corner:
    return PlanView::tr("corner of %1").arg(thing());
  case SnapKind::center:
    return PlanView::tr("centre of %1").arg(thing());
  case SnapKind::wall:
    return PlanView::tr("wall %1").arg(thing());
  case SnapKind::column_line:
    return PlanView::tr("column line of %1").arg(thing());
  case SnapKind::path:
    return PlanView::tr("run %1").arg(thing());
  case SnapKind::underlay:
    return PlanView::tr("end of a line of the underlay");
  case SnapKind::row: {
    const Row* row = find(*model.design().rows, b.other);
    return row ? PlanView::tr("row line of %1").arg(QString::fromStdString(row->name)) : PlanView::tr("row line");
  }
  case SnapKind::aisle: {
    const Row* row = find(*model.design().rows, b.other);
    return row ? PlanView::tr("aisle %1 from %2").arg(length_text(b.amount, 2), QString::fromStdString(row->name))
               : PlanView::tr("aisle %1").arg(length_text(b.amount, 2));
  }
  case SnapKind::spacing:
    return PlanView::tr("equal spacing %1").arg(size_words(b.amount));
  case SnapKind::guide:
    return PlanView::tr("guide %1").arg(length_text(b.amount, 2));
  case SnapKind::dimension:
    return PlanView::tr("dimension %1").arg(exact_length_text(b.amount));
  }
  return {};
}

SnapKind edge_kind(PlanLayer layer, const PlanObject& o) {
  return layer == PlanLayer::structure && static_cast<StructureKind>(o.word) == StructureKind::wall ? SnapKind::wall
                                                                                                    : SnapKind::edge;
}
bool is_column(PlanLayer layer, const PlanObject& o) {
  return layer == PlanLayer::structure && static_cast<StructureKind>(o.word) == StructureKind::column;
}

/// Guide across an axis at `at`, over both rectangles.
QLineF across(bool x, double at, const QRectF& a, const QRectF& b) {
  const QRectF u = a.united(b);
  return x ? QLineF(at, u.top() - 300, at, u.bottom() + 300) : QLineF(u.left() - 300, at, u.right() + 300, at);
}

double grid_shift(double value, double origin, double step) {
  return std::round((value - origin) / step) * step + origin - value;
}

} // namespace

QString Snap::words() const {
  if (x_words == y_words || y_words.isEmpty()) return x_words;
  if (x_words.isEmpty()) return y_words;
  return x_words + QStringLiteral(", ") + y_words;
}

namespace {

/// Guides across the plan; `low` and `high` are the sides that may catch.
void offer_guides(Best& b, const PlanModel& model, bool x, std::initializer_list<double> places,
                  const SnapSettings& settings, const QRectF& box) {
  if (!settings.visible[static_cast<std::size_t>(PlanLayer::dimensions)]) return;
  for (const GuideLine& g : model.guides()) {
    if (g.upright != x) continue;
    const QPointF origin = model.origin(g.hall);
    for (double at : places)
      offer(b, g.at - at, SnapKind::guide, settings.reach_mm, -2, across(x, g.at, box, box), {}, PlanLayer::racks,
            nullptr, 0, g.at - (x ? origin.x() : origin.y()));
  }
}

Snap answer(const PlanModel& model, Best (&best)[2], const SnapSettings& settings) {
  // Both axes on one thing at its outline: a corner.
  if (best[0].object && best[0].object == best[1].object && best[0].kind == SnapKind::edge &&
      best[1].kind == SnapKind::edge)
    best[0].kind = best[1].kind = SnapKind::corner;
  if (!best[0].object && !best[1].object && best[0].other && best[0].other == best[1].other &&
      best[0].kind == SnapKind::edge && best[1].kind == SnapKind::edge)
    best[0].kind = best[1].kind = SnapKind::corner;
  Snap out;
  out.dx = best[0].shift, out.dy = best[1].shift;
  out.x_kind = best[0].kind, out.y_kind = best[1].kind;
  out.x_words = words_of(model, best[0], settings), out.y_words = words_of(model, best[1], settings);
  for (const Best& b : best)
    if (b.kind != SnapKind::none && b.kind != SnapKind::grid && b.kind != SnapKind::tile) {
      out.guides.push_back(b.guide);
      if (!b.second_guide.isNull()) out.guides.push_back(b.second_guide);
    }
  return out;
}

} // namespace

Snap snap_box(const PlanModel& model, const QRectF& box, const std::unordered_set<Id>& moving,
              const SnapSettings& settings) {
  Best best[2];
  const double reach = settings.reach_mm;
  struct Neighbour {
    PlanLayer layer;
    const PlanObject* object;
  };
  std::vector<Neighbour> near;
  const QRectF around = box.adjusted(-neighbourhood, -neighbourhood, neighbourhood, neighbourhood);
  for (PlanLayer layer : box_layers) {
    if (!settings.visible[static_cast<std::size_t>(layer)]) continue;
    const auto& objects = model.objects(layer);
    model.index(layer).visit(around, [&](std::uint32_t i) {
      if (near.size() < most_neighbours && !moving.count(objects[i].id) && objects[i].box().intersects(around))
        near.push_back({layer, &objects[i]});
    });
  }
  std::sort(near.begin(), near.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tuple(a.object->x0, a.object->y0, a.object->x1, a.object->y1, a.object->id) <
           std::tuple(b.object->x0, b.object->y0, b.object->x1, b.object->y1, b.object->id);
  });
  for (int axis = 0; axis < 2; ++axis) {
    const bool x = axis == 0;
    const Side m = side(box, x);
    const Side m_other = side(box, !x);
    Best& b = best[axis];
    std::vector<Side> in_line; // neighbours that share the other axis, for equal spacing
    for (const Neighbour& neighbour : near) {
      const PlanObject& object = *neighbour.object;
      const QRectF n = object.box();
      const Side s = side(n, x), o = side(n, !x);
      const bool beside = std::min(o.high, m_other.high) - std::max(o.low, m_other.low) > -reach;
      const SnapKind kind = edge_kind(neighbour.layer, object);
      const auto catch_at = [&](double place, double own, double preference, SnapKind k) {
        offer(b, place - own, k, reach, preference, across(x, place, n, box), {}, neighbour.layer, &object);
      };
      // Touching a neighbour beside; lining up with one elsewhere.
      if (beside) {
        catch_at(s.high, m.low, 0, kind);
        catch_at(s.low, m.high, 0, kind);
        if (std::min(o.high, m_other.high) - std::max(o.low, m_other.low) > 0.5 * std::min(o.size(), m_other.size()))
          in_line.push_back(s);
      }
      catch_at(s.low, m.low, 5, kind);
      catch_at(s.high, m.high, 5, kind);
      catch_at((s.low + s.high) / 2, (m.low + m.high) / 2, is_column(neighbour.layer, object) ? 6 : 8,
               is_column(neighbour.layer, object) ? SnapKind::column_line : SnapKind::center);
    }
    // Walls of the halls, where they run along an axis.
    for (const HallShape& h : model.halls())
      for (qsizetype i = 0; i < h.outline.size(); ++i) {
        const QPointF p = h.outline[i], q = h.outline[(i + 1) % h.outline.size()];
        if (x ? std::abs(p.x() - q.x()) > 0.5 : std::abs(p.y() - q.y()) > 0.5) continue;
        const QRectF wall = QRectF(p, q).normalized();
        if (std::min(side(wall, !x).high, m_other.high) < std::max(side(wall, !x).low, m_other.low)) continue;
        const double place = x ? p.x() : p.y();
        offer(b, place - m.low, SnapKind::edge, reach, 1, across(x, place, wall, box), {}, PlanLayer::structure,
              nullptr, h.id);
        offer(b, place - m.high, SnapKind::edge, reach, 1, across(x, place, wall, box), {}, PlanLayer::structure,
              nullptr, h.id);
      }
    offer_guides(b, model, x, {m.low, m.high, (m.low + m.high) / 2}, settings, box);
    if (in_line.size() >= 2) {
      std::sort(in_line.begin(), in_line.end(), [](const Side& p, const Side& q) { return p.low < q.low; });
      const double level = x ? box.center().y() : box.center().x();
      const auto along = [&](double from, double to) {
        return x ? QLineF(from, level, to, level) : QLineF(level, from, level, to);
      };
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
        offer(b, left->high + gap - m.low, SnapKind::spacing, reach, 2, along(left2->high, left->low),
              along(left->high, left->high + gap), PlanLayer::racks, nullptr, 0, gap);
      }
      if (right && right2 && right2->low - right->high > touching) {
        const double gap = right2->low - right->high;
        offer(b, right->low - gap - m.high, SnapKind::spacing, reach, 2, along(right->low - gap, right->low),
              along(right->high, right2->low), PlanLayer::racks, nullptr, 0, gap);
      }
      if (left && right && right->low - left->high > m.size() + touching) {
        const double gap = (right->low - left->high - m.size()) / 2;
        offer(b, left->high + gap - m.low, SnapKind::spacing, reach, 2, along(left->high, left->high + gap),
              along(right->low - gap, right->low), PlanLayer::racks, nullptr, 0, gap);
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
      offer(b, s.low - m.low, SnapKind::row, reach, -1, across(x, s.low, lb, box), {}, PlanLayer::racks, nullptr,
            l.row);
      offer(b, s.high - m.high, SnapKind::row, reach, -1, across(x, s.high, lb, box), {}, PlanLayer::racks, nullptr,
            l.row);
      const HallShape* hall = model.hall(l.hall);
      if (!hall) continue;
      const Side o = side(lb, !x);
      if (std::min(o.high, m_other.high) < std::max(o.low, m_other.low)) continue;
      const int front_high = x ? 1 : 2;
      const double beyond_high = l.turns == front_high ? hall->cold_minimum : hall->hot_minimum;
      const double beyond_low = l.turns == front_high ? hall->hot_minimum : hall->cold_minimum;
      offer(b, s.high + beyond_high - m.low, SnapKind::aisle, reach, 1, across(x, s.high + beyond_high, lb, box), {},
            PlanLayer::racks, nullptr, l.row, beyond_high);
      offer(b, s.low - beyond_low - m.high, SnapKind::aisle, reach, 1, across(x, s.low - beyond_low, lb, box), {},
            PlanLayer::racks, nullptr, l.row, beyond_low);
    }
    if (b.kind == SnapKind::none && settings.grid_mm > 0) {
      b.shift = grid_shift(m.low, x ? settings.grid_origin.x() : settings.grid_origin.y(), settings.grid_mm);
      b.kind = settings.tiles ? SnapKind::tile : SnapKind::grid;
    }
  }
  return answer(model, best, settings);
}

Snap snap_point(const PlanModel& model, const QPointF& point, const SnapSettings& settings) {
  Best best[2];
  const double reach = settings.reach_mm;
  const QRectF around(point - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
  const auto at_point = [&](const QPointF& p, SnapKind kind, double preference, PlanLayer layer, const PlanObject* o,
                            Id other, double amount = 0) {
    // Both axes or none: a corner is a point.
    if (std::abs(p.x() - point.x()) > reach || std::abs(p.y() - point.y()) > reach) return;
    for (int axis = 0; axis < 2; ++axis) {
      const bool x = axis == 0;
      const QRectF spot(p, QSizeF(0, 0));
      offer(best[axis], x ? p.x() - point.x() : p.y() - point.y(), kind, reach, preference,
            across(x, x ? p.x() : p.y(), spot, around), {}, layer, o, other, amount);
    }
  };
  for (PlanLayer layer : box_layers) {
    if (!settings.visible[static_cast<std::size_t>(layer)]) continue;
    const auto& objects = model.objects(layer);
    model.index(layer).visit(around, [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      if (o.id == settings.skip || !o.box().adjusted(-1, -1, 1, 1).intersects(around)) return;
      if (o.turns < 0) {
        for (const QPointF& corner : o.corners())
          at_point(corner, SnapKind::corner, 0, layer, &o, 0);
      } else {
        const QRectF r = o.box();
        for (int axis = 0; axis < 2; ++axis) {
          const bool x = axis == 0;
          const double at = x ? point.x() : point.y();
          const Side s = side(r, x);
          for (double e : {s.low, s.high})
            offer(best[axis], e - at, edge_kind(layer, o), reach, 0, across(x, e, r, around), {}, layer, &o);
          // The middle of a side counts near that side or on the other middle line only.
          const Side other = side(r, !x);
          const double across_at = x ? point.y() : point.x();
          const bool on_line = std::abs(across_at - other.low) <= reach || std::abs(across_at - other.high) <= reach ||
                               std::abs(across_at - (other.low + other.high) / 2) <= reach;
          if (on_line)
            offer(best[axis], (s.low + s.high) / 2 - at, SnapKind::center, reach, 3,
                  across(x, (s.low + s.high) / 2, r, around), {}, layer, &o);
        }
        return;
      }
      at_point(o.center(), SnapKind::center, 2, layer, &o, 0);
    });
  }
  // Lines through columns hold for the whole hall.
  if (settings.visible[static_cast<std::size_t>(PlanLayer::structure)])
    for (const PlanObject& o : model.objects(PlanLayer::structure)) {
      if (!is_column(PlanLayer::structure, o) || o.id == settings.skip) continue;
      for (int axis = 0; axis < 2; ++axis) {
        const bool x = axis == 0;
        const double place = x ? o.center().x() : o.center().y();
        offer(best[axis], place - (x ? point.x() : point.y()), SnapKind::column_line, reach, 6,
              across(x, place, o.box(), around), {}, PlanLayer::structure, &o);
      }
    }
  for (PlanLayer layer : {PlanLayer::trays, PlanLayer::pipes, PlanLayer::zones}) {
    if (!settings.visible[static_cast<std::size_t>(layer)]) continue;
    const auto& objects = model.objects(layer);
    model.index(layer).visit(around, [&](std::uint32_t i) {
      const QPolygonF* points = model.points(layer, objects[i]);
      if (!points || objects[i].id == settings.skip) return;
      const bool closed = layer == PlanLayer::zones;
      for (qsizetype k = 0; k < points->size(); ++k) {
        at_point((*points)[k], closed ? SnapKind::corner : SnapKind::path, 0.5, layer, &objects[i], 0);
        if (k + 1 == points->size() && !closed) break;
        const QPointF p = (*points)[k], q = (*points)[(k + 1) % points->size()];
        const QRectF part = QRectF(p, q).normalized();
        if (!part.adjusted(-reach, -reach, reach, reach).contains(point)) continue;
        const SnapKind kind = closed ? SnapKind::edge : SnapKind::path;
        if (std::abs(p.x() - q.x()) < 0.5)
          offer(best[0], p.x() - point.x(), kind, reach, 1, across(true, p.x(), part, around), {}, layer, &objects[i]);
        if (std::abs(p.y() - q.y()) < 0.5)
          offer(best[1], p.y() - point.y(), kind, reach, 1, across(false, p.y(), part, around), {}, layer, &objects[i]);
      }
    });
  }
  if (settings.visible[static_cast<std::size_t>(PlanLayer::underlay)])
    if (const auto end = underlay_end(model, point, reach))
      at_point(*end, SnapKind::underlay, 1, PlanLayer::underlay, nullptr, 0);
  if (settings.visible[static_cast<std::size_t>(PlanLayer::dimensions)])
    model.index(PlanLayer::dimensions).visit(around, [&](std::uint32_t i) {
      const DimensionLine& d = model.dimension(model.objects(PlanLayer::dimensions)[i]);
      for (const QPointF& p : {d.from, d.to})
        at_point(p, SnapKind::dimension, 1, PlanLayer::dimensions, nullptr, 0, d.length);
      if (std::abs(d.from.x() - d.to.x()) < 0.5)
        offer(best[0], d.from.x() - point.x(), SnapKind::dimension, reach, 2, QLineF(d.from, d.to), {},
              PlanLayer::dimensions, nullptr, 0, d.length);
      if (std::abs(d.from.y() - d.to.y()) < 0.5)
        offer(best[1], d.from.y() - point.y(), SnapKind::dimension, reach, 2, QLineF(d.from, d.to), {},
              PlanLayer::dimensions, nullptr, 0, d.length);
    });
  for (const HallShape& h : model.halls())
    for (qsizetype i = 0; i < h.outline.size(); ++i) {
      if (h.id == settings.skip) break;
      const QPointF p = h.outline[i], q = h.outline[(i + 1) % h.outline.size()];
      offer(best[0], p.x() - point.x(), SnapKind::edge, reach, 0, across(true, p.x(), h.box, around), {},
            PlanLayer::structure, nullptr, h.id);
      offer(best[1], p.y() - point.y(), SnapKind::edge, reach, 0, across(false, p.y(), h.box, around), {},
            PlanLayer::structure, nullptr, h.id);
      at_point((p + q) / 2, SnapKind::center, 3, PlanLayer::structure, nullptr, h.id);
    }
  offer_guides(best[0], model, true, {point.x()}, settings, around);
  offer_guides(best[1], model, false, {point.y()}, settings, around);
  for (int axis = 0; axis < 2; ++axis)
    if (best[axis].kind == SnapKind::none && settings.grid_mm > 0) {
      best[axis].shift = axis == 0 ? grid_shift(point.x(), settings.grid_origin.x(), settings.grid_mm)
                                   : grid_shift(point.y(), settings.grid_origin.y(), settings.grid_mm);
      best[axis].kind = settings.tiles ? SnapKind::tile : SnapKind::grid;
    }
  return answer(model, best, settings);
}

double snap_guide(const PlanModel& model, const QPointF& point, bool upright, const SnapSettings& settings,
                  QString* words) {
  Best best;
  const double at = upright ? point.x() : point.y(), reach = settings.reach_mm;
  const QRectF none(point, QSizeF(0, 0));
  const auto take = [&](double place, SnapKind kind, double preference, PlanLayer layer, const PlanObject* o,
                        Id other) {
    offer(best, place - at, kind, reach, preference, across(upright, place, none, none), {}, layer, o, other);
  };
  const QRectF strip = upright ? QRectF(at - reach, point.y() - neighbourhood, 2 * reach, 2 * neighbourhood)
                               : QRectF(point.x() - neighbourhood, at - reach, 2 * neighbourhood, 2 * reach);
  for (PlanLayer layer : box_layers)
    model.index(layer).visit(strip, [&](std::uint32_t i) {
      const PlanObject& o = model.objects(layer)[i];
      const Side s = side(o.box(), upright);
      take(s.low, edge_kind(layer, o), 0, layer, &o, 0);
      take(s.high, edge_kind(layer, o), 0, layer, &o, 0);
      take((s.low + s.high) / 2, is_column(layer, o) ? SnapKind::column_line : SnapKind::center, 2, layer, &o, 0);
    });
  for (const HallShape& h : model.halls())
    for (const QPointF& corner : h.outline)
      take(upright ? corner.x() : corner.y(), SnapKind::edge, 0, PlanLayer::structure, nullptr, h.id);
  if (best.kind == SnapKind::none && settings.grid_mm > 0) {
    best.shift = grid_shift(at, upright ? settings.grid_origin.x() : settings.grid_origin.y(), settings.grid_mm);
    best.kind = settings.tiles ? SnapKind::tile : SnapKind::grid;
  }
  if (words) *words = words_of(model, best, settings);
  return at + best.shift;
}

} // namespace hallwright::plan
