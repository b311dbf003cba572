// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

/// In a narrow dock each editor stands below its name, so that it can be read and reached.
class InspectorScroll final : public QScrollArea {
public:
  using QScrollArea::QScrollArea;
  FieldForm *form = nullptr, *row_form = nullptr;

protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    const bool narrow = width() < fontMetrics().averageCharWidth() * 36;
    for (const FieldForm* f : {form, row_form})
      if (f && f->layout())
        static_cast<QFormLayout*>(f->layout())->setRowWrapPolicy(narrow ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
  }
};

/// Rows that these stand in, if all of them are racks of rows.
std::vector<EntityRef> rows_of(const Design& design, const std::vector<EntityRef>& entities) {
  std::set<Id> rows;
  for (const EntityRef& e : entities) {
    const Rack* rack = e.table == "racks" ? hallwright::find(*design.racks, e.id) : nullptr;
    if (!rack || !hallwright::find(*design.rows, rack->row)) return {};
    rows.insert(rack->row);
  }
  std::vector<EntityRef> out;
  for (const Id row : rows) out.push_back({"rows", row});
  return out;
}

/// Whether every rack of these rows is selected: then it is the rows that are meant.
bool whole_rows(const Design& design, const std::vector<EntityRef>& rows, const std::vector<EntityRef>& racks) {
  std::set<EntityRef> meant(rows.begin(), rows.end());
  const auto count = std::count_if(design.racks->begin(), design.racks->end(),
                                   [&](const Rack& r) { return meant.count({"rows", r.row}) > 0; });
  return static_cast<std::size_t>(count) == racks.size();
}

/// The fields that mean something for these: the size of words on the floor is that of labels, not of notes.
std::vector<QString> fields_of(const Design& design, const std::vector<EntityRef>& entities) {
  std::vector<QString> out;
  if (entities.empty() || entities.front().table != "notes") return out; // all
  for (const EntityRef& e : entities)
    if (const Note* note = hallwright::find(*design.notes, e.id); !note || note->kind == NoteKind::label) return out;
  for (const FieldInfo& f : table_fields("notes"))
    if (f.name != "text_height" && f.name != "rotation") out.push_back(to_qstring(f.name));
  return out;
}

} // namespace

InspectorPanel::InspectorPanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Inspector"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new InspectorScroll(this);
  scroll->setWidgetResizable(true);
  outer->addWidget(scroll);
  auto* body = new QWidget(scroll);
  body->setObjectName(QStringLiteral("clear"));
  scroll->setWidget(body);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  title_ = new QLabel(body);
  title_->setObjectName(QStringLiteral("title"));
  title_->setWordWrap(true);
  subtitle_ = new QLabel(body);
  subtitle_->setObjectName(QStringLiteral("secondary"));
  subtitle_->setWordWrap(true);
  empty_ = new QLabel(tr("Select something on the plan or in the outline: its fields appear here. Several things of a kind are edited at once."), body);
  empty_->setObjectName(QStringLiteral("secondary"));
  empty_->setWordWrap(true);
  form_ = new FieldForm(body);
  scroll->form = form_;
  column->addWidget(title_);
  column->addWidget(subtitle_);
  column->addWidget(empty_);
  column->addWidget(form_);
  row_title_ = new QLabel(body);
  row_title_->setObjectName(QStringLiteral("title"));
  row_title_->setWordWrap(true);
  row_form_ = new FieldForm(body);
  row_form_->setObjectName(QStringLiteral("row_form"));
  scroll->row_form = row_form_;
  column->addWidget(row_title_);
  column->addWidget(row_form_);
  column->addStretch(1);
  column_ = column;
  for (FieldForm* form : {form_, row_form_}) {
    connect(form, &FieldForm::editRequested, this, &InspectorPanel::editRequested);
    connect(form, &FieldForm::refused, this, &InspectorPanel::refused);
    connect(form, &FieldForm::findingRequested, this, &InspectorPanel::findingRequested);
  }
  setSelection({});
}

