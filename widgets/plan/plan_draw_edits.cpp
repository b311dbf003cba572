// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_draw_edits.h"

#include <algorithm>
#include <cmath>

#include "design/hall_outline.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_edits.h"

namespace hallwright::plan {
namespace {

constexpr double busway_depth = 150; // mm, of a run for which no part says

Edit named(const QString& label, std::function<Edited(const Design&)> apply) {
  return {label.toStdString(), std::move(apply)};
}

tl::unexpected<std::string> no_hall() {
  return tl::make_unexpected(PlanView::tr("Draw it inside a hall").toStdString());
}
bool has_hall(const Design& design, Id hall) { return find(*design.halls, hall) != nullptr; }

std::string capital(std::string_view word) {
  std::string s(word);
  if (!s.empty() && s[0] >= 'a' && s[0] <= 'z') s[0] = static_cast<char>(s[0] - 'a' + 'A');
  return s;
}

/// A long thing whose middle runs from `a` to `b`: upper left corner, length and turn.
struct Laid {
  double x = 0, y = 0, length = 0, degrees = 0;
};
Laid laid(const QPointF& a, const QPointF& b, double thickness) {
  const QPointF d = b - a, middle = (a + b) / 2;
  Laid out;
  out.length = tidy(std::hypot(d.x(), d.y()));
  out.degrees = std::round(std::atan2(d.y(), d.x()) * 57.29577951308232 * 1e6) / 1e6;
  // A wall has no direction: 180 degrees and 0 are the same.
  if (out.degrees < -1e-9) out.degrees += 180;
  if (out.degrees >= 180 - 1e-9) out.degrees -= 180;
  out.x = tidy(middle.x() - out.length / 2), out.y = tidy(middle.y() - thickness / 2);
  return out;
}

} // namespace

double tidy(double mm) { return std::round(mm * 10) / 10 + 0.0; }

std::vector<PlanPoint> plan_points(const QPolygonF& points) {
  std::vector<PlanPoint> out;
  out.reserve(static_cast<std::size_t>(points.size()));
  for (const QPointF& p : points)
    out.push_back({tidy(p.x()), tidy(p.y())});
  return out;
}

Edit structure_edit(StructureKind kind, Id hall, const QRectF& box) {
  const std::string word(ChoiceWords<StructureKind>::words[static_cast<std::size_t>(kind)]);
  return named(PlanView::tr("Draw %1").arg(QString::fromStdString(word)), [=](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    Structure s;
    s.kind = kind, s.hall = hall, s.name = free_name(design, "structures", capital(word));
    s.x = millimeters(tidy(box.left())), s.y = millimeters(tidy(box.top()));
    s.width = millimeters(tidy(box.width())), s.depth = millimeters(tidy(box.height()));
    return add_entity(design, &Design::structures, s).design;
  });
}

Edit wall_edit(Id hall, const QPointF& a, const QPointF& b, double thickness) {
  const Laid l = laid(a, b, thickness);
  return named(PlanView::tr("Draw wall"), [=](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    Structure s;
    s.kind = StructureKind::wall, s.hall = hall, s.name = free_name(design, "structures", "Wall");
    s.x = millimeters(l.x), s.y = millimeters(l.y), s.width = millimeters(l.length), s.depth = millimeters(thickness),
    s.rotation = degrees(l.degrees);
    return add_entity(design, &Design::structures, s).design;
  });
}

Edit busway_edit(Id hall, const QPointF& a, const QPointF& b, double width, double elevation) {
  const double depth = width > 0 ? width : busway_depth;
  const Laid l = laid(a, b, depth);
  return named(PlanView::tr("Draw busway"), [=](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    PowerUnit u;
    u.kind = PowerUnitKind::busway, u.hall = hall, u.name = free_name(design, "power_units", "Busway");
    u.x = millimeters(l.x), u.y = millimeters(l.y), u.width = millimeters(l.length), u.depth = millimeters(depth),
    u.rotation = degrees(l.degrees);
    u.elevation = millimeters(elevation);
    return add_entity(design, &Design::power_units, u).design;
  });
}

Edit zone_edit(Id hall, const QPolygonF& outline) {
  return named(PlanView::tr("Draw zone"), [=, points = plan_points(outline)](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    if (auto ok = parse_outline(outline_text(points)); !ok) return tl::make_unexpected(ok.error());
    Zone z;
    z.hall = hall, z.name = free_name(design, "zones", "Zone"), z.outline = points;
    return add_entity(design, &Design::zones, z).design;
  });
}

Edit containment_edit(Id hall, const QRectF& box, ContainmentKind kind, double height) {
  return named(PlanView::tr("Draw containment"), [=](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    Containment a;
    a.kind = kind, a.hall = hall, a.name = free_name(design, "containments", "Containment");
    a.x = millimeters(tidy(box.left())), a.y = millimeters(tidy(box.top()));
    a.width = millimeters(tidy(box.width())), a.depth = millimeters(tidy(box.height())), a.height = millimeters(height);
    return add_entity(design, &Design::containments, a).design;
  });
}

Edit tray_edit(Id hall, const QPolygonF& path, const DrawSettings& settings) {
  return named(PlanView::tr("Draw tray"), [=, points = plan_points(path)](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    if (auto ok = parse_outline(outline_text(points), 2); !ok) return tl::make_unexpected(ok.error());
    Tray t;
    t.kind = settings.tray, t.hall = hall, t.path = points, t.elevation = millimeters(settings.level_mm),
    t.width = millimeters(settings.size_mm);
    const std::string stem = settings.tray == TrayKind::fibre    ? "Fibre tray"
                             : settings.tray == TrayKind::copper ? "Copper tray"
                                                                 : "Power tray";
    t.name = free_name(design, "trays", stem);
    return add_entity(design, &Design::trays, t).design;
  });
}

Edit pipe_edit(Id hall, const QPolygonF& path, const DrawSettings& settings) {
  return named(PlanView::tr("Draw pipe"), [=, points = plan_points(path)](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    if (auto ok = parse_outline(outline_text(points), 2); !ok) return tl::make_unexpected(ok.error());
    Pipe p;
    p.side = settings.side, p.hall = hall, p.path = points, p.elevation = millimeters(settings.level_mm),
    p.diameter = millimeters(settings.size_mm);
    p.loop = find(*design.loops, settings.loop) ? settings.loop : 0;
    const std::string stem = settings.side == PipeSide::supply    ? "Supply"
                             : settings.side == PipeSide::return_ ? "Return"
                                                                  : "Drain";
    p.name = free_name(design, "pipes", stem);
    return add_entity(design, &Design::pipes, p).design;
  });
}

Edit note_edit(Id hall, const QPointF& at, NoteKind kind, const QString& text, double text_height) {
  const bool label = kind == NoteKind::label;
  return named(label ? PlanView::tr("Write label") : PlanView::tr("Write note"), [=](const Design& design) -> Edited {
    if (!has_hall(design, hall)) return no_hall();
    Note n;
    n.kind = kind, n.hall = hall, n.x = millimeters(tidy(at.x())), n.y = millimeters(tidy(at.y())),
    n.text_height = millimeters(text_height);
    n.text = text.isEmpty() ? (label ? PlanView::tr("Label") : PlanView::tr("Note")).toStdString() : text.toStdString();
    return add_entity(design, &Design::notes, n).design;
  });
}

Edit dimension_edit(const Dimension& dimension) {
  return named(PlanView::tr("Draw dimension"), [=](const Design& design) -> Edited {
    Dimension d = dimension;
    const auto keep = [&](Id& thing) { return thing == 0 || !table_of(design, thing).empty(); };
    if (!keep(d.start) || !keep(d.end))
      return tl::make_unexpected(PlanView::tr("What the dimension was fixed to is gone").toStdString());
    return add_entity(design, &Design::dimensions, d).design;
  });
}

Edit guide_edit(Id hall, bool upright, double at) {
  return named(PlanView::tr("Place guide"), [=](const Design& design) -> Edited {
    Guide g;
    g.hall = hall, g.axis = upright ? GuideAxis::x : GuideAxis::y, g.position = millimeters(tidy(at));
    return add_entity(design, &Design::guides, g).design;
  });
}

Edit move_guide_edit(Id guide, double at) {
  return named(PlanView::tr("Move guide"), [=](const Design& design) -> Edited {
    return set_field(design, {"guides", guide}, "position", FieldValue(tidy(at) / 1000.0));
  });
}

Edit remove_guide_edit(Id guide) {
  return named(PlanView::tr("Remove guide"), [=](const Design& design) -> Edited {
    return remove(design, {{"guides", guide}});
  });
}

FixedPoint fixed_point(const PlanModel& model, const QPointF& scene, Id hall) {
  FixedPoint out;
  double best = 3; // a corner is better than a centre, a centre than an edge
  constexpr double near = 0.6;
  for (PlanLayer layer : box_layers) {
    const auto& objects = model.objects(layer);
    model.index(layer).visit(QRectF(scene - QPointF(1, 1), QSizeF(2, 2)), [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      if (!o.box().adjusted(-near, -near, near, near).contains(scene)) return;
      const QPointF own = o.to_own(scene);
      const bool side_x = std::abs(own.x()) < near || std::abs(own.x() - o.width) < near,
                 side_y = std::abs(own.y()) < near || std::abs(own.y() - o.depth) < near;
      const bool middle_x = std::abs(own.x() - o.width / 2) < near, middle_y = std::abs(own.y() - o.depth / 2) < near;
      double rank = 9;
      if (side_x && side_y)
        rank = 0;
      else if ((side_x && middle_y) || (side_y && middle_x) || (middle_x && middle_y))
        rank = 1;
      else if (side_x || side_y)
        rank = 2;
      if (rank >= best) return;
      best = rank;
      out = {o.id, QPointF(tidy(own.x()), tidy(own.y()))};
    });
  }
  if (out.thing == 0) out.own = QPointF(tidy(scene.x()), tidy(scene.y())) - model.origin(hall);
  return out;
}

Edit points_edit(const Design& before, const EntityRef& entity, const QPolygonF& points) {
  const bool path = entity.table == "trays" || entity.table == "pipes";
  return named(PlanView::tr("Reshape %1").arg(to_qstring(entity_name(before, entity))),
               [=, text = outline_text(plan_points(points))](const Design& design) -> Edited {
                 if (entity.table == "halls") return with_hall_outline(design, entity.id, text);
                 return set_field(design, entity, path ? "path" : "outline", FieldValue(text));
               });
}

Edit resize_edit(const Design& before, const EntityRef& entity, const NewBox& box) {
  return named(PlanView::tr("Resize %1").arg(to_qstring(entity_name(before, entity))),
               [=](const Design& design) -> Edited {
                 Edited out = design;
                 for (const auto& [field, mm] : {std::pair{"x", box.x}, std::pair{"y", box.y},
                                                 std::pair{"width", box.width}, std::pair{"depth", box.depth}}) {
                   out = set_field(*out, entity, field, FieldValue(mm / 1000.0));
                   if (!out) return out;
                 }
                 return out;
               });
}

Edit turn_edit(const Design& design, const Shared<Catalog>& catalog, const std::vector<EntityRef>& what, double angle) {
  static const Catalog none;
  const FootprintSizes sizes = footprint_sizes(design, catalog ? *catalog : none, what);
  return named(PlanView::tr("Rotate %1").arg(naming(design, what)),
               [=](const Design& d) { return rotate_by(d, what, degrees(angle), sizes); });
}

} // namespace hallwright::plan
