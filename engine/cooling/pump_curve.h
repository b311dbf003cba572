// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

/// What a pump lifts at a flow and speed: heads in metres of the fluid, flows in m3/s, speeds relative to the curve's
/// own (affinity: flow ~ speed, head ~ speed squared).
namespace hallwright {

/// One point of a curve over flow.
struct FlowHead {
  double flow_m3_per_s = 0.0;
  double head_m = 0.0;
  friend bool operator==(const FlowHead&, const FlowHead&) = default;
};

struct PumpCurve {
  enum class Kind { power_law, table, constant_power };
  Kind kind = Kind::power_law;
  double shutoff_head_m = 0.0; ///< power_law: head = shutoff_head - coefficient flow^exponent
  double coefficient = 0.0;    ///< [m / (m3/s)^exponent]
  double exponent = 2.0;
  std::vector<FlowHead> points; ///< table: flows rise, heads fall; straight between points and beyond the last
  double head_times_flow = 0.0; ///< constant_power: P / (density g) [m4/s]
  friend bool operator==(const PumpCurve&, const PumpCurve&) = default;
};

/// Head and its slope over flow.
struct PumpHead {
  double head_m = 0.0;
  double slope_s_per_m2 = 0.0;
};

/// One point: shut-off head 4/3 of it, no head at twice the flow, exponent 2. Three points of which the first has no
/// flow: the power law through them. Other counts: a table. The error says what is wrong with which point.
/// @source EPANET 2.2 manual, "Pump curves"
[[nodiscard]] tl::expected<PumpCurve, std::string> pump_curve_through(const std::vector<FlowHead>& points);

/// A pump that gives the same power to the fluid at every flow.
/// @param hydraulic_power_w above 0
[[nodiscard]] tl::expected<PumpCurve, std::string> pump_of_constant_power(double hydraulic_power_w,
                                                                          double density_kg_per_m3);

/// @param speed above 0
/// @param flow_m3_per_s zero or more; a pump of constant power stays on its tangent above 1,000 m
[[nodiscard]] PumpHead pump_head(const PumpCurve& curve, double speed, double flow_m3_per_s);

/// Flow at which the head reaches zero, or the last point of a table; 0 where there is no such flow (constant power).
[[nodiscard]] double pump_end_flow_m3_per_s(const PumpCurve& curve, double speed);

} // namespace hallwright
