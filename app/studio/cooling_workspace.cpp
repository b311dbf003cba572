// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_workspace.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/cooling_words.h"
#include "app/studio/cooling_year_page.h"
#include "app/studio/failure_bar.h"
#include "app/studio/loop_balance_dialog.h"
#include "app/studio/loop_sizing_card.h"
#include "app/studio/row_pipes_dialog.h"
#include "app/studio/subject_workspace.h"
#include "cooling/facility_water.h"
#include "cooling/heat_without_way.h"
#include "cooling/loop_inputs.h"
#include "cooling/loop_results.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/loop_schematic/heat_sankey.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/theme.h"

namespace hallwright {

using namespace cooling_words;

namespace {

constexpr int year_page = 2; ///< of the pages of this workspace

} // namespace

CoolingWorkspace::CoolingWorkspace(Document& document, QWidget* inputs, QWidget* parent)
    : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("cooling_workspace"));
  pool_.setMaxThreadCount(1);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  pages_ = new QTabWidget(this);
  pages_->setObjectName(QStringLiteral("cooling_pages"));
  pages_->setDocumentMode(true);
  pages_->tabBar()->setAccessibleName(tr("Pages of the cooling"));
  outer->addWidget(pages_);
  make_commands();
  auto* loops = new QScrollArea(pages_); // in a narrow window the schematic is scrolled, not the window
  loops->setWidgetResizable(true);
  loops->setFrameShape(QFrame::NoFrame);
  loops->setFocusPolicy(Qt::NoFocus);
  loops->setWidget(make_page());
  pages_->addTab(loops, tr("Coolant loops"));
  auto* scroll = new QScrollArea(pages_);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inputs);
  pages_->addTab(scroll, tr("Inputs, figures and tables"));
  auto* year = new QScrollArea(pages_);
  year->setWidgetResizable(true);
  year->setFrameShape(QFrame::NoFrame);
  year->setFocusPolicy(Qt::NoFocus);
  year_ = new CoolingYearPage(document_, year);
  year->setWidget(year_);
  pages_->addTab(year, tr("Year"));
  connect(pages_, &QTabWidget::currentChanged, this, [this](int page) {
    if (page == year_page) year_->refresh();
  });
  connect(year_, &CoolingYearPage::editRequested, this, &CoolingWorkspace::editRequested);
  connect(year_, &CoolingYearPage::figureActivated, this, &CoolingWorkspace::figureActivated);
  connect(year_, &CoolingYearPage::told, this, &CoolingWorkspace::told);
  clock_.setInterval(50);
  connect(&clock_, &QTimer::timeout, this, &CoolingWorkspace::tick);
  update_commands();
}

CoolingWorkspace::~CoolingWorkspace() {
  stop_.request_stop();
  pool_.waitForDone();
}

void CoolingWorkspace::showPage(int page) { pages_->setCurrentIndex(page); }

void CoolingWorkspace::make_commands() {
  const auto command = [&](const QString& text, const QString& name, auto&& done) {
    auto* a = new QAction(text, this);
    a->setObjectName(name);
    connect(a, &QAction::triggered, this, std::forward<decltype(done)>(done));
    commands_.push_back(a);
    return a;
  };
  fail_action_ = command(tr("&Fail what is selected on the loop"), QStringLiteral("cooling_fail"),
                         [this] { set_out(view_->selection(), Part::whole, true); });
  pump_action_ = command(tr("Fail one &pump of the unit"), QStringLiteral("cooling_fail_pump"),
                         [this] { set_out(view_->selection(), Part::pump, true); });
  facility_action_ = command(tr("Lose the facility &water of the unit"), QStringLiteral("cooling_fail_facility"),
                             [this] { set_out(view_->selection(), Part::facility, true); });
  restore_action_ = command(tr("&Restore it"), QStringLiteral("cooling_restore"), [this] {
    const loops::Thing t = view_->selection();
    set_out(t, Part::whole, false);
  });
  restore_all_action_ =
      command(tr("Restore &all of the loop and its facility water"), QStringLiteral("cooling_restore_all"), [this] { restore_all(); });
  commands_.push_back(nullptr);
  play_action_ = command(tr("Run the &clock of the countdown"), QStringLiteral("cooling_play"), [this] {
    Q_EMIT wanted();
    set_clock(!clock_.isActive());
  });
  again_action_ = command(tr("Clock back to &zero"), QStringLiteral("cooling_clock_zero"), [this] {
    clock_s_ = 0;
    playing_ = transient_.has_value();
    show_countdown();
    show_instant();
  });
  fast_action_ = command(tr("Clock ten times as fast"), QStringLiteral("cooling_clock_fast"), [] {});
  fast_action_->setCheckable(true);
  commands_.push_back(nullptr);
  sweep_action_ = command(tr("&Single failures of the loop"), QStringLiteral("cooling_sweep"), [this] {
    Q_EMIT wanted();
    showPage(0);
    cards_->setCurrentIndex(3);
    start_sweep();
  });
  commands_.push_back(nullptr);
  balance_action_ = command(tr("&Balance racks\u2026"), QStringLiteral("cooling_balance"), [this] { balanceRacks(); });
  // On the plan the selected racks say which loop is meant.
  pipes_action_ = command(tr("&Draw coolant pipes for a row\u2026"), QStringLiteral("cooling_pipes"),
                          [this] { drawPipes(isVisible() && !shown_ ? loop_ : 0); });
  weather_action_ = command(tr("Import a &weather file\u2026"), QStringLiteral("cooling_weather"), [this] {
    Q_EMIT wanted();
    showPage(year_page);
    year_->importWeather();
  });
}

void CoolingWorkspace::drawPipes(Id loop) {
  auto* dialog = new RowPipesDialog(document_, loop, window());
  connect(dialog, &RowPipesDialog::editRequested, this, &CoolingWorkspace::editRequested);
  dialog->open();
}

