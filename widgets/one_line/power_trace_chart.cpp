// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/one_line/power_trace_chart.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "quantity/text.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

PowerTraceChart::PowerTraceChart(QWidget* parent) : PaintedChart(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PowerTraceChart::setTrace(const QString& title, const QString& x_title, const Kind& x_kind,
                               std::vector<Point> points, std::vector<Level> levels) {
  title_ = title, x_title_ = x_title, x_kind_ = &x_kind;
  points_ = std::move(points), levels_ = std::move(levels);
  from_ = points_.empty() ? 0.0 : points_.front().x;
  to_ = points_.empty() ? 1.0 : points_.back().x;
  if (!(to_ > from_)) to_ = from_ + 1.0;
  top_ = 0.0;
  for (const Point& p : points_)
    top_ = std::max(top_, p.watts);
  const double largest = top_;
  for (const Level& l : levels_)
    if (l.watts < 1.6 * largest) top_ = std::max(top_, l.watts);
  top_ = top_ > 0.0 ? top_ * 1.08 : 1.0;
  setAccessibleName(title_);
  QStringList words;
  for (const Level& l : levels_)
    words << tr("%1: %2").arg(l.name, screen_text(l.watts, kind::power));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

void PowerTraceChart::clear() {
  points_.clear();
  levels_.clear();
  update();
}

QSize PowerTraceChart::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 44, fontMetrics().height() * 11};
}

QRectF PowerTraceChart::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.horizontalAdvance(QStringLiteral("000.0")) + 3 * spacing_unit;
  return {left, fontMetrics().height() * 2.2, std::max(20.0, width() - left - names_width() - 2 * spacing_unit),
          std::max(20.0, height() - fontMetrics().height() * 2.2 - m.height() * 2.6)};
}

bool PowerTraceChart::in_plot(const Level& l) const { return l.watts > 0.0 && l.watts <= top_; }

QString PowerTraceChart::level_words(const Level& l) {
  QString name = l.name; // of a sentence that went on with the amount
  if (name.endsWith(QLatin1Char(','))) name.chop(1);
  return tr("%1 %2", "amount, name of a level").arg(screen_text(l.watts, kind::power), name);
}

/// Names of the levels stand beside the plot, so that they cover no curve; a narrow chart gives them two fifths.
double PowerTraceChart::names_width() const {
  const QFontMetricsF m(small_font());
  double widest = 0.0;
  for (const Level& l : levels_)
    if (in_plot(l)) widest = std::max(widest, std::ceil(m.horizontalAdvance(level_words(l))) + 2 * spacing_unit);
  return widest > 0.0 ? std::min(widest, width() * 0.4) : 2.0 * spacing_unit;
}

QPointF PowerTraceChart::place(double x, double w) const {
  const QRectF r = plot();
  return {r.left() + (x - from_) / (to_ - from_) * r.width(), r.bottom() - w / top_ * r.height()};
}

