// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/heat_flows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cooling/loop_loss.h"

namespace hallwright {
namespace {

constexpr std::size_t most_named_units = 12; ///< of a loop; more are one node

} // namespace

HeatFlows heat_flows(double liquid, double air, const LoopLooks* looks, Id of, const LoopSolution* at_work) {
  HeatFlows out;
  if (!std::isfinite(liquid) || liquid < 0.0) liquid = 0.0;
  if (!std::isfinite(air) || air < 0.0) air = 0.0;
  if (!(liquid + air > 0.0)) return out;
  const auto node = [&](int column, std::string name, EntityRef entity = {}, bool lost = false) {
    out.nodes.push_back({column, std::move(name), 0.0, std::move(entity), lost});
    return out.nodes.size() - 1;
  };
  const auto join = [&](std::size_t from, std::size_t to, double watts) {
    if (!(watts > 1e-9 * (liquid + air))) return;
    out.links.push_back({from, to, watts});
    out.nodes[to].watts += watts;
  };
  const std::size_t chips = node(0, "Chips and electronics");
  out.nodes[chips].watts = liquid + air;
  const std::size_t to_liquid = node(1, "Liquid"), to_air = node(1, "Air");
  join(chips, to_liquid, liquid);
  join(chips, to_air, air);
  const std::size_t water = node(3, "Facility water"), sky = node(4, "Sky"),
                    stays = node(3, "Not carried away", {}, true);
  double drawn = 0.0;
  if (looks)
    for (const LoopLook& l : looks->loops) {
      const LoopSolution* s = l.loop->loop == of ? at_work : l.steady ? &*l.steady : nullptr;
      if (!l.loop->solvable() || l.loop->facility) continue; // facility water carries what units pass on
      LoopHeat heat;
      if (s)
        heat = loop_heat(*l.loop, *s);
      else
        for (const LoopRack& r : l.loop->racks)
          heat.racks_w += r.heat_w, heat.not_carried_w += r.heat_w;
      if (!(heat.racks_w > 0.0)) continue;
      drawn += heat.racks_w;
      const bool each = heat.unit_w.size() <= most_named_units;
      double sum = 0.0;
      for (std::size_t i = 0; i < heat.unit_w.size(); ++i) {
        sum += heat.unit_w[i];
        if (!each || !(heat.unit_w[i] > 0.0)) continue;
        const std::size_t unit = node(2, l.loop->units[i].name, {"cooling_units", l.loop->units[i].unit});
        join(to_liquid, unit, heat.unit_w[i]);
        join(unit, water, heat.unit_w[i]);
      }
      if (!each && sum > 0.0) {
        const std::size_t units =
            node(2, fmt::format("{} units of {}", heat.unit_w.size(), l.loop->name), {"loops", l.loop->loop});
        join(to_liquid, units, sum);
        join(units, water, sum);
      }
      if (heat.not_carried_w > 0.0) join(to_liquid, stays, heat.not_carried_w);
    }
  if (const double rest = liquid - drawn; rest > 1e-6 * liquid) {
    const std::size_t other = node(2, "Loops without pipes");
    join(to_liquid, other, rest);
    join(other, water, rest);
  }
  if (air > 0.0) {
    const std::size_t rooms = node(2, "Room units");
    join(to_air, rooms, air);
    join(rooms, water, air);
  }
  join(water, sky, out.nodes[water].watts);
  // What nothing goes through is not drawn.
  std::vector<std::size_t> place(out.nodes.size(), 0);
  std::vector<HeatNode> kept;
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    place[i] = kept.size();
    if (out.nodes[i].watts > 0.0) kept.push_back(out.nodes[i]);
  }
  for (HeatLink& l : out.links)
    l.from = place[l.from], l.to = place[l.to];
  out.nodes = std::move(kept);
  return out;
}

} // namespace hallwright
