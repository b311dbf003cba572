// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_rules.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "checks/told_apart.h"
#include "cooling/boiling.h"
#include "cooling/unit_feeds.h"
#include "cooling/unit_remedy.h"

namespace hallwright {
namespace {

const LoopLooks& looks_of(const CheckContext& context) {
  return context.looks->of<LoopLooks>(
      [&] { return std::make_shared<const LoopLooks>(loop_looks(context.design, context.catalog, context.figures)); });
}
std::string loop_title(const DrawnLoop& loop) { return "loop '" + loop.name + "'"; }
std::vector<std::string> loop_figures(const CheckContext& context, const DrawnLoop& loop) {
  const std::string id = fmt::format("cooling.loop.{}.flow", loop.loop);
  return context.figures.find(id) ? std::vector<std::string>{id} : std::vector<std::string>{};
}
/// @param entities  taken over in the body alone: sentences beside it may count them, in whatever order
Finding& report(const CheckContext& context, const Rule& rule, const DrawnLoop& loop, std::string sentence,
                std::vector<EntityRef>&& entities, Severity severity, std::vector<Finding>& findings,
                bool undecided = false) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  Finding f = finding_of(rule, std::move(sentence), std::move(entities), context, loop_figures(context, loop));
  f.severity = severity;
  f.undecided = undecided;
  findings.push_back(std::move(f));
  return findings.back();
}

/// Pipes as wide as told, the others as they are. Wider ones are bought anew: their price is not known here.
Remedy wider_pipes(std::string label, std::map<Id, double> bores_m) {
  Remedy r;
  r.edit.label = std::move(label);
  r.edit.apply = [bores = std::move(bores_m)](const Design& before) -> Edited {
    return with_table(before, &Design::pipes, [&](std::vector<Pipe>& pipes, Id&) {
      for (Pipe& p : pipes)
        if (const auto it = bores.find(p.id); it != bores.end()) p.diameter = millimeters(it->second * 1e3);
    });
  };
  return r;
}
/// The next standard bore above one; 0 where there is none.
double next_bore(double bore_m) {
  for (const double b : standard_bores_m())
    if (b > bore_m * 1.02) return b;
  return 0.0;
}
/// All pipes of a loop one standard size wider; nothing where one is the largest.
std::optional<Remedy> one_size_wider(const DrawnLoop& loop) {
  std::map<Id, double> bores;
  for (const LoopSection& s : loop.sections) {
    const double wider = next_bore(s.diameter_m);
    if (!(wider > 0.0)) return {};
    bores[s.pipe] = wider;
  }
  if (bores.empty()) return {};
  std::string label = fmt::format("Draw the {} pipes of {} one standard size wider", bores.size(), loop_title(loop)); // before they move
  return wider_pipes(std::move(label), std::move(bores));
}
void offer(Finding& finding, std::optional<Remedy> remedy) {
  if (remedy) finding.remedies.push_back(*std::move(remedy));
}

/// The problems of some kinds, each a finding.
void report_problems(const CheckContext& context, const Rule& rule, std::initializer_list<LoopProblemKind> kinds,
                     std::vector<Finding>& findings, bool undecided = false, std::optional<bool> facility = {}) {
  for (const LoopLook& look : looks_of(context).loops)
    for (const LoopProblem& p : look.loop->problems)
      if ((!facility || *facility == look.loop->facility) &&
          std::find(kinds.begin(), kinds.end(), p.kind) != kinds.end())
        report(context, rule, *look.loop, p.sentence, std::vector<EntityRef>(p.entities), rule.severity, findings, undecided);
}
/// A flow and what it is compared with, in L/min; and its share of that [%].
struct FlowPair {
  std::string has, needs, share;
};
FlowPair flows_apart(double has_m3_per_s, double needs_m3_per_s, double share) {
  const NumberPair flows = told_apart(has_m3_per_s * 60000.0, needs_m3_per_s * 60000.0, 0);
  return {flows.value + " L/min", flows.limit + " L/min", told_apart(share * 100.0, 100.0, 0).value};
}
std::string litres(double m3_per_s) { return fmt::format("{:.0f} L/min", m3_per_s * 60000.0); }

/// CLG-011
void rack_without_coolant(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::rack_off_pipe, LoopProblemKind::no_way_to_unit}, findings, false,
                  false);
}
/// CLG-012
void pipe_without_use(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::pipe_unusable, LoopProblemKind::pipe_serves_nothing, LoopProblemKind::valve_without_flow}, findings);
}
/// CLG-013
void unit_off_its_loop(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule,
                  {LoopProblemKind::no_unit, LoopProblemKind::unit_off_pipe, LoopProblemKind::unit_unrated}, findings);
  // Joined, and standing nevertheless.
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.full || !(look.full->flow_m3_per_s > 0.0)) continue;
    for (std::size_t i = 0; i < look.full->units.size(); ++i)
      if (!look.full->units[i].running)
        report(context, rule, *look.loop,
               fmt::format("{} moves nothing of {}, whose other units do: a shut valve leaves what it moves no way back, or "
                           "the others' head holds its check valves shut. Open the valve, or give it pumps of their head",
                           look.loop->units[i].name, loop_title(*look.loop)),
               {{"cooling_units", look.full->units[i].unit}}, Severity::warning, findings);
  }
}
/// CLG-014
void loop_not_solved(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::fluid_unknown, LoopProblemKind::supply_unknown}, findings, true);
  for (const LoopLook& look : looks_of(context).loops)
    if (!look.trouble.empty() && !(look.steady && !look.steady->temperatures_known)) // CLG-018
      report(context, rule, *look.loop, "The flows of " + look.trouble, {{"loops", look.loop->loop}}, rule.severity,
             findings, true);
}