void PowerTraceChart::paint(QPainter& p) {
  const Theme& t = theme();
  const QRectF r = plot();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  p.setPen(t.text);
  p.drawText(QRectF(0, 0, width(), fontMetrics().height() * 1.1), Qt::AlignLeft | Qt::AlignVCenter, title_);
  p.setFont(small);
  const DisplayUnit& power = suited_unit(top_, kind::power);
  p.setPen(t.secondary_text);
  p.drawText(QRectF(0, fontMetrics().height() * 1.05, width(), m.height()), Qt::AlignLeft | Qt::AlignVCenter,
             tr("Power, %1").arg(to_qstring(power.symbol)));
  const auto ys = axis_marks(0.0, top_ / power.factor, std::max(2, static_cast<int>(r.height() / (m.height() * 2.4))));
  for (const double v : ys) {
    const double y = place(from_, v * power.factor).y();
    p.setPen(QPen(t.grid_major, 1));
    p.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
    p.setPen(t.secondary_text);
    p.drawText(QRectF(0, y - m.height() / 2, r.left() - 1.5 * spacing_unit, m.height()),
               Qt::AlignRight | Qt::AlignVCenter, mark_text(v, ys));
  }
  const DisplayUnit& along = suited_unit(to_, *x_kind_);
  const auto xs = axis_marks((from_ - along.offset) / along.factor, (to_ - along.offset) / along.factor,
                             std::max(2, static_cast<int>(r.width() / (m.averageCharWidth() * 12))));
  for (const double v : xs) {
    const double x = place(v * along.factor + along.offset, 0).x();
    p.setPen(t.secondary_text);
    p.drawText(QRectF(x - 40, r.bottom() + 2, 80, m.height()), Qt::AlignCenter, mark_text(v, xs));
  }
  p.drawText(QRectF(r.left(), r.bottom() + m.height() + 3, r.width(), m.height()), Qt::AlignRight | Qt::AlignVCenter,
             along.symbol.empty() ? x_title_ : tr("%1, %2").arg(x_title_, to_qstring(along.symbol)));
  QPolygonF line;
  int turns = 0;
  double way = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    line << place(points_[i].x, points_[i].watts);
    const double step = i > 0 ? points_[i].watts - points_[i - 1].watts : 0.0;
    if (step != 0.0) turns += step * way < 0.0, way = step;
  }
  // Swings closer than the eye parts are a quiet band, and the levels stand over it.
  const bool dense = turns > r.width() / 8.0;
  const auto draw_line = [&] {
    p.setPen(QPen(dense ? mixed_color(t.accent, t.panel, 0.5) : t.accent, dense ? 0.8 : 1.8, Qt::SolidLine,
                  Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
    p.drawPolyline(line);
  };
  if (dense) draw_line();
  std::vector<Level> sorted;
  std::copy_if(levels_.begin(), levels_.end(), std::back_inserter(sorted), [this](const Level& l) { return in_plot(l); });
  std::sort(sorted.begin(), sorted.end(), [](const Level& a, const Level& b) { return a.watts > b.watts; });
  for (const Level& l : sorted) {
    const double y = place(from_, l.watts).y();
    p.setPen(QPen(l.limit ? t.red : t.secondary_text, 1.3, Qt::DashLine));
    p.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
  }
  if (!dense) draw_line();
  // Their names at the end of each, moved apart where levels lie close, as many as have room.
  const double names = names_width() - spacing_unit;
  std::vector<double> at;
  for (const Level& l : sorted) at.push_back(place(from_, l.watts).y() - m.height() / 2);
  for (std::size_t i = 1; i < at.size(); ++i) at[i] = std::max(at[i], at[i - 1] + m.height());
  double lowest = r.bottom() + m.height() / 2;
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = std::min(at[i], lowest - m.height());
    lowest = at[i];
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (at[i] < r.top() - m.height() * 2) continue;
    p.setPen(sorted[i].limit ? t.red : t.secondary_text);
    p.drawText(QRectF(r.right() + spacing_unit, at[i], names, m.height()), Qt::AlignLeft | Qt::AlignVCenter,
               m.elidedText(level_words(sorted[i]), Qt::ElideRight, names));
  }
}

QString PowerTraceChart::textAt(const QPointF& at) const {
  const QRectF r = plot();
  if (points_.size() < 2 || at.x() < r.left() || at.x() > r.right()) return {};
  const double x = from_ + (at.x() - r.left()) / r.width() * (to_ - from_);
  const auto next =
      std::lower_bound(points_.begin(), points_.end(), x, [](const Point& p, double v) { return p.x < v; });
  double w = points_.front().watts;
  if (next == points_.end()) {
    w = points_.back().watts;
  } else if (next != points_.begin()) {
    const Point &b = *next, &a = *(next - 1);
    w = b.x > a.x ? a.watts + (b.watts - a.watts) * (x - a.x) / (b.x - a.x) : b.watts;
  }
  return tr("%1 at %2").arg(screen_text(w, kind::power), screen_text(x, *x_kind_));
}

} // namespace hallwright
