// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/drawn_loops.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "catalog/moist_air.h"
#include "cooling/network_circles.h"
#include "quantity/text.h"
#include "space/footprints.h"
#include "space/plan_geometry.h"
#include "space/route_graph.h"
#include "space/routes.h"

namespace hallwright {
namespace {

constexpr double loop_gravity = 9.80665;

double circle_area(double diameter) { return std::numbers::pi / 4.0 * diameter * diameter; }

std::string joined_names(const std::vector<std::string>& names) {
  std::string out;
  const std::size_t shown = names.size() > 4 ? 3 : names.size();
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == shown && shown == names.size() ? " and " : ", ") + names[i];
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

/// Sets that grow together.
class Unions {
public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  int of(int i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  [[nodiscard]] std::size_t size() const { return parent_.size(); }

private:
  std::vector<int> parent_;
};

/// Where something hangs on a pipe.
struct Tap {
  std::size_t run = 0;
  double along = 0, horizontal = 0, vertical = 0; ///< mm
  double level = 0;
};

/// The pipes of one side of one loop.
class SidePipes {
public:
  SidePipes(std::vector<const Pipe*> pipes, PipeSide which) : side(which) {
    std::vector<RouteRun> runs;
    for (const Pipe* p : pipes)
      runs.push_back({p->id, p->hall, p->path, in_millimeters(p->elevation), in_millimeters(p->diameter) / 2});
    graph = RouteGraph(std::move(runs));
    pipes_ = std::move(pipes);
    std::uint32_t section = 0;
    for (std::size_t r = 0; r < graph.runs().size(); ++r) {
      first_section_.push_back(section);
      sections.push_back(graph.sections_of(graph.runs()[r].id));
      section += static_cast<std::uint32_t>(sections.back().size());
    }
  }
  [[nodiscard]] const Pipe& pipe(std::size_t run) const { return *pipes_[run]; }
  /// What a place reaches: the nearest point of each pipe.
  [[nodiscard]] std::vector<Tap> taps(const RoutePlace& place) const {
    std::vector<Tap> out;
    for (const RouteGraph::Access& a : graph.accesses(place)) {
      const auto run = static_cast<std::size_t>(
          std::upper_bound(first_section_.begin(), first_section_.end(), a.section) - first_section_.begin() - 1);
      out.push_back({run, sections[run][a.section - first_section_[run]].first + a.along, a.horizontal, a.vertical,
                     graph.runs()[run].level});
    }
    return out;
  }
  [[nodiscard]] std::uint32_t part_of(std::size_t run) const { return graph.part_of(run); }

  PipeSide side;
  RouteGraph graph;
  std::vector<std::vector<std::pair<double, double>>> sections; ///< of each run
  std::set<std::uint32_t> with_unit;                            ///< parts that a unit is joined to
  std::map<std::uint32_t, std::vector<Id>> racks_at;            ///< racks of each part
  std::vector<std::vector<double>> cuts;                        ///< of each run: its nodes along it
  std::vector<std::vector<int>> node;                           ///< of each cut: before joining

private:
  std::vector<const Pipe*> pipes_;
  std::vector<std::uint32_t> first_section_;
};

double path_length(const std::vector<PlanPoint>& path) {
  double out = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    out += std::hypot(path[i + 1].x_mm - path[i].x_mm, path[i + 1].y_mm - path[i].y_mm);
  return out;
}
PlanPoint point_at(const std::vector<PlanPoint>& path, double along) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const double dx = path[i + 1].x_mm - path[i].x_mm, dy = path[i + 1].y_mm - path[i].y_mm;
    const double length = std::hypot(dx, dy);
    if (along <= length || i + 2 == path.size()) {
      const double share = length > 0 ? std::min(along / length, 1.0) : 0.0;
      return {path[i].x_mm + share * dx, path[i].y_mm + share * dy};
    }
    along -= length;
  }
  return path.empty() ? PlanPoint{} : path.back();
}
/// Quarter turns of a path strictly between two places along it.
double turns_between(const std::vector<PlanPoint>& path, double from, double to) {
  double along = 0, out = 0;
  for (std::size_t i = 0; i + 2 < path.size(); ++i) {
    const double ax = path[i + 1].x_mm - path[i].x_mm, ay = path[i + 1].y_mm - path[i].y_mm;
    const double bx = path[i + 2].x_mm - path[i + 1].x_mm, by = path[i + 2].y_mm - path[i + 1].y_mm;
    along += std::hypot(ax, ay);
    if (along <= from || along > to) continue; // a corner belongs to what ends in it
    if ((ax == 0 && ay == 0) || (bx == 0 && by == 0)) continue;
    out += std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by)) / (std::numbers::pi / 2);
  }
  return out;
}

/// Whether a unit can be the cold end of a loop of facility water.
bool cools_facility_water(CoolingUnitKind kind) {
  return kind == CoolingUnitKind::dry_cooler || kind == CoolingUnitKind::chiller ||
         kind == CoolingUnitKind::cooling_tower;
}

/// Which loop carries the facility water of each loop; what names none, or in a circle, is not there.
struct FacilityNames {
  std::map<Id, Id> of;                          ///< by loop
  std::map<Id, std::vector<LoopProblem>> wrong; ///< by loop
  [[nodiscard]] bool is_facility(Id loop) const {
    return std::any_of(of.begin(), of.end(), [&](const auto& named) { return named.second == loop; });
  }
};
FacilityNames facility_names(const std::vector<CoolantLoop>& loops) {
  FacilityNames out;
  for (const CoolantLoop& l : loops) {
    if (l.facility_loop == 0) continue;
    const CoolantLoop* named = find(loops, l.facility_loop);
    if (!named) {
      out.wrong[l.id].push_back({LoopProblemKind::facility_unknown,
                                 fmt::format("Loop '{}' names a loop of facility water that is not there", l.name),
                                 {{"loops", l.id}}});
      continue;
    }
    std::string way = "'" + l.name + "'";
    std::vector<EntityRef> entities{{"loops", l.id}};
    const CoolantLoop* at = named;
    for (std::size_t steps = 0; at && at->id != l.id && steps < loops.size(); ++steps) {
      way += " -> '" + at->name + "'";
      entities.push_back({"loops", at->id});
      at = at->facility_loop == 0 ? nullptr : find(loops, at->facility_loop);
    }
    if (at && at->id == l.id) {
      out.wrong[l.id].push_back({LoopProblemKind::facility_circle,
                                 fmt::format("Facility water goes in a circle: {} -> '{}'. It must end at a loop that "
                                             "names none",
                                             way, l.name),
                                 std::move(entities)});
      continue;
    }
    if (named->facility_loop != 0) { // of that one only the first stage is solved
      out.wrong[l.id].push_back({LoopProblemKind::facility_circle,
                                 fmt::format("Loop '{}' names '{}' as its facility water, which names a loop itself; "
                                             "facility water goes through one loop",
                                             l.name, named->name),
                                 {{"loops", l.id}, {"loops", named->id}}});
      continue;
    }
    out.of[l.id] = named->id;
  }
  return out;
}

class LoopBuilder {
public:
  /// @param names  which loop is the facility water of which
  /// @param facility  of this loop, where that is drawn and can be solved
  LoopBuilder(const DrawnLoopInputs& in, const LoopEstimates& estimates, const CoolantLoop& loop,
              const FacilityNames& names, const DrawnLoop* facility)
      : in_(in), est_(estimates), loop_(loop), names_(names), named_(facility) {}

