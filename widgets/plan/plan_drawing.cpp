// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_drawing.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_painter.h"

namespace hallwright::plan {
namespace {

constexpr double least_side = 10;  // mm
constexpr double least_area = 2e6; // mm², of a hall or zone
constexpr double radian = 57.29577951308232;

double reach(const QPointF& d) { return std::hypot(d.x(), d.y()); }
/// Counter-clockwise from the right, as angles are read on a drawing: y runs down.
double angle_of(const QPointF& d) {
  const double a = std::atan2(-d.y(), d.x()) * radian;
  return a < -1e-9 ? a + 360 : a + 0.0;
}
QString angle_text(double degrees) {
  QString s = screen_number(degrees, 'f', 1);
  const QString zero = QLocale().decimalPoint() + QLatin1Char('0');
  if (s.endsWith(zero)) s.chop(zero.size());
  return s + QStringLiteral("°");
}

} // namespace

std::optional<StructureKind> structure_of(PlanTool tool) {
  switch (tool) {
  case PlanTool::column:
    return StructureKind::column;
  case PlanTool::door:
    return StructureKind::door;
  case PlanTool::ramp:
    return StructureKind::ramp;
  case PlanTool::lift:
    return StructureKind::lift;
  case PlanTool::spreader:
    return StructureKind::spreader;
  case PlanTool::obstacle:
    return StructureKind::obstacle;
  case PlanTool::no_go:
    return StructureKind::no_go;
  case PlanTool::dock:
    return StructureKind::dock;
  default:
    return std::nullopt;
  }
}

void customary_size(StructureKind kind, double& width, double& depth) {
  switch (kind) {
  case StructureKind::column:
    width = 500, depth = 500;
    break;
  case StructureKind::wall:
    width = 3000, depth = 200;
    break;
  case StructureKind::door:
    width = 1200, depth = 200;
    break;
  case StructureKind::obstacle:
    width = 1200, depth = 1200;
    break;
  case StructureKind::no_go:
    width = 2400, depth = 2400;
    break;
  case StructureKind::dock:
    width = 3000, depth = 600;
    break;
  case StructureKind::ramp:
    width = 1500, depth = 5400;
    break;
  case StructureKind::lift:
    width = 2400, depth = 3000;
    break;
  case StructureKind::spreader:
    width = 1200, depth = 1200;
    break;
  }
}

PlanDrawing::Manner PlanDrawing::manner_of(PlanTool tool) {
  switch (tool) {
  case PlanTool::hall_outline:
  case PlanTool::zone_polygon:
    return Manner::polygon;
  case PlanTool::tray:
  case PlanTool::pipe:
    return Manner::path;
  case PlanTool::wall:
    return Manner::chain;
  case PlanTool::busway:
    return Manner::segment;
  case PlanTool::zone:
  case PlanTool::containment:
    return Manner::rectangle;
  case PlanTool::note:
  case PlanTool::label:
    return Manner::point;
  case PlanTool::dimension:
    return Manner::dimension;
  default:
    return structure_of(tool) ? Manner::block : Manner::none;
  }
}

void PlanDrawing::start(PlanTool tool) {
  tool_ = tool;
  manner_ = manner_of(tool);
  points_.clear();
  typed_[0].clear(), typed_[1].clear();
  field_ = 0;
  pressed_ = dragging_ = false;
}

std::optional<double> PlanDrawing::typed_value(int field) const {
  if (typed_[field].isEmpty()) return std::nullopt;
  if (field == 1 && !boxed()) return read_angle(typed_[1]);
  const auto v = read_length(typed_[field]);
  return v && *v > 0 && *v < 1e7 ? v : std::nullopt;
}

QPointF PlanDrawing::constrained(const QPointF& snapped, bool right_angles) const {
  if (points_.isEmpty() || manner_ == Manner::point) return snapped;
  if (manner_ == Manner::dimension && points_.size() >= 2) return snapped;
  const QPointF last = points_.back();
  const auto first = typed_value(0), second = typed_value(1);
  if (boxed()) {
    QPointF d = snapped - last;
    if (right_angles) { // a square
      const double side = std::max(std::abs(d.x()), std::abs(d.y()));
      d = QPointF(std::copysign(side, d.x()), std::copysign(side, d.y()));
    }
    if (first) d.setX(std::copysign(*first, d.x()));
    if (second) d.setY(std::copysign(*second, d.y()));
    return last + d;
  }
  QPointF d = snapped - last;
  if (right_angles) (std::abs(d.x()) >= std::abs(d.y()) ? d.ry() : d.rx()) = 0;
  if (!first && !second) return last + d;
  const double length = first.value_or(reach(d));
  QPointF u = reach(d) > 0 ? d / reach(d) : QPointF(1, 0);
  if (second) {
    u = QPointF(std::cos(*second / radian), -std::sin(*second / radian));
    if (std::abs(u.x()) < 1e-12) u.setX(0);
    if (std::abs(u.y()) < 1e-12) u.setY(0);
  }
  return last + u * length;
}

const HallShape* PlanDrawing::hall_for(const QPointF& q) const {
  if (const HallShape* h = model_.hall_at(q)) return h;
  // On an outline, or a little outside: the nearest, when near.
  const HallShape* best = nullptr;
  double nearest = 3000;
  for (const HallShape& h : model_.halls()) {
    const double dx = std::max({h.box.left() - q.x(), 0.0, q.x() - h.box.right()}),
                 dy = std::max({h.box.top() - q.y(), 0.0, q.y() - h.box.bottom()});
    if (const double d = std::hypot(dx, dy); d < nearest) nearest = d, best = &h;
  }
  return best;
}

const AisleBand* PlanDrawing::aisle_at(const QPointF& q) const {
  for (const AisleBand& a : model_.aisles())
    if (a.box.contains(q)) return &a;
  return nullptr;
}

void PlanDrawing::press(const QPointF& at, bool close_by) {
  pressed_ = true;
  dragging_ = false;
  cursor_ = at;
  if (manner_ == Manner::polygon && points_.size() >= 3 && close_by) {
    finish();
    return;
  }
  take(at);
}

void PlanDrawing::take(const QPointF& at) {
  switch (manner_) {
  case Manner::none:
    return;
  case Manner::point: {
    const HallShape* h = hall_for(at);
    if (!h) return host_.refuse(PlanView::tr("Click inside a hall."));
    host_.commit(note_edit(h->id, at - h->offset, tool_ == PlanTool::label ? NoteKind::label : NoteKind::note,
                           settings_.text, settings_.text_height_mm));
    pressed_ = false;
    host_.finished();
    return;
  }
  case Manner::rectangle:
    if (tool_ == PlanTool::containment && points_.isEmpty() && aisle_at(at)) return; // decided on release
    [[fallthrough]];
  case Manner::block:
    if (points_.isEmpty()) {
      points_ << at;
    } else {
      const QRectF box = QRectF(points_.front(), at).normalized();
      commit_rectangle(box);
    }
    return;
  case Manner::dimension:
    if (points_.size() == 2) {
      host_.commit(dimension_edit(dimension_to(at, shift_)));
      points_.clear();
      pressed_ = false;
      return;
    }
    if (points_.size() == 1 && reach(at - points_.front()) < 1) return;
    points_ << at;
    return;
  case Manner::polygon:
  case Manner::path:
    if (!points_.isEmpty() && reach(at - points_.back()) < 1) return;
    points_ << at;
    break;
  case Manner::chain:
  case Manner::segment:
    if (points_.isEmpty()) {
      points_ << at;
      break;
    }
    if (reach(at - points_.back()) < least_side) return;
    {
      const HallShape* h = hall_for((points_.back() + at) / 2);
      if (!h) return host_.refuse(PlanView::tr("Draw it inside a hall."));
      const QPointF a = points_.back() - h->offset, b = at - h->offset;
      host_.commit(tool_ == PlanTool::wall ? wall_edit(h->id, a, b, settings_.size_mm)
                                           : busway_edit(h->id, a, b, settings_.size_mm, settings_.level_mm));
      points_.clear();
      if (manner_ == Manner::chain) points_ << at;
    }
    break;
  }
  typed_[0].clear(), typed_[1].clear();
  field_ = 0;
}

void PlanDrawing::drag(const QPointF& at) {
  if (!pressed_) return;
  cursor_ = at;
  const bool may = (manner_ == Manner::polygon && points_.size() == 1) || boxed();
  if (may && !dragging_) {
    if (points_.isEmpty()) return;
    dragging_ = true;
  }
}

void PlanDrawing::move(const QPointF& at, bool shift) {
  cursor_ = at;
  shift_ = shift;
}

void PlanDrawing::release(const QPointF& at) {
  const bool was_drag = dragging_;
  const bool was_press = pressed_;
  pressed_ = dragging_ = false;
  cursor_ = at;
  if (!was_press) return;
  if (was_drag) {
    const QRectF box = QRectF(points_.front(), at).normalized();
    if (box.width() < least_side || box.height() < least_side) {
      points_.clear();
      return;
    }
    commit_rectangle(box);
    return;
  }
  if (manner_ == Manner::block) {
    points_.clear();
    host_.place(at, tool_);
  } else if (tool_ == PlanTool::containment && points_.isEmpty()) {
    if (const AisleBand* a = aisle_at(at)) {
      const HallShape* h = hall_for(a->box.center());
      if (!h) return;
      host_.commit(containment_edit(h->id, a->box.translated(-h->offset),
                                    a->cold ? ContainmentKind::cold_aisle : ContainmentKind::hot_aisle,
                                    settings_.containment_height_mm));
    }
  }
}

void PlanDrawing::commit_rectangle(const QRectF& box) {
  if (box.width() < least_side || box.height() < least_side) return;
  if (manner_ == Manner::polygon) {
    points_ = QPolygonF{box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
    finish();
    return;
  }
  points_.clear();
  typed_[0].clear(), typed_[1].clear();
  field_ = 0;
  pressed_ = dragging_ = false;
  const HallShape* h = hall_for(box.center());
  if (!h) return host_.refuse(PlanView::tr("Draw it inside a hall."));
  const QRectF own = box.translated(-h->offset);
  if (tool_ == PlanTool::zone)
    host_.commit(zone_edit(h->id, QPolygonF{own.topLeft(), own.topRight(), own.bottomRight(), own.bottomLeft()}));
  else if (tool_ == PlanTool::containment)
    host_.commit(containment_edit(h->id, own, settings_.containment, settings_.containment_height_mm));
  else if (const auto kind = structure_of(tool_))
    host_.commit(structure_edit(*kind, h->id, own));
}

void PlanDrawing::finish() {
  QPolygonF list;
  for (const QPointF& q : points_)
    if (list.isEmpty() || reach(q - list.back()) > 1) list << q;
  if (manner_ == Manner::polygon) {
    while (list.size() > 1 && reach(list.front() - list.back()) <= 1)
      list.pop_back();
    double area = 0;
    for (qsizetype i = 0; i < list.size(); ++i) {
      const QPointF &a = list[i], &b = list[(i + 1) % list.size()];
      area += a.x() * b.y() - b.x() * a.y();
    }
    const bool hall = tool_ == PlanTool::hall_outline;
    if (list.size() < 3 || std::abs(area) < least_area)
      return host_.refuse(hall ? PlanView::tr("A hall needs at least three corners that enclose a floor.")
                               : PlanView::tr("A zone needs at least three corners that enclose a floor."));
    pressed_ = dragging_ = false;
    if (hall) {
      points_.clear();
      host_.commit(hall_edit(plan_points(list)));
      host_.finished();
      return;
    }
    QPointF middle;
    for (const QPointF& q : list)
      middle += q / static_cast<double>(list.size());
    const HallShape* h = hall_for(middle);
    if (!h) return host_.refuse(PlanView::tr("Draw it inside a hall."));
    points_.clear();
    host_.commit(zone_edit(h->id, list.translated(-h->offset)));
  } else if (manner_ == Manner::path) {
    if (list.size() < 2) return host_.refuse(PlanView::tr("A run needs at least two points."));
    const HallShape* h = nullptr;
    for (const QPointF& q : list)
      if (!h) h = model_.hall_at(q);
    if (!h) h = hall_for(list.front());
    if (!h) return host_.refuse(PlanView::tr("Draw it inside a hall."));
    points_.clear();
    const QPolygonF own = list.translated(-h->offset);
    host_.commit(tool_ == PlanTool::tray ? tray_edit(h->id, own, settings_) : pipe_edit(h->id, own, settings_));
  } else if (manner_ == Manner::chain) {
    points_.clear();
  }
  typed_[0].clear(), typed_[1].clear();
  field_ = 0;
}

void PlanDrawing::double_click() {
  if (manner_ == Manner::polygon && points_.size() >= 3)
    finish();
  else if (manner_ == Manner::path && points_.size() >= 2)
    finish();
  else if (manner_ == Manner::chain)
    finish();
}

bool PlanDrawing::wants(const QKeyEvent* event) const {
  if (!under_way() || (manner_ == Manner::dimension && points_.size() >= 2)) return false;
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const QString text = event->text();
  if (text.isEmpty() || !text.at(0).isPrint()) return false;
  const QChar c = text.at(0);
  if (c.isDigit() || c == QLatin1Char('.') || c == QLatin1Char(',')) return true;
  return !typed_[field_].isEmpty() || (c == QLatin1Char('-') && field_ == 1 && !boxed());
}

bool PlanDrawing::key(QKeyEvent* event) {
  if (!active()) return false;
  switch (event->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (typing() && under_way()) {
      for (int f = 0; f < 2; ++f)
        if (!typed_[f].isEmpty() && !typed_value(f)) {
          QString problem;
          if (f == 1 && !boxed())
            read_angle(typed_[f], &problem);
          else
            read_length(typed_[f], &problem);
          host_.refuse(problem.isEmpty() ? PlanView::tr("A length above zero is needed, such as 12 m.") : problem);
          return true;
        }
      const QPointF at = constrained(cursor_, shift_);
      pressed_ = false;
      if (boxed())
        commit_rectangle(QRectF(points_.front(), at).normalized());
      else
        take(at);
      return true;
    }
    if (!under_way()) return false;
    finish();
    return true;
  case Qt::Key_Backspace:
    if (!typed_[field_].isEmpty()) {
      typed_[field_].chop(1);
      return true;
    }
    if (!under_way()) return false;
    points_.pop_back();
    return true;
  case Qt::Key_Tab:
  case Qt::Key_Backtab:
    if (!under_way()) return false;
    field_ = 1 - field_;
    return true;
  default:
    break;
  }
  if (!wants(event)) return false;
  typed_[field_] += event->text();
  return true;
}

bool PlanDrawing::cancel() {
  if (typing()) {
    typed_[0].clear(), typed_[1].clear();
    field_ = 0;
    return true;
  }
  const bool had = under_way() || pressed_;
  points_.clear();
  pressed_ = dragging_ = false;
  return had;
}

Dimension PlanDrawing::dimension_to(const QPointF& at, bool shift) const {
  Dimension d;
  const QPointF a = points_[0], b = points_[1];
  const HallShape* h = hall_for(a);
  d.hall = h ? h->id : 0;
  const FixedPoint start = fixed_point(model_, a, d.hall), end = fixed_point(model_, b, d.hall);
  d.start = start.thing, d.start_x = millimeters(start.own.x()), d.start_y = millimeters(start.own.y());
  d.end = end.thing, d.end_x = millimeters(end.own.x()), d.end_y = millimeters(end.own.y());
  const QRectF box = QRectF(a, b).normalized();
  const double out_x = std::max({box.left() - at.x(), at.x() - box.right(), 0.0}),
               out_y = std::max({box.top() - at.y(), at.y() - box.bottom(), 0.0});
  bool along_x = out_x == 0 && out_y == 0 ? box.width() >= box.height() : out_y >= out_x;
  // Two points of one level have no distance the other way.
  if (box.height() < 0.5) along_x = true;
  if (box.width() < 0.5) along_x = false;
  d.direction = shift     ? DimensionDirection::aligned
                : along_x ? DimensionDirection::along_x
                          : DimensionDirection::along_y;
  double offset = 0;
  if (shift) {
    const QPointF u = (b - a) / std::max(1e-9, reach(b - a));
    offset = QPointF::dotProduct(at - a, QPointF(-u.y(), u.x()));
  } else {
    offset = along_x ? at.y() - a.y() : a.x() - at.x();
  }
  d.offset = millimeters(tidy(offset));
  return d;
}

QString PlanDrawing::live_words() const {
  if (points_.isEmpty()) return {};
  const QPointF d = cursor_ - points_.back();
  const auto field = [&](int f, const QString& value) {
    if (typed_[f].isEmpty()) return f == field_ && typing() ? QStringLiteral("%1|").arg(value) : value;
    return typed_[f] + (f == field_ ? QStringLiteral("|") : QString());
  };
  if (boxed())
    return QStringLiteral("%1 × %2").arg(field(0, length_text(std::abs(d.x()), 2)),
                                         field(1, length_text(std::abs(d.y()), 2)));
  return QStringLiteral("%1  %2").arg(field(0, exact_length_text(reach(d))), field(1, angle_text(angle_of(d))));
}

QString PlanDrawing::hint() const {
  const QString typed = PlanView::tr("Type a length such as 12 m, Tab for the angle; Shift keeps right angles.");
  switch (tool_) {
  case PlanTool::hall_outline:
  case PlanTool::zone_polygon:
    if (points_.isEmpty())
      return tool_ == PlanTool::hall_outline
                 ? PlanView::tr("Click the corners of the hall, or drag a rectangle. Esc ends.")
                 : PlanView::tr("Click the corners of the zone, or drag a rectangle. Esc ends.");
    if (dragging_)
      return PlanView::tr(
          "Release at the opposite corner. Type a width such as 24 m, Tab for the depth; Enter draws it.");
    return points_.size() >= 3 ? PlanView::tr("Enter or the first corner closes. %1").arg(typed)
                               : PlanView::tr("Click the next corner. %1").arg(typed);
  case PlanTool::tray:
  case PlanTool::pipe:
    if (points_.isEmpty())
      return tool_ == PlanTool::tray ? PlanView::tr("Click the points of the tray. Esc ends.")
                                     : PlanView::tr("Click the points of the pipe. Esc ends.");
    return points_.size() >= 2 ? PlanView::tr("Enter or a double click ends the run. %1").arg(typed)
                               : PlanView::tr("Click the next point. %1").arg(typed);
  case PlanTool::wall:
    return points_.isEmpty() ? PlanView::tr("Click where the middle of the wall begins. Esc ends.")
                             : PlanView::tr("Click where it ends; the next wall begins there. %1").arg(typed);
  case PlanTool::busway:
    return points_.isEmpty() ? PlanView::tr("Click where the middle of the busway begins. Esc ends.")
                             : PlanView::tr("Click where it ends. %1").arg(typed);
  case PlanTool::zone:
    return points_.isEmpty()
               ? PlanView::tr("Drag the zone, or click two corners. Esc ends.")
               : PlanView::tr(
                     "Click the opposite corner. Type a width such as 6 m, Tab for the depth; Enter draws it.");
  case PlanTool::containment:
    return points_.isEmpty()
               ? PlanView::tr("Click an aisle to enclose it, or drag a rectangle elsewhere. Esc ends.")
               : PlanView::tr("Click the opposite corner. Type a width, Tab for the depth; Enter draws it.");
  case PlanTool::note:
    return PlanView::tr("Click where the note belongs. Esc ends.");
  case PlanTool::label:
    return PlanView::tr("Click where the label begins. Esc ends.");
  case PlanTool::dimension:
    if (points_.isEmpty())
      return PlanView::tr("Click the first point: it stays fixed to the thing that it is on. Esc ends.");
    return points_.size() == 1
               ? PlanView::tr("Click the second point.")
               : PlanView::tr("Click where the dimension line goes. Shift measures straight from point to point.");
  default:
    break;
  }
  if (manner_ == Manner::block)
    return points_.isEmpty()
               ? PlanView::tr("Click to put one of customary size, or drag its size. R turns it, Esc ends.")
               : PlanView::tr(
                     "Release at the opposite corner. Type a width such as 3 m, Tab for the depth; Enter draws it.");
  return {};
}

void PlanDrawing::paint(const Canvas& c, bool cursor_known,
                        const std::function<void(const Canvas&, const QPointF&, const QString&)>& tag) const {
  QPainter* p = c.painter;
  QColor wash = c.colors.accent;
  wash.setAlpha(36);
  p->setRenderHint(QPainter::Antialiasing, true);
  const auto cross = [&](const QPointF& at) {
    const QPointF q = c.point(at);
    p->setPen(QPen(c.colors.accent, 1));
    p->drawLine(q - QPointF(6, 0), q + QPointF(6, 0));
    p->drawLine(q - QPointF(0, 6), q + QPointF(0, 6));
  };
  const auto knots = [&] {
    for (const QPointF& q : points_)
      c.tile(QRectF(c.point(q) - QPointF(3, 3), QSizeF(6, 6)), 1, QPen(c.colors.accent, 1), c.colors.panel);
  };
  if (points_.isEmpty()) {
    if (!cursor_known) return;
    if (tool_ == PlanTool::containment && !pressed_)
      if (const AisleBand* a = aisle_at(cursor_)) {
        c.fill(c.rect(a->box), wash);
        c.outline(c.polygon(QPolygonF(a->box)), c.pen(c.colors.accent, 2));
        tag(c, c.point(cursor_),
            (a->cold ? PlanView::tr("Enclose the cold aisle, %1") : PlanView::tr("Enclose the hot aisle, %1"))
                .arg(length_text(a->clear, 2)));
        return;
      }
    if (manner_ != Manner::block) cross(cursor_);
    return;
  }
  if (manner_ == Manner::dimension) {
    if (points_.size() == 1) {
      c.outline(QPolygonF{c.point(points_[0]), c.point(cursor_)}, c.pen(c.colors.accent, 1.4), Qt::NoBrush, false);
      knots();
      tag(c, c.point(cursor_), exact_length_text(reach(cursor_ - points_[0])));
      return;
    }
    const Dimension d = dimension_to(cursor_, shift_);
    const DimensionLine line = dimension_line(points_[0], points_[1], d.direction, in_millimeters(d.offset));
    paint_dimension(c, line, c.colors.accent, exact_length_text(line.length));
    return;
  }
  if (boxed() || dragging_) {
    const QRectF r = QRectF(points_.front(), cursor_).normalized();
    if (manner_ == Manner::block && !dragging_ && pressed_) return;
    c.fill(c.rect(r), wash);
    c.outline(c.polygon(QPolygonF(r)), c.pen(c.colors.accent, 2));
    tag(c, c.point(cursor_),
        boxed() ? live_words() : QStringLiteral("%1 × %2").arg(length_text(r.width(), 2), length_text(r.height(), 2)));
    return;
  }
  QPolygonF line;
  for (const QPointF& q : points_)
    line << c.point(q);
  line << c.point(cursor_);
  if (manner_ == Manner::polygon) c.outline(line, QPen(Qt::NoPen), wash);
  const double wide = manner_ == Manner::polygon ? 0 : settings_.size_mm * c.scale;
  if (wide > 3) {
    QPen band(wash, wide);
    band.setCapStyle(Qt::FlatCap);
    band.setJoinStyle(Qt::MiterJoin);
    c.outline(line, band, Qt::NoBrush, false);
  }
  c.outline(line, c.pen(c.colors.accent, 2), Qt::NoBrush, false);
  knots();
  tag(c, c.point(cursor_), live_words());
}

} // namespace hallwright::plan
