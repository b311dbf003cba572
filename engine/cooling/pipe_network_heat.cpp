// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/pipe_network_heat.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseLU>

namespace hallwright {
namespace {

/// Outlet of a link as share of its inlet plus a constant.
struct Passage {
  int up = -1, down = -1;
  double mass_flow = 0.0; ///< kg/s
  double share = 1.0, constant_c = 0.0;
};

} // namespace

tl::expected<NetworkTemperatures, std::string>
network_temperatures(const PipeNetwork& network, const NetworkSolution& flows, const HeatInputs& in) {
  const std::size_t links = network.links.size(), nodes = network.nodes.size();
  if (in.links.size() != links || in.node_temperature_c.size() != nodes || flows.flow_m3_per_s.size() != links)
    return tl::unexpected(std::string("heat inputs need one entry a link and one a node of a solved network"));
  if (!(in.density_kg_per_m3 > 0.0 && in.specific_heat_j_per_kg_k > 0.0))
    return tl::unexpected(std::string("density and specific heat of the coolant must be above 0"));

  double largest = 0.0;
  for (double q : flows.flow_m3_per_s)
    largest = std::max(largest, std::abs(q));
  const double nothing = largest * 1e-10;

  NetworkTemperatures out;
  out.node_c.assign(nodes, 0.0);
  out.node_known.assign(nodes, 0);
  out.inlet_c.assign(links, 0.0);
  out.outlet_c.assign(links, 0.0);
  out.link_known.assign(links, 0);
  out.heat_w.assign(links, 0.0);

  std::vector<Passage> passages(links);
  std::vector<double> entering(nodes, 0.0); // kg/s through links
  std::vector<double> leaving(nodes, 0.0);
  for (std::size_t i = 0; i < links; ++i) {
    const NetworkLink& l = network.links[i];
    const LinkHeat& h = in.links[i];
    const double q = flows.flow_m3_per_s[i];
    if (!std::isfinite(h.heat_w) || !std::isfinite(h.temperature_c) || !(h.conductance_w_per_k >= 0.0) ||
        !std::isfinite(h.conductance_w_per_k))
      return tl::unexpected("link " + l.id + ": heat and temperature must be numbers and the conductance zero or more");
    if (std::abs(q) <= nothing) {
      if (h.kind == LinkHeat::Kind::heat && h.heat_w != 0.0)
        return tl::unexpected("link " + l.id + " has a heat of " + std::to_string(h.heat_w) +
                              " W but no flow that could carry it away");
      continue;
    }
    Passage& p = passages[i];
    p.up = q > 0.0 ? l.from : l.to;
    p.down = q > 0.0 ? l.to : l.from;
    p.mass_flow = std::abs(q) * in.density_kg_per_m3;
    const double capacity = p.mass_flow * in.specific_heat_j_per_kg_k;
    switch (h.kind) {
    case LinkHeat::Kind::none:
      break;
    case LinkHeat::Kind::heat:
      p.constant_c = h.heat_w / capacity;
      break;
    case LinkHeat::Kind::outlet:
      p.share = 0.0;
      p.constant_c = h.temperature_c;
      break;
    case LinkHeat::Kind::loss:
      p.share = std::exp(-h.conductance_w_per_k / capacity);
      p.constant_c = h.temperature_c * -std::expm1(-h.conductance_w_per_k / capacity);
      break;
    }
    entering[p.down] += p.mass_flow;
    leaving[p.up] += p.mass_flow;
  }

  // What comes from outside: where more leaves through links than enters through them.
  std::vector<double> supplied(nodes, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const double short_of = leaving[i] - entering[i];
    const bool outside = network.nodes[i].kind != NodeKind::junction || network.nodes[i].demand_m3_per_s < 0.0;
    if (outside && short_of > nothing * in.density_kg_per_m3) supplied[i] = short_of;
  }

  // Every flowing node must lie downstream of something that sets a temperature; else heat would pile up.
  std::vector<std::vector<int>> downstream(nodes);
  std::vector<char> set(nodes, 0);
  std::vector<int> queue;
  const auto reach = [&](int node) {
    if (set[node]) return;
    set[node] = 1;
    queue.push_back(node);
  };
  for (std::size_t i = 0; i < links; ++i)
    if (passages[i].up >= 0) {
      downstream[passages[i].up].push_back(passages[i].down);
      if (passages[i].share < 1.0) reach(passages[i].down);
    }
  for (std::size_t i = 0; i < nodes; ++i)
    if (supplied[i] > 0.0) reach(static_cast<int>(i));
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (int far : downstream[queue[at]])
      reach(far);
  std::vector<int> row(nodes, -1);
  int rows = 0;
  for (std::size_t i = 0; i < nodes; ++i)
    if (entering[i] > 0.0 || supplied[i] > 0.0) row[i] = rows++;
  for (std::size_t i = 0; i < links; ++i) {
    const Passage& p = passages[i];
    if (p.up >= 0 && !set[p.down])
      return tl::unexpected("the flow through link " + network.links[i].id +
                            " runs in a loop that nothing cools and no supply enters; its temperature has no end");
  }

  if (rows > 0) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(links + static_cast<std::size_t>(rows));
    Eigen::VectorXd right = Eigen::VectorXd::Zero(rows);
    for (std::size_t i = 0; i < nodes; ++i) {
      if (row[i] < 0) continue;
      const double sum = entering[i] + supplied[i];
      entries.emplace_back(row[i], row[i], 1.0);
      right[row[i]] += supplied[i] / sum * in.node_temperature_c[i];
    }
    for (const Passage& p : passages) {
      if (p.up < 0) continue;
      const double weight = p.mass_flow / (entering[p.down] + supplied[p.down]);
      if (p.share > 0.0 && row[p.up] >= 0) entries.emplace_back(row[p.down], row[p.up], -weight * p.share);
      right[row[p.down]] += weight * p.constant_c;
    }
    Eigen::SparseMatrix<double> matrix(rows, rows);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factor;
    factor.compute(matrix);
    if (factor.info() != Eigen::Success) return tl::unexpected(std::string("the temperatures are not determined"));
    Eigen::VectorXd x = factor.solve(right);
    x += factor.solve(right - matrix * x);
    if (!x.allFinite()) return tl::unexpected(std::string("the temperatures are not determined"));
    for (std::size_t i = 0; i < nodes; ++i)
      if (row[i] >= 0) {
        out.node_c[i] = x[row[i]];
        out.node_known[i] = 1;
      }
  }

