// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of floor area and floor load.
///
/// Outside the ranges stated with its parameters a formula is not applicable and names the parameter. Estimates are
/// first-order models; every figure made by one says so.
namespace hallwright {

// Further parts of the models

/// Area of a rectangle on the floor plan.
/// @param width [m], zero or more
/// @param depth [m], zero or more
/// @return [m2]
/// @source geometry
extern const Formula<Area, Length, Length> floor_area;

/// Mass over the footprint and its share of the aisles; aisle_share is half of the front aisle plus half of the
/// rear aisle, as a depth.
/// @param mass [kg], zero or more
/// @param width [m], above 0
/// @param depth [m], above 0
/// @param aisle_share [m], zero or more
/// @return [kg/m2], an estimate
/// @source TIA-942 style uniform load; raised floor practice
extern const Formula<ArealDensity, Mass, Length, Length, Length> floor_uniform_load;

/// Mass on the most loaded foot or caster; the tilt factor covers an uneven floor (1.25 is common practice).
/// @param mass [kg], zero or more
/// @param feet [count], at least 1
/// @param tilt_factor [ratio], at least 1
/// @return [kg], an estimate
/// @source raised floor practice, 25 % for tilt
extern const Formula<Mass, Mass, Count, double> caster_point_load;

/// Share of a floor load limit that is used.
/// @param load [kg/m2], zero or more
/// @param limit [kg/m2], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, ArealDensity, ArealDensity> floor_load_share;

/// Share of a point load limit that is used.
/// @param load [kg], zero or more
/// @param limit [kg], above 0
/// @return [ratio]
/// @source ratio
extern const Formula<double, Mass, Mass> point_load_share;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> space_formulas();

} // namespace hallwright
