// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

namespace hallwright {

/// Size of a dialog as wished, or what its screen has room for with a window frame round it.
inline QSize within_screen(const QDialog& dialog, const QSize& wished) {
  const QWidget* parent = dialog.parentWidget();
  const QScreen* screen = parent ? parent->screen() : dialog.screen();
  if (!screen) return wished;
  constexpr int frame = 16, title = 48; // beside and above the dialog, of usual window managers
  return wished.boundedTo(screen->availableSize() - QSize(frame, title));
}

/// A column of options that is scrolled on a small screen, while the buttons below it stay.
struct OptionColumn {
  QScrollArea* scroll;
  QWidget* options; ///< what is scrolled: parent of the fields
  QVBoxLayout* column;
};
inline OptionColumn option_column(QWidget* parent) {
  auto* scroll = new QScrollArea(parent);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* options = new QWidget(scroll);
  auto* column = new QVBoxLayout(options);
  scroll->setWidget(options);
  return {scroll, options, column};
}

} // namespace hallwright
