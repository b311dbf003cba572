// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "cooling/care_rules.h"
#include "cooling/climate_rules.h"
#include "cooling/cooling.h"
#include "cooling/loop_rules.h"
#include "cooling/unit_remedy.h"

namespace hallwright {
namespace {

std::string loop_figure(Id loop, std::string_view what) { return fmt::format("cooling.loop.{}.{}", loop, what); }
std::string loop_name(const Design& design, Id loop) {
  const CoolantLoop* l = loop ? find(*design.loops, loop) : nullptr;
  return l ? "loop '" + l->name + "'" : "the racks that name no loop";
}
std::vector<EntityRef> loop_entities(const Design& design, Id loop) {
  if (loop && find(*design.loops, loop)) return {{"loops", loop}};
  return {{"cooling_plant", 0}};
}
/// Loops with heat: those that have a figure, with 0 for racks on none.
std::vector<Id> loops_with_heat(const CheckContext& context) {
  std::vector<Id> out;
  if (context.figures.find(loop_figure(0, "heat"))) out.push_back(0);
  for (const CoolantLoop& l : *context.design.loops)
    if (context.figures.find(loop_figure(l.id, "heat"))) out.push_back(l.id);
  return out;
}
/// A figure in words; a total of which nothing is known yet is no "at least 0".
std::string known_text(const Figure& f) {
  const bool nothing = !f.has_value() || (f.completeness == Completeness::lower_bound && f.value == 0.0);
  return nothing ? "not known" : figure_text(f);
}
std::vector<const CoolingUnit*> cdus_of(const Design& design, Id loop) {
  std::vector<const CoolingUnit*> out;
  for (const CoolingUnit& u : *design.cooling_units)
    if (u.kind == CoolingUnitKind::cdu && (find(*design.loops, u.loop) ? u.loop : 0) == loop) out.push_back(&u);
  return out;
}

/// Adds CDUs of the plant's part (else of the last one drawn) beside the last CDU of the loop.
std::optional<Remedy> add_cdus(const CheckContext& context, Id loop, Count count = 1) {
  const auto drawn = cdus_of(context.design, loop);
  const std::string part = !context.design.cooling_plant->cdu_part.empty() ? context.design.cooling_plant->cdu_part
                           : drawn.empty()                                 ? std::string()
                                                                           : drawn.back()->part;
  const CoolingPart* catalog_part = context.catalog.find<CoolingPart>(part);
  if (!catalog_part) return std::nullopt;
  Remedy r;
  const std::string how_many = count > 1       ? fmt::format("{}{} CDUs", count, drawn.empty() ? "" : " more")
                               : drawn.empty() ? "a CDU"
                                               : "one more CDU";
  r.edit.label = fmt::format("Add {} ({}) to {}", how_many, catalog_part->name, loop_name(context.design, loop));
  const Length step = catalog_part->width ? *catalog_part->width : millimeters(1000);
  const Id last = drawn.empty() ? 0 : drawn.back()->id;
  r.edit.apply = [loop, part, step, last, count](const Design& before) -> Edited {
    Design design = before;
    for (Count i = 1; i <= count; ++i) {
      CoolingUnit unit;
      if (const CoolingUnit* beside = last ? find(*design.cooling_units, last) : nullptr) {
        unit = *beside;
        // Turned by a quarter the next place is below, otherwise to the right.
        const bool upright = std::abs(std::sin(in_degrees(beside->rotation) * 0.017453292519943295)) < 0.5;
        if (upright)
          unit.x = beside->x + step * static_cast<double>(i);
        else
          unit.y = beside->y + step * static_cast<double>(i);
        unit.locked = false;
      } else {
        unit.kind = CoolingUnitKind::cdu;
        unit.loop = loop;
        unit.hall = design.halls->empty() ? 0 : design.halls->front().id;
        unit.x = step * static_cast<double>(i - 1);
      }
      unit.part = part;
      unit.capacity.reset();
      unit.name = free_name(design, "cooling_units", "CDU 1");
      design = add_entity(design, &Design::cooling_units, std::move(unit)).design;
    }
    return design;
  };
  if (catalog_part->price) r.cost_dollars = static_cast<double>(count) * in_dollars(*catalog_part->price);
  if (const Assumption* lead = context.catalog.find<Assumption>("lead.cdu"); lead && lead->value && lead->unit == "wk")
    r.lead_time_weeks = *lead->value;
  return r;
}

/// CDUs that a loop needs beyond those drawn; at least one.
Count cdus_lacking(const CheckContext& context, Id loop) {
  const Figure* needed = context.figures.find(loop_figure(loop, "cdus_needed"));
  const auto drawn = static_cast<Count>(cdus_of(context.design, loop).size());
  if (!needed || !needed->has_value()) return 1;
  return std::clamp<Count>(static_cast<Count>(std::llround(needed->value)) - drawn, 1, 1000);
}

/// CLG-001
void no_cdu(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Id loop : loops_with_heat(context)) {
    if (!cdus_of(context.design, loop).empty()) continue;
    const Figure* heat = context.figures.find(loop_figure(loop, "heat"));
    if (context.design.racks->empty()) continue; // nothing is drawn yet
    if (!heat->has_value() || heat->value <= 0.0) {
      Finding f = finding_of(rule,
                             fmt::format("Whether heat goes to liquid on {} cannot be decided, and no CDU is drawn "
                                         "there: {}",
                                         loop_name(context.design, loop), heat->reason),
                             loop_entities(context.design, loop), context, {heat->id});
      f.severity = Severity::warning;
      f.undecided = true;
      findings.push_back(std::move(f));
      continue;
    }
    Finding f = finding_of(rule,
                           fmt::format("{} of heat goes to liquid on {}, and no CDU is drawn there", figure_text(*heat),
                                       loop_name(context.design, loop)),
                           loop_entities(context.design, loop), context, {heat->id});
    if (auto remedy = add_cdus(context, loop, cdus_lacking(context, loop))) f.remedies.push_back(std::move(*remedy));
    findings.push_back(std::move(f));
  }
}

/// Why nothing is left where redundancy takes the only unit out of service: "N+1 counts CDU 1 (1.35 MW), the only CDU
/// there, as out of service".
std::string all_out_words(const CheckContext& context, Redundancy redundancy,
                          const std::vector<const CoolingUnit*>& units, std::string_view what) {
  const auto word = ChoiceWords<Redundancy>::words[static_cast<std::size_t>(redundancy)];
  const CoolingUnit& unit = *units.front();
  const CoolingPart* part = context.catalog.find<CoolingPart>(unit.part);
  const std::optional<Power> capacity = unit.capacity ? unit.capacity : part ? part->capacity : std::nullopt;
  return fmt::format("{} counts {}{}, the only {} there, as out of service", word, unit.name,
                     capacity ? " (" + format_quantity(in_watts(*capacity), kind::power).joined() + ")" : std::string(),
                     what);
}

/// CLG-002
void cdu_margin(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  constexpr double least_margin = 0.1;
  for (const Id loop : loops_with_heat(context)) {
    if (cdus_of(context.design, loop).empty()) continue;
    auto judge = [&](std::string_view what, std::string_view limit_name) {
      const Figure* load = context.figures.find(loop_figure(loop, what));
      const Figure* left = context.figures.find(loop_figure(loop, limit_name));
      if (!load || !left || load->status == Status::none) return false;
      if (load->status == Status::undecided) {
        const std::string why =
            load->completeness != Completeness::exact && !load->reason.empty() ? load->reason : left->reason;
        Finding f = finding_of(rule,
                               fmt::format("Whether {} ({}) carries {} ({}) cannot be decided: {}", left->label,
                                           known_text(*left), load->label, known_text(*load), why),
                               loop_entities(context.design, loop), context, {load->id, left->id});
        f.severity = Severity::warning;
        f.undecided = true;
        findings.push_back(std::move(f));
        return true;
      }
      if (!load->has_value() || !left->has_value()) return false;
      const double margin = left->value > 0 ? 1.0 - load->value / left->value : -1.0;
      const bool over = load->status == Status::over_limit;
      if (!over && margin >= least_margin) return false;
      if (const auto drawn = cdus_of(context.design, loop); over && left->value <= 0.0 && drawn.size() == 1) {
        const Figure* needed = context.figures.find(loop_figure(loop, "cdus_needed"));
        const double more = needed && needed->has_value() ? needed->value - 1.0 : 1.0;
        Finding f = finding_of(
            rule,
            fmt::format("{} is {}, and nothing is left to carry it: {}; {}", load->label, figure_text(*load),
                        all_out_words(context, context.design.cooling_plant->redundancy, drawn, "CDU"),
                        more > 1.0 ? fmt::format("{:.0f} more are needed", more) : std::string("one more is needed")),
            loop_entities(context.design, loop), context, {load->id, left->id});
        if (auto remedy = add_cdus(context, loop, cdus_lacking(context, loop)))
          f.remedies.push_back(std::move(*remedy));
        findings.push_back(std::move(f));
        return true;
      }
      Finding f =
          finding_of(rule,
                     over ? fmt::format("{} is {}; the CDUs carry {} ({})", load->label, figure_text(*load),
                                        figure_text(*left), left->label)
                          : fmt::format("{} is {} of {} ({}): {:.2g} % of margin, at least 10 % is wanted", load->label,
                                        figure_text(*load), figure_text(*left), left->label, margin * 100),
                     loop_entities(context.design, loop), context, {load->id, left->id});
      f.severity = over ? Severity::error : Severity::warning;
      if (auto remedy = add_cdus(context, loop, over ? cdus_lacking(context, loop) : 1))
        f.remedies.push_back(std::move(*remedy));
      findings.push_back(std::move(f));
      return true;
    };
    if (!judge("heat", "cdu_capacity_left")) judge("flow", "cdu_flow_left");
  }
}

/// CLG-003
void flow_binds(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* by_duty = context.figures.find("cooling.cdus_by_duty");
  const Figure* by_flow = context.figures.find("cooling.cdus_by_flow");
  if (!by_duty || !by_flow || !by_duty->has_value() || !by_flow->has_value() || by_flow->value <= by_duty->value)
    return;
  findings.push_back(finding_of(rule,
                                fmt::format("Flow asks for {} CDUs, duty for {}: a larger temperature rise needs fewer",
                                            figure_text(*by_flow), figure_text(*by_duty)),
                                {{"cooling_plant", 0}}, context, {by_flow->id, by_duty->id}));
}

/// CLG-004
void warm_supply(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Id loop : loops_with_heat(context))
    check_limit(context, rule, loop_figure(loop, "supply_temperature"), loop_entities(context.design, loop), {},
                findings);
}