/// CLG-015
void rack_short_of_flow(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.full || look.loop->facility) continue;
    std::vector<EntityRef> entities;
    const RackFlow* worst = nullptr;
    const LoopRack* worst_rack = nullptr;
    for (std::size_t i = 0; i < look.full->racks.size(); ++i) {
      const RackFlow& r = look.full->racks[i];
      // Without any flow where a pipe leads to it: its valve, or one on the way, is shut.
      const bool shut = !r.flowing && look.loop->racks[i].reached && look.loop->racks[i].heat_w > 0.0;
      if ((!r.flowing && !shut) || r.share >= enough_share) continue;
      entities.push_back({"racks", r.rack});
      if (!worst || r.share < worst->share) {
        worst = &r;
        worst_rack = &look.loop->racks[i];
      }
    }
    if (!worst) continue;
    // Before the entities move: arguments have no order.
    const FlowPair flow = flows_apart(worst->flow_m3_per_s, worst_rack->need_m3_per_s, worst->share);
    std::string message =
        fmt::format("With all pumps of {} at full speed {} gets {} of the {} that it needs ({} %){}",
                    loop_title(*look.loop), worst_rack->name, flow.has, flow.needs, flow.share,
                    !worst->flowing ? std::string("; a valve is shut") :
                    entities.size() > 1 ? fmt::format(", and {} more are short", entities.size() - 1) : std::string());
    Finding& f = report(context, rule, *look.loop, std::move(message), std::move(entities), rule.severity, findings);
    offer(f, more_units_remedy(context, look.loop->loop, 1));
    offer(f, one_size_wider(*look.loop));
  }
}

/// A failure of a thing that is drawn no more: failures are found beside the edit, and may be those before it.
bool gone(const CheckContext& context, const LoopFailure& failure) {
  const Id id = failure.thing.id;
  if (failure.thing.table == "cooling_units") return !find(*context.design.cooling_units, id);
  if (failure.thing.table == "pipes") return !find(*context.design.pipes, id);
  return failure.thing.table == "racks" && !find(*context.design.racks, id);
}

/// CLG-016
void short_after_a_failure(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Redundancy redundancy = context.design.cooling_plant->redundancy;
  if (redundancy == Redundancy::n) return;
  for (const LoopLook& look : looks_of(context).loops) {
    if (look.loop->facility || !look.outages || !look.outages->failures || !look.outages->failures->n)
      continue; // said already
    const LoopFailures& f = *look.outages->failures;
    for (const LoopFailure& c : f.cases) {
      if (c.holds || (c.kind != LoopFailureKind::unit && c.kind != LoopFailureKind::pump)) continue;
      if (gone(context, c)) continue; // of the drawing as it was before the last edit
      std::vector<EntityRef> entities{c.thing};
      std::string what;
      if (c.lost_racks > 0 || c.summary.worst_rack == 0)
        what =
            fmt::format("{} racks have no coolant", c.summary.worst_rack == 0 ? look.loop->racks.size() : c.lost_racks);
      else if (c.summary.short_racks > 0) {
        const Rack* rack = find(*context.design.racks, c.summary.worst_rack);
        what = fmt::format("{} racks are short of flow, {} with {:.0f} % of its need", c.summary.short_racks,
                           rack ? rack->name : std::string("one"), c.summary.least_share * 100.0);
        entities.push_back({"racks", c.summary.worst_rack});
      } else if (c.summary.largest_duty_share > 1.0) {
        const CoolingUnit* unit = find(*context.design.cooling_units, c.summary.busiest_unit);
        what = fmt::format("{} would have to pass on {:.0f} % of what its exchanger can",
                           unit ? unit->name : std::string("a unit"), c.summary.largest_duty_share * 100.0);
        entities.push_back({"cooling_units", c.summary.busiest_unit});
      } else
        what = c.trouble.empty() ? fmt::format("{} racks get too warm a supply", c.summary.warm_racks) : c.trouble;
      Finding& found =
          report(context, rule, *look.loop,
                 fmt::format("With {} out, {} on {}: that is no N+1", c.name, what, loop_title(*look.loop)),
                 std::move(entities), rule.severity, findings);
      offer(found, more_units_remedy(context, look.loop->loop, 1));
      break; // the first stands for its like
    }
    if (redundancy == Redundancy::two_n && f.n_plus_1 && !f.two_n)
      report(context, rule, *look.loop,
             fmt::format("With {} out, the rest of {} does not carry its racks: that is no 2N", f.two_n_breaks,
                         loop_title(*look.loop)),
             {{"loops", look.loop->loop}}, rule.severity, findings);
  }
}

