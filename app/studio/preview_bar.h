// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "checks/finding.h"

class QLabel;
class QPushButton;

namespace hallwright {

/// Says above the workspaces that a remedy is shown but not kept, what it does to the findings, and how it is applied
/// or left. Hidden while nothing is tried.
class PreviewBar : public QFrame {
  Q_OBJECT
public:
  explicit PreviewBar(QWidget* parent = nullptr);
  /// A remedy is tried: its words, and rule and place of the finding that it is to cure.
  void open(const QString& remedy, const QString& rule, const QString& place);
  /// What it does: findings before and with it.
  void showEffect(const std::vector<Finding>& before, const std::vector<Finding>& after);
  [[nodiscard]] QString effect() const;

Q_SIGNALS:
  void applyRequested();
  void cancelRequested();

private:
  QString rule_, place_;
  QLabel *remedy_ = nullptr, *effect_ = nullptr;
  QPushButton *apply_ = nullptr, *cancel_ = nullptr;
};

} // namespace hallwright
