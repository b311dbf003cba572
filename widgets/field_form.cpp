// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/field_form.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include "design/hall_outline.h"
#include "widgets/entity_title.h"
#include "widgets/field_marks.h"
#include "widgets/figure_text.h"
#include "widgets/inherited_values.h"
#include "widgets/outline_size.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"

namespace hallwright {

namespace field_form {

/// A sentence under a field.
class ProblemLabel final : public WholeLabel {
public:
  explicit ProblemLabel(QWidget* parent) : WholeLabel(parent) { setObjectName(QStringLiteral("problem")); }
  void say(const QString& sentence) {
    setText(sentence);
    show();
    takeHeight();
  }
};

} // namespace field_form

using field_form::ProblemLabel;

struct FieldForm::Line {
  FieldInfo field;
  QWidget* editor = nullptr;
  QToolButton* reset = nullptr;
  QToolButton* mark = nullptr; ///< of a finding
  QLabel* beside = nullptr;    ///< of a replaced value: what the catalog states
  QString rule, place;         ///< of the finding that is marked
  ProblemLabel* problem = nullptr;
  QWidget* cell = nullptr;     ///< its row in the form
  bool apt = true;             ///< the choices of the entities leave it in sight
};

namespace {

/// Whether a field that is for some choices only is for these entities: `words` is what they have for it.
bool is_for(const FieldInfo& field, const std::vector<std::string>& words) {
  const std::string_view list = field.only_for.substr(field.only_for.find(':') + 1);
  for (const std::string& word : words)
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      std::string_view one = list.substr(at, end - at);
      while (one.starts_with(' ')) one.remove_prefix(1);
      if (one == word) return true;
      at = end + 1;
    }
  return false;
}

std::string text_of(const Design& design, const EntityRef& entity, std::string_view field) {
  const auto value = get_field(design, entity, field);
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  return text ? *text : std::string();
}

/// "rack" is "Rack": a word that begins a line of a list.
QString list_word(std::string_view word) {
  QString out = screen_choice(word);
  if (!out.isEmpty()) out[0] = out[0].toUpper();
  return out;
}

/// Choices of a field of a replaced catalog value: kinds of part, parts of the chosen kind, fields of the chosen part
/// with what the catalog states. What is written there and is none of them stays among them.
std::vector<FieldChoice> override_choices(std::string_view field, const Design& design, const EntityRef& entity,
                                          const Catalog& catalog) {
  std::vector<FieldChoice> out;
  const std::string kind = text_of(design, entity, "part_kind"), part = text_of(design, entity, "part");
  if (field == "part_kind") {
    for (const std::string_view word : part_kinds()) out.push_back({list_word(word), std::string(word)});
  } else if (field == "part") {
    for (const PartSummary& p : part_summaries(catalog, kind)) out.push_back({maker_and_name(p.vendor, p.name), p.id});
    std::stable_sort(out.begin(), out.end(), [](const FieldChoice& a, const FieldChoice& b) {
      return QString::localeAwareCompare(a.shown, b.shown) < 0;
    });
  } else {
    for (const PartFieldValue& v : part_values(catalog, kind, part)) {
      if (v.field.name == "id") continue;
      const QString words = value_words(v.field, v.value, design, &catalog);
      out.push_back({FieldForm::tr("%1: %2", "field of a part, its value").arg(to_qstring(v.field.label), words),
                     std::string(v.field.name)});
    }
  }
  const std::string present = text_of(design, entity, field);
  const bool known = std::any_of(out.begin(), out.end(), [&](const FieldChoice& c) { return c.stored == FieldValue(present); });
  if (!known)
    out.insert(out.begin(), {present.empty() ? FieldForm::tr("choose\u2026")
                                             : FieldForm::tr("%1 (not in the catalog)").arg(QString::fromStdString(present)),
                             present});
  return out;
}

/// Of another kind of part: what was chosen of the kind before is chosen no more.
Edited with_other_kind(const Design& d, Id id, const FieldValue& kind) {
  const EntityRef entity{"part_overrides", id};
  if (const auto* word = std::get_if<std::string>(&kind); word && *word == text_of(d, entity, "part_kind")) return d;
  Edited out = set_field(d, entity, "part_kind", kind);
  for (const char* field : {"part", "field", "value"})
    if (out) out = set_field(*out, entity, field, std::string());
  return out;
}

bool replaces_catalog(const std::vector<EntityRef>& entities) {
  return entities.size() == 1 && entities.front().table == "part_overrides";
}

/// What the catalog states of the field that is replaced; empty while none is chosen.
QString catalog_words(const Design& design, const EntityRef& entity, const Catalog& catalog) {
  const std::string kind = text_of(design, entity, "part_kind"), part = text_of(design, entity, "part"),
                    field = text_of(design, entity, "field");
  for (const PartFieldValue& v : part_values(catalog, kind, part)) {
    if (v.field.name != field) continue;
    QString unit;
    if (kind == part_kind<Assumption>() && field == "value")
      if (const Assumption* row = catalog.find<Assumption>(part)) unit = QLatin1Char(' ') + QString::fromStdString(row->unit);
    return FieldForm::tr("The catalog states: %1").arg(value_words(v.field, v.value, design, &catalog) + unit);
  }
  return {};
}

/// Part kind of a rack item depends on what the item is; a list of all of them serves.
std::vector<std::string_view> kinds_of_target(std::string_view target) {
  if (target == "rack item") return {"node", "switch", "storage"};
  return {target};
}

/// Things that a reference may not name: the entities themselves.
bool is_one_of(const std::vector<EntityRef>& entities, std::string_view table, Id id) {
  return std::any_of(entities.begin(), entities.end(), [&](const EntityRef& e) { return e.id == id && e.table == table; });
}

/// What holds for all these entities while the field is not set; nothing where that differs, or is not known.
std::optional<Inherited> inherited_by(const Design& design, const Catalog& catalog, const Evaluation* evaluation,
                                      const std::vector<EntityRef>& entities, std::string_view field) {
  std::optional<Inherited> all;
  for (const EntityRef& e : entities) {
    const auto one = inherited_value(design, catalog, evaluation, e, field);
    if (!one || (all && (!(all->value == one->value) || all->origin != one->origin))) return std::nullopt;
    all = one;
  }
  return all;
}

/// @param present  kept among the choices where all things there are would be too many
std::vector<FieldChoice> choices_for(const FieldInfo& field, const Design& design, const Catalog& catalog,
                                     const FieldValue& present, const std::vector<EntityRef>& entities) {
  std::vector<FieldChoice> out;
  if (field.type == FieldType::choice) {
    for (auto word : field.choices) out.push_back({screen_choice(word), std::string(word)});
  } else if (field.type == FieldType::reference) {
    out.push_back({QObject::tr("none"), std::int64_t{0}});
    if (const auto* id = std::get_if<std::int64_t>(&present); id && *id != 0 && field.target == any_table)
      out.push_back({QString::fromStdString(entity_name(design, {table_of(design, *id), *id})), *id});
    for (Id id : entity_ids(design, field.target))
      if (present == FieldValue(std::int64_t{id}) || !is_one_of(entities, field.target, id))
        out.push_back({QString::fromStdString(entity_name(design, {std::string(field.target), id})), std::int64_t{id}});
  } else if (field.type == FieldType::part) {
    const auto inherited = inherited_by(design, catalog, nullptr, entities, field.name);
    out.push_back({inherited ? QObject::tr("%1, %2").arg(value_words(field, inherited->value, design, &catalog), inherited->origin)
                             : QObject::tr("none"),
                   std::string()});
    for (auto kind : kinds_of_target(field.target))
      for (const PartSummary& part : part_summaries(catalog, kind))
        out.push_back({maker_and_name(part.vendor, part.name), part.id});
  }
  return out;
}

/// Value of a field over all entities: nothing when they differ.
std::pair<FieldValue, bool> common_value(const Design& design, const std::vector<EntityRef>& entities, std::string_view field) {
  FieldValue first;
  bool mixed = false;
  bool have = false;
  for (const auto& e : entities) {
    auto value = get_field(design, e, field);
    if (!value) continue;
    if (!have) {
      first = *value;
      have = true;
    } else if (!(first == *value)) {
      mixed = true;
      break;
    }
  }
  return {first, mixed};
}

std::vector<FieldChoice> choices_of(const FieldInfo& field, const Design& design, const Catalog& catalog,
                                    const std::vector<EntityRef>& entities) {
  if (replaces_catalog(entities) && field.name != "value" && field.name != "reason")
    return override_choices(field.name, design, entities.front(), catalog);
  return choices_for(field, design, catalog, common_value(design, entities, field.name).first, entities);
}

bool has_choices(const FieldInfo& field) {
  return field.type == FieldType::choice || field.type == FieldType::reference || field.type == FieldType::part;
}

} // namespace

