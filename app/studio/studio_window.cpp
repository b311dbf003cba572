// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/studio_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFormLayout>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QUndoView>
#include <QUrl>
#include <QVBoxLayout>

#include "app/studio/cabling_dialog.h"
#include "app/studio/cluster_size.h"
#include "app/studio/command_palette.h"
#include "app/studio/compare_workspace.h"
#include "app/studio/exports.h"
#include "app/studio/cooling_workspace.h"
#include "app/studio/fabric_workspace.h"
#include "app/studio/failure_bar.h"
#include "app/studio/figure_sensitivity.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/help_window.h"
#include "app/studio/validation_window.h"
#include "app/studio/kept_changes.h"
#include "app/studio/layout_search_card.h"
#include "app/studio/new_design_dialog.h"
#include "app/studio/plan_selection.h"
#include "app/studio/preview_bar.h"
#include "app/studio/rack_elevation_actions.h"
#include "app/studio/plan_actions.h"
#include "app/studio/power_exports.h"
#include "app/studio/power_workspace.h"
#include "app/studio/subject_workspace.h"
#include "app/studio/training_workspace.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/quantity_edit.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "widgets/theme.h"
#include "widgets/wheel_guard.h"

namespace hallwright {
namespace {
constexpr int layout_version = 2;
// Below these many letters and lines the window is too small for docks on three sides.
constexpr int roomy_letters = 168, roomy_lines = 42;

/// Tabs as wide as their bold words, chosen or not: none moves when another one is chosen.
class SteadyTabs final : public QTabBar {
public:
  using QTabBar::QTabBar;

protected:
  QSize tabSizeHint(int index) const override {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    constexpr int padding = 2 * 18; // of the style sheet
    return {QFontMetrics(bold).horizontalAdvance(tabText(index)) + padding + 2, QTabBar::tabSizeHint(index).height()};
  }
};
/// Asks for the room that the page in front needs, not for that of the widest page behind it: docks beside it keep theirs.
class FrontStack final : public QStackedWidget {
public:
  explicit FrontStack(QWidget* parent) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
  }
  [[nodiscard]] QSize minimumSizeHint() const override {
    const QWidget* front = currentWidget();
    return front ? front->minimumSizeHint().expandedTo(front->minimumSize()) : QStackedWidget::minimumSizeHint();
  }
};
} // namespace

StudioWindow::StudioWindow(const Shared<Catalog>& catalog, QWidget* parent) : QMainWindow(parent) {
  setObjectName(QStringLiteral("studio"));
  WheelGuard::install(); // before the first field is made
  evaluator_ = new LiveEvaluator(this);
  evaluator_->setCatalog(catalog);
  document_ = new Document(*evaluator_, this);
  session_ = new Session(this);
  palette_ = new CommandPalette(this);
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // its tabs stay where they are, too
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

  stack_ = new FrontStack(this);
  start_ = new StartPage(stack_);
  stack_->addWidget(start_);
  make_workspaces();
  setCentralWidget(stack_);
  make_docks();
  plan_actions_ = new PlanActions(*document_, *session_, *hall_, *this);
  connect(plan_actions_, &PlanActions::told, this, [this](const QString& sentence, bool problem) { message(sentence, problem); });
  make_menus();
  wire();
  qApp->installEventFilter(this);
  // Smaller than what is in it wants: then docks make room, see fit_docks.
  setMinimumSize(fontMetrics().averageCharWidth() * 84, fontMetrics().height() * 20);
  resize(QSize(1500, 900).boundedTo(screen()->availableSize() - QSize(0, style()->pixelMetric(QStyle::PM_TitleBarHeight))));
  restore_layout();
  show_start_page();
}

StudioWindow::~StudioWindow() {
  hide(); // a field with the focus commits or refuses what is typed while everything is still there
  document_->undoStack().disconnect(this); // it is emptied among the children, when the title is gone
}

void StudioWindow::make_workspaces() {
  auto* studio = new QWidget(stack_);
  auto* column = new QVBoxLayout(studio);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tabs_ = new SteadyTabs(this); // stands below the headlines, see make_docks
  tabs_->setObjectName(QStringLiteral("workspace_tabs"));
  tabs_->setAccessibleName(tr("Workspaces"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(true);
  workspaces_ = new FrontStack(studio);
  hall_ = new HallWorkspace(*document_, workspaces_);
  tabs_->addTab(tr("Hall"));
  workspaces_->addWidget(hall_);
  elevation_ = new RackElevationActions(*document_, *hall_, *this);
  // In a small window their cards keep their size and are scrolled.
  const auto add_scrolled = [this](QWidget* workspace) {
    auto* scroll = new QScrollArea(workspaces_);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(workspace);
    workspaces_->addWidget(scroll);
  };
  for (const SubjectSpec& spec : subject_specs()) {
    auto* w = new SubjectWorkspace(*document_, spec, workspaces_);
    subjects_.push_back(w);
    if (spec.name == QLatin1String("Fabric")) {
      fabric_ = new FabricWorkspace(*document_, w, workspaces_);
      add_scrolled(fabric_); // it asks for more room than a small window has beside a dock
    } else if (spec.name == QLatin1String("Training")) {
      training_ = new TrainingWorkspace(*document_, w, workspaces_);
      add_scrolled(training_);
    } else if (spec.name == QLatin1String("Power")) {
      power_ = new PowerWorkspace(*document_, w, workspaces_);
      add_scrolled(power_);
    } else if (spec.name == QLatin1String("Cooling")) {
      cooling_ = new CoolingWorkspace(*document_, w, workspaces_);
      add_scrolled(cooling_);
    } else {
      add_scrolled(w);
    }
    tabs_->addTab(spec.name);
  }
  compare_ = new CompareWorkspace(*document_, workspaces_);
  add_scrolled(compare_);
  tabs_->addTab(tr("Compare"));
  kept_bar_ = new KeptBar(studio);
  column->addWidget(kept_bar_);
  preview_bar_ = new PreviewBar(studio);
  column->addWidget(preview_bar_);
  failure_bar_ = new FailureBar(tr("Show in Power"), studio);
  column->addWidget(failure_bar_);
  coolant_bar_ = new FailureBar(tr("Show in Cooling"), studio);
  column->addWidget(coolant_bar_);
  column->addWidget(workspaces_, 1);
  stack_->addWidget(studio);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int i) {
    workspaces_->setCurrentIndex(i);
    show_plan_status();
    failure_bar_->setQuiet(workspaces_->widget(i) && workspaces_->widget(i)->isAncestorOf(power_));
    coolant_bar_->setQuiet(workspaces_->widget(i) && workspaces_->widget(i)->isAncestorOf(cooling_));
    // The plan's side docks make room for the cards of the other workspaces.
    const bool plan = i == 0;
    for (QDockWidget* d : docks_)
      if (d->objectName() == QLatin1String("dock_parts") || d->objectName() == QLatin1String("dock_outline"))
        d->setVisible(plan && stack_->currentIndex() == 1 && gave_room_.count(d->objectName()) == 0);
    // Whoever comes to the plan has its keys, but for one who walks along the tabs by keyboard.
    if (plan && stack_->currentIndex() == 1 && !tabs_->hasFocus()) {
      if (hall_->isAncestorOf(focusWidget())) hall_->plan()->setFocus(Qt::OtherFocusReason);
      else focus_plan();
    }
  });
}

