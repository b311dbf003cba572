// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cooling/climate_year.h"
#include "design/design.h"

/// Heat rejection over a year: what each outdoor state asks of dry coolers, towers and chillers. A first-order model, in SI units and degC.
///
/// Every stream of heat has its own water, warmed from a supply to a return, and its own coolers, which bring that water to the outdoor air plus an
/// approach. Heat is that of the counted load throughout, and pumps of its water run at one speed. Left out: controls, frost, mixing of streams, chillers at part
/// load, towers that serve air handlers of one and racks of another temperature with one water.
namespace hallwright {

constexpr double water_heat_j_per_m3_k = 4.18e6; ///< of facility water at 20 to 40 degC

/// What the plant gives heat off with.
struct RejectionPlant {
  HeatRejection kind = HeatRejection::dry_cooler;
  ChillerUse chillers = ChillerUse::where_needed;
  double approach_k = 6.0;         ///< water over the dry bulb; of towers over the wet bulb
  double fan_share = 0.04;         ///< power of fans at full speed, per heat
  double least_speed = 0.2;        ///< of fans, over full speed
  double second_law_share = 0.5;   ///< of chillers: COP over that of an ideal one between its refrigerant temperatures
  double evaporator_k = 2.0;       ///< refrigerant below the water that leaves the chiller
  double condenser_k = 15.0;       ///< refrigerant above the outdoor air, of towers above their water
  double least_lift_k = 15.0;      ///< between refrigerant temperatures: colder air lowers it no further
  double wetting_effectiveness = 0.8; ///< of pads: cooling of the air over dry bulb less wet bulb
  double evaporation_m3_per_j = 1.24e-3 / 3.6e6; ///< of towers, per heat
  double drift_share = 8e-5;       ///< of the water that a tower circulates
  double cycles = 5.0;             ///< of concentration, above 1
};

/// Heat that is given off at one temperature.
struct HeatStream {
  std::string name;
  Id loop = 0;      ///< coolant loop; 0: racks on none, or air
  bool air = false; ///< water of air handlers
  double heat_w = 0.0;
  double supply_c = 0.0;   ///< warmest facility water that serves it
  double return_c = 0.0;   ///< facility water back from it; above the supply
  double exchanger_k = 0.0; ///< what it serves over its facility water: coolant of racks, or supply air
  double pump_w = 0.0;      ///< electrical, of the pumps of this water
};

/// One stream on one outdoor state.
struct StreamState {
  double reached_c = 0.0;      ///< facility water from coolers alone; never below the supply
  double mechanical_share = 0.0; ///< of the heat that chillers take
  double short_k = 0.0;        ///< facility water warmer than asked; 0 with chillers
  double fan_speed = 0.0;      ///< over full speed; 0: fans rest
  double performance = 0.0;    ///< heat over power of the chillers; 0: none runs
  double fan_w = 0.0, chiller_w = 0.0;
  double water_m3_s = 0.0;     ///< evaporated, drained and drifted off
};
[[nodiscard]] StreamState stream_state(const RejectionPlant& plant, const HeatStream& stream, double dry_c, double wet_c);

/// Heat over electrical power of a chiller: a constant share of an ideal one between its refrigerant temperatures.
/// @param leaving_c water that leaves its evaporator @param sink_c outdoor air, or water of the tower
[[nodiscard]] double chiller_performance(const RejectionPlant& plant, double leaving_c, double sink_c);
/// The share of an ideal chiller that a rating means.
/// @param performance heat over power at these temperatures, above 0
[[nodiscard]] double second_law_share(const RejectionPlant& plant, double performance, double leaving_c, double sink_c);

/// How hours are counted, best first.
enum class YearMode : std::uint8_t {
  free,    ///< coolers alone reach what every stream asks for
  partial, ///< chillers take a part of the heat
  chiller, ///< chillers take all of it
  too_warm ///< there are none, and water is warmer than some stream asks for
};

/// The plant on one outdoor state.
struct YearState {
  double dry_c = 0.0, wet_c = 0.0, hours = 0.0;
  YearMode mode = YearMode::free;
  double rejection_w = 0.0; ///< fans, chillers and pumps of facility water
  double water_m3_s = 0.0;
  double mechanical_share = 0.0; ///< of all heat
  double short_k = 0.0;          ///< of the worst stream
};

struct YearTotals {
  double hours = 0.0, free_h = 0.0, partial_h = 0.0, chiller_h = 0.0, short_h = 0.0;
  double worst_short_k = 0.0;
  double mean_rejection_w = 0.0, most_rejection_w = 0.0;
  double most_at_dry_c = 0.0; ///< dry bulb at which it is most
  double water_m3 = 0.0;
};

/// The year of a plant with its streams.
struct YearStudy {
  RejectionPlant plant;
  std::vector<HeatStream> streams;
  std::shared_ptr<const ClimateYear> climate;
  std::vector<YearState> states; ///< as the climate's
  YearTotals totals;
  std::vector<YearTotals> of_streams; ///< one a stream
};
/// @param climate  with states
[[nodiscard]] YearStudy year_study(RejectionPlant plant, std::vector<HeatStream> streams, std::shared_ptr<const ClimateYear> climate);

/// The same year with the coolant of all racks supplied at another temperature; streams of air stay as they are.
/// @param supply_c  coolant at the racks
[[nodiscard]] YearStudy with_coolant_supply(const YearStudy& study, double supply_c);

} // namespace hallwright
