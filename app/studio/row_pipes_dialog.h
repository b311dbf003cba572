// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QDialog>

#include "app/studio/document.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hallwright {

/// Coolant pipes for a row of racks: which row, direct or reverse return, how fast the coolant may run. What it would
/// draw is previewed on the plan while it is open, with its figures as a sentence.
class RowPipesDialog : public QDialog {
  Q_OBJECT
public:
  /// @param loop  0: that of the racks or of a unit nearby
  RowPipesDialog(Document& document, Id loop, QWidget* parent = nullptr);
  ~RowPipesDialog() override;
  [[nodiscard]] QString sentence() const;

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);

private:
  struct Row {
    QString name;
    std::vector<Id> racks;
  };
  void gather_rows();
  void choose();
  void draw();
  Document& document_;
  Id loop_ = 0;
  std::vector<Row> rows_;
  std::vector<std::pair<Id, double>> needs_; ///< by rack id [m3/s]
  QComboBox *row_ = nullptr, *return_ = nullptr;
  QLineEdit* velocity_ = nullptr;
  QLabel* sentence_ = nullptr;
  QPushButton* draw_ = nullptr;
  Edit edit_;
  bool previewed_ = false;
};

} // namespace hallwright