void StudioWindow::make_docks() {
  auto dock = [&](const QString& name, const QString& title, QWidget* body, Qt::DockWidgetArea area) {
    auto* d = new QDockWidget(title, this);
    d->setObjectName(name);
    body->setAttribute(Qt::WA_StyledBackground);
    d->setWidget(body);
    d->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetFloatable);
    addDockWidget(area, d);
    docks_.push_back(d);
    return d;
  };
  // The strip and the tabs below it stand above everything, as a tool bar that cannot be moved away: no dock beside
  // them moves the tabs from their places.
  auto* head = new QWidget(this);
  auto* head_column = new QVBoxLayout(head);
  head_column->setContentsMargins(0, 0, 0, 0);
  head_column->setSpacing(0);
  head_column->setSizeConstraint(QLayout::SetMinAndMaxSize);
  headlines_ = new HeadlineStrip(head);
  auto* tab_row = new QWidget(head);
  tab_row->setObjectName(QStringLiteral("tab_row"));
  auto* tab_line = new QHBoxLayout(tab_row);
  tab_line->setContentsMargins(spacing_unit, 0, spacing_unit, 0);
  tab_line->addWidget(tabs_, 1);
  population_ = new QToolButton(tab_row);
  population_->setObjectName(QStringLiteral("population"));
  population_->setAutoRaise(true);
  population_->setToolTip(tr("Size of the cluster: a click tells how it comes about"));
  connect(population_, &QToolButton::clicked, this, [this] { explain_figure(QStringLiteral("population.gpus")); });
  tab_line->addWidget(population_);
  head_column->addWidget(headlines_);
  head_column->addWidget(tab_row);
  auto* strip = new QDockWidget(this);
  strip->setObjectName(QStringLiteral("dock_headlines"));
  strip->setTitleBarWidget(new QWidget(strip));
  strip->setFeatures(QDockWidget::NoDockWidgetFeatures);
  strip->setWidget(head);
  setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
  setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
  addDockWidget(Qt::TopDockWidgetArea, strip);
  docks_.push_back(strip);

  parts_ = new PartsPanel(this);
  dock(QStringLiteral("dock_parts"), tr("Parts"), parts_, Qt::LeftDockWidgetArea);
  outline_ = new OutlinePanel(this);
  dock(QStringLiteral("dock_outline"), tr("Outline"), outline_, Qt::LeftDockWidgetArea);
  inspector_ = new InspectorPanel(this);
  dock(QStringLiteral("dock_inspector"), tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
  explain_ = new ExplainPanel(this);
  dock(QStringLiteral("dock_explain"), tr("Explain"), explain_, Qt::RightDockWidgetArea);
  checks_ = new ChecksPanel(this);
  auto* checks = dock(QStringLiteral("dock_checks"), tr("Checks"), checks_, Qt::BottomDockWidgetArea);
  auto* history = new QUndoView(&document_->undoStack(), this);
  history->setEmptyLabel(tr("As opened"));
  history->setAccessibleName(tr("History"));
  auto* history_dock = dock(QStringLiteral("dock_history"), tr("History"), history, Qt::BottomDockWidgetArea);
  messages_ = new QPlainTextEdit(this);
  messages_->setReadOnly(true);
  messages_->setAccessibleName(tr("Messages"));
  messages_->setPlaceholderText(tr("What was saved, refused or exported is told here."));
  auto* message_dock = dock(QStringLiteral("dock_messages"), tr("Messages"), messages_, Qt::BottomDockWidgetArea);
  // Their tabs are their titles.
  for (QDockWidget* d : {checks, history_dock, message_dock}) d->setTitleBarWidget(new QWidget(d));
  tabifyDockWidget(checks, history_dock);
  tabifyDockWidget(history_dock, message_dock);
  checks->raise();
  setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);

  auto* bar = statusBar();
  status_position_ = new QLabel(this);
  status_snap_ = new QLabel(this);
  status_zoom_ = new QLabel(this);
  status_position_->setObjectName(QStringLiteral("status_position"));
  status_snap_->setObjectName(QStringLiteral("status_snap"));
  status_zoom_->setObjectName(QStringLiteral("status_zoom"));
  status_time_ = new QLabel(this);
  status_saved_ = new QLabel(this);
  bar->addWidget(status_position_);
  bar->addWidget(status_snap_);
  // Where the findings are not in sight, their number is, and leads to them.
  status_checks_ = new QToolButton(this);
  status_checks_->setObjectName(QStringLiteral("status_checks"));
  status_checks_->setAutoRaise(true);
  status_checks_->hide();
  connect(status_checks_, &QToolButton::clicked, this, [this] {
    this->dock("dock_checks")->show();
    this->dock("dock_checks")->raise();
  });
  connect(checks, &QDockWidget::visibilityChanged, this, [this, checks] {
    status_checks_->setVisible(stack_->currentIndex() == 1 && checks->isHidden());
  });
  bar->addPermanentWidget(status_checks_);
  bar->addPermanentWidget(status_saved_);
  bar->addPermanentWidget(status_time_);
  bar->addPermanentWidget(status_zoom_);
  status_position_->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
  layout_dock_ = new QDockWidget(tr("Lay out racks"), this);
  layout_dock_->setObjectName(QStringLiteral("dock_layout"));
  layout_dock_->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable |
                            QDockWidget::DockWidgetFloatable);
  addDockWidget(Qt::RightDockWidgetArea, layout_dock_);
  layout_dock_->hide();
  // Closed by its button it gives up; hidden behind other tabs it stays.
  layout_dock_->installEventFilter(this);
  default_layout_ = saveState(layout_version);
}

QAction* StudioWindow::add_action(QMenu* menu, const QString& text, const QKeySequence& key, const QString& icon_name, std::function<void()> run) {
  auto* action = menu->addAction(text);
  if (!icon_name.isEmpty()) action->setIcon(icon(icon_name));
  action->setShortcut(key);
  connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
  palette_actions_.push_back(action);
  return action;
}

void StudioWindow::make_overlay_actions(QMenu* menu) {
  menu->setObjectName(QStringLiteral("menu_overlays"));
  auto* group = new QActionGroup(menu);
  const QStringList names = PlanView::overlayNames();
  for (int i = 0; i < names.size(); ++i) {
    auto* a = add_action(menu, names[i], {}, {}, [this, i] {
      showWorkspace(0);
      hall_->showOverlay(static_cast<Overlay>(i));
    });
    a->setProperty("palette_text", tr("Colour racks by: %1").arg(names[i]));
    a->setCheckable(true);
    group->addAction(a);
  }
  connect(menu, &QMenu::aboutToShow, this, [this, group] {
    group->actions()[static_cast<int>(hall_->plan()->overlay())]->setChecked(true);
  });
}