  for (std::size_t i = 0; i < links; ++i) {
    const Passage& p = passages[i];
    if (p.up < 0) continue;
    out.link_known[i] = 1;
    out.inlet_c[i] = out.node_c[p.up];
    out.outlet_c[i] = p.share * out.inlet_c[i] + p.constant_c;
    const double capacity = p.mass_flow * in.specific_heat_j_per_kg_k;
    out.heat_w[i] =
        in.links[i].kind == LinkHeat::Kind::heat ? in.links[i].heat_w : capacity * (out.outlet_c[i] - out.inlet_c[i]);
    (out.heat_w[i] > 0.0 ? out.picked_up_w : out.given_off_w) += std::abs(out.heat_w[i]);
  }
  // What leaves and enters at nodes, from the mass balance of their links.
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!out.node_known[i]) continue;
    const double gone = entering[i] + supplied[i] - leaving[i];
    out.carried_out_w += in.specific_heat_j_per_kg_k * (gone * out.node_c[i] - supplied[i] * in.node_temperature_c[i]);
  }
  const double scale = std::max({out.picked_up_w, out.given_off_w, std::abs(out.carried_out_w)});
  if (scale > 0.0) out.energy_error = std::abs(out.picked_up_w - out.given_off_w - out.carried_out_w) / scale;
  return out;
}

} // namespace hallwright
