// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/phase_and_standby_rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "power/busway_runs.h"
#include "power/one_line_rules.h"
#include "power/ride_through.h"

namespace hallwright {
namespace {

const OneLineStudy& drawn_study(const CheckContext& context) {
  return context.looks->of<OneLineStudy>([&] { return one_line_study(context); });
}
double assumed_seconds(const Catalog& catalog, const char* id, double otherwise) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value && *a->value >= 0.0 ? *a->value : otherwise;
}

/// PWR-024
void stands_by_for_no_one(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const std::vector<PowerUnit>& units = *context.design.power_units;
  for (const PowerUnit& u : units) {
    if (u.kind != PowerUnitKind::generator) continue;
    if (std::any_of(units.begin(), units.end(), [&](const PowerUnit& other) {
          return other.id != u.id && (other.upstream == u.id || other.second_source == u.id ||
                                      other.parallel_with == u.id || u.parallel_with == other.id);
        }))
      continue;
    if (std::any_of(context.design.racks->begin(), context.design.racks->end(),
                    [&](const Rack& r) { return r.feed_a == u.id || r.feed_b == u.id; }))
      continue;
    findings.push_back(finding_of(
        rule,
        fmt::format(
            "{} takes over from no one: no unit has it as its second source or as what feeds it. Name it as the second "
            "source of the transformers or UPS that it is to carry",
            u.name.empty() ? fmt::format("Generator {}", u.id) : u.name),
        {{"power_units", u.id}}, context, {}));
  }
}

/// Generators, and the UPS that they can feed: by way of what feeds these or of second sources on the way.
struct StandbyGroup {
  std::vector<std::size_t> generators; ///< elements
  std::vector<Id> ups;
};
/// Generators that can feed a common UPS are in one group.
std::vector<StandbyGroup> standby_groups(const OneLine& line) {
  std::vector<StandbyGroup> out;
  const auto& elements = line.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].kind != PowerUnitKind::ups) continue;
    // Up all ways, also those of the other units of each bus.
    std::vector<char> seen(elements.size(), 0);
    std::vector<std::size_t> ways{i};
    StandbyGroup group;
    group.ups.push_back(elements[i].id);
    while (!ways.empty()) {
      const std::size_t at = ways.back();
      ways.pop_back();
      if (seen[at]) continue;
      seen[at] = 1;
      if (elements[at].kind == PowerUnitKind::generator) group.generators.push_back(at);
      for (const std::uint32_t m : line.buses()[line.bus_of(at)].members)
        ways.push_back(m);
      for (const std::int32_t from : {line.upstream(at), line.alternate(at)})
        if (from != OneLine::none) ways.push_back(static_cast<std::size_t>(from));
    }
    if (group.generators.empty()) continue;
    std::sort(group.generators.begin(), group.generators.end());
    for (std::size_t k = 0; k < out.size();) {
      const bool common = std::any_of(out[k].generators.begin(), out[k].generators.end(), [&](std::size_t g) {
        return std::binary_search(group.generators.begin(), group.generators.end(), g);
      });
      if (!common) {
        ++k;
        continue;
      }
      group.ups.insert(group.ups.begin(), out[k].ups.begin(), out[k].ups.end());
      std::vector<std::size_t> both;
      std::set_union(group.generators.begin(), group.generators.end(), out[k].generators.begin(),
                     out[k].generators.end(), std::back_inserter(both));
      group.generators = std::move(both);
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(k));
    }
    out.push_back(std::move(group));
  }
  return out;
}

/// Whether a static switch above a UPS moves it to another utility feed within a quarter of a cycle: its battery is not
/// asked when one utility is lost, and both are not lost together.
bool kept_by_static_switch(const OneLine& line, std::size_t ups) {
  const auto source_of = [&](std::size_t element) {
    const auto above = line.above(element);
    return above.empty() ? element : above.back();
  };
  const std::size_t own = source_of(ups);
  std::vector<std::size_t> way{ups};
  for (const std::size_t up : line.above(ups))
    way.push_back(up);
  for (const std::size_t at : way) {
    if (line.elements()[at].kind != PowerUnitKind::static_switch || line.alternate(at) == OneLine::none) continue;
    const std::size_t other = source_of(static_cast<std::size_t>(line.alternate(at)));
    if (other != own && line.elements()[other].kind == PowerUnitKind::utility_feed) return true;
  }
  return false;
}

