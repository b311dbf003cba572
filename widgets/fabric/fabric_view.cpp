// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/fabric_view.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::wired {
namespace {

constexpr double side_margin = 12;

double distance(const QLineF& line, const QPointF& p) {
  const QPointF d = line.p2() - line.p1();
  const double length = QPointF::dotProduct(d, d);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - line.p1(), d) / length, 0.0, 1.0) : 0.0;
  const QPointF off = p - (line.p1() + t * d);
  return std::hypot(off.x(), off.y());
}

} // namespace

FabricView::FabricView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("fabric_view"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Picture of the network"));
  empty_ = tr("No network is shown.");
}

void FabricView::setEmptyText(const QString& text) {
  empty_ = text;
  tell_accessible();
  update();
}

void FabricView::setPicture(const std::shared_ptr<const Picture>& picture, std::shared_ptr<const Scene> scene) {
  const bool same_wiring = picture_ && picture && picture_->wiring == picture->wiring;
  const bool same_network = picture_ && picture && picture_->network == picture->network;
  picture_ = picture;
  if (!same_wiring) {
    // What a wiring of another shape knows by these numbers is something else.
    const std::size_t devices = picture_ && picture_->wiring ? picture_->wiring->devices.size() : 0;
    const bool same_shape = same_network && devices == scene_->left.size() &&
                            scene_->fine_of_link.size() == (devices ? picture_->wiring->links.size() : 0);
    if (!scene || !picture_ || scene->wiring != picture_->wiring)
      scene = std::make_shared<const Scene>(picture_ ? make_scene(picture_->wiring) : Scene{});
    scene_ = std::move(scene);
    hovered_ = {};
    if (!same_shape) {
      const bool had = !selected_.empty();
      selected_ = {};
      if (!same_network) fitted_ = true;
      if (had) Q_EMIT selectionChanged();
    }
  }
  setColorBy(color_by_);
  setLitRacks(std::set<Id>(lit_racks_));
  if (fitted_)
    fit();
  else {
    clamp_camera();
    changed();
  }
  tell_accessible();
}

void FabricView::setColorBy(ColorBy by) {
  color_by_ = by;
  colors_ = picture_ ? link_colors(*picture_, by) : LinkColors{};
  const std::size_t n = std::max<std::size_t>(1, colors_.entries.size());
  const auto count = [&](const std::vector<Band>& bands, const std::vector<std::uint32_t>& of_link,
                         std::vector<std::uint32_t>& counts) {
    counts.assign(bands.size() * n, 0);
    for (std::uint32_t i = 0; i < of_link.size(); ++i)
      ++counts[of_link[i] * n + colors_.entry(i)];
  };
  count(scene_->fine, scene_->fine_of_link, fine_counts_);
  count(scene_->coarse, scene_->coarse_of_link, coarse_counts_);
  changed();
}

void FabricView::setSelection(const Marked& marked) {
  if (marked == selected_) return;
  selected_ = marked;
  tell_accessible();
  update();
  Q_EMIT selectionChanged();
}

void FabricView::choose(const Marked& marked) { setSelection(marked); }

void FabricView::setLitRacks(const std::set<Id>& racks) {
  lit_racks_ = racks;
  lit_.clear();
  if (picture_ && !racks.empty())
    for (std::uint32_t d = 0; d < picture_->places.size() && d < scene_->left.size(); ++d)
      if (picture_->places[d].rack != 0 && racks.count(picture_->places[d].rack) > 0) lit_.push_back(d);
  update();
}

// --- camera ----------------------------------------------------------------------------------------------------------

double FabricView::fit_scale() const {
  const double room = std::max(40.0, width() - gutter_ - 2 * side_margin);
  return std::min(room / scene_->width, 120.0);
}

double FabricView::most_scale() const {
  double least = 1e9;
  for (int r = 0; r < row_count; ++r)
    if (scene_->row_used(r)) least = std::min(least, scene_->port_pitch[static_cast<std::size_t>(r)]);
  return least < 1e8 ? std::max(4 * fit_scale(), 44.0 / least) : 4 * fit_scale();
}

void FabricView::clamp_camera() {
  const double low = fit_scale() * 0.8;
  scale_ = std::clamp(scale_, low, std::max(low, most_scale()));
  const double wide = scene_->width * scale_, room = width() - gutter_;
  if (wide <= room - 2 * side_margin)
    offset_ = gutter_ + (room - wide) / 2;
  else
    offset_ = std::clamp(offset_, width() - room / 2 - wide, gutter_ + room / 2);
}

