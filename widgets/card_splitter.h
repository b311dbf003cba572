// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace hallwright {

/// Cards beside each other with handles between them; where they have not the width for it they stand below each other.
/// It never asks for more width than its widest card.
class CardSplitter : public ::QSplitter {
  Q_OBJECT
public:
  explicit CardSplitter(QWidget* parent = nullptr);
  /// Whether the cards stand below each other now.
  [[nodiscard]] bool stacked() const { return orientation() == Qt::Vertical; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

private:
  /// The least size of a card.
  [[nodiscard]] static QSize least(const QWidget* card);
  void choose_direction();
  QList<int> beside_; ///< sizes to come back to
};

} // namespace hallwright
