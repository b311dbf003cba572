// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/figure_tiles.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>

#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace hallwright {

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
    const QFontMetrics m(font()), small(small_font()), large(large_font());
    const int wide = std::max({small.horizontalAdvance(tile_.title), large.horizontalAdvance(tile_.value),
                               small.horizontalAdvance(tile_.remark), m.averageCharWidth() * 12});
    return {wide + 2 * pad, 2 * small.height() + large.height() + 2 * pad};
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
    int y = pad;
    const auto line = [&](const QFont& font, const QColor& color, const QString& words) {
      const QFontMetrics m(font);
      p.setFont(font);
      p.setPen(color);
      p.drawText(QRect(pad, y, width() - 2 * pad + 2, m.height()), Qt::AlignLeft | Qt::AlignVCenter,
                 m.elidedText(words, Qt::ElideRight, width() - 2 * pad + 2));
      y += m.height();
    };
    line(small_font(), t.secondary_text, tile_.title);
    line(large_font(), t.text, tile_.value);
    line(small_font(), t.secondary_text, tile_.remark);
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
    if (f.pointSizeF() > 0) f.setPointSizeF(f.pointSizeF() * 1.2);
    f.setWeight(QFont::DemiBold);
    return f;
  }
  FigureTile tile_;
};

FigureTiles::FigureTiles(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("clear"));
  flow_ = new FlowLayout(this);
  flow_->setContentsMargins(0, 0, 0, 0);
  flow_->setSpacing(3 * spacing_unit);
}

void FigureTiles::setTiles(const std::vector<FigureTile>& tiles) {
  while (tiles_.size() > tiles.size()) delete tiles_.back(), tiles_.pop_back();
  while (tiles_.size() < tiles.size()) {
    auto* tile = new Tile(this);
    tile->setObjectName(QStringLiteral("figure_tile_%1").arg(tiles_.size()));
    connect(tile, &QAbstractButton::clicked, this, [this, tile] { Q_EMIT figureActivated(tile->shown().figure); });
    flow_->addWidget(tile);
    tile->show();
    tiles_.push_back(tile);
  }
  for (std::size_t i = 0; i < tiles.size(); ++i)
    tiles_[i]->show_tile(tiles[i]);
}

QAbstractButton* FigureTiles::tile(int i) const {
  return i >= 0 && i < count() ? tiles_[static_cast<std::size_t>(i)] : nullptr;
}

} // namespace hallwright