/// CLG-017
void uneven_flow(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double limit = stated_value(context.catalog, "cooling.flow_spread_limit", kind::ratio, 0.05);
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || look.loop->facility || look.steady->spread <= limit) continue;
    const auto most = std::max_element(look.steady->racks.begin(), look.steady->racks.end(),
                                       [](const RackFlow& a, const RackFlow& b) { return a.share < b.share; });
    const NumberPair spread = told_apart(look.steady->spread * 100.0, limit * 100.0, 0);
    report(context, rule, *look.loop,
           fmt::format(
               "Flows of {} differ by {} % of their mean, measured by need; {} % is wanted: the racks next "
               "to the pumps take what the far ones lack",
               loop_title(*look.loop), spread.value, spread.limit),
           {{"loops", look.loop->loop}, {"racks", look.steady->worst_rack}, {"racks", most->rack}},
           look.steady->spread > 2.0 * limit ? Severity::warning : Severity::note, findings);
  }
}

/// CLG-018
void unit_beyond_its_exchanger(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady) continue;
    if (!look.steady->temperatures_known) {
      if (look.trouble.empty()) continue;
      std::vector<EntityRef> entities{{"loops", look.loop->loop}};
      for (const LoopUnit& u : look.loop->units)
        entities.push_back({"cooling_units", u.unit});
      report(context, rule, *look.loop, "L" + look.trouble.substr(1), std::move(entities), rule.severity, findings);
      continue;
    }
    for (std::size_t i = 0; i < look.steady->units.size(); ++i) {
      const UnitWork& w = look.steady->units[i];
      // Facility water is held to what units need within 2e-4 of their flow.
      if (!w.running || w.duty_share <= 1.0 + (look.facility_water.empty() ? 1e-6 : 1e-3)) continue;
      // An exchanger of any size brings the supply to the water that it gets, and no colder.
      const bool too_warm = !look.loop->facility && w.facility_flow_m3_per_s > 0.0 && w.facility_c >= look.loop->supply_c;
      const NumberPair supply = told_apart(w.supply_c, look.loop->supply_c, 1);
      Finding& found = report(
          context, rule, *look.loop,
          fmt::format(
              "{} passes on {:.0f} kW at {} and {:.1f} degC return; {} asks {:.0f} % of that of it, so its supply "
              "comes at {} instead of {} degC{}",
              look.loop->units[i].name, w.capacity_w * 1e-3, litres(w.flow_m3_per_s), w.return_c,
              loop_title(*look.loop), w.duty_share * 100.0, supply.value, supply.limit,
              too_warm ? fmt::format("; it gets facility water of {:.1f} degC, so that colder water helps and more units do not", w.facility_c) : std::string()),
          {{"cooling_units", w.unit}}, rule.severity, findings);
      if (!look.loop->facility && !too_warm) offer(found, more_units_remedy(context, look.loop->loop, 1));
    }
  }
}

/// CLG-019
void pump_without_reserve(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double margin = stated_value(context.catalog, "cooling.pump_head_margin", kind::ratio, 0.1);
  for (const LoopLook& look : looks_of(context).loops) {
    if (look.full)
      for (std::size_t i = 0; i < look.full->units.size(); ++i)
        if (const UnitWork& w = look.full->units[i]; w.running && w.curve_share > 1.0)
          report(context, rule, *look.loop,
                 fmt::format("The pumps of {} run out beyond the end of their curve: {} at full speed",
                             look.loop->units[i].name, litres(w.flow_m3_per_s)),
                 {{"cooling_units", w.unit}}, Severity::error, findings);
    if (!look.steady || look.steady->least_share < enough_share || look.steady->units.empty()) continue;
    const double left = 1.0 - look.steady->speed * look.steady->speed; // head goes with the square of speed
    if (left >= margin) continue;
    const NumberPair head = told_apart(left * 100.0, margin * 100.0, 0);
    report(context, rule, *look.loop,
           fmt::format(
               "The pumps of {} run at {:.0f} % of full speed to give every {} its need: {} % of head is left, "
               "at least {} % is wanted",
               loop_title(*look.loop), look.steady->speed * 100.0,
               look.loop->facility ? "distribution unit" : "rack", head.value, head.limit),
           {{"loops", look.loop->loop}}, Severity::warning, findings);
  }
}

/// CLG-020
void pressure_above_rating(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double limit = stated_value(context.catalog, "cooling.rack_working_pressure_limit", kind::pressure, 500e3);
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.full || look.loop->facility) continue;
    const RackFlow* worst = nullptr;
    for (const RackFlow& r : look.full->racks)
      if (!worst || r.inlet_pressure_pa > worst->inlet_pressure_pa) worst = &r;
    if (!worst || worst->inlet_pressure_pa <= limit) continue;
    const Rack* rack = find(*context.design.racks, worst->rack);
    const NumberPair pressure = told_apart(worst->inlet_pressure_pa * 1e-3, limit * 1e-3, 0);
    report(context, rule, *look.loop,
           fmt::format("At full speed the inlet of {} on {} stands at {} kPa; racks take {} kPa",
                       rack ? rack->name : std::string("a rack"), loop_title(*look.loop),
                       pressure.value, pressure.limit),
           {{"racks", worst->rack}, {"loops", look.loop->loop}}, rule.severity, findings);
  }
}