void settle_layout(QWidget* widget) {
  for (QWidget* w = widget; w && w->isVisible(); w = w->parentWidget()) {
    if (w->layout()) w->layout()->activate();
    QCoreApplication::sendPostedEvents(w, QEvent::LayoutRequest); // a scroll area takes the new size of what it holds
    if (w->isWindow() || qobject_cast<QScrollArea*>(w)) break;
  }
}

FieldForm::FieldForm(QWidget* parent) : QWidget(parent) {
  layout_ = new QFormLayout(this);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(3 * spacing_unit);
  layout_->setVerticalSpacing(spacing_unit + 2);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void FieldForm::setEntities(std::vector<EntityRef> entities, std::vector<QString> only) {
  const bool same_table = !entities.empty() && !entities_.empty() && entities.front().table == entities_.front().table && only == only_;
  if (same_table && entities != entities_) // what is half typed was meant for the others
    for (const auto& line : lines_)
      if (auto* edit = qobject_cast<QuantityEdit*>(line->editor)) edit->setModified(false);
  entities_ = std::move(entities);
  only_ = std::move(only);
  if (!same_table || lines_.empty()) rebuild();
  refresh();
}

void FieldForm::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool rebuild_choices = catalog != catalog_;
  design_ = design;
  catalog_ = catalog;
  if (rebuild_choices) rebuild();
  refresh();
}

