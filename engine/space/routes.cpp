// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/routes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "ledger/formula_range.h"
#include "space/plan_geometry.h"
#include "space/tray_steps.h"

namespace hallwright {

constinit const Formula<double, Area, Length, Length> tray_fill{
    .name = "tray_fill",
    .text = "cable_area / (width * height)",
    .source = "area of cables over area of the tray; TIA-569",
    .parameters = {"cable_area", "width", "height"},
    .function = [](Area cable_area, Length width, Length height) -> Result<double> {
      if (auto wrong = violated(
              {not_negative("cable_area", cable_area), above_zero("width", width), above_zero("height", height)}))
        return *wrong;
      return cable_area / (width * height);
    },
    .result_kind = &kind::percent,
};

constinit const Formula<Area, Count, Length> cable_cross_section{
    .name = "cable_cross_section",
    .text = "cables * pi * diameter^2 / 4",
    .source = "circle",
    .parameters = {"cables", "diameter"},
    .function = [](Count cables, Length diameter) -> Result<Area> {
      if (auto wrong = violated({not_negative("cables", cables), not_negative("diameter", diameter)})) return *wrong;
      return cables * (0.785398163397448310 * diameter * diameter);
    },
};

std::vector<AnyFormula> route_formulas() { return {any(tray_fill), any(cable_cross_section)}; }

double rack_unit_height_mm(double rack_unit, double first_unit_mm) { return first_unit_mm + 44.45 * (rack_unit - 0.5); }

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

RoutePlace place_of(Id id, Id hall, const PlanThing& thing, double height) {
  return {
      id,    hall, thing.center_x, thing.center_y, (thing.box.x1 - thing.box.x0) / 2, (thing.box.y1 - thing.box.y0) / 2,
      height};
}

RouteRun run_of(const Tray& t) {
  return {t.id, t.hall, t.path, in_millimeters(t.elevation), in_millimeters(t.width) / 2};
}
RouteRun run_of(const Pipe& p) {
  return {p.id, p.hall, p.path, in_millimeters(p.elevation), in_millimeters(p.diameter) / 2};
}

/// An assumption in its base unit, or a fallback that the catalog's own row would state.
double assumed(const Catalog& catalog, std::string_view id, const Kind& kind, double fallback) {
  const Assumption* a = catalog.find<Assumption>(id);
  if (!a || !a->value) return fallback;
  const auto value =
      parse_quantity(exact_number(*a->value) + (a->unit.empty() || a->unit == "1" ? "" : " " + a->unit), kind);
  return value ? *value : fallback;
}

} // namespace

double rack_first_unit_mm(const Catalog& catalog) {
  return assumed(catalog, "space.rack_first_unit_height", kind::length, 0.08) * 1e3;
}

namespace {

Count cables_of(const Catalog& catalog, const RackItem& item) {
  if (item.kind != RackItemKind::node) return 0;
  const NodePart* node = catalog.find<NodePart>(item.part);
  if (!node) return 0;
  return item.count *
         (node->compute_nics.value_or(0) + node->storage_nics.value_or(0) + node->in_band_nics.value_or(0));
}

Reach reach_of(ReachKind how, Id target, double horizontal, double vertical) {
  return {how, target, horizontal, vertical};
}

/// Nearest of several places along the graph, else along x and y with the level stated; places are of one hall.
Reach nearest(const RouteTree* tree, const std::vector<RoutePlace>& places, const RoutePlace& from, double level) {
  if (places.empty()) return {};
  if (tree)
    if (const auto r = tree->reach(from))
      return reach_of(ReachKind::routed, places[r->source].id, r->horizontal, r->vertical);
  Reach best;
  for (const RoutePlace& p : places) {
    const Route e = estimated_route(from, p, level);
    if (best.how == ReachKind::none || e.length() < best.length())
      best = reach_of(ReachKind::estimated, p.id, e.horizontal, e.vertical);
  }
  return best;
}

/// Busways hang above the rows: straight along x and y to the nearest place below them, then down to the rack's top.
Reach to_busway(const RoutePlace& rack, double rack_top, const PlanThing& thing, Id id, double level,
                bool level_known) {
  const double dx = std::max(0.0, std::abs(rack.x - thing.center_x) - (thing.box.x1 - thing.box.x0) / 2);
  const double dy = std::max(0.0, std::abs(rack.y - thing.center_y) - (thing.box.y1 - thing.box.y0) / 2);
  return reach_of(level_known ? ReachKind::routed : ReachKind::estimated, id, dx + dy, std::abs(level - rack_top));
}

} // namespace

CableRoutes::CableRoutes(RouteGraph graph, std::vector<RoutePlace> racks, double estimate_level_mm)
    : graph_(std::move(graph)), racks_(std::move(racks)), estimate_level_(estimate_level_mm) {
  std::sort(racks_.begin(), racks_.end(), [](const RoutePlace& a, const RoutePlace& b) { return a.id < b.id; });
}

