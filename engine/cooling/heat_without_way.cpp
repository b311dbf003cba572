// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/heat_without_way.h"

#include <vector>

#include <fmt/format.h>

#include "cooling/boiling.h"

namespace hallwright {
namespace {

/// "CDU 1", "CDU 1 and CDU 2", "CDU 1, CDU 2, CDU 3 and 4 more".
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  const std::size_t shown = names.size() > 4 ? 3 : names.size();
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

} // namespace

std::string why_coolant_boils(const DrawnLoop& loop, const LoopOperation& o, double flow, double heat_w) {
  const char* const all_units = loop.facility ? "dry coolers, chillers and towers" : "distribution units";
  const std::string ends = "so that its coolant would boil: no steady state exists";
  std::vector<std::string> out, waterless, left;
  double capacity = 0.0;
  bool known = true;
  for (const LoopUnit& u : loop.units) {
    const auto stopped = o.pumps_out.find(u.unit);
    const auto water = o.facility_water.find(u.unit);
    if (o.units_out.count(u.unit) || (stopped != o.pumps_out.end() && stopped->second >= static_cast<int>(u.pumps.size())))
      out.push_back(u.name);
    else if (o.facility_out.count(u.unit) || (water != o.facility_water.end() && !(water->second.flow_m3_per_s > 0.0)))
      waterless.push_back(u.name);
    else {
      left.push_back(u.name);
      known = known && u.capacity_w > 0.0;
      capacity += u.capacity_w;
    }
  }
  std::string missing;
  if (!out.empty()) missing += fmt::format("{} {} out", listed(out), out.size() == 1 ? "is" : "are");
  if (!waterless.empty())
    missing += fmt::format("{}no facility water takes the heat of {}", missing.empty() ? "" : " and ", listed(waterless));
  const std::string heat = fmt::format("{:.4g} kW", heat_w * 1e-3);
  const char* const restore = missing.empty() ? "" : ", or restore what is out";
  if (left.empty())
    return fmt::format("loop '{}': {}, so that nothing takes its {} of heat and its coolant would boil: no steady state "
                       "exists; {}",
                       loop.name, missing, heat,
                       waterless.empty() ? "restore a unit, or stop the racks"
                                         : "bring facility water to a unit, or stop the racks");
  if (!missing.empty()) missing += ", and ";
  if (!(flow > 0.0))
    return fmt::format("loop '{}': {}nothing moves its coolant, {}; look at its pumps and shut valves", loop.name, missing,
                       ends);
  const std::string of_left = out.empty() && waterless.empty() ? fmt::format("its {}", all_units)
                                                               : fmt::format("{}, which {} left,", listed(left),
                                                                             left.size() == 1 ? "is" : "are");
  if (known && capacity < heat_w)
    return fmt::format("loop '{}': {}the capacity of {} is {:.4g} kW, and the heat is {}, {}; add units or larger ones{}",
                       loop.name, missing, of_left, capacity * 1e-3, heat, ends, restore);
  const double c = loop.density_kg_per_m3 * loop.specific_heat_j_per_kg_k;
  if (const double rise = heat_w / (c * flow); rise > boils_at_units_c(loop) - loop.supply_c)
    return fmt::format("loop '{}': {}{:.3g} L/min would have to rise by {:.0f} K to carry the {} of heat, {}; give its "
                       "pumps more flow{}",
                       loop.name, missing, flow * 60000.0, rise, heat, ends, restore);
  return fmt::format("loop '{}': {}{} do{} not pass on the {} of heat at any temperature below {:.0f} degC, {}; {}{}",
                     loop.name, missing, of_left, !missing.empty() && left.size() == 1 ? "es" : "", heat, boils_at_units_c(loop),
                     ends,
                     loop.facility ? "add coolers or larger ones" : "bring them more or colder facility water, or add units",
                     restore);
}

std::string boils_with_facility_water(const DrawnLoop& loop, const std::string& cause) {
  if (cause.starts_with(fmt::format("loop '{}': ", loop.name))) return cause;
  return fmt::format("loop '{}': its coolant would boil, since its facility water has no steady state: {}", loop.name, cause);
}

} // namespace hallwright
