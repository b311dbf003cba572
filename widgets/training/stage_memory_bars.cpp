// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/stage_memory_bars.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
double sum_of_bar(const StageMemoryBar& bar) { return std::accumulate(bar.amounts.begin(), bar.amounts.end(), 0.0); }
} // namespace

StageMemoryBars::StageMemoryBars(QWidget* parent) : PaintedChart(parent) {
  setAccessibleName(tr("Memory per GPU by pipeline stage"));
}

void StageMemoryBars::setStages(const QStringList& parts, std::vector<StageMemoryBar> stages, const QString& unit,
                                double limit, const QString& limit_name, const QStringList& ids) {
  parts_ = parts;
  ids_ = ids;
  stages_ = std::move(stages);
  unit_ = unit;
  limit_ = limit;
  limit_name_ = limit_name;
  most_ = std::isfinite(limit) ? limit : 0.0;
  for (const StageMemoryBar& s : stages_)
    most_ = std::max(most_, sum_of_bar(s));
  if (!(most_ > 0) || !std::isfinite(most_)) stages_.clear(), most_ = 1;
  current_ = std::min(current_, count() - 1);
  QStringList words;
  for (int i = 0; i < std::min(count(), 64); ++i)
    words << words_of(i).replace(QLatin1Char('\n'), QStringLiteral(", "));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

void StageMemoryBars::setLit(std::vector<int> stages) {
  if (stages == lit_) return;
  lit_ = std::move(stages);
  update();
}

QSize StageMemoryBars::sizeHint() const { return {fontMetrics().averageCharWidth() * 44, fontMetrics().height() * 13}; }
QSize StageMemoryBars::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 28, fontMetrics().height() * 10};
}

namespace {
constexpr const char* memory_parts[] = {"weights", "gradients", "optimizer", "activations", "logits", "buffers", "slack"};
} // namespace

QColor memory_part_color(const QString& part) {
  const Theme& t = theme();
  const QColor colors[] = {step_work_color(StepWork::useful),
                           t.accent,
                           mixed_color(t.accent, t.panel, 0.5),
                           kind_color(5),
                           kind_color(1),
                           mixed_color(t.structure, t.text, 0.2),
                           mixed_color(t.structure, t.panel, 0.45)};
  for (std::size_t i = 0; i < std::size(memory_parts); ++i)
    if (part == QLatin1String(memory_parts[i])) return colors[i];
  return {};
}

QColor StageMemoryBars::color_of(std::size_t part) const {
  const QString id = static_cast<qsizetype>(part) < ids_.size() ? ids_[static_cast<qsizetype>(part)]
                                                                 : QLatin1String(memory_parts[std::min(part, std::size(memory_parts) - 1)]);
  return memory_part_color(id);
}

std::vector<LegendEntry> StageMemoryBars::entries() const {
  std::vector<LegendEntry> out;
  for (qsizetype i = 0; i < parts_.size(); ++i) {
    const auto part = static_cast<std::size_t>(i);
    const bool any = std::any_of(stages_.begin(), stages_.end(), [&](const StageMemoryBar& s) {
      return part < s.amounts.size() && s.amounts[part] > 0;
    });
    if (any) out.push_back({parts_[i], color_of(part)});
  }
  if (std::isfinite(limit_)) out.push_back({limit_name_, theme().red, true});
  return out;
}

double StageMemoryBars::legendHeight() const {
  return legend(nullptr, QRectF(0, 0, width(), height()), small_font(), entries());
}

QRectF StageMemoryBars::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.height() + m.horizontalAdvance(screen_number(std::ceil(most_), 'f', 0)) + 3 * spacing_unit;
  const double top = legendHeight() + m.height() * 0.7;
  return {left, top, std::max(20.0, width() - left - spacing_unit),
          std::max(20.0, height() - top - 2.3 * m.height() - spacing_unit)};
}

double StageMemoryBars::y(double amount) const {
  const QRectF p = plot();
  return p.bottom() - p.height() * amount / (most_ * 1.03);
}

QRectF StageMemoryBars::barRect(int stage) const {
  const QRectF p = plot();
  const double each = p.width() / std::max(1, count()),
               wide = std::max(1.0, std::min(each * 0.72, 14.0 * fontMetrics().averageCharWidth()));
  const double top = y(sum_of_bar(stages_[static_cast<std::size_t>(stage)]));
  return {p.left() + (stage + 0.5) * each - wide / 2, top, wide, p.bottom() - top};
}

int StageMemoryBars::stage_at(const QPointF& at) const {
  const QRectF p = plot();
  if (stages_.empty() || at.x() < p.left() || at.x() >= p.right() || at.y() < p.top()) return -1;
  return std::min(count() - 1, static_cast<int>((at.x() - p.left()) / p.width() * count()));
}

