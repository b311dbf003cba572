// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QFontMetricsF>

#include "widgets/plan/plan_length.h"

namespace hallwright::plan {

namespace {

QRectF scene_of(const Canvas& c, const QRectF& r) {
  return {(r.left() - c.origin.x()) / c.scale, (r.top() - c.origin.y()) / c.scale, r.width() / c.scale, r.height() / c.scale};
}

constexpr std::array standing_layers{PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure};

/// The same scale with scene (0, 0) at device (0, 0) and nothing out of sight.
Canvas at_rest(const Canvas& c) {
  Canvas rest = c;
  rest.painter = nullptr;
  rest.origin = {};
  return rest;
}

AisleLabel aisle_label(const Canvas& rest, const AisleBand& a) {
  AisleLabel out;
  const QRectF r = rest.rect(a.box);
  const double across = rest.pixels(a.clear), along = (a.along_x ? r.width() : r.height()) / rest.unit;
  if (across < 12 || along < 60) return out;
  out.font = rest.font(std::min(11.0, across - 2));
  const QString name = a.cold ? PlanView::tr("cold aisle") : PlanView::tr("hot aisle");
  out.words = along <= 150 ? name : name + QStringLiteral("  ") + extent_text(a.clear);
  const QSizeF size = size_of_words(rest, out.words, out.font);
  const double gap = 4 * rest.unit;
  if (size.width() > along * rest.unit - gap) return {};
  if (a.along_x)
    out.box = QRectF(QPointF(r.left() + gap, r.center().y() - size.height() / 2), size);
  else
    out.box = QRectF(r.center().x() - size.height() / 2, r.bottom() - gap - size.width(), size.height(), size.width());
  return out;
}

constexpr double dimension_offset = 18; // design pixels from a hall to its dimension line
QFont dimension_font(const Canvas& c) { return c.font(11); }

constexpr double square = 128; // device pixels: side of the squares that `LabelStore` finds words by

template <class F>
void each_square(const QRectF& r, F&& f) {
  const auto at = [](double v) { return static_cast<int>(std::floor(v / square)); };
  for (int y = at(r.top()); y <= at(r.bottom()); ++y)
    for (int x = at(r.left()); x <= at(r.right()); ++x) f(QPair<int, int>(x, y));
}

} // namespace

const PlanObject* standing_in(const Canvas& c, const Picture& p, const QRectF& r) {
  const QRectF area = scene_of(c, r);
  const PlanObject* found = nullptr;
  for (PlanLayer layer : standing_layers) {
    const std::vector<PlanObject>& objects = p.model->objects(layer);
    p.model->index(layer).visit(area, [&](std::uint32_t i) {
      if (!objects[i].box().intersects(area)) return;
      // The leftmost of the highest: the answer must not depend on the order of the grid.
      if (!found || std::pair(objects[i].x0, objects[i].y0) < std::pair(found->x0, found->y0)) found = &objects[i];
    });
  }
  return found;
}

bool stands_free(const Canvas& c, const Picture& p, const QRectF& r) {
  const QRectF area = scene_of(c, r);
  for (const PlanLayer layer : {PlanLayer::trays, PlanLayer::pipes}) {
    if (p.hidden && (*p.hidden)[static_cast<std::size_t>(layer)]) continue;
    const std::vector<PlanObject>& runs = p.model->objects(layer);
    const bool crossed = p.model->index(layer).any(area, [&](std::uint32_t i) {
      const QPolygonF* path = p.model->points(layer, runs[i]);
      const double half = runs[i].width / 2;
      return path && runs_through(*path, false, area.adjusted(-half, -half, half, half));
    });
    if (crossed) return false;
  }
  return std::none_of(standing_layers.begin(), standing_layers.end(), [&](PlanLayer layer) {
    const std::vector<PlanObject>& objects = p.model->objects(layer);
    return p.model->index(layer).any(area, [&](std::uint32_t i) { return objects[i].box().intersects(area); });
  });
}

QSizeF size_of_words(const Canvas& c, const QString& words, const QFont& f) {
  const WordSize s = c.size_of(words, f);
  return {std::ceil(s.width) + 2 * c.unit, s.height};
}

QFont title_font(const Canvas& c) { return c.font(12, true); }

QRectF hall_with_title(const Canvas& c, const HallShape& h) {
  const QRectF r = c.rect(h.box);
  const bool titled = !h.name.empty() && c.pixels(h.box.width()) > 60;
  return r.adjusted(0, titled ? -4 * c.unit - c.size_of(QStringLiteral("H"), title_font(c)).height : 0, 0, 0);
}

// --- places ----------------------------------------------------------------------------------------------------------

void LabelStore::begin(const Canvas& c, const Picture& p) {
  if (model_ == p.model && revision_ == p.model->revision() && scale_ == c.scale && unit_ == c.unit && font_ == c.base_font) return;
  model_ = p.model, revision_ = p.model->revision(), scale_ = c.scale, unit_ = c.unit, font_ = c.base_font;
  taken_.clear();
  aisles_.assign(model_->aisles().size(), {});
  aisle_known_.assign(aisles_.size(), 0);
  halls_.assign(model_->halls().size(), {});
  rows_.clear();
  for (const RackLine& l : model_->lines()) {
    if (!l.row) continue;
    if (!rows_.empty()) {
      RackLine& row = rows_.back().row;
      const bool level = l.along_x ? std::min(l.y1, row.y1) > std::max(l.y0, row.y0) : std::min(l.x1, row.x1) > std::max(l.x0, row.x0);
      if (row.row == l.row && row.hall == l.hall && row.turns == l.turns && level) {
        row.x0 = std::min(row.x0, l.x0), row.y0 = std::min(row.y0, l.y0), row.x1 = std::max(row.x1, l.x1), row.y1 = std::max(row.y1, l.y1);
        continue;
      }
    }
    rows_.emplace_back().row = l;
  }
}

void LabelStore::take(const QRectF& box) {
  each_square(box, [&](const QPair<int, int>& at) { taken_[at].push_back(box); });
}

bool LabelStore::taken(const QRectF& box) const {
  bool found = false;
  each_square(box, [&](const QPair<int, int>& at) {
    const auto it = found ? taken_.end() : taken_.find(at);
    if (it != taken_.end()) found = std::any_of(it->begin(), it->end(), [&](const QRectF& t) { return t.intersects(box); });
  });
  return found;
}

const AisleLabel& LabelStore::aisle_at_rest(const Canvas& c, const Picture& p, std::size_t i) {
  if (!aisle_known_[i]) {
    aisle_known_[i] = 1;
    aisles_[i] = aisle_label(at_rest(c), p.model->aisles()[i]);
    if (!aisles_[i].words.isEmpty()) take(aisles_[i].box);
  }
  return aisles_[i];
}

AisleLabel LabelStore::aisle(const Canvas& c, const Picture& p, std::size_t i) {
  if (!aisle_known_[i] && !may_place()) return {};
  AisleLabel out = aisle_at_rest(c, p, i);
  if (out.words.isEmpty()) return out;
  out.box.translate(c.origin);
  const AisleBand& a = p.model->aisles()[i];
  if (a.along_x && !c.paper)
    out.box.moveLeft(std::max(out.box.left(), std::min(c.left_edge + 52 * c.unit, c.rect(a.box).right() - 116 * c.unit)));
  return out;
}

const RowName& LabelStore::row(const Canvas& c, const Picture& p, std::size_t i) {
  RowName& n = rows_[i];
  if (n.known || !may_place()) return n;
  n.known = true;
  const double across = c.pixels(n.row.along_x ? n.row.y1 - n.row.y0 : n.row.x1 - n.row.x0);
  if (across < 8) return n;
  const Row* row = find(*p.model->design().rows, n.row.row);
  if (!row || row->name.empty()) return n;
  // Words of aisles come first.
  const std::vector<AisleBand>& aisles = p.model->aisles();
  const QRectF near = n.row.box().adjusted(-8000, -8000, 8000, 8000);
  for (std::size_t a = 0; a < aisles.size(); ++a)
    if (!aisle_known_[a] && aisles[a].box.intersects(near)) aisle_at_rest(c, p, a);
  n.name = QString::fromStdString(row->name);
  n.font = c.font(std::min(11.0, across * 0.8));
  n.size = size_of_words(c, n.name, n.font);
  n.found = place_row(at_rest(c), p, n);
  if (n.found) take(n.place);
  return n;
}

bool LabelStore::place_row(const Canvas& c, const Picture& p, RowName& n) const {
  const RackLine& l = n.row;
  const QSizeF size = n.size;
  const QRectF r = c.rect(l.box());
  const HallShape* hall = p.model->hall(l.hall);
  const QRectF floor = hall ? c.rect(hall->box).adjusted(2 * c.unit, 2 * c.unit, -2 * c.unit, -2 * c.unit) : QRectF();
  const auto is_free = [&](const QRectF& box) { return !(hall && !floor.contains(box)) && !taken(box) && stands_free(c, p, box); };
  // Ahead of the row's start, past what stands there; then behind its end; then beside the first rack.
  const double gap = 6 * c.unit, reach = 4000 * c.scale;
  double edge = l.along_x ? r.left() : r.top();
  const double start = edge;
  for (int tries = 0; tries < 6 && start - edge <= reach; ++tries) {
    n.place = l.along_x ? QRectF(QPointF(edge - gap - size.width(), r.center().y() - size.height() / 2), size)
                        : QRectF(QPointF(r.center().x() - size.width() / 2, edge - gap / 2 - size.height()), size);
    // What stands at the row's start need not be as wide as the row: look at the whole width of the words.
    const PlanObject* there = standing_in(c, p, n.place);
    if (!there) {
      if (is_free(n.place)) return true;
      break;
    }
    const QRectF box = c.rect(there->box());
    const double next = l.along_x ? box.left() : box.top();
    if (next >= edge) break;
    edge = next;
  }
  const std::array<QPointF, 4> corners =
      l.along_x ? std::array<QPointF, 4>{QPointF(r.right() + gap, r.center().y() - size.height() / 2), QPointF(r.left(), r.top() - 2 * c.unit - size.height()),
                                         QPointF(r.left(), r.bottom() + 2 * c.unit), QPointF(r.right() - size.width(), r.top() - 2 * c.unit - size.height())}
                : std::array<QPointF, 4>{QPointF(r.center().x() - size.width() / 2, r.bottom() + gap / 2), QPointF(r.left() - gap - size.width(), r.top()),
                                         QPointF(r.right() + gap, r.top()), QPointF(r.left() - gap - size.width(), r.bottom() - size.height())};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    n.place = QRectF(corners[i], size);
    n.beside = i > 0;
    if (is_free(n.place)) return true;
  }
  return false;
}

