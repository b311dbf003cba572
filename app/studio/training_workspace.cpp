// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/training_workspace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/layout_search_card.h"
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

QString axis_label(std::string_view axis) {
  if (axis == "tensor_parallel") return TrainingWorkspace::tr("Tensor");
  if (axis == "pipeline_parallel") return TrainingWorkspace::tr("Pipeline");
  if (axis == "virtual_stages") return TrainingWorkspace::tr("Interleave");
  if (axis == "context_parallel") return TrainingWorkspace::tr("Context");
  if (axis == "expert_parallel") return TrainingWorkspace::tr("Expert");
  if (axis == "data_parallel") return TrainingWorkspace::tr("Data");
  return TrainingWorkspace::tr("Micro-batch");
}

/// The beginning of a sentence about an axis, without its field's name: "16 leaves the scale-up domain of 8 GPUs".
QString brief(const std::string& sentence, std::string_view axis) {
  QString s = QString::fromStdString(sentence);
  const QString own = to_qstring(axis) + QStringLiteral(" = ");
  if (s.startsWith(own)) s.remove(0, own.size());
  static const QRegularExpression rest(QStringLiteral("[:;].*$"));
  s.remove(rest);
  for (const std::string_view other : layout_axes())
    s.replace(to_qstring(other), axis_label(other).toLower());
  s.replace(QStringLiteral("global_batch_sequences"), TrainingWorkspace::tr("global batch"));
  s.replace(QStringLiteral(" x "), QStringLiteral(" \u00b7 "));
  return screen_sentence(s);
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
QString tip_of(const Evaluation& e, const char* figure) {
  const Figure* f = e.figures.find(figure);
  return f ? figure_tooltip(*f) : QString();
}
QString reason_of(const Evaluation& e, const char* figure) {
  const Figure* f = e.figures.find(figure);
  return f && !f->has_value() ? screen_sentence(QString::fromStdString(f->reason)) : QString();
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
  c.remark = new QLabel(c.frame);
  c.remark->setObjectName(QStringLiteral("secondary"));
  head->addWidget(c.title, 1);
  head->addWidget(c.remark);
  c.column->addLayout(head);
  return c;
}

TrainingWorkspace::TrainingWorkspace(Document& document, QWidget* inputs, QWidget* parent) : QWidget(parent), document_(document) {
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
  auto* scroll = new QScrollArea(pages_);
  scroll->setObjectName(QStringLiteral("training_scroll"));
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  board_ = new QWidget(scroll);
  board_->setObjectName(QStringLiteral("clear"));
  grid_ = new QGridLayout(board_);
  grid_->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  grid_->setSpacing(2 * spacing_unit);

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
  axes_ = new AxisChoices(layout_card_.frame);
  axes_->setObjectName(QStringLiteral("training_axes"));
  layout_card_.column->addWidget(axes_);
  layout_card_.column->addStretch(1);

  memory_card_ = make_titled_card(tr("Memory per GPU by pipeline stage"));
  memory_ = new StageMemoryBars(memory_card_.frame);
  memory_->setObjectName(QStringLiteral("training_memory"));
  memory_card_.column->addWidget(memory_, 1);

  job_card_ = make_titled_card(tr("Job"));
  form_ = new FieldForm(job_card_.frame);
  form_->setEntities({{"job", 0}},
                     {QStringLiteral("model_part"), QStringLiteral("tokens"), QStringLiteral("sequence_length"),
                      QStringLiteral("global_batch_sequences"), QStringLiteral("precision"), QStringLiteral("sharding"),
                      QStringLiteral("shard_ranks"), QStringLiteral("recompute"), QStringLiteral("sequence_parallel"),
                      QStringLiteral("pipeline_order"), QStringLiteral("software_stack"), QStringLiteral("hot_expert"),
                      QStringLiteral("model_flops_utilization"), QStringLiteral("step_time_factor")});
  job_card_.column->addWidget(form_);
  calibrate_ = new QPushButton(tr("Calibrate to a measured step\u2026"), job_card_.frame);
  calibrate_->setObjectName(QStringLiteral("training_calibrate"));
  calibrate_->setToolTip(tr("Holds the model to a step time of your own run; the factor goes with the job to other layouts"));
  job_card_.column->addWidget(calibrate_, 0, Qt::AlignLeft);
  job_card_.column->addStretch(1);

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
  bytes_->setHorizontalHeaderLabels({tr("Axis"), tr("Scale-up"), tr("Leaf"), tr("Spine"), tr("Core"), tr("Exposed, s")});
  bytes_->verticalHeader()->hide();
  bytes_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  bytes_->setShowGrid(false);
  bytes_->setWordWrap(false);
  bytes_->setSelectionBehavior(QAbstractItemView::SelectRows);
  bytes_->setSelectionMode(QAbstractItemView::SingleSelection);
  bytes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  bytes_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  bytes_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  bytes_->horizontalHeader()->setHighlightSections(false);
  for (int c = 0; c < bytes_->columnCount(); ++c)
    bytes_->horizontalHeaderItem(c)->setTextAlignment((c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  bytes_card_.column->addWidget(bytes_, 1);
  bytes_words_ = words(bytes_card_, "bytes");
  bytes_card_.column->addWidget(bytes_words_);

  run_card_ = make_titled_card(tr("Run"));
  run_ = new FigureTiles(run_card_.frame);
  run_->setObjectName(QStringLiteral("training_run"));
  run_card_.column->addWidget(run_);
  run_card_.column->addStretch(1); // what it has stands at its top

  scroll->setWidget(board_);
  scroll->viewport()->installEventFilter(this);
  arrange_cards(1200);

  connect(axes_, &AxisChoices::valueChosen, this, [this](const QString& axis, qint64 value) {
    const SharedEvaluation& e = document_.evaluation();
    if (!e) return;
    const ModelPart* model = e->catalog->find<ModelPart>(document_.design().job->model_part);
    if (!model) return;
    Q_EMIT editRequested(axis_edit(axis.toStdString(), value, *model, e->population ? e->population->accelerators.value_or(0) : 0));
  });
  connect(form_, &FieldForm::editRequested, this, &TrainingWorkspace::editRequested);
  connect(form_, &FieldForm::refused, this, [this](const QString& s) { Q_EMIT told(s, true); });
  connect(calibrate_, &QPushButton::clicked, this, &TrainingWorkspace::calibrate);
  connect(waterfall_, &StepWaterfall::figureActivated, this, &TrainingWorkspace::figureActivated);
  connect(memory_, &StageMemoryBars::stageActivated, this, [this] { Q_EMIT figureActivated(QStringLiteral("training.memory_per_gpu")); });
  connect(run_, &FigureTiles::figureActivated, this, [this](const QString& figure) {
    if (figure == QLatin1String("compare")) Q_EMIT compareRequested();
    else Q_EMIT figureActivated(figure);
  });
  connect(search_, &LayoutSearchCard::editRequested, this, &TrainingWorkspace::editRequested);
  connect(bytes_, &QTableWidget::cellActivated, this, [this](int row, int column) {
    const auto* item = bytes_->item(row, column);
    const QString figure = item ? item->data(Qt::UserRole).toString() : QString();
    if (!figure.isEmpty()) Q_EMIT figureActivated(figure);
  });
  return scroll;
}

/// Three columns as long as each has room, else two, else one below the other.
void TrainingWorkspace::arrange_cards(int width) {
  const int letter = fontMetrics().averageCharWidth();
  const int columns = width >= 150 * letter ? 3 : width >= 88 * letter ? 2 : 1;
  if (columns == columns_) return;
  columns_ = columns;
  while (grid_->count() > 0)
    delete grid_->takeAt(0);
  for (int i = 0; i < 3; ++i)
    grid_->setColumnStretch(i, 0), grid_->setColumnMinimumWidth(i, 0);
  for (int i = 0; i < 9; ++i)
    grid_->setRowStretch(i, 0);
  const auto put = [this](QWidget* w, int row, int column, int rows = 1, int wide = 1) { grid_->addWidget(w, row, column, rows, wide); };
  if (columns == 3) {
    put(layout_card_.frame, 0, 0);
    put(memory_card_.frame, 1, 0);
    put(step_card_.frame, 0, 1);
    put(timeline_card_.frame, 1, 1);
    put(search_, 0, 2);
    put(bytes_card_.frame, 1, 2);
    put(job_card_.frame, 2, 0);
    put(run_card_.frame, 2, 1, 1, 2);
    grid_->setColumnMinimumWidth(0, 40 * letter);
    grid_->setColumnStretch(0, 22), grid_->setColumnStretch(1, 40), grid_->setColumnStretch(2, 38);
    grid_->setRowStretch(0, 3), grid_->setRowStretch(1, 2);
  } else if (columns == 2) {
    put(layout_card_.frame, 0, 0);
    put(step_card_.frame, 0, 1);
    put(memory_card_.frame, 1, 0);
    put(search_, 1, 1);
    put(job_card_.frame, 2, 0, 2, 1);
    put(timeline_card_.frame, 2, 1);
    put(bytes_card_.frame, 3, 1);
    put(run_card_.frame, 4, 0, 1, 2);
    grid_->setColumnStretch(0, 38), grid_->setColumnStretch(1, 62);
    grid_->setRowStretch(1, 1);
  } else {
    int row = 0;
    for (QWidget* w : {static_cast<QWidget*>(layout_card_.frame), static_cast<QWidget*>(step_card_.frame),
                       static_cast<QWidget*>(memory_card_.frame), static_cast<QWidget*>(search_), static_cast<QWidget*>(timeline_card_.frame),
                       static_cast<QWidget*>(run_card_.frame), static_cast<QWidget*>(bytes_card_.frame), static_cast<QWidget*>(job_card_.frame)})
      put(w, row++, 0);
    grid_->setColumnStretch(0, 1);
  }
  run_card_.frame->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  search_->setMinimumHeight(fontMetrics().height() * 19);
}

bool TrainingWorkspace::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    arrange_cards(static_cast<QWidget*>(watched)->width());
    fit_height();
  }
  return QWidget::eventFilter(watched, event);
}

/// As tall as the lines of its words need at this width: a scroll area does not ask.
void TrainingWorkspace::fit_height() {
  const int wide = board_->parentWidget() ? board_->parentWidget()->width() : board_->width();
  const int tall = grid_->hasHeightForWidth() ? grid_->minimumHeightForWidth(wide) : grid_->minimumSize().height();
  board_->setMinimumHeight(tall);
}

void TrainingWorkspace::showPage(int page) { pages_->setCurrentIndex(page); }

void TrainingWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (pending_) refresh();
}

