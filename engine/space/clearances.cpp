// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/clearances.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/ledger.h"
#include "space/design_value.h"
#include "space/hanging.h"

namespace hallwright {
namespace {

constexpr std::string_view words[] = {"working_depth",       "cdu_front",         "cdu_rear",
                                      "door_swing",          "door_front",        "no_go",
                                      "containment_ceiling", "containment_rack",  "hall_height",
                                      "walkway_height",      "over_rack",         "pipe_over_busway",
                                      "column_aisle",        "wrong_containment", "zone_edge",
                                      "containment_crosses", "hanging_crosses",   "hanging_through",
                                      "hanging_outside"};

struct Measured {
  ClearanceKind kind{};
  EntityRef thing, other; ///< other without a table: nothing, or a wall
  std::string name, other_name;
  std::int32_t hall = -1;
  double is = 0, needed = 0; ///< metres or a count
};

struct Point {
  double x = 0, y = 0;
};

/// Corners of a thing, in order.
std::vector<Point> corners(const PlanThing& t) {
  std::vector<Point> out;
  for (const auto& [u, v] : {std::pair(-1.0, -1.0), std::pair(1.0, -1.0), std::pair(1.0, 1.0), std::pair(-1.0, 1.0)})
    out.push_back({t.center_x + t.axis_x * u * t.half_width - t.axis_y * v * t.half_depth,
                   t.center_y + t.axis_y * u * t.half_width + t.axis_x * v * t.half_depth});
  return out;
}

/// What of a polygon lies on the side of the line through `at` to which (nx, ny) points.
std::vector<Point> half(const std::vector<Point>& polygon, Point at, double nx, double ny) {
  std::vector<Point> out;
  auto side = [&](const Point& p) { return (p.x - at.x) * nx + (p.y - at.y) * ny; };
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const double a = side(polygon[j]), b = side(polygon[i]);
    if ((a < 0) != (b < 0)) {
      const double k = a / (a - b);
      out.push_back(
          {polygon[j].x + k * (polygon[i].x - polygon[j].x), polygon[j].y + k * (polygon[i].y - polygon[j].y)});
    }
    if (b >= 0) out.push_back(polygon[i]);
  }
  return out;
}

/// The same as an outline.
std::vector<PlanPoint> corners_of(const PlanThing& t) {
  std::vector<PlanPoint> out;
  for (const Point& p : corners(t))
    out.push_back({p.x, p.y});
  return out;
}

double distance_to(const std::vector<Point>& polygon, Point p) {
  double best = 1e18;
  bool inside = polygon.size() > 2;
  double turn = 0;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point &a = polygon[j], &b = polygon[i];
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double k = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
    best = std::min(best, std::hypot(a.x + k * dx - p.x, a.y + k * dy - p.y));
    const double cross = dx * (p.y - a.y) - dy * (p.x - a.x);
    if (turn == 0)
      turn = cross;
    else if (cross * turn < 0)
      inside = false;
  }
  return inside ? 0 : best;
}

/// How far from the hinge a thing reaches into the quarter circle of a leaf; nothing where it stays out of it.
std::optional<double> in_swing(const PlanThing& t, Point hinge, Point along, Point out, double radius) {
  constexpr double touching = 1.0; // mm
  auto p = half(corners(t), {hinge.x + along.x * touching, hinge.y + along.y * touching}, along.x, along.y);
  if (p.size() > 2) p = half(p, {hinge.x + out.x * touching, hinge.y + out.y * touching}, out.x, out.y);
  if (p.size() < 3) return std::nullopt;
  const double d = distance_to(p, hinge);
  return d < radius - touching ? std::optional(d) : std::nullopt;
}

class Measuring {
public:
  Measuring(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const PlanGrid& grid, const Outlook& outlook,
            const Faces& faces, const std::stop_token& stop)
      : ledger(ledger), in(in), plan(plan), grid(grid), outlook(outlook), faces(faces), stop(stop),
        hanging(hanging_things(in, plan)) {}

