// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/pipe_network.h"

#include <cmath>
#include <numbers>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

namespace hallwright {

const char* link_kind_word(LinkKind kind) {
  switch (kind) {
  case LinkKind::pipe:
    return "pipe";
  case LinkKind::check_valve_pipe:
    return "CV pipe";
  case LinkKind::pump:
    return "pump";
  case LinkKind::throttle:
    return "TCV";
  case LinkKind::positional:
    return "PCV";
  case LinkKind::general:
    return "GPV";
  case LinkKind::flow_control:
    return "FCV";
  case LinkKind::pressure_reducing:
    return "PRV";
  case LinkKind::pressure_sustaining:
    return "PSV";
  case LinkKind::pressure_breaker:
    return "PBV";
  }
  return "";
}

double loss_coefficient_of_cv(double cv, double diameter_m) {
  constexpr double gallons_per_minute = 231.0 * 16.387064e-6 / 60.0; // m3/s
  constexpr double psi = 6894.757293168361;                          // Pa
  const double flow = cv * gallons_per_minute;
  const double area = std::numbers::pi / 4.0 * diameter_m * diameter_m;
  const double velocity = flow / area;
  return 2.0 * psi / (999.0 * velocity * velocity);
}

namespace {

class Examiner {
public:
  explicit Examiner(const PipeNetwork& n) : n_(n) {}

  std::vector<std::string> run() {
    if (!(n_.viscosity_m2_per_s > 0.0) || !std::isfinite(n_.viscosity_m2_per_s))
      say("the viscosity {} m2/s must be above 0", n_.viscosity_m2_per_s);
    if (!(n_.density_kg_per_m3 > 0.0) || !std::isfinite(n_.density_kg_per_m3))
      say("the density {} kg/m3 must be above 0", n_.density_kg_per_m3);
    nodes();
    for (const LossCurve& c : n_.loss_curves)
      loss_curve(c);
    links();
    regulators();
    return std::move(out_);
  }

private:
  template <typename... Arguments>
  void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    out_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void nodes() {
    std::unordered_set<std::string_view> ids;
    bool anchored = false;
    for (const NetworkNode& node : n_.nodes) {
      if (node.id.empty()) say("a node has no id");
      if (!ids.insert(node.id).second) say("the node id {} is there twice; each id is allowed once", node.id);
      const bool fixed = node.kind != NodeKind::junction;
      anchored |= fixed;
      if (!std::isfinite(node.elevation_m)) say("node {}: the elevation is not a number", node.id);
      if (fixed && !std::isfinite(node.head_m)) say("node {}: the head is not a number", node.id);
      if (!fixed && !std::isfinite(node.demand_m3_per_s)) say("node {}: the demand is not a number", node.id);
    }
    if (n_.nodes.empty())
      say("the network has no nodes");
    else if (!anchored)
      say("no reservoir or tank holds a pressure: heads are only known from a pressure point, such as the expansion "
          "vessel; add one");
  }

  void loss_curve(const LossCurve& c) {
    if (c.points.size() < 2) say("loss curve {} has {} points; at least 2 are needed", c.id, c.points.size());
    for (std::size_t i = 0; i < c.points.size(); ++i) {
      const FlowHead& p = c.points[i];
      if (!(p.flow_m3_per_s >= 0.0 && p.head_m >= 0.0 && std::isfinite(p.flow_m3_per_s) && std::isfinite(p.head_m)))
        say("loss curve {}: flow and loss of point {} must be zero or more", c.id, i + 1);
      else if (i > 0 && !(p.flow_m3_per_s > c.points[i - 1].flow_m3_per_s && p.head_m >= c.points[i - 1].head_m))
        say("loss curve {}: point {} must have a flow above and a loss not below those of point {}", c.id, i + 1, i);
    }
  }

