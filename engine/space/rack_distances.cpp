// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rack_distances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"

namespace hallwright {
namespace {

constinit const Formula<Length, Length, Length, Length> routed_rack_distance{
    .name = "routed_rack_distance",
    .text = "plan_distance + 2 * (tray_height - port_height)",
    .source = "up to an overhead tray, along it, down again",
    .parameters = {"plan_distance", "tray_height", "port_height"},
    .function = [](Length plan_distance, Length tray_height, Length port_height) -> Result<Length> {
      if (auto wrong = violated({not_negative("plan_distance", plan_distance), not_negative("tray_height", tray_height),
                                 not_negative("port_height", port_height)}))
        return *wrong;
      const Length rise = tray_height - port_height;
      return plan_distance + 2.0 * (rise < Length{} ? Length{} - rise : rise);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

struct Distances {
  double mean = 0, longest = 0; ///< mm on the plan
  Count racks = 0;
  bool to_centroid = false;
};

/// Manhattan distance from compute racks to the nearest fabric rack of their hall, or to the middle of the hall's
/// compute racks where it has none.
Distances distances_to_fabric(const std::vector<PlanThing>& things, const std::vector<RackRole>& roles) {
  struct Point {
    double x, y;
  };
  std::map<std::int32_t, std::vector<Point>> compute, fabric;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const Point p{things[i].center_x, things[i].center_y};
    if (roles[i] == RackRole::compute)
      compute[things[i].hall].push_back(p);
    else if (roles[i] == RackRole::fabric)
      fabric[things[i].hall].push_back(p);
  }
  Distances out;
  double total = 0;
  for (const auto& [hall, racks] : compute) {
    std::vector<Point> goals = fabric[hall];
    if (goals.empty()) {
      Point middle{0, 0};
      for (const Point& p : racks)
        middle.x += p.x, middle.y += p.y;
      goals.push_back({middle.x / static_cast<double>(racks.size()), middle.y / static_cast<double>(racks.size())});
      out.to_centroid = true;
    }
    std::sort(goals.begin(), goals.end(),
              [](const Point& a, const Point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    for (const Point& p : racks) {
      const auto start =
          std::lower_bound(goals.begin(), goals.end(), p.x, [](const Point& g, double x) { return g.x < x; });
      double best = std::numeric_limits<double>::infinity();
      for (auto g = start; g != goals.end() && g->x - p.x < best; ++g)
        best = std::min(best, g->x - p.x + std::abs(g->y - p.y));
      for (auto g = start; g != goals.begin() && p.x - (g - 1)->x < best; --g)
        best = std::min(best, p.x - (g - 1)->x + std::abs((g - 1)->y - p.y));
      total += best;
      out.longest = std::max(out.longest, best);
      ++out.racks;
    }
  }
  if (out.racks > 0) out.mean = total / static_cast<double>(out.racks);
  return out;
}

} // namespace

void add_distances(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, SpaceResult& out) {
  const std::string mean_label = "Mean distance of a compute rack to the fabric",
                    long_label = "Longest distance of a compute rack to the fabric";
  const Distances d = distances_to_fabric(plan.things, plan.roles);
  if (d.racks == 0) {
    const std::string reason = "no compute racks are drawn";
    out.mean_rack_distance =
        ledger.absent<Length>("space.mean_rack_distance", mean_label, Completeness::not_applicable, reason);
    out.longest_rack_distance =
        ledger.absent<Length>("space.longest_rack_distance", long_label, Completeness::not_applicable, reason);
    return;
  }
  const std::string what = fmt::format(
      "{} compute racks in the drawing, along x and y between centres, each to the nearest fabric rack of its hall{}",
      d.racks, d.to_centroid ? "; where a hall has no fabric rack, to the middle of its compute racks" : "");
  const auto mean = ledger.measured<Length>("space.mean_plan_distance", mean_label + ", on the plan",
                                            millimeters(d.mean), what, &kind::length, true);
  const auto longest = ledger.measured<Length>("space.longest_plan_distance", long_label + ", on the plan",
                                               millimeters(d.longest), what, &kind::length, true);
  const auto tray = assumption<Length>(ledger, *in.catalog, "cabling.tray_height");
  const auto port =
      ledger.constant<Length>("space.port_height", "Height of a port in the middle of a rack", meters(1.0),
                              "project choice: the middle of a 2 m rack", &kind::length, true);
  out.mean_rack_distance =
      ledger.derive("space.mean_rack_distance", mean_label, routed_rack_distance, mean, tray, port);
  out.longest_rack_distance =
      ledger.derive("space.longest_rack_distance", long_label, routed_rack_distance, longest, tray, port);
}

std::vector<AnyFormula> rack_distance_formulas() { return {any(routed_rack_distance)}; }

} // namespace hallwright
