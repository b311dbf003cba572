// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/one_line/one_line_block.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "power/one_line_sheet.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("OneLineBlock", text); }

/// One sample of the legend with its words.
struct Sample {
  enum class Kind : std::uint8_t { glyph, rack, wire, second_source, dead, bar } kind = Kind::glyph;
  PowerUnitKind unit = PowerUnitKind::utility_feed;
  QColor color;
  QString words;
};

std::vector<Sample> samples_of(const OneLinePicture& picture, const OneLineColors& c) {
  std::vector<Sample> out;
  std::vector<PowerUnitKind> kinds;
  bool racks = false, a = false, b = false, either = false, second = false;
  for (const OneLineSymbol& s : picture.layout().symbols) {
    if (s.racks()) racks = true;
    else if (std::find(kinds.begin(), kinds.end(), s.kind) == kinds.end()) kinds.push_back(s.kind);
    if (!s.racks()) (s.side == Feed::a ? a : s.side == Feed::b ? b : either) = true;
  }
  for (const OneLineWire& w : picture.layout().wires) second = second || w.kind == OneLineWireKind::second_source;
  for (const PowerUnitKind kind : kinds) {
    QString words = screen_choice(ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(kind)]);
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    out.push_back({Sample::Kind::glyph, kind, c.text, words});
  }
  if (racks) out.push_back({Sample::Kind::rack, {}, c.text, tr("Racks")});
  if (a) out.push_back({Sample::Kind::wire, {}, c.side_a, tr("Side A")});
  if (b) out.push_back({Sample::Kind::wire, {}, c.side_b, tr("Side B")});
  if (either) out.push_back({Sample::Kind::wire, {}, c.either, tr("Both sides")});
  if (second) out.push_back({Sample::Kind::second_source, {}, c.either, tr("Second source, stands by")});
  out.push_back({Sample::Kind::bar, {}, a ? c.side_a : c.either, tr("Load of its rating; the mark: what it may carry for hours")});
  return out;
}

} // namespace

QRectF paint_one_line_block(QPainter& painter, const QRectF& page, const OneLinePicture& picture,
                            const OneLineBlock& block, const OneLineColors& colors) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double line = page.height() / 70.0; // letters and samples: those of a drawing on A3
  const double high = 5.6 * line, pad = 0.6 * line;
  const QPen thick(colors.text, std::max(1.0, line / 9)), thin(colors.border, std::max(0.6, line / 16));
  painter.setPen(thick);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(page);
  const QRectF foot(page.left(), page.bottom() - high, page.width(), high);
  painter.drawLine(foot.topLeft(), foot.topRight());
  const double wide = std::min(46 * line, page.width() * 0.42);
  const QRectF title(foot.right() - wide, foot.top(), wide, high);
  painter.drawLine(title.topLeft(), title.bottomLeft());
  const auto letters = [&](double size, bool bold) {
    QFont f = painter.font();
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    f.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return f;
  };
  const auto text = [&](const QRectF& r, const QString& words, const QFont& f, const QColor& ink) {
    painter.setFont(f);
    painter.setPen(ink);
    painter.drawText(r, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetricsF(f).elidedText(words, Qt::ElideRight, r.width()));
  };
  const QString dash = QStringLiteral("\u2013");
  // Two lines: what it is; who, when, with which powers.
  const double upper = 2.9 * line;
  const auto cell = [&](double x0, double x1, double y, double h, const QString& caption, const QString& words,
                        bool bold) {
    const QRectF r(title.left() + x0 * wide, title.top() + y, (x1 - x0) * wide, h);
    painter.setPen(thin);
    if (x0 > 0) painter.drawLine(r.topLeft(), r.bottomLeft());
    text(QRectF(r.left() + pad, r.top() + 0.15 * line, r.width() - 2 * pad, 0.9 * line), caption, letters(0.75 * line, false),
         colors.quiet);
    text(QRectF(r.left() + pad, r.top() + 1.0 * line, r.width() - 2 * pad, h - 1.1 * line), words.isEmpty() ? dash : words,
         letters(bold ? 1.35 * line : 1.05 * line, bold), colors.text);
  };
  cell(0.0, 0.56, 0, upper, tr("Project"), block.project, true);
  cell(0.56, 1.0, 0, upper, tr("Drawing"), tr("One-line diagram"), true);
  painter.setPen(thin);
  painter.drawLine(QPointF(title.left(), title.top() + upper), QPointF(title.right(), title.top() + upper));
  cell(0.0, 0.34, upper, high - upper, tr("Author"), block.author, false);
  cell(0.34, 0.56, upper, high - upper, tr("Date"), block.date, false);
  cell(0.56, 1.0, upper, high - upper, tr("Power basis"), block.basis, false);

  // The legend, in columns of three.
  const std::vector<Sample> samples = samples_of(picture, colors);
  const QRectF room(foot.left() + pad, foot.top() + 0.35 * line, foot.width() - wide - 2 * pad, high - 0.7 * line);
  const QFont f = letters(0.95 * line, false);
  const QFontMetricsF metrics(f);
  const double row = room.height() / 3, swatch = 2.2 * line;
  double x = room.left();
  for (std::size_t i = 0; i < samples.size(); i += 3) {
    double column = 0;
    for (std::size_t k = i; k < std::min(samples.size(), i + 3); ++k)
      column = std::max(column, metrics.horizontalAdvance(samples[k].words));
    column = std::min(column, room.right() - x - swatch - 2 * pad);
    if (column < 3 * line) break; // no room: the rest is left out
    for (std::size_t k = i; k < std::min(samples.size(), i + 3); ++k) {
      const Sample& s = samples[k];
      const QPointF middle(x + swatch / 2, room.top() + (static_cast<double>(k - i) + 0.5) * row);
      painter.setBrush(Qt::NoBrush);
      QPen pen(s.color, std::max(0.8, line / 11), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
      if (s.kind == Sample::Kind::second_source) pen.setDashPattern({4.0, 3.0});
      painter.setPen(pen);
      if (s.kind == Sample::Kind::glyph || s.kind == Sample::Kind::rack) {
        for (const auto& stroke : s.kind == Sample::Kind::rack ? rack_glyph() : one_line_glyph(s.unit)) {
          QPolygonF strokes;
          for (const OneLinePoint& q : stroke) strokes << middle + QPointF(q.x, q.y) * (0.42 * row);
          painter.drawPolyline(strokes);
        }
      } else if (s.kind == Sample::Kind::bar) {
        const QRectF bar(middle.x() - swatch * 0.42, middle.y() - 0.2 * line, swatch * 0.84, 0.4 * line);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.border);
        painter.drawRect(bar);
        painter.setBrush(s.color);
        painter.drawRect(QRectF(bar.left(), bar.top(), bar.width() * 0.55, bar.height()));
        painter.setPen(QPen(colors.text, std::max(0.8, line / 12)));
        const double mark = bar.left() + bar.width() * 0.8;
        painter.drawLine(QPointF(mark, bar.top() - 0.15 * line), QPointF(mark, bar.bottom() + 0.15 * line));
      } else {
        painter.drawLine(middle - QPointF(swatch * 0.42, 0), middle + QPointF(swatch * 0.42, 0));
      }
      text(QRectF(x + swatch + pad / 2, middle.y() - row / 2, column + 2, row), s.words, f, colors.text);
    }
    x += swatch + column + 2.4 * pad;
  }
  painter.restore();
  return page.adjusted(pad, pad, -pad, -high - pad);
}

} // namespace hallwright
