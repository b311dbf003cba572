// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_canvas.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::plan {

QColor mixed(const QColor& a, const QColor& b, double s) {
  const auto mix = [s](int x, int y) { return static_cast<int>(std::lround(x + s * (y - x))); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QColor letters_on(const QColor& fill) {
  const double light = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue();
  return light > 142 ? QColor(0x1c, 0x2b, 0x3c) : QColor(0xff, 0xff, 0xff);
}

PlanColors PlanColors::screen() {
  const Theme& t = theme();
  PlanColors c;
  c.dark = t.dark;
  c.canvas = t.canvas, c.floor = t.hall_floor, c.outline = t.hall_outline, c.grid = t.grid, c.grid_major = t.grid_major;
  c.text = t.text, c.quiet = t.secondary_text, c.accent = t.accent, c.accent_soft = t.accent_soft, c.panel = t.panel;
  c.border = t.border, c.red = t.red, c.red_soft = t.red_soft, c.amber = t.amber, c.green = t.green;
  c.rack = t.rack, c.rack_border = t.rack_border, c.cold = t.cold_aisle, c.hot = t.hot_aisle;
  c.cold_text = mixed(t.accent, t.cold_aisle, 0.25), c.hot_text = mixed(t.amber, t.hot_aisle, 0.3);
  c.liquid = t.liquid, c.power = t.power, c.fabric = t.fabric_kind, c.structure = t.structure;
  c.storage = t.dark ? QColor(0x6f, 0xb6, 0xc4) : QColor(0x3a, 0x87, 0x96);
  c.amount_low = amount_color(0), c.amount_high = amount_color(1);
  return c;
}

PlanColors PlanColors::paper() {
  PlanColors c;
  c.canvas = QColor(0xffffff), c.floor = QColor(0xffffff), c.outline = QColor(0x3a4856);
  c.grid = QColor(0xeef1f5), c.grid_major = QColor(0xdfe5ec), c.text = QColor(0x1f2a37), c.quiet = QColor(0x56626f);
  c.accent = QColor(0x2a6cb5), c.accent_soft = QColor(0xdce9f7), c.panel = QColor(0xffffff), c.border = QColor(0xc5ced8);
  c.red = QColor(0xc0392b), c.red_soft = QColor(0xfbe9e7), c.amber = QColor(0xd9790a), c.green = QColor(0x2f855a);
  c.rack = QColor(0xcfe0f3), c.rack_border = QColor(0x6f92b8), c.cold = QColor(0xe6f0fb), c.hot = QColor(0xfdeee6);
  c.cold_text = QColor(0x5a8cc4), c.hot_text = QColor(0xc2813f), c.liquid = QColor(0x2f9e77), c.power = QColor(0xb9770e);
  c.fabric = QColor(0x8e5aa8), c.structure = QColor(0x8996a3), c.storage = QColor(0x3a8796);
  c.amount_low = QColor(0xdbe8f6), c.amount_high = QColor(0x1f5c9e);
  return c;
}

QColor PlanColors::amount(double share) const {
  // Short of the darkest, so that numbers, fronts and neighbours stay apart.
  return mixed(amount_low, amount_high, 0.84 * std::clamp(share, 0.0, 1.0));
}

QString short_number(double v) {
  const double a = std::abs(v);
  if (a < 0.005) return QStringLiteral("0");
  return QLocale().toString(v, 'f', a >= 9.95 ? 0 : a >= 0.995 ? 1 : 2);
}

QString length_text(double mm, int decimals) { return QLocale().toString(mm / 1000.0, 'f', decimals) + QStringLiteral(" m"); }

// --- canvas ----------------------------------------------------------------------------------------------------------

QRectF Canvas::rect(const QRectF& mm) const {
  QRectF r(QPointF(x(mm.left()), y(mm.top())), QPointF(x(mm.right()), y(mm.bottom())));
  if (paper) return r;
  return {QPointF(std::round(r.left()), std::round(r.top())), QPointF(std::round(r.right()), std::round(r.bottom()))};
}

QPolygonF Canvas::polygon(const QPolygonF& mm) const {
  QPolygonF out;
  out.reserve(mm.size());
  for (const QPointF& p : mm) out << (paper ? point(p) : QPointF(std::round(x(p.x())), std::round(y(p.y()))));
  return out;
}

QFont Canvas::font(double size, bool bold) const {
  QFont f = base_font;
  f.setPixelSize(std::max(1, static_cast<int>(std::lround(size * unit))));
  f.setWeight(bold ? QFont::DemiBold : QFont::Normal);
  return f;
}

QPen Canvas::pen(const QColor& color, double width, Qt::PenStyle style) const {
  QPen p(color, width * unit, style);
  p.setJoinStyle(Qt::MiterJoin);
  p.setCapStyle(Qt::FlatCap);
  return p;
}

void Canvas::text(const QRectF& area, int flags, const QString& words, const QFont& f, const QColor& color) const {
  if (paper) grow(QFontMetricsF(f).boundingRect(area, flags, words));
  if (!painter) return;
  painter->setFont(f);
  painter->setPen(color);
  painter->drawText(area, flags, words);
}

void Canvas::text_at(const QPointF& anchor, int alignment, const QString& words, const QFont& f, const QColor& color) const {
  const QFontMetricsF metrics(f);
  const double w = std::ceil(metrics.horizontalAdvance(words)) + 2 * unit, h = metrics.height();
  QPointF corner = anchor;
  if (alignment & Qt::AlignRight) corner.rx() -= w;
  if (alignment & Qt::AlignHCenter) corner.rx() -= w / 2;
  if (alignment & Qt::AlignBottom) corner.ry() -= h;
  if (alignment & Qt::AlignVCenter) corner.ry() -= h / 2;
  text(QRectF(corner, QSizeF(w, h)), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, words, f, color);
}

void Canvas::fill(const QRectF& r, const QBrush& brush) const {
  if (paper) grow(r);
  if (painter) painter->fillRect(r, brush);
}

void Canvas::line(const QPointF& a, const QPointF& b, const QPen& p) const {
  if (paper) grow(QRectF(a, b).normalized().adjusted(-unit, -unit, unit, unit));
  if (!painter) return;
  painter->setPen(p);
  painter->drawLine(a, b);
}

void Canvas::outline(const QPolygonF& p, const QPen& pen, const QBrush& brush, bool closed) const {
  if (paper) grow(p.boundingRect().adjusted(-pen.widthF(), -pen.widthF(), pen.widthF(), pen.widthF()));
  if (!painter) return;
  painter->setPen(pen);
  painter->setBrush(brush);
  if (closed)
    painter->drawPolygon(p);
  else
    painter->drawPolyline(p);
}

void Canvas::tile(const QRectF& r, double radius, const QPen& pen, const QBrush& brush) const {
  if (paper) grow(r);
  if (!painter) return;
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(pen);
  painter->setBrush(brush);
  const double half = pen.style() == Qt::NoPen ? 0 : 0.5 * unit;
  painter->drawRoundedRect(r.adjusted(half, half, -half, -half), radius * unit, radius * unit);
}

void Canvas::hatch(const QRectF& r, const QColor& color) const {
  if (!painter) return;
  painter->save();
  painter->setClipRect(r, Qt::IntersectClip);
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(pen(color, 1));
  const double step = 5 * unit;
  // Lines stay in step from one thing to the next.
  const double first = std::floor((r.left() - r.height() + r.top()) / step) * step - r.top();
  for (double x = first; x < r.right(); x += step) painter->drawLine(QPointF(x, r.bottom()), QPointF(x + r.height(), r.top()));
  painter->restore();
}

void TileStore::begin(double scale, double device_ratio, bool dark) {
  if (scale == scale_ && device_ratio == ratio_ && dark == dark_ && tiles.size() < 4000) return;
  tiles.clear();
  scale_ = scale, ratio_ = device_ratio, dark_ = dark;
}

} // namespace hallwright::plan
