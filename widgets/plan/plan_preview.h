// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QAbstractScrollArea>
#include <QPixmap>

#include "widgets/plan/plan_print.h"

namespace hallwright {

/// A sheet as it will be printed, on a desk. Wheel with Ctrl zooms at the cursor, dragging moves the paper, Page Up and
/// Page Down turn the sheets, + and - zoom, 0 shows the whole sheet.
class PlanPreview : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit PlanPreview(QWidget* parent = nullptr);
  void setPrint(std::shared_ptr<const PlanPrint> print);
  [[nodiscard]] int sheet() const { return sheet_; }
  void setSheet(int sheet);
  /// 1: as large as the paper. 0 shows the whole sheet.
  void setZoom(double zoom);
  [[nodiscard]] double zoom() const;
  [[nodiscard]] bool showsWhole() const { return zoom_ <= 0; }

Q_SIGNALS:
  void sheetChanged(int sheet);
  void zoomChanged(double zoom);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  [[nodiscard]] double dots_per_mm() const;
  [[nodiscard]] QRectF paper_rect() const; ///< in the viewport
  void zoom_at(double zoom, const QPointF& at);
  void update_bars();
  std::shared_ptr<const PlanPrint> print_;
  int sheet_ = 0;
  double zoom_ = 0;
  QPixmap picture_;      ///< what is in sight of the paper
  QRectF picture_paper_; ///< where the paper lay when it was made
  QPoint last_;
  bool dragging_ = false;
};

} // namespace hallwright