void FabricView::fit() {
  scale_ = fit_scale();
  offset_ = gutter_ + side_margin;
  clamp_camera();
  fitted_ = true;
  changed();
  Q_EMIT scaleChanged();
}

void FabricView::zoom_at(double pixel, double factor) {
  const double place = cell(pixel);
  scale_ *= factor;
  const double low = fit_scale() * 0.8;
  scale_ = std::clamp(scale_, low, std::max(low, most_scale()));
  offset_ = pixel - place * scale_;
  fitted_ = false;
  clamp_camera();
  changed();
  Q_EMIT scaleChanged();
}

void FabricView::zoomBy(double factor) { zoom_at((gutter_ + width()) / 2, factor); }

void FabricView::zoomToSelection() { zoomTo(selected_); }

void FabricView::zoomTo(const Marked& marked) {
  if (!picture_ || !picture_->shows() || marked.empty()) return;
  const Wiring& w = *scene_->wiring;
  double from = 1e18, to = -1e18, least = 1e18;
  const auto take = [&](std::uint32_t d) {
    if (d >= scene_->left.size()) return;
    from = std::min(from, scene_->left[d]), to = std::max(to, scene_->right[d]);
    least = std::min(least, scene_->right[d] - scene_->left[d]);
  };
  for (const std::uint32_t d : marked.devices)
    take(d);
  for (const std::uint32_t l : marked.links)
    if (l < w.links.size()) take(w.links[l].near), take(w.links[l].far);
  if (to < from) return;
  const double room = width() - gutter_;
  // One device: large enough to read its ports; several: all of them.
  const double whole = 0.8 * room / (to - from);
  const bool one = marked.links.empty() && marked.devices.size() == 1;
  scale_ = one ? std::min(whole, std::max(0.5 * room / least, 8.0 * fit_scale())) : whole;
  scale_ = std::clamp(scale_, fit_scale() * 0.8, most_scale());
  offset_ = gutter_ + room / 2 - (from + to) / 2 * scale_;
  fitted_ = false;
  clamp_camera();
  changed();
  Q_EMIT scaleChanged();
}

void FabricView::changed() {
  stale_ = true;
  hovered_ = {};
  update();
}

void FabricView::lay_rows() {
  const QFontMetricsF m(font());
  gutter_ = std::ceil(m.horizontalAdvance(QStringLiteral("Switches 00")) + 18);
  const double line = m.height();
  const bool pods = !scene_->pods.empty();
  const double top = line * (pods ? 1.9 : 1.2) + 4, foot = line + 12;
  const double room = std::max(60.0, height() - top - foot);
  int used = 0;
  double sum = 0;
  int tiers = 0;
  for (int r = 0; r < row_count; ++r)
    tiers += scene_->row_used(r);
  const double cap = std::clamp(room * (tiers > 3 ? 0.115 : 0.15), 14.0, 3.6 * line + 12);
  for (int r = 0; r < row_count; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (!scene_->row_used(r)) continue;
    ++used;
    height_[i] = std::clamp(scene_->pitch[i] * scale_ * 0.62, std::min(11.0, cap), cap);
    sum += height_[i];
  }
  // A dragonfly's links between switches arch over them.
  const double arch = scene_->dragonfly ? room * 0.42 : 0;
  const double gap = used > 1 ? std::max(6.0, (room - arch - sum) / (used - 1)) : 0;
  double y = top + arch + (used == 1 ? (room - arch - sum) / 2 : 0);
  for (int r = row_count - 1; r >= 0; --r) {
    const auto i = static_cast<std::size_t>(r);
    if (!scene_->row_used(r)) continue;
    top_[i] = std::round(y);
    height_[i] = std::round(height_[i]);
    y += height_[i] + gap;
  }
}

bool FabricView::at_ports(int row) const { return scene_->port_pitch[static_cast<std::size_t>(row)] * scale_ >= 2.5; }

