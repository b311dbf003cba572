// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_workspace.h"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/cooling_words.h"
#include "cooling/facility_water.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

/// The card of the cooling workspace with every single failure of a loop.
namespace hallwright {

using namespace cooling_words;

namespace {

QString failure_kind_words(LoopFailureKind kind) {
  switch (kind) {
  case LoopFailureKind::unit:
    return CoolingWorkspace::tr("Unit");
  case LoopFailureKind::pump:
    return CoolingWorkspace::tr("Pump");
  case LoopFailureKind::section:
    return CoolingWorkspace::tr("Pipe section");
  case LoopFailureKind::rack_valve:
    return CoolingWorkspace::tr("Rack valve");
  case LoopFailureKind::facility:
    return CoolingWorkspace::tr("Facility water");
  }
  return {};
}
QTableWidgetItem* failure_cell(const QString& text, bool number) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  item->setToolTip(text);
  return item;
}
/// Why the loop does not hold with a failure.
QString failure_reason(const LoopFailure& f) {
  QStringList out;
  const LoopSummary& s = f.summary;
  const auto racks = [](std::size_t n, const QString& one, const QString& many) {
    return n == 1 ? one : many.arg(static_cast<qulonglong>(n));
  };
  if (f.lost_racks > 0 && f.behind)
    out << racks(f.lost_racks, CoolingWorkspace::tr("1 unit loses its facility water"),
                 CoolingWorkspace::tr("%1 units lose their facility water"));
  else if (f.lost_racks > 0)
    out << racks(f.lost_racks, CoolingWorkspace::tr("1 rack loses its coolant"),
                 CoolingWorkspace::tr("%1 racks lose their coolant"));
  if (f.solved) {
    if (s.short_racks > 0 && f.behind)
      out << racks(s.short_racks, CoolingWorkspace::tr("1 unit short of facility water"),
                   CoolingWorkspace::tr("%1 units short of facility water"));
    else if (s.short_racks > 0)
      out << racks(s.short_racks, CoolingWorkspace::tr("1 rack short of flow"),
                   CoolingWorkspace::tr("%1 racks short of flow"));
    if (s.warm_racks > 0)
      out << QStringLiteral("%1, %2 \u00b0C")
                 .arg(racks(s.warm_racks, CoolingWorkspace::tr("1 rack with too warm coolant"),
                            CoolingWorkspace::tr("%1 racks with too warm coolant")),
                      screen_number(s.hottest_supply_c, 'f', 1));
    if (s.largest_duty_share > 1.0)
      out << CoolingWorkspace::tr("an exchanger at %1 of what it carries").arg(percent_words(s.largest_duty_share));
    if (f.behind && f.behind->warm_racks > 0)
      out << QStringLiteral("%1, %2 \u00b0C")
                 .arg(racks(f.behind->warm_racks, CoolingWorkspace::tr("1 rack with too warm coolant"),
                            CoolingWorkspace::tr("%1 racks with too warm coolant")),
                      screen_number(f.behind->hottest_supply_c, 'f', 1));
    if ((!s.temperatures_known || (f.behind && !f.behind->temperatures_known)) && !f.trouble.empty())
      out << screen_sentence(QString::fromStdString(f.trouble));
  }
  if (out.isEmpty() && !f.trouble.empty()) out << screen_sentence(QString::fromStdString(f.trouble));
  return out.join(QStringLiteral("; "));
}

} // namespace

