// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/studio_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFormLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScreen>
#include <QSettings>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QTimer>
#include <QUndoView>
#include <QUrl>
#include <QVBoxLayout>

#include "app/studio/command_palette.h"
#include "app/studio/compare_workspace.h"
#include "app/studio/exports.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/rack_elevation_actions.h"
#include "app/studio/subject_workspace.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr int layout_version = 1;
constexpr int paste_step_mm = 600;

/// Things of the selection that stand on the plan.
std::vector<EntityRef> on_plan(const std::vector<EntityRef>& selection) {
  std::vector<EntityRef> out;
  for (const auto& e : selection)
    if (e.table == "racks" || e.table == "power_units" || e.table == "cooling_units" || e.table == "structures" || e.table == "notes") out.push_back(e);
  return out;
}
std::string things(std::size_t n) { return n == 1 ? "1 thing" : std::to_string(n) + " things"; }
} // namespace

StudioWindow::StudioWindow(const Shared<Catalog>& catalog, QWidget* parent) : QMainWindow(parent) {
  setObjectName(QStringLiteral("studio"));
  evaluator_ = new LiveEvaluator(this);
  evaluator_->setCatalog(catalog);
  document_ = new Document(*evaluator_, this);
  session_ = new Session(this);
  palette_ = new CommandPalette(this);
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

  stack_ = new QStackedWidget(this);
  start_ = new StartPage(stack_);
  stack_->addWidget(start_);
  make_workspaces();
  setCentralWidget(stack_);
  make_docks();
  make_menus();
  wire();
  resize(1500, 900);
  restore_layout();
  show_start_page();
}

StudioWindow::~StudioWindow() = default;

