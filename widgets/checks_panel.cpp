// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"

namespace hallwright {
namespace {
enum Column { severity_column, rule_column, what_column, where_column, remedy_column, price_column, column_count };
constexpr int finding_role = Qt::UserRole + 1;

/// Names that a finding's sentence may hold: of the things that it is about, and where they are.
QStringList names_in(const Finding& f, const Design& design) {
  QStringList out{QString::fromStdString(f.where)};
  constexpr std::size_t most = 100;
  for (std::size_t i = 0; i < std::min(most, f.entities.size()); ++i)
    out << QString::fromStdString(entity_name(design, f.entities[i]));
  return out;
}

/// Where it is, in the words of the screen: "Cooling plant", not the name of a table.
QString where_words(const Finding& f, const Evaluation& e) {
  if (f.entities.empty()) return QString::fromStdString(f.where);
  QStringList names;
  constexpr std::size_t named = 3;
  for (std::size_t i = 0; i < std::min(named, f.entities.size()); ++i)
    names << entity_title(e.design, e.catalog.get(), f.entities[i]);
  QString out = names.join(QStringLiteral(", "));
  if (f.entities.size() > named) out += ChecksPanel::tr(" and %1 more").arg(f.entities.size() - named);
  return out;
}

QString key_of(const Finding& f) { return QString::fromStdString(f.code + " " + waiver_place(f)); }

QString remedy_label(const Remedy& r) { return screen_sentence(QString::fromStdString(r.edit.label)); }

QString price_text(const Remedy& r) {
  if (!r.cost_dollars && r.labour) return ChecksPanel::tr("labour, not priced");
  if (!r.cost_dollars && !r.lead_time_weeks) return ChecksPanel::tr("not known");
  const QString cost =
      r.cost_dollars ? screen_text(*r.cost_dollars, kind::money, 2) : ChecksPanel::tr("cost not known");
  const QString time =
      r.lead_time_weeks ? ChecksPanel::tr("%1 wk").arg(qRound(*r.lead_time_weeks)) : ChecksPanel::tr("time not known");
  return cost + QStringLiteral(" \u00b7 ") + time;
}

/// For menus and beside the list: what it is, what it costs and how long it takes.
QString remedy_text(const Remedy& r) {
  if (!r.cost_dollars && !r.lead_time_weeks && !r.labour)
    return remedy_label(r) + ChecksPanel::tr(" (cost and lead time not known)");
  return remedy_label(r) + QStringLiteral(" (%1)").arg(price_text(r));
}

QString severity_text(const Finding& f) {
  if (f.waived) return ChecksPanel::tr("waived");
  if (f.undecided) return ChecksPanel::tr("undecided");
  switch (f.severity) {
  case Severity::error:
    return ChecksPanel::tr("error");
  case Severity::warning:
    return ChecksPanel::tr("warning");
  case Severity::note:
    return ChecksPanel::tr("note");
  }
  return {};
}

QString severity_icon(const Finding& f) {
  switch (f.severity) {
  case Severity::error:
    return QStringLiteral("checks-error");
  case Severity::warning:
    return QStringLiteral("checks-warning");
  case Severity::note:
    return QStringLiteral("checks-note");
  }
  return {};
}

const Rule* rule_of(const std::string& code) {
  static const std::map<std::string_view, const Rule*> rules = [] {
    std::map<std::string_view, const Rule*> out;
    for (const Rule& r : all_rules())
      out[r.code] = &r;
    return out;
  }();
  const auto it = rules.find(code);
  return it == rules.end() ? nullptr : it->second;
}
} // namespace

ChecksPanel::ChecksPanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Checks"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  filter_note_ = new QLabel(this);
  filter_note_->setObjectName(QStringLiteral("secondary"));
  filter_note_->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  column->addWidget(filter_note_);
  preview_note_ = new WholeLabel(this);
  preview_note_->setObjectName(QStringLiteral("checks_preview"));
  preview_note_->setAccessibleName(tr("Findings of the preview"));
  preview_note_->setTextFormat(Qt::PlainText);
  preview_note_->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  preview_note_->hide();
  column->addWidget(preview_note_);
  split_ = new QSplitter(Qt::Horizontal, this);
  split_->setObjectName(QStringLiteral("checks_split"));
  split_->setChildrenCollapsible(false);
  split_->setHandleWidth(2 * spacing_unit);
  column->addWidget(split_, 1);
  table_ = new QTableWidget(0, column_count, split_);
  table_->setObjectName(QStringLiteral("checks_table"));
  table_->setAccessibleName(tr("Findings"));
  table_->setHorizontalHeaderLabels(
      {tr("Severity"), tr("Rule"), tr("What"), tr("Where"), tr("Remedy"), tr("Cost, lead time")});
  table_->verticalHeader()->hide();
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(true); // rows of two lines, see fit_columns
  table_->horizontalHeader()->setSectionResizeMode(what_column, QHeaderView::Stretch);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setMinimumSectionSize(60);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->viewport()->installEventFilter(this);
  // The current finding, whole, in a place of its own: rows stay under the cursor when it changes.
  side_ = new QScrollArea(split_);
  side_->setObjectName(QStringLiteral("finding_side"));
  side_->setWidgetResizable(true);
  side_->setFrameShape(QFrame::NoFrame);
  side_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  side_->setFocusPolicy(Qt::NoFocus);
  whole_ = new QLabel(side_);
  whole_->setObjectName(QStringLiteral("finding_whole"));
  whole_->setAccessibleName(tr("The finding that is chosen"));
  whole_->setWordWrap(true);
  whole_->setTextFormat(Qt::RichText);
  whole_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  whole_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  whole_->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  side_->setWidget(whole_);
  split_->addWidget(table_);
  split_->addWidget(side_);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 0);
  split_->setSizes({700, 340});
  side_->setMinimumWidth(fontMetrics().averageCharWidth() * 34);
  connect(whole_, &QLabel::linkActivated, this, &ChecksPanel::use_link);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int row) {
    const Finding* f = finding_at(row);
    current_ = f ? key_of(*f).toStdString() : std::string();
    show_whole();
  });

  connect(table_, &QTableWidget::cellClicked, this, [this](int row, int col) {
    const Finding* f = finding_at(row);
    if (f && col >= remedy_column && !f->remedies.empty())
      open_remedies(row, QCursor::pos());
    else
      activate(row);
  });
  connect(table_, &QTableWidget::cellActivated, this, [this](int row, int) { activate(row); });
  connect(table_, &QTableWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    const int row = table_->rowAt(at.y());
    const Finding* f = finding_at(row);
    if (!f) return;
    const QString rule = QString::fromStdString(f->code), place = QString::fromStdString(waiver_place(*f));
    const std::vector<Remedy> remedies = f->remedies; // the evaluation may be replaced while the menu is open
    QMenu menu(this);
    auto* go = menu.addAction(tr("Select and zoom"));
    std::vector<std::pair<QAction*, Edit>> previews, applies;
    for (const Remedy& r : remedies) {
      menu.addSeparator();
      previews.emplace_back(menu.addAction(tr("Preview: %1").arg(remedy_text(r))), r.edit);
      applies.emplace_back(menu.addAction(tr("Apply: %1").arg(remedy_text(r))), r.edit);
    }
    menu.addSeparator();
    auto* waive = menu.addAction(icon(QStringLiteral("waive")), tr("Waive with a reason\u2026"));
    waive->setEnabled(!f->waived);
    auto* withdraw = menu.addAction(tr("Withdraw the waiver"));
    withdraw->setEnabled(f->waived);
    const QAction* chosen = menu.exec(table_->viewport()->mapToGlobal(at));
    if (chosen == go) activate(row);
    if (chosen == waive) Q_EMIT waiveRequested(rule, place);
    if (chosen == withdraw) Q_EMIT withdrawRequested(rule, place);
    for (const auto& [action, edit] : previews)
      if (chosen == action) Q_EMIT remedyPreviewRequested(edit, rule, place);
    for (const auto& [action, edit] : applies)
      if (chosen == action) Q_EMIT remedyRequested(edit);
  });
  show_whole();
}

