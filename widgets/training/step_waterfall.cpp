// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/step_waterfall.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

StepWaterfall::StepWaterfall(QWidget* parent) : PaintedChart(parent) {
  setAccessibleName(tr("From the dense peak to the step"));
}

void StepWaterfall::setParts(std::vector<WaterfallPart> parts, const QString& total_name, const QString& total_text,
                             const QString& total_figure) {
  const bool was = !parts_.empty();
  const std::size_t rows = parts_.size();
  parts_ = std::move(parts);
  most_ = 0;
  double total = 0;
  for (const WaterfallPart& p : parts_)
    most_ = std::max({most_, p.until, p.until - p.seconds}), total = p.until;
  if (!(most_ > 0) || !std::isfinite(most_))
    parts_.clear(), most_ = 1;
  else
    parts_.push_back({total_name, total_text, {}, total_figure, total, total, StepWork::useful});
  current_ = std::min(current_, count() - 1);
  hovered_ = -1;
  QStringList words;
  for (int i = 0; i < count(); ++i)
    words << words_of(i);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  if (was != !parts_.empty() || rows != parts_.size()) updateGeometry();
  update();
}

void StepWaterfall::clear() { setParts({}, {}, {}, {}); }

QString StepWaterfall::words_of(int row) const { return QStringLiteral("%1: %2").arg(part(row).name, part(row).text); }

QSize StepWaterfall::sizeHint() const {
  const int line = fontMetrics().height();
  return {fontMetrics().averageCharWidth() * 70, std::max(8, count()) * (line + 2) + 3 * line};
}

QSize StepWaterfall::minimumSizeHint() const {
  const int line = QFontMetrics(small_font()).height();
  return {fontMetrics().averageCharWidth() * 36, std::max(6, count()) * (line + 1) + 3 * line};
}

double StepWaterfall::names_width() const {
  const QFontMetricsF m(small_font());
  double longest = 0;
  for (const WaterfallPart& p : parts_)
    longest = std::max(longest, m.horizontalAdvance(p.name));
  return std::min(longest + 2, width() * 0.42);
}

QRectF StepWaterfall::plot() const {
  const double line = QFontMetricsF(small_font()).height();
  const double left = names_width() + 3 * spacing_unit;
  return {left, 0, std::max(20.0, width() - left - 3 * spacing_unit),
          std::max(20.0, height() - 2.4 * line - spacing_unit)};
}

double StepWaterfall::x(double seconds) const {
  const QRectF p = plot();
  return p.left() + p.width() * seconds / (most_ * 1.02);
}

QRectF StepWaterfall::rowRect(int row) const {
  const QRectF p = plot();
  const double most = fontMetrics().height() * 1.9, each = std::min(most, p.height() / std::max(1, count()));
  return {0, p.top() + row * each, static_cast<double>(width()), each};
}

QRectF StepWaterfall::barRect(int row) const {
  const WaterfallPart& p = part(row);
  const QRectF r = rowRect(row);
  const double a = x(std::max(0.0, p.until - p.seconds)), b = x(std::max(0.0, p.until));
  const double tall = std::max(3.0, r.height() * 0.66);
  return {std::min(a, b), r.center().y() - tall / 2, std::max(1.5, std::abs(b - a)), tall};
}

int StepWaterfall::row_at(double y) const {
  for (int i = 0; i < count(); ++i)
    if (const QRectF r = rowRect(i); y >= r.top() && y < r.bottom()) return i;
  return -1;
}

