// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_chart.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"
#include "widgets/wrapped_text.h"

namespace hallwright {

CurveChart::CurveChart(QWidget* parent) : QWidget(parent) { setMouseTracking(true); }

QSize CurveChart::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 9};
}

void CurveChart::setEmptyText(const QString& text) {
  empty_ = text;
  points_.clear();
  setAccessibleDescription(text);
  update();
}

void CurveChart::setCurve(const QString& title, const QString& x_title, const Kind& x_kind, const QString& y_title,
                          const Kind& y_kind, std::vector<Point> points, double mark_x, const QString& mark_name) {
  title_ = title, x_title_ = x_title, y_title_ = y_title, mark_name_ = mark_name;
  x_kind_ = &x_kind, y_kind_ = &y_kind;
  points_ = std::move(points);
  mark_x_ = mark_x;
  QStringList words;
  for (const Point& p : points_)
    words << QStringLiteral("%1: %2").arg(screen_text(p.x, x_kind), screen_text(p.y, y_kind));
  const auto [least, most] =
      std::minmax_element(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  low_ = points_.empty() ? 0.0 : least->y;
  high_ = points_.empty() ? 1.0 : most->y;
  if (high_ - low_ <= std::abs(high_) * 1e-6)
    low_ -= std::abs(high_) * 0.01 + 1e-9, high_ += std::abs(high_) * 0.01 + 1e-9;
  setAccessibleName(title_);
  setAccessibleDescription(QStringLiteral("%1, %2. ").arg(x_title, y_title) + words.join(QStringLiteral("; ")));
  update();
}

/// A long title goes on in a second line.
QStringList CurveChart::title_lines() const {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  return wrapped_text(title_, QFontMetrics(bold), std::max(1, width()), 2);
}

QRectF CurveChart::plot() const {
  const QFontMetrics m = fontMetrics();
  const auto lines = static_cast<int>(std::max<qsizetype>(1, title_lines().size()));
  const int left =
      std::max(m.horizontalAdvance(screen_text(high_, *y_kind_)), m.horizontalAdvance(screen_text(low_, *y_kind_)));
  return QRectF(rect()).adjusted(left + 3 * spacing_unit, (1 + lines) * m.height() + 4 * spacing_unit, -4 * spacing_unit,
                                 -2 * m.height() - 4 * spacing_unit);
}

QPointF CurveChart::at(const Point& p) const {
  const QRectF in = plot();
  const double first = std::log(points_.front().x), last = std::log(points_.back().x);
  const double across = last > first ? (std::log(p.x) - first) / (last - first) : 0.5;
  return {in.left() + across * in.width(), in.bottom() - (p.y - low_) / (high_ - low_) * in.height()};
}

double CurveChart::y_at(double x) const {
  for (std::size_t i = 1; i < points_.size(); ++i)
    if (x <= points_[i].x) {
      const double s =
          (std::log(x) - std::log(points_[i - 1].x)) / (std::log(points_[i].x) - std::log(points_[i - 1].x));
      return points_[i - 1].y + s * (points_[i].y - points_[i - 1].y);
    }
  return points_.back().y;
}

void CurveChart::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (points_.size() < 2) {
    p.setPen(t.secondary_text);
    p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  const QRectF in = plot();
  const QFontMetrics m = fontMetrics();
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  p.setPen(t.text);
  int y = 0;
  for (const QString& line : title_lines()) {
    p.drawText(QRect(0, y, width(), m.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, line);
    y += m.height();
  }
  p.setFont(font());
  p.setPen(t.secondary_text);
  p.drawText(QRect(0, y + spacing_unit, width(), m.height()), Qt::AlignLeft | Qt::AlignVCenter, y_title_);
  p.drawText(QRect(0, height() - m.height(), width(), m.height()), Qt::AlignCenter, x_title_);
  // Four levels with their values, and as many places along the curve as have room.
  constexpr int levels = 4;
  for (int i = 0; i <= levels; ++i) {
    const double value = low_ + (high_ - low_) * i / levels, level = in.bottom() - in.height() * i / levels;
    p.setPen(t.grid_major);
    p.drawLine(QPointF(in.left(), level), QPointF(in.right(), level));
    p.setPen(t.secondary_text);
    p.drawText(QRectF(0, level - m.height() / 2.0, in.left() - 2 * spacing_unit, m.height()),
               Qt::AlignRight | Qt::AlignVCenter, screen_text(value, *y_kind_));
  }
  double free = -1e9;
  for (const Point& point : points_) {
    const QString words = screen_text(point.x, *x_kind_, 2);
    const double half = m.horizontalAdvance(words) / 2.0, x = at(point).x();
    if (x - half < free || x + half > width()) continue;
    p.setPen(t.border);
    p.drawLine(QPointF(x, in.bottom()), QPointF(x, in.bottom() + spacing_unit));
    p.setPen(t.secondary_text);
    p.drawText(QRectF(x - half, in.bottom() + spacing_unit, 2 * half, m.height()), Qt::AlignCenter, words);
    free = x + half + 4 * spacing_unit;
  }
  QPolygonF line;
  for (const Point& point : points_)
    line << at(point);
  p.setPen(QPen(t.accent, 2.0));
  p.drawPolyline(line);
  if (std::isfinite(mark_x_) && mark_x_ >= points_.front().x && mark_x_ <= points_.back().x) {
    const Point there{mark_x_, y_at(mark_x_)};
    const QPointF dot = at(there);
    p.setPen(QPen(t.text, 1.0, Qt::DashLine));
    p.drawLine(QPointF(dot.x(), in.top()), QPointF(dot.x(), in.bottom()));
    p.setPen(Qt::NoPen);
    p.setBrush(t.accent);
    p.drawEllipse(dot, 4.0, 4.0);
    const QString words =
        tr("%1 %2: %3").arg(mark_name_, screen_text(there.x, *x_kind_), screen_text(there.y, *y_kind_));
    const double wide = m.horizontalAdvance(words) + 2 * spacing_unit;
    const double left = std::clamp(dot.x() - wide / 2, in.left(), std::max(in.left(), in.right() - wide));
    const QRectF box(left, in.center().y() - m.height() / 2.0, wide, m.height() + 2);
    p.setBrush(t.panel);
    p.drawRect(box);
    p.setPen(t.text);
    p.drawText(box, Qt::AlignCenter, words);
  }
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
  if (points_.size() < 2) return;
  const QRectF in = plot();
  const double share = std::clamp((event->position().x() - in.left()) / in.width(), 0.0, 1.0);
  const double x = points_.front().x * std::pow(points_.back().x / points_.front().x, share);
  QToolTip::showText(
      event->globalPosition().toPoint(),
      QStringLiteral("%1 %2\n%3 %4").arg(x_title_, screen_text(x, *x_kind_), y_title_, screen_text(y_at(x), *y_kind_)),
      this);
}

void CurveChart::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Save as image\u2026"), this, [this] {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("chart.png"), tr("PNG (*.png)"));
    if (!file.isEmpty()) tell_unwritten(this, write_image(file, grab().toImage()));
  });
  menu.exec(event->globalPos());
}

} // namespace hallwright