void CoolingWorkspace::balanceRacks() {
  if (!shown_ || shown_->facility) return;
  auto* dialog = new LoopBalanceDialog(document_, shown_, window());
  connect(dialog, &LoopBalanceDialog::editRequested, this, &CoolingWorkspace::editRequested);
  dialog->open();
}

void CoolingWorkspace::fillMenu(QMenu* menu) {
  for (QAction* a : commands_)
    a ? menu->addAction(a) : static_cast<void>(menu->addSeparator());
}

QWidget* CoolingWorkspace::make_page() {
  auto* page = new QWidget(pages_);
  page->setObjectName(QStringLiteral("clear"));
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  column->addWidget(make_bar());

  auto* split = new QSplitter(Qt::Vertical, page);
  split->setObjectName(QStringLiteral("split_cooling"));
  split->setChildrenCollapsible(false);
  split->setHandleWidth(2 * spacing_unit);
  stack_ = new QStackedWidget(split);

  auto* drawn = new QWidget(stack_);
  auto* drawn_column = new QVBoxLayout(drawn);
  drawn_column->setContentsMargins(0, 0, 0, 0);
  drawn_column->setSpacing(spacing_unit);
  drawn_column->addWidget(make_banner());
  view_ = new loops::LoopSchematicView(drawn);
  drawn_column->addWidget(view_, 1);
  stack_->addWidget(make_card({}, drawn, stack_));

  auto* nothing = new QWidget(stack_);
  auto* nothing_column = new QVBoxLayout(nothing);
  nothing_column->addStretch(1);
  empty_ = new QLabel(nothing);
  empty_->setObjectName(QStringLiteral("cooling_empty"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  nothing_column->addWidget(empty_);
  draw_ = new QPushButton(tr("Draw pipes for a row\u2026"), nothing);
  draw_->setObjectName(QStringLiteral("cooling_draw_pipes"));
  connect(draw_, &QPushButton::clicked, this, [this] { drawPipes(loop_); });
  nothing_column->addWidget(draw_, 0, Qt::AlignHCenter);
  nothing_column->addStretch(1);
  stack_->addWidget(make_card({}, nothing, stack_));
  split->addWidget(stack_);

  cards_ = new QTabWidget(split);
  cards_->setObjectName(QStringLiteral("cooling_cards"));
  cards_->setDocumentMode(true);
  cards_->tabBar()->setAccessibleName(tr("About the coolant loop"));
  cards_->addTab(make_flow_card(), tr("Flow of racks"));
  cards_->addTab(make_pump_card(), tr("Pumps"));
  cards_->addTab(make_seconds_card(), tr("Seconds after a loss"));
  cards_->addTab(make_failures_card(), tr("Single failures"));
  heat_ = new loops::HeatSankey(cards_);
  heat_->setEmptyText(tr("Place racks: the way of their heat appears here."));
  connect(heat_, &loops::HeatSankey::entityActivated, this,
          [this](const EntityRef& e) { Q_EMIT selectionRequested({e}); });
  cards_->addTab(heat_, tr("Heat"));
  sizing_ = new LoopSizingCard(document_, cards_);
  connect(sizing_, &LoopSizingCard::editRequested, this, &CoolingWorkspace::editRequested);
  cards_->addTab(sizing_, tr("Sizing"));
  connect(cards_, &QTabWidget::currentChanged, this, [this](int card) {
    if (card == 2) ask_responses();
    if (card == 3 && look() && swept_ != shown_) start_sweep();
  });
  split->addWidget(make_card({}, cards_, split));
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  const int line = fontMetrics().height();
  stack_->setMinimumHeight(line * 17);
  cards_->setMinimumHeight(line * 13);
  split->setSizes({520, 300});
  // What it would like to have must not make the page higher than the window: only what it needs.
  split->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  split->setMinimumHeight(line * 32);
  column->addWidget(split, 1);

  connect(view_, &loops::LoopSchematicView::selectionChanged, this, &CoolingWorkspace::from_view);
  connect(view_, &loops::LoopSchematicView::failRequested, this, &CoolingWorkspace::toggle);
  connect(view_, &loops::LoopSchematicView::pumpRequested, this, &CoolingWorkspace::set_pump);
  connect(view_, &loops::LoopSchematicView::restoreRequested, this,
          [this](const loops::Thing& t) { set_out(t, Part::whole, false); });
  connect(view_, &loops::LoopSchematicView::menuRequested, this, &CoolingWorkspace::context_menu);
  return page;
}

QWidget* CoolingWorkspace::make_bar() {
  auto* bar = new QWidget(pages_);
  bar->setObjectName(QStringLiteral("clear"));
  auto* row = new FlowLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * spacing_unit);
  loops_ = new QComboBox(bar);
  loops_->setObjectName(QStringLiteral("cooling_loop"));
  loops_->setAccessibleName(tr("Coolant loop"));
  loops_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  loops_->setMinimumContentsLength(12);
  connect(loops_, &QComboBox::activated, this, [this](int i) {
    if (i < 0 || i >= static_cast<int>(loop_ids_.size())) return;
    const Id chosen = loop_ids_[static_cast<std::size_t>(i)];
    // What is selected on another loop would lead back to that.
    if (chosen != loop_ && !document_.selection().empty()) Q_EMIT selectionRequested({});
    chooseLoop(chosen);
  });
  row->addWidget(loops_);
  const auto button = [&](const QString& text, QAction* action, const QString& name) {
    auto* b = new QPushButton(text, bar);
    b->setObjectName(name);
    b->setToolTip(action->text().remove(QLatin1Char('&')));
    connect(b, &QPushButton::clicked, action, &QAction::trigger);
    row->addWidget(b);
    return b;
  };
  fail_ = button(tr("Fail"), fail_action_, QStringLiteral("cooling_fail_button"));
  restore_ = button(tr("Restore"), restore_action_, QStringLiteral("cooling_restore_button"));
  restore_all_ = button(tr("Restore all"), restore_all_action_, QStringLiteral("cooling_restore_all_button"));
  balance_ = button(tr("Balance racks\u2026"), balance_action_, QStringLiteral("cooling_balance_button"));
  const auto tool = [&](const QString& icon_name, const QString& text, auto&& done) {
    auto* b = new QToolButton(bar);
    b->setIcon(icon(icon_name));
    b->setToolTip(text);
    b->setAccessibleName(text);
    b->setAutoRaise(true);
    connect(b, &QToolButton::clicked, this, std::forward<decltype(done)>(done));
    row->addWidget(b);
    return b;
  };
  tool(QStringLiteral("zoom-in"), tr("Zoom in"), [this] { view_->zoomBy(1.25); });
  tool(QStringLiteral("zoom-fit"), tr("Fit the whole loop"), [this] {
    view_->fit();
  })->setObjectName(QStringLiteral("cooling_fit"));
  return bar;
}

QWidget* CoolingWorkspace::make_banner() {
  banner_frame_ = new QWidget(pages_);
  banner_frame_->setObjectName(QStringLiteral("clear"));
  auto* row = new FlowLayout(banner_frame_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(3 * spacing_unit);
  banner_ = new QLabel(banner_frame_);
  banner_->setObjectName(QStringLiteral("cooling_banner"));
  banner_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  banner_->setWordWrap(true);
  banner_->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
  banner_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  row->addWidget(banner_);
  countdown_ = new QLabel(banner_frame_);
  countdown_->setObjectName(QStringLiteral("cooling_countdown"));
  countdown_->setTextFormat(Qt::RichText);
  row->addWidget(countdown_);
  const auto tool = [&](QAction* action, const QString& text, const QString& name) {
    auto* b = new QToolButton(banner_frame_);
    b->setText(text);
    b->setObjectName(name);
    b->setToolTip(action->text().remove(QLatin1Char('&')));
    b->setAccessibleName(b->toolTip());
    if (action->isCheckable()) {
      b->setCheckable(true);
      connect(b, &QToolButton::toggled, action, &QAction::setChecked);
      connect(action, &QAction::toggled, b, &QToolButton::setChecked);
    } else
      connect(b, &QToolButton::clicked, action, &QAction::trigger);
    row->addWidget(b);
    return b;
  };
  play_ = tool(play_action_, tr("Play"), QStringLiteral("cooling_play_button"));
  again_ = tool(again_action_, tr("To 0 s"), QStringLiteral("cooling_again_button"));
  fast_ = tool(fast_action_, QStringLiteral("\u00d710"), QStringLiteral("cooling_fast_button"));
  // As high with the clock as without, so that nothing moves.
  banner_frame_->setMinimumHeight(play_->sizeHint().height());
  return banner_frame_;
}

// --- what is shown ---------------------------------------------------------------------------------------------------

void CoolingWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (FailureBar* bar = window()->findChild<FailureBar*>(); bar && !bar_known_) {
    bar_known_ = true;
    connect(
        bar, &FailureBar::restoreRequested, this, [this] { show_words(); }, Qt::QueuedConnection);
  }
  if (pending_)
    refresh();
  else
    show_words();
}
void CoolingWorkspace::hideEvent(QHideEvent* event) {
  set_clock(false);
  QWidget::hideEvent(event);
}

const LoopLook* CoolingWorkspace::look() const {
  const SharedEvaluation& e = document_.evaluation();
  if (!e || !e->loops) return nullptr;
  for (const LoopLook& l : e->loops->loops)
    if (l.loop->loop == loop_) return &l;
  return nullptr;
}

const LoopOperation& CoolingWorkspace::operation() const {
  static const LoopOperation none;
  const auto it = operations_.find(loop_);
  return it == operations_.end() ? none : it->second;
}

const LoopOperation& CoolingWorkspace::water_operation() const {
  static const LoopOperation none;
  const auto it = shown_ && shown_->facility_loop != 0 && upstream_ ? operations_.find(shown_->facility_loop) : operations_.end();
  return it == operations_.end() ? none : it->second;
}

bool CoolingWorkspace::nothing_out() const { return is_healthy(operation()) && is_healthy(water_operation()); }

void CoolingWorkspace::find_felt_water() {
  const LoopOperation& o = water_operation();
  if (is_healthy(o)) {
    felt_water_.reset();
    felt_most_.clear();
    felt_trouble_.clear();
    felt_cause_.clear();
    felt_of_ = {};
    return;
  }
  if ((felt_water_ || !felt_trouble_.isEmpty()) && felt_of_ == o) return;
  felt_of_ = o;
  felt_water_.reset();
  felt_trouble_.clear();
  felt_cause_.clear();
  auto state = upstream_->solve(o);
  if (!state) {
    felt_trouble_ = QString::fromStdString(state.error());
    return;
  }
  if (!state->water.temperatures_known) felt_cause_ = state->trouble;
  felt_water_ = state->facility_water[upstream_place_];
  felt_most_ = *felt_water_;
  LoopOperation full = o;
  full.speed = 1.0;
  if (auto most = upstream_->solve(full)) // something of the loop out, too: what the valves of the others may still get
    for (auto& [unit, water] : felt_most_)
      if (const auto it = most->facility_water[upstream_place_].find(unit); it != most->facility_water[upstream_place_].end())
        water.flow_m3_per_s = std::max(water.flow_m3_per_s, it->second.flow_m3_per_s);
}

void CoolingWorkspace::refresh() {
  pending_ = !isVisible() || !document_.evaluation();
  if (pending_) return;
  fill_loops();
  show_loop();
  show_heat();
  show_sizing();
  if (pages_->currentIndex() == year_page) year_->refresh();
}

/// Of the whole design, with the loop that is shown as it works now.
void CoolingWorkspace::show_heat() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  const auto watts = [&](const char* id) {
    const Figure* f = e->figures.find(id);
    return f && f->has_value() ? f->value : 0.0;
  };
  heat_->setFlows(heat_flows(watts("load.heat_to_liquid"), watts("load.heat_to_air"), e->loops.get(),
                             shown_ ? loop_ : 0, solution_.get()));
}

