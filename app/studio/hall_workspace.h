// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include <QWidget>

#include "app/studio/document.h"
#include "widgets/plan/plan_view.h"

class QSplitter;
class QToolBar;
class QAction;
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
  void showOverlay(Overlay overlay); ///< on the plan and in its chooser
  /// The drawing tools in the order of menus, apart by null; they carry their keys.
  [[nodiscard]] const QList<QAction*>& toolActions() const { return tool_actions_; }
  void placePart(const QString& part);
  /// Puts a panel at the right of the plan, with a handle between them; it is hidden at first.
  void addBesidePlan(QWidget* panel);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void place_hint();
  void make_tools();
  void make_row_bar();
  void make_draw_bar();
  void show_bars(PlanTool tool);
  void fill_bars(PlanTool tool);
  void update_draw_settings();
  void make_along_bar();
  void fill_along_bar(PlanTool tool);
  void update_along_settings();
  void update_row_settings();
  void fill_row_types();
  void follow_row_names();
  void stand_side_by_side();
  Document& document_;
  PlanView* plan_ = nullptr;
  QToolBar* tools_ = nullptr;
  QActionGroup* tool_group_ = nullptr;
  QList<QAction*> tool_actions_;
  class OverflowLine* bar_ = nullptr;
  std::vector<QWidget*> row_fields_; ///< of the bar: what the row tool makes
  /// What a drawing tool starts with, kept while the window is open.
  struct ToolSize {
    double size_mm = 0, level_mm = 0;
  };
  std::map<PlanTool, ToolSize> sizes_;
  bool filling_ = false;
  QComboBox *draw_kind_ = nullptr, *draw_loop_ = nullptr;
  class QuantityEdit *draw_size_ = nullptr, *draw_level_ = nullptr;
  class QLineEdit* draw_text_ = nullptr;
  QLabel *draw_size_label_ = nullptr, *draw_level_label_ = nullptr;
  /// Of the tools that go along a row: what they made last is what they make next.
  QComboBox *feed_side_ = nullptr, *feed_part_ = nullptr, *feed_from_ = nullptr, *pipes_return_ = nullptr,
            *pipes_loop_ = nullptr;
  class QuantityEdit* pipes_velocity_ = nullptr;
  class QSpinBox* first_number_ = nullptr;
  QComboBox* numbering_ = nullptr;
  QComboBox* row_type_ = nullptr;
  class QSpinBox* row_count_ = nullptr;
  class QuantityEdit *pitch_ = nullptr, *cold_ = nullptr, *hot_ = nullptr;
  class QLineEdit* first_name_ = nullptr;
  bool row_type_chosen_ = false;
  QString first_name_base_ = QStringLiteral("R01"); ///< as typed: names count up from it
  QComboBox* overlay_ = nullptr;
  QComboBox* hall_ = nullptr;
  QLabel* hint_ = nullptr;
  QSplitter* split_ = nullptr; ///< the plan, and what stands beside it
};

} // namespace hallwright
