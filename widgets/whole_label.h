// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace hallwright {

/// Words in as many lines as they take, none of them cut: layouts alone give a wrapped label the height of the lines
/// that it has at its preferred width.
class WholeLabel : public QLabel {
public:
  explicit WholeLabel(QWidget* parent = nullptr) : QLabel(parent) {
    setWordWrap(true);
    setMinimumWidth(1);
  }
  explicit WholeLabel(const QString& text, QWidget* parent = nullptr) : WholeLabel(parent) { setText(text); }
  /// After other words or another font; a new width is followed by itself.
  void takeHeight() {
    setMinimumHeight(0);
    if (const int tall = heightForWidth(width()); tall > 0 && !text().isEmpty()) setMinimumHeight(tall);
  }

protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) takeHeight();
  }
  bool event(QEvent* event) override {
    const bool out = QLabel::event(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::Show) takeHeight();
    return out;
  }
};

} // namespace hallwright