/// What the racks of the loop ask for, joined to pipes or not.
void CoolingWorkspace::show_sizing() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e || !e->load) return;
  const DrawnLoopInputs in = loop_inputs(e->design, e->catalog);
  const auto coolant = rack_coolant(in, *e->load);
  double heat = 0, flow = 0;
  for (std::size_t i = 0; i < coolant.size() && i < e->design.racks->size(); ++i)
    if (loop_ == 0 || (*e->design.racks)[i].loop == loop_) heat += coolant[i].heat_w, flow += coolant[i].need_m3_per_s;
  sizing_->setLoop(loops_->currentText(), heat, flow);
}

void CoolingWorkspace::fill_loops() {
  const Design& d = document_.shown();
  loop_ids_.clear();
  QStringList names;
  for (const CoolantLoop& l : *d.loops) {
    loop_ids_.push_back(l.id);
    names << (l.name.empty() ? tr("Loop %1").arg(l.id) : QString::fromStdString(l.name));
  }
  QStringList present;
  for (int i = 0; i < loops_->count(); ++i)
    present << loops_->itemText(i);
  if (present != names) {
    loops_->clear();
    loops_->addItems(names);
  }
  if (std::find(loop_ids_.begin(), loop_ids_.end(), loop_) == loop_ids_.end()) {
    loop_ = loop_ids_.empty() ? 0 : loop_ids_.front();
    // The first one that is drawn, where there is one.
    if (const SharedEvaluation& e = document_.evaluation(); e->loops)
      for (const LoopLook& l : e->loops->loops)
        if (l.steady) {
          loop_ = l.loop->loop;
          break;
        }
  }
  const auto at = std::find(loop_ids_.begin(), loop_ids_.end(), loop_);
  loops_->setCurrentIndex(at == loop_ids_.end() ? -1 : static_cast<int>(at - loop_ids_.begin()));
  loops_->setEnabled(!loop_ids_.empty());
  loops_->setPlaceholderText(tr("no loop yet"));
}