  std::vector<Measured> rows;
  std::map<ClearanceKind, Traced<Length>> limits;

  void working_space() {
    const auto depth = assumption<Length>(ledger, *in.catalog, "clearance.electrical_working_depth");
    const auto facing = assumption<Length>(ledger, *in.catalog, "clearance.electrical_working_depth_facing");
    const auto width = assumption<Length>(ledger, *in.catalog, "clearance.electrical_working_width");
    if (!depth.has_value() || !facing.has_value() || !width.has_value()) return;
    limits[ClearanceKind::working_depth] = depth;
    for (std::uint32_t i = first_plant(); i < plan.first_structure; ++i) {
      const PowerUnit* unit = plan.source(i).power;
      if (!unit || plan.bottom[i] > 0) continue;
      if (unit->kind != PowerUnitKind::ups && unit->kind != PowerUnitKind::distribution &&
          unit->kind != PowerUnitKind::transformer && unit->kind != PowerUnitKind::switchgear &&
          unit->kind != PowerUnitKind::static_switch && unit->kind != PowerUnitKind::rectifier)
        continue;
      const PlanThing& t = plan.things[i];
      const Face face = outlook.look_within(i, t.front_x, t.front_y, in_millimeters(width.value));
      // Gear whose front lies opposite: live parts on both sides of the space ask for more.
      bool live = false;
      if (face.other < plan.first_structure && plan.source(face.other).power) {
        const PlanThing& o = plan.things[face.other];
        live = o.front_x * t.front_x + o.front_y * t.front_y < -0.5;
      }
      const double needed = in_meters(live ? facing.value : depth.value);
      rows.push_back({ClearanceKind::working_depth, plan.ref(i, *in.racks), other_of(face), name(i), other_name(face),
                      t.hall, face.clear * 1e-3, needed});
    }
  }

  void cdu_service() {
    const auto service = assumption<Length>(ledger, *in.catalog, "clearance.cdu_service");
    if (!service.has_value()) return;
    limits[ClearanceKind::cdu_front] = limits[ClearanceKind::cdu_rear] = service;
    for (std::uint32_t i = first_plant(); i < plan.first_structure; ++i) {
      const CoolingUnit* unit = plan.source(i).cooling;
      if (!unit || unit->kind != CoolingUnitKind::cdu) continue;
      for (const bool front : {true, false}) {
        const Face& face = front ? faces.front[i] : faces.rear[i];
        rows.push_back({front ? ClearanceKind::cdu_front : ClearanceKind::cdu_rear, plan.ref(i, *in.racks),
                        other_of(face), name(i), other_name(face), plan.things[i].hall, face.clear * 1e-3,
                        in_meters(service.value)});
      }
    }
  }