  /// A value of a link that must lie above 0 (or may be 0) and be finite.
  void amount(const NetworkLink& l, const char* what, double value, bool zero_too = false) {
    if (!(zero_too ? value >= 0.0 : value > 0.0) || !std::isfinite(value))
      say("{} {}: the {} {} must be {}", link_kind_word(l.kind), l.id, what, value,
          zero_too ? "zero or more" : "above 0");
  }

  void links() {
    std::unordered_set<std::string_view> ids;
    const int count = static_cast<int>(n_.nodes.size());
    for (const NetworkLink& l : n_.links) {
      const char* kind = link_kind_word(l.kind);
      if (l.id.empty()) say("a link has no id");
      if (!ids.insert(l.id).second) say("the link id {} is there twice; each id is allowed once", l.id);
      if (l.from < 0 || l.from >= count || l.to < 0 || l.to >= count) {
        say("{} {}: its {} node is not in the network", kind, l.id, l.from < 0 || l.from >= count ? "first" : "second");
        continue;
      }
      if (l.from == l.to) say("{} {}: both ends are the node {}; they must differ", kind, l.id, n_.nodes[l.from].id);
      amount(l, "minor loss coefficient", l.minor_loss, true);
      if (l.viscosity_m2_per_s != 0.0) amount(l, "viscosity [m2/s]", l.viscosity_m2_per_s);
      switch (l.kind) {
      case LinkKind::pipe:
      case LinkKind::check_valve_pipe:
        amount(l, "length [m]", l.length_m);
        amount(l, "diameter [m]", l.diameter_m);
        if (n_.formula == LossFormula::hazen_williams)
          amount(l, "Hazen-Williams coefficient", l.roughness);
        else if (!(l.roughness >= 0.0 && l.roughness <= 0.05 * l.diameter_m))
          say("{} {}: the roughness {} m must be 0 to 0.05 of the diameter ({} m)", kind, l.id, l.roughness,
              l.diameter_m);
        break;
      case LinkKind::pump:
        amount(l, "relative speed", l.setting, true);
        if (l.curve >= static_cast<int>(n_.pump_curves.size())) say("pump {}: its curve is not in the network", l.id);
        break;
      case LinkKind::general:
        if (l.curve < 0 || l.curve >= static_cast<int>(n_.loss_curves.size()))
          say("GPV {}: its curve is not in the network", l.id);
        break;
      case LinkKind::positional:
        amount(l, "diameter [m]", l.diameter_m);
        if (!(l.setting >= 0.0 && l.setting <= 1.0)) say("PCV {}: the open share {} must be 0 to 1", l.id, l.setting);
        break;
      default:
        amount(l, "diameter [m]", l.diameter_m);
        amount(l, "setting", l.setting, true);
        break;
      }
    }
  }

  static bool regulates(const NetworkLink& l) {
    return l.kind == LinkKind::pressure_reducing || l.kind == LinkKind::pressure_sustaining;
  }

  /// A node whose head a valve holds can belong to one valve only, and to no reservoir.
  void regulators() {
    if (!out_.empty()) return;
    std::vector<int> valves(n_.nodes.size(), -1);
    for (int i = 0; i < static_cast<int>(n_.links.size()); ++i) {
      const NetworkLink& l = n_.links[i];
      if (!regulates(l)) continue;
      for (int node : {l.from, l.to}) {
        if (n_.nodes[node].kind != NodeKind::junction)
          say("{} {}: its end {} is a reservoir or tank; put a pipe between them", link_kind_word(l.kind), l.id,
              n_.nodes[node].id);
        else if (valves[node] >= 0)
          say("the pressure valves {} and {} share the node {}; put a pipe between them", n_.links[valves[node]].id,
              l.id, n_.nodes[node].id);
        valves[node] = i;
      }
    }
  }

  const PipeNetwork& n_;
  std::vector<std::string> out_;
};

} // namespace

std::vector<std::string> network_problems(const PipeNetwork& network) { return Examiner(network).run(); }

} // namespace hallwright