/// CLG-021
void pressure_below_air(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.full || look.full->lowest_pressure_pa >= 0.0) continue;
    report(
        context, rule, *look.loop,
        fmt::format("At full speed the pressure of {} falls {:.0f} kPa below that of the air, so that it draws air in: "
                    "more fill pressure, or less loss on the return side",
                    loop_title(*look.loop), -look.full->lowest_pressure_pa * 1e-3),
        {{"loops", look.loop->loop}}, rule.severity, findings);
  }
}

/// CLG-022
void pipe_too_fast(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double small = stated_value(context.catalog, "cooling.pipe_velocity_limit_small", kind::velocity, 1.2);
  const double gradient = 400.0; // cooling.pipe_friction_limit_large, Pa/m: no kind of its own
  const double most = stated_value(context.catalog, "cooling.pipe_velocity_limit_absolute", kind::velocity, 4.6);
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady) continue;
    std::vector<Id> told;
    for (std::size_t i = 0; i < look.steady->sections.size(); ++i) {
      const SectionFlow& f = look.steady->sections[i];
      const LoopSection& s = look.loop->sections[i];
      const bool is_small = s.diameter_m <= 0.055; // DN50
      std::string why;
      const double velocity_limit = f.velocity_m_per_s > most ? most : is_small ? small : f.velocity_m_per_s;
      const NumberPair fast = told_apart(f.velocity_m_per_s, velocity_limit, 1), steep = told_apart(f.gradient_pa_per_m, gradient, 0);
      if (f.velocity_m_per_s > most)
        why = fmt::format("at most {} m/s is allowed in any pipe", fast.limit);
      else if (is_small && f.velocity_m_per_s > small)
        why = fmt::format("{} m/s is the limit up to DN50", fast.limit);
      else if (!is_small && f.gradient_pa_per_m > gradient)
        why = fmt::format("{} Pa/m is the limit above DN50", steep.limit);
      if (why.empty() || std::find(told.begin(), told.end(), s.pipe) != told.end()) continue;
      told.push_back(s.pipe);
      Finding& found =
          report(context, rule, *look.loop,
                 fmt::format("{} runs {} through {:.0f} mm: {} m/s and {} Pa/m; {}", s.name,
                             litres(f.flow_m3_per_s), s.diameter_m * 1e3, fast.value, steep.value, why),
                 {{"pipes", s.pipe}}, f.velocity_m_per_s > most ? Severity::error : rule.severity, findings);
      // Friction over a length goes as the fifth power of the bore.
      for (double bore = next_bore(s.diameter_m); bore > 0.0; bore = next_bore(bore)) {
        const double ratio = s.diameter_m / bore, velocity = f.velocity_m_per_s * ratio * ratio;
        const bool fine = bore <= 0.055 ? velocity <= small
                                        : velocity <= most && f.gradient_pa_per_m * std::pow(ratio, 5.0) <= gradient;
        if (!fine) continue;
        const Pipe* pipe = find(*context.design.pipes, s.pipe);
        found.remedies.push_back(
            wider_pipes(fmt::format("Draw {} with an inner diameter of {:.1f} mm",
                                    pipe && !pipe->name.empty() ? "'" + pipe->name + "'" : s.name, bore * 1e3),
                        {{s.pipe, bore}}));
        break;
      }
    }
  }
}

/// CLG-023
void return_too_warm(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  double limit = 65.0;
  if (const Assumption* a = context.catalog.find<Assumption>("cooling.return_temperature_limit");
      a && a->value && a->unit == "C")
    limit = *a->value;
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || look.loop->facility || !look.steady->temperatures_known) continue;
    std::vector<EntityRef> entities;
    double worst = 0.0;
    std::size_t boiling = 0;
    bool short_of_flow = true;
    for (std::size_t i = 0; i < look.steady->racks.size(); ++i)
      if (const RackFlow& r = look.steady->racks[i]; r.flowing && r.return_c > limit) {
        entities.push_back({"racks", r.rack});
        if (r.return_c >= boils_at_c(*look.loop, *look.steady, look.loop->racks[i].outlet))
          ++boiling, short_of_flow = short_of_flow && r.share < enough_share;
        else
          worst = std::max(worst, r.return_c);
      }
    if (entities.empty()) continue;
    const std::size_t count = entities.size();
    std::string how;
    if (boiling < count)
      how = fmt::format("{} coolant back at up to {:.1f} degC", count - boiling == 1 ? "gives" : "give", worst);
    const std::string boil =
        short_of_flow ? fmt::format("{} so little flow that coolant boils in {}", boiling == 1 ? "gets" : "get",
                                    boiling == 1 ? "it" : "them")
                      : fmt::format("{} so warm a supply that coolant boils in {}", boiling == 1 ? "gets" : "get",
                                    boiling == 1 ? "it" : "them");
    std::string sentence;
    if (boiling == 0)
      sentence = fmt::format("{} {} of {} {}", count, count == 1 ? "rack" : "racks", loop_title(*look.loop), how);
    else if (boiling == count)
      sentence = fmt::format("{} {} of {} {}", count, count == 1 ? "rack" : "racks", loop_title(*look.loop), boil);
    else
      sentence = fmt::format("{} {} of {} {}, and {} {}", count - boiling, count - boiling == 1 ? "rack" : "racks",
                             loop_title(*look.loop), how, boiling, boil);
    report(context, rule, *look.loop, sentence + fmt::format("; {:.0f} degC is the limit of hoses and seals", limit),
           std::move(entities), rule.severity, findings);
  }
}

