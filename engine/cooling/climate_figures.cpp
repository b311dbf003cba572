// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/climate_figures.h"

#include <array>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "catalog/climate_lists.h"
#include "catalog/traced_part.h"
#include "cooling/climate_formulas.h"
#include "cooling/redundancy.h"
#include "ledger/table_columns.h"
#include "load/shares.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr std::string_view year_source = "dry-cooler, tower and chiller models of building simulation, first order: approach, cube law of fans, constant second-law share";

/// Hours of a year are read as hours: 7,431 h, not 310 d.
constexpr std::array hour_units{DisplayUnit{"h", 3600.0}};
const Kind hours_of_time{"time", {.second = 1}, "s", Scale::quantity, hour_units};

class YearOfPlant {
public:
  YearOfPlant(Ledger& ledger, const YearInputs& inputs, std::vector<Table>& tables) : ledger_(ledger), in_(inputs), plant_design_(*inputs.in.plant), catalog_(*inputs.in.catalog), tables_(tables) {}

  RejectionFigures run() {
    YearFigures of_year = year();
    return {std::move(of_year), std::move(design_point_)};
  }

private:
  YearFigures year() {
    if (!in_.climate)
      return without(Completeness::not_applicable,
                     "no climate is set: choose a typical year of the site, or import a weather file");
    if (!in_.climate->problem.empty()) return without(Completeness::unknown, in_.climate->problem);
    if (!in_.it.has_value()) return without(in_.it.completeness, in_.it.reason ? *in_.it.reason : "there is no heat to carry away");
    if (in_watts(in_.it.value) <= 0.0 && in_.it.completeness == Completeness::exact) return without(Completeness::not_applicable, "there is no heat to carry away");
    if (!in_.split_known)
      return without(Completeness::unknown, "which part of the heat goes to liquid is not known, and with it how warm its water may be");
    climate_leaves();
    plant();
    if (!problem_.empty()) return without(Completeness::unknown, problem_);
    streams();
    if (!problem_.empty()) return without(Completeness::unknown, problem_);
    if (streams_.empty())
      return in_.it.completeness == Completeness::lower_bound ? without(Completeness::unknown, "no part of the heat is known")
                                                              : without(Completeness::not_applicable, "there is no heat to carry away");
    pumps();
    if (!problem_.empty()) return without(Completeness::unknown, problem_);
    study();
    design_point();
    tables();
    return std::move(out_);
  }

  struct Stream {
    HeatStream water;
    std::string stem;
    Traced<Power> heat;
    Traced<Temperature> facility_supply, facility_return;
    Traced<double> power_share;
    Traced<VolumePerEnergy> water_per_heat;
    Traced<Power> power;
    Traced<Volume> water_volume;
  };

  YearFigures without(Completeness completeness, const std::string& why) {
    YearFigures out;
    const auto absent = [&]<class T>(Traced<T>& figure, const char* id, const char* label) {
      const bool time = std::is_same_v<T, Time>;
      figure = ledger_.absent<T>(id, label, completeness, why, time ? &hours_of_time : &KindOf<T>::value);
    };
    absent(out.free_cooling, "cooling.free_cooling_hours", "Hours of free cooling in a year");
    absent(out.partial_free_cooling, "cooling.partial_free_cooling_hours", "Hours of partial free cooling in a year");
    absent(out.chiller, "cooling.chiller_hours", "Hours on chillers alone in a year");
    absent(out.short_time, "cooling.short_hours", "Hours of water too warm in a year");
    absent(out.worst_short, "cooling.short_by", "Most that water is too warm by");
    absent(out.mean_rejection, "cooling.heat_rejection_mean_power", "Electrical power of heat rejection, mean of the year");
    absent(out.most_rejection, "cooling.heat_rejection_most_power", "Electrical power of heat rejection, most of the year");
    absent(out.energy, "cooling.energy_per_year", "Electrical energy of cooling in a year");
    absent(out.water, "cooling.water_per_year", "Water of heat rejection in a year");
    absent(out.water_usage_effectiveness, "cooling.water_usage_effectiveness", "WUE of the typical year");
    absent(out.reuse_temperature, "cooling.reuse_temperature", "Facility water back from the racks, for use of its heat");
    return out;
  }