void TrainingWorkspace::hideEvent(QHideEvent* event) {
  if (!event->spontaneous()) search_->endPreview(); // what is tried here is not taken along
  QWidget::hideEvent(event);
}

void TrainingWorkspace::refresh() {
  const SharedEvaluation& e = document_.evaluation();
  pending_ = !isVisible() || !e;
  if (pending_) return;
  form_->setDesign(document_.shown(), e->catalog);
  fill_axes(*e);
  fill_memory(*e);
  fill_step(*e);
  ask_timeline(*e);
  fill_bytes(*e);
  fill_run(*e);
  search_->refresh();
  fit_height();
}

void TrainingWorkspace::fill_axes(const Evaluation& e) {
  const Job& job = *document_.shown().job;
  const ModelPart* model = e.catalog->find<ModelPart>(job.model_part);
  const Figure *used = e.figures.find("training.gpus_used"), *there = e.figures.find("population.gpus");
  layout_card_.remark->setText(used && used->has_value() && there && there->has_value()
                                   ? tr("%1 of %2 GPUs").arg(screen_text(*used, 9), screen_text(*there, 9))
                                   : QString());
  layout_words_->setVisible(!model);
  axes_->setVisible(model);
  if (!model) {
    layout_words_->setText(tr("Choose a model below: the values that each axis can take appear here."));
    return;
  }
  const Count gpus = e.population ? e.population->accelerators.value_or(0) : 0;
  const Figure* domain = e.figures.find("training.scale_up_domain");
  const Count together = domain && domain->has_value() ? static_cast<Count>(domain->value) : 0;
  std::vector<AxisLine> lines;
  for (const std::string_view axis : layout_axes()) {
    AxisLine line;
    line.id = to_qstring(axis);
    line.label = axis_label(axis);
    for (const FieldInfo& f : table_fields("job"))
      if (f.name == axis) line.help = to_qstring(f.help);
    const auto value = get_field(document_.shown(), {"job", 0}, axis);
    if (const auto* n = value ? std::get_if<std::int64_t>(&*value) : nullptr) line.chosen = *n;
    QString beyond; // the first value above the chosen one that is out of reach, or costs more than others
    for (const AxisOption& o : axis_options(job, *model, axis, gpus, together)) {
      line.values.push_back({o.value, screen_sentence(QString::fromStdString(o.reason)), screen_sentence(QString::fromStdString(o.note))});
      const bool chosen = o.value == line.chosen;
      if (chosen && !o.reason.empty()) line.words = brief(o.reason, axis), line.problem = true;
      else if (chosen && !o.note.empty()) line.words = brief(o.note, axis);
      else if (beyond.isEmpty() && !o.reason.empty()) beyond = brief(o.reason, axis);
    }
    if (line.words.isEmpty()) line.words = beyond;
    if (axis == "data_parallel" && !line.problem && used && used->has_value())
      line.words = tr("= %1 / (%2 \u00b7 %3 \u00b7 %4)")
                       .arg(screen_text(*used, 9), screen_number(job.tensor_parallel), screen_number(job.pipeline_parallel),
                            screen_number(job.context_parallel));
    lines.push_back(std::move(line));
  }
  axes_->setLines(lines);
}