/// CLG-024
void supply_too_warm_at_a_rack(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || look.loop->facility || !look.steady->temperatures_known) continue;
    std::vector<EntityRef> entities;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < look.steady->racks.size(); ++i) {
      const RackFlow& r = look.steady->racks[i];
      const auto& warmest = look.loop->racks[i].warmest_supply_c;
      // What the set point alone breaks is the matter of CLG-004.
      if (!r.flowing || !warmest || r.supply_c <= *warmest + 1e-6 || look.loop->supply_c > *warmest) continue;
      entities.push_back({"racks", r.rack});
      if (entities.size() == 1 || r.supply_c > look.steady->racks[worst].supply_c) worst = i;
    }
    if (entities.empty()) continue;
    report(
        context, rule, *look.loop,
        fmt::format("The coolant of {} reaches {} at {:.1f} degC; its parts take {:.1f} degC, and the loop is meant to "
                    "give {:.1f} degC",
                    loop_title(*look.loop), look.loop->racks[worst].name, look.steady->racks[worst].supply_c,
                    *look.loop->racks[worst].warmest_supply_c, look.loop->supply_c),
        std::move(entities), rule.severity, findings);
  }
}

/// CLG-025
void pumps_need_a_ups(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const TransientParameters p = transient_parameters(context.catalog);
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || look.loop->facility || !look.outages || !look.outages->pumps_back) continue;
    // What the feeds of units say, where any are named.
    std::vector<EntityRef> standing;
    std::string names;
    bool unknown = false;
    for (const LoopUnit& u : look.loop->units) {
      const CoolingUnit* unit = find(*context.design.cooling_units, u.unit);
      const PumpSupply supply = unit ? pump_supply(*context.design.power_units, *unit) : PumpSupply::unknown;
      unknown = unknown || supply == PumpSupply::unknown;
      if (supply != PumpSupply::no_ups) continue;
      names += (names.empty() ? "" : ", ") + u.name;
      standing.push_back({"cooling_units", u.unit});
    }
    if (!unknown && standing.empty()) continue;
    const LatestReturn* back = &*look.outages->pumps_back;
    if (!back->needed || back->within_s >= p.generator_start_s) continue;
    if (back->within_s <= 0.0) {
      report(context, rule, *look.loop,
             fmt::format("Racks of {} are so warm that they throttle before anything is lost: 0 s are left to pumps "
                         "and facility water",
                         loop_title(*look.loop)),
             {{"loops", look.loop->loop}}, Severity::warning, findings);
      continue;
    }
    if (!standing.empty()) {
      report(context, rule, *look.loop,
             fmt::format("No UPS is upstream of the pumps of {}: they stand until generators run after {:.0f} s, and "
                         "where all pumps of {} stand its racks throttle after {:.1f} s",
                         names, p.generator_start_s, loop_title(*look.loop), back->within_s),
             std::move(standing), Severity::warning, findings);
      continue;
    }
    report(
        context, rule, *look.loop,
        fmt::format("When its pumps stop, racks of {} throttle unless they run again within {:.1f} s; generators take "
                    "{:.0f} s, too late without the UPS that the power model counts on for units and their controls",
                    loop_title(*look.loop), back->within_s, p.generator_start_s),
        {{"loops", look.loop->loop}}, rule.severity, findings);
  }
}

/// CLG-026
void ride_through_too_short(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const bool chillers = std::any_of(context.design.cooling_units->begin(), context.design.cooling_units->end(),
                                    [](const CoolingUnit& u) { return u.kind == CoolingUnitKind::chiller; });
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || !look.outages || !look.outages->facility_back) continue;
    const LatestReturn* back = &*look.outages->facility_back;
    const double gap = look.outages->gap_s;
    if (!back->needed || back->within_s >= gap || back->within_s <= 0.0) continue; // 0 s: CLG-025 says it
    const auto& tank = look.outages->tank_for_gap_m3;
    const NumberPair time = told_apart(back->within_s, gap, 0);
    Finding& found = report(
        context, rule, *look.loop,
        fmt::format("Without facility water racks of {} throttle unless it is back within {} s; {} take {} s "
                    "after a loss of power{}",
                    loop_title(*look.loop), time.value, chillers ? "generators and chillers" : "generators", time.limit,
                    tank ? fmt::format(": a tank of {:.2f} m3 on the supply side bridges that", *tank) : std::string()),
        {{"loops", look.loop->loop}}, rule.severity, findings);
    // A field takes up to 1,000 m3; a tenth of a cubic metre is near enough to order.
    if (tank && *tank > 0.0 && *tank < 1000.0) {
      const double size = std::ceil(*tank * 10.0) / 10.0;
      Remedy r;
      r.edit.label = fmt::format("Put a tank of {:.1f} m3 on the supply of {}", size, loop_title(*look.loop));
      r.edit.apply = [id = look.loop->loop, size](const Design& before) -> Edited {
        return with_table(before, &Design::loops, [&](std::vector<CoolantLoop>& loops, Id&) {
          for (CoolantLoop& l : loops)
            if (l.id == id) l.supply_tank = cubic_meters(size);
        });
      };
      found.remedies.push_back(std::move(r));
    }
  }
}

