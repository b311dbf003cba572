// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loop_schematic/rack_flow_bars.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "cooling/loop_solution.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::loops {
namespace {

constexpr double widest_bar = 90; // pixels

double share_of(const RackBar& r) { return r.flowing && r.need_m3_per_s > 0 ? r.flow_m3_per_s / r.need_m3_per_s : 0.0; }

} // namespace

RackFlowBars::RackFlowBars(QWidget* parent) : PaintedChart(parent) {
  setObjectName(QStringLiteral("rack_flow_bars"));
  setAccessibleName(tr("Flow of racks against their need, the worst first"));
}

void RackFlowBars::setRacks(std::vector<RackBar> racks) {
  racks_ = std::move(racks);
  order_.resize(racks_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
    return share_of(racks_[static_cast<std::size_t>(a)]) < share_of(racks_[static_cast<std::size_t>(b)]) - 1e-6;
  });
  current_ = std::min(current_, static_cast<int>(racks_.size()) - 1);
  if (!racks_.empty()) {
    const RackBar& worst = racks_[static_cast<std::size_t>(order_.front())];
    const auto too_little =
        std::count_if(racks_.begin(), racks_.end(), [](const RackBar& r) { return share_of(r) < enough_share; });
    setAccessibleDescription(tr("%1 racks, %2 short of flow; worst %3 with %4 % of its need")
                                 .arg(racks_.size())
                                 .arg(too_little)
                                 .arg(worst.name)
                                 .arg(std::lround(share_of(worst) * 100)));
  }
  update();
}

void RackFlowBars::setLit(const std::vector<int>& racks) {
  lit_ = racks;
  update();
}

QRectF RackFlowBars::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.horizontalAdvance(QStringLiteral("000 %")) + 2.4 * m.height();
  return {left, 0.7 * m.height(), std::max(10.0, width() - left - 12), std::max(10.0, height() - 3.4 * m.height())};
}

double RackFlowBars::top_share() const {
  double most = 1.0;
  for (const RackBar& r : racks_)
    most = std::max(most, share_of(r));
  return most * 1.08;
}

QRectF RackFlowBars::barRect(int place) const {
  const QRectF p = plot();
  // Over the whole width; of few racks no bar is a wall.
  const double pitch = p.width() / std::max<double>(1.0, static_cast<double>(order_.size()));
  const double gap = pitch > 6 ? std::max(std::min(4.0, pitch * 0.2), pitch - widest_bar) : 0;
  return {p.left() + place * pitch + gap / 2, p.top(), std::max(1.0, pitch - gap), p.height()};
}

int RackFlowBars::rackAt(const QPointF& at) const {
  const QRectF p = plot();
  if (racks_.empty() || !p.contains(at)) return -1;
  const double pitch = p.width() / static_cast<double>(order_.size());
  const int place = static_cast<int>((at.x() - p.left()) / pitch);
  return place >= 0 && place < static_cast<int>(order_.size()) ? order_[static_cast<std::size_t>(place)] : -1;
}

QString RackFlowBars::textAt(const QPointF& at) const {
  const int i = rackAt(at);
  if (i < 0) return {};
  const RackBar& r = racks_[static_cast<std::size_t>(i)];
  if (!r.flowing)
    return tr("%1\nNo coolant flows; it needs %2")
        .arg(r.name, screen_text(r.need_m3_per_s, kind::volume_flow, 3, "L/min"));
  return tr("%1\nFlow %2 of %3 needed (%4 %)")
      .arg(r.name, screen_text(r.flow_m3_per_s, kind::volume_flow, 3, "L/min"),
           screen_text(r.need_m3_per_s, kind::volume_flow, 3, "L/min"), screen_number(share_of(r) * 100, 'f', 1));
}

