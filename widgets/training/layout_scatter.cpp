// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/layout_scatter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleHints>

#include "quantity/kind.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr double bytes_in_gib = 1024.0 * 1024.0 * 1024.0;
constexpr double reach = 8.0; ///< pixels from a dot that still hit it
} // namespace

LayoutScatter::LayoutScatter(QWidget* parent) : PaintedChart(parent) {
  setAccessibleName(tr("Layouts by step time and memory"));
}

void LayoutScatter::setDots(std::vector<LayoutDot> dots, std::vector<int> front, double limit) {
  dots_ = std::move(dots);
  front_ = std::move(front);
  std::erase_if(front_, [this](int i) { return i < 0 || i >= count(); });
  std::sort(front_.begin(), front_.end(), [this](int a, int b) { return dot(a).memory < dot(b).memory; });
  limit_ = limit;
  hovered_ = previewed_ = on_front_ = pressed_ = -1;
  outdated_ = false;
  fit_axes();
  describe_front();
  update();
}

void LayoutScatter::setNames(const std::vector<QString>& names) {
  for (std::size_t i = 0; i < std::min(names.size(), dots_.size()); ++i)
    dots_[i].name = names[i];
  describe_front();
  update();
}

void LayoutScatter::describe_front() {
  QStringList words;
  for (const int i : front_)
    if (words.size() < 30) words << words_of(dot(i)).replace(QLatin1Char('\n'), QStringLiteral(", "));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
}

void LayoutScatter::setOutdated(bool outdated) {
  if (outdated == outdated_) return;
  outdated_ = outdated;
  if (outdated) hovered_ = previewed_ = pressed_ = -1, unsetCursor();
  cloud_ = QPixmap();
  update();
}

void LayoutScatter::setPresent(const LayoutDot& present) {
  if (present_.memory == present.memory && present_.seconds == present.seconds && present_.name == present.name) return;
  present_ = present;
  // The dots stay where they are as long as it lies among them.
  const bool outside = present_known() && (present.memory < low_memory_ || present.memory > high_memory_ ||
                                           present.seconds < low_seconds_ || present.seconds > high_seconds_);
  if (outside) fit_axes();
  update();
}

void LayoutScatter::setPreviewed(int dot) {
  if (dot == previewed_) return;
  previewed_ = dot;
  update();
}

void LayoutScatter::fit_axes() {
  cloud_ = QPixmap();
  double low_m = std::isfinite(limit_) ? limit_ : 1e300, high_m = std::isfinite(limit_) ? limit_ : 0;
  double low_s = 1e300, high_s = 0;
  const auto take = [&](const LayoutDot& d) {
    low_m = std::min(low_m, d.memory), high_m = std::max(high_m, d.memory);
    low_s = std::min(low_s, d.seconds), high_s = std::max(high_s, d.seconds);
  };
  for (const LayoutDot& d : dots_)
    take(d);
  if (present_known()) take(present_);
  if (dots_.empty()) return;
  const double room = std::max((high_m - low_m) * 0.06, high_m * 0.01);
  low_memory_ = std::max(0.0, low_m - room);
  high_memory_ = high_m + room;
  logarithmic_ = low_s > 0 && high_s > 4 * low_s;
  if (logarithmic_) {
    low_seconds_ = low_s / 1.08, high_seconds_ = high_s * 1.08;
  } else {
    const double tall = std::max((high_s - low_s) * 0.08, high_s * 0.02);
    low_seconds_ = std::max(0.0, low_s - tall), high_seconds_ = high_s + tall;
  }
}

QSize LayoutScatter::sizeHint() const { return {fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 14}; }
QSize LayoutScatter::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 34, fontMetrics().height() * 10};
}

QRectF LayoutScatter::plot() const {
  const QFontMetricsF m(small_font());
  const double left = m.height() + m.averageCharWidth() * 6 + spacing_unit;
  return {left, m.height() * 0.6, std::max(20.0, width() - left - 2 * spacing_unit),
          std::max(20.0, height() - 2.9 * m.height() - spacing_unit)};
}

