// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_workspace.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
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

#include "app/studio/background_work.h"
#include "app/studio/cooling_year_page.h"
#include "app/studio/failure_bar.h"
#include "app/studio/loop_balance_dialog.h"
#include "app/studio/loop_sizing_card.h"
#include "app/studio/row_pipes_dialog.h"
#include "app/studio/subject_workspace.h"
#include "cooling/facility_water.h"
#include "cooling/loop_inputs.h"
#include "cooling/loop_results.h"
#include "cooling/loop_transient.h"
#include "cooling/unit_feeds.h"
#include "cooling/unit_pump_curve.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/loop_schematic/heat_sankey.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

constexpr double liters_per_minute_each = 60000.0; ///< L/min in one m3/s

QString litres(double flow) { return screen_text(flow, kind::volume_flow, 3, "L/min"); }
QString percent_words(double share) { return screen_number(std::round(share * 100.0), 'f', 0) + QStringLiteral(" %"); }
QString seconds_words(double s) {
  return s < 99.95 ? screen_number(s, 'f', 1) + QStringLiteral(" s")
                   : screen_number(std::round(s), 'f', 0) + QStringLiteral(" s");
}
QString failure_kind_words(LoopFailureKind kind) {
  switch (kind) {
  case LoopFailureKind::unit:
    return CoolingWorkspace::tr("Unit");
  case LoopFailureKind::pump:
    return CoolingWorkspace::tr("Pump");
  case LoopFailureKind::section:
    return CoolingWorkspace::tr("Pipe section");
  case LoopFailureKind::rack_valve:
    return CoolingWorkspace::tr("Rack valve");
  case LoopFailureKind::facility:
    return CoolingWorkspace::tr("Facility water");
  }
  return {};
}
QTableWidgetItem* failure_cell(const QString& text, bool number) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  item->setToolTip(text);
  return item;
}
/// Why the loop does not hold with a failure.
QString failure_reason(const LoopFailure& f) {
  QStringList out;
  const LoopSummary& s = f.summary;
  const auto racks = [](std::size_t n, const QString& one, const QString& many) {
    return n == 1 ? one : many.arg(static_cast<qulonglong>(n));
  };
  if (f.lost_racks > 0 && f.behind)
    out << racks(f.lost_racks, CoolingWorkspace::tr("1 unit loses its facility water"),
                 CoolingWorkspace::tr("%1 units lose their facility water"));
  else if (f.lost_racks > 0)
    out << racks(f.lost_racks, CoolingWorkspace::tr("1 rack loses its coolant"),
                 CoolingWorkspace::tr("%1 racks lose their coolant"));
  if (f.solved) {
    if (s.short_racks > 0 && f.behind)
      out << racks(s.short_racks, CoolingWorkspace::tr("1 unit short of facility water"),
                   CoolingWorkspace::tr("%1 units short of facility water"));
    else if (s.short_racks > 0)
      out << racks(s.short_racks, CoolingWorkspace::tr("1 rack short of flow"),
                   CoolingWorkspace::tr("%1 racks short of flow"));
    if (s.warm_racks > 0)
      out << QStringLiteral("%1, %2 \u00b0C")
                 .arg(racks(s.warm_racks, CoolingWorkspace::tr("1 rack with too warm coolant"),
                            CoolingWorkspace::tr("%1 racks with too warm coolant")),
                      screen_number(s.hottest_supply_c, 'f', 1));
    if (s.largest_duty_share > 1.0)
      out << CoolingWorkspace::tr("an exchanger at %1 of what it carries").arg(percent_words(s.largest_duty_share));
    if (f.behind && f.behind->warm_racks > 0)
      out << QStringLiteral("%1, %2 \u00b0C")
                 .arg(racks(f.behind->warm_racks, CoolingWorkspace::tr("1 rack with too warm coolant"),
                            CoolingWorkspace::tr("%1 racks with too warm coolant")),
                      screen_number(f.behind->hottest_supply_c, 'f', 1));
    if (!s.temperatures_known || (f.behind && !f.behind->temperatures_known))
      out << CoolingWorkspace::tr("the heat has nowhere to go");
  }
  if (out.isEmpty() && !f.trouble.empty()) out << screen_sentence(QString::fromStdString(f.trouble));
  return out.join(QStringLiteral("; "));
}
constexpr int year_page = 2; ///< of the pages of this workspace
/// Losses of the chooser that are no unit's: by the data of its entries.
enum class LossChoice { schematic = -1, pumps = -2, facility = -3, power_on_ups = -4, power = -5, power_as_fed = -6 };

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
      command(tr("Restore &all of the loop"), QStringLiteral("cooling_restore_all"), [this] { restore_all(); });
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
    if (i >= 0 && i < static_cast<int>(loop_ids_.size())) chooseLoop(loop_ids_[static_cast<std::size_t>(i)]);
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

QWidget* CoolingWorkspace::make_flow_card() {
  flows_ = new loops::RackFlowBars(pages_);
  flows_->setEmptyText(tr("Flows of racks appear when the pipes of the loop are drawn."));
  connect(flows_, &loops::RackFlowBars::rackActivated, this, [this](int rack) {
    if (shown_ && rack >= 0 && rack < static_cast<int>(shown_->racks.size()))
      Q_EMIT selectionRequested({{"racks", shown_->racks[static_cast<std::size_t>(rack)].rack}});
  });
  return flows_;
}