const Finding* ChecksPanel::finding_at(int row) const {
  const QTableWidgetItem* item = evaluation_ && row >= 0 ? table_->item(row, severity_column) : nullptr;
  const int i = item ? item->data(finding_role).toInt() : -1;
  const bool there = i >= 0 && i < static_cast<int>(evaluation_->findings.size());
  return there ? &evaluation_->findings[static_cast<std::size_t>(i)] : nullptr;
}

void ChecksPanel::activate(int row) {
  if (const Finding* f = finding_at(row)) {
    const QString figure = f->figures.empty() ? QString() : QString::fromStdString(f->figures.front());
    Q_EMIT findingActivated(std::vector<EntityRef>(f->entities), figure);
  }
}

/// All remedies of a finding: each one previewed or applied.
void ChecksPanel::open_remedies(int row, const QPoint& at) {
  const Finding* f = finding_at(row);
  if (!f) return;
  const QString rule = QString::fromStdString(f->code), place = QString::fromStdString(waiver_place(*f));
  const std::vector<Remedy> remedies = f->remedies; // the evaluation may be replaced while the menu is open
  QMenu menu(this);
  menu.setObjectName(QStringLiteral("remedy_menu"));
  std::vector<std::pair<QAction*, const Remedy*>> previews, applies;
  for (const Remedy& r : remedies) {
    auto* title = menu.addAction(remedy_text(r));
    title->setEnabled(false);
    previews.emplace_back(menu.addAction(tr("Preview")), &r);
    applies.emplace_back(menu.addAction(tr("Apply")), &r);
    menu.addSeparator();
  }
  const QAction* chosen = menu.exec(at);
  for (const auto& [action, remedy] : previews)
    if (chosen == action) Q_EMIT remedyPreviewRequested(remedy->edit, rule, place);
  for (const auto& [action, remedy] : applies)
    if (chosen == action) Q_EMIT remedyRequested(remedy->edit);
}