  void doors() {
    const auto egress = assumption<Length>(ledger, *in.catalog, "clearance.egress_width");
    if (egress.has_value()) limits[ClearanceKind::door_front] = egress;
    for (std::uint32_t i = static_cast<std::uint32_t>(plan.first_structure); i < plan.things.size(); ++i) {
      if (!plan.is_structure(i, StructureKind::door)) continue;
      const Structure& door = *plan.source(i).structure;
      const PlanThing& t = plan.things[i];
      const bool turned = std::abs(t.front_x * t.axis_x + t.front_y * t.axis_y) > 0.5;
      const double half_width = turned ? t.half_depth : t.half_width, half_deep = turned ? t.half_width : t.half_depth;
      const Point out{t.front_x, t.front_y}, right{-t.front_y, t.front_x}; // right: the end at own (width, 0)
      auto swing = [&](double end, double radius) {
        const Point hinge{t.center_x + right.x * half_width * end + out.x * half_deep,
                          t.center_y + right.y * half_width * end + out.y * half_deep};
        const Point along{-right.x * end, -right.y * end};
        std::optional<double> nearest;
        std::uint32_t who = 0;
        grid.near(t.hall, {hinge.x - radius, hinge.y - radius, hinge.x + radius, hinge.y + radius},
                  [&](std::uint32_t j) {
                    if (j == i || !plan.blocks_aisle[j] || is_wall(j)) return;
                    if (auto d = in_swing(plan.things[j], hinge, along, out, radius);
                        d && (!nearest || *d < *nearest || (*d == *nearest && j < who)))
                      nearest = d, who = j;
                  });
        if (nearest)
          rows.push_back({ClearanceKind::door_swing, plan.ref(i, *in.racks), plan.ref(who, *in.racks), name(i),
                          name(who), t.hall, *nearest * 1e-3, radius * 1e-3});
      };
      if (door.swing == DoorSwing::left) swing(1, 2 * half_width);
      if (door.swing == DoorSwing::right) swing(-1, 2 * half_width);
      if (door.swing == DoorSwing::both) swing(1, half_width), swing(-1, half_width);
      if (!egress.has_value()) continue;
      for (const double side : {1.0, -1.0}) {
        const Face face = outlook.look(i, side * t.front_x, side * t.front_y);
        if (face.other >= Face::wall || is_wall(face.other)) continue;
        rows.push_back({ClearanceKind::door_front, plan.ref(i, *in.racks), plan.ref(face.other, *in.racks), name(i),
                        name(face.other), t.hall, face.clear * 1e-3, in_meters(egress.value)});
      }
    }
  }

  void no_go(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& sharing) {
    for (const auto& [a, b] : sharing) {
      if (!plan.is_structure(b, StructureKind::no_go) || a >= plan.first_structure || plan.bottom[a] > 0) continue;
      const PlanBox &p = plan.things[a].box, &q = plan.things[b].box;
      const double depth =
          std::min(std::min(p.x1, q.x1) - std::max(p.x0, q.x0), std::min(p.y1, q.y1) - std::max(p.y0, q.y0));
      rows.push_back({ClearanceKind::no_go, plan.ref(a, *in.racks), plan.ref(b, *in.racks), name(a), name(b),
                      plan.things[a].hall, depth * 1e-3, 0});
    }
  }

