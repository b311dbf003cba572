// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/training/painted_chart.h"

namespace hallwright::loops {

/// Flow of a rack against its need.
struct RackBar {
  QString name;
  double flow_m3_per_s = 0, need_m3_per_s = 0;
  bool flowing = false;
};

/// A bar for each rack: the share of its need that it gets, the worst at the left, with a line at the need. What is
/// short is red. A click chooses a rack; left and right move, Return chooses.
class RackFlowBars : public PaintedChart {
  Q_OBJECT
public:
  explicit RackFlowBars(QWidget* parent = nullptr);
  void setRacks(std::vector<RackBar> racks); ///< in any order; the index of `rackActivated` is that of this list
  void setLit(const std::vector<int>& racks);
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] int rackAt(const QPointF& at) const; ///< -1: none
  [[nodiscard]] QRectF barRect(int place) const;     ///< by place from the left
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] QSize sizeHint() const override { return {420, 240}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

Q_SIGNALS:
  void rackActivated(int rack);

protected:
  [[nodiscard]] bool has_content() const override { return !racks_.empty(); }
  void paint(QPainter& painter) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double top_share() const;
  std::vector<RackBar> racks_;
  std::vector<int> order_, lit_;
  int current_ = -1;
};

} // namespace hallwright::loops
