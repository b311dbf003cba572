// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/pipeline_timeline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "quantity/kind.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

QColor color_of_work(PipelineWork work) {
  switch (work) {
  case PipelineWork::forward:
    return step_work_color(StepWork::computing);
  case PipelineWork::backward:
  case PipelineWork::backward_input:
    return step_work_color(StepWork::second_computing);
  case PipelineWork::backward_weight:
    return step_work_color(StepWork::useful);
  }
  return theme().accent;
}

QString name_of_work(PipelineWork work) {
  switch (work) {
  case PipelineWork::forward:
    return PipelineTimelineView::tr("forward");
  case PipelineWork::backward:
    return PipelineTimelineView::tr("backward");
  case PipelineWork::backward_input:
    return PipelineTimelineView::tr("backward, input");
  case PipelineWork::backward_weight:
    return PipelineTimelineView::tr("backward, weights");
  }
  return {};
}

constexpr double narrowest_span = 1e-5; ///< of the whole, how far in one may zoom
constexpr double tallest_row = 2.0;     ///< lines of text: few stages are no few broad bands

} // namespace

PipelineTimelineView::PipelineTimelineView(QWidget* parent) : PaintedChart(parent) {
  setAccessibleName(tr("Pipeline timeline of a step"));
}

void PipelineTimelineView::setTimeline(std::shared_ptr<const PipelineTimeline> timeline, double transfer,
                                       std::vector<TimelineTail> tails) {
  const bool whole = !(from_ > 0.0) && until_ >= span_;
  const double left = span_ > 0 ? from_ / span_ : 0, right = span_ > 0 ? until_ / span_ : 1;
  timeline_ = std::move(timeline);
  transfer_ = transfer;
  tails_ = std::move(tails);
  rows_.clear();
  span_ = 0;
  split_backward_ = side_by_side_ = false;
  if (has_content()) {
    const auto& list = timeline_->entries;
    const int last = std::max_element(list.begin(), list.end(), [](const PipelineSlot& a, const PipelineSlot& b) {
                       return a.stage < b.stage;
                     })->stage;
    rows_.assign(static_cast<std::size_t>(last) + 2, 0);
    for (const PipelineSlot& s : list)
      ++rows_[static_cast<std::size_t>(s.stage) + 1];
    for (std::size_t i = 1; i < rows_.size(); ++i)
      rows_[i] += rows_[i - 1];
    span_ = timeline_->span;
    for (const TimelineTail& t : tails_)
      span_ = std::max(span_, t.end);
    split_backward_ = std::any_of(list.begin(), list.end(),
                                  [](const PipelineSlot& s) { return s.work == PipelineWork::backward_weight; });
    for (std::size_t i = 1; i < list.size() && !side_by_side_; ++i)
      side_by_side_ =
          list[i].stage == list[i - 1].stage && list[i].begin == list[i - 1].begin && list[i].end > list[i].begin;
  }
  if (current_ && (!has_content() || *current_ >= timeline_->entries.size())) current_.reset();
  if (!(span_ > 0) || !std::isfinite(span_)) timeline_.reset(), rows_.clear(), span_ = 0;
  // The part that is looked at stays in sight when the numbers change.
  from_ = whole ? 0 : left * span_;
  until_ = whole ? span_ : right * span_;
  raster_ = QImage();
  setAccessibleDescription(has_content() ? tr("%1 stages, %2").arg(stages()).arg(screen_text(span_, kind::time))
                                         : QString());
  update();
}

void PipelineTimelineView::setLit(std::vector<int> stages) {
  if (stages == lit_) return;
  lit_ = std::move(stages);
  update();
}

QSize PipelineTimelineView::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 13};
}
QSize PipelineTimelineView::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 36, fontMetrics().height() * 9};
}

QRectF PipelineTimelineView::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.height() + m.horizontalAdvance(QString::number(std::max(1, stages()))) + 2 * spacing_unit;
  const double below =
      legend(nullptr, QRectF(left, 0, std::max(1.0, width() - left), height()), small_font(), legendEntries());
  const double room = std::max(20.0, height() - below - 2.3 * m.height() - spacing_unit);
  return {left, 0, std::max(20.0, width() - left - 2 * spacing_unit),
          std::min(room, tallest_row * fontMetrics().height() * std::max(1, stages()))};
}

double PipelineTimelineView::x(double second) const {
  const QRectF p = plot();
  return p.left() + p.width() * (second - from_) / (until_ - from_);
}

