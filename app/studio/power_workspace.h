// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "app/studio/document.h"
#include "widgets/one_line/one_line_view.h"

class QAction;
class QFrame;
class QLabel;
class QMenu;
class QPushButton;
class QTabWidget;
class QToolButton;

namespace hallwright {

class FigureTable;
class PowerBuswayPage;
class PowerGrowthPage;
class PowerListsPage;
class PowerSwingPage;

/// Power: the one-line diagram with every failure, growth, busways, the training load, panel schedules and the way back
/// after a blackout, and the inputs with their figures.
///
/// Failing units here answers a question and is no edit: what is out is forgotten with the window.
class PowerWorkspace : public QWidget {
  Q_OBJECT
public:
  enum Page { diagram_page, busway_page, growth_page, swing_page, lists_page, inputs_page };
  /// @param inputs  the page with inputs, figures and tables of the subject; becomes a tab of its own
  PowerWorkspace(Document& document, QWidget* inputs, QWidget* parent = nullptr);

  [[nodiscard]] OneLineView* view() const { return view_; }
  [[nodiscard]] FigureTable* sweep() const { return sweep_; }
  [[nodiscard]] PowerBuswayPage* busways() const { return busways_; }
  [[nodiscard]] PowerListsPage* lists() const { return lists_; }
  [[nodiscard]] PowerGrowthPage* growth() const { return growth_; }
  [[nodiscard]] PowerSwingPage* swing() const { return swing_; }
  /// What the banner says of the units that are out; empty: all are in service.
  [[nodiscard]] QString bannerText() const;
  void showPage(int page) const;
  /// Shows the document's newest design and evaluation; does nothing while hidden (asked again when shown).
  void refresh();
  void showSelection();
  /// The commands in the order of the menu, apart by null; they go into the palette too.
  [[nodiscard]] const std::vector<QAction*>& commands() const { return commands_; }
  [[nodiscard]] QAction* densityCommand() const { return density_action_; }
  void restoreAll();

Q_SIGNALS:
  void figureActivated(const QString& figure);
  void editRequested(const hallwright::Edit& edit);
  void told(const QString& sentence, bool problem);
  void wanted(); ///< this workspace has something to show
  /// What the units that are out here do, and the racks that are dark with them, by id; both empty: nothing is out.
  void caseChanged(const QString& sentence, const std::vector<hallwright::Id>& dark);

protected:
  void showEvent(QShowEvent* event) override;

private:
  QWidget* make_diagram_page();
  void make_commands();
  void fill_add_menu();
  void show_case();
  void fill_page();
  void fill_context_menu(QMenu& menu);
  void update_commands();
  void add_unit(PowerUnitKind kind, Id below);
  [[nodiscard]] bool may_stand_by(Id unit) const;

  Document& document_;
  QTabWidget* pages_ = nullptr;
  OneLineView* view_ = nullptr;
  FigureTable* sweep_ = nullptr;
  PowerBuswayPage* busways_ = nullptr;
  PowerListsPage* lists_ = nullptr;
  PowerGrowthPage* growth_ = nullptr;
  PowerSwingPage* swing_ = nullptr;
  std::shared_ptr<const OneLineStudy> study_;
  QFrame* banner_ = nullptr;
  QLabel *banner_words_ = nullptr, *normal_words_ = nullptr;
  QPushButton *fail_ = nullptr, *restore_ = nullptr;
  QToolButton *add_ = nullptr, *folds_ = nullptr;
  QMenu* add_menu_ = nullptr;
  std::vector<QAction*> commands_;
  QAction *fail_action_ = nullptr, *restore_action_ = nullptr, *zoom_action_ = nullptr, *folds_action_ = nullptr;
  QAction* density_action_ = nullptr;
  QString told_;      ///< by the banner
  QString told_case_; ///< to the window
  std::vector<Id> dark_;
  bool pending_ = true;
};

} // namespace hallwright
