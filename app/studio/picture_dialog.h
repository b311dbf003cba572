// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QDialog>

#include "app/studio/print_dialog.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace hallwright {

/// The whole plan as one picture, as large as the drawing: PNG of chosen dots an inch, SVG, or the clipboard.
class PictureDialog : public QDialog {
  Q_OBJECT
public:
  /// `page`: hall, overlay and hidden layers.
  PictureDialog(PrintJob job, const PlanPage& page, QWidget* parent = nullptr);
  [[nodiscard]] std::shared_ptr<const PlanPrint> print() const { return print_; }

Q_SIGNALS:
  void told(const QString& sentence, bool problem);

private:
  void refresh();
  void save_as(const QString& suffix);
  PrintJob job_;
  PlanPage page_;
  std::shared_ptr<const PlanPrint> print_;
  QComboBox* scale_ = nullptr;
  QSpinBox* dpi_ = nullptr;
  QCheckBox *legend_ = nullptr, *block_ = nullptr;
  QLabel* size_ = nullptr;
  QPushButton *png_ = nullptr, *svg_ = nullptr, *copy_ = nullptr;
};

/// Puts the plan on the clipboard: a picture, and the same as SVG.
void copy_plan(const PlanPrint& print, int most_pixels);

} // namespace hallwright
