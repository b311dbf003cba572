// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace hallwright {

/// Says above the other workspaces that units are out in Power, or in Cooling, and what that does, until they are restored.
class FailureBar : public QFrame {
  Q_OBJECT
public:
  /// @param show  words of the button that leads to the workspace, "Show in Power"
  explicit FailureBar(const QString& show, QWidget* parent = nullptr);
  /// @param sentence  empty: everything is in service
  void tell(const QString& sentence);
  void setQuiet(bool quiet); ///< the workspace in front says it itself
  [[nodiscard]] QString text() const;

Q_SIGNALS:
  void showRequested();
  void restoreRequested();

private:
  QLabel* words_ = nullptr;
  bool quiet_ = false;
};

} // namespace hallwright
