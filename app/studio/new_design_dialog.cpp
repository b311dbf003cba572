// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/new_design_dialog.h"

#include <cmath>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

namespace hallwright {

NewDesignDialog::NewDesignDialog(const Shared<Catalog>& catalog, QWidget* parent) : QDialog(parent), catalog_(catalog) {
  setObjectName(QStringLiteral("new_design_dialog"));
  setWindowTitle(tr("New design"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4 * spacing_unit, 4 * spacing_unit, 4 * spacing_unit, 4 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  auto* question = new QLabel(tr("What do you know already?"), this);
  question->setObjectName(QStringLiteral("title"));
  column->addWidget(question);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(3 * spacing_unit);
  grid->setVerticalSpacing(2 * spacing_unit);
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);
  nothing_ = new QRadioButton(tr("&Nothing yet: I draw the hall first"), this);
  nothing_->setObjectName(QStringLiteral("new_nothing"));
  by_power_ = new QRadioButton(tr("The &power of the site"), this);
  by_power_->setObjectName(QStringLiteral("new_by_power"));
  by_gpus_ = new QRadioButton(tr("The number of &GPUs"), this);
  by_gpus_->setObjectName(QStringLiteral("new_by_gpus"));
  power_ = new QuantityEdit(this);
  power_->setObjectName(QStringLiteral("new_power"));
  power_->setAccessibleName(tr("Power of the site"));
  FieldInfo field;
  field.name = "power", field.label = "Power of the site", field.type = FieldType::number;
  field.kind = &kind::power, field.unit = "MW", field.minimum = 1e4, field.maximum = 1e11;
  power_->setField(field);
  power_->setValue(1e6);
  gpus_ = new QSpinBox(this);
  gpus_->setObjectName(QStringLiteral("new_gpus"));
  gpus_->setAccessibleName(tr("Number of GPUs"));
  gpus_->setRange(8, 10'000'000);
  gpus_->setGroupSeparatorShown(true);
  gpus_->setValue(1024);
  node_ = new QComboBox(this);
  node_->setObjectName(QStringLiteral("new_node"));
  node_->setAccessibleName(tr("Node to count with"));
  for (const PartSummary& p : part_summaries(*catalog_, "node"))
    node_->addItem(maker_and_name(p.vendor, p.name), QString::fromStdString(p.id));
  node_->setCurrentIndex(std::max(0, node_->findData(QStringLiteral("dgx-h100"))));
  node_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  node_->setMinimumContentsLength(24);
  node_label_ = new QLabel(tr("N&ode to count with"), this);
  node_label_->setBuddy(node_);
  grid->addWidget(nothing_, 0, 0, 1, 2);
  grid->addWidget(by_power_, 1, 0);
  grid->addWidget(power_, 1, 1);
  grid->addWidget(by_gpus_, 2, 0);
  grid->addWidget(gpus_, 2, 1);
  grid->addWidget(node_label_, 3, 0);
  grid->addWidget(node_, 3, 1);
  effect_ = new QLabel(this);
  effect_->setObjectName(QStringLiteral("new_effect"));
  effect_->setWordWrap(true);
  effect_->setMinimumWidth(fontMetrics().averageCharWidth() * 52);
  effect_->setMinimumHeight(fontMetrics().lineSpacing() * 5);
  effect_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(effect_, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  begin_ = buttons->button(QDialogButtonBox::Ok);
  begin_->setText(tr("Begin"));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  for (QRadioButton* b : {nothing_, by_power_, by_gpus_})
    connect(b, &QRadioButton::clicked, this, &NewDesignDialog::changed);
  connect(power_, &QuantityEdit::committed, this, &NewDesignDialog::changed);
  connect(power_, &QuantityEdit::refused, effect_, &QLabel::setText);
  connect(power_, &QLineEdit::textEdited, this, [this] { by_power_->setChecked(true); });
  connect(gpus_, &QSpinBox::valueChanged, this, [this] {
    by_gpus_->setChecked(true);
    changed();
  });
  connect(node_, &QComboBox::activated, this, [this] {
    if (nothing_->isChecked()) by_power_->setChecked(true);
    changed();
  });
  nothing_->setChecked(true);
  nothing_->setFocus();
  changed();
}

void NewDesignDialog::changed() {
  StartingPoint start;
  start.known = by_power_->isChecked()  ? StartingPoint::Known::site_power
                : by_gpus_->isChecked() ? StartingPoint::Known::gpus
                                        : StartingPoint::Known::nothing;
  const FieldValue power = power_->value();
  if (const auto* w = std::get_if<double>(&power)) start.site_power = watts(*w);
  start.gpus = gpus_->value();
  start.node_part = node_->currentData().toString().toStdString();
  design_ = starting_design(start, catalog_);
  if (start.known == StartingPoint::Known::nothing) {
    begin_->setEnabled(true);
    effect_->setText(tr("An empty floor. Draw a hall (H) and rows of racks (W): figures appear as you draw. The "
                        "training job is a small one until Study, Fit the job to the GPUs makes it as large as what "
                        "you drew."));
    return;
  }
  const auto e = evaluate(design_, catalog_);
  const auto text = [&](const char* id) {
    const Figure* f = e ? e->figures.find(id) : nullptr;
    return f ? screen_text(*f) : tr("unknown");
  };
  const Figure* gpus = e ? e->figures.find("population.gpus") : nullptr;
  const bool some = gpus && gpus->has_value() && gpus->value >= 1;
  begin_->setEnabled(some);
  if (!some) {
    effect_->setText(gpus && !gpus->has_value() && !gpus->reason.empty()
                         ? tr("Nothing can be counted: %1.").arg(QString::fromStdString(gpus->reason))
                         : tr("Not one node of this kind runs on so little power."));
    return;
  }
  const Job& job = *design_.job;
  const Count used = job.tensor_parallel * job.pipeline_parallel * job.context_parallel * job.data_parallel;
  const ModelPart* model = catalog_->find<ModelPart>(job.model_part);
  const QString model_name = QString::fromStdString(model ? model->name : job.model_part);
  effect_->setText(
      tr("%1 nodes with %2 GPUs draw about %3 of IT power; the site gives %4. These are estimates from the goal: what "
         "you draw takes their place. The job trains %5 on %6 GPUs.")
          .arg(text("population.nodes"), text("population.gpus"), text("power.it"),
               screen_text(in_watts(design_.site->utility_power.value_or(Power{})), kind::power), model_name, screen_number(used)));
}

} // namespace hallwright
