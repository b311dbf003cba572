// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/document.h"
#include "widgets/plan/plan_view.h"

class QToolBar;
class QActionGroup;
class QComboBox;
class QLabel;

namespace hallwright {

/// The plan with its tools at the left, the row tool's settings above, and the overlay chooser.
class HallWorkspace : public QWidget {
  Q_OBJECT
public:
  explicit HallWorkspace(Document& document, QWidget* parent = nullptr);
  [[nodiscard]] PlanView* plan() const { return plan_; }
  /// New design or preview; newest evaluation.
  void showDesign();
  void showEvaluation();
  void setTool(PlanTool tool);
  void placePart(const QString& part);
  /// Puts a panel at the right of the plan, with a handle between them; it is hidden at first.
  void addBesidePlan(QWidget* panel);

private:
  void update_row_settings();
  void fill_row_types();
  Document& document_;
  PlanView* plan_ = nullptr;
  QToolBar* tools_ = nullptr;
  QActionGroup* tool_group_ = nullptr;
  QWidget* row_bar_ = nullptr;
  QComboBox* row_type_ = nullptr;
  class QSpinBox* row_count_ = nullptr;
  class QuantityEdit *pitch_ = nullptr, *cold_ = nullptr, *hot_ = nullptr;
  class QLineEdit* first_name_ = nullptr;
  QComboBox* overlay_ = nullptr;
  QComboBox* hall_ = nullptr;
  QLabel* hint_ = nullptr;
  class QSplitter* split_ = nullptr; ///< the plan, and what stands beside it
};

} // namespace hallwright