/// PWR-025
void batteries_too_short(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::vector<UpsBattery> batteries;
  for (const PowerUnit& u : *context.design.power_units)
    if (u.kind == PowerUnitKind::ups && u.battery_time) batteries.push_back({u.id, *u.battery_time, 1.0});
  if (batteries.empty()) return;
  const OneLineStudy& study = drawn_study(context);
  const OneLine& line = study.line;
  const PowerFlow normal(line);
  StandbySource source;
  source.start = seconds(assumed_seconds(context.catalog, "power.generator_start_time", 10.0));
  source.step_share = context.design.power_plant->generator_step_share;
  std::vector<EntityRef> short_ones;
  std::string sentence;
  for (const StandbyGroup& group : standby_groups(line)) {
    double rating = 0.0;
    for (const std::size_t g : group.generators) {
      const OneLineElement& e = line.elements()[g];
      // Generators are rated at a power factor of 0.8. One without a rating leaves the sum open: PWR-010 asks for it.
      rating += std::isfinite(e.rating_w) ? e.rating_w : e.rating_va * 0.8;
    }
    if (!(rating > 0.0)) continue;
    source.rating = watts(rating);
    source.ups = group.ups;
    source.name =
        group.generators.size() == 1 ? line.name(line.elements()[group.generators.front()].id) : StandbySource().name;
    const auto answer = ride_through(normal, batteries, source);
    if (!answer) continue;
    for (const UpsRideThrough& u : answer->ups) {
      if (u.bridged || kept_by_static_switch(line, static_cast<std::size_t>(line.index(u.ups))) ||
          std::none_of(batteries.begin(), batteries.end(), [&](const UpsBattery& b) { return b.ups == u.ups; }))
        continue;
      short_ones.push_back({"power_units", u.ups});
      if (sentence.empty()) sentence = u.sentence;
    }
  }
  if (short_ones.empty()) return;
  if (short_ones.size() > 1) sentence += fmt::format("; so for {} more UPS", short_ones.size() - 1);
  findings.push_back(finding_of(rule, sentence, std::move(short_ones), context, {"load.it"}));
}

bool phases_are_stated(const Design& d) {
  return std::any_of(d.racks->begin(), d.racks->end(), [](const Rack& r) {
    return r.phases_a != TapPhases::three_phase || r.phases_b != TapPhases::three_phase;
  });
}
bool impedances_are_stated(const Design& d) {
  return std::any_of(d.power_units->begin(), d.power_units->end(),
                     [](const PowerUnit& u) { return u.conductor_resistance || u.conductor_reactance; });
}
std::vector<EntityRef> at_busway(Id unit, const std::vector<std::int64_t>& taps) {
  std::vector<EntityRef> out{{"power_units", unit}};
  for (std::size_t i = 0; i < taps.size() && i < 24; ++i)
    out.push_back({"racks", taps[i]});
  return out;
}
/// What is wrong on a busway only when the other side is out and racks with two cords draw all of their power here: once
/// for each busway, with the first and the number of the others.
void other_side_out(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings,
                    std::initializer_list<PhaseProblemKind> kinds, const std::vector<DrawnBusway>& busways,
                    const std::vector<BuswayProblem>& normal) {
  std::vector<DrawnBusway> alone;
  for (const DrawnBusway& b : busways)
    if (b.missing.empty() && std::any_of(b.taps.begin(), b.taps.end(), [](const BuswayTap& t) { return t.both_cords; })) {
      alone.push_back(b);
      alone.back().taps = with_other_side_out(b.taps);
    }
  struct Told {
    const PhaseProblem* worst = nullptr;
    double drop = 0.0;
    std::vector<std::int64_t> taps;
  };
  const std::vector<BuswayProblem> problems = busway_problems(alone, context.catalog);
  std::map<Id, Told> of_busway;
  for (const BuswayProblem& p : problems) {
    if (std::find(kinds.begin(), kinds.end(), p.problem.kind) == kinds.end() ||
        p.problem.kind == PhaseProblemKind::wrong_input)
      continue;
    const auto told = std::find_if(normal.begin(), normal.end(), [&](const BuswayProblem& n) {
      return n.unit == p.unit && n.problem.kind == p.problem.kind &&
             (p.problem.kind != PhaseProblemKind::voltage_drop || n.problem.taps == p.problem.taps);
    });
    if (told != normal.end()) continue;
    const DrawnBusway& busway =
        *std::find_if(alone.begin(), alone.end(), [&](const DrawnBusway& b) { return b.unit == p.unit; });
    // Three-phase taps alone load all lines alike: what they overload is told of the unit.
    if (p.problem.kind != PhaseProblemKind::voltage_drop &&
        std::all_of(busway.taps.begin(), busway.taps.end(),
                    [](const BuswayTap& t) { return t.phases == TapPhases::three_phase; }))
      continue;
    Told& here = of_busway[p.unit];
    double drop = 0.0;
    if (p.problem.kind == PhaseProblemKind::voltage_drop)
      for (const TapVoltage& v : tap_voltages(busway.run, busway.taps))
        if (v.id == p.problem.taps.front()) drop = v.drop();
    if (!here.worst || drop > here.drop) {
      here.worst = &p.problem;
      here.drop = drop;
    }
    here.taps.insert(here.taps.end(), p.problem.taps.begin(), p.problem.taps.end());
  }
  for (const auto& [unit, told] : of_busway) {
    std::string sentence = "With the other side out, " + told.worst->sentence;
    const std::size_t more = told.worst->kind == PhaseProblemKind::voltage_drop ? told.taps.size() - 1 : 0;
    if (more > 0) sentence += fmt::format("; so for {} more", more);
    findings.push_back(finding_of(rule, std::move(sentence), at_busway(unit, told.taps), context, {"load.it"}));
  }
}
void tell_problems(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings,
                   std::initializer_list<PhaseProblemKind> kinds, bool spreads) {
  const std::vector<DrawnBusway> busways = drawn_busways(context.design, drawn_study(context).line, context.catalog);
  const std::vector<BuswayProblem> normal = busway_problems(busways, context.catalog);
  other_side_out(context, rule, findings, kinds, busways, normal);
  for (const BuswayProblem& p : normal) {
    if (std::find(kinds.begin(), kinds.end(), p.problem.kind) == kinds.end()) continue;
    const auto busway =
        std::find_if(busways.begin(), busways.end(), [&](const DrawnBusway& b) { return b.unit == p.unit; });
    // Three-phase taps alone load all lines alike: what they overload is told of the unit.
    if (p.problem.kind != PhaseProblemKind::voltage_drop &&
        std::all_of(busway->taps.begin(), busway->taps.end(),
                    [](const BuswayTap& t) { return t.phases == TapPhases::three_phase; }))
      continue;
    Finding f = finding_of(rule, p.problem.sentence, at_busway(p.unit, p.problem.taps), context, {"load.it"});
    if (spreads) {
      const PhaseProposal proposal = propose_phases(busway->run, busway->taps);
      if (!proposal.changed.empty()) {
        Remedy remedy;
        remedy.edit = spread_over_phases(context.design, *busway, proposal);
        remedy.cost_dollars = 0.0;
        remedy.lead_time_weeks = 0.0;
        remedy.labour = true;
        f.remedies.push_back(std::move(remedy));
      }
    }
    findings.push_back(std::move(f));
  }
}

