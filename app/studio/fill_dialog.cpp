// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fill_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/dialog_room.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

/// Names of `FillLimit`, for the translators.
[[maybe_unused]] constexpr const char* limit_names[] = {
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "floor area"),
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "power of the site"),
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "power of the zone"),
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "power of the feeds"),
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "coolant"),
    QT_TRANSLATE_NOOP("hallwright::FillDialog", "floor load"),
};

} // namespace

FillDialog::FillDialog(Document& document, const Shared<Catalog>& catalog, const EntityRef& where, QWidget* parent)
    : QDialog(parent), document_(document), catalog_(catalog), design_(document.design()) {
  setObjectName(QStringLiteral("fill_dialog"));
  setWindowTitle(tr("Fill with racks"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(2 * spacing_unit);
  auto* form = new QFormLayout;
  type_ = new QComboBox(this);
  type_->setObjectName(QStringLiteral("fill_type"));
  for (const RackType& t : *design_.rack_types)
    type_->addItem(QString::fromStdString(t.name), QVariant::fromValue<qlonglong>(t.id));
  where_ = new QComboBox(this);
  where_->setObjectName(QStringLiteral("fill_where"));
  const auto place = [&](const char* table, Id id, const QString& text) {
    places_.push_back({table, id});
    where_->addItem(text);
    if (where == places_.back()) where_->setCurrentIndex(where_->count() - 1);
  };
  for (const Hall& h : *design_.halls)
    place("halls", h.id, QString::fromStdString(h.name));
  for (const Zone& z : *design_.zones)
    place("zones", z.id, tr("Zone %1").arg(QString::fromStdString(z.name)));
  for (const Row& r : *design_.rows)
    place("rows", r.id, tr("Row %1").arg(QString::fromStdString(r.name)));
  direction_ = new QComboBox(this);
  direction_->setObjectName(QStringLiteral("fill_direction"));
  direction_->addItems({tr("left to right"), tr("top to bottom")});
  direction_label_ = new QLabel(tr("&Rows run"), this);
  direction_label_->setBuddy(direction_);
  form->addRow(tr("Rack &type"), type_);
  form->addRow(tr("&Where"), where_);
  form->addRow(direction_label_, direction_);
  column->addLayout(form);

  sentence_ = new QLabel(this);
  sentence_->setObjectName(QStringLiteral("fill_sentence"));
  sentence_->setWordWrap(true);
  sentence_->setTextFormat(Qt::PlainText);
  QFont strong = font();
  strong.setWeight(QFont::DemiBold);
  sentence_->setFont(strong);
  column->addWidget(sentence_);
  limits_ = new QTableWidget(0, 3, this);
  limits_->setObjectName(QStringLiteral("fill_limits"));
  limits_->setAccessibleName(tr("What each limit allows"));
  limits_->setHorizontalHeaderLabels({tr("Limit"), tr("Racks"), tr("Why")});
  limits_->verticalHeader()->hide();
  limits_->setShowGrid(false);
  limits_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  limits_->setSelectionMode(QAbstractItemView::NoSelection);
  limits_->setFocusPolicy(Qt::NoFocus);
  limits_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  limits_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  limits_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  limits_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  column->addWidget(limits_, 1);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Fill"));
  column->addWidget(buttons_);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  for (QComboBox* box : {type_, where_, direction_})
    connect(box, &QComboBox::currentIndexChanged, this, &FillDialog::ask);
  connect(this, &QDialog::accepted, this, [this] {
    if (preview_ && preview_->placed > 0) document_.applyAndSelectNew(preview_->edit);
  });
  connect(this, &QDialog::rejected, this, [this] { document_.cancelPreview(); });
  resize(within_screen(*this, {fontMetrics().averageCharWidth() * 92, fontMetrics().height() * 24}));
  ask();
}

void FillDialog::ask() {
  preview_.reset();
  limits_->setRowCount(0);
  const int at = where_->currentIndex();
  FillWish wish;
  wish.rack_type = type_->currentData().toLongLong();
  if (at >= 0) wish.where = places_[static_cast<std::size_t>(at)];
  wish.direction = direction_->currentIndex() == 0 ? RowDirection::along_x : RowDirection::along_y;
  const bool rows = wish.where.table != "rows";
  direction_->setEnabled(rows);
  direction_label_->setEnabled(rows);
  auto answer = fill_preview(design_, catalog_, wish);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(answer && answer->placed > 0);
  if (!answer) {
    sentence_->setText(QString::fromStdString(answer.error()));
    document_.cancelPreview();
    return;
  }
  sentence_->setText(QString::fromStdString(answer->sentence));
  for (const FillLimit& l : answer->limits) {
    const int row = limits_->rowCount();
    limits_->insertRow(row);
    const bool binds = l.id == answer->stopped_by;
    auto* name = new QTableWidgetItem(tr(l.name.c_str()) + (binds ? QStringLiteral(" \u2190") : QString()));
    auto* racks = new QTableWidgetItem(l.racks ? screen_number(static_cast<qlonglong>(*l.racks)) : tr("no limit"));
    racks->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* how = new QTableWidgetItem(QString::fromStdString(l.how));
    how->setToolTip(QString::fromStdString(l.how));
    for (QTableWidgetItem* item : {name, racks, how}) {
      if (binds)
        item->setForeground(theme().amber);
      else if (!l.racks)
        item->setForeground(theme().secondary_text);
    }
    limits_->setItem(row, 0, name);
    limits_->setItem(row, 1, racks);
    limits_->setItem(row, 2, how);
  }
  preview_ = *std::move(answer);
  if (preview_->placed > 0)
    document_.preview(preview_->edit);
  else
    document_.cancelPreview();
}

} // namespace hallwright