  DrawnLoop build() {
    out_.loop = loop_.id;
    out_.name = loop_.name;
    out_.facility = names_.is_facility(loop_.id);
    if (const auto wrong = names_.wrong.find(loop_.id); wrong != names_.wrong.end()) out_.problems = wrong->second;
    out_.pump_efficiency = est_.pump_efficiency;
    take_setup();
    out_.supply_tank_m3 = setup_.supply_tank_m3;
    out_.return_tank_m3 = setup_.return_tank_m3;
    const bool fluid = take_fluid();
    if (out_.facility)
      gather_sides();
    else
      gather_racks();
    if (!gather_pipes() || !fluid) {
      out_.racks_off_pipes = racks_.size();
      return std::move(out_);
    }
    gather_units();
    tap_racks();
    tap_units();
    tell_of_pipes();
    lay_pipes();
    add_units();
    add_racks();
    tell_of_valves();
    anchor();
    state_estimates();
    return std::move(out_);
  }

private:
  struct DrawnRack {
    Id id = 0;
    std::string name;
    const Rack* rack = nullptr;       ///< or
    const CoolingUnit* cdu = nullptr; ///< whose facility side it is
    RackCoolant coolant;
    RoutePlace place;
    std::optional<Tap> supply, returned;
  };
  struct DrawnUnit {
    const CoolingUnit* unit = nullptr;
    const CoolingPart* part = nullptr;
    RoutePlace place;
    bool outside = false;              ///< stands where no pipe of its loop is
    std::vector<Tap> supply, returned; ///< one a part of the pipes
  };

  void problem(LoopProblemKind kind, std::string sentence, std::vector<EntityRef> entities) {
    out_.problems.push_back({kind, std::move(sentence), std::move(entities)});
  }
  [[nodiscard]] std::string loop_words() const { return "loop '" + loop_.name + "'"; }
  [[nodiscard]] const char* unit_words() const {
    return out_.facility ? "dry cooler, chiller or cooling tower" : "distribution unit";
  }
  [[nodiscard]] const char* coolant_words() const { return out_.facility ? "facility water" : "coolant"; }
  static std::string pipe_words(const Pipe& p) {
    return p.name.empty() ? fmt::format("pipe {}", p.id) : "pipe '" + p.name + "'";
  }

  /// What the loop's own fields say, and what is asked for beside them instead.
  void take_setup() {
    setup_.pressure_independent_valves = loop_.balancing == FlowBalancing::pressure_independent;
    if (loop_.facility_supply) setup_.facility_supply_c = loop_.facility_supply->kelvin() - 273.15;
    setup_.supply_tank_m3 = std::max(0.0, base_value(loop_.supply_tank));
    setup_.return_tank_m3 = std::max(0.0, base_value(loop_.return_tank));
    if (loop_.fill_pressure) est_.fill_pressure_pa = base_value(*loop_.fill_pressure);
    if (const auto it = in_.setups.find(loop_.id); it != in_.setups.end()) setup_ = it->second;
  }

  bool take_fluid() {
    const std::string& id = loop_.fluid_part.empty() ? in_.plant->fluid_part : loop_.fluid_part;
    const EntityRef names_it =
        loop_.fluid_part.empty() ? EntityRef{"cooling_plant", 0} : EntityRef{"loops", loop_.id};
    const Temperature supply = loop_.supply_temperature.value_or(in_.plant->supply_temperature);
    out_.supply_c = supply.kelvin() - 273.15;
    if (out_.facility && !loop_.supply_temperature) out_.supply_c = coldest_that_is_asked_for();
    out_.rise_k = in_kelvins(loop_.rise.value_or(in_.plant->supply_rise));
    const FluidPart* fluid = in_.catalog->find<FluidPart>(id);
    if (!fluid) {
      problem(LoopProblemKind::fluid_unknown,
              id.empty()
                  ? "The cooling plant names no fluid, so the pipes of " + loop_words() + " cannot be solved"
                  : "The catalog has no fluid '" + id + "', so the pipes of " + loop_words() + " cannot be solved",
              {names_it});
      return false;
    }
    const char* missing = nullptr;
    const auto good = [](double v) { return std::isfinite(v) && v > 0.0; };
    if (!fluid->density || !good(base_value(*fluid->density)))
      missing = "density";
    else if (!fluid->specific_heat || !good(base_value(*fluid->specific_heat)))
      missing = "specific heat";
    else if (!fluid->viscosity || !good(base_value(*fluid->viscosity)))
      missing = "viscosity";
    if (missing) {
      problem(LoopProblemKind::fluid_unknown,
              fmt::format("The {} of fluid '{}' is not known or not above 0, so the pipes of {} cannot be solved",
                          missing, id, loop_words()),
              {names_it});
      return false;
    }
    if (in_.site)
      if (const ClimatePart* climate = in_.catalog->find<ClimatePart>(in_.site->climate_part); climate && climate->elevation)
        out_.atmosphere_pa = pressure_at_elevation(in_meters(*climate->elevation));
    out_.density_kg_per_m3 = base_value(*fluid->density);
    out_.specific_heat_j_per_kg_k = base_value(*fluid->specific_heat);
    out_.network.density_kg_per_m3 = out_.density_kg_per_m3;
    // Friction at the mean of supply and return, where the catalog has the same fluid at other temperatures. Density
    // and specific heat stay those of the part, as the first-order figures have them: their product moves by less than
    // 0.1 % over 10 K, viscosity by a fifth.
    const double mean_c = out_.supply_c + 0.5 * (std::isfinite(out_.rise_k) ? out_.rise_k : 0.0);
    const double viscosity = viscosity_at(*in_.catalog, *fluid, mean_c);
    out_.network.viscosity_m2_per_s = viscosity / out_.density_kg_per_m3;
    if (viscosity != base_value(*fluid->viscosity))
      viscosity_words_ = fmt::format("Viscosity {:.3f} mPa s at {:.1f} degC, the mean of supply and return, between "
                                     "rows of {} in the catalog",
                                     viscosity * 1e3, mean_c, fluid->name);
    const double freezing = fluid->freezing ? fluid->freezing->kelvin() - 273.15 : -100.0;
    if (!std::isfinite(out_.supply_c) || out_.supply_c <= freezing || out_.supply_c >= 100.0) {
      problem(LoopProblemKind::supply_unknown,
              fmt::format("The supply of {} is {:.1f} degC; {} is a liquid between {:.1f} and 100 degC", loop_words(),
                          out_.supply_c, fluid->name, freezing),
              {{"loops", loop_.id}});
      out_.density_kg_per_m3 = 0.0;
      return false;
    }
    return true;
  }

  void gather_racks() {
    std::map<Id, Footprint> sizes;
    for (std::size_t i = 0; i < in_.racks->size() && i < in_.coolant.size(); ++i) {
      const Rack& rack = (*in_.racks)[i];
      const RackCoolant& c = in_.coolant[i];
      if (rack.loop != loop_.id || !std::isfinite(c.heat_w) || !std::isfinite(c.need_m3_per_s) ||
          !(c.need_m3_per_s > 0.0))
        continue;
      auto [it, fresh] = sizes.try_emplace(rack.rack_type);
      if (fresh) {
        const RackType* type = find(*in_.rack_types, rack.rack_type);
        it->second = rack_footprint(*in_.catalog, type ? *type : RackType{});
      }
      racks_.push_back(
          {rack.id,
           rack.name,
           &rack,
           nullptr,
           c,
           place_of(rack.id, rack.hall, plan_thing(rack.x, rack.y, it->second.width, it->second.depth, rack.rotation)),
           {},
           {}});
    }
  }
  /// Facility sides of the distribution units whose loops name this one. What they need and shed is found later.
  void gather_sides() {
    std::vector<EntityRef> here{{"loops", loop_.id}};
    std::vector<std::string> names;
    for (const Rack& rack : *in_.racks)
      if (rack.loop == loop_.id) {
        names.push_back(rack.name);
        here.push_back({"racks", rack.id});
      }
    if (!names.empty())
      problem(LoopProblemKind::facility_with_rack,
              fmt::format("{} carries facility water of other loops, and {} {} on it; racks hang on loops of their own",
                          capital(loop_words()), joined_names(names), names.size() == 1 ? "hangs" : "hang"),
              std::move(here));
    for (const CoolingUnit& u : *in_.units) {
      const auto named = names_.of.find(u.loop);
      if (u.kind != CoolingUnitKind::cdu || named == names_.of.end() || named->second != loop_.id) continue;
      const Footprint f = cooling_unit_footprint(*in_.catalog, u);
      racks_.push_back({u.id,
                        u.name,
                        nullptr,
                        &u,
                        {},
                        place_of(u.id, u.hall, plan_thing(u.x, u.y, f.width, f.depth, u.rotation)),
                        {},
                        {}});
    }
  }
  /// Supply of the loops that name this one less the approach of their units, the lowest.
  [[nodiscard]] double coldest_that_is_asked_for() {
    std::optional<double> out;
    for (const CoolantLoop& l : *in_.loops) {
      const auto named = names_.of.find(l.id);
      if (named == names_.of.end() || named->second != loop_.id) continue;
      const double supply = l.supply_temperature.value_or(in_.plant->supply_temperature).kelvin() - 273.15;
      double approach = est_.approach_k;
      bool first = true;
      for (const CoolingUnit& u : *in_.units) {
        if (u.kind != CoolingUnitKind::cdu || u.loop != l.id) continue;
        const CoolingPart* part = in_.catalog->find<CoolingPart>(u.part);
        const double k = part && part->approach && in_kelvins(*part->approach) > 0.0 ? in_kelvins(*part->approach)
                                                                                     : est_.approach_k;
        approach = first ? k : std::max(approach, k);
        first = false;
      }
      out = std::min(out.value_or(1e9), supply - approach);
    }
    supply_estimated_ = true;
    return out.value_or(0.0);
  }
  static RoutePlace place_of(Id id, Id hall, const PlanThing& thing) {
    return {id,
            hall,
            thing.center_x,
            thing.center_y,
            (thing.box.x1 - thing.box.x0) / 2,
            (thing.box.y1 - thing.box.y0) / 2,
            route_port_height_mm};
  }