void RackFlowBars::paint(QPainter& painter) {
  const Theme& t = theme();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  painter.setFont(small);
  const QRectF p = plot();
  const double top = top_share(), line = m.height();
  const auto y = [&](double share) { return p.bottom() - p.height() * std::min(share, top) / top; };
  const auto marks = axis_marks(0, top * 100, 5);
  painter.setPen(t.secondary_text);
  for (const double v : marks) {
    painter.fillRect(QRectF(p.left(), std::round(y(v / 100)), p.width(), 1), v == 0 ? t.structure : t.grid_major);
    painter.drawText(QRectF(0, y(v / 100) - line / 2, p.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     mark_text(v, marks) + QStringLiteral(" %"));
  }
  painter.save();
  painter.translate(line * 0.2, p.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-p.height() / 2 - line / 2, 0, p.height() + line, line), Qt::AlignCenter,
                   m.elidedText(tr("Share of need"), Qt::ElideRight, p.height() + line));
  painter.restore();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int i = order_[k];
    const RackBar& r = racks_[static_cast<std::size_t>(i)];
    const QRectF room = barRect(static_cast<int>(k));
    const double share = share_of(r);
    const bool is_short = share < enough_share;
    if (std::find(lit_.begin(), lit_.end(), i) != lit_.end())
      painter.fillRect(room.adjusted(-1, 0, 1, 0), t.accent_soft);
    if (!r.flowing)
      painter.fillRect(QRectF(room.left(), p.bottom() - 3, room.width(), 3), t.red);
    else
      painter.fillRect(QRectF(room.left(), y(share), room.width(), p.bottom() - y(share)), is_short ? t.red : t.accent);
    if (static_cast<int>(k) == current_ && hasFocus()) {
      painter.setPen(QPen(t.text, 1.4));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(room);
    }
  }
  // Names where all of them fit.
  double widest = 0;
  for (const RackBar& r : racks_)
    widest = std::max(widest, m.horizontalAdvance(r.name));
  const double pitch = p.width() / static_cast<double>(order_.size());
  painter.setPen(t.secondary_text);
  const bool names = widest + 4 <= pitch;
  if (names)
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const QRectF room = barRect(static_cast<int>(k));
      painter.drawText(QRectF(room.center().x() - pitch / 2, p.bottom() + 3, pitch, line), Qt::AlignCenter,
                       racks_[static_cast<std::size_t>(order_[k])].name);
    }
  painter.drawText(QRectF(p.left(), p.bottom() + 3 + (names ? line * 1.1 : line * 0.3), p.width(), line),
                   Qt::AlignHCenter | Qt::AlignTop, tr("Racks, the worst first"));
  painter.setPen(QPen(t.text, 1.3, Qt::DashLine));
  painter.drawLine(QPointF(p.left(), y(1)), QPointF(p.right(), y(1)));
  const QString need = tr("need");
  // Above the line, where the last bar does not reach over it.
  const QRectF tag(p.right() - m.horizontalAdvance(need) - 8, y(1) - line - 1, m.horizontalAdvance(need) + 8, line);
  const RackBar& last = racks_[static_cast<std::size_t>(order_.back())];
  if (share_of(last) <= 1.02 && tag.top() >= 0) {
    painter.setPen(t.secondary_text);
    painter.drawText(tag, Qt::AlignCenter, need);
  }
}

void RackFlowBars::mouseReleaseEvent(QMouseEvent* event) {
  const int i = rackAt(event->position());
  if (event->button() != Qt::LeftButton || i < 0) return PaintedChart::mouseReleaseEvent(event);
  current_ = static_cast<int>(std::find(order_.begin(), order_.end(), i) - order_.begin());
  Q_EMIT rackActivated(i);
  update();
}

void RackFlowBars::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(order_.size()) - 1;
  if (last < 0) return PaintedChart::keyPressEvent(event);
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    current_ = std::clamp(current_ + (event->key() == Qt::Key_Right ? 1 : -1), 0, last);
    update();
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && current_ >= 0)
    Q_EMIT rackActivated(order_[static_cast<std::size_t>(current_)]);
  else
    PaintedChart::keyPressEvent(event);
}

} // namespace hallwright::loops
