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
constexpr std::string_view ups_curve = "Of a UPS at this share of its rating, 50 to 100 %. With one of the four set the loss follows them; "
                                       "not set: the part's, else the catalog's curve.";
constexpr FieldOptions conductor_impedance{.minimum = 0.0, .maximum = 1.0,
          .help = "Of one conductor per length at its working temperature, 0 to 1 Ohm/m. Not set: not known; no voltage drop is stated.",
          .unit = "mOhm/m"};
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
      field<&Site::climate_part>("climate_part", "Typical year",
                                 {.help = "Outdoor temperatures over a typical year, from the catalog: hours of free cooling, energy and water per year "
                                          "follow. Rows of the table of outdoor hours (imported from a weather file) stand in its place. None: only "
                                          "the design temperature is known.",
                                  .part = "climate"}),
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
      field<&PowerPlant::generator_step_share>(
          "generator_step_share", "Generator step",
          {.minimum = 0.01, .maximum = 1.0,
           .help = "Share of their rating that generators accept as one step of load, 1 to 100 %. The default of 25 % is a project choice within "
                   "what ISO 8528-5 lists for turbocharged engines.",
           .unit = "%", .kind = &kind::percent}),
      field<&PowerPlant::plant_power_factor>(
          "plant_power_factor", "Plant power factor",
          {.minimum = 0.5, .maximum = 1.0, .help = "Real over apparent power of pumps, fans and chillers, 0.5 to 1. The default of 0.9 is a project choice."}),
      field<&PowerPlant::utility_ramp>("utility_ramp", "Utility ramp limit",
                                       {.minimum = 1.0, .maximum = highest_power,
                                        .help = "Largest change of the facility's load within one minute that the utility has agreed to, 1 W to 100 "
                                                "GW. Not set: none is agreed, and nothing is checked.",
                                        .unit = "MW"}),
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
          percent_of("Power of dry coolers, chillers and facility pumps per heat rejected at the design point, 0 to 100 %. Not set: worked out from the plant "
                     "at the outdoor design temperature where the site has a climate, else the catalog's assumption.")),
      folded(field<&CoolingPlant::heat_rejection>("heat_rejection", "Heat rejection",
                                                  {.help = "What gives the heat of the facility water to the outdoor air. An adiabatic cooler wets its "
                                                           "air on the hours on which it would leave the water too warm when dry."}),
             "Over the year"),
      folded(field<&CoolingPlant::heat_rejection_approach>(
                 "heat_rejection_approach", "Approach of heat rejection",
                 {.minimum = 1.0, .maximum = 30.0,
                  .help = "Facility water over the outdoor air, 1 to 30 K: a difference; of cooling towers over its wet bulb. Not set: the catalog's "
                          "assumption for the kind.",
                  .unit = "K"}),
             "Over the year"),
      folded(field<&CoolingPlant::chillers>("chillers", "Chillers",
                                            {.help = "Where needed: chillers take over on hours on which heat rejection alone leaves the water too warm. "
                                                     "None: on those hours the coolant is warmer than asked, and a finding counts them."}),
             "Over the year"),
      folded(field<&CoolingPlant::chiller_performance>(
                 "chiller_performance", "Chiller performance",
                 {.minimum = 1.0, .maximum = 20.0,
                  .help = "Heat taken over electrical power (COP), 1 to 20, with water of 7 degC at the outdoor design temperature, of chillers behind "
                          "cooling towers with tower water of 30 degC; warmer water and colder air raise it. Not set: the catalog's assumption."}),
             "Over the year"),
      folded(field<&CoolingPlant::air_supply_temperature>(
                 "air_supply_temperature", "Supply air temperature",
                 {.minimum = 283.15, .maximum = 318.15,
                  .help = "Air at the inlets of racks, 10 to 45 degC; decides how warm the water of air handlers may be. Not set: the catalog's "
                          "assumption.",
                  .unit = "degC"}),
             "Over the year"),
      folded(field<&CoolingPlant::cycles_of_concentration>(
                 "cycles_of_concentration", "Cycles of concentration",
                 {.minimum = 1.5, .maximum = 20.0,
                  .help = "Salt of the water that cooling towers hold over that of their make-up water, 1.5 to 20; the rest is drained. Not set: the "
                          "catalog's assumption."}),
             "Over the year"),
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
      folded(field<&PowerUnit::second_source>("second_source", "Second source",
                                       {.help = "Power unit that takes over when the upstream one has no power: across a transfer switch, from a "
                                                "generator, a catcher or a tie. None: it goes dark then.",
                                        .reference = "power_units"}), "Redundancy and limits"),
      folded(field<&PowerUnit::parallel_with>("parallel_with", "Parallel with",
                                       {.help = "Unit that shares one bus with this one, so that each carries what the other cannot. None: under N+1 "
                                                "units of one kind, upstream unit and side run in parallel, else each stands alone.",
                                        .reference = "power_units"}), "Redundancy and limits"),
      folded(field<&PowerUnit::rating_apparent>("rating_apparent", "Apparent rating",
                                         {.minimum = 1.0, .maximum = highest_power,
                                          .help = "Apparent power that it can carry, 1 VA to 100 GVA: transformers, generators and UPS have both ratings, "
                                                  "and the tighter one counts. Not set: not held against it.",
                                          .unit = "kVA"}), "Redundancy and limits"),
      folded(field<&PowerUnit::trip_share>("trip_share", "Trips at",
                                    {.minimum = 1.0, .maximum = 10.0,
                                     .help = "Load over its rating at which it drops out by itself, 100 to 1000 %. Not set: 130 % for distribution "
                                             "and busways (IEC 60947-2), 125 % UPS, 110 % generators (ISO 8528-1), 120 % transformers and feeds.",
                                     .unit = "%", .kind = &kind::percent}), "Redundancy and limits"),
      folded(field<&PowerUnit::continuous_load_factor>(
          "continuous_load_factor", "Continuous load factor",
          efficiency("Share of its rating that may be used for hours, 50 to 100 %. Not set: the power plant's for distribution units and busways, "
                     "100 % for others.")), "Redundancy and limits"),
      folded(field<&PowerUnit::voltage>("voltage", "Voltage",
                                 {.minimum = 12.0, .maximum = 500e3,
                                  .help = "At its output, 12 V to 500 kV: between two lines, for direct current between its poles. Not set: the part's, "
                                          "else that of the upstream unit.",
                                  .unit = "V"}), "Voltage and faults"),
      folded(field<&PowerUnit::system>("system", "Conductors", {.help = "Three phases, one phase, or direct current at its output."}), "Voltage and faults"),
      folded(field<&PowerUnit::efficiency_at_quarter>("efficiency_at_quarter", "Efficiency at 25 %", efficiency(ups_curve)), "Losses", "kind: ups"),
      folded(field<&PowerUnit::efficiency_at_half>("efficiency_at_half", "Efficiency at 50 %", efficiency(ups_curve)), "Losses", "kind: ups"),
      folded(field<&PowerUnit::efficiency_at_three_quarters>("efficiency_at_three_quarters", "Efficiency at 75 %", efficiency(ups_curve)), "Losses", "kind: ups"),
      folded(field<&PowerUnit::efficiency_at_full>("efficiency_at_full", "Efficiency at 100 %", efficiency(ups_curve)), "Losses", "kind: ups"),
      folded(field<&PowerUnit::no_load_loss>("no_load_loss", "No-load loss",
                                      {.minimum = 0.0, .maximum = 10e6,
                                       .help = "Loss of a transformer without load, 0 to 10 MW. Not set: the catalog's assumption.",
                                       .unit = "kW"}), "Losses", "kind: transformer"),
      folded(field<&PowerUnit::load_loss>("load_loss", "Load loss",
                                   {.minimum = 0.0, .maximum = 10e6,
                                    .help = "Loss of a transformer at its rating beyond that without load, 0 to 10 MW; it grows with the square of "
                                            "the load. Not set: the catalog's assumption.",
                                    .unit = "kW"}), "Losses", "kind: transformer"),
      folded(field<&PowerUnit::impedance_voltage>("impedance_voltage", "Impedance voltage",
                                           {.minimum = 0.001, .maximum = 0.5,
                                            .help = "Of a transformer, or the subtransient reactance of a generator: 0.1 to 50 % of the rated voltage. "
                                                    "Decides fault levels. Not set: 6 % for transformers.",
                                            .unit = "%", .kind = &kind::percent}), "Voltage and faults", "kind: transformer, generator"),
      folded(field<&PowerUnit::short_circuit_power>("short_circuit_power", "Short-circuit power",
                                             {.minimum = 1e3, .maximum = highest_power,
                                              .help = "Of a source at its terminals, as the utility states it, 1 kVA to 100 GVA. Not set: fault levels "
                                                      "are upper bounds.",
                                              .unit = "MVA"}), "Voltage and faults", "kind: utility feed, generator"),
      folded(field<&PowerUnit::battery_time>("battery_time", "Battery time",
                                      {.minimum = 0.0, .maximum = 86400.0,
                                       .help = "For which the battery of a UPS carries its rating, 0 to 24 h; a smaller load runs longer. Not set: "
                                               "not known, and not checked.",
                                       .unit = "min"}), "Battery", "kind: ups"),
      folded(field<&PowerUnit::length>("length", "Conductor length",
                                {.minimum = 0.0, .maximum = 10000.0,
                                 .help = "Length of its conductors, 0 to 10 km, for voltage drop and fault levels. Not set: the drawn width of a "
                                         "busway, else none.",
                                 .unit = "m"}), "Conductors"),
      folded(field<&PowerUnit::conductor_resistance>("conductor_resistance", "Conductor resistance", conductor_impedance), "Conductors"),
      folded(field<&PowerUnit::conductor_reactance>("conductor_reactance", "Conductor reactance", conductor_impedance), "Conductors"),
      folded(field<&PowerUnit::ambient>("ambient", "Ambient temperature",
                                 {.minimum = 233.15, .maximum = 353.15,
                                  .help = "Air round its conductors, -40 to 80 degC; above 30 degC they carry less (IEC 60364-5-52). Not set: what the "
                                          "rating is for.",
                                  .unit = "degC"}), "Conductors"),
      folded(field<&PowerUnit::grouped_circuits>("grouped_circuits", "Grouped circuits",
                                          {.minimum = 1, .maximum = 100,
                                           .help = "Loaded circuits that lie side by side with its conductors, itself counted, 1 to 100; each then "
                                                   "carries less (IEC 60364-5-52 table B.52.17)."}), "Conductors"),
      folded(field<&PowerUnit::neutral_share>("neutral_share", "Neutral rating",
                                       {.minimum = 0.1, .maximum = 3.0,
                                        .help = "Rating of the neutral over that of a line, 10 to 300 %.",
                                        .unit = "%", .kind = &kind::percent}), "Conductors"),
      folded(field<&PowerUnit::third_harmonic_share>("third_harmonic_share", "Third harmonic",
                                              percent_of("Third-harmonic current of loads between line and neutral over the fundamental, 0 to 100 %: "
                                                         "those of the three lines add up in the neutral.")), "Conductors"),
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
      field<&CoolantLoop::fluid_part>("fluid_part", "Coolant", {.help = "Fluid of this loop, from the catalog. None: the cooling plant's.", .part = "fluid"}),
      field<&CoolantLoop::facility_supply>("facility_supply", "Facility water",
                                           {.minimum = coolest_coolant, .maximum = warmest_coolant,
                                            .help = "Facility water where it enters the units of this loop, 0 to 70 degC. Not set: the supply of the loop "
                                                    "less the rated approach of its units.",
                                            .unit = "degC"}),
      field<&CoolantLoop::facility_loop>("facility_loop", "Facility water loop",
                                         {.help = "Loop of the facility water that takes the heat of this loop's units: its dry coolers, towers or chillers "
                                                  "and its pipes are drawn in it. None: every unit gets the facility water that it is rated for.",
                                          .reference = "loops"}),
      folded(field<&CoolantLoop::balancing>("balancing", "Balancing",
                                     {.help = "none: flows divide by the resistances of the loop and the valves of racks. pressure-independent: a valve "
                                              "at each rack holds its flow to the need."}), "Pressure and buffers"),
      folded(field<&CoolantLoop::supply_tank>("supply_tank", "Supply buffer",
                                       {.minimum = 0.0, .maximum = 1000.0, .help = "Volume of a well mixed tank in the supply, 0 to 1000 m3.", .unit = "m3"}), "Pressure and buffers"),
      folded(field<&CoolantLoop::return_tank>("return_tank", "Return buffer",
                                       {.minimum = 0.0, .maximum = 1000.0, .help = "Volume of a well mixed tank in the return, 0 to 1000 m3.", .unit = "m3"}), "Pressure and buffers"),
      folded(field<&CoolantLoop::fill_pressure>("fill_pressure", "Fill pressure",
                                         {.minimum = 0.0, .maximum = 2e6,
                                          .help = "Above the atmosphere at the highest point with the pumps at rest, 0 to 20 bar. Not set: 50 kPa, a "
                                                  "project choice.",
                                          .unit = "kPa"}), "Pressure and buffers"),
  };
  return list;
}