void StudioWindow::make_workspaces() {
  auto* studio = new QWidget(stack_);
  auto* column = new QVBoxLayout(studio);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tabs_ = new QTabBar(studio);
  tabs_->setObjectName(QStringLiteral("workspace_tabs"));
  tabs_->setAccessibleName(tr("Workspaces"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(true);
  workspaces_ = new QStackedWidget(studio);
  hall_ = new HallWorkspace(*document_, workspaces_);
  tabs_->addTab(tr("Hall"));
  workspaces_->addWidget(hall_);
  elevation_ = new RackElevationActions(*document_, *hall_, *this);
  for (const SubjectSpec& spec : subject_specs()) {
    auto* w = new SubjectWorkspace(*document_, spec, workspaces_);
    subjects_.push_back(w);
    workspaces_->addWidget(w);
    tabs_->addTab(spec.name);
  }
  compare_ = new CompareWorkspace(*document_, workspaces_);
  workspaces_->addWidget(compare_);
  tabs_->addTab(tr("Compare"));
  column->addWidget(tabs_);
  column->addWidget(workspaces_, 1);
  stack_->addWidget(studio);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int i) {
    workspaces_->setCurrentIndex(i);
    // The plan's side docks make room for the cards of the other workspaces.
    const bool plan = i == 0;
    for (QDockWidget* d : docks_)
      if (d->objectName() == QLatin1String("dock_parts") || d->objectName() == QLatin1String("dock_outline"))
        d->setVisible(plan && stack_->currentIndex() == 1);
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
  // The strip stands above everything, as a tool bar that cannot be moved away.
  headlines_ = new HeadlineStrip(this);
  auto* strip = new QDockWidget(this);
  strip->setObjectName(QStringLiteral("dock_headlines"));
  strip->setTitleBarWidget(new QWidget(strip));
  strip->setFeatures(QDockWidget::NoDockWidgetFeatures);
  strip->setWidget(headlines_);
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
  status_time_ = new QLabel(this);
  status_saved_ = new QLabel(this);
  bar->addWidget(status_position_);
  bar->addWidget(status_snap_);
  bar->addPermanentWidget(status_saved_);
  bar->addPermanentWidget(status_time_);
  bar->addPermanentWidget(status_zoom_);
  status_position_->setMinimumWidth(fontMetrics().averageCharWidth() * 26);
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

void StudioWindow::make_menus() {
  auto* file = menuBar()->addMenu(tr("&File"));
  add_action(file, tr("&New design"), QKeySequence::New, QStringLiteral("new"), [this] { new_design(); });
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
  file->addSeparator();
  auto* exports = file->addMenu(icon(QStringLiteral("export")), tr("&Export"));
  auto export_to = [this](const QString& title, const QString& suffix, std::function<QString(const QString&)> write) {
    if (!document_->evaluation()) return;
    const QString stem = QFileInfo(session_->title()).completeBaseName();
    const QString file_name = QFileDialog::getSaveFileName(this, title, stem + suffix);
    if (file_name.isEmpty()) return;
    const QString problem = write(file_name);
    message(problem.isEmpty() ? tr("Written: %1").arg(file_name) : problem, !problem.isEmpty());
  };
  add_action(exports, tr("One-page &summary, PDF\u2026"), QKeySequence(Qt::CTRL | Qt::Key_P), {}, [this, export_to] {
    export_to(tr("Summary as PDF"), QStringLiteral("-summary.pdf"), [this](const QString& f) { return write_report_pdf(f, document_->evaluation()); });
  });
  add_action(exports, tr("Plan as S&VG\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Plan as SVG"), QStringLiteral("-plan.svg"), [this](const QString& f) { return write_plan_svg(f, document_->evaluation(), hall_->plan()->overlay()); });
  });
  add_action(exports, tr("Plan as &DXF\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Plan as DXF"), QStringLiteral("-plan.dxf"), [this](const QString& f) { return write_plan_dxf(f, document_->evaluation()); });
  });
  add_action(exports, tr("Plan as P&NG\u2026"), {}, {}, [this, export_to] {
    export_to(tr("Plan as PNG"), QStringLiteral("-plan.png"), [this](const QString& f) { return write_plan_png(f, document_->evaluation(), hall_->plan()->overlay(), QSize(2400, 1600)); });
  });
  add_action(exports, tr("&Rack elevations, all\u2026"), {}, {}, [this] { elevation_->exportElevations(true); });
  add_action(exports, tr("Rack elevation s&hown\u2026"), {}, {}, [this] { elevation_->exportElevations(false); });
  add_action(exports, tr("All &tables as CSV\u2026"), {}, {}, [this] {
    if (!document_->evaluation()) return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the tables"));
    if (folder.isEmpty()) return;
    const QString problem = write_tables(folder, document_->evaluation());
    message(problem.isEmpty() ? tr("Tables written into %1").arg(folder) : problem, !problem.isEmpty());
  });
  file->addSeparator();
  add_action(file, tr("&Quit"), QKeySequence::Quit, {}, [this] { close(); });

  auto* edit = menuBar()->addMenu(tr("&Edit"));
  auto* undo = document_->undoStack().createUndoAction(this, tr("Undo"));
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
  add_action(edit, tr("&Paste"), QKeySequence::Paste, QStringLiteral("paste"), [this] { paste(); });
  add_action(edit, tr("&Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), QStringLiteral("duplicate"), [this] { duplicate_selection(); });
  add_action(edit, tr("De&lete"), QKeySequence(Qt::CTRL | Qt::Key_Delete), QStringLiteral("delete"), [this] { remove_selection(); });
  edit->addSeparator();
  add_action(edit, tr("Select &all on the plan"), QKeySequence::SelectAll, {}, [this] {
    std::vector<EntityRef> all;
    for (const char* table : {"racks", "power_units", "cooling_units", "structures"})
      for (Id id : entity_ids(document_->design(), table)) all.push_back({table, id});
    document_->select(std::move(all));
  });
  add_action(edit, tr("Select same &type"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), {}, [this] { select_same_type(); });
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
  add_action(view, tr("Zoom to &fit"), QKeySequence(Qt::Key_F4), QStringLiteral("zoom-fit"), [this] { hall_->plan()->zoomToFit(); });
  add_action(view, tr("Zoom to &selection"), QKeySequence(Qt::SHIFT | Qt::Key_F4), {}, [this] { hall_->plan()->zoomToSelection(); });
  add_action(view, tr("Zoom in"), QKeySequence::ZoomIn, QStringLiteral("zoom-in"), [this] { hall_->plan()->zoomBy(1.25); });
  add_action(view, tr("Zoom out"), QKeySequence::ZoomOut, QStringLiteral("zoom-out"), [this] { hall_->plan()->zoomBy(0.8); });
  view->addAction(elevation_->toggle());
  palette_actions_.push_back(elevation_->toggle());
  for (QAction* a : elevation_->view()->commands()) palette_actions_.push_back(a);
  auto* layers = view->addMenu(icon(QStringLiteral("layers")), tr("&Layers"));
  const std::pair<PlanLayer, QString> layer_names[] = {{PlanLayer::structure, tr("Structure")}, {PlanLayer::racks, tr("Racks")}, {PlanLayer::power, tr("Power")}, {PlanLayer::liquid, tr("Liquid and air")}, {PlanLayer::notes, tr("Notes")}};
  for (const auto& [layer, name] : layer_names) {
    auto* visible = layers->addAction(tr("Show %1").arg(name.toLower()));
    visible->setCheckable(true);
    visible->setChecked(true);
    connect(visible, &QAction::toggled, this, [this, layer = layer](bool on) { hall_->plan()->setLayerVisible(layer, on); });
    auto* locked = layers->addAction(icon(QStringLiteral("lock")), tr("Lock %1").arg(name.toLower()));
    locked->setCheckable(true);
    connect(locked, &QAction::toggled, this, [this, layer = layer](bool on) { hall_->plan()->setLayerLocked(layer, on); });
  }
  auto* appearance = view->addMenu(tr("&Appearance"));
  auto* group = new QActionGroup(this);
  const std::pair<Appearance, QString> appearances[] = {{Appearance::system, tr("As the desktop")}, {Appearance::light, tr("Light")}, {Appearance::dark, tr("Dark")}};
  for (const auto& [value, name] : appearances) {
    auto* a = add_action(appearance, name, {}, {}, [value = value] {
      apply_appearance(value);
      QSettings().setValue(QStringLiteral("appearance"), static_cast<int>(value));
      for (QWidget* w : QApplication::allWidgets()) w->update();
    });
    a->setCheckable(true);
    a->setChecked(value == present_appearance());
    group->addAction(a);
  }

  auto* insert = menuBar()->addMenu(tr("&Insert"));
  add_action(insert, tr("&Hall outline"), {}, QStringLiteral("hall"), [this] {
    showWorkspace(0);
    hall_->setTool(PlanTool::hall_outline);
  });
  add_action(insert, tr("&Row of racks"), {}, QStringLiteral("row"), [this] {
    showWorkspace(0);
    hall_->setTool(PlanTool::row);
  });
  add_action(insert, tr("New rack &type"), {}, QStringLiteral("rack"), [this] { new_rack_type(); });
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

  auto* arrange = menuBar()->addMenu(tr("A&rrange"));
  add_action(arrange, tr("&Array\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), QStringLiteral("array"), [this] { array_dialog(); });
  add_action(arrange, tr("&Rotate 90\u00b0"), QKeySequence(Qt::CTRL | Qt::Key_R), QStringLiteral("rotate"), [this] {
    const auto what = on_plan(document_->selection());
    if (what.empty()) return;
    const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
    apply({"Rotate " + things(what.size()), [what, sizes](const Design& d) { return rotate_by(d, what, degrees(90), sizes); }});
  });
  arrange->addSeparator();
  const std::tuple<QString, AlignEdge, QString> edges[] = {{tr("Align left edges"), AlignEdge::left, QStringLiteral("align-left")}, {tr("Align right edges"), AlignEdge::right, {}},
                                                          {tr("Align top edges"), AlignEdge::top, QStringLiteral("align-top")}, {tr("Align bottom edges"), AlignEdge::bottom, {}},
                                                          {tr("Centre left to right"), AlignEdge::center_x, {}}, {tr("Centre top to bottom"), AlignEdge::center_y, {}}};
  for (const auto& [name, edge, image] : edges) add_action(arrange, name, {}, image, [this, edge = edge] { align_selection(edge); });
  arrange->addSeparator();
  add_action(arrange, tr("Equal gaps, left to right"), {}, QStringLiteral("distribute"), [this] { distribute_selection(DistributeAxis::x); });
  add_action(arrange, tr("Equal gaps, top to bottom"), {}, {}, [this] { distribute_selection(DistributeAxis::y); });

  auto* study = menuBar()->addMenu(tr("&Study"));
  add_action(study, tr("&What if, scenarios, published figures"), {}, QStringLiteral("compare"), [this] { showWorkspace(tabs_->count() - 1); });
  add_action(study, tr("&Next finding"), QKeySequence(Qt::Key_F8), {}, [this] { checks_->next(1); });
  add_action(study, tr("&Previous finding"), QKeySequence(Qt::SHIFT | Qt::Key_F8), {}, [this] { checks_->next(-1); });

  auto* window = menuBar()->addMenu(tr("&Window"));
  for (QDockWidget* d : docks_)
    if (d->objectName() != QLatin1String("dock_headlines")) window->addAction(d->toggleViewAction());
  window->addSeparator();
  add_action(window, tr("&Reset layout"), {}, {}, [this] { restoreState(default_layout_, layout_version); });

  auto* help = menuBar()->addMenu(tr("&Help"));
  add_action(help, tr("&First steps"), QKeySequence::HelpContents, {}, [this] { show_help(QStringLiteral("first-steps")); });
  add_action(help, tr("Figures and how they open"), {}, {}, [this] { show_help(QStringLiteral("figures")); });
  add_action(help, tr("Numbers and units"), {}, {}, [this] { show_help(QStringLiteral("units")); });
  add_action(help, tr("Files and recovery"), {}, {}, [this] { show_help(QStringLiteral("files")); });
  add_action(help, tr("Glossary"), {}, {}, [this] { show_help(QStringLiteral("glossary")); });
  add_action(help, tr("All pages"), {}, {}, [this] { show_help(QStringLiteral("index")); });
  add_action(help, tr("For developers"), {}, {}, [this] { show_help(QStringLiteral("developers")); });
  add_action(help, tr("Rules that are checked"), {}, {}, [this] { show_help(QStringLiteral("rules")); });
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
  });
  connect(document_, &Document::recomputed, this, [this](double ms) {
    recompute_ms_ = ms;
    status_time_->setText(tr("recomputed in %1 ms").arg(QLocale().toString(ms, 'f', 1)));
  });
  connect(evaluator_, &LiveEvaluator::lateChanged, this, [this](bool late) {
    headlines_->setStale(late);
    if (late) status_time_->setText(tr("recomputing\u2026"));
  });
  connect(&document_->undoStack(), &QUndoStack::cleanChanged, this, &StudioWindow::update_title);
  connect(session_, &Session::recoveryFailed, this, refuse);

  connect(headlines_, &HeadlineStrip::figureActivated, this, &StudioWindow::explain_figure);
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
  connect(checks_, &ChecksPanel::remedyPreviewRequested, this, [this](const Edit& edit) {
    document_->preview(edit);
    message(tr("Previewing: %1. Ctrl+Z or any edit ends the preview.").arg(QString::fromStdString(edit.label)));
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
    status_position_->setText(tr("x %1  y %2").arg(screen_text(x / 1000.0, kind::length, 4, "m"), screen_text(y / 1000.0, kind::length, 4, "m")));
    status_snap_->setText(snap.isEmpty() ? QString() : tr("Snap: %1").arg(snap));
  });
  connect(plan, &PlanView::scaleChanged, this, [this](double percent) { status_zoom_->setText(QStringLiteral("%1 %").arg(qRound(percent))); });
  connect(plan, &PlanView::contextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    for (const char* name : {"Cu&t", "&Copy", "&Paste", "&Duplicate", "&Array\u2026", "&Rotate 90\u00b0", "Select same &type", "De&lete"})
      for (QAction* a : palette_actions_)
        if (a->text() == QString::fromUtf8(name)) menu.addAction(a);
    menu.exec(at);
  });
  for (SubjectWorkspace* w : subjects_) {
    connect(w, &SubjectWorkspace::figureActivated, this, &StudioWindow::explain_figure);
    connect(w, &SubjectWorkspace::editRequested, this, request);
    connect(w, &SubjectWorkspace::selectionRequested, this, [this](const std::vector<EntityRef>& s) { document_->select(s); });
  }
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
    session_->discardRecovery(path);
    show_start_page();
  });
}