void CoolingWorkspace::chooseLoop(Id loop) {
  if (loop == loop_) return;
  loop_ = loop;
  stop_playing();
  fill_loops();
  show_loop();
  show_heat();
  show_sizing();
}

void CoolingWorkspace::show_loop() {
  const LoopLook* l = look();
  const bool drawn = l && l->loop->solvable();
  stack_->setCurrentIndex(drawn ? 0 : 1);
  if (!drawn) {
    shown_ = nullptr;
    solution_ = healthy_ = nullptr;
    transient_.reset();
    stop_playing();
    steady_picture_ = {};
    view_->setPicture({});
    QString words;
    if (loop_ids_.empty())
      words = tr("No coolant loop is in this design yet.\nAdd one with Insert, Coolant loop, or let the pipes of a row "
                 "make one.");
    else if (l && !l->loop->problems.empty() && l->loop->problems.front().kind != LoopProblemKind::no_pipes)
      words = QString::fromStdString(l->loop->problems.front().sentence);
    else
      words = tr("No pipes of %1 are drawn yet, so its flows are first-order: each rack with what it needs.\n"
                 "Draw a supply and a return pipe along the racks and units of the loop, and it is solved: flow, "
                 "pressure and temperature at every rack.")
                  .arg(loops_->currentText());
    empty_->setText(screen_sentence(words));
    flows_->setRacks({});
    pump_chart_->clear();
    seconds_chart_->clear();
    failures_->setRowCount(0);
    failures_words_->clear();
    responses_->clear();
    unit_->clear();
    pump_words_->clear();
    update_commands();
    return;
  }
  const LoopLook* upstream = nullptr;
  if (l->loop->facility_loop != 0)
    for (const LoopLook& water : document_.evaluation()->loops->loops)
      if (water.loop->loop == l->loop->facility_loop && water.loop->solvable() && water.steady) upstream = &water;
  if (shown_ != l->loop || water_ != l->facility_water || upstream_loop_ != (upstream ? upstream->loop : nullptr)) {
    const bool same = shown_ && *shown_ == *l->loop;
    // Sections are known by their number: of another drawing they are others.
    if (shown_ && shown_->loop == l->loop->loop && !same && !(shown_->sections == l->loop->sections))
      operation_here().sections_shut.clear();
    stop_playing();
    shown_ = l->loop;
    auto picture = view_->picture();
    picture.loop = shown_;
    if (!same || !picture.schematic) picture.schematic = std::make_shared<const LoopSchematic>(loop_schematic(*shown_));
    healthy_ = nullptr;
    solver_ = LoopSolver();
    water_ = l->facility_water;
    most_water_ = facility_water_at_most(*document_.evaluation()->loops, *l);
    coupling_.reset();
    upstream_.reset();
    if (upstream_loop_ && upstream && upstream_loop_->loop == upstream->loop->loop && !(upstream_loop_->sections == upstream->loop->sections))
      operations_[upstream->loop->loop].sections_shut.clear();
    upstream_loop_ = nullptr;
    felt_water_.reset();
    felt_trouble_.clear();
    felt_of_ = {};
    served_ = loops_that_hang_on(*document_.evaluation()->loops, *shown_);
    if (!served_.empty()) coupling_ = std::make_unique<FacilityCoupling>(shown_, served_);
    if (upstream) {
      const auto hang = loops_that_hang_on(*document_.evaluation()->loops, *upstream->loop);
      if (const auto here = std::find(hang.begin(), hang.end(), shown_); here != hang.end()) {
        upstream_place_ = static_cast<std::size_t>(here - hang.begin());
        upstream_loop_ = upstream->loop;
        upstream_ = std::make_unique<FacilityCoupling>(upstream_loop_, hang);
      }
    }
    if (auto s = solver_.solve(shown_, with_water({}))) {
      healthy_ = std::make_shared<const LoopSolution>(*std::move(s));
      healthy_flows_ = solver_.state().flow_m3_per_s;
    }
    solution_ = healthy_;
    picture.solution = solution_;
    picture.link_flows = healthy_flows_;
    view_->setPicture(picture);
  }
  fill_losses();
  // The countdown is that of what is out of the facility water, too.
  if (!is_healthy(water_operation())) losses_->setCurrentIndex(losses_->findData(static_cast<int>(LossChoice::schematic)));
  solve();
  show_failures();
  showSelection();
  if (cards_->currentIndex() == 2) ask_responses();
  if (cards_->currentIndex() == 3 && swept_ != shown_) start_sweep();
}

