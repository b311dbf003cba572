// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/kept_changes.h"

#include <array>
#include <map>
#include <set>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "design/access.h"
#include "widgets/entity_title.h"
#include "widgets/theme.h"

namespace hallwright {

QString change_summary(const Design& before, const Design& after) {
  using What = Difference::What;
  struct Count {
    std::set<Id> ids;
    QStringList names; // the first two
  };
  // Tables in the order of the file, what has gone first.
  std::map<std::pair<std::string, What>, Count> counts;
  for (const Difference& d : differences(before, after)) {
    Count& c = counts[{d.entity.table, d.what}];
    if (c.ids.insert(d.entity.id).second && c.names.size() < 3 && !d.name.empty() && d.entity.id != 0)
      c.names << QString::fromStdString(d.name);
  }
  QStringList out;
  const auto add = [&](std::string_view table, What what, const QString& words) {
    const auto found = counts.find({std::string(table), what});
    if (found == counts.end()) return;
    const Count& c = found->second;
    const QString things = *c.ids.begin() == 0 ? table_word(std::string(table))
                                               : things_of(std::string(table), static_cast<int>(c.ids.size()));
    QString line = words.arg(things);
    if (!c.names.isEmpty() && c.ids.size() <= 2)
      line += QStringLiteral(" (%1)").arg(c.names.join(QStringLiteral(", ")));
    out << line;
  };
  std::vector<std::string_view> tables = table_words();
  const std::vector<std::string_view> sections = section_words();
  tables.insert(tables.end(), sections.begin(), sections.end());
  // What stands on the plan is what one remembers.
  std::stable_partition(tables.begin(), tables.end(), [](std::string_view t) {
    constexpr std::array first{std::string_view("halls"), std::string_view("racks"), std::string_view("power_units"),
                               std::string_view("cooling_units")};
    return std::find(first.begin(), first.end(), t) != first.end();
  });
  for (std::string_view table : tables) {
    add(table, What::removed, KeptBar::tr("%1 removed"));
    add(table, What::added, KeptBar::tr("%1 added"));
    add(table, What::changed, KeptBar::tr("%1 changed"));
  }
  constexpr qsizetype most = 4;
  const qsizetype more = out.size() - most;
  if (more > 0) out = out.mid(0, most) << KeptBar::tr("and %1 other kinds").arg(more);
  return out.join(QStringLiteral(", "));
}

QString kept_sentence(const KeptChanges& kept, const Design& project) {
  const auto time = [](const QDateTime& t) {
    return t.isValid() ? QLocale().toString(t.date(), QLocale::ShortFormat) + QLatin1Char(' ') +
                             t.time().toString(QStringLiteral("HH:mm:ss"))
                       : KeptBar::tr("at an unknown time");
  };
  QStringList out{KeptBar::tr("An earlier run ended without saving. Its changes, kept %1, are not in this file, "
                              "written %2: %3.")
                      .arg(time(kept.kept_at), time(kept.saved_at), change_summary(project, kept.design))};
  if (!kept.newer)
    out << KeptBar::tr("The file has had as many edits as they have, or more: look before you take them.");
  if (kept.other_machine)
    out << KeptBar::tr("They come from another machine, where they may still be open.");
  if (kept.others > 0) out << KeptBar::tr("The start page lists %1 more.").arg(kept.others);
  return out.join(QLatin1Char(' '));
}

KeptBar::KeptBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("kept_bar"));
  setAccessibleName(tr("Changes of an earlier run"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  row->setSpacing(2 * spacing_unit);
  sentence_ = new QLabel(this);
  sentence_->setObjectName(QStringLiteral("kept_sentence"));
  sentence_->setTextFormat(Qt::PlainText);
  sentence_->setWordWrap(true);
  row->addWidget(sentence_, 1);
  const auto button = [&](const char* name, const QString& text, const QString& tip) {
    auto* b = new QPushButton(text, this);
    b->setObjectName(QLatin1String(name));
    b->setToolTip(tip);
    row->addWidget(b);
    return b;
  };
  auto* take = button("kept_take", tr("Take the changes"), tr("Into this design, as one step that Undo takes back"));
  auto* discard = button("kept_discard", tr("Discard\u2026"), tr("Delete them; the file stays as it is"));
  auto* later = button("kept_later", tr("Later"), tr("They stay kept; the File menu takes or discards them"));
  connect(take, &QPushButton::clicked, this, &KeptBar::takeRequested);
  connect(discard, &QPushButton::clicked, this, &KeptBar::discardRequested);
  connect(later, &QPushButton::clicked, this, &QWidget::hide);
  hide();
}

void KeptBar::open(const QString& sentence) {
  sentence_->setText(sentence);
  show();
}

QString KeptBar::sentence() const { return sentence_->text(); }

} // namespace hallwright
