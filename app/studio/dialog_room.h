// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QScreen>

namespace hallwright {

/// Size of a dialog as wished, or what its screen has room for with a window frame round it.
inline QSize within_screen(const QDialog& dialog, const QSize& wished) {
  const QWidget* parent = dialog.parentWidget();
  const QScreen* screen = parent ? parent->screen() : dialog.screen();
  if (!screen) return wished;
  constexpr int frame = 16, title = 48; // beside and above the dialog, of usual window managers
  return wished.boundedTo(screen->availableSize() - QSize(frame, title));
}

} // namespace hallwright
