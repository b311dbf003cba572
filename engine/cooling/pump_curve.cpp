// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/pump_curve.h"

#include <cmath>

#include <fmt/format.h>

namespace hallwright {

tl::expected<PumpCurve, std::string> pump_curve_through(const std::vector<FlowHead>& points) {
  PumpCurve out;
  if (points.empty()) return tl::unexpected(std::string("a pump curve without a point; at least one is needed"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const FlowHead& p = points[i];
    if (!std::isfinite(p.flow_m3_per_s) || !std::isfinite(p.head_m) || p.flow_m3_per_s < 0.0 || p.head_m < 0.0)
      return tl::unexpected(fmt::format("point {} has the flow {} m3/s and the head {} m; both must be zero or more",
                                        i + 1, p.flow_m3_per_s, p.head_m));
    if (i > 0 && p.flow_m3_per_s <= points[i - 1].flow_m3_per_s)
      return tl::unexpected(fmt::format("the flow of point {} is not above that of point {}", i + 1, i));
    if (i > 0 && p.head_m >= points[i - 1].head_m)
      return tl::unexpected(fmt::format(
          "the head of point {} is not below that of point {}: a curve that rises has no single flow", i + 1, i));
  }
  if (points.size() == 1) {
    if (points[0].flow_m3_per_s <= 0.0 || points[0].head_m <= 0.0)
      return tl::unexpected(std::string("the one point of a pump curve needs a flow and a head above 0"));
    out.shutoff_head_m = points[0].head_m * 4.0 / 3.0;
    out.coefficient = points[0].head_m / 3.0 / (points[0].flow_m3_per_s * points[0].flow_m3_per_s);
    return out;
  }
  if (points.size() == 3 && points[0].flow_m3_per_s == 0.0) {
    const double first = points[0].head_m - points[1].head_m, second = points[0].head_m - points[2].head_m;
    out.exponent = std::log(second / first) / std::log(points[2].flow_m3_per_s / points[1].flow_m3_per_s);
    if (std::abs(out.exponent - 2.0) < 1e-12) out.exponent = 2.0;
    if (!(out.exponent > 0.0 && out.exponent <= 20.0))
      return tl::unexpected(
          fmt::format("the exponent through the three points is {}; 0 to 20 is allowed", out.exponent));
    out.shutoff_head_m = points[0].head_m;
    out.coefficient = first / std::pow(points[1].flow_m3_per_s, out.exponent);
    return out;
  }
  out.kind = PumpCurve::Kind::table;
  out.points = points;
  out.shutoff_head_m = points[0].head_m + (points[0].head_m - points[1].head_m) * points[0].flow_m3_per_s /
                                              (points[1].flow_m3_per_s - points[0].flow_m3_per_s);
  return out;
}

tl::expected<PumpCurve, std::string> pump_of_constant_power(double hydraulic_power_w, double density_kg_per_m3) {
  if (!(hydraulic_power_w > 0.0) || !std::isfinite(hydraulic_power_w))
    return tl::unexpected(fmt::format("the power {} W must be above 0", hydraulic_power_w));
  if (!(density_kg_per_m3 > 0.0) || !std::isfinite(density_kg_per_m3))
    return tl::unexpected(fmt::format("the density {} kg/m3 must be above 0", density_kg_per_m3));
  PumpCurve out;
  out.kind = PumpCurve::Kind::constant_power;
  out.head_times_flow = hydraulic_power_w / (density_kg_per_m3 * 9.80665);
  out.shutoff_head_m = 2000.0;
  return out;
}

PumpHead pump_head(const PumpCurve& curve, double speed, double flow) {
  switch (curve.kind) {
  case PumpCurve::Kind::power_law: {
    if (curve.exponent == 2.0)
      return {speed * speed * curve.shutoff_head_m - curve.coefficient * flow * flow, -2.0 * curve.coefficient * flow};
    const double a = curve.coefficient * std::pow(speed, 2.0 - curve.exponent);
    if (flow <= 0.0)
      return {speed * speed * curve.shutoff_head_m,
              curve.exponent > 1.0 ? 0.0 : -a * std::pow(1e-9, curve.exponent - 1.0)};
    const double lost = a * std::pow(flow, curve.exponent);
    return {speed * speed * curve.shutoff_head_m - lost, -curve.exponent * lost / flow};
  }
  case PumpCurve::Kind::table: {
    const double at = flow / speed;
    std::size_t i = 1;
    while (i + 1 < curve.points.size() && curve.points[i].flow_m3_per_s < at)
      ++i;
    const FlowHead &p = curve.points[i - 1], &q = curve.points[i];
    const double slope = (q.head_m - p.head_m) / (q.flow_m3_per_s - p.flow_m3_per_s);
    return {speed * speed * (p.head_m + slope * (at - p.flow_m3_per_s)), speed * slope};
  }
  case PumpCurve::Kind::constant_power: {
    const double power = curve.head_times_flow * speed * speed * speed;
    const double least = power / 1000.0;
    if (flow >= least) return {power / flow, -power / (flow * flow)};
    return {2000.0 - 1000.0 * flow / least, -1000.0 / least};
  }
  }
  return {};
}

double pump_end_flow_m3_per_s(const PumpCurve& curve, double speed) {
  switch (curve.kind) {
  case PumpCurve::Kind::power_law:
    return speed * std::pow(curve.shutoff_head_m / curve.coefficient, 1.0 / curve.exponent);
  case PumpCurve::Kind::table:
    return speed * curve.points.back().flow_m3_per_s;
  case PumpCurve::Kind::constant_power:
    return 0.0;
  }
  return 0.0;
}

} // namespace hallwright
