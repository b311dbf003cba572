// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainterPath>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_painter.h"

/// Areas of the floor: the tiles of a raised floor, zones with their ratings, containment round aisles.

namespace hallwright::plan {

void paint_tiles(const Canvas& c, const Picture& p) {
  if (!c.painter) return;
  for (const HallShape& h : p.model->halls()) {
    if (h.tile <= 0 || c.pixels(h.tile) < 7 || !h.box.intersects(p.area)) continue;
    const QRectF part = h.box.intersected(p.area);
    if (part.width() / h.tile > 1000 || part.height() / h.tile > 1000) continue;
    c.painter->save();
    QPainterPath floor;
    floor.addPolygon(c.polygon(h.outline));
    if (h.outline.size() != 4) c.painter->setClipPath(floor, Qt::IntersectClip);
    c.painter->setRenderHint(QPainter::Antialiasing, false);
    // The tiles take the place of the plan's own grid.
    c.fill(c.rect(part), mixed(c.colors.floor, c.colors.grid, 0.28));
    const QColor joint = mixed(c.colors.grid, c.colors.grid_major, 0.5);
    const double thick = c.paper ? 0.5 * c.unit : 1.0;
    const QRectF r = c.rect(part);
    const auto first = [&](double from, double corner) {
      return std::ceil((from - corner) / h.tile - 1e-9) * h.tile + corner;
    };
    for (double x = first(part.left(), h.tile_corner.x()); x <= part.right(); x += h.tile)
      c.painter->fillRect(QRectF(std::round(c.x(x)), r.top(), thick, r.height()), joint);
    for (double y = first(part.top(), h.tile_corner.y()); y <= part.bottom(); y += h.tile)
      c.painter->fillRect(QRectF(r.left(), std::round(c.y(y)), r.width(), thick), joint);
    c.painter->restore();
  }
}

namespace {

/// What is different in a zone: "1500 kg/m² · 400 kW".
QString zone_ratings(const Design& design, Id zone) {
  static const std::vector<FieldInfo> all = table_fields("zones");
  QStringList out;
  for (const FieldInfo& f : all) {
    if (f.type != FieldType::number) continue;
    const auto value = get_field(design, {"zones", zone}, f.name);
    const double* number = value ? std::get_if<double>(&*value) : nullptr;
    if (!number) continue;
    if (f.name == "ceiling_height")
      out << PlanView::tr("ceiling %1").arg(length_text(*number * 1000.0, 2));
    else if (f.name == "point_load_rating")
      out << PlanView::tr("%1 a point").arg(screen_text(*number, *f.kind, 4, f.unit));
    else
      out << screen_text(*number, *f.kind, 4, f.unit);
  }
  return out.join(QStringLiteral(" · "));
}

} // namespace

Tint zone_tint(const PlanColors& colors) {
  QColor soft = colors.green;
  soft.setAlpha(colors.dark ? 34 : 22);
  return {mixed(colors.green, colors.floor, 0.25), soft};
}

QColor containment_color(const PlanColors& colors, std::uint8_t kind) {
  return static_cast<ContainmentKind>(kind) == ContainmentKind::cold_aisle ? colors.cold_text : colors.hot_text;
}

void paint_zone(const Canvas& c, const Picture& p, const PlanObject& o) {
  const QPolygonF* shape = p.model->points(PlanLayer::zones, o);
  if (!shape) return;
  const Tint tint = zone_tint(c.colors);
  const QPolygonF area = c.polygon(*shape);
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  c.outline(area, c.pen(tint.line, 1.3, Qt::DashLine), tint.fill);
}

void paint_zone_words(const Canvas& c, const Picture& p) {
  const auto& objects = p.model->objects(PlanLayer::zones);
  for (const PlanObject& o : objects) {
    if (!o.box().intersects(p.area) || (p.gone && p.gone->count(o.id))) continue;
    const Zone& z = (*p.model->design().zones)[o.index];
    const QRectF r = c.rect(o.box());
    if (r.width() < 60 * c.unit || r.height() < 26 * c.unit) continue;
    const QColor ink =
        c.colors.dark ? mixed(c.colors.green, QColor(Qt::white), 0.3) : mixed(c.colors.green, QColor(Qt::black), 0.25);
    const QFont bold = c.font(11, true), plain = c.font(10.5);
    const QString ratings = zone_ratings(p.model->design(), z.id);
    const double room = r.width() - 12 * c.unit;
    const QString name = QFontMetricsF(bold).elidedText(QString::fromStdString(z.name), Qt::ElideRight, room);
    const QString second = QFontMetricsF(plain).elidedText(ratings, Qt::ElideRight, room);
    const double h1 = QFontMetricsF(bold).height(), h2 = ratings.isEmpty() ? 0 : QFontMetricsF(plain).height();
    const double w =
        std::max(QFontMetricsF(bold).horizontalAdvance(name), QFontMetricsF(plain).horizontalAdvance(second)) +
        2 * c.unit;
    // In a corner where nothing stands, beginning with the foot, where aisles have no words.
    const QSizeF size(w, h1 + h2);
    const double gap = 6 * c.unit, right = r.right() - gap - w, bottom = r.bottom() - gap / 2 - size.height();
    QPointF at(r.left() + gap, r.top() + gap / 2);
    const QPolygonF* shape = p.model->points(PlanLayer::zones, o);
    for (const QPointF& corner :
         {QPointF(r.left() + gap, bottom), QPointF(right, bottom), at, QPointF(right, at.y())}) {
      const QRectF place(corner, size);
      const QPointF middle((place.center().x() - c.origin.x()) / c.scale,
                           (place.center().y() - c.origin.y()) / c.scale);
      if (!stands_free(c, p, place) || (shape && !shape->containsPoint(middle, Qt::OddEvenFill))) continue;
      at = corner;
      break;
    }
    const QRectF place(at, size);
    if (!stands_free(c, p, place)) {
      if (c.pixels(1000) < 40) continue; // from afar things are more than words
      QColor back = c.colors.floor;
      back.setAlpha(215);
      c.tile(place.adjusted(-3 * c.unit, 0, 3 * c.unit, 0), 3, QPen(Qt::NoPen), back);
    }
    c.text(QRectF(at, QSizeF(w, h1)), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name, bold, ink);
    if (h2 > 0)
      c.text(QRectF(at + QPointF(0, h1), QSizeF(w, h2)), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, second,
             plain, ink);
  }
}

void paint_containment(const Canvas& c, const Picture& p, const PlanObject& o) {
  const auto kind = static_cast<ContainmentKind>(o.word);
  const QColor tint = containment_color(c.colors, o.word);
  const QPolygonF corners = c.polygon(o.corners());
  const QRectF r = c.rect(o.box());
  const double across = std::min(r.width(), r.height()) / c.unit;
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  if (c.painter && across >= 5) {
    // Cold: dots. Hot: oblique lines. Chimney: crossed lines. So that kinds differ without colour.
    c.painter->save();
    QPainterPath inside;
    inside.addPolygon(corners);
    c.painter->setClipPath(inside, Qt::IntersectClip);
    QColor ink = tint;
    ink.setAlpha(kind == ContainmentKind::cold_aisle ? 120 : 80);
    const double step = 12 * c.unit;
    if (kind == ContainmentKind::cold_aisle) {
      c.painter->setPen(Qt::NoPen);
      c.painter->setBrush(ink);
      const double dot = 1.4 * c.unit;
      const double x0 = std::floor((r.left() - c.origin.x()) / step) * step + c.origin.x(),
                   y0 = std::floor((r.top() - c.origin.y()) / step) * step + c.origin.y();
      const QRectF sight = c.rect(p.area).intersected(r);
      for (double y = y0; y < r.bottom(); y += step) {
        if (y < sight.top() - step || y > sight.bottom() + step) continue;
        for (double x = x0; x < r.right(); x += step)
          if (x > sight.left() - step && x < sight.right() + step)
            c.painter->drawRect(QRectF(x + step / 2 - dot / 2, y + step / 2 - dot / 2, dot, dot));
      }
    } else {
      c.painter->setPen(c.pen(ink, 1));
      const QRectF sight = c.rect(p.area).intersected(r);
      for (int pass = 0; pass < (kind == ContainmentKind::chimney ? 2 : 1); ++pass) {
        const double lean = pass == 0 ? -1 : 1;
        const double from = sight.left() - sight.height(), to = sight.right() + sight.height();
        for (double x = std::floor(from / step) * step; x < to; x += step)
          c.painter->drawLine(QPointF(x, pass == 0 ? sight.bottom() : sight.top()),
                              QPointF(x - lean * sight.height(), pass == 0 ? sight.top() : sight.bottom()));
      }
    }
    c.painter->restore();
    c.painter->setRenderHint(QPainter::Antialiasing, true);
  }
  c.outline(corners, c.pen(tint, across >= 5 ? 1.8 : 1.2));
  // Doors at the ends: short bars across.
  if (across >= 9 && kind != ContainmentKind::chimney) {
    const bool along_x = o.width >= o.depth;
    const auto bar = [&](const QPointF& a, const QPointF& b) {
      c.line(c.point(o.from_own(a)), c.point(o.from_own(b)), c.pen(tint, 3.2));
    };
    if (along_x) {
      bar({0, 0.15 * o.depth}, {0, 0.85 * o.depth});
      bar({o.width, 0.15 * o.depth}, {o.width, 0.85 * o.depth});
    } else {
      bar({0.15 * o.width, 0}, {0.85 * o.width, 0});
      bar({0.15 * o.width, o.depth}, {0.85 * o.width, o.depth});
    }
  }
}

} // namespace hallwright::plan