  /// What of the climate the year rests on, with its source.
  void climate_leaves() {
    hours_ = ledger_.measured<Time>("cooling.climate_hours", "Hours of the climate", hours(in_.climate->hours),
                                    in_.climate->part.empty() ? "sum of the rows of the table climate_bins" : "hours of the twelve months", &hours_of_time);
    if (in_.climate->part.empty()) {
      climate_inputs_.push_back(model_input("climate_bins", hours_));
      return;
    }
    const ClimatePart& part = *catalog_.find<ClimatePart>(in_.climate->part);
    climate_inputs_.push_back(model_input("elevation", part_value<&ClimatePart::elevation>(ledger_, catalog_, part)));
    // A list is a leaf by the mean of its months: the row of the catalog has all twelve.
    const auto list = [&](std::string_view name, std::string_view field, const char* label, const Months& months) {
      double sum = 0.0;
      for (const double m : months) sum += m;
      const bool overridden = catalog_.overridden.count(std::tuple(std::string("climate"), part.id, std::string(field))) > 0;
      climate_inputs_.push_back(model_input(
          name, ledger_.catalog_field<Temperature>("climate", part.id, field, fmt::format("{}: {}, mean of the twelve months", part.name, label),
                                                   overridden ? "replaced in this design; catalog: " + part.source : part.source + " (" + part.as_of + ")",
                                                   Temperature::from_celsius(sum / 12.0), overridden, &kind::temperature)));
    };
    const MonthlyClimate lists = *monthly_climate(part);
    list("highest", "dry_bulb_highest_c", "highest dry bulb", lists.highest);
    list("mean", "dry_bulb_mean_c", "mean dry bulb", lists.mean);
    list("lowest", "dry_bulb_lowest_c", "lowest dry bulb", lists.lowest);
    list("dew_point", "dew_point_mean_c", "mean dew point", lists.dew_point);
    list("dry_0_4", "dry_bulb_month_0_4_c", "dry bulb of 0.4 %", lists.dry[0]);
    list("wet_0_4", "wet_bulb_month_0_4_c", "wet bulb of 0.4 %", lists.wet[0]);
    list("dry_2", "dry_bulb_month_2_c", "dry bulb of 2 %", lists.dry[1]);
    list("wet_2", "wet_bulb_month_2_c", "wet bulb of 2 %", lists.wet[1]);
    list("dry_5", "dry_bulb_month_5_c", "dry bulb of 5 %", lists.dry[2]);
    list("wet_5", "wet_bulb_month_5_c", "wet bulb of 5 %", lists.wet[2]);
    list("dry_10", "dry_bulb_month_10_c", "dry bulb of 10 %", lists.dry[3]);
    list("wet_10", "wet_bulb_month_10_c", "wet bulb of 10 %", lists.wet[3]);
  }

  /// A number of the plant; what is out of its range ends the year.
  template <class T>
  double taken(std::string_view name, const Traced<T>& value, double low, double high) {
    plant_inputs_.push_back(model_input(name, value));
    if (!value.has_value()) {
      if (problem_.empty()) problem_ = value.reason ? *value.reason : std::string(name) + " is not known";
      return low;
    }
    const double v = base_value(value.value);
    if (!(v >= low && v <= high) && problem_.empty())
      problem_ = fmt::format("{} of heat rejection is {:.6g}; {:.6g} to {:.6g} is allowed", name, v, low, high);
    return v;
  }

  template <auto Member, class T>
  Traced<T> own_or(std::string_view assumed) {
    return plant_design_.*Member ? design_value<Member>(ledger_, "cooling_plant", plant_design_) : assumption<T>(ledger_, catalog_, assumed);
  }

