// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/one_line/level_bars.h"

#include <algorithm>
#include <array>

#include <QPainter>

#include "power/one_line_layout.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

struct LevelPart {
  QString name;
  Power LevelRoom::*amount;
  QColor color;
};
std::array<LevelPart, 4> level_parts() {
  const Theme& t = theme();
  return {{{LevelBars::tr("used"), &LevelRoom::used, t.accent},
           {LevelBars::tr("kept for failures"), &LevelRoom::reserved, mixed_color(t.accent, t.panel, 0.55)},
           {LevelBars::tr("free for more racks"), &LevelRoom::free, t.green},
           {LevelBars::tr("stranded"), &LevelRoom::stranded, mixed_color(t.structure, t.panel, 0.45)}}};
}
QString level_watts(Power p) { return screen_text(in_watts(p), kind::power); }

} // namespace

LevelBars::LevelBars(QWidget* parent) : PaintedChart(parent) {
  setAccessibleName(tr("Power of each level: used, kept for failures, free, stranded"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LevelBars::setGrowth(const PowerGrowth& growth) {
  growth_ = growth;
  QStringList lines;
  for (const LevelRoom& l : growth_.levels)
    lines << tr("%1: %2 used, %3 kept for failures, %4 free, %5 stranded")
                 .arg(tr(std::string(power_level_words(l.kind)).c_str()), level_watts(l.used), level_watts(l.reserved),
                      level_watts(l.free), level_watts(l.stranded));
  setAccessibleDescription(lines.join(QStringLiteral(". ")));
  updateGeometry();
  update();
}

void LevelBars::clear() {
  growth_ = {};
  updateGeometry();
  update();
}

double LevelBars::row_height() const { return fontMetrics().height() * 1.9; }

QSize LevelBars::minimumSizeHint() const {
  const int rows = std::max(3, count());
  return {fontMetrics().averageCharWidth() * 60, static_cast<int>(rows * row_height() + fontMetrics().height() * 3.4)};
}

double LevelBars::names_width() const {
  double w = 0;
  for (const LevelRoom& l : growth_.levels)
    w = std::max(
        w, static_cast<double>(fontMetrics().horizontalAdvance(tr(std::string(power_level_words(l.kind)).c_str()))));
  return w + 4 * spacing_unit;
}

QRectF LevelBars::barRect(int level) const {
  const double left = names_width(),
               right = fontMetrics().horizontalAdvance(QStringLiteral("0.000 MW usable")) + 4 * spacing_unit;
  const double top = fontMetrics().height() * 1.7, tall = row_height();
  return {left, top + level * tall + tall * 0.2, std::max(20.0, width() - left - right), tall * 0.6};
}

void LevelBars::paint(QPainter& p) {
  const Theme& t = theme();
  const auto parts = level_parts();
  std::vector<LegendEntry> entries;
  for (const LevelPart& part : parts)
    entries.push_back({part.name, part.color, false});
  legend(&p, QRectF(0, 0, width(), fontMetrics().height() * 1.4), small_font(), entries);
  for (int i = 0; i < count(); ++i) {
    const LevelRoom& l = growth_.levels[static_cast<std::size_t>(i)];
    const QRectF bar = barRect(i);
    const bool first = growth_.first_no && *growth_.first_no == l.kind;
    QFont f = font();
    f.setWeight(first ? QFont::DemiBold : QFont::Normal);
    p.setFont(f);
    p.setPen(t.text);
    p.drawText(QRectF(0, bar.top() - 4, bar.left() - 2 * spacing_unit, bar.height() + 8),
               Qt::AlignLeft | Qt::AlignVCenter, tr(std::string(power_level_words(l.kind)).c_str()));
    const double whole = in_watts(l.usable);
    p.setFont(small_font());
    if (!(whole > 0.0)) {
      p.setPen(t.secondary_text);
      p.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter, tr("no rating is known"));
      continue;
    }
    p.fillRect(bar, t.field);
    double x = bar.left();
    for (const LevelPart& part : parts) {
      const double w = bar.width() * std::clamp(in_watts(l.*part.amount) / whole, 0.0, 1.0);
      const QRectF piece(x, bar.top(), std::min(w, bar.right() - x), bar.height());
      if (piece.width() > 0) {
        p.fillRect(piece, part.color);
        const QString words = level_watts(l.*part.amount);
        if (QFontMetricsF(small_font()).horizontalAdvance(words) + 8 < piece.width()) {
          p.setPen(part.color.lightness() > 140 ? QColor(0x1c, 0x2b, 0x3c) : QColor(0xff, 0xff, 0xff));
          p.drawText(piece, Qt::AlignCenter, words);
        }
        x = piece.right();
      }
    }
    if (in_watts(l.over) > 0.0) {
      p.setPen(QPen(t.red, 2));
      p.setBrush(Qt::NoBrush);
      p.drawRect(bar);
    }
    p.setPen(first || in_watts(l.over) > 0.0 ? t.text : t.secondary_text);
    p.drawText(QRectF(bar.right() + 2 * spacing_unit, bar.top() - 4, width() - bar.right() - 2 * spacing_unit,
                      bar.height() + 8),
               Qt::AlignLeft | Qt::AlignVCenter, tr("%1 usable").arg(level_watts(l.usable)));
  }
}

QString LevelBars::textAt(const QPointF& at) const {
  for (int i = 0; i < count(); ++i) {
    const QRectF bar = barRect(i);
    if (at.y() < bar.top() - 3 || at.y() > bar.bottom() + 3) continue;
    const LevelRoom& l = growth_.levels[static_cast<std::size_t>(i)];
    QStringList lines{tr("%1: %2 drawn").arg(tr(std::string(power_level_words(l.kind)).c_str())).arg(l.elements)};
    if (l.unrated > 0) lines << tr("%1 without a rating").arg(l.unrated);
    lines << tr("usable %1").arg(level_watts(l.usable)) << tr("used %1").arg(level_watts(l.used))
          << tr("kept for failures %1").arg(level_watts(l.reserved)) << tr("free %1").arg(level_watts(l.free))
          << tr("stranded %1 (%2)").arg(level_watts(l.stranded), screen_text(l.stranded_share, kind::percent, 2));
    lines << tr("this level alone would take %1 more racks").arg(screen_number(l.racks));
    if (in_watts(l.over) > 0.0) lines << tr("over its limits by %1 at worst").arg(level_watts(l.over));
    return lines.join(QLatin1Char('\n'));
  }
  return {};
}

} // namespace hallwright
