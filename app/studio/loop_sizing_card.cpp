// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/loop_sizing_card.h"

#include <cmath>

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "cooling/loop_sizing.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace hallwright {

LoopSizingCard::LoopSizingCard(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("loop_sizing"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* bar = new QWidget(this);
  auto* row = new FlowLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * spacing_unit);
  const auto edit = [&](const QString& title, const QString& name) {
    auto* label = new QLabel(title, bar);
    auto* e = new QLineEdit(bar);
    e->setObjectName(name);
    e->setAccessibleName(title);
    e->setMaximumWidth(fontMetrics().averageCharWidth() * 18);
    label->setBuddy(e);
    row->addWidget(label);
    row->addWidget(e);
    connect(e, &QLineEdit::editingFinished, this, &LoopSizingCard::fill);
    return e;
  };
  heat_ = edit(tr("Heat"), QStringLiteral("sizing_heat"));
  flow_ = edit(tr("Flow"), QStringLiteral("sizing_flow"));
  velocity_ = edit(tr("Velocity at most"), QStringLiteral("sizing_velocity"));
  redundancy_ = new QComboBox(bar);
  redundancy_->setObjectName(QStringLiteral("sizing_redundancy"));
  redundancy_->setAccessibleName(tr("Redundancy"));
  redundancy_->addItems({QStringLiteral("N"), QStringLiteral("N+1"), QStringLiteral("2N")});
  redundancy_->setCurrentIndex(1);
  row->addWidget(redundancy_);
  connect(redundancy_, &QComboBox::activated, this, &LoopSizingCard::fill);
  use_ = new QPushButton(tr("Use this unit in the design"), bar);
  use_->setObjectName(QStringLiteral("sizing_use"));
  connect(use_, &QPushButton::clicked, this, &LoopSizingCard::use);
  row->addWidget(use_);
  column->addWidget(bar);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("sizing_words"));
  words_->setWordWrap(true);
  column->addWidget(words_);
  table_ = new QTableWidget(0, 8, this);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setObjectName(QStringLiteral("sizing_table"));
  table_->setAccessibleName(tr("Distribution units for this loop, the fewest first"));
  table_->setHorizontalHeaderLabels({tr("Unit"), tr("Needed"), tr("By duty"), tr("By flow"), tr("Binding"),
                                     tr("Load of each"), tr("Connection"), tr("Side by side")});
  for (const int c : {1, 2, 3, 5, 6, 7})
    table_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (const int c : {0, 4})
    table_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int at) { use_->setEnabled(at >= 0); });
  column->addWidget(table_, 1);
}

QString LoopSizingCard::pipeWords() const { return words_->text(); }

void LoopSizingCard::setLoop(const QString& name, double heat, double flow) {
  heat_w_ = heat;
  flow_m3_per_s_ = flow;
  heat_->setPlaceholderText(screen_text(heat, kind::power));
  flow_->setPlaceholderText(screen_text(flow, kind::volume_flow, 3, "L/min"));
  heat_->setToolTip(tr("Empty: %1, the heat of the racks of %2 to liquid").arg(heat_->placeholderText(), name));
  flow_->setToolTip(tr("Empty: %1, what the racks of %2 need").arg(flow_->placeholderText(), name));
  fill();
}

