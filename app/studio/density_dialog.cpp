// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/density_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/dialog_room.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

DensityDialog::DensityDialog(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
  setObjectName(QStringLiteral("density_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Density upgrade of a row"));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(3 * spacing_unit);
  auto* fields = new QHBoxLayout;
  fields->setSpacing(6 * spacing_unit);
  auto* left = new QFormLayout;
  auto* right = new QFormLayout;
  for (QFormLayout* f : {left, right})
    f->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  fields->addLayout(left, 1);
  fields->addLayout(right, 1);
  row_ = new QComboBox(this);
  row_->setObjectName(QStringLiteral("density_row"));
  left->addRow(tr("&Row"), row_);
  power_ = new QLineEdit(this);
  power_->setObjectName(QStringLiteral("density_power"));
  power_->setToolTip(tr("Wanted power of each rack for computing of the row; a number alone is kW"));
  left->addRow(tr("&Power of each rack"), power_);
  type_ = new QComboBox(this);
  type_->setObjectName(QStringLiteral("density_type"));
  type_->setToolTip(tr("Racks of the row become racks of this type"));
  right->addRow(tr("Rack &type"), type_);
  liquid_ = new QLineEdit(this);
  liquid_->setObjectName(QStringLiteral("density_liquid"));
  liquid_->setPlaceholderText(tr("as now"));
  liquid_->setToolTip(tr("Share of the heat of each rack that goes to liquid; empty: as now"));
  right->addRow(tr("Heat to &liquid"), liquid_);
  column->addLayout(fields);
  answer_ = new QLabel(this);
  answer_->setObjectName(QStringLiteral("density_answer"));
  answer_->setWordWrap(true);
  answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  answer_->setMinimumHeight(fontMetrics().height() * 4);
  answer_->setAlignment(Qt::AlignTop);
  column->addWidget(answer_);
  table_ = new QTableWidget(0, 9, this);
  table_->setObjectName(QStringLiteral("density_steps"));
  table_->setAccessibleName(tr("Limits of the row"));
  table_->setHorizontalHeaderLabels({tr("Limit"), tr("What"), tr("Now"), tr("Wanted"), tr("Allowed"), tr("Needed parts"),
                                     tr("Cost"), tr("Weeks"), tr("While racks run")});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  table_->setShowGrid(false);
  // At any width all of it is in sight: words wrap, nothing is scrolled sideways.
  table_->setWordWrap(true);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  for (const int c : {1, 5, 8}) table_->horizontalHeader()->setSectionResizeMode(c, QHeaderView::Stretch);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->horizontalHeader()->setHighlightSections(false);
  column->addWidget(table_, 1);
  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("secondary"));
  notes_->setWordWrap(true);
  column->addWidget(notes_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  // Return in a field asks; it does not close.
  for (QAbstractButton* b : buttons->buttons())
    if (auto* push = qobject_cast<QPushButton*>(b)) push->setAutoDefault(false), push->setDefault(false);
  column->addWidget(buttons);
  resize(within_screen(*this, {fontMetrics().averageCharWidth() * 170, fontMetrics().height() * 40}));
  gather();
  connect(row_, &QComboBox::activated, this, &DensityDialog::ask);
  connect(type_, &QComboBox::activated, this, &DensityDialog::ask);
  connect(power_, &QLineEdit::editingFinished, this, &DensityDialog::ask);
  connect(liquid_, &QLineEdit::editingFinished, this, &DensityDialog::ask);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&document_, &Document::evaluated, this, [this] {
    gather();
    ask();
  });
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int at = table_->currentRow();
    if (!table_->hasFocus() || !upgrade_ || at < 0 || at >= static_cast<int>(upgrade_->steps.size())) return;
    std::vector<EntityRef> things = upgrade_->steps[static_cast<std::size_t>(at)].entities;
    std::erase_if(things, [](const EntityRef& r) { return r.id == 0; });
    if (!things.empty()) Q_EMIT thingsRequested(things);
  });
  power_->setFocus();
  ask();
}

DensityDialog::~DensityDialog() {
  stop_.request_stop();
  pool_.waitForDone();
}

QString DensityDialog::answerText() const { return answer_->text(); }

void DensityDialog::gather() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  // The selected row, or that of a selected rack, first.
  Id chosen = row_->currentData().toLongLong();
  if (row_->count() == 0)
    for (const EntityRef& s : document_.selection()) {
      if (s.table == "rows") chosen = s.id;
      if (s.table == "racks")
        if (const Rack* r = hallwright::find(*e->design.racks, s.id)) chosen = r->row;
    }
  row_->clear();
  for (const Row& r : *e->design.rows)
    row_->addItem(r.name.empty() ? tr("Row %1").arg(r.id) : QString::fromStdString(r.name), QVariant::fromValue<qlonglong>(r.id));
  row_->setCurrentIndex(std::max(0, row_->findData(QVariant::fromValue<qlonglong>(chosen))));
  const Id type = type_->currentData().toLongLong();
  type_->clear();
  type_->addItem(tr("As they are, at that power"), QVariant::fromValue<qlonglong>(0));
  for (const RackType& t : *e->design.rack_types)
    type_->addItem(QString::fromStdString(t.name), QVariant::fromValue<qlonglong>(t.id));
  type_->setCurrentIndex(std::max(0, type_->findData(QVariant::fromValue<qlonglong>(type))));
  power_->setPlaceholderText(screen_text(130e3, kind::power, 3, "kW"));
}

