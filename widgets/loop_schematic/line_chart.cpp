// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loop_schematic/line_chart.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::loops {

std::optional<double> line_at(const ChartLine& line, double x) {
  const auto& p = line.points;
  if (p.empty() || x < p.front().x() || x > p.back().x()) return {};
  const auto it = std::lower_bound(p.begin(), p.end(), x, [](const QPointF& a, double v) { return a.x() < v; });
  if (it == p.begin()) return p.front().y();
  const QPointF a = *(it - 1), b = *it;
  const double t = b.x() > a.x() ? (x - a.x()) / (b.x() - a.x()) : 1.0;
  return a.y() + t * (b.y() - a.y());
}

LineChart::LineChart(QWidget* parent) : PaintedChart(parent) {}

void LineChart::setAxes(const QString& x_title, const QString& y_title) {
  x_title_ = x_title;
  y_title_ = y_title;
  update();
}

void LineChart::setLines(std::vector<ChartLine> lines, std::vector<ChartLevel> levels, std::vector<ChartPoint> points) {
  lines_ = std::move(lines);
  levels_ = std::move(levels);
  points_ = std::move(points);
  find_ranges();
  QStringList said;
  for (const ChartPoint& p : points_)
    said << p.words;
  for (const ChartLevel& l : levels_)
    said << l.name;
  setAccessibleDescription(said.join(QStringLiteral("; ")));
  update();
}

void LineChart::setRange(std::optional<double> x_end) {
  x_end_ = x_end;
  find_ranges();
  update();
}

void LineChart::setCursorAt(double x) {
  cursor_ = x;
  update();
}

void LineChart::clear() {
  lines_.clear();
  levels_.clear();
  points_.clear();
  cursor_ = std::numeric_limits<double>::quiet_NaN();
  update();
}

void LineChart::find_ranges() {
  x0_ = 0, x1_ = 0, y0_ = 0, y1_ = 0;
  for (const ChartLine& l : lines_)
    for (const QPointF& p : l.points) {
      if (x_end_ && p.x() > *x_end_ * (1 + 1e-9)) continue;
      x1_ = std::max(x1_, p.x());
      y0_ = std::min(y0_, p.y());
      y1_ = std::max(y1_, p.y());
    }
  for (const ChartPoint& p : points_)
    x1_ = std::max(x1_, p.at.x()), y1_ = std::max(y1_, p.at.y());
  for (const ChartLevel& l : levels_)
    y1_ = std::max(y1_, l.y);
  if (x_end_) x1_ = *x_end_;
  if (!(x1_ > x0_)) x1_ = x0_ + 1;
  y1_ = y1_ > y0_ ? y1_ + 0.08 * (y1_ - y0_) : y0_ + 1;
}

double LineChart::legend_height() const {
  if (lines_.size() < 2) return 0;
  std::vector<LegendEntry> entries;
  for (const ChartLine& l : lines_)
    entries.push_back({l.name, l.color, l.dashed});
  return legend(nullptr, QRectF(0, 0, width() - 12.0, 1000), small_font(), entries);
}

QRectF LineChart::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.horizontalAdvance(QStringLiteral("0000")) + 2.2 * m.height(),
               top = legend_height() + 0.5 * m.height();
  return {left, top, std::max(10.0, width() - left - 14), std::max(10.0, height() - top - 2.6 * m.height())};
}

QPointF LineChart::place(const QPointF& v) const {
  const QRectF p = plot();
  return {p.left() + p.width() * (v.x() - x0_) / (x1_ - x0_), p.bottom() - p.height() * (v.y() - y0_) / (y1_ - y0_)};
}

QString LineChart::textAt(const QPointF& at) const {
  const QRectF p = plot();
  if (!p.contains(at)) return {};
  const double x = x0_ + (at.x() - p.left()) / p.width() * (x1_ - x0_);
  QStringList out{QStringLiteral("%1: %2").arg(x_title_, screen_number(x, 'g', 3))};
  for (const ChartLine& l : lines_)
    if (const auto y = line_at(l, x)) out << QStringLiteral("%1: %2").arg(l.name, screen_number(*y, 'g', 3));
  return out.join(QLatin1Char('\n'));
}