const HallDimensions& LabelStore::dimensions(const Canvas& canvas, const Picture& p, std::size_t index) {
  HallDimensions& out = halls_[index];
  if (out.known) return out;
  out.known = true;
  const Canvas c = at_rest(canvas);
  const HallShape& h = p.model->halls()[index];
  const QRectF r = c.rect(h.box);
  // Dimension lines keep off other halls, their names, and what stands outside of halls.
  const auto is_free = [&](const QRectF& strip) {
    for (const HallShape& other : p.model->halls())
      if (other.id != h.id && hall_with_title(c, other).intersects(strip)) return false;
    return stands_free(c, p, strip);
  };
  const QFont f = dimension_font(c);
  const double off = dimension_offset * c.unit;
  const QString across = extent_text(h.box.width()), down = extent_text(h.box.height());
  const QSizeF across_size = size_of_words(c, across, f), down_size = size_of_words(c, down, f);
  if (r.width() < std::max(50 * c.unit, across_size.width())) return out;
  if (is_free(QRectF(r.left(), r.bottom() + 3 * c.unit, r.width(), off + across_size.height()))) out.across = across;
  if (r.height() < 50 * c.unit) return out;
  const double room = off + 6 * c.unit + down_size.width();
  if (!is_free(QRectF(r.right() + 3 * c.unit, r.top(), room, r.height()))) {
    // A neighbour of the same height says it; else there is the other side.
    for (const HallShape& other : p.model->halls())
      if (other.id != h.id && std::abs(other.box.top() - h.box.top()) < 1 && std::abs(other.box.bottom() - h.box.bottom()) < 1) return out;
    if (!is_free(QRectF(r.left() - 3 * c.unit - room, r.top(), room, r.height()))) return out;
    out.side = -1;
  }
  out.down = down;
  return out;
}