void StudioWindow::make_menus() {
  auto* file = menuBar()->addMenu(tr("&File"));
  add_action(file, tr("&New design\u2026"), QKeySequence::New, QStringLiteral("new"), [this] { new_design(); });
  add_action(file, tr("&Open\u2026"), QKeySequence::Open, QStringLiteral("open"), [this] { open_dialog(); });
  add_action(file, tr("Start &page"), {}, {}, [this] {
    if (maybe_keep()) {
      session_->close();
      show_start_page();
    }
  });
  file->addSeparator();
  add_action(file, tr("&Save"), QKeySequence::Save, QStringLiteral("save"), [this] { save(); });
  add_action(file, tr("Save &as\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), {}, [this] { save_as(); });
  take_kept_ = add_action(file, tr("&Take changes of an earlier run"), {}, {}, [this] { take_kept_changes(); });
  discard_kept_ =
      add_action(file, tr("&Discard changes of an earlier run\u2026"), {}, {}, [this] { discard_kept_changes(); });
  take_kept_->setEnabled(false);
  discard_kept_->setEnabled(false);
  file->addSeparator();
  auto* exports = file->addMenu(icon(QStringLiteral("export")), tr("&Export"));
  auto export_to = [this](const QString& title, const QString& suffix, std::function<QString(const QString&)> write) {
    if (!document_->evaluation()) return;
    const QString file_name = QFileDialog::getSaveFileName(this, title, session_->exportStem() + suffix);
    if (file_name.isEmpty()) return;
    const QString problem = write(file_name);
    message(problem.isEmpty() ? tr("Written: %1").arg(file_name) : problem, !problem.isEmpty());
  };
  add_action(exports, tr("One-page &summary, PDF\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Summary as PDF"), QStringLiteral("-summary.pdf"), [this](const QString& f) { return write_report_pdf(f, document_->wholeEvaluation()); });
  });
  add_action(exports, tr("Plan as &picture, PNG or SVG\u2026"), {}, {}, [this] { plan_actions_->picture(); });
  add_action(exports, tr("Plan as &DXF\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Plan as DXF"), QStringLiteral("-plan.dxf"), [this](const QString& f) { return write_plan_dxf(f, document_->evaluation()); });
  });
  for (const auto& [title, ending] : {std::pair{tr("&One-line as SVG\u2026"), ".svg"}, {tr("One-line as PD&F\u2026"), ".pdf"},
                                      {tr("One-line as D&XF\u2026"), ".dxf"}, {tr("One-line as pictu&re, PNG\u2026"), ".png"}})
    add_action(exports, title, {}, {}, [this, export_to, suffix = QStringLiteral("-one-line") + QLatin1String(ending)] {
      export_to(tr("One-line diagram"), suffix, [this](const QString& f) { return write_one_line(f, document_->evaluation()); });
    });
  add_action(exports, tr("Panel sch&edule, CSV\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Panel schedule"), QStringLiteral("-panels.csv"), [this](const QString& f) { return write_panel_schedule(f, document_->evaluation()); });
  });
  add_action(exports, tr("&Load list, CSV\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Load list"), QStringLiteral("-loads.csv"), [this](const QString& f) { return write_load_list(f, document_->evaluation()); });
  });
  add_action(exports, tr("&Rack elevations, all\u2026"), {}, {}, [this] { elevation_->exportElevations(true); });
  add_action(exports, tr("Rack elevation s&hown\u2026"), {}, {}, [this] { elevation_->exportElevations(false); });
  add_action(exports, tr("&Cabling: schedule, labels, lists\u2026"), {}, {}, [this] {
    if (!document_->evaluation()) return;
    auto* dialog = new CablingDialog(document_->evaluation(), session_->exportStem(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CablingDialog::told, this,
            [this](const QString& sentence, bool problem) { message(sentence, problem); });
    dialog->open();
  });
  add_action(exports, tr("All &tables as CSV\u2026"), {}, {}, [this] {
    if (!document_->evaluation()) return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the tables"));
    if (folder.isEmpty()) return;
    const QString problem = write_tables(folder, document_->wholeEvaluation());
    message(problem.isEmpty() ? tr("Tables written into %1").arg(folder) : problem, !problem.isEmpty());
  });
  add_action(file, tr("Import &underlay\u2026"), {}, {}, [this] {
    showWorkspace(0);
    plan_actions_->importUnderlay();
  });
  add_action(file, tr("&Print the plan\u2026"), QKeySequence::Print, {}, [this] { plan_actions_->print(); });
  file->addSeparator();
  add_action(file, tr("&Quit"), QKeySequence::Quit, {}, [this] { close(); });

  auto* edit = menuBar()->addMenu(tr("&Edit"));
  // A remedy that is only shown is what Undo takes back first.
  QUndoStack& stack = document_->undoStack();
  auto* undo = undo_ = new QAction(tr("Undo"), this);
  undo->setEnabled(stack.canUndo());
  connect(undo, &QAction::triggered, this, &StudioWindow::undo);
  connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::undoTextChanged, undo,
          [undo](const QString& what) { undo->setText(tr("Undo %1").arg(what).trimmed()); });
  undo->setShortcut(QKeySequence::Undo);
  undo->setIcon(icon(QStringLiteral("undo")));
  auto* redo = document_->undoStack().createRedoAction(this, tr("Redo"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  redo->setIcon(icon(QStringLiteral("redo")));
  edit->addAction(undo);
  edit->addAction(redo);
  palette_actions_.push_back(undo);
  palette_actions_.push_back(redo);
  edit->addSeparator();
  add_action(edit, tr("Cu&t"), QKeySequence::Cut, QStringLiteral("cut"), [this] { cut(); });
  add_action(edit, tr("&Copy"), QKeySequence::Copy, QStringLiteral("copy"), [this] { copy(); });
  add_action(edit, tr("Copy plan as p&icture"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), {}, [this] { plan_actions_->copyPicture(); });
  add_action(edit, tr("&Paste"), QKeySequence::Paste, QStringLiteral("paste"), [this] { paste(false); });
  add_action(edit, tr("Paste in p&lace"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V), {}, [this] { paste(true); });
  add_action(edit, tr("&Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), QStringLiteral("duplicate"), [this] { duplicate_selection(); });
  add_action(edit, tr("De&lete"), QKeySequence(Qt::CTRL | Qt::Key_Delete), QStringLiteral("delete"), [this] { remove_selection(); });
  edit->addSeparator();
  make_selection_actions(edit);
  add_action(edit, tr("&Find in parts"), QKeySequence::Find, QStringLiteral("search"), [this] {
    for (QDockWidget* d : docks_)
      if (d->objectName() == QLatin1String("dock_parts")) d->show();
    parts_->focusSearch();
  });
  add_action(edit, tr("Command palette\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), {}, [this] { open_palette(); });

  auto* view = menuBar()->addMenu(tr("&View"));
  for (int i = 0; i < tabs_->count(); ++i)
    add_action(view, tr("%1 workspace").arg(tabs_->tabText(i)), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), {}, [this, i] { showWorkspace(i); });
  view->addSeparator();
  add_action(view, tr("Zoom to &fit"), QKeySequence(Qt::Key_F4), QStringLiteral("zoom-fit"), [this] { fabric_->isVisible() ? fabric_->view()->fit() : power_->isVisible() ? power_->view()->fit() : cooling_->isVisible() ? cooling_->view()->fit() : hall_->plan()->zoomToFit(); });
  add_action(view, tr("Zoom to &selection"), QKeySequence(Qt::SHIFT | Qt::Key_F4), {}, [this] { fabric_->isVisible() ? fabric_->view()->zoomToSelection() : power_->isVisible() ? power_->view()->zoomToSelection() : hall_->plan()->zoomToSelection(); });
  add_action(view, tr("&Previous view"), QKeySequence(Qt::Key_F6), {}, [this] { hall_->plan()->previousView(); });
  add_action(view, tr("Ne&xt view"), QKeySequence(Qt::SHIFT | Qt::Key_F6), {}, [this] { hall_->plan()->nextView(); });
  add_action(view, tr("Zoom in"), QKeySequence::ZoomIn, QStringLiteral("zoom-in"), [this] { fabric_->isVisible() ? fabric_->view()->zoomBy(1.25) : power_->isVisible() ? power_->view()->zoomBy(1.25) : cooling_->isVisible() ? cooling_->view()->zoomBy(1.25) : hall_->plan()->zoomBy(1.25); });
  add_action(view, tr("Zoom out"), QKeySequence::ZoomOut, QStringLiteral("zoom-out"), [this] { fabric_->isVisible() ? fabric_->view()->zoomBy(0.8) : power_->isVisible() ? power_->view()->zoomBy(0.8) : cooling_->isVisible() ? cooling_->view()->zoomBy(0.8) : hall_->plan()->zoomBy(0.8); });
  view->addAction(elevation_->toggle());
  palette_actions_.push_back(elevation_->toggle());
  for (QAction* a : elevation_->view()->commands()) palette_actions_.push_back(a);
  make_overlay_actions(view->addMenu(tr("Colour &racks by")));
  auto* layers = view->addMenu(icon(QStringLiteral("layers")), tr("&Layers"));
  make_layer_actions(layers);
  auto* underlays = view->addMenu(tr("&Underlay"));
  connect(plan_actions_, &PlanActions::planWanted, this, [this] { showWorkspace(0); });
  for (QAction* a : plan_actions_->underlayActions()) {
    underlays->addAction(a);
    palette_actions_.push_back(a);
  }
  make_drawing_preferences(view);
  auto* appearance = view->addMenu(tr("&Appearance"));
  auto* group = new QActionGroup(this);
  const std::pair<Appearance, QString> appearances[] = {{Appearance::system, tr("As the desktop")}, {Appearance::light, tr("Light")}, {Appearance::dark, tr("Dark")}};
  for (const auto& [value, name] : appearances) {
    auto* a = add_action(appearance, name, {}, {}, [this, value = value] {
      apply_appearance(value);
      QSettings().setValue(QStringLiteral("appearance"), static_cast<int>(value));
      recolour();
    });
    a->setCheckable(true);
    a->setChecked(value == present_appearance());
    group->addAction(a);
  }

  auto* insert = menuBar()->addMenu(tr("&Insert"));
  for (QAction* tool : hall_->toolActions()) {
    if (!tool) {
      insert->addSeparator();
      continue;
    }
    // They show the plan first; their keys hold while it is shown.
    connect(tool, &QAction::triggered, this, [this] { showWorkspace(0); });
    insert->addAction(tool);
    palette_actions_.push_back(tool);
  }
  insert->addSeparator();
  add_action(insert, tr("&Lay out racks\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Y), QStringLiteral("array"), [this] { layout_racks(); });
  add_action(insert, tr("&Fill with racks\u2026"), {}, {}, [this] { fill_dialog(); });
  add_action(insert, tr("New rack &type\u2026"), {}, QStringLiteral("rack"), [this] { new_rack_type(); });
  add_action(insert, tr("&Network"), {}, QStringLiteral("fabric"), [this] {
    apply({"Add a network", [](const Design& d) -> Edited {
             Network n;
             n.name = free_name(d, "networks", "Network 1");
             return add_entity(d, &Design::networks, n).design;
           }});
    showWorkspace(3);
  });
  add_action(insert, tr("Coolant &loop"), {}, QStringLiteral("cooling"), [this] {
    apply({"Add a coolant loop", [](const Design& d) -> Edited {
             CoolantLoop l;
             l.name = free_name(d, "loops", "Loop 1");
             return add_entity(d, &Design::loops, l).design;
           }});
  });

  make_arrange_menu(menuBar()->addMenu(tr("A&rrange")));

  auto* cooling = menuBar()->addMenu(tr("&Cooling"));
  cooling_->fillMenu(cooling);
  cooling->addSeparator();
  make_valve_actions(cooling);
  for (QAction* a : cooling_->commands())
    if (a) palette_actions_.push_back(a);
  plan_menu_.push_back(nullptr);
  plan_menu_.push_back(cooling_->pipesCommand());
  fabric_->fillMenu(menuBar()->addMenu(tr("Fa&bric")));
  plan_menu_.push_back(nullptr);
  for (QAction* a : fabric_->serviceCommands())
    plan_menu_.push_back(a);
  for (QAction* a : fabric_->commands())
    if (a) palette_actions_.push_back(a);

  auto* study = menuBar()->addMenu(tr("&Study"));
  add_action(study, tr("&What if, scenarios, published figures"), {}, QStringLiteral("compare"), [this] { showWorkspace(tabs_->count() - 1); });
  auto* power = study->addMenu(icon(QStringLiteral("power")), tr("&Power"));
  for (QAction* a : power_->commands()) {
    if (!a) {
      power->addSeparator();
      continue;
    }
    power->addAction(a);
    palette_actions_.push_back(a);
  }
  add_action(study, tr("Fit the &job to the GPUs"), {}, {}, [this] { fit_job(); });
  add_action(study, tr("&Search layouts of the job"), {}, {}, [this] {
    show_training();
    training_->showPage(0);
    training_->search()->search();
  });
  add_action(study, tr("&Calibrate to a measured step\u2026"), {}, {}, [this] {
    show_training();
    training_->calibrate();
  });
  add_action(study, tr("&Next finding"), QKeySequence(Qt::Key_F8), {}, [this] { checks_->next(1); });
  add_action(study, tr("&Previous finding"), QKeySequence(Qt::SHIFT | Qt::Key_F8), {}, [this] { checks_->next(-1); });

  auto* window = menuBar()->addMenu(tr("&Window"));
  for (QDockWidget* d : docks_)
    if (d->objectName() != QLatin1String("dock_headlines")) window->addAction(d->toggleViewAction());
  window->addAction(plan_actions_->underlayDock()->toggleViewAction());
  palette_actions_.push_back(plan_actions_->underlayDock()->toggleViewAction());
  window->addSeparator();
  add_action(window, tr("&Reset layout"), {}, {}, [this] {
    close_layout();
    restoreState(default_layout_, layout_version);
    narrow_ = low_ = false;
    fit_docks();
  });

  auto* help = menuBar()->addMenu(tr("&Help"));
  add_action(help, tr("&First steps"), QKeySequence::HelpContents, {}, [this] { show_help(QStringLiteral("first-steps")); });
  add_action(help, tr("Drawing the &hall"), {}, {}, [this] { show_help(QStringLiteral("drawing")); });
  add_action(help, tr("&Layouts, fills, routes"), {}, {}, [this] { show_help(QStringLiteral("layouts")); });
  add_action(help, tr("&Racks"), {}, {}, [this] { show_help(QStringLiteral("racks")); });
  add_action(help, tr("The fa&bric"), {}, {}, [this] { show_help(QStringLiteral("fabric")); });
  add_action(help, tr("Coola&nt loops"), {}, {}, [this] { show_help(QStringLiteral("cooling")); });
  add_action(help, tr("The training &job"), {}, {}, [this] { show_help(QStringLiteral("training")); });
  add_action(help, tr("&Cabling on paper and in files"), {}, {}, [this] { show_help(QStringLiteral("cabling")); });
  add_action(help, tr("&As-built"), {}, {}, [this] { show_help(QStringLiteral("as_built")); });
  add_action(help, tr("Fi&gures and how they open"), {}, {}, [this] { show_help(QStringLiteral("figures")); });
  add_action(help, tr("Numbers and &units"), {}, {}, [this] { show_help(QStringLiteral("units")); });
  add_action(help, tr("F&iles and recovery"), {}, {}, [this] { show_help(QStringLiteral("files")); });
  add_action(help, tr("Gl&ossary"), {}, {}, [this] { show_help(QStringLiteral("glossary")); });
  add_action(help, tr("R&ules that are checked"), {}, {}, [this] { show_help(QStringLiteral("rules")); });
  add_action(help, tr("&Validation: published runs"), {}, {}, [this] {
    auto* window = new ValidationWindow(evaluator_->catalog(), this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
  });
  add_action(help, tr("For &developers"), {}, {}, [this] { show_help(QStringLiteral("developers")); });
  add_action(help, tr("All &pages"), {}, {}, [this] { show_help(QStringLiteral("index")); });
  help->addSeparator();
  add_action(help, tr("&About Hallwright"), {}, {}, [this] {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Hallwright"),
                                tr("<b>Hallwright %1</b><p>A whole AI cluster in one document. Free software under the GNU General Public License, version 3 or later.</p><p>Catalog: %2</p>")
                                    .arg(QApplication::applicationVersion(), QString::fromStdString(evaluator_->catalog()->date)), QMessageBox::Ok, this);
    box->setIconPixmap(QIcon(QStringLiteral(":/icons/hallwright.svg")).pixmap(64, 64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
  });
}

void StudioWindow::wire() {
  auto request = [this](const Edit& edit) { apply(edit); };
  auto refuse = [this](const QString& sentence) { message(sentence, true); };
  connect(document_, &Document::designShown, this, &StudioWindow::show_design);
  connect(document_, &Document::evaluated, this, &StudioWindow::show_evaluation);
  connect(document_, &Document::selectionChanged, this, &StudioWindow::show_selection);
  connect(document_, &Document::refused, this, refuse);
  connect(document_, &Document::designCommitted, this, [this] {
    session_->keepRecovery(document_->design(), document_->revision());
    update_title();
    show_plan_status(); // a first rack, a guide
  });
  connect(document_, &Document::recomputed, this, [this](double ms) {
    recompute_ms_ = ms;
    status_time_->setText(tr("recomputed in %1").arg(screen_text(ms / 1000, kind::time)));
  });
  connect(evaluator_, &LiveEvaluator::lateChanged, this, [this](bool late) {
    headlines_->setStale(late);
    if (late) status_time_->setText(tr("recomputing\u2026"));
  });
  connect(&document_->undoStack(), &QUndoStack::cleanChanged, this, &StudioWindow::update_title);
  connect(session_, &Session::recoveryFailed, this, [this](const QString& sentence) {
    recovery_problem_ = sentence;
    message(sentence, true);
    update_title();
  });
  connect(session_, &Session::recoveryKept, this, [this] {
    if (recovery_problem_.isEmpty()) return;
    recovery_problem_.clear();
    message(tr("Changes are kept for recovery again."));
    update_title();
  });

  connect(headlines_, &HeadlineStrip::figureActivated, this, &StudioWindow::explain_figure);
  new FigureSensitivity(*document_, *explain_, this);
  connect(explain_, &ExplainPanel::editRequested, this, request);
  connect(explain_, &ExplainPanel::refused, this, refuse);
  connect(explain_, &ExplainPanel::entityActivated, this, [this](const EntityRef& e) { document_->select({e}); });
  connect(explain_, &ExplainPanel::sourceActivated, this, [this](const QString& source) {
    static const QRegularExpression link(QStringLiteral("https?://[^\\s;,)]+"));
    const auto match = link.match(source);
    if (match.hasMatch()) QDesktopServices::openUrl(QUrl(match.captured()));
    message(tr("Source: %1").arg(source));
  });
  connect(inspector_, &InspectorPanel::editRequested, this, request);
  connect(inspector_, &InspectorPanel::refused, this, refuse);
  const auto lead = [this](const QString& rule, const QString& place) {
    dock("dock_checks")->show();
    dock("dock_checks")->raise();
    checks_->showFinding(rule, place);
    checks_->table()->setFocus(Qt::OtherFocusReason);
  };
  connect(inspector_, &InspectorPanel::findingRequested, this, lead);
  connect(elevation_, &RackElevationActions::told, this, &StudioWindow::message);
  connect(elevation_, &RackElevationActions::figureActivated, this, &StudioWindow::explain_figure);
  connect(parts_, &PartsPanel::partActivated, this, [this](const QString& part) {
    showWorkspace(0);
    if (elevation_->place(part)) return;
    hall_->placePart(part);
  });
  connect(parts_, &PartsPanel::newRackTypeRequested, this, &StudioWindow::new_rack_type);
  connect(outline_, &OutlinePanel::selectionRequested, this, [this](const std::vector<EntityRef>& s) { document_->select(s); });
  connect(outline_, &OutlinePanel::zoomRequested, this, [this](const std::vector<EntityRef>& s) {
    showWorkspace(0);
    hall_->plan()->zoomTo(s);
  });
  connect(checks_, &ChecksPanel::findingActivated, this, [this](const std::vector<EntityRef>& entities, const QString& figure) {
    if (!entities.empty()) {
      document_->select(entities);
      if (!on_plan(entities).empty()) hall_->plan()->zoomTo(on_plan(entities));
    }
    if (!figure.isEmpty()) explain_figure(figure);
  });
  connect(checks_, &ChecksPanel::remedyPreviewRequested, this, &StudioWindow::try_remedy);
  connect(kept_bar_, &KeptBar::takeRequested, this, &StudioWindow::take_kept_changes);
  connect(kept_bar_, &KeptBar::discardRequested, this, &StudioWindow::discard_kept_changes);
  connect(preview_bar_, &PreviewBar::cancelRequested, document_, &Document::cancelPreview);
  connect(preview_bar_, &PreviewBar::applyRequested, this, [this] {
    const Edit edit = tried_;
    apply(edit);
  });
  connect(checks_, &ChecksPanel::remedyRequested, this, request);
  connect(checks_, &ChecksPanel::waiveRequested, this, &StudioWindow::waive);
  connect(checks_, &ChecksPanel::withdrawRequested, this, [this](const QString& rule, const QString& place) {
    const std::string r = rule.toStdString(), p = place.toStdString();
    apply({"Withdraw the waiver of " + r, [r, p](const Design& d) -> Edited {
             std::vector<EntityRef> gone;
             for (const Waiver& w : *d.waivers)
               if (w.rule == r && (w.entities.empty() || w.entities == p)) gone.push_back({"waivers", w.id});
             return remove(d, gone);
           }});
  });
  connect(checks_, &ChecksPanel::summaryChanged, this, [this](const QString& summary) {
    for (QDockWidget* d : docks_)
      if (d->objectName() == QLatin1String("dock_checks")) d->setWindowTitle(tr("Checks: %1").arg(summary));
    const int rows = checks_->table()->rowCount();
    status_checks_->setText(counted(rows, tr("1 finding"), tr("%1 findings")));
    status_checks_->setToolTip(tr("Show the findings: %1").arg(summary));
  });
  PlanView* plan = hall_->plan();
  connect(plan, &PlanView::selectionChanged, this, [this](const std::vector<EntityRef>& s) { document_->select(s); });
  nudge_pause_ = new QTimer(this);
  nudge_pause_->setSingleShot(true);
  nudge_pause_->setInterval(700);
  connect(nudge_pause_, &QTimer::timeout, this, [this] { nudge_gesture_ = 0; });
  connect(plan, &PlanView::editRequested, this, [this](const Edit& edit, bool select_new) {
    if (select_new) {
      document_->applyAndSelectNew(edit);
      return;
    }
    // Arrow keys without a pause are one step.
    if (edit.label.rfind("Nudge", 0) == 0) {
      if (nudge_gesture_ == 0) nudge_gesture_ = document_->newGesture();
      nudge_pause_->start();
      document_->apply(edit, nudge_gesture_);
    } else {
      nudge_gesture_ = 0;
      document_->apply(edit);
    }
  });
  connect(plan, &PlanView::deleteRequested, this, &StudioWindow::remove_selection);
  connect(plan, &PlanView::cursorMoved, this, [this](double x, double y, const QString& snap) {
    if (!hall_->isVisible()) return;
    status_position_->setText(tr("x %1  y %2").arg(plan::exact_length_text(std::round(x)), plan::exact_length_text(std::round(y))));
    tell_snap(snap.isEmpty() ? hall_->plan()->snapModes() : snap);
  });
  connect(plan, &PlanView::scaleChanged, this, &StudioWindow::show_plan_status);
  connect(plan, &PlanView::snapModesChanged, this, &StudioWindow::show_plan_status);
  connect(plan, &PlanView::contextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    fill_context_menu(menu);
    menu.exec(at);
  });
  for (SubjectWorkspace* w : subjects_) {
    connect(w, &SubjectWorkspace::figureActivated, this, &StudioWindow::explain_figure);
    connect(w, &SubjectWorkspace::editRequested, this, request);
    connect(w, &SubjectWorkspace::findingRequested, this, lead);
    connect(w, &SubjectWorkspace::selectionRequested, this, [this](const std::vector<EntityRef>& s) { document_->select(s); });
  }
  connect(fabric_, &FabricWorkspace::figureActivated, this, &StudioWindow::explain_figure);
  connect(fabric_, &FabricWorkspace::told, this, &StudioWindow::message);
  connect(fabric_, &FabricWorkspace::planWanted, this, [this](const std::vector<EntityRef>& entities) {
    const std::vector<EntityRef> seen = on_plan(entities);
    if (seen.empty()) {
      message(tr("Nothing of it stands on the plan yet: place its racks first."), true);
      return;
    }
    showWorkspace(0);
    hall_->plan()->zoomTo(seen);
    hall_->plan()->setFocus(Qt::OtherFocusReason);
  });
  connect(fabric_, &FabricWorkspace::wanted, this, [this] {
    for (int i = 0; i < workspaces_->count(); ++i)
      if (workspaces_->widget(i)->isAncestorOf(fabric_)) showWorkspace(i);
  });
  connect(power_, &PowerWorkspace::figureActivated, this, &StudioWindow::explain_figure);
  connect(power_, &PowerWorkspace::editRequested, this, request);
  connect(power_, &PowerWorkspace::caseChanged, this, [this](const QString& sentence, const std::vector<Id>& dark) {
    hall_->plan()->setDarkRacks(dark);
    power_out_.clear();
    for (const Id unit : power_->view()->out()) power_out_.push_back({"power_units", unit});
    show_out_of_service();
    failure_bar_->tell(sentence);
  });
  connect(cooling_, &CoolingWorkspace::caseChanged, this,
          [this](const QString& sentence, const std::vector<EntityRef>& out) {
            cooling_out_ = out;
            show_out_of_service();
            coolant_bar_->tell(sentence);
          });
  connect(coolant_bar_, &FailureBar::restoreRequested, cooling_, &CoolingWorkspace::restoreAll);
  connect(coolant_bar_, &FailureBar::showRequested, cooling_, [this] { Q_EMIT cooling_->wanted(); });
  connect(failure_bar_, &FailureBar::restoreRequested, power_, &PowerWorkspace::restoreAll);
  connect(failure_bar_, &FailureBar::showRequested, power_, [this] {
    power_->showPage(PowerWorkspace::diagram_page);
    Q_EMIT power_->wanted();
  });
  connect(power_, &PowerWorkspace::told, this, &StudioWindow::message);
  connect(power_, &PowerWorkspace::wanted, this, [this] {
    for (int i = 0; i < workspaces_->count(); ++i)
      if (workspaces_->widget(i)->isAncestorOf(power_)) showWorkspace(i);
  });
  connect(cooling_, &CoolingWorkspace::selectionRequested, this,
          [this](const std::vector<EntityRef>& s) { document_->select(s); });
  connect(cooling_, &CoolingWorkspace::editRequested, this, request);
  connect(cooling_, &CoolingWorkspace::figureActivated, this, &StudioWindow::explain_figure);
  connect(cooling_, &CoolingWorkspace::told, this, &StudioWindow::message);
  connect(cooling_, &CoolingWorkspace::wanted, this, [this] {
    for (int i = 0; i < workspaces_->count(); ++i)
      if (workspaces_->widget(i)->isAncestorOf(cooling_)) showWorkspace(i);
  });
  connect(training_, &TrainingWorkspace::figureActivated, this, &StudioWindow::explain_figure);
  connect(training_, &TrainingWorkspace::editRequested, this, request);
  connect(training_, &TrainingWorkspace::told, this, &StudioWindow::message);
  connect(training_, &TrainingWorkspace::compareRequested, this, [this] { showWorkspace(workspaces_->count() - 1); });
  connect(compare_, &CompareWorkspace::figureActivated, this, &StudioWindow::explain_figure);
  connect(compare_, &CompareWorkspace::editRequested, this, request);

  connect(start_, &StartPage::newRequested, this, &StudioWindow::new_design);
  connect(start_, &StartPage::openRequested, this, &StudioWindow::open_dialog);
  connect(start_, &StartPage::pathRequested, this, &StudioWindow::openPath);
  connect(start_, &StartPage::sampleRequested, this, [this](const QString& path) {
    if (auto design = session_->openSample(path)) begin(*design);
    else message(session_->problem(), true);
  });
  connect(start_, &StartPage::recoverRequested, this, [this](const QString& path) {
    if (auto design = session_->recover(path)) {
      begin(*design);
      document_->undoStack().resetClean();
      update_title();
      message(tr("Recovered. Save it to keep it."));
    } else {
      message(session_->problem(), true);
    }
  });
  connect(start_, &StartPage::discardRequested, this, [this](const QString& path) {
    message(session_->discardRecovery(path), true);
    show_start_page();
  });
}

void StudioWindow::show_start_page() {
  close_layout();
  forget_kept_changes();
  start_->setSamples(Session::samples(), Session::sampleFolders());
  start_->setRecent(session_->recent());
  start_->setRecovered(session_->recoveries());
  stack_->setCurrentIndex(0);
  for (QDockWidget* d : docks_) d->hide();
  plan_actions_->underlayDock()->hide();
  setWindowTitle(QStringLiteral("Hallwright"));
  statusBar()->hide();
}

void StudioWindow::show_studio() {
  if (stack_->currentIndex() == 1) return;
  stack_->setCurrentIndex(1);
  for (QDockWidget* d : docks_) d->show();
  dock("dock_checks")->raise();
  statusBar()->show();
  narrow_ = low_ = false;
  headlines_->setFootLines(2);
  fit_docks();
  QTimer::singleShot(0, this, [this] {
    if (!low_ && narrow_)
      resizeDocks({dock("dock_checks")}, {std::min(fontMetrics().height() * 11, height() / 5)}, Qt::Vertical);
    if (sized_ || narrow_ || low_) return;
    sized_ = true;
    auto named = [this](const char* name) { return findChild<QDockWidget*>(QLatin1String(name)); };
    resizeDocks({named("dock_parts"), named("dock_outline")}, {55, 45}, Qt::Vertical);
    resizeDocks({named("dock_inspector"), named("dock_explain")}, {40, 60}, Qt::Vertical);
    const int unit = fontMetrics().averageCharWidth();
    // Both sides together leave more than half to what is worked on.
    resizeDocks({named("dock_parts"), named("dock_inspector")},
                {std::min(unit * 38, width() / 5), std::min(unit * 50, width() / 4)}, Qt::Horizontal);
    resizeDocks({named("dock_checks")}, {std::min(fontMetrics().height() * 11, height() / 5)}, Qt::Vertical);
  });
}

QDockWidget* StudioWindow::dock(const char* name) const { return findChild<QDockWidget*>(QLatin1String(name)); }

/// A window that has become too small, or large enough again, gets another arrangement of docks. What the user opens or
/// closes afterwards stays so until then; the roomy arrangement is kept and comes back.
void StudioWindow::fit_docks() {
  if (stack_->currentIndex() != 1) return;
  const bool narrow = width() < fontMetrics().averageCharWidth() * roomy_letters, low = height() < fontMetrics().height() * roomy_lines;
  if (narrow == narrow_ && low == low_) return;
  if (!narrow_ && !low_) roomy_layout_ = saveState(layout_version);
  narrow_ = narrow, low_ = low;
  headlines_->setFootLines(low_ ? 1 : 2);
  restoreState(roomy_layout_, layout_version);
  if (narrow_ || low_) arrange_docks();
  const bool plan = tabs_->currentIndex() == 0;
  for (const char* name : {"dock_parts", "dock_outline"})
    if (!plan) dock(name)->hide();
  if (!layout_) {
    layout_dock_->hide();
    return;
  }
  make_room_for_layout();
  layout_dock_->show();
  resizeDocks({layout_dock_}, {std::min(fontMetrics().averageCharWidth() * 52, width() * 2 / 5)}, Qt::Horizontal);
}

void StudioWindow::arrange_docks() {
  QDockWidget *parts = dock("dock_parts"), *outline = dock("dock_outline"), *inspector = dock("dock_inspector"), *explain = dock("dock_explain");
  const auto beside = [this](QDockWidget* first, QDockWidget* second) {
    if (!first->isFloating() && !second->isFloating()) tabifyDockWidget(first, second);
  };
  if (narrow_) {
    for (QDockWidget* d : {parts, outline})
      if (!d->isFloating()) addDockWidget(Qt::RightDockWidgetArea, d);
    beside(inspector, explain);
    beside(explain, parts);
    beside(parts, outline);
    inspector->raise();
    give_side_dock_its_width();
    // And once the window has its new size: a dock that was squeezed on the way stays so by itself.
    QTimer::singleShot(0, this, &StudioWindow::give_side_dock_its_width);
  } else {
    beside(parts, outline);
    beside(inspector, explain);
    parts->raise();
    inspector->raise();
  }
  if (low_)
    for (const char* name : {"dock_messages", "dock_history", "dock_checks"}) // the front one last: none takes its place
      if (!dock(name)->isFloating()) dock(name)->hide();
}

/// In a narrow window: wide enough to read and edit, the plan keeps the larger part.
void StudioWindow::give_side_dock_its_width() {
  if (!narrow_ || stack_->currentIndex() != 1) return;
  for (QDockWidget* d : docks_) {
    if (d->isHidden() || d->isFloating() || dockWidgetArea(d) != Qt::RightDockWidgetArea) continue;
    // Wide enough for a field beside its name, and no more of a small window than a quarter beyond that.
    const int unit = fontMetrics().averageCharWidth();
    resizeDocks({d}, {std::min({unit * 46, std::max(unit * 39, width() / 4), width() * 2 / 5})}, Qt::Horizontal);
    return;
  }
}

void StudioWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fit_population();
  fit_docks();
  show_plan_status();
  // A window that is drawn narrower still takes its dock along.
  if (narrow_ && event->size().width() < event->oldSize().width())
    QTimer::singleShot(0, this, &StudioWindow::give_side_dock_its_width);
}

/// In a narrow window the first of it; the tip has it whole.
void StudioWindow::tell_snap(const QString& what) {
  QString words = what.isEmpty() ? QString() : tr("Snap: %1").arg(what);
  status_snap_->setToolTip(words);
  if (status_snap_->fontMetrics().horizontalAdvance(words) > width() / 5)
    words = tr("Snap: %1").arg(what.section(QLatin1Char(','), 0, 0) + (what.contains(QLatin1Char(',')) ? QStringLiteral(", \u2026") : QString()));
  status_snap_->setText(words);
}

/// Snapping and zoom are those of the plan: where another workspace is shown nothing is said of them.
void StudioWindow::show_plan_status() {
  const PlanView* plan = hall_->plan();
  const bool shown = stack_->currentIndex() == 1 && workspaces_->currentIndex() == 0;
  if (!shown) status_position_->clear();
  tell_snap(shown ? plan->snapModes() : QString());
  status_zoom_->setText(shown ? QStringLiteral("%1 %").arg(qRound(plan->scalePercent())) : QString());
}

void StudioWindow::show_out_of_service() {
  std::vector<EntityRef> all = power_out_;
  all.insert(all.end(), cooling_out_.begin(), cooling_out_.end());
  hall_->plan()->setOutOfService(all);
}

void StudioWindow::begin(const Design& design) {
  close_layout();
  show_studio();
  // What was told of the design before is not true of this one.
  explain_->reset();
  parts_->clearSearch();
  status_position_->clear();
  show_plan_status();
  power_->restoreAll();
  cooling_->restoreAll();
  hall_->plan()->fitNext();
  forget_kept_changes();
  recovery_problem_.clear();
  document_->reset(design);
  session_->keepRecovery(design, document_->revision());
  if (!session_->remark().isEmpty()) message(session_->remark(), session_->readOnly());
  showWorkspace(0);
  update_title();
  QTimer::singleShot(0, this, [this] {
    hall_->plan()->zoomToFit();
    hall_->plan()->forgetViews();
    focus_plan();
  });
}

bool StudioWindow::openPath(const QString& path) {
  if (stack_->currentIndex() == 1 && !maybe_keep()) return false;
  auto design = session_->open(path);
  if (!design) {
    message(session_->problem(), true);
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Not opened"), session_->problem(), QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
    return false;
  }
  begin(*design);
  offer_kept_changes();
  return true;
}

void StudioWindow::update_title() {
  plan_actions_->projectMoved();
  const bool changed = !document_->undoStack().isClean(), read_only = session_->readOnly();
  setWindowTitle(tr("%1%2%3 \u2014 Hallwright")
                     .arg(session_->title(), changed ? QStringLiteral(" *") : QString(),
                          read_only ? tr(" (read-only)") : QString()));
  const bool lost = !recovery_problem_.isEmpty(); // what would be lost if the power went now
  QString words = tr("All changes saved");
  if (session_->path().isEmpty()) words = lost ? tr("Not saved, not kept for recovery") : tr("Not saved yet");
  else if (changed && lost) words = tr("Changes neither saved nor kept for recovery");
  else if (changed) words = tr("Changes kept for recovery");
  else if (kept_) words = tr("Changes of an earlier run are not in this file");
  else if (read_only) words.clear();
  if (read_only) words = words.isEmpty() ? tr("read-only") : tr("read-only \u00b7 %1").arg(words);
  QPalette colours = statusBar()->palette();
  if (lost) colours.setColor(QPalette::WindowText, theme().red);
  status_saved_->setPalette(colours);
  status_saved_->setText(words);
  status_saved_->setToolTip(recovery_problem_);
}

void StudioWindow::offer_kept_changes() {
  kept_ = session_->keptChanges(document_->design());
  take_kept_->setEnabled(kept_.has_value());
  discard_kept_->setEnabled(kept_.has_value());
  if (kept_) {
    kept_bar_->open(kept_sentence(*kept_, document_->design()));
    message(tr("Changes of an earlier run are kept beside this file."));
  }
  update_title();
}

void StudioWindow::forget_kept_changes() {
  kept_.reset();
  kept_bar_->hide();
  take_kept_->setEnabled(false);
  discard_kept_->setEnabled(false);
}

void StudioWindow::take_kept_changes() {
  if (!kept_) return;
  const KeptChanges kept = *kept_;
  forget_kept_changes();
  document_->apply({"Take changes of an earlier run", [kept](const Design&) -> Edited { return kept.design; }});
  session_->keptTaken(kept);
  update_title();
  message(tr("The changes are taken. Save to keep them; Undo takes them back."));
}

void StudioWindow::discard_kept_changes() {
  if (!kept_) return;
  auto* box = new QMessageBox(QMessageBox::Question, tr("Discard"),
                              tr("%1\n\nDeleting them cannot be undone.")
                                  .arg(kept_sentence(*kept_, document_->design())),
                              QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("discard_box"));
  auto* go = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  box->setDefaultButton(QMessageBox::Cancel);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(go, &QAbstractButton::clicked, this, [this] {
    if (!kept_) return;
    const QString problem = session_->discardRecovery(kept_->file);
    if (problem.isEmpty()) forget_kept_changes();
    message(problem.isEmpty() ? tr("The changes of the earlier run are discarded.") : problem, !problem.isEmpty());
    update_title();
  });
  box->open();
}

void StudioWindow::try_remedy(const Edit& edit, const QString& rule, const QString& place) {
  document_->cancelPreview();
  const auto possible = edit.apply(document_->design());
  if (!possible) {
    message(QString::fromStdString(possible.error()), true);
    return;
  }
  tried_ = edit;
  tried_preview_ = document_->previews() + 1;
  preview_bar_->open(screen_sentence(QString::fromStdString(edit.label)), rule, place);
  undo_->setEnabled(true);
  document_->preview(edit);
}

/// The bar goes when its remedy is applied, left, or followed by another gesture.
void StudioWindow::end_preview() {
  if (tried_preview_ == 0) return;
  tried_preview_ = 0;
  preview_bar_->hide();
  checks_->setPreview(nullptr);
  undo_->setEnabled(document_->undoStack().canUndo());
  if (checks_->isVisible()) checks_->table()->setFocus(Qt::OtherFocusReason);
}

void StudioWindow::undo() {
  if (tried_preview_ != 0) document_->cancelPreview();
  else document_->undoStack().undo();
}

void StudioWindow::show_design() {
  if (tried_preview_ != 0 && (!document_->previewing() || document_->previews() != tried_preview_)) end_preview();
  hall_->showDesign();
  if (!document_->previewing()) {
    checks_->setPreview(nullptr);
    outline_->setDesign(document_->design());
    parts_->setDesign(document_->design(), evaluator_->catalog());
  }
  if (document_->evaluation()) inspector_->setDesign(document_->shown(), document_->evaluation()->catalog);
  else inspector_->setDesign(document_->shown(), evaluator_->catalog());
}

/// After another appearance: what keeps colours takes them anew.
void StudioWindow::recolour() {
  parts_->recolour();
  if (stack_->currentIndex() == 1 && document_->evaluation()) show_evaluation();
  for (QWidget* w : QApplication::allWidgets()) w->update();
}

void StudioWindow::show_evaluation() {
  const SharedEvaluation& e = document_->evaluation();
  headlines_->setEvaluation(e, document_->baseline());
  hall_->showEvaluation();
  show_population();
  explain_->setEvaluation(e);
  inspector_->setEvaluation(e);
  if (!document_->previewing()) checks_->setEvaluation(e);
  if (tried_preview_ != 0 && document_->evaluationIsOfShown() && document_->baseline()) {
    preview_bar_->showEffect(document_->baseline()->findings, e->findings);
    checks_->setPreview(e);
  } else if (document_->previewing() && document_->evaluationIsOfShown() && document_->baseline() &&
             !hall_->plan()->gestureUnderWay()) {
    checks_->setPreview(e); // of sliders and layouts; a drag is over sooner than anybody reads
  }
  for (SubjectWorkspace* w : subjects_) w->refresh();
  power_->refresh();
  training_->refresh();
  cooling_->refresh();
  compare_->refresh();
}

/// How large the cluster is, beside the tabs: the answer to "what fits".
void StudioWindow::show_population() {
  const SharedEvaluation& e = document_->evaluation();
  const QString size = e ? cluster_size(*e) : QString();
  population_->setText(size);
  fit_population();
}

/// It gives way to the tabs.
void StudioWindow::fit_population() {
  const int room = width() - tabs_->sizeHint().width() - 4 * spacing_unit;
  population_->setVisible(!population_->text().isEmpty() && population_->sizeHint().width() <= room);
}

void StudioWindow::show_selection() {
  inspector_->setSelection(document_->selection());
  outline_->setSelection(document_->selection());
  hall_->plan()->setSelection(document_->selection());
  for (SubjectWorkspace* w : subjects_) w->showSelection();
  power_->showSelection();
  cooling_->showSelection();
}

void StudioWindow::message(const QString& text, bool problem) {
  if (text.isEmpty()) return;
  const QString line = QStringLiteral("%1  %2").arg(QTime::currentTime().toString(QStringLiteral("HH:mm:ss")), text);
  if (!messages_->toPlainText().endsWith(text)) messages_->appendPlainText(line);
  statusBar()->showMessage(text, problem ? 12000 : 5000);
}

bool StudioWindow::maybe_keep() {
  if (document_->undoStack().isClean()) return true;
  QMessageBox box(QMessageBox::Question, tr("Keep the changes?"), tr("%1 has changes that are not saved.").arg(session_->title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return save();
  return answer == QMessageBox::Discard;
}

bool StudioWindow::saveTo(const QString& path, bool replace) {
  // Underlays beside the old file are to be found from the new one, whatever undo leads back to.
  const std::function<Design(const Design&)> renaming = session_->renamingFor(path);
  if (!session_->save(renaming(document_->design()), path, replace)) {
    message(session_->problem(), true);
    if (session_->changedByAnother()) {
      ask_about_changed_file(path);
      return false;
    }
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Not saved"), session_->problem(), QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
    return false;
  }
  document_->undoStack().setClean();
  update_title();
  document_->rewrite(renaming);
  message(tr("Saved: %1").arg(path));
  return true;
}

bool StudioWindow::save() {
  if (session_->path().isEmpty() || session_->readOnly()) return save_as();
  return saveTo(session_->path());
}

void StudioWindow::ask_about_changed_file(const QString& path) {
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Changed by another program"),
                              tr("%1\n\nReplacing keeps what is there now as a backup. Reloading shows it here; Undo "
                                 "brings your changes back.")
                                  .arg(session_->problem()),
                              QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("changed_file_box"));
  auto* other = box->addButton(tr("Save as another file\u2026"), QMessageBox::AcceptRole);
  auto* over = box->addButton(tr("Replace it"), QMessageBox::DestructiveRole);
  auto* again = box->addButton(tr("Reload it"), QMessageBox::ResetRole);
  other->setObjectName(QStringLiteral("changed_save_as"));
  over->setObjectName(QStringLiteral("changed_replace"));
  again->setObjectName(QStringLiteral("changed_reload"));
  box->setDefaultButton(other);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(other, &QAbstractButton::clicked, this, [this] { save_as(); });
  connect(over, &QAbstractButton::clicked, this, [this, path] { saveTo(path, true); });
  connect(again, &QAbstractButton::clicked, this, &StudioWindow::reload);
  box->open();
}

/// What another program has written into the open file becomes one step of the history.
void StudioWindow::reload() {
  const auto design = session_->reload();
  if (!design) {
    message(session_->problem(), true);
    return;
  }
  document_->apply({"Reload the file", [design](const Design&) -> Edited { return *design; }});
  document_->undoStack().setClean();
  update_title();
  message(tr("Reloaded: %1. Undo brings your changes back.").arg(session_->path()));
}

bool StudioWindow::save_as() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the design"), session_->saveProposal(), tr("Hallwright project (*.hall);;Text form (*.hall.json)"));
  return !path.isEmpty() && saveTo(path);
}

void StudioWindow::new_design() {
  if (stack_->currentIndex() == 1 && !maybe_keep()) return;
  auto* dialog = new NewDesignDialog(evaluator_->catalog(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    session_->startNew(tr("New design"));
    begin(dialog->design());
  });
  dialog->open();
}

void StudioWindow::fit_job() {
  const auto job = fitted_job(document_->design(), evaluator_->catalog(), document_->evaluation().get());
  if (!job) {
    message(tr("No job is fitted: the design has no GPUs yet, or none of the usual layouts fits their memory."), true);
    return;
  }
  const Count gpus = job->tensor_parallel * job->pipeline_parallel * job->data_parallel;
  apply({fmt::format("Fit the job to {} GPUs", gpus), [job](const Design& d) -> Edited {
           Design out = d;
           out.job = share(*job);
           return out;
         }});
}

void StudioWindow::open_dialog() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a design"), {}, tr("Hallwright projects (*.hall *.hall.json)"));
  if (!path.isEmpty()) openPath(path);
}

void StudioWindow::explain_figure(const QString& id) {
  explain_->showFigure(id);
  for (QDockWidget* d : docks_)
    if (d->objectName() == QLatin1String("dock_explain")) {
      d->show();
      d->raise();
    }
}

void StudioWindow::apply(const Edit& edit) { document_->apply(edit); }

void StudioWindow::remove_selection() {
  const auto what = document_->selection();
  if (what.empty()) return;
  const auto lost = what_deleting_disconnects(document_->design(), what);
  const Edit edit{"Delete " + things(what.size()), [what](const Design& d) { return remove(d, what); }};
  if (lost.empty()) {
    apply(edit);
    return;
  }
  QString list;
  constexpr std::size_t shown = 12;
  for (std::size_t i = 0; i < std::min(shown, lost.size()); ++i) list += QStringLiteral("\u2022 ") + QString::fromStdString(lost[i]) + QLatin1Char('\n');
  if (lost.size() > shown) list += tr("and %1 more").arg(lost.size() - shown);
  auto* box = new QMessageBox(QMessageBox::Question, tr("Delete"), tr("Deleting disconnects:\n\n%1\n\nUndo brings all of it back.").arg(list), QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("delete_box"));
  auto* go = box->addButton(tr("Delete"), QMessageBox::AcceptRole);
  box->setDefaultButton(go);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(go, &QAbstractButton::clicked, this, [this, edit] { apply(edit); });
  box->open();
}

void StudioWindow::waive(const QString& rule, const QString& place) {
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("waive_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Waive %1").arg(rule));
  dialog->setLabelText(tr("Reason, kept in the project and printed with the findings:"));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, rule, place](const QString& reason) {
    if (reason.trimmed().isEmpty()) {
      message(tr("A waiver needs a reason."), true);
      return;
    }
    Waiver w;
    w.rule = rule.toStdString();
    w.entities = place.toStdString();
    w.reason = reason.toStdString();
    apply({"Waive " + w.rule, [w](const Design& d) -> Edited { return add_entity(d, &Design::waivers, w).design; }});
  });
  dialog->open();
}

void StudioWindow::new_rack_type() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("rack_type_dialog"));
  dialog->setWindowTitle(tr("New rack type"));
  auto* form = new QFormLayout(dialog);
  const std::string free = free_name(document_->design(), "rack_types", "Rack type 1");
  auto* name = new QLineEdit(QString::fromStdString(free), dialog);
  name->setObjectName(QStringLiteral("rack_type_name"));
  name->selectAll();
  form->addRow(tr("&Name"), name);
  auto* cabinet = new QComboBox(dialog);
  cabinet->setObjectName(QStringLiteral("rack_type_cabinet"));
  const Catalog& catalog = *evaluator_->catalog();
  for (const bool cabinets : {true, false})
    for (const PartSummary& p : part_summaries(catalog, "rack"))
      if ((catalog.find<RackPart>(p.id)->kind == "cabinet") == cabinets)
        cabinet->addItem(maker_and_name(p.vendor, p.name), QString::fromStdString(p.id));
  cabinet->setCurrentIndex(std::max(0, cabinet->findData(QStringLiteral("generic-48u-600x1200"))));
  form->addRow(tr("&Cabinet or rack"), cabinet);
  auto* note = new QLabel(
      tr("It starts empty: drag nodes, switches and storage from Parts onto its elevation (Ctrl+E)."), dialog);
  note->setObjectName(QStringLiteral("secondary"));
  note->setWordWrap(true);
  form->addRow(note);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Make it"));
  form->addRow(buttons);
  const auto check = [name, buttons] {
    buttons->button(QDialogButtonBox::Ok)->setEnabled(!name->text().trimmed().isEmpty());
  };
  connect(name, &QLineEdit::textChanged, dialog, check);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, name, cabinet] {
    RackType type;
    type.name = name->text().trimmed().toStdString();
    type.rack_part = cabinet->currentData().toString().toStdString();
    const Id next = document_->design().next_id;
    apply({"New rack type", [type](const Design& d) -> Edited {
             RackType t = type;
             const auto taken = [&d, &t] {
               return std::any_of(d.rack_types->begin(), d.rack_types->end(),
                                  [&t](const RackType& other) { return other.name == t.name; });
             };
             for (int n = 2; taken(); ++n) t.name = type.name + " " + std::to_string(n);
             return add_entity(d, &Design::rack_types, t).design;
           }});
    document_->select({{"rack_types", next}});
  });
  dialog->open();
}