void FieldForm::setEvaluation(const SharedEvaluation& evaluation) {
  const Shared<Catalog> before = evaluation_ ? evaluation_->shipped_catalog : nullptr;
  evaluation_ = evaluation;
  if (replaces_catalog(entities_) && evaluation_ && evaluation_->shipped_catalog != before) refresh();
  else show_marks();
  // What stages found may say what holds where nothing is set.
  if (std::any_of(entities_.begin(), entities_.end(), [](const EntityRef& e) { return e.table == "loops"; })) refresh();
}

const Catalog& FieldForm::shipped() const {
  return evaluation_ && evaluation_->shipped_catalog ? *evaluation_->shipped_catalog : *catalog_;
}

FieldInfo FieldForm::shown_as(const FieldInfo& field) const {
  FieldInfo out = field;
  if (replaces_catalog(entities_) && (field.name == "part_kind" || field.name == "part" || field.name == "field"))
    out.type = FieldType::choice;
  return out;
}

/// A border in the colour of the finding and a button that leads to it.
void FieldForm::show_marks() {
  if (!isVisibleTo(window())) return; // worked out when it is shown
  if (marked_evaluation_ == evaluation_.get() && marked_entities_ == entities_) return;
  marked_evaluation_ = evaluation_.get();
  marked_entities_ = entities_;
  const auto found = evaluation_ ? findings_of_fields(*evaluation_, entities_)
                                 : std::map<std::string, std::vector<const Finding*>>{};
  for (const auto& line : lines_) {
    const auto it = found.find(std::string(line->field.name));
    const Finding* worst = it == found.end() ? nullptr : it->second.front();
    QString mark;
    if (worst) {
      mark = worst->severity == Severity::error     ? QStringLiteral("error")
             : worst->severity == Severity::warning ? QStringLiteral("warning")
                                                    : QStringLiteral("note");
      QStringList sentences;
      for (const Finding* f : it->second)
        sentences << QStringLiteral("%1 %2").arg(QString::fromStdString(f->code),
                                                 screen_sentence(QString::fromStdString(f->message)));
      line->rule = QString::fromStdString(worst->code);
      line->place = QString::fromStdString(waiver_place(*worst));
      line->mark->setIcon(icon(QStringLiteral("checks-") + mark));
      line->mark->setToolTip(QStringLiteral("<p>%1</p>").arg(sentences.join(QLatin1Char('\n')).toHtmlEscaped().replace(
          QLatin1Char('\n'), QStringLiteral("<br>"))));
      line->mark->setAccessibleName(tr("Finding on %1").arg(to_qstring(line->field.label)));
      line->mark->setAccessibleDescription(sentences.join(QLatin1Char(' ')));
    }
    line->mark->setVisible(worst != nullptr);
    if (line->editor->property("mark").toString() == mark) continue;
    line->editor->setProperty("mark", mark);
    line->editor->style()->unpolish(line->editor);
    line->editor->style()->polish(line->editor);
  }
}

