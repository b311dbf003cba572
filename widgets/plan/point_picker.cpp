// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/point_picker.h"

#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/plan/plan_canvas.h"
#include "widgets/theme.h"

namespace hallwright {

PointPicker::PointPicker(PlanView& view, QStringList prompts, Catch on, QWidget* parent)
    : QWidget(parent ? parent : view.viewport()), view_(view), prompts_(std::move(prompts)), catch_(std::move(on)) {
  setObjectName(QStringLiteral("point_picker"));
  setAccessibleName(tr("Points on the plan"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
  setGeometry(view_.viewport()->rect());
  view_.viewport()->installEventFilter(this);
  // The view paints itself anew when it moves; the points lie on the scene.
  connect(&view_, &PlanView::scaleChanged, this, [this] { update(); });
  show();
  raise();
  setFocus(Qt::OtherFocusReason);
  ask();
}

bool PointPicker::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_.viewport() && event->type() == QEvent::Resize) setGeometry(view_.viewport()->rect());
  return QWidget::eventFilter(watched, event);
}

void PointPicker::ask() {
  Q_EMIT view_.hintChanged(points_.size() < static_cast<std::size_t>(prompts_.size())
                               ? prompts_[static_cast<qsizetype>(points_.size())]
                               : QString());
  update();
}

QPointF PointPicker::caught_at(const QPointF& view_point, bool free) {
  const QTransform t = view_.viewportTransform();
  const QPointF scene = t.inverted().map(view_point);
  caught_ = false;
  return free || !catch_ ? scene : catch_(scene, 10 / t.m11(), caught_);
}

void PointPicker::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    event->ignore(); // the view pans
    return;
  }
  if (points_.size() >= static_cast<std::size_t>(prompts_.size())) return; // all is asked
  points_.push_back(caught_at(event->position(), event->modifiers() & Qt::AltModifier));
  event->accept();
  if (points_.size() < static_cast<std::size_t>(prompts_.size())) {
    ask();
    return;
  }
  Q_EMIT view_.hintChanged(QString());
  hide();
  deleteLater();
  view_.setFocus(Qt::OtherFocusReason);
  Q_EMIT picked(points_);
}

void PointPicker::mouseMoveEvent(QMouseEvent* event) {
  cursor_ = caught_at(event->position(), event->modifiers() & Qt::AltModifier);
  cursor_known_ = true;
  update();
  event->ignore();
}

void PointPicker::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) event->ignore();
}

void PointPicker::wheelEvent(QWheelEvent* event) { event->ignore(); }

void PointPicker::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    Q_EMIT view_.hintChanged(QString());
    hide();
    deleteLater();
    view_.setFocus(Qt::OtherFocusReason);
    Q_EMIT cancelled();
    return;
  }
  if (event->key() == Qt::Key_Backspace && !points_.empty()) {
    points_.pop_back();
    ask();
    return;
  }
  QWidget::keyPressEvent(event);
}

void PointPicker::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing, true);
  const QTransform t = view_.viewportTransform();
  const QColor accent = theme().accent;
  p.setPen(QPen(accent, 1.6));
  const auto mark = [&](const QPointF& scene, bool caught) {
    const QPointF q = t.map(scene);
    p.setBrush(caught ? QBrush(accent) : QBrush(Qt::NoBrush));
    p.drawEllipse(q, 4, 4);
    p.drawLine(q - QPointF(10, 0), q - QPointF(5, 0));
    p.drawLine(q + QPointF(5, 0), q + QPointF(10, 0));
    p.drawLine(q - QPointF(0, 10), q - QPointF(0, 5));
    p.drawLine(q + QPointF(0, 5), q + QPointF(0, 10));
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    mark(points_[i], true);
    if (i + 1 < points_.size()) p.drawLine(t.map(points_[i]), t.map(points_[i + 1]));
  }
  QString words = prompts_.value(static_cast<qsizetype>(points_.size()));
  if (cursor_known_) {
    mark(cursor_, caught_);
    if (!points_.empty()) {
      p.setPen(QPen(accent, 1.4, Qt::DashLine));
      p.drawLine(t.map(points_.back()), t.map(cursor_));
      const QPointF d = cursor_ - points_.back();
      words += QStringLiteral("   ") + plan::length_text(std::hypot(d.x(), d.y()), 3);
    }
  }
  // What is asked stands at the top of the plan.
  QFont f = font();
  f.setWeight(QFont::DemiBold);
  p.setFont(f);
  const QFontMetricsF m(f);
  const QRectF card((width() - m.horizontalAdvance(words) - 32) / 2, 32, m.horizontalAdvance(words) + 32,
                    m.height() + 12);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().dark ? QColor(0xe6, 0xeb, 0xf0) : QColor(0x1f, 0x2a, 0x37));
  p.drawRoundedRect(card, 3, 3);
  p.setPen(theme().dark ? QColor(0x16, 0x1b, 0x21) : QColor(0xff, 0xff, 0xff));
  p.drawText(card, Qt::AlignCenter | Qt::TextSingleLine, words);
}

} // namespace hallwright
