// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_preview.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr int desk = 16; // pixels of desk round the paper
constexpr double least_zoom = 0.05, most_zoom = 8;
} // namespace

PlanPreview::PlanPreview(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("print_preview"));
  setAccessibleName(tr("Preview of the sheet"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  viewport()->setCursor(Qt::OpenHandCursor);
  setMinimumSize(240, 200);
}

void PlanPreview::setPrint(std::shared_ptr<const PlanPrint> print) {
  print_ = std::move(print);
  picture_ = {};
  const int most = print_ ? print_->sheets() - 1 : 0;
  if (sheet_ > most) {
    sheet_ = std::max(0, most);
    Q_EMIT sheetChanged(sheet_);
  }
  update_bars();
  viewport()->update();
}

void PlanPreview::setSheet(int sheet) {
  if (!print_) return;
  sheet = std::clamp(sheet, 0, print_->sheets() - 1);
  if (sheet == sheet_) return;
  sheet_ = sheet;
  picture_ = {};
  viewport()->update();
  Q_EMIT sheetChanged(sheet_);
}

double PlanPreview::dots_per_mm() const {
  if (!print_) return 1;
  if (zoom_ > 0) return zoom_ * logicalDpiX() / 25.4;
  const QSizeF paper = print_->paper();
  return std::max(0.02, std::min((viewport()->width() - 2.0 * desk) / paper.width(),
                                 (viewport()->height() - 2.0 * desk) / paper.height()));
}

double PlanPreview::zoom() const { return dots_per_mm() * 25.4 / logicalDpiX(); }

QRectF PlanPreview::paper_rect() const {
  const QSizeF size = print_->paper() * dots_per_mm();
  const QSize sight = viewport()->size();
  const double x = size.width() + 2 * desk <= sight.width() ? (sight.width() - size.width()) / 2
                                                            : desk - horizontalScrollBar()->value();
  const double y = size.height() + 2 * desk <= sight.height() ? (sight.height() - size.height()) / 2
                                                              : desk - verticalScrollBar()->value();
  return {QPointF(std::round(x), std::round(y)), size};
}

void PlanPreview::update_bars() {
  if (!print_) return;
  const QSizeF size = print_->paper() * dots_per_mm();
  const QSize sight = viewport()->size();
  const bool whole = zoom_ <= 0;
  horizontalScrollBar()->setRange(
      0, whole ? 0 : std::max(0, static_cast<int>(std::ceil(size.width())) + 2 * desk - sight.width()));
  verticalScrollBar()->setRange(
      0, whole ? 0 : std::max(0, static_cast<int>(std::ceil(size.height())) + 2 * desk - sight.height()));
  horizontalScrollBar()->setPageStep(sight.width());
  verticalScrollBar()->setPageStep(sight.height());
  horizontalScrollBar()->setSingleStep(30);
  verticalScrollBar()->setSingleStep(30);
}

void PlanPreview::setZoom(double zoom) {
  zoom_ = zoom <= 0 ? 0 : std::clamp(zoom, least_zoom, most_zoom);
  picture_ = {};
  update_bars();
  viewport()->update();
  Q_EMIT zoomChanged(this->zoom());
}

void PlanPreview::zoom_at(double zoom, const QPointF& at) {
  if (!print_) return;
  const QRectF before = paper_rect();
  const QPointF share((at.x() - before.left()) / before.width(), (at.y() - before.top()) / before.height());
  setZoom(zoom);
  const QSizeF size = print_->paper() * dots_per_mm();
  horizontalScrollBar()->setValue(static_cast<int>(std::lround(desk + share.x() * size.width() - at.x())));
  verticalScrollBar()->setValue(static_cast<int>(std::lround(desk + share.y() * size.height() - at.y())));
  viewport()->update();
}

void PlanPreview::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const QRect sight = viewport()->rect();
  const QColor table = theme().dark ? QColor(0x14, 0x18, 0x1d) : QColor(0xc9, 0xd0, 0xd8);
  painter.fillRect(sight, table);
  if (!print_) return;
  const QRectF paper = paper_rect();
  const QRectF shown = paper.intersected(QRectF(sight));
  if (shown.isEmpty()) return;
  const double ratio = devicePixelRatioF();
  if (picture_.isNull() || picture_paper_ != paper || picture_.size() != (QSizeF(sight.size()) * ratio).toSize()) {
    // What was painted before is of use only where it lay.
    picture_ = QPixmap((QSizeF(sight.size()) * ratio).toSize());
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(table);
    picture_paper_ = paper;
    QPainter p(&picture_);
    p.setClipRect(shown);
    p.translate(paper.topLeft());
    print_->paint(p, sheet_, dots_per_mm());
  }
  painter.drawPixmap(0, 0, picture_);
  painter.setPen(theme().border);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(paper.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void PlanPreview::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  update_bars();
  if (zoom_ <= 0) Q_EMIT zoomChanged(zoom());
}

void PlanPreview::scrollContentsBy(int, int) { viewport()->update(); }

void PlanPreview::wheelEvent(QWheelEvent* event) {
  const int turn = event->angleDelta().y();
  if (event->modifiers() & Qt::ControlModifier && turn) {
    zoom_at(std::clamp(zoom() * std::pow(1.2, turn / 120.0), least_zoom, most_zoom), event->position());
    event->accept();
    return;
  }
  // On a sheet that is wholly in sight the wheel turns the sheets.
  if (verticalScrollBar()->maximum() == 0 && turn) {
    setSheet(sheet_ + (turn < 0 ? 1 : -1));
    event->accept();
    return;
  }
  QAbstractScrollArea::wheelEvent(event);
}

void PlanPreview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  dragging_ = true;
  last_ = event->position().toPoint();
  viewport()->setCursor(Qt::ClosedHandCursor);
}

void PlanPreview::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) return;
  const QPoint d = event->position().toPoint() - last_;
  last_ = event->position().toPoint();
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - d.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - d.y());
}

void PlanPreview::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = false;
  viewport()->setCursor(Qt::OpenHandCursor);
}

void PlanPreview::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_PageDown: setSheet(sheet_ + 1); return;
  case Qt::Key_PageUp: setSheet(sheet_ - 1); return;
  case Qt::Key_Home: setSheet(0); return;
  case Qt::Key_End: setSheet(print_ ? print_->sheets() - 1 : 0); return;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoom_at(std::clamp(zoom() * 1.25, least_zoom, most_zoom), QRectF(viewport()->rect()).center());
    return;
  case Qt::Key_Minus:
    zoom_at(std::clamp(zoom() * 0.8, least_zoom, most_zoom), QRectF(viewport()->rect()).center());
    return;
  case Qt::Key_0: setZoom(0); return;
  case Qt::Key_1: zoom_at(1, QRectF(viewport()->rect()).center()); return;
  default: QAbstractScrollArea::keyPressEvent(event);
  }
}

} // namespace hallwright
