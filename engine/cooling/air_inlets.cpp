// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/air_inlets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "space/design_value.h"

namespace hallwright {

constinit const Formula<Temperature, Temperature, double, TempRise> rack_inlet_temperature{
    .name = "rack_inlet_temperature",
    .text = "supply + recirculated_share * air_rise",
    .source = "mixing of air streams",
    .parameters = {"supply", "recirculated_share", "air_rise"},
    .function = [](Temperature supply, double recirculated_share, TempRise air_rise) -> Result<Temperature> {
      if (auto wrong = violated({above_zero("supply", supply), not_negative("recirculated_share", recirculated_share), not_negative("air_rise", air_rise)}))
        return *wrong;
      return supply + kelvins_rise(recirculated_share * in_kelvins(air_rise));
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

std::string_view air_separation_key(AirSeparation separation) {
  constexpr std::string_view keys[] = {"open_room", "cold_aisle", "hot_aisle", "chimney"};
  return keys[static_cast<std::size_t>(separation)];
}
std::string_view air_separation_words(AirSeparation separation) {
  constexpr std::string_view words[] = {"in the open room", "in a contained cold aisle", "at a contained hot aisle", "under an exhaust duct"};
  return words[static_cast<std::size_t>(separation)];
}

namespace {

struct TemperatureClass {
  std::string_view word, of, assumption;
  bool water = false;
};
constexpr TemperatureClass classes[] = {
    {"recommended", "air at inlets", "air.inlet_recommended_maximum", false},
    {"A1", "air at inlets", "air.inlet_allowable_maximum", false},
    {"A2", "air at inlets", "air.inlet_allowable_maximum_a2", false},
    {"A3", "air at inlets", "air.inlet_allowable_maximum_a3", false},
    {"A4", "air at inlets", "air.inlet_allowable_maximum_a4", false},
    {"W17", "facility water", "cooling.facility_class_w17", true},
    {"W27", "facility water", "cooling.facility_class_w27", true},
    {"W32", "facility water", "cooling.facility_class_w32", true},
    {"W40", "facility water", "cooling.facility_class_w40", true},
    {"W45", "facility water", "cooling.facility_class_w45", true},
};

/// Warmest inlet air that a rack of a type takes: the least of its part and its nodes; not set: they do not say.
std::optional<Traced<Temperature>> warmest_inlet(Ledger& ledger, const CoolingInputs& in, const RackType& type) {
  std::optional<Traced<Temperature>> least;
  const auto take = [&](const Traced<Temperature>& t) {
    if (!least || t.value < least->value) least = t;
  };
  const RackPart* part = in.catalog->find<RackPart>(type.rack_part);
  if (part && part->inlet_air_maximum) take(part_value<&RackPart::inlet_air_maximum>(ledger, *in.catalog, *part));
  for (const RackItem& item : *in.rack_items) {
    if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
    const NodePart* node = in.catalog->find<NodePart>(item.part);
    if (node && node->inlet_air_maximum) take(part_value<&NodePart::inlet_air_maximum>(ledger, *in.catalog, *node));
  }
  return least;
}

} // namespace

void air_inlet_figures(Ledger& ledger, const CoolingInputs& in, const LoadResult& load, const Traced<Temperature>& facility_water, std::vector<Table>& tables) {
  constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();
  const auto cell = [](const Traced<Temperature>& t) { return t.figure.valid() && t.has_value() ? base_value(t.value) : unknown_number; };
  const auto heat = [](const RackClassLoad& l) {
    return l.heat_to_air.has_value() && (in_watts(l.heat_to_air.value) > 0.0 || l.heat_to_air.completeness == Completeness::lower_bound);
  };
  std::vector<const RackType*> types;
  for (const RackClassLoad& l : load.rack_classes)
    if (const RackType* type = heat(l) ? find(*in.rack_types, l.rack_type) : nullptr; type && std::find(types.begin(), types.end(), type) == types.end())
      types.push_back(type);

  Traced<Temperature> inlets[std::size(air_separations)];
  if (!types.empty()) {
    const auto supply = in.plant->air_supply_temperature ? design_value<&CoolingPlant::air_supply_temperature>(ledger, "cooling_plant", *in.plant)
                                                         : assumption<Temperature>(ledger, *in.catalog, "air.supply_temperature");
    const auto rise = design_value<&CoolingPlant::air_rise>(ledger, "cooling_plant", *in.plant);
    for (const AirSeparation s : air_separations)
      inlets[static_cast<std::size_t>(s)] =
          ledger.derive(fmt::format("cooling.inlet_air.{}", air_separation_key(s)), fmt::format("Air at inlets of racks {}", air_separation_words(s)), rack_inlet_temperature, supply,
                        assumption<double>(ledger, *in.catalog, fmt::format("air.recirculation_{}", air_separation_key(s)), kind::percent), rise);
    Table table;
    table.id = "cooling.air_inlets";
    table.title = "Air at the inlets of racks";
    table.entity_table = "rack_types";
    table.columns.reserve(7);
    auto& name = table.add_words("type", "Rack type");
    auto& most = table.add_numbers("maximum", "Takes at most", kind::temperature, "degC");
    TableColumn* at[std::size(air_separations)];
    constexpr const char* labels[] = {"In the open room", "Cold aisle contained", "Hot aisle contained", "Exhaust duct"};
    for (const AirSeparation s : air_separations) {
      const auto i = static_cast<std::size_t>(s);
      at[i] = &table.add_numbers(std::string(air_separation_key(s)), labels[i], kind::temperature, "degC");
      at[i]->formula = "supply air + recirculated share * air rise";
    }
    auto& holds = table.add_words("holds", "Holds");
    for (const RackType* type : types) {
      const std::string id = fmt::format("cooling.rack_type.{}.inlet_air_maximum", type->id);
      const auto least = warmest_inlet(ledger, in, *type);
      const auto limit = least ? ledger.as<Temperature>(id, "Warmest inlet air that " + type->name + " takes", *least)
                               : ledger.absent<Temperature>(id, "Warmest inlet air that " + type->name + " takes", Completeness::unknown,
                                                            "neither the rack part nor the nodes of " + type->name + " state it");
      name.words.push_back(type->name);
      most.numbers.push_back(cell(limit));
      bool open = true, contained = true, known = limit.has_value();
      for (std::size_t i = 0; i < std::size(air_separations); ++i) {
        at[i]->numbers.push_back(cell(inlets[i]));
        known = known && inlets[i].has_value();
        (i == 0 ? open : contained) &= known && inlets[i].value.kelvin() <= limit.value.kelvin() + 1e-6;
      }
      holds.words.emplace_back(!known ? "not known" : open ? "yes" : contained ? "contained alone" : "no");
      table.entities.push_back(type->id);
      table.row_figures.push_back(id);
    }
    tables.push_back(std::move(table));
  }

  const bool water = facility_water.figure.valid() && facility_water.has_value();
  if (types.empty() && !water) return;
  Table table;
  table.id = "cooling.temperature_classes";
  table.title = "ASHRAE temperature classes";
  table.columns.reserve(6);
  auto& word = table.add_words("class", "Class");
  auto& of = table.add_words("of", "Of");
  auto& most = table.add_numbers("warmest", "Warmest of the class", kind::temperature, "degC");
  auto& planned = table.add_numbers("planned", "Here; air in the open room", kind::temperature, "degC");
  auto& contained = table.add_numbers("contained", "Here, hot aisle contained", kind::temperature, "degC");
  auto& within = table.add_words("within", "Holds");
  within.formula = "air: inlets are at most the class's; water: the loops hold their supply with the class's warmest water";
  constexpr auto open_room = static_cast<std::size_t>(AirSeparation::open_room), hot_aisle = static_cast<std::size_t>(AirSeparation::hot_aisle);
  for (const TemperatureClass& c : classes) {
    if (c.water ? !water : types.empty()) continue;
    const auto limit = assumption<Temperature>(ledger, *in.catalog, c.assumption);
    const double l = cell(limit), here = c.water ? cell(facility_water) : cell(inlets[open_room]), in_aisle = c.water ? unknown_number : cell(inlets[hot_aisle]);
    word.words.emplace_back(c.word);
    of.words.emplace_back(c.of);
    most.numbers.push_back(l);
    planned.numbers.push_back(here);
    contained.numbers.push_back(in_aisle);
    if (!std::isfinite(l) || !std::isfinite(here))
      within.words.emplace_back("not known");
    else if (c.water)
      within.words.emplace_back(l <= here + 1e-6 ? "yes" : "no");
    else
      within.words.emplace_back(here <= l + 1e-6 ? "yes" : in_aisle <= l + 1e-6 ? "contained alone" : "no");
    table.row_figures.push_back(fmt::format("catalog.assumption.{}.value", c.assumption));
  }
  tables.push_back(std::move(table));
}

} // namespace hallwright
