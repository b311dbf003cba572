// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "../engine/cooling/drawn_hall.h"
#include "cooling/loop_failures.h"
#include "cooling/loop_transient.h"

/// Measures of drawn coolant loops: racks in rows between two mains, from the drawing to every single failure.
namespace hallwright::bench {

struct LoopTimes {
  double join_ms = 0.0;      ///< drawing to network
  double first_ms = 0.0;     ///< prepared and solved from nothing, with temperatures and control of speed
  double warm_ms = 0.0;      ///< after one rack's valve, at the same speed, everything that a reader sees
  double flows_ms = 0.0;     ///< the same, flows alone
  double failures_ms = 0.0;  ///< every unit, pump, section, rack valve and facility branch; no halves
  double transient_ms = 0.0; ///< facility water lost, until all racks are off
  std::size_t nodes = 0, links = 0, cases = 0, first_order = 0;
  int warm_steps = 0;
  double energy_error = 0.0, mass_error = 0.0;
};

inline LoopTimes loop_times(int rows, int racks_per_row, int units, int rounds) {
  // Time of the processor, so that a busy machine changes little.
  const auto since = [](std::clock_t start) {
    return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const auto middle = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  test::DrawnHall hall;
  hall.grid(rows, racks_per_row, units);
  const DrawnLoopInputs inputs = hall.inputs();
  LoopTimes out;
  Shared<DrawnLoop> loop;
  std::vector<double> joins, firsts, warms, flows;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::clock();
    loop = share(drawn_loops(inputs).front());
    joins.push_back(since(start));
  }
  if (!loop->problems.empty()) throw std::runtime_error(loop->problems.front().sentence);
  out.nodes = loop->network.nodes.size();
  out.links = loop->network.links.size();
  for (int i = 0; i < 5; ++i) {
    LoopSolver fresh;
    const auto start = std::clock();
    if (auto s = fresh.solve(loop); !s) throw std::runtime_error(s.error());
    firsts.push_back(since(start));
  }
  LoopSolver solver;
  const auto steady = solver.solve(loop);
  if (!steady) throw std::runtime_error(steady.error());
  out.energy_error = steady->energy_error;
  out.mass_error = steady->mass_error;
  for (int i = 0; i < rounds; ++i) {
    LoopOperation o;
    o.speed = steady->speed;
    if (i % 2) o.racks_shut = {loop->racks[static_cast<std::size_t>(i) * 37 % loop->racks.size()].rack};
    auto start = std::clock();
    const auto s = solver.solve(loop, o);
    warms.push_back(since(start));
    if (!s) throw std::runtime_error(s.error());
    out.warm_steps = std::max(out.warm_steps, s->steps);
    o.racks_shut = {loop->racks[static_cast<std::size_t>(i) * 41 % loop->racks.size()].rack};
    start = std::clock();
    if (auto f = solver.summary(loop, o, false); !f) throw std::runtime_error(f.error());
    flows.push_back(since(start));
  }
  FailureSweep sweep;
  sweep.halves = false;
  auto start = std::clock();
  const auto failures = loop_failures(solver, loop, sweep);
  out.failures_ms = since(start);
  if (!failures) throw std::runtime_error(failures.error());
  out.cases = failures->cases.size();
  for (const LoopFailure& f : failures->cases)
    out.first_order += f.first_order;
  start = std::clock();
  if (auto t = loop_transient(*loop, *steady, loss_of_facility(), {}); !t) throw std::runtime_error(t.error());
  out.transient_ms = since(start);
  out.join_ms = middle(joins);
  out.first_ms = middle(firsts);
  out.warm_ms = middle(warms);
  out.flows_ms = middle(flows);
  return out;
}

} // namespace hallwright::bench
