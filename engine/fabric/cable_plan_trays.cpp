// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cable_plan_trays.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "space/tray_steps.h"

namespace hallwright {
namespace {

using Pair = TrayUsage::Pair;

auto key(const Pair& p) { return std::tuple(p.to, p.to_height_mm, p.from, p.from_height_mm); }
bool same_sums(const Pair& a, const Pair& b) {
  return a.cables == b.cables && a.area_mm2 == b.area_mm2 && a.mass_kg_m == b.mass_kg_m;
}

/// Demands as pairs, each once.
std::vector<Pair> pairs_of(const CableRoutes& routes, const std::vector<const CablePlan*>& plans,
                           const Catalog& catalog) {
  constexpr double quarter_pi = 0.785398163397448310;
  std::vector<Pair> out;
  for (const CablePlan* plan : plans) {
    if (!plan) continue;
    for (const CableDemand& d : tray_demands(*plan, catalog)) {
      const RoutePlace *from = routes.rack(d.from), *to = routes.rack(d.to);
      if (!from || !to || d.from == d.to) continue;
      const auto n = static_cast<double>(d.cables);
      out.push_back({d.from, d.to, d.from_height_mm.value_or(from->height), d.to_height_mm.value_or(to->height),
                     d.cables, quarter_pi * d.diameter_mm * d.diameter_mm * n, d.mass_kg_m * n, 0, 0});
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Pair& a, const Pair& b) { return key(a) < key(b); });
  std::size_t last = 0;
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (key(out[i]) == key(out[last])) {
      out[last].cables += out[i].cables;
      out[last].area_mm2 += out[i].area_mm2;
      out[last].mass_kg_m += out[i].mass_kg_m;
    } else {
      out[++last] = out[i];
    }
  }
  if (!out.empty()) out.resize(last + 1);
  return out;
}

} // namespace

std::shared_ptr<const TrayUsage> tray_usage(const Shared<CableRoutes>& routes,
                                            const std::vector<const CablePlan*>& plans, const Catalog& catalog,
                                            const TrayUsage* previous, const std::stop_token& stop) {
  auto out = std::make_shared<TrayUsage>();
  out->routes = routes;
  out->pairs = pairs_of(*routes, plans, catalog);
  const RouteGraph& graph = routes->graph();
  if (previous && previous->routes != routes && previous->routes->graph().runs() != graph.runs()) previous = nullptr;

  for (const RouteRun& run : graph.runs())
    out->loads.push_back({run.id, 0, 0, 0, 0});
  std::sort(out->loads.begin(), out->loads.end(), [](const TrayLoad& a, const TrayLoad& b) { return a.tray < b.tray; });
  std::vector<bool> touched(out->loads.size(), previous == nullptr);
  const auto index_of = [&](Id tray) {
    const auto it = std::lower_bound(out->loads.begin(), out->loads.end(), tray,
                                     [](const TrayLoad& l, Id wanted) { return l.tray < wanted; });
    return static_cast<std::size_t>(it - out->loads.begin());
  };
  const auto touch = [&](const TrayUsage& usage, const Pair& p) {
    for (std::uint32_t i = p.first_leg; i < p.first_leg + p.legs; ++i)
      touched[index_of(usage.ways[i].run)] = true;
  };
  const auto unmoved = [&](Id rack) {
    const RoutePlace *now = routes->rack(rack), *was = previous->routes->rack(rack);
    return now && was && *now == *was;
  };

  // Both lists are in one order: what was there before is met on the way.
  std::size_t old = 0;
  std::optional<RouteTree> tree;
  std::tuple<Id, double> tree_of{};
  for (Pair& p : out->pairs) {
    while (previous && old < previous->pairs.size() && key(previous->pairs[old]) < key(p))
      touch(*previous, previous->pairs[old++]); // gone
    const Pair* was = previous && old < previous->pairs.size() && key(previous->pairs[old]) == key(p)
                          ? &previous->pairs[old++]
                          : nullptr;
    p.first_leg = static_cast<std::uint32_t>(out->ways.size());
    if (was && unmoved(p.from) && unmoved(p.to)) {
      const auto first = previous->ways.begin() + was->first_leg;
      out->ways.insert(out->ways.end(), first, first + was->legs);
      p.legs = was->legs;
      if (!same_sums(p, *was)) touch(*out, p);
      continue;
    }
    if (was) touch(*previous, *was);
    if (!tree || tree_of != std::tuple(p.to, p.to_height_mm)) {
      if (stop.stop_requested()) return out;
      RoutePlace end = *routes->rack(p.to);
      end.height = p.to_height_mm;
      tree = graph.tree({end});
      tree_of = {p.to, p.to_height_mm};
    }
    RoutePlace start = *routes->rack(p.from);
    start.height = p.from_height_mm;
    if (const auto way = tree->route(start)) {
      out->ways.insert(out->ways.end(), way->legs.begin(), way->legs.end());
      p.legs = static_cast<std::uint32_t>(way->legs.size());
      touch(*out, p);
    }
  }
  for (; previous && old < previous->pairs.size(); ++old)
    touch(*previous, previous->pairs[old]);

  std::vector<std::vector<TrayStep>> steps(out->loads.size());
  for (const Pair& p : out->pairs)
    for (std::uint32_t i = p.first_leg; i < p.first_leg + p.legs; ++i) {
      const RouteLeg& leg = out->ways[i];
      const std::size_t tray = index_of(leg.run);
      if (!touched[tray]) continue;
      steps[tray].push_back({std::min(leg.from, leg.to), p.area_mm2, p.mass_kg_m, p.cables});
      steps[tray].push_back({std::max(leg.from, leg.to), -p.area_mm2, -p.mass_kg_m, -p.cables});
    }
  for (std::size_t i = 0; i < out->loads.size(); ++i) {
    if (touched[i])
      out->loads[i] = fullest(out->loads[i].tray, steps[i]);
    else
      out->loads[i] = previous->loads[i];
  }
  return out;
}

} // namespace hallwright
