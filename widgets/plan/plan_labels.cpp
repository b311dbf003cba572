// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_labels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontMetricsF>

namespace hallwright::plan {

namespace {

QRectF scene_of(const Canvas& c, const QRectF& r) {
  return {(r.left() - c.origin.x()) / c.scale, (r.top() - c.origin.y()) / c.scale, r.width() / c.scale, r.height() / c.scale};
}

} // namespace

const PlanObject* standing_in(const Canvas& c, const Picture& p, const QRectF& r) {
  const QRectF area = scene_of(c, r);
  const PlanObject* found = nullptr;
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
    const std::vector<PlanObject>& objects = p.model->objects(layer);
    p.model->index(layer).visit(area, [&](std::uint32_t i) {
      if (!objects[i].box().intersects(area)) return;
      // The leftmost of the highest: the answer must not depend on the order of the grid.
      if (!found || std::pair(objects[i].x0, objects[i].y0) < std::pair(found->x0, found->y0)) found = &objects[i];
    });
  }
  return found;
}

QSizeF size_of_words(const Canvas& c, const QString& words, const QFont& f) {
  const QFontMetricsF m(f);
  return {std::ceil(m.horizontalAdvance(words)) + 2 * c.unit, m.height()};
}

QFont title_font(const Canvas& c) { return c.font(12, true); }

QRectF hall_with_title(const Canvas& c, const HallShape& h) {
  const QRectF r = c.rect(h.box);
  return r.adjusted(0, h.name.empty() || c.pixels(h.box.width()) <= 60 ? 0 : -4 * c.unit - QFontMetricsF(title_font(c)).height(), 0, 0);
}

AisleLabel aisle_label(const Canvas& c, const AisleBand& a) {
  AisleLabel out;
  const QRectF r = c.rect(a.box);
  const double across = c.pixels(a.clear), along = (a.along_x ? r.width() : r.height()) / c.unit;
  if (across < 12 || along < 60) return out;
  out.font = c.font(std::min(11.0, across - 2));
  const QString name = a.cold ? PlanView::tr("cold aisle") : PlanView::tr("hot aisle");
  out.words = name + QStringLiteral("  ") + length_text(a.clear, 2);
  if (along <= 150) out.words = name;
  const QSizeF size = size_of_words(c, out.words, out.font);
  if (size.width() > along * c.unit - 4 * c.unit) return {};
  if (a.along_x) {
    // The label stays in sight when the row runs out of the window.
    const double left = std::max(r.left(), c.paper ? r.left() : std::min(c.left_edge + 48 * c.unit, r.right() - 120 * c.unit));
    out.box = QRectF(left + 4 * c.unit, r.center().y() - size.height() / 2, size.width(), size.height());
  } else {
    out.box = QRectF(r.center().x() - size.height() / 2, r.bottom() - 4 * c.unit - size.width(), size.height(), size.width());
  }
  return out;
}

void paint_dimensions(const Canvas& c, const Picture& p) {
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, false);
  const QPen pen = c.pen(mixed(c.colors.quiet, c.colors.canvas, 0.4), 1);
  const QFont f = c.font(11);
  const double off = 18 * c.unit, tick = 4 * c.unit;
  for (const HallShape& h : p.model->halls()) {
    const QRectF r = c.rect(h.box);
    // Dimension lines keep off other halls, their names, and what stands outside of halls.
    const auto is_free = [&](const QRectF& strip) {
      for (const HallShape& other : p.model->halls())
        if (other.id != h.id && hall_with_title(c, other).intersects(strip)) return false;
      return !standing_in(c, p, strip);
    };
    const QString across = length_text(h.box.width()), down = length_text(h.box.height());
    const QSizeF across_size = size_of_words(c, across, f), down_size = size_of_words(c, down, f);
    if (r.width() < std::max(50 * c.unit, across_size.width())) continue;
    const double y = std::round(r.bottom() + off);
    if (is_free(QRectF(r.left(), r.bottom() + 3 * c.unit, r.width(), off + across_size.height()))) {
      c.line({r.left(), y}, {r.right(), y}, pen);
      for (double x : {r.left(), r.right()}) c.line({x, y - tick}, {x, y + tick}, pen);
      c.text_at({r.center().x(), y + 3 * c.unit}, Qt::AlignHCenter | Qt::AlignTop, across, f, c.colors.quiet);
    }
    if (r.height() < 50 * c.unit) continue;
    const double room = off + 6 * c.unit + down_size.width();
    const bool right_free = is_free(QRectF(r.right() + 3 * c.unit, r.top(), room, r.height()));
    if (!right_free) {
      // A neighbour of the same height says it; else there is the other side.
      bool said = false;
      for (const HallShape& other : p.model->halls())
        said = said || (other.id != h.id && std::abs(other.box.top() - h.box.top()) < 1 && std::abs(other.box.bottom() - h.box.bottom()) < 1);
      if (said || !is_free(QRectF(r.left() - 3 * c.unit - room, r.top(), room, r.height()))) continue;
    }
    const double side = right_free ? 1 : -1;
    const double x = std::round((right_free ? r.right() : r.left()) + side * off);
    c.line({x, r.top()}, {x, r.bottom()}, pen);
    for (double yy : {r.top(), r.bottom()}) c.line({x - tick, yy}, {x + tick, yy}, pen);
    c.text_at({x + side * 6 * c.unit, r.center().y()}, (right_free ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, down, f, c.colors.quiet);
  }
}

