// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_painter.h"

/// What lies under and round the things of a hall: floor, grid, aisles, outline.

namespace hallwright::plan {

void paint_floor(const Canvas& c, const Picture& p) {
  for (const HallShape& h : p.model->halls()) {
    if (!h.box.intersects(p.area)) continue;
    // A rectangle is filled many times faster than a polygon of the same corners.
    const bool rectangle = h.outline.size() == 4 && (h.outline[0] - h.outline[1] == h.outline[3] - h.outline[2]) &&
                           ((h.outline[0].x() == h.outline[1].x() && h.outline[1].y() == h.outline[2].y()) ||
                            (h.outline[0].y() == h.outline[1].y() && h.outline[1].x() == h.outline[2].x()));
    if (rectangle)
      c.fill(c.rect(h.box).intersected(c.rect(p.area)), c.colors.floor);
    else
      c.outline(c.polygon(h.outline), QPen(Qt::NoPen), c.colors.floor);
  }
}

void paint_grid(const Canvas& c, const Picture& p) {
  if (!c.painter || p.grid_mm <= 0) return;
  double step = p.grid_mm;
  while (c.pixels(step) < 10) step *= 5;
  if (p.area.width() / step > 2000 || p.area.height() / step > 2000) return;
  c.painter->setRenderHint(QPainter::Antialiasing, c.paper);
  const QPointF shift = p.model->halls().empty() ? QPointF() : p.model->halls().front().offset;
  // On paper nothing reaches beyond the area.
  const auto first = [&](double from) { return static_cast<long long>(c.paper ? std::ceil(from / step) : std::floor(from / step)); };
  const auto last = [&](double to) { return static_cast<long long>(c.paper ? std::floor(to / step) : std::ceil(to / step)); };
  const long long first_x = first(p.area.left() - shift.x()), last_x = last(p.area.right() - shift.x());
  const long long first_y = first(p.area.top() - shift.y()), last_y = last(p.area.bottom() - shift.y());
  const double top = std::floor(c.y(p.area.top())), bottom = std::ceil(c.y(p.area.bottom())), left = std::floor(c.x(p.area.left())), right = std::ceil(c.x(p.area.right()));
  // Lines as filled rectangles: the stroker of the raster engine takes five times as long over upright lines.
  const double thick = c.paper ? 0.6 * c.unit : 1.0;
  for (int pass = 0; pass < 2; ++pass) {
    const QColor color = pass == 0 ? c.colors.grid : mixed(c.colors.grid, c.colors.grid_major, 0.6);
    const auto draw = [&](double x, double y, double w, double h) {
      if (c.paper)
        c.painter->fillRect(QRectF(x, y, w, h), color);
      else
        c.painter->fillRect(QRect(static_cast<int>(x), static_cast<int>(y), static_cast<int>(w), static_cast<int>(h)), color);
    };
    for (long long i = first_x; i <= last_x; ++i)
      if ((i % 5 == 0) == (pass == 1)) draw(std::round(c.x(static_cast<double>(i) * step + shift.x())), top, thick, bottom - top);
    for (long long i = first_y; i <= last_y; ++i)
      if ((i % 5 == 0) == (pass == 1)) draw(left, std::round(c.y(static_cast<double>(i) * step + shift.y())), right - left, thick);
  }
}

void paint_aisles(const Canvas& c, const Picture& p) {
  LabelStore own;
  LabelStore& labels = p.labels ? *p.labels : own;
  labels.begin(c, p);
  const std::vector<AisleBand>& aisles = p.model->aisles();
  for (std::size_t i = 0; i < aisles.size(); ++i) {
    const AisleBand& a = aisles[i];
    if (!a.box.intersects(p.area)) continue;
    const QRectF r = c.rect(a.box);
    if (std::min(r.width(), r.height()) < 2 * c.unit) continue;
    c.fill(r, a.cold ? c.colors.cold : c.colors.hot);
    const AisleLabel label = labels.aisle(c, p, i);
    if (label.words.isEmpty()) continue;
    const QColor ink = a.cold ? c.colors.cold_text : c.colors.hot_text;
    if (a.along_x)
      c.text(label.box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, label.words, label.font, ink);
    else
      c.text_turned(label.box, Qt::AlignLeft, label.words, label.font, ink);
  }
}

void paint_hall_outlines(const Canvas& c, const Picture& p) {
  for (const HallShape& h : p.model->halls()) {
    if (!h.box.adjusted(-500, -500, 500, 500).intersects(p.area)) continue;
    if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
    c.outline(c.polygon(h.outline), c.pen(c.colors.outline, c.pixels(1000) > 12 ? 2.5 : 1.6));
    if (h.name.empty() || c.pixels(h.box.width()) <= 60) continue;
    const QRectF r = c.rect(h.box);
    const QFont f = title_font(c);
    const double gap = 4 * c.unit;
    QString name = QString::fromStdString(h.name);
    if (c.size_of(name, f).width > r.width() - 2 * gap) name = QFontMetricsF(f).elidedText(name, Qt::ElideRight, r.width() - 2 * gap);
    const QSizeF size = size_of_words(c, name, f);
    const QRectF above(QPointF(r.left(), r.top() - gap - size.height()), size);
    const auto over_another_hall = [&] {
      for (const HallShape& other : p.model->halls())
        if (other.id != h.id && c.rect(other.box).intersects(above)) return true;
      return false;
    };
    if (!over_another_hall()) {
      c.text_at(r.topLeft() + QPointF(1 * c.unit, -gap), Qt::AlignLeft | Qt::AlignBottom, name, f, c.colors.text);
      continue;
    }
    // No room above: inside, in a corner where nothing stands, or else on a card of its own.
    QRectF inside(QPointF(r.left() + gap, r.top() + gap), size);
    const QRectF first = inside;
    const double right = r.right() - gap - size.width(), bottom = r.bottom() - gap - size.height();
    for (const QPointF& corner : {inside.topLeft(), QPointF(right, inside.top()), QPointF(inside.left(), bottom), QPointF(right, bottom)}) {
      inside.moveTopLeft(corner);
      if (!standing_in(c, p, inside)) break;
    }
    if (standing_in(c, p, inside)) inside = first;
    c.tile(inside.adjusted(-2 * c.unit, 0, 2 * c.unit, 0), 2, QPen(Qt::NoPen), c.colors.floor);
    c.text(inside, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, name, f, c.colors.text);
  }
}

} // namespace hallwright::plan