void FabricView::choose_details() {
  const double from = cell(gutter_), to = cell(width());
  const auto pairs_in_sight = [&](int near_row, int far_row) {
    std::size_t n = 0;
    const auto [a, b] = scene_->between(near_row, from, to);
    const auto& near = scene_->rows[static_cast<std::size_t>(near_row)];
    for (std::size_t i = a; i < b; ++i)
      n += scene_->first_pair[near[i] + 1] - scene_->first_pair[near[i]];
    if (far_row != near_row) {
      const auto [c, d] = scene_->between(far_row, from, to);
      const auto& far = scene_->rows[static_cast<std::size_t>(far_row)];
      for (std::size_t i = c; i < d; ++i)
        n += scene_->first_far_pair[far[i] + 1] - scene_->first_far_pair[far[i]];
    }
    return n;
  };
  struct Wish {
    int near, far;
    double near_pixels, far_pixels;
    std::size_t most;
  };
  constexpr std::array<Wish, 5> wishes{
      {{0, 1, 13, 10, 1300}, {1, 2, 13, 7, 1300}, {2, 3, 13, 5, 1300}, {1, 1, 9, 9, 1600}, {1, 1, 14, 14, 1600}}};
  for (std::size_t k = 0; k < wishes.size(); ++k) {
    const Wish& wish = wishes[k];
    const double near = scene_->pitch[static_cast<std::size_t>(wish.near)] * scale_,
                 far = scene_->pitch[static_cast<std::size_t>(wish.far)] * scale_;
    if (scene_->first_fine[k] == scene_->first_fine[k + 1]) {
      detail_[k] = Detail::coarse;
    } else if (near >= wish.near_pixels && far >= wish.far_pixels && pairs_in_sight(wish.near, wish.far) <= wish.most) {
      detail_[k] = at_ports(wish.near) || at_ports(wish.far) ? Detail::ports : Detail::lines;
    } else {
      // Ribbons as fine as they can be told apart.
      const std::uint32_t first = scene_->first_fine[k], end = scene_->first_fine[k + 1];
      double sum = 0;
      for (std::uint32_t i = first; i < end; ++i)
        sum += scene_->fine[i].near_to - scene_->fine[i].near_from;
      detail_[k] = sum * scale_ / (end - first) >= 9 ? Detail::fine : Detail::coarse;
    }
  }
}

// --- where things are ------------------------------------------------------------------------------------------------

QRectF FabricView::deviceRect(std::uint32_t d) const {
  if (d >= scene_->left.size()) return {};
  const auto r = static_cast<std::size_t>(row_of(scene_->wiring->devices[d].kind));
  const double wide = (scene_->right[d] - scene_->left[d]) * scale_;
  const double gap = std::min(6.0, wide * 0.08);
  return {x(scene_->left[d]) + gap, top_[r], std::max(1.0, wide - 2 * gap), height_[r]};
}

QPointF FabricView::near_point(std::uint32_t link) const {
  const WiredLink& l = scene_->wiring->links[link];
  const int row = row_of(scene_->wiring->devices[l.near].kind);
  const QRectF r = deviceRect(l.near);
  const double px = at_ports(row) ? r.left() + r.width() * (0.03 + 0.94 * static_cast<double>(scene_->near_at[link]))
                                  : r.center().x();
  return {px, r.top()};
}

QPointF FabricView::far_point(std::uint32_t link) const {
  const WiredLink& l = scene_->wiring->links[link];
  const int row = row_of(scene_->wiring->devices[l.far].kind);
  const QRectF r = deviceRect(l.far);
  const double px =
      at_ports(row) ? r.left() + r.width() * (0.03 + 0.94 * static_cast<double>(scene_->far_at[link])) : r.center().x();
  const bool level = l.kind == LinkClass::group_local || l.kind == LinkClass::group_global;
  return {px, level ? r.top() : r.bottom()};
}

QLineF FabricView::line_of(std::uint32_t link) const { return {near_point(link), far_point(link)}; }

QPointF FabricView::linkMiddle(std::uint32_t link) const {
  const QLineF line = line_of(link);
  const LinkClass kind = scene_->wiring->links[link].kind;
  if (kind == LinkClass::group_local || kind == LinkClass::group_global) {
    const double rise = std::min(top_[1] - 24.0, 18 + 0.35 * std::abs(line.dx()));
    return line.center() - QPointF(0, 0.75 * rise);
  }
  return line.center();
}