  void containment() {
    for (const Containment& c : rows_of(in.containments)) {
      const Hall* hall = find(*in.halls, c.hall);
      if (!hall) continue;
      const auto h = static_cast<std::int32_t>(hall - in.halls->data());
      PlanThing t = plan_thing(c.x, c.y, c.width, c.depth, c.rotation);
      t.hall = h;
      const EntityRef ref{"containments", c.id};
      const std::string own = c.name.empty() ? fmt::format("containment {}", c.id) : c.name;
      rows.push_back({ClearanceKind::containment_ceiling,
                      ref,
                      {},
                      own,
                      hall->name,
                      h,
                      in_meters(ceiling(*hall, t)) - in_meters(c.height),
                      0});
      // Faces that look into it from its edge, and the tallest rack beside it.
      Count fronts = 0, rears = 0;
      double tallest = 0;
      std::uint32_t tallest_rack = 0, odd = 0xffffffff;
      const double reach = 400;
      std::vector<std::uint32_t> seen;
      grid.near(h, {t.box.x0 - reach, t.box.y0 - reach, t.box.x1 + reach, t.box.y1 + reach}, [&](std::uint32_t j) {
        if (j < plan.racks) seen.push_back(j);
      });
      std::sort(seen.begin(), seen.end());
      seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
      for (const std::uint32_t j : seen) {
        const PlanThing& r = plan.things[j];
        const double deep = std::abs(r.front_x * r.axis_x + r.front_y * r.axis_y) > 0.5 ? r.half_width : r.half_depth;
        bool beside = false;
        for (const double side : {1.0, -1.0}) {
          const double x = r.center_x + side * r.front_x * (deep + reach / 2),
                       y = r.center_y + side * r.front_y * (deep + reach / 2);
          const double u = (x - t.center_x) * t.axis_x + (y - t.center_y) * t.axis_y,
                       v = -(x - t.center_x) * t.axis_y + (y - t.center_y) * t.axis_x;
          if (std::abs(u) > t.half_width || std::abs(v) > t.half_depth) continue;
          ++(side > 0 ? fronts : rears);
          beside = true;
          if ((side > 0) == (c.kind == ContainmentKind::hot_aisle) && odd == 0xffffffff) odd = j;
        }
        if (beside && plan.top[j] > tallest) tallest = plan.top[j], tallest_rack = j;
      }
      if (tallest > 0 && c.kind != ContainmentKind::chimney)
        rows.push_back({ClearanceKind::containment_rack, ref, plan.ref(tallest_rack, *in.racks), own,
                        name(tallest_rack), h, in_meters(c.height) - tallest * 1e-3, 0});
      const Count wrong = c.kind == ContainmentKind::hot_aisle    ? fronts
                          : c.kind == ContainmentKind::cold_aisle ? rears
                                                                  : 0;
      const Count all = fronts + rears;
      if (wrong > 0)
        rows.push_back({ClearanceKind::wrong_containment, ref, plan.ref(odd, *in.racks), own, name(odd), h,
                        static_cast<double>(wrong), static_cast<double>(all)});
      // A chimney stands on racks; walls and roof of an aisle cannot.
      if (c.kind == ContainmentKind::chimney) continue;
      for (const std::uint32_t j : seen)
        if (const double deep = shared_depth(t, plan.things[j]); deep > containment_play)
          rows.push_back(
              {ClearanceKind::containment_crosses, ref, plan.ref(j, *in.racks), own, name(j), h, deep * 1e-3, 0});
    }
  }

  void hall_heights() {
    const auto least = assumption<Length>(ledger, *in.catalog, "clearance.clear_height_least");
    if (!least.has_value()) return;
    limits[ClearanceKind::hall_height] = least;
    for (std::size_t h = 0; h < in.halls->size(); ++h) {
      const Hall& hall = (*in.halls)[h];
      if (hall.kind != RoomKind::data_hall) continue;
      const bool used = std::any_of(plan.racks_in_hall.begin(), plan.racks_in_hall.end(),
                                    [&](const auto& counts) { return counts[h + 1] > 0; });
      if (!used) continue;
      rows.push_back({ClearanceKind::hall_height,
                      {"halls", hall.id},
                      {},
                      hall.name,
                      {},
                      static_cast<std::int32_t>(h),
                      in_meters(hall.ceiling_height),
                      in_meters(least.value)});
    }
    for (const Zone& z : rows_of(in.zones))
      if (const Hall* hall = find(*in.halls, z.hall); hall && z.ceiling_height && hall->kind == RoomKind::data_hall)
        rows.push_back({ClearanceKind::hall_height,
                        {"zones", z.id},
                        {},
                        z.name,
                        {},
                        static_cast<std::int32_t>(hall - in.halls->data()),
                        in_meters(*z.ceiling_height),
                        in_meters(least.value)});
  }

