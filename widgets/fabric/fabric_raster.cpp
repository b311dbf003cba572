// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/fabric_raster.h"

#include <algorithm>
#include <cmath>

namespace hallwright::wired {
namespace {

/// Whether a stroke is on at this distance from its beginning.
bool inked(Qt::PenStyle stroke, double along) {
  switch (stroke) {
  case Qt::DotLine:
    return std::fmod(along, 4.0) < 1.6;
  case Qt::DashLine:
    return std::fmod(along, 10.0) < 6.5;
  case Qt::DashDotLine: {
    const double p = std::fmod(along, 14.0);
    return p < 7.0 || (p > 9.5 && p < 11.5);
  }
  default:
    return true;
  }
}

} // namespace

Raster::Raster(QImage& image, const QRectF& clip) : image_(image), ratio_(image.devicePixelRatio()) {
  left_ = std::clamp(static_cast<int>(std::ceil(clip.left() * ratio_)), 0, image.width());
  top_ = std::clamp(static_cast<int>(std::ceil(clip.top() * ratio_)), 0, image.height());
  right_ = std::clamp(static_cast<int>(std::floor(clip.right() * ratio_)), 0, image.width());
  bottom_ = std::clamp(static_cast<int>(std::floor(clip.bottom() * ratio_)), 0, image.height());
  image_.detach();
}

void Raster::set(const QColor& color) {
  red_ = static_cast<unsigned>(color.red()), green_ = static_cast<unsigned>(color.green()), blue_ = static_cast<unsigned>(color.blue());
  alpha_ = color.alphaF();
}

void Raster::blend(int x, int y, unsigned a) {
  QRgb* pixel = reinterpret_cast<QRgb*>(const_cast<uchar*>(image_.constScanLine(y))) + x;
  const unsigned back = 255 - a, p = *pixel;
  const auto mix = [&](unsigned source, unsigned target) { return (source * a + target * back + 127) / 255; };
  *pixel = mix(255, p >> 24) << 24 | mix(red_, (p >> 16) & 0xff) << 16 | mix(green_, (p >> 8) & 0xff) << 8 | mix(blue_, p & 0xff);
}

void Raster::line(const QLineF& logical, const QColor& color, double width, Qt::PenStyle stroke) {
  set(color);
  double x0 = logical.x1() * ratio_, y0 = logical.y1() * ratio_, x1 = logical.x2() * ratio_, y1 = logical.y2() * ratio_;
  const bool steep = std::abs(y1 - y0) > std::abs(x1 - x0);
  // Along u, one step a pixel; v across.
  double u0 = steep ? y0 : x0, v0 = steep ? x0 : y0, u1 = steep ? y1 : x1, v1 = steep ? x1 : y1;
  if (u0 > u1) std::swap(u0, u1), std::swap(v0, v1);
  if (!(u1 - u0 > 1e-6)) return;
  const double slope = (v1 - v0) / (u1 - u0), stretch = std::sqrt(1 + slope * slope);
  const double half = std::max(0.5, width * ratio_ / 2) * stretch;
  const int low_u = steep ? top_ : left_, high_u = steep ? bottom_ : right_;
  const int low_v = steep ? left_ : top_, high_v = steep ? right_ : bottom_;
  const int from = std::max(low_u, static_cast<int>(std::floor(u0 + 0.5))), to = std::min(high_u, static_cast<int>(std::floor(u1 + 0.5)));
  for (int u = from; u < to; ++u) {
    const double at = u + 0.5;
    if (stroke != Qt::SolidLine && !inked(stroke, (at - u0) * stretch / ratio_)) continue;
    const double v = v0 + slope * (at - u0), a = v - half, b = v + half;
    const int first = std::max(low_v, static_cast<int>(std::floor(a))), last = std::min(high_v - 1, static_cast<int>(std::floor(b)));
    for (int w = first; w <= last; ++w) {
      const double cover = std::min(b, w + 1.0) - std::max(a, static_cast<double>(w));
      const auto ink = static_cast<unsigned>(std::clamp(cover, 0.0, 1.0) * alpha_ * 255);
      if (ink == 0) continue;
      if (steep) blend(w, u, ink);
      else blend(u, w, ink);
    }
  }
}

void Raster::ribbon(const Ribbon& r, const QColor& color) {
  set(color);
  const double over = r.over * ratio_, under = r.under * ratio_;
  if (!(under - over > 0.5)) return;
  const int from = std::max(top_, static_cast<int>(std::floor(over + 0.5))), to = std::min(bottom_, static_cast<int>(std::floor(under + 0.5)));
  const auto full = static_cast<unsigned>(alpha_ * 255);
  for (int y = from; y < to; ++y) {
    const double share = std::clamp((y + 0.5 - over) / (under - over), 0.0, 1.0);
    const double a = bend(r.over_left, r.under_left, share) * ratio_, b = bend(r.over_right, r.under_right, share) * ratio_;
    const int first = std::max(left_, static_cast<int>(std::floor(a))), last = std::min(right_ - 1, static_cast<int>(std::floor(b)));
    for (int x = first; x <= last; ++x) {
      const double cover = std::min(b, x + 1.0) - std::max(a, static_cast<double>(x));
      blend(x, y, cover >= 1 ? full : static_cast<unsigned>(std::max(0.0, cover) * alpha_ * 255));
    }
  }
}

} // namespace hallwright::wired