const RoutePlace* CableRoutes::rack(Id id) const {
  const auto it =
      std::lower_bound(racks_.begin(), racks_.end(), id, [](const RoutePlace& p, Id wanted) { return p.id < wanted; });
  return it != racks_.end() && it->id == id ? &*it : nullptr;
}

std::optional<Route> CableRoutes::route(Id from, Id to, std::optional<double> from_height_mm,
                                        std::optional<double> to_height_mm) const {
  const RoutePlace *a = rack(from), *b = rack(to);
  if (!a || !b || a->hall != b->hall) return std::nullopt;
  RoutePlace start = *a, end = *b;
  if (from_height_mm) start.height = *from_height_mm;
  if (to_height_mm) end.height = *to_height_mm;
  if (from == to) { // within one rack nothing goes up to a tray
    Route inside;
    inside.vertical = std::abs(start.height - end.height);
    return inside;
  }
  if (auto routed = graph_.route(start, end)) return routed;
  return estimated_route(start, end, estimate_level_);
}

std::vector<double> CableRoutes::lengths(Id from, const std::vector<Id>& to, std::vector<bool>* routed) const {
  std::vector<double> out(to.size(), nowhere);
  if (routed) routed->assign(to.size(), false);
  const RoutePlace* start = rack(from);
  if (!start) return out;
  const RouteTree tree = graph_.tree({*start});
  for (std::size_t i = 0; i < to.size(); ++i) {
    const RoutePlace* end = rack(to[i]);
    if (!end || end->hall != start->hall) continue;
    if (to[i] == from) {
      out[i] = 0;
    } else if (const auto r = tree.reach(*end)) {
      out[i] = r->length();
      if (routed) (*routed)[i] = true;
    } else {
      out[i] = estimated_route(*start, *end, estimate_level_).length();
    }
  }
  return out;
}

std::vector<TrayLoad> CableRoutes::loads(const std::vector<CableDemand>& demands) const {
  std::map<Id, std::vector<TrayStep>> steps;
  for (const RouteRun& run : graph_.runs())
    steps[run.id];
  // Demands to one rack at one height share a search.
  std::map<std::pair<Id, double>, std::vector<const CableDemand*>> by_target;
  for (const CableDemand& d : demands)
    if (d.cables > 0 && rack(d.from) && rack(d.to))
      by_target[{d.to, d.to_height_mm.value_or(rack(d.to)->height)}].push_back(&d);
  for (const auto& [target, list] : by_target) {
    RoutePlace end = *rack(target.first);
    end.height = target.second;
    std::vector<RoutePlace> starts;
    for (const CableDemand* d : list)
      starts.push_back(*rack(d->from));
    const RouteTree tree = graph_.tree({end}, &starts);
    for (const CableDemand* d : list) {
      RoutePlace start = *rack(d->from);
      if (start.id == end.id) continue;
      if (d->from_height_mm) start.height = *d->from_height_mm;
      const auto way = tree.route(start);
      if (!way) continue;
      const double area = 0.785398163397448310 * d->diameter_mm * d->diameter_mm * static_cast<double>(d->cables);
      const double mass = d->mass_kg_m * static_cast<double>(d->cables);
      for (const RouteLeg& leg : way->legs) {
        auto& s = steps[leg.run];
        s.push_back({std::min(leg.from, leg.to), area, mass, d->cables});
        s.push_back({std::max(leg.from, leg.to), -area, -mass, -d->cables});
      }
    }
  }
  std::vector<TrayLoad> out;
  for (auto& [id, list] : steps)
    out.push_back(fullest(id, list));
  return out;
}

bool operator==(const RouteResult& a, const RouteResult& b) {
  return a.reach == b.reach && a.tray_loads == b.tray_loads && a.lone_trays == b.lone_trays &&
         a.dead_pipes == b.dead_pipes && a.cable_diameter_mm == b.cable_diameter_mm &&
         a.cable_mass_kg_m == b.cable_mass_kg_m && a.trays == b.trays && a.pipes == b.pipes &&
         (a.cables == b.cables || *a.cables == *b.cables);
}