  /// Trays, pipes and busways that hang: over walkways and over racks.
  void overhead() {
    const auto walkway = assumption<Length>(ledger, *in.catalog, "clearance.overhead");
    if (!walkway.has_value()) return;
    limits[ClearanceKind::walkway_height] = walkway;
    for (const Hanging& h : hanging) {
      if (h.kind == HangingKind::containment || h.bottom < 0) continue;
      if (stop.stop_requested()) return;
      bool over_floor = false;
      std::uint32_t highest = 0xffffffff;
      for (const PlanThing& part : h.parts) {
        // Points along the middle, a step apart: over something that stands, or over a walkway.
        const bool lying = part.square_on && part.half_width < part.half_depth;
        const double length = lying ? part.half_depth : part.half_width, ax = lying ? 0 : part.axis_x,
                     ay = lying ? 1 : part.axis_y;
        const int steps = std::clamp(static_cast<int>(2 * length / 300), 1, 400);
        for (int k = 0; k <= steps; ++k) {
          const double at = -length + 2 * length * k / steps, x = part.center_x + ax * at, y = part.center_y + ay * at;
          bool covered = false;
          grid.near(part.hall, {x - 1, y - 1, x + 1, y + 1}, [&](std::uint32_t j) {
            if (j >= plan.first_structure && !plan.blocks_aisle[j]) return;
            if (plan.bottom[j] > 0) return;
            const PlanThing& t = plan.things[j];
            const double u = (x - t.center_x) * t.axis_x + (y - t.center_y) * t.axis_y,
                         v = -(x - t.center_x) * t.axis_y + (y - t.center_y) * t.axis_x;
            if (std::abs(u) > t.half_width || std::abs(v) > t.half_depth) return;
            covered = true;
            if (j < plan.first_structure && (highest == 0xffffffff || plan.top[j] > plan.top[highest] ||
                                             (plan.top[j] == plan.top[highest] && j < highest)))
              highest = j;
          });
          if (!covered) over_floor = true;
        }
      }
      if (over_floor)
        rows.push_back(
            {ClearanceKind::walkway_height, h.ref, {}, h.name, {}, h.hall, h.bottom * 1e-3, in_meters(walkway.value)});
      if (highest != 0xffffffff && h.top > 0)
        rows.push_back({ClearanceKind::over_rack, h.ref, plan.ref(highest, *in.racks), h.name, name(highest), h.hall,
                        (h.bottom - plan.top[highest]) * 1e-3, 0});
    }
    for (const Hanging& h : hanging) {
      if (h.kind != HangingKind::pipe || h.bottom + h.top < 0) continue;
      std::set<std::uint32_t> crossed;
      for (const PlanThing& part : h.parts)
        grid.near(h.hall, part.box, [&](std::uint32_t j) {
          if (j < first_plant() || j >= plan.first_structure) return;
          const PowerUnit* unit = plan.source(j).power;
          if (unit && unit->kind == PowerUnitKind::busway && share_floor(part, plan.things[j])) crossed.insert(j);
        });
      for (const std::uint32_t j : crossed)
        rows.push_back({ClearanceKind::pipe_over_busway, h.ref, plan.ref(j, *in.racks), h.name, name(j), h.hall,
                        (plan.bottom[j] - (h.bottom + h.top) / 2) * 1e-3, 0});
    }
  }