bool StudioWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == layout_dock_ && event->type() == QEvent::Close && layout_)
    QMetaObject::invokeMethod(this, &StudioWindow::close_layout, Qt::QueuedConnection);
  // Esc ends the preview of a remedy wherever the keys go, but in a field in which something is typed.
  if (tried_preview_ != 0 && event->type() == QEvent::KeyPress && watched->isWidgetType() &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !QApplication::activeModalWidget() &&
      !QApplication::activePopupWidget()) {
    const auto* field = qobject_cast<const QLineEdit*>(watched);
    if (static_cast<QWidget*>(watched)->window() == this && (!field || !field->isModified())) {
      event->accept();
      document_->cancelPreview();
      return true;
    }
  }
  // When a dialog closes, the keys are tools of the plan again, unless something is being written.
  if (event->type() == QEvent::Hide && qobject_cast<QDialog*>(watched) &&
      static_cast<QWidget*>(watched)->parentWidget() == this)
    QTimer::singleShot(0, this, [this] {
      if (!QApplication::activeModalWidget() && !QApplication::activePopupWidget()) focus_plan();
    });
  return QMainWindow::eventFilter(watched, event);
}

void StudioWindow::focus_plan() {
  if (stack_->currentIndex() != 1 || tabs_->currentIndex() != 0) return;
  const QWidget* now = focusWidget();
  const bool writes = qobject_cast<const QLineEdit*>(now) || qobject_cast<const QPlainTextEdit*>(now);
  if (writes && now->hasFocus()) return;
  hall_->plan()->setFocus(Qt::OtherFocusReason);
}

void StudioWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && stack_->currentIndex() == 1 && tabs_->currentIndex() == 0) {
    hall_->plan()->setFocus(Qt::OtherFocusReason);
    event->accept();
    return;
  }
  QMainWindow::keyPressEvent(event);
}

void StudioWindow::open_palette() {
  std::vector<PaletteEntry> actions, entities, figures;
  for (QAction* a : palette_actions_) {
    if (!a->isEnabled()) continue;
    const QString own = a->property("palette_text").toString(); // where the name of its menu says what it is
    actions.push_back({own.isEmpty() ? QString(a->text()).remove(QLatin1Char('&')) : own, a->shortcut().toString(QKeySequence::NativeText), [a] { a->trigger(); }});
  }
  const Design& d = document_->design();
  for (auto table : table_words())
    for (Id id : entity_ids(d, table)) {
      const EntityRef e{std::string(table), id};
      entities.push_back({entity_title(d, evaluator_->catalog().get(), e), table_word(std::string(table)), [this, e] {
                            document_->select({e});
                            if (!on_plan({e}).empty()) {
                              showWorkspace(0);
                              hall_->plan()->zoomTo({e});
                            }
                          }});
    }
  if (const auto& e = document_->evaluation())
    for (const Figure* f : e->figures.all())
      if (!f->is_leaf())
        figures.push_back({QString::fromStdString(f->label), screen_text(*f), [this, id = QString::fromStdString(f->id)] { explain_figure(id); }});
  palette_->open(std::move(actions), std::move(entities), std::move(figures));
}