/// CLG-005
void air_capacity(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* heat = context.figures.find("cooling.air_heat");
  const Figure* left = context.figures.find("cooling.air_capacity_left");
  if (!heat || !left) return;
  check_limit(context, rule, heat->id, {{"cooling_plant", 0}}, {}, findings);
  if (heat->status == Status::over_limit || heat->status == Status::undecided || !heat->has_value() ||
      !left->has_value())
    return;
  if (left->completeness != Completeness::lower_bound && heat->value > left->value * (1.0 + 1e-9)) {
    std::vector<const CoolingUnit*> room;
    for (const CoolingUnit& u : *context.design.cooling_units)
      if (u.kind == CoolingUnitKind::crah || u.kind == CoolingUnitKind::fan_wall) room.push_back(&u);
    const bool none_left = left->value <= 0.0 && room.size() == 1;
    Finding f = finding_of(
        rule,
        none_left ? fmt::format("{} is {}, and nothing is left to carry it: {}; one more is needed", heat->label,
                                figure_text(*heat),
                                all_out_words(context, context.design.cooling_plant->redundancy, room, "air unit"))
                  : fmt::format("{} is {}; {} is {}", heat->label, figure_text(*heat), left->label, figure_text(*left)),
        {{"cooling_plant", 0}}, context, {heat->id, left->id});
    f.severity = Severity::warning;
    findings.push_back(std::move(f));
  }
}