RouteResult routes(const RouteInputs& in, const std::stop_token& stop) {
  RouteResult out;
  out.trays = in.trays;
  out.pipes = in.pipes;
  const Catalog& catalog = *in.catalog;
  const double tray_level = assumed(catalog, "cabling.tray_height", kind::length, 2.7) * 1e3;
  const double pipe_level = in_millimeters(Pipe{}.elevation);
  out.cable_diameter_mm = assumed(catalog, "cabling.diameter_fibre", kind::length, 0.003) * 1e3;
  // Fibre cable of 3 mm weighs about 8 g/m: 1.1 kg/dm3 of plastics and aramid.
  constexpr double cable_density_kg_m3 = 1100.0;
  out.cable_mass_kg_m =
      0.785398163397448310 * out.cable_diameter_mm * out.cable_diameter_mm * 1e-6 * cable_density_kg_m3;

  // Where the racks stand.
  std::vector<RoutePlace> places;
  std::vector<double> tops;
  std::map<Id, Footprint> sizes;
  for (const RackType& type : *in.rack_types)
    sizes[type.id] = rack_footprint(catalog, type);
  const Footprint nameless = rack_footprint(catalog, RackType{});
  std::map<Id, std::vector<RoutePlace>> fabric_racks, compute_racks; // by hall
  std::vector<RackRole> roles;
  places.reserve(in.racks->size());
  for (const Rack& rack : *in.racks) {
    const RackType* type = find(*in.rack_types, rack.rack_type);
    const Footprint& size = type ? sizes[type->id] : nameless;
    places.push_back(place_of(rack.id, rack.hall, plan_thing(rack.x, rack.y, size.width, size.depth, rack.rotation),
                              route_port_height_mm));
    tops.push_back(in_millimeters(size.height));
    roles.push_back(type ? type->role : RackRole::management);
    if (roles.back() == RackRole::fabric) fabric_racks[rack.hall].push_back(places.back());
    if (roles.back() == RackRole::compute) compute_racks[rack.hall].push_back(places.back());
  }

  std::vector<RouteRun> data, power;
  for (const Tray& t : *in.trays)
    (t.kind == TrayKind::power ? power : data).push_back(run_of(t));
  std::vector<RoutePlace> standing;
  for (const RoutePlace& p : places)
    if (p.hall != 0) standing.push_back(p);
  const auto cables = std::make_shared<const CableRoutes>(RouteGraph(std::move(data)), std::move(standing), tray_level);
  out.cables = cables;
  const RouteGraph& tray_graph = cables->graph();
  const RouteGraph power_graph(std::move(power));
  for (const RouteGraph* graph : {&tray_graph, &power_graph}) {
    std::map<Id, std::size_t> runs_of_hall;
    for (const RouteRun& run : graph->runs())
      ++runs_of_hall[run.hall];
    for (std::size_t r = 0; r < graph->runs().size(); ++r)
      if (!graph->joined(r) && runs_of_hall[graph->runs()[r].hall] > 1) out.lone_trays.push_back(graph->runs()[r].id);
  }
  std::sort(out.lone_trays.begin(), out.lone_trays.end());

  // One search a hall to the nearest fabric rack.
  std::map<Id, RouteTree> leaf_trees;
  if (!tray_graph.empty())
    for (const auto& [hall, racks] : fabric_racks)
      leaf_trees.emplace(hall, tray_graph.tree(racks));

  // One search a loop, side and hall to the nearest CDU.
  struct LoopSide {
    std::map<Id, RouteTree> trees; // by hall
    RouteGraph graph;
  };
  std::map<std::pair<Id, PipeSide>, LoopSide> sides;
  std::map<Id, std::map<Id, std::vector<RoutePlace>>> cdus; // by loop and hall
  for (const CoolingUnit& u : *in.cooling_units) {
    // Facility water begins at dry coolers, chillers and towers.
    const bool moves_coolant = u.kind == CoolingUnitKind::cdu || u.kind == CoolingUnitKind::dry_cooler ||
                               u.kind == CoolingUnitKind::chiller || u.kind == CoolingUnitKind::cooling_tower;
    if (!moves_coolant || u.loop == 0 || u.hall == 0) continue;
    const Footprint f = cooling_unit_footprint(catalog, u);
    cdus[u.loop][u.hall].push_back(
        place_of(u.id, u.hall, plan_thing(u.x, u.y, f.width, f.depth, u.rotation), route_port_height_mm));
  }
  std::set<Id> served;
  for (const auto& [loop, halls] : cdus)
    for (const PipeSide side : {PipeSide::supply, PipeSide::return_}) {
      std::vector<RouteRun> runs;
      for (const Pipe& p : *in.pipes)
        if (p.side == side && (p.loop == loop || p.loop == 0)) runs.push_back(run_of(p));
      if (runs.empty()) continue;
      LoopSide& s = sides[{loop, side}];
      s.graph = RouteGraph(std::move(runs));
      std::set<std::uint32_t> parts;
      for (const auto& [hall, units] : halls) {
        s.trees.emplace(hall, s.graph.tree(units));
        for (const RoutePlace& unit : units)
          for (const auto& access : s.graph.accesses(unit))
            parts.insert(s.graph.part_of_section(access.section));
      }
      for (std::size_t r = 0; r < s.graph.runs().size(); ++r)
        if (parts.count(s.graph.part_of(r)) > 0) served.insert(s.graph.runs()[r].id);
    }
  for (const Pipe& p : *in.pipes)
    if (p.side != PipeSide::drain && served.count(p.id) == 0) out.dead_pipes.push_back(p.id);

  // Feeds: busways straight, other units along power trays.
  struct FeedPlace {
    PlanThing thing;
    RoutePlace place;
    bool overhead = false;
    bool level_known = false;
    double level = 0;
    std::optional<RouteTree> tree;
  };
  std::map<Id, FeedPlace> feeds;
  for (const PowerUnit& u : *in.power_units) {
    if (u.hall == 0) continue;
    const Footprint f = power_unit_footprint(catalog, u);
    FeedPlace p;
    p.thing = plan_thing(u.x, u.y, f.width, f.depth, u.rotation);
    p.place = place_of(u.id, u.hall, p.thing, route_port_height_mm);
    p.overhead = u.kind == PowerUnitKind::busway;
    p.level_known = u.elevation.has_value();
    p.level = u.elevation ? in_millimeters(*u.elevation) : tray_level;
    feeds.emplace(u.id, std::move(p));
  }
  const auto to_feed = [&](Id feed, const RoutePlace& rack, double top) -> Reach {
    const auto it = feeds.find(feed);
    if (it == feeds.end() || it->second.place.hall != rack.hall || rack.hall == 0) return {};
    FeedPlace& f = it->second;
    if (f.overhead) return to_busway(rack, top, f.thing, feed, f.level, f.level_known);
    if (!power_graph.empty() && !f.tree) f.tree = power_graph.tree({f.place});
    return nearest(f.tree ? &*f.tree : nullptr, {f.place}, rack, tray_level);
  };

  const std::vector<RoutePlace> no_places;
  std::map<Id, RoutePlace> middles; // of the compute racks of halls without a fabric rack
  for (const auto& [hall, racks] : compute_racks) {
    if (fabric_racks.count(hall) > 0) continue;
    RoutePlace middle;
    middle.height = route_port_height_mm;
    for (const RoutePlace& p : racks)
      middle.x += p.x, middle.y += p.y;
    middle.x /= static_cast<double>(racks.size());
    middle.y /= static_cast<double>(racks.size());
    middles.emplace(hall, middle);
  }
  out.reach.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (stop.stop_requested()) return out;
    const Rack& rack = (*in.racks)[i];
    const RoutePlace& place = places[i];
    RackReach r;
    r.rack = rack.id;
    if (roles[i] != RackRole::fabric && rack.hall != 0) {
      const auto leafs = fabric_racks.find(rack.hall);
      const auto tree = leaf_trees.find(rack.hall);
      r.leaf = nearest(tree == leaf_trees.end() ? nullptr : &tree->second,
                       leafs == fabric_racks.end() ? no_places : leafs->second, place, tray_level);
    }
    r.fabric_distance = r.leaf.length();
    if (const auto middle = middles.find(rack.hall); middle != middles.end() && roles[i] == RackRole::compute)
      r.fabric_distance = estimated_route(place, middle->second, tray_level).length();
    if (rack.loop != 0 && rack.hall != 0) {
      const auto loop = cdus.find(rack.loop);
      const auto units =
          loop == cdus.end() ? std::map<Id, std::vector<RoutePlace>>::const_iterator{} : loop->second.find(rack.hall);
      if (loop != cdus.end() && units != loop->second.end()) {
        const auto side = [&](PipeSide which) {
          const auto s = sides.find({rack.loop, which});
          const RouteTree* tree = nullptr;
          if (s != sides.end())
            if (const auto t = s->second.trees.find(rack.hall); t != s->second.trees.end()) tree = &t->second;
          return nearest(tree, units->second, place, pipe_level);
        };
        r.cdu_supply = side(PipeSide::supply);
        r.cdu_return = side(PipeSide::return_);
      }
    }
    r.feed_a = to_feed(rack.feed_a, place, tops[i]);
    r.feed_b = to_feed(rack.feed_b, place, tops[i]);
    out.reach.push_back(std::move(r));
  }

  // Cables of the nodes of each rack to its nearest fabric rack.
  if (!tray_graph.empty()) {
    std::map<Id, Count> cables_of_type;
    for (const RackItem& item : *in.rack_items)
      cables_of_type[item.rack_type] += cables_of(catalog, item);
    std::vector<CableDemand> demands;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (out.reach[i].leaf.how == ReachKind::routed)
        demands.push_back({places[i].id,
                           out.reach[i].leaf.target,
                           cables_of_type[(*in.racks)[i].rack_type],
                           out.cable_diameter_mm,
                           out.cable_mass_kg_m,
                           {},
                           {}});
    out.tray_loads = cables->loads(demands);
  }
  return out;
}

} // namespace hallwright
