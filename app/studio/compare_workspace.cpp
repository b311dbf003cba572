// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/compare_workspace.h"

#include <cmath>

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/subject_workspace.h"
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
constexpr int slider_steps = 100;

struct PathValue {
  FieldInfo field;
  EntityRef entity;
  double value = 0.0;
};

std::optional<PathValue> path_value(const Design& design, const std::string& path) {
  auto parsed = parse_path(design, path);
  if (!parsed) return std::nullopt;
  for (const FieldInfo& f : table_fields(parsed->entity.table)) {
    if (f.name != parsed->field) continue;
    auto value = get_field(design, parsed->entity, f.name);
    if (!value) return std::nullopt;
    PathValue out{f, parsed->entity, 0.0};
    if (const auto* d = std::get_if<double>(&*value)) out.value = *d;
    else if (const auto* i = std::get_if<std::int64_t>(&*value)) out.value = static_cast<double>(*i);
    else return std::nullopt;
    return out;
  }
  return std::nullopt;
}

/// The middle of a slider is today's value, its ends half and one and a half of it, inside the field's range.
/// Temperatures move by 15 K either way.
double slid_value(const PathValue& p, int position) {
  const double s = static_cast<double>(position - slider_steps / 2) / (slider_steps / 2.0);
  double v = p.field.kind && p.field.kind->scale == Scale::point ? p.value + 15.0 * s : p.value * (1.0 + 0.5 * s);
  // Steps that are read and kept without dust: a tenth of a degree, or three digits and one more.
  if (position == slider_steps / 2)
    v = p.value;
  else if (p.field.kind && p.field.kind->scale == Scale::point)
    v = std::round((v - 273.15) * 10.0) / 10.0 + 273.15;
  else
    v = QString::number(v, 'g', 4).toDouble();
  v = std::clamp(v, p.field.minimum, p.field.maximum);
  if (p.field.type == FieldType::count) v = std::round(v);
  return v;
}

FieldValue typed(const PathValue& p, double v) {
  if (p.field.type == FieldType::count) return static_cast<std::int64_t>(std::llround(v));
  return v;
}

/// What the slider reaches: "from 1.75 MW to 5.25 MW".
QString ends_of(const PathValue& p) {
  const auto words = [&](int position) {
    const double v = slid_value(p, position);
    return p.field.kind ? screen_short(v, *p.field.kind, p.field.unit) : screen_number(v);
  };
  return CompareWorkspace::tr("from %1 to %2").arg(words(0), words(slider_steps));
}

QTableWidgetItem* cell(const QString& text, bool number = false) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setTextAlignment(number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
  item->setToolTip(text);
  return item;
}

QTableWidget* make_table(QWidget* parent, const QStringList& header, const QString& name) {
  auto* t = new QTableWidget(0, static_cast<int>(header.size()), parent);
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
  auto* what_if = new QWidget(left);
  auto* grid = new QGridLayout(what_if);
  grid->setContentsMargins(0, 0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    Slider s;
    s.input = new QComboBox(what_if);
    s.input->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    s.input->setMinimumContentsLength(20);
    s.input->setAccessibleName(tr("Input %1").arg(i + 1));
    s.input->setObjectName(QStringLiteral("what_if_input_%1").arg(i));
    for (const char* path : slider_paths) {
      QString name = QLatin1String(path);
      const std::string_view p(path);
      const auto dot = p.find('.');
      for (const FieldInfo& f : table_fields(p.substr(0, dot)))
        if (f.name == p.substr(dot + 1)) name = to_qstring(f.label);
      s.input->addItem(name, QLatin1String(path));
    }
    s.input->setCurrentIndex(i);
    s.slider = new QSlider(Qt::Horizontal, what_if);
    s.slider->setObjectName(QStringLiteral("what_if_%1").arg(i));
    s.slider->setRange(0, slider_steps);
    s.slider->setValue(slider_steps / 2);
    s.slider->setAccessibleName(tr("What if %1").arg(i + 1));
    s.ends = new QLabel(what_if);
    s.ends->setObjectName(QStringLiteral("secondary"));
    s.value = new QLabel(what_if);
    s.value->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    s.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(s.input, 3 * i, 0);
    grid->addWidget(s.value, 3 * i, 1);
    grid->addWidget(s.slider, 3 * i + 1, 0, 1, 2);
    grid->addWidget(s.ends, 3 * i + 2, 0, 1, 2);
    connect(s.slider, &QSlider::valueChanged, this, &CompareWorkspace::slide);
    connect(s.input, &QComboBox::activated, this, [this, i, slider = s.slider] {
      sliders_[static_cast<std::size_t>(i)].chosen = true;
      const QSignalBlocker quiet(slider);
      slider->setValue(slider_steps / 2);
      slide();
    });
    sliders_.push_back(s);
  }
  auto* buttons = new QHBoxLayout;
  apply_ = new QPushButton(tr("Apply"), what_if);
  apply_->setObjectName(QStringLiteral("what_if_apply"));
  keep_ = new QPushButton(tr("Keep as scenario\u2026"), what_if);
  keep_->setObjectName(QStringLiteral("what_if_keep"));
  reset_ = new QPushButton(tr("Reset"), what_if);
  buttons->addWidget(apply_);
  buttons->addWidget(keep_);
  buttons->addWidget(reset_);
  grid->addLayout(buttons, 9, 0, 1, 2);
  auto* hint = new WholeLabel(
      tr("Sliding shows the effect on every headline; nothing is kept until Apply or Keep."), what_if);
  hint->setObjectName(QStringLiteral("secondary"));
  grid->addWidget(hint, 10, 0, 1, 2);
  left_column->addWidget(make_card(tr("What if"), what_if, left));
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
  connect(reset_, &QPushButton::clicked, this, [this] {
    resetSliders();
    document_.cancelPreview();
  });
  connect(apply_, &QPushButton::clicked, this, [this] {
    const Edit edit = what_if_edit();
    resetSliders();
    Q_EMIT editRequested(edit);
  });
  connect(keep_, &QPushButton::clicked, this, [this] {
    const auto kept = changes();
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep as scenario"));
    dialog->setMinimumWidth(dialog->fontMetrics().averageCharWidth() * 60);
    dialog->setLabelText(tr("Name of the scenario"));
    dialog->setTextValue(QString::fromStdString(free_name(document_.design(), "scenarios", "Scenario 1")));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, kept](const QString& name) {
      resetSliders();
      document_.cancelPreview();
      const std::string n = name.toStdString();
      Q_EMIT editRequested({"Keep scenario " + n, [n, kept](const Design& d) -> Edited {
                              Scenario s;
                              s.name = n;
                              Made made = add_entity(d, &Design::scenarios, s);
                              const Id id = made.entities.front().id;
                              for (const Change& c : kept) {
                                ScenarioChange change;
                                change.scenario = id;
                                change.path = c.path;
                                change.value = c.text;
                                made = add_entity(made.design, &Design::scenario_changes, change);
                              }
                              return made.design;
                            }});
    });
    dialog->open();
  });
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

