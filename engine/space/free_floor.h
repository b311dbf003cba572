// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "space/plan_geometry.h"

/// Where a load can be pushed over a floor. The model: a square that keeps its direction, as wide as the load's lesser
/// side, moves along x and y between blocks. Exact to a millimetre for what stands square on; turned things count with
/// slices of 100 mm. It says nothing about turning the longer side round a corner.
namespace hallwright {

/// Floor that is taken. Several things in line may make one block.
struct FloorBlock {
  PlanBox box;
  std::uint32_t first = wall, last = wall; ///< things first..last of the plan; one beyond it names something else
  static constexpr std::uint32_t wall = 0xffffffff; ///< the outline of the hall
};

/// An opening that the square passes upright to its line, or a face of a rack that it has to come up to.
struct FloorGate {
  PlanBox box;
  double normal_x = 0, normal_y = 1; ///< upright to the opening
  double width = 0;                  ///< mm, clear; what is wider does not pass
  bool square_on = true;
  bool face = false; ///< a face: the square comes up to it on the side of the normal
};

/// The narrowest place of a way.
struct NarrowPlace {
  double x = 0, y = 0;
  std::uint32_t between = FloorBlock::wall, and_between = FloorBlock::wall; ///< things, or the wall
};

class FreeFloor {
public:
  static constexpr double least = 300, most = 6000; ///< mm: widths that are told apart
  FreeFloor() = default;
  /// @param outline of the hall, blocks outside of it are made here
  FreeFloor(std::vector<FloorBlock> blocks, const std::vector<PlanPoint>& outline);

  /// Which of `to` a square of `side` reaches from any of `from`.
  [[nodiscard]] std::vector<char> reached(double side, const std::vector<FloorGate>& from,
                                          const std::vector<FloorGate>& to) const;
  /// Largest whole side [mm] for which all of `to` are reached; 0: less than `least`; `most`: at least that.
  [[nodiscard]] double widest(const std::vector<FloorGate>& from, const std::vector<FloorGate>& to,
                              double at_most = most) const;
  /// Where the way of a square of `side` from `from` to `to` is narrowest.
  [[nodiscard]] std::optional<NarrowPlace> narrowest_place(double side, const std::vector<FloorGate>& from,
                                                           const FloorGate& to,
                                                           const std::vector<PlanThing>& things) const;

private:
  struct Cells; ///< the floor cut along the edges of what is taken
  [[nodiscard]] Cells cells(double side) const;
  std::vector<FloorBlock> blocks_;
  std::vector<double> x0_, x1_, y0_, y1_; ///< sides of the blocks, each ascending
  PlanBox bounds_;
};

/// Things in a row, close to each other, as one block. Gaps below `FreeFloor::least` are closed: no load passes them.
std::vector<FloorBlock> floor_blocks(const std::vector<PlanThing>& things, const std::vector<std::uint32_t>& which);

/// Boxes that cover the inside of a polygon; slanting edges in slices of 100 mm, outwards.
std::vector<PlanBox> boxes_of_inside(const std::vector<PlanPoint>& outline);

/// A rectangle without the parts that lie under `openings`.
std::vector<PlanBox> without(const PlanBox& box, const std::vector<PlanBox>& openings);

} // namespace hallwright
