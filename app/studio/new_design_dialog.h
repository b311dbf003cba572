// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "study/starting_point.h"

class QComboBox;
class QLabel;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace hallwright {

class QuantityEdit;

/// Asks what is known before a new design begins, and tells what that leads to.
class NewDesignDialog : public QDialog {
  Q_OBJECT
public:
  explicit NewDesignDialog(const Shared<Catalog>& catalog, QWidget* parent = nullptr);
  /// The design that was told of last.
  [[nodiscard]] const Design& design() const { return design_; }

private:
  void changed();
  Shared<Catalog> catalog_;
  Design design_;
  QRadioButton *nothing_ = nullptr, *by_power_ = nullptr, *by_gpus_ = nullptr;
  QuantityEdit* power_ = nullptr;
  QSpinBox* gpus_ = nullptr;
  QComboBox* node_ = nullptr;
  QLabel *node_label_ = nullptr, *effect_ = nullptr;
  QPushButton* begin_ = nullptr;
};

} // namespace hallwright