void StudioWindow::show_start_page() {
  start_->setSamples(Session::samples());
  start_->setRecent(session_->recent());
  start_->setRecovered(session_->recoveries());
  stack_->setCurrentIndex(0);
  for (QDockWidget* d : docks_) d->hide();
  setWindowTitle(QStringLiteral("Hallwright"));
  statusBar()->hide();
}

void StudioWindow::show_studio() {
  if (stack_->currentIndex() == 1) return;
  stack_->setCurrentIndex(1);
  for (QDockWidget* d : docks_) d->show();
  for (QDockWidget* d : docks_)
    if (d->objectName() == QLatin1String("dock_checks")) d->raise();
  statusBar()->show();
  QTimer::singleShot(0, this, [this] {
    if (sized_) return;
    sized_ = true;
    auto named = [this](const char* name) { return findChild<QDockWidget*>(QLatin1String(name)); };
    resizeDocks({named("dock_parts"), named("dock_outline")}, {55, 45}, Qt::Vertical);
    resizeDocks({named("dock_inspector"), named("dock_explain")}, {40, 60}, Qt::Vertical);
    const int unit = fontMetrics().averageCharWidth();
    resizeDocks({named("dock_parts"), named("dock_inspector")}, {unit * 38, unit * 50}, Qt::Horizontal);
    resizeDocks({named("dock_checks")}, {fontMetrics().height() * 11}, Qt::Vertical);
  });
}

