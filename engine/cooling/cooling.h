// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "cooling/loop_results.h"
#include "load/load.h"

/// Coolant flow, coolant distribution units, air side: first order; where pipes are drawn, solved flows stand beside.
namespace hallwright {

struct ClimateYear; // climate_year.h
struct YearStudy;   // climate_plant.h

struct CoolingInputs {
  Shared<CoolingPlant> plant;
  Shared<Site> site;
  Shared<std::vector<CoolantLoop>> loops;
  Shared<std::vector<CoolingUnit>> units;
  Shared<std::vector<Rack>> racks; ///< loop of each rack
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<Catalog> catalog;
  Shared<std::vector<ClimateBin>> climate_bins = share(std::vector<ClimateBin>{});
  friend bool operator==(const CoolingInputs&, const CoolingInputs&) = default;
};

/// Heat rejection over the typical year of the site, at the counted load throughout. Not applicable without a climate.
struct YearFigures {
  Traced<Time> free_cooling;    ///< cooling.free_cooling_hours: no chiller runs and no water is too warm
  Traced<Time> partial_free_cooling; ///< cooling.partial_free_cooling_hours: chillers take a part of the heat
  Traced<Time> chiller;         ///< cooling.chiller_hours: chillers take all of it
  Traced<Time> short_time;      ///< cooling.short_hours: without chillers, water is warmer than asked
  Traced<TempRise> worst_short; ///< cooling.short_by: the most kelvins that it is too warm
  Traced<Power> mean_rejection; ///< cooling.heat_rejection_mean_power: over the year; coolers, towers and chillers
  Traced<Power> most_rejection; ///< cooling.heat_rejection_most_power: on the outdoor state that asks for most
  Traced<Energy> energy;        ///< cooling.energy_per_year: CDU pumps, fans, heat rejection
  Traced<Volume> water;         ///< cooling.water_per_year: evaporated, drained and drifted off
  Traced<VolumePerEnergy> water_usage_effectiveness; ///< cooling.water_usage_effectiveness: per IT energy
  Traced<Temperature> reuse_temperature;             ///< cooling.reuse_temperature: facility water back from the coolest loop
  std::shared_ptr<const YearStudy> study;            ///< null: no climate, or no heat
};

struct CoolingResult : StageResult {
  Traced<VolumeFlow>
      flow; ///< cooling.flow: coolant to all liquid-cooled racks; limit: flow of the drawn CDUs with redundancy out
  Traced<Count> cdus_by_duty;     ///< cooling.cdus_by_duty (without spare)
  Traced<Count> cdus_by_flow;     ///< cooling.cdus_by_flow
  Traced<Count> cdus_needed;      ///< cooling.cdus_needed: larger of both plus redundancy
  Traced<Count> cdus_drawn;       ///< cooling.cdus_drawn
  Traced<double> cdu_headroom;    ///< cooling.cdu_headroom: 1 - duty / capacity left with one out (as redundancy asks)
  Traced<VolumeFlow> airflow;     ///< cooling.airflow
  Traced<double> air_headroom;    ///< cooling.air_headroom
  Traced<Power> electrical_power; ///< cooling.electrical_power: CDU pumps, fans, heat rejection
  Traced<Power> cdu_power;        ///< cooling.cdu_power: pumps of the distribution units, fed by the UPS
  Traced<Power> fan_power;        ///< cooling.fan_power: fans of the air side
  Traced<Power> heat_rejection_power; ///< cooling.heat_rejection_power: dry coolers, chillers, their pumps
  std::string binding_limit;          ///< "duty" or "flow"; empty: no heat goes to liquid
  YearFigures year;
};

/// @param loops   the drawn loops at work; null: none
/// @param climate the outdoor air of the site over a year, of these inputs; null: it is made here
CoolingResult cooling(const CoolingInputs& inputs, const LoadResult& load, const LoopLooks* loops = nullptr, const Shared<ClimateYear>& climate = nullptr);
std::vector<Rule> cooling_rules();

} // namespace hallwright