void TrainingWorkspace::fill_memory(const Evaluation& e) {
  const Table* t = e.figures.table("training.memory");
  const Figure* memory = e.figures.find("training.memory_per_gpu");
  if (!t || t->row_count() == 0) {
    memory_->clear();
    const QString why = reason_of(e, "training.memory_per_gpu");
    memory_->setEmptyText(why.isEmpty() ? tr("Memory by stage appears with a model and a cluster.") : why);
    memory_card_.remark->clear();
    return;
  }
  const DisplayUnit& gib = unit_named(kind::memory, "GiB");
  QStringList parts;
  std::vector<const TableColumn*> columns;
  for (const char* id : {"weights", "gradients", "optimizer", "activations", "logits", "buffers", "slack"})
    if (const TableColumn* c = t->column(id)) columns.push_back(c), parts << QString::fromStdString(c->label).toLower();
  const TableColumn *stage = t->column("stage"), *layers = t->column("layers");
  std::vector<StageMemoryBar> bars;
  for (std::size_t i = 0; i < t->row_count(); ++i) {
    StageMemoryBar bar;
    bar.name = stage && i < stage->numbers.size() ? screen_number(stage->numbers[i], 'f', 0) : screen_number(static_cast<qint64>(i + 1));
    if (layers && i < layers->numbers.size()) bar.tip = tr("%1 layers").arg(screen_number(layers->numbers[i], 'f', 0));
    for (const TableColumn* c : columns) {
      const double v = i < c->numbers.size() ? c->numbers[i] : 0.0;
      bar.amounts.push_back(std::isfinite(v) ? std::max(0.0, v) / gib.factor : 0.0);
    }
    bars.push_back(std::move(bar));
  }
  const Figure* limit = memory && memory->limit.valid() ? e.figures.at(memory->limit) : nullptr;
  const bool known = limit && limit->has_value();
  memory_->setStages(parts, std::move(bars), QStringLiteral("GiB"), known ? limit->value / gib.factor : std::numeric_limits<double>::quiet_NaN(),
                     known ? tr("GPU %1").arg(screen_text(*limit)) : QString());
  memory_card_.remark->setText(memory && memory->has_value()
                                   ? known ? tr("%1 of %2").arg(screen_text(*memory), screen_text(*limit)) : screen_text(*memory)
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
    if (mfu && mfu->has_value()) title += tr(", %1 MFU").arg(screen_text(*mfu));
  }
  step_card_.title->setText(title);
  step_card_.title->setToolTip(tr("The interval in brackets holds nine of ten measured runs. MFU counts 6 x active parameters x tokens."));
  const Figure* peak = e.figures.find("training.peak_per_gpu");
  step_card_.remark->setText(peak && peak->has_value() ? tr("peak %1").arg(screen_text(*peak)) : QString());
  const Table* t = e.figures.table("training.step");
  const TableColumn *part = t ? t->column("part") : nullptr, *time = t ? t->column("time") : nullptr, *until = t ? t->column("until") : nullptr,
                    *share = t ? t->column("share") : nullptr;
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
    const QString why = reason_of(e, "training.modelled_step_time");
    waterfall_->setEmptyText(why.isEmpty() ? tr("The step appears with a model and a cluster.") : why);
  } else {
    waterfall_->setParts(std::move(parts), tr("Step by the model"), modelled ? screen_text(*modelled) : QString(),
                         QStringLiteral("training.modelled_step_time"));
    if (modelled && !modelled->reason.empty()) words << screen_sentence(QString::fromStdString(modelled->reason));
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
  timeline_title_ = tr("Pipeline timeline: %1, p = %2, v = %3, m = %4")
                        .arg(to_qstring(schedule_word(s.schedule)), screen_number(s.pp, 'f', 0), screen_number(s.vpp, 'f', 0),
                             screen_number(s.micro_batches(), 'f', 0));
  run_in_background(
      pool_, this, [job, parts = e.training->parts] { return step_timeline(job.split, parts, job.step_factor); },
      [this, generation](const StepTimeline& answer) {
        if (generation == generation_) show_timeline(answer);
      });
}

