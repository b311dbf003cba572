// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/preview_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/studio/finding_changes.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

/// "SPC-005 The aisle ...", a line each.
QString list_of(const std::vector<const Finding*>& findings) {
  QStringList lines;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, findings.size()); ++i)
    lines << QString::fromStdString(findings[i]->code + " " + findings[i]->message);
  if (findings.size() > most) lines << PreviewBar::tr("and %1 more").arg(findings.size() - most);
  return lines.join(QLatin1Char('\n'));
}

} // namespace

PreviewBar::PreviewBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("preview_bar"));
  setAccessibleName(tr("Preview of a remedy"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  row->setSpacing(2 * spacing_unit);
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  remedy_ = new QLabel(this);
  remedy_->setObjectName(QStringLiteral("title"));
  remedy_->setTextFormat(Qt::PlainText);
  remedy_->setWordWrap(true);
  effect_ = new QLabel(this);
  effect_->setObjectName(QStringLiteral("preview_effect"));
  effect_->setTextFormat(Qt::PlainText);
  effect_->setWordWrap(true);
  words->addWidget(remedy_);
  words->addWidget(effect_);
  row->addLayout(words, 1);
  apply_ = new QPushButton(tr("Apply"), this);
  apply_->setObjectName(QStringLiteral("preview_apply"));
  apply_->setToolTip(tr("Keep it, as one step of the history"));
  cancel_ = new QPushButton(tr("Cancel (Esc)"), this);
  cancel_->setObjectName(QStringLiteral("preview_cancel"));
  cancel_->setToolTip(tr("Back to the design as it is"));
  row->addWidget(apply_);
  row->addWidget(cancel_);
  connect(apply_, &QPushButton::clicked, this, &PreviewBar::applyRequested);
  connect(cancel_, &QPushButton::clicked, this, &PreviewBar::cancelRequested);
  hide();
}

void PreviewBar::open(const QString& remedy, const QString& rule, const QString& place) {
  rule_ = rule;
  place_ = place;
  remedy_->setText(tr("Preview, not kept: %1").arg(remedy));
  effect_->setText(tr("Checking what it does\u2026"));
  effect_->setToolTip({});
  show();
}

void PreviewBar::showEffect(const std::vector<Finding>& before, const std::vector<Finding>& after) {
  const FindingChanges changes = finding_changes(before, after);
  QStringList words, tips;
  if (changes.gone.empty() && changes.come.empty()) words << tr("No finding comes or goes");
  if (!changes.gone.empty()) {
    const int n = static_cast<int>(changes.gone.size());
    words << counted(n, tr("1 finding fewer"), tr("%1 findings fewer"));
    tips << tr("No longer:") + QLatin1Char('\n') + list_of(changes.gone);
  }
  if (!changes.come.empty()) {
    const int n = static_cast<int>(changes.come.size());
    const Finding& first = *changes.come.front();
    words << counted(n, tr("1 new"), tr("%1 new")) +
                 QStringLiteral(" (%1)").arg(n == 1 ? QString::fromStdString(first.code)
                                                    : QString::fromStdString(first.code) + QChar(0x2026));
    tips << tr("New:") + QLatin1Char('\n') + list_of(changes.come);
  }
  const bool stays = std::any_of(after.begin(), after.end(), [this](const Finding& f) {
    return QString::fromStdString(f.code) == rule_ && QString::fromStdString(waiver_place(f)) == place_;
  });
  QString text = words.join(QStringLiteral(", "));
  if (stays) text += QStringLiteral(" \u00b7 ") + tr("%1 itself stays").arg(rule_);
  effect_->setText(text + QLatin1Char('.'));
  effect_->setToolTip(tips.join(QStringLiteral("\n\n")));
}

QString PreviewBar::effect() const { return effect_->text(); }

} // namespace hallwright