void StudioWindow::begin(const Design& design) {
  show_studio();
  document_->reset(design);
  session_->keepRecovery(design, document_->revision());
  if (!session_->remark().isEmpty()) message(session_->remark(), session_->readOnly());
  showWorkspace(0);
  update_title();
  QTimer::singleShot(0, this, [this] { hall_->plan()->zoomToFit(); });
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
  return true;
}

void StudioWindow::update_title() {
  const bool changed = !document_->undoStack().isClean();
  setWindowTitle(tr("%1%2 \u2014 Hallwright").arg(session_->title(), session_->readOnly() ? tr(" (read-only)") : changed ? QStringLiteral(" *") : QString()));
  status_saved_->setText(session_->readOnly() ? tr("read-only") : changed ? tr("Changes kept for recovery") : tr("All changes saved"));
}

void StudioWindow::show_design() {
  hall_->showDesign();
  if (!document_->previewing()) {
    outline_->setDesign(document_->design());
    parts_->setDesign(document_->design(), evaluator_->catalog());
  }
  if (document_->evaluation()) inspector_->setDesign(document_->shown(), document_->evaluation()->catalog);
  else inspector_->setDesign(document_->shown(), evaluator_->catalog());
}

void StudioWindow::show_evaluation() {
  const SharedEvaluation& e = document_->evaluation();
  headlines_->setEvaluation(e, document_->baseline());
  hall_->showEvaluation();
  explain_->setEvaluation(e);
  if (!document_->previewing()) checks_->setEvaluation(e);
  for (SubjectWorkspace* w : subjects_) w->refresh();
  compare_->refresh();
}

