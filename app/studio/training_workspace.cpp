// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/training_workspace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/layout_search_card.h"
#include "app/studio/what_if_panel.h"
#include "design/names.h"
#include "fabric/bytes_per_gpu.h"
#include "fabric/rack_network_places.h"
#include "training/axis_options.h"
#include "training/calibration.h"
#include "widgets/field_form.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/training/axis_choices.h"
#include "widgets/training/figure_tiles.h"
#include "widgets/training/pipeline_timeline.h"
#include "widgets/training/stage_memory_bars.h"
#include "widgets/training/step_waterfall.h"

namespace hallwright {
namespace {

/// Replicas that the batch divides over, up to eight times as many as now, whatever the cluster has: what a slider stops at.
std::vector<double> replicas(const Document& document) {
  const Job& job = *document.design().job;
  std::vector<double> out;
  const Count most = std::min(job.global_batch_sequences / std::max<Count>(1, job.micro_batch), 8 * job.data_parallel);
  for (Count d = 1; d <= most; ++d)
    if (job.global_batch_sequences % (d * std::max<Count>(1, job.micro_batch)) == 0) out.push_back(static_cast<double>(d));
  return out;
}


/// What an axis is called here; empty: it is none.
QString axis_label(std::string_view axis) {
  if (axis == "tensor_parallel") return TrainingWorkspace::tr("Tensor");
  if (axis == "pipeline_parallel") return TrainingWorkspace::tr("Pipeline");
  if (axis == "virtual_stages") return TrainingWorkspace::tr("Interleave");
  if (axis == "context_parallel") return TrainingWorkspace::tr("Context");
  if (axis == "expert_parallel") return TrainingWorkspace::tr("Expert");
  if (axis == "data_parallel") return TrainingWorkspace::tr("Data");
  if (axis == "micro_batch") return TrainingWorkspace::tr("Micro-batch");
  return {};
}

/// Names of fields as the form has them: nobody types "tensor_parallel" here.
QString without_field_names(QString s) {
  for (const FieldInfo& f : table_fields("job"))
    if (const QString name = to_qstring(f.name); name.contains(QLatin1Char('_')) && s.contains(name)) {
      const QString axis = axis_label(f.name);
      s.replace(name, axis.isEmpty() ? to_qstring(f.label).toLower() : axis.toLower());
    }
  return s;
}

/// A reason of the engine as a sentence of its own, with a capital.
QString whole_sentence(const QString& reason) {
  QString s = screen_sentence(without_field_names(reason)).trimmed();
  if (!s.isEmpty()) s[0] = s[0].toUpper();
  return s;
}

/// The beginning of a sentence about an axis, without its field's name: "16 leaves the scale-up domain of 8 GPUs".
QString brief(const std::string& sentence, std::string_view axis) {
  QString s = QString::fromStdString(sentence);
  const QString own = to_qstring(axis) + QStringLiteral(" = ");
  if (s.startsWith(own)) s.remove(0, own.size());
  static const QRegularExpression rest(QStringLiteral("[:;].*$"));
  s.remove(rest);
  s.replace(QStringLiteral(" x "), QStringLiteral(" \u00b7 "));
  return screen_sentence(without_field_names(s));
}

/// A reason apart from its numbers: what is said of several values is said once.
QString kind_of_reason(const std::string& sentence) {
  static const QRegularExpression number(QStringLiteral("[0-9]+"));
  return QString::fromStdString(sentence).remove(number);
}

/// With a prefix of thousands from ten thousand on: "15.6 T", "2.91 M".
QString prefixed(double value) {
  static constexpr std::pair<double, const char*> prefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"},
                                                                {1e9, "G"},  {1e6, "M"},  {1e3, "k"}};
  if (std::abs(value) >= 1e4)
    for (const auto& [factor, letter] : prefixes)
      if (std::abs(value) >= factor * 0.9995)
        return QStringLiteral("%1 %2").arg(screen_text(value / factor, kind::ratio, 3), QLatin1String(letter));
  return screen_text(value, kind::count, 4);
}

/// As the headlines have it: at least, about.
QString marked(const Figure& f, const QString& value) {
  return f.completeness == Completeness::lower_bound ? QStringLiteral("\u2265 ") + value
         : f.completeness == Completeness::estimate  ? QStringLiteral("\u2248 ") + value
                                                     : value;
}

/// Takes a layout apart; the widgets stay.
void take_apart(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QLayout* inside = item->layout()) take_apart(inside);
    delete item;
  }
}

/// What a part of the step is, by its figure.
StepWork work_of(const QString& figure) {
  const QString part = figure.section(QLatin1Char('.'), -1);
  if (part == QLatin1String("ideal")) return StepWork::useful;
  for (const char* name : {"tensor", "context", "expert", "pipeline", "data"})
    if (part == QLatin1String(name)) return StepWork::communication;
  if (part == QLatin1String("optimizer")) return StepWork::optimizer;
  for (const char* name : {"bubble", "stragglers", "other", "launch"})
    if (part == QLatin1String(name)) return StepWork::waiting;
  return StepWork::computing;
}

QString value_of(const Evaluation& e, const char* figure, int significant = 3) {
  const Figure* f = e.figures.find(figure);
  return f && f->has_value() ? screen_text(*f, significant) : QStringLiteral("\u2013");
}
/// A remark with a figure in it; empty without the figure.
QString remark_of(const Evaluation& e, const QString& words, const char* figure) {
  const Figure* f = e.figures.find(figure);
  return f && f->has_value() ? words.arg(screen_text(*f)) : QString();
}
QString tip_of(const Evaluation& e, const char* figure) {
  const Figure* f = e.figures.find(figure);
  return f ? figure_tooltip(*f) : QString();
}
QString reason_of(const Evaluation& e, const char* figure) {
  const Figure* f = e.figures.find(figure);
  return f && !f->has_value() ? whole_sentence(QString::fromStdString(f->reason)) : QString();
}

Count gpus_there(const Evaluation& e) { return e.population ? e.population->accelerators.value_or(0) : 0; }

/// What to do next where there is no cluster, else why there is no figure, else the general words.
QString why_empty(const Evaluation& e, const char* figure, const QString& otherwise) {
  if (gpus_there(e) == 0)
    return TrainingWorkspace::tr("There are no GPUs yet: draw racks in the hall, or name a goal.");
  if (e.design.job->model_part.empty())
    return TrainingWorkspace::tr("No model is chosen: choose one among the fields of the job, at the end of the page.");
  const QString why = reason_of(e, figure);
  return why.isEmpty() ? otherwise : why;
}

