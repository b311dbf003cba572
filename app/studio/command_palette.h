// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QString>

class QLineEdit;
class QListWidget;

namespace hallwright {

/// One thing that the palette can do or go to.
struct PaletteEntry {
  QString text;
  QString detail; ///< shortcut, or what kind of thing it is
  std::function<void()> run;
};

/// Ctrl+Shift+P: actions (>), things of the design (@), figures (#). Typing filters; Enter runs.
class CommandPalette : public QDialog {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget* parent = nullptr);
  /// `actions`, `things`, `figures` are searched in this order; a first character > @ # picks one of them.
  void open(std::vector<PaletteEntry> actions, std::vector<PaletteEntry> things, std::vector<PaletteEntry> figures);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void filter();
  void run_current();
  std::vector<PaletteEntry> lists_[3];
  std::vector<const PaletteEntry*> shown_;
  QLineEdit* input_ = nullptr;
  QListWidget* list_ = nullptr;
};

} // namespace hallwright