std::vector<std::uint32_t> FabricView::links_of_band(std::uint32_t band, bool fine) const {
  std::vector<std::uint32_t> out;
  const auto& of_link = fine ? scene_->fine_of_link : scene_->coarse_of_link;
  const LinkClass kind = (fine ? scene_->fine : scene_->coarse)[band].kind;
  const std::uint32_t first = scene_->wiring->first_of_class[static_cast<std::size_t>(kind)],
                      end = scene_->wiring->first_of_class[static_cast<std::size_t>(kind) + 1];
  for (std::uint32_t l = first; l < end; ++l)
    if (of_link[l] == band) out.push_back(l);
  return out;
}

Marked FabricView::at(const QPointF& p) const {
  Marked out;
  if (!picture_ || !picture_->shows() || p.x() < gutter_) return out;
  for (int r = 0; r < row_count; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (!scene_->row_used(r) || p.y() < top_[i] - 1 || p.y() > top_[i] + height_[i] + 1) continue;
    const std::uint32_t d = scene_->device_at(r, cell(p.x()));
    if (d < scene_->left.size()) out.devices.push_back(d);
    return out;
  }
  constexpr double reach = 4.5;
  double best = reach;
  const DrawnLine* nearest = nullptr;
  for (const DrawnLine& l : lines_) {
    const double far = distance(l.line, p);
    if (far < best) best = far, nearest = &l;
  }
  if (nearest) {
    if (nearest->links == 1) {
      out.links.push_back(nearest->link);
    } else {
      const WiredLink& one = scene_->wiring->links[nearest->link];
      for (const std::uint32_t l : scene_->wiring->at_device(one.near))
        if (scene_->wiring->links[l].near == one.near && scene_->wiring->links[l].far == one.far)
          out.links.push_back(l);
      std::sort(out.links.begin(), out.links.end());
    }
    return out;
  }
  for (auto b = bands_.rbegin(); b != bands_.rend(); ++b)
    if (holds((b->fine ? scene_->fine : scene_->coarse)[b->band], p)) {
      out.links = links_of_band(b->band, b->fine);
      return out;
    }
  return out;
}

QString FabricView::words(const Marked& marked) const {
  if (!picture_ || !picture_->shows()) return {};
  if (marked.devices.size() == 1 && marked.links.empty()) return device_words(*picture_, marked.devices.front());
  if (marked.links.size() == 1) return link_words(*picture_, marked.links.front());
  if (marked.links.empty())
    return marked.devices.empty()
               ? QString()
               : tr("%1 devices").arg(screen_number(static_cast<qlonglong>(marked.devices.size())));
  const Wiring& w = *scene_->wiring;
  const WiredLink& first = w.links[marked.links.front()];
  bool one_near = true, one_far = true;
  std::set<std::uint32_t> near_units, far_pods;
  double shortest = 1e9, longest = 0;
  for (const std::uint32_t l : marked.links) {
    one_near = one_near && w.links[l].near == first.near;
    one_far = one_far && w.links[l].far == first.far;
    near_units.insert(w.devices[w.links[l].near].unit);
    far_pods.insert(w.devices[w.links[l].far].pod);
    if (l < picture_->length_m.size() && std::isfinite(picture_->length_m[l])) {
      shortest = std::min(shortest, static_cast<double>(picture_->length_m[l]));
      longest = std::max(longest, static_cast<double>(picture_->length_m[l]));
    }
  }
  QStringList lines;
  lines << tr("%1 links: %2")
               .arg(screen_number(static_cast<qlonglong>(marked.links.size())),
                    link_class_name(first.kind).toLower());
  if (one_near && one_far) {
    lines << tr("%1 \u2013 %2")
                 .arg(device_title(*picture_, first.near), QString::fromStdString(w.device_name(first.far)));
    const QString a = place_words(*picture_, first.near), b = place_words(*picture_, first.far);
    if (!a.isEmpty() && !b.isEmpty()) lines << tr("%1 \u2013 %2").arg(a, b);
  } else if (first.kind == LinkClass::node_leaf || first.kind == LinkClass::leaf_spine) {
    if (near_units.size() == 1)
      lines << tr("of unit %1").arg(*near_units.begin() + 1);
    else if (far_pods.size() == 1 && w.counts.pods > 1)
      lines << tr("of pod %1").arg(*far_pods.begin() + 1);
  } else if (first.kind == LinkClass::spine_core) {
    lines << tr("of pod %1 to the cores").arg(w.devices[first.near].pod + 1);
  } else {
    lines << (near_units.size() == 1 && w.devices[first.near].unit == w.devices[first.far].unit
                  ? tr("within group %1").arg(w.devices[first.near].unit + 1)
                  : tr("group %1 to group %2").arg(w.devices[first.near].unit + 1).arg(w.devices[first.far].unit + 1));
  }
  if (longest > 0) {
    const auto m = [](double v) { return screen_number(v, 'f', v < 99.5 ? 1 : 0); };
    lines << tr("%1 to %2 m").arg(m(shortest), m(longest));
  }
  return lines.join(QLatin1Char('\n'));
}