const DisplayUnit& unit_named(const Kind& kind, std::string_view symbol) {
  for (const DisplayUnit& u : kind.display)
    if (u.symbol == symbol) return u;
  return kind.display.front();
}

QTableWidgetItem* bytes_cell(const QString& text, bool number, bool strong) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  item->setToolTip(text);
  if (strong) {
    QFont f = item->font();
    f.setWeight(QFont::DemiBold);
    item->setFont(f);
  }
  return item;
}

/// The part of the step that a communicator's traffic is exposed in.
const char* exposed_figure(const std::string& communicator) {
  if (communicator == "Tensor") return "training.step.tensor";
  if (communicator == "Context") return "training.step.context";
  if (communicator == "Expert") return "training.step.expert";
  if (communicator == "Pipeline") return "training.step.pipeline";
  if (communicator == "Data gradients") return "training.step.data";
  return nullptr;
}

} // namespace

TrainingWorkspace::Card TrainingWorkspace::make_titled_card(const QString& title) {
  Card c;
  c.frame = new QFrame(board_);
  c.frame->setObjectName(QStringLiteral("card"));
  c.column = new QVBoxLayout(c.frame);
  c.column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  c.column->setSpacing(spacing_unit);
  auto* head = new QHBoxLayout;
  head->setSpacing(2 * spacing_unit);
  c.title = new QLabel(title, c.frame);
  c.title->setObjectName(QStringLiteral("title"));
  c.title->setWordWrap(true);
  QSizePolicy at_top(QSizePolicy::Preferred, QSizePolicy::Maximum); // never into the middle of a tall card
  at_top.setHeightForWidth(true);
  c.title->setSizePolicy(at_top);
  c.remark = new QLabel(c.frame);
  c.remark->setObjectName(QStringLiteral("secondary"));
  head->addWidget(c.title, 1, Qt::AlignTop);
  head->addWidget(c.remark, 0, Qt::AlignTop);
  c.column->addLayout(head);
  return c;
}

TrainingWorkspace::TrainingWorkspace(Document& document, QWidget* inputs, QWidget* parent)
    : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("training_workspace"));
  pool_.setMaxThreadCount(1);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  pages_ = new QTabWidget(this);
  pages_->setObjectName(QStringLiteral("training_pages"));
  pages_->setDocumentMode(true);
  pages_->tabBar()->setAccessibleName(tr("Pages of the training job"));
  outer->addWidget(pages_);
  pages_->addTab(make_page(), tr("Job and layout"));
  auto* scroll = new QScrollArea(pages_);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inputs);
  pages_->addTab(scroll, tr("Inputs, figures and tables"));
}

TrainingWorkspace::~TrainingWorkspace() { pool_.waitForDone(); }

