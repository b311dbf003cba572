// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
enum Column { severity_column, rule_column, what_column, where_column, remedy_column, column_count };
constexpr int finding_role = Qt::UserRole + 1;

/// Names that a finding's sentence may hold: of the things that it is about, and where they are.
QStringList names_in(const Finding& f, const Design& design) {
  QStringList out{QString::fromStdString(f.where)};
  constexpr std::size_t most = 100;
  for (std::size_t i = 0; i < std::min(most, f.entities.size()); ++i)
    out << QString::fromStdString(entity_name(design, f.entities[i]));
  return out;
}

QString remedy_text(const Remedy& r) {
  QString cost = r.cost_dollars ? screen_text(*r.cost_dollars, kind::money, 2) : ChecksPanel::tr("cost unknown");
  QString time = r.lead_time_weeks ? ChecksPanel::tr("%1 wk").arg(qRound(*r.lead_time_weeks)) : ChecksPanel::tr("lead time unknown");
  const QString label = screen_sentence(QString::fromStdString(r.edit.label));
  return label + QStringLiteral(": ") + cost + QStringLiteral(" \u00b7 ") + time;
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
  table_ = new QTableWidget(0, column_count, this);
  table_->setObjectName(QStringLiteral("checks_table"));
  table_->setAccessibleName(tr("Findings"));
  table_->setHorizontalHeaderLabels({tr("Severity"), tr("Rule"), tr("What"), tr("Where"), tr("Remedy: cost, lead time")});
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
  column->addWidget(table_, 1);
  whole_ = new QLabel(this);
  whole_->setObjectName(QStringLiteral("finding_whole"));
  whole_->setWordWrap(true);
  whole_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  whole_->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  whole_->hide();
  column->addWidget(whole_);
  connect(table_, &QTableWidget::currentCellChanged, this, [this] { show_whole(); });

  auto finding_at = [this](int row) -> const Finding* {
    if (!evaluation_ || row < 0 || row >= table_->rowCount()) return nullptr;
    const int i = table_->item(row, severity_column)->data(finding_role).toInt();
    return i >= 0 && i < static_cast<int>(evaluation_->findings.size()) ? &evaluation_->findings[static_cast<std::size_t>(i)] : nullptr;
  };
  auto activate = [this, finding_at](int row) {
    const Finding* f = finding_at(row);
    if (!f) return;
    const QString figure = f->figures.empty() ? QString() : QString::fromStdString(f->figures.front());
    Q_EMIT findingActivated(f->entities, figure);
  };
  connect(table_, &QTableWidget::cellClicked, this, [this, activate, finding_at](int row, int col) {
    const Finding* f = finding_at(row);
    if (f && col == remedy_column && !f->remedies.empty()) {
      const Edit edit = f->remedies.front().edit; // the evaluation may be replaced while the menu is open
      QMenu menu(this);
      auto* title = menu.addAction(remedy_text(f->remedies.front()));
      title->setEnabled(false);
      auto* preview = menu.addAction(tr("Preview"));
      auto* apply = menu.addAction(tr("Apply"));
      const QAction* chosen = menu.exec(QCursor::pos());
      if (chosen == preview) Q_EMIT remedyPreviewRequested(edit);
      if (chosen == apply) Q_EMIT remedyRequested(edit);
      return;
    }
    activate(row);
  });
  connect(table_, &QTableWidget::cellActivated, this, [activate](int row, int) { activate(row); });
  connect(table_, &QTableWidget::customContextMenuRequested, this, [this, finding_at, activate](const QPoint& at) {
    const int row = table_->rowAt(at.y());
    const Finding* f = finding_at(row);
    if (!f) return;
    const QString rule = QString::fromStdString(f->code), place = QString::fromStdString(waiver_place(*f));
    const std::vector<Remedy> remedies = f->remedies;
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
      if (chosen == action) Q_EMIT remedyPreviewRequested(edit);
    for (const auto& [action, edit] : applies)
      if (chosen == action) Q_EMIT remedyRequested(edit);
  });
}

