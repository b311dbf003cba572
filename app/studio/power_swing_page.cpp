// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_swing_page.h"

#include <QLabel>
#include <QVBoxLayout>

#include "app/studio/subject_workspace.h"
#include "power/training_swing.h"
#include "widgets/card_splitter.h"
#include "widgets/figure_text.h"
#include "widgets/one_line/power_trace_chart.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

constexpr double smoothing_efficiency = 0.95,
                 smoothing_floor = 0.8; ///< of a battery there and back; of the power while waiting
constexpr int steps_shown = 4;

QString with_capital(QString words) {
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}
std::vector<PowerTraceChart::Point> trace_points(const PowerTrace& trace, int periods) {
  std::vector<PowerTraceChart::Point> out;
  for (int k = 0; k < periods; ++k)
    for (const TracePoint& p : trace.points)
      out.push_back({in_seconds(p.at) + k * in_seconds(trace.period), in_watts(p.power)});
  return out;
}

} // namespace

PowerSwingPage::PowerSwingPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("power_swing"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  auto* charts = new CardSplitter(this);
  charts->setObjectName(QStringLiteral("power_swing_charts"));
  const auto chart = [&](const char* name) {
    auto* made = new PowerTraceChart(charts);
    made->setObjectName(QLatin1String(name));
    made->setEmptyText(
        tr("Choose a model and a layout in Training and draw racks: the job's power over time is shown here."));
    QWidget* card = make_card({}, made, charts);
    card->setMinimumSize(fontMetrics().averageCharWidth() * 34, fontMetrics().height() * 13);
    charts->addWidget(card);
    return made;
  };
  steps_ = chart("power_steps");
  checkpoints_ = chart("power_checkpoints");
  duration_ = chart("power_duration");
  column->addWidget(charts, 1);
  const auto words = [this](const char* name) {
    auto* l = new QLabel(this);
    l->setObjectName(QLatin1String(name));
    l->setWordWrap(true);
    l->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return l;
  };
  verdicts_ = words("power_verdicts");
  column->addWidget(make_card(tr("What the plant takes at once"), verdicts_, this));
  smoothing_ = words("power_smoothing");
  column->addWidget(make_card(tr("What would smooth it"), smoothing_, this));
}

QString PowerSwingPage::verdictText() const { return verdicts_->text(); }

void PowerSwingPage::setStudy(const std::shared_ptr<const OneLineStudy>& study) {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  const auto nothing = [&](const QString& why) {
    for (PowerTraceChart* c : {steps_, checkpoints_, duration_}) {
      c->clear();
      c->setEmptyText(why);
    }
    verdicts_->setText(why);
    smoothing_->setText(QStringLiteral("\u2013"));
  };
  const auto rhythm = training_rhythm(e->figures, *e->catalog);
  if (!rhythm) {
    nothing(QString::fromStdString(rhythm.error()) + QLatin1Char('.'));
    return;
  }
  std::vector<SwingLimit> limits;
  if (study) limits = swing_limits(e->design, study->line, PowerFlow(study->line));
  const auto swing = step_load_swing(*rhythm, limits);
  if (!swing) {
    nothing(QString::fromStdString(swing.error()) + QLatin1Char('.'));
    return;
  }
  std::vector<PowerTraceChart::Level> levels{{tr("mean"), in_watts(swing->mean), false}};
  for (const SwingLimit& l : limits)
    if (l.step)
      levels.push_back({tr("mean and the step of: %1,").arg(QString::fromStdString(l.name)),
                        in_watts(swing->mean) + in_watts(*l.step), true});
  steps_->setTrace(tr("Power over %1 steps").arg(steps_shown), tr("Time"), kind::time,
                   trace_points(swing->steps, steps_shown), levels);
  if (swing->checkpoints.points.size() > 1)
    checkpoints_->setTrace(tr("Power over one checkpoint interval"), tr("Time"), kind::time,
                           trace_points(swing->checkpoints, 1), {levels.front()});
  else {
    checkpoints_->clear();
    checkpoints_->setEmptyText(tr("No checkpoints are written: set a checkpoint interval in Reliability."));
  }
  std::vector<PowerTraceChart::Point> lasting;
  for (const LoadDuration& d :
       load_duration(swing->checkpoints.points.size() > 1 ? swing->checkpoints : swing->steps)) {
    if (lasting.empty() && d.share > 0.0) lasting.push_back({0.0, in_watts(d.power)});
    lasting.push_back({d.share, in_watts(d.power)});
  }
  duration_->setTrace(tr("How long the power is at least this"), tr("Share of the time"), kind::percent, lasting,
                      {levels.front()});

  QStringList lines;
  lines << tr("Steps swing by %1 between %2 and %3, %4 times a second; a checkpoint lets the power fall by %5.")
               .arg(screen_text(in_watts(swing->step_swing), kind::power),
                    screen_text(in_watts(swing->steps.smallest()), kind::power),
                    screen_text(in_watts(swing->steps.largest()), kind::power),
                    screen_number(base_value(swing->step_frequency), 'g', 3),
                    screen_text(in_watts(swing->checkpoint_swing), kind::power));
  for (const SwingVerdict& v : swing->verdicts) {
    const QString sentence = screen_sentence(QString::fromStdString(v.sentence)).toHtmlEscaped();
    lines << (v.too_much ? QStringLiteral("<span style='color:%1'>%2</span>").arg(theme().red.name(), sentence)
                         : sentence);
  }
  if (swing->verdicts.empty())
    lines << tr("Nothing limits steps yet: draw generators or UPS with ratings, or agree a ramp with the utility "
                "(Power chain, Utility ramp).");
  verdicts_->setText(lines.join(QStringLiteral("<br>")));
  lines.clear();
  for (const auto& option :
       {battery_smoothing(*rhythm, smoothing_efficiency, false), battery_smoothing(*rhythm, smoothing_efficiency, true),
        floor_smoothing(*rhythm, smoothing_floor), staggered_smoothing(*rhythm, 4)})
    if (option)
      lines << tr("%1: %2").arg(
          QStringLiteral("<b>%1</b>").arg(with_capital(QString::fromStdString(option->name)).toHtmlEscaped()),
          screen_sentence(QString::fromStdString(option->sentence)).toHtmlEscaped());
    else
      lines << QString::fromStdString(option.error()).toHtmlEscaped();
  smoothing_->setText(lines.join(QStringLiteral("<br>")));
}

} // namespace hallwright