void FieldForm::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  show_marks();
}

void FieldForm::reveal(const QString& field) {
  for (const auto& line : lines_)
    if (to_qstring(line->field.name) == field && !line->field.section.empty()) {
      unfolded_.insert(to_qstring(line->field.section));
      fold();
    }
}

void FieldForm::add_heading(const QString& section) {
  auto* heading = new QToolButton(this);
  heading->setObjectName(QStringLiteral("heading_") + section);
  heading->setText(section);
  heading->setCheckable(true);
  heading->setChecked(unfolded_.contains(section));
  heading->setAutoRaise(true);
  heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(heading, &QToolButton::clicked, this, [this, section](bool on) {
    if (on) unfolded_.insert(section);
    else unfolded_.erase(section);
    fold();
    settle_layout(this);
  });
  layout_->addRow(heading);
  headings_[section] = heading;
}

void FieldForm::fold() {
  std::map<QString, int> rows, set;
  for (const auto& line : lines_) {
    if (line->field.section.empty()) {
      layout_->setRowVisible(line->cell, line->apt);
      continue;
    }
    const QString section = to_qstring(line->field.section);
    if (line->apt) ++rows[section];
    if (line->apt && line->field.optional && line->reset && line->reset->isVisibleTo(line->cell)) ++set[section];
    layout_->setRowVisible(line->cell, line->apt && unfolded_.contains(section));
  }
  for (const auto& [section, heading] : headings_) {
    const bool open = unfolded_.contains(section);
    layout_->setRowVisible(heading, rows[section] > 0);
    heading->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    heading->setChecked(open);
    heading->setText(set[section] > 0 ? tr("%1 (%2 set)").arg(section).arg(set[section]) : section);
    heading->setAccessibleName(open ? tr("%1, unfolded").arg(section) : tr("%1, folded").arg(section));
  }
}

QWidget* FieldForm::editor(const QString& field) const {
  for (const auto& line : lines_)
    if (to_qstring(line->field.name) == field) return line->editor;
  return nullptr;
}

