// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/plant_loads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "power/power_flow.h"

namespace hallwright {
namespace {

enum class PlantClass : std::uint8_t { pumps, fans, heat_rejection, other };
constexpr std::size_t plant_classes = 4;

PlantClass class_of(CoolingUnitKind kind) {
  switch (kind) {
  case CoolingUnitKind::cdu:
    return PlantClass::pumps;
  case CoolingUnitKind::crah:
  case CoolingUnitKind::fan_wall:
  case CoolingUnitKind::rear_door:
    return PlantClass::fans;
  case CoolingUnitKind::dry_cooler:
  case CoolingUnitKind::chiller:
  case CoolingUnitKind::cooling_tower:
    return PlantClass::heat_rejection;
  }
  return PlantClass::other;
}

/// IT power by the points on which the plant for it hangs.
struct PointsByIt {
  std::map<std::pair<Id, Id>, double> pumps, boards; // element and what it has behind the transfer switch
};

PointsByIt points_by_it(const OneLine& line) {
  PointsByIt out;
  const PowerFlow flow(line);
  const auto& elements = line.elements();
  const std::size_t n = elements.size();
  const auto kind_of = [&](std::size_t i) { return elements[i].kind; };
  // From the sources down: what stands above. Units that run in a circle have nothing above them.
  std::vector<int> depth(n, -1);
  std::vector<char> ups_above(n, 0), transformer_above(n, 0);
  std::vector<std::size_t> way;
  for (std::size_t i = 0; i < n; ++i) {
    way.clear();
    for (std::size_t at = i; depth[at] < 0;) {
      way.push_back(at);
      if (line.upstream(at) == OneLine::none) break;
      at = static_cast<std::size_t>(line.upstream(at));
    }
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      const std::int32_t up = line.upstream(*it);
      depth[*it] = 0;
      if (up == OneLine::none) continue;
      const auto above = static_cast<std::size_t>(up);
      depth[*it] = depth[above] + 1;
      ups_above[*it] = ups_above[above] || kind_of(above) == PowerUnitKind::ups;
      transformer_above[*it] = transformer_above[above] || kind_of(above) == PowerUnitKind::transformer;
    }
  }
  // From the racks up: IT power whose pumps, and whose other plant, have no place yet.
  std::vector<double> pumps(n, 0.0), boards(n, 0.0);
  const auto spread = [&](std::uint32_t bus, double p, double b) {
    const auto& members = line.buses()[bus].members;
    double whole = 0.0;
    for (const std::uint32_t m : members)
      whole += flow.it_watts(m);
    if (!(whole > 0.0)) return;
    for (const std::uint32_t m : members) {
      pumps[m] += p * flow.it_watts(m) / whole;
      boards[m] += b * flow.it_watts(m) / whole;
    }
  };
  for (std::size_t g = 0; g < line.groups().size(); ++g) {
    const int live = flow.live_feeds(g);
    if (live == 0) continue;
    for (const std::int32_t feed : {line.groups()[g].a, line.groups()[g].b})
      if (feed != OneLine::none)
        spread(line.bus_of(static_cast<std::size_t>(feed)), flow.group_watts(g) / live, flow.group_watts(g) / live);
  }
  std::vector<std::size_t> deepest_first(n);
  std::iota(deepest_first.begin(), deepest_first.end(), std::size_t{0});
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  for (const std::size_t i : deepest_first) {
    const std::int32_t up = line.upstream(i);
    const Id id = elements[i].id, else_from = line.alternate(i) == OneLine::none ? 0 : elements[i].alternate;
    const auto put = [&](std::map<std::pair<Id, Id>, double>& points, Id from, Id other, double watts_of_it) {
      if (watts_of_it > 0.0) points[{from, other}] += watts_of_it;
    };
    if (!(pumps[i] > 0.0) && !(boards[i] > 0.0)) continue;
    if (kind_of(i) == PowerUnitKind::ups && !ups_above[i]) {
      put(out.pumps, id, 0, pumps[i]);
      if (up != OneLine::none) put(out.boards, elements[i].upstream, else_from, boards[i]);
      continue;
    }
    if (up == OneLine::none) { // the drawing ends here, or racks hang on a source
      if (kind_of(i) == PowerUnitKind::utility_feed || kind_of(i) == PowerUnitKind::generator ||
          kind_of(i) == PowerUnitKind::transformer) {
        put(out.pumps, id, 0, pumps[i]);
        put(out.boards, id, 0, boards[i]);
      }
      continue;
    }
    if (!ups_above[i]) {
      const auto above = static_cast<std::size_t>(up);
      const bool on_first_transformer = kind_of(above) == PowerUnitKind::transformer && !transformer_above[above];
      const bool on_source = !transformer_above[i] && kind_of(i) != PowerUnitKind::transformer &&
                             line.upstream(above) == OneLine::none &&
                             (kind_of(above) == PowerUnitKind::utility_feed || kind_of(above) == PowerUnitKind::generator);
      if (on_first_transformer || on_source) {
        put(out.pumps, elements[above].id, else_from, pumps[i]);
        put(out.boards, elements[above].id, else_from, boards[i]);
        continue;
      }
      if (kind_of(i) == PowerUnitKind::transformer && !transformer_above[i]) { // racks hang on it
        put(out.pumps, id, 0, pumps[i]);
        put(out.boards, id, 0, boards[i]);
        continue;
      }
    }
    spread(line.bus_of(static_cast<std::size_t>(up)), pumps[i], boards[i]);
  }
  return out;
}

} // namespace