/// CLG-006
void racks_on_no_loop(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* racks = context.figures.table("cooling.racks");
  if (!racks || context.design.loops->empty()) return;
  const TableColumn* loops = racks->column("loop");
  std::vector<EntityRef> without;
  for (std::size_t i = 0; i < racks->entities.size(); ++i)
    if (loops->words[i].empty() && !find(*context.design.loops, find(*context.design.racks, racks->entities[i])->loop))
      without.push_back({"racks", racks->entities[i]});
  if (without.empty()) return;
  Finding f = finding_of(rule,
                         without.size() == 1
                             ? std::string("A rack that sheds heat to liquid is on no coolant loop")
                             : fmt::format("{} racks that shed heat to liquid are on no coolant loop", without.size()),
                         without, context, {"cooling.flow"});
  if (context.design.loops->size() == 1) {
    const Id loop = context.design.loops->front().id;
    Remedy r;
    r.edit.label = fmt::format("Connect {} {} to {}", without.size(), without.size() == 1 ? "rack" : "racks",
                               loop_name(context.design, loop));
    std::vector<Id> ids;
    for (const EntityRef& e : without)
      ids.push_back(e.id);
    r.edit.apply = [ids, loop](const Design& design) -> Edited {
      if (!find(*design.loops, loop)) return tl::make_unexpected(std::string("The coolant loop is gone."));
      return with_table(design, &Design::racks, [&](std::vector<Rack>& table, Id&) {
        for (Rack& rack : table)
          if (std::binary_search(ids.begin(), ids.end(), rack.id)) rack.loop = loop;
      });
    };
    f.remedies.push_back(std::move(r));
  }
  findings.push_back(std::move(f));
}

