// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/overflow_line.h"

#include <algorithm>

#include <QEvent>
#include <QFrame>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr int gap = 2 * spacing_unit;
} // namespace

OverflowLine::OverflowLine(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  more_ = new QToolButton(this);
  more_->setObjectName(QStringLiteral("more_fields"));
  more_->setText(tr("More") + QStringLiteral(" \u25be"));
  more_->setAccessibleName(tr("More fields"));
  more_->setToolTip(tr("Fields that do not fit beside the others"));
  more_->setFocusPolicy(Qt::TabFocus);
  more_->hide();
  rest_ = new QFrame(this, Qt::Popup);
  rest_->setFrameShape(QFrame::StyledPanel);
  rest_->setBackgroundRole(QPalette::Window);
  auto* column = new QVBoxLayout(rest_);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  rest_->installEventFilter(this);
  connect(more_, &QToolButton::clicked, this, &OverflowLine::open);
}

void OverflowLine::addWidget(QWidget* widget) {
  const bool hidden = widget->isHidden() && widget->testAttribute(Qt::WA_WState_ExplicitShowHide);
  widget->setParent(this);
  widget->setVisible(!hidden);
  widget->installEventFilter(this);
  items_.push_back(widget);
  arrange();
}

bool OverflowLine::waits(const QWidget* widget) const {
  return widget && !widget->isHidden() && widget->parentWidget() == rest_;
}

int OverflowLine::height_of_line() const {
  int out = more_->sizeHint().height();
  for (const QWidget* w : items_) out = std::max(out, w->sizeHint().height());
  return out + 2 * spacing_unit;
}

QSize OverflowLine::sizeHint() const {
  int width = gap;
  for (const QWidget* w : items_)
    if (!w->isHidden()) width += w->sizeHint().width() + gap;
  return {width, height_of_line()};
}

QSize OverflowLine::minimumSizeHint() const { return {more_->sizeHint().width() + 2 * gap, height_of_line()}; }

void OverflowLine::move_to(QWidget* widget, QWidget* host) {
  if (widget->parentWidget() == host) return;
  const bool hidden = widget->isHidden();
  widget->setParent(host);
  widget->setVisible(!hidden);
}

void OverflowLine::arrange() {
  if (arranging_) return;
  arranging_ = true;
  int wanted = gap;
  for (const QWidget* w : items_)
    if (!w->isHidden()) wanted += w->sizeHint().width() + gap;
  const bool all = wanted <= width();
  const int room = width() - gap - (all ? 0 : more_->sizeHint().width() + gap);
  const auto column = static_cast<QVBoxLayout*>(rest_->layout());
  int x = gap;
  bool full = false;
  for (QWidget* w : items_) {
    if (w->isHidden()) continue;
    const QSize size = w->sizeHint();
    full = full || x + size.width() > room + 1;
    column->removeWidget(w);
    if (full && !all) {
      move_to(w, rest_);
      column->addWidget(w, 0, Qt::AlignRight);
      continue;
    }
    move_to(w, this);
    const int y = (height() - size.height()) / 2;
    const bool from_right = layoutDirection() == Qt::RightToLeft;
    w->setGeometry(from_right ? width() - x - size.width() : x, y, size.width(), size.height());
    x += size.width() + gap;
  }
  more_->setVisible(!all);
  if (!all) {
    const QSize size = more_->sizeHint();
    more_->setGeometry(layoutDirection() == Qt::RightToLeft ? width() - x - size.width() : x,
                       (height() - size.height()) / 2, size.width(), size.height());
  } else if (rest_->isVisible()) {
    rest_->hide();
  }
  if (rest_->isVisible()) rest_->adjustSize();
  arranging_ = false;
}

void OverflowLine::open() {
  rest_->adjustSize();
  QPoint at = more_->mapToGlobal(QPoint(0, more_->height() + spacing_unit));
  if (const QScreen* s = screen()) {
    const QRect sight = s->availableGeometry();
    at.setX(std::clamp(at.x(), sight.left(), std::max(sight.left(), sight.right() - rest_->width())));
    at.setY(std::clamp(at.y(), sight.top(), std::max(sight.top(), sight.bottom() - rest_->height())));
  }
  rest_->move(at);
  rest_->show();
  for (QWidget* w : items_)
    if (waits(w)) {
      for (QWidget* field : w->findChildren<QWidget*>())
        if (field->focusPolicy() & Qt::TabFocus) {
          field->setFocus(Qt::OtherFocusReason);
          return;
        }
    }
}

void OverflowLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool OverflowLine::event(QEvent* event) {
  const bool out = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange ||
      event->type() == QEvent::LayoutDirectionChange || event->type() == QEvent::Show) {
    arrange();
    if (event->type() != QEvent::Show) updateGeometry();
  }
  return out;
}

bool OverflowLine::eventFilter(QObject* watched, QEvent* event) {
  // A field keeps what was typed when the small window closes.
  if (watched == rest_ && event->type() == QEvent::Hide) {
    if (QWidget* field = rest_->focusWidget()) field->clearFocus();
    return false;
  }
  if (watched != rest_ && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)) arrange();
  return QWidget::eventFilter(watched, event);
}

} // namespace hallwright