void InspectorPanel::setEvaluation(const SharedEvaluation& evaluation) {
  form_->setEvaluation(evaluation);
  row_form_->setEvaluation(evaluation);
}

void InspectorPanel::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  design_ = design;
  catalog_ = catalog;
  form_->setDesign(design, catalog);
  row_form_->setDesign(design, catalog);
  if (form_->isVisibleTo(this)) follow_rows();
  // A note may have become a label: later, as the field that says so is still telling it.
  if (const auto& shown = form_->entities(); !shown.empty() && shown.front().table == "notes")
    QMetaObject::invokeMethod(
        this,
        [this] {
          const std::vector<EntityRef> now = form_->entities();
          if (now.empty() || now.front().table != "notes") return;
          form_->setEntities(now, fields_of(design_, now));
          settle_layout(form_);
        },
        Qt::QueuedConnection);
  // The title follows what is typed below it.
  if (const auto& shown = form_->entities(); shown.size() == 1 && has_entity(design_, shown.front()))
    title_->setText(entity_title(design_, catalog_.get(), shown.front()));
}

void InspectorPanel::setSelection(const std::vector<EntityRef>& selection) {
  // Fields of the table that most of the selection belongs to.
  std::map<std::string, std::vector<EntityRef>> by_table;
  for (const auto& e : selection) by_table[e.table].push_back(e);
  const std::vector<EntityRef>* most = nullptr;
  for (const auto& [table, entities] : by_table)
    if (!most || entities.size() > most->size()) most = &entities;
  const bool any = most != nullptr;
  empty_->setVisible(!any);
  title_->setVisible(any);
  form_->setVisible(any);
  if (!any) {
    subtitle_->hide();
    form_->setEntities({});
    show_rows({}, false);
    settle_layout(form_->parentWidget());
    return;
  }
  if (most->size() == 1) {
    title_->setText(entity_title(design_, catalog_.get(), most->front()));
  } else {
    title_->setText(tr("%1 selected").arg(things_of(most->front().table, static_cast<int>(most->size()))));
  }
  const int others = static_cast<int>(selection.size() - most->size());
  subtitle_->setVisible(others > 0);
  if (others > 0) subtitle_->setText(counted(others, tr("and 1 thing of another kind, not shown"), tr("and %1 things of other kinds, not shown")));
  form_->setEntities(*most, fields_of(design_, *most));
  const std::vector<EntityRef> rows = rows_of(design_, *most);
  show_rows(rows, whole_rows(design_, rows, *most));
  settle_layout(form_);
}

/// Racks may have been put into another row, which may have another name.
void InspectorPanel::follow_rows() {
  const std::vector<EntityRef> rows = rows_of(design_, form_->entities());
  if (rows == row_form_->entities()) {
    name_rows(rows);
    return;
  }
  // Later: the field that says so may be telling it still.
  QMetaObject::invokeMethod(
      this,
      [this] {
        const std::vector<EntityRef> now = rows_of(design_, form_->entities());
        show_rows(now, whole_rows(design_, now, form_->entities()));
        settle_layout(form_->parentWidget());
      },
      Qt::QueuedConnection);
}

void InspectorPanel::name_rows(const std::vector<EntityRef>& rows) {
  if (rows.size() == 1) row_title_->setText(tr("Row %1").arg(to_qstring(entity_name(design_, rows.front()))));
  else row_title_->setText(things_of("rows", static_cast<int>(rows.size())));
}

void InspectorPanel::show_rows(const std::vector<EntityRef>& rows, bool first) {
  row_title_->setVisible(!rows.empty());
  row_form_->setVisible(!rows.empty());
  row_form_->setEntities(rows);
  name_rows(rows);
  // Fields of whole rows stand before those of their racks, which they are more often wanted for.
  column_->removeWidget(row_title_);
  column_->removeWidget(row_form_);
  const int at = first ? 0 : column_->indexOf(form_) + 1;
  column_->insertWidget(at, row_title_);
  column_->insertWidget(at + 1, row_form_);
}

} // namespace hallwright