QWidget* TrainingWorkspace::make_page() {
  page_ = new QScrollArea(pages_);
  page_->setObjectName(QStringLiteral("training_scroll"));
  page_->setWidgetResizable(true);
  page_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  page_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // the width of the cards does not hang on their heights
  page_->setFocusPolicy(Qt::NoFocus);
  board_ = new QWidget(page_);
  board_->setObjectName(QStringLiteral("clear"));
  stack_ = new QVBoxLayout(board_);
  stack_->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  stack_->setSpacing(2 * spacing_unit);

  const auto words = [this](const Card& card, const char* name) {
    auto* label = new QLabel(card.frame);
    label->setObjectName(QStringLiteral("secondary"));
    label->setProperty("words", QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
  };

  layout_card_ = make_titled_card(tr("Layout of the job"));
  layout_words_ = words(layout_card_, "layout");
  layout_card_.column->addWidget(layout_words_);
  ranks_words_ = words(layout_card_, "ranks");
  ranks_words_->hide();
  layout_card_.column->addWidget(ranks_words_);
  connect(&document_, &Document::selectionChanged, this, [this] {
    if (!pending_) keeping_chart([this] { show_ranks(); });
  });
  choose_model_ = new QPushButton(tr("Choose a model\u2026"), layout_card_.frame);
  choose_model_->setObjectName(QStringLiteral("training_choose_model"));
  choose_model_->hide();
  layout_card_.column->addWidget(choose_model_, 0, Qt::AlignLeft);
  goal_ = new FieldForm(layout_card_.frame);
  goal_->setObjectName(QStringLiteral("training_goal"));
  goal_->setEntities({{"goal", 0}}, {QStringLiteral("node_part"), QStringLiteral("gpus")});
  goal_->hide();
  layout_card_.column->addWidget(goal_);
  axes_ = new AxisChoices(layout_card_.frame);
  axes_->setObjectName(QStringLiteral("training_axes"));
  layout_card_.column->addWidget(axes_);
  layout_card_.column->addStretch(1);

  memory_card_ = make_titled_card(tr("Memory per GPU by stage"));
  memory_ = new StageMemoryBars(memory_card_.frame);
  memory_->setObjectName(QStringLiteral("training_memory"));
  memory_card_.column->addWidget(memory_, 1);

  what_if_card_ = make_titled_card(tr("What if"));
  what_if_ = new WhatIfPanel(document_,
                             {{"job.tokens"},
                              {"job.data_parallel", tr("Data-parallel replicas (GPUs)"), {}, [](const Document& d) { return replicas(d); }},
                              {"job.model_flops_utilization", {}, QStringLiteral("training.mfu")},
                              {"job.sequence_length"},
                              {"job.step_time_factor"},
                              {"job.gpu_power_cap"}},
                             3, QStringLiteral("training_what_if"), what_if_card_.frame);
  what_if_card_.column->addWidget(what_if_);
  what_if_card_.column->addStretch(1); // what is under the pointer keeps its place in the card

  make_job_form();

  step_card_ = make_titled_card(tr("Where the step goes"));
  waterfall_ = new StepWaterfall(step_card_.frame);
  waterfall_->setObjectName(QStringLiteral("training_waterfall"));
  step_card_.column->addWidget(waterfall_, 1);
  step_words_ = words(step_card_, "step");
  step_card_.column->addWidget(step_words_);

  timeline_card_ = make_titled_card(tr("Pipeline timeline"));
  timeline_ = new PipelineTimelineView(timeline_card_.frame);
  timeline_->setObjectName(QStringLiteral("training_timeline"));
  timeline_card_.column->addWidget(timeline_, 1);

  search_ = new LayoutSearchCard(document_, board_);

  bytes_card_ = make_titled_card(tr("Bytes of a step, by axis and tier"));
  bytes_ = new QTableWidget(0, 6, bytes_card_.frame);
  bytes_->setObjectName(QStringLiteral("training_bytes"));
  bytes_->setAccessibleName(tr("Bytes of a step, by axis and tier"));
  bytes_->setHorizontalHeaderLabels(
      {tr("Axis"), tr("Scale-\nup"), tr("Leaf"), tr("Spine"), tr("Core"), tr("Exposed,\ns")});
  bytes_->verticalHeader()->hide();
  bytes_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  bytes_->setShowGrid(false);
  bytes_->setWordWrap(true); // names, in a narrow card
  bytes_->setSelectionBehavior(QAbstractItemView::SelectRows);
  bytes_->setSelectionMode(QAbstractItemView::SingleSelection);
  bytes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  bytes_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  bytes_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
  bytes_->horizontalHeader()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 5);
  bytes_->horizontalHeader()->setHighlightSections(false);
  bytes_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  bytes_->verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 6);
  bytes_->installEventFilter(this);
  for (int c = 0; c < bytes_->columnCount(); ++c)
    bytes_->horizontalHeaderItem(c)->setTextAlignment((c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  bytes_card_.column->addWidget(bytes_, 1);
  bytes_words_ = words(bytes_card_, "bytes");
  bytes_card_.column->addWidget(bytes_words_);
  bytes_card_.column->addStretch(0); // without the table the words stand at the top

  run_card_ = make_titled_card(tr("Run"));
  run_ = new FigureTiles(run_card_.frame);
  run_->setObjectName(QStringLiteral("training_run"));
  run_card_.column->addWidget(run_);
  run_card_.column->addStretch(1); // what it has stands at its top

  page_->setWidget(board_);
  page_->viewport()->installEventFilter(this);
  board_->installEventFilter(this);
  arrange_cards(1200);

  connect(axes_, &AxisChoices::valueChosen, this, [this](const QString& axis, qint64 value) {
    const SharedEvaluation& e = document_.evaluation();
    if (!e) return;
    const ModelPart* model = e->catalog->find<ModelPart>(document_.design().job->model_part);
    if (!model) return;
    Q_EMIT editRequested(
        axis_edit(axis.toStdString(), value, *model, e->population ? e->population->accelerators.value_or(0) : 0));
  });
  std::vector<FieldForm*> forms{goal_};
  for (const Group& g : groups_)
    forms.push_back(g.form);
  for (FieldForm* form : forms) {
    connect(form, &FieldForm::editRequested, this, &TrainingWorkspace::editRequested);
    connect(form, &FieldForm::refused, this, [this](const QString& s) { Q_EMIT told(s, true); });
  }
  connect(choose_model_, &QPushButton::clicked, this, [this] {
    QWidget* field = groups_.front().form->editor(QStringLiteral("model_part"));
    if (!field) return;
    page_->ensureWidgetVisible(field);
    field->setFocus();
  });
  connect(calibrate_, &QPushButton::clicked, this, &TrainingWorkspace::calibrate);
  connect(waterfall_, &StepWaterfall::figureActivated, this, &TrainingWorkspace::figureActivated);
  connect(memory_, &StageMemoryBars::stageActivated, this,
          [this] { Q_EMIT figureActivated(QStringLiteral("training.memory_per_gpu")); });
  connect(run_, &FigureTiles::figureActivated, this, [this](const QString& figure) {
    if (figure == QLatin1String("compare"))
      Q_EMIT compareRequested();
    else
      Q_EMIT figureActivated(figure);
  });
  connect(what_if_, &WhatIfPanel::editRequested, this, &TrainingWorkspace::editRequested);
  connect(search_, &LayoutSearchCard::editRequested, this, &TrainingWorkspace::editRequested);
  connect(search_, &LayoutSearchCard::resultsShown, this, &TrainingWorkspace::settle_page);
  connect(search_, &LayoutSearchCard::previewBegins, this, [this] {
    kept_ = search_;
    chart_place_ = chart_place();
    hold_cards();
  });
  connect(page_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    if (!adjusting_) chart_place_ = chart_place(); // somebody scrolled
  });
  connect(search_, &LayoutSearchCard::resultsDropped, this, &TrainingWorkspace::release_cards);
  connect(bytes_, &QTableWidget::cellActivated, this, [this](int row, int column) {
    const auto* item = bytes_->item(row, column);
    const QString figure = item ? item->data(Qt::UserRole).toString() : QString();
    if (!figure.isEmpty()) Q_EMIT figureActivated(figure);
  });
  return page_;
}

/// The fields of the job by group; the groups stand side by side where there is room.
void TrainingWorkspace::make_job_form() {
  job_card_ = make_titled_card(tr("Job"));
  groups_grid_ = new QGridLayout;
  groups_grid_->setContentsMargins(0, 0, 0, 0);
  groups_grid_->setHorizontalSpacing(6 * spacing_unit);
  groups_grid_->setVerticalSpacing(3 * spacing_unit);
  job_card_.column->addLayout(groups_grid_);
  job_card_.column->addStretch(1);
  const auto group = [this](const QString& title, const QStringList& fields) {
    Group g;
    g.frame = new QWidget(job_card_.frame);
    g.frame->setObjectName(QStringLiteral("clear"));
    auto* column = new QVBoxLayout(g.frame);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing_unit);
    auto* heading = new QLabel(title, g.frame);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    heading->setProperty("group", title);
    column->addWidget(heading);
    g.form = new FieldForm(g.frame);
    g.form->setEntities({{"job", 0}}, {fields.begin(), fields.end()});
    column->addWidget(g.form);
    groups_.push_back(g);
    return column;
  };
  auto* model = group(tr("Model and data"),
                      {QStringLiteral("model_part"), QStringLiteral("tokens"), QStringLiteral("sequence_length"),
                       QStringLiteral("global_batch_sequences"), QStringLiteral("precision"),
                       QStringLiteral("model_flops_utilization"), QStringLiteral("step_time_factor")});
  calibrate_ = new QPushButton(tr("Calibrate to a measured step\u2026"), groups_.back().frame);
  calibrate_->setObjectName(QStringLiteral("training_calibrate"));
  calibrate_->setToolTip(
      tr("Holds the model to a step time of your own run; the factor goes with the job to other layouts"));
  model->addWidget(calibrate_, 0, Qt::AlignLeft);
  model->addStretch(1);
  group(tr("Software and schedule"),
        {QStringLiteral("software_stack"), QStringLiteral("pipeline_order"), QStringLiteral("tensor_overlap"),
         QStringLiteral("pipeline_overlap"), QStringLiteral("data_overlap"), QStringLiteral("hot_expert")})
      ->addStretch(1);
  group(tr("What is kept and where"), {QStringLiteral("recompute"), QStringLiteral("sequence_parallel"),
                                       QStringLiteral("sharding"), QStringLiteral("shard_ranks")})
      ->addStretch(1);
  group(tr("Formats and host memory"),
        {QStringLiteral("gradient_format"), QStringLiteral("master_format"), QStringLiteral("moment_format"),
         QStringLiteral("offload"), QStringLiteral("offload_rate"), QStringLiteral("gpu_power_cap"),
         QStringLiteral("communication_power_share")})
      ->addStretch(1);
  // Two short ones below each other.
  auto* trained = group(tr("What is trained"), {QStringLiteral("trained_weights"), QStringLiteral("adapter_rank"),
                                                QStringLiteral("adapter_targets")});
  adapters_ = groups_.back().form;
  group(tr("Ranks on the nodes"),
        {QStringLiteral("axis_order"), QStringLiteral("rank_order"), QStringLiteral("placement_seed")});
  trained->addSpacing(3 * spacing_unit);
  trained->addWidget(groups_.back().frame);
  trained->addStretch(1);
}

