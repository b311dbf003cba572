// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "quantity/kind.h"

namespace hallwright {

/// One amount over another as a curve: axes with units, values in the trade's units, a mark for what is in use and what
/// it yields. Hovering reads the curve; the right button saves it as an image.
class CurveChart : public QWidget {
  Q_OBJECT
public:
  explicit CurveChart(QWidget* parent = nullptr);
  struct Point {
    double x = 0, y = 0; ///< base units
  };
  /// Points in the order of x, all above zero and finite; x is drawn in its logarithm. `mark_x`, when finite, is drawn
  /// as an upright line under the name.
  void setCurve(const QString& title, const QString& x_title, const Kind& x_kind, const QString& y_title,
                const Kind& y_kind, std::vector<Point> points, double mark_x, const QString& mark_name);
  void setEmptyText(const QString& text);
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  [[nodiscard]] QStringList title_lines() const;
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] QPointF at(const Point& p) const;
  [[nodiscard]] double y_at(double x) const;
  QString title_, x_title_, y_title_, mark_name_, empty_;
  const Kind *x_kind_ = nullptr, *y_kind_ = nullptr;
  std::vector<Point> points_;
  double mark_x_ = 0, low_ = 0, high_ = 1;
};

} // namespace hallwright