/// "preview:1", "apply:0": a remedy of the finding that stands beside the list.
void ChecksPanel::use_link(const QString& link) {
  const Finding* f = finding_at(table_->currentRow());
  const int i = link.section(QLatin1Char(':'), 1).toInt();
  if (!f || i < 0 || i >= static_cast<int>(f->remedies.size())) return;
  const Edit edit = f->remedies[static_cast<std::size_t>(i)].edit;
  if (link.startsWith(QLatin1String("preview:")))
    Q_EMIT remedyPreviewRequested(edit, QString::fromStdString(f->code), QString::fromStdString(waiver_place(*f)));
  else
    Q_EMIT remedyRequested(edit);
}

void ChecksPanel::setEvaluation(const SharedEvaluation& evaluation) {
  evaluation_ = evaluation;
  preview_note_->hide();
  table_->setUpdatesEnabled(false);
  const auto& findings = evaluation_ ? evaluation_->findings : std::vector<Finding>{};
  constexpr std::size_t shown_at_most = 500;
  const std::size_t shown = std::min(findings.size(), shown_at_most);
  const QSignalBlocker quiet(table_);
  table_->setRowCount(static_cast<int>(shown));
  int current = -1;
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& f = findings[i];
    const int row = static_cast<int>(i);
    auto cell = [&](int col) {
      QTableWidgetItem* item = table_->item(row, col);
      if (!item) table_->setItem(row, col, item = new QTableWidgetItem);
      item->setForeground(f.waived ? QBrush(theme().structure) : QBrush()); // common text follows the appearance
      item->setFont(table_->font());
      return item;
    };
    if (current < 0 && key_of(f).toStdString() == current_) current = row;
    auto* severity = cell(severity_column);
    severity->setIcon(icon(severity_icon(f)));
    severity->setText(severity_text(f));
    severity->setData(finding_role, static_cast<int>(i));
    auto* rule = cell(rule_column);
    rule->setText(QString::fromStdString(f.code));
    if (const Rule* r = rule_of(f.code))
      rule->setToolTip(QStringLiteral("<b>%1</b><br>%2")
                           .arg(to_qstring(r->title).toHtmlEscaped(), screen_units(to_qstring(r->help)).toHtmlEscaped()));
    auto* what = cell(what_column);
    const QString message = screen_sentence(QString::fromStdString(f.message), names_in(f, evaluation_->design));
    what->setText(message + (f.waived ? tr(" (waived: %1)").arg(QString::fromStdString(f.waiver_reason)) : QString()));
    what->setToolTip(QStringLiteral("<p>%1</p>").arg(what->text().toHtmlEscaped()));
    const QString where = where_words(f, *evaluation_);
    cell(where_column)->setText(where);
    cell(where_column)->setToolTip(where);
    const std::size_t ways = f.remedies.size();
    auto* remedy = cell(remedy_column);
    remedy->setText(ways == 0   ? QString()
                    : ways == 1 ? remedy_label(f.remedies.front())
                                : tr("1 of %1: %2").arg(ways).arg(remedy_label(f.remedies.front())));
    auto* price = cell(price_column);
    price->setText(ways == 0 ? QString() : price_text(f.remedies.front()));
    QStringList all;
    for (const Remedy& r : f.remedies)
      all << remedy_text(r).toHtmlEscaped();
    for (QTableWidgetItem* item : {remedy, price})
      item->setToolTip(all.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(all.join(QStringLiteral("<br>"))));
    if (!f.waived) remedy->setForeground(theme().accent);
  }
  // The finding that was current stays so; when it is gone, no other takes its place.
  if (current < 0) {
    current_.clear();
    table_->clearSelection();
    table_->scrollToTop();
  }
  table_->setCurrentCell(current, current < 0 ? -1 : what_column);
  table_->resizeColumnToContents(severity_column);
  table_->resizeColumnToContents(rule_column);
  fit_columns();
  table_->setUpdatesEnabled(true);
  show_whole();
  filter_note_->setVisible(findings.empty() || shown < findings.size());
  filter_note_->setText(findings.empty() ? (evaluation_ ? tr("No rule complains.") : QString())
                        : shown < findings.size() ? tr("%1. Showing the first %2 of %3.").arg(summary()).arg(shown).arg(findings.size())
                                                  : summary());
  Q_EMIT summaryChanged(summary());
}