QWidget* CoolingWorkspace::make_pump_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  unit_ = new QComboBox(card);
  unit_->setObjectName(QStringLiteral("cooling_unit"));
  unit_->setAccessibleName(tr("Distribution unit"));
  unit_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(unit_, &QComboBox::activated, this, [this] { show_pumps(); });
  row->addWidget(unit_);
  pump_words_ = new QLabel(card);
  pump_words_->setObjectName(QStringLiteral("secondary"));
  pump_words_->setWordWrap(true);
  row->addWidget(pump_words_, 1);
  column->addLayout(row);
  pump_chart_ = new loops::LineChart(card);
  pump_chart_->setObjectName(QStringLiteral("pump_curve"));
  pump_chart_->setAccessibleName(tr("Pump curve with the working point"));
  pump_chart_->setAxes(tr("Flow, L/min"), tr("Pressure rise, kPa"));
  pump_chart_->setEmptyText(tr("The pump curve appears when the loop is solved."));
  column->addWidget(pump_chart_, 1);
  return card;
}

QWidget* CoolingWorkspace::make_seconds_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  losses_ = new QComboBox(card);
  losses_->setObjectName(QStringLiteral("cooling_loss"));
  losses_->setAccessibleName(tr("What is lost"));
  losses_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(losses_, &QComboBox::activated, this, [this] {
    stop_playing();
    show_seconds();
    ask_responses();
  });
  row->addWidget(losses_);
  chillers_ = new QCheckBox(tr("Chillers reject the heat (else dry coolers)"), card);
  chillers_->setObjectName(QStringLiteral("cooling_chillers"));
  connect(chillers_, &QCheckBox::toggled, this, [this] {
    stop_playing();
    show_seconds();
    ask_responses();
  });
  row->addWidget(chillers_);
  row->addStretch(1);
  column->addLayout(row);
  auto* split = new QSplitter(Qt::Horizontal, card);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(2 * spacing_unit);
  seconds_chart_ = new loops::LineChart(split);
  seconds_chart_->setObjectName(QStringLiteral("loss_seconds"));
  seconds_chart_->setAccessibleName(tr("Temperatures over the seconds after a loss"));
  seconds_chart_->setAxes(tr("Time after the loss, s"), tr("Rise, K"));
  seconds_chart_->setEmptyText(tr("Fail something on the schematic, or choose what is lost."));
  seconds_chart_->setWhatsThis(tr("Rise of temperatures over those of the steady state before the loss."));
  split->addWidget(seconds_chart_);
  auto* scroll = new QScrollArea(split);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  responses_ = new QLabel(scroll);
  responses_->setObjectName(QStringLiteral("cooling_responses"));
  responses_->setWordWrap(true);
  responses_->setTextFormat(Qt::RichText);
  responses_->setAlignment(Qt::AlignTop);
  responses_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  responses_->setContentsMargins(spacing_unit, 0, spacing_unit, 0);
  auto* clear = new QWidget(scroll);
  clear->setObjectName(QStringLiteral("clear"));
  auto* clear_column = new QVBoxLayout(clear);
  clear_column->setContentsMargins(0, 0, 0, 0);
  clear_column->addWidget(responses_);
  clear_column->addStretch(1);
  scroll->setWidget(clear);
  scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
  split->addWidget(scroll);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setSizes({600, 400});
  column->addWidget(split, 1);
  return card;
}

