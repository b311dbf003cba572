// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/fabric_legend.h"

#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QPainter>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::wired {

QString share_text(double share) {
  const double percent = share * 100;
  int digits = std::abs(percent - std::round(percent)) < 1e-9 ? 0 : 1;
  const auto rounded = [&] { return std::round(percent * std::pow(10.0, digits)) / std::pow(10.0, digits); };
  while (digits > 0 && digits < 3 && percent < 100 && rounded() >= 100)
    ++digits;
  const double shown = percent < 100 && digits > 0 ? std::min(rounded(), 99.999) : rounded();
  return screen_number(shown, 'f', digits) + QStringLiteral("\u2009%");
}

FabricLegend::FabricLegend(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("fabric_legend"));
  setAccessibleName(tr("Legend"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setSizePolicy(policy);
}

int FabricLegend::line() const { return fontMetrics().height() + 4; }

void FabricLegend::setColors(const LinkColors& colors) {
  colors_ = colors;
  std::erase_if(colors_.entries, [](const LinkColors::Entry& e) { return e.links == 0; });
  QStringList words;
  for (const LinkColors::Entry& e : colors_.entries)
    words << tr("%1: %2 links").arg(e.name).arg(e.links);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

QSize FabricLegend::sizeHint() const { return {200, std::max(1, static_cast<int>(colors_.entries.size())) * line()}; }

void FabricLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  int y = 0;
  for (const LinkColors::Entry& e : colors_.entries) {
    const double middle = y + line() / 2.0;
    QPen pen(e.color, 4, e.stroke);
    pen.setCapStyle(Qt::FlatCap);
    if (e.stroke == Qt::DotLine) pen.setDashPattern({0.6, 0.8});
    if (e.stroke == Qt::DashLine) pen.setDashPattern({1.6, 0.9});
    if (e.stroke == Qt::DashDotLine) pen.setDashPattern({1.8, 0.6, 0.5, 0.6});
    painter.setPen(pen);
    const double wide = fontMetrics().averageCharWidth() * 4.0;
    painter.drawLine(QPointF(0, middle), QPointF(wide, middle));
    const QString count = screen_number(static_cast<qlonglong>(e.links));
    const int count_width = fontMetrics().horizontalAdvance(count);
    painter.setPen(t.secondary_text);
    painter.drawText(QRectF(width() - count_width, y, count_width, line()), Qt::AlignRight | Qt::AlignVCenter, count);
    painter.setPen(t.text);
    const int room = width() - static_cast<int>(wide) - count_width - 18;
    painter.drawText(QRectF(wide + 8, y, room, line()), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(e.name, Qt::ElideRight, room));
    y += line();
  }
}

ShareBars::ShareBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("share_bars"));
  setAccessibleName(tr("What is left"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ShareBars::setBars(const std::vector<Bar>& bars) {
  bars_ = bars;
  QStringList words;
  for (const Bar& b : bars_)
    words << QStringLiteral("%1: %2").arg(b.name, b.text.isEmpty() ? share_text(b.share) : b.text);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

QSize ShareBars::sizeHint() const { return {200, static_cast<int>(bars_.size()) * (fontMetrics().height() + 9)}; }

void ShareBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = theme();
  const int line = fontMetrics().height() + 9;
  int y = 0;
  for (const Bar& b : bars_) {
    const QString text = b.text.isEmpty() ? share_text(b.share) : b.text;
    const bool whole = b.share >= 1 - 1e-9;
    const int wide = fontMetrics().horizontalAdvance(text);
    painter.setPen(t.secondary_text);
    painter.drawText(QRect(0, y, width() - wide - 6, line - 5), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(b.name, Qt::ElideRight, width() - wide - 6));
    painter.setPen(whole ? t.text : t.amber);
    painter.drawText(QRect(width() - wide, y, wide, line - 5), Qt::AlignRight | Qt::AlignVCenter, text);
    painter.fillRect(QRect(0, y + line - 5, width(), 3), t.border);
    painter.fillRect(QRectF(0, y + line - 5, width() * std::clamp(b.share, 0.0, 1.0), 3), whole ? t.accent : t.amber);
    y += line;
  }
}

} // namespace hallwright::wired