void TrainingWorkspace::arrange_groups(int columns) {
  while (groups_grid_->count() > 0)
    delete groups_grid_->takeAt(0);
  for (int i = 0; i < 5; ++i)
    groups_grid_->setColumnStretch(i, 0);
  for (int i = 0; i < 5; ++i) {
    groups_grid_->addWidget(groups_[static_cast<std::size_t>(i)].frame, i / columns, i % columns);
    groups_grid_->setColumnStretch(i % columns, 1);
  }
}

/// Three columns as long as each has room, the run above two of them; else two, else one below the other. Columns are
/// apart from each other: a card that grows moves only what is below it.
void TrainingWorkspace::arrange_cards(int width) {
  const int letter = fontMetrics().averageCharWidth();
  const int columns = width >= 150 * letter ? 3 : width >= 88 * letter ? 2 : 1;
  if (columns == columns_) return;
  columns_ = columns;
  release_cards();
  take_apart(stack_);
  const auto column = [](std::initializer_list<std::pair<QWidget*, int>> cards) {
    auto* out = new QVBoxLayout;
    out->setSpacing(2 * spacing_unit);
    for (const auto& [card, stretch] : cards)
      out->addWidget(card, stretch);
    return out;
  };
  auto* across = new QHBoxLayout;
  across->setSpacing(2 * spacing_unit);
  layout_card_.frame->setMinimumWidth(columns == 3 ? 44 * letter : 0);
  if (columns == 3) {
    auto* right = column({{run_card_.frame, 0}});
    auto* two = new QHBoxLayout;
    two->setSpacing(2 * spacing_unit);
    two->addLayout(column({{step_card_.frame, 0}, {timeline_card_.frame, 1}}), 1);
    two->addLayout(column({{memory_card_.frame, 0}, {search_, 1}}), 1);
    right->addLayout(two, 1);
    across->addLayout(column({{layout_card_.frame, 0}, {what_if_card_.frame, 0}, {bytes_card_.frame, 1}}), 25);
    across->addLayout(right, 75);
    stack_->addLayout(across, 1);
    stack_->addWidget(job_card_.frame);
  } else if (columns == 2) {
    across->addLayout(column({{layout_card_.frame, 0}, {what_if_card_.frame, 0}, {memory_card_.frame, 1}, {bytes_card_.frame, 0}}), 42);
    across->addLayout(column({{run_card_.frame, 0}, {step_card_.frame, 0}, {search_, 1}, {timeline_card_.frame, 1}}),
                      58);
    stack_->addLayout(across, 1);
    stack_->addWidget(job_card_.frame);
  } else {
    delete across;
    for (QWidget* w : {static_cast<QWidget*>(layout_card_.frame), static_cast<QWidget*>(run_card_.frame),
                       static_cast<QWidget*>(what_if_card_.frame), static_cast<QWidget*>(step_card_.frame), static_cast<QWidget*>(memory_card_.frame),
                       static_cast<QWidget*>(search_), static_cast<QWidget*>(timeline_card_.frame),
                       static_cast<QWidget*>(bytes_card_.frame), static_cast<QWidget*>(job_card_.frame)})
      stack_->addWidget(w);
  }
  arrange_groups(columns == 3 ? 5 : columns);
}

bool TrainingWorkspace::eventFilter(QObject* watched, QEvent* event) {
  if (watched == bytes_) {
    if (event->type() == QEvent::Resize) fit_bytes();
    return QWidget::eventFilter(watched, event);
  }
  if (watched == board_) {
    if (event->type() == QEvent::LayoutRequest) fit_height();
  } else if (event->type() == QEvent::Resize) {
    release_cards();
    arrange_cards(static_cast<QWidget*>(watched)->width());
    fit_height();
  }
  return QWidget::eventFilter(watched, event);
}

/// As tall as the lines of its words need at this width: a scroll area does not ask.
void TrainingWorkspace::fit_height() {
  const int wide = page_->viewport()->width();
  board_->setMinimumHeight(stack_->hasHeightForWidth() ? stack_->heightForWidth(wide) : stack_->sizeHint().height());
}

/// From the first preview of a found layout on, no card gets shorter and the search none taller: its chart keeps its
/// size.
void TrainingWorkspace::hold_cards() {
  if (held_) return;
  held_ = true;
  chart_place_ = chart_place();
  for (const Card* c : {&layout_card_, &what_if_card_, &run_card_, &step_card_, &memory_card_, &timeline_card_, &bytes_card_})
    c->frame->setMinimumHeight(c->frame->height());
  search_->setFixedHeight(search_->height());
}

void TrainingWorkspace::release_cards() {
  if (!held_) return;
  held_ = false;
  for (const Card* c : {&layout_card_, &what_if_card_, &run_card_, &step_card_, &memory_card_, &timeline_card_, &bytes_card_})
    c->frame->setMinimumHeight(0);
  search_->setMinimumHeight(0);
  search_->setMaximumHeight(QWIDGETSIZE_MAX);
}

/// Where what is under the pointer lies in the window: the search, or the sliders.
int TrainingWorkspace::chart_place() const {
  const QWidget* kept = kept_ ? kept_ : search_;
  return kept->mapTo(window(), QPoint()).y();
}

