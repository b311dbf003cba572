// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_sizing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include "cooling/row_pipes.h"

namespace hallwright {
namespace {

Count units_for(double need, double of_one) {
  return of_one > 0.0 ? static_cast<Count>(std::ceil(need / of_one * (1.0 - 1e-12))) : 0;
}
Count with_spares(Count n, Redundancy r) {
  if (n <= 0) return 0;
  return r == Redundancy::two_n ? 2 * n : r == Redundancy::n_plus_1 ? n + 1 : n;
}

} // namespace

tl::expected<LoopSizing, std::string> loop_sizing(const Catalog& catalog, const LoopDemand& d) {
  if (!(d.heat_w >= 0.0) || !std::isfinite(d.heat_w))
    return tl::unexpected(fmt::format("The heat is {} W; it must be zero or more", d.heat_w));
  if (!(d.flow_m3_per_s >= 0.0) || !std::isfinite(d.flow_m3_per_s))
    return tl::unexpected(fmt::format("The flow is {} m3/s; it must be zero or more", d.flow_m3_per_s));
  if (!(d.velocity_m_per_s > 0.0 && d.velocity_m_per_s <= 10.0))
    return tl::unexpected(fmt::format("The velocity is {} m/s; it must be above 0, at most 10", d.velocity_m_per_s));
  LoopSizing out;
  const auto area = [](double bore) { return std::numbers::pi / 4.0 * bore * bore; };
  const FluidPart* fluid = d.fluid_part.empty() ? nullptr : catalog.find<FluidPart>(d.fluid_part);
  out.header_bore_m = header_bore_for(catalog, fluid, d.flow_m3_per_s, d.velocity_m_per_s);
  out.header_velocity_m_per_s = d.flow_m3_per_s / area(out.header_bore_m);
  out.header_fits = out.header_velocity_m_per_s <= d.velocity_m_per_s * (1 + 1e-9);
  if (!(d.heat_w > 0.0) && !(d.flow_m3_per_s > 0.0)) return out;
  for (const CoolingPart& p : catalog.cooling) {
    if (p.kind.rfind("cdu", 0) != 0) continue;
    const auto known = [](const auto& v) { return v && std::isfinite(base_value(*v)) && base_value(*v) > 0.0; };
    UnitChoice c;
    c.part = p.id;
    c.name = p.name;
    const double capacity = known(p.capacity) ? base_value(*p.capacity) : 0.0;
    const double flow = known(p.secondary_flow) ? base_value(*p.secondary_flow) : 0.0;
    c.by_duty = units_for(d.heat_w, capacity);
    c.by_flow = units_for(d.flow_m3_per_s, flow);
    const Count n = std::max(c.by_duty, c.by_flow);
    if (n <= 0) continue;
    c.needed = with_spares(n, d.redundancy);
    c.duty_binds = c.by_duty >= c.by_flow;
    const double of_duty = capacity > 0.0 ? d.heat_w / (capacity * static_cast<double>(n)) : 0.0;
    const double of_flow = flow > 0.0 ? d.flow_m3_per_s / (flow * static_cast<double>(n)) : 0.0;
    c.load_share = std::max(of_duty, of_flow);
    c.head_known = known(p.pump_head);
    c.floor_m = known(p.width) ? base_value(*p.width) * static_cast<double>(c.needed) : 0.0;
    c.connection_bore_m = header_bore_for(catalog, fluid, d.flow_m3_per_s / static_cast<double>(n), d.velocity_m_per_s);
    if (known(p.price)) c.price_usd = base_value(*p.price) * static_cast<double>(c.needed);
    out.units.push_back(std::move(c));
  }
  std::stable_sort(out.units.begin(), out.units.end(), [](const UnitChoice& a, const UnitChoice& b) {
    return std::tuple(a.needed, -a.load_share) < std::tuple(b.needed, -b.load_share);
  });
  return out;
}

} // namespace hallwright