  /// Hanging things in each other's place, in columns and walls, and beyond their hall.
  void crossings() {
    std::vector<PlanThing> parts;
    std::vector<std::uint32_t> of;
    for (std::uint32_t k = 0; k < hanging.size(); ++k)
      for (const PlanThing& part : hanging[k].parts)
        parts.push_back(part), of.push_back(k);
    const PlanGrid near_parts(parts);
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    for (const auto& [p, q] : near_parts.sharing(stop)) {
      if (of[p] == of[q]) continue;
      const std::uint32_t first = std::min(of[p], of[q]), second = std::max(of[p], of[q]);
      const Hanging &a = hanging[first], &b = hanging[second];
      if (a.kind == b.kind && (a.kind == HangingKind::containment || a.kind == HangingKind::busway))
        continue;                                            // busways are told of with what stands
      const bool walls = b.kind == HangingKind::containment; // stands from the floor to its roof
      const double low = std::max(a.bottom, walls ? 0.0 : b.bottom), high = std::min(a.top, b.top);
      constexpr double touching = 0.5; // mm
      if (high - low <= touching) continue;
      // What runs inside of a containment all along does not go through its walls.
      if (walls && !edge_runs_through(parts[of[p] == first ? p : q], corners_of(b.parts[0]), containment_play))
        continue;
      const double level_a = a.kind == HangingKind::pipe ? (a.bottom + a.top) / 2 : a.bottom,
                   level_b = b.kind == HangingKind::pipe ? (b.bottom + b.top) / 2 : b.bottom;
      if (joined_where_they_meet(a, b) && std::abs(level_a - level_b) <= route_level_tolerance_mm + 1e-6) continue;
      if (!told.insert({first, second}).second) continue;
      // The one that has to go up less comes first.
      // Of a pipe and a busway it is the busway: below the pipe its bars would be dripped on.
      const bool water = a.kind == HangingKind::pipe && b.kind == HangingKind::busway;
      const bool a_up = walls || (!water && b.top - a.bottom <= a.top - b.bottom);
      const Hanging &up = a_up ? a : b, &stays = a_up ? b : a;
      rows.push_back({ClearanceKind::hanging_crosses, up.ref, stays.ref, up.name, stays.name, a.hall,
                      (high - low) * 1e-3, stays.top * 1e-3});
    }
    for (const Hanging& h : hanging) {
      if (h.kind != HangingKind::tray && h.kind != HangingKind::pipe) continue; // what stands and busways: elsewhere
      if (stop.stop_requested()) return;
      std::set<std::uint32_t> through;
      bool outside = false;
      const auto& outline = (*in.halls)[static_cast<std::size_t>(h.hall)].outline;
      for (const PlanThing& part : h.parts) {
        outside = outside || !inside_outline(part, outline);
        grid.near(h.hall, part.box, [&](std::uint32_t j) {
          if (j < plan.first_structure || !plan.blocks_aisle[j] || plan.top[j] <= h.bottom) return;
          if (plan.is_structure(j, StructureKind::obstacle) && h.top <= 0) return; // stands on the floor
          if (share_floor(part, plan.things[j])) through.insert(j);
        });
      }
      for (const std::uint32_t j : through)
        rows.push_back({ClearanceKind::hanging_through, h.ref, plan.ref(j, *in.racks), h.name, name(j), h.hall, 0, 0});
      if (outside)
        rows.push_back({ClearanceKind::hanging_outside,
                        h.ref,
                        {},
                        h.name,
                        (*in.halls)[static_cast<std::size_t>(h.hall)].name,
                        h.hall,
                        0,
                        0});
    }
  }

  /// Columns and the like that stand in an aisle: the widest passage that is left beside them.
  void columns() {
    const auto passage = assumption<Length>(ledger, *in.catalog, "clearance.accessible_route");
    if (!passage.has_value()) return;
    limits[ClearanceKind::column_aisle] = passage;
    std::map<std::uint32_t, std::uint32_t> beside; // structure, first rack that faces it
    for (std::uint32_t i = 0; i < plan.racks; ++i)
      for (const Face* face : {&faces.front[i], &faces.rear[i]})
        if (face->other >= plan.first_structure && face->other < Face::wall && !is_wall(face->other))
          beside.try_emplace(face->other, i);
    for (const auto& [s, rack] : beside) {
      const PlanThing& r = plan.things[rack];
      double widest = 0;
      for (const double side : {1.0, -1.0})
        widest = std::max(widest, outlook.look(s, side * r.front_x, side * r.front_y).clear);
      rows.push_back({ClearanceKind::column_aisle, plan.ref(s, *in.racks), plan.ref(rack, *in.racks), name(s),
                      name(rack), r.hall, widest * 1e-3, in_meters(passage.value)});
    }
  }

