// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "widgets/training/painted_chart.h"

namespace hallwright::loops {

/// Lines over one axis, in the units of the axes.
struct ChartLine {
  QString name;
  QColor color;
  std::vector<QPointF> points; ///< x rises
  bool dashed = false;
};
/// A level line with its name, such as a limit.
struct ChartLevel {
  double y = 0;
  QString name;
  QColor color;
};
/// A point with its words.
struct ChartPoint {
  QPointF at;
  QString words;
};

/// Curves with axis titles, limits as level lines, points, and an upright line that may move. Hovering reads the
/// curves.
class LineChart : public PaintedChart {
  Q_OBJECT
public:
  explicit LineChart(QWidget* parent = nullptr);
  void setAxes(const QString& x_title, const QString& y_title);
  void setLines(std::vector<ChartLine> lines, std::vector<ChartLevel> levels, std::vector<ChartPoint> points = {});
  /// Ends of the x axis; not set: those of the lines.
  void setRange(std::optional<double> x_end);
  void setCursorAt(double x); ///< not a number: none
  void clear();
  [[nodiscard]] const std::vector<ChartLine>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<ChartLevel>& levels() const { return levels_; }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QPointF place(const QPointF& value) const;
  [[nodiscard]] QSize sizeHint() const override { return {420, 240}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {220, 160}; }

protected:
  [[nodiscard]] bool has_content() const override { return !lines_.empty(); }
  void paint(QPainter& painter) override;

private:
  [[nodiscard]] QRectF plot() const;
  void find_ranges();
  [[nodiscard]] double legend_height() const;
  std::vector<ChartLine> lines_;
  std::vector<ChartLevel> levels_;
  std::vector<ChartPoint> points_;
  QString x_title_, y_title_;
  std::optional<double> x_end_;
  double x0_ = 0, x1_ = 1, y0_ = 0, y1_ = 1, cursor_ = std::numeric_limits<double>::quiet_NaN();
};

/// Value of a line at x between its points; not set: outside of them.
std::optional<double> line_at(const ChartLine& line, double x);

} // namespace hallwright::loops
