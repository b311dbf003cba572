// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_results.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cooling/boiling.h"
#include "cooling/facility_loop.h"
#include "cooling/facility_water.h"
#include "cooling/heat_without_way.h"
#include "cooling/loop_return.h"

namespace hallwright {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

double kelvins_of(double celsius, bool known) { return known ? celsius + 273.15 : not_known; }
double seconds_or_unknown(const std::optional<double>& s) { return s ? *s : not_known; }

/// @param of_water  in a loop of facility water
const char* failure_word(LoopFailureKind kind, bool of_water) {
  switch (kind) {
  case LoopFailureKind::unit:
    return of_water ? "unit" : "CDU";
  case LoopFailureKind::pump:
    return "pump";
  case LoopFailureKind::section:
    return "pipe section";
  case LoopFailureKind::rack_valve:
    return of_water ? "facility valve" : "rack valve";
  case LoopFailureKind::facility:
    return "facility water";
  }
  return "";
}

Table racks_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_racks";
  t.title = "Solved flow of racks";
  t.entity_table = "racks";
  t.columns.reserve(10);
  auto& rack = t.add_words("rack", "Rack");
  auto& loop = t.add_words("loop", "Loop");
  auto& need = t.add_numbers("need", "Needed flow", kind::volume_flow, "L/min");
  auto& flow = t.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
  auto& full = t.add_numbers("share_at_full_speed", "Share of need, pumps at full speed", kind::percent);
  auto& supply = t.add_numbers("supply", "Supply", kind::temperature, "degC");
  auto& returned = t.add_numbers("return", "Return", kind::temperature, "degC");
  auto& pressure = t.add_numbers("inlet_pressure", "Pressure at the inlet", kind::pressure, "kPa");
  auto& drop = t.add_numbers("drop", "Loss between the pipes", kind::pressure, "kPa");
  auto& velocity = t.add_numbers("hose_velocity", "Velocity in hoses", kind::velocity, "m/s");
  flow.formula = "pressures of all pipes, hoses, plates and pumps balanced; pumps as slow as the worst rack allows";
  for (const LoopLook& l : looks.loops) {
    if (!l.steady || l.loop->facility) continue;
    for (std::size_t i = 0; i < l.steady->racks.size(); ++i) {
      const RackFlow& r = l.steady->racks[i];
      const bool warm = r.flowing && l.steady->temperatures_known;
      rack.words.push_back(l.loop->racks[i].name);
      loop.words.push_back(l.loop->name);
      need.numbers.push_back(l.loop->racks[i].need_m3_per_s);
      flow.numbers.push_back(r.flow_m3_per_s);
      full.numbers.push_back(l.full ? l.full->racks[i].share : not_known);
      supply.numbers.push_back(kelvins_of(r.supply_c, warm));
      returned.numbers.push_back(kelvins_of(r.return_c, warm && r.return_c < boils_at_c(*l.loop, *l.steady, l.loop->racks[i].outlet))); // else it boils
      pressure.numbers.push_back(r.inlet_pressure_pa);
      drop.numbers.push_back(r.flowing ? r.drop_pa : not_known);
      velocity.numbers.push_back(r.hose_velocity_m_per_s);
      t.entities.push_back(r.rack);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

/// Facility sides of distribution units.
Table sides_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.facility_sides";
  t.title = "Facility water of distribution units";
  t.entity_table = "cooling_units";
  t.columns.reserve(11);
  auto& unit = t.add_words("unit", "Unit");
  auto& water = t.add_words("facility_loop", "Facility water");
  auto& loop = t.add_words("loop", "Loop");
  auto& need = t.add_numbers("need", "Needed flow", kind::volume_flow, "L/min");
  auto& flow = t.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
  auto& full = t.add_numbers("share_at_full_speed", "Share of need, pumps at full speed", kind::percent);
  auto& entering = t.add_numbers("entering", "Entering", kind::temperature, "degC");
  auto& leaving = t.add_numbers("leaving", "Leaving", kind::temperature, "degC");
  auto& drop = t.add_numbers("drop", "Loss between the pipes", kind::pressure, "kPa");
  auto& heat = t.add_numbers("heat", "Heat taken", kind::power, "kW");
  auto& approach = t.add_numbers("approach", "Supply of its loop less entering", kind::temperature_difference, "K");
  need.formula = "flow at which the exchanger holds the supply of its loop, and 5 % for its valve: more where the unit's pumps take more of the heat";
  full.formula = "flow over need; the flow is set by pumps, pipes and valves of the facility water alone, not by pumps of distribution units";
  heat.formula = "effectiveness of counterflow from the rating, films over flow^0.8 on both sides";
  for (const LoopLook& l : looks.loops) {
    if (!l.steady || !l.loop->facility) continue;
    for (std::size_t i = 0; i < l.steady->racks.size(); ++i) {
      const RackFlow& side = l.steady->racks[i];
      const LoopRack& drawn = l.loop->racks[i];
      const auto served = std::find_if(looks.loops.begin(), looks.loops.end(),
                                       [&](const LoopLook& other) { return other.loop->loop == drawn.of_loop; });
      const UnitWork* work = nullptr;
      if (served != looks.loops.end() && served->steady)
        for (const UnitWork& u : served->steady->units)
          if (u.unit == side.rack) work = &u;
      const bool warm = side.flowing && l.steady->temperatures_known;
      const bool holds = warm && work && work->running && served->steady->temperatures_known;
      unit.words.push_back(drawn.name);
      water.words.push_back(l.loop->name);
      loop.words.push_back(served != looks.loops.end() ? served->loop->name : std::string());
      need.numbers.push_back(drawn.need_m3_per_s);
      flow.numbers.push_back(side.flow_m3_per_s);
      full.numbers.push_back(l.full ? l.full->racks[i].share : not_known);
      entering.numbers.push_back(kelvins_of(side.supply_c, warm));
      leaving.numbers.push_back(kelvins_of(side.return_c, warm && side.return_c < boils_at_c(*l.loop, *l.steady, drawn.outlet)));
      drop.numbers.push_back(side.flowing ? side.drop_pa : not_known);
      heat.numbers.push_back(warm ? drawn.heat_w : not_known);
      approach.numbers.push_back(holds ? work->supply_c - side.supply_c : not_known);
      t.entities.push_back(side.rack);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

Table units_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_units";
  t.title = "Distribution units at their working point";
  t.entity_table = "cooling_units";
  t.columns.reserve(11);
  auto& unit = t.add_words("unit", "Unit");
  auto& loop = t.add_words("loop", "Loop");
  auto& speed = t.add_numbers("speed", "Speed of pumps", kind::percent);
  auto& flow = t.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
  auto& head = t.add_numbers("head", "Pressure rise", kind::pressure, "kPa");
  auto& curve = t.add_numbers("curve_share", "Place on the pump curve", kind::percent);
  auto& returned = t.add_numbers("return", "Return", kind::temperature, "degC");
  auto& supply = t.add_numbers("supply", "Supply", kind::temperature, "degC");
  auto& duty = t.add_numbers("duty", "Duty", kind::power, "kW");
  auto& share = t.add_numbers("duty_share", "Share of what its exchanger passes on", kind::percent);
  auto& power = t.add_numbers("pump_power", "Electrical power of pumps", kind::power, "kW");
  curve.formula = "flow over the flow at which the curve has no head left";
  for (const LoopLook& l : looks.loops) {
    if (!l.steady) continue;
    for (std::size_t i = 0; i < l.steady->units.size(); ++i) {
      const UnitWork& u = l.steady->units[i];
      const bool warm = u.running && l.steady->temperatures_known;
      unit.words.push_back(l.loop->units[i].name);
      loop.words.push_back(l.loop->name);
      speed.numbers.push_back(l.loop->units[i].fixed_speed.value_or(l.steady->speed));
      flow.numbers.push_back(u.flow_m3_per_s);
      head.numbers.push_back(u.head_pa);
      curve.numbers.push_back(u.curve_share);
      returned.numbers.push_back(kelvins_of(u.return_c, warm));
      supply.numbers.push_back(kelvins_of(u.supply_c, warm));
      duty.numbers.push_back(warm ? u.duty_w : not_known);
      share.numbers.push_back(warm && u.capacity_w > 0.0 ? u.duty_share : not_known);
      power.numbers.push_back(u.pump_power_w);
      t.entities.push_back(u.unit);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

Table pipes_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_pipes";
  t.title = "Flow in pipes";
  t.entity_table = "pipes";
  t.columns.reserve(8);
  auto& section = t.add_words("section", "Section");
  auto& loop = t.add_words("loop", "Loop");
  auto& side = t.add_words("side", "Side");
  auto& bore = t.add_numbers("diameter", "Inner diameter", kind::length, "mm");
  auto& flow = t.add_numbers("flow", "Largest flow", kind::volume_flow, "L/min");
  auto& velocity = t.add_numbers("velocity", "Largest velocity", kind::velocity, "m/s");
  auto& loss = t.add_numbers("loss", "Largest loss over 1 m", kind::pressure, "Pa");
  auto& temperature = t.add_numbers("temperature", "Temperature", kind::temperature, "degC");
  for (const LoopLook& l : looks.loops) {
    if (!l.steady) continue;
    for (std::size_t i = 0; i < l.steady->sections.size(); ++i) {
      const SectionFlow& f = l.steady->sections[i];
      const LoopSection& s = l.loop->sections[i];
      section.words.push_back(s.name);
      loop.words.push_back(l.loop->name);
      side.words.emplace_back(ChoiceWords<PipeSide>::words[static_cast<std::size_t>(s.side)]);
      bore.numbers.push_back(s.diameter_m);
      flow.numbers.push_back(f.flow_m3_per_s);
      velocity.numbers.push_back(f.velocity_m_per_s);
      loss.numbers.push_back(f.gradient_pa_per_m);
      temperature.numbers.push_back(kelvins_of(f.temperature_c, f.temperature_c != 0.0));
      t.entities.push_back(s.pipe);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

Table failures_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_failures";
  t.title = "Single failures of coolant loops";
  t.columns.reserve(12);
  auto& failure = t.add_words("failure", "Out");
  auto& kind_word = t.add_words("kind", "Kind");
  auto& loop = t.add_words("loop", "Loop");
  auto& worst = t.add_words("worst_rack", "Worst rack");
  auto& share = t.add_numbers("share", "Share of its need", kind::percent);
  auto& short_racks = t.add_numbers("racks_short", "Racks short of flow", kind::count);
  auto& lost = t.add_numbers("racks_lost", "Racks without coolant", kind::count);
  auto& duty = t.add_numbers("duty_share", "Largest share of an exchanger", kind::percent);
  auto& supply = t.add_numbers("hottest_supply", "Warmest supply at a rack", kind::temperature, "degC");
  auto& warm = t.add_numbers("racks_warm", "Racks with too warm a supply", kind::count);
  auto& headroom = t.add_numbers("headroom", "Headroom", kind::percent);
  auto& verdict = t.add_words("verdict", "Holds");
  headroom.formula = "least of: share of its need at the worst rack, less 1; 1 less the largest share of an exchanger";
  for (const LoopLook& l : looks.loops) {
    if (!l.outages || !l.outages->failures) continue;
    for (const LoopFailure& f : l.outages->failures->cases) {
      const auto rack = std::find_if(l.loop->racks.begin(), l.loop->racks.end(),
                                     [&](const LoopRack& r) { return r.rack == f.summary.worst_rack; });
      failure.words.push_back(f.name);
      kind_word.words.emplace_back(failure_word(f.kind, l.loop->facility));
      loop.words.push_back(l.loop->name);
      worst.words.push_back(rack != l.loop->racks.end() ? rack->name : std::string());
      share.numbers.push_back(f.summary.worst_rack ? f.summary.least_share : not_known);
      short_racks.numbers.push_back(static_cast<double>(f.summary.short_racks));
      const bool uncooled = f.behind && !f.behind->temperatures_known; // racks behind it, not units in it
      lost.numbers.push_back(static_cast<double>(uncooled ? f.behind->warm_racks : f.behind ? 0 : f.lost_racks));
      duty.numbers.push_back(f.summary.largest_duty_share > 0.0 ? f.summary.largest_duty_share : not_known);
      const bool behind = f.behind && f.behind->temperatures_known && f.behind->hottest_rack != 0;
      supply.numbers.push_back(f.behind ? kelvins_of(f.behind->hottest_supply_c, behind)
                                        : kelvins_of(f.summary.hottest_supply_c, f.summary.hottest_rack != 0));
      warm.numbers.push_back(static_cast<double>(uncooled ? 0 : f.behind ? f.behind->warm_racks : f.summary.warm_racks));
      headroom.numbers.push_back(f.headroom);
      verdict.words.push_back(f.holds ? "yes" : f.trouble.empty() ? "no" : "no: " + f.trouble);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

Table seconds_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_seconds";
  t.title = "Seconds after a loss of cooling";
  t.entity_table = "racks";
  t.columns.reserve(8);
  auto& rack = t.add_words("rack", "Rack");
  auto& loop = t.add_words("loop", "Loop");
  auto& pump_warning = t.add_numbers("pumps_warning", "Pumps stop: warning", kind::time, "s");
  auto& pump_throttle = t.add_numbers("pumps_throttle", "Pumps stop: throttling", kind::time, "s");
  auto& pump_shutdown = t.add_numbers("pumps_shutdown", "Pumps stop: shutdown", kind::time, "s");
  auto& water_warning = t.add_numbers("facility_warning", "Facility water lost: warning", kind::time, "s");
  auto& water_throttle = t.add_numbers("facility_throttle", "Facility water lost: throttling", kind::time, "s");
  auto& water_shutdown = t.add_numbers("facility_shutdown", "Facility water lost: shutdown", kind::time, "s");
  for (const LoopLook& l : looks.loops) {
    // Of last time, the racks may be others.
    if (!l.outages || !l.outages->pumps_stop || !l.outages->facility_lost ||
        l.outages->pumps_stop->racks.size() != l.loop->racks.size())
      continue;
    for (std::size_t i = 0; i < l.loop->racks.size(); ++i) {
      const RackTimes &p = l.outages->pumps_stop->racks[i], &w = l.outages->facility_lost->racks[i];
      rack.words.push_back(l.loop->racks[i].name);
      loop.words.push_back(l.loop->name);
      pump_warning.numbers.push_back(seconds_or_unknown(p.warning_s));
      pump_throttle.numbers.push_back(seconds_or_unknown(p.throttle_s));
      pump_shutdown.numbers.push_back(seconds_or_unknown(p.shutdown_s));
      water_warning.numbers.push_back(seconds_or_unknown(w.warning_s));
      water_throttle.numbers.push_back(seconds_or_unknown(w.throttle_s));
      water_shutdown.numbers.push_back(seconds_or_unknown(w.shutdown_s));
      t.entities.push_back(l.loop->racks[i].rack);
      t.row_figures.emplace_back();
    }
  }
  return t;
}

Table notes_table(const LoopLooks& looks) {
  Table t;
  t.id = "cooling.loop_notes";
  t.title = "What coolant loops rest on";
  t.entity_table = "loops";
  t.columns.reserve(3);
  auto& loop = t.add_words("loop", "Loop");
  auto& kind_word = t.add_words("kind", "Kind");
  auto& sentence = t.add_words("sentence", "Sentence");
  const auto add = [&](const LoopLook& l, const char* what, const std::string& words) {
    loop.words.push_back(l.loop->name);
    kind_word.words.emplace_back(what);
    sentence.words.push_back(words);
    t.entities.push_back(l.loop->loop);
    t.row_figures.emplace_back();
  };
  for (const LoopLook& l : looks.loops) {
    for (const LoopProblem& p : l.loop->problems)
      add(l, "not joined", p.sentence);
    if (!l.trouble.empty()) add(l, "not solved", l.trouble);
    if (l.outages_behind)
      add(l, "being found",
          l.outages ? "Its failures and the seconds after a loss are of the drawing before the last edit; they are being "
                      "found anew"
                    : "Its failures and the seconds after a loss are being found");
    if (l.loop->solvable())
      for (const std::string& e : l.loop->estimates)
        add(l, "estimate", e);
  }
  return t;
}

} // namespace

std::vector<RackCoolant> rack_coolant(const DrawnLoopInputs& in, const LoadResult& load) {
  std::vector<RackCoolant> out(in.racks->size());
  const auto capacity_of = [&](const std::string& id) {
    const FluidPart* fluid = in.catalog->find<FluidPart>(id);
    return fluid && fluid->density && fluid->specific_heat
               ? base_value(*fluid->density) * base_value(*fluid->specific_heat)
               : 0.0;
  };
  std::map<Id, double> capacities; // by loop: each may have a fluid of its own
  std::map<Id, double> asked; // by rack type
  for (std::size_t i = 0; i < out.size() && i < load.class_of_rack.size(); ++i) {
    const Rack& rack = (*in.racks)[i];
    const RackClassLoad& l = load.rack_classes[load.class_of_rack[i]];
    if (!l.heat_to_liquid.has_value()) continue;
    const double heat = in_watts(l.heat_to_liquid.value);
    const bool some = heat > 0.0 || l.heat_to_liquid.completeness == Completeness::lower_bound;
    if (!some || !std::isfinite(heat)) continue;
    out[i].heat_w = heat;
    const CoolantLoop* loop = find(*in.loops, rack.loop);
    const double rise = in_kelvins(loop && loop->rise ? *loop->rise : in.plant->supply_rise);
    auto [at, unknown] = capacities.try_emplace(loop ? loop->id : 0, 0.0);
    if (unknown)
      at->second = capacity_of(loop && !loop->fluid_part.empty() ? loop->fluid_part : in.plant->fluid_part);
    const double capacity = at->second;
    if (capacity > 0.0 && rise > 0.0) out[i].need_m3_per_s = heat / (capacity * rise);
    auto [it, fresh] = asked.try_emplace(rack.rack_type, 0.0);
    if (fresh)
      if (const RackType* type = find(*in.rack_types, rack.rack_type)) {
        const RackPart* part = in.catalog->find<RackPart>(type->rack_part);
        if (part && part->coolant_flow)
          it->second = base_value(*part->coolant_flow);
        else
          for (const RackItem& item : *in.rack_items) {
            if (item.rack_type != type->id || item.kind != RackItemKind::node) continue;
            const NodePart* node = in.catalog->find<NodePart>(item.part);
            if (node && node->coolant_flow)
              it->second += static_cast<double>(item.count) * base_value(*node->coolant_flow);
          }
      }
    if (std::isfinite(it->second)) out[i].need_m3_per_s = std::max(out[i].need_m3_per_s, it->second);
  }
  return out;
}

namespace {

/// What a loop was and is drawn as, apart from what facility sides need and shed: that follows from other loops.
bool drawn_alike(const DrawnLoop& now, const DrawnLoop& then) {
  if (!now.facility || !then.facility || now.racks.size() != then.racks.size()) return now == then;
  DrawnLoop as_then = now;
  for (std::size_t i = 0; i < as_then.racks.size(); ++i) {
    as_then.racks[i].heat_w = then.racks[i].heat_w;
    as_then.racks[i].need_m3_per_s = then.racks[i].need_m3_per_s;
  }
  return as_then == then;
}

/// A loop by itself, from nothing: a start from the last state would leave its mark on the last digits.
void solve_alone(LoopLook& look) {
  LoopSolver solver;
  LoopOperation full;
  full.speed = 1.0;
  auto at_full = solver.solve(look.loop, full);
  if (!at_full) {
    look.trouble = at_full.error();
    return;
  }
  look.full = *std::move(at_full);
  if (auto slow = solver.solve(look.loop)) look.steady = *std::move(slow);
  if (look.steady && !look.steady->temperatures_known && look.steady->flow_m3_per_s > 0.0)
    look.trouble = why_coolant_boils(*look.loop, {}, look.steady->flow_m3_per_s, look.steady->heat_w);
}

/// Loops that hang on one of facility water, with it.
void solve_together(LoopLook& water, const std::vector<LoopLook*>& served) {
  std::vector<Shared<DrawnLoop>> loops;
  for (LoopLook* l : served)
    loops.push_back(l->loop);
  FacilityCoupling coupling(water.loop, loops);
  auto state = coupling.settle();
  if (!state) {
    water.trouble = state.error();
    for (LoopLook* l : served)
      solve_alone(*l);
    return;
  }
  if (auto full = coupling.at_full_speed()) water.full = *std::move(full);
  water.loop = state->facility;
  water.steady = std::move(state->water);
  double heat_w = 0.0;
  for (std::size_t i = 0; i < served.size(); ++i) {
    LoopLook& l = *served[i];
    l.facility_water = std::move(state->facility_water[i]);
    l.steady = std::move(state->served[i]);
    LoopSolver solver;
    LoopOperation full;
    full.speed = 1.0;
    full.facility_water = l.facility_water;
    if (auto s = solver.solve(l.loop, full)) l.full = *std::move(s);
    if (!l.steady->temperatures_known && l.steady->flow_m3_per_s > 0.0) {
      LoopOperation brought;
      brought.facility_water = l.facility_water;
      l.trouble = water.steady->temperatures_known
                      ? why_coolant_boils(*l.loop, brought, l.steady->flow_m3_per_s, l.steady->heat_w)
                      : boils_with_facility_water(*l.loop, state->trouble);
    }
    heat_w += l.steady->heat_w;
  }
  if (!state->temperatures_known && !water.steady->temperatures_known)
    water.trouble = why_coolant_boils(*water.loop, {}, water.steady->flow_m3_per_s, heat_w);
}

/// @param served  of a loop of facility water: the loops that hang on it
/// @param water  of a loop that hangs on facility water: what its units get of it at most
LoopOutages outages_of(const LoopLook& look, const std::vector<Shared<DrawnLoop>>& served,
                       const std::map<Id, FacilityWater>& water,
                       const TransientParameters& parameters, double gap_s, const std::stop_token& stop) {
  LoopOutages out;
  out.gap_s = gap_s;
  FailureSweep sweep;
  sweep.sections = sweep.rack_valves = false;
  if (look.loop->facility) {
    if (served.empty()) return out;
    if (auto f = FacilityCoupling(look.loop, served).failures(sweep, stop)) out.failures = *std::move(f);
    return out;
  }
  LoopSolver solver;
  if (auto f = loop_failures(solver, look.loop, sweep, stop, water)) out.failures = *std::move(f);
  if (!look.steady || stop.stop_requested()) return out;
  const DrawnLoop& loop = *look.loop;
  const LoopSolution& steady = *look.steady;
  if (auto t = loop_transient(loop, steady, loss_of_pumps(), parameters)) out.pumps_stop = *std::move(t);
  if (auto t = loop_transient(loop, steady, loss_of_facility(), parameters)) out.facility_lost = *std::move(t);
  if (stop.stop_requested()) return out;
  if (auto back = latest_pumps_return(loop, steady, parameters, stop)) out.pumps_back = *back;
  if (stop.stop_requested()) return out;
  if (auto back = latest_facility_return(loop, steady, parameters, stop)) out.facility_back = *back;
  if (stop.stop_requested()) return out;
  if (out.facility_back && out.facility_back->needed && out.facility_back->within_s < gap_s && gap_s <= 3600.0)
    if (auto tank = supply_tank_for_gap(loop, steady, parameters, gap_s, stop)) out.tank_for_gap_m3 = *tank;
  return out;
}

} // namespace

std::map<Id, FacilityWater> facility_water_at_most(const LoopLooks& looks, const LoopLook& look) {
  std::map<Id, FacilityWater> out = look.facility_water;
  for (const LoopLook& water : looks.loops) {
    if (!water.loop->facility || water.loop->loop != look.loop->facility_loop || !water.full) continue;
    if (!water.steady || !water.steady->temperatures_known) continue; // it takes no heat at any flow
    for (const RackFlow& side : water.full->racks)
      if (const auto it = out.find(side.rack); it != out.end())
        it->second.flow_m3_per_s = std::max(it->second.flow_m3_per_s, side.flow_m3_per_s);
  }
  return out;
}

std::vector<Shared<DrawnLoop>> loops_that_hang_on(const LoopLooks& looks, const DrawnLoop& facility) {
  std::vector<Shared<DrawnLoop>> out;
  for (const LoopLook& l : looks.loops)
    if (facility.facility && l.loop->facility_loop == facility.loop && l.loop->solvable()) out.push_back(l.loop);
  return out;
}

LoopLooks loops_at_work(const DrawnLoopInputs& in, const LoopLooks* previous, const std::stop_token& stop,
                        LoopDepth depth) {
  LoopLooks out;
  if (in.loops->empty() || in.pipes->empty()) return out;
  out.parameters = transient_parameters(*in.catalog);
  const bool chillers = std::any_of(in.units->begin(), in.units->end(),
                                    [](const CoolingUnit& u) { return u.kind == CoolingUnitKind::chiller; });
  const double gap_s = out.parameters.generator_start_s + (chillers ? out.parameters.chiller_restart_s : 0.0);
  const auto then = [&](Id loop) -> const LoopLook* {
    if (!previous) return nullptr;
    const auto it = std::find_if(previous->loops.begin(), previous->loops.end(),
                                 [&](const LoopLook& l) { return l.loop->loop == loop; });
    return it == previous->loops.end() ? nullptr : &*it;
  };
  for (DrawnLoop& drawn : drawn_loops(in)) {
    LoopLook look;
    look.loop = share(std::move(drawn));
    out.loops.push_back(std::move(look));
  }
  // Loops that are solved together: of each one of facility water, and those that hang on it.
  std::vector<std::vector<std::size_t>> together;
  std::vector<char> taken(out.loops.size(), 0);
  for (std::size_t i = 0; i < out.loops.size(); ++i) {
    if (!out.loops[i].loop->facility) continue;
    std::vector<std::size_t> group{i};
    for (std::size_t k = 0; k < out.loops.size(); ++k)
      if (out.loops[k].loop->facility_loop == out.loops[i].loop->loop && out.loops[k].loop->solvable()) {
        group.push_back(k);
        taken[k] = 1;
      }
    taken[i] = 1;
    together.push_back(std::move(group));
  }
  for (std::size_t i = 0; i < out.loops.size(); ++i)
    if (!taken[i]) together.push_back({i});

  for (const std::vector<std::size_t>& group : together) {
    if (stop.stop_requested()) return out;
    LoopLook& first = out.loops[group.front()];
    const bool rests = std::all_of(group.begin(), group.end(), [&](std::size_t i) {
      const LoopLook* last = then(out.loops[i].loop->loop);
      return last && drawn_alike(*out.loops[i].loop, *last->loop);
    });
    std::vector<const LoopLook*> last;
    for (const std::size_t i : group)
      last.push_back(then(out.loops[i].loop->loop));
    if (rests) {
      for (std::size_t k = 0; k < group.size(); ++k)
        out.loops[group[k]] = *last[k];
    } else if (first.loop->facility) {
      std::vector<LoopLook*> served;
      for (std::size_t k = 1; k < group.size(); ++k)
        served.push_back(&out.loops[group[k]]);
      if (first.loop->solvable() && !served.empty())
        solve_together(first, served);
      else
        for (LoopLook* l : served)
          solve_alone(*l);
    } else if (first.loop->solvable())
      solve_alone(first);
    // What takes longer: now, or left as it was.
    const bool same_seconds = previous && previous->parameters == out.parameters;
    std::vector<Shared<DrawnLoop>> served;
    for (std::size_t k = 1; k < group.size(); ++k)
      served.push_back(out.loops[group[k]].loop);
    for (std::size_t k = 0; k < group.size(); ++k) {
      LoopLook& look = out.loops[group[k]];
      if (!look.steady) {
        look.outages.reset();
        look.outages_behind = false;
        continue;
      }
      const Shared<LoopOutages> was = last[k] ? last[k]->outages : nullptr;
      const bool whole = rests && was && !last[k]->outages_behind && same_seconds && was->gap_s == gap_s;
      if (whole) continue;
      if (depth == LoopDepth::working) {
        look.outages = was;
        look.outages_behind = true;
        continue;
      }
      look.outages = share(outages_of(look, served, facility_water_at_most(out, look), out.parameters, gap_s, stop));
      look.outages_behind = false;
      if (stop.stop_requested()) return out;
    }
  }
  return out;
}

std::vector<Table> loop_tables(const LoopLooks& looks) {
  std::vector<Table> out;
  for (Table t : {racks_table(looks), units_table(looks), pipes_table(looks), sides_table(looks), failures_table(looks),
                  seconds_table(looks), notes_table(looks)})
    if (!t.columns.empty() && !t.row_figures.empty()) out.push_back(std::move(t));
  return out;
}

} // namespace hallwright
