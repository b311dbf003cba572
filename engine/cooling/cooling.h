// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cooling/loop_results.h"
#include "load/load.h"

/// Coolant flow, coolant distribution units, air side: first order; where pipes are drawn, solved flows stand beside.
namespace hallwright {

struct CoolingInputs {
  Shared<CoolingPlant> plant;
  Shared<Site> site;
  Shared<std::vector<CoolantLoop>> loops;
  Shared<std::vector<CoolingUnit>> units;
  Shared<std::vector<Rack>> racks; ///< loop of each rack
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<Catalog> catalog;
  friend bool operator==(const CoolingInputs&, const CoolingInputs&) = default;
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
};

/// @param loops the drawn loops at work; null: none
CoolingResult cooling(const CoolingInputs& inputs, const LoadResult& load, const LoopLooks* loops = nullptr);
std::vector<Rule> cooling_rules();

} // namespace hallwright