/// Lines that grew are passed on from card to column to page to window: all of it at once, before the next click.
void TrainingWorkspace::settle_page() {
  fit_height();
  for (int i = 0; i < 4; ++i)
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

/// Fills cards; the chart that is clicked stays where it is in the window, whatever grows above it.
template <typename Fill>
void TrainingWorkspace::keeping_chart(Fill fill) {
  QWidget* const tried = what_if_->trying()       ? static_cast<QWidget*>(what_if_card_.frame)
                         : search_->previewing() ? static_cast<QWidget*>(search_)
                                                 : nullptr;
  if (tried && (!held_ || kept_ != tried)) {
    kept_ = tried;
    held_ = false;
    hold_cards();
  }
  fill();
  settle_page();
  if (!held_ || (!tried && kept_ != search_)) return;
  adjusting_ = true;
  QScrollBar* bar = page_->verticalScrollBar();
  bar->setValue(bar->value() + chart_place() - chart_place_);
  adjusting_ = false;
  chart_place_ = chart_place();
}

void TrainingWorkspace::showPage(int page) { pages_->setCurrentIndex(page); }

void TrainingWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (pending_) refresh();
}

void TrainingWorkspace::hideEvent(QHideEvent* event) {
  if (!event->spontaneous()) {
    search_->endPreview(); // what is tried here is not taken along
    if (what_if_->trying()) {
      what_if_->reset();
      document_.cancelPreview();
    }
    release_cards();
  }
  QWidget::hideEvent(event);
}

void TrainingWorkspace::refresh() {
  const SharedEvaluation e = document_.evaluation(); // a copy: a preview that ends on the way brings another
  pending_ = !isVisible() || !e;
  if (pending_) return;
  keeping_chart([&] {
    for (const Group& g : groups_)
      g.form->setDesign(document_.shown(), e->catalog);
    const bool adapters = document_.shown().job->trained_weights != TrainedWeights::all;
    for (const char* field : {"adapter_rank", "adapter_targets"})
      if (QWidget* editor = adapters_->editor(QLatin1String(field))) editor->setEnabled(adapters);
    fill_axes(*e);
    fill_memory(*e);
    fill_step(*e);
    ask_timeline(*e);
    fill_bytes(*e);
    fill_run(*e);
    show_ranks();
    search_->refresh();
    what_if_->refresh();
  });
}

void TrainingWorkspace::fill_axes(const Evaluation& e) {
  const Job& job = *document_.shown().job;
  const ModelPart* model = e.catalog->find<ModelPart>(job.model_part);
  const Figure *used = e.figures.find("training.gpus_used"), *there = e.figures.find("population.gpus");
  layout_card_.remark->setText(used && used->has_value() && there && there->has_value()
                                   ? tr("%1 of %2 GPUs").arg(screen_text(*used, 9), screen_text(*there, 9))
                                   : QString());
  const Count gpus = gpus_there(e);
  goal_->setVisible(gpus == 0);
  if (gpus == 0) goal_->setDesign(document_.shown(), e.catalog);
  axes_->setVisible(model);
  choose_model_->setVisible(!model);
  QStringList next;
  if (!model) next << tr("Choose a model: the values that each axis can take appear here.");
  if (gpus == 0)
    next << tr("There are no GPUs yet. Draw racks in the hall, or name a goal here: a node and how many GPUs.");
  layout_words_->setText(next.join(QLatin1Char(' ')));
  layout_words_->setVisible(!next.isEmpty());
  if (!model) return;
  const Figure* domain = e.figures.find("training.scale_up_domain");
  const Count together = domain && domain->has_value() ? static_cast<Count>(domain->value) : 0;
  std::vector<AxisLine> lines;
  QSet<QString> said; // a reason that several lines share stands once; the others have it in their tips
  for (const std::string_view axis : layout_axes()) {
    AxisLine line;
    line.id = to_qstring(axis);
    line.label = axis_label(axis);
    for (const FieldInfo& f : table_fields("job"))
      if (f.name == axis) line.help = screen_units(to_qstring(f.help));
    const auto value = get_field(document_.shown(), {"job", 0}, axis);
    if (const auto* n = value ? std::get_if<std::int64_t>(&*value) : nullptr) line.chosen = *n;
    QString beyond, reason; // the first reason that no line above gave
    for (const AxisOption& o : axis_options(job, *model, axis, gpus, together)) {
      line.values.push_back(
          {o.value, whole_sentence(QString::fromStdString(o.reason)), whole_sentence(QString::fromStdString(o.note))});
      const bool chosen = o.value == line.chosen;
      if (chosen && !o.reason.empty())
        line.words = brief(o.reason, axis), line.problem = true, said.insert(kind_of_reason(o.reason));
      else if (chosen && !o.note.empty())
        line.words = brief(o.note, axis);
      else if (beyond.isEmpty() && !o.reason.empty() && !said.contains(kind_of_reason(o.reason)))
        beyond = brief(o.reason, axis), reason = kind_of_reason(o.reason);
    }
    if (axis == "data_parallel" && !line.problem && used && used->has_value())
      line.words = tr("= %1 / (%2 \u00b7 %3 \u00b7 %4)")
                       .arg(screen_text(*used, 9), screen_number(job.tensor_parallel),
                            screen_number(job.pipeline_parallel), screen_number(job.context_parallel));
    if (line.words.isEmpty() && !beyond.isEmpty()) line.words = beyond, said.insert(reason);
    lines.push_back(std::move(line));
  }
  axes_->setLines(lines);
}

void TrainingWorkspace::show_ranks() {
  const SharedEvaluation e = document_.evaluation();
  std::vector<Id> racks;
  for (const EntityRef& ref : document_.selection())
    if (ref.table == "racks") racks.push_back(ref.id);
  QString words;
  std::vector<int> lit;
  if (e && !racks.empty()) {
    const QString first = to_qstring(entity_name(document_.shown(), {"racks", racks.front()}));
    const QString what = racks.size() == 1 ? first : tr("%1 selected racks").arg(screen_number(racks.size()));
    const TrafficResult* t = e->traffic.get();
    if (!t || !t->placement || !t->drawn) {
      words = tr("%1: the job does not lie on a wired compute network, so ranks have no racks.").arg(what);
    } else {
      const RanksOnRacks held = ranks_on_racks(axes_of(*e->design.job), *t->placement, *t->drawn, racks);
      for (const Count stage : held.stages) lit.push_back(static_cast<int>(stage) - 1);
      constexpr std::size_t most = 4; // runs of ranks in words; a shuffled order has as many as nodes
      QStringList runs;
      for (std::size_t i = 0; i < std::min(most, held.runs.size()); ++i)
        runs << (held.runs[i].first == held.runs[i].last
                     ? screen_number(held.runs[i].first)
                     : tr("%1 to %2", "ranks").arg(screen_number(held.runs[i].first), screen_number(held.runs[i].last)));
      if (held.runs.size() > most) runs << tr("%1 more runs").arg(screen_number(held.runs.size() - most));
      QString stages = to_qstring(runs_text(held.stages));
      stages.replace(QLatin1Char('-'), QChar(0x2013));
      words = held.ranks == 0 ? tr("%1: no rank of the job.").arg(what)
                              : (held.stages.size() == 1 ? tr("%1: ranks %2 of %3, stage %4.") : tr("%1: ranks %2 of %3, stages %4."))
                                    .arg(what, runs.join(QStringLiteral(", ")), screen_number(held.of), stages);
    }
  }
  ranks_words_->setText(words);
  ranks_words_->setVisible(!words.isEmpty());
  timeline_->setLit(lit);
  memory_->setLit(lit);
}

