// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include <QString>

#include "fabric/cable_exports.h"

/// Paper for those who pull and plug cables. Each function returns an empty text, or one sentence that says what went
/// wrong; `export_stopped` when `progress` stopped it, and then no file is left.
namespace hallwright {

/// Labels on A4, 5 x 13 of 38.1 x 21.2 mm (sheets of 65): for each link one for either end, its own end above the
/// other. A stripe has the colour of the plane.
/// @param code  the cable's id as Code 128
QString write_label_sheets(const QString& file, const CableBook& book, bool code, const ExportProgress& progress = {});

/// A sheet for each rack, A4: its ports from the highest rack unit down, each with its far end; a rack with more ports
/// than a page holds goes on on the next.
QString write_port_sheets(const QString& file, const CableBook& book, const ExportProgress& progress = {});

/// Modules of a text in Code 128, set B (ISO/IEC 15417), bars true; characters outside 32 to 126 are left out.
std::vector<bool> code_128(std::string_view text);

} // namespace hallwright