double PipelineTimelineView::second_at(double at) const {
  const QRectF p = plot();
  return from_ + (until_ - from_) * (at - p.left()) / p.width();
}

QRectF PipelineTimelineView::row_rect(int stage) const {
  const QRectF p = plot();
  const double each = p.height() / std::max(1, stages());
  return {p.left(), p.top() + stage * each, p.width(), each};
}

std::size_t PipelineTimelineView::first_after(int stage, double second) const {
  const auto begin = timeline_->entries.begin() + static_cast<std::ptrdiff_t>(rows_[static_cast<std::size_t>(stage)]);
  const auto end = timeline_->entries.begin() + static_cast<std::ptrdiff_t>(rows_[static_cast<std::size_t>(stage) + 1]);
  const auto at = std::partition_point(begin, end, [second](const PipelineSlot& s) { return s.end <= second; });
  return static_cast<std::size_t>(at - timeline_->entries.begin());
}

int PipelineTimelineView::lane_of(std::size_t i) const {
  if (!side_by_side_) return -1;
  const auto with = [&](std::size_t other) {
    return entry(other).stage == entry(i).stage && entry(other).begin == entry(i).begin;
  };
  if (i > 0 && with(i - 1)) return 1;
  return i + 1 < timeline_->entries.size() && with(i + 1) ? 0 : -1;
}

QRectF PipelineTimelineView::slotRect(std::size_t i) const {
  const QRectF row = row_rect(entry(i).stage);
  const double a = x(entry(i).begin), b = x(entry(i).end);
  const double pad = row.height() > 6 ? row.height() * 0.1 : 0;
  const double tall = row.height() - 2 * pad;
  const int lane = lane_of(i);
  return {a, row.top() + pad + (lane == 1 ? tall / 2 : 0), b - a, lane < 0 ? tall : tall / 2};
}

std::optional<std::size_t> PipelineTimelineView::slotAt(const QPointF& at) const {
  const QRectF p = plot();
  if (!has_content() || !p.contains(at)) return std::nullopt;
  const int stage = std::clamp(static_cast<int>((at.y() - p.top()) / p.height() * stages()), 0, stages() - 1);
  const double second = second_at(at.x());
  const std::size_t i = first_after(stage, second);
  if (i >= rows_[static_cast<std::size_t>(stage) + 1] || entry(i).begin > second) return std::nullopt;
  return lane_of(i) == 0 && at.y() >= slotRect(i).bottom() ? i + 1 : i;
}

std::vector<LegendEntry> PipelineTimelineView::legendEntries() const {
  std::vector<LegendEntry> out{{tr("forward"), color_of_work(PipelineWork::forward)}};
  if (split_backward_) {
    out.push_back({tr("backward, input"), color_of_work(PipelineWork::backward_input)});
    out.push_back({tr("backward, weights"), color_of_work(PipelineWork::backward_weight)});
  } else {
    out.push_back({tr("backward"), color_of_work(PipelineWork::backward)});
  }
  if (transfer_ > 0 && stages() > 1) out.push_back({tr("sending"), step_work_color(StepWork::sending)});
  for (const TimelineTail& t : tails_)
    if (t.end > t.begin) out.push_back({t.name, step_work_color(t.work)});
  out.push_back({tr("idle"), theme().grid_major});
  return out;
}