  /// What the drawn coolers state, where every one of them does.
  struct DrawnCoolers {
    std::optional<Traced<double>> fan_share;  ///< power at full speed over capacity
    std::optional<Traced<TempRise>> approach; ///< at capacity; mean by capacity
  };
  DrawnCoolers drawn_coolers(CoolingUnitKind kind) {
    double capacity = 0.0, power = 0.0, approach = 0.0;
    bool powers = true, approaches = true;
    std::vector<ModelInput> capacities, fans, nearness;
    std::set<std::string> parts;
    for (const CoolingUnit& unit : *in_.in.units) {
      if (unit.kind != kind) continue;
      const CoolingPart* part = catalog_.find<CoolingPart>(unit.part);
      const bool own = unit.capacity.has_value();
      if (!part || !(own || part->capacity)) return {};
      const double w = in_watts(own ? *unit.capacity : *part->capacity);
      if (!(w > 0.0)) return {};
      capacity += w;
      // A unit of another capacity than its part is taken as more or less of the same.
      powers = powers && part->power_draw && part->capacity;
      approaches = approaches && part->approach;
      if (powers) power += in_watts(*part->power_draw) * w / in_watts(*part->capacity);
      if (approaches) approach += in_kelvins(*part->approach) * w;
      if (own) capacities.push_back(model_input("capacity", design_value<&CoolingUnit::capacity>(ledger_, "cooling_units", unit, unit.name)));
      if (!parts.insert(unit.part).second) continue;
      if (part->capacity) capacities.push_back(model_input("capacity_of_part", part_value<&CoolingPart::capacity>(ledger_, catalog_, *part)));
      if (part->power_draw) fans.push_back(model_input("power_draw", part_value<&CoolingPart::power_draw>(ledger_, catalog_, *part)));
      if (part->approach) nearness.push_back(model_input("approach", part_value<&CoolingPart::approach>(ledger_, catalog_, *part)));
    }
    DrawnCoolers out;
    if (!(capacity > 0.0)) return out;
    const auto with = [&](std::vector<ModelInput> more) {
      more.insert(more.end(), capacities.begin(), capacities.end());
      return more;
    };
    static constexpr ModelNote rated{"sum of power_draw / sum of capacity, over the drawn coolers", "ratings of the drawn parts"};
    static constexpr ModelNote nearest{"sum of approach * capacity / sum of capacity, over the drawn coolers", "ratings of the drawn parts"};
    if (powers) out.fan_share = ledger_.modelled<double>("cooling.drawn_fan_share", "Fan power of the drawn coolers over their capacity", rated, with(fans), power / capacity, kind::percent);
    if (approaches) out.approach = ledger_.modelled<TempRise>("cooling.drawn_approach", "Approach of the drawn coolers", nearest, with(nearness), kelvins_rise(approach / capacity));
    return out;
  }

  void plant() {
    constexpr double zero_celsius = 273.15;
    plant_.kind = plant_design_.heat_rejection;
    plant_.chillers = plant_design_.chillers;
    const bool tower = plant_.kind == HeatRejection::cooling_tower;
    plant_inputs_.push_back(model_input("heat_rejection", design_value<&CoolingPlant::heat_rejection>(ledger_, "cooling_plant", plant_design_)));
    plant_inputs_.push_back(model_input("chillers", design_value<&CoolingPlant::chillers>(ledger_, "cooling_plant", plant_design_)));
    const DrawnCoolers drawn = drawn_coolers(tower ? CoolingUnitKind::cooling_tower : CoolingUnitKind::dry_cooler);
    plant_.approach_k = taken("approach",
                              plant_design_.heat_rejection_approach ? design_value<&CoolingPlant::heat_rejection_approach>(ledger_, "cooling_plant", plant_design_)
                              : drawn.approach                      ? *drawn.approach
                              : tower                               ? assumption<TempRise>(ledger_, catalog_, "cooling.tower_approach")
                                                                    : assumption<TempRise>(ledger_, catalog_, "cooling.dry_cooler_approach"),
                              0.1, 50.0);
    plant_.fan_share = taken("fan_power_share",
                             drawn.fan_share ? *drawn.fan_share
                             : tower         ? assumption<double>(ledger_, catalog_, "cooling.tower_fan_fraction")
                                             : assumption<double>(ledger_, catalog_, "cooling.dry_cooler_fan_fraction"),
                             0.0, 1.0);
    plant_.least_speed = taken("least_fan_speed", assumption<double>(ledger_, catalog_, "cooling.fan_least_speed"), 0.0, 1.0);
    if (plant_.kind != HeatRejection::dry_cooler)
      plant_.cycles = taken("cycles_of_concentration", own_or<&CoolingPlant::cycles_of_concentration, double>("cooling.tower_cycles"), 1.01, 1000.0);
    if (plant_.kind == HeatRejection::adiabatic_cooler)
      plant_.wetting_effectiveness = taken("wetting_effectiveness", assumption<double>(ledger_, catalog_, "cooling.adiabatic_effectiveness"), 0.0, 1.0);
    if (tower) {
      plant_.evaporation_m3_per_j = taken("evaporation", assumption<VolumePerEnergy>(ledger_, catalog_, "cooling.tower_evaporation"), 0.0, 10e-3 / 3.6e6);
      plant_.drift_share = taken("drift", assumption<double>(ledger_, catalog_, "cooling.tower_drift"), 0.0, 0.05);
    }
    if (plant_.chillers == ChillerUse::none) return;
    plant_.evaporator_k = taken("evaporator_difference", assumption<TempRise>(ledger_, catalog_, "cooling.chiller_evaporator_difference"), 0.0, 50.0);
    plant_.condenser_k = taken("condenser_difference",
                               tower ? assumption<TempRise>(ledger_, catalog_, "cooling.chiller_condenser_difference_water")
                                     : assumption<TempRise>(ledger_, catalog_, "cooling.chiller_condenser_difference_air"),
                               0.0, 50.0);
    plant_.least_lift_k = taken("least_lift", assumption<TempRise>(ledger_, catalog_, "cooling.chiller_least_lift"), 1.0, 100.0);
    const auto performance = plant_design_.chiller_performance ? design_value<&CoolingPlant::chiller_performance>(ledger_, "cooling_plant", plant_design_)
                             : tower                           ? assumption<double>(ledger_, catalog_, "cooling.chiller_cop_water_cooled")
                                                               : assumption<double>(ledger_, catalog_, "cooling.chiller_cop_air_cooled");
    const double cop = taken("performance", performance, 0.1, 100.0);
    const double leaving_k = taken("rating_water", assumption<Temperature>(ledger_, catalog_, "cooling.chiller_rating_water"), 250.0, 340.0);
    // A stated performance is that of the outdoor design temperature, the catalog's that of its rating.
    const auto sink = tower                               ? assumption<Temperature>(ledger_, catalog_, "cooling.chiller_rating_tower_water")
                      : plant_design_.chiller_performance ? design_value<&Site::outdoor_design_temperature>(ledger_, "site", *in_.in.site)
                                                          : assumption<Temperature>(ledger_, catalog_, "cooling.chiller_rating_air");
    const double sink_k = taken("rating_sink", sink, 183.0, 340.0);
    plant_.second_law_share = second_law_share(plant_, cop, leaving_k - zero_celsius, sink_k - zero_celsius);
    if (plant_.second_law_share > 1.0 && problem_.empty())
      problem_ = fmt::format("the chiller performance of {:.4g} is more than an ideal chiller has at {:.4g} degC outside, {:.3g}", cop, sink_k - zero_celsius,
                             cop / plant_.second_law_share);
  }

