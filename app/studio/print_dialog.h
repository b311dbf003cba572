// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QDialog>
#include <QStringList>

#include "app/studio/live_evaluator.h"
#include "widgets/plan/plan_page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTimer;
class QToolButton;

namespace hallwright {

class PlanPreview;
class PlanPrint;

/// What is printed: a design as it is now.
struct PrintJob {
  Design design;
  Shared<Catalog> catalog;
  SharedEvaluation evaluation;
  QString project_file;      ///< empty: not saved yet
  QString stem;              ///< of the names of files that are written
  QStringList overlay_names; ///< in the order of `Overlay`
  std::vector<std::pair<PlanLayer, QString>> layer_names;
};

/// Options at the left, the sheet as it will be at the right. What was chosen is remembered for each project in the
/// settings of the program, not in the project.
class PrintDialog : public QDialog {
  Q_OBJECT
public:
  PrintDialog(PrintJob job, const PlanPage& first, QWidget* parent = nullptr);
  ~PrintDialog() override;

  /// What was chosen for this project the last time; `otherwise` where it was never printed.
  static PlanPage remembered(const QString& project_file, const PlanPage& otherwise);
  [[nodiscard]] const PlanPage& page() const { return page_; }
  [[nodiscard]] PlanPreview* preview() const { return preview_; }
  [[nodiscard]] std::shared_ptr<const PlanPrint> print() const { return print_; }
  /// Lays the sheets out now, without the pause that typing gets.
  void refresh();

Q_SIGNALS:
  void told(const QString& sentence, bool problem);

protected:
  /// Enter shows what was typed; on a button it presses that.
  void keyPressEvent(QKeyEvent* event) override;
  void done(int result) override;

private:
  void build();
  void show_page();
  void read_page();
  void changed();
  void show_sheet();
  void print_on_paper();
  void save_as(const QString& suffix, const QString& title);
  void remember() const;

  PrintJob job_;
  PlanPage page_;
  std::shared_ptr<const PlanPrint> print_;
  PlanPreview* preview_ = nullptr;
  QTimer* pause_ = nullptr;
  bool filling_ = false;
  QComboBox *paper_ = nullptr, *orientation_ = nullptr, *scale_ = nullptr, *hall_ = nullptr, *overlay_ = nullptr;
  QSpinBox *margin_ = nullptr, *overlap_ = nullptr, *north_ = nullptr, *dpi_ = nullptr;
  std::vector<std::pair<PlanLayer, QCheckBox*>> layers_;
  QCheckBox *underlays_ = nullptr, *grid_ = nullptr, *block_ = nullptr, *legend_ = nullptr, *bar_ = nullptr,
            *arrow_ = nullptr, *index_ = nullptr;
  QLineEdit *project_ = nullptr, *title_ = nullptr, *author_ = nullptr, *date_ = nullptr, *revision_ = nullptr;
  QLabel *summary_ = nullptr, *sheet_words_ = nullptr, *zoom_words_ = nullptr;
  QToolButton *previous_ = nullptr, *next_ = nullptr;
  std::vector<QPushButton*> writers_;
};

} // namespace hallwright