/// CLG-027
void laminar_hoses(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.steady || look.loop->facility) continue;
    std::vector<EntityRef> entities;
    double least = 0.0;
    for (std::size_t i = 0; i < look.steady->racks.size(); ++i) {
      const RackFlow& r = look.steady->racks[i];
      if (!r.flowing) continue;
      const double reynolds =
          r.hose_velocity_m_per_s * look.loop->racks[i].hose_bore_m / look.loop->network.viscosity_m2_per_s;
      if (reynolds >= turbulent_reynolds_limit) continue;
      entities.push_back({"racks", r.rack});
      if (entities.size() == 1 || reynolds < least) least = reynolds;
    }
    if (entities.empty()) continue;
    report(
        context, rule, *look.loop,
        fmt::format("Hoses of {} {} on {} run below Reynolds {:.0f} (down to {:.0f}): friction there scatters by 10 to "
                    "15 %, whatever the law",
                    entities.size(), entities.size() == 1 ? "rack" : "racks", loop_title(*look.loop),
                    turbulent_reynolds_limit, least),
        std::move(entities), rule.severity, findings);
  }
}

/// CLG-028
void loop_stays_first_order(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  // While no pipe is drawn at all, first-order flows are what is asked for.
  if (context.design.pipes->empty()) return;
  report_problems(context, rule, {LoopProblemKind::no_pipes}, findings);
}

/// CLG-030
void facility_water_in_a_circle(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::facility_circle, LoopProblemKind::facility_unknown}, findings);
}
/// CLG-031
void racks_on_facility_water(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::facility_with_rack}, findings);
}
/// CLG-032
void unit_without_facility_water(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  report_problems(context, rule, {LoopProblemKind::rack_off_pipe, LoopProblemKind::no_way_to_unit}, findings, false,
                  true);
}
/// CLG-033
void facility_flow_short(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.full || !look.loop->facility) continue;
    std::vector<EntityRef> entities;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < look.full->racks.size(); ++i) {
      const RackFlow& side = look.full->racks[i];
      if (side.share >= enough_share || !(look.loop->racks[i].heat_w > 0.0 || side.flowing)) continue;
      entities.push_back({"cooling_units", side.rack});
      if (entities.size() == 1 || side.share < look.full->racks[worst].share) worst = i;
    }
    if (entities.empty()) continue;
    const LoopRack& side = look.loop->racks[worst];
    const std::size_t others = entities.size() - 1;
    entities.push_back({"loops", look.loop->loop});
    const FlowPair flow = flows_apart(look.full->racks[worst].flow_m3_per_s, side.need_m3_per_s, look.full->racks[worst].share);
    report(context, rule, *look.loop,
           fmt::format("With all pumps of {} at full speed {} gets {} of the {} of facility water with which it holds "
                       "its supply ({} %){}",
                       loop_title(*look.loop), side.name, flow.has, flow.needs, flow.share,
                       others == 0 ? std::string() : fmt::format(", and {} more {} short", others, others == 1 ? "is" : "are")),
           std::move(entities), rule.severity, findings);
  }
}
/// CLG-034
void facility_failure_reaches_racks(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.cooling_plant->redundancy == Redundancy::n) return;
  for (const LoopLook& look : looks_of(context).loops) {
    if (!look.loop->facility || !look.outages || !look.outages->failures || !look.outages->failures->n) continue;
    for (const LoopFailure& c : look.outages->failures->cases) {
      if (c.holds || (c.kind != LoopFailureKind::unit && c.kind != LoopFailureKind::pump) || gone(context, c)) continue;
      std::vector<EntityRef> entities{c.thing};
      std::string what = c.trouble.empty() ? std::string("racks get too warm a supply") : c.trouble;
      if (c.behind && !c.behind->temperatures_known && c.behind->warm_racks > 0)
        what = fmt::format("{} {} cooling, since coolant would boil", c.behind->warm_racks,
                           c.behind->warm_racks == 1 ? "rack loses its" : "racks lose their");
      if (c.behind && c.behind->temperatures_known && c.behind->warm_racks > 0) {
        const Rack* rack = find(*context.design.racks, c.behind->hottest_rack);
        what = fmt::format("{} {} warmer coolant than {} parts take, {} at {:.1f} degC", c.behind->warm_racks,
                           c.behind->warm_racks == 1 ? "rack gets" : "racks get",
                           c.behind->warm_racks == 1 ? "its" : "their", rack ? rack->name : std::string("one"),
                           c.behind->hottest_supply_c);
        if (rack) entities.push_back({"racks", rack->id});
      }
      report(context, rule, *look.loop,
             fmt::format("With {} of {} out, {}: facility water is no N+1{}", c.name, loop_title(*look.loop), what,
                         c.behind && !c.behind->temperatures_known && !c.trouble.empty() ? "; " + c.trouble : std::string()),
             std::move(entities), rule.severity, findings);
      break; // the first stands for its like
    }
  }
}

} // namespace

