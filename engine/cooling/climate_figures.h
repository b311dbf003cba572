// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cooling/climate_plant.h"
#include "cooling/cooling.h"

/// Figures and tables of heat rejection over the year, on the page of the cooling stage.
namespace hallwright {

/// Heat that racks on one loop shed to its coolant.
struct CoolantHeat {
  const CoolantLoop* loop = nullptr; ///< null: racks on no loop
  std::string name, stem;            ///< "cooling.loop.12."
  Traced<Power> heat;
  Traced<Temperature> supply, returned; ///< of the coolant
};

struct YearInputs {
  const CoolingInputs& in;
  Shared<ClimateYear> climate; ///< null: the site names none
  std::vector<CoolantHeat> coolants;
  const std::map<Id, Traced<Power>>& solved_pumps; ///< electrical power of the pumps of solved loops, those of facility water among them
  const CoolingPart* cdu = nullptr; ///< whose approach counts; null: the catalog's assumption
  Traced<Power> it, heat_to_air;
  bool split_known = true; ///< which part of the heat goes to liquid
  Traced<Power> cdu_power, fan_power;
};

/// Heat rejection over the year and at the design point.
struct RejectionFigures {
  YearFigures year;
  /// Of coolers, towers, chillers and the pumps of their water, at the outdoor design temperature; one a stream of heat, and the pumps. Empty: `year` says why.
  std::vector<Traced<Power>> at_design_point;
};

/// Writes cooling.free_cooling_hours and the others of `YearFigures`, for each stream of heat what its water asks for, what its year comes to and what it
/// takes at the design point, and the tables cooling.year (outdoor states) and cooling.year_streams.
///
/// The design point is the outdoor design temperature of the site with the wet bulb of `design_wet_bulb`. Fans and approach are those of the drawn coolers
/// where every one of them says, else the catalog's assumptions. Pumps of facility water run at one speed all the year: those of a drawn loop as solved,
/// others by an assumed head.
[[nodiscard]] RejectionFigures rejection_figures(Ledger& ledger, const YearInputs& inputs, std::vector<Table>& tables);

/// "free cooling", "partial free cooling", "chillers", "water too warm"
[[nodiscard]] std::string_view year_mode_word(YearMode mode);

} // namespace hallwright