void TrainingWorkspace::fill_memory(const Evaluation& e) {
  const Table* t = e.figures.table("training.memory");
  const Figure* memory = e.figures.find("training.memory_per_gpu");
  if (!t || t->row_count() == 0) {
    memory_->clear();
    memory_->setEmptyText(
        why_empty(e, "training.memory_per_gpu", tr("Memory by stage appears with a model and a cluster.")));
    memory_card_.remark->clear();
    return;
  }
  const DisplayUnit& gib = unit_named(kind::memory, "GiB");
  QStringList parts, ids;
  std::vector<const TableColumn*> columns;
  for (const char* id : {"weights", "gradients", "optimizer", "activations", "logits", "buffers", "slack"})
    if (const TableColumn* c = t->column(id)) columns.push_back(c), ids << QLatin1String(id), parts << QString::fromStdString(c->label).toLower();
  const TableColumn *stage = t->column("stage"), *layers = t->column("layers");
  std::vector<StageMemoryBar> bars;
  for (std::size_t i = 0; i < t->row_count(); ++i) {
    StageMemoryBar bar;
    bar.name = stage && i < stage->numbers.size() ? screen_number(stage->numbers[i], 'f', 0)
                                                  : screen_number(static_cast<qint64>(i + 1));
    if (layers && i < layers->numbers.size()) bar.tip = tr("%1 layers").arg(screen_number(layers->numbers[i], 'f', 0));
    for (const TableColumn* c : columns) {
      const double v = i < c->numbers.size() ? c->numbers[i] : 0.0;
      bar.amounts.push_back(std::isfinite(v) ? std::max(0.0, v) / gib.factor : 0.0);
    }
    bars.push_back(std::move(bar));
  }
  const Figure* limit = memory && memory->limit.valid() ? e.figures.at(memory->limit) : nullptr;
  const bool known = limit && limit->has_value();
  memory_->setStages(parts, std::move(bars), QStringLiteral("GiB"),
                     known ? limit->value / gib.factor : std::numeric_limits<double>::quiet_NaN(),
                     known ? tr("GPU %1").arg(screen_text(*limit)) : QString(), ids);
  memory_card_.remark->setText(memory && memory->has_value()
                                   ? known ? tr("%1 of %2").arg(screen_text(*memory), screen_text(*limit))
                                           : screen_text(*memory)
                                   : QString());
}

void TrainingWorkspace::fill_step(const Evaluation& e) {
  const Figure *step = e.figures.find("training.step_time"), *modelled = e.figures.find("training.modelled_step_time"),
               *low = e.figures.find("training.step_time_low"), *high = e.figures.find("training.step_time_high"),
               *mfu = e.figures.find("training.mfu");
  const Job& job = e.design.job ? *e.design.job : *document_.shown().job;
  QString title = tr("Where the step goes");
  if (step && step->has_value()) {
    title += QStringLiteral(": ") + screen_text(*step);
    if (!job.model_flops_utilization && low && high && low->has_value() && high->has_value())
      title += tr(" (%1 to %2)").arg(screen_text(*low), screen_text(*high));
    if (mfu && mfu->has_value()) title += tr(", %1 MFU (6ND)").arg(screen_text(*mfu));
  }
  step_card_.title->setText(title);
  step_card_.title->setToolTip(
      tr("The interval in brackets holds nine of ten measured runs. MFU counts 6 x active parameters x tokens."));
  const Figure* peak = e.figures.find("training.peak_per_gpu");
  step_card_.remark->setText(peak && peak->has_value() ? tr("peak %1").arg(screen_text(*peak)) : QString());
  const Table* t = e.figures.table("training.step");
  const TableColumn *part = t ? t->column("part") : nullptr, *time = t ? t->column("time") : nullptr,
                    *until = t ? t->column("until") : nullptr, *share = t ? t->column("share") : nullptr;
  std::vector<WaterfallPart> parts;
  for (std::size_t i = 0; t && part && time && until && i < t->row_count(); ++i) {
    if (time->numbers[i] == 0) continue;
    WaterfallPart p;
    p.name = QString::fromStdString(part->words[i]);
    p.text = screen_text(time->numbers[i], kind::time);
    if (share) p.tip = tr("%1 of the step").arg(screen_text(share->numbers[i], kind::percent));
    p.figure = i < t->row_figures.size() ? QString::fromStdString(t->row_figures[i]) : QString();
    p.seconds = time->numbers[i];
    p.until = until->numbers[i];
    p.work = work_of(p.figure);
    parts.push_back(std::move(p));
  }
  QStringList words;
  if (parts.empty()) {
    waterfall_->clear();
    waterfall_->setEmptyText(
        why_empty(e, "training.modelled_step_time", tr("The step appears with a model and a cluster.")));
  } else {
    waterfall_->setParts(std::move(parts), tr("Step by the model"), modelled ? screen_text(*modelled) : QString(),
                         QStringLiteral("training.modelled_step_time"));
    if (modelled && !modelled->reason.empty()) words << whole_sentence(QString::fromStdString(modelled->reason));
  }
  if (job.model_flops_utilization)
    words.prepend(tr("The typed MFU of %1 sets the step time; reset it below to let the model say.")
                      .arg(screen_text(*job.model_flops_utilization, kind::percent)));
  else if (job.step_time_factor != 1.0)
    words.prepend(tr("Calibrated: \u00d7 %1.").arg(screen_number(job.step_time_factor, 'g', 3)));
  step_words_->setText(words.join(QLatin1Char(' ')));
  step_words_->setVisible(!words.isEmpty());
  calibrate_->setEnabled(modelled && modelled->has_value());
}

