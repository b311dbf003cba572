// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_lists_page.h"

#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/studio/subject_workspace.h"
#include "power/drawn_faults.h"
#include "power/panel_schedule.h"
#include "power/restoration_order.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

PowerListsPage::PowerListsPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("power_lists"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->tabBar()->setAccessibleName(tr("Lists of the power chain"));
  const auto table = [&](const char* name, const QString& title, const QString& empty) {
    auto* made = new FigureTable(tabs_);
    made->setObjectName(QLatin1String(name));
    made->setEmptyText(empty);
    connect(made, &FigureTable::rowsSelected, this, &PowerListsPage::selectionRequested);
    tabs_->addTab(made, title);
    return made;
  };
  panels_ = table("power_panels", tr("Panel schedule"),
                  tr("Let racks name busways or distribution units as their feeds: each tap is a row here."));
  loads_ = table("power_loads", tr("Load list"), tr("Place racks: each is a row here."));
  faults_ = table("power_faults", tr("Short circuits"),
                  tr("Draw the one-line with voltages: the short-circuit current at each unit is listed here."));
  auto* back = new QWidget(tabs_);
  auto* column = new QVBoxLayout(back);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  words_ = new QLabel(back);
  words_->setObjectName(QStringLiteral("power_restoration_words"));
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(words_);
  restoration_ = new FigureTable(back);
  restoration_->setObjectName(QStringLiteral("power_restoration"));
  restoration_->setEmptyText(
      tr("Draw the one-line and put racks on it: the way back after a blackout is listed here."));
  connect(restoration_, &FigureTable::rowsSelected, this, &PowerListsPage::selectionRequested);
  column->addWidget(restoration_, 1);
  tabs_->addTab(back, tr("After a blackout"));
  QWidget* card = make_card({}, tabs_, this);
  card->setMinimumHeight(fontMetrics().height() * 20);
  outer->addWidget(card, 1);
}

void PowerListsPage::setStudy(const std::shared_ptr<const OneLineStudy>& study) {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  if (!study) {
    for (FigureTable* t : {panels_, loads_, faults_, restoration_})
      t->setTable(nullptr);
    words_->clear();
    return;
  }
  const Table panels = panel_schedule(drawn_busways(e->design, study->line, *e->catalog), e->design);
  const Table loads = load_list(e->design, study->line);
  panels_->setTable(panels.row_count() > 0 ? &panels : nullptr);
  loads_->setTable(loads.row_count() > 0 ? &loads : nullptr);
  const Table faults = fault_table(e->design, study->line);
  faults_->setTable(&faults);
  const RestorationPlan plan = restoration_plan(e->design, study->line);
  const auto back = hallwright::restoration(study->line, plan);
  if (!back) {
    words_->setText(QString::fromStdString(back.error()) + QLatin1Char('.'));
    restoration_->setTable(nullptr);
    return;
  }
  QStringList lines;
  lines << tr("%1 steps in %2; %3 at once at most, of %4 allowed. Coolant flows for %5 before racks start.")
               .arg(screen_number(static_cast<qint64>(back->steps.size())),
                    screen_text(in_seconds(back->duration), kind::time),
                    screen_text(in_watts(back->largest_step), kind::power),
                    screen_text(in_watts(plan.largest_step), kind::power),
                    screen_text(in_seconds(plan.cooling_lead), kind::time));
  for (const std::string& r : back->refused)
    lines << QStringLiteral("<span style='color:%1'>%2</span>")
                 .arg(theme().red.name(), screen_sentence(QString::fromStdString(r)).toHtmlEscaped());
  words_->setText(lines.mid(0, 6).join(QStringLiteral("<br>")));
  const Table steps = restoration_table(*back);
  restoration_->setTable(steps.row_count() > 0 ? &steps : nullptr);
}

void PowerListsPage::showSelection() {
  panels_->setSelection(document_.selection());
  loads_->setSelection(document_.selection());
  faults_->setSelection(document_.selection());
}

} // namespace hallwright