void FieldForm::rebuild() {
  // An edit may bring another catalog while the key that made it is still handled by its editor: what goes, goes later.
  const auto drop = [](QLayoutItem* item) {
    if (!item) return;
    if (QWidget* w = item->widget()) {
      w->hide();
      w->setParent(nullptr);
      w->deleteLater();
    }
    delete item;
  };
  while (layout_->rowCount() > 0) {
    const QFormLayout::TakeRowResult row = layout_->takeRow(0);
    drop(row.labelItem);
    drop(row.fieldItem);
  }
  lines_.clear();
  headings_.clear();
  marked_evaluation_ = nullptr;
  if (auto* size = findChild<OutlineSize*>(QString(), Qt::FindDirectChildrenOnly)) {
    size->setParent(nullptr);
    size->deleteLater();
  }
  if (entities_.empty() || !catalog_) return;
  std::vector<FieldInfo> all = table_fields(entities_.front().table);
  std::vector<FieldInfo> shown;
  if (only_.empty()) shown = all;
  else
    for (const QString& name : only_)
      for (const auto& f : all)
        if (to_qstring(f.name) == name) shown.push_back(f);

  // What is always in sight first, then section by section in the order of their first fields.
  const bool folds = only_.empty();
  if (!folds)
    for (FieldInfo& f : shown) f.section = {};
  std::vector<std::string_view> sections;
  for (const FieldInfo& f : shown)
    if (std::find(sections.begin(), sections.end(), f.section) == sections.end() && !f.section.empty()) sections.push_back(f.section);
  std::stable_sort(shown.begin(), shown.end(), [&](const FieldInfo& a, const FieldInfo& b) {
    const auto rank = [&](const FieldInfo& f) {
      return f.section.empty() ? std::ptrdiff_t{-1} : std::find(sections.begin(), sections.end(), f.section) - sections.begin();
    };
    return rank(a) < rank(b);
  });

  std::string_view section;
  for (const FieldInfo& listed : shown) {
    const FieldInfo field = shown_as(listed);
    if (field.section != section) {
      section = field.section;
      add_heading(to_qstring(section));
    }
    auto line = std::make_shared<Line>();
    line->field = field;
    const QString name = to_qstring(field.name);
    auto* cell = new QWidget(this);
    auto* column = new QVBoxLayout(cell);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing_unit);
    column->addLayout(row);
    line->problem = new ProblemLabel(cell);
    line->problem->hide();

    auto request = [this, line](const FieldValue& value) {
      if (entities_.empty()) return;
      const std::string table = entities_.front().table;
      std::vector<Id> ids;
      for (const auto& e : entities_) ids.push_back(e.id);
      const std::string field_name(line->field.name);
      const std::string what = ids.size() == 1 ? entity_title(design_, catalog_.get(), entities_.front()).toStdString() : things_of(table, static_cast<int>(ids.size())).toStdString();
      const auto [before, mixed] = common_value(design_, entities_, line->field.name);
      const auto words = [&](const FieldValue& v) { return value_words(line->field, v, design_, catalog_.get()); };
      Edit edit;
      edit.label = tr("Set %1 of %2: %3 \u2192 %4")
                       .arg(to_qstring(line->field.label), QString::fromStdString(what),
                            mixed ? tr("several") : words(before), words(value))
                       .toStdString();
      edit.apply = [table, ids, field_name, value](const Design& d) -> Edited {
        const auto* words = std::get_if<std::string>(&value);
        if (ids.size() == 1 && table == "halls" && field_name == "outline" && words)
          return with_hall_outline(d, ids.front(), *words);
        if (ids.size() == 1 && table == "part_overrides" && field_name == "part_kind")
          return with_other_kind(d, ids.front(), value);
        if (ids.size() == 1) return set_field(d, {table, ids.front()}, field_name, value);
        return set_field_of_all(d, table, ids, field_name, value);
      };
      line->problem->hide();
      Q_EMIT editRequested(edit);
    };

    if (field.type == FieldType::boolean) {
      auto* box = new QCheckBox(cell);
      connect(box, &QCheckBox::clicked, this, [request](bool on) { request(on); });
      line->editor = box;
    } else if (has_choices(field)) {
      auto* combo = new QComboBox(cell);
      combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      combo->setMinimumContentsLength(10);
      combo->setMaxVisibleItems(18);
      connect(combo, &QComboBox::activated, this, [this, combo, request, line](int index) {
        const auto choices = choices_of(line->field, design_, replaces_catalog(entities_) ? shipped() : *catalog_, entities_);
        if (index >= 0 && index < static_cast<int>(choices.size())) request(choices[static_cast<std::size_t>(index)].stored);
      });
      line->editor = combo;
    } else {
      auto* edit = new QuantityEdit(cell);
      edit->setField(field);
      connect(edit, &QuantityEdit::committed, this, request);
      connect(edit, &QuantityEdit::adjusted, this, [this, line](const QString& typed) {
        Edit change;
        const std::string table = entities_.empty() ? std::string() : entities_.front().table;
        change.label = tr("Change %1 of %2: %3")
                           .arg(to_qstring(line->field.label), things_of(table, static_cast<int>(entities_.size())), typed)
                           .toStdString();
        change.apply = [entities = entities_, field = line->field, typed = typed.toStdString(), mark = screen_decimal_mark()](const Design& d) -> Edited {
          Edited out = d;
          for (const EntityRef& e : entities) {
            const auto present = get_field(*out, e, field.name);
            if (!present) return tl::make_unexpected(present.error());
            const double* number = std::get_if<double>(&*present);
            if (!number) continue; // what is not set stays so
            const auto next = parse_edit(typed, *number, *field.kind, mark, field.unit);
            if (!next) return tl::make_unexpected(next.error());
            out = set_field(*out, e, field.name, FieldValue(*next));
            if (!out) return out;
          }
          return out;
        };
        line->problem->hide();
        Q_EMIT editRequested(change);
      });
      connect(edit, &QuantityEdit::refused, this, [this, line](const QString& sentence) {
        line->problem->say(sentence);
        Q_EMIT refused(sentence);
      });
      // Also where Esc or another design puts another value there.
      connect(edit, &QLineEdit::textChanged, line->problem, &QLabel::hide);
      line->editor = edit;
    }
    line->editor->setObjectName(QStringLiteral("field_") + name);
    line->editor->setAccessibleName(to_qstring(field.label));
    line->editor->setWhatsThis(screen_units(to_qstring(field.help)));
    if (!field.help.empty()) line->editor->setToolTip(screen_units(to_qstring(field.help)));
    row->addWidget(line->editor, 1);
    if (field.optional && !has_choices(field)) {
      line->reset = new QToolButton(cell);
      line->reset->setIcon(icon(QStringLiteral("undo")));
      line->reset->setAutoRaise(true);
      line->reset->setToolTip(tr("Back to the value of the catalog or the plan"));
      line->reset->setAccessibleName(tr("Reset %1").arg(to_qstring(field.label)));
      connect(line->reset, &QToolButton::clicked, this, [request] { request(std::monostate{}); });
      row->addWidget(line->reset);
    }
    line->mark = new QToolButton(cell);
    line->mark->setObjectName(QStringLiteral("mark_") + name);
    line->mark->setAutoRaise(true);
    line->mark->hide();
    connect(line->mark, &QToolButton::clicked, this, [this, line] { Q_EMIT findingRequested(line->rule, line->place); });
    row->addWidget(line->mark);
    if (entities_.front().table == "part_overrides" && listed.name == "value") {
      line->beside = new QLabel(cell);
      line->beside->setObjectName(QStringLiteral("secondary"));
      line->beside->setWordWrap(true);
      column->addWidget(line->beside);
    }
    column->addWidget(line->problem);
    auto* label = new QLabel(to_qstring(field.label), this);
    label->setObjectName(QStringLiteral("secondary"));
    label->setToolTip(screen_units(to_qstring(field.help)));
    label->setBuddy(line->editor);
    label->setWordWrap(true);
    layout_->addRow(label, cell);
    line->cell = cell;
    lines_.push_back(line);
    if (field.type == FieldType::outline && field.minimum != 2) { // an outline, not a path
      auto* size = new OutlineSize(layout_, this);
      connect(size, &OutlineSize::editRequested, this, &FieldForm::editRequested);
      connect(size, &OutlineSize::refused, this, &FieldForm::refused);
    }
  }
  // What a layout takes in is shown by an event that comes later: painted before it, lines would stand squeezed in the
  // place of the form before.
  for (int i = 0; i < layout_->count(); ++i)
    if (QWidget* w = layout_->itemAt(i)->widget(); w && !w->testAttribute(Qt::WA_WState_ExplicitShowHide)) w->show();
  settle_layout(this);
}

