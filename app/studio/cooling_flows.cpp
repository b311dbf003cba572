// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_workspace.h"

#include <algorithm>

#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/studio/cooling_words.h"
#include "cooling/unit_pump_curve.h"
#include "widgets/figure_text.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/loop_schematic/rack_flow_bars.h"
#include "widgets/theme.h"

/// The cards of the cooling workspace with the flow of racks and the curve of pumps.
namespace hallwright {

using namespace cooling_words;

QWidget* CoolingWorkspace::make_flow_card() {
  flows_ = new loops::RackFlowBars(pages_);
  flows_->setEmptyText(tr("Flows of racks appear when the pipes of the loop are drawn."));
  connect(flows_, &loops::RackFlowBars::rackActivated, this, [this](int rack) {
    if (shown_ && rack >= 0 && rack < static_cast<int>(shown_->racks.size()))
      Q_EMIT selectionRequested({{"racks", shown_->racks[static_cast<std::size_t>(rack)].rack}});
  });
  return flows_;
}

QWidget* CoolingWorkspace::make_pump_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  unit_ = new QComboBox(card);
  unit_->setObjectName(QStringLiteral("cooling_unit"));
  unit_->setAccessibleName(tr("Distribution unit"));
  unit_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(unit_, &QComboBox::activated, this, [this] { show_pumps(); });
  row->addWidget(unit_);
  pump_words_ = new QLabel(card);
  pump_words_->setObjectName(QStringLiteral("secondary"));
  pump_words_->setWordWrap(true);
  row->addWidget(pump_words_, 1);
  column->addLayout(row);
  pump_chart_ = new loops::LineChart(card);
  pump_chart_->setObjectName(QStringLiteral("pump_curve"));
  pump_chart_->setAccessibleName(tr("Pump curve with the working point"));
  pump_chart_->setAxes(tr("Flow, L/min"), tr("Pressure rise, kPa"));
  pump_chart_->setEmptyText(tr("The pump curve appears when the loop is solved."));
  column->addWidget(pump_chart_, 1);
  return card;
}

void CoolingWorkspace::show_flows() {
  std::vector<loops::RackBar> bars;
  if (shown_ && (solution_ || !is_healthy(operation())))
    for (std::size_t i = 0; i < shown_->racks.size(); ++i) {
      loops::RackBar b{QString::fromStdString(shown_->racks[i].name), 0, shown_->racks[i].need_m3_per_s, false};
      if (solution_) b.flow_m3_per_s = solution_->racks[i].flow_m3_per_s, b.flowing = solution_->racks[i].flowing;
      bars.push_back(std::move(b));
    }
  flows_->setRacks(std::move(bars));
}

void CoolingWorkspace::show_pumps() {
  if (!shown_) return;
  QStringList names, present;
  for (const LoopUnit& u : shown_->units)
    names << QString::fromStdString(u.name);
  for (int i = 0; i < unit_->count(); ++i)
    present << unit_->itemText(i);
  if (names != present) {
    unit_->clear();
    unit_->addItems(names);
  }
  const int index = std::max(0, unit_->currentIndex());
  const auto at = static_cast<std::size_t>(index);
  if (at >= shown_->units.size()) return;
  const LoopUnit& u = shown_->units[at];
  const LoopOperation& o = operation();
  const auto stopped = o.pumps_out.find(u.unit);
  const int all = static_cast<int>(u.pumps.size());
  const int running = o.units_out.count(u.unit) || !solution_
                          ? 0
                          : all - (stopped == o.pumps_out.end() ? 0 : std::min(stopped->second, all));
  const double speed = solution_ ? solution_->speed : 1.0;
  const auto line = [&](const QString& name, int pumps, double at_speed, bool dashed, const QColor& color) {
    loops::ChartLine out{name, color, {}, dashed};
    for (const UnitCurvePoint& p : unit_pump_curve(*shown_, at, pumps, at_speed))
      out.points.push_back({p.flow_m3_per_s * liters_per_minute_each, p.head_pa / 1000.0});
    return out;
  };
  const Theme& t = theme();
  std::vector<loops::ChartLine> lines;
  if (running > 0)
    lines.push_back(line(tr("%1 of %2 pumps at %3 speed").arg(running).arg(all).arg(percent_words(speed)), running,
                         speed, false, t.accent));
  lines.push_back(line(tr("All %1 pumps at full speed").arg(all), all, 1.0, true, t.structure));
  std::vector<loops::ChartPoint> points;
  QString words;
  if (running > 0) {
    const UnitWork& w = solution_->units[at];
    points.push_back(
        {{w.flow_m3_per_s * liters_per_minute_each, w.head_pa / 1000.0},
         QStringLiteral("%1, %2").arg(litres(w.flow_m3_per_s), screen_text(w.head_pa, kind::pressure, 3, "kPa"))});
    words = tr("%1 electrical, at %2 of the flow at which no pressure is left")
                .arg(screen_text(w.pump_power_w, kind::power, 3), percent_words(w.curve_share));
  } else
    words = tr("The unit stands still.");
  pump_words_->setText(words);
  pump_chart_->setLines(std::move(lines), {}, std::move(points));
}

} // namespace hallwright
