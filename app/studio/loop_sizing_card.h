// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "app/studio/document.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace hallwright {

/// How many of which distribution unit a loop takes, and which pipes: every unit of the catalog for the heat and flow
/// of its racks, or for amounts that are typed. The chosen one can be made the unit of the design.
class LoopSizingCard : public QWidget {
  Q_OBJECT
public:
  explicit LoopSizingCard(Document& document, QWidget* parent = nullptr);
  /// @param heat_w, flow_m3_per_s  of the racks of the loop; what is typed holds instead
  void setLoop(const QString& name, double heat_w, double flow_m3_per_s);
  [[nodiscard]] QTableWidget* table() const { return table_; }
  [[nodiscard]] QString pipeWords() const;

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);

private:
  void fill();
  void use();
  Document& document_;
  double heat_w_ = 0, flow_m3_per_s_ = 0;
  QLineEdit *heat_ = nullptr, *flow_ = nullptr, *velocity_ = nullptr;
  QComboBox* redundancy_ = nullptr;
  QLabel* words_ = nullptr;
  QTableWidget* table_ = nullptr;
  QPushButton* use_ = nullptr;
  std::vector<std::string> parts_;
};

} // namespace hallwright