void PipelineTimelineView::draw_row(int stage, int lane, std::vector<float>& sums, std::vector<QRgb>& line,
                                    double scale) const {
  const std::size_t wide = line.size();
  std::fill(sums.begin(), sums.end(), 0.0F);
  const auto cover = [&](double begin, double end, const QColor& c) {
    const double a = std::max(0.0, (begin - from_) * scale),
                 b = std::min(static_cast<double>(wide), (end - from_) * scale);
    if (b <= a) return;
    const auto first = static_cast<std::size_t>(a), last = std::min(wide - 1, static_cast<std::size_t>(b));
    for (std::size_t i = first; i <= last; ++i) {
      const auto share =
          static_cast<float>(std::min(b, static_cast<double>(i + 1)) - std::max(a, static_cast<double>(i)));
      if (share <= 0) continue;
      float* s = &sums[i * 4];
      s[0] += share * static_cast<float>(c.red());
      s[1] += share * static_cast<float>(c.green());
      s[2] += share * static_cast<float>(c.blue());
      s[3] += share;
    }
  };
  std::array<QColor, 4> plain, second;
  for (std::size_t w = 0; w < plain.size(); ++w) {
    plain[w] = color_of_work(static_cast<PipelineWork>(w));
    second[w] = mixed_color(plain[w], theme().panel, 0.22); // every other chunk
  }
  const double gap = 1.0 / scale; // a line between pieces that are wide enough for one
  for (std::size_t i = first_after(stage, from_); i < rows_[static_cast<std::size_t>(stage) + 1]; ++i) {
    const PipelineSlot& s = entry(i);
    if (s.begin >= until_) break;
    if (const int own = lane_of(i); own >= 0 && own != lane) continue;
    const auto work = static_cast<std::size_t>(s.work);
    const bool apart = (s.end - s.begin) * scale >= 5;
    cover(s.begin, apart ? s.end - gap : s.end, s.chunk % 2 == 0 ? plain[work] : second[work]);
  }
  for (const TimelineTail& t : tails_)
    cover(t.begin, t.end, step_work_color(t.work));
  const QColor idle = theme().grid_major;
  for (std::size_t i = 0; i < wide; ++i) {
    const float* s = &sums[i * 4];
    const float rest = std::max(0.0F, 1.0F - s[3]), all = std::max(1.0F, s[3]);
    line[i] = qRgb(static_cast<int>((s[0] + rest * static_cast<float>(idle.red())) / all),
                   static_cast<int>((s[1] + rest * static_cast<float>(idle.green())) / all),
                   static_cast<int>((s[2] + rest * static_cast<float>(idle.blue())) / all));
  }
}

void PipelineTimelineView::draw_raster() {
  const QRectF p = plot();
  const double ratio = devicePixelRatioF();
  const int wide = std::max(1, static_cast<int>(std::lround(p.width() * ratio)));
  const int tall = std::max(1, static_cast<int>(std::lround(p.height() * ratio)));
  raster_ = QImage(wide, tall, QImage::Format_RGB32);
  raster_.setDevicePixelRatio(ratio);
  raster_.fill(theme().panel);
  std::vector<float> sums(static_cast<std::size_t>(wide) * 4);
  std::vector<QRgb> line(static_cast<std::size_t>(wide));
  const double scale = wide / (until_ - from_);
  const double each = static_cast<double>(tall) / stages();
  const double pad = each > 6 * ratio ? each * 0.1 : 0;
  int drawn = -1, drawn_lane = 0; // rows of less than a pixel: those that are hit are shown
  for (int y = 0; y < tall; ++y) {
    const int stage = std::min(stages() - 1, static_cast<int>((y + 0.5) / each));
    const double inside = y + 0.5 - stage * each;
    if (inside < pad || inside > each - pad) continue;
    const int lane = side_by_side_ && inside >= each / 2 ? 1 : 0;
    if (stage != drawn || lane != drawn_lane)
      draw_row(stage, lane, sums, line, scale), drawn = stage, drawn_lane = lane;
    std::copy(line.begin(), line.end(), reinterpret_cast<QRgb*>(raster_.scanLine(y)));
  }
}

void PipelineTimelineView::draw_numbers(QPainter& p) const {
  const QFontMetricsF m(small_font());
  if (row_rect(0).height() < m.height() * 0.95) return;
  const double scale = plot().width() / (until_ - from_);
  const double arrow = transfer_ * scale;
  for (int stage = 0; stage < stages(); ++stage)
    for (std::size_t i = first_after(stage, from_); i < rows_[static_cast<std::size_t>(stage) + 1]; ++i) {
      const PipelineSlot& s = entry(i);
      if (s.begin >= until_) break;
      const QRectF r = slotRect(i).intersected(plot());
      // What was sent arrives with the work that waited for it: a strip before it.
      if (arrow >= 1.5 && stages() > 1) {
        QRectF strip(x(s.begin - transfer_), r.bottom() - r.height() * 0.18, arrow, r.height() * 0.18);
        if (s.begin >= transfer_) p.fillRect(strip.intersected(plot()), step_work_color(StepWork::sending));
      }
      const QString number = QString::number(s.micro_batch + 1);
      if (m.horizontalAdvance(number) + 4 > r.width()) continue;
      p.setPen(s.work == PipelineWork::forward ? theme().text : theme().on_accent);
      p.drawText(r, Qt::AlignCenter, number);
    }
}

