// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <vector>

#include <QMainWindow>

#include "app/studio/document.h"
#include "app/studio/session.h"

class QLabel;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QPlainTextEdit;

namespace hallwright {

class HeadlineStrip;
class ExplainPanel;
class InspectorPanel;
class PartsPanel;
class OutlinePanel;
class ChecksPanel;
class HallWorkspace;
class SubjectWorkspace;
class TrainingWorkspace;
class PowerWorkspace;
class CompareWorkspace;
class CoolingWorkspace;
class FabricWorkspace;
class FailureBar;
class CommandPalette;
class HelpWindow;
class KeptBar;
class LayoutPanel;
class PreviewBar;
class RackElevationActions;

/// A remembered place of a window (without its frame) brought into `room`, frame and title bar and all: no smaller than
/// `least`, no larger than the room.
QRect fitted_geometry(const QRect& wanted, const QMargins& frame, const QSize& least, const QRect& room);

/// The window: wiring of document, docks and workspaces, menus, session. It computes nothing.
class StudioWindow : public QMainWindow {
  Q_OBJECT
public:
  explicit StudioWindow(const Shared<Catalog>& catalog, QWidget* parent = nullptr);
  ~StudioWindow() override;

  /// Opens a project file; on refusal the start page stays and the reason is shown.
  bool openPath(const QString& path);
  [[nodiscard]] Document& document() { return *document_; }
  [[nodiscard]] HallWorkspace* hall() const { return hall_; }
  [[nodiscard]] FabricWorkspace* fabric() const { return fabric_; }
  [[nodiscard]] TrainingWorkspace* training() const { return training_; }
  [[nodiscard]] PowerWorkspace* power() const { return power_; }
  [[nodiscard]] CoolingWorkspace* cooling() const { return cooling_; }
  [[nodiscard]] HeadlineStrip* headlines() const { return headlines_; }
  [[nodiscard]] ExplainPanel* explain() const { return explain_; }
  [[nodiscard]] InspectorPanel* inspector() const { return inspector_; }
  [[nodiscard]] PartsPanel* parts() const { return parts_; }
  [[nodiscard]] ChecksPanel* checks() const { return checks_; }
  [[nodiscard]] RackElevationActions* rackElevation() const { return elevation_; }
  void showWorkspace(int index);
  /// Saves without asking; the tests' and the recovery's way in.
  bool saveTo(const QString& path, bool replace = false);

protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void make_docks();
  void make_workspaces();
  void make_overlay_actions(QMenu* menu);
  void make_menus();
  void wire();
  void show_start_page();
  void show_studio();
  void begin(const Design& design);
  void update_title();
  void offer_kept_changes();
  void take_kept_changes();
  void discard_kept_changes();
  void forget_kept_changes();
  void ask_about_changed_file(const QString& path);
  void reload();
  void show_evaluation();
  void show_design();
  void show_selection();
  void show_population();
  void fit_population();
  void recolour();
  void message(const QString& text, bool problem = false);
  bool maybe_keep(); ///< false: the user wants to stay
  bool save();
  bool save_as();
  void new_design();
  void fit_job();
  void open_dialog();
  void explain_figure(const QString& id);
  void remove_selection();
  void apply(const Edit& edit);
  void copy();
  void cut();
  void paste(bool in_place);
  void paste_racks(const QString& text);
  void duplicate_selection();
  void array_dialog();
  void layout_racks();
  void make_room_for_layout();
  void close_layout();
  void fill_dialog();
  void rotate_dialog();
  void gap_dialog();
  void move_dialog();
  /// The keys go to the plan when it is shown and nothing is being written.
  void focus_plan();
  void mirror_selection(MirrorAxis axis);
  void group_selection();
  void ungroup_selection();
  void lock_selection(bool locked);
  void find_and_select();
  void select_all();
  void invert_selection();
  void make_selection_actions(QMenu* menu);
  void make_arrange_menu(QMenu* menu);
  void make_valve_actions(QMenu* menu);
  QAction *shut_valve_ = nullptr, *open_valve_ = nullptr;
  void make_layer_actions(QMenu* menu);
  void make_drawing_preferences(QMenu* menu);
  void fill_context_menu(QMenu& menu);
  [[nodiscard]] Id paste_hall() const;
  void align_selection(AlignEdge edge);
  void distribute_selection(DistributeAxis axis);
  void select_same_type();
  void try_remedy(const Edit& edit, const QString& rule, const QString& place);
  void end_preview();
  void undo();
  void waive(const QString& rule, const QString& place);
  void new_rack_type();
  void open_palette();
  void show_training();
  void show_help(const QString& page);
  void restore_layout();
  void fit_docks();
  void arrange_docks();
  void give_side_dock_its_width();
  [[nodiscard]] QDockWidget* dock(const char* name) const;
  QAction* add_action(QMenu* menu, const QString& text, const QKeySequence& key, const QString& icon_name, std::function<void()> run);

