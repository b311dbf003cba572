// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QEvent>
#include <QFocusEvent>
#include <QLineEdit>
#include <QTimer>

namespace hallwright {

/// A choice that can be typed, such as a scale: the click that enters it selects what is in it, so that typing
/// replaces it.
class ScaleField : public QComboBox {
public:
  explicit ScaleField(QWidget* parent = nullptr) : QComboBox(parent) {
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    lineEdit()->installEventFilter(this);
  }

protected:
  // The box takes the focus for its line edit, before that is pressed.
  void focusInEvent(QFocusEvent* event) override {
    entered_ = event->reason() == Qt::MouseFocusReason;
    QComboBox::focusInEvent(event);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == lineEdit() && event->type() == QEvent::MouseButtonRelease && entered_) {
      entered_ = false;
      // A drag over letters has selected what it should.
      if (!lineEdit()->hasSelectedText()) QTimer::singleShot(0, lineEdit(), &QLineEdit::selectAll);
    }
    return QComboBox::eventFilter(watched, event);
  }

private:
  bool entered_ = false; ///< by the mouse, whose button is still down
};

} // namespace hallwright