QPointF LayoutScatter::at(double memory, double seconds) const {
  const QRectF p = plot();
  const double across = (memory - low_memory_) / (high_memory_ - low_memory_);
  const double up = logarithmic_ ? std::log(seconds / low_seconds_) / std::log(high_seconds_ / low_seconds_)
                                 : (seconds - low_seconds_) / (high_seconds_ - low_seconds_);
  return {p.left() + across * p.width(), p.bottom() - up * p.height()};
}

QPointF LayoutScatter::place(int i) const { return at(dot(i).memory, dot(i).seconds); }

int LayoutScatter::dotAt(const QPointF& where) const {
  int best = -1;
  double nearest = reach;
  const auto look = [&](int i, double favour) {
    const QPointF d = place(i) - where;
    const double far = std::hypot(d.x(), d.y()) - favour;
    if (far < nearest) nearest = far, best = i;
  };
  for (int i = 0; i < count(); ++i)
    look(i, 0);
  for (const int i : front_)
    look(i, 2); // what lies on the front is meant before what lies beside it
  return best;
}

void LayoutScatter::draw_cloud() {
  const double ratio = devicePixelRatioF();
  cloud_ = QPixmap(size() * ratio);
  cloud_.setDevicePixelRatio(ratio);
  cloud_.fill(Qt::transparent);
  QPainter p(&cloud_);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  QColor soft =
      outdated_ ? mixed_color(theme().structure, theme().panel, 0.6) : mixed_color(theme().accent, theme().panel, 0.45);
  soft.setAlpha(count() > 1500 ? 140 : 190);
  p.setBrush(soft);
  const double r = count() > 4000 ? 1.6 : 2.3;
  for (int i = 0; i < count(); ++i)
    p.drawEllipse(place(i), r, r);
}