void CoolingWorkspace::solve() {
  if (!shown_) return;
  const LoopOperation& o = operation();
  loops::Picture picture = view_->picture();
  picture.loop = shown_;
  picture.operation = o;
  trouble_.clear();
  behind_.reset();
  behind_trouble_.clear();
  find_felt_water();
  if (!felt_trouble_.isEmpty()) {
    solution_ = nullptr;
    picture.link_flows.clear();
    trouble_ = felt_trouble_;
  } else if (nothing_out()) {
    solution_ = healthy_;
    picture.link_flows = healthy_flows_;
    if (!healthy_)
      if (const LoopLook* l = look()) trouble_ = QString::fromStdString(l->trouble);
  } else if (auto s = solve_with(o)) {
    solution_ = std::make_shared<const LoopSolution>(*std::move(s));
    picture.link_flows = solver_.state().flow_m3_per_s;
  } else {
    solution_ = nullptr;
    picture.link_flows.clear();
    trouble_ = QString::fromStdString(s.error());
  }
  if (felt_water_) // the schematic marks units without any
    for (const auto& [unit, water] : *felt_water_)
      if (!(water.flow_m3_per_s > 0.0)) picture.operation.facility_out.insert(unit);
  picture.solution = solution_;
  picture.healthy_flow = healthy_ ? healthy_->flow_m3_per_s : 0.0;
  // The end of the scale holds for the healthy state too, so that colours do not jump.
  picture.warmest_c = shown_->supply_c + shown_->rise_k;
  for (const auto& of : {healthy_, solution_})
    if (of && of->temperatures_known)
      for (const RackFlow& r : of->racks)
        if (r.flowing) picture.warmest_c = std::max(picture.warmest_c, std::min(r.return_c, 95.0));
  steady_picture_ = picture;
  view_->setPicture(picture);
  show_flows();
  show_pumps();
  show_seconds();
  show_words();
  show_heat();
  update_commands();
  tell_case();
}

/// What the plan crosses out, and the words over the other workspaces.
void CoolingWorkspace::tell_case() {
  std::vector<EntityRef> here;
  const LoopOperation& o = operation();
  if (shown_ && !nothing_out()) {
    for (const Id unit : o.units_out) here.push_back({"cooling_units", unit});
    for (const std::size_t s : o.sections_shut)
      if (s < shown_->sections.size()) here.push_back({"pipes", shown_->sections[s].pipe});
    // Racks that get no coolant with it.
    if (solution_)
      for (const RackFlow& r : solution_->racks)
        if (!r.flowing) here.push_back({"racks", r.rack});
  }
  if (loop_ != 0) {
    if (here.empty()) out_of_.erase(loop_);
    else out_of_[loop_] = std::move(here);
  }
  std::vector<EntityRef> all;
  for (const auto& [loop, things] : out_of_) all.insert(all.end(), things.begin(), things.end());
  const bool healthy = !shown_ || nothing_out();
  const QString words = !healthy ? sentence() : all.empty() ? QString() : tr("Units of another coolant loop are out.");
  if (all == told_out_ && words == told_case_) return;
  told_out_ = all;
  told_case_ = words;
  Q_EMIT caseChanged(words, all);
}

void CoolingWorkspace::restoreAll() {
  if (operations_.empty() && out_of_.empty()) return;
  operations_.clear();
  out_of_.clear();
  if (shown_) {
    changed_operation();
    return;
  }
  tell_case();
}

LoopOperation CoolingWorkspace::with_water(LoopOperation operation) const {
  if (felt_water_)
    operation.facility_water = is_healthy(operation) ? *felt_water_ : felt_most_;
  else
    operation.facility_water = is_healthy(operation) ? water_ : most_water_;
  return operation;
}

tl::expected<LoopSolution, std::string> CoolingWorkspace::solve_with(const LoopOperation& operation) {
  if (!coupling_) return solver_.solve(shown_, with_water(operation));
  auto state = coupling_->solve(operation);
  if (!state) return tl::unexpected(state.error());
  behind_ = racks_behind(*state, served_);
  behind_trouble_ = QString::fromStdString(state->trouble);
  return solver_.solve(state->facility, operation); // once more, for the flows of every link
}