// --- events ----------------------------------------------------------------------------------------------------------

bool FabricView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = words(at(help->pos()));
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  if (event->type() == QEvent::ShortcutOverride) {
    // The keys of the picture hold before shortcuts of the window.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    static constexpr std::array own{Qt::Key_Home, Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,
                                    Qt::Key_Down, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space};
    if (plain && std::find(own.begin(), own.end(), key->key()) != own.end()) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void FabricView::resizeEvent(QResizeEvent*) {
  if (fitted_)
    fit();
  else {
    clamp_camera();
    changed();
  }
}

void FabricView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange)
    setColorBy(color_by_);
}

void FabricView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  pressed_ = last_ = event->position();
  pressing_ = event->button() == Qt::LeftButton && !space_;
  panning_ = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_);
  if (panning_) setCursor(Qt::ClosedHandCursor);
}

void FabricView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF p = event->position();
  if (pressing_ && !panning_ && std::abs(p.x() - pressed_.x()) + std::abs(p.y() - pressed_.y()) > 5) {
    panning_ = true;
    setCursor(Qt::ClosedHandCursor);
  }
  if (panning_) {
    offset_ += p.x() - last_.x();
    last_ = p;
    fitted_ = false;
    clamp_camera();
    changed();
    return;
  }
  last_ = p;
  set_hovered(at(p));
}

void FabricView::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = pressing_ && !panning_ && event->button() == Qt::LeftButton;
  pressing_ = panning_ = false;
  setCursor(space_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  if (!click) return;
  const Marked hit = at(event->position());
  if (event->modifiers() & Qt::ControlModifier) {
    Marked sum = selected_;
    for (const std::uint32_t d : hit.devices) {
      const auto known = std::find(sum.devices.begin(), sum.devices.end(), d);
      if (known != sum.devices.end())
        sum.devices.erase(known);
      else
        sum.devices.push_back(d);
    }
    sum.links.insert(sum.links.end(), hit.links.begin(), hit.links.end());
    std::sort(sum.links.begin(), sum.links.end());
    sum.links.erase(std::unique(sum.links.begin(), sum.links.end()), sum.links.end());
    choose(sum);
  } else {
    choose(hit);
  }
}

void FabricView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Marked hit = at(event->position());
  if (hit.empty())
    fit();
  else
    zoomTo(hit);
}

void FabricView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) {
    const Marked hit = at(event->pos());
    const bool within = !hit.devices.empty()
                            ? std::find(selected_.devices.begin(), selected_.devices.end(), hit.devices.front()) !=
                                  selected_.devices.end()
                            : !hit.links.empty() &&
                                  std::binary_search(selected_.links.begin(), selected_.links.end(), hit.links.front());
    if (!within) choose(hit);
  }
  Q_EMIT menuRequested(event->reason() == QContextMenuEvent::Mouse ? event->globalPos() : mapToGlobal(rect().center()));
}

void FabricView::wheelEvent(QWheelEvent* event) {
  if (!picture_ || !picture_->shows()) return;
  const QPoint turn = event->angleDelta();
  if (turn.x() != 0 && std::abs(turn.x()) > std::abs(turn.y())) {
    offset_ += turn.x();
    fitted_ = false;
    clamp_camera();
    changed();
  } else if (turn.y() != 0) {
    zoom_at(std::max(gutter_, event->position().x()), std::pow(1.0016, turn.y()));
  }
  event->accept();
}

