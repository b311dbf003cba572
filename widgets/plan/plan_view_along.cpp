// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view_private.h"

#include <algorithm>
#include <cmath>

#include <QApplication>

#include "widgets/figure_text.h"

/// Gestures along a row of racks: the busway that feeds it, the pipes that cool it.
namespace hallwright {

void PlanView::setRowFeedSettings(const RowFeedSettings& settings) {
  d_->feed_settings = settings;
  d_->redraw();
}

void PlanView::setRowPipeSettings(const RowPipeSettings& settings) {
  d_->pipe_settings = settings;
  d_->redraw();
}

bool PlanView::Private::lays_along(Qt::KeyboardModifiers m) const {
  if (tool == PlanTool::feed_row || tool == PlanTool::pipe_row) return true;
  return tool == PlanTool::place && placed && placed->layer == PlanLayer::power && placed->word == "busway" &&
         !suspended(m);
}

void PlanView::Private::forget_along() {
  along.reset();
  along_edit.reset();
  along_words.clear();
  along_problem.clear();
  along_taps.clear();
  along_run = {};
}

void PlanView::Private::hover_along(const QPointF& q, Qt::KeyboardModifiers m) {
  if (gesture != Gesture::none) return;
  const bool pipes = tool == PlanTool::pipe_row;
  if (!lays_along(m)) {
    if (along) forget_along(), end_preview(true), tool_hint();
    return;
  }
  const auto run = whole_row_run(model, q, tool == PlanTool::place ? 0 : row_reach());
  if (!run) {
    const bool had = along.has_value();
    forget_along();
    if (had) end_preview(true), tool_hint();
    return;
  }
  along = run;
  along_words = counted(static_cast<qint64>(run->racks.size()), PlanView::tr("1 rack"), PlanView::tr("%1 racks"));
  hint(pipes ? PlanView::tr("Drag along the racks that get pipes, or click for the whole row. Esc ends.")
             : PlanView::tr("Drag along the racks to feed, from where the busway is fed; a click feeds the whole row. "
                            "Esc ends."));
}

void PlanView::Private::begin_along(const QPointF& q) {
  along_base = design;
  along_needs.clear();
  if (tool == PlanTool::pipe_row && evaluation) along_needs = coolant_needs(*evaluation);
  forget_along();
  gesture = Gesture::along;
  update_along(q, true);
}

void PlanView::Private::update_along(const QPointF& q, bool whole) {
  const double reach = tool == PlanTool::place ? 0 : row_reach();
  forget_along();
  along = whole ? whole_row_run(model, press, reach) : row_run(model, press, q, reach);
  if (!along) {
    along_problem = model.lines().empty()
                        ? PlanView::tr("There is no row of racks yet: draw one first.")
                        : PlanView::tr("Start on a row of racks.");
    hint(along_problem);
    end_preview(true);
    redraw();
    return;
  }
  static const Catalog none;
  const Catalog& parts = catalog ? *catalog : none;
  if (tool == PlanTool::pipe_row) {
    const auto made = row_pipes(along_base, parts, row_pipes_wish(along->racks, along_needs, pipe_settings));
    if (!made) {
      along_problem = screen_sentence(QString::fromStdString(made.error())) + QLatin1Char('.');
      along_words = PlanView::tr("no pipes");
      hint(along_problem);
      end_preview(true);
      redraw();
      return;
    }
    along_words =
        QStringLiteral("%1 · %2 · %3 · %4 · %5")
            .arg(counted(static_cast<qint64>(made->racks.size()), PlanView::tr("1 rack"), PlanView::tr("%1 racks")),
                 PlanView::tr("headers ø %1").arg(size_text(made->bore_m * 1000)),
                 screen_text(made->flow_m3_per_s, kind::volume_flow, 3, "L/min"),
                 screen_text(made->velocity_m_per_s, kind::velocity, 3, "m/s"),
                 pipe_settings.reverse_return ? PlanView::tr("reverse return") : PlanView::tr("direct return"));
    hint(screen_sentence(QString::fromStdString(made->sentence)) + QLatin1Char('.'));
    along_edit = row_pipes_edit(*made);
  } else {
    RowFeedSettings wish = feed_settings;
    if (tool == PlanTool::place && placed) wish.part = QString::fromStdString(placed->part);
    const FeedRow feed = feed_row(along_base, parts, *along, model.origin(along->hall), wish);
    const PowerUnit& u = feed.unit;
    const QPointF origin = model.origin(u.hall);
    const PlanBox box = plan_box(u.x, u.y, *u.width, *u.depth, u.rotation);
    along_run = QRectF(QPointF(box.x0, box.y0), QPointF(box.x1, box.y1)).translated(origin);
    for (const double middle : along->middles)
      along_taps << (along->along_x ? QPointF(middle, along_run.center().y()) : QPointF(along_run.center().x(), middle));
    along_words = feed_words(feed);
    const PowerUnit* above = hallwright::find(*along_base.power_units, u.upstream);
    QString words = above ? PlanView::tr("Side %1, fed from %2.")
                                .arg(feed.second ? QStringLiteral("B") : QStringLiteral("A"), to_qstring(above->name))
                          : PlanView::tr("Side %1. No unit above it is drawn on this side: it is fed by nothing yet.")
                                .arg(feed.second ? QStringLiteral("B") : QStringLiteral("A"));
    if (feed.taken_from.size() == 1) {
      if (const PowerUnit* before = hallwright::find(*along_base.power_units, feed.taken_from.front()))
        words += QLatin1Char(' ') + PlanView::tr("The racks leave %1.").arg(to_qstring(before->name));
    } else if (feed.taken_from.size() > 1) {
      words += QLatin1Char(' ') + PlanView::tr("The racks leave %1 units that fed this side.")
                                      .arg(static_cast<int>(feed.taken_from.size()));
    }
    hint(words);
    along_edit = feed_row_edit(feed);
  }
  preview(*along_edit);
  redraw();
}

QString PlanView::Private::feed_words(const FeedRow& feed) const {
  const QString racks =
      counted(static_cast<qint64>(feed.racks.size()), PlanView::tr("1 rack"), PlanView::tr("%1 racks"));
  const QString name = to_qstring(feed.unit.name);
  const Table* loads = evaluation ? evaluation->figures.table("load.racks") : nullptr;
  const TableColumn* power = loads ? loads->column("power") : nullptr;
  double draw = 0;
  bool known = power != nullptr;
  for (const Id id : feed.racks) {
    if (!known) break;
    const auto it = std::lower_bound(loads->entities.begin(), loads->entities.end(), id);
    const auto row = static_cast<std::size_t>(it - loads->entities.begin());
    known = it != loads->entities.end() && *it == id && row < power->numbers.size() &&
            std::isfinite(power->numbers[row]);
    if (known) draw += power->numbers[row];
  }
  if (!known) return QStringLiteral("%1 · %2").arg(name, racks);
  // What it can carry: as stated, or as the evaluation of the preview has it.
  double rating = 0;
  const PowerPart* part = catalog ? catalog->find<PowerPart>(feed.unit.part) : nullptr;
  if (feed.unit.rating) rating = in_watts(*feed.unit.rating);
  else if (part && part->rating) rating = in_watts(*part->rating);
  else if (const Table* flow = evaluation->figures.table("power.flow")) {
    const TableColumn *output = flow->column("output"), *share = flow->column("load_share");
    const auto it = std::find(flow->entities.begin(), flow->entities.end(), along_base.next_id);
    const auto row = static_cast<std::size_t>(it - flow->entities.begin());
    if (output && share && it != flow->entities.end() && row < output->numbers.size() && row < share->numbers.size() &&
        share->numbers[row] > 0 && std::isfinite(share->numbers[row]))
      rating = output->numbers[row] / share->numbers[row];
  }
  const QString drawn = screen_text(draw, kind::power, 3);
  if (!(rating > 0)) return PlanView::tr("%1 · %2 draw %3 · no rating yet").arg(name, racks, drawn);
  const QString words = PlanView::tr("%1 · %2 draw %3 of %4 (%5)")
                            .arg(name, racks, drawn, screen_text(rating, kind::power, 3),
                                 screen_text(draw / rating, kind::percent, 2));
  return draw > rating * (1 + 1e-9) ? PlanView::tr("%1 · over its rating").arg(words) : words;
}

void PlanView::Private::finish_along() {
  gesture = Gesture::none;
  const std::optional<Edit> edit = std::exchange(along_edit, std::nullopt);
  const QString problem = along_problem;
  forget_along();
  along_base = Design{};
  end_preview(!edit);
  if (edit) {
    touched = true;
    Q_EMIT view.editRequested(*edit, true);
    tool_hint();
  } else if (!problem.isEmpty()) {
    hint(problem);
  } else {
    tool_hint();
  }
  redraw();
}

void PlanView::Private::paint_along(const Canvas& c) const {
  if (!along || (gesture != Gesture::along && !along_edit && gesture != Gesture::none)) return;
  QColor wash = c.colors.accent;
  wash.setAlpha(gesture == Gesture::none && !along_edit ? 22 : 36);
  const QRectF row = c.rect(along->box());
  c.fill(row, wash);
  c.outline(QPolygonF(row), c.pen(c.colors.accent, 1.4));
  if (!along_run.isNull()) {
    QPainter* p = c.painter;
    p->setRenderHint(QPainter::Antialiasing, true);
    QColor body = mixed(c.colors.power, c.colors.accent, 0.3);
    body.setAlpha(150);
    QRectF bar = c.rect(along_run);
    constexpr double least = 4;
    if (along->along_x && bar.height() < least) bar.adjust(0, -(least - bar.height()) / 2, 0, (least - bar.height()) / 2);
    if (!along->along_x && bar.width() < least) bar.adjust(-(least - bar.width()) / 2, 0, (least - bar.width()) / 2, 0);
    c.fill(bar, body);
    // Where it is fed, and a tap at each rack.
    const QPointF end = along->along_x ? QPointF(along->backwards ? bar.right() : bar.left(), bar.center().y())
                                       : QPointF(bar.center().x(), along->backwards ? bar.bottom() : bar.top());
    const QPointF in = along->along_x ? QPointF(along->backwards ? -1 : 1, 0) : QPointF(0, along->backwards ? -1 : 1);
    const QPointF side(-in.y(), in.x());
    p->setPen(Qt::NoPen);
    p->setBrush(c.colors.accent);
    p->drawPolygon(QPolygonF{end + in * 4, end - in * 8 + side * 7, end - in * 8 - side * 7});
    const double r = std::clamp(c.scale * 600 / 6, 2.0, 4.5);
    p->setPen(QPen(c.colors.panel, 1));
    for (const QPointF& tap : along_taps) p->drawEllipse(c.point(tap), r, r);
  }
  if (gesture == Gesture::along || along_edit)
    if (!along_words.isEmpty()) tag(c, c.point(cursor), along_words);
}

} // namespace hallwright