void StudioWindow::show_selection() {
  inspector_->setSelection(document_->selection());
  outline_->setSelection(document_->selection());
  hall_->plan()->setSelection(document_->selection());
  for (SubjectWorkspace* w : subjects_) w->showSelection();
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

bool StudioWindow::saveTo(const QString& path) {
  if (!session_->save(document_->design(), path)) {
    message(session_->problem(), true);
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Not saved"), session_->problem(), QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
    return false;
  }
  document_->undoStack().setClean();
  update_title();
  message(tr("Saved: %1").arg(path));
  return true;
}

bool StudioWindow::save() {
  if (session_->path().isEmpty() || session_->readOnly()) return save_as();
  return saveTo(session_->path());
}

bool StudioWindow::save_as() {
  const QString stem = session_->path().isEmpty() ? session_->title() + QStringLiteral(".hall") : session_->path();
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the design"), stem, tr("Hallwright project (*.hall);;Text form (*.hall.json)"));
  return !path.isEmpty() && saveTo(path);
}

void StudioWindow::new_design() {
  if (stack_->currentIndex() == 1 && !maybe_keep()) return;
  session_->startNew(tr("New design"));
  Design d;
  Project p;
  p.name = "New design";
  d.project = share(p);
  begin(d);
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

void StudioWindow::copy() {
  if (auto* table = qobject_cast<QAbstractItemView*>(QApplication::focusWidget()); table && !table->inherits("QGraphicsView")) {
    QMetaObject::invokeMethod(table, "copy");
  }
  const auto what = on_plan(document_->selection());
  if (what.empty()) return;
  QApplication::clipboard()->setText(QString::fromStdString(copy_text(document_->design(), what)));
  message(tr("Copied %1").arg(QString::fromStdString(things(what.size()))));
}

void StudioWindow::cut() {
  copy();
  const auto what = on_plan(document_->selection());
  if (!what.empty()) apply({"Cut " + things(what.size()), [what](const Design& d) { return remove(d, what); }});
}

void StudioWindow::paste() {
  const std::string text = QApplication::clipboard()->text().toStdString();
  Id hall = hall_->plan()->hall();
  if (hall == 0 && !document_->design().halls->empty()) hall = document_->design().halls->front().id;
  document_->applyAndSelectNew({"Paste", [text, hall](const Design& d) -> Edited {
                                  auto made = paste_text(d, text, hall, millimeters(paste_step_mm), millimeters(paste_step_mm));
                                  if (!made) return tl::make_unexpected(made.error());
                                  return made->design;
                                }});
}

void StudioWindow::duplicate_selection() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) return;
  document_->applyAndSelectNew({"Duplicate " + things(what.size()), [what](const Design& d) -> Edited {
                                  auto made = duplicate(d, what, millimeters(paste_step_mm), millimeters(paste_step_mm));
                                  if (!made) return tl::make_unexpected(made.error());
                                  return made->design;
                                }});
}

