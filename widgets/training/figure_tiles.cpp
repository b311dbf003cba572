// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/figure_tiles.h"

#include <algorithm>

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QStyle>

#include "widgets/theme.h"

namespace hallwright {

namespace {

/// Words in at most `most` lines, the last one cut where even that is too little.
QStringList lines_within(const QString& text, const QFontMetrics& metrics, int width, int most) {
  QStringList out, words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  while (!words.isEmpty()) {
    if (out.size() == most - 1) {
      out << metrics.elidedText(words.join(QLatin1Char(' ')), Qt::ElideRight, width);
      break;
    }
    QString line = words.takeFirst();
    while (!words.isEmpty() && metrics.horizontalAdvance(line + QLatin1Char(' ') + words.first()) <= width)
      line += QLatin1Char(' ') + words.takeFirst();
    out << metrics.elidedText(line, Qt::ElideRight, width);
  }
  return out;
}

} // namespace

class FigureTiles::Tile final : public QAbstractButton {
public:
  explicit Tile(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
  }
  void show_tile(const FigureTile& tile) {
    tile_ = tile;
    setEnabled(!tile.figure.isEmpty());
    setCursor(tile.figure.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    setToolTip(tile.tip);
    setAccessibleName(tile.title);
    setAccessibleDescription(QStringLiteral("%1 %2").arg(tile.value, tile.remark));
    updateGeometry();
    update();
  }
  [[nodiscard]] const FigureTile& shown() const { return tile_; }
  [[nodiscard]] QSize sizeHint() const override {
    const QFontMetrics small(small_font()), large(large_font());
    // By letters, not by what is shown: another figure moves nothing.
    return {std::max(16 * small.averageCharWidth(), 9 * large.averageCharWidth()) + 2 * pad,
            3 * small.height() + large.height() + 2 * pad};
  }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::FontChange) updateGeometry();
    QAbstractButton::changeEvent(event);
  }
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (underMouse() && isEnabled()) {
      p.setPen(Qt::NoPen);
      p.setBrush(t.field);
      p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
    const int room = width() - 2 * pad + 2;
    int y = pad;
    const QFontMetrics small(small_font());
    p.setFont(small_font());
    p.setPen(t.secondary_text);
    p.drawText(QRect(pad, y, room, small.height()), Qt::AlignLeft | Qt::AlignVCenter,
               small.elidedText(tile_.title, Qt::ElideRight, room));
    y += small.height();
    // A long value is written smaller before it is cut.
    QFont large = large_font();
    const int line = QFontMetrics(large).height();
    while (large.pointSizeF() > font().pointSizeF() && QFontMetrics(large).horizontalAdvance(tile_.value) > room)
      large.setPointSizeF(large.pointSizeF() * 0.94);
    p.setFont(large);
    p.setPen(t.text);
    p.drawText(QRect(pad, y, room, line), Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetrics(large).elidedText(tile_.value, Qt::ElideRight, room));
    y += line;
    p.setFont(small_font());
    p.setPen(t.secondary_text);
    const QStringList remark = lines_within(tile_.remark, small, room, 2);
    for (const QString& words : remark) {
      p.drawText(QRect(pad, y, room, small.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
      y += small.height();
    }
    if (hasFocus()) {
      p.setPen(QPen(t.accent, 1.5));
      p.setBrush(Qt::NoBrush);
      p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
  }

private:
  static constexpr int pad = spacing_unit;
  [[nodiscard]] QFont small_font() const {
    QFont f = font();
    if (f.pointSizeF() > 0) f.setPointSizeF(f.pointSizeF() * 0.92);
    return f;
  }
  [[nodiscard]] QFont large_font() const {
    QFont f = font();
    if (f.pointSizeF() > 0) f.setPointSizeF(f.pointSizeF() * 1.45);
    f.setWeight(QFont::DemiBold);
    return f;
  }
  FigureTile tile_;
};

FigureTiles::FigureTiles(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("clear"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

int FigureTiles::arrange(int width, bool place) const {
  if (tiles_.empty()) return 0;
  const QSize least = tiles_.front()->sizeHint();
  const int n = count(), fit = std::clamp(width / std::max(1, least.width()), 1, n);
  const int lines = (n + fit - 1) / fit, columns = (n + lines - 1) / lines; // no line is much shorter than the others
  const int tall = least.height() + spacing_unit;
  if (place)
    for (int i = 0; i < n; ++i) {
      const int left = width * (i % columns) / columns, right = width * (i % columns + 1) / columns;
      tiles_[static_cast<std::size_t>(i)]->setGeometry(QStyle::visualRect(
          layoutDirection(), rect(), QRect(left, i / columns * tall, right - left - spacing_unit, least.height())));
    }
  return lines * tall - spacing_unit;
}

QSize FigureTiles::sizeHint() const {
  if (tiles_.empty()) return {0, 0};
  return {count() * tiles_.front()->sizeHint().width(), tiles_.front()->sizeHint().height()};
}

QSize FigureTiles::minimumSizeHint() const {
  if (tiles_.empty()) return {0, 0};
  return tiles_.front()->sizeHint(); // in one line; a narrow width is asked for its height
}

void FigureTiles::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(width(), true);
}

void FigureTiles::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  updateGeometry();
  arrange(width(), true);
}

FigureTile FigureTiles::shown(int i) const {
  return i >= 0 && i < count() ? tiles_[static_cast<std::size_t>(i)]->shown() : FigureTile{};
}

void FigureTiles::setTiles(const std::vector<FigureTile>& tiles) {
  const bool other = tiles.size() != tiles_.size();
  while (tiles_.size() > tiles.size())
    delete tiles_.back(), tiles_.pop_back();
  while (tiles_.size() < tiles.size()) {
    auto* tile = new Tile(this);
    tile->setObjectName(QStringLiteral("figure_tile_%1").arg(tiles_.size()));
    connect(tile, &QAbstractButton::clicked, this, [this, tile] { Q_EMIT figureActivated(tile->shown().figure); });
    tile->show();
    tiles_.push_back(tile);
  }
  for (std::size_t i = 0; i < tiles.size(); ++i)
    tiles_[i]->show_tile(tiles[i]);
  if (!other) return;
  updateGeometry();
  arrange(width(), true);
}

QAbstractButton* FigureTiles::tile(int i) const {
  return i >= 0 && i < count() ? tiles_[static_cast<std::size_t>(i)] : nullptr;
}

} // namespace hallwright
