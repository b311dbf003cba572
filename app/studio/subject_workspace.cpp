// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/subject_workspace.h"

#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/training/stage_memory_bars.h"
#include "widgets/bar_list.h"
#include "widgets/card_splitter.h"
#include "widgets/curve_chart.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

QWidget* make_card(const QString& title, QWidget* body, QWidget* parent) {
  auto* card = new QFrame(parent);
  card->setObjectName(QStringLiteral("card"));
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  if (!title.isEmpty()) {
    auto* label = new QLabel(title, card);
    label->setObjectName(QStringLiteral("title"));
    column->addWidget(label);
  }
  column->addWidget(body, 1);
  return card;
}

EntityEditor::EntityEditor(Document& document, const InputSpec& spec, QWidget* parent) : QWidget(parent), document_(document), spec_(spec) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout;
  chooser_ = new QComboBox(this);
  chooser_->setAccessibleName(spec.title);
  chooser_->setObjectName(QStringLiteral("chooser_") + spec.table);
  auto* add = new QToolButton(this);
  add->setIcon(icon(QStringLiteral("plus")));
  add->setObjectName(QStringLiteral("add_") + spec.table);
  add->setToolTip(tr("Add one"));
  add->setAccessibleName(tr("Add to %1").arg(spec.title));
  remove_ = new QToolButton(this);
  remove_->setIcon(icon(QStringLiteral("delete")));
  remove_->setToolTip(tr("Remove this one"));
  remove_->setAccessibleName(tr("Remove from %1").arg(spec.title));
  row->addWidget(chooser_, 1);
  row->addWidget(add);
  row->addWidget(remove_);
  column->addLayout(row);
  form_ = new FieldForm(this);
  column->addWidget(form_);
  connect(chooser_, &QComboBox::activated, this, [this](int i) {
    if (i >= 0 && i < static_cast<int>(ids_.size())) choose(ids_[static_cast<std::size_t>(i)]);
  });
  connect(form_, &FieldForm::editRequested, this, &EntityEditor::editRequested);
  connect(form_, &FieldForm::findingRequested, this, &EntityEditor::findingRequested);
  connect(remove_, &QToolButton::clicked, this, [this] {
    if (current_ == 0) return;
    const EntityRef e{spec_.table.toStdString(), current_};
    const SharedEvaluation& seen = document_.evaluation();
    const QString title = entity_title(document_.design(), seen ? seen->catalog.get() : nullptr, e);
    Q_EMIT editRequested({"Remove " + title.toStdString(), [e](const Design& d) { return remove(d, {e}); }});
  });
  connect(add, &QToolButton::clicked, this, [this] {
    const std::string table = spec_.table.toStdString();
    const Id next = document_.design().next_id;
    const Id present = current_;
    Edit edit;
    edit.label = "Add to " + spec_.title.toStdString();
    edit.apply = [table, present](const Design& d) -> Edited {
      // One like the present one; of a replaced value a second one would contradict it.
      if (present != 0 && table != "part_overrides" && has_entity(d, {table, present})) {
        auto made = duplicate(d, {{table, present}}, Length{}, Length{});
        if (!made) return tl::make_unexpected(made.error());
        return made->design;
      }
      Design out = d;
      for_each_table([&](std::string_view word, auto member) {
        if (word != table) return;
        using Entity = typename std::decay_t<decltype(*(d.*member))>::value_type;
        Entity entity;
        if constexpr (requires { entity.name; }) entity.name = free_name(d, table, "New 1");
        out = add_entity(d, member, std::move(entity)).design;
      });
      return out;
    };
    current_ = next;
    Q_EMIT editRequested(edit);
  });
}

void EntityEditor::choose(Id id) {
  current_ = id;
  refresh();
}

