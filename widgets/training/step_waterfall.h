// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "widgets/training/painted_chart.h"

namespace hallwright {

/// One part on the way from the peak to the step.
struct WaterfallPart {
  QString name;
  QString text;       ///< its time with unit, as shown
  QString tip;        ///< more about it, below its time in the tooltip; may be empty
  QString figure;     ///< what a click explains; may be empty
  double seconds = 0; ///< zero or more, or less for a part that is quicker than the peak would be
  double until = 0;   ///< sum of the parts up to and with this one, seconds
  StepWork work = StepWork::computing;
};

/// Where a step goes: the operations of the model at the peak, what every further part adds, and the step as their sum.
/// A part stands where the one before it ends. Up and down move through the parts, Enter or a click explains one.
class StepWaterfall : public PaintedChart {
  Q_OBJECT
public:
  explicit StepWaterfall(QWidget* parent = nullptr);
  /// `total_*` is the last row: the whole.
  void setParts(std::vector<WaterfallPart> parts, const QString& total_name, const QString& total_text,
                const QString& total_figure);
  void clear();
  [[nodiscard]] int count() const { return static_cast<int>(parts_.size()); } ///< rows, the whole among them
  [[nodiscard]] const WaterfallPart& part(int row) const { return parts_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] QRectF barRect(int row) const;
  [[nodiscard]] QRectF rowRect(int row) const;
  [[nodiscard]] int currentRow() const { return current_; }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void figureActivated(const QString& figure);

protected:
  [[nodiscard]] bool has_content() const override { return !parts_.empty(); }
  void paint(QPainter& painter) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double x(double seconds) const;
  [[nodiscard]] int row_at(double y) const;
  [[nodiscard]] double names_width() const;
  [[nodiscard]] QString words_of(int row) const;
  void make_current(int row);
  void activate(int row);
  std::vector<WaterfallPart> parts_;
  double most_ = 1;
  int current_ = -1, hovered_ = -1;
};

} // namespace hallwright