void LineChart::paint(QPainter& painter) {
  const Theme& t = theme();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  painter.setFont(small);
  const double line = m.height();
  if (lines_.size() > 1) {
    std::vector<LegendEntry> entries;
    for (const ChartLine& l : lines_)
      entries.push_back({l.name, l.color, l.dashed});
    legend(&painter, QRectF(6, 0, width() - 12.0, 1000), small, entries);
    painter.setFont(small);
  }
  const QRectF p = plot();
  const auto ys = axis_marks(y0_, y1_, std::max(2, static_cast<int>(p.height() / (2.6 * line))));
  painter.setPen(t.secondary_text);
  for (const double v : ys) {
    const double y = place({x0_, v}).y();
    painter.fillRect(QRectF(p.left(), std::round(y), p.width(), 1), v == 0 ? t.structure : t.grid_major);
    painter.drawText(QRectF(0, y - line / 2, p.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter, mark_text(v, ys));
  }
  const auto xs = axis_marks(x0_, x1_, std::max(2, static_cast<int>(p.width() / (6.5 * m.averageCharWidth() + 24))));
  for (const double v : xs) {
    const double x = place({v, y0_}).x();
    painter.fillRect(QRectF(std::round(x), p.bottom(), 1, 4), t.structure);
    painter.drawText(QRectF(x - 40, p.bottom() + 4, 80, line), Qt::AlignHCenter | Qt::AlignTop, mark_text(v, xs));
  }
  painter.drawText(QRectF(p.left(), p.bottom() + 4 + line, p.width(), line), Qt::AlignHCenter | Qt::AlignTop,
                   m.elidedText(x_title_, Qt::ElideRight, p.width()));
  painter.save();
  painter.translate(2, p.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-p.height() / 2 - 0.5 * line, 0, p.height() + line, line), Qt::AlignCenter,
                   m.elidedText(y_title_, Qt::ElideRight, p.height() + line));
  painter.restore();
  painter.save();
  painter.setClipRect(p.adjusted(0, -2, 0, 2));
  for (const ChartLine& l : lines_) {
    QPainterPath path;
    for (std::size_t i = 0; i < l.points.size(); ++i) {
      const QPointF at = place(l.points[i]);
      i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    painter.setPen(QPen(l.color, 2, l.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
  }
  if (std::isfinite(cursor_)) {
    const double x = place({std::min(cursor_, x1_), 0}).x();
    painter.fillRect(QRectF(x - 0.75, p.top(), 1.5, p.height()), t.text);
  }
  painter.restore();
  // Limits with their names at the side on which no curve runs below them.
  std::vector<QRectF> taken;
  for (const ChartLevel& l : levels_) {
    const double y = place({x0_, l.y}).y();
    painter.setPen(QPen(l.color, 1.3, Qt::DashLine));
    painter.drawLine(QPointF(p.left(), y), QPointF(p.right(), y));
    const double wide = m.horizontalAdvance(l.name) + 8;
    QRectF tag(p.right() - wide, y - line - 1, wide, line);
    if (!lines_.empty())
      if (const auto end = line_at(lines_.front(), x1_);
          end && std::abs(place({x1_, *end}).y() - tag.center().y()) < 1.2 * line)
        tag.moveLeft(p.left() + 2);
    QColor ground = t.panel;
    ground.setAlpha(215);
    painter.fillRect(tag, ground);
    painter.setPen(t.text);
    painter.drawText(tag, Qt::AlignCenter, l.name);
    taken.push_back(tag);
  }
  for (const ChartPoint& point : points_) {
    const QPointF at = place(point.at);
    painter.setPen(QPen(t.panel, 2));
    painter.setBrush(t.text);
    painter.drawEllipse(at, 5, 5);
    const double wide = m.horizontalAdvance(point.words) + 8;
    QRectF tag(at.x() + 8, at.y() - line - 5, wide, line);
    if (tag.right() > p.right()) tag.moveRight(at.x() - 8);
    if (tag.left() < p.left()) tag.moveLeft(p.left());
    if (tag.top() < p.top()) tag.moveTop(at.y() + 8);
    QColor ground = t.panel;
    ground.setAlpha(215);
    painter.fillRect(tag, ground);
    painter.setPen(t.text);
    painter.drawText(tag, Qt::AlignCenter, point.words);
  }
}

} // namespace hallwright::loops