void TrainingWorkspace::show_timeline(const StepTimeline& answer) {
  const SharedEvaluation& e = document_.evaluation();
  if (!answer.timeline) {
    timeline_->clear();
    const QString why = !answer.problem.empty() ? screen_sentence(QString::fromStdString(answer.problem))
                        : e                     ? reason_of(*e, "training.modelled_step_time")
                                                : QString();
    timeline_->setEmptyText(why.isEmpty() ? tr("The pipeline appears with a model and a cluster.") : why);
    timeline_card_.title->setText(tr("Pipeline timeline"));
    timeline_card_.remark->clear();
    return;
  }
  std::vector<TimelineTail> tails;
  double at = answer.timeline->span;
  for (const auto& [name, seconds, work] :
       {std::tuple(tr("gradients"), answer.gradients, StepWork::communication), std::tuple(tr("optimizer"), answer.optimizer, StepWork::optimizer),
        std::tuple(tr("stragglers, data"), answer.rest, StepWork::waiting)}) {
    if (!(seconds > 0)) continue;
    tails.push_back({name, at, at + seconds, work});
    at += seconds;
  }
  timeline_->setTimeline(answer.timeline, answer.transfer, std::move(tails));
  timeline_card_.title->setText(timeline_title_);
  timeline_card_.title->setToolTip(tr("Every stage takes as long as the busiest one. Ctrl with the wheel zooms, dragging moves, a double click "
                                      "shows the whole step; + \u2212 0 and arrows from the keyboard."));
  timeline_card_.remark->setText(e ? tr("bubble %1").arg(value_of(*e, "training.bubble")) : QString());
}

