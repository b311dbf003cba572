// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/find_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "app/studio/plan_selection.h"
#include "widgets/figure_text.h"

namespace hallwright {

FindDialog::FindDialog(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
  setObjectName(QStringLiteral("find_dialog"));
  setWindowTitle(tr("Find and select"));
  auto* form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  const auto combo = [&](const char* name, const QString& label) {
    auto* c = new QComboBox(this);
    c->setObjectName(QLatin1String(name));
    c->setMinimumContentsLength(22);
    c->setMaxVisibleItems(24);
    form->addRow(label, c);
    return c;
  };
  table_ = combo("find_table", tr("&What"));
  const std::pair<const char*, QString> tables[] = {{"racks", tr("Racks")},
                                                    {"rows", tr("Rows")},
                                                    {"power_units", tr("Power units")},
                                                    {"cooling_units", tr("Cooling units")},
                                                    {"structures", tr("Structures")},
                                                    {"zones", tr("Zones")},
                                                    {"containments", tr("Containments")},
                                                    {"trays", tr("Trays")},
                                                    {"pipes", tr("Pipes")},
                                                    {"notes", tr("Notes and labels")},
                                                    {"dimensions", tr("Dimensions")},
                                                    {"guides", tr("Guides")},
                                                    {"rack_types", tr("Rack types")},
                                                    {"halls", tr("Halls and rooms")}};
  for (const auto& [word, name] : tables)
    table_->addItem(name, QString::fromLatin1(word));
  field_ = combo("find_field", tr("&Field"));
  comparison_ = combo("find_comparison", tr("&Comparison"));
  comparison_->addItems(
      {tr("is"), tr("is not"), tr("is more than"), tr("is less than"), tr("contains"), tr("is not set")});
  value_ = new QLineEdit(this);
  value_->setObjectName(QStringLiteral("find_value"));
  value_->setClearButtonEnabled(true);
  form->addRow(tr("&Value"), value_);
  help_ = new QLabel(this);
  help_->setObjectName(QStringLiteral("secondary"));
  help_->setWordWrap(true);
  form->addRow(help_);
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("find_count"));
  count_->setWordWrap(true);
  form->addRow(count_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  select_ = buttons->addButton(tr("&Select"), QDialogButtonBox::ActionRole);
  add_ = buttons->addButton(tr("&Add to selection"), QDialogButtonBox::ActionRole);
  select_->setDefault(true);
  select_->setObjectName(QStringLiteral("find_select"));
  add_->setObjectName(QStringLiteral("find_add"));
  form->addRow(buttons);
  connect(table_, &QComboBox::currentIndexChanged, this, &FindDialog::fill_fields);
  connect(field_, &QComboBox::currentIndexChanged, this, &FindDialog::refresh);
  connect(comparison_, &QComboBox::currentIndexChanged, this, &FindDialog::refresh);
  connect(value_, &QLineEdit::textChanged, this, &FindDialog::refresh);
  connect(&document_, &Document::designShown, this, &FindDialog::refresh);
  connect(select_, &QPushButton::clicked, this, [this] { choose(false); });
  connect(add_, &QPushButton::clicked, this, [this] { choose(true); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  // What is selected says what is looked for.
  if (!document_.selection().empty())
    if (const int i = table_->findData(QString::fromStdString(document_.selection().front().table)); i >= 0)
      table_->setCurrentIndex(i);
  fill_fields();
  value_->setFocus();
}

void FindDialog::fill_fields() {
  fields_ = table_fields(table_->currentData().toString().toStdString());
  std::erase_if(fields_, [](const FieldInfo& f) { return f.type == FieldType::outline; });
  const QSignalBlocker quiet(field_);
  field_->clear();
  for (const FieldInfo& f : fields_)
    field_->addItem(to_qstring(f.label));
  refresh();
}

void FindDialog::refresh() {
  found_.clear();
  const int i = field_->currentIndex();
  if (i < 0 || i >= static_cast<int>(fields_.size())) return;
  const FieldInfo& f = fields_[static_cast<std::size_t>(i)];
  const auto comparison = static_cast<Comparison>(comparison_->currentIndex());
  value_->setEnabled(comparison != Comparison::not_set);
  QString example;
  if (f.type == FieldType::choice) {
    QStringList words;
    for (std::string_view word : f.choices)
      words << to_qstring(word);
    example = tr("One of: %1").arg(words.join(QStringLiteral(", ")));
  } else if (f.type == FieldType::boolean) {
    example = tr("yes or no");
  } else {
    example = screen_units(to_qstring(f.help));
  }
  help_->setText(example);
  value_->setPlaceholderText(f.unit.empty() ? QString() : tr("such as 12 %1").arg(to_qstring(f.unit)));
  QString problem;
  const bool asked = comparison == Comparison::not_set || !value_->text().trimmed().isEmpty();
  if (asked)
    found_ = matching(document_.design(), table_->currentData().toString().toStdString(), f, comparison, value_->text(),
                      &problem);
  if (!problem.isEmpty())
    count_->setText(problem);
  else if (!asked)
    count_->setText(tr("Write a value to look for."));
  else
    count_->setText(counted(static_cast<qint64>(found_.size()), tr("1 found"), tr("%1 found")));
  select_->setEnabled(!found_.empty());
  add_->setEnabled(!found_.empty());
}

void FindDialog::choose(bool add) {
  if (found_.empty()) return;
  std::vector<EntityRef> next = found_;
  if (add) next.insert(next.end(), document_.selection().begin(), document_.selection().end());
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  document_.select(std::move(next));
}

} // namespace hallwright
