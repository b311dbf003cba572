// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;
class QToolButton;

namespace hallwright {

/// The pages of `resources/help`, with their contents at the left, a search over all of them, and the way back. The rules
/// that are checked are a page made from the rules themselves.
class HelpWindow : public QDialog {
  Q_OBJECT
public:
  explicit HelpWindow(QWidget* parent = nullptr);
  /// @param page name of a page without ending: "first-steps", "rules"
  void showPage(const QString& page);
  [[nodiscard]] QString page() const;

private:
  void fill_contents();
  void search(const QString& words);
  void find_in_page(const QString& words);
  QListWidget* contents_ = nullptr;
  QLineEdit* search_ = nullptr;
  QTextBrowser* text_ = nullptr;
};

} // namespace hallwright