void TrainingWorkspace::ask_timeline(const Evaluation& e) {
  if (timeline_of_ && timeline_of_->training == e.training) return;
  timeline_of_ = document_.evaluation();
  const quint64 generation = ++generation_;
  if (!e.training || !e.training->job) {
    show_timeline({});
    return;
  }
  const TrainedJob job = *e.training->job;
  const JobSplit& s = job.split;
  timeline_title_ = s.pp < 2 ? tr("Timeline: one stage, %1 micro-batches").arg(screen_number(s.micro_batches(), 'f', 0))
                             : tr("Pipeline timeline: %1, p = %2, v = %3, m = %4")
                                   .arg(to_qstring(schedule_word(s.schedule)), screen_number(s.pp, 'f', 0),
                                        screen_number(s.vpp, 'f', 0), screen_number(s.micro_batches(), 'f', 0));
  run_in_background(
      pool_, this, [job, parts = e.training->parts] { return step_timeline(job.split, parts, job.step_factor); },
      [this, generation](const StepTimeline& answer) {
        if (generation == generation_) keeping_chart([&] { show_timeline(answer); });
      });
}

void TrainingWorkspace::show_timeline(const StepTimeline& answer) {
  const SharedEvaluation& e = document_.evaluation();
  if (!answer.timeline) {
    timeline_->clear();
    const QString otherwise = tr("The pipeline appears with a model and a cluster.");
    timeline_->setEmptyText(!answer.problem.empty() ? whole_sentence(QString::fromStdString(answer.problem))
                            : e                     ? why_empty(*e, "training.modelled_step_time", otherwise)
                                                    : otherwise);
    timeline_card_.title->setText(tr("Pipeline timeline"));
    timeline_card_.remark->clear();
    return;
  }
  std::vector<TimelineTail> tails;
  double at = answer.timeline->span;
  for (const auto& [name, seconds, work] : {std::tuple(tr("gradients"), answer.gradients, StepWork::communication),
                                            std::tuple(tr("optimizer"), answer.optimizer, StepWork::optimizer),
                                            std::tuple(tr("stragglers, data"), answer.rest, StepWork::waiting)}) {
    if (!(seconds > 0)) continue;
    tails.push_back({name, at, at + seconds, work});
    at += seconds;
  }
  timeline_->setTimeline(answer.timeline, answer.transfer, std::move(tails));
  timeline_card_.title->setText(timeline_title_);
  timeline_card_.title->setToolTip(
      tr("Every stage takes as long as the busiest one. Ctrl with the wheel zooms, dragging moves, a double click "
         "shows the whole step; + \u2212 0 and arrows from the keyboard."));
  timeline_card_.remark->setText(e ? tr("bubble %1").arg(value_of(*e, "training.bubble")) : QString());
}

void TrainingWorkspace::fill_bytes(const Evaluation& e) {
  const Table* t = e.figures.table("traffic.communicators");
  const TableColumn* name = t ? t->column("name") : nullptr;
  const std::size_t rows = name ? t->row_count() : 0;
  bytes_words_->setText(rows == 0 ? why_empty(e, "traffic.scale_up",
                                              tr("Bytes by tier appear when the job lies on a wired compute network."))
                                  : reason_of(e, "traffic.scale_up"));
  bytes_words_->setVisible(!bytes_words_->text().isEmpty());
  bytes_->setVisible(rows > 0);
  bytes_card_.remark->setText(rows > 0 ? tr("GB per GPU, one way") : QString());
  if (rows == 0) {
    bytes_->setRowCount(0);
    return;
  }
  const DisplayUnit& gb = unit_named(kind::information, "GB");
  const Count ranks = axes_of(*e.design.job).ranks();
  const auto amount = [&](double all) {
    const double bytes = bytes_per_gpu({.scale_up = all}, ranks).scale_up;
    if (!std::isfinite(bytes)) return QStringLiteral("\u2013");
    const QString s = screen_text(bytes, kind::information, 3, gb.symbol);
    return s.section(QLatin1Char(' '), 0, -2);
  };
  bytes_->setRowCount(static_cast<int>(rows) + 1);
  const char* const tiers[] = {"scale_up", "leaf", "spine", "core"};
  for (std::size_t i = 0; i < rows; ++i) {
    const int row = static_cast<int>(i);
    bytes_->setItem(row, 0, bytes_cell(QString::fromStdString(name->words[i]), false, false));
    const TableColumn* how = t->column("counted");
    if (how && i < how->words.size())
      bytes_->item(row, 0)->setToolTip(screen_sentence(QString::fromStdString(how->words[i])));
    for (int c = 0; c < 4; ++c) {
      const TableColumn* column = t->column(tiers[c]);
      bytes_->setItem(
          row, c + 1,
          bytes_cell(column && i < column->numbers.size() ? amount(column->numbers[i]) : QString(), true, false));
    }
    const char* exposed = exposed_figure(name->words[i]);
    const Figure* f = exposed ? e.figures.find(exposed) : nullptr;
    bytes_->setItem(row, 5,
                    bytes_cell(f && f->has_value()
                                   ? screen_text(f->value, kind::time, 3, "s").section(QLatin1Char(' '), 0, -2)
                                   : QString(),
                               true, false));
    if (f)
      for (int c = 0; c < 6; ++c)
        bytes_->item(row, c)->setData(Qt::UserRole, QString::fromLatin1(exposed));
  }
  const int last = static_cast<int>(rows);
  bytes_->setItem(last, 0, bytes_cell(tr("Sum"), false, true));
  const char* const sums[] = {"traffic.scale_up", "traffic.leaf", "traffic.spine", "traffic.core"};
  for (int c = 0; c < 4; ++c) {
    const Figure* f = e.figures.find(sums[c]);
    bytes_->setItem(last, c + 1,
                    bytes_cell(f && f->has_value() ? amount(f->value) : QStringLiteral("\u2013"), true, true));
    bytes_->item(last, c + 1)->setData(Qt::UserRole, QString::fromLatin1(sums[c]));
  }
  bytes_->setItem(last, 5, bytes_cell({}, true, true));
  fit_bytes();
}

/// Numbers are as wide as they need, names have the rest: in several lines, but no word is cut.
void TrainingWorkspace::fit_bytes() {
  if (bytes_->rowCount() == 0) return;
  int numbers = 0, word = 0;
  for (int c = 1; c < bytes_->columnCount(); ++c) numbers += bytes_->horizontalHeader()->sectionSize(c);
  for (int row = 0; row < bytes_->rowCount(); ++row) {
    const QFontMetrics m(bytes_->item(row, 0)->font());
    const QString name = bytes_->item(row, 0)->text();
    for (const QString& w : name.split(QLatin1Char(' '))) word = std::max(word, m.horizontalAdvance(w));
  }
  const int padding = 5 * spacing_unit;
  bytes_->setColumnWidth(0, std::max(bytes_->viewport()->width() - numbers, word + padding));
  int tall = bytes_->horizontalHeader()->sizeHint().height() + 4;
  for (int row = 0; row < bytes_->rowCount(); ++row) tall += bytes_->rowHeight(row);
  bytes_->setMinimumHeight(std::min(tall, fontMetrics().height() * 24));
  bytes_->setMaximumHeight(tall);
}