/// Of a loop of facility water that is named and cannot be solved: why, where that is plain.
std::string unsolved_words(const Design& design, const CoolantLoop* water) {
  if (!water) return {};
  const bool cooler = std::any_of(design.cooling_units->begin(), design.cooling_units->end(), [&](const CoolingUnit& u) {
    return u.loop == water->id && (u.kind == CoolingUnitKind::dry_cooler || u.kind == CoolingUnitKind::chiller ||
                                   u.kind == CoolingUnitKind::cooling_tower);
  });
  const bool pipes = std::any_of(design.pipes->begin(), design.pipes->end(), [&](const Pipe& p) { return p.loop == water->id; });
  return fmt::format("; loop '{}', its facility water, {}", water->name,
                     !cooler && !pipes ? "has no dry cooler, chiller or tower and no pipes, so that it is not solved"
                     : !cooler         ? "has no dry cooler, chiller or tower, so that it is not solved"
                     : !pipes          ? "has no pipes, so that it is not solved"
                                       : "is not solved");
}

/// CLG-008
void dry_coolers_too_warm(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& units = *context.design.cooling_units;
  auto drawn = [&](CoolingUnitKind kind) {
    return std::any_of(units.begin(), units.end(), [&](const CoolingUnit& u) { return u.kind == kind; });
  };
  // Chillers go below the outdoor air, towers towards its wet bulb.
  if (drawn(CoolingUnitKind::chiller) || drawn(CoolingUnitKind::cooling_tower)) return;
  const CoolingPlant& plant = *context.design.cooling_plant;
  const bool climate = !context.design.site->climate_part.empty() || !context.design.climate_bins->empty();
  // Where the year counts towers or wetted coolers, CLG-041 says whether their water is too warm.
  if (climate && plant.heat_rejection != HeatRejection::dry_cooler && !drawn(CoolingUnitKind::dry_cooler)) return;
  // Where no heat rejection is drawn, the cooling model counts with dry coolers.
  const bool assumed = !drawn(CoolingUnitKind::dry_cooler);
  // Design point and year count chillers that nobody drew.
  const bool counted = plant.chillers == ChillerUse::where_needed && climate;
  const Figure* reached = context.figures.find("cooling.supply_from_outdoor");
  if (!reached || !reached->has_value()) return;
  for (const Id loop : loops_with_heat(context)) {
    const Figure* supply = context.figures.find(loop_figure(loop, "supply_temperature"));
    if (!supply || !supply->has_value() || reached->value <= supply->value) continue;
    // Facility water that is solved is solved with its dry coolers: CLG-018 judges those. One that is only named, with
    // nothing drawn or joined, judges nothing.
    const CoolantLoop* of = find(*context.design.loops, loop);
    if (of && of->facility_loop && facility_water_is_solved(context, loop)) continue;
    const CoolantLoop* empty = of && of->facility_loop ? find(*context.design.loops, of->facility_loop) : nullptr;
    findings.push_back(
        finding_of(rule,
                   fmt::format("Dry coolers{} reach {} on the design day; {} asks for {}{}{}",
                               assumed ? ", which stand in until heat rejection is drawn," : "", figure_text(*reached),
                               loop_name(context.design, loop), figure_text(*supply),
                               counted ? "; chillers where needed are counted, none is drawn" : ", and no chiller is drawn",
                               unsolved_words(context.design, empty)),
                   loop_entities(context.design, loop), context, {reached->id, supply->id}));
  }
}

/// CLG-009
void cdu_serves_nothing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& design = context.design;
  if (design.racks->empty()) return; // nothing to cool yet
  const auto served = loops_with_heat(context);
  std::vector<EntityRef> idle;
  for (const CoolingUnit& u : *design.cooling_units) {
    const Id loop = find(*design.loops, u.loop) ? u.loop : 0;
    if (u.kind == CoolingUnitKind::cdu && std::find(served.begin(), served.end(), loop) == served.end())
      idle.push_back({"cooling_units", u.id});
  }
  if (idle.empty()) return;
  const bool one = idle.size() == 1;
  const std::string names =
      one ? find(*design.cooling_units, idle.front().id)->name : fmt::format("{} CDUs", idle.size());
  findings.push_back(finding_of(rule,
                                fmt::format("{} {} nothing: no rack on {} loop sheds heat to liquid", names,
                                            one ? "cools" : "cool", one ? "its" : "their"),
                                std::move(idle), context, {"cooling.cdus_drawn"}));
}

