// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design.h"
#include "design/field_options.h"

/// Fields of the site, the power chain and the cooling plant. Ranges are in base units (W, K, kg, USD/J).
namespace hallwright {
namespace {

constexpr double coolest_coolant = 273.15, warmest_coolant = 343.15; // 0 and 70 degC: all loops of the field are within
constexpr double highest_power = 100e9;

constexpr FieldOptions efficiency(std::string_view help) {
  return {.minimum = 0.5, .maximum = 1.0, .help = help, .unit = "%", .kind = &kind::percent};
}
constexpr FieldOptions percent_of(std::string_view help) {
  return {.minimum = 0.0, .maximum = 1.0, .help = help, .unit = "%", .kind = &kind::percent};
}
constexpr FieldOptions coolant_rise(std::string_view help) { return {.minimum = 1.0, .maximum = 50.0, .help = help, .unit = "K"}; }
constexpr FieldOptions width_of{.minimum = 0.01, .maximum = 100.0,
                                .help = "Size along x before rotation, 10 mm to 100 m. Not set: the part's.",
                                .unit = "mm"};
constexpr FieldOptions depth_of{.minimum = 0.01, .maximum = 100.0,
                                .help = "Size along y before rotation, 10 mm to 100 m. Not set: the part's.",
                                .unit = "mm"};

} // namespace

template <>
std::span<const Field<Site>> fields<Site>() {
  static constexpr Field<Site> list[] = {
      field<&Site::name>("name", "Name", {.help = "Name of the site."}),
      field<&Site::utility_power>("utility_power", "Utility power",
                                  {.minimum = 1e3, .maximum = highest_power,
                                   .help = "Power that the utility has agreed to deliver, 1 kW to 100 GW. The whole facility must fit into it. "
                                           "Not set: none is entered yet, and nothing is compared with it.",
                                   .unit = "MW"}),
      field<&Site::climate>("climate", "Climate", {.help = "Words on the climate, for the report; nothing is computed from it."}),
      field<&Site::outdoor_design_temperature>("outdoor_design_temperature", "Outdoor design temperature",
                                               {.minimum = 213.15, .maximum = 333.15,
                                                .help = "Dry-bulb temperature on the hottest design day, -60 to 60 degC; heat rejection is "
                                                        "checked against it.",
                                                .unit = "degC"}),
      field<&Site::electricity_price>("electricity_price", "Electricity price",
                                      {.minimum = 0.0, .maximum = 10.0 / 3.6e6,
                                       .help = "Mean price with grid charges, 0 to 10 USD/kWh. The default of 0.08 USD/kWh is a project choice.",
                                       .unit = "USD/kWh"}),
      field<&Site::floor_rating>("floor_rating", "Floor rating",
                                 {.minimum = 10.0, .maximum = 100000.0,
                                  .help = "Uniform load that floors carry, 10 to 100000 kg/m2; a hall may state its own. Default 1221 kg/m2: "
                                          "OCP Ready v2 hyperscale thresholds.",
                                  .unit = "kg/m2"}),
      field<&Site::point_load_rating>("point_load_rating", "Point load rating",
                                      {.minimum = 1.0, .maximum = 100000.0,
                                       .help = "Load that one caster or foot may put on the floor, 1 kg to 100 t. Default 680 kg: OCP Ready v2 "
                                               "hyperscale thresholds.",
                                       .unit = "kg"}),
      field<&Site::rolling_load_rating>("rolling_load_rating", "Rolling load rating",
                                        {.minimum = 1.0, .maximum = 100000.0,
                                         .help = "Load that one moving caster may put on the floor, 1 kg to 100 t. Not set: the point load "
                                                 "rating, as the OCP Ready v2 hyperscale thresholds have it.",
                                         .unit = "kg"}),
      field<&Site::seismic_category>("seismic_category", "Seismic design category",
                                     {.help = "Seismic design category of the site after ASCE 7, from the structural engineer. From C on, racks "
                                              "and plant are checked for anchorage."}),
  };
  return list;
}

template <>
std::span<const Field<PowerPlant>> fields<PowerPlant>() {
  static constexpr Field<PowerPlant> list[] = {
      field<&PowerPlant::redundancy>("redundancy", "Redundancy",
                                     {.help = "Of UPS and distribution: N carries the load with all units, N+1 with one unit lost, 2N with one "
                                              "whole side lost."}),
      field<&PowerPlant::transformer_efficiency>(
          "transformer_efficiency", "Transformer efficiency",
          efficiency("At load, 50 to 100 %. Not set: the catalog's assumption (98.75 % for an MV/LV transformer).")),
      field<&PowerPlant::ups_efficiency>("ups_efficiency", "UPS efficiency",
                                         efficiency("At load, 50 to 100 %. Not set: the catalog's assumption (97 %, double conversion).")),
      field<&PowerPlant::distribution_efficiency>(
          "distribution_efficiency", "Distribution efficiency",
          efficiency("Of busways, cables and distribution units, 50 to 100 %. Not set: the catalog's assumption (99 %).")),
      field<&PowerPlant::continuous_load_factor>(
          "continuous_load_factor", "Continuous load factor",
          efficiency("Share of a breaker's or feeder's rating that may be used for hours, 50 to 100 %. 80 % for standard breakers in North "
                     "America, 100 % for fully rated ones and IEC practice.")),
      field<&PowerPlant::other_facility_power_share>(
          "other_facility_power_share", "Other facility power",
          percent_of("Lighting, offices and controls as a share of the IT load, 0 to 100 %. The default of 1 % is a project choice.")),
  };
  return list;
}

template <>
std::span<const Field<CoolingPlant>> fields<CoolingPlant>() {
  static constexpr Field<CoolingPlant> list[] = {
      field<&CoolingPlant::fluid_part>("fluid_part", "Coolant", {.help = "Fluid of the technology cooling loops, from the catalog.", .part = "fluid"}),
      field<&CoolingPlant::supply_temperature>("supply_temperature", "Supply temperature",
                                               {.minimum = coolest_coolant, .maximum = warmest_coolant,
                                                .help = "Technology cooling water at the racks, 0 to 70 degC. NVL72 racks take up to 45 degC; the "
                                                        "default of 35 degC is a project choice.",
                                                .unit = "degC"}),
      field<&CoolingPlant::supply_rise>("supply_rise", "Coolant rise",
                                        coolant_rise("Warming of the coolant across a rack, 1 to 50 K: a difference. At 10 K a glycol mix of 25 % "
                                                     "needs about 1.5 L/min per kW.")),
      field<&CoolingPlant::air_rise>("air_rise", "Air rise",
                                     coolant_rise("Warming of the air across IT equipment, 1 to 50 K: a difference. Default 12 K: OCP Ready v2 "
                                                  "hyperscale thresholds.")),
      field<&CoolingPlant::cdu_part>("cdu_part", "CDU", {.help = "CDU to count with where a loop has none drawn.", .part = "cooling"}),
      field<&CoolingPlant::redundancy>("redundancy", "Redundancy",
                                       {.help = "Of CDUs and air handlers: N carries the heat with all units, N+1 with one lost, 2N with half of them lost."}),
      field<&CoolingPlant::air_fan_power_share>(
          "air_fan_power_share", "Air handler power",
          percent_of("Power of CRAH or fan-wall fans per heat to air, 0 to 100 %. Not set: the catalog's assumption (5.8 %).")),
      field<&CoolingPlant::heat_rejection_power_share>(
          "heat_rejection_power_share", "Heat rejection power",
          percent_of("Power of dry coolers, chillers and facility pumps per heat rejected, 0 to 100 %. Not set: the catalog's assumption.")),
  };
  return list;
}

template <>
std::span<const Field<PowerUnit>> fields<PowerUnit>() {
  static constexpr Field<PowerUnit> list[] = {
      field<&PowerUnit::name>("name", "Name", {.help = "Name of the unit on the one-line diagram."}),
      field<&PowerUnit::kind>("kind", "Kind", {.help = "Place in the chain from utility to rack."}),
      field<&PowerUnit::part>("part", "Part", {.help = "Catalog part; gives rating, efficiency and size.", .part = "power"}),
      field<&PowerUnit::hall>("hall", "Hall", hall_of),
      field<&PowerUnit::x>("x", "Position x", position_x),
      field<&PowerUnit::y>("y", "Position y", position_y),
      field<&PowerUnit::rotation>("rotation", "Rotation", turn),
      field<&PowerUnit::upstream>("upstream", "Upstream unit", {.help = "Power unit that feeds this one; none for a source.", .reference = "power_units"}),
      field<&PowerUnit::feed>("feed", "Feed", {.help = "Side of the chain that it belongs to: A, B, or both for what the sides share."}),
      field<&PowerUnit::rating>("rating", "Rating",
                                {.minimum = 1.0, .maximum = highest_power, .help = "Real power that it can carry, 1 W to 100 GW. Not set: the part's.", .unit = "kW"}),
      field<&PowerUnit::efficiency>("efficiency", "Efficiency",
                                    efficiency("At load, 50 to 100 %. Not set: the part's, else the power plant's.")),
      field<&PowerUnit::width>("width", "Width", width_of),
      field<&PowerUnit::depth>("depth", "Depth", depth_of),
      field<&PowerUnit::elevation>("elevation", "Elevation",
                                   {.minimum = -5.0, .maximum = 50.0,
                                    .help = "Height of its lower edge above the floor, -5 to 50 m, for busways overhead or under a raised "
                                            "floor. Not set: it stands on the floor, or hangs above the racks when it is a busway.",
                                    .unit = "mm"}),
      field<&PowerUnit::group>("group", "Group", group_of),
      field<&PowerUnit::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<CoolantLoop>> fields<CoolantLoop>() {
  static constexpr Field<CoolantLoop> list[] = {
      field<&CoolantLoop::name>("name", "Name", {.help = "Name of the technology cooling loop."}),
      field<&CoolantLoop::supply_temperature>("supply_temperature", "Supply temperature",
                                              {.minimum = coolest_coolant, .maximum = warmest_coolant,
                                               .help = "Coolant at the racks of this loop, 0 to 70 degC. Not set: the cooling plant's.",
                                               .unit = "degC"}),
      field<&CoolantLoop::rise>("rise", "Coolant rise",
                                coolant_rise("Warming across the racks of this loop, 1 to 50 K: a difference. Not set: the cooling plant's.")),
  };
  return list;
}

template <>
std::span<const Field<CoolingUnit>> fields<CoolingUnit>() {
  static constexpr Field<CoolingUnit> list[] = {
      field<&CoolingUnit::name>("name", "Name", {.help = "Name of the unit on the plan."}),
      field<&CoolingUnit::kind>("kind", "Kind", {.help = "CDUs move liquid heat, air handlers and doors heat to air, coolers and chillers reject it outside."}),
      field<&CoolingUnit::part>("part", "Part", {.help = "Catalog part; gives capacity, flow, power and size.", .part = "cooling"}),
      field<&CoolingUnit::hall>("hall", "Hall", hall_of),
      field<&CoolingUnit::loop>("loop", "Coolant loop", {.help = "Loop that the unit serves; none for air handlers and plant outside.", .reference = "loops"}),
      field<&CoolingUnit::x>("x", "Position x", position_x),
      field<&CoolingUnit::y>("y", "Position y", position_y),
      field<&CoolingUnit::rotation>("rotation", "Rotation", turn),
      field<&CoolingUnit::capacity>("capacity", "Capacity",
                                    {.minimum = 1.0, .maximum = highest_power, .help = "Heat that it can move, 1 W to 100 GW. Not set: the part's.", .unit = "kW"}),
      field<&CoolingUnit::width>("width", "Width", width_of),
      field<&CoolingUnit::depth>("depth", "Depth", depth_of),
      field<&CoolingUnit::group>("group", "Group", group_of),
      field<&CoolingUnit::locked>("locked", "Locked", lock),
  };
  return list;
}

} // namespace hallwright
