// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QScrollBar>
#include <QWheelEvent>

namespace hallwright {
namespace {

/// The field that a widget is, or is a part of, if the wheel would change its value.
QWidget* field_of(QWidget* w) {
  for (; w; w = w->parentWidget()) {
    if (qobject_cast<QComboBox*>(w) || qobject_cast<QAbstractSpinBox*>(w)) return w;
    if (qobject_cast<QAbstractSlider*>(w)) return qobject_cast<QScrollBar*>(w) ? nullptr : w;
    if (w->isWindow()) return nullptr; // the open list of a combo box is a window of its own
  }
  return nullptr;
}

} // namespace

void WheelGuard::install() {
  static QPointer<WheelGuard> one;
  if (one || !qApp) return;
  one = new WheelGuard(qApp);
  qApp->installEventFilter(one);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
  case QEvent::Polish:
  case QEvent::Show:
    // The wheel would give them the focus before anybody is asked.
    if (auto* w = qobject_cast<QWidget*>(watched); w && w->focusPolicy() == Qt::WheelFocus && field_of(w) == w)
      w->setFocusPolicy(Qt::StrongFocus);
    break;
  case QEvent::MouseButtonPress:
  case QEvent::MouseButtonDblClick:
    if (auto* w = qobject_cast<QWidget*>(watched)) {
      QWidget* field = field_of(w);
      if (field || !clicked_ || !w->isAncestorOf(clicked_)) clicked_ = field;
    }
    break;
  case QEvent::Leave:
  case QEvent::FocusOut:
  case QEvent::Hide:
    if (watched == clicked_) clicked_ = nullptr;
    break;
  case QEvent::Wheel:
    if (auto* w = qobject_cast<QWidget*>(watched)) return keep_off(w, static_cast<QWheelEvent*>(event));
    break;
  default:
    break;
  }
  return QObject::eventFilter(watched, event);
}

/// True: the event is over for this widget, and goes on to the one around it.
bool WheelGuard::keep_off(QWidget* under, QWheelEvent* wheel) {
  // What was clicked may have been scrolled away from below the cursor, and another field under it.
  if (clicked_ && !clicked_->rect().contains(clicked_->mapFromGlobal(wheel->globalPosition().toPoint())))
    clicked_ = nullptr;
  QWidget* field = field_of(under);
  if (!field || field == clicked_) return false;
  wheel->ignore();
  return true;
}

} // namespace hallwright
