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
  return screen_number(v, 'f', a >= 9.95 ? 0 : a >= 0.995 ? 1 : 2);
}

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

namespace {

QFont sized_font(const QFont& base, int pixels, bool bold) {
  QFont f = base;
  f.setPixelSize(pixels);
  f.setWeight(bold ? QFont::DemiBold : QFont::Normal);
  return f;
}

WordSize measured(const QString& words, const QFont& font) {
  const QFontMetricsF m(font);
  return {m.horizontalAdvance(words), m.height(), m.ascent()};
}

} // namespace

QFont Canvas::font(double size, bool bold) const {
  const int pixels = std::max(1, static_cast<int>(std::lround(size * unit)));
  return words ? words->font(pixels, bold) : sized_font(base_font, pixels, bold);
}

WordSize Canvas::size_of(const QString& w, const QFont& f) const { return words ? words->size(w, f) : measured(w, f); }

QPen Canvas::pen(const QColor& color, double width, Qt::PenStyle style) const {
  QPen p(color, width * unit, style);
  p.setJoinStyle(Qt::MiterJoin);
  p.setCapStyle(Qt::FlatCap);
  return p;
}

void Canvas::text(const QRectF& area, int flags, const QString& w, const QFont& f, const QColor& color) const {
  if (paper) grow(QFontMetricsF(f).boundingRect(area, flags, w));
  if (!painter) return;
  painter->setFont(f);
  painter->setPen(color);
  const bool one_line = !(flags & (Qt::TextWordWrap | Qt::TextExpandTabs)) && !w.contains(QLatin1Char('\n'));
  if (words && one_line && painter->worldTransform().type() <= QTransform::TxTranslate) {
    const WordSize s = words->size(w, f);
    if (flags & Qt::TextDontClip || (s.width <= area.width() && s.height <= area.height())) {
      QPointF at = area.topLeft();
      if (flags & Qt::AlignHCenter) at.rx() += (area.width() - s.width) / 2;
      if (flags & Qt::AlignRight) at.rx() += area.width() - s.width;
      if (flags & Qt::AlignVCenter) at.ry() += (area.height() - s.height) / 2;
      if (flags & Qt::AlignBottom) at.ry() += area.height() - s.height;
      painter->drawStaticText(at, words->text(w, f, false));
      return;
    }
  }
  painter->drawText(area, flags, w);
}

void Canvas::text_turned(const QRectF& area, Qt::AlignmentFlag alignment, const QString& w, const QFont& f, const QColor& color) const {
  if (!painter) return;
  painter->save();
  painter->translate(area.left(), area.bottom());
  painter->rotate(-90);
  painter->setFont(f);
  painter->setPen(color);
  if (words) {
    const WordSize s = words->size(w, f);
    const double along = alignment == Qt::AlignHCenter ? (area.height() - s.width) / 2 : alignment == Qt::AlignRight ? area.height() - s.width : 0;
    painter->drawStaticText(QPointF(along, (area.width() - s.height) / 2), words->text(w, f, true));
  } else {
    painter->drawText(QRectF(0, 0, area.height(), area.width()), static_cast<int>(alignment) | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, w);
  }
  painter->restore();
}

void Canvas::text_at(const QPointF& anchor, int alignment, const QString& w, const QFont& f, const QColor& color) const {
  const WordSize s = size_of(w, f);
  const double width = std::ceil(s.width) + 2 * unit, height = s.height;
  QPointF corner = anchor;
  if (alignment & Qt::AlignRight) corner.rx() -= width;
  if (alignment & Qt::AlignHCenter) corner.rx() -= width / 2;
  if (alignment & Qt::AlignBottom) corner.ry() -= height;
  if (alignment & Qt::AlignVCenter) corner.ry() -= height / 2;
  text(QRectF(corner, QSizeF(width, height)), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, w, f, color);
}

void Canvas::fill(const QRectF& r, const QBrush& brush) const {
  if (paper) grow(r);
  if (painter) painter->fillRect(r, brush);
}

void Canvas::hairline(const QPointF& a, const QPointF& b, const QColor& color) const {
  if (paper) {
    line(a, b, pen(color));
    return;
  }
  if (!painter) return;
  const QRectF r = QRectF(a, b).normalized();
  painter->fillRect(QRectF(std::round(r.left()), std::round(r.top()), std::max(1.0, std::round(r.width())), std::max(1.0, std::round(r.height()))), color);
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
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(pen(color, 1));
  const double step = 5 * unit;
  // Lines stay in step from one thing to the next.
  const double first = std::floor((r.left() - r.height() + r.top()) / step) * step - r.top();
  // Cut by hand: an SVG has no clip.
  for (double x = first; x < r.right(); x += step) {
    const double from = std::max(x, r.left()), to = std::min(x + r.height(), r.right());
    if (from < to) painter->drawLine(QPointF(from, r.bottom() - (from - x)), QPointF(to, r.bottom() - (to - x)));
  }
  painter->restore();
}

// --- stores ----------------------------------------------------------------------------------------------------------

void WordStore::begin(const QFont& base, double ratio) {
  constexpr qsizetype most = 20'000;
  if (base == base_ && ratio == ratio_ && entries_.size() < most) return;
  entries_.clear();
  fonts_.clear();
  base_ = base, ratio_ = ratio;
}

const QFont& WordStore::font(int pixels, bool bold) {
  QFont& f = fonts_[static_cast<quint32>(pixels) << 1 | static_cast<quint32>(bold)];
  if (f.pixelSize() != pixels) f = sized_font(base_, pixels, bold);
  return f;
}

WordStore::Entry& WordStore::entry(const QString& words, const QFont& font) {
  return entries_[{words, static_cast<quint32>(font.pixelSize()) << 1 | static_cast<quint32>(font.weight() >= QFont::DemiBold)}];
}

WordSize WordStore::size(const QString& words, const QFont& font) {
  Entry& e = entry(words, font);
  if (!e.measured) e.size = measured(words, font), e.measured = true;
  return e.size;
}

const QStaticText& WordStore::text(const QString& words, const QFont& font, bool turned) {
  Entry& e = entry(words, font);
  QStaticText& t = turned ? e.turned : e.level;
  bool& known = turned ? e.turned_known : e.level_known;
  if (!known) {
    t.setTextFormat(Qt::PlainText);
    t.setText(words);
    known = true;
  }
  return t;
}

void TileStore::begin(double scale, double device_ratio, bool dark) {
  constexpr qint64 most_pixels = 16'000'000; // 64 MB
  if (scale == scale_ && device_ratio == ratio_ && dark == dark_ && pixels_ < most_pixels && tiles_.size() < 20'000) return;
  tiles_.clear();
  pixels_ = 0;
  scale_ = scale, ratio_ = device_ratio, dark_ = dark;
}

QPixmap TileStore::empty_tile(const QSizeF& size) {
  QPixmap out(std::max(1, static_cast<int>(std::ceil((size.width() + 2) * ratio_))), std::max(1, static_cast<int>(std::ceil((size.height() + 2) * ratio_))));
  out.setDevicePixelRatio(ratio_);
  out.fill(Qt::transparent);
  pixels_ += static_cast<qint64>(out.width()) * out.height();
  return out;
}

} // namespace hallwright::plan