  bool gather_pipes() {
    std::vector<const Pipe*> supply, returned;
    bool any = false;
    for (const Pipe& p : *in_.pipes) {
      if (p.side == PipeSide::drain || (p.loop != loop_.id && p.loop != 0)) continue;
      any = any || p.loop == loop_.id;
      const double diameter = in_meters(p.diameter), length = path_length(p.path);
      if (!(diameter > 0.0) || !std::isfinite(diameter) || !(length > 0.0) || !std::isfinite(length)) {
        problem(LoopProblemKind::pipe_unusable,
                !(diameter > 0.0) || !std::isfinite(diameter)
                    ? fmt::format("The diameter of {} is {:.0f} mm; it must be above 0, so the pipe carries nothing",
                                  pipe_words(p), diameter * 1e3)
                    : fmt::format("{} has no length: it needs two corners that lie apart", capital(pipe_words(p))),
                {{"pipes", p.id}});
        continue;
      }
      (p.side == PipeSide::supply ? supply : returned).push_back(&p);
    }
    if (!any && (racks_.empty() || (supply.empty() && returned.empty()))) {
      if (!racks_.empty())
        problem(LoopProblemKind::no_pipes,
                fmt::format("No pipes of {} are drawn: its flows stay first-order, each {}", loop_words(),
                            out_.facility ? "unit with its rated flow" : "rack with what it needs"),
                {{"loops", loop_.id}});
      return false;
    }
    if (racks_.empty()) return false;
    if (supply.empty() || returned.empty()) {
      problem(LoopProblemKind::no_pipes,
              fmt::format("{} has no {} pipe that carries, so its flows stay first-order", capital(loop_words()),
                          supply.empty() ? "supply" : "return"),
              {{"loops", loop_.id}});
      return false;
    }
    supply_.emplace(std::move(supply), PipeSide::supply);
    return_.emplace(std::move(returned), PipeSide::return_);
    return true;
  }
  static std::string capital(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words;
  }

  void gather_units() {
    std::size_t of_loop = 0;
    for (const CoolingUnit& u : *in_.units) {
      if (!(out_.facility ? cools_facility_water(u.kind) : u.kind == CoolingUnitKind::cdu) || u.loop != loop_.id)
        continue;
      ++of_loop;
      const Footprint f = cooling_unit_footprint(*in_.catalog, u);
      DrawnUnit d;
      d.unit = &u;
      d.part = in_.catalog->find<CoolingPart>(u.part);
      d.place = place_of(u.id, u.hall, plan_thing(u.x, u.y, f.width, f.depth, u.rotation));
      const bool capacity = u.capacity ? in_watts(*u.capacity) > 0 : d.part && d.part->capacity;
      if (!capacity && !(d.part && (d.part->secondary_flow || (out_.facility && d.part->primary_flow))) && !u.flow) {
        problem(LoopProblemKind::unit_unrated,
                u.part.empty() ? fmt::format("{} names no part and no capacity, so it moves no {}", u.name,
                                             coolant_words())
                : d.part       ? fmt::format("Part '{}' of {} states neither capacity nor flow, so it moves no {}",
                                             u.part, u.name, coolant_words())
                         : fmt::format("The catalog has no cooling part '{}', so {} moves no {}", u.part, u.name,
                                       coolant_words()),
                {{"cooling_units", u.id}});
        continue;
      }
      // The nearest pipe of each joined part: a unit between two headers feeds both.
      for (SidePipes* side : {&*supply_, &*return_}) {
        std::map<std::uint32_t, Tap> nearest;
        for (const Tap& t : side->taps(d.place)) {
          auto [it, fresh] = nearest.try_emplace(side->part_of(t.run), t);
          if (!fresh && nearer(*side, t, it->second)) it->second = t;
        }
        for (const auto& [part, tap] : nearest)
          (side == &*supply_ ? d.supply : d.returned).push_back(tap);
      }
      // Dry coolers, chillers and towers stand outside, where no pipe is drawn: a straight pipe leads to the first one.
      if (out_.facility && d.supply.empty() && d.returned.empty() && !pipes_in_hall(u.hall)) {
        d.outside = true;
        d.supply.push_back(first_corner(*supply_, d.place));
        d.returned.push_back(first_corner(*return_, d.place));
        const double way = d.supply.back().horizontal * 1e-3;
        shortest_outside_m_ = outside_.empty() ? way : std::min(shortest_outside_m_, way);
        longest_outside_m_ = std::max(longest_outside_m_, way);
        outside_.push_back(u.name);
      }
      if (d.supply.empty() || d.returned.empty()) {
        problem(LoopProblemKind::unit_off_pipe,
                fmt::format("{} has no {} pipe of {} within {:.1f} m, so it moves no {}", u.name,
                            d.supply.empty() ? (d.returned.empty() ? "supply and no return" : "supply") : "return",
                            loop_words(), route_access_distance_mm * 1e-3, coolant_words()),
                {{"cooling_units", u.id}});
        continue;
      }
      for (const Tap& t : d.supply)
        supply_->with_unit.insert(supply_->part_of(t.run));
      for (const Tap& t : d.returned)
        return_->with_unit.insert(return_->part_of(t.run));
      units_.push_back(std::move(d));
    }
    if (of_loop == 0)
      problem(LoopProblemKind::no_unit,
              out_.facility ? fmt::format("{} carries facility water and has no dry cooler, chiller or cooling tower: "
                                          "nothing moves and cools its water",
                                          capital(loop_words()))
                            : fmt::format("{} has pipes and no distribution unit: nothing moves its coolant",
                                          capital(loop_words())),
              {{"loops", loop_.id}});
  }
  [[nodiscard]] bool pipes_in_hall(Id hall) const {
    for (const SidePipes* side : {&*supply_, &*return_})
      for (const RouteRun& run : side->graph.runs())
        if (run.hall == hall) return true;
    return false;
  }
  /// Where the pipe that was drawn first begins, and how far a straight pipe runs to it from the middle of a thing on
  /// the plan, that is one for the whole site.
  [[nodiscard]] static Tap first_corner(const SidePipes& side, const RoutePlace& place) {
    std::size_t run = 0;
    for (std::size_t r = 1; r < side.graph.runs().size(); ++r)
      if (side.pipe(r).id < side.pipe(run).id) run = r;
    const RouteRun& first = side.graph.runs()[run];
    const double way = std::hypot(first.path.front().x_mm - place.x, first.path.front().y_mm - place.y);
    return {run, 0.0, std::max(way, 1.0), 0.0, first.level};
  }

  /// By distance, then by height, then by place, so that the order of drawing decides nothing.
  static bool nearer(const SidePipes& side, const Tap& a, const Tap& b) {
    const double da = a.horizontal + a.vertical, db = b.horizontal + b.vertical;
    if (std::abs(da - db) > 1e-6) return da < db;
    return side.pipe(a.run).id < side.pipe(b.run).id;
  }