void EntityEditor::refresh() {
  const std::string table = spec_.table.toStdString();
  ids_ = entity_ids(document_.shown(), table);
  if (std::find(ids_.begin(), ids_.end(), current_) == ids_.end()) current_ = ids_.empty() ? 0 : ids_.front();
  QStringList names;
  const SharedEvaluation& e = document_.evaluation();
  for (Id id : ids_) names << entity_title(document_.shown(), e ? e->catalog.get() : nullptr, {table, id});
  QStringList present;
  for (int i = 0; i < chooser_->count(); ++i) present << chooser_->itemText(i);
  if (present != names) {
    chooser_->clear();
    chooser_->addItems(names);
  }
  const auto at = std::find(ids_.begin(), ids_.end(), current_);
  chooser_->setCurrentIndex(at == ids_.end() ? -1 : static_cast<int>(at - ids_.begin()));
  chooser_->setPlaceholderText(tr("none yet: add one"));
  chooser_->setEnabled(!ids_.empty());
  remove_->setEnabled(current_ != 0);
  form_->setVisible(current_ != 0);
  if (e) form_->setDesign(document_.shown(), e->catalog);
  if (current_ != 0) form_->setEntities({{table, current_}}, spec_.fields);
  else form_->setEntities({});
  if (e) form_->setEvaluation(e);
  settle_layout(form_);
}

SubjectWorkspace::SubjectWorkspace(Document& document, const SubjectSpec& spec, QWidget* parent) : QWidget(parent), document_(document), spec_(spec) {
  setObjectName(QStringLiteral("workspace_") + spec.name);
  auto* outer = new QHBoxLayout(this);
  outer->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  outer->setSpacing(2 * spacing_unit);

  // Left: inputs.
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* inputs = new QWidget(scroll);
  inputs->setObjectName(QStringLiteral("clear"));
  auto* input_column = new QVBoxLayout(inputs);
  input_column->setContentsMargins(0, 0, spacing_unit, 0);
  input_column->setSpacing(2 * spacing_unit);
  for (const InputSpec& in : spec.inputs) {
    if (in.list) {
      auto* editor = new EntityEditor(document_, in, inputs);
      connect(editor, &EntityEditor::editRequested, this, &SubjectWorkspace::editRequested);
      editors_.push_back(editor);
      input_column->addWidget(make_card(in.title, editor, inputs));
    } else {
      auto* form = new FieldForm(inputs);
      form->setEntities({{in.table.toStdString(), 0}}, in.fields);
      connect(form, &FieldForm::editRequested, this, &SubjectWorkspace::editRequested);
      connect(form, &FieldForm::findingRequested, this, &SubjectWorkspace::findingRequested);
      forms_.push_back(form);
      input_column->addWidget(make_card(in.title, form, inputs));
    }
  }
  input_column->addStretch(1);
  scroll->setWidget(inputs);
  scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 46);

  // Beside them: charts and figures, above the tables, which have the whole width. All of it moves by handles.
  const auto splitter = [](Qt::Orientation orientation, const QString& name, QWidget* in) {
    auto* made = new QSplitter(orientation, in);
    made->setObjectName(name);
    made->setChildrenCollapsible(false);
    made->setHandleWidth(2 * spacing_unit);
    return made;
  };
  auto* middle = splitter(Qt::Vertical, QStringLiteral("split_rows"), this);
  const int letter = fontMetrics().averageCharWidth(), line = fontMetrics().height();
  auto* chart_row = new CardSplitter(middle);
  chart_row->setObjectName(QStringLiteral("split_charts"));
  const auto add_chart = [&](QWidget* chart) {
    QWidget* card = make_card({}, chart, chart_row);
    card->setMinimumSize(letter * 28, line * 12);
    chart_row->addWidget(card);
  };
  for (std::size_t i = 0; i < spec.charts.size(); ++i) {
    Chart chart;
    if (spec.charts[i].curve) {
      chart.curve = new CurveChart(chart_row);
      chart.curve->setObjectName(QStringLiteral("curve_%1").arg(i));
      add_chart(chart.curve);
    } else if (!spec.charts[i].list) {
      chart.bars = new BarChart(chart_row);
      add_chart(chart.bars);
    } else {
      chart.list = new BarList(chart_row);
      chart.list->setObjectName(QStringLiteral("bars_%1").arg(i));
      connect(chart.list, &BarList::barActivated, this, [this, i](int bar) {
        const auto at = static_cast<std::size_t>(bar);
        const Chart& c = charts_[i];
        if (at < c.entities.size()) Q_EMIT selectionRequested({c.entities[at]});
        if (at < c.figures.size() && !c.figures[at].isEmpty()) Q_EMIT figureActivated(c.figures[at]);
      });
      add_chart(chart.list);
    }
    charts_.push_back(std::move(chart));
  }
  auto* figure_scroll = new QScrollArea(chart_row);
  figure_scroll->setWidgetResizable(true);
  figure_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  figures_ = new FigureList(figure_scroll);
  figures_->setObjectName(QStringLiteral("clear"));
  figure_scroll->setWidget(figures_);
  connect(figures_, &FigureList::figureActivated, this, &SubjectWorkspace::figureActivated);
  auto* figure_card = make_card(tr("Figures"), figure_scroll, chart_row);
  figure_card->setMinimumSize(letter * 32, line * 12);
  chart_row->addWidget(figure_card);
  QList<int> shares;
  for (int i = 0; i < chart_row->count(); ++i) {
    const bool last = i + 1 == chart_row->count();
    chart_row->setStretchFactor(i, last ? 0 : 1);
    shares << (last ? 300 : 400);
  }
  chart_row->setSizes(shares);
  middle->addWidget(chart_row);
  if (!spec.tables.empty()) {
    auto* tabs = new QTabWidget(middle);
    tabs->setDocumentMode(true);
    for (const QString& id : spec.tables) {
      auto* table = new FigureTable(tabs);
      table->setObjectName(QStringLiteral("table_") + id);
      table->setFirstColumns(first_columns(id));
      connect(table, &FigureTable::rowsSelected, this, &SubjectWorkspace::selectionRequested);
      connect(table, &FigureTable::rowExplained, this, &SubjectWorkspace::figureActivated);
      tables_.push_back(table);
      table->setEmptyText(tr("Nothing to list in this design yet."));
      tabs->addTab(table, table_title(id));
    }
    // The card is as wide as its widest table wants: no empty ground within it.
    auto* table_row = new QWidget(middle);
    auto* beside = new QHBoxLayout(table_row);
    beside->setContentsMargins(0, 0, 0, 0);
    table_card_ = make_card({}, tabs, table_row);
    table_card_->setMinimumHeight(line * 9);
    beside->addWidget(table_card_, 1);
    beside->addStretch(0);
    middle->addWidget(table_row);
  }
  middle->setStretchFactor(0, 1);
  middle->setStretchFactor(1, 1);
  middle->setSizes({520, 400});

  scroll->setMinimumHeight(line * 12);
  auto* split = new CardSplitter(this);
  split->setObjectName(QStringLiteral("split_inputs"));
  split->addWidget(scroll);
  split->addWidget(middle);
  split->setStretchFactor(0, 0);
  split->setStretchFactor(1, 1);
  outer->addWidget(split);
}

void SubjectWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (pending_) refresh();
}

void SubjectWorkspace::refresh() {
  pending_ = !isVisible();
  const SharedEvaluation& e = document_.evaluation();
  if (pending_ || !e) {
    pending_ = true;
    return;
  }
  for (FieldForm* form : forms_) {
    form->setDesign(document_.shown(), e->catalog);
    form->setEvaluation(e);
  }
  for (EntityEditor* editor : editors_) editor->refresh();
  for (FieldForm* form : forms_) settle_layout(form); // of what they set, and marks
  figures_->setFigures(e, spec_.figures);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const Table* table = e->figures.table(spec_.tables[i].toStdString());
    tables_[i]->setTable(table);
    if (auto* tabs = qobject_cast<QTabWidget*>(tables_[i]->parentWidget()->parentWidget()))
      tabs->setTabText(tabs->indexOf(tables_[i]), table ? QString::fromStdString(table->title) : table_title(spec_.tables[i]));
  }
  cap_table_card();
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    if (charts_[i].curve)
      fill_curve(*charts_[i].curve, spec_.charts[i]);
    else if (charts_[i].list)
      fill_list(charts_[i], spec_.charts[i]);
    else fill_chart(*charts_[i].bars, spec_.charts[i]);
  }
}

void SubjectWorkspace::cap_table_card() {
  if (!table_card_ || tables_.empty()) return;
  const int letter = fontMetrics().averageCharWidth();
  int widest = 60 * letter;
  for (const FigureTable* table : tables_) widest = std::max(widest, table->contentWidth());
  if (const auto* tabs = qobject_cast<QTabWidget*>(tables_.front()->parentWidget()->parentWidget()))
    widest = std::max(widest, tabs->tabBar()->sizeHint().width());
  // The bar that scrolls, and the margins of the card.
  table_card_->setMaximumWidth(widest + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 10 * spacing_unit);
}

