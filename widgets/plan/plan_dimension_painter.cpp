// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_painter.h"

/// What is written on the plan: dimensions in the manner of CAD, guides, labels on the floor, marks of what is locked.

namespace hallwright::plan {

void paint_dimension(const Canvas& c, const DimensionLine& d, const QColor& ink, const QString& words) {
  const QPointF a = c.point(d.start), b = c.point(d.end), from = c.point(d.from), to = c.point(d.to);
  const QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  const QPen thin = c.pen(mixed(ink, c.colors.canvas, 0.25), 1);
  const double gap = 3 * c.unit, beyond = 4 * c.unit;
  // Extension lines keep off what they measure and run a little beyond the line.
  const auto extension = [&](const QPointF& point, const QPointF& end) {
    const QPointF v = end - point;
    const double l = std::hypot(v.x(), v.y());
    if (l <= gap) return;
    c.line(point + v / l * gap, end + v / l * beyond, thin);
  };
  extension(a, from);
  extension(b, to);
  if (length < 1) return;
  c.line(from, to, c.pen(ink, 1));
  const QPointF u = along / length, n(-u.y(), u.x());
  const QPointF tick = (u - n) * (4 * c.unit);
  for (const QPointF& p : {from, to})
    c.line(p - tick, p + tick, c.pen(ink, 1.8));

  const QFont f = c.font(11);
  const QFontMetricsF m(f);
  const double w = m.horizontalAdvance(words) + 6 * c.unit, h = m.height();
  double angle = std::atan2(u.y(), u.x()) * 57.29577951308232;
  if (angle > 90.01) angle -= 180;
  if (angle < -90.01) angle += 180;
  if (std::abs(std::abs(angle) - 90) < 0.02) angle = -90; // read from the right
  // Where it does not fit between the ticks it stands beyond the second one.
  const bool fits = w <= length - 4 * c.unit;
  const QPointF middle = fits ? (from + to) / 2 : to + u * (w / 2 + 10 * c.unit);
  if (!fits) c.line(to, to + u * (10 * c.unit), c.pen(ink, 1));
  if (c.paper) c.grow(QRectF(middle - QPointF(w / 2, w / 2), QSizeF(w, w)));
  if (!c.painter) return;
  c.painter->save();
  c.painter->translate(middle);
  c.painter->rotate(angle);
  const QRectF place(-w / 2, fits ? -h - 1 * c.unit : -h / 2, w, h);
  QColor back = c.colors.floor;
  back.setAlpha(200);
  c.painter->fillRect(place.adjusted(2 * c.unit, 1 * c.unit, -2 * c.unit, -1 * c.unit), back);
  c.painter->setFont(f);
  c.painter->setPen(ink);
  c.painter->drawText(place, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, words);
  c.painter->restore();
}

void paint_drawn_dimension(const Canvas& c, const Picture& p, const PlanObject& o) {
  const DimensionLine& d = p.model->dimension(o);
  if (d.length * c.scale < 6 * c.unit) return;
  paint_dimension(c, d, mixed(c.colors.text, c.colors.quiet, 0.5), exact_length_text(d.length));
}

void paint_guides(const Canvas& c, const Picture& p) {
  if (!c.painter || c.paper) return;
  c.painter->setRenderHint(QPainter::Antialiasing, false);
  QColor ink = c.colors.accent;
  ink.setAlpha(c.colors.dark ? 190 : 150);
  const QRectF r = c.rect(p.area);
  for (const GuideLine& g : p.model->guides()) {
    const double at = std::round(g.upright ? c.x(g.at) : c.y(g.at));
    if (g.upright)
      c.line({at, r.top()}, {at, r.bottom()}, c.pen(ink, 1));
    else
      c.line({r.left(), at}, {r.right(), at}, c.pen(ink, 1));
  }
}

Tint note_tint(const PlanColors& colors) { return {colors.amber, mixed(colors.panel, colors.amber, 0.15)}; }
QColor label_color(const PlanColors& colors) { return mixed(colors.text, colors.floor, 0.35); }

void paint_note(const Canvas& c, const Picture& p, const PlanObject& o) {
  const QString words = QString::fromStdString(p.model->name(PlanLayer::notes, o));
  if (static_cast<NoteKind>(o.word) == NoteKind::label) {
    const Note& note = (*p.model->design().notes)[o.index];
    const double cap = in_millimeters(note.text_height) * c.scale;
    if (cap < 3 * c.unit) return;
    if (c.paper) c.grow(c.rect(o.box()));
    if (!c.painter) return;
    QFont f = c.base_font;
    f.setPixelSize(100);
    const double em = 100 / QFontMetricsF(f).capHeight() * cap;
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(em))));
    f.setWeight(QFont::DemiBold);
    c.painter->save();
    c.painter->translate(c.point(o.center()));
    c.painter->rotate(o.angle);
    c.painter->setRenderHint(QPainter::Antialiasing, true);
    c.painter->setFont(f);
    c.painter->setPen(label_color(c.colors));
    const double left = -o.width / 2 * c.scale;
    double base = -o.depth / 2 * c.scale + cap;
    for (const QString& line : words.split(QLatin1Char('\n'))) {
      c.painter->drawText(QPointF(left, base), line);
      base += 1.6 * cap;
    }
    c.painter->restore();
    return;
  }
  // In the middle of its place, whatever the scale: the frame of a selection is around it.
  const QPointF at = c.rect(o.box()).center();
  const double side = 10 * c.unit;
  const QRectF sheet(std::round(at.x() - side / 2), std::round(at.y() - side / 2), side, side);
  const Tint tint = note_tint(c.colors);
  c.tile(sheet, 2, c.pen(tint.line, 1.2), tint.fill);
  if (c.pixels(1000) <= 12) return;
  const QString first = words.section(QLatin1Char('\n'), 0, 0);
  const QFont f = c.font(11);
  const QFontMetricsF m(f);
  const double gap = 2 * c.unit, padding = 10 * c.unit;
  QRectF card(sheet.right() + gap, sheet.center().y() - m.height() / 2 - c.unit, m.horizontalAdvance(first) + padding,
              m.height() + 2 * c.unit);
  // Walls are drawn over notes: the words stay in the hall, at the other side of the sheet or in several lines.
  int flags = Qt::AlignCenter | Qt::TextSingleLine;
  if (const HallShape* hall = p.model->hall(o.hall)) {
    const QRectF room = c.rect(hall->box);
    const double wall = 4 * c.unit, right = room.right() - wall - card.left(), left = sheet.left() - gap - room.left() - wall;
    const double wider = std::max(right, left);
    if (card.width() > right && wider >= 48 * c.unit) {
      if (card.width() > wider) {
        const QRectF lines = m.boundingRect(QRectF(0, 0, wider - padding, 1e5), Qt::TextWordWrap, first);
        card.setSize({wider, lines.height() + 2 * c.unit});
        flags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;
      }
      if (right < left) card.moveRight(sheet.left() - gap);
      if (card.bottom() > room.bottom() - wall) card.moveBottom(std::max(room.bottom() - wall, sheet.bottom()));
    }
  }
  QColor back = c.colors.panel;
  back.setAlpha(225);
  c.tile(card, 3, QPen(Qt::NoPen), back);
  const bool wrapped = flags & Qt::TextWordWrap;
  c.text(wrapped ? card.adjusted(padding / 2, 0, -padding / 2, 0) : card, flags, first, f, c.colors.text);
}

