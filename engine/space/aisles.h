// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <stop_token>
#include <tuple>

#include "space/floor_plan.h"

/// Aisles: the clear floor straight ahead of the fronts and rears of racks.
namespace hallwright {

constexpr double open_floor = 3000.0; ///< mm: beyond this a face looks at open floor

/// What a face looks at, straight ahead.
struct Face {
  static constexpr std::uint32_t open = 0xffffffff, wall = 0xfffffffe; ///< no thing
  double clear = open_floor;                                           ///< mm
  std::uint32_t other = open; ///< a thing, or `wall`: the outline of the hall, or `open`: nothing within 3 m
};

/// Looks along the floor from things to the next thing that a person cannot pass, or to the wall.
class Outlook {
public:
  /// All must outlive it.
  Outlook(const FloorPlan& plan, const PlanGrid& grid, const std::vector<Hall>& halls);
  /// @param dx, dy       one of the four directions of the thing's sides, of length 1
  /// @param half_across  half the width of the strip that is looked along [mm]; below 0: the side of the thing
  /// @param aside        how far the strip's middle lies beside the thing's [mm], along (-dy, dx)
  [[nodiscard]] Face look(std::uint32_t thing, double dx, double dy, double half_across = -1, double aside = 0) const;
  /// The deepest floor ahead of a thing over at least this width [mm], which need not lie about its middle but takes in
  /// all of the thing's width.
  [[nodiscard]] Face look_within(std::uint32_t thing, double dx, double dy, double least_width) const;

private:
  struct Walls {
    const std::vector<PlanPoint>* outline = nullptr;
    bool upright = false; ///< a rectangle along x and y
    PlanBox box;
  };
  const FloorPlan& plan_;
  const PlanGrid& grid_;
  std::vector<Walls> walls_;
};

/// Fronts and rears of racks and plant, by index in the plan.
struct Faces {
  std::vector<Face> front, rear;
};
Faces faces_of(const FloorPlan& plan, const Outlook& outlook, const std::stop_token& stop);

enum class AisleKind : std::uint8_t { cold, hot, mixed, cold_to_obstacle, hot_to_obstacle, cold_to_wall };
constexpr bool needs_cold_width(AisleKind k) { return k != AisleKind::hot && k != AisleKind::hot_to_obstacle; }

struct Aisle {
  double clear = 0;                  ///< mm, the narrowest place
  Count racks = 0;                   ///< faces that look into it
  std::uint32_t rack = 0, other = 0; ///< things at the narrowest place; other: `Face::wall` at the hall's outline
  bool front = true;                 ///< the rack there looks into it with its front
};
using AisleKey = std::tuple<std::int32_t, AisleKind, Id, Id>; ///< hall, kind, lower and higher row (or the other thing)
using Aisles = std::map<AisleKey, Aisle>;

/// Aisles between racks and whatever stands within 3 m of their faces. The outline of the hall is the other side of an
/// aisle ahead of fronts only: behind racks the service depth is what counts there.
Aisles aisles_of(const FloorPlan& plan, const Faces& faces, const std::vector<Rack>& racks);

/// The table "space.aisles"; sets the narrowest aisle of `out`.
Table aisle_table(Ledger& ledger, const SpaceInputs& inputs, const FloorPlan& plan, const Aisles& aisles,
                  SpaceResult& out);

} // namespace hallwright