void TrainingWorkspace::fill_bytes(const Evaluation& e) {
  const Table* t = e.figures.table("traffic.communicators");
  const TableColumn* name = t ? t->column("name") : nullptr;
  const std::size_t rows = name ? t->row_count() : 0;
  const QString why = reason_of(e, "traffic.scale_up");
  bytes_words_->setText(rows == 0 ? (why.isEmpty() ? tr("Bytes by tier appear when the job lies on a wired compute network.") : why)
                                  : why);
  bytes_words_->setVisible(!bytes_words_->text().isEmpty());
  bytes_->setVisible(rows > 0);
  bytes_card_.remark->setText(rows > 0 ? tr("GB, all ranks") : QString());
  if (rows == 0) {
    bytes_->setRowCount(0);
    return;
  }
  const DisplayUnit& gb = unit_named(kind::information, "GB");
  const auto amount = [&](double bytes) {
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
    if (how && i < how->words.size()) bytes_->item(row, 0)->setToolTip(screen_sentence(QString::fromStdString(how->words[i])));
    for (int c = 0; c < 4; ++c) {
      const TableColumn* column = t->column(tiers[c]);
      bytes_->setItem(row, c + 1, bytes_cell(column && i < column->numbers.size() ? amount(column->numbers[i]) : QString(), true, false));
    }
    const char* exposed = exposed_figure(name->words[i]);
    const Figure* f = exposed ? e.figures.find(exposed) : nullptr;
    bytes_->setItem(row, 5, bytes_cell(f && f->has_value() ? screen_text(f->value, kind::time, 3, "s").section(QLatin1Char(' '), 0, -2) : QString(), true, false));
    if (f)
      for (int c = 0; c < 6; ++c)
        bytes_->item(row, c)->setData(Qt::UserRole, QString::fromLatin1(exposed));
  }
  const int last = static_cast<int>(rows);
  bytes_->setItem(last, 0, bytes_cell(tr("Sum"), false, true));
  const char* const sums[] = {"traffic.scale_up", "traffic.leaf", "traffic.spine", "traffic.core"};
  for (int c = 0; c < 4; ++c) {
    const Figure* f = e.figures.find(sums[c]);
    bytes_->setItem(last, c + 1, bytes_cell(f && f->has_value() ? amount(f->value) : QStringLiteral("\u2013"), true, true));
    bytes_->item(last, c + 1)->setData(Qt::UserRole, QString::fromLatin1(sums[c]));
  }
  bytes_->setItem(last, 5, bytes_cell({}, true, true));
  const int tall = bytes_->horizontalHeader()->sizeHint().height() + (last + 1) * bytes_->verticalHeader()->defaultSectionSize() + 4;
  bytes_->setMinimumHeight(std::min(tall, fontMetrics().height() * 14));
}

