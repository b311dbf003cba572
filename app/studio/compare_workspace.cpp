// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/compare_workspace.h"

#include <cmath>

#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/subject_workspace.h"
#include "app/studio/what_if_panel.h"
#include "widgets/bar_list.h"
#include "widgets/card_splitter.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"

namespace hallwright {
namespace {

/// Inputs that a slider may move; each path is a design field.
const char* const slider_paths[] = {"job.tokens", "job.model_flops_utilization", "site.utility_power", "site.electricity_price", "goal.gpus",
                                    "operations.node_failures_per_1000_node_days", "storage.checkpoint_target", "storage.systems",
                                    "cooling_plant.supply_temperature", "cooling_plant.supply_rise", "budget.years_of_service", "budget.mean_load_share"};
QTableWidgetItem* cell(const QString& text, bool number = false) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setTextAlignment(number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
  item->setToolTip(text);
  return item;
}

QTableWidget* make_table(QWidget* parent, const QStringList& header, const QString& name) {
  auto* t = new QTableWidget(0, static_cast<int>(header.size()), parent);
  t->setTextElideMode(Qt::ElideMiddle);
  t->setHorizontalHeaderLabels(header);
  t->verticalHeader()->hide();
  t->verticalHeader()->setDefaultSectionSize(t->fontMetrics().height() + 8);
  t->setShowGrid(false);
  t->setWordWrap(false);
  t->setAlternatingRowColors(true);
  t->setSelectionBehavior(QAbstractItemView::SelectRows);
  t->horizontalHeader()->setStretchLastSection(true);
  t->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  t->setAccessibleName(name);
  return t;
}

} // namespace

CompareWorkspace::CompareWorkspace(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("workspace_Compare"));
  pool_.setMaxThreadCount(1);
  auto* outer = new QHBoxLayout(this);
  outer->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  auto* split = new CardSplitter(this);
  split->setObjectName(QStringLiteral("compare_split"));
  outer->addWidget(split);

  auto* left = new QWidget(split);
  auto* left_column = new QVBoxLayout(left);
  left_column->setContentsMargins(0, 0, 0, 0);
  left_column->setSpacing(2 * spacing_unit);
  std::vector<WhatIfInput> inputs;
  for (const char* path : slider_paths)
    inputs.push_back({path});
  what_if_ = new WhatIfPanel(document_, std::move(inputs), 3, QStringLiteral("what_if"), left);
  left_column->addWidget(make_card(tr("What if"), what_if_, left));
  auto* scenario_box = new QWidget(left);
  auto* scenario_column = new QVBoxLayout(scenario_box);
  scenario_column->setContentsMargins(0, 0, 0, 0);
  scenarios_ = new QListWidget(scenario_box);
  scenarios_->setAccessibleName(tr("Scenarios"));
  auto* scenario_buttons = new QHBoxLayout;
  make_base_ = new QPushButton(tr("Make this the base"), scenario_box);
  drop_ = new QPushButton(tr("Delete"), scenario_box);
  scenario_buttons->addWidget(make_base_);
  scenario_buttons->addWidget(drop_);
  scenario_column->addWidget(scenarios_);
  scenario_column->addLayout(scenario_buttons);
  left_column->addWidget(make_card(tr("Scenarios of this project"), scenario_box, left), 1);
  left->setMinimumWidth(fontMetrics().averageCharWidth() * 44);
  split->addWidget(left);

  auto* right = new QSplitter(Qt::Vertical, split);
  right->setHandleWidth(2 * spacing_unit);
  right->setChildrenCollapsible(false);
  table_ = make_table(right, {tr("Figure"), tr("Base")}, tr("Headline figures by scenario"));
  table_->setObjectName(QStringLiteral("compare_table"));
  auto* headline_card = make_card(tr("Headline figures by scenario"), table_, right);
  headline_card->setMinimumHeight(fontMetrics().height() * 12);
  right->addWidget(headline_card);
  auto* lower = new CardSplitter(right);
  lower->setObjectName(QStringLiteral("compare_lower"));
  published_ = make_table(lower, {tr("Figure"), tr("Ours"), tr("Published"), tr("Deviation"), tr("Source and note")}, tr("Published figures"));
  published_->setObjectName(QStringLiteral("published_table"));
  published_->viewport()->installEventFilter(this);
  chart_ = new BarList(lower);
  chart_->setObjectName(QStringLiteral("deviation_chart"));
  auto* table_card = make_card(tr("Published figures beside ours"), published_, lower);
  auto* chart_card = make_card({}, chart_, lower);
  const int letter = fontMetrics().averageCharWidth(), line = fontMetrics().height();
  table_card->setMinimumSize(letter * 44, line * 9);
  chart_card->setMinimumSize(letter * 34, line * 11);
  lower->addWidget(table_card);
  lower->addWidget(chart_card);
  lower->setStretchFactor(0, 3);
  lower->setStretchFactor(1, 2);
  lower->setSizes({600, 400});
  right->addWidget(lower);
  right->setSizes({560, 360});
  split->addWidget(right);
  split->setStretchFactor(1, 1);

