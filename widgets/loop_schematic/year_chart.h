// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "widgets/training/painted_chart.h"

namespace hallwright::loops {

/// One way of cooling on a chart of the year.
struct YearLayer {
  QString name;
  QColor color;
};
/// Hours of one kelvin of outdoor air, by layer.
struct YearColumn {
  int dry_c = 0;
  std::vector<double> hours; ///< one a layer
  double pue = 0.0;          ///< mean over these hours; not a number: not known
};

/// Hours of the year over the outdoor temperature, stacked by the way of cooling, and PUE over it with an axis of its own. Hovering reads a column.
class YearChart : public PaintedChart {
  Q_OBJECT
public:
  explicit YearChart(QWidget* parent = nullptr);
  /// @param columns by temperature
  void setYear(std::vector<YearLayer> layers, std::vector<YearColumn> columns);
  void clear() { setYear({}, {}); }
  [[nodiscard]] const std::vector<YearColumn>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<YearLayer>& layers() const { return layers_; }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  /// Middle of a column on the widget.
  [[nodiscard]] QPointF place(int dry_c, double hours) const;
  [[nodiscard]] QSize sizeHint() const override { return {640, 200}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {280, 180}; }

protected:
  [[nodiscard]] bool has_content() const override { return !columns_.empty(); }
  void paint(QPainter& painter) override;

private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] std::vector<LegendEntry> legend_entries() const;
  [[nodiscard]] double pue_y(double pue) const;
  [[nodiscard]] bool has_pue() const { return pue_high_ > pue_low_; }
  std::vector<YearLayer> layers_;
  std::vector<YearColumn> columns_;
  int first_ = 0, last_ = 0;
  double most_ = 1.0, pue_low_ = 1.0, pue_high_ = 1.0;
};

} // namespace hallwright::loops