void DensityDialog::say(const QString& words, bool problem) {
  answer_->setText(screen_sentence(words));
  QPalette p = answer_->palette();
  p.setColor(QPalette::WindowText, problem ? theme().red : theme().text);
  answer_->setPalette(p);
}

void DensityDialog::ask() {
  stop_.request_stop();
  ++generation_;
  busy_ = false;
  const auto clear = [&](const QString& words, bool problem) {
    upgrade_.reset();
    table_->setRowCount(0);
    notes_->clear();
    say(words, problem);
  };
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  if (row_->count() == 0) return clear(tr("There is no row of racks yet: draw one in the Hall."), true);
  DensityWish wish;
  wish.row = row_->currentData().toLongLong();
  wish.rack_type = type_->currentData().toLongLong();
  if (!power_->text().trimmed().isEmpty()) {
    const auto w = parse_quantity(power_->text().toStdString(), kind::power, screen_decimal_mark(), "kW");
    if (!w) return clear(QString::fromStdString(w.error()), true);
    wish.power = watts(*w);
  }
  if (!liquid_->text().trimmed().isEmpty()) {
    const auto share = parse_quantity(liquid_->text().toStdString(), kind::percent, screen_decimal_mark(), "%");
    if (!share) return clear(QString::fromStdString(share.error()), true);
    wish.liquid_share = *share;
  }
  if (!wish.power && wish.rack_type == 0)
    return clear(tr("Say which power each rack of the row shall have, or which racks shall stand there."), false);
  stop_ = std::stop_source();
  busy_ = true;
  if (!upgrade_) say(tr("Comparing the row with its limits\u2026"), false);
  using Answer = tl::expected<DensityUpgrade, std::string>;
  run_in_background(
      pool_, this, [e, wish, stop = stop_.get_token()]() -> Answer { return density_upgrade(*e, wish, stop); },
      [this, clear, generation = generation_](const Answer& answer) {
        if (generation != generation_) return;
        busy_ = false;
        if (answer) take(*answer);
        else clear(QString::fromStdString(answer.error()) + QLatin1Char('.'), true);
      });
}

void DensityDialog::take(const DensityUpgrade& upgrade) {
  upgrade_ = upgrade;
  QString text = QString::fromStdString(upgrade.sentence) + QLatin1Char('.');
  if (!upgrade.farthest_words.empty()) text += QLatin1Char('\n') + QString::fromStdString(upgrade.farthest_words) + QLatin1Char('.');
  say(text, false);
  QString notes;
  for (const std::string& n : upgrade.notes) {
    QString note = QString::fromStdString(n);
    if (!note.isEmpty()) note[0] = note[0].toUpper();
    notes += (notes.isEmpty() ? QString() : QStringLiteral(" ")) + note + QLatin1Char('.');
  }
  notes_->setText(notes);
  const auto amount = [](const DensityStep& s, double v) {
    return s.kind && std::isfinite(v) ? screen_text(v, *s.kind, 3) : QString();
  };
  table_->setRowCount(0);
  table_->setRowCount(static_cast<int>(upgrade.steps.size()));
  for (std::size_t i = 0; i < upgrade.steps.size(); ++i) {
    const DensityStep& s = upgrade.steps[i];
    QString cost;
    if (s.needed)
      cost = !s.cost_low ? tr("no price")
             : s.cost_high && in_dollars(*s.cost_high) > in_dollars(*s.cost_low) * (1.0 + 1e-9)
                 ? tr("%1 to %2").arg(screen_text(in_dollars(*s.cost_low), kind::money, 3), screen_text(in_dollars(*s.cost_high), kind::money, 3))
                 : screen_text(in_dollars(*s.cost_low), kind::money, 3);
    const QString parts = !s.decided ? tr("not decided: %1").arg(QString::fromStdString(s.why))
                          : !s.needed ? tr("none")
                                      : QString::fromStdString(s.parts);
    const QString live = !s.needed ? QString()
                         : s.live  ? tr("live: %1").arg(QString::fromStdString(s.live_words))
                                   : tr("stop: %1").arg(QString::fromStdString(s.live_words));
    const QString words[] = {QString::fromStdString(std::string(density_limit_words(s.limit))), QString::fromStdString(s.subject),
                             amount(s, s.now), amount(s, s.wanted), amount(s, s.allowed), parts, cost,
                             !s.needed ? QString() : s.weeks ? screen_text(*s.weeks, kind::ratio, 3) : tr("not known"), live};
    for (int c = 0; c < 9; ++c) {
      auto* item = new QTableWidgetItem(words[c]);
      const bool number = (c >= 2 && c <= 4) || c == 6 || c == 7;
      item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      item->setToolTip(s.why.empty() ? words[c] : words[c] + QLatin1Char('\n') + QString::fromStdString(s.why));
      if (s.needed && c == 3) item->setForeground(theme().red);
      table_->setItem(static_cast<int>(i), c, item);
    }
  }
  for (int c = 0; c < 9; ++c)
    table_->horizontalHeaderItem(c)->setTextAlignment(((c >= 2 && c <= 4) || c == 6 || c == 7 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace hallwright