void StageMemoryBars::paint(QPainter& p) {
  const Theme& t = theme();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  legend(&p, QRectF(0, 0, width(), height()), small, entries());
  const QRectF in = plot();
  p.setFont(small);
  const auto marks = axis_marks(0, most_ * 1.03, std::clamp(static_cast<int>(in.height() / (m.height() * 2.2)), 1, 6));
  for (const double v : marks) {
    p.fillRect(QRectF(in.left(), std::round(y(v)), in.width(), 1), v == 0 ? t.structure : t.grid_major);
    p.setPen(t.secondary_text);
    p.drawText(QRectF(m.height(), y(v) - m.height() / 2, in.left() - m.height() - spacing_unit, m.height()),
               Qt::AlignRight | Qt::AlignVCenter, mark_text(v, marks));
  }
  p.save();
  p.translate(0, in.center().y());
  p.rotate(-90);
  p.drawText(QRectF(-in.height() / 2 - m.height(), 0, in.height() + 2 * m.height(), m.height()), Qt::AlignCenter,
             tr("Memory, %1").arg(unit_));
  p.restore();
  double free = -1e9;
  for (int i = 0; i < count(); ++i) {
    const StageMemoryBar& s = stages_[static_cast<std::size_t>(i)];
    const QRectF bar = barRect(i);
    double from = 0;
    for (std::size_t part = 0; part < s.amounts.size(); ++part) {
      if (!(s.amounts[part] > 0)) continue;
      const double below = y(from), above = y(from + s.amounts[part]);
      p.fillRect(QRectF(bar.left(), above, bar.width(), below - above), color_of(part));
      from += s.amounts[part];
    }
    if (std::isfinite(limit_) && from > limit_)
      p.fillRect(QRectF(bar.left(), bar.top(), bar.width(), std::max(2.0, y(limit_) - bar.top())), t.red);
    const double half = m.horizontalAdvance(s.name) / 2;
    if (bar.center().x() - half > free) {
      p.setPen(t.secondary_text);
      p.drawText(QRectF(bar.center().x() - half - 4, in.bottom() + 2, 2 * half + 8, m.height()), Qt::AlignCenter,
                 s.name);
      free = bar.center().x() + half + m.averageCharWidth();
    }
    if (std::find(lit_.begin(), lit_.end(), i) != lit_.end()) {
      p.setPen(QPen(t.text, 2));
      p.setBrush(Qt::NoBrush);
      p.drawRect(bar.adjusted(-2, -2, 2, 1));
    }
    if (i == current_ && hasFocus()) {
      p.setPen(QPen(t.accent, 1.5));
      p.setBrush(Qt::NoBrush);
      p.drawRect(bar.adjusted(-2, -2, 2, 0));
    }
  }
  p.setPen(t.secondary_text);
  p.drawText(QRectF(in.left(), in.bottom() + 2 + m.height(), in.width(), m.height()), Qt::AlignHCenter | Qt::AlignTop,
             tr("Pipeline stage"));
  if (std::isfinite(limit_)) {
    p.setPen(QPen(t.red, 1.4, Qt::DashLine));
    p.drawLine(QPointF(in.left(), y(limit_)), QPointF(in.right(), y(limit_)));
  }
}

QString StageMemoryBars::words_of(int stage) const {
  const StageMemoryBar& s = stages_[static_cast<std::size_t>(stage)];
  QStringList lines{tr("Stage %1: %2 %3").arg(s.name, screen_number(sum_of_bar(s), 'g', 3), unit_)};
  for (std::size_t i = 0; i < s.amounts.size() && static_cast<qsizetype>(i) < parts_.size(); ++i)
    if (s.amounts[i] > 0)
      lines << QStringLiteral("%1: %2 %3")
                   .arg(parts_[static_cast<qsizetype>(i)], screen_number(s.amounts[i], 'g', 3), unit_);
  if (!s.tip.isEmpty()) lines << s.tip;
  return lines.join(QLatin1Char('\n'));
}

QString StageMemoryBars::textAt(const QPointF& at) const {
  const int stage = stage_at(at);
  return stage < 0 ? QString() : words_of(stage);
}

void StageMemoryBars::mouseReleaseEvent(QMouseEvent* event) {
  const int stage = stage_at(event->position());
  if (event->button() != Qt::LeftButton || stage < 0) return;
  make_current(stage);
  Q_EMIT stageActivated(stage);
}

void StageMemoryBars::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Right:
    make_current(std::min(count() - 1, current_ + 1));
    return;
  case Qt::Key_Left:
    make_current(std::max(0, current_ - 1));
    return;
  case Qt::Key_Home:
    make_current(0);
    return;
  case Qt::Key_End:
    make_current(count() - 1);
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (current_ >= 0 && current_ < count()) Q_EMIT stageActivated(current_);
    return;
  default:
    PaintedChart::keyPressEvent(event);
  }
}

void StageMemoryBars::focusInEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MouseFocusReason && has_content()) make_current(std::max(0, current_));
  update();
}
void StageMemoryBars::focusOutEvent(QFocusEvent*) { update(); }

void StageMemoryBars::make_current(int stage) {
  if (stage < 0 || stage >= count()) return;
  current_ = stage;
  setAccessibleDescription(words_of(stage));
  update();
}

} // namespace hallwright
