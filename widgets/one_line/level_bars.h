// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/power_growth.h"
#include "widgets/training/painted_chart.h"

namespace hallwright {

/// A bar for each level of the chain: what is used, kept for failures of others, free for more racks, and stranded
/// because other levels say no first.
class LevelBars : public PaintedChart {
  Q_OBJECT
public:
  explicit LevelBars(QWidget* parent = nullptr);
  void setGrowth(const PowerGrowth& growth);
  void clear();
  [[nodiscard]] int count() const { return static_cast<int>(growth_.levels.size()); }
  [[nodiscard]] QRectF barRect(int level) const;
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

protected:
  [[nodiscard]] bool has_content() const override { return !growth_.levels.empty(); }
  void paint(QPainter& painter) override;

private:
  [[nodiscard]] double names_width() const;
  [[nodiscard]] double row_height() const;
  PowerGrowth growth_;
};

} // namespace hallwright