  void streams() {
    constexpr auto none = Completeness::not_applicable;
    const auto add = [&](Stream s) {
      const auto known = [&](const auto& value, std::string_view what) {
        if (value.has_value()) return true;
        if (problem_.empty()) problem_ = fmt::format("{} of {}: {}", what, s.water.name, value.reason ? *value.reason : "not known");
        return false;
      };
      if (!known(s.heat, "heat") || !known(s.facility_supply, "water") || !known(s.facility_return, "returning water")) return;
      s.water.heat_w = in_watts(s.heat.value);
      if (s.water.heat_w <= 0.0) return;
      s.water.supply_c = s.facility_supply.value.celsius();
      s.water.return_c = s.facility_return.value.celsius();
      if (s.water.return_c - s.water.supply_c < 0.1) {
        if (problem_.empty()) problem_ = fmt::format("the water of {} warms by less than 0.1 K", s.water.name);
        return;
      }
      streams_.push_back(std::move(s));
    };
    std::optional<Traced<TempRise>> exchanger;
    for (const CoolantHeat& c : in_.coolants) {
      if (c.heat.completeness == none) continue;
      if (!exchanger)
        exchanger = in_.cdu && in_.cdu->approach ? part_value<&CoolingPart::approach>(ledger_, catalog_, *in_.cdu)
                                                 : assumption<TempRise>(ledger_, catalog_, "cooling.cdu_approach");
      Stream s;
      s.stem = c.stem;
      s.water.name = c.name;
      s.water.loop = c.loop ? c.loop->id : 0;
      s.heat = c.heat;
      // Water of a loop of its own is as that loop states it.
      const CoolantLoop* water = c.loop && c.loop->facility_loop ? find(*in_.in.loops, c.loop->facility_loop) : nullptr;
      s.facility_supply = water && water->supply_temperature
                              ? ledger_.as<Temperature>(c.stem + "needed_water", "Facility water of " + water->name + ", which serves " + c.name,
                                                        design_value<&CoolantLoop::supply_temperature>(ledger_, "loops", *water, water->name))
                          : c.loop && c.loop->facility_supply
                              ? ledger_.as<Temperature>(c.stem + "needed_water", "Facility water that serves " + c.name,
                                                        design_value<&CoolantLoop::facility_supply>(ledger_, "loops", *c.loop, c.loop->name))
                              : ledger_.derive(c.stem + "needed_water", "Warmest facility water that serves " + c.name, facility_water_supply, c.supply, *exchanger);
      s.facility_return =
          ledger_.derive(c.stem + "returned_water", "Facility water back from " + c.name, facility_water_return, s.facility_supply, c.supply, c.returned);
      if (c.supply.has_value() && s.facility_supply.has_value()) s.water.exchanger_k = in_kelvins(c.supply.value - s.facility_supply.value);
      add(std::move(s));
    }
    if (in_.heat_to_air.completeness == none) return;
    Stream s;
    s.stem = "cooling.air.";
    s.water.name = "air handlers";
    s.water.air = true;
    s.heat = ledger_.as<Power>("cooling.air.year_heat", "Heat to air, into the water of air handlers", in_.heat_to_air);
    const auto supply = own_or<&CoolingPlant::air_supply_temperature, Temperature>("air.supply_temperature");
    const auto coil = assumption<TempRise>(ledger_, catalog_, "air.coil_approach");
    const auto rise = assumption<TempRise>(ledger_, catalog_, "air.coil_water_rise");
    s.facility_supply = ledger_.derive("cooling.air.needed_water", "Warmest facility water that serves air handlers", facility_water_supply, supply, coil);
    constexpr ModelNote warmed{"facility_supply + coil_water_rise", "definition of the rise"};
    const double back = s.facility_supply.has_value() && rise.has_value() ? s.facility_supply.value.kelvin() + in_kelvins(rise.value) : 0.0;
    s.facility_return = ledger_.modelled<Temperature>("cooling.air.returned_water", "Facility water back from air handlers", warmed,
                                                      {model_input("facility_supply", s.facility_supply), model_input("coil_water_rise", rise)},
                                                      Temperature::from_kelvin(back));
    if (coil.has_value()) s.water.exchanger_k = in_kelvins(coil.value);
    add(std::move(s));
  }