  void tap_racks() {
    std::map<std::string, std::vector<const DrawnRack*>> off; // by the side that is missing
    for (DrawnRack& r : racks_) {
      for (SidePipes* side : {&*supply_, &*return_}) {
        std::optional<Tap> best;
        bool best_fed = false;
        for (const Tap& t : side->taps(r.place)) {
          const bool fed = side->with_unit.count(side->part_of(t.run)) > 0;
          if (!best || (fed && !best_fed) || (fed == best_fed && nearer(*side, t, *best))) {
            best = t;
            best_fed = fed;
          }
        }
        (side == &*supply_ ? r.supply : r.returned) = best;
      }
      if (!r.supply || !r.returned) {
        off[!r.supply ? (!r.returned ? "supply or return" : "supply") : "return"].push_back(&r);
        continue;
      }
      supply_->racks_at[supply_->part_of(r.supply->run)].push_back(r.id);
      return_->racks_at[return_->part_of(r.returned->run)].push_back(r.id);
    }
    for (const auto& [side, racks] : off) {
      std::vector<std::string> names;
      std::vector<EntityRef> entities;
      for (const DrawnRack* r : racks) {
        names.push_back(r->name);
        entities.push_back({out_.branch_table(), r->id});
      }
      out_.racks_off_pipes += racks.size();
      problem(LoopProblemKind::rack_off_pipe,
              fmt::format("{} {} no {} pipe of {} within {:.1f} m, so no {} reaches {}", joined_names(names),
                          names.size() == 1 ? "has" : "have", side, loop_words(), route_access_distance_mm * 1e-3,
                          coolant_words(), names.size() == 1 ? "it" : "them"),
              std::move(entities));
    }
  }

  void tap_units() {
    for (SidePipes* side : {&*supply_, &*return_}) {
      side->cuts.assign(side->graph.runs().size(), {});
      for (std::size_t r = 0; r < side->cuts.size(); ++r) {
        for (const auto& [from, to] : side->sections[r])
          side->cuts[r].push_back(from), side->cuts[r].push_back(to);
      }
    }
    for (const DrawnRack& r : racks_)
      if (r.supply && r.returned) {
        supply_->cuts[r.supply->run].push_back(r.supply->along);
        return_->cuts[r.returned->run].push_back(r.returned->along);
      }
    for (const DrawnUnit& u : units_) {
      for (const Tap& t : u.supply)
        supply_->cuts[t.run].push_back(t.along);
      for (const Tap& t : u.returned)
        return_->cuts[t.run].push_back(t.along);
    }
    for (SidePipes* side : {&*supply_, &*return_})
      for (auto& c : side->cuts) {
        std::sort(c.begin(), c.end());
        c.erase(std::unique(c.begin(), c.end(), [](double a, double b) { return b - a <= same_cut; }), c.end());
      }
  }

  void tell_of_pipes() {
    for (SidePipes* side : {&*supply_, &*return_}) {
      std::map<std::uint32_t, std::vector<const Pipe*>> parts;
      for (std::size_t r = 0; r < side->graph.runs().size(); ++r)
        parts[side->part_of(r)].push_back(&side->pipe(r));
      for (const auto& [part, pipes] : parts) {
        const auto racks = side->racks_at.find(part);
        const bool unit = side->with_unit.count(part) > 0;
        if (unit) continue;
        std::vector<std::string> names;
        std::vector<EntityRef> entities;
        for (const Pipe* p : pipes) {
          if (p->loop == 0) continue; // belongs to whatever it is joined to
          names.push_back(p->name.empty() ? fmt::format("pipe {}", p->id) : p->name);
          entities.push_back({"pipes", p->id});
        }
        const char* word = side->side == PipeSide::supply ? "supply" : "return";
        if (racks != side->racks_at.end()) {
          if (units_.empty()) continue; // said of the whole loop
          std::vector<std::string> rack_names;
          for (const Id id : racks->second) {
            entities.push_back({out_.branch_table(), id});
            for (const DrawnRack& r : racks_)
              if (r.id == id) rack_names.push_back(r.name);
          }
          if (names.empty()) names.push_back(fmt::format("a {} pipe", word));
          problem(LoopProblemKind::no_way_to_unit,
                  fmt::format("No {} of {} reaches {} ({}), so no {} flows through {}", unit_words(), loop_words(),
                              joined_names(names), word, coolant_words(), joined_names(rack_names)),
                  std::move(entities));
        } else if (!names.empty())
          problem(LoopProblemKind::pipe_serves_nothing,
                  fmt::format("{} of {} ({}) {} nowhere: no {} and no {} is within {:.1f} m", joined_names(names),
                              loop_words(), word, names.size() == 1 ? "leads" : "lead",
                              out_.facility ? "distribution unit" : "rack", unit_words(),
                              route_access_distance_mm * 1e-3),
                  std::move(entities));
      }
    }
  }

  int add_node(std::string id, const LoopPlace& place, NodeKind kind = NodeKind::junction) {
    NetworkNode n;
    n.id = std::move(id);
    n.kind = kind;
    n.elevation_m = place.z_mm * 1e-3;
    out_.network.nodes.push_back(std::move(n));
    out_.places.push_back(place);
    return static_cast<int>(out_.network.nodes.size()) - 1;
  }
  /// Of a valve that is open in part: the loss of the open one over the square of its share; a shut one is closed.
  [[nodiscard]] double partly_open_loss(double share) const {
    return share > 0.0 && share < 1.0 ? est_.valve_loss / (share * share) : est_.valve_loss;
  }
  int add_link(NetworkLink link) {
    out_.network.links.push_back(std::move(link));
    return static_cast<int>(out_.network.links.size()) - 1;
  }
  NetworkLink pipe_link(std::string id, int from, int to, double length_m, double bore_m, double roughness_m,
                        double minor) const {
    NetworkLink l;
    l.id = std::move(id);
    l.from = from;
    l.to = to;
    l.length_m = std::max(length_m, shortest_pipe_m);
    l.diameter_m = bore_m;
    l.roughness = std::min(roughness_m, 0.05 * bore_m); // what the friction law allows
    l.minor_loss = minor;
    return l;
  }