std::vector<CompareWorkspace::Change> CompareWorkspace::changes() const {
  std::vector<Change> out;
  for (const Slider& s : sliders_) {
    if (s.slider->value() == slider_steps / 2) continue;
    const std::string path = s.input->currentData().toString().toStdString();
    const auto p = path_value(document_.design(), path);
    if (p) out.push_back({path, exact_field_text(p->field, typed(*p, slid_value(*p, s.slider->value())))});
  }
  return out;
}

Edit CompareWorkspace::what_if_edit() const {
  const auto list = changes();
  QStringList what;
  for (const Slider& s : sliders_)
    if (s.slider->value() != slider_steps / 2) what << s.input->currentText() + QLatin1Char(' ') + s.value->text();
  return {tr("What if: %1").arg(what.join(QStringLiteral(", "))).toStdString(), [list](const Design& d) -> Edited {
            Design out = d;
            for (const Change& c : list) {
              auto next = set_by_path(out, c.path, c.text);
              if (!next) return next;
              out = std::move(*next);
            }
            return out;
          }};
}

/// An input that has no value yet cannot be moved from it.
void CompareWorkspace::show_unset(const Slider& s) {
  s.value->setText(QStringLiteral("\u2013"));
  s.ends->setText(tr("not set: enter it first"));
  s.slider->setEnabled(false);
}

void CompareWorkspace::slide() {
  sliding_ = true;
  bool any = false;
  for (Slider& s : sliders_) {
    const auto p = path_value(document_.design(), s.input->currentData().toString().toStdString());
    if (!p) {
      show_unset(s);
      continue;
    }
    s.slider->setEnabled(true);
    const double v = slid_value(*p, s.slider->value());
    s.value->setText(p->field.kind ? screen_short(v, *p->field.kind, p->field.unit) : screen_number(v));
    s.ends->setText(ends_of(*p));
    any = any || s.slider->value() != slider_steps / 2;
  }
  for (QPushButton* b : {apply_, keep_, reset_}) b->setEnabled(any);
  if (any) document_.preview(what_if_edit());
  else document_.cancelPreview();
  sliding_ = false;
}

/// Until somebody chooses: the first inputs that this design has set.
void CompareWorkspace::choose_inputs() {
  std::vector<QString> taken;
  for (const Slider& s : sliders_)
    if (s.chosen) taken.push_back(s.input->currentData().toString());
  for (Slider& s : sliders_) {
    if (s.chosen) continue;
    for (const char* path : slider_paths) {
      const QString name = QLatin1String(path);
      if (std::find(taken.begin(), taken.end(), name) != taken.end() || !path_value(document_.design(), path)) continue;
      s.input->setCurrentIndex(s.input->findData(name));
      taken.push_back(name);
      break;
    }
  }
}

void CompareWorkspace::resetSliders() {
  choose_inputs();
  for (Slider& s : sliders_) {
    const QSignalBlocker quiet(s.slider);
    s.slider->setValue(slider_steps / 2);
  }
  for (Slider& s : sliders_) {
    const auto p = path_value(document_.design(), s.input->currentData().toString().toStdString());
    if (!p) {
      show_unset(s);
      continue;
    }
    s.slider->setEnabled(true);
    s.value->setText(p->field.kind ? screen_short(p->value, *p->field.kind, p->field.unit) : screen_number(p->value));
    s.ends->setText(ends_of(*p));
  }
  for (QPushButton* b : {apply_, keep_, reset_}) b->setEnabled(false);
}

void CompareWorkspace::refresh() {
  pending_ = !isVisible() || !document_.evaluation();
  if (pending_) return;
  if (!document_.previewing() && !sliding_) resetSliders();
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
    table_->setItem(row, 1, cell(screen_short(*f), true));
    int column = 2;
    const auto with_difference = [f](const Figure& g) {
      const QString text = screen_short(g), change = screen_change(*f, g);
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