/// Where, remedy and its price get what their words need, up to a share of the table; What has the rest, in one line or
/// two.
void ChecksPanel::fit_columns() {
  const int room = table_->viewport()->width() - table_->columnWidth(severity_column) - table_->columnWidth(rule_column);
  if (room <= 0) return;
  const QFontMetrics fm = table_->fontMetrics();
  const int padding = 4 * spacing_unit, letter = fm.averageCharWidth();
  const auto width_of = [&](int row, int col) { return static_cast<int>(table_->item(row, col)->text().size()) * letter + padding; };
  const auto wanted = [&](int col) {
    int wide = fm.horizontalAdvance(table_->horizontalHeaderItem(col)->text()) + padding;
    for (int row = 0; row < table_->rowCount(); ++row) wide = std::max(wide, width_of(row, col));
    return wide;
  };
  const int where = std::min(wanted(where_column), room / 7), remedy = std::min(wanted(remedy_column), room / 5);
  const int price_title = fm.horizontalAdvance(table_->horizontalHeaderItem(price_column)->text()) + padding;
  const int price = std::max(std::min(wanted(price_column), room / 7), std::min(price_title, room / 4));
  table_->horizontalHeader()->resizeSection(where_column, where);
  table_->horizontalHeader()->resizeSection(remedy_column, remedy);
  table_->horizontalHeader()->resizeSection(price_column, price);
  const int widths[] = {room - where - remedy - price, where, remedy, price};
  const int one = fm.height() + 2 * spacing_unit, two = 2 * fm.lineSpacing() + 2 * spacing_unit;
  for (int row = 0; row < table_->rowCount(); ++row) {
    bool long_words = false;
    for (int col : {what_column, where_column, remedy_column, price_column})
      long_words = long_words || width_of(row, col) > widths[col - what_column];
    if (const int tall = long_words ? two : one; table_->rowHeight(row) != tall) table_->setRowHeight(row, tall);
  }
}