/// PWR-026
void line_overloaded(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (phases_are_stated(context.design))
    tell_problems(context, rule, findings, {PhaseProblemKind::line_overload, PhaseProblemKind::neutral_overload}, true);
}
/// PWR-027
void phases_unbalanced(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (phases_are_stated(context.design)) tell_problems(context, rule, findings, {PhaseProblemKind::unbalance}, true);
}
/// PWR-028
void voltage_drops(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (impedances_are_stated(context.design))
    tell_problems(context, rule, findings, {PhaseProblemKind::voltage_drop}, false);
}

} // namespace

std::vector<Rule> phase_and_standby_rules() {
  return {
      {"PWR-024", Severity::warning, "Generator that takes over from no one",
       "A generator feeds nothing until a unit has it as its second source or as what feeds it. Source of the limit: "
       "the drawing itself.",
       &stands_by_for_no_one},
      {"PWR-025", Severity::error, "Batteries shorter than the generators need",
       "Generators start, then take the UPS that they can feed (by what feeds these, or as a second source) one after "
       "the other in steps that they accept, those with the shortest "
       "batteries first; each battery must last "
       "until then at the load of its UPS. A UPS that a static switch moves to another utility feed is left out: it "
       "transfers within a quarter of a cycle. Charging is left out. Source of the limit: the battery times and ratings of "
       "the design; start time of the "
       "catalog, steps of the plan.",
       &batteries_too_short},
      {"PWR-026", Severity::error, "Line or neutral of a busway overloaded",
       "Racks on single phases load the lines of a busway unlike; each line may carry its rating for long, the neutral "
       "its own, also with the other side out. Source of the limit: rating "
       "and continuous-load factor of the unit.",
       &line_overloaded},
      {"PWR-027", Severity::warning, "Phases unbalanced",
       "The largest distance of a line from the mean of the three, over the mean. Source of the limit: "
       "power.phase_unbalance_limit of the catalog, a "
       "customary planning limit.",
       &phases_unbalanced},
      {"PWR-028", Severity::warning, "Voltage drop on a busway",
       "Voltage lost along the busway and the whip to the farthest tap, as a share of the voltage that the tap stands "
       "between: in normal operation, and with the other side out, when racks with two cords draw all of their power "
       "here. Direct current and one phase lose it in both conductors. Source of the limit: "
       "power.voltage_drop_branch_limit of the catalog.",
       &voltage_drops},
  };
}

} // namespace hallwright