void LayoutScatter::name_dot(QPainter& p, const QPointF& at, const QString& words, const QRectF& avoid) {
  const QFontMetricsF m(small_font());
  const QStringList lines = words.split(QLatin1Char('\n'));
  double wide = 0;
  for (const QString& l : lines)
    wide = std::max(wide, m.horizontalAdvance(l));
  QRectF box(at.x() + 10, at.y() - m.height() * (static_cast<double>(lines.size()) + 0.4), wide + 2 * spacing_unit,
             m.height() * static_cast<double>(lines.size()) + 4);
  if (box.right() > width()) box.moveRight(std::max(box.width(), at.x() - 10));
  if (box.left() < 0) box.moveLeft(0);
  if (box.top() < 0) box.moveTop(at.y() + 10);
  if (!avoid.isEmpty() && box.intersects(avoid)) {
    // Above the other words where there is room, else below the dot.
    if (avoid.top() - box.height() >= 0)
      box.moveBottom(avoid.top());
    else
      box.moveTop(at.y() + 10);
  }
  QColor ground = theme().panel;
  ground.setAlpha(225);
  p.fillRect(box, ground);
  p.setPen(theme().text);
  p.drawText(box.adjusted(spacing_unit, 0, -spacing_unit + 2, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void LayoutScatter::paint(QPainter& p) {
  const Theme& t = theme();
  const QRectF in = plot();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  p.setFont(small);
  const auto across = axis_marks(low_memory_ / bytes_in_gib, high_memory_ / bytes_in_gib,
                                 std::clamp(static_cast<int>(in.width() / (m.averageCharWidth() * 10)), 2, 8));
  const int most_up = std::clamp(static_cast<int>(in.height() / (m.height() * 2)), 2, 7);
  auto up = logarithmic_ ? logarithmic_marks(low_seconds_, high_seconds_) : std::vector<double>();
  if (up.size() < 2) up = axis_marks(low_seconds_, high_seconds_, most_up);
  p.setPen(t.secondary_text);
  for (const double v : across) {
    const double x = at(v * bytes_in_gib, high_seconds_).x();
    p.fillRect(QRectF(std::round(x), in.bottom(), 1, 4), t.structure);
    p.drawText(QRectF(x - 60, in.bottom() + 4, 120, m.height()), Qt::AlignHCenter | Qt::AlignTop, mark_text(v, across));
  }
  for (const double v : up) {
    const double y = at(low_memory_, v).y();
    p.fillRect(QRectF(in.left(), std::round(y), in.width(), 1), t.grid_major);
    p.drawText(QRectF(m.height(), y - m.height() / 2, in.left() - m.height() - spacing_unit, m.height()),
               Qt::AlignRight | Qt::AlignVCenter, mark_text(v, up));
  }
  p.fillRect(QRectF(in.left(), in.top(), 1, in.height()), t.structure);
  p.fillRect(QRectF(in.left(), in.bottom(), in.width(), 1), t.structure);
  p.drawText(QRectF(in.left(), in.bottom() + 4 + m.height(), in.width(), m.height()), Qt::AlignHCenter | Qt::AlignTop,
             tr("Memory of the heaviest stage, GiB"));
  p.save();
  p.translate(0, in.center().y());
  p.rotate(-90);
  p.drawText(QRectF(-in.height() / 2 - m.height(), 0, in.height() + 2 * m.height(), m.height()), Qt::AlignCenter,
             tr("Step time, s"));
  p.restore();
  if (cloud_.isNull() || cloud_.devicePixelRatio() != devicePixelRatioF()) draw_cloud();
  p.drawPixmap(0, 0, cloud_);
  if (std::isfinite(limit_)) {
    const double x = at(limit_, high_seconds_).x();
    p.setPen(QPen(t.red, 1.4, Qt::DashLine));
    p.drawLine(QPointF(x, in.top()), QPointF(x, in.bottom()));
    const QString words = tr("GPU %1").arg(screen_text(limit_, kind::memory));
    p.setPen(t.red);
    p.drawText(
        QRectF(x - m.horizontalAdvance(words) - spacing_unit, in.top(), m.horizontalAdvance(words) + 2, m.height()),
        Qt::AlignRight | Qt::AlignVCenter, words);
  }
  QPolygonF line;
  for (const int i : front_)
    line << place(i);
  const QColor of_front = outdated_ ? mixed_color(t.structure, t.panel, 0.3) : t.accent;
  p.setPen(QPen(of_front, 2.0));
  p.setBrush(Qt::NoBrush);
  p.drawPolyline(line);
  p.setPen(Qt::NoPen);
  p.setBrush(of_front);
  for (const QPointF& f : line)
    p.drawEllipse(f, 2.8, 2.8);
  QRectF taken;
  if (present_known() && !outdated_) {
    const QPointF now = at(present_.memory, present_.seconds);
    p.setPen(QPen(kind_color(5), 2.4));
    p.setBrush(t.panel);
    p.drawEllipse(now, 5.5, 5.5);
    const QString words = tr("now: %1").arg(present_.name);
    name_dot(p, now, words);
    taken = QRectF(now.x() - 10, now.y() - m.height() * 1.5, m.horizontalAdvance(words) + 30, m.height() * 1.3);
  }
  const int named = hovered_ >= 0 ? hovered_ : previewed_;
  if (previewed_ >= 0) {
    p.setPen(QPen(t.text, 1.8));
    p.setBrush(t.accent);
    p.drawEllipse(place(previewed_), 5.0, 5.0);
  }
  if (named >= 0) {
    if (named != previewed_) {
      p.setPen(QPen(t.text, 1.4));
      p.setBrush(t.accent);
      p.drawEllipse(place(named), 4.0, 4.0);
    }
    name_dot(p, place(named), words_of(dot(named)), taken);
  }
  if (hasFocus()) {
    p.setPen(QPen(t.accent, 1.2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(in.adjusted(-1, -1, 1, 1));
  }
}

QString LayoutScatter::words_of(const LayoutDot& d) const {
  return QStringLiteral("%1\n%2, %3")
      .arg(d.name, screen_text(d.seconds, kind::time), screen_text(d.memory, kind::memory));
}

QString LayoutScatter::textAt(const QPointF& where) const {
  if (outdated_) return {};
  const int i = dotAt(where);
  if (i >= 0) return dot(i).tip.isEmpty() ? words_of(dot(i)) : words_of(dot(i)) + QLatin1Char('\n') + dot(i).tip;
  if (present_known()) {
    const QPointF d = at(present_.memory, present_.seconds) - where;
    if (std::hypot(d.x(), d.y()) < reach) return words_of(present_);
  }
  return {};
}

void LayoutScatter::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  applied_ = false;
  pressed_ = outdated_ ? -1 : dotAt(event->position());
  pressed_at_ = event->globalPosition();
}

void LayoutScatter::mouseMoveEvent(QMouseEvent* event) {
  const int i = outdated_ ? -1 : dotAt(event->position());
  if (i == hovered_) return;
  hovered_ = i;
  setCursor(i >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void LayoutScatter::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void LayoutScatter::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (std::exchange(applied_, false) || outdated_ || pressed_ < 0) return;
  const QPointF moved = event->globalPosition() - pressed_at_;
  if (moved.manhattanLength() > QApplication::startDragDistance()) return; // let go elsewhere: not meant
  const int i = pressed_;
  const auto there = std::find(front_.begin(), front_.end(), i);
  if (there != front_.end()) on_front_ = static_cast<int>(there - front_.begin());
  setPreviewed(i);
  Q_EMIT previewRequested(i);
}

void LayoutScatter::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || outdated_) return;
  // Both presses are at one place of the screen; what lay there at the first is meant, whatever its preview moved.
  const QPointF moved = event->globalPosition() - pressed_at_;
  const bool begun = moved.manhattanLength() <= 2 * QGuiApplication::styleHints()->mouseDoubleClickDistance();
  const int i = begun ? pressed_ : dotAt(event->position());
  applied_ = true;
  if (i >= 0) Q_EMIT applyRequested(i);
}

void LayoutScatter::go_along(int step) {
  if (front_.empty() || outdated_) return;
  const int last = static_cast<int>(front_.size()) - 1;
  if (on_front_ < 0) {
    // From the layout that is there, the next on the front by memory.
    on_front_ = step > 0 ? 0 : last;
    if (present_known()) {
      const auto above =
          std::find_if(front_.begin(), front_.end(), [this](int i) { return dot(i).memory > present_.memory; });
      const int next = static_cast<int>(above - front_.begin());
      on_front_ = std::clamp(step > 0 ? next : next - 1, 0, last);
    }
  } else {
    on_front_ = std::clamp(on_front_ + step, 0, last);
  }
  const int i = front_[static_cast<std::size_t>(on_front_)];
  setPreviewed(i);
  setAccessibleDescription(words_of(dot(i)));
  Q_EMIT previewRequested(i);
}

void LayoutScatter::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Right:
    go_along(1);
    return;
  case Qt::Key_Left:
    go_along(-1);
    return;
  case Qt::Key_Home:
    on_front_ = 0, go_along(0);
    return;
  case Qt::Key_End:
    on_front_ = static_cast<int>(front_.size()) - 1, go_along(0);
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (previewed_ >= 0) Q_EMIT applyRequested(previewed_);
    return;
  case Qt::Key_Escape:
    if (previewed_ >= 0) {
      setPreviewed(-1);
      Q_EMIT previewEnded();
      return;
    }
    break;
  default:
    break;
  }
  PaintedChart::keyPressEvent(event);
}

void LayoutScatter::focusInEvent(QFocusEvent*) { update(); }
void LayoutScatter::focusOutEvent(QFocusEvent*) { update(); }

} // namespace hallwright