  /// Pumps of the water of each stream: those of solved loops of facility water, else by an assumed head.
  void pumps() {
    static constexpr ModelNote lifted{"head / (4.18 MJ/(m3 K) * (facility_return - facility_supply) * pump_efficiency * motor_efficiency)",
                                      "hydraulic power of the flow that carries the heat; volumetric heat of water at 20 to 40 degC"};
    std::set<Id> counted;
    for (Stream& s : streams_) {
      const CoolantLoop* loop = s.water.loop ? find(*in_.in.loops, s.water.loop) : nullptr;
      if (const auto solved = in_.solved_pumps.find(loop ? loop->facility_loop : 0); solved != in_.solved_pumps.end() && solved->second.has_value()) {
        if (!counted.insert(solved->first).second) continue;
        pump_powers_.push_back(solved->second);
        s.water.pump_w = in_watts(solved->second.value); // of the first stream on it
        continue;
      }
      const auto head = assumption<Pressure>(ledger_, catalog_, "cooling.facility_pump_head");
      const auto pump = assumption<double>(ledger_, catalog_, "cooling.pump_efficiency"), motor = assumption<double>(ledger_, catalog_, "cooling.pump_motor_efficiency");
      if (!head.has_value() || !pump.has_value() || !motor.has_value() || !(pump.value > 0.0) || !(motor.value > 0.0)) {
        if (problem_.empty()) problem_ = "head or efficiency of the pumps of facility water is not known";
        return;
      }
      const double share = base_value(head.value) / (water_heat_j_per_m3_k * (s.water.return_c - s.water.supply_c) * pump.value * motor.value);
      const auto traced = ledger_.modelled<double>(s.stem + "facility_pump_share", "Power of facility-water pumps over the heat of " + s.water.name, lifted,
                                                   {model_input("head", head), model_input("facility_supply", s.facility_supply), model_input("facility_return", s.facility_return),
                                                    model_input("pump_efficiency", pump), model_input("motor_efficiency", motor)},
                                                   share, kind::percent);
      pump_powers_.push_back(
          ledger_.derive(s.stem + "facility_pump_power", "Power of facility-water pumps of " + s.water.name, growing(plant_power), s.heat, traced));
      s.water.pump_w = share * s.water.heat_w;
    }
  }

