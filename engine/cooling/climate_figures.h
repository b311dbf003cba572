// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
  const CoolingPart* cdu = nullptr; ///< whose approach counts; null: the catalog's assumption
  Traced<Power> it, heat_to_air;
  bool split_known = true; ///< which part of the heat goes to liquid
  Traced<Power> cdu_power, fan_power;
};

/// Writes cooling.free_cooling_hours and the others of `YearFigures`, for each stream of heat what its water asks for and what its year comes to,
/// and the tables cooling.year (outdoor states) and cooling.year_streams.
[[nodiscard]] YearFigures year_figures(Ledger& ledger, const YearInputs& inputs, std::vector<Table>& tables);

/// "free cooling", "partial free cooling", "chillers", "water too warm"
[[nodiscard]] std::string_view year_mode_word(YearMode mode);

} // namespace hallwright
