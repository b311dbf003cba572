// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <QFontMetricsF>
#include <QLineF>
#include <QPainterPath>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_overlay.h"
#include "widgets/plan/plan_painter.h"

/// Runs over the plan: cable trays and pipes, to their width, with their level.

namespace hallwright::plan {
namespace {

struct Stretch {
  QPointF a, b; ///< device
  double length = 0;
};
Stretch longest_in_sight(const Canvas& c, const QPolygonF& path, const QRectF& area) {
  Stretch best;
  for (qsizetype i = 0; i + 1 < path.size(); ++i) {
    QPointF a = path[i], b = path[i + 1];
    // Only what is in sight counts, so that the words stay there when the run leaves the window.
    if (std::abs(a.y() - b.y()) < 1e-6) {
      if (a.y() < area.top() || a.y() > area.bottom()) continue;
      a.setX(std::clamp(a.x(), area.left(), area.right()));
      b.setX(std::clamp(b.x(), area.left(), area.right()));
    } else if (std::abs(a.x() - b.x()) < 1e-6) {
      if (a.x() < area.left() || a.x() > area.right()) continue;
      a.setY(std::clamp(a.y(), area.top(), area.bottom()));
      b.setY(std::clamp(b.y(), area.top(), area.bottom()));
    }
    const Stretch s{c.point(a), c.point(b), std::hypot((b - a).x(), (b - a).y()) * c.scale};
    if (s.length > best.length) best = s;
  }
  return best;
}

/// Whether a line touches a rectangle.
bool touches(const QLineF& line, const QRectF& r) {
  if (r.contains(line.p1()) || r.contains(line.p2())) return true;
  const std::array sides{QLineF(r.topLeft(), r.topRight()), QLineF(r.topRight(), r.bottomRight()),
                         QLineF(r.bottomRight(), r.bottomLeft()), QLineF(r.bottomLeft(), r.topLeft())};
  return std::any_of(sides.begin(), sides.end(), [&](const QLineF& side) {
    return line.intersects(side, nullptr) == QLineF::BoundedIntersection;
  });
}

/// Whether another run lies under a rectangle (device): words there would hide it, or be taken for its own.
bool other_run_in(const Canvas& c, const Picture& p, PlanLayer own, std::size_t index, const QRectF& r) {
  const QRectF area((r.left() - c.origin.x()) / c.scale, (r.top() - c.origin.y()) / c.scale, r.width() / c.scale,
                    r.height() / c.scale);
  bool found = false;
  for (PlanLayer layer : {PlanLayer::trays, PlanLayer::pipes}) {
    if (found || (p.hidden && (*p.hidden)[static_cast<std::size_t>(layer)])) continue;
    const std::vector<PlanObject>& objects = p.model->objects(layer);
    p.model->index(layer).visit(area, [&](std::uint32_t i) {
      if (found || (layer == own && objects[i].index == index)) return;
      const QPolygonF* path = p.model->points(layer, objects[i]);
      const double half = objects[i].width / 2;
      for (qsizetype k = 0; path && !found && k + 1 < path->size(); ++k)
        found = touches(QLineF((*path)[k], (*path)[k + 1]), area.adjusted(-half, -half, half, half));
    });
  }
  return found;
}

/// Words on a run, where nothing stands under them. `first`: which place is tried first, so that runs beside each other
/// do not speak at once.
void words_along(const Canvas& c, const Picture& p, const Stretch& s, PlanLayer own, std::size_t first,
                 QStringList words, const QColor& ink) {
  const QFont f = c.font(10);
  const double room = s.length - 24 * c.unit;
  while (!words.isEmpty() && c.size_of(words.join(QStringLiteral("  ")), f).width > room)
    words.removeFirst();
  if (words.isEmpty()) return;
  const QString line = words.join(QStringLiteral("  "));
  const WordSize size = c.size_of(line, f);
  const double w = size.width + 6 * c.unit, h = size.height;
  double angle = std::atan2(s.b.y() - s.a.y(), s.b.x() - s.a.x()) * 57.29577951308232;
  if (angle > 90.01) angle -= 180;
  if (angle <= -90.01 + 0.02) angle += 180;
  if (std::abs(std::abs(angle) - 90) < 0.02) angle = -90; // read from the right
  constexpr std::array places{0.5, 0.3, 0.7, 0.15, 0.85};
  std::optional<QPointF> middle;
  const double radians = angle / 57.29577951308232;
  const double half_x = (w * std::abs(std::cos(radians)) + h * std::abs(std::sin(radians))) / 2;
  const double half_y = (w * std::abs(std::sin(radians)) + h * std::abs(std::cos(radians))) / 2;
  for (std::size_t i = 0; i < places.size() && !middle; ++i) {
    const double share = places[(first + i) % places.size()];
    const double end = std::min(share, 1 - share) * s.length;
    if (end < w / 2) continue;
    const QPointF at = s.a + (s.b - s.a) * share;
    const QRectF box(at - QPointF(half_x, half_y), QSizeF(2 * half_x, 2 * half_y));
    if (!other_run_in(c, p, own, first, box) && !standing_in(c, p, box)) middle = at;
  }
  // From afar things are more than words; nearby there is room for both.
  if (!middle && c.pixels(1000) < 160) return;
  if (!middle) {
    middle = (s.a + s.b) / 2;
    if (other_run_in(c, p, own, first, QRectF(*middle - QPointF(half_x, half_y), QSizeF(2 * half_x, 2 * half_y)))) return;
  }
  if (c.paper) c.grow(QRectF(*middle - QPointF(half_x, half_y), QSizeF(2 * half_x, 2 * half_y)));
  if (!c.painter) return;
  c.painter->save();
  c.painter->translate(*middle);
  c.painter->rotate(angle);
  const QRectF place(-w / 2, -h / 2, w, h);
  QColor back = c.colors.floor;
  back.setAlpha(215);
  c.painter->setPen(Qt::NoPen);
  c.painter->setBrush(back);
  c.painter->setRenderHint(QPainter::Antialiasing, true);
  c.painter->drawRoundedRect(place.adjusted(0, 1 * c.unit, 0, -1 * c.unit), 2 * c.unit, 2 * c.unit);
  c.painter->setFont(f);
  c.painter->setPen(ink);
  c.painter->drawText(place, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, line);
  c.painter->restore();
}

QPainterPath band_of(const QPolygonF& path, double width) {
  QPainterPath line;
  line.addPolygon(path);
  QPainterPathStroker stroker;
  stroker.setWidth(width);
  stroker.setCapStyle(Qt::FlatCap);
  stroker.setJoinStyle(Qt::MiterJoin);
  return stroker.createStroke(line).simplified();
}

void fill_band(const Canvas& c, const QPolygonF& line, double wide, const QPen& pen, const QBrush& brush) {
  if (c.paper) c.grow(line.boundingRect().adjusted(-wide / 2, -wide / 2, wide / 2, wide / 2));
  if (!c.painter) return;
  c.painter->setPen(pen);
  c.painter->setBrush(brush);
  c.painter->drawPath(band_of(line, wide));
}

/// Arrowheads along a pipe: supply runs as drawn, return against it.
void flow_arrows(const Canvas& c, const QPolygonF& line, bool forward, const QColor& ink) {
  if (!c.painter) return;
  c.painter->setPen(Qt::NoPen);
  c.painter->setBrush(ink);
  const double every = 160 * c.unit, size = 4 * c.unit;
  for (qsizetype i = 0; i + 1 < line.size(); ++i) {
    const QPointF d = line[i + 1] - line[i];
    const double length = std::hypot(d.x(), d.y());
    if (length < 50 * c.unit) continue;
    const QPointF u = d / length * (forward ? 1 : -1), n(-u.y(), u.x());
    const int count = std::clamp(static_cast<int>(length / every), 1, 200);
    for (int k = 0; k < count; ++k) {
      // Off the middle, where the words stand.
      const QPointF at = line[i] + d * ((k + 0.25) / count);
      c.painter->drawPolygon(QPolygonF{at + u * size, at - u * size + n * size, at - u * size - n * size});
    }
  }
}

} // namespace

QColor tray_color(const PlanColors& colors, std::uint8_t kind) {
  switch (static_cast<TrayKind>(kind)) {
  case TrayKind::fibre:
    return colors.fabric;
  case TrayKind::copper:
    return colors.storage;
  case TrayKind::power:
    return colors.power;
  }
  return colors.fabric;
}

QColor pipe_color(const PlanColors& colors, std::uint8_t side) {
  switch (static_cast<PipeSide>(side)) {
  case PipeSide::supply:
    return colors.accent;
  case PipeSide::return_:
    return colors.hot_text;
  case PipeSide::drain:
    return colors.quiet;
  }
  return colors.accent;
}

void paint_tray(const Canvas& c, const Picture& p, const PlanObject& o) {
  const QPolygonF* path = p.model->points(PlanLayer::trays, o);
  if (!path) return;
  const Tray& t = (*p.model->design().trays)[o.index];
  const QColor tint = tray_color(c.colors, o.word);
  const bool under = t.elevation < Length{};
  const QPolygonF line = c.polygon(*path);
  const double wide = o.width * c.scale;
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  if (wide < 3 * c.unit) {
    c.outline(
        line,
        c.pen(mixed(tint, c.colors.floor, 0.15), std::max(1.2, wide / c.unit), under ? Qt::DashLine : Qt::SolidLine),
        Qt::NoBrush, false);
  } else {
    QColor soft = tint;
    soft.setAlpha(c.colors.dark ? 46 : 34);
    fill_band(c, line, wide, c.pen(mixed(tint, c.colors.floor, 0.15), 1.1, under ? Qt::DashLine : Qt::SolidLine), soft);
    if (c.painter && wide >= 9 * c.unit && !under) {
      // Rungs, as a ladder is drawn.
      QColor rung = tint;
      rung.setAlpha(70);
      c.painter->setPen(c.pen(rung, 1));
      const double step = std::max(500 * c.scale, 14 * c.unit);
      for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const QPointF d = line[i + 1] - line[i];
        const double length = std::hypot(d.x(), d.y());
        if (length < step || length / step > 4000) continue;
        const QPointF u = d / length, n = QPointF(-u.y(), u.x()) * (wide / 2);
        for (double at = step / 2; at < length; at += step)
          c.painter->drawLine(line[i] + u * at - n, line[i] + u * at + n);
      }
    }
  }
  paint_run_words(c, p, PlanLayer::trays, o);
}

