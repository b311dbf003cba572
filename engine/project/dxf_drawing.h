// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "quantity/field.h"

/// A DXF drawing as a plain value: what an underlay shows and is measured by.
namespace hallwright {

/// A point in drawing units as the file has it: x to the right, y UP. The plan's y runs down: see `plan_point`.
struct DrawingPoint {
  double x = 0.0, y = 0.0;
  friend bool operator==(const DrawingPoint&, const DrawingPoint&) = default;
};

/// What one drawing unit is, and how that is known.
struct DrawingUnits {
  bool found = false;                         ///< the header says something
  std::optional<double> millimetres_per_unit; ///< not set: not stated
  std::string name;                           ///< "millimetres", "inches"; empty: not stated
  std::string why;                            ///< a sentence for the person who is asked
};

struct DrawingLayer {
  std::string name;
  int colour = 7;      ///< AutoCAD colour index, 1 to 255
  bool visible = true; ///< in the file: neither off nor frozen
};

/// A line, an outline or a flattened curve.
struct DrawingPath {
  std::uint32_t layer = 0;   ///< index into `layers`
  std::int16_t colour = 256; ///< AutoCAD colour index; 256: of the layer
  bool closed = false;
  bool filled = false;              ///< SOLID, TRACE
  std::vector<DrawingPoint> points; ///< two or more
};

struct DrawingText {
  std::uint32_t layer = 0;
  std::int16_t colour = 256;
  DrawingPoint at;
  double height = 0.0;   ///< of capitals [drawing units], above zero
  double rotation = 0.0; ///< counter-clockwise [degrees]
  enum class Across : std::uint8_t { left, centre, right } across = Across::left;
  enum class Up : std::uint8_t { baseline, bottom, middle, top } up = Up::baseline;
  std::string text; ///< UTF-8; lines apart by newlines; codes of the format are resolved or left out
};

struct DrawingDot {
  std::uint32_t layer = 0;
  std::int16_t colour = 256;
  DrawingPoint at;
};

struct DrawingExtent {
  DrawingPoint low, high;
};

/// A drawing, blocks resolved and curves flattened. Coordinates are those of the file: y runs up.
struct Drawing {
  DrawingUnits units;
  std::vector<DrawingLayer> layers; ///< those of the table, then those that only entities name
  std::vector<DrawingPath> paths;
  std::vector<DrawingText> texts;
  std::vector<DrawingDot> dots;
  std::optional<DrawingExtent> extent; ///< of everything above (texts: their point); not set: nothing is drawn
  double tolerance = 0.0;              ///< largest distance between a curve and its chords [drawing units]
  std::vector<std::pair<std::string, std::size_t>> not_shown; ///< ("DIMENSION", 3), by kind
  std::vector<std::string> notes;                             ///< other things to know, one sentence each

  /// "3 DIMENSION, 1 IMAGE not shown"; empty: all is.
  [[nodiscard]] std::string not_shown_words() const;
};

/// Where a point of the drawing lies on the plan, y down, when one unit is `millimetres_per_unit` and the origin of the
/// drawing lies at the origin of the plan. The one conversion between the two.
[[nodiscard]] constexpr PlanPoint plan_point(const DrawingPoint& p, double millimetres_per_unit) {
  return {p.x * millimetres_per_unit, -p.y * millimetres_per_unit};
}
/// The same for an angle: the plan turns clockwise [degrees].
[[nodiscard]] constexpr double plan_rotation(double drawing_rotation) { return -drawing_rotation; }

/// Limits: what is larger is refused with a sentence that names them.
inline constexpr std::size_t drawing_most_items = 1000000, drawing_most_points = 8000000;
inline constexpr int drawing_deepest_block = 16;

struct DrawingOptions {
  /// Largest distance between a curve and its chords [mm]. Where the file does not state its unit: a 20,000th of the
  /// drawing's extent.
  double tolerance_mm = 1.0;
};

/// Reads the text of an ASCII DXF file, any release. `file` is what sentences call it.
/// @return the drawing, or one sentence: file, line, what stands there, what is expected
[[nodiscard]] tl::expected<Drawing, std::string> read_dxf(std::string_view text, const std::string& file,
                                                          const DrawingOptions& options = {});

} // namespace hallwright