void hang_plant(OneLine& line, const OneLineSource& source) {
  std::array<double, plant_classes> rest{source.cdu_watts, source.fan_watts, source.heat_rejection_watts,
                                         source.other_watts};
  for (double& w : rest)
    if (!(w > 0.0) || !std::isfinite(w)) w = 0.0;
  const PowerFactor factor{source.plant.plant_power_factor > 0.0 && source.plant.plant_power_factor <= 1.0
                               ? source.plant.plant_power_factor
                               : 1.0};
  std::vector<PlantLoad> plant;
  if (source.cooling_units) {
    const auto& units = *source.cooling_units;
    const auto whole = rest;
    std::array<double, plant_classes> capacity{};
    std::array<bool, plant_classes> rated{true, true, true, true};
    const auto capacity_of = [&](const CoolingUnit& u) {
      if (u.capacity) return in_watts(*u.capacity);
      const CoolingPart* part = source.catalog.find<CoolingPart>(u.part);
      return part && part->capacity ? in_watts(*part->capacity) : 0.0;
    };
    std::array<double, plant_classes> count{};
    for (const CoolingUnit& u : units) {
      const auto c = static_cast<std::size_t>(class_of(u.kind));
      capacity[c] += capacity_of(u);
      rated[c] = rated[c] && capacity_of(u) > 0.0;
      count[c] += 1.0;
    }
    for (const CoolingUnit& u : units) {
      const auto c = static_cast<std::size_t>(class_of(u.kind));
      PlantLoad load{u.name, {}, {}, c == 0};
      for (const Id feed : {u.feed_a, u.feed_b})
        if (feed != 0 && line.index(feed) >= 0 && (load.points.empty() || load.points.front().from != feed))
          load.points.push_back({feed, 0, 1.0});
      if (load.points.empty() || whole[c] <= 0.0) continue;
      const double w = whole[c] * (rated[c] ? capacity_of(u) / capacity[c] : 1.0 / count[c]);
      load.draw = ComplexPower::of(watts(w), factor);
      rest[c] -= w;
      plant.push_back(std::move(load));
    }
  }
  const PointsByIt points = points_by_it(line);
  double it = 0.0; // of all racks: what hangs on nothing has its plant elsewhere
  for (const OneLineLoad& load : line.loads())
    it += in_watts(load.draw.real);
  const auto hang_rest = [&](const char* name, double w, const std::map<std::pair<Id, Id>, double>& by_it,
                             bool pumps) {
    double here = 0.0;
    PlantLoad load{name, {}, {}, pumps};
    for (const auto& [point, watts_of_it] : by_it) {
      here += watts_of_it;
      load.points.push_back({point.first, point.second, watts_of_it});
    }
    if (!(here > 0.0) || !(w > 1e-9 * it)) return;
    load.draw = ComplexPower::of(watts(w * std::min(1.0, here / it)), factor);
    plant.push_back(std::move(load));
  };
  hang_rest("pumps of distribution units", rest[0], points.pumps, true);
  hang_rest("cooling and other plant", rest[1] + rest[2] + rest[3], points.boards, false);
  line.hang(std::move(plant));
}

} // namespace hallwright
