// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <tl/expected.hpp>

/// Properties of coolants over temperature: water and its mixtures with propylene or ethylene glycol.
namespace hallwright {

enum class Antifreeze { none, propylene_glycol, ethylene_glycol };

/// 25 % of propylene glycol by volume, as a mass fraction.
constexpr double pg25_mass_fraction = 0.260;

struct CoolantProperties {
  double density_kg_per_m3 = 0.0;
  double specific_heat_j_per_kg_k = 0.0;
  double dynamic_viscosity_pa_s =
      0.0; ///< makers' tables of inhibited PG25 differ from it, and among themselves, by 14 %
  double conductivity_w_per_m_k = 0.0;
  double freezing_c = 0.0;
  [[nodiscard]] double kinematic_viscosity_m2_per_s() const { return dynamic_viscosity_pa_s / density_kg_per_m3; }
  friend bool operator==(const CoolantProperties&, const CoolantProperties&) = default;
};

/// @param mass_fraction of glycol, 0 to 0.6; must be 0 for water
/// @param temperature_c from freezing to 100
/// @return an error that names the argument, its value and what is allowed
/// @source Melinder 2010, Properties of Secondary Working Fluids, IIR; coefficients as in lbl-srg/modelica-buildings,
/// Buildings/Media/Antifreeze. Water (mass fraction 0) is within 0.5 % of reference tables.
[[nodiscard]] tl::expected<CoolantProperties, std::string> coolant_properties(Antifreeze kind, double mass_fraction,
                                                                              double temperature_c);

} // namespace hallwright
