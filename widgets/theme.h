// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QString>

/// Colours, icons and spacing of the whole program: one accent, red and amber only for limits.
namespace hallwright {

enum class Appearance { system, light, dark };

/// Named colours of the present appearance. Read them when painting, never keep them.
struct Theme {
  bool dark = false;
  QColor window, panel, canvas, field, border, text, secondary_text, accent, accent_soft, on_accent;
  QColor red, red_soft, amber, amber_soft, green;
  QColor grid, grid_major, hall_outline, hall_floor, rack, rack_border, cold_aisle, hot_aisle, liquid, power, fabric_kind, structure;
};
const Theme& theme();
/// Sets palette, font and style sheet of the application. `system` follows the desktop.
void apply_appearance(Appearance appearance);
Appearance present_appearance();

/// Icon ":/icons/<name>.svg" in the text colour of the present appearance, sharp at any scale.
QIcon icon(const QString& name);

/// Grid unit of all spacing, logical pixels (4).
constexpr int spacing_unit = 4;

/// Colour-blind-safe sequential scale (light to dark accent) for amounts, 0..1.
QColor amount_color(double share);
/// Okabe-Ito colours for kinds, by index.
QColor kind_color(int index);

} // namespace hallwright