void FieldForm::refresh() {
  if (!catalog_) return;
  for (const auto& line : lines_) {
    const auto [value, mixed] = common_value(design_, entities_, line->field.name);
    line->apt = true;
    if (!line->field.only_for.empty() && !mixed && (!line->field.optional || std::holds_alternative<std::monostate>(value))) {
      std::vector<std::string> words;
      for (const EntityRef& e : entities_)
        words.push_back(text_of(design_, e, line->field.only_for.substr(0, line->field.only_for.find(':'))));
      line->apt = is_for(line->field, words);
    }
    if (auto* edit = qobject_cast<QuantityEdit*>(line->editor)) {
      if (line->field.optional && !mixed) {
        const auto inherited = inherited_by(design_, *catalog_, evaluation_.get(), entities_, line->field.name);
        const bool valued = inherited && !std::holds_alternative<std::monostate>(inherited->value);
        edit->setInherited(inherited ? inherited_words(line->field, *inherited) : QString(),
                           valued ? screen_field(line->field, inherited->value) : QString());
      }
      edit->setValue(value, mixed);
    } else if (auto* box = qobject_cast<QCheckBox*>(line->editor)) {
      box->setTristate(mixed);
      if (mixed) box->setCheckState(Qt::PartiallyChecked);
      else box->setChecked(std::holds_alternative<bool>(value) && std::get<bool>(value));
    } else if (auto* combo = qobject_cast<QComboBox*>(line->editor)) {
      const auto choices = choices_of(line->field, design_, replaces_catalog(entities_) ? shipped() : *catalog_, entities_);
      bool same = combo->count() == static_cast<int>(choices.size());
      for (int i = 0; same && i < combo->count(); ++i) same = combo->itemText(i) == choices[static_cast<std::size_t>(i)].shown;
      if (!same) {
        combo->clear();
        for (const auto& c : choices) combo->addItem(c.shown);
      }
      int index = -1;
      if (!mixed)
        for (std::size_t i = 0; i < choices.size(); ++i)
          if (choices[i].stored == value) index = static_cast<int>(i);
      combo->setCurrentIndex(index);
      // A long name is cut in the list: here it stands whole, before the help.
      const QString help = screen_units(to_qstring(line->field.help));
      combo->setToolTip(combo->currentText().isEmpty() ? help : combo->currentText() + QStringLiteral("\n\n") + help);
      combo->setPlaceholderText(mixed ? tr("several") : QString());
    }
    if (line->beside) {
      const QString words = replaces_catalog(entities_)
                                ? catalog_words(design_, entities_.front(), shipped())
                                : QString();
      line->beside->setText(words);
      line->beside->setVisible(!words.isEmpty());
    }
    if (line->reset) line->reset->setVisible(mixed || !std::holds_alternative<std::monostate>(value));
  }
  fold();
  if (auto* size = findChild<OutlineSize*>(QString(), Qt::FindDirectChildrenOnly)) size->show(design_, entities_);
  show_marks();
}

} // namespace hallwright
