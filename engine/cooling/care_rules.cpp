// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/care_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "cooling/air_inlets.h"
#include "space/footprints.h"

namespace hallwright {
namespace {

const Figure* known(const CheckContext& context, std::string_view id) {
  const Figure* f = context.figures.find(id);
  return f && f->has_value() ? f : nullptr;
}

/// CLG-043. No part and no field of the design states a mesh, so that the limit is told once.
void filtration(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* flow = known(context, "cooling.flow");
  const Assumption* limit = context.catalog.find<Assumption>("cooling.secondary_filtration");
  if (!flow || flow->value <= 0.0 || context.design.racks->empty() || !limit || !limit->value) return;
  std::string range;
  if (limit->low) range = fmt::format(" (makers ask for {:g} to {:g})", *limit->low, limit->high.value_or(*limit->value));
  findings.push_back(finding_of(rule,
                                fmt::format("Cold plates have channels that particles block: filters of coolant loops must hold back what is larger than {:g} {}{}. No part states its mesh; "
                                            "write it into the purchase, and see Care of coolant for the other limits",
                                            *limit->value, limit->unit, range),
                                {{"cooling_plant", 0}}, context, {"catalog.assumption.cooling.secondary_filtration.value"}));
}

/// CLG-044
void water_hammer(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const CoolantLoop& loop : *context.design.loops) {
    const std::string stem = fmt::format("cooling.loop.{}.", loop.id);
    const Figure* rise = known(context, stem + "sudden_closure_rise");
    const Figure* room = known(context, stem + "pressure_room");
    const Figure* time = known(context, stem + "shortest_closing_time");
    const Figure* velocity = known(context, stem + "fastest_velocity");
    if (!rise || !room || !time || !velocity || rise->value <= room->value) continue;
    findings.push_back(finding_of(rule,
                                  fmt::format("A valve of loop '{}' that shuts at once raises the pressure by {} ({} in its fastest pipe); {} is left below the limit. Motor valves and check valves must "
                                              "take at least {} to close",
                                              loop.name, format_quantity(rise->value, kind::pressure).joined(), format_quantity(velocity->value, kind::velocity).joined(),
                                              format_quantity(room->value, kind::pressure).joined(), format_quantity(time->value, kind::time).joined()),
                                  {{"loops", loop.id}}, context, {time->id, rise->id, room->id}));
  }
}

/// Separation of each rack: that of the first containment whose box, a little larger, it touches.
AirSeparation separation_of(const Rack& rack, const PlanBox& box, const std::vector<std::pair<const Containment*, PlanBox>>& containments) {
  for (const auto& [c, around] : containments) {
    if (c->hall != rack.hall || !around.overlaps(box)) continue;
    switch (c->kind) {
    case ContainmentKind::cold_aisle: return AirSeparation::cold_aisle;
    case ContainmentKind::hot_aisle: return AirSeparation::hot_aisle;
    case ContainmentKind::chimney: return AirSeparation::chimney;
    }
  }
  return AirSeparation::open_room;
}

/// CLG-045
void inlet_too_warm(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  constexpr double touching_mm = 150.0;
  const Design& d = context.design;
  // Where even the open room is cool enough, nothing needs to be looked up.
  const Figure* inlet[std::size(air_separations)];
  for (const AirSeparation s : air_separations)
    inlet[static_cast<std::size_t>(s)] = known(context, fmt::format("cooling.inlet_air.{}", air_separation_key(s)));
  struct Limited {
    const RackType* type;
    const Figure* limit;
    Footprint footprint;
  };
  std::map<Id, Limited> limited;
  for (const RackType& t : *d.rack_types)
    if (const Figure* limit = known(context, fmt::format("cooling.rack_type.{}.inlet_air_maximum", t.id)))
      if (std::any_of(std::begin(inlet), std::end(inlet), [&](const Figure* f) { return f && f->value > limit->value + 1e-6; }))
        limited.emplace(t.id, Limited{&t, limit, rack_footprint(context.catalog, t)});
  if (limited.empty()) return;
  std::vector<std::pair<const Containment*, PlanBox>> containments;
  for (const Containment& c : *d.containments) {
    PlanBox b = plan_box(c.x, c.y, c.width, c.depth, c.rotation);
    b.x0 -= touching_mm, b.y0 -= touching_mm, b.x1 += touching_mm, b.y1 += touching_mm;
    containments.emplace_back(&c, b);
  }
  std::map<std::pair<Id, AirSeparation>, std::vector<EntityRef>> warm;
  for (const Rack& rack : *d.racks) {
    const auto at = limited.find(rack.rack_type);
    if (at == limited.end()) continue;
    const Footprint& f = at->second.footprint;
    const AirSeparation s = separation_of(rack, plan_box(rack.x, rack.y, f.width, f.depth, rack.rotation), containments);
    const Figure* air = inlet[static_cast<std::size_t>(s)];
    if (air && air->value > at->second.limit->value + 1e-6) warm[{rack.rack_type, s}].push_back({"racks", rack.id});
  }
  for (auto& [key, racks] : warm) {
    const Limited& l = limited.at(key.first);
    const Figure& air = *inlet[static_cast<std::size_t>(key.second)];
    const std::size_t count = racks.size();
    Finding f = finding_of(rule,
                           fmt::format("{} {} of type {} {} air of {:.4g} degC at the inlet {}; it takes at most {:.4g} degC", count, count == 1 ? "rack" : "racks", l.type->name,
                                       count == 1 ? "gets" : "get", air.value - 273.15, air_separation_words(key.second), l.limit->value - 273.15),
                           std::move(racks), context, {air.id, l.limit->id});
    // As much colder as it is too warm, in tenths.
    const Assumption* usual = context.catalog.find<Assumption>("air.supply_temperature");
    std::optional<double> supply_c;
    if (d.cooling_plant->air_supply_temperature)
      supply_c = d.cooling_plant->air_supply_temperature->celsius();
    else if (usual && usual->value && usual->unit == "C")
      supply_c = *usual->value;
    if (supply_c) {
      const double colder = std::floor((*supply_c - (air.value - l.limit->value)) * 10.0 + 1e-6) / 10.0;
      Remedy r;
      r.edit.label = fmt::format("Supply air of {:.4g} degC", colder);
      r.edit.apply = [colder](const Design& design) -> Edited { return set_field(design, {"cooling_plant", 0}, "air_supply_temperature", colder + 273.15); };
      f.remedies.push_back(std::move(r));
    }
    findings.push_back(std::move(f));
  }
}

/// Length of a segment inside of a box, millimetres.
double length_inside(const PlanPoint& a, const PlanPoint& b, const PlanBox& box) {
  double from = 0.0, to = 1.0;
  const double dx = b.x_mm - a.x_mm, dy = b.y_mm - a.y_mm;
  const auto clip = [&](double along, double low, double high) {
    if (along == 0.0) return low <= 0.0 && high >= 0.0;
    double enter = low / along, leave = high / along;
    if (enter > leave) std::swap(enter, leave);
    from = std::max(from, enter);
    to = std::min(to, leave);
    return from < to;
  };
  if (!clip(dx, box.x0 - a.x_mm, box.x1 - a.x_mm) || !clip(dy, box.y0 - a.y_mm, box.y1 - a.y_mm)) return 0.0;
  return (to - from) * std::hypot(dx, dy);
}

/// CLG-046
void drips(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& d = context.design;
  if (d.pipes->empty()) return;
  struct Under {
    EntityRef ref;
    Id hall;
    PlanBox box;
    double top_mm;
    bool electrical;
  };
  std::vector<Under> things;
  std::map<Id, Footprint> of_type;
  for (const RackType& t : *d.rack_types)
    of_type.emplace(t.id, rack_footprint(context.catalog, t));
  for (const Rack& r : *d.racks)
    if (const auto f = of_type.find(r.rack_type); f != of_type.end())
      things.push_back({{"racks", r.id}, r.hall, plan_box(r.x, r.y, f->second.width, f->second.depth, r.rotation), in_millimeters(f->second.height), false});
  for (const PowerUnit& u : *d.power_units) {
    if (u.kind == PowerUnitKind::busway || u.elevation) continue; // SPC-022
    const Footprint f = power_unit_footprint(context.catalog, u);
    things.push_back({{"power_units", u.id}, u.hall, plan_box(u.x, u.y, f.width, f.depth, u.rotation), in_millimeters(f.height), true});
  }
  struct Over {
    double pan_mm = 0.0, widest_mm = 0.0;
    std::vector<char> met; ///< of each thing
  };
  std::map<Id, Over> by_loop;
  for (const Pipe& p : *d.pipes) {
    if (p.side == PipeSide::drain || p.path.size() < 2) continue;
    const double level = in_millimeters(p.elevation);
    PlanBox all{p.path.front().x_mm, p.path.front().y_mm, p.path.front().x_mm, p.path.front().y_mm};
    for (const PlanPoint& at : p.path)
      all = {std::min(all.x0, at.x_mm), std::min(all.y0, at.y_mm), std::max(all.x1, at.x_mm), std::max(all.y1, at.y_mm)};
    for (std::size_t i = 0; i < things.size(); ++i) {
      const Under& t = things[i];
      if (t.hall != p.hall || level < t.top_mm || t.box.x0 > all.x1 || t.box.x1 < all.x0 || t.box.y0 > all.y1 || t.box.y1 < all.y0) continue;
      double over = 0.0;
      for (std::size_t k = 0; k + 1 < p.path.size(); ++k)
        over += length_inside(p.path[k], p.path[k + 1], t.box);
      if (over <= 0.0) continue;
      Over& o = by_loop[p.loop];
      o.met.resize(things.size(), 0);
      o.met[i] = 1;
      o.pan_mm += over;
      o.widest_mm = std::max(o.widest_mm, in_millimeters(p.diameter));
    }
  }
  for (const auto& [loop_id, over] : by_loop) {
    const CoolantLoop* loop = loop_id ? find(*d.loops, loop_id) : nullptr;
    std::vector<EntityRef> entities;
    std::size_t racks = 0, electrical = 0;
    for (std::size_t i = 0; i < over.met.size(); ++i) {
      if (!over.met[i]) continue;
      entities.push_back(things[i].ref);
      ++(things[i].electrical ? electrical : racks);
    }
    std::string under = racks > 0 ? fmt::format("{} {}", racks, racks == 1 ? "rack" : "racks") : std::string();
    if (electrical > 0) under += fmt::format("{}{} power {}", under.empty() ? "" : " and ", electrical, electrical == 1 ? "unit" : "units");
    std::string drains;
    const std::string id = loop ? fmt::format("cooling.loop.{}.drain_down_volume", loop->id) : std::string();
    const Figure* volume = loop ? known(context, id) : nullptr;
    if (volume) drains = fmt::format("; the largest section between joints holds {}", format_quantity(volume->value, kind::volume).joined());
    Finding f = finding_of(rule,
                           fmt::format("Pipes of {} pass above {}: a leak drips on them. Drip trays with leak detection under {:.3g} m of pipe of up to {:.0f} mm keep it off{}",
                                       loop ? "loop '" + loop->name + "'" : "no loop", under, over.pan_mm * 1e-3, over.widest_mm, drains),
                           std::move(entities), context, volume ? std::vector<std::string>{id} : std::vector<std::string>{});
    if (electrical > 0) f.severity = Severity::warning;
    findings.push_back(std::move(f));
  }
}

} // namespace

