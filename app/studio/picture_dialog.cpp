// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/picture_dialog.h"

#include <cmath>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/studio/print_files.h"
#include "app/studio/scale_field.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_print.h"
#include "widgets/theme.h"

namespace hallwright {

void copy_plan(const PlanPrint& print, int most_pixels) {
  auto* data = new QMimeData;
  data->setImageData(picture_of_plan(print, most_pixels));
  data->setData(QStringLiteral("image/svg+xml"), svg_of_sheet(print, 0));
  QApplication::clipboard()->setMimeData(data);
}

PictureDialog::PictureDialog(PrintJob job, const PlanPage& page, QWidget* parent)
    : QDialog(parent), job_(std::move(job)), page_(page) {
  setObjectName(QStringLiteral("picture_dialog"));
  setWindowTitle(tr("Plan as picture"));
  page_.fitted = true;
  auto* column = new QVBoxLayout(this);
  auto* form = new QFormLayout;
  column->addLayout(form);
  scale_ = new ScaleField(this);
  scale_->setObjectName(QStringLiteral("picture_scale"));
  scale_->setAccessibleName(tr("Scale"));
  for (double d : standard_scales()) scale_->addItem(scale_words(d));
  scale_->setEditText(scale_words(page_.scale > 0 ? page_.scale : 100));
  form->addRow(tr("Scale"), scale_);
  dpi_ = new QSpinBox(this);
  dpi_->setObjectName(QStringLiteral("picture_dpi"));
  dpi_->setAccessibleName(tr("Dots an inch"));
  dpi_->setRange(36, 1200);
  dpi_->setValue(200);
  form->addRow(tr("Dots an inch"), dpi_);
  legend_ = new QCheckBox(tr("Legend, scale bar and north"), this);
  legend_->setChecked(true);
  form->addRow(legend_);
  block_ = new QCheckBox(tr("Title block"), this);
  form->addRow(block_);
  size_ = new QLabel(this);
  size_->setObjectName(QStringLiteral("picture_size"));
  size_->setWordWrap(true);
  size_->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
  column->addWidget(size_);
  column->addStretch(1);
  auto* row = new QHBoxLayout;
  const auto button = [&](const char* name, const QString& text) {
    auto* b = new QPushButton(text, this);
    b->setObjectName(QLatin1String(name));
    b->setAutoDefault(false); // Enter in a field does not save
    row->addWidget(b);
    return b;
  };
  png_ = button("picture_png", tr("Save &PNG…"));
  svg_ = button("picture_svg", tr("Save &SVG…"));
  copy_ = button("picture_copy", tr("&Copy"));
  row->addStretch(1);
  auto* close = button("picture_close", tr("Close"));
  column->addLayout(row);
  connect(scale_, &QComboBox::currentTextChanged, this, &PictureDialog::refresh);
  connect(dpi_, &QSpinBox::valueChanged, this, &PictureDialog::refresh);
  connect(legend_, &QCheckBox::toggled, this, &PictureDialog::refresh);
  connect(block_, &QCheckBox::toggled, this, &PictureDialog::refresh);
  connect(png_, &QPushButton::clicked, this, [this] { save_as(QStringLiteral("png")); });
  connect(svg_, &QPushButton::clicked, this, [this] { save_as(QStringLiteral("svg")); });
  connect(copy_, &QPushButton::clicked, this, [this] {
    copy_plan(*print_, 8000);
    Q_EMIT told(tr("The plan is on the clipboard"), false);
    size_->setText(tr("The plan is on the clipboard"));
  });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  refresh();
}

void PictureDialog::refresh() {
  QString problem;
  const auto d = read_scale(scale_->currentText());
  if (!d)
    problem = tr("\"%1\" is not a scale from 1:%2 to 1:%3.")
                  .arg(scale_->currentText().trimmed(), screen_number(least_denominator),
                       screen_number(most_denominator));
  if (d) {
    page_.scale = *d;
    page_.legend = page_.scale_bar = page_.north_arrow = legend_->isChecked();
    page_.title_block = block_->isChecked();
    print_ = std::make_shared<const PlanPrint>(page_, job_.design, job_.catalog, job_.evaluation);
    problem = print_->problem();
  }
  for (QPushButton* b : {png_, svg_, copy_}) b->setEnabled(problem.isEmpty());
  QPalette colours = palette();
  if (!problem.isEmpty()) colours.setColor(QPalette::WindowText, theme().red);
  size_->setPalette(colours);
  if (!problem.isEmpty()) {
    size_->setText(problem);
    return;
  }
  const QSizeF paper = print_->paper();
  const double dots = dpi_->value() / 25.4;
  size_->setText(tr("%1 × %2 dots, %3 × %4 mm on paper")
                     .arg(screen_number(static_cast<int>(std::lround(paper.width() * dots))),
                          screen_number(static_cast<int>(std::lround(paper.height() * dots))),
                          screen_number(paper.width(), 'f', 0), screen_number(paper.height(), 'f', 0)));
}

void PictureDialog::save_as(const QString& suffix) {
  const QString name = QFileDialog::getSaveFileName(this, windowTitle(), job_.stem + QStringLiteral("-plan.") + suffix,
                                                    QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (name.isEmpty()) return;
  const QString file = QFileInfo(name).suffix().toLower() == suffix ? name : name + QLatin1Char('.') + suffix;
  const QString problem = write_print(file, *print_, dpi_->value());
  size_->setText(problem.isEmpty() ? tr("Written: %1").arg(file) : problem);
  Q_EMIT told(size_->text(), !problem.isEmpty());
}

} // namespace hallwright