void SubjectWorkspace::showSelection() {
  for (FigureTable* table : tables_) table->setSelection(document_.selection());
}

namespace {

/// Name of a row in a chart: of what it is a part where there are several, and what it is.
QString name_of(const Table& table, const TableColumn& names, const ChartSpec& spec, std::size_t row) {
  const QString own = names.kind ? screen_text(names.numbers[row], *names.kind) : QString::fromStdString(names.words[row]);
  const TableColumn* groups = spec.group_column.isEmpty() ? nullptr : table.column(spec.group_column.toStdString());
  if (!groups || groups->words.size() <= row) return own;
  const bool several = std::any_of(groups->words.begin(), groups->words.end(), [&](const std::string& w) { return w != groups->words.front(); });
  return several ? QStringLiteral("%1: %2").arg(QString::fromStdString(groups->words[row]), own) : own;
}

} // namespace

void SubjectWorkspace::fill_list(Chart& chart, const ChartSpec& spec) {
  const SharedEvaluation& e = document_.evaluation();
  const Table* table = spec.table.isEmpty() ? nullptr : e->figures.table(spec.table.toStdString());
  chart.figures.clear();
  chart.entities.clear();
  std::vector<NamedBar> bars;
  QStringList series;
  QString limit_name;
  // In the unit that suits each amount, as the figures beside them have it.
  const auto amount = [](double value, const Kind& kind) {
    return NamedBar::Amount{value, std::isfinite(value) ? screen_text(value, kind) : QString()};
  };
  if (table && table->row_count() > 0) {
    const TableColumn* names = table->column(spec.category_column.toStdString());
    const TableColumn* limits = spec.limit_column.isEmpty() ? nullptr : table->column(spec.limit_column.toStdString());
    if (limits) limit_name = QString::fromStdString(limits->label);
    std::vector<const TableColumn*> columns;
    for (const QString& id : spec.value_columns)
      if (const TableColumn* c = table->column(id.toStdString()); c && c->kind) {
        columns.push_back(c);
        series << QString::fromStdString(c->label);
      }
    for (std::size_t r = 0; r < table->row_count() && !columns.empty(); ++r) {
      NamedBar bar;
      if (!names) bar.name = QString::number(r + 1);
      else bar.name = name_of(*table, *names, spec, r);
      for (const TableColumn* c : columns) bar.amounts.push_back(amount(c->numbers[r], *c->kind));
      if (limits && limits->kind && std::isfinite(limits->numbers[r])) {
        bar.limit = limits->numbers[r];
        bar.limit_text = screen_text(bar.limit, *limits->kind);
      }
      bars.push_back(std::move(bar));
      if (r < table->entities.size()) chart.entities.push_back({table->entity_table, table->entities[r]});
      if (r < table->row_figures.size()) chart.figures.push_back(QString::fromStdString(table->row_figures[r]));
    }
  }
  if (bars.empty()) {
    series = QStringList{spec.value_title};
    limit_name = tr("limit");
    for (const QString& id : spec.figures) {
      const Figure* f = e->figures.find(id.toStdString());
      if (!f || !f->has_value()) continue;
      NamedBar bar;
      bar.name = QString::fromStdString(f->label);
      bar.amounts.push_back(amount(f->value, *f->kind));
      bars.push_back(std::move(bar));
      chart.figures.push_back(id);
    }
  }
  if (bars.empty()) chart.list->setEmptyText(spec.empty_text);
  else chart.list->setBars(spec.title, spec.value_title, series, std::move(bars), limit_name);
}