  LiveEvaluator* evaluator_ = nullptr;
  Document* document_ = nullptr;
  Session* session_ = nullptr;
  StartPage* start_ = nullptr;
  QStackedWidget* stack_ = nullptr; ///< start page or studio
  HeadlineStrip* headlines_ = nullptr;
  QTabBar* tabs_ = nullptr;
  QToolButton *population_ = nullptr, *status_checks_ = nullptr;
  PreviewBar* preview_bar_ = nullptr;
  KeptBar* kept_bar_ = nullptr;
  class QDockWidget* layout_dock_ = nullptr;
  LayoutPanel* layout_ = nullptr; ///< while racks are laid out by rule
  std::set<QString> gave_room_;   ///< docks that are hidden while it stands in their place
  std::optional<KeptChanges> kept_; ///< of an earlier run, not taken and not discarded
  QAction *take_kept_ = nullptr, *discard_kept_ = nullptr;
  QString recovery_problem_; ///< why changes are not kept for recovery at present; empty: they are
  Edit tried_;                ///< the remedy that the bar tells of
  quint64 tried_preview_ = 0; ///< its number among the document's previews; 0: none
  QStackedWidget* workspaces_ = nullptr;
  HallWorkspace* hall_ = nullptr;
  class PlanActions* plan_actions_ = nullptr;
  std::vector<SubjectWorkspace*> subjects_;
  FabricWorkspace* fabric_ = nullptr;
  PowerWorkspace* power_ = nullptr;
  FailureBar *failure_bar_ = nullptr, *coolant_bar_ = nullptr; ///< of Power; of Cooling
  std::vector<EntityRef> power_out_, cooling_out_;              ///< crossed out on the plan
  void tell_snap(const QString& what);
  void show_plan_status();
  void show_out_of_service();
  TrainingWorkspace* training_ = nullptr;
  CoolingWorkspace* cooling_ = nullptr;
  CompareWorkspace* compare_ = nullptr;
  PartsPanel* parts_ = nullptr;
  OutlinePanel* outline_ = nullptr;
  InspectorPanel* inspector_ = nullptr;
  ExplainPanel* explain_ = nullptr;
  ChecksPanel* checks_ = nullptr;
  QPlainTextEdit* messages_ = nullptr;
  CommandPalette* palette_ = nullptr;
  HelpWindow* help_ = nullptr; ///< made at first use
  RackElevationActions* elevation_ = nullptr;
  QAction* undo_ = nullptr;
  QLabel *status_position_ = nullptr, *status_snap_ = nullptr, *status_zoom_ = nullptr, *status_time_ = nullptr, *status_saved_ = nullptr;
  std::vector<QDockWidget*> docks_;
  std::vector<QAction*> palette_actions_;
  std::vector<QAction*> plan_menu_; ///< of the menu on the plan, apart by null
  QByteArray default_layout_;
  QByteArray roomy_layout_; ///< kept while the window is too small for it
  bool narrow_ = false;     ///< one side dock at a time, at the right
  bool low_ = false;        ///< no bottom docks, side docks as tabs instead of one above the other
  bool sized_ = false; ///< docks have a size of the user's, or their first one
  double recompute_ms_ = 0.0;
  quint64 nudge_gesture_ = 0;
  class QTimer* nudge_pause_ = nullptr;
};

} // namespace hallwright