void PipelineTimelineView::paint(QPainter& p) {
  const Theme& t = theme();
  const QRectF in = plot();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  if (raster_.isNull() || raster_.devicePixelRatio() != devicePixelRatioF()) draw_raster();
  p.drawImage(in, raster_);
  p.setFont(small);
  draw_numbers(p);
  // Stages by number, as many as have room.
  double free = -1e9;
  for (int i = 0; i < stages(); ++i) {
    const QRectF r = row_rect(i);
    if (r.center().y() - m.height() / 2 < free) continue;
    p.setPen(t.secondary_text);
    p.drawText(QRectF(m.height(), r.center().y() - m.height() / 2, in.left() - m.height() - spacing_unit, m.height()),
               Qt::AlignRight | Qt::AlignVCenter, QString::number(i + 1));
    free = r.center().y() + m.height() * 0.45;
  }
  p.save();
  p.translate(0, in.center().y());
  p.rotate(-90);
  // Beside a single row there is no room for more than a word.
  const QString axis = in.height() >= m.horizontalAdvance(tr("Pipeline stage")) ? tr("Pipeline stage") : tr("Stage");
  if (in.height() >= m.horizontalAdvance(axis))
    p.drawText(QRectF(-in.height() / 2, 0, in.height(), m.height()), Qt::AlignCenter, axis);
  p.restore();
  const auto marks =
      axis_marks(from_, until_, std::clamp(static_cast<int>(in.width() / (m.averageCharWidth() * 12)), 2, 10));
  for (const double v : marks) {
    p.fillRect(QRectF(std::round(x(v)), in.bottom(), 1, 3), t.structure);
    p.drawText(QRectF(x(v) - 60, in.bottom() + 3, 120, m.height()), Qt::AlignHCenter | Qt::AlignTop,
               mark_text(v, marks));
  }
  p.drawText(QRectF(in.left(), in.bottom() + 3 + m.height(), in.width(), m.height()), Qt::AlignHCenter | Qt::AlignTop,
             tr("Time in the step, s"));
  // Runs of stages in one frame each: with many stages a row is a pixel.
  for (std::size_t i = 0; i < lit_.size();) {
    std::size_t end = i + 1;
    while (end < lit_.size() && lit_[end] == lit_[end - 1] + 1) ++end;
    if (lit_[i] >= 0 && lit_[end - 1] < stages()) {
      p.setPen(QPen(t.text, 2));
      p.setBrush(Qt::NoBrush);
      QRectF frame = row_rect(lit_[i]).united(row_rect(lit_[end - 1]));
      if (frame.height() < 4) frame.adjust(0, -1.5, 0, 1.5);
      p.drawRect(frame.adjusted(-1, 0, 1, 0));
    }
    i = end;
  }
  legend(&p, QRectF(in.left(), in.bottom() + 4 + 2.15 * m.height(), width() - in.left(), 10), small, legendEntries());
  if (current_ && hasFocus()) {
    p.setPen(QPen(t.text, 1.5));
    p.setBrush(Qt::NoBrush);
    QRectF r = slotRect(*current_);
    if (r.width() < 3) r.adjust(-1.5, 0, 1.5, 0);
    p.setClipRect(in);
    p.drawRect(r);
  }
}

QString PipelineTimelineView::textOf(std::size_t i) const {
  const PipelineSlot& s = entry(i);
  QStringList lines{
      rows_.size() > 1 && timeline_->entries[i].chunk > 0
          ? tr("Stage %1, chunk %2, micro-batch %3").arg(s.stage + 1).arg(s.chunk + 1).arg(s.micro_batch + 1)
          : tr("Stage %1, micro-batch %2").arg(s.stage + 1).arg(s.micro_batch + 1)};
  lines << tr("%1, %2").arg(name_of_work(s.work), screen_text(s.end - s.begin, kind::time));
  lines << tr("from %1 to %2").arg(screen_text(s.begin, kind::time, 4), screen_text(s.end, kind::time, 4));
  return lines.join(QLatin1Char('\n'));
}

QString PipelineTimelineView::textAt(const QPointF& at) const {
  if (const auto i = slotAt(at)) return textOf(*i);
  if (!has_content() || !plot().contains(at)) return {};
  const double second = second_at(at.x());
  const int stage = std::clamp(static_cast<int>((at.y() - plot().top()) / plot().height() * stages()), 0, stages() - 1);
  for (const TimelineTail& t : tails_)
    if (second >= t.begin && second < t.end)
      return tr("Stage %1: %2, %3").arg(stage + 1).arg(t.name, screen_text(t.end - t.begin, kind::time));
  return tr("Stage %1: idle").arg(stage + 1);
}