void paint_row_names(const Canvas& c, const Picture& p) {
  const Design& design = p.model->design();
  // A row of which parts stand apart is named once, at its start.
  std::vector<RackLine> rows;
  for (const RackLine& l : p.model->lines()) {
    if (!l.row) continue;
    if (!rows.empty()) {
      RackLine& row = rows.back();
      const bool level = l.along_x ? std::min(l.y1, row.y1) > std::max(l.y0, row.y0) : std::min(l.x1, row.x1) > std::max(l.x0, row.x0);
      if (row.row == l.row && row.hall == l.hall && row.turns == l.turns && level) {
        row.x0 = std::min(row.x0, l.x0), row.y0 = std::min(row.y0, l.y0), row.x1 = std::max(row.x1, l.x1), row.y1 = std::max(row.y1, l.y1);
        continue;
      }
    }
    rows.push_back(l);
  }
  std::vector<QRectF> taken; // words already there
  bool aisles_known = false;
  std::size_t own = 0;
  for (const RackLine& l : rows) {
    if (!l.box().adjusted(-6000, -3000, 3000, 3000).intersects(p.area)) continue;
    const double across = c.pixels(l.along_x ? l.y1 - l.y0 : l.x1 - l.x0);
    if (across < 8) continue;
    const Row* row = find(*design.rows, l.row);
    if (!row || row->name.empty()) continue;
    if (!aisles_known) {
      for (const AisleBand& a : p.model->aisles())
        if (a.box.intersects(p.area.adjusted(-8000, -8000, 8000, 8000)))
          if (const AisleLabel label = aisle_label(c, a); !label.words.isEmpty()) taken.push_back(label.box);
      aisles_known = true;
      own = taken.size();
    }
    const QFont f = c.font(std::min(11.0, across * 0.8));
    const QRectF r = c.rect(l.box());
    const QString name = QString::fromStdString(row->name);
    const QSizeF size = size_of_words(c, name, f);
    const HallShape* hall = p.model->hall(l.hall);
    const QRectF floor = hall ? c.rect(hall->box).adjusted(2 * c.unit, 2 * c.unit, -2 * c.unit, -2 * c.unit) : QRectF();
    const auto is_free = [&](const QRectF& box) {
      if (hall && !floor.contains(box)) return false;
      for (const QRectF& t : taken)
        if (t.intersects(box)) return false;
      return !standing_in(c, p, box);
    };
    // Ahead of the row's start, past what stands there; then behind its end; then beside the first rack.
    const double gap = 6 * c.unit, reach = 4000 * c.scale;
    QRectF place;
    const auto ahead = [&]() -> bool {
      double edge = l.along_x ? r.left() : r.top();
      const double start = edge;
      for (int tries = 0; tries < 6 && start - edge <= reach; ++tries) {
        place = l.along_x ? QRectF(QPointF(edge - gap - size.width(), r.center().y() - size.height() / 2), size)
                          : QRectF(QPointF(r.center().x() - size.width() / 2, edge - gap / 2 - size.height()), size);
        // What stands at the row's start need not be as wide as the row: look at the whole width of the words.
        const PlanObject* there = standing_in(c, p, place);
        if (!there) return is_free(place);
        const QRectF box = c.rect(there->box());
        const double next = l.along_x ? box.left() : box.top();
        if (next >= edge) return false;
        edge = next;
      }
      return false;
    };
    bool found = ahead();
    if (!found) {
      const std::array<QPointF, 4> corners =
          l.along_x ? std::array<QPointF, 4>{QPointF(r.right() + gap, r.center().y() - size.height() / 2), QPointF(r.left(), r.top() - 2 * c.unit - size.height()),
                                             QPointF(r.left(), r.bottom() + 2 * c.unit), QPointF(r.right() - size.width(), r.top() - 2 * c.unit - size.height())}
                    : std::array<QPointF, 4>{QPointF(r.center().x() - size.width() / 2, r.bottom() + gap / 2), QPointF(r.left() - gap - size.width(), r.top()),
                                             QPointF(r.right() + gap, r.top()), QPointF(r.left() - gap - size.width(), r.bottom() - size.height())};
      for (const QPointF& corner : corners) {
        place = QRectF(corner, size);
        found = is_free(place);
        if (found) break;
      }
    }
    if (l.along_x && !c.paper && (found ? std::min(place.left(), r.left()) : r.left()) < c.left_edge + 4 && r.right() > c.left_edge + 80 && place.left() < c.left_edge + 4) {
      // The start of the row is out of sight: its name stays at the edge.
      const QRectF pill(c.left_edge + 3, std::round(r.center().y() - size.height() / 2 - 1), size.width() + 8, size.height() + 2);
      bool covered = false; // rows back to back without an aisle, far away
      for (std::size_t i = own; i < taken.size(); ++i) covered = covered || taken[i].intersects(pill.adjusted(0, 2, 0, -2));
      if (covered) continue;
      c.tile(pill, 3, QPen(Qt::NoPen), c.colors.panel);
      c.text(pill, Qt::AlignCenter | Qt::TextSingleLine, name, f, c.colors.quiet);
      taken.push_back(pill);
    } else if (found) {
      c.text(place, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, name, f, c.colors.quiet);
      taken.push_back(place);
    }
  }
}

} // namespace hallwright::plan