  /// Nodes and pipes of both sides.
  void lay_pipes() {
    for (SidePipes* side : {&*supply_, &*return_}) {
      struct Cut {
        std::size_t run;
        double along, x, y, level;
        int node;
        bool end; ///< of its run
      };
      std::vector<Cut> all, joints;
      Unions unions;
      side->node.assign(side->cuts.size(), {});
      for (std::size_t r = 0; r < side->cuts.size(); ++r) {
        const RouteRun& run = side->graph.runs()[r];
        std::set<double> of_graph;
        for (const auto& [from, to] : side->sections[r])
          of_graph.insert(from), of_graph.insert(to);
        for (std::size_t k = 0; k < side->cuts[r].size(); ++k) {
          const double along = side->cuts[r][k];
          const PlanPoint p = point_at(run.path, along);
          const int node = unions.add();
          side->node[r].push_back(node);
          all.push_back({r, along, p.x_mm, p.y_mm, run.level, node, k == 0 || k + 1 == side->cuts[r].size()});
          const auto near = of_graph.lower_bound(along - same_cut);
          if (near != of_graph.end() && *near <= along + same_cut) joints.push_back(all.back());
        }
      }
      // The route graph cuts runs where they are joined; cuts of two runs that lie at one place are the two ends of a
      // joint. Ends of two levels above each other are a riser.
      struct Riser {
        int a, b;
        double length, bore;
      };
      std::vector<Riser> risers;
      std::vector<double> branch_loss_at(unions.size(), 0.0); // by cut
      std::sort(joints.begin(), joints.end(), [](const Cut& a, const Cut& b) {
        return std::tuple(a.x, a.y, a.run, a.along) < std::tuple(b.x, b.y, b.run, b.along);
      });
      double widest = route_meeting_distance_mm;
      for (const RouteRun& run : side->graph.runs())
        widest = std::max(widest, run.half_width);
      for (std::size_t i = 0; i < joints.size(); ++i)
        for (std::size_t j = i + 1; j < joints.size() && joints[j].x <= joints[i].x + widest + 1e-6; ++j) {
          const Cut &a = joints[i], &b = joints[j];
          const RouteRun &run_a = side->graph.runs()[a.run], &run_b = side->graph.runs()[b.run];
          if (run_a.hall != run_b.hall) continue;
          const double gap = std::hypot(a.x - b.x, a.y - b.y), vertical = std::abs(a.level - b.level);
          if (gap > std::max({route_meeting_distance_mm, run_a.half_width, run_b.half_width}) + 1e-6) continue;
          if (a.run == b.run && std::abs(a.along - b.along) <= gap + 1e-6) continue; // neighbours on a straight pipe
          if (vertical <= route_level_tolerance_mm + 1e-6) {
            unions.join(a.node, b.node);
            if (a.end && !b.end) branch_loss_at[a.node] = est_.branch_loss;
            if (b.end && !a.end) branch_loss_at[b.node] = est_.branch_loss;
          } else if (a.end && b.end && a.run != b.run)
            risers.push_back(
                {a.node, b.node, (gap + vertical) * 1e-3, 2e-3 * std::min(run_a.half_width, run_b.half_width)});
        }
      // Nodes of the network, one a set.
      std::map<int, int> node_of;
      const char* word = side->side == PipeSide::supply ? "supply" : "return";
      for (const Cut& c : all) {
        const int root = unions.of(c.node);
        if (node_of.count(root)) continue;
        const LoopPlace place{side->graph.runs()[c.run].hall, c.x, c.y, c.level};
        node_of[root] = add_node(fmt::format("{} of pipe {} at {:.3f} mm", word, side->pipe(c.run).id, c.along), place);
      }
      double& volume = side->side == PipeSide::supply ? out_.supply_volume_m3 : out_.return_volume_m3;
      for (std::size_t r = 0; r < side->cuts.size(); ++r) {
        const Pipe& pipe = side->pipe(r);
        const double bore = in_meters(pipe.diameter);
        const auto& cuts = side->cuts[r];
        volume += circle_area(bore) * path_length(pipe.path) * 1e-3;
        // Of the pipe's sections as the graph has them: by the first cut of each link.
        const std::size_t first = out_.sections.size();
        bool valve_met = false;
        const auto& drawn = side->sections[r];
        for (std::size_t s = 0; s < drawn.size(); ++s) {
          LoopSection section;
          section.pipe = pipe.id;
          const std::string name = pipe.name.empty() ? fmt::format("pipe {}", pipe.id) : pipe.name;
          section.name = drawn.size() == 1 ? name : fmt::format("{}, section {}", name, s + 1);
          section.side = side->side;
          section.from_mm = drawn[s].first;
          section.to_mm = drawn[s].second;
          section.diameter_m = bore;
          out_.sections.push_back(std::move(section));
        }
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
          const int a = node_of[unions.of(side->node[r][k])], b = node_of[unions.of(side->node[r][k + 1])];
          if (a == b) continue;
          double minor = est_.bend_loss * turns_between(pipe.path, cuts[k], cuts[k + 1]) +
                         branch_loss_at[side->node[r][k]] + branch_loss_at[side->node[r][k + 1]];
          // Its valve, at its first corner.
          if (!valve_met && pipe.valve_open < 1.0) minor += partly_open_loss(pipe.valve_open);
          const double roughness = pipe.roughness ? in_meters(*pipe.roughness) : est_.pipe_roughness_m;
          const int link = add_link(pipe_link(fmt::format("pipe {} from {:.3f} mm", pipe.id, cuts[k]), a, b,
                                              (cuts[k + 1] - cuts[k]) * 1e-3, bore, roughness, minor));
          if (!valve_met && !(pipe.valve_open > 0.0)) out_.network.links[link].status = LinkStatus::closed;
          if (!valve_met && pipe.valve_open < 1.0) valves_.emplace_back(&pipe, link);
          valve_met = true;
          for (std::size_t s = 0; s < drawn.size(); ++s)
            if (cuts[k] >= drawn[s].first - same_cut && cuts[k + 1] <= drawn[s].second + same_cut) {
              out_.sections[first + s].links.push_back(link);
              break;
            }
        }
        for (int& node : side->node[r])
          node = node_of[unions.of(node)];
      }
      std::size_t riser = 0;
      for (const Riser& r : risers) {
        const int a = node_of[unions.of(r.a)], b = node_of[unions.of(r.b)];
        if (a == b) continue;
        volume += circle_area(r.bore) * r.length;
        add_link(pipe_link(fmt::format("{} riser {}", word, ++riser), a, b, r.length, r.bore, est_.pipe_roughness_m,
                           2 * est_.bend_loss));
      }
    }
  }
  [[nodiscard]] int node_at(const SidePipes& side, const Tap& tap) const {
    const auto& cuts = side.cuts[tap.run];
    auto it = std::lower_bound(cuts.begin(), cuts.end(), tap.along - same_cut);
    if (it == cuts.end()) --it;
    return side.node[tap.run][static_cast<std::size_t>(it - cuts.begin())];
  }

  void add_units() {
    const double weight = out_.density_kg_per_m3 * loop_gravity;
    for (const DrawnUnit& d : units_) {
      LoopUnit u;
      u.unit = d.unit->id;
      u.name = d.unit->name.empty() ? fmt::format("unit {}", d.unit->id) : d.unit->name;
      u.kind = d.unit->kind;
      u.fixed_speed = d.unit->pump_speed;
      const auto known = [](const auto& v) { return v && base_value(*v) > 0.0 && std::isfinite(base_value(*v)); };
      if (d.unit->capacity)
        u.capacity_w = in_watts(*d.unit->capacity);
      else if (d.part && known(d.part->capacity))
        u.capacity_w = in_watts(*d.part->capacity);
      u.approach_k = d.part && known(d.part->approach) ? in_kelvins(*d.part->approach) : est_.approach_k;
      if (out_.facility && u.kind != CoolingUnitKind::chiller) {
        const bool tower = u.kind == CoolingUnitKind::cooling_tower;
        u.sink_c = outdoor_c(tower);
        if (!(d.part && known(d.part->approach)))
          u.approach_k = known(in_.plant->heat_rejection_approach) ? in_kelvins(*in_.plant->heat_rejection_approach)
                         : tower                                   ? est_.cooling_tower_approach_k
                                                                   : est_.dry_cooler_approach_k;
      }
      if (known(d.unit->flow))
        u.rated_flow_m3_per_s = base_value(*d.unit->flow);
      else if (d.part && known(d.part->secondary_flow))
        u.rated_flow_m3_per_s = base_value(*d.part->secondary_flow);
      else if (out_.facility && d.part && known(d.part->primary_flow))
        u.rated_flow_m3_per_s = base_value(*d.part->primary_flow);
      else {
        u.rated_flow_m3_per_s =
            !out_.facility       ? u.capacity_w * est_.flow_per_watt_m3_per_j
            : out_.rise_k > 0.0 ? u.capacity_w / (out_.density_kg_per_m3 * out_.specific_heat_j_per_kg_k * out_.rise_k)
                                 : 0.0;
        u.estimated = true;
        flows_estimated_.push_back(u.name);
      }
      if (!(u.rated_flow_m3_per_s > 0.0)) continue;
      const bool in_rack = d.part && d.part->kind.find("in-rack") != std::string::npos;
      if (known(d.unit->pump_head))
        u.rated_head_pa = base_value(*d.unit->pump_head);
      else if (d.part && known(d.part->pump_head))
        u.rated_head_pa = base_value(*d.part->pump_head);
      else {
        u.rated_head_pa = out_.facility ? est_.facility_head_pa : in_rack ? est_.in_rack_head_pa : est_.in_row_head_pa;
        u.estimated = true;
        heads_estimated_.push_back(fmt::format("{} ({:.0f} kPa)", u.name, u.rated_head_pa * 1e-3));
      }
      u.facility_flow_m3_per_s =
          !out_.facility && d.part && known(d.part->primary_flow) ? base_value(*d.part->primary_flow)
                                                                  : u.rated_flow_m3_per_s;
      const int drawn_pumps = d.unit->pumps ? static_cast<int>(std::clamp<Count>(*d.unit->pumps, 1, 64)) : 0;
      const int pumps = drawn_pumps > 0              ? drawn_pumps
                        : setup_.pumps_per_unit > 0 ? setup_.pumps_per_unit
                                                     : est_.pumps_per_unit;
      const LoopPlace place{d.place.hall, d.place.x, d.place.y, d.place.height};
      u.returned = add_node(fmt::format("unit {} return", u.unit), place);
      u.supply = add_node(fmt::format("unit {} supply", u.unit), place);
      auto curve = pump_curve_through({{u.rated_flow_m3_per_s / pumps, u.rated_head_pa / weight}});
      if (!curve) { // neither is above 0: excluded above
        problem(LoopProblemKind::unit_unrated, u.name + ": " + curve.error(), {{"cooling_units", u.unit}});
        continue;
      }
      const int curve_index = static_cast<int>(out_.network.pump_curves.size());
      out_.network.pump_curves.push_back({fmt::format("unit {}", u.unit), *curve});
      for (int p = 0; p < pumps; ++p) {
        NetworkLink pump;
        pump.id = fmt::format("unit {} pump {}", u.unit, p + 1);
        pump.kind = LinkKind::pump;
        pump.from = u.returned;
        pump.to = u.supply;
        pump.setting = u.fixed_speed.value_or(1.0);
        pump.curve = curve_index;
        u.pumps.push_back(add_link(std::move(pump)));
      }
      const double bore = bore_for(u.rated_flow_m3_per_s, est_.connection_velocity_m_per_s);
      const auto connect = [&](const SidePipes& side, const std::vector<Tap>& taps, bool supply) {
        for (const Tap& t : taps) {
          const double length = (t.horizontal + t.vertical) * 1e-3;
          const int header = node_at(side, t);
          (supply ? out_.supply_volume_m3 : out_.return_volume_m3) += circle_area(bore) * length;
          u.connections.push_back(add_link(pipe_link(
              fmt::format("unit {} {} connection {}", u.unit, supply ? "supply" : "return", u.connections.size() + 1),
              supply ? u.supply : header, supply ? header : u.returned, length, bore, est_.pipe_roughness_m,
              2 * est_.bend_loss + est_.branch_loss + est_.valve_loss)));
        }
      };
      connect(*supply_, d.supply, true);
      connect(*return_, d.returned, false);
      out_.units.push_back(std::move(u));
    }
    std::sort(out_.units.begin(), out_.units.end(),
              [](const LoopUnit& a, const LoopUnit& b) { return a.unit < b.unit; });
  }

  /// Flow and drop that the parts of a rack state for its manifold and plates.
  struct RatedPlates {
    double flow = 0.0, drop = 0.0;
    bool estimated = true;
    std::optional<double> warmest_c;
  };
  RatedPlates rated_plates(const Rack& rack) {
    auto [it, fresh] = plates_.try_emplace(rack.rack_type);
    if (!fresh) return it->second;
    RatedPlates& out = it->second;
    const RackType* type = find(*in_.rack_types, rack.rack_type);
    if (!type) return out;
    const auto takes_at_most = [&](const Known<Temperature>& t) {
      if (t && std::isfinite(t->kelvin())) out.warmest_c = std::min(out.warmest_c.value_or(1e9), t->kelvin() - 273.15);
    };
    for (const RackItem& item : *in_.rack_items)
      if (item.rack_type == type->id && item.kind == RackItemKind::node)
        if (const NodePart* node = in_.catalog->find<NodePart>(item.part)) takes_at_most(node->coolant_supply_maximum);
    if (const RackPart* part = in_.catalog->find<RackPart>(type->rack_part)) {
      takes_at_most(part->coolant_supply);
      if (part->coolant_flow) out.flow = base_value(*part->coolant_flow);
      if (part->coolant_flow && part->coolant_pressure_drop && base_value(*part->coolant_pressure_drop) > 0) {
        out.drop = base_value(*part->coolant_pressure_drop);
        out.estimated = false;
      }
    }
    if (!(out.flow > 0.0))
      for (const RackItem& item : *in_.rack_items) {
        if (item.rack_type != type->id || item.kind != RackItemKind::node) continue;
        const NodePart* node = in_.catalog->find<NodePart>(item.part);
        if (node && node->coolant_flow) out.flow += static_cast<double>(item.count) * base_value(*node->coolant_flow);
      }
    if (!std::isfinite(out.flow) || !(out.flow > 0.0)) out.flow = 0.0;
    if (out.estimated) out.drop = est_.rack_drop_pa;
    return out;
  }

  /// Of the air on the design day; of towers its wet bulb, where the climate says.
  [[nodiscard]] std::optional<double> outdoor_c(bool wet) {
    if (!in_.site) return {};
    const double dry = in_.site->outdoor_design_temperature.kelvin() - 273.15;
    if (!wet) return dry;
    if (const ClimatePart* climate = in_.catalog->find<ClimatePart>(in_.site->climate_part);
        climate && climate->wet_bulb_0_4)
      return std::min(climate->wet_bulb_0_4->kelvin() - 273.15, dry);
    wet_bulb_unknown_ = true;
    return dry;
  }

  int plate_curve(double flow, double drop_pa) {
    auto [it, fresh] = curves_.try_emplace({flow, drop_pa}, static_cast<int>(out_.network.loss_curves.size()));
    if (!fresh) return it->second;
    LossCurve curve;
    curve.id = fmt::format("plates {}", it->second + 1);
    // Chords of the power law: 40 points to four times the rated flow hold it within 0.3 % from a tenth of it on.
    const double head = drop_pa / (out_.density_kg_per_m3 * loop_gravity);
    curve.points.push_back({0.0, 0.0});
    constexpr int points = 40;
    for (int i = 0; i < points; ++i) {
      const double share = 0.02 * std::pow(200.0, i / (points - 1.0));
      curve.points.push_back(
          {flow * share, head * std::pow(share, out_.facility ? est_.primary_drop_exponent : est_.rack_drop_exponent)});
    }
    out_.network.loss_curves.push_back(std::move(curve));
    return it->second;
  }

  void add_racks() {
    std::sort(racks_.begin(), racks_.end(),
              [](const DrawnRack& a, const DrawnRack& b) { return a.id < b.id; });
    for (const DrawnRack& d : racks_) {
      if (!d.supply || !d.returned) continue;
      LoopRack r;
      r.rack = d.id;
      r.of_loop = d.cdu ? d.cdu->loop : 0;
      r.name = !d.name.empty() ? d.name : d.cdu ? fmt::format("unit {}", r.rack) : fmt::format("rack {}", r.rack);
      r.heat_w = d.coolant.heat_w;
      r.need_m3_per_s = d.coolant.need_m3_per_s;
      RatedPlates plates = d.cdu ? rated_side(*d.cdu) : rated_plates(*d.rack);
      if (d.cdu && !(plates.flow > 0.0)) continue; // it moves nothing either: said of its own loop
      if (d.cdu) r.need_m3_per_s = plates.flow;
      if (!(plates.flow > 0.0)) plates.flow = r.need_m3_per_s;
      if (!(plates.drop > 0.0)) plates.drop = est_.rack_drop_pa;
      r.rated_flow_m3_per_s = plates.flow;
      r.rated_drop_pa = plates.drop;
      r.drop_estimated = plates.estimated;
      r.warmest_supply_c = plates.warmest_c;
      if (plates.estimated) ++drops_estimated_;
      r.reached = supply_->with_unit.count(supply_->part_of(d.supply->run)) > 0 &&
                  return_->with_unit.count(return_->part_of(d.returned->run)) > 0;
      r.hose_bore_m = d.cdu ? bore_for(r.rated_flow_m3_per_s, est_.connection_velocity_m_per_s)
                      : d.rack->hose_diameter && in_meters(*d.rack->hose_diameter) > 0.0
                          ? in_meters(*d.rack->hose_diameter)
                          : bore_for(std::max(r.need_m3_per_s, r.rated_flow_m3_per_s), est_.hose_velocity_m_per_s);
      const LoopPlace place{d.place.hall, d.place.x, d.place.y, d.place.height};
      r.inlet = add_node(fmt::format("{} {} inlet", d.cdu ? "facility side" : "rack", r.rack), place);
      r.outlet = add_node(fmt::format("{} {} outlet", d.cdu ? "facility side" : "rack", r.rack), place);
      const double minor = d.cdu ? 2 * est_.bend_loss + est_.branch_loss + est_.valve_loss
                                 : est_.hose_fittings_loss + est_.coupling_loss + est_.valve_loss;
      const double roughness = d.cdu ? est_.pipe_roughness_m : est_.hose_roughness_m;
      const char* const what = d.cdu ? "facility side" : "rack";
      const char* const hose = d.cdu ? "connection" : "hose";
      const double valve_open = d.cdu ? 1.0 : d.rack->coolant_valve;
      const double to = (d.supply->horizontal + d.supply->vertical) * 1e-3,
                   from = (d.returned->horizontal + d.returned->vertical) * 1e-3;
      r.hose_length_m = to + from;
      out_.supply_volume_m3 += circle_area(r.hose_bore_m) * to;
      out_.return_volume_m3 += circle_area(r.hose_bore_m) * from;
      r.supply_hose = add_link(pipe_link(fmt::format("{} {} supply {}", what, r.rack, hose),
                                         node_at(*supply_, *d.supply), r.inlet, to, r.hose_bore_m, roughness, minor));
      int plates_to = r.outlet;
      if (setup_.pressure_independent_valves) {
        plates_to = add_node(fmt::format("rack {} valve", r.rack), place);
        NetworkLink valve;
        valve.id = fmt::format("rack {} pressure-independent valve", r.rack);
        valve.kind = LinkKind::flow_control;
        valve.from = plates_to;
        valve.to = r.outlet;
        valve.diameter_m = r.hose_bore_m;
        valve.minor_loss = 5.0; // open, full stroke; project choice
        valve.setting = r.need_m3_per_s;
        r.valve = add_link(std::move(valve));
      }
      NetworkLink inside;
      inside.id = d.cdu ? fmt::format("facility side {} exchanger", r.rack)
                        : fmt::format("rack {} manifold and cold plates", r.rack);
      inside.kind = LinkKind::general;
      inside.from = r.inlet;
      inside.to = plates_to;
      inside.diameter_m = r.hose_bore_m;
      inside.curve = plate_curve(plates.flow, plates.drop);
      r.plates = add_link(std::move(inside));
      r.return_hose =
          add_link(pipe_link(fmt::format("{} {} return {}", what, r.rack, hose), r.outlet,
                             node_at(*return_, *d.returned), from, r.hose_bore_m, roughness,
                             minor - est_.valve_loss + partly_open_loss(valve_open)));
      if (!(valve_open > 0.0))
        out_.network.links[r.supply_hose].status = out_.network.links[r.return_hose].status = LinkStatus::closed;
      out_.racks.push_back(std::move(r));
    }
  }

  /// Valves of pipes that are throttled or shut where no coolant comes past, with all other valves open: only links on a
  /// circle with a pump carry any.
  void tell_of_valves() {
    if (valves_.empty() || out_.units.empty() || out_.racks.empty()) return;
    std::vector<CircleLink> links;
    for (const NetworkLink& l : out_.network.links)
      links.push_back({l.from, l.to});
    for (const LoopUnit& u : out_.units) // pumps of one unit make no circle among themselves
      for (std::size_t p = 1; p < u.pumps.size(); ++p)
        links[static_cast<std::size_t>(u.pumps[p])].left_out = true;
    const std::vector<int> blocks = blocks_of(out_.network.nodes.size(), links);
    std::set<int> pumped;
    for (const LoopUnit& u : out_.units)
      pumped.insert(blocks[static_cast<std::size_t>(u.pumps.front())]);
    pumped.erase(-1);
    for (const auto& [pipe, link] : valves_)
      if (!pumped.count(blocks[static_cast<std::size_t>(link)]))
        problem(LoopProblemKind::valve_without_flow,
                fmt::format("The valve of {}, {}, has no effect: it stands at the first corner of the pipe, which is a "
                            "dead end of {} before anything is joined to it. Draw the pipe from where it is joined, or "
                            "shut or throttle the pipe that feeds it",
                            pipe_words(*pipe),
                            pipe->valve_open > 0.0 ? fmt::format("{:.0f} % open", pipe->valve_open * 100.0) : "shut",
                            loop_words()),
                {{"pipes", pipe->id}});
  }

  /// One expansion vessel for each part that hangs together, at the unit with the lowest id; the others' stay shut.
  void anchor() {
    double highest = 0.0;
    for (const NetworkNode& n : out_.network.nodes)
      highest = std::max(highest, n.elevation_m);
    Unions parts;
    for (std::size_t i = 0; i < out_.network.nodes.size(); ++i)
      parts.add();
    for (const NetworkLink& l : out_.network.links)
      if (l.status != LinkStatus::closed) parts.join(l.from, l.to);
    std::set<int> anchored;
    for (LoopUnit& u : out_.units) {
      const LoopPlace place = out_.places[u.returned];
      const int vessel = add_node(fmt::format("unit {} expansion vessel", u.unit), place, NodeKind::reservoir);
      out_.network.nodes[vessel].head_m = highest + est_.fill_pressure_pa / (out_.density_kg_per_m3 * loop_gravity);
      NetworkLink l = pipe_link(fmt::format("unit {} to its expansion vessel", u.unit), vessel, u.returned, 1.0, 0.05,
                                est_.pipe_roughness_m, 0.0);
      if (!anchored.insert(parts.of(u.returned)).second) l.status = LinkStatus::closed;
      u.anchor = add_link(std::move(l));
    }
    const double asked = out_.supply_c - (out_.units.empty() ? est_.approach_k : out_.units.front().approach_k);
    out_.facility_supply_estimated = !setup_.facility_supply_c.has_value();
    out_.facility_supply_c = setup_.facility_supply_c.value_or(asked);
    if (named_) {
      out_.facility_loop = named_->loop;
      out_.facility_supply_estimated = false;
      out_.facility_supply_c = named_->supply_c;
    }
  }

  void state_estimates() {
    auto& say = out_.estimates;
    if (!heads_estimated_.empty())
      say.push_back("Pump head estimated for " + joined_names(heads_estimated_) +
                    ": their parts state none (OCP L-LCDU: at least 40 psi in a row, 25 psi in a rack)");
    if (!flows_estimated_.empty())
      say.push_back("Flow of " + joined_names(flows_estimated_) + " estimated at 1.5 L/min per kW of capacity");
    if (!out_.units.empty())
      say.push_back(fmt::format("Pump curves go through the rated point of the part, with 4/3 of its head at no flow; "
                                "{} pumps in parallel in each unit",
                                out_.units.front().pumps.size()));
    if (!viscosity_words_.empty()) say.push_back(viscosity_words_);
    if (out_.facility) {
      state_facility_estimates();
      return;
    }
    if (named_ && setup_.facility_supply_c)
      say.push_back(fmt::format("Facility water comes from loop '{}'; the {:.1f} degC that are entered are not used",
                                named_->name, *setup_.facility_supply_c));
    if (drops_estimated_ > 0)
      say.push_back(
          fmt::format("Manifold and cold plates of {} of {} racks estimated at {:.0f} kPa at their rated flow "
                      "(MGX specification 1.1); the others from their part; all with exponent {:.3f}",
                      drops_estimated_, out_.racks.size(), est_.rack_drop_pa * 1e-3, est_.rack_drop_exponent));
    say.push_back(
        fmt::format("Hoses sized for {:.1f} m/s, with a flat-face coupling (K {:.1f}), fittings (K {:.1f}) and "
                    "a ball valve (K {:.1f}) each; pipe roughness {:.0f} um",
                    est_.hose_velocity_m_per_s, est_.coupling_loss, est_.hose_fittings_loss, est_.valve_loss,
                    est_.pipe_roughness_m * 1e6));
    if (out_.facility_supply_estimated)
      say.push_back(fmt::format("Facility water at {:.1f} degC: the supply less the approach of the first unit",
                                out_.facility_supply_c));
  }

  void state_facility_estimates() {
    auto& say = out_.estimates;
    if (supply_estimated_)
      say.push_back(fmt::format("Supply at {:.1f} degC: the lowest supply of the loops that name it less the approach of "
                                "their units",
                                out_.supply_c));
    if (!outside_.empty())
      say.push_back(fmt::format("{} {} where no pipe of the loop is drawn: {} of straight pipe to its first corner",
                                joined_names(outside_), outside_.size() == 1 ? "stands" : "stand",
                                longest_outside_m_ - shortest_outside_m_ < 1.0
                                    ? fmt::format("{:.0f} m", longest_outside_m_)
                                    : fmt::format("{:.0f} to {:.0f} m", shortest_outside_m_, longest_outside_m_)));
    if (drops_estimated_ > 0)
      say.push_back(fmt::format("Facility sides of {} of {} distribution units lose {:.0f} kPa at their rated flow, the "
                                "others what their part states; all with the square of flow; their control valves open",
                                drops_estimated_, out_.racks.size(), est_.primary_drop_pa * 1e-3));
    for (const LoopUnit& u : out_.units)
      if (u.sink_c) {
        say.push_back(fmt::format("Dry coolers and towers reject to {:.1f} degC and hold {:.1f} K above that at their "
                                  "rating{}; chillers take their rating whatever the temperatures",
                                  *u.sink_c, u.approach_k,
                                  wet_bulb_unknown_ ? "; the wet bulb is not known, so towers count with the dry bulb"
                                                    : ""));
        break;
      }
  }
  /// Facility side of a distribution unit: flow and loss of its part, else of the estimates.
  RatedPlates rated_side(const CoolingUnit& unit) {
    RatedPlates out;
    const CoolingPart* part = in_.catalog->find<CoolingPart>(unit.part);
    const auto known = [](const auto& v) { return v && base_value(*v) > 0.0 && std::isfinite(base_value(*v)); };
    if (part && known(part->primary_flow))
      out.flow = base_value(*part->primary_flow);
    else if (known(unit.flow)) // as much as on the side of the loop
      out.flow = base_value(*unit.flow);
    else if (part && known(part->secondary_flow))
      out.flow = base_value(*part->secondary_flow);
    else if (unit.capacity || (part && known(part->capacity)))
      out.flow = in_watts(unit.capacity ? *unit.capacity : *part->capacity) * est_.flow_per_watt_m3_per_j;
    out.drop = est_.primary_drop_pa;
    if (part && known(part->primary_flow) && known(part->primary_pressure_drop)) {
      out.drop = base_value(*part->primary_pressure_drop);
      out.estimated = false;
    }
    return out;
  }

  static constexpr double same_cut = 1e-3;        // mm
  static constexpr double shortest_pipe_m = 0.01; // keeps a pipe's law from vanishing

  const DrawnLoopInputs& in_;
  LoopEstimates est_;
  const CoolantLoop& loop_;
  const FacilityNames& names_;
  const DrawnLoop* named_;
  LoopSetup setup_;
  DrawnLoop out_;
  std::vector<DrawnRack> racks_;
  std::vector<DrawnUnit> units_;
  std::vector<std::pair<const Pipe*, int>> valves_; ///< of pipes that are not fully open, with their links
  std::optional<SidePipes> supply_, return_;
  std::map<Id, RatedPlates> plates_;                ///< by rack type
  std::map<std::pair<double, double>, int> curves_; ///< by rated flow and drop
  std::vector<std::string> heads_estimated_, flows_estimated_, outside_;
  double shortest_outside_m_ = 0.0, longest_outside_m_ = 0.0; ///< pipe to them
  std::string viscosity_words_;
  bool supply_estimated_ = false, wet_bulb_unknown_ = false;
  std::size_t drops_estimated_ = 0;
};

} // namespace

