// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPolygonF>

#include "power/one_line_sheet.h"
#include "widgets/figure_text.h"
#include "widgets/one_line/one_line_picture.h"
#include "widgets/wrapped_text.h"

namespace hallwright {
namespace {

constexpr double least_letters = 6.0; ///< smaller ones, in pixels of the screen, are left out
constexpr double name_height = 11.5, load_height = 10.5;

class OneLinePainter {
public:
  OneLinePainter(QPainter& painter, const OneLinePicture& picture, const OneLinePainting& how)
      : p_(painter), picture_(picture), layout_(picture.layout()), how_(how), c_(how.colors),
        dots_(painter.device() ? std::max(1.0, painter.device()->devicePixelRatioF()) : 1.0) {}

  void paint() {
    p_.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t s : how_.selected)
      paint_ground(s, c_.accent_soft, c_.accent);
    for (const OneLineWire& w : layout_.wires)
      paint_wire(w);
    for (const OneLineBar& b : layout_.bars)
      paint_bar(b);
    for (std::size_t s = 0; s < layout_.symbols.size(); ++s)
      if (in_sight(s)) paint_symbol(s);
    if (how_.row_titles) paint_titles();
  }

private:
  [[nodiscard]] QPointF at(double x, double y) const { return how_.origin + QPointF(x, y) * how_.scale; }
  [[nodiscard]] QRectF room(std::size_t s) const {
    const OneLineMeasures& m = layout_.measures;
    const OneLineSymbol& symbol = layout_.symbols[s];
    return {at(symbol.x - m.glyph_half - 4, symbol.y - 3),
            at(symbol.x + m.words_width, symbol.y + m.symbol_height - 1)};
  }
  [[nodiscard]] bool in_sight(std::size_t s) const { return how_.sight.isEmpty() || how_.sight.intersects(room(s)); }
  [[nodiscard]] QPen pen(const QColor& color, Qt::PenStyle style = Qt::SolidLine, double times = 1.0) const {
    return {color, how_.stroke * times, style, Qt::RoundCap, Qt::RoundJoin};
  }
  [[nodiscard]] QFont letters(double height, bool bold = false) const {
    QFont f = how_.font;
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(height * how_.scale))));
    f.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return f;
  }

  void paint_ground(std::size_t s, const QColor& fill, const QColor& edge) {
    p_.setPen(QPen(edge, 1));
    p_.setBrush(fill);
    p_.drawRoundedRect(room(s), 4, 4);
  }
  void polyline(const std::vector<OneLinePoint>& points) {
    QPolygonF line;
    for (const OneLinePoint& q : points)
      line << at(q.x, q.y);
    p_.drawPolyline(line);
  }
  void paint_wire(const OneLineWire& w) {
    const bool live = picture_.wire_live(w), used = picture_.wire_in_use(w);
    const bool lit = how_.lit.count(w.from) > 0 && how_.lit.count(w.to) > 0;
    QPen line = pen(live ? c_.side(w.side) : c_.dead, Qt::SolidLine,
                    lit || (w.kind == OneLineWireKind::second_source && used) ? 2.0 : 1.0);
    if (w.kind == OneLineWireKind::second_source && !used) line.setDashPattern({4.0, 3.0});
    if (!live) line.setDashPattern({1.5, 3.0});
    p_.setPen(line);
    p_.setBrush(Qt::NoBrush);
    polyline(w.points);
  }
  void paint_bar(const OneLineBar& b) {
    bool live = false;
    for (const std::size_t s : b.symbols) {
      const SymbolState& state = picture_.state(s);
      live = live || !state.whole() ? live || state.out + state.tripped + state.dead < state.members : true;
    }
    const QColor color = live ? c_.side(b.side) : c_.dead;
    p_.setBrush(Qt::NoBrush);
    for (const OneLineWire& stub : b.stubs) {
      const SymbolState& state = picture_.state(stub.from);
      p_.setPen(pen(state.out + state.tripped + state.dead < state.members ? color : c_.dead));
      polyline(stub.points);
    }
    p_.setPen(pen(color, Qt::SolidLine, 2.4));
    p_.drawLine(at(b.from, b.y), at(b.to, b.y));
  }
  void strokes(const GlyphStrokes& glyph, const QPointF& middle, double half) {
    for (const auto& stroke : glyph) {
      QPolygonF line;
      for (const OneLinePoint& q : stroke)
        line << middle + QPointF(q.x, q.y) * half;
      p_.drawPolyline(line);
    }
  }
  /// Closed strokes of a symbol alone, filled with the brush.
  void shapes(const GlyphStrokes& glyph, const QPointF& middle, double half) {
    for (const auto& stroke : glyph) {
      if (stroke.size() < 4 || !(stroke.front() == stroke.back())) continue;
      QPolygonF shape;
      for (const OneLinePoint& q : stroke)
        shape << middle + QPointF(q.x, q.y) * half;
      p_.drawPolygon(shape);
    }
  }
  void paint_symbol(std::size_t s) {
    const OneLineMeasures& m = layout_.measures;
    const OneLineSymbol& symbol = layout_.symbols[s];
    const SymbolState& state = picture_.state(s);
    const double z = how_.scale, half = m.glyph_half * z;
    const QPointF middle = at(symbol.x, symbol.y + m.glyph_half);
    const std::size_t off = state.out + state.tripped + state.dead;
    const bool gone = symbol.racks() ? state.racks_dark == state.members && state.members > 0 : off == state.members;
    const bool bad = symbol.racks() ? state.racks_dark > 0 : state.tripped > 0 || state.over > 0;
    const bool selected = how_.selected.count(s) > 0;
    if (bad && !selected) {
      p_.setPen(Qt::NoPen);
      p_.setBrush(c_.red_soft);
      p_.drawRoundedRect(room(s), 4, 4);
    }
    if (how_.lit.count(s) > 0 && !selected) {
      p_.setPen(QPen(c_.accent, 1));
      p_.setBrush(Qt::NoBrush);
      p_.drawRoundedRect(room(s), 4, 4);
    }
    if (how_.pointed == static_cast<std::ptrdiff_t>(s) && !selected) {
      p_.setPen(QPen(c_.border, 1));
      p_.setBrush(Qt::NoBrush);
      p_.drawRoundedRect(room(s), 4, 4);
    }
    if (how_.cursor == static_cast<std::ptrdiff_t>(s)) {
      p_.setPen(QPen(c_.accent, 1.6, Qt::DotLine));
      p_.setBrush(Qt::NoBrush);
      p_.drawRoundedRect(room(s).adjusted(-1.5, -1.5, 1.5, 1.5), 5, 5);
    }
    const QColor color = bad && !gone ? c_.red : gone ? (bad ? c_.red : c_.dead) : c_.side(symbol.side);
    // Several alike: a second one shows behind the first.
    if (symbol.folded) {
      const GlyphStrokes& glyph = one_line_glyph(symbol.kind);
      p_.setPen(pen(plan_mix(color, c_.canvas, 0.5)));
      p_.setBrush(Qt::NoBrush);
      shapes(glyph, middle + QPointF(4.5, -4.5) * z, half);
      p_.setPen(Qt::NoPen);
      p_.setBrush(selected ? c_.accent_soft : bad ? c_.red_soft : c_.canvas);
      shapes(glyph, middle, half);
    }
    p_.setPen(pen(color));
    p_.setBrush(Qt::NoBrush);
    strokes(symbol.racks() ? rack_glyph() : one_line_glyph(symbol.kind), middle, half);
    if (!symbol.racks()) p_.drawLine(middle + QPointF(0, half), at(symbol.x, symbol.y + m.symbol_height));
    if (state.out > 0 || state.tripped > 0) { // crossed out
      p_.setPen(pen(c_.red, Qt::SolidLine, 1.6));
      const double x = half * 1.05;
      p_.drawLine(middle + QPointF(-x, -x), middle + QPointF(x, x));
      if (state.out > 0) p_.drawLine(middle + QPointF(-x, x), middle + QPointF(x, -x));
    }

    // Words at the right.
    const double left = at(symbol.x + m.glyph_half + 6.0, 0).x(), width = (m.words_width - m.glyph_half - 8.0) * z;
    double y = at(0, symbol.y).y();
    const auto words = [&](const QString& text, double height, bool bold, const QColor& ink) {
      const double line = (height + 2.5) * z;
      if (height * z * dots_ >= least_letters) {
        const QFont f = letters(height, bold);
        p_.setFont(f);
        p_.setPen(ink);
        const QFontMetricsF metrics(f);
        p_.drawText(QRectF(left, y, width + 3 * z, line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                    bold ? elided_name(text, metrics, width + 2 * z) : metrics.elidedText(text, Qt::ElideRight, width + 2 * z));
      }
      y += line;
    };
    const QString name = picture_.symbol_words(s);
    words(name, name_height, true, gone && !bad ? c_.dead : c_.text);
    if (!symbol.racks()) {
      const QRectF bar(left, y + 1.5 * z, width * 0.94, 4.5 * z);
      if (std::isfinite(state.worst_share) || off == state.members) {
        p_.setPen(Qt::NoPen);
        p_.setBrush(c_.border);
        p_.drawRoundedRect(bar, 1.5 * z, 1.5 * z);
        if (std::isfinite(state.worst_share) && off < state.members) {
          const double share = std::clamp(state.worst_share, 0.0, 1.0);
          const QColor fill = state.over > 0                                  ? c_.red
                              : state.worst_share > 0.95 * state.usable_share ? c_.amber
                                                                              : c_.side(symbol.side);
          p_.setBrush(fill);
          if (share > 0)
            p_.drawRoundedRect(QRectF(bar.left(), bar.top(), std::max(2.0, bar.width() * share), bar.height()), 1.5 * z,
                               1.5 * z);
          if (state.usable_share < 0.999) { // what it may carry for long
            p_.setPen(QPen(c_.text, std::max(1.0, 1.2 * z)));
            const double x = bar.left() + bar.width() * state.usable_share;
            p_.drawLine(QPointF(x, bar.top() - 1.5 * z), QPointF(x, bar.bottom() + 1.5 * z));
          }
        }
      }
      y += 8.0 * z;
    }
    QString load = picture_.load_words(s);
    if (!symbol.racks() && off > 0 && off < state.members)
      load = QCoreApplication::translate("OneLinePicture", "%1 of %2 off").arg(off).arg(state.members) +
             QStringLiteral(" \u00b7 ") + screen_text(state.worst_share, kind::percent, 2);
    words(load, load_height, false, bad ? c_.red : c_.quiet);
    if (symbol.racks() && state.racks_on_one > 0)
      words(QCoreApplication::translate("OneLinePicture", "%1 on one feed").arg(state.racks_on_one), load_height, false,
            c_.quiet);
  }
  void paint_titles() {
    const double edge = how_.sight.isEmpty() ? 0.0 : how_.sight.left();
    const double size = how_.title_height > 0.0 ? how_.title_height : std::clamp(10.5 * how_.scale, 9.0, 15.0);
    QFont f = how_.font;
    f.setPixelSize(static_cast<int>(std::lround(size)));
    const QFontMetricsF metrics(f);
    p_.setFont(f);
    for (const OneLineRow& row : layout_.rows) {
      const QString title = QCoreApplication::translate("OneLinePicture", row.title.c_str());
      QStringList lines = title.split(QStringLiteral(", "));
      double y =
          at(0, row.y + layout_.measures.glyph_half).y() - metrics.height() * static_cast<double>(lines.size()) / 2;
      for (const QString& line : lines) {
        const QRectF r(edge + 6, y, metrics.horizontalAdvance(line) + 8, metrics.height());
        QColor ground = c_.canvas;
        ground.setAlpha(225);
        p_.fillRect(r.adjusted(-3, 0, 0, 0), ground);
        p_.setPen(c_.quiet);
        p_.drawText(r, Qt::AlignLeft | Qt::AlignVCenter, line);
        y += metrics.height();
      }
    }
  }
  static QColor plan_mix(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + share * (y - x))); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
  }

  QPainter& p_;
  const OneLinePicture& picture_;
  const OneLineLayout& layout_;
  const OneLinePainting& how_;
  const OneLineColors& c_;
  double dots_; ///< of the screen for a pixel
};

} // namespace

