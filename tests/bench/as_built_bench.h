// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include <fmt/format.h>

#include "fabric/as_built.h"

/// Measures of the as-built comparison: 98,304 GPUs on three tiers, 294,912 links with names and ports, half a per cent
/// missing, 500 exchanges, in another order; and the speed of reading a dump of that size.
namespace hallwright::bench {

struct AsBuiltTimes {
  double compare_s = 0.0;     ///< of the comparison alone
  double read_mb_per_s = 0.0; ///< of a dump in ibnetdiscover's form
  std::size_t planned = 0, found = 0, findings = 0, plug_moves = 0;
};

/// 12,288 nodes with 8 rails; units of 64 nodes have a leaf a rail (64 down, 64 up); pods of 64 leafs have 64 spines,
/// each with 64 links to the cores.
inline PlannedFabric large_plan() {
  PlannedFabric plan;
  constexpr int nodes = 12'288, rails = 8, per_unit = 64, units = nodes / per_unit, up = 64;
  constexpr int leafs = units * rails; // 1,536
  constexpr int per_pod = 64;          // leafs of a pod
  constexpr int pods = leafs / per_pod, spines = pods * up, cores = spines * 64 / 128;
  const auto device = [&](const char* word, int i, DeviceKind kind) {
    PlannedDevice d;
    d.name = fmt::format("{} {}", word, i + 1);
    d.kind = kind;
    plan.devices.push_back(std::move(d));
  };
  for (int n = 0; n < nodes; ++n)
    device("compute node", n, DeviceKind::node);
  for (int l = 0; l < leafs; ++l)
    device("compute leaf", l, DeviceKind::leaf);
  for (int s = 0; s < spines; ++s)
    device("compute spine", s, DeviceKind::spine);
  for (int c = 0; c < cores; ++c)
    device("compute core", c, DeviceKind::core);
  const auto link = [&](int near, int near_port, int far, int far_port, LinkClass kind, int rail) {
    PlannedLink l;
    l.near = static_cast<std::uint32_t>(near);
    l.near_port = static_cast<PortKey>(near_port);
    l.far = static_cast<std::uint32_t>(far);
    l.far_port = static_cast<PortKey>(far_port);
    l.kind = kind;
    l.rail = static_cast<std::int16_t>(rail);
    plan.links.push_back(l);
  };
  for (int n = 0; n < nodes; ++n)
    for (int r = 0; r < rails; ++r)
      link(n, r + 1, nodes + n / per_unit * rails + r, n % per_unit + 1, LinkClass::node_leaf, r);
  for (int l = 0; l < leafs; ++l)
    for (int s = 0; s < up; ++s)
      link(nodes + l, 65 + s, nodes + leafs + l / per_pod * up + s, l % per_pod + 1, LinkClass::leaf_spine, -1);
  for (int s = 0; s < spines; ++s)
    for (int k = 0; k < 64; ++k)
      link(nodes + leafs + s, 65 + k, nodes + leafs + spines + (s % up * 64 + k) % cores,
           s / up * (64 * up / cores) + (s % up * 64 + k) / cores + 1, LinkClass::spine_core, -1);
  return plan;
}

/// What discovery would say of it, as text of ibnetdiscover: switches' blocks, then adapters'.
inline std::string large_dump(const PlannedFabric& plan, const FoundLinks& found) {
  (void)plan;
  std::string out;
  out.reserve(120'000'000);
  std::vector<std::vector<std::uint32_t>> at(found.devices.size());
  for (std::uint32_t i = 0; i < found.links.size(); ++i) {
    at[found.links[i].near].push_back(i);
    at[found.links[i].far].push_back(i);
  }
  const auto id = [&](std::uint32_t d) {
    return fmt::format("{}-{:016x}", found.devices[d].kind == FoundKind::host ? 'H' : 'S', found.devices[d].guid);
  };
  const auto name = [&](std::uint32_t d) {
    return found.devices[d].kind == FoundKind::host ? found.devices[d].name + " " + found.devices[d].adapter
                                                    : "MF0;" + found.devices[d].name + ":MQM9700/U1";
  };
  for (std::uint32_t d = 0; d < found.devices.size(); ++d) {
    const bool host = found.devices[d].kind == FoundKind::host;
    const std::string own = fmt::format("{:016x}", found.devices[d].guid);
    out += fmt::format("vendid=0x2c9\ndevid=0x{}\nsysimgguid=0x{}\n{}guid=0x{}\n", host ? "1021" : "d2f2", own,
                       host ? "ca" : "switch", own);
    out += host ? fmt::format("Ca\t1 \"{}\"\t\t# \"{}\"\n", id(d), name(d))
                : fmt::format("Switch\t129 \"{}\"\t\t# \"{}\" enhanced port 0 lid {} lmc 0\n", id(d), name(d), d + 1);
    for (std::uint32_t i : at[d]) {
      const FoundLink& l = found.links[i];
      const bool near = l.near == d;
      const std::uint32_t peer = near ? l.far : l.near;
      out += host ? fmt::format("[{}]({}) \t\"{}\"[{}]\t\t# lid {} lmc 0 \"{}\" lid {} 4xNDR\n", l.near_port, own,
                                id(peer), l.far_port, d + 1, name(peer), peer + 1)
                  : fmt::format("[{}]\t\"{}\"[{}]\t\t# \"{}\" lid {} 4xNDR\n", near ? l.near_port : l.far_port,
                                id(peer), near ? l.far_port : l.near_port, name(peer), peer + 1);
    }
    out += '\n';
  }
  return out;
}

inline AsBuiltTimes as_built_times(bool read_too = true) {
  using Clock = std::chrono::steady_clock;
  AsBuiltTimes out;
  const PlannedFabric plan = large_plan();
  FoundLinks found;
  found.port_names.emplace_back();
  found.messages.emplace_back();
  std::vector<std::uint32_t> device(plan.devices.size(), no_device);
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].kind == DeviceKind::node) continue;
    FoundDevice f;
    f.name = plan.devices[d].name;
    f.kind = FoundKind::network_switch;
    f.guid = 0x2c5e'ab03'0000'0000ULL + d * 64;
    device[d] = static_cast<std::uint32_t>(found.devices.size());
    found.devices.push_back(std::move(f));
  }
  for (const PlannedLink& p : plan.links) {
    FoundLink l;
    l.far = device[p.far];
    l.far_port = p.far_port;
    l.near = device[p.near];
    l.near_port = p.near_port;
    l.lanes = 4;
    l.lane_gbps = 100.0F;
    if (l.near == no_device) {
      FoundDevice f;
      f.name = plan.devices[p.near].name;
      f.adapter = fmt::format("mlx5_{}", p.near_port - 1);
      f.kind = FoundKind::host;
      f.guid = 0xe09d'7303'0000'0000ULL + (p.near * 4ULL + (p.near_port - 1) / 2) * 2654435761ULL % 268435399ULL * 16 +
               (p.near_port - 1) % 2 * 4;
      l.near = static_cast<std::uint32_t>(found.devices.size());
      l.near_port = 1;
      found.devices.push_back(std::move(f));
    }
    found.links.push_back(l);
  }
  std::mt19937 random(98'304);
  const std::size_t n = found.links.size();
  for (int i = 0; i < 500; ++i) { // within a class
    const std::size_t a = random() % n, b = std::min(n - 1, a / (n / 3) * (n / 3) + random() % (n / 3));
    std::swap(found.links[a].far, found.links[b].far);
    std::swap(found.links[a].far_port, found.links[b].far_port);
  }
  std::shuffle(found.links.begin(), found.links.end(), random);
  found.links.resize(n - n / 200);
  out.planned = plan.links.size();
  out.found = found.links.size();
  const auto start = Clock::now();
  const AsBuiltResult r = compare_as_built(plan, found);
  out.compare_s = std::chrono::duration<double>(Clock::now() - start).count();
  out.findings = r.findings.size();
  out.plug_moves = r.plug_moves;
  if (read_too) {
    const std::string text = large_dump(plan, found);
    const FoundSource source{text, "large.ibnetdiscover"};
    const auto read_start = Clock::now();
    const auto read = read_found_links({&source, 1});
    const double seconds = std::chrono::duration<double>(Clock::now() - read_start).count();
    if (read && read->links.size() == found.links.size())
      out.read_mb_per_s = static_cast<double>(text.size()) / 1e6 / seconds;
  }
  return out;
}

} // namespace hallwright::bench
