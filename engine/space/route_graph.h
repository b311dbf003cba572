// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "quantity/field.h"

/// Runs of tray or pipe with levels as a graph, and shortest ways along it. Millimetres; z upwards from the floor.
namespace hallwright {

/// Runs are joined where they meet or cross in plan and their levels differ by no more than this.
inline constexpr double route_level_tolerance_mm = 100.0;
/// A corner or end of a run meets another run when it lies this near to its middle, or within half of its width.
inline constexpr double route_meeting_distance_mm = 50.0;
/// A rack or unit is reached from a run that passes over it, or at most this far beside its footprint.
inline constexpr double route_access_distance_mm = 1500.0;

/// One run as drawn: an open line of two corners or more on one level.
struct RouteRun {
  Id id = 0;
  Id hall = 0; ///< runs meet, and are reached, within one hall only
  std::vector<PlanPoint> path;
  double level = 0;
  double half_width = 0;
  friend bool operator==(const RouteRun&, const RouteRun&) = default;
};

/// Where a way begins or ends: a footprint and the height of the port in it.
struct RoutePlace {
  Id id = 0;
  Id hall = 0;
  double x = 0, y = 0;           ///< middle of the footprint
  double half_x = 0, half_y = 0; ///< of its bounding box
  double height = 0;             ///< of the port above the floor
  friend bool operator==(const RoutePlace&, const RoutePlace&) = default;
};

/// A stretch of one run that a way uses, from `from` to `to` along the run (either may be larger).
struct RouteLeg {
  Id run = 0;
  double from = 0, to = 0;
  [[nodiscard]] double length() const { return from < to ? to - from : from - to; }
  friend bool operator==(const RouteLeg&, const RouteLeg&) = default;
};

/// A way between two places. Not routed: along x and y, up to a stated level and down again, as an estimate.
struct Route {
  bool routed = false;
  double horizontal = 0, vertical = 0;
  std::vector<RouteLeg> legs; ///< in the order of travel; empty where not routed
  [[nodiscard]] double length() const { return horizontal + vertical; }
};

/// The straight-angled stand-in for a route: |dx| + |dy|, and up to `level` and down at both ends.
Route estimated_route(const RoutePlace& from, const RoutePlace& to, double level);

class RouteTree;

/// The graph. Junctions are its nodes; what lies between two of them on one run is a section. Immutable.
class RouteGraph {
public:
  RouteGraph() = default;
  /// Runs with fewer than two corners are left out.
  explicit RouteGraph(std::vector<RouteRun> runs);

  [[nodiscard]] bool empty() const { return sections_.empty(); }
  [[nodiscard]] const std::vector<RouteRun>& runs() const { return runs_; }
  /// Junctions at which runs are joined, and risers between levels.
  [[nodiscard]] std::size_t joint_count() const { return joints_; }
  [[nodiscard]] std::size_t riser_count() const { return risers_; }
  /// Whether a run is joined to another one.
  [[nodiscard]] bool joined(std::size_t run) const { return joined_[run]; }
  /// Connected part of the graph that a run belongs to.
  [[nodiscard]] std::uint32_t part_of(std::size_t run) const { return part_[sections_[first_section_[run]].a]; }

  [[nodiscard]] std::uint32_t part_of_section(std::uint32_t section) const { return part_[sections_[section].a]; }

  /// Where the sections of a run begin and end along it, in millimetres, in their order; empty where it is no run of
  /// this graph.
  [[nodiscard]] std::vector<std::pair<double, double>> sections_of(Id run) const;

  /// Where a place reaches the graph: the nearest point of each run within reach.
  struct Access {
    std::uint32_t section = 0;
    double along = 0;      ///< from the section's first node
    double horizontal = 0; ///< from the middle of the place to the run
    double vertical = 0;   ///< from the port to the level of the run
  };
  [[nodiscard]] std::vector<Access> accesses(const RoutePlace& place) const;