QWidget* CoolingWorkspace::make_failures_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  failures_words_ = new QLabel(card);
  failures_words_->setObjectName(QStringLiteral("secondary"));
  failures_words_->setWordWrap(true);
  row->addWidget(failures_words_, 1);
  sweep_ = new QPushButton(tr("Try every single failure"), card);
  sweep_->setObjectName(QStringLiteral("cooling_sweep_button"));
  connect(sweep_, &QPushButton::clicked, this, [this] { sweeping_ ? stop_sweep() : start_sweep(); });
  row->addWidget(sweep_, 0, Qt::AlignTop);
  column->addLayout(row);
  failures_ = new QTableWidget(0, 8, card);
  failures_->setTextElideMode(Qt::ElideMiddle);
  failures_->setObjectName(QStringLiteral("cooling_failures"));
  failures_->setAccessibleName(tr("Single failures of the loop, least headroom first"));
  failures_->setHorizontalHeaderLabels({tr("Out"), tr("Kind"), tr("Headroom"), tr("Worst rack"), tr("Its share"),
                                        tr("Racks short"), tr("Racks dry"), tr("Why it does not hold")});
  for (int c = 2; c < 7; ++c)
    failures_->horizontalHeaderItem(c)->setTextAlignment((c == 3 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  failures_->setSelectionBehavior(QAbstractItemView::SelectRows);
  failures_->setSelectionMode(QAbstractItemView::SingleSelection);
  failures_->verticalHeader()->hide();
  failures_->setAlternatingRowColors(false);
  failures_->setShowGrid(false);
  failures_->setWordWrap(false);
  failures_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  failures_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeaderItem(7)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  failures_->horizontalHeader()->setSectionResizeMode(7, QHeaderView::Stretch);
  connect(failures_, &QTableWidget::currentCellChanged, this, [this](int rowAt, int, int, int) {
    if (!syncing_) show_case(rowAt);
  });
  column->addWidget(failures_, 1);
  return card;
}

void CoolingWorkspace::start_sweep() {
  if (!shown_) return;
  stop_.request_stop();
  stop_ = std::stop_source();
  sweeping_ = true;
  const quint64 generation = ++sweep_generation_;
  sweep_->setText(tr("Cancel"));
  failures_words_->setText(shown_->facility
                               ? tr("Every unit, pump, pipe section and valve is tried, and what racks feel of it\u2026")
                               : tr("Every unit, pump, pipe section, rack valve and facility water is tried, and every failure of a loop of facility water that reaches it\u2026"));
  struct Answer {
    std::shared_ptr<const LoopFailures> failures;
    std::string trouble;
    bool stopped = false;
  };
  run_in_background(
      pool_, this,
      [loop = shown_, served = served_, water = most_water_, upstream = upstream_loop_, place = upstream_place_,
       hang = upstream_loop_ ? loops_that_hang_on(*document_.evaluation()->loops, *upstream_loop_) : std::vector<Shared<DrawnLoop>>{},
       stop = stop_.get_token()] {
        Answer out;
        LoopSolver solver;
        auto f = served.empty() ? loop_failures(solver, loop, {}, stop, water)
                                : FacilityCoupling(loop, served).failures({}, stop);
        if (f && upstream && !stop.stop_requested()) {
          if (auto felt = FacilityCoupling(upstream, hang).failures_felt(place, stop))
            f->cases.insert(f->cases.end(), felt->begin(), felt->end());
          else
            out.trouble = felt.error();
        }
        out.stopped = stop.stop_requested();
        if (f)
          out.failures = std::make_shared<const LoopFailures>(*std::move(f));
        else
          out.trouble = f.error();
        return out;
      },
      [this, generation, loop = shown_](const Answer& a) {
        if (generation != sweep_generation_) return;
        sweeping_ = false;
        sweep_->setText(tr("Try every single failure"));
        if (a.stopped) {
          failures_words_->setText(tr("Cancelled."));
          return;
        }
        sweep_of_ = a.failures;
        swept_ = loop;
        show_failures();
        if (!a.trouble.empty()) failures_words_->setText(screen_sentence(QString::fromStdString(a.trouble)));
      });
}

void CoolingWorkspace::stop_sweep() { stop_.request_stop(); }

void CoolingWorkspace::show_failures() {
  if (!sweep_of_ || swept_ != shown_ || !shown_) {
    if (swept_ != shown_) {
      failures_->setRowCount(0);
      if (!sweeping_) failures_words_->setText(shown_ ? tr("Not tried yet for this loop.") : QString());
    }
    return;
  }
  if (failures_->property("of").value<quintptr>() == reinterpret_cast<quintptr>(sweep_of_.get()) &&
      failures_->rowCount() > 0)
    return;
  failures_->setProperty("of", QVariant::fromValue(reinterpret_cast<quintptr>(sweep_of_.get())));
  syncing_ = true;
  const auto& cases = sweep_of_->cases;
  sweep_order_.resize(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    sweep_order_[i] = i;
  std::stable_sort(sweep_order_.begin(), sweep_order_.end(),
                   [&](std::size_t a, std::size_t b) { return cases[a].headroom < cases[b].headroom; });
  failures_->clearContents();
  failures_->setRowCount(static_cast<int>(cases.size()));
  qlonglong broken = 0;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const LoopFailure& f = cases[sweep_order_[row]];
    if (!f.holds) ++broken;
    const int r = static_cast<int>(row);
    auto* name = failure_cell(QString::fromStdString(f.name), false);
    if (!f.holds) name->setForeground(theme().red);
    if (!f.trouble.empty()) name->setToolTip(screen_sentence(QString::fromStdString(f.trouble)));
    failures_->setItem(r, 0, name);
    failures_->setItem(r, 1, failure_cell(failure_kind_words(f.kind), false));
    failures_->setItem(
        r, 2,
        failure_cell(f.headroom <= -1.0 ? tr("none") : screen_number(f.headroom * 100, 'f', 1) + QStringLiteral(" %"),
                     true));
    const bool some = f.solved && f.summary.worst_rack != 0;
    failures_->setItem(r, 3, failure_cell(some ? rack_name(f.summary.worst_rack) : QString(), false));
    failures_->setItem(r, 4, failure_cell(some ? percent_words(f.summary.least_share) : QString(), true));
    failures_->setItem(r, 5, failure_cell(f.solved ? QString::number(f.summary.short_racks) : QString(), true));
    failures_->setItem(r, 6, failure_cell(f.solved ? QString::number(f.summary.dry_racks) : QString(), true));
    failures_->setItem(r, 7, failure_cell(f.holds ? QString() : failure_reason(f), false));
  }
  syncing_ = false;
  failures_words_->setText(
      tr("%1 single failures tried with pumps at full speed: %2. A row shows its case on the schematic.")
          .arg(cases.size())
          .arg(broken == 0 ? tr("the loop holds with every one of them") : tr("%1 do not hold").arg(broken)));
}

void CoolingWorkspace::show_case(int row) {
  if (!sweep_of_ || swept_ != shown_ || row < 0 || row >= static_cast<int>(sweep_order_.size())) return;
  const LoopFailure& f = sweep_of_->cases[sweep_order_[static_cast<std::size_t>(row)]];
  // Of the loop itself, or of its facility water, which is then what is out.
  const DrawnLoop& of = f.of_loop != 0 && upstream_loop_ ? *upstream_loop_ : *shown_;
  LoopOperation o;
  switch (f.kind) {
  case LoopFailureKind::unit:
    o.units_out.insert(f.thing.id);
    break;
  case LoopFailureKind::pump:
    o.pumps_out[f.thing.id] = 1;
    break;
  case LoopFailureKind::facility:
    o.facility_out.insert(f.thing.id);
    break;
  case LoopFailureKind::rack_valve:
    o.racks_shut.insert(f.thing.id);
    break;
  case LoopFailureKind::section:
    for (std::size_t s = 0; s < of.sections.size(); ++s)
      if (of.sections[s].pipe == f.thing.id &&
          (of.sections[s].name == f.name || (f.of_loop != 0 && f.name.starts_with(of.sections[s].name + " ("))))
        o.sections_shut.insert(s);
    break;
  }
  if (!is_healthy(water_operation())) {
    operations_.erase(shown_->facility_loop);
    out_of_.erase(shown_->facility_loop);
  }
  if (f.of_loop != 0) {
    operation_here() = {};
    operations_[f.of_loop] = std::move(o);
  } else
    operation_here() = std::move(o);
  changed_operation();
}

} // namespace hallwright