void StudioWindow::array_dialog() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) {
    message(tr("Select what should be repeated, then choose Array."));
    return;
  }
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("array_dialog"));
  dialog->setWindowTitle(tr("Array of %1").arg(QString::fromStdString(things(what.size()))));
  auto* form = new QFormLayout(dialog);
  auto spin = [&](const QString& label, const char* name, int value) {
    auto* s = new QSpinBox(dialog);
    s->setObjectName(QLatin1String(name));
    s->setRange(1, 5000);
    s->setValue(value);
    form->addRow(label, s);
    return s;
  };
  auto length = [&](const QString& label, const char* name, double mm) {
    FieldInfo f;
    f.name = "pitch";
    f.label = "Pitch";
    f.type = FieldType::number;
    f.kind = &kind::length;
    f.minimum = -1000;
    f.maximum = 1000;
    f.unit = "mm";
    auto* e = new QuantityEdit(dialog);
    e->setObjectName(QLatin1String(name));
    e->setField(f);
    e->setValue(mm / 1000.0);
    form->addRow(label, e);
    return e;
  };
  auto* columns = spin(tr("Columns"), "array_columns", 2);
  auto* pitch_x = length(tr("Pitch left to right"), "array_pitch_x", 600);
  auto* rows = spin(tr("Rows"), "array_rows", 1);
  auto* pitch_y = length(tr("Pitch top to bottom"), "array_pitch_y", 3600);
  auto* effect = new QLabel(dialog);
  effect->setObjectName(QStringLiteral("secondary"));
  form->addRow(effect);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  auto steps = [=] {
    ArraySteps s;
    s.count_x = columns->value();
    s.count_y = rows->value();
    s.pitch_x = meters(std::get<double>(pitch_x->value()));
    s.pitch_y = meters(std::get<double>(pitch_y->value()));
    return s;
  };
  auto edit = [what, steps] {
    const ArraySteps s = steps();
    return Edit{"Array of " + things(what.size()), [what, s](const Design& d) -> Edited {
                  auto made = array(d, what, s);
                  if (!made) return tl::make_unexpected(made.error());
                  return made->design;
                }};
  };
  auto show = [this, effect, edit, steps, n = what.size()] {
    const ArraySteps s = steps();
    effect->setText(tr("%1 in all; the headlines show the effect").arg(QString::fromStdString(things(n * static_cast<std::size_t>(s.count_x * s.count_y)))));
    document_->preview(edit());
  };
  connect(columns, &QSpinBox::valueChanged, dialog, show);
  connect(rows, &QSpinBox::valueChanged, dialog, show);
  connect(pitch_x, &QuantityEdit::committed, dialog, show);
  connect(pitch_y, &QuantityEdit::committed, dialog, show);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, edit] { document_->applyAndSelectNew(edit()); });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  show();
  dialog->open();
}

void StudioWindow::align_selection(AlignEdge edge) {
  const auto what = on_plan(document_->selection());
  if (what.size() < 2) return;
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  apply({"Align " + things(what.size()), [what, edge, sizes](const Design& d) { return align(d, what, edge, sizes); }});
}

void StudioWindow::distribute_selection(DistributeAxis axis) {
  const auto what = on_plan(document_->selection());
  if (what.size() < 3) return;
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  apply({"Equal gaps between " + things(what.size()), [what, axis, sizes](const Design& d) { return distribute(d, what, axis, sizes); }});
}