QString CoolingWorkspace::facility_words() const {
  if (!behind_) return {};
  if (!behind_->temperatures_known) {
    const QString lost = behind_->warm_racks == 1 ? tr("1 rack loses its cooling")
                                                  : tr("%1 racks lose their cooling").arg(behind_->warm_racks);
    return behind_trouble_.isEmpty() ? lost : tr("%1: %2").arg(lost, screen_sentence(behind_trouble_));
  }
  if (behind_->hottest_rack == 0) return tr("no rack that hangs on it has any flow");
  const Rack* rack = hallwright::find(*document_.shown().racks, behind_->hottest_rack);
  const QString name = rack ? QString::fromStdString(rack->name) : QString();
  const QString warmest = tr("%1 gets coolant of %2 \u00b0C").arg(name, screen_number(behind_->hottest_supply_c, 'f', 1));
  if (behind_->warm_racks == 0) return tr("no rack gets warmer coolant than its parts take, %1").arg(warmest);
  return (behind_->warm_racks == 1 ? tr("1 rack gets warmer coolant than its parts take, %1")
                                   : tr("%2 racks get warmer coolant than their parts take, %1")
                                         .arg(QStringLiteral("%1"), QString::number(behind_->warm_racks)))
      .arg(warmest);
}

QString CoolingWorkspace::rack_name(Id rack) const {
  if (shown_)
    for (const LoopRack& r : shown_->racks)
      if (r.rack == rack) return QString::fromStdString(r.name);
  return {};
}

namespace {
/// What an operation takes out of a loop, by its names.
QStringList names_of_what_is_out(const DrawnLoop& loop, const LoopOperation& o) {
  const auto tr = [](const char* words) { return CoolingWorkspace::tr(words); };
  QStringList out;
  for (const LoopUnit& u : loop.units) {
    const QString name = QString::fromStdString(u.name);
    if (o.units_out.count(u.unit))
      out << name;
    else if (const auto p = o.pumps_out.find(u.unit); p != o.pumps_out.end() && p->second > 0)
      out << (p->second == 1 ? tr("a pump of %1").arg(name) : tr("%1 pumps of %2").arg(p->second).arg(name));
    if (o.facility_out.count(u.unit)) out << tr("facility water of %1").arg(name);
  }
  for (const std::size_t s : o.sections_shut)
    if (s < loop.sections.size()) out << QString::fromStdString(loop.sections[s].name);
  for (const LoopRack& r : loop.racks)
    if (o.racks_shut.count(r.rack))
      out << (loop.facility ? tr("facility valve of %1") : tr("valve of %1")).arg(QString::fromStdString(r.name));
  return out;
}
} // namespace

QString CoolingWorkspace::out_words() const {
  QStringList out = names_of_what_is_out(*shown_, operation());
  if (upstream_loop_)
    for (const QString& name : names_of_what_is_out(*upstream_loop_, water_operation()))
      out << tr("%1 of %2").arg(name, QString::fromStdString(upstream_loop_->name));
  if (out.size() > 4) {
    const auto more = out.size() - 3;
    out = out.mid(0, 3);
    return tr("%1 and %2 more").arg(out.join(QStringLiteral(", "))).arg(more);
  }
  return out.join(QStringLiteral(", "));
}

QString CoolingWorkspace::sentence() const { return banner_->text(); }
QString CoolingWorkspace::countdown() const {
  QString s = countdown_->text();
  static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
  return s.remove(tags).replace(QStringLiteral("&nbsp;"), QStringLiteral(" "));
}

/// Units of the power are failed in their own workspace.
bool CoolingWorkspace::utility_is_out() const {
  const FailureBar* bar = window()->findChild<FailureBar*>();
  return bar && !bar->text().isEmpty();
}

void CoolingWorkspace::show_words() {
  if (!shown_) return;
  if (playing_ && transient_) return show_instant();
  const bool healthy = nothing_out();
  const auto racks = static_cast<qlonglong>(shown_->racks.size());
  QString words = healthy ? QString() : tr("%1 out: ").arg(out_words());
  bool bad = false;
  if (!solution_) {
    words += healthy           ? trouble_
             : shown_->facility || !felt_trouble_.isEmpty() ? screen_sentence(trouble_)
                                : tr("no coolant flows; all %1 racks are dry").arg(racks);
    bad = true;
  } else {
    const LoopSolution& s = *solution_;
    qlonglong too_little = 0, warm = 0;
    for (std::size_t i = 0; i < s.racks.size(); ++i) {
      const RackFlow& r = s.racks[i];
      if (r.flowing && r.share < enough_share) ++too_little;
      if (r.flowing && s.temperatures_known &&
          r.supply_c >
              std::max(shown_->racks[i].warmest_supply_c.value_or(-1e9), shown_->supply_c + supply_tolerance_k))
        ++warm;
    }
    double over = 0;
    QString busiest;
    for (std::size_t i = 0; i < s.units.size(); ++i)
      if (s.units[i].running && s.units[i].capacity_w > 0 && s.units[i].duty_share > over && s.temperatures_known) {
        over = s.units[i].duty_share;
        busiest = QString::fromStdString(shown_->units[i].name);
      }
    QStringList facts;
    if (shown_->facility) {
      if (s.dry_racks > 0) facts << tr("%1 of %2 distribution units have no facility water").arg(s.dry_racks).arg(racks);
      if (too_little > 0)
        facts << tr("%1 of %2 distribution units are short of facility water, the worst %3 with %4 of its need")
                     .arg(too_little)
                     .arg(racks)
                     .arg(rack_name(s.worst_rack), percent_words(s.least_share));
      if (over > 1.0) facts << tr("%1 would have to reject %2 of what it can").arg(busiest, percent_words(over));
      if (behind_) facts << facility_words();
      bad = behind_ ? !behind_->temperatures_known || behind_->warm_racks > 0 || behind_->hottest_rack == 0
                    : !facts.isEmpty();
      if (facts.isEmpty())
        facts << tr("every distribution unit gets the facility water that it needs, pumps at %1 speed, %2 in all")
                     .arg(percent_words(s.speed), litres(s.flow_m3_per_s));
      words += facts.join(QStringLiteral("; "));
    } else {
      if (s.dry_racks > 0)
        facts << (static_cast<qlonglong>(s.dry_racks) == racks
                      ? tr("no coolant flows at any of the %1 racks").arg(racks)
                      : tr("%1 of %2 racks are dry").arg(s.dry_racks).arg(racks));
      if (too_little > 0)
        facts << tr("%1 of %2 racks are short of flow, the worst %3 with %4 of its need")
                     .arg(too_little)
                     .arg(racks)
                     .arg(rack_name(s.worst_rack), percent_words(s.least_share));
      if (!s.temperatures_known)
        facts << screen_sentence(QString::fromStdString(
            felt_water_ && !felt_cause_.empty()
                ? boils_with_facility_water(*shown_, felt_cause_)
                : why_coolant_boils(*shown_, with_water(operation()), s.flow_m3_per_s, s.heat_w)));
      if (warm > 0) facts << tr("the supply of %1 racks is too warm").arg(warm);
      if (over > 1.0)
        facts << tr("the exchanger of %1 would have to pass on %2 of what it can").arg(busiest, percent_words(over));
      bad = !facts.isEmpty();
      if (facts.isEmpty())
        facts << tr("every rack gets what it needs, pumps at %1 speed, %2 in all")
                     .arg(percent_words(s.speed), litres(s.flow_m3_per_s));
      // What is out of the facility water is felt as warmth.
      if (felt_water_ && s.temperatures_known) {
        const auto warmest = std::max_element(s.racks.begin(), s.racks.end(), [](const RackFlow& a, const RackFlow& b) {
          return (a.flowing ? a.supply_c : -1e9) < (b.flowing ? b.supply_c : -1e9);
        });
        if (warmest != s.racks.end() && warmest->flowing)
          facts << tr("the warmest supply is %1 \u00b0C at %2").arg(screen_number(warmest->supply_c, 'f', 1), rack_name(warmest->rack));
      }
      words += facts.join(QStringLiteral("; "));
      if (utility_is_out())
        words += feeds_stated_ ? tr("; what is out in Power is not taken over here: choose its loss in Seconds after a "
                                    "loss")
                               : tr("; feeds of the CDUs are not stated: their pumps are taken as running");
    }
  }
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  banner_->setText(words + QLatin1Char('.'));
  QPalette p = banner_->palette();
  p.setColor(QPalette::WindowText, bad ? theme().red : theme().text);
  banner_->setPalette(p);
  show_countdown();
}