QWidget* CoolingWorkspace::make_failures_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  failures_words_ = new QLabel(card);
  failures_words_->setObjectName(QStringLiteral("secondary"));
  failures_words_->setWordWrap(true);
  row->addWidget(failures_words_, 1);
  sweep_ = new QPushButton(tr("Try every single failure"), card);
  sweep_->setObjectName(QStringLiteral("cooling_sweep_button"));
  connect(sweep_, &QPushButton::clicked, this, [this] { sweeping_ ? stop_sweep() : start_sweep(); });
  row->addWidget(sweep_, 0, Qt::AlignTop);
  column->addLayout(row);
  failures_ = new QTableWidget(0, 8, card);
  failures_->setObjectName(QStringLiteral("cooling_failures"));
  failures_->setAccessibleName(tr("Single failures of the loop, least headroom first"));
  failures_->setHorizontalHeaderLabels({tr("Out"), tr("Kind"), tr("Headroom"), tr("Worst rack"), tr("Its share"),
                                        tr("Racks short"), tr("Racks dry"), tr("Why it does not hold")});
  for (int c = 2; c < 7; ++c)
    failures_->horizontalHeaderItem(c)->setTextAlignment((c == 3 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  failures_->setSelectionBehavior(QAbstractItemView::SelectRows);
  failures_->setSelectionMode(QAbstractItemView::SingleSelection);
  failures_->verticalHeader()->hide();
  failures_->setAlternatingRowColors(false);
  failures_->setShowGrid(false);
  failures_->setWordWrap(false);
  failures_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  failures_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeaderItem(7)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeader()->setSectionResizeMode(7, QHeaderView::Stretch);
  connect(failures_, &QTableWidget::currentCellChanged, this, [this](int rowAt, int, int, int) {
    if (!syncing_) show_case(rowAt);
  });
  column->addWidget(failures_, 1);
  return card;
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
  if (shown_ != l->loop || water_ != l->facility_water) {
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
    served_ = loops_that_hang_on(*document_.evaluation()->loops, *shown_);
    if (!served_.empty()) coupling_ = std::make_unique<FacilityCoupling>(shown_, served_);
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
  if (is_healthy(o)) {
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
}

LoopOperation CoolingWorkspace::with_water(LoopOperation operation) const {
  operation.facility_water = is_healthy(operation) ? water_ : most_water_;
  return operation;
}

tl::expected<LoopSolution, std::string> CoolingWorkspace::solve_with(const LoopOperation& operation) {
  if (!coupling_) return solver_.solve(shown_, with_water(operation));
  auto state = coupling_->solve(operation);
  if (!state) return tl::unexpected(state.error());
  behind_ = racks_behind(*state, served_);
  return solver_.solve(state->facility, operation); // once more, for the flows of every link
}

QString CoolingWorkspace::facility_words() const {
  if (!behind_) return {};
  if (!behind_->temperatures_known) return tr("heat of racks has nowhere to go");
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

QString CoolingWorkspace::out_words() const {
  QStringList out;
  const LoopOperation& o = operation();
  for (const LoopUnit& u : shown_->units) {
    const QString name = QString::fromStdString(u.name);
    if (o.units_out.count(u.unit))
      out << name;
    else if (const auto p = o.pumps_out.find(u.unit); p != o.pumps_out.end() && p->second > 0)
      out << (p->second == 1 ? tr("a pump of %1").arg(name) : tr("%1 pumps of %2").arg(p->second).arg(name));
    if (o.facility_out.count(u.unit)) out << tr("facility water of %1").arg(name);
  }
  for (const std::size_t s : o.sections_shut)
    if (s < shown_->sections.size()) out << QString::fromStdString(shown_->sections[s].name);
  for (const LoopRack& r : shown_->racks)
    if (o.racks_shut.count(r.rack)) out << tr("valve of %1").arg(QString::fromStdString(r.name));
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
  const bool healthy = is_healthy(operation());
  const auto racks = static_cast<qlonglong>(shown_->racks.size());
  QString words = healthy ? QString() : tr("%1 out: ").arg(out_words());
  bool bad = false;
  if (!solution_) {
    words += healthy           ? trouble_
             : shown_->facility ? screen_sentence(trouble_)
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
      if (!s.temperatures_known) facts << tr("the heat has nowhere to go, so no steady state exists");
      if (warm > 0) facts << tr("the supply of %1 racks is too warm").arg(warm);
      if (over > 1.0)
        facts << tr("the exchanger of %1 would have to pass on %2 of what it can").arg(busiest, percent_words(over));
      bad = !facts.isEmpty();
      if (facts.isEmpty())
        facts << tr("every rack gets what it needs, pumps at %1 speed, %2 in all")
                     .arg(percent_words(s.speed), litres(s.flow_m3_per_s));
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

void CoolingWorkspace::show_flows() {
  std::vector<loops::RackBar> bars;
  if (shown_ && (solution_ || !is_healthy(operation())))
    for (std::size_t i = 0; i < shown_->racks.size(); ++i) {
      loops::RackBar b{QString::fromStdString(shown_->racks[i].name), 0, shown_->racks[i].need_m3_per_s, false};
      if (solution_) b.flow_m3_per_s = solution_->racks[i].flow_m3_per_s, b.flowing = solution_->racks[i].flowing;
      bars.push_back(std::move(b));
    }
  flows_->setRacks(std::move(bars));
}

void CoolingWorkspace::show_pumps() {
  if (!shown_) return;
  QStringList names, present;
  for (const LoopUnit& u : shown_->units)
    names << QString::fromStdString(u.name);
  for (int i = 0; i < unit_->count(); ++i)
    present << unit_->itemText(i);
  if (names != present) {
    unit_->clear();
    unit_->addItems(names);
  }
  const int index = std::max(0, unit_->currentIndex());
  const auto at = static_cast<std::size_t>(index);
  if (at >= shown_->units.size()) return;
  const LoopUnit& u = shown_->units[at];
  const LoopOperation& o = operation();
  const auto stopped = o.pumps_out.find(u.unit);
  const int all = static_cast<int>(u.pumps.size());
  const int running = o.units_out.count(u.unit) || !solution_
                          ? 0
                          : all - (stopped == o.pumps_out.end() ? 0 : std::min(stopped->second, all));
  const double speed = solution_ ? solution_->speed : 1.0;
  const auto line = [&](const QString& name, int pumps, double at_speed, bool dashed, const QColor& color) {
    loops::ChartLine out{name, color, {}, dashed};
    for (const UnitCurvePoint& p : unit_pump_curve(*shown_, at, pumps, at_speed))
      out.points.push_back({p.flow_m3_per_s * liters_per_minute_each, p.head_pa / 1000.0});
    return out;
  };
  const Theme& t = theme();
  std::vector<loops::ChartLine> lines;
  if (running > 0)
    lines.push_back(line(tr("%1 of %2 pumps at %3 speed").arg(running).arg(all).arg(percent_words(speed)), running,
                         speed, false, t.accent));
  lines.push_back(line(tr("All %1 pumps at full speed").arg(all), all, 1.0, true, t.structure));
  std::vector<loops::ChartPoint> points;
  QString words;
  if (running > 0) {
    const UnitWork& w = solution_->units[at];
    points.push_back(
        {{w.flow_m3_per_s * liters_per_minute_each, w.head_pa / 1000.0},
         QStringLiteral("%1, %2").arg(litres(w.flow_m3_per_s), screen_text(w.head_pa, kind::pressure, 3, "kPa"))});
    words = tr("%1 electrical, at %2 of the flow at which no pressure is left")
                .arg(screen_text(w.pump_power_w, kind::power, 3), percent_words(w.curve_share));
  } else
    words = tr("The unit stands still.");
  pump_words_->setText(words);
  pump_chart_->setLines(std::move(lines), {}, std::move(points));
}

void CoolingWorkspace::fill_losses() {
  const QVariant present = losses_->currentData();
  losses_->clear();
  losses_->addItem(tr("What is out on the schematic"), static_cast<int>(LossChoice::schematic));
  losses_->addItem(tr("All pumps stop"), static_cast<int>(LossChoice::pumps));
  losses_->addItem(tr("Facility water is lost"), static_cast<int>(LossChoice::facility));
  losses_->addItem(tr("Utility power is lost, pumps on UPS"), static_cast<int>(LossChoice::power_on_ups));
  losses_->addItem(tr("Utility power is lost, pumps not on UPS"), static_cast<int>(LossChoice::power));
  without_ups_.clear();
  bool known = false;
  feeds_stated_ = shown_ != nullptr;
  if (shown_)
    for (const LoopUnit& u : shown_->units)
      if (const CoolingUnit* unit = hallwright::find(*document_.shown().cooling_units, u.unit)) {
        const PumpSupply supply = pump_supply(*document_.shown().power_units, *unit);
        known = known || supply != PumpSupply::unknown;
        feeds_stated_ = feeds_stated_ && supply != PumpSupply::unknown;
        if (supply == PumpSupply::no_ups) without_ups_.insert(u.unit);
      }
  if (known)
    losses_->addItem(tr("Utility power is lost, pumps as they are fed"), static_cast<int>(LossChoice::power_as_fed));
  if (shown_)
    for (std::size_t i = 0; i < shown_->units.size(); ++i)
      losses_->addItem(tr("%1 is lost").arg(QString::fromStdString(shown_->units[i].name)), static_cast<int>(i));
  const int at = present.isValid() ? losses_->findData(present) : -1;
  losses_->setCurrentIndex(at >= 0 ? at : 1);
}

void CoolingWorkspace::show_seconds() {
  transient_.reset();
  played_ = {};
  loss_trouble_.clear();
  if (!shown_ || !healthy_) {
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  if (shown_->facility) {
    seconds_chart_->setEmptyText(
        tr("Seconds count at racks: choose a loop that hangs on this facility water, and there what is lost."));
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  const TransientParameters parameters = transient_parameters(*document_.evaluation()->catalog);
  const int choice = losses_->currentData().toInt();
  tl::expected<OperationLoss, std::string> found = tl::unexpected(std::string());
  LoopOperation operation_lost;
  if (choice >= 0 && choice < static_cast<int>(shown_->units.size())) {
    const Id unit = shown_->units[static_cast<std::size_t>(choice)].unit;
    operation_lost.units_out.insert(unit);
    if (auto lost = loss_of_unit(solver_, shown_, *healthy_, unit))
      found = OperationLoss{*std::move(lost)};
    else
      found = tl::unexpected(lost.error());
  } else if (choice == static_cast<int>(LossChoice::schematic)) {
    if (is_healthy(operation())) {
      seconds_chart_->setEmptyText(tr("Fail something on the schematic, or choose what is lost."));
      seconds_chart_->clear();
      show_countdown();
      return;
    }
    operation_lost = operation();
    found = loss_of_operation(solver_, shown_, *healthy_, operation_lost);
  } else if (choice == static_cast<int>(LossChoice::pumps))
    found = OperationLoss{loss_of_pumps()};
  else if (choice == static_cast<int>(LossChoice::facility))
    found = OperationLoss{loss_of_facility()};
  else if (choice == static_cast<int>(LossChoice::power_as_fed)) {
    operation_lost.units_out = without_ups_;
    found = loss_of_power_as_fed(solver_, shown_, *healthy_, parameters, without_ups_, chillers_->isChecked());
  } else
    found = OperationLoss{
        loss_of_power(parameters, choice == static_cast<int>(LossChoice::power_on_ups), chillers_->isChecked())};
  if (found) {
    double horizon = 900.0;
    if (found->facility_back_s) horizon = std::clamp(*found->facility_back_s + 300.0, 60.0, 3600.0);
    auto run = loop_transient(*shown_, *healthy_, *found, parameters, horizon);
    if (run) {
      // Once more over what matters, for a fine curve.
      double end = run->first_shutdown_s   ? *run->first_shutdown_s * 1.3
                   : run->first_throttle_s ? std::min(horizon, *run->first_throttle_s * 4)
                                           : horizon;
      end = std::clamp(end, 5.0, horizon);
      if (auto fine = loop_transient(*shown_, *healthy_, *found, parameters, end)) run = std::move(fine);
      clock_end_s_ = end;
      played_.loss = *found;
      played_.operation = operation_lost;
      if (!is_healthy(operation_lost) && !found->pumps_stop)
        if (auto s = solver_.solve(shown_, with_water(operation_lost))) {
          played_.solution = std::make_shared<const LoopSolution>(*std::move(s));
          played_.link_flows = solver_.state().flow_m3_per_s;
        }
      transient_ = *std::move(run);
    } else
      loss_trouble_ = QString::fromStdString(run.error());
  } else
    loss_trouble_ = QString::fromStdString(found.error());
  if (!transient_) {
    seconds_chart_->setEmptyText(loss_trouble_);
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  const Theme& t = theme();
  const QString worst = rack_name(transient_->first_rack);
  loops::ChartLine hottest{tr("Cold plates of the worst rack (%1)").arg(worst), t.text, {}},
      supply{tr("Supply"), loops::coolant_color(0), {}}, back{tr("Return"), loops::coolant_color(1), {}};
  if (!transient_->course.empty()) {
    const TransientPoint& first = transient_->course.front();
    for (const TransientPoint& p : transient_->course) {
      hottest.points.push_back({p.time_s, p.hottest_rise_k});
      supply.points.push_back({p.time_s, p.supply_c - first.supply_c});
      back.points.push_back({p.time_s, p.return_c - first.return_c});
    }
  }
  seconds_chart_->setLines({hottest, supply, back}, {{parameters.warning_rise_k, tr("warning"), t.amber},
                                                     {parameters.throttle_rise_k, tr("throttle"), t.amber},
                                                     {parameters.shutdown_rise_k, tr("trip"), t.red}});
  seconds_chart_->setRange(clock_end_s_);
  show_countdown();
}

void CoolingWorkspace::show_countdown() {
  const bool meant = transient_ && (clock_s_ > 0 || playing_ || clock_.isActive() || !is_healthy(operation()) ||
                                    cards_->currentIndex() == 2);
  play_->setText(clock_.isActive() ? tr("Pause") : tr("Play"));
  for (QWidget* w : {static_cast<QWidget*>(play_), static_cast<QWidget*>(again_), static_cast<QWidget*>(fast_),
                     static_cast<QWidget*>(countdown_)})
    w->setVisible(meant);
  seconds_chart_->setCursorAt(meant && clock_s_ > 0 ? clock_s_ : std::nan(""));
  if (!meant) {
    countdown_->clear();
    return;
  }
  const Theme& t = theme();
  QStringList parts;
  const auto part = [&](const QString& name, const std::optional<double>& at) {
    if (!at) return;
    const double left = *at - clock_s_;
    const QString words =
        left > 0 ? tr("%1 in %2").arg(name, seconds_words(left)) : tr("%1 since %2").arg(name, seconds_words(-left));
    parts << QStringLiteral("<span style=\"color:%1\">%2</span>")
                 .arg((left <= 0   ? t.red
                       : left < 10 ? t.amber
                                   : t.text)
                          .name(),
                      words.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
  };
  if (transient_->too_warm_before > 0)
    parts << QStringLiteral("<span style=\"color:%1\">%2</span>")
                 .arg(t.red.name(), (transient_->too_warm_before == 1
                                         ? tr("warning already: 1 rack gets warmer coolant than its parts take")
                                         : tr("warning already: %1 racks get warmer coolant than their parts take")
                                               .arg(transient_->too_warm_before))
                                        .toHtmlEscaped());
  else
    part(tr("warning"), transient_->first_warning_s);
  part(tr("throttle"), transient_->first_throttle_s);
  part(tr("trip"), transient_->first_shutdown_s);
  if (parts.isEmpty()) {
    const double most = transient_->peak_rise_k;
    parts << (most < 0.05 ? tr("no rack warms")
                          : tr("no rack warms by more than %1 K").arg(screen_number(most, 'f', 1)))
                 .toHtmlEscaped();
  }
  QString text = parts.join(QStringLiteral(" \u00b7 "));
  if (transient_->first_warning_s)
    text += QStringLiteral(" (%1)").arg(rack_name(transient_->first_rack).toHtmlEscaped());
  if (clock_s_ > 0)
    text = QStringLiteral("<b>%1</b>&nbsp; ")
               .arg(seconds_words(clock_s_).replace(QLatin1Char(' '), QStringLiteral("&nbsp;"))) +
           text;
  countdown_->setText(text);
}

void CoolingWorkspace::set_clock(bool runs) {
  if (runs && !transient_) return;
  if (runs) {
    playing_ = true;
    if (clock_s_ >= clock_end_s_) clock_s_ = 0;
    since_.start();
    clock_.start();
  } else
    clock_.stop();
  show_countdown();
  show_instant();
}

void CoolingWorkspace::stop_playing() {
  const bool was = playing_;
  playing_ = false;
  clock_s_ = 0;
  set_clock(false);
  if (was && shown_) {
    view_->setPicture(steady_picture_);
    show_words();
    update_commands();
  }
}

void CoolingWorkspace::show_instant() {
  if (!playing_ || !transient_ || !shown_ || !healthy_ || transient_->course.empty()) return;
  const auto& course = transient_->course;
  // Where the clock stands between two points of the course.
  auto after = std::lower_bound(course.begin(), course.end(), clock_s_,
                                [](const TransientPoint& p, double s) { return p.time_s < s; });
  if (after == course.end()) --after;
  const TransientPoint& b = *after;
  const TransientPoint& a = after == course.begin() ? b : *(after - 1);
  const double along = b.time_s > a.time_s ? std::clamp((clock_s_ - a.time_s) / (b.time_s - a.time_s), 0.0, 1.0) : 1.0;
  const auto between = [&](double x, double y) { return x + along * (y - x); };
  const double supply = between(a.supply_c, b.supply_c), returned = between(a.return_c, b.return_c),
               share = between(a.flow_share, b.flow_share);

  loops::Picture p = steady_picture_;
  p.operation = played_.operation;
  const auto back = [&](const std::optional<double>& s) { return s && clock_s_ >= *s; };
  const bool standing = played_.loss.pumps_stop && !back(played_.loss.pumps_back_s);
  for (const LoopUnit& u : shown_->units) {
    if (standing) p.operation.pumps_out[u.unit] = static_cast<int>(u.pumps.size());
    if (played_.loss.facility_lost && !back(played_.loss.facility_back_s)) p.operation.facility_out.insert(u.unit);
  }
  LoopSolution s = played_.solution ? *played_.solution : *healthy_;
  p.link_flows = played_.solution ? played_.link_flows : healthy_flows_;
  for (double& f : p.link_flows)
    f *= share;
  s.flow_m3_per_s *= share;
  s.temperatures_known = true;
  // Coolant is well mixed on either side.
  std::vector<char> warm_side(shown_->network.nodes.size(), 0);
  for (const SchematicStretch& x : p.schematic->stretches)
    if (x.side == PipeSide::return_)
      for (const int n : {x.from, x.to})
        if (n >= 0 && n < static_cast<int>(warm_side.size())) warm_side[static_cast<std::size_t>(n)] = 1;
  for (std::size_t n = 0; n < s.node_c.size() && n < warm_side.size(); ++n)
    if (s.node_flows[n]) s.node_c[n] = warm_side[n] ? returned : supply;
  p.alarms.assign(shown_->racks.size(), loops::RackAlarm::none);
  qlonglong warned = 0, throttled = 0, tripped = 0;
  for (std::size_t i = 0; i < s.racks.size(); ++i) {
    RackFlow& r = s.racks[i];
    r.flow_m3_per_s *= share;
    r.share *= share;
    r.supply_c = supply;
    r.return_c = returned;
    if (i >= transient_->racks.size()) continue;
    const RackTimes& times = transient_->racks[i];
    loops::RackAlarm& alarm = p.alarms[i];
    if (back(times.shutdown_s))
      alarm = loops::RackAlarm::trip, ++tripped;
    else if (back(times.throttle_s))
      alarm = loops::RackAlarm::throttle, ++throttled;
    else if (back(times.warning_s))
      alarm = loops::RackAlarm::warning, ++warned;
  }
  const double c = shown_->density_kg_per_m3 * shown_->specific_heat_j_per_kg_k;
  for (UnitWork& u : s.units) {
    u.flow_m3_per_s *= share;
    u.return_c = returned;
    // What has met no facility water is as warm as it came; the rest makes up the mix.
    const double past = played_.loss.past_water_share;
    u.supply_c = p.operation.facility_out.count(u.unit) ? returned
                 : past > 0.0 ? std::clamp((supply - past * returned) / (1.0 - past), shown_->supply_c, returned)
                              : supply;
    u.running = u.running && !standing;
    u.duty_w = std::max(0.0, c * u.flow_m3_per_s * (returned - u.supply_c));
    u.duty_share = u.capacity_w > 0.0 ? u.duty_w / u.capacity_w : 0.0;
  }
  s.speed *= share;
  p.solution = std::make_shared<const LoopSolution>(std::move(s));
  p.warmest_c = std::max(p.warmest_c, std::min(returned, 95.0));
  view_->setPicture(p);

  QStringList states;
  if (tripped > 0) states << tr("%1 racks trip").arg(tripped);
  if (throttled > 0) states << tr("%1 racks throttle").arg(throttled);
  if (warned > 0) states << tr("%1 racks warn").arg(warned);
  if (states.isEmpty()) states << tr("no rack warns yet");
  banner_->setText(tr("%1, after %2: supply %3 \u00b0C, return %4 \u00b0C, flow %5; %6.")
                       .arg(losses_->currentText(), seconds_words(clock_s_), screen_number(supply, 'f', 1),
                            screen_number(returned, 'f', 1), percent_words(share), states.join(QStringLiteral(", "))));
  QPalette palette = banner_->palette();
  palette.setColor(QPalette::WindowText, tripped + throttled > 0 ? theme().red : theme().text);
  banner_->setPalette(palette);
  update_commands();
}

void CoolingWorkspace::tick() {
  clock_s_ += static_cast<double>(since_.restart()) / 1000.0 * (fast_action_->isChecked() ? 10.0 : 1.0);
  if (clock_s_ >= clock_end_s_) {
    clock_s_ = clock_end_s_;
    clock_.stop();
  }
  show_countdown();
  show_instant();
}

/// What must act after a loss of power, and the order of the restart: worked out beside the window.
void CoolingWorkspace::ask_responses() {
  if (!shown_ || !healthy_) return;
  if (shown_->facility) {
    responses_->clear();
    return;
  }
  const int choice = losses_->currentData().toInt();
  const bool ups = choice != static_cast<int>(LossChoice::power) &&
                   (choice != static_cast<int>(LossChoice::power_as_fed) || without_ups_.empty());
  const bool chillers = chillers_->isChecked();
  // Of a loss that is none of the utility: what would have to be back, and when.
  const bool utility = choice == static_cast<int>(LossChoice::power_on_ups) ||
                       choice == static_cast<int>(LossChoice::power) ||
                       choice == static_cast<int>(LossChoice::power_as_fed);
  const QString lost = choice == static_cast<int>(LossChoice::schematic) && !is_healthy(operation())
                           ? tr("%1 out").arg(out_words())
                           : losses_->currentText();
  QString acts;
  if (!utility) {
    if (!transient_)
      acts = loss_trouble_.isEmpty() ? tr("Nothing is out.") : screen_sentence(loss_trouble_);
    else if (!transient_->first_throttle_s)
      acts = tr("Nothing: no rack throttles.");
    else
      acts = tr("The first rack throttles after %1: what is lost must be back well before, else stop its jobs.")
                 .arg(seconds_words(*transient_->first_throttle_s));
  }
  const auto parameters = transient_parameters(*document_.evaluation()->catalog);
  const quint64 generation = ++answer_generation_;
  answering_ = true;
  struct Answer {
    std::vector<CoolingResponse> responses;
    std::vector<std::string> order;
    std::string trouble;
  };
  run_in_background(
      pool_, this,
      [loop = shown_, steady = healthy_, parameters, ups, chillers, utility] {
        Answer out;
        if (utility) {
          if (auto r = power_loss_responses(*loop, *steady, parameters, ups, chillers))
            out.responses = *std::move(r);
          else
            out.trouble = r.error();
        }
        out.order = restart_order(*loop, chillers);
        return out;
      },
      [this, generation, utility, lost, acts](const Answer& a) {
        if (generation != answer_generation_) return;
        answering_ = false;
        const Theme& t = theme();
        QString text = QStringLiteral("<b>%1</b><ul style=\"margin-left:-24px\">")
                           .arg(tr("%1: what must act").arg(lost).toHtmlEscaped());
        if (!utility) text += QStringLiteral("<li>%1</li>").arg(acts.toHtmlEscaped());
        const auto words = [](const std::string& s) {
          return screen_sentence(QString::fromStdString(s)).toHtmlEscaped();
        };
        for (const CoolingResponse& r : a.responses)
          text += QStringLiteral("<li>%1 <span style=\"color:%2\">%3</span></li>")
                      .arg(words(r.action) + QLatin1Char('.'), (r.met ? t.green : t.red).name(),
                           r.met ? tr("Met.") : tr("Not met."));
        if (!a.trouble.empty()) text += QStringLiteral("<li>%1</li>").arg(words(a.trouble));
        if (utility && a.responses.empty() && a.trouble.empty())
          text += QStringLiteral("<li>%1</li>").arg(tr("Nothing: no rack throttles.").toHtmlEscaped());
        text += QStringLiteral("</ul><b>%1</b><ol style=\"margin-left:-20px\">")
                    .arg(tr("Restart, in this order").toHtmlEscaped());
        for (const std::string& s : a.order)
          text += QStringLiteral("<li>%1.</li>").arg(words(s));
        responses_->setText(text + QStringLiteral("</ol>"));
      });
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
  changed_operation();
}

void CoolingWorkspace::changed_operation() {
  stop_playing();
  // The countdown is that of what was just failed.
  if (!is_healthy(operation())) losses_->setCurrentIndex(losses_->findData(static_cast<int>(LossChoice::schematic)));
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
  restore_all_action_->setEnabled(shown_ && (playing_ || !is_healthy(operation())));
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

// --- single failures -------------------------------------------------------------------------------------------------

void CoolingWorkspace::start_sweep() {
  if (!shown_) return;
  stop_.request_stop();
  stop_ = std::stop_source();
  sweeping_ = true;
  const quint64 generation = ++sweep_generation_;
  sweep_->setText(tr("Cancel"));
  failures_words_->setText(shown_->facility
                               ? tr("Every unit, pump, pipe section and valve is tried, and what racks feel of it\u2026")
                               : tr("Every unit, pump, pipe section, rack valve and facility water is tried\u2026"));
  struct Answer {
    std::shared_ptr<const LoopFailures> failures;
    std::string trouble;
    bool stopped = false;
  };
  run_in_background(
      pool_, this,
      [loop = shown_, served = served_, water = most_water_, stop = stop_.get_token()] {
        Answer out;
        LoopSolver solver;
        auto f = served.empty() ? loop_failures(solver, loop, {}, stop, water)
                                : FacilityCoupling(loop, served).failures({}, stop);
        out.stopped = stop.stop_requested();
        if (f)
          out.failures = std::make_shared<const LoopFailures>(*std::move(f));
        else
          out.trouble = f.error();
        return out;
      },
      [this, generation, loop = shown_](const Answer& a) {
        if (generation != sweep_generation_) return;
        sweeping_ = false;
        sweep_->setText(tr("Try every single failure"));
        if (a.stopped) {
          failures_words_->setText(tr("Cancelled."));
          return;
        }
        sweep_of_ = a.failures;
        swept_ = loop;
        show_failures();
        if (!a.trouble.empty()) failures_words_->setText(screen_sentence(QString::fromStdString(a.trouble)));
      });
}

void CoolingWorkspace::stop_sweep() { stop_.request_stop(); }

void CoolingWorkspace::show_failures() {
  if (!sweep_of_ || swept_ != shown_ || !shown_) {
    if (swept_ != shown_) {
      failures_->setRowCount(0);
      if (!sweeping_) failures_words_->setText(shown_ ? tr("Not tried yet for this loop.") : QString());
    }
    return;
  }
  if (failures_->property("of").value<quintptr>() == reinterpret_cast<quintptr>(sweep_of_.get()) &&
      failures_->rowCount() > 0)
    return;
  failures_->setProperty("of", QVariant::fromValue(reinterpret_cast<quintptr>(sweep_of_.get())));
  syncing_ = true;
  const auto& cases = sweep_of_->cases;
  sweep_order_.resize(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    sweep_order_[i] = i;
  std::stable_sort(sweep_order_.begin(), sweep_order_.end(),
                   [&](std::size_t a, std::size_t b) { return cases[a].headroom < cases[b].headroom; });
  failures_->clearContents();
  failures_->setRowCount(static_cast<int>(cases.size()));
  qlonglong broken = 0;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const LoopFailure& f = cases[sweep_order_[row]];
    if (!f.holds) ++broken;
    const int r = static_cast<int>(row);
    auto* name = failure_cell(QString::fromStdString(f.name), false);
    if (!f.holds) name->setForeground(theme().red);
    if (!f.trouble.empty()) name->setToolTip(screen_sentence(QString::fromStdString(f.trouble)));
    failures_->setItem(r, 0, name);
    failures_->setItem(r, 1, failure_cell(failure_kind_words(f.kind), false));
    failures_->setItem(
        r, 2,
        failure_cell(f.headroom <= -1.0 ? tr("none") : screen_number(f.headroom * 100, 'f', 1) + QStringLiteral(" %"),
                     true));
    const bool some = f.solved && f.summary.worst_rack != 0;
    failures_->setItem(r, 3, failure_cell(some ? rack_name(f.summary.worst_rack) : QString(), false));
    failures_->setItem(r, 4, failure_cell(some ? percent_words(f.summary.least_share) : QString(), true));
    failures_->setItem(r, 5, failure_cell(f.solved ? QString::number(f.summary.short_racks) : QString(), true));
    failures_->setItem(r, 6, failure_cell(f.solved ? QString::number(f.summary.dry_racks) : QString(), true));
    failures_->setItem(r, 7, failure_cell(f.holds ? QString() : failure_reason(f), false));
  }
  syncing_ = false;
  failures_words_->setText(
      tr("%1 single failures tried with pumps at full speed: %2. A row shows its case on the schematic.")
          .arg(cases.size())
          .arg(broken == 0 ? tr("the loop holds with every one of them") : tr("%1 do not hold").arg(broken)));
}

void CoolingWorkspace::show_case(int row) {
  if (!sweep_of_ || swept_ != shown_ || row < 0 || row >= static_cast<int>(sweep_order_.size())) return;
  const LoopFailure& f = sweep_of_->cases[sweep_order_[static_cast<std::size_t>(row)]];
  LoopOperation o;
  switch (f.kind) {
  case LoopFailureKind::unit:
    o.units_out.insert(f.thing.id);
    break;
  case LoopFailureKind::pump:
    o.pumps_out[f.thing.id] = 1;
    break;
  case LoopFailureKind::facility:
    o.facility_out.insert(f.thing.id);
    break;
  case LoopFailureKind::rack_valve:
    o.racks_shut.insert(f.thing.id);
    break;
  case LoopFailureKind::section:
    for (std::size_t s = 0; s < shown_->sections.size(); ++s)
      if (shown_->sections[s].name == f.name && shown_->sections[s].pipe == f.thing.id) o.sections_shut.insert(s);
    break;
  }
  operation_here() = std::move(o);
  changed_operation();
}

} // namespace hallwright