  void zone_edges() {
    for (std::uint32_t i = 0; i < plan.racks; ++i) {
      if (!plan.across_zone_edge[i]) continue;
      const auto& zones = rows_of(in.zones);
      // The zone whose edge it is: the one of its middle, else the first that it reaches into.
      const auto z = plan.zone_of[i] >= 0 ? static_cast<std::size_t>(plan.zone_of[i]) : zones.size();
      rows.push_back({ClearanceKind::zone_edge, plan.ref(i, *in.racks),
                      z < zones.size() ? EntityRef{"zones", zones[z].id} : EntityRef{}, name(i),
                      z < zones.size() ? zones[z].name : std::string("a zone"), plan.things[i].hall, 0, 0});
    }
  }

private:
  Ledger& ledger;
  const SpaceInputs& in;
  const FloorPlan& plan;
  const PlanGrid& grid;
  const Outlook& outlook;
  const Faces& faces;
  const std::stop_token& stop;
  const std::vector<Hanging> hanging;

  [[nodiscard]] std::uint32_t first_plant() const { return static_cast<std::uint32_t>(plan.racks); }
  [[nodiscard]] std::string name(std::uint32_t i) const { return plan.name(i, *in.racks); }
  [[nodiscard]] bool is_wall(std::uint32_t i) const { return plan.is_structure(i, StructureKind::wall); }
  [[nodiscard]] EntityRef other_of(const Face& f) const {
    return f.other < Face::wall ? plan.ref(f.other, *in.racks) : EntityRef{};
  }
  [[nodiscard]] std::string other_name(const Face& f) const {
    return f.other < Face::wall    ? name(f.other)
           : f.other == Face::wall ? std::string("the wall")
                                   : std::string("open floor");
  }
  /// Of the hall, or of the lowest zone that a thing reaches into by more than a millimetre.
  [[nodiscard]] Length ceiling(const Hall& hall, const PlanThing& t) const {
    Length out = hall.ceiling_height;
    for (const Zone& z : rows_of(in.zones))
      if (z.hall == hall.id && z.ceiling_height && *z.ceiling_height < out && z.outline.size() >= 3 &&
          (point_in_outline(t.center_x, t.center_y, z.outline) || edge_runs_through(t, z.outline, 1)))
        out = *z.ceiling_height;
    return out;
  }
};

} // namespace

std::string_view clearance_word(ClearanceKind kind) { return words[static_cast<std::size_t>(kind)]; }

void rack_service(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Faces& faces) {
  const auto& types = *in.rack_types;
  struct Least {
    std::uint32_t front = 0xffffffff, rear = 0xffffffff;
  };
  std::vector<Least> least(types.size());
  for (std::uint32_t i = 0; i < plan.racks; ++i) {
    if (plan.type_of[i] < 0 || plan.things[i].hall < 0) continue;
    Least& l = least[static_cast<std::size_t>(plan.type_of[i])];
    if (l.front == 0xffffffff || faces.front[i].clear < faces.front[l.front].clear) l.front = i;
    if (l.rear == 0xffffffff || faces.rear[i].clear < faces.rear[l.rear].clear) l.rear = i;
  }
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (least[t].front == 0xffffffff) continue;
    const RackType& type = types[t];
    auto tell = [&](std::string_view side, std::string_view words, std::uint32_t rack, const Face& face,
                    const Traced<Length>& needed) {
      const std::string other = face.other < Face::wall    ? plan.name(face.other, *in.racks)
                                : face.other == Face::wall ? "the wall"
                                                           : "open floor";
      const auto figure = ledger.measured<Length>(
          fmt::format("space.rack_type.{}.{}_clear", type.id, side),
          fmt::format("Least free depth {} a rack, {}", words, type.name), millimeters(face.clear),
          fmt::format("{} to {} in the drawing, up to 3 m", plan.name(rack, *in.racks), other));
      ledger.limit(figure, needed, LimitSense::at_least, 1.0);
    };
    tell("front", "ahead of", least[t].front, faces.front[least[t].front],
         type.front_service ? design_value<&RackType::front_service>(ledger, "rack_types", type, type.name)
                            : assumption<Length>(ledger, *in.catalog, "clearance.rack_front_service"));
    tell("rear", "behind", least[t].rear, faces.rear[least[t].rear],
         type.rear_service ? design_value<&RackType::rear_service>(ledger, "rack_types", type, type.name)
                           : assumption<Length>(ledger, *in.catalog, "clearance.rack_rear_service"));
  }
}

