// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loop_schematic/year_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>
#include <QPainterPath>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::loops {

YearChart::YearChart(QWidget* parent) : PaintedChart(parent) {}

void YearChart::setYear(std::vector<YearLayer> layers, std::vector<YearColumn> columns) {
  layers_ = std::move(layers);
  columns_ = std::move(columns);
  most_ = 0.0;
  pue_low_ = 1.0, pue_high_ = 1.0;
  if (!columns_.empty()) first_ = columns_.front().dry_c, last_ = columns_.back().dry_c;
  for (const YearColumn& c : columns_) {
    most_ = std::max(most_, std::accumulate(c.hours.begin(), c.hours.end(), 0.0));
    if (std::isfinite(c.pue)) pue_high_ = std::max(pue_high_, c.pue);
  }
  most_ = most_ > 0.0 ? most_ * 1.08 : 1.0;
  if (pue_high_ > pue_low_) pue_high_ += 0.1 * (pue_high_ - pue_low_);
  QStringList said;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    double hours = 0.0;
    for (const YearColumn& c : columns_) hours += c.hours[i];
    said << tr("%1: %2 hours").arg(layers_[i].name, screen_number(std::round(hours), 'f', 0));
  }
  setAccessibleDescription(said.join(QStringLiteral("; ")));
  update();
}

std::vector<LegendEntry> YearChart::legend_entries() const {
  std::vector<LegendEntry> out;
  for (const YearLayer& l : layers_) out.push_back({l.name, l.color, false});
  if (has_pue()) out.push_back({tr("PUE, right axis"), theme().text, true});
  return out;
}

QRectF YearChart::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.horizontalAdvance(QStringLiteral("0000")) + 2.2 * m.height(),
               right = has_pue() ? m.horizontalAdvance(QStringLiteral("0.000")) + 2.2 * m.height() : 14.0,
               top = legend(nullptr, QRectF(0, 0, width() - 12.0, 1000), small_font(), legend_entries()) + 0.5 * m.height();
  return {left, top, std::max(10.0, width() - left - right), std::max(10.0, height() - top - 2.6 * m.height())};
}

QPointF YearChart::place(int dry_c, double hours) const {
  const QRectF p = plot();
  return {p.left() + p.width() * (dry_c - first_ + 0.5) / (last_ - first_ + 1), p.bottom() - p.height() * hours / most_};
}

double YearChart::pue_y(double pue) const {
  const QRectF p = plot();
  return p.bottom() - p.height() * (pue - pue_low_) / (pue_high_ - pue_low_);
}

QString YearChart::textAt(const QPointF& at) const {
  const QRectF p = plot();
  if (columns_.empty() || !p.contains(at)) return {};
  const int dry = first_ + static_cast<int>(std::floor((at.x() - p.left()) / p.width() * (last_ - first_ + 1)));
  const auto c = std::find_if(columns_.begin(), columns_.end(), [&](const YearColumn& column) { return column.dry_c == dry; });
  if (c == columns_.end()) return {};
  QStringList out{tr("%1 \u00b0C outside").arg(screen_number(dry))};
  for (std::size_t i = 0; i < layers_.size(); ++i)
    if (c->hours[i] > 0.0) out << tr("%1: %2 h").arg(layers_[i].name, screen_number(c->hours[i], 'g', 3));
  if (std::isfinite(c->pue)) out << tr("PUE %1").arg(screen_number(c->pue, 'f', 3));
  return out.join(QLatin1Char('\n'));
}

void YearChart::paint(QPainter& painter) {
  const Theme& t = theme();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  const double line = m.height();
  legend(&painter, QRectF(6, 0, width() - 12.0, 1000), small, legend_entries());
  painter.setFont(small);
  const QRectF p = plot();
  const int marks = std::max(2, static_cast<int>(p.height() / (2.6 * line)));
  painter.setPen(t.secondary_text);
  const auto ys = axis_marks(0.0, most_, marks);
  for (const double v : ys) {
    const double y = place(first_, v).y();
    painter.fillRect(QRectF(p.left(), std::round(y), p.width(), 1), v == 0 ? t.structure : t.grid_major);
    painter.drawText(QRectF(0, y - line / 2, p.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter, mark_text(v, ys));
  }
  const auto xs = axis_marks(first_, last_, std::max(2, static_cast<int>(p.width() / (6.5 * m.averageCharWidth() + 24))));
  for (const double v : xs) {
    if (v != std::round(v)) continue;
    const double x = place(static_cast<int>(v), 0).x();
    painter.fillRect(QRectF(std::round(x), p.bottom(), 1, 4), t.structure);
    painter.drawText(QRectF(x - 40, p.bottom() + 4, 80, line), Qt::AlignHCenter | Qt::AlignTop, mark_text(v, xs));
  }
  painter.drawText(QRectF(p.left(), p.bottom() + 4 + line, p.width(), line), Qt::AlignHCenter | Qt::AlignTop,
                   m.elidedText(tr("Outdoor dry bulb, \u00b0C"), Qt::ElideRight, p.width()));
  const auto upright = [&](double x, const QString& words, bool down) {
    painter.save();
    painter.translate(x, p.center().y());
    painter.rotate(down ? 90 : -90);
    painter.drawText(QRectF(-p.height() / 2 - 0.5 * line, down ? -line : 0.0, p.height() + line, line), Qt::AlignCenter,
                     m.elidedText(words, Qt::ElideRight, p.height() + line));
    painter.restore();
  };
  upright(2, tr("Hours a year"), false);
  // A hair between columns, where they are wide enough for it.
  const double step = p.width() / (last_ - first_ + 1), gap = step > 6 ? 1.0 : 0.0;
  for (const YearColumn& c : columns_) {
    double below = 0.0;
    const double left = place(c.dry_c, 0).x() - 0.5 * step;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (c.hours[i] <= 0.0) continue;
      const double y0 = place(c.dry_c, below).y(), y1 = place(c.dry_c, below + c.hours[i]).y();
      painter.fillRect(QRectF(left, y1, step - gap, y0 - y1), layers_[i].color);
      below += c.hours[i];
    }
  }
  if (!has_pue()) return;
  painter.setPen(t.secondary_text);
  const auto pues = axis_marks(pue_low_, pue_high_, marks);
  for (const double v : pues) {
    const double y = pue_y(v);
    painter.fillRect(QRectF(p.right(), std::round(y), 4, 1), t.structure);
    painter.drawText(QRectF(p.right() + 7, y - line / 2, width() - p.right() - 7, line), Qt::AlignLeft | Qt::AlignVCenter, mark_text(v, pues));
  }
  upright(width() - 2.0, tr("PUE"), true);
  QPainterPath path;
  bool on = false;
  for (const YearColumn& c : columns_) {
    if (!std::isfinite(c.pue)) {
      on = false;
      continue;
    }
    const QPointF at(place(c.dry_c, 0).x(), pue_y(c.pue));
    on ? path.lineTo(at) : path.moveTo(at);
    on = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ground = t.panel;
  ground.setAlpha(200);
  painter.setPen(QPen(ground, 4.5)); // the line is read before any colour
  painter.drawPath(path);
  painter.setPen(QPen(t.text, 2, Qt::DashLine));
  painter.drawPath(path);
}

} // namespace hallwright::loops