  /// Every stream on the outdoor design day.
  void design_point() {
    static constexpr ModelNote note{"fans at the speed that the heat needs, by its cube; chillers by heat over COP, COP a constant share of an ideal chiller's; on the design day",
                                    year_source};
    const auto outdoor = design_value<&Site::outdoor_design_temperature>(ledger_, "site", *in_.in.site);
    const double dry_c = outdoor.value.celsius(), wet_c = design_wet_bulb(*in_.climate, dry_c);
    Traced<Temperature> wet;
    if (plant_.kind != HeatRejection::dry_cooler) {
      static constexpr ModelNote wettest{"of the wettest outdoor state that is not hotter than the design day, at least the wet bulb exceeded on 0.4 % of the year", "definition of the design day"};
      std::vector<ModelInput> of = climate_inputs_;
      of.push_back(model_input("outdoor", outdoor));
      wet = ledger_.modelled<Temperature>("cooling.design_wet_bulb", "Wet bulb of the design day", wettest, of, Temperature::from_celsius(wet_c));
    }
    for (Stream& s : streams_) {
      std::vector<ModelInput> inputs = inputs_with({&s}, false);
      inputs.push_back(model_input("outdoor", outdoor));
      if (wet.figure.valid()) inputs.push_back(model_input("wet_bulb", wet));
      const StreamState state = stream_state(plant_, s.water, dry_c, wet_c);
      const auto share = ledger_.modelled<double>(s.stem + "rejection_design_share", "Power of heat rejection over the heat of " + s.water.name + ", design day", note,
                                                  inputs, (state.fan_w + state.chiller_w) / s.water.heat_w, kind::percent);
      if (state.mechanical_share > 0.0)
        ledger_.remark(share, fmt::format("chillers take {:.3g} % of it", state.mechanical_share * 100.0));
      design_point_.push_back(ledger_.derive(s.stem + "rejection_design_power", "Power of heat rejection of " + s.water.name + ", design day", growing(plant_power),
                                             s.heat, share));
    }
    design_point_.insert(design_point_.end(), pump_powers_.begin(), pump_powers_.end());
  }

  [[nodiscard]] std::vector<ModelInput> inputs_with(std::initializer_list<const Stream*> of, bool heats) const {
    std::vector<ModelInput> all = climate_inputs_;
    all.insert(all.end(), plant_inputs_.begin(), plant_inputs_.end());
    for (const Stream* s : of) {
      all.push_back(model_input("facility_supply", s->facility_supply));
      all.push_back(model_input("facility_return", s->facility_return));
      if (heats) all.push_back(model_input("heat", s->heat));
    }
    return all;
  }
  [[nodiscard]] std::vector<ModelInput> inputs_with_all(bool heats) const {
    std::vector<ModelInput> all = inputs_with({}, heats);
    for (const Stream& s : streams_) {
      all.push_back(model_input("facility_supply", s.facility_supply));
      all.push_back(model_input("facility_return", s.facility_return));
      if (heats) all.push_back(model_input("heat", s.heat));
    }
    return all;
  }

