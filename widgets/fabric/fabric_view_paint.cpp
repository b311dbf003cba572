// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QPainter>

#include "widgets/fabric/fabric_view.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::wired {
namespace {

QColor with_alpha(QColor c, int alpha) {
  c.setAlpha(alpha);
  return c;
}

QColor tier_fill(DeviceKind kind) {
  const Theme& t = theme();
  switch (kind) {
  case DeviceKind::node:
    return t.rack;
  case DeviceKind::manager:
    return plan::mixed(t.panel, t.structure, 0.4);
  case DeviceKind::leaf:
    return plan::mixed(t.panel, t.fabric_kind, 0.22);
  case DeviceKind::spine:
    return plan::mixed(t.panel, t.fabric_kind, 0.38);
  case DeviceKind::core:
    return plan::mixed(t.panel, t.fabric_kind, 0.55);
  }
  return t.rack;
}

QColor tier_edge(DeviceKind kind) {
  const Theme& t = theme();
  return kind == DeviceKind::node      ? t.rack_border
         : kind == DeviceKind::manager ? t.structure
                                       : plan::mixed(t.panel, t.fabric_kind, 0.8);
}

QString number(qlonglong n) { return screen_number(n); }

void cross(const plan::Canvas& c, const QPointF& at, double half, const QColor& color, double width) {
  QPen pen(color, width, Qt::SolidLine, Qt::RoundCap);
  c.line(at + QPointF(-half, -half), at + QPointF(half, half), pen);
  c.line(at + QPointF(-half, half), at + QPointF(half, -half), pen);
}

constexpr std::size_t few_links = 160; ///< more are shown as the outline of their ribbon
constexpr double bar_distance = 4;     ///< from a row of devices to the bar that stands for all of its links

} // namespace

plan::Canvas FabricView::canvas(QPainter& painter) const {
  plan::Canvas c;
  c.painter = &painter;
  c.colors = plan::PlanColors::screen();
  c.base_font = font();
  words_.begin(font(), devicePixelRatioF());
  c.words = &words_;
  return c;
}