void LoopSizingCard::fill() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  LoopDemand d;
  d.heat_w = heat_w_;
  d.flow_m3_per_s = flow_m3_per_s_;
  d.fluid_part = e->design.cooling_plant->fluid_part;
  d.velocity_m_per_s = stated_value(*e->catalog, "cooling.pipe_velocity_practice", kind::velocity, 2.4);
  velocity_->setPlaceholderText(screen_text(d.velocity_m_per_s, kind::velocity, 3, "m/s"));
  d.redundancy = static_cast<Redundancy>(redundancy_->currentIndex());
  const auto refuse = [&](const std::string& sentence) {
    words_->setText(screen_sentence(QString::fromStdString(sentence)));
    table_->setRowCount(0);
    use_->setEnabled(false);
  };
  const auto take = [&](QLineEdit* from, const Kind& kind, const char* unit, double& into) {
    if (from->text().trimmed().isEmpty()) return true;
    const auto v = parse_quantity(from->text().toStdString(), kind, screen_decimal_mark(), unit);
    if (!v) {
      refuse(v.error());
      return false;
    }
    into = *v;
    return true;
  };
  if (!take(heat_, kind::power, "kW", d.heat_w) || !take(flow_, kind::volume_flow, "L/min", d.flow_m3_per_s) ||
      !take(velocity_, kind::velocity, "m/s", d.velocity_m_per_s))
    return;
  const auto sized = loop_sizing(*e->catalog, d);
  if (!sized) return refuse(sized.error() + ".");
  parts_.clear();
  QString words;
  if (!(d.flow_m3_per_s > 0))
    words = tr("The racks of this loop need no coolant yet: place liquid-cooled racks, or type a heat and a flow.");
  else if (sized->header_fits)
    words = tr("One header for %1: inner diameter %2, the coolant runs at %3.")
                .arg(screen_text(d.flow_m3_per_s, kind::volume_flow, 3, "L/min"),
                     screen_text(sized->header_bore_m, kind::length, 4, "mm"),
                     screen_text(sized->header_velocity_m_per_s, kind::velocity, 3, "m/s"));
  else
    words = tr("One header is too little for %1: even %2 would run at %3. Split the loop.")
                .arg(screen_text(d.flow_m3_per_s, kind::volume_flow, 3, "L/min"),
                     screen_text(sized->header_bore_m, kind::length, 4, "mm"),
                     screen_text(sized->header_velocity_m_per_s, kind::velocity, 3, "m/s"));
  words_->setText(words);
  // What one carries while those that are there for redundancy stand.
  auto* load = table_->horizontalHeaderItem(5);
  load->setText(d.redundancy == Redundancy::n_plus_1 ? tr("Load of each, one out")
                : d.redundancy == Redundancy::two_n  ? tr("Load of each, half out")
                                                     : tr("Load of each"));
  load->setToolTip(d.redundancy == Redundancy::n ? tr("Of its rated duty or flow, whichever is more")
                                                 : tr("Of its rated duty or flow, whichever is more, while the "
                                                      "units that are there for redundancy are out"));
  table_->clearContents();
  table_->setRowCount(static_cast<int>(sized->units.size()));
  const auto cell = [&](int r, int c, const QString& text, bool number) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    item->setToolTip(text);
    table_->setItem(r, c, item);
  };
  for (int r = 0; r < static_cast<int>(sized->units.size()); ++r) {
    const UnitChoice& c = sized->units[static_cast<std::size_t>(r)];
    parts_.push_back(c.part);
    cell(r, 0, QString::fromStdString(c.name), false);
    cell(r, 1, QString::number(c.needed), true);
    cell(r, 2, c.by_duty > 0 ? QString::number(c.by_duty) : tr("unknown"), true);
    cell(r, 3, c.by_flow > 0 ? QString::number(c.by_flow) : tr("unknown"), true);
    cell(r, 4, c.duty_binds ? tr("duty") : tr("flow"), false);
    cell(r, 5, screen_number(std::round(c.load_share * 100), 'f', 0) + QStringLiteral(" %"), true);
    cell(r, 6, screen_text(c.connection_bore_m, kind::length, 4, "mm"), true);
    cell(r, 7, c.floor_m > 0 ? screen_text(c.floor_m, kind::length, 3, "m") : QStringLiteral("\u2013"), true);
  }
  use_->setEnabled(table_->currentRow() >= 0);
}

void LoopSizingCard::use() {
  const int at = table_->currentRow();
  if (at < 0 || at >= static_cast<int>(parts_.size())) return;
  const std::string part = parts_[static_cast<std::size_t>(at)];
  const auto redundancy = static_cast<Redundancy>(redundancy_->currentIndex());
  Q_EMIT editRequested({"Use " + table_->item(at, 0)->text().toStdString() + " as the unit of the design",
                        [part, redundancy](const Design& d) -> Edited {
                          Design out = d;
                          CoolingPlant plant = *d.cooling_plant;
                          plant.cdu_part = part;
                          plant.redundancy = redundancy;
                          out.cooling_plant = share(std::move(plant));
                          return out;
                        }});
}

} // namespace hallwright