void paint_pipe(const Canvas& c, const Picture& p, const PlanObject& o) {
  const QPolygonF* path = p.model->points(PlanLayer::pipes, o);
  if (!path) return;
  const Pipe& t = (*p.model->design().pipes)[o.index];
  const auto side = static_cast<PipeSide>(o.word);
  QColor tint = pipe_color(c.colors, o.word);
  bool warm = false; // coloured by the temperature of what flows in it
  if (p.overlay)
    if (const auto it = p.overlay->pipe_warmth.find(o.id); it != p.overlay->pipe_warmth.end())
      tint = warmth_color(c.colors, it->second), warm = true;
  const bool under = t.elevation < Length{};
  const QPolygonF line = c.polygon(*path);
  const double wide = o.width * c.scale;
  const Qt::PenStyle style = side == PipeSide::drain ? Qt::DotLine : under ? Qt::DashLine : Qt::SolidLine;
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  if (wide < 4 * c.unit) {
    c.outline(line, c.pen(tint, std::clamp(wide / c.unit, 1.6, 4.0), style), Qt::NoBrush, false);
  } else {
    QColor soft = tint;
    soft.setAlpha(warm ? 170 : c.colors.dark ? 70 : 50);
    fill_band(c, line, wide, c.pen(tint, 1.2, style), soft);
    c.outline(line, c.pen(mixed(tint, c.colors.floor, 0.3), 1, Qt::DashDotLine), Qt::NoBrush, false);
  }
  if (c.pixels(1000) >= 9 && side != PipeSide::drain) flow_arrows(c, line, side == PipeSide::supply, tint);
  paint_run_words(c, p, PlanLayer::pipes, o);
}

void paint_run_words(const Canvas& c, const Picture& p, PlanLayer layer, const PlanObject& o) {
  const QPolygonF* path = p.model->points(layer, o);
  if (!path || c.pixels(1000) < 14) return;
  const Design& d = p.model->design();
  const Tray* tray = layer == PlanLayer::trays ? &(*d.trays)[o.index] : nullptr;
  const Pipe* pipe = layer == PlanLayer::pipes ? &(*d.pipes)[o.index] : nullptr;
  if (!tray && !pipe) return;
  const QColor tint = tray ? tray_color(c.colors, o.word) : pipe_color(c.colors, o.word);
  const QColor ink = c.colors.dark ? mixed(tint, QColor(Qt::white), 0.35) : mixed(tint, QColor(Qt::black), 0.3);
  const QString size = tray ? size_text(o.width)
                            : PlanView::tr("\u00f8 %1", "diameter of a pipe").arg(size_text(o.width));
  words_along(c, p, longest_in_sight(c, *path, p.area), layer, o.index,
              {QString::fromStdString(tray ? tray->name : pipe->name), size,
               level_text(in_millimeters(tray ? tray->elevation : pipe->elevation))},
              ink);
}

} // namespace hallwright::plan