void TrainingWorkspace::fill_run(const Evaluation& e) {
  std::vector<FigureTile> tiles;
  const auto tile = [&](const QString& title, const char* id, const QString& remark, int significant = 3) {
    const Figure* f = e.figures.find(id);
    FigureTile t{title, QStringLiteral("\u2013"), remark, tip_of(e, id), f ? QLatin1String(id) : QString()};
    if (f && f->completeness == Completeness::lower_bound && f->value == 0.0) {
      t.remark = tr("no part of it is known");
    } else if (f && f->has_value()) {
      t.value = marked(*f, screen_text(f->value, *f->kind, significant));
    } else {
      t.remark = f ? whole_sentence(QString::fromStdString(f->reason)) : tr("not worked out for this design");
      if (t.tip.isEmpty()) t.tip = t.remark;
    }
    tiles.push_back(std::move(t));
  };
  const auto value = [&](const char* id) {
    const Figure* f = e.figures.find(id);
    return f && f->has_value() ? f->value : std::nan("");
  };
  const Figure *low = e.figures.find("training.step_time_low"), *high = e.figures.find("training.step_time_high");
  const bool interval =
      !document_.shown().job->model_flops_utilization && low && high && low->has_value() && high->has_value();
  tile(tr("Step time"), "training.step_time",
       interval ? tr("%1 to %2").arg(screen_text(*low), screen_text(*high)) : QString());
  tile(tr("Tokens a second"), "training.token_rate",
       std::isfinite(value("training.tokens")) ? tr("%1 tokens in all").arg(prefixed(value("training.tokens")))
                                               : QString());
  if (const double rate = value("training.token_rate"); std::isfinite(rate)) {
    const Figure* f = e.figures.find("training.token_rate");
    tiles.back().value = marked(*f, QStringLiteral("%1/s").arg(prefixed(rate)));
  }
  QStringList days{remark_of(e, tr("%1 computing"), "training.compute_time"),
                   remark_of(e, tr("goodput %1"), "reliability.goodput")};
  days.removeAll(QString());
  tile(tr("Days of the run"), "reliability.wall_time", days.join(QStringLiteral(", ")));
  tile(tr("MFU (6ND)"), "training.mfu", remark_of(e, tr("of %1 a GPU"), "training.peak_per_gpu"));
  tile(tr("Energy of the run"), "budget.run_energy", {});
  tile(tr("Cost of the run"), "budget.run_cost", remark_of(e, tr("%1 / M tokens"), "budget.cost_per_million_tokens"));
  tile(tr("Steps"), "training.steps",
       std::isfinite(value("training.tokens_per_step"))
           ? tr("%1 tokens each").arg(prefixed(value("training.tokens_per_step")))
           : QString(),
       7);
  // What the project says was published of this run.
  QString published = tr("none named"), deviation = QStringLiteral("\u2013");
  auto list = published_comparisons(e);
  // Days say more than operations.
  const auto place_of = [](const PublishedComparison& c) {
    constexpr std::string_view first[] = {"training.step_time", "training.compute_time", "training.mfu"};
    const auto at = std::find(std::begin(first), std::end(first),
                              c.published ? std::string_view(c.published->figure) : std::string_view());
    return at - std::begin(first);
  };
  std::stable_sort(list.begin(), list.end(), [&](const PublishedComparison& a, const PublishedComparison& b) {
    return place_of(a) < place_of(b);
  });
  for (const PublishedComparison& c : list) {
    if (!c.deviation || !c.published || c.published->figure.rfind("training.", 0) != 0) continue;
    deviation = QStringLiteral("%1%2 %").arg(*c.deviation < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"),
                                             screen_number(std::abs(*c.deviation) * 100, 'f', 1));
    published = c.ours ? QString::fromStdString(c.ours->label) : QString();
    break;
  }
  tiles.push_back({tr("Published run"), deviation, published, tr("Published figures beside ours, in Compare"),
                   list.empty() ? QString() : QStringLiteral("compare")});
  run_->setTiles(tiles);
}

void TrainingWorkspace::calibrate() {
  const SharedEvaluation& e = document_.evaluation();
  const Figure* modelled = e ? e->figures.find("training.modelled_step_time") : nullptr;
  if (!modelled || !modelled->has_value()) return;
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("calibrate_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Calibrate to a measured step"));
  auto* column = new QVBoxLayout(dialog);
  column->setSpacing(2 * spacing_unit);
  auto* words = new QLabel(
      tr("The model gives %1 for this layout. Step time that your own run of it measured:").arg(screen_text(*modelled)),
      dialog);
  words->setWordWrap(true);
  auto* edit = new QLineEdit(dialog);
  edit->setObjectName(QStringLiteral("measured_step"));
  edit->setAccessibleName(tr("Measured step time"));
  edit->setPlaceholderText(tr("for example %1").arg(screen_text(*modelled)));
  words->setBuddy(edit);
  auto* problem = new QLabel(dialog);
  problem->setObjectName(QStringLiteral("problem"));
  problem->setWordWrap(true);
  problem->hide();
  auto* hint = new QLabel(
      tr("The factor is kept with the job and carried to its other layouts. A typed MFU is taken back."), dialog);
  hint->setObjectName(QStringLiteral("secondary"));
  hint->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Calibrate"));
  for (QWidget* w : {static_cast<QWidget*>(words), static_cast<QWidget*>(edit), static_cast<QWidget*>(problem),
                     static_cast<QWidget*>(hint), static_cast<QWidget*>(buttons)})
    column->addWidget(w);
  dialog->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
  const auto say = [problem](const QString& sentence) {
    problem->setText(screen_sentence(sentence));
    problem->show();
  };
  connect(edit, &QLineEdit::textChanged, problem, &QLabel::hide);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, edit, say, seconds = modelled->value] {
    const auto measured = parse_quantity(edit->text().toStdString(), kind::time, screen_decimal_mark(), "s");
    if (!measured) return say(QString::fromStdString(measured.error()));
    const Edit change = calibration_edit(*measured, seconds);
    if (const Edited tried = change.apply(document_.design()); !tried)
      return say(QString::fromStdString(tried.error()));
    dialog->accept();
    Q_EMIT editRequested(change);
  });
  dialog->open();
  edit->setFocus();
}

} // namespace hallwright
