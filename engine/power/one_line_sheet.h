// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "power/one_line_layout.h"
#include "power/power_flow.h"
#include "project/dxf_export.h"

/// The one-line diagram as lines and texts: the symbols that screen, paper and DXF share, and the sheet for CAD.
namespace hallwright {

/// Strokes of a symbol in a square from (-1, -1), upper left, to (1, 1): open lines, or closed ones that end where they
/// began. Wires enter in the middle of the upper edge and leave in the middle of the lower edge.
using GlyphStrokes = std::vector<std::vector<OneLinePoint>>;
const GlyphStrokes& one_line_glyph(PowerUnitKind kind);
const GlyphStrokes& rack_glyph();

/// The diagram in millimetres on a sheet, one unit of it as `millimetres_each`. Layers: "SYMBOLS", "SIDE_A", "SIDE_B",
/// "EITHER_SIDE", "SECOND_SOURCES" (dashed), "NAMES", "RATINGS".
/// @param flow  of the case whose loads stand beside the ratings
DxfSheet one_line_sheet(const OneLineLayout& layout, const OneLine& line, const PowerFlow& flow,
                        const std::string& title, double millimetres_each = 0.5);

} // namespace hallwright
