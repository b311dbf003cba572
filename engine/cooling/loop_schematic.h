// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cooling/drawn_loops.h"

/// A drawn loop as a schematic, laid out by rule: racks side by side in the order of their header, the supply above
/// them and the return below, distribution units at the left. The same loop gives the same picture.
///
/// Pipes that meet end to end are one line. Lines that share racks lie in one lane, level: racks and units are its
/// columns. A line that turns back goes back on a level of its own. Mains that racks do not hang on stand upright at
/// the left of all lanes, those that join the far ends of lanes at their right, with their units beside them. A ring is
/// unrolled: cut at a unit, its last stop led back to its first.
namespace hallwright {

/// On the drawing, in pixels at 100 %; y grows downwards.
struct SchematicPoint {
  double x = 0.0, y = 0.0;
  friend bool operator==(const SchematicPoint&, const SchematicPoint&) = default;
};

enum class SchematicBoxKind : std::uint8_t { rack, unit };

/// A unit, a rack, or neighbouring racks that are equal.
struct SchematicBox {
  SchematicBoxKind kind = SchematicBoxKind::rack;
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0; ///< upper left corner and size
  std::vector<std::size_t> members;                   ///< of `DrawnLoop::racks` or `units`; one of a unit
  std::size_t lane = 0;                               ///< lanes count from above; of a unit beside mains: 0
  friend bool operator==(const SchematicBox&, const SchematicBox&) = default;
};

/// A link of the network with the direction in which it is passed: +1 from its start to its end.
struct SchematicFlow {
  int link = -1;
  int sign = 1;
  friend bool operator==(const SchematicFlow&, const SchematicFlow&) = default;
};

enum class StretchKind : std::uint8_t {
  header,     ///< of a pipe, between two things that hang on it
  joint,      ///< from one line to another
  hose,       ///< between a header and a rack
  connection, ///< between a header and a unit
};

/// What is drawn of pipes between two places at which flow divides or joins.
struct SchematicStretch {
  StretchKind kind = StretchKind::header;
  PipeSide side = PipeSide::supply;
  std::vector<SchematicPoint> points;
  std::vector<SchematicFlow> flows; ///< their sum flows from the first point to the last
  int from = -1, to = -1;           ///< nodes of the network at its ends
  int section = -1;                 ///< of `DrawnLoop::sections`; -1: hoses, connections, joints
  int box = -1;                     ///< of hoses and connections
  friend bool operator==(const SchematicStretch&, const SchematicStretch&) = default;
};

/// Where lines join: what crosses without one is not joined.
struct SchematicDot {
  SchematicPoint at;
  PipeSide side = PipeSide::supply;
  int node = -1;
  friend bool operator==(const SchematicDot&, const SchematicDot&) = default;
};

struct LoopSchematic {
  std::vector<SchematicBox> boxes;
  std::vector<SchematicStretch> stretches;
  std::vector<SchematicDot> dots;
  double width = 0.0, height = 0.0;
  std::size_t lanes = 0;
  std::size_t racks_a_box = 1; ///< at most
  [[nodiscard]] bool empty() const { return boxes.empty(); }
  friend bool operator==(const LoopSchematic&, const LoopSchematic&) = default;
};

/// Boxes of racks are at most about this many: beyond it equal neighbours share one.
constexpr std::size_t most_rack_boxes = 60;

/// @return empty where the loop is not solvable
[[nodiscard]] LoopSchematic loop_schematic(const DrawnLoop& loop);

/// Flow along a stretch from its first point to its last. @param link_flows  one a link of the loop's network [m3/s]
[[nodiscard]] double stretch_flow(const SchematicStretch& stretch, const std::vector<double>& link_flows);

} // namespace hallwright
