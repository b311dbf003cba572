// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPushButton>
#include <QTest>

#include "app/studio/studio_window.h"

/// From the start page: New design, and Enter for an empty floor. False: the dialog did not come or go.
inline bool begin_new_design(hallwright::StudioWindow& w) {
  auto* start = w.findChild<QPushButton*>(QStringLiteral("start_new"));
  if (!start) return false;
  QTest::mouseClick(start, Qt::LeftButton);
  auto* dialog = w.findChild<QDialog*>(QStringLiteral("new_design_dialog"));
  if (!dialog || !dialog->isVisible()) return false;
  QTest::keyClick(dialog, Qt::Key_Return);
  if (dialog->isVisible()) return false;
  w.activateWindow(); // as a window manager does
  return QTest::qWaitForWindowActive(&w);
}