void StudioWindow::show_help(const QString& page) {
  if (!help_) help_ = new HelpWindow(this);
  help_->showPage(page);
  help_->show();
  help_->raise();
  help_->activateWindow();
}

void StudioWindow::show_training() {
  for (int i = 0; i < workspaces_->count(); ++i)
    if (workspaces_->widget(i)->isAncestorOf(training_)) showWorkspace(i);
}

void StudioWindow::showWorkspace(int index) {
  if (index >= 0 && index < tabs_->count()) tabs_->setCurrentIndex(index);
}

QRect fitted_geometry(const QRect& wanted, const QMargins& frame, const QSize& least, const QRect& room) {
  const QRect inside = room.marginsRemoved(frame);
  QRect g = wanted;
  g.setSize(g.size().expandedTo(least).boundedTo(inside.size()));
  g.moveLeft(std::clamp(g.left(), inside.left(), inside.right() - g.width() + 1));
  g.moveTop(std::clamp(g.top(), inside.top(), inside.bottom() - g.height() + 1));
  return g;
}

void StudioWindow::restore_layout() {
  QSettings settings;
  if (settings.value(QStringLiteral("window/version")).toInt() != layout_version) return;
  const QRect wanted = settings.value(QStringLiteral("window/geometry")).toRect();
  if (wanted.isValid()) {
    // A screen may be gone, or be scaled otherwise by now: the window keeps its size in dots where that fits, and lies
    // with its frame inside what is there.
    QScreen* screen = QGuiApplication::screenAt(wanted.center());
    if (!screen) screen = QGuiApplication::primaryScreen();
    const double scale = settings.value(QStringLiteral("window/scale"), screen->devicePixelRatio()).toDouble();
    const double factor = scale > 0 ? scale / screen->devicePixelRatio() : 1.0;
    const QList<QVariant> kept = settings.value(QStringLiteral("window/frame")).toList();
    QMargins frame(0, style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
    if (kept.size() == 4) frame = QMargins(kept[0].toInt(), kept[1].toInt(), kept[2].toInt(), kept[3].toInt());
    setGeometry(fitted_geometry(QRectF(wanted.x() * factor, wanted.y() * factor, wanted.width() * factor, wanted.height() * factor).toRect(),
                                frame, minimumSize(), screen->availableGeometry()));
    if (settings.value(QStringLiteral("window/maximized")).toBool()) setWindowState(Qt::WindowMaximized);
  }
  sized_ = restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), layout_version);
  layout_dock_->hide(); // whatever an earlier run left
}

