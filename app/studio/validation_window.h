// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QDialog>
#include <QThreadPool>

#include "catalog/catalog.h"
#include "design/design.h"
#include "training/validation.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace hallwright {

class ValidationModel;

/// Every published run that the step-time model is held against, with ours beside it: sorted, searched, summed up by
/// kind and by source.
class ValidationWindow : public QDialog {
  Q_OBJECT
public:
  /// @param catalog the constants that the runs are computed with
  explicit ValidationWindow(Shared<Catalog> catalog, QWidget* parent = nullptr);
  ~ValidationWindow() override;
  [[nodiscard]] QTableView* table() const { return table_; }

private:
  void show_answer(const std::shared_ptr<const TrainingValidation>& answer, const QString& problem);
  void show_summary();
  Shared<Catalog> catalog_;
  std::shared_ptr<const TrainingValidation> answer_;
  ValidationModel* model_ = nullptr;
  QTableView* table_ = nullptr;
  QComboBox* family_ = nullptr;
  QLineEdit* search_ = nullptr;
  QLabel *summary_ = nullptr, *note_ = nullptr;
  QThreadPool pool_;
};

} // namespace hallwright
