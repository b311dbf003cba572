// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "widgets/theme.h"

namespace hallwright {

CommandPalette::CommandPalette(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Command palette"));
  setObjectName(QStringLiteral("command_palette"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  input_ = new QLineEdit(this);
  input_->setObjectName(QStringLiteral("palette_input"));
  input_->setPlaceholderText(tr("Type what to do or find:  > actions   @ things   # figures"));
  input_->setAccessibleName(tr("Command"));
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Matches"));
  list_->setUniformItemSizes(true);
  column->addWidget(input_);
  column->addWidget(list_);
  resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 22);
  input_->installEventFilter(this);
  connect(input_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(input_, &QLineEdit::returnPressed, this, &CommandPalette::run_current);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run_current);
}

void CommandPalette::open(std::vector<PaletteEntry> actions, std::vector<PaletteEntry> things, std::vector<PaletteEntry> figures) {
  lists_[0] = std::move(actions);
  lists_[1] = std::move(things);
  lists_[2] = std::move(figures);
  input_->clear();
  filter();
  QDialog::open();
  input_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == input_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const int step = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
    if (step != 0 && !shown_.empty()) {
      list_->setCurrentRow((list_->currentRow() + step + list_->count()) % list_->count());
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::filter() {
  QString text = input_->text();
  int only = -1;
  if (text.startsWith(QLatin1Char('>'))) only = 0;
  if (text.startsWith(QLatin1Char('@'))) only = 1;
  if (text.startsWith(QLatin1Char('#'))) only = 2;
  if (only >= 0) text.remove(0, 1);
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  list_->clear();
  shown_.clear();
  constexpr std::size_t most = 60;
  for (int i = 0; i < 3; ++i) {
    if (only >= 0 && only != i) continue;
    for (const PaletteEntry& entry : lists_[i]) {
      if (shown_.size() >= most) break;
      bool all = true;
      for (const QString& w : words) all = all && (entry.text.contains(w, Qt::CaseInsensitive) || entry.detail.contains(w, Qt::CaseInsensitive));
      if (!all || (words.isEmpty() && only < 0 && i > 0)) continue;
      shown_.push_back(&entry);
      list_->addItem(entry.detail.isEmpty() ? entry.text : entry.text + QStringLiteral("    ") + entry.detail);
    }
  }
  if (list_->count() > 0) {
    list_->setCurrentRow(0);
  } else {
    auto* nothing = new QListWidgetItem(tr("Nothing found"), list_);
    nothing->setFlags(Qt::NoItemFlags);
    nothing->setForeground(theme().secondary_text);
  }
}

void CommandPalette::run_current() {
  const int row = list_->currentRow();
  if (row < 0 || row >= static_cast<int>(shown_.size())) return;
  const auto run = shown_[static_cast<std::size_t>(row)]->run;
  accept();
  if (run) run();
}

} // namespace hallwright
