// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "quantity/kind.h"
#include "widgets/training/painted_chart.h"

namespace hallwright {

/// Power over time, or over the share of time: one line from nothing upwards, with limits as dashed lines.
class PowerTraceChart : public PaintedChart {
  Q_OBJECT
public:
  struct Point {
    double x = 0.0, watts = 0.0;
  };
  struct Level {
    QString name;
    double watts = 0.0;
    bool limit = false; ///< red; else what is said only
  };
  explicit PowerTraceChart(QWidget* parent = nullptr);
  /// @param points  in the order of x, two or more
  void setTrace(const QString& title, const QString& x_title, const Kind& x_kind, std::vector<Point> points,
                std::vector<Level> levels);
  void clear();
  [[nodiscard]] int count() const { return static_cast<int>(points_.size()); }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  [[nodiscard]] bool has_content() const override { return points_.size() > 1; }
  void paint(QPainter& painter) override;

private:
  [[nodiscard]] bool in_plot(const Level& level) const;
  [[nodiscard]] static QString level_words(const Level& level);
  [[nodiscard]] double names_width() const;
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] QPointF place(double x, double watts) const;
  QString title_, x_title_;
  const Kind* x_kind_ = nullptr;
  std::vector<Point> points_;
  std::vector<Level> levels_;
  double from_ = 0.0, to_ = 1.0, top_ = 1.0;
};

} // namespace hallwright