void ChecksPanel::setEvaluation(const SharedEvaluation& evaluation) {
  evaluation_ = evaluation;
  const int current = table_->currentRow();
  table_->setUpdatesEnabled(false);
  const auto& findings = evaluation_ ? evaluation_->findings : std::vector<Finding>{};
  constexpr std::size_t shown_at_most = 500;
  const std::size_t shown = std::min(findings.size(), shown_at_most);
  table_->setRowCount(static_cast<int>(shown));
  const std::map<std::string_view, const Rule*> rules = [] {
    std::map<std::string_view, const Rule*> out;
    for (const Rule& r : all_rules()) out[r.code] = &r;
    return out;
  }();
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& f = findings[i];
    const int row = static_cast<int>(i);
    auto cell = [&](int col) {
      QTableWidgetItem* item = table_->item(row, col);
      if (!item) table_->setItem(row, col, item = new QTableWidgetItem);
      item->setForeground(f.waived ? theme().structure : theme().text);
      return item;
    };
    auto* severity = cell(severity_column);
    const QString image = f.severity == Severity::error ? QStringLiteral("checks-error") : f.severity == Severity::warning ? QStringLiteral("checks-warning") : QStringLiteral("checks-note");
    severity->setIcon(icon(image));
    severity->setText(f.waived ? tr("waived") : f.undecided ? tr("undecided") : f.severity == Severity::error ? tr("error") : f.severity == Severity::warning ? tr("warning") : tr("note"));
    severity->setData(finding_role, static_cast<int>(i));
    auto* rule = cell(rule_column);
    rule->setText(QString::fromStdString(f.code));
    if (auto it = rules.find(f.code); it != rules.end())
      rule->setToolTip(QStringLiteral("<b>%1</b><br>%2").arg(to_qstring(it->second->title).toHtmlEscaped(), to_qstring(it->second->help).toHtmlEscaped()));
    auto* what = cell(what_column);
    const QString message = screen_sentence(QString::fromStdString(f.message), names_in(f, evaluation_->design));
    what->setText(message + (f.waived ? tr(" (waived: %1)").arg(QString::fromStdString(f.waiver_reason)) : QString()));
    what->setToolTip(QStringLiteral("<p>%1</p>").arg(what->text().toHtmlEscaped()));
    cell(where_column)->setText(QString::fromStdString(f.where));
    cell(where_column)->setToolTip(QString::fromStdString(f.where));
    auto* remedy = cell(remedy_column);
    remedy->setText(f.remedies.empty() ? QString() : remedy_text(f.remedies.front()));
    remedy->setToolTip(remedy->text());
    if (!f.waived) remedy->setForeground(theme().accent);
  }
  if (current >= 0 && current < table_->rowCount()) {
    const QSignalBlocker quiet(table_);
    table_->setCurrentCell(current, what_column);
  }
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

/// Where and Remedy get what their words need, up to a share of the table; What has the rest, in one line or two.
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
  const int where = std::min(wanted(where_column), room / 5), remedy = std::min(wanted(remedy_column), room * 3 / 10);
  table_->horizontalHeader()->resizeSection(where_column, where);
  table_->horizontalHeader()->resizeSection(remedy_column, remedy);
  const int widths[] = {room - where - remedy, where, remedy};
  const int one = fm.height() + 2 * spacing_unit, two = 2 * fm.lineSpacing() + 2 * spacing_unit;
  for (int row = 0; row < table_->rowCount(); ++row) {
    bool long_words = false;
    for (int col : {what_column, where_column, remedy_column})
      long_words = long_words || width_of(row, col) > widths[col - what_column];
    if (const int tall = long_words ? two : one; table_->rowHeight(row) != tall) table_->setRowHeight(row, tall);
  }
}

void ChecksPanel::show_whole() {
  const int row = table_->currentRow();
  const QTableWidgetItem* item = evaluation_ && row >= 0 ? table_->item(row, severity_column) : nullptr;
  const int i = item ? item->data(finding_role).toInt() : -1;
  if (i < 0 || i >= static_cast<int>(evaluation_->findings.size())) {
    whole_->hide();
    return;
  }
  const Finding& f = evaluation_->findings[static_cast<std::size_t>(i)];
  QString text = table_->item(row, what_column)->text().toHtmlEscaped();
  if (!f.where.empty()) text += QStringLiteral(" <b>") + tr("Where:") + QStringLiteral("</b> ") + to_qstring(f.where).toHtmlEscaped();
  for (const Remedy& r : f.remedies) text += QStringLiteral(" <b>") + tr("Remedy:") + QStringLiteral("</b> ") + remedy_text(r).toHtmlEscaped();
  whole_->setText(text);
  whole_->show();
}

bool ChecksPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_->viewport() && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)) fit_columns();
  return QWidget::eventFilter(watched, event);
}

QString ChecksPanel::summary() const {
  int errors = 0, warnings = 0, notes = 0, waived = 0;
  if (evaluation_)
    for (const Finding& f : evaluation_->findings) {
      if (f.waived) ++waived;
      else if (f.severity == Severity::error) ++errors;
      else if (f.severity == Severity::warning) ++warnings;
      else ++notes;
    }
  const QString dot = QStringLiteral(" \u00b7 ");
  QString s = counted(errors, tr("1 error"), tr("%1 errors")) + dot + counted(warnings, tr("1 warning"), tr("%1 warnings")) + dot +
              counted(notes, tr("1 note"), tr("%1 notes"));
  if (waived > 0) s += dot + tr("%1 waived").arg(waived);
  return s;
}

void ChecksPanel::next(int step) {
  if (table_->rowCount() == 0) return;
  int row = table_->currentRow() + step;
  if (row < 0) row = table_->rowCount() - 1;
  if (row >= table_->rowCount()) row = 0;
  table_->setCurrentCell(row, what_column);
  if (!evaluation_) return;
  const Finding& f = evaluation_->findings[static_cast<std::size_t>(row)];
  Q_EMIT findingActivated(f.entities, f.figures.empty() ? QString() : QString::fromStdString(f.figures.front()));
}

} // namespace hallwright
