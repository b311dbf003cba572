// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace hallwright {

/// A figure with its title above and a remark below.
struct FigureTile {
  QString title, value, remark, tip;
  QString figure; ///< what it explains; empty: the tile is no button
};

/// Large figures side by side, all equally wide, in further lines where they do not fit. How many stand in a line hangs
/// on the width alone, so nothing moves when a figure changes. A click or Enter explains one.
class FigureTiles : public QWidget {
  Q_OBJECT
public:
  explicit FigureTiles(QWidget* parent = nullptr);
  void setTiles(const std::vector<FigureTile>& tiles);
  [[nodiscard]] QAbstractButton* tile(int i) const;
  [[nodiscard]] int count() const { return static_cast<int>(tiles_.size()); }
  [[nodiscard]] FigureTile shown(int i) const; ///< what a tile shows
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override { return arrange(width, false); }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void figureActivated(const QString& figure);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  class Tile;
  /// Height of all lines at this width; places the tiles when `place`.
  int arrange(int width, bool place) const;
  std::vector<Tile*> tiles_;
};

} // namespace hallwright
