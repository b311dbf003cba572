// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_workspace.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/cooling_words.h"
#include "cooling/loop_transient.h"
#include "cooling/unit_feeds.h"
#include "widgets/figure_text.h"
#include "widgets/loop_schematic/line_chart.h"
#include "widgets/theme.h"

/// The card of the cooling workspace with the seconds after a loss, their clock and what must act.
namespace hallwright {

using namespace cooling_words;

QWidget* CoolingWorkspace::make_seconds_card() {
  auto* card = new QWidget(pages_);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, spacing_unit, 0, 0);
  auto* row = new QHBoxLayout;
  losses_ = new QComboBox(card);
  losses_->setObjectName(QStringLiteral("cooling_loss"));
  losses_->setAccessibleName(tr("What is lost"));
  losses_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(losses_, &QComboBox::activated, this, [this] {
    stop_playing();
    show_seconds();
    ask_responses();
  });
  row->addWidget(losses_);
  chillers_ = new QCheckBox(tr("Chillers reject the heat (else dry coolers)"), card);
  chillers_->setObjectName(QStringLiteral("cooling_chillers"));
  connect(chillers_, &QCheckBox::toggled, this, [this] {
    stop_playing();
    show_seconds();
    ask_responses();
  });
  row->addWidget(chillers_);
  row->addStretch(1);
  column->addLayout(row);
  auto* split = new QSplitter(Qt::Horizontal, card);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(2 * spacing_unit);
  seconds_chart_ = new loops::LineChart(split);
  seconds_chart_->setObjectName(QStringLiteral("loss_seconds"));
  seconds_chart_->setAccessibleName(tr("Temperatures over the seconds after a loss"));
  seconds_chart_->setAxes(tr("Time after the loss, s"), tr("Rise, K"));
  seconds_chart_->setEmptyText(tr("Fail something on the schematic, or choose what is lost."));
  seconds_chart_->setWhatsThis(tr("Rise of temperatures over those of the steady state before the loss."));
  split->addWidget(seconds_chart_);
  auto* scroll = new QScrollArea(split);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  responses_ = new QLabel(scroll);
  responses_->setObjectName(QStringLiteral("cooling_responses"));
  responses_->setWordWrap(true);
  responses_->setTextFormat(Qt::RichText);
  responses_->setAlignment(Qt::AlignTop);
  responses_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  responses_->setContentsMargins(spacing_unit, 0, spacing_unit, 0);
  auto* clear = new QWidget(scroll);
  clear->setObjectName(QStringLiteral("clear"));
  auto* clear_column = new QVBoxLayout(clear);
  clear_column->setContentsMargins(0, 0, 0, 0);
  clear_column->addWidget(responses_);
  clear_column->addStretch(1);
  scroll->setWidget(clear);
  scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
  split->addWidget(scroll);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setSizes({600, 400});
  column->addWidget(split, 1);
  return card;
}

void CoolingWorkspace::fill_losses() {
  const QVariant present = losses_->currentData();
  losses_->clear();
  losses_->addItem(tr("What is out on the schematic"), static_cast<int>(LossChoice::schematic));
  losses_->addItem(tr("All pumps stop"), static_cast<int>(LossChoice::pumps));
  losses_->addItem(tr("Facility water is lost"), static_cast<int>(LossChoice::facility));
  losses_->addItem(tr("Utility power is lost, pumps on UPS"), static_cast<int>(LossChoice::power_on_ups));
  losses_->addItem(tr("Utility power is lost, pumps not on UPS"), static_cast<int>(LossChoice::power));
  without_ups_.clear();
  bool known = false;
  feeds_stated_ = shown_ != nullptr;
  if (shown_)
    for (const LoopUnit& u : shown_->units)
      if (const CoolingUnit* unit = hallwright::find(*document_.shown().cooling_units, u.unit)) {
        const PumpSupply supply = pump_supply(*document_.shown().power_units, *unit);
        known = known || supply != PumpSupply::unknown;
        feeds_stated_ = feeds_stated_ && supply != PumpSupply::unknown;
        if (supply == PumpSupply::no_ups) without_ups_.insert(u.unit);
      }
  if (known)
    losses_->addItem(tr("Utility power is lost, pumps as they are fed"), static_cast<int>(LossChoice::power_as_fed));
  if (shown_)
    for (std::size_t i = 0; i < shown_->units.size(); ++i)
      losses_->addItem(tr("%1 is lost").arg(QString::fromStdString(shown_->units[i].name)), static_cast<int>(i));
  const int at = present.isValid() ? losses_->findData(present) : -1;
  losses_->setCurrentIndex(at >= 0 ? at : 1);
}

