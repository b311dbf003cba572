// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_handles.h"

#include <algorithm>
#include <cmath>

namespace hallwright::plan {
namespace {

constexpr double turn_distance = 26; // pixels above the selection

bool resizable(const PlanModel& model, const EntityRef& e, const PlanObject& o) {
  if (e.table == "structures" || e.table == "containments") return true;
  if (e.table != "power_units") return false;
  return (*model.design().power_units)[o.index].kind == PowerUnitKind::busway;
}

} // namespace

QPolygonF shape_of(const PlanModel& model, const EntityRef& e) {
  if (e.table == "halls") {
    const HallShape* h = model.hall(e.id);
    return h ? h->outline : QPolygonF();
  }
  PlanLayer layer = PlanLayer::racks;
  const PlanObject* o = model.find(e, &layer);
  if (!o) return {};
  const QPolygonF* points = model.points(layer, *o);
  return points ? *points : QPolygonF();
}

std::vector<Handle> handles_of(const PlanModel& model, const std::vector<EntityRef>& selection, double scale) {
  std::vector<Handle> out;
  if (selection.size() == 1) {
    const EntityRef& e = selection.front();
    const PlanObject* o = model.find(e);
    if (o && o->locked) return out;
    const QPolygonF shape = shape_of(model, e);
    if (!shape.isEmpty()) {
      const bool closed = e.table == "halls" || e.table == "zones";
      const auto n = static_cast<int>(shape.size());
      for (int i = 0; i < n; ++i) {
        if (i + 1 < n || closed) {
          const QPointF a = shape[i], b = shape[(i + 1) % n];
          if (std::hypot((b - a).x(), (b - a).y()) * scale > 44)
            out.push_back({Handle::Kind::middle, i, 0, 0, (a + b) / 2});
        }
      }
      for (int i = 0; i < n; ++i)
        out.push_back({Handle::Kind::corner, i, 0, 0, shape[i]});
      if (e.table == "halls") return out;
    } else if (o && resizable(model, e, *o)) {
      const bool wide = o->width * scale > 30, deep = o->depth * scale > 30;
      for (int across = -1; across <= 1; ++across)
        for (int along = -1; along <= 1; ++along) {
          if (along == 0 && across == 0) continue;
          // A thin thing is taken by its ends.
          if ((along == 0 && !wide) || (across == 0 && !deep && wide) || (across != 0 && along != 0 && !deep)) {
            if (!(across == 0 && along != 0)) continue;
          }
          out.push_back({Handle::Kind::side, 0, along, across,
                         o->from_own({o->width * (along + 1) / 2, o->depth * (across + 1) / 2})});
        }
    }
  }
  QRectF box;
  bool any = false;
  for (const EntityRef& e : selection) {
    PlanLayer layer = PlanLayer::racks;
    const PlanObject* o = model.find(e, &layer);
    if (!o || o->locked || layer == PlanLayer::dimensions || layer == PlanLayer::underlay) continue;
    if (layer == PlanLayer::notes && static_cast<NoteKind>(o->word) == NoteKind::note) continue;
    box = any ? box.united(o->box()) : o->box();
    any = true;
  }
  if (any) out.push_back({Handle::Kind::turn, 0, 0, 0, QPointF(box.center().x(), box.top() - turn_distance / scale)});
  return out;
}

NewBox dragged_box(const PlanModel& model, const PlanObject& o, const Handle& handle, const QPointF& to) {
  const QPointF own = o.to_own(to);
  double left = 0, top = 0, right = o.width, bottom = o.depth;
  constexpr double least = 1;
  if (handle.along < 0) left = std::min(own.x(), right - least);
  if (handle.along > 0) right = std::max(own.x(), left + least);
  if (handle.across < 0) top = std::min(own.y(), bottom - least);
  if (handle.across > 0) bottom = std::max(own.y(), top + least);
  const QPointF center = o.from_own({(left + right) / 2, (top + bottom) / 2}) - model.origin(o.hall);
  NewBox out;
  out.width = tidy(right - left), out.depth = tidy(bottom - top);
  out.x = tidy(center.x() - out.width / 2), out.y = tidy(center.y() - out.depth / 2);
  return out;
}

} // namespace hallwright::plan