void ChecksPanel::show_whole() {
  const Finding* found = finding_at(table_->currentRow());
  if (!found) {
    const bool any = evaluation_ && !evaluation_->findings.empty();
    side_->setVisible(any);
    whole_->setText(tr("Choose a finding (F8): it stands here whole, with all of its remedies."));
    return;
  }
  const Finding& f = *found;
  QString text;
  if (const Rule* r = rule_of(f.code))
    text += QStringLiteral("<p style='margin:0 0 4px 0'><b>%1 %2</b></p>")
                .arg(QString::fromStdString(f.code), to_qstring(r->title).toHtmlEscaped());
  text += QStringLiteral("<p style='margin:0 0 4px 0'>%1</p>")
              .arg(table_->item(table_->currentRow(), what_column)->text().toHtmlEscaped());
  for (std::size_t i = 0; i < f.remedies.size(); ++i)
    text += QStringLiteral(
                "<p style='margin:0 0 4px 0'>%1 &nbsp;<a href='preview:%2'>%3</a> &nbsp;<a href='apply:%2'>%4</a></p>")
                .arg(remedy_text(f.remedies[i]).toHtmlEscaped())
                .arg(i)
                .arg(tr("Preview"), tr("Apply"));
  if (const QString where = where_words(f, *evaluation_); !where.isEmpty())
    text += QStringLiteral("<p style='margin:0 0 4px 0'>%1 %2</p>").arg(tr("Where:"), where.toHtmlEscaped());
  side_->show();
  whole_->setText(text);
  side_->ensureVisible(0, 0);
}

