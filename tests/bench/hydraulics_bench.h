// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cooling/epanet_text.h"
#include "cooling/pipe_network_solver.h"

/// Measures of the pipe network solver: the hall of 512 racks (S06) and one of 2,048, from nothing and after one valve.
namespace hallwright::bench {

struct HydraulicsTimes {
  double prepare_ms = 0.0; ///< checks, order, pattern
  double cold_ms = 0.0;    ///< from no flows, prepared
  double warm_ms = 0.0;    ///< after a change of one rack's valve
  double sweep_ms = 0.0;   ///< every distribution unit lost once, each from the base
  int cold_steps = 0, warm_steps = 0, cases = 0;
};

inline double median_ms(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

inline PipeNetwork network_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  auto read = read_epanet_text(text.str(), path);
  if (!read) throw std::runtime_error(read.error().front());
  return std::move(read->network);
}

/// `copies` of a hall on one pressure point.
inline PipeNetwork joined_halls(const PipeNetwork& one, int copies) {
  PipeNetwork out = one;
  for (int c = 1; c < copies; ++c) {
    std::vector<int> place(one.nodes.size());
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      if (one.nodes[i].kind != NodeKind::junction) {
        place[i] = static_cast<int>(i);
        continue;
      }
      place[i] = static_cast<int>(out.nodes.size());
      out.nodes.push_back(one.nodes[i]);
      out.nodes.back().id += "." + std::to_string(c);
    }
    for (const NetworkLink& l : one.links) {
      NetworkLink copy = l;
      copy.id += "." + std::to_string(c);
      copy.from = place[l.from];
      copy.to = place[l.to];
      out.links.push_back(copy);
    }
  }
  return out;
}

inline HydraulicsTimes hydraulics_times(const PipeNetwork& network, int rounds) {
  // Time of the processor, so that a busy machine changes little.
  const auto since = [](std::clock_t start) {
    return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const SolverOptions options = SolverOptions::epanet();
  HydraulicsTimes out;
  std::vector<double> prepares, colds, warms;
  auto solver = PipeNetworkSolver::prepare(network, options);
  if (!solver) throw std::runtime_error(solver.error().front());
  const auto must = [&](tl::expected<void, std::string> fine) {
    if (!fine) throw std::runtime_error(fine.error());
  };
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::clock();
    auto again = PipeNetworkSolver::prepare(network, options);
    prepares.push_back(since(start));
    const auto solving = std::clock();
    must(again->solve());
    colds.push_back(since(solving));
    out.cold_steps = again->solution().steps;
  }
  must(solver->solve());
  std::vector<int> racks, pumps;
  for (int i = 0; i < static_cast<int>(network.links.size()); ++i) {
    if (network.links[i].kind == LinkKind::throttle && network.links[i].diameter_m < 0.1) racks.push_back(i);
    if (network.links[i].kind == LinkKind::pump) pumps.push_back(i);
  }
  for (int i = 0; i < rounds; ++i) {
    const int rack = racks[static_cast<std::size_t>(i) * 37 % racks.size()];
    must(solver->set_setting(rack, i % 2 ? 40.0 : 120.0));
    const auto start = std::clock();
    must(solver->solve());
    warms.push_back(since(start));
    out.warm_steps = std::max(out.warm_steps, solver->solution().steps);
  }
  const auto start = std::clock();
  for (int pump : pumps) {
    must(solver->set_status(pump, LinkStatus::closed));
    must(solver->solve());
    must(solver->set_status(pump, LinkStatus::active));
    ++out.cases;
  }
  out.sweep_ms = since(start);
  out.prepare_ms = median_ms(prepares);
  out.cold_ms = median_ms(colds);
  out.warm_ms = median_ms(warms);
  return out;
}

} // namespace hallwright::bench