// --- failing ---------------------------------------------------------------------------------------------------------

bool CoolingWorkspace::can_fail(const loops::Thing& thing) const {
  if (!shown_ || thing.empty()) return false;
  if (thing.kind == loops::ThingKind::box) return true;
  const SchematicStretch& s = view_->picture().schematic->stretches[static_cast<std::size_t>(thing.index)];
  return s.section >= 0 || s.box >= 0;
}

bool CoolingWorkspace::is_out(const loops::Thing& thing, Part part) const {
  if (!can_fail(thing)) return false;
  const LoopSchematic& drawing = *view_->picture().schematic;
  const LoopOperation& o = operation();
  int box = thing.index;
  if (thing.kind == loops::ThingKind::stretch) {
    const SchematicStretch& s = drawing.stretches[static_cast<std::size_t>(thing.index)];
    if (s.section >= 0) return o.sections_shut.count(static_cast<std::size_t>(s.section)) > 0;
    box = s.box;
  }
  const SchematicBox& b = drawing.boxes[static_cast<std::size_t>(box)];
  if (b.kind == SchematicBoxKind::rack)
    return std::all_of(b.members.begin(), b.members.end(),
                       [&](std::size_t r) { return o.racks_shut.count(shown_->racks[r].rack) > 0; });
  const Id unit = shown_->units[b.members.front()].unit;
  if (part == Part::facility) return o.facility_out.count(unit) > 0;
  if (part == Part::pump) {
    const auto p = o.pumps_out.find(unit);
    return p != o.pumps_out.end() && p->second >= static_cast<int>(shown_->units[b.members.front()].pumps.size());
  }
  return o.units_out.count(unit) > 0;
}

bool CoolingWorkspace::any_out(const loops::Thing& thing) const {
  if (!can_fail(thing)) return false;
  if (is_out(thing, Part::whole) || is_out(thing, Part::facility)) return true;
  if (thing.kind != loops::ThingKind::box) return false;
  const SchematicBox& b = view_->picture().schematic->boxes[static_cast<std::size_t>(thing.index)];
  if (b.kind != SchematicBoxKind::unit) return false;
  const auto p = operation().pumps_out.find(shown_->units[b.members.front()].unit);
  return p != operation().pumps_out.end() && p->second > 0;
}

void CoolingWorkspace::set_out(const loops::Thing& thing, Part part, bool out) {
  if (!can_fail(thing)) return;
  const LoopSchematic& drawing = *view_->picture().schematic;
  LoopOperation& o = operation_here();
  int box = thing.index;
  if (thing.kind == loops::ThingKind::stretch) {
    const SchematicStretch& s = drawing.stretches[static_cast<std::size_t>(thing.index)];
    box = s.box;
    if (s.section >= 0) {
      if (out)
        o.sections_shut.insert(static_cast<std::size_t>(s.section));
      else
        o.sections_shut.erase(static_cast<std::size_t>(s.section));
    }
  }
  if (box >= 0 &&
      (thing.kind == loops::ThingKind::box || drawing.stretches[static_cast<std::size_t>(thing.index)].section < 0)) {
    const SchematicBox& b = drawing.boxes[static_cast<std::size_t>(box)];
    for (const std::size_t m : b.members) {
      if (b.kind == SchematicBoxKind::rack) {
        out ? void(o.racks_shut.insert(shown_->racks[m].rack)) : void(o.racks_shut.erase(shown_->racks[m].rack));
        continue;
      }
      const LoopUnit& u = shown_->units[m];
      if (!out) {
        o.units_out.erase(u.unit);
        o.pumps_out.erase(u.unit);
        o.facility_out.erase(u.unit);
      } else if (part == Part::pump)
        o.pumps_out[u.unit] = std::min(o.pumps_out[u.unit] + 1, static_cast<int>(u.pumps.size()));
      else if (part == Part::facility)
        o.facility_out.insert(u.unit);
      else
        o.units_out.insert(u.unit);
    }
  }
  changed_operation();
}

