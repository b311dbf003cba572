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
  FieldForm* form = nullptr;

protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    auto* lines = form ? static_cast<QFormLayout*>(form->layout()) : nullptr;
    if (!lines) return;
    const bool narrow = width() < fontMetrics().averageCharWidth() * 36;
    lines->setRowWrapPolicy(narrow ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
  }
};

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
  column->addStretch(1);
  connect(form_, &FieldForm::editRequested, this, &InspectorPanel::editRequested);
  connect(form_, &FieldForm::refused, this, &InspectorPanel::refused);
  connect(form_, &FieldForm::findingRequested, this, &InspectorPanel::findingRequested);
  setSelection({});
}

void InspectorPanel::setEvaluation(const SharedEvaluation& evaluation) { form_->setEvaluation(evaluation); }

void InspectorPanel::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  design_ = design;
  catalog_ = catalog;
  form_->setDesign(design, catalog);
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
  settle_layout(form_);
}

} // namespace hallwright