LoopLooks loop_looks(const Design& design, const Catalog& catalog, const Figures& figures) {
  if (design.loops->empty() || design.pipes->empty()) return {};
  DrawnLoopInputs in;
  in.plant = design.cooling_plant;
  in.loops = design.loops;
  in.units = design.cooling_units;
  in.racks = design.racks;
  in.rack_types = design.rack_types;
  in.rack_items = design.rack_items;
  in.pipes = design.pipes;
  in.site = design.site;
  in.catalog = Shared<Catalog>(Shared<Catalog>(), &catalog); // not owned: gone before the context
  in.coolant.resize(design.racks->size());
  if (const Table* table = figures.table("cooling.racks")) {
    const TableColumn *heat = table->column("heat_to_liquid"), *flow = table->column("flow");
    if (heat && flow)
      for (std::size_t row = 0; row < table->entities.size(); ++row) {
        const auto at = std::lower_bound(design.racks->begin(), design.racks->end(), table->entities[row],
                                         [](const Rack& r, Id id) { return r.id < id; });
        if (at == design.racks->end() || at->id != table->entities[row]) continue;
        const double h = heat->numbers[row], f = flow->numbers[row];
        if (std::isfinite(h) && std::isfinite(f))
          in.coolant[static_cast<std::size_t>(at - design.racks->begin())] = {h, f};
      }
  }
  return loops_at_work(in);
}

bool facility_water_is_solved(const CheckContext& context, Id loop) {
  const std::vector<LoopLook>& looks = looks_of(context).loops;
  const auto of = [&](Id id) {
    return std::find_if(looks.begin(), looks.end(), [&](const LoopLook& l) { return l.loop->loop == id; });
  };
  const auto hangs = of(loop);
  if (hangs == looks.end() || !hangs->steady || hangs->loop->facility_loop == 0) return false;
  const auto water = of(hangs->loop->facility_loop);
  return water != looks.end() && water->steady.has_value();
}

