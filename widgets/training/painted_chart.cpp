// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/painted_chart.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"

namespace hallwright {

PaintedChart::PaintedChart(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void PaintedChart::setEmptyText(const QString& text) {
  empty_ = text;
  if (!has_content()) setAccessibleDescription(text);
  update();
}

QString PaintedChart::textAt(const QPointF&) const { return {}; }

QFont PaintedChart::small_font() const {
  QFont f = font();
  if (f.pointSizeF() > 0) f.setPointSizeF(f.pointSizeF() * 0.92);
  return f;
}

bool PaintedChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = has_content() ? textAt(help->pos()) : QString();
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void PaintedChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  if (has_content()) {
    paint(painter);
    return;
  }
  painter.setPen(theme().secondary_text);
  const int pad = 3 * spacing_unit;
  painter.drawText(rect().adjusted(pad, pad, -pad, -pad), Qt::AlignHCenter | Qt::TextWordWrap | (height() > 12 * fontMetrics().height() ? Qt::AlignTop : Qt::AlignVCenter), empty_);
}

void PaintedChart::contextMenuEvent(QContextMenuEvent* event) {
  if (!has_content()) return;
  QMenu menu(this);
  menu.addAction(tr("Save as image\u2026"), this, [this] {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("chart.png"), tr("PNG (*.png)"));
    if (file.isEmpty()) return;
    QPixmap whole(size() * devicePixelRatioF());
    whole.setDevicePixelRatio(devicePixelRatioF());
    whole.fill(theme().panel);
    render(&whole);
    tell_unwritten(this, write_image(file, whole.toImage()));
  });
  menu.exec(event->globalPos());
}

void PaintedChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::PaletteChange) {
    restyled();
    updateGeometry();
    update();
  }
  QWidget::changeEvent(event);
}

void PaintedChart::resizeEvent(QResizeEvent* event) {
  restyled();
  QWidget::resizeEvent(event);
}

std::vector<double> axis_marks(double low, double high, int most) {
  std::vector<double> out;
  if (!std::isfinite(low) || !std::isfinite(high) || high <= low || most < 1) return out;
  const double least = (high - low) / most, power = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10.0 * power;
  for (const double s : {1.0, 2.0, 5.0})
    if (s * power >= least * (1 - 1e-9)) {
      step = s * power;
      break;
    }
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= most + 1; ++i) {
    const double v = (first + i) * step;
    if (v > high + step * 1e-6) break;
    out.push_back(std::abs(v) < step * 1e-9 ? 0.0 : v);
  }
  return out;
}

std::vector<double> logarithmic_marks(double low, double high) {
  std::vector<double> out;
  if (!std::isfinite(low) || !std::isfinite(high) || low <= 0 || high <= low) return out;
  for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10)
    for (const double s : {1.0, 2.0, 5.0})
      if (const double v = s * power; v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)) out.push_back(v);
  return out;
}

QString mark_text(double value, const std::vector<double>& marks) {
  double step = std::abs(value);
  for (std::size_t i = 1; i < marks.size(); ++i)
    step = std::min(step > 0 ? step : marks[i] - marks[i - 1], marks[i] - marks[i - 1]);
  int digits = 0;
  while (digits < 6 && step > 0 &&
         std::abs(step * std::pow(10.0, digits) - std::round(step * std::pow(10.0, digits))) > 1e-6)
    ++digits;
  return screen_number(value, 'f', digits);
}

QColor mixed_color(const QColor& a, const QColor& b, double share) {
  const auto between = [share](int from, int to) { return static_cast<int>(std::lround(from + share * (to - from))); };
  return {between(a.red(), b.red()), between(a.green(), b.green()), between(a.blue(), b.blue())};
}

QColor step_work_color(StepWork work) {
  const Theme& t = theme();
  switch (work) {
  case StepWork::useful:
    return mixed_color(t.accent, t.text, 0.45);
  case StepWork::computing:
    return mixed_color(t.accent, t.panel, 0.5);
  case StepWork::second_computing:
    return t.accent;
  case StepWork::communication:
    return kind_color(5);
  case StepWork::sending:
    return kind_color(3);
  case StepWork::optimizer:
    return kind_color(1);
  case StepWork::waiting:
    return mixed_color(t.structure, t.panel, 0.35);
  }
  return t.accent;
}

double legend(QPainter* painter, const QRectF& room, const QFont& font, const std::vector<LegendEntry>& entries) {
  const QFontMetricsF m(font);
  const double block = m.height() * 0.6, gap = m.height() * 0.35, apart = m.height() * 0.9, line = m.height() * 1.25;
  double x = room.left(), y = room.top();
  for (const LegendEntry& e : entries) {
    const double wide = block + gap + m.horizontalAdvance(e.name);
    if (x > room.left() && x + wide > room.right()) x = room.left(), y += line;
    if (painter) {
      const QRectF mark(x, y + (line - block) / 2, block, block);
      if (e.dashed) {
        painter->setPen(QPen(e.color, 1.5, Qt::DashLine));
        painter->drawLine(QPointF(mark.left() - 1, mark.center().y()), QPointF(mark.right() + 1, mark.center().y()));
      } else {
        painter->fillRect(mark, e.color);
      }
      painter->setFont(font);
      painter->setPen(theme().secondary_text);
      painter->drawText(QRectF(x + block + gap, y, room.right() - x - block - gap + 2, line),
                        Qt::AlignLeft | Qt::AlignVCenter,
                        m.elidedText(e.name, Qt::ElideRight, std::max(0.0, room.right() - x - block - gap + 2)));
    }
    x += wide + apart;
  }
  return entries.empty() ? 0.0 : y + line - room.top();
}

} // namespace hallwright