void StudioWindow::closeEvent(QCloseEvent* event) {
  if (stack_->currentIndex() == 1 && !maybe_keep()) {
    event->ignore();
    return;
  }
  close_layout();
  QSettings settings;
  settings.setValue(QStringLiteral("window/version"), layout_version);
  const bool whole_screen = isMaximized() || isFullScreen();
  settings.setValue(QStringLiteral("window/maximized"), isMaximized());
  settings.setValue(QStringLiteral("window/geometry"), whole_screen && normalGeometry().isValid() ? normalGeometry() : geometry());
  settings.setValue(QStringLiteral("window/scale"), devicePixelRatioF());
  const QRect in = geometry(), out = frameGeometry();
  if (!whole_screen && out.top() < in.top())
    settings.setValue(QStringLiteral("window/frame"), QVariantList{in.left() - out.left(), in.top() - out.top(), out.right() - in.right(), out.bottom() - in.bottom()});
  if (stack_->currentIndex() == 1) settings.setValue(QStringLiteral("window/state"), narrow_ || low_ ? roomy_layout_ : saveState(layout_version));
  session_->close();
  event->accept();
}

void StudioWindow::dragEnterEvent(QDragEnterEvent* event) {
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile() && (url.path().endsWith(QLatin1String(".hall")) || url.path().endsWith(QLatin1String(".hall.json")))) event->acceptProposedAction();
}

void StudioWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) {
      openPath(url.toLocalFile());
      return;
    }
}

} // namespace hallwright