  void study() {
    std::vector<HeatStream> water;
    for (const Stream& s : streams_) water.push_back(s.water);
    auto study = std::make_shared<const YearStudy>(year_study(plant_, std::move(water), in_.climate));
    study_ = study;
    const YearTotals& t = study->totals;

    static constexpr ModelNote counted{"hours of the outdoor states on which coolers bring every water to its supply: outdoor air + approach at most the supply",
                                       year_source};
    static constexpr ModelNote parted{"hours on which the coolers reach less than the return and more than the supply of some water: chillers take that part of its heat",
                                      year_source};
    static constexpr ModelNote chilled{"hours on which chillers take all heat", year_source};
    static constexpr ModelNote warm{"hours on which coolers leave some water warmer than its supply, and there are no chillers", year_source};
    static constexpr ModelNote warmest{"outdoor air + approach - supply, on the worst outdoor state of the worst water", year_source};
    static constexpr ModelNote share_note{
        "mean over outdoor states: fans at the speed that the heat needs, by its cube; chillers by heat over COP, COP a constant share of an ideal chiller's", year_source};
    static constexpr ModelNote water_note{"mean over outdoor states: towers evaporate by heat and drain salt by cycles of concentration; pads evaporate what cools their air",
                                          year_source};
    static constexpr ModelNote most_note{"fans, chillers and pumps of facility water on the outdoor state on which they draw most", year_source};

    std::vector<Traced<Power>> powers = pump_powers_;
    std::vector<Traced<Volume>> volumes;
    const bool wet = plant_.kind != HeatRejection::dry_cooler;
    const bool chillers = plant_.chillers == ChillerUse::where_needed;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      Stream& s = streams_[i];
      const YearTotals& of = study->of_streams[i];
      const auto own = inputs_with({&s}, false);
      ledger_.modelled<Time>(s.stem + "free_cooling_hours", "Hours of free cooling of " + s.water.name, counted, own, hours(of.free_h), hours_of_time);
      s.power_share = ledger_.modelled<double>(s.stem + "rejection_share", "Power of heat rejection over the heat of " + s.water.name + ", mean of the year",
                                               share_note, own, (of.mean_rejection_w - s.water.pump_w) / s.water.heat_w, kind::percent);
      s.power = ledger_.derive(s.stem + "rejection_mean_power", "Power of heat rejection of " + s.water.name + ", mean of the year", growing(plant_power),
                               s.heat, s.power_share);
      powers.push_back(s.power);
      if (!wet) continue;
      s.water_per_heat = ledger_.modelled<VolumePerEnergy>(s.stem + "water_per_heat", "Water per heat of " + s.water.name + ", mean of the year", water_note,
                                                           own, from_base_value<VolumePerEnergy>(of.water_m3 / (s.water.heat_w * of.hours * 3600.0)));
      s.water_volume = ledger_.derive(s.stem + "water_per_year", "Water in a year for " + s.water.name, growing(water_of_heat), s.heat, s.water_per_heat, hours_);
      volumes.push_back(s.water_volume);
    }
    const auto all = inputs_with_all(false);
    const auto time = [&](const char* id, const char* label, const ModelNote& note, double h) { return ledger_.modelled<Time>(id, label, note, all, hours(h), hours_of_time); };
    out_.free_cooling = time("cooling.free_cooling_hours", "Hours of free cooling in a year", counted, t.free_h);
    if (chillers) {
      out_.partial_free_cooling = time("cooling.partial_free_cooling_hours", "Hours of partial free cooling in a year", parted, t.partial_h);
      out_.chiller = time("cooling.chiller_hours", "Hours on chillers alone in a year", chilled, t.chiller_h);
      const char* why = "chillers take over where coolers leave the water too warm";
      out_.short_time = ledger_.absent<Time>("cooling.short_hours", "Hours of water too warm in a year", Completeness::not_applicable, why, &hours_of_time);
      out_.worst_short = ledger_.absent<TempRise>("cooling.short_by", "Most that water is too warm by", Completeness::not_applicable, why);
    } else {
      const char* why = "the plant has no chillers";
      out_.partial_free_cooling =
          ledger_.absent<Time>("cooling.partial_free_cooling_hours", "Hours of partial free cooling in a year", Completeness::not_applicable, why, &hours_of_time);
      out_.chiller = ledger_.absent<Time>("cooling.chiller_hours", "Hours on chillers alone in a year", Completeness::not_applicable, why, &hours_of_time);
      out_.short_time = time("cooling.short_hours", "Hours of water too warm in a year", warm, t.short_h);
      out_.worst_short = ledger_.modelled<TempRise>("cooling.short_by", "Most that water is too warm by", warmest, all, kelvins_rise(t.worst_short_k));
    }
    out_.mean_rejection = ledger_.sum<Power>("cooling.heat_rejection_mean_power", "Electrical power of heat rejection, mean of the year", powers);
    out_.most_rejection = ledger_.modelled<Power>("cooling.heat_rejection_most_power", "Electrical power of heat rejection, most of the year", most_note,
                                                  inputs_with_all(true), watts(t.most_rejection_w));
    ledger_.remark(out_.most_rejection, fmt::format("at {:.4g} degC outside", t.most_at_dry_c));
    const auto mean = ledger_.sum<Power>("cooling.mean_electrical_power", "Electrical power of cooling, mean of the year", {in_.cdu_power, in_.fan_power, out_.mean_rejection});
    out_.energy = ledger_.derive("cooling.energy_per_year", "Electrical energy of cooling in a year", energy_of_mean_power, mean, hours_);
    if (wet) {
      out_.water = ledger_.sum<Volume>("cooling.water_per_year", "Water of heat rejection in a year", volumes);
    } else {
      out_.water = ledger_.constant<Volume>("cooling.water_per_year", "Water of heat rejection in a year", Volume{}, "dry coolers and air-cooled chillers use no water");
    }
    out_.water_usage_effectiveness =
        ledger_.derive("cooling.water_usage_effectiveness", "WUE of the typical year", water_usage_effectiveness, out_.water, in_.it, hours_);
    // What comes back from racks is of use for heating; what comes back from air handlers is too cool.
    const Stream* coolest = nullptr;
    for (const Stream& s : streams_)
      if (!s.water.air && (!coolest || s.water.return_c < coolest->water.return_c)) coolest = &s;
    if (coolest)
      out_.reuse_temperature = ledger_.as<Temperature>("cooling.reuse_temperature", "Facility water back from " + coolest->water.name + ", for use of its heat",
                                                       coolest->facility_return);
    else
      out_.reuse_temperature = ledger_.absent<Temperature>("cooling.reuse_temperature", "Facility water back from the racks, for use of its heat",
                                                           Completeness::not_applicable, "no heat goes to liquid");
    out_.study = study_;
  }

  void tables() {
    Table year;
    year.id = "cooling.year";
    year.title = "Outdoor air over the year";
    year.columns.reserve(8);
    const std::vector<YearState>& rows = study_->states;
    TableColumns<YearState> columns(year, rows);
    columns.numbers("dry_bulb", "Dry bulb", kind::temperature, [](const YearState& s) { return s.dry_c + 273.15; }, "degC");
    columns.numbers("wet_bulb", "Wet bulb", kind::temperature, [](const YearState& s) { return s.wet_c + 273.15; }, "degC");
    columns.numbers("hours", "Hours", kind::time, [](const YearState& s) { return s.hours * 3600.0; }, "h");
    columns.words("mode", "Cooling by", [](const YearState& s) { return year_mode_word(s.mode); });
    columns.numbers("mechanical_share", "Heat by chillers", kind::percent, [](const YearState& s) { return s.mechanical_share; });
    columns.numbers("rejection_power", "Heat rejection", kind::power, [](const YearState& s) { return s.rejection_w; }, "kW");
    columns.numbers("water", "Water", kind::volume_flow, [](const YearState& s) { return s.water_m3_s; }, "L/min");
    columns.numbers("short_by", "Too warm by", kind::temperature_difference, [](const YearState& s) { return s.short_k; }, "K");
    tables_.push_back(std::move(year));

    Table of;
    of.id = "cooling.year_streams";
    of.title = "Heat over the year";
    of.entity_table = "loops";
    of.columns.reserve(9);
    auto& name = of.add_words("stream", "Heat of");
    auto& heat = of.add_numbers("heat", "Heat", kind::power, "kW");
    auto& supply = of.add_numbers("facility_supply", "Water at most", kind::temperature, "degC");
    auto& back = of.add_numbers("facility_return", "Water back", kind::temperature, "degC");
    auto& free = of.add_numbers("free_cooling_hours", "Free cooling", kind::time, "h");
    auto& partial = of.add_numbers("partial_hours", "Partial", kind::time, "h");
    auto& chiller = of.add_numbers("chiller_hours", "Chillers", kind::time, "h");
    auto& warm = of.add_numbers("short_hours", "Too warm", kind::time, "h");
    auto& power = of.add_numbers("rejection_mean_power", "Heat rejection, mean", kind::power, "kW");
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const YearTotals& t = study_->of_streams[i];
      name.words.push_back(streams_[i].water.name);
      heat.numbers.push_back(streams_[i].water.heat_w);
      supply.numbers.push_back(streams_[i].water.supply_c + 273.15);
      back.numbers.push_back(streams_[i].water.return_c + 273.15);
      free.numbers.push_back(t.free_h * 3600.0);
      partial.numbers.push_back(t.partial_h * 3600.0);
      chiller.numbers.push_back(t.chiller_h * 3600.0);
      warm.numbers.push_back(t.short_h * 3600.0);
      power.numbers.push_back(t.mean_rejection_w);
      of.entities.push_back(streams_[i].water.loop);
      of.row_figures.push_back(streams_[i].stem + "rejection_mean_power");
    }
    tables_.push_back(std::move(of));
  }

  Ledger& ledger_;
  const YearInputs& in_;
  const CoolingPlant& plant_design_;
  const Catalog& catalog_;
  std::vector<Table>& tables_;
  YearFigures out_;
  RejectionPlant plant_;
  std::string problem_;
  Traced<Time> hours_;
  std::vector<ModelInput> climate_inputs_, plant_inputs_;
  std::vector<Stream> streams_;
  std::vector<Traced<Power>> pump_powers_, design_point_;
  std::shared_ptr<const YearStudy> study_;
};

} // namespace

std::string_view year_mode_word(YearMode mode) {
  switch (mode) {
  case YearMode::free:
    return "free cooling";
  case YearMode::partial:
    return "partial free cooling";
  case YearMode::chiller:
    return "chillers";
  case YearMode::too_warm:
    return "water too warm";
  }
  return "";
}

RejectionFigures rejection_figures(Ledger& ledger, const YearInputs& inputs, std::vector<Table>& tables) { return YearOfPlant(ledger, inputs, tables).run(); }

} // namespace hallwright