  connect(table_, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { Q_EMIT figureActivated(table_->item(row, 0)->data(Qt::UserRole).toString()); });
  connect(published_, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { Q_EMIT figureActivated(published_->item(row, 0)->data(Qt::UserRole).toString()); });
  connect(what_if_, &WhatIfPanel::editRequested, this, &CompareWorkspace::editRequested);
  connect(make_base_, &QPushButton::clicked, this, [this] {
    const int row = scenarios_->currentRow();
    if (row < 0 || row >= static_cast<int>(document_.design().scenarios->size())) return;
    const Scenario s = (*document_.design().scenarios)[static_cast<std::size_t>(row)];
    Q_EMIT editRequested({"Make " + s.name + " the base", [id = s.id](const Design& d) { return with_scenario(d, id); }});
  });
  connect(drop_, &QPushButton::clicked, this, [this] {
    const int row = scenarios_->currentRow();
    if (row < 0 || row >= static_cast<int>(document_.design().scenarios->size())) return;
    const Scenario s = (*document_.design().scenarios)[static_cast<std::size_t>(row)];
    Q_EMIT editRequested({"Delete scenario " + s.name, [id = s.id](const Design& d) { return remove(d, {{"scenarios", id}}); }});
  });
}

CompareWorkspace::~CompareWorkspace() { pool_.waitForDone(); }

void CompareWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (pending_) refresh();
}

void CompareWorkspace::resetSliders() { what_if_->reset(); }

void CompareWorkspace::refresh() {
  pending_ = !isVisible() || !document_.evaluation();
  if (pending_) return;
  what_if_->refresh();
  fill_scenarios();
  fill_published();
  if (!document_.previewing()) evaluate_scenarios();
  show_scenarios();
}

void CompareWorkspace::fill_scenarios() {
  const auto& list = *document_.design().scenarios;
  const int keep = scenarios_->currentRow();
  scenarios_->clear();
  for (const Scenario& s : list) {
    QStringList what;
    for (const ScenarioChange& c : *document_.design().scenario_changes)
      if (c.scenario == s.id)
        what << path_words(document_.design(), document_.evaluation()->catalog.get(), c.path) + QStringLiteral(": ") +
                    QString::fromStdString(c.value);
    scenarios_->addItem(QString::fromStdString(s.name) + (what.isEmpty() ? QString() : QStringLiteral("\n   ") + what.join(QStringLiteral("\n   "))));
  }
  if (list.empty()) {
    auto* item = new QListWidgetItem(tr("None yet. Move a slider and keep it as a scenario."), scenarios_);
    item->setFlags(Qt::NoItemFlags);
  } else {
    scenarios_->setCurrentRow(std::clamp(keep, 0, static_cast<int>(list.size()) - 1));
  }
  for (QPushButton* b : {make_base_, drop_})
    b->setEnabled(!list.empty());
}

void CompareWorkspace::evaluate_scenarios() {
  const SharedEvaluation base = document_.evaluation();
  if (evaluated_for_ == base) return;
  evaluated_for_ = base;
  const quint64 generation = ++generation_;
  run_in_background(pool_, this, [base]() {
    std::vector<ScenarioAnswer> answers;
    for (const Scenario& s : *base->design.scenarios) {
      ScenarioAnswer a;
      a.id = s.id;
      a.name = QString::fromStdString(s.name);
      auto design = with_scenario(base->design, s.id);
      if (!design) a.problem = QString::fromStdString(design.error());
      else if (auto e = evaluate(*design, base->shipped_catalog, base.get())) a.evaluation = std::make_shared<const Evaluation>(std::move(*e));
      answers.push_back(std::move(a));
    }
    return answers;
  }, [this, generation](const std::vector<ScenarioAnswer>& answers) {
    if (generation != generation_) return;
    answers_ = answers;
    show_scenarios();
  });
}