void SubjectWorkspace::fill_curve(CurveChart& chart, const ChartSpec& spec) {
  const SharedEvaluation& e = document_.evaluation();
  const Table* table = e->figures.table(spec.table.toStdString());
  const TableColumn* along = table ? table->column(spec.category_column.toStdString()) : nullptr;
  const TableColumn* up =
      table && !spec.value_columns.empty() ? table->column(spec.value_columns.front().toStdString()) : nullptr;
  std::vector<CurveChart::Point> points;
  if (along && along->kind && up && up->kind)
    for (std::size_t r = 0; r < table->row_count(); ++r)
      if (along->numbers[r] > 0 && std::isfinite(along->numbers[r]) && std::isfinite(up->numbers[r]))
        points.push_back({along->numbers[r], up->numbers[r]});
  if (points.size() < 2) {
    chart.setEmptyText(spec.empty_text);
    return;
  }
  const Figure* mark = e->figures.find(spec.mark_figure.toStdString());
  chart.setCurve(spec.title, spec.category_title, *along->kind, spec.value_title, *up->kind, std::move(points),
                 mark && mark->has_value() ? mark->value : std::nan(""), spec.mark_name);
}

void SubjectWorkspace::fill_chart(BarChart& chart, const ChartSpec& spec) {
  const SharedEvaluation& e = document_.evaluation();
  const Table* table = spec.table.isEmpty() ? nullptr : e->figures.table(spec.table.toStdString());
  QStringList categories;
  std::vector<BarChart::Series> series;
  double factor = 1.0;
  auto factor_of = [&](const Kind& kind) {
    for (const DisplayUnit& u : kind.display)
      if (to_qstring(u.symbol) == spec.unit) return u.factor;
    return 1.0;
  };
  constexpr std::size_t most_bars = 48;
  if (table && table->row_count() > 0) {
    const TableColumn* names = table->column(spec.category_column.toStdString());
    const std::size_t n = std::min(table->row_count(), most_bars);
    for (std::size_t r = 0; r < n; ++r) {
      QString name = QString::number(r + 1);
      if (names) name = name_of(*table, *names, spec, r);
      while (categories.contains(name)) name += QChar(0x200b); // categories must differ
      categories << name;
    }
    for (const QString& id : spec.value_columns) {
      const TableColumn* c = table->column(id.toStdString());
      if (!c || !c->kind) continue;
      factor = factor_of(*c->kind);
      BarChart::Series s;
      s.name = QString::fromStdString(c->label);
      if (spec.table == QLatin1String("training.memory")) s.color = memory_part_color(id); // as beside the timeline
      for (std::size_t r = 0; r < n; ++r) s.values.push_back(std::isfinite(c->numbers[r]) ? c->numbers[r] / factor : 0.0);
      series.push_back(std::move(s));
    }
  }
  if (series.empty() || categories.isEmpty()) {
    categories.clear();
    series.clear();
    BarChart::Series s;
    for (const QString& id : spec.figures) {
      const Figure* f = e->figures.find(id.toStdString());
      if (!f || !f->has_value()) continue;
      factor = factor_of(*f->kind);
      categories << QString::fromStdString(f->label);
      s.values.push_back(f->value / factor);
    }
    s.name = spec.value_title;
    if (!categories.isEmpty()) series.push_back(std::move(s));
  }
  if (series.empty()) {
    chart.setEmptyText(spec.empty_text);
    return;
  }
  double limit = std::nan("");
  QString limit_name;
  if (!spec.limit_figure.isEmpty())
    if (const Figure* limited = e->figures.find(spec.limit_figure.toStdString()))
      if (const Figure* f = e->figures.at(limited->limit); f && f->has_value()) {
      limit = f->value / factor;
      limit_name = QString::fromStdString(f->label);
    }
  const QString value_title = spec.unit.isEmpty() ? spec.value_title : spec.value_title + QStringLiteral(", ") + spec.unit;
  chart.setBars(spec.title, spec.category_title, categories, value_title, series, spec.stacked, limit, limit_name);
}

} // namespace hallwright