void StudioWindow::select_same_type() {
  std::set<Id> types;
  std::set<std::string> parts;
  const Design& d = document_->design();
  for (const auto& e : document_->selection()) {
    if (e.table == "racks")
      if (const Rack* r = hallwright::find(*d.racks, e.id)) types.insert(r->rack_type);
    if (e.table == "cooling_units")
      if (const CoolingUnit* u = hallwright::find(*d.cooling_units, e.id)) parts.insert(u->part);
  }
  std::vector<EntityRef> all;
  for (const Rack& r : *d.racks)
    if (types.count(r.rack_type) > 0) all.push_back({"racks", r.id});
  for (const CoolingUnit& u : *d.cooling_units)
    if (parts.count(u.part) > 0) all.push_back({"cooling_units", u.id});
  if (!all.empty()) document_->select(std::move(all));
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
  const Id next = document_->design().next_id;
  apply({"New rack type", [](const Design& d) -> Edited {
           RackType t;
           t.name = free_name(d, "rack_types", "Rack type 1");
           t.rack_part = "generic-48u-600x1200";
           Made made = add_entity(d, &Design::rack_types, t);
           RackItem item;
           item.rack_type = made.entities.front().id;
           item.part = "dgx-h100";
           item.count = 4;
           return add_entity(made.design, &Design::rack_items, item).design;
         }});
  document_->select({{"rack_types", next}});
}

void StudioWindow::open_palette() {
  std::vector<PaletteEntry> actions, entities, figures;
  for (QAction* a : palette_actions_) {
    if (!a->isEnabled()) continue;
    actions.push_back({QString(a->text()).remove(QLatin1Char('&')), a->shortcut().toString(QKeySequence::NativeText), [a] { a->trigger(); }});
  }
  const Design& d = document_->design();
  for (auto table : table_words())
    for (Id id : entity_ids(d, table)) {
      const EntityRef e{std::string(table), id};
      entities.push_back({QString::fromStdString(entity_name(d, e)), to_qstring(table).replace(QLatin1Char('_'), QLatin1Char(' ')), [this, e] {
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
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Help"));
  dialog->resize(760, 640);
  auto* column = new QVBoxLayout(dialog);
  auto* text = new QTextBrowser(dialog);
  text->setOpenExternalLinks(true);
  if (page == QLatin1String("rules")) {
    QString md = tr("# Rules that are checked\n\n");
    for (const Rule& r : all_rules())
      md += QStringLiteral("## %1 %2\n\n*%3*\n\n%4\n\n").arg(to_qstring(r.code), to_qstring(r.title), to_qstring(severity_word(r.severity)), to_qstring(r.help));
    text->setMarkdown(md);
  } else {
    text->setSource(QUrl(QStringLiteral("qrc:/help/%1.md").arg(page)));
  }
  column->addWidget(text);
  dialog->show();
}

void StudioWindow::showWorkspace(int index) {
  if (index >= 0 && index < tabs_->count()) tabs_->setCurrentIndex(index);
}

void StudioWindow::restore_layout() {
  QSettings settings;
  if (settings.value(QStringLiteral("window/version")).toInt() != layout_version) return;
  const QRect wanted = settings.value(QStringLiteral("window/geometry")).toRect();
  if (wanted.isValid()) {
    // A screen may be gone: keep the window inside what is there.
    QScreen* screen = QGuiApplication::screenAt(wanted.center());
    if (!screen) screen = QGuiApplication::primaryScreen();
    const QRect room = screen->availableGeometry();
    QRect g = wanted;
    g.setWidth(std::min(g.width(), room.width()));
    g.setHeight(std::min(g.height(), room.height()));
    g.moveLeft(std::clamp(g.left(), room.left(), room.right() - g.width() + 1));
    g.moveTop(std::clamp(g.top(), room.top(), room.bottom() - g.height() + 1));
    setGeometry(g);
  }
  sized_ = restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), layout_version);
}

void StudioWindow::closeEvent(QCloseEvent* event) {
  if (stack_->currentIndex() == 1 && !maybe_keep()) {
    event->ignore();
    return;
  }
  QSettings settings;
  settings.setValue(QStringLiteral("window/version"), layout_version);
  settings.setValue(QStringLiteral("window/geometry"), geometry());
  if (stack_->currentIndex() == 1) settings.setValue(QStringLiteral("window/state"), saveState(layout_version));
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
