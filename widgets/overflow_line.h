// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

class QFrame;
class QToolButton;

namespace hallwright {

/// Widgets in one line that stays one line: what does not fit waits behind a button at its end, which opens it below.
/// Hidden widgets take no room.
class OverflowLine : public QWidget {
  Q_OBJECT
public:
  explicit OverflowLine(QWidget* parent = nullptr);
  /// At the end of the line; takes its ownership.
  void addWidget(QWidget* widget);
  /// Whether a widget that is shown waits behind the button.
  [[nodiscard]] bool waits(const QWidget* widget) const;
  [[nodiscard]] QToolButton* button() const { return more_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void arrange();
  void open();
  void move_to(QWidget* widget, QWidget* host);
  [[nodiscard]] int height_of_line() const;
  std::vector<QWidget*> items_;
  QToolButton* more_ = nullptr;
  QFrame* rest_ = nullptr; ///< what waits
  bool arranging_ = false;
};

} // namespace hallwright
