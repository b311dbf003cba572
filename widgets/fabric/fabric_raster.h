// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QLineF>
#include <QRectF>

namespace hallwright::wired {

/// Lines and ribbons straight into the pixels of an image: thousands of smooth strokes in a few milliseconds, where a
/// painter takes a hundred times as long. Coordinates are logical; the image's device ratio applies.
class Raster {
public:
  /// @param image  premultiplied ARGB or RGB of 32 bits, on which no painter is active
  /// @param clip   nothing is drawn outside
  Raster(QImage& image, const QRectF& clip);
  void line(const QLineF& line, const QColor& color, double width = 1, Qt::PenStyle stroke = Qt::SolidLine);
  /// An area between two edges that bend from a place above to a place below; `over` is above `under`.
  struct Ribbon {
    double over_left = 0, over_right = 0, under_left = 0, under_right = 0, over = 0, under = 0;
  };
  void ribbon(const Ribbon& ribbon, const QColor& color);
  /// Where an edge of a ribbon is at a share of its height, 0 above to 1 below.
  static double bend(double over, double under, double share) { return over + (under - over) * share * share * (3 - 2 * share); }

private:
  void blend(int x, int y, unsigned alpha);
  void set(const QColor& color);
  QImage& image_;
  double ratio_ = 1;
  int left_ = 0, top_ = 0, right_ = 0, bottom_ = 0; ///< pixels, the last two outside
  unsigned red_ = 0, green_ = 0, blue_ = 0;
  double alpha_ = 1;
};

} // namespace hallwright::wired
