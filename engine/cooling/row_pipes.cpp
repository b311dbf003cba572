// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/row_pipes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "cooling/pipe_friction.h"
#include "space/footprints.h"
#include "space/plan_geometry.h"
#include "space/route_graph.h"

namespace hallwright {
namespace {

constexpr double behind_racks_mm = 350.0;    ///< supply header from the backs of the racks
constexpr double between_headers_mm = 250.0; ///< more than headers of one side may lie apart to count as joined
constexpr double supply_level_mm = 3000.0, return_level_mm = 3200.0;
constexpr double beyond_end_mm = 300.0;
/// Units that are further from the headers than this, across them, are not joined by themselves.
constexpr double widest_branch_mm = 8000.0;
/// A unit this near to a header needs no branch.
constexpr double direct_reach_mm = 1200.0;

/// Along a row and across it, for rows of both directions.
struct RowAxis {
  bool level = true; ///< along x
  [[nodiscard]] double along(double x, double y) const { return level ? x : y; }
  [[nodiscard]] double across(double x, double y) const { return level ? y : x; }
  [[nodiscard]] PlanPoint point(double along, double across) const {
    return level ? PlanPoint{along, across} : PlanPoint{across, along};
  }
};

struct RowThing {
  Id id = 0;
  PlanThing thing;
  [[nodiscard]] double low(const RowAxis& a) const { return a.along(thing.box.x0, thing.box.y0); }
  [[nodiscard]] double high(const RowAxis& a) const { return a.along(thing.box.x1, thing.box.y1); }
  [[nodiscard]] double near_side(const RowAxis& a) const { return a.across(thing.box.x0, thing.box.y0); }
  [[nodiscard]] double far_side(const RowAxis& a) const { return a.across(thing.box.x1, thing.box.y1); }
  [[nodiscard]] double middle(const RowAxis& a) const { return a.along(thing.center_x, thing.center_y); }
};

} // namespace

std::vector<Id> racks_of_row(const Design& design, Id rack) {
  const Rack* of = find(*design.racks, rack);
  if (!of) return {};
  std::vector<const Rack*> row;
  for (const Rack& r : *design.racks) {
    if (r.hall != of->hall) continue;
    const bool same =
        of->row != 0 ? r.row == of->row : r.row == 0 && std::abs(in_millimeters(r.y) - in_millimeters(of->y)) < 700.0;
    if (same) row.push_back(&r);
  }
  double spread_x = 0, spread_y = 0;
  for (const Rack* r : row) {
    spread_x = std::max(spread_x, std::abs(in_millimeters(r->x) - in_millimeters(of->x)));
    spread_y = std::max(spread_y, std::abs(in_millimeters(r->y) - in_millimeters(of->y)));
  }
  std::stable_sort(row.begin(), row.end(), [&](const Rack* a, const Rack* b) {
    return spread_x >= spread_y ? in_millimeters(a->x) < in_millimeters(b->x)
                                : in_millimeters(a->y) < in_millimeters(b->y);
  });
  std::vector<Id> out;
  for (const Rack* r : row)
    out.push_back(r->id);
  return out;
}

double header_bore_for(const Catalog& catalog, const FluidPart* fluid, double flow, double velocity) {
  constexpr double largest_gradient = 400.0; // Pa/m
  constexpr double small_bore_m = 0.055;     // DN50
  const double small = stated_value(catalog, "cooling.pipe_velocity_limit_small", kind::velocity, 1.2);
  const bool known = fluid && fluid->density && fluid->viscosity && base_value(*fluid->density) > 0.0 &&
                     base_value(*fluid->viscosity) > 0.0;
  for (const double bore : standard_bores_m()) {
    const double speed = flow / (std::numbers::pi / 4.0 * bore * bore);
    if (speed > velocity || (bore <= small_bore_m && speed > small)) continue;
    if (known && bore > small_bore_m && speed > 0.0) {
      const double density = base_value(*fluid->density);
      const double reynolds = speed * bore * density / base_value(*fluid->viscosity);
      const FrictionCurve curve =
          friction_curve(FrictionLaw::colebrook_white, std::min(LoopEstimates{}.pipe_roughness_m / bore, 0.05));
      if (friction(curve, reynolds).factor / bore * density * speed * speed / 2.0 > largest_gradient) continue;
    }
    return bore;
  }
  return standard_bores_m().back();
}

tl::expected<RowPipes, std::string> row_pipes(const Design& d, const Catalog& catalog, const RowPipesWish& wish) {
  if (wish.need_m3_per_s.size() != wish.racks.size())
    return tl::unexpected(std::string("The needed flow must be told for every rack, 0 where it is not known"));
  RowPipes out;
  const double velocity = wish.velocity_m_per_s.value_or(stated_value(
      catalog, "cooling.pipe_velocity_practice", kind::velocity, LoopEstimates{}.connection_velocity_m_per_s));
  if (!(velocity > 0.0) || !(velocity <= 10.0))
    return tl::unexpected(fmt::format("The velocity in headers is {} m/s; it must be above 0, at most 10", velocity));
  // Racks that want coolant.
  std::vector<RowThing> racks;
  Id hall = 0;
  Id loop = wish.loop;
  std::size_t fronts_away = 0; // front towards the lesser side, across
  for (std::size_t i = 0; i < wish.racks.size(); ++i) {
    const Rack* r = find(*d.racks, wish.racks[i]);
    if (!r) return tl::unexpected(fmt::format("There is no rack with id {}", wish.racks[i]));
    if (!(wish.need_m3_per_s[i] > 0.0)) continue;
    if (hall != 0 && r->hall != hall)
      return tl::unexpected(std::string("The racks stand in several halls; pipes are drawn in one"));
    hall = r->hall;
    if (loop == 0) loop = r->loop;
    const RackType* type = find(*d.rack_types, r->rack_type);
    const Footprint f = rack_footprint(catalog, type ? *type : RackType{});
    racks.push_back({r->id, plan_thing(r->x, r->y, f.width, f.depth, r->rotation)});
    out.flow_m3_per_s += wish.need_m3_per_s[i];
  }
  if (racks.empty())
    return tl::unexpected(
        std::string("None of these racks has heat that goes to liquid, so there is nothing to pipe: give "
                    "the rack type a liquid-cooled part"));
  RowAxis axis;
  double x0 = 1e18, x1 = -1e18, y0 = 1e18, y1 = -1e18;
  for (const RowThing& r : racks) {
    x0 = std::min(x0, r.thing.center_x), x1 = std::max(x1, r.thing.center_x);
    y0 = std::min(y0, r.thing.center_y), y1 = std::max(y1, r.thing.center_y);
  }
  axis.level = racks.size() > 1 ? x1 - x0 >= y1 - y0 : std::abs(racks.front().thing.front_y) > 0.5;
  double low = 1e18, high = -1e18, near_side = 1e18, far_side = -1e18;
  for (const RowThing& r : racks) {
    low = std::min(low, r.middle(axis));
    high = std::max(high, r.middle(axis));
    near_side = std::min(near_side, r.near_side(axis));
    far_side = std::max(far_side, r.far_side(axis));
    if (axis.across(r.thing.front_x, r.thing.front_y) < 0) ++fronts_away;
  }
  if (far_side - near_side > 2 * route_access_distance_mm)
    return tl::unexpected(
        fmt::format("The racks do not stand in one line: they spread over {:.1f} m across it; choose the "
                    "racks of one row",
                    (far_side - near_side) * 1e-3));
  // Behind the racks: away from most of their fronts.
  const bool to_far = 2 * fronts_away >= racks.size();
  const double outwards = to_far ? 1.0 : -1.0;
  const double back = to_far ? far_side : near_side;
  const double supply_at = back + outwards * behind_racks_mm;
  const double return_at = supply_at + outwards * between_headers_mm;

  // Units: those of the loop; where it has none here, those of no loop that stand near.
  const auto units_of = [&](Id of) {
    std::vector<RowThing> found;
    for (const CoolingUnit& u : *d.cooling_units) {
      if (u.kind != CoolingUnitKind::cdu || u.hall != hall || u.loop != of) continue;
      const Footprint f = cooling_unit_footprint(catalog, u);
      found.push_back({u.id, plan_thing(u.x, u.y, f.width, f.depth, u.rotation)});
    }
    std::erase_if(found, [&](const RowThing& u) {
      const double gap = std::max({u.near_side(axis) - supply_at, supply_at - u.far_side(axis), 0.0});
      return gap > widest_branch_mm;
    });
    return found;
  };
  std::vector<RowThing> units;
  if (loop != 0) units = units_of(loop);
  if (units.empty()) units = units_of(0);
  if (units.empty() && loop == 0) {
    // The loop of the nearest unit.
    double best = std::numeric_limits<double>::infinity();
    for (const CoolingUnit& u : *d.cooling_units) {
      if (u.kind != CoolingUnitKind::cdu || u.hall != hall || u.loop == 0) continue;
      const double off = std::hypot(in_millimeters(u.x) - racks.front().thing.center_x,
                                    in_millimeters(u.y) - racks.front().thing.center_y);
      if (off < best) best = off, loop = u.loop;
    }
    if (loop != 0) units = units_of(loop);
  }
  if (units.empty())
    return tl::unexpected(
        fmt::format("No distribution unit stands within {:.0f} m of this row: place one at an end of it, "
                    "from Parts, then draw its pipes",
                    widest_branch_mm * 1e-3));
  std::sort(units.begin(), units.end(), [&](const RowThing& a, const RowThing& b) {
    return std::pair(a.middle(axis), a.id) < std::pair(b.middle(axis), b.id);
  });
  for (const Pipe& p : *d.pipes)
    if (p.loop == loop && loop != 0 && p.hall == hall && p.side != PipeSide::drain)
      for (const PlanThing& s : run_stretches(p.path, 2 * route_access_distance_mm, 0))
        for (const RowThing& r : racks)
          if (share_floor(
                  [&] {
                    PlanThing point = r.thing;
                    point.hall = 0;
                    return point;
                  }(),
                  s))
            return tl::unexpected(fmt::format("Pipe '{}' of this loop already runs along the row: remove it first, or "
                                              "choose racks without pipes",
                                              p.name));

  const CoolantLoop* known = find(*d.loops, loop);
  out.loop = known ? loop : 0;
  out.loop_name = known ? known->name : free_name(d, "loops", "Loop 1");
  const std::string& fluid_id = known && !known->fluid_part.empty() ? known->fluid_part : d.cooling_plant->fluid_part;
  const FluidPart* fluid = catalog.find<FluidPart>(fluid_id);
  out.bore_m = header_bore_for(catalog, fluid, out.flow_m3_per_s, velocity);
  const auto speed_in = [](double flow, double bore) { return flow / (std::numbers::pi / 4.0 * bore * bore); };
  out.velocity_m_per_s = speed_in(out.flow_m3_per_s, out.bore_m);
  if (out.velocity_m_per_s > velocity * (1 + 1e-9))
    return tl::unexpected(
        fmt::format("{:.0f} L/min need more than a pipe of {:.0f} mm at {:.1f} m/s: split the row into two "
                    "loops",
                    out.flow_m3_per_s * 60000.0, out.bore_m * 1e3, velocity));
  const double unit_low = units.front().middle(axis), unit_high = units.back().middle(axis);
  const bool at_low = unit_low<0.5 * (low + high), at_high = unit_high> 0.5 * (low + high);
  if (wish.reverse_return && at_low && at_high)
    return tl::unexpected(
        std::string("A reverse return comes back to units at one end of the row, and units stand at both "
                    "ends: choose a direct return"));
  const double from = std::min(low, unit_low) - beyond_end_mm, to = std::max(high, unit_high) + beyond_end_mm;
  const auto pipe = [&](const std::string& word, PipeSide side, std::vector<PlanPoint> path, double bore,
                        double level) {
    Pipe p;
    p.name = out.loop_name + " " + word;
    p.side = side;
    p.hall = hall;
    p.loop = out.loop;
    p.path = std::move(path);
    p.elevation = millimeters(level);
    p.diameter = millimeters(bore * 1e3);
    out.pipes.push_back(std::move(p));
  };
  pipe("supply", PipeSide::supply, {axis.point(from, supply_at), axis.point(to, supply_at)}, out.bore_m,
       supply_level_mm);
  double unit_return_at = return_at;
  if (!wish.reverse_return)
    pipe("return", PipeSide::return_, {axis.point(from, return_at), axis.point(to, return_at)}, out.bore_m,
         return_level_mm);
  else {
    // From the rack next to the units to the far end, then back beside itself.
    unit_return_at = return_at + outwards * 2 * between_headers_mm;
    const double first = at_low ? low - beyond_end_mm : high + beyond_end_mm;
    const double last = at_low ? high + beyond_end_mm : low - beyond_end_mm;
    const double home = at_low ? from : to;
    pipe("return", PipeSide::return_,
         {axis.point(first, return_at), axis.point(last, return_at), axis.point(last, unit_return_at),
          axis.point(home, unit_return_at)},
         out.bore_m, return_level_mm);
  }
  // Branches to units that stand off the headers.
  const double share = out.flow_m3_per_s / static_cast<double>(std::max<std::size_t>(1, units.size() - 1));
  for (const RowThing& u : units) {
    const CoolingUnit* unit = find(*d.cooling_units, u.id);
    const CoolingPart* part = catalog.find<CoolingPart>(unit->part);
    double rated = part && part->secondary_flow ? base_value(*part->secondary_flow) : share;
    if (unit->flow) rated = base_value(*unit->flow);
    const double bore = header_bore_for(catalog, fluid, std::min(out.flow_m3_per_s, rated), velocity);
    for (const bool supply : {true, false}) {
      const double header = supply ? supply_at : unit_return_at;
      // To the edge of the unit; supply and return side by side.
      const double edge = header < u.near_side(axis)  ? u.near_side(axis)
                          : header > u.far_side(axis) ? u.far_side(axis)
                                                      : header;
      if (std::abs(edge - header) <= direct_reach_mm) continue;
      const double at = u.middle(axis) + (supply ? -150.0 : 150.0);
      pipe(fmt::format("{} of {}", supply ? "supply" : "return", unit->name),
           supply ? PipeSide::supply : PipeSide::return_, {axis.point(at, header), axis.point(at, edge)}, bore,
           supply ? supply_level_mm : return_level_mm);
    }
    out.units.push_back(u.id);
  }
  for (const RowThing& r : racks)
    out.racks.push_back(r.id);
  out.sentence =
      fmt::format("{} pipes of '{}' for {} {} and {} {}: headers of {:.0f} mm carry {:.0f} L/min at {:.2f} m/s, {} "
                  "return",
                  out.pipes.size(), out.loop_name, out.racks.size(), out.racks.size() == 1 ? "rack" : "racks",
                  out.units.size(), out.units.size() == 1 ? "unit" : "units", out.bore_m * 1e3,
                  out.flow_m3_per_s * 60000.0, out.velocity_m_per_s, wish.reverse_return ? "reverse" : "direct");
  return out;
}

Edit row_pipes_edit(const RowPipes& made) {
  Edit edit;
  edit.label =
      fmt::format("Draw coolant pipes for {} {}", made.racks.size(), made.racks.size() == 1 ? "rack" : "racks");
  edit.apply = [made](const Design& d) -> Edited {
    for (const Id r : made.racks)
      if (!find(*d.racks, r)) return tl::unexpected(fmt::format("Rack {} is gone, so its pipes are not drawn", r));
    Design out = d;
    Id loop = made.loop;
    if (loop != 0 && !find(*d.loops, loop))
      return tl::unexpected("Loop '" + made.loop_name + "' is gone, so its pipes are not drawn");
    if (loop == 0) {
      CoolantLoop fresh;
      fresh.name = free_name(out, "loops", made.loop_name);
      const Made added = add_entity(out, &Design::loops, std::move(fresh));
      loop = added.entities.front().id;
      out = added.design;
    }
    for (Pipe p : made.pipes) {
      p.loop = loop;
      const bool taken =
          std::any_of(out.pipes->begin(), out.pipes->end(), [&](const Pipe& o) { return o.name == p.name; });
      if (taken) p.name = free_name(out, "pipes", p.name);
      out = add_entity(out, &Design::pipes, std::move(p)).design;
    }
    out = with_table(out, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (Rack& r : racks)
        if (std::find(made.racks.begin(), made.racks.end(), r.id) != made.racks.end()) r.loop = loop;
    });
    return with_table(out, &Design::cooling_units, [&](std::vector<CoolingUnit>& units, Id&) {
      for (CoolingUnit& u : units)
        if (u.loop == 0 && std::find(made.units.begin(), made.units.end(), u.id) != made.units.end()) u.loop = loop;
    });
  };
  return edit;
}

} // namespace hallwright
