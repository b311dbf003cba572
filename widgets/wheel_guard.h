// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;
class QWheelEvent;

namespace hallwright {

/// Keeps the mouse wheel from editing: a list of choices, number box or slider takes it only after a click into it, and
/// as long as the cursor stays there. Otherwise what lies around is scrolled, as if the field were not there.
class WheelGuard : public QObject {
public:
  /// One for all windows and dialogs of the application; more calls change nothing.
  static void install();

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  using QObject::QObject;
  bool keep_off(QWidget* under, QWheelEvent* wheel);
  QPointer<QWidget> clicked_; ///< the field that may take the wheel
};

} // namespace hallwright