void StepWaterfall::paint(QPainter& p) {
  const Theme& t = theme();
  const QRectF in = plot();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  const double bottom = rowRect(count() - 1).bottom();
  p.setFont(small);
  const auto marks =
      axis_marks(0, most_ * 1.02, std::clamp(static_cast<int>(in.width() / (m.averageCharWidth() * 10)), 2, 8));
  for (const double v : marks) {
    p.fillRect(QRectF(std::round(x(v)), in.top(), 1, bottom - in.top()), v == 0 ? t.structure : t.grid_major);
    p.setPen(t.secondary_text);
    p.drawText(QRectF(x(v) - 60, bottom + 2, 120, m.height()), Qt::AlignHCenter | Qt::AlignTop, mark_text(v, marks));
  }
  p.drawText(QRectF(in.left(), bottom + 2 + m.height(), in.width(), m.height()), Qt::AlignHCenter | Qt::AlignTop,
             tr("Time of a step, s"));
  for (int row = 0; row < count(); ++row) {
    const WaterfallPart& part = parts_[static_cast<std::size_t>(row)];
    const QRectF r = rowRect(row), bar = barRect(row);
    const bool whole = row + 1 == count();
    if (row == hovered_) p.fillRect(r, t.field);
    p.setPen(t.text);
    QFont names = small;
    if (whole) names.setWeight(QFont::DemiBold);
    p.setFont(names);
    const double room = in.left() - 3 * spacing_unit;
    p.drawText(QRectF(0, r.top(), room + 2, r.height()), Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(names).elidedText(part.name, Qt::ElideRight, room + 2));
    p.fillRect(bar, step_work_color(part.work));
    // A thin line down to where the next one begins.
    if (row + 2 < count())
      p.fillRect(QRectF(std::round(x(part.until)), bar.bottom(), 1, r.height() - bar.height()), t.border);
    const double wide = QFontMetricsF(names).horizontalAdvance(part.text);
    const bool right = bar.right() + spacing_unit + wide <= width();
    const QRectF words(right ? bar.right() + spacing_unit : bar.left() - spacing_unit - wide, r.top(), wide + 2,
                       r.height());
    const bool inside = !right && words.left() < in.left();
    p.setPen(inside ? t.on_accent : part.seconds == 0 ? t.secondary_text : t.text);
    if (inside)
      p.drawText(bar.adjusted(0, 0, -spacing_unit, 0), Qt::AlignRight | Qt::AlignVCenter, part.text);
    else
      p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, part.text);
    if (row == current_ && hasFocus()) {
      p.setPen(QPen(t.accent, 1.5));
      p.setBrush(Qt::NoBrush);
      p.drawRect(r.adjusted(1, 1, -1.5, -1));
    }
  }
}

QString StepWaterfall::textAt(const QPointF& at) const {
  const int row = row_at(at.y());
  if (row < 0) return {};
  QString text = words_of(row);
  if (!part(row).tip.isEmpty()) text += QLatin1Char('\n') + part(row).tip;
  return text;
}

void StepWaterfall::mouseMoveEvent(QMouseEvent* event) {
  const int row = row_at(event->position().y());
  if (row != hovered_) hovered_ = row, update();
  setCursor(row >= 0 && !part(row).figure.isEmpty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void StepWaterfall::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void StepWaterfall::mouseReleaseEvent(QMouseEvent* event) {
  const int row = row_at(event->position().y());
  if (event->button() != Qt::LeftButton || row < 0) return;
  make_current(row);
  activate(row);
}

void StepWaterfall::keyPressEvent(QKeyEvent* event) {
  const int last = count() - 1;
  switch (event->key()) {
  case Qt::Key_Down:
    make_current(std::min(last, current_ + 1));
    return;
  case Qt::Key_Up:
    make_current(std::max(0, current_ - 1));
    return;
  case Qt::Key_Home:
    make_current(0);
    return;
  case Qt::Key_End:
    make_current(last);
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    activate(current_);
    return;
  default:
    PaintedChart::keyPressEvent(event);
  }
}

void StepWaterfall::focusInEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MouseFocusReason && has_content()) make_current(std::max(0, current_));
  update();
}

void StepWaterfall::focusOutEvent(QFocusEvent*) { update(); }

void StepWaterfall::make_current(int row) {
  if (row < 0 || row >= count()) return;
  current_ = row;
  setAccessibleDescription(words_of(row));
  update();
}

void StepWaterfall::activate(int row) {
  if (row >= 0 && row < count() && !part(row).figure.isEmpty()) Q_EMIT figureActivated(part(row).figure);
}

} // namespace hallwright