void paint_lock(const Canvas& c, const QPointF& corner) {
  if (!c.painter) return;
  const double u = c.unit;
  c.painter->setRenderHint(QPainter::Antialiasing, true);
  const QRectF body(corner.x() - 10 * u, corner.y() + 6 * u, 8 * u, 6 * u);
  const QColor ink = mixed(c.colors.text, c.colors.floor, 0.2);
  c.tile(body.adjusted(-2 * u, -5 * u, 2 * u, 2 * u), 2, QPen(Qt::NoPen), mixed(c.colors.floor, c.colors.panel, 0.5));
  c.painter->setPen(c.pen(ink, 1.2));
  c.painter->setBrush(Qt::NoBrush);
  c.painter->drawArc(QRectF(body.left() + 1.5 * u, body.top() - 3.5 * u, 5 * u, 7 * u), 0, 180 * 16);
  c.painter->fillRect(body, ink);
}

void paint_locks(const Canvas& c, const Picture& p) {
  if (!c.painter || c.paper) return;
  for (PlanLayer layer : all_layers) {
    if (layer == PlanLayer::underlay || layer == PlanLayer::dimensions ||
        (p.hidden && (*p.hidden)[static_cast<std::size_t>(layer)]))
      continue;
    const auto& objects = p.model->objects(layer);
    if (objects.empty() || c.pixels(std::max(objects.front().width, objects.front().depth)) < 18) continue;
    p.model->index(layer).visit(p.area, [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      if (!o.locked) return;
      const QRectF r = c.rect(o.box());
      if (std::min(r.width(), r.height()) < 16 * c.unit) return;
      paint_lock(c, r.topRight());
    });
  }
}

} // namespace hallwright::plan