void PipelineTimelineView::show_range(double from, double until) {
  const double wide = std::clamp(until - from, span_ * narrowest_span, span_);
  from = std::clamp(from, 0.0, span_ - wide);
  if (from == from_ && from + wide == until_) return;
  from_ = from;
  until_ = std::min(span_, from + wide);
  raster_ = QImage();
  update();
}

void PipelineTimelineView::zoom(double factor, double at_second) {
  if (!has_content() || !(factor > 0)) return;
  const double wide = std::clamp((until_ - from_) / factor, span_ * narrowest_span, span_);
  const double share = (at_second - from_) / (until_ - from_);
  show_range(at_second - share * wide, at_second - share * wide + wide);
}

void PipelineTimelineView::showAll() {
  if (has_content()) show_range(0, span_);
}

void PipelineTimelineView::pan(double seconds) {
  const double wide = until_ - from_, from = std::clamp(from_ + seconds, 0.0, span_ - wide);
  show_range(from, from + wide);
}

void PipelineTimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  if (has_content() && event->modifiers().testFlag(Qt::ControlModifier)) {
    zoom(std::pow(1.0015, turned.y()), second_at(event->position().x()));
    event->accept();
  } else if (has_content() && (event->modifiers().testFlag(Qt::ShiftModifier) || turned.x() != 0)) {
    const int by = turned.x() != 0 ? turned.x() : turned.y();
    pan(-(until_ - from_) * by / 1200.0);
    event->accept();
  } else {
    event->ignore(); // the page scrolls
  }
}

void PipelineTimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  if (!has_content()) return;
  grabbed_ = second_at(event->position().x());
  if (const auto i = slotAt(event->position())) make_current(*i);
}

void PipelineTimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (!grabbed_) return;
  if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
    grabbed_.reset();
    return;
  }
  if (until_ - from_ < span_) setCursor(Qt::ClosedHandCursor);
  pan(*grabbed_ - second_at(event->position().x()));
}

void PipelineTimelineView::mouseReleaseEvent(QMouseEvent*) {
  grabbed_.reset();
  unsetCursor();
}

void PipelineTimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) showAll();
}

void PipelineTimelineView::keyPressEvent(QKeyEvent* event) {
  if (!has_content()) return PaintedChart::keyPressEvent(event);
  const double middle = (from_ + until_) / 2;
  const std::size_t now = current_.value_or(0);
  const int stage = entry(now).stage;
  const auto beside = [&](int other) { // what that stage does at the time
    const std::size_t last = rows_[static_cast<std::size_t>(other) + 1] - 1;
    return std::min(last, first_after(other, (entry(now).begin + entry(now).end) / 2));
  };
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoom(1.5, middle);
    return;
  case Qt::Key_Minus:
    zoom(1 / 1.5, middle);
    return;
  case Qt::Key_0:
    showAll();
    return;
  case Qt::Key_Right:
    if (now + 1 < rows_[static_cast<std::size_t>(stage) + 1]) make_current(now + 1);
    return;
  case Qt::Key_Left:
    if (now > rows_[static_cast<std::size_t>(stage)]) make_current(now - 1);
    return;
  case Qt::Key_Down:
    if (stage + 1 < stages()) make_current(beside(stage + 1));
    return;
  case Qt::Key_Up:
    if (stage > 0) make_current(beside(stage - 1));
    return;
  case Qt::Key_Home:
    make_current(rows_[static_cast<std::size_t>(stage)]);
    return;
  case Qt::Key_End:
    make_current(rows_[static_cast<std::size_t>(stage) + 1] - 1);
    return;
  default:
    PaintedChart::keyPressEvent(event);
  }
}

void PipelineTimelineView::make_current(std::size_t i) {
  current_ = i;
  const PipelineSlot& s = entry(i);
  if (s.begin < from_)
    pan(s.begin - from_);
  else if (s.end > until_)
    pan(s.end - until_);
  setAccessibleDescription(textOf(i));
  setToolTip({});
  update();
}

void PipelineTimelineView::focusInEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MouseFocusReason && has_content() && !current_) make_current(0);
  update();
}
void PipelineTimelineView::focusOutEvent(QFocusEvent*) { update(); }

} // namespace hallwright