std::vector<Rule> drawn_loop_rules() {
  return {
      {"CLG-011", Severity::error, "Rack that no coolant reaches",
       "A rack sheds heat to liquid, and no supply or return pipe of its loop passes within 1.5 m of it, or the pipes "
       "that "
       "do are joined to no distribution unit. Pipes are joined where they meet or cross on about one level, and by "
       "risers "
       "where their ends lie above each other. Source of the limit: the drawing itself.",
       &rack_without_coolant},
      {"CLG-012", Severity::warning, "Pipe that carries nothing",
       "A supply or return pipe has no diameter or no length, or leads to no rack and no distribution unit; or its valve is "
       "throttled or shut on a dead end, where no coolant comes past. Source of the limit: the drawing itself.",
       &pipe_without_use},
      {"CLG-013", Severity::error, "Distribution unit that moves no coolant",
       "A loop with pipes has no distribution unit, or a unit reaches no supply or no return pipe of its loop, or "
       "neither its "
       "capacity nor its flow is known; a warning where it is joined and stands while the others run. Source of the limit: "
       "the drawing itself, and its solved flows.",
       &unit_off_its_loop},
      {"CLG-014", Severity::warning, "Loop that cannot be solved",
       "Density, specific heat or viscosity of the fluid are not known, the supply is out of the range in which it is "
       "a "
       "liquid, or no steady state exists. Source of the limit: fluid rows of the catalog.",
       &loop_not_solved},
      {"CLG-015", Severity::error, "Rack short of flow",
       "The solved flow of each rack, all pumps at full speed, is compared with what the rack needs by its heat and by "
       "its "
       "parts. Source of the limit: energy balance, and flows that the parts state.",
       &rack_short_of_flow},
      {"CLG-016", Severity::error, "Redundancy that the pipes do not bear",
       "Every distribution unit and every pump is taken out once and the loop is solved again, for 2N every tried half "
       "of "
       "the units: no rack may be short of flow, no exchanger overloaded, no supply too warm. Counting capacities does "
       "not "
       "show this: the rest of the pumps run out on their curves. Source of the limit: the redundancy of the cooling "
       "plant.",
       &short_after_a_failure},
      {"CLG-017", Severity::warning, "Uneven flow",
       "Largest less smallest share of need over the mean. Racks near the pumps take more than they need, and pumps "
       "must run "
       "faster for the far ones; balancing valves or reverse return mend it. Source of the limit: catalog assumption "
       "cooling.flow_spread_limit; above twice of it a warning, else a note.",
       &uneven_flow},
      {"CLG-018", Severity::error, "Unit asked for more than its exchanger passes on",
       "The duty of each unit at its solved flow is compared with what its exchanger passes on there, sized by its "
       "rating at "
       "its approach; where the units take the heat at no temperature below the boiling of coolant, the capacity of all "
       "of them with the heat. Source of the limit: capacity, flow and approach of the part; effectiveness of counterflow.",
       &unit_beyond_its_exchanger},
      {"CLG-019", Severity::warning, "Pumps without reserve",
       "Head that is left between the speed at which every rack gets its need and full speed; beyond the end of the "
       "curve "
       "nothing is known, which is an error. Source of the limit: catalog assumption cooling.pump_head_margin.",
       &pump_without_reserve},
      {"CLG-020", Severity::error, "Pressure above the rating of racks",
       "Fill pressure, height and pump head together at the inlet of each rack, all pumps at full speed. Source of the "
       "limit: catalog assumption cooling.rack_working_pressure_limit.",
       &pressure_above_rating},
      {"CLG-021", Severity::warning, "Pressure below that of the air",
       "Where the pressure of a running loop falls below that of the air, it draws air in, and pumps lose their prime. "
       "Source of the limit: project choice, gauge pressure of at least 0 everywhere.",
       &pressure_below_air},
      {"CLG-022", Severity::warning, "Coolant too fast",
       "Velocity in pipes up to DN50, friction per metre in larger ones, and a velocity that no pipe may pass. Source "
       "of the "
       "limit: catalog assumptions cooling.pipe_velocity_limit_small, cooling.pipe_friction_limit_large and "
       "cooling.pipe_velocity_limit_absolute.",
       &pipe_too_fast},
      {"CLG-023", Severity::error, "Return too warm",
       "Coolant that leaves a rack is compared with what hoses, seals and coolant bear. Source of the limit: catalog "
       "assumption cooling.return_temperature_limit.",
       &return_too_warm},
      {"CLG-024", Severity::error, "Supply too warm at a rack",
       "The mixed supply that reaches a rack is warmer than its parts take, although the set point of the loop is not: "
       "an "
       "exchanger does not hold it. Source of the limit: rows of the rack and node parts.",
       &supply_too_warm_at_a_rack},
      {"CLG-025", Severity::note, "Pumps that need a UPS",
       "Seconds after a stop of all pumps within which they must run again so that no rack throttles, against the "
       "start of "
       "generators. Source of the limit: catalog assumptions transient.* and power.generator_start_time.",
       &pumps_need_a_ups},
      {"CLG-026", Severity::warning, "Ride-through shorter than the restart",
       "Seconds within which facility water must be back so that no rack throttles, the loop's pumps running, against "
       "what "
       "generators and, where they are drawn, chillers take. Source of the limit: catalog assumptions transient.*, "
       "power.generator_start_time and cooling.chiller_restart_time.",
       &ride_through_too_short},
      {"CLG-027", Severity::note, "Laminar or transitional hoses",
       "Between Reynolds 2,000 and 4,000 no friction law is right within 10 to 15 %. Source of the limit: measured "
       "friction "
       "factors, as EPANET's manual quotes them.",
       &laminar_hoses},
      {"CLG-028", Severity::note, "Loop that stays first-order",
       "Pipes are drawn, and none of this loop, or none of one side: its flows are what its racks need, not what they "
       "get. "
       "Source of the limit: the drawing itself.",
       &loop_stays_first_order},
      {"CLG-030", Severity::error, "Facility water in a circle",
       "A loop names itself as its facility water, or loops name each other in a circle, or through more than one loop: "
       "facility water ends at dry coolers, chillers or towers, on a loop that names none. Source of the limit: the "
       "drawing itself.",
       &facility_water_in_a_circle},
      {"CLG-031", Severity::error, "Racks on facility water",
       "A loop that others name as their facility water carries distribution units and no racks: what a rack needs of it "
       "is not solved. Source of the limit: the drawing itself.",
       &racks_on_facility_water},
      {"CLG-032", Severity::error, "Distribution unit that no facility water reaches",
       "The loop of a distribution unit names a loop of facility water, and no supply or return pipe of that passes "
       "within 1.5 m of the unit, or none that is joined to a dry cooler, chiller or tower. Source of the limit: the "
       "drawing itself.",
       &unit_without_facility_water},
      {"CLG-033", Severity::error, "Facility water short",
       "The solved flow of facility water through each distribution unit, all pumps at full speed, is compared with the "
       "flow at which its exchanger holds the supply of its loop, and 5 % more for the control valve. Source of the "
       "limit: effectiveness of counterflow, sized by the rating of the part.",
       &facility_flow_short},
      {"CLG-034", Severity::error, "Failure of facility water that reaches racks",
       "Every dry cooler, chiller, tower and pump of facility water is taken out once, and the loops that hang on it are "
       "solved with the water that is left: no rack may get warmer coolant than its parts take. Source of the limit: the "
       "redundancy of the cooling plant.",
       &facility_failure_reaches_racks},
  };
}

} // namespace hallwright
