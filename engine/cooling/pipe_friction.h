// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Darcy-Weisbach friction factor of round pipes and its slope over the Reynolds number.
///
/// Laminar (64/Re) up to 2,000; the chosen law from 4,000 on; between them the cubic that meets both ends with value
/// and slope. Between 2,000 and 4,000 measured factors scatter by 10 to 15 %, whatever the law.
namespace hallwright {

/// Law of turbulent flow. Swamee-Jain is explicit and within 1 % of Colebrook-White above Re 30,000 on smooth pipe (2.7
/// % at 4,000 to 5,000).
enum class FrictionLaw { swamee_jain, colebrook_white };

constexpr double laminar_reynolds_limit = 2000.0;
constexpr double turbulent_reynolds_limit = 4000.0;

struct Friction {
  double factor = 0.0;             ///< Darcy friction factor (four times Fanning's)
  double slope_per_reynolds = 0.0; ///< its derivative over the Reynolds number
};

/// The law of one pipe: what does not depend on the flow is worked out once.
struct FrictionCurve {
  FrictionLaw law = FrictionLaw::colebrook_white;
  double roughness_over_3_7 = 0.0;        ///< (roughness / diameter) / 3.7
  double cubic[4] = {0.0, 0.0, 0.0, 0.0}; ///< transition, in powers of (Re / 2000 - 1), from the constant on
};

/// @param relative_roughness roughness over diameter, 0 to 0.05
/// @source Swamee, Jain 1976; Colebrook 1939; the cubic is Dunlop's (EPANET manual), with the slope of the law at 4,000
[[nodiscard]] FrictionCurve friction_curve(FrictionLaw law, double relative_roughness);

/// The same where a factor nearby is known, as after a small change of flow: less to work out.
/// @param reynolds from 4,000 on
/// @param near_factor  of the same curve, at no more than 1.5 times or two thirds of the Reynolds number, brought there
///                     as a power of it
[[nodiscard]] Friction turbulent_friction_near(const FrictionCurve& curve, double reynolds, double near_factor);

/// @param reynolds above 0
[[nodiscard]] Friction friction(const FrictionCurve& curve, double reynolds);

} // namespace hallwright