template <>
std::span<const Field<ClimateBin>> fields<ClimateBin>() {
  constexpr double coldest_air = 183.15, warmest_air = 333.15; // -90 and 60 degC: all of the earth
  static constexpr Field<ClimateBin> list[] = {
      field<&ClimateBin::dry_bulb>("dry_bulb", "Dry bulb",
                                   {.minimum = coldest_air, .maximum = warmest_air, .help = "Outdoor air of these hours, -90 to 60 degC.", .unit = "degC"}),
      field<&ClimateBin::wet_bulb>("wet_bulb", "Wet bulb",
                                   {.minimum = coldest_air, .maximum = warmest_air,
                                    .help = "Mean wet bulb of these hours, -90 to 60 degC; at most the dry bulb.",
                                    .unit = "degC"}),
      field<&ClimateBin::duration>("duration", "Hours",
                                   {.minimum = 0.0, .maximum = 8784.0 * 3600.0,
                                    .help = "Hours of the year at this state, 0 to 8784; all rows together make the year.",
                                    .unit = "h"}),
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
      folded(field<&CoolingUnit::pumps>("pumps", "Pumps",
                                 {.minimum = 1, .maximum = 16,
                                  .help = "Pumps of a CDU in parallel, 1 to 16, which give the rated flow together. Not set: 2, a project choice."}), "Pumps", "kind: cdu"),
      folded(field<&CoolingUnit::pump_head>("pump_head", "Pump head",
                                     {.minimum = 1e3, .maximum = 2e6,
                                      .help = "Pressure that it has left for the loop outside at its rated flow, 1 kPa to 20 bar. Not set: the part's.",
                                      .unit = "kPa"}), "Pumps", "kind: cdu"),
      folded(field<&CoolingUnit::flow>("flow", "Rated flow",
                                {.minimum = 1e-6, .maximum = 100.0,
                                 .help = "Of the loop's side, 0.06 L/min to 100 m3/s. Not set: the part's.",
                                 .unit = "L/min"}), "Pumps", "kind: cdu"),
      folded(field<&CoolingUnit::pump_speed>("pump_speed", "Pump speed",
                                      {.minimum = 0.2, .maximum = 1.2,
                                       .help = "Fixed speed of its pumps over that of their curve, 20 to 120 %. Not set: as slow as racks allow.",
                                       .unit = "%", .kind = &kind::percent}), "Pumps", "kind: cdu"),
      folded(field<&CoolingUnit::feed_a>("feed_a", "A feed", {.help = "Power unit of the A side that feeds its pumps and fans.", .reference = "power_units"}), "Power"),
      folded(field<&CoolingUnit::feed_b>("feed_b", "B feed", {.help = "Power unit of the B side that feeds its pumps and fans.", .reference = "power_units"}), "Power"),
      field<&CoolingUnit::group>("group", "Group", group_of),
      field<&CoolingUnit::locked>("locked", "Locked", lock),
  };
  return list;
}

} // namespace hallwright
