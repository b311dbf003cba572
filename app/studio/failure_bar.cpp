// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/failure_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/theme.h"

namespace hallwright {

FailureBar::FailureBar(const QString& show_words, QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("kept_bar"));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(3 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("failure_words"));
  words_->setWordWrap(true);
  line->addWidget(words_, 1);
  auto* show = new QPushButton(show_words, this);
  connect(show, &QPushButton::clicked, this, &FailureBar::showRequested);
  line->addWidget(show);
  auto* restore = new QPushButton(tr("Restore all"), this);
  restore->setObjectName(QStringLiteral("failure_restore"));
  connect(restore, &QPushButton::clicked, this, &FailureBar::restoreRequested);
  line->addWidget(restore);
  hide();
}

void FailureBar::tell(const QString& sentence) {
  words_->setText(sentence);
  setVisible(!quiet_ && !sentence.isEmpty());
}

void FailureBar::setQuiet(bool quiet) {
  quiet_ = quiet;
  setVisible(!quiet_ && !words_->text().isEmpty());
}

QString FailureBar::text() const { return words_->text(); }

} // namespace hallwright