  /// The shortest way, or nothing where no runs connect the two.
  [[nodiscard]] std::optional<Route> route(const RoutePlace& from, const RoutePlace& to) const;

  /// Shortest ways from any of `sources` to everywhere: one run of Dijkstra's algorithm.
  /// @param only  not null: the tree is asked about these places alone, and ends when the ways to them are known
  [[nodiscard]] RouteTree tree(const std::vector<RoutePlace>& sources,
                               const std::vector<RoutePlace>* only = nullptr) const;

private:
  friend class RouteTree;
  struct Section {
    std::uint32_t run = 0, a = 0, b = 0;
    double start = 0, length = 0; ///< along the run
  };
  struct Edge {
    std::uint32_t to = 0;
    std::int32_t section = -1; ///< -1: a joint or riser
    double horizontal = 0, vertical = 0;
  };
  struct Segment {
    std::uint32_t run = 0;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, start = 0, length = 0;
  };
  struct HallGrid {
    Id hall = 0;
    double x0 = 0, y0 = 0;
    std::int64_t columns = 0, lines = 0;
    std::vector<std::vector<std::uint32_t>> cells; ///< segments
  };
  void join_runs(std::vector<std::vector<double>>& cuts);
  void make_grid();
  struct Link {
    std::uint32_t run_a = 0, run_b = 0;
    double at_a = 0, at_b = 0, horizontal = 0, vertical = 0;
  };

  std::vector<RouteRun> runs_;
  std::vector<Segment> segments_;            ///< run by run
  std::vector<std::uint32_t> first_segment_; ///< of each run, and one past the last
  std::vector<double> run_length_;
  std::vector<Link> links_;
  std::vector<Section> sections_;            ///< run by run, along each
  std::vector<std::uint32_t> first_section_; ///< of each run, and one past the last
  std::vector<std::uint32_t> first_edge_;    ///< of each node, and one past the last
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> part_; ///< of each node
  std::vector<bool> joined_;
  std::vector<HallGrid> grids_;
  std::size_t joints_ = 0, risers_ = 0;
};

/// Shortest ways from the nearest of several sources. The graph must outlive it.
class RouteTree {
public:
  struct Reach {
    std::size_t source = 0; ///< index of the sources
    double horizontal = 0, vertical = 0;
    [[nodiscard]] double length() const { return horizontal + vertical; }
  };
  /// The nearest source along the graph, or nothing.
  [[nodiscard]] std::optional<Reach> reach(const RoutePlace& place) const;
  /// The way from the nearest source to the place, with the sections that it uses.
  [[nodiscard]] std::optional<Route> route(const RoutePlace& place) const;

private:
  friend class RouteGraph;
  static constexpr std::uint32_t none = 0xffffffff;
  struct At {
    double total = std::numeric_limits<double>::infinity();
    double horizontal = 0, vertical = 0;
    std::uint32_t source = none;
    std::uint32_t from = none; ///< node before; none: straight from a source
    std::int32_t section = -1; ///< walked to get here; -1: a joint or riser
    double entered = 0;        ///< where the source's drop meets the section, along it (from == none)
  };
  struct Entry { ///< a source on a section
    std::uint32_t section = 0;
    double along = 0;
    double horizontal = 0, vertical = 0;
    std::uint32_t source = 0;
  };
  struct Best {
    double total = std::numeric_limits<double>::infinity(), horizontal = 0, vertical = 0;
    std::uint32_t source = none;
    RouteGraph::Access access;
    std::uint32_t from = none;    ///< node at an end of the section, or
    const Entry* entry = nullptr; ///< a source on the section itself
  };
  [[nodiscard]] Best best(const RoutePlace& place) const;
  const RouteGraph* graph_ = nullptr;
  std::vector<At> at_;         ///< of each node
  std::vector<Entry> entries_; ///< by section and place along it
};

} // namespace hallwright
