// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "quantity/field.h"
#include "space/footprints.h"

/// Rectangles on the plan and who is near whom. Millimetres; x to the right, y downwards; 0 degrees: front faces up.
namespace hallwright {

/// A turned rectangle. Things turned by quarter turns keep `axis_x` = 1 and have their sides changed over.
struct PlanThing {
  double center_x = 0, center_y = 0;
  double half_width = 0, half_depth = 0; ///< along `axis` and across it
  double axis_x = 1, axis_y = 0;         ///< unit vector of the width
  double front_x = 0, front_y = -1;      ///< unit vector towards the front
  bool square_on = true;                 ///< turned by quarter turns only
  PlanBox box;                           ///< bounding box
  std::int32_t hall = -1;                ///< things meet within one hall only
};
PlanThing plan_thing(Length x, Length y, Length width, Length depth, Angle rotation);

/// Whether two things share floor; touching, or less than half a millimetre, is not sharing.
bool share_floor(const PlanThing& a, const PlanThing& b);

/// How far two things reach into one another [mm]: the shortest move that parts them; 0 when they are apart.
double shared_depth(const PlanThing& a, const PlanThing& b);

/// Whether a point [mm] lies in a polygon or on its edge. Within a micrometre of an edge counts as on it, so that the
/// answer is the same for a drawing that is mirrored, turned or moved.
bool point_in_outline(double x, double y, const std::vector<PlanPoint>& outline);

/// Whether the whole thing lies in the polygon; up to a millimetre beyond its edge is inside.
bool inside_outline(const PlanThing& thing, const std::vector<PlanPoint>& outline);

/// Whether an edge of the polygon runs through a thing, more than `inwards` [mm] inside of its sides.
bool edge_runs_through(const PlanThing& thing, const std::vector<PlanPoint>& outline, double inwards);

/// Bounding box of a polygon; an empty box at the origin where it has no corner.
PlanBox outline_box(const std::vector<PlanPoint>& outline);

/// Centre line of a run [mm] as boxes of this width, one a stretch; stretches without length are left out.
std::vector<PlanThing> run_stretches(const std::vector<PlanPoint>& path, double width, std::int32_t hall);

/// Area of a simple polygon [mm2], zero or more (shoelace).
double outline_area(const std::vector<PlanPoint>& outline);

/// Finds the things near a box, hall by hall. Things must outlive the grid.
class PlanGrid {
public:
  explicit PlanGrid(const std::vector<PlanThing>& things);
  /// Calls `f(index)` for each thing of `hall` whose cells touch `box`; a thing may come more than once.
  template <class F>
  void near(std::int32_t hall, const PlanBox& box, F&& f) const;
  /// Pairs of things that share floor, each once, the lower index first, ascending. Empty when `stop` is requested.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> sharing(const std::stop_token& stop = {}) const;

private:
  static constexpr double cell = 1500.0;          // about a rack and its gap
  static constexpr std::int64_t most_cells = 512; // a thing over more cells is kept apart
  struct Entry {
    std::int64_t x = 0, y = 0;
    std::uint32_t thing = 0, next = 0;
  };
  static constexpr std::uint32_t none = 0xffffffff;
  [[nodiscard]] static std::int64_t cell_of(double v);
  [[nodiscard]] std::size_t slot(std::int64_t x, std::int64_t y) const {
    const auto mixed =
        static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^ static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<std::size_t>(mixed >> shift_);
  }
  const std::vector<PlanThing>& things_;
  std::vector<std::uint32_t> heads_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> wide_; ///< things over many cells
  int shift_ = 0;
};

template <class F>
void PlanGrid::near(std::int32_t hall, const PlanBox& box, F&& f) const {
  for (std::uint32_t i : wide_)
    if (things_[i].hall == hall && things_[i].box.overlaps(box)) f(i);
  for (std::int64_t y = cell_of(box.y0), last_y = cell_of(box.y1); y <= last_y; ++y)
    for (std::int64_t x = cell_of(box.x0), last_x = cell_of(box.x1); x <= last_x; ++x)
      for (std::uint32_t e = heads_[slot(x, y)]; e != none; e = entries_[e].next) {
        const Entry& entry = entries_[e];
        if (entry.x == x && entry.y == y && things_[entry.thing].hall == hall) f(entry.thing);
      }
}

} // namespace hallwright