void FabricView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!picture_ || !picture_->shows()) {
    painter.fillRect(rect(), theme().canvas);
    painter.setPen(theme().secondary_text);
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  const double ratio = devicePixelRatioF();
  const QSize pixels = size() * ratio;
  const auto fitting = [&](QImage& image) {
    if (image.size() == pixels) return false;
    image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    return true;
  };
  if (fitting(base_) || stale_) {
    base_.setDevicePixelRatio(ratio);
    paint_base(base_);
    stale_ = false;
  }
  painter.drawImage(0, 0, base_);
  const QRectF clip(gutter_, 0, width() - gutter_, height());
  if (!selected_.empty() || !hovered_.empty()) {
    fitting(overlay_);
    overlay_.fill(Qt::transparent);
    {
      Raster raster(overlay_, clip);
      paint_marked_links(raster, selected_, true);
      paint_marked_links(raster, hovered_, false);
    }
    painter.drawImage(0, 0, overlay_);
  }
  const Canvas c = canvas(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(clip);
  paint_lit(c);
  paint_marked(c, selected_, true);
  paint_marked(c, hovered_, false);
  painter.setClipping(false);
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme().accent_soft);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void FabricView::paint_base(QImage& image) {
  lay_rows();
  clamp_camera();
  choose_details();
  lines_.clear();
  bands_.clear();
  const QRectF clip(gutter_, 0, width() - gutter_, height());
  const auto level = [](LinkClass kind) { return kind == LinkClass::group_global || kind == LinkClass::group_local; };
  constexpr std::array kinds{LinkClass::spine_core, LinkClass::leaf_spine, LinkClass::node_leaf,
                             LinkClass::group_global, LinkClass::group_local};
  {
    QPainter painter(&image);
    painter.setFont(font());
    painter.fillRect(rect(), theme().canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(clip);
    paint_frames(canvas(painter), false);
  }
  {
    Raster raster(image, clip);
    for (const LinkClass kind : kinds) {
      const Detail d = detail(kind);
      if (d <= Detail::fine) {
        if (!level(kind)) paint_bands(raster, kind, d == Detail::fine);
      } else if (level(kind)) {
        paint_arcs(raster, kind);
      } else {
        paint_lines(raster, kind);
      }
    }
    for (int r = 0; r < row_count; ++r)
      if (scene_->row_used(r)) {
        paint_tiles(raster, r);
        paint_ports(raster, r);
      }
  }
  QPainter painter(&image);
  painter.setFont(font());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(clip);
  const Canvas c = canvas(painter);
  for (const LinkClass kind : kinds) {
    const bool fine = detail(kind) == Detail::fine;
    if (detail(kind) > Detail::fine) continue;
    if (level(kind))
      paint_level_bands(c, kind, fine);
    else
      paint_bars(c, kind, fine);
  }
  for (int r = 0; r < row_count; ++r)
    if (scene_->row_used(r)) {
      paint_names(c, r);
      paint_port_names(c, r);
    }
  paint_counts(c);
  paint_frames(c, true); // over the links, which would cross them out
  paint_outages(c);
  painter.setClipping(false);
  paint_gutter(c);
}

/// Frames of pods and units, or, over the links, their names.
void FabricView::paint_frames(const Canvas& c, bool names) const {
  const Theme& t = theme();
  const QFont small = c.font(11), bold = c.font(11, true);
  const double line = c.size_of(QStringLiteral("0"), small).height;
  const double left_edge = gutter_ + 4, right_edge = width();
  const auto top_row = [&](int row) { return top_[static_cast<std::size_t>(row)]; };
  const double foot = top_[0] + height_[0];
  const auto draw = [&](const Frame& f, double over, double under, const QColor& fill, const QColor& edge) {
    const double l = x(f.left), r = x(f.right);
    if (r < gutter_ || l > right_edge) return QRectF();
    const QRectF box(l, over, r - l, under - over);
    if (!names && box.width() > 3) c.tile(box, 4, c.pen(edge), fill);
    return box;
  };
  const auto name = [&](const QRectF& box, double y, const QString& whole, const QString& shorter, const QFont& font,
                        const QColor& color, QColor plate, bool always = false) {
    if (!names) return;
    const double room = std::min(box.right(), right_edge) - std::max(box.left(), left_edge) - 6;
    for (const bool in_full : {true, false}) {
      const QString& words = in_full ? whole : shorter;
      const double wide = c.size_of(words, font).width;
      if (wide > room && (in_full || !always)) continue;
      // Wider than the view: the name stays in sight.
      double middle = (std::max(box.left(), left_edge) + std::min(box.right(), right_edge)) / 2;
      if (wide > room) middle = std::min(middle, right_edge - wide / 2 - 3);
      plate.setAlpha(230);
      c.tile(QRectF(middle - wide / 2 - 3, y, wide + 6, line), 2, QPen(Qt::NoPen), plate);
      c.text_at({middle, y}, Qt::AlignHCenter | Qt::AlignTop, words, font, color);
      return;
    }
  };
  // Pods are named at their foot, clear of links and counts, unless their units are.
  const double least = 14;
  const bool named_units = scene_->units.size() >= 2 &&
                           (scene_->units.front().right - scene_->units.front().left) * scale_ >= least;
  const QColor of_pod = plan::mixed(t.canvas, t.panel, 0.6), under = scene_->pods.empty() ? t.canvas : of_pod;
  // A last one that is narrower than the others is named as they are.
  const auto left_over = [&](const std::vector<Frame>& frames, const Frame& f) {
    return &f == &frames.back() && frames.size() > 1 &&
           f.right - f.left < 0.99 * (frames.front().right - frames.front().left);
  };
  for (const Frame& f : scene_->pods) {
    const QRectF box = draw(f, top_row(2) - line - 6, foot + line + 6, of_pod, t.border);
    if (!box.isNull())
      name(box, named_units ? box.top() + 2 : foot + 4, tr("Pod %1").arg(f.number + 1), QString::number(f.number + 1), bold, t.secondary_text,
           of_pod, left_over(scene_->pods, f) && (scene_->pods.front().right - scene_->pods.front().left) * scale_ > 24);
  }
  if (scene_->units.size() < 2) return;
  for (const Frame& f : scene_->units) {
    if ((f.right - f.left) * scale_ < 4) continue;
    const double over = scene_->row_used(1) ? top_row(1) - 5 : top_row(0) - 5;
    const QRectF box = draw(f, over, foot + 4, plan::mixed(t.canvas, t.field, 0.9), t.grid_major);
    const bool narrow_last = named_units && left_over(scene_->units, f);
    if (!box.isNull() && (box.width() >= least || narrow_last))
      name(box, foot + 5, scene_->dragonfly ? tr("Group %1").arg(f.number + 1) : tr("Unit %1").arg(f.number + 1),
           QString::number(f.number + 1), small, t.secondary_text, under, narrow_last);
  }
  for (const Frame& f : scene_->planes) {
    const double l = x(f.left), r = x(f.right);
    if (r < gutter_ || l > right_edge || r - l < least) continue;
    const double y = top_row(f.highest_row) - line - 1;
    name(QRectF(l, y, r - l, line), y, tr("Plane %1").arg(f.number + 1), QString::number(f.number + 1), small,
         t.secondary_text, under);
  }
}

Raster::Ribbon FabricView::ribbon(const Band& b, double from, double to) const {
  // A ribbon keeps to the middle of its share of both ends, and leaves room to its neighbours.
  constexpr double fill = 0.6, widest = 84, thinnest = 1.5;
  const auto end = [&](double l, double r) {
    const double middle = (x(l) + x(r)) / 2, half = std::clamp((r - l) * scale_ * fill, thinnest, widest) / 2;
    return std::pair(middle - half + 2 * half * from, middle - half + 2 * half * to);
  };
  const int near_row = b.kind == LinkClass::node_leaf ? 0 : b.kind == LinkClass::leaf_spine ? 1 : 2;
  const auto [near_l, near_r] = end(b.near_from, b.near_to);
  const auto [far_l, far_r] = end(b.far_from, b.far_to);
  const auto above = static_cast<std::size_t>(near_row + 1);
  return {far_l,
          far_r,
          near_l,
          near_r,
          top_[above] + height_[above] + bar_distance,
          top_[static_cast<std::size_t>(near_row)] - bar_distance};
}

QPainterPath FabricView::outline(const Band& b) const {
  if (b.kind == LinkClass::group_local || b.kind == LinkClass::group_global) return arc(b);
  const Raster::Ribbon r = ribbon(b, 0, 1);
  QPainterPath path;
  constexpr int steps = 24;
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    const QPointF p(Raster::bend(r.over_left, r.under_left, share), r.over + (r.under - r.over) * share);
    if (i == 0)
      path.moveTo(p);
    else
      path.lineTo(p);
  }
  for (int i = steps; i >= 0; --i) {
    const double share = static_cast<double>(i) / steps;
    path.lineTo(Raster::bend(r.over_right, r.under_right, share), r.over + (r.under - r.over) * share);
  }
  path.closeSubpath();
  return path;
}

bool FabricView::holds(const Band& b, const QPointF& p) const {
  if (b.kind == LinkClass::group_local || b.kind == LinkClass::group_global) {
    QPainterPathStroker wide;
    wide.setWidth(9);
    return wide.createStroke(arc(b)).contains(p);
  }
  const Raster::Ribbon r = ribbon(b, 0, 1);
  if (p.y() < r.over || p.y() > r.under) return false;
  const double share = (p.y() - r.over) / std::max(1e-6, r.under - r.over);
  return p.x() >= Raster::bend(r.over_left, r.under_left, share) - 1.5 &&
         p.x() <= Raster::bend(r.over_right, r.under_right, share) + 1.5;
}

QPainterPath FabricView::arc(const Band& b) const {
  const double y = top_[1] - bar_distance;
  double l = (x(b.near_left) + x(b.near_right)) / 2, r = (x(b.far_left) + x(b.far_right)) / 2;
  if (b.kind == LinkClass::group_local) {
    l = x(b.near_left) + 0.1 * (x(b.near_right) - x(b.near_left));
    r = x(b.far_right) - 0.1 * (x(b.far_right) - x(b.far_left));
  }
  const double rise = std::min(y - 20, b.kind == LinkClass::group_local ? 22.0 : 30 + 0.32 * std::abs(r - l));
  QPainterPath path({l, y});
  path.cubicTo({l, y - 1.33 * rise}, {r, y - 1.33 * rise}, {r, y});
  return path;
}

void FabricView::paint_bands(Raster& raster, LinkClass kind, bool fine) {
  const auto& bands = fine ? scene_->fine : scene_->coarse;
  const auto& first = fine ? scene_->first_fine : scene_->first_coarse;
  const auto& counts = class_counts(fine);
  const std::size_t n = std::max<std::size_t>(1, colors_.entries.size());
  const auto k = static_cast<std::size_t>(kind);
  constexpr int ink = 165;
  for (std::uint32_t i = first[k]; i < first[k + 1]; ++i) {
    const Band& b = bands[i];
    const Raster::Ribbon whole = ribbon(b, 0, 1);
    if (std::max(whole.over_right, whole.under_right) < gutter_ ||
        std::min(whole.over_left, whole.under_left) > width())
      continue;
    std::uint32_t most = 0, best = 0;
    for (std::uint32_t e = 0; e < n; ++e)
      if (counts[i * n + e] > most) most = counts[i * n + e], best = e;
    bands_.push_back({i, fine});
    // Stripes by colour, as wide as they have links; too thin for stripes: the most frequent one.
    if (most == b.links || std::max(whole.over_right - whole.over_left, whole.under_right - whole.under_left) < 6) {
      raster.ribbon(whole, with_alpha(colors_.entries.empty() ? theme().accent : colors_.entries[best].color, ink));
      continue;
    }
    double sum = 0;
    for (std::uint32_t e = 0; e < n; ++e) {
      const double share = static_cast<double>(counts[i * n + e]) / b.links;
      if (share <= 0) continue;
      raster.ribbon(ribbon(b, sum, sum + share), with_alpha(colors_.entries[e].color, ink));
      sum += share;
    }
  }
}

void FabricView::paint_level_bands(const Canvas& c, LinkClass kind, bool fine) {
  const auto& bands = fine ? scene_->fine : scene_->coarse;
  const auto& first = fine ? scene_->first_fine : scene_->first_coarse;
  const auto& counts = class_counts(fine);
  const std::size_t n = std::max<std::size_t>(1, colors_.entries.size());
  const auto k = static_cast<std::size_t>(kind);
  const bool many = first[k + 1] - first[k] > 400;
  c.painter->setBrush(Qt::NoBrush);
  for (std::uint32_t i = first[k]; i < first[k + 1]; ++i) {
    const Band& b = bands[i];
    if (x(std::max(b.near_right, b.far_right)) < gutter_ || x(std::min(b.near_left, b.far_left)) > width()) continue;
    std::uint32_t most = 0, best = 0;
    for (std::uint32_t e = 0; e < n; ++e)
      if (counts[i * n + e] > most) most = counts[i * n + e], best = e;
    const LinkColors::Entry style =
        colors_.entries.empty() ? LinkColors::Entry{{}, theme().accent} : colors_.entries[best];
    QPen pen(with_alpha(style.color, many ? 40 : 130), many ? 1.0 : std::clamp(0.6 + 0.25 * b.links, 1.0, 6.0));
    if (!many) pen.setStyle(style.stroke);
    c.painter->setPen(pen);
    c.painter->drawPath(arc(b));
    if (!many) bands_.push_back({i, fine});
  }
}

/// A bar along the devices that a ribbon reaches: every one of them has a part in it.
void FabricView::paint_bars(const Canvas& c, LinkClass kind, bool fine) const {
  const auto& bands = fine ? scene_->fine : scene_->coarse;
  const auto& first = fine ? scene_->first_fine : scene_->first_coarse;
  const auto k = static_cast<std::size_t>(kind);
  const auto near_row = static_cast<std::size_t>(kind == LinkClass::node_leaf    ? 0
                                                 : kind == LinkClass::leaf_spine ? 1
                                                                                 : 2);
  const QColor color = plan::mixed(theme().canvas, theme().secondary_text, 0.55);
  double near_done = -1e18, far_done = -1e18; // neighbours often reach the same devices
  for (std::uint32_t i = first[k]; i < first[k + 1]; ++i) {
    const Band& b = bands[i];
    const auto bar = [&](double l, double r, double y, double& done) {
      if (l == done) return;
      done = l;
      const double a = std::max(x(l) + 1, gutter_ - 4), z = std::min(x(r) - 1, width() + 4.0);
      if (z - a >= 2) c.fill(QRectF(a, y - 1, z - a, 2), color);
    };
    bar(b.near_left, b.near_right, top_[near_row] - bar_distance, near_done);
    bar(b.far_left, b.far_right, top_[near_row + 1] + height_[near_row + 1] + bar_distance, far_done);
  }
}

void FabricView::paint_lines(Raster& raster, LinkClass kind) {
  const int near_row = kind == LinkClass::node_leaf ? 0 : kind == LinkClass::leaf_spine ? 1 : 2;
  const double from = cell(gutter_), to = cell(width());
  const Wiring& w = *scene_->wiring;
  const bool single = detail(kind) == Detail::ports;
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<QLineF>> strokes; // by colour and links of one line
  std::size_t drawn = 0;
  const auto add = [&](const Pair& p) {
    const auto put = [&](std::uint32_t link, std::uint32_t links) {
      const QLineF line = line_of(link);
      strokes[{colors_.entry(link), std::min<std::uint32_t>(links, 6)}].push_back(line);
      lines_.push_back({line, link, links});
      ++drawn;
    };
    if (!single || p.links == 1) {
      put(p.first_link, p.links);
      return;
    }
    for (const std::uint32_t l : w.at_device(p.near))
      if (w.links[l].near == p.near && w.links[l].far == p.far) put(l, 1);
  };
  const auto [a, b] = scene_->between(near_row, from, to);
  const auto& near = scene_->rows[static_cast<std::size_t>(near_row)];
  for (std::size_t i = a; i < b; ++i)
    for (std::uint32_t p = scene_->first_pair[near[i]]; p < scene_->first_pair[near[i] + 1]; ++p)
      if (w.links[scene_->pairs[p].first_link].kind == kind) add(scene_->pairs[p]);
  const auto [e, f] = scene_->between(near_row + 1, from, to);
  const auto& far = scene_->rows[static_cast<std::size_t>(near_row + 1)];
  for (std::size_t i = e; i < f; ++i)
    for (std::uint32_t q = scene_->first_far_pair[far[i]]; q < scene_->first_far_pair[far[i] + 1]; ++q) {
      const Pair& p = scene_->pairs[scene_->far_pairs[q]];
      const bool in_sight = scene_->right[p.near] >= from && scene_->left[p.near] <= to;
      if (!in_sight && w.links[p.first_link].kind == kind) add(p);
    }
  const int alpha = drawn > 900 ? 90 : drawn > 300 ? 130 : 190;
  for (const auto& [key, list] : strokes) {
    const auto& [entry, links] = key;
    const LinkColors::Entry style =
        entry < colors_.entries.size() ? colors_.entries[entry] : LinkColors::Entry{{}, theme().accent};
    for (const QLineF& line : list)
      raster.line(line, with_alpha(style.color, alpha), 1 + 0.35 * (links - 1), style.stroke);
  }
}

/// The way of a link between two switches of one tier, in short pieces.
void FabricView::trace_arc(std::uint32_t link, std::vector<QLineF>& lines) const {
  const QPointF p = near_point(link), q = far_point(link);
  const double rise = std::min(top_[1] - 24.0, 18 + 0.35 * std::abs(q.x() - p.x()));
  QPointF last = p;
  constexpr int pieces = 14;
  for (int k = 1; k <= pieces; ++k) {
    const double t = static_cast<double>(k) / pieces, s = 1 - t;
    const double up = 3 * s * t * rise; // both handles stand straight above the ends
    const QPointF next(s * s * (s + 3 * t) * p.x() + t * t * (t + 3 * s) * q.x(), s * p.y() + t * q.y() - up);
    lines.emplace_back(last, next);
    last = next;
  }
}

void FabricView::paint_arcs(Raster& raster, LinkClass kind) {
  const double from = cell(gutter_), to = cell(width());
  const Wiring& w = *scene_->wiring;
  const auto [a, b] = scene_->between(1, from, to);
  std::vector<QLineF> pieces;
  for (std::size_t i = a; i < b; ++i) {
    const std::uint32_t d = scene_->rows[1][i];
    for (const std::uint32_t l : w.at_device(d)) {
      const WiredLink& link = w.links[l];
      if (link.kind != kind) continue;
      const std::uint32_t other = link.near == d ? link.far : link.near;
      const bool in_sight = scene_->right[other] >= from && scene_->left[other] <= to;
      if (link.near != d && in_sight) continue; // drawn from its other end
      const std::size_t entry = colors_.entry(l);
      const QColor color =
          with_alpha(entry < colors_.entries.size() ? colors_.entries[entry].color : theme().accent, 120);
      pieces.clear();
      trace_arc(l, pieces);
      for (const QLineF& piece : pieces) {
        raster.line(piece, color);
        lines_.push_back({piece, l, 1});
      }
    }
  }
}

void FabricView::paint_tiles(Raster& raster, int row) const {
  const Theme& t = theme();
  const auto r = static_cast<std::size_t>(row);
  const auto [a, b] = scene_->between(row, cell(gutter_), cell(width()));
  const auto& list = scene_->rows[r];
  const Wiring& w = *scene_->wiring;
  if (scene_->pitch[r] * scale_ < 4) {
    // Too narrow to tell apart: one strip as far as devices are side by side.
    double from = 0, to = -1;
    DeviceKind kind = DeviceKind::node;
    const auto flush = [&] {
      if (to > from)
        raster.fill(QRectF(from, top_[r], std::max(1.0, to - from), height_[r]),
                    plan::mixed(tier_fill(kind), tier_edge(kind), 0.35));
    };
    for (std::size_t i = a; i < b; ++i) {
      const double l = x(scene_->left[list[i]]), right = x(scene_->right[list[i]]);
      if (to < from || l > to + 1.5) {
        flush();
        from = l;
        kind = w.devices[list[i]].kind;
      }
      to = right;
    }
    flush();
    return;
  }
  for (std::size_t i = a; i < b; ++i) {
    const std::uint32_t d = list[i];
    const DeviceKind kind = w.devices[d].kind;
    const QRectF box = deviceRect(d);
    const Outage outage = picture_->outage_of_device(d);
    const bool idle = w.at_device(d).empty();
    QColor fill = tier_fill(kind), edge = tier_edge(kind);
    if (outage == Outage::stated) fill = t.red_soft, edge = t.red;
    if (outage == Outage::lost) fill = t.amber_soft, edge = t.amber;
    if (idle) fill = t.canvas, edge = t.border;
    if (box.width() < 7)
      raster.fill(box, idle ? t.border : outage != Outage::none ? edge : plan::mixed(fill, edge, 0.35));
    else
      raster.tile(box, std::min(3.0, box.width() * 0.15), fill, edge);
  }
}

void FabricView::paint_names(const Canvas& c, int row) const {
  const auto r = static_cast<std::size_t>(row);
  const double height = height_[r];
  if (height < 11) return;
  const Theme& t = theme();
  const auto [a, b] = scene_->between(row, cell(gutter_), cell(width()));
  const auto& list = scene_->rows[r];
  const Wiring& w = *scene_->wiring;
  const QFont name_font = c.font(11, height > 30), small = c.font(10);
  const double line = c.size_of(QStringLiteral("0"), name_font).height;
  // Where the longest number of the row does not fit, none is written.
  const double number_room = c.size_of(QString::number(list.size()), name_font).width + 5;
  if (scene_->pitch[r] * scale_ < number_room) return;
  for (std::size_t i = a; i < b; ++i) {
    const std::uint32_t d = list[i];
    const WiredDevice& device = w.devices[d];
    const QRectF box = deviceRect(d);
    if (box.width() < number_room) continue;
    const Outage outage = picture_->outage_of_device(d);
    QColor fill = outage == Outage::stated ? t.red_soft
                  : outage == Outage::lost ? t.amber_soft
                  : w.at_device(d).empty() ? t.canvas
                                           : tier_fill(device.kind);
    // A tile wider than the view keeps its name in sight.
    const double sight_left = std::max(box.left(), gutter_),
                 sight_right = std::min(box.right(), static_cast<double>(width()));
    const double room = sight_right - sight_left - 6, middle = (sight_left + sight_right) / 2;
    if (room < 5) continue;
    const QString index = QString::number(device.index + 1);
    QString shown = index;
    if (room > 36) {
      const QString whole = device_title(*picture_, d);
      if (c.size_of(whole, name_font).width <= room) shown = whole;
    }
    if (c.size_of(shown, name_font).width > room) continue;
    const QString place = height >= 2 * line + 4 && room > 50 ? place_words(*picture_, d) : QString();
    const bool two = !place.isEmpty() && c.size_of(place, small).width <= room;
    const double y = box.center().y() - (two ? line : line / 2);
    c.text_at({middle, y}, Qt::AlignHCenter | Qt::AlignTop, shown, name_font, plan::letters_on(fill));
    if (two)
      c.text_at({middle, y + line}, Qt::AlignHCenter | Qt::AlignTop, place, small,
                plan::mixed(plan::letters_on(fill), fill, 0.25));
  }
}

double FabricView::port_side(int row) const {
  const auto r = static_cast<std::size_t>(row);
  const double pitch = scene_->port_pitch[r] * scale_;
  return pitch < 5 || height_[r] < 22 ? 0 : std::min({pitch * 0.72, 15.0, height_[r] * 0.28});
}

/// Ports along the edges of devices.
void FabricView::paint_ports(Raster& raster, int row) const {
  const double side = port_side(row);
  if (side <= 0) return;
  const Theme& t = theme();
  const Wiring& w = *scene_->wiring;
  const auto [a, b] = scene_->between(row, cell(gutter_), cell(width()));
  for (std::size_t i = a; i < b; ++i) {
    const std::uint32_t d = scene_->rows[static_cast<std::size_t>(row)][i];
    for (const std::uint32_t l : w.at_device(d)) {
      const WiredLink& link = w.links[l];
      const bool near = link.near == d;
      const QPointF p = near ? near_point(l) : far_point(l);
      if (p.x() < gutter_ - 20 || p.x() > width() + 20) continue;
      const bool on_top = near || link.kind >= LinkClass::group_local;
      const QRectF box(p.x() - side / 2, on_top ? p.y() : p.y() - side, side, side);
      const std::size_t entry = colors_.entry(l);
      const QColor color = entry < colors_.entries.size() ? colors_.entries[entry].color : t.accent;
      if (link.lit)
        raster.fill(box, color);
      else
        raster.tile(box, 0, t.canvas, color);
    }
  }
}

/// Numbers of ports, and where their links go: the other end is seldom in sight when ports can be read.
void FabricView::paint_port_names(const Canvas& c, int row) const {
  const auto r = static_cast<std::size_t>(row);
  const double pitch = scene_->port_pitch[r] * scale_, side = port_side(row);
  if (side <= 0 || pitch < 15) return;
  const Theme& t = theme();
  const Wiring& w = *scene_->wiring;
  const auto [a, b] = scene_->between(row, cell(gutter_), cell(width()));
  const QFont small = c.font(10), tiny = c.font(9);
  for (std::size_t i = a; i < b; ++i) {
    const std::uint32_t d = scene_->rows[r][i];
    for (const std::uint32_t l : w.at_device(d)) {
      const WiredLink& link = w.links[l];
      const bool near = link.near == d;
      const QPointF p = near ? near_point(l) : far_point(l);
      if (p.x() < gutter_ || p.x() > width()) continue;
      const bool on_top = near || link.kind >= LinkClass::group_local;
      const QString port = port_words(*picture_, d, near ? link.near_port : link.far_port);
      if (pitch >= 20 && c.size_of(port, tiny).width <= pitch - 2 &&
          height_[r] > 2 * side + 3 * c.size_of(port, tiny).height)
        c.text_at({p.x(), on_top ? p.y() + side : p.y() - side},
                  Qt::AlignHCenter | (on_top ? Qt::AlignTop : Qt::AlignBottom), port, tiny, t.secondary_text);
      const std::uint32_t other = near ? link.far : link.near;
      const QString far =
          QStringLiteral("%1:%2").arg(QString::fromStdString(w.device_name(other)),
                                      port_words(*picture_, other, near ? link.far_port : link.near_port));
      const double length = c.size_of(far, small).width, high = c.size_of(far, small).height;
      const double gap =
          on_top
              ? (row + 1 < row_count && scene_->row_used(row + 1) ? top_[r] - (top_[r + 1] + height_[r + 1]) : top_[r])
              : top_[r - 1] - (top_[r] + height_[r]);
      if (gap <= 2.4 * (length + 12)) continue;
      const QRectF area(p.x() - high / 2, on_top ? p.y() - length - 8 : p.y() + 8, high, length);
      c.fill(area, with_alpha(t.canvas, 215));
      c.text_turned(area, Qt::AlignHCenter, far, small, t.secondary_text);
    }
  }
}

void FabricView::paint_counts(const Canvas& c) const {
  const QFont font = c.font(11, true);
  const QColor ground = with_alpha(theme().canvas, 225);
  const double line = c.size_of(QStringLiteral("0"), font).height;
  std::vector<QRectF> taken;
  for (const DrawnBand& drawn : bands_) {
    const Band& b = (drawn.fine ? scene_->fine : scene_->coarse)[drawn.band];
    const bool level = b.kind == LinkClass::group_local || b.kind == LinkClass::group_global;
    QPointF middle;
    double room = 0;
    if (level) {
      const QPainterPath path = arc(b);
      middle = path.pointAtPercent(0.5);
      room = std::abs(path.pointAtPercent(1).x() - path.pointAtPercent(0).x());
    } else {
      const double near = (x(b.near_from) + x(b.near_to)) / 2, far = (x(b.far_from) + x(b.far_to)) / 2;
      const Raster::Ribbon r = ribbon(b, 0, 1);
      middle = {(near + far) / 2, (r.over + r.under) / 2};
      room = std::min((b.near_to - b.near_from) * scale_, (b.far_to - b.far_from) * scale_);
      room = std::max(room, ((b.near_to - b.near_from) + (b.far_to - b.far_from)) * scale_ / 2);
      if (r.under - r.over < line + 8) continue;
    }
    const QString count = number(b.links), whole = tr("%1 links").arg(count);
    bool written = false;
    for (const QString& words : {whole, count}) {
      const double wide = c.size_of(words, font).width + 8;
      if (wide + 4 > room) continue;
      const QRectF pill(middle.x() - wide / 2, middle.y() - line / 2 - 1, wide, line + 2);
      written = true;
      if (pill.right() < gutter_ || pill.left() > width() ||
          std::any_of(taken.begin(), taken.end(), [&](const QRectF& o) { return o.intersects(pill); }))
        break;
      taken.push_back(pill);
      c.tile(pill, 3, Qt::NoPen, ground);
      c.text_at(pill.center(), Qt::AlignCenter, words, font, theme().text);
      break;
    }
    // Along the ribbon where it is too narrow for its count.
    const double long_side = c.size_of(count, font).width + 8;
    if (written || level || room < line + 3) continue;
    const Raster::Ribbon r = ribbon(b, 0, 1);
    const QRectF pill(middle.x() - line / 2 - 1, middle.y() - long_side / 2, line + 2, long_side);
    if (r.under - r.over < long_side + 10 || pill.right() < gutter_ || pill.left() > width() ||
        std::any_of(taken.begin(), taken.end(), [&](const QRectF& o) { return o.intersects(pill); }))
      continue;
    taken.push_back(pill);
    c.tile(pill, 3, Qt::NoPen, ground);
    c.text_turned(pill, Qt::AlignHCenter, count, font, theme().text);
  }
}

void FabricView::paint_outages(const Canvas& c) const {
  const Theme& t = theme();
  constexpr std::size_t most = 4000;
  const auto in_sight = [&](const QPointF& p) { return p.x() > gutter_ - 8 && p.x() < width() + 8; };
  std::size_t shown = 0;
  for (std::uint32_t l = 0; l < picture_->link_outage.size() && l < scene_->near_at.size() && shown < most; ++l) {
    if (picture_->link_outage[l] != Outage::stated) continue;
    const QLineF line = line_of(l);
    c.line(line.p1(), line.p2(), QPen(t.red, 1.4, Qt::DashLine));
    const QPointF middle = linkMiddle(l);
    if (in_sight(middle)) cross(c, middle, 5, t.red, 2.2);
    ++shown;
  }
  for (const std::uint32_t l : picture_->marked_links) {
    if (l >= scene_->near_at.size() || shown++ > most) break;
    const QLineF line = line_of(l);
    c.line(line.p1(), line.p2(), QPen(t.amber, 1.6, Qt::DashLine));
    c.painter->setBrush(t.canvas);
    c.painter->setPen(QPen(t.amber, 2));
    for (const QPointF& end : {line.p1(), line.p2()})
      if (in_sight(end)) c.painter->drawEllipse(end, 3.5, 3.5);
  }
  for (std::uint32_t d = 0; d < picture_->device_outage.size() && d < scene_->left.size(); ++d) {
    if (picture_->device_outage[d] != Outage::stated) continue;
    const QRectF box = deviceRect(d);
    if (!in_sight(box.center()) && (box.right() < gutter_ || box.left() > width())) continue;
    cross(c, box.center(), std::clamp(std::min(box.width(), box.height()) * 0.42, 4.5, 16.0), t.red, 2.4);
  }
}

void FabricView::paint_gutter(const Canvas& c) const {
  const Theme& t = theme();
  c.fill(QRectF(0, 0, gutter_, height()), t.canvas);
  c.hairline({gutter_, 0}, {gutter_, static_cast<double>(height())}, t.grid_major);
  const QFont bold = c.font(12, true), small = c.font(11);
  const double line = c.size_of(QStringLiteral("0"), bold).height;
  constexpr std::array kinds{DeviceKind::node, DeviceKind::leaf, DeviceKind::spine, DeviceKind::core};
  const Wiring& w = *scene_->wiring;
  for (int r = 0; r < row_count; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (!scene_->row_used(r)) continue;
    auto count = static_cast<qlonglong>(scene_->rows[i].size());
    if (r == 0) count = w.first_manager;
    const double y = top_[i] + height_[i] / 2;
    c.text_at({gutter_ - 9, y - line}, Qt::AlignRight | Qt::AlignTop, tier_name(kinds[i], scene_->dragonfly), bold,
              t.text);
    c.text_at({gutter_ - 9, y}, Qt::AlignRight | Qt::AlignTop, number(count), small, t.secondary_text);
    // Between two tiers: how many links join them.
    if (r + 1 < row_count && scene_->row_used(r + 1)) {
      const auto links = static_cast<qlonglong>(w.of_class(static_cast<LinkClass>(r)).size());
      const double between = (top_[i] + top_[i + 1] + height_[i + 1]) / 2;
      if (top_[i] - top_[i + 1] - height_[i + 1] > 4 * line) {
        c.text_at({gutter_ - 9, between - line}, Qt::AlignRight | Qt::AlignTop, number(links), small, t.secondary_text);
        c.text_at({gutter_ - 9, between}, Qt::AlignRight | Qt::AlignTop, tr("links"), small, t.secondary_text);
      }
    }
  }
}

void FabricView::paint_lit(const Canvas& c) const {
  const Theme& t = theme();
  for (const std::uint32_t d : lit_) {
    const QRectF box = deviceRect(d).adjusted(-1.5, -1.5, 1.5, 1.5);
    if (box.right() < gutter_ || box.left() > width()) continue;
    if (box.width() < 9)
      c.fill(QRectF(box.left(), box.top() - 3, std::max(2.0, box.width()), box.height() + 6), t.accent);
    else
      c.tile(box, 3.5, QPen(t.accent, 2), Qt::NoBrush);
  }
}

void FabricView::paint_marked_links(Raster& raster, const Marked& marked, bool strong) const {
  if (marked.empty()) return;
  const Wiring& w = *scene_->wiring;
  // Ink, since every hue may stand for a rail or a medium; what is out of service stays so while it is selected.
  const QColor color = strong ? theme().text : theme().secondary_text;
  std::vector<QLineF> lines, broken;
  const auto add = [&](std::uint32_t l) {
    auto& list = picture_->outage_of_link(l) == Outage::none ? lines : broken;
    if (w.links[l].kind >= LinkClass::group_local)
      trace_arc(l, list);
    else
      list.push_back(line_of(l));
  };
  if (marked.devices.size() <= 8)
    for (const std::uint32_t d : marked.devices)
      if (d < scene_->left.size())
        for (const std::uint32_t l : w.at_device(d))
          add(l);
  if (marked.links.size() <= few_links)
    for (const std::uint32_t l : marked.links)
      if (l < w.links.size()) add(l);
  const bool one = marked.links.size() == 1 && marked.devices.empty();
  const std::size_t all = lines.size() + broken.size();
  const double width = one ? 2.6 : all > 64 ? 1.2 : 1.7;
  const int alpha = all > 200 ? 150 : 235;
  for (const QLineF& line : lines)
    raster.line(line, with_alpha(color, alpha), width);
  for (const QLineF& line : broken)
    raster.line(line, with_alpha(theme().amber, alpha), width, Qt::DashLine);
}

void FabricView::paint_marked(const Canvas& c, const Marked& marked, bool strong) const {
  if (marked.empty()) return;
  const Wiring& w = *scene_->wiring;
  const QColor color = strong ? theme().accent : plan::mixed(theme().accent, theme().text, 0.25);
  const auto frame = [&](std::uint32_t d, double width) {
    QRectF box = deviceRect(d);
    if (box.right() < gutter_ - 4 || box.left() > this->width() + 4.0) return;
    if (box.width() < 6) box.adjust(-2, -2, 2, 2);
    c.tile(box.adjusted(-1, -1, 1, 1), 3.5, QPen(color, width), Qt::NoBrush);
  };
  std::set<std::uint32_t> ends;
  if (marked.devices.size() <= 8)
    for (const std::uint32_t d : marked.devices)
      if (d < scene_->left.size())
        for (const std::uint32_t l : w.at_device(d))
          ends.insert(w.links[l].near == d ? w.links[l].far : w.links[l].near);
  if (marked.links.size() > few_links) {
    c.painter->setPen(QPen(color, strong ? 2.2 : 1.6));
    c.painter->setBrush(Qt::NoBrush);
    for (const DrawnBand& b : bands_) {
      const auto& of_link = b.fine ? scene_->fine_of_link : scene_->coarse_of_link;
      if (of_link[marked.links.front()] == b.band && of_link[marked.links.back()] == b.band)
        c.painter->drawPath(outline((b.fine ? scene_->fine : scene_->coarse)[b.band]));
    }
  } else {
    for (const std::uint32_t l : marked.links)
      if (l < w.links.size()) ends.insert(w.links[l].near), ends.insert(w.links[l].far);
  }
  for (const std::uint32_t d : ends)
    if (deviceRect(d).width() >= 9 || ends.size() <= 4) frame(d, 1.4);
  for (const std::uint32_t d : marked.devices)
    if (d < scene_->left.size()) frame(d, strong ? 2.6 : 2);
}

} // namespace hallwright::wired