/// Fails the whole thing, with a pump or its facility water out already too; restores what is out as a whole.
void CoolingWorkspace::toggle(const loops::Thing& thing) { set_out(thing, Part::whole, !is_out(thing, Part::whole)); }

void CoolingWorkspace::set_pump(const loops::Thing& unit, bool fail) {
  if (fail) return set_out(unit, Part::pump, true);
  if (!can_fail(unit)) return;
  const SchematicBox& b = view_->picture().schematic->boxes[static_cast<std::size_t>(unit.index)];
  if (b.kind != SchematicBoxKind::unit) return;
  LoopOperation& o = operation_here();
  const auto stopped = o.pumps_out.find(shown_->units[b.members.front()].unit);
  if (stopped == o.pumps_out.end()) return;
  if (--stopped->second <= 0) o.pumps_out.erase(stopped);
  changed_operation();
}

void CoolingWorkspace::restore_all() {
  operation_here() = {};
  if (!is_healthy(water_operation())) { // what is felt here can be restored here
    operations_.erase(shown_->facility_loop);
    out_of_.erase(shown_->facility_loop);
  }
  changed_operation();
}

void CoolingWorkspace::changed_operation() {
  stop_playing();
  // The countdown is that of what was just failed.
  if (!nothing_out()) losses_->setCurrentIndex(losses_->findData(static_cast<int>(LossChoice::schematic)));
  solve();
  if (cards_->currentIndex() == 2) ask_responses();
}

void CoolingWorkspace::update_commands() {
  const loops::Thing t = view_ ? view_->selection() : loops::Thing{};
  const bool able = view_ && can_fail(t);
  bool unit = false;
  if (able && t.kind == loops::ThingKind::box)
    unit = view_->picture().schematic->boxes[static_cast<std::size_t>(t.index)].kind == SchematicBoxKind::unit;
  const bool of_water = shown_ && shown_->facility;
  balance_action_->setEnabled(shown_ && !of_water);
  fail_action_->setEnabled(able && !is_out(t, Part::whole));
  pump_action_->setEnabled(unit && !is_out(t, Part::whole) && !is_out(t, Part::pump));
  facility_action_->setEnabled(unit && !of_water && !is_out(t, Part::facility));
  restore_action_->setEnabled(able && any_out(t));
  restore_all_action_->setEnabled(shown_ && (playing_ || !nothing_out()));
  play_action_->setEnabled(transient_.has_value());
  sweep_action_->setEnabled(shown_ != nullptr);
  if (!fail_) return;
  fail_->setEnabled(fail_action_->isEnabled());
  restore_->setEnabled(restore_action_->isEnabled());
  restore_all_->setEnabled(restore_all_action_->isEnabled());
  balance_->setEnabled(balance_action_->isEnabled());
  sweep_->setEnabled(shown_ != nullptr);
}

void CoolingWorkspace::context_menu(const QPoint& global) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (QAction* a : {fail_action_, pump_action_, facility_action_, restore_action_})
    if (a->isEnabled()) menu->addAction(a);
  if (!menu->isEmpty()) menu->addSeparator();
  menu->addAction(restore_all_action_);
  menu->addAction(tr("Fit the whole loop"), view_, &loops::LoopSchematicView::fit);
  menu->popup(global);
}

// --- selection -------------------------------------------------------------------------------------------------------

void CoolingWorkspace::from_view() {
  update_commands();
  const auto entities = view_->entities(view_->selection());
  if (!entities.empty() && entities.front().table == "cooling_units" && shown_)
    for (std::size_t i = 0; i < shown_->units.size(); ++i)
      if (shown_->units[i].unit == entities.front().id) {
        unit_->setCurrentIndex(static_cast<int>(i));
        show_pumps();
      }
  syncing_ = true;
  Q_EMIT selectionRequested(entities);
  syncing_ = false;
}

void CoolingWorkspace::showSelection() {
  if (pending_) return;
  const auto& selection = document_.selection();
  // What is picked elsewhere leads to its loop.
  if (!syncing_ && selection.size() == 1 && isVisible()) {
    Id of = 0;
    const Design& d = document_.shown();
    const EntityRef& e = selection.front();
    if (e.table == "racks") {
      if (const Rack* r = hallwright::find(*d.racks, e.id)) of = r->loop;
    } else if (e.table == "cooling_units") {
      if (const CoolingUnit* u = hallwright::find(*d.cooling_units, e.id)) of = u->loop;
    } else if (e.table == "pipes") {
      if (const Pipe* p = hallwright::find(*d.pipes, e.id)) of = p->loop;
    } else if (e.table == "loops")
      of = e.id;
    if (of != 0 && of != loop_ && std::find(loop_ids_.begin(), loop_ids_.end(), of) != loop_ids_.end()) chooseLoop(of);
  }
  if (!shown_) return;
  view_->setLit(selection);
  std::vector<int> lit;
  for (std::size_t i = 0; i < shown_->racks.size(); ++i)
    for (const EntityRef& e : selection)
      if (e.table == shown_->branch_table() && e.id == shown_->racks[i].rack) lit.push_back(static_cast<int>(i));
  flows_->setLit(lit);
  if (!syncing_ && selection.size() == 1)
    if (const loops::Thing t = view_->boxOf(selection.front()); !t.empty()) {
      view_->setSelection(t);
      update_commands();
    }
}

} // namespace hallwright