// --- painting --------------------------------------------------------------------------------------------------------

void paint_dimensions(const Canvas& c, const Picture& p) {
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, false);
  LabelStore own;
  LabelStore& labels = p.labels ? *p.labels : own;
  labels.begin(c, p);
  const QColor ink = mixed(c.colors.quiet, c.colors.canvas, 0.4);
  const QFont f = dimension_font(c);
  const double off = dimension_offset * c.unit, tick = 4 * c.unit, around = 200 * c.unit;
  const QRectF sight = c.rect(p.area).adjusted(-around, -around, around, around);
  for (std::size_t i = 0; i < p.model->halls().size(); ++i) {
    const QRectF r = c.rect(p.model->halls()[i].box);
    if (!r.intersects(sight)) continue;
    const HallDimensions& d = labels.dimensions(c, p, i);
    if (!d.across.isEmpty()) {
      const double y = std::round(r.bottom() + off);
      c.hairline({r.left(), y}, {r.right(), y}, ink);
      for (double x : {r.left(), r.right()}) c.hairline({x, y - tick}, {x, y + tick}, ink);
      c.text_at({r.center().x(), y + 3 * c.unit}, Qt::AlignHCenter | Qt::AlignTop, d.across, f, c.colors.quiet);
    }
    if (!d.down.isEmpty()) {
      const double x = std::round((d.side > 0 ? r.right() : r.left()) + d.side * off);
      c.hairline({x, r.top()}, {x, r.bottom()}, ink);
      for (double y : {r.top(), r.bottom()}) c.hairline({x - tick, y}, {x + tick, y}, ink);
      c.text_at({x + d.side * 6 * c.unit, r.center().y()}, (d.side > 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, d.down, f, c.colors.quiet);
    }
  }
}