Table clearances(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const PlanGrid& grid,
                 const Outlook& outlook, const Faces& faces,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& sharing, const std::stop_token& stop) {
  Measuring m(ledger, in, plan, grid, outlook, faces, stop);
  m.working_space();
  m.cdu_service();
  m.doors();
  m.no_go(sharing);
  m.containment();
  m.hall_heights();
  m.overhead();
  m.crossings();
  m.columns();
  m.zone_edges();
  // The worst of each kind that has a limit in metres is a figure.
  constexpr std::pair<ClearanceKind, const char*> told[] = {
      {ClearanceKind::working_depth, "Least working depth ahead of electrical gear"},
      {ClearanceKind::cdu_front, "Least service depth ahead of a CDU"},
      {ClearanceKind::cdu_rear, "Least service depth behind a CDU"},
      {ClearanceKind::door_front, "Least free floor at a door"},
      {ClearanceKind::hall_height, "Least clear height of a hall"},
      {ClearanceKind::walkway_height, "Least clear height over a walkway"},
      {ClearanceKind::column_aisle, "Least passage beside a column in an aisle"}};
  for (const auto& [kind, label] : told) {
    const Measured* worst = nullptr;
    for (const Measured& r : m.rows)
      if (r.kind == kind && (!worst || r.is - r.needed < worst->is - worst->needed)) worst = &r;
    if (!worst) continue;
    const auto figure =
        ledger.measured<Length>(fmt::format("space.least.{}", clearance_word(kind)), label, meters(worst->is),
                                fmt::format("{}{} in the drawing, up to 3 m on the floor", worst->name,
                                            worst->other_name.empty() ? std::string() : ", to " + worst->other_name));
    Traced<Length> limit = m.limits[kind];
    if (kind == ClearanceKind::working_depth && worst->needed > base_value(limit.value) + 1e-9)
      limit = assumption<Length>(ledger, *in.catalog, "clearance.electrical_working_depth_facing");
    ledger.limit(figure, limit, LimitSense::at_least, 1.0);
  }
  Table table;
  table.id = "space.clearances";
  table.title = "Clearances of plant, doors and what hangs";
  std::vector<std::string> kinds, names, others, halls, tables, other_tables;
  std::vector<double> is, needed, ids, other_ids;
  for (const Measured& r : m.rows) {
    kinds.emplace_back(clearance_word(r.kind));
    names.push_back(r.name);
    others.push_back(r.other_name);
    halls.push_back(r.hall >= 0 ? (*in.halls)[static_cast<std::size_t>(r.hall)].name : std::string());
    is.push_back(r.is);
    needed.push_back(r.needed);
    tables.push_back(r.thing.table);
    ids.push_back(static_cast<double>(r.thing.id));
    other_tables.push_back(r.other.table);
    other_ids.push_back(static_cast<double>(r.other.id));
  }
  table.add_words("kind", "What").words = std::move(kinds);
  table.add_words("thing", "Thing").words = std::move(names);
  table.add_words("other", "Other").words = std::move(others);
  table.add_words("hall", "Hall").words = std::move(halls);
  auto& is_column = table.add_numbers("is", "Is", kind::ratio);
  is_column.numbers = std::move(is);
  is_column.formula = "metres, measured in the drawing; faces of racks for the wrong containment";
  table.add_numbers("needed", "At least", kind::ratio).numbers = std::move(needed);
  table.add_words("table", "Kind of the thing").words = std::move(tables);
  table.add_numbers("id", "Id of the thing", kind::count).numbers = std::move(ids);
  table.add_words("other_table", "Kind of the other").words = std::move(other_tables);
  table.add_numbers("other_id", "Id of the other", kind::count).numbers = std::move(other_ids);
  return table;
}

} // namespace hallwright