std::vector<Rule> care_rules() {
  return {
      {"CLG-043", Severity::note, "Filtration of coolant",
       "Filters must be finer than the finest channel of cold plates. Neither parts nor the design state a mesh, so the limit is told once where heat goes to liquid. "
       "Source of the limit: catalog assumption cooling.secondary_filtration, data sheets of makers.",
       &filtration},
      {"CLG-044", Severity::note, "Water hammer",
       "The pressure rise of the fastest pipe that is stopped at once, density times wave speed times velocity, is compared with what is left between the highest working pressure and the limit of "
       "racks (of facility water: the rating of its pipes). The closing time is the larger of the wave's way there and back and that of a slow closure. Source of the limit: catalog assumptions "
       "cooling.rack_working_pressure_limit, cooling.facility_pressure_rating and cooling.hammer_wave_speed.",
       &water_hammer},
      {"CLG-045", Severity::warning, "Inlet air warmer than a rack takes",
       "Supply air plus the share of hot air that returns times the air rise is compared with the warmest inlet air that nodes and rack parts state. A rack counts as contained where it touches a "
       "containment of the drawing. Source of the limit: rows of node and rack parts; catalog assumptions air.recirculation_open_room and those of containments.",
       &inlet_too_warm},
      {"CLG-046", Severity::note, "Coolant pipes above racks or power units",
       "Supply and return pipes that cross above a rack or a power unit drip on it when a joint leaks; above power units it is a warning. Drip trays are not drawn in this program. Busways are SPC-022's. "
       "Source of the limit: the drawing itself; project choice.",
       &drips},
  };
}

} // namespace hallwright