void paint_row_names(const Canvas& c, const Picture& p) {
  LabelStore own;
  LabelStore& labels = p.labels ? *p.labels : own;
  labels.begin(c, p);
  std::vector<QRectF> pills, shown, moved; // of this picture
  if (!c.paper)
    for (std::size_t i = 0; i < p.model->aisles().size(); ++i)
      if (const AisleBand& a = p.model->aisles()[i]; a.along_x && a.box.left() < p.area.left() && a.box.intersects(p.area))
        if (const AisleLabel label = labels.aisle(c, p, i); !label.words.isEmpty()) moved.push_back(label.box);
  const auto touches = [](const std::vector<QRectF>& boxes, const QRectF& r) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const QRectF& b) { return b.intersects(r); });
  };
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    const RackLine& l = labels.line(i);
    if (!l.box().adjusted(-6000, -3000, 3000, 3000).intersects(p.area)) continue;
    const RowName& n = labels.row(c, p, i);
    if (n.name.isEmpty()) continue;
    const QRectF r = c.rect(l.box()), place = n.place.translated(c.origin);
    const double start = n.found ? std::min(place.left(), r.left()) : r.left();
    if (l.along_x && !c.paper && start < c.left_edge + 4 && r.right() > c.left_edge + 80 && place.left() < c.left_edge + 4) {
      // The start of the row is out of sight: its name stays at the edge.
      const QRectF pill(c.left_edge + 3, std::round(r.center().y() - n.size.height() / 2 - 1), n.size.width() + 8, n.size.height() + 2);
      // Rows back to back without an aisle, far away.
      const QRectF core = pill.adjusted(0, 2, 0, -2);
      if (touches(pills, core) || touches(shown, core)) continue;
      c.tile(pill, 3, QPen(Qt::NoPen), c.colors.panel);
      c.text(pill, Qt::AlignCenter | Qt::TextSingleLine, n.name, n.font, c.colors.quiet);
      pills.push_back(pill);
    } else if (n.found && !(n.beside && touches(moved, place)) && !touches(pills, place)) {
      c.text(place, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, n.name, n.font, c.colors.quiet);
      if (place.left() < c.left_edge + 120) shown.push_back(place);
    }
  }
}

} // namespace hallwright::plan