double stated_value(const Catalog& catalog, std::string_view id, const Kind& kind, double otherwise) {
  const Assumption* a = catalog.find<Assumption>(id);
  if (!a || !a->value) return otherwise;
  const auto value =
      parse_quantity(exact_number(*a->value) + (a->unit.empty() || a->unit == "1" ? "" : " " + a->unit), kind);
  return value && std::isfinite(*value) && *value > 0.0 ? *value : otherwise;
}

LoopEstimates loop_estimates(const Catalog& c) {
  LoopEstimates e;
  e.hose_velocity_m_per_s = stated_value(c, "cooling.copper_velocity_limit", kind::velocity, e.hose_velocity_m_per_s);
  e.connection_velocity_m_per_s =
      stated_value(c, "cooling.pipe_velocity_practice", kind::velocity, e.connection_velocity_m_per_s);
  e.rack_drop_exponent = stated_value(c, "cooling.nvl72_pressure_drop_exponent", kind::ratio, e.rack_drop_exponent);
  e.facility_head_pa = stated_value(c, "cooling.facility_pump_head", kind::pressure, e.facility_head_pa);
  e.primary_drop_pa = stated_value(c, "cooling.primary_pressure_drop", kind::pressure, e.primary_drop_pa);
  e.dry_cooler_approach_k =
      stated_value(c, "cooling.dry_cooler_approach", kind::temperature_difference, e.dry_cooler_approach_k);
  e.cooling_tower_approach_k =
      stated_value(c, "cooling.tower_approach", kind::temperature_difference, e.cooling_tower_approach_k);
  e.approach_k = stated_value(c, "cooling.cdu_approach", kind::temperature_difference, e.approach_k);
  e.pump_efficiency = stated_value(c, "cooling.pump_efficiency", kind::ratio, 0.75) *
                      stated_value(c, "cooling.pump_motor_efficiency", kind::ratio, 0.92);
  return e;
}