void TrainingWorkspace::fill_run(const Evaluation& e) {
  std::vector<FigureTile> tiles;
  const auto tile = [&](const QString& title, const char* figure, const QString& remark, int significant = 3) {
    const Figure* f = e.figures.find(figure);
    tiles.push_back({title, value_of(e, figure, significant), remark, tip_of(e, figure), f ? QLatin1String(figure) : QString()});
  };
  tile(tr("Tokens"), "training.tokens", tr("%1 a step").arg(value_of(e, "training.tokens_per_step")));
  tile(tr("Steps"), "training.steps", tr("%1 each").arg(value_of(e, "training.step_time")), 7);
  tile(tr("Tokens a second"), "training.token_rate", {});
  tile(tr("Computing"), "training.compute_time", tr("without stops"));
  tile(tr("Goodput"), "reliability.goodput", tr("checkpoint each %1").arg(value_of(e, "reliability.checkpoint_interval")));
  tile(tr("On the wall"), "reliability.wall_time", {});
  tile(tr("Energy"), "budget.run_energy", {});
  tile(tr("Cost"), "budget.run_cost", tr("%1 / M tokens").arg(value_of(e, "budget.cost_per_million_tokens")));
  if (!e.figures.find("budget.run_energy")) tiles.erase(tiles.end() - 2);
  // What the project says was published of this run.
  QString published = tr("none named"), deviation = QStringLiteral("\u2013");
  auto list = published_comparisons(e);
  // Days say more than operations.
  const auto place_of = [](const PublishedComparison& c) {
    constexpr std::string_view first[] = {"training.step_time", "training.compute_time", "training.mfu"};
    const auto at = std::find(std::begin(first), std::end(first), c.published ? std::string_view(c.published->figure) : std::string_view());
    return at - std::begin(first);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const PublishedComparison& a, const PublishedComparison& b) { return place_of(a) < place_of(b); });
  for (const PublishedComparison& c : list) {
    if (!c.deviation || !c.published || c.published->figure.rfind("training.", 0) != 0) continue;
    deviation = QStringLiteral("%1%2 %").arg(*c.deviation < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"),
                                             screen_number(std::abs(*c.deviation) * 100, 'f', 1));
    published = c.ours ? QString::fromStdString(c.ours->label) : QString();
    break;
  }
  tiles.push_back({tr("Published run"), deviation, published, tr("Published figures beside ours, in Compare"), list.empty() ? QString() : QStringLiteral("compare")});
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
  auto* words = new QLabel(tr("The model gives %1 for this layout. Step time that your own run of it measured:").arg(screen_text(*modelled)), dialog);
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
  auto* hint = new QLabel(tr("The factor is kept with the job and carried to its other layouts. A typed MFU is taken back."), dialog);
  hint->setObjectName(QStringLiteral("secondary"));
  hint->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Calibrate"));
  for (QWidget* w : {static_cast<QWidget*>(words), static_cast<QWidget*>(edit), static_cast<QWidget*>(problem), static_cast<QWidget*>(hint),
                     static_cast<QWidget*>(buttons)})
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
    if (const Edited tried = change.apply(document_.design()); !tried) return say(QString::fromStdString(tried.error()));
    dialog->accept();
    Q_EMIT editRequested(change);
  });
  dialog->open();
  edit->setFocus();
}

} // namespace hallwright