void ChecksPanel::setPreview(const SharedEvaluation& tried) {
  std::map<std::string, int> kept, present;
  if (tried)
    for (const Finding& f : tried->findings)
      ++kept[key_of(f).toStdString()];
  // What it brings and takes, of all findings, whether they have a row or not.
  std::vector<const Finding*> come, otherwise; // otherwise: found before, and of another severity now
  int gone_in_all = 0;
  if (tried && evaluation_) {
    std::map<std::string, QString> was;
    for (const Finding& f : evaluation_->findings) {
      ++present[key_of(f).toStdString()];
      was.emplace(key_of(f).toStdString(), severity_text(f));
    }
    for (const auto& [key, count] : present) {
      const auto it = kept.find(key);
      gone_in_all += std::max(0, count - (it == kept.end() ? 0 : it->second));
    }
    for (const Finding& f : tried->findings)
      if (--present[key_of(f).toStdString()] < 0) come.push_back(&f);
      else if (was[key_of(f).toStdString()] != severity_text(f)) otherwise.push_back(&f);
  }
  QStringList words, tips;
  const auto listed = [&](const std::vector<const Finding*>& findings) {
    QStringList codes;
    for (const Finding* f : findings) {
      const QString code = QStringLiteral("%1 %2").arg(severity_text(*f), QString::fromStdString(f->code));
      if (!codes.contains(code)) codes << code;
      if (tips.size() < 12)
        tips << QString::fromStdString(f->code) + QLatin1Char(' ') + screen_sentence(QString::fromStdString(f->message));
    }
    constexpr qsizetype named = 4;
    QString list = codes.mid(0, named).join(QStringLiteral(", "));
    if (codes.size() > named) list += QChar(0x2026);
    return QStringLiteral(" (%1)").arg(list);
  };
  const auto number = [](const std::vector<const Finding*>& findings) { return static_cast<qint64>(findings.size()); };
  if (!come.empty()) words << counted(number(come), tr("1 new finding"), tr("%1 new findings")) + listed(come);
  if (!otherwise.empty())
    words << counted(number(otherwise), tr("1 decided otherwise"), tr("%1 decided otherwise")) + listed(otherwise);
  if (gone_in_all > 0) words << counted(gone_in_all, tr("1 fewer, struck out"), tr("%1 fewer, struck out"));
  preview_note_->setText(tr("Preview, not kept: %1.")
                             .arg(words.isEmpty() ? tr("no finding comes or goes") : words.join(QStringLiteral(", "))));
  for (QString& tip : tips) tip = tip.toHtmlEscaped();
  preview_note_->setToolTip(
      tips.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(tips.join(QStringLiteral("<br>"))));
  preview_note_->setVisible(tried != nullptr);
  for (int row = 0; row < table_->rowCount(); ++row) {
    const Finding* f = finding_at(row);
    const bool gone = tried && f && !f->waived && --kept[key_of(*f).toStdString()] < 0;
    QFont font = table_->font();
    font.setStrikeOut(gone);
    for (const int col : {rule_column, what_column, where_column})
      table_->item(row, col)->setFont(font);
  }
}

/// In a narrow panel what stands beside the list stands below it, as high as three lines.
void ChecksPanel::stand_side_by_side() {
  const bool narrow = width() < fontMetrics().averageCharWidth() * 110;
  const Qt::Orientation wanted = narrow ? Qt::Vertical : Qt::Horizontal;
  side_->setMaximumHeight(narrow ? fontMetrics().lineSpacing() * 4 : QWIDGETSIZE_MAX);
  side_->setMinimumHeight(narrow ? fontMetrics().lineSpacing() * 3 : 0);
  if (split_->orientation() != wanted) split_->setOrientation(wanted);
}

bool ChecksPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_->viewport() && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)) fit_columns();
  return QWidget::eventFilter(watched, event);
}

void ChecksPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  stand_side_by_side();
}

QString ChecksPanel::summary() const {
  const FindingCounts n = evaluation_ ? count_of(evaluation_->findings) : FindingCounts{};
  const auto words = [](Count count, const QString& one, const QString& many) {
    return counted(static_cast<int>(count), one, many);
  };
  const QString dot = QStringLiteral(" \u00b7 ");
  QString s = words(n.errors, tr("1 error"), tr("%1 errors")) + dot +
              words(n.warnings, tr("1 warning"), tr("%1 warnings")) + dot + words(n.notes, tr("1 note"), tr("%1 notes"));
  if (n.undecided > 0) s += dot + tr("%1 undecided").arg(n.undecided);
  if (n.waived > 0) s += dot + tr("%1 waived").arg(n.waived);
  return s;
}

void ChecksPanel::showFinding(const QString& rule, const QString& place) {
  for (int row = 0; row < table_->rowCount(); ++row) {
    const Finding* f = finding_at(row);
    if (!f || QString::fromStdString(f->code) != rule || QString::fromStdString(waiver_place(*f)) != place) continue;
    table_->setCurrentCell(row, what_column);
    table_->scrollToItem(table_->item(row, what_column));
    return;
  }
}

void ChecksPanel::next(int step) {
  if (table_->rowCount() == 0) return;
  int row = table_->currentRow() + step;
  if (row < 0) row = table_->rowCount() - 1;
  if (row >= table_->rowCount()) row = 0;
  table_->setCurrentCell(row, what_column);
  activate(row);
}

} // namespace hallwright
