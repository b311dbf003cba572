// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cooling/heat_flows.h"
#include "widgets/training/painted_chart.h"

namespace hallwright::loops {

/// Heat from where it arises to where it goes, as bands as wide as their power. A click on a unit chooses it.
class HeatSankey : public PaintedChart {
  Q_OBJECT
public:
  explicit HeatSankey(QWidget* parent = nullptr);
  void setFlows(HeatFlows flows);
  [[nodiscard]] const HeatFlows& flows() const { return flows_; }
  [[nodiscard]] QRectF nodeRect(int node) const;
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize sizeHint() const override { return {620, 260}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {300, 170}; }

Q_SIGNALS:
  void entityActivated(const hallwright::EntityRef& entity);

protected:
  [[nodiscard]] bool has_content() const override { return !flows_.empty(); }
  void paint(QPainter& painter) override;
  void restyled() override { lay(); }
  void mouseReleaseEvent(QMouseEvent* event) override;

private:
  void lay();
  [[nodiscard]] QString name_of(int node) const;
  [[nodiscard]] QColor color_of(const HeatNode& node) const;
  HeatFlows flows_;
  std::vector<QRectF> rects_;
  struct Band {
    double from_y = 0, to_y = 0, high = 0;
  };
  std::vector<Band> bands_;
};

} // namespace hallwright::loops