/// CLG-010
void no_air_unit(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  // Once any cooling unit is drawn, the rest is missing rather than yet to come.
  if (context.design.cooling_units->empty() || context.design.racks->empty()) return;
  const Figure* heat = context.figures.find("cooling.air_heat");
  if (!heat || context.figures.find("cooling.air_capacity")) return;
  if (!heat->has_value() || heat->value <= 0.0) return;
  findings.push_back(finding_of(rule,
                                fmt::format("{} of heat goes to the air of the halls, and no CRAH, fan wall or rear "
                                            "door is drawn",
                                            figure_text(*heat)),
                                {{"cooling_plant", 0}}, context, {heat->id}));
}

} // namespace

std::optional<Remedy> more_units_remedy(const CheckContext& context, Id loop, Count count) {
  return add_cdus(context, loop, count);
}

std::vector<Rule> cooling_rules() {
  std::vector<Rule> out{
      {"CLG-001", Severity::error, "Liquid heat without a CDU",
       "Racks shed heat to liquid on a loop that has no coolant distribution unit: nothing moves the coolant or passes "
       "its heat on. Source of the limit: energy balance; all heat to "
       "liquid needs a unit that carries it away.",
       &no_cdu},
      {"CLG-002", Severity::error, "CDU margin with the redundancy out",
       "Heat and flow of each loop are compared with what its drawn CDUs carry when as many are out of service as the "
       "plant's redundancy allows for (N: none, N+1: the largest, "
       "2N: half). Below zero is an error, below 10 % a warning. Capacities hold at the approach that the part states "
       "and are added as stated. Source of the limit: data sheets of the "
       "parts in the catalog; the margin of 10 % is a project choice.",
       &cdu_margin},
      {"CLG-003", Severity::note, "Flow binds before duty",
       "The CDUs run out of flow before they run out of heat capacity: the temperature rise of the loop is small for "
       "them, and a larger one needs fewer units. Source of the limit: "
       "duty and flow on the data sheet of the CDU part.",
       &flow_binds},
      {"CLG-004", Severity::error, "Supply warmer than a part takes",
       "The coolant supply of each loop is compared with the warmest supply that the racks and nodes on it state: "
       "warmer coolant makes GPUs throttle. Source of the limit: the rows of "
       "the rack and node parts in the catalog.",
       &warm_supply},
      {"CLG-005", Severity::error, "Heat to air above the air units",
       "Heat to air is compared with the capacity of the drawn CRAHs, fan walls and rear doors, since what they do not "
       "take warms the hall; with the redundancy out it is a warning. "
       "Source of the limit: capacities of the drawn units, or of their parts in the catalog.",
       &air_capacity},
      {"CLG-006", Severity::warning, "Rack with liquid heat on no loop",
       "A rack sheds heat to liquid, loops are drawn, and the rack names none of them: its heat is counted, but on no "
       "loop's CDUs. Source of the limit: project choice, every rack with "
       "liquid heat belongs on a loop once loops are drawn.",
       &racks_on_no_loop},
      {"CLG-008", Severity::note, "Dry coolers alone are too warm",
       "Outdoor design temperature plus the approach of the dry cooler and of the CDU is warmer than the supply that a "
       "loop asks for, and no chiller is drawn: on the design day the "
       "supply is missed, unless chillers that the year counts where needed are built, too. Where no heat rejection is drawn, dry coolers are counted with. "
       "Source of the limit: catalog assumptions cooling.dry_cooler_approach and "
       "cooling.cdu_approach.",
       &dry_coolers_too_warm},
      {"CLG-009", Severity::note, "CDU that cools nothing",
       "No rack on the loop of the CDU sheds heat to liquid: the unit stands idle, or the loop of racks or of the unit "
       "was forgotten. Source of the limit: the drawing itself.",
       &cdu_serves_nothing},
      {"CLG-010", Severity::warning, "Heat to air without an air unit",
       "Cooling units are drawn, and none of them takes heat out of the air, while racks shed heat to it: what no unit "
       "takes warms the hall. Source of the limit: energy balance.",
       &no_air_unit},
  };
  for (Rule& rule : drawn_loop_rules()) out.push_back(std::move(rule));
  for (Rule& rule : climate_rules()) out.push_back(std::move(rule));
  for (Rule& rule : care_rules()) out.push_back(std::move(rule));
  return out;
}

} // namespace hallwright
