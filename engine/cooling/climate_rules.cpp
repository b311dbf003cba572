// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/climate_rules.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "catalog/moist_air.h"
#include "cooling/climate_plant.h"
#include "cooling/climate_year.h"

namespace hallwright {
namespace {

const Figure* known(const CheckContext& context, std::string_view id) {
  const Figure* f = context.figures.find(id);
  return f && f->has_value() ? f : nullptr;
}

Remedy of_plant(std::string label, std::string_view field, FieldValue value) {
  Remedy r;
  r.edit.label = std::move(label);
  r.edit.apply = [field = std::string(field), value = std::move(value)](const Design& design) -> Edited {
    return set_field(design, {"cooling_plant", 0}, field, value);
  };
  return r;
}

Remedy design_for(double outdoor_c) {
  Remedy r;
  r.edit.label = fmt::format("Design for {:.4g} degC outside", outdoor_c);
  r.edit.apply = [outdoor_c](const Design& design) -> Edited { return set_field(design, {"site", 0}, "outdoor_design_temperature", outdoor_c + 273.15); };
  return r;
}

/// Of air without any vapour, where it is thinnest; rows of a weather file are half a kelvin wide. [degC]
double least_wet_bulb(const ClimateBin& row) { return lowest_wet_bulb(row.dry_bulb.celsius() - 0.5, lowest_outdoor_pressure); }

/// CLG-040
void no_whole_year(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const std::vector<ClimateBin>& rows = *context.design.climate_bins;
  if (rows.empty()) return;
  std::vector<EntityRef> wet, dry;
  const ClimateBin *first = nullptr, *driest = nullptr;
  double all = 0.0;
  for (const ClimateBin& row : rows) {
    all += in_hours(row.duration);
    if (row.wet_bulb.celsius() > row.dry_bulb.celsius() + 1e-9) {
      if (!first) first = &row;
      wet.push_back({"climate_bins", row.id});
    } else if (drier_than_dry(row.dry_bulb.celsius() - 0.5, row.wet_bulb.celsius(), lowest_outdoor_pressure)) {
      if (!driest) driest = &row;
      dry.push_back({"climate_bins", row.id});
    }
  }
  const auto rows_have = [](const std::vector<EntityRef>& of) {
    return of.size() == 1 ? std::string("A row of the climate has") : fmt::format("{} rows of the climate have", of.size());
  };
  if (first) {
    std::string message = fmt::format("{} a wet bulb over the dry bulb, first {:.4g} degC over {:.4g} degC; it can be at most the dry bulb", rows_have(wet),
                                      first->wet_bulb.celsius(), first->dry_bulb.celsius());
    findings.push_back(finding_of(rule, std::move(message), std::move(wet), context, {"cooling.energy_per_year"}));
  }
  if (driest) {
    std::string message = fmt::format("{} a wet bulb lower than that of air without any vapour, first {:.4g} degC at {:.4g} degC dry; at least {:.3g} degC is allowed there",
                                      rows_have(dry), driest->wet_bulb.celsius(), driest->dry_bulb.celsius(), least_wet_bulb(*driest));
    findings.push_back(finding_of(rule, std::move(message), std::move(dry), context, {"cooling.energy_per_year"}));
  }
  if (std::abs(all - hours_of_year) < 0.5 || std::abs(all - hours_of_leap_year) < 0.5) return;
  findings.push_back(finding_of(rule,
                                fmt::format("The rows of the climate hold {:.6g} hours; a year has {:.0f}, a leap year {:.0f}", all, hours_of_year, hours_of_leap_year),
                                {{"climate_bins", rows.front().id}}, context, {"cooling.energy_per_year"}));
}

/// CLG-041
void water_too_warm(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* hours = known(context, "cooling.short_hours");
  const Figure* by = known(context, "cooling.short_by");
  if (!hours || !by || hours->value <= 0.0) return;
  std::string which;
  bool air = false;
  if (const Table* streams = context.figures.table("cooling.year_streams")) {
    const TableColumn* names = streams->column("stream");
    const TableColumn* warm = streams->column("short_hours");
    for (std::size_t i = 0; names && warm && i < names->words.size(); ++i) {
      if (!(warm->numbers[i] > 0.0)) continue;
      which += (which.empty() ? "" : ", ") + names->words[i];
      air = air || names->words[i] == "air handlers";
    }
  }
  const CoolingPlant& plant = *context.design.cooling_plant;
  Finding f = finding_of(rule,
                         fmt::format("On {} of the typical year the water is warmer than asked, by up to {}, for {}: the plant has no chillers", figure_text(*hours),
                                     figure_text(*by), which.empty() ? std::string("some heat") : which),
                         {{"cooling_plant", 0}}, context, {hours->id, by->id});
  f.remedies.push_back(of_plant("Let chillers take over where needed", "chillers", std::string("where needed")));
  if (plant.heat_rejection == HeatRejection::dry_cooler)
    f.remedies.push_back(of_plant("Wet the air of the coolers on warm hours (adiabatic cooler)", "heat_rejection", std::string("adiabatic cooler")));
  if (plant.heat_rejection != HeatRejection::cooling_tower)
    f.remedies.push_back(of_plant("Use cooling towers", "heat_rejection", std::string("cooling tower")));
  if (air) {
    const double now = plant.air_supply_temperature ? plant.air_supply_temperature->celsius() : [&] {
      const Assumption* a = context.catalog.find<Assumption>("air.supply_temperature");
      return a && a->value ? *a->value : 24.0;
    }();
    const double warmer = std::ceil(now + by->value);
    if (warmer <= 45.0)
      f.remedies.push_back(of_plant(fmt::format("Supply air at {:.0f} degC", warmer), "air_supply_temperature", warmer + 273.15));
  }
  findings.push_back(std::move(f));
}

/// CLG-042
void more_than_the_design_point(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* most = known(context, "cooling.heat_rejection_most_power");
  const Figure* counted = known(context, "cooling.heat_rejection_power");
  const Figure* heat = known(context, "cooling.heat");
  if (!most || !counted || !heat || most->value <= counted->value * 1.01 || heat->value <= 0.0) return;
  const Figure* facility = known(context, "power.facility");
  const std::optional<Power>& utility = context.design.site->utility_power;
  const bool over = facility && utility && facility->value + most->value - counted->value > in_watts(*utility);
  const double share = std::ceil(most->value / heat->value * 1000.0) / 1000.0;
  std::string where;
  double at_c = context.design.site->outdoor_design_temperature.celsius();
  if (const Table* year = context.figures.table("cooling.year"))
    if (const TableColumn *dry = year->column("dry_bulb"), *power = year->column("rejection_power"); dry && power && !power->numbers.empty()) {
      const auto at = std::max_element(power->numbers.begin(), power->numbers.end()) - power->numbers.begin();
      at_c = dry->numbers[static_cast<std::size_t>(at)] - 273.15;
      where = fmt::format(", at {:.4g} degC outside", at_c);
    }
  Finding f = finding_of(rule,
                         fmt::format("Heat rejection draws up to {} in the typical year{}; the design point counts {}{}", figure_text(*most), where,
                                     figure_text(*counted), over ? ", and with the rest of it the utility power is not enough" : ""),
                         {{"cooling_plant", 0}}, context, {most->id, counted->id});
  f.severity = over ? Severity::warning : Severity::note;
  const double design_c = context.design.site->outdoor_design_temperature.celsius();
  if (context.design.cooling_plant->heat_rejection_power_share)
    f.remedies.push_back(of_plant(fmt::format("Count what the plant draws at {:.4g} degC outside", design_c), "heat_rejection_power_share", FieldValue{}));
  else if (at_c > design_c)
    f.remedies.push_back(design_for(std::ceil(at_c)));
  if (share <= 1.0)
    f.remedies.push_back(of_plant(fmt::format("Count {:.3g} % of the heat at the design point", share * 100.0), "heat_rejection_power_share", share));
  findings.push_back(std::move(f));
}

/// CLG-048
void drawn_otherwise_than_counted(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* counted = known(context, "cooling.heat_rejection_mean_power");
  const CoolingPlant& plant = *context.design.cooling_plant;
  if (!counted) {
    // A plant that cannot be computed is counted as the fans of dry coolers, which may be far too little.
    const Figure* energy = context.figures.find("cooling.energy_per_year");
    const Figure* power = known(context, "cooling.heat_rejection_power");
    if (!energy || !power || energy->completeness != Completeness::unknown || plant.heat_rejection_power_share) return;
    findings.push_back(finding_of(rule,
                                  fmt::format("The plant is not computed, since {}; the design point counts the fans of dry coolers by share, {}", energy->reason, figure_text(*power)),
                                  {{"cooling_plant", 0}}, context, {power->id, energy->id}));
    return;
  }
  std::vector<EntityRef> coolers, towers, chillers;
  for (const CoolingUnit& u : *context.design.cooling_units) {
    if (u.kind == CoolingUnitKind::dry_cooler) coolers.push_back({"cooling_units", u.id});
    if (u.kind == CoolingUnitKind::cooling_tower) towers.push_back({"cooling_units", u.id});
    if (u.kind == CoolingUnitKind::chiller) chillers.push_back({"cooling_units", u.id});
  }
  const bool counts_towers = plant.heat_rejection == HeatRejection::cooling_tower;
  if (coolers.empty() != towers.empty() && counts_towers == towers.empty()) {
    std::vector<EntityRef> drawn = counts_towers ? coolers : towers;
    std::string message = fmt::format("{} drawn, but the design point and the year count {}", counts_towers ? "Dry coolers are" : "Cooling towers are",
                                      counts_towers ? "cooling towers" : "coolers by dry bulb");
    Finding f = finding_of(rule, std::move(message), std::move(drawn), context, {counted->id});
    f.remedies.push_back(of_plant(counts_towers ? "Count dry coolers" : "Count cooling towers", "heat_rejection",
                                  std::string(counts_towers ? "dry cooler" : "cooling tower")));
    findings.push_back(std::move(f));
  }
  const Figure* hours = known(context, "cooling.chiller_hours");
  const Figure* partial = known(context, "cooling.partial_free_cooling_hours");
  const double chilled = (hours ? hours->value : 0.0) + (partial ? partial->value : 0.0);
  if (chillers.empty() && !(coolers.empty() && towers.empty()) && plant.chillers == ChillerUse::where_needed && chilled > 0.0) {
    std::vector<EntityRef> drawn = coolers;
    drawn.insert(drawn.end(), towers.begin(), towers.end());
    Finding f = finding_of(rule,
                           fmt::format("The year counts chillers on {:.0f} hours and the design point may, but heat rejection is drawn without any", chilled / 3600.0),
                           std::move(drawn), context, {counted->id});
    f.remedies.push_back(of_plant("Count no chillers", "chillers", std::string("none")));
    findings.push_back(std::move(f));
  }
}

/// CLG-047
void better_than_ideal(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const CoolingPlant& design = *context.design.cooling_plant;
  const Site& site = *context.design.site;
  if (design.chillers == ChillerUse::none || (site.climate_part.empty() && context.design.climate_bins->empty())) return;
  const auto assumed = [&](std::string_view id) -> std::optional<double> {
    const Assumption* a = context.catalog.find<Assumption>(std::string(id));
    return a ? a->value : std::nullopt;
  };
  const bool tower = design.heat_rejection == HeatRejection::cooling_tower;
  const char* own = tower ? "cooling.chiller_cop_water_cooled" : "cooling.chiller_cop_air_cooled";
  const auto performance = design.chiller_performance ? std::optional<double>(*design.chiller_performance) : assumed(own);
  const auto evaporator = assumed("cooling.chiller_evaporator_difference"), lift = assumed("cooling.chiller_least_lift"), leaving = assumed("cooling.chiller_rating_water");
  const auto condenser = assumed(tower ? "cooling.chiller_condenser_difference_water" : "cooling.chiller_condenser_difference_air");
  const auto sink = tower                        ? assumed("cooling.chiller_rating_tower_water")
                    : design.chiller_performance ? std::optional<double>(site.outdoor_design_temperature.celsius())
                                                 : assumed("cooling.chiller_rating_air");
  if (!performance || !evaporator || !lift || !leaving || !condenser || !sink || *lift <= 0.0) return;
  RejectionPlant ideal;
  ideal.second_law_share = 1.0;
  ideal.evaporator_k = *evaporator;
  ideal.condenser_k = *condenser;
  ideal.least_lift_k = *lift;
  const double most = chiller_performance(ideal, *leaving, *sink);
  if (!(*performance > most)) return;
  Finding f = finding_of(rule,
                         fmt::format("{} is {:.4g}; an ideal chiller has {:.4g} with water of {:.4g} degC at {:.4g} degC {}, so 1 to {:.4g} is allowed there and nothing of the year is computed",
                                     design.chiller_performance ? "Chiller performance (chiller_performance)" : fmt::format("The assumption {}", own), *performance, most,
                                     *leaving, *sink, tower ? "of the tower's water" : "outside", std::floor(most * 100.0) / 100.0),
                         {{"cooling_plant", 0}}, context, {"cooling.energy_per_year"});
  if (design.chiller_performance) f.remedies.push_back(of_plant("Take the catalog's assumption", "chiller_performance", FieldValue{}));
  findings.push_back(std::move(f));
}

} // namespace

std::vector<Rule> climate_rules() {
  return {
      {"CLG-040", Severity::error, "Climate that is no year",
       "The rows of a climate must hold the hours of a year, 8,760 or 8,784, and no wet bulb over its dry bulb or under that of air "
       "without any vapour; else nothing is computed with them. "
       "Source of the limit: the calendar; definition of the wet bulb.",
       &no_whole_year},
      {"CLG-041", Severity::warning, "Water too warm on hours of the year",
       "Without chillers the outdoor air plus the approach of the coolers is warmer than the water that racks or air handlers ask for. Hours and kelvins are "
       "those of the typical year; a hot year has more. Source of the limit: supply temperatures of the design less the approaches of exchangers.",
       &water_too_warm},
      {"CLG-042", Severity::note, "Heat rejection beyond the design point",
       "The typical year has hours on which fans, chillers and pumps draw more than the design point counts: transformers and the utility must carry it. "
       "A warning where the facility then draws more than the utility delivers. Source of the limit: the plant over the year, against "
       "outdoor_design_temperature or, where stated, heat_rejection_power_share.",
       &more_than_the_design_point},
      {"CLG-047", Severity::error, "Chiller better than an ideal one",
       "The stated performance of chillers is more than an ideal (Carnot) chiller has between its refrigerant temperatures: nothing of the year is computed. "
       "Source of the limit: second law, with the catalog's differences of evaporator and condenser.",
       &better_than_ideal},
      {"CLG-048", Severity::warning, "Heat rejection drawn otherwise than counted",
       "The design point and the year count the heat rejection that the cooling plant states. Where dry coolers, towers or chillers are drawn, "
       "they should be of that kind, else PUE, energy and water are those of another plant. Source of the limit: choice of the method, the two "
       "must agree.",
       &drawn_otherwise_than_counted},
  };
}

} // namespace hallwright
