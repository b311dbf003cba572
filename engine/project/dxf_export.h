// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Writing DXF: a plain sheet of lines and texts becomes a file of release 2000 (AC1015).
///
/// The file is written here and not by dxflib, whose dictionaries and layouts name no owners, which readers that audit
/// what they read (ezdxf) have to mend.
namespace hallwright {

/// Millimetres; x to the right, y UP, as in every CAD program. The plan's y runs down: turn it over before.
struct DxfPoint {
  double x = 0.0, y = 0.0;
};

struct DxfLayer {
  std::string name;    ///< letters, digits, '-', '_'; "0" is always there
  int colour = 7;      ///< AutoCAD colour index, 1 to 255
  bool dashed = false; ///< 200 mm strokes with gaps of 100 mm
  std::string description;
};

struct DxfPolyline {
  std::string layer;
  std::vector<DxfPoint> points; ///< two or more; closed ones do not repeat the first
  bool closed = false;
};

enum class DxfAcross : int { left = 0, centre = 1, right = 2 };
enum class DxfUp : int { baseline = 0, bottom = 1, middle = 2, top = 3 };
struct DxfText {
  std::string layer;
  DxfPoint at;
  double height = 100.0; ///< of capitals [mm], above zero
  double rotation = 0.0; ///< counter-clockwise [degrees]
  DxfAcross across = DxfAcross::left;
  DxfUp up = DxfUp::baseline;
  std::string text; ///< UTF-8, one line
};

struct DxfSheet {
  std::string title;            ///< a comment at the head of the file
  std::vector<DxfLayer> layers; ///< every layer that is used
  std::vector<DxfPolyline> polylines;
  std::vector<DxfText> texts;
};

/// The whole file. Units are stated as millimetres ($INSUNITS 4, $MEASUREMENT 1); numbers do not depend on the locale.
/// Equal sheets give equal bytes. Points that are not finite must not be in the sheet.
[[nodiscard]] std::string dxf_text(const DxfSheet& sheet);

/// Text as TEXT entities hold it: in code page 1252, other characters as \U+6A5F, doubled percent signs and carets
/// escaped, no line ends.
[[nodiscard]] std::string dxf_escaped(std::string_view utf8);

} // namespace hallwright
