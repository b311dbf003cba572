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

Raster::Raster(QImage& image, const QRectF& clip) : ratio_(image.devicePixelRatio()) {
  left_ = std::clamp(static_cast<int>(std::ceil(clip.left() * ratio_)), 0, image.width());
  top_ = std::clamp(static_cast<int>(std::ceil(clip.top() * ratio_)), 0, image.height());
  right_ = std::clamp(static_cast<int>(std::floor(clip.right() * ratio_)), 0, image.width());
  bottom_ = std::clamp(static_cast<int>(std::floor(clip.bottom() * ratio_)), 0, image.height());
  bits_ = reinterpret_cast<QRgb*>(image.bits());
  stride_ = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
}

void Raster::set(const QColor& color) {
  alpha_green_ = 0xff0000U | static_cast<unsigned>(color.green());
  red_blue_ = static_cast<unsigned>(color.red()) << 16 | static_cast<unsigned>(color.blue());
  alpha_ = color.alphaF();
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
  const int from = std::max(low_u, static_cast<int>(std::floor(u0 + 0.5))),
            to = std::min(high_u, static_cast<int>(std::floor(u1 + 0.5)));
  const std::ptrdiff_t step_u = steep ? stride_ : 1, step_v = steep ? 1 : stride_;
  const double ink = alpha_ * 256;
  double v = v0 + slope * (from + 0.5 - u0);
  for (int u = from; u < to; ++u, v += slope) {
    if (stroke != Qt::SolidLine && !inked(stroke, (u + 0.5 - u0) * stretch / ratio_)) continue;
    const double a = v - half, b = v + half;
    if (b <= low_v || a >= high_v) continue;
    const int first = std::max(low_v, static_cast<int>(a)), last = std::min(high_v - 1, static_cast<int>(b));
    QRgb* pixel = bits_ + u * step_u + first * step_v;
    for (int w = first; w <= last; ++w, pixel += step_v) {
      const double cover = std::min(b, w + 1.0) - std::max(a, static_cast<double>(w));
      mix(*pixel, static_cast<unsigned>(std::min(cover, 1.0) * ink));
    }
  }
}

void Raster::ribbon(const Ribbon& r, const QColor& color) {
  set(color);
  const double over = r.over * ratio_, under = r.under * ratio_;
  if (!(under - over > 0.5)) return;
  const int from = std::max(top_, static_cast<int>(std::floor(over + 0.5))),
            to = std::min(bottom_, static_cast<int>(std::floor(under + 0.5)));
  const auto full = static_cast<unsigned>(alpha_ * 256);
  for (int y = from; y < to; ++y) {
    const double share = std::clamp((y + 0.5 - over) / (under - over), 0.0, 1.0);
    const double a = bend(r.over_left, r.under_left, share) * ratio_,
                 b = bend(r.over_right, r.under_right, share) * ratio_;
    const int first = std::max(left_, static_cast<int>(std::floor(a))),
              last = std::min(right_ - 1, static_cast<int>(std::floor(b)));
    for (int x = first; x <= last; ++x) {
      const double cover = std::min(b, x + 1.0) - std::max(a, static_cast<double>(x));
      blend(x, y, cover >= 1 ? full : static_cast<unsigned>(std::max(0.0, cover) * alpha_ * 256));
    }
  }
}

void Raster::fill(const QRectF& rect, const QColor& color) {
  set(color);
  const double l = rect.left() * ratio_, r = rect.right() * ratio_, t = rect.top() * ratio_, b = rect.bottom() * ratio_;
  const int x0 = std::max(left_, static_cast<int>(std::floor(l))),
            x1 = std::min(right_ - 1, static_cast<int>(std::ceil(r)) - 1);
  const int y0 = std::max(top_, static_cast<int>(std::floor(t))),
            y1 = std::min(bottom_ - 1, static_cast<int>(std::ceil(b)) - 1);
  for (int y = y0; y <= y1; ++y) {
    const double down = (std::min(b, y + 1.0) - std::max(t, static_cast<double>(y))) * alpha_ * 256;
    for (int x = x0; x <= x1; ++x)
      blend(x, y,
            static_cast<unsigned>(std::max(0.0, std::min(r, x + 1.0) - std::max(l, static_cast<double>(x))) * down));
  }
}

void Raster::tile(const QRectF& rect, double radius, const QColor& inside, const QColor& edge) {
  const int l = static_cast<int>(std::lround(rect.left() * ratio_)),
            r = static_cast<int>(std::lround(rect.right() * ratio_));
  const int t = static_cast<int>(std::lround(rect.top() * ratio_)),
            b = static_cast<int>(std::lround(rect.bottom() * ratio_));
  const double round = std::min({radius * ratio_, (r - l) / 2.0, (b - t) / 2.0}), stroke = std::max(1.0, ratio_);
  const auto lay = [&](const QColor& color, double inset) {
    set(color);
    const double corner = std::max(0.0, round - inset);
    const double x0 = l + inset, x1 = r - inset, y0 = t + inset, y1 = b - inset;
    for (int y = std::max(top_, static_cast<int>(y0)); y < std::min(bottom_, static_cast<int>(std::ceil(y1))); ++y) {
      // How far the corner cuts into this line.
      const double down = std::max(y0 + corner - (y + 0.5), (y + 0.5) - (y1 - corner));
      const double cut = down > 0 ? corner - std::sqrt(std::max(0.0, corner * corner - down * down)) : 0;
      const double from = x0 + cut, to = x1 - cut;
      for (int x = std::max(left_, static_cast<int>(std::floor(from)));
           x < std::min(right_, static_cast<int>(std::ceil(to))); ++x) {
        const double cover = std::min(to, x + 1.0) - std::max(from, static_cast<double>(x));
        blend(x, y, cover >= 1 ? 256U : static_cast<unsigned>(std::max(0.0, cover) * 256));
      }
    }
  };
  lay(edge, 0);
  lay(inside, stroke);
}

} // namespace hallwright::wired
