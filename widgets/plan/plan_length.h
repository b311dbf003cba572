// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QString>

#include "widgets/plan/plan_view.h"

/// Lengths as the plan writes and reads them: metres, or feet and inches.
namespace hallwright::plan {

/// The style of the whole plan, on every view and on paper. Metric at first.
LengthStyle length_style();
void set_length_style(LengthStyle style);

/// A measured length without loss below the millimetre: "3.60 m", "1.205 m"; "11 ft 9.73 in".
QString exact_length_text(double mm);
/// A height above the floor with its sign: "+2.70 m".
QString level_text(double mm);
/// A width or depth of a drawing, a hall or an aisle, to the millimetre where it has them: "36.0 m", "24.35 m", "3.60 m".
QString extent_text(double mm);
/// A size of something small: "300 mm", "12 in".
QString size_text(double mm);

/// A typed length in millimetres: "12 m", "3.5" (in metres, or feet), "40 ft", "6 ft + 4 in".
/// @param problem set to what is wrong and what is allowed
std::optional<double> read_length(const QString& typed, QString* problem = nullptr);
/// A typed angle in degrees, a bare number being degrees.
std::optional<double> read_angle(const QString& typed, QString* problem = nullptr);

} // namespace hallwright::plan