void paint_one_line(QPainter& painter, const OneLinePicture& picture, const OneLinePainting& painting) {
  if (!picture.shows()) return;
  painter.save();
  OneLinePainter(painter, picture, painting).paint();
  painter.restore();
}

void paint_one_line_page(QPainter& painter, const QRectF& page, const OneLinePicture& picture, const QString& title,
                         const OneLineColors& colors) {
  painter.fillRect(page, colors.canvas);
  if (!picture.shows()) return;
  painter.save();
  QFont f = painter.font();
  const double head = page.height() * 0.05;
  f.setPixelSize(std::max(1, static_cast<int>(head * 0.42)));
  f.setWeight(QFont::DemiBold);
  painter.setFont(f);
  painter.setPen(colors.text);
  painter.drawText(QRectF(page.left(), page.top(), page.width(), head * 0.6), Qt::AlignLeft | Qt::AlignVCenter, title);
  const QString sentence = picture.sentence();
  if (!sentence.isEmpty()) {
    f.setPixelSize(std::max(1, static_cast<int>(head * 0.28)));
    f.setWeight(QFont::Normal);
    painter.setFont(f);
    painter.setPen(colors.red);
    painter.drawText(QRectF(page.left(), page.top() + head * 0.55, page.width(), head * 0.45),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(f).elidedText(sentence, Qt::ElideRight, page.width()));
  }
  OneLinePainting how;
  how.colors = colors;
  how.font = painter.font();
  const double gutter = 100.0;
  how.scale = std::min(page.width() / (picture.layout().width + gutter),
                       (page.height() - head * 1.1) / picture.layout().height);
  how.origin = QPointF(page.left() + gutter * how.scale +
                           std::max(0.0, (page.width() - (picture.layout().width + gutter) * how.scale) / 2),
                       page.top() + head * 1.1);
  how.stroke = std::max(0.8, 1.3 * how.scale);
  how.sight = page;
  how.row_titles = true;
  how.title_height = std::max(1.0, 10.0 * how.scale);
  paint_one_line(painter, picture, how);
  painter.restore();
}

} // namespace hallwright