void CoolingWorkspace::show_seconds() {
  transient_.reset();
  played_ = {};
  loss_trouble_.clear();
  if (!shown_ || !healthy_) {
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  if (shown_->facility) {
    seconds_chart_->setEmptyText(
        tr("Seconds count at racks: choose a loop that hangs on this facility water, and there what is lost."));
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  const TransientParameters parameters = transient_parameters(*document_.evaluation()->catalog);
  const int choice = losses_->currentData().toInt();
  tl::expected<OperationLoss, std::string> found = tl::unexpected(std::string());
  LoopOperation operation_lost;
  if (choice >= 0 && choice < static_cast<int>(shown_->units.size())) {
    const Id unit = shown_->units[static_cast<std::size_t>(choice)].unit;
    operation_lost.units_out.insert(unit);
    if (auto lost = loss_of_unit(solver_, shown_, *healthy_, unit))
      found = OperationLoss{*std::move(lost)};
    else
      found = tl::unexpected(lost.error());
  } else if (choice == static_cast<int>(LossChoice::schematic)) {
    if (nothing_out()) {
      seconds_chart_->setEmptyText(tr("Fail something on the schematic, or choose what is lost."));
      seconds_chart_->clear();
      show_countdown();
      return;
    }
    operation_lost = operation();
    if (felt_water_) operation_lost.facility_water = is_healthy(operation()) ? *felt_water_ : felt_most_;
    found = loss_of_operation(solver_, shown_, *healthy_, operation_lost);
  } else if (choice == static_cast<int>(LossChoice::pumps))
    found = OperationLoss{loss_of_pumps()};
  else if (choice == static_cast<int>(LossChoice::facility))
    found = OperationLoss{loss_of_facility()};
  else if (choice == static_cast<int>(LossChoice::power_as_fed)) {
    operation_lost.units_out = without_ups_;
    found = loss_of_power_as_fed(solver_, shown_, *healthy_, parameters, without_ups_, chillers_->isChecked());
  } else
    found = OperationLoss{
        loss_of_power(parameters, choice == static_cast<int>(LossChoice::power_on_ups), chillers_->isChecked())};
  if (found) {
    double horizon = 900.0;
    if (found->facility_back_s) horizon = std::clamp(*found->facility_back_s + 300.0, 60.0, 3600.0);
    auto run = loop_transient(*shown_, *healthy_, *found, parameters, horizon);
    if (run) {
      // Once more over what matters, for a fine curve.
      double end = run->first_shutdown_s   ? *run->first_shutdown_s * 1.3
                   : run->first_throttle_s ? std::min(horizon, *run->first_throttle_s * 4)
                                           : horizon;
      end = std::clamp(end, 5.0, horizon);
      if (auto fine = loop_transient(*shown_, *healthy_, *found, parameters, end)) run = std::move(fine);
      clock_end_s_ = end;
      played_.loss = *found;
      played_.operation = operation_lost;
      if ((!is_healthy(operation_lost) || !operation_lost.facility_water.empty()) && !found->pumps_stop)
        if (auto s = solver_.solve(shown_, with_water(operation_lost))) {
          played_.solution = std::make_shared<const LoopSolution>(*std::move(s));
          played_.link_flows = solver_.state().flow_m3_per_s;
        }
      transient_ = *std::move(run);
    } else
      loss_trouble_ = QString::fromStdString(run.error());
  } else
    loss_trouble_ = QString::fromStdString(found.error());
  if (!transient_) {
    seconds_chart_->setEmptyText(loss_trouble_);
    seconds_chart_->clear();
    show_countdown();
    return;
  }
  const Theme& t = theme();
  const QString worst = rack_name(transient_->first_rack);
  loops::ChartLine hottest{tr("Cold plates of the worst rack (%1)").arg(worst), t.text, {}},
      supply{tr("Supply"), loops::coolant_color(0), {}}, back{tr("Return"), loops::coolant_color(1), {}};
  if (!transient_->course.empty()) {
    const TransientPoint& first = transient_->course.front();
    for (const TransientPoint& p : transient_->course) {
      hottest.points.push_back({p.time_s, p.hottest_rise_k});
      supply.points.push_back({p.time_s, p.supply_c - first.supply_c});
      back.points.push_back({p.time_s, p.return_c - first.return_c});
    }
  }
  seconds_chart_->setLines({hottest, supply, back}, {{parameters.warning_rise_k, tr("warning"), t.amber},
                                                     {parameters.throttle_rise_k, tr("throttle"), t.amber},
                                                     {parameters.shutdown_rise_k, tr("trip"), t.red}});
  seconds_chart_->setRange(clock_end_s_);
  show_countdown();
}

void CoolingWorkspace::show_countdown() {
  const bool meant = transient_ && (clock_s_ > 0 || playing_ || clock_.isActive() || !nothing_out() ||
                                    cards_->currentIndex() == 2);
  play_->setText(clock_.isActive() ? tr("Pause") : tr("Play"));
  for (QWidget* w : {static_cast<QWidget*>(play_), static_cast<QWidget*>(again_), static_cast<QWidget*>(fast_),
                     static_cast<QWidget*>(countdown_)})
    w->setVisible(meant);
  seconds_chart_->setCursorAt(meant && clock_s_ > 0 ? clock_s_ : std::nan(""));
  if (!meant) {
    countdown_->clear();
    return;
  }
  const Theme& t = theme();
  QStringList parts;
  const auto part = [&](const QString& name, const std::optional<double>& at) {
    if (!at) return;
    const double left = *at - clock_s_;
    const QString words =
        left > 0 ? tr("%1 in %2").arg(name, seconds_words(left)) : tr("%1 since %2").arg(name, seconds_words(-left));
    parts << QStringLiteral("<span style=\"color:%1\">%2</span>")
                 .arg((left <= 0   ? t.red
                       : left < 10 ? t.amber
                                   : t.text)
                          .name(),
                      words.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
  };
  if (transient_->too_warm_before > 0)
    parts << QStringLiteral("<span style=\"color:%1\">%2</span>")
                 .arg(t.red.name(), (transient_->too_warm_before == 1
                                         ? tr("warning already: 1 rack gets warmer coolant than its parts take")
                                         : tr("warning already: %1 racks get warmer coolant than their parts take")
                                               .arg(transient_->too_warm_before))
                                        .toHtmlEscaped());
  else
    part(tr("warning"), transient_->first_warning_s);
  part(tr("throttle"), transient_->first_throttle_s);
  part(tr("trip"), transient_->first_shutdown_s);
  if (parts.isEmpty()) {
    const double most = transient_->peak_rise_k;
    parts << (most < 0.05 ? tr("no rack warms")
                          : tr("no rack warms by more than %1 K").arg(screen_number(most, 'f', 1)))
                 .toHtmlEscaped();
  }
  QString text = parts.join(QStringLiteral(" \u00b7 "));
  if (transient_->first_warning_s)
    text += QStringLiteral(" (%1)").arg(rack_name(transient_->first_rack).toHtmlEscaped());
  if (clock_s_ > 0)
    text = QStringLiteral("<b>%1</b>&nbsp; ")
               .arg(seconds_words(clock_s_).replace(QLatin1Char(' '), QStringLiteral("&nbsp;"))) +
           text;
  countdown_->setText(text);
}

void CoolingWorkspace::set_clock(bool runs) {
  if (runs && !transient_) return;
  if (runs) {
    playing_ = true;
    if (clock_s_ >= clock_end_s_) clock_s_ = 0;
    since_.start();
    clock_.start();
  } else
    clock_.stop();
  show_countdown();
  show_instant();
}

void CoolingWorkspace::stop_playing() {
  const bool was = playing_;
  playing_ = false;
  clock_s_ = 0;
  set_clock(false);
  if (was && shown_) {
    view_->setPicture(steady_picture_);
    show_words();
    update_commands();
  }
}

void CoolingWorkspace::show_instant() {
  if (!playing_ || !transient_ || !shown_ || !healthy_ || transient_->course.empty()) return;
  const auto& course = transient_->course;
  // Where the clock stands between two points of the course.
  auto after = std::lower_bound(course.begin(), course.end(), clock_s_,
                                [](const TransientPoint& p, double s) { return p.time_s < s; });
  if (after == course.end()) --after;
  const TransientPoint& b = *after;
  const TransientPoint& a = after == course.begin() ? b : *(after - 1);
  const double along = b.time_s > a.time_s ? std::clamp((clock_s_ - a.time_s) / (b.time_s - a.time_s), 0.0, 1.0) : 1.0;
  const auto between = [&](double x, double y) { return x + along * (y - x); };
  const double supply = between(a.supply_c, b.supply_c), returned = between(a.return_c, b.return_c),
               share = between(a.flow_share, b.flow_share);

  loops::Picture p = steady_picture_;
  p.operation = played_.operation;
  const auto back = [&](const std::optional<double>& s) { return s && clock_s_ >= *s; };
  const bool standing = played_.loss.pumps_stop && !back(played_.loss.pumps_back_s);
  for (const LoopUnit& u : shown_->units) {
    if (standing) p.operation.pumps_out[u.unit] = static_cast<int>(u.pumps.size());
    if (played_.loss.facility_lost && !back(played_.loss.facility_back_s)) p.operation.facility_out.insert(u.unit);
  }
  LoopSolution s = played_.solution ? *played_.solution : *healthy_;
  p.link_flows = played_.solution ? played_.link_flows : healthy_flows_;
  for (double& f : p.link_flows)
    f *= share;
  s.flow_m3_per_s *= share;
  s.temperatures_known = true;
  // Coolant is well mixed on either side.
  std::vector<char> warm_side(shown_->network.nodes.size(), 0);
  for (const SchematicStretch& x : p.schematic->stretches)
    if (x.side == PipeSide::return_)
      for (const int n : {x.from, x.to})
        if (n >= 0 && n < static_cast<int>(warm_side.size())) warm_side[static_cast<std::size_t>(n)] = 1;
  for (std::size_t n = 0; n < s.node_c.size() && n < warm_side.size(); ++n)
    if (s.node_flows[n]) s.node_c[n] = warm_side[n] ? returned : supply;
  p.alarms.assign(shown_->racks.size(), loops::RackAlarm::none);
  qlonglong warned = 0, throttled = 0, tripped = 0;
  for (std::size_t i = 0; i < s.racks.size(); ++i) {
    RackFlow& r = s.racks[i];
    r.flow_m3_per_s *= share;
    r.share *= share;
    r.supply_c = supply;
    r.return_c = returned;
    if (i >= transient_->racks.size()) continue;
    const RackTimes& times = transient_->racks[i];
    loops::RackAlarm& alarm = p.alarms[i];
    if (back(times.shutdown_s))
      alarm = loops::RackAlarm::trip, ++tripped;
    else if (back(times.throttle_s))
      alarm = loops::RackAlarm::throttle, ++throttled;
    else if (back(times.warning_s))
      alarm = loops::RackAlarm::warning, ++warned;
  }
  const double c = shown_->density_kg_per_m3 * shown_->specific_heat_j_per_kg_k;
  for (UnitWork& u : s.units) {
    u.flow_m3_per_s *= share;
    u.return_c = returned;
    // What has met no facility water is as warm as it came; the rest makes up the mix.
    const double past = played_.loss.past_water_share;
    u.supply_c = p.operation.facility_out.count(u.unit) ? returned
                 : past > 0.0 ? std::clamp((supply - past * returned) / (1.0 - past), shown_->supply_c, returned)
                              : supply;
    u.running = u.running && !standing;
    u.duty_w = std::max(0.0, c * u.flow_m3_per_s * (returned - u.supply_c));
    u.duty_share = u.capacity_w > 0.0 ? u.duty_w / u.capacity_w : 0.0;
  }
  s.speed *= share;
  p.solution = std::make_shared<const LoopSolution>(std::move(s));
  p.warmest_c = std::max(p.warmest_c, std::min(returned, 95.0));
  view_->setPicture(p);

  QStringList states;
  if (tripped > 0) states << tr("%1 racks trip").arg(tripped);
  if (throttled > 0) states << tr("%1 racks throttle").arg(throttled);
  if (warned > 0) states << tr("%1 racks warn").arg(warned);
  if (states.isEmpty()) states << tr("no rack warns yet");
  banner_->setText(tr("%1, after %2: supply %3 \u00b0C, return %4 \u00b0C, flow %5; %6.")
                       .arg(losses_->currentText(), seconds_words(clock_s_), screen_number(supply, 'f', 1),
                            screen_number(returned, 'f', 1), percent_words(share), states.join(QStringLiteral(", "))));
  QPalette palette = banner_->palette();
  palette.setColor(QPalette::WindowText, tripped + throttled > 0 ? theme().red : theme().text);
  banner_->setPalette(palette);
  update_commands();
}

void CoolingWorkspace::tick() {
  clock_s_ += static_cast<double>(since_.restart()) / 1000.0 * (fast_action_->isChecked() ? 10.0 : 1.0);
  if (clock_s_ >= clock_end_s_) {
    clock_s_ = clock_end_s_;
    clock_.stop();
  }
  show_countdown();
  show_instant();
}

/// What must act after a loss of power, and the order of the restart: worked out beside the window.
void CoolingWorkspace::ask_responses() {
  if (!shown_ || !healthy_) return;
  if (shown_->facility) {
    responses_->clear();
    return;
  }
  const int choice = losses_->currentData().toInt();
  const bool ups = choice != static_cast<int>(LossChoice::power) &&
                   (choice != static_cast<int>(LossChoice::power_as_fed) || without_ups_.empty());
  const bool chillers = chillers_->isChecked();
  // Of a loss that is none of the utility: what would have to be back, and when.
  const bool utility = choice == static_cast<int>(LossChoice::power_on_ups) ||
                       choice == static_cast<int>(LossChoice::power) ||
                       choice == static_cast<int>(LossChoice::power_as_fed);
  const QString lost = choice == static_cast<int>(LossChoice::schematic) && !nothing_out()
                           ? tr("%1 out").arg(out_words())
                           : losses_->currentText();
  QString acts;
  if (!utility) {
    if (!transient_)
      acts = loss_trouble_.isEmpty() ? tr("Nothing is out.") : screen_sentence(loss_trouble_);
    else if (!transient_->first_throttle_s)
      acts = tr("Nothing: no rack throttles.");
    else
      acts = tr("The first rack throttles after %1: what is lost must be back well before, else stop its jobs.")
                 .arg(seconds_words(*transient_->first_throttle_s));
  }
  const auto parameters = transient_parameters(*document_.evaluation()->catalog);
  const quint64 generation = ++answer_generation_;
  answering_ = true;
  struct Answer {
    std::vector<CoolingResponse> responses;
    std::vector<std::string> order;
    std::string trouble;
  };
  run_in_background(
      pool_, this,
      [loop = shown_, steady = healthy_, parameters, ups, chillers, utility] {
        Answer out;
        if (utility) {
          if (auto r = power_loss_responses(*loop, *steady, parameters, ups, chillers))
            out.responses = *std::move(r);
          else
            out.trouble = r.error();
        }
        out.order = restart_order(*loop, chillers);
        return out;
      },
      [this, generation, utility, lost, acts](const Answer& a) {
        if (generation != answer_generation_) return;
        answering_ = false;
        const Theme& t = theme();
        QString text = QStringLiteral("<b>%1</b><ul style=\"margin-left:-24px\">")
                           .arg(tr("%1: what must act").arg(lost).toHtmlEscaped());
        if (!utility) text += QStringLiteral("<li>%1</li>").arg(acts.toHtmlEscaped());
        const auto words = [](const std::string& s) {
          return screen_sentence(QString::fromStdString(s)).toHtmlEscaped();
        };
        for (const CoolingResponse& r : a.responses)
          text += QStringLiteral("<li>%1 <span style=\"color:%2\">%3</span></li>")
                      .arg(words(r.action) + QLatin1Char('.'), (r.met ? t.green : t.red).name(),
                           r.met ? tr("Met.") : tr("Not met."));
        if (!a.trouble.empty()) text += QStringLiteral("<li>%1</li>").arg(words(a.trouble));
        if (utility && a.responses.empty() && a.trouble.empty())
          text += QStringLiteral("<li>%1</li>").arg(tr("Nothing: no rack throttles.").toHtmlEscaped());
        text += QStringLiteral("</ul><b>%1</b><ol style=\"margin-left:-20px\">")
                    .arg(tr("Restart, in this order").toHtmlEscaped());
        for (const std::string& s : a.order)
          text += QStringLiteral("<li>%1.</li>").arg(words(s));
        responses_->setText(text + QStringLiteral("</ol>"));
      });
}

} // namespace hallwright
