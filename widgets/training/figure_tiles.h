// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace hallwright {

class FlowLayout;

/// A figure with its title above and a remark below.
struct FigureTile {
  QString title, value, remark, tip;
  QString figure; ///< what it explains; empty: the tile is no button
};

/// Figures side by side, in further lines where they do not fit. A click or Enter explains one.
class FigureTiles : public QWidget {
  Q_OBJECT
public:
  explicit FigureTiles(QWidget* parent = nullptr);
  void setTiles(const std::vector<FigureTile>& tiles);
  [[nodiscard]] QAbstractButton* tile(int i) const;
  [[nodiscard]] int count() const { return static_cast<int>(tiles_.size()); }

Q_SIGNALS:
  void figureActivated(const QString& figure);

private:
  class Tile;
  FlowLayout* flow_ = nullptr;
  std::vector<Tile*> tiles_;
};

} // namespace hallwright