double viscosity_at(const Catalog& catalog, const FluidPart& part, double celsius) {
  const double own = base_value(*part.viscosity);
  if (!part.temperature || !std::isfinite(celsius)) return own;
  const auto family = [](const std::string& id) { return id.substr(0, id.rfind('-')); };
  std::vector<std::pair<double, double>> rows; // temperature, viscosity
  for (const FluidPart& f : catalog.fluids)
    if (f.name == part.name && family(f.id) == family(part.id) && f.temperature && f.viscosity &&
        base_value(*f.viscosity) > 0.0)
      rows.emplace_back(f.temperature->kelvin() - 273.15, base_value(*f.viscosity));
  std::sort(rows.begin(), rows.end());
  if (rows.size() < 2) return own;
  const auto above =
      std::lower_bound(rows.begin(), rows.end(), celsius, [](const auto& r, double c) { return r.first < c; });
  if (above == rows.begin()) return rows.front().second;
  if (above == rows.end()) return rows.back().second;
  const auto below = above - 1;
  if (!(above->first > below->first)) return above->second;
  const double share = (celsius - below->first) / (above->first - below->first);
  return below->second * std::pow(above->second / below->second, share);
}

const std::vector<double>& standard_bores_m() {
  static const std::vector<double> bores = {0.0266, 0.0409, 0.0525, 0.0779, 0.1023, 0.1541,
                                            0.2027, 0.2545, 0.3032, 0.3810, 0.5747};
  return bores;
}

double bore_for(double flow, double velocity) {
  for (const double bore : standard_bores_m())
    if (flow <= velocity * circle_area(bore)) return bore;
  return standard_bores_m().back();
}

std::vector<DrawnLoop> drawn_loops(const DrawnLoopInputs& in) {
  std::vector<DrawnLoop> out(in.loops->size());
  const LoopEstimates estimates = loop_estimates(*in.catalog);
  const FacilityNames names = facility_names(*in.loops);
  for (std::size_t i = 0; i < out.size(); ++i) // first, since the others hang on them
    if (names.is_facility((*in.loops)[i].id))
      out[i] = LoopBuilder(in, estimates, (*in.loops)[i], names, nullptr).build();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const CoolantLoop& loop = (*in.loops)[i];
    if (names.is_facility(loop.id)) continue;
    const DrawnLoop* facility = nullptr;
    if (const auto named = names.of.find(loop.id); named != names.of.end())
      for (const DrawnLoop& f : out)
        if (f.facility && f.loop == named->second && f.solvable()) facility = &f;
    out[i] = LoopBuilder(in, estimates, loop, names, facility).build();
  }
  return out;
}

} // namespace hallwright
