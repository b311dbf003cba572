// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

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
  /// A filled rectangle with smooth edges.
  void fill(const QRectF& rect, const QColor& color);
  /// A rectangle with round corners and an edge of one pixel, on whole pixels.
  void tile(const QRectF& rect, double radius, const QColor& fill, const QColor& edge);
  /// Where an edge of a ribbon is at a share of its height, 0 above to 1 below.
  static double bend(double over, double under, double share) {
    return over + (under - over) * share * share * (3 - 2 * share);
  }

private:
  void blend(int x, int y, unsigned alpha) { mix(bits_[static_cast<std::ptrdiff_t>(y) * stride_ + x], alpha); }
  /// Lays the colour over a pixel, two channels at once; `alpha` 0 to 256.
  void mix(QRgb& pixel, unsigned alpha) const {
    const unsigned back = 256 - alpha;
    const unsigned ag = ((pixel >> 8) & 0x00ff00ff) * back + alpha_green_ * alpha,
                   rb = (pixel & 0x00ff00ff) * back + red_blue_ * alpha;
    pixel = (ag & 0xff00ff00) | ((rb >> 8) & 0x00ff00ff);
  }
  void set(const QColor& color);
  QRgb* bits_ = nullptr;
  std::ptrdiff_t stride_ = 0; ///< pixels
  double ratio_ = 1;
  int left_ = 0, top_ = 0, right_ = 0, bottom_ = 0; ///< pixels, the last two outside
  unsigned alpha_green_ = 0xff0000, red_blue_ = 0;
  double alpha_ = 1;
};

} // namespace hallwright::wired
