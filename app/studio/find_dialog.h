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

/// "Find and select": a table, a field, a comparison and a value with its unit; the number of results is live.
class FindDialog : public QDialog {
  Q_OBJECT
public:
  explicit FindDialog(Document& document, QWidget* parent = nullptr);

private:
  void fill_fields();
  void refresh();
  void choose(bool add);
  Document& document_;
  QComboBox *table_ = nullptr, *field_ = nullptr, *comparison_ = nullptr;
  QLineEdit* value_ = nullptr;
  QLabel *count_ = nullptr, *help_ = nullptr;
  QPushButton *select_ = nullptr, *add_ = nullptr;
  std::vector<FieldInfo> fields_;
  std::vector<EntityRef> found_;
};

} // namespace hallwright