void FabricView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomBy(1.25);
    return;
  case Qt::Key_Minus:
    zoomBy(0.8);
    return;
  case Qt::Key_Home:
    fit();
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    zoomToSelection();
    return;
  case Qt::Key_Escape:
    choose({});
    return;
  case Qt::Key_Left:
    step(-1, 0);
    return;
  case Qt::Key_Right:
    step(1, 0);
    return;
  case Qt::Key_Up:
    step(0, 1);
    return;
  case Qt::Key_Down:
    step(0, -1);
    return;
  case Qt::Key_Space:
    if (!event->isAutoRepeat()) {
      space_ = true;
      setCursor(Qt::OpenHandCursor);
    }
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void FabricView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    space_ = false;
    setCursor(Qt::ArrowCursor);
    return;
  }
  QWidget::keyReleaseEvent(event);
}

void FabricView::leaveEvent(QEvent*) { set_hovered({}); }
void FabricView::focusInEvent(QFocusEvent*) { update(); }
void FabricView::hideEvent(QHideEvent* event) {
  pressing_ = panning_ = space_ = false; // the release will not come here
  setCursor(Qt::ArrowCursor);
  QWidget::hideEvent(event);
}
void FabricView::focusOutEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MenuBarFocusReason && event->reason() != Qt::PopupFocusReason)
    pressing_ = panning_ = false;
  space_ = false;
  setCursor(Qt::ArrowCursor);
  update();
}

/// To the neighbour of the selected device, or to a device that it is linked with in the tier above or below.
void FabricView::step(int across, int up) {
  if (!picture_ || !picture_->shows()) return;
  const Wiring& w = *scene_->wiring;
  std::uint32_t now = selected_.devices.empty()
                          ? (selected_.links.empty() ? static_cast<std::uint32_t>(w.devices.size())
                                                     : w.links[selected_.links.front()].near)
                          : selected_.devices.front();
  std::uint32_t next = now;
  if (now >= w.devices.size()) {
    const auto& row = scene_->rows[scene_->row_used(1) ? 1 : 0];
    next = row.front();
  } else if (across != 0) {
    const auto& row = scene_->rows[static_cast<std::size_t>(row_of(w.devices[now].kind))];
    const auto at = static_cast<std::ptrdiff_t>(std::find(row.begin(), row.end(), now) - row.begin()) + across;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(row.size())) next = row[static_cast<std::size_t>(at)];
  } else {
    double best = 1e18;
    for (const std::uint32_t l : w.at_device(now)) {
      const std::uint32_t other = w.links[l].near == now ? w.links[l].far : w.links[l].near;
      const int rise = row_of(w.devices[other].kind) - row_of(w.devices[now].kind);
      const double far = std::abs(scene_->middle(other) - scene_->middle(now));
      if (rise == up && far < best) best = far, next = other;
    }
  }
  choose({{next}, {}});
  const QRectF r = deviceRect(next);
  if (r.left() < gutter_ || r.right() > width()) {
    offset_ += (gutter_ + width()) / 2 - r.center().x();
    fitted_ = false;
    clamp_camera();
    changed();
  }
}

void FabricView::set_hovered(const Marked& marked) {
  if (marked == hovered_) return;
  hovered_ = marked;
  if (!panning_) setCursor(space_ ? Qt::OpenHandCursor : marked.empty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
  Q_EMIT hovered(words(marked));
}

void FabricView::tell_accessible() {
  QString text = empty_;
  if (picture_ && picture_->shows()) {
    const FabricCounts& c = picture_->wiring->counts;
    text = tr("%1: %2 nodes, %3 leafs, %4 spines, %5 cores, %6 links.")
               .arg(picture_->name)
               .arg(scene_->rows[0].size())
               .arg(c.leafs)
               .arg(c.spines)
               .arg(c.cores)
               .arg(picture_->wiring->links.size());
    const QString chosen = words(selected_);
    if (!chosen.isEmpty())
      text +=
          QLatin1Char(' ') + tr("Selected: %1").arg(QString(chosen).replace(QLatin1Char('\n'), QStringLiteral("; ")));
  }
  setAccessibleDescription(text);
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

QImage FabricView::image() {
  QImage out(size() * 2, QImage::Format_ARGB32_Premultiplied);
  out.setDevicePixelRatio(2);
  paint_base(out);
  const QRectF clip(gutter_, 0, width() - gutter_, height());
  {
    Raster raster(out, clip);
    paint_marked_links(raster, selected_, true);
  }
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  const Canvas c = canvas(painter);
  painter.setClipRect(clip);
  paint_lit(c);
  paint_marked(c, selected_, true);
  stale_ = true;
  return out;
}

} // namespace hallwright::wired