void CompareWorkspace::show_scenarios() {
  const SharedEvaluation& shown = document_.evaluation();
  if (!shown) return;
  // While something is tried both stand there: the base, and what if, with the difference.
  const SharedEvaluation& before = document_.baseline();
  const bool trying = document_.previewing() && before && before != shown;
  const SharedEvaluation& base = trying ? before : shown;
  QStringList header{tr("Figure"), tr("Base")};
  if (trying) header << tr("What if");
  for (const auto& a : answers_) header << a.name;
  table_->setColumnCount(static_cast<int>(header.size()));
  table_->setHorizontalHeaderLabels(header);
  std::vector<std::string_view> ids{"population.gpus", "population.nodes"};
  for (const HeadlineTile& t : headline_tiles()) {
    ids.push_back(t.figure);
    if (!t.second_figure.empty()) ids.push_back(t.second_figure);
    if (!t.remark_figure.empty()) ids.push_back(t.remark_figure);
  }
  table_->setRowCount(0);
  for (auto id : ids) {
    const Figure* f = base->figures.find(id);
    if (!f) continue;
    const int row = table_->rowCount();
    table_->insertRow(row);
    auto* name = cell(QString::fromStdString(f->label));
    name->setData(Qt::UserRole, to_qstring(id));
    table_->setItem(row, 0, name);
    // As in the strip: an estimate is marked, so that it does not read as exact.
    const auto marked = [](const Figure& g) {
      return g.completeness == Completeness::estimate && g.has_value() ? QStringLiteral("\u2248 ") + screen_short(g) : screen_short(g);
    };
    table_->setItem(row, 1, cell(marked(*f), true));
    int column = 2;
    const auto with_difference = [f, &marked](const Figure& g) {
      const QString text = marked(g), change = screen_change(*f, g);
      return change.isEmpty() ? text : text + QStringLiteral("  (%1)").arg(change);
    };
    if (trying) {
      const Figure* g = shown->figures.find(id);
      table_->setItem(row, column++, cell(g ? with_difference(*g) : QStringLiteral("\u2013"), true));
    }
    for (const auto& a : answers_) {
      QString text = a.problem;
      if (a.evaluation)
        if (const Figure* g = a.evaluation->figures.find(id)) text = with_difference(*g);
      table_->setItem(row, column++, cell(text, true));
    }
  }
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->resizeColumnsToContents();
  for (int i = 0; i < table_->columnCount(); ++i) {
    // Names leave room for a value beside them in a narrow window.
    const int most = i == 0 ? std::max(table_->viewport()->width() / 2, 120) : QWIDGETSIZE_MAX;
    table_->setColumnWidth(i, std::min(table_->columnWidth(i) + 24, most));
    table_->horizontalHeaderItem(i)->setTextAlignment((i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
}

/// The numbers stand whole; the name gives way to them down to a few words, and the source has what is left.
void CompareWorkspace::fit_published() {
  const int letter = fontMetrics().averageCharWidth(), gap = 3 * spacing_unit;
  published_->resizeColumnsToContents();
  int numbers = 0;
  for (const int column : {1, 2, 3}) {
    const int wide = std::min(published_->columnWidth(column) + gap, letter * 34); // a sentence in place of a number
    published_->setColumnWidth(column, wide);
    numbers += wide;
  }
  const int room = published_->viewport()->width() - numbers;
  const int name = std::min(published_->columnWidth(0) + gap, std::max(room - letter * 16, letter * 14));
  published_->setColumnWidth(0, name);
}

bool CompareWorkspace::eventFilter(QObject* watched, QEvent* event) {
  if (published_ && watched == published_->viewport() && event->type() == QEvent::Resize) fit_published();
  return QWidget::eventFilter(watched, event);
}

void CompareWorkspace::fill_published() {
  const auto list = published_comparisons(*document_.evaluation());
  published_->setRowCount(static_cast<int>(list.size()));
  std::vector<NamedBar> bars;
  int row = 0;
  for (const PublishedComparison& c : list) {
    auto* name = cell(c.ours ? QString::fromStdString(c.ours->label) : QString::fromStdString(c.published->figure));
    name->setData(Qt::UserRole, QString::fromStdString(c.published->figure));
    published_->setItem(row, 0, name);
    published_->setItem(row, 1, cell(c.ours ? screen_short(*c.ours) : QStringLiteral("\u2013"), true));
    // As ours is written beside it; the tip has it as it was entered.
    const QString entered = QString::fromStdString(c.published->value);
    auto* published = cell(c.ours && c.published_value ? screen_short(*c.published_value, *c.ours->kind) : entered, true);
    published->setToolTip(tr("As entered: %1").arg(entered));
    published_->setItem(row, 2, published);
    QString deviation = QString::fromStdString(c.problem);
    if (c.deviation) {
      deviation = screen_signed_percent(*c.deviation * 100.0);
      NamedBar bar;
      bar.name = name->text();
      bar.amounts.push_back({*c.deviation * 100, deviation});
      bars.push_back(std::move(bar));
    }
    published_->setItem(row, 3, cell(deviation, true));
    published_->setItem(row, 4, cell(QString::fromStdString(c.published->source + (c.published->note.empty() ? "" : " \u2014 " + c.published->note))));
    ++row;
  }
  fit_published();
  const bool any =
      std::any_of(bars.begin(), bars.end(), [](const NamedBar& b) { return std::abs(b.amounts.front().value) > 0.05; });
  if (bars.empty())
    chart_->setEmptyText(tr("This project names no published figures to compare with."));
  else if (!any)
    chart_->setEmptyText(tr("Every published figure is met."));
  else
    chart_->setBars(tr("Deviation from published figures"),
                    tr("Share of the published figure: more at the right of the line, less at its left"), {tr("Deviation")},
                    std::move(bars), {});
}

} // namespace hallwright
